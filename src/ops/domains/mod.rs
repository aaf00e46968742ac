//! The domains of accounts: what proves them, the DNS records and the keys that they need, their links and sites.

pub mod certificates;
pub mod claims;
pub mod links;
pub mod old_names;
pub mod records;
pub mod rotation;
pub mod sites;
pub mod sts;

use crate::model::{AccountDomain, AccountId, DkimKeys, Domain};
use crate::ops::{OpError, Wrong};
use crate::schema::{DOMAIN_BY_ACCOUNT, DOMAIN_BY_NAME};
use crate::secret;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The label under which a domain's first keys are published.
pub(in crate::ops) const FIRST_SELECTOR: &str = "crier1";

/// New keys for a domain. Making them takes a moment, so never call this inside a write job.
#[must_use]
pub fn new_dkim_keys() -> DkimKeys {
    DkimKeys {
        selector: FIRST_SELECTOR.to_owned(),
        rsa_pkcs8: secret::rsa_2048_key(),
        ed25519_pkcs8: secret::ed25519_key(),
    }
}

/// Stores a domain, which no other account may have; `field` is the one that named it.
pub(in crate::ops) fn put_domain(
    tx: &mut WriteTx<'_>,
    domain: &AccountDomain,
    field: &'static str,
) -> Result<(), OpError> {
    tx.put(domain).map_err(|error| match error {
        StoreError::Duplicate { index } if index == DOMAIN_BY_NAME.name() => {
            OpError::conflict(field, Wrong::TakenOnServer { name: domain.name.clone() })
        }
        other => other.into(),
    })
}

/// Passes if an account may have this domain. A single label is none that mail reaches, except on this machine.
pub fn check_domain(domain: &Domain) -> Result<(), Wrong> {
    let name = domain.as_str();
    if name.contains('.') || name == "localhost" {
        return Ok(());
    }
    Err(Wrong::OneWord { name: domain.clone() })
}

/// A domain as it is stored and looked up: in A-label form, so that mail finds it in either spelling.
#[must_use]
pub fn kept_name(domain: &Domain) -> Domain {
    idna::domain_to_ascii(domain.as_str())
        .ok()
        .and_then(|ascii| Domain::parse(&ascii).ok())
        .unwrap_or_else(|| domain.clone())
}

/// The record of a domain for which some account receives mail.
pub fn find(tx: &impl Read, name: &Domain) -> Result<Option<AccountDomain>, StoreError> {
    tx.find(&DOMAIN_BY_NAME, &Key::new().text(kept_name(name).as_str()))
}

/// The domains of an account, oldest first.
pub fn of_account(tx: &impl Read, account: AccountId) -> Result<Vec<AccountDomain>, StoreError> {
    tx.page(&DOMAIN_BY_ACCOUNT, &Key::new().u64(account.0).into(), usize::MAX)
}

/// The domain of an account's list addresses; every account has one.
pub fn main_domain(tx: &impl Read, account: AccountId) -> Result<AccountDomain, StoreError> {
    let main = of_account(tx, account)?.into_iter().find(|domain| domain.is_main);
    main.ok_or_else(|| StoreError::corrupt("domain", format_args!("account {account} has no main domain")))
}

/// The account's domain that signs for an author, if the author's domain is one of them.
#[must_use]
pub fn signing_domain<'a>(domains: &'a [AccountDomain], author: &str) -> Option<&'a AccountDomain> {
    let (_, domain) = author.rsplit_once('@')?;
    let domain = kept_name(&Domain::parse(domain).ok()?);
    domains.iter().find(|own| own.name == domain)
}
