//! The form that all members' copies of one message share.
//!
//! A list of pieces: ranges of the original, bytes that were made, and places for what is personal. A copy is
//! rendered by walking the pieces, with nothing parsed and next to nothing allocated: it is made tens of
//! thousands of times a second.

use std::ops::Range;
use std::sync::Arc;

use super::content::PartSegment;
use super::header_footer::TextSegment;
use super::slot::{Context, Slot, VALUE_BYTES_MAX};
use crate::mail::header::{self, Field};
use crate::mail::sign::BodyHasher;
use crate::mail::text;
use crate::model::Change;

/// A message as it goes out, with places for what is personal.
#[derive(Debug, Clone)]
pub struct SharedForm {
    pub(super) original: Arc<[u8]>,
    pub(super) made: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    /// Stands for a member's name that is blank.
    pub(super) default_name: String,
    subject: Option<Subject>,
    /// How many pieces the header has.
    pub(super) header_pieces: usize,
    /// The changes, for the record that is kept with the message.
    pub changes: Vec<Change>,
    /// Domains of the DKIM signatures that nothing was changed under.
    pub kept_signers: Vec<String>,
    /// Whether what was found out on the way in is not to be passed on, since it would name an author who is hidden.
    pub hides_author: bool,
    /// Whether From is of a domain that is not ours, so that our own signature says nothing of it.
    pub is_of_others: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes of the original.
    Original(Range<usize>),
    /// Bytes that the rewriting made.
    Made(Range<usize>),
    /// A value of the member.
    Personal(Slot, Context),
    /// The whole Subject field.
    Subject,
}

/// A subject with values of the member in it. It is encoded anew for each copy, since one value beyond ASCII
/// changes how the words around it are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject(pub(super) Vec<TextSegment>);

/// The values for one member's copy.
#[derive(Debug, Clone, Copy, Default)]
pub struct Personal<'a> {
    /// The member's address.
    pub email: &'a str,
    /// First name, may be blank.
    pub first_name: &'a str,
    /// Surname, may be blank.
    pub surname: &'a str,
    /// `https://…` that leaves the list with one click.
    pub unsubscribe_url: &'a str,
    /// `mailto:…`, an address to which an empty message leaves the list.
    pub unsubscribe_mailto: &'a str,
    /// `https://…` with the member's settings.
    pub manage_url: &'a str,
    /// The envelope sender of this copy, to which complaints go too.
    pub envelope_sender: &'a str,
    /// Values of custom fields by the names that templates use.
    pub custom: &'a [(&'a str, &'a str)],
}

impl SharedForm {
    pub(super) fn new(original: Arc<[u8]>, default_name: String) -> SharedForm {
        SharedForm {
            original,
            made: Vec::new(),
            pieces: Vec::new(),
            default_name,
            subject: None,
            header_pieces: 0,
            changes: Vec::new(),
            kept_signers: Vec::new(),
            hides_author: false,
            is_of_others: false,
        }
    }

    /// Adds bytes of the original.
    pub(super) fn push_original(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let starts_body = self.header_pieces == self.pieces.len();
        match self.pieces.last_mut() {
            Some(Piece::Original(last)) if last.end == range.start && !starts_body => {
                last.end = range.end;
            }
            _ => self.pieces.push(Piece::Original(range)),
        }
    }

    /// Adds bytes of our own.
    pub(super) fn push_made(&mut self, bytes: &[u8]) {
        let start = self.made.len();
        self.made.extend_from_slice(bytes);
        let starts_body = self.header_pieces == self.pieces.len();
        match self.pieces.last_mut() {
            Some(Piece::Made(last)) if !starts_body => last.end = self.made.len(),
            _ if bytes.is_empty() => {}
            _ => self.pieces.push(Piece::Made(start..self.made.len())),
        }
    }

    /// Adds a stretch that was decided on.
    pub(super) fn push(&mut self, segment: PartSegment) {
        match segment {
            PartSegment::Original(range) => self.push_original(range),
            PartSegment::Made(bytes) => self.push_made(&bytes),
            PartSegment::Personal(slot, context) => self.push_personal(slot, context),
        }
    }

    /// Adds a place for a value of the member.
    pub(super) fn push_personal(&mut self, slot: Slot, context: Context) {
        self.pieces.push(Piece::Personal(slot, context));
    }

    /// Adds the place for a subject that differs from member to member.
    pub(super) fn push_subject(&mut self, subject: Subject) {
        self.pieces.push(Piece::Subject);
        self.subject = Some(subject);
    }

    /// Ends the line of a field that stood at the end of a message without a line end.
    pub(super) fn end_header_line(&mut self, field: &Field<'_>) {
        if !field.raw.ends_with(b"\n") {
            self.push_made(b"\r\n");
        }
    }

    /// Ends the last line if it is open.
    pub(super) fn end_line(&mut self) {
        let last = self.pieces.last().map_or_else(Default::default, |piece| self.shared(piece));
        if !last.ends_with(b"\r\n") && self.header_pieces < self.pieces.len() {
            self.push_made(b"\r\n");
        }
    }

    /// Marks the end of the header.
    pub(super) fn end_header(&mut self) {
        self.header_pieces = self.pieces.len();
    }

    /// Puts bytes that all copies share in front of the last `length` bytes, which must be of the original.
    ///
    /// # Panics
    /// If they are not.
    pub(in crate::mail) fn insert_before_end(&mut self, length: usize, bytes: &[u8]) {
        let Some(Piece::Original(last)) = self.pieces.pop() else {
            panic!("the end of a message is of the original");
        };
        let at = last.end.checked_sub(length).filter(|at| last.start <= *at);
        let at = at.expect("the end of a message is of the original");
        self.push_original(last.start..at);
        self.push_made(bytes);
        self.pieces.push(Piece::Original(at..last.end));
    }

