//! A disk that fails on demand, for rehearsing what the store promises when one does.
//!
//! The server never uses it. Tests and benches open a store on a [`FaultyDisk`], which keeps what the process
//! has written in memory and passes it to the file only when it is synced, as an operating system may. So the
//! file always holds what a power cut at that moment would leave, and can be opened afterwards.

use std::fs::OpenOptions;
use std::io::{self, Error};
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

use super::StoreError;

/// What goes wrong, counted from the opening of the file. The first sync is number 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// Nothing.
    #[default]
    None,
    /// The n-th write reports an error.
    FailWrite(u64),
    /// The n-th sync reports an error.
    FailSync(u64),
    /// The power fails at the n-th sync: of what was written since the one before, only `survives` reaches the
    /// file, and of what comes later nothing. The process is told that all went well.
    FreezeAtSync {
        /// The sync that does not happen.
        sync: u64,
        /// What of the unsynced writes the file still gets.
        survives: Survives,
    },
}

/// Which unsynced writes outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Survives {
    /// None of them.
    Nothing,
    /// All of them: only the answer was lost.
    Everything,
    /// Some of them, chosen by this seed: a disk may write in any order.
    Some(u64),
}

/// A file behind a disk that fails as planned.
#[derive(Debug)]
pub struct FaultyDisk {
    /// Only its locks are used.
    lock: FileBackend,
    state: Arc<Mutex<State>>,
}

/// Watches a [`FaultyDisk`] and changes its plan while a store uses it.
#[derive(Debug, Clone)]
pub struct DiskControl(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    file: std::fs::File,
    /// What the process believes the file to hold.
    content: Vec<u8>,
    unsynced: Vec<Change>,
    fault: Fault,
    writes: u64,
    syncs: u64,
    is_frozen: bool,
}

#[derive(Debug)]
enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    SetLength(u64),
}

impl FaultyDisk {
    /// Opens or makes the file, to fail as `fault` says.
    pub fn open(path: &Path, fault: Fault) -> Result<(FaultyDisk, DiskControl), StoreError> {
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let file = how.open(path).map_err(StoreError::unusable)?;
        let content = std::fs::read(path).map_err(StoreError::unusable)?;
        let lock = FileBackend::new(file.try_clone().map_err(StoreError::unusable)?)?;
        let unsynced = Vec::new();
        let state = State { file, content, unsynced, fault, writes: 0, syncs: 0, is_frozen: false };
        let state = Arc::new(Mutex::new(state));
        Ok((FaultyDisk { lock, state: Arc::clone(&state) }, DiskControl(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DiskControl {
    /// How many syncs there were.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// How many writes there were.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.state().writes
    }

    /// Whether the power has failed: what is acknowledged from now on is lost.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.state().is_frozen
    }

    /// Plans something else; the counting goes on.
    pub fn plan(&self, fault: Fault) {
        self.state().fault = fault;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn sync(&mut self) -> io::Result<()> {
        self.syncs += 1;
        if self.is_frozen {
            self.unsynced.clear();
            return Ok(());
        }
        match self.fault {
            Fault::FailSync(sync) if sync == self.syncs => return Err(Error::other("planned sync failure")),
            Fault::FreezeAtSync { sync, survives } if sync == self.syncs => {
                self.is_frozen = true;
                let unsynced = std::mem::take(&mut self.unsynced);
                for (place, change) in (0..).zip(unsynced) {
                    if survives.includes(place) {
                        self.apply(&change)?;
                    }
                }
                return Ok(());
            }
            Fault::None | Fault::FailWrite(_) | Fault::FailSync(_) | Fault::FreezeAtSync { .. } => {}
        }
        for change in std::mem::take(&mut self.unsynced) {
            self.apply(&change)?;
        }
        Ok(())
    }

    fn apply(&self, change: &Change) -> io::Result<()> {
        match change {
            Change::Write { offset, bytes } => self.file.write_all_at(bytes, *offset),
            Change::SetLength(length) => self.file.set_len(*length),
        }
    }
}

impl Survives {
    fn includes(self, place: u64) -> bool {
        match self {
            Survives::Nothing => false,
            Survives::Everything => true,
            // One step of splitmix64: any seed gives another half of the writes.
            Survives::Some(seed) => {
                let mixed = (seed ^ place).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                ((mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 63) == 0
            }
        }
    }
}

impl StorageBackend for FaultyDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().content.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        let start = to_index(offset)?;
        let part = start.checked_add(out.len()).and_then(|end| state.content.get(start..end));
        out.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut state = self.state();
        state.content.resize(to_index(length)?, 0);
        state.unsynced.push(Change::SetLength(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.state().sync()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut state = self.state();
        state.writes += 1;
        if state.fault == Fault::FailWrite(state.writes) {
            return Err(Error::other("planned write failure"));
        }
        let start = to_index(offset)?;
        let end = start + data.len();
        if state.content.len() < end {
            state.content.resize(end, 0);
        }
        state.content[start..end].copy_from_slice(data);
        state.unsynced.push(Change::Write { offset, bytes: data.to_vec() });
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.lock.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.lock.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.lock.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.lock.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.lock.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.lock.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.lock.query_lock_range(start, end)
    }
}

fn to_index(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| Error::from(io::ErrorKind::InvalidInput))
}
