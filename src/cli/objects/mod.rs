//! Commands that are calls of the API: `crier list`, `member`, `contact`, `held`, `key` and so on.
//!
//! They are made of the API's own description: each kind of objects has subcommands, each of which makes a call, and
//! a flag for each field that the call takes. The answer is shown as a table or lines for people, with `--json` as
//! the API's own JSON. Checks and permissions are in the API.

pub(in crate::cli) mod calls;
mod domains;
mod flags;
mod keys;
mod kinds;
mod members;
mod told;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches as _};
use serde_json::{Map, Value};

use super::Failure;
use super::manage::link::{self, LinkArgs};
use super::manage::unlock::{self, UnlockArgs};
use super::manage::{AccountArgs, CommonArgs, ScopeArgs, YesArgs, say_json};
use super::show;
use super::terminal::{say, tell};
use crate::control::calls::Verb;
use crate::control::scope::Scope;
use crate::http::reference::{Field, Operation, Reference};
use calls::{Refused, contact_named, custom_params, no_object};
pub(super) use domains::{DomainCommand, run as run_domains};
use flags::{custom, custom_flag, flag, flag_of, params};
pub(super) use kinds::Kind;
use kinds::{Action, KINDS, Naming, Owner, Subcommand};

/// Parameters of every call that no command needs.
const UNUSED: [&str; 2] = ["account_id", "fields"];

/// The commands of all kinds.
pub(super) fn commands() -> impl Iterator<Item = Command> {
    let reference = crate::api::reference();
    KINDS.iter().map(move |kind| command(kind, &reference))
}

/// The kind that a command manages.
pub(super) fn kind_of(command: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.command == command)
}

/// The examples of every subcommand, with its path.
pub(super) fn examples() -> impl Iterator<Item = (String, &'static [&'static str])> {
    let of_kind = |kind: &'static Kind| {
        kind.subcommands.iter().map(|known| (format!("{} {}", kind.command, known.name), known.examples))
    };
    KINDS.iter().flat_map(of_kind)
}

fn command(kind: &'static Kind, reference: &Reference) -> Command {
    let command = Command::new(kind.command).about(kind.about);
    let mut command = command.subcommand_required(true).arg_required_else_help(true);
    if kind.command == "admin" {
        command = command.subcommand(LinkArgs::augment_args(Command::new("link")));
        command = command.subcommand(UnlockArgs::augment_args(Command::new("unlock")));
    }
    kind.subcommands
        .iter()
        .fold(command, |command, known| command.subcommand(subcommand(kind, known, reference)))
}

fn subcommand(kind: &'static Kind, known: &'static Subcommand, reference: &Reference) -> Command {
    let mut command = Command::new(known.name);
    if let Some(alias) = known.alias {
        command = command.visible_alias(alias);
    }
    command = command.args(arguments(kind, known.action));
    let mut has_custom = false;
    if let Some(operation) = operation(kind, known.action, reference) {
        let fields = fields_of(kind, known, operation, reference);
        command = fields.iter().fold(command, |command, field| {
            let is_required = known.action == Action::Create && field.is_required;
            command.arg(flag(kind, field, known.action).required(is_required))
        });
        has_custom = operation.body.as_ref().is_some_and(|body| body.has_custom);
    }
    if has_custom {
        command = command.arg(custom_flag());
    }
    command = match kind.owner {
        Owner::Account => AccountArgs::augment_args(command),
        Owner::AccountOrServer => ScopeArgs::augment_args(command),
        Owner::Server => command,
    };
    if known.action == Action::Delete {
        command = YesArgs::augment_args(command);
    }
    // Adding groups of flags replaces the command's text, so it is set again.
    CommonArgs::augment_args(command).about(known.about)
}

/// The arguments without a flag: the list to which the object belongs, and the title of a new object or the name of
/// an existing one.
fn arguments(kind: &'static Kind, action: Action) -> impl Iterator<Item = Arg> {
    let list =
        kind.is_of_list.then(|| Arg::new("of").value_name("LIST").help("Name of the list").required(true));
    let other = match action {
        Action::List => None,
        Action::Create if kind.title.is_empty() => None,
        Action::Create => {
            let argument =
                Arg::new("title").value_name(kind.title_value).help(kind.title_help).required(true);
            let is_many = matches!(kind.title, "emails" | "contact");
            Some(if is_many { argument.action(ArgAction::Append).num_args(1..) } else { argument })
        }
        Action::Show | Action::Set | Action::Delete => {
            let argument = Arg::new("object").value_name(kind.object_value).help(kind.object_help);
            // The only account of a server need not be named, except for its deletion.
            let is_optional = kind.owner == Owner::Server && action != Action::Delete;
            Some(argument.required(!is_optional))
        }
    };
    list.into_iter().chain(other)
}

