//! What is to be published in the DNS for domains, whether it stands there, and new keys for their signatures.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;

use super::execute::Host;
use super::objects::Undone;
use super::{Reply, note};
use crate::model::{AccountDomain, DkimKeys, DmarcPolicy, Domain};
use crate::ops::Problem;
use crate::ops::accounts::{self, DnsRecord, rotation};
use crate::ops::dns::DnsStatus;
use crate::store::{Read, WriteTx};

/// Domains that are taken up at a time.
const DOMAINS_PER_PAGE: usize = 64;

/// `crier dns` and `crier keys rotate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishRequest {
    /// What is done.
    pub action: PublishAction,
    /// The domain; all of the server where unset.
    pub domain: Option<String>,
}

/// What is done about what is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublishAction {
    /// Looks at it.
    Show,
    /// Makes new keys where none wait.
    Rotate,
    /// Signs with the keys that wait.
    Activate,
}

/// A [`PublishRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publish {
    action: PublishAction,
    domain: Option<Domain>,
}

impl PublishRequest {
    pub(super) fn parse(self) -> Result<Publish, Vec<Problem>> {
        let PublishRequest { action, domain } = self;
        let mut problems = Vec::new();
        let domain = domain.and_then(|text| {
            let right = |_| format!("{text:?} must be a domain such as lists.example.org");
            note(&mut problems, "domain", Domain::parse(&text).map_err(right))
        });
        if problems.is_empty() { Ok(Publish { action, domain }) } else { Err(problems) }
    }
}

/// How a domain stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedReply {
    /// Its name.
    pub name: String,
    /// The selector that signs.
    pub selector: String,
    /// The selector that will sign once its records are seen.
    pub next_selector: Option<String>,
    /// Everything that is to be published, and what may be taken away.
    pub records: Vec<RecordReply>,
}

/// A record and how it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordReply {
    /// `MX`, `TXT`, `A` or `AAAA`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name that has it, without a final dot.
    pub name: String,
    /// Its value as zone files and providers' forms take it.
    pub value: String,
    /// `right`; `wrong`, which is also said of what is not there; `old`; `unknown`.
    pub state: String,
    /// Until when an old record has to stay (RFC 3339).
    pub until: Option<String>,
}

/// Carries a request out.
pub(super) fn run(host: &Host, wanted: Publish, progress: &mut dyn FnMut(String)) -> Result<Reply, Undone> {
    let Publish { action, domain } = wanted;
    let mut published = Vec::new();
    if let Some(name) = &domain {
        let found = accounts::find_domain(&host.core.store.read()?, name)?;
        let found =
            found.ok_or_else(|| Undone::Told(format!("there is no such domain {name} on this server")))?;
        published.push(one(host, action, found)?);
    } else {
        let mut last = 0;
        loop {
            let page: Vec<AccountDomain> = host.core.store.read()?.all(last, DOMAINS_PER_PAGE)?;
            let Some(newest) = page.last() else { break };
            last = newest.id.0;
            for found in page {
                // Of all domains, those are meant that have keys waiting.
                if action == PublishAction::Activate && found.next_keys.is_none() {
                    continue;
                }
                progress(format!("{}", found.name));
                published.push(one(host, action, found)?);
            }
        }
    }
    Ok(Reply::Published { domains: published })
}

fn one(host: &Host, action: PublishAction, domain: AccountDomain) -> Result<PublishedReply, Undone> {
    let (id, now) = (domain.id, host.core.now());
    let store = &host.core.store;
    let domain = match action {
        PublishAction::Show => domain,
        PublishAction::Rotate if domain.next_keys.is_some() => domain,
        PublishAction::Rotate => {
            let keys = accounts::new_dkim_keys();
            store.write_blocking(move |tx: &mut WriteTx<'_>| rotation::begin(tx, id, keys, now))?
        }
        PublishAction::Activate => {
            store.write_blocking(move |tx: &mut WriteTx<'_>| rotation::activate(tx, id, now))?
        }
    };
    Ok(published(host, &domain))
}

fn published(host: &Host, domain: &AccountDomain) -> PublishedReply {
    let found = Found::of(host, domain);
    let hostname = host.hostname.clone().unwrap_or_else(|| domain.name.to_string());
    let records = accounts::dns_records(domain, &hostname, &host.core.config.public_ips);
    let mut records: Vec<RecordReply> =
        records.into_iter().map(|record| shown(found.state(&record).to_owned(), None, record)).collect();
    for old in &domain.old_keys {
        let until = Some(old.until.rfc3339());
        let old = accounts::key_records(&domain.name, &old.keys);
        records.extend(old.into_iter().map(|record| shown("old".to_owned(), until.clone(), record)));
    }
    PublishedReply {
        name: domain.name.to_string(),
        selector: domain.dkim.selector.clone(),
        next_selector: domain.next_keys.as_ref().map(|next| next.keys.selector.clone()),
        records,
    }
}

fn shown(state: String, until: Option<String>, record: DnsRecord) -> RecordReply {
    let DnsRecord { kind, name, value } = record;
    RecordReply { kind: kind.to_owned(), name, value, state, until }
}

/// What the DNS says of a domain, as far as somebody runs who asks it.
struct Found {
    status: Option<DnsStatus>,
    policy: DmarcPolicy,
    has_next_keys: bool,
    /// Names of the records that the domain's keys, and its next ones, are published by.
    signing: BTreeSet<String>,
    next: BTreeSet<String>,
    domain: String,
}

impl Found {
    fn of(host: &Host, domain: &AccountDomain) -> Found {
        let desk = &host.core.dns;
        let name = domain.name.as_str();
        let next_keys = domain.next_keys.as_ref().map(|next| &next.keys);
        let asking = async {
            let domains = std::slice::from_ref(domain);
            let (mut statuses, policy) = tokio::join!(desk.statuses(domains), desk.policy(name));
            let has_next_keys = match next_keys {
                Some(keys) => desk.publishes(&domain.name, keys).await,
                None => false,
            };
            (statuses.remove(&domain.name), policy, has_next_keys)
        };
        let (status, policy, has_next_keys) = Handle::current().block_on(asking);
        let names =
            |keys: &DkimKeys| accounts::key_records(&domain.name, keys).into_iter().map(|r| r.name).collect();
        Found {
            status,
            policy,
            has_next_keys,
            signing: names(&domain.dkim),
            next: next_keys.map(names).unwrap_or_default(),
            domain: name.to_owned(),
        }
    }

    fn state(&self, record: &DnsRecord) -> &'static str {
        let word = |is_right| if is_right { "right" } else { "wrong" };
        let Some(DnsStatus { mx, a, spf, dkim }) = self.status else { return "unknown" };
        match record.kind {
            "MX" => word(mx),
            // What is looked up is the domain; another name for the server stands elsewhere.
            "A" | "AAAA" if record.name == self.domain => word(a),
            "TXT" if record.name == self.domain => word(spf),
            "TXT" if self.signing.contains(&record.name) => word(dkim),
            "TXT" if self.next.contains(&record.name) => word(self.has_next_keys),
            "TXT" => match self.policy {
                DmarcPolicy::Unknown => "unknown",
                DmarcPolicy::Absent => "wrong",
                DmarcPolicy::None | DmarcPolicy::Quarantine | DmarcPolicy::Reject => "right",
            },
            _ => "unknown",
        }
    }
}
