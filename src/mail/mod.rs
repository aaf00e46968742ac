//! Functions over the bytes of messages.
//!
//! An incoming message is [parsed](fn@parse) once into an [`Inbound`], [decided](policy::decide) upon, and
//! [rewritten](fn@rewrite) into a [`SharedForm`], from which every member's copy is rendered. New mail is
//! [composed](compose) here, all outgoing mail is [signed](sign), and copies of a message with a proven sender are
//! [sealed](seal).
//!
//! No sockets, no storage, no clock and no randomness: time is an argument, identifiers and MIME boundaries are derived
//! from arguments, and a pattern search asks its caller whether time is over. Nothing in here fails except by a parse
//! error, whatever the bytes.
//!
//! This crate's own scanner ([`mime`]) finds the structure of a message, with limits on parts, depth and headers.
//! `mail-parser` is given single header fields and the contents of single parts, never a whole body, so hostile nesting
//! never reaches it.
//!
//! One reader decodes what people see: [`encoded_words`] the headers and [`charset`] the texts, for pages, the API, the
//! search, digests and copies alike. What it cannot decode goes out byte for byte.

mod answer;
mod authorless;
mod automatic;
pub mod bounce;
mod calm;
pub(crate) mod charset;
pub mod commands;
pub mod compose;
pub mod digest;
pub(crate) mod encoded_words;
pub mod envelope;
mod flowed;
pub mod formatting;
pub(crate) mod header;
pub mod html;
mod inbound;
pub mod mbox;
pub(crate) mod mime;
pub mod notice;
mod notice_html;
pub mod parse;
mod part;
pub mod pattern;
mod person_words;
pub mod policy;
mod preview;
mod providers;
pub mod reading;
pub mod reason;
mod redaction;
pub mod report;
pub mod rewrite;
pub mod seal;
mod seven_bit;
mod shifting;
pub mod sign;
pub mod smtp_reply;
pub mod subject;
pub mod submission;
pub mod taboo;
pub mod template;
pub(crate) mod text;
pub mod trace_headers;
pub(crate) mod transfer;
pub(crate) mod visible;

pub use answer::AnswerLine;
pub use authorless::{Authorless, authorless};
pub use automatic::{is_mail_system, is_report_sender};
pub use compose::{Attachment, NewPost, compose_flowed, compose_notice, compose_post};
pub use notice_html::{Button, Notice, Wording};
pub use parse::{Automation, Content, Inbound, Mailbox, ParseError, parse, parse_leniently};
pub use person_words::PersonWords;
pub use policy::{DiscardReason, HoldReason, RULES, RejectReason, SenderFacts, Verdict, decide};
pub use providers::refuses_regardless;
pub use redaction::{Redacted, redacted};
pub use rewrite::{ContentAuthor, Personal, RewriteContext, SharedForm, list_id, made_message_id, rewrite};
pub use seal::{ArcSealer, SealError};
pub use seven_bit::seven_bit;
pub(crate) use sign::BodyHasher;
pub use sign::{BodyHash, DkimSigner, DkimSignerError, body_hash};
pub use template::{Template, TemplateError, Variable};
pub use trace_headers::{author_domains, has_signature, waives_tls};

/// The fields of a header block in order: names, and undecoded values on one line each.
#[must_use]
pub fn header_fields(block: &[u8]) -> Vec<(String, String)> {
    let pair = |field: header::Field<'_>| {
        (String::from_utf8_lossy(field.name()).into_owned(), field.text().into_owned())
    };
    header::fields(block).map(pair).collect()
}

/// Takes the fields of these names, which are in lower case, out of a message; its body stays where it is.
pub fn drop_fields(message: &mut Vec<u8>, names: &[&str]) {
    let length = header::block_end(message, 0);
    let mut left = Vec::with_capacity(length);
    for field in
        header::fields(&message[..length]).filter(|field| !names.contains(&field.folded_name().as_str()))
    {
        left.extend_from_slice(field.raw);
    }
    left.extend_from_slice(b"\r\n");
    message.splice(..length, left);
}

/// A message whose header ends as every reader expects it, before the line at which [`split`] ends it.
#[must_use]
pub fn with_sound_header(message: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    let (head, body) = split(message);
    if head.ends_with(b"\r\n\r\n") || head == b"\r\n" || body.is_empty() {
        return message.into();
    }
    let fields = header::fields(head).map(|field| field.raw).collect::<Vec<_>>().concat();
    [&fields, &b"\r\n"[..], body].concat().into()
}

/// The header of a message, including the empty line after it, and its body.
#[must_use]
pub fn split(message: &[u8]) -> (&[u8], &[u8]) {
    message.split_at(header::block_end(message, 0))
}
