//! The search index of an archive: segments of postings, which grow by being merged.
//!
//! A segment has the messages of a list, numbered from the newest to the oldest by time and id, whatever order they were
//! stored in: so hits come newest first, a span of time is a range of numbers, and numbers that follow each other are
//! small differences. It consists of three kinds of blocks: the times and ids of its messages ([`documents`]), marks of
//! those that are gone, and pages of postings in the order of terms ([`page`]), each as large as a page of the file, so
//! that rare words share one. Blocks are written once; a message that is taken out is marked, and its postings go when
//! the segment is merged into the next ([`merge`]).
//!
//! [`cursor`] walks the postings of what a query asks. Nothing here reads a message.

pub(super) mod check;
pub(super) mod cursor;
pub(super) mod documents;
pub(super) mod draft;
pub(super) mod merge;
pub(super) mod page;
pub(super) mod segments;
pub(super) mod terms;

use crate::model::SegmentId;
use crate::store::Key;

/// The number of a message in its segment.
pub(super) type Document = u32;
/// Where a message stands in the order of time: its time as a key has it, and its id.
pub(super) type Place = (u64, u64);

/// The content of a block, as its key says.
#[derive(Debug, Clone, Copy)]
enum BlockKind {
    Documents = 0,
    Gone = 1,
    Postings = 2,
}

/// The beginning of the keys of all blocks of a segment.
fn of_segment(segment: SegmentId) -> Key {
    Key::new().u64(segment.0)
}

/// The beginning of the keys of all blocks of one kind.
fn of_kind(segment: SegmentId, kind: BlockKind) -> Key {
    of_segment(segment).u8(kind as u8)
}
