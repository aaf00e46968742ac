//! Time. This is the only module that reads the system's clock.
//!
//! A [`Timestamp`] is a count of milliseconds; calendars and time zones are left to the edges. Code that needs the
//! present time takes it as an argument or asks a [`Clock`], so that tests move time by hand.
//!
//! The time of day may be set forward and back while the server runs. Durations that must not depend on that, such as
//! the pauses of a destination and its rate, are measured by [`Clock::steady`].

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Zoned;
use jiff::tz::{Offset, TimeZone};
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

    /// The number of its hour, counted from 1970; instants before that count as that hour.
    #[must_use]
    pub fn hour(self) -> u64 {
        self.key() / 3_600_000
    }

    /// The number as an index key orders it; instants before the epoch count as the epoch.
    #[must_use]
    pub fn key(self) -> u64 {
        u64::try_from(self.0).unwrap_or(0)
    }

    /// The number of its month in UTC, counted from January of the year 0; instants before that count as that month.
    #[must_use]
    pub fn month(self) -> u64 {
        let date = self.in_zone(TimeZone::UTC).date();
        u64::try_from(i32::from(date.year()) * 12 + i32::from(date.month()) - 1).unwrap_or(0)
    }

    /// `2026-11-20T15:04:05Z` (RFC 3339, whole seconds).
    #[must_use]
    pub fn rfc3339(self) -> String {
        let time = Offset::UTC.to_datetime(jiff::Timestamp::from_millisecond(self.0).unwrap_or_default());
        if time.year() < 0 {
            return time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        }
        // An answer shows hundreds of times, for each of which the pattern would be read anew.
        let (year, small) = (time.year().unsigned_abs(), i8::unsigned_abs);
        let century = u8::try_from(year / 100).unwrap_or_default();
        let of_century = u8::try_from(year % 100).unwrap_or_default();
        let mut text = *b"0000-00-00T00:00:00Z";
        for (place, number) in [
            (0, century),
            (2, of_century),
            (5, small(time.month())),
            (8, small(time.day())),
            (11, small(time.hour())),
            (14, small(time.minute())),
            (17, small(time.second())),
        ] {
            text[place] += number / 10;
            text[place + 1] += number % 10;
        }
        text.map(char::from).into_iter().collect()
    }

    /// Parses RFC 3339 with any offset, `2026-11-20T16:04:05+01:00`; `None` for any other text.
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Timestamp> {
        text.parse::<jiff::Timestamp>().ok().map(|instant| Timestamp(instant.as_millisecond()))
    }

    /// The beginning of a day in a time zone; the day is written `2026-11-20`. `None` for any other text.
    #[must_use]
    pub fn start_of_day(text: &str, zone: TimeZone) -> Option<Timestamp> {
        let is_plain = text.len() == "2026-11-20".len() && text.is_ascii();
        let day: jiff::civil::Date = text.parse().ok().filter(|_| is_plain)?;
        day.to_zoned(zone).ok().map(|start| Timestamp(start.timestamp().as_millisecond()))
    }

    /// `Fri, 20 Nov 2026 15:04:05 +0000` (RFC 5322 3.3).
    #[must_use]
    pub fn rfc2822(self) -> String {
        self.in_zone(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
    }

    /// `Fri Nov 20 15:04:05 2026` (RFC 4155, the separator line of a mailbox file).
    #[must_use]
    pub fn asctime(self) -> String {
        self.in_zone(TimeZone::UTC).strftime("%a %b %e %H:%M:%S %Y").to_string()
    }

    /// Time that passed from `earlier` to this instant; zero if `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The instant that lies `duration` before this one.
    #[must_use]
    pub fn before(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The date and the time of day in a time zone.
    #[must_use]
    pub fn in_zone(self, zone: TimeZone) -> Zoned {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or_default().to_zoned(zone)
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

/// The source of the present time: the system, or a test that moves it by hand.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System { ahead_ms: i64, started: Instant },
    Manual(Arc<Hands>),
}

/// The movable state of a manual clock.
#[derive(Debug)]
struct Hands {
    now_ms: AtomicI64,
    steady_ms: AtomicU64,
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Clock {
        Clock::system_ahead(Duration::ZERO)
    }

    /// The system's clock, put forward: to rehearse events that take days.
    #[must_use]
    pub fn system_ahead(ahead: Duration) -> Clock {
        let ahead_ms = i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX);
        Clock(Source::System { ahead_ms, started: Instant::now() })
    }

    /// A clock that shows `start` until it is [advanced](Clock::advance).
    #[must_use]
    pub fn manual(start: Timestamp) -> Clock {
        let hands = Hands { now_ms: AtomicI64::new(start.ms()), steady_ms: AtomicU64::new(0) };
        Clock(Source::Manual(Arc::new(hands)))
    }

    /// The present.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System { ahead_ms, started: _ } => {
                let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let elapsed_ms = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
                Timestamp(elapsed_ms.saturating_add(*ahead_ms))
            }
            Source::Manual(hands) => Timestamp(hands.now_ms.load(Ordering::SeqCst)),
        }
    }

    /// Time that passed since this clock was made. It never goes back, and setting the time of day does not move it.
    #[must_use]
    pub fn steady(&self) -> Duration {
        match &self.0 {
            Source::System { ahead_ms: _, started } => started.elapsed(),
            Source::Manual(hands) => Duration::from_millis(hands.steady_ms.load(Ordering::SeqCst)),
        }
    }

    /// Whether this clock only moves by hand, so that waiting for it in real time would never end.
    #[must_use]
    pub fn is_manual(&self) -> bool {
        matches!(self.0, Source::Manual(_))
    }

    /// Lets time pass on a manual clock, for every holder of it.
    ///
    /// # Panics
    /// On the system's clock, which cannot be moved.
    pub fn advance(&self, duration: Duration) {
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        self.hands().steady_ms.fetch_add(duration_ms, Ordering::SeqCst);
        self.set(self.now() + duration);
    }

    /// Sets the time of day of a manual clock, for every holder of it, without time passing.
    ///
    /// # Panics
    /// On the system's clock, which cannot be moved.
    pub fn set(&self, now: Timestamp) {
        self.hands().now_ms.store(now.ms(), Ordering::SeqCst);
    }

    fn hands(&self) -> &Hands {
        match &self.0 {
            Source::System { .. } => panic!("only a manual clock is moved by hand"),
            Source::Manual(hands) => hands,
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
    fn any_instant_reads_in_the_api_as_the_calendar_has_it() {
        let years_0_to_9999 = (-62_167_219_200_000_i64..253_402_207_200_000).step_by(8_384_461_017);
        let edges = [i64::MIN, -62_167_219_200_001, -1, 0, 999, 253_402_207_200_999, i64::MAX];
        for ms in years_0_to_9999.chain(edges) {
            let instant = Timestamp::from_ms(ms);
            let expected = instant.in_zone(TimeZone::UTC).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(instant.rfc3339(), expected, "{ms}");
        }
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

    #[test]
    fn setting_the_time_of_day_lets_no_time_pass() {
        let clock = Clock::manual(Timestamp::from_ms(5_000));
        clock.advance(Duration::from_secs(1));
        clock.set(Timestamp::from_ms(0));
        assert_eq!((clock.now(), clock.steady()), (Timestamp::from_ms(0), Duration::from_secs(1)));
        let ahead = Clock::system_ahead(Duration::from_hours(24));
        assert!(ahead.steady() < Duration::from_hours(1));
    }
}
