//! Mail that was taken and is known if it comes again, because its sender never heard of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AliasId, ListId, SeenMailId};
use crate::clock::Timestamp;

/// How long a mail is known (`spec/mail.md` 2): beyond the retries of its sender.
pub(super) const KNOWN_FOR: Duration = Duration::from_hours(7 * 24);

/// What took a mail and keeps no record of it by which it would be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DedupScope {
    /// An alias passed it on.
    Alias(AliasId),
    /// It was passed on to whoever looks after a list.
    Owner(ListId),
    /// It was passed on to the administrators of the account.
    Postmaster,
    /// The rules of a list sent it back with a notice.
    Rejection(ListId),
}

/// A mail that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenMail {
    /// Service identifier.
    pub id: SeenMailId,
    /// The account whose address it came to.
    pub account: AccountId,
    /// What took it.
    pub taker: DedupScope,
    /// SHA-256 of what its author wrote in its header.
    pub mail: [u8; 32],
    /// When it was taken.
    pub time: Timestamp,
}

impl SeenMail {
    /// When it is forgotten.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + KNOWN_FOR
    }
}
