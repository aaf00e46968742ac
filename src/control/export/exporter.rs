//! Makes the files of an export, piece by piece.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    ACCOUNT_FILE, ADMINS_FILE, ALIASES_FILE, ARCHIVE_ENDING, ARCHIVES_FOLDER, AccountFile, CONTACTS_FILE,
    ExportCounts, ExportRequest, ExportedField, FORMAT, FORMAT_VERSION, LISTS_FILE, README_FILE, sheet,
};
use crate::control::calls::{self, CallRequest, Verb};
use crate::control::error::CommandError;
use crate::control::fields::{self, FieldAction, FieldReply, FieldsRequest};
use crate::control::host::{Host, find_account};
use crate::control::scope::Scope;
use crate::model::{Account, AuditAction, List, ListId};
use crate::ops::archive::mbox::ArchiveFile;
use crate::ops::audit::{self, Note};
use crate::ops::people::whole;
use crate::ops::{Caller, OpError, Wrong, lists};
use crate::service::exports::Piece;
use crate::store::StoreError;

/// People of a piece.
const PEOPLE_PER_PIECE: usize = 200;
/// Lists, aliases or administrators of a piece.
const OBJECTS_PER_PIECE: usize = 100;
/// Bytes of an archive in a piece, but for the end of its last message.
const ARCHIVE_BYTES_PER_PIECE: usize = 1 << 20;
/// What an account has in the API that is no setting, or is of this server alone.
const NO_SETTINGS: &[&str] = &[
    "id",
    "name",
    "administrator",
    "admins",
    "lists",
    "contacts",
    "contacts_max",
    "domains",
    "custom_image",
];
/// Whether an administrator signs in with a second factor: its secret is no part of an export.
const SECOND_FACTOR: &str = "mfa_type";

/// The kinds of objects that are exported as the API shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lists,
    Aliases,
    Admins,
}

impl Kind {
    fn section(self) -> &'static str {
        match self {
            Kind::Lists => "lists",
            Kind::Aliases => "aliases",
            Kind::Admins => "admins",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Kind::Lists => LISTS_FILE,
            Kind::Aliases => ALIASES_FILE,
            Kind::Admins => ADMINS_FILE,
        }
    }
}

/// How far an export has come.
#[derive(Debug)]
enum Stage {
    /// The objects of this kind, beyond the one of this number.
    Objects(Kind, u64),
    /// People beyond this one; `None` for the head.
    People(Option<u64>),
    /// The archive of the list, or that of the next; behind the last, the words for people.
    Archives(Option<(String, ArchiveFile)>),
    Account,
    Done,
}

/// An export in progress.
#[derive(Debug)]
pub struct Exporter {
    host: Host,
    account: Account,
    list: Option<List>,
    stage: Stage,
    /// The list whose archive was written last.
    last: ListId,
    counts: ExportCounts,
}

impl Exporter {
    /// Begins an export, which the audit log notes.
    pub(in crate::control) fn begin(host: &Host, request: &ExportRequest) -> Result<Exporter, CommandError> {
        let ExportRequest { account, list } = request;
        let tx = host.core.store.read()?;
        let account = find_account(&tx, account.as_deref())?;
        let caller = Arc::new(Caller::operator(account.id));
        let exporter = Exporter::new(host, account, list.as_deref())?;
        let list = &exporter.list;
        let what = list.as_ref().map_or("account", |_| "list");
        let note = Note::new(AuditAction::Exported, list.as_ref().map_or(0, |list| list.id.0));
        let note = note.named(list.as_ref().map_or("", |list| list.name.as_str())).detail(what);
        host.core.perform_blocking(&caller, move |tx, by| {
            audit::note(tx, &by.caller, note, by.now).map_err(OpError::from)
        })?;
        Ok(exporter)
    }

    /// An export of which the audit log knows already.
    pub(super) fn new(host: &Host, account: Account, list: Option<&str>) -> Result<Exporter, OpError> {
        let list = match list {
            None => None,
            Some(name) => {
                let caller = Caller::operator(account.id);
                let found = lists::get(&host.core.store.read()?, &caller, name, lists::Members::Skip);
                let list = found.map_err(|error| match error {
                    OpError::NotFound { .. } => {
                        OpError::invalid("list", Wrong::NoList { name: name.to_owned() })
                    }
                    error => error,
                });
                Some(list?.list)
            }
        };
        let stage = Stage::Objects(Kind::Lists, 0);
        let (host, counts) = (host.clone(), ExportCounts::default());
        Ok(Exporter { host, account, list, stage, last: ListId(0), counts })
    }

    /// How much was exported so far.
    #[must_use]
    pub fn counts(&self) -> ExportCounts {
        self.counts
    }

