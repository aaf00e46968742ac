//! The operations on rows that only migrations use. The file is a copy that nobody else uses, and derived rows are
//! rebuilt afterwards.

use std::ops::{Bound, ControlFlow};

use redb::ReadableTable as _;

use super::WriteTx;
use crate::store::entity::encode;
use crate::store::tx::place::{ROWS_TABLE, row_prefix};
use crate::store::tx::{RowRange, Rows as _, SEQUENCE, Table, definition, parse_number};
use crate::store::{Entity, StoreError};

/// Rows that a step of a move copies at most.
const SHARED_ROWS_MAX: usize = 10_000;
/// Octets of rows after which a step of a move ends.
const SHARED_BYTES_MAX: usize = 4 * 1024 * 1024;

impl WriteTx<'_> {
    /// For migrations only: stores the record in its present form without reading the old one, which may be of an older
    /// version. Its index rows and counts are left to the rebuild that follows.
    pub fn overwrite<E: Entity>(&mut self, record: &E) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        encode(record, &mut bytes)?;
        self.set(Table::shared(E::TABLE), &record.id().to_be_bytes(), Some(&bytes))?;
        self.job.scopes.push(record.scope());
        Ok(())
    }

    /// For migrations only: renames the table of an entity. Its index tables of these old names are removed, and its
    /// numbers of these old names deleted: the rebuild that follows makes them anew. If a job that does this fails
    /// later, the whole transaction is given up.
    pub fn rename_entity(
        &mut self,
        old: &'static str,
        new: &'static str,
        indexes: &[&'static str],
        counts: &[&'static str],
    ) -> Result<(), StoreError> {
        let last_id = self.number(SEQUENCE, old.as_bytes())?;
        let (from, to) = (self.slot(SEQUENCE, old.as_bytes())?, self.slot(SEQUENCE, new.as_bytes())?);
        for count in counts {
            self.clear_numbers(count, usize::MAX)?;
        }
        self.set_number(from, 0)?;
        self.set_number(to, last_id)?;
        self.remove_index_tables(indexes)?;
        self.tables.rename(old, new)
    }

    /// For migrations only: removes index tables that no longer belong to anything. If a job that does this fails
    /// later, the whole transaction is given up.
    pub fn remove_index_tables(&mut self, names: &[&'static str]) -> Result<(), StoreError> {
        self.job.undo.note_final();
        names.iter().try_for_each(|name| self.tables.remove(name))
    }

    /// For migrations only: moves the numbers of these names from tables of their own, which are removed. If a job that
    /// does this fails later, the whole transaction is given up.
    pub fn adopt_numbers(&mut self, names: &[&'static str]) -> Result<(), StoreError> {
        let mut numbers = Vec::new();
        for name in names.iter().copied() {
            self.visit(Table::shared(name), &RowRange::all(), |key, value| {
                numbers.push((name, key.to_vec(), parse_number(name, value)));
                ControlFlow::<()>::Continue(())
            })?;
        }
        // Damage is found before anything is removed.
        let numbers = numbers.into_iter().map(|(name, key, number)| Ok((name, key, number?)));
        let numbers = numbers.collect::<Result<Vec<_>, StoreError>>()?;
        self.job.undo.note_final();
        for (name, key, number) in numbers {
            let slot = self.numbers.insert(name, &key, 0);
            self.numbers.set(slot, number);
        }
        names.iter().try_for_each(|name| self.tables.remove(name))
    }

    /// For migrations only: copies the next rows of a table of its own into the shared one, those with keys greater
    /// than `after`: as many as one step takes. Returns the last one's key; `None` once there are no more.
    pub fn share_rows(&mut self, name: &str, after: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.job.undo.note_final();
        let own = self.tables.transaction.open_table(definition(name))?;
        let mut shared = self.tables.transaction.open_table(definition(ROWS_TABLE))?;
        let (prefix, mut last, mut bytes) = (row_prefix(name), None, 0);
        let from = (Bound::Excluded(after), Bound::Unbounded);
        for row in own.range::<&[u8]>(from)?.take(SHARED_ROWS_MAX) {
            let (key, value) = row?;
            let (key, value) = (key.value(), value.value());
            shared.insert([prefix.as_slice(), key].concat().as_slice(), value)?;
            self.rows_written += 1;
            bytes += value.len();
            last = Some(key.to_vec());
            if SHARED_BYTES_MAX <= bytes {
                break;
            }
        }
        self.bytes_written += bytes;
        Ok(last)
    }

    /// For migrations only: removes a table of the engine underneath with all its rows. If a job that does this fails
    /// later, the whole transaction is given up.
    pub fn remove_table(&mut self, name: &str) -> Result<(), StoreError> {
        self.job.undo.note_final();
        self.rows_written += 1;
        self.tables.transaction.delete_table(definition(name))?;
        Ok(())
    }
}
