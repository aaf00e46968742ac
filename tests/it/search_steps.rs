//! The steps that keep the search index, with messages that are taken out between the reading and the writing of each.

use crier::clock::Timestamp;
use crier::model::{Account, AccountId, BlobId, List, ListId, ListName, Message, MessageId, Segment};
use crier::ops::archive::find::{Hits, Order, SearchScope, find};
use crier::ops::archive::query::Query;
use crier::ops::archive::{indexing, messages};
use crier::ops::{Caller, OpError};
use crier::store::{Read as _, Store, StoreError, StoreOptions, WriteTx};

const ACCOUNT: AccountId = AccountId(1);
const LIST: ListId = ListId(1);

/// A write job.
type Job = Box<dyn FnOnce(&mut WriteTx<'_>) -> Result<(), StoreError> + Send>;

/// Messages that have a word of their own, and one that all have.
struct Archive {
    store: Store,
    /// Whether each message is still there, by its number.
    is_there: Vec<bool>,
    state: u64,
    _folder: tempfile::TempDir,
}

impl Archive {
    fn new() -> Archive {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), StoreOptions::default()).unwrap();
        let now = Timestamp::from_ms(0);
        let made = store.write_blocking(move |tx| {
            tx.put(&Account::new(ACCOUNT, "a".to_owned(), now))?;
            tx.put(&List::new(LIST, ACCOUNT, ListName::parse("news").unwrap(), now))
        });
        made.unwrap();
        Archive { store, is_there: Vec::new(), state: 1, _folder: folder }
    }

    fn below(&mut self, end: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.state >> 33) % end as u64).unwrap()
    }

    /// Stores messages, some of which are older than those before them.
    fn add(&mut self, messages: usize) {
        let from = self.is_there.len();
        let times: Vec<i64> =
            (0..messages).map(|_| i64::try_from(self.below(1000)).unwrap() * 60_000).collect();
        let job = move |tx: &mut WriteTx<'_>| {
            (from..).zip(times).try_for_each(|(number, time)| put(tx, number, time))
        };
        self.store.write_blocking::<_, StoreError, _>(job).unwrap();
        self.is_there.resize(from + messages, true);
    }

    fn delete(&mut self, messages: usize) {
        let mut ids = Vec::new();
        for _ in 0..messages {
            let number = self.below(self.is_there.len());
            if std::mem::replace(&mut self.is_there[number], false) {
                ids.push(MessageId(number as u64 + 1));
            }
        }
        let job = move |tx: &mut WriteTx<'_>| {
            let caller = Caller::operator(ACCOUNT);
            ids.into_iter().try_for_each(|id| messages::delete(tx, &caller, id, Timestamp::from_ms(0)))
        };
        self.store.write_blocking::<_, OpError, _>(job).unwrap();
    }

    /// Carries out all steps, and takes up to so many messages out during each.
    fn index(&mut self, deleted_max: usize) {
        while let Some(step) = indexing::read(&self.store.read().unwrap()).unwrap() {
            let deleted = if 0 < deleted_max { self.below(deleted_max) } else { 0 };
            self.delete(deleted);
            self.store.write_blocking::<_, StoreError, _>(move |tx| indexing::write(tx, step)).unwrap();
        }
    }

    /// The words of new messages, if they are few.
    fn few(&self) -> Option<indexing::FewTerms> {
        indexing::read_few(&self.store.read().unwrap()).unwrap()
    }

    fn find(&self, question: &str, limit: usize) -> Hits {
        let scope =
            SearchScope { account: ACCOUNT, lists: &[LIST], shows_addresses: true, hidden_authors: &[] };
        let query = Query::parse(question, &jiff::tz::TimeZone::UTC).unwrap();
        find(&self.store.read().unwrap(), &scope, &query, Order::Newest, None, limit).unwrap()
    }

    /// Each message that is there is found by its word, and no other.
    fn check(&self) {
        assert_eq!(indexing::problems(&self.store.read().unwrap()).unwrap(), [""; 0]);
        for (number, is_there) in self.is_there.iter().enumerate() {
            let expected = if *is_there { vec![MessageId(number as u64 + 1)] } else { Vec::new() };
            assert_eq!(self.find(&format!("own{number}"), 10).ids, expected, "{number}");
        }
        let there = self.is_there.iter().filter(|is_there| **is_there).count();
        let hits = self.find("common", 1_000_000);
        assert_eq!((hits.ids.len(), hits.count, hits.next), (there, there as u64, None));
    }

    fn segments(&self) -> Vec<Segment> {
        self.store.read().unwrap().all(0, usize::MAX).unwrap()
    }
}

