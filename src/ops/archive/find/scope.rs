//! What is searched, and for whom.

use crate::model::terms::Fields;
use crate::model::{AccountId, ListId};
use crate::ops::archive::query::{Query, Test};

/// The lists that are searched, and the rights of the reader.
#[derive(Debug, Clone, Copy)]
pub struct SearchScope<'a> {
    /// The account of the lists.
    pub account: AccountId,
    /// The lists that are searched.
    pub lists: &'a [ListId],
    /// Whether the reader may see addresses. Other readers find nothing by the hidden parts of addresses.
    pub shows_addresses: bool,
    /// Whether who asks may know who wrote the messages: else nobody finds them by that.
    pub shows_authors: bool,
}

impl SearchScope<'_> {
    /// The parts of messages that are searched.
    pub(super) fn searched(&self) -> Fields {
        if self.shows_authors { Fields::ANY } else { Fields::SUBJECT | Fields::TEXT }
    }
}

/// Whether a query has phrases that must be there.
pub(super) fn has_phrase(query: &Query) -> bool {
    let mut conditions = query.conditions().iter();
    conditions.any(|condition| !condition.is_negated && matches!(condition.test, Test::Phrase { .. }))
}
