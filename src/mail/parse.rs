//! Parses bytes into an [`Inbound`]: the facts about a message that decisions and rewriting need.
//!
//! It runs for every accepted message, so it reads the relevant header fields and the structure, and decodes no body;
//! [`Inbound::content`] does that on request. All work is bounded, whatever the bytes.

mod lenient;

use std::sync::Arc;

use mail_parser::{Address, HeaderValue};

use super::automatic::Signs;
use super::charset::Charset;
use super::header::{self, Field, Form};
use super::inbound::clip;
use super::mime;
use crate::clock::Timestamp;
use crate::model::EmailAddress;

pub use super::inbound::{Attachment, Automation, Content, Inbound, Mailbox, ParseError};
pub use lenient::parse_leniently;

/// Octets of one line without its line end (RFC 5322 2.1.1).
pub const LINE_BYTES_MAX: usize = 998;
/// References that are kept; of longer chains, the first and the newest.
const REFERENCES_MAX: usize = 100;
/// Octets of the longest Message-ID that is kept; a longer one counts as missing.
const MESSAGE_ID_BYTES_MAX: usize = 250;
/// `List-Id` fields that are read.
const LIST_IDS_MAX: usize = 20;

/// Parses a message. Bare line feeds and carriage returns become CRLF first, as SMTP can transmit nothing else.
pub fn parse(raw: impl Into<Arc<[u8]>>) -> Result<Inbound, ParseError> {
    let raw = check_lines(raw.into())?;
    let parts = mime::scan(&raw)?;
    let mut inbound = Inbound {
        raw: Arc::clone(&raw),
        from: None,
        subject: String::new(),
        message_id: None,
        in_reply_to: None,
        references: Vec::new(),
        date: None,
        automation: Automation::Person,
        list_ids: Vec::new(),
        received_count: 0,
        parts,
    };
    let mut signs = Signs::default();
    let hint = inbound.header_hint();
    for field in header::fields(&raw[inbound.parts[0].header.clone()]) {
        inbound.take(&field, hint, &mut signs)?;
    }
    inbound.automation = signs.judge(&inbound);
    Ok(inbound)
}

/// Refuses NUL octets and overlong lines, and corrects line ends if needed.
fn check_lines(raw: Arc<[u8]>) -> Result<Arc<[u8]>, ParseError> {
    if memchr::memchr(0, &raw).is_some() {
        return Err(ParseError::Nul);
    }
    let raw = if has_clean_line_ends(&raw) { raw } else { Arc::from(mend_line_ends(&raw)) };
    let mut line_start = 0;
    for line_end in memchr::memchr_iter(b'\n', &raw).chain([raw.len()]) {
        let line = &raw[line_start..line_end];
        if LINE_BYTES_MAX < line.strip_suffix(b"\r").unwrap_or(line).len() {
            return Err(ParseError::LineTooLong);
        }
        line_start = line_end + 1;
    }
    Ok(raw)
}

/// Whether every line ends in CRLF. A message may lack its last line end.
fn has_clean_line_ends(raw: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', raw).all(|at| raw.get(at + 1) == Some(&b'\n'))
        && memchr::memchr_iter(b'\n', raw).all(|at| at != 0 && raw[at - 1] == b'\r')
}

pub(super) fn mend_line_ends(raw: &[u8]) -> Vec<u8> {
    let mut mended = Vec::with_capacity(raw.len() + raw.len() / 16);
    let mut previous = 0;
    for &byte in raw {
        match byte {
            b'\n' if previous == b'\r' => {}
            b'\r' | b'\n' => mended.extend_from_slice(b"\r\n"),
            _ => mended.push(byte),
        }
        previous = byte;
    }
    mended
}

impl Inbound {
    /// Reads one header field.
    fn take(
        &mut self,
        field: &Field<'_>,
        hint: Option<Charset>,
        signs: &mut Signs,
    ) -> Result<(), ParseError> {
        let name = field.folded_name();
        signs.note(&name, field);
        match name.as_str() {
            "from" if std::mem::replace(&mut signs.seen_from, true) => return Err(ParseError::SeveralFrom),
            "from" => self.from = first_mailbox(field, hint),
            "subject" => self.subject = clip(header::one_line(&field.decoded(hint))),
            "message-id" if self.message_id.is_none() => self.message_id = message_ids(field).pop(),
            "in-reply-to" => self.in_reply_to = message_ids(field).into_iter().next(),
            "references" => self.references = message_ids(field),
            "date" => self.date = date(field),
            "received" => self.received_count += 1,
            "list-id" if self.list_ids.len() < LIST_IDS_MAX => self.list_ids.push(list_id(&field.text())),
            _ => {}
        }
        Ok(())
    }
}