fn put(tx: &mut WriteTx<'_>, number: usize, time: i64) -> Result<(), StoreError> {
    let raw = format!("From: a@x.org\r\nSubject: s\r\n\r\ncommon own{number}\r\n");
    let blob = tx.put_blob(raw.as_bytes())?;
    let id = MessageId(tx.next_id::<Message>()?);
    assert_eq!(id.0, number as u64 + 1);
    tx.put(&Message {
        id,
        account: ACCOUNT,
        list: LIST,
        subject: "s".to_owned(),
        from_phrase: String::new(),
        from_address: "a@x.org".to_owned(),
        time: Timestamp::from_ms(time),
        message_id: format!("{number}@x.org"),
        thread: id,
        parent: None,
        blob: BlobId(blob.0),
        size_bytes: raw.len() as u64,
        deleted: false,
        changes: None,
        authentication: None,
        requires_tls: false,
    })
}

#[test]
fn what_is_taken_out_during_any_step_is_found_no_more() {
    let mut archive = Archive::new();
    for round in 0..24 {
        let messages = [3, 90, 200, 300][round % 4];
        archive.add(messages);
        archive.index(6);
    }
    archive.check();
    assert!(archive.segments().iter().any(|segment| 1024 < segment.documents), "none was merged");
}

#[test]
fn a_segment_of_which_much_is_gone_is_written_anew_and_one_of_which_all_is_gone_is_dropped() {
    let mut archive = Archive::new();
    archive.add(2000);
    archive.index(0);
    archive.delete(1200);
    archive.index(20);
    archive.check();
    let [segment] = &archive.segments()[..] else { panic!("one segment: {:?}", archive.segments()) };
    assert!(segment.documents < 1500 && segment.gone < segment.documents, "{segment:?}");
    archive.delete(50_000);
    archive.index(0);
    archive.check();
    assert_eq!(archive.segments(), []);
}

#[test]
fn the_words_of_a_few_messages_are_written_once_whether_they_or_a_step_come_first() {
    for few_come_first in [true, false] {
        let mut archive = Archive::new();
        archive.add(3);
        let few = archive.few().expect("they are few");
        // A step makes a segment of all.
        archive.add(97);
        let step = indexing::read(&archive.store.read().unwrap()).unwrap().expect("there is one");
        archive.delete(20);
        let mut writes: [Job; 2] =
            [Box::new(|tx| indexing::write_few(tx, few)), Box::new(|tx| indexing::write(tx, step))];
        if !few_come_first {
            writes.reverse();
        }
        for write in writes {
            archive.store.write_blocking(write).unwrap();
        }
        archive.index(0);
        archive.check();
    }
}

#[test]
fn many_messages_and_those_of_which_a_segment_is_due_are_left_to_a_step() {
    let mut archive = Archive::new();
    assert!(archive.few().is_none(), "there is nothing to write");
    archive.add(5);
    assert!(archive.few().is_none(), "they are many");
    archive.index(0);
    let mut taken = 0;
    for _ in 0..200 {
        archive.add(1);
        let few = archive.few();
        taken += usize::from(few.is_some());
        let write = |tx: &mut WriteTx<'_>| few.map_or(Ok(()), |few| indexing::write_few(tx, few));
        archive.store.write_blocking::<_, StoreError, _>(write).unwrap();
        archive.index(0);
    }
    assert!((180..200).contains(&taken), "{taken}: nearly all are taken along");
    assert_eq!(archive.segments().len(), 1, "a step made it");
    archive.check();
}
