//! Settles the attempts for batches: writes the outcome of every copy and when the rest is due again.
//!
//! A post is one [`FanOut`](crate::model::FanOut) row. [`expand`](crate::ops::queue::fan_out::expand) reads a page of
//! members from a snapshot, outside of the writer; [`put_batches`](crate::ops::queue::fan_out::put_batches) turns it
//! into [`Batch`] rows and moves the row's cursor in one job, so that a crash repeats or skips nobody.
//! [`due`](crate::ops::queue::due) claims batches, and [`settle`] writes the answers.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::config::{Routing, retries_ended};
use crate::model::{Answer, Batch, BatchId, Destination, Diagnosis, Order, RecipientState};
use crate::ops::context::MailContext;
use crate::ops::delivery::bounces;
use crate::ops::moderation::quarantine;
use crate::ops::queue::enqueue::{BatchOrigin, by_destination, destination, put_batch};
use crate::ops::{metric_labels, queue};
use crate::schema::{BATCH_CLAIMED, BATCH_WAITING};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Crashes after which a batch that was in flight waits its retry time (`spec/mail.md` 11).
const CRASHES_MAX: u8 = 3;

/// The outcome of an attempt for one copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The recipient's place in its batch.
    pub place: usize,
    /// The new state of the copy.
    pub state: RecipientState,
    /// The server that answered; `None` if no server was reached.
    pub remote: Option<Arc<str>>,
    /// The remote server's answer, or this server's own words if none was reached.
    pub reply: Option<String>,
    /// The evidence about the address that a failed copy gives; `None` if it gives none.
    pub diagnosis: Option<Diagnosis>,
    /// Whether there was evidence against the address when the copy was made, so that a success is evidence too.
    pub is_suspect: bool,
}

impl Outcome {
    /// An outcome that is no evidence about the address.
    #[must_use]
    pub fn of_ours(place: usize, state: RecipientState, reply: Option<String>) -> Outcome {
        Outcome { place, state, remote: None, reply, diagnosis: None, is_suspect: false }
    }
}

/// The results of an attempt, or of a part of it, for one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The batch.
    pub batch: BatchId,
    /// The outcomes of some of its copies.
    pub outcomes: Vec<Outcome>,
    /// The end of the attempt, if it has ended.
    pub end: Option<AttemptEnd>,
}

/// The way in which an attempt at a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    /// Every copy was tried: those that still wait do so until the next attempt.
    Done,
    /// No server took mail: the copies wait for the next attempt, or until a server is reached.
    Unreached,
    /// Some copies were not begun, because the server stops or the destination gets no more for now. The attempt
    /// continues with them as soon as possible.
    Interrupted,
    /// The server itself failed to make or send a copy.
    Broken,
}

impl AttemptEnd {
    /// Its metric label.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            AttemptEnd::Done => "done",
            AttemptEnd::Unreached => "unreached",
            AttemptEnd::Interrupted => "interrupted",
            AttemptEnd::Broken => "broken",
        }
    }
}

/// The time by which the clock was set forward while the server ran. It does not make mail older: no copy is given up
/// because of a clock alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockJump {
    /// The sum of all jumps.
    pub by: Duration,
    /// The time of day after the last jump.
    pub until: Timestamp,
}

impl ClockJump {
    /// The time at which something was accepted, on the clock as it is now.
    #[must_use]
    pub fn shift(self, accepted: Timestamp) -> Timestamp {
        if accepted < self.until { accepted + self.by } else { accepted }
    }
}

