//! Carries a command out on an open data file, whoever holds it.

use std::collections::BTreeSet;

use super::objects::{self, CommandError};
use super::publish::{notes, server_names};
use super::{
    Command, DnsReply, HeaderReply, Reply, RuleReply, Setup, SetupReply, SimulationReply, VerifyReply, keys,
    operator_of, publish, queue,
};
use crate::clock::Timestamp;
use crate::mail::Verdict;
use crate::model::{
    Account, AccountDomain, AccountId, Admin, DkimKeys, Domain, EmailAddress, List, ListId, ListName,
};
use crate::ops::accounts::admins::{self, Kind, NewAdmin};
use crate::ops::accounts::claims::host_of;
use crate::ops::accounts::records::{DnsRecord, ServerNames, dns_records};
use crate::ops::accounts::{self, NewAccount};
use crate::ops::archive::indexing;
use crate::ops::limits::Limits;
use crate::ops::notices::link_secrets::{self, Rotated};
use crate::ops::people::imports;
use crate::ops::posting::simulate::{self, Sample, Simulation};
use crate::ops::{Core, OpError, domains};
use crate::schema::ENTITIES;
use crate::secret::{self, LINK_SECRET_BYTES};
use crate::store::{self, EntityInfo, Read, ReadTx, StoreError, WriteTx};

/// Names of accounts that an error tells.
const ACCOUNTS_TOLD: usize = 10;

/// The data file and what commands need beside it.
#[derive(Debug, Clone)]
pub struct Host {
    /// What the parts of the server share.
    pub core: Core,
    /// The running server's name, where one runs.
    pub hostname: Option<String>,
}

/// Carries `command` out. Blocks; `progress` hears what long work is at.
///
/// # Panics
/// Outside of a runtime: what the API does is asynchronous.
pub fn execute(host: &Host, command: Command, progress: &mut dyn FnMut(String)) -> Reply {
    let done = match command {
        Command::Setup(setup) => run_setup(host, setup).map_err(CommandError::from),
        Command::KeyCreate(key) => keys::create_key(host, key),
        Command::Call(call) => objects::call(host, call),
        Command::AdminLink(request) => keys::admin_link(host, request),
        Command::Keys(request) => keys::keys(host, request),
        Command::Domains(domains) => objects::domains(host, domains),
        Command::Fields(fields) => objects::fields(host, fields, progress),
        Command::Queue(request) => queue::run(host, request, progress),
        Command::Publish(request) => publish::run(host, request, progress),
        Command::LinksRotate => rotate_links(host).map_err(CommandError::from),
        Command::Verify => verify(host, progress).map_err(CommandError::from),
        Command::Simulate { list, from, message } => {
            simulate_post(host, &list, from.as_deref(), message).map_err(CommandError::from)
        }
    };
    done.unwrap_or_else(Reply::from)
}

fn run_setup(host: &Host, setup: Setup) -> Result<Reply, OpError> {
    let first: Option<Account> = host.core.store.read()?.all(0, 1)?.pop();
    let known = server_names(host)?;
    let own_host = || setup.domain.to_string();
    let base_host = setup.base_url.as_deref().and_then(host_of).map(str::to_owned);
    let server = ServerNames {
        hostname: Some(setup.hostname.clone().or(known.hostname).unwrap_or_else(own_host)),
        // What is printed at the end leads links to the domain, unless it was told otherwise.
        web_host: Some(base_host.or(known.web_host).unwrap_or_else(own_host)),
        public_ips: Some(setup.public_ips.clone()).filter(|ips| !ips.is_empty()).unwrap_or(known.public_ips),
        relays: known.relays,
    };
    let (wanted_list, base_url) = (setup.list.clone(), setup.base_url.clone());
    let made = match first {
        Some(first) => find_first(&host.core.store.read()?, &first, &setup.domain)?,
        None => make_first(host, setup)?,
    };
    if host.hostname.is_none() {
        let server = server.clone();
        host.core.perform_blocking(&operator_of(AccountId::SERVER), move |tx, _| server.remember(tx))?;
    }
    let Made { account, domain, api_key, global_key, list, admin } = made;
    let tx = host.core.store.read()?;
    let link = |admin: &Admin| keys::link_of(host, &tx, admin, base_url.as_deref());
    let admin_link = admin.as_ref().map(link).transpose()?.flatten();
    let list_not_made = match wanted_list.filter(|_| list.is_none()) {
        Some(name) => match imports::check_list(&tx, account.id, name.as_str()) {
            Ok(()) => None,
            Err(OpError::Invalid { problems: _ }) => Some(name.to_string()),
            Err(error) => return Err(error),
        },
        None => None,
    };
    let (dns, notes) = (dns_replies(&domain, &server), notes(&server));
    Ok(Reply::Setup(Box::new(SetupReply {
        account: account.id.0,
        name: account.name,
        created: api_key.is_some(),
        api_key,
        global_key,
        domain: domain.name.to_string(),
        hostname: server.hostname.unwrap_or_default(),
        admin_link,
        list: list.map(|list| format!("{list}@{}", domain.name)),
        list_not_made,
        dns,
        notes,
    })))
}

