//! Messages that administrators write now and send later: kept ready, published when they are due, or taken back.
//!
//! A message is published in the job that deletes its record, so a crash sends it neither twice nor never. With it, the
//! form is kept in which it was written, so that it can be opened and changed until then; who changes one that was sent
//! meanwhile, or changed by somebody else, is told so. Its author must still be allowed to send it then, and the account must work; otherwise it stays, marked, for somebody to decide.

use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::model::{
    Admin, AuditAction, BlobId, DraftFile, List, ListId, Message, Permission, ScheduledMessage,
    ScheduledMessageId, Suspension, Via,
};
use crate::ops::archive::messages::{self, MergeTags, Post, Raw, publish};
use crate::ops::audit::{self, Note};
use crate::ops::authority::holds_for;
use crate::ops::overdue::overdue_rows;
use crate::ops::queue::restored;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{SCHEDULED_MESSAGE_BY_DUE, SCHEDULED_MESSAGE_BY_LIST};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Messages of an account that may wait to be sent.
const WAITING_MAX: usize = 1000;
/// How far ahead the time of a message may lie.
const AHEAD_MAX: Duration = Duration::from_hours(366 * 24);

/// A message that is sent later, with the name of its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduled {
    /// The message.
    pub message: ScheduledMessage,
    /// The name of its list.
    pub list: String,
}

/// A composed message that is to be sent at a time, with the form in which it was written.
#[derive(Debug)]
pub struct NewScheduled {
    /// Its list.
    pub list: ListId,
    /// The mail.
    pub post: Post,
    /// When it is sent.
    pub due: Timestamp,
    /// The fields of the form, with their values.
    pub fields: Vec<(String, String)>,
    /// The files of the form.
    pub files: Vec<DraftFile>,
}

/// A message as somebody saw it who changes it: how often it had been changed until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The message.
    pub id: ScheduledMessageId,
    /// How often it had been changed.
    pub changes: u64,
}

/// Why a message cannot be changed as somebody saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// It was sent or taken back.
    Gone,
    /// Somebody else changed it.
    Changed,
}

/// Keeps a composed message until it is due.
///
/// # Errors
/// As of [`messages::send`]; `Conflict` if too many messages wait.
pub fn schedule(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    new: NewScheduled,
    now: Timestamp,
) -> Result<ScheduledMessage, OpError> {
    caller.require(Permission::SendMessages)?;
    let of_account = Key::new().u64(caller.account.0);
    if WAITING_MAX <= tx.ids(&SCHEDULED_MESSAGE_BY_LIST, &of_account.into(), WAITING_MAX)?.len() {
        return Err(OpError::conflict("send_at", Wrong::TooManyScheduled { max: WAITING_MAX }));
    }
    let id = ScheduledMessageId(tx.next_id::<ScheduledMessage>()?);
    put(tx, caller, new, Kept { id, made: now, changes: 0 }, now)
}

/// Puts a composed message in the place of one that waits, if that is still the one that somebody saw.
///
/// # Errors
/// As of [`messages::send`].
pub fn replace(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    seen: Seen,
    new: NewScheduled,
    now: Timestamp,
) -> Result<Result<ScheduledMessage, Stale>, OpError> {
    let known = match check(tx, caller, seen)? {
        Ok(known) => known,
        Err(stale) => return Ok(Err(stale)),
    };
    let kept = Kept { id: known.id, made: known.made, changes: known.changes + 1 };
    put(tx, caller, new, kept, now).map(Ok)
}

/// What a message keeps of its first version.
#[derive(Clone, Copy)]
struct Kept {
    id: ScheduledMessageId,
    made: Timestamp,
    changes: u64,
}

fn put(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    new: NewScheduled,
    kept: Kept,
    now: Timestamp,
) -> Result<ScheduledMessage, OpError> {
    let NewScheduled { list, post, due, fields, files } = new;
    let list = tx.get::<List>(list.0)?.filter(|list| caller.sees_list(list));
    let list = list.ok_or(OpError::NotFound { what: "list" })?;
    let admin =
        caller.actor().kind.admin().ok_or(OpError::Forbidden { permission: Permission::SendMessages })?;
    let (blob, size_bytes) = match post.raw {
        Raw::Bytes(bytes) => (BlobId(tx.put_blob(&bytes)?.0), bytes.len() as u64),
        Raw::Stored { blob, size_bytes } => (blob, size_bytes),
    };
    let message = ScheduledMessage {
        id: kept.id,
        account: list.account,
        list: list.id,
        admin,
        admin_name: caller.name().to_owned(),
        subject: post.subject,
        from_phrase: post.from_phrase,
        from_address: post.from_address,
        message_id: post.message_id.unwrap_or_default(),
        references: post.references,
        merge_tags: match post.merge_tags {
            MergeTags::OfKey { fields } => Some(fields),
            MergeTags::OfSender => None,
        },
        blob,
        size_bytes,
        made: kept.made,
        due,
        is_stopped: false,
        fields,
        files,
        changes: kept.changes,
    };
    tx.put(&message)?;
    let noted = Note::new(AuditAction::MessageScheduled, message.id.0).named(&message.subject);
    audit::note(tx, caller, noted.detail(list.name.as_str()), now)?;
    Ok(message)
}

