//! Carries `crier setup` out: creates a server's first account with its domain, administrator, key and perhaps a
//! list.
//!
//! `execute` calls it. On a server that has an account it adds nothing, and reports what an earlier setup made.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::admin_link::link_of;
use super::host::{Host, operator_of, server_names};
use super::publish::{DnsReply, notes};
use super::values::{Problem, note, parse_base_url, wrong};
use crate::clock::Timestamp;
use crate::model::list::check_name;
use crate::model::{
    Account, AccountDomain, AccountId, Admin, AuditAction, DkimKeys, Domain, EmailAddress, List, ListId,
    ListName,
};
use crate::ops::accounts::admins::{self, Kind, NewAdmin};
use crate::ops::accounts::{self, NewAccount};
use crate::ops::audit::{self, Note};
use crate::ops::domains::claims::host_of;
use crate::ops::domains::records::{ServerNames, dns_records};
use crate::ops::domains::{self, check_domain};
use crate::ops::lists::kinds::{Beginning, ListKind};
use crate::ops::people::imports;
use crate::ops::{Caller, OpError, Wrong};
use crate::secret;
use crate::store::{Read, WriteTx};

/// `crier setup`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupRequest {
    /// The domain of the lists.
    pub domain: String,
    /// The address of the first administrator.
    pub admin: String,
    /// Name of the account; derived from the domain if unset.
    pub account: Option<String>,
    /// Name of a first list.
    pub list: Option<String>,
    /// Whether a key for all accounts is made too.
    pub grouped: bool,
    /// Whether custom identifiers (ccid) name contacts.
    pub ccid: bool,
    /// The name of this mail server; the running server's, or the domain, if unset.
    pub hostname: Option<String>,
    /// Public addresses of this server, for its A and AAAA records.
    pub public_ips: Vec<String>,
    /// The base of links; the running server's, or the domain, if unset.
    pub base_url: Option<String>,
}

/// The objects that `setup` made or found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupReply {
    /// The account's number.
    pub account: u64,
    /// Its name.
    pub name: String,
    /// Whether this call made it.
    pub created: bool,
    /// A key with every permission in the account; shown once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api_key: Option<String>,
    /// A key for every account; shown once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub global_key: Option<String>,
    /// The domain of the lists.
    pub domain: String,
    /// The name of this mail server.
    pub hostname: String,
    /// The link by which the first administrator chooses a password; shown once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub admin_link: Option<String>,
    /// Address of the first list, if this call made it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub list: Option<String>,
    /// Name of the requested list, if it does not exist and was not made because setup had been run before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub list_not_made: Option<String>,
    /// Address of the requested administrator, if it is none and was not made one because setup had been run before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub admin_not_made: Option<String>,
    /// Records to publish.
    pub dns: Vec<DnsReply>,
    /// Further notes for the operator, in words.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A [`SetupRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The domain of the lists.
    pub domain: Domain,
    /// The address of the first administrator.
    pub admin: EmailAddress,
    /// Name of the account.
    pub account: String,
    /// Name of a first list.
    pub list: Option<ListName>,
    /// Whether a global key is made too.
    pub grouped: bool,
    /// Whether custom identifiers (ccid) name contacts.
    pub ccid: bool,
    /// The name of this mail server, if given.
    pub hostname: Option<String>,
    /// Its public addresses.
    pub public_ips: Vec<IpAddr>,
    /// The base of links, if given.
    pub base_url: Option<String>,
}

impl SetupRequest {
    pub(super) fn parse(self) -> Result<Setup, Vec<Problem>> {
        let SetupRequest { domain, admin, account, list, grouped, ccid, hostname, public_ips, base_url } =
            self;
        let problems = &mut Vec::new();
        let domain_problem = |_| wrong(&domain, "must be a domain such as lists.example.org");
        let domain = note(problems, "domain", Domain::parse(&domain).map_err(domain_problem))
            .and_then(|domain| note(problems, "domain", check_domain(&domain)).map(|()| domain));
        let admin_problem = |_| wrong(&admin, "must be one address such as you@example.org");
        let admin = note(problems, "admin", EmailAddress::parse(&admin).map_err(admin_problem));
        let account = match (account, &domain) {
            (Some(name), _) => {
                note(problems, "account", check_name(&name).map_err(|why| format!("{name:?} {why}")))
                    .map(|()| name)
            }
            (None, domain) => domain.as_ref().map(account_name_of),
        };
        let list = list.and_then(|name| {
            note(problems, "list", ListName::parse(&name).map_err(|why| format!("{name:?} {why}")))
        });
        let hostname = hostname.and_then(|name| {
            let right = |_| format!("{name:?} must be a host name such as mx.example.org");
            note(problems, "hostname", Domain::parse(&name).map_err(right)).map(|name| name.to_string())
        });
        let parse_ip = |text: &String| {
            let right = |_| format!("{text:?} must be an address such as 192.0.2.1 or 2001:db8::1");
            note(problems, "public-ip", text.trim().parse::<IpAddr>().map_err(right))
        };
        let public_ips = public_ips.iter().filter_map(parse_ip).collect();
        let base_url = base_url.and_then(|url| note(problems, "base-url", parse_base_url(&url)));
        match (domain, admin, account) {
            (Some(domain), Some(admin), Some(account)) if problems.is_empty() => {
                Ok(Setup { domain, admin, account, list, grouped, ccid, hostname, public_ips, base_url })
            }
            _ => Err(std::mem::take(problems)),
        }
    }
}

