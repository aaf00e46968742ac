//! The rows that were changed lately: kept together until there are many of them, then merged into the table of all rows.
//!
//! The rows of a change lie in as many places as it has tables and indexes, and a commit writes every page on the way to
//! each of them. So a small commit writes what it changes as one row of a log, which takes a page or two, and the same is
//! held in memory, where reads look first. When the log is long, or a commit is large, one commit brings everything to its
//! place, and writes each page once for all the changes on it. In the literature this is a log-structured merge tree with
//! one level of memory.
//!
//! Here is what is held in memory; `log` has its stored form, in the data file. That changes with the engine's own commits,
//! so a crash leaves nothing to be repaired.

use std::iter::Peekable;
use std::ops::{Bound, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that the log holds at most, as they are in memory.
const LOG_BYTES_MAX: usize = 256 * 1024;

/// The changes of a layer that is made anew with every commit.
const NEWER_CHANGES_MAX: usize = 256;

/// The changes that are held of so many commits: of the one under way, of the newest, and of the one before it.
const STATES_MAX: usize = 3;

/// A key, and the value that the row has now; `None` if it was deleted.
pub(super) type RowChange<'a> = (&'a [u8], Option<&'a [u8]>);

/// Changes in the order of their keys, each key once.
#[derive(Debug, Default)]
pub(super) struct Layer {
    /// Keys and values, one after another.
    bytes: Vec<u8>,
    spans: Vec<Span>,
}

/// The place of a change in the bytes.
#[derive(Debug)]
struct Span {
    start: usize,
    key_length: usize,
    value_length: Option<usize>,
}

impl Layer {
    /// The key must be greater than all before it.
    fn push(&mut self, (key, value): RowChange<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value.unwrap_or_default());
        self.spans.push(Span { start, key_length: key.len(), value_length: value.map(<[u8]>::len) });
    }

    fn change(&self, span: &Span) -> RowChange<'_> {
        let (key, rest) = self.bytes[span.start..].split_at(span.key_length);
        (key, span.value_length.map(|length| &rest[..length]))
    }

    fn changes(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = RowChange<'_>> {
        self.spans[range].iter().map(|span| self.change(span))
    }

    fn get(&self, key: &[u8]) -> Option<RowChange<'_>> {
        let found = self.spans.binary_search_by(|span| self.change(span).0.cmp(key));
        found.ok().map(|at| self.change(&self.spans[at]))
    }

    fn range(&self, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Range<usize> {
        let is_before = |span: &Span| match from {
            Bound::Included(from) => self.change(span).0 < from,
            Bound::Excluded(from) => self.change(span).0 <= from,
            Bound::Unbounded => false,
        };
        let is_in = |span: &Span| match to {
            Bound::Included(to) => self.change(span).0 <= to,
            Bound::Excluded(to) => self.change(span).0 < to,
            Bound::Unbounded => true,
        };
        let start = self.spans.partition_point(is_before);
        let rest = &self.spans[start..];
        // Most ranges have no change in them.
        let length = if rest.first().is_some_and(is_in) { rest.partition_point(is_in) } else { 0 };
        start..start + length
    }

    /// The stored form: of each key only what differs from the one before, as neighbours are much alike.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len());
        let mut before: &[u8] = &[];
        for (key, value) in self.changes(0..self.spans.len()) {
            let shared = key.iter().zip(before).take_while(|(octet, other)| octet == other).count();
            put_length(shared, &mut out);
            put_length(key.len() - shared, &mut out);
            put_length(value.map_or(0, |value| value.len() + 1), &mut out);
            out.extend_from_slice(&key[shared..]);
            out.extend_from_slice(value.unwrap_or_default());
            before = key;
        }
        out
    }

    /// Reads the stored form; `None` if it is none.
    pub(super) fn decode(mut stored: &[u8]) -> Option<Layer> {
        let (mut layer, mut key) = (Layer::default(), Vec::new());
        while !stored.is_empty() {
            let shared = take_length(&mut stored)?;
            let own = take_length(&mut stored)?;
            let value = take_length(&mut stored)?.checked_sub(1);
            let own = stored.split_off(..own)?;
            let value = value.map(|length| stored.split_off(..length).ok_or(())).transpose().ok()?;
            let is_greater = key.get(shared..)? < own;
            if !is_greater && !layer.spans.is_empty() {
                return None;
            }
            key.truncate(shared);
            key.extend_from_slice(own);
            layer.push((&key, value));
        }
        Some(layer)
    }
}

impl<'a> FromIterator<RowChange<'a>> for Layer {
    /// The keys ascend.
    fn from_iter<T: IntoIterator<Item = RowChange<'a>>>(changes: T) -> Layer {
        let mut layer = Layer::default();
        changes.into_iter().for_each(|change| layer.push(change));
        layer
    }
}

/// Appends a length in groups of seven bits, the lowest first.
fn put_length(mut length: usize, out: &mut Vec<u8>) {
    while 0x7f < length {
        out.push(0x80 | length.to_le_bytes()[0]);
        length >>= 7;
    }
    out.push(length.to_le_bytes()[0]);
}

