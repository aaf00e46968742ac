//! Takes from a text what a search found in it: the words that are marked, and a stretch around them.

use std::ops::Range;

use crate::model::terms::{each_word, is_unspaced, pairs_with_places, stretches};
use crate::ops::archive::query::Query;

/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 240;
/// Characters in front of the first marked word.
const BEFORE_CHARS: usize = 60;
/// Bytes of a text that are looked through.
const TEXT_BYTES_MAX: usize = 64 << 10;

/// The words that are marked in what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Folded words.
    whole: Vec<String>,
    /// Folded beginnings of words.
    beginnings: Vec<String>,
}

/// A stretch of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// The text.
    pub text: String,
    /// Whether it is a word that was asked for.
    pub is_marked: bool,
}

impl Marks {
    /// The words that a query asks for.
    #[must_use]
    pub fn of(query: &Query) -> Marks {
        let (whole, beginnings) = query.marked();
        Marks { whole, beginnings }
    }

    /// Which of the words a text has, among its first `words` ones.
    fn find(&self, text: &str, words: usize) -> Option<usize> {
        let (mut found, mut left) = (None, words);
        each_word(text, |word, _| {
            let whole = self.whole.iter().position(|mark| mark == word);
            found = whole.or_else(|| {
                let begins = self.beginnings.iter().position(|mark| word.starts_with(mark.as_str()));
                begins.map(|place| self.whole.len() + place)
            });
            left -= 1;
            found.is_none() && 0 < left
        });
        found
    }

