//! Fronters and footers in the parts that members read.

use std::borrow::Cow;
use std::ops::Range;

use super::RewriteContext;
use super::decoration::{Decoration, Decorations, Stretch};
use super::fields;
use super::form::{Change, Context, SharedForm, VALUE_BYTES_MAX};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::{Inbound, LINE_BYTES_MAX};
use crate::mail::text;

/// One part that is changed.
pub(super) struct Edit {
    /// Its place among the parts.
    pub(super) part: usize,
    /// How it is labelled from now on, where that changes.
    pub(super) label: Option<Label>,
    content: Vec<Chunk>,
}

/// The character set and transfer encoding of a part that was encoded anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// Whether it is now in UTF-8.
    pub(super) utf8: bool,
    /// How it is encoded.
    pub(super) encoding: Encoding,
}

enum Chunk {
    Original(Range<usize>),
    Made(Vec<u8>),
    Decoration(Decoration),
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
            children().filter(is_shown).for_each(|child| find_targets(parts, child, targets))
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

/// A text part with what is to be put around it.
struct Content<'a> {
    inbound: &'a Inbound,
    part: &'a Part,
    is_html: bool,
    decoded: &'a [u8],
    fronter: Decoration,
    footer: Decoration,
}

impl Content<'_> {
    fn edit(self, index: usize) -> Edit {
        let charset = self.part.charset.as_deref();
        let keeps_charset = self.fits_charset();
        let encoding = self.encoding(keeps_charset);
        let keeps_bytes = keeps_charset && encoding == self.part.encoding && encoding != Encoding::Base64;
        if keeps_bytes && let Some(content) = self.around_original() {
            return Edit { part: index, label: None, content };
        }
        let is_relabelled = !keeps_charset && !charset.is_some_and(text::is_utf8);
        let body = if is_relabelled {
            Cow::Owned(text::decode_charset(self.decoded, charset).into_bytes())
        } else {
            Cow::Borrowed(self.decoded)
        };
        let label = Label { utf8: is_relabelled, encoding };
        let changes_label = is_relabelled || encoding != self.part.encoding;
        let content =
            self.around_decoded(&body, if is_relabelled { Some("utf-8") } else { charset }, encoding);
        Edit { part: index, label: changes_label.then_some(label), content }
    }

    /// Whether everything that is added can be said in the part's character set.
    fn fits_charset(&self) -> bool {
        let charset = self.part.charset.as_deref();
        let is_utf8 = charset.is_some_and(text::is_utf8);
        let literals = || self.fronter.literals().chain(self.footer.literals());
        let slots = || self.fronter.slots().chain(self.footer.slots());
        // HTML is made ASCII, beyond that as numeric references.
        let slots_fit = is_utf8 || self.is_html || slots().all(super::form::Slot::is_ascii);
        let named_is_sound = is_utf8 || self.decoded.is_ascii() || charset.is_some();
        text::is_ascii_compatible(charset)
            && slots_fit
            && named_is_sound
            && literals().all(|literal| text::encode_charset(literal, charset).is_some())
    }

    /// The transfer encoding that takes what is added, the part's own if possible.
    fn encoding(&self, keeps_charset: bool) -> Encoding {
        let has_slots = self.fronter.slots().chain(self.footer.slots()).next().is_some();
        let is_ascii = self.is_html
            || self.fronter.literals().chain(self.footer.literals()).all(str::is_ascii)
                && self.fronter.slots().chain(self.footer.slots()).all(super::form::Slot::is_ascii);
        let longest =
            self.fronter.longest_line(VALUE_BYTES_MAX).max(self.footer.longest_line(VALUE_BYTES_MAX));
        match self.part.encoding {
            Encoding::Base64 if !has_slots => Encoding::Base64,
            Encoding::EightBit if keeps_charset && longest <= LINE_BYTES_MAX => Encoding::EightBit,
            Encoding::SevenBit if keeps_charset && is_ascii && longest <= LINE_BYTES_MAX => {
                Encoding::SevenBit
            }
            _ => Encoding::QuotedPrintable,
        }
    }

    /// The part's own bytes with the additions around or inside them; none where HTML has to be taken apart.
    fn around_original(&self) -> Option<Vec<Chunk>> {
        let range = self.part.body.clone();
        let raw = &self.inbound.raw[range.clone()];
        let (start, end) = if self.is_html {
            let found = (html_start(raw), html_end(raw));
            let is_split = self.part.encoding == Encoding::QuotedPrintable
                && ((html_end(self.decoded) != self.decoded.len()) != (found.1 != raw.len())
                    || (html_start(self.decoded) != 0) != (found.0 != 0));
            if is_split {
                return None;
            }
            found
        } else {
            (0, raw.len())
        };
        let at = |offset: usize| range.start + offset;
        let is_qp = self.part.encoding == Encoding::QuotedPrintable;
        let pieces = [
            Chunk::Original(at(0)..at(start)),
            Chunk::Original(at(start)..at(end)),
            Chunk::Original(at(end)..range.end),
        ];
        let ends_line = raw[..end].ends_with(b"\r\n") && !(is_qp && raw[..end].ends_with(b"=\r\n"));
        // Half an escape at the end would swallow the line end behind it.
        let is_cut = is_qp && raw[..end].ends_with(b"=");
        Some(self.assemble(pieces, raw[start..end].trim_ascii().is_empty(), ends_line, is_cut, is_qp))
    }

    /// The part's decoded bytes with the additions, all encoded anew.
    fn around_decoded(&self, body: &[u8], charset: Option<&str>, encoding: Encoding) -> Vec<Chunk> {
        let (start, end) = if self.is_html { (html_start(body), html_end(body)) } else { (0, body.len()) };
        let is_empty = body[start..end].trim_ascii().is_empty();
        let ends_line = body[..end].ends_with(b"\r\n");
        if encoding == Encoding::Base64 {
            return vec![Chunk::Made(self.base64(body, charset, start, end))];
        }
        let made = |bytes: &[u8]| {
            let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
            if encoding == Encoding::QuotedPrintable {
                // Text in base64 may have line ends of other systems.
                text::encode_qp(&text::bytes_with_crlf(bytes), &mut out);
            } else {
                out.extend_from_slice(bytes);
            }
            Chunk::Made(out)
        };
        let pieces = [made(&body[..start]), made(&body[start..end]), made(&body[end..])];
        self.assemble(pieces, is_empty, ends_line, false, encoding == Encoding::QuotedPrintable)
    }

    fn assemble(
        &self,
        [head, body, tail]: [Chunk; 3],
        is_empty: bool,
        ends_line: bool,
        is_cut: bool,
        is_qp: bool,
    ) -> Vec<Chunk> {
        let mut chunks = vec![head];
        // In the middle of a line of HTML, encoded lines must not grow; elsewhere a line end does no harm.
        let seam: &[u8] = if is_qp { b"=\r\n" } else { b"\r\n" };
        if !self.fronter.is_empty() {
            if self.is_html {
                chunks.push(Chunk::Made(seam.to_vec()));
            }
            chunks.push(Chunk::Decoration(self.fronter.clone()));
            chunks.push(Chunk::Made(if self.is_html { b"\r\n".to_vec() } else { b"\r\n\r\n".to_vec() }));
        }
        let keeps_body = self.is_html || !is_empty;
        if keeps_body {
            chunks.push(body);
        }
        if !self.footer.is_empty() {
            let gap: &[u8] = match (self.is_html, keeps_body) {
                (true, _) if ends_line => b"",
                (true, _) => seam,
                (false, false) => b"",
                (false, true) if ends_line => b"\r\n",
                (false, true) => b"\r\n\r\n",
            };
            if is_cut && !self.is_html {
                chunks.push(Chunk::Made(b"\r\n".to_vec()));
            }
            chunks.push(Chunk::Made(gap.to_vec()));
            chunks.push(Chunk::Decoration(self.footer.clone()));
            chunks.push(Chunk::Made(b"\r\n".to_vec()));
        }
        chunks.push(tail);
        chunks
    }

    /// Body and additions, none of them personal, as base64.
    fn base64(&self, body: &[u8], charset: Option<&str>, start: usize, end: usize) -> Vec<u8> {
        let literal = |decoration: &Decoration| {
            let text: String = decoration.literals().collect();
            text::encode_charset(&text, charset).unwrap_or_else(|| text.into_bytes())
        };
        let mut all = body[..start].to_vec();
        let chunks = self.assemble(
            [
                Chunk::Made(Vec::new()),
                Chunk::Made(body[start..end].to_vec()),
                Chunk::Made(body[end..].to_vec()),
            ],
            body[start..end].trim_ascii().is_empty(),
            body[..end].ends_with(b"\r\n"),
            false,
            false,
        );
        for chunk in chunks {
            match chunk {
                Chunk::Made(bytes) => all.extend_from_slice(&bytes),
                Chunk::Decoration(decoration) => all.extend_from_slice(&literal(&decoration)),
                Chunk::Original(_) => {}
            }
        }
        let mut encoded = Vec::with_capacity(all.len() * 3 / 2);
        text::encode_base64(&all, &mut encoded);
        encoded
    }
}

/// Where the visible part of HTML begins: behind `<body …>`, `</head>` or `<html …>`.
fn html_start(html: &[u8]) -> usize {
    let behind_tag = |at: usize| html[at..].iter().position(|byte| *byte == b'>').map(|close| at + close + 1);
    let found = find(html, b"<body").or_else(|| find(html, b"</head")).or_else(|| find(html, b"<html"));
    found.and_then(behind_tag).unwrap_or(0).min(html_end(html))
}

/// Where the visible part of HTML ends: before the last `</body>` or `</html>`.
fn html_end(html: &[u8]) -> usize {
    rfind(html, b"</body").or_else(|| rfind(html, b"</html")).unwrap_or(html.len())
}

fn find(html: &[u8], tag: &[u8]) -> Option<usize> {
    tags(html).find(|at| begins(html, *at, tag))
}

fn rfind(html: &[u8], tag: &[u8]) -> Option<usize> {
    tags(html).rfind(|at| begins(html, *at, tag))
}

fn tags(html: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
    html.iter().enumerate().filter(|(_, byte)| **byte == b'<').map(|(at, _)| at)
}

fn begins(html: &[u8], at: usize, tag: &[u8]) -> bool {
    html.get(at..at + tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
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
