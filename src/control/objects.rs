//! Commands about objects: calls of the API, and domains and custom fields, which it does not manage.
//!
//! Calls of the API are carried out by the API itself, as the operator. An error about a name that does not
//! exist lists the names that do.

use crate::ops::{OpError, Problem, domains};
use axum::http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::execute::{Host, dns_replies, dns_reply, find_account};
use super::publish::server_names;
use super::{DnsReply, Reply, note, operator_of};
use crate::api::operator::{self, Call, Refusal};
use crate::model::{Account, AccountDomain, AccountId, CustomField, Domain, DomainClaim, DomainProof};
use crate::ops::accounts::fields::{self, FieldChange, FieldDeletion};
use crate::ops::accounts::manage::{DomainChange, DomainInput, change_domain};
use crate::ops::accounts::records::{ServerNames, claim_records};
use crate::ops::accounts::{claims, new_dkim_keys};
use crate::store::{Read, StoreError};

/// Accounts that one call of the API lists.
const ACCOUNTS_PER_CALL: usize = 1000;
/// Names that an error tells.
const NAMES_TOLD: usize = 10;
/// The API's sections that are more than paths here.
const ACCOUNTS: &str = "accounts";
pub(super) const ADMINS: &str = "admins";
/// Statuses of the API that get words of their own here.
pub(super) const NOT_FOUND: u16 = 404;
const CONFLICT: u16 = 409;

/// What is done with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Shows one, or lists all.
    Get,
    /// Makes one.
    Post,
    /// Changes one.
    Put,
    /// Removes one.
    Delete,
}

/// Whose objects a command is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Those of the server's only account.
    #[default]
    Only,
    /// Those of the account of this name.
    Account(String),
    /// Those of the whole server.
    Server,
}

impl Scope {
    /// The account that is meant, [`AccountId::SERVER`] for the whole server.
    pub(super) fn find(&self, tx: &impl Read) -> Result<AccountId, OpError> {
        match self {
            Scope::Only => Ok(find_account(tx, None)?.id),
            Scope::Account(name) => Ok(find_account(tx, Some(name))?.id),
            Scope::Server => Ok(AccountId::SERVER),
        }
    }
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRequest {
    /// What is done.
    pub verb: Verb,
    /// The kind of objects, as the API's paths name it.
    pub section: String,
    /// Whose objects; of `accounts`, which one.
    pub scope: Scope,
    /// One object, as the API's paths name it; all where unset. Unset for `accounts`.
    pub object: Option<String>,
    /// The call's parameters, by the API's names.
    pub params: Map<String, Value>,
}

/// What is done with domains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainAction {
    /// Shows one, or those of an account.
    Show,
    /// Gives one to an account.
    Add,
    /// Says what one is for.
    Set,
    /// Takes one away.
    Delete,
}

/// `crier domain …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainsRequest {
    /// What is done.
    pub action: DomainAction,
    /// Name of the account; that of the domain, or the server's only one, where unset.
    pub account: Option<String>,
    /// Its name; all of the account where unset.
    pub domain: Option<String>,
    /// Whether list addresses are made with it.
    pub is_main: Option<bool>,
    /// Whether links lead to it.
    pub is_web: Option<bool>,
}

/// A [`DomainsRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domains {
    action: DomainAction,
    account: Option<String>,
    domain: Option<Domain>,
    is_main: Option<bool>,
    is_web: Option<bool>,
}

impl DomainsRequest {
    pub(super) fn parse(self) -> Result<Domains, Vec<Problem>> {
        let DomainsRequest { action, account, domain, is_main, is_web } = self;
        let mut problems = Vec::new();
        let domain = domain.and_then(|text| {
            let right = |_| format!("{text:?} must be a domain such as lists.example.org");
            note(&mut problems, "domain", Domain::parse(&text).map_err(right))
        });
        let set = Domains { action, account, domain, is_main, is_web };
        if problems.is_empty() { Ok(set) } else { Err(problems) }
    }
}

/// A domain, with the names that it has in the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainReply {
    /// Its name.
    pub name: String,
    /// Whether list addresses are made with it.
    pub is_main: bool,
    /// Whether links lead to it.
    pub is_web: bool,
    /// The number of its account.
    pub account: u64,
    /// Whether it takes mail and signs: the operator made it, or its account has proven that it owns it.
    pub verified: bool,
    /// The text that proves it; none where the operator made it.
    pub verification: Option<String>,
    /// Records to publish.
    pub dns: Vec<DnsReply>,
}

