//! Splits HTML into text and tags as browsers do (HTML Living Standard, 13.2.5). The patterns of lists, the pages of
//! archives, and what is put into or cut off a message read HTML by it, so that what a rule judges is what a reader
//! sees. What looks for secrets in encoded bytes (`rewrite::links`) reads them in all ways at once, by itself.
//!
//! A document is read once from front to back, whatever it is. Nothing here decides what is safe.

use std::borrow::Cow;
use std::ops::Range;

use mail_parser::decoders::html::add_html_token;

/// Attributes of one tag that are read.
const ATTRIBUTES_MAX: usize = 40;
/// Bytes of an attribute's name and of its value; one that is longer is left out.
const ATTRIBUTE_NAME_BYTES_MAX: usize = 24;
const VALUE_BYTES_MAX: usize = 8 * 1024;
/// Length of the longest name of a character reference, and of the longest that needs no semicolon.
const NAME_BYTES_MAX: usize = 32;
const LEGACY_BYTES_MAX: usize = 6;
/// Names of character references that need no semicolon, sorted.
const LEGACY: &[&str] = &[
    "AElig", "AMP", "Aacute", "Acirc", "Agrave", "Aring", "Atilde", "Auml", "COPY", "Ccedil", "ETH",
    "Eacute", "Ecirc", "Egrave", "Euml", "GT", "Iacute", "Icirc", "Igrave", "Iuml", "LT", "Ntilde", "Oacute",
    "Ocirc", "Ograve", "Oslash", "Otilde", "Ouml", "QUOT", "REG", "THORN", "Uacute", "Ucirc", "Ugrave",
    "Uuml", "Yacute", "aacute", "acirc", "acute", "aelig", "agrave", "amp", "aring", "atilde", "auml",
    "brvbar", "ccedil", "cedil", "cent", "copy", "curren", "deg", "divide", "eacute", "ecirc", "egrave",
    "eth", "euml", "frac12", "frac14", "frac34", "gt", "iacute", "icirc", "iexcl", "igrave", "iquest",
    "iuml", "laquo", "lt", "macr", "micro", "middot", "nbsp", "not", "ntilde", "oacute", "ocirc", "ograve",
    "ordf", "ordm", "oslash", "otilde", "ouml", "para", "plusmn", "pound", "quot", "raquo", "reg", "sect",
    "shy", "sup1", "sup2", "sup3", "szlig", "thorn", "times", "uacute", "ucirc", "ugrave", "uml", "uuml",
    "yacute", "yen", "yuml",
];

/// A piece of a document. The pieces are the whole document, without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token<'a> {
    /// Text, its character references unresolved.
    Text(&'a str),
    /// The beginning of an element.
    Open(Tag<'a>),
    /// The end of the element of this name, in lower case.
    Close(Cow<'a, str>),
    /// The content of a raw element, which follows its beginning.
    Raw(RawText<'a>),
    /// A comment, a declaration or the like, which nobody sees; a tag that the document ends in, too.
    Unseen {
        /// Whether it has its end; else it takes the rest of the document.
        is_closed: bool,
    },
}

/// The beginning of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name in lower case.
    pub name: Cow<'a, str>,
    /// The name as it is written.
    pub written: &'a str,
    /// The text between the name and the end of the tag.
    attributes: &'a str,
}

/// The content of a raw element: tags in it are none, and it ends at the end tag of the element alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawText<'a> {
    /// The content as it is written.
    pub content: &'a str,
    /// What a reader sees of it.
    pub seen: Seen,
    /// Whether the end tag follows; else it takes the rest of the document.
    pub is_closed: bool,
}

/// How much a reader sees of the content of a raw element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing.
    Nothing,
    /// The text with its character references resolved.
    Resolved,
    /// The text as it is written.
    AsWritten,
}

