//! Records that get a new version are converted in steps, on a copy: wherever the power fails, the file is as it was. A
//! file that an earlier version converted in its place, and did not finish, is gone on with.

use std::collections::BTreeSet;
use std::path::Path;

use crier::app;
use crier::clock::Clock;
use crier::migrate::{self, SCHEMA};
use crier::model::{Account, Language};
use crier::secret::Secrets;
use crier::store::fault::{DiskControl, Fault, Survives};
use crier::store::{Disk, Read as _, StoreOptions};
use data_encoding::HEXLOWER;
use redb::{Database, ReadableDatabase as _, TableDefinition};

use crate::fixtures::unpack;
use crate::harness::data;

/// Accounts beside those of the kept file: several steps.
const ACCOUNTS: u64 = 350;
/// Messages of the kept file, whose threads are noted in one step.
const MESSAGES: u64 = 26;

type Rows = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// A stored account of version 1 with another id and name.
fn account_v1(number: u64) -> (u64, Vec<u8>) {
    let frozen = include_str!("../fixtures/records/account.v1.txt").lines().nth(3).unwrap();
    let stored = HEXLOWER.decode(frozen.as_bytes()).unwrap();
    let config = bincode::config::standard();
    let ((_, _), used): ((u64, String), usize) =
        bincode::serde::decode_from_slice(&stored[1..], config).unwrap();
    let id = 1000 + number;
    let front = bincode::serde::encode_to_vec((id, format!("account-{number}")), config).unwrap();
    (id, [&[1], front.as_slice(), &stored[1 + used..]].concat())
}

/// A file of schema 3 with many accounts.
pub(crate) fn file_of_schema_3() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(migrate::FILE_NAME);
    unpack(3, &file);
    let db = Database::open(&file).unwrap();
    let tx = db.begin_write().unwrap();
    for (id, stored) in (0..ACCOUNTS).map(account_v1) {
        let mut accounts = tx.open_table(Rows::new("account")).unwrap();
        accounts.insert(id.to_be_bytes().as_slice(), stored.as_slice()).unwrap();
    }
    tx.commit().unwrap();
    drop(db);
    std::fs::read(&file).unwrap()
}

/// What a file says of its schema, and how many records the conversion under way has read.
fn state(file: &Path) -> (u32, Option<u64>) {
    let db = Database::open(file).unwrap();
    let meta = db.begin_read().unwrap().open_table(Rows::new("meta")).unwrap();
    let value = |name: &str| meta.get(name.as_bytes()).unwrap().map(|value| value.value().to_vec());
    let schema = u32::from_be_bytes(value("schema").unwrap().try_into().unwrap());
    let done = value("conversion").map(|bytes| u64::from_be_bytes(bytes[..8].try_into().unwrap()));
    (schema, done)
}

/// Opens a file as a start does and asserts that all of it was brought up to date.
#[track_caller]
fn assert_converted(folder: &Path, when: &str) {
    let opened = data::open(folder);
    let tx = opened.store.read().unwrap();
    let accounts = tx.all::<Account>(0, usize::MAX).unwrap();
    assert_eq!(accounts.len() as u64, ACCOUNTS + 2, "{when}");
    assert!(accounts.iter().all(|account| account.settings.language == Language::English), "{when}");
    let last = accounts.last().unwrap();
    assert_eq!((last.id.0, last.name.as_str()), (1000 + ACCOUNTS - 1, "account-349"), "{when}");
    assert_eq!(data::disagreements(&tx), [""; 0], "{when}");
    drop(tx);
    opened.store.close_blocking();
    assert_eq!(state(&folder.join(migrate::FILE_NAME)), (SCHEMA, None), "{when}");
}

#[test]
fn a_conversion_that_a_power_cut_stops_at_any_sync_changes_nothing_and_one_that_was_stopped_goes_on() {
    let before = file_of_schema_3();
    let mut seen = BTreeSet::new();
    for sync in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(migrate::FILE_NAME);
        std::fs::write(&file, &before).unwrap();
        let control = DiskControl::new();
        let survives = if sync % 2 == 0 { Survives::Some(sync) } else { Survives::Nothing };
        control.plan(Fault::CutAtSync { sync, survives });
        let options =
            StoreOptions { reserve_bytes: 0, disk: Disk::rehearsed(&control), ..StoreOptions::default() };
        let copy = folder.path().join("crier.redb.upgrade");
        let kept = folder.path().join("kept");
        let mut keep = |_| drop(std::fs::hard_link(&copy, &kept));
        let opened = app::open_file(folder.path(), options, &Clock::system(), &Secrets::system(), &mut keep);
        assert!(opened.is_err(), "the power failed at sync {sync}");
        assert!(std::fs::read(&file).unwrap() == before, "sync {sync} changed the file");
        assert!(!copy.exists(), "sync {sync} left the copy");
        if !kept.exists() {
            // Before anything was converted.
            continue;
        }
        let state = state(&kept);
        let when = format!("stopped at sync {sync} with {state:?}");
        assert!(matches!(state, (3..=SCHEMA, _)), "{when}");
        if seen.is_empty() {
            assert_converted(folder.path(), &when);
        }
        // So a version that converted files in their place would have left it.
        std::fs::rename(&kept, &file).unwrap();
        seen.insert(state);
        assert_converted(folder.path(), &when);
        // Behind it come the indexes, which begin anew.
        if state == (SCHEMA, None) {
            break;
        }
    }
    let steps = (3..=SCHEMA).map(|schema| (schema, None));
    let accounts = [100, 200, 300, 352].map(|done| (4, Some(done)));
    let others = [(6, Some(MESSAGES)), (SCHEMA, Some(0))];
    assert_eq!(seen, steps.chain(accounts).chain(others).collect());
}