    /// A text with its marked words apart.
    #[must_use]
    pub fn in_text(&self, text: &str) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        let mut push = |text: &str, is_marked| {
            if !text.is_empty() {
                stretches.push(Stretch { text: text.to_owned(), is_marked });
            }
        };
        let mut plain = 0;
        for (start, end, _) in self.places(text) {
            push(&text[plain..start], false);
            push(&text[start..end], true);
            plain = end;
        }
        push(&text[plain..], false);
        stretches
    }

    /// The stretch of a text that has most of the words, on one line; its beginning if it has none.
    #[must_use]
    pub fn excerpt(&self, text: &str) -> Vec<Stretch> {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = self.best_start(&line);
        let end = line[start..].char_indices().nth(EXCERPT_CHARS).map_or(line.len(), |(at, _)| start + at);
        // Words are not cut where there are blanks between them.
        let end = if end == line.len() {
            end
        } else {
            line[start..end].rfind(' ').filter(|at| 0 < *at).map_or(end, |at| start + at)
        };
        let mut shown = String::new();
        if start != 0 {
            shown.push_str("… ");
        }
        shown.push_str(&line[start..end]);
        if end < line.len() {
            shown.push_str(" …");
        }
        self.in_text(&shown)
    }

    /// Where the stretch begins that has most of the words.
    fn best_start(&self, line: &str) -> usize {
        let places = self.places(line);
        let within = |place: usize| {
            let from = places[place].0;
            let near =
                places[place..].iter().take_while(|(_, end, _)| end - from <= EXCERPT_CHARS - BEFORE_CHARS);
            let mut words: Vec<usize> = near.map(|(_, _, word)| *word).collect();
            words.sort_unstable();
            words.dedup();
            words.len()
        };
        // The first of the best.
        let best = (0..places.len()).max_by_key(|place| (within(*place), std::cmp::Reverse(*place)));
        let Some(first) = best.map(|place| places[place].0) else { return 0 };
        let mut back = line[..first].char_indices().rev();
        let Some((start, _)) = back.nth(BEFORE_CHARS) else { return 0 };
        line[start..first].find(' ').map_or(start, |at| start + at + 1)
    }

    /// Finds the marked words in letters and digits that stand together: all of them are a word, but for letters of a
    /// writing without blanks, of which each pair is one.
    fn find_in_run(&self, text: &str, run: Range<usize>, places: &mut Vec<(usize, usize, usize)>) {
        let mut begin = run.start;
        for (stretch, is_unspaced) in stretches(&text[run]) {
            let end = begin + stretch.len();
            if is_unspaced {
                self.find_in_letters(stretch, begin, places);
            } else {
                places.extend(self.find(stretch, usize::MAX).map(|word| (begin, end, word)));
            }
            begin = end;
        }
    }

    /// Finds the marked words in letters of a writing without blanks that begin at a byte of the text.
    fn find_in_letters(&self, letters: &str, begin: usize, places: &mut Vec<(usize, usize, usize)>) {
        for (at, letter_end, pair) in pairs_with_places(letters) {
            let Some(word) = self.find(pair, 1) else { continue };
            // A beginning is found in the first letter alone, and so is a vowel that is written as one and read as two.
            let is_alone = self.find(&letters[at..letter_end], 1) == Some(word);
            let end = if word < self.whole.len() && !is_alone { at + pair.len() } else { letter_end };
            let (from, to) = (begin + at, begin + end);
            match places.last_mut() {
                Some(last) if from <= last.1 && begin <= last.0 => last.1 = last.1.max(to),
                _ => places.push((from, to, word)),
            }
        }
    }

    /// The bytes of each marked word, and which word it is.
    fn places(&self, text: &str) -> Vec<(usize, usize, usize)> {
        let mut places = Vec::new();
        if self.whole.is_empty() && self.beginnings.is_empty() {
            return places;
        }
        // A mark over a letter may stand behind it as a character of its own.
        let is_of_word =
            |c: char| c.is_alphanumeric() || is_unspaced(c) || ('\u{300}'..='\u{36f}').contains(&c);
        let mut at = 0;
        while let Some(start) = text[at..].find(is_of_word).map(|start| at + start) {
            let end = text[start..].find(|c| !is_of_word(c)).map_or(text.len(), |end| start + end);
            self.find_in_run(text, start..end, &mut places);
            at = end;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(stretches: &[Stretch]) -> String {
        let show = |stretch: &Stretch| {
            if stretch.is_marked { format!("[{}]", stretch.text) } else { stretch.text.clone() }
        };
        stretches.iter().map(show).collect()
    }

    #[track_caller]
    fn check(query: &str, text: &str, expected: &str) {
        let marks = Marks::of(&Query::parse(query, &jiff::tz::TimeZone::UTC).unwrap());
        assert_eq!(shown(&marks.in_text(text)), expected);
    }

    #[test]
    fn words_are_marked_whatever_their_case_and_accents() {
        check("cafe tea", "A Café, TEA; teapot.", "A [Café], [TEA]; teapot.");
        check("tea*", "A teapot", "A [teapot]");
        check("cafe", "cafe\u{301} au lait", "[cafe\u{301}] au lait");
        check("-milk tea", "tea without milk", "[tea] without milk");
        check("\"at five\"", "at five, at six", "[at] [five], [at] six");
        check("has:attachment", "tea", "tea");
    }

    #[test]
    fn letters_that_were_asked_for_are_marked_in_writing_without_blanks() {
        check("京都", "東京都の京都", "東[京都]の[京都]");
        check("東京都", "東京都庁", "[東京都]庁");
        check("都", "東京都の都 miyako", "東京[都]の[都] miyako");
        check("第2回", "第2回定期演奏会", "[第][2][回]定期演奏会");
        check("tokyo タワー", "Tokyoタワー、タワ", "[Tokyo][タワー]、[タワ]");
    }

    #[test]
    fn an_excerpt_is_around_the_most_words() {
        let marks = Marks::of(&Query::parse("side door", &jiff::tz::TimeZone::UTC).unwrap());
        let text = format!(
            "{} side {} by the\n side  door in {}",
            "a ".repeat(200),
            "b ".repeat(200),
            "c ".repeat(200)
        );
        let excerpt = shown(&marks.excerpt(&text));
        assert!(excerpt.starts_with("… b b") && excerpt.ends_with("c c …"), "{excerpt}");
        assert!(excerpt.contains("by the [side] [door] in c"), "{excerpt}");
        assert!(excerpt.chars().count() <= EXCERPT_CHARS + 8, "{excerpt}");
        assert_eq!(shown(&marks.excerpt("no such words")), "no such words");
        assert!(marks.excerpt("").is_empty());
        let endless = shown(&marks.excerpt(&"x".repeat(1000)));
        assert_eq!(endless.chars().count(), EXCERPT_CHARS + 2);
    }
}
