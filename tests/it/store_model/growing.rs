//! Records grow: three programs, of which each knows one version more, work on one file one after the other.
//!
//! Version 2 appends the pages of a book to version 1, and version 3 takes the first letter of its title apart.

use std::collections::BTreeMap;
use std::path::Path;

use crier::store::{
    Count, Draw, Entity, EntityInfo, Index, Key, OldRecord, Older, Read as _, Store, StoreError,
    StoreOptions, WriteTx, fingerprint, row_prefix, stored,
};
use proptest::prelude::*;
use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};

/// The pages that a book of version 1 gets.
const PAGES: u32 = 300;

/// A program's entity: its version, and what of it was there in all versions.
trait Program: Entity + Clone + PartialEq {
    const BY_TITLE: &'static Index<Self>;
    const BY_TAG: &'static Index<Self>;
    const PER_TAG: &'static Count<Self>;

    fn book(id: u64, title: &str, tag: &str, pages: u32) -> Self;
}

/// Implements an entity with the indexes and the count that every version has. The module says what its title is, and
/// makes a book.
macro_rules! program {
    ($version:literal, $older:expr, [$($index:ident),*]) => {
        static BY_TITLE: Index<Book> =
            Index::unique("book.by_title", |book| vec![Key::new().text(&title_of(book))]);
        static BY_TAG: Index<Book> = Index::multi("book.by_tag", |book| vec![Key::new().text(&book.tag)]);
        static PER_TAG: Count<Book> = Count::new("book.per_tag", |book| vec![Key::new().text(&book.tag)]);

        impl Entity for Book {
            const TABLE: &'static str = "book";
            const VERSION: u8 = $version;
            const OLDER: &'static [Older<Book>] = $older;
            const INDEXES: &'static [&'static Index<Book>] = &[&BY_TITLE, &BY_TAG $(, &$index)*];
            const COUNTS: &'static [&'static Count<Book>] = &[&PER_TAG];

            fn id(&self) -> u64 {
                self.id
            }

            fn scope(&self) -> u64 {
                0
            }
        }

        impl Program for Book {
            const BY_TITLE: &'static Index<Book> = &BY_TITLE;
            const BY_TAG: &'static Index<Book> = &BY_TAG;
            const PER_TAG: &'static Count<Book> = &PER_TAG;

            fn book(id: u64, title: &str, tag: &str, pages: u32) -> Book {
                make(id, title.to_owned(), tag.to_owned(), pages)
            }
        }
    };
}

mod first {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub(super) struct Book {
        id: u64,
        title: String,
        tag: String,
    }

    fn title_of(book: &Book) -> String {
        book.title.clone()
    }

    fn make(id: u64, title: String, tag: String, _: u32) -> Book {
        Book { id, title, tag }
    }

    program!(1, &[], []);
}

mod second {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub(super) struct Book {
        id: u64,
        title: String,
        tag: String,
        pages: u32,
    }

    fn title_of(book: &Book) -> String {
        book.title.clone()
    }

    fn make(id: u64, title: String, tag: String, pages: u32) -> Book {
        Book { id, title, tag, pages }
    }

    program!(2, &[Older::without(|| stored(&PAGES))], []);
}

mod third {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub(super) struct Book {
        id: u64,
        title: (Option<char>, String),
        tag: String,
        pages: u32,
    }

    /// Books of version 2, frozen.
    #[derive(Debug, Serialize, Deserialize)]
    struct Book2 {
        id: u64,
        title: String,
        tag: String,
        pages: u32,
    }

    impl OldRecord for Book2 {
        type Newest = Book;

        fn newest(self) -> Book {
            make(self.id, self.title, self.tag, self.pages)
        }
    }

    fn title_of(book: &Book) -> String {
        book.title.0.into_iter().chain(book.title.1.chars()).collect()
    }

    fn make(id: u64, title: String, tag: String, pages: u32) -> Book {
        let mut rest = title;
        let first = if rest.is_empty() { None } else { Some(rest.remove(0)) };
        Book { id, title: (first, rest), tag, pages }
    }

    pub(super) static BY_PAGES: Index<Book> =
        Index::multi("book.by_pages", |book| vec![Key::new().u64(u64::from(book.pages))]);

    program!(3, &[Older::without(|| stored(&PAGES)), Older::of::<Book2>()], [BY_PAGES]);
}

const FIRST: EntityInfo = EntityInfo::of::<first::Book>();
const SECOND: EntityInfo = EntityInfo::of::<second::Book>();
const THIRD: EntityInfo = EntityInfo::of::<third::Book>();

/// A book as all versions know it: title, tag, pages, and the version that wrote it.
type Model = BTreeMap<u64, (u8, u8, u32, u8)>;

#[derive(Debug, Clone)]
enum Change {
    Put { id: u64, title: u8, tag: u8, pages: u32 },
    Delete { id: u64 },
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let put = (1u64..9, 0u8..6, 0u8..3, 0u32..1000).prop_map(|(id, title, tag, pages)| Change::Put {
        id,
        title,
        tag,
        pages,
    });
    let change = prop_oneof![3 => put, 1 => (1u64..9).prop_map(|id| Change::Delete { id })];
    prop::collection::vec(change, 0..12)
}

fn open(path: &Path) -> Store {
    Store::open(path, StoreOptions { cache_bytes: 1 << 20, ..StoreOptions::default() }).unwrap()
}

fn title(number: u8) -> String {
    format!("title{number}")
}

fn tag(number: u8) -> String {
    format!("tag{number}")
}

