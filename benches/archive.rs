//! The cost of searching a large archive: a list of a million messages, made up of words of which the k-th is written
//! one k-th as often as the first.
//!
//! Run with `cargo bench --bench archive`. `CRIER_BENCH_MESSAGES` makes the list another size; the data file lies in
//! `CRIER_BENCH_DIR`, else in the target directory. The messages are stored as an import stores them, and indexed by the
//! same steps as in the server, one behind the other. Printed are the rate of the indexing, the bytes that the index takes
//! for each message (the rows of its tables, and the pages of the file that they fill), the slowest of a hundred for each
//! kind of search, and the memory of the process. At the end single posts are published with an index and without.

#[expect(dead_code, reason = "the parts for mail are for the other benches")]
mod support;
#[path = "support/words.rs"]
mod words;

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crier::clock::Timestamp;
use crier::model::{AccountId, BlobId, ListId, Message, MessageId, RecentTerms, Segment};
use crier::ops::archive::find::{Order, Position, SearchScope, find};
use crier::ops::archive::indexing;
use crier::ops::archive::query::Query;
use crier::schema::SEARCH_BLOCKS;
use crier::store::{IndexRange, Key, Read as _, Store, StoreError, StoreOptions, WriteTx};
use jiff::tz::TimeZone;
use std::ops::ControlFlow;
use support::{bench_dir, end_after, rate, report};
use words::{Random, VOCABULARY, WORDS, Zipf, word, words_of};

/// Messages, unless the environment says otherwise.
const MESSAGES: usize = 1_000_000;
/// Messages that a job stores.
const MESSAGES_PER_JOB: usize = 2000;
/// Messages of a day.
const MESSAGES_PER_DAY: i64 = 300;
/// Pages of the file that are kept in memory.
const CACHE_BYTES: usize = 64 * 1024 * 1024;
/// How often each kind of search is asked.
const ROUNDS: usize = 300;
/// Messages of a page.
const PAGE: usize = 50;
/// Single posts that are published with an index and without, in turn.
const POSTS: usize = 2000;
/// Turns of it.
const TURNS: usize = 3;
/// The bench ends after this time, also if it hangs.
const LIMIT: Duration = Duration::from_hours(1);

const ACCOUNT: AccountId = AccountId(1);
const LIST: ListId = ListId(1);

fn main() {
    end_after(LIMIT);
    let messages = std::env::var("CRIER_BENCH_MESSAGES").ok().and_then(|number| number.parse().ok());
    let messages = messages.unwrap_or(MESSAGES);
    let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
    let file = folder.path().join("crier.redb");
    let options = StoreOptions { cache_bytes: CACHE_BYTES, ..StoreOptions::default() };
    let store = Store::open(&file, options).expect("a file can be made");

    let words = Arc::new(Zipf::new(VOCABULARY));
    let elapsed = timed(|| fill(&store, &words, messages));
    report(&format!("storing {messages} messages"), rate(messages, elapsed), "messages/s");
    let before = bytes(&file);
    let mut steps = Vec::new();
    let elapsed = timed(|| steps = index_all(&store));
    report("indexing them", rate(messages, elapsed), "messages/s");
    report_steps(steps);
    report_index(&store, messages, bytes(&file).saturating_sub(before));
    report("memory after the indexing", memory_mib("VmRSS"), "MiB");

    let mut random = Random(3);
    for (name, ask) in SEARCHES {
        search(&store, name, &words, &mut random, *ask);
    }
    deep_pages(&store, messages);
    report("memory after the searches", memory_mib("VmRSS"), "MiB");
    report("memory at its most", memory_mib("VmHWM"), "MiB");
    live_posts(&store, &words, messages);
    let problems = indexing::problems(&store.read().expect("the file is open")).expect("the index is read");
    assert!(problems.is_empty(), "{problems:#?}");
    store.close_blocking();
}

