//! `crier import contacts`: imports the people that an account had in another program, notes those who opted out there,
//! or makes a list the same as a file.
//!
//! Rows are written by a running server, or into the store of a stopped one, in frames of which a few are in progress
//! at a time, so that reading the source and making its rows durable overlap. Each row is accepted whole or not at
//! all. Good rows do not wait for bad ones: bad rows are reported with their lines, and can be written to a separate
//! file, corrected there and imported again.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::common::CommonArgs;
use super::progress::Progress;
use super::report::ImportReport;
use super::sheet::{Rejects, Sheet, SheetRow, SheetSource};
use super::words::{REJECTS_TOLD, SPEED_TOLD_FROM, cut_short, rate, refusal_of};
use crate::cli::manage::{AccountArgs, say_json};
use crate::cli::terminal::{say, tell};
use crate::cli::values::Problems;
use crate::cli::{Absent, DataArgs, Failure, File, open_file, told, unexpected, unreachable};
use crate::control::Reply;
use crate::control::carrier::Carrier;
use crate::control::import::{
    FRAMES_MAX, Frame, FrameReply, FrameStep, ImportMode, ImportRequest, ImportRow, ROWS_PER_FRAME,
};
use crate::ops::people::imports::Existing;

pub(super) const AFTER_HELP: &str = "\
The first line names the columns: email, name (or firstname and surname), lists, ccid, notes, and custom \
fields by name or identifier. Names of columns that Google Contacts, Outlook and Thunderbird export are understood \
too, in several languages; titles may stand above them. A file of addresses alone needs no such line. Several \
addresses or lists stand in one cell with commas or semicolons between them. The file is UTF-8, or UTF-16 as Excel \
writes it; commas, semicolons or tabs separate its cells. It may be JSON with an object for each person, or a zip of \
such files.

Exports of Google Groups, Groups.io, listmonk, phpList, Mailchimp (a file or the zip of an audience), Simplelists, \
Keila and Mailtrain are known by their columns. What they have that Crier has not is told at the end, with the number \
of people: columns without a field, who may post, owners and managers. When people joined there is kept with their \
membership, and who takes digests there takes them here.

What a person decided elsewhere is never passed over. Columns such as status, unsubscribed, blacklisted, \
confirmed or Email status decide, and so do names of files such as unsubscribed_… and cleaned_…: who is unsubscribed \
or pending is not added, who bounces is paused. Who left a list here or complained is not added to it. With \
--opted-out, no later import and no administrator adds the people of a file to the lists, or to any list without \
--list, until they ask for it.

With --sync, the members of one list become those of the file: people join, change and leave, each noted in the audit \
log. If more than a fifth of the members would leave, nothing is changed; --force does it all the same.

Every row is taken whole or not at all. Bad rows are printed with their line numbers, and the others are \
imported; the exit code is 1 then. An import that was cut short is finished by running it again.";

const EXISTING_HELP: &str = "What to do with a contact that is there already: skip (it stays as it is), update (it \
    takes over what the row says, and joins the lists), add (it gets what it lacks, and joins the lists) or fail (the \
    row is refused)";

/// Names of what is left behind that are printed; the report has all.
const LEFT_BEHIND_TOLD: usize = 40;
/// Owners and managers who are printed; the report has all.
const ROLES_TOLD: usize = 20;

/// The flags of `import contacts` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ContactsArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// CSV or JSON file, or a zip of them; - for standard input
    #[arg(value_name = "FILE", required_unless_present = "opted_out")]
    file: Option<PathBuf>,
    /// Files of people who opted out: they are added to no list until they ask for it. They are read first
    #[arg(long, env = "CRIER_OPTED_OUT", value_name = "FILE", num_args = 1.., conflicts_with = "sync")]
    opted_out: Vec<PathBuf>,
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
    /// Make the members of the list those of the file: who is not in it leaves
    #[arg(long, env = "CRIER_SYNC", value_parser = BoolishValueParser::new())]
    sync: bool,
    /// With --sync, let more than a fifth of the members leave
    #[arg(long, env = "CRIER_FORCE", requires = "sync", value_parser = BoolishValueParser::new())]
    force: bool,
    /// Check every row and keep nothing
    #[arg(long, env = "CRIER_DRY_RUN", value_parser = BoolishValueParser::new())]
    dry_run: bool,
    /// Write the rows that are refused to this file too, with the reason behind them
    #[arg(long, env = "CRIER_REJECTS", value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Write what was refused and what was not taken over to this CSV file, which only you can read
    #[arg(long, env = "CRIER_REPORT", value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

