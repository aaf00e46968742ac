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
pub enum BounceSignal {
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
pub struct BounceState {
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
pub enum BounceEffect {
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
pub enum ProbeStep {
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
    pub fn note(&mut self, sign: BounceSignal, reason: &str, now: Timestamp) -> BounceEffect {
        let is_paused_by_server = self.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some());
        match sign {
            BounceSignal::Complaint => self.note_complaint(reason, now),
            _ if is_paused_by_server => self.note_on_probe(sign),
            _ if self.paused => BounceEffect::Nothing,
            BounceSignal::Refused => self.pause(PauseCause::Dead, reason, now),
            BounceSignal::Reported => self.note_report(reason, now),
            BounceSignal::Soft => self.note_soft(reason, now),
            BounceSignal::Delivered => self.note_delivery(),
            BounceSignal::Relayed => BounceEffect::Nothing,
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
    pub fn advance(&mut self, now: Timestamp) -> Option<ProbeStep> {
        let pause = self.evidence.as_mut()?.pause.as_mut()?;
        if pause.next_probe.is_none_or(|due| now < due) {
            return None;
        }
        if pause.is_probe_out {
            self.restore();
            return Some(ProbeStep::Restored);
        }
        if PROBES_MAX <= pause.probes {
            pause.next_probe = None;
            return Some(ProbeStep::GivenUp);
        }
        pause.probes += 1;
        pause.next_probe = Some(now + PROBE_EVERY);
        Some(ProbeStep::Probe)
    }

    fn pause(&mut self, cause: PauseCause, reason: &str, now: Timestamp) -> BounceEffect {
        let next_probe = match cause {
            PauseCause::Dead | PauseCause::Soft => Some(now + PROBE_EVERY),
            PauseCause::Complaint => None,
        };
        self.paused = true;
        let evidence = self.evidence_mut(reason);
        evidence.pause = Some(Pause { since: now, cause, probes: 0, is_probe_out: false, next_probe });
        BounceEffect::Paused(cause)
    }

    fn evidence_mut(&mut self, reason: &str) -> &mut BounceState {
        let evidence = self.evidence.get_or_insert_default();
        reason.clone_into(&mut evidence.reason);
        evidence
    }

    fn note_complaint(&mut self, reason: &str, now: Timestamp) -> BounceEffect {
        let pause = self.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
        if pause.is_some_and(|pause| pause.cause == PauseCause::Complaint) {
            return BounceEffect::Nothing;
        }
        self.pause(PauseCause::Complaint, reason, now)
    }

    /// A sign of an address that is paused already: all that is still asked is whether mail gets through.
    fn note_on_probe(&mut self, sign: BounceSignal) -> BounceEffect {
        let Some(pause) = self.evidence.as_mut().and_then(|evidence| evidence.pause.as_mut()) else {
            return BounceEffect::Nothing;
        };
        let is_out = match sign {
            _ if pause.cause == PauseCause::Complaint => return BounceEffect::Nothing,
            BounceSignal::Delivered => {
                self.restore();
                return BounceEffect::Restored;
            }
            BounceSignal::Relayed => true,
            BounceSignal::Refused | BounceSignal::Reported | BounceSignal::Soft | BounceSignal::Complaint => {
                false
            }
        };
        if std::mem::replace(&mut pause.is_probe_out, is_out) == is_out {
            BounceEffect::Nothing
        } else {
            BounceEffect::Changed
        }
    }

    fn note_report(&mut self, reason: &str, now: Timestamp) -> BounceEffect {
        let first = self.evidence.as_ref().and_then(|evidence| evidence.reported);
        match first.map(|first| now.since(first)) {
            Some(age) if age < REPORTS_APART => BounceEffect::Nothing,
            Some(age) if age < REPORT_COUNTS_FOR => self.pause(PauseCause::Dead, reason, now),
            Some(_) | None => {
                self.evidence_mut(reason).reported = Some(now);
                BounceEffect::Changed
            }
        }
    }

    fn note_soft(&mut self, reason: &str, now: Timestamp) -> BounceEffect {
        let span = self.evidence.as_ref().and_then(|evidence| evidence.soft);
        let since = match span {
            Some(span) if now.since(span.last) <= SOFT_GAP_MAX => span.since,
            Some(_) | None => now,
        };
        if SOFT_FOR <= now.since(since) {
            return self.pause(PauseCause::Soft, reason, now);
        }
        if span.is_some_and(|span| span.since == since && now.since(span.last) < SOFT_NOTED_EVERY) {
            return BounceEffect::Nothing;
        }
        self.evidence_mut(reason).soft = Some(SoftSpan { since, last: now });
        BounceEffect::Changed
    }

    /// A delivery ends failures that may pass. Of reports it says nothing: those come after it.
    fn note_delivery(&mut self) -> BounceEffect {
        let Some(evidence) = &mut self.evidence else { return BounceEffect::Nothing };
        if evidence.soft.take().is_none() {
            return BounceEffect::Nothing;
        }
        if evidence.reported.is_none() {
            self.evidence = None;
        }
        BounceEffect::Changed
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
    fn check(signs: &[(BounceSignal, u32)], expected: &[BounceEffect]) -> Email {
        let mut email = email();
        let noted: Vec<BounceEffect> =
            signs.iter().map(|(sign, day)| email.note(*sign, "said", at(*day))).collect();
        assert_eq!(noted, expected);
        email
    }

    #[test]
    fn one_certain_refusal_pauses() {
        let email = check(&[(BounceSignal::Refused, 0)], &[BounceEffect::Paused(PauseCause::Dead)]);
        assert!(email.paused);
        assert_eq!(email.evidence.unwrap().reason, "said");
    }

    #[test]
    fn two_reports_a_day_apart_pause_and_deliveries_between_say_nothing() {
        let paused = BounceEffect::Paused(PauseCause::Dead);
        check(
            &[
                (BounceSignal::Reported, 0),
                (BounceSignal::Reported, 0),
                (BounceSignal::Delivered, 1),
                (BounceSignal::Reported, 1),
            ],
            &[BounceEffect::Changed, BounceEffect::Nothing, BounceEffect::Nothing, paused],
        );
        check(
            &[(BounceSignal::Reported, 0), (BounceSignal::Reported, 60)],
            &[BounceEffect::Changed, BounceEffect::Changed],
        );
    }

    #[test]
    fn eight_days_of_soft_failures_pause_unless_a_copy_arrives() {
        let paused = BounceEffect::Paused(PauseCause::Soft);
        check(
            &[
                (BounceSignal::Soft, 0),
                (BounceSignal::Soft, 0),
                (BounceSignal::Soft, 7),
                (BounceSignal::Soft, 8),
            ],
            &[BounceEffect::Changed, BounceEffect::Nothing, BounceEffect::Changed, paused],
        );
        let email = check(
            &[(BounceSignal::Soft, 0), (BounceSignal::Delivered, 7), (BounceSignal::Soft, 8)],
            &[BounceEffect::Changed, BounceEffect::Changed, BounceEffect::Changed],
        );
        assert!(!email.paused);
        check(
            &[(BounceSignal::Soft, 0), (BounceSignal::Soft, 15)],
            &[BounceEffect::Changed, BounceEffect::Changed],
        );
    }

    #[test]
    fn a_complaint_pauses_for_good_whatever_came_before() {
        let complained = BounceEffect::Paused(PauseCause::Complaint);
        let mut email = check(
            &[
                (BounceSignal::Refused, 0),
                (BounceSignal::Complaint, 1),
                (BounceSignal::Complaint, 2),
                (BounceSignal::Delivered, 3),
            ],
            &[
                BounceEffect::Paused(PauseCause::Dead),
                complained,
                BounceEffect::Nothing,
                BounceEffect::Nothing,
            ],
        );
        assert_eq!(email.advance(at(30)), None);
        assert!(email.paused);
    }

    #[test]
    fn an_address_that_somebody_paused_is_left_alone() {
        let mut email = Email { paused: true, ..email() };
        for sign in [
            BounceSignal::Refused,
            BounceSignal::Reported,
            BounceSignal::Soft,
            BounceSignal::Delivered,
            BounceSignal::Relayed,
        ] {
            assert_eq!(email.note(sign, "said", at(0)), BounceEffect::Nothing);
        }
        assert_eq!(email.evidence, None);
    }

    #[test]
    fn four_probes_go_out_three_days_apart_and_then_it_is_given_up() {
        let mut email = check(&[(BounceSignal::Refused, 0)], &[BounceEffect::Paused(PauseCause::Dead)]);
        for day in [3, 6, 9, 12] {
            assert_eq!(email.advance(at(day) + DAY / 2), Some(ProbeStep::Probe));
            assert_eq!(email.advance(at(day) + DAY), None);
            email.note(BounceSignal::Relayed, "", at(day));
            email.note(BounceSignal::Reported, "said", at(day));
        }
        assert_eq!(email.advance(at(16)), Some(ProbeStep::GivenUp));
        assert_eq!(email.advance(at(100)), None);
        assert!(email.paused);
    }

    #[test]
    fn a_probe_that_does_not_come_back_restores() {
        let mut email = check(&[(BounceSignal::Refused, 0)], &[BounceEffect::Paused(PauseCause::Dead)]);
        assert_eq!(email.advance(at(3)), Some(ProbeStep::Probe));
        assert_eq!(email.note(BounceSignal::Relayed, "", at(3)), BounceEffect::Changed);
        assert_eq!(email.advance(at(6)), Some(ProbeStep::Restored));
        assert_eq!((email.paused, email.evidence), (false, None));
    }

    #[test]
    fn a_probe_that_the_own_server_takes_restores_at_once() {
        let noted = [BounceEffect::Paused(PauseCause::Dead), BounceEffect::Restored];
        let email = check(&[(BounceSignal::Refused, 0), (BounceSignal::Delivered, 3)], &noted);
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
