//! Accounts and their domains. Accounts as objects that administrators see and change are in [`manage`], the fields of
//! their contacts in [`fields`], domains that wait for their proof in [`claims`], and the DNS records that a domain needs
//! in [`records`].

pub mod account_deletion;
pub mod admins;
pub mod passwords;

pub mod claims;
pub mod fields;
pub mod manage;
pub mod records;
pub mod rotation;

use crate::clock::Timestamp;
use crate::model::list::check_name;
use crate::model::{Account, AccountDomain, AccountId, DkimKeys, Domain, DomainId};
use crate::ops::OpError;
use crate::schema::{ACCOUNT_BY_NAME, DOMAIN_BY_ACCOUNT, DOMAIN_BY_NAME};
use crate::secret;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The label under which a domain's first keys are published.
const FIRST_SELECTOR: &str = "crier1";

/// New keys for a domain. They take a moment to make: not inside a write job.
#[must_use]
pub fn new_dkim_keys() -> DkimKeys {
    DkimKeys {
        selector: FIRST_SELECTOR.to_owned(),
        rsa_pkcs8: secret::rsa_2048_key(),
        ed25519_pkcs8: secret::ed25519_key(),
    }
}

/// What is needed to make an account.
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

/// Makes an account with its first domain.
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
    let domain_id = DomainId(tx.next_id::<AccountDomain>()?);
    let domain = AccountDomain {
        is_main: true,
        is_web: true,
        ..AccountDomain::new(domain_id, account.id, a_labels(&domain), dkim, now)
    };
    put_domain(tx, &domain, "domain")?;
    Ok((account, domain))
}

fn put_domain(tx: &mut WriteTx<'_>, domain: &AccountDomain, field: &'static str) -> Result<(), OpError> {
    tx.put(domain).map_err(|error| match error {
        StoreError::Duplicate { index } if index == DOMAIN_BY_NAME.name() => {
            OpError::Conflict { field, problem: format!("{} is taken on this server", domain.name) }
        }
        other => other.into(),
    })
}

fn put(tx: &mut WriteTx<'_>, account: &Account) -> Result<(), OpError> {
    tx.put(account).map_err(|error| match error {
        StoreError::Duplicate { index } if index == ACCOUNT_BY_NAME.name() => {
            OpError::Conflict { field: "name", problem: "another account has this name".to_owned() }
        }
        other => other.into(),
    })
}

/// Passes for a domain that an account may have: one word alone is none that mail finds, except on this machine.
pub fn check_domain(domain: &Domain) -> Result<(), String> {
    let name = domain.as_str();
    if name.contains('.') || name == "localhost" {
        return Ok(());
    }
    Err(format!("{name} is one word: give the whole domain, such as {name}.example.org"))
}

/// A domain as it is kept and looked up: in A-label form, so that mail finds it however it is written.
fn a_labels(domain: &Domain) -> Domain {
    idna::domain_to_ascii(domain.as_str())
        .ok()
        .and_then(|ascii| Domain::parse(&ascii).ok())
        .unwrap_or_else(|| domain.clone())
}

/// The form in which a domain is kept.
#[must_use]
pub fn kept_name(domain: &Domain) -> Domain {
    a_labels(domain)
}

/// The account of this id.
pub fn get(tx: &impl Read, id: AccountId) -> Result<Account, OpError> {
    tx.get::<Account>(id.0)?.ok_or(OpError::NotFound { what: "account" })
}

/// The account of this name, with case folded.
pub fn find_by_name(tx: &impl Read, name: &str) -> Result<Option<Account>, StoreError> {
    tx.find(&ACCOUNT_BY_NAME, &Key::new().text(&name.to_ascii_lowercase()))
}

/// The record of a domain whose mail some account receives.
pub fn find_domain(tx: &impl Read, name: &Domain) -> Result<Option<AccountDomain>, StoreError> {
    tx.find(&DOMAIN_BY_NAME, &Key::new().text(a_labels(name).as_str()))
}

/// The domains of an account, oldest first.
pub fn domains(tx: &impl Read, account: AccountId) -> Result<Vec<AccountDomain>, StoreError> {
    tx.page(&DOMAIN_BY_ACCOUNT, &Key::new().u64(account.0).into(), usize::MAX)
}

/// The domain with which an account's list addresses are made; every account has one.
pub fn main_domain(tx: &impl Read, account: AccountId) -> Result<AccountDomain, StoreError> {
    let main = domains(tx, account)?.into_iter().find(|domain| domain.is_main);
    main.ok_or_else(|| StoreError::corrupt("domain", format_args!("account {account} has no main domain")))
}

/// The one of an account's domains that signs for an author, if the author is of any.
#[must_use]
pub fn signing_domain<'a>(domains: &'a [AccountDomain], author: &str) -> Option<&'a AccountDomain> {
    let (_, domain) = author.rsplit_once('@')?;
    let domain = a_labels(&Domain::parse(domain).ok()?);
    domains.iter().find(|own| own.name == domain)
}

/// Whether there is any account.
pub fn any(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(!tx.all::<Account>(0, 1)?.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let found = find_domain(&store.read().unwrap(), &Domain::parse(form).unwrap()).unwrap();
            assert_eq!(found.map(|domain| domain.account), Some(account.id), "{form}");
        }
    }

    #[test]
    fn a_custom_field_has_a_name_of_its_own() {
        let (_folder, store) = store();
        let id = make(&store, "one", "lists.example.org").unwrap().id;
        let add = |name: &'static str, identifier: Option<&'static str>| {
            store.write_blocking(move |tx| fields::add(tx, id, name, identifier))
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
