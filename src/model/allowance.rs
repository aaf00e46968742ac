//! Counts of what may be done only so often for one subject within a stretch of time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AllowanceId;
use crate::clock::Timestamp;

/// What is limited. Stored by its place: new purposes are added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Purpose {
    /// Notices and reports to an envelope sender whom nothing proves; the subject is the address.
    NoticeToAddress,
    /// The same; the subject is the client that brought the mail.
    NoticeForClient,
    /// Notices about held messages on which nobody decided in time; the subject is the list.
    NoticeOfExpiry,
    /// Requests to decide about one held message; the subject is the list.
    RequestToModerators,
    /// Mail to `postmaster`, `abuse` and owners of lists; the subject is the client that brings it.
    RoleMail,
}

/// How often something was done for one subject since its first time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Service identifier.
    pub id: AllowanceId,
    /// What is limited.
    pub purpose: Purpose,
    /// SHA-256 of whom or what it is limited for: an address, a client, a list.
    pub subject: [u8; 32],
    /// When the counting ends; it begins again with the next time.
    pub until: Timestamp,
    /// How often it was done.
    pub used: u32,
}

impl Allowance {
    /// Whether what was counted still counts. A row that ends further away than `per` was written before the clock
    /// was set back, and does not.
    #[must_use]
    pub fn counts(&self, per: Duration, now: Timestamp) -> bool {
        now < self.until && self.until <= now + per
    }
}
