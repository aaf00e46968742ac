//! `crier member …`: who is on a list.
//!
//! People name a member by an address, the API by the number of a contact or of a membership: these commands
//! look that up. Somebody who is no contact yet becomes one by being added.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::show::{self, cell};
use super::{AccountArgs, CommonArgs, Params, YesArgs, call, say_json};
use crate::cli::Failure;
use crate::cli::objects::{call_of, contact_named, contact_of, more};
use crate::cli::terminal::{complain, say};
use crate::control::objects::{Scope, Verb};

/// `crier member …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum MemberCommand {
    /// Add people to a list; those who are no contacts yet become some
    #[command(visible_alias = "create")]
    Add(AddArgs),
    /// List the members of a list
    List(ListArgs),
    /// Show the membership of somebody on a list
    Show(OneArgs),
    /// Change how somebody gets the mail of a list
    Set(SetArgs),
    /// Take somebody off a list; the contact stays
    #[command(visible_alias = "delete")]
    Remove(RemoveArgs),
}

/// Which list is meant, and how.
#[derive(Debug, Args)]
struct ListedArgs {
    /// Name of the list
    #[arg(value_name = "LIST")]
    list: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AddArgs {
    #[command(flatten)]
    of: ListedArgs,
    /// Address of somebody to add; several are allowed
    #[arg(value_name = "EMAIL", required = true)]
    emails: Vec<String>,
    /// First name, for somebody who is no contact yet
    #[arg(long, env = "CRIER_FIRSTNAME", value_name = "NAME")]
    firstname: Option<String>,
    /// Surname, for somebody who is no contact yet
    #[arg(long, env = "CRIER_SURNAME", value_name = "NAME")]
    surname: Option<String>,
    /// 1 for a daily digest, 0 for every message, '' for what each address says
    #[arg(long, env = "CRIER_DIGEST", value_name = "1|0")]
    digest: Option<String>,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    of: ListedArgs,
    /// Which page, from 1
    #[arg(long, env = "CRIER_PAGE", value_name = "N")]
    page: Option<String>,
    /// Members of a page, up to 1000
    #[arg(long, env = "CRIER_LIMIT", value_name = "N", default_value = "100")]
    limit: String,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct OneArgs {
    #[command(flatten)]
    of: ListedArgs,
    /// One of the member's addresses, or the contact's identifier
    #[arg(value_name = "MEMBER")]
    member: String,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    one: OneArgs,
    /// 1 for a daily digest, 0 for every message, '' for what each address says
    #[arg(long, env = "CRIER_DIGEST", value_name = "1|0", required = true)]
    digest: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RemoveArgs {
    #[command(flatten)]
    one: OneArgs,
    #[command(flatten)]
    yes: YesArgs,
}

/// A list of an account, and how the command was asked.
struct Listed {
    list: String,
    scope: Scope,
    common: CommonArgs,
}

impl Listed {
    fn new(of: ListedArgs, account: AccountArgs, common: CommonArgs) -> Listed {
        Listed { list: of.list, scope: account.scope(), common }
    }

    fn call(
        &self,
        section: &str,
        verb: Verb,
        object: Option<&str>,
        params: &Value,
    ) -> Result<Value, Failure> {
        let params = params.as_object().cloned().unwrap_or_default();
        call(&self.common, call_of(section, verb, &self.scope, object, params))
    }

    /// The membership of a contact, by an address or the contact's identifier.
    fn membership(&self, member: &str) -> Result<Value, Failure> {
        let contact = contact_named(&self.common, &self.scope, member)?;
        let params = json!({"list": self.list, "contact": contact});
        let found = self.call("membership", Verb::Get, None, &params)?;
        match found["data"].get(0) {
            Some(membership) => Ok(membership.clone()),
            None => Err(Failure::Failed(format!("{member} is no member of {}", self.list))),
        }
    }
}

/// Runs the command.
pub(in crate::cli) fn run(command: MemberCommand) -> Result<ExitCode, Failure> {
    match command {
        MemberCommand::Add(AddArgs { of, emails, firstname, surname, digest, account, common }) => {
            let person = [("firstname", firstname), ("surname", surname)];
            let person = person.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.into())));
            add(&Listed::new(of, account, common), &emails, &person.collect(), digest.as_deref())
        }
        MemberCommand::List(args) => list(args),
        MemberCommand::Show(OneArgs { of, member, account, common }) => {
            let listed = Listed::new(of, account, common);
            print(&listed, &listed.membership(&member)?)
        }
        MemberCommand::Set(SetArgs { one: OneArgs { of, member, account, common }, digest }) => {
            let listed = Listed::new(of, account, common);
            let id = cell(&listed.membership(&member)?["id"]);
            print(&listed, &listed.call("membership", Verb::Put, Some(&id), &json!({"digest": digest}))?)
        }
        MemberCommand::Remove(RemoveArgs { one: OneArgs { of, member, account, common }, yes }) => {
            let listed = Listed::new(of, account, common);
            let id = cell(&listed.membership(&member)?["id"]);
            yes.confirm(&format!("Take {member} off {}?", listed.list))?;
            let answer = listed.call("membership", Verb::Delete, Some(&id), &Value::Null)?;
            if listed.common.json {
                return say_json(&answer);
            }
            say(format_args!("{member} is no longer a member of {}", listed.list));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Adds each address by itself, so that one that cannot be added does not stop the others.
fn add(
    listed: &Listed,
    emails: &[String],
    person: &Params,
    digest: Option<&str>,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    let mut memberships = Vec::new();
    for email in emails {
        match add_one(listed, email, person, digest) {
            Ok(membership) => {
                if !listed.common.json {
                    say(format_args!("{email} is a member of {} now", listed.list));
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
    if listed.common.json {
        match memberships.as_slice() {
            [membership] if emails.len() == 1 => say_json(membership)?,
            memberships => say_json(&show::envelope(memberships))?,
        };
    }
    Ok(code)
}

fn add_one(listed: &Listed, email: &str, person: &Params, digest: Option<&str>) -> Result<Value, Failure> {
    let list = &listed.list;
    let mut membership = json!({"list": list});
    if let Some(digest) = digest {
        membership["digest"] = digest.into();
    }
    if let Some(contact) = contact_of(&listed.common, &listed.scope, email)? {
        membership["contact"] = contact.into();
        return listed.call("membership", Verb::Post, None, &membership);
    }
    let mut contact = Value::Object(person.clone());
    contact["emails"] = json!([email]);
    contact["lists"] = json!([membership]);
    let made = listed.call("contacts", Verb::Post, None, &contact)?;
    let member = made["lists"].as_array().and_then(|all| all.iter().find(|member| is_of(member, list)));
    Ok(member.cloned().unwrap_or_default())
}

fn is_of(membership: &Value, list: &str) -> bool {
    membership["list"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(list))
}

fn list(args: ListArgs) -> Result<ExitCode, Failure> {
    let ListArgs { of, page, limit, account, common } = args;
    let listed = Listed::new(of, account, common);
    let mut params = json!({"list": listed.list, "limit": limit});
    if let Some(page) = page {
        params["page"] = page.into();
    }
    if listed.common.json {
        return say_json(&listed.call("membership", Verb::Get, None, &params)?);
    }
    // A membership has no address; the contacts of the list have.
    let answer = listed.call("contacts", Verb::Get, None, &params)?;
    let contacts = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let row = |contact: &Value| {
        let addresses = contact["emails"].as_array().into_iter().flatten().map(|email| cell(&email["email"]));
        let mine =
            contact["lists"].as_array().into_iter().flatten().find(|member| is_of(member, &listed.list));
        let digest = match mine.and_then(|member| member["digest"].as_u64()) {
            Some(1) => "daily",
            Some(_) => "never",
            None => "",
        };
        vec![
            addresses.collect::<Vec<_>>().join(", "),
            cell(&contact["firstname"]),
            cell(&contact["surname"]),
            digest.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = contacts.iter().map(row).collect();
    let none = format!("{} has no members; crier member add {} ADDRESS adds one", listed.list, listed.list);
    show::table(&["email", "firstname", "surname", "digest"], &rows, &none);
    more(&answer);
    Ok(ExitCode::SUCCESS)
}

fn print(listed: &Listed, membership: &Value) -> Result<ExitCode, Failure> {
    if listed.common.json {
        return say_json(membership);
    }
    show::object(membership, &["list", "contact", "id"]);
    Ok(ExitCode::SUCCESS)
}
