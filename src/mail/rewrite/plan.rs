//! What changes in the body of a message: decided by [`body`](super::body), and known when the header is written.

use std::ops::Range;

use super::content::{Label, PartSegment};

/// The new body of a message.
pub(super) struct Plan {
    pub(super) splices: Vec<Splice>,
    /// How the message itself is labelled from now on.
    pub(super) root: Root,
}

/// The fate of the fields that describe the content of the message itself.
#[derive(Debug)]
pub(super) enum Root {
    /// They stay.
    Kept,
    /// Character set and transfer encoding change.
    Relabelled(Label),
    /// They go, and these take their place.
    Described(Vec<u8>),
}

/// A range of the original, and what stands in its place.
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) segments: Vec<PartSegment>,
}

impl Plan {
    /// Whether any byte of the body changes.
    pub(super) fn changes_body(&self) -> bool {
        !self.splices.is_empty()
    }
}
