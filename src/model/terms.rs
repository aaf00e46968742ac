//! Extracts the terms by which messages of the archive are found, each with the fields of the message that have it.
//!
//! A term is a kind and a folded word. The domain of a mail address gives terms of a kind of their own, since an
//! archive may hide it: who may not see addresses asks for the other kinds alone. What is hidden here is what pages
//! hide, which show `ada@…` in the place of an address.
//!
//! Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without blanks. A stretch of their letters gives its pairs of neighbours as words,
//! and its last letter: 東京都 gives 東京, 京都 and 都. So any part of it is found, as a phrase of pairs.

use std::collections::BTreeMap;
use std::ops::{BitAnd, BitOr};

use serde::{Deserialize, Serialize};

use super::hiding::hidden_domains;
use super::search::{TEXT_BYTES_MAX, WORDS_MAX, cut_word, fold, is_folded_away};
use super::{EmailAddress, Message};

/// Parts of a message in which a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fields(u8);

impl Fields {
    /// The subject.
    pub const SUBJECT: Fields = Fields(1);
    /// The name or the address of the sender.
    pub const SENDER: Fields = Fields(2);
    /// The text.
    pub const TEXT: Fields = Fields(4);
    /// All of them.
    pub const ANY: Fields = Fields(7);

    /// The fields of a stored number; bits that mean nothing are left out.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Fields {
        Fields(bits & 7)
    }

    /// The number that is stored.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether one of these fields is among `others`.
    #[must_use]
    pub const fn meets(self, others: Fields) -> bool {
        self.0 & others.0 != 0
    }
}

impl BitOr for Fields {
    type Output = Fields;

    fn bitor(self, other: Fields) -> Fields {
        Fields(self.0 | other.0)
    }
}

impl BitAnd for Fields {
    type Output = Fields;

    fn bitand(self, other: Fields) -> Fields {
        Fields(self.0 & other.0)
    }
}

/// Kinds of terms. Each is stored as its letter before the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TermKind {
    /// The whole address of the sender, which an archive may hide.
    Address,
    /// A word of the domain of an address, which an archive may hide.
    Hidden,
    /// Whether the message has files.
    Mark,
    /// A word that everybody may see who reads the message.
    Word,
}

impl TermKind {
    /// The letter that is stored before the word.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            TermKind::Address => 'a',
            TermKind::Hidden => 'h',
            TermKind::Mark => 'm',
            TermKind::Word => 'w',
        }
    }

    /// The stored form of a term of this kind.
    #[must_use]
    pub fn term(self, word: &str) -> String {
        let mut term = String::with_capacity(1 + word.len());
        term.push(self.letter());
        term.push_str(word);
        term
    }
}

/// Longest address that is indexed whole, in bytes: what is longer is none.
const ADDRESS_BYTES_MAX: usize = 254;

/// The word of the mark of messages that have files.
pub const ATTACHMENT_MARK: &str = "attachment";

/// Passes the words of a text, and whether each is a part of the domain of an address, to `each` until it answers no.
pub fn each_word(text: &str, mut each: impl FnMut(&str, bool) -> bool) {
    let folded = without_silent(fold(text));
    let mut hidden = hidden_domains(&folded).into_iter().peekable();
    let mut at = 0;
    while let Some(first) = folded[at..].chars().next() {
        if !first.is_alphanumeric() {
            at += first.len_utf8();
            continue;
        }
        let rest = &folded[at..];
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        while hidden.next_if(|domain| domain.end <= at).is_some() {}
        let is_hidden = hidden.peek().is_some_and(|domain| domain.contains(&at));
        if !each_of_run(&rest[..length], |word| each(word, is_hidden)) {
            return;
        }
        at += length;
    }
}

