//! What tests begin with, made as users make it, and what a data file must be at their end.

use std::collections::BTreeSet;
use std::path::Path;

use crier::app;
use crier::clock::{Clock, Timestamp};
use crier::mail::sign;
use crier::migrate::Opened;
use crier::model::{Account, Batch, Destination, DkimKeys, Domain, Message, Payload};
use crier::ops::accounts;
use crier::ops::archive::{indexing, threads};
use crier::ops::queue::due;
use crier::ops::queue::due::{Room, Round};
use crier::ops::queue::fan_out;
use crier::ops::queue::pauses::Pauses;
use crier::schema::{BATCH_CLAIMED, ENTITIES};
use crier::secret::Secrets;
use crier::service::Core;
use crier::store::{IndexRange, Key, Read as _, ReadTx, Store, StoreOptions, check_shared};
use serde_json::{Value, json};

use super::http::encode;
use super::{DOMAIN, TestApp};

/// Opens the data file of a folder as the server does.
#[track_caller]
pub(crate) fn open(folder: &Path) -> Opened {
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    app::open_file(folder, options, &Clock::system(), &Secrets::system(), &mut |_| ())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Keys that never change.
fn dkim_keys() -> DkimKeys {
    DkimKeys {
        selector: "test".to_owned(),
        rsa_pkcs8: include_bytes!("../../fixtures/dkim/rsa.pk8").to_vec(),
        ed25519_pkcs8: include_bytes!("../../fixtures/dkim/ed25519.pk8").to_vec(),
    }
}

/// What a [`dns`](super::dns) must know so that signatures of the account `test` can be verified.
pub(crate) fn dkim_zone() -> String {
    let records = sign::dns_records(&dkim_keys()).expect("the keys can be read");
    let lines =
        records.into_iter().map(|(selector, key)| format!("{selector}._domainkey.{DOMAIN} TXT {key}\n"));
    lines.collect()
}

/// Makes the account `test`.
pub(crate) async fn create_account(core: &Core, domain: &str) -> Account {
    let dkim = dkim_keys();
    let input = accounts::NewAccount {
        name: "test".to_owned(),
        description: String::new(),
        domain: Domain::parse(domain).expect("a domain"),
        dkim,
        ccid_enabled: false,
    };
    let now = core.now();
    let made = core.store.write(move |tx| accounts::create(tx, input, now)).await;
    made.expect("an empty file has room for an account").0
}

/// A list that is about to be made through the API.
pub(crate) struct NewList<'app> {
    app: &'app TestApp,
    fields: Vec<(String, String)>,
    members: Vec<String>,
}

/// A list that a test made.
#[derive(Debug, Clone)]
pub(crate) struct TestList {
    /// Its name.
    pub(crate) name: String,
    /// Where posts go.
    pub(crate) address: String,
}

impl<'app> NewList<'app> {
    /// A list with the defaults: only its members may post.
    pub(crate) fn new(app: &'app TestApp, name: &str) -> NewList<'app> {
        NewList { app, fields: vec![("name".to_owned(), name.to_owned())], members: Vec::new() }
    }

    /// Sets a field of the list.
    pub(crate) fn with(mut self, field: &str, value: &str) -> NewList<'app> {
        self.fields.push((field.to_owned(), value.to_owned()));
        self
    }

    /// Anybody may post.
    pub(crate) fn open(self) -> NewList<'app> {
        self.with("moderate", "0")
    }

    /// Members `member1@example.org` to `member{count}@example.org`.
    pub(crate) fn members(mut self, count: usize) -> NewList<'app> {
        self.members.extend((1..=count).map(|number| format!("member{number}@example.org")));
        self
    }

    /// One more member.
    pub(crate) fn member(mut self, address: &str) -> NewList<'app> {
        self.members.push(address.to_owned());
        self
    }

    /// Makes the list and its members.
    pub(crate) async fn create(self) -> TestList {
        let fields: Vec<(&str, &str)> =
            self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let list = self.app.admin.post("/api/2/lists/", &fields).await.good();
        let name = list["name"].as_str().expect("a list has a name").to_owned();
        for member in &self.members {
            self.app.join(member, &name).await;
        }
        TestList { address: format!("{name}@{DOMAIN}"), name }
    }
}

impl TestApp {
    /// Makes `address` a member of `list`; its contact is made if there is none.
    pub(crate) async fn join(&self, address: &str, list: &str) -> Value {
        let fields = [("emails", address), ("lists", list)];
        let made = self.admin.post("/api/2/contacts/", &fields).await;
        if made.status != 409 {
            return made.good();
        }
        let contact = self.email(address).await["contact"].to_string();
        self.admin.post("/api/2/membership/", &[("contact", &contact), ("list", list)]).await.good()
    }

