//! Data files of earlier schemas, made by the executables of their time, are opened, brought up to date, verified
//! and used. `tests/fixtures/db/make.py` makes one.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crier::clock::Timestamp;
use crier::migrate::{self, SCHEMA};
use crier::model::{
    Account, AccountDomain, Admin, Alert, Alias, ApiKey, Batch, Contact, Email, FanOut, Held, List,
    Membership, Message, MessageWords, ModerationDigest, Pending, ProviderBlock, RecentTerms, SavedAnswer,
    SeenMail, SystemMail, Welcome,
};
use crier::ops::accounts::admins;
use crier::store::{Entity, Read as _, ReadTx};
use flate2::bufread::GzDecoder;
use serde_json::Value;

use crate::harness::{TestApp, data};

/// Schema 1 was never released.
const FIRST_KEPT: u32 = 2;

/// The data file of a schema, compressed.
fn fixture(schema: u32) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/db");
    folder.join(format!("schema-{schema}.redb.gz"))
}

/// Puts the data file of a schema in the place of `file`.
pub(crate) fn unpack(schema: u32, file: &Path) {
    let compressed = BufReader::new(File::open(fixture(schema)).unwrap());
    let mut unpacked = File::create(file).unwrap();
    std::io::copy(&mut GzDecoder::new(compressed), &mut unpacked).unwrap();
}

fn all<E: Entity>(tx: &ReadTx) -> Vec<E> {
    tx.all::<E>(0, usize::MAX).unwrap()
}

/// How many records of the main kinds a file has.
fn contents(tx: &ReadTx) -> String {
    let counts = [
        ("accounts", all::<Account>(tx).len()),
        ("domains", all::<AccountDomain>(tx).len()),
        ("contacts", all::<Contact>(tx).len()),
        ("addresses", all::<Email>(tx).len()),
        ("lists", all::<List>(tx).len()),
        ("aliases", all::<Alias>(tx).len()),
        ("memberships", all::<Membership>(tx).len()),
        ("messages", all::<Message>(tx).len()),
        ("held", all::<Held>(tx).len()),
        ("pending", all::<Pending>(tx).len()),
    ];
    counts.map(|(kind, count)| format!("{count} {kind}")).join("\n")
}

/// When the newest message of the data file of a schema came. Blocks.
fn newest_message(schema: u32) -> Timestamp {
    let folder = tempfile::tempdir().unwrap();
    unpack(schema, &folder.path().join(migrate::FILE_NAME));
    let opened = data::open(folder.path());
    let newest = all::<Message>(&opened.store.read().unwrap()).iter().map(|message| message.time).max();
    opened.store.close_blocking();
    newest.unwrap()
}

/// The kinds of which a file has no record at all.
fn missing(tx: &ReadTx, schema: u32) -> Vec<&'static str> {
    // The words of messages stand in an index of another form since schema 6.
    let words = if schema < 6 { all::<MessageWords>(tx).len() } else { all::<RecentTerms>(tx).len() };
    let counts = [
        (Admin::TABLE, all::<Admin>(tx).len()),
        (ApiKey::TABLE, all::<ApiKey>(tx).len()),
        (MessageWords::TABLE, words),
        (SeenMail::TABLE, all::<SeenMail>(tx).len()),
        (SavedAnswer::TABLE, all::<SavedAnswer>(tx).len()),
        (ProviderBlock::TABLE, all::<ProviderBlock>(tx).len()),
        (Alert::TABLE, all::<Alert>(tx).len()),
        (SystemMail::TABLE, all::<SystemMail>(tx).len()),
        (Welcome::TABLE, all::<Welcome>(tx).len()),
        (ModerationDigest::TABLE, all::<ModerationDigest>(tx).len()),
        (FanOut::TABLE, all::<FanOut>(tx).len()),
        (Batch::TABLE, all::<Batch>(tx).len()),
    ];
    counts.into_iter().filter(|(_, count)| *count == 0).map(|(table, _)| table).collect()
}

#[test]
fn every_earlier_schema_has_a_data_file() {
    for schema in FIRST_KEPT..SCHEMA {
        let path = fixture(schema);
        assert!(path.exists(), "{} is missing: tests/fixtures/db/make.py makes it", path.display());
    }
}

