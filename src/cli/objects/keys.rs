//! `crier key …`: manages API keys of programs.
//!
//! The API shows each key as an administrator without an address, and makes the key itself by a call of its own.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::calls::{is_key, title};
use super::kind::Action;
use super::plain::{self, EXPIRY, create, list};
use super::target::Target;
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::show::cell;
use crate::cli::terminal::{say, tell};
use crate::control::calls::Verb;

/// The parameter with which a call makes a key.
const GET_KEY: &str = "get_key";

/// Runs a subcommand.
pub(super) fn run(target: &Target<'_>) -> Result<ExitCode, Failure> {
    match target.subcommand.action {
        Action::Create => make(target),
        Action::List => list(target, is_key),
        Action::Set if target.params()?.contains_key(GET_KEY) => {
            let holder = holder(target)?;
            print(target, &holder, &new_key(target, &cell(&holder["id"]), target.params()?)?)
        }
        Action::Show | Action::Set => {
            holder(target)?;
            plain::run(target)
        }
        Action::Delete => revoke(target),
    }
}

/// Creates the holder of a key, and its key.
fn make(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let mut params = Map::new();
    params.insert(GET_KEY.to_owned(), "1".into());
    params.extend(target.params()?.remove_entry(EXPIRY));
    let holder = create(target)?;
    let id = cell(&holder["id"]);
    match new_key(target, &id, params) {
        Ok(key) => print(target, &holder, &key),
        Err(failure) => {
            // A holder without a key is useless.
            target.call(Verb::Delete, Some(&id), Map::new())?;
            Err(failure)
        }
    }
}

fn new_key(target: &Target<'_>, id: &str, params: Map<String, Value>) -> Result<Value, Failure> {
    target.call(Verb::Put, Some(id), params)
}

/// Finds the holder of the named key, which must not be a person.
fn holder(target: &Target<'_>) -> Result<Value, Failure> {
    let admin = target.call(Verb::Get, Some(target.argument("object")), Map::new())?;
    if is_key(&admin) {
        return Ok(admin);
    }
    Err(Failure::Failed(format!(
        "administrator {} is a person and no key; crier key list shows the keys, crier admin manages people",
        title(&admin)
    )))
}

fn revoke(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let name = title(&holder(target)?);
    target.confirm(&format!("Revoke the key {name}? It stops working at once, for good."))?;
    let answer = target.call(Verb::Delete, Some(target.argument("object")), Map::new())?;
    if target.common.json {
        return say_json(&answer);
    }
    say(format_args!("The key {name} is revoked"));
    Ok(ExitCode::SUCCESS)
}

/// Prints a new key, which is shown only once.
fn print(target: &Target<'_>, holder: &Value, made: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        // The same names as in `crier setup --json`.
        return say_json(&json!({"id": made["id"], "api_key": made["key"], "expiry": made["expiry"]}));
    }
    say(cell(&made["key"]));
    // Beside the result, which scripts read.
    tell(rights(holder, made));
    Ok(ExitCode::SUCCESS)
}

/// Words what a key may do, from where and for how long.
fn rights(holder: &Value, key: &Value) -> String {
    let all =
        |member: &str| holder[member].as_array().into_iter().flatten().map(cell).collect::<Vec<String>>();
    let does = |word: &str| match word {
        "account_admin" => Some("do everything"),
        "manage_settings" => Some("set up lists and aliases"),
        "manage_members" => Some("manage people and members"),
        "approve_messages" => Some("approve messages and requests"),
        "send_messages" => Some("send messages"),
        _ => None,
    };
    let permissions = all("permissions");
    let deeds: Vec<&str> = permissions.iter().filter_map(|word| does(word)).collect();
    let deeds = if deeds.contains(&"do everything") { "do everything".to_owned() } else { deeds.join(", ") };
    let limits = |member: &str, what: &str| match all(member).as_slice() {
        names if names.is_empty() || !permissions.iter().any(|word| word == member) => String::new(),
        names => format!(" with {what} {}", names.join(", ")),
    };
    let (lists, fields) = (limits("limit_lists", "the lists"), limits("limit_metadata", "the fields"));
    let networks = cell(&holder["cidr"]);
    let from = if networks.is_empty() { "from anywhere".to_owned() } else { format!("from {networks}") };
    let until = Some(cell(&key["expiry"])).filter(|until| !until.is_empty());
    let until = until.map_or_else(|| "for ever".to_owned(), |until| format!("until {until}"));
    let id = cell(&holder["id"]);
    format!(
        "This key may {deeds}{lists}{fields}, {from}, {until}. It is not shown again.\n\
         To narrow what it may do: crier key set {id} --help; to end it: crier key revoke {id}"
    )
}