/// What is done with a custom field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldAction {
    /// Lists them.
    List,
    /// Shows one, with the number of its values.
    Show {
        /// Its identifier or name.
        field: String,
    },
    /// Makes one.
    Add {
        /// Its full name.
        name: String,
        /// The identifier by which API calls name it.
        id: Option<String>,
    },
    /// Renames one.
    Set {
        /// Its identifier or name.
        field: String,
        /// Its new name.
        name: Option<String>,
        /// Its new identifier; blank for none.
        id: Option<String>,
    },
    /// Removes one with its values.
    Delete {
        /// Its identifier or name.
        field: String,
    },
}

/// `crier field …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldsRequest {
    /// Name of the account; the server's only one where unset.
    pub account: Option<String>,
    /// What is done.
    pub action: FieldAction,
}

/// A custom field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldReply {
    /// Its full name.
    pub name: String,
    /// The name under which API objects have it: its identifier, else its name.
    pub key: String,
    /// How many contacts have a value of it, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub contacts: Option<u64>,
}

/// Why a request was not carried out.
pub(super) enum CommandError {
    /// By an operation.
    Op(OpError),
    /// By a call of the API.
    Call(Refusal),
    /// In words of this module.
    Told(String),
}

impl From<OpError> for CommandError {
    fn from(error: OpError) -> CommandError {
        CommandError::Op(error)
    }
}

impl From<StoreError> for CommandError {
    fn from(error: StoreError) -> CommandError {
        CommandError::Op(error.into())
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Call(refusal)
    }
}

impl From<CommandError> for Reply {
    fn from(undone: CommandError) -> Reply {
        match undone {
            CommandError::Op(error) => Reply::refusal(error),
            CommandError::Call(Refusal { status, message, problems }) if problems.is_empty() => {
                match message.split_once(": ").filter(|_| status == CONFLICT) {
                    Some((field, problem)) => {
                        Reply::invalid(vec![Problem { field: field.to_owned(), problem: problem.to_owned() }])
                    }
                    None => Reply::Failed { text: message },
                }
            }
            CommandError::Call(Refusal { status: _, message: _, problems }) => Reply::invalid(problems),
            CommandError::Told(text) => Reply::Failed { text },
        }
    }
}

pub(super) fn api(host: &Host, account: AccountId, call: Call) -> Result<Value, Refusal> {
    tokio::runtime::Handle::current().block_on(operator::call(&host.core, account, call))
}

/// Carries out a call of the API.
pub(super) fn call(host: &Host, request: CallRequest) -> Result<Reply, CommandError> {
    let CallRequest { verb, section, scope, object, params } = request;
    let id = scope.find(&host.core.store.read()?)?;
    let is_account = section == ACCOUNTS && scope != Scope::Server;
    if section == ACCOUNTS && !is_account && verb == Verb::Get {
        return list_accounts(host);
    }
    let method = match verb {
        Verb::Get => Method::GET,
        Verb::Post => Method::POST,
        Verb::Put => Method::PUT,
        Verb::Delete => Method::DELETE,
    };
    let path = if is_account { format!("{section}/{id}/") } else { path_of(&section, object.as_deref()) };
    let mut answer = api(host, id, Call { method, path, params }).map_err(|refusal| {
        let name = object.filter(|_| refusal.status == NOT_FOUND);
        name.map_or(CommandError::Call(refusal), |name| no_object(host, id, &section, &name))
    })?;
    if host.hostname.is_none() {
        leave_out_dns(&mut answer);
    }
    Ok(Reply::Answer { answer })
}

/// Takes out how domains stand in the DNS: without a server there is nobody for whom they could be right.
fn leave_out_dns(answer: &mut Value) {
    for domain in answer.get_mut("domains").and_then(Value::as_array_mut).into_iter().flatten() {
        domain.as_object_mut().and_then(|domain| domain.remove("dns_status"));
    }
}

pub(super) fn path_of(section: &str, object: Option<&str>) -> String {
    object.map_or_else(
        || format!("{section}/"),
        |name| {
            let name = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
            format!("{section}/{name}/")
        },
    )
}

