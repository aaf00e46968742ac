//! Writes messages anew without certain words: for a moderator who takes out words or addresses, and for
//! [`authorless`](mod@super::authorless).
//!
//! The header keeps what a thread needs, and nothing that was added on the way. In texts and names of files, the words
//! are replaced. Signatures, keys and visiting cards are emptied: they would no longer be right, and say who wrote.
//! Other files stay as they are, as does encrypted content.

use super::charset::Charset;
use super::header::{self, Field};
use super::mime::{Encoding, Part};
use super::parse::Inbound;
use super::person_words::PersonWords;
use super::text;
use crate::model::EmailAddress;

/// Fields of a message that stay where words are taken out, unless they have one of them.
const KEPT: &[&str] = &[
    "date",
    "subject",
    "to",
    "cc",
    "reply-to",
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

/// How a message is written anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rewriting<'a> {
    /// The words to take out.
    pub(super) words: &'a PersonWords,
    /// What stands in their place.
    pub(super) instead: &'a str,
    /// The fields that stay, unless they have one of the words.
    pub(super) kept: &'a [&'a str],
}

/// A message from which words are taken out.
#[derive(Debug, Clone, Copy)]
pub struct Redacted<'a> {
    /// The words to take out.
    pub words: &'a PersonWords,
    /// What stands in their place.
    pub instead: &'a str,
    /// The address in From in place of one that is taken out.
    pub address: &'a EmailAddress,
    /// The Message-ID.
    pub message_id: &'a str,
}

/// The bytes of a message without the words. If they stand where no part of it is, its text alone is left.
#[must_use]
pub fn redacted(inbound: &Inbound, new: &Redacted<'_>) -> Vec<u8> {
    let rewriting = Rewriting { words: new.words, instead: new.instead, kept: KEPT };
    let written = rewritten_message(inbound, head_of(inbound, new), &rewriting);
    let again = super::parse_leniently(written);
    if is_between_parts(&again, new.words) {
        return text_alone(inbound, head_of(inbound, new), &rewriting);
    }
    again.raw.to_vec()
}

/// From and Message-ID of a redacted message.
fn head_of(inbound: &Inbound, new: &Redacted<'_>) -> Vec<u8> {
    let mut head = Vec::new();
    if let Some(from) = &inbound.from {
        if new.words.is_in(from.address.as_str()) {
            header::write_mailboxes(&mut head, "From", &[(new.instead, new.address.as_str())]);
        } else {
            let name = new.words.redacted(&from.name, new.instead).unwrap_or_else(|| from.name.clone());
            header::write_mailboxes(&mut head, "From", &[(&name, from.address.as_str())]);
        }
    } else {
        header::write_mailboxes(&mut head, "From", &[(new.instead, new.address.as_str())]);
    }
    head.extend_from_slice(format!("Message-ID: <{}>\r\n", new.message_id).as_bytes());
    head
}

/// Whether a word stands before, between or behind the parts of a multipart.
fn is_between_parts(inbound: &Inbound, words: &PersonWords) -> bool {
    let is_in = |range: std::ops::Range<usize>| {
        inbound.raw.get(range).is_some_and(|bytes| words.is_in(&String::from_utf8_lossy(bytes)))
    };
    inbound.parts.iter().enumerate().filter(|(_, part)| part.is_multipart()).any(|(index, part)| {
        let mut at = part.body.start;
        let children = inbound.parts.iter().filter(|child| child.parent == Some(index));
        for child in children {
            if is_in(at..child.header.start) {
                return true;
            }
            at = child.body.end;
        }
        is_in(at..part.body.end)
    })
}

/// A message that has its header and its text, and nothing else.
fn text_alone(inbound: &Inbound, mut out: Vec<u8>, new: &Rewriting<'_>) -> Vec<u8> {
    write_kept(&mut out, inbound, new);
    let text = inbound.content().text().into_owned();
    let text = new.words.redacted(&text, new.instead).unwrap_or(text);
    out.extend_from_slice(
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
    );
    text::encode_qp(text::with_crlf(&text).as_bytes(), &mut out);
    out
}

/// The fields of the message that stay.
fn write_kept(out: &mut Vec<u8>, inbound: &Inbound, new: &Rewriting<'_>) {
    let hint = inbound.header_hint();
    for field in inbound.fields() {
        let name = field.folded_name();
        if new.kept.contains(&name.as_str()) {
            write_field(out, &field, (&name, hint), new);
        }
    }
}

