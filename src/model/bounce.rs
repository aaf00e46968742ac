//! Why mail does not arrive, and the ladder by which an address is paused, probed, restored or given up.
//!
//! Only what speaks of the address itself counts against it (`spec/mail.md` 9). The rungs are plain functions of
//! [`Email`]: whoever learns something [notes](Email::note) it, and what follows is the caller's to carry out.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Email, words};
use crate::clock::Timestamp;

/// How far apart two reports of a dead address must be to count as two.
const REPORTS_APART: Duration = Duration::from_hours(24);
/// How long a first report waits for its second: beyond the pace of a monthly list.
const REPORT_COUNTS_FOR: Duration = Duration::from_hours(60 * 24);
/// How long failures that may pass go on before the address is paused.
const SOFT_FOR: Duration = Duration::from_hours(8 * 24);
/// How long after one such failure the next still belongs to it: beyond the pace of a weekly list. Relays take
/// every copy, so that no delivery in between can tell.
const SOFT_GAP_MAX: Duration = Duration::from_hours(14 * 24);
/// How exactly the last of these failures is known; it spares a write for each retry.
const SOFT_NOTED_EVERY: Duration = Duration::from_hours(12);
/// How often a paused address is probed.
pub const PROBE_EVERY: Duration = Duration::from_hours(3 * 24);
/// Probes after which an address is given up.
const PROBES_MAX: u8 = 4;

/// An enhanced status code (RFC 3463), such as `5.1.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Status {
    /// 2 for a success, 4 for a failure that may pass, 5 for one that stays.
    pub class: u8,
    /// What it is about: 1 addresses, 2 mailboxes, 3 systems, 4 the network, 5 the protocol, 6 content, 7 policy.
    pub subject: u16,
    /// What of it.
    pub detail: u16,
}

impl Status {
    /// A code by its three numbers.
    #[must_use]
    pub const fn new(class: u8, subject: u16, detail: u16) -> Status {
        Status { class, subject, detail }
    }

    /// Reads `5.1.1`; anything else is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Status> {
        let mut parts = text.split('.');
        let class = parts.next().filter(|class| matches!(*class, "2" | "4" | "5"))?.parse().ok()?;
        let mut number = || {
            let part = parts.next()?;
            let is_number = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse().ok() } else { None }
        };
        let (subject, detail) = (number()?, number()?);
        if parts.next().is_none() { Some(Status { class, subject, detail }) } else { None }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}

words! {
    /// What a failure says of the address (`spec/mail.md` 9).
    FailureKind {
        /// Nobody reads mail there.
        Dead = "dead address",
        /// The mailbox is full, or the way to it is broken for now; also what nobody can tell.
        Temporary = "full or temporary",
        /// The message or its sender is not wanted, or the message is too large: nothing about the address.
        Policy = "policy or reputation",
    }
}

/// What is made of one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    /// What it says of the address.
    pub kind: FailureKind,
    /// The code on which that rests; none where there was none, and the words decided.
    pub status: Option<Status>,
}

impl Diagnosis {
    /// Whether one such refusal in our own delivery is enough to pause the address: 5.1.1, 5.1.2, 5.1.10 and
    /// 5.2.1 (`spec/mail.md` 9).
    #[must_use]
    pub fn is_certain(&self) -> bool {
        const CERTAIN: [Status; 4] =
            [Status::new(5, 1, 1), Status::new(5, 1, 2), Status::new(5, 1, 10), Status::new(5, 2, 1)];
        self.kind == FailureKind::Dead && self.status.is_some_and(|status| CERTAIN.contains(&status))
    }
}

/// Something that was learned of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A server refused a copy of ours in words that are [certain](Diagnosis::is_certain).
    Refused,
    /// It was said in another way that nobody is there.
    Reported,
    /// A copy failed in a way that may pass.
    Soft,
    /// The reader called a message unwanted.
    Complaint,
    /// The address's own server took a copy.
    Delivered,
    /// A relay took a copy, which says nothing until it comes back.
    Relayed,
}

words! {
    /// Why an address was paused.
    PauseCause {
        /// Nobody is there.
        Dead = "the address does not exist",
        /// Mail has failed for days.
        Soft = "mail to the address has failed for 8 days",
        /// The reader complained.
        Complaint = "the reader complained",
    }
}

