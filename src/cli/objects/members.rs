//! `crier member …`: manages the members of a list.
//!
//! People name a member by an address, the API by the number of a contact or of a membership: these commands look
//! that up. An address that no contact has yet is added as a new contact.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::calls::{call, contact_named, contact_of};
use super::kind::Action;
use super::plain::more;
use super::target::Target;
use super::told;
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::show::{self, cell};
use crate::cli::terminal::{complain, say};
use crate::control::calls::Verb;

/// The fields of a new member that belong to its contact.
const OF_CONTACT: [&str; 2] = ["firstname", "surname"];

/// Runs a subcommand.
pub(super) fn run(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let (list, member) = (target.argument("of"), target.argument("object"));
    match target.subcommand.action {
        Action::Create => add(target, list),
        Action::List => print_list(target, list),
        Action::Show => print(target, &membership(target)?),
        Action::Set => {
            let params = target.params()?;
            if params.is_empty() {
                return Err(Failure::Usage("nothing to change: give --digest or --paused".to_owned()));
            }
            let id = cell(&membership(target)?["id"]);
            print(target, &target.call(Verb::Put, Some(&id), params)?)
        }
        Action::Delete => {
            let id = cell(&membership(target)?["id"]);
            target.confirm(&format!("Take {member} off {list}?"))?;
            let answer = target.call(Verb::Delete, Some(&id), Map::new())?;
            if target.common.json {
                return say_json(&answer);
            }
            say(format_args!("{member} is no longer a member of {list}"));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Finds the membership of a contact, by an address or the contact's identifier.
fn membership(target: &Target<'_>) -> Result<Value, Failure> {
    let (list, member) = (target.argument("of"), target.argument("object"));
    let contact = contact_named(&target.common, &target.scope, member)?;
    let params = json!({"list": list, "contact": contact});
    let found = call(&target.common, Verb::Get, &["membership"], &target.scope, &params)?;
    match found["data"].get(0) {
        Some(membership) => Ok(membership.clone()),
        None => Err(Failure::Failed(format!("{member} is no member of {list}"))),
    }
}

/// Adds each address by a call of its own, so that one that cannot be added does not stop the others.
fn add(target: &Target<'_>, list: &str) -> Result<ExitCode, Failure> {
    let emails: Vec<&String> = target.matches.get_many("title").into_iter().flatten().collect();
    let mut membership = target.params()?;
    let person: Map<String, Value> =
        OF_CONTACT.iter().filter_map(|name| membership.remove_entry(*name)).collect();
    if 1 < emails.len() && !person.is_empty() {
        let text = "--firstname and --surname are those of one person: add each by a command of its own";
        return Err(Failure::Usage(text.to_owned()));
    }
    // The list is checked once and not for each address.
    check_list(target, list)?;
    membership.insert("list".to_owned(), list.into());
    let mut code = ExitCode::SUCCESS;
    let mut memberships = Vec::new();
    for email in &emails {
        match add_one(target, email, &person, &membership) {
            Ok(membership) => {
                if !target.common.json {
                    say(format_args!("{email} is a member of {list} now"));
                }
                memberships.push(membership);
            }
            Err(failure) if emails.len() == 1 => return Err(failure),
            Err(Failure::Failed(text) | Failure::Usage(text)) => {
                complain(format_args!("error: {email}: {text}"));
                code = ExitCode::FAILURE;
            }
        }
    }
    if target.common.json {
        match memberships.as_slice() {
            [membership] if emails.len() == 1 => say_json(membership)?,
            memberships => say_json(&show::envelope(memberships))?,
        };
    }
    Ok(code)
}

/// Refuses a missing list, and names existing ones.
fn check_list(target: &Target<'_>, list: &str) -> Result<(), Failure> {
    let known = json!({"name": list, "fields": "name"});
    if call(&target.common, Verb::Get, &["lists"], &target.scope, &known)?["count"] != 0 {
        return Ok(());
    }
    Err(target.no_object("lists", "list", list)?)
}

fn add_one(
    target: &Target<'_>,
    email: &str,
    person: &Map<String, Value>,
    membership: &Map<String, Value>,
) -> Result<Value, Failure> {
    let (common, scope, list) = (&target.common, &target.scope, target.argument("of"));
    if let Some(contact) = contact_of(common, scope, email)? {
        let known = json!({"list": list, "contact": contact});
        if call(common, Verb::Get, &["membership"], scope, &known)?["count"] != 0 {
            return Err(Failure::Failed(format!("{email} is a member of {list} already")));
        }
        let mut membership = membership.clone();
        membership.insert("contact".to_owned(), contact.into());
        return target.call(Verb::Post, None, membership);
    }
    let mut contact = Value::Object(person.clone());
    contact["emails"] = json!([email]);
    contact["lists"] = json!([membership]);
    let made = call(common, Verb::Post, &["contacts"], scope, &contact)?;
    let member = made["lists"].as_array().and_then(|all| all.iter().find(|member| is_of(member, list)));
    Ok(member.cloned().unwrap_or_default())
}

fn is_of(membership: &Value, list: &str) -> bool {
    membership["list"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(list))
}

fn print_list(target: &Target<'_>, list: &str) -> Result<ExitCode, Failure> {
    let mut params = target.params()?;
    params.insert("list".to_owned(), list.into());
    if target.common.json {
        return say_json(&target.call(Verb::Get, None, params)?);
    }
    let (answer, contacts) = contacts_of(target, params)?;
    let row = |contact: &Value| {
        let mine = contact["lists"].as_array().into_iter().flatten().find(|member| is_of(member, list));
        let paused = mine.is_some_and(|member| member["paused"] == true);
        let digest = match mine.and_then(|member| member["digest"].as_u64()) {
            Some(1) => "daily",
            Some(_) => "never",
            None => "",
        };
        vec![
            cell(&contact["emails"]),
            cell(&contact["firstname"]),
            cell(&contact["surname"]),
            digest.to_owned(),
            if paused { "yes" } else { "" }.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = contacts.iter().map(row).collect();
    let none = format!("{list} has no members; crier member add {list} ADDRESS adds one");
    show::table(&["email", "firstname", "surname", "digest", "paused"], &rows, &none);
    more(&answer);
    Ok(ExitCode::SUCCESS)
}

/// A page of members with the answer that it is of. A membership has no address, so the contacts are read.
fn contacts_of(target: &Target<'_>, params: Map<String, Value>) -> Result<(Value, Vec<Value>), Failure> {
    let get = |path: &[&str], params: &Value| call(&target.common, Verb::Get, path, &target.scope, params);
    if !params.contains_key("paused") {
        let answer = get(&["contacts"], &Value::Object(params))?;
        let contacts = answer["data"].as_array().cloned().unwrap_or_default();
        return Ok((answer, contacts));
    }
    // Contacts are not listed by what their memberships say.
    let answer = target.call(Verb::Get, None, params)?;
    let memberships = answer["data"].as_array().into_iter().flatten();
    let contacts: Result<Vec<Value>, Failure> =
        memberships.map(|member| get(&["contacts", &cell(&member["contact"])], &json!({}))).collect();
    Ok((answer, contacts?))
}

/// Prints a membership, and for people the addresses that the list's mail goes to.
fn print(target: &Target<'_>, membership: &Value) -> Result<ExitCode, Failure> {
    if target.common.json {
        return say_json(membership);
    }
    show::object(membership, target.kind.first);
    let contact = cell(&membership["contact"]);
    let contact = call(&target.common, Verb::Get, &["contacts", &contact], &target.scope, &json!({}))?;
    for email in contact["emails"].as_array().into_iter().flatten() {
        say(format_args!("address  {}", cell(email)));
    }
    told::say_paused(target, &contact["emails"])?;
    Ok(ExitCode::SUCCESS)
}
