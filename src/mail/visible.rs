//! Extracts the text of an HTML document as a reader sees it, for pattern matching.
//!
//! Tags, comments, scripts and styles are removed, character references are resolved, and text of inline elements is
//! joined, so that no markup inside a word hides it. Blocks and line breaks end a line, other white space is one blank.
//! [`html`](super::html) reads the document, as for pages. Styles are not computed: text that a style hides is text.

use super::html::{Token, Tokens, resolved, tokens, tokens_without_raw};

/// Elements before and after which a line ends, sorted.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
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
    "header",
    "hgroup",
    "hr",
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
    "textarea",
    "tfoot",
    "thead",
    "tr",
    "ul",
    "xmp",
];
/// Elements that are separated by a blank.
const CELLS: &[&str] = &["td", "th"];

/// The text that a reader of `html` sees, with `\n` line ends; and, if it has elements `svg`, `math` or `select`, the text
/// that is seen where no element is raw: browsers read it so within these. What some programs alone show stands at the
/// end of the first: what stands in a `template`, and the words for images.
pub(crate) fn visible_texts(html: &str) -> (String, Option<String>) {
    let text = read(tokens(html), None);
    let without_raw = text.has_foreign.then(|| read(tokens_without_raw(html), None).out);
    (text.whole(), without_raw)
}

/// The text that a reader sees without what stands in `blockquote`: mail programs put there what the author answers.
pub(super) fn unquoted_text(html: &str) -> String {
    read(tokens(html), Some(0)).out
}

fn read(tokens: Tokens<'_>, quotes: Option<usize>) -> Text {
    let mut text = Text { quotes, open: vec![0; BLOCKS.len() + CELLS.len()], ..Text::default() };
    for token in tokens {
        match token {
            Token::Text(raw) => text.push(&resolved(raw)),
            Token::Raw(raw) => text.push(&raw.text()),
            Token::Open(tag) => {
                text.begin(&tag.name);
                text.has_foreign |= matches!(&*tag.name, "svg" | "math" | "select");
                if matches!(&*tag.name, "img" | "image")
                    && let Some(words) = tag.get("alt")
                {
                    text.push_optional(&words);
                    text.optional.push('\n');
                }
            }
            Token::Close(name) => text.end(&name),
            Token::Unseen { .. } => {}
        }
    }
    text
}

/// The separator due before the next character.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Blank,
    Line,
}

/// Text whose white space is collapsed.
#[derive(Default)]
struct Text {
    out: String,
    gap: Gap,
    /// Text that some programs alone show.
    optional: String,
    /// Whether an element was begun within which browsers know no raw elements.
    has_foreign: bool,
    /// How many quotes are open, where quotes are left out.
    quotes: Option<usize>,
    /// How many templates are open.
    templates: usize,
    /// How many blocks and cells are open, by their places in the tables.
    open: Vec<usize>,
}

impl Text {
    /// All of it, with what some programs alone show at its end.
    fn whole(self) -> String {
        let Text { mut out, optional, .. } = self;
        if !out.is_empty() && !optional.is_empty() {
            out.push('\n');
        }
        out.push_str(optional.trim_end());
        out
    }

    fn push(&mut self, text: &str) {
        if self.quotes.is_some_and(|open| open != 0) {
            return;
        }
        if self.templates != 0 {
            return self.push_optional(text);
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

    fn push_optional(&mut self, text: &str) {
        self.optional.extend(text.chars().filter(|c| c.is_whitespace() || !is_invisible(*c)));
    }

    /// Passes the beginning of an element.
    fn begin(&mut self, name: &str) {
        match name {
            "blockquote" => self.quotes = self.quotes.map(|open| open + 1),
            "template" => self.templates += 1,
            _ => {}
        }
        if let Some((place, gap)) = gap_of(name) {
            self.open[place] += 1;
            self.leave(gap);
        }
    }

    /// Passes the end of an element. One that is not open has none: readers see nothing there.
    fn end(&mut self, name: &str) {
        match name {
            "blockquote" => self.quotes = self.quotes.map(|open| open.saturating_sub(1)),
            "template" => self.templates = self.templates.saturating_sub(1),
            _ => {}
        }
        if let Some((place, gap)) = gap_of(name)
            && let Some(left) = self.open[place].checked_sub(1)
        {
            self.open[place] = left;
            self.leave(gap);
        }
    }
}

/// What separates an element of this name from what stands around it, and its place among those that something does.
fn gap_of(name: &str) -> Option<(usize, Gap)> {
    if let Ok(place) = BLOCKS.binary_search(&name) {
        return Some((place, Gap::Line));
    }
    let place = CELLS.iter().position(|cell| *cell == name)?;
    Some((BLOCKS.len() + place, Gap::Blank))
}

/// Whether a character is invisible on the page: control characters, soft hyphens, joiners, marks of direction, variation
/// selectors.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(visible_texts(html).0, expected, "{html}");
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
        check("ca<img src=x/>si<wbr>no<?php ?></>!", "casino!");
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
        check("a<template>x<template>y</template>z</template>b<!doctype html>c", "abc\nxyz");
        assert_eq!(unquoted_text("a<template>x</template>b"), "ab");
    }

    #[test]
    fn text_of_elements_without_tags_in_them_is_seen() {
        check("a<textarea>b <i>c</i> &amp; d</textarea>e", "a\nb <i>c</i> & d\ne");
        check(
            "a<xmp>b &amp;</i></xmp>c<plaintext>d<!-- e </plaintext>",
            "a\nb &amp;</i>\nc\nd<!-- e </plaintext>",
        );
    }

    #[test]
    fn what_readers_see_nothing_of_does_not_split_a_word() {
        for between in ["</div>", "</h1>", "</td>", "<head>", "<html>", "</body>", "&#1;", "<title>x</title>"]
        {
            check(&format!("ca{between}sino"), "casino");
        }
        check("<div>ca</div>sino", "ca\nsino");
    }

    #[test]
    fn what_some_programs_alone_show_is_judged_as_well() {
        check("ca<img src=x alt='sp&#105;n'>sino", "casino\nspin");
        check("<svg><template></svg>casino", "casino");
        assert_eq!(visible_texts("<svg><xmp></svg>ca<b></b>sino").1.as_deref(), Some("casino"));
        assert_eq!(visible_texts("<select><style></select>casino").1.as_deref(), Some("casino"));
        assert_eq!(visible_texts("<style>casino</style>").1, None);
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
            assert!(visible_texts(&html).0.len() <= html.len(), "{piece}");
            assert!(visible_texts(&format!("<script>{html}")).0.is_empty(), "{piece}");
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
            prop_assert!(visible_texts(&html).0.len() <= html.len(), "{}", html);
        }

        #[test]
        fn text_that_is_escaped_is_read_as_it_was(text in "[a-z<>&;\"'#ü日]{0,20}") {
            prop_assert_eq!(visible_texts(&crate::mail::text::escape_html(&text)).0, text);
        }
    }
}
