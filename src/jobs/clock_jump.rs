//! Notices that the clock was set while the server ran.
//!
//! Forward: mail that waits is none the older, and for a day nothing ends by its time, since whoever sets a clock wrong sets
//! it right again, and what has ended does not come back.

use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::ops::delivery::outbound::ClockJump;

/// Less than this is a correction, and changes nothing for mail that is tried for days.
const LEAP_MIN: Duration = Duration::from_hours(1);

/// How long nothing ends after the clock was set forward, unless it is set back before.
const REST: Duration = Duration::from_hours(24);

/// Compares the time of day with the time that passed.
#[derive(Debug)]
pub(super) struct ClockMonitor {
    /// When the steady clock stood at zero, by the time of day as it is set.
    origin: Timestamp,
    leap: ClockJump,
    /// Until when nothing ends by its time, by the steady clock.
    rests_until: Duration,
}

impl ClockMonitor {
    pub(super) fn new(clock: &Clock) -> ClockMonitor {
        ClockMonitor { origin: origin(clock), leap: ClockJump::default(), rests_until: Duration::ZERO }
    }

    /// Whether nothing is to end by its time now.
    pub(super) fn expiry_paused(&mut self, clock: &Clock) -> bool {
        self.look(clock);
        clock.steady() < self.rests_until
    }

    /// How far the clock was set forward until now.
    pub(super) fn look(&mut self, clock: &Clock) -> ClockJump {
        let origin = origin(clock);
        let by = origin.since(self.origin);
        if LEAP_MIN <= by {
            let hours = by.as_secs() / 3600;
            tracing::warn!(
                "The clock was set forward by {hours} h, or the machine slept: mail that waits is none the older"
            );
            self.leap = ClockJump { by: self.leap.by + by, until: clock.now() };
            self.rests_until = clock.steady() + REST;
        } else if LEAP_MIN <= self.origin.since(origin) {
            self.rests_until = Duration::ZERO;
        }
        self.origin = origin;
        self.leap
    }
}

fn origin(clock: &Clock) -> Timestamp {
    clock.now().before(clock.steady())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_for_a_day_after_a_leap_unless_the_clock_is_set_right() {
        let clock = Clock::manual(Timestamp::from_ms(1_000_000_000));
        let mut watch = ClockMonitor::new(&clock);
        clock.advance(Duration::from_hours(48));
        assert!(!watch.expiry_paused(&clock));
        clock.set(clock.now() + Duration::from_hours(1));
        assert!(watch.expiry_paused(&clock));
        clock.advance(Duration::from_hours(23));
        assert!(watch.expiry_paused(&clock));
        clock.advance(Duration::from_hours(1));
        assert!(!watch.expiry_paused(&clock));
        clock.set(clock.now() + Duration::from_hours(500));
        assert!(watch.expiry_paused(&clock));
        clock.set(clock.now().before(Duration::from_hours(500)));
        assert!(!watch.expiry_paused(&clock));
    }

    #[test]
    fn only_a_clock_that_is_set_forward_leaps() {
        let clock = Clock::manual(Timestamp::from_ms(1_000_000_000));
        let mut watch = ClockMonitor::new(&clock);
        clock.advance(Duration::from_hours(24 * 9));
        assert_eq!(watch.look(&clock), ClockJump::default());
        let before = clock.now();
        clock.set(before.before(Duration::from_hours(48)));
        assert_eq!(watch.look(&clock), ClockJump::default());
        clock.set(before + Duration::from_hours(24));
        let leap = ClockJump { by: Duration::from_hours(72), until: clock.now() };
        assert_eq!(watch.look(&clock), leap);
        clock.advance(Duration::from_hours(1));
        assert_eq!(watch.look(&clock), leap);
        assert_eq!(leap.shift(before), before + leap.by);
        assert_eq!(leap.shift(clock.now()), clock.now());
    }
}
