//! What the storage engine does in a second: durable writes, point reads and pages.
//!
//! Run with `cargo bench --bench store`. The file lies in `CRIER_BENCH_DIR`, which should be on the disk of
//! interest, else in the target directory. Every bench asserts that its work happened.

#![expect(clippy::print_stdout, reason = "printing results is what a bench is for")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crier::store::{Count, Entity, Index, IndexRange, Key, Read, Store, StoreError, StoreOptions};
use serde::{Deserialize, Serialize};

/// How long each bench runs.
const BENCH_TIME: Duration = Duration::from_secs(3);

/// Tasks that write at the same time, each waiting for its commit before the next.
const WRITERS: [u64; 4] = [1, 8, 64, 256];

/// Commits of which the slowest is looked for: they write several times what the log of small commits holds, which is
/// merged when it is full.
const COMMITS: usize = 4_000;

/// Records in the file when reads are measured.
const RECORDS: u64 = 100_000;

/// Records that a job of the preparation writes.
const RECORDS_PER_JOB: u64 = 5_000;

/// Records on a page.
const PAGE: usize = 100;

/// The accounts over which the records are spread.
const ACCOUNTS: u64 = 10;

/// Reads between two looks at the clock.
const READS_PER_LOOK: u64 = 100;

/// A record like a contact's: some texts, a unique and a shared key, a count.
#[derive(Debug, Serialize, Deserialize)]
struct Person {
    id: u64,
    account: u64,
    address: String,
    name: String,
    fields: Vec<(u64, String)>,
}

static PERSON_BY_ADDRESS: Index<Person> =
    Index::unique("person.by_address", |person| vec![Key::new().u64(person.account).text(&person.address)]);

static PERSON_BY_NAME: Index<Person> =
    Index::multi("person.by_name", |person| vec![Key::new().u64(person.account).text(&person.name)]);

static PERSONS: Count<Person> =
    Count::new("person.per_account", |person| vec![Key::new().u64(person.account)]);

impl Entity for Person {
    const TABLE: &'static str = "person";
    const INDEXES: &'static [&'static Index<Person>] = &[&PERSON_BY_ADDRESS, &PERSON_BY_NAME];
    const COUNTS: &'static [&'static Count<Person>] = &[&PERSONS];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        self.account
    }
}

fn person(id: u64) -> Person {
    // Spread over the index as real names and addresses are, and the same in every run.
    let spread = id.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Person {
        id,
        account: 1 + id % ACCOUNTS,
        address: format!("{spread:016x}@example.org"),
        name: format!("Name{:04x}", spread >> 48),
        fields: vec![(1, "Springfield".into()), (2, "Evergreen Terrace 742".into())],
    }
}

