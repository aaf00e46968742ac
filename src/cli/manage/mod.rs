//! The operator's commands for what the API does not do: DNS records and DKIM keys, custom fields, the queue, links,
//! and the check of the data file.
//!
//! A command makes a request of its flags and shows the reply: a table or lines for people, with `--json` one JSON
//! value. Checks and permissions are in `control`, which carries the request out. Commands that are calls of the API
//! are made of its description, in `objects`.

pub(super) mod audit;
pub(super) mod dns;
pub(super) mod events;
pub(super) mod field;
pub(super) mod link;
pub(super) mod links;
pub(super) mod move_account;
pub(super) mod oauth_client;
pub(super) mod old_link;
pub(super) mod queue;
pub(super) mod unlock;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;

use super::terminal::{ask, can_ask, say};
use super::{Absent, DataArgs, Failure, carry_out, flag_of, perform, problems_told, told, unexpected};
use crate::control::scope::Scope;
use crate::control::{Reply, Request, VerifyReply};

/// The flags that most commands share, which the help shows in a group at the end.
pub(super) const COMMON: &[&str] = &["account", "global", "data", "json", "yes"];

/// What every command takes that manages something.
#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Print one JSON value with the API's field names, for programs
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    pub(super) json: bool,
}

impl CommonArgs {
    /// The folder of the data file.
    pub(super) fn data_dir(&self) -> &Path {
        &self.data.data
    }
}

/// Whose objects are meant.
#[derive(Debug, Clone, Args)]
pub(super) struct AccountArgs {
    /// Name of the account; not needed where the server has only one
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME")]
    account: Option<String>,
}

impl AccountArgs {
    /// The given name; a blank one counts as none.
    pub(super) fn name(self) -> Option<String> {
        self.account.filter(|name| !name.trim().is_empty())
    }

    pub(super) fn scope(self) -> Scope {
        self.name().map_or(Scope::Only, Scope::Account)
    }
}

/// Whose administrators and keys are meant.
#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    #[command(flatten)]
    account: AccountArgs,
    /// Those of the whole server, which work for every account
    #[arg(long, env = "CRIER_GLOBAL", value_parser = BoolishValueParser::new())]
    global: bool,
}

impl ScopeArgs {
    pub(super) fn scope(self) -> Scope {
        if self.global { Scope::Server } else { self.account.scope() }
    }
}

/// The flag of a command that deletes something.
#[derive(Debug, Args)]
pub(super) struct YesArgs {
    /// Do not ask for confirmation; needed where there is no terminal
    #[arg(long, env = "CRIER_YES", value_parser = BoolishValueParser::new())]
    yes: bool,
}

impl YesArgs {
    /// Passes if the user confirms a step that cannot be undone.
    pub(super) fn confirm(&self, question: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !can_ask() {
            let text = format!("{question} Nobody can answer without a terminal: give --yes if you mean it");
            return Err(Failure::Usage(text));
        }
        let accept = |text: &str| match text.to_ascii_lowercase().as_str() {
            "yes" => Ok(true),
            "" | "n" | "no" => Ok(false),
            _ => Err("answer yes or no".to_owned()),
        };
        match ask(&format!("{question} Type yes to go on:"), accept) {
            Some(true) => Ok(()),
            Some(false) | None => Err(Failure::failed("nothing was changed")),
        }
    }
}

/// Has a request carried out, and returns its reply.
pub(super) fn request(common: &CommonArgs, request: &Request) -> Result<Reply, Failure> {
    perform(&common.data.data, request, Absent::Refuse)
}

/// The same; wrong values are told under the names that were typed for the fields: each field with its flag, or with the
/// word that the help has for an argument without one.
pub(super) fn request_naming(
    common: &CommonArgs,
    request: &Request,
    typed: &[(&str, &str)],
) -> Result<Reply, Failure> {
    let named = |field: &str| {
        let found = typed.iter().find(|(known, _)| *known == field);
        found.map(|(_, typed)| (*typed).to_owned()).or_else(|| flag_of(field))
    };
    match carry_out(common.data_dir(), request, Absent::Refuse)? {
        Reply::Invalid { problems } => Err(Failure::Failed(problems_told(problems, named))),
        other => told(other),
    }
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
