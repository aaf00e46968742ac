//! Decides which parts of a message are shown, in which order, and which are files.

use std::collections::HashSet;

use mail_parser::HeaderValue;

use super::blocks::{self, Block};
use super::charset;
use super::flowed::Flow;
use super::names::clean_name;
use crate::mail::charset as charset_of;
use crate::mail::header::{self, Form};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;
use crate::mail::visible::unquoted_text;

/// Messages inside messages that are shown, and their depth; what is beyond is a file.
const MESSAGES_MAX: usize = 50;
const MESSAGE_DEPTH_MAX: usize = 3;
/// Files that are listed.
const FILES_MAX: usize = 200;
/// Characters of a file's name.
const NAME_CHARS_MAX: usize = 120;
/// Encoded bytes of a file up to which its size is counted and not estimated.
const COUNTED_BYTES_MAX: usize = 256 * 1024;
/// Images that HTML names, and bytes of such a name.
const CITED_MAX: usize = 1000;
const CITED_BYTES_MAX: usize = 300;
/// Bytes of text that is shown under a name.
const FILE_BYTES_MAX: usize = 64 * 1024;
/// Bytes of text that show whether a part says something.
const WORDS_BYTES_MAX: usize = 4096;
/// Bytes of HTML of which the first words are taken.
const WORDS_HTML_BYTES_MAX: usize = 32 * 1024;
/// Characters of the first words.
const FIRST_CHARS_MAX: usize = 200;

/// A message as it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The sections that are shown, in order.
    pub sections: Vec<Section>,
    /// The files.
    pub attachments: Vec<ShownPart>,
    /// The images that HTML can show by their Content-ID.
    pub images: Vec<Image>,
    /// Whether something was left out because it is too long.
    pub is_cut: bool,
    /// Whether it passes another message on, so that what it quotes is its content.
    pub is_forward: bool,
}

/// A stretch of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// Plain text.
    Text(Vec<Block>),
    /// Text that has a name, as patches and logs do.
    File {
        /// The name.
        name: String,
        /// The text.
        blocks: Vec<Block>,
    },
    /// HTML of others, uncleaned.
    Html(String),
    /// An image between texts.
    Image(Image),
    /// A message inside this one.
    Message {
        /// Fields of its header.
        facts: Vec<(Fact, String)>,
        /// The sections of it that are shown.
        sections: Vec<Section>,
    },
    /// Something that only the recipient of a key can read.
    Encrypted,
}

/// A field of a nested message's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// From.
    From,
    /// To.
    To,
    /// Cc.
    Cc,
    /// Date.
    Date,
    /// Subject.
    Subject,
}

/// An image that browsers show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The number of its part.
    pub number: usize,
    /// The name of its file.
    pub name: String,
    /// Its Content-ID, without angle brackets.
    pub content_id: Option<String>,
}

/// A file in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPart {
    /// The number of its part: its place among all parts of the message, of which the message itself is 0.
    pub number: usize,
    /// Its name; one that has none is named after its type.
    pub name: String,
    /// Its media type in lower case, such as `image/png`.
    pub media_type: String,
    /// Its size in bytes; that of a large file is an estimate.
    pub bytes: u64,
}

pub(super) fn read(inbound: &Inbound, bytes_max: usize) -> Reading {
    let mut reader = Reader {
        inbound,
        children: children(&inbound.parts),
        left: bytes_max,
        messages: 0,
        has_html: false,
        cited: HashSet::new(),
        reading: Reading { is_forward: is_forward(&inbound.subject), ..Reading::default() },
    };
    let mut sections = Vec::new();
    reader.part(0, 0, &mut sections);
    reader.reading.sections = sections;
    reader.list_images();
    drop_second_calendar(&mut reader.reading.attachments);
    reader.reading
}

/// Leaves out the calendar among the forms of the text, if the same is a file as well.
fn drop_second_calendar(files: &mut Vec<ShownPart>) {
    let is_calendar =
        |file: &ShownPart| matches!(file.media_type.as_str(), "text/calendar" | "application/ics");
    if 1 < files.iter().filter(|file| is_calendar(file)).count() {
        files.retain(|file| !is_calendar(file) || file.name != format!("part-{}.ics", file.number));
    }
}

