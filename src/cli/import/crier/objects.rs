//! Brings custom fields, lists, aliases, administrators and settings of an export in, by calls of the API.

use serde_json::{Map, Value};

use super::Run;
use crate::cli::{Failure, told, unexpected};
use crate::control::calls::{CallRequest, Verb};
use crate::control::export::{ACCOUNT_FILE, ALIASES_FILE, ExportedField, LISTS_FILE};
use crate::control::fields::{FieldAction, FieldReply, FieldsRequest};
use crate::control::import::put_back::PutBackRequest;
use crate::control::scope::Scope;
use crate::control::{Reply, Request};

/// What a list is not made with: these may name lists that are made later, so they are set when all are there.
const SET_LATER: [&str; 2] = ["moderate", "restrict_post_lists"];
/// What is read-only, or of one server alone.
const NOT_SET: [&str; 4] = ["id", "created", "pending", "contacts"];

impl Run {
    pub(in crate::cli::import) fn call(
        &self,
        verb: Verb,
        path: &[&str],
        params: Map<String, Value>,
    ) -> Result<Reply, Failure> {
        let scope = self.account.clone().map_or(Scope::Only, Scope::Account);
        let path = path.iter().map(|&part| part.to_owned()).collect();
        self.reached.ask(Request::Call(CallRequest { verb, path, scope, params, mail: None }))
    }

    fn ask_fields(&self, action: FieldAction) -> Result<Vec<FieldReply>, Failure> {
        let request = FieldsRequest { account: self.account.clone(), action };
        match told(self.reached.ask(Request::Fields(request))?)? {
            Reply::Fields { fields } => Ok(fields),
            other => Err(unexpected(&other)),
        }
    }

    /// The custom fields of the account.
    pub(in crate::cli::import) fn custom_fields(&self) -> Result<Vec<FieldReply>, Failure> {
        self.ask_fields(FieldAction::List)
    }

    /// Makes the custom fields that are missing; returns the names of those that a real import would have made.
    pub(in crate::cli::import) fn fields(
        &mut self,
        fields: &[ExportedField],
    ) -> Result<Vec<String>, Failure> {
        let there = self.ask_fields(FieldAction::List)?;
        let mut coming = Vec::new();
        for ExportedField { name, key, members_edit } in fields {
            if there.iter().any(|field| field.name == *name) {
                self.summary.fields.skipped += 1;
                continue;
            }
            self.summary.fields.created += 1;
            coming.push(name.clone());
            if self.is_rehearsed {
                continue;
            }
            let id = Some(key.clone()).filter(|key| key != name);
            self.ask_fields(FieldAction::Add { name: name.clone(), id })?;
            if *members_edit {
                let (field, members_edit) = (name.clone(), Some(true));
                self.ask_fields(FieldAction::Set { field, name: None, id: None, members_edit })?;
            }
        }
        Ok(coming)
    }

    /// Makes the lists that are missing; returns the names of those that a real import would have made.
    pub(in crate::cli::import) fn lists(
        &mut self,
        lists: &[Map<String, Value>],
    ) -> Result<Vec<String>, Failure> {
        let (mut coming, mut unfinished) = (Vec::new(), Vec::new());
        for list in lists {
            let name = text_of(list, "name");
            let there = self.shown(&["lists", &name])?;
            match there {
                Some(there) if is_unfinished(list, &there) => {
                    self.summary.lists.skipped += 1;
                    unfinished.push(list);
                }
                Some(_) => {
                    self.summary.lists.skipped += 1;
                    let reason = "a list of this name is there already, and keeps its settings";
                    self.note(LISTS_FILE, &name, "skipped", reason)?;
                }
                None if self.is_rehearsed => {
                    self.summary.lists.created += 1;
                    coming.push(name);
                }
                None => {
                    let mut params = settable(list);
                    params.retain(|name, _| !SET_LATER.contains(&name.as_str()));
                    // Nothing goes through while the list is being made.
                    params.insert("moderate".to_owned(), Value::from(1));
                    self.make_list(&name, params)?;
                    self.summary.lists.created += 1;
                    coming.push(name);
                    unfinished.push(list);
                }
            }
        }
        let is_rehearsed = self.is_rehearsed;
        for list in unfinished.into_iter().filter(|_| !is_rehearsed) {
            let name = text_of(list, "name");
            let mut params = settable(list);
            params.retain(|name, _| SET_LATER.contains(&name.as_str()));
            self.set_list(&name, params)?;
            let dated = Some((name, text_of(list, "created")));
            let account = self.account.clone();
            let request = PutBackRequest { account, dated, ..PutBackRequest::default() };
            told(self.reached.ask(Request::PutBack(request))?)?;
        }
        Ok(coming)
    }

    fn make_list(&mut self, name: &str, params: Map<String, Value>) -> Result<(), Failure> {
        let made = told(self.call(Verb::Post, &["lists"], params.clone())?);
        if made.is_ok() || !self.is_foreign {
            return made.map(drop);
        }
        let plain = ["name", "moderate"];
        let least = params.iter().filter(|(field, _)| plain.contains(&field.as_str()));
        let least = least.map(|(field, value)| (field.clone(), value.clone())).collect();
        told(self.call(Verb::Post, &["lists"], least)?)?;
        self.set_list(
            name,
            params.into_iter().filter(|(field, _)| !plain.contains(&field.as_str())).collect(),
        )
    }

