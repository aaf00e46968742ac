//! Looks for the phrases of a query in a text while its words pass by, one at a time.
//!
//! All phrases are laid out one behind the other as places of one row of bits. A bit is set if the words of its phrase
//! up to its place were the last ones that passed. So each word of a text costs one look-up, however many phrases are
//! asked for, and no list of words is made.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::terms::{Fields, each_word};
use crate::ops::archive::query::{Beginnings, Query, Test};

/// A row of bits.
type Bits = Vec<u64>;

/// The phrases of a query.
#[derive(Debug)]
pub(super) struct Phrases<'q> {
    /// The number of `u64` in a row of bits.
    len: usize,
    /// The places of each word.
    places: HashMap<&'q str, Bits>,
    /// Words that are beginnings of words, with their places.
    beginnings: Vec<(&'q str, usize)>,
    asked: Vec<Phrase>,
}

#[derive(Debug)]
struct Phrase {
    /// The places of its first and its last word.
    first: usize,
    last: usize,
    fields: Fields,
    is_negated: bool,
    is_found: bool,
}

impl<'q> Phrases<'q> {
    /// The phrases of a query, none of which is found yet.
    pub(super) fn of(query: &'q Query) -> Phrases<'q> {
        let asked = query.conditions().iter().filter_map(|condition| match &condition.test {
            Test::Phrase { words, fields } => Some((words, *fields, condition.is_negated)),
            _ => None,
        });
        let asked: Vec<_> = asked.filter(|(words, ..)| !words.is_empty()).collect();
        let places: usize = asked.iter().map(|(words, ..)| words.len()).sum();
        let mut all = Phrases {
            len: places.div_ceil(64),
            places: HashMap::new(),
            beginnings: Vec::new(),
            asked: Vec::new(),
        };
        let mut first = 0;
        for (words, fields, is_negated) in asked {
            let beginnings = Beginnings::of_phrase(words);
            for (number, word) in words.iter().enumerate() {
                let place = first + number;
                if beginnings.has(number, words.len()) {
                    all.beginnings.push((word, place));
                } else {
                    let len = all.len;
                    set(all.places.entry(word).or_insert_with(|| vec![0; len]), place);
                }
            }
            let last = first + words.len() - 1;
            all.asked.push(Phrase { first, last, fields, is_negated, is_found: false });
            first = last + 1;
        }
        all
    }

    /// Looks through one part of a message. Hidden words are passed over as if they were others, unless they are shown.
    pub(super) fn look(&mut self, text: &str, field: Fields, shows_hidden: bool) {
        let is_asked = |phrase: &&mut Phrase| !phrase.is_found && phrase.fields.meets(field);
        let mut asked: Vec<&mut Phrase> = self.asked.iter_mut().filter(is_asked).collect();
        if asked.is_empty() {
            return;
        }
        let mut starts = vec![0; self.len];
        for phrase in &asked {
            set(&mut starts, phrase.first);
        }
        let none = vec![0; self.len];
        let mut begun = vec![0; self.len];
        each_word(text, |word, is_hidden| {
            let is_shown = shows_hidden || !is_hidden;
            let places = self.places.get(word).filter(|_| is_shown).unwrap_or(&none);
            let open =
                self.beginnings.iter().filter(|(beginning, _)| is_shown && word.starts_with(beginning));
            advance(&mut begun, &starts, places, open.map(|(_, place)| *place));
            asked.retain_mut(|phrase| {
                phrase.is_found = has(&begun, phrase.last);
                !phrase.is_found
            });
            !asked.is_empty()
        });
    }

    /// Whether the phrases that must be there were found, and none of the others.
    pub(super) fn are_met(&self) -> bool {
        self.asked.iter().all(|phrase| phrase.is_found != phrase.is_negated)
    }
}

/// Moves each bit that is set to the next place, sets those of first words, and keeps those where the present word
/// belongs: at `places` and at `open`.
fn advance(begun: &mut Bits, starts: &Bits, places: &Bits, open: impl Iterator<Item = usize>) {
    let mut places = Cow::Borrowed(places);
    for place in open {
        set(places.to_mut(), place);
    }
    let mut carried = 0;
    for ((bits, starts), places) in begun.iter_mut().zip(starts).zip(places.iter()) {
        let next = *bits >> 63;
        *bits = ((*bits << 1) | carried | starts) & places;
        carried = next;
    }
}

fn set(bits: &mut Bits, place: usize) {
    bits[place / 64] |= 1 << (place % 64);
}

fn has(bits: &Bits, place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;

    #[track_caller]
    fn check(query: &str, text: &str, expected: bool) {
        let query = Query::parse(query, &TimeZone::UTC).unwrap();
        let mut phrases = Phrases::of(&query);
        phrases.look(text, Fields::TEXT, false);
        assert_eq!(phrases.are_met(), expected, "{query:?} in {text:?}");
    }

    #[test]
    fn a_phrase_is_found_where_its_words_stand_one_behind_the_other() {
        check("\"a b\"", "c a b d", true);
        check("\"a b\"", "a c b", false);
        check("\"a b\"", "b a", false);
        check("\"a a b\"", "a a a b", true);
        check("\"a b a c\"", "a b a b a c", true);
        check("\"Grüße aus\"", "GRUSSE, aus Köln", true);
        check("\"a b\" \"b c\"", "a b c", true);
        check("\"a b\" \"c d\"", "a b d c", false);
        check("\"a b\" -\"c d\"", "a b d c", true);
        check("\"a b\" -\"c d\"", "a b c d", false);
    }

    #[test]
    fn a_phrase_does_not_run_from_one_into_another() {
        check("\"a b\" \"c d\"", "a b c", false);
        check("\"a b\" \"c d\"", "b c", false);
    }

    #[test]
    fn hidden_words_are_found_by_those_who_see_them() {
        let query = Query::parse("\"ada example\"", &TimeZone::UTC).unwrap();
        for shows_hidden in [false, true] {
            let mut phrases = Phrases::of(&query);
            phrases.look("write to ada@example.org", Fields::TEXT, shows_hidden);
            assert_eq!(phrases.are_met(), shows_hidden);
        }
    }

    #[test]
    fn many_long_phrases_are_found_at_once() {
        let long = vec!["w"; 30].join(" ");
        let text = format!("x {long} y");
        check(&format!("\"{long}\" \"x w w\" \"w y\""), &text, true);
        check(&format!("\"{long} w\" \"x w w\""), &text, false);
    }
}
