//! The tables of a write transaction, and the choice of where changed rows go: to their places, or into the log first.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Bound, ControlFlow, Range};
use std::rc::Rc;
use std::sync::Arc;

use redb::{ReadableTable as _, TableHandle as _};

use crate::store::StoreError;
use crate::store::tx::log::{self, LOG_TABLE};
use crate::store::tx::place::{Place, ROWS_TABLE};
use crate::store::tx::recent::{Changes, Recent, RowChange};
use crate::store::tx::undo::UndoLog;
use crate::store::tx::{Bytes, Layout, RowRange, Table, as_slices, definition, visit_table};

/// Changes of a commit that go into the log at most. A commit of more is as cheap without it.
const COMMIT_CHANGES_MAX: usize = 1024;

/// Bytes of a commit that go into the log at most.
const COMMIT_BYTES_MAX: usize = 32 * 1024;

type OpenTable<'txn> = redb::Table<'txn, Bytes, Bytes>;

/// The value that a row has before it is changed, as far as that is known.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before<'a> {
    Unknown,
    Known(Option<&'a [u8]>),
}

/// A row that the transaction has changed.
#[derive(Debug)]
struct Gathered {
    value: Option<Vec<u8>>,
    /// Whether it is known that there was none before the transaction: deleted again, it needs no change.
    is_new: bool,
}

/// The tables of the transaction, each opened once, as the engine underneath demands.
pub(super) struct Tables<'txn> {
    pub(super) transaction: &'txn redb::WriteTransaction,
    /// Shared while a scan walks one, so that the scan's callback can read, even from the same table.
    open: RefCell<HashMap<&'static str, Rc<OpenTable<'txn>>>>,
    layout: &'txn Layout,
    /// Whether the file has a table for each name, once that was looked up.
    is_separate: OnceCell<bool>,
    /// The rows that were not in their places when the transaction began, once that was looked up.
    recent: OnceCell<Arc<Recent>>,
    /// What this transaction has changed since, by stored key.
    changes: BTreeMap<Vec<u8>, Gathered>,
    change_bytes: usize,
    /// Whether the first change brings all rows to their places.
    is_in_place: bool,
    /// Whether all rows are in their places now, where further changes go, too.
    is_merged: bool,
    /// The first failure of the file. After one, nothing of this transaction may be committed, even if the job that met
    /// it ignored it.
    pub(super) failure: OnceCell<StoreError>,
}

impl Gathered {
    fn change<'a>((key, gathered): (&'a Vec<u8>, &'a Gathered)) -> RowChange<'a> {
        (key, gathered.value.as_deref())
    }
}

