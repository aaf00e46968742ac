//! Extracts the text of an HTML document as a reader sees it, for pattern matching.
//!
//! Tags, comments, scripts and styles are removed, character references are resolved, and text of inline elements is
//! joined, so that no markup inside a word hides it. Blocks and line breaks end a line, other white space is one blank.
//! [`html`](super::html) reads the document, as for pages. Styles are not computed: text that a style hides is text.

use super::html::{Token, resolved, tokens};

/// Elements before and after which a line ends, sorted.
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
    "textarea",
    "tfoot",
    "thead",
    "tr",
    "ul",
    "xmp",
];
/// Elements that are separated by a blank.
const CELLS: &[&str] = &["td", "th"];
/// The text that a reader of `html` sees, with `\n` line ends.
pub(super) fn visible_text(html: &str) -> String {
    read(html, None)
}

/// The same without what stands in `blockquote`: mail programs put there what the author answers.
pub(super) fn unquoted_text(html: &str) -> String {
    read(html, Some(0))
}

fn read(html: &str, quotes: Option<usize>) -> String {
    let mut text = Text { out: String::with_capacity(html.len()), gap: Gap::None, quotes, templates: 0 };
    for token in tokens(html) {
        match token {
            Token::Text(raw) => text.push(&resolved(raw)),
            Token::Raw(raw) => text.push(&raw.text()),
            Token::Open(tag) => text.tag(&tag.name, false),
            Token::Close(name) => text.tag(&name, true),
            Token::Unseen { .. } => {}
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
    /// How many templates are open: their content is not shown.
    templates: usize,
}

impl Text {
    fn push(&mut self, text: &str) {
        if self.templates != 0 || self.quotes.is_some_and(|open| open != 0) {
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

    /// Passes the beginning or the end of an element.
    fn tag(&mut self, name: &str, is_end: bool) {
        let open = |open: usize| if is_end { open.saturating_sub(1) } else { open + 1 };
        match name {
            "blockquote" => self.quotes = self.quotes.map(open),
            "template" => self.templates = open(self.templates),
            _ => {}
        }
        if BLOCKS.binary_search(&name).is_ok() {
            self.leave(Gap::Line);
        } else if CELLS.contains(&name) {
            self.leave(Gap::Blank);
        }
    }
}

/// Whether a character is invisible on the page: soft hyphens, joiners, marks of direction, variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\0' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
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
        check("a<template>x<template>y</template>z</template>b<!doctype html>c", "abc");
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
