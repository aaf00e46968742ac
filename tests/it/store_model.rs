//! The store: what it promises of records, indexes, counts and blobs, and the store against a model.

mod growing;
mod properties;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use crier::store::{
    BlobId, Count, ENGINE_TABLES, Entity, EntityInfo, Index, IndexRange, Key, KeyReader, Read, ReadTx, Store,
    StoreError, StoreOptions, WriteTx, check_shared, fingerprint, row_prefix,
};
use serde::{Deserialize, Serialize};

/// A book of a library: enough of everything an entity can declare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Book {
    id: u64,
    library: u64,
    title: String,
    tags: Vec<String>,
    scan: Option<BlobId>,
}

static BOOK_BY_TITLE: Index<Book> =
    Index::unique("book.by_title", |book| vec![Key::new().u64(book.library).text(&book.title)]);

static BOOK_BY_TAG: Index<Book> = Index::multi("book.by_tag", |book| {
    book.tags.iter().map(|tag| Key::new().u64(book.library).text(tag)).collect()
});

static BOOKS_PER_TAG: Count<Book> = Count::new("book.per_tag", |book| {
    book.tags.iter().map(|tag| Key::new().u64(book.library).text(tag)).collect()
});

impl Entity for Book {
    const TABLE: &'static str = "book";
    const INDEXES: &'static [&'static Index<Book>] = &[&BOOK_BY_TITLE, &BOOK_BY_TAG];
    const COUNTS: &'static [&'static Count<Book>] = &[&BOOKS_PER_TAG];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        self.library
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.scan.into_iter().collect()
    }
}

const ENTITIES: &[EntityInfo] = &[EntityInfo::of::<Book>()];

fn book(id: u64, title: &str, tags: &[&str]) -> Book {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Book { id, library: 1, title: title.to_owned(), tags, scan: None }
}

fn tag(name: &str) -> Key {
    Key::new().u64(1).text(name)
}

struct TestStore {
    store: Store,
    folder: tempfile::TempDir,
}

impl TestStore {
    fn new() -> TestStore {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("test.redb"));
        TestStore { store, folder }
    }

    fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut WriteTx<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.store.write_blocking(work)
    }

    fn put(&self, book: &Book) -> Result<(), StoreError> {
        let book = book.clone();
        self.write(move |tx| tx.put(&book))
    }

    fn read(&self) -> ReadTx {
        self.store.read().unwrap()
    }

    fn reopen(&mut self) {
        self.store.close_blocking();
        self.store = open(&self.folder.path().join("test.redb"));
    }

    fn problems(&self) -> Vec<String> {
        let tx = self.read();
        let of_records = ENTITIES.iter().flat_map(|entity| (entity.check)(&tx).unwrap());
        of_records.chain(check_shared(&tx, ENTITIES).unwrap()).map(|problem| problem.to_string()).collect()
    }
}

fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions { cache_bytes: 1 << 20, log_changes: 50, ..StoreOptions::default() })
        .unwrap()
}

#[test]
fn a_duplicate_key_leaves_nothing_of_the_record() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &["sand"])).unwrap();
    let twice = book(2, "Dune", &["worm"]);
    assert_eq!(test.put(&twice), Err(StoreError::Duplicate { index: "book.by_title" }));
    // Also where the job goes on after the refusal.
    test.write(move |tx| {
        tx.put(&twice).unwrap_err();
        tx.put(&book(3, "Emma", &["worm"]))
    })
    .unwrap();
    assert_eq!(test.read().get::<Book>(2).unwrap(), None);
    assert_eq!(test.read().ids(&BOOK_BY_TAG, &tag("worm").into(), 9).unwrap(), [3]);
    assert_eq!(test.problems(), Vec::<String>::new());
}

#[test]
fn a_key_given_up_in_a_job_is_free_in_the_same_job() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &[])).unwrap();
    test.write(|tx| {
        tx.put(&book(1, "Emma", &[]))?;
        tx.put(&book(2, "Dune", &[]))
    })
    .unwrap();
    let dune = test.read().find(&BOOK_BY_TITLE, &Key::new().u64(1).text("Dune")).unwrap();
    assert_eq!(dune.map(|book| book.id), Some(2));
}

