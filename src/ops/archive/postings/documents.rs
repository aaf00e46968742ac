//! The messages of a segment: their places in time by number, the number of a place, and which are gone.

use std::cell::RefCell;

use crate::model::SegmentId;
use crate::schema::SEARCH_BLOCKS;
use crate::store::{Key, Read, StoreError, WriteTx};

use super::page::damaged;
use super::{BlockKind, Document, Place, of_kind};

/// Messages of a block: 16 bytes each, a page of the file together.
const DOCUMENTS_PER_BLOCK: usize = 250;
/// Bytes of a message's place.
const PLACE_BYTES: usize = 16;
/// Messages whose marks one block has.
const MARKS_PER_BLOCK: u32 = 8192;

fn documents_key(segment: SegmentId, block: usize) -> Key {
    of_kind(segment, BlockKind::Documents).u64(block as u64)
}

fn gone_key(segment: SegmentId, block: u32) -> Key {
    of_kind(segment, BlockKind::Gone).u64(u64::from(block))
}

/// The blocks with these places, the newest first.
pub(super) fn blocks(places: &[Place]) -> Vec<Vec<u8>> {
    let block = |places: &[Place]| {
        let bytes = places.iter().flat_map(|(time, id)| [time.to_be_bytes(), id.to_be_bytes()]);
        bytes.flatten().collect()
    };
    places.chunks(DOCUMENTS_PER_BLOCK).map(block).collect()
}

/// Writes the blocks of a segment's messages.
pub(super) fn write(
    tx: &mut WriteTx<'_>,
    segment: SegmentId,
    blocks: &[Vec<u8>],
    scope: u64,
) -> Result<(), StoreError> {
    for (number, block) in blocks.iter().enumerate() {
        tx.set_block(&SEARCH_BLOCKS, &documents_key(segment, number), Some(block), scope)?;
    }
    Ok(())
}

fn parse(block: &[u8]) -> Result<Vec<Place>, StoreError> {
    let (places, rest) = block.as_chunks::<PLACE_BYTES>();
    if !rest.is_empty() {
        return Err(damaged("a block of messages is cut short"));
    }
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_be_bytes);
    Ok(places.iter().map(|place| (number(&place[..8]), number(&place[8..]))).collect())
}

/// The messages of a segment. Blocks are read when they are needed, and the last one is kept.
pub(in crate::ops::archive) struct Documents<'tx, R> {
    tx: &'tx R,
    segment: SegmentId,
    len: u32,
    block: RefCell<Option<(usize, Vec<Place>)>>,
}

impl<'tx, R: Read> Documents<'tx, R> {
    pub(in crate::ops::archive) fn new(tx: &'tx R, segment: SegmentId, len: u32) -> Documents<'tx, R> {
        Documents { tx, segment, len, block: RefCell::default() }
    }

    /// The place of a message.
    pub(in crate::ops::archive) fn place(&self, document: Document) -> Result<Place, StoreError> {
        let (number, at) = (document as usize / DOCUMENTS_PER_BLOCK, document as usize % DOCUMENTS_PER_BLOCK);
        let mut kept = self.block.borrow_mut();
        if kept.as_ref().is_none_or(|(kept, _)| *kept != number) {
            let block = self.tx.block(&SEARCH_BLOCKS, &documents_key(self.segment, number))?;
            let block = block.ok_or_else(|| damaged("a block of messages is missing"))?;
            *kept = Some((number, parse(&block)?));
        }
        let place = kept.as_ref().and_then(|(_, places)| places.get(at)).copied();
        place.ok_or_else(|| damaged("a message is missing"))
    }

    /// How many messages are newer than a place.
    pub(in crate::ops::archive) fn newer_than(&self, place: Place) -> Result<Document, StoreError> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            if place < self.place(middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// The number of the message at a place.
    pub(in crate::ops::archive) fn find(&self, place: Place) -> Result<Option<Document>, StoreError> {
        let document = self.newer_than(place)?;
        Ok((document < self.len && self.place(document)? == place).then_some(document))
    }

    /// All places.
    pub(super) fn all(&self) -> Result<Vec<Place>, StoreError> {
        let mut places = Vec::with_capacity(self.len as usize);
        while places.len() < self.len as usize {
            let key = documents_key(self.segment, places.len() / DOCUMENTS_PER_BLOCK);
            let block = self.tx.block(&SEARCH_BLOCKS, &key)?;
            let more = parse(&block.ok_or_else(|| damaged("a block of messages is missing"))?)?;
            let is_whole = more.len() == DOCUMENTS_PER_BLOCK.min(self.len as usize - places.len());
            if !is_whole {
                return Err(damaged("a block of messages has another number of them"));
            }
            places.extend(more);
        }
        Ok(places)
    }
}

/// The messages of a segment that are gone.
pub(in crate::ops::archive) struct Gone<'tx, R> {
    tx: &'tx R,
    segment: SegmentId,
    /// Whether there are any.
    any: bool,
    block: Option<(u32, Option<Vec<u8>>)>,
}

impl<'tx, R: Read> Gone<'tx, R> {
    pub(in crate::ops::archive) fn new(tx: &'tx R, segment: SegmentId, any: bool) -> Gone<'tx, R> {
        Gone { tx, segment, any, block: None }
    }

    /// Whether a message is gone.
    pub(in crate::ops::archive) fn has(&mut self, document: Document) -> Result<bool, StoreError> {
        if !self.any {
            return Ok(false);
        }
        let (number, at) = (document / MARKS_PER_BLOCK, document % MARKS_PER_BLOCK);
        if self.block.as_ref().is_none_or(|(kept, _)| *kept != number) {
            self.block = Some((number, self.tx.block(&SEARCH_BLOCKS, &gone_key(self.segment, number))?));
        }
        let bits = self.block.as_ref().and_then(|(_, bits)| bits.as_ref());
        Ok(bits.and_then(|bits| bits.get(at as usize / 8)).is_some_and(|bits| bits >> (at % 8) & 1 == 1))
    }
}

/// Marks messages of a segment as gone; returns how many of them were not yet.
pub(super) fn mark_gone(
    tx: &mut WriteTx<'_>,
    segment: SegmentId,
    documents: &[Document],
    scope: u64,
) -> Result<u32, StoreError> {
    let mut marked = 0;
    for of_block in documents.chunk_by(|one, other| one / MARKS_PER_BLOCK == other / MARKS_PER_BLOCK) {
        let Some(first) = of_block.first() else { continue };
        let key = gone_key(segment, first / MARKS_PER_BLOCK);
        let mut bits = tx.block(&SEARCH_BLOCKS, &key)?.unwrap_or_default();
        bits.resize(MARKS_PER_BLOCK as usize / 8, 0);
        for at in of_block.iter().map(|document| document % MARKS_PER_BLOCK) {
            let bit = 1 << (at % 8);
            let place = &mut bits[at as usize / 8];
            marked += u32::from(*place & bit == 0);
            *place |= bit;
        }
        tx.set_block(&SEARCH_BLOCKS, &key, Some(&bits), scope)?;
    }
    Ok(marked)
}
