//! Held messages: lists those that wait for a moderator, decides about them, and expires them. The API, the pages,
//! mailed replies and the command line decide here.
//!
//! A message is decided once: the first of two moderators wins, and the second is told. An approved message is
//! published in the job that records the decision, so it is published exactly once.

pub(crate) mod announcements;
pub(in crate::ops) mod moderation_digests;
pub mod moderators;
pub mod notices;
pub mod quarantine;
mod requests;
pub mod sender_facts;
pub mod senders;
pub mod waiting;

use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::{Locale, duration, text};
use crate::mail;
use crate::model::{
    AuditAction, Authentication, Decider, Decision, Held, HeldId, HeldReason, HeldState, Language, List,
    Message, MessageId, Permission,
};
use crate::ops::allowances::{NOTICES_OF_EXPIRY, Subject};
use crate::ops::archive::messages::{Post, publish, stored_mail};
use crate::ops::audit::{self, Note};
use crate::ops::context::MailContext;
use crate::ops::decisions::{self, DecisionFacts, name_of};
use crate::ops::locales;
use crate::ops::moderation::notices::{About, SenderNotice};
use crate::ops::notices::backscatter::Cause;
use crate::ops::overdue::overdue_rows;
use crate::ops::paging::window_of;
use crate::ops::{Caller, OpError, Page, PageRequest, TooLate, Waiting, records, window_ids};
use crate::schema::{
    HELD_BY_APPROVED, HELD_BY_DUE, HELD_BY_MESSAGE_ID, HELD_BY_STATE, HELD_COUNT, HELD_WAITING_BY_SENDER,
    HELD_WAITING_COUNT, held_duplicate, held_sender, held_state,
};
use crate::store::{BlobId, IndexRange, Key, KeyReader, Read, StoreError, WriteTx};

/// A limit on messages that wait for approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldLimit {
    /// One author's messages of one day, by number or octets.
    Author,
    /// One list's messages.
    List,
}

impl std::fmt::Display for HeldLimit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            HeldLimit::Author => "too many messages of this author wait for approval",
            HeldLimit::List => "too many messages to this list wait for approval",
        })
    }
}

/// Bytes of a held message that are read for its preview.
pub const PREVIEW_OF_BYTES: u64 = 128 * 1024;
/// Characters of the text that a held message shows.
pub(in crate::ops) const PREVIEW_CHARS_MAX: usize = 2000;

/// Messages that may wait for approval on one list (`spec/mail.md` 11, "Held").
const WAITING_PER_LIST_MAX: u64 = 1000;
/// Messages of one author and day that may wait for approval in an account.
const WAITING_PER_AUTHOR_MAX: usize = 100;
/// Octets of one author's messages of a day that may wait for approval.
const WAITING_PER_AUTHOR_BYTES_MAX: u64 = 50 * 1024 * 1024;
/// The time for which a waiting message counts against its author's limit, in milliseconds.
const DAY: Duration = Duration::from_hours(24);

/// The outcome for a held message, with everything that carrying it out needs.
#[derive(Debug)]
pub enum Choice {
    /// It is sent to the members.
    Approve(Box<Post>),
    /// It is sent to the members who have not got it yet.
    Release,
    /// It is sent back.
    Reject,
    /// It is dropped.
    Discard,
}

/// A moderator's decision.
#[derive(Debug)]
pub struct ModerationDecision {
    /// The outcome for the message.
    pub choice: Choice,
    /// The reason, for its sender.
    pub reason: Option<String>,
}

/// One held message, decided or not.
pub fn get(tx: &impl Read, caller: &Caller, id: HeldId) -> Result<Held, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let held = tx
        .get::<Held>(id.0)?
        .filter(|held| held.account == caller.account && caller.limits.sees_list(held.list));
    held.ok_or(OpError::NotFound { what: "held message" })
}

/// The held messages in one state, oldest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    state: HeldState,
    window: PageRequest,
) -> Result<Page<Held>, OpError> {
    caller.require(Permission::ApproveMessages)?;
    let key = Key::new().u64(caller.account.0).u64(held_state(state));
    if caller.limits.lists().is_some() {
        // Messages that a limited caller cannot see must not be counted, so all are read.
        let all: Vec<Held> = tx.page(&HELD_BY_STATE, &key.into(), usize::MAX)?;
        let seen: Vec<Held> = all.into_iter().filter(|held| caller.limits.sees_list(held.list)).collect();
        let count = seen.len() as u64;
        return Ok(Page { rows: window_of(seen, window, |held| held.id.0), count });
    }
    let count = tx.count(&HELD_COUNT, &key)?;
    let ids = window_ids(tx, &HELD_BY_STATE, key.into(), window)?;
    Ok(Page { rows: records(tx, &ids)?, count })
}

