//! `crier import …`: imports the contacts that an account had in another program, and the archives of its lists
//! ([`mbox`]).
//!
//! Rows are written by a running server, or into the store of a stopped one, in frames of which a few are in progress
//! at a time, so that reading the source and making its rows durable overlap. Each row is accepted whole or not at
//! all. Good rows do not wait for bad ones: bad rows are reported with their lines, and can be written to a separate
//! file, corrected there and imported again.

mod crier;
mod mbox;
pub(in crate::cli) mod progress;
mod report;
mod sheet;
mod sources;
mod words;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::manage::{AccountArgs, say_json};
use super::terminal::{say, tell};
use super::values::Problems;
use super::{Absent, DataArgs, Failure, File, open_file, told, unexpected, unreachable};
use crate::control::Reply;
use crate::control::carrier::Carrier;
use crate::control::import::{FRAMES_MAX, FrameReply, ImportRequest, ImportRow, ROWS_PER_FRAME};
use crate::ops::people::imports::Existing;
use progress::Progress;
use sheet::{Rejects, Sheet, SheetRow};
use words::{REJECTS_TOLD, SPEED_TOLD_FROM, cut_short, rate, refusal_of};

const AFTER_HELP: &str = "\
The first line names the columns: email, name (or firstname and surname), lists, ccid, notes, and custom \
fields by name or identifier. Names of columns that Google Contacts, Google Groups, Outlook, Thunderbird, \
Mailchimp and listmonk export are understood too, in several languages; titles may stand above them. A file of \
addresses alone needs no such line. Several addresses or lists stand in one cell with commas or semicolons \
between them. The file is UTF-8, or UTF-16 as Excel writes it; commas, semicolons or tabs separate its cells.

What a person decided elsewhere is never passed over. Columns such as status, unsubscribed, blacklisted, \
confirmed or Email status decide: who is unsubscribed or pending is not added, who bounces is paused. Who left \
a list here or complained is not added to it.

Every row is taken whole or not at all. Bad rows are printed with their line numbers, and the others are \
imported; the exit code is 1 then. An import that was cut short is finished by running it again.";

const EXISTING_HELP: &str = "What to do with a contact that is there already: skip (it stays as it is), update (it \
    takes over what the row says, and joins the lists), add (it gets what it lacks, and joins the lists) or fail (the \
    row is refused)";

/// `crier import …`
#[derive(Debug, Subcommand)]
pub(super) enum ImportCommand {
    /// Import contacts from a CSV file
    #[command(after_help = AFTER_HELP)]
    Contacts(ContactsArgs),
    /// Import messages of an mbox, Maildir or pipermail archive into the archive of a list
    #[command(after_help = mbox::AFTER_HELP)]
    Mbox(mbox::MboxArgs),
    /// Import what crier export wrote: lists with their settings, people, aliases, administrators and archives
    #[command(after_help = crier::AFTER_HELP)]
    Crier(crier::CrierArgs),
}

/// The flags of `import contacts` as they are typed.
#[derive(Debug, Args)]
pub(super) struct ContactsArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// CSV file; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// List that every contact of the file joins who is made or updated; may be repeated
    #[arg(long = "list", env = "CRIER_LIST", value_name = "LIST", value_delimiter = ',')]
    lists: Vec<String>,
    #[arg(long, env = "CRIER_EXISTING", value_name = "WHAT", default_value = "skip", help = EXISTING_HELP)]
    existing: String,
    /// Pass over the columns that are not understood
    #[arg(long, env = "CRIER_IGNORE_UNKNOWN", value_parser = BoolishValueParser::new())]
    ignore_unknown: bool,
    /// Add people too who left a list, complained or came as opted out: only if they have asked for mail again since
    #[arg(long, env = "CRIER_OVERRIDE_OPT_OUT", value_parser = BoolishValueParser::new())]
    override_opt_out: bool,
    /// Check every row and keep nothing
    #[arg(long, env = "CRIER_DRY_RUN", value_parser = BoolishValueParser::new())]
    dry_run: bool,
    /// Write the rows that are refused to this file too, with the reason behind them
    #[arg(long, env = "CRIER_REJECTS", value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// The results of an import.
#[derive(Debug, Default, Serialize)]
struct Summary {
    created: u64,
    updated: u64,
    skipped: u64,
    rejected: u64,
    opted_out: u64,
    dry_run: bool,
    seconds: f64,
    contacts_per_second: f64,
}

/// Runs the command.
pub(super) fn run(command: ImportCommand) -> Result<ExitCode, Failure> {
    match command {
        ImportCommand::Contacts(args) => run_contacts(args),
        ImportCommand::Mbox(args) => mbox::run(args),
        ImportCommand::Crier(args) => crier::run(args),
    }
}

fn run_contacts(args: ContactsArgs) -> Result<ExitCode, Failure> {
    let ContactsArgs {
        data,
        account,
        file,
        lists,
        existing,
        ignore_unknown,
        override_opt_out,
        dry_run,
        rejects,
        json,
    } = args;
    let mut problems = Problems::default();
    let read =
        |text: &str| Existing::from_word(text).ok_or_else(|| "must be skip, add, update or fail".to_owned());
    let Some(existing) = problems.read("--existing", &existing, read) else { return Err(problems.into()) };
    let mut sheet = Sheet::open(&file)?;
    let request = ImportRequest {
        account: account.name(),
        columns: sheet.columns(),
        lists,
        existing,
        dry_run,
        ignore_unknown,
        override_opt_out,
    };
    let started = Instant::now();
    let mut run = Run {
        carrier: begin(&data.data, &request)?,
        rejects: rejects.map(|path| Rejects::create(&path, &sheet)).transpose()?,
        summary: Summary { dry_run, ..Summary::default() },
        under_way: VecDeque::new(),
        progress: Progress::start("contacts", sheet.size_bytes()),
        full: None,
    };
    let done = run.all(&mut sheet);
    let Run { carrier, rejects, summary, progress, full, under_way: _ } = run;
    progress.finish();
    carrier.finish();
    rejects.map_or(Ok(()), Rejects::finish)?;
    done?;
    print(summary, full, started.elapsed(), json)
}