/// The bytes of a message behind a new beginning of its header.
pub(super) fn rewritten_message(inbound: &Inbound, head: Vec<u8>, new: &Rewriting<'_>) -> Vec<u8> {
    let mut out = head;
    out.reserve(inbound.raw.len());
    write_kept(&mut out, inbound, new);
    let root = &inbound.parts[0];
    let hint = inbound.header_hint();
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
            .any(|field| new.words.is_in(&field.decoded(hint)) || new.words.is_in(&field.text()));
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

/// A field of the message as it is, or without the words.
fn write_field(
    out: &mut Vec<u8>,
    field: &Field<'_>,
    (name, hint): (&str, Option<Charset>),
    new: &Rewriting<'_>,
) {
    let decoded = field.decoded(hint);
    match name {
        "subject" => {
            if let Some(subject) = new.words.redacted(&decoded, new.instead) {
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
/// fields but those that have one of the words.
fn write_content_fields(
    out: &mut Vec<u8>,
    inbound: &Inbound,
    part: &Part,
    is_rewritten: bool,
    new: &Rewriting<'_>,
) {
    let is_root = part.parent.is_none();
    let hint = inbound.header_hint();
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
        let names = new.words.is_in(&field.decoded(hint))
            || new.words.is_in(&field.text())
            || is_content && !part.is_multipart() && new.words.is_in_token(&field.decoded(hint));
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

/// The new content of a text that has one of the words, and of a part that says who wrote the message; `None` if a part
/// stays as it is.
fn rewritten(inbound: &Inbound, index: usize, new: &Rewriting<'_>) -> Option<Vec<u8>> {
    let part = &inbound.parts[index];
    if EMPTIED.contains(&part.media_type.as_str()) {
        return Some(Vec::new());
    }
    let is_text = part.media_type.starts_with("text/") && part.encoding != Encoding::Other;
    if !is_text || part.is_multipart() {
        return None;
    }
    let content = text::decode_part(&inbound.raw, part);
    let content = match part.media_type.as_str() {
        "text/html" => redacted_html(&content, new)?,
        _ => new.words.redacted(&content, new.instead)?,
    };
    let mut out = Vec::new();
    text::encode_qp(text::with_crlf(&content).as_bytes(), &mut out);
    Some(out)
}

impl Inbound {
    /// Whether its readers see one of the words: in its header, in a text, or in the name of a file.
    #[must_use]
    pub fn has_words(&self, words: &PersonWords) -> bool {
        let is_text = |part: &&Part| part.media_type.starts_with("text/") && !part.is_multipart();
        let hint = self.header_hint();
        self.parts.iter().any(|part| {
            header::fields(&self.raw[part.header.clone()])
                .any(|field| words.is_in(&field.decoded(hint)) || words.is_in(&field.text()))
        }) || self.parts.iter().filter(is_text).any(|part| {
            let content = text::decode_part(&self.raw, part);
            let shown = || text::text_from_html(&content);
            words.is_in(&content) || part.media_type == "text/html" && words.is_in(&shown())
        })
    }
}

/// HTML without the words; `None` if it has none of them. Words that are written with references, or across elements,
/// cannot be found in the source: then the text of the document is all that is left of it.
fn redacted_html(html: &str, new: &Rewriting<'_>) -> Option<String> {
    let redacted = new.words.redacted(html, &text::escape_html(new.instead));
    let source = redacted.as_deref().unwrap_or(html);
    let unescaped = text::text_from_html(&source.replace('<', "&lt;").replace('>', "&gt;"));
    let decoded = percent_encoding::percent_decode_str(&unescaped).decode_utf8_lossy();
    let shown = text::text_from_html(source);
    if new.words.is_in(&shown) || new.words.is_in(&unescaped) || new.words.is_in(&decoded) {
        let shown = new.words.redacted(&shown, new.instead).unwrap_or(shown);
        return Some(text::html_from_text(&shown));
    }
    redacted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::parse;

    fn made(raw: &str, words: &[&str]) -> String {
        let inbound = parse(raw.replace('\n', "\r\n").into_bytes()).unwrap();
        let address = EmailAddress::parse("redacted@x.org").unwrap();
        let words = PersonWords::of_words(words.iter().copied());
        let new = Redacted { words: &words, instead: "[removed]", address: &address, message_id: "1@x" };
        String::from_utf8(redacted(&inbound, &new)).unwrap().replace("\r\n", "\n")
    }

    #[test]
    fn words_and_addresses_are_taken_out_of_header_text_and_html() {
        let raw = "Received: from secret.home by x\nFrom: Ada Lovelace <ada@x.org>\nSubject: =?utf-8?q?S=C3=A9cret?= plan\n\
            To: news@x.org\nCc: bob@y.org, eve@y.org\nMessage-ID: <1@x>\nX-Note: secret\nMIME-Version: 1.0\n\
            Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\
            Content-Transfer-Encoding: base64\n\nCall me at SÉCRET or 555 12\n--b\nContent-Type: text/html\n\n\
            <p title=\"secretary\">The <b>sécret</b> of <a href=\"mailto:bob@y.org\">bob</a></p>\n--b--\n";
        let text = data_encoding::BASE64.encode("Call me: sÉcret, or 555\n12. Secrets stay.\n".as_bytes());
        let raw = raw.replace("Call me at SÉCRET or 555 12", &text);
        let made = made(&raw, &["Sécret", "bob@y.org", "555 12"]);
        let again = parse(made.replace('\n', "\r\n").into_bytes()).unwrap();
        assert_eq!(again.subject, "[removed] plan");
        assert_eq!(again.from.as_ref().unwrap().name, "Ada Lovelace");
        let content = again.content();
        assert_eq!(content.plain.as_deref(), Some("Call me: [removed], or [removed]. Secrets stay.\n"));
        let html = content.html.unwrap();
        assert!(html.contains("<b>[removed]</b>") && html.contains("title=\"secretary\""), "{html}");
        assert!(!made.contains("Cc:") && !made.contains("bob@y.org") && !made.contains("X-Note"), "{made}");
    }

    #[test]
    fn html_that_hides_a_word_becomes_its_text() {
        for source in [
            "<p>Call Ren&eacute;e <i>now</i></p>",
            "<p>Call Ren&#233;e <i>now</i></p>",
            "<p>Call Re<b>n</b>ée <i>now</i></p>",
            "<p>Call <a href=\"https://x.org/?q=Ren%C3%A9e\">Renée</a> <i>now</i></p>",
            "<p>Call <img alt=\"Ren&eacute;e\"> [removed] <i>now</i></p>",
        ] {
            let raw = format!("From: a@x.org\nContent-Type: text/html; charset=utf-8\n\n{source}\n");
            let made = made(&raw, &["Renée"]);
            let again = parse(made.replace('\n', "\r\n").into_bytes()).unwrap().content();
            let html = again.html.unwrap();
            assert!(
                html.contains("[removed]") && html.contains("now") && !html.contains("Ren"),
                "{source}: {html}"
            );
        }
    }

    #[test]
    fn an_author_whose_address_is_taken_out_has_no_name_either() {
        let made = made("From: Ada <ada@x.org>\nSubject: hi\n\nx\n", &["ADA@X.org"]);
        assert!(
            made.starts_with("From: \"[removed]\" <redacted@x.org>\n") && !made.contains("Ada"),
            "{made}"
        );
    }

    #[test]
    fn words_between_the_parts_leave_the_text_alone() {
        let raw = "From: a@x.org\nSubject: hi\nContent-Type: multipart/mixed; boundary=b\n\nA secret preamble\n--b\n\n\
            A text\n--b\nContent-Type: image/png\n\nAAAA\n--b--\n";
        assert!(made(raw, &["other"]).contains("preamble"));
        let made = made(raw, &["secret"]);
        assert!(!made.contains("secret") && !made.contains("AAAA") && made.contains("A text"), "{made}");
    }

    #[test]
    fn names_of_files_lose_the_words_and_files_stay() {
        let raw = "From: a@x.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhi\n--b\n\
            Content-Type: image/png; name=\"secret plan.png\"\nContent-Disposition: attachment; filename=\"secret plan.png\"\n\n\
            AAAA\n--b--\n";
        let made = made(raw, &["secret"]);
        assert!(!made.contains("secret") && made.contains("AAAA"), "{made}");
    }
}
