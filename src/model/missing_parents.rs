//! The record of a reply whose parent is not in the archive.

use serde::{Deserialize, Serialize};

use super::{AccountId, ListId, MessageId};

/// A message that replies to others which its list did not have when it was stored. Replies come before their parents
/// in many mailboxes, and in mail; an import looks for the parents again when it has stored everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingParents {
    /// The reply.
    pub message: MessageId,
    /// Its account.
    pub account: AccountId,
    /// Its list.
    pub list: ListId,
    /// The Message-IDs of the missing ones, the nearest first; none if its subject alone makes it a reply.
    pub references: Vec<String>,
}
