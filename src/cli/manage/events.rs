//! `crier events`: prints what happens in an account, a line for each event, and follows it.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde_json::{Map, Value};

use super::{CommonArgs, ScopeArgs};
use crate::cli::Failure;
use crate::cli::objects::calls::call;
use crate::cli::show::cell;
use crate::cli::terminal::say;
use crate::control::calls::Verb;

/// How often new events are asked for.
const ASK_EVERY: Duration = Duration::from_secs(1);
/// Events that are asked for at a time.
const EVENTS_PER_CALL: u64 = 1000;

#[derive(Debug, Args)]
pub(in crate::cli) struct EventsArgs {
    /// Only events behind the one with this number; 0 for all that are kept, which is 30 days
    #[arg(long, env = "CRIER_AFTER", value_name = "ID", default_value = "0")]
    after: String,
    /// Only events of this type, such as contact.created; may be given several times
    #[arg(long = "type", env = "CRIER_TYPE", value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,
    /// Go on with what happens, until stopped
    #[arg(long, env = "CRIER_FOLLOW", value_parser = BoolishValueParser::new())]
    follow: bool,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// Prints the events of an account, oldest first.
pub(in crate::cli) fn run(args: EventsArgs) -> Result<ExitCode, Failure> {
    let EventsArgs { mut after, types, follow, scope, common } = args;
    let scope = scope.scope();
    loop {
        let mut params = Map::new();
        params.insert("after".to_owned(), after.clone().into());
        params.insert("limit".to_owned(), EVENTS_PER_CALL.into());
        if !types.is_empty() {
            params.insert("type".to_owned(), types.clone().into());
        }
        let answer = call(&common, Verb::Get, &["events"], &scope, &params.into())?;
        let events = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        for event in events {
            say(if common.json { event.to_string() } else { line(event) });
        }
        match events.last().and_then(|event| event["id"].as_u64()) {
            Some(last) => after = last.to_string(),
            None if follow => std::thread::sleep(ASK_EVERY),
            None => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// An event on one line: its number, time, type and actor, and how its object is called.
fn line(event: &Value) -> String {
    let actor = ["kind", "id"].map(|name| cell(&event["actor"][name]));
    let data = &event["data"];
    let names = ["description", "name", "username", "email", "subject"];
    let name = names.iter().map(|name| cell(&data[*name])).find(|name| !name.is_empty());
    let object = [cell(&data["id"]), name.unwrap_or_default(), cell(&data["list"])];
    let parts = [cell(&event["id"]), cell(&event["timestamp"]), cell(&event["type"])];
    let parts = parts.into_iter().chain(actor).chain(object).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}
