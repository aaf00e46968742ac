//! Mails that are to be written as soon as there is time: welcome messages, and digests of held messages.
//!
//! `ops` writes these records when somebody joins or a message is held; the upkeep turns them into system mails.

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId, ListId, WelcomeId};
use crate::clock::Timestamp;

/// The reason for a welcome message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WelcomeCause {
    /// They joined a list that has a welcome message.
    Joined(ListId),
    /// They were added to an account that welcomes its contacts, or confirmed their address to one that welcomes them
    /// then.
    Added,
}

/// A welcome message that is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// Service identifier; older ones are lower.
    pub id: WelcomeId,
    /// The account of the contact.
    pub account: AccountId,
    /// The contact who is welcomed.
    pub contact: ContactId,
    /// The reason.
    pub cause: WelcomeCause,
}

/// The note that the account's welcome message was mailed to a contact, so that it is mailed once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The contact.
    pub contact: ContactId,
    /// Its account.
    pub account: AccountId,
}

/// A daily digest of the held messages of a list, due from the first message held since the last digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModerationDigest {
    /// The list.
    pub list: ListId,
    /// Its account.
    pub account: AccountId,
    /// When it is written.
    pub due: Timestamp,
}
