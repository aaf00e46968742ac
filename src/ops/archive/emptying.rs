//! Frees the bytes of messages that were taken out of the archive, once no copy of them is to be sent any more.
//!
//! The record stays: its thread keeps its shape by it, and another mail with its Message-ID is known by it. Who wrote it
//! and what about goes with the bytes.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::{ApiContent, Batch, FanOut, Message, TakenOut};
use crate::ops::archive::redaction;
use crate::ops::overdue::overdue_rows;
use crate::schema::{BATCH_BY_MESSAGE, TAKEN_OUT_BY_DUE};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// When to look again whether the copies of a message are sent.
const AGAIN_AFTER: Duration = Duration::from_hours(1);
/// The header of a message that is emptied.
const EMPTY: &[u8] = b"From: nobody@removed.invalid\r\n\r\n";

/// Whether copies of a message are still to be sent.
pub(in crate::ops) fn is_being_sent(tx: &impl Read, message: &Message) -> Result<bool, StoreError> {
    // Fan-outs that are under way are few.
    if tx.all::<FanOut>(0, usize::MAX)?.iter().any(|fan_out| fan_out.message == message.id) {
        return Ok(true);
    }
    let batches = Key::new().u64(message.account.0).u64(message.id.0);
    for id in tx.ids(&BATCH_BY_MESSAGE, &IndexRange::prefix(batches), usize::MAX)? {
        if tx.get::<Batch>(id)?.is_some_and(|batch| batch.is_waiting()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Empties the next messages that were taken out and are sent to their end.
pub(in crate::ops) fn empty_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &TAKEN_OUT_BY_DUE, now, limit)? {
        let Some(taken_out) = tx.get::<TakenOut>(id)? else { continue };
        // It may have been restored, or be gone with its account.
        let message = tx.get::<Message>(id)?.filter(|message| message.deleted);
        match message {
            Some(message) if is_being_sent(tx, &message)? => {
                tx.put(&TakenOut { due: now + AGAIN_AFTER, ..taken_out })?;
            }
            Some(message) => {
                empty(tx, message)?;
                tx.delete::<TakenOut>(id)?;
            }
            None => {
                tx.delete::<TakenOut>(id)?;
            }
        }
    }
    Ok(())
}

/// Takes the content out of a message.
fn empty(tx: &mut WriteTx<'_>, mut message: Message) -> Result<(), StoreError> {
    // An erased person's message was emptied, under the name of former members.
    if !message.from_address.is_empty() || !message.subject.is_empty() {
        (message.subject, message.from_phrase, message.from_address) = Default::default();
    }
    message.authentication = None;
    tx.delete::<ApiContent>(message.id.0)?;
    redaction::put_bytes(tx, &mut message, EMPTY)
}
