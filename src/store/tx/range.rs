//! Describes ranges of an index: which rows, from where, and in which direction.
//!
//! Callers of [`Read`](super::Read) build an [`IndexRange`]; it becomes the range of stored keys here. Nothing here
//! reads a row.

use std::ops::Bound;

use crate::store::Key;

/// The rows of an index that begin with a prefix, in either direction, optionally from a given position.
///
/// A page resumes by seeking to the row after the last one seen, never by counting rows.
#[derive(Debug, Clone)]
pub struct IndexRange {
    prefix: Key,
    start: Start,
    backward: bool,
}

#[derive(Debug, Clone)]
enum Start {
    Edge,
    From(Key),
    After(Key),
}

impl IndexRange {
    /// Every row that begins with `prefix`, in ascending order.
    #[must_use]
    pub fn prefix(prefix: Key) -> IndexRange {
        IndexRange { prefix, start: Start::Edge, backward: false }
    }

    /// The same rows in descending order.
    #[must_use]
    pub fn backward(mut self) -> IndexRange {
        self.backward = true;
        self
    }

    /// Starts with the rows that begin with `key`, or at the position where they would be. The key is a whole one: it
    /// begins with the prefix.
    #[must_use]
    pub fn from(mut self, key: Key) -> IndexRange {
        self.start = Start::From(key);
        self
    }

    /// Starts beyond every row that begins with `key`, in the direction of the range: beyond one row if `key` is that
    /// row's, or beyond all rows of a value.
    #[must_use]
    pub fn after(mut self, key: Key) -> IndexRange {
        self.start = Start::After(key);
        self
    }

    /// Starts beyond the row of the record `id`. The prefix must be a whole key of an index in which records share
    /// keys.
    #[must_use]
    pub fn after_id(self, id: u64) -> IndexRange {
        let row = self.prefix.clone().u64(id);
        self.after(row)
    }

    pub(super) fn rows(&self) -> RowRange {
        let first = Bound::Included(self.prefix.as_bytes().to_vec());
        let end = self.prefix.prefix_end();
        let (from, to) = match (&self.start, self.backward) {
            (Start::Edge, _) => (first, end),
            (Start::From(key), false) => (Bound::Included(key.as_bytes().to_vec()), end),
            (Start::From(key), true) => (first, key.prefix_end()),
            (Start::After(key), false) => match key.prefix_end() {
                Bound::Excluded(beyond) => (Bound::Included(beyond), end),
                // Nothing is beyond the last possible key.
                Bound::Included(_) | Bound::Unbounded => return RowRange::none(),
            },
            (Start::After(key), true) => (first, Bound::Excluded(key.as_bytes().to_vec())),
        };
        RowRange { from, to, backward: self.backward }.within(&self.prefix)
    }
}

impl From<Key> for IndexRange {
    fn from(prefix: Key) -> IndexRange {
        IndexRange::prefix(prefix)
    }
}

/// A range of stored keys.
pub struct RowRange {
    from: Bound<Vec<u8>>,
    to: Bound<Vec<u8>>,
    backward: bool,
}

impl RowRange {
    /// Every row of a table.
    pub(in crate::store) fn all() -> RowRange {
        RowRange { from: Bound::Unbounded, to: Bound::Unbounded, backward: false }
    }

    /// The rows with a key that begins with `prefix`, which is not empty and ends below 255.
    pub(super) fn beginning_with(prefix: &[u8]) -> RowRange {
        let mut end = prefix.to_vec();
        if let Some(last) = end.last_mut() {
            *last += 1;
        }
        RowRange { from: Bound::Included(prefix.to_vec()), to: Bound::Excluded(end), backward: false }
    }

    /// The rows with a key greater than `key`.
    pub(in crate::store) fn after(key: &[u8]) -> RowRange {
        RowRange { from: Bound::Excluded(key.to_vec()), to: Bound::Unbounded, backward: false }
    }

    /// The rows with a key up to `key`, the last first.
    pub(super) fn up_to(key: &[u8]) -> RowRange {
        RowRange { from: Bound::Unbounded, to: Bound::Included(key.to_vec()), backward: true }
    }

    /// The rows from one key to another, both included.
    pub(super) fn between(first: &[u8], last: &[u8]) -> RowRange {
        let (from, to) = (Bound::Included(first.to_vec()), Bound::Included(last.to_vec()));
        RowRange { from, to, backward: false }
    }

    fn none() -> RowRange {
        RowRange { from: Bound::Included(vec![0]), to: Bound::Excluded(vec![0]), backward: false }
    }

    pub(super) fn bounds(&self) -> (Bound<&[u8]>, Bound<&[u8]>) {
        (self.from.as_ref().map(Vec::as_slice), self.to.as_ref().map(Vec::as_slice))
    }

    pub(super) fn is_backward(&self) -> bool {
        self.backward
    }

    /// Whether no key can lie between the bounds; such a range is not looked up in the tree.
    pub(super) fn is_empty(&self) -> bool {
        match self.bounds() {
            (Bound::Included(from), Bound::Included(to)) => to < from,
            (Bound::Included(from) | Bound::Excluded(from), Bound::Included(to) | Bound::Excluded(to)) => {
                to <= from
            }
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        }
    }

    /// Clips a start that lies outside of the prefix, so that the range never reaches rows of others.
    fn within(mut self, prefix: &Key) -> RowRange {
        if let Bound::Included(from) = &self.from
            && from.as_slice() < prefix.as_bytes()
        {
            self.from = Bound::Included(prefix.as_bytes().to_vec());
        }
        if let Bound::Excluded(end) = prefix.prefix_end() {
            let reaches_too_far = match &self.to {
                Bound::Included(to) | Bound::Excluded(to) => end < *to,
                Bound::Unbounded => true,
            };
            if reaches_too_far {
                self.to = Bound::Excluded(end);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_never_leaves_its_prefix() {
        let prefix = Key::new().u8(5);
        for start in [Key::new().u8(0), Key::new().u8(9)] {
            for range in [IndexRange::prefix(prefix.clone()), IndexRange::prefix(prefix.clone()).backward()] {
                for range in [range.clone().from(start.clone()), range.after(start.clone())] {
                    let rows = range.rows();
                    let inside = rows.bounds() == (Bound::Included(&[5u8][..]), Bound::Excluded(&[6u8][..]));
                    assert!(rows.is_empty() || inside, "{range:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_after_the_last_key() {
        assert!(IndexRange::prefix(Key::new()).after(Key::new().u64(u64::MAX)).rows().is_empty());
    }
}
