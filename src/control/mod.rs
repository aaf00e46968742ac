//! The operator's commands: the same on a running server, through its socket, and on the file of a stopped one.
//!
//! A [`Request`] holds texts as they were typed. [`Request::parse`] makes a [`Command`] of it or says everything
//! that is wrong; [`execute`](execute::execute) carries it out. The command line parses before it asks anyone,
//! so that a wrong value never touches a file, and a server parses again what its socket brings.

pub mod execute;
pub mod import;
pub mod inject;
mod inspect;
pub mod keys;
pub mod objects;
pub mod publish;
pub mod queue;
pub mod socket;

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use import::{FrameReply, ImportRequest};
use inject::{InjectRequest, Uninjected};
use keys::{AdminLinkRequest, Keys, KeysRequest};
use objects::{CallRequest, DomainReply, Domains, DomainsRequest, FieldReply, FieldsRequest, Scope};
use publish::{Publish, PublishRequest, PublishedReply};
use queue::{Queue, QueueReply, QueueRequest};

use crate::model::list::check_name;
use crate::model::{AccountId, Cidr, Domain, EmailAddress, ListName, Permission};
use crate::ops::accounts::admins::{EXPIRY_MONTHS, all_grants};
use crate::ops::domains::check_domain;
use crate::ops::{Caller, OpError, Problem};

/// The operator, who acts in `account`, or for the whole server.
fn operator_of(account: AccountId) -> Arc<Caller> {
    Arc::new(Caller::operator(account))
}

/// A command as it was typed and as it travels through the socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Request {
    /// Makes the first account, its domain, administrator and key.
    Setup(SetupRequest),
    /// Makes a program's administrator with a key.
    KeyCreate(KeyRequest),
    /// Makes a call of the API.
    Call(CallRequest),
    /// Makes the link by which an administrator chooses a password.
    AdminLink(AdminLinkRequest),
    /// The keys of programs.
    Keys(KeysRequest),
    /// The domains of an account.
    Domains(DomainsRequest),
    /// The custom fields of an account's contacts.
    Fields(FieldsRequest),
    /// Takes contacts, whose rows follow.
    Import(ImportRequest),
    /// What waits to be delivered.
    Queue(QueueRequest),
    /// What the DNS has to say of domains, and the keys that it publishes.
    Publish(PublishRequest),
    /// Has links signed with a new secret.
    LinksRotate,
    /// Checks every invariant of the data file.
    Verify,
    /// Says what would become of a message.
    Simulate(SimulateRequest),
    /// Takes a message, whose bytes follow.
    Inject(InjectRequest),
}

/// `crier simulate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulateRequest {
    /// Name or address of the list.
    pub list: String,
    /// Envelope sender; blank or `<>` for an empty one.
    pub from: Option<String>,
    /// The message in base64: it may have bytes that are no text.
    pub message: String,
}

/// `crier setup`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupRequest {
    /// The domain of the lists.
    pub domain: String,
    /// The address of the first administrator.
    pub admin: String,
    /// Name of the account; made of the domain where unset.
    pub account: Option<String>,
    /// Name of a first list.
    pub list: Option<String>,
    /// Whether a key for many accounts is made too.
    pub grouped: bool,
    /// Whether custom identifiers name contacts.
    pub ccid: bool,
    /// The name of this mail server; the running server's or the domain where unset.
    pub hostname: Option<String>,
    /// Public addresses of this server, for its A and AAAA records.
    pub public_ips: Vec<String>,
    /// What links begin with; the running server's, or the domain, where unset.
    pub base_url: Option<String>,
}

/// `crier key create`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRequest {
    /// Whose key; the whole server's works for every account.
    pub scope: Scope,
    /// What the key is for.
    pub description: String,
    /// The words of permissions; all where empty.
    pub permissions: Vec<String>,
    /// Names of the lists it is confined to; all where empty.
    pub limit_lists: Vec<String>,
    /// Identifiers or names of the custom fields it is confined to; all where empty.
    pub limit_metadata: Vec<String>,
    /// Networks; anywhere where empty.
    pub cidr: Vec<String>,
    /// Months until it expires.
    pub expiry_months: Option<String>,
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
    /// Its value, or what stands for it.
    #[must_use]
    pub fn shown_value(&self) -> &str {
        if self.value.is_empty() { OWN_ADDRESS } else { &self.value }
    }
}

/// What stands for an address that only the operator knows.
pub const OWN_ADDRESS: &str = "this server's public address (AAAA for IPv6)";

