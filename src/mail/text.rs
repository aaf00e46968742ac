//! Converts the text of parts: transfer encodings, character sets, plain text and HTML.
//!
//! Parsing, previews and rewriting call it. Every function accepts any bytes; what cannot be decoded is kept or
//! skipped.

use std::borrow::Cow;
use std::fmt::Write;

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::html::html_to_text;

use super::charset::{self, Charset};
use super::part::{Encoding, Part};

/// Characters of one line of quoted-printable without its soft break (RFC 2045 6.7).
const QP_LINE_CHARS: usize = 75;
/// Bytes of one line of base64: 76 characters (RFC 2045 6.8).
const BASE64_LINE_BYTES: usize = 57;

/// The content of a part in UTF-8.
pub(crate) fn decode_part(raw: &[u8], part: &Part) -> String {
    let bytes = decode_transfer(&raw[part.body.clone()], part.encoding);
    charset::read(&bytes, part.charset.as_deref(), part.media_type == "text/html").into_owned()
}

/// The beginning of the content of a part in UTF-8, made of at most this many decoded bytes.
pub(crate) fn decode_beginning(raw: &[u8], part: &Part, bytes_max: usize) -> String {
    let body = &raw[part.body.clone()];
    let window = encoded_beginning(body, bytes_max);
    let decoded = decode_transfer(window, part.encoding);
    let is_whole = window.len() == body.len() && decoded.len() <= bytes_max;
    let mut bytes = &decoded[..decoded.len().min(bytes_max)];
    // Half a character at the end would make the rest look as if it were no UTF-8.
    if !is_whole
        && let Err(error) = std::str::from_utf8(bytes)
        && error.error_len().is_none()
    {
        bytes = &bytes[..error.valid_up_to()];
    }
    charset::read(bytes, part.charset.as_deref(), part.media_type == "text/html").into_owned()
}

/// As much of an encoded body as gives this many decoded bytes, up to the end of a line if it is cut: encoded text is at
/// most three times as long.
pub(crate) fn encoded_beginning(body: &[u8], bytes_max: usize) -> &[u8] {
    let window_max = bytes_max.saturating_mul(3);
    if body.len() <= window_max {
        return body;
    }
    let window = &body[..window_max];
    &window[..memchr::memrchr(b'\n', window).map_or(window.len(), |last| last + 1)]
}

/// The content of a part with its transfer encoding removed; bytes that cannot be decoded stay as they are.
pub(crate) fn decode_transfer(body: &[u8], encoding: Encoding) -> Cow<'_, [u8]> {
    match encoding {
        Encoding::QuotedPrintable if memchr::memchr(b'=', body).is_none() => Cow::Borrowed(body),
        Encoding::QuotedPrintable => Cow::Owned(decode_qp(body)),
        Encoding::Base64 => Cow::Owned(decode_base64(body)),
        Encoding::SevenBit | Encoding::EightBit | Encoding::Other => Cow::Borrowed(body),
    }
}