#[test]
fn deleting_answers_the_record_that_was() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &["sand"])).unwrap();
    assert_eq!(test.write(|tx| tx.delete(1)), Ok(Some(book(1, "Dune", &["sand"]))));
    assert_eq!(test.write(|tx| tx.delete::<Book>(1)), Ok(None));
}

#[test]
fn ids_are_never_given_twice_even_after_deleting_and_reopening() {
    let mut test = TestStore::new();
    let mut given = BTreeSet::new();
    for _ in 0..3 {
        let id = test
            .write(|tx| {
                let id = tx.next_id::<Book>()?;
                tx.put(&book(id, "Dune", &[]))?;
                tx.delete::<Book>(id).map(|_| id)
            })
            .unwrap();
        assert!(given.insert(id));
        // Ids that were drawn and not used are gone as well.
        let unused = test.write(|tx| Ok([tx.next_id::<Book>()?, tx.next_id::<Book>()?])).unwrap();
        assert!(unused.into_iter().all(|id| given.insert(id)));
        test.reopen();
    }
}

#[test]
fn pages_of_an_index_resume_after_a_row_in_either_direction() {
    let test = TestStore::new();
    test.write(|tx| (1..=7).try_for_each(|id| tx.put(&book(id, &format!("{id}"), &["a", "b"])))).unwrap();
    let tx = test.read();
    let ids = |range: IndexRange| tx.ids(&BOOK_BY_TAG, &range, 3).unwrap();
    let all = || IndexRange::prefix(tag("a"));
    assert_eq!(ids(all()), [1, 2, 3]);
    assert_eq!(ids(all().after_id(3)), [4, 5, 6]);
    assert_eq!(ids(all().after_id(6)), [7]);
    assert_eq!(ids(all().backward()), [7, 6, 5]);
    assert_eq!(ids(all().backward().after_id(5)), [4, 3, 2]);
    assert_eq!(ids(all().backward().after_id(1)), [0; 0]);
    assert_eq!(tx.ids(&BOOK_BY_TAG, &all(), 0).unwrap(), [0; 0]);
    let page: Vec<Book> = tx.page(&BOOK_BY_TAG, &all().after_id(5), 9).unwrap();
    assert_eq!(page.iter().map(|book| book.id).collect::<Vec<_>>(), [6, 7]);
}

#[test]
fn a_seek_hops_over_all_rows_of_a_value() {
    let test = TestStore::new();
    test.write(|tx| {
        let tags = ["a", "b", "c"];
        (1..=9)
            .try_for_each(|id| tx.put(&book(id, &format!("{id}"), &[tags[usize::try_from(id).unwrap() % 3]])))
    })
    .unwrap();
    let tx = test.read();
    let library = || IndexRange::prefix(Key::new().u64(1));
    let first_tag = |range: IndexRange| {
        let row = tx.first_row(&BOOK_BY_TAG, &range).unwrap()?;
        let mut reader = KeyReader::new(row.key.as_bytes());
        assert_eq!((reader.u64(), reader.text(), reader.u64()).2, Some(row.id));
        Some(row.id)
    };
    assert_eq!(first_tag(library()), Some(3));
    assert_eq!(first_tag(library().after(tag("a"))), Some(1));
    assert_eq!(first_tag(library().from(tag("b"))), Some(1));
    assert_eq!(first_tag(library().after(tag("c"))), None);
    assert_eq!(first_tag(library().backward().from(tag("b"))), Some(7));
    assert_eq!(first_tag(library().backward().after(tag("b"))), Some(9));
}

