//! Reads bytes in the character set that they are probably in: labels are often missing, wrong, or of a smaller set
//! than the text.
//!
//! The only decoder of texts and headers. Pages, the API, notices, digests, the search index and the rewriting of copies
//! call it, so they all read the same. [`is_certain`] tells the rewriting whether that reading can be written out again
//! without harm.

use std::borrow::Cow;

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use mail_parser::decoders::charsets::map::charset_decoder;

use super::part::Part;
use super::shifting;

/// Bytes of an HTML document in which it names its character set.
const META_BYTES_MAX: usize = 2048;
/// Characters of the name of a character set.
const NAME_CHARS_MAX: usize = 45;
/// Names that mail has beyond those of the web, and what they mean.
const ALIASES: &[(&str, &str)] = &[
    ("cp10000", "macintosh"),
    ("cp20866", "koi8-r"),
    ("cp21866", "koi8-u"),
    ("cp50220", "iso-2022-jp"),
    ("cp50221", "iso-2022-jp"),
    ("cp50222", "iso-2022-jp"),
    ("cp51932", "euc-jp"),
    ("cp51949", "euc-kr"),
    ("cp54936", "gb18030"),
    ("cp65000", "utf-7"),
    ("cp65001", "utf-8"),
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp943", "shift_jis"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("eucjp", "euc-jp"),
    ("eucjp-ms", "euc-jp"),
    ("euckr", "euc-kr"),
    ("gb18030-2000", "gb18030"),
    ("ks-c-5601", "euc-kr"),
    ("mskanji", "shift_jis"),
    ("uhc", "euc-kr"),
    ("unicode-1-1-utf-7", "utf-7"),
    ("utf7", "utf-7"),
    ("utf8mb4", "utf-8"),
    ("x-unicode-2-0-utf-7", "utf-7"),
];
/// Names of ASCII, under which programs send whatever they have.
const ASCII_NAMES: [&str; 9] =
    ["646", "7bit", "8bit", "ansi_x3.4-1968", "ansi_x3.4-1986", "cp367", "ibm367", "iso-ir-6", "iso646-us"];

/// A character set whose decoder is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Charset {
    /// One of the web's.
    Web(&'static Encoding),
    /// One that only mail has.
    Mail(fn(&[u8]) -> String),
}

impl Charset {
    /// The character set of this name. There is none of ASCII: its name says nothing about text beyond it.
    pub(crate) fn named(label: &str) -> Option<Charset> {
        let name = label.trim_matches(['"', '\'', ' ']);
        if name.len() > NAME_CHARS_MAX || is_ascii(name) {
            return None;
        }
        let folded = name.to_ascii_lowercase().replace('_', "-");
        if let Some(decode) = shifting::decoder(&folded) {
            return Some(Charset::Mail(decode));
        }
        if let Some(encoding) = Encoding::for_label(name.as_bytes()) {
            return Some(Charset::Web(encoding)).filter(|_| encoding != REPLACEMENT);
        }
        let known = |name: &str| Encoding::for_label(name.as_bytes()).filter(|found| *found != REPLACEMENT);
        // One name for all of Windows' code pages, however it is spelt.
        let page = ["windows-", "windows", "win-", "win", "cp-", "cp", "ms-", "ms", "x-cp", "ibm", "ibm-"];
        let is_number = |page: &&str| !page.is_empty() && page.bytes().all(|byte| byte.is_ascii_digit());
        let page = page.iter().find_map(|prefix| folded.strip_prefix(prefix).filter(is_number));
        let spelt = page.map_or_else(|| folded.clone(), |page| format!("cp{page}"));
        let alias = ALIASES.iter().find(|(alias, _)| *alias == spelt).map(|(_, name)| *name);
        let japanese = folded.starts_with("iso-2022-jp").then_some("iso-2022-jp");
        if alias == Some("utf-7") {
            return charset_decoder(b"utf-7").map(Charset::Mail);
        }
        if let Some(found) = alias.or(japanese).and_then(known) {
            return Some(Charset::Web(found));
        }
        let windows = page.and_then(|page| known(&format!("windows-{page}")));
        let latin = || folded.strip_prefix("latin-").and_then(|number| known(&format!("latin{number}")));
        if let Some(found) = windows.or_else(|| known(&folded)).or_else(latin) {
            return Some(Charset::Web(found));
        }
        let decoder = charset_decoder(spelt.as_bytes()).or_else(|| charset_decoder(folded.as_bytes()));
        // What it has no decoder for is one replacement character.
        decoder.filter(|decode| !decode(b"ab").starts_with(char::REPLACEMENT_CHARACTER)).map(Charset::Mail)
    }