/// A pause that the server made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When.
    pub since: Timestamp,
    /// Why.
    pub cause: PauseCause,
    /// Probes that were sent.
    pub probes: u8,
    /// Whether a relay took the last probe, and nothing has come back.
    pub is_probe_out: bool,
    /// When the next rung is due; none once the address is given up, and where the reader complained.
    pub next_probe: Option<Timestamp>,
}

/// Failures that may pass, with no delivery between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftSpan {
    /// The first.
    pub since: Timestamp,
    /// About when the last was.
    pub last: Timestamp,
}

/// What speaks against an address, as far as it is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// When it was first reported that nobody is there.
    pub reported: Option<Timestamp>,
    /// Failures that may pass.
    pub soft: Option<SoftSpan>,
    /// The words of the last sign, or what led to the pause.
    pub reason: String,
    /// The pause to which it led.
    pub pause: Option<Pause>,
}

/// What follows from a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noted {
    /// Nothing is to be written.
    Nothing,
    /// The record changed.
    Changed,
    /// The address is paused now, and administrators are to be told.
    Paused(PauseCause),
    /// The address takes mail again.
    Restored,
}

/// What is done when a rung of the ladder is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rung {
    /// A probe is to be sent.
    Probe,
    /// The last probe did not come back: the address takes mail again.
    Restored,
    /// No probe arrived: the address stays paused until somebody says otherwise.
    GivenUp,
}

