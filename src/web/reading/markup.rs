//! Makes HTML of others fit into a page: known elements alone, well nested and not too deep, in the page's own classes;
//! images and links as the page wants them, quotes folded.
//!
//! The document is read once, and the work for each tag is bounded by the depth: so no document can make the parser
//! behind it ([`clean`](super::clean)) slow. What is safe is decided there once more.

mod images;
mod quotes;

use std::collections::HashSet;

use super::elements::{self, Kind};
use super::escape::escape;
use super::links;
use super::options::ReadingOptions as Options;
use super::style::Style;
use crate::mail::html::{Seen, Tag, Token, Tokens, resolved, tokens};
use crate::mail::reading::{AddressHider, BEHIND_BYTES, Image};

/// Elements inside one another.
const DEPTH_MAX: usize = 100;
/// Elements of one document.
const ELEMENTS_MAX: usize = 20_000;
/// Tokens that are looked at for the end of an address.
const TOKENS_AHEAD_MAX: usize = 64;
/// Line breaks in a row.
const BREAKS_MAX: usize = 2;

/// A document that fits into a page, still to be cleaned.
#[derive(Debug, Default)]
pub(super) struct Markup {
    /// The HTML.
    pub(super) html: String,
    /// The addresses on this server that it has.
    pub(super) own: HashSet<String>,
    /// Whether there are images on other servers.
    pub(super) has_remote_images: bool,
    /// Whether its end was left out.
    pub(super) is_cut: bool,
}

/// Makes a document fit.
pub(super) fn fit(html: &str, images: &[Image], is_forward: bool, options: &Options<'_>) -> Markup {
    let mut writer = Writer {
        options,
        images,
        is_forward,
        markup: Markup::default(),
        out: String::with_capacity(html.len()),
        stack: Vec::new(),
        ignored: 0,
        skipped: None,
        patches: Vec::new(),
        folds: Vec::new(),
        elements: 0,
        shown: 0,
        own_shown: 0,
        breaks: 0,
        hider: AddressHider::default(),
    };
    let mut all = tokens(html);
    while let Some(token) = all.next() {
        if ELEMENTS_MAX < writer.elements {
            writer.markup.is_cut = true;
            break;
        }
        match token {
            Token::Text(text) => writer.text(&resolved(text), &all),
            Token::Raw(raw) if raw.seen != Seen::Nothing => writer.text(&raw.text(), &all),
            Token::Open(tag) => writer.open(&tag),
            Token::Close(name) => writer.close(&name),
            Token::Raw(_) | Token::Unseen { .. } => {}
        }
    }
    writer.finish()
}

/// The text that follows on the same line: as much of it as can end an address.
fn inline_text(tokens: Tokens<'_>) -> String {
    let mut text = String::new();
    for token in tokens.take(TOKENS_AHEAD_MAX) {
        match token {
            Token::Text(more) => text.push_str(&resolved(more)),
            Token::Open(tag) if !is_inline(&tag.name) => break,
            Token::Close(name) if !is_inline(&name) => break,
            Token::Open(_) | Token::Close(_) | Token::Raw(_) | Token::Unseen { .. } => {}
        }
        if BEHIND_BYTES <= text.len() || text.contains(char::is_whitespace) {
            break;
        }
    }
    text
}

/// Whether the text around a tag of this name is one.
fn is_inline(name: &str) -> bool {
    match elements::of(name).0 {
        Kind::Inline | Kind::Transparent | Kind::Dropped => true,
        Kind::Void => !matches!(name, "br" | "hr"),
        _ => false,
    }
}

/// An element that is open.
#[derive(Debug)]
struct Element {
    /// The name in the document.
    source: String,
    kind: Kind,
    /// The end tags that close it on the page.
    closing: &'static str,
    /// Where it begins, and where its content does.
    start: usize,
    content: usize,
    /// The number of characters that were shown before it.
    shown: usize,
    /// The place of its beginning among the patches, if that is decided at its end.
    patch: Option<usize>,
    has_border: bool,
    /// Whether what is inside belongs to the author: it is no quote and no signature.
    is_own: bool,
    has_direction: bool,
    /// Blocks that were taken back for it, whose ends are still to come.
    taken_back: usize,
}