/// Derives the account's name from the domain: `example` of `lists.example.org`.
fn account_name_of(domain: &Domain) -> String {
    let ascii = idna::domain_to_ascii(domain.as_str()).unwrap_or_default();
    let labels: Vec<&str> = ascii.split('.').collect();
    let label = match labels.as_slice() {
        [.., second, _top] => second,
        [only] => only,
        [] => "",
    };
    if check_name(label).is_ok() { label.to_owned() } else { "main".to_owned() }
}

/// Makes the first objects of a server, or finds those that an earlier setup made.
pub(super) fn run(host: &Host, setup: Setup) -> Result<SetupReply, OpError> {
    let first: Option<Account> = host.core.store.read()?.all(0, 1)?.pop();
    let known = server_names(host)?;
    let own_host = || setup.domain.to_string();
    let base_host = setup.base_url.as_deref().and_then(host_of).map(str::to_owned);
    let server = ServerNames {
        hostname: Some(setup.hostname.clone().or(known.hostname).unwrap_or_else(own_host)),
        // The records printed at the end lead links to the domain, unless another base was given.
        web_host: Some(base_host.or(known.web_host).unwrap_or_else(own_host)),
        public_ips: Some(setup.public_ips.clone()).filter(|ips| !ips.is_empty()).unwrap_or(known.public_ips),
        relays: known.relays,
    };
    let (wanted_list, base_url) = (setup.list.clone(), setup.base_url.clone());
    let wanted_admin = setup.admin.clone();
    let made = match first {
        Some(first) => find_first(&host.core.store.read()?, &first, &setup.domain)?,
        None => make_first(host, setup)?,
    };
    if host.hostname.is_none() {
        let server = server.clone();
        // As a running server does at its start.
        host.core.perform_blocking(&Caller::of_server(), move |tx, _| server.remember(tx))?;
    }
    let Made { account, domain, api_key, global_key, list, admin } = made;
    let tx = host.core.store.read()?;
    let link = |admin: &Admin| link_of(host, &tx, admin, base_url.as_deref());
    let admin_link = admin.as_ref().map(link).transpose()?.flatten();
    let list_not_made = match wanted_list.filter(|_| list.is_none()) {
        Some(name) => match imports::check_list(&tx, account.id, name.as_str()) {
            Ok(()) => None,
            Err(OpError::Invalid { problems: _ }) => Some(name.to_string()),
            Err(error) => return Err(error),
        },
        None => None,
    };
    let is_admin = admins::manage::get(&tx, &Caller::operator(account.id), wanted_admin.as_str());
    let admin_not_made = match is_admin {
        Ok(_) => None,
        Err(OpError::NotFound { what: _ }) => Some(wanted_admin.to_string()),
        Err(error) => return Err(error),
    };
    let (dns, notes) = (dns_records(&domain, &server), notes(&server));
    Ok(SetupReply {
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
        admin_not_made,
        dns: dns.into_iter().map(DnsReply::from).collect(),
        notes,
    })
}

/// The objects of a first setup; keys only if this call made them.
struct Made {
    account: Account,
    domain: AccountDomain,
    api_key: Option<String>,
    global_key: Option<String>,
    list: Option<ListName>,
    /// The first administrator, if this call made it.
    admin: Option<Admin>,
}

/// Finds the objects that an earlier setup made. Setup never adds objects to a server that has an account.
fn find_first(tx: &impl Read, first: &Account, domain: &Domain) -> Result<Made, OpError> {
    if let Some(domain) = domains::find(tx, domain)? {
        let account = accounts::get(tx, domain.account)?;
        return Ok(Made { account, domain, api_key: None, global_key: None, list: None, admin: None });
    }
    let main = domains::main_domain(tx, first.id)?;
    let problem = Wrong::SetUpAlready { name: domain.clone(), main: main.name, account: first.name.clone() };
    Err(OpError::invalid("domain", problem))
}

fn make_first(host: &Host, setup: Setup) -> Result<Made, OpError> {
    let dkim = domains::new_dkim_keys();
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

/// Writes all objects of a first setup in one job.
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
        let address = EmailAddress::parse(&format!("{name}@{}", domain.name)).ok();
        let beginning = Beginning { language: account.settings.language, address, writers: Vec::new() };
        let mut list = List::new(id, account.id, name, now);
        ListKind::USUAL.changes(beginning).apply(&mut list);
        tx.put(&list)?;
    }
    let made = || Note::new(AuditAction::AccountCreated, account.id.0).named(&account.name).detail("setup");
    audit::note(tx, &Caller::operator(AccountId::SERVER), made(), now)?;
    audit::note(tx, &Caller::operator(account.id), made(), now)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_wrong_with_a_setup_is_said_at_once() {
        let request = SetupRequest {
            domain: "a..b".into(),
            admin: "you".into(),
            account: Some("a b".into()),
            list: Some("postmaster".into()),
            hostname: Some("-".into()),
            public_ips: vec!["::1".into(), "here".into()],
            ..SetupRequest::default()
        };
        let problems = request.parse().expect_err("something is wrong");
        let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
        assert_eq!(fields, ["domain", "admin", "account", "list", "hostname", "public-ip"], "{problems:?}");
    }

    #[test]
    fn an_account_is_named_after_its_domain() {
        for (domain, expected) in
            [("lists.example.org", "example"), ("example.org", "example"), ("localhost", "localhost")]
        {
            assert_eq!(account_name_of(&Domain::parse(domain).unwrap()), expected);
        }
    }
}