fn take_length(stored: &mut &[u8]) -> Option<usize> {
    let (mut length, mut shift) = (0_usize, 0);
    loop {
        let octet = *stored.split_off_first()?;
        length |= usize::from(octet & 0x7f).checked_shl(shift)?;
        if octet < 0x80 {
            return Some(length);
        }
        shift += 7;
    }
}

/// All changes that are not merged yet, as they are after a commit.
#[derive(Debug, Default)]
pub(in crate::store) struct Recent {
    /// The older first: a large one, and a small one that is made anew with every commit. A newer one counts.
    layers: Vec<Arc<Layer>>,
    /// Changes in the log.
    log_changes: usize,
    /// Bytes in the log, as they are in memory.
    log_bytes: usize,
}

impl Recent {
    /// Whether everything is in its place.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The change of a row, if there was one.
    pub(super) fn get(&self, key: &[u8]) -> Option<RowChange<'_>> {
        self.layers.iter().rev().find_map(|layer| layer.get(key))
    }

    /// The same after a commit with these changes.
    pub(super) fn with(&self, newest: Layer) -> Recent {
        let log_changes = self.log_changes + newest.spans.len();
        let log_bytes = self.log_bytes + newest.bytes.len();
        let newest = Arc::new(newest);
        let layers = match self.layers.as_slice() {
            [] => vec![newest],
            [older] => vec![Arc::clone(older), newest],
            [older, between @ ..] => {
                let newer = merged(between.iter().chain([&newest]));
                if newer.spans.len() < NEWER_CHANGES_MAX {
                    vec![Arc::clone(older), newer]
                } else {
                    vec![merged([older, &newer])]
                }
            }
        };
        Recent { layers, log_changes, log_bytes }
    }

    /// Whether the log, which holds so many changes at most, has room for some more with so many bytes.
    pub(super) fn has_room(&self, changes_max: usize, changes: usize, bytes: usize) -> bool {
        self.log_changes + changes <= changes_max && self.log_bytes + bytes <= LOG_BYTES_MAX
    }
}

/// Layers as one, given from the oldest to the newest.
fn merged<'a>(layers: impl IntoIterator<Item = &'a Arc<Layer>, IntoIter: DoubleEndedIterator>) -> Arc<Layer> {
    let mut changes = Changes::new(false);
    for layer in layers.into_iter().rev() {
        changes.add_older(layer.changes(0..layer.spans.len()));
    }
    Arc::new(changes.collect())
}

/// The changes of a range in the order in which it is walked, each key once, with what is newest of it.
pub(super) struct Changes<'a> {
    /// The newest first.
    sources: Vec<Peekable<Box<dyn Iterator<Item = RowChange<'a>> + 'a>>>,
    is_backward: bool,
}

impl<'a> Changes<'a> {
    pub(super) fn new(is_backward: bool) -> Changes<'a> {
        Changes { sources: Vec::new(), is_backward }
    }

    /// Adds changes that are older than all before, in ascending order.
    pub(super) fn add_older(&mut self, changes: impl DoubleEndedIterator<Item = RowChange<'a>> + 'a) {
        let changes: Box<dyn Iterator<Item = RowChange<'a>> + 'a> =
            if self.is_backward { Box::new(changes.rev()) } else { Box::new(changes) };
        self.sources.push(changes.peekable());
    }

    /// Adds those of a range of recent ones, which are older than all before.
    pub(super) fn add_recent(&mut self, recent: &'a Recent, from: Bound<&[u8]>, to: Bound<&[u8]>) {
        for layer in recent.layers.iter().rev() {
            let range = layer.range(from, to);
            if !range.is_empty() {
                self.add_older(layer.changes(range));
            }
        }
    }

    pub(super) fn is_backward(&self) -> bool {
        self.is_backward
    }
}

impl<'a> Iterator for Changes<'a> {
    type Item = RowChange<'a>;

    fn next(&mut self) -> Option<RowChange<'a>> {
        let is_backward = self.is_backward;
        let heads = self.sources.iter_mut().filter_map(|source| source.peek().copied());
        // Of equal keys the first stays, which is the newest.
        let next = heads.reduce(|first, other| {
            let comes_before = if is_backward { first.0 < other.0 } else { other.0 < first.0 };
            if comes_before { other } else { first }
        })?;
        for source in &mut self.sources {
            source.next_if(|(key, _)| *key == next.0);
        }
        Some(next)
    }
}

/// The changes of the newest commits, so that few transactions read the log. It begins empty.
#[derive(Debug, Default)]
pub(in crate::store) struct KnownRecent {
    known: Mutex<Known>,
    reading: Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    /// The greatest number that was given out.
    last: u64,
    /// By the number of the last row of the log. The newest may belong to a commit that is under way, or that failed.
    states: Vec<(u64, Arc<Recent>)>,
}

impl KnownRecent {
    /// Draws the number of the row that comes behind `last` in the log. No number comes twice, not even after a commit
    /// that failed.
    pub(super) fn draw(&self, last: u64) -> u64 {
        let mut known = self.lock();
        known.last = known.last.max(last) + 1;
        known.last
    }

