//! Quotes in HTML of others, which fold: those in an element of their own, and everything below the header that
//! Outlook puts over the message that is answered.

use super::{Element, Fold, Kind, Writer};
use crate::locale::text;
use crate::mail::html::Tag;
use crate::web::reading::escape;
use crate::web::reading::style::Style;

/// Characters of a quote that is open while its reader reads the answer to it.
const OPEN_QUOTE_CHARS_MAX: usize = 500;

impl Writer<'_> {
    pub(super) fn quote(&mut self, tag: &Tag<'_>, style: &mut Style) {
        let is_typed = tag.has("type") || tag.get("class").is_some_and(|class| !class.is_empty());
        if style.is_indented && !is_typed {
            style.add("indent");
            return self.push(&tag.name, Kind::Block, "div", style, " dir=\"auto\"");
        }
        let is_inner = self.stack.iter().any(|element| element.kind == Kind::Quote);
        if is_inner || self.is_forward {
            return self.push(&tag.name, Kind::Quote, "blockquote", &Style::default(), " dir=\"auto\"");
        }
        self.fold(&tag.name);
    }

    /// Opens a quote that folds.
    fn fold(&mut self, source: &str) {
        self.close_open_link();
        self.push_patched(source, Kind::Quote, "</blockquote></details>", "");
        let patch = self.patches.len() - 1;
        self.folds.push(Fold { patch, chars: 0, own_at_end: usize::MAX });
        if let Some(top) = self.stack.last_mut() {
            top.is_own = false;
        }
    }

    /// Whether a block is the header that programs put over the message that is answered.
    pub(super) fn begins_original(&self, id: &str, style: &Style) -> bool {
        let is_named = matches!(id, "appendonsend" | "divRplyFwdMsg" | "x_divRplyFwdMsg" | "x_appendonsend");
        let is_inside =
            self.stack.iter().any(|element| element.kind == Kind::Quote || element.kind == Kind::Cell);
        (is_named || style.is_original_head) && !is_inside && !self.is_forward && self.own_shown != 0
    }

    /// Folds everything from here to the end of what is around.
    pub(super) fn open_original(&mut self) {
        // Outlook puts the header into a block of its own; the message stands behind it.
        let mut taken_back = 0;
        while let Some(top) = self.stack.last() {
            if top.source != "div" || top.shown != self.shown {
                break;
            }
            let start = top.start;
            self.stack.pop();
            self.truncate(start);
            taken_back += 1;
        }
        self.fold("");
        if let Some(top) = self.stack.last_mut() {
            top.taken_back = taken_back;
        }
    }

    pub(super) fn end_quote(&mut self, element: &Element) {
        let Some(number) = element.patch else {
            self.out.push_str(element.closing);
            return;
        };
        let chars = self.shown - element.shown;
        if chars == 0 {
            self.truncate(element.start);
            return;
        }
        let own = self.own_shown;
        if let Some(fold) = self.folds.iter_mut().rev().find(|fold| fold.patch == number) {
            (fold.chars, fold.own_at_end) = (chars, own);
        }
        self.out.push_str(element.closing);
    }

    /// Decides which quotes are open, and writes how they begin.
    pub(super) fn decide_folds(&mut self) {
        for fold in &self.folds {
            let is_answered = fold.own_at_end < self.own_shown;
            let fits = self.own_shown == 0 || (is_answered && fold.chars <= OPEN_QUOTE_CHARS_MAX);
            let open = if self.options.quotes.is_open(fits) { " open" } else { "" };
            let words = text!(self.options.language, "reading-quoted");
            let mut text = format!("<details class=\"quote\"{open}><summary>");
            escape(&words, &mut text);
            text.push_str("</summary><blockquote dir=\"auto\">");
            self.patches[fold.patch].text = text;
        }
    }
}
