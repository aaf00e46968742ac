//! Composes new mail: posts from API calls, and notices of the server, as text with HTML beside it.
//!
//! Message-ID and Date are arguments, and MIME boundaries are derived from the Message-ID, so that the same call gives
//! the same bytes.

use mail_builder::MessageBuilder;
use mail_builder::headers::address::Address;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::mime::{BodyPart, MimePart};

use super::notice_html::{self, Notice};
use super::{flowed, header, text};
use crate::clock::Timestamp;
use crate::model::EmailAddress;

/// A post from an API call.
#[derive(Debug, Clone)]
pub struct NewPost<'a> {
    /// Its Message-ID, without angle brackets.
    pub message_id: &'a str,
    /// Its Date.
    pub now: Timestamp,
    /// Name in From.
    pub from_phrase: &'a str,
    /// Address in From.
    pub from_address: &'a EmailAddress,
    /// The list's address, in To.
    pub list_address: &'a EmailAddress,
    /// Its subject, which may be blank.
    pub subject: &'a str,
    /// Plain text; made from the HTML if there is none.
    pub content_plain: Option<&'a str>,
    /// HTML; made from the text if there is none.
    pub content_html: Option<&'a str>,
    /// Message-ID of the message that this one replies to.
    pub in_reply_to: Option<&'a str>,
    /// References of that message, oldest first, without itself.
    pub references: &'a [String],
    /// Its files.
    pub attachments: &'a [Attachment],
}

/// A file in a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type, such as `application/pdf`.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Attachment {
    /// The media type under which it is sent: one that is none, or that has parts of its own, is that of any file.
    fn sent_type(&self) -> &str {
        let is_token = |text: &str| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '+' | '_');
            !text.is_empty() && text.chars().all(is_part)
        };
        let essence = self.media_type.split(';').next().unwrap_or_default().trim();
        match essence.split_once('/') {
            Some((kind, subtype)) if is_token(kind) && is_token(subtype) => match kind {
                "multipart" | "message" => ANY_FILE,
                _ => essence,
            },
            _ => ANY_FILE,
        }
    }
}

/// The media type of any file.
const ANY_FILE: &str = "application/octet-stream";

/// The raw message of an API post: text and HTML as alternatives.
#[must_use]
pub fn compose_post(post: &NewPost<'_>) -> Vec<u8> {
    let plain = post
        .content_plain
        .map_or_else(|| text::text_from_html(post.content_html.unwrap_or_default()), ToOwned::to_owned);
    let html = post.content_html.map_or_else(|| text::html_from_text(&plain), ToOwned::to_owned);
    let parts = vec![text_part("text/plain", &plain), text_part("text/html", &html)];
    let body = alternatives(post.message_id, parts);
    if post.attachments.is_empty() {
        return serialize(headed(post).body(body));
    }
    let mut parts = vec![body];
    parts.extend(post.attachments.iter().map(|file| {
        let kind = ContentType::new(file.sent_type().to_owned());
        MimePart::new(kind, BodyPart::Binary(file.bytes.clone().into()))
            .attachment(header::one_line(&file.name))
    }));
    let boundary = format!("=_{}", &hex(post.message_id)[24..48]);
    let mixed = ContentType::new("multipart/mixed").attribute("boundary", boundary);
    serialize(headed(post).body(MimePart::new(mixed, BodyPart::Multipart(parts))))
}

/// The raw message of a member who writes on the pages: plain text that flows (RFC 3676). HTML is left out.
#[must_use]
pub fn compose_flowed(post: &NewPost<'_>) -> Vec<u8> {
    let text = flowed::flowed(post.content_plain.unwrap_or_default());
    let kind = ContentType::new("text/plain").attribute("charset", "utf-8").attribute("format", "flowed");
    serialize(headed(post).body(part_of(kind, &text)))
}

/// The header of a post.
fn headed<'a>(post: &NewPost<'a>) -> MessageBuilder<'a> {
    let mut builder = MessageBuilder::new()
        .from(mailbox(post.from_phrase, post.from_address))
        .to(mailbox("", post.list_address))
        .header("Subject", raw_text("Subject", post.subject))
        .header("Date", Raw::new(post.now.rfc2822()))
        .header("Message-ID", MessageId::new(post.message_id));
    if let Some(parent) = post.in_reply_to {
        let mut references: Vec<&str> = post.references.iter().map(String::as_str).collect();
        references.push(parent);
        builder = builder
            .header("In-Reply-To", MessageId::new(parent))
            .header("References", MessageId::new_list(references.into_iter()));
    }
    builder
}