    /// `bytes` in this character set; what is wrong in it becomes replacement characters.
    fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Charset::Web(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Charset::Mail(decode) => Cow::Owned(decode(bytes)),
        }
    }

    /// `bytes` in this character set, if all of them are right.
    fn decode_strictly(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Charset::Web(encoding) => encoding.decode_without_bom_handling_and_without_replacement(bytes),
            Charset::Mail(decode) => {
                Some(decode(bytes)).filter(|text| !text.contains(char::REPLACEMENT_CHARACTER)).map(Cow::Owned)
            }
        }
    }

    fn is(self, encoding: &'static Encoding) -> bool {
        matches!(self, Charset::Web(own) if own == encoding)
    }

    fn is_utf16(self) -> bool {
        self.is(UTF_16LE) || self.is(UTF_16BE)
    }

    /// The encoder, if text can be written in it.
    pub(crate) fn encoder(self) -> Option<&'static Encoding> {
        match self {
            Charset::Web(encoding) => Some(encoding).filter(|found| found.output_encoding() == *found),
            Charset::Mail(_) => None,
        }
    }
}

/// Whether this is a name of ASCII.
fn is_ascii(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("ascii") || ASCII_NAMES.contains(&name.as_str())
}

/// How `bytes` are read.
enum Reading {
    /// In a character set, behind a mark of this length.
    As(Charset, usize),
    /// As UTF-8, which they are.
    Utf8,
    /// As UTF-8 with faults, or in the set of Western Windows: a guess.
    Guessed,
}

/// `bytes` in the character set that they are probably in. `label` is what is said of them.
pub(crate) fn read<'b>(bytes: &'b [u8], label: Option<&str>, is_html: bool) -> Cow<'b, str> {
    match reading(bytes, label, is_html) {
        Reading::As(charset, mark) => charset.decode(&bytes[mark..]),
        Reading::Utf8 | Reading::Guessed => guessed(bytes),
    }
}

/// A piece of a text that is in the character set of this label.
pub(crate) fn read_labelled<'b>(bytes: &'b [u8], label: &str) -> Cow<'b, str> {
    Charset::named(label).map_or_else(|| String::from_utf8_lossy(bytes), |charset| charset.decode(bytes))
}

/// A piece of a text that is in the character set of Western Windows.
pub(crate) fn read_western(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

/// The same with the mark of UTF-8 that a text may begin with, for what is written out again.
pub(crate) fn read_with_mark<'b>(bytes: &'b [u8], label: Option<&str>, is_html: bool) -> Cow<'b, str> {
    let text = read(bytes, label, is_html);
    if bytes.starts_with("\u{feff}".as_bytes()) { Cow::Owned(format!("\u{feff}{text}")) } else { text }
}

/// Whether `bytes` are what is said of them, so that their reading loses and invents nothing.
pub(crate) fn is_certain(bytes: &[u8], label: Option<&str>, is_html: bool) -> bool {
    match reading(bytes, label, is_html) {
        Reading::Utf8 => true,
        Reading::Guessed => false,
        Reading::As(charset, 0) => charset.decode_strictly(bytes).is_some(),
        Reading::As(charset, mark) => {
            // A mark may say something else than the label.
            let named = label.and_then(Charset::named);
            let agrees = named.is_none_or(|named| match charset {
                Charset::Web(own) => named.is(own) || (charset.is_utf16() && named.is_utf16()),
                Charset::Mail(_) => false,
            });
            agrees
                && (named.is_some() || charset.is(UTF_8))
                && charset.decode_strictly(&bytes[mark..]).is_some()
        }
    }
}

