//! Settings that members choose themselves, and which fields their account lets them edit. They are records of their
//! own, so that the stored form of contacts and addresses does not change.
//!
//! `ops::people` writes these records.

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, CustomFieldId, EmailId};
use crate::clock::Timestamp;

/// The address that a contact put first; without this record it is the oldest one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstEmail {
    /// The contact, which has one such record at most.
    pub contact: ContactId,
    /// The account of the contact.
    pub account: AccountId,
    /// The address.
    pub email: EmailId,
}

/// The day until which a person paused an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmailPause {
    /// The address, which has one such record at most.
    pub email: EmailId,
    /// The account of the address.
    pub account: AccountId,
    /// When the address takes mail again: the beginning of a day in the account's time zone.
    pub until: Timestamp,
}

/// The custom fields that an account lets its members edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberFields {
    /// The account, which has one such record at most.
    pub account: AccountId,
    /// The fields, in ascending order.
    pub fields: Vec<CustomFieldId>,
}