fn main() {
    let folder = std::env::var_os("CRIER_BENCH_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    let folder = tempfile::tempdir_in(folder).expect("the bench directory can be written");
    let path = folder.path().join("bench.redb");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let open = |name: &str| {
        Store::open(&path.with_file_name(name), StoreOptions::default()).expect("a new file opens")
    };
    for writers in WRITERS {
        let store = open(&format!("writes{writers}.redb"));
        runtime.block_on(bench_writes(&store, writers));
        store.close_blocking();
    }
    let store = open("commits.redb");
    runtime.block_on(bench_slowest_commit(&store));
    store.close_blocking();
    let store = open("reads.redb");
    fill(&store);
    bench_snapshots(&store);
    bench_point_reads(&store);
    bench_finds(&store);
    bench_pages(&store);
    store.close_blocking();
}

async fn bench_writes(store: &Store, writers: u64) {
    let started = Instant::now();
    let tasks: Vec<_> =
        (0..writers).map(|_| tokio::spawn(write_until(store.clone(), started + BENCH_TIME))).collect();
    let mut written = 0;
    for task in tasks {
        written += task.await.expect("a writer does not panic");
    }
    report(&format!("durable writes, {writers} writers"), written, started.elapsed());
    let tx = store.read().expect("the file is open");
    let counted =
        (1..=ACCOUNTS).map(|account| tx.count(&PERSONS, &Key::new().u64(account)).expect("a count"));
    assert_eq!(counted.sum::<u64>(), written, "every write is there");
}

/// Creates one record after another, each durable before the next; answers how many.
async fn write_until(store: Store, end: Instant) -> u64 {
    let mut written = 0;
    while Instant::now() < end {
        write_one(&store).await;
        written += 1;
    }
    written
}

async fn write_one(store: &Store) {
    let job = store.write(|tx| {
        let id = tx.next_id::<Person>()?;
        tx.put(&person(id))
    });
    job.await.unwrap_or_else(|error: StoreError| panic!("a write failed: {error}"));
}

/// Small commits one after the other, some of which merge the log: the slowest beside the median.
async fn bench_slowest_commit(store: &Store) {
    let mut times = Vec::with_capacity(COMMITS);
    for _ in 0..COMMITS {
        let started = Instant::now();
        write_one(store).await;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let (median, slowest) = (times[COMMITS / 2], times[COMMITS - 1]);
    let ratio = slowest.div_duration_f64(median);
    println!("{:<32} {ratio:>12.1} times the median of {median:?}", "slowest commit, with merges");
}

fn fill(store: &Store) {
    let started = Instant::now();
    for first in (1..=RECORDS).step_by(usize::try_from(RECORDS_PER_JOB).expect("small")) {
        let last = RECORDS.min(first + RECORDS_PER_JOB - 1);
        let job = store.write_blocking(move |tx| (first..=last).try_for_each(|id| tx.put(&person(id))));
        job.unwrap_or_else(|error: StoreError| panic!("filling failed: {error}"));
    }
    report(&format!("writes in jobs of {RECORDS_PER_JOB}"), RECORDS, started.elapsed());
}

fn bench_snapshots(store: &Store) {
    bench("snapshot and one point read", |turn| {
        let tx = store.read().expect("the file is open");
        let person: Option<Person> = tx.get(1 + turn % RECORDS).expect("a readable record");
        assert!(black_box(person).is_some());
    });
}

fn bench_point_reads(store: &Store) {
    let tx = store.read().expect("the file is open");
    bench("point read", |turn| {
        let id = 1 + turn.wrapping_mul(7919) % RECORDS;
        let person: Option<Person> = tx.get(id).expect("a readable record");
        assert_eq!(black_box(person).map(|person| person.id), Some(id));
    });
}

fn bench_finds(store: &Store) {
    let tx = store.read().expect("the file is open");
    bench("find by unique key", |turn| {
        let expected = person(1 + turn.wrapping_mul(7919) % RECORDS);
        let key = Key::new().u64(expected.account).text(&expected.address);
        let found = tx.find(&PERSON_BY_ADDRESS, &key).expect("a readable record");
        assert_eq!(black_box(found).map(|person| person.id), Some(expected.id));
    });
}

fn bench_pages(store: &Store) {
    bench(&format!("page of {PAGE} by name"), |turn| {
        let tx = store.read().expect("the file is open");
        let account = Key::new().u64(1 + turn % ACCOUNTS);
        let start = account.clone().text(&format!("Name{:04x}", turn.wrapping_mul(131) % 0xF000));
        let range = IndexRange::prefix(account).from(start);
        let page: Vec<Person> = tx.page(&PERSON_BY_NAME, &range, PAGE).expect("readable records");
        assert_eq!(black_box(page).len(), PAGE);
    });
}

/// Repeats `work` for the time of a bench, on one thread.
fn bench(name: &str, mut work: impl FnMut(u64)) {
    let started = Instant::now();
    let mut turns = 0;
    while started.elapsed() < BENCH_TIME {
        for _ in 0..READS_PER_LOOK {
            work(turns);
            turns += 1;
        }
    }
    report(name, turns, started.elapsed());
}

#[expect(clippy::cast_precision_loss, reason = "a rate has no use for the last digits")]
fn report(name: &str, operations: u64, elapsed: Duration) {
    let per_second = operations as f64 / elapsed.as_secs_f64();
    println!("{name:<32} {per_second:>12.0}/s");
}
