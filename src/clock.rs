//! Time: the only module that reads it.
//!
//! A [`Timestamp`] is a count of milliseconds; calendars and zones are left to the edges. Everything that
//! needs the present takes it as an argument or asks a [`Clock`], so that tests move time by hand.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant `ms` milliseconds after the epoch.
    #[must_use]
    pub const fn from_ms(ms: i64) -> Timestamp {
        Timestamp(ms)
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn ms(self) -> i64 {
        self.0
    }

    /// Whole seconds since the epoch.
    #[must_use]
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The number as an index key orders it; instants before the epoch count as the epoch.
    #[must_use]
    pub fn key(self) -> u64 {
        u64::try_from(self.0).unwrap_or(0)
    }

    /// `2026-11-20T15:04:05Z` (RFC 3339, whole seconds).
    #[must_use]
    pub fn rfc3339(self) -> String {
        self.zoned().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// Reads RFC 3339 with any offset, `2026-11-20T16:04:05+01:00`; none for any other text.
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Timestamp> {
        text.parse::<jiff::Timestamp>().ok().map(|instant| Timestamp(instant.as_millisecond()))
    }

    /// `Fri, 20 Nov 2026 15:04:05 +0000` (RFC 5322 3.3).
    #[must_use]
    pub fn rfc2822(self) -> String {
        self.zoned().strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
    }

    /// Time that passed from `earlier` to here; zero where `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The instant that lies `duration` before this one.
    #[must_use]
    pub fn before(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    fn zoned(self) -> jiff::Zoned {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC)
    }
}

impl std::ops::Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.rfc3339())
    }
}

/// Where the present comes from: the system, or a hand that moves it.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System { ahead_ms: i64 },
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Clock {
        Clock::system_ahead(Duration::ZERO)
    }

    /// The system's clock, put forward: for rehearsals of what would take days.
    #[must_use]
    pub fn system_ahead(ahead: Duration) -> Clock {
        Clock(Source::System { ahead_ms: i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX) })
    }

    /// A clock that stands at `start` until it is [advanced](Clock::advance).
    #[must_use]
    pub fn manual(start: Timestamp) -> Clock {
        Clock(Source::Manual(Arc::new(AtomicI64::new(start.ms()))))
    }

    /// The present.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System { ahead_ms } => {
                let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let elapsed_ms = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
                Timestamp(elapsed_ms.saturating_add(*ahead_ms))
            }
            Source::Manual(ms) => Timestamp(ms.load(Ordering::SeqCst)),
        }
    }

    /// Whether this clock only moves by hand, so that waiting for it in real time would never end.
    #[must_use]
    pub fn is_manual(&self) -> bool {
        matches!(self.0, Source::Manual(_))
    }

    /// Moves a manual clock forward, for every holder of it.
    ///
    /// # Panics
    /// On the system's clock, which nobody moves.
    pub fn advance(&self, duration: Duration) {
        match &self.0 {
            Source::System { .. } => panic!("only a manual clock can be advanced"),
            Source::Manual(ms) => {
                ms.fetch_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_reads_as_the_formats_of_the_api_and_of_mail() {
        let instant = Timestamp::from_ms(1_795_187_045_678);
        assert_eq!(instant.rfc3339(), "2026-11-20T15:04:05Z");
        assert_eq!(instant.rfc2822(), "Fri, 20 Nov 2026 15:04:05 +0000");
    }

    #[test]
    fn an_instant_is_read_with_any_offset() {
        let instant = Some(Timestamp::from_ms(1_795_187_045_000));
        assert_eq!(Timestamp::parse_rfc3339("2026-11-20T15:04:05Z"), instant);
        assert_eq!(Timestamp::parse_rfc3339("2026-11-20T16:04:05+01:00"), instant);
        for text in ["", "2026-11-20", "2026-11-20T15:04:05", "yesterday", "2026-13-20T15:04:05Z"] {
            assert_eq!(Timestamp::parse_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn a_manual_clock_moves_for_every_holder() {
        let clock = Clock::manual(Timestamp::from_ms(5));
        let other = clock.clone();
        clock.advance(Duration::from_secs(1));
        assert_eq!(other.now(), Timestamp::from_ms(1005));
    }
}
