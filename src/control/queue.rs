//! Shows the queue of deliveries to the operator, and retries, holds, releases or drops batches of it.
//!
//! `execute` calls it for `crier queue …`; the changes themselves are in `ops::delivery`.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account, operator_of};
use super::values::{Problem, note};
use crate::model::{AccountId, AuditAction, Batch, BatchId, Destination, Domain, Message};
use crate::ops::audit::{self, Note};
use crate::ops::delivery::queue_view::{self, BatchDetail, QueuePage, QueueSummary, RELAY};
use crate::ops::posting::simulate;
use crate::ops::queue::{self as ops, Change, Effect, Filter, Scope, restored};
use crate::ops::{OpError, Wrong};
use crate::store::{Read, StoreError};

/// Most batches that one call lists.
pub const LIMIT_MAX: usize = 1000;
/// Most batches that one write job changes, so that others can write in between.
const CHANGES_PER_JOB: usize = 256;
/// Such jobs between two progress lines.
const JOBS_PER_WORD: usize = 16;

/// `crier queue …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueRequest {
    /// The action.
    pub action: QueueAction,
    /// The batches that it is for.
    pub which: Which,
}

/// The actions on the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueAction {
    /// Lists waiting batches.
    List {
        /// The number of the last batch that was seen.
        after: Option<String>,
        /// Batches wanted.
        limit: String,
    },
    /// Sums up waiting batches by destination.
    Sum {
        /// Destinations wanted.
        limit: String,
    },
    /// Shows one batch with its recipients.
    Show,
    /// Makes batches due now.
    Retry,
    /// Keeps batches from being attempted.
    Hold,
    /// Undoes a hold, and makes batches due now.
    Release,
    /// Gives batches up.
    Drop,
}

/// A selection of batches: those with these numbers, or all that pass every filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Which {
    /// Numbers of batches.
    pub ids: Vec<String>,
    /// Name of an account.
    pub account: Option<String>,
    /// Name or address of a list.
    pub list: Option<String>,
    /// A domain, or `relay`.
    pub destination: Option<String>,
    /// Number of a message.
    pub message: Option<String>,
}

/// A [`QueueRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    action: Action,
    ids: Vec<BatchId>,
    account: Option<String>,
    list: Option<String>,
    destination: Option<Destination>,
    message: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    List { after: Option<BatchId>, limit: usize },
    Sum { limit: usize },
    Show,
    Change(Change),
}

impl QueueRequest {
    pub(super) fn parse(self) -> Result<Queue, Vec<Problem>> {
        let QueueRequest { action, which: Which { ids, account, list, destination, message } } = self;
        let problems = &mut Vec::new();
        let number = |text: &str| {
            text.trim()
                .parse::<u64>()
                .map_err(|_| format!("{text:?} must be a number, as crier queue list shows"))
        };
        let ids: Vec<BatchId> =
            ids.iter().filter_map(|text| note(problems, "id", number(text))).map(BatchId).collect();
        let message = message.and_then(|text| note(problems, "message", number(&text)));
        let destination =
            destination.and_then(|text| note(problems, "destination", parse_destination(&text)));
        let action = match action {
            QueueAction::List { after, limit } => {
                let after = after.and_then(|text| note(problems, "after", number(&text)));
                Action::List { after: after.map(BatchId), limit: parse_limit(problems, &limit) }
            }
            QueueAction::Sum { limit } => Action::Sum { limit: parse_limit(problems, &limit) },
            QueueAction::Show => Action::Show,
            QueueAction::Retry => Action::Change(Change::Retry),
            QueueAction::Hold => Action::Change(Change::Hold),
            QueueAction::Release => Action::Change(Change::Release),
            QueueAction::Drop => Action::Change(Change::Drop),
        };
        if problems.is_empty() {
            Ok(Queue { action, ids, account, list, destination, message })
        } else {
            Err(std::mem::take(problems))
        }
    }
}

fn parse_limit(problems: &mut Vec<Problem>, text: &str) -> usize {
    let limit = text.trim().parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    let right = || format!("{text:?} must be a whole number from 1 to {LIMIT_MAX}");
    note(problems, "limit", limit.ok_or_else(right)).unwrap_or(LIMIT_MAX)
}