/// The children of each part.
fn children(parts: &[Part]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); parts.len()];
    for (index, part) in parts.iter().enumerate() {
        if let Some(parent) = part.parent {
            children[parent].push(index);
        }
    }
    children
}

/// Whether a subject says that the message passes another one on.
fn is_forward(subject: &str) -> bool {
    let word = subject.trim_start().split(':').next().unwrap_or_default().trim().to_lowercase();
    matches!(word.as_str(), "fwd" | "fw" | "wg" | "tr" | "rv" | "i" | "doorst" | "转发" | "转寄")
}

struct Reader<'a> {
    inbound: &'a Inbound,
    children: Vec<Vec<usize>>,
    /// Bytes of text that may still be shown.
    left: usize,
    messages: usize,
    /// Whether HTML is shown, which may show the images.
    has_html: bool,
    /// The images that the HTML names.
    cited: HashSet<String>,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn at(&self, index: usize) -> &'a Part {
        &self.inbound.parts[index]
    }

    /// Reads one part with everything inside it; `depth` counts the messages around it.
    fn part(&mut self, index: usize, depth: usize, out: &mut Vec<Section>) {
        let part = self.at(index);
        let media_type = part.media_type.as_str();
        if part.is_multipart() && !self.children[index].is_empty() {
            return self.multipart(index, depth, out);
        }
        if part.is_attachment && index != 0 && !matches!(media_type, "message/rfc822" | "message/global") {
            return self.file(index);
        }
        match media_type {
            "text/html" => self.html(index, out),
            "message/rfc822" | "message/global" => self.message(index, depth, out),
            "message/delivery-status" | "message/disposition-notification" | "text/rfc822-headers" => {
                let (text, _) = charset::decoded(self.inbound, part, FILE_BYTES_MAX.min(self.left));
                self.left -= text.len().min(self.left);
                out.push(Section::Text(vec![Block::Fixed(
                    text.trim_end().lines().map(str::to_owned).collect(),
                )]));
            }
            _ if part.is_shown_text()
                || is_readable_file(media_type)
                || media_type.starts_with("multipart/") =>
            {
                self.text(index, out);
            }
            _ if is_raster(media_type) => self.image(index, out),
            _ => self.file(index),
        }
    }

    fn multipart(&mut self, index: usize, depth: usize, out: &mut Vec<Section>) {
        let children = self.children[index].clone();
        match self.at(index).media_type.as_str() {
            "multipart/alternative" => self.alternative(&children, depth, out),
            "multipart/related" => self.related(&children, depth, out),
            "multipart/encrypted" => {
                out.push(Section::Encrypted);
                for child in children {
                    self.file(child);
                }
            }
            _ => children.into_iter().for_each(|child| self.part(child, depth, out)),
        }
    }

    /// Shows the last form that can be read, which is the best (RFC 2046 5.1.4); files of the others are listed.
    fn alternative(&mut self, children: &[usize], depth: usize, out: &mut Vec<Section>) {
        let best = children.iter().rev().find(|child| self.has_text(**child));
        let best = best.or(children.last()).copied();
        // A form that fits is better than one that is cut.
        let is_long = |child: usize| self.left < self.at(child).body.len();
        let short = best
            .filter(|best| is_long(*best))
            .and_then(|_| children.iter().copied().find(|child| !is_long(*child) && self.has_text(*child)));
        let best = short.or(best);
        for &child in children {
            if Some(child) == best {
                self.part(child, depth, out);
            } else {
                self.list_files(child);
            }
        }
    }

    /// Whether a part, or one inside it, is text that says something.
    fn has_text(&self, index: usize) -> bool {
        let part = self.at(index);
        if part.is_multipart() {
            return self.children[index].iter().any(|child| self.has_text(*child));
        }
        if !part.is_shown_text() {
            return false;
        }
        let (text, is_cut) = charset::decoded(self.inbound, part, WORDS_BYTES_MAX);
        let shows = |html: &str| html.contains("<img") || !unquoted_text(html).is_empty();
        match part.media_type.as_str() {
            "text/html" => is_cut || shows(&text),
            _ => !text.trim().is_empty(),
        }
    }

    /// Lists the files inside a form that is not shown, and that form itself if it is no text.
    fn list_files(&mut self, index: usize) {
        let part = self.at(index);
        if part.is_multipart() {
            return self.children[index].clone().into_iter().for_each(|child| self.list_files(child));
        }
        if !part.is_shown_text() && !part.media_type.starts_with("text/x-amp") {
            self.file(index);
        }
    }

    /// Shows the root of what belongs together; the images beside it are shown where it names them.
    fn related(&mut self, children: &[usize], depth: usize, out: &mut Vec<Section>) {
        let root = children.iter().position(|child| self.has_text(*child)).unwrap_or(0);
        self.part(children[root], depth, out);
        for (place, &child) in children.iter().enumerate() {
            if place == root {
                continue;
            }
            match self.image_at(child).filter(|image| image.content_id.is_some() && self.has_html) {
                // Those that the text does not name are listed in the end.
                Some(image) => self.reading.images.push(image),
                None => self.part(child, depth, out),
            }
        }
    }

    fn html(&mut self, index: usize, out: &mut Vec<Section>) {
        let html = self.decoded(index);
        self.has_html = true;
        for (at, _) in html.match_indices("cid:").take(CITED_MAX) {
            let near = &html[at + 4..];
            let near = &near[..near.floor_char_boundary(CITED_BYTES_MAX)];
            let id = near.split(['"', '\'', '>', ')', ' ']).next().unwrap_or_default();
            self.cited.insert(percent_encoding::percent_decode_str(id).decode_utf8_lossy().into_owned());
        }
        out.push(Section::Html(html));
    }

    fn text(&mut self, index: usize, out: &mut Vec<Section>) {
        let part = self.at(index);
        let is_file = index != 0 && part.filename.is_some();
        if is_file && FILE_BYTES_MAX < part.body.len() {
            return self.file(index);
        }
        let text = self.decoded(index);
        let blocks = if is_readable_file(&part.media_type) && !has_diff(&text) {
            vec![Block::Fixed(text.trim_end().lines().map(str::to_owned).collect())]
        } else {
            blocks::of_text(&text, self.flow(part))
        };
        if is_file {
            self.file(index);
            out.push(Section::File { name: name_of(part, index), blocks });
        } else if !blocks.is_empty() {
            out.push(Section::Text(blocks));
        }
    }

    /// The text of a part, as far as there is room for it.
    fn decoded(&mut self, index: usize) -> String {
        let (text, is_cut) = charset::decoded(self.inbound, self.at(index), self.left);
        self.left -= text.len().min(self.left);
        self.reading.is_cut |= is_cut;
        text
    }

    fn flow(&self, part: &Part) -> Flow {
        if !part.is_flowed {
            return Flow::Fixed;
        }
        let mut fields = header::fields(&self.inbound.raw[part.header.clone()]);
        let field = fields.find(|field| field.is("Content-Type"));
        let drops_blank = field.is_some_and(|field| match field.parsed(Form::ContentType, None) {
            HeaderValue::ContentType(found) => found.attributes.into_iter().flatten().any(|attribute| {
                attribute.name.eq_ignore_ascii_case("delsp") && attribute.value.eq_ignore_ascii_case("yes")
            }),
            _ => false,
        });
        Flow::Flowed { drops_blank }
    }

    fn image(&mut self, index: usize, out: &mut Vec<Section>) {
        if let Some(image) = self.image_at(index) {
            if self.at(index).filename.is_some() {
                self.file(index);
            }
            out.push(Section::Image(image));
        }
    }

    fn image_at(&self, index: usize) -> Option<Image> {
        let part = self.at(index);
        let mut fields = header::fields(&self.inbound.raw[part.header.clone()]);
        let content_id = fields.find(|field| field.is("Content-ID"));
        let content_id = content_id.map(|field| field.text().trim_matches(['<', '>', ' ']).to_owned());
        is_raster(&part.media_type).then(|| Image {
            number: index,
            name: name_of(part, index),
            content_id: content_id.filter(|id| !id.is_empty()),
        })
    }

    /// Lists the images that no text shows.
    fn list_images(&mut self) {
        for image in self.reading.images.clone() {
            if !image.content_id.is_some_and(|id| self.cited.contains(&id)) {
                self.file(image.number);
            }
        }
    }

    fn message(&mut self, index: usize, depth: usize, out: &mut Vec<Section>) {
        let inner = self.children[index].first().copied();
        let Some(inner) = inner.filter(|_| depth < MESSAGE_DEPTH_MAX && self.messages < MESSAGES_MAX) else {
            return self.file(index);
        };
        self.messages += 1;
        let mut sections = Vec::new();
        self.part(inner, depth + 1, &mut sections);
        out.push(Section::Message { facts: self.facts(inner), sections });
    }

    /// The fields of a nested message that its reader looks for.
    fn facts(&self, index: usize) -> Vec<(Fact, String)> {
        let block = &self.inbound.raw[self.at(index).header.clone()];
        let hint = charset_of::header_hint(&self.inbound.parts[index..]);
        let named = [
            ("From", Fact::From),
            ("To", Fact::To),
            ("Cc", Fact::Cc),
            ("Date", Fact::Date),
            ("Subject", Fact::Subject),
        ];
        named
            .into_iter()
            .filter_map(|(name, fact)| {
                let field = header::fields(block).find(|field| field.is(name))?;
                let mut value = clean_name(&field.decoded(hint));
                value.truncate(value.floor_char_boundary(500));
                (!value.is_empty()).then_some((fact, value))
            })
            .collect()
    }

    fn file(&mut self, index: usize) {
        let part = self.at(index);
        if FILES_MAX <= self.reading.attachments.len() {
            self.reading.is_cut = true;
            return;
        }
        if part.is_multipart() {
            return self.children[index].clone().into_iter().for_each(|child| self.file(child));
        }
        self.reading.attachments.push(ShownPart {
            number: index,
            name: name_of(part, index),
            media_type: part.media_type.clone(),
            bytes: size(&self.inbound.raw[part.body.clone()], part.encoding),
        });
    }
}

