//! Destinations that are left alone for a while, as the operator is to see them.
//!
//! The scheduler notes here what it has found out (`jobs::destinations`), in memory alone, and asks nothing of it. A
//! command on the file of a stopped server finds nothing: after a start everything is tried.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::Timestamp;
use crate::model::Destination;

/// Why a destination is left alone, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// When one of its batches is tried again.
    pub until: Timestamp,
    /// Why none of its servers was reached.
    pub reason: String,
}

/// All destinations that are left alone.
#[derive(Debug, Default)]
pub struct Pauses(Mutex<HashMap<Destination, Pause>>);

impl Pauses {
    /// A destination is left alone from now on.
    pub fn begin(&self, destination: Destination, pause: Pause, now: Timestamp) {
        let mut pauses = self.lock();
        // Those that are over and were not followed by another are of destinations for which nothing waits any more.
        pauses.retain(|_, pause| now <= pause.until);
        pauses.insert(destination, pause);
    }

    /// A destination takes mail.
    pub fn end(&self, destination: &Destination) {
        self.lock().remove(destination);
    }

    /// Everything is tried at once.
    pub fn end_all(&self) {
        self.lock().clear();
    }

    /// When something is tried that is due then, which is not while its destination is left alone; and why that is.
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
