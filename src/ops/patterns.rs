//! Matches the patterns of accounts and lists, each message and call within a time limit.
//!
//! [`Patterns`] caches compiled patterns, so that each is compiled once after a change. Patterns are matched outside of
//! the writer, when it is an account's turn (`service::patterns`). Write jobs use the results, and compare that the
//! patterns have not been changed since.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Clock;
use crate::mail::HoldReason;
use crate::mail::pattern::{Budget, PatternPair, Unjudged};
use crate::mail::taboo::TabooText;
use crate::model::List;

/// Time for the patterns of one account to judge one message or one call.
const TIME_MAX: Duration = Duration::from_millis(200);
/// Multiples of [`TIME_MAX`] that a call with many addresses gets.
const CALL_SHARES_MAX: u32 = 10;
/// Memory for compiled patterns; beyond it the least used are dropped.
const KEPT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The cache of compiled patterns.
#[derive(Debug)]
pub struct Patterns {
    clock: Clock,
    kept: Mutex<Kept>,
    /// Matchings whose time is running.
    running: AtomicUsize,
}

/// The patterns of the two fields of a list or an account.
type Texts = (Vec<String>, Vec<String>);

/// Compiled patterns by their text, so that a change needs no invalidation.
#[derive(Debug, Default)]
struct Kept {
    pairs: HashMap<Texts, KeptPair>,
    size_bytes: usize,
    /// A counter that grows with every use.
    uses: u64,
}

#[derive(Debug)]
struct KeptPair {
    pair: Arc<PatternPair>,
    size_bytes: usize,
    last_use: u64,
}

impl Kept {
    fn get(&mut self, texts: &Texts) -> Option<Arc<PatternPair>> {
        self.uses += 1;
        let kept = self.pairs.get_mut(texts)?;
        kept.last_use = self.uses;
        Some(Arc::clone(&kept.pair))
    }

    fn put(&mut self, texts: Texts, pair: Arc<PatternPair>) {
        // The cache keeps the texts as well.
        let text_bytes: usize =
            texts.0.iter().chain(&texts.1).map(|text| size_of::<String>() + text.len()).sum();
        let size_bytes = pair.size_bytes + text_bytes + size_of::<KeptPair>();
        let kept = KeptPair { pair, size_bytes, last_use: self.uses };
        self.size_bytes += size_bytes;
        if let Some(old) = self.pairs.insert(texts, kept) {
            self.size_bytes -= old.size_bytes;
        }
        while KEPT_BYTES_MAX < self.size_bytes {
            let oldest =
                self.pairs.iter().min_by_key(|(_, kept)| kept.last_use).map(|(texts, _)| texts.clone());
            let Some(gone) = oldest.and_then(|texts| self.pairs.remove(&texts)) else { return };
            self.size_bytes -= gone.size_bytes;
        }
    }
}

/// New patterns of one field, and its present ones.
#[derive(Debug, Default)]
pub struct PatternField {
    /// Its name.
    pub name: &'static str,
    /// The new patterns in a call; `None` if it does not change the field.
    pub new: Option<Vec<String>>,
    /// The present patterns.
    pub old: Vec<String>,
}

impl Patterns {
    /// An empty cache. Time is measured by `clock`.
    #[must_use]
    pub fn new(clock: Clock) -> Patterns {
        Patterns { clock, kept: Mutex::default(), running: AtomicUsize::new(0) }
    }

    /// The number of messages and calls that are being matched now, and whose time is running.
    #[must_use]
    pub fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    fn pair(&self, first: &[String], second: &[String]) -> Arc<PatternPair> {
        let texts = (first.to_vec(), second.to_vec());
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&texts);
        kept.unwrap_or_else(|| {
            let pair = Arc::new(PatternPair::compile(first, second));
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).put(texts, Arc::clone(&pair));
            pair
        })
    }

    /// Begins matching for one account. Blocks for as long as its time limit: see `service::patterns`.
    #[must_use]
    pub fn judge(&self) -> Judge<'_> {
        Judge { patterns: self, left: Cell::new(TIME_MAX) }
    }
}

