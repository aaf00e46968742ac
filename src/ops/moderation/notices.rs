//! Notices about held and rejected messages: to their senders, and to moderators.
//!
//! Senders are told what the list's settings and templates say. Moderators are asked to decide, each by a link and a
//! reply address of their own. Everything is queued in the job that holds or decides, and nothing is sent from here.

use crate::clock::Timestamp;
use crate::locale::{size, text};
use crate::mail::envelope::{CaseId, ModerationToken};
use crate::mail::notice::{BuiltIn, Request, Values};
use crate::mail::{Button, Inbound, Wording};
use crate::model::account::NotifyApproval;
use crate::model::admin::Notification;
use crate::model::{
    Account, AccountId, Admin, AdminId, EmailAddress, Held, List, Permission, SystemMailKind,
};
use crate::ops::accounts::admins;
use crate::ops::allowances::{REQUESTS_TO_MODERATORS, Subject};
use crate::ops::authority::{holds, holds_for};
use crate::ops::context::MailContext;
use crate::ops::moderation::{PREVIEW_CHARS_MAX, moderation_digests};
use crate::ops::notices::backscatter;
use crate::ops::notices::backscatter::{Cause, SenderProof};
use crate::ops::notices::system_mails::{NewNotice, confirm_address, owner_local, write};
use crate::ops::notices::template_values::{ListFacts, Person};
use crate::ops::{allowances, domains, locales};
use crate::store::{Read, StoreError, WriteTx};

/// A moderator of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moderator {
    /// The address for requests to decide.
    pub address: EmailAddress,
    /// The administrator; `None` for the list's own `moderator`.
    pub admin: Option<AdminId>,
}

/// The moderators of a list: its `moderator`, else the administrators with permission to approve for it. If `about` is
/// given, only administrators with that notification are included.
pub fn moderators_of(
    tx: &impl Read,
    list: &List,
    about: Option<Notification>,
) -> Result<Vec<Moderator>, StoreError> {
    if let Some(address) = &list.moderator {
        return Ok(vec![Moderator { address: address.clone(), admin: None }]);
    }
    approvers(tx, list, about)
}

/// The administrators who approve for a list, even if the list has a `moderator`; only those who want this
/// notification, if one is given.
pub(in crate::ops) fn approvers(
    tx: &impl Read,
    list: &List,
    about: Option<Notification>,
) -> Result<Vec<Moderator>, StoreError> {
    holders(tx, list, Permission::ApproveMessages, about)
}

/// The administrators who hold a permission for a list; only those who want this notification, if one is given.
pub(in crate::ops) fn holders(
    tx: &impl Read,
    list: &List,
    permission: Permission,
    about: Option<Notification>,
) -> Result<Vec<Moderator>, StoreError> {
    let wanted = |admin: &Admin| {
        holds_for(admin, permission, list.id)
            && about.is_none_or(|about| admin.notifications.contains(&about))
    };
    let admins = admins::of_account(tx, Some(list.account))?.into_iter().filter(wanted);
    let holders =
        admins.filter_map(|admin| Some(Moderator { address: admin.username?, admin: Some(admin.id) }));
    Ok(holders.collect())
}

/// The addresses of an account's administrators, who get mail to its `postmaster`.
pub(in crate::ops) fn administrators(
    tx: &impl Read,
    account: AccountId,
) -> Result<Vec<EmailAddress>, StoreError> {
    let admins = admins::of_account(tx, Some(account))?;
    let admins = admins.into_iter().filter(|admin| holds(admin, Permission::AccountAdmin));
    Ok(admins.filter_map(|admin| admin.username).collect())
}

/// The setting by which a list's moderators are asked to decide.
pub(in crate::ops) fn asks(tx: &impl Read, list: &List) -> Result<NotifyApproval, StoreError> {
    if let Some(own) = list.notify_approval {
        return Ok(own);
    }
    let account = tx.get::<Account>(list.account.0)?;
    Ok(account.map_or(NotifyApproval::None, |account| account.settings.notify_approval))
}

