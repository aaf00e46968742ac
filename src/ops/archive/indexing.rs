//! Adds the words of new messages to the search index, in a background job that follows the archive.
//!
//! Accepting a post writes no words. Messages are numbered in the order in which they are stored, so one number, the
//! last indexed message, tells what is left to do. It is updated in the same job as the words, so a crash loses none
//! and repeats none. Words are read from a snapshot, outside the writer, and written in jobs of bounded size.
//!
//! A message that is taken out of the archive loses its words in the same job ([`forget`]).

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::model::{BlobId, Message, MessageId, MessageWords};
use crate::ops::archive::messages::stored_mail;
use crate::store::{Read, StoreError, WriteTx};

/// To be raised when the words of messages are determined differently: all messages are then indexed again.
const WORDS_VERSION: u32 = 1;
/// The name in the data file of [`WORDS_VERSION`] and the last indexed message.
const META_CURSOR: &str = "message words";
/// Words after which a step ends. Each is a row at a different place in the file.
const WORDS_PER_STEP: usize = 2000;
/// Octets of messages after which a step ends: reading them takes longer than writing their words.
const BYTES_PER_STEP: u64 = 8 * 1024 * 1024;
/// Messages that are read at a time.
const MESSAGES_PER_PAGE: usize = 32;

/// The words of the next messages, to be written to the index.
#[derive(Debug)]
pub struct Step {
    /// The words of messages, with the bytes that they are of.
    words: Vec<(BlobId, MessageWords)>,
    last: MessageId,
}

/// Reads the words of the next messages; `None` if all are indexed.
pub fn read(tx: &impl Read) -> Result<Option<Step>, StoreError> {
    let mut step = Step { words: Vec::new(), last: cursor(tx)? };
    let (mut words, mut bytes) = (0, 0);
    let begin = step.last;
    loop {
        let page: Vec<Message> = tx.all(step.last.0, MESSAGES_PER_PAGE)?;
        let is_last = page.len() < MESSAGES_PER_PAGE;
        for message in page {
            if WORDS_PER_STEP <= words || BYTES_PER_STEP <= bytes {
                return Ok(Some(step));
            }
            step.last = message.id;
            if !message.deleted {
                let found = MessageWords::new(&message, &text_of(tx, &message)?);
                words += found.len();
                bytes += message.size_bytes;
                step.words.push((message.blob, found));
            }
        }
        if is_last {
            return Ok((begin < step.last).then_some(step));
        }
    }
}

/// Writes the words that were read, except those of messages that were taken out or written anew since.
pub fn write(tx: &mut WriteTx<'_>, step: Step) -> Result<(), StoreError> {
    let Step { words, last } = step;
    for (blob, words) in words {
        let Some(message) = tx.get::<Message>(words.id.0)?.filter(|message| !message.deleted) else {
            continue;
        };
        if message.blob == blob {
            tx.put(&words)?;
        } else {
            // It was written anew since.
            tx.put(&MessageWords::new(&message, &text_of(tx, &message)?))?;
        }
    }
    let mut value = WORDS_VERSION.to_be_bytes().to_vec();
    value.extend_from_slice(&last.0.to_be_bytes());
    tx.set_meta(META_CURSOR, Some(&value))
}

/// Removes a message from the index; returns the number of its rows.
pub(in crate::ops) fn forget(tx: &mut WriteTx<'_>, id: MessageId) -> Result<usize, StoreError> {
    let words = tx.delete::<MessageWords>(id.0)?;
    Ok(words.map_or(0, |words| words.len()))
}

/// The messages that lack words, words without a message, and messages that are not indexed yet: one sentence each.
pub fn problems(tx: &impl Read) -> Result<Vec<String>, StoreError> {
    let mut problems = Vec::new();
    let cursor = cursor(tx)?;
    let mut after = 0;
    loop {
        let page: Vec<Message> = tx.all(after, MESSAGES_PER_PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        for message in page {
            let has_words = tx
                .get::<MessageWords>(message.id.0)?
                .is_some_and(|words| (words.account, words.list) == (message.account, message.list));
            let is_due = !message.deleted && message.id <= cursor;
            if is_due && !has_words {
                problems.push(format!("message_words: message {} lacks its words", message.id));
            } else if message.deleted && has_words {
                problems.push(format!("message_words: the deleted message {} has words", message.id));
            }
        }
    }
    after = 0;
    loop {
        let page: Vec<MessageWords> = tx.all(after, MESSAGES_PER_PAGE)?;
        let Some(last) = page.last() else { return Ok(problems) };
        after = last.id.0;
        for words in page {
            if tx.get::<Message>(words.id.0)?.is_none() {
                problems.push(format!("message_words: {} is no message", words.id));
            }
        }
    }
}

/// The last indexed message; 0 if there is none, or only by another version.
fn cursor(tx: &impl Read) -> Result<MessageId, StoreError> {
    let value = tx.meta(META_CURSOR)?.unwrap_or_default();
    let last = value.strip_prefix(&WORDS_VERSION.to_be_bytes()).and_then(|last| last.try_into().ok());
    Ok(MessageId(last.map_or(0, u64::from_be_bytes)))
}

/// The text of a message to index. A message that cannot be read any more is indexed by subject and sender, so that it
/// blocks none of those after it.
fn text_of(tx: &impl Read, message: &Message) -> Result<String, StoreError> {
    let read = || stored_mail(tx, message.blob).map(|inbound| inbound.content().text().into_owned());
    let error = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(text)) => return Ok(text),
        Ok(Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }))) => error,
        Ok(Err(error)) => return Err(error),
        Err(_) => StoreError::Panicked,
    };
    let id = message.id;
    tracing::error!(message.id = id.0, error = %error, "The words of message {id} cannot be read");
    Ok(String::new())
}
