//! The text of parts: transfer encodings, character sets, plain text and HTML.

use std::borrow::Cow;
use std::fmt::Write;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::html::html_to_text;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;

use super::mime::{Encoding, Part};

/// Characters of one line of quoted-printable without its soft break (RFC 2045 6.7).
const QP_LINE_CHARS: usize = 75;
/// Bytes of one line of base64: 76 characters (RFC 2045 6.8).
const BASE64_LINE_BYTES: usize = 57;

/// The content of a part in UTF-8.
pub(crate) fn decode_part(raw: &[u8], part: &Part) -> String {
    let bytes = decode_transfer(&raw[part.body.clone()], part.encoding);
    decode_charset(&bytes, part.charset.as_deref())
}

/// The content of a part with its transfer encoding taken off; what cannot be decoded stays as it is.
pub(crate) fn decode_transfer(body: &[u8], encoding: Encoding) -> Cow<'_, [u8]> {
    let decoded = match encoding {
        Encoding::QuotedPrintable => quoted_printable_decode(body),
        Encoding::Base64 => base64_decode(body),
        Encoding::SevenBit | Encoding::EightBit | Encoding::Other => None,
    };
    decoded.map_or(Cow::Borrowed(body), Cow::Owned)
}

/// Text of a named character set in UTF-8; unnamed and unknown ones are taken as UTF-8, what is not, as Latin-1.
pub(crate) fn decode_charset(bytes: &[u8], charset: Option<&str>) -> String {
    let named =
        charset.filter(|charset| !is_utf8(charset)).and_then(|charset| charset_decoder(charset.as_bytes()));
    match named {
        Some(decode) if !bytes.is_ascii() || !is_ascii_compatible(charset) => decode(bytes),
        _ => String::from_utf8(bytes.to_vec())
            .unwrap_or_else(|error| error.into_bytes().iter().copied().map(char::from).collect()),
    }
}

/// Whether this is the name of UTF-8.
pub(crate) fn is_utf8(charset: &str) -> bool {
    charset.eq_ignore_ascii_case("utf-8") || charset.eq_ignore_ascii_case("utf8")
}

/// Whether ASCII characters are the same bytes in this character set, also in the middle of a text.
pub(crate) fn is_ascii_compatible(charset: Option<&str>) -> bool {
    let charset = charset.unwrap_or("us-ascii");
    let shifting = [
        "utf-16", "utf-32", "utf-7", "utf16", "utf32", "utf7", "iso-2022", "iso2022", "hz", "ucs", "unicode",
        "ebcdic",
    ];
    !shifting
        .iter()
        .any(|prefix| charset.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
}

/// `text` in a character set, if it fits; only single-byte ones and UTF-8 take more than ASCII.
pub(crate) fn encode_charset(text: &str, charset: Option<&str>) -> Option<Vec<u8>> {
    if !is_ascii_compatible(charset) {
        return None;
    }
    if text.is_ascii() || charset.is_some_and(is_utf8) {
        return Some(text.as_bytes().to_vec());
    }
    let charset = charset.filter(|charset| !charset.contains("ascii"))?;
    let decode = charset_decoder(charset.as_bytes())?;
    let high: Vec<(char, u8)> = (0x80..=0xff)
        .filter_map(|byte| {
            let decoded = decode(&[byte]);
            let mut chars = decoded.chars();
            let single = chars.next().filter(|c| *c != char::REPLACEMENT_CHARACTER && !c.is_control());
            single.filter(|_| chars.next().is_none()).map(|c| (c, byte))
        })
        .collect();
    text.chars()
        .map(|c| match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => Some(byte),
            _ => high.iter().find(|(char, _)| *char == c).map(|(_, byte)| *byte),
        })
        .collect()
}

/// Writes `bytes` as quoted-printable text: CRLF stays a line end, lines stay within 76 characters.
pub(crate) fn encode_qp(bytes: &[u8], out: &mut Vec<u8>) {
    let mut column = 0;
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        if rest.starts_with(b"\r\n") {
            out.extend_from_slice(b"\r\n");
            column = 0;
            rest = &rest[2..];
            continue;
        }
        // A blank before a line end would be lost on the way; a dot alone or "From " at the start of a line
        // would be changed by some.
        let at_end = tail.is_empty() || tail.starts_with(b"\r\n");
        let is_literal = match byte {
            b' ' | b'\t' => !at_end,
            b'.' => column != 0,
            b'F' => column != 0 || !rest.starts_with(b"From "),
            b'=' => false,
            _ => (33..127).contains(&byte),
        };
        let width = if is_literal { 1 } else { 3 };
        if QP_LINE_CHARS < column + width {
            out.extend_from_slice(b"=\r\n");
            column = 0;
        }
        if is_literal {
            out.push(byte);
        } else {
            out.push(b'=');
            out.extend_from_slice(data_encoding::HEXUPPER.encode(&[byte]).as_bytes());
        }
        column += width;
        rest = tail;
    }
}

/// Writes `bytes` as lines of base64.
pub(crate) fn encode_base64(bytes: &[u8], out: &mut Vec<u8>) {
    for line in bytes.chunks(BASE64_LINE_BYTES) {
        out.extend_from_slice(data_encoding::BASE64.encode(line).as_bytes());
        out.extend_from_slice(b"\r\n");
    }
}

/// `text` as the content of an HTML element or attribute, in ASCII.
pub(crate) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    escape_html_into(text, &mut escaped);
    escaped
}

/// Appends `text` as [`escape_html`] gives it.
pub(crate) fn escape_html_into(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ if c.is_ascii() => out.push(c),
            _ => {
                // Writing into a String cannot fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
        }
    }
}

