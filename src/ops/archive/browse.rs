//! Reads what the pages of an archive show: one message, a thread, and their neighbours. Whether the visitor may
//! read the archive is decided before, in `access`.

use std::collections::HashSet;

use crate::clock::Timestamp;
use crate::model::list::OriginalSenderMode;
use crate::model::{Change, List, ListId, Message, MessageId, Thread};
pub use crate::ops::archive::outline::Place;
use crate::ops::archive::threads::Activity;
use crate::ops::archive::threads::moving;
use crate::ops::archive::{messages, outline, threads};
use crate::schema::{MESSAGE_BY_THREAD, MESSAGE_BY_TIME, MESSAGE_COUNT_BY_LIST, archive_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// Messages of one thread that are put in the order of a conversation.
pub const THREAD_MESSAGES_MAX: usize = 5000;
/// Messages that a listing looks for above the one with which a thread began.
const ABOVE_FIRST_MAX: usize = 20;
/// Replies of a thread whose authors a listing counts.
const PEOPLE_OF_MESSAGES: usize = 50;

/// A message of the list's archive; `None` if it is not there, was taken out, or belongs to another list.
pub fn message(tx: &impl Read, list: &List, id: MessageId) -> Result<Option<Message>, StoreError> {
    Ok(tx.get::<Message>(id.0)?.filter(|message| message.list == list.id && !message.deleted))
}

/// A message of the archive of one of these lists; `None` if it is not there, was taken out, or belongs to another one.
pub fn message_of_lists(
    tx: &impl Read,
    lists: &[ListId],
    id: MessageId,
) -> Result<Option<Message>, StoreError> {
    Ok(tx.get::<Message>(id.0)?.filter(|message| lists.contains(&message.list) && !message.deleted))
}

/// How many messages a list got since a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Newer {
    /// The number, at most [`NEWER_MAX`].
    pub count: u64,
    /// Whether there are more than that.
    pub is_cut: bool,
}

/// Messages that are counted as new, at most.
pub const NEWER_MAX: usize = 99;

/// How many messages of the list's archive are newer than a moment.
pub fn newer(tx: &impl Read, list: &List, since: Timestamp) -> Result<Newer, StoreError> {
    let key = archive_of(list.account, list.id);
    let range = IndexRange::prefix(key.clone()).from(key.u64(since.key() + 1));
    let found = tx.ids(&MESSAGE_BY_TIME, &range, NEWER_MAX + 1)?.len();
    Ok(Newer { count: found.min(NEWER_MAX) as u64, is_cut: NEWER_MAX < found })
}

/// The newest message of the list's archive.
pub fn newest(tx: &impl Read, list: &List) -> Result<Option<Message>, StoreError> {
    let range = IndexRange::prefix(archive_of(list.account, list.id)).backward();
    Ok(tx.page::<Message>(&MESSAGE_BY_TIME, &range, 1)?.pop())
}

/// The record of a message of the list, which stays when the message was taken out; `None` if there is none, or it is of
/// another list.
pub fn record(tx: &impl Read, list: &List, id: MessageId) -> Result<Option<Message>, StoreError> {
    Ok(tx.get::<Message>(id.0)?.filter(|message| message.list == list.id))
}

/// The newest message of the list's archive with this Message-ID, with or without angle brackets.
pub fn by_message_id(tx: &impl Read, list: &List, message_id: &str) -> Result<Option<Message>, StoreError> {
    let bare = message_id.trim();
    let bare = bare.strip_prefix('<').unwrap_or(bare);
    let bare = bare.strip_suffix('>').unwrap_or(bare);
    let found = messages::find_by_message_id(tx, list, bare)?;
    Ok(found.filter(|message| !message.deleted))
}

