//! The reasons that the moderators of an account keep for the next message that they reject.
//!
//! `ops::moderation` writes them.

use serde::{Deserialize, Serialize};

use super::AccountId;

/// Reasons that an account keeps, at most; beyond them the oldest goes.
const REASONS_MAX: usize = 20;

/// The reasons that an account keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptReasons {
    /// The account, which has one such record at most.
    pub account: AccountId,
    /// The reasons, the oldest first.
    pub reasons: Vec<String>,
}

impl KeptReasons {
    /// Keeps one more reason; one that is kept already becomes the newest.
    pub fn keep(&mut self, reason: &str) {
        self.reasons.retain(|kept| kept != reason);
        self.reasons.push(reason.to_owned());
        let surplus = self.reasons.len().saturating_sub(REASONS_MAX);
        self.reasons.drain(..surplus);
    }
}
