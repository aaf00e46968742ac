//! `crier simulate`: what would become of a message.

use std::io::Read as _;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use data_encoding::BASE64;

use super::manage::say_json;
use super::terminal::{say, tell_waiting};
use super::{Absent, DataArgs, Failure, perform, unexpected};
use crate::config::MESSAGE_BYTES_MAX;
use crate::control::{HeaderReply, Reply, Request, RuleReply, SimulateRequest, SimulationReply};

/// `crier simulate`
#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Name of the list, or its address
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: String,
    /// Envelope sender of the message, <> for an empty one [default: its author]
    #[arg(long, env = "CRIER_FROM", value_name = "ADDRESS")]
    from: Option<String>,
    /// Print JSON as POST /lists/{name}/simulate/ answers it
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

pub(super) fn run(args: SimulateArgs) -> Result<ExitCode, Failure> {
    let SimulateArgs { data, list, from, json } = args;
    tell_waiting("crier simulate --list LIST");
    let mut message = Vec::new();
    // One byte more than is taken tells that there is more.
    let limit = u64::try_from(MESSAGE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin().take(limit).read_to_end(&mut message).map_err(Failure::failed)?;
    if MESSAGE_BYTES_MAX < message.len() {
        return Err(Failure::failed(format_args!("a message may have at most {MESSAGE_BYTES_MAX} bytes")));
    }
    let request = Request::Simulate(SimulateRequest { list, from, message: BASE64.encode(&message) });
    match perform(&data.data, &request, Absent::Refuse)? {
        Reply::Simulation(simulation) if json => say_json(&simulation),
        Reply::Simulation(simulation) => {
            show(&simulation);
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}

/// Tells it as lines: what is decided first, then how that came about, then what a member would see.
fn show(simulation: &SimulationReply) {
    let SimulationReply { list, verdict, reason, rules, recipients, size, headers, changes, .. } = simulation;
    say(format_args!("{list}: {}", with_reason(verdict, reason.as_deref())));
    for RuleReply { rule, verdict, reason } in rules {
        let words =
            verdict.as_deref().map_or("-".to_owned(), |verdict| with_reason(verdict, reason.as_deref()));
        say(format_args!("  {rule:<14} {words}"));
    }
    let SimulationReply { dkim, dmarc, dmarc_policy, .. } = simulation;
    say(format_args!(
        "DMARC: {dmarc} by signatures alone (DKIM: {dkim}); the author's policy: {dmarc_policy}"
    ));
    say(format_args!("Recipients: {recipients}"));
    let Some(size) = size else { return };
    say(format_args!("Changes: {}", if changes.is_empty() { "none".to_owned() } else { changes.join("; ") }));
    say(format_args!("What a member would get ({size} bytes before signing):"));
    for HeaderReply { name, value } in headers {
        say(format_args!("  {name}: {value}"));
    }
}

fn with_reason(verdict: &str, reason: Option<&str>) -> String {
    reason.map_or(verdict.to_owned(), |reason| format!("{verdict}: {reason}"))
}
