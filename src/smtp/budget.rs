//! How much memory the content of all sessions together may take.
//!
//! Every content has a [`Share`] of one [`ContentBudget`]. A share grows with what was received, in steps, so that
//! not every line costs a turn at the common counter, and is given back when it is dropped. Nothing is ever
//! set aside for what a client only declared.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Octets that all messages under way may take together: more than five of the largest kind, and what an
/// attacker can hold on to however many connections it opens.
pub const CONTENT_BYTES_MAX: usize = 256 * 1024 * 1024;
/// By how much a share grows.
const STEP_BYTES: usize = 16 * 1024;

/// Octets that are left for messages under way; its clones are one and the same.
#[derive(Debug, Clone)]
pub struct ContentBudget(Arc<AtomicUsize>);

impl ContentBudget {
    /// Room for `bytes` in all.
    #[must_use]
    pub fn new(bytes: usize) -> ContentBudget {
        ContentBudget(Arc::new(AtomicUsize::new(bytes)))
    }

    /// A share of it, empty at first.
    #[must_use]
    pub fn share(&self) -> Share {
        Share { budget: self.clone(), used_bytes: 0, taken_bytes: 0 }
    }

    fn take(&self, bytes: usize) -> bool {
        let left = &self.0;
        left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(bytes)).is_ok()
    }
}

impl Default for ContentBudget {
    fn default() -> ContentBudget {
        ContentBudget::new(CONTENT_BYTES_MAX)
    }
}

/// What one message takes of the budget, until it is dropped.
pub struct Share {
    budget: ContentBudget,
    used_bytes: usize,
    taken_bytes: usize,
}

impl Share {
    /// Makes room for `bytes` more; false if there is none.
    pub(super) fn grow(&mut self, bytes: usize) -> bool {
        let used_bytes = self.used_bytes + bytes;
        if self.taken_bytes < used_bytes {
            let missing = (used_bytes - self.taken_bytes).next_multiple_of(STEP_BYTES);
            if !self.budget.take(missing) {
                return false;
            }
            self.taken_bytes += missing;
        }
        self.used_bytes = used_bytes;
        true
    }

    /// Gives everything back.
    pub(super) fn clear(&mut self) {
        self.budget.0.fetch_add(self.taken_bytes, Ordering::AcqRel);
        (self.used_bytes, self.taken_bytes) = (0, 0);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.clear();
    }
}

impl PartialEq for Share {
    fn eq(&self, other: &Share) -> bool {
        self.used_bytes == other.used_bytes
    }
}

impl Eq for Share {}

impl fmt::Debug for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Share({})", self.used_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_given_back_when_it_is_dropped() {
        let budget = ContentBudget::new(2 * STEP_BYTES);
        let (mut first, mut second) = (budget.share(), budget.share());
        assert!(first.grow(1) && second.grow(STEP_BYTES) && first.grow(STEP_BYTES - 1));
        assert!(!first.grow(1), "nothing is left");
        drop(second);
        assert!(first.grow(STEP_BYTES));
        first.clear();
        assert!(budget.share().grow(2 * STEP_BYTES));
        assert!(!budget.share().grow(2 * STEP_BYTES + 1));
    }
}
