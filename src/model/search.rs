//! Extracts the words by which contacts and lists are searched (`spec/api.md` 4 and 9). Messages have more than words:
//! [`super::terms`].
//!
//! A text is split at every character that is not a letter or a digit, with case and accents folded. A record matches a
//! query if, for every word of the query, it has a word that begins with it.

use std::collections::BTreeSet;
use std::ops::Bound;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;

use serde::{Deserialize, Serialize};

use super::{AccountId, Contact, CustomFieldId, Email, EmailAddress, List, ListId, MessageId};

/// Longest word in bytes; of a longer one, the beginning is indexed.
const WORD_BYTES_MAX: usize = 64;
/// Words of one record that are indexed: those of its name, then those of its notes until the limit. Each is a row of
/// an index, and all rows of a record change in one job: the limit keeps the job short for the jobs that wait behind
/// it. Running text of some 50 KiB has as many different words.
pub const WORDS_MAX: usize = 2000;
/// Bytes of a message's text that are indexed, if its words do not reach [`WORDS_MAX`] before.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;

static DECOMPOSING: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
static COMBINING: CanonicalCombiningClassMapBorrowed<'static> = CanonicalCombiningClassMapBorrowed::new();

/// Folded words, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// The words of a text.
    #[must_use]
    pub fn of(text: &str) -> Words {
        let mut words = Words::default();
        words.add(text);
        words
    }

    /// The words of a query, without those that another of its words begins with.
    #[must_use]
    pub fn of_question(text: &str) -> Words {
        let Words(all) = Words::of(text);
        let begins_another = |word: &String| {
            let mut longer = all.range::<String, _>((Bound::Excluded(word), Bound::Unbounded));
            longer.next().is_some_and(|longer| longer.starts_with(word.as_str()))
        };
        Words(all.iter().filter(|word| !begins_another(word)).cloned().collect())
    }

    /// The words of a contact record; its addresses have words of their own. Of its custom fields, those count for
    /// which `shows` is true.
    #[must_use]
    pub fn of_contact(contact: &Contact, shows: impl Fn(CustomFieldId) -> bool) -> Words {
        let mut words = Words::of(&contact.firstname);
        words.add(&contact.surname);
        words.add(contact.ccid.as_deref().unwrap_or_default());
        for (_, value) in contact.custom.iter().filter(|(field, _)| shows(**field)) {
            words.add(value);
        }
        words.add(&contact.notes);
        words
    }

    /// The words of an address: of its local part, and of its domain in both forms if it is international.
    #[must_use]
    pub fn of_email(email: &Email) -> Words {
        Words::of_address(&email.address)
    }

    fn of_address(address: &EmailAddress) -> Words {
        let mut words = Words::of(address.as_str());
        let domain = address.domain();
        if !domain.is_ascii() {
            words.add(&idna::domain_to_ascii(domain).unwrap_or_default());
        } else if domain.contains("xn--") {
            words.add(&idna::domain_to_unicode(domain).0);
        }
        words
    }

    /// The words of a list: of its name and description.
    #[must_use]
    pub fn of_list(list: &List) -> Words {
        let mut words = Words::of(list.name.as_str());
        words.add(&list.description);
        words
    }

    fn add(&mut self, text: &str) {
        for word in fold(text).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            if WORDS_MAX <= self.0.len() {
                return;
            }
            let word = cut_word(word);
            if !self.0.contains(word) {
                self.0.insert(word.to_owned());
            }
        }
    }

    /// Adds the words of another set.
    pub fn extend(&mut self, other: Words) {
        self.0.extend(other.0);
    }

    /// Whether one of the words begins with `beginning`.
    #[must_use]
    pub fn has(&self, beginning: &str) -> bool {
        let mut from = self.0.range::<str, _>((Bound::Included(beginning), Bound::Unbounded));
        from.next().is_some_and(|word| word.starts_with(beginning))
    }

    /// Whether, for each word of a query, one of the words begins with it.
    #[must_use]
    pub fn answer(&self, question: &Words) -> bool {
        question.iter().all(|word| self.has(word))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The words by which messages of the archive were found before their index had segments. Files of that time have them
/// until their messages are indexed anew; nobody writes them any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageWords {
    /// The message.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it was sent to.
    pub list: ListId,
    /// The words in order, each once, with a blank between them.
    words: String,
}

