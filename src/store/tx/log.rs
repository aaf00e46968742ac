//! The log of small commits in the data file: a row for each, with all rows that it changed ([`recent`](super::recent)).
//!
//! The log is read when the file is opened after a crash, and by who looks at a snapshot that is no longer known. A file
//! that was closed has an empty one, unless the disk failed.

use std::sync::Arc;

use redb::{ReadableTable, Table};

use super::recent::{KnownRecent, Layer, Recent};
use super::{Bytes, parse_number};
use crate::store::StoreError;

/// The table of the engine underneath that holds the log, by a number that grows.
pub(in crate::store) const LOG_TABLE: &str = "log";

/// The changes that the log of a transaction holds.
pub(in crate::store) fn recent_of_log(
    log: &impl ReadableTable<Bytes, Bytes>,
    known: &KnownRecent,
) -> Result<Arc<Recent>, StoreError> {
    let Some(last) = last(log)? else { return Ok(Arc::default()) };
    if let Some(recent) = known.at(last) {
        return Ok(recent);
    }
    let _turn = known.turn();
    if let Some(recent) = known.at(last) {
        return Ok(recent);
    }
    let mut recent = Recent::default();
    for row in log.range::<&[u8]>(..)? {
        let layer = Layer::decode(row?.1.value());
        let layer = layer.ok_or_else(|| StoreError::corrupt(LOG_TABLE, "changes cannot be read"))?;
        recent = recent.with(layer);
    }
    let recent = Arc::new(recent);
    known.note(last, &recent);
    Ok(recent)
}

/// Appends the changes of a commit to those that the log holds.
pub(super) fn append(
    log: &mut Table<'_, Bytes, Bytes>,
    known: &KnownRecent,
    recent: &Recent,
    changes: Layer,
) -> Result<(), StoreError> {
    let number = known.draw(last(log)?.unwrap_or(0));
    log.insert(number.to_be_bytes().as_slice(), changes.encode().as_slice())?;
    // Before the commit: whoever sees the row in the log looks here for what it holds.
    known.note(number, &Arc::new(recent.with(changes)));
    Ok(())
}

fn last(log: &impl ReadableTable<Bytes, Bytes>) -> Result<Option<u64>, StoreError> {
    log.last()?.map(|(last, _)| parse_number(LOG_TABLE, last.value())).transpose()
}
