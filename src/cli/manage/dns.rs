//! `crier dns` and `crier dkim …`: print DNS records with their state, and rotate DKIM keys.
//!
//! The work is done by `control::publish`; this module parses flags and prints replies.

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{ArgGroup, Args, Subcommand};
use serde_json::json;

use super::{CommonArgs, request, say_json};
use crate::cli::records::say_state;
use crate::cli::terminal::{say, say_prose};
use crate::cli::{Failure, unexpected};
use crate::control::publish::{PublishAction, PublishRequest, PublishedReply, RecordReply};
use crate::control::{Reply, Request};

/// Shown at the end of `crier dns --help`.
const DNS_AFTER_HELP: &str = "\
The state of a record is one of:
  right    it is published as it has to be
  missing  there is none: publish what is shown
  wrong    something else is published, which is shown below it
  old      of keys that sign no more: it may be taken away at the time shown
  unknown  this server cannot tell, or the DNS did not answer

The running server keeps what it found for a minute. The exit code is 1 if a record is missing or
wrong. A domain that an account has added for itself, and that is not its own until the DNS proves
it, is shown with the records that do.";

/// Shown at the end of `crier dkim rotate --help`.
const ROTATE_AFTER_HELP: &str = "\
New keys sign nothing at first. Publish the records that are printed; the running server looks for
them every 10 minutes, and signs with the new keys once all of them are there. With --activate it
does so at once, seen or not. Leave the records of the old keys where they are for 7 days more:
what they signed may still be on its way. Afterwards the server forgets these keys, and `crier dns`
shows them no longer. Run again while new keys wait, the command prints their records again.";

/// `crier dns`
#[derive(Debug, Args)]
#[command(after_help = DNS_AFTER_HELP)]
pub(in crate::cli) struct DnsArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The domain [default: all of the server]
    #[arg(long, env = "CRIER_DOMAIN", value_name = "DOMAIN")]
    domain: Option<String>,
}

/// `crier dkim …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum KeysCommand {
    /// Give a domain new DKIM keys, and print the DNS records that they need before they sign
    Rotate(RotateArgs),
}

/// `crier dkim rotate`
#[derive(Debug, Args)]
#[command(after_help = ROTATE_AFTER_HELP, group = ArgGroup::new("which").required(true).args(["domain", "all"]))]
pub(in crate::cli) struct RotateArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The domain
    #[arg(long, env = "CRIER_DOMAIN", value_name = "DOMAIN")]
    domain: Option<String>,
    /// Every domain of the server
    #[arg(long)]
    all: bool,
    /// Sign from now on with the new keys that wait, whether their records are seen or not
    #[arg(long, env = "CRIER_ACTIVATE", value_parser = BoolishValueParser::new())]
    activate: bool,
}

/// Runs `crier dns`.
pub(in crate::cli) fn run(args: DnsArgs) -> Result<ExitCode, Failure> {
    let DnsArgs { common, domain } = args;
    let domains = published(&common, PublishAction::Show, domain)?;
    let has_fault = |record: &RecordReply| matches!(&*record.state, "wrong" | "missing");
    // A claim that is not proven is no fault of the operator, so it does not count as a problem.
    let verified = domains.iter().filter(|domain| domain.verified);
    let is_wrong = verified.flat_map(|domain| &domain.records).any(has_fault);
    if common.json {
        say_json(&json!({"domains": domains}))?;
    } else {
        if !domains.is_empty() && domains.iter().all(|domain| !domain.checked) {
            say("Nothing was checked: no server runs, and only a running server asks the DNS.");
            say("These records are to be published:\n");
        }
        for domain in &domains {
            say(format_args!("{}: {}\n", domain.name, signed_with(domain)));
            domain.records.iter().for_each(|record| say_state(record, domain.checked));
            say("");
        }
        let mut notes: Vec<&String> = domains.iter().flat_map(|domain| &domain.notes).collect();
        notes.dedup();
        for note in notes {
            say_prose(note);
        }
    }
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Runs `crier dkim …`.
pub(in crate::cli) fn run_keys(command: KeysCommand) -> Result<ExitCode, Failure> {
    let KeysCommand::Rotate(RotateArgs { common, domain, all: _, activate }) = command;
    let action = if activate { PublishAction::Activate } else { PublishAction::Rotate };
    let domains = published(&common, action, domain)?;
    if common.json {
        return say_json(&json!({"domains": domains}));
    }
    if domains.is_empty() {
        say("No new keys wait: make some first, without --activate");
    }
    for domain in &domains {
        say(format_args!("{}: {}\n", domain.name, signed_with(domain)));
        for record in records_of_keys(domain) {
            say_state(record, domain.checked);
        }
        say("");
    }
    if !activate {
        say("Publish the new records. The running server signs with the new keys once it sees them;");
        say("crier dns shows how they stand.");
    }
    Ok(ExitCode::SUCCESS)
}

pub(in crate::cli) fn published(
    common: &CommonArgs,
    action: PublishAction,
    domain: Option<String>,
) -> Result<Vec<PublishedReply>, Failure> {
    match request(common, &Request::Publish(PublishRequest { action, domain }))? {
        Reply::Published { domains } => Ok(domains),
        other => Err(unexpected(&other)),
    }
}

fn signed_with(domain: &PublishedReply) -> String {
    let PublishedReply { selector, next_selector, .. } = domain;
    if !domain.verified {
        return format!("not verified; account {} has added it, and it takes no mail", domain.account);
    }
    match next_selector {
        Some(next) => format!("signed with {selector}; {next} signs once its records are seen"),
        None => format!("signed with {selector}"),
    }
}

/// The records of DKIM keys; only those of the new keys if some wait.
fn records_of_keys(domain: &PublishedReply) -> Vec<&RecordReply> {
    let PublishedReply { name, selector, next_selector, records, .. } = domain;
    let selector = next_selector.as_ref().unwrap_or(selector);
    let names =
        [selector.clone(), format!("{selector}-ed")].map(|label| format!("{label}._domainkey.{name}"));
    records.iter().filter(|record| names.contains(&record.name) || record.state == "old").collect()
}
