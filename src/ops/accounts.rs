//! Accounts and their domains. [`manage`] has accounts as objects that administrators see and change, [`fields`] the
//! fields of their contacts.

pub mod account_deletion;
pub mod admins;
pub(in crate::ops) mod alerts;
pub mod banners;
pub mod providers;

mod common_passwords;
pub mod factors;
pub mod fields;
pub mod manage;
pub mod moving;
pub mod sign_in;
pub mod suspension;

use crate::clock::Timestamp;
use crate::model::figures::DayFigures;
use crate::model::list::check_name;
use crate::model::{Account, AccountDomain, AccountFigures, AccountId, DkimKeys, Domain, DomainId};
use crate::ops::domains::{check_domain, kept_name, put_domain};
use crate::ops::{OpError, Wrong};
use crate::schema::ACCOUNT_BY_NAME;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The values of a new account.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Unique on the server, with the characters of a list name.
    pub name: String,
    /// Free text.
    pub description: String,
    /// Its first domain, which is also its main one.
    pub domain: Domain,
    /// The keys that sign that domain's mail, drawn outside the write job.
    pub dkim: DkimKeys,
    /// Whether custom identifiers name contacts in API calls.
    pub ccid_enabled: bool,
}

/// Creates an account with its first domain.
pub fn create(
    tx: &mut WriteTx<'_>,
    input: NewAccount,
    now: Timestamp,
) -> Result<(Account, AccountDomain), OpError> {
    let NewAccount { name, description, domain, dkim, ccid_enabled } = input;
    check_name(&name).map_err(|problem| OpError::invalid("name", problem))?;
    check_domain(&domain).map_err(|problem| OpError::invalid("domain", problem))?;
    let id = AccountId(tx.next_id::<Account>()?);
    let account = Account { description, ccid_enabled, ..Account::new(id, name, now) };
    put(tx, &account)?;
    let nobody = DayFigures { time: now, people: 0, memberships: 0 };
    tx.put(&AccountFigures::new(id, nobody))?;
    let domain_id = DomainId(tx.next_id::<AccountDomain>()?);
    let domain = AccountDomain {
        is_main: true,
        is_web: true,
        ..AccountDomain::new(domain_id, account.id, kept_name(&domain), dkim, now)
    };
    put_domain(tx, &domain, "domain")?;
    Ok((account, domain))
}

fn put(tx: &mut WriteTx<'_>, account: &Account) -> Result<(), OpError> {
    tx.put(account).map_err(|error| match error {
        StoreError::Duplicate { index } if index == ACCOUNT_BY_NAME.name() => {
            OpError::conflict("name", Wrong::AccountTaken)
        }
        other => other.into(),
    })
}

/// The account with this id.
pub fn get(tx: &impl Read, id: AccountId) -> Result<Account, OpError> {
    tx.get::<Account>(id.0)?.ok_or(OpError::NotFound { what: "account" })
}

/// The account with this id; `None` if there is none any more.
pub fn of_id(tx: &impl Read, id: AccountId) -> Result<Option<Account>, StoreError> {
    tx.get(id.0)
}

/// Every account of the server, by id.
pub fn all(tx: &impl Read) -> Result<Vec<Account>, StoreError> {
    tx.all(0, usize::MAX)
}

/// The account with this name; case is ignored.
pub fn find_by_name(tx: &impl Read, name: &str) -> Result<Option<Account>, StoreError> {
    tx.find(&ACCOUNT_BY_NAME, &Key::new().text(&name.to_ascii_lowercase()))
}

/// Whether the server has one account alone.
pub fn is_single(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(tx.all::<Account>(0, 2)?.len() == 1)
}

/// Whether there is any account.
pub fn any(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(!tx.all::<Account>(0, 1)?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::domains;
    use crate::store::{Store, StoreOptions};

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("x.redb"), StoreOptions::default()).unwrap();
        (folder, store)
    }

    fn make(store: &Store, name: &str, domain: &str) -> Result<Account, OpError> {
        let dkim = DkimKeys { selector: "s".to_owned(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() };
        let input = NewAccount {
            name: name.to_owned(),
            description: String::new(),
            domain: Domain::parse(domain).unwrap(),
            dkim,
            ccid_enabled: false,
        };
        store.write_blocking(move |tx| create(tx, input, NOW)).map(|(account, _)| account)
    }

    #[test]
    fn names_and_domains_are_unique_on_the_server() {
        let (_folder, store) = store();
        make(&store, "one", "lists.example.org").unwrap();
        assert!(matches!(make(&store, "ONE", "b.example.org"), Err(OpError::Conflict { field: "name", .. })));
        let taken = make(&store, "two", "Lists.Example.org");
        assert!(matches!(taken, Err(OpError::Conflict { field: "domain", .. })));
        assert!(matches!(make(&store, "a b", "c.example.org"), Err(OpError::Invalid { .. })));
        assert!(matches!(make(&store, "two", "lists"), Err(OpError::Invalid { .. })), "one word");
        assert!(
            find_by_name(&store.read().unwrap(), "two").unwrap().is_none(),
            "a refused account leaves nothing"
        );
    }

    #[test]
    fn a_domain_is_found_in_either_form() {
        let (_folder, store) = store();
        let account = make(&store, "one", "exämple.org").unwrap();
        for form in ["exämple.org", "xn--exmple-cua.org", "XN--EXMPLE-CUA.ORG."] {
            let found = domains::find(&store.read().unwrap(), &Domain::parse(form).unwrap()).unwrap();
            assert_eq!(found.map(|domain| domain.account), Some(account.id), "{form}");
        }
    }

    #[test]
    fn a_custom_field_has_a_name_of_its_own() {
        let (_folder, store) = store();
        let id = make(&store, "one", "lists.example.org").unwrap().id;
        let add = |name: &'static str, identifier: Option<&'static str>| {
            let caller = crate::ops::Caller::operator(id);
            store.write_blocking(move |tx| fields::add(tx, &caller, name, identifier, NOW))
        };
        assert_eq!(add("Shoe size", Some("shoe")).unwrap().key(), "shoe");
        assert_eq!(add("Team", None).unwrap().key(), "Team");
        assert!(matches!(add("team", None), Err(OpError::Conflict { .. })));
        assert!(matches!(add("Colour", Some("shoe")), Err(OpError::Conflict { .. })));
        for (name, identifier) in [("", None), ("Emails", None), ("a\nb", None), ("Colour", Some("a b"))] {
            assert!(matches!(add(name, identifier), Err(OpError::Invalid { .. })), "{name:?} {identifier:?}");
        }
    }
}