/// Decides how `bytes` are read.
fn reading(bytes: &[u8], label: Option<&str>, is_html: bool) -> Reading {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Reading::As(Charset::Web(encoding), mark);
    }
    let named = label.and_then(Charset::named).filter(|named| !named.is(UTF_8));
    if let Some(named) = named {
        // ASCII that claims to be UTF-16 is ASCII.
        let is_ascii = named.is_utf16() && !bytes.contains(&0) && bytes.is_ascii();
        return if is_ascii { Reading::Utf8 } else { Reading::As(named, 0) };
    }
    if is_shifted(bytes) && bytes.is_ascii() {
        return Reading::As(Charset::Web(ISO_2022_JP), 0);
    }
    if std::str::from_utf8(bytes).is_ok() {
        return Reading::Utf8;
    }
    match meta(bytes).filter(|_| is_html).and_then(Charset::named).filter(|named| !named.is_utf16()) {
        Some(named) if !named.is(UTF_8) => Reading::As(named, 0),
        _ => Reading::Guessed,
    }
}

/// UTF-8, or else the set of Western Windows.
fn guessed(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // A text of which a character was cut off, by a limit or on its way.
        Err(error) if error.error_len().is_none() || is_mostly_utf8(bytes) => String::from_utf8_lossy(bytes),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// Octets of a header outside of encoded words: UTF-8 if they are valid, ISO-2022-JP by its escape sequences, else in the
/// character set of the message's first text, else in that of Western Windows.
pub(crate) fn read_raw_header(bytes: &[u8], hint: Option<Charset>) -> Cow<'_, str> {
    if is_shifted(bytes) && bytes.is_ascii() {
        return ISO_2022_JP.decode_without_bom_handling(bytes).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let hinted = hint.and_then(|hint| hint.decode_strictly(bytes));
    hinted.unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// The character set of the first text among `parts` that has one beyond ASCII and UTF-8, in which raw octets of the
/// header probably are too.
pub(crate) fn header_hint(parts: &[Part]) -> Option<Charset> {
    let texts = parts.iter().filter(|part| part.media_type.starts_with("text/"));
    let mut charsets = texts.filter_map(|part| part.charset.as_deref().and_then(Charset::named));
    charsets.find(|charset| !charset.is(UTF_8) && !charset.is_utf16() && matches!(charset, Charset::Web(_)))
}

/// Whether there are the escape sequences of Japanese mail (RFC 1468).
pub(crate) fn is_shifted(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\x1b', bytes).any(|at| matches!(bytes.get(at + 1), Some(b'$' | b'(')))
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
    std::str::from_utf8(&value[..end]).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_that_mail_uses_are_known() {
        for (name, bytes, text) in [
            ("cp932", &b"\x93\xfa\x96{\x8c\xea\x87@"[..], "日本語①"),
            ("Windows-31J", b"\x93\xfa\x96{", "日本"),
            ("MS932", b"\x93\xfa\x96{", "日本"),
            ("iso-2022-jp-ms", b"\x1b$BF|K\\\x1b(B", "日本"),
            ("cp1252", b"\x93x\x94", "“x”"),
            ("windows1252", b"\x93x\x94", "“x”"),
            ("win-1251", b"\xcf\xf0\xe8", "При"),
            ("cp-1251", b"\xcf\xf0\xe8", "При"),
            ("iso-8859-8-i", b"\xf9\xec\xe5\xed", "שלום"),
            ("iso8859_1", b"Gr\xfc\xdfe", "Grüße"),
            ("latin-1", b"Gr\xfc\xdfe", "Grüße"),
            ("ks_c_5601", b"\xc7\xd1\xb1\xb9", "한국"),
            ("ks_c_5601-1987", b"\xc7\xd1\xb1\xb9", "한국"),
            ("cp949", b"\xc7\xd1\xb1\xb9", "한국"),
            ("cp950", b"\xba~\xa6r", "漢字"),
            ("cp936", b"\xba\xba\xd7\xd6", "汉字"),
            ("x-gbk", b"\xba\xba\xd7\xd6", "汉字"),
            ("cp850", b"Gr\x81\xe1e", "Grüße"),
            ("IBM850", b"Gr\x81\xe1e", "Grüße"),
            ("x-mac-roman", b"Gr\x9f\xa7e", "Grüße"),
            ("utf-7", b"+ZeVnLIqe-", "日本語"),
            ("unicode-1-1-utf-7", b"+ZeVnLIqe-", "日本語"),
            ("ISO-2022-KR", b"\x1b$)C\x0eGQ19\x0f", "한국"),
            ("hz-gb-2312", b"~{::WV~}", "汉字"),
            ("cp65001", "Grüße".as_bytes(), "Grüße"),
            ("utf_8", "Grüße".as_bytes(), "Grüße"),
            ("ansi_x3.4-1968", "Grüße".as_bytes(), "Grüße"),
        ] {
            assert_eq!(read(bytes, Some(name), false), text, "{name}");
            assert!(is_certain(bytes, Some(name), false), "{name}");
        }
        for name in ["x-nonsense", "iso-2022-cn", "", "cp", "us-ascii", &"x".repeat(100)] {
            assert!(Charset::named(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_wrong_label_is_no_certain_reading() {
        let certain = |bytes: &[u8], label: Option<&str>| is_certain(bytes, label, false);
        assert!(certain("Grüße".as_bytes(), None));
        assert!(certain("Grüße".as_bytes(), Some("us-ascii")));
        assert!(certain(b"plain", Some("x-nonsense")));
        assert!(!certain(b"Gr\xfc\xdfe", None));
        assert!(!certain(b"Gr\xfc\xdfe", Some("us-ascii")));
        assert!(!certain(b"Gr\xfc\xdfe", Some("utf-8")));
        assert!(!certain(b"\xc6\xfc\xcb\xdc", Some("iso-2022-jp")), "EUC-JP");
        assert!(!certain(b"\xff\xfea\0", Some("utf-8")), "a mark of UTF-16");
        assert!(!certain(b"\xef\xbb\xbfa", Some("iso-8859-1")), "a mark of UTF-8");
        assert!(certain(b"\xef\xbb\xbfa", Some("utf-8")));
        assert!(is_certain(b"<meta charset=windows-1251>\xcf", None, true));
    }

    #[test]
    fn a_document_that_is_utf_8_is_read_so_whatever_it_says_itself() {
        let html = "<meta charset=iso-8859-1>Grüße";
        assert_eq!(read(html.as_bytes(), Some("utf-8"), true), html);
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_set_are_read(
            bytes in prop::collection::vec(any::<u8>(), 0..60),
            label in prop::sample::select(vec!["utf-8", "utf-7", "cp850", "gb18030", "iso-2022-jp", "utf-16", "x-no"]),
        ) {
            let _ = read(&bytes, Some(label), true);
            let _ = is_certain(&bytes, Some(label), true);
            let _ = read_raw_header(&bytes, Charset::named(label));
        }

        #[test]
        fn what_is_certain_is_written_back_as_it_was(text in "[a-zäöüßéñ ]{0,30}") {
            for label in ["utf-8", "iso-8859-1", "windows-1252", "gb18030"] {
                let (bytes, _, _) = Charset::named(label).unwrap().encoder().unwrap().encode(&text);
                prop_assert!(is_certain(&bytes, Some(label), false));
                prop_assert_eq!(read(&bytes, Some(label), false), text.as_str());
            }
        }
    }
}
