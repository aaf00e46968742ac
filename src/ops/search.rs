//! Intersects the rows of words: what contacts and messages are found by.
//!
//! Words that few have are intersected, and what is left is looked at for the common ones; where all words are common,
//! all their rows are read. So a search takes as long as what it finds, however large the address book is.

use std::ops::ControlFlow;

use crate::model::Words;
use crate::store::{Entity, Index, IndexRange, Read, StoreError};

/// Rows of a word in an index, beyond which it is common: each takes less than looking at a contact.
const ROWS_RARE_MAX: usize = 2000;

/// What the rows of words tell.
pub(in crate::ops) struct Found<'question> {
    /// The ids that have all words but for those in `unsure`, in order.
    pub(in crate::ops) ids: Vec<u64>,
    /// Words that so many have that looking at each id takes less than reading their rows.
    pub(in crate::ops) unsure: Vec<&'question str>,
}

/// What has all words of a question. `with_word` gives, in order, the ids that have a word with a beginning, or
/// nothing where there are more rows of it than it is told.
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

/// Appends what `id` makes of each row of a range; answers whether there were `rows_max` at most.
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

/// What is in `found` and in `ids`, both in order; `ids` where nothing has been looked for yet.
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
