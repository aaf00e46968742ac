//! Indexes messages anew that were indexed before writing without blanks gave pairs of letters as words
//! ([`terms`](crate::model::terms)), in steps of bounded size. Until then they are found by what a version before found.
//! A version before did so with Chinese and Japanese alone: where it was done, only the other writings are left to do.

use super::indexing::{cursor, forget, put_recent, terms_of};
use crate::model::terms::{is_southeast_asian, is_unspaced};
use crate::model::{BlobId, Message, MessageId, RecentTerms};
use crate::store::{Read, StoreError, WriteTx};

/// The name in the data file of the last message that was looked at, and the last one that has to be.
const META_LOOKED_AT: &str = "message pairs of all writings";
/// The same of the version that did Chinese and Japanese alone.
const META_EAST_ASIAN: &str = "message pairs";
/// Messages that one step reads.
const MESSAGES_PER_STEP: usize = 1024;
/// Messages that one step indexes.
const INDEXED_PER_STEP: usize = 128;
/// Octets of messages after which a step ends.
const BYTES_PER_STEP: u64 = 16 * 1024 * 1024;

/// The next messages that were looked at.
#[derive(Debug)]
pub(super) struct Reindexed {
    /// Those with writing without blanks, with the bytes that their terms are of.
    found: Vec<(BlobId, RecentTerms)>,
    last: MessageId,
    end: MessageId,
}

/// Looks at the next messages; `None` if all were looked at.
pub(super) fn read(tx: &impl Read) -> Result<Option<Reindexed>, StoreError> {
    let (mut last, end) = progress(tx)?;
    if end <= last {
        return Ok(None);
    }
    let has_east_asian = tx.meta(META_EAST_ASIAN)?.is_some_and(|value| is_done(&value));
    let is_to_do = if has_east_asian { is_southeast_asian } else { is_unspaced };
    let (mut found, mut bytes) = (Vec::new(), 0);
    for message in tx.all::<Message>(last.0, MESSAGES_PER_STEP)? {
        if end < message.id || INDEXED_PER_STEP <= found.len() || BYTES_PER_STEP <= bytes {
            return Ok(Some(Reindexed { found, last: if end < message.id { end } else { last }, end }));
        }
        last = message.id;
        bytes += message.size_bytes;
        if !message.deleted {
            let terms = terms_of(tx, &message)?;
            // A term begins with the letter of its kind.
            let has_pairs = terms.iter().any(|(term, _)| term.chars().nth(1).is_some_and(is_to_do));
            found.extend(has_pairs.then_some((message.blob, terms)));
        }
    }
    let is_more = tx.last_id::<Message>(u64::MAX)?.is_some_and(|newest| last.0 < newest);
    Ok(Some(Reindexed { found, last: if is_more { last } else { end }, end }))
}

/// Indexes the messages that were found, except those that were taken out or written anew since.
pub(super) fn write(tx: &mut WriteTx<'_>, step: Reindexed) -> Result<(), StoreError> {
    let Reindexed { found, last, end } = step;
    for (blob, recent) in found {
        let message: Option<Message> = tx.get(recent.id.0)?;
        if message.is_some_and(|message| !message.deleted && message.blob == blob) {
            forget(tx, recent.id)?;
            put_recent(tx, &recent)?;
        }
    }
    note(tx, last, end)
}

/// Notes, when the first messages are indexed by this version, that those before were indexed by an older one.
pub(super) fn begin(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    if tx.meta(META_LOOKED_AT)?.is_some() {
        return Ok(());
    }
    let (last, end) = progress(tx)?;
    note(tx, last, end)
}

fn note(tx: &mut WriteTx<'_>, last: MessageId, end: MessageId) -> Result<(), StoreError> {
    tx.set_meta(META_LOOKED_AT, Some(&[last.0.to_be_bytes(), end.0.to_be_bytes()].concat()))
}

/// The last message that was looked at, and the last one that has to be.
fn progress(tx: &impl Read) -> Result<(MessageId, MessageId), StoreError> {
    match tx.meta(META_LOOKED_AT)? {
        Some(value) => Ok(numbers(&value)),
        None => Ok((MessageId(0), cursor(tx)?)),
    }
}

fn numbers(value: &[u8]) -> (MessageId, MessageId) {
    let number =
        |at: usize| value.get(at..).and_then(|rest| rest.first_chunk()).map(|id| u64::from_be_bytes(*id));
    (MessageId(number(0).unwrap_or(0)), MessageId(number(8).unwrap_or(0)))
}

fn is_done(value: &[u8]) -> bool {
    let (last, end) = numbers(value);
    end <= last
}
