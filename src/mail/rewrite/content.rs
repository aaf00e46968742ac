//! One text part with what a list changes in it: in which character set and transfer encoding, and where.
//!
//! The part's own bytes stay where that is possible; they are encoded anew only if the additions do not fit.

use std::borrow::Cow;
use std::ops::Range;

use super::header_footer::{HeaderFooter, TextSegment};
use super::slot::{Context, Slot, VALUE_BYTES_MAX};
use crate::mail::charset;
use crate::mail::html::{self, Token};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::LINE_BYTES_MAX;
use crate::mail::text;

/// A stretch of a message that is written anew.
#[derive(Debug)]
pub(super) enum PartSegment {
    /// Bytes of the original.
    Original(Range<usize>),
    /// Bytes that are encoded already.
    Made(Vec<u8>),
    /// A value of the member.
    Personal(Slot, Context),
}

/// The character set and transfer encoding of a part that was encoded anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    /// Whether it is now in UTF-8.
    pub(super) utf8: bool,
    /// How it is encoded.
    pub(super) encoding: Encoding,
}

/// A part as it is written.
#[derive(Debug)]
pub(super) struct Written {
    /// How it is labelled from now on, where that changes.
    pub(super) label: Option<Label>,
    pub(super) segments: Vec<PartSegment>,
}

/// A text of which something was changed, in three parts: what is before and behind what a reader sees, as HTML
/// has it, and what is seen.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) head: HeaderFooter,
    pub(super) body: HeaderFooter,
    pub(super) tail: HeaderFooter,
}

/// A text part with what is to be put around it.
pub(super) struct Content<'a> {
    pub(super) part: &'a Part,
    /// The part's content as it stands in the message.
    pub(super) raw: &'a [u8],
    pub(super) is_html: bool,
    /// The same without its transfer encoding.
    pub(super) decoded: &'a [u8],
    /// The text that replaces it; `None` if it stays.
    pub(super) changed: Option<Changed>,
    pub(super) fronter: HeaderFooter,
    pub(super) footer: HeaderFooter,
    /// The delimiter lines of the multiparts that the part lies in, which no line of it may become.
    pub(super) delimiters: Vec<&'a [u8]>,
}

