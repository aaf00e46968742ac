//! Files in messages: finds where the bytes of a part stand in the stored message, and reads them in pieces.
//!
//! To find a part, the message is read once, within the memory that [`ReadingMemory`] shares out. From then on a part
//! is read a piece at a time, each in a snapshot of its own, so that a slow or a large download holds neither a snapshot
//! nor memory.

use std::ops::Range;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::mail::mime::{Encoding, Part};
use crate::mail::text::decode_part;
use crate::mail::transfer::TransferDecoder;
use crate::mail::{self, Inbound};
use crate::model::{List, Message};
use crate::ops::archive::messages;
use crate::store::{self, Read, StoreError};

/// Encoded bytes that are read at a time.
const PIECE_BYTES: u64 = 128 << 10;
/// Memory for messages that are read whole.
const MEMORY_BYTES: usize = 128 << 20;
/// The unit in which that memory is counted.
const UNIT_BYTES: usize = 1024;
/// Bytes of a message of which an excerpt is made.
const BEGINNING_BYTES: u64 = 128 << 10;
/// How many times its size a message takes at most while it is read: as stored, as shown, and as found.
const COPIES: usize = 3;

/// Shares out the memory for messages that are read whole.
#[derive(Debug)]
pub struct ReadingMemory(Arc<Semaphore>);

impl Default for ReadingMemory {
    fn default() -> ReadingMemory {
        ReadingMemory(Arc::new(Semaphore::new(MEMORY_BYTES / UNIT_BYTES)))
    }
}

impl ReadingMemory {
    /// Waits for the memory to read a message of this size; it is given back when the permit is dropped.
    ///
    /// # Panics
    /// Never: the semaphore is not closed.
    pub async fn take(&self, size_bytes: u64) -> OwnedSemaphorePermit {
        let bytes = usize::try_from(size_bytes).unwrap_or(usize::MAX).saturating_mul(COPIES);
        let units = bytes.div_ceil(UNIT_BYTES).clamp(1, MEMORY_BYTES / UNIT_BYTES);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        Arc::clone(&self.0).acquire_many_owned(units).await.expect("this semaphore is never closed")
    }
}

/// A part of a message that can be read as a file.
#[derive(Debug)]
pub struct FilePart {
    /// Its name in the mail; blank if it has none.
    pub name: String,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// The number of its bytes without the transfer encoding.
    pub length: u64,
    source: Source,
}

/// Where the bytes of a part are.
#[derive(Debug)]
enum Source {
    /// They stand in a blob, under a transfer encoding.
    Stored { blob: store::BlobId, body: Range<u64>, encoding: Encoding },
    /// The archive shows other bytes than were stored.
    Made(Vec<u8>),
}

/// The part of this number of a message, as readers of the archive get it; `None` if there is none, or none that this
/// reader may have: of attached messages, no reader from whom addresses are hidden.
pub fn find(
    tx: &impl Read,
    list: &List,
    message: &Message,
    number: usize,
    shows_addresses: bool,
) -> Result<Option<FilePart>, StoreError> {
    let shown = shown(tx, list, message)?;
    let Some(part) = shown.parts.get(number).filter(|part| !part.is_multipart()) else { return Ok(None) };
    let name = part.filename.as_deref().unwrap_or_default();
    let name = if shows_addresses { name.to_owned() } else { without_addresses(name) };
    let media_type = part.media_type.clone();
    if !shows_addresses && media_type.starts_with("message/") {
        return Ok(None);
    }
    let source = if !shows_addresses && is_text(&media_type) {
        Source::Made(without_addresses(&decode_part(&shown.raw, part)).into_bytes())
    } else {
        source(tx, message, &shown, part)?
    };
    let length = match &source {
        Source::Made(bytes) => bytes.len() as u64,
        Source::Stored { blob: _, body: _, encoding } => {
            decoded_length(&shown.raw[part.body.clone()], *encoding)
        }
    };
    Ok(Some(FilePart { name, media_type, length, source }))
}

/// A message as a file.
#[derive(Debug)]
pub struct WholeMessage {
    /// The message.
    pub file: FilePart,
    /// The address of its author, if members got to know it.
    pub from: Option<String>,
}

/// A whole message, as readers of the archive get it who see addresses.
///
/// # Errors
/// If it cannot be read.
pub fn whole(tx: &impl Read, list: &List, message: &Message) -> Result<WholeMessage, StoreError> {
    let shown = shown(tx, list, message)?;
    let from = shown.from.as_ref().map(|from| from.address.to_string());
    let length = shown.raw.len() as u64;
    let blob = store::BlobId(message.blob.0);
    let source = if tx.blob(blob)? == shown.raw[..] {
        Source::Stored { blob, body: 0..length, encoding: Encoding::EightBit }
    } else {
        Source::Made(shown.raw.to_vec())
    };
    let media_type = "message/rfc822".to_owned();
    Ok(WholeMessage { file: FilePart { name: String::new(), media_type, length, source }, from })
}

