//! The operator's smaller commands: keys, accounts, fields, and the check of the data file.

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};

use super::terminal::say;
use super::{Absent, DataArgs, Failure, perform, unexpected};
use crate::control::{AccountRequest, FieldRequest, KeyRequest, Reply, Request, VerifyReply};

const PERMISSION_HELP: &str = "What the key may do: account_admin, manage_settings, manage_members, \
    approve_messages or send_messages; may be repeated [default: everything]";

/// `crier key …`
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Make a program's API key and print it; it is shown this once
    Create(KeyCreateArgs),
}

#[derive(Debug, Args)]
pub(super) struct KeyCreateArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Name of the account for which the key works
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME")]
    account: String,
    #[arg(long = "permission", env = "CRIER_PERMISSION", value_name = "PERMISSION", value_delimiter = ',', help = PERMISSION_HELP)]
    permissions: Vec<String>,
    /// Network from which the key may be used, such as 192.0.2.0/24; may be repeated [default: anywhere]
    #[arg(long, env = "CRIER_CIDR", value_name = "CIDR", value_delimiter = ',')]
    cidr: Vec<String>,
    /// Months after which the key ends: 1, 3, 6 or 12 [default: never]
    #[arg(long, env = "CRIER_EXPIRY_MONTHS", value_name = "N")]
    expiry_months: Option<String>,
    /// What the key is for, in your words
    #[arg(long, env = "CRIER_DESCRIPTION", value_name = "TEXT", default_value = "")]
    description: String,
    /// Print `{"id": …, "api_key": …, "expiry": …}` instead of the key alone
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// `crier account …`
#[derive(Debug, Subcommand)]
pub(super) enum AccountCommand {
    /// Change what the operator decides about an account
    Set(AccountSetArgs),
}

#[derive(Debug, Args)]
pub(super) struct AccountSetArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Name of the account
    #[arg(value_name = "NAME")]
    account: String,
    /// Whether custom identifiers name contacts in API calls: true or false
    #[arg(long, env = "CRIER_CCID", value_name = "BOOL")]
    ccid: Option<String>,
    /// Size of the address book, in contacts; also the base of the hourly limit of API calls
    #[arg(long, env = "CRIER_CONTACTS_MAX", value_name = "N")]
    contacts_max: Option<String>,
    /// Print the account as JSON
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// `crier field …`
#[derive(Debug, Subcommand)]
pub(super) enum FieldCommand {
    /// Give an account's contacts a field beside the built-in ones
    Add(FieldAddArgs),
}

#[derive(Debug, Args)]
pub(super) struct FieldAddArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Name of the account
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME")]
    account: String,
    /// Full name of the field
    #[arg(value_name = "FIELD NAME")]
    name: String,
    /// Identifier by which API calls name the field [default: its full name]
    #[arg(long, env = "CRIER_ID", value_name = "IDENT")]
    id: Option<String>,
    /// Print the field as JSON
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// `crier verify`
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Print {"entities": …, "differences": […]} instead of lines
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

pub(super) fn run_key(command: KeyCommand) -> Result<ExitCode, Failure> {
    let KeyCommand::Create(args) = command;
    let KeyCreateArgs { data, account, permissions, cidr, expiry_months, description, json } = args;
    let request = Request::KeyCreate(KeyRequest { account, description, permissions, cidr, expiry_months });
    match perform(&data.data, &request, Absent::Refuse)? {
        Reply::Key(key) if json => say_json(&key),
        Reply::Key(key) => {
            say(key.api_key);
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}

pub(super) fn run_account(command: AccountCommand) -> Result<ExitCode, Failure> {
    let AccountCommand::Set(args) = command;
    let AccountSetArgs { data, account, ccid, contacts_max, json } = args;
    let request = Request::AccountSet(AccountRequest { account, ccid, contacts_max });
    match perform(&data.data, &request, Absent::Refuse)? {
        Reply::Account(account) if json => say_json(&account),
        Reply::Account(account) => {
            let ccid = if account.ccid { "on" } else { "off" };
            say(format_args!(
                "Account {}: up to {} contacts, custom identifiers {ccid}",
                account.name, account.contacts_max
            ));
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}

pub(super) fn run_field(command: FieldCommand) -> Result<ExitCode, Failure> {
    let FieldCommand::Add(args) = command;
    let FieldAddArgs { data, account, name, id, json } = args;
    let request = Request::FieldAdd(FieldRequest { account, name, id });
    match perform(&data.data, &request, Absent::Refuse)? {
        Reply::Field(field) if json => say_json(&field),
        Reply::Field(field) => {
            say(format_args!(
                "Contacts have the field {:?} now; API calls name it {:?}",
                field.name, field.key
            ));
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}

pub(super) fn run_verify(args: &VerifyArgs) -> Result<ExitCode, Failure> {
    let found = match perform(&args.data.data, &Request::Verify, Absent::Refuse)? {
        Reply::Verify(found) => found,
        other => return Err(unexpected(&other)),
    };
    let VerifyReply { entities, differences } = &found;
    if args.json {
        say_json(&found)?;
    } else if differences.is_empty() {
        say(format_args!("All is well: {entities} kinds of records and the bytes of all messages agree"));
    } else {
        differences.iter().for_each(say);
        say(format_args!("{} differences", differences.len()));
    }
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a value as one line of JSON.
pub(super) fn say_json(value: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    say(serde_json::to_string(value).map_err(Failure::failed)?);
    Ok(ExitCode::SUCCESS)
}
