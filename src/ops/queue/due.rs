//! Finds due batches, destination by destination, and claims them. The scheduler calls it; nothing here sends.
//!
//! Destinations take turns: a search begins after the one at which the last search ended, takes as many batches of each
//! as the scheduler has [`Room`] for, and skips a paused destination in one step, however many batches wait for it.
//! Searching costs no commit. [`claim`] does, and moves a batch's next attempt into the future *before* anything is
//! sent.

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::config::{RETRY_DELAY_MAX, retry_delay};
use crate::model::{Answer, Batch, Destination, RecipientState};
use crate::schema::{BATCH_BY_DESTINATION, BATCH_BY_DUE, BATCH_UNREACHED};
use crate::store::{IndexRange, Key, KeyReader, Read, ReadTx, StoreError, WriteTx};

/// Destinations that one search visits.
const VISITS_MAX: usize = 512;

/// The batches that the scheduler has room for.
pub trait Room {
    /// Whether no more batches of any destination may be claimed.
    fn is_full(&self) -> bool;

    /// The number of a destination's batches that may be claimed now. Called for destinations with a due batch.
    fn places(&mut self, destination: &Destination) -> usize;

    /// Notes that this many batches of a destination will be claimed.
    fn take(&mut self, destination: &Destination, batches: usize);
}

/// A round over all destinations, in as many searches as it takes.
#[derive(Debug, Default)]
pub struct Round {
    /// The destination that was visited last; `None` before the first.
    at: Option<Key>,
    /// The destination after which the round began.
    began: Option<Key>,
    /// Whether the round has continued at the first destination.
    has_wrapped: bool,
}

impl Round {
    /// Begins another round, after the destination that was visited last.
    pub fn begin(&mut self) {
        self.began.clone_from(&self.at);
        self.has_wrapped = false;
    }