#[test]
fn data_files_of_earlier_schemas_are_migrated_and_agree() {
    for schema in FIRST_KEPT..SCHEMA {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(migrate::FILE_NAME);
        unpack(schema, &file);
        let before = std::fs::read(&file).unwrap();
        let opened = data::open(folder.path());
        let previous = folder.path().join(migrate::PREVIOUS_NAME);
        assert!(std::fs::read(previous).unwrap() == before, "schema {schema}: the older file is kept");
        let tx = opened.store.read().unwrap();
        assert_eq!(tx.meta("schema").unwrap().unwrap(), SCHEMA.to_be_bytes());
        assert_eq!(data::disagreements(&tx), [""; 0], "schema {schema}");
        insta::assert_snapshot!(format!("contents_of_schema_{schema}"), contents(&tx));
        assert_eq!(missing(&tx, schema), [""; 0], "schema {schema}");
        drop(tx);
        opened.store.close_blocking();
    }
}

/// The one value of a field in all objects of a listing.
#[track_caller]
fn values(listing: &Value, field: &str) -> Vec<String> {
    let rows = listing["data"].as_array().unwrap_or_else(|| panic!("no listing: {listing}")).iter();
    rows.map(|row| row[field].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test]
async fn a_server_goes_on_with_what_a_data_file_of_an_earlier_schema_left() {
    for schema in FIRST_KEPT..SCHEMA {
        let mut app = TestApp::start().await;
        // The server goes on where the one that made the file stopped.
        let stopped = tokio::task::spawn_blocking(move || newest_message(schema)).await.unwrap();
        let behind = u64::try_from(stopped.ms() - app.clock.now().ms()).unwrap();
        app.clock.advance(Duration::from_millis(behind));
        app.restart_after(|file| unpack(schema, file)).await;
        app.admin = app.key_with(admins::all_grants()).await;
        app.settle().await;

        // What is kept is shown and found.
        let lists = app.admin.get("/api/2/lists/").await.good();
        assert_eq!(values(&lists, "name"), ["news", "talk", "held", "board", "waiting"]);
        assert_eq!(lists["data"][0]["subject_prefix"], "[news]");
        let found = app.admin.get("/api/2/contacts/?search=ada7&limit=1").await.good();
        let contact = &found["data"][0];
        assert_eq!(
            (&contact["surname"], &contact["joined"]),
            (&"Łovelace".into(), &"1997".into()),
            "{found}"
        );
        assert_eq!(app.email("member3@example.net").await["paused"], true);
        assert_eq!(app.email("gone1@example.net").await["paused"], true);
        let found = app.admin.get("/api/2/messages/?search=topic%203").await.good();
        assert_eq!(values(&found, "subject"), ["Re: Topic 3", "Re: Topic 3", "Re: Topic 3", "Topic 3"]);
        // The words of the older index are gone behind the new one.
        assert_eq!(app.dump("message_words"), "message_words\n");
        let pending = app.admin.get("/api/2/pending/").await.good();
        assert_eq!(values(&pending, "list"), ["waiting"]);
        let account = app.admin.get(&format!("/api/2/accounts/{}/", app.account_id())).await.good();
        let domains = account["domains"].as_array().unwrap();
        assert!(domains.iter().all(|domain| domain["verified"] == true), "none needs a proof: {account}");

        // What waited goes on: the post of the last moment, the welcome, and the decision on what is held.
        let subjects: Vec<Option<String>> =
            app.sink.mails().iter().map(|mail| mail.header("Subject")).collect();
        assert!(subjects.contains(&Some("Not expanded yet".to_owned())), "{subjects:?}");
        let mails = app.sink.mails();
        let mut to_late = mails.iter().filter(|mail| mail.to == ["late1@example.net"]);
        assert!(to_late.any(|mail| mail.text().contains("Welcome, Late!")), "nobody was welcomed");
        let held = app.admin.get("/api/2/held/?list=held").await.good();
        let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
        app.admin.put(&path, &[("action", "approve")]).await.good();
        app.settle().await;
        let subject = held["data"][0]["subject"].as_str().map(str::to_owned);
        assert!(app.sink.mails().iter().any(|mail| mail.header("Subject") == subject), "{held}");
    }
}