impl ContactsArgs {
    /// The flags that import a file into lists, without any that this command alone has.
    pub(super) fn of(common: CommonArgs, file: PathBuf, lists: Vec<String>) -> ContactsArgs {
        let CommonArgs { data, account, dry_run, report, json } = common;
        ContactsArgs {
            data,
            account,
            file: Some(file),
            opted_out: Vec::new(),
            lists,
            existing: Existing::Skip.word().to_owned(),
            ignore_unknown: false,
            override_opt_out: false,
            sync: false,
            force: false,
            dry_run,
            rejects: None,
            report,
            json,
        }
    }
}

/// The results of an import.
#[derive(Debug, Default, Serialize)]
struct Summary {
    created: u64,
    updated: u64,
    skipped: u64,
    rejected: u64,
    opted_out: u64,
    /// People of files of --opted-out who were not noted before.
    kept_out: u64,
    /// Members who left with --sync.
    left: u64,
    dry_run: bool,
    /// The services and programs that the files come from, as far as they are known.
    origins: Vec<String>,
    /// What the files have that there is no place for, with the number of people.
    not_taken_over: BTreeMap<String, u64>,
    /// People who have a part in running the list where they come from.
    roles: Vec<RoleTold>,
    seconds: f64,
    contacts_per_second: f64,
}

/// Somebody who may be an administrator.
#[derive(Debug, Serialize)]
struct RoleTold {
    email: String,
    role: String,
}

/// Runs the command.
pub(super) fn run(args: ContactsArgs) -> Result<ExitCode, Failure> {
    let ContactsArgs {
        data,
        account,
        file,
        opted_out,
        lists,
        existing,
        ignore_unknown,
        override_opt_out,
        sync,
        force,
        dry_run,
        rejects,
        report,
        json,
    } = args;
    let mut problems = Problems::default();
    let read =
        |text: &str| Existing::from_word(text).ok_or_else(|| "must be skip, add, update or fail".to_owned());
    let Some(existing) = problems.read("--existing", &existing, read) else { return Err(problems.into()) };
    let mode = if sync { ImportMode::Synchronize { is_forced: force } } else { ImportMode::TakeIn };
    let tables = tables((&opted_out, file.as_deref()), mode)?;
    if 1 < tables.len() && (rejects.is_some() || sync) {
        let flag = if sync { "--sync" } else { "--rejects" };
        return Err(Failure::Failed(format!(
            "{flag} takes one table of people, and here are {}",
            tables.len()
        )));
    }
    let request = ImportRequest {
        account: account.name(),
        columns: Vec::new(),
        lists,
        existing,
        dry_run,
        ignore_unknown,
        override_opt_out,
        mode: ImportMode::TakeIn,
    };
    let started = Instant::now();
    let mut outcome = Outcome {
        report: report.map(|path| ImportReport::create(&path)).transpose()?,
        rejects: None,
        summary: Summary { dry_run, ..Summary::default() },
        full: None,
    };
    for (source, mode) in &tables {
        let sheet = source.open()?;
        outcome.rejects = rejects.as_deref().map(|path| Rejects::create(path, &sheet)).transpose()?;
        let request = ImportRequest {
            columns: sheet.columns(),
            ignore_unknown: ignore_unknown || *mode == ImportMode::KeepOut,
            mode: *mode,
            ..request.clone()
        };
        outcome = take(&data.data, &request, (source.name(), sheet), outcome)?;
    }
    outcome.finish(started.elapsed(), json, sync)
}

/// The tables of people who opted out, and then those of a file.
fn tables(
    (opted_out, file): (&[PathBuf], Option<&Path>),
    mode: ImportMode,
) -> Result<Vec<(SheetSource, ImportMode)>, Failure> {
    let opted_out = opted_out.iter().map(|path| (path.as_path(), ImportMode::KeepOut));
    let mut tables = Vec::new();
    for (path, mode) in opted_out.chain(file.map(|path| (path, mode))) {
        tables.extend(SheetSource::find(path)?.into_iter().map(|source| (source, mode)));
    }
    Ok(tables)
}

/// Takes a table in; what came of it is added to what came of others before.
fn take(
    data_dir: &Path,
    request: &ImportRequest,
    (source, mut sheet): (String, Sheet),
    outcome: Outcome,
) -> Result<Outcome, Failure> {
    let (carrier, origin) = begin(data_dir, request)?;
    let mut run = Run {
        carrier,
        mode: request.mode,
        outcome,
        source,
        under_way: VecDeque::new(),
        progress: Progress::start("contacts", sheet.size_bytes()),
    };
    if let Some(origin) = origin
        && !run.outcome.summary.origins.contains(&origin)
    {
        run.outcome.summary.origins.push(origin);
    }
    let done = run.all(&mut sheet);
    let Run { carrier, mut outcome, progress, mode: _, source: _, under_way: _ } = run;
    progress.finish();
    carrier.finish();
    outcome.rejects.take().map_or(Ok(()), Rejects::finish)?;
    if let Err(failure) = done {
        outcome.report.take().map_or(Ok(()), ImportReport::finish)?;
        return Err(failure);
    }
    Ok(outcome)
}

