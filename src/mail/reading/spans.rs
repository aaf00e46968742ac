//! Finds web and mail addresses in text.

/// Bytes of an address; what is beyond is text.
const LINK_BYTES_MAX: usize = 2000;

/// A stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span<'a> {
    /// Text.
    Text(&'a str),
    /// A web address.
    Web(&'a str),
    /// A mail address, perhaps with `mailto:` in front.
    Mail(&'a str),
}

/// `text` in stretches, of which those that are addresses can become links.
#[must_use]
pub fn spans(text: &str) -> Vec<Span<'_>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(next) = memchr::memchr2(b':', b'@', &text.as_bytes()[at..]).map(|next| at + next) {
        at = next + 1;
        let link = match text.as_bytes()[next] {
            b':' => web(text, from, next),
            _ => mail(text, from, next),
        };
        let Some((start, end, is_web)) = link else { continue };
        if from < start {
            found.push(Span::Text(&text[from..start]));
        }
        found.push(if is_web { Span::Web(&text[start..end]) } else { Span::Mail(&text[start..end]) });
        (from, at) = (end, end);
    }
    if from < text.len() {
        found.push(Span::Text(&text[from..]));
    }
    found
}

/// The web address whose scheme ends with the colon at `colon`.
fn web(text: &str, from: usize, colon: usize) -> Option<(usize, usize, bool)> {
    let before = &text.as_bytes()[from..colon];
    let scheme = ["https", "http"].into_iter().find(|scheme| {
        before
            .len()
            .checked_sub(scheme.len())
            .is_some_and(|at| before[at..].eq_ignore_ascii_case(scheme.as_bytes()))
    })?;
    let start = colon - scheme.len();
    let is_word = text[from..start].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
    let behind = text[colon..].strip_prefix("://")?;
    let is_of_link =
        |c: char| !c.is_whitespace() && !c.is_control() && !"<>\"`{}|\\^“”«»「」『』。，、（）".contains(c);
    let near = &behind[..behind.floor_char_boundary(LINK_BYTES_MAX)];
    let length = near.find(|c| !is_of_link(c)).unwrap_or(near.len());
    let length = trimmed(&behind[..length]);
    let is_host = behind[..length].starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let end = colon + 3 + length;
    (!is_word && is_host).then_some((start, end, true))
}

/// The length of an address without the marks of the sentence that it ends. A bracket stays if it was opened inside.
fn trimmed(link: &str) -> usize {
    let count = |mark: char| link.matches(mark).count();
    let mut round = (count('('), count(')'));
    let mut square = (count('['), count(']'));
    let mut link = link;
    while let Some(last) = link.chars().next_back() {
        let closing = match last {
            ')' => Some(&mut round),
            ']' => Some(&mut square),
            _ => None,
        };
        let is_mark = match closing {
            Some((opened, closed)) => {
                *closed -= 1;
                *opened <= *closed
            }
            None => ".,;:!?'*_".contains(last),
        };
        if !is_mark {
            break;
        }
        link = &link[..link.len() - last.len_utf8()];
    }
    link.len()
}

/// The mail address around the at sign at `at`.
fn mail(text: &str, from: usize, at: usize) -> Option<(usize, usize, bool)> {
    let is_of_local = |c: char| c.is_alphanumeric() || "!#$%&*+-/=?^_{|}~.'".contains(c);
    let near = &text[from..at];
    // Local parts have at most 64 bytes.
    let near = &near[near.floor_char_boundary(near.len().saturating_sub(65))..];
    let local = near.trim_end_matches(is_of_local).len();
    let local = near[local..].trim_start_matches(['.', '\'', '/', '=', '&', '?', '|', '*', '_']);
    let behind = &text[at + 1..];
    let is_of_domain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.');
    let length = behind.find(|c| !is_of_domain(c)).unwrap_or(behind.len());
    let domain = behind[..length].trim_end_matches(['.', '-']);
    let is_domain = domain.contains('.')
        && domain.len() <= 253
        && domain.split('.').all(|label| !label.is_empty())
        && domain.starts_with(char::is_alphanumeric);
    if local.is_empty() || 64 < local.len() || !is_domain {
        return None;
    }
    let mut start = at - local.len();
    let scheme = "mailto:";
    if start - from >= scheme.len() && text.is_char_boundary(start - scheme.len()) {
        let before = &text[start - scheme.len()..start];
        start -= if before.eq_ignore_ascii_case(scheme) { scheme.len() } else { 0 };
    }
    Some((start, at + 1 + domain.len(), false))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Span<'_>]) {
        assert_eq!(spans(text), expected);
    }

    #[test]
    fn addresses_are_found_without_the_marks_around_them() {
        use Span::{Mail, Text, Web};
        check("see https://x.org/a?b=1.", &[Text("see "), Web("https://x.org/a?b=1"), Text(".")]);
        check("(HTTP://x.org/a_(b))", &[Text("("), Web("HTTP://x.org/a_(b)"), Text(")")]);
        check("<ada@x.org>,", &[Text("<"), Mail("ada@x.org"), Text(">,")]);
        check("mailto:ada@x.org", &[Mail("mailto:ada@x.org")]);
        check("見てhttps://x.org/。", &[Text("見て"), Web("https://x.org/"), Text("。")]);
    }

    #[test]
    fn other_schemes_and_half_addresses_are_text() {
        for text in [
            "javascript://x.org",
            "javascript:alert(1)",
            "a@b",
            "@x.org",
            "http://",
            "https:// x",
            "a@.x",
            "xhttps://x.org",
        ] {
            check(text, &[Span::Text(text)]);
        }
    }

    proptest! {
        #[test]
        fn spans_are_the_whole_text(text in "([a-z:/@. ü<>()]|https://|mailto:|@x\\.org){0,20}") {
            let whole: String = spans(&text)
                .into_iter()
                .map(|span| match span { Span::Text(text) | Span::Web(text) | Span::Mail(text) => text })
                .collect();
            prop_assert_eq!(whole, text);
        }
    }
}
