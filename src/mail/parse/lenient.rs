//! Parses mail of archives, whatever it is: nothing is refused.
//!
//! Mail that comes in now must be sound, or its sender is told. A message of an archive was read by people years ago,
//! and is to be read again: it keeps NUL octets, long lines and second From fields, and a structure beyond the limits
//! counts as text.

use std::sync::Arc;

use super::{Automation, Inbound, ParseError, mend_line_ends};
use crate::clock::Timestamp;
use crate::mail::automatic::Signs;
use crate::mail::{header, mime};

/// Parses the bytes of an archived message. Bare line feeds and carriage returns become CRLF.
#[must_use]
pub fn parse_leniently(raw: impl Into<Arc<[u8]>>) -> Inbound {
    let raw: Arc<[u8]> = raw.into();
    let raw = if super::has_clean_line_ends(&raw) { raw } else { Arc::from(mend_line_ends(&raw)) };
    let parts = mime::scan(&raw).unwrap_or_else(|_| vec![mime::whole(&raw)]);
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
    let block = &raw[inbound.parts[0].header.clone()];
    let hint = inbound.header_hint();
    for field in header::fields(block).take(mime::HEADER_FIELDS_MAX) {
        match inbound.take(&field, hint, &mut signs) {
            // The first From counts.
            Ok(()) | Err(ParseError::SeveralFrom) => {}
            // No other error comes of a single field.
            Err(_) => break,
        }
    }
    inbound.automation = signs.judge(&inbound);
    inbound
}

/// Fields of which a message has at least one.
const KNOWN_FIELDS: [&str; 8] =
    ["From", "Date", "Subject", "Message-ID", "To", "Received", "Return-Path", "Content-Type"];

impl Inbound {
    /// Whether it has a header field that messages have; text that is no message has none.
    #[must_use]
    pub fn has_known_field(&self) -> bool {
        let mut fields = self.fields().take(mime::HEADER_FIELDS_MAX);
        fields.any(|field| KNOWN_FIELDS.iter().any(|name| field.is(name)))
    }

    /// The text of From, whether it has an address or not.
    #[must_use]
    pub fn sender_text(&self) -> String {
        let from = self.fields().find(|field| field.is("From"));
        super::clip(from.map(|from| header::one_line(&from.decoded(self.header_hint()))).unwrap_or_default())
    }

    /// When the last server received it: the date of the topmost Received field.
    #[must_use]
    pub fn received_date(&self) -> Option<Timestamp> {
        let received = self.fields().find(|field| field.is("Received"))?;
        let value = received.value();
        let semicolon = memchr::memrchr(b';', value)?;
        let field = [b"Date:", &value[semicolon + 1..]].concat();
        header::fields(&field).next().as_ref().and_then(super::date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archived_message_is_read_whatever_it_is() {
        let long = "x".repeat(5000);
        let raw = format!("From: a@x.org\nFrom: b@x.org\nSubject: a\nMessage-ID: <1@x>\n\nnul \0\n{long}\n");
        let inbound = parse_leniently(raw.clone().into_bytes());
        assert_eq!(inbound.from.as_ref().map(|from| from.address.as_str()), Some("a@x.org"));
        assert_eq!((inbound.subject.as_str(), inbound.message_id.as_deref()), ("a", Some("1@x")));
        assert_eq!(inbound.raw[..], *raw.replace('\n', "\r\n").as_bytes());
        assert_eq!(inbound.content().plain, Some(format!("nul \0\n{long}\n")));
    }

    #[test]
    fn the_last_server_says_when_a_message_was_received() {
        let received = |header: &str| parse_leniently(format!("{header}\n\n").into_bytes()).received_date();
        let date = received(
            "Received: by a; Mon,\n 1 Jan 2001 15:04:05 +0000\nReceived: by b; 1 Jan 2000 00:00:00 +0000",
        );
        assert_eq!(date.map(Timestamp::rfc3339).as_deref(), Some("2001-01-01T15:04:05Z"));
        assert_eq!(received("Received: by a"), None);
        assert_eq!(received("Received: by a; noon"), None);
    }

    #[test]
    fn a_structure_beyond_the_limits_counts_as_text() {
        let nested = format!("Subject: deep\r\n{}end\r\n", "Content-Type: message/rfc822\r\n\r\n".repeat(60));
        let inbound = parse_leniently(nested.into_bytes());
        assert_eq!(inbound.subject, "deep");
        assert!(inbound.content().text().ends_with("end\n"));
        let fields = format!("Subject: many\r\n{}\r\nhello\r\n", "A: b\r\n".repeat(2000));
        let inbound = parse_leniently(fields.into_bytes());
        assert_eq!((inbound.subject.as_str(), &*inbound.content().text()), ("many", "hello\n"));
    }
}
