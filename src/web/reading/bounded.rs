//! Cleans HTML that somebody writes on a page, as part of a mail: only bounded HTML reaches the parser.
//!
//! The document is read once and written anew: known elements alone, each ended where it has to be, not too many and not
//! too deep. So the parser behind it ([`ammonia`]) finds nothing to repair, which is what makes it slow. Pages that show
//! mail of others use [`markup`](super::markup), which also brings it into the page's own form.

use crate::mail::html::{Tag, Token, tokens};

/// Elements inside one another.
const DEPTH_MAX: usize = 100;
/// Elements of one document.
const ELEMENTS_MAX: usize = 20_000;
/// Inline elements inside one another; those further in are left out. A parser opens each anew in every block.
const INLINE_MAX: usize = 16;

/// Signs of character references; one that is none takes the parser a hundred times as long as a letter.
const REFERENCES_MAX: usize = 50_000;

/// The part that an element plays in the structure of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Inline,
    Block,
    Paragraph,
    Item,
    Term,
    List,
    Table,
    Rows,
    Row,
    Cell,
    Void,
}

/// The safe HTML of a text that its author wrote as HTML; `None` if it has too many elements, or too many inside one
/// another.
#[must_use]
pub(in crate::web) fn clean_own(html: &str) -> Option<String> {
    bounded(html).map(|html| ammonia::clean(&html))
}

/// The document with well-nested, known elements.
fn bounded(html: &str) -> Option<String> {
    let mut writer =
        Writer { out: String::with_capacity(html.len()), stack: Vec::new(), elements: 0, references: 0 };
    for token in tokens(html) {
        match token {
            Token::Text(text) => writer.text(text),
            Token::Open(tag) => writer.open(&tag),
            Token::Close(name) => writer.close(&name),
            // A mail has no elements of these kinds.
            Token::Raw(_) | Token::Unseen { .. } => {}
        }
        if ELEMENTS_MAX < writer.elements
            || DEPTH_MAX < writer.stack.len()
            || REFERENCES_MAX < writer.references
        {
            return None;
        }
    }
    writer.pop_to(0);
    Some(writer.out)
}