/// The raw message of a notice: text and HTML as alternatives. Its header says that a machine wrote it (RFC 3834).
#[must_use]
pub fn compose_notice(notice: &Notice<'_>) -> Vec<u8> {
    let mut builder = MessageBuilder::new()
        .from(mailbox(notice.from_phrase, notice.from_address))
        .to(mailbox("", notice.to))
        .header("Subject", raw_text("Subject", notice.subject))
        .header("Date", Raw::new(notice.now.rfc2822()))
        .header("Message-ID", MessageId::new(notice.message_id))
        .header("Auto-Submitted", Raw::new(if notice.is_answer { "auto-replied" } else { "auto-generated" }))
        .header("Content-Language", Raw::new(notice.language.word()))
        // Without this, Exchange sends automatic replies to such mail, whatever other marks it has.
        .header("X-Auto-Response-Suppress", Raw::new("All"));
    if let Some(reply_to) = notice.reply_to {
        builder = builder.reply_to(mailbox("", reply_to));
    }
    if let Some(subject_of) = notice.in_reply_to {
        builder = builder
            .header("In-Reply-To", MessageId::new(subject_of))
            .header("References", MessageId::new(subject_of));
    }
    let plain = text_part("text/plain", notice.text);
    let Some(html) = notice_html::html(notice) else { return serialize(builder.body(plain)) };
    serialize(builder.body(alternatives(notice.message_id, vec![plain, text_part("text/html", &html)])))
}

/// Parts of which readers see the last one that they can show. The boundary is made of the Message-ID.
fn alternatives(message_id: &str, parts: Vec<MimePart<'static>>) -> MimePart<'static> {
    let boundary = format!("=_{}", &hex(message_id)[..24]);
    let kind = ContentType::new("multipart/alternative").attribute("boundary", boundary);
    MimePart::new(kind, BodyPart::Multipart(parts))
}

pub(super) fn serialize(builder: MessageBuilder<'_>) -> Vec<u8> {
    builder.write_to_vec().expect("writing into memory cannot fail")
}

pub(super) fn mailbox<'a>(phrase: &str, address: &'a EmailAddress) -> Address<'a> {
    let phrase = header::one_line(phrase);
    let phrase = if phrase.is_empty() { None } else { Some(phrase) };
    Address::new_address(phrase, address.as_str())
}

pub(super) fn raw_text(name: &str, value: &str) -> Raw<'static> {
    let mut field = Vec::new();
    header::write_text(&mut field, name, value);
    let text = String::from_utf8_lossy(&field[name.len() + 2..]).trim_end_matches("\r\n").to_owned();
    Raw::new(text)
}

