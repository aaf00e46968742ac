//! Simulates a disk that fails on demand, to test what the store promises when a disk fails.
//!
//! The server never uses it. Tests open a store, or a whole server, on a [`FaultyDisk`]. It keeps the process's writes
//! in memory and passes them to the file only when they are synced, as an operating system may. So the file always
//! holds what a power cut at that moment would leave, and can be opened afterwards.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Error};
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

use super::StoreError;
use super::disk::locks_of;

/// A planned failure. Writes and syncs are counted from the making of the [`DiskControl`]; the first is number 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fault {
    /// No failure.
    #[default]
    None,
    /// The n-th write reports an error, and nothing of it is written.
    FailWrite(u64),
    /// The n-th sync reports an error. Some of the writes since the sync before it reach the disk, the others are lost,
    /// though the process still reads all of them until it opens the file again.
    FailSync(u64),
    /// Every write, sync and opening reports an error of this kind, until another failure is planned.
    FailAll(io::ErrorKind),
    /// The power fails at the n-th sync: of the writes since the sync before it, only those of `survives` reach the
    /// file, and no later write does. The process is told that all went well.
    FreezeAtSync {
        /// The sync that does not happen.
        sync: u64,
        /// The unsynced writes that still reach the file.
        survives: Survives,
    },
    /// The power fails at the n-th sync, and the process with it: every later call returns an error.
    CutAtSync {
        /// The sync that does not happen.
        sync: u64,
        /// The unsynced writes that still reach the file.
        survives: Survives,
    },
    /// The power fails in the middle of the n-th write, and the process with it. The file gets the first bytes of that
    /// write, as many whole sectors as the seed says, and some of the unsynced writes before it.
    TearWrite {
        /// The write that is cut short.
        write: u64,
        /// Chooses the writes that reach the file.
        seed: u64,
    },
}

/// The unsynced writes that survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Survives {
    /// None of them.
    Nothing,
    /// All of them: only the reply was lost.
    Everything,
    /// Some of them, chosen by this seed: a disk may write in any order.
    Some(u64),
}

/// Bytes that a disk writes all or not at all.
const SECTOR_BYTES: usize = 512;

/// A file behind a disk that fails as planned.
#[derive(Debug)]
pub struct FaultyDisk {
    /// Only its locks are used.
    lock: FileBackend,
    control: DiskControl,
    file: Mutex<Open>,
}

/// The plan of a [`FaultyDisk`], which outlives the opening of a file. Clones share it.
#[derive(Debug, Clone)]
pub struct DiskControl(Arc<Mutex<Plan>>);

#[derive(Debug)]
struct Plan {
    fault: Fault,
    writes: u64,
    bytes_written: u64,
    stretches: u64,
    syncs: u64,
    power: Power,
    free_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Power {
    On,
    /// The power failed, and the process does not know it.
    Frozen,
    /// The power failed, and every call returns an error.
    Off,
}

/// An open file.
#[derive(Debug)]
struct Open {
    file: std::fs::File,
    /// The file's content as the process believes it to be.
    content: Vec<u8>,
    unsynced: Vec<Change>,
}

#[derive(Debug)]
enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    SetLength(u64),
}

impl FaultyDisk {
    /// Opens or creates the file on a disk that fails as `fault` says.
    pub fn open(path: &Path, fault: Fault) -> Result<(FaultyDisk, DiskControl), StoreError> {
        let control = DiskControl::new();
        control.plan(fault);
        Ok((FaultyDisk::on(path, &control)?, control))
    }

    /// Opens or creates the file on the disk of `control`.
    pub(super) fn on(path: &Path, control: &DiskControl) -> Result<FaultyDisk, StoreError> {
        control.lock().check().map_err(StoreError::unusable)?;
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let file = how.open(path).map_err(StoreError::unusable)?;
        let content = std::fs::read(path).map_err(StoreError::unusable)?;
        let lock = FileBackend::new(file.try_clone().map_err(StoreError::unusable)?)?;
        let open = Open { file, content, unsynced: Vec::new() };
        Ok(FaultyDisk { lock, control: control.clone(), file: Mutex::new(open) })
    }

    fn file(&self) -> MutexGuard<'_, Open> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for DiskControl {
    fn default() -> DiskControl {
        DiskControl::new()
    }
}

impl DiskControl {
    /// A disk without failures and with unlimited room.
    #[must_use]
    pub fn new() -> DiskControl {
        let plan = Plan {
            fault: Fault::None,
            writes: 0,
            bytes_written: 0,
            stretches: 0,
            syncs: 0,
            power: Power::On,
            free_bytes: u64::MAX,
        };
        DiskControl(Arc::new(Mutex::new(plan)))
    }

