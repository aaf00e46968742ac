//! What `limit_lists` and `limit_metadata` confine an administrator to.
//!
//! The one place that says which lists and custom fields exist for a caller. Operations ask it wherever they go
//! from a name or an id to a list, a field, or anything that belongs to one; what it hides is answered exactly
//! as what is not there.

use std::collections::BTreeSet;

use crate::model::{Admin, CustomFieldId, ListId, Permission};

/// The lists and custom fields that exist for a caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// All lists where unset.
    lists: Option<BTreeSet<ListId>>,
    /// All fields where unset.
    fields: Option<BTreeSet<CustomFieldId>>,
}

impl Limits {
    /// The limits of an administrator: those that its permissions activate.
    #[must_use]
    pub fn of(admin: &Admin) -> Limits {
        let has = |permission| admin.permissions.contains(&permission);
        Limits {
            lists: has(Permission::LimitLists).then(|| admin.limit_lists.iter().copied().collect()),
            fields: has(Permission::LimitMetadata).then(|| admin.limit_metadata.iter().copied().collect()),
        }
    }

    /// The only lists that exist for the caller, by id; none where it sees all of its account.
    #[must_use]
    pub fn lists(&self) -> Option<&BTreeSet<ListId>> {
        self.lists.as_ref()
    }

    /// Whether a list exists for the caller.
    #[must_use]
    pub fn sees_list(&self, list: ListId) -> bool {
        self.lists.as_ref().is_none_or(|lists| lists.contains(&list))
    }

    /// Whether a custom field exists for the caller.
    #[must_use]
    pub fn sees_field(&self, field: CustomFieldId) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.contains(&field))
    }

    /// Whether somebody with the limits `other` sees nothing that these hide.
    #[must_use]
    pub fn contain(&self, other: &Limits) -> bool {
        is_within(other.lists.as_ref(), self.lists.as_ref())
            && is_within(other.fields.as_ref(), self.fields.as_ref())
    }
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
