//! Counts what happened in the last 24 hours, by the hour.
//!
//! The caller says which hour it is, counted from any beginning: nothing here knows a clock.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hours that are kept: the present one and the 24 before it.
const HOURS: u64 = 25;

/// A count that forgets.
#[derive(Debug, Default)]
pub struct Lately(Mutex<VecDeque<(u64, u64)>>);

impl Lately {
    /// Counts `number` more in this hour.
    pub fn add(&self, hour: u64, number: u64) {
        if number == 0 {
            return;
        }
        let mut hours = self.lock();
        match hours.iter_mut().find(|(known, _)| *known == hour) {
            Some((_, count)) => *count += number,
            None => hours.push_back((hour, number)),
        }
        hours.retain(|(known, _)| hour < known.saturating_add(HOURS));
    }

    /// The count of this hour and of the 24 before it.
    #[must_use]
    pub fn sum(&self, hour: u64) -> u64 {
        let hours = self.lock();
        hours.iter().filter(|(known, _)| hour < known.saturating_add(HOURS)).map(|(_, count)| count).sum()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(u64, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_is_forgotten_after_a_day() {
        let lately = Lately::default();
        lately.add(100, 3);
        lately.add(100, 1);
        lately.add(110, 5);
        assert_eq!(lately.sum(110), 9);
        assert_eq!((lately.sum(124), lately.sum(125), lately.sum(134), lately.sum(135)), (9, 5, 5, 0));
        lately.add(130, 2);
        assert_eq!(lately.sum(130), 7);
        assert_eq!(lately.lock().len(), 2, "hours that are over take no room");
    }
}
