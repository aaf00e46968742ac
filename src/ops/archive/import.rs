//! Imports the messages of another archive into the archive of a list. Nobody is mailed.
//!
//! [`reading`] makes of the bytes of a mailbox what can be stored, outside of the writer. [`store`] writes it in jobs of
//! bounded size, and knows what is there already by its Message-ID, so that an import that was cut short is finished by
//! running it again. A message whose parent is not there yet is noted ([`MissingParents`]), and [`joining`] puts it into
//! its thread when everything is stored.
//!
//! `control` calls it for `crier import mbox`, and the demo fills its archive with it.

pub mod gmail;
pub mod joining;
pub mod reading;

use std::collections::HashSet;

use crate::clock::Timestamp;
use crate::model::{AuditAction, AuditId, BlobId, List, Message, MessageId, MissingParents, Permission};
use crate::ops::archive::threads::moving;
use crate::ops::archive::{old_links, placing, threads};
use crate::ops::audit::{self, Note};
use crate::ops::people::memberships;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::MESSAGE_BY_MESSAGE_ID;
use crate::store::{Key, Read, StoreError, WriteTx};
use reading::{ImportedMail, Unreadable};

/// Most messages of one write job.
pub const MESSAGES_PER_STEP: usize = 256;
/// Bytes of messages after which a write job takes no more of them. A message that is larger has a job to itself.
pub const BYTES_PER_STEP: usize = 4 << 20;
/// Bytes of the largest message that is imported.
pub const MESSAGE_BYTES_MAX: usize = 50_000_000;

/// The result for one message of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the archive now.
    Made,
    /// A message with its Message-ID was there.
    Known,
    /// It is no message.
    Refused(Unreadable),
}

/// The list of this name into which messages can be imported.
pub fn target(tx: &impl Read, caller: &Caller, name: &str) -> Result<List, OpError> {
    caller.require(Permission::SendMessages)?;
    let list = memberships::list_named(tx, caller, name);
    let list = list.map_err(|error| match error {
        OpError::NotFound { .. } => OpError::invalid("list", Wrong::NamesNoList { name: name.to_owned() }),
        error => error,
    })?;
    if list.pending {
        return Err(OpError::invalid("list", Wrong::TakesNoMessages));
    }
    Ok(list)
}

/// Notes that an import begins.
pub fn begin(tx: &mut WriteTx<'_>, caller: &Caller, list: &List, now: Timestamp) -> Result<AuditId, OpError> {
    caller.require(Permission::SendMessages)?;
    let begun = Note::new(AuditAction::MessageImported, 0).named(list.name.as_str());
    Ok(audit::note(tx, caller, begun.detail("begun"), now)?)
}

/// Stores messages, each in its thread as far as its parents are there.
pub fn store(
    tx: &mut WriteTx<'_>,
    list: &List,
    mails: Vec<Result<ImportedMail, Unreadable>>,
) -> Result<Vec<Outcome>, OpError> {
    // It may have been deleted during a long import.
    let list: List = tx.get(list.id.0)?.ok_or(OpError::NotFound { what: "list" })?;
    let mut outcomes = Vec::with_capacity(mails.len());
    for mail in mails {
        outcomes.push(match mail {
            Err(problem) => Outcome::Refused(problem),
            Ok(mail) if is_known(tx, &list, &mail.message_id)? => Outcome::Known,
            Ok(mail) => {
                put(tx, &list, mail)?;
                Outcome::Made
            }
        });
    }
    Ok(outcomes)
}

/// Says what [`store`] would do. `seen` has the Message-IDs of the messages before these, by their hashes.
pub fn rehearse(
    tx: &impl Read,
    list: &List,
    mails: Vec<Result<ImportedMail, Unreadable>>,
    seen: &mut HashSet<u128, impl std::hash::BuildHasher>,
) -> Result<Vec<Outcome>, StoreError> {
    let mut outcomes = Vec::with_capacity(mails.len());
    for mail in mails {
        outcomes.push(match mail {
            Err(problem) => Outcome::Refused(problem),
            Ok(mail) if !seen.insert(reading::short_hash(mail.message_id.as_bytes())) => Outcome::Known,
            Ok(mail) if is_known(tx, list, &mail.message_id)? => Outcome::Known,
            Ok(_) => Outcome::Made,
        });
    }
    Ok(outcomes)
}

/// Whether the list has, or had, a message with this Message-ID.
fn is_known(tx: &impl Read, list: &List, message_id: &str) -> Result<bool, StoreError> {
    let key = Key::new().u64(list.account.0).u64(list.id.0).text(message_id);
    tx.exists(&MESSAGE_BY_MESSAGE_ID, &key)
}

fn put(tx: &mut WriteTx<'_>, list: &List, mail: ImportedMail) -> Result<(), StoreError> {
    let ImportedMail {
        raw,
        subject,
        from_phrase,
        from_address,
        message_id,
        references,
        is_reply_by_subject,
        time,
        date: _,
        has_made_id: _,
    } = mail;
    let id = MessageId(tx.next_id::<Message>()?);
    let ancestors = placing::ancestors(tx, list, &message_id, references)?;
    let parent = ancestors.nearest.as_ref();
    let thread = match parent {
        Some(parent) => moving::thread_of(tx, parent)?,
        None => id,
    };
    if ancestors.missing.is_empty() && parent.is_none() && is_reply_by_subject {
        let references = Vec::new();
        tx.put(&MissingParents { message: id, account: list.account, list: list.id, references })?;
    }
    let message = Message {
        id,
        account: list.account,
        list: list.id,
        subject: without_prefix(subject, list),
        from_phrase,
        from_address,
        time,
        message_id,
        thread,
        parent: parent.map(|parent| parent.id),
        blob: BlobId(tx.put_blob(&raw)?.0),
        size_bytes: raw.len() as u64,
        deleted: false,
        changes: None,
        authentication: None,
        requires_tls: false,
    };
    tx.put(&message)?;
    old_links::note_message(tx, &message)?;
    threads::added(tx, &message)?;
    placing::note(tx, list, &message, ancestors)
}

/// A subject without the list's prefix, which the list put there before the message came into the other archive.
fn without_prefix(subject: String, list: &List) -> String {
    let prefix = list.subject_prefix.trim();
    match subject.split_once(prefix) {
        Some((before, behind)) if !prefix.is_empty() => {
            format!("{} {}", before.trim(), behind.trim()).trim().to_owned()
        }
        _ => subject,
    }
}
