//! Moves messages and whole threads of an archive into other threads, within a bounded number of moves.
//!
//! Placing a new post calls it, and so does an import for replies whose parents came after them.

use crate::model::{Message, MessageId, Thread};
use crate::ops::archive::threads;
use crate::schema::MESSAGE_BY_THREAD;
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Messages that a new one moves to another thread.
const MOVES_MAX: usize = 300;
/// Links that are followed upwards from a message.
const CLIMB_MAX: usize = 1000;
/// Links that are followed from a message upwards: a longer chain counts as a circle.
pub(in crate::ops) const DEPTH_MAX: usize = 100_000;

/// The messages that may still be moved to other threads.
#[derive(Debug)]
pub(in crate::ops) struct Moves {
    /// How many.
    pub(in crate::ops) left: usize,
    /// Whether what could not be moved wholly is moved later. Otherwise it is not begun.
    goes_on: bool,
}

impl Moves {
    /// The moves that a new post may make.
    pub(in crate::ops) fn of_post() -> Moves {
        Moves { left: MOVES_MAX, goes_on: false }
    }

    /// So many moves, of work that is taken up again.
    pub(in crate::ops) fn of_step(left: usize) -> Moves {
        Moves { left, goes_on: true }
    }

    /// How many links are followed upwards from a message.
    pub(in crate::ops) fn links_max(&self) -> usize {
        if self.goes_on { DEPTH_MAX } else { CLIMB_MAX }
    }

    /// Whether two threads may become one now. A post makes no open thread one with a closed one: a mail that names both
    /// could open or close one.
    pub(in crate::ops) fn may_join(
        &self,
        tx: &impl Read,
        from: MessageId,
        to: MessageId,
    ) -> Result<bool, StoreError> {
        let (from, to) = (tx.get::<Thread>(from.0)?, tx.get::<Thread>(to.0)?);
        let is_closed = |thread: &Option<Thread>| thread.as_ref().is_some_and(|thread| thread.closed);
        // Its first message, and the one that gets another parent.
        let needed = from.as_ref().map_or(0, |thread| thread.messages).saturating_add(2);
        let fits = usize::try_from(needed).is_ok_and(|needed| needed <= self.left);
        Ok(self.goes_on || (is_closed(&from) == is_closed(&to) && fits))
    }
}

/// Makes a message the reply of another one; their threads become one. Returns whether all moves could be made;
/// otherwise it is to be called again.
pub(in crate::ops) fn put_under(
    tx: &mut WriteTx<'_>,
    message: Message,
    parent: &Message,
    moves: &mut Moves,
) -> Result<bool, StoreError> {
    let (own, other) = (thread_of(tx, &message)?, thread_of(tx, parent)?);
    if own == other {
        return tx.put(&Message { parent: Some(parent.id), ..message }).map(|()| true);
    }
    let Some(above) = message.parent else {
        return Ok(moves.may_join(tx, own, other)?
            && move_thread(tx, own, other, Some((message.id, parent.id)), moves)?);
    };
    // It is in a thread already, under a message that its parent replies to as well, as the order of references says.
    let Some(top) = top_of(tx, parent, moves.links_max())? else { return Ok(true) };
    if !moves.may_join(tx, other, own)? || !move_thread(tx, other, own, Some((top.id, above)), moves)? {
        return Ok(false);
    }
    tx.put(&Message { parent: Some(parent.id), ..message })?;
    Ok(true)
}

/// The message above all others to which a message is an answer; `None` in a circle, and behind so many links.
pub(in crate::ops) fn top_of(
    tx: &impl Read,
    message: &Message,
    links_max: usize,
) -> Result<Option<Message>, StoreError> {
    let mut top = message.clone();
    for _ in 0..links_max {
        let Some(parent) = top.parent else { return Ok(Some(top)) };
        let Some(above) = tx.get::<Message>(parent.0)? else { return Ok(Some(top)) };
        top = above;
    }
    Ok(None)
}

/// Moves a thread into another one. `placed` is a message of it that becomes an answer to one of the other. That one
/// and the first come last, so that a move that was cut short goes on. Returns whether everything could be moved.
pub(in crate::ops) fn move_thread(
    tx: &mut WriteTx<'_>,
    from: MessageId,
    to: MessageId,
    placed: Option<(MessageId, MessageId)>,
    moves: &mut Moves,
) -> Result<bool, StoreError> {
    let Some(first) = tx.get::<Message>(from.0)? else { return Ok(true) };
    let parent_of = |message: &Message| match placed {
        Some((id, parent)) if id == message.id => Some(parent),
        _ => message.parent,
    };
    let last = placed.map(|(id, _)| id).filter(|id| *id != from);
    let replies = IndexRange::prefix(Key::new().u64(first.account.0).u64(from.0));
    for id in tx.ids(&MESSAGE_BY_THREAD, &replies, moves.left.saturating_add(1))? {
        if last.is_some_and(|last| last.0 == id) {
            continue;
        }
        if moves.left == 0 {
            return Ok(false);
        }
        moves.left -= 1;
        if let Some(message) = tx.get::<Message>(id)? {
            let after = Message { thread: to, ..message.clone() };
            replace(tx, &message, &after)?;
        }
    }
    if moves.left < 2 {
        return Ok(false);
    }
    moves.left -= 2;
    let last = last.map_or(Ok(None), |last| tx.get::<Message>(last.0))?;
    for message in last.into_iter().chain([first]) {
        let after = Message { thread: to, parent: parent_of(&message), ..message.clone() };
        replace(tx, &message, &after)?;
    }
    Ok(true)
}

/// Writes a message that is in another thread now.
fn replace(tx: &mut WriteTx<'_>, before: &Message, after: &Message) -> Result<(), StoreError> {
    tx.put(after)?;
    if after.deleted {
        return Ok(());
    }
    threads::removed(tx, before)?;
    threads::added(tx, after)
}

/// The thread of a message. A deleted reply keeps the number of a thread that was moved since.
pub(in crate::ops) fn thread_of(tx: &impl Read, message: &Message) -> Result<MessageId, StoreError> {
    let mut thread = message.thread;
    for _ in 0..DEPTH_MAX {
        match tx.get::<Message>(thread.0)? {
            Some(first) if first.thread != thread => thread = first.thread,
            _ => break,
        }
    }
    Ok(thread)
}

/// Whether a message is, or replies to, another one: that one cannot become its reply. So many links are followed: a
/// longer chain counts as a circle.
pub(in crate::ops) fn is_below(
    tx: &impl Read,
    message: &Message,
    other: MessageId,
    links_max: usize,
) -> Result<bool, StoreError> {
    let (mut id, mut parent) = (message.id, message.parent);
    for _ in 0..links_max {
        if id == other {
            return Ok(true);
        }
        let Some(above) = parent else { return Ok(false) };
        (id, parent) = (above, tx.get::<Message>(above.0)?.and_then(|above| above.parent));
    }
    Ok(true)
}
