//! What time alone brings about, in bounded steps.

use std::ops::ControlFlow;

use super::letters::Office;
use super::{
    alerts, bounces, deliveries, holdbacks, letters, moderation, pending, replays, summaries, welcome,
};
use crate::clock::Timestamp;
use crate::store::{Entity, Index, IndexRange, Key, KeyReader, Read, ReadTx, StoreError, WriteTx};

/// Rows of each kind that one step changes.
const ROWS_PER_STEP: usize = 256;
/// Alerts that one step writes; each is a mail to every administrator of an account.
const ALERTS_PER_STEP: usize = 16;
/// Summaries that one step writes: each may look through thousands of messages.
const SUMMARIES_PER_STEP: usize = 8;

/// One kind of work. Each is a job of its own: what fails in one holds up no other.
pub struct Kind {
    /// What it is, for the log.
    pub name: &'static str,
    /// Whether anything of it is due.
    pub is_due: fn(&ReadTx, Timestamp) -> Result<bool, StoreError>,
    /// Does a bounded part of what is due.
    pub step: fn(&mut WriteTx<'_>, &Office, Timestamp) -> Result<(), StoreError>,
}

/// Everything that time brings about.
pub const KINDS: [Kind; 10] = [
    Kind {
        name: "held messages",
        is_due: |tx, now| any(&moderation::overdue(tx, now, 1)?),
        step: |tx, office, now| moderation::expire(tx, office, now, ROWS_PER_STEP),
    },
    Kind {
        name: "pending requests",
        is_due: |tx, now| any(&pending::overdue(tx, now, 1)?),
        step: |tx, _, now| pending::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "repeated calls",
        is_due: |tx, now| any(&replays::overdue(tx, now, 1)?),
        step: |tx, _, now| replays::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "letters",
        is_due: |tx, now| any(&letters::overdue(tx, now, 1)?),
        step: |tx, _, now| letters::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "deliveries",
        is_due: |tx, now| any(&deliveries::overdue(tx, now, 1)?),
        step: |tx, _, now| deliveries::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "probes of paused addresses",
        is_due: |tx, now| any(&bounces::due(tx, now, 1)?),
        step: |tx, office, now| bounces::climb(tx, office, now, ROWS_PER_STEP),
    },
    Kind {
        name: "alerts",
        is_due: |tx, now| any(&alerts::due(tx, now, 1)?),
        step: |tx, office, now| alerts::tell_due(tx, office, now, ALERTS_PER_STEP),
    },
    Kind {
        name: "mail held back from providers",
        is_due: |tx, now| any(&holdbacks::overdue(tx, now, 1)?),
        step: |tx, _, now| holdbacks::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "daily summaries",
        is_due: |tx, now| any(&summaries::overdue(tx, now, 1)?),
        step: |tx, office, now| summaries::write_due(tx, office, now, SUMMARIES_PER_STEP),
    },
    Kind {
        name: "welcome messages",
        is_due: |tx, _| welcome::is_due(tx),
        step: |tx, office, now| welcome::write_due(tx, office, now, ROWS_PER_STEP),
    },
];

#[expect(clippy::unnecessary_wraps, reason = "it ends the closures above, which may fail before it")]
fn any(rows: &[u64]) -> Result<bool, StoreError> {
    Ok(!rows.is_empty())
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
