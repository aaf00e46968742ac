//! Finds messages of the archive by their words (`spec/api.md` 6 and 9).
//!
//! Each list is searched separately, since an index row begins with its list: rows of lists that the caller does not
//! see are never read. A list that lacks a word of the search is skipped with one seek. Rows outside of the requested
//! span of ids are skipped by seeking.

use std::ops::{ControlFlow, Range};

use crate::model::{AccountId, ListId, MessageWords, Words};
use crate::ops::search::{Found, with_all};
use crate::schema::MESSAGE_BY_WORD;
use crate::store::{IndexRange, Key, Read, StoreError};

/// Rows outside of the span that are read before the next one inside is sought.
const ROWS_BESIDE_MAX: usize = 8;

/// The ids of the messages in these lists and in `span` that match a search of at least one word, newest first.
pub(in crate::ops) fn find(
    tx: &impl Read,
    account: AccountId,
    lists: impl IntoIterator<Item = ListId>,
    span: &Range<u64>,
    question: &Words,
) -> Result<Vec<u64>, StoreError> {
    let mut all = Vec::new();
    for list in lists {
        all.extend(in_list(tx, &Key::new().u64(account.0).u64(list.0), span, question)?);
    }
    all.sort_unstable_by_key(|id| std::cmp::Reverse(*id));
    Ok(all)
}

/// Whether the message has all words of a search.
pub(in crate::ops) fn answers(tx: &impl Read, id: u64, question: &Words) -> Result<bool, StoreError> {
    let words = tx.get::<MessageWords>(id)?;
    Ok(words.is_some_and(|words| words.have(question.iter())))
}

/// The matching ids in one list, in order. `list` is the prefix of its rows' keys.
fn in_list(tx: &impl Read, list: &Key, span: &Range<u64>, question: &Words) -> Result<Vec<u64>, StoreError> {
    for word in question.iter() {
        let rows = IndexRange::prefix(list.clone().text_prefix(word));
        if tx.first_row(&MESSAGE_BY_WORD, &rows)?.is_none() {
            return Ok(Vec::new());
        }
    }
    let Found { ids, unsure } =
        with_all(question, |word, rows_max| with_word(tx, list, word, span, rows_max))?;
    if unsure.is_empty() {
        return Ok(ids);
    }
    let mut answering = Vec::with_capacity(ids.len());
    for id in ids {
        let words = tx.get::<MessageWords>(id)?;
        if words.is_some_and(|words| words.have(unsure.iter().copied())) {
            answering.push(id);
        }
    }
    Ok(answering)
}

/// The place where a walk over the rows of a prefix continues, or the news that there are too many.
enum Next {
    Within(IndexRange),
    TooMany,
}

/// The ids in a span that have a word with this prefix, in order; `None` if there are more than `rows_max`.
fn with_word(
    tx: &impl Read,
    list: &Key,
    beginning: &str,
    span: &Range<u64>,
    rows_max: usize,
) -> Result<Option<Vec<u64>>, StoreError> {
    let all = IndexRange::prefix(list.clone().text_prefix(beginning));
    let mut range = all.clone();
    let mut ids = Vec::new();
    loop {
        let mut beside = 0;
        let next = tx.scan(&MESSAGE_BY_WORD, &range, |key, id| {
            if span.contains(&id) {
                beside = 0;
                if ids.len() == rows_max {
                    return ControlFlow::Break(Next::TooMany);
                }
                ids.push(id);
                return ControlFlow::Continue(());
            }
            beside += 1;
            if beside < ROWS_BESIDE_MAX {
                return ControlFlow::Continue(());
            }
            let word = Key::from_row(&key[..key.len() - size_of::<u64>()]);
            ControlFlow::Break(Next::Within(if id < span.start {
                all.clone().from(word.u64(span.start))
            } else {
                all.clone().after(word)
            }))
        })?;
        match next {
            Some(Next::Within(rest)) => range = rest,
            Some(Next::TooMany) => return Ok(None),
            None => break,
        }
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(Some(ids))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{BlobId, Message, MessageId};
    use crate::store::{Store, StoreOptions};

    const LISTS: u64 = 2;

    /// Every message of its list has `all` and `alike<last digit>`, and `rare<number>` as the only one.
    fn words(number: u64) -> MessageWords {
        let text = format!("all alike{} rare{number}", number % 10);
        let message = Message {
            id: MessageId(number),
            account: AccountId(1),
            list: ListId(number % LISTS),
            subject: String::new(),
            from_phrase: String::new(),
            from_address: String::new(),
            time: Timestamp::from_ms(0),
            message_id: String::new(),
            thread: MessageId(number),
            parent: None,
            blob: BlobId(1),
            size_bytes: 0,
            deleted: false,
            changes: None,
            authentication: None,
            requires_tls: false,
        };
        MessageWords::new(&message, &text)
    }

    /// Compares a search with a look at every message: words that all have, that many have and that one has.
    #[test]
    fn a_search_finds_what_a_look_at_every_message_finds() {
        const MESSAGES: u64 = 5000;
        let all: Vec<MessageWords> = (1..=MESSAGES).map(words).collect();
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), StoreOptions::default()).unwrap();
        for start in (1..=MESSAGES).step_by(1000) {
            let put = move |tx: &mut crate::store::WriteTx<'_>| {
                (start..start + 1000).try_for_each(|number| tx.put(&words(number)))
            };
            store.write_blocking::<_, StoreError, _>(put).unwrap();
        }
        let tx = store.read().unwrap();
        let whole = 0..u64::MAX;
        for question in [
            "all",
            "al",
            "alike3",
            "alike",
            "rare77",
            "rare7",
            "all alike",
            "alike3 rare",
            "all rare123",
            "x all",
        ] {
            for span in [whole.clone(), 4000..4100, 4990..u64::MAX, 5..5] {
                let question = Words::of_question(question);
                let found = |lists: &[u64]| {
                    let lists = lists.iter().copied().map(ListId);
                    find(&tx, AccountId(1), lists, &span, &question).unwrap()
                };
                let answering: Vec<u64> = all
                    .iter()
                    .rev()
                    .filter(|words| span.contains(&words.id.0) && words.have(question.iter()))
                    .map(|words| words.id.0)
                    .collect();
                for lists in [&[0, 1][..], &[1], &[]] {
                    let mut expected = answering.clone();
                    expected.retain(|id| lists.contains(&(id % LISTS)));
                    assert_eq!(found(lists), expected, "{question:?} {span:?} {lists:?}");
                }
            }
        }
    }
}
