//! An account moves whole to another server: everything comes along, works there, and nothing is half done.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crier::app;
use crier::backup::{FileKey, KeyFile, SealedReader, SealedWriter};
use crier::clock::Timestamp;
use crier::control::host::Host;
use crier::migrate::{FILE_NAME, SCHEMA};
use crier::model::{Account, AccountId, Batch, OldName, Person};
use crier::ops::accounts::moving::arriving::NotTaken;
use crier::ops::accounts::moving::{Item, leaving};
use crier::schema::{ENTITIES, EntityVisitor, HasLife, META_SECRET, WithMove, visit_entities};
use crier::secret::Secrets;
use crier::service::Core;
use crier::service::moving::{self, Arrived, Items, Source};
use crier::store::{
    Draw, Entity as _, Read as _, ReadTx, Store, StoreError, StoreOptions, record_to_bytes, sample,
};
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Client;
use crate::harness::program::{fail, run, setup};

const IDENTITY: &str = "AGE-SECRET-KEY-1ZEJTEQC8NYCZHDEVKZ6ZS2ZXLR4F9M7LTZQ8UQQH5GVD69FL0DASW6U7TC";
const ADA: &str = "ada@example.org";
/// The account of made-up records that moves, and another one.
const MOVES: AccountId = AccountId(7);
const STAYS: u64 = 8;
const ROUNDS: u64 = 6;

/// What goes wrong in these tests.
#[derive(Debug)]
struct Wrong(#[expect(dead_code, reason = "it is shown where a test fails")] String);

impl From<StoreError> for Wrong {
    fn from(error: StoreError) -> Wrong {
        Wrong(error.to_string())
    }
}

impl From<NotTaken> for Wrong {
    fn from(error: NotTaken) -> Wrong {
        Wrong(error.to_string())
    }
}

/// Runs what blocks, in a test that does not.
fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    thread::spawn(work).join().unwrap()
}

/// The items of a move, which are handed out as often as they are asked for. `at` is told the number of each item of the
/// second reading, before it is handed out.
struct Handed<'a> {
    items: &'a [Item],
    readings: RefCell<usize>,
    at: Box<dyn Fn(usize) -> Result<(), String> + 'a>,
}

impl Source for Handed<'_> {
    fn open(&self) -> Result<Items<'_>, String> {
        *self.readings.borrow_mut() += 1;
        let is_second = *self.readings.borrow() == 2;
        let mut items = self.items.iter().enumerate();
        Ok(Box::new(move || {
            let Some((number, item)) = items.next() else { return Ok(None) };
            if is_second {
                (self.at)(number)?;
            }
            Ok(Some(item.clone()))
        }))
    }
}

fn handed(items: &[Item]) -> Handed<'_> {
    Handed { items, readings: RefCell::new(0), at: Box::new(|_| Ok(())) }
}

fn stopped(folder: &Path) -> Host {
    app::open_stopped(folder, &mut |_| ()).unwrap()
}

fn arrive(core: &Core, source: &Handed<'_>) -> Result<Arrived, NotTaken> {
    moving::arrive(core, false, source, &mut |_| ())
}

fn items_of(tx: &ReadTx, account: AccountId) -> Vec<Item> {
    let account: Account = tx.get(account.0).unwrap().unwrap();
    let mut items = Vec::new();
    let put = &mut |item: Item| {
        items.push(item);
        Ok::<_, Wrong>(())
    };
    leaving::read::<Wrong>(tx, &account, SCHEMA, Timestamp::from_ms(0), put).unwrap();
    items
}

/// A store with made-up records of every entity, of two accounts; with the numbers of those that say that they are the
/// first one's.
fn samples(folder: &Path) -> (Store, BTreeMap<&'static str, BTreeSet<u64>>) {
    let store = Store::open(&folder.join(FILE_NAME), StoreOptions::default()).unwrap();
    store.write_blocking(|tx| tx.set_meta(META_SECRET, Some(&[7; 32]))).unwrap();
    let mut named = BTreeMap::new();
    for entity in ENTITIES {
        for (round, account) in (1..=ROUNDS).map(|round| (round, MOVES.0)).chain([(ROUNDS + 1, STAYS)]) {
            let put = store.write_blocking(move |tx| {
                let text = format!("Subject: {round}\n\n{}", "b".repeat(300_000));
                let blob = tx.put_blob(text.as_bytes())?.0;
                (entity.put_sample)(tx, Draw { round, account, blob })
            });
            let of = |account| (entity.sample)(Draw { round, account, blob: 1 }).unwrap();
            if put.is_ok() && account == MOVES.0 && of(7).bytes != of(8).bytes {
                named.entry(entity.name).or_insert_with(BTreeSet::new).insert(of(7).id);
            }
        }
    }
    (store, named)
}

