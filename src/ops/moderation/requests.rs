//! Asks administrators to decide about a request that waits: to join a list, to leave one, or to create one.
//!
//! Each is asked by a link and a reply address of its own, as for held messages, and within the same limit: a list's
//! `notify_approval` says whether at once or in the daily digest, and beyond 20 requests in an hour the rest of the
//! hour comes in one digest.

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::envelope::{CaseId, ModerationToken};
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::account::NotifyApproval;
use crate::model::admin::Notification;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{EmailAddress, Language, List, Pending, Permission, SystemMailKind};
use crate::ops::allowances::{self, REQUESTS_TO_MODERATORS, Subject};
use crate::ops::context::MailContext;
use crate::ops::moderation::moderation_digests;
use crate::ops::moderation::notices::{Moderator, asks, display, holders, moderators_of};
use crate::ops::notices::system_mails::{NewNotice, confirm_address, owner_local, write};
use crate::ops::{domains, locales};
use crate::store::{Read, StoreError, WriteTx};

/// Asks everybody who may decide about a request and wants to be told, as the list's settings say.
pub(super) fn ask(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    pending: &Pending,
    now: Timestamp,
) -> Result<(), StoreError> {
    if pending.state != PendingState::Pending {
        return Ok(());
    }
    match asks(tx, list)? {
        NotifyApproval::None => return Ok(()),
        NotifyApproval::Daily => return moderation_digests::note(tx, list, now),
        NotifyApproval::Each => {}
    }
    let deciders = deciders(tx, list, pending.kind)?;
    if deciders.is_empty() {
        return Ok(());
    }
    if let Err(until) = allowances::take(tx, REQUESTS_TO_MODERATORS, &Subject::list(list.id), now)? {
        return moderation_digests::note_by(tx, list, until);
    }
    let domain = domains::main_domain(tx, list.account)?;
    let locale = locales::locale(tx, list.account)?;
    let links = mail_context.links.of(tx, list.account)?;
    let list_address = format!("{}@{}", list.name, domain.name);
    for decider in deciders {
        let token = ModerationToken::of(CaseId::Pending(pending.id), &decider).token(&mail_context.signer);
        let reply_to = confirm_address(&token, &domain)?;
        let link = links.moderate(&token);
        let text = question(&locale, pending, &list_address)
            + "\n\n"
            + &text!(locale.language, "approval-text", link = indented(&link))
            + "\n";
        let notice = NewNotice {
            kind: SystemMailKind::Moderation,
            from_phrase: list.title(),
            from_local: &owner_local(list),
            to: &decider.address,
            reply_to: Some(&reply_to),
            subject: &subject(locale.language, pending.kind, list.title()),
            text: &text,
            buttons: &[Button::new(link, text!(locale.language, "mail-button-decide-request"))],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        write(tx, mail_context, list.account, &notice, now)?;
    }
    Ok(())
}

/// Those who may decide about a list's requests of this kind and want to be told of them.
pub(super) fn deciders(tx: &impl Read, list: &List, kind: PendingKind) -> Result<Vec<Moderator>, StoreError> {
    match kind {
        PendingKind::List => holders(tx, list, Permission::AccountAdmin, Some(Notification::PendingList)),
        PendingKind::Subscription | PendingKind::Unsubscription => {
            moderators_of(tx, list, Some(Notification::PendingMember))
        }
    }
}

/// The subject has no words of the person, since a stranger who fills in a form could write anything there.
fn subject(language: Language, kind: PendingKind, list: &str) -> String {
    match kind {
        PendingKind::Subscription => text!(language, "approval-join-subject", list = list),
        PendingKind::Unsubscription => text!(language, "approval-leave-subject", list = list),
        PendingKind::List => text!(language, "approval-list-subject", list = list),
    }
}

/// The text of a request, with its facts.
pub(super) fn question(locale: &Locale, pending: &Pending, list_address: &str) -> String {
    let language = locale.language;
    let requested = locale.local_moment(pending.requested);
    let address = pending.email.as_ref().map_or("", EmailAddress::as_str);
    let person = display(&pending.name, address);
    match pending.kind {
        PendingKind::Subscription => text!(
            language,
            "approval-join-text",
            list_address = list_address,
            person = person,
            requested = requested
        ),
        PendingKind::Unsubscription => text!(
            language,
            "approval-leave-text",
            list_address = list_address,
            person = person,
            requested = requested
        ),
        PendingKind::List => text!(
            language,
            "approval-list-text",
            list_address = list_address,
            description = &pending.name,
            requested = requested
        ),
    }
}
