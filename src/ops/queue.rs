//! The queue as the operator sees it, and the operator's orders.
//!
//! All waiting batches are in one index, by destination, so a listing seeks: a filter costs a step for each
//! destination, never one for each batch. An order to a batch in flight is stored with it, and carried out by the job
//! that settles the attempt: no order is lost, and none can take back a copy that a server has accepted.

pub mod digest_posts;
pub mod due;
pub(in crate::ops) mod enqueue;
pub mod fan_out;
pub mod pauses;
pub mod restored;
pub(in crate::ops) mod takers;

use crate::clock::Timestamp;
use crate::metrics::KINDS;
use crate::metrics::Metrics;
use crate::model::{
    AccountId, Answer, Batch, BatchId, Destination, ListId, Message, Order, QueueState, RecipientState,
};
use crate::schema::{
    BATCH_BY_DESTINATION, BATCH_COUNT, BATCH_COUNT_AT, BATCH_WAITING, COPIES_COUNT, COPIES_COUNT_AT,
    FAN_OUT_COUNT, batch_place, queue_state,
};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError, WriteTx};

/// The reason in the trace of copies that the operator gave up.
const DROPPED: &str = "dropped by the operator";

/// The owner of the batches in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All batches of the server.
    #[default]
    Server,
    /// The batches of an account.
    Account(AccountId),
    /// The batches of a list.
    List(AccountId, ListId),
    /// The batches of one message.
    Message(AccountId, ListId, u64),
}

impl Scope {
    /// The batches of a message.
    #[must_use]
    pub fn of_message(message: &Message) -> Scope {
        Scope::Message(message.account, message.list, message.id.0)
    }

    /// The prefix of the keys of its batches at a destination.
    fn at(self, destination: &str) -> Key {
        let key = Key::new().text(destination);
        match self {
            Scope::Server => key,
            Scope::Account(account) => key.u64(account.0),
            Scope::List(account, list) => key.u64(account.0).u64(list.0),
            Scope::Message(account, list, message) => key.u64(account.0).u64(list.0).u64(message),
        }
    }
}

/// A filter of the queue's batches.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// The owner of the batches.
    pub scope: Scope,
    /// Their destination; any if unset.
    pub destination: Option<Destination>,
}

/// The next `limit` batches of the queue after the batch `after`, by destination, account, list and age. That batch may
/// have left the queue meanwhile.
pub fn list(
    tx: &impl Read,
    filter: &Filter,
    after: Option<BatchId>,
    limit: usize,
) -> Result<Vec<Batch>, StoreError> {
    let last = after.map(|id| tx.get::<Batch>(id.0)).transpose()?.flatten();
    let mut ids = Vec::new();
    if let Some(destination) = &filter.destination {
        ids = tx.ids(&BATCH_WAITING, &range(filter.scope, destination.key(), last.as_ref()), limit)?;
        return tx.indexed(&BATCH_WAITING, &ids);
    }
    let mut rest = IndexRange::prefix(Key::new());
    if let Some(last) = &last {
        rest = rest.from(Key::new().text(last.destination.key()));
    }
    while ids.len() < limit
        && let Some(destination) = next_destination(tx, &rest)?
    {
        let behind = last.as_ref().filter(|last| last.destination.key() == destination);
        let range = range(filter.scope, &destination, behind);
        ids.extend(tx.ids(&BATCH_WAITING, &range, limit - ids.len())?);
        rest = IndexRange::prefix(Key::new()).after(Key::new().text(&destination));
    }
    tx.indexed(&BATCH_WAITING, &ids)
}

fn range(scope: Scope, destination: &str, last: Option<&Batch>) -> IndexRange {
    let range = IndexRange::prefix(scope.at(destination));
    match last {
        Some(last) => range.after(batch_place(last).u64(last.id.0)),
        None => range,
    }
}

/// The first destination in a range of [`BATCH_WAITING`].
fn next_destination(tx: &impl Read, range: &IndexRange) -> Result<Option<String>, StoreError> {
    let Some(row) = tx.first_row(&BATCH_WAITING, range)? else { return Ok(None) };
    let name = KeyReader::new(row.key.as_bytes()).text();
    let unreadable = || StoreError::corrupt(BATCH_WAITING.name(), "a row that cannot be read");
    name.ok_or_else(unreadable).map(Some)
}

/// The batches that wait for one destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtDestination {
    /// The destination.
    pub destination: Destination,
    /// The number of batches.
    pub batches: u64,
    /// The number of copies.
    pub copies: u64,
    /// The number of copies among them that the operator holds.
    pub held: u64,
    /// The time at which the earliest batch is due; `None` if all are in flight, held or quarantined.
    pub due: Option<Timestamp>,
}

/// The waiting batches by destination: a step and some point reads for each.
pub fn by_destination(tx: &impl Read) -> Result<Vec<AtDestination>, StoreError> {
    let mut all = Vec::new();
    let mut rest = IndexRange::prefix(Key::new());
    while let Some(name) = next_destination(tx, &rest)? {
        let key = Key::new().text(&name);
        let first = tx.first_row(&BATCH_BY_DESTINATION, &IndexRange::prefix(key.clone()))?;
        let due = first.and_then(|row| {
            let mut reader = KeyReader::new(row.key.as_bytes());
            reader.text().and_then(|_| reader.u64()).and_then(|ms| i64::try_from(ms).ok())
        });
        let (free, held) = (key.clone().u8(0), key.clone().u8(1));
        let held_copies = tx.count(&COPIES_COUNT_AT, &held)?;
        all.push(AtDestination {
            destination: Destination::from_key(name),
            batches: tx.count(&BATCH_COUNT_AT, &free)? + tx.count(&BATCH_COUNT_AT, &held)?,
            copies: tx.count(&COPIES_COUNT_AT, &free)? + held_copies,
            held: held_copies,
            due: due.map(Timestamp::from_ms),
        });
        rest = IndexRange::prefix(Key::new()).after(key);
    }
    Ok(all)
}

