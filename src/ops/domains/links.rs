//! Chooses the base URL of an account's links, and finds out which web domains can be used for them.
//!
//! An account's links lead to its own web domain once that works: its address in the DNS is this server's, and there is
//! a certificate for it. Until then, and without a web domain, they lead to `--base-url`, followed by `/~ACCOUNT` if
//! there are several accounts. `sites` is the reverse: it finds the account of a URL.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::config::Config;
use crate::model::{Account, AccountDomain, AccountId, DkimKeys, Domain, DomainId, Links, OldName};
use crate::ops::domains::sites::{OwnHost, root_of};
use crate::ops::domains::{main_domain, of_account};
use crate::schema::ACCOUNT_COUNT;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The name in the data file of the web domains that worked when last checked.
const META_ANSWERING: &str = "web_domains";
/// How long the result of checking a web domain's address is used.
const RIGHT_FOR: Duration = Duration::from_mins(10);
const WRONG_FOR: Duration = Duration::from_mins(1);
/// Web domains that one step checks.
pub(crate) const LOOKS_PER_STEP: usize = 32;
/// Domains that are read at a time.
const DOMAINS_PER_READ: usize = 1000;

/// Makes the [`Links`] of every account of the server.
#[derive(Debug)]
pub struct ServerLinks {
    /// The value of `--base-url`, without a slash at the end; blank for a server that does not run.
    base_url: String,
    /// Whether every web domain has a certificate (`--web-domain-tls`).
    web_domain_tls: bool,
    /// Whether certificates are ordered for web domains (`--acme`), so that their addresses have to be known first.
    orders_certificates: bool,
    /// Names for which this server holds a certificate that browsers reach it by; `*.` stands for one label.
    held: Mutex<BTreeSet<String>>,
    web_domains: Mutex<WebDomains>,
}

/// The results of checking the addresses of web domains.
#[derive(Debug, Default)]
struct WebDomains {
    /// Domains whose address was right when last checked.
    answering: BTreeSet<Domain>,
    /// The time at which each was last checked.
    asked: HashMap<Domain, Timestamp>,
}

impl ServerLinks {
    /// The links of a server that runs with `config`. `base_url` begins those that lead to no account's own domain.
    pub fn load(tx: &impl Read, config: &Config, base_url: String) -> Result<ServerLinks, StoreError> {
        let text = tx.meta(META_ANSWERING)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let answering = text.lines().filter_map(|line| Domain::parse(line).ok()).collect();
        let web_domains = Mutex::new(WebDomains { answering, asked: HashMap::new() });
        Ok(ServerLinks {
            base_url,
            web_domain_tls: config.web_domain_tls,
            orders_certificates: config.tls.acme.is_some(),
            held: Mutex::default(),
            web_domains,
        })
    }

    /// Links that all begin with `base_url`, which an operator names for a single link.
    #[must_use]
    pub fn at(base_url: String) -> ServerLinks {
        ServerLinks {
            base_url,
            web_domain_tls: false,
            orders_certificates: false,
            held: Mutex::default(),
            web_domains: Mutex::default(),
        }
    }

    /// The links of an account.
    pub fn of(&self, tx: &impl Read, account: AccountId) -> Result<Links, StoreError> {
        let web = of_account(tx, account)?.into_iter().find(|domain| domain.is_web);
        let web = web.map(|domain| domain.name);
        if self.base_url.is_empty() {
            // A command on the file of a stopped server knows no base URL: an account's domain is most likely.
            let domain = web.map_or_else(|| Ok(main_domain(tx, account)?.name), Ok::<_, StoreError>)?;
            return Ok(Links::new(Links::base_at(&domain), []));
        }
        let shared = self.base_url.clone();
        let accounts = tx.count(&ACCOUNT_COUNT, &Key::new())?;
        let own = tx.get::<Account>(account.0)?.map(|account| format!("{shared}{}", root_of(&account.name)));
        let at_web = |domain: &Domain| {
            // The port, and a prefix of all paths, are known only from `--base-url`.
            if self.is_base(domain) { shared.clone() } else { Links::base_at(domain) }
        };
        let base = match (&web, &own) {
            (Some(domain), _) if self.answers(domain) => at_web(domain),
            (_, Some(own)) if 1 < accounts => own.clone(),
            _ => shared.clone(),
        };
        let earlier = own.iter().cloned().chain(web.iter().map(at_web)).chain([shared.clone()]);
        Ok(Links::new(base, earlier.collect::<Vec<_>>()))
    }

