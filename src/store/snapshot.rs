//! Shares one snapshot of the newest commit among all readers until the next commit.
//!
//! To begin a transaction and to open its tables costs as much as all the reads of a small response, and need not be
//! repeated until something was written. The writer calls [`Newest::forget`] after every commit.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::StoreError;
use super::tx::{Bytes, LOG_TABLE, Layout, Recent, definition, recent_of_log};

/// A table of a snapshot; `None` if it did not exist yet.
pub(super) type SnapshotTable = Option<Arc<redb::ReadOnlyTable<Bytes, Bytes>>>;

/// The data as it was after a commit.
pub(super) struct Snapshot {
    transaction: redb::ReadTransaction,
    /// The tables opened so far.
    tables: RwLock<HashMap<&'static str, SnapshotTable>>,
    layout: Arc<Layout>,
    /// The rows that are not in their places yet, once somebody has read.
    recent: OnceLock<Arc<Recent>>,
    /// Whether the disk failed while it was read.
    has_failed: AtomicBool,
}

impl Snapshot {
    /// Passes a result on, and remembers whether the disk failed.
    pub(super) fn checked<T>(&self, read: Result<T, StoreError>) -> Result<T, StoreError> {
        read.inspect_err(|error| {
            if error.is_outage() {
                self.has_failed.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Whether the disk failed while it was read.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether the file has a table for each name, as those of schema 7 and before have.
    pub(super) fn has_separate_tables(&self) -> Result<bool, StoreError> {
        self.layout.has_separate_tables(|name| Ok(self.table(name)?.is_some()))
    }

    /// The rows that are not in their places yet.
    pub(super) fn recent(&self) -> Result<&Recent, StoreError> {
        if let Some(recent) = self.recent.get() {
            return Ok(recent);
        }
        let found = match self.checked(self.table(LOG_TABLE))? {
            Some(log) => self.checked(recent_of_log(&*log, &self.layout.recent))?,
            None => Arc::default(),
        };
        Ok(self.recent.get_or_init(|| found))
    }

    /// The names of all tables, in order.
    pub(super) fn table_names(&self) -> Result<Vec<String>, StoreError> {
        let tables = self.transaction.list_tables()?;
        let mut names: Vec<String> = tables.map(|table| redb::TableHandle::name(&table).to_owned()).collect();
        names.sort_unstable();
        Ok(names)
    }

    pub(super) fn table(&self, name: &'static str) -> Result<SnapshotTable, StoreError> {
        if let Some(table) = self.tables.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(table.clone());
        }
        let table = match self.transaction.open_table(definition(name)) {
            Ok(table) => Some(Arc::new(table)),
            Err(redb::TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(error.into()),
        };
        // Two may open the same table at the same time; either will do.
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(name, table.clone());
        Ok(table)
    }
}

/// The snapshot of the newest commit, once somebody has read after it.
#[derive(Default)]
pub(super) struct Newest(Mutex<Option<Arc<Snapshot>>>);

impl Newest {
    /// Returns the snapshot; for the first reader after a commit, `begin` takes it.
    pub(super) fn get(
        &self,
        layout: &Arc<Layout>,
        begin: impl FnOnce() -> Result<redb::ReadTransaction, StoreError>,
    ) -> Result<Arc<Snapshot>, StoreError> {
        // The lock is held meanwhile: a snapshot begun before a commit must not be stored here after it.
        let mut newest = self.lock();
        if let Some(snapshot) = &*newest {
            return Ok(Arc::clone(snapshot));
        }
        let snapshot = Arc::new(Snapshot {
            transaction: begin()?,
            tables: RwLock::default(),
            layout: Arc::clone(layout),
            recent: OnceLock::new(),
            has_failed: AtomicBool::new(false),
        });
        *newest = Some(Arc::clone(&snapshot));
        Ok(snapshot)
    }

    /// Must be called after every commit and before any caller is told of it, and when the file is closed.
    pub(super) fn forget(&self) {
        // Outside of the lock: dropping the last reference closes the snapshot.
        let old = self.lock().take();
        drop(old);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Snapshot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
