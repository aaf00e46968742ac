//! One text part with a fronter and a footer: in which character set and transfer encoding, and where.
//!
//! The part's own bytes stay where that is possible; they are encoded anew only if the additions do not fit.

use std::borrow::Cow;
use std::ops::Range;

use super::body::{Edit, Label};
use super::decoration::Decoration;
use super::form::{Slot, VALUE_BYTES_MAX};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::{Inbound, LINE_BYTES_MAX};
use crate::mail::text;

/// A stretch of a part that is changed.
pub(super) enum Chunk {
    /// Bytes of the original.
    Original(Range<usize>),
    /// Bytes that are encoded already.
    Made(Vec<u8>),
    /// A fronter or footer, still to be encoded.
    Decoration(Decoration),
}

/// A text part with what is to be put around it.
pub(super) struct Content<'a> {
    pub(super) inbound: &'a Inbound,
    pub(super) part: &'a Part,
    pub(super) is_html: bool,
    /// Its content without transfer encoding.
    pub(super) decoded: &'a [u8],
    pub(super) fronter: Decoration,
    pub(super) footer: Decoration,
}

impl Content<'_> {
    /// How the part is written with its additions.
    pub(super) fn edit(&self, index: usize) -> Edit {
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
        let slots_fit = is_utf8 || self.is_html || slots().all(Slot::is_ascii);
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
                && self.fronter.slots().chain(self.footer.slots()).all(Slot::is_ascii);
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
        let is_qp = self.part.encoding == Encoding::QuotedPrintable;
        let (start, end) = self.visible(raw);
        // A tag that a soft line break splits is found in the decoded text alone.
        if is_qp && self.is_html && marks(raw) != marks(self.decoded) {
            return None;
        }
        let at = |offset: usize| range.start + offset;
        Some(self.assemble(Layout {
            head: Chunk::Original(at(0)..at(start)),
            body: Chunk::Original(at(start)..at(end)),
            tail: Chunk::Original(at(end)..range.end),
            keeps_body: self.is_html || !raw.trim_ascii().is_empty(),
            gap: self.gap(&raw[..end], is_qp),
            seam: seam(is_qp),
        }))
    }

    /// The part's decoded bytes with the additions, all encoded anew.
    fn around_decoded(&self, body: &[u8], charset: Option<&str>, encoding: Encoding) -> Vec<Chunk> {
        let is_qp = encoding == Encoding::QuotedPrintable;
        let (start, end) = self.visible(body);
        let made = |bytes: &[u8]| {
            let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
            if is_qp {
                // Text in base64 may have line ends of other systems.
                text::encode_qp(&text::bytes_with_crlf(bytes), &mut out);
            } else {
                out.extend_from_slice(bytes);
            }
            Chunk::Made(out)
        };
        let chunks = self.assemble(Layout {
            head: made(&body[..start]),
            body: made(&body[start..end]),
            tail: made(&body[end..]),
            keeps_body: self.is_html || !body.trim_ascii().is_empty(),
            // Decoded bytes end their lines themselves.
            gap: self.gap(&body[..end], false),
            seam: seam(is_qp),
        });
        if encoding == Encoding::Base64 { vec![Chunk::Made(in_base64(&chunks, charset))] } else { chunks }
    }

    /// The range of `content` that a reader sees.
    fn visible(&self, content: &[u8]) -> (usize, usize) {
        if self.is_html { (html_start(content), html_end(content)) } else { (0, content.len()) }
    }

    /// What stands between the text and its footer: an empty line, or the end of a line of HTML.
    fn gap(&self, before: &[u8], is_qp: bool) -> &'static [u8] {
        let is_soft = is_qp && before.ends_with(b"=\r\n");
        // Half an escape at the end would swallow the line end behind it.
        let is_cut = is_qp && before.ends_with(b"=");
        let ends_line = before.ends_with(b"\r\n") && !is_soft;
        if self.is_html {
            return match (ends_line || is_soft, is_cut) {
                (true, _) => b"",
                (false, true) => b"\r\n",
                (false, false) => seam(is_qp),
            };
        }
        match (ends_line, is_cut) {
            (true, _) => b"\r\n",
            (false, false) => b"\r\n\r\n",
            (false, true) => b"\r\n\r\n\r\n",
        }
    }

    fn assemble(&self, layout: Layout) -> Vec<Chunk> {
        let mut chunks = vec![layout.head];
        if !self.fronter.is_empty() {
            if self.is_html {
                chunks.push(Chunk::Made(layout.seam.to_vec()));
            }
            chunks.push(Chunk::Decoration(self.fronter.clone()));
            chunks.push(Chunk::Made(if self.is_html { b"\r\n".to_vec() } else { b"\r\n\r\n".to_vec() }));
        }
        if layout.keeps_body {
            chunks.push(layout.body);
        }
        if !self.footer.is_empty() {
            if layout.keeps_body {
                chunks.push(Chunk::Made(layout.gap.to_vec()));
            }
            chunks.push(Chunk::Decoration(self.footer.clone()));
            chunks.push(Chunk::Made(b"\r\n".to_vec()));
        }
        chunks.push(layout.tail);
        chunks
    }
}

/// The stretches of a part between which the additions go.
struct Layout {
    head: Chunk,
    body: Chunk,
    tail: Chunk,
    /// Whether there is a text at all; an empty one gives its place to the additions.
    keeps_body: bool,
    gap: &'static [u8],
    seam: &'static [u8],
}

/// A line end in the middle of HTML, which in quoted-printable does not show.
fn seam(is_qp: bool) -> &'static [u8] {
    if is_qp { b"=\r\n" } else { b"\r\n" }
}

/// Text and additions, none of them personal, as base64.
fn in_base64(chunks: &[Chunk], charset: Option<&str>) -> Vec<u8> {
    let mut all = Vec::new();
    for chunk in chunks {
        match chunk {
            Chunk::Made(bytes) => all.extend_from_slice(bytes),
            Chunk::Decoration(decoration) => {
                let text: String = decoration.literals().collect();
                all.extend(text::encode_charset(&text, charset).unwrap_or_else(|| text.into_bytes()));
            }
            Chunk::Original(_) => {}
        }
    }
    let mut encoded = Vec::with_capacity(all.len() * 3 / 2);
    text::encode_base64(&all, &mut encoded);
    encoded
}

/// The tags behind which the visible part of HTML may begin, the best first.
const OPENING: [&[u8]; 3] = [b"<body", b"</head", b"<html"];
/// The tags before which it may end.
const CLOSING: [&[u8]; 2] = [b"</body", b"</html"];

/// Where the visible part of HTML begins: behind `<body …>`, `</head>` or `<html …>`.
pub(super) fn html_start(html: &[u8]) -> usize {
    let behind_tag = |at: usize| html[at..].iter().position(|byte| *byte == b'>').map(|close| at + close + 1);
    let found = OPENING.iter().find_map(|tag| find(html, tag));
    found.and_then(behind_tag).unwrap_or(0).min(html_end(html))
}

/// Where the visible part of HTML ends: before the last `</body>` or `</html>`.
pub(super) fn html_end(html: &[u8]) -> usize {
    CLOSING.iter().find_map(|tag| rfind(html, tag)).unwrap_or(html.len())
}

/// Which tags say where the visible part begins and ends.
fn marks(html: &[u8]) -> (Option<usize>, Option<usize>) {
    (
        OPENING.iter().position(|tag| find(html, tag).is_some()),
        CLOSING.iter().position(|tag| rfind(html, tag).is_some()),
    )
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
