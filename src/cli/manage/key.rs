//! `crier key …`: API keys of programs. The API shows each as an administrator without an address.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use serde_json::Value;

use super::{
    CommonArgs, LIMIT_FIELD_HELP, LIMIT_LIST_HELP, PERMISSION_HELP, Params, ScopeArgs, YesArgs, call,
    request, say_json, show,
};
use crate::cli::objects::{call_of, warn_of_idle_limits};
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::keys::{KeyAction, KeysRequest};
use crate::control::objects::{Scope, Verb};
use crate::control::{KeyRequest, Reply, Request};

/// What a table of keys shows.
const COLUMNS: &[&str] = &["id", "description", "created", "expiry", "cidr", "permissions"];
/// What stands first where one is shown.
const FIRST: &[&str] = &["id", "description", "created", "expiry", "cidr", "permissions"];

/// `crier key …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KeyCommand {
    /// Make an API key and print it; it is shown only this once
    Create(CreateArgs),
    /// List the keys: what each is for and may do, but never the key itself
    List(ListArgs),
    /// Show everything about a key but the key itself
    Show(ShowArgs),
    /// Change what a key may do; what is not named stays as it is
    Set(SetArgs),
    /// Replace a key by a new one and print it; the old one stops working at once
    Renew(RenewArgs),
    /// Make a key stop working for good
    #[command(visible_alias = "delete")]
    Revoke(RevokeArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    rights: RightsArgs,
    /// Network from which the key may be used, such as 192.0.2.0/24; may be repeated [default: anywhere]
    #[arg(long, env = "CRIER_CIDR", value_name = "CIDR", value_delimiter = ',')]
    cidr: Vec<String>,
    /// Months until the key stops working: 1, 3, 6 or 12 [default: it never does]
    #[arg(long, env = "CRIER_EXPIRY_MONTHS", value_name = "N")]
    expiry_months: Option<String>,
    /// What the key is for, in your words
    #[arg(long, env = "CRIER_DESCRIPTION", value_name = "TEXT", default_value = "")]
    description: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Its number, from crier key list
    #[arg(value_name = "ID")]
    id: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Its number, from crier key list
    #[arg(value_name = "ID")]
    id: String,
    /// What the key is for, in your words
    #[arg(long, env = "CRIER_DESCRIPTION", value_name = "TEXT")]
    description: Option<String>,
    /// Network from which the key may be used; may be repeated, '' for anywhere
    #[arg(long, env = "CRIER_CIDR", value_name = "CIDR", value_delimiter = ',')]
    cidr: Vec<String>,
    #[command(flatten)]
    rights: RightsArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RenewArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Its number, from crier key list
    #[arg(value_name = "ID")]
    id: String,
    /// Months until the new key stops working: 1, 3, 6 or 12 [default: it never does]
    #[arg(long, env = "CRIER_EXPIRY_MONTHS", value_name = "N")]
    expiry_months: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RevokeArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Its number, from crier key list
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    yes: YesArgs,
}

/// What a key may do, and where.
#[derive(Debug, Args)]
struct RightsArgs {
    #[arg(long = "permission", env = "CRIER_PERMISSION", value_name = "PERMISSION", value_delimiter = ',', help = PERMISSION_HELP)]
    permissions: Vec<String>,
    #[arg(long = "limit-list", env = "CRIER_LIMIT_LIST", value_name = "LIST", value_delimiter = ',', help = LIMIT_LIST_HELP)]
    limit_lists: Vec<String>,
    #[arg(long = "limit-field", env = "CRIER_LIMIT_FIELD", value_name = "FIELD", help = LIMIT_FIELD_HELP)]
    limit_metadata: Vec<String>,
}