/// What is to be published for a domain.
pub(super) fn dns_replies(domain: &AccountDomain, server: &ServerNames) -> Vec<DnsReply> {
    dns_records(domain, server).into_iter().map(dns_reply).collect()
}

pub(super) fn dns_reply(record: DnsRecord) -> DnsReply {
    DnsReply { kind: record.kind.to_owned(), name: record.name, value: record.value }
}

/// What a first setup leaves behind; keys only when it made them.
struct Made {
    account: Account,
    domain: AccountDomain,
    api_key: Option<String>,
    global_key: Option<String>,
    list: Option<ListName>,
    /// The first administrator, where this setup made it.
    admin: Option<Admin>,
}

/// What an earlier setup made. Setup begins a server; it does not add to one.
fn find_first(tx: &impl Read, first: &Account, domain: &Domain) -> Result<Made, OpError> {
    if let Some(domain) = domains::find(tx, domain)? {
        let account = accounts::get(tx, domain.account)?;
        return Ok(Made { account, domain, api_key: None, global_key: None, list: None, admin: None });
    }
    let main = domains::main_domain(tx, first.id)?;
    let problem = format!(
        "{domain} is not a domain of this server, which is set up already for {} (account {})",
        main.name, first.name
    );
    Err(OpError::Conflict { field: "domain", problem })
}

fn make_first(host: &Host, setup: Setup) -> Result<Made, OpError> {
    let dkim = accounts::new_dkim_keys();
    let api_key = host.core.secrets.api_key();
    let global_key = setup.grouped.then(|| host.core.secrets.api_key());
    let hashes = (hash_of(&api_key), global_key.as_deref().map(hash_of));
    let list = setup.list.clone();
    let (account, domain, admin) =
        host.core.perform_blocking(&operator_of(AccountId::SERVER), move |tx, by| {
            write_first(tx, setup, dkim, hashes, by.now)
        })?;
    Ok(Made { account, domain, api_key: Some(api_key), global_key, list, admin: Some(admin) })
}

fn hash_of(key: &str) -> [u8; 32] {
    secret::sha256(key.as_bytes())
}

/// Writes everything of a first setup in one job.
fn write_first(
    tx: &mut WriteTx<'_>,
    setup: Setup,
    dkim: DkimKeys,
    (key_hash, global_hash): ([u8; 32], Option<[u8; 32]>),
    now: Timestamp,
) -> Result<(Account, AccountDomain, Admin), OpError> {
    let Setup {
        domain,
        admin,
        account: name,
        list,
        grouped: _,
        ccid,
        hostname: _,
        public_ips: _,
        base_url: _,
    } = setup;
    let input = NewAccount { name, description: String::new(), domain, dkim, ccid_enabled: ccid };
    let (account, domain) = accounts::create(tx, input, now)?;
    let person = create_person(tx, account.id, admin, now)?;
    let program = create_program(tx, Some(account.id), "Made by setup", now)?;
    admins::create_key(tx, &program, key_hash, None, now)?;
    if let Some(hash) = global_hash {
        let program = create_program(tx, None, "Global key, made by setup", now)?;
        admins::create_key(tx, &program, hash, None, now)?;
    }
    if let Some(name) = list {
        let id = ListId(tx.next_id::<List>()?);
        tx.put(&List::new(id, account.id, name, now))?;
    }
    Ok((account, domain, person))
}

fn create_person(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    username: EmailAddress,
    now: Timestamp,
) -> Result<Admin, OpError> {
    let mut person = NewAdmin::new(Some(account), Kind::Person { username }, admins::all_grants());
    person.notifications = admins::FIRST_NOTIFICATIONS.into();
    admins::create(tx, person, now)
}

fn create_program(
    tx: &mut WriteTx<'_>,
    account: Option<AccountId>,
    description: &str,
    now: Timestamp,
) -> Result<Admin, OpError> {
    let kind = Kind::Program { description: description.to_owned(), cidr: Vec::new() };
    admins::create(tx, NewAdmin::new(account, kind, admins::all_grants()), now)
}

