//! Held messages: what waits for a moderator, and what was decided.
//!
//! A message is decided once: of two moderators the first wins, and the second is told. What is approved is
//! published in the same job that writes down the decision, so it is published exactly once.

use std::ops::ControlFlow;

use super::messages::{Post, publish, stored_mail};
use super::paging::window_of;
use super::{Caller, OpError, Page, Window, records, window_ids};
use crate::clock::Timestamp;
use crate::config::Routing;
use crate::mail;
use crate::model::{Decision, Held, HeldId, HeldState, List, Permission};
use crate::schema::{HELD_BY_DUE, HELD_BY_STATE, HELD_COUNT, held_state};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError, WriteTx};

/// Characters of its text that a held message shows.
const PREVIEW_CHARS_MAX: usize = 2000;

/// What a moderator decides, with what it takes to carry it out.
#[derive(Debug)]
pub enum Choice {
    /// The members get it.
    Approve(Post, Routing),
    /// It goes back.
    Reject,
    /// It is dropped.
    Discard,
}

/// One held message, decided or not.
pub fn get(tx: &impl Read, caller: &Caller, id: HeldId) -> Result<Held, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let held = tx
        .get::<Held>(id.0)?
        .filter(|held| held.account == caller.account && caller.limits.sees_list(held.list));
    held.ok_or(OpError::NotFound { what: "held message" })
}

/// The held messages in one state, the oldest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    state: HeldState,
    window: Window,
) -> Result<Page<Held>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let key = Key::new().u64(caller.account.0).u64(held_state(state));
    if caller.limits.lists().is_some() {
        // A limited caller pays for what it must not count.
        let all: Vec<Held> = tx.page(&HELD_BY_STATE, &key.into(), usize::MAX)?;
        let seen: Vec<Held> = all.into_iter().filter(|held| caller.limits.sees_list(held.list)).collect();
        let count = seen.len() as u64;
        return Ok(Page { rows: window_of(seen, window, |held| held.id.0), count });
    }
    let count = tx.count(&HELD_COUNT, &key)?;
    let ids = window_ids(tx, &HELD_BY_STATE, key.into(), window)?;
    Ok(Page { rows: records(tx, &ids)?, count })
}

/// The beginning of the text of a held message; none where it has neither text nor HTML.
pub fn preview(tx: &impl Read, held: &Held) -> Result<Option<String>, StoreError> {
    let content = stored_mail(tx, held.blob)?.content();
    let text = content.plain.or_else(|| content.html.map(|html| mail::text::text_from_html(&html)));
    Ok(text.map(|text| text.chars().take(PREVIEW_CHARS_MAX).collect()))
}

/// The post that a held message becomes when it is approved. Reads only, so that the writer is not kept waiting
/// while a large message is parsed.
pub fn post(tx: &impl Read, caller: &Caller, id: HeldId) -> Result<Post, OpError> {
    let held = get(tx, caller, id)?;
    Ok(Post::of_mail(&stored_mail(tx, held.blob)?, held.blob))
}

/// Decides a message that waits, and carries it out.
pub fn decide(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: HeldId,
    choice: Choice,
    reason: Option<String>,
    now: Timestamp,
) -> Result<Held, OpError> {
    let mut held = get(tx, caller, id)?;
    if held.state != HeldState::Held {
        let problem = format!("the message was {} already", held.state.word());
        return Err(OpError::Conflict { field: "action", problem });
    }
    held.state = match choice {
        Choice::Approve(post, routing) => {
            let list = tx.get::<List>(held.list.0)?.filter(|list| !list.pending);
            let list = list.ok_or(OpError::NotFound { what: "list" })?;
            publish(tx, &list, post, routing, now)?;
            HeldState::Approved
        }
        Choice::Reject => HeldState::Rejected,
        Choice::Discard => HeldState::Discarded,
    };
    held.decision = Some(Decision { time: now, admin: caller.admin, reason });
    tx.put(&held)?;
    Ok(held)
}

/// The first `limit` held messages whose time is up.
pub(super) fn overdue(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<u64>, StoreError> {
    let mut ids = Vec::new();
    tx.scan(&HELD_BY_DUE, &IndexRange::prefix(Key::new()), |row, id| {
        let is_overdue = KeyReader::new(row).u64().is_some_and(|due| due <= now.key());
        if !is_overdue || ids.len() == limit {
            return ControlFlow::Break(());
        }
        ids.push(id);
        ControlFlow::Continue(())
    })?;
    Ok(ids)
}

/// Discards what nobody decided in time, and forgets what was decided long ago.
pub(super) fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue(tx, now, limit)? {
        match tx.get::<Held>(id)? {
            Some(mut held) if held.state == HeldState::Held => {
                tracing::info!(held.id = id, "Nobody decided on held message {id}: it is discarded");
                held.state = HeldState::Discarded;
                held.decision = Some(Decision { time: now, admin: None, reason: None });
                tx.put(&held)?;
            }
            Some(_) => {
                tx.delete::<Held>(id)?;
            }
            None => {}
        }
    }
    Ok(())
}
