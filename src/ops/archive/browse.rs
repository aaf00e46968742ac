//! What the pages of an archive show: one message, a thread, and what lies before and behind. Whether the visitor may
//! read the archive is decided before, in `access`.

use std::collections::HashSet;

use crate::model::{List, Message, MessageId};
use crate::ops::archive::messages;
use crate::ops::archive::outline;
pub use crate::ops::archive::outline::Place;
use crate::schema::MESSAGE_BY_THREAD;
use crate::store::{IndexRange, Key, Read, StoreError};

/// A message of the list's archive; `None` if it is not there, was taken out, or belongs to another list.
pub fn message(tx: &impl Read, list: &List, id: MessageId) -> Result<Option<Message>, StoreError> {
    Ok(tx.get::<Message>(id.0)?.filter(|message| message.list == list.id && !message.deleted))
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
/// archive. Messages that were taken out keep their places, so that the thread keeps its shape: they are marked as
/// deleted, and nothing else of them may be shown.
pub fn thread(tx: &impl Read, list: &List, thread: MessageId) -> Result<Vec<Place>, StoreError> {
    let replies = IndexRange::prefix(Key::new().u64(list.account.0).u64(thread.0));
    let mut ids = tx.ids(&MESSAGE_BY_THREAD, &replies, usize::MAX)?;
    ids.insert(0, thread.0);
    let mut messages = Vec::with_capacity(ids.len());
    let mut known: HashSet<u64> = ids.iter().copied().collect();
    while !ids.is_empty() {
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