    /// The email object of an address.
    pub(crate) async fn email(&self, address: &str) -> Value {
        self.admin.get(&format!("/api/2/emails/{}/", encode(address))).await.good()
    }

    /// Pauses delivery to an address.
    pub(crate) async fn pause(&self, address: &str) {
        let id = self.email(address).await["id"].to_string();
        self.admin.put_json(&format!("/api/2/emails/{id}/"), &json!({"paused": true})).await.good();
    }

    /// The addresses of a list's members, in order.
    pub(crate) async fn members(&self, list: &str) -> Vec<String> {
        let path = format!("/api/2/contacts/?list={}&limit=1000", encode(list));
        let contacts = self.admin.get(&path).await.good();
        let contacts = contacts["data"].as_array().expect("a listing has data").iter();
        let emails = contacts.flat_map(|contact| contact["emails"].as_array().cloned().unwrap_or_default());
        let mut members: Vec<String> =
            emails.filter_map(|email| email["email"].as_str().map(str::to_owned)).collect();
        members.sort();
        members
    }
}

/// A table, its indexes and its counts as text.
pub(crate) fn dump(tx: &ReadTx, table: &str) -> String {
    let info = ENTITIES.iter().find(|info| info.name == table);
    let info = info.unwrap_or_else(|| panic!("there is no table {table}"));
    (info.dump)(tx).expect("the file can be read")
}

/// Everywhere but at destinations that were not reached or are left alone for a while: what waits for those may be due.
struct Reachable<'a> {
    tx: &'a ReadTx,
    pauses: &'a Pauses,
    now: Timestamp,
}

impl Room for Reachable<'_> {
    fn is_full(&self) -> bool {
        false
    }

    fn places(&mut self, destination: &Destination) -> usize {
        let is_dead = due::is_any_unreached(self.tx, destination).expect("the file can be read");
        let (tried, _) = self.pauses.tried(destination, self.now, self.now);
        usize::from(!is_dead && tried == self.now)
    }

    fn take(&mut self, _: &Destination, _: usize) {}
}

/// Everything that does not agree in a data file, as it may lie there at any moment.
pub(crate) fn disagreements(tx: &ReadTx) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    for info in ENTITIES {
        let found = (info.check)(tx).expect("the file can be read");
        problems.extend(found.iter().map(ToString::to_string));
    }
    let found = check_shared(tx, ENTITIES).expect("the file can be read");
    problems.extend(found.iter().map(ToString::to_string));
    problems.extend(threads::problems(tx).expect("the file can be read"));
    problems
}

/// A copy: its subject, or that it is a letter, and who gets it.
pub(crate) type Copy = (String, String);

/// The copies that a process was sending when it ended, by the file that it left.
pub(crate) fn in_flight(tx: &ReadTx) -> BTreeSet<Copy> {
    let mut copies = BTreeSet::new();
    let claimed = IndexRange::prefix(Key::new());
    for id in tx.ids(&BATCH_CLAIMED, &claimed, usize::MAX).expect("the file can be read") {
        let batch: Batch = tx.get(id).expect("the file can be read").expect("an index row has a record");
        let subject = match batch.payload {
            Payload::SystemMail(_) => "letter".to_owned(),
            Payload::Digest { .. } => "digest".to_owned(),
            Payload::Post { message, list: _ } => {
                let message: Option<Message> = tx.get(message.0).expect("the file can be read");
                message.expect("a batch has a message").subject
            }
        };
        let waiting = batch.recipients.iter().filter(|recipient| recipient.state.is_waiting());
        copies.extend(waiting.map(|recipient| (subject.clone(), recipient.address.as_str().to_owned())));
    }
    copies
}

/// Everything that does not agree in a data file, and work that should have been done by a server that leaves these
/// destinations alone.
pub(crate) fn problems(store: &Store, pauses: &Pauses, now: Timestamp) -> Vec<String> {
    let tx = store.read().expect("the file is open");
    let mut problems = disagreements(&tx);
    let mut reachable = Reachable { tx: &tx, pauses, now };
    let due = due::find(&tx, &mut Round::default(), &mut reachable, now).expect("the file can be read");
    problems.extend(due.batches.iter().map(|batch| format!("delivery {batch}, which was due")));
    let fan_outs = fan_out::next_fan_outs(&tx, 1).expect("the file can be read");
    problems.extend(fan_outs.iter().map(|fan_out| format!("a post that was not expanded: {fan_out:?}")));
    problems.extend(indexing::problems(&tx).expect("the file can be read"));
    let unread = indexing::read(&tx).expect("the file can be read");
    problems.extend(unread.map(|step| format!("messages that no search finds: {step:?}")));
    problems
}
