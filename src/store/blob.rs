//! Stores raw messages: each is cut into chunks, kept once, and deleted with the last record that refers to it.
//!
//! A blob never changes. The number of records that refer to a blob is updated by the same `put` and `delete` of a
//! record that update its index rows; nothing outside of the transaction's code counts references.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::tx::{Rows, Table, parse_number, stored_number};
use super::{Key, StoreError};

/// Chunks by blob and number. The first one begins with the length of the whole blob.
pub(super) const TABLE: &str = "blob";

/// The same, as a table that the engine underneath keeps apart.
pub(super) const CHUNKS: Table = Table::apart(TABLE);

/// How many records refer to a blob, by blob.
pub(super) const REFERENCES: &str = "blob.references";

/// The number of references of a blob that exists without a row under that name. Most blobs have exactly one, so a post
/// writes no number for its text.
pub(super) const REFERENCES_WITHOUT_ROW: u64 = 1;

/// A chunk with its key and the page's own fields fills 256 KiB: pages come in powers of two, so a chunk of
/// exactly 256 KiB would take twice its size.
const CHUNK_BYTES: usize = 256 * 1024 - 64;

/// Bytes of the number that tells a blob's length, in front of its first chunk.
const LENGTH_BYTES: usize = 8;

/// Identifies a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlobId(pub u64);

impl BlobId {
    pub(super) fn key(self) -> Key {
        Key::new().u64(self.0)
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

pub(super) fn chunk_key(id: BlobId, chunk: u64) -> Key {
    id.key().u64(chunk)
}

/// Cuts a blob into chunks and hands each to `store` with its number.
pub(super) fn write(
    bytes: &[u8],
    mut store: impl FnMut(u64, &[u8]) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let (head, rest) = bytes.split_at(bytes.len().min(CHUNK_BYTES - LENGTH_BYTES));
    let mut first = Vec::with_capacity(LENGTH_BYTES + head.len());
    first.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
    first.extend_from_slice(head);
    store(0, &first)?;
    for (chunk, value) in (1..).zip(rest.chunks(CHUNK_BYTES)) {
        store(chunk, value)?;
    }
    Ok(())
}

/// Puts the chunks of a blob together again.
pub(super) fn read(tx: &impl Rows, id: BlobId) -> Result<Vec<u8>, StoreError> {
    let cut_short = || StoreError::corrupt(TABLE, format_args!("blob {id} is cut short"));
    let first = tx.view(CHUNKS, chunk_key(id, 0).as_bytes(), |value| {
        let (length, head) = value.split_first_chunk::<LENGTH_BYTES>()?;
        let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
        // The chunks that follow are counted, not believed: a damaged length must not take memory.
        let mut bytes = Vec::with_capacity(length.min(head.len().max(CHUNK_BYTES)));
        bytes.extend_from_slice(head);
        Some((length, bytes))
    })?;
    let (length, mut bytes) = first.ok_or(StoreError::UnknownBlob { id })?.ok_or_else(cut_short)?;
    for chunk in 1.. {
        if length <= bytes.len() {
            break;
        }
        let key = chunk_key(id, chunk);
        tx.view(CHUNKS, key.as_bytes(), |value| bytes.extend_from_slice(value))?.ok_or_else(cut_short)?;
    }
    if bytes.len() == length { Ok(bytes) } else { Err(cut_short()) }
}

/// The length of a blob.
pub(super) fn length(tx: &impl Rows, id: BlobId) -> Result<u64, StoreError> {
    let first = tx.view(CHUNKS, chunk_key(id, 0).as_bytes(), |value| {
        value.first_chunk::<LENGTH_BYTES>().map(|length| u64::from_be_bytes(*length))
    })?;
    first
        .ok_or(StoreError::UnknownBlob { id })?
        .ok_or_else(|| StoreError::corrupt(TABLE, format_args!("blob {id} is cut short")))
}

/// The bytes of a blob in `range`, as far as it has them. Only the chunks that hold them are read.
pub(super) fn read_range(tx: &impl Rows, id: BlobId, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
    let cut_short = || StoreError::corrupt(TABLE, format_args!("blob {id} is cut short"));
    let end = range.end.min(length(tx, id)?);
    let mut at = range.start.min(end);
    let mut bytes = Vec::new();
    let (chunk_bytes, length_bytes) = (CHUNK_BYTES as u64, LENGTH_BYTES as u64);
    while at < end {
        // The length stands before the first byte, so that all chunks are of one size.
        let place = at + length_bytes;
        let (chunk, from) = (place / chunk_bytes, place % chunk_bytes);
        let wanted = (end - at).min(chunk_bytes - from);
        let span = usize::try_from(from).ok().zip(usize::try_from(from + wanted).ok());
        let is_there = tx.view(CHUNKS, chunk_key(id, chunk).as_bytes(), |value| {
            let part = span.and_then(|(from, to)| value.get(from..to));
            part.map(|part| bytes.extend_from_slice(part)).is_some()
        })?;
        if is_there != Some(true) {
            return Err(cut_short());
        }
        at += wanted;
    }
    Ok(bytes)
}

/// Returns how many records refer to the blob of this key.
pub(super) fn references(tx: &impl Rows, key: &[u8]) -> Result<u64, StoreError> {
    if let Some(references) = stored_number(tx, REFERENCES, key)? {
        return Ok(references);
    }
    let id = BlobId(parse_number(REFERENCES, key)?);
    let is_there = tx.view(CHUNKS, chunk_key(id, 0).as_bytes(), |_| ())?.is_some();
    Ok(if is_there { REFERENCES_WITHOUT_ROW } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_full_but_the_last_and_tell_the_length() {
        for length in [0, 1, CHUNK_BYTES - LENGTH_BYTES, CHUNK_BYTES, 3 * CHUNK_BYTES + 1] {
            let mut sizes = Vec::new();
            write(&vec![7; length], |chunk, value| {
                assert_eq!(chunk, sizes.len() as u64);
                sizes.push(value.len());
                Ok(())
            })
            .unwrap();
            assert_eq!(sizes.iter().sum::<usize>(), length + LENGTH_BYTES);
            assert!(sizes[..sizes.len() - 1].iter().all(|size| *size == CHUNK_BYTES));
        }
    }

    #[test]
    fn a_range_has_the_bytes_of_the_whole() {
        let store = crate::store::Store::open_with_backend(
            redb::backends::InMemoryBackend::new(),
            &crate::store::StoreOptions::default(),
        )
        .unwrap();
        let bytes: Vec<u8> = (0..3 * CHUNK_BYTES + 17).map(|at| u8::try_from(at % 251).unwrap()).collect();
        let written = bytes.clone();
        store
            .write_blocking(move |tx| {
                let id = tx.put_blob(&written)?;
                for (start, end) in [
                    (0, 0),
                    (0, 1),
                    (CHUNK_BYTES - LENGTH_BYTES - 1, CHUNK_BYTES - LENGTH_BYTES + 1),
                    (CHUNK_BYTES, 3 * CHUNK_BYTES),
                    (0, written.len()),
                    (written.len() - 5, written.len() + 5),
                    (written.len() + 1, written.len() + 5),
                ] {
                    let expected = &written[start.min(written.len())..end.min(written.len())];
                    assert_eq!(read_range(tx, id, start as u64..end as u64)?, expected, "{start}..{end}");
                }
                assert_eq!(length(tx, id)?, written.len() as u64);
                Ok::<_, StoreError>(())
            })
            .unwrap();
    }
}