/// The treatment of the content of the element of this name, in lower case, if it is raw.
#[must_use]
pub fn raw(name: &str) -> Option<Seen> {
    match name {
        "script" | "style" | "title" | "iframe" | "noembed" | "noframes" => Some(Seen::Nothing),
        "textarea" => Some(Seen::Resolved),
        "xmp" | "plaintext" => Some(Seen::AsWritten),
        _ => None,
    }
}

impl<'a> RawText<'a> {
    /// The text that a reader sees of it.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        match self.seen {
            Seen::Nothing => "".into(),
            Seen::Resolved => resolved(self.content),
            Seen::AsWritten => self.content.into(),
        }
    }
}

impl<'a> Tag<'a> {
    /// The attributes, their names in lower case and their values undecoded; of two with one name, the first counts.
    pub fn attributes(&self) -> impl Iterator<Item = (Cow<'a, str>, &'a str)> + use<'a> {
        let all = Attributes::new(self.attributes, 0);
        let fits = |(name, value): &(&str, &str)| {
            name.len() <= ATTRIBUTE_NAME_BYTES_MAX && value.len() <= VALUE_BYTES_MAX
        };
        all.filter(fits).take(ATTRIBUTES_MAX).map(|(name, value)| (lower(name), value))
    }

    /// The value of an attribute with its character references resolved.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        let found = self.attributes().find(|(known, _)| known == name);
        found.map(|(_, value)| resolved(value).into_owned())
    }

    /// Whether it has an attribute.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.attributes().any(|(known, _)| known == name)
    }
}

fn lower(name: &str) -> Cow<'_, str> {
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        name.to_ascii_lowercase().into()
    } else {
        name.into()
    }
}

/// The tokens of a document.
#[must_use]
pub fn tokens(html: &str) -> Tokens<'_> {
    Tokens { html, at: 0, knows_raw: true, raw: None }
}

/// The tokens of a document as a program has them that does not know of raw elements.
#[must_use]
pub fn tokens_without_raw(html: &str) -> Tokens<'_> {
    Tokens { knows_raw: false, ..tokens(html) }
}

/// Whether programs disagree to the end about `rest`, which begins with an element `svg` or `math`: within these no
/// element is raw, and text may stand in a section (`<![CDATA[`).
#[must_use]
pub fn is_disputed(rest: &str) -> bool {
    if matches!(tokens_without_raw(rest).last(), Some(Token::Unseen { is_closed: false })) {
        return true;
    }
    let sections = rest.to_ascii_lowercase();
    sections.rfind("<![cdata[").is_some_and(|open| !sections[open..].contains("]]>"))
}

/// The iterator of [`tokens`].
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    html: &'a str,
    at: usize,
    knows_raw: bool,
    /// The raw element that was just begun.
    raw: Option<(Cow<'a, str>, Seen)>,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if let Some((name, seen)) = self.raw.take() {
            return Some(Token::Raw(self.raw_text(&name, seen)));
        }
        let rest = &self.html.as_bytes()[self.at..];
        Some(match rest {
            [] => return None,
            [b'<', b'!', b'-', b'-', ..] => Token::Unseen { is_closed: self.pass_comment() },
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => match self.tag(2) {
                Some(tag) => Token::Close(tag.name),
                None => Token::Unseen { is_closed: false },
            },
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => match self.tag(1) {
                Some(tag) => {
                    if self.knows_raw {
                        self.raw = raw(&tag.name).map(|seen| (tag.name.clone(), seen));
                    }
                    Token::Open(tag)
                }
                None => Token::Unseen { is_closed: false },
            },
            [b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..] => {
                let end = memchr::memchr(b'>', rest);
                self.at = end.map_or(self.html.len(), |end| self.at + end + 1);
                Token::Unseen { is_closed: end.is_some() }
            }
            _ => {
                // A lone angle bracket is text.
                let length = memchr::memchr(b'<', &rest[1..]).map_or(rest.len(), |next| next + 1);
                Token::Text(self.pass(length))
            }
        })
    }
}

