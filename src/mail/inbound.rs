//! A message as it came in, parsed as far as decisions and rewriting need it, and the reasons why one is refused. Made by
//! [`parse`](super::parse()).

use std::borrow::Cow;
use std::sync::Arc;

use super::charset::{self, Charset};
use super::header;
use super::part::Part;
use super::text;
use crate::clock::Timestamp;
use crate::model::EmailAddress;

/// Octets of a subject or name that are kept for display.
const SHOWN_TEXT_BYTES_MAX: usize = 2000;

/// The reason why a message is refused; the text goes into an SMTP reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// A NUL octet.
    #[error("the message has NUL octets")]
    Nul,
    /// A line longer than [`LINE_BYTES_MAX`](super::parse::LINE_BYTES_MAX).
    #[error("the message has a line of more than 998 octets")]
    LineTooLong,
    /// A header block larger than [`super::mime::HEADER_BYTES_MAX`].
    #[error("the message has a header of more than 256 KiB")]
    HeaderTooLarge,
    /// More fields than [`super::mime::HEADER_FIELDS_MAX`].
    #[error("the message has more than 1000 header fields")]
    TooManyFields,
    /// More parts than [`super::mime::PARTS_MAX`].
    #[error("the message has more than 1000 parts")]
    TooManyParts,
    /// Parts nested deeper than [`super::mime::DEPTH_MAX`].
    #[error("the message has parts nested more than 50 deep")]
    TooDeep,
    /// No From field (RFC 5322 3.6), which only posts must have: see [`Inbound::check_post`].
    #[error("the message must have a From field")]
    NoFrom,
    /// More than one From field, of which mail programs may show any (RFC 5322 3.6).
    #[error("the message has more than one From header")]
    SeveralFrom,
}

/// A display name and an address, as in From.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// Decoded display name; blank if there is none.
    pub name: String,
    /// The address.
    pub address: EmailAddress,
}

/// Whether a person or a machine wrote a message, as far as its headers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Automation {
    /// Probably a person: no header says otherwise.
    Person,
    /// Bulk mail: `Precedence`, or another list's headers.
    Bulk,
    /// `Auto-Submitted: auto-generated` and similar.
    Generated,
    /// An automatic reply (RFC 3834), for example an absence note.
    Replied,
    /// A delivery or disposition report (RFC 6522).
    Report,
}

/// An incoming message, parsed as far as decisions need it.
#[derive(Debug, Clone)]
pub struct Inbound {
    /// Its bytes; every line ends in CRLF.
    pub raw: Arc<[u8]>,
    /// The first mailbox of From, if its address is valid.
    pub from: Option<Mailbox>,
    /// Decoded subject, on one line.
    pub subject: String,
    /// Its Message-ID, without angle brackets.
    pub message_id: Option<String>,
    /// The first Message-ID of In-Reply-To.
    pub in_reply_to: Option<String>,
    /// Its References, oldest first; long chains lose their middle.
    pub references: Vec<String>,
    /// Its Date, set by the author.
    pub date: Option<Timestamp>,
    /// Whether a person or a machine wrote it.
    pub automation: Automation,
    /// The text between the angle brackets of each `List-Id`, in lower case.
    pub list_ids: Vec<String>,
    /// Number of `Received` fields.
    pub received_count: usize,
    pub(crate) parts: Vec<Part>,
}

/// The content of a message as the API shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// The first text part, with `\n` line ends.
    pub plain: Option<String>,
    /// The first HTML part, with `\n` line ends.
    pub html: Option<String>,
    /// All parts that are offered as files.
    pub attachments: Vec<Attachment>,
}

impl Content {
    /// The readable text: the plain text, or that of the HTML if the plain text is blank.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match (self.plain.as_deref(), self.html.as_deref()) {
            (Some(plain), _) if !plain.trim().is_empty() => Cow::Borrowed(plain),
            (_, Some(html)) => Cow::Owned(text::text_from_html(html)),
            (Some(_) | None, None) => Cow::Borrowed(""),
        }
    }
}

