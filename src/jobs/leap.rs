//! Notices that the clock was set forward while the server ran.

use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::ops::outbound::Leap;

/// Less than this is a correction, and changes nothing for mail that is tried for days.
const LEAP_MIN: Duration = Duration::from_hours(1);

/// Compares the time of day with the time that passed.
#[derive(Debug)]
pub(super) struct Watch {
    /// When the steady clock stood at zero, by the time of day as it is set.
    origin: Timestamp,
    leap: Leap,
}

impl Watch {
    pub(super) fn new(clock: &Clock) -> Watch {
        Watch { origin: origin(clock), leap: Leap::default() }
    }

    /// How far the clock was set forward until now.
    pub(super) fn look(&mut self, clock: &Clock) -> Leap {
        let origin = origin(clock);
        let by = origin.since(self.origin);
        if LEAP_MIN <= by {
            let hours = by.as_secs() / 3600;
            tracing::warn!(
                "The clock was set forward by {hours} h, or the machine slept: mail that waits is none the older"
            );
            self.leap = Leap { by: self.leap.by + by, until: clock.now() };
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
    fn only_a_clock_that_is_set_forward_leaps() {
        let clock = Clock::manual(Timestamp::from_ms(1_000_000_000));
        let mut watch = Watch::new(&clock);
        clock.advance(Duration::from_hours(24 * 9));
        assert_eq!(watch.look(&clock), Leap::default());
        let before = clock.now();
        clock.set(before.before(Duration::from_hours(48)));
        assert_eq!(watch.look(&clock), Leap::default());
        clock.set(before + Duration::from_hours(24));
        let leap = Leap { by: Duration::from_hours(72), until: clock.now() };
        assert_eq!(watch.look(&clock), leap);
        clock.advance(Duration::from_hours(1));
        assert_eq!(watch.look(&clock), leap);
        assert_eq!(leap.shift(before), before + leap.by);
        assert_eq!(leap.shift(clock.now()), clock.now());
    }
}
