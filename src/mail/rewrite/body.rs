//! Fronters and footers in the parts that members read.

use super::RewriteContext;
use super::content::{Chunk, Content, html_end, html_start};
use super::decoration::{Decoration, Decorations, Stretch};
use super::fields;
use super::form::{Change, Context, SharedForm};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;

/// One part that is changed.
pub(super) struct Edit {
    /// Its place among the parts.
    pub(super) part: usize,
    /// How it is labelled from now on, where that changes.
    pub(super) label: Option<Label>,
    pub(super) content: Vec<Chunk>,
}

/// The character set and transfer encoding of a part that was encoded anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// Whether it is now in UTF-8.
    pub(super) utf8: bool,
    /// How it is encoded.
    pub(super) encoding: Encoding,
}

/// Decides which parts get a fronter or footer, and how they have to be encoded for it.
pub(super) fn plan(inbound: &Inbound, context: &RewriteContext<'_>, changes: &mut Vec<Change>) -> Vec<Edit> {
    let decorations = Decorations::of(inbound, context);
    let mut targets = Vec::new();
    find_targets(&inbound.parts, 0, &mut targets);
    let mut edits: Vec<Edit> =
        targets.into_iter().filter_map(|part| plan_part(inbound, part, &decorations, changes)).collect();
    edits.sort_by_key(|edit| inbound.parts[edit.part].body.start);
    edits
}

/// The parts of `index` that a reader of mail shows as the message's text.
fn find_targets(parts: &[Part], index: usize, targets: &mut Vec<usize>) {
    let part = &parts[index];
    let children = || (index + 1..parts.len()).filter(|child| parts[*child].parent == Some(index));
    let is_shown = |child: &usize| parts[*child].is_shown_text() || parts[*child].is_multipart();
    match part.media_type.as_str() {
        _ if part.is_shown_text() => targets.push(index),
        _ if !part.is_multipart() => {}
        "multipart/signed" | "multipart/encrypted" | "multipart/report" | "multipart/digest" => {}
        "multipart/alternative" => {
            children().filter(is_shown).for_each(|child| find_targets(parts, child, targets));
        }
        "multipart/related" => children().take(1).for_each(|child| find_targets(parts, child, targets)),
        _ => children().filter(is_shown).take(1).for_each(|child| find_targets(parts, child, targets)),
    }
}

fn plan_part(inbound: &Inbound, index: usize, all: &Decorations, changes: &mut Vec<Change>) -> Option<Edit> {
    let part = &inbound.parts[index];
    let is_html = part.media_type == "text/html";
    let (fronter, footer) =
        if is_html { (&all.html_fronter, &all.html_footer) } else { (&all.text_fronter, &all.text_footer) };
    if part.encoding == Encoding::Other || (fronter.is_empty() && footer.is_empty()) {
        return None;
    }
    let decoded = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    let (fronter, footer) = (adapted(fronter, part), adapted(footer, part));
    let fronter =
        if has_fronter(&decoded, &fronter, part, is_html) { Decoration::default() } else { fronter };
    let footer = if has_footer(&decoded, &footer, part, is_html) { Decoration::default() } else { footer };
    if fronter.is_empty() && footer.is_empty() {
        return None;
    }
    if !fronter.is_empty() {
        changes.push(Change::Fronter(part.media_type.clone()));
    }
    if !footer.is_empty() {
        changes.push(Change::Footer(part.media_type.clone()));
    }
    let content = Content { inbound, part, is_html, decoded: &decoded, fronter, footer };
    let edit = content.edit(index);
    if edit.label.is_some() {
        changes.push(Change::Reencoded(part.media_type.clone()));
    }
    Some(edit)
}

fn adapted(decoration: &Decoration, part: &Part) -> Decoration {
    if part.is_flowed && part.media_type == "text/plain" { decoration.flowed() } else { decoration.clone() }
}

/// Whether the text begins with the fronter already, as after a round through another list of ours.
fn has_fronter(decoded: &[u8], fronter: &Decoration, part: &Part, is_html: bool) -> bool {
    let Some(literal) = literal_bytes(fronter, part) else { return false };
    let start = if is_html { html_start(decoded) } else { 0 };
    decoded[start..].trim_ascii_start().starts_with(literal.trim_ascii())
}

/// Whether the text ends with the footer already.
fn has_footer(decoded: &[u8], footer: &Decoration, part: &Part, is_html: bool) -> bool {
    let Some(literal) = literal_bytes(footer, part) else { return false };
    let end = if is_html { html_end(decoded) } else { decoded.len() };
    decoded[..end].trim_ascii_end().ends_with(literal.trim_ascii())
}

/// A decoration without anything personal, as bytes of the part's character set.
fn literal_bytes(decoration: &Decoration, part: &Part) -> Option<Vec<u8>> {
    let literal = decoration.literal()?;
    let bytes =
        text::encode_charset(literal, part.charset.as_deref()).unwrap_or_else(|| literal.as_bytes().to_vec());
    Some(bytes)
}

/// Writes the body with all edits, everything else as it is.
pub(super) fn write(inbound: &Inbound, edits: Vec<Edit>, form: &mut SharedForm) {
    let mut position = inbound.parts[0].body.start;
    for edit in edits {
        let part = &inbound.parts[edit.part];
        if edit.part != 0 {
            form.push_original(position..part.header.start);
            match edit.label {
                Some(label) => fields::write_part_header(inbound, part, label, form),
                None => form.push_original(part.header.clone()),
            }
        }
        write_content(part, &edit, form);
        position = part.body.end;
    }
    form.push_original(position..inbound.raw.len());
    form.end_line();
}

fn write_content(part: &Part, edit: &Edit, form: &mut SharedForm) {
    let encoding = edit.label.map_or(part.encoding, |label| label.encoding);
    let is_utf8 = edit.label.is_some_and(|label| label.utf8);
    let charset = if is_utf8 { Some("utf-8") } else { part.charset.as_deref() };
    let is_qp = encoding == Encoding::QuotedPrintable;
    let context = match (part.media_type == "text/html", is_qp) {
        (true, true) => Context::HtmlQp,
        (true, false) => Context::Html,
        (false, true) => Context::TextQp,
        (false, false) => Context::Text,
    };
    for chunk in &edit.content {
        match chunk {
            Chunk::Original(range) => form.push_original(range.clone()),
            Chunk::Made(bytes) => form.push_made(bytes),
            Chunk::Decoration(decoration) => {
                for stretch in &decoration.stretches {
                    write_stretch(stretch, charset, is_qp, context, form);
                }
            }
        }
    }
}

fn write_stretch(
    stretch: &Stretch,
    charset: Option<&str>,
    is_qp: bool,
    context: Context,
    form: &mut SharedForm,
) {
    match stretch {
        Stretch::Personal(slot) => form.push_personal(slot.clone(), context),
        Stretch::Literal(literal) => {
            let bytes = text::encode_charset(literal, charset).unwrap_or_else(|| literal.as_bytes().to_vec());
            if is_qp {
                let mut encoded = Vec::with_capacity(bytes.len() * 5 / 4);
                text::encode_qp(&bytes, &mut encoded);
                form.push_made(&encoded);
            } else {
                form.push_made(&bytes);
            }
        }
    }
}
