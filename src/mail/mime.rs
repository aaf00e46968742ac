//! Finds the structure of a message: which bytes are which part.
//!
//! One linear pass with limits, before any other code looks at a body. Parts are ranges of the message, so that
//! untouched ones are sent byte for byte. Nested messages count as parts and as depth.

use mail_parser::{ContentType, HeaderValue};

use super::charset::{self, Charset};
use super::header::{self, Field, Form};
use super::inbound::ParseError;
pub(crate) use super::part::{Encoding, Part};

/// Parts of one message, nested messages and multiparts included.
pub(crate) const PARTS_MAX: usize = 1000;
/// Depth of nested parts.
pub(crate) const DEPTH_MAX: usize = 50;
/// Octets of one header block.
pub(crate) const HEADER_BYTES_MAX: usize = 256 * 1024;
/// Fields of one header block.
pub(crate) const HEADER_FIELDS_MAX: usize = 1000;

/// Finds all parts of `raw`, the message itself first, each before the parts inside it.
pub(crate) fn scan(raw: &[u8]) -> Result<Vec<Part>, ParseError> {
    let mut scanner = Scanner { raw, parts: Vec::new(), open: Vec::new() };
    let body = scanner.begin_part(0, None, "text/plain")?;
    if scanner.open.is_empty() {
        scanner.parts[0].body = body..raw.len();
    } else {
        scanner.walk(body)?;
    }
    name_files(raw, &mut scanner.parts);
    Ok(scanner.parts)
}

/// Reads names of files anew that have raw octets, now that the character set of the message's text is known.
fn name_files(raw: &[u8], parts: &mut [Part]) {
    let has_octets = |part: &Part| {
        let block = &raw[part.header.clone()];
        part.filename.is_some() && !block.is_ascii() && std::str::from_utf8(block).is_err()
    };
    if !parts.iter().any(has_octets) {
        return;
    }
    let hint = charset::header_hint(parts);
    for part in parts.iter_mut().filter(|part| has_octets(part)) {
        let mut described = Part { filename: None, ..part.clone() };
        for field in header::fields(&raw[part.header.clone()]) {
            if field.is("Content-Type") {
                describe_type(&mut described, &field, hint);
            } else if field.is("Content-Disposition") {
                describe_disposition(&mut described, &field, hint);
            }
        }
        part.filename = described.filename;
    }
}

/// A message as one part of plain text, whatever its header says of it: one whose structure is beyond the limits.
pub(crate) fn whole(raw: &[u8]) -> Part {
    let body = header::block_end(raw, 0);
    Part {
        parent: None,
        depth: 0,
        header: 0..body,
        body: body..raw.len(),
        media_type: "text/plain".to_owned(),
        charset: None,
        is_flowed: false,
        encoding: Encoding::EightBit,
        is_attachment: false,
        filename: None,
        boundary: None,
    }
}

struct Scanner<'a> {
    raw: &'a [u8],
    parts: Vec<Part>,
    /// Parts whose end has not been found, outermost first.
    open: Vec<usize>,
}

enum Delimiter {
    /// Another part of `multipart` begins.
    Next { multipart: usize },
    /// `multipart` ends.
    Close { multipart: usize },
}