/// The message, if it still is as somebody saw it who wants to change it.
///
/// # Errors
/// `Forbidden` without `send_messages`.
pub fn check(
    tx: &impl Read,
    caller: &Caller,
    seen: Seen,
) -> Result<Result<ScheduledMessage, Stale>, OpError> {
    caller.require(Permission::SendMessages)?;
    Ok(match find(tx, caller, seen.id)? {
        Some(message) if message.changes == seen.changes => Ok(message),
        Some(_) => Err(Stale::Changed),
        None => Err(Stale::Gone),
    })
}

/// A message that waits on one of the caller's lists.
///
/// # Errors
/// If the store fails.
pub fn find(
    tx: &impl Read,
    caller: &Caller,
    id: ScheduledMessageId,
) -> Result<Option<ScheduledMessage>, StoreError> {
    let is_its = |message: &ScheduledMessage| {
        message.account == caller.account && caller.limits.sees_list(message.list)
    };
    Ok(tx.get::<ScheduledMessage>(id.0)?.filter(is_its))
}

/// Deletes a message in whose place another one was sent.
///
/// # Errors
/// If the store fails.
pub fn drop(tx: &mut WriteTx<'_>, message: &ScheduledMessage) -> Result<(), StoreError> {
    tx.delete::<ScheduledMessage>(message.id.0).map(|_| ())
}

/// Sends a message now that waits, as the caller's.
///
/// # Errors
/// As of [`messages::send`]; `NotFound` if there is none, or none any more.
pub fn send_now(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: ScheduledMessageId,
    routing: Routing,
    now: Timestamp,
) -> Result<Message, OpError> {
    caller.require(Permission::SendMessages)?;
    let message = find(tx, caller, id)?.ok_or(OpError::NotFound { what: "message" })?;
    let (published, _) = messages::send(tx, caller, message.list, post_of(message), routing, now)?;
    // The bytes are the published message's before they are no longer this one's.
    tx.delete::<ScheduledMessage>(id.0)?;
    Ok(published)
}

/// The messages of the caller's lists that are sent later, the next one first.
///
/// # Errors
/// `Forbidden` without any permission.
pub fn list(tx: &impl Read, caller: &Caller) -> Result<Vec<Scheduled>, OpError> {
    caller.require_read()?;
    let of_account = Key::new().u64(caller.account.0);
    let waiting: Vec<ScheduledMessage> =
        tx.page(&SCHEDULED_MESSAGE_BY_LIST, &of_account.into(), WAITING_MAX)?;
    let mut seen = Vec::new();
    for message in waiting {
        if let Some(list) = tx.get::<List>(message.list.0)?.filter(|list| caller.sees_list(list)) {
            seen.push(Scheduled { message, list: list.name.to_string() });
        }
    }
    seen.sort_by_key(|scheduled| (scheduled.message.due, scheduled.message.id));
    Ok(seen)
}

/// Takes a message back that is to be sent later.
///
/// # Errors
/// `Forbidden` without `send_messages`; `NotFound` if there is none, or none any more.
pub fn cancel(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: ScheduledMessageId,
    now: Timestamp,
) -> Result<(), OpError> {
    caller.require(Permission::SendMessages)?;
    let message = find(tx, caller, id)?.ok_or(OpError::NotFound { what: "message" })?;
    tx.delete::<ScheduledMessage>(id.0)?;
    let noted = Note::new(AuditAction::MessageCanceled, id.0).named(&message.subject);
    audit::note(tx, caller, noted, now)?;
    Ok(())
}

/// Whether any message is to be published now.
pub(in crate::ops) fn is_any_due(tx: &impl Read, now: Timestamp) -> Result<bool, StoreError> {
    Ok(!due(tx, now, 1)?.is_empty())
}

