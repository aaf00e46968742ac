//! Places a new message in its thread, as JWZ threading does: whoever names a common ancestor is in one thread, also when
//! no list ever had that ancestor, and a message that comes after its answers stands above them.
//!
//! Publishing calls [`thread`] before a message is stored and [`settle`] behind that; an import calls [`note`], and
//! [`joining`](super::import::joining) when everything is stored. The result does not depend on the order of arrival. A post without references
//! writes no row here, and every post a bounded number: what would move more messages is left to an import.

use crate::model::{List, Message, MessageId, MissingParents, Thread};
use crate::ops::archive::messages::find_by_message_id;
use crate::ops::archive::threads::moving::{Moves, is_below, move_thread, put_under, thread_of, top_of};
use crate::schema::{MISSING_PARENTS_BY_REFERENCE, missing_parent};
use crate::store::{IndexRange, Read, StoreError, WriteTx};

/// References of a message that count, the nearest ones, beside the first of all.
const REFERENCES_MAX: usize = 20;
/// Messages that a new one takes its place above.
const ADOPTED_MAX: usize = 300;
/// The messages that a message names as its ancestors.
#[derive(Debug, Default)]
pub(in crate::ops) struct Ancestors {
    /// The nearest one that the list has, or had.
    pub(in crate::ops) nearest: Option<Message>,
    /// The Message-IDs of missing ones that are nearer, the nearest first.
    pub(in crate::ops) missing: Vec<String>,
    /// The Message-IDs of those that are farther than the nearest one, the nearest first.
    farther: Vec<String>,
    /// Whether the list has messages that named this one before it came.
    has_answers: bool,
}

/// Finds the ancestors of a new message by its references, the nearest first.
pub(in crate::ops) fn ancestors(
    tx: &impl Read,
    list: &List,
    message_id: &str,
    mut references: Vec<String>,
) -> Result<Ancestors, StoreError> {
    references.retain(|reference| reference != message_id);
    if REFERENCES_MAX < references.len() {
        let first = references.pop();
        references.truncate(REFERENCES_MAX);
        references.extend(first);
    }
    let mut found = Ancestors::default();
    let mut references = references.into_iter();
    for reference in references.by_ref() {
        found.nearest = find_by_message_id(tx, list, &reference)?;
        if found.nearest.is_some() {
            break;
        }
        found.missing.push(reference);
    }
    found.farther = references.collect();
    Ok(found)
}

/// The thread of a new post: that of its nearest ancestor, of another message that names the same missing one, or of a
/// message that named this one before it came.
pub(in crate::ops) fn thread(
    tx: &impl Read,
    list: &List,
    (id, message_id): (MessageId, &str),
    ancestors: &mut Ancestors,
) -> Result<MessageId, StoreError> {
    let answer = first_that_misses(tx, list, message_id)?;
    ancestors.has_answers = answer.is_some();
    if let Some(nearest) = &ancestors.nearest {
        return thread_of(tx, nearest);
    }
    for reference in &ancestors.missing {
        if let Some(other) = first_that_misses(tx, list, reference)? {
            return thread_of(tx, &other);
        }
    }
    answer.map_or(Ok(id), |answer| thread_of(tx, &answer))
}

/// The first message of the list that names a missing one.
pub(in crate::ops) fn first_that_misses(
    tx: &impl Read,
    list: &List,
    reference: &str,
) -> Result<Option<Message>, StoreError> {
    let range = IndexRange::prefix(missing_parent(list.account, list.id, reference));
    match tx.ids(&MISSING_PARENTS_BY_REFERENCE, &range, 1)?.first() {
        Some(id) => tx.get(*id),
        None => Ok(None),
    }
}

/// Notes the missing ancestors of a message that was stored, and puts its thread under a farther ancestor.
pub(in crate::ops) fn note(
    tx: &mut WriteTx<'_>,
    list: &List,
    message: &Message,
    ancestors: Ancestors,
) -> Result<(), StoreError> {
    let Ancestors { nearest, missing, farther, has_answers: _ } = ancestors;
    if !missing.is_empty() {
        tx.put(&MissingParents {
            message: message.id,
            account: list.account,
            list: list.id,
            references: missing,
        })?;
    }
    let Some(nearest) = nearest.filter(|_| !farther.is_empty()) else { return Ok(()) };
    put_above(tx, list, &nearest, &farther, &mut Moves::of_post()).map(drop)
}

/// Notes the missing ancestors of a post that was stored, joins the threads that it shows to be one, and puts the
/// messages under it that named it before it came. Returns the post as it is stored then.
pub(in crate::ops) fn settle(
    tx: &mut WriteTx<'_>,
    list: &List,
    message: Message,
    ancestors: Ancestors,
) -> Result<Message, StoreError> {
    let has_answers = ancestors.has_answers;
    let named: Vec<String> = ancestors.missing.iter().chain(&ancestors.farther).cloned().collect();
    if named.is_empty() && !has_answers {
        return Ok(message);
    }
    note(tx, list, &message, ancestors)?;
    let mut moves = Moves::of_post();
    for reference in named {
        let (Some(other), Some(message)) =
            (first_that_misses(tx, list, &reference)?, tx.get::<Message>(message.id.0)?)
        else {
            continue;
        };
        join(tx, &message, &other, &mut moves)?;
    }
    if has_answers {
        adopt(tx, list, &message, &mut moves)?;
    }
    // Its thread may have become a part of another one.
    Ok(tx.get(message.id.0)?.unwrap_or(message))
}

