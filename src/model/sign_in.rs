//! The mailed links by which members sign in: one record for each mail.
//!
//! `ops::people::sign_in` writes them. Only a hash of the link's token is stored, so the data file signs nobody in.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, EmailAddress, SignInLinkId};
use crate::clock::Timestamp;

/// How long a link to sign in works (`spec/web.md` 7, "Ends").
pub const SIGN_IN_LINK_WORKS_FOR: Duration = Duration::from_hours(1);
/// How long a link that no longer works is kept, so that its page can say why.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// A mailed link that signs a member in once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignInLink {
    /// Service identifier.
    pub id: SignInLinkId,
    /// The account whose pages it opens.
    pub account: AccountId,
    /// The member.
    pub contact: ContactId,
    /// The address to which it was mailed.
    pub address: EmailAddress,
    /// SHA-256 of the token in the link.
    pub token_hash: [u8; 32],
    /// Whether the member asked to stay signed in on the device.
    pub stays: bool,
    /// The path of the page that the member wanted to open; blank for the members' first page.
    pub next: String,
    /// When it stops working.
    pub expiry: Timestamp,
    /// When it was used, if it was.
    pub used: Option<Timestamp>,
}

impl SignInLink {
    /// When the record is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.expiry + KEPT_FOR
    }
}