impl<'a> Tokens<'a> {
    /// The next token and where it stands.
    pub fn next_placed(&mut self) -> Option<(Range<usize>, Token<'a>)> {
        let start = self.at;
        let token = self.next()?;
        Some((start..self.at, token))
    }

    /// Moves on by `length` bytes, which end in front of ASCII or at the end; returns the text that was passed.
    fn pass(&mut self, length: usize) -> &'a str {
        let start = self.at;
        self.at += length;
        self.html.get(start..self.at).unwrap_or_default()
    }

    /// Moves past a comment; returns whether it ends. `<!-->` and `<!--->` are complete comments.
    fn pass_comment(&mut self) -> bool {
        let bytes = self.html.as_bytes();
        self.at += 4;
        match &bytes[self.at..] {
            [b'>', ..] => {
                self.at += 1;
                return true;
            }
            [b'-', b'>', ..] => {
                self.at += 2;
                return true;
            }
            _ => {}
        }
        while let Some(dashes) = memchr::memmem::find(&bytes[self.at..], b"--") {
            self.at += dashes;
            match &bytes[self.at + 2..] {
                [b'>', ..] => {
                    self.at += 3;
                    return true;
                }
                // A browser ends it here, too: what stands behind it is seen.
                [b'!', b'>', ..] => {
                    self.at += 4;
                    return true;
                }
                // The next pair of dashes may share one with this pair.
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
        false
    }

    /// Reads a tag whose name begins after `before` bytes, past its `>`; `None` if the document ends before that.
    fn tag(&mut self, before: usize) -> Option<Tag<'a>> {
        self.at += before;
        let rest = &self.html.as_bytes()[self.at..];
        let ends = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
        let written = self.pass(rest.iter().position(ends).unwrap_or(rest.len()));
        let mut attributes = Attributes::new(self.html, self.at);
        attributes.by_ref().for_each(drop);
        let is_closed = attributes.is_closed;
        let attributes = self.pass(attributes.at - self.at);
        is_closed.then(|| Tag { name: lower(written), written, attributes })
    }

    /// Reads the content of a raw element up to its end tag.
    fn raw_text(&mut self, name: &str, seen: Seen) -> RawText<'a> {
        let rest = &self.html.as_bytes()[self.at..];
        let is_end = |at: &usize| {
            let tag = &rest[at + 2..];
            tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                && tag
                    .get(name.len())
                    .is_some_and(|byte| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace())
        };
        // Nothing ends plaintext, and an end tag that the document ends in is none.
        let end = memchr::memmem::find_iter(rest, b"</").find(|at| name != "plaintext" && is_end(at));
        let end = end.filter(|end| {
            let mut attributes = Attributes::new(self.html, self.at + end + 2 + name.len());
            attributes.by_ref().for_each(drop);
            attributes.is_closed
        });
        RawText { content: self.pass(end.unwrap_or(rest.len())), seen, is_closed: end.is_some() }
    }
}

/// The attributes of a tag from behind its name on, as they are written. At the end, `at` is behind the `>`.
struct Attributes<'a> {
    html: &'a str,
    at: usize,
    /// Whether the tag has its `>`.
    is_closed: bool,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        self.take_while(|byte| is_blank(byte) || byte == b'/');
        let start = self.at;
        match self.first()? {
            b'>' => {
                self.at += 1;
                self.is_closed = true;
                // There is nothing more, whoever asks again.
                self.html = &self.html[..self.at];
                return None;
            }
            // An equals sign in front is part of the name.
            b'=' => self.at += 1,
            _ => {}
        }
        self.take_while(|byte| !matches!(byte, b'>' | b'/' | b'=') && !is_blank(byte));
        let name = self.html.get(start..self.at).unwrap_or_default();
        self.take_while(is_blank);
        if self.first() != Some(b'=') {
            return Some((name, ""));
        }
        self.at += 1;
        self.take_while(is_blank);
        Some((name, self.value()))
    }
}