impl Email {
    /// Takes in one more sign; `reason` is what another server said. An address that somebody paused is left
    /// alone, unless its reader complains.
    pub fn note(&mut self, sign: Sign, reason: &str, now: Timestamp) -> Noted {
        let is_paused_by_server = self.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some());
        match sign {
            Sign::Complaint => self.note_complaint(reason, now),
            _ if is_paused_by_server => self.note_on_probe(sign),
            _ if self.paused => Noted::Nothing,
            Sign::Refused => self.pause(PauseCause::Dead, reason, now),
            Sign::Reported => self.note_report(reason, now),
            Sign::Soft => self.note_soft(reason, now),
            Sign::Delivered => self.note_delivery(),
            Sign::Relayed => Noted::Nothing,
        }
    }

    /// Lets the address take mail again, and forgets what spoke against it.
    pub fn restore(&mut self) {
        self.paused = false;
        self.evidence = None;
    }

    /// Forgets what spoke against the address, since it is another one now. Who complained is a person, and
    /// stays paused under any address.
    pub fn forget_bounces(&mut self) {
        let pause = self.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
        match pause.map(|pause| pause.cause) {
            Some(PauseCause::Complaint) => {}
            Some(PauseCause::Dead | PauseCause::Soft) => self.restore(),
            None => self.evidence = None,
        }
    }

    /// Does the rung that is due: counts the probe that is to be sent, restores, or gives up.
    pub fn climb(&mut self, now: Timestamp) -> Option<Rung> {
        let pause = self.evidence.as_mut()?.pause.as_mut()?;
        if pause.next_probe.is_none_or(|due| now < due) {
            return None;
        }
        if pause.is_probe_out {
            self.restore();
            return Some(Rung::Restored);
        }
        if PROBES_MAX <= pause.probes {
            pause.next_probe = None;
            return Some(Rung::GivenUp);
        }
        pause.probes += 1;
        pause.next_probe = Some(now + PROBE_EVERY);
        Some(Rung::Probe)
    }

    fn pause(&mut self, cause: PauseCause, reason: &str, now: Timestamp) -> Noted {
        let next_probe = match cause {
            PauseCause::Dead | PauseCause::Soft => Some(now + PROBE_EVERY),
            PauseCause::Complaint => None,
        };
        self.paused = true;
        let evidence = self.evidence_mut(reason);
        evidence.pause = Some(Pause { since: now, cause, probes: 0, is_probe_out: false, next_probe });
        Noted::Paused(cause)
    }

    fn evidence_mut(&mut self, reason: &str) -> &mut Evidence {
        let evidence = self.evidence.get_or_insert_default();
        reason.clone_into(&mut evidence.reason);
        evidence
    }

    fn note_complaint(&mut self, reason: &str, now: Timestamp) -> Noted {
        let pause = self.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
        if pause.is_some_and(|pause| pause.cause == PauseCause::Complaint) {
            return Noted::Nothing;
        }
        self.pause(PauseCause::Complaint, reason, now)
    }

    /// A sign of an address that is paused already: all that is still asked is whether mail gets through.
    fn note_on_probe(&mut self, sign: Sign) -> Noted {
        let Some(pause) = self.evidence.as_mut().and_then(|evidence| evidence.pause.as_mut()) else {
            return Noted::Nothing;
        };
        let is_out = match sign {
            _ if pause.cause == PauseCause::Complaint => return Noted::Nothing,
            Sign::Delivered => {
                self.restore();
                return Noted::Restored;
            }
            Sign::Relayed => true,
            Sign::Refused | Sign::Reported | Sign::Soft | Sign::Complaint => false,
        };
        if std::mem::replace(&mut pause.is_probe_out, is_out) == is_out {
            Noted::Nothing
        } else {
            Noted::Changed
        }
    }

    fn note_report(&mut self, reason: &str, now: Timestamp) -> Noted {
        let first = self.evidence.as_ref().and_then(|evidence| evidence.reported);
        match first.map(|first| now.since(first)) {
            Some(age) if age < REPORTS_APART => Noted::Nothing,
            Some(age) if age < REPORT_COUNTS_FOR => self.pause(PauseCause::Dead, reason, now),
            Some(_) | None => {
                self.evidence_mut(reason).reported = Some(now);
                Noted::Changed
            }
        }
    }

    fn note_soft(&mut self, reason: &str, now: Timestamp) -> Noted {
        let span = self.evidence.as_ref().and_then(|evidence| evidence.soft);
        let since = match span {
            Some(span) if now.since(span.last) <= SOFT_GAP_MAX => span.since,
            Some(_) | None => now,
        };
        if SOFT_FOR <= now.since(since) {
            return self.pause(PauseCause::Soft, reason, now);
        }
        if span.is_some_and(|span| span.since == since && now.since(span.last) < SOFT_NOTED_EVERY) {
            return Noted::Nothing;
        }
        self.evidence_mut(reason).soft = Some(SoftSpan { since, last: now });
        Noted::Changed
    }

    /// A delivery ends failures that may pass. Of reports it says nothing: those come after it.
    fn note_delivery(&mut self) -> Noted {
        let Some(evidence) = &mut self.evidence else { return Noted::Nothing };
        if evidence.soft.take().is_none() {
            return Noted::Nothing;
        }
        if evidence.reported.is_none() {
            self.evidence = None;
        }
        Noted::Changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AccountId, ContactId, EmailAddress, EmailId};

    const DAY: Duration = Duration::from_hours(24);

    fn email() -> Email {
        Email {
            id: EmailId(1),
            account: AccountId(1),
            contact: ContactId(1),
            address: EmailAddress::parse("ada@x.org").unwrap(),
            digest: false,
            paused: false,
            confirmed: true,
            ceid: None,
            evidence: None,
        }
    }

    fn at(days: u32) -> Timestamp {
        Timestamp::from_ms(0) + DAY * days
    }

    /// Notes signs on days, and shows what follows from each.
    #[track_caller]
    fn check(signs: &[(Sign, u32)], expected: &[Noted]) -> Email {
        let mut email = email();
        let noted: Vec<Noted> = signs.iter().map(|(sign, day)| email.note(*sign, "said", at(*day))).collect();
        assert_eq!(noted, expected);
        email
    }

    #[test]
    fn one_certain_refusal_pauses() {
        let email = check(&[(Sign::Refused, 0)], &[Noted::Paused(PauseCause::Dead)]);
        assert!(email.paused);
        assert_eq!(email.evidence.unwrap().reason, "said");
    }

    #[test]
    fn two_reports_a_day_apart_pause_and_deliveries_between_say_nothing() {
        let paused = Noted::Paused(PauseCause::Dead);
        check(
            &[(Sign::Reported, 0), (Sign::Reported, 0), (Sign::Delivered, 1), (Sign::Reported, 1)],
            &[Noted::Changed, Noted::Nothing, Noted::Nothing, paused],
        );
        check(&[(Sign::Reported, 0), (Sign::Reported, 60)], &[Noted::Changed, Noted::Changed]);
    }

    #[test]
    fn eight_days_of_soft_failures_pause_unless_a_copy_arrives() {
        let paused = Noted::Paused(PauseCause::Soft);
        check(
            &[(Sign::Soft, 0), (Sign::Soft, 0), (Sign::Soft, 7), (Sign::Soft, 8)],
            &[Noted::Changed, Noted::Nothing, Noted::Changed, paused],
        );
        let email = check(
            &[(Sign::Soft, 0), (Sign::Delivered, 7), (Sign::Soft, 8)],
            &[Noted::Changed, Noted::Changed, Noted::Changed],
        );
        assert!(!email.paused);
        check(&[(Sign::Soft, 0), (Sign::Soft, 15)], &[Noted::Changed, Noted::Changed]);
    }

    #[test]
    fn a_complaint_pauses_for_good_whatever_came_before() {
        let complained = Noted::Paused(PauseCause::Complaint);
        let mut email = check(
            &[(Sign::Refused, 0), (Sign::Complaint, 1), (Sign::Complaint, 2), (Sign::Delivered, 3)],
            &[Noted::Paused(PauseCause::Dead), complained, Noted::Nothing, Noted::Nothing],
        );
        assert_eq!(email.climb(at(30)), None);
        assert!(email.paused);
    }

    #[test]
    fn an_address_that_somebody_paused_is_left_alone() {
        let mut email = Email { paused: true, ..email() };
        for sign in [Sign::Refused, Sign::Reported, Sign::Soft, Sign::Delivered, Sign::Relayed] {
            assert_eq!(email.note(sign, "said", at(0)), Noted::Nothing);
        }
        assert_eq!(email.evidence, None);
    }

    #[test]
    fn four_probes_go_out_three_days_apart_and_then_it_is_given_up() {
        let mut email = check(&[(Sign::Refused, 0)], &[Noted::Paused(PauseCause::Dead)]);
        for day in [3, 6, 9, 12] {
            assert_eq!(email.climb(at(day) + DAY / 2), Some(Rung::Probe));
            assert_eq!(email.climb(at(day) + DAY), None);
            email.note(Sign::Relayed, "", at(day));
            email.note(Sign::Reported, "said", at(day));
        }
        assert_eq!(email.climb(at(16)), Some(Rung::GivenUp));
        assert_eq!(email.climb(at(100)), None);
        assert!(email.paused);
    }

    #[test]
    fn a_probe_that_does_not_come_back_restores() {
        let mut email = check(&[(Sign::Refused, 0)], &[Noted::Paused(PauseCause::Dead)]);
        assert_eq!(email.climb(at(3)), Some(Rung::Probe));
        assert_eq!(email.note(Sign::Relayed, "", at(3)), Noted::Changed);
        assert_eq!(email.climb(at(6)), Some(Rung::Restored));
        assert_eq!((email.paused, email.evidence), (false, None));
    }

    #[test]
    fn a_probe_that_the_own_server_takes_restores_at_once() {
        let noted = [Noted::Paused(PauseCause::Dead), Noted::Restored];
        let email = check(&[(Sign::Refused, 0), (Sign::Delivered, 3)], &noted);
        assert!(!email.paused);
    }

    #[test]
    fn a_status_has_a_class_and_two_numbers() {
        assert_eq!(Status::parse("5.1.10"), Some(Status::new(5, 1, 10)));
        for text in ["", "5", "5.1", "5.1.", "5.1.1.1", "3.1.1", "5.1.1000", "5.+1.1", "5.1.1 ", "55.1.1"] {
            assert_eq!(Status::parse(text), None, "{text}");
        }
    }

    #[test]
    fn four_codes_are_certain_where_nothing_speaks_against_them() {
        let diagnosis = |kind, code| Diagnosis { kind, status: Status::parse(code) };
        for code in ["5.1.1", "5.1.2", "5.1.10", "5.2.1"] {
            assert!(diagnosis(FailureKind::Dead, code).is_certain(), "{code}");
            assert!(!diagnosis(FailureKind::Policy, code).is_certain(), "{code}");
        }
        for code in ["4.1.1", "5.1.6", ""] {
            assert!(!diagnosis(FailureKind::Dead, code).is_certain(), "{code}");
        }
    }
}
