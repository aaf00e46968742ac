//! Composes a message that a member writes on the pages; `service::write` hands it to its list. It is decided by the
//! same rules as mail, as mail of a sender who is proven: a session proved the member, and the address is one of the
//! member's own.
//!
//! Its Message-ID is made of what was written and of the key of the form, so the same form sent twice is recognised as
//! the same message, as mail that a server sends twice is. A rejection is told on the page and not by mail; the
//! decision about a message that waits is told by mail, as for any other.

use crate::clock::Timestamp;
use crate::mail::{self, NewPost};
use crate::model::{Account, Contact, EmailAddress, Links, List, ListId, Message, MessageId};
use crate::ops::archive::access::{self, Reader};
use crate::ops::archive::messages::list_address;
use crate::ops::archive::{browse, shown};
use crate::ops::locales::locale_of;
use crate::ops::people::own::{self, addresses};
use crate::ops::{Caller, OpError, domains};
use crate::secret::sha256_text;
use crate::store::{self, Read, StoreError};

/// Most characters of a subject.
pub const SUBJECT_CHARS_MAX: usize = 500;
/// Bytes of a message in which its header is looked for.
const HEADER_BYTES_MAX: u64 = 64 * 1024;
/// References that a reply names, of longer chains the newest.
const REFERENCES_MAX: usize = 20;
/// Bytes of a hash that stand in a Message-ID.
const MESSAGE_ID_BYTES: usize = 20;
/// Most characters of a text that is quoted.
const QUOTED_CHARS_MAX: usize = 20_000;
/// Paragraphs of a message that can be quoted one by one.
const PARAGRAPHS_MAX: usize = 100;
/// A message that a member writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWriting {
    /// The list.
    pub list: ListId,
    /// The address in From: one of [`senders`].
    pub from: EmailAddress,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The message that it replies to, and the member as a reader of the archive.
    pub reply: Option<(MessageId, Reader)>,
    /// The key of the form ([`drafts::key`](crate::ops::people::drafts::key)).
    pub key: String,
}

/// The addresses under which a member may write: the first one, and every other that is confirmed.
///
/// # Errors
/// If the store fails.
pub fn senders(tx: &impl Read, contact: &Contact) -> Result<Vec<EmailAddress>, StoreError> {
    let own = addresses::list(tx, contact)?.into_iter().enumerate();
    let may = own.filter(|(place, own)| *place == 0 || own.email.confirmed);
    Ok(may.map(|(_, own)| own.email.address).collect())
}

/// The message of a list that a member wants to reply to.
///
/// # Errors
/// `NotFound` if there is none that this reader may read.
pub fn replied(tx: &impl Read, list: &List, reader: &Reader, id: MessageId) -> Result<Message, OpError> {
    match browse::message(tx, list, id)? {
        Some(message) if access::may_read(tx, list, reader)? => Ok(message),
        _ => Err(OpError::NotFound { what: "message" }),
    }
}

/// The paragraphs of a message that a reply may quote: what members got of it, with addresses hidden from a reader who
/// may not see them.
///
/// # Errors
/// If the store fails, or the message cannot be read.
pub fn paragraphs(
    tx: &impl Read,
    links: &Links,
    list: &List,
    reader: &Reader,
    message: &Message,
) -> Result<Vec<String>, OpError> {
    let Some(shown) = shown::mail(tx, links, list, message)? else {
        return Err(OpError::NotFound { what: "message" });
    };
    let text = shown.text_beginning(4 * QUOTED_CHARS_MAX);
    let mut text: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    if !access::shows_addresses(tx, list, reader)? {
        text = mail::reading::hide_addresses(&text);
    }
    // What stands below the line of a signature is not answered.
    let text = text.replace("\r\n", "\n");
    let (text, _) = text.split_once("\n-- \n").unwrap_or((&text, ""));
    let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
    let between_blanks = trimmed.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let mut paragraphs: Vec<String> = between_blanks.map(|lines| lines.join("\n")).collect();
    // The last one holds all the rest.
    if PARAGRAPHS_MAX < paragraphs.len() {
        let rest = paragraphs.split_off(PARAGRAPHS_MAX - 1).join("\n\n");
        paragraphs.push(rest);
    }
    Ok(paragraphs)
}

