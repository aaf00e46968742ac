//! Wrong passwords and codes in a row, by address, and the time for which an address is locked because of them.
//!
//! `ops::accounts::sign_in` writes these records. An address that nobody has is counted as any other, so that the
//! answers tell nothing about it; only a hash of the address is stored.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::LockoutId;
use crate::clock::Timestamp;

/// How long errors are remembered after the last one, or after the end of the lock.
const REMEMBERED_FOR: Duration = Duration::from_hours(24);

/// The errors of one address in one account since its last sign-in: by anybody, or in one of its own browsers or
/// sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lockout {
    /// Service identifier.
    pub id: LockoutId,
    /// SHA-256 of the account and the address, as they are counted (`ops::allowances`). For the person's own browsers and
    /// sessions, its second half is made of them (`ops::accounts::sign_in::lockout`).
    pub subject: [u8; 32],
    /// Errors in a row since the address was last locked.
    pub errors: u32,
    /// How often it was locked in a row.
    pub locks: u32,
    /// The last error.
    pub last: Timestamp,
    /// The end of the last lock.
    pub until: Option<Timestamp>,
}

impl Lockout {
    /// The end of the lock that holds at `now`. A lock that lasts longer than any was made before the clock was set
    /// back, and does not count.
    #[must_use]
    pub fn locked_until(&self, now: Timestamp, lock_max: Duration) -> Option<Timestamp> {
        self.until.filter(|until| now < *until && *until <= now + lock_max)
    }

    /// When it is forgotten.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.until.map_or(self.last, |until| until.max(self.last)) + REMEMBERED_FOR
    }
}
