//! Makes calls of the API for commands, and looks up the objects that people name otherwise than the API.

use serde_json::{Map, Value, json};

use crate::cli::manage::{CommonArgs, request};
use crate::cli::show::cell;
use crate::cli::{Absent, Failure, carry_out, told, unexpected};
use crate::control::calls::{CallRequest, Verb};
use crate::control::fields::{FieldAction, FieldsRequest};
use crate::control::scope::Scope;
use crate::control::{Reply, Request};

/// Most names in an error.
const NAMES_TOLD: usize = 10;

/// The value of `api` that marks the holder of a key.
const KEY_API: u64 = 2;

/// Refusals of the API that a command words in its own way.
pub(super) enum Refused {
    /// The object does not exist; in words.
    Missing(String),
    /// Some values are wrong: every such field with its problem.
    Invalid(Vec<(String, String)>),
}

impl Refused {
    /// The failure in the API's own words.
    pub(super) fn into_failure(self) -> Failure {
        let reply = match self {
            Refused::Missing(text) => Reply::Failed { text },
            Refused::Invalid(problems) => Reply::Invalid { problems },
        };
        told(reply).map_or_else(|failure| failure, |reply| unexpected(&reply))
    }
}

/// Makes a call, whose `path` begins with the section. Errors other than refusals are failures.
pub(super) fn try_call(
    common: &CommonArgs,
    verb: Verb,
    path: &[&str],
    scope: &Scope,
    params: Map<String, Value>,
) -> Result<Result<Value, Refused>, Failure> {
    let path = path.iter().map(|&segment| segment.to_owned()).collect();
    let call = CallRequest { verb, path, scope: scope.clone(), params, mail: None };
    match carry_out(common.data_dir(), &Request::Call(call), Absent::Refuse)? {
        Reply::Answer { answer } => Ok(Ok(answer)),
        Reply::Missing { text } => Ok(Err(Refused::Missing(text))),
        Reply::Invalid { problems } => Ok(Err(Refused::Invalid(problems))),
        other => Err(told(other).map_or_else(|failure| failure, |reply| unexpected(&reply))),
    }
}

/// Makes a call whose refusal has nothing to do with the command's own flags.
pub(in crate::cli) fn call(
    common: &CommonArgs,
    verb: Verb,
    path: &[&str],
    scope: &Scope,
    params: &Value,
) -> Result<Value, Failure> {
    let params = params.as_object().cloned().unwrap_or_default();
    try_call(common, verb, path, scope, params)?.map_err(Refused::into_failure)
}

/// The objects of a section that are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Meant {
    /// All of them.
    All,
    /// Of administrators the holders of keys.
    Keys,
    /// Of administrators the people.
    People,
}

/// Words the error of a missing object, and names existing ones of its section that are meant.
pub(in crate::cli) fn no_object(
    common: &CommonArgs,
    scope: &Scope,
    meant: Meant,
    (section, noun, name): (&str, &str, &str),
) -> Result<Failure, Failure> {
    let known = match section {
        // An address book has too many objects for the first ones to help.
        "contacts" | "membership" | "emails" => Value::Null,
        section => call(common, Verb::Get, &[section], scope, &json!({}))?,
    };
    let rows = known["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rows = rows.iter().filter(|row| meant == Meant::All || is_key(row) == (meant == Meant::Keys));
    // People are named by their addresses.
    let name_of = |row: &Value| {
        let address = row["username"].as_str().filter(|_| meant == Meant::People);
        address.map_or_else(|| title(row), str::to_owned)
    };
    let names: Vec<String> = rows.map(name_of).collect();
    let more = if NAMES_TOLD < names.len() { ", …" } else { "" };
    let told: Vec<&str> = names.iter().take(NAMES_TOLD).map(String::as_str).collect();
    Ok(Failure::Failed(match told.as_slice() {
        [] => format!("there is no {noun} {name:?}"),
        told => format!("there is no {noun} {name:?}; there is {}{more}", told.join(", ")),
    }))
}

/// Whether an administrator is the holder of a key.
pub(super) fn is_key(admin: &Value) -> bool {
    admin["api"] == KEY_API
}

/// Words an object for people: its name, or its number and address or description.
pub(super) fn title(object: &Value) -> String {
    let text = |member: &str| object[member].as_str().filter(|text| !text.is_empty());
    let number = cell(&object["id"]);
    match (text("name").or(text("source")), text("username"), text("description")) {
        (Some(name), _, _) => name.to_owned(),
        (None, Some(username), _) => format!("{number} {username}"),
        (None, None, Some(description)) => format!("{number} ({description})"),
        (None, None, None) => number,
    }
}

/// Looks up the API's name of the contact that has an address; other names are the API's own.
pub(super) fn contact_named(common: &CommonArgs, scope: &Scope, name: &str) -> Result<String, Failure> {
    if !name.contains('@') {
        return Ok(name.to_owned());
    }
    match contact_of(common, scope, name)? {
        Some(name) => Ok(name),
        None => Err(Failure::Failed(format!("no contact has the address {name}"))),
    }
}

/// The same, or `None` if nobody has the address.
pub(super) fn contact_of(
    common: &CommonArgs,
    scope: &Scope,
    address: &str,
) -> Result<Option<String>, Failure> {
    let found = call(common, Verb::Get, &["contacts"], scope, &json!({"email": address}))?;
    let name = &found["data"][0]["emails"][0]["contact"];
    Ok(Some(cell(name)).filter(|name| !name.is_empty()))
}

/// Maps custom fields to the names under which the API has them.
pub(super) fn custom_params(
    common: &CommonArgs,
    scope: &Scope,
    custom: Vec<(String, String)>,
) -> Result<Vec<(String, Value)>, Failure> {
    let account = match scope {
        Scope::Account(name) => Some(name.clone()),
        Scope::Only | Scope::Domain(_) | Scope::List(_) | Scope::Server => None,
    };
    let wanted = FieldsRequest { account, action: FieldAction::List };
    let known = match request(common, &Request::Fields(wanted))? {
        Reply::Fields { fields } => fields,
        other => return Err(unexpected(&other)),
    };
    let keyed = |(name, value): (String, String)| {
        let field = known.iter().find(|field| field.key == name || field.name.eq_ignore_ascii_case(&name));
        if let Some(field) = field {
            return Ok((field.key.clone(), Value::from(value)));
        }
        let keys: Vec<&str> = known.iter().map(|field| field.key.as_str()).collect();
        let keys = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
        let text = format!("there is no custom field {name:?}; there is {keys}; crier field add makes one");
        Err(Failure::Failed(text))
    };
    custom.into_iter().map(keyed).collect()
}