/// Asks all moderators of a list to decide about a message that was just held, or schedules their daily digest, as the
/// list's settings say. After 20 requests in an hour, the rest of the hour is put into one digest.
pub fn ask_moderators(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    held: &Held,
    inbound: &Inbound,
    now: Timestamp,
) -> Result<(), StoreError> {
    match asks(tx, list)? {
        NotifyApproval::None => return Ok(()),
        NotifyApproval::Daily => return moderation_digests::note(tx, list, now),
        NotifyApproval::Each => {}
    }
    let moderators = moderators_of(tx, list, Some(Notification::HeldMessage))?;
    if moderators.is_empty() {
        return Ok(());
    }
    if let Err(until) = allowances::take(tx, REQUESTS_TO_MODERATORS, &Subject::list(list.id), now)? {
        return moderation_digests::note_by(tx, list, until);
    }
    // A message under REQUIRETLS is read on the page, since the request may be sent over any TLS (RFC 8689 5).
    let preview = if held.requires_tls { None } else { inbound.preview(PREVIEW_CHARS_MAX) };
    let domain = domains::main_domain(tx, list.account)?;
    let locale = locales::locale(tx, list.account)?;
    let language = locale.language;
    let links = mail_context.links.of(tx, list.account)?;
    for moderator in moderators {
        let token = ModerationToken::of(CaseId::Held(held.id), &moderator).token(&mail_context.signer);
        let reply_to = confirm_address(&token, &domain)?;
        let link = links.moderate(&token);
        let request = Request {
            list_address: &format!("{}@{}", list.name, domain.name),
            sender: &display(&held.from_phrase, &held.from),
            subject: &held.subject,
            received: &locale.local_moment(held.received),
            size: &size(language, held.size_bytes),
            reason: &held.reason.told(language),
            link: &link,
            due: &locale.local_moment(held.due()),
            preview: preview.as_deref(),
        };
        let notice = NewNotice {
            kind: SystemMailKind::Moderation,
            from_phrase: list.title(),
            from_local: &owner_local(list),
            to: &moderator.address,
            reply_to: Some(&reply_to),
            subject: &text!(language, "moderate-mail-subject", list = list.title(), subject = &held.subject),
            text: &request.text(language),
            buttons: &[Button::new(&link, text!(language, "mail-button-decide"))],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        write(tx, mail_context, list.account, &notice, now)?;
    }
    Ok(())
}

/// A name and an address, formatted for people.
#[must_use]
pub fn display(name: &str, address: &str) -> String {
    if name.is_empty() { address.to_owned() } else { format!("{name} <{address}>") }
}

/// The message that a notice to its sender is about.
#[derive(Debug, Clone)]
pub(in crate::ops) struct About<'a> {
    /// Its envelope sender.
    pub(in crate::ops) to: &'a EmailAddress,
    /// The proof that it came from that sender.
    pub(in crate::ops) proof: SenderProof,
    /// The event that causes the notice.
    pub(in crate::ops) cause: Cause,
    /// Name in its From.
    pub(in crate::ops) from_phrase: &'a str,
    /// Address in its From.
    pub(in crate::ops) from_address: &'a str,
    /// Its subject.
    pub(in crate::ops) subject: &'a str,
    /// Its Message-ID.
    pub(in crate::ops) message_id: Option<&'a str>,
    /// The reason why it was held or is sent back.
    pub(in crate::ops) reason: &'a str,
}

impl<'a> About<'a> {
    /// The facts for a notice to the sender of a held message; `None` if nobody can be told.
    pub(in crate::ops) fn held(held: &'a Held, reason: &'a str, cause: Cause) -> Option<About<'a>> {
        let to = held.reverse_path.as_ref()?;
        let author = EmailAddress::parse(&held.from).ok();
        Some(About {
            to,
            proof: SenderProof::of(&held.authentication, to, author.as_ref()),
            cause,
            from_phrase: &held.from_phrase,
            from_address: &held.from,
            subject: &held.subject,
            message_id: held.message_id.as_deref(),
            reason,
        })
    }
}

/// The notice that a sender gets about a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum SenderNotice {
    /// The message waits for a moderator.
    Held,
    /// The message is sent back.
    Rejected,
}

/// Tells a sender that a message waits or is sent back, if the list does so and the sender may be told.
pub(in crate::ops) fn tell_sender(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    what: SenderNotice,
    about: &About<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_wanted = match what {
        SenderNotice::Held => list.send_hold_message,
        SenderNotice::Rejected => list.send_reject_message,
    };
    if !is_wanted {
        return Ok(());
    }
    if !backscatter::take(tx, about.to, about.proof, &about.cause, now)? {
        tracing::info!("{} is not told of a message, since it may not come from there", about.to);
        return Ok(());
    }
    let person = Person::find(tx, list.account, about.to, about.from_phrase)?;
    let sender = display(about.from_phrase, about.from_address);
    let facts = ListFacts::of(tx, mail_context, list, now)?;
    let [leave, manage] = person.own_links(&mail_context.signer, &facts.links, list);
    let custom = person.custom();
    let values = Values {
        first_name: &person.first_name,
        surname: &person.surname,
        email: about.to.as_str(),
        unsubscribe: &leave,
        manage: &manage,
        subject: about.subject,
        sender: &sender,
        reason: about.reason,
        custom: &custom,
        ..facts.values(list)
    };
    let language = locales::locale(tx, list.account)?.language;
    let (kind, subject, text, built_in) = match what {
        SenderNotice::Held => {
            let built_in = BuiltIn::held(language, &values);
            (SystemMailKind::Hold, &list.hold_subject, &list.hold_message, built_in)
        }
        SenderNotice::Rejected => {
            let built_in = BuiltIn::rejected(language, &values);
            (SystemMailKind::Reject, &list.reject_subject, &list.reject_message, built_in)
        }
    };
    // This server signs no subject that a stranger wrote.
    let without_subject = Values { subject: "", ..values };
    let subject = subject.as_ref().map(|template| without_subject.fill_header(template));
    let text = text.as_ref().map(|template| values.fill_text(template));
    let wording = if text.is_some() { Wording::Own } else { Wording::BuiltIn };
    let notice = NewNotice {
        kind,
        from_phrase: list.title(),
        from_local: &owner_local(list),
        to: about.to,
        reply_to: None,
        subject: &subject.unwrap_or(built_in.subject),
        text: &text.unwrap_or(built_in.text),
        buttons: &values.buttons(language),
        wording,
        in_reply_to: about.message_id,
    };
    write(tx, mail_context, list.account, &notice, now)
}
