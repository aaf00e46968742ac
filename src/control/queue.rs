//! Shows the queue of deliveries to the operator, and retries, holds, releases or drops batches of it.
//!
//! `execute` calls it for `crier queue …`; the changes themselves are in `ops::delivery`.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account, operator_of};
use super::values::note;
use crate::clock::Timestamp;
use crate::model::{
    Account, AccountId, AuditAction, Batch, BatchId, Destination, Domain, List, Message, Payload, QueueState,
    Recipient, SystemMail, Worded as _,
};
use crate::ops::audit::{self, Note};
use crate::ops::delivery::deliveries::{Answered, trace};
use crate::ops::moderation::{self, Published};
use crate::ops::posting::simulate;
use crate::ops::queue::{self as ops, AtDestination, Change, Effect, Filter, Scope, Standing};
use crate::ops::{Core, OpError, Problem};
use crate::store::{Read, ReadTx, StoreError};

/// Most batches that one call lists.
pub const LIMIT_MAX: usize = 1000;
/// Most batches that one write job changes, so that others can write in between.
const CHANGES_PER_JOB: usize = 256;
/// Such jobs between two progress lines.
const JOBS_PER_WORD: usize = 16;
/// The word for the destination of everything that is sent through the operator's relays.
const RELAY: &str = "relay";

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
    List(ListReply),
    /// To `list --summary`.
    Sum(SumReply),
    /// To `show`.
    Batch(Box<ShowReply>),
    /// To every action that changes batches.
    Changed(ChangedReply),
}

/// A page of the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListReply {
    /// Its batches.
    pub data: Vec<BatchReply>,
    /// The number behind which the next page begins; `None` on the last page.
    pub next: Option<u64>,
}

/// A batch: up to 64 recipients of one post or system mail at one destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchReply {
    /// Its number.
    pub id: u64,
    /// Name of the account for which it is sent.
    pub account: String,
    /// Name of the list, if it is a post.
    pub list: Option<String>,
    /// Number of the message, if it is a post.
    pub message: Option<u64>,
    /// The kind of system mail, if it is not a post.
    pub system_mail: Option<String>,
    /// A domain, or `relay`.
    pub destination: String,
    /// `waiting`, `in_flight`, `held` or `quarantined`; `None` once it is settled.
    pub state: Option<String>,
    /// Recipients whose copies wait.
    pub waiting: u64,
    /// Attempts that were begun.
    pub attempts: u32,
    /// When it was accepted (RFC 3339).
    pub accepted: String,
    /// When the next attempt is due; `None` if none is.
    pub due: Option<String>,
    /// The reason why no server of the destination could be reached, while deliveries to it pause for that.
    pub unreachable: Option<String>,
    /// The server of the last attempt for a waiting copy.
    pub remote: Option<String>,
    /// The server's reply.
    pub reply: Option<String>,
}

/// A batch with all its details.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowReply {
    /// The batch.
    #[serde(flatten)]
    pub batch: BatchReply,
    /// Subject of the message, if it is a post.
    pub subject: Option<String>,
    /// Author of the message, if it is a post.
    pub from: Option<String>,
    /// The decision to publish the message, if it is a post.
    pub decided: Option<DecidedReply>,
    /// When it was put into the queue.
    pub queued: String,
    /// Its recipients.
    pub recipients: Vec<RecipientReply>,
}

/// The decision to publish a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedReply {
    /// When (RFC 3339).
    pub time: String,
    /// The moderator who approved it; `None` if no approval was needed.
    pub by: Option<String>,
    /// The reason why it had to be approved.
    pub reason: Option<String>,
}

/// One recipient's copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientReply {
    /// The address.
    pub email: String,
    /// `queued`, `deferred`, `delivered`, `failed` or `skipped`.
    pub state: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Every answer, in the order in which they came.
    pub trace: Vec<AttemptReply>,
}

/// An outcome of attempts for a copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptReply {
    /// The time of the last such attempt.
    pub time: String,
    /// The state of the copy after it.
    pub state: String,
    /// Number of such attempts in a row.
    pub times: u16,
    /// The server of the attempt.
    pub remote: Option<String>,
    /// The server's reply.
    pub reply: Option<String>,
}

