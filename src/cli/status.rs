//! `crier status`: prints how the server is, for a person or as JSON.

use std::process::ExitCode;

use clap::Args;

use super::manage::{CommonArgs, request, say_json};
use super::terminal::{say, say_prose};
use super::{Failure, unexpected};
use crate::control::status::StatusReply;
use crate::control::{Reply, Request};

/// `crier status`
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs `crier status`.
pub(super) fn run(args: &StatusArgs) -> Result<ExitCode, Failure> {
    let status = match request(&args.common, &Request::Status)? {
        Reply::Status(status) => status,
        other => return Err(unexpected(&other)),
    };
    if args.common.json {
        return say_json(&status);
    }
    tell(&status);
    Ok(ExitCode::SUCCESS)
}

/// A number with the word for one and for several.
fn number(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

fn tell(status: &StatusReply) {
    let version = &status.version;
    match (&status.running_since, &status.hostname) {
        (Some(since), Some(name)) => say(format_args!("{name} runs since {since} (crier {version})")),
        _ => say(format_args!("The server is stopped (crier {version}); its data file holds:")),
    }
    if !status.listeners.is_empty() {
        let listeners = status.listeners.iter().map(|at| format!("{} on {}", at.name, at.address));
        say_prose(&format!("Listens:  {}", listeners.collect::<Vec<_>>().join(", ")));
    }
    say(format_args!(
        "Holds:    {}, {}, {}, {}",
        number(status.accounts, "account", "accounts"),
        number(status.lists, "list", "lists"),
        number(status.contacts, "person", "people"),
        number(status.memberships, "membership", "memberships")
    ));
    if status.waiting == 0 {
        say("Waits:    nothing");
    } else {
        let since = status.waiting_since.as_ref().map(|time| format!(", the oldest since {time}"));
        let held =
            if status.on_hold == 0 { String::new() } else { format!(", {} of them on hold", status.on_hold) };
        say(format_args!(
            "Waits:    {}{}{held}",
            number(status.waiting, "copy", "copies"),
            since.unwrap_or_default()
        ));
        for at in &status.destinations {
            say(format_args!("          {} for {}", at.waiting, at.destination));
        }
    }
    if let Some(sent) = status.sent_last_day {
        say(format_args!(
            "Sent:     {} in the last 24 hours, as far as it ran",
            number(sent, "copy", "copies")
        ));
    }
    say(format_args!(
        "Approval: {}, {}",
        number(status.held_messages, "message waits", "messages wait"),
        number(status.pending_requests, "request waits", "requests wait")
    ));
    if let Some(newest) = &status.newest_backup {
        say(format_args!("Backup:   the newest is of {newest}"));
    }
    if status.faults.is_empty() {
        say("Faults:   none that it sees itself");
    }
    for fault in &status.faults {
        say_prose(&format!("Fault:    {fault}"));
    }
    for step in &status.next {
        say_prose(&format!("Next:     {step}"));
    }
}
