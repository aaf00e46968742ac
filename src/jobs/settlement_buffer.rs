//! Gathers outcomes until they are worth a commit.
//!
//! A commit costs much the same for one outcome and for a hundred, and outcomes come one by one: written as they come,
//! they would take a good part of a processor from the copies behind them. So up to [`ANSWERS_ENOUGH`] of them gather,
//! never for longer than [`WAIT_MAX`]. A copy whose outcome is not written yet is still in flight: after a crash it is
//! sent again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use crate::model::BatchId;
use crate::model::message::BATCH_RECIPIENTS_MAX;
use crate::ops::delivery::outbound::{AttemptEnd, Outcome, Settlement};

/// Ended attempts that are worth a commit: due batches wait for their places.
const ENDS_ENOUGH: usize = 8;
/// Outcomes that are worth a commit: as many as those attempts bring. With fewer, a batch under way would be written
/// again and again.
const ANSWERS_ENOUGH: usize = ENDS_ENOUGH * BATCH_RECIPIENTS_MAX;
/// Longest time that an outcome waits for others.
const WAIT_MAX: Duration = Duration::from_millis(10);

/// Outcomes that deliveries have reported and the scheduler has not written yet.
#[derive(Debug, Default)]
pub(super) struct SettlementBuffer {
    gathered: Mutex<Gathered>,
    /// Notified by the first outcome, and by the one that completes a commit's worth.
    bell: Notify,
}

#[derive(Debug, Default)]
struct Gathered {
    settlements: Vec<Settlement>,
    answers: usize,
    ends: usize,
    /// When the first of the gathered outcomes came.
    since: Option<Instant>,
}

impl Gathered {
    fn of(&mut self, batch: BatchId) -> &mut Settlement {
        // Connections are a handful, so a list suffices.
        let place = self.settlements.iter().position(|settlement| settlement.batch == batch);
        let place = place.unwrap_or_else(|| {
            self.settlements.push(Settlement { batch, outcomes: Vec::new(), end: None });
            self.settlements.len() - 1
        });
        self.since.get_or_insert_with(Instant::now);
        &mut self.settlements[place]
    }
}

impl SettlementBuffer {
    /// Adds the outcome of a copy.
    pub(super) fn note(&self, batch: BatchId, outcome: Outcome) {
        let mut gathered = self.lock();
        gathered.of(batch).outcomes.push(outcome);
        gathered.answers += 1;
        if gathered.answers == 1 || gathered.answers == ANSWERS_ENOUGH {
            self.bell.notify_one();
        }
    }

    /// Adds the end of an attempt at a batch.
    pub(super) fn note_end(&self, batch: BatchId, end: AttemptEnd) {
        let mut gathered = self.lock();
        gathered.of(batch).end = Some(end);
        gathered.ends += 1;
    }

    /// Resolves when the gathered outcomes should be written, and when the first one begins to wait.
    pub(super) async fn ripen(&self) {
        let bell = self.bell.notified();
        match self.time_left() {
            // The time is over, or enough has come meanwhile.
            Some(left) => drop(timeout(left, bell).await),
            None => bell.await,
        }
    }

    /// How long the gathered outcomes wait for more; `None` if there are none.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let gathered = self.lock();
        let waited = gathered.since?.elapsed();
        let is_enough = ANSWERS_ENOUGH <= gathered.answers || ENDS_ENOUGH <= gathered.ends;
        Some(if is_enough { Duration::ZERO } else { WAIT_MAX.saturating_sub(waited) })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().settlements.is_empty()
    }

    /// Takes all of them out.
    pub(super) fn take(&self) -> Vec<Settlement> {
        std::mem::take(&mut *self.lock()).settlements
    }

    /// Takes back outcomes that could not be written, in front of those that have come since.
    pub(super) fn give_back(&self, settlements: &[Settlement]) {
        let mut gathered = self.lock();
        let newer = std::mem::take(&mut *gathered);
        for Settlement { batch, outcomes, end } in settlements.iter().chain(&newer.settlements) {
            let settlement = gathered.of(*batch);
            settlement.outcomes.extend_from_slice(outcomes);
            settlement.end = end.or(settlement.end);
            gathered.answers += outcomes.len();
            gathered.ends += usize::from(end.is_some());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RecipientState;

    fn answer(place: usize) -> Outcome {
        Outcome::of_ours(place, RecipientState::Delivered, None)
    }

    #[test]
    fn answers_gather_until_they_are_worth_a_commit() {
        let unsettled = SettlementBuffer::default();
        assert_eq!(unsettled.time_left(), None);
        for place in 1..ANSWERS_ENOUGH {
            unsettled.note(BatchId(place as u64 % 3), answer(place));
        }
        assert!(unsettled.time_left().is_some_and(|left| left <= WAIT_MAX));
        unsettled.note(BatchId(0), answer(0));
        assert_eq!(unsettled.time_left(), Some(Duration::ZERO));
        let taken = unsettled.take();
        assert_eq!(taken.iter().map(|settlement| settlement.outcomes.len()).sum::<usize>(), ANSWERS_ENOUGH);
        assert_eq!(taken.len(), 3);
        assert!(unsettled.is_empty());
        assert_eq!(unsettled.time_left(), None);
    }

    #[test]
    fn what_could_not_be_written_goes_before_what_has_come_since() {
        let unsettled = SettlementBuffer::default();
        unsettled.note(BatchId(1), answer(0));
        unsettled.note_end(BatchId(2), AttemptEnd::Done);
        let unwritten = unsettled.take();
        unsettled.note(BatchId(1), answer(1));
        unsettled.note_end(BatchId(1), AttemptEnd::Broken);
        unsettled.give_back(&unwritten);
        let of = |batch, outcomes: &[usize], end| {
            let outcomes = outcomes.iter().map(|place| answer(*place)).collect();
            Settlement { batch: BatchId(batch), outcomes, end: Some(end) }
        };
        assert_eq!(unsettled.take(), [of(1, &[0, 1], AttemptEnd::Broken), of(2, &[], AttemptEnd::Done)]);
    }

    #[test]
    fn ends_are_worth_a_commit_earlier_than_answers() {
        let unsettled = SettlementBuffer::default();
        for batch in 0..ENDS_ENOUGH as u64 {
            unsettled.note_end(BatchId(batch), AttemptEnd::Done);
        }
        assert_eq!(unsettled.time_left(), Some(Duration::ZERO));
    }
}