/// Begins an import at the server that runs on the data folder, else on the store itself.
fn begin(data_dir: &Path, request: &ImportRequest) -> Result<(Carrier, Option<String>), Failure> {
    let begun = Carrier::to_server(data_dir, request).map_err(|error| unreachable(data_dir, &error))?;
    let begun = if let Some(begun) = begun {
        begun
    } else {
        let File { host, runtime } = open_file(data_dir, Absent::Refuse)?;
        Carrier::to_file(&host, request, runtime).inspect_err(|_| host.core.store.close_blocking())
    };
    begun.map_err(|refusal| refusal_of(*refusal))
}

/// What came of the tables so far.
struct Outcome {
    report: Option<ImportReport>,
    rejects: Option<Rejects>,
    summary: Summary,
    full: Option<u64>,
}

impl Outcome {
    /// Writes the rest of the report, and prints the numbers.
    fn finish(mut self, took: Duration, json: bool, sync: bool) -> Result<ExitCode, Failure> {
        if let Some(mut report) = self.report.take() {
            for (name, people) in &self.summary.not_taken_over {
                report.add(["", "", "not taken over", &format!("{name}: {}", people_words(*people))])?;
            }
            report.finish()?;
        }
        let summary = &mut self.summary;
        let contacts = summary.created + summary.updated;
        summary.seconds = took.as_secs_f64();
        summary.contacts_per_second = rate(contacts, took);
        if let Some(contacts_max) = self.full {
            tell(format_args!(
                "The address book is full at {contacts_max} contacts: crier account set NAME --contacts-max N"
            ));
        }
        // Who opted out stays out each time a list is made the same as a file, and that is no fault of the file.
        let faults = if sync { summary.rejected - summary.opted_out } else { summary.rejected };
        let code = if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        if json {
            say_json(summary)?;
        } else {
            print(summary, sync);
        }
        Ok(code)
    }
}

fn print(summary: &Summary, sync: bool) {
    let Summary { created, updated, skipped, rejected, opted_out, kept_out, left, dry_run, .. } = summary;
    if !summary.origins.is_empty() {
        say(format_args!("Exported by {}", summary.origins.join(" and ")));
    }
    let left_words = if sync { format!(", {left} left") } else { String::new() };
    let kept = if *dry_run { "; nothing was kept: a dry run" } else { "" };
    say(format_args!(
        "{created} created, {updated} updated, {skipped} skipped, {rejected} refused{left_words}{kept}"
    ));
    if 0 < *kept_out {
        say(format_args!("{kept_out} opted out elsewhere: no import adds them from now on"));
    }
    if 0 < *skipped && !sync {
        say(format_args!(
            "Skipped are those who were contacts already: they stay as they are, and join no list. \
             --existing update adds them"
        ));
    }
    if 0 < *opted_out {
        say(format_args!(
            "{opted_out} of the refused left a list, complained or opted out elsewhere, and are not added. \
             --override-opt-out adds those who have asked for mail again since"
        ));
    }
    if !summary.not_taken_over.is_empty() {
        say("These have no place here, and were not taken over; crier field add keeps a column:");
        for (name, people) in summary.not_taken_over.iter().take(LEFT_BEHIND_TOLD) {
            say(format_args!("  {name}: {}", people_words(*people)));
        }
        if LEFT_BEHIND_TOLD < summary.not_taken_over.len() {
            say("  and others, which --report FILE names");
        }
    }
    if !summary.roles.is_empty() {
        say(
            "These ran the list there, and are members alone here; invite them with crier admin create ADDRESS:",
        );
        for RoleTold { email, role } in summary.roles.iter().take(ROLES_TOLD) {
            say(format_args!("  {email} ({role})"));
        }
        if ROLES_TOLD < summary.roles.len() {
            say("  and others, whom --report FILE names");
        }
    }
    // The speed of a small import means nothing.
    if SPEED_TOLD_FROM <= created + updated {
        let Summary { contacts_per_second, seconds, .. } = summary;
        say(format_args!("{contacts_per_second} contacts a second, {seconds:.1} s in all"));
    }
}

fn people_words(people: u64) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{people} people") }
}

/// An import in progress.
struct Run {
    carrier: Carrier,
    mode: ImportMode,
    outcome: Outcome,
    /// The name of the table.
    source: String,
    /// Frames that are not answered yet, the earliest first; kept to report the rows that are refused.
    under_way: VecDeque<Vec<ImportRow>>,
    progress: Progress,
}

impl Run {
    fn all(&mut self, sheet: &mut Sheet) -> Result<(), Failure> {
        match self.mode {
            ImportMode::TakeIn | ImportMode::KeepOut => self.rows(sheet)?,
            ImportMode::Synchronize { .. } => return self.synchronize(sheet),
        }
        self.receive_all()
    }

