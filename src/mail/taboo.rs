//! Matches the taboo patterns of lists against one message, within a budget of time and text.
//!
//! Posting and the simulator call it before a decision. If the budget ends first, the message is held, and never posted
//! unchecked.

use std::cell::OnceCell;

use super::parse::Inbound;
use super::pattern::{Budget, PatternPair, PatternSet, Unjudged};
use super::policy::HoldReason;
use super::visible::visible_texts;

/// Bytes of decoded text of one message that are matched. For HTML, its source is counted.
pub const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// Encoded bytes that are decoded per byte of text: quoted-printable takes three, and line ends.
const ENCODED_PER_BYTE: usize = 4;

/// The texts of a message that patterns are matched against, decoded when the first list needs them.
#[derive(Debug)]
pub struct TabooText<'a> {
    message: &'a Inbound,
    headers: OnceCell<Texts>,
    body: OnceCell<Texts>,
}

#[derive(Debug, Default)]
struct Texts {
    texts: Vec<String>,
    /// Whether there is more than [`TEXT_BYTES_MAX`].
    is_cut: bool,
}

impl<'a> TabooText<'a> {
    /// The texts of `message`.
    #[must_use]
    pub fn new(message: &'a Inbound) -> TabooText<'a> {
        TabooText { message, headers: OnceCell::new(), body: OnceCell::new() }
    }

    /// The reason to hold the message in a list with these patterns, the first for headers, the second for content.
    #[must_use]
    pub fn find(&self, patterns: &PatternPair, budget: Budget<'_>) -> Option<HoldReason> {
        let headers = || self.headers.get_or_init(|| headers(self.message));
        let body = || self.body.get_or_init(|| body(self.message));
        let found = find_in(&patterns.first, headers, budget).map(|found| found.map(HoldReason::TabooHeader));
        let found = found.transpose().or_else(|| {
            find_in(&patterns.second, body, budget).map(|found| found.map(HoldReason::TabooBody)).transpose()
        });
        found.map(|found| found.unwrap_or_else(HoldReason::Unjudged))
    }
}

/// The first pattern that matches one of the texts. An undecided pattern is an error only if no other matches.
fn find_in<'t>(
    patterns: &PatternSet,
    texts: impl FnOnce() -> &'t Texts,
    budget: Budget<'_>,
) -> Result<Option<String>, Unjudged> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let Texts { texts, is_cut } = texts();
    let mut matcher = patterns.matcher(budget);
    let mut result = if *is_cut { Err(Unjudged::TooMuchText) } else { Ok(None) };
    for text in texts {
        match matcher.find(text) {
            Ok(Some(pattern)) => return Ok(Some(pattern.to_owned())),
            Ok(None) => {}
            Err(Unjudged::OutOfTime) => return Err(Unjudged::OutOfTime),
            Err(unjudged) => result = Err(unjudged),
        }
    }
    result
}

/// The header fields, decoded and unfolded as `Name: value`.
fn headers(message: &Inbound) -> Texts {
    let hint = message.header_hint();
    let line = |field: super::header::Field<'_>| {
        format!("{}: {}", String::from_utf8_lossy(field.name()), field.decoded(hint))
    };
    Texts { texts: message.fields().map(line).collect(), is_cut: false }
}

/// The text parts, decoded; HTML both as source and as readers see it.
fn body(message: &Inbound) -> Texts {
    let mut body = Texts::default();
    let mut left = TEXT_BYTES_MAX;
    for part in
        message.parts.iter().filter(|part| part.media_type.starts_with("text/") && !part.is_attachment)
    {
        if left == 0 {
            body.is_cut |= !part.body.is_empty();
            break;
        }
        let encoded_max = left * ENCODED_PER_BYTE;
        let mut text = message.beginning(part, encoded_max);
        body.is_cut |= encoded_max < part.body.len() || left < text.len();
        text.truncate(text.floor_char_boundary(left));
        left -= text.len();
        if body.is_cut {
            left = 0;
        }
        let is_html = part.media_type == "text/html";
        let seen = is_html.then(|| visible_texts(&text));
        body.texts.push(text);
        if let Some((text, without_raw)) = seen {
            body.texts.push(text);
            body.texts.extend(without_raw);
        }
    }
    body
}
