//! Records of members' leaves, kept so that a leave can be undone.
//!
//! `ops::people` writes one when a member leaves by a link or by mail, and deletes it when the leave is undone or its
//! time is over.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::contact::StoredCopies;
use super::{AccountId, ContactId, DepartureId, Joined, ListId};
use crate::clock::Timestamp;

/// How long a leave can be undone (`spec/mail.md` 11).
pub const UNDO_FOR: Duration = Duration::from_hours(7 * 24);

/// Longest reason that a member can give, in characters.
pub const REASON_CHARS_MAX: usize = 1000;

/// How a member left a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeaveWay {
    /// By the link in a copy: its page, or the button of a mail program.
    Link,
    /// By a mail to the address that corresponds to the link.
    Mail,
}

/// A membership that its member ended, with the values needed to restore it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredDeparture", into = "StoredDeparture")]
pub struct Departure {
    /// Service identifier.
    pub id: DepartureId,
    /// The account that the list and the contact belong to.
    pub account: AccountId,
    /// The list that was left.
    pub list: ListId,
    /// The member who left.
    pub contact: ContactId,
    /// The way in which the member left.
    pub way: LeaveWay,
    /// When the member left.
    pub time: Timestamp,
    /// The reason in the member's own words; `None` if the member gave none.
    pub reason: Option<String>,
    /// The digest setting of the membership.
    pub digest: Option<bool>,
    /// Whether the membership was paused.
    pub paused: bool,
    /// How and when the member had joined.
    pub joined: Joined,
}

impl Departure {
    /// When the leave can no longer be undone, and its record is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + UNDO_FOR
    }
}

// As for memberships: those that were not paused are shown as before there was a pause.
impl fmt::Debug for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Departure { id, account, list, contact, way, time, reason, digest, paused, joined } = self;
        let mut shown = f.debug_struct("Departure");
        shown.field("id", id).field("account", account).field("list", list).field("contact", contact);
        shown.field("way", way).field("time", time).field("reason", reason).field("digest", digest);
        if *paused {
            shown.field("paused", paused);
        }
        shown.field("joined", joined).finish()
    }
}

/// The stored form of a [`Departure`].
#[derive(Serialize, Deserialize)]
struct StoredDeparture {
    id: DepartureId,
    account: AccountId,
    list: ListId,
    contact: ContactId,
    way: LeaveWay,
    time: Timestamp,
    reason: Option<String>,
    copies: StoredCopies,
    joined: Joined,
}

impl From<Departure> for StoredDeparture {
    fn from(departure: Departure) -> StoredDeparture {
        let Departure { id, account, list, contact, way, time, reason, digest, paused, joined } = departure;
        let copies = StoredCopies::new(digest, paused);
        StoredDeparture { id, account, list, contact, way, time, reason, copies, joined }
    }
}

impl From<StoredDeparture> for Departure {
    fn from(stored: StoredDeparture) -> Departure {
        let StoredDeparture { id, account, list, contact, way, time, reason, copies, joined } = stored;
        let (digest, paused) = copies.settings();
        Departure { id, account, list, contact, way, time, reason, digest, paused, joined }
    }
}