/// The queue in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SumReply {
    /// Waiting copies by destination, the most first.
    pub data: Vec<DestinationReply>,
    /// Number of destinations with waiting copies.
    pub destinations: usize,
    /// Batches and copies in all, by state.
    pub states: Vec<StateReply>,
}

/// Waiting copies for one destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DestinationReply {
    /// A domain, or `relay`.
    pub destination: String,
    /// Batches.
    pub batches: u64,
    /// Recipients whose copies wait.
    pub waiting: u64,
    /// Those of them that are held.
    pub held: u64,
    /// When the earliest batch is due; `None` if none is.
    pub due: Option<String>,
    /// The reason why none of its servers could be reached, while deliveries to it pause for that.
    pub unreachable: Option<String>,
}

/// The part of the queue that is in one state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateReply {
    /// `waiting`, `in_flight`, `held` or `quarantined`.
    pub state: String,
    /// Batches.
    pub batches: u64,
    /// Recipients whose copies wait.
    pub waiting: u64,
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
        Action::List { after, limit } => QueueReply::List(list_page(&tx, &host.core, &filter, after, limit)?),
        Action::Sum { limit } => QueueReply::Sum(sum(&tx, &host.core, limit)?),
        Action::Show => {
            let id = ids.first().copied().ok_or_else(|| OpError::invalid("id", "is missing"))?;
            let batch = tx.get::<Batch>(id.0)?;
            let unknown =
                || CommandError::Told(format!("there is no batch {id}: crier queue list shows what waits"));
            QueueReply::Batch(Box::new(show(&tx, &host.core, &batch.ok_or_else(unknown)?)?))
        }
        Action::Change(change) => {
            // Write jobs follow, during which no snapshot may be kept open.
            drop(tx);
            let changed = if ids.is_empty() {
                change_filtered(host, &filter, change, progress)?
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
        let unknown = || OpError::invalid("message", format!("{id} names no message"));
        return Ok(Scope::of_message(&message.ok_or_else(unknown)?));
    }
    if let Some(name) = list {
        let found = match &account {
            Some(account) if !name.contains('@') => simulate::find_list_of(tx, account.id, name)?,
            _ => simulate::find_list(tx, name)?,
        };
        if is_other(found.account) {
            return Err(OpError::invalid("list", format!("{name} is another account's")));
        }
        return Ok(Scope::List(found.account, found.id));
    }
    Ok(account.map_or(Scope::Server, |account| Scope::Account(account.id)))
}

fn list_page(
    tx: &ReadTx,
    core: &Core,
    filter: &Filter,
    after: Option<BatchId>,
    limit: usize,
) -> Result<ListReply, StoreError> {
    // One batch more shows whether there is another page.
    let mut batches = ops::list(tx, filter, after, limit + 1)?;
    let more = limit < batches.len();
    batches.truncate(limit);
    let next = batches.last().filter(|_| more).map(|batch| batch.id.0);
    let row = |batch: &Batch| batch_reply(tx, core, batch, post_of(tx, batch)?.as_ref());
    let data = batches.iter().map(row).collect::<Result<_, StoreError>>()?;
    Ok(ListReply { data, next })
}

fn destination_word(destination: &Destination) -> String {
    match destination {
        Destination::Relay => RELAY.to_owned(),
        Destination::Domain(domain) => domain.clone(),
    }
}

/// Returns the post of a batch, and the decision to publish it; `None` for a system mail.
fn post_of(tx: &impl Read, batch: &Batch) -> Result<Option<(Message, Published)>, StoreError> {
    let Payload::Post { message, list: _ } = batch.payload else { return Ok(None) };
    let Some(message) = tx.get::<Message>(message.0)? else { return Ok(None) };
    let published = moderation::published(tx, &message)?;
    Ok(Some((message, published)))
}