#[test]
fn a_scan_can_read_records_on_its_way_in_both_transactions() {
    fn titles(tx: &impl Read) -> String {
        let mut titles = String::new();
        let ended = tx.scan(&BOOK_BY_TAG, &tag("a").into(), |_, id| {
            match tx.get::<Book>(id) {
                Ok(book) => titles += &book.unwrap().title,
                Err(error) => return ControlFlow::Break(error),
            }
            ControlFlow::Continue(())
        });
        assert_eq!(ended, Ok(None));
        titles
    }
    let test = TestStore::new();
    let in_job = test.write(|tx| {
        tx.put(&book(1, "x", &["a"]))?;
        tx.put(&book(2, "y", &["a"]))?;
        Ok(titles(tx))
    });
    assert_eq!(in_job.as_deref(), Ok("xy"));
    assert_eq!(titles(&test.read()), "xy");
}

#[test]
fn a_snapshot_does_not_see_later_commits() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &["a"])).unwrap();
    let before = test.read();
    test.put(&book(2, "Emma", &["a"])).unwrap();
    assert_eq!(before.count(&BOOKS_PER_TAG, &tag("a")), Ok(1));
    assert_eq!(before.ids(&BOOK_BY_TAG, &tag("a").into(), 9), Ok(vec![1]));
    assert_eq!(test.read().count(&BOOKS_PER_TAG, &tag("a")), Ok(2));
}

#[test]
fn a_blob_lives_as_long_as_a_record_names_it() {
    let test = TestStore::new();
    let scan = test
        .write(|tx| {
            let scan = tx.put_blob(&vec![1; 700_000])?;
            tx.put(&Book { scan: Some(scan), ..book(1, "Dune", &[]) })?;
            tx.put(&Book { scan: Some(scan), ..book(2, "Emma", &[]) }).map(|()| scan)
        })
        .unwrap();
    test.write(|tx| tx.delete::<Book>(1)).unwrap();
    assert_eq!(test.read().blob(scan).unwrap(), vec![1; 700_000]);
    test.write(|tx| tx.delete::<Book>(2)).unwrap();
    assert_eq!(test.read().blob(scan), Err(StoreError::UnknownBlob { id: scan }));
    assert_eq!(test.problems(), Vec::<String>::new());
}

#[test]
fn a_blob_that_no_record_names_is_gone_after_its_job() {
    let test = TestStore::new();
    let scan = test.write(|tx| tx.put_blob(b"nobody's")).unwrap();
    assert_eq!(test.read().blob(scan), Err(StoreError::UnknownBlob { id: scan }));
    let late = Book { scan: Some(scan), ..book(1, "Dune", &["a"]) };
    assert_eq!(test.put(&late), Err(StoreError::UnknownBlob { id: scan }));
    assert_eq!(test.read().count(&BOOKS_PER_TAG, &tag("a")), Ok(0));
    assert_eq!(test.problems(), Vec::<String>::new());
}

#[test]
fn a_job_that_changes_too_much_is_taken_back() {
    let test = TestStore::new();
    let too_large = test.write(|tx| {
        for id in 1..=crier::store::JOB_CHANGES_MAX as u64 {
            // The refusal stands even where the job does not look.
            let _ = tx.put(&book(id, &format!("{id}"), &[]));
        }
        Ok(())
    });
    assert_eq!(too_large, Err(StoreError::JobTooLarge));
    assert_eq!(test.read().all::<Book>(0, 1).unwrap(), []);
    assert_eq!(test.put(&book(1, "Dune", &[])), Ok(()));
}

#[test]
fn a_generation_has_grown_when_the_job_is_answered() {
    let test = TestStore::new();
    let before = (test.store.generation(1), test.store.generation(2));
    test.put(&book(1, "Dune", &[])).unwrap();
    let after_put = test.store.generation(1);
    assert!(before.0 < after_put);
    test.write(|tx| tx.delete::<Book>(1)).unwrap();
    assert!(after_put < test.store.generation(1));
    test.write(|tx| tx.put(&book(1, "Dune", &[])).and(Err::<(), _>(StoreError::Closed))).unwrap_err();
    assert_eq!(before.1, test.store.generation(2));
}

