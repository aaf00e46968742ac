//! Decodes the text of a part for a page: as far as there is room, and without what no page can show.

use crate::mail::charset;
use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::mail::text;

/// The text of a part with `\n` line ends and without control characters, and whether it was cut to `bytes_max`.
pub(super) fn decoded(inbound: &Inbound, part: &Part, bytes_max: usize) -> (String, bool) {
    let body = &inbound.raw[part.body.clone()];
    let window = text::encoded_beginning(body, bytes_max);
    let bytes = text::decode_transfer(window, part.encoding);
    let mut text =
        charset::read(&bytes, part.charset.as_deref(), part.media_type == "text/html").into_owned();
    let is_cut = window.len() < body.len() || bytes_max < text.len();
    if bytes_max < text.len() {
        let at = text.floor_char_boundary(bytes_max);
        // Text is cut behind a line, a document between two characters.
        let line = text[..at].rfind('\n').filter(|line| at / 2 < *line);
        text.truncate(line.map_or(at, |line| line + 1));
    }
    (printable(&text), is_cut)
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
    use encoding_rs::Encoding as Encoder;

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
