//! Checks the DNS records of this server's own domains: the four booleans of `dns_status`, and single records for
//! `crier dns` and the proof of a domain (`spec/api.md` 7).
//!
//! The four look-ups of a domain, and those of several domains, run side by side, each with a time limit: with the DNS
//! down, a page is late by that limit once, and not by a minute for every domain. Results are kept for ten minutes
//! (single records for one), missing answers for half a minute. There is no other cache in between: an operator who has
//! just repaired a record and asks after that time sees the new one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mail_auth::common::cache::NoCache;
use mail_auth::spf::verify::SpfParameters;
use mail_auth::{DnsError, Error, MX, MessageAuthenticator, Parameters, RecordSet, SpfResult};
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::dns::{DnsOptions, MxError, Resolver, records};
use super::dns_checker::{DnsStatus, DnsStatuses, RecordKind};
use crate::clock::{Clock, Timestamp};
use crate::config::Config;
use crate::mail::sign::{self, public_key_of};
use crate::model::{AccountDomain, DkimKeys, Domain};

/// How long a complete result is kept.
const KNOWN_FOR: Duration = Duration::from_mins(10);
/// How long a result is kept if a part of it could not be found out.
const GUESSED_FOR: Duration = Duration::from_secs(30);
/// How long one of the four look-ups may take.
const LOOKUP_MAX: Duration = Duration::from_secs(3);
/// How long a single record is kept.
const RECORDS_FOR: Duration = Duration::from_mins(1);
/// Domains that are looked up at the same time.
const DOMAINS_AT_ONCE: usize = 16;
/// Domains that are kept before expired ones are deleted.
const REMEMBERED_MAX: usize = 10_000;

/// `mail-auth` demands caches as arguments; this module has its own.
const NO_MX: Option<&NoCache<Box<str>, RecordSet<MX>>> = None;
const NO_V4: Option<&NoCache<Box<str>, RecordSet<Ipv4Addr>>> = None;
const NO_V6: Option<&NoCache<Box<str>, RecordSet<Ipv6Addr>>> = None;

/// Checks the records of domains, and keeps the results for a while. Clones share them.
#[derive(Debug, Clone)]
pub struct DomainStatus {
    shared: Arc<Shared>,
}

struct Shared {
    /// The resolver, or the reason why there is none.
    dns: Result<MessageAuthenticator, MxError>,
    hostname: String,
    public_ips: Vec<IpAddr>,
    clock: Clock,
    known: Mutex<HashMap<(Domain, String), Known>>,
    records: Mutex<HashMap<(RecordKind, String), Question>>,
    running: Semaphore,
    /// The limit for single records, separate so that names that accounts choose delay nobody's status.
    asking: Semaphore,
}

/// A look-up of single records: one at a time for each name, whose result all callers get.
type Question = Arc<tokio::sync::Mutex<Option<KnownRecords>>>;

impl std::fmt::Debug for Shared {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "DomainStatus of {}", self.hostname)
    }
}

#[derive(Debug, Clone, Copy)]
struct Known {
    status: DnsStatus,
    until: Timestamp,
}

#[derive(Debug, Clone)]
struct KnownRecords {
    /// The records; `None` if there was no answer.
    texts: Option<Vec<String>>,
    until: Timestamp,
}

/// The DNS gave no answer, which says nothing about the domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Unanswered;

impl DomainStatus {
    /// Asks the resolver of `config`.
    #[must_use]
    pub fn new(config: &Config, clock: Clock) -> DomainStatus {
        let options = DnsOptions { question_timeout: LOOKUP_MAX / 2, ..DnsOptions::new(config) };
        let dns =
            Resolver::without_cache(&options).map(|resolver| MessageAuthenticator(resolver.into_inner()));
        let shared = Shared {
            dns,
            hostname: config.hostname.to_ascii_lowercase(),
            public_ips: config.public_ips.clone(),
            clock,
            known: Mutex::default(),
            records: Mutex::default(),
            running: Semaphore::new(DOMAINS_AT_ONCE),
            asking: Semaphore::new(DOMAINS_AT_ONCE),
        };
        DomainStatus { shared: Arc::new(shared) }
    }
}

impl DomainStatus {
    /// The states of these domains.
    pub async fn statuses(&self, domains: &[AccountDomain]) -> DnsStatuses {
        let mut lookups = JoinSet::new();
        for domain in domains {
            let (shared, domain) = (Arc::clone(&self.shared), domain.clone());
            // On the heap: `mail-auth`'s futures are large.
            let lookup = async move { (domain.name.clone(), Box::pin(shared.status(&domain)).await) };
            lookups.spawn(lookup);
        }
        lookups.join_all().await.into_iter().collect()
    }