fn shown(tx: &impl Read, _list: &List, message: &Message) -> Result<Inbound, StoreError> {
    messages::stored_mail(tx, message.blob)
}

fn without_addresses(text: &str) -> String {
    text.to_owned()
}

/// The beginning of the text of a message, for an excerpt. Little of the message is read.
///
/// # Errors
/// If it cannot be read.
pub fn beginning(tx: &impl Read, _list: &List, message: &Message) -> Result<String, StoreError> {
    let bytes = tx.blob_range(store::BlobId(message.blob.0), 0..BEGINNING_BYTES)?;
    Ok(mail::parse_leniently(bytes).content().text().into_owned())
}

/// Whether a file of this type is text in which addresses can be read.
fn is_text(media_type: &str) -> bool {
    const OTHERS: [&str; 5] =
        ["application/json", "application/xml", "application/xhtml+xml", "application/rtf", "image/svg+xml"];
    media_type.starts_with("text/") || OTHERS.contains(&media_type)
}

/// The bytes of a part, where they stand in the stored message, else themselves.
fn source(tx: &impl Read, message: &Message, shown: &Inbound, part: &Part) -> Result<Source, StoreError> {
    let blob = store::BlobId(message.blob.0);
    let body = &shown.raw[part.body.clone()];
    let stored = tx.blob(blob)?;
    let start = if stored.get(part.body.clone()) == Some(body) {
        Some(part.body.start)
    } else {
        // Whatever stands around them: equal bytes are equal files.
        memchr::memmem::find(&stored, body)
    };
    Ok(match start {
        Some(start) => {
            let body = start as u64..(start + body.len()) as u64;
            Source::Stored { blob, body, encoding: part.encoding }
        }
        None => Source::Made(mail::text::decode_transfer(body, part.encoding).into_owned()),
    })
}

fn decoded_length(body: &[u8], encoding: Encoding) -> u64 {
    let mut decoder = TransferDecoder::new(encoding);
    if decoder.is_plain() {
        return body.len() as u64;
    }
    let (mut length, mut out) = (0, Vec::new());
    for piece in body.chunks(usize::try_from(PIECE_BYTES).unwrap_or(usize::MAX)) {
        decoder.push(piece, &mut out);
        length += out.len() as u64;
        out.clear();
    }
    decoder.finish(&mut out);
    length + out.len() as u64
}

impl FilePart {
    /// Reads a range of the part.
    #[must_use]
    pub fn read(self, range: Range<u64>) -> PartReader {
        let range = range.start.min(self.length)..range.end.min(self.length);
        let left = range.end.saturating_sub(range.start);
        match self.source {
            Source::Made(bytes) => {
                let skip = usize::try_from(range.start).unwrap_or(usize::MAX);
                let bytes = bytes.into_iter().skip(skip).take(usize::try_from(left).unwrap_or(usize::MAX));
                PartReader { left, from: From::Memory(bytes.collect()) }
            }
            Source::Stored { blob, body, encoding } => {
                let decoder = TransferDecoder::new(encoding);
                let (skip, at) = if decoder.is_plain() {
                    (0, body.start + range.start)
                } else {
                    (range.start, body.start)
                };
                PartReader { left, from: From::Blob { blob, body: at..body.end, decoder, skip } }
            }
        }
    }
}

/// A part that is being read.
#[derive(Debug)]
pub struct PartReader {
    /// Bytes that are still to be returned.
    left: u64,
    from: From,
}

#[derive(Debug)]
enum From {
    Memory(Vec<u8>),
    Blob {
        blob: store::BlobId,
        /// The encoded bytes that are still to be read.
        body: Range<u64>,
        decoder: TransferDecoder,
        /// Decoded bytes that stand before the wanted ones.
        skip: u64,
    },
}

impl PartReader {
    /// The next piece; `None` behind the last.
    pub fn next(&mut self, tx: &impl Read) -> Result<Option<Vec<u8>>, StoreError> {
        if self.left == 0 {
            return Ok(None);
        }
        let (blob, body, decoder, skip) = match &mut self.from {
            From::Memory(bytes) => {
                self.left = 0;
                return Ok(Some(std::mem::take(bytes)));
            }
            From::Blob { blob, body, decoder, skip } => (*blob, body, decoder, skip),
        };
        let mut piece = Vec::new();
        while piece.is_empty() && body.start < body.end {
            let end = body.end.min(body.start + PIECE_BYTES);
            decoder.push(&tx.blob_range(blob, body.start..end)?, &mut piece);
            body.start = end;
            if body.start == body.end {
                decoder.finish(&mut piece);
            }
            let skipped = (*skip).min(piece.len() as u64);
            piece.drain(..usize::try_from(skipped).unwrap_or(piece.len()));
            *skip -= skipped;
        }
        piece.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= piece.len() as u64;
        if piece.is_empty() {
            return Err(StoreError::corrupt("blob", format_args!("blob {blob} is shorter than its part")));
        }
        Ok(Some(piece))
    }
}
