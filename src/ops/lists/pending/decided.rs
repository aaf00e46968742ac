//! The mails that tell a person how a request to join or leave a list was decided.
//!
//! They are written in the job that decides, in the language of the account. A discarded request is not answered, and
//! nobody is told of a list's own request: its maker sees the list, or not.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::notice::indented;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{Language, List, Pending, SystemMailKind};
use crate::ops::notices::system_mails::{MailContext, NewNotice, owner_local, write};
use crate::ops::{domains, locales};
use crate::store::{Read as _, StoreError, WriteTx};

/// Tells the person of a request how it was decided.
pub(super) fn tell_person(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    pending: &Pending,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(address) = &pending.email else { return Ok(()) };
    let Some(list) = tx.get::<List>(pending.list.0)? else { return Ok(()) };
    let domain = domains::main_domain(tx, list.account)?;
    let list_address = format!("{}@{}", list.name, domain.name);
    let language = locales::locale(tx, list.account)?.language;
    let Some((subject, text)) = words(language, pending, list.name.as_str(), &list_address) else {
        return Ok(());
    };
    let notice = NewNotice {
        kind: SystemMailKind::Decision,
        from_phrase: list.title(),
        from_local: &owner_local(&list),
        to: address,
        reply_to: None,
        subject: &subject,
        text: &text,
        in_reply_to: None,
    };
    write(tx, mail_context, list.account, &notice, now)
}

/// The subject and the text; `None` if nothing is told.
fn words(language: Language, pending: &Pending, list: &str, list_address: &str) -> Option<(String, String)> {
    let (subject, mut text) = match (pending.kind, pending.state) {
        (PendingKind::Subscription, PendingState::Approved) => (
            text!(language, "approval-joined-subject", list = list),
            text!(language, "approval-joined-text", list_address = list_address),
        ),
        (PendingKind::Subscription, PendingState::Rejected) => (
            text!(language, "approval-not-joined-subject", list = list),
            text!(language, "approval-not-joined-text", list_address = list_address),
        ),
        (PendingKind::Unsubscription, PendingState::Approved) => (
            text!(language, "approval-left-subject", list = list),
            text!(language, "approval-left-text", list_address = list_address),
        ),
        (PendingKind::Unsubscription, PendingState::Rejected) => (
            text!(language, "approval-not-left-subject", list = list),
            text!(language, "approval-not-left-text", list_address = list_address),
        ),
        (PendingKind::List, _) | (_, PendingState::Pending | PendingState::Discarded) => return None,
    };
    let reason = pending.decision.as_ref().and_then(|decision| decision.reason.as_deref());
    if let Some(reason) = reason.filter(|_| pending.state == PendingState::Rejected) {
        text.extend(["\n\n", &text!(language, "approval-reason"), "\n\n", &indented(reason)]);
    }
    text.push('\n');
    Some((subject, text))
}
