//! Makes a post anonymous, for a person who asked to be forgotten.
//!
//! The header keeps what a thread needs, and nothing that was added on the way. In texts, the person's addresses and
//! names are replaced, and a first name that stands alone on a line, as at the end of a mail. Signatures, keys and
//! visiting cards are emptied. Other files stay as they are, as does encrypted content.

use crate::model::EmailAddress;

use super::header;
use super::parse::Inbound;
use super::redaction::{Rewriting, rewritten_message};

/// Fields of a message that stay, unless they name the person.
const KEPT: &[&str] = &[
    "date",
    "subject",
    "to",
    "cc",
    "in-reply-to",
    "references",
    "mime-version",
    "importance",
    "auto-submitted",
    "precedence",
];
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

/// The new identity of a post whose author is erased.
#[derive(Debug, Clone, Copy)]
pub struct Authorless<'a> {
    /// The words to take out.
    pub words: &'a PersonWords,
    /// The words that replace them.
    pub name: &'a str,
    /// The address in From, which a message needs.
    pub address: &'a EmailAddress,
    /// The Message-ID.
    pub message_id: &'a str,
}

/// The bytes of a post without its author.
#[must_use]
pub fn authorless(inbound: &Inbound, new: &Authorless<'_>) -> Vec<u8> {
    let mut head = Vec::new();
    header::write_mailboxes(&mut head, "From", &[(new.name, new.address.as_str())]);
    head.extend_from_slice(format!("Message-ID: <{}>\r\n", new.message_id).as_bytes());
    rewritten_message(inbound, head, &Rewriting { words: new.words, instead: new.name, kept: KEPT })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> PersonWords {
        let addresses = [EmailAddress::parse("Ada.L@Example.org").unwrap()];
        PersonWords::new(
            &addresses,
            &[("Ada".to_owned(), "Lovelace".to_owned())],
            &["Countess Ada".to_owned()],
        )
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(ada().redacted(text, "X").as_deref().unwrap_or(text), expected, "{text}");
    }

    #[test]
    fn names_and_addresses_are_replaced_and_other_words_stay() {
        check("Write to ADA.L@example.ORG, or <ada.l@example.org>.", "Write to X, or <X>.");
        check("I, ada\n  lovelace, and Lovelace, Ada", "I, X, and X");
        check(
            "Lovelace is a name, lovelace is a word, Lovelaces are many",
            "X is a name, lovelace is a word, Lovelaces are many",
        );
        check("Countess  Ada wrote to Ada", "X wrote to Ada");
        check("Dear Bob,\r\nAda says hi\r\n-- \r\n  Ada.\r\n", "Dear Bob,\r\nAda says hi\r\n-- \r\n  X.\r\n");
        check("<p>Yours<br>Ada</p><b>not Ada</b>", "<p>Yours<br>X</p><b>not Ada</b>");
        check("Hadada.l@example.org", "Hadada.l@example.org");
        check("写给ada.l@example.org的信", "写给X的信");
    }

    #[test]
    fn a_post_keeps_its_content_and_loses_its_author() {
        let raw = "Received: from ada.home by x\r\nFrom: Ada Lovelace <ada.l@example.org>\r\n\
            To: news@x.org, ada.l@example.org\r\nSubject: =?utf-8?q?From_Ada_Lovelace?=\r\nMessage-ID: <1@ada.home>\r\n\
            References: <0@bob> <ada.l-9@home>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\
            DKIM-Signature: v=1; d=example.org\r\nMIME-Version: 1.0\r\n\
            Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: base64\r\n\r\nVGVhIGF0IGZpdmUuCkFkYSBMb3ZlbGFjZQo=\r\n--b\r\n\
            Content-Type: image/png; name=\"lovelace.png\"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n\
            --b\r\nContent-Type: text/x-vcard\r\n\r\nTEL:1\r\n--b--\r\n";
        let inbound = crate::mail::parse(raw.as_bytes().to_vec()).unwrap();
        let address = EmailAddress::parse("former-member@x.org").unwrap();
        let (words, message_id) = (ada(), "2@x.org");
        let new = Authorless { words: &words, name: "former member", address: &address, message_id };
        let made = String::from_utf8(authorless(&inbound, &new)).unwrap();
        let expected = "From: former member <former-member@x.org>\r\nMessage-ID: <2@x.org>\r\n\
            Subject: From former member\r\nReferences: <0@bob>\r\nDate: Mon, 05 Jan 2026 10:00:00 +0000\r\n\
            MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
            Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            Tea at five.\r\nformer member\r\n\r\n--b\r\n\
            Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n\
            --b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\r\n--b--\r\n";
        assert_eq!(made, expected);
        let again = crate::mail::parse(made.into_bytes()).unwrap();
        assert_eq!(again.content().plain.as_deref(), Some("Tea at five.\nformer member\n"));
    }
}
