//! Copies the data file as it is at one moment, while the engine goes on writing to it.
//!
//! The moment lies between two commits, so the copy is what a crash at that moment would have left: when it is opened,
//! the engine repairs it as it does after a crash. Before the engine changes a page that has not been copied yet, the
//! page is kept in a scratch file. So a copy may take its time, as a slow network does: it holds neither a snapshot nor
//! the writer, and what it keeps is never more than the file itself.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::ops::{Bound, Range};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{BackendError, StorageBackend};

use super::StoreError;
use super::disk::locks_of;

/// Bytes that are kept together.
const PAGE_BYTES: u64 = PAGE_SIZE as u64;
/// The same, as a size in memory.
const PAGE_SIZE: usize = 4096;
/// Most bytes that are copied while the engine waits: a fraction of a millisecond.
const STEP_BYTES: usize = 256 * 1024;
/// The ending of the scratch file's name, which it has for an instant.
const SCRATCH: &str = "copying";

/// The engine's file, which can be copied.
#[derive(Debug)]
pub(super) struct CopyableFile {
    backend: Box<dyn StorageBackend>,
    moment: Mutex<Option<Moment>>,
}

/// The engine's half of a [`CopyableFile`].
#[derive(Debug)]
pub(super) struct Copyable {
    file: Arc<CopyableFile>,
}

impl Copyable {
    /// The half for the engine of `file`.
    pub(super) fn new(file: &Arc<CopyableFile>) -> Copyable {
        Copyable { file: Arc::clone(file) }
    }
}

/// The state of the file that is being copied.
#[derive(Debug)]
struct Moment {
    /// The length that the file had.
    length: u64,
    /// Everything before this place has been copied.
    next: u64,
    scratch: File,
    /// The places in the scratch file of the pages that were changed since, by their number.
    kept: HashMap<u64, u64>,
    /// The reason why the copy cannot be finished.
    failure: Option<String>,
}

impl CopyableFile {
    pub(super) fn new(backend: impl StorageBackend) -> CopyableFile {
        CopyableFile { backend: Box::new(backend), moment: Mutex::default() }
    }

    fn moment(&self) -> MutexGuard<'_, Option<Moment>> {
        self.moment.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a copy of the file as it is now. To be called while the engine writes nothing.
    pub(super) fn begin(self: &Arc<Self>, scratch: File) -> Result<FileCopy, StoreError> {
        let length = self.backend.len().map_err(StoreError::unavailable)?;
        let mut moment = self.moment();
        if moment.is_some() {
            return Err(StoreError::CopyUnderWay);
        }
        *moment = Some(Moment { length, next: 0, scratch, kept: HashMap::new(), failure: None });
        Ok(FileCopy { file: Arc::clone(self), length })
    }

    /// Keeps what a range of the file holds, which is about to change, if it has not been copied yet.
    fn keep(&self, range: Range<u64>) {
        let mut moment = self.moment();
        let Some(moment) = &mut *moment else { return };
        if moment.failure.is_some() {
            return;
        }
        // The server matters more than its copy.
        if let Err(error) = moment.keep(&*self.backend, range) {
            moment.failure = Some(format!("what changed meanwhile could not be kept: {error}"));
            moment.kept = HashMap::new();
        }
    }
}

impl Moment {
    fn keep(&mut self, backend: &dyn StorageBackend, range: Range<u64>) -> io::Result<()> {
        let (start, end) = (range.start.max(self.next), range.end.min(self.length));
        let mut page = [0; PAGE_SIZE];
        for number in start / PAGE_BYTES..end.div_ceil(PAGE_BYTES).max(start / PAGE_BYTES) {
            if self.kept.contains_key(&number) {
                continue;
            }
            let from = number * PAGE_BYTES;
            let length = usize::try_from(PAGE_BYTES.min(self.length - from)).unwrap_or(page.len());
            backend.read(from, &mut page[..length])?;
            let place = self.kept.len() as u64 * PAGE_BYTES;
            self.scratch.write_all_at(&page[..length], place)?;
            self.kept.insert(number, place);
        }
        Ok(())
    }

    /// Copies what comes next; returns the number of bytes, 0 at the end.
    fn copy(&mut self, backend: &dyn StorageBackend, out: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(io::Error::other(failure.clone()));
        }
        let room = out.len().min(STEP_BYTES);
        let count = usize::try_from(self.length - self.next).map_or(room, |rest| rest.min(room));
        let (begin, end) = (self.next, self.next + count as u64);
        let mut at = begin;
        while at < end {
            let is_kept = |at: u64| self.kept.get(&(at / PAGE_BYTES)).copied();
            let page_end = |at: u64| ((at / PAGE_BYTES + 1) * PAGE_BYTES).min(end);
            let mut stretch_end = page_end(at);
            let kept = is_kept(at);
            while kept.is_none() && stretch_end < end && is_kept(stretch_end).is_none() {
                stretch_end = page_end(stretch_end);
            }
            let part = within(begin, at)..within(begin, stretch_end);
            match kept {
                Some(place) => self.scratch.read_exact_at(&mut out[part], place + at % PAGE_BYTES)?,
                None => backend.read(at, &mut out[part])?,
            }
            at = stretch_end;
        }
        self.next = end;
        Ok(count)
    }
}

