//! Keeps two backups from one target: in this process, and on several machines.
//!
//! A lock is an object with the name of its holder. One that its holder no longer renews has ended; one that a killed
//! process of the same data folder left has ended too, since only one process has a data file open.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use super::error::BackupError;
use super::format::{LOCKS, decode, encode};
use super::objects::{Objects, ObjectsError};
use crate::clock::{Clock, Timestamp};
use crate::secret::Secrets;

/// A lock that was not renewed for so long was left behind.
const STALE_AFTER: Duration = Duration::from_mins(30);
/// Time between two renewals.
const RENEW_EVERY: Duration = Duration::from_mins(5);

/// The targets that this process writes to.
static IN_USE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The right of this process to write to a target; in this process nobody else has it.
#[derive(Debug)]
pub(super) struct Turn(String);

impl Turn {
    /// Takes the turn at the target that is called `place`.
    pub(super) fn take(place: String) -> Result<Turn, BackupError> {
        let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
        if in_use.insert(place.clone()) {
            return Ok(Turn(place));
        }
        Err(BackupError::Busy { place, who: "try again when it has ended".to_owned() })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        IN_USE.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// The content of a lock.
#[derive(Debug, Serialize, Deserialize)]
struct Holder {
    /// The machine and the data folder.
    host: String,
    /// The time of the last renewal.
    renewed_ms: i64,
}

/// A lock of a target, which is let go when it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    objects: Arc<dyn Objects>,
    clock: Clock,
    name: String,
    host: String,
    renewed: Timestamp,
    /// Whether a killed process had left one.
    pub(super) was_left_behind: bool,
    _turn: Turn,
}

impl Lock {
    /// Locks a target for `host`, which is a data folder that this process has open.
    pub(super) fn take(
        objects: &Arc<dyn Objects>,
        host: &str,
        clock: &Clock,
        secrets: &Secrets,
    ) -> Result<Lock, BackupError> {
        let turn = Turn::take(objects.place())?;
        let mut number = [0; 8];
        secrets.fill(&mut number);
        let mut lock = Lock {
            objects: Arc::clone(objects),
            clock: clock.clone(),
            name: format!("{LOCKS}{}", HEXLOWER.encode(&number)),
            host: host.to_owned(),
            renewed: clock.now(),
            was_left_behind: false,
            _turn: turn,
        };
        lock.was_left_behind = lock.pass_others()?;
        lock.write()?;
        // Of two that came at once, each sees the other here.
        lock.pass_others()?;
        Ok(lock)
    }

    /// Fails if another process holds a lock; removes those that were left behind, and says whether there were any.
    fn pass_others(&self) -> Result<bool, BackupError> {
        let mut was_left_behind = false;
        for other in self.objects.list(LOCKS)? {
            if other.name == self.name {
                continue;
            }
            let bytes = match self.objects.get_small(&other.name) {
                // It was let go since the listing. One that cannot be read for another reason may be held.
                Err(ObjectsError::NotFound { .. }) => continue,
                bytes => bytes?,
            };
            if let Some(Holder { host, renewed_ms }) = decode(&bytes) {
                let renewed = Timestamp::from_ms(renewed_ms);
                if host != self.host && self.clock.now().since(renewed) < STALE_AFTER {
                    let who = format!(
                        "{host} has it since {}; if that is no more, wait half an hour",
                        renewed.rfc3339()
                    );
                    return Err(BackupError::Busy { place: self.objects.place(), who });
                }
            }
            self.objects.delete(&other.name)?;
            was_left_behind = true;
        }
        Ok(was_left_behind)
    }

    fn write(&self) -> Result<(), BackupError> {
        let holder = Holder { host: self.host.clone(), renewed_ms: self.renewed.ms() };
        Ok(self.objects.put(&self.name, &encode(&holder))?)
    }

    /// Renews the lock if it is time. To be called often while the target is read or written.
    pub(super) fn renew(&mut self) -> Result<(), BackupError> {
        let now = self.clock.now();
        if now.since(self.renewed) < RENEW_EVERY {
            return Ok(());
        }
        self.check()?;
        self.renewed = now;
        self.write()
    }

    /// Fails if another backup took this lock for one that was left behind, and removed it.
    pub(super) fn check(&self) -> Result<(), BackupError> {
        match self.objects.get_small(&self.name) {
            Err(ObjectsError::NotFound { .. }) => {
                let who = "it removed the lock of this one, which was not renewed in time; try again when it has ended";
                Err(BackupError::Busy { place: self.objects.place(), who: who.to_owned() })
            }
            found => Ok(found.map(drop)?),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If it cannot be deleted, it ends by itself.
        let _ = self.objects.delete(&self.name);
    }
}