/// A piece of a part before it is encoded.
enum Source<'a> {
    /// Bytes of the original.
    Original(Range<usize>),
    /// Bytes in the part's character set.
    Bytes(&'a [u8]),
    /// Text and personal values.
    Text(&'a HeaderFooter),
    /// Bytes that stand for themselves in every encoding.
    Fixed(&'static [u8]),
}

impl Content<'_> {
    /// How the part is written.
    pub(super) fn write(&self) -> Written {
        let keeps_charset = self.fits_charset();
        let encoding = self.encoding(keeps_charset);
        let keeps_bytes = keeps_charset && encoding == self.part.encoding && encoding != Encoding::Base64;
        let written = self.write_in(encoding, keeps_charset, keeps_bytes);
        if self.has_delimiter(&written.segments) {
            // Quoted-printable writes no line that begins like one.
            return self.write_in(Encoding::QuotedPrintable, keeps_charset, false);
        }
        written
    }

    fn write_in(&self, encoding: Encoding, keeps_charset: bool, keeps_bytes: bool) -> Written {
        let charset = self.part.charset.as_deref();
        if keeps_bytes
            && self.changed.is_none()
            && let Some(sources) = self.around_original()
        {
            return Written { label: None, segments: encoded(&sources, charset, encoding, self.is_html) };
        }
        let is_relabelled = !keeps_charset && !charset.is_some_and(text::is_utf8);
        let written_charset = if is_relabelled { Some("utf-8") } else { charset };
        let relabelled;
        let sources = match &self.changed {
            Some(changed) => self.around_changed(changed, encoding),
            None if is_relabelled => {
                relabelled = charset::read_with_mark(self.decoded, charset, self.is_html);
                self.around_decoded(relabelled.as_bytes(), encoding)
            }
            None => self.around_decoded(self.decoded, encoding),
        };
        let label = Label { utf8: is_relabelled, encoding };
        let changes_label = is_relabelled || encoding != self.part.encoding;
        Written {
            label: changes_label.then_some(label),
            segments: encoded(&sources, written_charset, encoding, self.is_html),
        }
    }

    /// Whether a line is a delimiter of a multipart around the part. In the original it was none: a byte order mark,
    /// an escape of the character set or a tag stood before it, from which what is added parts it.
    fn has_delimiter(&self, segments: &[PartSegment]) -> bool {
        if self.delimiters.is_empty() {
            return false;
        }
        let mut written = Vec::with_capacity(self.raw.len());
        for segment in segments {
            match segment {
                PartSegment::Original(range) => {
                    let start = range.start - self.part.body.start;
                    written.extend_from_slice(&self.raw[start..start + range.len()]);
                }
                PartSegment::Made(bytes) => written.extend_from_slice(bytes),
                // The value may be blank.
                PartSegment::Personal(..) => {}
            }
        }
        let mut starts =
            memchr::memmem::find_iter(&written, b"--").filter(|at| *at == 0 || written[at - 1] == b'\n');
        starts.any(|at| {
            let line = &written[at..];
            let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
            let rest = |delimiter: &&[u8]| line.trim_ascii_end().strip_prefix(*delimiter);
            self.delimiters.iter().any(|delimiter| matches!(rest(delimiter), Some(b"" | b"--")))
        })
    }

    /// Everything that is written beside the part's own bytes.
    fn additions(&self) -> impl Iterator<Item = &HeaderFooter> {
        let changed = self.changed.iter().flat_map(|changed| [&changed.head, &changed.body, &changed.tail]);
        [&self.fronter, &self.footer].into_iter().chain(changed)
    }

    /// Whether everything that is added can be said in the part's character set.
    fn fits_charset(&self) -> bool {
        let charset = self.part.charset.as_deref();
        let is_utf8 = charset.is_some_and(text::is_utf8);
        // HTML is made ASCII, beyond that as numeric references.
        let slots_fit =
            is_utf8 || self.is_html || self.additions().flat_map(HeaderFooter::slots).all(Slot::is_ascii);
        let own_fits = self.changed.is_some()
            || (text::ends_in_ascii(self.decoded, charset)
                && (is_utf8 || self.decoded.is_ascii() || charset.is_some()));
        let literals_fit = self
            .additions()
            .flat_map(HeaderFooter::literals)
            .all(|literal| text::encode_charset(literal, charset).is_some());
        own_fits && slots_fit && literals_fit
    }

    /// The transfer encoding that takes what is added, the part's own if possible.
    fn encoding(&self, keeps_charset: bool) -> Encoding {
        let charset = self.part.charset.as_deref();
        let has_slots = self.additions().any(HeaderFooter::is_personal);
        let slots_are_ascii =
            self.is_html || self.additions().flat_map(HeaderFooter::slots).all(Slot::is_ascii);
        let is_ascii = || {
            let literals = self.additions().flat_map(HeaderFooter::literals);
            let mut encoded = literals.filter_map(|literal| text::encode_charset(literal, charset));
            slots_are_ascii && encoded.all(|bytes| bytes.is_ascii())
        };
        // A character may take more bytes in a set of the East than in UTF-8.
        let is_plain = charset.is_none_or(|charset| text::is_utf8(charset) || charset.contains("ascii"));
        let longest_max = if is_plain { LINE_BYTES_MAX } else { LINE_BYTES_MAX / 3 };
        let longest = self.additions().map(|addition| addition.longest_line(VALUE_BYTES_MAX)).max();
        let lines_fit = longest.is_none_or(|longest| longest <= longest_max);
        match self.part.encoding {
            Encoding::Base64 if !has_slots => Encoding::Base64,
            Encoding::EightBit if keeps_charset && lines_fit => Encoding::EightBit,
            Encoding::SevenBit if keeps_charset && lines_fit && is_ascii() => Encoding::SevenBit,
            _ => Encoding::QuotedPrintable,
        }
    }

    /// The part's own bytes with the additions around or inside them; none where HTML has to be taken apart.
    fn around_original(&self) -> Option<Vec<Source<'_>>> {
        let is_qp = self.part.encoding == Encoding::QuotedPrintable;
        let (start, end) = self.visible(self.raw);
        // A tag that a soft line break splits is found in the decoded text alone. What is not sound is written
        // anew, since some readers decode all of a part or nothing.
        if is_qp && (!text::is_sound_qp(self.raw) || (self.is_html && marks(self.raw) != marks(self.decoded)))
        {
            return None;
        }
        let range = self.part.body.clone();
        let at = |offset: usize| range.start + offset;
        Some(self.assemble(Layout {
            head: Source::Original(at(0)..at(start)),
            body: Source::Original(at(start)..at(end)),
            tail: Source::Original(at(end)..range.end),
            keeps_body: self.is_html || !self.raw.trim_ascii().is_empty(),
            gap: self.gap(&self.raw[..end], is_qp),
            seam: seam(is_qp),
        }))
    }

    /// The part's decoded bytes with the additions, all encoded anew.
    fn around_decoded<'b>(&'b self, body: &'b [u8], encoding: Encoding) -> Vec<Source<'b>> {
        let (start, end) = self.visible(body);
        self.assemble(Layout {
            head: Source::Bytes(&body[..start]),
            body: Source::Bytes(&body[start..end]),
            tail: Source::Bytes(&body[end..]),
            keeps_body: self.is_html || !body.trim_ascii().is_empty(),
            // Decoded bytes end their lines themselves.
            gap: self.gap(&body[..end], false),
            seam: seam(encoding == Encoding::QuotedPrintable),
        })
    }

    /// A changed text with the additions.
    fn around_changed<'b>(&'b self, changed: &'b Changed, encoding: Encoding) -> Vec<Source<'b>> {
        let last = match changed.body.text_segments.last() {
            Some(TextSegment::Literal(literal)) => literal.as_bytes(),
            Some(TextSegment::Personal(_)) | None => b"",
        };
        let is_qp = encoding == Encoding::QuotedPrintable;
        self.assemble(Layout {
            head: Source::Text(&changed.head),
            body: Source::Text(&changed.body),
            tail: Source::Text(&changed.tail),
            keeps_body: self.is_html || !changed.body.is_blank(),
            gap: self.gap(last, false),
            seam: seam(is_qp),
        })
    }

    /// The range of `content` that a reader sees.
    fn visible(&self, content: &[u8]) -> (usize, usize) {
        visible(content, self.is_html)
    }

    /// The bytes between the text and its footer: an empty line, or the end of a line of HTML.
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
        // A last line that flows into the next takes the first line end to itself (RFC 3676 4.1).
        let flows = self.part.is_flowed && before.ends_with(b" \r\n") && !before.ends_with(b"-- \r\n");
        match (ends_line, is_cut) {
            (true, _) if flows => b"\r\n\r\n",
            (true, _) => b"\r\n",
            (false, false) => b"\r\n\r\n",
            (false, true) => b"\r\n\r\n\r\n",
        }
    }

    fn assemble<'b>(&'b self, layout: Layout<'b>) -> Vec<Source<'b>> {
        let mut sources = vec![layout.head];
        if !self.fronter.is_empty() {
            if self.is_html {
                sources.push(Source::Fixed(layout.seam));
            }
            sources.push(Source::Text(&self.fronter));
            sources.push(Source::Fixed(if self.is_html { b"\r\n" } else { b"\r\n\r\n" }));
        }
        if layout.keeps_body {
            sources.push(layout.body);
        }
        if !self.footer.is_empty() {
            if layout.keeps_body {
                sources.push(Source::Fixed(layout.gap));
            }
            sources.push(Source::Text(&self.footer));
            sources.push(Source::Fixed(b"\r\n"));
        }
        sources.push(layout.tail);
        sources
    }
}