/// Does a change in the model; returns whether it is allowed.
fn apply(model: &mut Model, change: &Change, version: u8) -> bool {
    match *change {
        Change::Put { id, title, tag, pages } => {
            if model.iter().any(|(other, book)| *other != id && book.0 == title) {
                return false;
            }
            let pages = if version == 1 { PAGES } else { pages };
            model.insert(id, (title, tag, pages, version));
        }
        Change::Delete { id } => drop(model.remove(&id)),
    }
    true
}

/// Does changes as the program of an entity does, and finds every book in the file as the program knows it.
fn work<E: Program>(store: &Store, model: &mut Model, changes: &[Change]) {
    for change in changes {
        let is_allowed = apply(model, change, E::VERSION);
        let change = change.clone();
        let done = store.write_blocking(move |tx: &mut WriteTx<'_>| match change {
            Change::Put { id, title: number, tag: of, pages } => {
                tx.put(&E::book(id, &title(number), &tag(of), pages))
            }
            Change::Delete { id } => tx.delete::<E>(id).map(drop),
        });
        let refused = Err(StoreError::Duplicate { index: E::BY_TITLE.name() });
        assert_eq!(done, if is_allowed { Ok(()) } else { refused });
    }
    let tx = store.read().unwrap();
    let books = model.iter().map(|(id, (of, by, pages, _))| E::book(*id, &title(*of), &tag(*by), *pages));
    let books: Vec<E> = books.collect();
    assert_eq!(tx.all::<E>(0, 100).unwrap(), books);
    for (book, (of, _, _, _)) in books.iter().zip(model.values()) {
        assert_eq!(tx.find(E::BY_TITLE, &Key::new().text(&title(*of))).unwrap().as_ref(), Some(book));
    }
    for number in 0..3 {
        let tagged = model.iter().filter(|(_, book)| book.1 == number).map(|(id, _)| *id);
        let tagged: Vec<u64> = tagged.collect();
        let key = Key::new().text(&tag(number));
        assert_eq!(tx.ids(E::BY_TAG, &key.clone().into(), 100).unwrap(), tagged);
        assert_eq!(tx.count(E::PER_TAG, &key).unwrap(), tagged.len() as u64);
    }
    let problems = (EntityInfo::of::<E>().check)(&tx).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
}

/// The version of each book's bytes.
fn versions(file: &Path) -> Vec<(u64, u8)> {
    let db = Database::open(file).unwrap();
    let rows = TableDefinition::<&[u8], &[u8]>::new("rows");
    let rows = db.begin_read().unwrap().open_table(rows).unwrap();
    let mut found = Vec::new();
    for row in rows.iter().unwrap() {
        let (key, value) = row.unwrap();
        let (prefix, id) = key.value().split_first_chunk::<4>().unwrap();
        if *prefix == row_prefix("book") {
            found.push((u64::from_be_bytes(id.try_into().unwrap()), value.value()[0]));
        }
    }
    found
}

/// Lets a program do changes in a file, and looks whose bytes the file has then.
fn run<E: Program>(file: &Path, model: &mut Model, changes: &[Change], rebuilds: bool) {
    let store = open(file);
    if rebuilds {
        assert_eq!((EntityInfo::of::<E>().rebuild)(&store), Ok(model.len() as u64));
    }
    work::<E>(&store, model, changes);
    store.close_blocking();
    if !model.is_empty() {
        assert_eq!(versions(file), model.iter().map(|(id, book)| (*id, book.3)).collect::<Vec<_>>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_program_goes_on_with_what_older_ones_wrote_and_rewrites_only_what_it_changes(
        by_first in changes(), by_second in changes(), by_third in changes(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.redb");
        let mut model = Model::new();
        run::<first::Book>(&file, &mut model, &by_first, false);
        run::<second::Book>(&file, &mut model, &by_second, false);
        // Its index is new.
        run::<third::Book>(&file, &mut model, &by_third, true);
        let store = open(&file);
        let tx = store.read().unwrap();
        for pages in model.values().map(|book| book.2) {
            let found = tx.ids(&third::BY_PAGES, &Key::new().u64(u64::from(pages)).into(), 100).unwrap();
            let expected: Vec<u64> = model.iter().filter(|(_, book)| book.2 == pages).map(|(id, _)| *id).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn appended_fields_cost_no_rebuild_and_new_indexes_do() {
    let [first, second, third] = [FIRST, SECOND, THIRD]
        .map(|entity| fingerprint(&entity).unwrap().replace("multi book.by_pages\n", ""));
    assert_eq!(first, second);
    assert_ne!(second, third);
}

#[test]
fn older_records_are_reread_by_the_first_struct_that_can() {
    let sample = (FIRST.sample)(Draw::of_round(1)).unwrap();
    let (bytes, text) = (SECOND.read_as_newest)(&sample.bytes).unwrap();
    assert_eq!(bytes, [&[2], &sample.bytes[1..], stored(&PAGES).unwrap().as_slice()].concat());
    assert_eq!(text, sample.text.replace(" }", ", pages: 300 }"));
    // What version 2 was is frozen in the program of version 3.
    let frozen = (THIRD.reread)(&sample.bytes).unwrap();
    assert_eq!(frozen, (bytes.clone(), text.replace("Book {", "Book2 {")));
    assert_eq!((THIRD.read_as_newest)(&sample.bytes).unwrap(), (THIRD.read_as_newest)(&bytes).unwrap());
}

#[test]
fn damaged_older_records_are_reported_and_never_panic() {
    let bytes = (FIRST.sample)(Draw::of_round(1)).unwrap().bytes;
    for entity in [SECOND, THIRD] {
        for cut in 0..bytes.len() {
            let read = (entity.read_as_newest)(&bytes[..cut]);
            assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{cut}: {read:?}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!((entity.read_as_newest)(&longer).is_err());
    }
}
