//! Counts the changes of each account in memory, so that a cache can tell whether its content is still true.
//!
//! The store raises the numbers after each commit; API responses kept for an account are checked against them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Slots that accounts share. Two accounts in one slot cost a cache miss now and then, never a stale answer.
const SLOTS: usize = 4096;

/// A number per account that grows with every commit that changed one of its records.
pub(super) struct Generations(Box<[AtomicU64]>);

impl Generations {
    pub(super) fn new() -> Generations {
        Generations((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    pub(super) fn get(&self, scope: u64) -> u64 {
        // Acquire: a reader of the new number must also see the commit before it.
        self.0[slot(scope)].load(Ordering::Acquire)
    }

    pub(super) fn grow(&self, scopes: &[u64]) {
        for scope in scopes {
            self.0[slot(*scope)].fetch_add(1, Ordering::Release);
        }
    }

    /// Raises every number, for changes of unknown extent.
    pub(super) fn grow_all(&self) {
        for slot in &self.0 {
            slot.fetch_add(1, Ordering::Release);
        }
    }
}

/// The slot of an account. Records of no account have a slot of their own: they change often and would disturb one
/// account for good.
fn slot(scope: u64) -> usize {
    // Ids are drawn in a row, so neighbours get different slots without further mixing.
    let spread = scope.checked_sub(1).map_or(0, |scope| 1 + scope % (SLOTS as u64 - 1));
    usize::try_from(spread).expect("less than the number of slots")
}
