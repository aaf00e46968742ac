//! Reads the values of header fields: encoded words (RFC 2047), raw octets, and the escape sequences of Japanese mail.
//!
//! Every header that anybody sees is read here, whether it is free text or has a syntax. Fields with a syntax are
//! [`protected`] before `mail-parser` takes them apart, and the pieces are [`restored`] afterwards.
//! Nothing fails, whatever the bytes.

use std::borrow::Cow;

use super::charset::{self, Charset};
use super::text;

/// Octets of an encoded word. It may have 75; programs write longer ones.
const WORD_BYTES_MAX: usize = 2000;
/// Octets of the name of a character set in an encoded word.
const NAME_BYTES_MAX: usize = 60;
/// What stands for characters that mean something in the syntax of a field, in the last plane for private use: the
/// first begins what was an encoded word, and stands for nothing.
const PROTECTED: u32 = 0x10_ff00;

/// A piece of a value.
enum Token<'a> {
    Raw(&'a [u8]),
    Word(Word<'a>),
}

/// An encoded word.
#[derive(Clone, Copy)]
struct Word<'a> {
    charset: &'a str,
    is_base64: bool,
    text: &'a [u8],
}

/// Adjacent encoded words of one character set, whose octets are joined before they are decoded: many programs split
/// a character between two words.
struct Run<'a> {
    charset: &'a str,
    bytes: Vec<u8>,
    /// Base64 of which no whole octets come yet.
    open: Vec<u8>,
}

/// A decoded piece.
enum Piece<'a> {
    Raw(Cow<'a, str>),
    Word(String),
}

/// The text of a field without a syntax, such as Subject, on one line. `hint` is the character set of raw octets that
/// are no UTF-8.
pub(crate) fn read(value: &[u8], hint: Option<Charset>) -> String {
    let mut text = String::with_capacity(value.len());
    if is_plain(value) {
        push_unfolded(&mut text, &String::from_utf8_lossy(value));
    } else {
        for piece in pieces(value, hint, false) {
            match piece {
                Piece::Raw(raw) => push_unfolded(&mut text, &raw),
                Piece::Word(word) => text.push_str(&word),
            }
        }
    }
    text.trim().to_owned()
}

/// The value of a field with a syntax in UTF-8, with its encoded words decoded: their characters are such as mean nothing
/// in any syntax.
pub(crate) fn protected(value: &[u8], hint: Option<Charset>) -> Cow<'_, [u8]> {
    if is_plain(value) {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    for piece in pieces(value, hint, true) {
        match piece {
            Piece::Raw(raw) => text.push_str(&raw),
            Piece::Word(word) => {
                text.extend(char::from_u32(PROTECTED));
                text.extend(word.chars().map(|c| {
                    let is_special = c.is_ascii() && !c.is_ascii_alphanumeric();
                    let instead = is_special.then(|| char::from_u32(PROTECTED + u32::from(c))).flatten();
                    instead.unwrap_or(c)
                }));
            }
        }
    }
    Cow::Owned(text.into_bytes())
}

/// A piece of a protected value as it was meant.
pub(crate) fn restored(text: &str) -> String {
    let meant = |c: char| match u32::from(c).checked_sub(PROTECTED) {
        Some(0) => None,
        Some(offset) => Some(u8::try_from(offset).map_or(c, char::from)),
        None => Some(c),
    };
    text.chars().filter_map(meant).collect()
}

/// Whether a piece of a protected value has an encoded word in it, as an address may not have.
pub(crate) fn has_word(text: &str) -> bool {
    text.chars().any(|c| PROTECTED <= u32::from(c))
}

/// Whether a value is ASCII without encoded words and escapes.
fn is_plain(value: &[u8]) -> bool {
    value.is_ascii()
        && memchr::memchr(b'\x1b', value).is_none()
        && memchr::memmem::find(value, b"=?").is_none()
}

/// Adds `raw` with the folds of lines as single blanks.
fn push_unfolded(text: &mut String, raw: &str) {
    for (index, line) in raw.split('\n').enumerate() {
        if index == 0 {
            text.push_str(line.strip_suffix('\r').unwrap_or(line));
            continue;
        }
        text.truncate(text.trim_end_matches([' ', '\t']).len());
        text.push(' ');
        text.push_str(line.trim_start_matches([' ', '\t']).trim_end_matches('\r'));
    }
}