/// Passes the words of letters and digits that stand together to `each` until it answers no; returns its last answer.
fn each_of_run(run: &str, mut each: impl FnMut(&str) -> bool) -> bool {
    if run.is_ascii() {
        return each(cut_word(run));
    }
    stretches(run).all(
        |(stretch, is_unspaced)| {
            if is_unspaced { pairs(stretch).all(&mut each) } else { each(cut_word(stretch)) }
        },
    )
}

/// The stretches of a text that are wholly of a writing without blanks, or wholly of others, and which it is.
pub fn stretches(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_first = is_unspaced(rest.chars().next()?);
        let end = rest.find(|c| is_unspaced(c) != is_first).unwrap_or(rest.len());
        let (stretch, behind) = rest.split_at(end);
        rest = behind;
        Some((stretch, is_first))
    })
}

/// Each letter with the one behind it, and the last one alone. Marks that folding leaves out belong to the letter before.
pub fn pairs(stretch: &str) -> impl Iterator<Item = &str> {
    pairs_with_places(stretch).map(|(_, _, pair)| pair)
}

/// The same pairs, each with the place of its first letter and the end of that.
pub fn pairs_with_places(stretch: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let letters = |from: usize| {
        let places = stretch[from..].char_indices();
        places.filter(|(_, c)| !is_silent(*c)).map(move |(at, _)| from + at)
    };
    letters(0).map(move |at| {
        let mut behind = letters(at).skip(1);
        let next = behind.next().unwrap_or(stretch.len());
        (at, next, &stretch[at..behind.next().unwrap_or(stretch.len())])
    })
}

/// A folded text without what stands in a writing without blanks and is no letter: marks that say how a letter is read,
/// and what tells programs where a line may end.
fn without_silent(mut folded: String) -> String {
    if folded.is_ascii() {
        return folded;
    }
    if folded.chars().any(|c| is_unspaced(c) && !is_east_asian(c)) {
        let mut before = ' ';
        folded.retain(|c| {
            let is_left_out = is_silent(c) || (is_unspaced(before) && is_zero_width(c));
            before = if is_left_out { before } else { c };
            !is_left_out
        });
    }
    folded
}

/// Whether a character has no width: it may stand between words of a writing without blanks.
fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}')
}

/// Whether a mark of a writing without blanks is no letter of its own in what is indexed.
fn is_silent(c: char) -> bool {
    is_unspaced(c) && !is_east_asian(c) && (!c.is_alphanumeric() || is_folded_away(c))
}

/// Whether a character is of a writing that has no blanks between words: Chinese characters and kana, and Thai, Lao,
/// Khmer and Burmese.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    // Most letters of most texts stand before all of these.
    '\u{e01}' <= c && (is_east_asian(c) || is_southeast_asian(c))
}

/// Whether a character is a Chinese character or a kana.
fn is_east_asian(c: char) -> bool {
    matches!(
        c,
        '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3134f}'
    )
}

/// Whether a character is a letter or a mark of Thai, Lao, Khmer or Burmese. Their digits stand apart.
#[must_use]
pub fn is_southeast_asian(c: char) -> bool {
    matches!(
        c,
        '\u{e01}'..='\u{e3a}'
            | '\u{e40}'..='\u{e4e}'
            | '\u{e81}'..='\u{ece}'
            | '\u{edc}'..='\u{edf}'
            | '\u{1000}'..='\u{103f}'
            | '\u{1050}'..='\u{108f}'
            | '\u{109a}'..='\u{109d}'
            | '\u{1780}'..='\u{17d3}'
            | '\u{17d7}'
            | '\u{17dc}'..='\u{17dd}'
            | '\u{aa60}'..='\u{aa7f}'
    )
}

/// Whether a word is Korean, whose words have particles at their ends: it is searched for as a beginning.
#[must_use]
pub fn is_hangul(word: &str) -> bool {
    // Folded syllables are taken apart into their letters.
    word.starts_with(|c| matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// Whether a word is a single letter of such a writing.
#[must_use]
pub fn is_unspaced_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is_unspaced) && chars.next().is_none()
}

