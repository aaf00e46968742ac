//! The messages inside a digest: their header fields, and lines in the place of attachments that are too much for one
//! mail.

use std::ops::Range;

use super::facts::{DigestEntry, NewDigest};
use crate::locale::{size, text};
use crate::mail::header::{self, Field};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;
use crate::model::Language;

/// The fields that a message keeps inside a digest, beside those of its content. How it came here is left out.
const KEPT_FIELDS: [&str; 13] = [
    "date",
    "from",
    "to",
    "cc",
    "subject",
    "message-id",
    "in-reply-to",
    "references",
    "reply-to",
    "keywords",
    "mime-version",
    "archived-at",
    "organization",
];
/// Characters of a file's name that are shown.
const NAME_CHARS_MAX: usize = 120;

/// The lines between the parts of a digest; none stands in a message.
pub(super) struct Boundaries {
    pub(super) mixed: String,
    pub(super) alternative: String,
    digest: String,
}

impl Boundaries {
    /// Lines that stand in none of the messages.
    pub(super) fn of(digest: &NewDigest<'_>, mails: &[&[u8]]) -> Boundaries {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, digest.message_id.as_bytes());
        let hash = data_encoding::HEXLOWER.encode(&hash.as_ref()[..12]);
        let base = |number: u32| format!("=_digest_{hash}_{number}_");
        let is_free = |base: &String| {
            let finder = memchr::memmem::Finder::new(base.as_bytes());
            mails.iter().all(|mail| finder.find(mail).is_none())
        };
        // A message could have been written to hold the first ones.
        let base = (0..u32::MAX).map(base).find(is_free).unwrap_or_else(|| base(0));
        let named = |name: &str| format!("{base}{name}");
        Boundaries { mixed: named("m"), alternative: named("a"), digest: named("d") }
    }
}

/// Writes the part of all messages (RFC 2046 5.1.5).
pub(super) fn write(entries: &[DigestEntry], boundaries: &Boundaries, is_eight_bit: bool, raw: &mut Vec<u8>) {
    let eight_bit = "Content-Transfer-Encoding: 8bit\r\n";
    let begin = format!(
        "\r\n--{}\r\nContent-Type: multipart/digest; boundary=\"{}\"\r\n",
        boundaries.mixed, boundaries.digest
    );
    raw.extend_from_slice(begin.as_bytes());
    if is_eight_bit {
        raw.extend_from_slice(eight_bit.as_bytes());
    }
    for (place, entry) in entries.iter().enumerate() {
        let Some(mail) = &entry.mail else { continue };
        raw.extend_from_slice(format!("\r\n--{}\r\n", boundaries.digest).as_bytes());
        // Stated, though it is what a digest has: some programs offer a part without a type or a name as rubbish.
        raw.extend_from_slice(b"Content-Type: message/rfc822\r\n");
        let name = format!("Content-Disposition: inline; filename=\"{}.eml\"\r\n", place + 1);
        raw.extend_from_slice(name.as_bytes());
        if !mail.is_ascii() {
            raw.extend_from_slice(eight_bit.as_bytes());
        }
        raw.extend_from_slice(b"\r\n");
        raw.extend_from_slice(mail);
    }
    raw.extend_from_slice(format!("\r\n--{}--\r\n", boundaries.digest).as_bytes());
}

/// A message as a digest holds it, with the fields that readers need.
#[must_use]
pub fn kept_part(mail: &Inbound) -> Vec<u8> {
    let mut kept = Vec::with_capacity(mail.raw.len());
    write_fields(mail, true, &mut kept);
    kept.extend_from_slice(b"\r\n");
    kept.extend_from_slice(&mail.raw[mail.parts[0].body.clone()]);
    kept
}

