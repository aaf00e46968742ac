//! The structure of a message as its reader sees it: which parts are its text, where that text begins and ends,
//! what is an attachment, and what is sealed.

use std::borrow::Cow;

use crate::mail::charset;
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::Inbound;
use crate::mail::text;

/// The delimiter lines of all multiparts that a part lies in, without their line ends.
pub(super) fn delimiters_around<'a>(inbound: &'a Inbound, part: &Part) -> Vec<&'a [u8]> {
    let mut delimiters = Vec::new();
    let mut parent = part.parent;
    while let Some(outer) = parent {
        let first = inbound.parts.iter().find(|part| part.parent == Some(outer));
        if let Some(first) = first.filter(|_| inbound.parts[outer].is_multipart()) {
            let start = delimiter_start(&inbound.raw, first);
            delimiters.push(inbound.raw[start..first.header.start].trim_ascii_end());
        }
        parent = inbound.parts[outer].parent;
    }
    delimiters
}

/// Where the delimiter line in front of an inner part begins.
pub(super) fn delimiter_start(raw: &[u8], part: &Part) -> usize {
    let before = &raw[..part.header.start];
    let line = before.strip_suffix(b"\n").unwrap_or(before);
    memchr::memrchr(b'\n', line).map_or(0, |at| at + 1)
}

/// One of the two places at which a list adds something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Before everything that is shown.
    First,
    /// Behind everything that is shown.
    Last,
}

/// The first or last thing that a reader sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// A text, in one part or as alternatives of each other.
    Texts(Vec<usize>),
    /// An attachment that is taken off, and the line in its place.
    Stripped(usize),
    /// Something sealed inside this multipart: an addition becomes a part of its own beside it.
    Beside(usize),
    /// The whole message, which takes no addition inside: it becomes a part beside the addition.
    Around,
    /// Nothing can be added.
    Nowhere,
}

/// The reason why a part must not change by a single byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seal {
    /// Signed content and the like, which can be read where it stands inside something else.
    Signed,
    /// Encrypted content and opaque signatures, which many readers only open where they are all of a message;
    /// reports and invitations, which machines read.
    Whole,
}

/// A message with what was learned of its parts.
pub(super) struct Structure<'a> {
    pub(super) inbound: &'a Inbound,
    strips: bool,
    /// The contents of the texts, without their transfer encoding.
    decoded: Vec<Option<Cow<'a, [u8]>>>,
    seals: Vec<Option<Seal>>,
}

impl<'a> Structure<'a> {
    pub(super) fn of(inbound: &'a Inbound, strips: bool) -> Structure<'a> {
        let parts = &inbound.parts;
        let mut structure =
            Structure { inbound, strips, decoded: vec![None; parts.len()], seals: vec![None; parts.len()] };
        for (index, part) in parts.iter().enumerate() {
            // What a nested message holds belongs to that message.
            let is_nested = inbound.is_inside_message(part);
            if part.is_shown_text() && !is_nested && part.encoding != Encoding::Other {
                let body = &inbound.raw[part.body.clone()];
                structure.decoded[index] = Some(text::decode_transfer(body, part.encoding));
            }
            structure.seals[index] = structure.find_seal(index);
        }
        structure
    }

    /// Whether a part is sealed by itself or by what it lies in, which was looked at before.
    fn find_seal(&self, index: usize) -> Option<Seal> {
        let part = &self.inbound.parts[index];
        let outer = part.parent.and_then(|parent| self.seals[parent]);
        outer.or_else(|| own_seal(&self.inbound.raw, part, self.decoded[index].as_deref()))
    }

    fn part(&self, index: usize) -> &'a Part {
        &self.inbound.parts[index]
    }

    /// The content of a text without its transfer encoding; none of what is no text that can be changed.
    pub(super) fn text(&self, index: usize) -> Option<&[u8]> {
        let decoded = self.decoded[index].as_deref();
        decoded.filter(|_| self.seals[index].is_none())
    }

    pub(super) fn children(&self, index: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let parts = &self.inbound.parts;
        (index + 1..parts.len()).filter(move |child| parts[*child].parent == Some(index))
    }

    /// The parts that are the text of the message: everything that is shown and is no file.
    pub(super) fn body_texts(&self) -> Vec<usize> {
        let first = match self.end(Side::First) {
            End::Texts(texts) => texts,
            _ => Vec::new(),
        };
        let has_name = |index: usize| self.part(index).filename.is_some();
        (0..self.inbound.parts.len())
            .filter(|index| self.text(*index).is_some())
            .filter(|index| !has_name(*index) || first.contains(index))
            .collect()
    }

    /// Where an addition on this side goes.
    pub(super) fn end(&self, side: Side) -> End {
        let found = self.find_end(0, side).or_else(|| self.find_end(0, Side::First));
        let root = self.part(0);
        match found {
            Some(end) => end,
            None if self.seals[0] == Some(Seal::Whole) => End::Nowhere,
            None if self.seals[0] == Some(Seal::Signed) => End::Around,
            None if root.media_type == "multipart/mixed" && self.children(0).next().is_some() => {
                End::Beside(0)
            }
            // Without a boundary, or with nothing between them.
            None if root.media_type.starts_with("multipart/") && self.children(0).next().is_none() => {
                End::Nowhere
            }
            None => End::Around,
        }
    }

