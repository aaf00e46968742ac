//! Lists the outcome of a message's copies, recipient by recipient. The API's deliveries, the command line and `trace`
//! read it; it changes nothing.
//!
//! Deliveries are in the order in which they were put into batches. They keep their positions until they are forgotten,
//! 30 days after their end, or moved away from relays that are no longer used: a delivery's position is the number of
//! those before it. Members whose part of the fan-out has not run yet are not listed; they follow within moments of the
//! post. Members who take digests are listed behind the others, once their digest is made.

use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::model::digest::Day;
use crate::model::{Account, Attempt, Batch, Digest, EmailAddress, MessageId, Recipient, RecipientState};
use crate::ops::archive::messages;
use crate::ops::moderation::{self, Published};
use crate::ops::paging::skipped;
use crate::ops::people::contacts::{self, ContactName, account_of};
use crate::ops::queue::pauses::Pauses;
use crate::ops::{Caller, OpError, Page, PageRequest};
use crate::schema::{BATCH_BY_MESSAGE, DIGEST_BY_MESSAGE};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// One recipient's copy of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The address.
    pub email: EmailAddress,
    /// The name of the member in calls.
    pub contact: ContactName,
    /// The state of the copy.
    pub state: RecipientState,
    /// The number of attempts.
    pub attempts: u32,
    /// The time at which it reached this state.
    pub time: Timestamp,
    /// The time at which its message came in, and how it came to be published.
    pub published: Published,
    /// The time at which it was put into the queue.
    pub queued: Timestamp,
    /// The day of the digest that it is in; `None` for a copy of its own.
    pub digest: Option<Day>,
    /// The next attempt, as far as it is known; `None` once the copy is settled, and while the operator holds it.
    pub next_attempt: Option<Timestamp>,
    /// The server that answered last.
    pub remote: Option<String>,
    /// The last answer.
    pub reply: Option<String>,
    /// Every answer, oldest first.
    pub trace: Vec<Answered>,
}

/// An answer about a copy, possibly given several times in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The time at which it was given last.
    pub time: Timestamp,
    /// The state of the copy after it.
    pub state: RecipientState,
    /// The number of times it was given.
    pub times: u16,
    /// The server that answered.
    pub remote: Option<String>,
    /// The words of the answer.
    pub reply: Option<String>,
}

/// The deliveries of a message. Reaching a page reads only index rows, of 64 deliveries each.
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
    let of_account = || Key::new().u64(account.id.0);
    let mut sent = vec![(message.id, None)];
    let digests = IndexRange::prefix(of_account().u64(message.id.0));
    let digests: Vec<Digest> = tx.page(&DIGEST_BY_MESSAGE, &digests, usize::MAX)?;
    sent.extend(digests.iter().map(|digest| (digest.id, Some(digest.day))));
    for (sent, digest) in sent {
        let batches = IndexRange::prefix(of_account().u64(sent.0));
        let failed = tx.scan(&BATCH_BY_MESSAGE, &batches, |row, batch| {
            let before = count;
            count += recipients_in(row);
            if count <= skipped || limit <= rows.len() {
                return ControlFlow::Continue(());
            }
            let first = usize::try_from(skipped.saturating_sub(before)).unwrap_or(usize::MAX);
            match of_batch(tx, &account, (&published, digest), batch, (pauses, now)) {
                Ok(deliveries) => {
                    let room = limit - rows.len();
                    rows.extend(deliveries.into_iter().skip(first).take(room));
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    Ok(Page { rows, count })
}

/// The number of recipients at the end of a key of [`BATCH_BY_MESSAGE`].
fn recipients_in(row: &[u8]) -> u64 {
    let mut parts = KeyReader::new(row);
    let _account_message_batch = (parts.u64(), parts.u64(), parts.u64());
    parts.u8().map_or(0, u64::from)
}

pub(super) fn of_batch(
    tx: &impl Read,
    account: &Account,
    (published, digest): (&Published, Option<Day>),
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
            digest,
            next_attempt: next_attempt.filter(|_| recipient.state.is_waiting()),
            remote: batch.remote(place).map(str::to_owned),
            reply: batch.reply(place).map(str::to_owned),
            trace: trace(&batch, recipient),
        });
    }
    Ok(deliveries)
}

/// Every answer about a recipient's copy.
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