/// The first mailbox with a valid address, in a group or not.
pub(super) fn first_mailbox(field: &Field<'_>, hint: Option<Charset>) -> Option<Mailbox> {
    let HeaderValue::Address(address) = field.parsed(Form::Addresses, hint) else { return None };
    let first = match address {
        Address::List(addresses) => addresses.into_iter().next(),
        Address::Group(groups) => groups.into_iter().flat_map(|group| group.addresses).next(),
    }?;
    let name = first.name.as_deref().unwrap_or_default();
    let (local, domain) = first.address.as_deref()?.trim().rsplit_once('@')?;
    // mail-parser removes the backslashes of a quoted local part and keeps its quotes; outside of angle brackets, it
    // returns such an address as the name.
    if local.is_empty() && !name.is_empty() && is_quoted_before_at(&field.text()) {
        return Some(Mailbox { name: String::new(), address: EmailAddress::from_parts(name, domain).ok()? });
    }
    let address = match local.strip_prefix('"').and_then(|local| local.strip_suffix('"')) {
        Some(local) => EmailAddress::from_parts(local, domain),
        None => EmailAddress::parse(&format!("{local}@{domain}")),
    };
    Some(Mailbox { name: clip(header::one_line(name)), address: address.ok()? })
}

/// Whether a field begins with a quoted string that is the local part of an address.
fn is_quoted_before_at(text: &str) -> bool {
    let Some(text) = text.trim_start().strip_prefix('"') else { return false };
    let mut is_escaped = false;
    let end = text.find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.is_some_and(|end| text[end + 1..].starts_with('@'))
}

/// The Message-IDs of a field, without angle brackets; of long chains, the first and the newest.
fn message_ids(field: &Field<'_>) -> Vec<String> {
    let ids = match field.parsed(Form::MessageIds, None) {
        HeaderValue::Text(id) => vec![id],
        HeaderValue::TextList(ids) => ids,
        _ => Vec::new(),
    };
    let is_sound = |id: &String| {
        !id.is_empty()
            && id.len() <= MESSAGE_ID_BYTES_MAX
            && !id.contains(|c: char| c.is_control() || c == '<')
    };
    let mut ids: Vec<String> = ids.into_iter().map(|id| id.trim().to_owned()).filter(is_sound).collect();
    if REFERENCES_MAX < ids.len() {
        ids.drain(1..=ids.len() - REFERENCES_MAX);
    }
    ids
}

fn date(field: &Field<'_>) -> Option<Timestamp> {
    match field.parsed(Form::Date, None) {
        HeaderValue::DateTime(date) if date.is_valid() => {
            Some(Timestamp::from_ms(date.to_timestamp() * 1000))
        }
        _ => None,
    }
}

