//! Brings lists, people, administrators and settings of another server in.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{ServerImport, name_of, unread};
use crate::cli::Failure;
use crate::cli::import::crier::people::Sending;
use crate::cli::import::progress::Progress;
use crate::control::export::ExportedField;
use crate::control::fields::FieldReply;
use crate::control::import::put_back::{Merging, PEOPLE_MAX};
use crate::remote::listing::{Listing, Object};
use crate::remote::person::{Person, is_true, person_of, text_of, time_of};

/// Most lists, aliases or administrators.
const KEPT_MAX: usize = 20_000;
/// Most bytes of all lists, aliases or administrators.
const KEPT_BYTES_MAX: usize = 64 << 20;
/// What an account has in the API that is no setting, or is of one server alone.
const NO_SETTINGS: [&str; 9] =
    ["id", "name", "administrator", "admins", "lists", "contacts", "contacts_max", "domains", "custom_image"];

impl ServerImport {
    /// All objects of a kind of which an account has few.
    pub(super) fn kept(&self, kind: &str) -> Result<Vec<Object>, Failure> {
        let mut listing = Listing::new(&self.remote, kind, &[]);
        let (mut kept, mut size_bytes): (Vec<Object>, usize) = (Vec::new(), 0);
        while let Some(page) = self.runtime.block_on(listing.next()).map_err(unread)? {
            for mut object in page {
                // Of lists this names every member, who come with the people.
                object.remove("contacts");
                size_bytes += serde_json::to_string(&object).map_or(0, |text| text.len());
                kept.push(object);
            }
            if KEPT_MAX < kept.len() || KEPT_BYTES_MAX < size_bytes {
                return Err(Failure::Failed(format!("the server has more {kind} than this program takes")));
            }
        }
        Ok(kept)
    }

    /// The lists that are to be taken.
    pub(super) fn read_lists(&self) -> Result<Vec<Object>, Failure> {
        let mut lists = self.kept("lists")?;
        lists.retain(|list| self.is_taken(&name_of(list)));
        let missing =
            self.lists.iter().find(|name| !lists.iter().any(|list| name_of(list).eq_ignore_ascii_case(name)));
        if let Some(missing) = missing {
            return Err(Failure::Failed(format!("the server has no list {missing}")));
        }
        for list in &mut lists {
            let created = time_of(list.get("created")).unwrap_or(self.now);
            list.insert("created".to_owned(), Value::from(created.rfc3339()));
        }
        Ok(lists)
    }

    /// Brings everybody in who is in the lists; everybody of the account, if all of it is taken.
    pub(super) fn people(&mut self, lists: &[String], coming: &[String]) -> Result<(), Failure> {
        let mut fields = Fields { there: self.run.custom_fields()?, coming: Vec::new() };
        let rehearsal = self.run.is_rehearsed.then(|| (coming.to_vec(), Vec::new()));
        let source = self.remote.base().to_owned();
        // Merging is about memberships: whoever has none is put back as from an export.
        let mut alone = Sending::of(&source, "person", rehearsal.clone());
        let mut members = Sending::of(&source, "person", rehearsal);
        members.merging = Some(Merging { source, override_opt_out: false });
        let mut progress = Progress::start("people", None);
        let mut number = 0;
        let remote = Arc::clone(&self.remote);
        let mut listing = Listing::new(&remote, "contacts", &[]);
        while let Some(page) = self.runtime.block_on(listing.next()).map_err(unread)? {
            for contact in page {
                number += 1;
                let Person { mut whole, strange } = person_of(contact, self.now);
                whole
                    .memberships
                    .retain(|member| lists.iter().any(|list| list.eq_ignore_ascii_case(&member.list)));
                if whole.memberships.is_empty() && !self.is_whole() {
                    continue;
                }
                for name in strange {
                    self.leave(&format!("values of {name}"), 1, "They are neither text nor numbers");
                }
                self.name_fields(&mut whole.fields, &mut fields)?;
                let sending = if whole.memberships.is_empty() { &mut alone } else { &mut members };
                sending.people.push((number, whole));
                if sending.people.len() == PEOPLE_MAX {
                    self.send(sending, &fields)?;
                }
            }
            progress.at(0, self.run.summary.contacts.created);
        }
        for sending in [&mut members, &mut alone] {
            self.send(sending, &fields)?;
        }
        progress.finish();
        self.run.end_people(&mut members)?;
        self.run.end_people(&mut alone)
    }