/// The first `limit` messages that are due and not held since a restore.
fn due(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<u64>, StoreError> {
    let held = restored::bounds(tx)?.scheduled;
    if held == 0 {
        return overdue_rows(tx, &SCHEDULED_MESSAGE_BY_DUE, now, limit);
    }
    // Those that are held stand among the others until the operator releases them.
    let mut overdue = overdue_rows(tx, &SCHEDULED_MESSAGE_BY_DUE, now, usize::MAX)?;
    overdue.retain(|id| held < *id);
    overdue.truncate(limit);
    Ok(overdue)
}

/// Publishes the messages that are due, at most `limit`.
///
/// # Errors
/// If the store fails.
pub fn send_due(
    tx: &mut WriteTx<'_>,
    routing: Routing,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in due(tx, now, limit)? {
        if let Some(message) = tx.get::<ScheduledMessage>(id)? {
            send(tx, message, routing, now)?;
        }
    }
    Ok(())
}

fn send(
    tx: &mut WriteTx<'_>,
    message: ScheduledMessage,
    routing: Routing,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_open = tx.get::<Suspension>(message.account.0)?.is_none();
    let list = tx.get::<List>(message.list.0)?.filter(|list| is_open && !list.pending);
    let author = tx.get::<Admin>(message.admin.0)?;
    let author = author.filter(|author| {
        let is_here = author.account.is_none_or(|account| account == message.account);
        is_here && holds_for(author, Permission::SendMessages, message.list)
    });
    let (Some(list), Some(author)) = (list, author) else {
        tracing::info!(
            scheduled_message.id = message.id.0,
            "Message {} is not sent: its author may no longer send it, or its list or account is closed",
            message.id
        );
        return tx.put(&ScheduledMessage { is_stopped: true, ..message });
    };
    let (id, account) = (message.id, message.account);
    let published = publish(tx, &list, post_of(message), routing, now)?;
    // The bytes are the published message's before they are no longer this one's.
    tx.delete::<ScheduledMessage>(id.0)?;
    let caller = Caller::admin(&author, account, Via::Page, None);
    let sent = Note::new(AuditAction::MessagePublished, published.id.0).named(&published.subject);
    audit::note(tx, &caller, sent.detail(list.name.as_str()), now)?;
    tracing::info!(message.id = published.id.0, "Message {} is sent, as it was scheduled", published.id);
    Ok(())
}

/// The post that a message was composed as.
fn post_of(message: ScheduledMessage) -> Post {
    Post {
        raw: Raw::Stored { blob: message.blob, size_bytes: message.size_bytes },
        subject: message.subject,
        from_phrase: message.from_phrase,
        from_address: message.from_address,
        message_id: Some(message.message_id).filter(|id| !id.is_empty()),
        references: message.references,
        authentication: None,
        requires_tls: false,
        merge_tags: match message.merge_tags {
            Some(fields) => MergeTags::OfKey { fields },
            None => MergeTags::OfSender,
        },
    }
}

/// The local time in a time zone at which a message is sent, as forms have it.
#[must_use]
pub fn local_due(due: Timestamp, zone: &TimeZone) -> String {
    due.in_zone(zone.clone()).strftime("%Y-%m-%dT%H:%M").to_string()
}

/// Why a time is none at which a message can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendAt {
    /// It is not of the form `YYYY-MM-DDTHH:MM`.
    Malformed,
    /// It is over.
    Past,
    /// It is more than a year ahead.
    TooFar,
}

/// The instant at which a message is to be sent, of a local time in a time zone; `None` for a blank one, which means now.
/// A time that clocks skip is the one an hour later, and of one that comes twice the first counts.
///
/// # Errors
/// If it is no time at which a message can be sent.
pub fn due_of(text: &str, zone: &TimeZone, now: Timestamp) -> Result<Option<Timestamp>, SendAt> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    // Browsers that have fields for times may send seconds, too.
    let local = DateTime::strptime("%Y-%m-%dT%H:%M", text);
    let local = local.or_else(|_| DateTime::strptime("%Y-%m-%dT%H:%M:%S", text));
    let instant = local.ok().and_then(|local| local.to_zoned(zone.clone()).ok());
    let instant = instant.ok_or(SendAt::Malformed)?;
    let due = Timestamp::from_ms(instant.timestamp().as_millisecond());
    if due <= now {
        return Err(SendAt::Past);
    }
    if now + AHEAD_MAX < due { Err(SendAt::TooFar) } else { Ok(Some(due)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, zone: &str, expected: Result<Option<&str>, SendAt>) {
        let now = Timestamp::parse_rfc3339("2026-03-20T12:00:00Z").unwrap();
        let due = due_of(text, &TimeZone::get(zone).unwrap(), now);
        let expected = expected.map(|due| due.map(|due| Timestamp::parse_rfc3339(due).unwrap()));
        assert_eq!(due, expected, "{text}");
    }

    #[test]
    fn a_time_is_meant_in_the_zone_of_the_account() {
        check("", "UTC", Ok(None));
        check("2026-03-21T08:30", "UTC", Ok(Some("2026-03-21T08:30:00Z")));
        check("2026-03-21T08:30", "Asia/Tokyo", Ok(Some("2026-03-20T23:30:00Z")));
        check("2026-03-21T08:30:15", "Europe/Berlin", Ok(Some("2026-03-21T07:30:15Z")));
        // Clocks go forward from 2:00 to 3:00.
        check("2026-03-29T02:30", "Europe/Berlin", Ok(Some("2026-03-29T01:30:00Z")));
        // And back from 3:00 to 2:00.
        check("2026-10-25T02:30", "Europe/Berlin", Ok(Some("2026-10-25T00:30:00Z")));
    }

    #[test]
    fn a_time_that_is_over_or_too_far_or_none_is_refused() {
        check("2026-03-20T12:00", "UTC", Err(SendAt::Past));
        check("2027-03-22T12:00", "UTC", Err(SendAt::TooFar));
        for text in ["tomorrow", "2026-03-21", "2026-02-30T10:00", "2026-03-21T25:00", "2026-03-21 10:00"] {
            check(text, "UTC", Err(SendAt::Malformed));
        }
    }
}