/// Compares the records of an account in two data files, and the messages to which they refer.
struct Compare<'a> {
    old: &'a ReadTx,
    new: &'a ReadTx,
    named: &'a BTreeMap<&'static str, BTreeSet<u64>>,
    differences: Vec<String>,
}

impl EntityVisitor for Compare<'_> {
    type Error = Infallible;

    fn visit<T: HasLife>(&mut self) -> Result<(), Infallible> {
        let stays = matches!(T::LIFE.with_move, WithMove::Stays(_));
        let mut ids: BTreeSet<u64> = leaving::ids_of::<T>(self.old, MOVES).unwrap().into_iter().collect();
        ids.extend(self.named.get(T::TABLE).into_iter().flatten());
        for id in ids {
            let [old, new] = [self.old, self.new].map(|tx| tx.get::<T>(id).unwrap());
            let bytes = |tx: &ReadTx, record: &T| -> Vec<Vec<u8>> {
                record.blobs().into_iter().map(|blob| tx.blob(blob).unwrap()).collect()
            };
            let plain = |mut record: T| {
                record.renumber_blobs(&mut |_| 0);
                if let Some(batch) = (&mut record as &mut dyn Any).downcast_mut::<Batch>() {
                    // An attempt that was under way was the old server's.
                    batch.claimed = false;
                }
                record_to_bytes(&record).unwrap()
            };
            match (old, new) {
                (Some(_), None) if stays => {}
                (Some(old), Some(new)) if !stays => {
                    if bytes(self.old, &old) != bytes(self.new, &new) {
                        self.differences.push(format!("the messages of {} {id} differ", T::TABLE));
                    }
                    if plain(old) != plain(new) {
                        self.differences.push(format!("{} {id} differs", T::TABLE));
                    }
                }
                (old, new) => {
                    self.differences.push(format!("{} {id}: {old:?} became {new:?}", T::TABLE));
                }
            }
        }
        Ok(())
    }
}

/// How many records there are of each table that has some.
fn counts(tx: &ReadTx) -> BTreeMap<&'static str, u64> {
    let count = |entity: &crier::store::EntityInfo| tx.record_count(entity.name).unwrap();
    ENTITIES.iter().map(|entity| (entity.name, count(entity))).filter(|(_, count)| *count != 0).collect()
}

fn problems(tx: &ReadTx) -> Vec<String> {
    let found = ENTITIES.iter().flat_map(|entity| (entity.check)(tx).unwrap());
    found.map(|problem| problem.to_string()).collect()
}

#[test]
fn every_record_that_belongs_to_an_account_moves_with_it_as_its_entity_declares() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (old, named) = samples(folders[0].path());
    let tx = old.read().unwrap();
    let items = items_of(&tx, MOVES);
    let host = stopped(folders[1].path());
    arrive(&host.core, &handed(&items)).unwrap();
    let new = host.core.store.read().unwrap();
    assert_eq!(problems(&new), [""; 0]);
    let mut compare = Compare { old: &tx, new: &new, named: &named, differences: Vec::new() };
    let Ok(()) = visit_entities(&mut compare);
    assert_eq!(compare.differences, [""; 0]);
    // Of the other account nothing came; the arrival itself is in the audit log.
    let ids = |item: &&Item| matches!(item, Item::Record { .. });
    let came: u64 = counts(&new).values().sum();
    let clients = items.iter().filter(|item| matches!(item, Item::Client { .. })).count();
    assert_eq!(came, (items.iter().filter(ids).count() + clients + 1) as u64);
}