impl<'txn> Tables<'txn> {
    pub(super) fn new(transaction: &'txn redb::WriteTransaction, layout: &'txn Layout) -> Tables<'txn> {
        Tables {
            transaction,
            open: RefCell::default(),
            layout,
            is_separate: OnceCell::new(),
            recent: OnceCell::new(),
            changes: BTreeMap::new(),
            change_bytes: 0,
            is_in_place: false,
            is_merged: false,
            failure: OnceCell::new(),
        }
    }

    /// Passes the value under a stored key to a function.
    pub(super) fn view<T>(
        &self,
        place: Place,
        key: &[u8],
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError> {
        if self.gathers(place) {
            if let Some(own) = self.changes.get(key) {
                return Ok(own.value.as_deref().map(look));
            }
            if let Some((_, value)) = self.recent()?.get(key) {
                return Ok(value.map(look));
            }
        }
        self.read(place.table, |rows| Ok(rows.get(key)?.map(|value| look(value.value()))))
    }

    /// Passes the rows of a range to `each`, key and value, until it breaks off.
    pub(super) fn visit<B>(
        &self,
        place: Place,
        range: &RowRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        if range.is_empty() {
            return Ok(None);
        }
        let bounds = place.bounds(range);
        let mut changes = Changes::new(range.is_backward());
        if self.gathers(place) {
            let (from, to) = as_slices(&bounds);
            if !self.changes.is_empty() {
                changes.add_older(self.changes.range::<[u8], _>((from, to)).map(Gathered::change));
            }
            changes.add_recent(self.recent()?, from, to);
        }
        self.read(place.table, |rows| visit_table(Some(rows), place, &bounds, changes, each))
    }

    /// Sets the value under a stored key, and notes in `undo` what was there. Returns where that is noted.
    pub(super) fn set(
        &mut self,
        place: Place,
        key: &[u8],
        value: Option<&[u8]>,
        before: Before<'_>,
        undo: &mut UndoLog,
    ) -> Result<Option<Range<usize>>, StoreError> {
        let table = place.table;
        if !self.gathers(place) {
            return self.change(table, |rows| {
                let old = match value {
                    Some(value) => rows.insert(key, value)?,
                    None => rows.remove(key)?,
                };
                Ok(undo.note_row(table, key, old.as_ref().map(redb::AccessGuard::value)))
            });
        }
        let noted = match before {
            Before::Known(old) => undo.note_row(table, key, old),
            Before::Unknown => match self.view(place, key, |old| undo.note_row(table, key, Some(old)))? {
                Some(noted) => noted,
                None => undo.note_row(table, key, None),
            },
        };
        self.gather(key, value, noted.is_none())?;
        Ok(noted)
    }

    /// Sets the value under a stored key of a table, whatever was there.
    pub(super) fn put(
        &mut self,
        table: &'static str,
        key: &[u8],
        value: Option<&[u8]>,
    ) -> Result<(), StoreError> {
        if table == ROWS_TABLE && !self.is_merged {
            return self.gather(key, value, false);
        }
        self.change(table, |rows| {
            match value {
                Some(value) => rows.insert(key, value)?,
                None => rows.remove(key)?,
            };
            Ok(())
        })
    }

    /// Whether changes of rows of this place are kept for the log.
    fn gathers(&self, place: Place) -> bool {
        place.is_shared() && !self.is_merged
    }

    /// Keeps a change for the log. `is_free` says that there is known to be no such row now.
    fn gather(&mut self, key: &[u8], value: Option<&[u8]>, is_free: bool) -> Result<(), StoreError> {
        self.change_bytes += key.len() + value.map_or(0, <[u8]>::len);
        let value = value.map(<[u8]>::to_vec);
        match self.changes.get_mut(key) {
            Some(own) if own.is_new && value.is_none() => drop(self.changes.remove(key)),
            Some(own) => own.value = value,
            None if is_free && value.is_none() => {}
            None => drop(self.changes.insert(key.to_vec(), Gathered { value, is_new: is_free })),
        }
        let is_large = COMMIT_CHANGES_MAX < self.changes.len() || COMMIT_BYTES_MAX < self.change_bytes;
        if self.is_in_place || is_large {
            self.merge()?;
        }
        Ok(())
    }

    /// Ends the changes of the transaction: writes those that were gathered into the log, or brings everything to its
    /// place if the log has no room.
    pub(super) fn keep_gathered(&mut self) -> Result<(), StoreError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let recent = Arc::clone(self.recent()?);
        if !recent.has_room(self.layout.log_changes, self.changes.len(), self.change_bytes) {
            return self.merge();
        }
        let changes = self.changes.iter().map(Gathered::change).collect();
        let known = &self.layout.recent;
        self.change(LOG_TABLE, |rows| log::append(rows, known, &recent, changes))
    }

    /// Lets the first change bring all rows to their places, and all changes go there: without one nothing is done.
    pub(super) fn write_in_place(&mut self) {
        self.is_in_place = true;
    }

    /// Brings all rows to their places; later changes go there, too. Returns whether any was elsewhere.
    pub(super) fn merge_all(&mut self) -> Result<bool, StoreError> {
        let is_needed = !self.changes.is_empty() || !self.recent()?.is_empty();
        if is_needed {
            self.merge()?;
        }
        Ok(is_needed)
    }

    fn merge(&mut self) -> Result<(), StoreError> {
        let recent = Arc::clone(self.recent()?);
        let own = std::mem::take(&mut self.changes);
        self.is_merged = true;
        let mut changes = Changes::new(false);
        changes.add_older(own.iter().map(Gathered::change));
        changes.add_recent(&recent, Bound::Unbounded, Bound::Unbounded);
        self.change(ROWS_TABLE, |rows| {
            for (key, value) in changes {
                match value {
                    Some(value) => rows.insert(key, value)?,
                    None => rows.remove(key)?,
                };
            }
            Ok(())
        })?;
        if recent.is_empty() {
            return Ok(());
        }
        self.change(LOG_TABLE, |log| Ok(log.retain(|_, _| false)?))
    }

    fn recent(&self) -> Result<&Arc<Recent>, StoreError> {
        if let Some(recent) = self.recent.get() {
            return Ok(recent);
        }
        let found = self.read(LOG_TABLE, |rows| log::recent_of_log(rows, &self.layout.recent))?;
        Ok(self.recent.get_or_init(|| found))
    }

    fn read<T>(
        &self,
        table: &'static str,
        read: impl FnOnce(&OpenTable<'txn>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let rows = self.get(table).map_err(|error| self.note_failure(error))?;
        read(&rows).map_err(|error| self.note_failure(error))
    }

    pub(super) fn change<T>(
        &mut self,
        table: &'static str,
        change: impl FnOnce(&mut OpenTable<'txn>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if !self.open.get_mut().contains_key(table) {
            self.get(table).map_err(|error| self.note_failure(error))?;
        }
        let rows = self.open.get_mut().get_mut(table).and_then(Rc::get_mut);
        let rows = rows.expect("a scan borrows the transaction, so none is under way");
        change(rows).map_err(|error| self.note_failure(error))
    }

    pub(super) fn place(&self, table: Table) -> Result<Place, StoreError> {
        if table.is_apart() {
            return Ok(table.place(false));
        }
        if let Some(known) = self.is_separate.get() {
            return Ok(table.place(*known));
        }
        let found = self.layout.has_separate_tables(|name| {
            Ok(self.transaction.list_tables()?.any(|table| table.name() == name))
        });
        let found = found.map_err(|error| self.note_failure(error))?;
        Ok(table.place(*self.is_separate.get_or_init(|| found)))
    }

    fn get(&self, table: &'static str) -> Result<Rc<OpenTable<'txn>>, StoreError> {
        if let Some(rows) = self.open.borrow().get(table) {
            return Ok(Rc::clone(rows));
        }
        let rows = Rc::new(self.transaction.open_table(definition(table))?);
        self.open.borrow_mut().insert(table, Rc::clone(&rows));
        Ok(rows)
    }

    /// Removes a table with all its rows.
    pub(super) fn remove(&mut self, table: &'static str) -> Result<(), StoreError> {
        self.open.get_mut().remove(table);
        let removed = self.transaction.delete_table(definition(table));
        removed.map(drop).map_err(|error| self.note_failure(error.into()))
    }

    /// Renames a table if one of the old name exists.
    pub(super) fn rename(&mut self, old: &'static str, new: &'static str) -> Result<(), StoreError> {
        self.open.get_mut().remove(old);
        match self.transaction.rename_table(definition(old), definition(new)) {
            Ok(()) | Err(redb::TableError::TableDoesNotExist(_)) => Ok(()),
            Err(error) => Err(self.note_failure(error.into())),
        }
    }

    fn note_failure(&self, error: StoreError) -> StoreError {
        // The first failure is the one worth reporting.
        let _ = self.failure.set(error.clone());
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fault::{DiskControl, Fault, FaultyDisk};
    use crate::store::{Entity, Index, Key, Store, StoreOptions, WriteTx};

    #[derive(Debug, serde::Serialize, serde::Deserialize)]
    struct Note {
        id: u64,
        text: String,
    }

    fn keys(note: &Note) -> Vec<Key> {
        vec![Key::new().text(&note.text)]
    }

    static INDEXES: [Index<Note>; 4] = [
        Index::multi("note.a", keys),
        Index::multi("note.b", keys),
        Index::multi("note.c", keys),
        Index::multi("note.d", keys),
    ];

    impl Entity for Note {
        const TABLE: &'static str = "note";
        const INDEXES: &'static [&'static Index<Note>] =
            &[&INDEXES[0], &INDEXES[1], &INDEXES[2], &INDEXES[3]];

        fn id(&self) -> u64 {
            self.id
        }

        fn scope(&self) -> u64 {
            0
        }
    }

    struct Notes {
        store: Store,
        disk: DiskControl,
        folder: tempfile::TempDir,
    }

    impl Notes {
        fn new() -> Notes {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("data");
            let options = StoreOptions { log_changes: 200, ..StoreOptions::default() };
            Store::open(&path, options.clone()).unwrap().close_blocking();
            let (backend, disk) = FaultyDisk::open(&path, Fault::None).unwrap();
            Notes { store: Store::open_with_backend(backend, &options).unwrap(), disk, folder }
        }

        /// Writes so many notes in each of some commits, all of them in place of others but the first time.
        fn rewrite(&self, commits: u64, notes: u64) {
            for commit in 0..commits {
                let write = move |tx: &mut WriteTx<'_>| {
                    (0..notes).try_for_each(|id| tx.put(&Note { id, text: format!("{commit} {id}") }))
                };
                self.store.write_blocking::<_, StoreError, _>(write).unwrap();
            }
        }

        fn add(&self, first: u64, commits: u64) {
            for id in first..first + commits {
                let note = Note { id, text: format!("{id:08}").repeat(10) };
                self.store.write_blocking::<_, StoreError, _>(move |tx| tx.put(&note)).unwrap();
            }
        }

        fn file_bytes(&self) -> u64 {
            std::fs::metadata(self.folder.path().join("data")).unwrap().len()
        }
    }

    #[test]
    fn a_small_commit_writes_few_pages_however_many_indexes_there_are() {
        let notes = Notes::new();
        notes.add(0, 300);
        let (writes, bytes) = (notes.disk.writes(), notes.disk.bytes_written());
        notes.add(300, 1000);
        let (writes, bytes) = (notes.disk.writes() - writes, notes.disk.bytes_written() - bytes);
        // Two pages of the log, the list of tables, three pages of the engine's own and its header, but for what is
        // merged now and then.
        assert!(writes < 7500 && bytes < 26 * 1024 * 1000, "{writes} writes, {bytes} bytes");
    }

    #[test]
    fn the_file_does_not_grow_where_nothing_is_added() {
        for notes_per_commit in [1, 100, 1500] {
            let notes = Notes::new();
            notes.rewrite(40, notes_per_commit);
            let before = notes.file_bytes();
            notes.rewrite(60, notes_per_commit);
            let growth = notes.file_bytes().saturating_sub(before);
            assert_eq!(growth, 0, "with {notes_per_commit} notes a commit, from {before}");
        }
    }
}