/// Decodes quoted-printable. Malformed input is treated as RFC 2045 6.7 advises: an invalid escape is text.
pub(super) fn decode_qp(body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(body.len());
    let mut rest = body;
    // One escape often follows another.
    let next =
        |rest: &[u8]| if rest.starts_with(b"=") { Some(0) } else { memchr::memchr2(b'=', b'\n', rest) };
    while let Some(at) = next(rest) {
        let (before, from) = rest.split_at(at);
        if from[0] == b'\n' {
            // Blanks at the end of a line were added on the way.
            let line = before.strip_suffix(b"\r").unwrap_or(before);
            decoded.extend_from_slice(line.trim_ascii_end());
            decoded.extend_from_slice(&before[line.len()..]);
            decoded.push(b'\n');
            rest = &from[1..];
            continue;
        }
        decoded.extend_from_slice(before);
        let hex = |at: usize| from.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let blanks = || from[1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if let (Some(high), Some(low)) = (hex(1), hex(2)) {
            decoded.push(u8::try_from(high * 16 + low).expect("two digits are a byte"));
            rest = &from[3..];
        } else if matches!(from.get(1 + blanks()), Some(b'\n') | None) {
            rest = from.get(2 + blanks()..).unwrap_or_default();
        } else {
            decoded.push(b'=');
            rest = &from[1..];
        }
    }
    decoded.extend_from_slice(rest);
    decoded
}

/// Whether every escape of quoted-printable is valid, so that the strictest reader decodes all of it.
pub(crate) fn is_sound_qp(body: &[u8]) -> bool {
    let mut rest = body;
    // One escape often follows another.
    while let Some(at) = if rest.starts_with(b"=") { Some(0) } else { memchr::memchr(b'=', rest) } {
        let Some((escape, behind)) = rest[at + 1..].split_first_chunk::<2>() else { return false };
        if !escape.iter().all(u8::is_ascii_hexdigit) && escape != b"\r\n" {
            return false;
        }
        rest = behind;
    }
    true
}

/// Decodes base64 as far as it is valid. Characters beyond its alphabet are skipped, and so are lines of text that
/// gateways append after the padding.
pub(super) fn decode_base64(body: &[u8]) -> Vec<u8> {
    let end = memchr::memchr(b'=', body).unwrap_or(body.len());
    let is_whole = body[end..].iter().all(|byte| *byte == b'=' || byte.is_ascii_whitespace());
    if let Some(decoded) = Some(body).filter(|_| is_whole).and_then(base64_decode) {
        return decoded;
    }
    let mut decoded = Vec::with_capacity(body.len() * 3 / 4);
    let is_base64 = |line: &&[u8]| {
        let known = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r');
        line.iter().all(known)
    };
    let behind: Vec<&[u8]> = body[end..].split(|byte| *byte == b'\n').filter(is_base64).collect();
    let stretches = std::iter::once(&body[..end]);
    for stretch in stretches.chain(behind.iter().flat_map(|line| line.split(|byte| *byte == b'='))) {
        let (mut bits, mut count) = (0_u32, 0);
        for value in stretch.iter().filter_map(|byte| base64_value(*byte)) {
            bits = (bits << 6) | u32::from(value);
            count += 6;
            if 8 <= count {
                count -= 8;
                decoded.push(u8::try_from((bits >> count) & 0xff).expect("masked to eight bits"));
            }
        }
    }
    decoded
}

/// Whether decoding base64 drops no character: all are of its alphabet, and whole octets come of them.
pub(crate) fn is_sound_base64(body: &[u8]) -> bool {
    let (mut count, mut last) = (0_usize, 0);
    for byte in body {
        match base64_value(*byte) {
            Some(value) => (count, last) = (count + 1, value),
            None if *byte == b'=' => {
                if !ends_octet(count, last) {
                    return false;
                }
                count = 0;
            }
            None if byte.is_ascii_whitespace() => {}
            None => return false,
        }
    }
    ends_octet(count, last)
}

/// Whether so many characters of base64, of which the last has this value, are whole octets.
fn ends_octet(count: usize, last: u8) -> bool {
    match count % 4 {
        0 => true,
        2 => 4 <= last.trailing_zeros(),
        3 => 2 <= last.trailing_zeros(),
        _ => false,
    }
}

/// The six bits that a character of base64 stands for.
pub(super) fn base64_value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
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

/// Whether ASCII text can be put around `bytes`: the character set has no shift states, or this text ends in its
/// initial one. Japanese mail switches with escape sequences (RFC 1468).
pub(crate) fn ends_in_ascii(bytes: &[u8], charset: Option<&str>) -> bool {
    let is_japanese = charset.is_some_and(|charset| charset.to_ascii_lowercase().starts_with("iso-2022-jp"));
    let is_unlabelled = || is_ascii_compatible(charset) && bytes.is_ascii() && charset::is_shifted(bytes);
    if !(is_japanese || is_unlabelled()) {
        return is_ascii_compatible(charset);
    }
    let last = memchr::memrchr(b'\x1b', bytes).map(|escape| &bytes[escape + 1..]);
    last.is_none_or(|sequence| sequence.starts_with(b"(B"))
}

/// Converts `text` to a character set, if each of its characters exists there.
pub(crate) fn encode_charset<'t>(text: &'t str, charset: Option<&str>) -> Option<Cow<'t, [u8]>> {
    let is_unicode = charset.is_some_and(is_utf8);
    if is_unicode || (text.is_ascii() && ends_in_ascii(b"", charset)) {
        return Some(Cow::Borrowed(text.as_bytes()));
    }
    let charset = charset?;
    let encoding = Charset::named(charset)?.encoder()?;
    let (bytes, _, has_others) = encoding.encode(text);
    // The registry of the web reads these names as larger sets than they are.
    let is_strict = charset.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("iso-"));
    let has_foreign = is_strict && bytes.iter().any(|byte| (0x80..0xa0).contains(byte));
    (!has_others && !has_foreign).then_some(bytes)
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
        // A blank before a line end would be lost on the way; a dot alone or "From " at the start of a line would be
        // changed by some servers; and a line that begins with two hyphens may be the boundary of a multipart around
        // it, which it was not before, if it was encoded in another way or began elsewhere.
        let at_end = tail.is_empty() || tail.starts_with(b"\r\n");
        let is_literal_at = |column: usize| match byte {
            b' ' | b'\t' => !at_end,
            b'.' => column != 0,
            b'F' => column != 0 || !rest.starts_with(b"From "),
            b'-' => column != 0 || !rest.starts_with(b"--") || is_signature_mark(rest),
            b'=' => false,
            _ => (33..127).contains(&byte),
        };
        let width_at = |column| if is_literal_at(column) { 1 } else { 3 };
        if QP_LINE_CHARS < column + width_at(column) {
            out.extend_from_slice(b"=\r\n");
            column = 0;
        }
        let (is_literal, width) = (is_literal_at(column), width_at(column));
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

