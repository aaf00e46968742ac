//! What is stored: records keep their form as long as they keep their version, and nothing that is declared is forgotten.
//!
//! `tests/fixtures/records/` has a file for every version of every record: made-up records as `{:?}` shows them, each with
//! its stored bytes. A record that changes reads or shows these bytes differently, and then needs a new version, a row of
//! `Entity::OLDER` that reads this one, and a step of `migrate` that raises the schema number: `tests/fixtures/versions.txt`
//! has the versions of each schema. What is compatible, such as a variant at the end of an enum, only lacks samples. In
//! both cases run `CRIER_FREEZE=1 cargo test --test it records`, which adds what is missing; lines that are there stay.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crier::clock::Timestamp;
use crier::migrate::SCHEMA;
use crier::model::{Account, AccountDeletion, AccountId, Contact, ContactId, List, ListId, OptOut};
use crier::ops::Caller;
use crier::ops::accounts::account_deletion::{self, Progress};
use crier::ops::audit::Step;
use crier::ops::lists::{self, Deletion};
use crier::ops::people::{contacts, download};
use crier::ops::server::upkeep;
use crier::schema::{
    ENTITIES, EntityVisitor, HasLife, InDownload, InTime, WithContact, WithList, visit_entities,
};
use crier::store::{
    Draw, Entity as _, EntityInfo, Read as _, Store, StoreError, StoreOptions, row_prefix, sample,
};
use data_encoding::HEXLOWER;

/// Made-up records that are frozen of each version.
const FROZEN_ROUNDS: u64 = 8;

fn frozen_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/records")
}

/// The frozen records of a file: each as `{:?}` showed it, with its bytes.
fn frozen_records(path: &Path) -> Vec<(String, Vec<u8>)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let record = |pair: &[&str]| (pair[0].to_owned(), HEXLOWER.decode(pair[1].as_bytes()).unwrap());
    lines.chunks_exact(2).map(record).collect()
}

/// The made-up records that are not frozen yet, in the form of a file.
fn unfrozen(entity: &EntityInfo, frozen: &[(String, Vec<u8>)]) -> String {
    let samples = (0..FROZEN_ROUNDS).map(|round| (entity.sample)(Draw::of_round(round)).unwrap());
    let missing = samples.filter(|sample| !frozen.iter().any(|(_, bytes)| *bytes == sample.bytes));
    let lines = missing.flat_map(|sample| [sample.text, HEXLOWER.encode(&sample.bytes)]);
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

#[test]
fn a_record_changes_its_form_only_with_a_new_version() {
    let (mut changed, mut missing) = (Vec::new(), Vec::new());
    for entity in ENTITIES {
        let name = format!("{}.v{}.txt", entity.name, entity.version);
        let path = frozen_folder().join(&name);
        let frozen = frozen_records(&path);
        let reads_as_before =
            |(text, bytes): &(String, Vec<u8>)| (entity.reread)(bytes) == Ok((bytes.clone(), text.clone()));
        if !frozen.iter().all(reads_as_before) {
            changed.push(name);
            continue;
        }
        let added = unfrozen(entity, &frozen);
        if !added.is_empty() && std::env::var_os("CRIER_FREEZE").is_some() {
            let before = std::fs::read_to_string(&path).unwrap_or_default();
            std::fs::write(&path, before + &added).unwrap();
        } else if !added.is_empty() {
            missing.push(name);
        }
    }
    assert!(changed.is_empty(), "changed without a new `Entity::VERSION`: {changed:?}");
    assert!(missing.is_empty(), "not frozen yet (the head of this file says how): {missing:?}");
}

#[test]
fn every_frozen_record_reads_as_it_was_and_as_the_newest() {
    for entity in ENTITIES {
        for version in 1..=entity.version {
            let name = format!("{}.v{version}", entity.name);
            let frozen = frozen_records(&frozen_folder().join(format!("{name}.txt")));
            assert!(!frozen.is_empty(), "{name}: a version that was stored has its frozen records");
            for (text, bytes) in frozen {
                let (again, shown) = (entity.reread)(&bytes).unwrap();
                if again[0] == version {
                    assert_eq!((&again, &shown), (&bytes, &text), "{name}: the frozen struct changed");
                } else {
                    // Fields were appended, and nothing else changed.
                    let fields = text.strip_suffix(" }").unwrap();
                    assert!(
                        again[1..].starts_with(&bytes[1..]) && shown.starts_with(fields),
                        "{name}: {shown}"
                    );
                }
                let (newest, shown) = (entity.read_as_newest)(&bytes).unwrap();
                assert_eq!(newest[0], entity.version);
                let reread = (entity.reread)(&newest);
                assert_eq!(reread, Ok((newest, shown)), "{name}: it is written otherwise");
            }
        }
    }
}

#[test]
fn every_frozen_record_is_of_a_version_that_there_was() {
    for file in std::fs::read_dir(frozen_folder()).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        let (table, version) = name.split_once(".v").unwrap();
        let version: u8 = version.parse().unwrap();
        assert!(
            ENTITIES.iter().any(|entity| entity.name == table && version <= entity.version),
            "{name} is of no entity"
        );
    }
}

