//! Limits the memory that the content of all sessions together may take.
//!
//! Every content has a [`Share`] of one [`ContentBudget`]. A share grows with the received bytes, in steps, so that not
//! every line touches the common counter, and is given back when it is dropped. A declared size alone reserves nothing.
//! The shares of one client address have a limit of their own, so that a client that begins many messages and ends none
//! blocks only its own mail.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that all incoming messages may take together: more than five of the largest kind, and the most that an
/// attacker can occupy however many connections it opens.
pub const CONTENT_BYTES_MAX: usize = 256 * 1024 * 1024;
/// The part of the budget that one client address may take: more than one of the largest messages.
const CLIENT_DIVISOR: usize = 4;
/// Bytes by which a share grows.
const STEP_BYTES: usize = 16 * 1024;

/// Bytes left for incoming messages, as seen by one client; clones share them.
#[derive(Debug, Clone)]
pub struct ContentBudget {
    counters: Arc<Mutex<Counters>>,
    client: Option<IpAddr>,
}

#[derive(Debug)]
struct Counters {
    left_bytes: usize,
    client_bytes_max: usize,
    bytes_by_client: HashMap<IpAddr, usize>,
}

impl ContentBudget {
    /// A budget of `bytes` in all, a quarter of it for one client.
    #[must_use]
    pub fn new(bytes: usize) -> ContentBudget {
        let counters = Counters {
            left_bytes: bytes,
            client_bytes_max: bytes / CLIENT_DIVISOR,
            bytes_by_client: HashMap::new(),
        };
        ContentBudget { counters: Arc::new(Mutex::new(counters)), client: None }
    }

    /// The same budget for the messages of one client; without an address only the limit of all clients together
    /// applies.
    #[must_use]
    pub fn of_client(&self, client: Option<IpAddr>) -> ContentBudget {
        ContentBudget { counters: Arc::clone(&self.counters), client }
    }

    /// An empty share of the budget.
    #[must_use]
    pub fn share(&self) -> Share {
        Share { budget: self.clone(), used_bytes: 0, taken_bytes: 0 }
    }

    fn take(&self, bytes: usize) -> bool {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(left_bytes) = counters.left_bytes.checked_sub(bytes) else { return false };
        if let Some(client) = self.client {
            let client_bytes = counters.bytes_by_client.get(&client).map_or(bytes, |taken| taken + bytes);
            if counters.client_bytes_max < client_bytes {
                return false;
            }
            counters.bytes_by_client.insert(client, client_bytes);
        }
        counters.left_bytes = left_bytes;
        true
    }

    fn give_back(&self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.left_bytes += bytes;
        let Some(client) = self.client else { return };
        match counters.bytes_by_client.get_mut(&client) {
            Some(taken) if bytes < *taken => *taken -= bytes,
            _ => {
                counters.bytes_by_client.remove(&client);
            }
        }
    }
}

impl Default for ContentBudget {
    fn default() -> ContentBudget {
        ContentBudget::new(CONTENT_BYTES_MAX)
    }
}

/// The part of the budget that one message occupies until it is dropped.
pub struct Share {
    budget: ContentBudget,
    used_bytes: usize,
    taken_bytes: usize,
}

impl Share {
    /// Reserves `bytes` more; false if there is no room.
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

    /// Returns everything to the budget.
    pub(super) fn clear(&mut self) {
        self.budget.give_back(self.taken_bytes);
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

    #[test]
    fn one_client_cannot_take_what_the_others_need() {
        let budget = ContentBudget::new(8 * STEP_BYTES);
        let of = |address: &str| budget.of_client(Some(address.parse().unwrap()));
        let (mut first, mut second) = (of("192.0.2.1").share(), of("192.0.2.1").share());
        assert!(first.grow(STEP_BYTES) && second.grow(STEP_BYTES));
        assert!(!first.grow(1) && !second.grow(1), "a quarter is taken");
        assert!(of("192.0.2.2").share().grow(2 * STEP_BYTES));
        assert!(!of("192.0.2.2").share().grow(2 * STEP_BYTES + 1));
        assert!(budget.of_client(None).share().grow(6 * STEP_BYTES), "a front server has all that is left");
        drop(second);
        assert!(first.grow(STEP_BYTES));
        drop(first);
        assert!(budget.counters.lock().unwrap().bytes_by_client.is_empty(), "no address is remembered");
        assert!(budget.share().grow(8 * STEP_BYTES));
    }
}