#[test]
fn what_renumbers_the_messages_of_a_record_misses_none_of_them() {
    struct Renumbered(Vec<&'static str>);
    impl EntityVisitor for Renumbered {
        type Error = Infallible;

        fn visit<T: HasLife>(&mut self) -> Result<(), Infallible> {
            for round in 0..Draw::ROUNDS {
                let mut record: T = sample(Draw { round, account: 7, blob: 3 }).unwrap();
                let before = record.blobs().len();
                record.renumber_blobs(&mut |_| 9);
                if record.blobs().iter().any(|blob| blob.0 != 9) || record.blobs().len() != before {
                    self.0.push(T::TABLE);
                }
            }
            Ok(())
        }
    }
    let mut renumbered = Renumbered(Vec::new());
    let Ok(()) = visit_entities(&mut renumbered);
    assert_eq!(renumbered.0, [""; 0]);
}

#[test]
fn an_arrival_that_is_killed_leaves_nothing_and_can_be_repeated() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (old, _) = samples(folders[0].path());
    let items = items_of(&old.read().unwrap(), MOVES);
    let host = stopped(folders[1].path());
    let file = folders[1].path().join(FILE_NAME);
    // What the disk has at that moment is what a killed process leaves.
    let images = tempfile::tempdir().unwrap();
    let moments: BTreeSet<usize> =
        (1..items.len()).step_by(items.len() / 8).chain([items.len() - 1]).collect();
    let source = Handed {
        items: &items,
        readings: RefCell::new(0),
        at: Box::new(|number| {
            if moments.contains(&number) {
                let image = images.path().join(number.to_string());
                fs::create_dir(&image).unwrap();
                fs::copy(&file, image.join(FILE_NAME)).unwrap();
            }
            Ok(())
        }),
    };
    arrive(&host.core, &source).unwrap();
    let whole = counts(&host.core.store.read().unwrap());
    let mut halves = 0;
    for moment in &moments {
        let host = stopped(&images.path().join(moment.to_string()));
        let core = &host.core;
        let written = counts(&core.store.read().unwrap());
        assert!(!written.contains_key(Account::TABLE), "the account comes last");
        halves += usize::from(!written.is_empty());
        // The file is damaged now, so the arrival only takes back what there is.
        let broken = handed(&items[..items.len() - 1]);
        assert!(arrive(core, &broken).is_err());
        assert_eq!(counts(&core.store.read().unwrap()), BTreeMap::new(), "{moment}");
        arrive(core, &handed(&items)).unwrap();
        assert_eq!(counts(&core.store.read().unwrap()), whole);
    }
    assert!(0 < halves, "some of the moments were in the middle");
}

#[test]
fn an_arrival_that_fails_in_the_middle_is_taken_back() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (old, _) = samples(folders[0].path());
    let items = items_of(&old.read().unwrap(), MOVES);
    let core = stopped(folders[1].path()).core;
    let last = items.len() - 2;
    let at = Box::new(move |number| if number == last { Err("the disk is gone".to_owned()) } else { Ok(()) });
    let source = Handed { items: &items, readings: RefCell::new(0), at };
    let error = arrive(&core, &source).unwrap_err();
    assert_eq!(error.to_string(), "the disk is gone");
    assert_eq!(counts(&core.store.read().unwrap()), BTreeMap::new());
    arrive(&core, &handed(&items)).unwrap();
}

#[test]
fn names_and_numbers_that_are_taken_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (old, _) = samples(folder.path());
    let items = items_of(&old.read().unwrap(), MOVES);
    let check = |taken: fn(&mut crier::store::WriteTx<'_>) -> Result<(), StoreError>, words: &str| {
        let folder = tempfile::tempdir().unwrap();
        let core = stopped(folder.path()).core;
        core.store.write_blocking(taken).unwrap();
        let before = counts(&core.store.read().unwrap());
        let error = arrive(&core, &handed(&items)).unwrap_err().to_string();
        assert!(error.contains(words), "{words:?} is not in {error:?}");
        assert_eq!(counts(&core.store.read().unwrap()), before);
        assert_eq!(core.store.read().unwrap().last_drawn_id::<Account>().unwrap(), 0);
    };
    check(
        |tx| {
            let theirs: Account = sample(Draw { round: ROUNDS, account: MOVES.0, blob: 1 })?;
            let own = Account { id: AccountId(STAYS), name: theirs.name.to_ascii_uppercase(), ..theirs };
            tx.put(&own)
        },
        "the account name",
    );
    check(
        |tx| {
            let theirs: OldName = sample(Draw { round: 1, account: MOVES.0, blob: 1 })?;
            let id = crier::model::OldNameId(theirs.id.0 + 1000);
            tx.put(&OldName { id, account: AccountId(STAYS), ..theirs })
        },
        "the host",
    );
    check(
        |tx| {
            let theirs: Account = sample(Draw { round: 1, account: MOVES.0, blob: 1 })?;
            tx.put(&Account { name: "another".to_owned(), ..theirs })
        },
        "number 7 of account is taken on this server",
    );
}

#[test]
fn a_move_from_a_newer_server_is_refused() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (old, _) = samples(folders[0].path());
    let mut items = items_of(&old.read().unwrap(), MOVES);
    let Item::Head(head) = &mut items[0] else { panic!("the head comes first") };
    head.schema = SCHEMA + 1;
    let core = stopped(folders[1].path()).core;
    let error = arrive(&core, &handed(&items)).unwrap_err().to_string();
    assert!(error.contains("install the newer version here first"), "{error}");
    assert_eq!(counts(&core.store.read().unwrap()), BTreeMap::new());
}

