//! Cuts pages out of listings: out of rows that are all in memory, and out of an index by a position in it.

use std::ops::ControlFlow;

use crate::store::{Entity, Index, IndexRange, Key, Read, StoreError};

/// One page of a listing, and the number of rows on all pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// The rows of all pages.
    pub count: u64,
}

/// The part of a listing that is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRequest {
    /// Everything.
    All,
    /// A page by its number, from 1, of `limit` rows.
    Page {
        /// Its number.
        page: u64,
        /// Rows a page.
        limit: usize,
    },
    /// The `limit` rows after a position.
    After {
        /// The id of the last row before it.
        after: u64,
        /// Rows requested.
        limit: usize,
    },
}

/// Where a page of a listing begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With the first row.
    First,
    /// Where the page of this number, from 1, begins. It is reached by stepping over rows.
    Page(u64),
    /// Behind the row at this position: one seek, however many rows lie before it.
    After(u64),
    /// So that it ends before the row at this position: one seek too.
    Before(u64),
}

/// A page of a listing that is read in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seek {
    /// Where it begins.
    pub start: Start,
    /// Whether the highest position comes first.
    pub is_descending: bool,
    /// Rows on a page.
    pub limit: usize,
}

/// The rows of a page, and the positions from which its neighbours are reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The position of the first row, if there are rows before it.
    pub before: Option<u64>,
    /// The position of the last row, if there are rows behind it.
    pub after: Option<u64>,
}

impl<T> Sought<T> {
    /// The same page with other rows: the records of its positions.
    #[must_use]
    pub fn with_rows<R>(self, rows: Vec<R>) -> Sought<R> {
        Sought { rows, before: self.before, after: self.after }
    }
}

impl Sought<u64> {
    fn new(rows: Vec<u64>, is_before: bool, is_after: bool) -> Sought<u64> {
        let before = rows.first().copied().filter(|_| is_before);
        let after = rows.last().copied().filter(|_| is_after);
        Sought { rows, before, after }
    }
}

