//! Lists the DNS records that domains need with their state, and rotates DKIM keys.
//!
//! `execute` calls it for `crier dns` and `crier dkim rotate`; `service::inspect` compares the records with the DNS.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;

use super::error::CommandError;
use super::host::{Host, operator_of, server_names};
use super::values::{Problem, parse_domain};
use crate::model::{AccountDomain, Domain, DomainClaim};
use crate::ops::domains;
use crate::ops::domains::records::{DnsRecord, ServerNames, claim_records, dns_records, key_records};
use crate::ops::domains::{claims, rotation};
use crate::service::inspect::{State, states};
use crate::store::{Read, StoreError};

/// Domains that are read at a time.
const DOMAINS_PER_PAGE: usize = 64;
/// Most claims of one domain that are shown.
const CLAIMS_SHOWN: usize = 16;

/// `crier dns` and `crier dkim rotate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishRequest {
    /// The action.
    pub action: PublishAction,
    /// The domain; all domains of the server if unset.
    pub domain: Option<String>,
}

/// The actions on published records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublishAction {
    /// Lists the records to publish, without a DNS query.
    List,
    /// Lists the records and compares them with the DNS.
    Show,
    /// Makes new keys for domains without waiting ones.
    Rotate,
    /// Signs with the waiting keys from now on.
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
        let domain = domain.and_then(|text| parse_domain(&mut problems, &text));
        if problems.is_empty() { Ok(Publish { action, domain }) } else { Err(problems) }
    }
}

/// A record to publish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DnsReply {
    /// `MX`, `TXT`, `A`, `AAAA` or `PTR`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name; the address of a PTR record.
    pub name: String,
    /// Its value; blank for an address that this server does not know.
    pub value: String,
}

impl DnsReply {
    /// Its value, or the words for an address that only the operator knows.
    #[must_use]
    pub fn shown_value(&self) -> &str {
        if self.value.is_empty() { OWN_ADDRESS } else { &self.value }
    }
}

impl From<DnsRecord> for DnsReply {
    fn from(DnsRecord { purpose: _, kind, name, value }: DnsRecord) -> DnsReply {
        DnsReply { kind: kind.to_owned(), name, value }
    }
}

/// Words for an address that only the operator knows.
pub const OWN_ADDRESS: &str = "this server's public address (AAAA for IPv6)";

/// A domain with its records and their state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedReply {
    /// Its name.
    pub name: String,
    /// Whether the domain receives mail and signs: the operator made it, or its account has proven that it owns it.
    pub verified: bool,
    /// The number of its account.
    pub account: u64,
    /// The selector that signs; blank if the domain is not verified.
    pub selector: String,
    /// The selector that will sign once its records are seen.
    pub next_selector: Option<String>,
    /// Whether the DNS was queried: only a running server does so.
    pub checked: bool,
    /// All records that must be published, and old ones that may be removed.
    pub records: Vec<RecordReply>,
    /// Further notes for the operator, in words.
    pub notes: Vec<String>,
}

/// A record and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordReply {
    /// `MX`, `TXT`, `A`, `AAAA` or `PTR`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name that has it, without a final dot; the address of a PTR record.
    pub name: String,
    /// Its value as zone files and providers' forms accept it; blank for an address that this server does not know.
    pub value: String,
    /// `right`, `missing`, `wrong`, `old` or `unknown`.
    pub state: String,
    /// The value in the DNS, if it is not the right one.
    pub found: Option<String>,
    /// The time until which an old record must stay (RFC 3339).
    pub until: Option<String>,
}

/// Carries a request out.
pub(super) fn run(
    host: &Host,
    wanted: Publish,
    progress: &mut dyn FnMut(String),
) -> Result<Vec<PublishedReply>, CommandError> {
    let Publish { action, domain } = wanted;
    let mut published = Vec::new();
    if let Some(name) = &domain {
        let found = domains::find(&host.core.store.read()?, name)?;
        let claimed = match action {
            PublishAction::List | PublishAction::Show => {
                claims::of_name(&host.core.store.read()?, name, CLAIMS_SHOWN)?
            }
            PublishAction::Rotate | PublishAction::Activate => Vec::new(),
        };
        if found.is_none() && claimed.is_empty() {
            return Err(CommandError::Told(format!("there is no such domain {name} on this server")));
        }
        if let Some(found) = found {
            published.push(one(host, action, found)?);
        }
        for claim in claimed {
            published.push(claimed_reply(host, action, &claim)?);
        }
    } else {
        every(host, action, &mut published, progress)?;
        if matches!(action, PublishAction::List | PublishAction::Show) {
            every_claim(host, action, &mut published, progress)?;
        }
    }
    Ok(published)
}

