//! Brings the archives of lists of another server in, oldest message first.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use hyper::body::Bytes;
use serde_json::{Map, Value};
use tokio::task::JoinSet;

use super::{ServerImport, unread};
use crate::cli::import::mbox::Taking;
use crate::cli::{Failure, told, unexpected};
use crate::control::Reply;
use crate::control::calls::Verb;
use crate::control::import::mails::MailsRequest;
use crate::mail::mbox::Separator;
use crate::remote::client::{Remote, RemoteError};
use crate::remote::listing::{Listing, Object};
use crate::remote::mail::{Posted, bare, posted_of, rebuilt};

/// Messages that are read at a time.
const IN_FLIGHT_MAX: usize = 8;
/// Largest message that is read beside others, in bytes.
const SMALL_BYTES_MAX: usize = 4 << 20;
/// Largest message, in bytes: what a list may take at most, and its encoding.
const MESSAGE_BYTES_MAX: usize = 80 << 20;
/// Messages here that are asked for at a time.
const HERE_AT_A_TIME: u64 = 1000;
/// Message-IDs that are remembered for replies to them.
const PARENTS_MAX: usize = 100_000;

fn hash(message_id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    message_id.hash(&mut hasher);
    hasher.finish()
}

impl ServerImport {
    /// Brings the messages of a list in that are not here yet.
    pub(super) fn messages(&mut self, list: &str, is_coming: bool) -> Result<(), Failure> {
        let is_absent = self.run.is_rehearsed && is_coming;
        let here = if is_absent { HashSet::new() } else { self.here(list)? };
        let (missing, known) = self.missing(list, &here)?;
        self.run.summary.messages.skipped += known;
        if self.run.is_rehearsed {
            // Their mails are not read, which would take as long as the import itself.
            self.run.summary.messages.created += missing.len() as u64;
            return Ok(());
        }
        if missing.is_empty() {
            return Ok(());
        }
        let request = MailsRequest {
            account: self.run.account.clone(),
            list: list.to_owned(),
            dry_run: false,
            is_dated: true,
        };
        let carrier = self.run.reached.mails(&request)?;
        let mut report = self.run.report.take();
        let source = format!("{}, {list}", self.remote.base());
        let mut taking = Taking::begin(carrier, &source, &mut report);
        let fetched = self.fetch_all(&missing, &mut taking);
        let ended = taking.end(&mut report);
        self.run.report = report;
        let [created, skipped, rejected] = ended?;
        let all = &mut self.run.summary.messages;
        all.created += created;
        all.skipped += skipped;
        all.rejected += rejected;
        fetched
    }

    /// The Message-IDs of a list's archive here.
    fn here(&self, list: &str) -> Result<HashSet<u64>, Failure> {
        let (mut here, mut after) = (HashSet::new(), None);
        loop {
            let mut params = Map::new();
            params.insert("list".to_owned(), Value::from(list));
            params.insert("fields".to_owned(), Value::from("id,message_id"));
            params.insert("limit".to_owned(), Value::from(HERE_AT_A_TIME));
            if let Some(after) = after {
                params.insert("after".to_owned(), Value::from(after));
            }
            let answer = match told(self.run.call(Verb::Get, &["messages"], params)?)? {
                Reply::Answer { answer } => answer,
                other => return Err(unexpected(&other)),
            };
            let page = answer.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let found = page.iter().filter_map(|message| message.get("message_id").and_then(Value::as_str));
            here.extend(found.map(|message_id| hash(&bare(message_id))));
            after = page.last().and_then(|message| message.get("id")).and_then(Value::as_u64);
            if after.is_none() {
                return Ok(here);
            }
        }
    }

    /// The messages of a list that are not here, oldest first, and how many of the others there are.
    fn missing(&self, list: &str, here: &HashSet<u64>) -> Result<(Vec<Posted>, u64), Failure> {
        let filters = [("list", list), ("fields", "id,message_id,time,datetime,from_address")];
        let mut listing = Listing::new(&self.remote, "messages", &filters);
        let (mut missing, mut known) = (Vec::new(), 0);
        while let Some(page) = self.runtime.block_on(listing.next()).map_err(unread)? {
            for posted in page.iter().filter_map(posted_of) {
                if !posted.message_id.is_empty() && here.contains(&hash(&posted.message_id)) {
                    known += 1;
                } else {
                    missing.push(posted);
                }
            }
        }
        missing.sort_by_key(|posted| (posted.time, posted.id));
        missing.dedup_by_key(|posted| posted.id);
        Ok((missing, known))
    }

