//! The words by which a person is recognized in texts, and those texts without them.

use crate::model::EmailAddress;

/// Shorter words name nobody wherever they stand.
const WORD_CHARS_MIN: usize = 4;

/// The words by which a person is recognized.
#[derive(Debug, Clone, Default)]
pub struct PersonWords {
    /// Addresses in lower case.
    addresses: Vec<Vec<char>>,
    /// Whole names in lower case, with single blanks.
    names: Vec<Vec<char>>,
    /// Surnames, which count only as they are written.
    surnames: Vec<Vec<char>>,
    /// First names in lower case, which count where they stand alone.
    firstnames: Vec<String>,
    /// Words that name the person inside of identifiers, in lower case.
    tokens: Vec<String>,
}

impl PersonWords {
    /// The words of a person: addresses, pairs of first name and surname, and whole names.
    #[must_use]
    pub fn new(addresses: &[EmailAddress], names: &[(String, String)], phrases: &[String]) -> PersonWords {
        let mut words = PersonWords::default();
        for address in addresses {
            words.addresses.push(address.as_str().to_lowercase().chars().collect());
            words.addresses.push(address.folded().chars().collect());
            words.token(address.local());
        }
        for (firstname, surname) in names {
            let (firstname, surname) = (firstname.trim(), surname.trim());
            if !firstname.is_empty() && !surname.is_empty() {
                words.phrase(&format!("{firstname} {surname}"));
                words.phrase(&format!("{surname}, {firstname}"));
                words.phrase(&format!("{surname} {firstname}"));
            }
            if WORD_CHARS_MIN <= surname.chars().count() {
                words.surnames.push(surname.chars().collect());
            }
            if !firstname.is_empty() {
                words.firstnames.push(firstname.to_lowercase());
            }
            words.token(firstname);
            words.token(surname);
        }
        for phrase in phrases {
            words.phrase(phrase);
        }
        words
    }

    /// The words and addresses that a moderator names, each of which counts wherever it stands as a whole.
    #[must_use]
    pub fn of_words<'w>(named: impl IntoIterator<Item = &'w str>) -> PersonWords {
        let mut words = PersonWords::default();
        for word in named {
            let word: Vec<char> =
                word.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(lower).collect();
            if !word.is_empty() {
                words.names.push(word);
            }
        }
        // Of two that begin alike, the longer one is taken out as a whole.
        words.names.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let PersonWords { addresses, names, surnames, firstnames, tokens: _ } = self;
        addresses.is_empty() && names.is_empty() && surnames.is_empty() && firstnames.is_empty()
    }

    /// Adds a whole name. One word alone counts as a first name: it is no name wherever it stands.
    fn phrase(&mut self, phrase: &str) {
        let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        match phrase.contains(' ') {
            true if !self.names.contains(&phrase.chars().collect()) => {
                self.names.push(phrase.chars().collect());
            }
            false if !phrase.is_empty() && !self.firstnames.contains(&phrase) => self.firstnames.push(phrase),
            _ => {}
        }
    }

    fn token(&mut self, word: &str) {
        if WORD_CHARS_MIN <= word.chars().count() {
            self.tokens.push(word.to_lowercase());
        }
    }

    /// Whether a text names the person.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        self.redacted(text, "").is_some()
    }

    /// Whether an identifier, or the name of a file, names the person.
    #[must_use]
    pub fn is_in_token(&self, token: &str) -> bool {
        let token = token.to_lowercase();
        self.tokens.iter().any(|word| token.contains(word.as_str())) || self.is_in(&token)
    }

    /// The text with `instead` in place of the person's addresses and names; `None` if it has none of them.
    #[must_use]
    pub fn redacted(&self, text: &str, instead: &str) -> Option<String> {
        let chars: Vec<char> = text.chars().collect();
        // One for one: a letter that has several in lower case stays as it is.
        let lower: Vec<char> = chars.iter().map(|c| lower(*c)).collect();
        let mut out = String::new();
        let (mut copied, mut at) = (0, 0);
        while at < chars.len() {
            match self.length_at(&chars, &lower, at) {
                Some(length) => {
                    out.extend(&chars[copied..at]);
                    out.push_str(instead);
                    at += length;
                    copied = at;
                }
                None => at += 1,
            }
        }
        out.extend(&chars[copied..]);
        let replaced = copied != 0;
        match self.without_sign_offs(&out, instead) {
            Some(text) => Some(text),
            None => replaced.then_some(out),
        }
    }

    /// The length of what names the person at a place of a text.
    fn length_at(&self, chars: &[char], lower: &[char], at: usize) -> Option<usize> {
        let before = at.checked_sub(1).map(|before| chars[before]);
        if before.is_some_and(|before| joins(before, chars[at])) {
            return None;
        }
        let ends =
            |length: &usize| !chars.get(at + length).is_some_and(|next| joins(chars[at + length - 1], *next));
        let address = || self.addresses.iter().find_map(|word| matched(&lower[at..], word));
        let name = || self.names.iter().find_map(|word| matched(&lower[at..], word));
        let surname = || self.surnames.iter().find_map(|word| matched(&chars[at..], word));
        address().or_else(name).or_else(surname).filter(ends)
    }

    /// Replaces first names that stand alone: on a line, or between tags.
    fn without_sign_offs(&self, text: &str, instead: &str) -> Option<String> {
        let is_alone = |piece: &str| {
            let word = piece.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            !word.is_empty() && self.firstnames.contains(&word)
        };
        let mut changed = false;
        let mut out = String::with_capacity(text.len());
        for piece in text.split_inclusive(['\n', '<', '>']) {
            if is_alone(piece) {
                changed = true;
                let start = piece.len() - piece.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
                let end = piece.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
                out.push_str(&piece[..start]);
                out.push_str(instead);
                out.push_str(&piece[end..]);
            } else {
                out.push_str(piece);
            }
        }
        changed.then_some(out)
    }
}

/// Whether two characters beside one another belong to one word. Scripts that put no blanks between words end none.
fn joins(one: char, other: char) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() && !is_without_blanks(c);
    is_of_word(one) && is_of_word(other)
}

/// Whether a character is of a script that puts no blanks between words, or puts endings behind names: Thai, Lao, Khmer,
/// Burmese, Chinese, Japanese, Korean.
fn is_without_blanks(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x1100..=0x11ff
        | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7ff | 0xf900..=0xfaff
        | 0x20000..=0x3ffff)
}

fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The length of what matches a word at the beginning of a text; a blank matches any blanks and a line end.
fn matched(text: &[char], word: &[char]) -> Option<usize> {
    let mut at = 0;
    for c in word {
        if *c == ' ' {
            let blanks = text[at..].iter().take_while(|c| c.is_whitespace()).count();
            if blanks == 0 {
                return None;
            }
            at += blanks;
        } else if text.get(at) == Some(c) {
            at += 1;
        } else {
            return None;
        }
    }
    Some(at)
}
