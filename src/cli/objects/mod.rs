//! `crier list`, `contact`, `admin` and `account`: commands that are calls of the API.
//!
//! They are made of the API's own description: each kind of objects has the subcommands create, list, show, set
//! and delete, and a flag for each field that the API takes. A command makes a call of its flags and shows what
//! comes back: a table or lines for people, with `--json` the API's own JSON. What may be done, and what is wrong
//! with it, is decided behind the call.

mod flags;
mod kinds;
mod told;

use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, FromArgMatches as _};
use serde_json::{Map, Value};

use super::manage::link::LinkArgs;
use super::manage::show;
use super::manage::{
    AccountArgs, CommonArgs, LIMIT_FIELD_HELP, LIMIT_LIST_HELP, NOTIFICATION_HELP, PERMISSION_HELP,
    ScopeArgs, YesArgs, request, say_json,
};
use super::terminal::tell;
use super::{Absent, Failure, carry_out, problems_told, unexpected};
use crate::control::objects::{CallRequest, FieldAction, FieldsRequest, Scope, Verb};
use crate::control::{Reply, Request};
use crate::http::reference::{Field, Operation, Reference};
use flags::{custom, custom_flag, flag, flag_of, params};
pub(super) use kinds::Kind;
use kinds::{Action, KINDS, Owner};
pub(super) use told::warn_of_idle_limits;

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

fn command(kind: &'static Kind, reference: &Reference) -> Command {
    let command = Command::new(kind.command).about(kind.about);
    let mut command = command.subcommand_required(true).arg_required_else_help(true);
    if kind.section == "admins" {
        command = command.subcommand(LinkArgs::augment_args(Command::new("link")));
    }
    Action::ALL.iter().zip(kind.abouts).fold(command, |command, (action, about)| {
        command.subcommand(subcommand(kind, *action, reference).about(about))
    })
}

