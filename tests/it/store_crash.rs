//! Power cuts and failing disks: acknowledged writes are there in full, others in full or not at all.

use std::collections::BTreeMap;
use std::path::Path;

use crier::store::fault::{DiskControl, Fault, FaultyDisk, Survives};
use crier::store::{
    BlobId, Count, Disk, Entity, EntityInfo, Index, Key, Read, Store, StoreError, StoreOptions, WriteTx,
    check_shared,
};
use serde::{Deserialize, Serialize};

/// A seat in a train. Its jobs always book or free a whole row of two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Seat {
    id: u64,
    row: u64,
    passenger: String,
    ticket: BlobId,
}

static SEAT_BY_ROW: Index<Seat> = Index::multi("seat.by_row", |seat| vec![Key::new().u64(seat.row)]);

static SEAT_BY_PASSENGER: Index<Seat> =
    Index::unique("seat.by_passenger", |seat| vec![Key::new().text(&seat.passenger)]);

static SEATS_TAKEN: Count<Seat> = Count::new("seat.taken", |_| vec![Key::new()]);

impl Entity for Seat {
    const TABLE: &'static str = "seat";
    const INDEXES: &'static [&'static Index<Seat>] = &[&SEAT_BY_ROW, &SEAT_BY_PASSENGER];
    const COUNTS: &'static [&'static Count<Seat>] = &[&SEATS_TAKEN];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![self.ticket]
    }
}

const ENTITIES: &[EntityInfo] = &[EntityInfo::of::<Seat>()];

/// Jobs of the workload, enough to free and use pages again.
const JOBS: u64 = 40;

/// Rows of the train; a job works on the row of its number, so rows are booked anew again and again.
const ROWS: u64 = 5;

const OPTIONS: StoreOptions =
    StoreOptions { cache_bytes: 1 << 20, reserve_bytes: 0, log_changes: 100, disk: Disk::SYSTEM };

/// Which job booked each row last.
type Train = BTreeMap<u64, u64>;

fn seats_of(row: u64) -> [u64; 2] {
    [2 * row + 1, 2 * row + 2]
}

/// The job with this number: every third frees its row, others book it, with one ticket for both seats.
fn run_job(tx: &mut WriteTx<'_>, job: u64) -> Result<(), StoreError> {
    let row = job % ROWS;
    for id in seats_of(row) {
        tx.delete::<Seat>(id)?;
    }
    if job.is_multiple_of(3) {
        return Ok(());
    }
    let length = if job.is_multiple_of(4) { 300_000 } else { 100 };
    let ticket = tx.put_blob(&vec![7; length])?;
    for id in seats_of(row) {
        tx.put(&Seat { id, row, passenger: format!("{id} of job {job}"), ticket })?;
    }
    Ok(())
}

fn train_after(jobs: u64) -> Train {
    let mut train = Train::new();
    for job in 1..=jobs {
        if job.is_multiple_of(3) {
            train.remove(&(job % ROWS))
        } else {
            train.insert(job % ROWS, job)
        };
    }
    train
}

/// Reads the train, and asserts that no row is half-booked and that everything derived agrees.
#[track_caller]
fn read_train(store: &Store) -> Train {
    let tx = store.read().unwrap();
    let mut problems: Vec<_> = ENTITIES.iter().flat_map(|entity| (entity.check)(&tx).unwrap()).collect();
    problems.extend(check_shared(&tx, ENTITIES).unwrap());
    assert_eq!(problems, []);
    let mut train = Train::new();
    for seats in tx.all::<Seat>(0, 100).unwrap().chunks(2) {
        let [left, right] = seats else { panic!("a row is half-booked: {seats:?}") };
        assert_eq!([left.id, right.id], seats_of(left.row), "a row is half-booked");
        let job_of = |seat: &Seat| seat.passenger.rsplit_once(' ').unwrap().1.parse().unwrap();
        assert_eq!(job_of(left), job_of(right), "a row is booked by halves of jobs");
        assert!(!tx.blob(left.ticket).unwrap().is_empty());
        train.insert(left.row, job_of(left));
    }
    train
}

/// Opens a file behind a faulty disk. It is made on a good one: that its making cannot be cut short is a matter
/// of the folder, not of the file.
fn open_faulty(path: &Path, fault: Fault) -> Result<(Store, DiskControl), StoreError> {
    Store::open(path, OPTIONS)?.close_blocking();
    let (disk, control) = FaultyDisk::open(path, fault)?;
    Ok((Store::open_with_backend(disk, &OPTIONS)?, control))
}

