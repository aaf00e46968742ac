//! The paused destinations, as the operator sees them.
//!
//! The scheduler records here which destinations it pauses (`jobs::destinations`), in memory only, and reads nothing
//! back. A command on the file of a stopped server finds none: after a start every destination is tried.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Timestamp;
use crate::model::Destination;

/// The reason and the end of a destination's pause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// The time of the next attempt for one of its batches.
    pub until: Timestamp,
    /// The reason why none of its servers was reached.
    pub reason: String,
}

/// All paused destinations.
#[derive(Debug, Default)]
pub struct Pauses(Mutex<HashMap<Destination, Pause>>);

impl Pauses {
    /// Records that a destination is paused from now on.
    pub fn begin(&self, destination: Destination, pause: Pause, now: Timestamp) {
        let mut pauses = self.lock();
        // A pause that ended without another one is of a destination that nothing waits for any more.
        pauses.retain(|_, pause| now <= pause.until);
        pauses.insert(destination, pause);
    }

    /// Records that a destination takes mail.
    pub fn end(&self, destination: &Destination) {
        self.lock().remove(destination);
    }

    /// Ends all pauses: every destination is tried at once.
    pub fn end_all(&self) {
        self.lock().clear();
    }

    /// The time of an attempt that is due at `due`, which waits for the end of its destination's pause, and the pause's
    /// reason.
    #[must_use]
    pub fn tried(
        &self,
        destination: &Destination,
        due: Timestamp,
        now: Timestamp,
    ) -> (Timestamp, Option<String>) {
        match self.lock().get(destination).filter(|pause| now < pause.until) {
            Some(Pause { until, reason }) => (due.max(*until), Some(reason.clone())),
            None => (due, None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Destination, Pause>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
