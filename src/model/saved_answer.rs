//! Answers that are given again to calls that are repeated.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, BlobId, SavedAnswerId};
use crate::clock::Timestamp;

/// How long an answer is given again (`spec/api.md` 1).
const KEPT_FOR: Duration = Duration::from_hours(24);

/// The answer to a POST that had an `Idempotency-Key`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// Service identifier.
    pub id: SavedAnswerId,
    /// The account the call was about.
    pub account: AccountId,
    /// Whose key this is: keys of different administrators have nothing to do with each other.
    pub admin: AdminId,
    /// The `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of what was asked.
    pub request: [u8; 32],
    /// When it was answered.
    pub time: Timestamp,
    /// What was answered.
    pub answer: BlobId,
}

impl SavedAnswer {
    /// When it is forgotten.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + KEPT_FOR
    }
}