fn print(mut summary: Summary, full: Option<u64>, took: Duration, json: bool) -> Result<ExitCode, Failure> {
    let contacts = summary.created + summary.updated;
    summary.seconds = took.as_secs_f64();
    summary.contacts_per_second = rate(contacts, took);
    if let Some(contacts_max) = full {
        tell(format_args!(
            "The address book is full at {contacts_max} contacts: crier account set NAME --contacts-max N"
        ));
    }
    let code = if summary.rejected == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if json {
        say_json(&summary)?;
        return Ok(code);
    }
    let Summary { created, updated, skipped, rejected, opted_out, dry_run, seconds, contacts_per_second } =
        summary;
    let kept = if dry_run { "; nothing was kept: a dry run" } else { "" };
    say(format_args!("{created} created, {updated} updated, {skipped} skipped, {rejected} refused{kept}"));
    if 0 < skipped {
        say(format_args!(
            "Skipped are those who were contacts already: they stay as they are, and join no list. \
             --existing update adds them"
        ));
    }
    if 0 < opted_out {
        say(format_args!(
            "{opted_out} of the refused left a list, complained or opted out elsewhere, and are not added. \
             --override-opt-out adds those who have asked for mail again since"
        ));
    }
    // The speed of a small import means nothing.
    if SPEED_TOLD_FROM <= contacts {
        say(format_args!("{contacts_per_second} contacts a second, {seconds:.1} s in all"));
    }
    Ok(code)
}

/// Begins an import at the server that runs on the data folder, else on the store itself.
fn begin(data_dir: &Path, request: &ImportRequest) -> Result<Carrier, Failure> {
    let begun = Carrier::to_server(data_dir, request).map_err(|error| unreachable(data_dir, &error))?;
    let begun = if let Some(begun) = begun {
        begun
    } else {
        let File { host, runtime } = open_file(data_dir, Absent::Refuse)?;
        Carrier::to_file(&host, request, runtime).inspect_err(|_| host.core.store.close_blocking())
    };
    let (carrier, ignored) = begun.map_err(|refusal| refusal_of(*refusal))?;
    if !ignored.is_empty() {
        tell(format_args!("These columns are passed over: {}", ignored.join(", ")));
    }
    Ok(carrier)
}

/// An import in progress.
struct Run {
    carrier: Carrier,
    rejects: Option<Rejects>,
    summary: Summary,
    /// Frames that are not answered yet, the earliest first; kept to report the rows that are refused.
    under_way: VecDeque<Vec<ImportRow>>,
    progress: Progress,
    full: Option<u64>,
}

impl Run {
    fn all(&mut self, sheet: &mut Sheet) -> Result<(), Failure> {
        let mut is_done = false;
        while !is_done {
            let mut frame = Vec::with_capacity(ROWS_PER_FRAME);
            while frame.len() < ROWS_PER_FRAME && !is_done {
                match sheet.next()? {
                    SheetRow::Row(row) => frame.push(row),
                    SheetRow::Bad(row, reason) => self.reject(&row, &reason)?,
                    SheetRow::End => is_done = true,
                }
            }
            if !frame.is_empty() {
                self.send(frame)?;
            }
            self.progress.at(sheet.position_bytes(), self.summary.created + self.summary.updated);
        }
        while !self.under_way.is_empty() {
            self.receive()?;
        }
        Ok(())
    }

    fn send(&mut self, frame: Vec<ImportRow>) -> Result<(), Failure> {
        if self.under_way.len() == FRAMES_MAX {
            self.receive()?;
        }
        self.carrier.send(frame.clone()).map_err(cut_short)?;
        self.under_way.push_back(frame);
        Ok(())
    }

    fn receive(&mut self) -> Result<(), Failure> {
        let reply = match told(self.carrier.receive().map_err(cut_short)?)? {
            Reply::Rows(reply) => reply,
            other => return Err(unexpected(&other)),
        };
        let rows = self.under_way.pop_front().unwrap_or_default();
        let FrameReply { created, updated, skipped, rejected, opted_out, full } = reply;
        self.summary.opted_out += opted_out;
        self.summary.created += created;
        self.summary.updated += updated;
        self.summary.skipped += skipped;
        self.full = full.or(self.full);
        for (line, reason) in rejected {
            let row = rows.iter().find(|(number, _)| *number == line);
            self.reject(row.unwrap_or(&(line, Vec::new())), &reason)?;
        }
        Ok(())
    }

    fn reject(&mut self, (line, cells): &ImportRow, reason: &str) -> Result<(), Failure> {
        self.summary.rejected += 1;
        if self.summary.rejected <= REJECTS_TOLD {
            self.progress.tell(&format!("line {line}: {reason}"));
        } else if self.summary.rejected == REJECTS_TOLD + 1 {
            self.progress.tell("further refused rows are counted only; --rejects FILE takes all of them");
        }
        self.rejects.as_mut().map_or(Ok(()), |rejects| rejects.add(cells, reason))
    }
}