#[test]
fn a_version_is_new_only_together_with_a_schema_that_keeps_older_programs_away() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/versions.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let head = format!("schema {SCHEMA}\n");
    let is_frozen = text.contains(&head);
    // The last line of a table counts.
    let known: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
    let (mut changed, mut added) = (Vec::new(), Vec::new());
    for EntityInfo { name, version, .. } in ENTITIES {
        match known.get(name) {
            Some(known) if *known == version.to_string() => {}
            Some(_) if is_frozen => changed.push(name),
            Some(_) | None => added.push(format!("{name} {version}\n")),
        }
    }
    assert!(
        changed.is_empty(),
        "a new version needs a step of `migrate` to schema {}: {changed:?}",
        SCHEMA + 1
    );
    if is_frozen && added.is_empty() {
        return;
    }
    assert!(
        std::env::var_os("CRIER_FREEZE").is_some(),
        "schema {SCHEMA} is not frozen yet (the head of this file says how): {added:?}"
    );
    let head = if is_frozen { "" } else { &head };
    std::fs::write(&path, format!("{text}{head}{}", added.concat())).unwrap();
}

/// The source files in which entities, indexes and counts are declared.
fn schema_sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut text = std::fs::read_to_string(root.join("schema.rs")).unwrap();
    for file in std::fs::read_dir(root.join("schema")).unwrap() {
        text += &std::fs::read_to_string(file.unwrap().path()).unwrap();
    }
    text
}

/// The first text in quotes behind each occurrence of one of `openings`.
fn quoted_behind(text: &str, openings: &[&str]) -> BTreeSet<String> {
    let starts =
        openings.iter().flat_map(|opening| text.match_indices(opening).map(|(at, found)| at + found.len()));
    starts.filter_map(|start| text[start..].split('"').nth(1).map(str::to_owned)).collect()
}

#[test]
fn every_entity_index_and_count_that_is_declared_is_listed() {
    let text = schema_sources();
    let names = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<BTreeSet<String>>();
    let listed = names(ENTITIES.iter().map(|entity| entity.name).collect());
    assert_eq!(quoted_behind(&text, &["const TABLE: &'static str ="]), listed);
    let listed = names(ENTITIES.iter().flat_map(|entity| entity.tables().into_iter().skip(1)).collect());
    assert_eq!(quoted_behind(&text, &["Index::unique(", "Index::multi("]), listed);
    let listed = names(ENTITIES.iter().flat_map(EntityInfo::count_names).collect());
    assert_eq!(quoted_behind(&text, &["Count::new(", "Count::sum("]), listed);
}

/// Stores a made-up record; answers whether it was stored. Some samples differ in nothing that is unique.
fn put_sample(store: &Store, entity: &'static EntityInfo, (round, account): (u64, u64)) -> bool {
    let put = store.write_blocking(move |tx| {
        let blob = tx.put_blob(b"Subject: a\n\nb")?.0;
        (entity.put_sample)(tx, Draw { round, account, blob })
    });
    assert!(matches!(put, Ok(()) | Err(StoreError::Duplicate { .. })), "{}: {put:?}", entity.name);
    put.is_ok()
}

/// Whether a made-up record says which account it belongs to.
fn names_its_account(entity: &EntityInfo, round: u64) -> bool {
    let of = |account| (entity.sample)(Draw { round, account, blob: 1 }).unwrap().bytes;
    of(7) != of(8)
}

#[test]
fn deleting_an_account_takes_the_records_of_every_entity_that_belong_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("crier.redb"), StoreOptions::default()).unwrap();
    let mut stays = BTreeMap::new();
    // The note that an account is being deleted is made below.
    for entity in ENTITIES.iter().filter(|entity| entity.name != AccountDeletion::TABLE) {
        let mut of_others = BTreeSet::new();
        for at in (1..=6).map(|round| (round, 7)).chain((7..=12).map(|round| (round, 8))) {
            let stays = at.1 == 8 || !names_its_account(entity, at.0);
            if put_sample(&store, entity, at) && stays {
                of_others.insert((entity.sample)(Draw { round: at.0, account: at.1, blob: 1 }).unwrap().id);
            }
        }
        assert!(!of_others.is_empty(), "{} has no samples", entity.name);
        stays.insert(entity.name, of_others.len() as u64);
    }
    let begun = store.write_blocking(|tx| account_deletion::begin(tx, AccountId(7), Timestamp::from_ms(0)));
    begun.unwrap();
    while store.write_blocking(account_deletion::step).unwrap() != Progress::Done {}
    let tx = store.read().unwrap();
    let problems: Vec<String> = ENTITIES
        .iter()
        .flat_map(|entity| (entity.check)(&tx).unwrap())
        .map(|problem| problem.to_string())
        .collect();
    drop(tx);
    assert!(problems.is_empty(), "{problems:#?}");
    for entity in ENTITIES {
        let left = (entity.rebuild)(&store).unwrap();
        assert_eq!(
            left,
            stays.get(entity.name).copied().unwrap_or(0),
            "records of {} that are left",
            entity.name
        );
    }
}

