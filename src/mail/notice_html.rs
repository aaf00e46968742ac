//! A mail that the server writes itself, and its HTML, which is made of its plain text, so that both say the same.
//!
//! A text has paragraphs, lines that are set off by four blanks, and quotes. Everything in it is shown as text: only the
//! links that the caller made itself and names as [`Button`]s are links, wherever the text has them. So no words of a
//! stranger become markup, and no address of a stranger a link, whatever a notice repeats of them.

use std::fmt::Write as _;

use super::calm::{self, SANS};
use super::header::one_line;
use super::text::escape_html;
use crate::clock::Timestamp;
use crate::model::{EmailAddress, Language};

/// The longest text for which HTML is made: write jobs make notices, and HTML is several times as long.
const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Buttons of one mail that are shown as such; where there are more, all are links.
const BUTTONS_MAX: usize = 3;
/// Characters of a line of built-in text.
const LINE_CHARS: usize = 76;
/// The beginning of a line that is set off, and of one that is set off below another.
const SET_OFF: &str = "    ";
const SET_BELOW: &str = "        ";
/// The colours of buttons on a dark screen.
const DARK: &str = " .button { background: #82d0d2 !important; color: #06292c !important; }";

/// A mail of the server itself: to administrators, to senders, to people who want to join.
#[derive(Debug, Clone)]
pub struct Notice<'a> {
    /// Its Message-ID, without angle brackets.
    pub message_id: &'a str,
    /// Its Date.
    pub now: Timestamp,
    /// Name in From.
    pub from_phrase: &'a str,
    /// Address in From: the list's or its owner's.
    pub from_address: &'a EmailAddress,
    /// The recipient.
    pub to: &'a EmailAddress,
    /// The address for replies, if it is not that in From.
    pub reply_to: Option<&'a EmailAddress>,
    /// Its subject.
    pub subject: &'a str,
    /// Plain text, of which the HTML is made.
    pub text: &'a str,
    /// The links in the text that this server made, with their words.
    pub buttons: &'a [Button],
    /// Whose words the text is.
    pub wording: Wording,
    /// Message-ID of the message that this one is about.
    pub in_reply_to: Option<&'a str>,
    /// The language of its text.
    pub language: Language,
    /// Whether it is an automatic reply to that message (RFC 3834 5).
    pub is_answer: bool,
}

/// A link that does something, with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// The address, which this server made.
    pub link: String,
    /// The words on the button.
    pub words: String,
}

impl Button {
    /// A button.
    #[must_use]
    pub fn new(link: impl Into<String>, words: String) -> Button {
        Button { link: link.into(), words }
    }
}

/// Whose words the text of a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// The built-in text, whose lines end where plain text is wrapped.
    BuiltIn,
    /// The account's own, whose lines end where somebody wanted them to.
    Own,
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Words,
    SetOff,
    Quote,
}

impl Kind {
    fn of(line: &str) -> Kind {
        if line.trim_start().starts_with('>') {
            Kind::Quote
        } else if line.starts_with(SET_OFF) {
            Kind::SetOff
        } else {
            Kind::Words
        }
    }
}

/// A part of a text with its lines, or a link.
enum Block<'t> {
    Lines(Kind, Vec<&'t str>),
    Link(&'t Button),
}

/// The HTML of a notice; `None` if its text is too long for it.
pub(super) fn html(notice: &Notice<'_>) -> Option<String> {
    if TEXT_BYTES_MAX < notice.text.len() {
        return None;
    }
    let (sender, subject) = (one_line(notice.from_phrase), one_line(notice.subject));
    let mut out = calm::head(notice.language, &subject, &sender, &subject, DARK);
    out.push_str("</td></tr>\n<tr><td style=\"padding: 0 0 8px;\">\n");
    let blocks = blocks(notice.text, notice.buttons);
    let are_links = BUTTONS_MAX < blocks.iter().filter(|block| matches!(block, Block::Link(_))).count();
    for block in &blocks {
        match block {
            Block::Link(button) => write_button(button, are_links, &mut out),
            Block::Lines(Kind::Words, lines) => {
                write_words(lines, notice.wording, &mut out);
                for button in notice.buttons.iter().filter(|button| names(lines, &button.link)) {
                    write_button(button, are_links, &mut out);
                }
            }
            Block::Lines(Kind::SetOff, lines) => write_set_off(lines, &mut out),
            Block::Lines(Kind::Quote, lines) => write_quote(lines, &mut out),
        }
    }
    out.push_str("</td></tr>\n");
    out.push_str(calm::TAIL);
    Some(out)
}

/// The parts of a text in their order. A line that is a link is a part by itself.
fn blocks<'t>(text: &'t str, buttons: &'t [Button]) -> Vec<Block<'t>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    let mut is_gap = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            is_gap = true;
            continue;
        }
        let kind = Kind::of(line);
        let is_new = std::mem::replace(&mut is_gap, false);
        if let Some(button) = buttons.iter().find(|button| button.link == line.trim()) {
            blocks.push(Block::Link(button));
            continue;
        }
        match blocks.last_mut() {
            Some(Block::Lines(known, lines)) if *known == kind && !is_new => lines.push(line),
            _ => blocks.push(Block::Lines(kind, vec![line])),
        }
    }
    blocks
}

