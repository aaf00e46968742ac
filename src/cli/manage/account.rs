//! `crier account …`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::Value;

use super::show::{self, counted};
use super::{CommonArgs, Params, YesArgs, call, say_json};
use crate::cli::Failure;
use crate::cli::terminal::say;
use crate::control::objects::{CallRequest, Subject, Verb};

/// What a table of accounts shows.
const COLUMNS: &[&str] = &["id", "name", "description", "administrator", "contacts", "contacts_max"];

/// `crier account …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum AccountCommand {
    /// Make one more account on this server, with its domain and first administrator
    Create(Box<CreateArgs>),
    /// List the accounts
    List(CommonArgs),
    /// Show everything about an account
    Show(ShowArgs),
    /// Change an account; what is not named stays as it is
    Set(Box<SetArgs>),
    /// Delete an account with its lists, members and archives
    Delete(DeleteArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Name of the account, unique on this server, such as example
    #[arg(value_name = "NAME")]
    name: String,
    /// Domain of its lists' addresses, such as lists.example.org
    #[arg(long, env = "CRIER_DOMAIN", value_name = "DOMAIN")]
    domain: String,
    /// Address of its first administrator, who gets the notices
    #[arg(long, env = "CRIER_ADMIN", value_name = "EMAIL")]
    admin: String,
    #[command(flatten)]
    fields: FieldArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Name of the account
    #[arg(value_name = "NAME")]
    account: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Name of the account
    #[arg(value_name = "NAME")]
    account: String,
    /// Its name from now on
    #[arg(long, env = "CRIER_RENAME", value_name = "NAME")]
    rename: Option<String>,
    #[command(flatten)]
    fields: FieldArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Name of the account
    #[arg(value_name = "NAME")]
    account: String,
    #[command(flatten)]
    yes: YesArgs,
}

/// The fields of an account.
#[derive(Debug, Args)]
struct FieldArgs {
    /// What the account is, in your words
    #[arg(long, env = "CRIER_DESCRIPTION", value_name = "TEXT")]
    description: Option<String>,
    /// Whether custom identifiers name contacts in API calls: true or false
    #[arg(long, env = "CRIER_CCID", value_name = "BOOL")]
    ccid: Option<String>,
    /// Size of the address book, in contacts; an hour's API calls may touch three times as many objects
    #[arg(long, env = "CRIER_CONTACTS_MAX", value_name = "N")]
    contacts_max: Option<String>,
    /// IANA name of the time zone, such as Europe/Berlin
    #[arg(long, env = "CRIER_TIMEZONE", value_name = "ZONE", help_heading = "Settings")]
    timezone: Option<String>,
    /// How people join lists that do not say so themselves: open, open+confirm (and approved) or closed
    #[arg(long, env = "CRIER_SUBSCRIPTIONS", value_name = "HOW", help_heading = "Settings")]
    subscriptions: Option<String>,
    /// How people leave them: open, open+confirm or closed
    #[arg(long, env = "CRIER_UNSUBSCRIPTIONS", value_name = "HOW", help_heading = "Settings")]
    unsubscriptions: Option<String>,
    /// Whether a one-click unsubscribe link asks again: true or false
    #[arg(long, env = "CRIER_UNSUBSCRIBE_CONFIRM", value_name = "BOOL", help_heading = "Settings")]
    unsubscribe_confirm: Option<String>,
    /// When administrators hear of held messages: none, each or daily
    #[arg(long, env = "CRIER_NOTIFY_APPROVAL", value_name = "WHEN", help_heading = "Settings")]
    notify_approval: Option<String>,
    /// Whether new lists wait for the approval of one of the account's own administrators: true or false
    #[arg(long, env = "CRIER_REQUIRE_LIST_APPROVAL", value_name = "BOOL", help_heading = "Settings")]
    require_list_approval: Option<String>,
    /// Whether list administrators may hand their lists on: true or false
    #[arg(long, env = "CRIER_LIST_DELEGATION", value_name = "BOOL", help_heading = "Settings")]
    list_delegation: Option<String>,
    /// Regular expression of which one must match every address that is added; may be repeated, '' for none
    #[arg(long, env = "CRIER_RESTRICT_CONTACT", value_name = "PATTERN", help_heading = "Settings")]
    restrict_contact: Vec<String>,
    /// The same for addresses that ask to subscribe
    #[arg(
        long,
        env = "CRIER_RESTRICT_CONTACT_SUBSCRIPTION",
        value_name = "PATTERN",
        help_heading = "Settings"
    )]
    restrict_contact_subscription: Vec<String>,
    /// Web address of an image that pages show; '' for none
    #[arg(long, env = "CRIER_CUSTOM_IMAGE", value_name = "URL", help_heading = "Settings")]
    custom_image: Option<String>,
    /// Subject of mail that asks to confirm; '' for the built-in one
    #[arg(long, env = "CRIER_CONFIRMATION_SUBJECT", value_name = "TEXT", help_heading = "Texts")]
    confirmation_subject: Option<String>,
    /// Its body, with $VARIABLES; '' for the built-in one
    #[arg(long, env = "CRIER_CONFIRMATION_MESSAGE", value_name = "TEXT", help_heading = "Texts")]
    confirmation_message: Option<String>,
    /// What a member reads once an address is confirmed; '' for nothing
    #[arg(long, env = "CRIER_WELCOME_MESSAGE", value_name = "TEXT", help_heading = "Texts")]
    welcome_message: Option<String>,
    /// Whether it is mailed when an address is confirmed: true or false
    #[arg(
        long,
        env = "CRIER_SEND_WELCOME_MESSAGE_CONFIRMATION",
        value_name = "BOOL",
        help_heading = "Texts"
    )]
    send_welcome_message_confirmation: Option<String>,
    /// Whether it is mailed when a contact is added: true or false
    #[arg(long, env = "CRIER_SEND_WELCOME_MESSAGE_CONTACTS", value_name = "BOOL", help_heading = "Texts")]
    send_welcome_message_contacts: Option<String>,
}