    /// The links to pages of no account: those for global administrators.
    pub fn of_server(&self, tx: &impl Read) -> Result<Links, StoreError> {
        if self.base_url.is_empty()
            && let Some(first) = tx.all::<Account>(0, 1)?.pop()
        {
            return self.of(tx, first.id);
        }
        Ok(Links::new(self.base_url.clone(), []))
    }

    /// The base URL of links that lead to no account's own domain; blank for a server that does not run.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// The page that describes the API to people.
    #[must_use]
    pub fn api_docs(&self) -> String {
        format!("{}/api/2/docs/", self.base_url)
    }

    /// The machine-readable description of the API.
    #[must_use]
    pub fn api_description(&self) -> String {
        format!("{}/api/2/openapi.json", self.base_url)
    }

    /// Whether the host of `--base-url` is this domain.
    fn is_base(&self, domain: &Domain) -> bool {
        OwnHost::of_url(&self.base_url).is_domain(domain)
    }

    /// Whether there is a certificate for a web domain: `--web-domain-tls` says so for all, `--base-url` leads to it, or
    /// this server holds one.
    fn has_certificate(&self, domain: &Domain) -> bool {
        let is_secure = || Links::new(self.base_url.clone(), []).are_secure();
        self.web_domain_tls || (is_secure() && self.is_base(domain)) || self.holds(domain)
    }

    fn holds(&self, domain: &Domain) -> bool {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let above = || domain.as_str().split_once('.').map(|(_, above)| format!("*.{above}"));
        held.contains(domain.as_str()) || above().is_some_and(|above| held.contains(&above))
    }

    /// Sets the names for which this server holds a certificate that browsers reach it by.
    pub fn set_held(&self, names: BTreeSet<String>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    /// The web domains and old hosts whose address was right when last checked, in order.
    #[must_use]
    pub fn answering(&self) -> Vec<Domain> {
        self.lock().answering.iter().cloned().collect()
    }

    fn answers(&self, domain: &Domain) -> bool {
        self.lock().answering.contains(domain) && self.has_certificate(domain)
    }

    fn lock(&self) -> MutexGuard<'_, WebDomains> {
        self.web_domains.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The web domains whose address has to be checked now, and the old hosts of accounts, for which certificates are
    /// ordered as well; results of removed ones are dropped.
    pub(crate) fn due(&self, tx: &impl Read, now: Timestamp) -> Result<Vec<AccountDomain>, StoreError> {
        let mut domains = Vec::new();
        let mut after = 0;
        loop {
            let page = tx.all::<AccountDomain>(after, DOMAINS_PER_READ)?;
            let Some(last) = page.last() else { break };
            after = last.id.0;
            let may = |name: &Domain| self.orders_certificates || self.has_certificate(name);
            let usable = |domain: &AccountDomain| domain.is_web && may(&domain.name);
            domains.extend(page.into_iter().filter(usable));
        }
        if self.orders_certificates {
            let old: Vec<OldName> = tx.all(0, usize::MAX)?;
            domains.extend(old.into_iter().map(looked_at));
        }
        let mut known = self.lock();
        let names: BTreeSet<&Domain> = domains.iter().map(|domain| &domain.name).collect();
        known.asked.retain(|name, _| names.contains(name));
        let is_due = |domain: &AccountDomain| {
            let believed = if known.answering.contains(&domain.name) { RIGHT_FOR } else { WRONG_FOR };
            // After a clock was set back, every domain is due.
            known.asked.get(&domain.name).is_none_or(|asked| now < *asked || *asked + believed <= now)
        };
        domains.retain(is_due);
        domains.truncate(LOOKS_PER_STEP);
        Ok(domains)
    }

    /// Notes whether the address of a web domain is right; `None` if the DNS did not answer. Returns whether the result
    /// changed.
    pub(crate) fn note(&self, domain: &Domain, is_right: Option<bool>, now: Timestamp) -> bool {
        let mut known = self.lock();
        known.asked.insert(domain.clone(), now);
        match is_right {
            Some(true) => known.answering.insert(domain.clone()),
            Some(false) => known.answering.remove(domain),
            None => false,
        }
    }

    /// Stores the web domains that work, for the next start.
    pub(crate) fn remember(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        let names: Vec<String> =
            self.lock().answering.iter().map(|name| name.as_str().to_owned() + "\n").collect();
        tx.set_meta(META_ANSWERING, Some(names.concat().as_bytes()))
    }
}

/// An old host in the form in which the DNS is asked; it signs nothing.
fn looked_at(OldName { id: _, account, host, since }: OldName) -> AccountDomain {
    let keys = DkimKeys { selector: String::new(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() };
    AccountDomain::new(DomainId(0), account, host, keys, since)
}
