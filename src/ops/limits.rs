//! The lists and custom fields that `limit_lists` and `limit_metadata` let an administrator see.
//!
//! It is the only place that decides which lists and custom fields exist for a caller;
//! [`authority`](crate::ops::authority) decides which limits a caller has, and what they mean for its objects. Operations
//! ask wherever they get from a name or an id to a list, a field, or an object that belongs to one. A hidden object is answered exactly like one
//! that does not exist.

use std::collections::BTreeSet;

use crate::model::{CustomFieldId, ListId};
use crate::store::KeyReader;

/// The lists and custom fields that exist for a caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// The visible lists; all if unset.
    lists: Option<BTreeSet<ListId>>,
    /// The visible fields; all if unset.
    fields: Option<BTreeSet<CustomFieldId>>,
}

impl Limits {
    /// Limits a caller to these lists and custom fields; an unset argument does not limit.
    pub(in crate::ops) fn to(
        lists: Option<BTreeSet<ListId>>,
        fields: Option<BTreeSet<CustomFieldId>>,
    ) -> Limits {
        Limits { lists, fields }
    }

    /// The only lists that exist for the caller, by id; `None` if it sees all of its account.
    #[must_use]
    pub fn lists(&self) -> Option<&BTreeSet<ListId>> {
        self.lists.as_ref()
    }

    /// Whether a list exists for the caller.
    #[must_use]
    pub fn sees_list(&self, list: ListId) -> bool {
        self.lists.as_ref().is_none_or(|lists| lists.contains(&list))
    }

    /// The only custom fields that exist for the caller; `None` if it sees all of its account.
    #[must_use]
    pub fn fields(&self) -> Option<&BTreeSet<CustomFieldId>> {
        self.fields.as_ref()
    }

    /// Whether a custom field exists for the caller.
    #[must_use]
    pub fn sees_field(&self, field: CustomFieldId) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.contains(&field))
    }

    /// Whether there may be custom fields that do not exist for the caller.
    #[must_use]
    pub fn hide_fields(&self) -> bool {
        self.fields.is_some()
    }

    /// Whether a caller with the limits `other` sees nothing that these limits hide.
    #[must_use]
    pub fn contain(&self, other: &Limits) -> bool {
        is_within(other.lists.as_ref(), self.lists.as_ref())
            && is_within(other.fields.as_ref(), self.fields.as_ref())
    }
}

/// The list in a key of [`MEMBERSHIP_BY_CONTACT`](crate::schema::MEMBERSHIP_BY_CONTACT).
pub(in crate::ops) fn list_in_key(key: &[u8]) -> Option<ListId> {
    let mut parts = KeyReader::new(key);
    parts.u64()?;
    parts.u64()?;
    parts.u64().map(ListId)
}

fn is_within<T: Ord>(inner: Option<&BTreeSet<T>>, outer: Option<&BTreeSet<T>>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => inner.is_subset(outer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(ids: &[u64]) -> Limits {
        Limits { lists: Some(ids.iter().copied().map(ListId).collect()), fields: None }
    }

    fn fields(ids: &[u32]) -> Limits {
        Limits { lists: None, fields: Some(ids.iter().copied().map(CustomFieldId).collect()) }
    }

    #[test]
    fn fewer_lists_and_fields_are_within_more() {
        let none = Limits::default();
        assert!(none.contain(&none) && none.contain(&lists(&[1])) && none.contain(&fields(&[])));
        assert!(lists(&[1, 2]).contain(&lists(&[2])) && lists(&[]).contain(&lists(&[])));
        assert!(!lists(&[1]).contain(&lists(&[1, 2])));
        assert!(!lists(&[1]).contain(&none) && !lists(&[1]).contain(&fields(&[1])));
        assert!(!fields(&[1]).contain(&fields(&[2])));
    }
}