/// Whether a link stands among the words of these lines.
fn names(lines: &[&str], link: &str) -> bool {
    let bare = |word: &str| word.trim_matches(['<', '>', '(', ')', '.', ',', ';', ':', '"']) == link;
    lines.iter().flat_map(|line| line.split_whitespace()).any(bare)
}

fn write_words(lines: &[&str], wording: Wording, out: &mut String) {
    let between = match wording {
        Wording::BuiltIn => "\n",
        Wording::Own => "<br>\n",
    };
    let words: Vec<String> = lines.iter().map(|line| escape_html(line)).collect();
    let _ = writeln!(out, "<p dir=\"auto\" style=\"margin: 0 0 14px;\">{}</p>", words.join(between));
}

fn write_quote(lines: &[&str], out: &mut String) {
    let own = |line: &&str| {
        let line = line.trim_start().trim_start_matches('>');
        escape_html(line.strip_prefix(' ').unwrap_or(line))
    };
    let words: Vec<String> = lines.iter().map(own).collect();
    let _ = writeln!(
        out,
        "<blockquote class=\"rule soft\" dir=\"auto\" style=\"margin: 0 0 14px; padding: 0 0 0 14px; \
         border-left: 3px solid #d8ddd8; color: #535c57;\">{}</blockquote>",
        words.join("<br>\n")
    );
}

/// Lines that are set off: in two columns, if they have them.
fn write_set_off(lines: &[&str], out: &mut String) {
    let Some(column) = column_of(lines) else {
        let words: Vec<String> = unwrapped(lines).iter().map(|line| escape_html(line)).collect();
        let _ = writeln!(
            out,
            "<p dir=\"auto\" style=\"margin: 0 0 14px; padding: 0 0 0 14px;\">{}</p>",
            words.join("<br>\n")
        );
        return;
    };
    out.push_str(
        "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin: 0 0 14px; \
         border-collapse: collapse;\">\n",
    );
    for line in lines {
        let end = line.char_indices().nth(column).map_or(line.len(), |(end, _)| end);
        let (label, value) = line.split_at(end);
        let _ = writeln!(
            out,
            "<tr><td class=\"soft\" style=\"padding: 3px 16px 3px 0; vertical-align: top; white-space: nowrap; \
             {SANS}; color: #535c57;\">{}</td><td dir=\"auto\" style=\"padding: 2px 0; vertical-align: \
             top;\">{}</td></tr>",
            escape_html(label.trim()),
            escape_html(value)
        );
    }
    out.push_str("</table>\n");
}

/// The place of the character at which the second column of these lines begins; `None` if they have no columns.
fn column_of(lines: &[&str]) -> Option<usize> {
    if lines.len() < 2 {
        return None;
    }
    let gap_end = |line: &&str| {
        let chars: Vec<char> = line.chars().collect();
        let start = chars.iter().position(|c| *c != ' ')?;
        let gap =
            (start..chars.len().saturating_sub(1)).find(|at| chars[*at] == ' ' && chars[at + 1] == ' ')?;
        (gap..chars.len()).find(|at| chars[*at] != ' ')
    };
    let column = lines.iter().filter_map(gap_end).min()?;
    let has_it = |line: &&str| {
        let mut chars = line.chars().skip(column - 1);
        chars.next() == Some(' ') && chars.next().is_some_and(|c| c != ' ')
    };
    lines.iter().all(has_it).then_some(column)
}

/// Lines that are set off, without the blanks in front; those further in that were wrapped are put together again.
fn unwrapped(lines: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut last_chars = 0;
    let mut last_is_below = false;
    for line in lines {
        let is_below = line.starts_with(SET_BELOW);
        let words = line.trim();
        let first_chars = words.split(' ').next().map_or(0, |word| word.chars().count());
        match whole.last_mut() {
            Some(last) if is_below && last_is_below && LINE_CHARS < last_chars + 1 + first_chars => {
                last.push(' ');
                last.push_str(words);
            }
            _ => whole.push(words.to_owned()),
        }
        last_chars = line.chars().count();
        last_is_below = is_below;
    }
    whole
}