/// Whether the records of each entity outlive a contact that they name; `None` if they name none.
struct OutliveContact(BTreeMap<&'static str, Option<bool>>);

impl EntityVisitor for OutliveContact {
    type Error = Infallible;

    fn visit<E: HasLife>(&mut self) -> Result<(), Infallible> {
        let outlives = match E::LIFE.with_contact {
            WithContact::NamesNone => None,
            WithContact::GoesByNumber | WithContact::Goes(..) => Some(false),
            // One of the two operations only takes the contact out of the record.
            WithContact::ByOperation(_) => Some(E::TABLE == OptOut::TABLE),
            WithContact::Stays(_) => Some(true),
        };
        self.0.insert(E::TABLE, outlives);
        Ok(())
    }
}

/// The made-up records of account 7 that have an id of this type, each with the id.
fn samples_that_name(entity: &EntityInfo, id_type: &str) -> impl Iterator<Item = (Draw, u64)> {
    (0..Draw::ROUNDS).filter_map(move |round| {
        let draw = Draw { round, account: 7, blob: 1 };
        let text = (entity.sample)(draw).unwrap().text;
        let (_, id) = text.split_once(&format!("{id_type}("))?;
        let (id, _) = id.split_once(')')?;
        Some((draw, id.parse().unwrap()))
    })
}

/// How many records of an entity outlive the contact that one of them names.
fn left_without_the_contact(entity: &'static EntityInfo, draw: Draw, contact: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("crier.redb"), StoreOptions::default()).unwrap();
    let made = store.write_blocking(move |tx| {
        let account = Account::new(AccountId(7), "a".to_owned(), Timestamp::from_ms(0));
        tx.put(&account)?;
        let blob = tx.put_blob(b"Subject: a\n\nb")?.0;
        let template: Contact = sample(Draw { round: 0, account: 7, blob })?;
        tx.put(&Contact { id: ContactId(contact), account: account.id, ..template })?;
        if entity.name != Contact::TABLE {
            (entity.put_sample)(tx, Draw { blob, ..draw })?;
        }
        Ok::<_, StoreError>(())
    });
    made.unwrap_or_else(|error| panic!("{}: {error}", entity.name));
    let deleted = store.write_blocking(move |tx| {
        contacts::delete(tx, &Caller::operator(AccountId(7)), &contact.to_string(), Timestamp::from_ms(0))
    });
    deleted.unwrap_or_else(|error| panic!("{}: {error}", entity.name));
    (entity.rebuild)(&store).unwrap()
}

#[test]
fn deleting_a_contact_does_to_every_record_that_names_it_what_its_entity_declares() {
    let mut outlive = OutliveContact(BTreeMap::new());
    let Ok(()) = visit_entities(&mut outlive);
    for entity in ENTITIES {
        let declared = outlive.0[entity.name];
        let Some((draw, contact)) = samples_that_name(entity, "ContactId").next() else {
            assert_eq!(declared, None, "{} names no contact", entity.name);
            continue;
        };
        let left = left_without_the_contact(entity, draw, contact);
        assert_eq!(Some(left == 1), declared, "{left} records of {} are left", entity.name);
    }
}

/// Whether the records of each entity outlive a list that they name; `None` if an operation decides that. Entities that
/// name none are left out.
struct OutliveList(BTreeMap<&'static str, Option<bool>>);

impl EntityVisitor for OutliveList {
    type Error = Infallible;

    fn visit<E: HasLife>(&mut self) -> Result<(), Infallible> {
        let outlives = match E::LIFE.with_list {
            WithList::NamesNone => return Ok(()),
            WithList::GoesByNumber | WithList::Goes(_) => Some(false),
            WithList::ByOperation(_) => None,
            WithList::Stays(_) => Some(true),
        };
        self.0.insert(E::TABLE, outlives);
        Ok(())
    }
}

/// How many records of an entity outlive the list that one of them names.
fn left_without_the_list(entity: &'static EntityInfo, draw: Draw, list: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("crier.redb"), StoreOptions::default()).unwrap();
    let made = store.write_blocking(move |tx| {
        let account = Account::new(AccountId(7), "a".to_owned(), Timestamp::from_ms(0));
        tx.put(&account)?;
        let blob = tx.put_blob(b"Subject: a\n\nb")?.0;
        let template: List = sample(Draw { round: 0, account: 7, blob })?;
        tx.put(&List { id: ListId(list), account: account.id, ..template })?;
        if entity.name != List::TABLE {
            (entity.put_sample)(tx, Draw { blob, ..draw })?;
        }
        Ok::<_, StoreError>(tx.get::<List>(list)?.unwrap().name)
    });
    let name = made.unwrap_or_else(|error| panic!("{}: {error}", entity.name));
    for step in [Step::First, Step::Later, Step::Later] {
        let name = name.clone();
        let deleted = store.write_blocking(move |tx| {
            lists::delete(tx, &Caller::operator(AccountId(7)), name.as_str(), step, Timestamp::from_ms(0))
        });
        match deleted.unwrap_or_else(|error| panic!("{}: {error}", entity.name)) {
            Deletion::Done => break,
            Deletion::Unfinished => {}
        }
    }
    (entity.rebuild)(&store).unwrap()
}

#[test]
fn deleting_a_list_does_to_every_record_that_names_it_what_its_entity_declares() {
    let mut outlive = OutliveList(BTreeMap::new());
    let Ok(()) = visit_entities(&mut outlive);
    let mut wrong = Vec::new();
    for entity in ENTITIES {
        let declared = outlive.0.get(entity.name);
        let mut samples = samples_that_name(entity, "ListId").peekable();
        match declared {
            None if samples.peek().is_some() => wrong.push(format!("{} names a list", entity.name)),
            Some(_) if samples.peek().is_none() => wrong.push(format!("{} names no list", entity.name)),
            None | Some(None) => {}
            // Some records of an entity may not be in the index of those that go.
            Some(Some(outlives)) => {
                let is_so = |(draw, list)| (left_without_the_list(entity, draw, list) == 1) == *outlives;
                if !samples.any(is_so) {
                    wrong.push(format!("{} does not do what it declares", entity.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What the entities declare of time and of the file that a person downloads.
#[derive(Default)]
struct Declared {
    upkeep: BTreeSet<&'static str>,
    fields: BTreeSet<&'static str>,
}

impl EntityVisitor for Declared {
    type Error = Infallible;

    fn visit<E: HasLife>(&mut self) -> Result<(), Infallible> {
        match E::LIFE.in_time {
            InTime::Forgotten(kind, _) | InTime::ByUpkeep(kind) => drop(self.upkeep.insert(kind)),
            InTime::Kept | InTime::ByOperation(_) => {}
        }
        if let InDownload::As(field) = E::LIFE.in_download {
            self.fields.insert(field);
        }
        Ok(())
    }
}

#[test]
fn upkeep_has_every_kind_of_work_that_an_entity_names() {
    let mut declared = Declared::default();
    let Ok(()) = visit_entities(&mut declared);
    let kinds: Vec<&str> = upkeep::kinds().iter().map(|kind| kind.name).collect();
    let known: BTreeSet<&str> = kinds.iter().copied().collect();
    assert_eq!(known.len(), kinds.len(), "two kinds have one name");
    assert!(declared.upkeep.is_subset(&known), "{:?}", declared.upkeep.difference(&known));
}

#[test]
fn a_person_downloads_the_records_of_every_entity_that_says_so() {
    let mut declared = Declared::default();
    let Ok(()) = visit_entities(&mut declared);
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("crier.redb"), StoreOptions::default()).unwrap();
    let made = store.write_blocking(|tx| {
        tx.put(&Account::new(AccountId(7), "a".to_owned(), Timestamp::from_ms(0)))?;
        tx.put(&sample::<Contact>(Draw { round: 0, account: 7, blob: 1 })?)
    });
    made.unwrap();
    let tx = store.read().unwrap();
    let contact = tx.all::<Contact>(0, 1).unwrap().remove(0);
    let file = serde_json::to_value(download::everything(&tx, contact.id).unwrap()).unwrap();
    let fields: BTreeSet<&str> = file.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, declared.fields);
}

#[test]
fn no_two_tables_have_the_same_prefix_in_the_table_that_they_share() {
    let names: BTreeSet<&str> = ENTITIES.iter().flat_map(EntityInfo::tables).chain(["number"]).collect();
    let prefixes: BTreeSet<[u8; 4]> = names.iter().map(|name| row_prefix(name)).collect();
    assert_eq!(prefixes.len(), names.len());
}