/// The number of batches and copies of one kind in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The kind of mail that they are copies of: a place in [`KINDS`].
    pub kind: usize,
    /// Their state.
    pub state: QueueState,
    /// The number of batches.
    pub batches: u64,
    /// The number of copies that wait in them.
    pub copies: u64,
}

/// The size of the whole queue, by kind and state: point reads.
pub fn standings(tx: &impl Read) -> Result<Vec<Standing>, StoreError> {
    let mut standings = Vec::new();
    for (number, kind) in (0_u8..).zip(0..KINDS.len()) {
        for state in QueueState::ALL.iter().copied() {
            let key = Key::new().u8(number).u8(queue_state(state));
            let (batches, copies) = (tx.count(&BATCH_COUNT, &key)?, tx.count(&COPIES_COUNT, &key)?);
            standings.push(Standing { kind, state, batches, copies });
        }
    }
    Ok(standings)
}

/// An order of the operator for a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Makes it due now.
    Retry,
    /// Stops attempts until it is released.
    Hold,
    /// Makes it due now and cancels an earlier order.
    Release,
    /// Gives it up.
    Drop,
}

/// The effect of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The order was carried out.
    Done,
    /// The order will be carried out when the present attempt ends.
    AtTheEnd,
    /// An attempt is in progress already.
    InFlight,
    /// The operator holds the batch: it must be released first.
    Held,
    /// The operator does not hold the batch.
    NotHeld,
    /// The batch is quarantined: a moderator decides about it.
    Quarantined,
    /// No copy in the batch waits any more.
    Settled,
    /// There is no batch with this number.
    Unknown,
}

/// Carries out an order for a batch.
pub fn change(
    tx: &mut WriteTx<'_>,
    id: BatchId,
    change: Change,
    now: Timestamp,
) -> Result<Effect, StoreError> {
    let Some(mut batch) = tx.get::<Batch>(id.0)? else { return Ok(Effect::Unknown) };
    let Some(state) = batch.queue_state() else { return Ok(Effect::Settled) };
    let effect = match change {
        Change::Retry => retry(&mut batch, state, now),
        Change::Hold => hold(&mut batch, state),
        Change::Release => release(&mut batch, state, now),
        Change::Drop if state == QueueState::InFlight => {
            batch.order = Some(Order::Drop);
            Effect::AtTheEnd
        }
        Change::Drop => {
            drop_copies(&mut batch, now);
            Effect::Done
        }
    };
    tx.put(&batch)?;
    Ok(effect)
}

fn retry(batch: &mut Batch, state: QueueState, now: Timestamp) -> Effect {
    match state {
        QueueState::Waiting => {
            batch.due = Some(now);
            Effect::Done
        }
        QueueState::InFlight => Effect::InFlight,
        QueueState::Held => Effect::Held,
        QueueState::Quarantined => Effect::Quarantined,
    }
}

fn hold(batch: &mut Batch, state: QueueState) -> Effect {
    if state == QueueState::Quarantined {
        return Effect::Quarantined;
    }
    batch.order = Some(Order::Hold);
    if state == QueueState::InFlight { Effect::AtTheEnd } else { Effect::Done }
}

fn release(batch: &mut Batch, state: QueueState, now: Timestamp) -> Effect {
    if batch.order.take().is_none() {
        return Effect::NotHeld;
    }
    // A batch that is in flight or quarantined has its own time.
    if state == QueueState::Held {
        batch.due = Some(now);
    }
    Effect::Done
}

/// Gives up every copy that waits, on the operator's order: it does not count against any address.
pub(in crate::ops) fn drop_copies(batch: &mut Batch, now: Timestamp) {
    let answer = Answer { state: RecipientState::Failed, remote: None, reply: Some(DROPPED) };
    for place in 0..batch.recipients.len() {
        if batch.recipients[place].state.is_waiting() {
            batch.amend(place, answer, now);
        }
    }
    (batch.due, batch.order) = (None, None);
}

/// Ends the retries of every copy that still waits, keeping the remote server's last answer.
pub(in crate::ops) fn give_up(batch: &mut Batch, now: Timestamp) {
    for recipient in batch.recipients.iter_mut().filter(|recipient| recipient.state.is_waiting()) {
        recipient.state = RecipientState::Failed;
        recipient.time = now;
    }
}

/// Reports the size of the queue to the metrics: point reads and a step, however long the queue is.
pub fn note_standing(tx: &impl Read, metrics: &Metrics, now: Timestamp) -> Result<(), StoreError> {
    let standing = &metrics.standing;
    for Standing { kind, state, batches, copies } in standings(tx)? {
        let labels = [KINDS[kind], state.word()];
        standing.batches.set(labels, batches);
        standing.copies.set(labels, copies);
    }
    let age = due::next_due(tx)?.map(|due| now.since(due).as_secs());
    standing.oldest_due_seconds.set([], age.unwrap_or(0));
    standing.expansions.set([], tx.count(&FAN_OUT_COUNT, &Key::new())?);
    Ok(())
}
