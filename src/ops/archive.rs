//! Listings of published messages by what is known of them.
//!
//! The archive of an account and that of a list are read by index and count. Every other filter walks what can
//! be sought - a thread, a list, a span of time - newest first, and looks at each record.
//!
//! Messages are numbered in the order in which they are stored, so a span of time is a range of ids, found by
//! halving: no index by time has to be kept for every post.

use std::ops::ControlFlow;
use std::time::Duration;

use super::paging::skipped;
use super::{Caller, OpError, Page, Window, messages};
use crate::clock::Timestamp;
use crate::model::{ListId, Message, MessageId};
use crate::schema::{MESSAGE_BY_ACCOUNT, MESSAGE_BY_LIST, MESSAGE_BY_THREAD};
use crate::store::{Index, IndexRange, Key, Read, StoreError};

/// How far the order of ids may be from that of times: posts of one moment are stored in any order, and a clock
/// is set back now and then.
const DISORDER_MAX: Duration = Duration::from_mins(10);

/// Which messages a listing shows; filters combine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageFilter {
    /// Those of this list.
    pub list: Option<ListId>,
    /// Those of the thread that begins with this message.
    pub thread: Option<MessageId>,
    /// Those from this address, where it has an `@` within it, else those whose sender's name or address
    /// contains it; in any case of letters.
    pub from: Option<String>,
    /// Those whose subject contains this, in any case of letters.
    pub subject: Option<String>,
    /// Those of this second and later ones.
    pub since: Option<Timestamp>,
    /// Those of this second and earlier ones.
    pub until: Option<Timestamp>,
}

impl MessageFilter {
    /// Whether messages must be looked at one by one.
    #[must_use]
    pub fn walks(&self) -> bool {
        let MessageFilter { list: _, thread, from, subject, since, until } = self;
        thread.is_some() || from.is_some() || subject.is_some() || since.is_some() || until.is_some()
    }

    fn takes(&self, message: &Message) -> bool {
        let MessageFilter { list, thread, from, subject, since, until } = self;
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

/// Whether the sender is who a folded text says.
fn is_from(message: &Message, text: &str) -> bool {
    let address = message.from_address.to_lowercase();
    match text.find('@') {
        Some(1..) => address == text,
        Some(0) | None => address.contains(text) || message.from_phrase.to_lowercase().contains(text),
    }
}

/// The messages of the archive that a filter takes, newest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &MessageFilter,
    window: Window,
) -> Result<Page<Message>, OpError> {
    if !filter.walks() {
        return messages::list(tx, caller, filter.list, window);
    }
    caller.require_read()?;
    let account = Key::new().u64(caller.account.0);
    let (index, prefix) = match (filter.thread, filter.list) {
        (Some(thread), _) => (&MESSAGE_BY_THREAD, account.u64(thread.0)),
        (None, Some(list)) => (&MESSAGE_BY_LIST, account.u64(list.0)),
        (None, None) => (&MESSAGE_BY_ACCOUNT, account),
    };
    if filter.thread.is_some() {
        // All messages of a thread are of one list.
        let first: Option<Message> = tx.page(index, &prefix.clone().into(), 1)?.pop();
        if !first.is_some_and(|message| caller.sees_message(&message)) {
            return Err(OpError::NotFound { what: "thread" });
        }
    }
    Ok(walk(tx, caller, index, &prefix, &filter.folded(), window)?)
}

fn walk(
    tx: &impl Read,
    caller: &Caller,
    index: &Index<Message>,
    prefix: &Key,
    filter: &MessageFilter,
    window: Window,
) -> Result<Page<Message>, StoreError> {
    let oldest = match filter.since {
        Some(since) => first_id_at(tx, index, prefix, since.before(DISORDER_MAX))?,
        None => 0,
    };
    let mut range = IndexRange::prefix(prefix.clone()).backward();
    if let Some(until) = filter.until {
        // The second itself belongs to the span.
        let end = until + DISORDER_MAX + Duration::from_secs(1);
        range = range.after_id(first_id_at(tx, index, prefix, end)?);
    }
    let (mut rows, mut count) = (Vec::new(), 0);
    let failed = tx.scan(index, &range, |_, id| {
        if id < oldest {
            return ControlFlow::Break(Ok(()));
        }
        match tx.get::<Message>(id) {
            Err(error) => return ControlFlow::Break(Err(error)),
            Ok(Some(message)) if caller.sees_message(&message) && filter.takes(&message) => {
                if is_in(window, count, rows.len(), id) {
                    rows.push(message);
                }
                count += 1;
            }
            Ok(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    failed.transpose()?;
    Ok(Page { rows, count })
}

/// Whether the message that stands behind `before` others, of which `taken` are shown, belongs to a window.
fn is_in(window: Window, before: u64, taken: usize, id: u64) -> bool {
    match window {
        Window::All => true,
        Window::Page { page, limit } => skipped(page, limit) <= before && taken < limit,
        Window::After { after, limit } => id < after && taken < limit,
    }
}

/// The lowest id from which on no message is older than `time`, as far as ids and times have one order.
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
