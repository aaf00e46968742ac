//! Intersects the index rows of words, by which contacts and messages are found.
//!
//! Rows of rare words are intersected, and the results are read to check the common ones; if all words are common, all
//! their rows are read. So a search takes as long as its results are many, however large the address book is.

use std::ops::ControlFlow;

use crate::model::Words;
use crate::store::{Entity, Index, IndexRange, Read, StoreError};

/// Index rows of a word beyond which it is common: reading a row takes less than reading a contact.
const ROWS_RARE_MAX: usize = 2000;

/// The result of intersecting the rows of words.
pub(in crate::ops) struct Found<'question> {
    /// The ids that have all words except those in `unsure`, in order.
    pub(in crate::ops) ids: Vec<u64>,
    /// Words so common that checking each id takes less than reading their rows.
    pub(in crate::ops) unsure: Vec<&'question str>,
}

/// The ids that have all words of a search. `with_word` returns, in order, the ids that have a word with a prefix, or
/// `None` if that has more rows than its second argument.
pub(in crate::ops) fn with_all(
    question: &Words,
    with_word: impl Fn(&str, usize) -> Result<Option<Vec<u64>>, StoreError>,
) -> Result<Found<'_>, StoreError> {
    let mut found: Option<Vec<u64>> = None;
    let mut common = Vec::new();
    for word in question.iter() {
        match with_word(word, ROWS_RARE_MAX)? {
            Some(ids) => found = Some(both(found, ids)),
            None => common.push(word),
        }
    }
    if let Some(ids) = found {
        return Ok(Found { ids, unsure: common });
    }
    for word in common {
        found = Some(both(found, with_word(word, usize::MAX)?.unwrap_or_default()));
    }
    Ok(Found { ids: found.unwrap_or_default(), unsure: Vec::new() })
}

/// Appends `id` of each row in a range; returns whether there were at most `rows_max` rows.
pub(in crate::ops) fn gather<E: Entity>(
    tx: &impl Read,
    index: &Index<E>,
    range: &IndexRange,
    rows_max: usize,
    ids: &mut Vec<u64>,
    id: impl Fn(&[u8], u64) -> Option<u64>,
) -> Result<bool, StoreError> {
    let mut rows = 0;
    let cut = tx.scan(index, range, |key, record| {
        if rows == rows_max {
            return ControlFlow::Break(());
        }
        rows += 1;
        ids.extend(id(key, record));
        ControlFlow::Continue(())
    })?;
    Ok(cut.is_none())
}

/// The ids in both `found` and `ids`, which are in order; `ids` if nothing was searched yet.
fn both(found: Option<Vec<u64>>, ids: Vec<u64>) -> Vec<u64> {
    let Some(mut found) = found else { return ids };
    let mut others = ids.into_iter().peekable();
    found.retain(|id| {
        while others.next_if(|other| other < id).is_some() {}
        others.peek() == Some(id)
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_both_stays() {
        assert_eq!(both(None, vec![1, 3]), [1, 3]);
        assert_eq!(both(Some(vec![1, 3, 5, 9]), vec![0, 3, 4, 5, 6]), [3, 5]);
        assert_eq!(both(Some(vec![1]), Vec::new()), [0u64; 0]);
        assert_eq!(both(Some(Vec::new()), vec![1]), [0u64; 0]);
    }
}
