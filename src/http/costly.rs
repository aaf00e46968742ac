//! Lets an account or a client have a few costly pages at a time, so that one of them leaves the processor to the others.
//!
//! A request takes its [`Permit`] before its calculation and holds it until that has ended, whether its client still
//! listens or not. How much one calculation may cost is bounded by the page itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::budget::Owner;

/// Costly pages of one owner at a time.
const PAGES_MAX: usize = 2;
/// How long a request waits for those before it.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// Owners after which those without a page are deleted.
const OWNERS_SWEEP: usize = 1024;
/// When a client for which there was no room may try again, in seconds.
pub const RETRY_SECS: u64 = 5;

/// The costly pages that are under way, by owner.
#[derive(Debug, Default)]
pub struct CostlyPages(Mutex<HashMap<Owner, Weak<Semaphore>>>);

/// The right to calculate one costly page, given back when it is dropped.
#[derive(Debug)]
pub struct Permit {
    _permits: Vec<OwnedSemaphorePermit>,
}

impl CostlyPages {
    /// Waits for the turn of a page that counts for each of `owners`; `None` if the wait was too long.
    pub async fn take(&self, owners: &[Owner]) -> Option<Permit> {
        let taking = async {
            let mut permits = Vec::with_capacity(owners.len());
            for owner in owners {
                permits.extend(self.of_owner(*owner).acquire_owned().await.ok());
            }
            Permit { _permits: permits }
        };
        tokio::time::timeout(WAIT_MAX, taking).await.ok()
    }

    fn of_owner(&self, owner: Owner) -> Arc<Semaphore> {
        let mut owners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = owners.get(&owner).and_then(Weak::upgrade) {
            return known;
        }
        if OWNERS_SWEEP <= owners.len() {
            owners.retain(|_, semaphore| 0 < semaphore.strong_count());
        }
        let semaphore = Arc::new(Semaphore::new(PAGES_MAX));
        owners.insert(owner, Arc::downgrade(&semaphore));
        semaphore
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// The permit if there is one now.
    fn now(pages: &CostlyPages, owners: &[Owner]) -> Option<Permit> {
        match pin!(pages.take(owners)).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(permit) => permit,
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn an_account_and_a_client_have_two_costly_pages_at_a_time() {
        let pages = CostlyPages::default();
        let client = |last: u8| Owner::Client([192, 0, 2, last].into());
        let first = now(&pages, &[Owner::Account(1), client(1)]);
        let second = now(&pages, &[Owner::Account(1), client(2)]);
        assert!(first.is_some() && second.is_some());
        assert!(now(&pages, &[Owner::Account(1), client(3)]).is_none(), "the account has two");
        let third = now(&pages, &[Owner::Account(2), client(1)]);
        assert!(third.is_some(), "other accounts do not wait");
        assert!(now(&pages, &[Owner::Account(3), client(1)]).is_none(), "the client has two");
        drop(first);
        assert!(now(&pages, &[Owner::Account(1), client(1)]).is_some(), "it was given back");
    }
}
