//! Notes where the files of large messages stand, so that they are sent without reading the message.
//!
//! The indexing of archives calls `service::part_notes` for each message after its words are written, and pages call it for a message
//! that has no notes yet. Notes name everything on which they depend by a hash: when a message, its list or its account
//! changes, they are out of date, and the message is read again.

use crate::model::{Links, List, Message, PartNotes};
use crate::ops::archive::shown;
use crate::store::{Read, StoreError};

/// Whether a message has notes, or is to have them.
#[must_use]
pub fn has(message: &Message) -> bool {
    PartNotes::MESSAGE_BYTES_MIN <= message.size_bytes && !message.deleted
}

/// The notes of a message; `None` if there are none, or none that are up to date.
///
/// # Errors
/// If they cannot be read.
pub fn find(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<Option<PartNotes>, StoreError> {
    let notes = if has(message) { tx.get::<PartNotes>(message.id.0)? } else { None };
    let Some(notes) = notes else { return Ok(None) };
    let facts = shown::fingerprint(tx, links, list, message)?;
    Ok(Some(notes).filter(|notes| Some(notes.facts) == facts))
}
