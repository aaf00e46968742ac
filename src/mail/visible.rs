//! Extracts the text of an HTML document as a reader sees it, for pattern matching.
//!
//! Tags, comments, scripts and styles are removed, character references are resolved, and text of inline elements is
//! joined, so that no markup inside a word hides it. Blocks and line breaks end a line, other white space is one blank.
//! The document is read once from front to back as browsers read it (HTML Living Standard, 13.2.5). Styles are not
//! computed: text that a style hides is text.

use mail_parser::decoders::html::add_html_token;

// These tables are sorted: they are searched for every tag and reference.

/// Elements before and after which a line ends.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "title",
    "tr",
    "ul",
    "xmp",
];
/// Elements that are separated by a blank.
const CELLS: &[&str] = &["td", "th"];
/// Elements whose content is not shown. It ends at their end tag alone.
const HIDDEN: &[&str] = &["iframe", "noembed", "noframes", "script", "style", "template", "title"];
/// Names of character references that need no semicolon.
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
/// Length of the longest name of a character reference, and of the longest that needs no semicolon.
const NAME_BYTES_MAX: usize = 32;
const LEGACY_BYTES_MAX: usize = 6;

/// The text that a reader of `html` sees, with `\n` line ends.
pub(super) fn visible_text(html: &str) -> String {
    read(html, None)
}

/// The same without what stands in `blockquote`: mail programs put there what the author answers.
pub(super) fn unquoted_text(html: &str) -> String {
    read(html, Some(0))
}

/// `text` with its character references resolved, everything else as it is.
pub(super) fn resolved(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut reader = Reader { html: text, at: 0 };
    while reader.at < text.len() {
        let rest = &text[reader.at..];
        let end = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        resolved.push_str(&rest[..end]);
        reader.at += end;
        if end < rest.len() {
            resolved.push_str(&reader.resolve());
        }
    }
    resolved
}

fn read(html: &str, quotes: Option<usize>) -> String {
    let mut reader = Reader { html, at: 0 };
    let mut text = Text { out: String::with_capacity(html.len()), gap: Gap::None, quotes };
    while reader.at < html.len() {
        let rest = &html[reader.at..];
        let end = memchr::memchr2(b'<', b'&', rest.as_bytes()).unwrap_or(rest.len());
        text.push(&rest[..end]);
        reader.at += end;
        match rest.as_bytes().get(end) {
            Some(b'&') => reader.reference(&mut text),
            Some(_) => reader.markup(&mut text),
            None => {}
        }
    }
    text.out
}

/// The separator due before the next character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Blank,
    Line,
}

/// Text whose white space is collapsed.
struct Text {
    out: String,
    gap: Gap,
    /// How many quotes are open, where quotes are left out.
    quotes: Option<usize>,
}

impl Text {
    fn push(&mut self, text: &str) {
        if self.quotes.is_some_and(|open| open != 0) {
            return;
        }
        for c in text.chars() {
            if c.is_whitespace() {
                self.leave(Gap::Blank);
            } else if !is_invisible(c) {
                match std::mem::replace(&mut self.gap, Gap::None) {
                    Gap::Blank if !self.out.is_empty() => self.out.push(' '),
                    Gap::Line if !self.out.is_empty() => self.out.push('\n'),
                    Gap::None | Gap::Blank | Gap::Line => {}
                }
                self.out.push(c);
            }
        }
    }

