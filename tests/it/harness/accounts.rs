//! Accounts as their operators set them up, and a second one beside the usual.

use std::time::Duration;

use crier::clock::Timestamp;
use crier::model::{
    Account, AccountDomain, AccountId, AdminId, BlobId, ContactId, DkimKeys, Domain, Email, EmailAddress,
    List, ListId, ListName, Message, Permission, Person,
};
use crier::ops::accounts::admins::{self, Kind, NewAdmin};
use crier::ops::accounts::fields::FieldChange;
use crier::ops::people::contacts::{self, ContactInput};
use crier::ops::people::emails::EmailInput;
use crier::ops::people::memberships::{MemberInput, MemberSettings};
use crier::ops::{Caller, OpError, accounts};
use crier::schema::{DOMAIN_BY_ACCOUNT, LIST_BY_NAME};
use crier::secret::sha256;
use crier::store::{Key, Read, StoreError, WriteTx};

use super::TestApp;
use super::http::Client;

impl TestApp {
    /// Makes a contact of an account.
    pub(crate) async fn new_member(&self, account: AccountId, address: &str) -> Person {
        let path = format!("/api/2/contacts/?account_id={account}");
        let made = self.global().await.post(&path, &[("emails", address)]).await.good();
        Person::Member(ContactId(made["id"].as_u64().expect("a number")))
    }

    /// Makes an administrator of an account, who is not written to.
    pub(crate) async fn new_admin(&self, account: AccountId, address: &str) -> Person {
        let path = format!("/api/2/admins/?account_id={account}");
        let fields = [("username", address), ("permissions", "send_messages"), ("welcome_email", "0")];
        let made = self.global().await.post(&path, &fields).await.good();
        Person::Admin(AdminId(made["id"].as_u64().expect("a number")))
    }

    /// An administrator of the server, who is a person.
    pub(crate) async fn new_server_admin(&self, address: &str) -> Person {
        let username = EmailAddress::parse(address).unwrap();
        let new = NewAdmin::new(None, Kind::Person { username }, admins::all_grants());
        let core = self.core();
        let made = core.store.write(move |tx| admins::create(tx, new, Timestamp::from_ms(0))).await;
        Person::Admin(made.unwrap().id)
    }

    /// Changes anything about the account `test`.
    pub(crate) async fn change_account(&self, change: impl FnOnce(&mut Account) + Send + 'static) {
        let id = self.account.0;
        let changed = self.running().core.store.write(move |tx| -> Result<(), StoreError> {
            let mut account = tx.get::<Account>(id)?.expect("the account is there");
            change(&mut account);
            tx.put(&account)
        });
        changed.await.expect("the account can be changed");
    }

    /// Changes anything about a list of the account `test`.
    pub(crate) async fn change_list(&self, name: &str, change: impl FnOnce(&mut List) + Send + 'static) {
        let key = Key::new().u64(self.account.0).text(name);
        let changed = self.running().core.store.write(move |tx| -> Result<(), StoreError> {
            let mut list: List = tx.find(&LIST_BY_NAME, &key)?.expect("the list is there");
            change(&mut list);
            tx.put(&list)
        });
        changed.await.expect("the list can be changed");
    }

    /// A list of the account `test` as it is stored.
    pub(crate) fn list_record(&self, name: &str) -> List {
        let key = Key::new().u64(self.account.0).text(name);
        let tx = self.running().core.store.read().expect("the store can be read");
        tx.find(&LIST_BY_NAME, &key).expect("the store can be read").expect("the list is there")
    }

    /// Puts other bytes in the place of a published message's, as a damaged disk would.
    pub(crate) async fn replace_bytes(&self, message: u64, bytes: &'static [u8]) {
        let replaced = self.running().core.store.write(move |tx| -> Result<(), StoreError> {
            let mut message = tx.get::<Message>(message)?.expect("the message is there");
            message.blob = BlobId(tx.put_blob(bytes)?.0);
            tx.put(&message)
        });
        replaced.await.expect("the message can be changed");
    }

    /// Takes the mark of the main domain away from the account's domains, or gives it back: without it, nothing can
    /// be decided.
    pub(crate) async fn mark_main_domain(&self, is_main: bool) {
        self.change_domains(move |domain| domain.is_main = is_main).await;
    }

    /// Changes anything about the domains of the account `test`.
    pub(crate) async fn change_domains(&self, change: impl Fn(&mut AccountDomain) + Send + 'static) {
        let account = Key::new().u64(self.account.0);
        let changed = self.running().core.store.write(move |tx| -> Result<(), StoreError> {
            for mut domain in tx.page::<AccountDomain>(&DOMAIN_BY_ACCOUNT, &account.into(), 10)? {
                change(&mut domain);
                tx.put(&domain)?;
            }
            Ok(())
        });
        changed.await.expect("the domains can be changed");
    }

    /// Gives contacts a field of their own.
    pub(crate) async fn add_field(&self, name: &'static str, identifier: Option<&'static str>) {
        let id = self.account;
        let core = &self.running().core;
        let (caller, now) = (Caller::operator(id), core.now());
        let job = move |tx: &mut WriteTx<'_>| accounts::fields::add(tx, &caller, name, identifier, now);
        let added = core.store.write(job).await;
        added.expect("the field can be added");
    }

