//! Records of accepted mail, by which a redelivery is recognized whose sender never got the first reply.
//!
//! `ops::posting` writes one for mail that leaves no other record, such as mail to an alias.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AliasId, ListId, SeenMailId};
use crate::clock::Timestamp;

/// How long an accepted mail is remembered (`spec/mail.md` 2): beyond the retries of its sender.
pub(super) const KNOWN_FOR: Duration = Duration::from_hours(7 * 24);

/// A receiver of mail that keeps no other record by which a redelivery would be recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DedupScope {
    /// An alias passed it on.
    Alias(AliasId),
    /// It was passed on to the people who look after a list.
    Owner(ListId),
    /// It was passed on to the administrators of the account.
    Postmaster,
    /// The rules of a list sent it back with a notice.
    Rejection(ListId),
    /// Its commands to a list were carried out.
    Commands(ListId),
}

/// A mail that was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenMail {
    /// Service identifier.
    pub id: SeenMailId,
    /// The account whose address it came to.
    pub account: AccountId,
    /// The receiver that accepted it.
    pub taker: DedupScope,
    /// SHA-256 of the header fields that its author wrote.
    pub mail: [u8; 32],
    /// When it was accepted.
    pub time: Timestamp,
}

impl SeenMail {
    /// When the record is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + KNOWN_FOR
    }
}
