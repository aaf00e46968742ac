//! How long an attempt stays with one server.
//!
//! Every command has a time limit of its own (RFC 5321 4.5.3.2). A server that answers each just within its limit could
//! keep one of the scheduler's places for days, and many of them all places. So a server that stalls over one copy is
//! left, and one that takes copies slowly gets the next ones when its turn comes again. A text that has left is waited
//! for as long as its own limit says: who is not heard out gets it twice.

use std::time::Duration;

use crate::clock::Clock;

/// The stay of an attempt with one server. Times are those of [`Clock::steady`].
pub(super) struct ServerTimeBudget {
    clock: Clock,
    limit: Duration,
    began: Duration,
    /// When a copy was last answered.
    answered: Option<Duration>,
}

impl ServerTimeBudget {
    /// Begins one now; `limit` is what each of its two limits is.
    pub(super) fn begin(clock: &Clock, limit: Duration) -> ServerTimeBudget {
        ServerTimeBudget { clock: clock.clone(), limit, began: clock.steady(), answered: None }
    }

    /// A copy was answered.
    pub(super) fn note_answer(&mut self) {
        self.answered = Some(self.clock.steady());
    }

    /// Whether the server has taken too long over one copy.
    pub(super) fn is_stalled(&self) -> bool {
        self.has_passed(self.answered.unwrap_or(self.began))
    }

    /// Whether it is the others' turn: the server takes copies, and has had its time.
    pub(super) fn is_over(&self) -> bool {
        self.answered.is_some() && self.has_passed(self.began)
    }

    fn has_passed(&self, since: Duration) -> bool {
        self.limit <= self.clock.steady().saturating_sub(since)
    }
}