/// The account that a command names; the only one of the server where it names none.
pub(super) fn find_account(tx: &impl Read, name: Option<&str>) -> Result<Account, OpError> {
    if let Some(name) = name
        && let Some(account) = accounts::find_by_name(tx, name)?
    {
        return Ok(account);
    }
    let mut known: Vec<Account> = tx.all(0, ACCOUNTS_TOLD + 1)?;
    if name.is_none() && known.len() == 1 {
        return Ok(known.remove(0));
    }
    let more = if ACCOUNTS_TOLD < known.len() { ", …" } else { "" };
    let names: Vec<String> = known.into_iter().take(ACCOUNTS_TOLD).map(|account| account.name).collect();
    let names = names.join(", ");
    let problem = match name {
        _ if names.is_empty() => "there is no account yet: run crier setup first".to_owned(),
        None => format!("this server has several accounts: name one of {names}{more} with --account"),
        Some(name) => format!("there is no account {name:?}; there is {names}{more}"),
    };
    Err(OpError::invalid("account", problem))
}

fn simulate_post(host: &Host, list: &str, from: Option<&str>, message: Vec<u8>) -> Result<Reply, OpError> {
    let base_url = host.hostname.as_ref().map(|_| &*host.core.base_url);
    let authentication = tokio::runtime::Handle::current().block_on(host.core.dns.authenticate(&message));
    let sample = Sample::new(message, from, authentication);
    let tx = host.core.store.read()?;
    let list = simulate::find_list(&tx, list)?;
    let (patterns, limits, now) = (host.core.patterns.judge(), Limits::default(), host.core.now());
    let simulation = simulate::simulate(&tx, &patterns, list.id, &limits, &sample, base_url, now)?;
    let Simulation { list, rules, authentication, decision, recipients, copy } = simulation;
    let rule = |(rule, verdict): (&str, Option<Verdict>)| RuleReply {
        rule: rule.to_owned(),
        verdict: verdict.as_ref().map(|verdict| verdict.word().to_owned()),
        reason: verdict.as_ref().and_then(Verdict::reason),
    };
    let size = copy.as_ref().map(|copy| copy.size_bytes);
    let (headers, changes) = copy.map(|copy| (copy.headers, copy.changes)).unwrap_or_default();
    Ok(Reply::Simulation(Box::new(SimulationReply {
        list,
        verdict: decision.word().to_owned(),
        reason: decision.reason(),
        rules: rules.into_iter().map(rule).collect(),
        dkim: authentication.dkim.word().to_owned(),
        dmarc: authentication.dmarc.word().to_owned(),
        dmarc_policy: authentication.policy.word().to_owned(),
        recipients,
        size,
        headers: headers.into_iter().map(|(name, value)| HeaderReply { name, value }).collect(),
        changes,
    })))
}

/// Has links signed with a new secret: by a running server at once.
fn rotate_links(host: &Host) -> Result<Reply, OpError> {
    let mut new = [0; LINK_SECRET_BYTES];
    host.core.secrets.fill(&mut new);
    let Rotated { secrets, old_until } =
        host.core.perform_blocking(&operator_of(AccountId::SERVER), move |tx, by| {
            link_secrets::rotate(tx, new, by.now)
        })?;
    host.core.signer.install(&secrets);
    tracing::info!(
        "Links are signed with a new secret; those that were signed before work until {old_until}"
    );
    Ok(Reply::LinksRotated { old_links_until: old_until.rfc3339(), old_secrets: secrets.old_count() })
}

/// Recomputes every index row, count and reference, and every one of what the records themselves say.
fn verify(host: &Host, progress: &mut dyn FnMut(String)) -> Result<Reply, StoreError> {
    let tx = host.core.store.read()?;
    let mut differences = Vec::new();
    for entity in ENTITIES {
        progress(format!("Checking {}", entity.name));
        differences.extend((entity.check)(&tx)?.iter().map(ToString::to_string));
    }
    progress("Checking the bytes of messages".to_owned());
    differences.extend(store::check_shared(&tx, ENTITIES)?.iter().map(ToString::to_string));
    progress("Checking the search in the archive".to_owned());
    differences.extend(indexing::problems(&tx)?);
    differences.extend(unknown_tables(&tx)?);
    Ok(Reply::Verify(VerifyReply { entities: ENTITIES.len(), differences }))
}

/// Tables that belong to nothing that this program keeps.
fn unknown_tables(tx: &ReadTx) -> Result<Vec<String>, StoreError> {
    let mut known: BTreeSet<&str> = store::ENGINE_TABLES.iter().copied().collect();
    known.extend(ENTITIES.iter().flat_map(EntityInfo::tables));
    let names = tx.table_names()?;
    let strays = names.iter().filter(|name| !known.contains(name.as_str()));
    Ok(strays.map(|name| format!("{name}: no entity has this table")).collect())
}