    /// Closes the file that it works on.
    pub(in crate::control) fn close(self) {
        self.host.core.store.close_blocking();
    }

    /// The next piece; `None` behind the last. Blocks, within a runtime.
    pub(in crate::control) fn next_piece(&mut self) -> Result<Option<Piece>, CommandError> {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Objects(kind, after) => self.objects(kind, after).map(Some),
            Stage::People(after) => self.people(after).map(Some),
            Stage::Archives(current) => self.archive(current).map(Some),
            Stage::Account => self.account_file().map(Some),
            Stage::Done => Ok(None),
        }
    }

    fn call(&self, path: Vec<String>, params: Map<String, Value>) -> Result<Value, CommandError> {
        let scope = Scope::Account(self.account.name.clone());
        calls::run(&self.host, CallRequest { verb: Verb::Get, path, scope, params, mail: None })
    }

    /// The objects of a kind as a list in JSON, each on lines of its own.
    fn objects(&mut self, kind: Kind, after: u64) -> Result<Piece, CommandError> {
        let (mut found, next) = match &self.list {
            None => self.next_objects(kind, after)?,
            Some(list) => {
                let name = list.name.to_string();
                (vec![self.call(vec!["lists".to_owned(), name], list_members(list))?], None)
            }
        };
        if kind == Kind::Lists {
            self.counts.lists += u64::try_from(found.len()).unwrap_or(u64::MAX);
        }
        // A program is nothing without its key, which is a secret.
        found.retain(|object| kind != Kind::Admins || !object["username"].is_null());
        let mut text = String::new();
        for object in &mut found {
            if let Some(object) = object.as_object_mut() {
                object.remove(SECOND_FACTOR);
            }
            text.push_str(if after == 0 && text.is_empty() { "[\n" } else { ",\n" });
            text.push_str(&serde_json::to_string_pretty(object).map_err(unwritable)?);
        }
        if after == 0 && text.is_empty() {
            text.push('[');
        }
        let is_last = next.is_none();
        if is_last {
            text.push_str("\n]\n");
        }
        self.stage = match (next, kind) {
            (Some(next), _) => Stage::Objects(kind, next),
            (None, Kind::Lists) if self.list.is_some() => Stage::People(None),
            (None, Kind::Lists) => Stage::Objects(Kind::Aliases, 0),
            (None, Kind::Aliases) => Stage::Objects(Kind::Admins, 0),
            (None, Kind::Admins) => Stage::People(None),
        };
        Ok(Piece { file: kind.file().to_owned(), bytes: text.into_bytes(), is_last })
    }

    fn next_objects(&self, kind: Kind, after: u64) -> Result<(Vec<Value>, Option<u64>), CommandError> {
        let mut params = Map::new();
        if kind == Kind::Lists {
            let first = lists::next_of_account(&self.host.core.store.read()?, self.account.id, ListId(0))?;
            let Some(first) = first else { return Ok((Vec::new(), None)) };
            params = list_members(&first);
        }
        params.insert("after".to_owned(), json!(after));
        params.insert("limit".to_owned(), json!(OBJECTS_PER_PIECE));
        let mut answer = self.call(vec![kind.section().to_owned()], params)?;
        let data = answer["data"].take();
        let Value::Array(found) = data else { return Ok((Vec::new(), None)) };
        let is_more = OBJECTS_PER_PIECE <= found.len();
        let last = found.last().and_then(|object| object["id"].as_u64()).filter(|_| is_more);
        Ok((found, last))
    }

    fn people(&mut self, after: Option<u64>) -> Result<Piece, CommandError> {
        let Some(after) = after else {
            self.stage = Stage::People(Some(0));
            let bytes = sheet::head(&self.account).map_err(unwritable)?;
            return Ok(Piece { file: CONTACTS_FILE.to_owned(), bytes, is_last: false });
        };
        let tx = self.host.core.store.read()?;
        let list = self.list.as_ref();
        let (people, end) = whole::page(&tx, &self.account, list, after, PEOPLE_PER_PIECE)?;
        drop(tx);
        self.counts.contacts += u64::try_from(people.len()).unwrap_or(u64::MAX);
        self.stage = if end.is_some() { Stage::People(end) } else { Stage::Archives(None) };
        let bytes = sheet::rows(&self.account, &people).map_err(unwritable)?;
        Ok(Piece { file: CONTACTS_FILE.to_owned(), bytes, is_last: end.is_none() })
    }

    fn archive(&mut self, current: Option<(String, ArchiveFile)>) -> Result<Piece, CommandError> {
        let tx = self.host.core.store.read()?;
        let current = match current {
            Some(current) => Some(current),
            None => self.next_list(&tx)?.map(|list| {
                self.last = list.id;
                (list.name.to_string(), ArchiveFile::new(list.account, list.id))
            }),
        };
        let Some((name, mut file)) = current else {
            drop(tx);
            self.stage = Stage::Account;
            return Ok(whole_file(README_FILE, self.readme().into_bytes()));
        };
        let before = file.messages();
        let bytes = file.next(&tx, ARCHIVE_BYTES_PER_PIECE)?;
        self.counts.messages += file.messages() - before;
        let path = format!("{ARCHIVES_FOLDER}/{name}{ARCHIVE_ENDING}");
        let is_last = bytes.is_none();
        self.stage = Stage::Archives(if is_last { None } else { Some((name, file)) });
        Ok(Piece { file: path, bytes: bytes.unwrap_or_default(), is_last })
    }

    /// The next list by its number.
    fn next_list(&self, tx: &crate::store::ReadTx) -> Result<Option<List>, StoreError> {
        match &self.list {
            Some(list) if self.last == ListId(0) => Ok(Some(list.clone())),
            Some(_) => Ok(None),
            None => lists::next_of_account(tx, self.account.id, self.last),
        }
    }

    fn account_file(&mut self) -> Result<Piece, CommandError> {
        let mut settings = Map::new();
        if self.list.is_none() {
            let mut shown = self.call(vec!["accounts".to_owned()], Map::new())?;
            if let Some(shown) = shown.as_object_mut() {
                settings = std::mem::take(shown);
                settings.retain(|name, _| !NO_SETTINGS.contains(&name.as_str()));
            }
        }
        let request = FieldsRequest { account: Some(self.account.name.clone()), action: FieldAction::List };
        let found = fields::run(&self.host, request, &mut |_| {})?;
        let field = |field: FieldReply| {
            let FieldReply { name, key, members_edit, contacts: _ } = field;
            ExportedField { name, key, members_edit }
        };
        let file = AccountFile {
            format: FORMAT.to_owned(),
            version: FORMAT_VERSION,
            list: self.list.as_ref().map(|list| list.name.to_string()),
            account: settings,
            fields: found.into_iter().map(field).collect(),
        };
        let mut text = serde_json::to_string_pretty(&file).map_err(unwritable)?;
        text.push('\n');
        Ok(whole_file(ACCOUNT_FILE, text.into_bytes()))
    }

    fn readme(&self) -> String {
        let ExportCounts { lists, contacts, messages } = self.counts;
        let whole = "\
administrators.json  the administrators: names, rights, and what they are told of\n\
aliases.json         the aliases, as the API shows them\n";
        let whole = if self.list.is_none() { whole } else { "" };
        let of = |number: u64, one: &str, several: &str| {
            format!("{number} {}", if number == 1 { one } else { several })
        };
        let people = of(contacts, "person", "people");
        let (lists, messages) = (of(lists, "list", "lists"), of(messages, "message", "messages"));
        format!(
            "This folder was written by crier export. It is complete: {people}, {lists} and\n\
             {messages}.\n\n\
             account.json         what this is, the account's settings and its custom fields\n\
             {whole}\
             contacts.csv         the people, in UTF-8, with commas: one row for each\n\
             lists.json           the lists with their settings, as the API shows them\n\
             archives/            the archive of each list, a mailbox file in the form mboxrd\n\n\
             In contacts.csv the columns emails and lists are for other programs. The columns behind them have\n\
             everything in JSON: addresses (digests, pauses and until when, confirmed, failing mail), memberships\n\
             (digests, pauses, when and how somebody joined), consents (what was asked for, when, from where and\n\
             how it was confirmed) and opted_out (what somebody does not want any more). Please respect the last\n\
             one wherever you go. The remaining columns are your own fields.\n\n\
             Not in here, since they are secrets or are known by hashes alone: passwords, second factors, API keys,\n\
             keys of domains, and people who opted out and were deleted afterwards.\n\n\
             crier import crier FOLDER brings it into an account again.\n"
        )
    }
}

fn whole_file(name: &str, bytes: Vec<u8>) -> Piece {
    Piece { file: name.to_owned(), bytes, is_last: true }
}

fn unwritable(error: impl std::fmt::Display) -> CommandError {
    CommandError::Told(format!("it cannot be written: {error}"))
}

/// Asks for all members of lists but their contacts, of which there may be very many.
fn list_members(list: &List) -> Map<String, Value> {
    let mut names: Vec<&str> = list.values().iter().map(|setting| setting.name).collect();
    names.extend(["id", "created", "pending"]);
    Map::from_iter([("fields".to_owned(), json!(names))])
}
