//! What became of the copies of a message, recipient by recipient.
//!
//! Deliveries stand in the order in which they were put into batches, and keep their places until they are
//! forgotten, 30 days after their end, or moved from relays that are no more: the position of one is the number of
//! those before it. Members whose turn in the fan-out has not come are not among them yet; they join within moments
//! of the post.

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::{Account, Attempt, Batch, EmailAddress, MessageId, Recipient, RecipientState};
use crate::ops::archive::messages;
use crate::ops::moderation::{self, Published};
use crate::ops::paging::skipped;
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::queue::pauses::Pauses;
use crate::ops::{Caller, OpError, Page, PageRequest};
use crate::schema::BATCH_BY_MESSAGE;
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// One recipient's copy of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The address.
    pub email: EmailAddress,
    /// How calls name the member.
    pub contact: ContactName,
    /// What became of the copy.
    pub state: RecipientState,
    /// How often it was tried.
    pub attempts: u32,
    /// When its state was learned.
    pub time: Timestamp,
    /// When its message came in, and how it came to be published.
    pub published: Published,
    /// When it was put into the queue.
    pub queued: Timestamp,
    /// When it is tried next, as far as is known; none once it is settled, and while the operator holds it.
    pub next_attempt: Option<Timestamp>,
    /// The server that was asked last.
    pub remote: Option<String>,
    /// What it said.
    pub reply: Option<String>,
    /// Every answer in order, the last one last.
    pub trace: Vec<Answered>,
}

/// An answer on a copy, perhaps given several times in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// When it was given, the last time.
    pub time: Timestamp,
    /// What it made of the copy.
    pub state: RecipientState,
    /// How often it was given.
    pub times: u16,
    /// The server that was asked.
    pub remote: Option<String>,
    /// What it said.
    pub reply: Option<String>,
}

/// The deliveries of a message. Rows of an index alone are stepped over to reach a page, 64 deliveries a row.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    id: MessageId,
    window: PageRequest,
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Page<Delivery>, OpError> {
    let message = messages::get(tx, caller, id)?;
    let account = account_of(tx, caller)?;
    let published = moderation::published(tx, &message)?;
    let (skipped, limit) = match window {
        PageRequest::All => (0, usize::MAX),
        PageRequest::Page { page, limit } => (skipped(page, limit), limit),
        PageRequest::After { after, limit } => (after, limit),
    };
    let (mut rows, mut count) = (Vec::new(), 0);
    let of_message = IndexRange::prefix(Key::new().u64(account.id.0).u64(message.id.0));
    let failed = tx.scan(&BATCH_BY_MESSAGE, &of_message, |row, batch| {
        let before = count;
        count += recipients_in(row);
        if count <= skipped || limit <= rows.len() {
            return ControlFlow::Continue(());
        }
        let first = usize::try_from(skipped.saturating_sub(before)).unwrap_or(usize::MAX);
        match of_batch(tx, &account, &published, batch, (pauses, now)) {
            Ok(deliveries) => {
                let room = limit - rows.len();
                rows.extend(deliveries.into_iter().skip(first).take(room));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    })?;
    failed.map_or(Ok(Page { rows, count }), |error| Err(error.into()))
}

/// The number at the end of a key of [`BATCH_BY_MESSAGE`].
fn recipients_in(row: &[u8]) -> u64 {
    let mut parts = KeyReader::new(row);
    let _account_message_batch = (parts.u64(), parts.u64(), parts.u64());
    parts.u8().map_or(0, u64::from)
}

fn of_batch(
    tx: &impl Read,
    account: &Account,
    published: &Published,
    id: u64,
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Vec<Delivery>, StoreError> {
    let Some(batch) = tx.get::<Batch>(id)? else { return Ok(Vec::new()) };
    let due = batch.due.filter(|_| batch.order.is_none());
    let next_attempt = due.map(|due| pauses.tried(&batch.destination, due, now).0);
    let mut deliveries = Vec::with_capacity(batch.recipients.len());
    for (place, recipient) in batch.own_recipients() {
        deliveries.push(Delivery {
            email: recipient.address.clone(),
            contact: contacts::name_of_id(tx, account, recipient.contact)?,
            state: recipient.state,
            attempts: recipient.attempts,
            time: recipient.time,
            published: published.clone(),
            queued: batch.queued,
            next_attempt: next_attempt.filter(|_| recipient.state.is_waiting()),
            remote: batch.remote(place).map(str::to_owned),
            reply: batch.reply(place).map(str::to_owned),
            trace: trace(&batch, recipient),
        });
    }
    Ok(deliveries)
}

/// Every answer on a recipient's copy.
#[must_use]
pub fn trace(batch: &Batch, recipient: &Recipient) -> Vec<Answered> {
    let answered = |Attempt { state, time, times, remote, reply }| Answered {
        time,
        state,
        times,
        remote: batch.text(remote).map(str::to_owned),
        reply: batch.text(reply).map(str::to_owned),
    };
    recipient.trace().map(answered).collect()
}
