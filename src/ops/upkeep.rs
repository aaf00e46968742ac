//! What time alone brings about, in bounded steps.

use super::letters::Office;
use super::{letters, moderation, pending, replays, summaries, welcome};
use crate::clock::Timestamp;
use crate::store::{ReadTx, StoreError, WriteTx};

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
    summaries::write_due(tx, office, now, SUMMARIES_PER_STEP)?;
    welcome::write_due(tx, office, now, ROWS_PER_STEP)
}
