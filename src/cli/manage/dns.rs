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
use crate::control::publish::{OWN_ADDRESS, PublishAction, PublishRequest, PublishedReply, RecordReply};
use crate::control::{Reply, Request};

/// Seconds for which others may keep a record, in zone files.
const ZONE_TTL_SECS: u32 = 3600;
/// Longest string of a TXT record, in bytes (RFC 1035 3.3).
const STRING_BYTES_MAX: usize = 255;

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
    /// Print all records in the form of a zone file, to keep, or to paste or import at the DNS provider; nothing is looked up
    #[arg(long, env = "CRIER_ZONE", value_parser = BoolishValueParser::new(), conflicts_with = "json")]
    zone: bool,
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
    let DnsArgs { common, domain, zone } = args;
    if zone {
        say(zone_file(&published(&common, PublishAction::List, domain)?));
        return Ok(ExitCode::SUCCESS);
    }
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

/// The records of domains in the form of a zone file (RFC 1035 5).
fn zone_file(domains: &[PublishedReply]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for domain in domains {
        lines.push(format!(
            "; The DNS records of {}, as of crier {}.",
            domain.name,
            env!("CARGO_PKG_VERSION")
        ));
        for record in &domain.records {
            let line = zone_line(record);
            // Domains share the name of the mail server.
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.extend(domain.notes.iter().flat_map(|note| note.lines()).map(|line| format!("; {line}")));
        lines.push(String::new());
    }
    lines.join("\n").trim_end().to_owned()
}

/// A record as a line of a zone file; a comment for what the provider of the domain has no place for.
fn zone_line(record: &RecordReply) -> String {
    let RecordReply { kind, name, value, .. } = record;
    if kind == "PTR" {
        return format!("; Where the address {name} was rented, its reverse name (PTR) is set to {value}");
    }
    let name = idna::domain_to_ascii(name).unwrap_or_else(|_| name.clone());
    match (kind.as_str(), value.as_str()) {
        (_, "") => format!("; {name}. {ZONE_TTL_SECS} IN {kind} (here {OWN_ADDRESS})"),
        ("TXT", value) => format!("{name}. {ZONE_TTL_SECS} IN TXT {}", quoted(value)),
        (kind, value) => format!("{name}. {ZONE_TTL_SECS} IN {kind} {value}"),
    }
}

/// A text as quoted strings of at most 255 bytes each (RFC 1035 3.3).
fn quoted(text: &str) -> String {
    let mut strings = vec![String::new()];
    let mut bytes = 0;
    for c in text.chars() {
        if STRING_BYTES_MAX < bytes + c.len_utf8() {
            strings.push(String::new());
            bytes = 0;
        }
        bytes += c.len_utf8();
        if let Some(string) = strings.last_mut() {
            if matches!(c, '"' | '\\') {
                string.push('\\');
            }
            string.push(c);
        }
    }
    strings.iter().map(|string| format!("\"{string}\"")).collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_split_into_strings_of_255_bytes() {
        let strings = quoted(&"x".repeat(600));
        let lengths: Vec<usize> = strings.split(' ').map(|string| string.len() - 2).collect();
        assert_eq!(lengths, [255, 255, 90]);
        assert_eq!(quoted(r#"a "b" \c"#), r#""a \"b\" \\c""#);
        let strings = quoted(&"é".repeat(128));
        assert_eq!(strings, format!("\"{}\" \"é\"", "é".repeat(127)), "no character is torn");
    }

    #[test]
    fn what_the_provider_has_no_place_for_is_a_comment() {
        let line = |kind: &str, name: &str, value: &str| {
            let (kind, name, value) = (kind.to_owned(), name.to_owned(), value.to_owned());
            zone_line(&RecordReply { kind, name, value, state: String::new(), found: None, until: None })
        };
        assert_eq!(
            line("MX", "lists.example.org", "10 mx.example.org."),
            "lists.example.org. 3600 IN MX 10 mx.example.org."
        );
        assert_eq!(
            line("TXT", "_dmarc.bücher.example", "v=DMARC1; p=none"),
            "_dmarc.xn--bcher-kva.example. 3600 IN TXT \"v=DMARC1; p=none\""
        );
        assert!(line("PTR", "192.0.2.1", "mx.example.org.").starts_with("; "));
        assert!(line("A", "mx.example.org", "").starts_with("; mx.example.org. 3600 IN A (here "));
    }
}