impl MessageWords {
    /// The words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        // A word contains no blank; without words there is not even an empty one.
        self.words.split(' ').filter(|word| !word.is_empty())
    }

    /// The number of its rows in the file.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.iter().count() + 1
    }
}

/// The part of a word that is indexed.
pub(super) fn cut_word(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_BYTES_MAX)]
}

/// A text in lower case and without accents.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in DECOMPOSING.normalize_iter(text.chars()).filter(|c| COMBINING.get_u8(*c) == 0) {
        for c in c.to_lowercase() {
            match letters_without_stroke(c) {
                Some(plain) => folded.push_str(plain),
                None if COMBINING.get_u8(c) == 0 => folded.push(c),
                None => {}
            }
        }
    }
    folded
}

/// Whether folding leaves a character out: accents, and some of the vowels and tones over and under letters.
pub(super) fn is_folded_away(c: char) -> bool {
    COMBINING.get_u8(c) != 0
}

/// Letters that people replace by others on keyboards that lack them, and that Unicode does not decompose.
fn letters_without_stroke(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'þ' => "th",
        'ŧ' => "t",
        'ς' => "σ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(Words::of(text).iter().collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_text_is_split_at_everything_that_is_no_letter_and_no_digit() {
        check("", &[]);
        check(" -- ", &[]);
        check("Ada Lovelace, ada", &["ada", "lovelace"]);
        check("ada.lovelace+1@example.org", &["1", "ada", "example", "lovelace", "org"]);
        check("O'Neill_x", &["neill", "o", "x"]);
    }

    #[test]
    fn case_and_accents_are_folded() {
        check("ÉCOLE école e\u{301}cole", &["ecole"]);
        check("Straße Łódź Søren Æsir ﬁn İzmir", &["aesir", "fin", "izmir", "lodz", "soren", "strasse"]);
        check("ΣΊΣΥΦΟΣ Σίσυφος", &["σισυφοσ"]);
        check("Юрий", &["юрии"]);
        check("東京 ２０", &["20", "東京"]);
    }

    #[test]
    fn a_question_is_answered_by_the_beginnings_of_words() {
        let words = Words::of("Ada Lovelace of Analytical Engines");
        for question in ["", "ada", "A", "love ADA", "engine analytic ada"] {
            assert!(words.answer(&Words::of_question(question)), "{question}");
        }
        for question in ["da", "lovelacex", "ada x", "adal"] {
            assert!(!words.answer(&Words::of_question(question)), "{question}");
        }
    }

    #[test]
    fn a_word_of_a_question_that_begins_another_asks_for_nothing_more() {
        let question = Words::of_question("a ada adam b");
        assert_eq!(question.iter().collect::<Vec<_>>(), ["adam", "b"]);
    }

    #[test]
    fn a_domain_is_found_in_both_of_its_forms() {
        for address in ["ada@exämple.org", "ada@xn--exmple-cua.org"] {
            let words = Words::of_address(&EmailAddress::parse(address).unwrap());
            for question in ["exam", "exämple.org", "xn--exmple-cua.org", "ada"] {
                assert!(words.answer(&Words::of_question(question)), "{address} {question}");
            }
        }
    }

    #[test]
    fn words_are_bounded_in_length_and_number() {
        let long = "ä".repeat(100);
        assert_eq!(Words::of(&long).iter().map(str::len).collect::<Vec<_>>(), [WORD_BYTES_MAX]);
        assert!(Words::of(&long).answer(&Words::of_question(&long)));
        let many: Vec<String> = (0..WORDS_MAX * 2).map(|number| number.to_string()).collect();
        assert_eq!(Words::of(&many.join(" ")).iter().count(), WORDS_MAX);
    }
}
