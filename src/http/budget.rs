//! Limits the memory that all request bodies in progress share.
//!
//! A body takes its [`Share`] before its first byte is read and holds it until its request is answered. While it waits
//! for the share it holds nothing. Small and large bodies have a part of the memory each, so that no small call waits
//! behind large ones, and one owner gets at most half of a part, so that others get the rest.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bodies of up to this many bytes are small.
pub const SMALL_BYTES_MAX: usize = 64 << 10;
/// The unit in which memory is counted.
const UNIT_BYTES: usize = 1024;
/// Owners after which those without a body are deleted.
const OWNERS_SWEEP: usize = 1024;

/// The owner to whom a body's memory is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// An authenticated caller.
    Account(u64),
    /// Any other client, by address.
    Client(IpAddr),
}

/// The memory for bodies.
#[derive(Debug)]
pub(super) struct Budget {
    small: Part,
    large: Part,
    wait_max: Duration,
}

/// The memory of one body, given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    _permits: [OwnedSemaphorePermit; 2],
}

impl Budget {
    /// A budget of `bytes` in all; a body waits for its share for up to `wait_max`.
    pub(super) fn new(bytes: usize, wait_max: Duration) -> Budget {
        // Of 64 MiB the large bodies have 52: room for the largest message there is, and for the fields beside it.
        let small = bytes / 16 * 3;
        Budget { small: Part::new(small), large: Part::new(bytes - small), wait_max }
    }

    /// The share of a body of up to `bytes`; `None` if the wait was too long.
    pub(super) async fn take(&self, owner: Owner, bytes: usize) -> Option<Share> {
        let part = if SMALL_BYTES_MAX < bytes { &self.large } else { &self.small };
        tokio::time::timeout(self.wait_max, part.take(owner, bytes)).await.ok()
    }
}

/// Memory for bodies of one kind.
#[derive(Debug)]
struct Part {
    units: u32,
    free: Arc<Semaphore>,
    /// The memory that each owner may still take.
    owners: Mutex<HashMap<Owner, Weak<Semaphore>>>,
}

impl Part {
    fn new(bytes: usize) -> Part {
        let units = units_of(bytes);
        let free = Arc::new(Semaphore::new(units as usize));
        Part { units, free, owners: Mutex::default() }
    }

    /// Waits for the owner's own half first: that wait delays nobody else.
    async fn take(&self, owner: Owner, bytes: usize) -> Share {
        let units = units_of(bytes);
        let half = self.half();
        let own = self.of_owner(owner).acquire_many_owned(units.min(half)).await;
        // A body larger than the half takes all of it, so that its owner has no second one beside it.
        let all = Arc::clone(&self.free).acquire_many_owned(units.min(self.units)).await;
        let permits = [own, all].map(|permit| permit.expect("these semaphores are never closed"));
        Share { _permits: permits }
    }

    fn half(&self) -> u32 {
        (self.units / 2).max(1)
    }

    fn of_owner(&self, owner: Owner) -> Arc<Semaphore> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = owners.get(&owner).and_then(Weak::upgrade) {
            return known;
        }
        if OWNERS_SWEEP <= owners.len() {
            owners.retain(|_, semaphore| 0 < semaphore.strong_count());
        }
        let semaphore = Arc::new(Semaphore::new(self.half() as usize));
        owners.insert(owner, Arc::downgrade(&semaphore));
        semaphore
    }
}

/// A number of bytes in units, at least one.
fn units_of(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    const MIB: usize = 1 << 20;

    /// The share if there is one now.
    fn now(part: &Part, owner: u64, bytes: usize) -> Option<Share> {
        let mut taking = pin!(part.take(Owner::Account(owner), bytes));
        match taking.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(share) => Some(share),
            Poll::Pending => None,
        }
    }

    #[test]
    fn bodies_never_take_more_than_there_is_and_give_it_back() {
        let part = Part::new(4 * MIB);
        let shares: Vec<Share> = (0..9).filter_map(|owner| now(&part, owner, MIB)).collect();
        assert_eq!(shares.len(), 4);
        drop(shares);
        assert_eq!((0..9).filter_map(|owner| now(&part, owner, MIB)).count(), 9, "each is dropped at once");
    }

    #[test]
    fn an_owner_has_half_or_one_larger_body() {
        let part = Part::new(8 * MIB);
        let _shares: Vec<Share> = (0..9).filter_map(|_| now(&part, 1, MIB)).collect();
        assert_eq!(part.free.available_permits() * UNIT_BYTES, 4 * MIB);
        let large = now(&part, 2, 4 * MIB).unwrap();
        assert!(now(&part, 2, 1).is_none());
        drop(large);
        assert!(now(&part, 2, 1).is_some());
        let part = Part::new(8 * MIB);
        let _large = now(&part, 1, 7 * MIB).unwrap();
        assert!(now(&part, 1, 1).is_none() && now(&part, 2, MIB).is_some());
    }

    #[test]
    fn a_body_that_waits_holds_nothing_of_what_all_share() {
        let part = Part::new(4 * MIB);
        let _first = now(&part, 1, 2 * MIB);
        let mut waiting = pin!(part.take(Owner::Account(1), 2 * MIB));
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert!(now(&part, 2, 2 * MIB).is_some());
    }

    #[tokio::test]
    async fn small_bodies_do_not_wait_behind_large_ones() {
        let budget = Budget::new(64 * MIB, Duration::ZERO);
        let largest = budget.take(Owner::Account(1), 51 * MIB).await;
        assert!(largest.is_some() && budget.take(Owner::Account(2), 51 * MIB).await.is_none());
        assert!(budget.take(Owner::Account(2), SMALL_BYTES_MAX).await.is_some());
    }

    #[test]
    fn owners_without_a_body_are_forgotten() {
        let part = Part::new(MIB);
        for owner in 0..5000 {
            assert!(now(&part, owner, 1).is_some());
        }
        assert!(part.owners.lock().unwrap().len() <= OWNERS_SWEEP);
    }
}
