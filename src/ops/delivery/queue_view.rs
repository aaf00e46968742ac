//! The queue of deliveries as people and programs look at it: plain data, which the operator's commands show.
//!
//! It only reads; `ops::queue` changes what waits.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::model::{
    Account, Batch, BatchId, Destination, Digest, List, Message, Payload, QueueState, Recipient, SystemMail,
    Worded as _,
};
use crate::ops::delivery::deliveries::{Answered, trace};
use crate::ops::moderation::{self, Published};
use crate::ops::queue::pauses::Pauses;
use crate::ops::queue::restored::{self, RestoredQueue};
use crate::ops::queue::{self, AtDestination, Filter, Standing};
use crate::store::{Read, ReadTx, StoreError};

/// The word for the destination of everything that is sent through the operator's relays.
pub const RELAY: &str = "relay";

/// A restore of the data file whose mail of then is held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredView {
    /// The time of the backup.
    pub point: String,
    /// Its age: that of the queue, in seconds.
    pub age_seconds: u64,
}

/// The restore whose mail of then is held, if there is one.
pub fn restored(tx: &impl Read, now: Timestamp) -> Result<Option<RestoredView>, StoreError> {
    let view = |queue: RestoredQueue| RestoredView {
        point: queue.point.rfc3339(),
        age_seconds: now.since(queue.point).as_secs(),
    };
    Ok(restored::find(tx)?.map(view))
}

/// A page of the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuePage {
    /// Its batches.
    pub data: Vec<BatchView>,
    /// The number behind which the next page begins; `None` on the last page.
    pub next: Option<u64>,
    /// The restore whose mail of then is held until it is released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<RestoredView>,
}

/// A batch: up to 64 recipients of one post, digest or system mail at one destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchView {
    /// Its number.
    pub id: u64,
    /// Name of the account for which it is sent.
    pub account: String,
    /// Name of the list, if it is a post.
    pub list: Option<String>,
    /// Number of the message, if it is a post.
    pub message: Option<u64>,
    /// Number of the digest, if it is one: `--message` finds it by that.
    #[serde(default)]
    pub digest: Option<u64>,
    /// The kind of system mail, if it is one.
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
pub struct BatchDetail {
    /// The batch.
    #[serde(flatten)]
    pub batch: BatchView,
    /// Subject of the message or the digest, if it is one.
    pub subject: Option<String>,
    /// Author of the message, if it is a post.
    pub from: Option<String>,
    /// The decision to publish the message, if it is a post.
    pub decided: Option<DecisionView>,
    /// When it was put into the queue.
    pub queued: String,
    /// Its recipients.
    pub recipients: Vec<RecipientView>,
}

/// The decision to publish a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionView {
    /// When (RFC 3339).
    pub time: String,
    /// The moderator who approved it; `None` if no approval was needed.
    pub by: Option<String>,
    /// The reason why it had to be approved.
    pub reason: Option<String>,
}

/// One recipient's copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientView {
    /// The address.
    pub email: String,
    /// `queued`, `deferred`, `delivered`, `failed` or `skipped`.
    pub state: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Every answer, in the order in which they came.
    pub trace: Vec<AttemptView>,
}

/// An outcome of attempts for a copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptView {
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
pub struct QueueSummary {
    /// Waiting copies by destination, the most first.
    pub data: Vec<DestinationView>,
    /// Number of destinations with waiting copies.
    pub destinations: usize,
    /// Batches and copies in all, by state.
    pub states: Vec<StateView>,
    /// The restore whose mail of then is held until it is released.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<RestoredView>,
}

/// Waiting copies for one destination.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DestinationView {
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
pub struct StateView {
    /// `waiting`, `in_flight`, `held` or `quarantined`.
    pub state: String,
    /// Batches.
    pub batches: u64,
    /// Recipients whose copies wait.
    pub waiting: u64,
}

/// The waiting batches that pass the filter, at most `limit`, behind the batch `after`.
pub fn page(
    tx: &ReadTx,
    (pauses, now): (&Pauses, Timestamp),
    filter: &Filter,
    after: Option<BatchId>,
    limit: usize,
) -> Result<QueuePage, StoreError> {
    // One batch more shows whether there is another page.
    let mut batches = queue::list(tx, filter, after, limit + 1)?;
    let more = limit < batches.len();
    batches.truncate(limit);
    let next = batches.last().filter(|_| more).map(|batch| batch.id.0);
    let row = |batch: &Batch| batch_view(tx, (pauses, now), batch, post_of(tx, batch)?.as_ref());
    let data = batches.iter().map(row).collect::<Result<_, StoreError>>()?;
    Ok(QueuePage { data, next, restored: restored(tx, now)? })
}