/// HTML with everything beyond ASCII as numeric references, so that it fits every character set.
pub(crate) fn html_in_ascii(html: &str) -> Cow<'_, str> {
    if html.is_ascii() {
        return Cow::Borrowed(html);
    }
    let mut ascii = String::with_capacity(html.len() * 2);
    for c in html.chars() {
        if c.is_ascii() {
            ascii.push(c);
        } else {
            let _ = write!(ascii, "&#{};", u32::from(c));
        }
    }
    Cow::Owned(ascii)
}

/// Plain text as HTML: paragraphs, line breaks and links.
pub(crate) fn html_from_text(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 4);
    let text = text.replace("\r\n", "\n");
    for paragraph in
        text.split("\n\n").map(|paragraph| paragraph.trim_matches('\n')).filter(|p| !p.is_empty())
    {
        html.push_str("<p>");
        for (index, line) in paragraph.split('\n').enumerate() {
            if index != 0 {
                html.push_str("<br>\n");
            }
            html_line(line, &mut html);
        }
        html.push_str("</p>\n");
    }
    html
}

/// Lines of text as the content of a paragraph, with CRLF line ends; empty lines begin another.
pub(crate) fn html_lines(text: &str) -> String {
    let mut html = String::with_capacity(text.len() * 5 / 4);
    for (index, paragraph) in text.split("\r\n\r\n").enumerate() {
        if index != 0 {
            html.push_str("</p>\r\n<p>");
        }
        for (index, line) in paragraph.split("\r\n").enumerate() {
            if index != 0 {
                html.push_str("<br>\r\n");
            }
            html_line(line, &mut html);
        }
    }
    html
}

/// One line as HTML; words that are web addresses become links.
fn html_line(line: &str, html: &mut String) {
    for (index, word) in line.split(' ').enumerate() {
        if index != 0 {
            html.push(' ');
        }
        let start = word.find("https://").or_else(|| word.find("http://"));
        let Some(start) = start else {
            escape_text(word, html);
            continue;
        };
        let (before, url) = word.split_at(start);
        let url_end = url.trim_end_matches(|c: char| ".,;:!?)]}>\"'".contains(c)).len();
        let (url, after) = url.split_at(url_end);
        escape_text(before, html);
        html.push_str("<a href=\"");
        escape_text(url, html);
        html.push_str("\">");
        escape_text(url, html);
        html.push_str("</a>");
        escape_text(after, html);
    }
}

/// Escapes what HTML needs escaped and leaves other scripts readable.
fn escape_text(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            _ => html.push(c),
        }
    }
}

/// The text of an HTML document, with `\n` line ends.
pub(crate) fn text_from_html(html: &str) -> String {
    html_to_text(html).replace("\r\n", "\n").trim().to_owned()
}

/// `text` with every line end as CRLF.
pub(crate) fn with_crlf(text: &str) -> String {
    let mut lines = String::with_capacity(text.len() + 16);
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '\n' if previous == '\r' => {}
            '\r' | '\n' => lines.push_str("\r\n"),
            '\0' => {}
            _ => lines.push(c),
        }
        previous = c;
    }
    lines
}

/// `bytes` with every line end as CRLF.
pub(crate) fn bytes_with_crlf(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_clean = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .all(|line| line.ends_with(b"\r\n") || !line.ends_with(b"\n"));
    if is_clean {
        return Cow::Borrowed(bytes);
    }
    let mut mended = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    let mut previous = 0;
    for &byte in bytes {
        if byte == b'\n' && previous != b'\r' {
            mended.push(b'\r');
        }
        mended.push(byte);
        previous = byte;
    }
    Cow::Owned(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let mut out = Vec::new();
        encode_qp(bytes, &mut out);
        assert_eq!(String::from_utf8(out.clone()).unwrap(), expected);
        assert_eq!(quoted_printable_decode(&out).unwrap(), bytes.to_vec(), "what is encoded decodes again");
    }

    #[test]
    fn quoted_printable_protects_what_would_be_lost() {
        check("Grüße=\r\n.\r\nFrom a \r\n".as_bytes(), "Gr=C3=BC=C3=9Fe=3D\r\n=2E\r\n=46rom a=20\r\n");
        check(&[b'x'; 80], &format!("{}=\r\nxxxxx", "x".repeat(75)));
    }

    #[test]
    fn text_that_fits_a_single_byte_character_set_is_encoded_in_it() {
        assert_eq!(encode_charset("Grüße", Some("iso-8859-1")), Some(b"Gr\xfc\xdfe".to_vec()));
        assert_eq!(
            encode_charset("Привет", Some("koi8-r")).map(|bytes| decode_charset(&bytes, Some("koi8-r"))),
            Some("Привет".into())
        );
        assert_eq!(encode_charset("Привет", Some("iso-8859-1")), None);
        assert_eq!(encode_charset("ü", Some("us-ascii")), None);
        assert_eq!(encode_charset("ü", None), None);
        assert_eq!(encode_charset("a", Some("utf-16le")), None);
        assert_eq!(encode_charset("漢", Some("gb2312")), None);
    }

    #[test]
    fn text_becomes_paragraphs_and_links() {
        assert_eq!(
            html_from_text("Hi <all>,\nsee https://x.org/?a=1&b=2.\n\nBye"),
            "<p>Hi &lt;all&gt;,<br>\nsee <a href=\"https://x.org/?a=1&amp;b=2\">https://x.org/?a=1&amp;b=2</a>.</p>\n<p>Bye</p>\n",
        );
    }
}