    /// The number of syncs so far.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// The number of writes so far.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.lock().writes
    }

    /// The bytes of all writes so far.
    #[must_use]
    pub fn bytes_written(&self) -> u64 {
        self.lock().bytes_written
    }

    /// The number of contiguous ranges of the file that the syncs wrote.
    #[must_use]
    pub fn stretches(&self) -> u64 {
        self.lock().stretches
    }

    /// Whether the power has failed: what is acknowledged from now on is lost.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.lock().power != Power::On
    }

    /// Plans another failure; the counting goes on.
    pub fn plan(&self, fault: Fault) {
        self.lock().fault = fault;
    }

    /// The free space that the disk reports, in bytes.
    #[must_use]
    pub fn free_bytes(&self) -> u64 {
        self.lock().free_bytes
    }

    /// Sets the free space that the disk reports, in bytes.
    pub fn leave_free(&self, bytes: u64) {
        self.lock().free_bytes = bytes;
    }

    fn lock(&self) -> MutexGuard<'_, Plan> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plan {
    /// Returns an error if every access fails now.
    fn check(&self) -> io::Result<()> {
        match (self.power, self.fault) {
            (Power::Off, _) => Err(Error::other("the power is off")),
            (_, Fault::FailAll(kind)) => Err(kind.into()),
            _ => Ok(()),
        }
    }
}

impl Open {
    fn sync(&mut self, plan: &mut Plan) -> io::Result<()> {
        plan.check()?;
        plan.syncs += 1;
        plan.stretches += self.unsynced_stretches();
        if plan.power == Power::Frozen {
            self.unsynced.clear();
            return Ok(());
        }
        let now = plan.syncs;
        match plan.fault {
            Fault::FailSync(sync) if sync == now => {
                self.apply(Survives::Some(sync))?;
                Err(Error::other("planned sync failure"))
            }
            Fault::FreezeAtSync { sync, survives } if sync == now => {
                plan.power = Power::Frozen;
                self.apply(survives)
            }
            Fault::CutAtSync { sync, survives } if sync == now => {
                plan.power = Power::Off;
                self.apply(survives)?;
                plan.check()
            }
            _ => self.apply(Survives::Everything),
        }
    }

    fn write(&mut self, plan: &mut Plan, offset: u64, data: &[u8]) -> io::Result<()> {
        plan.check()?;
        plan.writes += 1;
        plan.bytes_written += data.len() as u64;
        match plan.fault {
            Fault::FailWrite(write) if write == plan.writes => {
                return Err(Error::other("planned write failure"));
            }
            Fault::TearWrite { write, seed } if write == plan.writes => {
                plan.power = Power::Off;
                let sectors = data.len().div_ceil(SECTOR_BYTES);
                let kept = usize::try_from(mixed(seed)).unwrap_or(usize::MAX) % (sectors + 1);
                let bytes = data[..data.len().min(kept * SECTOR_BYTES)].to_vec();
                self.apply(Survives::Some(seed))?;
                self.file.write_all_at(&bytes, offset)?;
                return plan.check();
            }
            _ => {}
        }
        let start = to_index(offset)?;
        let end = start + data.len();
        if self.content.len() < end {
            self.content.resize(end, 0);
        }
        self.content[start..end].copy_from_slice(data);
        self.unsynced.push(Change::Write { offset, bytes: data.to_vec() });
        Ok(())
    }

    fn unsynced_stretches(&self) -> u64 {
        let mut writes = BTreeMap::new();
        for change in &self.unsynced {
            if let Change::Write { offset, bytes } = change {
                writes.insert(*offset, offset + bytes.len() as u64);
            }
        }
        let (mut stretches, mut end) = (0, None);
        for (start, next_end) in writes {
            stretches += u64::from(end != Some(start));
            end = Some(next_end);
        }
        stretches
    }

    /// Writes the surviving unsynced changes to the file; the others are lost.
    fn apply(&mut self, survives: Survives) -> io::Result<()> {
        for (place, change) in (0..).zip(std::mem::take(&mut self.unsynced)) {
            if !survives.includes(place) {
                continue;
            }
            match change {
                Change::Write { offset, bytes } => self.file.write_all_at(&bytes, offset)?,
                Change::SetLength(length) => self.file.set_len(length)?,
            }
        }
        Ok(())
    }
}

impl Survives {
    fn includes(self, place: u64) -> bool {
        match self {
            Survives::Nothing => false,
            Survives::Everything => true,
            Survives::Some(seed) => mixed(seed ^ place) >> 63 == 0,
        }
    }
}

/// One step of splitmix64: any seed gives other bits.
fn mixed(seed: u64) -> u64 {
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

impl StorageBackend for FaultyDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file().content.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let file = self.file();
        let start = to_index(offset)?;
        let part = start.checked_add(out.len()).and_then(|end| file.content.get(start..end));
        out.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut file = self.file();
        self.control.lock().check()?;
        file.content.resize(to_index(length)?, 0);
        file.unsynced.push(Change::SetLength(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file().sync(&mut self.control.lock())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file().write(&mut self.control.lock(), offset, data)
    }

    fn close(&self) -> io::Result<()> {
        // Without a power cut, unsynced data reaches the disk in the end.
        if self.control.lock().power == Power::On {
            self.file().apply(Survives::Everything)?;
        }
        self.lock.close()
    }

    locks_of!(lock);
}

fn to_index(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| Error::from(io::ErrorKind::InvalidInput))
}