/// Matches patterns within the time limit of one message or one call.
#[derive(Debug)]
pub struct Judge<'a> {
    patterns: &'a Patterns,
    /// Compiling does not count: it happens once after a change, and is limited by size.
    left: Cell<Duration>,
}

impl Judge<'_> {
    /// The reason to hold a message in `list` by its taboo patterns, if any.
    #[must_use]
    pub fn taboo(&self, list: &List, text: &TabooText<'_>) -> Option<HoldReason> {
        if list.taboo_headers.is_empty() && list.taboo_body.is_empty() {
            return None;
        }
        let pair = self.patterns.pair(&list.taboo_headers, &list.taboo_body);
        self.within(|budget| text.find(&pair, budget))
    }

    /// Extends the time limit for a call with many addresses, up to [`CALL_SHARES_MAX`] times.
    pub(crate) fn allow_time_for(&self, addresses: usize) {
        let shares = u32::try_from(addresses).unwrap_or(CALL_SHARES_MAX).min(CALL_SHARES_MAX);
        self.left.set(TIME_MAX * shares);
    }

    /// The results of the `restrict_contact` patterns for each address.
    pub(crate) fn addresses(&self, patterns: &[String], addresses: &[String]) -> Vec<Permit> {
        let pair = self.patterns.pair(patterns, &[]);
        self.within(|budget| {
            let mut matcher = pair.first.matcher(budget);
            let permit = |address: &String| match matcher.find(address) {
                Ok(Some(_)) => Permit::Granted,
                Ok(None) => Permit::Refused,
                Err(unjudged) => Permit::Unjudged(unjudged),
            };
            addresses.iter().map(permit).collect()
        })
    }

    fn within<T>(&self, work: impl FnOnce(Budget<'_>) -> T) -> T {
        let clock = &self.patterns.clock;
        let (start, left) = (clock.steady(), self.left.get());
        let _running = Running::begin(&self.patterns.running);
        let result = work(Budget::new(&|| start + left <= clock.steady()));
        self.left.set(left.saturating_sub(clock.steady().saturating_sub(start)));
        result
    }
}

/// Counts a matching as long as it runs, even if it panics.
struct Running<'a>(&'a AtomicUsize);

impl Running<'_> {
    fn begin(running: &AtomicUsize) -> Running<'_> {
        running.fetch_add(1, Ordering::SeqCst);
        Running(running)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The result of the `restrict_contact` patterns for an address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Permit {
    /// A pattern matches, or there is none.
    #[default]
    Granted,
    /// No pattern matches.
    Refused,
    /// Matching took too long or failed.
    Unjudged(Unjudged),
}

/// The result for an address, found before the write job that adds it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressJudgement {
    /// The patterns of `restrict_contact` that were matched.
    pub(crate) patterns: Arc<[String]>,
    /// Their result.
    pub(crate) permit: Permit,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;

    fn patterns() -> Patterns {
        Patterns::new(Clock::manual(Timestamp::from_ms(0)))
    }

    #[test]
    fn patterns_are_compiled_once_after_a_change() {
        let patterns = patterns();
        let (one, two) = (["a".to_owned()], ["b".to_owned()]);
        let first = patterns.pair(&one, &two);
        assert!(Arc::ptr_eq(&first, &patterns.pair(&one, &two)));
        assert!(!Arc::ptr_eq(&first, &patterns.pair(&two, &one)));
    }

    #[test]
    fn the_patterns_that_were_used_least_lately_are_forgotten_first() {
        let patterns = patterns();
        // Each of these compiles to some 70 KiB.
        let large = |number: usize| [format!("{number}(?-u:[a-z]){{3000}}")];
        let first = patterns.pair(&large(0), &[]);
        let second = patterns.pair(&large(1), &[]);
        for number in 2..KEPT_BYTES_MAX / first.size_bytes + 2 {
            patterns.pair(&large(number), &[]);
            assert!(Arc::ptr_eq(&first, &patterns.pair(&large(0), &[])), "it is used again and again");
        }
        assert!(!Arc::ptr_eq(&second, &patterns.pair(&large(1), &[])));
        assert!(patterns.kept.lock().unwrap().size_bytes <= KEPT_BYTES_MAX);
    }
}
