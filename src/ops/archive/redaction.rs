//! Changes that moderators make to a message in the archive: they take it out, take words out of it, or restore it.
//!
//! The original is sealed: encrypted with a key that is made of the server's secret, in a record of its own that only
//! `account_admin` can open, for 30 days after the last change; then the upkeep deletes it. A message that was redacted
//! is another message from then on: its bytes, its index and what is still to be sent of it are the new ones, while
//! copies that were sent, or are being sent, stay as they were. A message that was taken out is sent to its end and then
//! emptied ([`emptying`](super::emptying)).
//!
//! Messages are read, written anew and encrypted outside of the writer. The write job checks that nobody changed the
//! message meanwhile.

use std::sync::Arc;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::{self, PersonWords, Redacted};
use crate::model::{
    AccountId, AuditAction, BlobId, Digest, EmailAddress, Held, List, Message, MessageId, Original,
    Permission, SealedOriginal, TakenOut,
};
use crate::ops::archive::{indexing, messages, threads};
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, OpContext, OpError, Wrong, domains, locales};
use crate::schema::{
    DIGEST_BY_MESSAGE, HELD_BY_APPROVED, HELD_BY_QUARANTINED, SEALED_ORIGINAL_BY_AUTHOR,
    SEALED_ORIGINAL_BY_DUE, sealed_author,
};
use crate::secret::{SEAL_NONCE_BYTES, Signer, sha256_text};
use crate::store::{self, Key, Read, StoreError, WriteTx};

/// Words and addresses that are taken out of a message at once.
pub const WORDS_MAX: usize = 100;
/// Most characters of one of them.
pub const WORD_CHARS_MAX: usize = 200;
/// The local part of the address in From in place of one that was taken out.
const NOBODY: &str = "redacted";

/// A change that a moderator makes to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Takes it out of the archive.
    TakeOut,
    /// Takes these words and addresses out of it.
    Redact(Vec<String>),
    /// Makes it what it was.
    Restore,
}

/// The result of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is done.
    Done,
    /// The message has none of the words.
    NothingFound,
    /// The original cannot be opened: the secret that it was sealed with was replaced.
    Unreadable,
}

/// The words and addresses in a text, one a line, without blanks around them; `None` if there are more than
/// [`WORDS_MAX`], or one is longer than [`WORD_CHARS_MAX`].
#[must_use]
pub fn words_of(text: &str) -> Option<Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let words: Vec<String> = lines.map(ToOwned::to_owned).collect();
    let is_short = |word: &String| word.chars().count() <= WORD_CHARS_MAX;
    (words.len() <= WORDS_MAX && words.iter().all(is_short)).then_some(words)
}

/// The sealed original of a message; `None` if it was not changed, or cannot be restored any more.
///
/// # Errors
/// If the store fails.
pub fn sealed(
    tx: &impl Read,
    list: &List,
    id: MessageId,
    now: Timestamp,
) -> Result<Option<SealedOriginal>, StoreError> {
    let sealed: Option<SealedOriginal> = tx.get(id.0)?;
    Ok(sealed.filter(|sealed| sealed.list == list.id && now < sealed.due()))
}

/// A change that was asked for, with everything that it needs.
pub(crate) struct Asked {
    pub(crate) caller: Arc<Caller>,
    pub(crate) list: List,
    pub(crate) id: MessageId,
    pub(crate) change: Change,
    pub(crate) nonce: [u8; SEAL_NONCE_BYTES],
}

/// A change that is worked out.
pub(crate) struct Prepared {
    /// The message when that was done.
    before: Message,
    step: Step,
}

enum Step {
    /// To take it out, with its encrypted original unless there is one.
    TakeOut { sealed: Option<Vec<u8>> },
    /// To give it another form.
    Redact { sealed: Option<Vec<u8>>, after: Box<Message>, raw: Vec<u8> },
    /// To make it what it was.
    Restore { original: Box<Original> },
}

