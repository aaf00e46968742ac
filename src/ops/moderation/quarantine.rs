//! Quarantines messages on which the server itself fails, so that all others continue (`spec/mail.md` 3).
//!
//! If making a message's copies fails, for any reason, that is tried [`TRIES_MAX`] times. Then its copies are
//! quarantined, the message is held with a description of the failure, and the administrators are told. Approving it
//! continues with the copies that are left: nobody gets a second one. Rejecting or discarding it ends them.

use std::sync::Arc;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Inbound;
use crate::mail::envelope::{CaseId, Envelope, ModerationToken};
use crate::mail::notice::Problem;
use crate::mail::{Button, Wording};
use crate::model::admin::Notification;
use crate::model::{
    Account, AlertKind, AlertLine, Authentication, Batch, BlobId, Concern, Digest, Held, HeldId, HeldReason,
    HeldState, List, ListId, Message, MessageId, Payload, SystemMailKind,
};
use crate::ops::accounts::alerts;
use crate::ops::allowances::{self, REQUESTS_TO_MODERATORS, Subject};
use crate::ops::context::MailContext;
use crate::ops::moderation::notices::{approvers, display};
use crate::ops::moderation::{HeldLimit, moderation_digests};
use crate::ops::notices::system_mails::{NewNotice, owner_local, write};
use crate::ops::{domains, locales, moderation, queue};
use crate::schema::{BATCH_BY_MESSAGE, HELD_BY_QUARANTINED};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Attempts at a batch on which the server itself fails.
pub const TRIES_MAX: u8 = 3;

/// A message that the server could not decide about.
#[derive(Debug)]
pub(crate) struct Broken {
    raw: Arc<[u8]>,
    from: String,
    from_phrase: String,
    subject: String,
    message_id: Option<String>,
    authentication: Authentication,
    requires_tls: bool,
    /// A description of the failure.
    pub(crate) trace: String,
}

impl Broken {
    /// A message that could not be parsed: only its envelope is known.
    pub(crate) fn unread(raw: Arc<[u8]>, envelope: &Envelope, trace: String) -> Broken {
        let from = envelope.reverse_path.address().map(ToString::to_string).unwrap_or_default();
        Broken {
            raw,
            from,
            from_phrase: String::new(),
            subject: String::new(),
            message_id: None,
            authentication: envelope.authentication.clone(),
            requires_tls: envelope.requires_tls,
            trace,
        }
    }

    /// A message that could be parsed.
    pub(crate) fn undecided(inbound: &Inbound, envelope: &Envelope, trace: String) -> Broken {
        let from = inbound.from.as_ref();
        Broken {
            raw: Arc::clone(&inbound.raw),
            from: from.map(|from| from.address.to_string()).unwrap_or_default(),
            from_phrase: from.map(|from| from.name.clone()).unwrap_or_default(),
            subject: inbound.subject.clone(),
            message_id: inbound.message_id.clone(),
            authentication: envelope.authentication.clone(),
            requires_tls: envelope.requires_tls,
            trace,
        }
    }

    /// Whether a list holds it already; `false` if that cannot be read either, since a second one is better than none.
    fn is_held(&self, tx: &impl Read, list: &List) -> bool {
        let Some(message_id) = &self.message_id else { return false };
        let from_is_proven = self.authentication.proves_from();
        let held = moderation::held_before(tx, list, message_id, &self.from, from_is_proven);
        held.is_ok_and(|held| !held.is_empty())
    }
}