    /// The next destination and the time at which its first batch is due; `None` at the end of the round.
    fn next(&mut self, tx: &impl Read) -> Result<Option<(Destination, Timestamp)>, StoreError> {
        loop {
            let all = IndexRange::prefix(Key::new());
            let range = self.at.clone().map_or(all.clone(), |at| all.after(at));
            match tx.first_row(&BATCH_BY_DESTINATION, &range)? {
                Some(row) => {
                    let (destination, due) = destination_and_due(row.key.as_bytes())?;
                    let key = Key::new().text(destination.key());
                    let is_behind = self.began.as_ref().is_some_and(|began| began < &key);
                    if self.has_wrapped && is_behind {
                        return Ok(None);
                    }
                    self.at = Some(key);
                    return Ok(Some((destination, due)));
                }
                // A round that began at the first destination ends at the last one.
                None if self.has_wrapped || self.began.is_none() => {
                    self.at = None;
                    return Ok(None);
                }
                None => {
                    self.at = None;
                    self.has_wrapped = true;
                }
            }
        }
    }
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Found {
    /// Batches to claim, by destination, the earliest due first within each.
    pub batches: Vec<u64>,
    /// Whether there was room for more, and the round is not over.
    pub is_more: bool,
}

/// Searches for due batches, as many as there is room for.
pub fn find(
    tx: &impl Read,
    round: &mut Round,
    room: &mut impl Room,
    now: Timestamp,
) -> Result<Found, StoreError> {
    let mut found = Found { batches: Vec::new(), is_more: true };
    for _ in 0..VISITS_MAX {
        if room.is_full() {
            found.is_more = false;
            break;
        }
        let Some((destination, due)) = round.next(tx)? else {
            found.is_more = false;
            break;
        };
        let places = if due <= now { room.places(&destination) } else { 0 };
        if 0 < places {
            let ids = due_at(tx, &destination, places, now)?;
            room.take(&destination, ids.len());
            found.batches.extend(ids);
        }
    }
    Ok(found)
}

/// The first `limit` batches of a destination that are due at `until` or before.
fn due_at(
    tx: &impl Read,
    destination: &Destination,
    limit: usize,
    until: Timestamp,
) -> Result<Vec<u64>, StoreError> {
    let mut ids = Vec::new();
    let range = IndexRange::prefix(Key::new().text(destination.key()));
    let failed = tx.scan(&BATCH_BY_DESTINATION, &range, |row, id| match destination_and_due(row) {
        Ok((_, due)) if ids.len() < limit && due <= until => {
            ids.push(id);
            ControlFlow::Continue(())
        }
        Ok(_) => ControlFlow::Break(None),
        Err(error) => ControlFlow::Break(Some(error)),
    })?;
    failed.flatten().map_or(Ok(ids), Err)
}

/// Reads a row of [`BATCH_BY_DESTINATION`].
fn destination_and_due(row: &[u8]) -> Result<(Destination, Timestamp), StoreError> {
    let mut reader = KeyReader::new(row);
    let (name, due) = (reader.text(), reader.u64());
    match (name, due.and_then(|ms| i64::try_from(ms).ok())) {
        (Some(name), Some(due_ms)) => Ok((Destination::from_key(name), Timestamp::from_ms(due_ms))),
        _ => Err(StoreError::corrupt(BATCH_BY_DESTINATION.name(), format_args!("a row that cannot be read"))),
    }
}

/// Records attempts before they are made: after a crash, a batch that caused it waits its retry time instead of
/// crashing the server at every start. Batches that are not due any more are skipped.
pub fn claim(tx: &mut WriteTx, found: &[u64], now: Timestamp) -> Result<Vec<Batch>, StoreError> {
    let mut claimed = Vec::with_capacity(found.len());
    for id in found {
        let Some(mut batch) = tx.get::<Batch>(*id)? else { continue };
        if batch.claimed || batch.order.is_some() || batch.due.is_none_or(|due| now < due) {
            continue;
        }
        batch.attempts += 1;
        batch.claimed = true;
        batch.unreached = false;
        batch.due = Some(now + retry_delay(batch.attempts));
        tx.put(&batch)?;
        claimed.push(batch);
    }
    Ok(claimed)
}

/// The time at which the earliest batch is due.
pub fn next_due(tx: &impl Read) -> Result<Option<Timestamp>, StoreError> {
    first_due(tx, &IndexRange::prefix(Key::new()))
}

/// The time at which the earliest batch becomes due that is not due yet.
pub fn next_due_after(tx: &impl Read, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    first_due(tx, &IndexRange::prefix(Key::new()).after(Key::new().u64(now.key())))
}

fn first_due(tx: &impl Read, range: &IndexRange) -> Result<Option<Timestamp>, StoreError> {
    let Some(row) = tx.first_row(&BATCH_BY_DUE, range)? else { return Ok(None) };
    let due_ms = KeyReader::new(row.key.as_bytes()).u64().and_then(|ms| i64::try_from(ms).ok());
    Ok(due_ms.map(Timestamp::from_ms))
}

/// Whether batches wait for their retry because no server of their destination could be reached.
pub fn is_any_unreached(tx: &impl Read, destination: &Destination) -> Result<bool, StoreError> {
    Ok(tx.first_row(&BATCH_UNREACHED, &unreached_at(destination))?.is_some())
}

/// Makes batches due at once that wait because their destination could not be reached. Called when the destination
/// takes mail again. Changes at most `limit` batches in one call; returns whether more may be left.
pub fn requeue(
    tx: &mut WriteTx,
    destination: &Destination,
    now: Timestamp,
    limit: usize,
) -> Result<bool, StoreError> {
    let ids = tx.ids(&BATCH_UNREACHED, &unreached_at(destination), limit)?;
    for id in &ids {
        let Some(mut batch) = tx.get::<Batch>(*id)? else { continue };
        batch.unreached = false;
        batch.due = batch.due.map(|due| due.min(now));
        tx.put(&batch)?;
    }
    Ok(ids.len() == limit)
}

fn unreached_at(destination: &Destination) -> IndexRange {
    IndexRange::prefix(Key::new().text(destination.key()))
}

/// Gives up mail that has waited since `overdue` or before for a destination that nobody can reach: batches that
/// reached no server, and those that were never attempted because others did not reach it either. Changes at most
/// `limit` batches in one call; returns their number.
pub fn give_up_overdue(
    tx: &mut WriteTx,
    destination: &Destination,
    overdue: Timestamp,
    reason: &str,
    now: Timestamp,
    limit: usize,
) -> Result<usize, StoreError> {
    let mut ids = due_at(tx, destination, limit, overdue)?;
    let unreached = tx.ids(&BATCH_UNREACHED, &unreached_at(destination), limit)?;
    ids.extend(unreached.into_iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
    let mut given_up = 0;
    for id in ids.into_iter().take(limit) {
        let Some(mut batch) = tx.get::<Batch>(id)?.filter(|batch| batch.accepted <= overdue) else {
            continue;
        };
        given_up += 1;
        let answer = Answer { state: RecipientState::Failed, remote: None, reply: Some(reason) };
        for place in 0..batch.recipients.len() {
            if batch.recipients[place].state.is_waiting() {
                batch.amend(place, answer, now);
            }
        }
        batch.due = None;
        tx.put(&batch)?;
    }
    Ok(given_up)
}

/// Whether a batch is due later than any retry allows, which happens only after a clock was set back.
pub(in crate::ops) fn is_any_too_late(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.first_row(&BATCH_BY_DUE, &too_late(now))?.is_some())
}

/// Reschedules batches that are due too late, counting their wait from now.
pub(in crate::ops) fn clamp_due(tx: &mut WriteTx, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in tx.ids(&BATCH_BY_DUE, &too_late(now), limit)? {
        let Some(mut batch) = tx.get::<Batch>(id)? else { continue };
        batch.due = Some(now + retry_delay(batch.attempts));
        tx.put(&batch)?;
    }
    Ok(())
}

fn too_late(now: Timestamp) -> IndexRange {
    IndexRange::prefix(Key::new()).after(Key::new().u64((now + RETRY_DELAY_MAX).key()))
}
