//! Counts failed authentications by client address, over HTTP and SMTP together, so that keys cannot be guessed
//! quickly. A correct key is never refused here.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::Clock;
use crate::model::network::host_network;

/// Failed authentications per minute from one address, after which it must wait.
const FAILURES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// Failures after which the counters of quiet addresses are dropped.
const SWEEP_EVERY: u64 = 1024;

/// The server's clock, as the rate limiter reads it.
#[derive(Debug, Clone)]
struct SinceEpoch(Clock);

impl governor::clock::Clock for SinceEpoch {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(self.0.now().key())
    }
}

/// A client that has failed too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany {
    /// Seconds until it may fail again.
    pub wait_secs: u64,
}

/// The failures of every client in the last minute.
#[derive(Debug)]
pub struct AuthFailureLimiter {
    failures: RateLimiter<IpAddr, DashMapStateStore<IpAddr>, SinceEpoch, NoOpMiddleware<Duration>>,
    clock: SinceEpoch,
    counted: AtomicU64,
}

impl AuthFailureLimiter {
    /// A limiter without failures.
    #[must_use]
    pub fn new(clock: Clock) -> AuthFailureLimiter {
        let clock = SinceEpoch(clock);
        let quota = Quota::per_minute(FAILURES_PER_MINUTE);
        let failures = RateLimiter::dashmap_with_clock(quota, clock.clone());
        AuthFailureLimiter { failures, clock, counted: AtomicU64::new(0) }
    }

    /// Counts one more failure of a client; an error if the client has too many. Called for failures alone.
    pub fn count(&self, client: IpAddr) -> Result<(), TooMany> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.failures.retain_recent();
        }
        self.failures.check_key(&host_network(client)).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let secs = wait.as_secs() + u64::from(0 < wait.subsec_nanos());
            TooMany { wait_secs: secs.max(1) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_may_fail_twenty_times_a_minute() {
        let clock = Clock::manual(Timestamp::from_ms(1_795_176_000_000));
        let auth_failures = AuthFailureLimiter::new(clock.clone());
        let client = address("192.0.2.1");
        for _ in 0..20 {
            assert_eq!(auth_failures.count(client), Ok(()));
        }
        assert!(auth_failures.count(client).is_err());
        assert_eq!(auth_failures.count(address("192.0.2.2")), Ok(()), "others are not concerned");
        clock.advance(Duration::from_secs(3));
        assert_eq!(auth_failures.count(client), Ok(()));
        assert!(auth_failures.count(client).is_err());
        clock.advance(Duration::from_mins(1));
        assert!((0..20).all(|_| auth_failures.count(client).is_ok()));
    }

    #[test]
    fn the_hosts_of_one_ipv6_network_fail_together() {
        let auth_failures =
            AuthFailureLimiter::new(Clock::manual(Timestamp::default() + Duration::from_hours(1)));
        let host = |number: u64| address(&format!("2001:db8::{number:x}"));
        assert!((0..20).all(|number| auth_failures.count(host(number)).is_ok()));
        assert!(auth_failures.count(host(99)).is_err());
        assert_eq!(auth_failures.count(address("2001:db8:0:1::1")), Ok(()));
    }
}
