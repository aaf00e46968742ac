//! What time alone brings about, in bounded steps.

use std::ops::ControlFlow;

use super::letters::Office;
use super::{deliveries, letters, moderation, pending, replays, summaries, welcome};
use crate::clock::Timestamp;
use crate::store::{Entity, Index, IndexRange, Key, KeyReader, Read, ReadTx, StoreError, WriteTx};

/// Rows of each kind that one step changes.
const ROWS_PER_STEP: usize = 256;
/// Summaries that one step writes: each may look through thousands of messages.
const SUMMARIES_PER_STEP: usize = 8;

/// Whether anything is due.
pub fn is_due(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    let rows = [
        moderation::overdue(tx, now, 1)?,
        pending::overdue(tx, now, 1)?,
        replays::overdue(tx, now, 1)?,
        letters::overdue(tx, now, 1)?,
        deliveries::overdue(tx, now, 1)?,
        summaries::overdue(tx, now, 1)?,
    ];
    Ok(welcome::is_due(tx)? || rows.iter().any(|rows| !rows.is_empty()))
}

/// Does a bounded part of what is due.
pub fn step(tx: &mut WriteTx<'_>, office: &Office, now: Timestamp) -> Result<(), StoreError> {
    moderation::expire(tx, office, now, ROWS_PER_STEP)?;
    pending::expire(tx, now, ROWS_PER_STEP)?;
    replays::expire(tx, now, ROWS_PER_STEP)?;
    letters::expire(tx, now, ROWS_PER_STEP)?;
    deliveries::expire(tx, now, ROWS_PER_STEP)?;
    summaries::write_due(tx, office, now, SUMMARIES_PER_STEP)?;
    welcome::write_due(tx, office, now, ROWS_PER_STEP)
}

/// The first `limit` records of an index by time whose time has come.
pub(super) fn overdue_rows<E: Entity>(
    tx: &impl Read,
    by_time: &Index<E>,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<u64>, StoreError> {
    let mut ids = Vec::new();
    tx.scan(by_time, &IndexRange::prefix(Key::new()), |row, id| {
        let is_overdue = KeyReader::new(row).u64().is_some_and(|time| time <= now.key());
        if !is_overdue || ids.len() == limit {
            return ControlFlow::Break(());
        }
        ids.push(id);
        ControlFlow::Continue(())
    })?;
    Ok(ids)
}