/// Something that is put in at the end.
#[derive(Debug)]
struct Patch {
    at: usize,
    text: String,
}

/// A quote that folds.
#[derive(Debug)]
struct Fold {
    patch: usize,
    chars: usize,
    /// The number of the author's own characters at its end.
    own_at_end: usize,
}

struct Writer<'a> {
    options: &'a Options<'a>,
    images: &'a [Image],
    is_forward: bool,
    markup: Markup,
    out: String,
    stack: Vec<Element>,
    /// Elements that are too deep and still open.
    ignored: usize,
    /// An element whose content is not shown, and how many of its name are open inside.
    skipped: Option<(String, usize)>,
    patches: Vec<Patch>,
    folds: Vec<Fold>,
    elements: usize,
    /// Characters and images shown so far, and those of the author.
    shown: usize,
    own_shown: usize,
    /// Line breaks since the last of them.
    breaks: usize,
    hider: AddressHider,
}

impl Writer<'_> {
    /// Shows a text, which these tokens follow.
    fn text(&mut self, text: &str, following: &Tokens<'_>) {
        if self.skipped.is_some() {
            return;
        }
        let is_blank = text.chars().all(|c| c.is_whitespace() || is_invisible(c));
        if is_blank && self.stack.last().is_some_and(|top| takes_no_text(top.kind)) {
            return;
        }
        if !is_blank {
            self.make_room_for_text();
            let count = text.chars().filter(|c| !c.is_whitespace()).count();
            self.note_shown(count);
        }
        let shown = if self.options.hides_addresses {
            let is_open = self.hider.needs_behind(text);
            let behind = if is_open { inline_text(following.clone()) } else { String::new() };
            self.hider.hide(text, &behind)
        } else {
            text.to_owned()
        };
        let shown: String = shown.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect();
        if self.is_in("a") || self.is_in("code") {
            escape(&shown, &mut self.out);
        } else {
            links::write_text(&shown, self.options.hides_addresses, &mut self.out);
        }
    }

    fn note_shown(&mut self, count: usize) {
        self.shown += count;
        self.breaks = 0;
        if self.stack.iter().all(|element| element.is_own) {
            self.own_shown += count;
        }
    }

    fn is_in(&self, source: &str) -> bool {
        self.stack.iter().any(|element| element.source == source)
    }

    /// Opens what text needs around it in a list or a table.
    fn make_room_for_text(&mut self) {
        match self.stack.last().map(|top| top.kind) {
            Some(Kind::List) => self.push_plain("li", Kind::Item),
            Some(Kind::Table | Kind::Rows) => {
                self.push_plain("tr", Kind::Row);
                self.push_plain("td", Kind::Cell);
            }
            Some(Kind::Row) => self.push_plain("td", Kind::Cell),
            _ => {}
        }
    }

    /// Opens an element that the document left out.
    fn push_plain(&mut self, name: &'static str, kind: Kind) {
        let style = Style::default();
        self.push(name, kind, name, &style, "");
    }

    fn open(&mut self, tag: &Tag<'_>) {
        if let Some((name, depth)) = &mut self.skipped {
            let is_same = *name == tag.name;
            // The next one of these ends the one before.
            if !is_same || !matches!(name.as_str(), "p" | "li" | "tr" | "td" | "th" | "dt" | "dd") {
                *depth += usize::from(is_same);
                return;
            }
            self.skipped = None;
        }
        let (kind, name, class) = elements::of(&tag.name);
        let mut style = tag.get("style").map(|css| Style::of(&css)).unwrap_or_default();
        let is_hidden = kind == Kind::Dropped || style.is_hidden || tag.has("hidden");
        match kind {
            Kind::Void if is_hidden => return,
            Kind::Void => return self.void(name, tag, &style),
            Kind::Transparent => return,
            _ if is_hidden => {
                self.skipped = Some((tag.name.to_string(), 0));
                return;
            }
            _ => {}
        }
        if DEPTH_MAX <= self.stack.len() {
            self.ignored += 1;
            return;
        }
        if kind == Kind::Inline {
            return self.inline(name, tag, &style);
        }
        self.hider.break_off();
        if let Some(class) = class {
            style.add(class);
        }
        self.make_way(kind, &tag.name);
        if !self.may_stand(kind) {
            return self.push(&tag.name, Kind::Block, "div", &style, "");
        }
        let id = tag.get("id").unwrap_or_default();
        let class = tag.get("class").unwrap_or_default();
        if kind == Kind::Block && self.begins_original(&id, &style) {
            self.open_original();
        }
        self.block(kind, name, tag, style, &id, &class);
    }

    /// Opens a block with what is kept of its attributes.
    fn block(
        &mut self,
        kind: Kind,
        name: &'static str,
        tag: &Tag<'_>,
        mut style: Style,
        id: &str,
        class: &str,
    ) {
        let mut attributes = String::new();
        if let Some(align) = tag.get("align").filter(|_| kind != Kind::Table) {
            style.align(&align);
        }
        match kind {
            Kind::Quote => return self.quote(tag, &mut style),
            Kind::Table => return self.table(tag, &style),
            Kind::Cell => {
                for span in ["colspan", "rowspan"] {
                    let count = tag.get(span).and_then(|count| count.trim().parse::<u32>().ok());
                    if let Some(count) = count.filter(|count| (2..=50).contains(count)) {
                        attributes.extend([" ", span, "=\"", &count.to_string(), "\""]);
                    }
                }
                if style.has_border
                    && let Some(table) =
                        self.stack.iter_mut().rev().find(|element| element.kind == Kind::Table)
                {
                    table.has_border = true;
                }
            }
            Kind::List if name == "ol" => {
                let start = tag.get("start").and_then(|start| start.trim().parse::<i32>().ok());
                attributes
                    .extend(start.filter(|start| *start != 1).map(|start| format!(" start=\"{start}\"")));
                let marks = tag.get("type").filter(|marks| matches!(marks.as_str(), "a" | "A" | "i" | "I"));
                attributes.extend(marks.map(|marks| format!(" type=\"{marks}\"")));
            }
            Kind::Paragraph if class.starts_with("Mso") || class.starts_with("x_Mso") => style.add("tight"),
            Kind::Block if is_signature(id, class) => style.add("signed"),
            Kind::Block if class.contains("gmail_attr") || class.contains("moz-cite-prefix") => {
                style.add("attribution");
            }
            _ => {}
        }
        let is_own = !is_signature(id, class);
        attributes.push_str(&self.direction(tag, &style, kind));
        self.push(&tag.name, kind, name, &style, &attributes);
        if let Some(top) = self.stack.last_mut() {
            top.is_own = is_own;
            top.has_direction = attributes.contains(" dir=\"rtl\"") || attributes.contains(" dir=\"ltr\"");
        }
    }

    /// The `dir` attribute of a block: its own, else its text decides, unless a block around it has said so.
    fn direction(&self, tag: &Tag<'_>, style: &Style, kind: Kind) -> String {
        let named = tag.get("dir").map(|dir| dir.trim().to_ascii_lowercase());
        let named = ["rtl", "ltr", "auto"].into_iter().find(|known| named.as_deref() == Some(known));
        let has_text = !matches!(kind, Kind::Table | Kind::Rows | Kind::Row);
        let is_open = !self.stack.iter().any(|element| element.has_direction);
        // A document that is said to run from left to right often is just not said to run the other way.
        match style.direction.or(named).filter(|dir| *dir != "ltr" || !is_open) {
            Some(dir) => format!(" dir=\"{dir}\""),
            None if has_text && is_open => " dir=\"auto\"".to_owned(),
            None => String::new(),
        }
    }

    fn inline(&mut self, name: &'static str, tag: &Tag<'_>, style: &Style) {
        let mut style = style.clone();
        let mut attributes = String::new();
        if name == "a" {
            self.close_open_link();
            let href = tag.get("href").and_then(|href| links::safe(&href, self.options.hides_addresses));
            let Some(href) = href else { return self.push_silent(&tag.name) };
            self.make_room_for_text();
            attributes.push_str(" href=\"");
            escape(&href, &mut attributes);
            attributes.push('"');
            return self.push(&tag.name, Kind::Inline, "a", &Style::default(), &attributes);
        }
        if let Some(color) = tag.get("color").filter(|_| tag.name == "font") {
            style.color(&color.to_ascii_lowercase());
        }
        if matches!(tag.get("dir").as_deref(), Some("rtl")) || style.direction == Some("rtl") {
            attributes.push_str(" dir=\"rtl\"");
        }
        let classes = style.attribute();
        if name == "span" && classes.is_empty() && attributes.is_empty() {
            return self.push_silent(&tag.name);
        }
        self.make_room_for_text();
        self.push(&tag.name, Kind::Inline, name, &style, &attributes);
    }

    /// Links stand in no link.
    fn close_open_link(&mut self) {
        if let Some(at) =
            self.stack.iter().rposition(|element| element.source == "a" && element.kind == Kind::Inline)
        {
            self.pop_to(at);
        }
    }

    fn push(&mut self, source: &str, kind: Kind, name: &'static str, style: &Style, attributes: &str) {
        let start = self.out.len();
        self.out.push('<');
        self.out.push_str(name);
        self.out.push_str(attributes);
        self.out.push_str(&style.attribute());
        self.out.push('>');
        self.push_element(source, kind, closing(name), start);
    }

    /// Opens an element that is nothing on the page.
    fn push_silent(&mut self, source: &str) {
        self.push_element(source, Kind::Inline, "", self.out.len());
    }

    fn push_element(&mut self, source: &str, kind: Kind, closing: &'static str, start: usize) {
        self.elements += 1;
        self.stack.push(Element {
            source: source.to_owned(),
            kind,
            closing,
            start,
            content: self.out.len(),
            shown: self.shown,
            patch: None,
            has_border: false,
            is_own: true,
            has_direction: false,
            taken_back: 0,
        });
    }

    /// Opens an element whose beginning is written at its end.
    fn push_patched(&mut self, source: &str, kind: Kind, closing: &'static str, text: &str) {
        let start = self.out.len();
        self.patches.push(Patch { at: start, text: text.to_owned() });
        self.push_element(source, kind, closing, start);
        if let Some(top) = self.stack.last_mut() {
            top.patch = Some(self.patches.len() - 1);
        }
    }

    fn table(&mut self, tag: &Tag<'_>, style: &Style) {
        let border = tag.get("border").is_some_and(|border| !matches!(border.trim(), "" | "0" | "0px"));
        self.push_patched(&tag.name, Kind::Table, "", "");
        if let Some(top) = self.stack.last_mut() {
            top.has_border = border || style.has_border;
        }
    }

    fn void(&mut self, name: &str, tag: &Tag<'_>, style: &Style) {
        self.elements += 1;
        match name {
            "br" => {
                if self.breaks < BREAKS_MAX && !self.stack.last().is_some_and(|top| takes_no_text(top.kind)) {
                    self.breaks += 1;
                    self.out.push_str("<br>");
                }
                self.hider.break_off();
            }
            "hr" if !self.stack.last().is_some_and(|top| takes_no_text(top.kind)) => {
                self.close_paragraph();
                self.out.push_str("<hr>");
            }
            "wbr" => self.out.push_str("<wbr>"),
            "img" => self.image(tag, style),
            _ => {}
        }
    }

    /// Ends what cannot stay open around an element of this kind.
    fn make_way(&mut self, kind: Kind, source: &str) {
        match kind {
            Kind::Item => self.end_within(Kind::Item, &[Kind::List, Kind::Cell, Kind::Quote]),
            Kind::Cell => self.end_within(Kind::Cell, &[Kind::Row, Kind::Table]),
            Kind::Row => self.end_within(Kind::Row, &[Kind::Rows, Kind::Table]),
            Kind::Rows => self.end_within(Kind::Rows, &[Kind::Table]),
            Kind::Caption => {}
            _ => {
                self.close_paragraph();
                if matches!(source, "dt" | "dd") {
                    let open = self
                        .stack
                        .iter()
                        .rposition(|element| matches!(element.source.as_str(), "dt" | "dd" | "dl"));
                    if let Some(at) = open.filter(|at| self.stack[*at].source != "dl") {
                        self.pop_to(at);
                    }
                }
                self.make_room_for_text();
            }
        }
        match (kind, self.stack.last().map(|top| top.kind)) {
            (Kind::Cell, Some(Kind::Table | Kind::Rows)) => self.push_plain("tr", Kind::Row),
            (Kind::Rows, Some(Kind::Row)) => self.pop(),
            _ => {}
        }
    }

    /// Whether an element of this kind may stand here.
    fn may_stand(&self, kind: Kind) -> bool {
        let top = self.stack.last().map(|top| top.kind);
        match kind {
            Kind::Item => top == Some(Kind::List),
            Kind::Cell => top == Some(Kind::Row),
            Kind::Row => matches!(top, Some(Kind::Table | Kind::Rows)),
            Kind::Rows => top == Some(Kind::Table),
            Kind::Caption => {
                top == Some(Kind::Table) && self.stack.last().is_some_and(|top| top.content == self.out.len())
            }
            _ => true,
        }
    }

    /// Ends an open element of this kind, unless one of `bounds` is open inside of it.
    fn end_within(&mut self, kind: Kind, bounds: &[Kind]) {
        let at =
            self.stack.iter().rposition(|element| element.kind == kind || bounds.contains(&element.kind));
        if let Some(at) = at {
            // Everything inside of it ends, and it too unless it is a bound.
            let is_bound = self.stack[at].kind != kind;
            let end = at + usize::from(is_bound);
            if end < self.stack.len() {
                self.pop_to(end);
            }
        }
    }

    fn close_paragraph(&mut self) {
        let at = self.stack.iter().rposition(|element| !matches!(element.kind, Kind::Inline));
        if let Some(at) = at.filter(|at| self.stack[*at].kind == Kind::Paragraph) {
            self.pop_to(at);
        }
    }

    fn close(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipped {
            if *skipped == name {
                match depth.checked_sub(1) {
                    Some(left) => *depth = left,
                    None => self.skipped = None,
                }
            }
            return;
        }
        let (kind, ..) = elements::of(name);
        if matches!(kind, Kind::Void | Kind::Transparent | Kind::Dropped) {
            return;
        }
        if self.ignored != 0 {
            self.ignored -= 1;
            return;
        }
        if kind != Kind::Inline {
            self.hider.break_off();
        }
        let is_of_table = matches!(kind, Kind::Table | Kind::Rows | Kind::Row | Kind::Cell | Kind::Caption);
        let at = self.stack.iter().rposition(|element| {
            element.source == name
                || element.kind == Kind::Table
                || (!is_of_table && matches!(element.kind, Kind::Cell | Kind::Caption))
        });
        let Some(at) = at.filter(|at| self.stack[*at].source == name) else { return };
        let fold = self.stack[at..].iter_mut().find(|element| element.taken_back != 0);
        match fold {
            // This is the end of a block that was taken back for the quote.
            Some(fold) if name == "div" => fold.taken_back -= 1,
            _ => self.pop_to(at),
        }
    }

    /// Ends the element at `at` and everything inside it.
    fn pop_to(&mut self, at: usize) {
        while at < self.stack.len() {
            self.pop();
        }
    }

    fn pop(&mut self) {
        let Some(element) = self.stack.pop() else { return };
        let is_empty = element.shown == self.shown;
        match element.kind {
            Kind::Inline if is_empty && element.source == "a" => {
                // A link without words cannot be followed.
                let content = self.out.split_off(element.content);
                self.truncate(element.start);
                self.out.push_str(&content);
            }
            Kind::Paragraph if is_empty => {
                self.truncate(element.start);
                if self.breaks == 0 && self.shown != 0 && self.is_tight(&element) {
                    self.breaks += 1;
                    self.out.push_str("<br>");
                }
            }
            Kind::Table if is_empty => self.truncate(element.start),
            Kind::Table => self.end_table(&element),
            Kind::Quote => self.end_quote(&element),
            Kind::Cell => {
                if element.source == "th"
                    && let Some(table) = self.stack.iter_mut().rev().find(|outer| outer.kind == Kind::Table)
                {
                    table.has_border = true;
                }
                self.out.push_str(element.closing);
            }
            _ => self.out.push_str(element.closing),
        }
    }

    /// Whether a paragraph has no space around it, so that an empty one is an empty line.
    fn is_tight(&self, element: &Element) -> bool {
        element.closing == "</p>" && self.stack.last().is_none_or(|top| !takes_no_text(top.kind))
    }

    fn end_table(&mut self, element: &Element) {
        let is_inner = self.stack.iter().any(|outer| outer.kind == Kind::Table);
        let (beginning, end) = match (element.has_border, is_inner) {
            (true, false) => {
                ("<div class=\"scroll\" tabindex=\"0\"><table class=\"grid\">", "</table></div>")
            }
            (true, true) => ("<table class=\"grid\">", "</table>"),
            (false, _) => ("<table role=\"presentation\" class=\"bare\">", "</table>"),
        };
        if let Some(patch) = element.patch.and_then(|patch| self.patches.get_mut(patch)) {
            beginning.clone_into(&mut patch.text);
        }
        self.out.push_str(end);
    }

    /// Takes back what was written since `start`.
    fn truncate(&mut self, start: usize) {
        self.out.truncate(start);
        while self.patches.last().is_some_and(|patch| start <= patch.at) {
            self.patches.pop();
        }
        // Folds are in the order of their patches.
        let left = self.patches.len();
        while self.folds.last().is_some_and(|fold| left <= fold.patch) {
            self.folds.pop();
        }
    }

    fn finish(mut self) -> Markup {
        self.pop_to(0);
        self.decide_folds();
        let mut html = String::with_capacity(self.out.len() + 64 * self.patches.len());
        let mut from = 0;
        for patch in &self.patches {
            html.push_str(&self.out[from..patch.at]);
            html.push_str(&patch.text);
            from = patch.at;
        }
        html.push_str(&self.out[from..]);
        self.markup.html = html;
        self.markup
    }
}

fn closing(name: &str) -> &'static str {
    macro_rules! closings {
        ($($name:literal)*) => {
            match name {
                $($name => concat!("</", $name, ">"),)*
                _ => "",
            }
        };
    }
    closings!(
        "a" "b" "bdi" "blockquote" "caption" "code" "del" "div" "i" "ins" "kbd" "li" "mark" "ol" "p" "pre" "q" "rp"
        "rt" "ruby" "s" "samp" "small" "span" "sub" "sup" "tbody" "td" "tfoot" "th" "thead" "tr" "u" "ul"
    )
}

/// Whether text cannot stand right inside an element of this kind.
fn takes_no_text(kind: Kind) -> bool {
    matches!(kind, Kind::List | Kind::Table | Kind::Rows | Kind::Row)
}

fn is_signature(id: &str, class: &str) -> bool {
    matches!(id, "Signature" | "x_Signature" | "AppleMailSignature")
        || ["gmail_signature", "moz-signature", "protonmail_signature_block"]
            .iter()
            .any(|name| class.contains(name))
}

/// Whether nothing of a character is seen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}