/// The positions on a page of the rows of an index that begin with `prefix`. A position is the number behind the prefix,
/// which `position` finds in a row; those of several rows are one. With the `count` of all rows, a page by its
/// number is reached from the nearer end.
pub(crate) fn seek<E: Entity>(
    tx: &impl Read,
    index: &Index<E>,
    prefix: &Key,
    asked: Seek,
    count: Option<u64>,
    position: impl Fn(&[u8], u64) -> Option<u64>,
) -> Result<Sought<u64>, StoreError> {
    let Seek { start, is_descending, limit } = asked;
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let first = match start {
        Start::Page(page) => skipped(page, asked.limit),
        _ => 0,
    };
    // A page behind the middle is counted from the end.
    let behind = count.filter(|count| count / 2 < first).map(|count| {
        let rest = count.saturating_sub(first);
        (rest.saturating_sub(limit), rest.min(limit))
    });
    let turns = matches!(start, Start::Before(_)) || behind.is_some();
    let mut range = IndexRange::prefix(prefix.clone());
    if is_descending != turns {
        range = range.backward();
    }
    if let Start::After(at) | Start::Before(at) = start {
        range = range.after(prefix.clone().u64(at));
    }
    let (mut skipped, wanted) = behind.unwrap_or((first, limit.saturating_add(1)));
    let is_last = skipped == 0;
    let mut rows = Vec::new();
    if 0 < wanted {
        tx.scan(index, &range, |key, id| {
            if 0 < skipped {
                skipped -= 1;
                return ControlFlow::Continue(());
            }
            // A position may have several rows, one behind the other.
            rows.extend(position(key, id).filter(|position| rows.last() != Some(position)));
            let is_full = wanted <= u64::try_from(rows.len()).unwrap_or(u64::MAX);
            if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    let is_more = asked.limit < rows.len();
    rows.truncate(asked.limit);
    if turns {
        rows.reverse();
    }
    let (is_before, is_after) = match (start, behind) {
        (_, Some(_)) => (true, !is_last),
        (Start::First, None) => (false, is_more),
        (Start::Page(_), None) => (0 < first, is_more),
        (Start::After(_), None) => (true, is_more),
        (Start::Before(_), None) => (is_more, true),
    };
    Ok(Sought::new(rows, is_before, is_after))
}

/// Filters positions, which are in ascending order, and returns the page of those for which `passes` is true.
pub fn seek_among<E>(
    positions: &[u64],
    asked: Seek,
    mut passes: impl FnMut(u64) -> Result<bool, E>,
) -> Result<Sought<u64>, E> {
    let Seek { start, is_descending, limit } = asked;
    let turns = matches!(start, Start::Before(_));
    let is_backward = is_descending != turns;
    // Those that lie ahead, in ascending order.
    let ahead = match (start, is_backward) {
        (Start::First | Start::Page(_), _) => positions,
        (Start::After(at) | Start::Before(at), false) => {
            &positions[positions.partition_point(|position| *position <= at)..]
        }
        (Start::After(at) | Start::Before(at), true) => {
            &positions[..positions.partition_point(|position| *position < at)]
        }
    };
    let mut skipped = match start {
        Start::Page(page) => skipped(page, limit),
        _ => 0,
    };
    let is_behind_first = 0 < skipped;
    let mut rows = Vec::new();
    for place in 0..ahead.len() {
        let position = ahead[if is_backward { ahead.len() - 1 - place } else { place }];
        if !passes(position)? {
            continue;
        }
        if 0 < skipped {
            skipped -= 1;
            continue;
        }
        rows.push(position);
        if limit < rows.len() {
            break;
        }
    }
    let is_more = limit < rows.len();
    rows.truncate(limit);
    if turns {
        rows.reverse();
    }
    let (is_before, is_after) = match start {
        Start::First => (false, is_more),
        Start::Page(_) => (is_behind_first, is_more),
        Start::After(_) => (true, is_more),
        Start::Before(_) => (is_more, true),
    };
    Ok(Sought::new(rows, is_before, is_after))
}

/// The number of rows before page `page`.
#[must_use]
pub fn skipped(page: u64, limit: usize) -> u64 {
    page.saturating_sub(1).saturating_mul(u64::try_from(limit).unwrap_or(u64::MAX))
}

/// The requested page of rows that are all in memory, in the order of the numbers that `id` gives.
pub fn window_of<T>(mut rows: Vec<T>, window: PageRequest, id: impl Fn(&T) -> u64) -> Vec<T> {
    match window {
        PageRequest::All => rows,
        PageRequest::After { after, limit } => {
            rows.retain(|row| after < id(row));
            rows.truncate(limit);
            rows
        }
        PageRequest::Page { page, limit } => {
            let skipped = usize::try_from(skipped(page, limit)).unwrap_or(usize::MAX);
            rows.into_iter().skip(skipped).take(limit).collect()
        }
    }
}

/// The ids of the requested page of `prefix`'s rows, in an index in which records share keys.
///
/// A later page is reached by stepping over index rows, without reading records; a position is reached by seeking.
pub(crate) fn window_ids<E: Entity>(
    tx: &impl Read,
    index: &Index<E>,
    range: IndexRange,
    window: PageRequest,
) -> Result<Vec<u64>, StoreError> {
    match window {
        PageRequest::All => tx.ids(index, &range, usize::MAX),
        PageRequest::After { after, limit } => tx.ids(index, &range.after_id(after), limit),
        PageRequest::Page { page, limit } => {
            let mut before = skipped(page, limit);
            let mut ids = Vec::new();
            tx.scan(index, &range, |_, id| {
                if 0 < before {
                    before -= 1;
                } else {
                    ids.push(id);
                }
                if ids.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            Ok(ids)
        }
    }
}

/// The records of these ids, which were found in an index in the same transaction.
pub(crate) fn records<E: Entity>(tx: &impl Read, ids: &[u64]) -> Result<Vec<E>, StoreError> {
    let mut records = Vec::with_capacity(ids.len());
    for id in ids {
        let missing = || StoreError::corrupt(E::TABLE, format_args!("{id} is in an index and not there"));
        records.push(tx.get(*id)?.ok_or_else(missing)?);
    }
    Ok(records)
}

/// The number of the newest record of a kind: what a page shows has none above it, and what comes later has.
///
/// # Errors
/// If the store fails.
pub fn newest<E: Entity>(tx: &impl Read) -> Result<u64, StoreError> {
    Ok(tx.last_id::<E>(u64::MAX)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_a_position_name_the_same_rows() {
        let rows = || (1..=10u64).collect::<Vec<_>>();
        let part = |window| window_of(rows(), window, |row| *row);
        assert_eq!(part(PageRequest::Page { page: 2, limit: 3 }), [4, 5, 6]);
        assert_eq!(part(PageRequest::After { after: 3, limit: 3 }), [4, 5, 6]);
        assert_eq!(part(PageRequest::Page { page: 4, limit: 3 }), [10]);
        assert_eq!(part(PageRequest::Page { page: u64::MAX, limit: 1000 }), [0u64; 0]);
        assert_eq!(part(PageRequest::All).len(), 10);
    }

    #[track_caller]
    fn check(start: Start, is_descending: bool, expected: (&[u64], Option<u64>, Option<u64>)) {
        let positions: Vec<u64> = (1..=10).collect();
        let asked = Seek { start, is_descending, limit: 3 };
        let found = seek_among(&positions, asked, |_| Ok::<bool, ()>(true)).unwrap();
        assert_eq!((found.rows.as_slice(), found.before, found.after), expected);
    }

    #[test]
    fn neighbours_of_a_page_are_reached_from_its_ends() {
        check(Start::First, false, (&[1, 2, 3], None, Some(3)));
        check(Start::After(3), false, (&[4, 5, 6], Some(4), Some(6)));
        check(Start::Before(4), false, (&[1, 2, 3], None, Some(3)));
        check(Start::Before(3), false, (&[1, 2], None, Some(2)));
        check(Start::Page(4), false, (&[10], Some(10), None));
        check(Start::Page(5), false, (&[], None, None));
        check(Start::First, true, (&[10, 9, 8], None, Some(8)));
        check(Start::After(8), true, (&[7, 6, 5], Some(7), Some(5)));
        check(Start::Before(7), true, (&[10, 9, 8], None, Some(8)));
        check(Start::After(1), true, (&[], None, None));
    }
}