impl<'a> Attributes<'a> {
    fn new(html: &'a str, at: usize) -> Attributes<'a> {
        Attributes { html, at, is_closed: false }
    }

    fn first(&self) -> Option<u8> {
        self.html.as_bytes().get(self.at).copied()
    }

    /// Reads on while `belongs` holds; returns the text that was read. ASCII or the end ends every run, so both ends are
    /// character boundaries.
    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        self.at += self.html.as_bytes()[start..].iter().take_while(|byte| belongs(**byte)).count();
        self.html.get(start..self.at).unwrap_or_default()
    }

    fn value(&mut self) -> &'a str {
        match self.first() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let rest = &self.html.as_bytes()[self.at..];
                let length = memchr::memchr(quote, rest).unwrap_or(rest.len());
                let value = self.html.get(self.at..self.at + length).unwrap_or_default();
                self.at += length + usize::from(length < rest.len());
                value
            }
            _ => self.take_while(|byte| byte != b'>' && !is_blank(byte)),
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// `text` with its character references resolved, everything else as it is.
#[must_use]
pub fn resolved(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return text.into() };
    let mut out = String::with_capacity(text.len());
    let (mut from, mut at) = (0, first);
    loop {
        out.push_str(&text[from..at]);
        let (meaning, length) = reference(&text[at + 1..]);
        out.push_str(&meaning);
        from = at + 1 + length;
        match memchr::memchr(b'&', &text.as_bytes()[from..]) {
            Some(next) => at = from + next,
            None => break,
        }
    }
    out.push_str(&text[from..]);
    out.into()
}

/// The meaning of the character reference whose `&` stands in front of `rest`, and its length from there on. What is no
/// reference is a `&`.
fn reference(rest: &str) -> (String, usize) {
    let digits = rest.strip_prefix('#').map(|number| match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16, 2),
        None => (number, 10, 1),
    });
    if let Some((digits, radix, prefix)) = digits {
        let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
        if length != 0 {
            let number = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
            let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
            return (character(number).to_string(), prefix + length + semicolon);
        }
    }
    let length = rest.bytes().take(NAME_BYTES_MAX).take_while(u8::is_ascii_alphanumeric).count();
    let name = &rest[..length];
    if rest.as_bytes().get(length) == Some(&b';')
        && let Some(resolved) = named(name)
    {
        return (resolved, length + 1);
    }
    let legacy = (2..=length.min(LEGACY_BYTES_MAX)).rev().map(|length| &name[..length]);
    let known = legacy
        .filter(|name| LEGACY.binary_search(name).is_ok())
        .find_map(|name| Some((named(name)?, name.len())));
    known.unwrap_or_else(|| ("&".to_owned(), 0))
}

/// The character of a named reference.
fn named(name: &str) -> Option<String> {
    let reference = format!("&{name};");
    let mut resolved = String::new();
    add_html_token(&mut resolved, reference.as_bytes(), false);
    // An unknown name is returned unchanged.
    (!name.is_empty() && resolved != reference).then_some(resolved)
}

