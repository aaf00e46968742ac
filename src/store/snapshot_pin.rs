//! Delays the reuse of pages that commits free, so that they are reused in long runs.
//!
//! The engine writes each page to the lowest free place. If the places that a commit frees were free at once, every
//! commit would fill the holes of the one before, all over the file, and a disk takes twenty pages in as many places
//! several times slower than in a row. So the writer keeps an old snapshot open for some commits. When it is dropped,
//! all that they freed is free in long runs, and the next commits fill these one after the other. The price is room for
//! the pages of twice as many commits.

use super::StoreError;

/// Commits during which a snapshot is kept. With more, a commit writes fewer and longer ranges of the file, and the file
/// has room for more pages.
const COMMITS_MAX: usize = 32;

/// Rows and pages of content that those commits write at most, so that large commits do not make the file grow.
const ROWS_AND_PAGES_MAX: usize = 2048;

/// Bytes of a page.
const PAGE_BYTES: usize = 4096;

/// The old snapshot that the writer keeps open.
#[derive(Default)]
pub(super) struct SnapshotPin {
    snapshot: Option<redb::ReadTransaction>,
    commits: usize,
    rows_and_pages: usize,
}

impl SnapshotPin {
    /// Must be called after each commit, with the amount it wrote. `begin` takes a snapshot.
    pub(super) fn note_commit(
        &mut self,
        rows: usize,
        bytes: usize,
        begin: impl FnOnce() -> Result<redb::ReadTransaction, StoreError>,
    ) {
        self.commits += 1;
        self.rows_and_pages += rows + bytes / PAGE_BYTES;
        let is_over = COMMITS_MAX <= self.commits || ROWS_AND_PAGES_MAX <= self.rows_and_pages;
        if is_over || self.snapshot.is_none() {
            // The old one is dropped first; if taking a new one fails, none is kept.
            self.let_go();
            self.snapshot = begin().ok();
        }
    }

    /// Drops the snapshot, so that all freed pages can be reused. None is kept until the next commit.
    pub(super) fn let_go(&mut self) {
        *self = SnapshotPin::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fault::{DiskControl, Fault, FaultyDisk};
    use crate::store::{Entity, Index, Key, Store, StoreOptions};

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
            let options = StoreOptions::default();
            Store::open(&path, options.clone()).unwrap().close_blocking();
            let (backend, disk) = FaultyDisk::open(&path, Fault::None).unwrap();
            Notes { store: Store::open_with_backend(backend, &options).unwrap(), disk, folder }
        }

        /// Writes so many notes in each of some commits, all of them in place of others but the first time.
        fn rewrite(&self, commits: u64, notes: u64) {
            for commit in 0..commits {
                let write = move |tx: &mut crate::store::WriteTx<'_>| {
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
    fn what_a_commit_writes_lies_together() {
        let notes = Notes::new();
        notes.add(0, 300);
        let (writes, stretches) = (notes.disk.writes(), notes.disk.stretches());
        notes.add(300, 300);
        let (writes, stretches) = (notes.disk.writes() - writes, notes.disk.stretches() - stretches);
        assert!(5 * stretches < 3 * writes, "{stretches} stretches of {writes} pages");
    }

    #[test]
    fn the_file_does_not_grow_where_nothing_is_added() {
        for notes_per_commit in [1, 100, 3000] {
            let notes = Notes::new();
            notes.rewrite(160, notes_per_commit);
            let before = notes.file_bytes();
            notes.rewrite(240, notes_per_commit);
            let growth = notes.file_bytes().saturating_sub(before);
            assert_eq!(growth, 0, "with {notes_per_commit} notes a commit, from {before}");
        }
    }
}