    /// Notes the changes in a log whose last row has this number. To be called before the commit.
    pub(super) fn note(&self, last: u64, recent: &Arc<Recent>) {
        let mut known = self.lock();
        known.states.retain(|(number, _)| *number != last);
        known.states.push((last, Arc::clone(recent)));
        // The newest stay, whoever notes them: a reader that comes late must not drive out what all others read.
        known.states.sort_unstable_by_key(|(number, _)| *number);
        let surplus = known.states.len().saturating_sub(STATES_MAX);
        known.states.drain(..surplus);
    }

    /// A turn to read the log: who waits for it finds what the one before it has read.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets everything, when the file is opened again.
    pub(in crate::store) fn forget(&self) {
        self.lock().states.clear();
    }

    /// The changes in a log whose last row has this number, if they are known.
    pub(super) fn at(&self, last: u64) -> Option<Arc<Recent>> {
        let known = self.lock();
        known.states.iter().find(|(number, _)| *number == last).map(|(_, recent)| Arc::clone(recent))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Model = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

    /// Makes one bound of a range.
    type Side = fn(&[u8]) -> Bound<&[u8]>;

    fn commit() -> impl Strategy<Value = Model> {
        let octets = |length| prop::collection::vec(0..4_u8, length);
        prop::collection::btree_map(octets(0..4), prop::option::of(octets(0..200)), 0..100)
    }

    fn layer(commit: &Model) -> Layer {
        commit.iter().map(|(key, value)| (key.as_slice(), value.as_deref())).collect()
    }

    fn pairs(model: &Model) -> Vec<RowChange<'_>> {
        model.iter().map(|(key, value)| (key.as_slice(), value.as_deref())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_newest_change_of_each_row_is_found_and_walked_in_both_directions(
            commits in prop::collection::vec(commit(), 0..12),
            from in prop::collection::vec(0..4_u8, 0..3),
            to in prop::collection::vec(0..4_u8, 0..3),
        ) {
            let (mut recent, mut model) = (Recent::default(), Model::new());
            for commit in &commits {
                let stored = layer(commit).encode();
                let read = Layer::decode(&stored).unwrap();
                prop_assert_eq!(read.changes(0..read.spans.len()).collect::<Vec<_>>(), pairs(commit));
                recent = recent.with(read);
                model.extend(commit.clone());
            }
            for key in model.keys().chain([&from, &to]) {
                let expected = model.get_key_value(key).map(|(key, value)| (key.as_slice(), value.as_deref()));
                prop_assert_eq!(recent.get(key), expected);
            }
            let sides: [Side; 3] = [|key| Bound::Included(key), |key| Bound::Excluded(key), |_| Bound::Unbounded];
            for (first, last) in sides.iter().flat_map(|first| sides.map(|last| (first, last))) {
                let (first, last) = (first(&from), last(&to));
                let is_in = |key: &[u8]| {
                    (match first {
                        Bound::Included(from) => from <= key,
                        Bound::Excluded(from) => from < key,
                        Bound::Unbounded => true,
                    }) && (match last {
                        Bound::Included(to) => key <= to,
                        Bound::Excluded(to) => key < to,
                        Bound::Unbounded => true,
                    })
                };
                let mut expected = pairs(&model);
                expected.retain(|(key, _)| is_in(key));
                for is_backward in [false, true] {
                    let mut changes = Changes::new(is_backward);
                    changes.add_recent(&recent, first, last);
                    prop_assert_eq!(changes.collect::<Vec<_>>(), expected.clone());
                    expected.reverse();
                }
            }
        }

        #[test]
        fn damaged_changes_never_panic(commit in commit(), at in any::<prop::sample::Index>(), octet: u8) {
            let mut stored = layer(&commit).encode();
            if !stored.is_empty() {
                let at = at.index(stored.len());
                stored[at] = octet;
                drop(Layer::decode(&stored));
                stored.truncate(at);
                drop(Layer::decode(&stored));
            }
        }
    }

    #[test]
    fn no_number_of_the_log_comes_twice() {
        let known = KnownRecent::default();
        assert_eq!([known.draw(0), known.draw(0), known.draw(7), known.draw(3)], [1, 2, 8, 9]);
        known.forget();
        assert_eq!(known.draw(0), 10);
    }

    #[test]
    fn a_reader_that_comes_late_drives_out_nothing_newer() {
        let known = KnownRecent::default();
        let states: [_; 4] = std::array::from_fn(|_| Arc::new(Recent::default()));
        for (last, recent) in (1..).zip(&states) {
            known.note(last, recent);
        }
        let is_known = |last: u64| {
            let index = usize::try_from(last).unwrap() - 1;
            known.at(last).is_some_and(|recent| Arc::ptr_eq(&recent, &states[index]))
        };
        assert_eq!([1, 2, 3, 4].map(is_known), [false, true, true, true]);
        // Late readers, and one twice.
        known.note(1, &states[0]);
        known.note(2, &states[1]);
        assert_eq!([1, 2, 3, 4].map(is_known), [false, true, true, true]);
        known.forget();
        assert!(known.at(4).is_none());
    }
}
