//! `strip_attachments`: which parts go, and the line that stands in their place.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;

use super::header_footer::HeaderFooter;
use super::structure::Structure;
use crate::locale::size;
use crate::mail::header;
use crate::mail::mime::{Encoding, Part};
use crate::mail::text;
use crate::model::Language;

/// Characters of a file's name that are shown.
const NAME_CHARS_MAX: usize = 120;

/// Bytes of a reference from HTML to an image; RFC 2392 has it fit into a header line.
const REFERENCE_BYTES_MAX: usize = 998;

/// The attachments of a message that a list takes off, in order.
pub(super) fn stripped(structure: &Structure<'_>, body_texts: &[usize]) -> Vec<usize> {
    let parts = &structure.inbound.parts;
    let mut shown = HashSet::new();
    for index in body_texts.iter().filter(|index| parts[**index].media_type == "text/html") {
        references(&text::decode_part(&structure.inbound.raw, &parts[*index]), &mut shown);
    }
    (0..parts.len())
        .filter(|index| structure.is_attachment(*index) || is_file(structure, *index, body_texts))
        .filter(|index| !is_text_form(structure, *index))
        .filter(|index| !is_shown_image(structure, *index, &shown))
        .collect()
}

/// Whether a text is offered under a name beside the text of the message.
fn is_file(structure: &Structure<'_>, index: usize, body_texts: &[usize]) -> bool {
    structure.text(index).is_some() && !body_texts.contains(&index)
}

/// Whether a part is the text of the message in another form, as a calendar or for accelerated pages.
fn is_text_form(structure: &Structure<'_>, index: usize) -> bool {
    structure.is_alternative(index) && structure.inbound.parts[index].media_type.starts_with("text/")
}

/// Everything that HTML shows from elsewhere: what stands in `src`, and what is named by `cid:`.
fn references(html: &str, shown: &mut HashSet<String>) {
    for prefix in ["cid:", "src="] {
        for (at, _) in html.match_indices(prefix) {
            let value = html[at + prefix.len()..].trim_start_matches(['"', '\'']);
            let near = &value[..value.floor_char_boundary(REFERENCE_BYTES_MAX)];
            let end = near.find(['"', '\'', '>', ')', ' ', '\r', '\n']).unwrap_or(near.len());
            shown.insert(percent_decode_str(&near[..end]).decode_utf8_lossy().into_owned());
        }
    }
}

/// Whether the HTML shows this image (RFC 2392, RFC 2557).
fn is_shown_image(structure: &Structure<'_>, index: usize, shown: &HashSet<String>) -> bool {
    let part = &structure.inbound.parts[index];
    part.media_type.starts_with("image/")
        && header::fields(&structure.inbound.raw[part.header.clone()])
            .filter(|field| field.is("Content-ID") || field.is("Content-Location"))
            .any(|field| shown.contains(field.text().trim_matches(['<', '>', ' '])))
}

/// The line that stands where an attachment stood: its name, type and size.
pub(super) fn line(raw: &[u8], part: &Part, language: Language) -> HeaderFooter {
    let name = part.filename.as_deref().map(header::one_line).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| crate::locale::text!(language, "copy-attachment-nameless"));
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let media_type: String = part.media_type.chars().take(NAME_CHARS_MAX).collect();
    let bytes = size_bytes(&raw[part.body.clone()], part.encoding);
    HeaderFooter::of_text(&crate::locale::text!(
        language,
        "copy-attachment-removed",
        name = name,
        kind = media_type,
        size = size(language, bytes),
    ))
}

/// The size of a part's content.
fn size_bytes(body: &[u8], encoding: Encoding) -> u64 {
    let bytes = match encoding {
        Encoding::Base64 => {
            let digits = body.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != b'=').count();
            digits * 3 / 4
        }
        Encoding::QuotedPrintable => text::decode_transfer(body, encoding).len(),
        Encoding::SevenBit | Encoding::EightBit | Encoding::Other => body.len(),
    };
    bytes as u64
}
