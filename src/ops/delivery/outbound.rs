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
use crate::ops::delivery::bounces;
use crate::ops::moderation::quarantine;
use crate::ops::notices::system_mails::MailContext;
use crate::ops::queue::enqueue::{BatchOrigin, by_destination, destination, put_batch};
use crate::ops::{metric_labels, queue};
use crate::schema::{BATCH_CLAIMED, BATCH_WAITING};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Crashes after which a batch that was in flight waits its retry time (`spec/mail.md` 11).
const CRASHES_MAX: u8 = 3;

/// What became of one copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The recipient's place in its batch.
    pub place: usize,
    /// What became of its copy.
    pub state: RecipientState,
    /// The server that was asked; none where none was reached.
    pub remote: Option<Arc<str>>,
    /// The remote server's words, or ours where none was reached.
    pub reply: Option<String>,
    /// What a copy that was not taken says of the address; none where it is no news of that.
    pub diagnosis: Option<Diagnosis>,
    /// Whether something spoke against the address when the copy was made: its delivery is news then.
    pub is_suspect: bool,
}

impl Outcome {
    /// An outcome that says nothing of the address.
    #[must_use]
    pub fn of_ours(place: usize, state: RecipientState, reply: Option<String>) -> Outcome {
        Outcome { place, state, remote: None, reply, diagnosis: None, is_suspect: false }
    }
}

/// News of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// Which.
    pub batch: BatchId,
    /// What became of some of its copies.
    pub outcomes: Vec<Outcome>,
    /// How the attempt ended, once it has.
    pub end: Option<AttemptEnd>,
}

/// How an attempt at a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    /// Every copy had its try: who still waits, waits for the next attempt.
    Done,
    /// No server took mail: who still waits, waits for the next attempt, or until one is reached.
    Unreached,
    /// Copies were not begun, because the server stops or the destination gets no more for now: the attempt goes on
    /// with them as soon as it may.
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

/// How far the clock was set forward while the server ran. Nothing that was accepted before is older for it: by the
/// word of a clock alone, no copy is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockJump {
    /// In all.
    pub by: Duration,
    /// The time of day after the last time.
    pub until: Timestamp,
}

impl ClockJump {
    /// When something was accepted, as the clock is now.
    #[must_use]
    pub fn shift(self, accepted: Timestamp) -> Timestamp {
        if accepted < self.until { accepted + self.by } else { accepted }
    }
}

/// Writes what was answered. A batch whose attempt is over stays due if a copy still waits, unless its time
/// is up; otherwise it leaves the queue and only its record remains.
pub fn settle(
    tx: &mut WriteTx,
    settlements: &[Settlement],
    mail_context: &MailContext,
    leap: ClockJump,
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
                    if batch.order.is_none() && retries_ended(leap.shift(batch.accepted), now) =>
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

/// Makes what was in flight when the server last ended due at once, at most `limit` batches a call; says
/// whether more may be left. Their settled copies stay settled: only what was in flight is sent again.
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

/// Moves what was queued for the other way out to the one that the server takes now: from relays to the domains of the
/// recipients, or back; at most `limit` batches a call, and says whether more may be left.
pub fn reroute(tx: &mut WriteTx, routing: Routing, now: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let relay = Key::new().text(Destination::Relay.key());
    let other = match routing {
        Routing::Mx => IndexRange::prefix(relay),
        // The form of the relay comes before those of all domains.
        Routing::Relay => IndexRange::prefix(Key::new()).after(relay),
    };
    // What is held or put aside moves too, and stays what it is.
    let ids = tx.ids(&BATCH_WAITING, &other, limit)?;
    for id in &ids {
        let Some(batch) = tx.get::<Batch>(*id)? else { continue };
        regroup(tx, batch, routing, now)?;
    }
    Ok(ids.len() == limit)
}

/// Moves what waits in a batch to batches of its new destinations. The places stay: a report may come to any envelope sender
/// that has left.
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
        // What was answered goes along.
        (recipient.state, recipient.time) = (state, now);
        (recipient.remote, recipient.reply, recipient.earlier) = (None, None, Vec::new());
    }
    (batch.due, batch.order) = (None, None);
    tx.put(&batch)
}
