//! `crier audit`: prints the audit log, which records who changed what.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value};

use super::{CommonArgs, ScopeArgs, say_json};
use crate::cli::Failure;
use crate::cli::objects::calls::call;
use crate::cli::objects::plain::more;
use crate::cli::show::{self, cell};
use crate::cli::values::{Problems, parse_past};
use crate::clock::{Clock, Timestamp};
use crate::control::calls::Verb;

/// The columns of the table.
const COLUMNS: [&str; 7] = ["time", "actor", "via", "client", "action", "object", "detail"];

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  crier audit --object list                     what was done to lists\n  \
                        crier audit --object contact --object-id 7    what was done to one contact\n  \
                        crier audit --admin 3 --since yesterday\n  \
                        crier audit --global                          accounts made and deleted\n\n\
                        The log cannot be changed. It keeps no values and no messages, and contacts only by their \
                        numbers, so a deleted contact has no name in it. Entries are deleted after a year, or after \
                        serve --audit-days."
)]
pub(in crate::cli) struct AuditArgs {
    /// Only changes by the administrator with this number; crier admin list and crier key list show the numbers
    #[arg(long, env = "CRIER_ADMIN", value_name = "ID")]
    admin: Option<String>,
    /// Only changes with this action, such as list.deleted or message.approved
    #[arg(long, env = "CRIER_ACTION", value_name = "ACTION")]
    action: Option<String>,
    /// Only changes of this kind of object, such as list, contact, admin or held
    #[arg(long, env = "CRIER_OBJECT", value_name = "KIND")]
    object: Option<String>,
    /// Only changes of the object with this number; needs --object with its kind
    #[arg(long, env = "CRIER_OBJECT_ID", value_name = "ID")]
    object_id: Option<String>,
    /// Only changes at this time or later: a day such as 2026-11-20, a time such as 2026-11-20T15:04:05Z, today,
    /// yesterday, or so long ago such as 2d; days begin at 00:00 UTC
    #[arg(long, env = "CRIER_SINCE", value_name = "TIME")]
    since: Option<String>,
    /// Only changes before this time, written in the same way
    #[arg(long, env = "CRIER_BEFORE", value_name = "TIME")]
    before: Option<String>,
    /// Which page, from 1
    #[arg(long, env = "CRIER_PAGE", value_name = "N")]
    page: Option<String>,
    /// Entries of a page, up to 1000
    #[arg(long, env = "CRIER_LIMIT", value_name = "N", default_value = "100")]
    limit: String,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// Shows the log of an account, or of the server, newest first.
pub(in crate::cli) fn run(args: AuditArgs) -> Result<ExitCode, Failure> {
    let AuditArgs { admin, action, object, object_id, since, before, page, limit, scope, common } = args;
    let mut problems = Problems::default();
    let now = Clock::system().now();
    let mut past = |flag: &str, text: Option<String>| {
        let parse = |text: &str| parse_past(text, now).map(Timestamp::rfc3339);
        problems.read_option(flag, text.as_deref(), parse)
    };
    let (since, before) = (past("--since", since), past("--before", before));
    if !problems.is_empty() {
        return Err(problems.into());
    }
    let mut params = Map::new();
    for (name, value) in [
        ("admin", admin),
        ("action", action),
        ("object", object),
        ("object_id", object_id),
        ("since", since),
        ("before", before),
        ("page", page),
        ("limit", Some(limit)),
    ] {
        if let Some(value) = value {
            params.insert(name.to_owned(), value.into());
        }
    }
    let answer = call(&common, Verb::Get, &["audit"], &scope.scope(), &params.into())?;
    if common.json {
        return say_json(&answer);
    }
    let rows = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| COLUMNS.map(|column| told(row, column)).into()).collect();
    show::table(&COLUMNS, &rows, "The log has no such entries");
    more(&answer);
    Ok(ExitCode::SUCCESS)
}

/// Words a cell: the actor and the object by their names, else by their kinds and numbers.
fn told(row: &Value, column: &str) -> String {
    let value = &row[column];
    if !value.is_object() {
        return cell(value);
    }
    let (name, kind, id) = (cell(&value["name"]), cell(&value["kind"]), cell(&value["id"]));
    if !name.is_empty() && column == "actor" {
        return name;
    }
    [kind, id, name].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