/// The character of a numeric reference. Numbers of control characters mean those of Windows-1252.
fn character(number: u32) -> char {
    match u8::try_from(number) {
        Ok(byte @ 0x80..=0x9f) => {
            let bytes = [byte];
            let (decoded, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes);
            decoded.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(token: Token<'_>) -> String {
        match token {
            Token::Text(text) => text.to_owned(),
            Token::Close(name) => format!("[/{name}]"),
            Token::Open(tag) => {
                let attributes = tag.attributes().map(|(name, value)| format!(" {name}={value}"));
                format!("[{}{}]", tag.name, attributes.collect::<String>())
            }
            Token::Raw(raw) => format!("({})", raw.text()),
            Token::Unseen { is_closed } => if is_closed { "" } else { "…" }.to_owned(),
        }
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(tokens(html).map(shown).collect::<String>(), expected, "{html}");
    }

    #[test]
    fn tags_are_read_as_browsers_read_them() {
        check("<P Align=\"a>b\" x='y' z=1/>t</p >", "[p align=a>b x=y z=1/]t[/p]");
        check("<a/href=x//b>", "[a href=x//b]");
        check("1 < 2 <3 </ a> <", "1 < 2 <3  <");
        check("a<!-- x --!>b<!-->c<!--->d<!-- -->e<!x>f<?y>g", "abcdefg");
        check("a<b", "a…");
        check("a<img src=\"x>", "a…");
        check("a</b", "a…");
        check("<a =x y>", "[a =x= y=]");
        check("a<!--[if mso]><b>x<![endif]-->b<![if !mso]>c<![endif]>", "abc");
    }

    #[test]
    fn a_tag_ends_where_it_does_for_browsers() {
        for (tag, rest) in [
            ("<b>", "x"),
            ("<a title=\"x > y\">", "z\">"),
            ("<a title = '>'\t>", "z"),
            ("<a x=y\">", "z\">"),
            ("<a =\"x>", "y"),
            ("<a x=>", "y"),
            ("<br/>", ">"),
            ("</p class=\">\">", "x"),
            ("</3>", "x"),
            ("<!-- > -->", "x"),
            ("<!-->", "x-->"),
            ("<!--->", "x-->"),
            ("<!-- a -- b --->", "x"),
            ("<!-- a --!>", "x-->"),
            ("<!doctype \">", "x"),
            ("<a href=\"never closed> x", ""),
            ("<a", ""),
        ] {
            let html = format!("{tag}{rest}");
            let first = tokens(&html).next_placed().map(|(range, _)| range);
            assert_eq!(first, Some(0..tag.len()), "{html}");
        }
    }

    #[test]
    fn raw_elements_end_at_their_own_end_tag() {
        check("<STYLE>a</stylex></b></STYLE >c", "[style]()[/style]c");
        check("a<script>x</scrip><b></SCRIPT x>b<title>", "a[script]()[/script]b[title]()");
        check(
            "<xmp><b>&amp;</xmp><textarea><i>&amp;</textarea>",
            "[xmp](<b>&amp;)[/xmp][textarea](<i>&)[/textarea]",
        );
        check("<plaintext>a</plaintext>", "[plaintext](a</plaintext>)");
        let unaware = tokens_without_raw("<style>a<b></style>").map(shown).collect::<String>();
        assert_eq!(unaware, "[style]a[b][/style]");
        check("a<!-- x", "a…");
        let unclosed = |html: &str| {
            tokens(html).any(|token| matches!(token, Token::Raw(RawText { is_closed: false, .. })))
        };
        assert!(["<style>a", "<style>a</style", "<style>a</style x='>"].into_iter().all(unclosed));
    }

    #[test]
    fn long_attributes_and_those_after_many_are_left_out() {
        let long = "x".repeat(VALUE_BYTES_MAX + 1);
        check(&format!("<a b={long} c=d>"), "[a c=d]");
        let html = format!("<a{}>x", " b=1".repeat(100));
        let mut read = tokens(&html);
        assert!(matches!(read.next(), Some(Token::Open(tag)) if tag.attributes().count() == ATTRIBUTES_MAX));
        assert_eq!(read.next(), Some(Token::Text("x")));
    }

    proptest! {
        #[test]
        fn the_tokens_are_the_whole_document(pieces in prop::collection::vec(
            prop::sample::select(vec!["<", ">", "/", "!", "--", "-", "=", "\"", "'", " ", "&", ";", "#x", "amp", "<p>",
                "<b a=", "</", "<script>", "</script>", "<xmp>", "</xmp>", "<plaintext>", "<!--", "-->", "ü", "a"]),
            0..40,
        )) {
            let html = pieces.concat();
            let (mut read, mut end) = (tokens(&html), 0);
            while let Some((range, _)) = read.next_placed() {
                prop_assert_eq!(range.start, end);
                end = range.end;
            }
            prop_assert_eq!(end, html.len());
        }
    }
}
