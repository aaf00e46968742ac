//! Prints objects for people after they were created, shown, changed, or before they are deleted.
//!
//! [`objects`](super) calls it. With `--json` the API's answer is printed instead.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::calls::call;
use super::target::Target;
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::show::{self, cell, counted};
use crate::cli::terminal::{say, say_prose, tell};
use crate::control::calls::Verb;
use crate::control::scope::Scope;
use crate::ops::accounts::admins::all_grants;
use crate::ops::lists::kinds::ListKind;

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

/// Warns of limits that no permission activates.
fn warn_of_idle_limits(admin: &Value) {
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
    let mut text = None;
    match target.kind.command {
        // People want the number of members; `crier member list` shows them.
        "list" => {
            answer["contacts"] = answer["contacts"].as_array().map_or(0, Vec::len).into();
            in_words(target, &mut answer);
        }
        "held" => text = answer.as_object_mut().and_then(|held| held.remove("content_plain")),
        _ => {}
    }
    show::object(&answer, target.kind.first);
    match target.kind.command {
        "admin" | "key" => warn_of_idle_limits(&answer),
        "contact" => say_paused(target, &answer["emails"])?,
        "email" if answer["paused"] == true => say(format_args!("\n{}", why_paused(&answer))),
        _ => {}
    }
    if let Some(text) = text.as_ref().and_then(Value::as_str) {
        say(format_args!("\n{}", show::text(text).trim_end()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The bits of the field `moderate`.
const HELD: u64 = 1;
const RESTRICTED: u64 = 2;
const OF_LISTS: u64 = 4;
const NAMED: u64 = 8;
const BANNED: u64 = 16;

/// Adds words and units to a list's numbers, and puts its address where people look for it.
fn in_words(target: &Target<'_>, list: &mut Value) {
    if let Some(domain) = main_domain(target) {
        list["address"] = format!("{}@{domain}", cell(&list["name"])).into();
    }
    list["moderate"] = format!("{}: {}", cell(&list["moderate"]), who_may_post(list)).into();
    for (size, unit) in [("maxlength", "KB"), ("truncate", "bytes")] {
        if list[size].is_u64() {
            list[size] = format!("{} {unit}", list[size]).into();
        }
    }
}

/// Words the rule of who may post to a list.
fn who_may_post(list: &Value) -> String {
    let has = |bit: u64| list["moderate"].as_u64().is_some_and(|bits| bits & bit != 0);
    let lists: Vec<String> = list["restrict_post_lists"].as_array().into_iter().flatten().map(cell).collect();
    let mut who = Vec::new();
    if has(OF_LISTS) {
        let is_own = lists.len() == 1 && lists[0] == cell(&list["name"]);
        who.push(if is_own { "its members".to_owned() } else { format!("members of {}", lists.join(", ")) });
    }
    if has(NAMED) {
        who.push("the addresses of --restrict-post-allowed-emails".to_owned());
    }
    let who = if has(RESTRICTED) { who.join(" and ") } else { "anybody".to_owned() };
    let but = if has(BANNED) { ", but for those of --restrict-post-banned-emails" } else { "" };
    let then = if has(HELD) { "; every message waits for approval" } else { "" };
    format!("{who} may post{but}{then}")
}

/// Prints why addresses of a contact get no mail, and how they get it again.
pub(super) fn say_paused(target: &Target<'_>, emails: &Value) -> Result<(), Failure> {
    for email in emails.as_array().into_iter().flatten().filter(|email| email["paused"] == true) {
        let address = cell(&email["email"]);
        let known = call(&target.common, Verb::Get, &["emails", &address], &target.scope, &json!({}))?;
        say(format_args!("\n{}", why_paused(&known)));
    }
    Ok(())
}

/// Words the reason why an address is paused, and the remedy.
fn why_paused(email: &Value) -> String {
    let address = cell(&email["email"]);
    let text = |member: &str| Some(cell(&email[member])).filter(|text| !text.is_empty());
    let why = match (text("pause_cause"), text("paused_since")) {
        (Some(cause), Some(since)) => format!("the server stopped on {since}: {cause}"),
        _ => "somebody paused it".to_owned(),
    };
    let reason = text("pause_reason").map(|reason| format!("\n  {reason}")).unwrap_or_default();
    format!(
        "No mail goes to {address}; {why}.{reason}\nTo let it go there again:\n  crier email set {address} --paused false"
    )
}

/// Prints a new object.
pub(super) fn created(target: &Target<'_>, answer: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(answer);
    }
    match target.kind.command {
        "list" => {
            let name = cell(&answer["name"]);
            match main_domain(target) {
                Some(domain) => {
                    say(format_args!("List {name} is ready: mail to {name}@{domain} reaches its members"));
                }
                None => say(format_args!("List {name} is ready")),
            }
            say(format_args!("Add members to it: crier member add {name} ADDRESS"));
        }
        "contact" => say(format_args!("Contact {}: {}", cell(&answer["id"]), cell(&answer["description"]))),
        "account" => {
            say(summary(answer));
            let domain = cell(&answer["domains"][0]);
            say(format_args!("Publish its DNS records: crier domain show {domain}"));
        }
        _ => return shown(target, answer.clone()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints with what a new list began; `is_named` says whether somebody named its kind.
pub(super) fn begun(kind: ListKind, is_named: bool, list: &Value) {
    let joining = match list["subscriptions"].as_str() {
        Some("open") => "anybody may join",
        Some("closed") => "you add the members",
        Some(_) => "people ask to join, and you approve",
        None => "people join as the account says",
    };
    let archive = if list["archive_enabled"] == false {
        "no archive is kept"
    } else if list["archive_protected"] == false {
        "everybody reads the archive"
    } else if list["archive_memberview"] == true {
        "members alone read the archive"
    } else {
        "the archive is closed"
    };
    say_prose(&format!("Its kind is {}: {}; {joining}; {archive}.", kind.word(), who_may_post(list)));
    if !is_named {
        let others = ListKind::ALL.iter().filter(|other| **other != kind).map(|other| other.word());
        let others: Vec<&str> = others.collect();
        say_prose(&format!(
            "Other kinds by --kind: {}; crier list set changes each of these.",
            others.join(", ")
        ));
    }
}

/// The domain of an account's list addresses.
fn main_domain(target: &Target<'_>) -> Option<String> {
    let scope = match &target.scope {
        Scope::Server => return None,
        scope => scope,
    };
    let params = json!({"fields": "domains"});
    let account = call(&target.common, Verb::Get, &["accounts"], scope, &params).ok()?;
    let main = account["domains"].as_array()?.iter().find(|domain| domain["is_main"] == true)?;
    Some(cell(&main["name"]))
}

/// Prints a changed object.
pub(super) fn changed(target: &Target<'_>, answer: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(answer);
    }
    match target.kind.command {
        "list" => say(format_args!("List {} is changed", cell(&answer["name"]))),
        "contact" => say(format_args!("Contact {}: {}", cell(&answer["id"]), cell(&answer["description"]))),
        "account" => say(format_args!("Account {} is changed", cell(&answer["name"]))),
        "held" | "pending" if !target.subcommand.fixed.is_empty() => {
            let what = ["subject", "email", "list"].map(|member| cell(&answer[member]));
            let what = what.iter().find(|text| !text.is_empty()).map_or("", String::as_str);
            let (noun, id, state) = (target.kind.noun, cell(&answer["id"]), cell(&answer["state"]));
            say(format_args!("The {noun} {id} ({what}) is {state}"));
        }
        _ => return shown(target, answer.clone()),
    }
    Ok(ExitCode::SUCCESS)
}

fn summary(account: &Value) -> String {
    let ccid = if account["ccid"] == true { "on" } else { "off" };
    let (name, contacts_max) = (cell(&account["name"]), cell(&account["contacts_max"]));
    format!("Account {name}: up to {contacts_max} contacts, custom identifiers {ccid}")
}

/// Words the question before a deletion, and the sentence after it.
pub(super) fn deletion(target: &Target<'_>, known: &Value) -> (String, String) {
    let number = |member: &str| {
        let length = |all: &Vec<Value>| u64::try_from(all.len()).unwrap_or(u64::MAX);
        known[member].as_array().map_or_else(|| known[member].as_u64().unwrap_or(0), length)
    };
    match target.kind.command {
        "list" => {
            let (name, members) = (cell(&known["name"]), counted(number("contacts"), "membership"));
            (
                format!(
                    "Delete the list {name} with {members}, its held messages and its archive, for good?"
                ),
                format!("List {name} is gone"),
            )
        }
        "contact" => {
            let description = cell(&known["description"]);
            let lists = counted(number("lists"), "membership");
            (
                format!("Delete {description} with {lists}, for good?"),
                format!("{description} is gone from the address book"),
            )
        }
        "account" => {
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
            let names = ["username", "source", "email", "description", "id"];
            let title = names.map(|member| cell(&known[member]));
            let title = title.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
            let noun = target.kind.noun;
            let more = match target.kind.command {
                "admin" => "A key that it has stops working at once.",
                "email" => "A contact that has no other goes with it.",
                _ => "",
            };
            (
                format!("Delete the {noun} {title}? {more}").trim_end().to_owned(),
                format!("The {noun} {title} is gone"),
            )
        }
    }
}
