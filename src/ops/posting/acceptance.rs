//! Decides whether incoming mail is taken and what a list does with it.
//!
//! Every check of mail from outside is here, in the order in which a sender meets it: the disk, the recipient, the
//! size, the policy of the author's domain, the form, and then the list with its rules, limits and notices.
//! [`inbound`](super::inbound) calls it for mail that arrives and carries the decision out; the simulator calls it for
//! mail that does not. Nothing here writes.

use crate::clock::Timestamp;
use crate::mail::envelope::{Envelope, Notify, ReversePath, Route};
use crate::mail::policy::Posting;
use crate::mail::smtp_reply::SmtpReply;
use crate::mail::{self, DiscardReason, HoldReason, Inbound, RejectReason, SenderFacts, Verdict};
use crate::model::{Authentication, BlobId, DedupScope, List};
use crate::ops::archive::closing;
use crate::ops::archive::messages::{find_all_by_message_id, stored_mail};
use crate::ops::moderation::notices::About;
use crate::ops::notices::backscatter::{self, Cause, SenderProof};
use crate::ops::notices::system_mails;
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::seen_mail;
use crate::ops::{domains, moderation};
use crate::schema::{EMAIL_BY_ADDRESS, MEMBERSHIP_BY_CONTACT};
use crate::store::{Condition, Key, Read, StoreError};

/// Messages of one Message-ID that a message is compared with.
const EARLIER_MAX: usize = 10;
/// Bytes of messages that are compared: larger ones with the same Message-ID count as the same.
const COMPARED_BYTES_MAX: u64 = 1 << 20;

/// The decision of a list about a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance {
    /// The message goes to the members.
    Posted,
    /// The message waits for a moderator.
    Held(HoldReason),
    /// The message is dropped.
    Discarded(DiscardReason),
    /// The message is taken and sent back with a notice of the list.
    Returned(RejectReason),
    /// The message is not taken. If it has several recipients, a refusal by the list's rules affects none of the
    /// others.
    Refused(Refusal),
}

impl Acceptance {
    /// The decision in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Acceptance::Posted => "post",
            Acceptance::Held(_) => "hold",
            Acceptance::Discarded(_) => "discard",
            Acceptance::Refused(refusal) if refusal.reply().is_temporary() => "defer",
            Acceptance::Returned(_) | Acceptance::Refused(_) => "reject",
        }
    }

    /// The reason; `None` for a message that is posted.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Acceptance::Posted => None,
            Acceptance::Held(reason) => Some(reason.to_string()),
            Acceptance::Discarded(reason) => Some(reason.to_string()),
            Acceptance::Returned(reason) => Some(reason.to_string()),
            Acceptance::Refused(refusal) => Some(refusal.reason()),
        }
    }

    /// The SMTP reply to the sender.
    #[must_use]
    pub fn reply(&self) -> SmtpReply {
        match self {
            Acceptance::Posted | Acceptance::Held(_) | Acceptance::Discarded(_) | Acceptance::Returned(_) => {
                SmtpReply::ACCEPTED
            }
            Acceptance::Refused(refusal) => refusal.reply(),
        }
    }
}

/// The refusal of all mail while the disk is full or fails.
pub(crate) fn refusal_of_disk(condition: &Condition) -> Option<Refusal> {
    match condition {
        Condition::Healthy => None,
        Condition::Full { .. } => Some(Refusal::DiskFull),
        Condition::Failing { .. } => Some(Refusal::DiskFails),
    }
}

/// Passes a route that takes a message of this size, as far as the size is known.
pub(crate) fn fitting(route: Route, size_bytes: Option<u64>) -> Result<Route, Refusal> {
    match (route.limit_bytes(), size_bytes) {
        (Some(limit_bytes), Some(bytes)) if limit_bytes < bytes => Err(Refusal::TooLarge { limit_bytes }),
        _ => Ok(route),
    }
}

/// The route to a list that takes mail.
pub(crate) fn route_to(list: &List, size_bytes: Option<u64>) -> Result<Route, Refusal> {
    if list.pending {
        return Err(Refusal::NoSuchRecipient);
    }
    fitting(Route::List { list: list.id, limit_bytes: list.maxlength_bytes() }, size_bytes)
}

/// The refusal for all recipients by the policy of the author's domain. A report on a delivery is exempt: its token
/// proves it, and the systems that write reports are often misaligned.
pub(crate) fn refusal_of_author(
    authentication: &Authentication,
    mut routes: impl Iterator<Item = Route>,
) -> Option<Refusal> {
    let mut only_reports = || routes.all(|route| matches!(route, Route::Bounce { .. }));
    (authentication.is_refused() && !only_reports()).then_some(Refusal::Forged)
}

