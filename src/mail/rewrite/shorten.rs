//! `truncate`: text cut to a number of bytes, at a character, with a note behind it.

use crate::locale::text;
use crate::model::Language;

use crate::mail::html::{Tag, Token, Tokens, raw, tokens};

/// Elements that have no end.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
/// Elements that the next of their kind ends.
const ENDED_BY_NEXT: [&str; 8] = ["p", "li", "option", "tr", "td", "th", "dt", "dd"];
/// Elements inside elements that are closed; browsers go no deeper either.
const OPEN_MAX: usize = 500;
/// Bytes of the longest reference like `&CounterClockwiseContourIntegral;`.
const REFERENCE_BYTES_MAX: usize = 34;

/// Plain text of at most `limit` bytes, blanks at its end not counted; none where it is short enough.
pub(super) fn shortened_text(text: &str, limit: usize, language: Language) -> Option<String> {
    let (text, note) = (text.trim_end(), note(language));
    let own = text.strip_suffix(&note).unwrap_or(text).trim_end();
    if own.len() <= limit {
        return None;
    }
    let mut short = own[..own.floor_char_boundary(limit)].trim_end().to_owned();
    short.push_str("\r\n\r\n");
    short.push_str(&note);
    short.push_str("\r\n");
    Some(short)
}

/// HTML of at most `limit` bytes with every element closed; none where it is short enough.
pub(super) fn shortened_html(html: &str, limit: usize, language: Language) -> Option<String> {
    let (html, note) = (html.trim_end(), note_in_html(language));
    let own = html.strip_suffix(&note).unwrap_or(html).trim_end();
    if own.len() <= limit {
        return None;
    }
    let mut cut = Cut { html: own, limit, position: 0, open: Vec::new(), closing_bytes: 0 };
    cut.walk();
    let mut short = own[..cut.position].to_owned();
    for name in cut.open.iter().rev() {
        short.push_str("</");
        short.push_str(name);
        short.push('>');
    }
    short.push_str("\r\n");
    short.push_str(&note);
    short.push_str("\r\n");
    Some(short)
}

/// Stands under a text that was cut; it is not counted.
fn note(language: Language) -> String {
    text!(language, "copy-cut-off")
}

fn note_in_html(language: Language) -> String {
    format!("<p>{}</p>", note(language))
}

/// Where HTML is cut, and what is open there.
struct Cut<'a> {
    html: &'a str,
    limit: usize,
    position: usize,
    open: Vec<&'a str>,
    /// Bytes of the tags that close what is open.
    closing_bytes: usize,
}

impl<'a> Cut<'a> {
    /// Goes as far as what was passed and what closes it stay within the limit.
    fn walk(&mut self) {
        let mut tokens = tokens(self.html);
        while let Some((range, token)) = tokens.next_placed() {
            let moved = match token {
                Token::Text(text) => self.pass_text(text),
                Token::Open(tag) if raw(&tag.name).is_some() => self.pass(raw_end(&mut tokens, range.end)),
                Token::Open(tag) => self.pass_open(&tag, range.end),
                Token::Close(name) => self.pass_close(&name, range.end),
                Token::Raw(_) | Token::Unseen { .. } => self.pass(range.end),
            };
            if !moved {
                return;
            }
        }
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.position + self.closing_bytes)
    }

    /// Passes a text, or as much of it as there is room for.
    fn pass_text(&mut self, text: &str) -> bool {
        if text.len() <= self.room() {
            self.position += text.len();
            return true;
        }
        let mut end = text.floor_char_boundary(self.room());
        // Not in the middle of a reference.
        let window = text.floor_char_boundary(end.saturating_sub(REFERENCE_BYTES_MAX));
        if let Some(start) = text[window..end].rfind('&')
            && !text[window + start..end].contains([';', ' '])
        {
            end = window + start;
        }
        self.position += end;
        false
    }

    /// Passes everything up to `end`, if there is room for it.
    fn pass(&mut self, end: usize) -> bool {
        let has_room = end + self.closing_bytes <= self.limit;
        if has_room {
            self.position = end;
        }
        has_room
    }

    /// Passes the beginning of an element, up to `end`, if there is room for it and for its end.
    fn pass_open(&mut self, tag: &Tag<'a>, end: usize) -> bool {
        let (open, closing_bytes) = (self.open.len(), self.closing_bytes);
        let ended = self
            .open
            .last()
            .filter(|last| ENDED_BY_NEXT.contains(&&*tag.name) && last.eq_ignore_ascii_case(&tag.name));
        let ended = ended.map(|name| name.len() + 3);
        self.closing_bytes -= ended.unwrap_or(0);
        let depth = open - usize::from(ended.is_some());
        let is_open = !VOID.contains(&&*tag.name) && !self.html[..end].ends_with("/>") && depth < OPEN_MAX;
        if is_open {
            self.closing_bytes += tag.written.len() + 3;
        }
        if !self.pass(end) {
            self.closing_bytes = closing_bytes;
            return false;
        }
        self.open.truncate(depth);
        if is_open {
            self.open.push(tag.written);
        }
        true
    }

    /// Passes the end of an element, up to `end`, if there is room for it.
    fn pass_close(&mut self, name: &str, end: usize) -> bool {
        let closing_bytes = self.closing_bytes;
        let at = self.open.iter().rposition(|known| known.eq_ignore_ascii_case(name));
        let open = at.unwrap_or(self.open.len());
        self.closing_bytes -= self.open[open..].iter().map(|name| name.len() + 3).sum::<usize>();
        if !self.pass(end) {
            self.closing_bytes = closing_bytes;
            return false;
        }
        self.open.truncate(open);
        true
    }
}