    /// Whether every record of these new keys is published. None may be missing: a signature by a key that a verifier
    /// does not find is worse than no signature.
    pub async fn publishes(&self, domain: &Domain, keys: &DkimKeys) -> bool {
        let Ok(dns) = &self.shared.dns else { return false };
        let _permit = self.shared.running.acquire().await;
        let inquiry = Inquiry { shared: &self.shared, dns, domain: domain.as_str(), own: OnceCell::new() };
        let records = sign::dns_records(keys).unwrap_or_default();
        for record in &records {
            if timed(inquiry.stands(record)).await != Ok(Some(true)) {
                return false;
            }
        }
        !records.is_empty()
    }

    /// The records of a name, as specified by [`DnsChecker::find`](crate::net::dns_checker::DnsChecker::find).
    pub async fn find(&self, kind: RecordKind, name: &str) -> Option<Vec<String>> {
        let dns = self.shared.dns.as_ref().ok()?;
        let question = self.shared.question(kind, name);
        let mut known = question.lock().await;
        if let Some(known) = known.as_ref().filter(|known| self.shared.clock.now() < known.until) {
            return known.texts.clone();
        }
        let _permit = self.shared.asking.acquire().await;
        let looked_up = timeout(LOOKUP_MAX, records(&dns.0, kind, name)).await;
        let texts = looked_up.ok().and_then(Result::ok);
        let believed = if texts.is_some() { RECORDS_FOR } else { GUESSED_FOR };
        *known = Some(KnownRecords { texts: texts.clone(), until: self.shared.clock.now() + believed });
        texts
    }

    /// Forgets what is kept of the records of a name. A look-up that is under way is left.
    pub fn forget(&self, kind: RecordKind, name: &str) {
        let mut known = self.shared.records.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(&(kind, name.to_owned()));
    }

    /// Whether SPF of a domain passes for every one of these addresses, looked up without the cache.
    pub async fn passes_spf(&self, domain: &str, senders: &[IpAddr]) -> Option<bool> {
        let dns = self.shared.dns.as_ref().ok()?;
        let _permit = self.shared.asking.acquire().await;
        let inquiry = Inquiry { shared: &self.shared, dns, domain, own: OnceCell::new() };
        Box::pin(timed(inquiry.passes_spf_from(senders))).await.ok()
    }
}

impl Shared {
    fn question(&self, kind: RecordKind, name: &str) -> Question {
        let now = self.clock.now();
        let mut known = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if REMEMBERED_MAX <= known.len() {
            // A look-up under way is kept.
            known.retain(|_, question| match question.try_lock() {
                Ok(known) => known.as_ref().is_some_and(|known| now < known.until),
                Err(_) => true,
            });
        }
        if REMEMBERED_MAX <= known.len() {
            return Question::default();
        }
        known.entry((kind, name.to_owned())).or_default().clone()
    }

    async fn status(&self, domain: &AccountDomain) -> DnsStatus {
        let key = (domain.name.clone(), domain.dkim.selector.clone());
        if let Some(known) = self.find_known(&key) {
            return known;
        }
        let Ok(dns) = &self.dns else { return DnsStatus::default() };
        // The semaphore is never closed; and without a permit there would only be more look-ups at a time.
        let _permit = self.running.acquire().await;
        let inquiry = Inquiry { shared: self, dns, domain: domain.name.as_str(), own: OnceCell::new() };
        let (mx, a, spf, dkim) = tokio::join!(
            timed(inquiry.has_mx()),
            timed(inquiry.is_own(inquiry.domain)),
            timed(inquiry.passes_spf()),
            timed(inquiry.has_keys(&domain.dkim)),
        );
        let is_certain = [mx, a, spf, dkim].iter().all(Result::is_ok);
        let right = |answer: Result<bool, Unanswered>| answer.unwrap_or(false);
        let status = DnsStatus { mx: right(mx), a: right(a), spf: right(spf), dkim: right(dkim) };
        self.remember(key, status, if is_certain { KNOWN_FOR } else { GUESSED_FOR });
        status
    }

    fn find_known(&self, key: &(Domain, String)) -> Option<DnsStatus> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        known.get(key).filter(|known| now < known.until).map(|known| known.status)
    }

    fn remember(&self, key: (Domain, String), status: DnsStatus, duration: Duration) {
        let now = self.clock.now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if REMEMBERED_MAX <= known.len() {
            known.retain(|_, known| now < known.until);
        }
        if known.len() < REMEMBERED_MAX {
            known.insert(key, Known { status, until: now + duration });
        }
    }
}

