//! Saved responses, which are sent again when a call is repeated with the same `Idempotency-Key`.
//!
//! `ops::server` writes and looks them up.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, BlobId, SavedAnswerId};
use crate::clock::Timestamp;

/// How long a response is kept (`spec/api.md` 1).
const KEPT_FOR: Duration = Duration::from_hours(24);

/// The response to a POST that had an `Idempotency-Key`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// Service identifier.
    pub id: SavedAnswerId,
    /// The account the call was about.
    pub account: AccountId,
    /// The administrator who sent the key. The same key of another administrator is a different key.
    pub admin: AdminId,
    /// The `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of the request.
    pub request: [u8; 32],
    /// When the response was made.
    pub time: Timestamp,
    /// The response.
    pub answer: BlobId,
}

impl SavedAnswer {
    /// When the record is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.time + KEPT_FOR
    }
}
