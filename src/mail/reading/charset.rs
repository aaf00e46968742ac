//! Decodes the text of a part as a person would guess it: labels are often missing, wrong, or of a smaller set than
//! the text.

use encoding_rs::Encoding as Encoder;
use mail_parser::decoders::charsets::map::charset_decoder;

use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::mail::text;

/// Bytes of an HTML document in which it names its character set.
const META_BYTES_MAX: usize = 2048;

/// The text of a part with `\n` line ends and without control characters, and whether it was cut to `bytes_max`.
pub(super) fn decoded(inbound: &Inbound, part: &Part, bytes_max: usize) -> (String, bool) {
    // Encoded text is at most three times as long; what does not fit is cut at the end of a line.
    let window_max = bytes_max.saturating_mul(3);
    let body = &inbound.raw[part.body.clone()];
    let window = if window_max < body.len() {
        let window = &body[..window_max];
        let cut = memchr::memrchr(b'\n', window).map_or(window.len(), |last| last + 1);
        &window[..cut]
    } else {
        body
    };
    let bytes = text::decode_transfer(window, part.encoding);
    let mut text = readable(&bytes, part);
    let is_cut = window.len() < body.len() || bytes_max < text.len();
    if bytes_max < text.len() {
        let at = text.floor_char_boundary(bytes_max);
        // Text is cut behind a line, a document between two characters.
        let line = text[..at].rfind('\n').filter(|line| at / 2 < *line);
        text.truncate(line.map_or(at, |line| line + 1));
    }
    (printable(&text), is_cut)
}