/// The look-ups for one domain.
struct Inquiry<'a> {
    shared: &'a Shared,
    dns: &'a MessageAuthenticator,
    domain: &'a str,
    /// The addresses of this server, which several look-ups need.
    own: OnceCell<Result<Vec<IpAddr>, Unanswered>>,
}

impl Inquiry<'_> {
    /// The addresses that the operator configured, else those that this server's name resolves to.
    async fn own_addresses(&self) -> Result<&[IpAddr], Unanswered> {
        let Shared { public_ips, hostname, .. } = self.shared;
        let find = || async {
            if public_ips.is_empty() { self.addresses(hostname).await } else { Ok(public_ips.clone()) }
        };
        self.own.get_or_init(find).await.as_deref().map_err(|unanswered| *unanswered)
    }

    /// All addresses of a name; empty if it has none.
    async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Unanswered> {
        let (v4, v6) = tokio::join!(self.dns.ipv4_lookup(name, NO_V4), self.dns.ipv6_lookup(name, NO_V6));
        let (v4, v6) = (found(v4)?, found(v6)?);
        let v4 = v4.iter().flat_map(|records| records.rrset.iter().copied().map(IpAddr::from));
        let v6 = v6.iter().flat_map(|records| records.rrset.iter().copied().map(IpAddr::from));
        Ok(v4.chain(v6).collect())
    }

    /// Whether one of a name's addresses is this server's.
    async fn is_own(&self, name: &str) -> Result<bool, Unanswered> {
        let (found, own) = tokio::join!(self.addresses(name), self.own_addresses());
        let (found, own) = (found?, own?);
        Ok(found.iter().any(|address| own.contains(address)))
    }

    /// Whether an MX host is this server, by its name or by its address.
    async fn has_mx(&self) -> Result<bool, Unanswered> {
        let records = found(self.dns.mx_lookup(self.domain, NO_MX).await)?;
        let names: Vec<&str> = records
            .iter()
            .flat_map(|records| records.rrset.iter())
            .flat_map(|mx| mx.exchanges.iter().map(|name| name.trim_end_matches('.')))
            .collect();
        if names.iter().any(|name| name.eq_ignore_ascii_case(&self.shared.hostname)) {
            return Ok(true);
        }
        for name in names {
            if self.is_own(name).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether SPF passes for every address of this server.
    async fn passes_spf(&self) -> Result<bool, Unanswered> {
        self.passes_spf_from(self.own_addresses().await?).await
    }

    async fn passes_spf_from(&self, senders: &[IpAddr]) -> Result<bool, Unanswered> {
        let hostname = &self.shared.hostname;
        let sender = format!("postmaster@{}", self.domain);
        for address in senders {
            let asked = SpfParameters::verify_mail_from(*address, hostname, hostname, &sender);
            match self.dns.check_host(Parameters::new(asked)).await.result() {
                SpfResult::Pass => {}
                SpfResult::TempError => return Err(Unanswered),
                SpfResult::Fail
                | SpfResult::SoftFail
                | SpfResult::Neutral
                | SpfResult::PermError
                | SpfResult::None => return Ok(false),
            }
        }
        Ok(!senders.is_empty())
    }

    /// Whether the keys that sign are published. Verifiers without support for Ed25519 skip its signature, so that
    /// key's record may be missing, but not wrong.
    async fn has_keys(&self, keys: &DkimKeys) -> Result<bool, Unanswered> {
        let ours = sign::dns_records(keys).unwrap_or_default();
        let mut is_signed = false;
        for (place, record) in ours.iter().enumerate() {
            match self.stands(record).await? {
                Some(true) => is_signed = true,
                Some(false) => return Ok(false),
                None if place == 0 => return Ok(false),
                None => {}
            }
        }
        Ok(is_signed)
    }

    /// Whether a key is published as `record` has it; `None` if there is no record at its selector.
    async fn stands(&self, (selector, record): &(String, String)) -> Result<Option<bool>, Unanswered> {
        let name = format!("{selector}._domainkey.{}.", self.domain);
        let published = found(self.dns.txt_raw_lookup(name).await)?;
        Ok(published.map(|published| public_key_of(&published) == public_key_of(record.as_bytes())))
    }
}

async fn timed<T>(lookup: impl Future<Output = Result<T, Unanswered>>) -> Result<T, Unanswered> {
    timeout(LOOKUP_MAX, lookup).await.unwrap_or(Err(Unanswered))
}

/// The result of a look-up; `None` if the DNS says that there is no such record.
fn found<T>(answer: Result<T, Error>) -> Result<Option<T>, Unanswered> {
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Error::Dns(DnsError::Resolver(_))) => Err(Unanswered),
        // No such record, or a name that cannot be queried.
        Err(_) => Ok(None),
    }
}
