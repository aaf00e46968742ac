//! Whether new work finds room and a disk that takes it.
//!
//! Below a reserve of free space, new work is refused, and what ends work goes on: answers of other servers are
//! written, members leave, old things expire. Below a quarter of the reserve nothing is written any more. So a disk
//! that fills up stops what can wait while there is still room for what cannot.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::StoreError;

/// The part of the reserve that nothing may use: one in this many.
const RESERVE_PARTS: u64 = 4;

/// Room beyond the reserve that there must be for new work to begin again, as a part of the reserve: files that come
/// and go around the mark do not make the server say so each time.
const SLACK_PARTS: u64 = 8;

/// How long a disk that had enough room is taken to have it: to ask costs as much as reading a record, and no disk
/// takes a reserve in this time.
const ROOM_KNOWN_FOR: Duration = Duration::from_millis(20);

/// What new work finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All is well.
    Healthy,
    /// The disk is nearly full: new work is refused with [`StoreError::Full`].
    Full {
        /// What is left, in bytes.
        free_bytes: u64,
    },
    /// The file cannot be written: everything is refused with [`StoreError::Unavailable`] until it can.
    Failing {
        /// What the system or the file format said.
        reason: String,
    },
}

/// What a write job is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It begins something, which can be refused.
    New,
    /// It records what has happened already, or makes room.
    Ending,
}

/// The condition of a store, told to whoever watches it.
pub(super) struct Health {
    condition: watch::Sender<Condition>,
    reserve_bytes: u64,
    /// When the room was last looked at.
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

    /// Whether a look a moment ago found enough room, and all is well.
    pub(super) fn was_sound_lately(&self) -> bool {
        let looked = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.is_some_and(|looked| looked.elapsed() < ROOM_KNOWN_FOR)
            && *self.condition.borrow() == Condition::Healthy
    }

    /// Takes note of the room that is left.
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
                tracing::info!(disk.free_bytes = free_bytes, "The disk has room again: new work is taken");
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

    /// Takes note that the file cannot be written.
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

    /// Takes note that the file can be written again.
    pub(super) fn note_recovery(&self) {
        tracing::info!("The data file can be written again");
        self.condition.send_replace(Condition::Healthy);
    }

    /// The store is closed: nothing is wrong with it any more.
    pub(super) fn end(&self) {
        self.condition.send_replace(Condition::Healthy);
    }

    /// Why nothing can be read now; none where the disk is not at fault.
    pub(super) fn failure(&self) -> Option<StoreError> {
        match &*self.condition.borrow() {
            Condition::Failing { reason } => Some(StoreError::Unavailable { reason: reason.clone() }),
            Condition::Healthy | Condition::Full { .. } => None,
        }
    }

    /// Why a job is not run now; none where it is.
    pub(super) fn refusal(&self, purpose: Purpose) -> Option<StoreError> {
        match &*self.condition.borrow() {
            Condition::Full { free_bytes } if purpose == Purpose::New || !self.has_rest(*free_bytes) => {
                Some(StoreError::Full)
            }
            Condition::Healthy | Condition::Full { .. } => None,
            Condition::Failing { reason } => Some(StoreError::Unavailable { reason: reason.clone() }),
        }
    }

    /// Whether this is room enough for what ends work.
    pub(super) fn has_rest(&self, free_bytes: u64) -> bool {
        self.reserve_bytes / RESERVE_PARTS <= free_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What new work and what ends work are told, `-` where they are run, as the room changes.
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
