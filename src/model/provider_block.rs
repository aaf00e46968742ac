//! Records that the rest of a message is held back from a provider that refuses it.
//!
//! `ops::delivery` decides that and writes the record; the scheduler keeps to it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, MessageId, ProviderBlockId};
use crate::clock::Timestamp;

/// How long the record is kept: beyond the retries of the message.
const KEPT_FOR: Duration = Duration::from_hours(6 * 24);

/// The rest of a message is not sent to a provider that refused too many copies of it as unwanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderBlock {
    /// Service identifier.
    pub id: ProviderBlockId,
    /// The account of the list.
    pub account: AccountId,
    /// The message.
    pub message: MessageId,
    /// The provider: the recipients' domain, or the organisation of its mail servers.
    pub provider: String,
    /// When it began.
    pub since: Timestamp,
    /// The provider's last reply.
    pub reason: String,
}

impl ProviderBlock {
    /// When the record is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.since + KEPT_FOR
    }
}