/// The bytes of a message, its subject and its sender.
fn mail(number: usize, words: &Zipf) -> (Vec<u8>, String, usize) {
    let mut random = Random(number as u64);
    let subject = words_of(&mut random, words, 5);
    let length = WORDS.0 + random.below(WORDS.1);
    let text = words_of(&mut random, words, length);
    let sender = random.below(2000);
    let subject = subject.trim().to_owned();
    let raw = format!(
        "From: Sender Number{sender} <s{sender}@senders.example.org>\r\nTo: news@lists.example.org\r\n\
         Subject: {subject}\r\nMessage-ID: <{number}@senders.example.org>\r\n\
         Date: Fri, 20 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    (raw.into_bytes(), subject, sender)
}

/// Stores a message as an import does.
fn put(tx: &mut WriteTx<'_>, number: usize, words: &Zipf) -> Result<(), StoreError> {
    let (raw, subject, sender) = mail(number, words);
    let blob = tx.put_blob(&raw)?;
    let id = MessageId(tx.next_id::<Message>()?);
    let ms = i64::try_from(number).expect("fits") * (24 * 60 * 60 * 1000 / MESSAGES_PER_DAY);
    tx.put(&Message {
        id,
        account: ACCOUNT,
        list: LIST,
        subject,
        from_phrase: format!("Sender Number{sender}"),
        from_address: format!("s{sender}@senders.example.org"),
        time: Timestamp::from_ms(1_400_000_000_000 + ms),
        message_id: format!("{number}@senders.example.org"),
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

fn fill(store: &Store, words: &Arc<Zipf>, messages: usize) {
    for from in (0..messages).step_by(MESSAGES_PER_JOB) {
        let to = messages.min(from + MESSAGES_PER_JOB);
        let words = Arc::clone(words);
        let job = move |tx: &mut WriteTx<'_>| (from..to).try_for_each(|number| put(tx, number, &words));
        store.write_blocking::<_, StoreError, _>(job).expect("the messages are stored");
    }
}

/// Carries out all steps, as the server does; answers how long each held up the writer.
fn index_all(store: &Store) -> Vec<Duration> {
    let mut writes = Vec::new();
    while let Some(step) = indexing::read(&store.read().expect("the file is open")).expect("a step is read") {
        let job = move |tx: &mut WriteTx<'_>| {
            let started = Instant::now();
            indexing::write(tx, step).map(|()| started.elapsed())
        };
        writes.push(store.write_blocking::<_, StoreError, _>(job).expect("a step is written"));
    }
    writes
}

fn report_steps(mut steps: Vec<Duration>) {
    steps.sort_unstable();
    report("steps", count(steps.len()), "");
    report("the longest step in the writer", ms(steps.last().copied().unwrap_or_default()), "ms");
}

/// Prints what the tables of the index take, and asserts that all messages are in them.
fn report_index(store: &Store, messages: usize, file_bytes: u64) {
    let tx = store.read().expect("the file is open");
    let (mut rows, mut bytes) = (0, 0);
    tx.blocks(&SEARCH_BLOCKS, &IndexRange::prefix(Key::new()), |key, block| {
        rows += 1;
        bytes += key.len() + block.len();
        ControlFlow::<()>::Continue(())
    })
    .expect("the blocks are read");
    let segments: Vec<Segment> = tx.all(0, usize::MAX).expect("the segments are read");
    let recent: Vec<RecentTerms> = tx.all(0, usize::MAX).expect("the newest are read");
    let indexed = segments.iter().map(|segment| segment.documents as usize).sum::<usize>() + recent.len();
    assert_eq!(indexed, messages, "every message is indexed");
    report("segments", count(segments.len()), "");
    report("index, rows", count(bytes) / count(messages), "bytes/message");
    report("index, pages", count(rows) * 4096.0 / count(messages), "bytes/message");
    // With what is free again in the file behind merges.
    report(
        "growth of the file",
        count(usize::try_from(file_bytes).expect("fits")) / count(messages),
        "bytes/message",
    );
}

/// Writes a question.
type Ask = fn(&mut Random, &Zipf) -> String;

const SEARCHES: &[(&str, Ask)] = &[
    ("a rare word", |random, _| word(VOCABULARY / 2 + random.below(VOCABULARY / 2))),
    ("a common word", |random, _| word(random.below(20))),
    ("two common words", |random, _| format!("{} {}", word(random.below(50)), word(random.below(50)))),
    ("a common and a rare word", |random, _| {
        format!("{} {}", word(random.below(20)), word(2000 + random.below(20_000)))
    }),
    ("three words of any kind", |random, words| words_of(random, words, 3)),
    ("a phrase of common words", |random, _| {
        format!("\"{} {}\"", word(random.below(20)), word(random.below(20)))
    }),
    ("a phrase that is rare", |random, _| {
        format!("\"{} {}\"", word(random.below(200)), word(200 + random.below(800)))
    }),
    ("from: an address", |random, _| format!("from:s{}@senders.example.org", random.below(2000))),
    ("from: a name, and a word", |random, _| {
        format!("from:number{} {}", random.below(2000), word(random.below(50)))
    }),
    ("subject: a common word", |random, _| format!("subject:{}", word(random.below(50)))),
    ("a common word, in a month", |random, _| {
        format!("{} after:2014-{m:02} before:2014-{m:02}-28", word(random.below(20)), m = 6 + random.below(4))
    }),
    ("a common word and not another", |random, _| {
        format!("{} -{}", word(random.below(20)), word(random.below(20)))
    }),
    ("a beginning of two letters", |random, _| format!("{}*", &word(random.below(2000))[..2])),
    ("only what must not be", |random, _| format!("-{}", word(random.below(20)))),
];

fn search(store: &Store, name: &str, words: &Zipf, random: &mut Random, ask: Ask) {
    for (kind, order) in [("", Order::Newest), (", best first", Order::Best)] {
        let (mut times, mut hits) = (Vec::with_capacity(ROUNDS), 0);
        for _ in 0..ROUNDS {
            let written = ask(random, words);
            let query =
                Query::parse(&written, &TimeZone::UTC).unwrap_or_else(|error| panic!("{written}: {error}"));
            let started = Instant::now();
            let tx = store.read().expect("the file is open");
            let scope =
                SearchScope { account: ACCOUNT, lists: &[LIST], shows_addresses: true, hidden_authors: &[] };
            let found = find(&tx, &scope, &query, order, None, PAGE).expect("the index is read");
            times.push(started.elapsed());
            hits += found.ids.len();
        }
        assert!(0 < hits, "{name} finds something");
        report_times(&format!("{name}{kind}"), times);
    }
}

/// Asks for pages all over the hits of common words.
fn deep_pages(store: &Store, messages: usize) {
    let mut random = Random(5);
    let days = i64::try_from(messages).expect("fits") / MESSAGES_PER_DAY;
    let times = (0..ROUNDS).map(|_| {
        let query = Query::parse(&word(random.below(20)), &TimeZone::UTC).expect("a word");
        let day = i64::try_from(random.below(usize::try_from(days).expect("fits"))).expect("fits");
        let at = Timestamp::from_ms(1_400_000_000_000 + day * 24 * 60 * 60 * 1000);
        let position = Some(Position::Newest(at, MessageId(u64::MAX)));
        let started = Instant::now();
        let tx = store.read().expect("the file is open");
        let scope =
            SearchScope { account: ACCOUNT, lists: &[LIST], shows_addresses: true, hidden_authors: &[] };
        black_box(find(&tx, &scope, &query, Order::Newest, position, PAGE).expect("the index is read"));
        started.elapsed()
    });
    report_times("a deep page of a common word", times.collect());
}

fn report_times(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let middle = times[times.len() / 2];
    let slow = times[times.len() * 99 / 100];
    report(&format!("{name}: median"), ms(middle), "ms");
    report(&format!("{name}: p99"), ms(slow), "ms");
}

/// Publishes single posts, a commit each, while they are indexed as in the server, once a second, and while not.
fn live_posts(store: &Store, words: &Arc<Zipf>, messages: usize) {
    let mut rates = [Vec::new(), Vec::new()];
    let mut number = messages;
    for turn in 0..TURNS * 2 {
        let is_indexed = turn % 2 == 1;
        let end = Arc::new(AtomicBool::new(false));
        let indexing = is_indexed.then(|| {
            let (store, end) = (store.clone(), Arc::clone(&end));
            std::thread::spawn(move || {
                while !end.load(Ordering::Relaxed) {
                    index_all(&store);
                    std::thread::sleep(Duration::from_secs(1));
                }
            })
        });
        let elapsed = timed(|| {
            for _ in 0..POSTS {
                let words = Arc::clone(words);
                let job = move |tx: &mut WriteTx<'_>| put(tx, number, &words);
                store.write_blocking::<_, StoreError, _>(job).expect("a post is stored");
                number += 1;
            }
        });
        end.store(true, Ordering::Relaxed);
        if let Some(indexing) = indexing {
            indexing.join().expect("the indexing ends");
        }
        rates[usize::from(is_indexed)].push(rate(POSTS, elapsed));
        index_all(store);
    }
    let [without, with] = rates.map(support::median);
    report("single posts without an index", without, "messages/s");
    report("single posts while they are indexed", with, "messages/s");
    report("of those without", with / without, "");
}

fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn bytes(file: &Path) -> u64 {
    std::fs::metadata(file).expect("the file is there").len()
}

#[expect(clippy::cast_precision_loss, reason = "what is counted is far below 2^52")]
fn count(number: usize) -> f64 {
    number as f64
}

/// A line of what the system says of the memory of this process.
fn memory_mib(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system tells");
    let line = status.lines().find_map(|text| text.strip_prefix(line)).expect("the line is there");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<f64>().expect("a number") / 1024.0
}