/// The stretches of a part between which the additions go.
struct Layout<'a> {
    head: Source<'a>,
    body: Source<'a>,
    tail: Source<'a>,
    /// Whether there is a text at all; an empty one gives its place to the additions.
    keeps_body: bool,
    gap: &'static [u8],
    seam: &'static [u8],
}

/// A line end in the middle of HTML, which in quoted-printable does not show.
fn seam(is_qp: bool) -> &'static [u8] {
    if is_qp { b"=\r\n" } else { b"\r\n" }
}

/// All pieces of a part in its character set and transfer encoding.
fn encoded(
    sources: &[Source<'_>],
    charset: Option<&str>,
    encoding: Encoding,
    is_html: bool,
) -> Vec<PartSegment> {
    let is_qp = encoding == Encoding::QuotedPrintable;
    let context = Context::of_body(is_html, is_qp);
    let made = |bytes: &[u8]| {
        if !is_qp {
            return PartSegment::Made(bytes.to_vec());
        }
        let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
        // Text in base64 may have line ends of other systems.
        text::encode_qp(&text::bytes_with_crlf(bytes), &mut out);
        PartSegment::Made(out)
    };
    let mut segments = Vec::with_capacity(sources.len());
    for source in sources {
        match source {
            Source::Original(range) => segments.push(PartSegment::Original(range.clone())),
            Source::Fixed(bytes) => segments.push(PartSegment::Made(bytes.to_vec())),
            Source::Bytes(bytes) => segments.push(made(bytes)),
            Source::Text(header_footer) => {
                segments.extend(header_footer.text_segments.iter().map(|text_segment| match text_segment {
                    TextSegment::Personal(slot) => PartSegment::Personal(slot.clone(), context),
                    TextSegment::Literal(literal) => {
                        let bytes = text::encode_charset(literal, charset);
                        made(&bytes.unwrap_or(Cow::Borrowed(literal.as_bytes())))
                    }
                }));
            }
        }
    }
    if encoding == Encoding::Base64 { vec![PartSegment::Made(in_base64(&segments))] } else { segments }
}

/// Text and additions, none of them personal, as base64.
fn in_base64(segments: &[PartSegment]) -> Vec<u8> {
    let mut all = Vec::new();
    for segment in segments {
        if let PartSegment::Made(bytes) = segment {
            all.extend_from_slice(bytes);
        }
    }
    let mut encoded = Vec::with_capacity(all.len() * 3 / 2);
    text::encode_base64(&all, &mut encoded);
    encoded
}

/// A part of our own in UTF-8, its header in front.
pub(super) fn own_part(text: &HeaderFooter) -> Vec<PartSegment> {
    let is_ascii = text.literals().all(str::is_ascii) && text.slots().all(Slot::is_ascii);
    let is_short = text.longest_line(VALUE_BYTES_MAX) <= LINE_BYTES_MAX;
    let (word, encoding) = if is_ascii && is_short {
        ("7bit", Encoding::SevenBit)
    } else {
        ("quoted-printable", Encoding::QuotedPrintable)
    };
    let header = format!(
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: {word}\r\n\
         Content-Disposition: inline\r\n\r\n"
    );
    let mut segments = vec![PartSegment::Made(header.into_bytes())];
    let sources = [Source::Text(text), Source::Fixed(b"\r\n")];
    segments.extend(encoded(&sources, Some("utf-8"), encoding, false));
    segments
}

/// The range of `content` that a reader sees: everything, or what stands between the tags of HTML's body.
pub(super) fn visible(content: &[u8], is_html: bool) -> (usize, usize) {
    let mark = "\u{feff}".as_bytes();
    let start = if content.starts_with(mark) { mark.len() } else { 0 };
    if !is_html {
        return (start, content.len());
    }
    let outline = Outline::of(content);
    let end = outline.visible_end().max(start);
    (start.max(outline.visible_start().min(end)), end)
}

/// The elements behind whose tag the visible part of HTML may begin, the best first, and whether it is the end tag.
const OPENING: [(&str, bool); 3] = [("body", false), ("head", true), ("html", false)];
/// The elements before whose end tag it may end.
const CLOSING: [&str; 2] = ["body", "html"];

/// Where the visible part of HTML is marked. What stands in a comment, a script or the like marks nothing, nor what
/// programs may read in different ways ([`html::is_disputed`]): a footer there could end up in an address.
#[derive(Debug, Default)]
struct Outline {
    /// Behind the first tag of each element of [`OPENING`], with the number of tags before it.
    opening: [Option<(usize, usize)>; 3],
    /// Before the last end tag of each element of [`CLOSING`], with the number of tags before it.
    closing: [Option<(usize, usize)>; 2],
    /// Where a comment or the like begins that is not closed, else the end.
    end: usize,
}

impl Outline {
    fn of(html: &[u8]) -> Outline {
        let mut outline = Outline::default();
        // The signs of markup are ASCII in every character set that is looked at here.
        let ascii: Cow<'_, str> = match std::str::from_utf8(html) {
            Ok(text) => text.into(),
            Err(_) => html.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect(),
        };
        outline.end = ascii.len();
        let (mut tags, mut last_start) = (0, 0);
        let mut is_agreed = false;
        let mut tokens = html::tokens(&ascii);
        while let Some((range, token)) = tokens.next_placed() {
            let (name, is_closing) = match token {
                Token::Open(tag) => {
                    if !is_agreed && matches!(&*tag.name, "svg" | "math") {
                        if html::is_disputed(&ascii[range.start..]) {
                            outline.end = range.start;
                            break;
                        }
                        is_agreed = true;
                    }
                    (tag.name, false)
                }
                Token::Close(name) => (name, true),
                Token::Raw(raw) if !raw.is_closed => {
                    outline.end = last_start;
                    break;
                }
                Token::Unseen { is_closed: false } => {
                    outline.end = range.start;
                    break;
                }
                Token::Text(_) | Token::Raw(_) | Token::Unseen { .. } => continue,
            };
            for (place, (opening, is_end)) in outline.opening.iter_mut().zip(OPENING) {
                if name == opening && is_closing == is_end {
                    place.get_or_insert((range.end, tags));
                }
            }
            for (place, closing) in outline.closing.iter_mut().zip(CLOSING) {
                if name == closing && is_closing {
                    *place = Some((range.start, tags));
                }
            }
            tags += 1;
            last_start = range.start;
        }
        outline
    }

    /// Behind `<body …>`, `</head>` or `<html …>`.
    fn visible_start(&self) -> usize {
        self.opening.iter().flatten().next().map_or(0, |(at, _)| *at)
    }

    /// Before the last `</body>` or `</html>`.
    fn visible_end(&self) -> usize {
        self.closing.iter().flatten().next().map_or(self.end, |(at, _)| *at)
    }
}

/// One of the tags by which the visible part begins or ends: which, and how many tags stand before it.
type Mark = Option<(usize, usize)>;

/// The tags by which the visible part begins and ends, and whether it ends with the HTML.
fn marks(html: &[u8]) -> (Mark, Mark, bool) {
    let outline = Outline::of(html);
    let first = |places: &[Option<(usize, usize)>]| {
        places.iter().enumerate().find_map(|(which, place)| place.map(|(_, tags)| (which, tags)))
    };
    (first(&outline.opening), first(&outline.closing), outline.end == html.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_put_where_nobody_sees_it_or_a_tag_would_send_it_away() {
        for html in [
            "Hi<img src=\"x",
            "Hi<b",
            "Hi<!-- x</body>",
            "Hi<style>a</style",
            "Hi<style>a</style x='>",
            "Hi<svg><title><img src='</title></svg></body>",
            "Hi<svg><style><!--</style></svg></body>",
            "Hi<math><![CDATA[></math>",
        ] {
            assert_eq!(visible(html.as_bytes(), true), (0, 2), "{html}");
        }
        let sound = "<body>Hi<svg><title>x</title></svg>";
        assert_eq!(visible(format!("{sound}</body>").as_bytes(), true), (6, sound.len()));
    }
}
