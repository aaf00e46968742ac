//! Decisions of administrators on their pages: about a held message, about its sender for the future, and the reasons
//! that they keep for the next one.
//!
//! A message is decided by [`moderation::decide`](super::decide), as by the API. Whoever may decide about the messages of
//! a list may also ban or allow their senders, which changes the list in the job of the decision, and ban the sender of
//! a message that went out ([`stop`]).

use crate::clock::Timestamp;
use crate::model::{
    AuditAction, EmailAddress, Held, HeldAction, KeptReasons, List, Message, MessageId, Moderate, Permission,
    UndoId, undo::SenderRule, words,
};
use crate::ops::audit::{self, Note};
use crate::ops::undo::settings::keep_sender;
use crate::ops::{Caller, OpError, Wrong};
use crate::store::{Read, WriteTx};

/// Held messages that one call or one press of a button decides.
pub const DECIDED_AT_ONCE_MAX: usize = 1000;

words! {
    /// A decision of an administrator on a page.
    PageAction {
        /// Publish the message.
        Approve = "approve",
        /// Send it back.
        Reject = "reject",
        /// Drop it without telling anybody.
        Discard = "discard",
        /// Drop it, and refuse its sender from now on.
        Ban = "ban",
        /// Publish it, and allow its sender from now on.
        Allow = "allow",
    }
}

impl PageAction {
    /// The decision on the message itself.
    #[must_use]
    pub fn decision(self) -> HeldAction {
        match self {
            PageAction::Approve | PageAction::Allow => HeldAction::Approve,
            PageAction::Reject => HeldAction::Reject,
            PageAction::Discard | PageAction::Ban => HeldAction::Discard,
        }
    }
}

/// Bans the sender of a held message from its list, or allows it. It can be undone as a part of the action of the number
/// `undo`, if there is one.
pub(crate) fn set_sender(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    held: &Held,
    (action, undo): (PageAction, Option<UndoId>),
    now: Timestamp,
) -> Result<(), OpError> {
    let address = EmailAddress::parse(&held.from).map_err(|_| OpError::invalid("action", Wrong::NoSender))?;
    let list = tx.get::<List>(held.list.0)?.ok_or(OpError::NotFound { what: "list" })?;
    let before = SenderRule::of(&list, &address);
    let list = if action == PageAction::Ban {
        ban(tx, caller, list, &address, now)?
    } else {
        allow(tx, caller, list, &address, now)?
    };
    if undo.is_some() {
        keep_sender(tx, caller, undo, (&address, before, &list), now)?;
    }
    Ok(())
}

