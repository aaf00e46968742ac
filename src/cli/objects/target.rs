//! The objects that a command is about, with its arguments, and the calls that it makes of them.

use clap::{ArgMatches, FromArgMatches as _};
use serde_json::{Map, Value};

use super::calls::{self, Meant, Refused, contact_named, custom_params, no_object};
use super::flags::{custom, flag_of, params};
use super::kind::{Action, Kind, Naming, Owner, Subcommand, Way};
use crate::cli::manage::{AccountArgs, CommonArgs, ScopeArgs, YesArgs};
use crate::cli::{Failure, problems_told, show};
use crate::control::calls::Verb;
use crate::control::scope::Scope;
use crate::http::reference::{Field, Operation, Reference};

/// Parameters of every call that no command needs.
const UNUSED: [&str; 2] = ["account_id", "fields"];

/// The objects that a command is about, with its arguments.
pub(super) struct Target<'matches> {
    pub(super) kind: &'static Kind,
    pub(super) subcommand: &'static Subcommand,
    pub(super) matches: &'matches ArgMatches,
    pub(super) common: CommonArgs,
    pub(super) scope: Scope,
}

impl<'matches> Target<'matches> {
    /// Reads the arguments of a subcommand.
    pub(super) fn new(
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
    pub(super) fn argument(&self, id: &str) -> &str {
        self.matches.try_get_one::<String>(id).ok().flatten().map_or("", String::as_str)
    }

    /// The named object, as the API names it.
    pub(super) fn object(&self) -> Result<Option<String>, Failure> {
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
    pub(super) fn call(
        &self,
        verb: Verb,
        object: Option<&str>,
        params: Map<String, Value>,
    ) -> Result<Value, Failure> {
        let path: Vec<&str> = [self.kind.section].into_iter().chain(object).collect();
        match calls::try_call(&self.common, verb, &path, &self.scope, params)? {
            Ok(answer) => Ok(answer),
            Err(Refused::Missing(text)) => Err(match object {
                Some(name) => self.no_object(self.kind.section, self.kind.noun, name)?,
                None => Failure::Failed(text),
            }),
            Err(Refused::Invalid(problems)) => {
                Err(Failure::Failed(problems_told(problems, |field| self.flag(field))))
            }
        }
    }

    /// What was typed for the API's field: its flag, or the word that the help has for an argument without one; `None` if
    /// the subcommand takes neither.
    pub(super) fn flag(&self, field: &str) -> Option<String> {
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
    pub(super) fn params(&self) -> Result<Map<String, Value>, Failure> {
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

    /// Words the error of a missing object, and names existing ones of its section.
    pub(super) fn no_object(&self, section: &str, noun: &str, name: &str) -> Result<Failure, Failure> {
        let meant = if self.kind.way == Way::Keys { Meant::Keys } else { Meant::All };
        no_object(&self.common, &self.scope, meant, (section, noun, name))
    }

    /// Asks for confirmation before a deletion.
    pub(super) fn confirm(&self, question: &str) -> Result<(), Failure> {
        YesArgs::from_arg_matches(self.matches).map_err(|error| unreadable(&error))?.confirm(question)
    }
}

fn unreadable(error: &clap::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// The operation of the API that an action calls.
pub(super) fn operation<'a>(kind: &Kind, action: Action, reference: &'a Reference) -> Option<&'a Operation> {
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
pub(super) fn fields_of(
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
    fields.sort_by_key(|field| (kind.heading)(&field.name).is_some());
    fields
}
