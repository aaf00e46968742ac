//! Finds contacts by their words (`spec/api.md` 4 and 9).
//!
//! Each word of the search is looked up as a prefix in two indexes of words: those of contacts and of addresses.

use crate::model::{AccountId, Contact, Words};
use crate::ops::Caller;
use crate::ops::people::contacts::emails_of;
use crate::ops::search::{Found, gather, with_all};
use crate::schema::{CONTACT_BY_WORD, EMAIL_BY_WORD};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// The ids of an account's contacts that match a search of at least one word, in order. Words in custom fields that the
/// caller does not see find nothing.
pub(in crate::ops) fn find(
    tx: &impl Read,
    caller: &Caller,
    question: &Words,
) -> Result<Vec<u64>, StoreError> {
    let (ids, is_sure) = candidates(tx, caller, question)?;
    if is_sure {
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

/// The ids of the contacts that may match a search of at least one word, in order, and whether all of them do.
pub(in crate::ops) fn candidates(
    tx: &impl Read,
    caller: &Caller,
    question: &Words,
) -> Result<(Vec<u64>, bool), StoreError> {
    let Found { ids, unsure } =
        with_all(question, |word, rows_max| with_word(tx, caller.account, word, rows_max))?;
    Ok((ids, unsure.is_empty() && !caller.limits.hide_fields()))
}

/// Whether a contact matches a search by the fields that the caller sees.
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

/// The ids of the contacts that have a word with this prefix, in order; `None` if one of the indexes has more than
/// `rows_max` such rows.
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

/// The contact in a key of [`EMAIL_BY_WORD`]: the number before the address's own.
pub(super) fn contact_in_key(key: &[u8]) -> Option<u64> {
    let (_, numbers) = key.split_at_checked(key.len().checked_sub(2 * size_of::<u64>())?)?;
    KeyReader::new(numbers).u64()
}
