//! The domains of accounts: their records, their links and sites, and the DNS lookups about them.

pub mod certificates;
pub mod links;
pub mod sites;
pub mod sts;

use crate::model::{AccountDomain, AccountId, Domain};
use crate::schema::{DOMAIN_BY_ACCOUNT, DOMAIN_BY_NAME};
use crate::store::{Key, Read, StoreError};

/// Passes if an account may have this domain. A single label is none that mail reaches, except on this machine.
pub fn check_domain(domain: &Domain) -> Result<(), String> {
    let name = domain.as_str();
    if name.contains('.') || name == "localhost" {
        return Ok(());
    }
    Err(format!("{name} is one word: give the whole domain, such as {name}.example.org"))
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
