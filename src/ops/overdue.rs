//! Finds rows of indexes by time: those that are due, and those too far in the future.

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::store::{Entity, Index, IndexRange, Key, KeyReader, Read, StoreError};

/// The rows of an index whose time is later than `time`. A clock that was set back can leave such rows far ahead.
pub(in crate::ops) fn rows_after(time: Timestamp) -> IndexRange {
    IndexRange::prefix(Key::new()).after(Key::new().u64(time.key()))
}

/// The first `limit` records of an index by time that are due.
pub(in crate::ops) fn overdue_rows<E: Entity>(
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
