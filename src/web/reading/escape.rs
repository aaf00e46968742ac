//! Text as HTML.

use std::fmt::Write as _;

/// Appends `text` as HTML text, or as the value of an attribute in double quotes.
pub(super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            // No control character but these stands in a page.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c if is_noncharacter(c) => {
                let _ = write!(out, "{}", char::REPLACEMENT_CHARACTER);
            }
            c => out.push(c),
        }
    }
}

/// Whether Unicode promises never to assign a character here; no document should have one.
fn is_noncharacter(c: char) -> bool {
    let code = u32::from(c);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}
