//! Keeps the changes to a data file in memory until the file is accepted.
//!
//! The engine writes while it opens a file: a mark that it is open and, after a crash, its repairs. A file that a newer
//! program wrote must be refused without a byte of it changing. So [`Store::open_checked`](super::Store::open_checked)
//! opens it on a [`StagedFile`], reads its version, and then either drops it with all its changes or releases it: the
//! changes are written in their order, and from then on every write goes straight to the file.

use std::io;
use std::ops::{Bound, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{BackendError, StorageBackend};

use super::disk::locks_of;

/// A file, and the changes to it that are waiting.
#[derive(Debug)]
pub(super) struct StagedFile<B> {
    backend: B,
    /// Whether the changes were written: none is kept back any more.
    is_released: AtomicBool,
    /// An opening makes a handful of changes, so reads go through the whole list.
    waiting: Mutex<Vec<Change>>,
}

#[derive(Debug)]
enum Change {
    Write { offset: u64, bytes: Vec<u8> },
    SetLength(u64),
    Sync,
}

/// The engine's half of a [`StagedFile`].
#[derive(Debug)]
pub(super) struct Staged<B> {
    file: Arc<StagedFile<B>>,
}

impl<B> Staged<B> {
    /// The half for the engine; the other half, `file`, releases the changes.
    pub(super) fn new(file: &Arc<StagedFile<B>>) -> Staged<B> {
        Staged { file: Arc::clone(file) }
    }
}

/// A file that can be released.
pub(super) trait Release {
    /// Writes the waiting changes, in their order. After a failure some of them may be written.
    fn release(&self) -> io::Result<()>;
}

impl<B: StorageBackend> StagedFile<B> {
    /// Keeps changes back from now on.
    pub(super) fn new(backend: B) -> StagedFile<B> {
        StagedFile { backend, is_released: AtomicBool::new(false), waiting: Mutex::default() }
    }

    /// The waiting changes; `None` once the file was released.
    fn waiting(&self) -> Option<MutexGuard<'_, Vec<Change>>> {
        if self.is_released.load(Ordering::Acquire) {
            return None;
        }
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have released it meanwhile.
        (!self.is_released.load(Ordering::Acquire)).then_some(waiting)
    }

    fn length(&self, waiting: &[Change]) -> io::Result<u64> {
        let set = waiting.iter().rev().find_map(|change| match change {
            Change::SetLength(length) => Some(*length),
            Change::Write { .. } | Change::Sync => None,
        });
        set.map_or_else(|| self.backend.len(), Ok)
    }

    fn read_staged(&self, waiting: &[Change], offset: u64, out: &mut [u8]) -> io::Result<()> {
        let wanted = offset..offset.saturating_add(out.len() as u64);
        if self.length(waiting)? < wanted.end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.fill(0);
        let on_disk = overlap(&wanted, &(0..self.backend.len()?));
        if !on_disk.is_empty() {
            self.backend.read(offset, &mut out[within(&wanted, &on_disk)])?;
        }
        for change in waiting {
            match change {
                Change::Write { offset, bytes } => {
                    let written = *offset..offset + bytes.len() as u64;
                    let common = overlap(&wanted, &written);
                    if !common.is_empty() {
                        out[within(&wanted, &common)].copy_from_slice(&bytes[within(&written, &common)]);
                    }
                }
                // The part that was cut off reads as zeros when the file grows again.
                Change::SetLength(length) => {
                    out[within(&wanted, &overlap(&wanted, &(*length..u64::MAX)))].fill(0);
                }
                Change::Sync => {}
            }
        }
        Ok(())
    }
}

/// The intersection of two ranges; if it is empty, an empty range inside the first.
fn overlap(first: &Range<u64>, second: &Range<u64>) -> Range<u64> {
    let start = second.start.clamp(first.start, first.end);
    start..second.end.clamp(start, first.end)
}

/// The position of a part of a range in a buffer that holds the whole range.
fn within(whole: &Range<u64>, part: &Range<u64>) -> Range<usize> {
    let place = |at: u64| usize::try_from(at - whole.start).unwrap_or(usize::MAX);
    place(part.start)..place(part.end)
}

