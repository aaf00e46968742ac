//! The evidence that the owner of an address wanted to join a list.
//!
//! `ops::people::requests` writes it when a request is confirmed. It goes with the address, the contact, the list and
//! the account.

use serde::{Deserialize, Serialize};

use super::{AccountId, ConsentId, EmailAddress, Joined, ListId};

/// The evidence that the owner of an address asked to join a list, and confirmed that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// Service identifier.
    pub id: ConsentId,
    /// The account of the list.
    pub account: AccountId,
    /// The address that was confirmed.
    pub address: EmailAddress,
    /// The list.
    pub list: ListId,
    /// The name of the person, as the request gave it; blank if it gave none.
    pub name: String,
    /// The digest setting that was asked for; `None` for that of the address.
    pub digest: Option<bool>,
    /// When, from where and how the person asked.
    pub requested: Joined,
    /// When, from where and how the owner of the address confirmed.
    pub confirmed: Joined,
    /// The words that the person agreed to; blank if none were shown.
    pub agreed: String,
}