/// `bytes` in the character set that they are probably in.
fn readable(bytes: &[u8], part: &Part) -> String {
    if let Some((encoder, mark)) = Encoder::for_bom(bytes) {
        return encoder.decode_without_bom_handling(&bytes[mark..]).0.into_owned();
    }
    let label = part.charset.as_deref().map(|label| label.trim_matches(['"', '\'', ' ']));
    let named = label.filter(|label| !label.contains("ascii") && !text::is_utf8(label));
    let named = named.or_else(|| (part.media_type == "text/html").then(|| meta(bytes)).flatten());
    let is_shifted = || bytes.windows(2).any(|pair| matches!(pair, b"\x1b$" | b"\x1b("));
    if named.is_none() && is_shifted() {
        return encoding_rs::ISO_2022_JP.decode_without_bom_handling(bytes).0.into_owned();
    }
    if let Some(named) = named {
        // Programs mean Windows' sets by the names of the smaller ones of ISO, as browsers know.
        let encoder = Encoder::for_label(named.as_bytes());
        if let Some(encoder) = encoder.filter(|encoder| *encoder != encoding_rs::REPLACEMENT) {
            let is_utf16 = encoder == encoding_rs::UTF_16LE || encoder == encoding_rs::UTF_16BE;
            // ASCII that claims to be UTF-16 is ASCII.
            if !(is_utf16 && !bytes.contains(&0) && bytes.is_ascii()) {
                return encoder.decode_without_bom_handling(bytes).0.into_owned();
            }
        } else if let Some(decode) = charset_decoder(named.as_bytes()) {
            return decode(bytes);
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        // A text of which a character was cut off, by the limit or on its way.
        Err(error) if error.error_len().is_none() || is_mostly_utf8(bytes) => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// Whether at least nine of ten characters beyond ASCII are valid UTF-8.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    invalid * 9 <= valid
}

/// The character set that an HTML document names itself.
fn meta(bytes: &[u8]) -> Option<&str> {
    let start = &bytes[..bytes.len().min(META_BYTES_MAX)];
    let lower = start.to_ascii_lowercase();
    let at = memchr::memmem::find(&lower, b"charset=")? + b"charset=".len();
    let value = start[at..].trim_ascii_start();
    let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.');
    let end = value.iter().position(|byte| !is_of_name(byte)).unwrap_or(value.len());
    let name = std::str::from_utf8(&value[..end]).ok()?;
    (!text::is_utf8(name)).then_some(name)
}

/// `text` with `\n` line ends and without what no page can show.
fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars() {
        match c {
            '\n' if previous == '\r' => {}
            '\r' | '\n' | '\u{2028}' | '\u{2029}' | '\u{b}' | '\u{c}' => shown.push('\n'),
            '\t' => shown.push('\t'),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => shown.push(c),
        }
        previous = c;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::parse;

    #[track_caller]
    fn check(content_type: &str, body: &[u8], expected: &str) {
        let head = format!("Content-Type: {content_type}\r\n\r\n");
        let raw = [head.as_bytes(), body].concat();
        let inbound = parse(raw).unwrap();
        assert_eq!(decoded(&inbound, &inbound.parts[0], 10_000).0, expected, "{content_type}");
    }

    /// Texts of 28 sets, as encoders of the sets write them.
    #[test]
    fn texts_of_many_character_sets_are_read() {
        for (charset, text) in [
            ("utf-8", "Grüße, 日本 🎉"),
            ("iso-8859-1", "Grüße"),
            ("iso-8859-2", "Zażółć"),
            ("iso-8859-4", "ķēniņš"),
            ("iso-8859-5", "Привет"),
            ("iso-8859-6", "مرحبا"),
            ("iso-8859-7", "Γειά"),
            ("iso-8859-8", "שלום"),
            ("iso-8859-9", "ğüşi"),
            ("iso-8859-10", "þæŋ"),
            ("iso-8859-13", "Šiauliai"),
            ("iso-8859-14", "ŵŷ"),
            ("iso-8859-15", "10 €"),
            ("iso-8859-16", "Iași"),
            ("windows-1250", "Příliš žluťoučký"),
            ("windows-1251", "Привет"),
            ("windows-1252", "“quoted” – 10 €"),
            ("windows-1253", "Γειά"),
            ("windows-1254", "ğüşi"),
            ("windows-1255", "שלום"),
            ("windows-1256", "مرحبا"),
            ("windows-1257", "Šiauliai"),
            ("windows-1258", "đ ơ ư ê"),
            ("koi8-r", "Привет"),
            ("koi8-u", "Привіт їй"),
            ("macintosh", "Grüße"),
            ("big5", "漢字"),
            ("gb2312", "汉字"),
            ("gb18030", "汉字𠀀"),
            ("gbk", "汉字"),
            ("euc-jp", "日本語"),
            ("shift_jis", "日本語"),
            ("iso-2022-jp", "日本語"),
            ("euc-kr", "한국어"),
            ("ks_c_5601-1987", "한국어"),
            ("tis-620", "ไทย"),
            ("windows-874", "ไทย"),
        ] {
            let encoder = Encoder::for_label(charset.as_bytes()).unwrap();
            let (bytes, _, has_others) = encoder.encode(text);
            assert!(!has_others, "{charset}");
            check(&format!("text/plain; charset={charset}"), &bytes, text);
        }
        check("text/plain; charset=utf-7", b"+ZeVnLIqe-", "日本語");
    }

    #[test]
    fn wrong_and_missing_labels_are_guessed() {
        check("text/plain", "Grüße".as_bytes(), "Grüße");
        check("text/plain; charset=us-ascii", "Grüße".as_bytes(), "Grüße");
        check("text/plain; charset=us-ascii", b"Gr\xfc\xdfe \x93x\x94", "Grüße “x”");
        check("text/plain; charset=utf-8", b"Gr\xfc\xdfe", "Grüße");
        check("text/plain; charset=x-nonsense", "Grüße".as_bytes(), "Grüße");
        check("text/plain; charset=\"\"", b"Gr\xfc\xdfe", "Grüße");
        check("text/plain", b"\x1b$B4A;z\x1b(B", "漢字");
        check("text/html", b"<meta charset=windows-1251>\xcf\xf0\xe8", "<meta charset=windows-1251>При");
        check("text/plain; charset=utf-16", b"plain", "plain");
        check("text/plain; charset=iso-8859-1", b"\x93x\x94", "“x”");
    }

    #[test]
    fn controls_are_left_out_and_long_text_is_cut_behind_a_line() {
        check("text/plain", b"a\x08b\x1b[31mc\x0cd\te", "ab[31mc\nd\te");
        let body = "line\r\n".repeat(100);
        let inbound = parse(format!("A: b\r\n\r\n{body}").into_bytes()).unwrap();
        let (text, is_cut) = decoded(&inbound, &inbound.parts[0], 52);
        assert!(is_cut && text == "line\n".repeat(8), "{text}");
    }
}
