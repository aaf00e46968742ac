//! Splits HTML of others into tags and text, as browsers read it (HTML Living Standard, 13.2.5).
//!
//! Comments, declarations, and the content of scripts, styles and the like are skipped. The document is read once from
//! front to back; nothing here decides what is safe.

/// Attributes of one tag that are read.
const ATTRIBUTES_MAX: usize = 40;
/// Bytes of an attribute's value; a longer one is left out.
const VALUE_BYTES_MAX: usize = 8 * 1024;
/// Bytes of a tag's name.
const NAME_BYTES_MAX: usize = 24;
/// Elements whose content is no markup: it ends at their end tag alone.
const RAW: [&str; 9] =
    ["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"];

/// A tag with its attributes, their names in lower case and their values undecoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// The name in lower case.
    pub(super) name: String,
    attributes: Vec<(String, &'a str)>,
}

impl Tag<'_> {
    /// The value of an attribute with its character references resolved; the first one of a name counts.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| crate::mail::reading::resolved(value))
    }

    /// The attributes with their undecoded values; of two with one name, the first counts.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// Whether it has an attribute.
    pub(super) fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|(known, _)| known == name)
    }
}

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text, its character references unresolved.
    Text(&'a str),
    /// The beginning of an element.
    Open(Tag<'a>),
    /// The end of an element of this name.
    Close(String),
}

/// The tokens of a document.
pub(super) fn tokens(html: &str) -> Tokens<'_> {
    Tokens { html, at: 0 }
}

/// The iterator of [`tokens`].
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        while self.at < self.html.len() {
            let rest = self.rest();
            match rest {
                [b'<', b'!', b'-', b'-', ..] => self.comment(),
                [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                    self.at += 2;
                    return Some(Token::Close(self.tag().name));
                }
                [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    let tag = self.tag();
                    if RAW.contains(&tag.name.as_str()) {
                        self.skip_raw(&tag.name);
                        continue;
                    }
                    return Some(Token::Open(tag));
                }
                [b'<', b'!' | b'?', ..] | [b'<', b'/', _, ..] => self.skip_past(b'>'),
                _ => {
                    // A lone angle bracket is text.
                    let length = memchr::memchr(b'<', &rest[1..]).map_or(rest.len(), |next| next + 1);
                    let start = self.at;
                    self.at += length;
                    return Some(Token::Text(&self.html[start..self.at]));
                }
            }
        }
        None
    }
}