/// Runs the jobs one after another until one fails or the power is gone; answers how many were acknowledged
/// while there was power.
fn run_jobs(store: &Store, disk: &DiskControl) -> Result<u64, (u64, StoreError)> {
    for job in 1..=JOBS {
        let answer = store.write_blocking(move |tx| run_job(tx, job));
        if disk.is_frozen() {
            return Ok(job - 1);
        }
        answer.map_err(|error| (job - 1, error))?;
    }
    Ok(JOBS)
}

/// What a complete run costs in syncs and writes.
fn syncs_and_writes() -> (u64, u64) {
    let folder = tempfile::tempdir().unwrap();
    let (store, disk) = open_faulty(&folder.path().join("test.redb"), Fault::None).unwrap();
    assert_eq!(run_jobs(&store, &disk), Ok(JOBS));
    store.close_blocking();
    (disk.syncs(), disk.writes())
}

/// Opens the file as it lies there and finds the train after `acknowledged` jobs, or after one more: the one
/// that was under way.
#[track_caller]
fn assert_recovers(path: &Path, acknowledged: u64, when: &str) {
    let store = Store::open(path, OPTIONS).unwrap_or_else(|error| panic!("{when}: {error}"));
    let train = read_train(&store);
    let expected = [train_after(acknowledged), train_after(acknowledged + 1)];
    assert!(expected.contains(&train), "{when}: {train:?} is none of {expected:?}");
    // And it works on from there.
    store
        .write_blocking(|tx| run_job(tx, JOBS + 1))
        .unwrap_or_else(|error: StoreError| panic!("{when}: {error}"));
    read_train(&store);
    store.close_blocking();
}

#[test]
fn a_power_cut_at_any_sync_loses_nothing_acknowledged_and_halves_nothing() {
    let (syncs, _) = syncs_and_writes();
    assert!(JOBS <= syncs, "each job needs a sync of its own here");
    for sync in 1..=syncs {
        for survives in [
            Survives::Nothing,
            Survives::Everything,
            Survives::Some(sync),
            Survives::Some(sync + 1000),
            Survives::Some(sync + 2000),
        ] {
            let when = format!("{survives:?} after sync {sync} of {syncs}");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("test.redb");
            let (store, disk) = open_faulty(&path, Fault::FreezeAtSync { sync, survives }).unwrap();
            let acknowledged = run_jobs(&store, &disk).unwrap();
            store.close_blocking();
            assert!(disk.is_frozen(), "{when} did not happen");
            assert_recovers(&path, acknowledged, &when);
        }
    }
}

#[test]
fn a_failed_sync_or_write_is_fatal_and_the_file_recovers() {
    let (syncs, writes) = syncs_and_writes();
    let faults = (1..=syncs).map(Fault::FailSync).chain((1..=writes).step_by(7).map(Fault::FailWrite));
    let mut failed_jobs = 0;
    for fault in faults {
        let when = format!("{fault:?}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.redb");
        let acknowledged = match open_faulty(&path, fault) {
            Ok((store, disk)) => {
                let outcome = run_jobs(&store, &disk);
                store.close_blocking();
                outcome.unwrap_or_else(|(acknowledged, error)| {
                    assert!(matches!(error, StoreError::Fatal { .. }), "{when}: {error}");
                    failed_jobs += 1;
                    acknowledged
                })
            }
            Err(error) => {
                assert!(matches!(error, StoreError::Unusable { .. }), "{when}: {error}");
                0
            }
        };
        assert_recovers(&path, acknowledged, &when);
    }
    assert!(JOBS <= failed_jobs, "only {failed_jobs} jobs met the failure");
}

