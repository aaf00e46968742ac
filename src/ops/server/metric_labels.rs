//! What operations count, in the words of [`metrics`](crate::metrics).

use crate::config::Routing;
use crate::mail::bounce::{Fate, Report};
use crate::metrics::{KINDS, Metrics, Words};
use crate::model::{AlertKind, Destination, FailureKind, QueueState, SystemMailKind};
use crate::ops::delivery::outbound::AttemptEnd;
use crate::ops::posting::inbound::Refusal;
use crate::ops::queue::due;
use crate::ops::{Core, queue};
use crate::schema::FAN_OUT_COUNT;
use crate::store::{Key, Read as _, StoreError};

/// Nothing counted yet, of anything that can happen.
#[must_use]
pub fn metrics() -> Metrics {
    Metrics::new(Words {
        queue_states: QueueState::ALL.iter().map(|state| state.word()).collect(),
        failures: FailureKind::ALL.iter().copied().map(failure).collect(),
        system_mails: SystemMailKind::ALL.iter().map(|kind| kind.word()).collect(),
        alerts: [AlertKind::Bounce, AlertKind::Complaint, AlertKind::DeliveryProblem].map(alert).to_vec(),
    })
}

/// Where mail goes, without the domain.
#[must_use]
pub fn destination(destination: &Destination) -> &'static str {
    match destination {
        Destination::Relay => "relay",
        Destination::Domain(_) => "mx",
    }
}

/// The same of all mail that goes out.
#[must_use]
pub fn routing(routing: Routing) -> &'static str {
    match routing {
        Routing::Relay => "relay",
        Routing::Mx => "mx",
    }
}

/// How an attempt ended.
#[must_use]
pub fn end(end: AttemptEnd) -> &'static str {
    match end {
        AttemptEnd::Done => "done",
        AttemptEnd::Unreached => "unreached",
        AttemptEnd::Interrupted => "interrupted",
        AttemptEnd::Broken => "broken",
    }
}

/// A kind of failure.
#[must_use]
pub fn failure(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Dead => "dead",
        FailureKind::Temporary => "temporary",
        FailureKind::Policy => "policy",
    }
}

/// The matter of an alert.
#[must_use]
pub fn alert(kind: AlertKind) -> &'static str {
    kind.notification().word()
}

/// What became of a message that was received whole.
#[must_use]
pub fn arrival<T>(received: &Result<T, Refusal>) -> &'static str {
    match received {
        Ok(_) => "accepted",
        Err(Refusal::NoSuchRecipient) => "no_recipient",
        Err(Refusal::NotOurs) => "not_ours",
        Err(Refusal::NotYours) => "not_yours",
        Err(Refusal::AuthError) => "unproven",
        Err(Refusal::Exhausted { .. }) => "exhausted",
        Err(Refusal::TooLarge { .. }) => "too_large",
        Err(Refusal::TooManyHeld(_)) => "held_full",
        Err(Refusal::TooMuchRoleMail) => "too_many",
        Err(Refusal::AliasTooLarge(_)) => "alias_too_large",
        Err(Refusal::Malformed(_)) => "malformed",
        Err(Refusal::Rejected(_)) => "rejected",
        Err(Refusal::Forged) => "dmarc",
        Err(Refusal::Unverified) => "unverified",
        Err(Refusal::DiskFull) => "disk_full",
        Err(Refusal::DiskFails) => "disk_fails",
        Err(Refusal::NotSetUp | Refusal::TooEarly | Refusal::Internal | Refusal::Broken { .. }) => "internal",
    }
}

impl Core {
    /// Counts what lists decided, and what a message reports.
    pub(in crate::ops) fn count_kept(&self, verdicts: &[&'static str], report: &Report) {
        let metrics = &self.metrics;
        for verdict in verdicts {
            metrics.receiving.decisions.count([verdict]);
        }
        match report {
            Report::Deliveries(bounced) => {
                for bounced in bounced.iter().filter(|bounced| bounced.fate == Fate::Failed) {
                    let kind = failure(bounced.diagnosis.kind);
                    metrics.sending.bounces.count(["report", kind]);
                }
            }
            Report::Complaint(_) => metrics.sending.complaints.count([]),
            Report::Nothing => {}
        }
    }

    /// Says how the queue stands now: point reads and a step, however long it is.
    pub fn note_standing(&self) -> Result<(), StoreError> {
        let (tx, standing) = (self.store.read()?, &self.metrics.standing);
        for queue::Standing { is_post, state, batches, copies } in queue::standings(&tx)? {
            let labels = [KINDS[usize::from(!is_post)], state.word()];
            standing.batches.set(labels, batches);
            standing.copies.set(labels, copies);
        }
        let age = due::next_due(&tx)?.map(|due| self.now().since(due).as_secs());
        standing.oldest_due_seconds.set([], age.unwrap_or(0));
        standing.expansions.set([], tx.count(&FAN_OUT_COUNT, &Key::new())?);
        Ok(())
    }
}