impl<B: StorageBackend> Release for StagedFile<B> {
    fn release(&self) -> io::Result<()> {
        let Some(mut waiting) = self.waiting() else { return Ok(()) };
        for change in waiting.drain(..) {
            match change {
                Change::Write { offset, bytes } => self.backend.write(offset, &bytes)?,
                Change::SetLength(length) => self.backend.set_len(length)?,
                Change::Sync => self.backend.sync_data()?,
            }
        }
        self.is_released.store(true, Ordering::Release);
        Ok(())
    }
}

impl<B: StorageBackend> StorageBackend for StagedFile<B> {
    fn len(&self) -> io::Result<u64> {
        match self.waiting() {
            None => self.backend.len(),
            Some(waiting) => self.length(&waiting),
        }
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match self.waiting() {
            None => self.backend.read(offset, out),
            Some(waiting) => self.read_staged(&waiting, offset, out),
        }
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        match self.waiting() {
            None => self.backend.set_len(length),
            Some(mut waiting) => {
                waiting.push(Change::SetLength(length));
                Ok(())
            }
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        match self.waiting() {
            None => self.backend.sync_data(),
            Some(mut waiting) => {
                waiting.push(Change::Sync);
                Ok(())
            }
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        match self.waiting() {
            None => self.backend.write(offset, data),
            Some(mut waiting) => {
                waiting.push(Change::Write { offset, bytes: data.to_vec() });
                Ok(())
            }
        }
    }

    fn close(&self) -> io::Result<()> {
        self.backend.close()
    }

    locks_of!(backend);
}

impl<B: StorageBackend> StorageBackend for Staged<B> {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    locks_of!(file);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use redb::backends::InMemoryBackend;

    use super::*;

    const LENGTH_MAX: u64 = 200;

    /// An operation on a file.
    #[derive(Debug, Clone)]
    enum Step {
        Write { start: u64, length: u64 },
        SetLength(u64),
        Sync,
        Release,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            8 => (0..LENGTH_MAX, 1..60_u64).prop_map(|(start, length)| Step::Write { start, length }),
            3 => (0..LENGTH_MAX).prop_map(Step::SetLength),
            1 => Just(Step::Sync),
            1 => Just(Step::Release),
        ]
    }

    fn content(file: &impl StorageBackend) -> Vec<u8> {
        let mut content = vec![0xff; usize::try_from(file.len().unwrap()).unwrap()];
        file.read(0, &mut content).unwrap();
        content
    }

    fn file_with(bytes: &[u8]) -> InMemoryBackend {
        let file = InMemoryBackend::new();
        file.set_len(bytes.len() as u64).unwrap();
        file.write(0, bytes).unwrap();
        file
    }

    proptest! {
        #[test]
        fn a_staged_file_reads_as_if_it_were_changed_and_changes_when_it_is_released(
            steps in prop::collection::vec(step(), 1..30),
        ) {
            let before = [1; 100];
            let (plain, staged) = (file_with(&before), StagedFile::new(file_with(&before)));
            let mut is_released = false;
            for (number, step) in (2..).zip(steps) {
                match step {
                    Step::Write { start, length } => {
                        let end = plain.len().unwrap().min(start + length);
                        let bytes = vec![number; usize::try_from(end.saturating_sub(start)).unwrap()];
                        if !bytes.is_empty() {
                            plain.write(start, &bytes).unwrap();
                            staged.write(start, &bytes).unwrap();
                        }
                    }
                    Step::SetLength(length) => {
                        plain.set_len(length).unwrap();
                        staged.set_len(length).unwrap();
                    }
                    Step::Sync => staged.sync_data().unwrap(),
                    Step::Release => {
                        staged.release().unwrap();
                        is_released = true;
                    }
                }
                prop_assert_eq!(content(&staged), content(&plain));
                let expected = if is_released { content(&plain) } else { before.to_vec() };
                prop_assert_eq!(content(&staged.backend), expected);
                let mut part = vec![0xff; usize::try_from(plain.len().unwrap() / 2).unwrap()];
                staged.read(plain.len().unwrap() / 3, &mut part).unwrap();
                let start = usize::try_from(plain.len().unwrap() / 3).unwrap();
                prop_assert_eq!(&part[..], &content(&plain)[start..start + part.len()]);
                prop_assert!(staged.read(plain.len().unwrap(), &mut [0]).is_err());
            }
        }
    }
}