/// The terms of a message, each with the fields that have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms(BTreeMap<String, Fields>);

impl Terms {
    /// The terms of a message with this text.
    #[must_use]
    pub fn of_message(message: &Message, text: &str, has_attachment: bool) -> Terms {
        let mut terms = Terms::default();
        if has_attachment {
            terms.put(TermKind::Mark, ATTACHMENT_MARK, Fields::ANY);
        }
        terms.put(TermKind::Address, &folded_address(&message.from_address), Fields::SENDER);
        terms.add(&message.subject, Fields::SUBJECT);
        terms.add(&message.from_phrase, Fields::SENDER);
        terms.add(&message.from_address, Fields::SENDER);
        if let Some(other) = other_form(&message.from_address) {
            terms.add(&other, Fields::SENDER);
        }
        terms.add(&text[..text.floor_char_boundary(TEXT_BYTES_MAX)], Fields::TEXT);
        terms
    }

    fn add(&mut self, text: &str, fields: Fields) {
        each_word(text, |word, is_hidden| {
            self.put(if is_hidden { TermKind::Hidden } else { TermKind::Word }, word, fields)
        });
    }

    /// Adds a term; answers whether there is room for more.
    fn put(&mut self, kind: TermKind, word: &str, fields: Fields) -> bool {
        if word.is_empty() {
            return true;
        }
        let term = kind.term(word);
        if let Some(known) = self.0.get_mut(&term) {
            *known = *known | fields;
            return true;
        }
        if WORDS_MAX <= self.0.len() {
            // Words that are known already may follow.
            return true;
        }
        self.0.insert(term, fields);
        true
    }

