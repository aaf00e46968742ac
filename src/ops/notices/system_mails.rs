//! System mail: mail outside of lists' archives that the server writes or passes on, queues beside posts, and forgets.
//!
//! System mail is queued in the job of its cause, so that both are durable or neither is. Notices never go to an empty
//! sender or to a machine's address: two servers that answer each other would never stop.

use crate::clock::Timestamp;
use crate::mail::{self, Button, Notice, Wording};
use crate::model::address::LOCAL_BYTES_MAX;
use crate::model::{
    AccountDomain, AccountId, Batch, BlobId, EmailAddress, List, Order, Recipient, ReturnPath,
    SYSTEM_MAIL_KEPT_FOR, SystemMail, SystemMailId, SystemMailKind,
};
use crate::ops::context::MailContext;
use crate::ops::overdue::overdue_rows;
use crate::ops::queue::enqueue::enqueue_system_mail;
use crate::ops::{domains, locales};
use crate::schema::{BATCH_BY_SYSTEM_MAIL, SYSTEM_MAIL_BY_DUE};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Local parts of machines' addresses, which are never written to (RFC 3834 2).
const MACHINES: [&str; 8] =
    ["mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply", "do-not-reply", "bounce", "bounces"];
/// The beginnings and the ends of other machines' local parts.
const MACHINE_PREFIXES: [&str; 4] = ["owner-", "bounces+", "bounce+", "confirm+"];
const MACHINE_SUFFIXES: [&str; 4] = ["-request", "-bounces", "-owner", "-noreply"];

/// Whether an address looks like a person's, so that the server may write to it: a machine's would answer.
#[must_use]
pub fn is_a_person(address: &EmailAddress) -> bool {
    let local = address.local().to_ascii_lowercase();
    !MACHINES.contains(&local.as_str())
        && !MACHINE_PREFIXES.iter().any(|prefix| local.starts_with(prefix))
        && !MACHINE_SUFFIXES.iter().any(|suffix| local.ends_with(suffix))
}

/// Mail that the server writes itself.
#[derive(Debug, Clone)]
pub struct NewNotice<'a> {
    /// The kind of mail.
    pub kind: SystemMailKind,
    /// Name in From.
    pub from_phrase: &'a str,
    /// The local part of From; the domain is the account's.
    pub from_local: &'a str,
    /// The recipient.
    pub to: &'a EmailAddress,
    /// The address for replies, if it is not From.
    pub reply_to: Option<&'a EmailAddress>,
    /// Its subject.
    pub subject: &'a str,
    /// Plain text, of which the HTML is made.
    pub text: &'a str,
    /// The links in the text, with their words.
    pub buttons: &'a [Button],
    /// Whose words the text is.
    pub wording: Wording,
    /// Message-ID of the message that it is about.
    pub in_reply_to: Option<&'a str>,
}

/// Whether this kind answers a mail, so that nothing may ever answer it (RFC 3834 3.3).
fn is_answer(kind: SystemMailKind) -> bool {
    match kind {
        SystemMailKind::Hold | SystemMailKind::Reject | SystemMailKind::Answer => true,
        SystemMailKind::Moderation
        | SystemMailKind::Welcome
        | SystemMailKind::Invitation
        | SystemMailKind::Problem
        | SystemMailKind::Probe
        | SystemMailKind::Forward
        | SystemMailKind::SignIn
        | SystemMailKind::Confirmation
        | SystemMailKind::Decision
        | SystemMailKind::News
        | SystemMailKind::Test => false,
    }
}

/// Writes a notice and queues it.
pub fn write(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    notice: &NewNotice<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    write_to(tx, mail_context, account, notice, Recipient::of_system_mail(notice.to.clone(), now), now)
}

/// Writes a notice to a contact's address, so that the outcome of its delivery counts for that address.
pub(in crate::ops) fn write_to(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    notice: &NewNotice<'_>,
    recipient: Recipient,
    now: Timestamp,
) -> Result<(), StoreError> {
    let domain = domains::main_domain(tx, account)?;
    let id = SystemMailId(tx.next_id::<SystemMail>()?);
    let from = format!("{}@{}", notice.from_local, domain.name);
    let from = EmailAddress::parse(&from).map_err(|error| StoreError::corrupt("domain", error))?;
    let is_answer = is_answer(notice.kind);
    let language = locales::locale(tx, account)?.language;
    let raw = mail::compose_notice(&Notice {
        message_id: &format!("letter-{id}.{}@{}", now.ms(), domain.name),
        now,
        from_phrase: notice.from_phrase,
        from_address: &from,
        to: notice.to,
        reply_to: notice.reply_to,
        subject: notice.subject,
        text: notice.text,
        buttons: notice.buttons,
        wording: notice.wording,
        in_reply_to: notice.in_reply_to,
        language,
        is_answer,
    });
    let return_path = if is_answer { ReturnPath::Null } else { ReturnPath::Bounces };
    let to = vec![recipient];
    let (kind, raw, requires_tls) = (notice.kind, raw.as_slice(), false);
    let system_mail = NewSystemMail { account, kind, return_path, raw, requires_tls, to };
    queue(tx, mail_context, id, system_mail, now)
}