/// Whether a line is the one that begins a signature, `-- `, or nothing but two hyphens.
fn is_signature_mark(rest: &[u8]) -> bool {
    let line = &rest[..memchr::memmem::find(rest, b"\r\n").unwrap_or(rest.len())];
    matches!(line, b"-- " | b"--")
}

/// Writes `bytes` as lines of base64.
pub(crate) fn encode_base64(bytes: &[u8], out: &mut Vec<u8>) {
    for line in bytes.chunks(BASE64_LINE_BYTES) {
        out.extend_from_slice(data_encoding::BASE64.encode(line).as_bytes());
        out.extend_from_slice(b"\r\n");
    }
}

/// Escapes `text` for an HTML element or attribute, in ASCII.
pub(crate) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    escape_html_into(text, &mut escaped);
    escaped
}

/// Appends `text` as [`escape_html`] returns it.
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

/// HTML with every character beyond ASCII as a numeric reference, so that it fits every character set.
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

/// Escapes the characters that HTML requires and leaves other scripts readable.
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
        assert_eq!(decode_qp(&out), bytes, "what is encoded decodes again");
    }

    #[test]
    fn quoted_printable_protects_what_would_be_lost() {
        check("Grüße=\r\n.\r\nFrom a \r\n".as_bytes(), "Gr=C3=BC=C3=9Fe=3D\r\n=2E\r\n=46rom a=20\r\n");
        check(&[b'x'; 80], &format!("{}=\r\nxxxxx", "x".repeat(75)));
        check(b"--b\r\n-- \r\n--\r\na--b", "=2D-b\r\n--=20\r\n--\r\na--b");
        for (end, encoded) in [("--b", "=2D-b"), (".", "=2E"), ("From a", "=46rom a")] {
            let xs = "x".repeat(75);
            check(format!("{xs}{end}").as_bytes(), &format!("{xs}=\r\n{encoded}"));
        }
    }

    #[test]
    fn quoted_printable_that_is_not_sound_is_read_as_far_as_it_goes() {
        let decoded = |text: &str| String::from_utf8(decode_qp(text.as_bytes())).unwrap();
        assert_eq!(decoded("a=3Db=zz =\r\nc  \r\nd= \t\r\ne="), "a=b=zz c\r\nde");
        assert_eq!(decoded("=c3=BC=3"), "\u{fc}=3");
    }

    #[test]
    fn base64_is_read_with_strangers_between_and_behind_it() {
        let decoded = |text: &str| decode_transfer(text.as_bytes(), Encoding::Base64).into_owned();
        assert_eq!(decoded("aGVs\r\nbG8=\r\n"), b"hello");
        assert_eq!(decoded("aGVs-bG8=\r\n"), b"hello");
        assert_eq!(decode_base64(b"aGVsbG8=\r\nd29ybGQ="), b"helloworld");
        assert_eq!(decode_base64(b"aGVsbG8=\r\n\r\nScanned by us.\r\n"), b"hello");
    }

    #[track_caller]
    fn check_charset(text: &str, charset: &str, fits: bool) {
        let bytes = encode_charset(text, Some(charset));
        assert_eq!(bytes.is_some(), fits, "{text} in {charset}");
        if let Some(bytes) = bytes {
            assert_eq!(charset::read(&bytes, Some(charset), false), text);
        }
    }

    #[test]
    fn text_that_fits_a_character_set_is_encoded_in_it() {
        check_charset("Gr\u{fc}\u{df}e", "iso-8859-1", true);
        check_charset("Привет", "koi8-r", true);
        check_charset("漢字", "gb2312", true);
        check_charset("漢字", "iso-2022-jp", true);
        check_charset("plain", "iso-2022-jp", true);
        check_charset("“quoted”", "windows-1252", true);
        check_charset("“quoted”", "iso-8859-1", false);
        check_charset("Привет", "iso-8859-1", false);
        check_charset("\u{fc}", "us-ascii", false);
        check_charset("a", "utf-16le", false);
        check_charset("\u{fc}", "x-unknown", false);
        assert_eq!(encode_charset("\u{fc}", None), None);
    }

    #[test]
    fn text_that_ends_shifted_takes_nothing_behind_it() {
        let japanese = Some("iso-2022-jp");
        assert!(ends_in_ascii(b"hi \x1b$B4A\x1b(B", japanese));
        assert!(!ends_in_ascii(b"hi \x1b$B4A", japanese));
        assert!(!ends_in_ascii(b"hi", Some("utf-16")));
    }

    #[test]
    fn text_becomes_paragraphs_and_links() {
        assert_eq!(
            html_from_text("Hi <all>,\nsee https://x.org/?a=1&b=2.\n\nBye"),
            "<p>Hi &lt;all&gt;,<br>\nsee <a href=\"https://x.org/?a=1&amp;b=2\">https://x.org/?a=1&amp;b=2</a>.</p>\n<p>Bye</p>\n",
        );
    }
}