fn parse_destination(text: &str) -> Result<Destination, String> {
    if text.trim().eq_ignore_ascii_case(RELAY) {
        return Ok(Destination::Relay);
    }
    let right = |_| format!("{text:?} must be a domain such as example.org, or {RELAY}");
    Domain::parse(text).map(|domain| Destination::Domain(domain.to_string())).map_err(right)
}

/// The answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "queue", rename_all = "snake_case")]
pub enum QueueReply {
    /// To `list`.
    List(QueuePage),
    /// To `list --summary`.
    Sum(QueueSummary),
    /// To `show`.
    Batch(Box<BatchDetail>),
    /// To every action that changes batches.
    Changed(ChangedReply),
}

/// The result of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedReply {
    /// Batches that were changed.
    pub changed: u64,
    /// Batches in flight, which are changed when their attempts end.
    pub later: u64,
    /// Batches that stay as they are: each that was named, with the reason; for a filter, their number by reason.
    pub unchanged: Vec<UnchangedReply>,
}

/// Batches that stay as they are, for one reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnchangedReply {
    /// The number of the batch, if it was named.
    pub id: Option<u64>,
    /// Number of batches.
    pub batches: u64,
    /// The reason.
    pub reason: String,
}

/// Carries a request out.
pub(super) fn run(
    host: &Host,
    queue: Queue,
    progress: &mut dyn FnMut(String),
) -> Result<QueueReply, CommandError> {
    let Queue { action, ids, account, list, destination, message } = queue;
    let tx = host.core.store.read()?;
    let scope = scope_of(&tx, account.as_deref(), list.as_deref(), message)?;
    let filter = Filter { scope, destination };
    Ok(match action {
        Action::List { after, limit } => QueueReply::List(queue_view::page(
            &tx,
            (&host.core.pauses, host.core.now()),
            &filter,
            after,
            limit,
        )?),
        Action::Sum { limit } => {
            QueueReply::Sum(queue_view::summary(&tx, (&host.core.pauses, host.core.now()), limit)?)
        }
        Action::Show => {
            let id = ids.first().copied().ok_or_else(|| OpError::invalid("id", Wrong::IdMissing))?;
            let batch = tx.get::<Batch>(id.0)?;
            let unknown =
                || CommandError::Told(format!("there is no batch {id}: crier queue list shows what waits"));
            QueueReply::Batch(Box::new(queue_view::detail(
                &tx,
                (&host.core.pauses, host.core.now()),
                &batch.ok_or_else(unknown)?,
            )?))
        }
        Action::Change(change) => {
            // Write jobs follow, during which no snapshot may be kept open.
            drop(tx);
            let changed = if ids.is_empty() {
                let changed = change_filtered(host, &filter, change, progress)?;
                // All mail is meant: also what is not yet in batches.
                if change == Change::Release && filter == Filter::default() {
                    release_restored(host)?;
                }
                changed
            } else {
                change_named(host, &ids, change)?
            };
            host.core.retry_now.notify_one();
            QueueReply::Changed(changed)
        }
    })
}

/// Finds the account whose batches are meant.
fn scope_of(
    tx: &impl Read,
    account: Option<&str>,
    list: Option<&str>,
    message: Option<u64>,
) -> Result<Scope, OpError> {
    let account = account.map(|name| find_account(tx, Some(name))).transpose()?;
    let is_other = |id| account.as_ref().is_some_and(|account| account.id != id);
    if let Some(id) = message {
        let message = tx.get::<Message>(id)?.filter(|message| !is_other(message.account));
        let unknown = || OpError::invalid("message", Wrong::NoMessage { id: id.to_string() });
        return Ok(Scope::of_message(&message.ok_or_else(unknown)?));
    }
    if let Some(name) = list {
        let found = match &account {
            Some(account) if !name.contains('@') => simulate::find_list_of(tx, account.id, name)?,
            _ => simulate::find_list(tx, name)?,
        };
        if is_other(found.account) {
            return Err(OpError::invalid("list", Wrong::OtherAccounts { name: name.to_owned() }));
        }
        return Ok(Scope::List(found.account, found.id));
    }
    Ok(account.map_or(Scope::Server, |account| Scope::Account(account.id)))
}

