//! Writes records: the only place that changes rows.
//!
//! `put` and `delete` compare the rows derived from the old record with those of the new one and write the difference,
//! in one function for indexes, counts and blob references. A record is read with the change that replaces it, its rows
//! are not looked up but for unique ones, and a change that turns out not to be allowed is undone. `tables` says where a
//! changed row goes.

mod migrating;
mod tables;

use std::any::Any;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use self::tables::{Before, Tables};
use super::undo::{Change, Numbers, UndoLog};
use super::{
    Layout, META, META_TABLE, NUMBERS, RowRange, Rows, SEQUENCE, Table, number_key, parse_number,
    stored_number,
};
use crate::store::entity::{blob_rows, decode, encode};
use crate::store::{
    BlobId, BlockTable, Entity, Index, IndexRange, JOB_CHANGES_MAX, Key, LARGE_JOB_CHANGES_MAX, Read as _,
    StoreError, blob,
};

/// The transaction in which a job runs. All jobs of one commit share it; each can be undone alone.
pub struct WriteTx<'txn> {
    tables: Tables<'txn>,
    numbers: Numbers,
    job: JobState,
    /// Accounts whose records successful jobs changed.
    scopes: Vec<u64>,
    /// Rows that all jobs wrote so far, which determine the cost of the commit.
    rows_written: usize,
    bytes_written: usize,
    /// The stored form of the record being written; kept to reuse its memory.
    record: Vec<u8>,
    /// Run at the end of each job that left notes.
    job_end: Option<Arc<JobEnd>>,
}

