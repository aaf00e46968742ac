//! The parts of the search index of an archive: segments of many messages, and the newest messages by themselves.

use serde::{Deserialize, Serialize};

use super::terms::{Fields, Terms};
use super::{AccountId, ListId, Message, MessageId, SegmentId};
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
    /// Whether it is searched, being made or being deleted.
    pub state: SegmentState,
}

/// Whether a segment is searched, being made or being deleted.
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
    /// Its terms in order, each on a line of its own, with a tab and the number of the fields that have it behind it, and
    /// a line end before the first: so that a search looks through it as it is.
    terms: String,
}

impl RecentTerms {
    /// The terms of a message.
    #[must_use]
    pub fn new(message: &Message, found: &Terms) -> RecentTerms {
        let mut terms =
            String::with_capacity(found.iter().map(|(term, _)| term.len() + 3).sum::<usize>() + 1);
        terms.push('\n');
        for (term, fields) in found.iter() {
            terms.push_str(term);
            terms.push('\t');
            terms.push(char::from(b'0' + fields.bits()));
            terms.push('\n');
        }
        let Message { id, account, list, time, .. } = *message;
        RecentTerms { id, account, list, time, terms }
    }

    /// The terms in order, each with the fields that have it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Fields)> {
        self.terms.lines().filter_map(fields_of_line)
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The fields that have a term.
    #[must_use]
    pub fn fields(&self, term: &str) -> Option<Fields> {
        // No other term that begins so comes before it.
        self.beginning(term).next().filter(|(found, _)| *found == term).map(|(_, fields)| fields)
    }

    /// The fields that have a term that begins so.
    #[must_use]
    pub fn fields_of_beginning(&self, beginning: &str) -> Option<Fields> {
        self.beginning(beginning).map(|(_, fields)| fields).reduce(|all, fields| all | fields)
    }

    /// The terms that begin so, in order, each with the fields that have it.
    pub fn beginning(&self, beginning: &str) -> impl Iterator<Item = (&str, Fields)> {
        let line = format!("\n{beginning}");
        let from = memchr::memmem::find(self.terms.as_bytes(), line.as_bytes());
        // They follow each other, since they are in order.
        let lines =
            self.terms.get(from.map_or(self.terms.len(), |from| from + 1)..).unwrap_or_default().lines();
        lines.take_while(move |found| found.starts_with(&line[1..])).filter_map(fields_of_line)
    }
}

/// A term and its fields, as they stand on a line.
fn fields_of_line(line: &str) -> Option<(&str, Fields)> {
    let (term, fields) = line.split_once('\t')?;
    Some((term, Fields::from_bits(fields.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_whole_and_by_their_beginnings() {
        let known = [("atea 5@x", 2), ("wtea", 5), ("wtea1", 4), ("wtea5", 1), ("wtime", 4)];
        let lines: Vec<String> = known.iter().map(|(term, fields)| format!("{term}\t{fields}\n")).collect();
        let lines = lines.concat();
        let recent = RecentTerms {
            id: MessageId(1),
            account: AccountId(1),
            list: ListId(1),
            time: Timestamp::from_ms(0),
            terms: format!("\n{lines}"),
        };
        let all: Vec<(&str, u8)> = recent.iter().map(|(term, fields)| (term, fields.bits())).collect();
        assert_eq!((all.as_slice(), recent.len()), (known.as_slice(), known.len()));
        for (term, fields) in known {
            assert_eq!(recent.fields(term).map(Fields::bits), Some(fields), "{term}");
        }
        for term in ["wte", "wtea2", "wtea55", "tea", "wz", "w", ""] {
            assert_eq!(recent.fields(term), None, "{term}");
        }
        for (beginning, fields) in [("wt", 5), ("wtea", 5), ("wtea5", 1), ("wti", 4), ("a", 2)] {
            let found = recent.fields_of_beginning(beginning).map(Fields::bits);
            assert_eq!(found, Some(fields), "{beginning}");
        }
        assert_eq!(recent.fields_of_beginning("x"), None);
    }
}
