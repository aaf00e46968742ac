//! Finds words of an archive that are spelled nearly like those of a query that finds nothing: "Did you mean Purcell?"
//!
//! The terms of the index stand in order, so those that begin like a word are a range: first those that begin with the
//! same three letters, then with two, then with one, as far as a bounded number of pages reaches. What is offered finds
//! something for who asks, so that it tells nothing that a search would not.

use std::collections::BTreeMap;

use crate::model::RecentTerms;
use crate::model::terms::{Fields, TermKind, is_hangul, is_unspaced};
use crate::ops::archive::find::{SearchScope, is_any};
use crate::ops::archive::postings::{segments, terms};
use crate::ops::archive::query::{Beginnings, Query, Test};
use crate::schema::RECENT_TERMS_BY_LIST;
use crate::store::{IndexRange, Key, Read, StoreError};

/// Pages of terms that are read for one query.
const PAGES_MAX: usize = 600;
/// Words of a query that are looked after.
const WORDS_MAX: usize = 4;
/// Letters of a word below which no other is near.
const LETTERS_MIN: usize = 4;
/// Letters of a word from which on two of them may be wrong.
const LETTERS_OF_TWO_ERRORS: usize = 8;
/// Letters with which a word that is near begins alike: as many as possible.
const LETTERS_ALIKE: [usize; 3] = [3, 2, 1];
/// Words that are tried in the place of one.
const TRIED_MAX: usize = 5;

/// A word of a query, and the one of the archive that is nearest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// The word as it was asked for, folded.
    pub word: String,
    /// The word of the archive, folded.
    pub instead: String,
}

/// The query with words of the archive in the place of those that it does not have, and which these are; `None` if that
/// finds nothing either, or each word is there.
///
/// # Errors
/// If the file cannot be read.
pub fn corrected(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    query: &Query,
) -> Result<Option<(Query, Vec<Correction>)>, StoreError> {
    let (mut found, mut corrections) = (query.clone(), Vec::new());
    let mut pages = PAGES_MAX;
    for word in query.whole_words().into_iter().take(WORDS_MAX) {
        if is_any(tx, scope, &alone(word))? {
            continue;
        }
        let Some(instead) = nearest(tx, scope, word, &mut pages)? else { return Ok(None) };
        found = found.with_word(word, &instead);
        corrections.push(Correction { word: word.to_owned(), instead });
    }
    let is_better = !corrections.is_empty() && is_any(tx, scope, &found)?;
    Ok(is_better.then_some((found, corrections)))
}

/// The query for one word anywhere.
fn alone(word: &str) -> Query {
    let (words, beginnings, fields) = (vec![word.to_owned()], Beginnings::None, Fields::ANY);
    Query::default().and(Test::Words { words, beginnings, fields })
}

/// The word of the archive that is nearest to one: with the fewest errors, then in the most messages.
fn nearest(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    word: &str,
    pages: &mut usize,
) -> Result<Option<String>, StoreError> {
    let letters: Vec<char> = word.chars().collect();
    let is_plain = letters.iter().all(|c| c.is_alphabetic() && !is_unspaced(*c)) && !is_hangul(word);
    if letters.len() < LETTERS_MIN || !is_plain {
        return Ok(None);
    }
    let errors_max = if letters.len() < LETTERS_OF_TWO_ERRORS { 1 } else { 2 };
    for alike in LETTERS_ALIKE {
        let beginning: String = letters[..alike].iter().collect();
        let mut near: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        each_word(tx, scope, &beginning, pages, |known, messages| {
            if let Some(errors) = errors(&letters, known, errors_max) {
                near.entry(known.to_owned()).or_insert((errors, 0)).1 += messages;
            }
        })?;
        let mut near: Vec<(String, (usize, usize))> = near.into_iter().collect();
        near.sort_by_key(|(_, (errors, messages))| (*errors, std::cmp::Reverse(*messages)));
        for (known, _) in near.into_iter().take(TRIED_MAX) {
            if is_any(tx, scope, &alone(&known))? {
                return Ok(Some(known));
            }
        }
    }
    Ok(None)
}

/// Tells `each` the words of the lists that begin so, each with a number of messages that have it.
fn each_word(
    tx: &impl Read,
    scope: &SearchScope<'_>,
    beginning: &str,
    pages: &mut usize,
    mut each: impl FnMut(&str, usize),
) -> Result<(), StoreError> {
    let beginning = TermKind::Word.term(beginning);
    let bare = TermKind::Word.letter().len_utf8();
    for list in scope.lists {
        for segment in segments::live(tx, scope.account, *list)? {
            let told = |term: &str, messages| each(&term[bare..], messages);
            terms::each_term(tx, segment.id, &beginning, pages, told)?;
        }
        let range = IndexRange::prefix(Key::new().u64(scope.account.0).u64(list.0));
        for recent in tx.page::<RecentTerms>(&RECENT_TERMS_BY_LIST, &range, usize::MAX)? {
            for (term, _) in recent.beginning(&beginning) {
                each(&term[bare..], 1);
            }
        }
    }
    Ok(())
}

/// By how many letters that are wrong, missing, too many or in each other's place a word differs from another; `None` if
/// there are more than `errors_max`.
fn errors(letters: &[char], known: &str, errors_max: usize) -> Option<usize> {
    // Bytes tell soon enough: a letter has at most four.
    let few = letters.len().saturating_sub(errors_max);
    if known.len() < few || 4 * (letters.len() + errors_max) < known.len() {
        return None;
    }
    let other: Vec<char> = known.chars().collect();
    if other.len().abs_diff(letters.len()) > errors_max {
        return None;
    }
    let width = other.len() + 1;
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..width).collect();
    for (at, letter) in letters.iter().enumerate() {
        let mut next = Vec::with_capacity(width);
        next.push(at + 1);
        for (place, known) in other.iter().enumerate() {
            let changed = row[place] + usize::from(letter != known);
            let mut least = changed.min(row[place + 1] + 1).min(next[place] + 1);
            if 0 < at && 0 < place && *letter == other[place - 1] && letters[at - 1] == *known {
                least = least.min(before[place - 1] + 1);
            }
            next.push(least);
        }
        if next.iter().all(|errors| errors_max < *errors) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|errors| *errors <= errors_max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_wrong_missing_too_many_or_swapped_are_errors() {
        for (word, known, expected) in [
            ("purcel", "purcell", Some(1)),
            ("pursell", "purcell", Some(1)),
            ("prucell", "purcell", Some(1)),
            ("purcelll", "purcell", Some(1)),
            ("purcell", "purcell", Some(0)),
            ("rehersal", "rehearsals", Some(2)),
            ("purcell", "marcel", None),
            ("grüße", "grusse", None),
            ("tee", "tea", Some(1)),
            ("abcd", "badc", Some(2)),
            ("abc", "xyz", None),
        ] {
            let letters: Vec<char> = word.chars().collect();
            assert_eq!(errors(&letters, known, 2), expected, "{word} {known}");
        }
        assert_eq!(errors(&['a', 'b', 'c', 'd'], "badc", 1), None);
    }
}
