//! What a backup costs: its throughput beside a plain copy of the file, and what the second one sends.
//!
//! Run with `cargo bench --bench backup`. The files lie in `CRIER_BENCH_DIR`, else in the target directory.
//! `CRIER_BENCH_MIB` is the size of the data file, 256 MiB without it. Every bench asserts that its work happened.

#![expect(clippy::print_stdout, reason = "printing results is what a bench is for")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crier::backup::{self, Backup, Report, Target};
use crier::clock::Clock;
use crier::secret::{Secrets, sha256};
use crier::store::{Entity, Index, Store, StoreError, StoreOptions};
use serde::{Deserialize, Serialize};

const MIB: u64 = 1024 * 1024;
/// Records that a job of the preparation writes.
const RECORDS_PER_JOB: u64 = 2_000;
/// Of so many records one is changed before the second backup.
const CHANGED_ONE_OF: u64 = 100;

/// A record of about a kilobyte, of which half can be compressed, as mail can.
#[derive(Debug, Serialize, Deserialize)]
struct Letter {
    id: u64,
    text: Vec<u8>,
}

impl Entity for Letter {
    const TABLE: &'static str = "letter";
    const INDEXES: &'static [&'static Index<Letter>] = &[];

    fn id(&self) -> u64 {
        self.id
    }

    fn scope(&self) -> u64 {
        0
    }
}

fn write(store: &Store, ids: impl Iterator<Item = u64>, version: u64) -> Result<u64, StoreError> {
    let ids: Vec<u64> = ids.collect();
    for part in ids.chunks(usize::try_from(RECORDS_PER_JOB).expect("a small number")) {
        let part = part.to_vec();
        store.write_blocking::<_, StoreError, _>(move |tx| {
            part.iter().try_for_each(|id| {
                let hash = sha256(&[*id, version].map(u64::to_be_bytes).concat());
                let text = [hash.as_slice(), b"Dear members of the list, this is"].concat().repeat(15);
                tx.put(&Letter { id: *id, text })
            })
        })?;
    }
    Ok(ids.len() as u64)
}

struct Bench {
    folder: PathBuf,
    store: Store,
    clock: Clock,
    secrets: Secrets,
}

impl Bench {
    fn make(&self, target: &Target, what: &str, copy: Duration) -> Report {
        let Bench { folder, store, clock, secrets } = self;
        let backup = Backup { store, data_dir: folder, target, clock, secrets };
        let begun = Instant::now();
        let report = backup.make(&mut |_| ()).expect("the backup is made");
        let took = begun.elapsed();
        assert!(0 < report.file_bytes && 0 < report.sent_bytes);
        println!(
            "{what:<34} {:>6.2} s, {:>5.0} MiB/s, {:>5.2} times a plain copy, sent {:>6.2} % of {} MiB",
            took.as_secs_f64(),
            mib(report.file_bytes) / took.as_secs_f64(),
            took.as_secs_f64() / copy.as_secs_f64(),
            100.0 * mib(report.sent_bytes) / mib(report.file_bytes),
            report.file_bytes / MIB
        );
        report
    }
}

fn mib(bytes: u64) -> f64 {
    let kib = u32::try_from(bytes / 1024).unwrap_or(u32::MAX);
    f64::from(kib) / 1024.0
}

/// Copies a file as `cp` does, to the disk.
fn copy(from: &Path, to: &Path) -> Duration {
    let begun = Instant::now();
    let bytes = std::fs::copy(from, to).expect("a file can be copied");
    std::fs::File::open(to).and_then(|file| file.sync_all()).expect("a file can be synced");
    assert!(0 < bytes);
    begun.elapsed()
}

fn main() {
    let above = std::env::var("CRIER_BENCH_DIR").map_or_else(|_| PathBuf::from("target"), PathBuf::from);
    let folder = above.join("bench-backup");
    // What an earlier run left.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let size_mib = std::env::var("CRIER_BENCH_MIB").ok().and_then(|text| text.parse().ok()).unwrap_or(256);
    let file = folder.join("data");
    let store = Store::open(&file, StoreOptions::default()).expect("the file can be made");
    let mut records = 0;
    while std::fs::metadata(&file).expect("it is there").len() < size_mib * MIB * 9 / 10
        || records * 1000 < size_mib * MIB * 3 / 4
    {
        records += write(&store, records..records + 10 * RECORDS_PER_JOB, 0).expect("written");
    }
    let plain = copy(&file, &folder.join("copy"));
    let bench = Bench { folder: folder.clone(), store, clock: Clock::system(), secrets: Secrets::system() };
    println!("{records} records; a plain copy takes {:.2} s", plain.as_secs_f64());
    let target = Target::of_path(&folder.join("backups/"));
    bench.make(&target, "first backup to a folder", plain);
    bench.make(&target, "again, unchanged", plain);
    let scattered = (0..records).step_by(usize::try_from(CHANGED_ONE_OF).expect("a small number"));
    write(&bench.store, scattered, 1).expect("written");
    let second = bench.make(&target, "1 % of the records, scattered", plain);
    write(&bench.store, 0..records / CHANGED_ONE_OF, 2).expect("written");
    bench.make(&target, "1 % of the records, together", plain);
    bench.make(&Target::of_path(&folder.join("backup.crier")), "to one file", plain);
    let point = backup::find_point(&target, Some(second.point)).expect("it is there");
    let begun = Instant::now();
    let restored = folder.join("restored");
    backup::restore(&target, &point, &restored, &bench.secrets, &mut |_| ()).expect("it is restored");
    println!("{:<34} {:>6.2} s", "restored", begun.elapsed().as_secs_f64());
    bench.store.close_blocking();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
}
