//! Transactions: reading from a snapshot, and writing inside a job.
//!
//! [`Read`] holds every way to find records, for both kinds of transaction. [`WriteTx`] is the only place that
//! writes rows, so an index can never disagree with the records it was made from.

mod log;
mod place;
mod range;
mod read;
mod recent;
mod undo;
mod write;

use std::cmp::Ordering;
use std::ops::{Bound, ControlFlow};

pub(super) use log::{LOG_TABLE, recent_of_log};
pub use place::row_prefix;
pub(super) use place::{Layout, ROWS_TABLE, Table};
pub use range::IndexRange;
pub(super) use range::RowRange;
pub(super) use read::row_id;
pub use read::{Read, ReadTx, Row, runs};
pub(super) use recent::Recent;
pub use write::{JobEnd, WriteTx};

use place::Place;
use recent::Changes;

use super::StoreError;

/// All tables map bytes to bytes: types live in [`Entity`](super::Entity), order in [`Key`](super::Key).
pub(super) type Bytes = &'static [u8];

/// Every number that is counted: the counts of entities, the references to blobs and the highest ids. They share one
/// table because a post changes several of them, which then lie on one page.
pub(super) const NUMBER_TABLE: &str = "number";

/// The name of the numbers that hold the highest id given out, per entity and for blobs.
pub(super) const SEQUENCE: &str = "sequence";

/// Facts about the file itself.
pub(super) const META_TABLE: &str = "meta";

const NUMBERS: Table = Table::shared(NUMBER_TABLE);
const META: Table = Table::apart(META_TABLE);

pub(super) fn definition(table: &str) -> redb::TableDefinition<'_, Bytes, Bytes> {
    redb::TableDefinition::new(table)
}

/// Access to raw rows, beneath the types: the part in which the two kinds of transaction differ.
pub trait Rows {
    /// Passes the value under `key` to a function, without copying it.
    fn view<T>(
        &self,
        table: Table,
        key: &[u8],
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError>;

    /// Passes the rows of a range to `each`, key and value, until it breaks off.
    fn visit<B>(
        &self,
        table: Table,
        range: &RowRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError>;

    /// The number of this name under `key`; 0 if there is no row.
    fn number(&self, name: &'static str, key: &[u8]) -> Result<u64, StoreError> {
        Ok(stored_number(self, name, key)?.unwrap_or(0))
    }

    /// Passes the numbers of this name to `each`, key and stored form, until it breaks off.
    fn visit_numbers<B>(
        &self,
        name: &'static str,
        mut each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        let prefix = number_key(name, &[]);
        self.visit(NUMBERS, &RowRange::beginning_with(&prefix), |key, value| {
            each(&key[prefix.len()..], value)
        })
    }
}

/// The number of this name under `key`, if it has a row.
pub(super) fn stored_number(
    tx: &(impl Rows + ?Sized),
    name: &'static str,
    key: &[u8],
) -> Result<Option<u64>, StoreError> {
    tx.view(NUMBERS, &number_key(name, key), |bytes| parse_number(name, bytes))?.transpose()
}

/// The key of a number. No name contains a zero byte.
fn number_key(name: &str, key: &[u8]) -> Vec<u8> {
    [name.as_bytes(), &[0], key].concat()
}

/// Reads the stored form of a number or an id.
pub(super) fn parse_number(table: &'static str, bytes: &[u8]) -> Result<u64, StoreError> {
    let number = bytes.try_into().map_err(|_| StoreError::corrupt(table, "a number is not 8 bytes long"))?;
    Ok(u64::from_be_bytes(number))
}

/// Bounds of a range as stored keys.
type Bounds = (Bound<Vec<u8>>, Bound<Vec<u8>>);

fn as_slices((from, to): &Bounds) -> (Bound<&[u8]>, Bound<&[u8]>) {
    (from.as_ref().map(Vec::as_slice), to.as_ref().map(Vec::as_slice))
}

/// Walks the rows of a place in a table of either kind of transaction, which may not exist yet, as changes make them that
/// are not in the table yet.
fn visit_table<B>(
    table: Option<&impl redb::ReadableTable<Bytes, Bytes>>,
    place: Place,
    bounds: &Bounds,
    changes: Changes<'_>,
    mut each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
) -> Result<Option<B>, StoreError> {
    let mut found = None;
    let mut each = |key: &[u8], value: &[u8]| match each(place.name_of(key), value) {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(value) => {
            found = Some(value);
            ControlFlow::Break(())
        }
    };
    walk(table, bounds, changes, &mut each)?;
    Ok(found)
}

/// What is done with each row, by its stored key and value.
type EachRow<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// Walks rows until there are no more or `each` breaks off. It is compiled once, and not once for each caller.
fn walk(
    table: Option<&impl redb::ReadableTable<Bytes, Bytes>>,
    bounds: &Bounds,
    changes: Changes<'_>,
    each: &mut EachRow<'_>,
) -> Result<(), StoreError> {
    let is_backward = changes.is_backward();
    let mut rows = table.map(|table| table.range::<&[u8]>(as_slices(bounds))).transpose()?;
    let mut next_row = || {
        let rows = rows.as_mut()?;
        if is_backward { rows.next_back() } else { rows.next() }
    };
    let (mut changes, mut row) = (changes.peekable(), next_row().transpose()?);
    loop {
        let order = match (&row, changes.peek()) {
            (Some((key, _)), Some((other, _))) if is_backward => other.cmp(&key.value()),
            (Some((key, _)), Some((other, _))) => key.value().cmp(other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return Ok(()),
        };
        let is_over = match (&row, order) {
            (Some((key, value)), Ordering::Less) => each(key.value(), value.value()).is_break(),
            _ => match changes.next() {
                Some((key, Some(value))) => each(key, value).is_break(),
                Some((_, None)) | None => false,
            },
        };
        if is_over {
            return Ok(());
        }
        if order != Ordering::Greater {
            row = next_row().transpose()?;
        }
    }
}
