//! The first part of a digest: what is in it, as text and as HTML in the looks of the pages.
//!
//! What others wrote is escaped: a dollar sign of theirs is no variable. The only variables are the places for a member's
//! own links, which stand for the page of the list where copies are shared.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::facts::{DigestEntry, NewDigest, ascii};
use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::calm::{self, SANS};
use crate::mail::header;
use crate::mail::text;
use crate::model::Language;
use crate::model::digest::Day;

/// Characters of a line of text.
const LINE_CHARS: usize = 74;
/// Characters that stand for a member's own links until everything else is escaped.
const LEAVE: char = '\u{1}';
const MANAGE: char = '\u{2}';
/// Characters that a query of a `mailto` link keeps.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A day with its weekday: "Sunday, 22 November 2026".
#[must_use]
pub fn day_in_words(locale: &Locale, day: Day, with_weekday: bool) -> String {
    let Day { year, month, day: number } = day;
    // The year is no number that thousands are told apart in.
    let words = text!(locale.language, "date-day", day = number, month = month, year = year.to_string());
    let date = jiff::civil::Date::new(year, month, number).ok().filter(|_| with_weekday);
    match date {
        Some(date) => capitalized(&text!(
            locale.language,
            "digest-date",
            weekday = weekday(locale.language, date.weekday()),
            day = words,
        )),
        None => words,
    }
}

/// A text with its first letter in upper case.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The words of the link to a message in the archive: to the rest of it, if its first words are not all that it says.
fn read_words(language: Language, entry: &DigestEntry) -> String {
    if entry.first_words.ends_with('…') {
        text!(language, "digest-read")
    } else {
        text!(language, "digest-archive")
    }
}

fn weekday(language: Language, weekday: jiff::civil::Weekday) -> String {
    text!(language, "digest-weekday", number = weekday.to_monday_one_offset())
}

/// When a message was accepted, by a digest: "Saturday 18:40".
fn time_in_words(locale: &Locale, time: Timestamp) -> String {
    let local = time.in_zone(locale.zone.clone());
    let clock = local.strftime("%H:%M").to_string();
    text!(locale.language, "digest-time", weekday = weekday(locale.language, local.weekday()), clock = clock)
}

/// The author, the time and the files of a message on one line.
fn about(digest: &NewDigest<'_>, entry: &DigestEntry) -> String {
    let language = digest.locale.language;
    let time = time_in_words(digest.locale, entry.time);
    let mut line = text!(language, "digest-sender", name = header::one_line(&entry.sender), time = time);
    if 0 < entry.attachments {
        line += ", ";
        line += &text!(language, "digest-attachments", count = entry.attachments);
    }
    line
}

fn subject_of(language: Language, entry: &DigestEntry) -> String {
    let subject = header::one_line(&entry.subject);
    if subject.trim().is_empty() { text!(language, "digest-no-subject") } else { subject }
}

/// A link that writes a reply to the list.
fn reply_link(digest: &NewDigest<'_>, entry: &DigestEntry) -> String {
    let subject = header::one_line(&entry.subject);
    let is_reply = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    let subject = if is_reply { subject } else { format!("Re: {subject}") };
    let subject = utf8_percent_encode(subject.trim_end(), QUERY);
    let parent = format!("<{}>", entry.message_id);
    let parent = utf8_percent_encode(&parent, QUERY);
    format!("mailto:{}?subject={subject}&In-Reply-To={parent}", ascii(digest.list_address))
}

/// Why a message is in the contents alone; `None` if it is attached.
fn too_large(language: Language, entry: &DigestEntry) -> Option<String> {
    let is_readable = entry.permalink.is_some();
    entry.mail.is_none().then(|| {
        if is_readable {
            text!(language, "digest-too-large-archive")
        } else {
            text!(language, "digest-too-large")
        }
    })
}

/// The contents as text.
pub(super) fn text(digest: &NewDigest<'_>) -> String {
    let language = digest.locale.language;
    let mut out = String::new();
    let title = header::one_line(digest.list_title);
    let intro = text!(language, "digest-intro", count = digest.entries.len());
    for paragraph in [&title, digest.day, &intro] {
        wrap(paragraph, "", &mut out);
        out.push('\n');
    }
    for (place, entry) in digest.entries.iter().enumerate() {
        wrap(&format!("{}. {}", place + 1, subject_of(language, entry)), "", &mut out);
        wrap(&about(digest, entry), "   ", &mut out);
        out.push('\n');
        wrap(&entry.first_words, "   ", &mut out);
        if let Some(note) = too_large(language, entry) {
            wrap(&note, "   ", &mut out);
        }
        if let Some(link) = &entry.permalink {
            let _ = writeln!(out, "   {}: {link}", read_words(language, entry));
        }
        let _ = writeln!(out, "   {}: {}", text!(language, "digest-reply"), reply_link(digest, entry));
        out.push('\n');
    }
    wrap(&text!(language, "digest-why"), "", &mut out);
    let _ = writeln!(out, "{}: {MANAGE}", text!(language, "digest-single"));
    let _ = writeln!(out, "{}: {LEAVE}", text!(language, "digest-leave"));
    with_links(&out)
}

