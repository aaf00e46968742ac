//! Where the addresses of pages lead that another server had before.
//!
//! `ops::archive::old_links` writes and asks for them; [`old_place`](super::old_place) reads the addresses themselves.

use serde::{Deserialize, Serialize};

use super::{AccountId, Domain, ListId, MessageId, OldLinkId, OldNameId};
use crate::clock::Timestamp;

/// A host under which another server had the lists of an account: requests there are led on to the account's pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldName {
    /// Service identifier.
    pub id: OldNameId,
    /// The account.
    pub account: AccountId,
    /// The host, in A-label form.
    pub host: Domain,
    /// When it was added.
    pub since: Timestamp,
}

/// An old address of a page, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldLink {
    /// Service identifier.
    pub id: OldLinkId,
    /// The account.
    pub account: AccountId,
    /// The list in whose archive the message is; `None` for an address that was given by hand.
    pub list: Option<ListId>,
    /// The address.
    pub address: OldAddress,
    /// Where it leads.
    pub target: OldTarget,
}

/// The facts of an old address. The places of these are stored: a new one stands behind the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OldAddress {
    /// A path with its query, given by hand; the host stands in front of it if it matters.
    Page(String),
    /// The SHA-1 of a message's Message-ID, by which `HyperKitty` names it.
    MailHash([u8; 20]),
    /// A message of an archive of pipermail.
    Pipermail {
        /// The folder of its pages, such as `2015-April`.
        volume: String,
        /// The number in the name of its page.
        number: u32,
    },
    /// A message of an archive of Sympa.
    Sympa {
        /// The month, such as `2015-04`.
        month: String,
        /// The number in the name of its page; the first one is 0.
        number: u32,
    },
}

/// Where an old address leads. The places of these are stored: a new one stands behind the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum OldTarget {
    /// To a message.
    Message(MessageId),
    /// To a message that was not there when the address became known.
    Missing {
        /// Its Message-ID, by which it is looked for again.
        message_id: Option<String>,
        /// Its subject; blank if nobody knows.
        subject: String,
    },
    /// To a path of the account's pages, or to a URL.
    Page(String),
}