#[tokio::test]
async fn a_failed_commit_answers_every_waiting_job_and_ends_all_writing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.redb");
    let opened = tokio::task::spawn_blocking(move || open_faulty(&path, Fault::None)).await;
    let (store, disk) = opened.unwrap().unwrap();
    store.write(|tx| run_job(tx, 1)).await.unwrap();
    let failed = store.failed();
    disk.plan(Fault::FailSync(disk.syncs() + 1));
    let jobs: Vec<_> = (2..10)
        .map(|job| {
            let store = store.clone();
            tokio::spawn(async move { store.write(move |tx| run_job(tx, job)).await })
        })
        .collect();
    let expected: StoreError = failed.await;
    assert!(matches!(&expected, StoreError::Fatal { reason } if reason.contains("planned sync failure")));
    for job in jobs {
        assert_eq!(job.await.unwrap(), Err(expected.clone()));
    }
    assert_eq!(store.write(|tx| run_job(tx, 10)).await, Err(expected.clone()));
    // Whoever asks later hears it as well.
    assert_eq!(store.failed().await, expected);
    store.close().await;
}

#[test]
fn a_store_whose_disk_fails_for_a_moment_takes_the_same_job_again_and_halves_nothing() {
    let (syncs, writes) = syncs_and_writes();
    let faults = (1..=syncs).map(Fault::FailSync).chain((1..=writes).step_by(7).map(Fault::FailWrite));
    let mut refused = 0;
    for fault in faults {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.redb");
        Store::open(&path, OPTIONS).unwrap().close_blocking();
        let control = DiskControl::new();
        control.plan(fault);
        let options = StoreOptions { disk: Disk::rehearsed(&control), ..OPTIONS };
        // The very opening may meet the failure.
        let store =
            std::iter::repeat_with(|| Store::open(&path, options.clone())).find_map(Result::ok).unwrap();
        for job in 1..=JOBS {
            while let Err(error) = store.write_blocking(move |tx| run_job(tx, job)) {
                assert!(matches!(error, StoreError::Unavailable { .. }), "{fault:?}: {error}");
                refused += 1;
            }
            // Readers never see a job by halves, whether or not it was said to have failed.
            read_when_open(&store);
        }
        assert_eq!(read_when_open(&store), train_after(JOBS), "{fault:?}");
        store.close_blocking();
        assert_recovers(&path, JOBS, &format!("{fault:?}"));
    }
    assert!(JOBS <= refused, "only {refused} jobs met a failure");
}

#[tokio::test]
async fn a_store_that_is_closed_while_its_disk_fails_says_that_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let control = DiskControl::new();
    let options = StoreOptions { disk: Disk::rehearsed(&control), ..OPTIONS };
    let path = folder.path().join("test.redb");
    let store = tokio::task::spawn_blocking(move || Store::open(&path, options)).await.unwrap().unwrap();
    control.plan(Fault::FailAll(std::io::ErrorKind::StorageFull));
    let refused = store.write(|tx| run_job(tx, 1)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable { .. })), "{refused:?}");
    store.close().await;
    store.wait_until_writable().await;
    assert_eq!(store.write(|tx| run_job(tx, 1)).await, Err(StoreError::Closed));
    assert_eq!(store.read().err(), Some(StoreError::Closed));
}

/// [`read_train`], once the file can be read.
fn read_when_open(store: &Store) -> Train {
    while store.read().is_err() {}
    read_train(store)
}

#[test]
fn jobs_that_share_a_commit_survive_a_power_cut_whole() {
    for sync in [8, 12, 17, 25] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.redb");
        let survives = Survives::Some(sync);
        let (store, disk) = open_faulty(&path, Fault::FreezeAtSync { sync, survives }).unwrap();
        // Each thread has a row of its own and says which job it was last told to be safe.
        let safe: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..ROWS)
                .map(|row| {
                    scope.spawn({
                        let (store, disk) = (&store, &disk);
                        move || book_until_frozen(store, disk, row)
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        store.close_blocking();
        let store = Store::open(&path, OPTIONS).unwrap();
        let train = read_train(&store);
        for (row, job) in (0..).zip(safe) {
            // Frees are not told apart from rows never booked, so only bookings are looked at.
            let found = train.get(&row).copied().unwrap_or(u64::MAX);
            assert!(job.is_multiple_of(3) || job <= found, "row {row} is at {found}, job {job} was safe");
        }
    }
}

/// Books a row again and again; answers the last job that was acknowledged while there was power.
fn book_until_frozen(store: &Store, disk: &DiskControl, row: u64) -> u64 {
    let mut safe = 0;
    for job in (0..).map(|turn| row + turn * ROWS).filter(|job| 0 < *job) {
        store.write_blocking(move |tx| run_job(tx, job)).unwrap();
        if disk.is_frozen() {
            break;
        }
        safe = job;
    }
    safe
}
