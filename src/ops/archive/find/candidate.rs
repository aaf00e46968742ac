//! Reads the text of messages for what the index cannot tell: whether words stand one behind the other.

use std::collections::HashMap;

use crate::model::terms::{Fields, PlacedWord, placed_words};
use crate::model::{Message, MessageId};
use crate::ops::archive::indexing::text_of;
use crate::ops::archive::query::{Beginnings, Query, Test};
use crate::store::{Read, StoreError};

use super::SearchScope;

/// Texts that are read for one page, and as many to count.
const TEXTS_MAX: usize = 250;
/// Octets of messages that are read for one page, and as many to count.
const BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The messages whose texts were read.
#[derive(Debug)]
pub(in crate::ops::archive) struct Texts {
    known: HashMap<MessageId, bool>,
    left: usize,
    bytes: u64,
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { known: HashMap::new(), left: TEXTS_MAX, bytes: BYTES_MAX }
    }
}

impl Texts {
    /// Has as many be read again.
    pub(super) fn refill(&mut self) {
        (self.left, self.bytes) = (TEXTS_MAX, BYTES_MAX);
    }

    /// Whether a message has the phrases of a query, and not those that it must not have; `None` if no more texts may
    /// be read.
    pub(super) fn answer(
        &mut self,
        tx: &impl Read,
        scope: &SearchScope<'_>,
        query: &Query,
        id: MessageId,
    ) -> Result<Option<bool>, StoreError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(Some(*known));
        }
        if self.left == 0 || self.bytes == 0 {
            return Ok(None);
        }
        let Some(message) = tx.get::<Message>(id.0)? else { return Ok(Some(false)) };
        self.left -= 1;
        self.bytes = self.bytes.saturating_sub(message.size_bytes);
        let (text, _) = text_of(tx, &message)?;
        let parts = [
            (Fields::SUBJECT, placed_words(&message.subject)),
            (Fields::SENDER, placed_words(&message.from_phrase)),
            (Fields::SENDER, placed_words(&message.from_address)),
            (Fields::TEXT, placed_words(&text)),
        ];
        let has = |words: &[String], fields: Fields| {
            let fields = fields & scope.searched();
            let mut asked = parts.iter().filter(|(field, _)| field.meets(fields));
            asked.any(|(_, placed)| stands_in(words, placed, scope.shows_addresses))
        };
        let is_answer = query.conditions().iter().all(|condition| match &condition.test {
            Test::Phrase { words, fields } => has(words, *fields) != condition.is_negated,
            _ => true,
        });
        self.known.insert(id, is_answer);
        Ok(Some(is_answer))
    }
}

/// Whether words stand one behind the other in a text.
fn stands_in(words: &[String], placed: &[PlacedWord], shows_hidden: bool) -> bool {
    let beginnings = Beginnings::of_phrase(words);
    let is = |placed: &PlacedWord, place: usize| {
        let word = words[place].as_str();
        let is_beginning = beginnings.has(place, words.len()) && placed.word.starts_with(word);
        (is_beginning || placed.word == word) && (shows_hidden || !placed.is_hidden)
    };
    placed.windows(words.len()).any(|window| (0..).zip(window).all(|(place, placed)| is(placed, place)))
}