fn words(text: &str) -> FileKey {
    FileKey::Passphrase(text.to_owned())
}

/// Reads a file whole.
fn read_whole(path: &Path, key: &FileKey) -> Result<Vec<Item>, String> {
    let told = |error: crier::backup::BackupError| error.to_string();
    let mut reader = SealedReader::open(path, key, &Secrets::system()).map_err(told)?;
    let mut items = Vec::new();
    while let Some(item) = reader.read::<Item>().map_err(told)? {
        items.push(item);
    }
    Ok(items)
}

#[test]
fn a_file_that_was_changed_or_cut_does_not_read_as_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let key = FileKey::Keys(KeyFile::parse(IDENTITY).unwrap());
    let items: Vec<Item> = (0..2)
        .map(|id| {
            let mut bytes = vec![0; 1_050_000];
            Secrets::seeded(id).fill(&mut bytes);
            Item::Blob { id, bytes, is_last: true }
        })
        .collect();
    let mut writer = SealedWriter::create(&path, &key, &Secrets::system()).unwrap();
    for item in &items {
        writer.put(item).unwrap();
    }
    assert!(!path.exists(), "it has its name when it is whole");
    writer.finish().unwrap();
    assert_eq!(read_whole(&path, &key).unwrap(), items);
    let bytes = fs::read(&path).unwrap();
    let marks =
        (0..200).chain((200..bytes.len()).step_by(bytes.len() / 8)).chain(bytes.len() - 60..bytes.len());
    for at in marks {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        assert!(read_whole(&path, &key).is_err(), "byte {at}");
        fs::write(&path, &bytes[..at]).unwrap();
        assert!(read_whole(&path, &key).is_err(), "cut at {at}");
    }
}

#[test]
fn a_file_opens_with_its_passphrase_or_its_key_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let item = Item::End { records: 0 };
    let mut writer =
        SealedWriter::create(&path, &words("correct horse battery"), &Secrets::system()).unwrap();
    writer.put(&item).unwrap();
    writer.finish().unwrap();
    assert_eq!(read_whole(&path, &words("correct horse battery")).unwrap(), [item]);
    let error = read_whole(&path, &words("correct horse batteri")).unwrap_err();
    assert!(error.contains("not the one that it was encrypted with"), "{error}");
    let error = read_whole(&path, &FileKey::Keys(KeyFile::parse(IDENTITY).unwrap())).unwrap_err();
    assert!(error.contains("it opens with a passphrase"), "{error}");
}

/// Exports the account of a running server into a file.
fn export(app: &TestApp, path: PathBuf) {
    let (core, account) = (app.core(), app.account_id());
    aside(move || {
        let account: Account = core.store.read().unwrap().get(account).unwrap().unwrap();
        let mut items =
            SealedWriter::create(&path, &words("correct horse battery"), &Secrets::system()).unwrap();
        moving::leave::<Wrong>(&core, true, &account, &mut |item| {
            items.put(&item).map_err(|error| Wrong(error.to_string()))
        })
        .unwrap();
        items.finish().unwrap();
    });
}

/// A file of which an account is taken in.
struct Sealed(PathBuf);

impl Source for Sealed {
    fn open(&self) -> Result<Items<'_>, String> {
        let opened = SealedReader::open(&self.0, &words("correct horse battery"), &Secrets::system());
        let mut reader = opened.map_err(|error| error.to_string())?;
        Ok(Box::new(move || reader.read().map_err(|error| error.to_string())))
    }
}

/// A server that had no account before it took in the one of a file.
async fn new_server(path: PathBuf) -> TestApp {
    let mut app = TestApp::start().await;
    app.restart_after(|file| {
        fs::remove_file(file).unwrap();
        let folder = file.parent().unwrap().to_owned();
        aside(move || {
            let host = stopped(&folder);
            moving::arrive(&host.core, false, &Sealed(path), &mut |_| ()).unwrap();
            host.core.store.close_blocking();
        });
    })
    .await;
    app
}

/// The path of the link for leaving in the copy that ada got.
fn link_of(app: &TestApp) -> String {
    let copy = app.sink.mail_to(ADA);
    let field = copy.header("List-Unsubscribe").unwrap();
    let start = field.find("<https://lists.example.org/").unwrap();
    let link = field[start + 1..].split('>').next().unwrap();
    link.strip_prefix("https://lists.example.org").unwrap().to_owned()
}

