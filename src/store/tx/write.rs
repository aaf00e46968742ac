//! Writing: the only place that changes rows.
//!
//! `put` and `delete` compare the rows derived from the old record with those of the new one and write the
//! difference, in one function for indexes, counts and blob references. A record's rows are written without
//! being read first: an insert answers what it replaced, and what turns out not to be allowed is taken back.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use redb::ReadableTable;

use super::undo::{Change, Numbers, UndoLog};
use super::{
    Bytes, META_TABLE, NUMBER_TABLE, RowRange, Rows, SEQUENCE, definition, number_key, parse_number,
    stored_number, visit_table,
};
use crate::store::entity::{blob_rows, decode, encode};
use crate::store::{BlobId, Entity, JOB_CHANGES_MAX, StoreError, blob};

/// The transaction in which a job runs. All jobs of one commit share it; each can be taken back alone.
pub struct WriteTx<'txn> {
    tables: Tables<'txn>,
    numbers: Numbers,
    job: JobState,
    /// Accounts that kept jobs changed.
    scopes: Vec<u64>,
    /// Rows and bytes that all jobs wrote so far: what the commit will cost.
    rows_written: usize,
    bytes_written: usize,
    /// The stored form of a record under way; kept for its memory.
    record: Vec<u8>,
}

/// What a transaction amounts to, before its commit.
pub(in crate::store) struct Finished {
    /// Whether there is anything to commit.
    pub(in crate::store) has_changes: bool,
    /// Accounts whose records changed.
    pub(in crate::store) scopes: Vec<u64>,
}

/// What belongs to the current job only.
#[derive(Default)]
struct JobState {
    undo: UndoLog,
    scopes: Vec<u64>,
    /// Blobs that no record named at some moment of this job: still so at its end, they are removed.
    loose_blobs: Vec<BlobId>,
    is_too_large: bool,
}

impl<'txn> WriteTx<'txn> {
    pub(in crate::store) fn new(transaction: &'txn redb::WriteTransaction) -> WriteTx<'txn> {
        WriteTx {
            tables: Tables { transaction, open: RefCell::default(), failure: OnceCell::new() },
            numbers: Numbers::default(),
            job: JobState::default(),
            scopes: Vec::new(),
            rows_written: 0,
            bytes_written: 0,
            record: Vec::new(),
        }
    }

    /// A number that no record of this entity has or ever had.
    pub fn next_id<E: Entity>(&mut self) -> Result<u64, StoreError> {
        self.next_number(E::TABLE)
    }

    /// Stores a record under its id, new or in place of the old one, and moves its index rows, counts and blob
    /// references. After an error, [`StoreError::Duplicate`] above all, nothing of it remains.
    pub fn put<E: Entity>(&mut self, record: &E) -> Result<(), StoreError> {
        let mut bytes = std::mem::take(&mut self.record);
        bytes.clear();
        let result = encode(record, &mut bytes)
            .and_then(|()| self.replace(record.id(), Some((record, bytes.as_slice()))));
        self.record = bytes;
        result.map(|_| ())
    }

    /// Removes a record with all its rows; answers the record, if there was one.
    pub fn delete<E: Entity>(&mut self, id: u64) -> Result<Option<E>, StoreError> {
        self.replace(id, None)
    }

    /// Whether the job under way put or deleted a record of this entity.
    #[must_use]
    pub fn has_changed<E: Entity>(&self) -> bool {
        self.job.undo.has_row_of(E::TABLE)
    }

    /// Stores a raw message. It lives as long as a record names it: if none does at the end of the job, it is
    /// removed again.
    pub fn put_blob(&mut self, bytes: &[u8]) -> Result<BlobId, StoreError> {
        let id = BlobId(self.next_number(blob::TABLE)?);
        self.numbers.insert(blob::REFERENCES, id.key().as_bytes(), 0);
        self.job.loose_blobs.push(id);
        blob::write(bytes, |chunk, value| {
            self.set(blob::TABLE, blob::chunk_key(id, chunk).as_bytes(), Some(value)).map(|_| ())
        })?;
        Ok(id)
    }

    /// Sets a fact about the file itself; `None` forgets it.
    pub fn set_meta(&mut self, name: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        self.set(META_TABLE, name.as_bytes(), value).map(|_| ())
    }

    /// For migrations only: stores the record in its present form without reading what is there, which may be
    /// of an older version. Its derived rows are left to the rebuild that follows.
    pub fn overwrite<E: Entity>(&mut self, record: &E) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        encode(record, &mut bytes)?;
        self.set(E::TABLE, &record.id().to_be_bytes(), Some(&bytes))?;
        self.job.scopes.push(record.scope());
        Ok(())
    }