impl<'a> Tokens<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.html.as_bytes()[self.at..]
    }

    /// Reads on while `belongs` holds; returns the text that was read. Every run is ended by ASCII or the end, so both
    /// ends are character boundaries.
    fn take_while(&mut self, belongs: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        self.at += self.rest().iter().take_while(|byte| belongs(**byte)).count();
        self.html.get(start..self.at).unwrap_or_default()
    }

    fn skip_past(&mut self, byte: u8) {
        let found = memchr::memchr(byte, self.rest());
        self.at = found.map_or(self.html.len(), |found| self.at + found + 1);
    }

    /// Skips a comment. `<!-->` and `<!--->` are complete comments.
    fn comment(&mut self) {
        self.at += 4;
        match self.rest() {
            [b'>', ..] => self.at += 1,
            [b'-', b'>', ..] => self.at += 2,
            _ => self.skip_comment(),
        }
    }

    /// Skips to the end of a comment: `-->`, or `--!>`, so that what a browser shows behind it is not lost.
    fn skip_comment(&mut self) {
        while let Some(dashes) = memchr::memmem::find(self.rest(), b"--") {
            match &self.rest()[dashes + 2..] {
                [b'>', ..] => return self.at += dashes + 3,
                [b'!', b'>', ..] => return self.at += dashes + 4,
                // The next pair of dashes may share one with this pair.
                _ => self.at += dashes + 1,
            }
        }
        self.at = self.html.len();
    }

    /// Reads a tag from its name on, past its `>`.
    fn tag(&mut self) -> Tag<'a> {
        let is_blank = |byte: u8| byte.is_ascii_whitespace();
        let name = self.take_while(|byte| !matches!(byte, b'>' | b'/') && !is_blank(byte));
        let name = name[..name.floor_char_boundary(NAME_BYTES_MAX)].to_ascii_lowercase();
        let mut attributes: Vec<(String, &'a str)> = Vec::new();
        loop {
            self.take_while(|byte| is_blank(byte) || byte == b'/');
            let start = self.at;
            // An equals sign in front is part of the name.
            if self.rest().first() == Some(&b'=') {
                self.at += 1;
            }
            self.take_while(|byte| !matches!(byte, b'>' | b'/' | b'=') && !is_blank(byte));
            let attribute = &self.html[start..self.at];
            self.take_while(is_blank);
            let value = match self.rest() {
                [] => break,
                [b'>', ..] => {
                    self.at += 1;
                    push(&mut attributes, attribute, "");
                    break;
                }
                [b'=', ..] => {
                    self.at += 1;
                    self.value()
                }
                [..] => "",
            };
            push(&mut attributes, attribute, value);
        }
        Tag { name, attributes }
    }

    /// Reads the value of an attribute.
    fn value(&mut self) -> &'a str {
        self.take_while(|byte| byte.is_ascii_whitespace());
        match self.rest().first() {
            Some(quote @ (b'"' | b'\'')) => {
                let quote = *quote;
                self.at += 1;
                let value = self.take_while(|byte| byte != quote);
                self.at += usize::from(self.at < self.html.len());
                value
            }
            _ => self.take_while(|byte| byte != b'>' && !byte.is_ascii_whitespace()),
        }
    }

    /// Skips the content of an element that has no markup in it, with its end tag.
    fn skip_raw(&mut self, name: &str) {
        loop {
            let Some(found) = memchr::memmem::find(self.rest(), b"</") else {
                self.at = self.html.len();
                return;
            };
            let behind = &self.rest()[found + 2..];
            let is_name =
                behind.get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()));
            let ends = |byte: &u8| matches!(byte, b'>' | b'/') || byte.is_ascii_whitespace();
            self.at += found + 2;
            if is_name && behind.get(name.len()).is_none_or(ends) {
                self.skip_past(b'>');
                return;
            }
        }
    }
}

fn push<'a>(attributes: &mut Vec<(String, &'a str)>, name: &str, value: &'a str) {
    let fits = name.len() <= NAME_BYTES_MAX && value.len() <= VALUE_BYTES_MAX;
    if !name.is_empty() && fits && attributes.len() < ATTRIBUTES_MAX {
        attributes.push((name.to_ascii_lowercase(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let found: Vec<String> = tokens(html)
            .map(|token| match token {
                Token::Text(text) => text.to_owned(),
                Token::Close(name) => format!("[/{name}]"),
                Token::Open(tag) => {
                    let attributes = tag.attributes.iter().map(|(name, value)| format!(" {name}={value}"));
                    format!("[{}{}]", tag.name, attributes.collect::<String>())
                }
            })
            .collect();
        assert_eq!(found.concat(), expected, "{html}");
    }

    #[test]
    fn tags_are_read_as_browsers_read_them() {
        check("<P Align=\"a>b\" x='y' z=1/>t</p >", "[p align=a>b x=y z=1/]t[/p]");
        check("<a/href=x//b>", "[a href=x//b]");
        check("1 < 2 <3 </ a> <", "1 < 2 <3  <");
        check("a<!-- x --!>b<!-->c<!--->d<!-- -->e<!x>f<?y>g", "abcdefg");
        check("<b", "[b]");
        check("<img src=\"x", "[img src=x]");
        check("<a =x y>", "[a =x= y=]");
    }

    #[test]
    fn what_is_no_text_is_skipped() {
        check("a<script>x</scrip><b></SCRIPT x>b<style>c</style>d<title>", "abd");
        check("a<!--[if mso]><b>x<![endif]-->b<![if !mso]>c<![endif]>", "abc");
    }
}
