//! Whatever jobs do, and however they end, the store holds what a plain map would.

use std::collections::{BTreeMap, VecDeque};

use proptest::prelude::*;

use super::*;

/// Snapshots that are held while further operations run.
const SNAPSHOTS_MAX: usize = 4;

/// One thing done inside a job.
#[derive(Debug, Clone)]
enum Change {
    Put { id: u64, title: u8, tags: Vec<u8>, scan_bytes: Option<usize> },
    ShareScan { from: u64, to: u64 },
    Delete { id: u64 },
}

/// How a job ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Keep,
    Fail,
    Panic,
}

#[derive(Debug, Clone)]
enum Operation {
    Job(Vec<Change>, End),
    /// Jobs that wait together and share a commit: many of them write straight to the places of rows.
    Batch(Vec<(Vec<Change>, End)>),
    Reopen,
}

fn change() -> impl Strategy<Value = Change> {
    let scan_bytes =
        prop_oneof![4 => Just(None), 3 => (0usize..2000).prop_map(Some), 1 => Just(Some(600_000))];
    prop_oneof![
        4 => (1u64..9, 0u8..6, prop::collection::vec(0u8..4, 0..3), scan_bytes)
            .prop_map(|(id, title, tags, scan_bytes)| Change::Put { id, title, tags, scan_bytes }),
        1 => (1u64..9, 1u64..9).prop_map(|(from, to)| Change::ShareScan { from, to }),
        2 => (1u64..9).prop_map(|id| Change::Delete { id }),
    ]
}

fn job() -> impl Strategy<Value = (Vec<Change>, End)> {
    let end = prop_oneof![6 => Just(End::Keep), 2 => Just(End::Fail), 1 => Just(End::Panic)];
    (prop::collection::vec(change(), 0..5), end)
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        6 => job().prop_map(|(changes, end)| Operation::Job(changes, end)),
        2 => prop::collection::vec(job(), 1..40).prop_map(Operation::Batch),
        1 => Just(Operation::Reopen),
    ]
}

/// What the store should hold: books, with the length of their scans. Blob ids are not modelled but looked up.
type Model = BTreeMap<u64, (Book, Option<usize>)>;

/// The book that a change puts, with a title and tags from small sets so that they clash.
fn changed_book(id: u64, title: u8, tags: &[u8]) -> Book {
    let tags: Vec<String> = tags.iter().map(|tag| format!("tag{tag}")).collect();
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    book(id, &format!("title{title}"), &tags)
}

/// Does one change in the model; answers whether it is allowed.
fn apply_to_model(model: &mut Model, change: &Change) -> bool {
    match change {
        Change::Put { id, title, tags, scan_bytes } => {
            let book = changed_book(*id, *title, tags);
            if model.values().any(|(other, _)| other.id != *id && other.title == book.title) {
                return false;
            }
            model.insert(*id, (book, *scan_bytes));
        }
        Change::ShareScan { from, to } => {
            if let (Some((_, scan)), true) = (model.get(from).cloned(), model.contains_key(to)) {
                model.entry(*to).and_modify(|(_, shared)| *shared = scan);
            }
        }
        Change::Delete { id } => {
            model.remove(id);
        }
    }
    true
}

fn apply_to_store(tx: &mut WriteTx<'_>, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::Put { id, title, tags, scan_bytes } => {
            let mut book = changed_book(*id, *title, tags);
            book.scan = scan_bytes.map(|length| tx.put_blob(&vec![9; length])).transpose()?;
            tx.put(&book)
        }
        Change::ShareScan { from, to } => match (tx.get::<Book>(*from)?, tx.get::<Book>(*to)?) {
            (Some(from), Some(to)) => tx.put(&Book { scan: from.scan, ..to }),
            _ => Ok(()),
        },
        Change::Delete { id } => tx.delete::<Book>(*id).map(|_| ()),
    }
}