/// The beginning of what the author wrote: of the first text that is no quote.
pub(super) fn first_words(sections: &[Section]) -> String {
    let found = sections.iter().find_map(|section| {
        let words = match section {
            Section::Text(blocks) | Section::File { name: _, blocks } => words_of(blocks),
            Section::Html(html) => {
                let start = &html[..html.floor_char_boundary(WORDS_HTML_BYTES_MAX)];
                unquoted_text(&own_html(start)).lines().map(str::to_owned).collect::<Vec<_>>().join(" ")
            }
            Section::Message { facts: _, sections } => first_words(sections),
            Section::Image(_) | Section::Encrypted => String::new(),
        };
        Some(words).filter(|words| !words.trim().is_empty())
    });
    let found = found.unwrap_or_default();
    let line = found.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= FIRST_CHARS_MAX {
        return line;
    }
    let start: String = line.chars().take(FIRST_CHARS_MAX).collect();
    // Scripts without blanks are cut between two characters.
    let end = start.rfind(' ').filter(|end| start.len() / 2 < *end).unwrap_or(start.len());
    format!("{}…", start[..end].trim_end_matches([',', ';', ':', ' ']))
}

/// Marks in HTML of what programs put below an answer.
const QUOTE_MARKS: [&str; 6] = [
    "class=\"gmail_attr",
    "class=\"gmail_quote",
    "id=\"appendonsend",
    "id=\"divRplyFwdMsg",
    "border-top:solid #E1E1E1",
    "class=\"moz-cite-prefix",
];