pub(crate) fn prepare(
    tx: &impl Read,
    signer: &Signer,
    asked: Asked,
    now: Timestamp,
) -> Result<Result<Prepared, Changed>, OpError> {
    let Asked { caller, list, id, change, nonce } = asked;
    caller.require(match change {
        Change::TakeOut | Change::Redact(_) => Permission::ApproveMessages,
        Change::Restore => Permission::AccountAdmin,
    })?;
    let missing = OpError::NotFound { what: "message" };
    let found: Option<Message> = tx.get(id.0)?;
    let found = found.filter(|message| message.list == list.id && caller.sees_message(message));
    let message = found.ok_or(missing.clone())?;
    let before = sealed(tx, &list, id, now)?;
    if change == Change::Restore {
        let before = before.ok_or(missing)?;
        return Ok(opened(tx, signer, &before)?.map(|original| Prepared {
            before: message,
            step: Step::Restore { original: Box::new(original) },
        }));
    }
    if message.deleted {
        return Err(missing);
    }
    let raw = tx.blob(store::BlobId(message.blob.0))?;
    let seal = |raw: Vec<u8>| {
        let original = Original {
            subject: message.subject.clone(),
            from_phrase: message.from_phrase.clone(),
            from_address: message.from_address.clone(),
            raw,
        };
        before.is_none().then(|| signer.seal(nonce, &about(&message), original.to_bytes()))
    };
    let step = match change {
        Change::Redact(words) => {
            let words = PersonWords::of_words(words.iter().map(String::as_str));
            let Some((after, new)) = redacted(tx, &message, &raw, &words)? else {
                return Ok(Err(Changed::NothingFound));
            };
            Step::Redact { sealed: seal(raw), after: Box::new(after), raw: new }
        }
        Change::TakeOut | Change::Restore => Step::TakeOut { sealed: seal(raw) },
    };
    Ok(Ok(Prepared { before: message, step }))
}

/// The bytes that bind an encrypted original to its message.
fn about(message: &Message) -> Vec<u8> {
    [message.account.0.to_be_bytes(), message.id.0.to_be_bytes()].concat()
}

/// The original in a record.
fn opened(
    tx: &impl Read,
    signer: &Signer,
    sealed: &SealedOriginal,
) -> Result<Result<Original, Changed>, StoreError> {
    let about = [sealed.account.0.to_be_bytes(), sealed.id.0.to_be_bytes()].concat();
    let bytes = signer.unseal(&about, &tx.blob(store::BlobId(sealed.blob.0))?);
    Ok(bytes.as_deref().and_then(Original::from_bytes).ok_or(Changed::Unreadable))
}

/// A message without words: its record and its bytes. `None` if it has none of them.
fn redacted(
    tx: &impl Read,
    message: &Message,
    raw: &[u8],
    words: &PersonWords,
) -> Result<Option<(Message, Vec<u8>)>, OpError> {
    if words.is_empty() {
        return Ok(None);
    }
    let language = locales::locale(tx, message.account)?.language;
    let instead = text!(language, "redacted");
    let domain = domains::main_domain(tx, message.account)?.name;
    let address = EmailAddress::parse(&format!("{NOBODY}@{domain}"))
        .map_err(|error| StoreError::corrupt("domain", error))?;
    let mut after = message.clone();
    let put = |text: &mut String| {
        if let Some(new) = words.redacted(text, &instead) {
            *text = new;
        }
    };
    put(&mut after.subject);
    put(&mut after.from_phrase);
    if words.is_in(&after.from_address) {
        // Without an address, nobody would find what names its owner when that person is forgotten.
        (after.from_address, after.from_phrase) = (String::new(), instead.clone());
    }
    let inbound = mail::parse_leniently(raw.to_vec());
    let new = Redacted { words, instead: &instead, address: &address, message_id: &message.message_id };
    let written = mail::redacted(&inbound, &new);
    let is_found = after != *message || inbound.has_words(words);
    if !is_found {
        return Ok(None);
    }
    Ok(Some((after, written)))
}

pub(crate) fn carry_out(tx: &mut WriteTx<'_>, by: &OpContext, prepared: Prepared) -> Result<(), OpError> {
    let Prepared { before, step } = prepared;
    if tx.get::<Message>(before.id.0)?.as_ref().map(unsent_form) != Some(unsent_form(&before)) {
        return Err(OpError::conflict("message", Wrong::Changed));
    }
    let id = before.id;
    match step {
        Step::TakeOut { sealed } => {
            put_sealed(tx, &before, sealed, by.now)?;
            messages::delete(tx, &by.caller, id, by.now)?;
        }
        Step::Redact { sealed, mut after, raw } => {
            put_sealed(tx, &before, sealed, by.now)?;
            put_anew(tx, &mut after, &raw)?;
            let redacted = Note::new(AuditAction::MessageRedacted, id.0).named(&after.subject);
            audit::note(tx, &by.caller, redacted, by.now)?;
        }
        Step::Restore { original } => {
            let Original { subject, from_phrase, from_address, raw } = *original;
            let was_deleted = before.deleted;
            let mut after = Message { subject, from_phrase, from_address, deleted: false, ..before };
            put_anew(tx, &mut after, &raw)?;
            if was_deleted {
                threads::added(tx, &after)?;
            }
            tx.delete::<SealedOriginal>(id.0)?;
            tx.delete::<TakenOut>(id.0)?;
            let restored = Note::new(AuditAction::MessageRestored, id.0).named(&after.subject);
            audit::note(tx, &by.caller, restored, by.now)?;
        }
    }
    Ok(())
}