    /// Sends the rows as they are read.
    fn rows(&mut self, sheet: &mut Sheet) -> Result<(), Failure> {
        let mut is_done = false;
        while !is_done {
            let mut rows = Vec::with_capacity(ROWS_PER_FRAME);
            while rows.len() < ROWS_PER_FRAME && !is_done {
                is_done = self.read(sheet, &mut rows)?;
            }
            if !rows.is_empty() {
                self.send(FrameStep::Take, rows)?;
            }
            let Summary { created, updated, .. } = &self.outcome.summary;
            self.progress.at(sheet.position_bytes(), created + updated);
        }
        Ok(())
    }

    /// Adds the next row; returns whether there is none.
    fn read(&mut self, sheet: &mut Sheet, rows: &mut Vec<ImportRow>) -> Result<bool, Failure> {
        match sheet.next()? {
            SheetRow::Row(row) => rows.push(row),
            SheetRow::Bad(row, reason) => self.reject(&row, &reason)?,
            SheetRow::End => return Ok(true),
        }
        Ok(false)
    }

    /// Sends the rows to be looked at; then, if not too many leave, to be taken; then has the others leave.
    fn synchronize(&mut self, sheet: &mut Sheet) -> Result<(), Failure> {
        let mut rows = Vec::new();
        while !self.read(sheet, &mut rows)? {}
        for part in rows.chunks(ROWS_PER_FRAME) {
            self.send(FrameStep::Look, part.to_vec())?;
        }
        self.send(FrameStep::Decide, Vec::new())?;
        self.receive_all()?;
        for part in rows.chunks(ROWS_PER_FRAME) {
            self.send(FrameStep::Take, part.to_vec())?;
        }
        self.receive_all()?;
        loop {
            self.send(FrameStep::Leave, Vec::new())?;
            let before = self.outcome.summary.left;
            self.receive_all()?;
            if self.outcome.summary.left == before {
                return Ok(());
            }
        }
    }

    fn send(&mut self, step: FrameStep, rows: Vec<ImportRow>) -> Result<(), Failure> {
        if self.under_way.len() == FRAMES_MAX {
            self.receive()?;
        }
        self.carrier.send(Frame { rows: rows.clone(), step }).map_err(cut_short)?;
        self.under_way.push_back(rows);
        Ok(())
    }

    fn receive_all(&mut self) -> Result<(), Failure> {
        while !self.under_way.is_empty() {
            self.receive()?;
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<(), Failure> {
        let reply = match told(self.carrier.receive().map_err(cut_short)?)? {
            Reply::Rows(reply) => reply,
            other => return Err(unexpected(&other)),
        };
        let rows = self.under_way.pop_front().unwrap_or_default();
        let FrameReply { created, updated, skipped, rejected, opted_out, full, left, left_behind, roles } =
            reply;
        let summary = &mut self.outcome.summary;
        if self.mode == ImportMode::KeepOut {
            summary.kept_out += created;
        } else {
            summary.created += created;
        }
        summary.opted_out += opted_out;
        summary.updated += updated;
        summary.skipped += skipped;
        summary.left += left;
        for (name, people) in left_behind {
            *summary.not_taken_over.entry(name).or_default() += people;
        }
        self.outcome.full = full.or(self.outcome.full);
        for (line, role, email) in roles {
            let words = format!("{email} is {role} there: crier admin create {email}");
            self.note(line, "administrator", &words)?;
            self.outcome.summary.roles.push(RoleTold { email, role });
        }
        for (line, reason) in rejected {
            let row = rows.iter().find(|(number, _)| *number == line);
            self.reject(row.unwrap_or(&(line, Vec::new())), &reason)?;
        }
        Ok(())
    }

    fn reject(&mut self, (line, cells): &ImportRow, reason: &str) -> Result<(), Failure> {
        let rejected = &mut self.outcome.summary.rejected;
        *rejected += 1;
        if *rejected <= REJECTS_TOLD {
            self.progress.tell(&format!("line {line}: {reason}"));
        } else if *rejected == REJECTS_TOLD + 1 {
            self.progress.tell(
                "further refused rows are counted only; --rejects FILE takes all of them, and --report FILE names them",
            );
        }
        self.note(*line, "refused", reason)?;
        self.outcome.rejects.as_mut().map_or(Ok(()), |rejects| rejects.add(cells, reason))
    }

    fn note(&mut self, line: u64, outcome: &str, reason: &str) -> Result<(), Failure> {
        let place = format!("line {line}");
        let report = &mut self.outcome.report;
        report.as_mut().map_or(Ok(()), |report| report.add([&self.source, &place, outcome, reason]))
    }
}