fn batch_reply(
    tx: &impl Read,
    core: &Core,
    batch: &Batch,
    post: Option<&(Message, Published)>,
) -> Result<BatchReply, StoreError> {
    let state = batch.queue_state();
    let account = tx.get::<Account>(batch.account.0)?;
    let (mut list, mut message, mut system_mail) = (None, None, None);
    match batch.payload {
        Payload::Post { message: id, list: of } => {
            message = Some(id.0);
            list = tx.get::<List>(of.0)?.map(|list| list.name.to_string());
        }
        Payload::SystemMail(id) => {
            system_mail = tx.get::<SystemMail>(id.0)?.map(|mail| mail.kind.word().to_owned());
        }
    }
    let waits = |recipient: &Recipient| recipient.state.is_waiting();
    // The reply shown for a batch is that of its first copy that was tried.
    let told = batch.recipients.iter().find(|recipient| waits(recipient) && recipient.reply.is_some());
    let due = batch.due.filter(|_| state == Some(QueueState::Waiting));
    let (due, unreachable) = due.map(|due| core.pauses.tried(&batch.destination, due, core.now())).unzip();
    Ok(BatchReply {
        id: batch.id.0,
        account: account.map_or_else(|| batch.account.to_string(), |account| account.name),
        list,
        message,
        system_mail,
        destination: destination_word(&batch.destination),
        state: state.map(|state| state.word().to_owned()),
        waiting: batch.count_waiting(),
        attempts: batch.attempts,
        accepted: post.map_or(batch.accepted, |(_, published)| published.accepted).rfc3339(),
        due: due.map(Timestamp::rfc3339),
        unreachable: unreachable.flatten(),
        remote: told.and_then(|recipient| batch.text(recipient.remote)).map(str::to_owned),
        reply: told.and_then(|recipient| batch.text(recipient.reply)).map(str::to_owned),
    })
}

fn show(tx: &impl Read, core: &Core, batch: &Batch) -> Result<ShowReply, StoreError> {
    let post = post_of(tx, batch)?;
    let reply = batch_reply(tx, core, batch, post.as_ref())?;
    let (message, published) = post.unzip();
    let decided = published.map(|Published { accepted: _, decided, by, reason }| DecidedReply {
        time: decided.rfc3339(),
        by,
        reason,
    });
    Ok(ShowReply {
        batch: reply,
        subject: message.as_ref().map(|message| message.subject.clone()),
        from: message.map(|message| message.from_address),
        decided,
        queued: batch.queued.rfc3339(),
        recipients: batch.recipients.iter().map(|recipient| recipient_reply(batch, recipient)).collect(),
    })
}

fn recipient_reply(batch: &Batch, recipient: &Recipient) -> RecipientReply {
    let attempt = |Answered { time, state, times, remote, reply }| {
        let state = state.word().to_owned();
        AttemptReply { time: time.rfc3339(), state, times, remote, reply }
    };
    RecipientReply {
        email: recipient.address.to_string(),
        state: recipient.state.word().to_owned(),
        attempts: recipient.attempts,
        trace: trace(batch, recipient).into_iter().map(attempt).collect(),
    }
}

fn sum(tx: &impl Read, core: &Core, limit: usize) -> Result<SumReply, StoreError> {
    let mut data: Vec<DestinationReply> = ops::by_destination(tx)?
        .into_iter()
        .map(|AtDestination { destination, batches, copies, held, due }| {
            let (due, unreachable) = due.map(|due| core.pauses.tried(&destination, due, core.now())).unzip();
            DestinationReply {
                destination: destination_word(&destination),
                batches,
                waiting: copies,
                held,
                due: due.map(Timestamp::rfc3339),
                unreachable: unreachable.flatten(),
            }
        })
        .collect();
    data.sort_by_key(|row| std::cmp::Reverse(row.waiting));
    let destinations = data.len();
    data.truncate(limit);
    let standings = ops::standings(tx)?;
    let state = |state: QueueState| {
        let of_state = || standings.iter().filter(|standing| standing.state == state);
        let sum = |number: fn(&Standing) -> u64| of_state().map(number).sum();
        StateReply {
            state: state.word().to_owned(),
            batches: sum(|standing| standing.batches),
            waiting: sum(|standing| standing.copies),
        }
    };
    Ok(SumReply { data, destinations, states: QueueState::ALL.iter().copied().map(state).collect() })
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