/// Every account, in one listing of the API's shape.
fn list_accounts(host: &Host) -> Result<Reply, CommandError> {
    let mut rows: Vec<Value> = Vec::new();
    loop {
        let after = rows.last().and_then(|row| row["id"].as_u64()).unwrap_or(0);
        let params = [("after", Value::from(after)), ("limit", Value::from(ACCOUNTS_PER_CALL))];
        let params = params.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let call = Call { method: Method::GET, path: "accounts/".to_owned(), params };
        let mut answer = api(host, AccountId::SERVER, call)?;
        let more = answer["data"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let is_last = more.len() < ACCOUNTS_PER_CALL;
        rows.extend(more);
        if is_last {
            break;
        }
    }
    let count = rows.len();
    let answer = serde_json::json!({"data": rows, "count": count, "page": 1, "limit": count});
    Ok(Reply::Answer { answer })
}

/// An error that names objects that exist in place of one that does not.
pub(super) fn no_object(host: &Host, account: AccountId, section: &str, name: &str) -> CommandError {
    let noun = match section {
        ADMINS => "administrator",
        section => section.trim_end_matches('s'),
    };
    let params = [("limit".to_owned(), NAMES_TOLD.into())].into_iter().collect();
    let known = match section {
        // An address book has too many for the first ones to be of use.
        "contacts" | "membership" => Ok(Value::Null),
        _ => api(host, account, Call { method: Method::GET, path: path_of(section, None), params }),
    };
    let known = known.unwrap_or_default();
    let rows = known["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<String> = rows.iter().map(title).collect();
    let count = known["count"].as_u64().and_then(|count| usize::try_from(count).ok());
    let more = if names.len() < count.unwrap_or(0) { ", …" } else { "" };
    CommandError::Told(match names.as_slice() {
        [] => format!("there is no {noun} {name:?}"),
        names => format!("there is no {noun} {name:?}; there is {}{more}", names.join(", ")),
    })
}

/// How people call an object: by its name, or by its number and address or description.
pub(super) fn title(object: &Value) -> String {
    let text = |member: &str| object[member].as_str().filter(|text| !text.is_empty());
    let number = object["id"].to_string();
    match (text("name"), text("username"), text("description")) {
        (Some(name), _, _) => name.to_owned(),
        (None, Some(username), _) => format!("{number} {username}"),
        (None, None, Some(description)) => format!("{number} ({description})"),
        (None, None, None) => number,
    }
}

/// Shows or changes the domains of an account.
pub(super) fn domains(host: &Host, request: Domains) -> Result<Reply, CommandError> {
    let Domains { action, account, domain, is_main, is_web } = request;
    let tx = host.core.store.read()?;
    let owner = match (&account, &domain) {
        (None, Some(domain)) if action != DomainAction::Add => owner_of(&tx, domain)?,
        (name, _) => find_account(&tx, name.as_deref())?.id,
    };
    let Some(name) = domain else { return Ok(Reply::Domains { domains: all_domains(host, &tx, owner)? }) };
    drop(tx);
    let input = DomainInput { is_main, is_web, ..DomainInput::named(name.clone()) };
    let change = match action {
        DomainAction::Show => None,
        DomainAction::Add => Some(DomainChange::Add(input, new_dkim_keys())),
        DomainAction::Set => Some(DomainChange::Set(input)),
        DomainAction::Delete => Some(DomainChange::Remove(name.clone())),
    };
    let is_deleted = matches!(change, Some(DomainChange::Remove(_)));
    if let Some(change) = change {
        match host.core.perform_blocking(&operator_of(owner), move |tx, by| {
            change_domain(tx, &by.caller, change, by.now)
        }) {
            Err(OpError::NotFound { what: _ }) => return Err(no_domain(&host.core.store.read()?, &name)),
            done => done?,
        };
    }
    let tx = host.core.store.read()?;
    let mut found = all_domains(host, &tx, owner)?;
    let kept = domains::kept_name(&name).to_string();
    found.retain(|domain| domain.name == kept);
    if found.is_empty() && !is_deleted {
        return Err(no_domain(&tx, &name));
    }
    Ok(Reply::Domains { domains: found })
}

/// The account that has a domain, else the only one that claims it.
fn owner_of(tx: &impl Read, name: &Domain) -> Result<AccountId, CommandError> {
    if let Some(domain) = domains::find(tx, name)? {
        return Ok(domain.account);
    }
    match claims::of_name(tx, name, NAMES_TOLD)?.as_slice() {
        [] => Err(no_domain(tx, name)),
        [only] => Ok(only.account),
        several => {
            let accounts = several.iter().map(|claim| tx.get::<Account>(claim.account.0));
            let accounts: Vec<Option<Account>> = accounts.collect::<Result<_, _>>()?;
            let names: Vec<String> = accounts.into_iter().flatten().map(|account| account.name).collect();
            Err(CommandError::Told(format!(
                "no account has proven that {name} is its own, and several say so: {}; crier dns --domain {name} shows \
                 them, and crier domain add --account NAME {name} gives it to one",
                names.join(", ")
            )))
        }
    }
}

fn no_domain(tx: &impl Read, name: &Domain) -> CommandError {
    let known = tx.all::<AccountDomain>(0, NAMES_TOLD).unwrap_or_default();
    let names: Vec<String> = known.iter().map(|domain| domain.name.to_string()).collect();
    CommandError::Told(format!("there is no such domain {name}; this server has {}", names.join(", ")))
}

/// The domains of an account, and behind them those that it has not proven yet.
fn all_domains(host: &Host, tx: &impl Read, account: AccountId) -> Result<Vec<DomainReply>, StoreError> {
    let server = server_names(host)?;
    let mut replies = Vec::new();
    for domain in domains::of_account(tx, account)? {
        let proof = claims::proof(tx, domain.id)?;
        replies.push(domain_reply(&domain, proof, &server));
    }
    replies.extend(claims::of_account(tx, account)?.iter().map(|claim| claim_reply(claim, &server)));
    Ok(replies)
}

fn domain_reply(domain: &AccountDomain, proof: Option<DomainProof>, server: &ServerNames) -> DomainReply {
    let AccountDomain {
        id: _,
        account,
        name,
        is_main,
        is_web,
        dkim: _,
        next_keys: _,
        old_keys: _,
        created: _,
    } = domain;
    DomainReply {
        name: name.to_string(),
        is_main: *is_main,
        is_web: *is_web,
        account: account.0,
        verified: true,
        verification: proof.map(|proof| proof.verification),
        dns: dns_replies(domain, server),
    }
}

fn claim_reply(claim: &DomainClaim, server: &ServerNames) -> DomainReply {
    DomainReply {
        name: claim.name.to_string(),
        is_main: false,
        is_web: false,
        account: claim.account.0,
        verified: false,
        verification: Some(claim.verification.clone()),
        dns: claim_records(claim, server).into_iter().map(dns_reply).collect(),
    }
}

/// Shows or changes the custom fields of an account.
pub(super) fn fields(
    host: &Host,
    request: FieldsRequest,
    progress: &mut dyn FnMut(String),
) -> Result<Reply, CommandError> {
    let FieldsRequest { account, action } = request;
    let core = &host.core;
    let account = find_account(&core.store.read()?, account.as_deref())?;
    let (id, caller) = (account.id, operator_of(account.id));
    let changed: CustomField = match action {
        FieldAction::List => {
            let fields = account.custom_fields.iter().map(|field| field_reply(field, None)).collect();
            return Ok(Reply::Fields { fields });
        }
        FieldAction::Show { field } => {
            let field = fields::find(&account, &field)?;
            let values = fields::count_values(&core.store.read()?, id, field.id)?;
            return Ok(Reply::Fields { fields: vec![field_reply(field, Some(values))] });
        }
        FieldAction::Add { name, id: identifier } => {
            core.perform_blocking(&caller, move |tx, _| fields::add(tx, id, &name, identifier.as_deref()))?
        }
        FieldAction::Set { field, name, id: identifier } => {
            let identifier = identifier.map(|text| Some(text).filter(|text| !text.is_empty()));
            let change = FieldChange { name, identifier };
            core.perform_blocking(&caller, move |tx, _| fields::change(tx, id, &field, change))?
        }
        FieldAction::Delete { field } => {
            let gone = core.perform_blocking(&caller, move |tx, _| fields::delete(tx, id, &field))?;
            remove_values(host, id, progress)?;
            gone
        }
    };
    Ok(Reply::Fields { fields: vec![field_reply(&changed, None)] })
}

fn field_reply(field: &CustomField, contacts: Option<u64>) -> FieldReply {
    FieldReply { name: field.name.clone(), key: field.key().to_owned(), contacts }
}

/// Removes the values of deleted fields, in jobs between which others get their turn.
fn remove_values(
    host: &Host,
    account: AccountId,
    progress: &mut dyn FnMut(String),
) -> Result<(), StoreError> {
    let tx = host.core.store.read()?;
    let Some(account) = tx.get::<Account>(account.0)? else { return Ok(()) };
    let mut leaving = FieldDeletion::of(&tx, &account)?;
    drop(tx);
    let mut told = 0;
    while let Some(step) = leaving {
        let part = (step.seen * 10).checked_div(step.contacts).unwrap_or(0);
        if told < part {
            told = part;
            progress(format!("Looked at {} of {} contacts", step.seen, step.contacts));
        }
        leaving = host.core.store.write_blocking(move |tx| step.step(tx))?;
    }
    Ok(())
}
