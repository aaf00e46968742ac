//! Sessions of people who are signed in: one record for each browser.
//!
//! `ops::sessions` writes them. Only a hash of the cookie's token is stored.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, ContactId, SessionId};
use crate::clock::Timestamp;

/// How long an administrator's session lasts at most.
pub const ADMIN_SESSION_MAX: Duration = Duration::from_hours(30 * 24);
/// How long an administrator's session lasts without being used.
pub const ADMIN_SESSION_IDLE_MAX: Duration = Duration::from_hours(12);
/// How long a member's session lasts after its last use.
pub const MEMBER_SESSION_MAX: Duration = Duration::from_hours(24);
/// The same on a device where the member stays signed in.
pub const MEMBER_SESSION_KEPT_MAX: Duration = Duration::from_hours(90 * 24);

/// The kinds of people who sign in, each with an identifier. Stored by its position: new kinds are added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Person {
    /// A member, who signed in with a link mailed to one of the contact's addresses.
    Member(ContactId),
    /// An administrator.
    Admin(AdminId),
}

/// A browser in which somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Service identifier.
    pub id: SessionId,
    /// The account that the session is valid for; [`AccountId::SERVER`] for a global administrator.
    pub account: AccountId,
    /// The person who is signed in.
    pub person: Person,
    /// SHA-256 of the token in the browser's cookie.
    pub token_hash: [u8; 32],
    /// The browser and its system in a few words, as it named itself at the last use.
    pub device: String,
    /// The network address of the last use, if a network was involved.
    pub client: Option<IpAddr>,
    /// When the person signed in.
    pub made: Timestamp,
    /// When the person last proved the identity by a password, a second factor or a mailed link.
    pub proven: Timestamp,
    /// When it was last used: exact to a few minutes for an administrator, and to an hour for a member.
    pub last_use: Timestamp,
    /// When it ends. An administrator's ends then however much it is used; a member's use puts it off.
    pub expiry: Timestamp,
}

impl Session {
    /// When it ends unless it is used before.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        match self.person {
            Person::Member(_) => self.expiry,
            Person::Admin(_) => self.expiry.min(self.last_use + ADMIN_SESSION_IDLE_MAX),
        }
    }
}
