//! Limits the connections to one provider's servers, and the rate at which copies are sent.
//!
//! The number of connections follows the servers' replies: it begins with a few, grows by one for each round of
//! accepted copies, and halves when they refuse or defer (additive increase, multiplicative decrease).

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::clock::Clock;
use crate::config::Rate;

/// Connections to a provider at first.
const CONNECTIONS_AT_FIRST: usize = 2;
/// Copies that make a claim worth its while: a destination whose rate is used up rests until so many may be sent, or as
/// many as may be sent at once.
const COPIES_AT_ONCE: u32 = 64;

/// The limits of one provider.
pub(super) struct ConnectionLimiter {
    connections_max: usize,
    permits: Arc<Semaphore>,
    window: Mutex<Window>,
    /// The rate limit; `None` if copies are sent as fast as they are accepted.
    pub(super) rate_limit: Option<RateLimit>,
}

struct Window {
    /// Allowed connections, with the earned fraction of another one.
    size: f64,
    /// Existing permits: more than the size while permits that were taken away are still in use.
    granted: usize,
}

/// A permit for one open connection; dropping it lets another one open.
pub(super) struct Permit {
    limiter: Arc<ConnectionLimiter>,
    permit: Option<OwnedSemaphorePermit>,
}

impl ConnectionLimiter {
    /// A limiter for at most `connections_max` connections.
    pub(super) fn new(connections_max: usize, rate: Option<Rate>, clock: &Clock) -> ConnectionLimiter {
        let granted = CONNECTIONS_AT_FIRST.min(connections_max);
        ConnectionLimiter {
            connections_max,
            permits: Arc::new(Semaphore::new(granted)),
            window: Mutex::new(Window { size: as_size(granted), granted }),
            rate_limit: rate.map(|rate| RateLimit::new(rate, clock)),
        }
    }

    /// Waits for a free connection.
    pub(super) async fn open(self: &Arc<ConnectionLimiter>) -> Permit {
        // The semaphore is never closed; an error would only allow one connection too many.
        let permit = self.permits.clone().acquire_owned().await.ok();
        Permit { limiter: self.clone(), permit }
    }

    /// The number of connections that may be open now.
    pub(super) fn connections(&self) -> usize {
        whole(self.lock().size)
    }

    /// Notes a round of accepted copies; returns whether it earned another connection.
    pub(super) fn grow(&self) -> bool {
        let mut window = self.lock();
        let before = whole(window.size);
        window.size = (window.size + 1.0 / window.size).min(as_size(self.connections_max));
        let earned = whole(window.size).saturating_sub(window.granted);
        self.permits.add_permits(earned);
        window.granted += earned;
        before < whole(window.size)
    }

    /// Notes that the servers refused or deferred: halves the connections.
    pub(super) fn shrink(&self) {
        let mut window = self.lock();
        window.size = (window.size / 2.0).max(1.0);
        let surplus = window.granted.saturating_sub(whole(window.size));
        // Permits in use are taken away when they are returned.
        window.granted -= self.permits.forget_permits(surplus);
    }

    fn lock(&self) -> MutexGuard<'_, Window> {
        self.window.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut window = self.limiter.lock();
        if whole(window.size) < window.granted
            && let Some(permit) = self.permit.take()
        {
            permit.forget();
            window.granted -= 1;
        }
    }
}

fn as_size(connections: usize) -> f64 {
    f64::from(u32::try_from(connections).unwrap_or(u32::MAX))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 1 and a u32")]
fn whole(size: f64) -> usize {
    size as usize
}

/// Limits the rate of copies to the one that the operator allows.
pub(super) struct RateLimit {
    limiter: RateLimiter<NotKeyed, InMemoryState, Steady, NoOpMiddleware<Duration>>,
    clock: Steady,
    /// How long a new claim should wait once the rate is used up.
    rest: Duration,
}

impl RateLimit {
    fn new(rate: Rate, clock: &Clock) -> RateLimit {
        let Rate { copies, per } = rate;
        let interval = (per / copies.get()).max(Duration::from_nanos(1));
        // The burst is the number of copies per second, at least one.
        let burst = Duration::from_secs(1).as_nanos() / interval.as_nanos();
        let burst = u32::try_from(burst).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::with_period(interval).unwrap_or(Quota::per_second(NonZeroU32::MAX));
        let clock = Steady(clock.clone());
        let limiter = RateLimiter::direct_with_clock(quota.allow_burst(burst), clock.clone());
        RateLimit { limiter, clock, rest: interval * burst.get().min(COPIES_AT_ONCE) }
    }

    /// Counts a copy about to be sent; an error says how long to wait if the rate is used up.
    pub(super) fn take(&self) -> Result<(), Duration> {
        self.limiter.check().map_err(|until| until.wait_time_from(self.clock.now()).max(self.rest))
    }
}

/// The server's clock for the rate limiters, in steady time: setting the time of day changes nothing.
#[derive(Debug, Clone)]
struct Steady(Clock);

impl governor::clock::Clock for Steady {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.steady()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    #[tokio::test]
    async fn connections_grow_one_by_one_and_halve() {
        let limiter = Arc::new(ConnectionLimiter::new(8, None, &Clock::system()));
        assert_eq!(limiter.connections(), 2);
        let grown: Vec<usize> = (0..40).filter(|_| limiter.grow()).collect();
        assert_eq!((grown.len(), limiter.connections()), (6, 8));
        let mut open = Vec::new();
        for _ in 0..8 {
            open.push(limiter.open().await);
        }
        limiter.shrink();
        limiter.shrink();
        assert_eq!(limiter.connections(), 2);
        // Only the third to last makes room for another.
        for left in (0..8).rev() {
            open.pop();
            assert_eq!(limiter.permits.available_permits(), 2_usize.saturating_sub(left), "{left} left");
        }
        for _ in 0..9 {
            limiter.shrink();
        }
        assert_eq!((limiter.connections(), limiter.permits.available_permits()), (1, 1));
    }

    #[test]
    fn a_rate_is_kept_by_the_clock_it_is_given() {
        let clock = Clock::manual(Timestamp::from_ms(0));
        let rate = |copies, per| Rate { copies: NonZeroU32::new(copies).unwrap(), per };
        let taken = |rate_limit: &RateLimit| (0..1000).take_while(|_| rate_limit.take().is_ok()).count();
        let rate_limit = RateLimit::new(rate(10, Duration::from_secs(1)), &clock);
        assert_eq!((taken(&rate_limit), rate_limit.take()), (10, Err(Duration::from_secs(1))));
        clock.advance(Duration::from_millis(500));
        assert_eq!(taken(&rate_limit), 5);
        clock.set(Timestamp::from_ms(1 << 40));
        assert_eq!(taken(&rate_limit), 0);
        let rate_limit = RateLimit::new(rate(500, Duration::from_hours(1)), &clock);
        assert_eq!((taken(&rate_limit), rate_limit.take()), (1, Err(Duration::from_millis(7200))));
        let rate_limit = RateLimit::new(rate(100, Duration::from_secs(1)), &clock);
        assert_eq!((taken(&rate_limit), rate_limit.take()), (100, Err(Duration::from_millis(640))));
    }
}
