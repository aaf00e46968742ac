//! Notes where the files of large messages stand, so that they are sent without reading the message.
//!
//! The indexing of archives calls [`make`] for each message after its words are written, and pages call it for a message
//! that has no notes yet. Notes name everything on which they depend by a hash: when a message, its list or its account
//! changes, they are out of date, and the message is read again.

use crate::model::{Links, List, Message, MessageId, PartNotes};
use crate::ops::archive::{parts, shown};
use crate::service::Core;
use crate::service::memory::Owners;
use crate::store::{Read, StoreError};

/// Messages from this size on have notes; a smaller one is read as fast as its notes.
const NOTED_BYTES: u64 = 64 << 10;

/// Whether a message has notes, or is to have them.
#[must_use]
pub fn has(message: &Message) -> bool {
    NOTED_BYTES <= message.size_bytes && !message.deleted
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

/// Notes the parts of a message, if it is large and has no notes that are up to date.
///
/// # Errors
/// If it cannot be read, or the notes cannot be written.
pub async fn make(core: &Core, id: MessageId) -> Result<(), StoreError> {
    let Some(Missing { message, .. }) = missing(core, id)? else { return Ok(()) };
    let memory = core.reading_memory.take_in_stream(Owners::server(), message.size_bytes).await;
    let reader = core.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let _memory = memory;
        read(&reader, id)
    });
    let Some(notes) = reading.await.map_err(|_| StoreError::Panicked)?? else { return Ok(()) };
    core.store
        .write(move |tx| {
            // It may have been taken out meanwhile.
            let is_there = tx.get::<Message>(id.0)?.is_some_and(|message| has(&message));
            if is_there { tx.put(&notes) } else { Ok(()) }
        })
        .await
}

/// A message that is to have notes and has none.
struct Missing {
    message: Message,
    list: List,
    links: Links,
}

fn missing(core: &Core, id: MessageId) -> Result<Option<Missing>, StoreError> {
    let tx = core.store.read()?;
    let Some(message) = tx.get::<Message>(id.0)?.filter(has) else { return Ok(None) };
    let Some(list) = tx.get::<List>(message.list.0)? else { return Ok(None) };
    let links = core.links.of(&tx, message.account)?;
    let is_noted = find(&tx, &links, &list, &message)?.is_some();
    Ok((!is_noted).then_some(Missing { message, list, links }))
}

/// Makes the notes of a message, unless others made them meanwhile.
fn read(core: &Core, id: MessageId) -> Result<Option<PartNotes>, StoreError> {
    let Some(Missing { message, list, links }) = missing(core, id)? else { return Ok(None) };
    let tx = core.store.read()?;
    let Some(facts) = shown::fingerprint(&tx, &links, &list, &message)? else { return Ok(None) };
    let parts = parts::notes(&tx, &links, &list, &message)?;
    Ok(parts.map(|parts| PartNotes { id, account: message.account, facts, parts }))
}
