//! Makes a post anonymous, for a person who asked to be forgotten.
//!
//! The header keeps what a thread needs, and nothing that was added on the way. In texts, the person's addresses and
//! names are replaced, and a first name that stands alone on a line, as at the end of a mail. Signatures, keys and
//! visiting cards are emptied. Other files stay as they are, as does encrypted content.

use crate::model::EmailAddress;

use super::header::{self, Field};
use super::mime::{Encoding, Part};
use super::parse::Inbound;
use super::text;

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
/// Types of parts that say who wrote a message.
const EMPTIED: &[&str] = &[
    "application/pgp-signature",
    "application/pgp-keys",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "text/vcard",
    "text/x-vcard",
    "text/directory",
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
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let ends = |length: &usize| !chars.get(at + length).is_some_and(|next| next.is_alphanumeric());
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
    let mut out = Vec::with_capacity(inbound.raw.len());
    header::write_mailboxes(&mut out, "From", &[(new.name, new.address.as_str())]);
    out.extend_from_slice(format!("Message-ID: <{}>\r\n", new.message_id).as_bytes());
    let root = &inbound.parts[0];
    for field in inbound.fields() {
        let name = field.folded_name();
        if KEPT.contains(&name.as_str()) {
            write_field(&mut out, &field, &name, new);
        }
    }
    // What the body of the message itself is may change with it.
    let mut copied = root.body.start;
    let body = rewritten(inbound, 0, new);
    write_content_fields(&mut out, inbound, root, body.is_some(), new);
    if let Some(body) = body {
        out.extend_from_slice(&body);
        return out;
    }
    for (index, part) in inbound.parts.iter().enumerate().skip(1) {
        if part.header.start < copied {
            continue;
        }
        let body = rewritten(inbound, index, new);
        let is_named = header::fields(&inbound.raw[part.header.clone()])
            .any(|field| new.words.is_in(&field.decoded()) || new.words.is_in(&field.text()));
        let has_name = part.filename.as_ref().is_some_and(|name| new.words.is_in_token(name));
        if body.is_none() && !is_named && !has_name {
            continue;
        }
        out.extend_from_slice(&inbound.raw[copied..part.header.start]);
        write_content_fields(&mut out, inbound, part, body.is_some(), new);
        copied = part.header.end;
        if let Some(body) = body {
            out.extend_from_slice(&body);
            copied = part.body.end;
        }
    }
    out.extend_from_slice(&inbound.raw[copied..]);
    out
}

/// A field of the message as it is, or without the person.
fn write_field(out: &mut Vec<u8>, field: &Field<'_>, name: &str, new: &Authorless<'_>) {
    let decoded = field.decoded();
    match name {
        "subject" => {
            if let Some(subject) = new.words.redacted(&decoded, new.name) {
                header::write_text(out, "Subject", &subject);
                return;
            }
        }
        "in-reply-to" | "references" => {
            let kept: Vec<String> = field
                .text()
                .split_ascii_whitespace()
                .filter(|id| !new.words.is_in_token(id))
                .map(str::to_owned)
                .collect();
            if !kept.is_empty() {
                let name = if name == "references" { "References" } else { "In-Reply-To" };
                out.extend_from_slice(format!("{name}:").as_bytes());
                header::write_words(out, name.len() + 1, &kept);
                out.extend_from_slice(b"\r\n");
            }
            return;
        }
        _ if new.words.is_in(&decoded) || new.words.is_in(&field.text()) => return,
        _ => {}
    }
    out.extend_from_slice(field.raw);
    if !field.raw.ends_with(b"\n") {
        out.extend_from_slice(b"\r\n");
    }
}

/// The fields of a part that describe its content, and the empty line behind them. A nested message keeps all its
/// fields but those that name the person.
fn write_content_fields(
    out: &mut Vec<u8>,
    inbound: &Inbound,
    part: &Part,
    is_rewritten: bool,
    new: &Authorless<'_>,
) {
    let is_root = part.parent.is_none();
    if is_rewritten {
        let flowed = if part.is_flowed { "; format=flowed" } else { "" };
        let media_type =
            if EMPTIED.contains(&part.media_type.as_str()) { "text/plain" } else { &part.media_type };
        let fields = format!(
            "Content-Type: {media_type}; charset=utf-8{flowed}\r\nContent-Transfer-Encoding: quoted-printable\r\n"
        );
        out.extend_from_slice(fields.as_bytes());
    }
    for field in header::fields(&inbound.raw[part.header.clone()]) {
        let name = field.folded_name();
        let is_content = name.starts_with("content-");
        if is_root && !is_content {
            continue;
        }
        let is_replaced = matches!(name.as_str(), "content-type" | "content-transfer-encoding");
        if is_rewritten && (is_replaced || is_content) {
            continue;
        }
        let names = new.words.is_in(&field.decoded())
            || new.words.is_in(&field.text())
            || is_content && !part.is_multipart() && new.words.is_in_token(&field.decoded());
        if !names {
            out.extend_from_slice(field.raw);
            if !field.raw.ends_with(b"\n") {
                out.extend_from_slice(b"\r\n");
            }
        } else if name == "content-type" {
            out.extend_from_slice(format!("Content-Type: {}\r\n", part.media_type).as_bytes());
        } else if name == "content-disposition" {
            out.extend_from_slice(b"Content-Disposition: attachment\r\n");
        }
    }
    out.extend_from_slice(b"\r\n");
}

/// The new content of a text that names the person, and of a part that says who wrote the message; `None` if a part
/// stays as it is.
fn rewritten(inbound: &Inbound, index: usize, new: &Authorless<'_>) -> Option<Vec<u8>> {
    let part = &inbound.parts[index];
    if EMPTIED.contains(&part.media_type.as_str()) {
        return Some(Vec::new());
    }
    let is_text = part.media_type.starts_with("text/") && part.encoding != Encoding::Other;
    if !is_text || part.is_multipart() {
        return None;
    }
    let content = text::decode_part(&inbound.raw, part);
    let content = new.words.redacted(&content, new.name)?;
    let mut out = Vec::new();
    text::encode_qp(text::with_crlf(&content).as_bytes(), &mut out);
    Some(out)
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
