//! `crier simulate`: shows the outcome that a message would have, without any effect.
//!
//! It makes a call of the API and prints the answer as lines, or with `--json` as it is.

use std::io::Read as _;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use data_encoding::BASE64;
use serde_json::Value;

use super::manage::say_json;
use super::show::cell;
use super::terminal::{say, tell_waiting};
use super::{Absent, DataArgs, Failure, perform, unexpected};
use crate::config::MESSAGE_BYTES_MAX;
use crate::control::calls::{CallRequest, Verb};
use crate::control::scope::Scope;
use crate::control::{Reply, Request};

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
    // One byte beyond the limit shows that the message is too large.
    let limit = u64::try_from(MESSAGE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin().take(limit).read_to_end(&mut message).map_err(Failure::failed)?;
    if MESSAGE_BYTES_MAX < message.len() {
        return Err(Failure::failed(format_args!("a message may have at most {MESSAGE_BYTES_MAX} bytes")));
    }
    if message.is_empty() {
        return Err(Failure::Usage("the message is missing: it is read from standard input".to_owned()));
    }
    let name = list.rsplit_once('@').map_or(list.as_str(), |(name, _)| name);
    let path = ["lists", name, "simulate"].map(str::to_owned).into();
    let params = from.map(|from| ("from".to_owned(), from.into())).into_iter().collect();
    let mail = Some(BASE64.encode(&message));
    let call = CallRequest { verb: Verb::Post, path, scope: Scope::List(list.clone()), params, mail };
    match perform(&data.data, &Request::Call(call), Absent::Refuse)? {
        Reply::Answer { answer } if json => say_json(&answer),
        Reply::Answer { answer } => {
            show(&answer);
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&other)),
    }
}

/// Prints the result as lines: first the decision, then its reasons, then the copy of a member.
fn show(simulation: &Value) {
    let text = |member: &str| cell(&simulation[member]);
    say(format_args!("{}: {}", text("list"), with_reason(simulation)));
    say(format_args!("SMTP answers: {}", text("answer")));
    for rule in rows(&simulation["rules"]) {
        let words = if rule["verdict"].is_null() { "-".to_owned() } else { with_reason(rule) };
        say(format_args!("  {:<14} {words}", cell(&rule["rule"])));
    }
    say(format_args!(
        "DMARC: {} by signatures alone (DKIM: {}); the author's policy: {}",
        text("dmarc"),
        text("dkim"),
        text("dmarc_policy")
    ));
    let paused =
        if simulation["paused"] == 0 { String::new() } else { format!(", and {} paused", text("paused")) };
    say(format_args!("Recipients: {}{paused}", text("recipients")));
    if simulation["size"].is_null() {
        return;
    }
    let changes: Vec<String> = rows(&simulation["changes"]).map(cell).collect();
    say(format_args!("Changes: {}", if changes.is_empty() { "none".to_owned() } else { changes.join("; ") }));
    say(format_args!("What a member would get ({} bytes before signing):", text("size")));
    for header in rows(&simulation["headers"]) {
        say(format_args!("  {}: {}", cell(&header["name"]), cell(&header["value"])));
    }
}

fn rows(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

fn with_reason(decided: &Value) -> String {
    match (cell(&decided["verdict"]), cell(&decided["reason"])) {
        (verdict, reason) if reason.is_empty() => verdict,
        (verdict, reason) => format!("{verdict}: {reason}"),
    }
}
