//! A message that was taken out of the archive and still has its content, since copies of it may have to be sent.

use serde::{Deserialize, Serialize};

use super::{AccountId, Message, MessageId};
use crate::clock::Timestamp;

/// A message that was taken out of the archive and is to be emptied; it has the number of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenOut {
    /// The message.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// When to look whether its copies are sent.
    pub due: Timestamp,
}

impl TakenOut {
    /// The note about a message that is looked at as soon as possible.
    #[must_use]
    pub fn of(message: &Message) -> TakenOut {
        TakenOut { id: message.id, account: message.account, due: Timestamp::from_ms(0) }
    }
}