fn write_button(button: &Button, is_link: bool, out: &mut String) {
    let (link, words) = (escape_html(&button.link), escape_html(&button.words));
    if is_link {
        let _ = writeln!(
            out,
            "<p style=\"margin: 0 0 14px; {SANS};\"><a class=\"link\" href=\"{link}\" style=\"color: #0b5c63; \
             font-weight: 600;\">{words}</a><br>\n<span class=\"soft\" dir=\"ltr\" style=\"color: #535c57; \
             word-break: break-all;\">{link}</span></p>"
        );
    } else {
        let _ = writeln!(
            out,
            "<p style=\"margin: 18px 0 8px;\"><a class=\"button\" href=\"{link}\" style=\"display: inline-block; \
             padding: 11px 18px; border-radius: 4px; background: #0b5c63; color: #ffffff; {SANS}; font-size: 16px; \
             font-weight: 600; text-decoration: none;\">{words}</a></p>\n\
             <p class=\"soft\" dir=\"ltr\" style=\"margin: 0 0 18px; {SANS}; color: #535c57; \
             word-break: break-all;\">{link}</p>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://lists.example.org/moderate/TOKEN/";

    /// The part of the HTML that is made of a text.
    fn body(text: &str, wording: Wording) -> String {
        let address = EmailAddress::parse("news-owner@example.org").unwrap();
        let buttons = [Button::new(LINK, "Read & decide".to_owned())];
        let html = html(&Notice {
            message_id: "n@example.org",
            now: Timestamp::from_ms(0),
            from_phrase: "News <b>",
            from_address: &address,
            to: &address,
            reply_to: None,
            subject: "Held: \"<i>\"",
            text,
            buttons: &buttons,
            wording,
            in_reply_to: None,
            language: Language::German,
            is_answer: false,
        })
        .unwrap();
        assert!(html.contains("<html lang=\"de\" dir=\"ltr\">"), "{html}");
        assert!(html.contains("<title>Held: &quot;&lt;i&gt;&quot;</title>"), "{html}");
        let (_, body) = html.split_once("padding: 0 0 8px;\">\n").unwrap();
        body.strip_suffix(&format!("</td></tr>\n{}", calm::TAIL)).unwrap().to_owned()
    }

    /// The text of HTML with its elements by their names alone.
    #[track_caller]
    fn check(text: &str, wording: Wording, expected: &str) {
        let html = body(text, wording);
        let mut shown = String::new();
        for (place, part) in html.split('<').enumerate() {
            if place == 0 {
                shown.push_str(part);
                continue;
            }
            let (tag, words) = part.split_once('>').unwrap();
            let link = tag.split_once("href=\"").and_then(|(_, rest)| rest.split('"').next());
            let name = tag.split(' ').next().unwrap();
            match link {
                Some(link) => shown.extend(["<", name, " ", link, ">", words]),
                None => shown.extend(["<", name, ">", words]),
            }
        }
        assert_eq!(shown.trim(), expected, "{text}");
    }

    #[test]
    fn lines_of_built_in_text_flow_and_those_of_an_account_stay() {
        check("One\ntwo.\n\nThree.\n", Wording::BuiltIn, "<p>One\ntwo.</p>\n<p>Three.</p>");
        check("One\ntwo.\n\nThree.\n", Wording::Own, "<p>One<br>\ntwo.</p>\n<p>Three.</p>");
    }

    #[test]
    fn facts_stand_in_columns_and_a_link_on_a_line_is_a_button() {
        let text = format!("    Von:     <b>Eve</b>\n    Betreff: a  b\n    {LINK}\n");
        check(
            &text,
            Wording::BuiltIn,
            &format!(
                "<table>\n<tr><td>Von:</td><td>&lt;b&gt;Eve&lt;/b&gt;</td></tr>\n\
                 <tr><td>Betreff:</td><td>a  b</td></tr>\n</table>\n\
                 <p><a {LINK}>Read &amp; decide</a></p>\n<p>{LINK}</p>"
            ),
        );
        check("    - Join  it\n", Wording::BuiltIn, "<p>- Join  it</p>");
        check("    a\n    b c\n", Wording::BuiltIn, "<p>a<br>\nb c</p>");
    }

    #[test]
    fn no_address_of_a_stranger_is_a_link() {
        check(
            "    https://evil.example/\n\n> <a href=\"https://evil.example/\">\n>\n> x\n",
            Wording::BuiltIn,
            "<p>https://evil.example/</p>\n<blockquote>&lt;a href=&quot;https://evil.example/&quot;&gt;<br>\n<br>\nx\
             </blockquote>",
        );
    }

    #[test]
    fn a_link_among_an_accounts_own_words_has_its_button_below_them() {
        check(
            &format!("Please press ({LINK}).\nThanks\n"),
            Wording::Own,
            &format!(
                "<p>Please press ({LINK}).<br>\nThanks</p>\n<p><a {LINK}>Read &amp; decide</a></p>\n<p>{LINK}</p>"
            ),
        );
    }

    #[test]
    fn wrapped_results_of_commands_are_put_together_again() {
        let long = "x".repeat(60);
        let text = format!("    subscribe\n        {long} and\n        something\n        else\n");
        check(&text, Wording::BuiltIn, &format!("<p>subscribe<br>\n{long} and something<br>\nelse</p>"));
    }
}
