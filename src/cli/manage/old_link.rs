//! `crier link …`: manages where the addresses of pages lead that another server had.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::{AccountArgs, CommonArgs, request, say_json};
use crate::cli::show::{self, counted};
use crate::cli::terminal::{say, tell};
use crate::cli::{Failure, unexpected};
use crate::control::old_links::{OldLinksAction, OldLinksReply, OldLinksRequest};
use crate::control::{Reply, Request};

/// Rows that are sent together.
const ROWS_PER_REQUEST: usize = 2000;
/// Bytes of the largest file of addresses.
const FILE_BYTES_MAX: u64 = 256 << 20;

const ABOUT_ADDRESSES: &str = "\
Addresses of Mailman, HyperKitty, Postorius and Sympa are understood by themselves: crier import mbox --old-url \
names the old server, and crier import pipermail-links reads the numbers of messages.

An old address is a URL, whose host leads here from then on, or a path, which leads on at every host. The new one is \
a path of these pages, a URL, or the name of a list. The DNS of an old host has to lead to this server; with \
--acme it gets a certificate.";

/// `crier link …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum OldLinkCommand {
    /// Have an old address lead somewhere
    #[command(after_help = ABOUT_ADDRESSES)]
    Add(AddArgs),
    /// Have the old addresses of a CSV file lead where its second column says
    #[command(after_help = ABOUT_ADDRESSES)]
    Import(ImportArgs),
    /// List the old hosts, and the addresses that were given by hand
    List(ListArgs),
    /// Forget an old address that was given by hand, or an old host
    Delete(DeleteArgs),
    /// Have Mailman 3's addresses of a list's messages lead to them, also of those that came before this was kept
    Rebuild(RebuildArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AddArgs {
    #[command(flatten)]
    of: OfArgs,
    /// The old address: a URL, or a path
    #[arg(value_name = "OLD")]
    old: String,
    /// Where it leads: a path, a URL, or the name of a list
    #[arg(value_name = "NEW")]
    new: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArgs {
    #[command(flatten)]
    of: OfArgs,
    /// CSV file with an old address and a new one in each line
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    of: OfArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    of: OfArgs,
    /// The old address, or the name of an old host
    #[arg(value_name = "OLD")]
    old: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct RebuildArgs {
    #[command(flatten)]
    of: OfArgs,
    /// List whose messages are meant
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: String,
}

/// Whose addresses are meant.
#[derive(Debug, Args)]
struct OfArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    account: AccountArgs,
}

impl OfArgs {
    fn ask(&self, action: OldLinksAction) -> Result<OldLinksReply, Failure> {
        let wanted = OldLinksRequest { account: self.account.clone().name(), action };
        match request(&self.common, &Request::OldLinks(wanted))? {
            Reply::OldLinks(reply) => Ok(*reply),
            other => Err(unexpected(&other)),
        }
    }
}

/// Runs the command.
pub(in crate::cli) fn run(command: OldLinkCommand) -> Result<ExitCode, Failure> {
    match command {
        OldLinkCommand::Add(args) => add(args),
        OldLinkCommand::Import(args) => import(&args),
        OldLinkCommand::List(args) => list(&args.of),
        OldLinkCommand::Delete(DeleteArgs { of, old }) => {
            of.ask(OldLinksAction::Delete { old: old.clone() })?;
            if of.common.json {
                return say_json(&serde_json::json!({"success": true}));
            }
            say(format_args!("{old} leads nowhere any more"));
            Ok(ExitCode::SUCCESS)
        }
        OldLinkCommand::Rebuild(RebuildArgs { of, list }) => {
            let made = of.ask(OldLinksAction::Rebuild { list })?.made;
            if of.common.json {
                return say_json(&serde_json::json!({"created": made}));
            }
            say(format_args!("{} more can be found by old addresses", counted(made, "message")));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn add(AddArgs { of, old, new }: AddArgs) -> Result<ExitCode, Failure> {
    let reply = of.ask(OldLinksAction::Add { links: vec![(1, old.clone(), new.clone())] })?;
    if let Some((_, reason)) = reply.refused.into_iter().next() {
        return Err(Failure::Failed(reason));
    }
    reply.notes.iter().for_each(tell);
    if of.common.json {
        return say_json(&serde_json::json!({"created": reply.made, "updated": reply.changed}));
    }
    say(format_args!("{old} leads to {new}"));
    Ok(ExitCode::SUCCESS)
}

fn import(ImportArgs { of, file }: &ImportArgs) -> Result<ExitCode, Failure> {
    let rows = read(file)?;
    let mut sum = OldLinksReply::default();
    for links in rows.chunks(ROWS_PER_REQUEST) {
        let reply = of.ask(OldLinksAction::Add { links: links.to_vec() })?;
        reply.notes.iter().for_each(tell);
        sum.made += reply.made;
        sum.changed += reply.changed;
        sum.refused.extend(reply.refused);
    }
    for (line, reason) in &sum.refused {
        tell(format_args!("line {line}: {reason}"));
    }
    let code = if sum.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    let (made, changed, refused) = (sum.made, sum.changed, sum.refused.len());
    if of.common.json {
        say_json(&serde_json::json!({"created": made, "updated": changed, "rejected": refused}))?;
        return Ok(code);
    }
    say(format_args!("{made} created, {changed} changed, {refused} refused"));
    Ok(code)
}

/// The rows of a file: each with its line. A first row that has no address names the columns.
fn read(path: &PathBuf) -> Result<Vec<(u64, String, String)>, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        Failure::Failed(format!("{} cannot be read: {error}", path.display()))
    };
    let size_bytes = fs::metadata(path).map_err(|error| unreadable(&error))?.len();
    if FILE_BYTES_MAX < size_bytes {
        return Err(Failure::Failed(format!("{} is larger than 256 MiB", path.display())));
    }
    let text = fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let first = text.lines().next().unwrap_or_default();
    let delimiter = ['\t', ';'].into_iter().find(|mark| first.contains(*mark)).unwrap_or(',');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(u8::try_from(delimiter).unwrap_or(b','))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let (old, new) = (record.get(0).unwrap_or_default(), record.get(1).unwrap_or_default());
        let is_address = old.starts_with('/') || old.contains("://");
        if old.is_empty() && new.is_empty() || (rows.is_empty() && line <= 1 && !is_address) {
            continue;
        }
        rows.push((line, old.to_owned(), new.to_owned()));
    }
    Ok(rows)
}

fn list(of: &OfArgs) -> Result<ExitCode, Failure> {
    let mut found = of.ask(OldLinksAction::List { after: None })?;
    while found.is_more {
        let after = found.links.last().map(|(old, _)| old.clone());
        let more = of.ask(OldLinksAction::List { after })?;
        found.is_more = more.is_more && !more.links.is_empty();
        found.links.extend(more.links);
    }
    if of.common.json {
        let links: Vec<serde_json::Value> =
            found.links.iter().map(|(old, new)| serde_json::json!({"old": old, "new": new})).collect();
        return say_json(&serde_json::json!({"hosts": found.hosts, "links": links}));
    }
    let hosts =
        found.hosts.iter().map(|host| vec![format!("https://{host}/"), "the account's pages".to_owned()]);
    let links = found.links.into_iter().map(|(old, new)| vec![old, new]);
    let rows: Vec<Vec<String>> = hosts.chain(links).collect();
    show::table(&["old", "leads to"], &rows, "There are no old addresses; crier link add makes one");
    Ok(ExitCode::SUCCESS)
}