/// What `setup` made or found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupReply {
    /// The account's number.
    pub account: u64,
    /// Its name.
    pub name: String,
    /// Whether it was made by this call.
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
    /// Address of the first list, where it was made by this call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub list: Option<String>,
    /// Name of the list that was asked for, is not there, and was not made: setup had been run before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub list_not_made: Option<String>,
    /// Records to publish.
    pub dns: Vec<DnsReply>,
    /// What has to be known beside, in words.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A key that was made; shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyReply {
    /// The number of the administrator it acts as.
    pub id: u64,
    /// The key.
    pub api_key: String,
    /// When it stops working (RFC 3339).
    pub expiry: Option<String>,
}

/// What would become of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SimulationReply {
    /// Name of the list.
    pub list: String,
    /// `post`, `hold`, `reject` or `discard`.
    pub verdict: String,
    /// Why, unless it is posted.
    pub reason: Option<String>,
    /// Every rule in order.
    pub rules: Vec<RuleReply>,
    /// What its DKIM signatures say.
    pub dkim: String,
    /// What DMARC says, which rests on the signatures alone here.
    pub dmarc: String,
    /// The policy that the author's domain publishes for DMARC.
    pub dmarc_policy: String,
    /// Addresses that get a copy once it is posted.
    pub recipients: u64,
    /// Bytes of a copy.
    pub size: Option<u64>,
    /// Header fields of a copy in order.
    pub headers: Vec<HeaderReply>,
    /// What the list changes, in words.
    pub changes: Vec<String>,
}

/// What one rule says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleReply {
    /// Its name.
    pub rule: String,
    /// `hold`, `reject` or `discard`; none where it has no opinion.
    pub verdict: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// A header field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeaderReply {
    /// Its name.
    pub name: String,
    /// Its value on one line.
    pub value: String,
}

/// What a check of the data file found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyReply {
    /// Kinds of records that were checked.
    pub entities: usize,
    /// What does not agree; none when all is well.
    pub differences: Vec<String>,
}

/// One line of an answer: any number of `Progress`, then one of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// What long work is at.
    Progress {
        /// In words.
        text: String,
    },
    /// To `setup`.
    Setup(Box<SetupReply>),
    /// To `key create` and `key renew`.
    Key(KeyReply),
    /// To `admin link`.
    AdminLink {
        /// A URL.
        link: String,
    },
    /// What the API answers to the same call.
    Answer {
        /// Its JSON.
        answer: serde_json::Value,
    },
    /// Domains of an account.
    Domains {
        /// Oldest first.
        domains: Vec<DomainReply>,
    },
    /// Custom fields.
    Fields {
        /// Oldest first.
        fields: Vec<FieldReply>,
    },
    /// To `import`: rows may come.
    Ready {
        /// Names of the columns that are passed over.
        ignored: Vec<String>,
    },
    /// To rows of an import.
    Rows(FrameReply),
    /// To `queue`.
    Queue {
        /// What is asked of it.
        answer: QueueReply,
    },
    /// To `dns` and `keys rotate`.
    Published {
        /// Oldest first.
        domains: Vec<PublishedReply>,
    },
    /// To `links rotate`.
    LinksRotated {
        /// Until when links that were signed before work (RFC 3339).
        old_links_until: String,
        /// How many secrets are accepted beside the new one.
        old_secrets: usize,
    },
    /// To `verify`.
    Verify(VerifyReply),
    /// To `simulate`.
    Simulation(Box<SimulationReply>),
    /// To `inject`: the message is durable.
    Injected,
    /// To `inject`: the message is not taken.
    Uninjected(Uninjected),
    /// Values that cannot be taken.
    Invalid {
        /// Field and problem.
        problems: Vec<(String, String)>,
    },
    /// The command could not be carried out.
    Failed {
        /// In words.
        text: String,
    },
}

impl Reply {
    /// The words of an operation that was refused.
    #[must_use]
    pub fn refusal(error: OpError) -> Reply {
        match error {
            OpError::Invalid { problems } => Reply::invalid(problems),
            other => Reply::Failed { text: other.to_string() },
        }
    }

    /// Every wrong value with its problem.
    #[must_use]
    pub fn invalid(problems: Vec<Problem>) -> Reply {
        let pair = |Problem { field, problem }| (field, problem);
        Reply::Invalid { problems: problems.into_iter().map(pair).collect() }
    }
}