/// What a job does. Refused changes are skipped: the rest of the job must not notice them.
fn work_of(
    changes: Vec<Change>,
    end: End,
) -> impl FnOnce(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + 'static {
    move |tx| {
        for change in &changes {
            match apply_to_store(tx, change) {
                Ok(()) | Err(StoreError::Duplicate { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        match end {
            End::Keep => Ok(()),
            End::Fail => Err(StoreError::Closed),
            End::Panic => std::panic::resume_unwind(Box::new("planned")),
        }
    }
}

fn run_in_model(model: &mut Model, changes: &[Change], end: End) {
    if matches!(end, End::Keep) {
        for change in changes {
            apply_to_model(model, change);
        }
    }
}

fn expected_answer(end: End) -> Result<(), StoreError> {
    match end {
        End::Keep => Ok(()),
        End::Fail => Err(StoreError::Closed),
        End::Panic => Err(StoreError::Panicked),
    }
}

fn assert_same(tx: &ReadTx, model: &Model) {
    let books: Vec<Book> = tx.all(0, 1000).unwrap();
    assert_eq!(books.len(), model.len());
    for (found, (expected, scan_bytes)) in books.iter().zip(model.values()) {
        assert_eq!(found, &Book { scan: found.scan, ..expected.clone() });
        let scan = found.scan.map(|scan| tx.blob(scan).unwrap());
        assert_eq!(scan, scan_bytes.map(|length| vec![9; length]));
        let title = Key::new().u64(1).text(&expected.title);
        assert_eq!(tx.find(&BOOK_BY_TITLE, &title).unwrap().as_ref(), Some(found));
    }
    for number in 0..4 {
        let name = format!("tag{number}");
        let tagged = model.values().filter(|(book, _)| book.tags.contains(&name));
        let tagged: Vec<u64> = tagged.map(|(book, _)| book.id).collect();
        let range = IndexRange::prefix(tag(&name));
        assert_eq!(tx.ids(&BOOK_BY_TAG, &range, 1000).unwrap(), tagged);
        assert_eq!(tx.count(&BOOKS_PER_TAG, &tag(&name)).unwrap(), tagged.len() as u64);
        assert_eq!(tx.exists(&BOOK_BY_TAG, &tag(&name)).unwrap(), !tagged.is_empty());
    }
}

fn run(operations: Vec<Operation>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut test = TestStore::new();
    let mut model = Model::new();
    let mut snapshots = VecDeque::new();
    for operation in operations {
        match operation {
            Operation::Job(changes, end) => {
                run_in_model(&mut model, &changes, end);
                assert_eq!(test.write(work_of(changes, end)), expected_answer(end));
            }
            Operation::Batch(jobs) => {
                for (changes, end) in &jobs {
                    run_in_model(&mut model, changes, *end);
                }
                let store = test.store.clone();
                let (open, gate) = std::sync::mpsc::channel::<()>();
                runtime.block_on(async {
                    let first = store.clone();
                    // Keeps the writer busy until all jobs wait behind it.
                    let first = tokio::spawn(async move {
                        let held = move |_: &mut WriteTx<'_>| -> Result<(), StoreError> {
                            gate.recv().unwrap();
                            Ok(())
                        };
                        first.write(held).await
                    });
                    tokio::task::yield_now().await;
                    let mut answers = Vec::new();
                    for (changes, end) in jobs {
                        let store = store.clone();
                        let answer = async move { store.write(work_of(changes, end)).await };
                        answers.push((tokio::spawn(answer), end));
                        // Lets the job reach the queue, so that jobs run in the model's order.
                        tokio::task::yield_now().await;
                    }
                    open.send(()).unwrap();
                    first.await.unwrap().unwrap();
                    for (answer, end) in answers {
                        assert_eq!(answer.await.unwrap(), expected_answer(end));
                    }
                });
            }
            Operation::Reopen => {
                snapshots.clear();
                test.reopen();
            }
        }
        snapshots.push_back((test.read(), model.clone()));
        // A snapshot shows what was there when it was taken, also when rows have gone to their places since.
        for (snapshot, model) in &snapshots {
            assert_same(snapshot, model);
        }
        if SNAPSHOTS_MAX < snapshots.len() {
            snapshots.pop_front();
        }
    }
    drop(snapshots);
    assert_eq!(test.problems(), Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_agrees_with_a_map_whatever_jobs_do(operations in prop::collection::vec(operation(), 1..25)) {
        run(operations);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keys_order_as_the_tuples_they_are_made_of(
        left in (any::<u64>(), "[a\\x00\\x01é]{0,3}", any::<u8>(), prop::collection::vec(0u8..2, 0..3)),
        right in (any::<u64>(), "[a\\x00\\x01é]{0,3}", any::<u8>(), prop::collection::vec(0u8..2, 0..3)),
        same_number in any::<bool>(),
    ) {
        let right = if same_number { (left.0, right.1, right.2, right.3) } else { right };
        let key = |(number, text, small, bytes): &(u64, String, u8, Vec<u8>)| {
            Key::new().u64(*number).text(text).u8(*small).bytes(bytes)
        };
        prop_assert_eq!(key(&left).cmp(&key(&right)), left.cmp(&right));
        let row = key(&left);
        let mut reader = KeyReader::new(row.as_bytes());
        let parts = (reader.u64(), reader.text(), reader.u8(), reader.bytes());
        prop_assert_eq!(parts, (Some(left.0), Some(left.1.clone()), Some(left.2), Some(left.3.clone())));
    }

    #[test]
    fn a_text_prefix_finds_exactly_the_texts_that_begin_so(text in "[ab\\x00]{0,4}", beginning in "[ab\\x00]{0,2}") {
        let is_found = Key::new().text(&text).as_bytes().starts_with(Key::new().text_prefix(&beginning).as_bytes());
        // The end of a text is zeros, as is the beginning of one that begins with a zero byte: never the same.
        prop_assert_eq!(is_found, text.starts_with(&beginning));
    }
}
