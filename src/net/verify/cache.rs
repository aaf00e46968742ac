//! Caches TXT records: existing ones for their lifetime, missing ones for a minute.
//!
//! The resolver has a cache too, but not for missing records if a name server does not say how long that is valid; and
//! a key that was parsed once need not be parsed again.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mail_auth::{DnsError, Error, ResolverCache, Txt};

/// Names that are kept, at most.
const NAMES_MAX: usize = 20_000;
/// How long a missing record is kept as missing.
const ABSENT_FOR: Duration = Duration::from_mins(1);
/// How long a record is kept at most, whatever its lifetime.
const PRESENT_FOR_MAX: Duration = Duration::from_hours(1);

/// The records of all messages, in two maps: when the first is full it becomes the second, whose old content is
/// dropped.
#[derive(Default)]
pub(super) struct TxtCache(Mutex<Shelves>);

#[derive(Default)]
struct Shelves {
    first: HashMap<Box<str>, (Txt, Instant)>,
    second: HashMap<Box<str>, (Txt, Instant)>,
}

impl TxtCache {
    /// Notes that a name has no record.
    pub(super) fn note_absent(&self, name: &str, error: Error) {
        self.insert(name.into(), Txt::Error(error), Instant::now() + ABSENT_FOR);
    }

    /// Whether a name need not be queried.
    pub(super) fn knows(&self, name: &str) -> bool {
        ResolverCache::<Box<str>, Txt>::get::<str>(self, name).is_some()
    }
}

impl ResolverCache<Box<str>, Txt> for TxtCache {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, until) = shelves.first.get(name).or_else(|| shelves.second.get(name))?;
        (Instant::now() < *until).then(|| text.clone())
    }

    fn remove<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = shelves.second.remove(name);
        shelves.first.remove(name).or(removed).map(|(text, _)| text)
    }

    fn insert(&self, name: Box<str>, text: Txt, until: Instant) {
        let until = until.min(Instant::now() + PRESENT_FOR_MAX);
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if NAMES_MAX / 2 <= shelves.first.len() {
            shelves.second = std::mem::take(&mut shelves.first);
        }
        shelves.first.insert(name, (text, until));
    }
}

/// The records that one message may use: known ones; those that did not come in time are not queried a second time.
pub(super) struct Asked<'a> {
    pub(super) cache: &'a TxtCache,
    pub(super) unanswered: HashSet<Box<str>>,
}

impl ResolverCache<Box<str>, Txt> for Asked<'_> {
    fn get<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if self.unanswered.contains(name) {
            return Some(Txt::Error(Error::Dns(DnsError::Resolver("no answer in time".to_owned()))));
        }
        self.cache.get(name)
    }

    fn remove<Q>(&self, name: &Q) -> Option<Txt>
    where
        Box<str>: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.cache.remove(name)
    }

    fn insert(&self, name: Box<str>, text: Txt, until: Instant) {
        self.cache.insert(name, text, until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_forgotten_in_time_and_never_too_many() {
        let cache = TxtCache::default();
        let absent = || Error::Dns(DnsError::InvalidRecordType);
        for number in 0..NAMES_MAX * 3 {
            cache.note_absent(&format!("n{number}.test."), absent());
        }
        assert!(cache.knows(&format!("n{}.test.", NAMES_MAX * 3 - 1)) && !cache.knows("n0.test."));
        let shelves = cache.0.lock().unwrap();
        assert!(shelves.first.len() + shelves.second.len() <= NAMES_MAX);
        drop(shelves);
        cache.insert("old.test.".into(), Txt::Error(absent()), Instant::now());
        assert!(!cache.knows("old.test."));
    }

    #[test]
    fn what_did_not_come_in_time_is_a_temporary_error_for_this_message_alone() {
        let cache = TxtCache::default();
        let asked = Asked { cache: &cache, unanswered: HashSet::from(["a.test.".into()]) };
        assert!(matches!(asked.get("a.test."), Some(Txt::Error(Error::Dns(DnsError::Resolver(_))))));
        assert!(!cache.knows("a.test."));
    }
}
