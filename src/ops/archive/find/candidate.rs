//! Reads the text of messages for what the index cannot tell: whether words stand one behind the other.

use std::collections::HashMap;

use crate::model::terms::Fields;
use crate::model::{Message, MessageId};
use crate::ops::archive::indexing::{SEARCHED_BYTES, text_to_search};
use crate::ops::archive::query::Query;
use crate::store::{Read, StoreError};

use super::SearchScope;
use super::phrases::Phrases;

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
        let Some(message) = tx.get::<Message>(id.0)? else { return Ok(Some(false)) };
        // Given up before the message that would be too much, so that no page reads more.
        let cost = message.size_bytes.min(SEARCHED_BYTES);
        if self.left == 0 || self.bytes < cost {
            return Ok(None);
        }
        self.left -= 1;
        self.bytes -= cost;
        let searched = scope.searched(message.list);
        let mut phrases = Phrases::of(query);
        for (field, text) in [
            (Fields::SUBJECT, &message.subject),
            (Fields::SENDER, &message.from_phrase),
            (Fields::SENDER, &message.from_address),
            (Fields::TEXT, &text_to_search(tx, &message)?),
        ] {
            if field.meets(searched) {
                phrases.look(text, field, scope.shows_addresses);
            }
        }
        let is_answer = phrases.are_met();
        self.known.insert(id, is_answer);
        Ok(Some(is_answer))
    }
}
