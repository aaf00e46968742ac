//! Requests that wait for an administrator's approval: to join a list, to leave one, or to create one.
//!
//! `ops::lists` writes and decides them.

use serde::{Deserialize, Serialize};

use super::message::{Decision, HELD_FOR, HeldAction};
use super::{AccountId, EmailAddress, ListId, PendingId, words};
use crate::clock::Timestamp;

words! {
    /// The kind of a request.
    PendingKind {
        /// To become a member of a list.
        Subscription = "subscription",
        /// To create a list.
        List = "list",
        /// To leave a list.
        Unsubscription = "unsubscription",
    }
}

words! {
    /// The state of a request.
    PendingState {
        /// It waits.
        Pending = "pending",
        /// It was granted.
        Approved = "approved",
        /// It was refused.
        Rejected = "rejected",
        /// It was dropped silently.
        Discarded = "discarded",
    }
}

impl From<HeldAction> for PendingState {
    /// The state that a decision leads to.
    fn from(action: HeldAction) -> PendingState {
        match action {
            HeldAction::Approve => PendingState::Approved,
            HeldAction::Reject => PendingState::Rejected,
            HeldAction::Discard => PendingState::Discarded,
        }
    }
}

/// A request that waits for approval, or that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Service identifier.
    pub id: PendingId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The kind of the request.
    pub kind: PendingKind,
    /// The list to be created, joined or left.
    pub list: ListId,
    /// The list's name at the time of the request, for when the list is gone.
    pub list_name: String,
    /// The address of the person who asks to join or leave.
    pub email: Option<EmailAddress>,
    /// The name of the person who asks to join or leave, or the description of the list.
    pub name: String,
    /// When the request was made.
    pub requested: Timestamp,
    /// Its state.
    pub state: PendingState,
    /// The decision; `None` while it waits.
    pub decision: Option<Decision>,
}

impl Pending {
    /// When a decided request is deleted; `None` for a waiting one, which stays.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        self.decision.as_ref().map(|decision| decision.time + HELD_FOR)
    }
}
