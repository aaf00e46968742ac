//! The mails that tell a person how a request was decided: to join or leave a list, or, for an administrator, to make
//! one.
//!
//! They are written in the job that decides, in the language of the account. A discarded request is not answered.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Wording;
use crate::mail::notice::indented;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{
    ActorKind, Admin, AuditAction, AuditEntry, AuditObject, EmailAddress, Language, List, Pending,
    SystemMailKind,
};
use crate::ops::context::MailContext;
use crate::ops::locales;
use crate::ops::notices::system_mails::{NewNotice, owner_local, write};
use crate::schema::{AUDIT_BY_OBJECT, audit_object};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Tells the person of a request how it was decided.
pub(super) fn tell_person(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    pending: &Pending,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(address) = person_of(tx, pending)? else { return Ok(()) };
    let list = tx.get::<List>(pending.list.0)?;
    let language = locales::locale(tx, pending.account)?.language;
    // A list that was refused is gone.
    let title = list.as_ref().map_or(&*pending.list_name, List::title);
    let Some((subject, text)) = words(language, pending, title) else { return Ok(()) };
    let owner = list.as_ref().map(owner_local);
    let notice = NewNotice {
        kind: SystemMailKind::Decision,
        from_phrase: title,
        from_local: owner.as_deref().unwrap_or("postmaster"),
        to: &address,
        reply_to: None,
        subject: &subject,
        text: &text,
        buttons: &[],
        wording: Wording::BuiltIn,
        in_reply_to: None,
    };
    write(tx, mail_context, pending.account, &notice, now)
}

/// The address of the person who asked: of a new list, the administrator who made it, if that is a person.
fn person_of(tx: &impl Read, pending: &Pending) -> Result<Option<EmailAddress>, StoreError> {
    if pending.kind != PendingKind::List {
        return Ok(pending.email.clone());
    }
    let of_list = Key::new().u64(pending.account.0).u64(audit_object(AuditObject::List)).u64(pending.list.0);
    // The log has the making of a list before everything else of it.
    let made: Option<AuditEntry> = tx.page(&AUDIT_BY_OBJECT, &of_list.into(), 1)?.pop();
    match made.map(|made| (made.action, made.actor.kind)) {
        Some((AuditAction::ListCreated, ActorKind::Admin(id))) => {
            Ok(tx.get::<Admin>(id.0)?.and_then(|admin| admin.username))
        }
        _ => Ok(None),
    }
}

/// The subject and the text; `None` if nothing is told.
fn words(language: Language, pending: &Pending, list: &str) -> Option<(String, String)> {
    let (subject, mut text) = match (pending.kind, pending.state) {
        (PendingKind::Subscription, PendingState::Approved) => (
            text!(language, "approval-joined-subject", list = list),
            text!(language, "approval-joined-text", list = list),
        ),
        (PendingKind::Subscription, PendingState::Rejected) => (
            text!(language, "approval-not-joined-subject", list = list),
            text!(language, "approval-not-joined-text", list = list),
        ),
        (PendingKind::Unsubscription, PendingState::Approved) => (
            text!(language, "approval-left-subject", list = list),
            text!(language, "approval-left-text", list = list),
        ),
        (PendingKind::Unsubscription, PendingState::Rejected) => (
            text!(language, "approval-not-left-subject", list = list),
            text!(language, "approval-not-left-text", list = list),
        ),
        (PendingKind::List, PendingState::Approved) => (
            text!(language, "approval-opened-subject", list = list),
            text!(language, "approval-opened-text", list = list),
        ),
        (PendingKind::List, PendingState::Rejected) => (
            text!(language, "approval-refused-subject", list = list),
            text!(language, "approval-refused-text", list = list),
        ),
        (_, PendingState::Pending | PendingState::Discarded) => return None,
    };
    let reason = pending.decision.as_ref().and_then(|decision| decision.reason.as_deref());
    if let Some(reason) = reason.filter(|_| pending.state == PendingState::Rejected) {
        text.extend(["\n\n", &text!(language, "approval-reason"), "\n\n", &indented(reason)]);
    }
    text.push('\n');
    Some((subject, text))
}
