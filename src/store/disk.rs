//! Opens data files: on the system's disk or, in tests, on one that fails on purpose.
//!
//! A file opens without a byte of it changing, until it is released. The server always uses the system's disk.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::Arc;

use redb::{ReadableDatabase, StorageBackend};
use rustix::fs::{Advice, fadvise, statvfs};

use super::copy::{Copyable, CopyableFile};
use super::fault::{DiskControl, FaultyDisk};
use super::preallocate::PreallocatingFile;
use super::staged::{Release, Staged, StagedFile};
use super::{StoreError, builder};

/// The lock methods of a storage backend, passed on to the named field.
macro_rules! locks_of {
    ($($field:ident).+) => {
        fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
            self.$($field).+.try_lock_range(start, end)
        }

        fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
            self.$($field).+.try_lock_shared_range(start, end)
        }

        fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
            self.$($field).+.lock_range(start, end)
        }

        fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
            self.$($field).+.lock_shared_range(start, end)
        }

        fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
            self.$($field).+.unlock_range(start, end)
        }

        fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
            self.$($field).+.query_lock_range(start, end)
        }
    };
}
pub(super) use locks_of;

/// A disk. The server uses the system's.
#[derive(Clone, Default)]
pub struct Disk(Option<DiskControl>);

impl Disk {
    /// The disk of the system.
    pub const SYSTEM: Disk = Disk(None);

    /// A disk that fails as `control` says, for tests. The files are real files of the system, and hold at any moment
    /// the bytes that a power cut would leave.
    #[must_use]
    pub fn rehearsed(control: &DiskControl) -> Disk {
        Disk(Some(control.clone()))
    }

    /// Opens an existing data file; it does not change until it is released.
    pub(super) fn open(&self, path: &Path, cache_bytes: usize) -> Result<Opening, StoreError> {
        if let Some(control) = &self.0 {
            return open_staged(FaultyDisk::on(path, control)?, cache_bytes);
        }
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(StoreError::unusable)?;
        forget_unwritten(&file).map_err(StoreError::unusable)?;
        open_staged(PreallocatingFile::new(file)?, cache_bytes)
    }

    /// Whether the free space can be taken as unchanged for a moment after it was read.
    pub(super) fn fills_slowly(&self) -> bool {
        self.0.is_none()
    }

    /// Bytes that a process without privileges may still write beside `path`; `None` if the system does not tell.
    #[must_use]
    pub fn free_bytes(&self, path: &Path) -> Option<u64> {
        if let Some(control) = &self.0 {
            return Some(control.free_bytes());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let room = statvfs(folder.unwrap_or(Path::new("."))).ok()?;
        Some(room.f_bavail.saturating_mul(room.f_frsize))
    }
}

/// A data file that is open.
pub(super) struct OpenFile {
    /// The engine.
    pub(super) db: redb::Database,
    /// The file that the engine reads and writes.
    pub(super) file: Arc<CopyableFile>,
}

impl OpenFile {
    /// Opens the content of a backend.
    pub(super) fn of(backend: impl StorageBackend, cache_bytes: usize) -> Result<OpenFile, StoreError> {
        let file = Arc::new(CopyableFile::new(backend));
        let db = builder(cache_bytes).create_with_backend(Copyable::new(&file))?;
        Ok(OpenFile { db, file })
    }
}

/// A data file that is open and not yet changed.
pub(super) struct Opening {
    db: redb::Database,
    file: Arc<CopyableFile>,
    staged: Arc<dyn Release>,
}

impl Opening {
    /// Begins to read the data as it was found.
    pub(super) fn begin_read(&self) -> Result<redb::ReadTransaction, StoreError> {
        Ok(self.db.begin_read()?)
    }

    /// Lets the engine write to the file, which is returned beside it.
    pub(super) fn release(self) -> Result<OpenFile, StoreError> {
        self.staged.release().map_err(StoreError::unusable)?;
        Ok(OpenFile { db: self.db, file: self.file })
    }
}

fn open_staged(backend: impl StorageBackend, cache_bytes: usize) -> Result<Opening, StoreError> {
    let file = Arc::new(CopyableFile::new(backend));
    let staged = Arc::new(StagedFile::new(Copyable::new(&file)));
    let db = builder(cache_bytes).create_with_backend(Staged::new(&staged))?;
    Ok(Opening { db, file, staged })
}

/// Makes the system forget pages of the file that it holds in memory and that are not on the disk.
///
/// If the disk refused a page, the system may keep it in memory as if it had been written. A file that is opened again
/// would then be read as it never was on the disk, and later writes that build on it would be lost with the next power
/// cut.
fn forget_unwritten(file: &File) -> std::io::Result<()> {
    file.sync_data()?;
    // File systems that keep nothing apart from the disk need no advice, and may refuse it.
    let _ = fadvise(file, 0, None, Advice::DontNeed);
    Ok(())
}

impl fmt::Debug for Disk {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_some() { "Disk(rehearsed)" } else { "Disk" })
    }
}