/// The operation of the API that an action calls.
fn operation<'a>(kind: &Kind, action: Action, reference: &'a Reference) -> Option<&'a Operation> {
    let (method, has_object) = match action {
        Action::Create => ("POST", false),
        Action::List => ("GET", false),
        Action::Show => ("GET", true),
        Action::Set => ("PUT", true),
        Action::Delete => ("DELETE", true),
    };
    let slashes = if has_object { 2 } else { 1 };
    reference.operations.iter().find(|operation| {
        let path = operation.path.strip_prefix("/api/2/").unwrap_or_default();
        operation.section == kind.section
            && operation.method == method
            && path.matches('/').count() == slashes
    })
}

/// The fields that a subcommand takes by flags.
fn fields_of(
    kind: &Kind,
    subcommand: &Subcommand,
    operation: &Operation,
    reference: &Reference,
) -> Vec<Field> {
    let mut fields = (kind.more)(subcommand, reference);
    match (subcommand.action, &operation.body) {
        (Action::List, _) => fields.extend(operation.query.iter().cloned()),
        (Action::Create | Action::Set, Some(body)) => fields.extend(body.fields.iter().cloned()),
        _ => {}
    }
    let is_title = |name: &str| subcommand.action == Action::Create && name == kind.title;
    fields.retain(|Field { name, .. }| {
        let name = name.as_str();
        !UNUSED.contains(&name)
            && !kind.hidden.contains(&name)
            && !is_title(name)
            && subcommand.fixed.iter().all(|(fixed, _)| *fixed != name)
            && subcommand.only.is_none_or(|only| only.contains(&name))
    });
    // Options come before the groups that have headings.
    fields.sort_by_key(|field| kind.headings.iter().any(|(_, names)| names.contains(&field.name.as_str())));
    fields
}

/// The objects that a command is about, with its arguments.
pub(super) struct Target<'matches> {
    kind: &'static Kind,
    subcommand: &'static Subcommand,
    matches: &'matches ArgMatches,
    common: CommonArgs,
    scope: Scope,
}

impl<'matches> Target<'matches> {
    fn new(
        kind: &'static Kind,
        subcommand: &'static Subcommand,
        matches: &'matches ArgMatches,
    ) -> Result<Self, Failure> {
        let common = CommonArgs::from_arg_matches(matches).map_err(|error| unreadable(&error))?;
        let scope = match (kind.owner, subcommand.action) {
            (Owner::Account, _) => {
                AccountArgs::from_arg_matches(matches).map_err(|error| unreadable(&error))?.scope()
            }
            (Owner::AccountOrServer, _) => {
                ScopeArgs::from_arg_matches(matches).map_err(|error| unreadable(&error))?.scope()
            }
            (Owner::Server, Action::Create | Action::List) => Scope::Server,
            (Owner::Server, Action::Show | Action::Set | Action::Delete) => {
                matches.get_one::<String>("object").cloned().map_or(Scope::Only, Scope::Account)
            }
        };
        Ok(Target { kind, subcommand, matches, common, scope })
    }

    /// The value of an argument without a flag.
    fn argument(&self, id: &str) -> &str {
        self.matches.try_get_one::<String>(id).ok().flatten().map_or("", String::as_str)
    }

    /// The named object, as the API names it.
    fn object(&self) -> Result<Option<String>, Failure> {
        if self.kind.owner == Owner::Server {
            return Ok(None);
        }
        let name = self.argument("object");
        let name = match self.kind.naming {
            Naming::AsPaths => name.to_owned(),
            Naming::Contact => contact_named(&self.common, &self.scope, name)?,
            // Only a GET accepts the address itself.
            Naming::Address if self.subcommand.action == Action::Show => name.to_owned(),
            Naming::Address => show::cell(&self.call(Verb::Get, Some(name), Map::new())?["id"]),
        };
        Ok(Some(name))
    }

