//! Shares out what is scarce, such as memory, among the callers for whom work is done.
//!
//! A [`Pool`] has a number of units. Each owner may hold a part of them, so that no owner has all and others wait behind
//! that owner for good. `http` shares out the memory for bodies by it, and `ops` the memory in which stored mail is
//! read. A future that is dropped while it waits leaves the queue.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Owners after which those without a share are forgotten.
const OWNERS_SWEEP: usize = 1024;

/// The owner to whom a share is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// An account.
    Account(u64),
    /// A client, by address.
    Client(IpAddr),
}

/// Units that owners share.
#[derive(Debug)]
pub struct Pool {
    units: u32,
    client_max: u32,
    account_max: u32,
    free: Arc<Semaphore>,
    /// The units that each owner may still take.
    owners: Mutex<HashMap<Owner, Weak<Semaphore>>>,
}

/// Units that somebody holds; they are given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    _permits: Vec<OwnedSemaphorePermit>,
}

impl Pool {
    /// A pool of this many units, of which a client and an account may each hold half.
    #[must_use]
    pub fn new(units: u32) -> Pool {
        let half = (units / 2).max(1);
        Pool::with_limits(units, half, half)
    }

    /// A pool of this many units, of which a client and an account may each hold so many.
    #[must_use]
    pub fn with_limits(units: u32, client_max: u32, account_max: u32) -> Pool {
        let free = Arc::new(Semaphore::new(units as usize));
        Pool { units, client_max, account_max, free, owners: Mutex::default() }
    }

    /// Waits for so many units, which are charged to each of the owners. More than an owner may hold is all that the
    /// owner may hold: there is no second share beside it.
    ///
    /// The owners' own parts come first, in the order in which they are named: while a caller waits for those, nobody
    /// else waits for the caller. So a client that holds all of its part keeps no account from other clients.
    ///
    /// # Panics
    /// Never: the semaphores are not closed.
    pub async fn take(&self, owners: &[Owner], units: u32) -> Share {
        let mut permits = Vec::with_capacity(owners.len() + 1);
        for owner in owners {
            let units = units.min(self.limit(*owner));
            permits.push(self.of_owner(*owner).acquire_many_owned(units).await);
        }
        permits.push(Arc::clone(&self.free).acquire_many_owned(units.min(self.units)).await);
        let permits = permits.into_iter().map(|permit| permit.expect("these semaphores are never closed"));
        Share { _permits: permits.collect() }
    }

    fn limit(&self, owner: Owner) -> u32 {
        match owner {
            Owner::Account(_) => self.account_max,
            Owner::Client(_) => self.client_max,
        }
    }

    fn of_owner(&self, owner: Owner) -> Arc<Semaphore> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = owners.get(&owner).and_then(Weak::upgrade) {
            return known;
        }
        if OWNERS_SWEEP <= owners.len() {
            owners.retain(|_, semaphore| 0 < semaphore.strong_count());
        }
        let semaphore = Arc::new(Semaphore::new(self.limit(owner) as usize));
        owners.insert(owner, Arc::downgrade(&semaphore));
        semaphore
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    const HOME: Owner = Owner::Client(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    fn poll<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Option<T> {
        match future.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(share) => Some(share),
            Poll::Pending => None,
        }
    }

    /// The share if there is one now.
    fn now_of(pool: &Pool, owners: &[Owner], units: u32) -> Option<Share> {
        poll(pin!(pool.take(owners, units)).as_mut())
    }

    fn now(pool: &Pool, account: u64, units: u32) -> Option<Share> {
        now_of(pool, &[Owner::Account(account)], units)
    }

    #[test]
    fn owners_never_take_more_than_there_is_and_give_it_back() {
        let pool = Pool::new(4);
        let shares: Vec<Share> = (0..9).filter_map(|owner| now(&pool, owner, 1)).collect();
        assert_eq!(shares.len(), 4);
        drop(shares);
        assert_eq!((0..9).filter_map(|owner| now(&pool, owner, 1)).count(), 9, "each is dropped at once");
    }

    #[test]
    fn an_owner_has_half_or_one_larger_share() {
        let pool = Pool::new(8);
        let _shares: Vec<Share> = (0..9).filter_map(|_| now(&pool, 1, 1)).collect();
        assert_eq!(pool.free.available_permits(), 4);
        let large = now(&pool, 2, 4);
        assert!(large.is_some() && now(&pool, 2, 1).is_none());
        drop(large);
        assert!(now(&pool, 2, 1).is_some());
        let pool = Pool::new(8);
        let _large = now(&pool, 1, 7);
        assert!(now(&pool, 1, 1).is_none() && now(&pool, 2, 1).is_some());
    }

    #[test]
    fn an_owner_that_waits_holds_nothing_of_what_all_share() {
        let pool = Pool::new(4);
        let _first = now(&pool, 1, 2);
        let mut waiting = pin!(pool.take(&[Owner::Account(1)], 2));
        assert!(poll(waiting.as_mut()).is_none());
        assert!(now(&pool, 2, 2).is_some());
    }

    #[test]
    fn a_client_that_holds_all_it_may_keeps_no_account_from_others() {
        let pool = Pool::with_limits(100, 2, 3);
        let (mine, other) = ([HOME, Owner::Account(1)], Owner::Client(std::net::Ipv6Addr::LOCALHOST.into()));
        let _mine = [now_of(&pool, &mine, 1), now_of(&pool, &mine, 1)];
        let mut waiting = pin!(pool.take(&mine, 1));
        assert!(poll(waiting.as_mut()).is_none());
        let other = now_of(&pool, &[other, Owner::Account(1)], 1);
        assert!(other.is_some() && now(&pool, 1, 1).is_none(), "the account has three in all");
    }

    #[test]
    fn a_caller_that_stops_waiting_leaves_the_queue() {
        let pool = Pool::new(4);
        let first = now(&pool, 1, 2);
        {
            let mut gone = pin!(pool.take(&[Owner::Account(2)], 4));
            assert!(poll(gone.as_mut()).is_none());
            assert!(now(&pool, 3, 1).is_none(), "it waits in front");
        }
        assert!(now(&pool, 3, 1).is_some());
        drop(first);
    }

    #[test]
    fn owners_without_a_share_are_forgotten() {
        let pool = Pool::new(4);
        for owner in 0..5000 {
            assert!(now(&pool, owner, 1).is_some());
        }
        assert!(pool.owners.lock().unwrap().len() <= OWNERS_SWEEP);
    }
}