/// The pieces of a value, decoded. The blanks between two encoded words are no text.
fn pieces(value: &[u8], hint: Option<Charset>, has_syntax: bool) -> Vec<Piece<'_>> {
    let tokens = tokens(value, has_syntax);
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut run: Option<Run<'_>> = None;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) => {
                let is_next = run.as_ref().is_some_and(|run| run.charset.eq_ignore_ascii_case(word.charset));
                if !is_next {
                    pieces.extend(run.take().map(Run::decoded));
                }
                run.get_or_insert_with(|| Run::of(word.charset)).push(*word);
            }
            Token::Raw(raw) => {
                let is_between = run.is_some() && raw.trim_ascii().is_empty() && index + 1 < tokens.len();
                if !is_between {
                    pieces.extend(run.take().map(Run::decoded));
                    pieces.push(Piece::Raw(charset::read_raw_header(raw, hint)));
                }
            }
        }
    }
    pieces.extend(run.map(Run::decoded));
    pieces
}

impl<'a> Run<'a> {
    fn of(charset: &'a str) -> Run<'a> {
        Run { charset, bytes: Vec::new(), open: Vec::new() }
    }

    fn push(&mut self, word: Word<'_>) {
        if !word.is_base64 {
            self.end_base64();
            push_q(word.text, &mut self.bytes);
            return;
        }
        self.open.extend(word.text.iter().filter(|byte| !byte.is_ascii_whitespace()));
        // A stretch of base64 may be split anywhere too.
        if self.open.len().is_multiple_of(4) || self.open.ends_with(b"=") {
            self.end_base64();
        }
    }

    fn end_base64(&mut self) {
        if !self.open.is_empty() {
            self.bytes.extend(text::decode_base64(&std::mem::take(&mut self.open)));
        }
    }

    fn decoded(mut self) -> Piece<'a> {
        self.end_base64();
        Piece::Word(charset::read(&self.bytes, Some(self.charset), false).into_owned())
    }
}

/// Decodes the Q encoding (RFC 2047 4.2). Octets that should have been encoded stand for themselves.
fn push_q(text: &[u8], bytes: &mut Vec<u8>) {
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        let hex = |at: usize| behind.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match byte {
            b'_' => bytes.push(b' '),
            b'\r' | b'\n' => {}
            b'=' => match (hex(0), hex(1)) {
                (Some(high), Some(low)) => {
                    bytes.extend(u8::try_from(high * 16 + low));
                    rest = &behind[2..];
                }
                _ => bytes.push(b'='),
            },
            _ => bytes.push(byte),
        }
    }
}

