//! This server's own personal links in what is attached to a message: texts under a name, and whole messages with
//! their headers. Signed and encrypted content stays as it is.
//!
//! The text of the message itself is looked at by [`text_part`](super::text_part), which decodes it in any case.

use std::ops::Range;

use super::links::{OwnLinks, Transfer, replacement};
use super::structure::is_inline_pgp;
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;

/// Bytes that are written in the place of others.
pub(super) struct Replaced {
    pub(super) range: Range<usize>,
    pub(super) bytes: Vec<u8>,
}

/// The parts of a message in which there are personal links, with what is written in the place of each link. `texts`
/// are the parts that are looked at elsewhere.
pub(super) fn scrubbed(inbound: &Inbound, links: &OwnLinks, texts: &[usize]) -> Vec<(usize, Vec<Replaced>)> {
    let mut is_container = vec![false; inbound.parts.len()];
    let mut is_sealed = vec![false; inbound.parts.len()];
    for (index, part) in inbound.parts.iter().enumerate() {
        is_sealed[index] = seals(part) || part.parent.is_some_and(|parent| is_sealed[parent]);
        if let Some(parent) = part.parent {
            is_container[parent] = true;
        }
    }
    let mut found = Vec::new();
    for (index, part) in inbound.parts.iter().enumerate() {
        if is_sealed[index] || texts.contains(&index) {
            continue;
        }
        let mut replaced = Vec::new();
        if inbound.is_inside_message(part) {
            replaced.extend(in_place(inbound, links, &part.header, Transfer::Decoded));
        }
        let is_text = part.media_type.starts_with("text/") || part.media_type.starts_with("message/");
        if is_text && !is_container[index] {
            replaced.extend(in_body(inbound, links, part));
        }
        if !replaced.is_empty() {
            found.push((index, replaced));
        }
    }
    found
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

/// The links in the content of a part.
fn in_body(inbound: &Inbound, links: &OwnLinks, part: &Part) -> Vec<Replaced> {
    if !text::is_ascii_compatible(part.charset.as_deref()) {
        return Vec::new();
    }
    let body = &inbound.raw[part.body.clone()];
    let replaced = match part.encoding {
        Encoding::SevenBit | Encoding::EightBit => in_place(inbound, links, &part.body, Transfer::Decoded),
        Encoding::QuotedPrintable => in_place(inbound, links, &part.body, Transfer::QuotedPrintable),
        Encoding::Base64 => {
            let decoded = text::decode_transfer(body, part.encoding);
            let scrubbed = links.scrubbed_bytes(&decoded);
            let encoded = scrubbed.map(|scrubbed| encoded_as(body, &scrubbed));
            encoded.map(|bytes| Replaced { range: part.body.clone(), bytes }).into_iter().collect()
        }
        Encoding::Other => Vec::new(),
    };
    let is_html = part.media_type == "text/html";
    if !replaced.is_empty() && is_inline_pgp(&text::decode_transfer(body, part.encoding), is_html) {
        return Vec::new();
    }
    replaced
}

/// `bytes` in base64, without a line end behind them where the body that they replace has none.
fn encoded_as(body: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(bytes.len() * 3 / 2);
    text::encode_base64(bytes, &mut encoded);
    if !body.ends_with(b"\n") {
        encoded.truncate(encoded.trim_ascii_end().len());
    }
    encoded
}

/// The links in a range of the message, each replaced where it stands.
fn in_place(inbound: &Inbound, links: &OwnLinks, range: &Range<usize>, transfer: Transfer) -> Vec<Replaced> {
    let tokens = links.tokens(&inbound.raw[range.clone()], transfer);
    let at = |token: Range<usize>| range.start + token.start..range.start + token.end;
    tokens.map(|token| Replaced { range: at(token), bytes: replacement() }).collect()
}
