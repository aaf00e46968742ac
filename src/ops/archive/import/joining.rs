//! Puts replies into their threads whose parents came after them.
//!
//! An import calls [`join`] step by step when everything is stored, and then, for replies that name no message of the
//! list, [`find_by_subject`] and [`attach`]. Each step is a job of bounded size. The replies that are left to do are
//! records ([`MissingParents`]), so that a step that was cut short is done again.
//!
//! The newest replies come first: in a mailbox that is sorted backwards, a reply then joins a thread that is whole, and
//! nothing is moved twice.

use std::collections::HashMap;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::mail::subject::base_subject;
use crate::model::{List, Message, MessageId, MissingParents};
use crate::ops::archive::messages;
use crate::ops::archive::placing::{self, keep_nearer};
use crate::ops::archive::threads::moving::{DEPTH_MAX, Moves, is_below, move_thread, put_under, thread_of};
use crate::schema::{MESSAGE_BY_TIME, MISSING_PARENTS_BY_LIST, archive_of};
use crate::store::{IndexRange, Read, StoreError, WriteTx};

use super::reading::short_hash;

/// Replies that a step looks at.
const REPLIES_PER_STEP: usize = 300;
/// Messages that a step moves to another thread.
const MOVES_PER_STEP: usize = 300;
/// Messages that are looked at for subjects in a step.
const SUBJECTS_PER_STEP: usize = 2000;
/// How much older a message may be that a reply is put under for its subject alone.
const SAME_SUBJECT_FOR: Duration = Duration::from_hours(28 * 24);
/// Subjects that are kept in memory.
const SUBJECTS_MAX: usize = 100_000;

/// The state of joining.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Replies of higher numbers are done; `None` before the first.
    before: Option<u64>,
    /// Replies that were put under a message.
    pub joined: u64,
    /// The times of the oldest and the newest reply without a parent whose subject says that it is one.
    orphans: Option<(Timestamp, Timestamp)>,
}

/// Whether there is more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The next step goes on.
    More,
    /// Everything is done.
    Done,
}

/// Joins the next replies to their threads.
pub fn join(tx: &mut WriteTx<'_>, list: &List, progress: &mut Progress) -> Result<Step, StoreError> {
    let range = IndexRange::prefix(archive_of(list.account, list.id)).backward();
    let range = range.after_id(progress.before.unwrap_or(u64::MAX));
    let ids = tx.ids(&MISSING_PARENTS_BY_LIST, &range, REPLIES_PER_STEP)?;
    let is_last = ids.len() < REPLIES_PER_STEP;
    let mut moves = Moves::of_step(MOVES_PER_STEP);
    for id in ids {
        let Some(missing) = tx.get::<MissingParents>(id)? else { continue };
        let message: Option<Message> = tx.get(id)?;
        match message.filter(|message| !message.deleted) {
            None => drop(tx.delete::<MissingParents>(id)?),
            Some(message) => {
                if !join_one(tx, list, missing, message, &mut moves, progress)? {
                    // The same reply is looked at again.
                    return Ok(Step::More);
                }
            }
        }
        progress.before = Some(id);
    }
    Ok(if is_last { Step::Done } else { Step::More })
}

/// Puts a reply under the nearest message that it names, and into the thread of those that name the same missing one;
/// returns whether all moves could be made.
fn join_one(
    tx: &mut WriteTx<'_>,
    list: &List,
    missing: MissingParents,
    message: Message,
    moves: &mut Moves,
    progress: &mut Progress,
) -> Result<bool, StoreError> {
    let id = message.id;
    let mut found = None;
    for (place, reference) in missing.references.iter().enumerate() {
        if let Some(parent) = messages::find_by_message_id(tx, list, reference)?
            && !is_below(tx, &parent, message.id, DEPTH_MAX)?
        {
            found = Some((place, parent));
            break;
        }
    }
    if let Some((place, parent)) = found {
        if !put_under(tx, message, &parent, moves)? || !keep_nearer(tx, list, missing, place, &parent, moves)?
        {
            return Ok(false);
        }
        progress.joined += 1;
    } else if message.parent.is_none() && base_subject(&message.subject).is_reply {
        let (start, end) = progress.orphans.unwrap_or((message.time, message.time));
        progress.orphans = Some((start.min(message.time), end.max(message.time)));
    }
    join_others(tx, list, id, moves)
}