/// Finds the encoded words of a value. In a field with a syntax, there are none in an address in angle brackets.
fn tokens(value: &[u8], has_syntax: bool) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut raw_start, mut at) = (0, 0);
    let (mut is_quoted, mut is_address, mut is_shifted) = (false, false, false);
    while at < value.len() {
        match value[at] {
            // Two-byte characters of Japanese mail look like ASCII.
            b'\x1b' => is_shifted = value.get(at + 1) == Some(&b'$'),
            b'\n' => is_shifted = false,
            _ if is_shifted => {}
            b'\\' if has_syntax && is_quoted => at += 1,
            b'"' if has_syntax => is_quoted = !is_quoted,
            b'<' if has_syntax && !is_quoted => is_address = true,
            b'>' if has_syntax && !is_quoted => is_address = false,
            b'=' if !is_address => {
                if let Some((word, length)) = Word::at_start(&value[at..]) {
                    if raw_start < at {
                        tokens.push(Token::Raw(&value[raw_start..at]));
                    }
                    tokens.push(Token::Word(word));
                    at += length;
                    raw_start = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if raw_start < value.len() {
        tokens.push(Token::Raw(&value[raw_start..]));
    }
    tokens
}

impl<'a> Word<'a> {
    /// The encoded word that `rest` begins with, and its length.
    fn at_start(rest: &'a [u8]) -> Option<(Word<'a>, usize)> {
        let inner = rest.strip_prefix(b"=?")?;
        let name = &inner[..inner.len().min(NAME_BYTES_MAX)];
        let name = &name[..memchr::memchr(b'?', name)?];
        let is_base64 = match inner.get(name.len() + 1)? {
            b'b' | b'B' => true,
            b'q' | b'Q' => false,
            _ => return None,
        };
        let text = inner.get(name.len() + 2..)?.strip_prefix(b"?")?;
        let text = &text[..text.len().min(WORD_BYTES_MAX)];
        let text = &text[..memchr::memmem::find(text, b"?=")?];
        let length = 2 + name.len() + 3 + text.len() + 2;
        // RFC 2231 5 puts a language behind the character set.
        let charset = std::str::from_utf8(name).ok()?;
        let charset = charset.split('*').next().unwrap_or_default();
        let is_name = !charset.is_empty() && charset.bytes().all(|byte| byte.is_ascii_graphic());
        // One that never ends does not swallow the next.
        let is_whole = memchr::memmem::find(text, b"=?").is_none();
        (is_name && is_whole).then_some((Word { charset, is_base64, text }, length))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(value: &[u8], expected: &str) {
        assert_eq!(read(value, None), expected, "{}", String::from_utf8_lossy(value));
    }

    #[test]
    fn characters_split_between_words_are_joined() {
        check(b"=?utf-8?Q?f=C3?= =?utf-8?Q?=BCr?=", "für");
        check(b"=?utf-8?Q?f=C3?=\r\n =?UTF-8?q?=BCr?=", "für");
        check(b"=?utf-8?Q?f=C3?= =?utf-8?B?vHI=?=", "für");
        check(b"=?utf-8?B?8J+O?= =?utf-8?B?iQ==?=", "🎉");
        check(b"=?utf-8?B?8J+Oi?= =?utf-8?B?Q==?=", "🎉");
        check(b"=?GB2312?B?u+HS6bzN0g==?= =?gb2312?B?qrvh0uk=?=", "会议纪要会议");
        check(b"=?utf-8*en?Q?f=C3=BCr?=", "für");
    }

    #[test]
    fn a_blank_stands_where_the_message_has_one() {
        check(b"Re: [=?utf-8?Q?=C3=9Cn=C3=AFcode=5D_Hallo?=", "Re: [Ünïcode] Hallo");
        check(b"=?utf-8?Q?M=C3=BCller?=, Anna", "Müller, Anna");
        check(b"=?utf-8?Q?a?= =?iso-8859-1?Q?b?= c =?utf-8?Q?d?=", "ab c d");
        check(b"=?utf-8?Q?a?=\r\n\t b\r\n  c", "a b c");
        check(b"=?utf-8?Q?a_?= =?utf-8?Q?b?=", "a b");
    }

    #[test]
    fn raw_octets_are_read() {
        check("Grüße".as_bytes(), "Grüße");
        check(b"Gr\xfc\xdfe", "Grüße");
        check(b"=?iso-8859-1?Q?Die_Fr\xf6sche?=", "Die Frösche");
        check(b"Re: \x1b$BEl5~$N7o\x1b(B", "Re: 東京の件");
        check(b"\x1b$B=?$a$F\x1b(B", "戎めて");
        assert_eq!(read(b"\xcf\xf0\xe8\xe2\xe5\xf2", Charset::named("windows-1251")), "Привет");
        assert_eq!(read(b"\x93\xfa\x96{", Charset::named("shift_jis")), "日本");
        assert_eq!(read("für".as_bytes(), Charset::named("koi8-r")), "für");
    }

    #[test]
    fn what_is_no_encoded_word_stays() {
        for text in ["=?", "=?utf-8?Q?a", "=?utf-8?X?a?=", "a =? b ?=", "=??Q?a?=", "1=?2"] {
            check(text.as_bytes(), text);
        }
        check(b"=?utf-8?Q?open =?utf-8?Q?closed?=", "=?utf-8?Q?open closed");
        check(b"=?utf-8?Q?a b?=", "a b");
    }

    #[test]
    fn encoded_words_mean_nothing_in_a_syntax() {
        let value = b"=?utf-8?Q?M=C3=BCller=2C_\"Anna\"_=3Ca=40b.org=3E?= <=?utf-8?Q?c?=@d.org>";
        let text = String::from_utf8(protected(value, None).into_owned()).unwrap();
        assert_eq!(text.matches([',', '"', '@', '<']).collect::<String>(), "<@");
        assert_eq!(restored(&text), "Müller, \"Anna\" <a@b.org> <=?utf-8?Q?c?=@d.org>");
        assert!(has_word(&text) && !has_word("Müller"));
    }

    proptest! {
        #[test]
        fn any_value_is_read_both_ways(
            pieces in prop::collection::vec(prop_oneof![
                Just(b"=?utf-8?Q?".to_vec()),
                Just(b"=?gb2312?B?".to_vec()),
                Just(b"?=".to_vec()),
                Just(b"\r\n ".to_vec()),
                Just(b"\x1b$B".to_vec()),
                Just(b"\x1b(B".to_vec()),
                Just(b"\"".to_vec()),
                prop::collection::vec(any::<u8>(), 0..6),
            ], 0..12)
        ) {
            let value = pieces.concat();
            let _ = read(&value, Charset::named("big5"));
            let protected = protected(&value, None);
            if !is_plain(&value) {
                prop_assert!(std::str::from_utf8(&protected).is_ok());
            }
        }

        #[test]
        fn what_is_written_is_read_again(text in "[a-zäöü漢字🎉_=?\" ]{1,80}") {
            let words = crate::mail::header::encoded_words(&text).join("\r\n ");
            prop_assert_eq!(read(words.as_bytes(), None), text.trim());
        }
    }
}
