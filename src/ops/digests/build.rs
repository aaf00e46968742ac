//! Builds the mail of a digest from its posts, as members get them. It writes nothing.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::digest::{
    ComposedDigest, DIGEST_BYTES_MAX, DigestEntry, NewDigest, compose_digest, day_in_words, first_words,
    kept_part, without_attachments,
};
use crate::mail::{self, Inbound};
use crate::model::digest::Day;
use crate::model::{BlobId, Digest, DigestFanOut, Links, List, ListId, Message, MessageId, SealedOriginal};
use crate::ops::archive::messages::list_address;
use crate::ops::archive::shown;
use crate::ops::domains::main_domain;
use crate::ops::locales;
use crate::store::{Read, StoreError};

/// Characters of a message's text from which its first words are taken.
const PREVIEW_CHARS: usize = 4_000;
/// The size, in bytes, that a message without its files is taken to have.
const SHORT_BYTES: u64 = 16 * 1024;

/// A digest that is yet to be written.
#[derive(Debug)]
pub struct Built {
    /// The posts in it, with the bytes that they had.
    pub messages: Vec<(MessageId, BlobId)>,
    /// Its subject, without the list's prefix.
    pub subject: String,
    /// The mail.
    pub mail: ComposedDigest,
    /// Whether its copies need TLS, as one of its posts does.
    pub requires_tls: bool,
}

/// A list's digest of a day.
#[derive(Debug, Clone, Copy)]
struct Issue {
    list: ListId,
    day: Day,
    made: Timestamp,
}

/// Builds the digest of some posts of a fan-out; `None` if none of them is left in the archive, or the list is gone.
pub fn build(
    tx: &impl Read,
    links: &Links,
    fan_out: &DigestFanOut,
    places: &[u32],
) -> Result<Option<Built>, StoreError> {
    let posts = places.iter().filter_map(|place| fan_out.posts.get(*place as usize));
    let posts: Vec<MessageId> = posts.map(|post| post.message).collect();
    let messages = kept(tx, &posts)?;
    let ids: Vec<MessageId> = messages.iter().map(|message| message.id).collect();
    let issue = Issue { list: fan_out.list, day: fan_out.day, made: fan_out.made };
    compose(tx, links, issue, &ids, &messages)
}

/// Builds a digest once more, under its Message-ID, of those of its posts that are left as they were sent; `None` if
/// there are none, or the list is gone.
pub fn rebuild(tx: &impl Read, links: &Links, digest: &Digest) -> Result<Option<Built>, StoreError> {
    let issue = Issue { list: digest.list, day: digest.day, made: digest.made };
    compose(tx, links, issue, &digest.messages, &kept(tx, &digest.messages)?)
}

/// The posts that a digest may hold: those that no moderator took out, or took words out of (`spec/mail.md` 9).
pub fn kept(tx: &impl Read, posts: &[MessageId]) -> Result<Vec<Message>, StoreError> {
    let mut kept = Vec::with_capacity(posts.len());
    for id in posts {
        let message = tx.get::<Message>(id.0)?.filter(|message| !message.deleted);
        let is_redacted = message.is_some() && tx.get::<SealedOriginal>(id.0)?.is_some();
        kept.extend(message.filter(|_| !is_redacted));
    }
    Ok(kept)
}

fn compose(
    tx: &impl Read,
    links: &Links,
    issue: Issue,
    ids: &[MessageId],
    messages: &[Message],
) -> Result<Option<Built>, StoreError> {
    let list = tx.get::<List>(issue.list.0)?.filter(|list| !list.pending && !messages.is_empty());
    let Some(list) = list else { return Ok(None) };
    let locale = locales::locale(tx, list.account)?;
    let short = to_shorten(messages);
    let mut entries = Vec::with_capacity(messages.len());
    for message in messages {
        entries.push(entry(tx, links, &list, &locale, message, short.contains(&message.id))?);
    }
    leave_out_the_largest(&mut entries);
    let domain = main_domain(tx, list.account)?;
    let subject = text!(
        locale.language,
        "digest-subject",
        day = day_in_words(&locale, issue.day, false),
        count = entries.len(),
    );
    let mail = compose_digest(&NewDigest {
        message_id: &message_id(issue, ids, domain.name.as_str()),
        made: issue.made,
        day: &day_in_words(&locale, issue.day, true),
        list_title: list.title(),
        list_address: &list_address(&list, &domain),
        locale: &locale,
        subject: &subject,
        entries: &entries,
    });
    let requires_tls = messages.iter().any(|message| message.requires_tls);
    let messages = messages.iter().map(|message| (message.id, message.blob)).collect();
    Ok(Some(Built { messages, subject, mail, requires_tls }))
}