/// Where a raw element ends whose tag ends at `start`: behind its end tag, or at the end of the document.
fn raw_end(tokens: &mut Tokens<'_>, start: usize) -> usize {
    let mut end = start;
    if let Some((range, Token::Raw(raw))) = tokens.next_placed() {
        end = range.end;
        if raw.is_closed
            && let Some((range, _)) = tokens.next_placed()
        {
            end = range.end;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    const EN: Language = Language::English;

    #[test]
    fn text_is_cut_at_a_character_and_says_so() {
        assert_eq!(shortened_text("hello \r\n", 5, EN), None);
        assert_eq!(shortened_text("hello", 4, EN), Some(format!("hell\r\n\r\n{}\r\n", note(EN))));
        assert_eq!(
            shortened_text("\u{fc}\u{fc}\u{fc}", 3, Language::French),
            Some(format!("\u{fc}\r\n\r\n{}\r\n", note(Language::French)))
        );
        let once = shortened_text("one two three", 7, EN).unwrap();
        assert_eq!(shortened_text(&once, 7, EN), None, "what was cut is not cut again");
    }

    #[track_caller]
    fn check_html(html: &str, limit: usize, expected: &str) {
        let short = shortened_html(html, limit, EN);
        let own = short
            .as_deref()
            .map(|short| short.trim_end().strip_suffix(&note_in_html(EN)).unwrap().trim_end());
        assert_eq!(own, Some(expected));
        assert!(expected.len() <= limit);
        assert_eq!(shortened_html(&short.unwrap(), limit, EN), None, "what was cut is not cut again");
    }

    #[test]
    fn html_is_cut_in_its_text_and_closed() {
        assert_eq!(shortened_html("<p>hello</p>", 12, EN), None);
        check_html("<p>hello <b>big</b> world</p>", 16, "<p>hello </p>");
        check_html("<p>hello <b>big</b> world</p>", 22, "<p>hello <b>bi</b></p>");
        check_html("<p>one<p>two<br>three", 20, "<p>one<p>two<br></p>");
        check_html("<ul><li>a<li>b<li>ccccc</ul>", 25, "<ul><li>a<li>b</li></ul>");
    }

    #[test]
    fn html_is_not_cut_inside_a_tag_a_reference_or_a_script() {
        check_html("ab<img alt=\"x > y\" src=z>cd", 20, "ab");
        check_html("Gr&uuml;&szlig;e", 11, "Gr&uuml;");
        check_html("a < b & c < d and so on", 9, "a < b & c");
        check_html("a<style>p { x: y }</style>bc", 20, "a");
        check_html("a<!-- comment --><b>c</b>", 10, "a");
    }
}
