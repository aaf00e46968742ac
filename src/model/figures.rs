//! How many people and memberships an account had, day by day.
//!
//! `ops::server::figures` writes these records.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AccountId;
use crate::clock::Timestamp;

/// Days that are kept.
pub const FIGURES_MAX: usize = 400;

/// The figures of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayFigures {
    /// When they were taken.
    pub time: Timestamp,
    /// People in the address book.
    pub people: u64,
    /// Memberships in lists.
    pub memberships: u64,
}

/// The figures of an account over time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFigures {
    /// The account, which has one such record at most.
    pub account: AccountId,
    /// The days, the oldest first.
    pub days: Vec<DayFigures>,
    /// When the next are taken.
    pub due: Timestamp,
}

impl AccountFigures {
    /// Time between two figures.
    pub const EVERY: Duration = Duration::from_hours(24);

    /// The figures of an account that begins with these.
    #[must_use]
    pub fn new(account: AccountId, first: DayFigures) -> AccountFigures {
        AccountFigures { account, due: first.time + AccountFigures::EVERY, days: vec![first] }
    }

    /// Adds the figures of a day; the oldest day is forgotten once there are too many.
    pub fn add(&mut self, day: DayFigures) {
        self.days.push(day);
        let over = self.days.len().saturating_sub(FIGURES_MAX);
        self.days.drain(..over);
    }
}
