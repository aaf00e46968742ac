//! Counts the objects that each account reads and changes in an hour (seed, "Limits"). The API and SMTP submission
//! charge the account here before they act.
//!
//! The counters, an hour and its count in one number, are [kept](super::kept_numbers) once a second at most. Reading
//! never costs a write, and a restart forgets nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::kept_numbers::KeptNumbers;
use crate::clock::{Clock, Timestamp};
use crate::model::{Account, AccountId};
use crate::store::{Read, StoreError, WriteTx};

/// Bits of the count; the bits above them hold the hour since the epoch.
const COUNT_BITS: u32 = 40;
const COUNT_MAX: u64 = (1 << COUNT_BITS) - 1;
const HOUR_SECS: u64 = 3600;
/// The name in the data file under which the counters are kept.
const META_USAGE: &str = "usage";
/// Least time between two writes of the counters, except when the server stops.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// The objects of one account in the current hour. The count starts anew with each full hour of the server's clock.
#[derive(Debug, Default)]
pub struct Meter(AtomicU64);

impl From<u64> for Meter {
    fn from(packed: u64) -> Meter {
        Meter(AtomicU64::new(packed))
    }
}

impl AsRef<AtomicU64> for Meter {
    fn as_ref(&self) -> &AtomicU64 {
        &self.0
    }
}

/// The state of an account's hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Objects that it may read and change in an hour.
    pub limit: u64,
    /// Objects that are left of the limit.
    pub remaining: u64,
    /// Seconds until the count starts anew, at least 1.
    pub reset_secs: u64,
}

/// The account has used up its objects of this hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

fn hour_of(now: Timestamp) -> u64 {
    now.key() / 1000 / HOUR_SECS
}

fn packed(hour: u64, count: u64) -> u64 {
    hour << COUNT_BITS | count
}

/// The count in a packed number, or 0 if that is of another hour than `hour`.
fn count_in(hour: u64, packed: u64) -> u64 {
    if packed >> COUNT_BITS == hour { packed & COUNT_MAX } else { 0 }
}

/// The objects that an account may read and change in an hour.
#[must_use]
pub fn limit_of(account: &Account) -> u64 {
    account.objects_per_hour().min(COUNT_MAX)
}

impl Meter {
    /// Counts objects, or none of them if that would exceed the limit. Fails on an exhausted account even if `objects`
    /// is 0.
    pub fn take(&self, objects: u64, limit: u64, now: Timestamp) -> Result<(), Exhausted> {
        let hour = hour_of(now);
        let more = |old| {
            let count = count_in(hour, old);
            let room = limit.saturating_sub(count);
            (objects.max(1) <= room).then(|| packed(hour, count + objects))
        };
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map(|_| ()).map_err(|_| Exhausted)
    }

    /// Takes back objects that were counted at `now`, unless their hour has ended since.
    pub fn give_back(&self, objects: u64, now: Timestamp) {
        let hour = hour_of(now);
        let less = |old| {
            let is_of_hour = old >> COUNT_BITS == hour;
            is_of_hour.then(|| packed(hour, count_in(hour, old).saturating_sub(objects)))
        };
        // An error means that a new hour began, which does not include these objects.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// The account's limit, the objects left, and the time until the next hour.
    #[must_use]
    pub fn standing(&self, limit: u64, now: Timestamp) -> Standing {
        let used = count_in(hour_of(now), self.0.load(Ordering::Relaxed));
        let reset_secs = HOUR_SECS - now.key() / 1000 % HOUR_SECS;
        Standing { limit, remaining: limit.saturating_sub(used), reset_secs }
    }
}

/// The counters of all accounts.
#[derive(Debug)]
pub struct Usage {
    clock: Clock,
    meters: KeptNumbers<Meter>,
}

impl Usage {
    /// Loads the counters from the data file; those of an hour that has ended count as 0.
    pub fn load(tx: &impl Read, clock: Clock) -> Result<Usage, StoreError> {
        let kept = (META_USAGE, KEEP_EVERY);
        Ok(Usage { meters: KeptNumbers::load(tx, kept, clock.clone(), Timestamp::default())?, clock })
    }

    /// The counter of an account.
    #[must_use]
    pub fn meter(&self, account: AccountId) -> Arc<Meter> {
        self.meters.of(account.0)
    }

    /// Writes the counters to the data file, unless that was done within the last second. Called in commits that happen
    /// anyway.
    pub fn keep_if_due(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        self.meters.keep_if_due(tx, self.of_this_hour())
    }

    /// Writes the counters to the data file.
    pub fn keep(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        self.meters.keep(tx, self.of_this_hour())
    }

    /// Whether a number counts something in this hour.
    fn of_this_hour(&self) -> impl Fn(u64) -> bool + use<> {
        let hour = hour_of(self.clock.now());
        move |packed| 0 < count_in(hour, packed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u64 = 10;

    fn at(secs: u64) -> Timestamp {
        Timestamp::from_ms(0) + Duration::from_secs(secs)
    }

    #[test]
    fn objects_are_counted_up_to_the_limit_and_all_or_none_of_them() {
        let meter = Meter::default();
        assert_eq!(meter.take(8, LIMIT, at(7200)), Ok(()));
        assert_eq!(meter.take(3, LIMIT, at(7201)), Err(Exhausted));
        assert_eq!(meter.take(2, LIMIT, at(7202)), Ok(()));
        assert_eq!(meter.take(0, LIMIT, at(7203)), Err(Exhausted));
        assert_eq!(
            meter.standing(LIMIT, at(7203)),
            Standing { limit: LIMIT, remaining: 0, reset_secs: 3597 }
        );
    }

    #[test]
    fn every_full_hour_begins_anew() {
        let meter = Meter::default();
        assert_eq!(meter.take(LIMIT, LIMIT, at(7199)), Ok(()));
        assert_eq!(meter.standing(LIMIT, at(7199)).reset_secs, 1);
        assert_eq!(
            meter.standing(LIMIT, at(7200)),
            Standing { limit: LIMIT, remaining: LIMIT, reset_secs: 3600 }
        );
        assert_eq!(meter.take(LIMIT, LIMIT, at(7200)), Ok(()));
    }

    #[test]
    fn what_is_given_back_is_there_again_in_its_hour_alone() {
        let meter = Meter::default();
        assert_eq!(meter.take(4, LIMIT, at(10)), Ok(()));
        meter.give_back(3, at(10));
        assert_eq!(meter.standing(LIMIT, at(11)).remaining, 9);
        assert_eq!(meter.take(5, LIMIT, at(3600)), Ok(()));
        meter.give_back(1, at(10));
        assert_eq!(meter.standing(LIMIT, at(3600)).remaining, 5);
    }
}
