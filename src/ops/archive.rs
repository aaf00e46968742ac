//! Lists published messages by filters: list, thread, sender, subject, time, words.
//!
//! The archives of an account and of a list are read by index and count. A search uses the index of words. Every other
//! filter walks the ids that are left - the results of a search, a thread, a list, a span of time - newest first, and
//! reads each record.
//!
//! Messages are numbered in the order in which they are stored, so a span of time is a range of ids that is found by
//! binary search: no index by time is needed.

pub mod access;
pub mod browse;
pub mod excerpt;
pub mod find;
pub mod indexing;
pub mod mbox;
mod message_search;
pub mod messages;
pub mod months;
pub mod outline;
pub mod own_posts;
pub mod parts;
pub mod passwords;
pub mod query;
pub mod shown;
pub mod threads;

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{ListId, Message, MessageId, Words};
use crate::ops::paging::skipped;
use crate::ops::{Caller, OpError, Page, PageRequest};
use crate::schema::{LIST_BY_ACCOUNT, MESSAGE_BY_ACCOUNT, MESSAGE_BY_LIST, MESSAGE_BY_THREAD};
use crate::store::{Index, IndexRange, Key, Read, StoreError};

/// How far the order of ids may differ from the order of times: posts of one moment are stored in any order, and a
/// clock may be set back.
const DISORDER_MAX: Duration = Duration::from_mins(10);

/// The filters of a listing; a message must pass all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// Messages of this list.
    pub list: Option<ListId>,
    /// Messages of the thread that begins with this message.
    pub thread: Option<MessageId>,
    /// Messages from this address if the text has an `@` within it, else those whose sender's name or address contains
    /// the text. Case is ignored.
    pub from: Option<String>,
    /// Messages whose subject contains this text. Case is ignored.
    pub subject: Option<String>,
    /// Messages of this second and later ones.
    pub since: Option<Timestamp>,
    /// Messages of this second and earlier ones.
    pub until: Option<Timestamp>,
    /// Messages that have, for each of these words, a word in subject, sender or text that begins with it.
    pub search: Option<String>,
}

impl MessageFilter {
    /// Whether messages must be read one by one.
    #[must_use]
    pub fn walks(&self) -> bool {
        let MessageFilter { list: _, thread, from: _, subject: _, since: _, until: _, search } = self;
        thread.is_some() || search.is_some() || self.tests_records()
    }

    /// Whether a message of the right list and thread must be read.
    fn tests_records(&self) -> bool {
        let MessageFilter { list: _, thread: _, from, subject, since, until, search: _ } = self;
        from.is_some() || subject.is_some() || since.is_some() || until.is_some()
    }

    fn takes(&self, message: &Message) -> bool {
        let MessageFilter { list, thread, from, subject, since, until, search: _ } = self;
        list.is_none_or(|list| message.list == list)
            && thread.is_none_or(|thread| message.thread == thread)
            && since.is_none_or(|since| since.secs() <= message.time.secs())
            && until.is_none_or(|until| message.time.secs() <= until.secs())
            && from.as_ref().is_none_or(|from| is_from(message, from))
            && subject.as_ref().is_none_or(|subject| message.subject.to_lowercase().contains(subject))
    }

    fn folded(&self) -> MessageFilter {
        let fold = |text: &Option<String>| text.as_ref().map(|text| text.to_lowercase());
        MessageFilter { from: fold(&self.from), subject: fold(&self.subject), ..self.clone() }
    }
}

/// Whether the sender matches a case-folded text.
fn is_from(message: &Message, text: &str) -> bool {
    let address = message.from_address.to_lowercase();
    match text.find('@') {
        Some(1..) => address == text,
        Some(0) | None => address.contains(text) || message.from_phrase.to_lowercase().contains(text),
    }
}

/// The messages of the archive that pass a filter, newest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &MessageFilter,
    window: PageRequest,
) -> Result<Page<Message>, OpError> {
    // A search without a word matches every message.
    let question = filter.search.as_deref().map(Words::of_question).filter(|question| !question.is_empty());
    if question.is_none() && filter.thread.is_none() && !filter.tests_records() {
        return messages::list(tx, caller, filter.list, window);
    }
    caller.require_read()?;
    let account = Key::new().u64(caller.account.0);
    let (index, prefix) = match filter.list {
        Some(list) => (&MESSAGE_BY_LIST, account.u64(list.0)),
        None => (&MESSAGE_BY_ACCOUNT, account),
    };
    let mut sieve = Sieve { caller, filter: filter.folded(), window, rows: Vec::new(), count: 0 };
    if let Some(thread) = filter.thread {
        // A thread is short, so each of its messages is read.
        for id in messages_of_thread(tx, caller, thread)? {
            let question = question.as_ref();
            if question.map_or(Ok(true), |question| message_search::answers(tx, id, question))? {
                sieve.look_at(tx, id)?;
            }
        }
        return Ok(Page { rows: sieve.rows, count: sieve.count });
    }
    let span = span(tx, index, &prefix, filter)?;
    match question {
        None => walk(tx, index, &prefix, &span, |id| sieve.look_at(tx, id))?,
        Some(question) => {
            let lists = lists_of(tx, caller, filter.list)?;
            let ids = message_search::find(tx, caller.account, lists, &span, &question)?;
            if !filter.tests_records() {
                return Ok(messages::page_of(tx, ids, window)?);
            }
            ids.into_iter().try_for_each(|id| sieve.look_at(tx, id))?;
        }
    }
    Ok(Page { rows: sieve.rows, count: sieve.count })
}

