//! The parts of the search index of an archive: segments of many messages, and the newest messages by themselves.

use serde::{Deserialize, Serialize};

use super::terms::Fields;
use super::{AccountId, ListId, MessageId, SegmentId};
use crate::clock::Timestamp;

/// A part of the index of a list: terms, and the messages that have them. Its blocks are written once, and never changed
/// but for the marks of messages that are gone; segments grow by being merged into new ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Service identifier.
    pub id: SegmentId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list whose messages it has.
    pub list: ListId,
    /// How many messages it has, with those that are gone.
    pub documents: u32,
    /// How many of them are gone: taken out of the archive, or indexed anew elsewhere.
    pub gone: u32,
    /// The time of its newest message.
    pub newest: Timestamp,
    /// The time of its oldest message.
    pub oldest: Timestamp,
    /// What it is there for.
    pub state: SegmentState,
}

/// What a segment is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum SegmentState {
    /// Searches read it.
    Live,
    /// It is being made of others, which searches still read.
    Building {
        /// The others.
        sources: Vec<SegmentId>,
        /// Whether the numbers of its messages are written.
        has_documents: bool,
        /// The last term that is written.
        after: Option<String>,
    },
    /// Nobody reads it any more: its blocks are being deleted.
    Dropped,
}

impl Segment {
    /// Whether searches read it.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.state == SegmentState::Live
    }
}

/// The terms of a message that no segment has yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentTerms {
    /// The message.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it was sent to.
    pub list: ListId,
    /// When it was accepted.
    pub time: Timestamp,
    /// Its terms in order, each with the fields that have it.
    pub terms: Vec<(String, Fields)>,
}

impl RecentTerms {
    /// The fields that have a term.
    #[must_use]
    pub fn fields(&self, term: &str) -> Option<Fields> {
        let place = self.terms.binary_search_by(|(known, _)| known.as_str().cmp(term));
        place.ok().map(|place| self.terms[place].1)
    }

    /// The fields that have a term that begins so.
    #[must_use]
    pub fn fields_of_beginning(&self, beginning: &str) -> Option<Fields> {
        let from = self.terms.partition_point(|(known, _)| known.as_str() < beginning);
        let found = self.terms[from..].iter().take_while(|(known, _)| known.starts_with(beginning));
        found.map(|(_, fields)| *fields).reduce(|all, fields| all | fields)
    }
}