impl Scanner<'_> {
    /// Reads the header block at `start` and opens the part, and a nested message in it; returns where its content
    /// begins.
    fn begin_part(
        &mut self,
        start: usize,
        parent: Option<usize>,
        default: &str,
    ) -> Result<usize, ParseError> {
        let depth = parent.map_or(0, |parent| self.parts[parent].depth + 1);
        if PARTS_MAX <= self.parts.len() {
            return Err(ParseError::TooManyParts);
        }
        if DEPTH_MAX < depth {
            return Err(ParseError::TooDeep);
        }
        let body = self.header_end(start);
        if HEADER_BYTES_MAX < body - start {
            return Err(ParseError::HeaderTooLarge);
        }
        let mut part = describe(&self.raw[start..body], default)?;
        part.parent = parent;
        part.depth = depth;
        part.header = start..body;
        part.body = body..self.raw.len();
        let is_message = part.is_message();
        let is_container = is_message || part.is_multipart();
        self.parts.push(part);
        let index = self.parts.len() - 1;
        if is_container || parent.is_some() {
            self.open.push(index);
        }
        if is_message { self.begin_part(body, Some(index), "text/plain") } else { Ok(body) }
    }

    /// The end of a header block: its empty line, or a boundary that cuts it short.
    fn header_end(&self, start: usize) -> usize {
        header::block_end_before(self.raw, start, |line| {
            line.starts_with(b"--") && self.delimiter(line).is_some()
        })
    }

    fn walk(&mut self, body: usize) -> Result<(), ParseError> {
        let mut line_start = body;
        while line_start < self.raw.len() {
            let line_end = header::line_end(self.raw, line_start);
            let line = &self.raw[line_start..line_end];
            let delimiter = if line.starts_with(b"--") { self.delimiter(line) } else { None };
            line_start = match delimiter {
                None => line_end,
                Some(Delimiter::Close { multipart }) => {
                    self.close_inside(multipart, line_start);
                    // An epilogue follows: only the boundaries of outer multiparts count from here.
                    self.parts[multipart].boundary = Some(Vec::new());
                    line_end
                }
                Some(Delimiter::Next { multipart }) => {
                    self.close_inside(multipart, line_start);
                    let is_digest = self.parts[multipart].media_type == "multipart/digest";
                    let default = if is_digest { "message/rfc822" } else { "text/plain" };
                    self.begin_part(line_end, Some(multipart), default)?
                }
            };
        }
        Ok(())
    }

    /// The open multipart whose boundary this line is. A part must not contain a line that is its multipart's boundary
    /// (RFC 2046 5.1.1), so the outermost multipart wins if an inner one has the same boundary.
    fn delimiter(&self, line: &[u8]) -> Option<Delimiter> {
        let line = line[2..].trim_ascii_end();
        for &multipart in &self.open {
            let boundary = match &self.parts[multipart].boundary {
                Some(boundary) if !boundary.is_empty() => boundary,
                _ => continue,
            };
            match line.strip_prefix(boundary.as_slice()) {
                Some(b"") => return Some(Delimiter::Next { multipart }),
                Some(b"--") => return Some(Delimiter::Close { multipart }),
                _ => {}
            }
        }
        None
    }

    /// Ends all parts inside `multipart` before the boundary line at `line_start`.
    fn close_inside(&mut self, multipart: usize, line_start: usize) {
        let end = if self.raw[..line_start].ends_with(b"\r\n") { line_start - 2 } else { line_start };
        while let Some(&inner) = self.open.last() {
            if inner == multipart {
                break;
            }
            let body = &mut self.parts[inner].body;
            body.end = end.max(body.start);
            self.open.pop();
        }
    }
}

/// Reads the header fields that describe a part.
fn describe(block: &[u8], default: &str) -> Result<Part, ParseError> {
    let mut part = Part {
        parent: None,
        depth: 0,
        header: 0..0,
        body: 0..0,
        media_type: default.to_owned(),
        charset: None,
        is_flowed: false,
        encoding: Encoding::SevenBit,
        is_attachment: false,
        filename: None,
        boundary: None,
    };
    let (mut seen_type, mut seen_encoding, mut seen_disposition) = (false, false, false);
    for (count, field) in header::fields(block).enumerate() {
        if HEADER_FIELDS_MAX <= count {
            return Err(ParseError::TooManyFields);
        }
        // Only the first field of each name counts, as for most mail programs.
        if field.is("Content-Type") && !std::mem::replace(&mut seen_type, true) {
            describe_type(&mut part, &field, None);
        } else if field.is("Content-Transfer-Encoding") && !std::mem::replace(&mut seen_encoding, true) {
            part.encoding = encoding(&field.text());
        } else if field.is("Content-Disposition") && !std::mem::replace(&mut seen_disposition, true) {
            describe_disposition(&mut part, &field, None);
        }
    }
    Ok(part)
}

fn describe_type(part: &mut Part, field: &Field<'_>, hint: Option<Charset>) {
    let Some(content_type) = content_type(field, hint) else { return };
    let subtype = content_type.c_subtype.as_deref().unwrap_or("plain").to_ascii_lowercase();
    part.media_type = format!("{}/{subtype}", content_type.c_type.to_ascii_lowercase());
    for attribute in content_type.attributes.into_iter().flatten() {
        match attribute.name.as_ref() {
            "charset" => part.charset = Some(attribute.value.to_ascii_lowercase()),
            "boundary" if part.media_type.starts_with("multipart/") && !attribute.value.is_empty() => {
                part.boundary = Some(attribute.value.trim_end().as_bytes().to_vec());
            }
            "format" => part.is_flowed = attribute.value.eq_ignore_ascii_case("flowed"),
            "name" if part.filename.is_none() => part.filename = Some(attribute.value.into_owned()),
            _ => {}
        }
    }
}

