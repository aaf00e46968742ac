//! Requests that wait for an administrator's approval.

use serde::{Deserialize, Serialize};

use super::message::{Decision, HELD_FOR};
use super::{AccountId, EmailAddress, ListId, PendingId, words};
use crate::clock::Timestamp;

words! {
    /// What is asked for.
    PendingKind {
        /// To be a member of a list.
        Subscription = "subscription",
        /// To have a list.
        List = "list",
    }
}

words! {
    /// Where a request stands.
    PendingState {
        /// It waits.
        Pending = "pending",
        /// It was granted.
        Approved = "approved",
        /// It was refused.
        Rejected = "rejected",
        /// It was dropped.
        Discarded = "discarded",
    }
}

/// A request that waits for approval, or what was decided of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Service identifier.
    pub id: PendingId,
    /// The account it belongs to.
    pub account: AccountId,
    /// What is asked for.
    pub kind: PendingKind,
    /// The list that waits, or that somebody would join.
    pub list: ListId,
    /// Its name when this was asked, for when it is gone.
    pub list_name: String,
    /// Who would join.
    pub email: Option<EmailAddress>,
    /// The name of who would join, or the description of the list.
    pub name: String,
    /// When it was asked.
    pub requested: Timestamp,
    /// Where it stands.
    pub state: PendingState,
    /// What was decided; none while it waits.
    pub decision: Option<Decision>,
}

impl Pending {
    /// When what was decided is forgotten; what waits stays.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        self.decision.as_ref().map(|decision| decision.time + HELD_FOR)
    }
}
