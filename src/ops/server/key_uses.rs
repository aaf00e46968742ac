//! Remembers when each API key was last used, for the page of keys.
//!
//! The times are [kept](super::kept_numbers) once in five minutes at most: a crash forgets the uses of some minutes at
//! most while anything is written at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::kept_numbers::KeptNumbers;
use crate::clock::{Clock, Timestamp};
use crate::model::{ApiKey, ApiKeyId};
use crate::store::{Read, StoreError, WriteTx};

/// The name in the data file under which the times are kept.
const META_KEY_USES: &str = "key_uses";
/// Least time between two writes of the times, except when the server stops.
const KEEP_EVERY: Duration = Duration::from_mins(5);
/// Precision of a time, in milliseconds: not every request of a program writes to memory that all cores share.
const EXACT_TO_MS: u64 = 60_000;

/// The last use of one key: milliseconds, 0 before the first.
#[derive(Debug, Default)]
pub struct LastUse(AtomicU64);

impl From<u64> for LastUse {
    fn from(ms: u64) -> LastUse {
        LastUse(AtomicU64::new(ms))
    }
}

impl AsRef<AtomicU64> for LastUse {
    fn as_ref(&self) -> &AtomicU64 {
        &self.0
    }
}

impl LastUse {
    /// Notes a use.
    pub fn note(&self, now: Timestamp) {
        let now = now.key();
        if self.0.load(Ordering::Relaxed).saturating_add(EXACT_TO_MS) <= now {
            self.0.fetch_max(now, Ordering::Relaxed);
        }
    }

    fn time(&self) -> Option<Timestamp> {
        let ms = self.0.load(Ordering::Relaxed);
        i64::try_from(ms).ok().filter(|ms| 0 < *ms).map(Timestamp::from_ms)
    }
}

/// The last uses of all keys.
#[derive(Debug)]
pub struct KeyUses(KeptNumbers<LastUse>);

impl KeyUses {
    /// Loads the times from the data file; those of keys that were deleted are left out.
    ///
    /// # Errors
    /// If the data file cannot be read.
    pub fn load(tx: &impl Read, clock: Clock) -> Result<KeyUses, StoreError> {
        let now = clock.now();
        let uses = KeptNumbers::load(tx, (META_KEY_USES, KEEP_EVERY), clock, now)?;
        uses.retain(|id| Ok(tx.get::<ApiKey>(id)?.is_some()))?;
        Ok(KeyUses(uses))
    }

    /// The last use of a key, for those who note it.
    #[must_use]
    pub fn of(&self, key: ApiKeyId) -> Arc<LastUse> {
        self.0.of(key.0)
    }

    /// When a key was last used, exact to a minute; `None` if it was not.
    #[must_use]
    pub fn last(&self, key: ApiKeyId) -> Option<Timestamp> {
        self.0.find(key.0)?.time()
    }

    /// Writes the times to the data file, unless that was done within the last five minutes. Called in commits that
    /// happen anyway.
    ///
    /// # Errors
    /// If the data file cannot be written.
    pub fn keep_if_due(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        self.0.keep_if_due(tx, is_used)
    }

    /// Writes the times to the data file.
    ///
    /// # Errors
    /// If the data file cannot be written.
    pub fn keep(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        self.0.keep(tx, is_used)
    }
}

fn is_used(ms: u64) -> bool {
    0 < ms
}
