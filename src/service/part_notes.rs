//! Makes the notes of the parts of large messages; see [`part_notes`](crate::ops::archive::part_notes).

use crate::model::{Links, List, Message, MessageId, PartNotes};
use crate::ops::archive::part_notes::{find, has};
use crate::ops::archive::{parts, shown};
use crate::service::Core;
use crate::service::memory::Owners;
use crate::store::{Read as _, StoreError};

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
