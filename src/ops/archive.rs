//! Lists published messages by filters: list, thread, sender, subject, time, words.
//!
//! The archives of an account and of a list are read by index and count. A search uses the index of words ([`find`]).
//! Every other filter walks the messages that are left - the results of a search, a thread, a list, a span of time - and
//! reads each record.
//!
//! Newest first is by time, then by id: imported messages are older than others that were stored before them.

pub mod access;
pub mod browse;
mod by_time;
pub mod closing;
pub mod compose_drafts;
pub(in crate::ops) mod emptying;
pub mod excerpt;
pub mod feeds;
pub mod find;
mod hidden_text;
pub mod import;
pub mod indexing;
pub mod kept_months;
pub mod mbox;
pub mod messages;
pub mod months;
pub mod old_links;
pub mod outline;
pub mod own_posts;
pub mod part_notes;
pub mod parts;
pub mod passwords;
pub(in crate::ops) mod placing;
mod postings;
pub mod query;
pub mod redaction;
mod reindexing;
pub mod scheduled;
pub mod shown;
pub mod sitemap;
pub mod spelling;
pub mod threads;

use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{ListId, Message, MessageId};
use crate::ops::paging::skipped;
use crate::ops::{Caller, OpError, PageRequest};
use crate::schema::{LIST_BY_ACCOUNT, MESSAGE_BY_THREAD};
use crate::store::{IndexRange, Key, Read, StoreError};

use by_time::{ByTime, place_of_position};
use find::{Next, Search, SearchScope};
use postings::Place;
use query::{Query, Test};

/// A page of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessagePage {
    /// The messages.
    pub rows: Vec<Message>,
    /// How many there are on all pages.
    pub count: u64,
    /// Whether there may be more.
    pub count_is_minimum: bool,
}

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
) -> Result<MessagePage, OpError> {
    // A search without a word matches every message.
    let query = filter.search.as_deref().map(Query::of_beginnings).unwrap_or_default();
    let is_search = !query.conditions().is_empty();
    if !is_search && filter.thread.is_none() && !filter.tests_records() {
        let page = messages::list(tx, caller, filter.list, window)?;
        return Ok(MessagePage { rows: page.rows, count: page.count, count_is_minimum: false });
    }
    caller.require_read()?;
    let mut sieve = Sieve::new(tx, caller, filter, window)?;
    if let Some(thread) = filter.thread {
        let messages = messages_of_thread(tx, caller, thread)?;
        if !is_search {
            // A thread is short, so each of its messages is read.
            for message in messages {
                sieve.look_at(message);
            }
            return Ok(sieve.page());
        }
    }
    let lists = lists_of(tx, caller, filter.list)?;
    if is_search {
        let scope = SearchScope {
            account: caller.account,
            lists: &lists,
            shows_addresses: true,
            hidden_authors: &[],
        };
        search(tx, &scope, &filter.timed(query), sieve)
    } else {
        walk(tx, caller, &lists, filter, sieve)
    }
}

impl MessageFilter {
    /// The query with the conditions that the index can tell.
    fn timed(&self, mut query: Query) -> Query {
        if let Some(since) = self.since {
            query = query.and(Test::Since(second_of(since)));
        }
        if let Some(until) = self.until {
            query = query.and(Test::Before(second_of(until) + Duration::from_secs(1)));
        }
        match self.thread {
            Some(thread) => query.and(Test::Thread(thread)),
            None => query,
        }
    }
}

/// The beginning of a second.
fn second_of(time: Timestamp) -> Timestamp {
    Timestamp::from_ms(time.secs().saturating_mul(1000))
}