/// Writes the results of an attempt. A batch whose attempt is over stays due if a copy still waits, unless its time is
/// up. Otherwise it leaves the queue and only its record remains.
pub fn settle(
    tx: &mut WriteTx,
    settlements: &[Settlement],
    mail_context: &MailContext,
    jump: ClockJump,
    now: Timestamp,
) -> Result<(), StoreError> {
    for Settlement { batch, outcomes, end } in settlements {
        let Some(mut batch) = tx.get::<Batch>(batch.0)? else { continue };
        for outcome in outcomes {
            let Outcome { place, state, remote, reply, .. } = outcome;
            let answer = Answer { state: *state, remote: remote.as_deref(), reply: reply.as_deref() };
            batch.record(*place, answer, now);
            bounces::take_outcome(tx, mail_context, &batch, outcome, now)?;
        }
        if let Some(end) = end {
            batch.claimed = false;
            batch.crashes = 0;
            match end {
                _ if batch.order == Some(Order::Drop) => queue::drop_copies(&mut batch, now),
                AttemptEnd::Interrupted => {
                    batch.due = Some(now);
                    batch.attempts = batch.attempts.saturating_sub(1);
                }
                AttemptEnd::Done | AttemptEnd::Unreached | AttemptEnd::Broken
                    if batch.order.is_none() && retries_ended(jump.shift(batch.accepted), now) =>
                {
                    let copies = batch.count_waiting();
                    queue::give_up(&mut batch, now);
                    let destination = metric_labels::destination(&batch.destination);
                    mail_context.metrics.sending.copies.add([destination, "expired"], copies);
                }
                AttemptEnd::Done => batch.failures = 0,
                AttemptEnd::Unreached => (batch.failures, batch.unreached) = (0, true),
                AttemptEnd::Broken => quarantine::count_failure(tx, &mut batch, mail_context, now)?,
            }
            if !batch.is_waiting() {
                (batch.due, batch.order) = (None, None);
            }
        }
        tx.put(&batch)?;
    }
    Ok(())
}

/// Makes batches that were in flight when the server last stopped due at once, at most `limit` in one call; returns
/// whether more may be left. Settled copies stay settled: only those in flight are sent again.
pub fn recover(tx: &mut WriteTx, now: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let ids = tx.ids(&BATCH_CLAIMED, &IndexRange::prefix(Key::new()), limit)?;
    for id in &ids {
        let Some(mut batch) = tx.get::<Batch>(*id)? else { continue };
        batch.claimed = false;
        batch.crashes = batch.crashes.saturating_add(1);
        if batch.order == Some(Order::Drop) {
            queue::drop_copies(&mut batch, now);
        } else if batch.crashes < CRASHES_MAX {
            batch.due = Some(now);
        } else {
            tracing::warn!(
                batch.id = batch.id.0,
                batch.payload = %batch.payload,
                "Delivery {} was in flight in {} crashes and waits its retry time",
                batch.id,
                batch.crashes
            );
        }
        tx.put(&batch)?;
    }
    Ok(ids.len() == limit)
}

/// Moves batches that were queued for the other route to the one that the server uses now: from relays to the
/// recipients' domains, or back. Moves at most `limit` batches in one call; returns whether more may be left.
pub fn reroute(tx: &mut WriteTx, routing: Routing, now: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let relay = Key::new().text(Destination::Relay.key());
    let other = match routing {
        Routing::Mx => IndexRange::prefix(relay),
        // A relay's key sorts before those of all domains.
        Routing::Relay => IndexRange::prefix(Key::new()).after(relay),
    };
    // Held and quarantined batches move too, and stay in their state.
    let ids = tx.ids(&BATCH_WAITING, &other, limit)?;
    for id in &ids {
        let Some(batch) = tx.get::<Batch>(*id)? else { continue };
        regroup(tx, batch, routing, now)?;
    }
    Ok(ids.len() == limit)
}

/// Moves the waiting copies of a batch to batches for their new destinations. The settled places stay, since a report
/// may come to any envelope sender that was used.
fn regroup(tx: &mut WriteTx, mut batch: Batch, routing: Routing, now: Timestamp) -> Result<(), StoreError> {
    let is_waiting = |place: &usize| batch.recipients[*place].state.is_waiting();
    let waiting: Vec<usize> = (0..batch.recipients.len()).filter(is_waiting).collect();
    let origin = BatchOrigin::of(&batch);
    let new_of = |place: &usize| destination(&batch.recipients[*place].address, routing);
    let mut moves = Vec::with_capacity(waiting.len());
    for (destination, places) in by_destination(waiting.iter().map(|place| (new_of(place), *place))) {
        let recipients = places.iter().map(|place| batch.recipients[*place].clone()).collect();
        let batch = put_batch(tx, &origin, destination, recipients, now)?;
        moves.extend(places.into_iter().zip((0..).map(move |place| RecipientState::Moved { batch, place })));
    }
    for (place, state) in moves {
        let recipient = &mut batch.recipients[place];
        // The answers so far move with it.
        (recipient.state, recipient.time) = (state, now);
        (recipient.remote, recipient.reply, recipient.earlier) = (None, None, Vec::new());
    }
    (batch.due, batch.order) = (None, None);
    tx.put(&batch)
}
