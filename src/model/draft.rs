//! Drafts: the text that a member sent from a page when the session had ended. It comes back after signing in.
//!
//! `ops::people::drafts` writes these records. A member has at most one for each list.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, DraftId, ListId, MessageId};
use crate::clock::Timestamp;

/// How long a draft is kept.
const KEPT_FOR: Duration = Duration::from_hours(24);

/// A message to a list that was not sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Service identifier.
    pub id: DraftId,
    /// The account of the list.
    pub account: AccountId,
    /// The member who wrote it.
    pub contact: ContactId,
    /// The list.
    pub list: ListId,
    /// The message that it replies to.
    pub reply: Option<MessageId>,
    /// The chosen address of the member; blank if none was chosen.
    pub from: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// When it was kept.
    pub kept: Timestamp,
}

impl Draft {
    /// When it is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.kept + KEPT_FOR
    }
}
