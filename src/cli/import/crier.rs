//! `crier import crier`: brings an export of this program into an account.
//!
//! Custom fields and lists come first, then people with everything that was known of them, aliases, administrators and
//! archives. What is there already stays as it is, so an import that was cut short is finished by running it again.
//! Nobody is mailed. [`lists`](super::lists) takes lists of other list servers in by the same steps.

mod archives;
mod objects;
pub(super) mod people;
pub(super) mod reached;

pub(super) use objects::{is_unfinished, text_of, words};
pub(super) use reached::Reached;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::common::CommonArgs;
use super::report::ImportReport;
use super::words::REJECTS_TOLD;
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::terminal::{say, tell};
use crate::control::export::{
    ACCOUNT_FILE, ADMINS_FILE, ALIASES_FILE, AccountFile, FORMAT, FORMAT_VERSION, LISTS_FILE,
};

pub(super) const AFTER_HELP: &str = "\
DIRECTORY is one that crier export wrote. People come back as they were: lists, digests, pauses, consents, bounces, \
opt-outs, your own fields. Lists that are there already keep their settings, and people who are contacts already stay \
as they are. Whoever left a list here is not added to it.

Nobody is mailed: administrators get no link to choose a password, which crier admin link makes. What cannot be taken \
is printed, and the others are imported; the exit code is 1 then. An import that was cut short is finished by running \
it again.";

/// The flags of `import crier` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct CrierArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Folder that crier export wrote
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
}

/// How many of a kind came in.
#[derive(Debug, Default, Serialize)]
pub(super) struct Count {
    pub(super) created: u64,
    pub(super) skipped: u64,
    pub(super) rejected: u64,
}

/// The results of an import.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    pub(super) fields: Count,
    pub(super) lists: Count,
    pub(super) contacts: Count,
    pub(super) aliases: Count,
    pub(super) administrators: Count,
    pub(super) messages: Count,
    pub(super) dry_run: bool,
}

/// Runs the command.
pub(super) fn run(args: CrierArgs) -> Result<ExitCode, Failure> {
    let CrierArgs { common, directory } = args;
    let CommonArgs { data, account, dry_run, report, json } = common;
    let file: AccountFile = read_json(&directory.join(ACCOUNT_FILE), "the folder is no export of crier")?;
    if file.format != FORMAT || FORMAT_VERSION < file.version {
        return Err(Failure::Failed(format!(
            "{} is an export of a newer version of crier: bring this one up to date",
            directory.display()
        )));
    }
    let report = report.map(|path| ImportReport::create(&path)).transpose()?;
    let mut run = Run::new(Reached::open(&data.data)?, account.name(), report, dry_run);
    let done = run.all(&directory, &file);
    let Run { reached, report, summary, .. } = run;
    reached.close();
    report.map_or(Ok(()), ImportReport::finish)?;
    done?;
    print(&summary, json)
}

pub(super) fn print(summary: &Summary, json: bool) -> Result<ExitCode, Failure> {
    let Summary { fields, lists, contacts, aliases, administrators, messages, dry_run } = summary;
    let kinds = [
        ("fields", fields),
        ("lists", lists),
        ("people", contacts),
        ("aliases", aliases),
        ("administrators", administrators),
        ("messages", messages),
    ];
    if json {
        say_json(summary)?;
    } else {
        say_counts(&kinds);
        say_end(*dry_run, administrators);
    }
    Ok(code_of(&kinds))
}

/// Success, if nothing was refused.
pub(super) fn code_of(kinds: &[(&str, &Count)]) -> ExitCode {
    let is_whole = kinds.iter().all(|(_, count)| count.rejected == 0);
    if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tells how many of each kind came in.
pub(super) fn say_counts(kinds: &[(&str, &Count)]) {
    for (name, Count { created, skipped, rejected }) in kinds {
        say(format_args!("{name}: {created} created, {skipped} skipped, {rejected} refused"));
    }
}

/// Tells what is left to know behind the counts.
pub(super) fn say_end(is_dry_run: bool, administrators: &Count) {
    if is_dry_run {
        say("Nothing was kept: a dry run");
    } else if 0 < administrators.created {
        say("Administrators were not mailed: crier admin link ADDRESS makes the link to choose a password");
    }
}

/// An import in progress.
pub(super) struct Run {
    pub(super) reached: Reached,
    pub(super) account: Option<String>,
    pub(super) report: Option<ImportReport>,
    /// Refusals that were printed.
    told: u64,
    /// Whether everything is only checked.
    pub(super) is_rehearsed: bool,
    /// Whether objects come from another program, whose values this one may not know: what is refused is left out.
    pub(super) is_foreign: bool,
    pub(super) summary: Summary,
}

impl Run {
    /// Begins an import.
    pub(super) fn new(
        reached: Reached,
        account: Option<String>,
        report: Option<ImportReport>,
        is_rehearsed: bool,
    ) -> Run {
        let summary = Summary { dry_run: is_rehearsed, ..Summary::default() };
        Run { reached, account, report, told: 0, is_rehearsed, is_foreign: false, summary }
    }

    fn all(&mut self, directory: &Path, file: &AccountFile) -> Result<(), Failure> {
        let lists: Vec<Map<String, Value>> =
            read_json(&directory.join(LISTS_FILE), "the export is not whole")?;
        // People and messages name them: a list that cannot be made is told before anything else is done.
        let coming_fields = self.fields(&file.fields)?;
        let coming_lists = self.lists(&lists)?;
        self.people(directory, coming_lists.clone(), coming_fields)?;
        if file.list.is_none() {
            let aliases = read_json(&directory.join(ALIASES_FILE), "the export is not whole")?;
            self.aliases(aliases)?;
            let admins = read_json(&directory.join(ADMINS_FILE), "the export is not whole")?;
            self.admins(ADMINS_FILE, admins)?;
        }
        self.archives(directory, &lists, &coming_lists)?;
        if file.list.is_none() && !self.is_rehearsed {
            self.settings(&file.account)?;
        }
        Ok(())
    }

    /// Tells that something was refused.
    pub(super) fn refuse(&mut self, source: &str, place: &str, reason: &str) -> Result<(), Failure> {
        self.told += 1;
        if self.told <= REJECTS_TOLD {
            tell(format_args!("{source}, {place}: {reason}"));
        } else if self.told == REJECTS_TOLD + 1 {
            tell("what else is refused is counted only; --report FILE names all of it");
        }
        self.note(source, place, "refused", reason)
    }

    pub(super) fn note(
        &mut self,
        source: &str,
        place: &str,
        outcome: &str,
        reason: &str,
    ) -> Result<(), Failure> {
        self.report.as_mut().map_or(Ok(()), |report| report.add([source, place, outcome, reason]))
    }
}

fn read_json<T: DeserializeOwned>(path: &Path, otherwise: &str) -> Result<T, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::Failed(format!("{otherwise}: {} cannot be read: {error}", path.display()))
    };
    let bytes = fs::read(path).map_err(|error| failed(&error))?;
    serde_json::from_slice(&bytes).map_err(|error| failed(&error))
}