    /// Lets members edit a field.
    pub(crate) async fn let_members_edit(&self, name: &'static str) {
        let core = &self.running().core;
        let (caller, now) = (Caller::operator(self.account), core.now());
        let change = FieldChange { members_edit: Some(true), ..FieldChange::default() };
        let job = move |tx: &mut WriteTx<'_>| accounts::fields::change(tx, &caller, name, change, now);
        core.store.write(job).await.expect("the field can be changed");
    }

    /// Changes anything about an address; `change` is told the time.
    pub(crate) async fn change_email(
        &self,
        address: &str,
        change: impl FnOnce(&mut Email, Timestamp) + Send + 'static,
    ) {
        let (core, id) = (&self.running().core, self.email(address).await["id"].as_u64());
        let (id, now) = (id.expect("a number"), core.now());
        let changed = core.store.write(move |tx| -> Result<(), StoreError> {
            let mut email = tx.get::<Email>(id)?.expect("the address is there");
            change(&mut email, now);
            tx.put(&email)
        });
        changed.await.expect("the address can be changed");
    }

    /// Gives a list this many members at once.
    pub(crate) async fn fill(&self, list: &str, members: usize) {
        let core = &self.running().core;
        let (caller, now) = (Caller::operator(self.account), core.now());
        // A job may only make so many changes.
        for start in (0..members).step_by(1000) {
            let (caller, list) = (caller.clone(), list.to_owned());
            let filled = core.store.write(move |tx| -> Result<(), OpError> {
                for number in start..members.min(start + 1000) {
                    let address = EmailAddress::parse(&format!("member{number}@example.org")).ok();
                    let input = ContactInput {
                        emails: Some(vec![EmailInput { address, ..EmailInput::default() }]),
                        lists: Some(vec![MemberInput {
                            list: list.clone(),
                            settings: MemberSettings::default(),
                        }]),
                        ..ContactInput::default()
                    };
                    contacts::add(tx, &caller, input, now)?;
                }
                Ok(())
            });
            filled.await.expect("contacts can be made");
        }
    }

    /// Has the server make a change that its audit log is not told of, as an operation that forgets to; answers whether
    /// it was made.
    pub(crate) async fn change_silently(&self) -> bool {
        let (core, account) = (&self.running().core, self.account);
        let caller = std::sync::Arc::new(Caller::operator(account));
        let changed = core.perform(&caller, move |tx, _| -> Result<(), StoreError> {
            let id = ListId(tx.next_id::<List>()?);
            let name = ListName::parse("silent").expect("a name");
            tx.put(&List::new(id, account, name, Timestamp::default()))
        });
        changed.await.is_ok()
    }

    /// The holder of a key of another account.
    pub(crate) async fn other_account(&self) -> Client {
        let core = &self.running().core;
        let now = core.now();
        let dkim = DkimKeys { selector: "x".to_owned(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() };
        let domain = Domain::parse("other.example.org").expect("a domain");
        let input = accounts::NewAccount {
            name: "other".to_owned(),
            description: String::new(),
            domain,
            dkim,
            ccid_enabled: false,
        };
        let made = core.store.write(move |tx| accounts::create(tx, input, now)).await;
        let account = made.expect("another account can be made").0;
        self.key_of(Some(account.id), &all()).await
    }

    /// The holder of a key for all accounts.
    pub(crate) async fn global(&self) -> Client {
        self.key_of(None, &all()).await
    }

    /// Resolves when nothing is left of accounts that were deleted.
    pub(crate) async fn removed(&self) {
        self.running().core.clone().remove_accounts().await;
    }

    /// The number by which global keys name the account `test`.
    pub(crate) fn account_id(&self) -> u64 {
        self.account.0
    }

    /// The holder of a key of the account `test` that stops working an hour from now.
    pub(crate) async fn expiring_key(&self) -> Client {
        let expiry = self.clock.now() + Duration::from_hours(1);
        let key = self.new_key(Some(self.account), &all(), Some(expiry)).await;
        Client::with_key(self.running().http_addr, &key)
    }

    async fn key_of(&self, account: Option<AccountId>, permissions: &[Permission]) -> Client {
        let key = self.new_key(account, permissions, None).await;
        Client::with_key(self.running().http_addr, &key)
    }

    /// The text of a key of the account `test`.
    pub(crate) async fn key_text(&self) -> String {
        self.new_key(Some(self.account), &all(), None).await
    }

    async fn new_key(
        &self,
        account: Option<AccountId>,
        permissions: &[Permission],
        expiry: Option<Timestamp>,
    ) -> String {
        let (core, key) = (&self.running().core, self.secrets.api_key());
        let (hash, now) = (sha256(key.as_bytes()), core.now());
        let permissions = permissions.iter().copied().collect();
        let made = core.store.write(move |tx| {
            let kind = admins::Kind::Program { description: "test".to_owned(), cidr: Vec::new() };
            let admin = admins::create(tx, admins::NewAdmin::new(account, kind, permissions), now)?;
            admins::create_key(tx, &admin, hash, expiry, now)
        });
        made.await.expect("a key can be made");
        key
    }
}

fn all() -> Vec<Permission> {
    admins::all_grants().into_iter().collect()
}
