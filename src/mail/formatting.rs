//! Makes HTML of text with simple formatting: what people type who know a little Markdown.
//!
//! Paragraphs, headings, lists, quotes, code, emphasis, links and lines are taken. HTML in the text is shown as it was
//! typed, images are their descriptions, and a link leads to the web or to an address of mail or is no link. So the
//! result is safe in a mail whatever the text is.

use std::fmt::Write as _;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

/// The HTML of a text with simple formatting.
#[must_use]
pub fn html_of_formatted(text: &str) -> String {
    let mut writer = Writer { html: String::with_capacity(text.len() * 2), links: Vec::new() };
    for event in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH) {
        writer.event(event);
    }
    writer.html
}

struct Writer {
    html: String,
    /// Whether each link that is open stands in the HTML.
    links: Vec<bool>,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) => {
                self.html.push_str("<code>");
                self.text(&text);
                self.html.push_str("</code>");
            }
            // A line of the text stays one: people who write letters mean it.
            Event::SoftBreak | Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            // Not asked for by the options.
            Event::FootnoteReference(_)
            | Event::TaskListMarker(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { link_type, dest_url, .. } => {
                // An address in angle brackets comes without its scheme.
                let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
                let dest_url = format!("{scheme}{dest_url}");
                let leads = leads_outside(&dest_url);
                self.links.push(leads);
                if leads {
                    self.html.push_str("<a href=\"");
                    self.text(&dest_url);
                    self.html.push_str("\">");
                }
            }
            Tag::List(Some(first)) if first != 1 => {
                // Writing to a `String` cannot fail.
                let _ = writeln!(self.html, "<ol start=\"{first}\">");
            }
            Tag::List(Some(_)) => self.html.push_str("<ol>\n"),
            Tag::List(None) => self.html.push_str("<ul>\n"),
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.html.push_str("<pre><code>");
            }
            Tag::Paragraph | Tag::HtmlBlock => self.html.push_str("<p>"),
            Tag::Heading { level, .. } => {
                self.html.push('<');
                self.html.push_str(heading(level));
                self.html.push('>');
            }
            Tag::BlockQuote(_) => self.html.push_str("<blockquote>\n"),
            Tag::Item => self.html.push_str("<li>"),
            Tag::Emphasis => self.html.push_str("<em>"),
            Tag::Strong => self.html.push_str("<strong>"),
            Tag::Strikethrough => self.html.push_str("<s>"),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link if self.links.pop() == Some(true) => self.html.push_str("</a>"),
            TagEnd::List(true) => self.html.push_str("</ol>\n"),
            TagEnd::List(false) => self.html.push_str("</ul>\n"),
            TagEnd::CodeBlock => self.html.push_str("</code></pre>\n"),
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.html.push_str("</p>\n"),
            TagEnd::Heading(level) => {
                self.html.push_str("</");
                self.html.push_str(heading(level));
                self.html.push_str(">\n");
            }
            TagEnd::BlockQuote(_) => self.html.push_str("</blockquote>\n"),
            TagEnd::Item => self.html.push_str("</li>\n"),
            TagEnd::Emphasis => self.html.push_str("</em>"),
            TagEnd::Strong => self.html.push_str("</strong>"),
            TagEnd::Strikethrough => self.html.push_str("</s>"),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                '>' => self.html.push_str("&gt;"),
                '"' => self.html.push_str("&quot;"),
                c => self.html.push(c),
            }
        }
    }
}

/// The element of a heading. The subject is the first, so those of the text begin below it.
fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h2",
        HeadingLevel::H2 => "h3",
        _ => "h4",
    }
}

/// Whether a link leads to the web or to an address of mail. A merge tag that begins a link is filled in later.
fn leads_outside(href: &str) -> bool {
    let href = href.trim().to_ascii_lowercase();
    ["https://", "http://", "mailto:"].iter().any(|scheme| href.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(html_of_formatted(text), expected);
    }

    #[test]
    fn simple_formatting_becomes_html() {
        check("Dear *all*,\nsee **you**.", "<p>Dear <em>all</em>,<br>\nsee <strong>you</strong>.</p>\n");
        check("# Plan\n\n- one\n- two", "<h2>Plan</h2>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n");
        check("3. c\n4. d", "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>\n");
        check("> said\n\n`x<y`", "<blockquote>\n<p>said</p>\n</blockquote>\n<p><code>x&lt;y</code></p>\n");
        check(
            "[us](https://x.org/?a=1&b=2) <a@x.org>",
            "<p><a href=\"https://x.org/?a=1&amp;b=2\">us</a> <a href=\"mailto:a@x.org\">a@x.org</a></p>\n",
        );
        check("$FNAME, hello", "<p>$FNAME, hello</p>\n");
    }

    #[test]
    fn nothing_that_was_typed_is_html_and_no_link_runs_anything() {
        check("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n");
        check("<script>\nalert(1)\n</script>", "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>\n");
        check("[x](javascript:alert(1)) [y](data:text/html,x)", "<p>x y</p>\n");
        check("![a \"cat\"](https://x.org/c.png)", "<p>a &quot;cat&quot;</p>\n");
        check("[x](https://x.org/\"onload=y)", "<p><a href=\"https://x.org/&quot;onload=y\">x</a></p>\n");
    }
}
