//! The newest messages of an archive and of a thread, for feeds.

use crate::model::{List, Message, MessageId, Thread};
use crate::schema::{MESSAGE_BY_THREAD, MESSAGE_BY_TIME, archive_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// The newest messages of a list, the newest first.
///
/// # Errors
/// If they cannot be read.
pub fn newest(tx: &impl Read, list: &List, limit: usize) -> Result<Vec<Message>, StoreError> {
    let range = IndexRange::prefix(archive_of(list.account, list.id)).backward();
    tx.page(&MESSAGE_BY_TIME, &range, limit)
}

/// A thread of the list of which messages are in the archive; `None` if there is none.
///
/// # Errors
/// If it cannot be read.
pub fn thread(tx: &impl Read, list: &List, id: MessageId) -> Result<Option<Thread>, StoreError> {
    Ok(tx.get::<Thread>(id.0)?.filter(|thread| thread.list == list.id && 0 < thread.messages))
}

/// The newest messages of a thread, the newest first.
///
/// # Errors
/// If they cannot be read.
pub fn newest_of_thread(tx: &impl Read, thread: &Thread, limit: usize) -> Result<Vec<Message>, StoreError> {
    let range = IndexRange::prefix(Key::new().u64(thread.account.0).u64(thread.id.0)).backward();
    let mut messages = tx.page(&MESSAGE_BY_THREAD, &range, limit)?;
    let first = tx.get::<Message>(thread.id.0)?;
    messages.extend(first.filter(|first| !first.deleted && first.thread == thread.id));
    messages.sort_unstable_by_key(|message| std::cmp::Reverse((message.time, message.id)));
    messages.truncate(limit);
    Ok(messages)
}
