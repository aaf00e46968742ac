//! The words of administrators' pages for addresses, memberships and mail that did not arrive.

use super::trace;
use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::model::contact::JoinWay;
use crate::model::{Email, Joined, Language, PauseCause};
use crate::ops::delivery::why_not::{AddressReason, Reason};

/// Why the server paused an address, in a few words.
pub(in crate::web::admin) fn cause(language: Language, cause: PauseCause) -> String {
    match cause {
        PauseCause::Dead => text!(language, "admin-cause-dead"),
        PauseCause::Soft => text!(language, "admin-cause-soft"),
        PauseCause::Complaint => text!(language, "admin-cause-complaint"),
    }
}

/// Whether mail goes to an address, since when not, because of what the other server said, and what comes next.
pub(in crate::web::admin) fn address(
    locale: &Locale,
    email: &Email,
    until: Option<Timestamp>,
) -> Vec<String> {
    let language = locale.language;
    let evidence = email.evidence.as_ref();
    let pause = evidence.and_then(|evidence| evidence.pause.as_ref()).filter(|_| email.paused);
    let said = evidence.map(|evidence| evidence.reason.trim()).filter(|reason| !reason.is_empty());
    let mut told = Vec::new();
    match (pause, until) {
        _ if !email.paused => told.push(text!(language, "admin-address-active")),
        (None, Some(until)) => told.push(text!(language, "admin-address-until", day = locale.day(until))),
        (None, None) => told.push(text!(language, "admin-address-paused")),
        (Some(pause), _) => {
            let since = locale.day(pause.since);
            told.push(match (pause.cause, said) {
                (PauseCause::Dead, None) => text!(language, "admin-address-dead", day = since),
                (PauseCause::Soft, None) => text!(language, "admin-address-soft", day = since),
                (PauseCause::Complaint, _) => text!(language, "admin-address-complaint", day = since),
                (PauseCause::Dead, Some(said)) => {
                    text!(language, "admin-address-dead-said", day = since, said = said)
                }
                (PauseCause::Soft, Some(said)) => {
                    text!(language, "admin-address-soft-said", day = since, said = said)
                }
            });
            told.push(match (pause.next_probe, pause.cause) {
                (Some(next), _) => text!(language, "admin-address-probe", day = locale.day(next)),
                (None, PauseCause::Complaint) => text!(language, "admin-address-asked"),
                (None, PauseCause::Dead | PauseCause::Soft) => text!(language, "admin-address-given-up"),
            });
        }
    }
    if let (None, Some(said)) = (pause, said.filter(|_| !email.paused)) {
        told.push(text!(language, "admin-address-trouble", said = said));
    }
    if email.confirmed {
        told.push(text!(language, "admin-address-confirmed"));
    }
    told
}

/// When and how somebody joined or asked for something, and from where.
pub(in crate::web::admin) fn joined(locale: &Locale, joined: &Joined) -> String {
    let language = locale.language;
    let way = match joined.way {
        JoinWay::Api | JoinWay::Command => text!(language, "me-way-administrator"),
        JoinWay::Web => text!(language, "me-way-web"),
        JoinWay::Mail => text!(language, "me-way-mail"),
    };
    let time = locale.moment(joined.when);
    match joined.from {
        Some(from) => text!(language, "admin-joined-from", time = time, way = way, from = from.to_string()),
        None => text!(language, "admin-joined", time = time, way = way),
    }
}

/// The state of a message for somebody, as a badge says it: the class and the words.
pub(in crate::web::admin) fn outcome(
    language: Language,
    reasons: &[AddressReason],
) -> (&'static str, String) {
    let is = |test: fn(&Reason) -> bool| reasons.iter().any(|reason| test(&reason.reason));
    if is(|reason| matches!(reason, Reason::Delivered { .. })) {
        return ("good", text!(language, "admin-got"));
    }
    if is(|reason| {
        matches!(reason, Reason::Waiting { .. } | Reason::WaitsForDigest { .. } | Reason::NotQueuedYet)
    }) {
        return ("now", text!(language, "admin-got-waits"));
    }
    if is(|reason| matches!(reason, Reason::Failed { .. })) {
        return ("bad", text!(language, "admin-got-refused"));
    }
    if is(|reason| {
        matches!(reason, Reason::Bounced { .. } | Reason::AddressPaused { .. } | Reason::WasPaused)
    }) {
        return ("warn", text!(language, "admin-got-paused"));
    }
    if is(|reason| matches!(reason, Reason::JoinedLater { .. })) {
        return ("", text!(language, "admin-got-before"));
    }
    if is(|reason| matches!(reason, Reason::NoTrace)) {
        return ("", text!(language, "admin-got-unknown"));
    }
    ("warn", text!(language, "admin-got-not"))
}

/// The state of a message for one address, as a sentence after the address.
pub(in crate::web::admin) fn sentence(locale: &Locale, reason: &AddressReason) -> String {
    let words = trace::sentence(locale, reason);
    match &reason.address {
        Some(address) => format!("{address}: {words}"),
        None => words,
    }
}