fn describe_disposition(part: &mut Part, field: &Field<'_>, hint: Option<Charset>) {
    let Some(disposition) = content_type(field, hint) else { return };
    part.is_attachment = disposition.c_type.eq_ignore_ascii_case("attachment");
    for attribute in disposition.attributes.into_iter().flatten() {
        if attribute.name == "filename" {
            part.filename = Some(attribute.value.into_owned());
        }
    }
}

fn content_type(field: &Field<'_>, hint: Option<Charset>) -> Option<ContentType<'static>> {
    match field.parsed(Form::ContentType, hint) {
        HeaderValue::ContentType(content_type) => Some(content_type),
        _ => None,
    }
}

/// The transfer encoding of this name. Names are often misspelt, or of something else: `7-bit`, `8bits`, `7bit;`,
/// `"base64"`, a character set.
fn encoding(text: &str) -> Encoding {
    let word = text.split([';', ',', '(']).next().unwrap_or_default();
    let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = letters.to_ascii_lowercase();
    match name.strip_suffix('s').unwrap_or(&name) {
        "" | "7bit" | "7" | "7bitascii" | "none" | "plain" | "text" | "textplain" | "usascii" | "ascii" => {
            Encoding::SevenBit
        }
        "8bit" | "8" | "binary" | "bit8" | "16bit" | "utf8" | "unicode" => Encoding::EightBit,
        "quotedprintable" | "quotedprintabel" | "qp" => Encoding::QuotedPrintable,
        "base64" | "b64" | "base64encoded" => Encoding::Base64,
        _ if text.len() < 40 && Charset::named(word.trim()).is_some() => Encoding::EightBit,
        _ => Encoding::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &[(&str, &str)]) {
        let raw = message.replace('\n', "\r\n");
        let parts = scan(raw.as_bytes()).unwrap();
        let found: Vec<(&str, &str)> =
            parts.iter().map(|part| (part.media_type.as_str(), &raw[part.body.clone()])).collect();
        let leaves: Vec<(&str, &str)> =
            found.into_iter().filter(|(media_type, _)| !media_type.starts_with("multipart/")).collect();
        assert_eq!(leaves, expected);
    }

    #[test]
    fn a_message_without_a_type_is_plain_text() {
        check("Subject: a\n\nhello\n", &[("text/plain", "hello\r\n")]);
        check("Subject: a\n", &[("text/plain", "")]);
        check("\nhello", &[("text/plain", "hello")]);
    }

    #[test]
    fn transfer_encodings_are_known_however_they_are_spelt() {
        for text in ["7bit", "7-bit", "7 bits", "7bit;", " \"7bit\" ", "plain", "(none) 7bit", ""] {
            assert_eq!(encoding(text), Encoding::SevenBit, "{text}");
        }
        for text in ["8bit", "8-BIT", "8bits", "binary", "iso-8859-1", "utf-8", "8bit (x)"] {
            assert_eq!(encoding(text), Encoding::EightBit, "{text}");
        }
        assert_eq!(encoding("quoted_printable"), Encoding::QuotedPrintable);
        assert_eq!(encoding("base-64;"), Encoding::Base64);
        for text in ["x-uuencode", "uuencode", "x-gzip64", "foo"] {
            assert_eq!(encoding(text), Encoding::Other, "{text}");
        }
    }

    #[test]
    fn a_header_ends_at_the_first_line_that_is_no_field() {
        check(
            "Subject: a\nDear all\nnote: b\n\nhi\n",
            &[("text/plain", "Dear all\r\nnote: b\r\n\r\nhi\r\n")],
        );
        check("Subject: a\nDear all: b\n", &[("text/plain", "Dear all: b\r\n")]);
        check("Hello\n", &[("text/plain", "Hello\r\n")]);
        check("Subject: a\nFrom ada Mon\nX: b\n\nhi\n", &[("text/plain", "hi\r\n")]);
        check("Subject: a\nFrom now on\nhi\n", &[("text/plain", "From now on\r\nhi\r\n")]);
        check(
            "Content-Type: multipart/mixed; boundary=b\n--b\n\none\n--b\ntwo\n--b\n three\n--b--\n",
            &[("text/plain", "one"), ("text/plain", "two"), ("text/plain", " three")],
        );
    }

    #[test]
    fn a_line_of_blanks_ends_a_header_before_text_alone() {
        let html = "Content-Type: text/html\n";
        check(&format!("Subject: a\n \n{html}\nhi\n"), &[("text/html", "hi\r\n")]);
        check(&format!("Subject: a\n \n\t\n b\n{html}\nhi\n"), &[("text/html", "hi\r\n")]);
        check("Subject: a\n \nhi there\n", &[("text/plain", "hi there\r\n")]);
        check("Subject: a\n \n\nhi\n", &[("text/plain", "hi\r\n")]);
    }

    #[test]
    fn names_of_files_are_read_as_the_text_is() {
        let name = |disposition: &[u8]| {
            let head = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\r\n--b\r\nContent-Type: image/png\r\n";
            let raw = [&head[..], disposition, b"\r\n\r\n\r\n--b--\r\n"].concat();
            scan(&raw).unwrap()[2].filename.clone().unwrap()
        };
        assert_eq!(name(b"Content-Disposition: attachment; filename=\"\xf0\xd2\xc9.png\""), "При.png");
        assert_eq!(name("Content-Disposition: attachment; filename=\"für.png\"".as_bytes()), "für.png");
        let split =
            b"Content-Disposition: attachment; filename=\"=?utf-8?Q?f=C3?= =?utf-8?Q?=BCr=22=3B?=.png\"";
        assert_eq!(name(split), "für\";.png");
    }

    #[test]
    fn parts_end_before_the_line_end_of_their_boundary() {
        check(
            "Content-Type: multipart/mixed; boundary=\"b b\"\n\npreamble\n--b b\n\none\n--b b\nContent-Type: TEXT/HTML\n\n<p>\n\n--b b--\nepilogue\n--b b\n",
            &[("text/plain", "one"), ("text/html", "<p>\r\n")],
        );
    }

    #[test]
    fn an_outer_boundary_ends_an_inner_multipart_that_was_never_closed() {
        check(
            "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/alternative; boundary=i\n\n--i\n\none\n--o\n\ntwo\n--o--\n",
            &[("text/plain", "one"), ("text/plain", "two")],
        );
    }

    #[test]
    fn a_boundary_that_an_inner_multipart_claims_too_is_the_outer_ones() {
        check(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntwo\n--b--\n",
            &[("message/rfc822", "Content-Type: multipart/mixed; boundary=b\r\n"), ("text/plain", "two")],
        );
    }

    #[test]
    fn unclosed_boundaries_end_with_the_message() {
        check("Content-Type: multipart/mixed; boundary=o\n\n--o\n\none\n", &[("text/plain", "one\r\n")]);
    }

    #[test]
    fn a_nested_message_is_a_part_with_parts() {
        check(
            "Content-Type: multipart/digest; boundary=o\n\n--o\n\nSubject: in\n\nhello\n--o--\n",
            &[("message/rfc822", "Subject: in\r\n\r\nhello"), ("text/plain", "hello")],
        );
    }

    #[test]
    fn more_than_50_levels_or_1000_parts_are_refused() {
        let nested = "Content-Type: message/rfc822\r\n\r\n".repeat(60);
        assert_eq!(scan(nested.as_bytes()).unwrap_err(), ParseError::TooDeep);
        let wide = format!("Content-Type: multipart/mixed; boundary=o\r\n\r\n{}", "--o\r\n\r\n".repeat(1001));
        assert_eq!(scan(wide.as_bytes()).unwrap_err(), ParseError::TooManyParts);
    }

    #[test]
    fn a_header_beyond_its_limits_is_refused() {
        let many = "A: b\r\n".repeat(HEADER_FIELDS_MAX + 1);
        assert_eq!(scan(many.as_bytes()).unwrap_err(), ParseError::TooManyFields);
        let large = format!("A: {}\r\n\r\n", "b\r\n ".repeat(HEADER_BYTES_MAX / 4));
        assert_eq!(scan(large.as_bytes()).unwrap_err(), ParseError::HeaderTooLarge);
    }
}