    /// The stored forms of the terms, in order, each with the fields that have it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Fields)> {
        self.0.iter().map(|(term, fields)| (term.as_str(), *fields))
    }

    /// The fields that have a term.
    #[must_use]
    pub fn fields(&self, term: &str) -> Option<Fields> {
        self.0.get(term).copied()
    }

    /// The terms that begin with this stored form, in order, each with the fields that have it.
    pub fn beginning(&self, term: &str) -> impl Iterator<Item = (&str, Fields)> {
        let begin = std::ops::Bound::Included(term);
        let from = self.0.range::<str, _>((begin, std::ops::Bound::Unbounded));
        from.take_while(move |(found, _)| found.starts_with(term))
            .map(|(term, fields)| (term.as_str(), *fields))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// An address as the term of a sender has it.
#[must_use]
pub fn folded_address(address: &str) -> String {
    let mut folded = match EmailAddress::parse(address) {
        Ok(address) => address.folded(),
        Err(_) => address.trim().to_lowercase(),
    };
    // What is no address may have anything in it.
    folded.retain(|c| !c.is_whitespace() && !c.is_control());
    folded.truncate(folded.floor_char_boundary(ADDRESS_BYTES_MAX));
    folded
}

/// An address with its international domain in the form in which it is not written.
fn other_form(address: &str) -> Option<String> {
    let address = EmailAddress::parse(address).ok()?;
    let domain = address.domain();
    let other = if !domain.is_ascii() {
        idna::domain_to_ascii(domain).ok()?
    } else if domain.contains("xn--") {
        idna::domain_to_unicode(domain).0
    } else {
        return None;
    };
    Some(format!("{}@{other}", address.as_str().rsplit_once('@')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &[&str], hidden: &[&str]) {
        let mut words = (Vec::new(), Vec::new());
        each_word(text, |word, is_hidden| {
            let of_kind = if is_hidden { &mut words.1 } else { &mut words.0 };
            of_kind.push(word.to_owned());
            true
        });
        let expected = [shown, hidden].map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!([words.0, words.1], expected, "{text}");
    }

    #[test]
    fn the_words_of_a_text_stand_in_order_and_folded() {
        check("Tea for Zoë: tea, 5 o'clock", &["tea", "for", "zoe", "tea", "5", "o", "clock"], &[]);
        check("", &[], &[]);
    }

    #[test]
    fn writing_without_blanks_gives_pairs_of_letters() {
        check("東京都", &["東京", "京都", "都"], &[]);
        check("第2回 タワー", &["第", "2", "回", "タワ", "ワー", "ー"], &[]);
        check("Tokyo東京 京", &["tokyo", "東京", "京", "京"], &[]);
        check("ﾀﾜｰ", &["タワ", "ワー", "ー"], &[]);
        check("ประชุม", &["ปร", "ระ", "ะช", "ชม", "ม"], &[]);
        check("เป็น น้ำ", &["เป", "ปน", "น", "น\u{e4d}", "\u{e4d}า", "า"], &[]);
        check("ກອງ ជួប 5 မြို့", &["ກອ", "ອງ", "ງ", "ជួ", "ួប", "ប", "5", "မြ", "ြိ", "ို", "ု"], &[]);
        check(
            "서울 ada@東京.jp",
            &["서울", "ada"].map(fold).each_ref().map(String::as_str),
            &["東京", "京", "jp"],
        );
    }

    #[test]
    fn the_domain_of_an_address_is_hidden() {
        check(
            "ask Ada.L+x@Mail.Example.org, please",
            &["ask", "ada", "l", "x", "please"],
            &["mail", "example", "org"],
        );
        check("<ada@x.org>bob@y-z.net", &["ada", "bob"], &["x", "org", "y", "z", "net"]);
        check("meet @ noon, @handle, a @b", &["meet", "noon", "handle", "a", "b"], &[]);
        check("a@b@c.d, react@18.2.0", &["a", "b", "react", "18", "2", "0"], &["c", "d"]);
    }

    fn message() -> Message {
        Message {
            id: crate::model::MessageId(1),
            account: crate::model::AccountId(1),
            list: crate::model::ListId(1),
            subject: "Tea at five".to_owned(),
            from_phrase: "Ada".to_owned(),
            from_address: "Ada@Ex.org".to_owned(),
            time: crate::clock::Timestamp::from_ms(0),
            message_id: "1@x.org".to_owned(),
            thread: crate::model::MessageId(1),
            parent: None,
            blob: crate::model::BlobId(1),
            size_bytes: 0,
            deleted: false,
            changes: None,
            authentication: None,
            requires_tls: false,
        }
    }

    #[test]
    fn a_term_knows_the_fields_that_have_it() {
        let terms = Terms::of_message(&message(), "tea, says ada of ex", true);
        let found: Vec<(&str, u8)> = terms.iter().map(|(term, fields)| (term, fields.bits())).collect();
        let expected = [
            ("aada@ex.org", 2),
            ("hex", 2),
            ("horg", 2),
            ("mattachment", 7),
            ("wada", 6),
            ("wat", 1),
            ("wex", 4),
            ("wfive", 1),
            ("wof", 4),
            ("wsays", 4),
            ("wtea", 5),
        ];
        assert_eq!(found, expected);
        assert_eq!(terms.fields("wtea"), Some(Fields::SUBJECT | Fields::TEXT));
        assert_eq!(terms.beginning("wa").map(|(term, _)| term).collect::<Vec<_>>(), ["wada", "wat"]);
    }

    #[test]
    fn an_international_domain_is_found_in_both_forms() {
        let mut message = message();
        for address in ["ada@exämple.org", "ada@xn--exmple-cua.org"] {
            message.from_address = address.to_owned();
            let terms = Terms::of_message(&message, "", false);
            for term in ["hexample", "hxn", "hexmple", "wada"] {
                assert!(terms.fields(term).is_some(), "{address} {term}");
            }
        }
    }

    #[test]
    fn the_terms_of_a_message_are_bounded() {
        let many: Vec<String> = (0..WORDS_MAX * 2).map(|number| number.to_string()).collect();
        assert_eq!(Terms::of_message(&message(), &many.join(" "), false).len(), WORDS_MAX);
    }
}
