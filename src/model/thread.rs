//! A conversation in the archive of a list.

use serde::{Deserialize, Serialize};

use super::{AccountId, ListId, Message, MessageId};
use crate::clock::Timestamp;

/// A conversation in the archive of a list; it has the number of the message with which it began there. Another one may
/// have taken its place above that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The message with which it began, which may have been taken out of the archive.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it belongs to.
    pub list: ListId,
    /// The time of its newest message; of the last one that it had, if it has none.
    pub last: Timestamp,
    /// The number of its messages that are in the archive.
    pub messages: u64,
    /// Whether a moderator closed it: replies wait for approval.
    pub closed: bool,
}

impl Thread {
    /// The thread of a message, before any message is in it.
    #[must_use]
    pub fn of(message: &Message) -> Thread {
        Thread {
            id: message.thread,
            account: message.account,
            list: message.list,
            last: message.time,
            messages: 0,
            closed: false,
        }
    }

    /// Takes in a message that is in the archive.
    pub fn add(&mut self, message: &Message) {
        self.last = if self.messages == 0 { message.time } else { self.last.max(message.time) };
        self.messages += 1;
    }
}
