//! Says in a sentence why somebody got a message, or did not get it.

use crate::locale::{Locale, text};
use crate::model::{PauseCause, RecipientState};
use crate::ops::delivery::deliveries::Delivery;
use crate::ops::delivery::why_not::{AddressReason, Reason};

/// The state of one copy, as a sentence.
pub(in crate::web::admin) fn of_delivery(locale: &Locale, delivery: &Delivery) -> String {
    let reason = match delivery.state {
        RecipientState::Delivered => {
            Reason::Delivered { time: delivery.time, remote: delivery.remote.clone() }
        }
        RecipientState::Failed => Reason::Failed {
            time: delivery.time,
            remote: delivery.remote.clone(),
            reply: delivery.reply.clone(),
        },
        RecipientState::Skipped | RecipientState::Moved { .. } => Reason::Skipped { time: delivery.time },
        RecipientState::Queued | RecipientState::Deferred => Reason::Waiting {
            next_attempt: delivery.next_attempt,
            is_held: delivery.next_attempt.is_none(),
            attempts: delivery.attempts,
            remote: delivery.remote.clone(),
            reply: delivery.reply.clone(),
        },
    };
    let address = Some(delivery.email.clone());
    sentence(locale, &AddressReason { address, digest: delivery.digest, reason })
}

/// The reason of one address, or of a person as a whole, as a sentence without the address.
pub(in crate::web) fn sentence(locale: &Locale, of: &AddressReason) -> String {
    let language = locale.language;
    let server = |remote: &Option<String>| remote.clone().unwrap_or_default();
    match &of.reason {
        Reason::Delivered { time, remote } => {
            let (time, remote) = (locale.moment(*time), server(remote));
            match (of.digest, remote.is_empty()) {
                (Some(day), _) => text!(language, "desk-why-digest", time = time, day = day.to_string()),
                (None, true) => text!(language, "desk-why-delivered", time = time),
                (None, false) => text!(language, "desk-why-delivered-to", time = time, server = remote),
            }
        }
        Reason::Waiting { is_held: true, .. } => text!(language, "desk-why-on-hold"),
        Reason::Waiting { next_attempt, reply, .. } => {
            match (next_attempt.map(|time| locale.moment(time)), reply) {
                (Some(time), Some(reply)) => {
                    text!(language, "desk-why-deferred", time = time, reply = reply)
                }
                (Some(time), None) => text!(language, "desk-why-queued", time = time),
                (None, _) => text!(language, "desk-why-sending"),
            }
        }
        Reason::Failed { time, remote: _, reply: Some(reply) } => {
            text!(language, "desk-why-refused", time = locale.moment(*time), reply = reply)
        }
        Reason::Failed { time, .. } => text!(language, "desk-why-failed", time = locale.moment(*time)),
        Reason::Skipped { time } => text!(language, "desk-why-skipped", time = locale.moment(*time)),
        Reason::WaitsForDigest { due: Some(due) } => {
            text!(language, "desk-why-next-digest", time = locale.moment(*due))
        }
        Reason::WaitsForDigest { due: None } => text!(language, "desk-why-a-digest"),
        Reason::NotQueuedYet => text!(language, "desk-why-sending"),
        Reason::NotMember => text!(language, "desk-why-no-member"),
        Reason::JoinedLater { since } => {
            text!(language, "desk-why-joined-later", time = locale.moment(*since))
        }
        Reason::MembershipPaused => text!(language, "desk-why-web-only"),
        Reason::AddressPaused { until: Some(until) } => {
            text!(language, "desk-why-paused-until", day = locale.day(*until))
        }
        Reason::AddressPaused { until: None } => text!(language, "desk-why-paused"),
        Reason::Bounced { since, cause, reply, next_probe } => {
            let since = locale.day(*since);
            let mut sentence = match cause {
                PauseCause::Dead => text!(language, "desk-why-dead", day = since, reply = reply),
                PauseCause::Soft => text!(language, "desk-why-soft", day = since, reply = reply),
                PauseCause::Complaint => text!(language, "desk-why-complaint", day = since),
            };
            if let Some(next) = next_probe {
                // The words of another server may end without a stop.
                if !sentence.ends_with(['.', '!', '?']) {
                    sentence.push('.');
                }
                sentence.push(' ');
                sentence.push_str(&text!(language, "desk-why-next-probe", day = locale.day(*next)));
            }
            sentence
        }
        Reason::WasPaused => text!(language, "desk-why-was-paused"),
        Reason::NoTrace => text!(language, "desk-why-no-trace"),
        Reason::Unknown => text!(language, "desk-why-unknown"),
    }
}