    /// Makes a call about objects of the kind.
    fn call(&self, verb: Verb, object: Option<&str>, params: Map<String, Value>) -> Result<Value, Failure> {
        let path: Vec<&str> = [self.kind.section].into_iter().chain(object).collect();
        match calls::try_call(&self.common, verb, &path, &self.scope, params)? {
            Ok(answer) => Ok(answer),
            Err(Refused::Missing(text)) => Err(match object {
                Some(name) => no_object(self, self.kind.section, self.kind.noun, name)?,
                None => Failure::Failed(text),
            }),
            Err(Refused::Invalid(problems)) => {
                Err(Failure::Failed(super::problems_told(problems, |field| self.flag(field))))
            }
        }
    }

    /// What was typed for the API's field: its flag, or the word that the help has for an argument without one; `None` if
    /// the subcommand takes neither.
    fn flag(&self, field: &str) -> Option<String> {
        let Target { kind, subcommand, .. } = self;
        if subcommand.action == Action::Create && !kind.title.is_empty() && field == kind.title {
            return Some(kind.title_value.to_owned());
        }
        if kind.is_of_list && field == "list" {
            return Some("LIST".to_owned());
        }
        // Whether a subcommand has a flag is not asked of its matches: release builds answer that they all have it.
        let reference = crate::api::reference();
        let operation = operation(kind, subcommand.action, &reference)?;
        let fields = fields_of(kind, subcommand, operation, &reference);
        fields.iter().any(|known| known.name == field).then(|| format!("--{}", flag_of(kind, field)))
    }

    /// The parameters of the given flags, with those that the subcommand sets.
    fn params(&self) -> Result<Map<String, Value>, Failure> {
        let reference = crate::api::reference();
        let Some(operation) = operation(self.kind, self.subcommand.action, &reference) else {
            return Ok(Map::new());
        };
        let fields = fields_of(self.kind, self.subcommand, operation, &reference);
        let mut params = params(self.kind, &fields, self.matches)?;
        let custom = custom(self.matches)?;
        if !custom.is_empty() {
            params.extend(custom_params(&self.common, &self.scope, custom)?);
        }
        let fixed = self.subcommand.fixed.iter();
        params.extend(fixed.map(|(name, value)| ((*name).to_owned(), Value::from(*value))));
        Ok(params)
    }

    /// Asks for confirmation before a deletion.
    fn confirm(&self, question: &str) -> Result<(), Failure> {
        YesArgs::from_arg_matches(self.matches).map_err(|error| unreadable(&error))?.confirm(question)
    }
}

fn unreadable(error: &clap::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// Runs a command of a kind.
pub(super) fn run(kind: &'static Kind, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    if let Some(("link", matches)) = matches.subcommand() {
        return link::run(matches);
    }
    if let Some(("unlock", matches)) = matches.subcommand() {
        return unlock::run(matches);
    }
    let found = matches.subcommand().and_then(|(word, matches)| {
        Some((kind.subcommands.iter().find(|known| known.name == word)?, matches))
    });
    let Some((subcommand, matches)) = found else {
        return Err(Failure::Usage(format!("crier {} needs a subcommand", kind.command)));
    };
    (kind.run)(&Target::new(kind, subcommand, matches)?)
}

/// Runs a subcommand in the way of most kinds.
fn run_plainly(target: &Target<'_>) -> Result<ExitCode, Failure> {
    match target.subcommand.action {
        Action::Create => told::created(target, &create(target)?),
        Action::List => list(target, |_| true),
        Action::Show => told::shown(target, target.call(Verb::Get, target.object()?.as_deref(), Map::new())?),
        Action::Set => set(target),
        Action::Delete => delete(target),
    }
}

/// Creates an object and returns it. `expiry_months` of a key belongs to another call.
fn create(target: &Target<'_>) -> Result<Value, Failure> {
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
        params.remove(keys::EXPIRY);
    }
    target.call(Verb::Post, None, params)
}

/// Lists the objects for which `meant` is true.
fn list(target: &Target<'_>, meant: impl Fn(&Value) -> bool) -> Result<ExitCode, Failure> {
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
        let text = format!("nothing to change: name what is to change, such as {}", target.kind.change);
        return Err(Failure::Usage(text));
    }
    let answer = target.call(Verb::Put, target.object()?.as_deref(), params)?;
    told::changed(target, &answer)
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
