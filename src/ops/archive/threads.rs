//! Keeps the threads of archives: how many messages each has, and when the newest came.
//!
//! Every operation that puts a message into an archive, or takes one out, calls it in the same job.

pub(in crate::ops) mod moving;

use std::collections::BTreeMap;

use crate::clock::Timestamp;
use crate::model::{List, Message, MessageId, Thread};
use crate::ops::archive::feeds;
use crate::schema::{THREAD_BY_ACTIVITY, THREAD_WITHOUT_MESSAGES, archive_of};
use crate::store::{IndexRange, Read, StoreError, WriteTx};

/// Notes that a message is in the archive, for the first time or again.
pub fn added(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    let mut thread = tx.get::<Thread>(message.thread.0)?.unwrap_or_else(|| Thread::of(message));
    thread.add(message);
    tx.put(&thread)
}

/// Notes that a message is no longer in the archive, or no longer in this thread; its record was written before.
pub fn removed(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    let Some(mut thread) = tx.get::<Thread>(message.thread.0)? else { return Ok(()) };
    thread.messages = thread.messages.saturating_sub(1);
    if thread.messages == 0 && !thread.closed {
        tx.delete::<Thread>(thread.id.0)?;
        return Ok(());
    }
    if thread.last <= message.time
        && let Some(newest) = feeds::newest_of_thread(tx, &thread, 1)?.pop()
    {
        thread.last = newest.time;
    }
    tx.put(&thread)
}

/// Closes or opens a thread. The thread exists as long as it is closed, even without messages.
pub fn set_closed(tx: &mut WriteTx<'_>, id: MessageId, closed: bool) -> Result<(), StoreError> {
    let Some(mut thread) = tx.get::<Thread>(id.0)? else { return Ok(()) };
    thread.closed = closed;
    if thread.messages == 0 && !closed {
        tx.delete::<Thread>(id.0)?;
        return Ok(());
    }
    tx.put(&thread)
}

/// The place of a thread in the order of activity.
pub type Activity = (Timestamp, MessageId);

/// Up to `limit` threads of a list that have messages, the one with the newest message first, behind `after`.
pub fn newest(
    tx: &impl Read,
    list: &List,
    after: Option<Activity>,
    limit: usize,
) -> Result<Vec<Thread>, StoreError> {
    tx.page(&THREAD_BY_ACTIVITY, &by_activity(list, after).backward(), limit)
}

/// Up to `limit` threads of a list that have messages, the one with the oldest last message first, behind `after`.
pub fn oldest(
    tx: &impl Read,
    list: &List,
    after: Option<Activity>,
    limit: usize,
) -> Result<Vec<Thread>, StoreError> {
    tx.page(&THREAD_BY_ACTIVITY, &by_activity(list, after), limit)
}

fn by_activity(list: &List, after: Option<Activity>) -> IndexRange {
    let key = archive_of(list.account, list.id);
    let range = IndexRange::prefix(key.clone());
    match after {
        None => range,
        // The start is set before the direction and means the same in both.
        Some((time, id)) => range.after(key.u64(time.key()).u64(id.0)),
    }
}

/// Removes up to `limit` threads of a list that is deleted, whose messages were taken out before; returns whether any
/// may be left.
pub(in crate::ops) fn delete_of_list(
    tx: &mut WriteTx<'_>,
    list: &List,
    limit: usize,
) -> Result<bool, StoreError> {
    let of_list = archive_of(list.account, list.id).into();
    Ok(tx.delete_range(&THREAD_WITHOUT_MESSAGES, &of_list, limit)? == limit)
}

/// Records that are read at a time.
const RECORDS_PER_PAGE: usize = 1000;

/// The threads whose number of messages or last time is wrong, and those that are missing: one sentence each.
pub fn problems(tx: &impl Read) -> Result<Vec<String>, StoreError> {
    let mut expected: BTreeMap<MessageId, Thread> = BTreeMap::new();
    let mut after = 0;
    loop {
        let page: Vec<Message> = tx.all(after, RECORDS_PER_PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        for message in page.iter().filter(|message| !message.deleted) {
            expected.entry(message.thread).or_insert_with(|| Thread::of(message)).add(message);
        }
    }
    let mut problems = Vec::new();
    after = 0;
    loop {
        let page: Vec<Thread> = tx.all(after, RECORDS_PER_PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id.0;
        for thread in page {
            let is_right = match expected.remove(&thread.id) {
                Some(right) => thread == Thread { closed: thread.closed, ..right },
                None => thread.messages == 0 && thread.closed,
            };
            if !is_right {
                problems.push(format!("thread: {} disagrees with its messages", thread.id));
            }
        }
    }
    problems.extend(expected.keys().map(|id| format!("thread: {id} is missing")));
    Ok(problems)
}
