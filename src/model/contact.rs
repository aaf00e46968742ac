//! The address book: contacts, their addresses and their memberships.
//!
//! `ops::people` writes these records. A contact is a person or another reader; mail goes to its addresses.

use std::collections::BTreeMap;
use std::fmt;
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
            (firstname, surname) => [firstname, surname].join(" "),
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
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredMembership", into = "StoredMembership")]
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
    /// Whether the member gets no copies of the list's posts, and reads them on the web alone.
    pub paused: bool,
    /// How and when the member joined.
    pub joined: Joined,
}

// No record changed its form when memberships could first be paused, so those that are not are shown as before.
impl fmt::Debug for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Membership { id, account, contact, list, digest, paused, joined } = self;
        let mut shown = f.debug_struct("Membership");
        shown.field("id", id).field("account", account).field("contact", contact).field("list", list);
        shown.field("digest", digest);
        if *paused {
            shown.field("paused", paused);
        }
        shown.field("joined", joined).finish()
    }
}

/// The stored form of the two settings of a membership.
///
/// The stored form of the first two variants is that of `None` and `Some` of the digest setting alone, which is all
/// that memberships had before they could be paused: their records are read as they are, and most are written so.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum StoredCopies {
    /// Not paused, and as the addresses say.
    AsAddresses,
    /// Not paused, with the digest setting.
    Digest(bool),
    /// Paused, with the digest setting.
    Paused(Option<bool>),
}

impl StoredCopies {
    pub(super) fn new(digest: Option<bool>, paused: bool) -> StoredCopies {
        match (digest, paused) {
            (digest, true) => StoredCopies::Paused(digest),
            (Some(digest), false) => StoredCopies::Digest(digest),
            (None, false) => StoredCopies::AsAddresses,
        }
    }

    /// The digest setting, and whether the membership is paused.
    pub(super) fn settings(self) -> (Option<bool>, bool) {
        match self {
            StoredCopies::AsAddresses => (None, false),
            StoredCopies::Digest(digest) => (Some(digest), false),
            StoredCopies::Paused(digest) => (digest, true),
        }
    }
}

/// The stored form of a [`Membership`].
#[derive(Serialize, Deserialize)]
struct StoredMembership {
    id: MembershipId,
    account: AccountId,
    contact: ContactId,
    list: ListId,
    copies: StoredCopies,
    joined: Joined,
}

impl From<Membership> for StoredMembership {
    fn from(membership: Membership) -> StoredMembership {
        let Membership { id, account, contact, list, digest, paused, joined } = membership;
        StoredMembership { id, account, contact, list, copies: StoredCopies::new(digest, paused), joined }
    }
}

impl From<StoredMembership> for Membership {
    fn from(stored: StoredMembership) -> Membership {
        let StoredMembership { id, account, contact, list, copies, joined } = stored;
        let (digest, paused) = copies.settings();
        Membership { id, account, contact, list, digest, paused, joined }
    }
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
