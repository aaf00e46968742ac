//! What time alone brings about, in bounded steps.

use super::{letters, moderation, pending, replays};
use crate::clock::Timestamp;
use crate::store::{ReadTx, StoreError, WriteTx};

/// Rows of each kind that one step changes.
const ROWS_PER_STEP: usize = 256;

/// Whether anything is due.
pub fn is_due(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    let rows = [
        moderation::overdue(tx, now, 1)?,
        pending::overdue(tx, now, 1)?,
        replays::overdue(tx, now, 1)?,
        letters::overdue(tx, now, 1)?,
    ];
    Ok(rows.iter().any(|rows| !rows.is_empty()))
}

/// Does a bounded part of what is due.
pub fn step(tx: &mut WriteTx<'_>, now: Timestamp) -> Result<(), StoreError> {
    moderation::expire(tx, now, ROWS_PER_STEP)?;
    pending::expire(tx, now, ROWS_PER_STEP)?;
    replays::expire(tx, now, ROWS_PER_STEP)?;
    letters::expire(tx, now, ROWS_PER_STEP)
}
