//! The address book: contacts, their addresses and their memberships.
//!
//! `ops::people` writes these records. A contact is a person or another reader; mail goes to its addresses.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{AccountId, BounceState, ContactId, CustomFieldId, EmailAddress, EmailId, ListId, MembershipId};
use crate::clock::Timestamp;

/// A person or another reader, with at least one address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Service identifier.
    pub id: ContactId,
    /// The account it belongs to.
    pub account: AccountId,
    /// Custom identifier, unique in the account.
    pub ccid: Option<String>,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// Free text.
    pub notes: String,
    /// Values of the account's custom fields; blank values are left out.
    pub custom: BTreeMap<CustomFieldId, String>,
    /// When it was made.
    pub created: Timestamp,
}

impl Contact {
    /// First name and surname, as far as they are known.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.firstname.trim(), self.surname.trim()) {
            ("", surname) => surname.to_owned(),
            (firstname, "") => firstname.to_owned(),
            (firstname, surname) => format!("{firstname} {surname}"),
        }
    }
}

/// One address of a contact; every address that is not paused gets the mail of the contact's lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Email {
    /// Service identifier.
    pub id: EmailId,
    /// The account it belongs to, in which the address is unique.
    pub account: AccountId,
    /// The contact it belongs to.
    pub contact: ContactId,
    /// The address itself.
    pub address: EmailAddress,
    /// Whether it receives daily digests.
    pub digest: bool,
    /// Whether delivery to it is paused.
    pub paused: bool,
    /// Whether its owner has confirmed it.
    pub confirmed: bool,
    /// Custom identifier.
    pub ceid: Option<String>,
    /// Signs that mail to the address fails or is unwanted, and the pause they led to; `None` if there are none.
    pub evidence: Option<BounceState>,
}

/// The membership of a contact in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// Service identifier. A post goes to the memberships that existed when it was accepted, that is to those with
    /// lower ids.
    pub id: MembershipId,
    /// The account that the contact and the list belong to.
    pub account: AccountId,
    /// The member.
    pub contact: ContactId,
    /// The list.
    pub list: ListId,
    /// Overrides the digest setting of the member's addresses.
    pub digest: Option<bool>,
    /// How and when the member joined.
    pub joined: Joined,
}

/// How and when a member joined, as evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// When the member joined.
    pub when: Timestamp,
    /// The network address from which the member joined, if a network was involved.
    pub from: Option<IpAddr>,
    /// The way in which the member joined.
    pub way: JoinWay,
}

/// The ways of joining a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JoinWay {
    /// An administrator's program called the API.
    Api,
    /// The operator's command line.
    Command,
    /// A form on a page.
    Web,
    /// A mail to the list's addresses.
    Mail,
}
