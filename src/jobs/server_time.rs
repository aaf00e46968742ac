//! Limits how long an attempt stays with one server.
//!
//! Every command has a time limit of its own (RFC 5321 4.5.3.2). A server that replies each time just within the limit
//! could occupy one of the scheduler's places for days, and many such servers all places. So an attempt leaves a server
//! that stalls over one copy; a server that accepts copies slowly gets the next ones in a later attempt. The final
//! reply to a message that was sent completely is awaited up to its own limit: if the connection were dropped before,
//! the copy would be sent again.

use std::time::Duration;

use crate::clock::Clock;

/// The time that an attempt spends with one server, by [`Clock::steady`].
pub(super) struct ServerTimeBudget {
    clock: Clock,
    limit: Duration,
    began: Duration,
    /// When the server last replied to a copy.
    answered: Option<Duration>,
}

impl ServerTimeBudget {
    /// Starts now; `limit` applies to a single copy and to the whole stay.
    pub(super) fn begin(clock: &Clock, limit: Duration) -> ServerTimeBudget {
        ServerTimeBudget { clock: clock.clone(), limit, began: clock.steady(), answered: None }
    }

    /// Notes that the server replied to a copy.
    pub(super) fn note_answer(&mut self) {
        self.answered = Some(self.clock.steady());
    }

    /// Whether the server has taken too long over one copy.
    pub(super) fn is_stalled(&self) -> bool {
        self.has_passed(self.answered.unwrap_or(self.began))
    }

    /// Whether the server accepts copies but has used up its time, so that other destinations come next.
    pub(super) fn is_over(&self) -> bool {
        self.answered.is_some() && self.has_passed(self.began)
    }

    fn has_passed(&self, since: Duration) -> bool {
        self.limit <= self.clock.steady().saturating_sub(since)
    }
}
