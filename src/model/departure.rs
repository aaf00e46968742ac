//! Leaves that can be undone.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, DepartureId, Joined, ListId};
use crate::clock::Timestamp;

/// How long a leave can be undone (`spec/mail.md` 11).
pub const UNDO_FOR: Duration = Duration::from_hours(7 * 24);

/// How a member left a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeaveWay {
    /// By the link of a copy: its page, or the button of a mail program.
    Link,
    /// By a mail to the address that stands for the link.
    Mail,
}

/// A membership that its member ended, with what is needed to restore it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// Service identifier.
    pub id: DepartureId,
    /// The account that the list and the contact belong to.
    pub account: AccountId,
    /// The list that was left.
    pub list: ListId,
    /// Who left.
    pub contact: ContactId,
    /// How.
    pub way: LeaveWay,
    /// When.
    pub time: Timestamp,
    /// Why, in the member's own words; `None` where nothing was said.
    pub reason: Option<String>,
    /// The digest setting of the membership.
    pub digest: Option<bool>,
    /// The evidence of the join.
    pub joined: Joined,
}

impl Departure {
    /// When it can no longer be undone, and is forgotten.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + UNDO_FOR
    }
}