/// Passes a message whose form lets it be delivered, whatever its content.
pub(crate) fn check_form(inbound: &Inbound, mut routes: impl Iterator<Item = Route>) -> Result<(), Refusal> {
    if routes.any(|route| matches!(route, Route::List { .. })) {
        inbound.check_post().map_err(Refusal::Malformed)?;
    }
    Ok(())
}

/// The facts about a message as it arrives at a list.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct MailToList<'a> {
    /// The envelope.
    pub(in crate::ops) envelope: &'a Envelope,
    /// The message.
    pub(in crate::ops) inbound: &'a Inbound,
    /// The events that its sender wants to be told of.
    pub(in crate::ops) notify: Notify,
    /// The reason to hold it by the list's patterns, if there is one.
    pub(in crate::ops) taboo: Option<&'a HoldReason>,
    /// The time of arrival.
    pub(in crate::ops) now: Timestamp,
}

/// The decision about a message at a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ops) struct Decision {
    /// The result of the rules.
    pub(in crate::ops) verdict: Verdict,
    /// The resulting action.
    pub(in crate::ops) acceptance: Acceptance,
}

/// Decides about a message at a list that takes mail.
pub(in crate::ops) fn at_list(
    tx: &impl Read,
    list: &List,
    mail: &MailToList<'_>,
) -> Result<Decision, StoreError> {
    let verdict = with_posting(tx, list, mail, mail::decide)?;
    let authentication = &mail.envelope.authentication;
    if verdict.is_for_want_of_proof() && authentication.is_undecided() {
        return Ok(Decision { verdict, acceptance: Acceptance::Refused(Refusal::Unverified) });
    }
    let acceptance = match verdict.clone() {
        Verdict::Post => Acceptance::Posted,
        Verdict::Discard(reason) => Acceptance::Discarded(reason),
        Verdict::Hold(reason) => {
            let from = mail.inbound.from.as_ref().map_or("", |from| from.address.as_str());
            let size_bytes = mail.inbound.raw.len() as u64;
            match moderation::exceeded_limit(tx, list, from, authentication, size_bytes, mail.now)? {
                Some(limit) => Acceptance::Refused(Refusal::TooManyHeld(limit)),
                None => Acceptance::Held(reason),
            }
        }
        Verdict::Reject(reason) if is_told(tx, list, mail)? => Acceptance::Returned(reason),
        Verdict::Reject(reason) => Acceptance::Refused(Refusal::Rejected(reason)),
    };
    Ok(Decision { verdict, acceptance })
}

/// Calls `judge` with everything that the rules of a list ask about a message.
pub(in crate::ops) fn with_posting<T>(
    tx: &impl Read,
    list: &List,
    mail: &MailToList<'_>,
    judge: impl FnOnce(&Posting<'_>) -> T,
) -> Result<T, StoreError> {
    let domain = domains::main_domain(tx, list.account)?;
    Ok(judge(&Posting {
        list,
        list_id: &mail::list_id(list, domain.name.as_str()),
        taboo: mail.taboo,
        sender_facts: &sender_facts(tx, list, mail)?,
        message: mail.inbound,
        size_bytes: mail.envelope.size_bytes,
    }))
}

/// The facts for a notice to the message's sender; `None` if the sender is empty, a machine, or disproven.
pub(in crate::ops) fn about<'a>(mail: &MailToList<'a>, reason: &'a str) -> Option<About<'a>> {
    let MailToList { envelope, inbound, .. } = *mail;
    let sender = envelope.reverse_path.address();
    let to = sender.filter(|address| !inbound.looks_automatic() && system_mails::is_a_person(address))?;
    let proof = SenderProof::of_arrival(envelope, inbound, to);
    if proof == SenderProof::Disproven {
        return None;
    }
    let from = inbound.from.as_ref();
    Some(About {
        to,
        proof,
        cause: Cause::Client(envelope.client),
        from_phrase: from.map_or("", |from| &from.name),
        from_address: from.map_or("", |from| from.address.as_str()),
        subject: &inbound.subject,
        message_id: inbound.message_id.as_deref(),
        reason,
    })
}

/// Whether the sender of a message that goes back gets a notice, or got one before: the list sends notices and this
/// sender may get one (`spec/mail.md` 11).
fn is_told(tx: &impl Read, list: &List, mail: &MailToList<'_>) -> Result<bool, StoreError> {
    if !list.send_reject_message || !mail.notify.failure {
        return Ok(false);
    }
    let Some(About { to, proof, cause, .. }) = about(mail, "") else { return Ok(false) };
    let scope = DedupScope::Rejection(list.id);
    Ok(seen_mail::is_known(tx, list.account, scope, mail.inbound, mail.now)?
        || backscatter::is_allowed(tx, to, proof, &cause, mail.now)?)
}

/// The stored facts about the sender and about earlier arrivals of the message.
fn sender_facts(tx: &impl Read, list: &List, mail: &MailToList<'_>) -> Result<SenderFacts, StoreError> {
    let earlier = earlier(tx, list, mail)?;
    Ok(SenderFacts {
        is_member_of_restricted_lists: is_member_of_any(tx, list, mail.inbound)?,
        from_is_proven: mail.envelope.authentication.proves_from(),
        is_duplicate: earlier == Earlier::Same,
        has_known_id: earlier == Earlier::Other,
        has_report_sender: match &mail.envelope.reverse_path {
            ReversePath::Empty => true,
            ReversePath::Address(sender) => mail::is_report_sender(sender, mail.inbound),
            ReversePath::Other(_) => false,
        },
        replies_to_closed_thread: closing::is_closed_to(tx, list, mail.inbound)?,
    })
}

/// What a list had before with the Message-ID of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Earlier {
    /// Nothing.
    None,
    /// The same text.
    Same,
    /// Another text.
    Other,
}