    fn leave(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Begins or ends a quote.
    fn quote(&mut self, is_end: bool) {
        self.quotes = self.quotes.map(|open| if is_end { open.saturating_sub(1) } else { open + 1 });
    }
}

/// Whether a character is invisible on the page: soft hyphens, joiners, marks of direction, variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\0' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// A position in a document.
struct Reader<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.html.as_bytes()[self.at..]
    }

    /// Reads on while `belongs` holds; returns the text that was read.
    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        let passed = self.rest().iter().take_while(|byte| belongs(**byte)).count();
        self.at += passed;
        // ASCII ends every run, so both ends are character boundaries.
        self.html.get(start..self.at).unwrap_or_default()
    }

    /// Moves past the next `byte`, or to the end.
    fn skip_past(&mut self, byte: u8) {
        let found = memchr::memchr(byte, self.rest());
        self.at = found.map_or(self.html.len(), |found| self.at + found + 1);
    }

    /// Reads markup from its `<` on.
    fn markup(&mut self, text: &mut Text) {
        match self.rest() {
            [b'<', b'!', b'-', b'-', ..] => self.comment(),
            [b'<', b'/', system_mail, ..] if system_mail.is_ascii_alphabetic() => {
                self.at += 2;
                self.tag(text, true);
            }
            [b'<', system_mail, ..] if system_mail.is_ascii_alphabetic() => {
                self.at += 1;
                self.tag(text, false);
            }
            [b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..] => self.skip_past(b'>'),
            _ => {
                self.at += 1;
                text.push("<");
            }
        }
    }

    /// Skips a comment. `<!-->` and `<!--->` are complete comments.
    fn comment(&mut self) {
        self.at += 2;
        let mut is_opening = true;
        loop {
            let Some(dashes) = memchr::memmem::find(self.rest(), b"--") else {
                self.at = self.html.len();
                return;
            };
            match &self.rest()[dashes + 2..] {
                [b'>', ..] => {
                    self.at += dashes + 3;
                    return;
                }
                [b'!', b'>', ..] if !is_opening => {
                    self.at += dashes + 4;
                    return;
                }
                // The next pair of dashes may share one with this pair.
                _ => self.at += dashes + 1,
            }
            is_opening = false;
        }
    }

    /// Reads a tag from its name on, with the content of a hidden element.
    fn tag(&mut self, text: &mut Text, is_end: bool) {
        let name = self.take_while(|byte| !matches!(byte, b'>' | b'/') && !byte.is_ascii_whitespace());
        let name = name.to_ascii_lowercase();
        self.attributes();
        let is_in = |names: &[&str]| names.binary_search(&name.as_str()).is_ok();
        if name == "blockquote" {
            text.quote(is_end);
        }
        if is_in(BLOCKS) {
            text.leave(Gap::Line);
        } else if is_in(CELLS) {
            text.leave(Gap::Blank);
        }
        if !is_end && is_in(HIDDEN) {
            self.hidden(&name);
        }
    }

    /// Skips the attributes of a tag, and the `>` at its end.
    fn attributes(&mut self) {
        let is_blank = |byte: u8| byte.is_ascii_whitespace();
        loop {
            self.take_while(|byte| is_blank(byte) || byte == b'/');
            // An equals sign in front is part of the name.
            if self.rest().first() == Some(&b'=') {
                self.at += 1;
            }
            self.take_while(|byte| !matches!(byte, b'>' | b'/' | b'=') && !is_blank(byte));
            self.take_while(is_blank);
            match self.rest() {
                [] => return,
                [b'>', ..] => {
                    self.at += 1;
                    return;
                }
                [b'=', ..] => {
                    self.at += 1;
                    self.take_while(is_blank);
                    match self.rest().first() {
                        Some(quote @ (b'"' | b'\'')) => {
                            let quote = *quote;
                            self.at += 1;
                            self.skip_past(quote);
                        }
                        _ => {
                            self.take_while(|byte| byte != b'>' && !is_blank(byte));
                        }
                    }
                }
                [..] => {}
            }
        }
    }

    /// Skips the content of an element, up to its end tag.
    fn hidden(&mut self, name: &str) {
        loop {
            let Some(found) = memchr::memmem::find(self.rest(), b"</") else {
                self.at = self.html.len();
                return;
            };
            let behind = &self.rest()[found + 2..];
            let is_name =
                behind.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
            let ends = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
            if is_name && behind.get(name.len()).is_none_or(ends) {
                self.at += found;
                return;
            }
            self.at += found + 2;
        }
    }

    /// Reads a character reference from its `&` on.
    fn reference(&mut self, text: &mut Text) {
        let resolved = self.resolve();
        text.push(&resolved);
    }

    /// Moves past the character reference that begins here; returns what it stands for.
    fn resolve(&mut self) -> String {
        let rest = &self.html[self.at + 1..];
        let digits = rest.strip_prefix('#').map(|number| match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        });
        if let Some((digits, radix, prefix)) = digits {
            let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
            if length != 0 {
                let number = u32::from_str_radix(&digits[..length], radix);
                self.at += prefix + length + usize::from(digits.as_bytes().get(length) == Some(&b';'));
                return character(number.unwrap_or(u32::MAX)).to_string();
            }
        }
        let length = rest.bytes().take(NAME_BYTES_MAX).take_while(u8::is_ascii_alphanumeric).count();
        let name = &rest[..length];
        if rest.as_bytes().get(length) == Some(&b';')
            && let Some(resolved) = named(name)
        {
            self.at += length + 2;
            return resolved;
        }
        let legacy = (2..=length.min(LEGACY_BYTES_MAX)).rev().map(|length| &name[..length]);
        let known = legacy
            .filter(|name| LEGACY.binary_search(name).is_ok())
            .find_map(|name| Some((name, named(name)?)));
        if let Some((name, resolved)) = known {
            self.at += 1 + name.len();
            resolved
        } else {
            self.at += 1;
            "&".to_owned()
        }
    }
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

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(visible_text(html), expected, "{html}");
    }

    #[test]
    fn markup_inside_a_word_does_not_split_it() {
        check("ca<b>si</b>no", "casino");
        check("ca<!-- x -->si<!-->n<!--->o", "casino");
        check("ca<!-- - -- --!>si<!-- > -->no", "casino");
        check(
            "<span title=\"a>b\">ca</span><span title='</span>'>si</span><i x=\"<\" y=a\"b>no</i>",
            "casino",
        );
        check("ca<img src=x alt='a'/>si<wbr>no<?php ?></>!", "casino!");
        check("ca&shy;si&#8203;n\u{feff}o", "casino");
    }

    #[test]
    fn character_references_are_resolved() {
        check("c&#97;s&#x69;n&#X6F; &#115pin", "casino spin");
        check("free&nbsp;money", "free money");
        check("free&nbspmoney &lt;b&gt; &ltb&amp;lt; &AMP&copy2026", "free money <b> <b&lt; &©2026");
        check("a & b &; &# &#x; &unknown; &notit; &#147;q&#x94;", "a & b &; &# &#x; &unknown; ¬it; “q”");
        check("&#0;&#xD800;&#99999999999;", "\u{fffd}\u{fffd}");
    }

    #[test]
    fn blocks_end_lines_and_cells_stand_apart() {
        check("<p>free</p><div>money</div>now<br>or\r\n never", "free\nmoney\nnow\nor never");
        check("<table><tr><td>free</td><td>money</td></tr><tr><th>x</table>", "free money\nx");
    }

    #[test]
    fn what_is_not_shown_is_gone() {
        check("<head><title>t <b>x</title><style>a{b:c}</style></head>hi", "hi");
        check("a<script>if (a < b) '</scripty>' </SCRIPT >b<style>never closed", "ab");
        check("<head>shown all the same", "shown all the same");
        check("a<template>x</template>b<!doctype html>c<textarea>d</textarea>", "abcd");
    }

    #[test]
    fn what_the_author_quotes_can_be_left_out() {
        let html =
            "a<blockquote>b<BLOCKQUOTE type=cite>c</blockquote>d</blockquote></blockquote>e<blockquote>f";
        assert_eq!(unquoted_text(html), "a\ne");
        check(html, "a\nb\nc\nd\ne\nf");
    }

    #[test]
    fn text_that_only_looks_like_markup_stays() {
        check("1 < 2 <3 a<", "1 < 2 <3 a<");
        check("a<b", "a");
        check("a<!-- never closed", "a");
        check("a</", "a</");
    }

    #[test]
    fn hostile_markup_is_read_in_one_walk() {
        // Walks that begin again at every piece would take minutes.
        for piece in [
            "<",
            "</",
            "<a ",
            "<a x='",
            "<!--",
            "<!-- -- ",
            "<!",
            "<?",
            "&",
            "&a",
            "&#",
            "&#9",
            "<script ",
            "</script",
            "<style></",
        ] {
            let html = piece.repeat(400_000 / piece.len());
            assert!(visible_text(&html).len() <= html.len(), "{piece}");
            assert!(visible_text(&format!("<script>{html}")).is_empty(), "{piece}");
        }
    }

    /// Pieces that documents are made of.
    fn document() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "<",
            ">",
            "/",
            "!",
            "--",
            "-",
            "=",
            "\"",
            "'",
            " ",
            "\n",
            "&",
            ";",
            "#",
            "x",
            "61",
            "amp",
            "nbsp",
            "nGt",
            "<p>",
            "<b a=",
            "</",
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "ü",
            "日",
            "\u{ad}",
            "\u{a0}",
            "a",
        ]);
        let pieces =
            prop::collection::vec(prop_oneof![4 => piece.prop_map(str::to_owned), 1 => "\\PC{0,3}"], 0..40);
        pieces.prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_document_has_a_text_that_is_no_longer(html in document()) {
            prop_assert!(visible_text(&html).len() <= html.len(), "{}", html);
        }

        #[test]
        fn text_that_is_escaped_is_read_as_it_was(text in "[a-z<>&;\"'#ü日]{0,20}") {
            prop_assert_eq!(visible_text(&crate::mail::text::escape_html(&text)), text);
        }
    }
}