/// Appends a paragraph in lines of [`LINE_CHARS`]; a word that is longer has a line of its own.
fn wrap(paragraph: &str, indent: &str, out: &mut String) {
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if column == 0 {
            out.push_str(indent);
            column = indent.len();
        } else if LINE_CHARS < column + 1 + length {
            out.push('\n');
            out.push_str(indent);
            column = indent.len();
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    if column != 0 {
        out.push('\n');
    }
}

/// The contents as HTML.
pub(super) fn html(digest: &NewDigest<'_>) -> String {
    let language = digest.locale.language;
    let escaped = |text: &str| text::escape_html(text);
    let title = header::one_line(digest.list_title);
    let intro = escaped(&text!(language, "digest-intro", count = digest.entries.len()));
    let mut out = calm::head(language, digest.subject, &title, digest.day, "");
    let _ = writeln!(out, "<p style=\"margin: 0;\">{intro}</p>\n</td></tr>");
    for entry in digest.entries {
        write_entry(digest, entry, &mut out);
    }
    let _ = write!(
        out,
        "<tr><td class=\"rule soft\" style=\"padding: 18px 0 0; border-top: 1px solid #d8ddd8; {SANS}; \
         color: #535c57;\">\n<p style=\"margin: 0 0 6px;\">{why}</p>\n<p style=\"margin: 0;\">\
         <a class=\"link\" href=\"{MANAGE}\" style=\"color: #0b5c63;\">{single}</a> &nbsp; \
         <a class=\"link\" href=\"{LEAVE}\" style=\"color: #0b5c63;\">{leave}</a></p>\n</td></tr>\n{tail}",
        tail = calm::TAIL,
        why = escaped(&text!(language, "digest-why")),
        single = escaped(&text!(language, "digest-single")),
        leave = escaped(&text!(language, "digest-leave")),
    );
    with_links(&out)
}

fn write_entry(digest: &NewDigest<'_>, entry: &DigestEntry, out: &mut String) {
    let language = digest.locale.language;
    let escaped = |text: &str| text::escape_html(text);
    let mut subject = escaped(&subject_of(language, entry));
    let mut links = Vec::new();
    let link = |target: &str, words: &str| {
        format!(
            "<a class=\"link\" href=\"{}\" style=\"color: #0b5c63;\">{}</a>",
            escaped(target),
            escaped(words)
        )
    };
    if let Some(permalink) = &entry.permalink {
        subject = format!(
            "<a class=\"link\" href=\"{}\" style=\"color: #0b5c63; text-decoration: none;\">{subject}</a>",
            escaped(permalink)
        );
        links.push(link(permalink, &read_words(language, entry)));
    }
    links.push(link(&reply_link(digest, entry), &text!(language, "digest-reply")));
    let _ = write!(
        out,
        "<tr><td class=\"rule\" style=\"padding: 18px 0; border-top: 1px solid #d8ddd8;\">\n\
         <h2 style=\"margin: 0; font-size: 19px; line-height: 1.3; font-weight: 700;\">{subject}</h2>\n\
         <p class=\"soft\" style=\"margin: 2px 0 6px; {SANS}; color: #535c57;\">{about}</p>\n",
        about = escaped(&about(digest, entry)),
    );
    let note = too_large(language, entry);
    for words in [Some(&entry.first_words), note.as_ref()].into_iter().flatten() {
        if !words.trim().is_empty() {
            // The line end keeps words that begin like a signed text from being taken for one.
            let _ = writeln!(out, "<p style=\"margin: 0 0 6px;\" dir=\"auto\">\n{}</p>", escaped(words));
        }
    }
    let _ = writeln!(out, "<p style=\"margin: 0; {SANS};\">{}</p>\n</td></tr>", links.join(" &nbsp; "));
}

/// The text with the places for a member's own links as variables, and no other variable.
fn with_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '$' => out.push_str("$$"),
            LEAVE => out.push_str("$UNSUBSCRIBE"),
            MANAGE => out.push_str("$MANAGE"),
            char => out.push(char),
        }
    }
    out
}