#[test]
fn a_record_that_changes_its_library_moves_both_generations() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &[])).unwrap();
    let before = (test.store.generation(1), test.store.generation(2));
    test.put(&Book { library: 2, ..book(1, "Dune", &[]) }).unwrap();
    assert!(before.0 < test.store.generation(1));
    assert!(before.1 < test.store.generation(2));
}

#[test]
fn facts_about_the_file_can_be_set_and_forgotten() {
    let mut test = TestStore::new();
    assert_eq!(test.read().meta("schema"), Ok(None));
    test.write(|tx| tx.set_meta("schema", Some(b"3"))).unwrap();
    test.reopen();
    assert_eq!(test.read().meta("schema"), Ok(Some(b"3".to_vec())));
    test.write(|tx| tx.set_meta("schema", None)).unwrap();
    assert_eq!(test.read().meta("schema"), Ok(None));
}

#[test]
fn all_entities_share_one_table() {
    let test = TestStore::new();
    test.write(|tx| {
        let id = tx.next_id::<Book>()?;
        let scan = Some(tx.put_blob(b"scan")?);
        tx.put(&Book { scan, ..book(id, "Dune", &["a"]) })?;
        tx.set_meta("schema", Some(b"1"))
    })
    .unwrap();
    let mut known = ENGINE_TABLES.to_vec();
    known.sort_unstable();
    assert_eq!(test.read().table_names().unwrap(), known);
    assert_eq!(test.problems(), Vec::<String>::new());
}

#[test]
fn a_rebuild_makes_indexes_and_counts_anew() {
    let test = TestStore::new();
    // What a migration does: records change and their rows are left behind.
    test.write(|tx| (1..=3).try_for_each(|id| tx.put(&book(id, &format!("old{id}"), &["old"])))).unwrap();
    test.write(|tx| (2..=250).try_for_each(|id| tx.overwrite(&book(id, &format!("{id}"), &["new"]))))
        .unwrap();
    assert!(!test.problems().is_empty());
    assert_eq!((ENTITIES[0].rebuild)(&test.store), Ok(250));
    assert_eq!(test.problems(), Vec::<String>::new());
    assert_eq!(test.read().count(&BOOKS_PER_TAG, &tag("old")), Ok(1));
    assert_eq!(test.read().count(&BOOKS_PER_TAG, &tag("new")), Ok(249));
}

#[test]
fn a_check_names_missing_stray_and_wrong_rows() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &["a"])).unwrap();
    test.write(|tx| tx.overwrite(&book(1, "Emma", &["b", "c"]))).unwrap();
    let problems = test.problems().join("\n");
    for expected in [
        r"book.by_title: Key(\x00\x00\x00\x00\x00\x00\x00\x01Emma\x00\x00) of record 1 is missing",
        r"book.by_title: Key(\x00\x00\x00\x00\x00\x00\x00\x01Dune\x00\x00) is not of record 1",
        r"book.per_tag: \x00\x00\x00\x00\x00\x00\x00\x01a\x00\x00 is 1 instead of 0",
        r"book.per_tag: \x00\x00\x00\x00\x00\x00\x00\x01c\x00\x00 is missing instead of 1",
    ] {
        assert!(problems.contains(expected), "{expected} is not in\n{problems}");
    }
}

#[test]
fn a_check_names_numbers_and_rows_of_which_nothing_knows() {
    let mut test = TestStore::new();
    test.put(&book(1, "Dune", &["a"])).unwrap();
    test.store.close_blocking();
    let file = redb::Database::open(test.folder.path().join("test.redb")).unwrap();
    let tx = file.begin_write().unwrap();
    let rows = redb::TableDefinition::<&[u8], &[u8]>::new("rows");
    let put = |name, key: &[u8]| {
        let key = [row_prefix(name).as_slice(), key].concat();
        tx.open_table(rows).unwrap().insert(key.as_slice(), [0; 8].as_slice()).map(drop).unwrap();
    };
    put("number", b"ghost\0x");
    put("phantom", b"y");
    tx.commit().unwrap();
    drop(file);
    test.reopen();
    let prefix = row_prefix("phantom").escape_ascii().to_string();
    let stray = format!("rows: no table has the row {prefix}y");
    assert_eq!(test.problems(), [r"number: nothing counts ghost\x00x".to_owned(), stray]);
}

