//! The data file on the system's disk. Pages get their place on the disk before they are first written.
//!
//! The file grows to twice its length at a time, and its new part has no place on the disk until it is written. The
//! flush of a page that has just got its place writes the file system's own records too: on ext4 with a journal, a
//! commit with two such pages among twenty takes a quarter to a half longer. So the first write into a new part writes
//! zeros behind itself, in one piece, and for some hundred commits every page has its place.
//!
//! Zeros are written only where nothing ever was: in the part that the file has grown by since it was opened, behind
//! everything that was written there. No file system is asked where its data ends, as some have given wrong answers. A
//! crash leaves zeros there or nothing, which read the same.

use std::fs::File;
use std::io;
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, StorageBackend};

use super::StoreError;
use super::disk::locks_of;

/// Bytes that get their place before they are needed: some milliseconds of writing, once in hundreds of commits.
const AHEAD_BYTES: u64 = 1024 * 1024;

/// An open data file.
#[derive(Debug)]
pub(super) struct PreallocatingFile {
    file: File,
    backend: FileBackend,
    /// The start of the part of the file in which only zeros were ever written. Until the file grows, no part of it is
    /// known to be blank: another process may write until the file is locked.
    blank_from: Mutex<u64>,
}

impl PreallocatingFile {
    /// Wraps an open file.
    pub(super) fn new(file: File) -> Result<PreallocatingFile, StoreError> {
        let backend = FileBackend::new(file.try_clone().map_err(StoreError::unusable)?)?;
        Ok(PreallocatingFile { file, backend, blank_from: Mutex::new(u64::MAX) })
    }

    /// Gives a range that is about to be written its place on the disk, and the bytes behind it.
    fn make_room(&self, start: u64, end: u64) -> io::Result<()> {
        // Held until the zeros are written: no other write may reach that part before.
        let mut blank_from = self.lock();
        if end <= *blank_from {
            return Ok(());
        }
        // A write far behind the rest may be the only one there ever is.
        let before = (*blank_from).max(start.saturating_sub(AHEAD_BYTES))..start;
        let behind = end..self.backend.len()?.min(end + AHEAD_BYTES);
        // If the disk refuses the zeros, the write of the data reports it.
        let has_room = [&before, &behind].into_iter().all(|range| {
            let zeros = vec![0; usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(0)];
            self.file.write_all_at(&zeros, range.start).is_ok()
        });
        *blank_from = if has_room { behind.end.max(end) } else { end };
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.blank_from.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StorageBackend for PreallocatingFile {
    fn len(&self) -> io::Result<u64> {
        self.backend.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.backend.read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut blank_from = self.lock();
        *blank_from = length.min(self.backend.len()?).min(*blank_from);
        self.backend.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.backend.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.make_room(offset, offset + data.len() as u64)?;
        self.backend.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.backend.close()
    }

    locks_of!(backend);
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use proptest::prelude::*;

    use super::*;

    /// Octets of a file that have a place on the disk.
    fn placed(file: &PreallocatingFile) -> u64 {
        file.sync_data().unwrap();
        file.file.metadata().unwrap().blocks() * 512
    }

    /// An operation on a file.
    #[derive(Debug, Clone)]
    enum Step {
        Write { start: u64, length: u64 },
        SetLength(u64),
        Reopen,
    }

    fn step() -> impl Strategy<Value = Step> {
        let length = 0..6 * AHEAD_BYTES;
        prop_oneof![
            8 => (length.clone(), 1..AHEAD_BYTES / 4).prop_map(|(start, length)| Step::Write { start, length }),
            2 => length.prop_map(Step::SetLength),
            1 => Just(Step::Reopen),
        ]
    }

    fn open(path: &std::path::Path) -> PreallocatingFile {
        let mut how = File::options();
        let file = how.read(true).write(true).create(true).truncate(false).open(path).unwrap();
        PreallocatingFile::new(file).unwrap()
    }

    fn content(file: &PreallocatingFile) -> Vec<u8> {
        let mut content = vec![0xff; usize::try_from(file.len().unwrap()).unwrap()];
        file.read(0, &mut content).unwrap();
        content
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_was_written_stays_whatever_is_written_ahead(steps in prop::collection::vec(step(), 1..40)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("data");
            let (mut file, mut expected) = (open(&path), Vec::new());
            for (number, step) in (1..).zip(steps) {
                match step {
                    Step::Write { start, length } => {
                        let start = usize::try_from(start).unwrap().min(expected.len());
                        let end = expected.len().min(start + usize::try_from(length).unwrap());
                        expected[start..end].fill(number);
                        file.write(start as u64, &expected[start..end]).unwrap();
                    }
                    Step::SetLength(length) => {
                        file.set_len(length).unwrap();
                        expected.resize(usize::try_from(length).unwrap(), 0);
                    }
                    Step::Reopen => file = open(&path),
                }
            }
            prop_assert!(content(&file) == expected);
        }
    }

    #[test]
    fn what_another_process_wrote_before_the_lock_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let (waiting, first) = (open(&path), open(&path));
        first.set_len(4).unwrap();
        first.write(0, b"data").unwrap();
        waiting.write(0, b"d").unwrap();
        waiting.set_len(8).unwrap();
        waiting.write(4, b"more").unwrap();
        assert_eq!(content(&waiting), b"datamore");
    }

    #[test]
    fn what_is_written_next_has_its_place_already() {
        let folder = tempfile::tempdir().unwrap();
        let file = open(&folder.path().join("data"));
        file.set_len(16 * AHEAD_BYTES).unwrap();
        assert_eq!(placed(&file), 0);
        file.write(0, b"data").unwrap();
        let ahead = placed(&file);
        assert!((AHEAD_BYTES..2 * AHEAD_BYTES).contains(&ahead), "{ahead}");
        file.write(4, b"data").unwrap();
        assert_eq!(placed(&file), ahead, "nothing more is needed");
        // Far behind the rest: not everything up to there.
        file.write(8 * AHEAD_BYTES, b"data").unwrap();
        assert!(placed(&file) < 5 * AHEAD_BYTES, "{}", placed(&file));
    }
}
