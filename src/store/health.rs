//! Decides whether new work finds enough room, and a disk that can be written.
//!
//! Below a reserve of free space, new work is refused, and work that ends something goes on: replies of other servers
//! are recorded, members leave, old things expire. Below a quarter of the reserve nothing is written any more. So a
//! disk that fills up stops what can wait while there is still room for what cannot. The store asks this
//! module before each job; it never deletes anything to make room.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::StoreError;

/// The part of the reserve that nothing may use: one in this many.
const RESERVE_PARTS: u64 = 4;

/// Room beyond the reserve that there must be before new work is accepted again, as one part in this many of the
/// reserve. Without it, temporary files that come and go around the mark would change the condition each time.
const SLACK_PARTS: u64 = 8;

/// How long a measurement that found enough room is trusted: measuring costs as much as reading a record, and no disk
/// loses a whole reserve in this time.
const ROOM_KNOWN_FOR: Duration = Duration::from_millis(20);

/// The store's condition for new work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// There is room, and the disk works.
    Healthy,
    /// The disk is nearly full: new work is refused with [`StoreError::Full`].
    Full {
        /// Free space, in bytes.
        free_bytes: u64,
    },
    /// The file cannot be written: everything is refused with [`StoreError::Unavailable`] until it can.
    Failing {
        /// The message of the system or of the file format.
        reason: String,
    },
}

/// The purpose of a write job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It begins something, which can be refused.
    New,
    /// It records something that has happened already, or makes room.
    Ending,
}

/// The condition of a store, with the channel that tells watchers of its changes.
pub(super) struct Health {
    condition: watch::Sender<Condition>,
    reserve_bytes: u64,
    /// When the free space was last measured.
    looked: Mutex<Option<Instant>>,
}

impl Health {
    pub(super) fn new(reserve_bytes: u64) -> Health {
        Health { condition: watch::Sender::new(Condition::Healthy), reserve_bytes, looked: Mutex::default() }
    }

    pub(super) fn condition(&self) -> Condition {
        self.condition.borrow().clone()
    }

    pub(super) fn watch(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Whether a measurement a moment ago found enough room, and the disk works.
    pub(super) fn was_healthy_lately(&self) -> bool {
        let looked = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.is_some_and(|looked| looked.elapsed() < ROOM_KNOWN_FOR)
            && *self.condition.borrow() == Condition::Healthy
    }

    /// Records the free space.
    pub(super) fn note_room(&self, free_bytes: u64) {
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        let enough = self.reserve_bytes.saturating_add(self.reserve_bytes / SLACK_PARTS);
        self.condition.send_if_modified(|condition| match condition {
            Condition::Healthy if free_bytes < self.reserve_bytes => {
                tracing::error!(
                    disk.free_bytes = free_bytes,
                    disk.reserve_bytes = self.reserve_bytes,
                    "The disk is nearly full: new mail and changes are refused until there is room"
                );
                *condition = Condition::Full { free_bytes };
                true
            }
            Condition::Full { .. } if enough <= free_bytes => {
                tracing::info!(disk.free_bytes = free_bytes, "The disk has room again: new work is accepted");
                *condition = Condition::Healthy;
                true
            }
            Condition::Full { free_bytes: noted } => {
                *noted = free_bytes;
                false
            }
            Condition::Healthy | Condition::Failing { .. } => false,
        });
    }

    /// Records that the file cannot be written.
    pub(super) fn note_failure(&self, error: &StoreError) {
        let reason = match error {
            StoreError::Unavailable { reason } | StoreError::Unusable { reason } => reason.clone(),
            other => other.to_string(),
        };
        self.condition.send_if_modified(|condition| {
            let is_new = !matches!(condition, Condition::Failing { .. });
            if is_new {
                tracing::error!(error = %error, "The data file failed; everything is refused until it can be written");
            }
            *condition = Condition::Failing { reason };
            is_new
        });
    }

    /// Records that the file can be written again.
    pub(super) fn note_recovery(&self) {
        tracing::info!("The data file can be written again");
        self.condition.send_replace(Condition::Healthy);
    }

    /// Records that the store is closed: it has no failing condition any more.
    pub(super) fn end(&self) {
        self.condition.send_replace(Condition::Healthy);
    }

    /// Returns why nothing can be read now; `None` if the disk is not at fault.
    pub(super) fn failure(&self) -> Option<StoreError> {
        match &*self.condition.borrow() {
            Condition::Failing { reason } => Some(StoreError::Unavailable { reason: reason.clone() }),
            Condition::Healthy | Condition::Full { .. } => None,
        }
    }

    /// Returns why a job is not run now; `None` if it is run.
    pub(super) fn refusal(&self, purpose: Purpose) -> Option<StoreError> {
        match &*self.condition.borrow() {
            Condition::Full { free_bytes } if purpose == Purpose::New || !self.has_rest(*free_bytes) => {
                Some(StoreError::Full)
            }
            Condition::Healthy | Condition::Full { .. } => None,
            Condition::Failing { reason } => Some(StoreError::Unavailable { reason: reason.clone() }),
        }
    }

    /// Whether there is enough room for work that ends something.
    pub(super) fn has_rest(&self, free_bytes: u64) -> bool {
        self.reserve_bytes / RESERVE_PARTS <= free_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers to new and to ending work as the room changes; `-` if the work is run.
    #[track_caller]
    fn check(rooms: &[u64], expected: &[&str]) {
        let health = Health::new(800);
        let told = rooms.iter().map(|free_bytes| {
            health.note_room(*free_bytes);
            let of = |purpose| if health.refusal(purpose).is_some() { "full" } else { "-" };
            format!("{} {}", of(Purpose::New), of(Purpose::Ending))
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn new_work_is_refused_below_the_reserve_and_everything_below_a_quarter_of_it() {
        check(&[800, 799, 200, 199], &["- -", "full -", "full -", "full full"]);
    }

    #[test]
    fn new_work_begins_again_with_some_room_beyond_the_reserve() {
        check(&[100, 300, 800, 899, 900, 800], &["full full", "full -", "full -", "full -", "- -", "- -"]);
    }

    #[test]
    fn a_disk_that_fails_is_not_sound_because_it_has_room() {
        let health = Health::new(800);
        health.note_failure(&StoreError::fatal("it burns"));
        health.note_room(u64::MAX);
        assert!(matches!(health.refusal(Purpose::Ending), Some(StoreError::Unavailable { .. })));
        health.note_recovery();
        assert_eq!(health.refusal(Purpose::New), None);
    }
}