#[test]
fn a_dump_prints_records_rows_and_counts() {
    let test = TestStore::new();
    test.put(&book(1, "Dune", &["a"])).unwrap();
    insta::assert_snapshot!((ENTITIES[0].dump)(&test.read()).unwrap(), @r#"
    book
      Book { id: 1, library: 1, title: "Dune", tags: ["a"], scan: None }
      book.by_title \x00\x00\x00\x00\x00\x00\x00\x01Dune\x00\x00 \x00\x00\x00\x00\x00\x00\x00\x01
      book.by_tag \x00\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01 
      book.per_tag \x00\x00\x00\x00\x00\x00\x00\x01a\x00\x00 1
    "#);
    let names = fingerprint(&ENTITIES[0]).unwrap();
    let (rows, names) = names.split_once('\n').unwrap();
    assert!(rows.starts_with("rows book "), "{rows}");
    insta::assert_snapshot!(names, @r"
    unique book.by_title
    multi book.by_tag
    count book.per_tag
    ");
}

#[test]
fn a_file_in_use_says_so_and_a_foreign_file_too() {
    let test = TestStore::new();
    let path = test.folder.path().join("test.redb");
    assert_eq!(Store::open(&path, StoreOptions::default()).err(), Some(StoreError::Locked));
    let foreign = test.folder.path().join("foreign");
    std::fs::write(&foreign, "certainly not a data file".repeat(1000)).unwrap();
    assert!(matches!(Store::open(&foreign, StoreOptions::default()), Err(StoreError::Unusable { .. })));
}

#[test]
fn a_new_file_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestStore::new();
    let mode = std::fs::metadata(test.folder.path().join("test.redb")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_making_that_was_cut_short_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.redb");
    std::fs::write(folder.path().join("test.redb.new"), "half a data file").unwrap();
    let store = open(&path);
    store.write_blocking(|tx| tx.put(&book(1, "Dune", &[]))).unwrap();
    let names: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["test.redb"]);
}

#[test]
fn a_closed_store_refuses_everything_and_keeps_what_was_accepted() {
    let mut test = TestStore::new();
    test.put(&book(1, "Dune", &[])).unwrap();
    let snapshot = test.read();
    test.store.close_blocking();
    test.store.close_blocking();
    assert_eq!(test.put(&book(2, "Emma", &[])), Err(StoreError::Closed));
    assert_eq!(test.store.read().err(), Some(StoreError::Closed));
    drop(snapshot);
    test.reopen();
    assert_eq!(test.read().all::<Book>(0, 9).unwrap(), [book(1, "Dune", &[])]);
}

#[test]
fn jobs_run_to_their_end_after_the_last_handle_is_gone() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.redb");
    runtime.block_on(async {
        let store = open(&path);
        let writes: Vec<_> = (1..=50)
            .map(|id| {
                let store = store.clone();
                tokio::spawn(
                    async move { store.write(move |tx| tx.put(&book(id, &format!("{id}"), &[]))).await },
                )
            })
            .collect();
        drop(store);
        for write in writes {
            assert_eq!(write.await.unwrap(), Ok::<(), StoreError>(()));
        }
    });
    // The file closes behind the last job; nobody is told when.
    let reopened = std::iter::repeat_with(|| Store::open(&path, StoreOptions::default()));
    let store = reopened.into_iter().find_map(Result::ok).unwrap();
    assert_eq!(store.read().unwrap().all::<Book>(0, 99).unwrap().len(), 50);
}

#[tokio::test]
async fn closing_waits_until_the_file_can_be_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.redb");
    for id in 1..=5 {
        let store = open(&path);
        store
            .write(move |tx| tx.put(&book(id, &format!("{id}"), &[])))
            .await
            .map_err(|e: StoreError| e)
            .unwrap();
        store.close().await;
    }
    assert_eq!(open(&path).read().unwrap().all::<Book>(0, 9).unwrap().len(), 5);
}