fn subcommand(kind: &'static Kind, action: Action, reference: &Reference) -> Command {
    let mut command = Command::new(action.word());
    if let Some(argument) = argument(kind, action) {
        command = command.arg(argument);
    }
    let mut has_custom = false;
    if let Some(operation) = operation(kind, action, reference) {
        let fields = fields_of(kind, action, operation);
        command = fields.iter().fold(command, |command, field| {
            let is_required = action == Action::Create && field.is_required;
            command.arg(flag(kind, field).required(is_required))
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
    if action == Action::Delete {
        command = YesArgs::augment_args(command);
    }
    CommonArgs::augment_args(command)
}

/// The argument without a flag: the title of a new object, or which object is meant.
fn argument(kind: &'static Kind, action: Action) -> Option<Arg> {
    match action {
        Action::List => None,
        Action::Create => {
            let argument =
                Arg::new("title").value_name(kind.title_value).help(kind.title_help).required(true);
            let is_many = kind.title == "emails";
            Some(if is_many { argument.action(ArgAction::Append).num_args(1..) } else { argument })
        }
        Action::Show | Action::Set | Action::Delete => {
            let argument = Arg::new("object").value_name(kind.object_value).help(kind.object_help);
            // The only account of a server needs no name, unless it is to be deleted.
            let is_optional = kind.owner == Owner::Server && action != Action::Delete;
            Some(argument.required(!is_optional))
        }
    }
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

/// The fields that an action takes by flags.
fn fields_of(kind: &Kind, action: Action, operation: &Operation) -> Vec<Field> {
    let mut fields = match (action, &operation.body) {
        (Action::List, _) => operation.query.clone(),
        (Action::Create | Action::Set, Some(body)) => {
            let mut fields = (kind.operators)();
            fields.extend(body.fields.iter().cloned());
            fields
        }
        _ => Vec::new(),
    };
    let is_title = |name: &str| action == Action::Create && name == kind.title;
    fields.retain(|Field { name, .. }| {
        let name = name.as_str();
        !UNUSED.contains(&name) && !kind.hidden.contains(&name) && !is_title(name)
    });
    // Options come before the groups that have headings.
    fields.sort_by_key(|field| kind.headings.iter().any(|(_, names)| names.contains(&field.name.as_str())));
    fields
}

/// The objects that a command is about, and how it was asked.
struct Target<'matches> {
    kind: &'static Kind,
    matches: &'matches ArgMatches,
    common: CommonArgs,
    scope: Scope,
}

impl<'matches> Target<'matches> {
    fn new(kind: &'static Kind, action: Action, matches: &'matches ArgMatches) -> Result<Self, Failure> {
        let unreadable = |error: clap::Error| Failure::Usage(error.to_string());
        let common = CommonArgs::from_arg_matches(matches).map_err(unreadable)?;
        let scope = match (kind.owner, action) {
            (Owner::Account, _) => AccountArgs::from_arg_matches(matches).map_err(unreadable)?.scope(),
            (Owner::AccountOrServer, _) => ScopeArgs::from_arg_matches(matches).map_err(unreadable)?.scope(),
            (Owner::Server, Action::Create | Action::List) => Scope::Server,
            (Owner::Server, Action::Show | Action::Set | Action::Delete) => {
                matches.get_one::<String>("object").cloned().map_or(Scope::Only, Scope::Account)
            }
        };
        Ok(Target { kind, matches, common, scope })
    }

    /// The object that is meant, as the API names it.
    fn object(&self) -> Result<Option<String>, Failure> {
        if self.kind.owner == Owner::Server {
            return Ok(None);
        }
        match self.matches.get_one::<String>("object") {
            Some(name) if self.kind.section == "contacts" => {
                contact_named(&self.common, &self.scope, name).map(Some)
            }
            name => Ok(name.cloned()),
        }
    }

    fn call(&self, verb: Verb, object: Option<&str>, params: Map<String, Value>) -> Result<Value, Failure> {
        let call = call_of(self.kind.section, verb, &self.scope, object, params);
        match carry_out(self.common.data_dir(), &Request::Call(call), Absent::Refuse)? {
            Reply::Answer { answer } => Ok(answer),
            Reply::Invalid { problems } => {
                Err(Failure::Failed(problems_told(problems, |field| self.flag(field))))
            }
            other => Err(super::told(other).map_or_else(|failure| failure, |reply| unexpected(&reply))),
        }
    }

    /// What people type for a field of the API; `None` for what stands without a flag.
    fn flag(&self, field: &str) -> Option<String> {
        let flag = flag_of(self.kind, field);
        self.matches.try_contains_id(&flag).is_ok().then(|| format!("--{flag}"))
    }

    /// The parameters of the flags that were given.
    fn params(&self, action: Action) -> Result<Map<String, Value>, Failure> {
        let reference = crate::api::reference();
        let Some(operation) = operation(self.kind, action, &reference) else { return Ok(Map::new()) };
        let mut params = params(self.kind, &fields_of(self.kind, action, operation), self.matches)?;
        let custom = custom(self.matches)?;
        if !custom.is_empty() {
            params.extend(custom_params(&self.common, &self.scope, custom)?);
        }
        Ok(params)
    }
}

/// A call of the API.
pub(super) fn call_of(
    section: &str,
    verb: Verb,
    scope: &Scope,
    object: Option<&str>,
    params: Map<String, Value>,
) -> CallRequest {
    let (section, object) = (section.to_owned(), object.map(str::to_owned));
    CallRequest { verb, section, scope: scope.clone(), object, params }
}

/// How the API names the contact that has an address; other names are the API's own.
pub(super) fn contact_named(common: &CommonArgs, scope: &Scope, name: &str) -> Result<String, Failure> {
    if !name.contains('@') {
        return Ok(name.to_owned());
    }
    match contact_of(common, scope, name)? {
        Some(name) => Ok(name),
        None => Err(Failure::Failed(format!("no contact has the address {name}"))),
    }
}

/// The same, or `None` where nobody has the address.
pub(super) fn contact_of(
    common: &CommonArgs,
    scope: &Scope,
    address: &str,
) -> Result<Option<String>, Failure> {
    let params = [("email".to_owned(), address.into())].into_iter().collect();
    let found = super::manage::call(common, call_of("contacts", Verb::Get, scope, None, params))?;
    let name = &found["data"][0]["emails"][0]["contact"];
    Ok(Some(show::cell(name)).filter(|name| !name.is_empty()))
}

/// Custom fields under the names by which the API knows them.
fn custom_params(
    common: &CommonArgs,
    scope: &Scope,
    custom: Vec<(String, String)>,
) -> Result<Vec<(String, Value)>, Failure> {
    let account = match scope {
        Scope::Account(name) => Some(name.clone()),
        Scope::Only | Scope::Server => None,
    };
    let wanted = FieldsRequest { account, action: FieldAction::List };
    let known = match request(common, &Request::Fields(wanted))? {
        Reply::Fields { fields } => fields,
        other => return Err(unexpected(&other)),
    };
    let keyed = |(name, value): (String, String)| {
        let field = known.iter().find(|field| field.key == name || field.name.eq_ignore_ascii_case(&name));
        if let Some(field) = field {
            return Ok((field.key.clone(), Value::from(value)));
        }
        let keys: Vec<&str> = known.iter().map(|field| field.key.as_str()).collect();
        let keys = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
        let text = format!("there is no custom field {name:?}; there is {keys}; crier field add makes one");
        Err(Failure::Failed(text))
    };
    custom.into_iter().map(keyed).collect()
}

/// Runs a command of a kind.
pub(super) fn run(kind: &'static Kind, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    if let Some(("link", matches)) = matches.subcommand() {
        return super::manage::link::run(matches);
    }
    let subcommand = matches.subcommand().and_then(|(word, matches)| {
        let action = Action::ALL.into_iter().find(|action| action.word() == word)?;
        Some((action, matches))
    });
    let Some((action, matches)) = subcommand else {
        return Err(Failure::Usage(format!("crier {} needs a subcommand", kind.command)));
    };
    let target = Target::new(kind, action, matches)?;
    match action {
        Action::Create => create(&target),
        Action::List => list(&target),
        Action::Show => {
            let answer = target.call(Verb::Get, target.object()?.as_deref(), Map::new())?;
            told::shown(&target, answer)
        }
        Action::Set => set(&target),
        Action::Delete => delete(&target),
    }
}

fn create(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let kind = target.kind;
    let mut params = target.params(Action::Create)?;
    let mut title = target.matches.get_many::<String>("title").into_iter().flatten().cloned();
    let title = match kind.title {
        "emails" => Value::from(title.collect::<Vec<String>>()),
        _ => Value::from(title.next().unwrap_or_default()),
    };
    params.insert(kind.title.to_owned(), title);
    if kind.section == "admins" {
        told::grant(&mut params);
    }
    let answer = target.call(Verb::Post, None, params)?;
    told::created(target, &answer)
}

fn list(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let mut params = target.params(Action::List)?;
    if !target.common.json && kind_lists_whole(target.kind) {
        params.insert("fields".to_owned(), target.kind.columns.into());
    }
    let answer = target.call(Verb::Get, None, params)?;
    if target.common.json {
        return say_json(&answer);
    }
    show::listing(&answer, target.kind.columns, target.kind.none);
    more(&answer);
    Ok(ExitCode::SUCCESS)
}

/// Whether a listing shows whole objects, of which a table needs some members alone.
fn kind_lists_whole(kind: &Kind) -> bool {
    kind.section == "lists"
}

/// Tells of rows that a page leaves out.
pub(super) fn more(answer: &Value) {
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
    let params = target.params(Action::Set)?;
    if params.is_empty() {
        let text = format!("nothing to change: name what is to change, such as {}", target.kind.change);
        return Err(Failure::Usage(text));
    }
    let answer = target.call(Verb::Put, target.object()?.as_deref(), params)?;
    told::changed(target, &answer)
}

fn delete(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let unreadable = |error: clap::Error| Failure::Usage(error.to_string());
    let yes = YesArgs::from_arg_matches(target.matches).map_err(unreadable)?;
    let object = target.object()?;
    let known = target.call(Verb::Get, object.as_deref(), Map::new())?;
    let (question, sentence) = told::deletion(target, &known);
    yes.confirm(&question)?;
    let answer = target.call(Verb::Delete, object.as_deref(), Map::new())?;
    if target.common.json {
        return say_json(&answer);
    }
    super::terminal::say(sentence);
    Ok(ExitCode::SUCCESS)
}