/// The messages of an author with this Message-ID that wait for a decision. A message that proves its author differs from
/// one that did not, which somebody else may have sent before it.
pub(in crate::ops) fn held_before(
    tx: &impl Read,
    list: &List,
    message_id: &str,
    from: &str,
    from_is_proven: bool,
) -> Result<Vec<Held>, StoreError> {
    let key = held_duplicate(list.account, list.id, message_id, from);
    let mut held: Vec<Held> = tx.page(&HELD_BY_MESSAGE_ID, &key.into(), usize::MAX)?;
    let proves_as_much = |held: &Held| held.authentication.proves_from() || !from_is_proven;
    held.retain(|held| held.state == HeldState::Held && proves_as_much(held));
    Ok(held)
}

/// The limit that one more waiting message of `size_bytes` would exceed: at most 100 messages or 50 MiB of one author
/// and day, and 1,000 of a list. Decided messages do not count.
pub(in crate::ops) fn exceeded_limit(
    tx: &impl Read,
    list: &List,
    from: &str,
    authentication: &Authentication,
    size_bytes: u64,
    now: Timestamp,
) -> Result<Option<HeldLimit>, StoreError> {
    if WAITING_PER_LIST_MAX
        <= tx.count(&HELD_WAITING_COUNT, &Key::new().u64(list.account.0).u64(list.id.0))?
    {
        return Ok(Some(HeldLimit::List));
    }
    let author = held_sender(list.account, from, authentication);
    let since = author.clone().u64(now.before(DAY).key());
    let (mut count, mut waiting_bytes) = (0, 0_u64);
    tx.scan(&HELD_WAITING_BY_SENDER, &IndexRange::prefix(author.clone()).from(since), |row, _| {
        let size_bytes = row.get(author.as_bytes().len() + size_of::<u64>()..);
        count += 1;
        waiting_bytes += size_bytes.and_then(|size| KeyReader::new(size).u64()).unwrap_or(0);
        if count < WAITING_PER_AUTHOR_MAX { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    // A single message always fits: the server takes none that is larger.
    let is_full = WAITING_PER_AUTHOR_MAX <= count
        || (0 < count && WAITING_PER_AUTHOR_BYTES_MAX < waiting_bytes.saturating_add(size_bytes));
    Ok(is_full.then_some(HeldLimit::Author))
}

/// The beginning of the text of a held message; `None` if it has neither text nor HTML, or cannot be parsed, which may
/// be why it was quarantined.
pub fn preview(tx: &impl Read, held: &Held) -> Result<Option<String>, StoreError> {
    let bytes = tx.blob_range(BlobId(held.blob.0), 0..PREVIEW_OF_BYTES)?;
    let reading = || mail::parse(bytes).ok().and_then(|mail| mail.preview(PREVIEW_CHARS_MAX));
    Ok(std::panic::catch_unwind(AssertUnwindSafe(reading)).ok().flatten())
}

/// A held message as its list would publish it, for reading: no message has its number.
#[must_use]
pub fn as_message(held: &Held) -> Message {
    let id = MessageId(u64::MAX);
    Message {
        id,
        account: held.account,
        list: held.list,
        subject: held.subject.clone(),
        from_phrase: held.from_phrase.clone(),
        from_address: held.from.clone(),
        time: held.received,
        message_id: held.message_id.clone().unwrap_or_default(),
        thread: id,
        parent: None,
        blob: held.blob,
        size_bytes: held.size_bytes,
        deleted: false,
        changes: None,
        authentication: Some(held.authentication.clone()),
        requires_tls: held.requires_tls,
    }
}

/// Prepares the approval of a held message. Reads only, so that the writer does not wait while a large message is
/// parsed.
pub fn approval(tx: &impl Read, caller: &Caller, id: HeldId) -> Result<Choice, OpError> {
    let held = get(tx, caller, id)?;
    // A quarantined message is published already, and may not be readable.
    if held.quarantined.is_some() {
        return Ok(Choice::Release);
    }
    let authentication = held.authentication.clone();
    let inbound = stored_mail(tx, held.blob)?;
    let post = Post::of_mail(&inbound, held.blob, authentication, held.requires_tls);
    Ok(Choice::Approve(Box::new(post)))
}

/// Decides about a message that waits, and carries the decision out.
pub fn decide(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: HeldId,
    decision_made: ModerationDecision,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<Held, OpError> {
    let mut held = get(tx, caller, id)?;
    if held.state != HeldState::Held {
        return Err(OpError::conflict("action", told_already(tx, &held)?));
    }
    let ModerationDecision { choice, reason } = decision_made;
    let list = tx.get::<List>(held.list.0)?;
    held.state = match choice {
        Choice::Approve(post) => {
            let list = list.filter(|list| !list.pending).ok_or(OpError::NotFound { what: "list" })?;
            publish(tx, &list, *post, mail_context.config.routing(), now)?;
            HeldState::Approved
        }
        Choice::Release => {
            quarantine::release(tx, &held, now)?;
            HeldState::Approved
        }
        Choice::Reject => {
            quarantine::give_up(tx, &held, now)?;
            let language = locales::locale(tx, held.account)?.language;
            let told = reason.clone().unwrap_or_else(|| text!(language, "reason-not-approved"));
            tell_sender(tx, mail_context, list.as_ref(), &held, &told, Cause::Person, now)?;
            HeldState::Rejected
        }
        Choice::Discard => {
            quarantine::give_up(tx, &held, now)?;
            HeldState::Discarded
        }
    };
    held.decision = Some(Decision { time: now, by: caller.decider(), reason });
    tx.put(&held)?;
    note_decision(tx, caller, &held, now)?;
    Ok(held)
}

/// Records the decision about a held message.
fn note_decision(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    held: &Held,
    now: Timestamp,
) -> Result<(), StoreError> {
    let action = match held.state {
        HeldState::Approved => AuditAction::MessageApproved,
        HeldState::Rejected => AuditAction::MessageRejected,
        HeldState::Discarded => AuditAction::MessageDiscarded,
        HeldState::Held => return Ok(()),
    };
    audit::note(tx, caller, Note::new(action, held.id.0).named(&held.subject), now)?;
    Ok(())
}

/// Tells the sender of a held message that it is sent back.
fn tell_sender(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: Option<&List>,
    held: &Held,
    reason: &str,
    cause: Cause,
    now: Timestamp,
) -> Result<(), StoreError> {
    if let (Some(list), Some(about)) = (list, About::held(held, reason, cause)) {
        notices::tell_sender(tx, mail_context, list, SenderNotice::Rejected, &about, now)?;
    }
    Ok(())
}

/// The decision about a held message, with moderator and time, for the second moderator.
fn told_already(tx: &impl Read, held: &Held) -> Result<TooLate, StoreError> {
    decisions::told_already(tx, Waiting::Message, held.state.word(), held.decision.as_ref())
}

/// The decision about a held message; `None` if it waits.
pub fn decision(
    tx: &impl Read,
    language: Language,
    held: &Held,
) -> Result<Option<DecisionFacts>, StoreError> {
    decisions::facts(tx, language, held.decision.as_ref())
}

/// The decision about a held message, with moderator and time, as part of a sentence; `None` if it waits.
pub fn decided(tx: &impl Read, locale: &Locale, held: &Held) -> Result<Option<String>, StoreError> {
    let Some(Decision { time, by, reason: _ }) = &held.decision else { return Ok(None) };
    let language = locale.language;
    let Some(by) = name_of(tx, language, by)? else { return Ok(Some(text!(language, "decided-by-nobody"))) };
    let time = locale.moment(*time);
    Ok(match held.state {
        HeldState::Held => None,
        HeldState::Approved => Some(text!(language, "decided-approved", by = by, time = time)),
        HeldState::Rejected => Some(text!(language, "decided-rejected", by = by, time = time)),
        HeldState::Discarded => Some(text!(language, "decided-discarded", by = by, time = time)),
    })
}

/// The way in which a message came to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The time at which it was received.
    pub accepted: Timestamp,
    /// The time at which it was decided to publish it.
    pub decided: Timestamp,
    /// The moderator who approved it; `None` if the list's rules let it pass, or an API call posted it.
    pub by: Option<String>,
    /// The reason why it needed approval.
    pub reason: Option<HeldReason>,
}

/// The way in which a message came to be published. The moderator is forgotten with the held message, after 30 days.
pub fn published(tx: &impl Read, message: &Message) -> Result<Published, StoreError> {
    let key = Key::new().u64(message.account.0).u64(message.list.0).u64(message.blob.0);
    let held = tx.page(&HELD_BY_APPROVED, &key.into(), 1)?.pop();
    let Some(Held { received, reason, decision: Some(Decision { time, by, reason: _ }), .. }) = held else {
        let Message { time, .. } = *message;
        return Ok(Published { accepted: time, decided: time, by: None, reason: None });
    };
    Ok(Published {
        accepted: received,
        decided: time,
        by: name_of(tx, Language::English, &by)?,
        reason: Some(reason),
    })
}

/// Discards messages that nobody decided about in time, with a notice to the sender as for any rejected message, and
/// forgets those that were decided long ago.
pub(in crate::ops) fn expire(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &HELD_BY_DUE, now, limit)? {
        match tx.get::<Held>(id)? {
            Some(mut held) if held.state == HeldState::Held => {
                tracing::info!(held.id = id, "Nobody decided on held message {id}: it is discarded");
                let list = tx.get::<List>(held.list.0)?;
                quarantine::give_up(tx, &held, now)?;
                let cause = Cause::Limited(NOTICES_OF_EXPIRY, Subject::list(held.list));
                let language = locales::locale(tx, held.account)?.language;
                let reason = text!(
                    language,
                    "reason-nobody-decided",
                    time = duration(language, held.due().since(held.received))
                );
                tell_sender(tx, mail_context, list.as_ref(), &held, &reason, cause, now)?;
                held.state = HeldState::Discarded;
                held.decision = Some(Decision { time: now, by: Decider::Time, reason: None });
                tx.put(&held)?;
                note_decision(tx, &Caller::server(held.account), &held, now)?;
            }
            Some(_) => {
                tx.delete::<Held>(id)?;
            }
            None => {}
        }
    }
    Ok(())
}