/// Puts a reply into the thread of the others that name a missing message that it names. Returns whether all moves could
/// be made.
fn join_others(
    tx: &mut WriteTx<'_>,
    list: &List,
    id: MessageId,
    moves: &mut Moves,
) -> Result<bool, StoreError> {
    let missing = tx.get::<MissingParents>(id.0)?;
    for reference in missing.into_iter().flat_map(|missing| missing.references) {
        if messages::find_by_message_id(tx, list, &reference)?.is_some() {
            // It is an answer to this one, and says that it is the other way round.
            continue;
        }
        let (Some(other), Some(message)) =
            (placing::first_that_misses(tx, list, &reference)?, tx.get::<Message>(id.0)?)
        else {
            continue;
        };
        let (from, to) = (thread_of(tx, &message)?, thread_of(tx, &other)?);
        if from != to && moves.may_join(tx, from, to)? && !move_thread(tx, from, to, None, moves)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The search for earlier messages with the subjects of replies.
#[derive(Debug, Default)]
pub struct SubjectSearch {
    /// The place of the last message that was looked at.
    last: Option<(Timestamp, MessageId)>,
    /// The newest message of each subject, by its hash.
    recent: HashMap<u128, (Timestamp, MessageId)>,
}

/// A reply, and the message that it is put under for its subject.
pub type SameSubject = (MessageId, MessageId);

/// Finds, for the next replies without a parent, the newest message before each that has its subject.
pub fn find_by_subject(
    tx: &impl Read,
    list: &List,
    progress: &Progress,
    search: &mut SubjectSearch,
) -> Result<(Vec<SameSubject>, Step), StoreError> {
    let Some((start, end)) = progress.orphans else { return Ok((Vec::new(), Step::Done)) };
    let key = archive_of(list.account, list.id);
    let range = IndexRange::prefix(key.clone());
    let range = match search.last {
        None => range.from(key.u64(start.before(SAME_SUBJECT_FOR).key())),
        Some((time, id)) => range.after(key.u64(time.key()).u64(id.0)),
    };
    let page: Vec<Message> = tx.page(&MESSAGE_BY_TIME, &range, SUBJECTS_PER_STEP)?;
    let mut is_done = page.len() < SUBJECTS_PER_STEP;
    let mut found = Vec::new();
    for message in page {
        if end < message.time {
            is_done = true;
            break;
        }
        search.last = Some((message.time, message.id));
        let subject = base_subject(&message.subject);
        if subject.text.is_empty() {
            continue;
        }
        let hash = short_hash(subject.text.as_bytes());
        if subject.is_reply
            && message.parent.is_none()
            && let Some((time, earlier)) = search.recent.get(&hash)
            && message.time.since(*time) <= SAME_SUBJECT_FOR
            && tx.get::<MissingParents>(message.id.0)?.is_some()
        {
            found.push((message.id, *earlier));
        }
        search.recent.insert(hash, (message.time, message.id));
        if SUBJECTS_MAX < search.recent.len() {
            search.recent.retain(|_, (time, _)| message.time.since(*time) <= SAME_SUBJECT_FOR);
            if SUBJECTS_MAX < search.recent.len() {
                search.recent.clear();
            }
        }
    }
    Ok((found, if is_done { Step::Done } else { Step::More }))
}

/// Puts replies under the messages that have their subjects; takes them from the end of `found` as they are done, and
/// returns the number of those that were joined.
pub fn attach(tx: &mut WriteTx<'_>, found: &mut Vec<SameSubject>) -> Result<u64, StoreError> {
    let (mut moves, mut joined) = (Moves::of_step(MOVES_PER_STEP), 0);
    while let Some((reply, earlier)) = found.last().copied() {
        let (reply, earlier) = (tx.get::<Message>(reply.0)?, tx.get::<Message>(earlier.0)?);
        if let (Some(reply), Some(earlier)) = (reply, earlier)
            && reply.parent.is_none()
            && !is_below(tx, &earlier, reply.id, DEPTH_MAX)?
        {
            let id = reply.id;
            if !put_under(tx, reply, &earlier, &mut moves)? {
                return Ok(joined);
            }
            joined += 1;
            // One that names no message has nothing left to look for.
            if tx.get::<MissingParents>(id.0)?.is_some_and(|missing| missing.references.is_empty()) {
                tx.delete::<MissingParents>(id.0)?;
            }
        }
        found.pop();
    }
    Ok(joined)
}
