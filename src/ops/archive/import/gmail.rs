//! Threads and labels as Google writes them into the archives of its groups (Takeout).
//!
//! Each message says to which thread it belonged (`X-GM-THRID`), and that decides: replies that name no message of the
//! list join it, and one that names a message of another thread does not follow it there. A thread whose messages have
//! the label that it was locked is closed here.

use std::collections::HashMap;

use crate::clock::Timestamp;
use crate::model::{List, Message, MessageId};
use crate::ops::archive::threads::moving::thread_of;
use crate::ops::archive::{closing, messages};
use crate::ops::{Caller, OpError};
use crate::store::{Read, StoreError, WriteTx};

use super::joining::SameSubject;
use super::reading::{ImportedMail, Unreadable, short_hash};

/// Bytes at the beginning of a message among which the fields are looked for.
const HEADER_BYTES_MAX: usize = 16 << 10;
/// Threads that are looked at in a step.
const THREADS_PER_STEP: usize = 200;
/// Words for a locked thread among labels.
const LOCKED: [&str; 2] = ["locked", "topic-locked"];

/// What Google says of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GmailMark {
    /// The number of its thread.
    pub thread: u64,
    /// Whether that was locked.
    pub is_locked: bool,
}

impl GmailMark {
    /// What the header of a message says; `None` if it does not come from Google.
    #[must_use]
    pub fn of(raw: &[u8]) -> Option<GmailMark> {
        let beginning = raw.get(..HEADER_BYTES_MAX.min(raw.len())).unwrap_or_default();
        let end = memchr::memmem::find(beginning, b"\r\n\r\n").unwrap_or(beginning.len());
        let header = beginning.get(..end).unwrap_or_default();
        let thread = field(header, b"X-GM-THRID:")?.trim().parse().ok()?;
        let labels = field(header, b"X-Gmail-Labels:").unwrap_or_default();
        let is_locked =
            labels.split(',').any(|label| LOCKED.contains(&label.trim().to_ascii_lowercase().as_str()));
        Some(GmailMark { thread, is_locked })
    }
}

/// The value of a field of a header, whose folded lines are joined.
fn field(header: &[u8], name: &[u8]) -> Option<String> {
    let is_start = |at: &usize| *at == 0 || header.get(at - 1) == Some(&b'\n');
    let at = memchr::memmem::find_iter(header, name).find(is_start)?;
    let rest = header.get(at + name.len()..).unwrap_or_default();
    let mut value = String::new();
    for (place, line) in rest.split(|byte| *byte == b'\n').enumerate() {
        if 0 < place && !line.starts_with(b" ") && !line.starts_with(b"\t") {
            break;
        }
        value.push_str(&String::from_utf8_lossy(line.trim_ascii_end()));
    }
    Some(value)
}

/// The threads of the messages of an import.
#[derive(Debug, Default)]
pub struct GmailThreads {
    threads: HashMap<u64, Thread>,
    /// The thread of each message, by the hash of its Message-ID.
    of_message: HashMap<u128, u64>,
    /// The threads that are left to be joined, once everything is stored.
    left: Option<Vec<u64>>,
}

#[derive(Debug, Default)]
struct Thread {
    message_ids: Vec<String>,
    is_locked: bool,
}

/// The next threads.
#[derive(Debug, Default)]
pub struct Batch {
    /// Messages that are put under the first of their thread.
    pub replies: Vec<SameSubject>,
    /// A message of each thread that is to be closed.
    pub locked: Vec<MessageId>,
}

impl GmailThreads {
    /// Remembers the threads of messages, and has none of them follow a message of another thread.
    pub fn note(&mut self, mails: &mut [Result<ImportedMail, Unreadable>]) {
        for mail in mails.iter_mut().flatten() {
            let Some(GmailMark { thread, is_locked }) = GmailMark::of(&mail.raw) else { continue };
            let hash = |id: &str| short_hash(id.as_bytes());
            mail.references.retain(|id| self.of_message.get(&hash(id)).is_none_or(|other| *other == thread));
            mail.is_reply_by_subject = false;
            self.of_message.insert(hash(&mail.message_id), thread);
            let known = self.threads.entry(thread).or_default();
            known.is_locked |= is_locked;
            known.message_ids.push(mail.message_id.clone());
        }
    }

    /// What is to be done for the next threads; `None` when all are done.
    pub fn next(&mut self, tx: &impl Read, list: &List) -> Result<Option<Batch>, StoreError> {
        let threads = &self.threads;
        let left = self.left.get_or_insert_with(|| threads.keys().copied().collect());
        if left.is_empty() {
            return Ok(None);
        }
        let part = left.split_off(left.len().saturating_sub(THREADS_PER_STEP));
        let mut batch = Batch::default();
        for thread in part.iter().filter_map(|number| threads.get(number)) {
            let mut found = Vec::new();
            for id in &thread.message_ids {
                found.extend(messages::find_by_message_id(tx, list, id)?);
            }
            let tops = found.iter().filter(|message: &&Message| message.parent.is_none());
            let Some(first) = tops.clone().min_by_key(|message| (message.time, message.id)) else { continue };
            let later = tops.filter(|message| message.id != first.id);
            batch.replies.extend(later.map(|message| (message.id, first.id)));
            batch.locked.extend(thread.is_locked.then_some(first.id));
        }
        Ok(Some(batch))
    }
}

/// Closes the threads of these messages.
///
/// # Errors
/// As [`closing::set`].
pub fn close(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &List,
    messages: &[MessageId],
    now: Timestamp,
) -> Result<(), OpError> {
    for id in messages {
        if let Some(message) = tx.get::<Message>(id.0)? {
            let thread = thread_of(tx, &message)?;
            closing::set(tx, caller, list, thread, true, now)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_from_the_header_alone() {
        let of = |text: &str| GmailMark::of(text.replace('\n', "\r\n").as_bytes());
        let mark = |thread, is_locked| Some(GmailMark { thread, is_locked });
        assert_eq!(of("X-GM-THRID: 16\nX-Gmail-Labels: Inbox,\n Locked\n\nhi"), mark(16, true));
        assert_eq!(of("Subject: a\nX-GM-THRID: 16\n\nX-Gmail-Labels: locked"), mark(16, false));
        assert_eq!(of("Subject: X-GM-THRID: 16\n\nX-GM-THRID: 17"), None);
    }
}