/// Paragraphs as a reply quotes them, each line behind `>`.
#[must_use]
pub fn quoted(paragraphs: &[&str]) -> String {
    let mut quoted = String::new();
    for line in paragraphs.join("\n\n").lines() {
        quoted.push('>');
        if !line.is_empty() && !line.starts_with('>') {
            quoted.push(' ');
        }
        quoted.push_str(line);
        quoted.push('\n');
    }
    quoted
}

/// The subject of a reply.
#[must_use]
pub fn reply_subject(subject: &str) -> String {
    let is_reply = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    if is_reply { subject.to_owned() } else { format!("Re: {subject}") }
}

/// A message as it comes to its list.
pub(crate) struct Composed {
    pub(crate) list: List,
    /// The address of the list.
    pub(crate) address: EmailAddress,
    pub(crate) raw: Vec<u8>,
    pub(crate) message_id: String,
}

/// Composes what a member wrote, for a list that the member may see.
pub(crate) fn compose(
    tx: &impl Read,
    caller: &Caller,
    writing: &NewWriting,
    now: Timestamp,
) -> Result<Composed, OpError> {
    let contact = own::contact(tx, caller)?;
    let list: Option<List> = tx.get(writing.list.0)?;
    let list =
        list.filter(|list| list.account == caller.account).ok_or(OpError::NotFound { what: "list" })?;
    if !senders(tx, &contact)?.contains(&writing.from) {
        return Err(OpError::NotFound { what: "email" });
    }
    let parent = match &writing.reply {
        Some((id, reader)) => Some(replied(tx, &list, reader, *id)?),
        None => None,
    };
    let references = match &parent {
        Some(parent) => references_of(tx, parent)?,
        None => Vec::new(),
    };
    let domain = domains::main_domain(tx, list.account)?;
    let NewWriting { list: _, from, subject, text, reply, key } = writing;
    let reply = reply.as_ref().map(|(id, _)| id);
    let hash = sha256_text(format_args!(
        "written by {} to {} with {key}: {from} {reply:?} {subject:?} {text:?}",
        contact.id, list.id
    ));
    let token = data_encoding::BASE32_NOPAD.encode(&hash[..MESSAGE_ID_BYTES]).to_ascii_lowercase();
    let message_id = format!("{token}@{}", domain.name);
    let address = list_address(&list, &domain);
    let raw = mail::compose_flowed(&NewPost {
        message_id: &message_id,
        now,
        from_phrase: &contact.name(),
        from_address: from,
        list_address: &address,
        subject: subject.trim(),
        content_plain: Some(text),
        content_html: None,
        in_reply_to: parent.as_ref().map(|parent| parent.message_id.as_str()),
        references: &references,
        attachments: &[],
    });
    Ok(Composed { list, address, raw, message_id })
}

/// The References of a message, oldest first; none of a message that cannot be read.
fn references_of(tx: &impl Read, parent: &Message) -> Result<Vec<String>, StoreError> {
    // They stand in the header.
    let header = tx.blob_range(store::BlobId(parent.blob.0), 0..HEADER_BYTES_MAX);
    let mut references = match header {
        Ok(bytes) => mail::parse_leniently(bytes).references,
        Err(StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    references.retain(|id| *id != parent.message_id);
    let longer = references.len().saturating_sub(REFERENCES_MAX);
    references.drain(..longer);
    Ok(references)
}

/// The day and the time of a message as a quote names them, in the language and time zone of the list's account.
///
/// # Errors
/// If the store fails.
pub fn quoted_time(tx: &impl Read, message: &Message) -> Result<String, StoreError> {
    let account: Option<Account> = tx.get(message.account.0)?;
    Ok(account.as_ref().map(locale_of).unwrap_or_default().moment(message.time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_of_a_reply_says_so_once() {
        for (subject, expected) in [
            ("Cake", "Re: Cake"),
            ("Re: Cake", "Re: Cake"),
            ("RE: Cake", "RE: Cake"),
            ("", "Re: "),
            ("é", "Re: é"),
        ] {
            assert_eq!(reply_subject(subject), expected);
        }
    }
}