    /// For migrations only: gives the table of an entity another name. Its index tables of these old names are removed,
    /// and its numbers of these old names forgotten: the rebuild that follows makes them anew. A job that does so and
    /// fails later takes the whole transaction with it.
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

    /// For migrations only: removes index tables of which nothing knows any more. A job that does so and fails later takes
    /// the whole transaction with it.
    pub fn remove_index_tables(&mut self, names: &[&'static str]) -> Result<(), StoreError> {
        self.job.undo.note_final();
        names.iter().try_for_each(|name| self.tables.remove(name))
    }

    /// For migrations only: the numbers of these names are taken over from tables of their own, which are removed. A job
    /// that does so and fails later takes the whole transaction with it.
    pub fn adopt_numbers(&mut self, names: &[&'static str]) -> Result<(), StoreError> {
        let mut numbers = Vec::new();
        for name in names.iter().copied() {
            self.visit(name, &RowRange::all(), |key, value| {
                numbers.push((name, key.to_vec(), parse_number(name, value)));
                ControlFlow::<()>::Continue(())
            })?;
        }
        // Whatever is damaged is found before anything is removed.
        let numbers = numbers.into_iter().map(|(name, key, number)| Ok((name, key, number?)));
        let numbers = numbers.collect::<Result<Vec<_>, StoreError>>()?;
        self.job.undo.note_final();
        for (name, key, number) in numbers {
            let slot = self.numbers.insert(name, &key, 0);
            self.numbers.set(slot, number);
        }
        names.iter().try_for_each(|name| self.tables.remove(name))
    }

    /// One change of a record, whole or not at all.
    fn replace<E: Entity>(&mut self, id: u64, new: Option<(&E, &[u8])>) -> Result<Option<E>, StoreError> {
        let mark = self.job.undo.len();
        let result = self.replace_rows(id, new);
        if result.is_err() {
            self.take_back_to(mark)?;
        }
        result
    }

    fn replace_rows<E: Entity>(
        &mut self,
        id: u64,
        new: Option<(&E, &[u8])>,
    ) -> Result<Option<E>, StoreError> {
        let old = self.set(E::TABLE, &id.to_be_bytes(), new.map(|(_, bytes)| bytes))?;
        let old: Option<E> = old.map(|range| decode(self.job.undo.bytes(range))).transpose()?;
        let new = new.map(|(record, _)| record);
        self.move_derived(old.as_ref(), new)?;
        self.move_references(old.as_ref(), new)?;
        for record in old.as_ref().into_iter().chain(new) {
            if self.job.scopes.last() != Some(&record.scope()) {
                self.job.scopes.push(record.scope());
            }
        }
        Ok(old)
    }

    /// Moves index rows and counts from what `old` gives to what `new` gives.
    pub(in crate::store) fn move_derived<E: Entity>(
        &mut self,
        old: Option<&E>,
        new: Option<&E>,
    ) -> Result<(), StoreError> {
        for index in E::INDEXES {
            let rows = |record: Option<&E>| record.map(|record| index.rows(record)).unwrap_or_default();
            let Difference { gone, added } = difference(rows(old), rows(new));
            for row in gone {
                self.set(index.name(), row.as_bytes(), None)?;
            }
            for row in added {
                let id = new.map(|record| record.id().to_be_bytes());
                let value = id.as_ref().filter(|_| index.is_unique()).map_or(&[][..], |id| id);
                let taken = self.set(index.name(), row.as_bytes(), Some(value))?;
                if taken.is_some() && index.is_unique() {
                    return Err(StoreError::Duplicate { index: index.name() });
                }
            }
        }
        for count in E::COUNTS {
            let rows = |record: Option<&E>| record.map(|record| count.rows(record)).unwrap_or_default();
            let Difference { gone, added } = difference(rows(old), rows(new));
            for (row, number) in gone {
                self.decrease(count.name(), row.as_bytes(), number)?;
            }
            for (row, number) in added {
                self.increase(count.name(), row.as_bytes(), number)?;
            }
        }
        Ok(())
    }

    fn move_references<E: Entity>(&mut self, old: Option<&E>, new: Option<&E>) -> Result<(), StoreError> {
        let rows = |record: Option<&E>| record.map(blob_rows).unwrap_or_default();
        let Difference { gone, added } = difference(rows(old), rows(new));
        for row in added {
            let references = self.increase(blob::REFERENCES, row.as_bytes(), 1)?;
            let id = BlobId(parse_number(blob::REFERENCES, row.as_bytes())?);
            // The first reference must be to a blob of this job: anything else is not there.
            if references == 1 && !self.job.loose_blobs.contains(&id) {
                return Err(StoreError::UnknownBlob { id });
            }
        }
        for row in gone {
            let references = self.decrease(blob::REFERENCES, row.as_bytes(), 1)?;
            if references == 0 {
                let id = parse_number(blob::REFERENCES, row.as_bytes())?;
                self.job.loose_blobs.push(BlobId(id));
            }
        }
        Ok(())
    }

    /// Removes up to `limit` rows of a derived table; answers how many there were.
    pub(in crate::store) fn clear_rows(
        &mut self,
        table: &'static str,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let mut keys = Vec::new();
        self.visit(table, &RowRange::all(), |key, _| take(key, limit, &mut keys))?;
        for key in &keys {
            self.set(table, key, None)?;
        }
        Ok(keys.len())
    }

    /// Sets up to `limit` numbers of a name to nothing; answers how many there were.
    pub(in crate::store) fn clear_numbers(
        &mut self,
        name: &'static str,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let mut keys = Vec::new();
        self.visit_numbers(name, |key, _| take(key, limit, &mut keys))?;
        for key in &keys {
            let slot = self.slot(name, key)?;
            self.set_number(slot, 0)?;
        }
        Ok(keys.len())
    }

    /// Changes of the current job so far.
    pub(in crate::store) fn job_changes(&self) -> usize {
        self.job.undo.len()
    }

    fn next_number(&mut self, entity: &str) -> Result<u64, StoreError> {
        self.increase(SEQUENCE, entity.as_bytes(), 1)
    }

    fn increase(&mut self, name: &'static str, key: &[u8], by: u64) -> Result<u64, StoreError> {
        let slot = self.slot(name, key)?;
        let more = self.numbers.now(slot).checked_add(by);
        let more = more.ok_or_else(|| StoreError::corrupt(name, "a number is at its end"))?;
        self.set_number(slot, more)
    }

    fn decrease(&mut self, name: &'static str, key: &[u8], by: u64) -> Result<u64, StoreError> {
        let slot = self.slot(name, key)?;
        let less = self.numbers.now(slot).checked_sub(by);
        let less = less.ok_or_else(|| {
            StoreError::corrupt(name, format_args!("{} would fall below zero", key.escape_ascii()))
        })?;
        self.set_number(slot, less)
    }

    fn slot(&mut self, name: &'static str, key: &[u8]) -> Result<usize, StoreError> {
        if let Some(slot) = self.numbers.slot(name, key) {
            return Ok(slot);
        }
        let stored =
            if name == blob::REFERENCES { blob::references(self, key)? } else { self.number(name, key)? };
        Ok(self.numbers.insert(name, key, stored))
    }

    fn set_number(&mut self, slot: usize, now: u64) -> Result<u64, StoreError> {
        self.job.make_room()?;
        self.job.undo.note_number(slot, self.numbers.now(slot));
        self.numbers.set(slot, now);
        Ok(now)
    }

    /// The one primitive that changes a row. Answers where the undo log keeps what was there.
    fn set(
        &mut self,
        table: &'static str,
        key: &[u8],
        value: Option<&[u8]>,
    ) -> Result<Option<Range<usize>>, StoreError> {
        self.job.make_room()?;
        self.rows_written += 1;
        self.bytes_written += value.map_or(0, <[u8]>::len);
        let undo = &mut self.job.undo;
        self.tables.change(table, |rows| {
            let old = match value {
                Some(value) => rows.insert(key, value)?,
                None => rows.remove(key)?,
            };
            Ok(undo.note_row(table, key, old.as_ref().map(redb::AccessGuard::value)))
        })
    }
}

/// The end of a job and of the transaction, for the writer thread.
impl WriteTx<'_> {
    /// Ends a good job. An error means that the job is not good after all and must be taken back.
    pub(in crate::store) fn keep_job(&mut self) -> Result<(), StoreError> {
        if self.job.is_too_large {
            return Err(StoreError::JobTooLarge);
        }
        let mut loose_blobs = std::mem::take(&mut self.job.loose_blobs);
        loose_blobs.sort_unstable();
        loose_blobs.dedup();
        for id in loose_blobs {
            let slot = self.slot(blob::REFERENCES, id.key().as_bytes())?;
            if self.numbers.now(slot) == 0 {
                self.remove_chunks(id)?;
            }
        }
        self.scopes.append(&mut self.job.scopes);
        self.job.undo.clear();
        Ok(())
    }

    /// Takes back everything the job did.
    pub(in crate::store) fn take_back_job(&mut self) -> Result<(), StoreError> {
        self.take_back_to(0)?;
        self.job = JobState { undo: std::mem::take(&mut self.job.undo), ..JobState::default() };
        self.job.undo.clear();
        Ok(())
    }

    /// Writes the numbers that moved; the transaction is ready to be committed then. An error is the failure
    /// that any job met in the file, which spoils the whole transaction.
    pub(in crate::store) fn finish(mut self) -> Result<Finished, StoreError> {
        let mut has_changes = 0 < self.rows_written;
        for number in self.numbers.moved() {
            has_changes = true;
            let key = number_key(number.name, &number.key);
            self.tables.change(NUMBER_TABLE, |rows| {
                match number.row(number.now) {
                    None => rows.remove(key.as_slice())?,
                    Some(now) => rows.insert(key.as_slice(), now.to_be_bytes().as_slice())?,
                };
                Ok(())
            })?;
        }
        match self.tables.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(Finished { has_changes, scopes: self.scopes }),
        }
    }