struct Writer {
    out: String,
    /// The open elements, the outermost first.
    stack: Vec<(&'static str, Part)>,
    elements: usize,
    references: usize,
}

impl Writer {
    fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.make_cell();
        }
        self.references += text.matches('&').count();
        // A lone angle bracket is text.
        self.out.push_str(&text.replace('<', "&lt;"));
    }

    fn open(&mut self, tag: &Tag<'_>) {
        let Some((name, part)) = element(&tag.name) else { return };
        match part {
            Part::Inline => {
                let open = self.stack.iter().filter(|(_, part)| *part == Part::Inline).count();
                if INLINE_MAX <= open {
                    return;
                }
                if name == "a" {
                    self.end_within(&|(known, _)| known == "a", &[Part::Cell]);
                }
                self.make_cell();
            }
            Part::Rows | Part::Row | Part::Cell => {
                let outer = match part {
                    Part::Cell => &[Part::Row, Part::Rows, Part::Table][..],
                    Part::Row => &[Part::Rows, Part::Table],
                    _ => &[Part::Table],
                };
                let Some(at) = self.stack.iter().rposition(|(_, part)| outer.contains(part)) else { return };
                self.pop_to(at + 1);
                if part == Part::Cell && self.stack[at].1 != Part::Row {
                    self.push("tr", Part::Row, None);
                }
            }
            Part::Item => self.end_within(&|(_, part)| part == Part::Item, &[Part::List, Part::Cell]),
            Part::Term => self.end_within(&|(_, part)| part == Part::Term, &[Part::List, Part::Cell]),
            Part::Void if name != "hr" => self.make_cell(),
            Part::Void | Part::Block | Part::Paragraph | Part::List | Part::Table => {}
        }
        let is_block = !matches!(part, Part::Inline | Part::Rows | Part::Row | Part::Cell);
        if is_block && (part != Part::Void || name == "hr") {
            self.end_within(&|(_, part)| part == Part::Paragraph, &[Part::Cell]);
            self.make_cell();
        }
        self.push(name, part, Some(tag));
    }

    /// Opens the cell that text directly in a table or a row needs.
    fn make_cell(&mut self) {
        let top = self.stack.last().map(|(_, part)| *part);
        if matches!(top, Some(Part::Table | Part::Rows)) {
            self.push("tr", Part::Row, None);
        }
        if matches!(top, Some(Part::Table | Part::Rows | Part::Row)) {
            self.push("td", Part::Cell, None);
        }
    }

    fn push(&mut self, name: &'static str, part: Part, tag: Option<&Tag<'_>>) {
        self.elements += 1;
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in tag.into_iter().flat_map(Tag::attributes) {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
            if attribute.bytes().all(is_name) {
                self.references += value.matches('&').count();
                let value = value.replace('"', "&quot;");
                self.out.extend([" ", &attribute, "=\"", &value, "\""]);
            }
        }
        self.out.push('>');
        if part != Part::Void {
            self.stack.push((name, part));
        }
    }

    fn close(&mut self, name: &str) {
        let Some((name, part)) = element(name) else { return };
        let is_of_table = matches!(part, Part::Table | Part::Rows | Part::Row | Part::Cell);
        let is_bound = |part: Part| part == Part::Table || (part == Part::Cell && !is_of_table);
        let found = self.stack.iter().rposition(|(known, part)| *known == name || is_bound(*part));
        if let Some(at) = found.filter(|at| self.stack[*at].0 == name) {
            self.pop_to(at);
        }
    }

    /// Ends the innermost element that `is_meant` accepts, unless one of `bounds` or a table is open inside of it.
    fn end_within(&mut self, is_meant: &dyn Fn((&'static str, Part)) -> bool, bounds: &[Part]) {
        let is_bound = |part: Part| part == Part::Table || bounds.contains(&part);
        let found = self.stack.iter().rposition(|element| is_meant(*element) || is_bound(element.1));
        if let Some(at) = found.filter(|at| is_meant(self.stack[*at])) {
            self.pop_to(at);
        }
    }

    /// Ends the element at `at` and everything inside it.
    fn pop_to(&mut self, at: usize) {
        for (name, _) in self.stack.drain(at..).rev() {
            self.out.extend(["</", name, ">"]);
        }
    }
}

/// An element that a mail may have, with its part; its name in lower case.
fn element(name: &str) -> Option<(&'static str, Part)> {
    const KNOWN: [(Part, &[&str]); 11] = [
        (Part::Void, &["br", "hr", "img", "wbr"]),
        (Part::Paragraph, &["p"]),
        (Part::Item, &["li"]),
        (Part::Term, &["dt", "dd"]),
        (Part::List, &["ul", "ol", "dl"]),
        (Part::Table, &["table"]),
        (Part::Rows, &["thead", "tbody", "tfoot"]),
        (Part::Row, &["tr"]),
        (Part::Cell, &["td", "th"]),
        (
            Part::Block,
            &[
                "article",
                "aside",
                "blockquote",
                "center",
                "details",
                "div",
                "figcaption",
                "figure",
                "footer",
                "h1",
                "h2",
                "h3",
                "h4",
                "h5",
                "h6",
                "header",
                "hgroup",
                "nav",
                "pre",
                "section",
                "summary",
            ],
        ),
        (
            Part::Inline,
            &[
                "a", "abbr", "acronym", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i",
                "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
                "time", "tt", "u", "var",
            ],
        ),
    ];
    KNOWN.iter().find_map(|(part, names)| {
        names.iter().find(|known| **known == name).map(|known| (*known, *part)) //
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(bounded(html).as_deref(), Some(expected), "{html}");
    }

    #[test]
    fn elements_end_where_they_have_to() {
        check("<p>a<p>b<BR>c", "<p>a</p><p>b<br>c</p>");
        check("<b>a<div>b</div></b>", "<b>a<div>b</div></b>");
        check("<p><b>a<div>b</div>", "<p><b>a</b></p><div>b</div>");
        check("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>");
        check("<table><td>a<td>b<tr>c", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>");
        check("<table><tr><td>a</td></tr></table>", "<table><tr><td>a</td></tr></table>");
        check("<a href='x\"y'>a<a href=z>b</a></b>c", "<a href=\"x&quot;y\">a</a><a href=\"z\">b</a>c");
        check("1 < 2 <3 <x-y>z</x-y> <script>alert('<p>')</script>", "1 &lt; 2 &lt;3 z ");
        check("<td>a</td></p></div>", "a");
    }

    #[test]
    fn what_is_too_deep_or_has_too_many_elements_is_refused() {
        assert!(bounded(&"<div>".repeat(100)).is_some());
        assert_eq!(bounded(&"<div>".repeat(101)), None);
        assert!(bounded(&"<i>x</i>".repeat(20_000)).is_some());
        assert_eq!(bounded(&"<i>x</i>".repeat(20_001)), None);
        assert_eq!(bounded(&"<br>".repeat(20_001)), None);
        assert_eq!(bounded(&"&".repeat(50_001)), None);
        assert!(bounded(&"<b>".repeat(1_000_000)).is_some_and(|html| html.len() < 200));
    }

    #[test]
    fn hostile_documents_are_cleaned_or_refused_and_do_not_grow() {
        let inline = ["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"];
        let open = inline.iter().fold(String::new(), |open, name| open + &format!("<{name} title={name}>"));
        let around = "<blockquote>".repeat(99);
        for unit in [
            "<div>",
            "<p>",
            "<b>",
            "</p>",
            "<table>",
            "<table><tr><td>",
            "<li>",
            "<a href=x>",
            "<p><b>x<div>y</div>",
            "<table><b>x<tr>",
            "<h1><h2>",
            "<br>",
            "x</b></p>",
            "<b><p>x</b></p>",
            "<dl><dt><b>",
            "<a><table><a>",
            "<",
            "&",
            "<!--",
            "<style>",
            "<p a=\"",
            "<ruby><rt>",
            "<caption>x</caption>",
            "<svg><b>",
            "<template>",
            "<select>",
        ] {
            for before in ["", &open, &around, "<table>", "<ul><li>"] {
                let html = format!("{before}{}", unit.repeat((1 << 16) / unit.len()));
                // Unbounded, some of these take hours.
                let cleaned = clean_own(&html).unwrap_or_default();
                assert!(cleaned.len() < 1 << 20, "{before}{unit}: {}", cleaned.len());
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_bounded_stays_as_it_is(units in prop::collection::vec(
            prop::sample::select(vec!["<p>", "</p>", "<b>", "</b>", "<div>", "</div>", "<table>", "</table>", "<tr>",
                "<td>", "</td>", "<li>", "<ul>", "</ul>", "<a href=\"x\">", "</a>", "x", "<br>", "<hr>", "<dd>", "&lt;"]),
            0..60,
        )) {
            let once = bounded(&units.concat()).expect("it is small");
            prop_assert_eq!(bounded(&once), Some(once.clone()));
        }
    }
}