/// The thread that begins with this message, in the order of the conversation; empty if none of its messages is in the
/// archive. Of a thread with more than [`THREAD_MESSAGES_MAX`] messages, these are the oldest. Messages that were taken
/// out keep their places, so that the thread keeps its shape: they are marked as deleted, and nothing else of them may
/// be shown.
pub fn thread(tx: &impl Read, list: &List, thread: MessageId) -> Result<Vec<Place>, StoreError> {
    let replies = IndexRange::prefix(Key::new().u64(list.account.0).u64(thread.0));
    let mut ids = tx.ids(&MESSAGE_BY_THREAD, &replies, THREAD_MESSAGES_MAX)?;
    ids.insert(0, thread.0);
    let mut messages = Vec::with_capacity(ids.len());
    let mut known: HashSet<u64> = ids.iter().copied().collect();
    // Twice: with as many messages that were taken out as are there.
    while !ids.is_empty() && messages.len() <= 2 * THREAD_MESSAGES_MAX {
        let found = tx.records::<Message>(&ids)?.into_iter().flatten();
        let before = messages.len();
        messages.extend(found.filter(|message| message.list == list.id && message.thread == thread));
        if messages.iter().all(|message| message.deleted) {
            return Ok(Vec::new());
        }
        let parents = messages[before..].iter().filter_map(|message| message.parent);
        ids = parents.map(|parent| parent.0).filter(|parent| known.insert(*parent)).collect();
    }
    Ok(outline::outline(messages))
}

/// The thread of which the one with this number is a part now, if it is.
pub fn joined_into(tx: &impl Read, list: &List, thread: MessageId) -> Result<Option<MessageId>, StoreError> {
    let Some(first) = tx.get::<Message>(thread.0)?.filter(|first| first.list == list.id) else {
        return Ok(None);
    };
    let other = moving::thread_of(tx, &first)?;
    Ok(if other != thread && 0 < length(tx, other)? { Some(other) } else { None })
}

/// A thread in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadRow {
    /// The thread.
    pub thread: Thread,
    /// The first of its messages that is in the archive.
    pub first: Message,
    /// How many others than the author of that message wrote to it.
    pub others: usize,
    /// Whether it has more messages than were looked at, so that there may be more others.
    pub is_cut: bool,
}

/// Some threads of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadsPage {
    /// The threads, the one with the newest message first.
    pub rows: Vec<ThreadRow>,
    /// The place of the first one, if there are newer ones.
    pub newer: Option<Activity>,
    /// The place of the last one, if there are older ones.
    pub older: Option<Activity>,
}

/// The place of a page of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The newest threads.
    First,
    /// Those that are older than the thread at this place.
    After(Activity),
    /// Those that are newer than the thread at this place.
    Before(Activity),
}

/// Up to `limit` threads of a list. Every page costs the same.
pub fn threads(
    tx: &impl Read,
    list: &List,
    position: Position,
    limit: usize,
) -> Result<ThreadsPage, StoreError> {
    let mut found = match position {
        Position::First => threads::newest(tx, list, None, limit + 1)?,
        Position::After(place) => threads::newest(tx, list, Some(place), limit + 1)?,
        Position::Before(place) => threads::oldest(tx, list, Some(place), limit + 1)?,
    };
    let is_more = limit < found.len();
    found.truncate(limit);
    let is_backward = matches!(position, Position::Before(_));
    if is_backward {
        found.reverse();
    }
    let place = |thread: &Thread| (thread.last, thread.id);
    let (top, bottom) = (found.first().map(place), found.last().map(place));
    let is_newer = match (top, position) {
        (None, _) | (_, Position::First) => false,
        (Some(_), Position::Before(_)) => is_more,
        (Some(top), Position::After(_)) => !threads::oldest(tx, list, Some(top), 1)?.is_empty(),
    };
    let is_older = match bottom {
        Some(bottom) if is_backward => !threads::newest(tx, list, Some(bottom), 1)?.is_empty(),
        Some(_) => is_more,
        None => false,
    };
    let mut rows = Vec::with_capacity(found.len());
    for thread in found {
        rows.extend(thread_row(tx, thread)?);
    }
    Ok(ThreadsPage { rows, newer: top.filter(|_| is_newer), older: bottom.filter(|_| is_older) })
}

