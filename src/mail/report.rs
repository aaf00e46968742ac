//! Writes delivery reports (RFC 3464) about delivered messages, for senders who request them.
//!
//! `ops::posting` calls it. A report never announces a failure.

use std::fmt::Write as _;

use mail_builder::MessageBuilder;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};

use super::compose::{mailbox, raw_text, serialize, text_part};
use super::parse::Inbound;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{EmailAddress, Language};

/// Octets of the original's header that are returned.
const HEADER_BYTES_MAX: usize = 16 * 1024;

/// The action taken for a message (RFC 3464 2.3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It reached its destination.
    Delivered,
    /// It was forwarded, and no further report will follow.
    Relayed,
}

/// One recipient of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// The address.
    pub address: EmailAddress,
    /// The original address that the sender stated, with its type, in printable ASCII.
    pub original: Option<String>,
    /// The action taken.
    pub action: Action,
}

/// A report of success.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// Its Message-ID, without angle brackets.
    pub message_id: &'a str,
    /// Its Date.
    pub now: Timestamp,
    /// Address in From.
    pub from: &'a EmailAddress,
    /// The sender of the original message.
    pub to: &'a EmailAddress,
    /// The language of the part for people.
    pub language: Language,
    /// The name of this server.
    pub reporting: &'a str,
    /// The sender's own identifier of the transaction, in printable ASCII.
    pub envelope_id: Option<&'a str>,
    /// The recipients that it reports on.
    pub recipients: &'a [Delivered],
    /// The original message, whose header is returned.
    pub about: &'a Inbound,
}

/// The raw message of a report.
#[must_use]
pub fn compose_report(report: &Report<'_>) -> Vec<u8> {
    let Report { message_id, now, from, to, language, reporting: _, envelope_id: _, recipients: _, about } =
        report;
    let boundary = format!("=_report-{message_id}");
    let parts = vec![
        text_part("text/plain", &for_people(report)),
        part("message/delivery-status", for_machines(report).into_bytes()),
        part("text/rfc822-headers", header_of(about)),
    ];
    let kind = ContentType::new("multipart/report")
        .attribute("report-type", "delivery-status")
        .attribute("boundary", boundary);
    let mut builder = MessageBuilder::new()
        .from(mailbox(&text!(*language, "report-from"), from))
        .to(mailbox("", to))
        // A subject that this server signs must not contain a stranger's text.
        .header("Subject", raw_text("Subject", &text!(*language, "report-subject")))
        .header("Date", Raw::new(now.rfc2822()))
        .header("Message-ID", MessageId::new(*message_id))
        .header("Auto-Submitted", Raw::new("auto-replied"))
        .header("Content-Language", Raw::new(language.word()));
    if let Some(original) = about.message_id.as_deref() {
        builder = builder
            .header("In-Reply-To", MessageId::new(original))
            .header("References", MessageId::new(original));
    }
    serialize(builder.body(MimePart::new(kind, BodyPart::Multipart(parts))))
}

fn for_people(report: &Report<'_>) -> String {
    let language = report.language;
    let mut text = text!(language, "report-begin") + "\n\n";
    for Delivered { address, original: _, action } in report.recipients {
        let address = address.as_str();
        let line = match action {
            Action::Delivered => text!(language, "report-delivered", address = address),
            Action::Relayed => text!(language, "report-relayed", address = address),
        };
        let _ = writeln!(text, "    {line}");
    }
    text + "\n" + &text!(language, "report-end") + "\n"
}

/// The fields about the message, then those about each recipient (RFC 3464 2.1).
fn for_machines(report: &Report<'_>) -> String {
    let mut fields = format!("Reporting-MTA: dns; {}\r\n", report.reporting);
    if let Some(id) = report.envelope_id {
        let _ = write!(fields, "Original-Envelope-Id: {id}\r\n");
    }
    let _ = write!(fields, "Arrival-Date: {}\r\n", report.now.rfc2822());
    for Delivered { address, original, action } in report.recipients {
        fields.push_str("\r\n");
        if let Some(original) = original {
            let _ = write!(fields, "Original-Recipient: {original}\r\n");
        }
        let action = match action {
            Action::Delivered => "delivered",
            Action::Relayed => "relayed",
        };
        let _ =
            write!(fields, "Final-Recipient: {}\r\nAction: {action}\r\nStatus: 2.1.5\r\n", typed(address));
    }
    fields
}