/// The reason why a message on which the server failed could not be held.
#[derive(Debug)]
pub(crate) enum NotHeld {
    /// Too many messages wait for approval.
    Limit(HeldLimit),
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for NotHeld {
    fn from(error: StoreError) -> NotHeld {
        NotHeld::Store(error)
    }
}

/// Holds a message that the server could not decide about, in each of its lists.
pub(crate) fn hold_arrival(
    tx: &mut WriteTx<'_>,
    lists: &[ListId],
    broken: &Broken,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<(), NotHeld> {
    let mut stored = None;
    for id in lists {
        let Some(list) = tx.get::<List>(id.0)? else { continue };
        if broken.is_held(tx, &list) {
            tracing::info!(list.name = list.name.as_str(), "A quarantined message came again");
            continue;
        }
        let size_bytes = broken.raw.len() as u64;
        let exceeded =
            moderation::exceeded_limit(tx, &list, &broken.from, &broken.authentication, size_bytes, now)?;
        if let Some(limit) = exceeded {
            return Err(NotHeld::Limit(limit));
        }
        let blob = match stored {
            Some(blob) => blob,
            None => BlobId(tx.put_blob(&broken.raw)?.0),
        };
        stored = Some(blob);
        let held = Held {
            id: HeldId(tx.next_id::<Held>()?),
            account: list.account,
            list: list.id,
            from: broken.from.clone(),
            from_phrase: broken.from_phrase.clone(),
            message_id: broken.message_id.clone(),
            // Its sender did nothing wrong, and is told nothing.
            reverse_path: None,
            subject: broken.subject.clone(),
            received: now,
            blob,
            size_bytes,
            reason: HeldReason::NotDecided { tries: TRIES_MAX, trace: broken.trace.clone() },
            authentication: broken.authentication.clone(),
            state: HeldState::Held,
            decision: None,
            advised: Vec::new(),
            quarantined: None,
            requires_tls: broken.requires_tls,
        };
        tx.put(&held)?;
        match allowances::take(tx, REQUESTS_TO_MODERATORS, &Subject::list(list.id), now)? {
            Ok(()) => tell(tx, mail_context, &list, &held, now)?,
            Err(until) => moderation_digests::note_by(tx, &list, until)?,
        }
    }
    Ok(())
}

/// Counts an attempt at a batch on which the server itself failed; after [`TRIES_MAX`] the batch is quarantined. The
/// caller stores it.
pub(in crate::ops) fn count_failure(
    tx: &mut WriteTx<'_>,
    batch: &mut Batch,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<(), StoreError> {
    batch.failures = batch.failures.saturating_add(1);
    if batch.failures < TRIES_MAX || !batch.is_waiting() {
        return Ok(());
    }
    let trace = trace_of(batch);
    tracing::error!(
        batch.id = batch.id.0,
        batch.payload = %batch.payload,
        "Delivery {} of {} failed inside the server {TRIES_MAX} times and is quarantined: {trace}",
        batch.id,
        batch.payload
    );
    match batch.payload {
        Payload::Post { message, list: _ } => {
            batch.due = None;
            hold(tx, message, &trace, mail_context, now)
        }
        // No moderator decides about system mail: it ends with a description of the failure.
        Payload::SystemMail(_) => {
            end(batch, now);
            Ok(())
        }
        Payload::Digest { digest, list } => {
            end(batch, now);
            tell_of_digest(tx, mail_context, digest, list, &trace, now)
        }
    }
}

/// Alerts the administrators of a digest that cannot be sent: its posts are in the archive.
fn tell_of_digest(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    digest: MessageId,
    list: ListId,
    trace: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(digest) = tx.get::<Digest>(digest.0)? else { return Ok(()) };
    let Some(List { account, name, .. }) = tx.get::<List>(list.0)? else { return Ok(()) };
    let language = locales::locale(tx, account)?.language;
    let text =
        text!(language, "digest-alert", subject = &digest.subject, list = name.as_str(), words = trace,);
    let line = AlertLine { text, concern: Concern::List(list) };
    alerts::tell(tx, mail_context, account, AlertKind::DeliveryProblem, line, now)
}

/// The description of the failure in the first copy that waits.
fn trace_of(batch: &Batch) -> String {
    let waiting = batch.recipients.iter().position(|recipient| recipient.state.is_waiting());
    let words = waiting.and_then(|place| batch.reply(place));
    words.unwrap_or("the server failed without a word; its log says more").to_owned()
}

/// Holds a message whose copies are quarantined, once for all its batches.
fn hold(
    tx: &mut WriteTx<'_>,
    id: MessageId,
    trace: &str,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(message) = tx.get::<Message>(id.0)? else { return Ok(()) };
    let Some(list) = tx.get::<List>(message.list.0)? else { return Ok(()) };
    let quarantined = Key::new().u64(message.account.0).u64(id.0);
    if !tx.ids(&HELD_BY_QUARANTINED, &quarantined.into(), 1)?.is_empty() {
        return Ok(());
    }
    let held = Held {
        id: HeldId(tx.next_id::<Held>()?),
        account: message.account,
        list: message.list,
        from: message.from_address,
        from_phrase: message.from_phrase,
        message_id: Some(message.message_id),
        // Its sender did nothing wrong, and is told nothing.
        reverse_path: None,
        subject: message.subject,
        received: now,
        blob: message.blob,
        size_bytes: message.size_bytes,
        reason: HeldReason::NotSent { tries: TRIES_MAX, trace: trace.to_owned() },
        authentication: message.authentication.unwrap_or_else(Authentication::unchecked),
        state: HeldState::Held,
        decision: None,
        advised: Vec::new(),
        quarantined: Some(id),
        requires_tls: message.requires_tls,
    };
    tx.put(&held)?;
    tell(tx, mail_context, &list, &held, now)
}

/// Tells the administrators who want to know of problems.
fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    held: &Held,
    now: Timestamp,
) -> Result<(), StoreError> {
    // A failure of the notice must not undo the quarantine.
    let domain = match domains::main_domain(tx, list.account) {
        Ok(domain) if tx.get::<Account>(list.account.0)?.is_some() => domain,
        Ok(_) => return Ok(()),
        Err(error) => {
            tracing::error!(error = %error, "Nobody can be told of a quarantined message");
            return Ok(());
        }
    };
    let locale = locales::locale(tx, list.account)?;
    let language = locale.language;
    let links = mail_context.links.of(tx, list.account)?;
    for moderator in approvers(tx, list, Some(Notification::DeliveryProblem))? {
        let token = ModerationToken::of(CaseId::Held(held.id), &moderator).token(&mail_context.signer);
        let link = links.moderate(&token);
        let problem = Problem {
            list_address: &format!("{}@{}", list.name, domain.name),
            sender: &display(&held.from_phrase, &held.from),
            subject: &held.subject,
            reason: &held.reason.told(language),
            link: &link,
        };
        let notice = NewNotice {
            kind: SystemMailKind::Problem,
            from_phrase: list.title(),
            from_local: &owner_local(list),
            to: &moderator.address,
            reply_to: None,
            subject: &text!(language, "problem-subject", list = list.title(), subject = &held.subject),
            text: &problem.text(language),
            buttons: &[Button::new(&link, text!(language, "mail-button-decide"))],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        write(tx, mail_context, list.account, &notice, now)?;
    }
    Ok(())
}

/// Lets the quarantined copies of a message continue.
pub(in crate::ops) fn release(tx: &mut WriteTx<'_>, held: &Held, now: Timestamp) -> Result<(), StoreError> {
    for_parked(tx, held, |batch| {
        batch.due = Some(now);
        batch.failures = 0;
    })
}

/// Ends the quarantined copies of a message.
pub(in crate::ops) fn give_up(tx: &mut WriteTx<'_>, held: &Held, now: Timestamp) -> Result<(), StoreError> {
    for_parked(tx, held, |batch| end(batch, now))
}

/// Applies a change to all quarantined batches of a message. There are some hundred for each ten thousand members, so
/// one job is enough.
fn for_parked(
    tx: &mut WriteTx<'_>,
    held: &Held,
    mut change: impl FnMut(&mut Batch),
) -> Result<(), StoreError> {
    let Some(message) = held.quarantined else { return Ok(()) };
    let of_message = Key::new().u64(held.account.0).u64(message.0);
    for id in tx.ids(&BATCH_BY_MESSAGE, &of_message.into(), usize::MAX)? {
        let Some(mut batch) = tx.get::<Batch>(id)? else { continue };
        if batch.is_parked() {
            change(&mut batch);
            tx.put(&batch)?;
        }
    }
    Ok(())
}

/// Ends every copy that waits, keeping the answers so far.
fn end(batch: &mut Batch, now: Timestamp) {
    (batch.due, batch.order) = (None, None);
    queue::give_up(batch, now);
}
