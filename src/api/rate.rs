//! What a request may still cost: objects of the account's hour, and failures of a client's minute.
//!
//! A request is counted before it is carried out, so that nothing is done beyond the limit however many come
//! at once; an error gives back what it took.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response};
use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::auth::Principal;
use super::error::ApiError;
use crate::clock::{Clock, Timestamp};
use crate::ops::usage::{Meter, Standing};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
/// Failing authentications a minute from one address, after which it must wait.
const FAILURES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// Failures, after which addresses that have been quiet are forgotten.
const SWEEP_EVERY: u64 = 1024;

/// What one request has taken of its account's objects.
#[derive(Debug)]
pub(super) struct Rate<'call> {
    meter: &'call Meter,
    limit: u64,
    now: Timestamp,
    taken: AtomicU64,
}

impl<'call> Rate<'call> {
    /// Of a request that comes now.
    pub(super) fn of(principal: &'call Principal, now: Timestamp) -> Rate<'call> {
        Rate { meter: &principal.meter, limit: principal.limit, now, taken: AtomicU64::new(0) }
    }

    /// Counts objects before they are read or changed.
    pub(super) fn take(&self, objects: u64) -> Result<(), ApiError> {
        if self.meter.take(objects, self.limit, self.now).is_err() {
            let Standing { limit, remaining: _, reset_secs } = self.standing();
            let message =
                format!("The account may read and change {limit} objects an hour: wait for the next");
            return Err(ApiError::too_many(message, reset_secs));
        }
        self.taken.fetch_add(objects, Ordering::Relaxed);
        Ok(())
    }

    /// Counts the objects of an answer in place of the one that was taken for it beforehand.
    pub(super) fn settle(&self, objects: u64) -> Result<(), ApiError> {
        match objects.checked_sub(1) {
            Some(0) => Ok(()),
            Some(more) => self.take(more),
            None => {
                self.give_back();
                Ok(())
            }
        }
    }

    /// Takes back everything: errors cost nothing.
    pub(super) fn give_back(&self) {
        self.meter.give_back(self.taken.swap(0, Ordering::Relaxed), self.now);
    }

    /// Shows on an answer where the account stands.
    pub(super) fn show(&self, mut response: Response<Body>) -> Response<Body> {
        let Standing { limit, remaining, reset_secs } = self.standing();
        let headers = response.headers_mut();
        headers.insert(LIMIT, HeaderValue::from(limit));
        headers.insert(REMAINING, HeaderValue::from(remaining));
        headers.insert(RESET, HeaderValue::from(reset_secs));
        response
    }

    fn standing(&self) -> Standing {
        self.meter.standing(self.limit, self.now)
    }
}

/// The server's clock, as the counters of failures read it.
#[derive(Debug, Clone)]
struct SinceEpoch(Clock);

impl governor::clock::Clock for SinceEpoch {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now().key())
    }
}

/// Counts failing authentications by address, so that keys cannot be guessed at speed.
#[derive(Debug)]
pub(super) struct Guesses {
    failures: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, SinceEpoch, NoOpMiddleware<Duration>>,
    clock: SinceEpoch,
    counted: AtomicU64,
}

impl Guesses {
    pub(super) fn new(clock: Clock) -> Guesses {
        let clock = SinceEpoch(clock);
        let quota = Quota::per_minute(FAILURES_PER_MINUTE);
        let failures = RateLimiter::dashmap_with_clock(quota, clock.clone());
        Guesses { failures, clock, counted: AtomicU64::new(0) }
    }

    /// Counts one more failure of a client; refused where it has had too many. A right key is never asked.
    pub(super) fn count(&self, client: IpAddr) -> Result<(), ApiError> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.failures.retain_recent();
        }
        self.failures.check_key(&network_of(client)).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let secs = wait.as_secs() + u64::from(0 < wait.subsec_nanos());
            ApiError::too_many("Too many failing authentications from your address", secs.max(1))
        })
    }
}

/// What a client counts under: of IPv6 the /64, which is what one host is given.
fn network_of(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (!0 << 64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_may_fail_twenty_times_a_minute() {
        let clock = Clock::manual(Timestamp::from_ms(1_795_176_000_000));
        let guesses = Guesses::new(clock.clone());
        let client = address("192.0.2.1");
        for _ in 0..20 {
            assert_eq!(guesses.count(client), Ok(()));
        }
        assert!(guesses.count(client).is_err());
        assert_eq!(guesses.count(address("192.0.2.2")), Ok(()), "others are not concerned");
        clock.advance(Duration::from_secs(3));
        assert_eq!(guesses.count(client), Ok(()));
        assert!(guesses.count(client).is_err());
        clock.advance(Duration::from_mins(1));
        assert!((0..20).all(|_| guesses.count(client).is_ok()));
    }

    #[test]
    fn the_hosts_of_one_ipv6_network_fail_together() {
        let guesses = Guesses::new(Clock::manual(Timestamp::default() + Duration::from_hours(1)));
        let host = |number: u64| address(&format!("2001:db8::{number:x}"));
        assert!((0..20).all(|number| guesses.count(host(number)).is_ok()));
        assert!(guesses.count(host(99)).is_err());
        assert_eq!(guesses.count(address("2001:db8:0:1::1")), Ok(()));
    }
}