    fn fetch_all(&self, missing: &[Posted], taking: &mut Taking) -> Result<(), Failure> {
        let mut fetching = Fetching { remote: &self.remote, has_raw: true, parents: HashMap::new() };
        for part in missing.chunks(IN_FLIGHT_MAX) {
            let mails = self.runtime.block_on(fetching.part(part)).map_err(unread)?;
            for (posted, mail) in part.iter().zip(mails) {
                let place = format!("message {}", posted.id);
                match mail {
                    Mail::Read(bytes) => {
                        let separator = Separator { sender: posted.sender.clone(), time: posted.time };
                        taking.add(place, separator, &bytes)?;
                    }
                    Mail::Gone => {}
                    Mail::TooLarge => taking.refuse(&place, "it is too large")?,
                }
            }
        }
        Ok(())
    }
}

enum Mail {
    Read(Bytes),
    /// It was deleted meanwhile.
    Gone,
    TooLarge,
}

/// Reads the mails of one list.
struct Fetching<'a> {
    remote: &'a Arc<Remote>,
    /// Whether the server gives whole mails, which its document does not promise.
    has_raw: bool,
    /// Message-IDs by identifiers, for the replies to them.
    parents: HashMap<u64, String>,
}

impl Fetching<'_> {
    /// The mails of some messages, in their order.
    async fn part(&mut self, part: &[Posted]) -> Result<Vec<Mail>, RemoteError> {
        let mut mails: Vec<Option<Mail>> = part.iter().map(|_| None).collect();
        if self.has_raw {
            let mut under_way = JoinSet::new();
            for (number, posted) in part.iter().enumerate() {
                let (remote, path) = (Arc::clone(self.remote), raw_path(posted.id));
                under_way.spawn(async move { (number, remote.get(&path, SMALL_BYTES_MAX).await) });
            }
            while let Some(done) = under_way.join_next().await {
                let Ok((number, read)) = done else { continue };
                match read {
                    Ok(bytes) => mails[number] = Some(Mail::Read(bytes)),
                    // It is tried alone, in full size, or as what the API shows.
                    Err(RemoteError::TooLarge { .. }) => {}
                    Err(error) if error.status() == Some(404) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        let mut whole = Vec::with_capacity(part.len());
        for (posted, mail) in part.iter().zip(mails) {
            whole.push(match mail {
                Some(mail) => mail,
                None => self.alone(posted).await?,
            });
        }
        Ok(whole)
    }

    /// A mail that did not come along with others.
    async fn alone(&mut self, posted: &Posted) -> Result<Mail, RemoteError> {
        if self.has_raw {
            match self.remote.get(&raw_path(posted.id), MESSAGE_BYTES_MAX).await {
                Ok(bytes) => return Ok(Mail::Read(bytes)),
                Err(RemoteError::TooLarge { .. }) => return Ok(Mail::TooLarge),
                Err(error) if error.status() == Some(404) => {}
                Err(error) => return Err(error),
            }
        }
        let Some(message) = self.shown(posted.id).await? else { return Ok(Mail::Gone) };
        // The message is there, and its mail is not.
        self.has_raw = false;
        self.remember(posted.id, posted.message_id.clone());
        let parent = match message.get("parent").and_then(Value::as_u64) {
            Some(parent) => self.parent(parent).await?,
            None => None,
        };
        let unwritable = |error: std::io::Error| RemoteError::Unreadable {
            path: shown_path(posted.id),
            reason: error.to_string(),
        };
        let mail = rebuilt(&message, posted, parent.as_deref()).map_err(unwritable)?;
        Ok(Mail::Read(mail.into()))
    }

    async fn parent(&mut self, id: u64) -> Result<Option<String>, RemoteError> {
        if let Some(known) = self.parents.get(&id) {
            return Ok(Some(known.clone()));
        }
        let shown = self.shown(id).await?;
        let message_id = shown.as_ref().and_then(posted_of).map(|posted| posted.message_id);
        if let Some(message_id) = &message_id {
            self.remember(id, message_id.clone());
        }
        Ok(message_id)
    }

    fn remember(&mut self, id: u64, message_id: String) {
        if PARENTS_MAX <= self.parents.len() {
            self.parents.clear();
        }
        self.parents.insert(id, message_id);
    }

    /// A message as the API shows it; `None` if it is gone.
    async fn shown(&self, id: u64) -> Result<Option<Object>, RemoteError> {
        match self.remote.json(&shown_path(id)).await {
            Ok(Value::Object(message)) => Ok(Some(message)),
            Ok(_) => Ok(None),
            Err(error) if error.status() == Some(404) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn raw_path(id: u64) -> String {
    format!("/api/2/messages/{id}/raw/")
}

fn shown_path(id: u64) -> String {
    format!("/api/2/messages/{id}/")
}