fn every(
    host: &Host,
    action: PublishAction,
    published: &mut Vec<PublishedReply>,
    progress: &mut dyn FnMut(String),
) -> Result<(), CommandError> {
    let mut last = 0;
    loop {
        let page: Vec<AccountDomain> = host.core.store.read()?.all(last, DOMAINS_PER_PAGE)?;
        let Some(newest) = page.last() else { return Ok(()) };
        last = newest.id.0;
        for found in page {
            // Without a named domain, only domains with waiting keys are activated.
            if action == PublishAction::Activate && found.next_keys.is_none() {
                continue;
            }
            progress(format!("{}", found.name));
            published.push(one(host, action, found)?);
        }
    }
}

fn every_claim(
    host: &Host,
    action: PublishAction,
    published: &mut Vec<PublishedReply>,
    progress: &mut dyn FnMut(String),
) -> Result<(), CommandError> {
    let mut last = 0;
    loop {
        let page: Vec<DomainClaim> = host.core.store.read()?.all(last, DOMAINS_PER_PAGE)?;
        let Some(newest) = page.last() else { return Ok(()) };
        last = newest.id.0;
        for claim in page {
            progress(format!("{}", claim.name));
            published.push(claimed_reply(host, action, &claim)?);
        }
    }
}

fn one(host: &Host, action: PublishAction, domain: AccountDomain) -> Result<PublishedReply, CommandError> {
    let (id, core) = (domain.id, &host.core);
    let domain = match action {
        PublishAction::List | PublishAction::Show => domain,
        PublishAction::Rotate if domain.next_keys.is_some() => domain,
        PublishAction::Rotate => {
            let keys = domains::new_dkim_keys();
            core.perform_blocking(&operator_of(domain.account), move |tx, by| {
                rotation::begin(tx, &by.caller, id, keys, by.now)
            })?
        }
        PublishAction::Activate => core.perform_blocking(&operator_of(domain.account), move |tx, by| {
            rotation::activate(tx, &by.caller, id, by.now)
        })?,
    };
    Ok(published(host, action, &domain)?)
}

fn published(
    host: &Host,
    action: PublishAction,
    domain: &AccountDomain,
) -> Result<PublishedReply, StoreError> {
    let server = server_names(host)?;
    let (notes, records) = (notes(&server), dns_records(domain, &server));
    let mut records = inspected(host, action, server, records);
    for old in &domain.old_keys {
        let until = Some(old.until.rfc3339());
        let old = key_records(&domain.name, &old.keys);
        records.extend(old.into_iter().map(|record| RecordReply {
            state: "old".to_owned(),
            until: until.clone(),
            ..shown(State::Unknown(None), record)
        }));
    }
    Ok(PublishedReply {
        name: domain.name.to_string(),
        verified: true,
        account: domain.account.0,
        selector: domain.dkim.selector.clone(),
        next_selector: domain.next_keys.as_ref().map(|next| next.keys.selector.clone()),
        checked: host.hostname.is_some() && action != PublishAction::List,
        records,
        notes,
    })
}

fn claimed_reply(
    host: &Host,
    action: PublishAction,
    claim: &DomainClaim,
) -> Result<PublishedReply, StoreError> {
    let server = server_names(host)?;
    let records = claim_records(claim, &server);
    let note = "One of the two proves that the domain is its account's: the TXT record always does unless the account \
                that has the domain publishes its own, the MX record only while no other account claims the domain.";
    Ok(PublishedReply {
        name: claim.name.to_string(),
        verified: false,
        account: claim.account.0,
        selector: String::new(),
        next_selector: None,
        checked: host.hostname.is_some() && action != PublishAction::List,
        records: inspected(host, action, server, records),
        notes: vec![note.to_owned()],
    })
}

fn inspected(
    host: &Host,
    action: PublishAction,
    server: ServerNames,
    records: Vec<DnsRecord>,
) -> Vec<RecordReply> {
    if action == PublishAction::List {
        return records.into_iter().map(|record| shown(State::Unknown(None), record)).collect();
    }
    let states = Handle::current().block_on(states(Arc::clone(&host.core.dns), server, &records));
    states.into_iter().zip(records).map(|(state, record)| shown(state, record)).collect()
}

/// Notes about facts that no record of the domain itself shows.
pub(super) fn notes(server: &ServerNames) -> Vec<String> {
    let mut notes = Vec::new();
    let host = server.hostname.as_deref().unwrap_or("its host name");
    if let Some(relay) = server.relays.first() {
        notes.push(format!(
            "Mail goes out through the relay {relay}: its provider may ask for an include: of its own in the SPF record, \
             in place of a:{relay}, and sees to the reverse DNS (PTR) of its own addresses."
        ));
    } else if server.public_ips.is_empty() {
        notes.push(format!(
            "The reverse DNS (PTR) of this server's public address must say {host}; whoever rents out the address sets \
             it. With --public-ip, crier serve knows its addresses and looks at these records too."
        ));
    } else {
        notes.push(
            "PTR records are set where the address was rented, not in the domain's own zone.".to_owned(),
        );
    }
    notes
}

fn shown(state: State, record: DnsRecord) -> RecordReply {
    let DnsRecord { purpose: _, kind, name, value } = record;
    let word = state.word().to_owned();
    RecordReply { kind: kind.to_owned(), name, value, state: word, found: state.found(), until: None }
}
