//! `crier key …`: keys of programs, each with an administrator of its own that holds it.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::admin::{self, RightsArgs, admins};
use super::{CommonArgs, PERMISSION_HELP, Params, ScopeArgs, YesArgs, call, request, say_json, show};
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::objects::{CallRequest, KeyAction, KeysRequest, Verb};
use crate::control::{KeyRequest, Reply, Request};

/// What a table of keys shows.
const COLUMNS: &[&str] = &["id", "description", "created", "expiry", "cidr", "permissions"];

/// `crier key …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KeyCommand {
    /// Make a program's API key and print it; it is shown this once
    Create(CreateArgs),
    /// List the keys: what they are for and may do, never the keys themselves
    List(ListArgs),
    /// Show everything about a key but the key itself
    Show(ShowArgs),
    /// Change what a key may do; what is not named stays as it is
    Set(SetArgs),
    /// Make a new key in place of one, which stops working at once
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
    #[arg(long = "permission", env = "CRIER_PERMISSION", value_name = "PERMISSION", value_delimiter = ',', help = PERMISSION_HELP)]
    permissions: Vec<String>,
    /// Name of a list the key is confined to; may be repeated [default: all lists]
    #[arg(long = "limit-list", env = "CRIER_LIMIT_LIST", value_name = "LIST", value_delimiter = ',')]
    limit_lists: Vec<String>,
    /// Custom field the key is confined to; may be repeated [default: all fields]
    #[arg(long = "limit-field", env = "CRIER_LIMIT_FIELD", value_name = "FIELD")]
    limit_metadata: Vec<String>,
    /// Network from which the key may be used, such as 192.0.2.0/24; may be repeated [default: anywhere]
    #[arg(long, env = "CRIER_CIDR", value_name = "CIDR", value_delimiter = ',')]
    cidr: Vec<String>,
    /// Months after which the key ends: 1, 3, 6 or 12 [default: never]
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
    /// Months after which the new key ends: 1, 3, 6 or 12 [default: never]
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

/// Runs the command.
pub(in crate::cli) fn run(command: KeyCommand) -> Result<ExitCode, Failure> {
    match command {
        KeyCommand::Create(args) => create(args),
        KeyCommand::List(ListArgs { common, scope }) => {
            let wanted = KeysRequest { account: scope.account(), ..KeysRequest::default() };
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
            let wanted = KeysRequest { account: scope.account(), id: Some(id), action: KeyAction::Show };
            match request(&common, &Request::Keys(wanted))? {
                Reply::Answer { answer } => admin::print(&common, &answer),
                other => Err(unexpected(&other)),
            }
        }
        KeyCommand::Set(SetArgs { common, scope, id, description, cidr, rights }) => {
            let mut params = Params::default();
            params.text("description", description);
            params.texts("cidr", cidr);
            rights.add_to(&mut params);
            let params = params.done()?;
            if params.is_empty() {
                let text = "nothing to change: name what is to change, such as --permission or --cidr";
                return Err(Failure::Usage(text.to_owned()));
            }
            let wanted = CallRequest { params, ..admins(Verb::Put, scope.account(), Some(&id)) };
            admin::print(&common, &call(&common, wanted)?)
        }
        KeyCommand::Renew(RenewArgs { common, scope, id, expiry_months }) => {
            let action = KeyAction::Renew { expiry_months };
            let wanted = KeysRequest { account: scope.account(), id: Some(id), action };
            print_key(&common, request(&common, &Request::Keys(wanted))?)
        }
        KeyCommand::Revoke(RevokeArgs { common, scope, id, yes }) => {
            admin::delete(&common, scope.account(), &id, &yes)
        }
    }
}

fn create(args: CreateArgs) -> Result<ExitCode, Failure> {
    let CreateArgs {
        common,
        scope,
        permissions,
        limit_lists,
        limit_metadata,
        cidr,
        expiry_months,
        description,
    } = args;
    let wanted = KeyRequest {
        account: scope.account(),
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
