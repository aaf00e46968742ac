//! Accounts that are suspended: they take no mail, and their pages and keys do not open.
//!
//! `ops::accounts` writes them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AccountId;
use crate::clock::Timestamp;

/// How long an account that is deleted on the server's pages can be restored (`spec/signin.md`, "Also").
const GRACE: Duration = Duration::from_hours(30 * 24);

/// The suspension of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    /// The account, which has one such record at most.
    pub account: AccountId,
    /// When it was suspended.
    pub since: Timestamp,
    /// When it was decided to delete it; `None` for a suspension alone.
    pub deleted: Option<Timestamp>,
}

impl Suspension {
    /// When the account is deleted for good; `None` if it is not to be deleted.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        self.deleted.map(|deleted| deleted + GRACE)
    }
}