/// The identifier in angle brackets, else the whole text.
fn list_id(text: &str) -> String {
    let inner = text.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or(text, |(id, _)| id);
    clip(inner.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inbound(message: &str) -> Inbound {
        parse(message.replace('\n', "\r\n").into_bytes()).unwrap()
    }

    #[track_caller]
    fn check(headers: &str, expected: Automation) {
        assert_eq!(inbound(&format!("{headers}\n\nhi\n")).automation, expected, "{headers}");
    }

    #[test]
    fn an_author_may_have_a_quoted_local_part() {
        let from = |field: &str| {
            let from = inbound(&format!("From: {field}\n\nhi\n")).from.clone();
            from.map(|from| (from.name.clone(), from.address.to_string()))
        };
        let found = |name: &str, address: &str| Some((name.to_owned(), address.to_owned()));
        assert_eq!(from("\"ann lee\"@x.org"), found("", "\"ann lee\"@x.org"));
        assert_eq!(from("Ann <\"ann lee\"@x.org>"), found("Ann", "\"ann lee\"@x.org"));
        assert_eq!(from("<\"ann\"@x.org>"), found("", "ann@x.org"));
        assert_eq!(from("<\"a\\\"b\"@x.org>"), found("", "\"a\\\"b\"@x.org"));
        assert_eq!(from("\"Ann Lee\" <ann@x.org>"), found("Ann Lee", "ann@x.org"));
        assert_eq!(from("\"Bank\" CEO @x.org"), None, "a name is no local part");
        assert_eq!(from("Bank @x.org"), None);
    }

    #[test]
    fn the_headers_that_decisions_need_are_read() {
        let message = inbound(
            "Received: a\nReceived: b\nFrom: =?utf-8?q?Ad=C3=A1?= L <Ada@Example.ORG>, b@x.org\nSubject: Tea\n at five\n\
             Message-ID: <1@x>\nIn-Reply-To: <0@x>\nReferences: <00@x>\n <0@x>\nList-Id: News <News.example.org>\n\
             Date: Fri, 20 Nov 2026 16:04:05 +0100\n\nhi\n",
        );
        let from = message.from.clone().unwrap();
        assert_eq!((from.name.as_str(), from.address.as_str()), ("Adá L", "Ada@Example.ORG"));
        assert_eq!(message.subject, "Tea at five");
        assert_eq!(message.message_id.as_deref(), Some("1@x"));
        assert_eq!(message.in_reply_to.as_deref(), Some("0@x"));
        assert_eq!(message.references, ["00@x", "0@x"]);
        assert_eq!(message.list_ids, ["news.example.org"]);
        assert_eq!(message.received_count, 2);
        assert_eq!(message.date.unwrap().rfc3339(), "2026-11-20T15:04:05Z");
        assert!(message.is_reply());
    }

    #[test]
    fn automated_mail_is_told_from_people() {
        check("Subject: a", Automation::Person);
        check("Auto-Submitted: no", Automation::Person);
        check("Auto-Submitted: auto-replied (vacation)", Automation::Replied);
        check("Auto-Submitted: auto-generated", Automation::Generated);
        check(
            "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nIn-Reply-To: <1@x>",
            Automation::Replied,
        );
        check("X-Auto-Response-Suppress: OOF", Automation::Person);
        check("X-Auto-Response-Suppress: All\nSubject: Automatic reply: Minutes", Automation::Replied);
        check("X-Auto-Response-Suppress: All\nSubject: Abwesenheitsnotiz: Minutes", Automation::Replied);
        check("Auto-Submitted: auto-generated\nSubject: Réponse automatique : Minutes", Automation::Replied);
        check(
            "Auto-Submitted: auto-generated\nX-Auto-Response-Suppress: All\nReferences: <1@x>",
            Automation::Replied,
        );
        check("X-Auto-Response-Suppress: All\nReferences: <1@x>", Automation::Replied);
        check("X-Auto-Response-Suppress: All\nReferences: <1@x>\nPrecedence: list", Automation::Bulk);
        check("X-MS-Exchange-Inbox-Rules-Loop: ada@x.org", Automation::Replied);
        check("X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", Automation::Replied);
        check("X-MS-Exchange-Generated-Message-Source: Antispam Agent", Automation::Person);
        check("X-Mail-Autoreply: ada@x.org", Automation::Replied);
        check("Subject: Automatic reply: Minutes", Automation::Person);
        check("Subject: Undelivered Mail Returned to Sender", Automation::Person);
        check("Precedence: auto_reply", Automation::Replied);
        check("Precedence: bulk", Automation::Bulk);
        check("List-Id: <a.b>", Automation::Bulk);
        check("X-Autoreply: yes", Automation::Replied);
        check("Content-Type: multipart/report; boundary=b", Automation::Report);
    }

    #[test]
    fn what_smtp_cannot_carry_is_refused_or_mended() {
        assert_eq!(parse(&b"a: b\r\n\r\n\0"[..]).unwrap_err(), ParseError::Nul);
        let long = format!("a: b\r\n\r\n{}\r\n", "x".repeat(999));
        assert_eq!(parse(long.into_bytes()).unwrap_err(), ParseError::LineTooLong);
        assert_eq!(parse(&b"a: b\n\nc\rd\r\n"[..]).unwrap().raw[..], b"a: b\r\n\r\nc\r\nd\r\n"[..]);
    }

    #[test]
    fn a_post_needs_a_from_field() {
        assert_eq!(inbound("Subject: a\n\nFrom: a@x.org\n").check_post(), Err(ParseError::NoFrom));
        assert_eq!(inbound("From: a@x.org\n\nhi\n").check_post(), Ok(()));
    }

    #[test]
    fn several_from_headers_are_refused_and_none_is_nobody() {
        assert_eq!(parse(&b"From: a@x.org\r\nFrom: b@x.org\r\n"[..]).unwrap_err(), ParseError::SeveralFrom);
        for headers in ["Subject: a", "From: nobody", "From:", "From: <>", "From: a b@x.org"] {
            assert_eq!(inbound(&format!("{headers}\n\n")).from, None, "{headers}");
        }
    }

    #[test]
    fn a_long_chain_of_references_keeps_its_first_and_its_newest() {
        let chain: Vec<String> = (0..500).map(|n| format!("<{n}@x>")).collect();
        let references = inbound(&format!("References: {}\n\n", chain.join("\n "))).references;
        assert_eq!(references.len(), 100);
        assert_eq!(
            (references[0].as_str(), references[1].as_str(), references[99].as_str()),
            ("0@x", "401@x", "499@x")
        );
    }

    #[test]
    fn content_is_the_first_text_and_html_in_utf_8() {
        let content = inbound(
            "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/alternative; boundary=i\n\n\
             --i\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n\
             --i\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPHA+aGk8L3A+\n--i--\n\
             --o\nContent-Type: image/png; name=a.png\nContent-Disposition: attachment\n\nxx\n--o--\n",
        )
        .content();
        assert_eq!(content.plain.as_deref(), Some("Grüße"));
        assert_eq!(content.html.as_deref(), Some("<p>hi</p>"));
        assert_eq!(content.text(), "Grüße");
        assert_eq!(Content { plain: Some(" \n".into()), ..content.clone() }.text(), "hi");
        assert_eq!(Content::default().text(), "");
        assert_eq!(
            content.attachments,
            [Attachment { filename: "a.png".into(), media_type: "image/png".into(), encoded_bytes: 2 }]
        );
    }
}