/// A function that runs as the last part of jobs; see [`Store::on_job_end`](crate::store::Store::on_job_end).
pub type JobEnd = dyn Fn(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + Sync;

/// The result of a transaction before its commit.
pub(in crate::store) struct Finished {
    /// Whether there is anything to commit.
    pub(in crate::store) has_changes: bool,
    /// Accounts whose records changed.
    pub(in crate::store) scopes: Vec<u64>,
}

/// The state of the current job.
struct JobState {
    undo: UndoLog,
    scopes: Vec<u64>,
    /// Tables of records and facts that it changed: a handful.
    tables: Vec<&'static str>,
    /// Blobs that no record referred to at some moment of this job. If that is still so at its end, they are deleted.
    loose_blobs: Vec<BlobId>,
    /// Facts for the function that runs at its end, in the order in which they were noted.
    notes: Vec<Box<dyn Any>>,
    is_too_large: bool,
    changes_max: usize,
}

impl Default for JobState {
    fn default() -> JobState {
        JobState {
            undo: UndoLog::default(),
            scopes: Vec::new(),
            tables: Vec::new(),
            loose_blobs: Vec::new(),
            notes: Vec::new(),
            is_too_large: false,
            changes_max: JOB_CHANGES_MAX,
        }
    }
}

impl<'txn> WriteTx<'txn> {
    pub(in crate::store) fn new(
        transaction: &'txn redb::WriteTransaction,
        layout: &'txn Layout,
    ) -> WriteTx<'txn> {
        WriteTx {
            tables: Tables::new(transaction, layout),
            numbers: Numbers::default(),
            job: JobState::default(),
            scopes: Vec::new(),
            rows_written: 0,
            bytes_written: 0,
            record: Vec::new(),
            job_end: None,
        }
    }

    /// Returns a number that no record of this entity has or ever had.
    pub fn next_id<E: Entity>(&mut self) -> Result<u64, StoreError> {
        self.next_number(E::TABLE)
    }

    /// Draws no number up to `last` for this entity any more.
    pub fn raise_last_id<E: Entity>(&mut self, last: u64) -> Result<(), StoreError> {
        let slot = self.slot(SEQUENCE, E::TABLE.as_bytes())?;
        let last = last.max(self.numbers.now(slot));
        self.set_number(slot, last).map(drop)
    }

    /// Lets the job under way make as many as [`LARGE_JOB_CHANGES_MAX`] changes. It holds up every other job for seconds:
    /// for what must happen at once or not at all.
    pub fn expect_many_changes(&mut self) {
        self.job.changes_max = LARGE_JOB_CHANGES_MAX;
    }

    /// Stores a record under its id, new or in place of the old one, and updates its index rows, counts and blob
    /// references. After an error, such as [`StoreError::Duplicate`], none of its changes remain.
    pub fn put<E: Entity>(&mut self, record: &E) -> Result<(), StoreError> {
        let mut bytes = std::mem::take(&mut self.record);
        bytes.clear();
        let result = encode(record, &mut bytes)
            .and_then(|()| self.replace(record.id(), Some((record, bytes.as_slice()))));
        self.record = bytes;
        result.map(|_| ())
    }

    /// Deletes a record with all its rows; returns the record, if there was one.
    pub fn delete<E: Entity>(&mut self, id: u64) -> Result<Option<E>, StoreError> {
        self.replace(id, None)
    }

    /// Deletes the first `limit` records of a range of an index; returns how many there were.
    pub fn delete_range<E: Entity>(
        &mut self,
        index: &Index<E>,
        range: &IndexRange,
        limit: usize,
    ) -> Result<usize, StoreError> {
        let ids = self.ids(index, range, limit)?;
        for id in &ids {
            self.delete::<E>(*id)?;
        }
        Ok(ids.len())
    }

    /// Stores a raw message. It lives as long as a record refers to it: if none does at the end of the job, it is
    /// deleted again.
    pub fn put_blob(&mut self, bytes: &[u8]) -> Result<BlobId, StoreError> {
        let id = BlobId(self.next_number(blob::TABLE)?);
        self.numbers.insert(blob::REFERENCES, id.key().as_bytes(), 0);
        self.job.loose_blobs.push(id);
        blob::write(bytes, |chunk, value| {
            self.set(blob::CHUNKS, blob::chunk_key(id, chunk).as_bytes(), Some(value)).map(|_| ())
        })?;
        Ok(id)
    }

    /// Sets the block under a key, which counts as a change of this scope; `None` deletes it.
    pub fn set_block(
        &mut self,
        table: &BlockTable,
        key: &Key,
        block: Option<&[u8]>,
        scope: u64,
    ) -> Result<(), StoreError> {
        self.job.note_table(table.name());
        if self.job.scopes.last() != Some(&scope) {
            self.job.scopes.push(scope);
        }
        self.set(Table::apart(table.name()), key.as_bytes(), block).map(drop)
    }

    /// Whether the job under way put a record of this entity, or deleted one that was there.
    #[must_use]
    pub fn has_changed<E: Entity>(&self) -> bool {
        self.job.tables.contains(&E::TABLE)
    }

    /// Whether the job under way changed any record, or a fact about the file.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.job.tables.is_empty()
    }

    /// Notes a fact for the function that runs at the end of the job ([`Store::on_job_end`](crate::store::Store::on_job_end)).
    /// Without such a function it is dropped.
    pub fn note(&mut self, fact: impl Any) {
        if self.job_end.is_some() {
            self.job.notes.push(Box::new(fact));
        }
    }

    /// Takes what the job has noted so far, in its order.
    pub fn take_notes(&mut self) -> Vec<Box<dyn Any>> {
        std::mem::take(&mut self.job.notes)
    }

    /// Sets a fact about the file itself; `None` deletes it.
    pub fn set_meta(&mut self, name: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        self.job.note_table(META_TABLE);
        self.set(META, name.as_bytes(), value).map(|_| ())
    }

    /// Makes one change of a record, all or nothing.
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
        let old = self.set(Table::shared(E::TABLE), &id.to_be_bytes(), new.map(|(_, bytes)| bytes))?;
        let old: Option<E> = old.map(|range| decode(self.job.undo.bytes(range))).transpose()?;
        let new = new.map(|(record, _)| record);
        self.move_derived(old.as_ref(), new)?;
        self.move_references(old.as_ref(), new)?;
        if old.is_some() || new.is_some() {
            self.job.note_table(E::TABLE);
        }
        if let Some(old) = &old {
            E::keep_of_change(self, old, new)?;
        }
        if old.is_some() || new.is_some() {
            E::tell_of_change(self, old.as_ref(), new);
        }
        for record in old.as_ref().into_iter().chain(new) {
            if self.job.scopes.last() != Some(&record.scope()) {
                self.job.scopes.push(record.scope());
            }
        }
        Ok(old)
    }

    /// Changes index rows and counts from those that `old` gives to those that `new` gives.
    pub(in crate::store) fn move_derived<E: Entity>(
        &mut self,
        old: Option<&E>,
        new: Option<&E>,
    ) -> Result<(), StoreError> {
        for index in E::INDEXES {
            let rows = |record: Option<&E>| record.map(|record| index.rows(record)).unwrap_or_default();
            let Difference { gone, added } = difference(rows(old), rows(new));
            let table = Table::shared(index.name());
            let ids = [old, new].map(|record| record.map(|record| record.id().to_be_bytes()));
            let [was, value] =
                ids.each_ref().map(|id| id.as_ref().filter(|_| index.is_unique()).map_or(&[][..], |id| id));
            for row in gone {
                self.set_after(table, row.as_bytes(), None, Before::Known(Some(was)))?;
            }
            for row in added {
                // Another record can only have the row of a unique index.
                let before = if index.is_unique() { Before::Unknown } else { Before::Known(None) };
                let taken = self.set_after(table, row.as_bytes(), Some(value), before)?;
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
            // The first reference must be to a blob of this job: no other blob is without one.
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

    /// Removes up to `limit` rows of a derived table; returns their number.
    pub(in crate::store) fn clear_rows(&mut self, table: Table, limit: usize) -> Result<usize, StoreError> {
        let mut keys = Vec::new();
        self.visit(table, &RowRange::all(), |key, _| take(key, limit, &mut keys))?;
        for key in &keys {
            self.set(table, key, None)?;
        }
        Ok(keys.len())
    }

    /// Resets up to `limit` numbers of a name to 0; returns how many there were.
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

    /// The number of changes of the current job so far.
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

    /// The one primitive that changes a row. Returns where the undo log keeps the old value.
    fn set(
        &mut self,
        table: Table,
        key: &[u8],
        value: Option<&[u8]>,
    ) -> Result<Option<Range<usize>>, StoreError> {
        self.set_after(table, key, value, Before::Unknown)
    }

    /// The same for a row that has this value before.
    fn set_after(
        &mut self,
        table: Table,
        key: &[u8],
        value: Option<&[u8]>,
        before: Before<'_>,
    ) -> Result<Option<Range<usize>>, StoreError> {
        self.job.make_room()?;
        let place = self.tables.place(table)?;
        self.rows_written += 1;
        self.bytes_written += value.map_or(0, <[u8]>::len);
        self.tables.set(place, &place.key(key), value, before, &mut self.job.undo)
    }
}

/// How the writer thread ends jobs and the transaction.
impl WriteTx<'_> {
    /// Has a function run at the end of each job of the transaction that leaves notes.
    pub(in crate::store) fn end_jobs_with(&mut self, job_end: Option<Arc<JobEnd>>) {
        self.job_end = job_end;
    }

    /// Ends a successful job. An error means that the job failed after all and must be undone.
    pub(in crate::store) fn keep_job(&mut self) -> Result<(), StoreError> {
        if !self.job.notes.is_empty()
            && let Some(job_end) = self.job_end.clone()
        {
            job_end(self)?;
        }
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
        self.job.changes_max = JOB_CHANGES_MAX;
        self.job.tables.clear();
        self.job.undo.clear();
        self.job.notes.clear();
        Ok(())
    }

    /// Undoes all changes of the job.
    pub(in crate::store) fn take_back_job(&mut self) -> Result<(), StoreError> {
        self.take_back_to(0)?;
        self.job = JobState { undo: std::mem::take(&mut self.job.undo), ..JobState::default() };
        self.job.undo.clear();
        Ok(())
    }

    /// Writes the changed numbers; after this the transaction is ready to be committed. An error is a failure of the
    /// file that any job met, which spoils the whole transaction.
    pub(in crate::store) fn finish(mut self) -> Result<Finished, StoreError> {
        let mut has_changes = 0 < self.rows_written;
        for number in self.numbers.moved() {
            has_changes = true;
            let key = number_key(number.name, &number.key);
            let place = self.tables.place(NUMBERS)?;
            let key = place.key(&key);
            let now = number.row(number.now).map(u64::to_be_bytes);
            self.tables.put(place.table, &key, now.as_ref().map(<[u8; 8]>::as_slice))?;
        }
        self.tables.keep_gathered()?;
        match self.tables.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(Finished { has_changes, scopes: self.scopes }),
        }
    }

    /// Lets changed rows go to their places at once, behind those that are not there yet.
    pub(in crate::store) fn write_in_place(&mut self) {
        self.tables.write_in_place();
    }

    /// Brings all rows to their places; returns whether any was elsewhere.
    pub(in crate::store) fn merge(mut self) -> Result<bool, StoreError> {
        let is_needed = self.tables.merge_all()?;
        self.tables.failure.take().map_or(Ok(is_needed), Err)
    }

    /// Rows that jobs changed so far, including undone jobs.
    pub(in crate::store) fn rows_written(&self) -> usize {
        self.rows_written
    }

    /// Bytes that jobs wrote so far, including undone jobs.
    pub(in crate::store) fn bytes_written(&self) -> usize {
        self.bytes_written
    }

    fn take_back_to(&mut self, mark: usize) -> Result<(), StoreError> {
        while let Some(change) = self.job.undo.pop_above(mark) {
            match change {
                Change::Number { slot, old } => self.numbers.set(slot, old),
                Change::Final => {
                    // Nearly always the file failed, and that failure says more.
                    let spoilt = || StoreError::fatal("a job failed that cannot be taken back");
                    return Err(self.tables.failure.get_or_init(spoilt).clone());
                }
                Change::Row { table, key, old } => {
                    let undo = &self.job.undo;
                    self.tables.put(table, undo.bytes(key), old.map(|old| undo.bytes(old)))?;
                }
            }
        }
        Ok(())
    }

    /// Deletes a blob that no record refers to. Not noted for undoing: this is the last step of a successful job, and
    /// its only failure, one of the file, spoils the whole transaction.
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
    fn note_table(&mut self, table: &'static str) {
        if !self.tables.contains(&table) {
            self.tables.push(table);
        }
    }

    /// Refuses a change beyond the job's limit, so that no job delays the others or fills the memory.
    fn make_room(&mut self) -> Result<(), StoreError> {
        if self.undo.len() < self.changes_max {
            return Ok(());
        }
        self.is_too_large = true;
        Err(StoreError::JobTooLarge)
    }
}

impl Rows for WriteTx<'_> {
    fn view<T>(
        &self,
        table: Table,
        key: &[u8],
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError> {
        let place = self.tables.place(table)?;
        self.tables.view(place, &place.key(key), look)
    }

    fn visit<B>(
        &self,
        table: Table,
        range: &RowRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        let place = self.tables.place(table)?;
        self.tables.visit(place, range, each)
    }

    fn number(&self, name: &'static str, key: &[u8]) -> Result<u64, StoreError> {
        if let Some(slot) = self.numbers.slot(name, key) {
            return Ok(self.numbers.now(slot));
        }
        Ok(stored_number(self, name, key)?.unwrap_or(0))
    }
}

/// Appends a key until there are `limit`.
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

/// The rows only in `old`, and the rows only in `new`. Both arguments are in order and hold each row once.
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