/// A command whose every value has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// See [`SetupRequest`].
    Setup(Setup),
    /// See [`KeyRequest`].
    KeyCreate(KeyCreate),
    /// See [`CallRequest`].
    Call(CallRequest),
    /// See [`AdminLinkRequest`].
    AdminLink(AdminLinkRequest),
    /// See [`KeysRequest`].
    Keys(Keys),
    /// See [`DomainsRequest`].
    Domains(Domains),
    /// See [`FieldsRequest`].
    Fields(FieldsRequest),
    /// See [`QueueRequest`].
    Queue(Queue),
    /// See [`PublishRequest`].
    Publish(Publish),
    /// Has links signed with a new secret.
    LinksRotate,
    /// Checks the data file.
    Verify,
    /// See [`SimulateRequest`].
    Simulate {
        /// Name or address of the list.
        list: String,
        /// Envelope sender.
        from: Option<String>,
        /// The message.
        message: Vec<u8>,
    },
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
    /// Whether custom identifiers name contacts.
    pub ccid: bool,
    /// The name of this mail server, where it was given.
    pub hostname: Option<String>,
    /// Its public addresses.
    pub public_ips: Vec<IpAddr>,
    /// What links begin with, where it was given.
    pub base_url: Option<String>,
}

/// A [`KeyRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCreate {
    /// Whose key; the whole server's works for every account.
    pub scope: Scope,
    /// What the key is for.
    pub description: String,
    /// What it may do.
    pub permissions: BTreeSet<Permission>,
    /// Names of the lists it is confined to.
    pub limit_lists: Vec<String>,
    /// Identifiers or names of the custom fields it is confined to.
    pub limit_metadata: Vec<String>,
    /// Networks from which it may be used.
    pub cidr: Vec<Cidr>,
    /// Months until it expires.
    pub expiry_months: Option<u8>,
}

impl Request {
    /// Checks every value; what is wrong is named by the field.
    pub fn parse(self) -> Result<Command, Vec<Problem>> {
        match self {
            Request::Setup(request) => parse_setup(request).map(Command::Setup),
            Request::KeyCreate(request) => parse_key(request).map(Command::KeyCreate),
            Request::Call(request) => Ok(Command::Call(request)),
            Request::AdminLink(request) => parse_admin_link(request).map(Command::AdminLink),
            Request::Keys(request) => request.parse().map(Command::Keys),
            Request::Domains(request) => request.parse().map(Command::Domains),
            Request::Fields(request) => Ok(Command::Fields(request)),
            Request::Queue(request) => request.parse().map(Command::Queue),
            Request::Publish(request) => request.parse().map(Command::Publish),
            // What follows their lines is taken by whoever holds the socket.
            Request::Import(_) => Err(vec![made_of_more("import")]),
            Request::Inject(_) => Err(vec![made_of_more("inject")]),
            Request::LinksRotate => Ok(Command::LinksRotate),
            Request::Verify => Ok(Command::Verify),
            Request::Simulate(request) => parse_simulate(request),
        }
    }
}

fn made_of_more(command: &str) -> Problem {
    Problem { field: command.to_owned(), problem: "is made of more than one line".to_owned() }
}

/// Notes why a value cannot be taken, and goes on to the next.
fn note<T, E: std::fmt::Display>(problems: &mut Vec<Problem>, field: &str, value: Result<T, E>) -> Option<T> {
    value
        .map_err(|problem| problems.push(Problem { field: field.to_owned(), problem: problem.to_string() }))
        .ok()
}

/// What would be right, behind what was given.
fn wrong(text: &str, right: &str) -> String {
    if text.trim().is_empty() { format!("is missing: it {right}") } else { format!("{text:?} {right}") }
}