/// The messages of a thread that are in the archive, newest first.
fn messages_of_thread(tx: &impl Read, caller: &Caller, thread: MessageId) -> Result<Vec<u64>, OpError> {
    let replies = IndexRange::prefix(Key::new().u64(caller.account.0).u64(thread.0)).backward();
    let mut ids = tx.ids(&MESSAGE_BY_THREAD, &replies, usize::MAX)?;
    let first: Option<Message> = tx.get(thread.0)?;
    let first = first.filter(|first| first.thread == thread && !first.deleted);
    ids.extend(first.as_ref().map(|first| first.id.0));
    // All messages of a thread are in one list. The first one may have been taken out of the archive.
    let one = match (first, ids.first()) {
        (None, Some(reply)) => tx.get(*reply)?,
        (first, _) => first,
    };
    let is_seen = one.is_some_and(|one| caller.sees_message(&one));
    if is_seen { Ok(ids) } else { Err(OpError::NotFound { what: "thread" }) }
}

/// The lists that a search covers.
fn lists_of(tx: &impl Read, caller: &Caller, list: Option<ListId>) -> Result<Vec<ListId>, StoreError> {
    if let Some(list) = list {
        return Ok(vec![list]);
    }
    if let Some(lists) = caller.limits.lists() {
        return Ok(lists.iter().copied().collect());
    }
    let all = IndexRange::prefix(Key::new().u64(caller.account.0));
    Ok(tx.ids(&LIST_BY_ACCOUNT, &all, usize::MAX)?.into_iter().map(ListId).collect())
}

/// Collects and counts the messages that pass a filter, as they come newest first.
struct Sieve<'a> {
    caller: &'a Caller,
    filter: MessageFilter,
    window: PageRequest,
    rows: Vec<Message>,
    count: u64,
}

impl Sieve<'_> {
    fn look_at(&mut self, tx: &impl Read, id: u64) -> Result<(), StoreError> {
        let Some(message) = tx.get::<Message>(id)? else { return Ok(()) };
        if self.caller.sees_message(&message) && self.filter.takes(&message) {
            if is_in(self.window, self.count, self.rows.len(), id) {
                self.rows.push(message);
            }
            self.count += 1;
        }
        Ok(())
    }
}

/// Passes the ids of a span to `each`, newest first.
fn walk(
    tx: &impl Read,
    index: &Index<Message>,
    prefix: &Key,
    span: &Range<u64>,
    mut each: impl FnMut(u64) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let range = IndexRange::prefix(prefix.clone()).backward().after_id(span.end);
    let ended = tx.scan(index, &range, |_, id| {
        if id < span.start {
            return ControlFlow::Break(Ok(()));
        }
        match each(id) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    })?;
    ended.unwrap_or(Ok(()))
}

/// Whether the message after `before` others, of which `taken` are shown, belongs to the requested page.
fn is_in(window: PageRequest, before: u64, taken: usize, id: u64) -> bool {
    match window {
        PageRequest::All => true,
        PageRequest::Page { page, limit } => skipped(page, limit) <= before && taken < limit,
        PageRequest::After { after, limit } => id < after && taken < limit,
    }
}

/// The ids that messages in the filter's span of time can have.
fn span(
    tx: &impl Read,
    index: &Index<Message>,
    prefix: &Key,
    filter: &MessageFilter,
) -> Result<Range<u64>, StoreError> {
    let oldest = match filter.since {
        Some(since) => first_id_at(tx, index, prefix, since.before(DISORDER_MAX))?,
        None => 0,
    };
    let end = match filter.until {
        // The second itself is part of the span.
        Some(until) => first_id_at(tx, index, prefix, until + DISORDER_MAX + Duration::from_secs(1))?,
        None => u64::MAX,
    };
    Ok(oldest..end)
}

/// The lowest id from which on no message is older than `time`, provided that ids and times have the same order.
fn first_id_at(
    tx: &impl Read,
    index: &Index<Message>,
    prefix: &Key,
    time: Timestamp,
) -> Result<u64, StoreError> {
    let last = tx.ids(index, &IndexRange::prefix(prefix.clone()).backward(), 1)?;
    let (mut low, mut high) = (0, last.first().map_or(0, |last| last.saturating_add(1)));
    while low < high {
        let middle = low + (high - low) / 2;
        let from = IndexRange::prefix(prefix.clone()).from(prefix.clone().u64(middle));
        let Some(message) = tx.page::<Message>(index, &from, 1)?.pop() else {
            high = middle;
            continue;
        };
        if time <= message.time {
            high = middle;
        } else {
            low = message.id.0 + 1;
        }
    }
    Ok(low)
}