/// The parts of a message that have its text, and those that are files.
struct TextParts<'a> {
    plain: Option<&'a Part>,
    html: Option<&'a Part>,
    files: Vec<&'a Part>,
}

/// A file in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name; blank if it has none.
    pub filename: String,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// Its encoded size.
    pub encoded_bytes: usize,
}

impl Inbound {
    /// Refuses a parsable message that cannot be a post: members must see who wrote it.
    pub fn check_post(&self) -> Result<(), ParseError> {
        if self.fields().any(|field| field.is("From")) { Ok(()) } else { Err(ParseError::NoFrom) }
    }

    /// Whether it is a reply to another message.
    #[must_use]
    pub fn is_reply(&self) -> bool {
        self.in_reply_to.is_some()
            || !self.references.is_empty()
            || self.subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"))
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.raw.len()
    }

    /// The header fields of the message itself.
    pub(crate) fn fields(&self) -> header::Fields<'_> {
        header::fields(&self.raw[self.parts[0].header.clone()])
    }

    /// The first text and HTML parts in UTF-8, and the attachments; nested messages count as attachments.
    #[must_use]
    pub fn content(&self) -> Content {
        let TextParts { plain, html, files } = self.text_parts();
        let decoded = |part: &Part| text::decode_part(&self.raw, part).replace("\r\n", "\n");
        Content {
            plain: plain.map(decoded),
            html: html.map(decoded),
            attachments: files.into_iter().map(attachment).collect(),
        }
    }

    /// The beginning of the readable text ([`Content::text`]), made of at most this many bytes of it: little more is
    /// decoded, however long it is.
    #[must_use]
    pub fn text_beginning(&self, bytes_max: usize) -> String {
        let TextParts { plain, html, files: _ } = self.text_parts();
        let decoded = |part: &Part, bytes_max| text::decode_beginning(&self.raw, part, bytes_max);
        let plain = plain.map(|part| decoded(part, bytes_max)).filter(|plain| !plain.trim().is_empty());
        // Styles and tags take more room than the words between them.
        let of_html = || html.map(|part| text::text_from_html(&decoded(part, bytes_max.saturating_mul(4))));
        let mut text = plain.or_else(of_html).unwrap_or_default();
        text.truncate(text.floor_char_boundary(bytes_max));
        text
    }

    /// The media types of the parts that are offered as files.
    pub fn file_types(&self) -> impl Iterator<Item = &str> {
        self.text_parts().files.into_iter().map(|part| part.media_type.as_str())
    }

    fn text_parts(&self) -> TextParts<'_> {
        let mut found = TextParts { plain: None, html: None, files: Vec::new() };
        for part in &self.parts {
            if part.is_multipart() || self.is_inside_message(part) {
                continue;
            }
            let place = match part.media_type.as_str() {
                "text/plain" if !part.is_attachment => &mut found.plain,
                "text/html" if !part.is_attachment => &mut found.html,
                _ => {
                    found.files.push(part);
                    continue;
                }
            };
            if place.is_none() {
                *place = Some(part);
            } else {
                found.files.push(part);
            }
        }
        found
    }

    /// The character set in which raw octets of the header are that are no UTF-8.
    pub(crate) fn header_hint(&self) -> Option<Charset> {
        charset::header_hint(&self.parts)
    }

    /// Whether `part` is inside a nested message.
    pub(crate) fn is_inside_message(&self, part: &Part) -> bool {
        let mut parent = part.parent;
        while let Some(index) = parent {
            if self.parts[index].media_type.starts_with("message/") {
                return true;
            }
            parent = self.parts[index].parent;
        }
        false
    }
}

fn attachment(part: &Part) -> Attachment {
    Attachment {
        filename: clip(part.filename.clone().unwrap_or_default()),
        media_type: part.media_type.clone(),
        encoded_bytes: part.body.len(),
    }
}

/// A text, not longer than what is kept for display.
pub(super) fn clip(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(SHOWN_TEXT_BYTES_MAX));
    text
}
