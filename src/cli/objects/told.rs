//! What a person reads of an object that was made, shown, changed or is to be deleted.

use std::process::ExitCode;

use serde_json::{Map, Value};

use super::{Target, call_of};
use crate::cli::Failure;
use crate::cli::manage::show::{self, cell, counted};
use crate::cli::manage::{call, say_json};
use crate::cli::terminal::{say, tell};
use crate::control::objects::{Scope, Verb};
use crate::ops::accounts::admins::all_grants;

/// Gives a new administrator every permission unless some are named, within the limits that are named.
pub(super) fn grant(params: &mut Map<String, Value>) {
    let named = |params: &Map<String, Value>, name: &str| params.get(name).and_then(Value::as_array).cloned();
    let mut permissions = named(params, "permissions")
        .filter(|all| !all.is_empty())
        .unwrap_or_else(|| all_grants().iter().map(|permission| Value::from(permission.word())).collect());
    for limit in ["limit_lists", "limit_metadata"] {
        let is_limited = named(params, limit).is_some_and(|names| !names.is_empty());
        if is_limited && !permissions.contains(&Value::from(limit)) {
            permissions.push(limit.into());
        }
    }
    params.insert("permissions".to_owned(), permissions.into());
}

/// Tells of limits that nothing activates.
pub(in crate::cli) fn warn_of_idle_limits(admin: &Value) {
    for (limit, flag) in [("limit_lists", "--limit-list"), ("limit_metadata", "--limit-field")] {
        let is_named = admin[limit].as_array().is_some_and(|names| !names.is_empty());
        let is_active =
            admin["permissions"].as_array().is_some_and(|all| all.iter().any(|word| word == limit));
        if is_named && !is_active {
            tell(format_args!("Note: {flag} limits nobody until the permission {limit} is given too"));
        }
    }
}

/// Prints an object.
pub(super) fn shown(target: &Target<'_>, mut answer: Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(&answer);
    }
    if target.kind.section == "lists"
        && let Some(members) = answer["contacts"].as_array().map(Vec::len)
    {
        // A person wants to know how many they are; who they are tells crier member list.
        answer["contacts"] = members.into();
    }
    show::object(&answer, target.kind.first);
    if target.kind.section == "admins" {
        warn_of_idle_limits(&answer);
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells of a new object.
pub(super) fn created(target: &Target<'_>, answer: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(answer);
    }
    match target.kind.section {
        "lists" => {
            let name = cell(&answer["name"]);
            match main_domain(target) {
                Some(domain) => {
                    say(format_args!("List {name} is ready: mail to {name}@{domain} reaches its members"));
                }
                None => say(format_args!("List {name} is ready")),
            }
            say(format_args!("Add members to it: crier member add {name} ADDRESS"));
        }
        "contacts" => say(format_args!("Contact {}: {}", cell(&answer["id"]), cell(&answer["description"]))),
        "accounts" => {
            say(summary(answer));
            let domain = cell(&answer["domains"][0]);
            say(format_args!("Publish its DNS records: crier domain show {domain}"));
        }
        _ => return shown(target, answer.clone()),
    }
    Ok(ExitCode::SUCCESS)
}

/// The domain of an account's list addresses.
fn main_domain(target: &Target<'_>) -> Option<String> {
    let scope = match &target.scope {
        Scope::Server => return None,
        scope => scope,
    };
    let params = [("fields".to_owned(), "domains".into())].into_iter().collect();
    let account = call(&target.common, call_of("accounts", Verb::Get, scope, None, params)).ok()?;
    let main = account["domains"].as_array()?.iter().find(|domain| domain["is_main"] == true)?;
    Some(cell(&main["name"]))
}

/// Tells of an object that was changed.
pub(super) fn changed(target: &Target<'_>, answer: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(answer);
    }
    match target.kind.section {
        "lists" => say(format_args!("List {} is changed", cell(&answer["name"]))),
        "contacts" => say(format_args!("Contact {}: {}", cell(&answer["id"]), cell(&answer["description"]))),
        "accounts" => say(summary(answer)),
        _ => return shown(target, answer.clone()),
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(account: &Value) -> String {
    let ccid = if account["ccid"] == true { "on" } else { "off" };
    let (name, contacts_max) = (cell(&account["name"]), cell(&account["contacts_max"]));
    format!("Account {name}: up to {contacts_max} contacts, custom identifiers {ccid}")
}

/// The question before an object is deleted, and the sentence behind it.
pub(super) fn deletion(target: &Target<'_>, known: &Value) -> (String, String) {
    let number = |member: &str| {
        let length = |all: &Vec<Value>| u64::try_from(all.len()).unwrap_or(u64::MAX);
        known[member].as_array().map_or_else(|| known[member].as_u64().unwrap_or(0), length)
    };
    match target.kind.section {
        "lists" => {
            let (name, members) = (cell(&known["name"]), counted(number("contacts"), "membership"));
            (
                format!(
                    "Delete the list {name} with {members}, its held messages and its archive, for good?"
                ),
                format!("List {name} is gone"),
            )
        }
        "contacts" => {
            let description = cell(&known["description"]);
            let lists = counted(number("lists"), "membership");
            (
                format!("Delete {description} with {lists}, for good?"),
                format!("{description} is gone from the address book"),
            )
        }
        "accounts" => {
            let (name, lists) = (cell(&known["name"]), counted(number("lists"), "list"));
            let contacts = counted(number("contacts"), "contact");
            (
                format!("Delete the account {name} with {lists}, {contacts} and all messages, for good?"),
                format!(
                    "Account {name} is gone; a running server clears away what it had, in the background"
                ),
            )
        }
        _ => {
            let title = [&known["username"], &known["description"], &known["id"]].map(cell);
            let title = title.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
            let noun = target.kind.noun;
            (
                format!("Delete the {noun} {title}? A key that it has stops working at once."),
                format!("The {noun} {title} is gone"),
            )
        }
    }
}