/// A text part in quoted-printable, which no server on the way needs to re-encode.
pub(super) fn text_part(media_type: &'static str, content: &str) -> MimePart<'static> {
    part_of(ContentType::new(media_type).attribute("charset", "utf-8"), content)
}

fn part_of(kind: ContentType<'static>, content: &str) -> MimePart<'static> {
    let mut encoded = Vec::new();
    let mut content = text::with_crlf(content);
    if !content.ends_with("\r\n") {
        content.push_str("\r\n");
    }
    text::encode_qp(content.as_bytes(), &mut encoded);
    MimePart::new(kind, BodyPart::Binary(encoded.into())).transfer_encoding("quoted-printable")
}

fn hex(text: &str) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes());
    data_encoding::HEXLOWER.encode(digest.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Wording, parse};
    use crate::model::Language;

    fn address(text: &str) -> EmailAddress {
        EmailAddress::parse(text).unwrap()
    }

    fn post<'a>(from: &'a EmailAddress, list: &'a EmailAddress) -> NewPost<'a> {
        NewPost {
            message_id: "1.x@example.org",
            now: Timestamp::from_ms(1_795_187_045_000),
            from_phrase: "Ada \"A\" Lovelace",
            from_address: from,
            list_address: list,
            subject: "Grüße\r\nBcc: x@y.org",
            content_plain: None,
            content_html: None,
            in_reply_to: None,
            references: &[],
            attachments: &[],
        }
    }

    #[test]
    fn missing_html_is_made_from_the_text() {
        let (from, list) = (address("ada@x.org"), address("news@example.org"));
        let raw =
            compose_post(&NewPost { content_plain: Some("Hi <b>\n\nhttps://x.org/"), ..post(&from, &list) });
        let content = parse(raw).unwrap().content();
        assert_eq!(content.plain.as_deref(), Some("Hi <b>\n\nhttps://x.org/\n"));
        assert_eq!(
            content.html.as_deref(),
            Some("<p>Hi &lt;b&gt;</p>\n<p><a href=\"https://x.org/\">https://x.org/</a></p>\n")
        );
    }

    #[test]
    fn missing_text_is_made_from_the_html() {
        let (from, list) = (address("ada@x.org"), address("news@example.org"));
        let raw = compose_post(&NewPost { content_html: Some("<p>Hi <b>you</b></p>"), ..post(&from, &list) });
        assert_eq!(parse(raw).unwrap().content().plain.as_deref(), Some("Hi you\n"));
    }

    #[test]
    fn files_stand_behind_the_text_under_their_names() {
        let (from, list) = (address("ada@x.org"), address("news@example.org"));
        let file = |name: &str, media_type: &str| Attachment {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            bytes: b"\x00plan\r\n.\r\n".to_vec(),
        };
        let files = [file("Plan \u{fc}.pdf", "application/pdf"), file("x\r\nBcc: y@x.org", "message/rfc822")];
        let raw = compose_post(&NewPost {
            content_plain: Some("see the plan"),
            attachments: &files,
            ..post(&from, &list)
        });
        let message = parse(raw).unwrap();
        assert_eq!(message.content().plain.as_deref(), Some("see the plan\n"));
        let found: Vec<_> = message.parts.iter().filter_map(|part| part.filename.clone()).collect();
        assert_eq!(found, ["Plan \u{fc}.pdf", "x Bcc: y@x.org"]);
        let types: Vec<_> = message.parts.iter().rev().take(2).map(|part| part.media_type.as_str()).collect();
        assert_eq!(types, ["application/octet-stream", "application/pdf"]);
        for part in message.parts.iter().filter(|part| part.filename.is_some()) {
            let bytes = text::decode_transfer(&message.raw[part.body.clone()], part.encoding);
            assert_eq!(&bytes[..], &files[0].bytes[..]);
        }
    }

    #[test]
    fn a_reply_names_its_parent_and_headers_take_no_line_breaks() {
        let (from, list) = (address("ada@x.org"), address("news@example.org"));
        let references = ["0@x".to_owned()];
        let raw = compose_post(&NewPost {
            content_plain: Some("x"),
            in_reply_to: Some("1@x"),
            references: &references,
            ..post(&from, &list)
        });
        let message = parse(raw).unwrap();
        assert_eq!(message.references, ["0@x", "1@x"]);
        assert_eq!(message.in_reply_to.as_deref(), Some("1@x"));
        assert_eq!(message.subject, "Grüße Bcc: x@y.org");
        assert_eq!(message.message_id.as_deref(), Some("1.x@example.org"));
        assert_eq!(message.from.unwrap().name, "Ada \"A\" Lovelace");
        assert_eq!(message.date, Some(Timestamp::from_ms(1_795_187_045_000)));
    }

    #[test]
    fn what_a_member_writes_is_plain_text_that_flows() {
        let (from, list) = (address("ada@x.org"), address("news@example.org"));
        let long = "Dear all, the organ tuner can only come on Wednesday, so this week we sing on Thursday.";
        let raw = compose_flowed(&NewPost { content_plain: Some(long), ..post(&from, &list) });
        let text = String::from_utf8(raw.clone()).unwrap();
        assert!(text.contains("format=\"flowed\"") || text.contains("format=flowed"), "{text}");
        let content = parse(raw).unwrap().content();
        assert_eq!(
            (content.plain.map(|plain| plain.replace(" \n", " ")), content.html),
            (Some(format!("{long}\n")), None)
        );
    }

    #[test]
    fn a_notice_says_that_a_machine_wrote_it() {
        let (from, to) = (address("news-owner@example.org"), address("ada@x.org"));
        let raw = compose_notice(&Notice {
            message_id: "n@example.org",
            now: Timestamp::from_ms(0),
            from_phrase: "News",
            from_address: &from,
            to: &to,
            reply_to: None,
            subject: "Held",
            text: "Your message waits.",
            buttons: &[],
            wording: Wording::BuiltIn,
            in_reply_to: Some("1@x"),
            language: Language::English,
            is_answer: false,
        });
        let text = String::from_utf8(raw.clone()).unwrap();
        assert!(text.contains("Auto-Submitted: auto-generated\r\n"), "{text}");
        let mail = parse(raw).unwrap();
        assert!(mail.is_automated());
        let content = mail.content();
        assert_eq!(content.plain.as_deref(), Some("Your message waits.\n"));
        assert!(content.html.unwrap().contains("Your message waits.</p>"));
    }
}