/// The part of a message that must be the same when a change is written; the notes of its delivery may differ.
fn unsent_form(message: &Message) -> (BlobId, bool, String) {
    (message.blob, message.deleted, message.subject.clone())
}

/// Keeps the original of a message, or the one that is kept already, for another 30 days.
fn put_sealed(
    tx: &mut WriteTx<'_>,
    message: &Message,
    bytes: Option<Vec<u8>>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let kept: Option<SealedOriginal> = tx.get(message.id.0)?;
    let sealed = match (kept, bytes) {
        (Some(kept), None) => SealedOriginal { sealed: now, ..kept },
        (_, bytes) => SealedOriginal {
            id: message.id,
            account: message.account,
            list: message.list,
            author: author_number(message.account, &message.from_address),
            blob: BlobId(tx.put_blob(&bytes.unwrap_or_default())?.0),
            sealed: now,
        },
    };
    tx.put(&sealed)
}

/// The number by which the originals of an author are found.
fn author_number(account: AccountId, address: &str) -> u64 {
    let folded = EmailAddress::parse(address).map_or_else(|_| address.to_lowercase(), |it| it.folded());
    let hash = sha256_text(format_args!("author of an original in {account}: {folded}"));
    u64::from_be_bytes(*hash.first_chunk::<8>().expect("a hash has 32 bytes"))
}

/// Deletes the sealed originals of an author, who is forgotten.
pub(in crate::ops) fn forget_author(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
    limit: usize,
) -> Result<bool, StoreError> {
    let author = sealed_author(account, author_number(account, address.as_str()));
    Ok(tx.delete_range(&SEALED_ORIGINAL_BY_AUTHOR, &author.into(), limit)? == limit)
}

/// Stores a message with other bytes, what is held of it, and its words.
pub(in crate::ops) fn put_anew(
    tx: &mut WriteTx<'_>,
    message: &mut Message,
    raw: &[u8],
) -> Result<(), StoreError> {
    put_bytes(tx, message, raw)?;
    indexing::renew(tx, message)
}

/// Stores a message with other bytes, and what is held of it.
pub(in crate::ops) fn put_bytes(
    tx: &mut WriteTx<'_>,
    message: &mut Message,
    raw: &[u8],
) -> Result<(), StoreError> {
    let account = || Key::new().u64(message.account.0);
    let quarantined = account().u64(message.id.0);
    let mut held = tx.ids(&HELD_BY_QUARANTINED, &quarantined.into(), usize::MAX)?;
    let approved = account().u64(message.list.0).u64(message.blob.0);
    held.extend(tx.ids(&HELD_BY_APPROVED, &approved.into(), usize::MAX)?);
    message.blob = BlobId(tx.put_blob(raw)?.0);
    message.size_bytes = raw.len() as u64;
    tx.put(message)?;
    forget_digests(tx, message)?;
    for id in held {
        let Some(held) = tx.get::<Held>(id)? else { continue };
        if message.deleted {
            tx.delete::<Held>(id)?;
            continue;
        }
        tx.put(&Held {
            from: message.from_address.clone(),
            from_phrase: message.from_phrase.clone(),
            message_id: Some(message.message_id.clone()),
            // An author who was taken out is told nothing.
            reverse_path: held.reverse_path.clone().filter(|_| !message.from_address.is_empty()),
            subject: message.subject.clone(),
            blob: message.blob,
            size_bytes: message.size_bytes,
            ..held
        })?;
    }
    Ok(())
}

/// Lets go of the built digests that hold a post whose content changes.
fn forget_digests(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    let holding = Key::new().u64(message.account.0).u64(message.id.0);
    for id in tx.ids(&DIGEST_BY_MESSAGE, &holding.into(), usize::MAX)? {
        if let Some(digest) = tx.get::<Digest>(id)?.filter(|digest| digest.blob.is_some()) {
            tx.put(&Digest { blob: None, ..digest })?;
        }
    }
    Ok(())
}

/// Deletes the next originals whose time is over.
pub(in crate::ops) fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &SEALED_ORIGINAL_BY_DUE, now, limit)? {
        tx.delete::<SealedOriginal>(id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_one_a_line() {
        let words = words_of(" ada@x.org \r\n\r\n two words\n");
        assert_eq!(words, Some(vec!["ada@x.org".to_owned(), "two words".to_owned()]));
        assert_eq!(words_of(""), Some(Vec::new()));
        assert_eq!(words_of(&"x\n".repeat(WORDS_MAX)).map(|words| words.len()), Some(WORDS_MAX));
        assert_eq!(words_of(&"x\n".repeat(WORDS_MAX + 1)), None);
        assert!(words_of(&"x".repeat(WORD_CHARS_MAX)).is_some());
        assert_eq!(words_of(&"x".repeat(WORD_CHARS_MAX + 1)), None);
    }
}
