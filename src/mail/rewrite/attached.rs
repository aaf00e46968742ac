//! This server's own personal links in what is attached to a message: texts under a name or of no stated kind, and whole
//! messages with their headers. Signed and encrypted content stays as it is.
//!
//! The text of the message itself is looked at by [`text_part`](super::text_part), which decodes it in any case.

use std::ops::Range;

use super::links::{Cut, OwnLinks, Transfer};
use super::structure::is_inline_pgp;
use super::utf16;
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;

/// Bytes of an encoded file by which it is known to be no text.
const FILE_HEAD_BYTES: usize = 1024;

/// Bytes that are written in the place of others.
pub(super) struct Replaced {
    pub(super) range: Range<usize>,
    pub(super) bytes: Vec<u8>,
}

/// The parts of a message in which there are personal links, with what is written in the place of each link. `texts`
/// are the parts that are looked at elsewhere.
pub(super) fn scrubbed(
    inbound: &Inbound,
    links: &OwnLinks<'_>,
    texts: &[usize],
) -> Vec<(usize, Vec<Replaced>)> {
    let mut found = Vec::new();
    for (index, part) in inbound.parts.iter().enumerate() {
        let is_nested = inbound.is_inside_message(part);
        if !(is_nested || may_be_text(part)) || texts.contains(&index) || is_sealed(inbound, part) {
            continue;
        }
        let mut replaced = Vec::new();
        if is_nested {
            replaced.extend(in_place(inbound, links, &part.header, false, Transfer::Decoded));
        }
        // The first part inside another stands behind it.
        let is_container = inbound.parts.get(index + 1).is_some_and(|next| next.parent == Some(index));
        if may_be_text(part) && !is_container {
            replaced.extend(in_body(inbound, links, part));
        }
        if !replaced.is_empty() {
            found.push((index, replaced));
        }
    }
    found
}

/// Whether a part or what it lies in seals it.
fn is_sealed(inbound: &Inbound, part: &Part) -> bool {
    let outer = |part: &&Part| part.parent.map(|parent| &inbound.parts[parent]);
    std::iter::successors(Some(part), outer).any(seals)
}

/// Whether nothing in a part may change.
fn seals(part: &Part) -> bool {
    matches!(
        part.media_type.as_str(),
        "multipart/signed"
            | "multipart/encrypted"
            | "application/pkcs7-mime"
            | "application/x-pkcs7-mime"
            | "application/pgp-encrypted"
    )
}

/// Whether a part is text, or a file of which the sender's program does not know what it is.
fn may_be_text(part: &Part) -> bool {
    part.media_type.starts_with("text/") || part.media_type.starts_with("message/") || is_unknown(part)
}

fn is_unknown(part: &Part) -> bool {
    part.media_type == "application/octet-stream"
}

/// The links in the content of a part.
fn in_body(inbound: &Inbound, links: &OwnLinks<'_>, part: &Part) -> Vec<Replaced> {
    let body = &inbound.raw[part.body.clone()];
    let is_html = part.media_type == "text/html";
    let whole = || text::decode_transfer(body, part.encoding);
    let is_wide = if is_unknown(part) {
        // Most of such files are no text, and are known by how they begin.
        let head = text::decode_transfer(&body[..body.len().min(FILE_HEAD_BYTES)], part.encoding);
        let is_wide = utf16::has_mark(&head);
        if !is_wide && (holds_control(&head) || holds_control(&whole())) {
            return Vec::new();
        }
        is_wide
    } else {
        part.charset.as_deref().is_some_and(utf16::is_named)
    };
    let scrubbed = |decoded: &[u8]| {
        if is_wide {
            utf16::scrubbed(links, decoded, is_html)
        } else {
            links.scrubbed_bytes(decoded, is_html)
        }
    };
    let in_place = |transfer| in_place(inbound, links, &part.body, is_html, transfer);
    let replaced = match part.encoding {
        Encoding::SevenBit | Encoding::EightBit => in_place(Transfer::Decoded),
        Encoding::QuotedPrintable if !is_wide => in_place(Transfer::QuotedPrintable),
        Encoding::QuotedPrintable | Encoding::Base64 => {
            let encoded = scrubbed(&whole()).map(|bytes| encoded_as(body, &bytes, part.encoding));
            encoded.map(|bytes| Replaced { range: part.body.clone(), bytes }).into_iter().collect()
        }
        Encoding::Other => Vec::new(),
    };
    if !replaced.is_empty() && is_inline_pgp(&whole(), is_html) {
        return Vec::new();
    }
    replaced
}

/// Whether there is a character that no text has. An escape begins a shift between the character sets of Japanese mail.
fn holds_control(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b'\x1b'))
}

/// `bytes` in quoted-printable or base64, without a line end behind them where the body that they replace has none.
fn encoded_as(body: &[u8], bytes: &[u8], encoding: Encoding) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(bytes.len() * 3 / 2);
    if encoding == Encoding::QuotedPrintable {
        text::encode_qp(bytes, &mut encoded);
        return encoded;
    }
    text::encode_base64(bytes, &mut encoded);
    if !body.ends_with(b"\n") {
        encoded.truncate(encoded.trim_ascii_end().len());
    }
    encoded
}

/// The links in a range of the message, each replaced where it stands.
fn in_place(
    inbound: &Inbound,
    links: &OwnLinks<'_>,
    range: &Range<usize>,
    is_html: bool,
    transfer: Transfer,
) -> Vec<Replaced> {
    let cuts = links.cuts(&inbound.raw[range.clone()], is_html, transfer);
    let at = |cut: Range<usize>| range.start + cut.start..range.start + cut.end;
    cuts.map(|Cut { range, by }| Replaced { range: at(range), bytes: by.into() }).collect()
}