/// Lets an address write to a list from now on.
fn allow(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    mut list: List,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<List, OpError> {
    let is_same = |other: &EmailAddress| other.folded() == address.folded();
    // Who is banned stays so, whoever else is allowed.
    list.restrict_post_banned_emails.retain(|other| !is_same(other));
    if !list.restrict_post_allowed_emails.iter().any(is_same) {
        list.restrict_post_allowed_emails.push(address.clone());
    }
    let bits = list.moderate.bits();
    // A list that names no senders stays so: to name one would shut all others out.
    let added = if list.moderate.has(Moderate::SPECIFIC_SENDERS) { Moderate::ALLOWED_EMAILS } else { 0 };
    put_senders(tx, caller, list, (bits | added, "restrict_post_allowed_emails"), now)
}

/// Has a list refuse what an address sends from now on.
fn ban(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    mut list: List,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<List, OpError> {
    let is_same = |other: &EmailAddress| other.folded() == address.folded();
    list.restrict_post_allowed_emails.retain(|other| !is_same(other));
    if !list.restrict_post_banned_emails.iter().any(is_same) {
        list.restrict_post_banned_emails.push(address.clone());
    }
    let bits = list.moderate.bits() | Moderate::BANNED_EMAILS;
    put_senders(tx, caller, list, (bits, "restrict_post_banned_emails"), now)
}

fn put_senders(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    mut list: List,
    (bits, field): (u8, &str),
    now: Timestamp,
) -> Result<List, OpError> {
    list.moderate = Moderate::from_bits(bits).map_err(|error| OpError::invalid("action", error))?;
    let changed = Note::new(AuditAction::ListUpdated, list.id.0).named(list.name.as_str());
    let id = audit::note(tx, caller, changed.fields(&[field, "moderate"]), now)?;
    if let Some(before) = tx.get::<List>(list.id.0)? {
        audit::keep_values(tx, caller, id, (&before.values(), &list.values()))?;
    }
    tx.put(&list)?;
    Ok(list)
}

/// Bans the sender of a published message from its list; returns the address, and the action by which it is undone. What
/// was sent stays.
///
/// # Errors
/// `NotFound` if the message is not there for the caller; `Invalid` on `action` if it names no sender.
pub fn stop(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    message: MessageId,
    now: Timestamp,
) -> Result<(EmailAddress, Option<UndoId>), OpError> {
    caller.require(Permission::ApproveMessages)?;
    let found = tx.get::<Message>(message.0)?;
    let is_its =
        |message: &Message| message.account == caller.account && caller.limits.sees_list(message.list);
    let message = found.filter(is_its).ok_or(OpError::NotFound { what: "message" })?;
    let list = tx.get::<List>(message.list.0)?.ok_or(OpError::NotFound { what: "list" })?;
    let no_sender = || OpError::invalid("action", Wrong::NoSender);
    let address = EmailAddress::parse(&message.from_address).map_err(|_| no_sender())?;
    if !can_be_stopped(&list, &address) {
        return Err(no_sender());
    }
    if is_banned(&list, &address) {
        return Ok((address, None));
    }
    let before = SenderRule::of(&list, &address);
    let list = ban(tx, caller, list, &address, now)?;
    let undo = keep_sender(tx, caller, None, (&address, before, &list), now)?;
    Ok((address, undo))
}

/// Whether an address may be banned from a list: the list itself, in whose name administrators write, may not.
#[must_use]
pub fn can_be_stopped(list: &List, address: &EmailAddress) -> bool {
    let (local, _) = address.as_str().rsplit_once('@').unwrap_or_default();
    !local.eq_ignore_ascii_case(list.name.as_str())
}

/// Whether a list refuses what an address sends.
#[must_use]
pub fn is_banned(list: &List, address: &EmailAddress) -> bool {
    let is_same = |other: &EmailAddress| other.folded() == address.folded();
    list.moderate.has(Moderate::BANNED_EMAILS) && list.restrict_post_banned_emails.iter().any(is_same)
}

/// The reasons that the account of the caller keeps, the newest first.
pub fn kept_reasons(tx: &impl Read, caller: &Caller) -> Result<Vec<String>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let kept = tx.get::<KeptReasons>(caller.account.0)?;
    Ok(kept.map(|kept| kept.reasons.into_iter().rev().collect()).unwrap_or_default())
}

/// Keeps a reason for the next messages.
pub fn keep_reason(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    reason: &str,
    now: Timestamp,
) -> Result<(), OpError> {
    let mut kept = reasons_of(tx, caller)?;
    kept.keep(reason);
    put_reasons(tx, caller, &kept, now)
}

/// Forgets a reason that was kept.
pub fn forget_reason(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    reason: &str,
    now: Timestamp,
) -> Result<(), OpError> {
    let mut kept = reasons_of(tx, caller)?;
    kept.reasons.retain(|other| other != reason);
    put_reasons(tx, caller, &kept, now)
}

fn reasons_of(tx: &WriteTx<'_>, caller: &Caller) -> Result<KeptReasons, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let none = KeptReasons { account: caller.account, reasons: Vec::new() };
    Ok(tx.get::<KeptReasons>(caller.account.0)?.unwrap_or(none))
}

fn put_reasons(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    kept: &KeptReasons,
    now: Timestamp,
) -> Result<(), OpError> {
    tx.put(kept)?;
    let noted = Note::new(AuditAction::AccountUpdated, caller.account.0).detail("reasons");
    audit::note(tx, caller, noted, now)?;
    Ok(())
}
