//! Whether a text has a fronter or footer already, as after another round through the list or in an answer
//! that ends with the message it answers.

use super::header_footer::{HeaderFooter, TextSegment};
use super::slot::{Slot, VALUE_BYTES_MAX};
use crate::mail::text;

/// Bytes of fixed text by which a fronter or footer with personal values is known again, if it has no link.
const FIXED_BYTES_MIN: usize = 16;
/// The text by which this server's personal links are known.
const PAGES: [&[u8]; 2] = [b"/unsubscribe/", b"/members/"];

/// A stretch of a decoration as it stands in a text.
enum Piece {
    Fixed(Vec<u8>),
    /// A personal value.
    Value {
        /// Whether it leads to a page of this server.
        is_link: bool,
    },
}

/// The pieces of a decoration in a character set. Nothing where it does not fit the set, or has too little by
/// which it could be known.
fn pieces(header_footer: &HeaderFooter, charset: Option<&str>) -> Option<Vec<Piece>> {
    let fixed: usize = header_footer.literals().map(str::len).sum();
    let is_known =
        !header_footer.is_personal() || FIXED_BYTES_MIN <= fixed || header_footer.slots().any(Slot::is_link);
    if header_footer.is_empty() || !is_known {
        return None;
    }
    let piece = |text_segment: &TextSegment| match text_segment {
        TextSegment::Literal(literal) => {
            text::encode_charset(literal, charset).map(|bytes| Piece::Fixed(bytes.into_owned()))
        }
        TextSegment::Personal(slot) => Some(Piece::Value { is_link: slot.is_link() }),
    };
    header_footer.text_segments.iter().map(piece).collect()
}

/// Whether `value` may be what stands for a personal value: on one line, and a link where it has to be one.
fn is_value(value: &[u8], is_link: bool) -> bool {
    let has_page = || PAGES.iter().any(|page| memchr::memmem::find(value, page).is_some());
    memchr::memchr2(b'\r', b'\n', value).is_none() && (!is_link || has_page())
}

/// The length of the fronter at the start of `content`, if it is there with whatever personal values.
pub(super) fn find_fronter(content: &[u8], fronter: &HeaderFooter, charset: Option<&str>) -> Option<usize> {
    let mut position = content.len() - content.trim_ascii_start().len();
    let mut value = None;
    for piece in &pieces(fronter, charset)? {
        let rest = &content[position..];
        match (piece, value.take()) {
            (Piece::Value { is_link }, before) => value = Some(*is_link || before == Some(true)),
            (Piece::Fixed(fixed), None) => position += rest.starts_with(fixed).then_some(fixed.len())?,
            (Piece::Fixed(fixed), Some(is_link)) => {
                let window = &rest[..rest.len().min(VALUE_BYTES_MAX + fixed.len())];
                let at = memchr::memmem::find(window, fixed)?;
                position += is_value(&rest[..at], is_link).then_some(at + fixed.len())?;
            }
        }
    }
    if let Some(is_link) = value {
        let rest = &content[position..];
        let length = memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        position += is_value(&rest[..length], is_link).then_some(length)?;
    }
    Some(position)
}

/// Where the footer at the end of `content` begins, if it is there with whatever personal values.
pub(super) fn find_footer(content: &[u8], footer: &HeaderFooter, charset: Option<&str>) -> Option<usize> {
    let mut end = content.trim_ascii_end().len();
    let mut value = None;
    for piece in pieces(footer, charset)?.iter().rev() {
        let rest = &content[..end];
        match (piece, value.take()) {
            (Piece::Value { is_link }, behind) => value = Some(*is_link || behind == Some(true)),
            (Piece::Fixed(fixed), None) => end -= rest.ends_with(fixed).then_some(fixed.len())?,
            (Piece::Fixed(fixed), Some(is_link)) => {
                let start = rest.len().saturating_sub(VALUE_BYTES_MAX + fixed.len());
                let at = start + memchr::memmem::rfind(&rest[start..], fixed)?;
                end = is_value(&rest[at + fixed.len()..], is_link).then_some(at)?;
            }
        }
    }
    if let Some(is_link) = value {
        let start = memchr::memrchr2(b'\r', b'\n', &content[..end]).map_or(0, |at| at + 1);
        end = is_value(&content[start..end], is_link).then_some(start)?;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footer() -> HeaderFooter {
        let literal = |text: &str| TextSegment::Literal(text.to_owned());
        let personal = TextSegment::Personal;
        HeaderFooter {
            text_segments: vec![
                literal("Sent to "),
                personal(Slot::Email),
                literal(" by the list.\r\nLeave: "),
                personal(Slot::UnsubscribeUrl),
            ],
        }
    }

    #[test]
    fn a_footer_with_other_values_is_found() {
        let find = |content: &str| find_footer(content.as_bytes(), &footer(), None);
        assert_eq!(
            find("hi\r\n\r\nSent to a@x.org by the list.\r\nLeave: https://x/unsubscribe/1/\r\n"),
            Some(6)
        );
        assert_eq!(find("Sent to a@x.org\r\nb by the list.\r\nLeave: https://x/unsubscribe/1/\r\n"), None);
        assert_eq!(find("hi"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn a_fronter_with_other_values_is_found() {
        let find = |content: &str| find_fronter(content.as_bytes(), &footer(), None);
        let text = "\r\nSent to a@x.org by the list.\r\nLeave: https://x/unsubscribe/1/";
        assert_eq!(find(&format!("{text}\r\n\r\nhi")), Some(text.len()));
        assert_eq!(find("Sent to you"), None);
    }

    #[test]
    fn values_alone_are_no_footer() {
        let value = HeaderFooter { text_segments: vec![TextSegment::Personal(Slot::Name)] };
        assert_eq!(find_footer(b"hi\r\nAda", &value, None), None);
        let link = HeaderFooter { text_segments: vec![TextSegment::Personal(Slot::UnsubscribeUrl)] };
        assert_eq!(find_footer(b"hi\r\nhttps://x/", &link, None), None);
        assert_eq!(find_footer(b"hi\r\nhttps://x/unsubscribe/1/", &link, None), Some(4));
    }
}