/// The messages that answer a query, newest first.
fn search(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
    mut sieve: Sieve<'_>,
) -> Result<MessagePage, OpError> {
    let mut search = Search::new(tx, scope, query, None, find::Texts::default())?;
    let mut is_cut = false;
    while let Next::Hit(hit) = search.next()? {
        if sieve.is_enough() {
            is_cut = true;
            break;
        }
        if sieve.filter.tests_records() || sieve.wants(hit.place) {
            let message = tx.get::<Message>(hit.place.1)?;
            if let Some(message) = message {
                sieve.look_at(message);
            }
        } else {
            sieve.count += 1;
        }
    }
    let count_is_minimum = is_cut || search.is_incomplete();
    Ok(MessagePage { count_is_minimum, ..sieve.page() })
}

/// The messages of a thread that are in the archive, newest first.
fn messages_of_thread(tx: &impl Read, caller: &Caller, thread: MessageId) -> Result<Vec<Message>, OpError> {
    let replies = IndexRange::prefix(Key::new().u64(caller.account.0).u64(thread.0)).backward();
    let mut messages: Vec<Message> = tx.page(&MESSAGE_BY_THREAD, &replies, usize::MAX)?;
    let first: Option<Message> = tx.get(thread.0)?;
    messages.extend(first.filter(|first| first.thread == thread && !first.deleted));
    messages.sort_by_key(|message| std::cmp::Reverse(place_of(message)));
    // All messages of a thread are in one list. The first one may have been taken out of the archive.
    let is_seen = messages.first().is_some_and(|message| caller.sees_message(message));
    if is_seen { Ok(messages) } else { Err(OpError::NotFound { what: "thread" }) }
}

/// Where a message stands in the order of time.
fn place_of(message: &Message) -> Place {
    (message.time.key(), message.id.0)
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
    /// Where the page begins, if that is a position.
    after: Option<Place>,
    rows: Vec<Message>,
    count: u64,
}

impl<'a> Sieve<'a> {
    fn new(
        tx: &impl Read,
        caller: &'a Caller,
        filter: &MessageFilter,
        window: PageRequest,
    ) -> Result<Sieve<'a>, StoreError> {
        let after = match window {
            PageRequest::After { after, limit: _ } => Some(place_of_position(tx, after)?),
            PageRequest::All | PageRequest::Page { .. } => None,
        };
        Ok(Sieve { caller, filter: filter.folded(), window, after, rows: Vec::new(), count: 0 })
    }

    fn look_at(&mut self, message: Message) {
        if self.caller.sees_message(&message) && self.filter.takes(&message) {
            if self.wants(place_of(&message)) {
                self.rows.push(message);
            }
            self.count += 1;
        }
    }

    /// Whether the next message that passes, at this place, belongs to the requested page.
    fn wants(&self, place: Place) -> bool {
        match self.window {
            PageRequest::All => true,
            PageRequest::Page { page, limit } => {
                skipped(page, limit) <= self.count && self.rows.len() < limit
            }
            PageRequest::After { after: _, limit } => {
                self.after.is_some_and(|after| place < after) && self.rows.len() < limit
            }
        }
    }

    /// Whether the page is full, and more messages are counted than are counted exactly.
    fn is_enough(&self) -> bool {
        let is_full = match self.window {
            PageRequest::All => false,
            PageRequest::Page { page: _, limit } | PageRequest::After { after: _, limit } => {
                limit <= self.rows.len()
            }
        };
        is_full && find::COUNT_MAX <= self.count
    }

    fn page(self) -> MessagePage {
        MessagePage { rows: self.rows, count: self.count, count_is_minimum: false }
    }
}

/// The messages of lists that pass a filter, newest first.
fn walk(
    tx: &impl Read,
    caller: &Caller,
    lists: &[ListId],
    filter: &MessageFilter,
    mut sieve: Sieve<'_>,
) -> Result<MessagePage, OpError> {
    let since = filter.since.map_or(0, |since| second_of(since).key());
    let before = filter.until.map(|until| ((second_of(until) + Duration::from_secs(1)).key(), 0));
    let mut places = ByTime::new(caller, lists, before);
    while let Some((_, id)) = places.next(tx)?.filter(|(time, _)| since <= *time) {
        if let Some(message) = tx.get::<Message>(id)? {
            sieve.look_at(message);
        }
    }
    Ok(sieve.page())
}
