//! Sets the lowest rate at which a client must send the data of a message.
//!
//! Data occupies memory until it ends, so a client may not delay it. Each byte buys a little time, up to the grace
//! period: a client that sends steadily at the lowest rate is never cut off, and one that sends nothing is cut off when
//! its time is used up, however much it sent before.

use std::time::Duration;

use tokio::time::Instant;

/// The lowest rate at which data may come.
#[derive(Debug, Clone, Copy)]
pub struct MinimumRate {
    /// Octets a second.
    pub bytes_per_second: u32,
    /// How long a client may send nothing.
    pub grace: Duration,
}

impl Default for MinimumRate {
    fn default() -> MinimumRate {
        MinimumRate { bytes_per_second: 1024, grace: Duration::from_secs(30) }
    }
}

/// The deadline for the data of one message.
#[derive(Debug, Clone, Copy)]
pub(super) struct PaceDeadline {
    rate: MinimumRate,
    at: Instant,
}

impl PaceDeadline {
    /// The deadline of data that begins `now`.
    pub(super) fn new(rate: MinimumRate, now: Instant) -> PaceDeadline {
        PaceDeadline { rate, at: now + rate.grace }
    }

    /// Moves the deadline by the time that `bytes` buy.
    pub(super) fn extend(&mut self, bytes: usize, now: Instant) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let bought = Duration::from_secs(1) * bytes / self.rate.bytes_per_second;
        self.at = (self.at + bought).min(now + self.rate.grace);
    }

    /// When the client is cut off unless more comes.
    pub(super) fn at(&self) -> Instant {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: MinimumRate = MinimumRate { bytes_per_second: 1024, grace: Duration::from_secs(30) };

    /// Sends `bytes` every `every` seconds; returns the second in which the client is cut off, if within ten hours.
    fn cut_off(bytes: usize, every: u64) -> Option<u64> {
        let start = Instant::now();
        let mut deadline = PaceDeadline::new(RATE, start);
        for second in (0..36_000).step_by(usize::try_from(every).unwrap()) {
            let now = start + Duration::from_secs(second);
            if deadline.at() < now {
                return Some((deadline.at() - start).as_secs());
            }
            deadline.extend(bytes, now);
        }
        None
    }

    #[test]
    fn a_steady_client_at_the_lowest_rate_is_never_cut_off() {
        assert_eq!(cut_off(1024, 1), None);
        assert_eq!(cut_off(20 * 1024, 20), None);
        assert_eq!(cut_off(50 << 20, 30), None);
    }

    #[test]
    fn a_slower_client_is_cut_off_after_the_grace_period() {
        assert_eq!(cut_off(0, 1), Some(30));
        assert_eq!(cut_off(1, 1), Some(30));
        assert_eq!(cut_off(512, 1), Some(59));
    }

    #[test]
    fn what_came_early_buys_no_more_than_the_grace_period() {
        assert_eq!(cut_off(50 << 20, 31), Some(30));
    }
}