    /// Rows that jobs changed so far, those taken back included.
    pub(in crate::store) fn rows_written(&self) -> usize {
        self.rows_written
    }

    /// Bytes that jobs wrote so far, those taken back included.
    pub(in crate::store) fn bytes_written(&self) -> usize {
        self.bytes_written
    }

    fn take_back_to(&mut self, mark: usize) -> Result<(), StoreError> {
        while let Some(change) = self.job.undo.pop_above(mark) {
            match change {
                Change::Number { slot, old } => self.numbers.set(slot, old),
                Change::Final => {
                    // Nearly always the file failed, which says more.
                    let spoilt = || StoreError::fatal("a job failed that cannot be taken back");
                    return Err(self.tables.failure.get_or_init(spoilt).clone());
                }
                Change::Row { table, key, old } => {
                    let undo = &self.job.undo;
                    self.tables.change(table, |rows| {
                        match old {
                            Some(old) => rows.insert(undo.bytes(key), undo.bytes(old))?,
                            None => rows.remove(undo.bytes(key))?,
                        };
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Removes a blob that nothing names. Not noted for undoing: this is the last step of a good job, and its
    /// only failure, one of the file, spoils the whole transaction.
    fn remove_chunks(&mut self, id: BlobId) -> Result<(), StoreError> {
        for chunk in 0.. {
            let key = blob::chunk_key(id, chunk);
            let was_there =
                self.tables.change(blob::TABLE, |rows| Ok(rows.remove(key.as_bytes())?.is_some()))?;
            if !was_there {
                break;
            }
        }
        Ok(())
    }
}

impl JobState {
    /// Every change is counted, so that no job holds up the others or fills the memory.
    fn make_room(&mut self) -> Result<(), StoreError> {
        if self.undo.len() < JOB_CHANGES_MAX {
            return Ok(());
        }
        self.is_too_large = true;
        Err(StoreError::JobTooLarge)
    }
}

impl Rows for WriteTx<'_> {
    fn view<T>(
        &self,
        table: &'static str,
        key: &[u8],
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError> {
        self.tables.read(table, |rows| Ok(rows.get(key)?.map(|value| look(value.value()))))
    }

    fn visit<B>(
        &self,
        table: &'static str,
        range: &RowRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        self.tables.read(table, |rows| visit_table(rows, range, each))
    }

    fn number(&self, name: &'static str, key: &[u8]) -> Result<u64, StoreError> {
        if let Some(slot) = self.numbers.slot(name, key) {
            return Ok(self.numbers.now(slot));
        }
        Ok(stored_number(self, name, key)?.unwrap_or(0))
    }
}

type Table<'txn> = redb::Table<'txn, Bytes, Bytes>;

/// The tables of the transaction, each opened once, as the engine underneath demands.
struct Tables<'txn> {
    transaction: &'txn redb::WriteTransaction,
    /// Shared while a scan walks one, so that the scan's callback can read, even from the same table.
    open: RefCell<HashMap<&'static str, Rc<Table<'txn>>>>,
    /// The first failure of the file: after one, nothing of this transaction may be committed, even if the job
    /// that met it ignored it.
    failure: OnceCell<StoreError>,
}

impl<'txn> Tables<'txn> {
    fn read<T>(
        &self,
        table: &'static str,
        read: impl FnOnce(&Table<'txn>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let rows = self.get(table).map_err(|error| self.note_failure(error))?;
        read(&rows).map_err(|error| self.note_failure(error))
    }

    fn change<T>(
        &mut self,
        table: &'static str,
        change: impl FnOnce(&mut Table<'txn>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.open.get_mut().contains_key(table) {
            self.get(table).map_err(|error| self.note_failure(error))?;
        }
        let rows = self.open.get_mut().get_mut(table).and_then(Rc::get_mut);
        let rows = rows.expect("a scan borrows the transaction, so none is under way");
        change(rows).map_err(|error| self.note_failure(error))
    }

    fn get(&self, table: &'static str) -> Result<Rc<Table<'txn>>, StoreError> {
        if let Some(rows) = self.open.borrow().get(table) {
            return Ok(Rc::clone(rows));
        }
        let rows = Rc::new(self.transaction.open_table(definition(table))?);
        self.open.borrow_mut().insert(table, Rc::clone(&rows));
        Ok(rows)
    }

    /// Removes a table with all its rows.
    fn remove(&mut self, table: &'static str) -> Result<(), StoreError> {
        self.open.get_mut().remove(table);
        let removed = self.transaction.delete_table(definition(table));
        removed.map(drop).map_err(|error| self.note_failure(error.into()))
    }

    /// Renames a table if there is one of the old name.
    fn rename(&mut self, old: &'static str, new: &'static str) -> Result<(), StoreError> {
        self.open.get_mut().remove(old);
        match self.transaction.rename_table(definition(old), definition(new)) {
            Ok(()) | Err(redb::TableError::TableDoesNotExist(_)) => Ok(()),
            Err(error) => Err(self.note_failure(error.into())),
        }
    }

    fn note_failure(&self, error: StoreError) -> StoreError {
        // The first failure is the one worth telling.
        let _ = self.failure.set(error.clone());
        error
    }
}

/// Appends a key, until there are `limit`.
fn take(key: &[u8], limit: usize, keys: &mut Vec<Vec<u8>>) -> ControlFlow<()> {
    if keys.len() == limit {
        return ControlFlow::Break(());
    }
    keys.push(key.to_vec());
    ControlFlow::Continue(())
}

struct Difference<Row> {
    gone: Vec<Row>,
    added: Vec<Row>,
}

/// What is only in `old`, and what is only in `new`. Both are in order and hold each row once.
fn difference<Row: Ord>(old: Vec<Row>, new: Vec<Row>) -> Difference<Row> {
    if old.is_empty() || new.is_empty() {
        return Difference { gone: old, added: new };
    }
    let (mut gone, mut added) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (Some(before), Some(after)) if before == after => {
                old.next();
                new.next();
            }
            (Some(before), Some(after)) if after < before => added.extend(new.next()),
            (Some(_), _) => gone.extend(old.next()),
            (None, Some(_)) => added.extend(new.next()),
            (None, None) => return Difference { gone, added },
        }
    }
}
