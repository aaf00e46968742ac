//! The operator's objects: accounts, domains with what the DNS says of them, administrators, keys, custom fields and
//! the queue; and the check of the file.
//!
//! A command makes a request of its flags and shows what comes back: a table or lines for people, with `--json`
//! the API's own JSON. What may be done, and what is wrong with it, is decided behind the request.

pub(super) mod account;
pub(super) mod admin;
pub(super) mod dns;
pub(super) mod domain;
pub(super) mod field;
pub(super) mod key;
pub(super) mod links;
pub(super) mod queue;
mod show;

use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde_json::{Map, Value};

use super::terminal::{ask, can_ask, say};
use super::values::Problems;
use super::{Absent, DataArgs, Failure, perform, unexpected};
use crate::control::objects::CallRequest;
use crate::control::{Reply, Request, VerifyReply};

const PERMISSION_HELP: &str = "What it may do: account_admin, manage_settings, manage_members, \
    approve_messages or send_messages; may be repeated [default: everything]";

/// What every command of an object takes.
#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Print one JSON value with the API's field names, for programs
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// Whose administrators and keys are meant.
#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    /// Name of the account
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME", required_unless_present = "global")]
    account: Option<String>,
    /// Those of the whole server, which work for every account, in place of an account's
    #[arg(long, env = "CRIER_GLOBAL", value_parser = BoolishValueParser::new())]
    global: bool,
}

impl ScopeArgs {
    fn account(self) -> Option<String> {
        self.account.filter(|_| !self.global)
    }
}

/// What a command that deletes takes.
#[derive(Debug, Args)]
pub(super) struct YesArgs {
    /// Do not ask whether it is meant; needed where there is no terminal
    #[arg(long, env = "CRIER_YES", value_parser = BoolishValueParser::new())]
    yes: bool,
}

impl YesArgs {
    /// Passes if what cannot be undone is meant.
    fn confirm(&self, question: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !can_ask() {
            let text = format!("{question} Without a terminal to answer on, give --yes if it is meant");
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

/// The parameters of a call, made of the flags that were given.
#[derive(Debug, Default)]
struct Params {
    params: Map<String, Value>,
    problems: Problems,
}

impl Params {
    fn text(&mut self, name: &str, text: Option<String>) {
        self.params.extend(text.map(|text| (name.to_owned(), text.into())));
    }

    fn boolean(&mut self, name: &str, text: Option<&str>) {
        let flag = format!("--{}", name.replace('_', "-"));
        let read = |text: &str| text.trim().parse::<bool>().map_err(|_| "must be true or false".to_owned());
        let value = self.problems.read_option(&flag, text, read);
        self.params.extend(value.map(|value| (name.to_owned(), value.into())));
    }

    /// An array; one blank text makes it empty.
    fn texts(&mut self, name: &str, texts: Vec<String>) {
        if !texts.is_empty() {
            self.params.insert(name.to_owned(), texts.into());
        }
    }

    fn done(self) -> Result<Map<String, Value>, Failure> {
        if self.problems.is_empty() { Ok(self.params) } else { Err(self.problems.into()) }
    }
}

/// Has a request carried out.
fn request(common: &CommonArgs, request: &Request) -> Result<Reply, Failure> {
    perform(&common.data.data, request, Absent::Refuse)
}

/// Has a call of the API carried out; answers its JSON.
fn call(common: &CommonArgs, call: CallRequest) -> Result<Value, Failure> {
    match request(common, &Request::Call(call))? {
        Reply::Answer { answer } => Ok(answer),
        other => Err(unexpected(&other)),
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
