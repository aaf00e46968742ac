//! Logs deliveries for the operator: each outage of a destination once, with its end, and each batch of which a server
//! refused or deferred something.
//!
//! The delivery worker calls it for every attempt; it also counts the outcomes for the metrics.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::metrics::Sending;
use crate::model::{Batch, Destination, FailureKind, RecipientState};
use crate::ops::delivery::outbound::{AttemptEnd, Outcome};
use crate::ops::metric_labels;

/// The destinations that could not be reached when they were last tried.
#[derive(Debug, Default)]
pub(super) struct Outages(Mutex<HashSet<Destination>>);

impl Outages {
    /// Logs that a batch found no server that accepts mail; once until [`end`](Outages::end).
    pub(super) fn begin(&self, destination: &Destination, reason: &str) {
        let mut outages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if outages.insert(destination.clone()) {
            tracing::warn!(
                delivery.destination = %destination,
                "No mail can be sent to {destination}: {reason}; it is tried again on schedule"
            );
        }
    }

    /// Notes that a batch was accepted, and logs the end of an outage.
    pub(super) fn end(&self, destination: &Destination) {
        let mut outages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if outages.remove(destination) {
            tracing::info!(delivery.destination = %destination, "Mail to {destination} flows again");
        }
    }
}

/// Counts of the outcomes of one attempt.
#[derive(Debug, Default)]
pub(super) struct AttemptStats {
    delivered: usize,
    deferred: usize,
    failed: usize,
    skipped: usize,
    /// Kinds of the failures.
    failures: Vec<FailureKind>,
    /// Replies of servers, and how many of those did not defer a copy.
    answered: usize,
    decided: usize,
    /// The last reply of a server that did not accept a copy.
    words: Option<String>,
}

impl AttemptStats {
    pub(super) fn count(&mut self, outcome: &Outcome) {
        if outcome.remote.is_some() {
            self.answered += 1;
            self.decided += usize::from(!outcome.state.is_waiting());
        }
        match outcome.state {
            RecipientState::Delivered => self.delivered += 1,
            RecipientState::Deferred => self.deferred += 1,
            RecipientState::Failed => {
                self.failed += 1;
                self.failures.extend(outcome.diagnosis.map(|diagnosis| diagnosis.kind));
            }
            RecipientState::Skipped => {
                self.skipped += 1;
                return;
            }
            RecipientState::Queued | RecipientState::Moved { .. } => return,
        }
        if outcome.state != RecipientState::Delivered {
            self.words.clone_from(&outcome.reply);
        }
    }

    /// Whether any copy was accepted.
    pub(super) fn has_delivered(&self) -> bool {
        0 < self.delivered
    }

    /// Counts an ended attempt in the metrics; `hour` is the present one, counted from 1970.
    pub(super) fn measure(
        &self,
        sending: &Sending,
        destination: &Destination,
        end: AttemptEnd,
        took: Duration,
        hour: u64,
    ) {
        let AttemptStats { delivered, deferred, failed, skipped, failures, .. } = self;
        let to = metric_labels::destination(destination);
        for (outcome, copies) in
            [("delivered", delivered), ("deferred", deferred), ("failed", failed), ("skipped", skipped)]
        {
            sending.copies.add([to, outcome], *copies as u64);
        }
        sending.delivered_lately.add(hour, *delivered as u64);
        for kind in failures {
            sending.bounces.count(["delivery", metric_labels::failure(*kind)]);
        }
        sending.attempts.count([to, end.word()]);
        sending.attempt_seconds.observe([to], took.as_secs_f64());
    }

    /// Whether any server replied about a copy.
    pub(super) fn has_answers(&self) -> bool {
        0 < self.answered
    }

    /// Whether the servers deferred more than they decided.
    pub(super) fn is_put_off(&self) -> bool {
        self.decided * 2 < self.answered
    }

    /// Logs the batch, at a lower level if every copy was accepted.
    pub(super) fn tell(&self, batch: &Batch) {
        let AttemptStats { delivered, deferred, failed, words, .. } = self;
        if 0 < deferred + failed {
            tracing::info!(
                batch.id = batch.id.0,
                batch.payload = %batch.payload,
                "{} to {}: {delivered} copies delivered, {deferred} deferred, {failed} failed; last: {}",
                batch.payload,
                batch.destination,
                words.as_deref().unwrap_or("no answer")
            );
        } else {
            tracing::debug!(
                batch.id = batch.id.0,
                batch.payload = %batch.payload,
                "{} to {}: {delivered} copies delivered",
                batch.payload,
                batch.destination
            );
        }
    }
}