    /// Appends one member's copy to `out`, and says where in `out` its body begins.
    pub fn render(&self, personal: &Personal<'_>, out: &mut Vec<u8>) -> usize {
        out.reserve(self.shared_bytes() + self.pieces.len() * 16);
        let mut value = String::new();
        let mut body_start = out.len();
        for (index, piece) in self.pieces.iter().enumerate() {
            if index == self.header_pieces {
                body_start = out.len();
            }
            match piece {
                Piece::Original(_) | Piece::Made(_) => out.extend_from_slice(self.shared(piece)),
                Piece::Personal(slot, context) => {
                    self.write_value(slot, personal, &mut value);
                    write_in(*context, &value, out);
                }
                Piece::Subject => self.write_subject(personal, out),
            }
        }
        if self.header_pieces == self.pieces.len() { out.len() } else { body_start }
    }

    /// Whether copies differ in their body, and not in headers alone.
    #[must_use]
    pub fn has_personal_body(&self) -> bool {
        self.pieces[self.header_pieces..].iter().any(|piece| matches!(piece, Piece::Personal(..)))
    }

    /// Hashes the bodies of copies; `None` if they all have the same one.
    pub(crate) fn body_hasher(&self) -> Option<BodyHasher> {
        let body = &self.pieces[self.header_pieces..];
        let is_personal = |piece: &Piece| matches!(piece, Piece::Personal(..));
        let first = body.iter().position(is_personal)?;
        let last = body.iter().rposition(is_personal)?;
        let bytes =
            |pieces: &[Piece]| pieces.iter().map(|piece| self.shared(piece)).collect::<Vec<_>>().concat();
        Some(BodyHasher::new(&bytes(&body[..first]), &bytes(&body[last + 1..])))
    }

    /// The bytes of a piece that all copies share.
    fn shared(&self, piece: &Piece) -> &[u8] {
        match piece {
            Piece::Original(range) => &self.original[range.clone()],
            Piece::Made(range) => &self.made[range.clone()],
            Piece::Personal(..) | Piece::Subject => b"",
        }
    }

    /// Whether copies differ in what a reader sees, and not in links for programs alone.
    #[must_use]
    pub fn has_personal_content(&self) -> bool {
        self.subject.is_some() || self.has_personal_body()
    }

    /// The bytes that all copies share.
    #[must_use]
    pub fn shared_bytes(&self) -> usize {
        self.pieces.iter().map(|piece| self.shared(piece).len()).sum()
    }

    fn write_subject(&self, personal: &Personal<'_>, out: &mut Vec<u8>) {
        let mut subject = String::new();
        let mut value = String::new();
        for text_segment in self.subject.iter().flat_map(|subject| &subject.0) {
            match text_segment {
                TextSegment::Literal(text) => subject.push_str(text),
                TextSegment::Personal(slot) => {
                    self.write_value(slot, personal, &mut value);
                    subject.push_str(&value);
                }
            }
        }
        header::write_text(out, "Subject", &header::one_line(&subject));
    }

    /// The value for a slot, on one line and not longer than a line can take.
    fn write_value(&self, slot: &Slot, personal: &Personal<'_>, value: &mut String) {
        value.clear();
        match slot {
            Slot::Name => {
                value.push_str(personal.first_name);
                if !personal.first_name.is_empty() && !personal.surname.is_empty() {
                    value.push(' ');
                }
                value.push_str(personal.surname);
            }
            Slot::FirstName => value.push_str(personal.first_name),
            Slot::Surname => value.push_str(personal.surname),
            Slot::Email => value.push_str(personal.email),
            Slot::UnsubscribeUrl => value.push_str(personal.unsubscribe_url),
            Slot::UnsubscribeMailto => value.push_str(personal.unsubscribe_mailto),
            Slot::ManageUrl => value.push_str(personal.manage_url),
            Slot::EnvelopeSender => value.push_str(personal.envelope_sender),
            Slot::Custom(name) => {
                value.push_str(
                    personal.custom.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value),
                );
            }
        }
        let is_name = matches!(slot, Slot::Name | Slot::FirstName | Slot::Surname);
        if is_name && value.trim().is_empty() {
            value.clear();
            value.push_str(&self.default_name);
        }
        if value.contains(char::is_control) {
            *value = header::one_line(value);
        }
        value.truncate(value.floor_char_boundary(VALUE_BYTES_MAX));
    }
}

fn write_in(context: Context, value: &str, out: &mut Vec<u8>) {
    match context {
        Context::Header => {
            out.extend(value.bytes().filter(|byte| (33..127).contains(byte) && !b"<>".contains(byte)));
        }
        Context::Text => out.extend_from_slice(value.as_bytes()),
        Context::Html => out.extend_from_slice(escaped(value).as_bytes()),
        Context::TextQp => write_qp(value.as_bytes(), out),
        Context::HtmlQp => write_qp(escaped(value).as_bytes(), out),
    }
}

/// `value` escaped; it loses its end where that would be longer than a line can take.
fn escaped(mut value: &str) -> String {
    loop {
        let html = text::escape_html(value);
        if html.len() <= VALUE_BYTES_MAX {
            return html;
        }
        value = &value[..value.floor_char_boundary(value.len() * 3 / 4)];
    }
}

/// Between soft line breaks, so that the columns before and behind do not matter.
fn write_qp(value: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"=\r\n");
    text::encode_qp(value, out);
    out.extend_from_slice(b"=\r\n");
}
