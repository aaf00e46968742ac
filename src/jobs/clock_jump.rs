//! Notices that the clock was set while the server ran.
//!
//! After a jump forward, waiting mail counts as no older than before, and for a day nothing expires: a wrongly set
//! clock is usually set right again, and what has expired does not come back. The scheduler asks before each tick and
//! each step of the upkeep.

use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::ops::delivery::outbound::ClockJump;

/// A smaller change is a correction, and makes no difference for mail that is tried for days.
const JUMP_MIN: Duration = Duration::from_hours(1);

/// How long nothing expires after the clock was set forward, unless it is set back before.
const PAUSE: Duration = Duration::from_hours(24);

/// Compares the time of day with the time that has passed.
#[derive(Debug)]
pub(super) struct ClockMonitor {
    /// The time of day at which the steady clock was zero, by the present setting of the clock.
    origin: Timestamp,
    jump: ClockJump,
    /// Until when nothing expires, by the steady clock.
    paused_until: Duration,
}

impl ClockMonitor {
    pub(super) fn new(clock: &Clock) -> ClockMonitor {
        ClockMonitor { origin: origin(clock), jump: ClockJump::default(), paused_until: Duration::ZERO }
    }

    /// Whether nothing may expire now.
    pub(super) fn expiry_paused(&mut self, clock: &Clock) -> bool {
        self.look(clock);
        clock.steady() < self.paused_until
    }

    /// How far the clock has been set forward so far.
    pub(super) fn look(&mut self, clock: &Clock) -> ClockJump {
        let origin = origin(clock);
        let by = origin.since(self.origin);
        if JUMP_MIN <= by {
            let hours = by.as_secs() / 3600;
            tracing::warn!(
                "The clock was set forward by {hours} h, or the machine slept: waiting mail counts as no older"
            );
            self.jump = ClockJump { by: self.jump.by + by, until: clock.now() };
            self.paused_until = clock.steady() + PAUSE;
        } else if JUMP_MIN <= self.origin.since(origin) {
            self.paused_until = Duration::ZERO;
        }
        self.origin = origin;
        self.jump
    }
}

fn origin(clock: &Clock) -> Timestamp {
    clock.now().before(clock.steady())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_expires_for_a_day_after_a_jump_unless_the_clock_is_set_right() {
        let clock = Clock::manual(Timestamp::from_ms(1_000_000_000));
        let mut monitor = ClockMonitor::new(&clock);
        clock.advance(Duration::from_hours(48));
        assert!(!monitor.expiry_paused(&clock));
        clock.set(clock.now() + Duration::from_hours(1));
        assert!(monitor.expiry_paused(&clock));
        clock.advance(Duration::from_hours(23));
        assert!(monitor.expiry_paused(&clock));
        clock.advance(Duration::from_hours(1));
        assert!(!monitor.expiry_paused(&clock));
        clock.set(clock.now() + Duration::from_hours(500));
        assert!(monitor.expiry_paused(&clock));
        clock.set(clock.now().before(Duration::from_hours(500)));
        assert!(!monitor.expiry_paused(&clock));
    }

    #[test]
    fn only_a_clock_that_is_set_forward_jumps() {
        let clock = Clock::manual(Timestamp::from_ms(1_000_000_000));
        let mut monitor = ClockMonitor::new(&clock);
        clock.advance(Duration::from_hours(24 * 9));
        assert_eq!(monitor.look(&clock), ClockJump::default());
        let before = clock.now();
        clock.set(before.before(Duration::from_hours(48)));
        assert_eq!(monitor.look(&clock), ClockJump::default());
        clock.set(before + Duration::from_hours(24));
        let jump = ClockJump { by: Duration::from_hours(72), until: clock.now() };
        assert_eq!(monitor.look(&clock), jump);
        clock.advance(Duration::from_hours(1));
        assert_eq!(monitor.look(&clock), jump);
        assert_eq!(jump.shift(before), before + jump.by);
        assert_eq!(jump.shift(clock.now()), clock.now());
    }
}
