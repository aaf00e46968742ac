//! Events that administrators are told by mail soon after they happen: members who joined or left, and
//! requests that wait for approval.
//!
//! `ops::people` writes these records in the job of the event; the same job or the upkeep turns them into system mails.

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, AnnouncementId, ContactId, ListId, PendingId};
use crate::clock::Timestamp;

/// The event that is announced. It names people by their numbers, so that nothing is told of a person who is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// A request waits for approval.
    Asked(PendingId),
    /// A contact became a member.
    Joined(ContactId),
    /// A member left.
    Left(ContactId),
    /// A person who left said why.
    SaidWhy(ContactId),
}

/// An event on a list of which administrators are to be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// Service identifier; older ones are lower.
    pub id: AnnouncementId,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// The event.
    pub news: News,
    /// The administrator who brought it about, and need not be told.
    pub by: Option<AdminId>,
    /// When it happened.
    pub time: Timestamp,
    /// When it is told.
    pub due: Timestamp,
    /// Whether it waits for a summary, since too much has been told of the list in this hour.
    pub is_put_off: bool,
}