/// Makes the threads of two messages one, the smaller a part of the larger; neither becomes an answer of the other.
fn join(tx: &mut WriteTx<'_>, one: &Message, other: &Message, moves: &mut Moves) -> Result<(), StoreError> {
    let (one, other) = (thread_of(tx, one)?, thread_of(tx, other)?);
    let size = |thread: MessageId| -> Result<u64, StoreError> {
        Ok(tx.get::<Thread>(thread.0)?.map_or(0, |thread| thread.messages))
    };
    let (from, to) = if size(one)? <= size(other)? { (one, other) } else { (other, one) };
    if from != to && moves.may_join(tx, from, to)? {
        move_thread(tx, from, to, None, moves)?;
    }
    Ok(())
}

/// Puts ancestors, the nearest first, above the top of a message's thread: what the list has is above it now, and what
/// is missing is waited for. Returns whether all moves could be made.
pub(in crate::ops) fn put_above(
    tx: &mut WriteTx<'_>,
    list: &List,
    message: &Message,
    ancestors: &[String],
    moves: &mut Moves,
) -> Result<bool, StoreError> {
    let mut below = message.clone();
    let mut thread = thread_of(tx, message)?;
    for reference in ancestors {
        if let Some(ancestor) = find_by_message_id(tx, list, reference)? {
            if ancestor.thread == thread || thread_of(tx, &ancestor)? == thread {
                continue;
            }
            let Some(top) = top_of(tx, &below, moves.links_max())? else { return Ok(true) };
            if !put_under(tx, top, &ancestor, moves)? {
                return Ok(false);
            }
            thread = thread_of(tx, &ancestor)?;
            below = ancestor;
            continue;
        }
        // One message of each thread waits for it; their threads are joined by the caller.
        let waits = match first_that_misses(tx, list, reference)? {
            Some(other) => thread_of(tx, &other)? == thread,
            None => false,
        };
        if !waits && let Some(top) = top_of(tx, &below, moves.links_max())? {
            wait_for(tx, list, &top, reference)?;
        }
    }
    Ok(true)
}

/// Notes that a message would be an answer to one that is missing.
fn wait_for(tx: &mut WriteTx<'_>, list: &List, top: &Message, reference: &str) -> Result<(), StoreError> {
    let (message, account, list) = (top.id, list.account, list.id);
    let mut missing = tx.get::<MissingParents>(message.0)?.unwrap_or(MissingParents {
        message,
        account,
        list,
        references: Vec::new(),
    });
    if REFERENCES_MAX < missing.references.len() || missing.references.iter().any(|known| known == reference)
    {
        return Ok(());
    }
    missing.references.push(reference.to_owned());
    tx.put(&missing)
}

/// Puts the messages under a new one that named it before it came.
fn adopt(tx: &mut WriteTx<'_>, list: &List, message: &Message, moves: &mut Moves) -> Result<(), StoreError> {
    let range = IndexRange::prefix(missing_parent(list.account, list.id, &message.message_id));
    for id in tx.ids(&MISSING_PARENTS_BY_REFERENCE, &range, ADOPTED_MAX)? {
        let (Some(missing), Some(answer), Some(message)) =
            (tx.get::<MissingParents>(id)?, tx.get::<Message>(id)?, tx.get::<Message>(message.id.0)?)
        else {
            continue;
        };
        let place = missing.references.iter().position(|reference| *reference == message.message_id);
        let Some(place) = place.filter(|_| answer.id != message.id) else { continue };
        if is_below(tx, &message, answer.id, moves.links_max())? || !put_under(tx, answer, &message, moves)? {
            continue;
        }
        keep_nearer(tx, list, missing, place, &message, moves)?;
    }
    Ok(())
}

/// Keeps the references of a reply that are nearer than the one at `place`, which is its parent now; those that are
/// farther are ancestors of the parent. Returns whether all moves could be made.
pub(super) fn keep_nearer(
    tx: &mut WriteTx<'_>,
    list: &List,
    mut missing: MissingParents,
    place: usize,
    parent: &Message,
    moves: &mut Moves,
) -> Result<bool, StoreError> {
    let before = missing.clone();
    let farther = missing.references.split_off(place);
    if missing.references.is_empty() {
        tx.delete::<MissingParents>(missing.message.0)?;
    } else {
        tx.put(&missing)?;
    }
    let is_whole = put_above(tx, list, parent, &farther[1..], moves)?;
    if !is_whole {
        // It is looked at again.
        tx.put(&before)?;
    }
    Ok(is_whole)
}
