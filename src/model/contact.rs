//! The address book: contacts, their addresses and their memberships.

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
    /// Values of the account's custom fields; a blank one is left out.
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

/// One address of a contact; every one that is not paused gets the mail of the contact's lists.
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
    /// What speaks against the address, and the pause that followed; none where nothing does.
    pub evidence: Option<BounceState>,
}

/// A contact's place in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// Service identifier; a post goes to those that were there when it was accepted, so to lower ones.
    pub id: MembershipId,
    /// The account both belong to.
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

/// The evidence of a join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// When.
    pub when: Timestamp,
    /// From which address, where a network was involved.
    pub from: Option<IpAddr>,
    /// By which way.
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