/// Runs the command.
pub(in crate::cli) fn run(command: KeyCommand) -> Result<ExitCode, Failure> {
    match command {
        KeyCommand::Create(args) => create(args),
        KeyCommand::List(ListArgs { common, scope }) => {
            let wanted = KeysRequest { scope: scope.scope(), ..KeysRequest::default() };
            let answer = match request(&common, &Request::Keys(wanted))? {
                Reply::Answer { answer } => answer,
                other => return Err(unexpected(&other)),
            };
            if common.json {
                return say_json(&answer);
            }
            show::listing(&answer, COLUMNS, "There is no key; crier key create makes one");
            Ok(ExitCode::SUCCESS)
        }
        KeyCommand::Show(ShowArgs { common, scope, id }) => {
            print(&common, &show_key(&common, scope.scope(), &id)?)
        }
        KeyCommand::Set(args) => set(args),
        KeyCommand::Renew(RenewArgs { common, scope, id, expiry_months }) => {
            let action = KeyAction::Renew { expiry_months };
            let wanted = KeysRequest { scope: scope.scope(), id: Some(id), action };
            print_key(&common, request(&common, &Request::Keys(wanted))?)
        }
        KeyCommand::Revoke(RevokeArgs { common, scope, id, yes }) => {
            let scope = scope.scope();
            let key = show_key(&common, scope.clone(), &id)?;
            let title = match show::cell(&key["description"]) {
                description if description.is_empty() => format!("key {id}"),
                description => format!("key {id} ({description})"),
            };
            yes.confirm(&format!("Revoke the {title}? It stops working at once, for good."))?;
            let answer = call(&common, call_of("admins", Verb::Delete, &scope, Some(&id), Params::new()))?;
            if common.json {
                return say_json(&answer);
            }
            say(format_args!("The {title} is revoked"));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// What is known of a key; an error where the number is that of a person.
fn show_key(common: &CommonArgs, scope: Scope, id: &str) -> Result<Value, Failure> {
    let wanted = KeysRequest { scope, id: Some(id.to_owned()), action: KeyAction::Show };
    match request(common, &Request::Keys(wanted))? {
        Reply::Answer { answer } => Ok(answer),
        other => Err(unexpected(&other)),
    }
}

fn set(args: SetArgs) -> Result<ExitCode, Failure> {
    let SetArgs { common, scope, id, description, cidr, rights } = args;
    let RightsArgs { permissions, limit_lists, limit_metadata } = rights;
    let mut params = Params::new();
    params.extend(description.map(|text| ("description".to_owned(), text.into())));
    let arrays = [
        ("cidr", cidr),
        ("permissions", permissions),
        ("limit_lists", limit_lists),
        ("limit_metadata", limit_metadata),
    ];
    let given = arrays.into_iter().filter(|(_, texts)| !texts.is_empty());
    params.extend(given.map(|(name, texts)| (name.to_owned(), texts.into())));
    if params.is_empty() {
        let text = "nothing to change: name what is to change, such as --permission or --cidr";
        return Err(Failure::Usage(text.to_owned()));
    }
    let scope = scope.scope();
    show_key(&common, scope.clone(), &id)?;
    print(&common, &call(&common, call_of("admins", Verb::Put, &scope, Some(&id), params))?)
}

fn print(common: &CommonArgs, key: &Value) -> Result<ExitCode, Failure> {
    if common.json {
        return say_json(key);
    }
    show::object(key, FIRST);
    warn_of_idle_limits(key);
    Ok(ExitCode::SUCCESS)
}

fn create(args: CreateArgs) -> Result<ExitCode, Failure> {
    let CreateArgs {
        common,
        scope,
        rights: RightsArgs { permissions, limit_lists, limit_metadata },
        cidr,
        expiry_months,
        description,
    } = args;
    let wanted = KeyRequest {
        scope: scope.scope(),
        description,
        permissions,
        limit_lists,
        limit_metadata,
        cidr,
        expiry_months,
    };
    print_key(&common, request(&common, &Request::KeyCreate(wanted))?)
}

fn print_key(common: &CommonArgs, reply: Reply) -> Result<ExitCode, Failure> {
    match reply {
        Reply::Key(key) if common.json => say_json(&key),
        Reply::Key(key) => {
            say(key.api_key);
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}
