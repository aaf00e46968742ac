//! What the subcommands of most kinds do: make an object, list, show, change and delete.

use std::process::ExitCode;

use serde_json::{Map, Value};

use super::kind::{Action, Kind};
use super::target::Target;
use super::told;
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::show;
use crate::cli::terminal::{say, tell};
use crate::control::calls::Verb;

/// The parameter for a new key's lifetime, which is no field of its holder.
pub(super) const EXPIRY: &str = "expiry_months";

/// Runs a subcommand in the way of most kinds.
pub(super) fn run(target: &Target<'_>) -> Result<ExitCode, Failure> {
    match target.subcommand.action {
        Action::Create => told::created(target, &create(target)?),
        Action::List => list(target, |_| true),
        Action::Show => told::shown(target, target.call(Verb::Get, target.object()?.as_deref(), Map::new())?),
        Action::Set => set(target),
        Action::Delete => delete(target),
    }
}

/// Creates an object and returns it. `expiry_months` of a key belongs to another call.
pub(super) fn create(target: &Target<'_>) -> Result<Value, Failure> {
    let kind = target.kind;
    let mut params = target.params()?;
    let mut title =
        target.matches.try_get_many::<String>("title").ok().flatten().into_iter().flatten().cloned();
    match kind.title {
        "" => {}
        "emails" => drop(params.insert(kind.title.to_owned(), title.collect::<Vec<String>>().into())),
        field => drop(params.insert(field.to_owned(), title.next().unwrap_or_default().into())),
    }
    if kind.section == "admins" {
        told::grant(&mut params);
        params.remove(EXPIRY);
    }
    target.call(Verb::Post, None, params)
}

/// Lists the objects for which `meant` is true.
pub(super) fn list(target: &Target<'_>, meant: impl Fn(&Value) -> bool) -> Result<ExitCode, Failure> {
    let Target { kind, common, .. } = target;
    let mut params = target.params()?;
    if !common.json && kind_lists_whole(kind) {
        params.insert("fields".to_owned(), kind.columns.into());
    }
    let mut answer = target.call(Verb::Get, None, params)?;
    let rows = answer["data"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let found = rows.len();
    let rows: Vec<Value> = rows.into_iter().filter(meant).collect();
    if rows.len() < found {
        answer["count"] = rows.len().into();
        answer["limit"] = rows.len().into();
    }
    answer["data"] = rows.into();
    if common.json {
        return say_json(&answer);
    }
    show::listing(&answer, kind.columns, kind.none);
    more(&answer);
    Ok(ExitCode::SUCCESS)
}

/// Whether a listing shows whole objects, of which a table needs only some members.
fn kind_lists_whole(kind: &Kind) -> bool {
    kind.section == "lists"
}

/// Prints a note if the page leaves rows out.
pub(in crate::cli) fn more(answer: &Value) {
    let number = |member: &str| answer[member].as_u64().unwrap_or(0);
    let shown = u64::try_from(answer["data"].as_array().map_or(0, Vec::len)).unwrap_or(0);
    let (count, page, limit) = (number("count"), number("page").max(1), number("limit"));
    if 0 < shown && (page - 1).saturating_mul(limit).saturating_add(shown) < count {
        tell(format_args!(
            "\nThese are {shown} of {count}: --page {} shows the next, --limit up to 1000 at a time",
            page + 1
        ));
    }
}

fn set(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let params = target.params()?;
    if params.is_empty() {
        return Err(nothing_to_change(target));
    }
    let answer = target.call(Verb::Put, target.object()?.as_deref(), params)?;
    told::changed(target, &answer)
}

/// The failure of a change that names nothing.
pub(super) fn nothing_to_change(target: &Target<'_>) -> Failure {
    Failure::Usage(format!("nothing to change: name what is to change, such as {}", target.kind.change))
}

fn delete(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let object = target.object()?;
    let known = target.call(Verb::Get, object.as_deref(), Map::new())?;
    let (question, sentence) = told::deletion(target, &known);
    target.confirm(&question)?;
    let answer = target.call(Verb::Delete, object.as_deref(), Map::new())?;
    if target.common.json {
        return say_json(&answer);
    }
    say(sentence);
    Ok(ExitCode::SUCCESS)
}