/// An address with its type; one beyond ASCII in the form of RFC 6533 3.
fn typed(address: &EmailAddress) -> String {
    if address.as_str().is_ascii() {
        return format!("rfc822; {address}");
    }
    let mut typed = "utf-8; ".to_owned();
    for c in address.as_str().chars() {
        if c.is_ascii_graphic() && !"\\+=".contains(c) {
            typed.push(c);
        } else {
            let _ = write!(typed, "\\x{{{:X}}}", u32::from(c));
        }
    }
    typed
}

/// The header of the original in whole lines; a very long one is cut.
fn header_of(about: &Inbound) -> Vec<u8> {
    let (header, _) = super::split(&about.raw);
    let mut kept = &header[..header.len().min(HEADER_BYTES_MAX)];
    if kept.len() < header.len() {
        kept = &kept[..memchr::memrchr(b'\n', kept).map_or(0, |end| end + 1)];
    }
    kept.to_vec()
}

/// A part whose content is written unchanged.
fn part(media_type: &'static str, content: Vec<u8>) -> MimePart<'static> {
    let encoding = if content.is_ascii() { "7bit" } else { "8bit" };
    MimePart::new(ContentType::new(media_type), BodyPart::Binary(content.into())).transfer_encoding(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::bounce;
    use crate::mail::parse;

    fn address(text: &str) -> EmailAddress {
        EmailAddress::parse(text).unwrap()
    }

    fn report(message: &str) -> Vec<u8> {
        let recipients = [
            Delivered {
                address: address("news@x.org"),
                original: Some("rfc822; News@y.org".into()),
                action: Action::Delivered,
            },
            Delivered { address: address("grüße@x.org"), original: None, action: Action::Relayed },
        ];
        compose_report(&Report {
            message_id: "r@x.org",
            now: Timestamp::from_ms(0),
            from: &address("postmaster@x.org"),
            to: &address("ada@y.org"),
            language: Language::English,
            reporting: "mx.x.org",
            envelope_id: Some("17"),
            recipients: &recipients,
            about: &parse(message.as_bytes()).unwrap(),
        })
    }

    #[test]
    fn a_report_tells_machines_and_people() {
        let raw = report("From: ada@y.org\r\nSubject: Hi\r\nMessage-ID: <1@y>\r\n\r\nsecret\r\n");
        let text = String::from_utf8(raw.clone()).unwrap();
        for words in [
            "Subject: Your message was delivered\r\n",
            "Auto-Submitted: auto-replied\r\n",
            "In-Reply-To: <1@y>\r\n",
            "Reporting-MTA: dns; mx.x.org\r\nOriginal-Envelope-Id: 17\r\n",
            "\r\n\r\nOriginal-Recipient: rfc822; News@y.org\r\nFinal-Recipient: rfc822; news@x.org\r\nAction: delivered\r\n",
            "\r\n\r\nFinal-Recipient: utf-8; gr\\x{FC}\\x{DF}e@x.org\r\nAction: relayed\r\nStatus: 2.1.5\r\n",
            "news@x.org: delivered",
            "From: ada@y.org\r\nSubject: Hi\r\n",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains("secret"), "{text}");
        let parsed = parse(raw).unwrap();
        assert!(parsed.is_automated());
        assert_eq!(bounce::read(&parsed, false), bounce::Report::Nothing, "nothing failed");
    }

    #[test]
    fn of_a_long_header_whole_lines_go_back() {
        let raw = report(&format!(
            "From: ada@y.org\r\n{}\r\nhi\r\n",
            "X-Long: 01234567890123456789\r\n".repeat(900)
        ));
        assert!(raw.len() < HEADER_BYTES_MAX + 4000, "{}", raw.len());
        let text = String::from_utf8(raw).unwrap();
        assert!(text.lines().filter(|line| line.starts_with("X-Long")).all(|line| line.ends_with("789")));
    }
}
