//! The segments of a list: which there are, which are to be merged, and what happens to those that are no longer read.

use std::ops::ControlFlow;

use crate::model::{AccountId, ListId, Message, Segment, SegmentId, SegmentState};
use crate::schema::{SEARCH_BLOCKS, SEGMENT_BY_LIST};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

use super::documents::{Documents, mark_gone};
use super::{Place, of_segment};

/// Segments of one size that are merged into the next.
const SEGMENTS_PER_LEVEL: usize = 8;
/// Messages from which on segments are of the second size, and so on by the same factor.
const FIRST_LEVEL: u32 = 1024;
/// Messages of a segment from which on it is merged no more.
const DOCUMENTS_MAX: u32 = 512 * 1024;
/// Messages of a segment that is made of others, at most: while it is made, their numbers are in memory.
const MERGED_MAX: u32 = 2 * DOCUMENTS_MAX;
/// Of a segment with this part of its messages gone, the rest is written anew.
const GONE_PART: u32 = 4;
/// Messages below which a segment is not written anew for itself: it will soon be merged.
const REWRITTEN_FROM: u32 = 512;

/// The segments of a list that searches read.
pub(in crate::ops::archive) fn live(
    tx: &impl Read,
    account: AccountId,
    list: ListId,
) -> Result<Vec<Segment>, StoreError> {
    let mut segments = of_list(tx, account, list)?;
    segments.retain(Segment::is_live);
    Ok(segments)
}

fn of_list(tx: &impl Read, account: AccountId, list: ListId) -> Result<Vec<Segment>, StoreError> {
    let range = IndexRange::prefix(Key::new().u64(account.0).u64(list.0));
    tx.page(&SEGMENT_BY_LIST, &range, usize::MAX)
}

/// The size of a segment: those of one size are merged with each other.
fn level(segment: &Segment) -> u32 {
    let (mut level, mut from) = (0, FIRST_LEVEL);
    while from <= segment.documents {
        level += 1;
        from = from.saturating_mul(8);
    }
    level
}

/// Plans to merge segments of a list where there are enough of one size.
pub(in crate::ops::archive) fn plan_merge(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    list: ListId,
) -> Result<(), StoreError> {
    let all = of_list(tx, account, list)?;
    let taken = sources(&all);
    let free = |segment: &&Segment| {
        segment.is_live() && segment.documents < DOCUMENTS_MAX && !taken.contains(&segment.id)
    };
    let mut free: Vec<&Segment> = all.iter().filter(free).collect();
    free.sort_by_key(|segment| level(segment));
    let mut sizes = free.chunk_by(|one, other| level(one) == level(other));
    if let Some(of_size) = sizes.find(|of_size| SEGMENTS_PER_LEVEL <= of_size.len()) {
        let mut documents = 0;
        let fits = |segment: &&&Segment| {
            documents += segment.documents;
            documents <= MERGED_MAX
        };
        let merged: Vec<&Segment> = of_size.iter().take_while(fits).copied().collect();
        plan(tx, &merged)?;
    }
    Ok(())
}

/// The segments that others are being made of.
fn sources(all: &[Segment]) -> Vec<SegmentId> {
    let sources = all.iter().filter_map(|segment| match &segment.state {
        SegmentState::Building { sources, .. } => Some(sources),
        SegmentState::Live | SegmentState::Dropped => None,
    });
    sources.flatten().copied().collect()
}

/// Notes that a segment is to be made of these.
fn plan(tx: &mut WriteTx<'_>, of: &[&Segment]) -> Result<(), StoreError> {
    let Some(one) = of.first() else { return Ok(()) };
    let sources = of.iter().map(|segment| segment.id).collect();
    let id = SegmentId(tx.next_id::<Segment>()?);
    let state = SegmentState::Building { sources, has_documents: false, after: None };
    tx.put(&Segment { id, documents: 0, gone: 0, state, ..(*one).clone() })
}

/// Marks a message as gone in whatever segment has it.
pub(in crate::ops::archive) fn forget(tx: &mut WriteTx<'_>, message: &Message) -> Result<(), StoreError> {
    let place: Place = (message.time.key(), message.id.0);
    let all = of_list(tx, message.account, message.list)?;
    for segment in all.iter().filter(|segment| segment.is_live()) {
        if !(segment.oldest.key()..=segment.newest.key()).contains(&place.0) {
            continue;
        }
        let Some(document) = Documents::new(tx, segment.id, segment.documents).find(place)? else { continue };
        let marked = mark_gone(tx, segment.id, &[document], segment.account.0)?;
        if 0 < marked {
            note_gone(tx, &all, segment, marked)?;
        }
    }
    Ok(())
}

/// Counts messages that were marked, and has the rest written anew where they are many.
fn note_gone(
    tx: &mut WriteTx<'_>,
    all: &[Segment],
    segment: &Segment,
    marked: u32,
) -> Result<(), StoreError> {
    let mut segment = segment.clone();
    segment.gone += marked;
    if segment.documents <= segment.gone {
        segment.state = SegmentState::Dropped;
    }
    tx.put(&segment)?;
    let is_many = segment.documents / GONE_PART < segment.gone && REWRITTEN_FROM <= segment.documents;
    if is_many && segment.is_live() && !sources(all).contains(&segment.id) {
        plan(tx, &[&segment])?;
    }
    Ok(())
}

/// Stops reading all segments of a list. Their blocks go in steps.
pub(in crate::ops::archive) fn drop_list(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    list: ListId,
) -> Result<(), StoreError> {
    for segment in of_list(tx, account, list)? {
        if segment.state != SegmentState::Dropped {
            tx.put(&Segment { state: SegmentState::Dropped, ..segment })?;
        }
    }
    Ok(())
}

/// Deletes blocks of a segment, and the segment with the last of them; returns how many rows that took.
pub(in crate::ops) fn delete(
    tx: &mut WriteTx<'_>,
    id: SegmentId,
    rows_max: usize,
) -> Result<usize, StoreError> {
    let Some(segment) = tx.get::<Segment>(id.0)? else { return Ok(0) };
    let mut keys = Vec::new();
    tx.blocks(&SEARCH_BLOCKS, &IndexRange::prefix(of_segment(id)), |key, _| {
        if keys.len() == rows_max {
            return ControlFlow::Break(());
        }
        keys.push(Key::from_row(key));
        ControlFlow::Continue(())
    })?;
    for key in &keys {
        tx.set_block(&SEARCH_BLOCKS, key, None, segment.account.0)?;
    }
    if keys.len() < rows_max {
        tx.delete::<Segment>(id.0)?;
        return Ok(keys.len() + 1);
    }
    Ok(keys.len())
}