fn write_fields(mail: &Inbound, with_content: bool, kept: &mut Vec<u8>) {
    let is_kept = |field: &Field<'_>| {
        let name = field.folded_name();
        KEPT_FIELDS.contains(&name.as_str()) || (with_content && name.starts_with("content-"))
    };
    for field in mail.fields().filter(is_kept) {
        kept.extend_from_slice(field.raw);
        if !field.raw.ends_with(b"\n") {
            kept.extend_from_slice(b"\r\n");
        }
    }
}

/// The files of a message, which are neither its text nor inside something that must not change.
fn attachments(mail: &Inbound) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (index, part) in mail.parts.iter().enumerate() {
        let is_file = !part.is_multipart() && (part.is_attachment || !part.media_type.starts_with("text/"));
        let is_inside = |part: &Part| {
            ancestors(mail, part).any(|outer| found.contains(&outer) || is_sealed(&mail.parts[outer]))
        };
        if is_file && !part.media_type.starts_with("multipart/") && !is_sealed(part) && !is_inside(part) {
            found.push(index);
        }
    }
    found
}

fn ancestors<'a>(mail: &'a Inbound, part: &Part) -> impl Iterator<Item = usize> + 'a {
    std::iter::successors(part.parent, |outer| mail.parts[*outer].parent)
}

/// Whether a part would be worth nothing if anything inside it changed.
fn is_sealed(part: &Part) -> bool {
    matches!(
        part.media_type.as_str(),
        "multipart/signed"
            | "multipart/encrypted"
            | "application/pkcs7-mime"
            | "application/x-pkcs7-mime"
            | "application/pkcs7-signature"
            | "application/pgp-encrypted"
            | "application/pgp-signature"
    )
}

impl Inbound {
    /// The number of files that a message offers.
    #[must_use]
    pub fn count_attachments(&self) -> usize {
        let is_file =
            |index: &usize| self.parts[*index].is_attachment || self.parts[*index].filename.is_some();
        attachments(self).into_iter().filter(is_file).count()
    }
}

/// A message as a digest holds it, with a line in the place of each file: its name, and where it can be got.
#[must_use]
pub fn without_attachments(mail: &Inbound, permalink: Option<&str>, language: Language) -> Vec<u8> {
    let files = attachments(mail);
    let line_of = |index: usize| line(mail, &mail.parts[index], permalink, language);
    let mut kept = Vec::new();
    if files == [0] {
        write_fields(mail, false, &mut kept);
        write_line(&line_of(0), &mut kept);
        return kept;
    }
    write_fields(mail, true, &mut kept);
    kept.extend_from_slice(b"\r\n");
    let mut position = mail.parts[0].body.start;
    for index in files {
        let Range { start, end } = mail.parts[index].header.start..mail.parts[index].body.end;
        if start < position {
            continue;
        }
        kept.extend_from_slice(&mail.raw[position..start]);
        write_line(&line_of(index), &mut kept);
        position = end;
    }
    kept.extend_from_slice(&mail.raw[position..mail.parts[0].body.end.max(position)]);
    kept
}

/// Writes a part of one line: its fields and its text, without a line end behind it, as parts have none.
fn write_line(line: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
    );
    text::encode_qp(line.as_bytes(), out);
}

fn line(mail: &Inbound, part: &Part, permalink: Option<&str>, language: Language) -> String {
    let name = part.filename.as_deref().map(header::one_line).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| text!(language, "copy-attachment-nameless"));
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let kind: String = part.media_type.chars().take(NAME_CHARS_MAX).collect();
    let encoded = &mail.raw[part.body.clone()];
    let bytes = match part.encoding {
        // Four characters for three bytes, and a line end after 76.
        Encoding::Base64 => encoded.len() as u64 * 3 / 4 * 76 / 78,
        _ => encoded.len() as u64,
    };
    let size = size(language, bytes);
    match permalink {
        Some(link) => text!(language, "digest-file-link", name = name, kind = kind, size = size, link = link),
        None => text!(language, "digest-file", name = name, kind = kind, size = size),
    }
}
