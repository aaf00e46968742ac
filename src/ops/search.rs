//! Finds contacts by their words (`spec/api.md` 4 and 9); messages are found in `messages`.
//!
//! Every word of the question is looked up by its beginning in the two indexes of words. Words that few
//! contacts have are intersected, and what is left is looked at for the common ones; where all words are
//! common, all their rows are read. So a search takes as long as what it finds, however large the address book
//! is.

pub mod indexing;
pub(in crate::ops) mod messages;

use std::ops::ControlFlow;

use crate::model::{AccountId, Contact, Words};
use crate::ops::Caller;
use crate::ops::people::contacts::emails_of;
use crate::schema::{CONTACT_BY_WORD, EMAIL_BY_WORD};
use crate::store::{Entity, Index, IndexRange, Key, KeyReader, Read, StoreError};

/// Rows of a word in an index, beyond which it is common: each takes less than looking at a contact.
const ROWS_RARE_MAX: usize = 2000;

/// The ids of the contacts of an account that answer a question of at least one word, in order. Words of custom
/// fields that the caller does not see find nothing.
pub(in crate::ops) fn contacts(
    tx: &impl Read,
    caller: &Caller,
    question: &Words,
) -> Result<Vec<u64>, StoreError> {
    let Found { ids, unsure } =
        with_all(question, |word, rows_max| with_word(tx, caller.account, word, rows_max))?;
    if unsure.is_empty() && !caller.limits.hide_fields() {
        return Ok(ids);
    }
    let mut answering = Vec::with_capacity(ids.len());
    for id in ids {
        if answers(tx, caller, id, question)? {
            answering.push(id);
        }
    }
    Ok(answering)
}

/// What the rows of words tell.
struct Found<'question> {
    /// The ids that have all words but for those in `unsure`, in order.
    ids: Vec<u64>,
    /// Words that so many have that looking at each id takes less than reading their rows.
    unsure: Vec<&'question str>,
}

/// What has all words of a question. `with_word` gives, in order, the ids that have a word with a beginning, or
/// nothing where there are more rows of it than it is told.
fn with_all(
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

/// Whether a contact answers a question by what the caller sees of it.
pub(in crate::ops) fn answers(
    tx: &impl Read,
    caller: &Caller,
    contact: u64,
    question: &Words,
) -> Result<bool, StoreError> {
    let Some(contact) = tx.get::<Contact>(contact)? else { return Ok(false) };
    let mut words = Words::of_contact(&contact, |field| caller.limits.sees_field(field));
    for email in emails_of(tx, &contact)? {
        words.extend(Words::of_email(&email));
    }
    Ok(words.answer(question))
}

/// The ids of the contacts that have a word with this beginning, in order; none where one of the indexes has
/// more than `rows_max` rows of it.
fn with_word(
    tx: &impl Read,
    account: AccountId,
    beginning: &str,
    rows_max: usize,
) -> Result<Option<Vec<u64>>, StoreError> {
    let range = IndexRange::prefix(Key::new().u64(account.0).text_prefix(beginning));
    let mut ids = Vec::new();
    let is_whole = gather(tx, &CONTACT_BY_WORD, &range, rows_max, &mut ids, |_, id| Some(id))?
        && gather(tx, &EMAIL_BY_WORD, &range, rows_max, &mut ids, |key, _| contact_in_key(key))?;
    ids.sort_unstable();
    ids.dedup();
    Ok(is_whole.then_some(ids))
}

/// Appends what `id` makes of each row of a range; answers whether there were `rows_max` at most.
fn gather<E: Entity>(
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

/// The contact in a key of [`EMAIL_BY_WORD`]: the number before the address's own.
fn contact_in_key(key: &[u8]) -> Option<u64> {
    let (_, numbers) = key.split_at_checked(key.len().checked_sub(2 * size_of::<u64>())?)?;
    KeyReader::new(numbers).u64()
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
