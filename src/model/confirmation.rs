//! Requests that the owner of an address must confirm: to join or leave lists, to change how mail comes, to add an
//! address to a contact, or to put it in the place of another.
//!
//! `ops::people::requests` writes one for each request and mails its link; a person who can read mail of the address
//! confirms it. A request that nobody confirms changes nothing.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::contact::JoinWay;
use super::{AccountId, ConfirmationId, ContactId, EmailAddress, EmailId, ListId};
use crate::clock::Timestamp;

/// How long the link of a request works (`spec/web.md` 7).
pub const CONFIRM_WITHIN: Duration = Duration::from_hours(7 * 24);
/// How long a request is kept beyond that, so that its page can say whether it was confirmed.
const KEPT_BEYOND: Duration = Duration::from_hours(30 * 24);

/// A change that somebody asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestedChange {
    /// To become a member of a list.
    Join {
        /// The list.
        list: ListId,
        /// The digest setting of the membership; `None` for that of the address.
        digest: Option<bool>,
    },
    /// To leave a list.
    Leave {
        /// The list.
        list: ListId,
    },
    /// To get a list's mail in digests, or singly.
    Digest {
        /// The list.
        list: ListId,
        /// The digest setting of the membership; `None` for that of the address.
        digest: Option<bool>,
    },
    /// To get no mail at the address.
    Pause,
    /// To get mail at the address again.
    Resume,
    /// To add the address to a contact.
    AddAddress {
        /// The contact.
        contact: ContactId,
    },
    /// To give a contact the address in the place of another one.
    ReplaceAddress {
        /// The contact.
        contact: ContactId,
        /// The address that goes.
        email: EmailId,
    },
}

impl RequestedChange {
    /// The list of the change, if it is about one.
    #[must_use]
    pub fn list(&self) -> Option<ListId> {
        match self {
            RequestedChange::Join { list, .. }
            | RequestedChange::Leave { list }
            | RequestedChange::Digest { list, .. } => Some(*list),
            RequestedChange::Pause
            | RequestedChange::Resume
            | RequestedChange::AddAddress { .. }
            | RequestedChange::ReplaceAddress { .. } => None,
        }
    }

    /// The contact that the change names, if it names one.
    #[must_use]
    pub fn contact(&self) -> Option<ContactId> {
        match self {
            RequestedChange::AddAddress { contact }
            | RequestedChange::ReplaceAddress { contact, email: _ } => Some(*contact),
            RequestedChange::Join { .. }
            | RequestedChange::Leave { .. }
            | RequestedChange::Digest { .. }
            | RequestedChange::Pause
            | RequestedChange::Resume => None,
        }
    }
}

/// A request that waits to be confirmed, or that was confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmation {
    /// Service identifier.
    pub id: ConfirmationId,
    /// The account of the lists.
    pub account: AccountId,
    /// The address whose owner must confirm.
    pub address: EmailAddress,
    /// The name of the person, as the request gave it; blank if it gave none.
    pub name: String,
    /// The changes; at least one.
    pub changes: Vec<RequestedChange>,
    /// When the request was made.
    pub requested: Timestamp,
    /// The network address from which it was made, if a network was involved.
    pub client: Option<IpAddr>,
    /// The way in which it was made.
    pub way: JoinWay,
    /// The words that the person agreed to; blank if none were shown.
    pub agreed: String,
    /// When it was confirmed; `None` if it was not.
    pub done: Option<Timestamp>,
}

impl Confirmation {
    /// When its link stops working.
    #[must_use]
    pub fn ends(&self) -> Timestamp {
        self.requested + CONFIRM_WITHIN
    }

    /// When it is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.ends() + KEPT_BEYOND
    }
}
