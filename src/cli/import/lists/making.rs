//! Makes the lists that are missing.

use serde_json::{Map, Value};

use super::Taking;
use super::choice::Chosen;
use crate::cli::import::crier::{is_unfinished, text_of, words};
use crate::cli::{Failure, told, unexpected};
use crate::control::calls::Verb;
use crate::control::import::put_back::{PutBackReply, PutBackRequest};
use crate::control::{Reply, Request};
use crate::model::ListName;
use crate::sources::OWN_ADDRESS;

/// The setting that may name lists which are made later.
const OTHER_LISTS: &str = "restrict_post_lists";

impl Taking {
    /// The domain with which addresses of lists are made here.
    fn domain(&self) -> Result<String, Failure> {
        let request = PutBackRequest { account: self.run.account.clone(), ..PutBackRequest::default() };
        match told(self.run.reached.ask(Request::PutBack(request))?)? {
            Reply::PutBack(PutBackReply { domain, .. }) => Ok(domain),
            other => Err(unexpected(&other)),
        }
    }

    /// Makes the lists that are missing; returns those that are there now, or would be.
    pub(super) fn make(&mut self, chosen: Vec<Chosen>) -> Result<Vec<Chosen>, Failure> {
        let domain = self.domain()?;
        let (mut there, mut unfinished) = (Vec::with_capacity(chosen.len()), Vec::new());
        for mut chosen in chosen {
            if let Err(error) = ListName::parse(&chosen.name) {
                self.run.summary.lists.rejected += 1;
                let reason = format!(
                    "the name of a list {error}: name it otherwise, such as --list {}=NEW",
                    chosen.list.address()
                );
                self.run.refuse(&chosen.list.address(), "its name", &reason)?;
                continue;
            }
            let settings = settings_of(&chosen, &domain);
            match self.run.shown(&["lists", &chosen.name])? {
                Some(found) => {
                    self.run.summary.lists.skipped += 1;
                    let is_held = found.get("moderate") == Some(&Value::from(1));
                    if settings.contains_key(OTHER_LISTS) && is_held && is_unfinished(&settings, &found) {
                        unfinished.push((chosen.name.clone(), settings));
                    } else {
                        let reason = "a list of this name is there already, and keeps its settings";
                        self.run.note(&chosen.list.address(), &chosen.name, "skipped", reason)?;
                    }
                }
                None if self.run.is_rehearsed => {
                    self.run.summary.lists.created += 1;
                    self.coming.push(chosen.name.clone());
                }
                None => {
                    if settings.contains_key(OTHER_LISTS) {
                        unfinished.push((chosen.name.clone(), settings.clone()));
                    }
                    self.create(&mut chosen, settings)?;
                    self.run.summary.lists.created += 1;
                    self.coming.push(chosen.name.clone());
                }
            }
            there.push(chosen);
        }
        if !self.run.is_rehearsed {
            for (name, settings) in unfinished {
                self.finish(&mut there, &name, &settings)?;
            }
        }
        Ok(there)
    }

    /// Makes a list. A setting that is refused is left behind: the reader should not have given it.
    fn create(&mut self, chosen: &mut Chosen, settings: Map<String, Value>) -> Result<(), Failure> {
        let mut settings = settings;
        if settings.remove(OTHER_LISTS).is_some() {
            // Nothing goes through while the list is being made.
            settings.insert("moderate".to_owned(), Value::from(1));
        }
        let reply = self.run.call(Verb::Post, &["lists"], settings.clone())?;
        if let Reply::Invalid { problems } = &reply {
            let before = settings.len();
            for (field, problem) in problems {
                if field != "name" && settings.remove(field).is_some() {
                    chosen.list.leave_behind(&format!("the setting {field}"), 0, &format!("it {problem}"));
                }
            }
            if settings.len() < before {
                told(self.run.call(Verb::Post, &["lists"], settings)?)?;
                return Ok(());
            }
        }
        told(reply)?;
        Ok(())
    }

    /// Sets what names other lists, now that all are there.
    fn finish(
        &mut self,
        there: &mut [Chosen],
        name: &str,
        settings: &Map<String, Value>,
    ) -> Result<(), Failure> {
        let set = |names: &[&str]| -> Map<String, Value> {
            let is_set = |name: &String| names.contains(&name.as_str());
            settings
                .iter()
                .filter(|(name, _)| is_set(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let params = set(&["moderate", OTHER_LISTS]);
        if let Err(failure) = told(self.run.call(Verb::Put, &["lists", name], params)?)
            && let Some(chosen) = there.iter_mut().find(|chosen| chosen.name == name)
        {
            let instead = format!("every message is held, since {}", words(&failure));
            chosen.list.leave_behind("lists whose members may post", 0, &instead);
        }
        Ok(())
    }
}

/// The settings with which a list is made.
fn settings_of(chosen: &Chosen, domain: &str) -> Map<String, Value> {
    let mut settings = chosen.list.settings.clone();
    settings.insert("name".to_owned(), Value::from(chosen.name.clone()));
    if text_of(&settings, "reply_to") == OWN_ADDRESS {
        settings.insert("reply_to".to_owned(), Value::from(format!("{}@{domain}", chosen.name)));
    }
    // A list that got another name still is the list itself.
    if let Some(Value::Array(names)) = settings.get_mut(OTHER_LISTS) {
        for name in names.iter_mut().filter(|name| **name == chosen.list.name.as_str()) {
            *name = Value::from(chosen.name.clone());
        }
    }
    settings
}
