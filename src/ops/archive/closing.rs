//! Closes threads and opens them again. Replies to a closed thread are held for approval.
//!
//! Moderators decide it on the page of the thread; [`ops::posting::acceptance`](crate::ops::posting::acceptance) asks
//! here about each mail. What is in the thread already stays as it is.

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::model::{AuditAction, List, Message, MessageId, Permission, Thread};
use crate::ops::archive::threads::moving;
use crate::ops::archive::{messages, threads};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, OpError};
use crate::store::{Read, StoreError, WriteTx};

/// Closes a thread of a list, or opens it; nothing if it is so already.
///
/// # Errors
/// `Forbidden` without the permission `approve_messages`, `NotFound` if the caller sees no such thread in the list.
pub fn set(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &List,
    id: MessageId,
    closed: bool,
    now: Timestamp,
) -> Result<(), OpError> {
    caller.require(Permission::ApproveMessages)?;
    let thread: Option<Thread> = tx.get(id.0)?;
    let thread = thread.filter(|thread| thread.list == list.id && caller.sees_list(list));
    let thread = thread.ok_or(OpError::NotFound { what: "thread" })?;
    if thread.closed == closed {
        return Ok(());
    }
    threads::set_closed(tx, id, closed)?;
    let action = if closed { AuditAction::ThreadClosed } else { AuditAction::ThreadOpened };
    let subject = tx.get::<Message>(id.0)?.filter(|first| !first.deleted).map(|first| first.subject);
    let set = Note::new(action, id.0).named(&subject.unwrap_or_default()).detail(list.name.as_str());
    audit::note(tx, caller, set, now)?;
    Ok(())
}

/// Whether a mail to the list replies to a closed thread.
///
/// # Errors
/// If the store fails.
pub fn is_closed_to(tx: &impl Read, list: &List, inbound: &Inbound) -> Result<bool, StoreError> {
    if !inbound.is_reply() {
        return Ok(false);
    }
    let Some(parent) = messages::parent_of(tx, list, inbound)? else { return Ok(false) };
    let thread = moving::thread_of(tx, &parent)?;
    Ok(tx.get::<Thread>(thread.0)?.is_some_and(|thread| thread.closed))
}