    /// Sets fields of a list; of another program's list those that can be set, and the others are named.
    fn set_list(&mut self, name: &str, params: Map<String, Value>) -> Result<(), Failure> {
        let set = told(self.call(Verb::Put, &["lists", name], params.clone())?);
        if set.is_ok() || !self.is_foreign {
            return set.map(drop);
        }
        // `restrict_post_lists` comes before what refers to it, by the order of this program.
        let (first, last): (Vec<_>, Vec<_>) = params.into_iter().partition(|(field, _)| field != "moderate");
        for (field, value) in first.into_iter().chain(last) {
            let one = Map::from_iter([(field.clone(), value)]);
            if let Err(failure) = told(self.call(Verb::Put, &["lists", name], one)?) {
                self.refuse(LISTS_FILE, &format!("{name}, {field}"), &words(&failure))?;
            }
        }
        Ok(())
    }

    pub(in crate::cli::import) fn aliases(
        &mut self,
        aliases: Vec<Map<String, Value>>,
    ) -> Result<(), Failure> {
        let mut waiting = aliases;
        // An alias may lead to another one, which has to be there first.
        loop {
            let before = waiting.len();
            let mut refused = Vec::new();
            for alias in waiting {
                let source = text_of(&alias, "source");
                if self.shown(&["aliases", &source])?.is_some() {
                    self.summary.aliases.skipped += 1;
                } else if self.is_rehearsed {
                    self.summary.aliases.created += 1;
                } else {
                    match told(self.call(Verb::Post, &["aliases"], settable(&alias))?) {
                        Ok(_) => self.summary.aliases.created += 1,
                        Err(failure) => refused.push((alias, failure)),
                    }
                }
            }
            if refused.len() == before || refused.is_empty() {
                for (alias, failure) in refused {
                    self.summary.aliases.rejected += 1;
                    self.refuse(ALIASES_FILE, &text_of(&alias, "source"), &words(&failure))?;
                }
                return Ok(());
            }
            waiting = refused.into_iter().map(|(alias, _)| alias).collect();
        }
    }

    pub(in crate::cli::import) fn admins(
        &mut self,
        source: &str,
        admins: Vec<Map<String, Value>>,
    ) -> Result<(), Failure> {
        let shown = match told(self.call(Verb::Get, &["admins"], Map::new())?)? {
            Reply::Answer { answer } => answer,
            other => return Err(unexpected(&other)),
        };
        let empty = Vec::new();
        let there = shown["data"].as_array().unwrap_or(&empty);
        for admin in admins {
            let username = text_of(&admin, "username");
            let is_there =
                there.iter().any(|known| known["username"].as_str().is_some_and(|it| is_same(it, &username)));
            if is_there {
                self.summary.administrators.skipped += 1;
            } else if self.is_rehearsed {
                self.summary.administrators.created += 1;
            } else {
                let mut params = settable(&admin);
                params.insert("welcome_email".to_owned(), Value::from(false));
                match told(self.call(Verb::Post, &["admins"], params)?) {
                    Ok(_) => self.summary.administrators.created += 1,
                    Err(failure) => {
                        self.summary.administrators.rejected += 1;
                        self.refuse(source, &username, &words(&failure))?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(in crate::cli::import) fn settings(&mut self, settings: &Map<String, Value>) -> Result<(), Failure> {
        let Err(failure) = told(self.call(Verb::Put, &["accounts"], settings.clone())?) else {
            return Ok(());
        };
        if !self.is_foreign {
            self.refuse(ACCOUNT_FILE, "settings", &words(&failure))?;
            return Err(failure);
        }
        for (field, value) in settings {
            let one = Map::from_iter([(field.clone(), value.clone())]);
            if let Err(failure) = told(self.call(Verb::Put, &["accounts"], one)?) {
                self.refuse(ACCOUNT_FILE, field, &words(&failure))?;
            }
        }
        Ok(())
    }

    /// The object at a path; `None` if there is none.
    pub(in crate::cli::import) fn shown(&self, path: &[&str]) -> Result<Option<Map<String, Value>>, Failure> {
        let params = Map::new();
        match self.call(Verb::Get, path, params)? {
            Reply::Missing { .. } => Ok(None),
            reply => match told(reply)? {
                Reply::Answer { answer: Value::Object(object) } => Ok(Some(object)),
                other => Err(unexpected(&other)),
            },
        }
    }
}

/// Whether a list is the one of the export, but for what is set last: an import made it that was cut short.
pub(in crate::cli::import) fn is_unfinished(list: &Map<String, Value>, there: &Map<String, Value>) -> bool {
    settable(list)
        .iter()
        .filter(|(name, _)| !SET_LATER.contains(&name.as_str()))
        .all(|(name, value)| there.get(name) == Some(value))
}

/// The members of an object that a call may set.
fn settable(object: &Map<String, Value>) -> Map<String, Value> {
    let is_set = |name: &String| !NOT_SET.contains(&name.as_str());
    object
        .iter()
        .filter(|(name, _)| is_set(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

pub(in crate::cli::import) fn text_of(object: &Map<String, Value>, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

pub(in crate::cli::import) fn words(failure: &Failure) -> String {
    match failure {
        Failure::Usage(text) | Failure::Failed(text) => text.clone(),
    }
}
