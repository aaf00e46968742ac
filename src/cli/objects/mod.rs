//! Commands that are calls of the API: `crier list`, `member`, `contact`, `held`, `key` and so on.
//!
//! They are made of the API's own description: each kind of objects has subcommands, each of which makes a call, and
//! a flag for each field that the call takes. The answer is shown as a table or lines for people, with `--json` as
//! the API's own JSON. Checks and permissions are in the API.

pub(in crate::cli) mod calls;
mod domains;
mod flags;
mod keys;
mod kind;
mod kinds;
mod lists;
mod members;
pub(in crate::cli) mod plain;
mod target;
mod told;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Args as _, Command};

use super::Failure;
use super::manage::link::{self, LinkArgs};
use super::manage::move_account::{self, ExportAccountArgs, ImportAccountArgs};
use super::manage::unlock::{self, UnlockArgs};
use super::manage::{AccountArgs, CommonArgs, ScopeArgs, YesArgs};
use crate::http::reference::Reference;
pub(super) use domains::{DomainCommand, run as run_domains};
use flags::{custom_flag, flag};
pub(super) use kind::Kind;
use kind::{Action, Owner, Subcommand, Way};
use kinds::KINDS;
use target::{Target, fields_of, operation};

/// The commands of all kinds.
pub(super) fn commands() -> impl Iterator<Item = Command> {
    let reference = crate::api::reference();
    KINDS.iter().map(move |kind| command(kind, &reference))
}

/// The kind that a command manages.
pub(super) fn kind_of(command: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.command == command)
}

/// The examples of every subcommand, with its path.
pub(super) fn examples() -> impl Iterator<Item = (String, &'static [&'static str])> {
    let of_kind = |kind: &'static Kind| {
        kind.subcommands.iter().map(|known| (format!("{} {}", kind.command, known.name), known.examples))
    };
    KINDS.iter().flat_map(of_kind)
}

fn command(kind: &'static Kind, reference: &Reference) -> Command {
    let command = Command::new(kind.command).about(kind.about);
    let mut command = command.subcommand_required(true).arg_required_else_help(true);
    if kind.command == "admin" {
        command = command.subcommand(LinkArgs::augment_args(Command::new("link")));
        command = command.subcommand(UnlockArgs::augment_args(Command::new("unlock")));
    }
    if kind.command == "account" {
        command = command.subcommand(ExportAccountArgs::augment_args(Command::new("export")));
        command = command.subcommand(ImportAccountArgs::augment_args(Command::new("import")));
    }
    kind.subcommands
        .iter()
        .fold(command, |command, known| command.subcommand(subcommand(kind, known, reference)))
}

fn subcommand(kind: &'static Kind, known: &'static Subcommand, reference: &Reference) -> Command {
    let mut command = Command::new(known.name);
    if let Some(alias) = known.alias {
        command = command.visible_alias(alias);
    }
    command = command.args(arguments(kind, known.action));
    let mut has_custom = false;
    if let Some(operation) = operation(kind, known.action, reference) {
        let fields = fields_of(kind, known, operation, reference);
        command = fields.iter().fold(command, |command, field| {
            let is_required = known.action == Action::Create && field.is_required;
            command.arg(flag(kind, field, known.action).required(is_required))
        });
        has_custom = operation.body.as_ref().is_some_and(|body| body.has_custom);
    }
    if has_custom {
        command = command.arg(custom_flag());
    }
    command = match kind.owner {
        Owner::Account => AccountArgs::augment_args(command),
        Owner::AccountOrServer => ScopeArgs::augment_args(command),
        Owner::Server => command,
    };
    if known.action == Action::Delete {
        command = YesArgs::augment_args(command);
    }
    // Adding groups of flags replaces the command's text, so it is set again.
    CommonArgs::augment_args(command).about(known.about)
}

/// The arguments without a flag: the list to which the object belongs, and the title of a new object or the name of
/// an existing one.
fn arguments(kind: &'static Kind, action: Action) -> impl Iterator<Item = Arg> {
    let list =
        kind.is_of_list.then(|| Arg::new("of").value_name("LIST").help("Name of the list").required(true));
    let other = match action {
        Action::List => None,
        Action::Create if kind.title.is_empty() => None,
        Action::Create => {
            let argument =
                Arg::new("title").value_name(kind.title_value).help(kind.title_help).required(true);
            let is_many = matches!(kind.title, "emails" | "contact");
            Some(if is_many { argument.action(ArgAction::Append).num_args(1..) } else { argument })
        }
        Action::Show | Action::Set | Action::Delete => {
            let argument = Arg::new("object").value_name(kind.object_value).help(kind.object_help);
            // The only account of a server need not be named, except for its deletion.
            let is_optional = kind.owner == Owner::Server && action != Action::Delete;
            Some(argument.required(!is_optional))
        }
    };
    list.into_iter().chain(other)
}

/// Runs a command of a kind.
pub(super) fn run(kind: &'static Kind, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    if let Some(("link", matches)) = matches.subcommand() {
        return link::run(matches);
    }
    if let Some(("unlock", matches)) = matches.subcommand() {
        return unlock::run(matches);
    }
    if let Some(("export", matches)) = matches.subcommand() {
        return move_account::export(matches);
    }
    if let Some(("import", matches)) = matches.subcommand() {
        return move_account::import(matches);
    }
    let found = matches.subcommand().and_then(|(word, matches)| {
        Some((kind.subcommands.iter().find(|known| known.name == word)?, matches))
    });
    let Some((subcommand, matches)) = found else {
        return Err(Failure::Usage(format!("crier {} needs a subcommand", kind.command)));
    };
    let target = Target::new(kind, subcommand, matches)?;
    match kind.way {
        Way::Plainly => plain::run(&target),
        Way::Members => members::run(&target),
        Way::Keys => keys::run(&target),
        Way::Lists => lists::run(&target),
    }
}
