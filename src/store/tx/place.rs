//! Where rows are kept: nearly all of them in one table of the engine underneath.
//!
//! A commit writes every page on the way from the root of a table to a changed row, and the pages of the list of all
//! tables that name a changed root. A post changes rows of a dozen tables and indexes, so with a tree for each of them
//! most pages were inner ones. In one tree they share these. The rows of a table or an index lie side by side there:
//! each key stands behind a prefix that is made from the name. Raw messages and blocks have tables of their own: their
//! values are large. Files of schema 7 and before have a table for each name, until they are brought up to date.

use std::borrow::Cow;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};

use super::recent::KnownRecent;
use super::{Bounds, RowRange};
use crate::store::StoreError;

/// The table of the engine underneath that holds the rows of nearly all tables.
pub(in crate::store) const ROWS_TABLE: &str = "rows";

/// A file with one of these has a table for each name.
const SIGNS_OF_SEPARATE_TABLES: [&str; 2] = [super::NUMBER_TABLE, super::SEQUENCE];

/// How the rows of a file are laid out, as far as that is known.
#[derive(Debug, Default)]
pub(in crate::store) struct Layout {
    /// Whether all rows are known to be in the shared table, which never ends.
    is_shared: AtomicBool,
    /// The rows that are not in their places yet.
    pub(in crate::store) recent: KnownRecent,
    /// Changes of rows that the log holds at most.
    pub(super) log_changes: usize,
}

impl Layout {
    /// Of a file of which nothing is known, whose log holds so many changes.
    pub(in crate::store) fn new(log_changes: usize) -> Layout {
        Layout { log_changes, ..Layout::default() }
    }

    /// Whether the file has a table for each name. `has_table` looks one up, until the answer is no.
    pub(in crate::store) fn has_separate_tables(
        &self,
        has_table: impl Fn(&'static str) -> Result<bool, StoreError>,
    ) -> Result<bool, StoreError> {
        if self.is_shared.load(Ordering::Relaxed) {
            return Ok(false);
        }
        for sign in SIGNS_OF_SEPARATE_TABLES {
            if has_table(sign)? {
                return Ok(true);
            }
        }
        self.is_shared.store(true, Ordering::Relaxed);
        Ok(false)
    }
}

/// Octets in front of each key in the shared table.
const PREFIX_BYTES: usize = 4;

/// The beginning of a table's keys in the shared table: the hash FNV-1a of the name. A test makes sure that no two
/// names have the same.
#[must_use]
pub fn row_prefix(name: &str) -> [u8; PREFIX_BYTES] {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.to_be_bytes()
}

/// A table by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    name: &'static str,
    is_apart: bool,
}

impl Table {
    /// A table whose rows are in the shared one.
    pub(in crate::store) const fn shared(name: &'static str) -> Table {
        Table { name, is_apart: false }
    }

    /// A table that the engine underneath keeps apart.
    pub(in crate::store) const fn apart(name: &'static str) -> Table {
        Table { name, is_apart: true }
    }

    /// Whether its place depends on the file.
    pub(super) fn is_apart(self) -> bool {
        self.is_apart
    }

    /// The place of its rows, in a file that has a table for each name or not.
    pub(super) fn place(self, has_separate_tables: bool) -> Place {
        if self.is_apart || has_separate_tables {
            return Place { table: self.name, prefix: None };
        }
        Place { table: ROWS_TABLE, prefix: Some(row_prefix(self.name)) }
    }
}

/// The place of rows in the engine underneath.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The table.
    pub(super) table: &'static str,
    /// The beginning of their keys.
    prefix: Option<[u8; PREFIX_BYTES]>,
}

impl Place {
    /// The stored form of a key.
    pub(super) fn key<'key>(&self, key: &'key [u8]) -> Cow<'key, [u8]> {
        self.prefix.map_or(Cow::Borrowed(key), |prefix| Cow::Owned([prefix.as_slice(), key].concat()))
    }

    /// The key of which this is the stored form.
    pub(super) fn name_of<'key>(&self, stored: &'key [u8]) -> &'key [u8] {
        &stored[self.prefix.map_or(0, |_| PREFIX_BYTES)..]
    }

    /// Whether its rows share a table with those of others, and their changes are merged into it later.
    pub(super) fn is_shared(&self) -> bool {
        self.table == ROWS_TABLE
    }

    /// The bounds of a range as stored keys.
    pub(super) fn bounds(&self, range: &RowRange) -> Bounds {
        let (from, to) = range.bounds();
        let stored = |bound: Bound<&[u8]>| bound.map(|key| self.key(key).into_owned());
        let Some(prefix) = self.prefix else { return (stored(from), stored(to)) };
        let from = match from {
            Bound::Unbounded => Bound::Included(prefix.to_vec()),
            from => stored(from),
        };
        let to = match (to, u32::from_be_bytes(prefix).checked_add(1)) {
            (Bound::Unbounded, Some(next)) => Bound::Excluded(next.to_be_bytes().to_vec()),
            (to, _) => stored(to),
        };
        (from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(prefix: u32) -> Place {
        Place { table: ROWS_TABLE, prefix: Some(prefix.to_be_bytes()) }
    }

    #[test]
    fn a_range_of_a_table_never_reaches_the_rows_of_another() {
        let whole = |prefix| place(prefix).bounds(&RowRange::all());
        let (first, second) = (vec![0, 0, 0, 7], vec![0, 0, 0, 8]);
        assert_eq!(whole(7), (Bound::Included(first), Bound::Excluded(second)));
        assert_eq!(
            whole(u32::MAX),
            (Bound::Included(vec![255; 4]), Bound::Unbounded),
            "nothing is behind it"
        );
        let part = place(7).bounds(&RowRange::after(b"a"));
        assert_eq!(part, (Bound::Excluded(vec![0, 0, 0, 7, b'a']), Bound::Excluded(vec![0, 0, 0, 8])));
    }

    #[test]
    fn a_key_is_stored_behind_the_prefix_of_its_table() {
        let shared = Table::shared("list").place(false);
        let stored = shared.key(b"k");
        assert_eq!((shared.table, &stored[..4]), (ROWS_TABLE, row_prefix("list").as_slice()));
        assert_eq!(shared.name_of(&stored), b"k");
        for own in [Table::shared("list").place(true), Table::apart("list").place(false)] {
            assert_eq!((own.table, &*own.key(b"k"), own.name_of(b"k")), ("list", &b"k"[..], &b"k"[..]));
        }
    }
}
