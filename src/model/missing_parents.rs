//! The record of a reply whose parent is not in the archive.

use serde::{Deserialize, Serialize};

use super::{AccountId, ListId, MessageId};

/// A message that replies to others which its list did not have when it was stored. Replies come before their parents
/// in many mailboxes, and in mail. A post that comes later takes its place above them, and an import looks for the
/// parents again when it has stored everything. All messages that name the same missing one are in one thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingParents {
    /// The reply.
    pub message: MessageId,
    /// Its account.
    pub account: AccountId,
    /// Its list.
    pub list: ListId,
    /// The Message-IDs of the missing ones, the nearest first, all of them nearer than its parent if it has one; none if
    /// its subject alone makes it a reply.
    pub references: Vec<String>,
}