    /// The first or last thing shown in a part; `None` if nothing is.
    fn find_end(&self, index: usize, side: Side) -> Option<End> {
        let part = self.part(index);
        if let Some(seal) = self.seals[index] {
            return Some(self.beside(index, seal));
        }
        if self.text(index).is_some() {
            return match side {
                Side::Last if part.filename.is_some() => self.end_of_file(index),
                Side::First | Side::Last => Some(End::Texts(vec![index])),
            };
        }
        if !part.is_multipart() {
            return self.is_replaced(index).then_some(End::Stripped(index));
        }
        match part.media_type.as_str() {
            "multipart/alternative" => self.find_alternatives(index, side),
            "multipart/related" => self.children(index).next().and_then(|root| self.find_end(root, side)),
            "multipart/digest" => None,
            _ if part.is_attachment => None,
            _ if side == Side::First => self.children(index).find_map(|child| self.find_end(child, side)),
            _ => self.children(index).rev().find_map(|child| self.find_end(child, side)),
        }
    }

    /// A text under a name at the end of a message: it takes no footer, unless a line stands in its place.
    fn end_of_file(&self, index: usize) -> Option<End> {
        let first = self.find_end(0, Side::First);
        let is_first = matches!(first, Some(End::Texts(texts)) if texts.contains(&index));
        (self.strips && !is_first).then_some(End::Stripped(index))
    }

    /// Where an addition goes that cannot go into a sealed part: beside what holds it.
    fn beside(&self, index: usize, seal: Seal) -> End {
        let is_one_content = |index: usize| {
            matches!(self.part(index).media_type.as_str(), "multipart/alternative" | "multipart/related")
        };
        let mut container = self.part(index).parent;
        while let Some(found) = container.filter(|container| is_one_content(*container)) {
            container = self.part(found).parent;
        }
        match (container, seal) {
            (Some(container), _) => End::Beside(container),
            (None, Seal::Signed) => End::Around,
            (None, Seal::Whole) => End::Nowhere,
        }
    }

    /// The texts of all alternatives; one that is sealed seals the others, which say the same.
    fn find_alternatives(&self, index: usize, side: Side) -> Option<End> {
        let mut texts = Vec::new();
        for child in self.children(index) {
            match self.find_end(child, side) {
                Some(End::Texts(more)) => texts.extend(more),
                Some(End::Stripped(_)) | None => {}
                Some(sealed) => return Some(sealed),
            }
        }
        (!texts.is_empty()).then_some(End::Texts(texts))
    }

    /// Whether an attachment is taken off and a line put in its place.
    fn is_replaced(&self, index: usize) -> bool {
        self.strips && self.is_attachment(index) && !self.is_alternative(index)
    }

    /// Whether a part is neither text nor a container, nor inside something that stays or goes as a whole.
    pub(super) fn is_attachment(&self, index: usize) -> bool {
        let part = self.part(index);
        let is_text = self.text(index).is_some() || (index == 0 && part.media_type.starts_with("text/"));
        !part.is_multipart()
            && !is_text
            && self.seals[index].is_none()
            && !part.media_type.starts_with("multipart/")
            && !self.inbound.is_inside_message(part)
    }

    /// Whether a part is one of several forms of the same content.
    pub(super) fn is_alternative(&self, index: usize) -> bool {
        let parent = self.part(index).parent.map(|parent| self.part(parent));
        parent.is_some_and(|parent| parent.media_type == "multipart/alternative")
    }
}

/// The seal of a part by itself.
fn own_seal(raw: &[u8], part: &Part, decoded: Option<&[u8]>) -> Option<Seal> {
    match part.media_type.as_str() {
        "multipart/signed" => Some(Seal::Signed),
        "multipart/encrypted"
        | "multipart/report"
        | "application/pkcs7-mime"
        | "application/x-pkcs7-mime"
        | "application/pgp-encrypted" => Some(Seal::Whole),
        "text/calendar" if part.parent.is_none() => Some(Seal::Whole),
        media_type if media_type.starts_with("message/") && part.parent.is_none() => Some(Seal::Whole),
        // Whatever is put into text that cannot be read makes it worse.
        _ if decoded.is_some_and(|decoded| !is_readable(raw, part, decoded)) => Some(Seal::Signed),
        media_type => decoded.and_then(|decoded| inline_pgp(decoded, media_type == "text/html")),
    }
}

/// Whether a text is what its labels say, so that it can be written anew without losing anything.
fn is_readable(raw: &[u8], part: &Part, decoded: &[u8]) -> bool {
    let is_sound = part.encoding != Encoding::Base64 || text::is_sound_base64(&raw[part.body.clone()]);
    is_sound && charset::is_certain(decoded, part.charset.as_deref(), part.media_type == "text/html")
}

/// Whether a text is signed or encrypted by `OpenPGP` in the text itself.
pub(super) fn is_inline_pgp(decoded: &[u8], is_html: bool) -> bool {
    inline_pgp(decoded, is_html).is_some()
}

/// What `OpenPGP` put into the text itself (RFC 4880 6.2 and 7).
fn inline_pgp(decoded: &[u8], is_html: bool) -> Option<Seal> {
    let begins = memchr::memmem::Finder::new(b"-----BEGIN PGP ");
    begins.find_iter(decoded).find_map(|at| {
        let is_line = at == 0 || decoded[at - 1] == if is_html { b'>' } else { b'\n' };
        let kind = &decoded[at + b"-----BEGIN PGP ".len()..];
        match kind {
            _ if !is_line => None,
            _ if kind.starts_with(b"SIGNED MESSAGE-----") => Some(Seal::Signed),
            _ if kind.starts_with(b"MESSAGE-----") => Some(Seal::Whole),
            _ => None,
        }
    })
}