#[tokio::test]
async fn links_keys_sessions_and_searches_go_on_at_the_new_server() {
    let old = TestApp::start().await;
    let list = old.list("news").open().create().await;
    old.admin.post_json("/api/2/contacts/", &json!({"emails": [ADA], "lists": ["news"]})).await.good();
    assert_eq!(old.send_mail(ADA, &list.address, "Subject: hello\n\nrehearsal").await.code, 250);
    old.settle().await;
    let link = link_of(&old);
    let key = old.key_text().await;
    let eve: Person = old.new_admin(AccountId(old.account_id()), "eve@example.org").await;
    let session = old.sign_in(eve).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("account");
    export(&old, path.clone());
    let lists = old.admin.get("/api/2/lists/").await.good();
    let people = old.admin.get("/api/2/contacts/").await.good();

    let new = new_server(path).await;
    let caller = Client::with_key(new.running().http_addr, &key);
    assert_eq!(caller.get("/api/2/lists/").await.good(), lists);
    assert_eq!(caller.get("/api/2/contacts/").await.good(), people);
    assert!(new.session(&session).is_some());
    let tx = new.core().store.read().unwrap();
    assert!(crier::ops::archive::indexing::is_settled(&tx).unwrap());
    drop(tx);
    assert_eq!(new.dump("search_recent"), old.dump("search_recent"));
    let left = new.anon.post(&link, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(left.status, 200, "{}", left.body);
    let members = caller.get("/api/2/membership/?list=news").await.good();
    assert_eq!(members["count"], 0, "{members}");
    // Who left there stays out, by the same hash of the address.
    let again = caller
        .post_json("/api/2/contacts/", &json!({"emails": ["bob@example.org"], "lists": ["news"]}))
        .await
        .good();
    let id = again["id"].as_u64().unwrap();
    assert!(u64::from(u32::MAX) < id, "numbers of this server are apart from those that came: {id}");
    assert_eq!(new.send_mail("bob@example.org", &list.address, "Subject: on\n\nwe go").await.code, 250);
    new.settle().await;
    assert!(new.sink.mail_to("bob@example.org").header("Subject").unwrap().contains("on"));
}

#[tokio::test]
async fn who_opted_out_at_the_old_server_is_not_put_back_at_the_new_one() {
    let old = TestApp::start().await;
    let list = old.list("news").open().create().await;
    let ada = json!({"emails": [ADA], "lists": ["news"]});
    old.admin.post_json("/api/2/contacts/", &ada).await.good();
    old.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await;
    old.settle().await;
    old.anon.post(&link_of(&old), &[("List-Unsubscribe", "One-Click")]).await;
    let found = old.admin.get("/api/2/contacts/?email=ada%40example.org").await.good();
    let id = found["data"][0]["id"].as_u64().unwrap();
    // Only the hash of the address is left.
    old.admin.delete(&format!("/api/2/contacts/{id}/")).await.good();
    let key = old.key_text().await;
    let folder = tempfile::tempdir().unwrap();
    export(&old, folder.path().join("account"));
    let new = new_server(folder.path().join("account")).await;
    let caller = Client::with_key(new.running().http_addr, &key);
    caller.post_json("/api/2/contacts/", &ada).await.error(409, "left news on");
}

#[test]
fn an_account_moves_by_the_commands_with_and_without_a_running_server() {
    let [old, new, files] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    setup(old.path(), "news");
    let (file, words) = (files.path().join("lists.account"), files.path().join("passphrase"));
    fs::write(&words, "correct horse battery\n").unwrap();
    let (file, words) = (file.to_str().unwrap(), words.to_str().unwrap());
    let accounts = run(&["account", "list", "--json"], old.path());
    let listed: serde_json::Value = serde_json::from_str(&accounts).unwrap();
    let name = listed.pointer("/0/name").or(listed.pointer("/data/0/name")).unwrap().as_str().unwrap();
    run(&["account", "export", name, file, "--passphrase-file", words], old.path());
    let (_, told) = fail(&["account", "export", name, file, "--passphrase-file", words], old.path());
    assert!(told.contains("it exists already"), "{told}");
    let (_, told) = fail(&["account", "import", file, "--passphrase-file", words], old.path());
    assert!(told.contains("is taken on this server"), "{told}");
    run(&["account", "import", file, "--passphrase-file", words], new.path());
    assert_eq!(run(&["account", "list", "--json"], new.path()), accounts);
    run(&["verify"], new.path());
}