fn thread_row(tx: &impl Read, thread: Thread) -> Result<Option<ThreadRow>, StoreError> {
    let replies = IndexRange::prefix(Key::new().u64(thread.account.0).u64(thread.id.0));
    let head = tx.get::<Message>(thread.id.0)?.filter(|head| !head.deleted && head.thread == thread.id);
    let replies = match thread.messages {
        1 if head.is_some() => Vec::new(),
        _ => tx.page::<Message>(&MESSAGE_BY_THREAD, &replies, PEOPLE_OF_MESSAGES)?,
    };
    let messages: Vec<Message> = head.into_iter().chain(replies).collect();
    let Some(first) = messages.first() else { return Ok(None) };
    let first = top_of(tx, first)?;
    let author = first.from_address.to_lowercase();
    let others: HashSet<String> = messages
        .iter()
        .map(|message| message.from_address.to_lowercase())
        .filter(|other| *other != author)
        .collect();
    let is_cut = PEOPLE_OF_MESSAGES < usize::try_from(thread.messages).unwrap_or(usize::MAX);
    Ok(Some(ThreadRow { thread, first, others: others.len(), is_cut }))
}

/// The message that came later than one with which a thread began, and took its place above that; else that one.
fn top_of(tx: &impl Read, first: &Message) -> Result<Message, StoreError> {
    let mut top = first.clone();
    for _ in 0..ABOVE_FIRST_MAX {
        let above = top.parent.map_or(Ok(None), |parent| tx.get::<Message>(parent.0))?;
        match above.filter(|above| above.thread == top.thread && !above.deleted) {
            Some(above) => top = above,
            None => break,
        }
    }
    Ok(top)
}

/// The threads of a list before and behind one in the order of activity: the newer, and the older.
pub fn neighbours(
    tx: &impl Read,
    list: &List,
    thread: MessageId,
) -> Result<(Option<ThreadRow>, Option<ThreadRow>), StoreError> {
    let Some(thread) = tx.get::<Thread>(thread.0)? else { return Ok((None, None)) };
    let place = Some((thread.last, thread.id));
    let row = |found: Vec<Thread>| match found.into_iter().next() {
        Some(thread) => thread_row(tx, thread),
        None => Ok(None),
    };
    let newer = row(threads::oldest(tx, list, place, 1)?)?;
    Ok((newer, row(threads::newest(tx, list, place, 1)?)?))
}

/// The number of messages in the archive of a list.
pub fn count(tx: &impl Read, list: &List) -> Result<u64, StoreError> {
    tx.count(&MESSAGE_COUNT_BY_LIST, &Key::new().u64(list.account.0).u64(list.id.0))
}

/// The number of messages of a thread that are in the archive.
pub fn length(tx: &impl Read, thread: MessageId) -> Result<usize, StoreError> {
    let thread = tx.get::<Thread>(thread.0)?;
    Ok(thread.map_or(0, |thread| usize::try_from(thread.messages).unwrap_or(usize::MAX)))
}

/// Whether the list hides the author of this message, as it did from its members.
#[must_use]
pub fn hides_author(list: &List, message: &Message) -> bool {
    let changes = message.changes.as_ref();
    // Before the first copy nobody knows; a list that hides its authors hides this one.
    let was_hidden = changes.is_none_or(|changes| changes.contains(&Change::FromRewritten));
    list.original_sender_mode == OriginalSenderMode::Hide && (list.rewrite_sender || was_hidden)
}

/// Whether a moderator closed this thread.
pub fn is_closed(tx: &impl Read, thread: MessageId) -> Result<bool, StoreError> {
    Ok(tx.get::<Thread>(thread.0)?.is_some_and(|thread| thread.closed))
}