/// HTML without the elements that their own style hides, and without what is below an answer.
fn own_html(html: &str) -> String {
    let end = QUOTE_MARKS.iter().filter_map(|mark| html.find(mark)).min();
    let end =
        end.and_then(|end| html[..end].rfind('<')).filter(|end| !unquoted_text(&html[..*end]).is_empty());
    let mut rest = &html[..end.unwrap_or(html.len())];
    let mut own = String::with_capacity(rest.len());
    let hidden = |html: &str| ["display:none", "display: none"].iter().filter_map(|css| html.find(css)).min();
    while let Some(at) = hidden(rest) {
        let Some(start) = rest[..at].rfind('<') else { break };
        own.push_str(&rest[..start]);
        let name: String = rest[start + 1..].chars().take_while(char::is_ascii_alphanumeric).collect();
        // Previews are one element with text alone.
        let close = rest[at..].find(&format!("</{name}")).map(|close| at + close);
        rest = &rest[close.unwrap_or(at + "display:none".len())..];
        rest = rest.split_once('>').map_or("", |(_, behind)| behind);
    }
    own.push_str(rest);
    own
}

/// The words of the author in plain text; those that are quoted if there are no others.
fn words_of(blocks: &[Block]) -> String {
    let mut words = String::new();
    for block in blocks {
        if let Block::Paragraph(lines) = block {
            for (line, _) in lines {
                words.push_str(line);
                words.push(' ');
            }
        }
        if FIRST_CHARS_MAX * 4 < words.len() {
            break;
        }
    }
    let inner = || {
        blocks.iter().find_map(|block| match block {
            Block::Quote(quote) => Some(words_of(&quote.blocks)),
            Block::Fixed(lines) | Block::Signature(lines) => Some(lines.join(" ")),
            Block::Diff(_) | Block::Paragraph(_) => None,
        })
    };
    if words.trim().is_empty() { inner().unwrap_or_default() } else { words }
}