fn parse_setup(request: SetupRequest) -> Result<Setup, Vec<Problem>> {
    let SetupRequest { domain, admin, account, list, grouped, ccid, hostname, public_ips, base_url } =
        request;
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

/// The name of the account of a domain where none was given: `example` of `lists.example.org`.
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

fn parse_key(request: KeyRequest) -> Result<KeyCreate, Vec<Problem>> {
    let KeyRequest { scope, description, permissions, limit_lists, limit_metadata, cidr, expiry_months } =
        request;
    let problems = &mut Vec::new();
    let mut granted = BTreeSet::new();
    for word in &permissions {
        let words: Vec<&str> = all_grants().into_iter().map(Permission::word).collect();
        let permission = Permission::from_word(word)
            .filter(|permission| all_grants().contains(permission))
            .ok_or_else(|| format!("{word:?} must be one of {}", words.join(", ")));
        granted.extend(note(problems, "permission", permission));
    }
    let networks = cidr.iter().filter_map(|text| {
        note(problems, "cidr", Cidr::parse(text).map_err(|why| format!("{text:?} {why}")))
    });
    let cidr: Vec<Cidr> = networks.collect();
    let expiry_months = parse_expiry(problems, expiry_months);
    if !problems.is_empty() {
        return Err(std::mem::take(problems));
    }
    let mut permissions = if granted.is_empty() { all_grants() } else { granted };
    // Names to be confined to mean that it is confined.
    permissions.extend((!limit_lists.is_empty()).then_some(Permission::LimitLists));
    permissions.extend((!limit_metadata.is_empty()).then_some(Permission::LimitMetadata));
    Ok(KeyCreate { scope, description, permissions, limit_lists, limit_metadata, cidr, expiry_months })
}

fn parse_admin_link(request: AdminLinkRequest) -> Result<AdminLinkRequest, Vec<Problem>> {
    let AdminLinkRequest { scope, admin, base_url } = request;
    let problems = &mut Vec::new();
    let base_url = base_url.and_then(|url| note(problems, "base-url", parse_base_url(&url)));
    if problems.is_empty() {
        Ok(AdminLinkRequest { scope, admin, base_url })
    } else {
        Err(std::mem::take(problems))
    }
}

/// What links begin with, without a final slash.
fn parse_base_url(text: &str) -> Result<String, String> {
    let url = text.trim().trim_end_matches('/');
    let rest = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let is_plain =
        |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic() && !"?#\"<>".contains(c));
    match rest {
        Some(rest) if is_plain(rest) => Ok(url.to_owned()),
        _ => Err(format!("{text:?} must be a URL such as https://lists.example.org")),
    }
}

fn parse_expiry(problems: &mut Vec<Problem>, months: Option<String>) -> Option<u8> {
    let text = months?;
    let months = text.trim().parse::<u8>().ok().filter(|months| EXPIRY_MONTHS.contains(months));
    note(problems, "expiry-months", months.ok_or_else(|| format!("{text:?} must be 1, 3, 6 or 12")))
}

fn parse_simulate(request: SimulateRequest) -> Result<Command, Vec<Problem>> {
    let SimulateRequest { list, from, message } = request;
    let problems = &mut Vec::new();
    let message = note(problems, "message", BASE64.decode(message.as_bytes()));
    if message.as_ref().is_some_and(Vec::is_empty) {
        let problem = "is missing: it is read from standard input".to_owned();
        problems.push(Problem { field: "message".to_owned(), problem });
    }
    match message {
        Some(message) if problems.is_empty() => Ok(Command::Simulate { list, from, message }),
        _ => Err(std::mem::take(problems)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: Request, expected: &[&str]) {
        let problems = request.parse().map(|_| ()).expect_err("something is wrong");
        let fields: Vec<&str> = problems.iter().map(|problem| problem.field.as_str()).collect();
        assert_eq!(fields, expected, "{problems:?}");
    }

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
        check(Request::Setup(request), &["domain", "admin", "account", "list", "hostname", "public-ip"]);
    }

    #[test]
    fn an_account_is_named_after_its_domain() {
        for (domain, expected) in
            [("lists.example.org", "example"), ("example.org", "example"), ("localhost", "localhost")]
        {
            assert_eq!(account_name_of(&Domain::parse(domain).unwrap()), expected);
        }
    }

    #[test]
    fn a_key_has_all_permissions_unless_some_are_named() {
        let all = Request::KeyCreate(KeyRequest::default()).parse();
        assert!(matches!(all, Ok(Command::KeyCreate(key)) if key.permissions == all_grants()));
        let wrong = KeyRequest {
            permissions: vec!["send_messages".into(), "all".into(), "limit_lists".into()],
            cidr: vec!["10.0.0.0/40".into()],
            expiry_months: Some("2".into()),
            ..KeyRequest::default()
        };
        check(Request::KeyCreate(wrong), &["permission", "permission", "cidr", "expiry-months"]);
    }

    #[test]
    fn a_simulation_needs_a_message() {
        check(Request::Simulate(SimulateRequest::default()), &["message"]);
        let broken = SimulateRequest { message: "?".into(), ..SimulateRequest::default() };
        check(Request::Simulate(broken), &["message"]);
    }
}
