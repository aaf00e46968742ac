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
    /// Those of the lists that hide who wrote their messages: nobody finds them by that.
    pub hidden_authors: &'a [ListId],
}

impl SearchScope<'_> {
    /// The parts of the messages of a list that are searched.
    pub(super) fn searched(&self, list: ListId) -> Fields {
        if self.hidden_authors.contains(&list) { Fields::SUBJECT | Fields::TEXT } else { Fields::ANY }
    }
}

/// Whether a query has phrases that must be there.
pub(super) fn has_phrase(query: &Query) -> bool {
    let mut conditions = query.conditions().iter();
    conditions.any(|condition| !condition.is_negated && matches!(condition.test, Test::Phrase { .. }))
}