impl FieldArgs {
    fn params(self) -> Params {
        let mut params = Params::default();
        params.text("description", self.description);
        params.boolean("ccid", self.ccid.as_deref());
        params.text("contacts_max", self.contacts_max);
        params.text("timezone", self.timezone);
        params.text("subscriptions", self.subscriptions);
        params.text("unsubscriptions", self.unsubscriptions);
        params.boolean("unsubscribe_confirm", self.unsubscribe_confirm.as_deref());
        params.text("notify_approval", self.notify_approval);
        params.boolean("require_list_approval", self.require_list_approval.as_deref());
        params.boolean("list_delegation", self.list_delegation.as_deref());
        params.texts("restrict_contact", self.restrict_contact);
        params.texts("restrict_contact_subscription", self.restrict_contact_subscription);
        params.text("custom_image", self.custom_image);
        params.text("confirmation_subject", self.confirmation_subject);
        params.text("confirmation_message", self.confirmation_message);
        params.text("welcome_message", self.welcome_message);
        params
            .boolean("send_welcome_message_confirmation", self.send_welcome_message_confirmation.as_deref());
        params.boolean("send_welcome_message_contacts", self.send_welcome_message_contacts.as_deref());
        params
    }
}

fn accounts(verb: Verb, account: Option<&str>) -> CallRequest {
    let account = account.map(str::to_owned);
    CallRequest { verb, subject: Subject::Accounts, account, object: None, params: serde_json::Map::new() }
}

/// Runs the command.
pub(in crate::cli) fn run(command: AccountCommand) -> Result<ExitCode, Failure> {
    match command {
        AccountCommand::Create(args) => create(*args),
        AccountCommand::List(common) => {
            let answer = call(&common, accounts(Verb::Get, None))?;
            if common.json {
                return say_json(&answer);
            }
            show::listing(&answer, COLUMNS, "There is no account yet; crier setup makes the first one");
            Ok(ExitCode::SUCCESS)
        }
        AccountCommand::Show(ShowArgs { common, account }) => {
            let answer = call(&common, accounts(Verb::Get, Some(&account)))?;
            if common.json {
                return say_json(&answer);
            }
            show::object(&answer, &["id", "name", "description", "administrator", "domains", "contacts"]);
            Ok(ExitCode::SUCCESS)
        }
        AccountCommand::Set(args) => set(*args),
        AccountCommand::Delete(DeleteArgs { common, account, yes }) => delete(&common, &account, &yes),
    }
}

fn create(args: CreateArgs) -> Result<ExitCode, Failure> {
    let CreateArgs { common, name, domain, admin, fields } = args;
    let mut params = fields.params();
    params.text("name", Some(name));
    params.text("domain", Some(domain.clone()));
    params.text("administrator", Some(admin));
    let params = params.done()?;
    let answer = call(&common, CallRequest { params, ..accounts(Verb::Post, None) })?;
    if common.json {
        return say_json(&answer);
    }
    say(summary(&answer));
    say(format_args!("Publish its DNS records: crier domain show {domain}"));
    Ok(ExitCode::SUCCESS)
}

fn set(args: SetArgs) -> Result<ExitCode, Failure> {
    let SetArgs { common, account, rename, fields } = args;
    let mut params = fields.params();
    params.text("name", rename);
    let params = params.done()?;
    if params.is_empty() {
        let text = "nothing to change: name what is to change, such as --ccid, --contacts-max or --timezone";
        return Err(Failure::Usage(text.to_owned()));
    }
    let answer = call(&common, CallRequest { params, ..accounts(Verb::Put, Some(&account)) })?;
    if common.json {
        return say_json(&answer);
    }
    say(summary(&answer));
    Ok(ExitCode::SUCCESS)
}

fn summary(account: &Value) -> String {
    let ccid = if account["ccid"] == true { "on" } else { "off" };
    let (name, contacts_max) = (show::cell(&account["name"]), show::cell(&account["contacts_max"]));
    format!("Account {name}: up to {contacts_max} contacts, custom identifiers {ccid}")
}

fn delete(common: &CommonArgs, account: &str, yes: &YesArgs) -> Result<ExitCode, Failure> {
    let params = [("fields".to_owned(), "name,lists,contacts".into())].into_iter().collect();
    let known = call(common, CallRequest { params, ..accounts(Verb::Get, Some(account)) })?;
    let lists = known["lists"].as_array().map_or(0, Vec::len);
    let lists = counted(u64::try_from(lists).unwrap_or(u64::MAX), "list");
    let contacts = counted(known["contacts"].as_u64().unwrap_or(0), "contact");
    let account = show::cell(&known["name"]);
    yes.confirm(&format!(
        "Delete the account {account} with {lists}, {contacts} and all messages, for good?"
    ))?;
    let answer = call(common, accounts(Verb::Delete, Some(&account)))?;
    if common.json {
        return say_json(&answer);
    }
    say(format_args!(
        "Account {account} is gone; a server that runs clears away what it had, in the background"
    ));
    Ok(ExitCode::SUCCESS)
}
