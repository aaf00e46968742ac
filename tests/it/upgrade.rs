//! Data files of older versions are brought up to date at the start, and nothing of them is lost.

use std::collections::BTreeMap;
use std::path::Path;

use crier::migrate::{self, SCHEMA};
use redb::{
    Database, ReadableDatabase as _, ReadableTable as _, ReadableTableMetadata as _, TableDefinition,
    TableHandle as _, UntypedTableHandle,
};

use crier::schema::ENTITIES;
use crier::store::{EntityInfo, row_prefix};

use crate::harness::{TestApp, data, program};

type Rows = TableDefinition<'static, &'static [u8], &'static [u8]>;

fn table(name: &str) -> TableDefinition<'_, &'static [u8], &'static [u8]> {
    TableDefinition::new(name)
}

const NUMBERS: Rows = Rows::new("number");
const BLOBS: Rows = Rows::new("blob");
const META: Rows = Rows::new("meta");

/// Gives each table and index of a file a table of its own, as schema 7 and those before it did.
fn put_back_to_separate_tables(db: &Database) {
    let tx = db.begin_write().unwrap();
    let names = ENTITIES.iter().flat_map(EntityInfo::tables).chain(["number"]);
    let names: BTreeMap<[u8; 4], &str> = names.map(|name| (row_prefix(name), name)).collect();
    for row in tx.open_table(table("rows")).unwrap().iter().unwrap() {
        let (key, value) = row.unwrap();
        let (prefix, key) = key.value().split_first_chunk::<4>().unwrap();
        tx.open_table(table(names[prefix])).unwrap().insert(key, value.value()).unwrap();
    }
    tx.delete_table(table("rows")).unwrap();
    tx.commit().unwrap();
}

/// Writes the numbers of a file as schema 1 did: each kind in a table of its own, and one for every blob.
fn put_back_to_schema_1(file: &Path) {
    let db = Database::open(file).unwrap();
    put_back_to_separate_tables(&db);
    let tx = db.begin_write().unwrap();
    {
        let blobs = tx.open_table(BLOBS).unwrap();
        let mut references = tx.open_table(table("blob.references")).unwrap();
        for row in blobs.iter().unwrap() {
            let blob = row.unwrap().0.value()[..8].to_vec();
            references.insert(blob.as_slice(), 1_u64.to_be_bytes().as_slice()).unwrap();
        }
        drop(references);
        for row in tx.open_table(NUMBERS).unwrap().iter().unwrap() {
            let (key, number) = row.unwrap();
            let zero = key.value().iter().position(|octet| *octet == 0).unwrap();
            let (name, key) = (str::from_utf8(&key.value()[..zero]).unwrap(), &key.value()[zero + 1..]);
            // Schema 1 had no audit log, no threads and no months.
            if ["audit.", "thread.", "message.count_by_month", "account_figures.", "email.count_paused"]
                .iter()
                .any(|new| name.starts_with(new))
            {
                continue;
            }
            tx.open_table(table(name)).unwrap().insert(key, number.value()).unwrap();
        }
        let mut meta = tx.open_table(META).unwrap();
        meta.insert(b"schema".as_slice(), 1_u32.to_be_bytes().as_slice()).unwrap();
        meta.insert(b"indexes".as_slice(), b"older".as_slice()).unwrap();
    }
    tx.delete_table(NUMBERS).unwrap();
    for new in ["thread", "thread.by_activity"] {
        tx.delete_table(table(new)).unwrap();
    }
    tx.commit().unwrap();
}

/// The tables of a file that have rows. Upkeep opens others in write jobs: whether an empty table comes of it depends on
/// which jobs share a commit.
fn table_names(file: &Path) -> Vec<String> {
    let db = Database::open(file).unwrap();
    let tx = db.begin_read().unwrap();
    let has_rows =
        |table: &UntypedTableHandle| 0 < tx.open_untyped_table(table.clone()).unwrap().len().unwrap();
    let tables = tx.list_tables().unwrap().filter(has_rows);
    let mut names: Vec<String> = tables.map(|table| table.name().to_owned()).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn a_file_of_schema_1_keeps_its_counts_ids_and_blobs() {
    let mut app = TestApp::start().await;
    let news = app.list("news").open().members(3).create().await;
    let talk = app.list("talk").open().members(1).create().await;
    // One text for two lists, and one for one.
    app.send_mail_to(
        "ann@example.net",
        &[&news.address, &talk.address],
        "Subject: both\nMessage-ID: <1@example.net>\n\nhi\n",
    )
    .await;
    app.send_mail("ann@example.net", &news.address, "Subject: one\nMessage-ID: <2@example.net>\n\nhi\n")
        .await;
    app.settle().await;
    let before = [app.dump("message"), app.dump("membership"), app.dump("batch")];
    let mut tables = Vec::new();
    app.restart_after(|file| {
        tables = table_names(file);
        put_back_to_schema_1(file);
        assert!(table_names(file).contains(&"message.count_by_list".to_owned()));
    })
    .await;
    assert_eq!([app.dump("message"), app.dump("membership"), app.dump("batch")], before);

    // Numbers go on, and what two messages share goes with the second of them.
    let ids: Vec<String> = app.admin.get("/api/2/messages/").await.good()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["id"].to_string())
        .collect();
    for id in &ids {
        app.admin.delete(&format!("/api/2/messages/{id}/")).await.good();
    }
    app.send_mail("ann@example.net", &news.address, "Subject: next\nMessage-ID: <3@example.net>\n\nhi\n")
        .await;
    app.settle().await;
    app.restart_after(|file| {
        // What was deleted is noted there for a while.
        let mut names = table_names(file);
        names.retain(|name| !name.starts_with("taken_out"));
        assert_eq!(names, tables);
    })
    .await;
}

/// Makes a data file that a newer program wrote, as it lies there after a proper stop, and after a crash: a copy that
/// was taken while the file was open.
fn newer_files() -> [Vec<u8>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(migrate::FILE_NAME);
    let opened = data::open(folder.path());
    opened.store.close_blocking();
    let db = Database::open(&file).unwrap();
    let tx = db.begin_write().unwrap();
    let newer = (SCHEMA + 1).to_be_bytes();
    tx.open_table(META).unwrap().insert(b"schema".as_slice(), newer.as_slice()).unwrap();
    tx.commit().unwrap();
    let crashed = std::fs::read(&file).unwrap();
    drop(db);
    [std::fs::read(&file).unwrap(), crashed]
}

#[test]
fn a_file_of_a_newer_program_is_refused_and_stays_untouched() {
    let [stopped, crashed] = newer_files();
    assert_ne!(stopped, crashed, "an open file is marked as such");
    for before in [stopped, crashed] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(migrate::FILE_NAME);
        std::fs::write(&file, &before).unwrap();
        for command in [
            ["serve", "--hostname=mx.example.org"].as_slice(),
            &["account", "list"],
            &["queue", "list"],
            &["verify"],
        ] {
            let (code, told) = program::fail(command, folder.path());
            assert_eq!(code, 1, "{command:?}: {told}");
            assert!(told.contains("made by a newer crier"), "{command:?}: {told}");
            assert!(std::fs::read(&file).unwrap() == before, "{command:?} changed the file");
        }
        // The newer program can use it.
        let db = Database::open(&file).unwrap();
        let meta = db.begin_read().unwrap().open_table(META).unwrap();
        let schema = meta.get(b"schema".as_slice()).unwrap().unwrap();
        assert_eq!(schema.value(), (SCHEMA + 1).to_be_bytes());
    }
}
