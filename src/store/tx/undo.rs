//! Records the changes of a job, so that it alone can be undone.
//!
//! Jobs share one transaction and the engine has no savepoints inside one, so each change is noted together with the
//! value it replaced. The transaction of the writer calls it; it never touches the file.

use std::collections::HashMap;
use std::ops::Range;

use crate::store::blob;

/// Changes of the current job, in order.
#[derive(Default)]
pub(super) struct UndoLog {
    changes: Vec<Change>,
    /// Keys and old values, one after another: a job makes hundreds of changes and no allocation for each.
    bytes: Vec<u8>,
}

/// One change.
pub(super) enum Change {
    /// A row, with its key and the value that was under it.
    Row { table: &'static str, key: Range<usize>, old: Option<Range<usize>> },
    /// A number kept in memory.
    Number { slot: usize, old: u64 },
    /// A change that cannot be undone alone: the whole transaction is given up with it.
    Final,
}

impl UndoLog {
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Notes a change of a row and returns the position of the old value.
    pub(super) fn note_row(
        &mut self,
        table: &'static str,
        key: &[u8],
        old: Option<&[u8]>,
    ) -> Option<Range<usize>> {
        let key = self.append(key);
        let old = old.map(|old| self.append(old));
        self.changes.push(Change::Row { table, key, old: old.clone() });
        old
    }

    pub(super) fn note_final(&mut self) {
        self.changes.push(Change::Final);
    }

    pub(super) fn note_number(&mut self, slot: usize, old: u64) {
        self.changes.push(Change::Number { slot, old });
    }

    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Removes and returns the last change, unless only `keep` are left. Its bytes stay readable until more is noted.
    pub(super) fn pop_above(&mut self, keep: usize) -> Option<Change> {
        if self.changes.len() <= keep {
            return None;
        }
        self.changes.pop()
    }

    pub(super) fn clear(&mut self) {
        self.changes.clear();
        self.bytes.clear();
    }

    fn append(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}

/// Counts and sequences that the jobs of one commit change: read once, written once, just before the commit.
#[derive(Default)]
pub(super) struct Numbers {
    slots: Vec<Number>,
    by_key: HashMap<&'static str, HashMap<Vec<u8>, usize>>,
}

/// One number, as it was before the commit and as it is now.
pub(super) struct Number {
    pub(super) name: &'static str,
    pub(super) key: Vec<u8>,
    stored: u64,
    pub(super) now: u64,
}

impl Number {
    /// The value stored in its row if it is `number`; `None` if it then needs no row.
    pub(super) fn row(&self, number: u64) -> Option<u64> {
        let without_row = if self.name == blob::REFERENCES { blob::REFERENCES_WITHOUT_ROW } else { 0 };
        (without_row < number).then_some(number)
    }
}

impl Numbers {
    pub(super) fn slot(&self, name: &'static str, key: &[u8]) -> Option<usize> {
        self.by_key.get(name)?.get(key).copied()
    }

    pub(super) fn insert(&mut self, name: &'static str, key: &[u8], stored: u64) -> usize {
        let slot = self.slots.len();
        self.slots.push(Number { name, key: key.to_vec(), stored, now: stored });
        self.by_key.entry(name).or_default().insert(key.to_vec(), slot);
        slot
    }

    pub(super) fn now(&self, slot: usize) -> u64 {
        self.slots[slot].now
    }

    pub(super) fn set(&mut self, slot: usize, now: u64) {
        self.slots[slot].now = now;
    }

    /// The numbers whose row differs from what is stored.
    pub(super) fn moved(&self) -> impl Iterator<Item = &Number> {
        self.slots.iter().filter(|number| number.row(number.now) != number.row(number.stored))
    }
}
