//! What is to be written as soon as there is time: welcome messages, and summaries of what waits.

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, ListId, WelcomeId};
use crate::clock::Timestamp;

/// Why somebody is welcomed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WelcomeCause {
    /// They joined a list that has a welcome message.
    Joined(ListId),
    /// They were added to an account that welcomes its contacts.
    Added,
}

/// A welcome message that is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// Service identifier; older ones are lower.
    pub id: WelcomeId,
    /// The account of the contact.
    pub account: AccountId,
    /// Who is welcomed.
    pub contact: ContactId,
    /// Why.
    pub cause: WelcomeCause,
}

/// A daily summary of what waits on a list, from the first message that was held since the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModerationDigest {
    /// The list.
    pub list: ListId,
    /// Its account.
    pub account: AccountId,
    /// When it is written.
    pub due: Timestamp,
}