fn within(begin: u64, at: u64) -> usize {
    usize::try_from(at - begin).unwrap_or(usize::MAX)
}

/// A copy of the data file that is being made. While it exists, no other can be begun.
#[derive(Debug)]
pub struct FileCopy {
    file: Arc<CopyableFile>,
    length: u64,
}

impl FileCopy {
    /// The length of the copy in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl Read for FileCopy {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut moment = self.file.moment();
        let moment = moment.as_mut().ok_or_else(|| io::Error::other("the copy has ended"))?;
        moment.copy(&*self.file.backend, out)
    }
}

impl Drop for FileCopy {
    fn drop(&mut self) {
        *self.file.moment() = None;
    }
}

/// Makes a file beside the data file that is gone when it is closed, however this process ends.
pub(super) fn scratch_beside(path: &Path) -> io::Result<File> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{SCRATCH}"));
    let mut how = OpenOptions::new();
    let file = how.read(true).write(true).create(true).truncate(true).mode(0o600).open(&name)?;
    fs::remove_file(&name)?;
    Ok(file)
}

impl StorageBackend for Copyable {
    fn len(&self) -> io::Result<u64> {
        self.file.backend.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.backend.read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.file.keep(length..u64::MAX);
        self.file.backend.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.backend.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.file.keep(offset..offset + data.len() as u64);
        self.file.backend.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        // From here on another process may write to the file.
        if let Some(moment) = &mut *self.file.moment() {
            moment.failure = Some("the data file was closed".to_owned());
        }
        self.file.backend.close()
    }

    locks_of!(file.backend);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use redb::backends::InMemoryBackend;

    use super::*;

    const LENGTH_MAX: u64 = 20 * PAGE_BYTES;

    #[derive(Debug, Clone)]
    enum Step {
        Write { offset: u64, bytes: u64, fill: u8 },
        SetLength(u64),
        Copy(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..LENGTH_MAX, 1..3 * PAGE_BYTES, any::<u8>())
                .prop_map(|(offset, bytes, fill)| Step::Write { offset, bytes, fill }),
            1 => (0..LENGTH_MAX).prop_map(Step::SetLength),
            2 => (1..20_000_usize).prop_map(Step::Copy),
        ]
    }

    fn apply(file: &Copyable, step: &Step) {
        match step {
            Step::Write { offset, bytes, fill } => {
                if file.len().unwrap() < offset + bytes {
                    file.set_len(offset + bytes).unwrap();
                }
                file.write(*offset, &vec![*fill; usize::try_from(*bytes).unwrap()]).unwrap();
            }
            Step::SetLength(length) => file.set_len(*length).unwrap(),
            Step::Copy(_) => {}
        }
    }

    proptest! {
        #[test]
        fn a_copy_has_every_byte_of_its_moment_whatever_is_written_meanwhile(
            before in proptest::collection::vec(step(), 0..12),
            after in proptest::collection::vec(step(), 0..40),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let file = Copyable::new(&Arc::new(CopyableFile::new(InMemoryBackend::new())));
            for step in &before {
                apply(&file, step);
            }
            let mut expected = vec![0; usize::try_from(file.len().unwrap()).unwrap()];
            file.read(0, &mut expected).unwrap();
            let mut copy = file.file.begin(scratch_beside(&folder.path().join("data")).unwrap()).unwrap();
            prop_assert!(file.file.begin(scratch_beside(&folder.path().join("data")).unwrap()).is_err());
            let mut copied = Vec::new();
            for step in &after {
                apply(&file, step);
                if let Step::Copy(bytes) = step {
                    let mut out = vec![0; *bytes];
                    let count = copy.read(&mut out).unwrap();
                    copied.extend_from_slice(&out[..count]);
                }
            }
            copy.read_to_end(&mut copied).unwrap();
            prop_assert!(copied == expected);
            drop(copy);
            prop_assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            prop_assert!(file.file.begin(scratch_beside(&folder.path().join("data")).unwrap()).is_ok());
        }
    }

    #[test]
    fn a_copy_ends_with_an_error_when_its_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let file = Copyable::new(&Arc::new(CopyableFile::new(InMemoryBackend::new())));
        file.set_len(3 * PAGE_BYTES).unwrap();
        let mut copy = file.file.begin(scratch_beside(&folder.path().join("data")).unwrap()).unwrap();
        copy.read_exact(&mut [0; 10]).unwrap();
        file.close().unwrap();
        assert!(copy.read(&mut [0; 10]).unwrap_err().to_string().contains("closed"));
    }
}