/// The Message-ID of a digest, without angle brackets: the same each time that it is built of the same posts.
fn message_id(issue: Issue, messages: &[MessageId], domain: &str) -> String {
    let (first, last) = (messages.first(), messages.last());
    let number = |id: Option<&MessageId>| id.map_or(0, |id| id.0);
    // The numbers of the posts tell digests of members who switched apart.
    let sum = messages.iter().fold(0_u64, |sum, id| sum.wrapping_mul(31).wrapping_add(id.0));
    mail::made_message_id(MessageId(sum), issue.made, domain).replacen(
        '.',
        &format!(".digest.{}.{}.{}.", issue.list, number(first), number(last)),
        1,
    )
}

/// The messages whose files become links, so that the others fit into one mail: the largest ones.
fn to_shorten(messages: &[Message]) -> HashSet<MessageId> {
    let mut total: u64 = messages.iter().map(|message| message.size_bytes).sum();
    let mut by_size: Vec<&Message> = messages.iter().collect();
    by_size.sort_by_key(|message| std::cmp::Reverse(message.size_bytes));
    let mut short = HashSet::new();
    for message in by_size {
        if total <= DIGEST_BYTES_MAX {
            break;
        }
        total = total.saturating_sub(message.size_bytes.saturating_sub(SHORT_BYTES));
        short.insert(message.id);
    }
    short
}

/// Leaves messages in the contents alone that are too large without their files too.
fn leave_out_the_largest(entries: &mut [DigestEntry]) {
    let bytes = |entry: &DigestEntry| entry.mail.as_ref().map_or(0, |mail| mail.len() as u64);
    let mut total: u64 = entries.iter().map(bytes).sum();
    let mut by_size: Vec<usize> = (0..entries.len()).collect();
    by_size.sort_by_key(|place| std::cmp::Reverse(bytes(&entries[*place])));
    for place in by_size {
        if total <= DIGEST_BYTES_MAX {
            return;
        }
        total -= bytes(&entries[place]);
        entries[place].mail = None;
    }
}

fn entry(
    tx: &impl Read,
    links: &Links,
    list: &List,
    locale: &Locale,
    message: &Message,
    is_short: bool,
) -> Result<DigestEntry, StoreError> {
    let bare = || DigestEntry {
        subject: message.subject.clone(),
        sender: String::new(),
        time: message.time,
        first_words: String::new(),
        message_id: message.message_id.clone(),
        attachments: 0,
        permalink: links.message(list, message.id),
        mail: None,
    };
    let read = || {
        let shown = shown::mail(tx, links, list, message)?;
        Ok(shown.map_or_else(bare, |shown| filled(bare(), &shown, locale, is_short)))
    };
    // One message on which the server fails must not keep the others from anybody.
    let error = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(entry)) => return Ok(entry),
        Ok(Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }))) => error,
        Ok(Err(error)) => return Err(error),
        Err(_) => StoreError::Panicked,
    };
    let id = message.id;
    tracing::error!(message.id = id.0, error = %error, "Message {id} cannot be shown in a digest");
    Ok(bare())
}

/// An entry with what a message shows.
fn filled(entry: DigestEntry, shown: &Inbound, locale: &Locale, is_short: bool) -> DigestEntry {
    let sender = shown.from.as_ref().map_or_else(String::new, |from| match from.name.trim() {
        "" => from.address.to_string(),
        name => name.to_owned(),
    });
    let mail = if is_short {
        without_attachments(shown, entry.permalink.as_deref(), locale.language)
    } else {
        kept_part(shown)
    };
    DigestEntry {
        subject: shown.subject.clone(),
        sender,
        first_words: first_words(&shown.preview(PREVIEW_CHARS).unwrap_or_default()),
        attachments: shown.count_attachments(),
        mail: Some(mail),
        ..entry
    }
}