    fn send(&mut self, sending: &mut Sending, fields: &Fields) -> Result<(), Failure> {
        if let Some((_, coming)) = &mut sending.rehearsal {
            coming.clone_from(&fields.coming);
        }
        self.run.send(sending, None)
    }

    /// Puts the full names of custom fields in place of their identifiers, and makes the fields that are missing.
    fn name_fields(
        &mut self,
        values: &mut BTreeMap<String, String>,
        fields: &mut Fields,
    ) -> Result<(), Failure> {
        for (key, value) in std::mem::take(values) {
            let known = fields.there.iter().find(|field| field.key == key || field.name == key);
            let name = match known {
                Some(field) => field.name.clone(),
                None if fields.coming.contains(&key) => key,
                None => {
                    let field = ExportedField { name: key.clone(), key: key.clone(), members_edit: false };
                    self.run.fields(&[field])?;
                    fields.coming.push(key.clone());
                    let instead =
                        "The API tells their identifiers alone: crier field set gives them full names";
                    self.leave("full names of custom fields", 1, instead);
                    key
                }
            };
            values.insert(name, value);
        }
        Ok(())
    }

    /// Makes the administrators who are people. Keys cannot come along, since no server tells them.
    pub(super) fn admins(&mut self) -> Result<(), Failure> {
        let mut admins = self.kept("admins")?;
        let all = admins.len();
        admins.retain(|admin| {
            admin.get("username").and_then(Value::as_str).is_some_and(|name| name.contains('@'))
        });
        self.leave("keys of the API", (all - admins.len()) as u64, "Make new ones: crier key create");
        for admin in &mut admins {
            // Its secret stays where it is.
            admin.remove("mfa_type");
            admin.remove("can_write");
        }
        self.run.admins(self.remote.base(), admins)
    }

    /// Takes the settings of the account, if the server shows them.
    pub(super) fn settings(&mut self) -> Result<(), Failure> {
        let Some(mut settings) = self.account()? else {
            self.leave("account", 1, "For its settings, name its number there with --account-id");
            return Ok(());
        };
        let domains: Vec<Value> = match settings.get("domains") {
            Some(Value::Array(domains)) => domains.clone(),
            _ => Vec::new(),
        };
        self.leave(
            "domains",
            domains.len() as u64,
            "Make them when mail is to come here: crier domain create",
        );
        let image = settings.get("custom_image").cloned().map(text_of).unwrap_or_default();
        self.leave("image", u64::from(!image.is_empty()), "Set it: crier account set --custom-image");
        settings.retain(|name, _| !NO_SETTINGS.contains(&name.as_str()));
        if self.run.is_rehearsed { Ok(()) } else { self.run.settings(&settings) }
    }

    fn account(&self) -> Result<Option<Object>, Failure> {
        let id = match self.account_id {
            Some(id) => Some(id),
            None => match self.kept("accounts") {
                Ok(accounts) => match accounts.as_slice() {
                    [account] => account.get("id").and_then(Value::as_u64),
                    _ => None,
                },
                Err(_) => None,
            },
        };
        let Some(id) = id else { return Ok(None) };
        match self.runtime.block_on(self.remote.json(&format!("/api/2/accounts/{id}/"))) {
            Ok(Value::Object(account)) => Ok(Some(account)),
            Ok(_) => Ok(None),
            Err(error) if matches!(error.status(), Some(400 | 403 | 404)) => Ok(None),
            Err(error) => Err(unread(error)),
        }
    }

    /// Names what the API does not give.
    pub(super) fn name_the_rest(&mut self, lists: &[Object]) {
        let with_password = |list: &&Object| is_true(list.get("archive_protected"));
        let protected = lists.iter().filter(with_password).count() as u64;
        self.leave(
            "protected archives",
            protected,
            "If they have passwords, set these again: no server tells them",
        );
        for (kind, what) in [("held", "held messages"), ("pending", "requests that wait for approval")] {
            let path = format!("/api/2/{kind}/?limit=1&page=1");
            // Servers without these answer 404.
            let answer = self.runtime.block_on(self.remote.json(&path)).unwrap_or(Value::Object(Map::new()));
            let count = answer.get("count").and_then(Value::as_u64).unwrap_or_default();
            self.leave(what, count, "Decide about them at the other server, and run this once more");
        }
    }
}

/// The custom fields of the account here.
struct Fields {
    there: Vec<FieldReply>,
    /// Those that were made meanwhile, or would be.
    coming: Vec<String>,
}
