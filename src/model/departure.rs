//! Records of members' leaves, kept so that a leave can be undone.
//!
//! `ops::people` writes one when a member leaves by a link or by mail, and deletes it when the leave is undone or its
//! time is over.

use std::time::Duration;

use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