/// Returns the reason why a batch stays as it is; `None` if it was changed.
fn reason(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::Done | Effect::AtTheEnd => None,
        Effect::InFlight => Some("is in flight: an attempt is under way"),
        Effect::Held => Some("is held: crier queue release lets it go"),
        Effect::NotHeld => Some("is not held"),
        Effect::Quarantined => {
            Some("is quarantined, because the server failed on it: its held message is to be decided")
        }
        Effect::Settled => Some("has left the queue: no copy waits in it"),
        Effect::Unknown => Some("is not there: crier queue list shows what waits"),
    }
}

impl ChangedReply {
    fn add(&mut self, effect: Effect, id: Option<BatchId>) {
        let Some(reason) = reason(effect) else {
            let counted = if effect == Effect::Done { &mut self.changed } else { &mut self.later };
            *counted += 1;
            return;
        };
        let known = self.unchanged.iter_mut().find(|known| known.reason == reason && known.id.is_none());
        match known {
            Some(known) if id.is_none() => known.batches += 1,
            _ => {
                let reason = reason.to_owned();
                self.unchanged.push(UnchangedReply { id: id.map(|id| id.0), batches: 1, reason });
            }
        }
    }
}

fn change_named(host: &Host, ids: &[BatchId], change: Change) -> Result<ChangedReply, StoreError> {
    let mut reply = ChangedReply::default();
    for ids in ids.chunks(CHANGES_PER_JOB) {
        for (id, effect) in change_all(host, ids.to_vec(), change)? {
            reply.add(effect, Some(id));
        }
    }
    Ok(reply)
}

fn change_filtered(
    host: &Host,
    filter: &Filter,
    change: Change,
    progress: &mut dyn FnMut(String),
) -> Result<ChangedReply, StoreError> {
    let (mut reply, mut after, mut seen) = (ChangedReply::default(), None, 0);
    loop {
        let page = ops::list(&host.core.store.read()?, filter, after, CHANGES_PER_JOB)?;
        let Some(last) = page.last() else { return Ok(reply) };
        after = Some(last.id);
        seen += page.len();
        for (_, effect) in change_all(host, page.iter().map(|batch| batch.id).collect(), change)? {
            reply.add(effect, None);
        }
        if seen.is_multiple_of(CHANGES_PER_JOB * JOBS_PER_WORD) {
            progress(format!("Went through {seen} batches"));
        }
    }
}

/// Lets go what is held since a restore and not yet in batches.
fn release_restored(host: &Host) -> Result<(), StoreError> {
    host.core.perform_reserved_blocking(&operator_of(AccountId::SERVER), |tx, by| {
        if restored::release(tx)? {
            let note =
                Note::new(AuditAction::QueueUpdated, 0).detail("release: mail from before the restore");
            audit::note(tx, &by.caller, note, by.now)?;
        }
        Ok(())
    })
}

/// The command of a change.
fn word_of(change: Change) -> &'static str {
    match change {
        Change::Retry => "retry",
        Change::Hold => "hold",
        Change::Release => "release",
        Change::Drop => "drop",
    }
}

fn change_all(host: &Host, ids: Vec<BatchId>, change: Change) -> Result<Vec<(BatchId, Effect)>, StoreError> {
    // The change ends deliveries, or keeps them from filling the disk further, so it may use the reserved space.
    host.core.perform_reserved_blocking(&operator_of(AccountId::SERVER), move |tx, by| {
        let effects = ids.into_iter().map(|id| Ok((id, ops::change(tx, id, change, by.now)?)));
        let effects: Vec<(BatchId, Effect)> = effects.collect::<Result<_, StoreError>>()?;
        if tx.has_changes() {
            let changed =
                effects.iter().filter(|(_, effect)| matches!(effect, Effect::Done | Effect::AtTheEnd));
            let changed: Vec<BatchId> = changed.map(|(id, _)| *id).collect();
            let only = if let [BatchId(id)] = changed[..] { id } else { 0 };
            let detail = format!("{}: {} batches", word_of(change), changed.len());
            let note = Note::new(AuditAction::QueueUpdated, only).detail(&detail);
            audit::note(tx, &by.caller, note, by.now)?;
        }
        Ok(effects)
    })
}
