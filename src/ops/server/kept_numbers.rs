//! Numbers in memory, each atomic, so that a request that changes one pays a few nanoseconds.
//!
//! They are written to the data file along with commits that happen anyway, and when the server stops: a request never
//! waits for that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use crate::clock::{Clock, Timestamp};
use crate::store::{Key, KeyReader, Read, StoreError, WriteTx};

/// A number for each of many ids.
#[derive(Debug)]
pub(super) struct KeptNumbers<T> {
    /// The name in the data file under which they are kept.
    name: &'static str,
    /// Least time between two writes, except when the server stops.
    every: Duration,
    clock: Clock,
    numbers: RwLock<HashMap<u64, Arc<T>>>,
    kept: Mutex<Kept>,
}

/// The numbers as last written to the data file.
#[derive(Debug)]
struct Kept {
    when: Timestamp,
    value: Vec<u8>,
}

impl<T: Default + From<u64> + AsRef<AtomicU64>> KeptNumbers<T> {
    /// Loads them from the data file. They count as last written at `when`.
    pub(super) fn load(
        tx: &impl Read,
        (name, every): (&'static str, Duration),
        clock: Clock,
        when: Timestamp,
    ) -> Result<KeptNumbers<T>, StoreError> {
        let value = tx.meta(name)?.unwrap_or_default();
        let mut numbers = HashMap::new();
        let mut reader = KeyReader::new(&value);
        while let (Some(id), Some(number)) = (reader.u64(), reader.u64()) {
            numbers.insert(id, Arc::new(T::from(number)));
        }
        let kept = Mutex::new(Kept { when, value });
        Ok(KeptNumbers { name, every, clock, numbers: RwLock::new(numbers), kept })
    }

    /// The number of an id; `None` if it never had one.
    pub(super) fn find(&self, id: u64) -> Option<Arc<T>> {
        self.numbers.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// The number of an id, for those who change it.
    pub(super) fn of(&self, id: u64) -> Arc<T> {
        self.find(id).unwrap_or_else(|| {
            let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(numbers.entry(id).or_default())
        })
    }

    /// Forgets the numbers of all ids but those for which `stays` is true.
    pub(super) fn retain(&self, stays: impl Fn(u64) -> Result<bool, StoreError>) -> Result<(), StoreError> {
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        let ids: Vec<u64> = numbers.keys().copied().collect();
        for id in ids {
            if !stays(id)? {
                numbers.remove(&id);
            }
        }
        Ok(())
    }

    /// Writes the numbers for which `counts` is true, unless that was done lately. Called in commits that happen anyway.
    pub(super) fn keep_if_due(
        &self,
        tx: &mut WriteTx<'_>,
        counts: impl Fn(u64) -> bool,
    ) -> Result<(), StoreError> {
        let when = self.kept.lock().unwrap_or_else(PoisonError::into_inner).when;
        if self.every <= self.clock.now().since(when) { self.keep(tx, counts) } else { Ok(()) }
    }

    /// Writes the numbers for which `counts` is true.
    pub(super) fn keep(&self, tx: &mut WriteTx<'_>, counts: impl Fn(u64) -> bool) -> Result<(), StoreError> {
        let value = self.value(counts);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.when = self.clock.now();
        if kept.value != value {
            tx.set_meta(self.name, Some(&value))?;
            kept.value = value;
        }
        Ok(())
    }

    /// The numbers in their stored form, by id.
    fn value(&self, counts: impl Fn(u64) -> bool) -> Vec<u8> {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        let pairs = numbers.iter().map(|(id, number)| (*id, (**number).as_ref().load(Ordering::Relaxed)));
        let mut pairs: Vec<_> = pairs.filter(|(_, number)| counts(*number)).collect();
        pairs.sort_unstable();
        pairs.iter().fold(Key::new(), |key, (id, number)| key.u64(*id).u64(*number)).as_bytes().to_vec()
    }
}
