//! A file of an older schema is brought up to date in steps, on a copy: wherever the power fails, the file is as it was.
//! A file that an earlier version brought up to date in its place, and did not finish, is gone on with. Records of an
//! older version keep their bytes until they are next written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crier::app;
use crier::clock::Clock;
use crier::migrate::{self, SCHEMA};
use crier::model::{Account, AccountId, Language};
use crier::schema::ACCOUNT_BY_NAME;
use crier::secret::Secrets;
use crier::store::fault::{DiskControl, Fault, Survives};
use crier::store::{Disk, Key, Read as _, StoreOptions, row_prefix};
use data_encoding::HEXLOWER;
use redb::{Database, ReadableDatabase as _, ReadableTable as _, TableDefinition};

use crate::fixtures::unpack;
use crate::harness::data;

/// Accounts beside those of the kept file.
const ACCOUNTS: u64 = 350;
/// Messages of the kept file, whose threads are noted in one step.
const MESSAGES: u64 = 26;

type Rows = TableDefinition<'static, &'static [u8], &'static [u8]>;
type Value<'row> = redb::AccessGuard<'row, &'static [u8]>;
type Row<'row> = Result<(Value<'row>, Value<'row>), redb::StorageError>;

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

/// What a file says of its schema, and how many records the step under way has read.
fn state(file: &Path) -> (u32, Option<u64>) {
    let db = Database::open(file).unwrap();
    let meta = db.begin_read().unwrap().open_table(Rows::new("meta")).unwrap();
    let value = |name: &str| meta.get(name.as_bytes()).unwrap().map(|value| value.value().to_vec());
    let schema = u32::from_be_bytes(value("schema").unwrap().try_into().unwrap());
    let done = value("conversion").map(|bytes| u64::from_be_bytes(bytes[..8].try_into().unwrap()));
    (schema, done)
}

/// The versions of the accounts that a file has.
fn account_versions(file: &Path) -> BTreeMap<u64, u8> {
    let db = Database::open(file).unwrap();
    let rows = db.begin_read().unwrap().open_table(Rows::new("rows")).unwrap();
    let accounts = row_prefix("account");
    let account = |row: Row| {
        let (key, value) = row.unwrap();
        let (prefix, id) = key.value().split_first_chunk::<4>().unwrap();
        (*prefix == accounts).then(|| (u64::from_be_bytes(id.try_into().unwrap()), value.value()[0]))
    };
    rows.iter().unwrap().filter_map(account).collect()
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
    let file = folder.join(migrate::FILE_NAME);
    assert_eq!(state(&file), (SCHEMA, None), "{when}");
    assert!(account_versions(&file).values().all(|version| *version == 1), "{when}");
}

#[test]
fn an_account_of_an_older_version_is_found_and_keeps_its_bytes_until_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(migrate::FILE_NAME);
    std::fs::write(&file, file_of_schema_3()).unwrap();
    let opened = data::open(folder.path());
    let named = |name: &str| {
        let found = opened.store.read().unwrap().find(&ACCOUNT_BY_NAME, &Key::new().text(name)).unwrap();
        found.map(|account: Account| (account.id.0, account.settings.language))
    };
    assert_eq!(named("account-7"), Some((1007, Language::English)));
    let changed = opened.store.write_blocking(|tx| {
        let mut account = tx.get::<Account>(1007)?.unwrap();
        "renamed".clone_into(&mut account.name);
        account.settings.language = Language::German;
        tx.put(&account)?;
        tx.delete::<Account>(1008)
    });
    assert_eq!(changed.unwrap().map(|account| account.id), Some(AccountId(1008)));
    assert_eq!(named("account-7"), None);
    assert_eq!(named("account-8"), None);
    assert_eq!(named("renamed"), Some((1007, Language::German)));
    assert_eq!(data::disagreements(&opened.store.read().unwrap()), [""; 0]);
    opened.store.close_blocking();
    let written = |(id, version)| if version == 1 { None } else { Some(id) };
    assert_eq!(account_versions(&file).into_iter().filter_map(written).collect::<Vec<_>>(), [1007]);
}

#[test]
fn accounts_that_an_earlier_version_was_converting_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(migrate::FILE_NAME);
    std::fs::write(&file, file_of_schema_3()).unwrap();
    let db = Database::open(&file).unwrap();
    let tx = db.begin_write().unwrap();
    let position = [100_u64.to_be_bytes(), 1097_u64.to_be_bytes()].concat();
    for (name, value) in [("schema", 4_u32.to_be_bytes().as_slice()), ("conversion", &position)] {
        tx.open_table(Rows::new("meta")).unwrap().insert(name.as_bytes(), value).unwrap();
    }
    tx.commit().unwrap();
    drop(db);
    assert_eq!(state(&file), (4, Some(100)));
    assert_converted(folder.path(), "stopped between two accounts");
}

#[test]
fn an_upgrade_that_a_power_cut_stops_at_any_sync_changes_nothing_and_one_that_was_stopped_goes_on() {
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
    let parts = [(6, Some(MESSAGES)), (8, Some(0))];
    assert_eq!(seen, steps.chain(parts).collect());
}