/// Writes a report on a mail to its sender and queues it. If the mail required TLS, so does the report, which contains
/// the mail's header. `compose` gets its Message-ID and its author.
pub(in crate::ops) fn write_report(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    to: &EmailAddress,
    requires_tls: bool,
    now: Timestamp,
    compose: impl FnOnce(&str, &EmailAddress) -> Vec<u8>,
) -> Result<(), StoreError> {
    let domain = domains::main_domain(tx, account)?;
    let id = SystemMailId(tx.next_id::<SystemMail>()?);
    let from = EmailAddress::parse(&format!("postmaster@{}", domain.name))
        .map_err(|error| StoreError::corrupt("domain", error))?;
    let raw = compose(&format!("letter-{id}.{}@{}", now.ms(), domain.name), &from);
    let to = vec![Recipient::of_system_mail(to.clone(), now)];
    let (kind, return_path, raw) = (SystemMailKind::Answer, ReturnPath::Null, raw.as_slice());
    let system_mail = NewSystemMail { account, kind, return_path, raw, requires_tls, to };
    queue(tx, mail_context, id, system_mail, now)
}

/// The local part of the address of a list's moderators.
#[must_use]
pub fn owner_local(list: &List) -> String {
    local_of(list, "owner")
}

/// The local part of one of a list's own addresses; that of the administrators where the name of the list leaves no room
/// for it.
#[must_use]
pub fn local_of(list: &List, suffix: &str) -> String {
    let local = format!("{}-{suffix}", list.name);
    if local.len() <= LOCAL_BYTES_MAX { local } else { "postmaster".to_owned() }
}

/// `confirm+TOKEN@D`, the address for replies to a request.
pub(in crate::ops) fn confirm_address(
    token: &str,
    domain: &AccountDomain,
) -> Result<EmailAddress, StoreError> {
    EmailAddress::parse(&format!("confirm+{token}@{}", domain.name))
        .map_err(|error| StoreError::corrupt("domain", error))
}

/// Mail that is queued unchanged.
struct NewSystemMail<'a> {
    account: AccountId,
    kind: SystemMailKind,
    return_path: ReturnPath,
    raw: &'a [u8],
    requires_tls: bool,
    to: Vec<Recipient>,
}

fn queue(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    id: SystemMailId,
    system_mail: NewSystemMail<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let NewSystemMail { account, kind, return_path, raw, requires_tls, to } = system_mail;
    let blob = BlobId(tx.put_blob(raw)?.0);
    let (created, kept_until) = (now, now + SYSTEM_MAIL_KEPT_FOR);
    let system_mail = SystemMail { id, account, kind, return_path, blob, created, kept_until, requires_tls };
    tx.put(&system_mail)?;
    enqueue_system_mail(tx, &system_mail, to, mail_context.config.routing())?;
    mail_context.metrics.sending.system_mails.count([kind.word()]);
    tracing::info!(system_mail.id = id.0, system_mail.kind = kind.word(), "System mail {id} is queued");
    Ok(())
}

/// Passes somebody else's mail on unchanged. A report stays one that nothing answers.
pub(in crate::ops) fn pass_on(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    mail: PassedOn<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let PassedOn { raw, has_empty_sender, requires_tls, to } = mail;
    let id = SystemMailId(tx.next_id::<SystemMail>()?);
    let return_path = if has_empty_sender { ReturnPath::Null } else { ReturnPath::Bounces };
    let to = to.into_iter().map(|address| Recipient::of_system_mail(address, now)).collect();
    let kind = SystemMailKind::Forward;
    let system_mail = NewSystemMail { account, kind, return_path, raw, requires_tls, to };
    queue(tx, mail_context, id, system_mail, now)
}

/// Sends an administrator a message that is not published yet, as a member would get it.
pub(crate) fn show_copy(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    (raw, to): (&[u8], &EmailAddress),
    now: Timestamp,
) -> Result<(), StoreError> {
    let id = SystemMailId(tx.next_id::<SystemMail>()?);
    let (kind, return_path) = (SystemMailKind::Test, ReturnPath::Bounces);
    let to = vec![Recipient::of_system_mail(to.clone(), now)];
    let system_mail = NewSystemMail { account, kind, return_path, raw, requires_tls: false, to };
    queue(tx, mail_context, id, system_mail, now)
}

/// Somebody else's mail that is passed on.
pub(in crate::ops) struct PassedOn<'a> {
    /// Its bytes.
    pub(in crate::ops) raw: &'a [u8],
    /// Whether it came from the empty sender.
    pub(in crate::ops) has_empty_sender: bool,
    /// Whether it came under REQUIRETLS.
    pub(in crate::ops) requires_tls: bool,
    /// The recipients.
    pub(in crate::ops) to: Vec<EmailAddress>,
}

/// Deletes old system mail with the outcomes of its delivery. Mail that the operator holds is kept for the same time
/// again.
pub(in crate::ops) fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &SYSTEM_MAIL_BY_DUE, now, limit)? {
        let Some(mut system_mail) = tx.get::<SystemMail>(id)? else { continue };
        let batches = Key::new().u64(system_mail.account.0).u64(id);
        let batches: Vec<Batch> = tx.page(&BATCH_BY_SYSTEM_MAIL, &batches.into(), usize::MAX)?;
        if batches.iter().any(|batch| batch.order == Some(Order::Hold)) {
            system_mail.kept_until = now + SYSTEM_MAIL_KEPT_FOR;
            tx.put(&system_mail)?;
            continue;
        }
        for batch in batches {
            tx.delete::<Batch>(batch.id.0)?;
        }
        tx.delete::<SystemMail>(id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_told_from_people_by_their_names() {
        let is_person = |text: &str| is_a_person(&EmailAddress::parse(text).unwrap());
        for person in ["ada@x.org", "ada-owner.x@x.org", "bouncesbury@x.org", "request@x.org"] {
            assert!(is_person(person), "{person}");
        }
        for machine in [
            "MAILER-DAEMON@x.org",
            "owner-news@x.org",
            "news-Request@x.org",
            "bounces+a@x.org",
            "no-reply@x.org",
        ] {
            assert!(!is_person(machine), "{machine}");
        }
    }
}
