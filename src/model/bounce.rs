//! Classifies delivery failures, and decides when an address is paused, probed, restored or given up.
//!
//! Only signals about the address itself count against it (`spec/mail.md` 9). The steps are plain functions of
//! [`Email`]: the caller [notes](Email::note) a signal and carries out the returned effect. Nothing here sends or
//! stores anything.

use std::time::Duration;

use super::Email;
pub use super::bounce_state::{
    BounceState, Diagnosis, FailureKind, Pause, PauseCause, SoftSpan, Status, Weight,
};
use crate::clock::Timestamp;

/// How far apart two reports of a dead address must be to count as two.
const REPORTS_APART: Duration = Duration::from_hours(24);
/// How long a first report waits for a second: longer than the interval of a monthly list.
const REPORT_COUNTS_FOR: Duration = Duration::from_hours(60 * 24);
/// How long temporary failures go on before the address is paused.
const SOFT_FOR: Duration = Duration::from_hours(8 * 24);
/// How long after one temporary failure the next still belongs to the same series: longer than the interval of a weekly
/// list. With relays, which take every copy, no delivery in between can end the series.
const SOFT_GAP_MAX: Duration = Duration::from_hours(14 * 24);
/// How exactly the time of the last temporary failure is stored; it spares a write for each retry.
const SOFT_NOTED_EVERY: Duration = Duration::from_hours(12);
/// How often a paused address is probed.
pub const PROBE_EVERY: Duration = Duration::from_hours(3 * 24);
/// How long an address that its server's taking a probe restored may still be paused again by a report on it.
const TRIAL: Duration = Duration::from_hours(24);
/// Probes after which the address is given up.
const PROBES_MAX: u8 = 4;

/// A piece of evidence about an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BounceSignal {
    /// A server refused one of this server's copies with a [certain](Weight::Certain) code.
    Refused,
    /// A report or another indirect source said that the address does not exist.
    Reported,
    /// A server put one of this server's copies off.
    Soft,
    /// A report said that a copy failed for a temporary reason.
    Returned,
    /// The reader reported a message as unwanted.
    Complaint,
    /// The address's own server took a copy.
    Delivered,
    /// A relay took a copy, which proves nothing: it may still come back.
    Relayed,
}

/// The effect of a signal, for the caller to carry out.
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

/// The result of a step of a paused address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeStep {
    /// A probe is to be sent.
    Probe,
    /// The last probe did not come back: the address takes mail again.
    Restored,
    /// No probe arrived: the address stays paused until a person restores it.
    GivenUp,
}

impl Email {
    /// Takes in one more signal; `reason` is the other server's text. An address that a person paused is left alone,
    /// unless its reader complains.
    pub fn note(&mut self, signal: BounceSignal, reason: &str, now: Timestamp) -> BounceEffect {
        let is_paused_by_server = self.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some());
        match signal {
            BounceSignal::Complaint => self.note_complaint(reason, now),
            _ if is_paused_by_server && self.paused => self.note_on_probe(signal, now),
            _ if is_paused_by_server => self.note_on_trial(signal, now),
            _ if self.paused => BounceEffect::Nothing,
            BounceSignal::Refused => self.pause(PauseCause::Dead, reason, now),
            BounceSignal::Reported => self.note_report(reason, now),
            BounceSignal::Soft | BounceSignal::Returned => self.note_soft(reason, now),
            BounceSignal::Delivered => self.note_delivery(),
            BounceSignal::Relayed => BounceEffect::Nothing,
        }
    }

    /// Lets the address take mail again, and deletes the evidence against it.
    pub fn restore(&mut self) {
        self.paused = false;
        self.evidence = None;
    }

    /// Pauses the address because a person wants that. A pause of this server's that a probe has just ended does not come
    /// back beside it.
    pub fn pause_by_hand(&mut self) {
        if !self.paused && self.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some()) {
            self.evidence = None;
        }
        self.paused = true;
    }

    /// Deletes the evidence against the address, since it is another address now. A complaint is a person's, so the
    /// pause after one stays under any address.
    pub fn forget_bounces(&mut self) {
        let pause = self.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
        match pause.map(|pause| pause.cause) {
            Some(PauseCause::Complaint) => {}
            Some(PauseCause::Dead | PauseCause::Soft) => self.restore(),
            None => self.evidence = None,
        }
    }

    /// Takes the step that is due: counts the probe to be sent, restores the address, or gives it up.
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

    /// Takes in a signal for an address that is already paused: only whether mail gets through still matters.
    fn note_on_probe(&mut self, signal: BounceSignal, now: Timestamp) -> BounceEffect {
        let Some(pause) = self.evidence.as_mut().and_then(|evidence| evidence.pause.as_mut()) else {
            return BounceEffect::Nothing;
        };
        let is_out = match signal {
            _ if pause.cause == PauseCause::Complaint => return BounceEffect::Nothing,
            BounceSignal::Delivered => {
                pause.is_probe_out = true;
                pause.next_probe = Some(now + TRIAL);
                self.paused = false;
                return BounceEffect::Restored;
            }
            BounceSignal::Relayed => true,
            BounceSignal::Refused
            | BounceSignal::Reported
            | BounceSignal::Soft
            | BounceSignal::Returned
            | BounceSignal::Complaint => false,
        };
        if std::mem::replace(&mut pause.is_probe_out, is_out) == is_out {
            BounceEffect::Nothing
        } else {
            BounceEffect::Changed
        }
    }

    /// Takes in a signal for an address that takes mail again since its server took a probe, less than a day ago: what
    /// comes back now takes that back, and the next probe follows.
    fn note_on_trial(&mut self, signal: BounceSignal, now: Timestamp) -> BounceEffect {
        let Some(pause) = self.evidence.as_mut().and_then(|evidence| evidence.pause.as_mut()) else {
            return BounceEffect::Nothing;
        };
        match signal {
            BounceSignal::Refused | BounceSignal::Reported | BounceSignal::Returned => {
                pause.is_probe_out = false;
                pause.next_probe = Some(now + PROBE_EVERY);
                self.paused = true;
                BounceEffect::Changed
            }
            BounceSignal::Soft
            | BounceSignal::Delivered
            | BounceSignal::Relayed
            | BounceSignal::Complaint => BounceEffect::Nothing,
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

    /// Notes a delivery. It ends a series of temporary failures, and says nothing about reports, which come after a
    /// delivery.
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

    /// Notes signals on the given days, and checks the effect of each.
    #[track_caller]
    fn check(signals: &[(BounceSignal, u32)], expected: &[BounceEffect]) -> Email {
        let mut email = email();
        let noted: Vec<BounceEffect> =
            signals.iter().map(|(signal, day)| email.note(*signal, "said", at(*day))).collect();
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
        for signal in [
            BounceSignal::Refused,
            BounceSignal::Reported,
            BounceSignal::Soft,
            BounceSignal::Delivered,
            BounceSignal::Relayed,
        ] {
            assert_eq!(email.note(signal, "said", at(0)), BounceEffect::Nothing);
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
}
