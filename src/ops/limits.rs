//! The lists and custom fields that `limit_lists` and `limit_metadata` let an administrator see.
//!
//! It is the only place that decides which lists and custom fields exist for a caller;
//! [`authority`](crate::ops::authority) decides which limits a caller has. Operations ask it wherever they get from a
//! name or an id to a list, a field, or an object that belongs to one. A hidden object is answered exactly like one
//! that does not exist.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::model::{ContactId, CustomFieldId, List, ListId, Message};
use crate::ops::{Caller, OpError};
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

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

impl Caller {
    /// Whether this list exists for the caller.
    #[must_use]
    pub fn sees_list(&self, list: &List) -> bool {
        list.account == self.account && self.limits.sees_list(list.id)
    }

    /// Whether this message exists for the caller: its list must.
    #[must_use]
    pub fn sees_message(&self, message: &Message) -> bool {
        message.account == self.account && self.limits.sees_list(message.list)
    }

    /// Whether this contact exists for the caller. A caller with limited lists sees only their members.
    pub fn sees_contact(&self, tx: &impl Read, contact: ContactId) -> Result<bool, StoreError> {
        if self.limits.lists.is_none() {
            return Ok(true);
        }
        self.any_list(tx, contact, |list| self.limits.sees_list(list))
    }

    /// Passes if the contact is in no list that the caller does not see: such a contact is shared with others, so the
    /// caller must not change it.
    pub(in crate::ops) fn require_whole(&self, tx: &impl Read, contact: ContactId) -> Result<(), OpError> {
        let is_elsewhere =
            self.limits.lists.is_some() && self.any_list(tx, contact, |list| !self.limits.sees_list(list))?;
        if is_elsewhere {
            Err(OpError::Limited { what: "changing a contact that is in other lists too" })
        } else {
            Ok(())
        }
    }

    /// Passes if the caller sees every list of its account.
    pub fn require_all_lists(&self, what: &'static str) -> Result<(), OpError> {
        if self.limits.lists.is_none() { Ok(()) } else { Err(OpError::Limited { what }) }
    }

    fn any_list(
        &self,
        tx: &impl Read,
        contact: ContactId,
        test: impl Fn(ListId) -> bool,
    ) -> Result<bool, StoreError> {
        let of_contact = IndexRange::prefix(Key::new().u64(self.account.0).u64(contact.0));
        let found = tx.scan(&MEMBERSHIP_BY_CONTACT, &of_contact, |key, _| {
            if list_in_key(key).is_some_and(&test) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(found.is_some())
    }
}

/// The list in a key of [`MEMBERSHIP_BY_CONTACT`].
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