fn destination_word(destination: &Destination) -> String {
    match destination {
        Destination::Relay => RELAY.to_owned(),
        Destination::Domain(domain) => domain.clone(),
    }
}

/// Returns the post of a batch, and the decision to publish it; `None` for a digest or a system mail.
fn post_of(tx: &impl Read, batch: &Batch) -> Result<Option<(Message, Published)>, StoreError> {
    let Payload::Post { message, list: _ } = batch.payload else { return Ok(None) };
    let Some(message) = tx.get::<Message>(message.0)? else { return Ok(None) };
    let published = moderation::published(tx, &message)?;
    Ok(Some((message, published)))
}

fn batch_view(
    tx: &impl Read,
    (pauses, now): (&Pauses, Timestamp),
    batch: &Batch,
    post: Option<&(Message, Published)>,
) -> Result<BatchView, StoreError> {
    let state = batch.queue_state();
    let account = tx.get::<Account>(batch.account.0)?;
    let (mut list, mut message, mut digest, mut system_mail) = (None, None, None, None);
    match batch.payload {
        Payload::Post { message: id, list: of } => {
            message = Some(id.0);
            list = tx.get::<List>(of.0)?.map(|list| list.name.to_string());
        }
        Payload::Digest { digest: id, list: of } => {
            digest = Some(id.0);
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
    let (due, unreachable) = due.map(|due| pauses.tried(&batch.destination, due, now)).unzip();
    Ok(BatchView {
        id: batch.id.0,
        account: account.map_or_else(|| batch.account.to_string(), |account| account.name),
        list,
        message,
        digest,
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

/// A batch with its message and its recipients.
pub fn detail(
    tx: &impl Read,
    (pauses, now): (&Pauses, Timestamp),
    batch: &Batch,
) -> Result<BatchDetail, StoreError> {
    let post = post_of(tx, batch)?;
    let view = batch_view(tx, (pauses, now), batch, post.as_ref())?;
    let (message, published) = post.unzip();
    let decided = published.map(|Published { accepted: _, decided, by, reason }| DecisionView {
        time: decided.rfc3339(),
        by,
        reason: reason.map(|reason| reason.to_string()),
    });
    let digest = view.digest.map(|id| tx.get::<Digest>(id)).transpose()?.flatten();
    let subject = message.as_ref().map(|message| message.subject.clone());
    Ok(BatchDetail {
        batch: view,
        subject: subject.or(digest.map(|digest| digest.subject)),
        from: message.map(|message| message.from_address),
        decided,
        queued: batch.queued.rfc3339(),
        recipients: batch.recipients.iter().map(|recipient| recipient_view(batch, recipient)).collect(),
    })
}

fn recipient_view(batch: &Batch, recipient: &Recipient) -> RecipientView {
    let attempt = |Answered { time, state, times, remote, reply }| {
        let state = state.word().to_owned();
        AttemptView { time: time.rfc3339(), state, times, remote, reply }
    };
    RecipientView {
        email: recipient.address.to_string(),
        state: recipient.state.word().to_owned(),
        attempts: recipient.attempts,
        trace: trace(batch, recipient).into_iter().map(attempt).collect(),
    }
}

/// The queue in numbers, with at most `limit` destinations.
pub fn summary(
    tx: &impl Read,
    (pauses, now): (&Pauses, Timestamp),
    limit: usize,
) -> Result<QueueSummary, StoreError> {
    let mut data: Vec<DestinationView> = queue::by_destination(tx)?
        .into_iter()
        .map(|AtDestination { destination, batches, copies, held, due }| {
            let (due, unreachable) = due.map(|due| pauses.tried(&destination, due, now)).unzip();
            DestinationView {
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
    let standings = queue::standings(tx)?;
    let state = |state: QueueState| {
        let of_state = || standings.iter().filter(|standing| standing.state == state);
        let sum = |number: fn(&Standing) -> u64| of_state().map(number).sum();
        StateView {
            state: state.word().to_owned(),
            batches: sum(|standing| standing.batches),
            waiting: sum(|standing| standing.copies),
        }
    };
    let states = QueueState::ALL.iter().copied().map(state).collect();
    Ok(QueueSummary { data, destinations, states, restored: restored(tx, now)? })
}