/// Compares a message with those of its Message-ID that the list published or holds. What was rejected or discarded
/// does not count: its author may send it again.
fn earlier(tx: &impl Read, list: &List, mail: &MailToList<'_>) -> Result<Earlier, StoreError> {
    let MailToList { envelope, inbound, now, .. } = *mail;
    let Some(message_id) = &inbound.message_id else { return Ok(Earlier::None) };
    let published = find_all_by_message_id(tx, list, message_id, EARLIER_MAX)?;
    let published = published.iter().filter(|message| message.is_known(now));
    let published = published.map(|message| (message.blob, message.size_bytes));
    let from = inbound.from.as_ref().map_or("", |from| from.address.as_str());
    let held = moderation::held_before(tx, list, message_id, from, envelope.authentication.proves_from())?;
    let held = held.iter().take(EARLIER_MAX).map(|held| (held.blob, held.size_bytes));
    let mails: Vec<(BlobId, u64)> = published.chain(held).collect();
    if mails.is_empty() {
        return Ok(Earlier::None);
    }
    // This runs in the writer: a large mail is not even read.
    let sizes = mails.iter().map(|(_, size_bytes)| *size_bytes).chain([inbound.raw.len() as u64]);
    if sizes.max().is_some_and(|largest| COMPARED_BYTES_MAX < largest) {
        return Ok(Earlier::Same);
    }
    let text = text_of(inbound);
    for (blob, _) in mails {
        if has_text(tx, blob, &text)? {
            return Ok(Earlier::Same);
        }
    }
    Ok(Earlier::Other)
}

/// Whether a stored mail has this text, as [`text_of`] makes it. What servers on the way change, such as blanks and
/// encodings, does not count.
fn has_text(tx: &impl Read, blob: BlobId, text: &str) -> Result<bool, StoreError> {
    match stored_mail(tx, blob) {
        Ok(known) => Ok(text_of(&known) == text),
        // Its text was deleted.
        Err(StoreError::UnknownBlob { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// The subject, the text and the names of the files of a mail, without blanks.
fn text_of(inbound: &Inbound) -> String {
    let content = inbound.content();
    let text = content.text();
    let files = content.attachments.iter().map(|file| file.filename.as_str());
    let all = [inbound.subject.as_str(), &text].into_iter().chain(files);
    all.flat_map(str::split_whitespace).collect()
}

/// Whether the author is a member of one of the lists in `restrict_post_lists`.
fn is_member_of_any(tx: &impl Read, list: &List, inbound: &Inbound) -> Result<bool, StoreError> {
    let Some(from) = &inbound.from else { return Ok(false) };
    let account = Key::new().u64(list.account.0);
    let Some(email) = tx.find(&EMAIL_BY_ADDRESS, &account.clone().text(&from.address.folded()))? else {
        return Ok(false);
    };
    for restricted in &list.restrict_post_lists {
        let key = account.clone().u64(email.contact.0).u64(restricted.0);
        if tx.find_id(&MEMBERSHIP_BY_CONTACT, &key)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