/// Whether files of this type are text that people read in mail.
fn is_readable_file(media_type: &str) -> bool {
    matches!(media_type, "text/x-patch" | "text/x-diff" | "text/x-log" | "text/markdown" | "text/enriched")
}

/// Whether browsers show this as an image that can run nothing.
fn is_raster(media_type: &str) -> bool {
    matches!(
        media_type,
        "image/png" | "image/jpeg" | "image/jpg" | "image/pjpeg" | "image/gif" | "image/webp"
    )
}

fn has_diff(text: &str) -> bool {
    text.starts_with("diff ") || text.starts_with("--- ") || text.contains("\n--- ")
}

/// The name of a file; one that has none is named after its type.
fn name_of(part: &Part, index: usize) -> String {
    let name = part.filename.as_deref().map(clean_name).unwrap_or_default();
    // The last part of a path is the name.
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().trim_matches(['.', ' ']).to_owned();
    if !name.is_empty() {
        return name.chars().take(NAME_CHARS_MAX).collect();
    }
    let subtype = part.media_type.split('/').nth(1).unwrap_or_default();
    let extension = match subtype {
        "plain" => "txt",
        "jpeg" | "pjpeg" => "jpg",
        "calendar" => "ics",
        "rfc822" | "global" => "eml",
        "pgp-signature" => "asc",
        "pkcs7-signature" | "x-pkcs7-signature" => "p7s",
        "svg+xml" => "svg",
        other if other.len() <= 5 && other.bytes().all(|byte| byte.is_ascii_alphanumeric()) => other,
        _ => "bin",
    };
    format!("part-{index}.{extension}")
}

/// The size of a part's content.
fn size(body: &[u8], encoding: Encoding) -> u64 {
    let bytes = match encoding {
        Encoding::Base64 | Encoding::QuotedPrintable if body.len() <= COUNTED_BYTES_MAX => {
            text::decode_transfer(body, encoding).len()
        }
        // Lines of 76 characters stand for 57 bytes.
        Encoding::Base64 => body.len() / 78 * 57,
        Encoding::QuotedPrintable | Encoding::SevenBit | Encoding::EightBit | Encoding::Other => body.len(),
    };
    bytes as u64
}
