//! Decodes forms and queries (`application/x-www-form-urlencoded`), and path segments.
//!
//! Forms and queries are decoded as leniently as common clients need: a percent sign that is not followed by two
//! hexadecimal digits stands for itself, and bytes that are not UTF-8 become U+FFFD (`spec/api.md` 9). A path is
//! decoded strictly: it names the object that is changed or deleted, which is never guessed.

use std::borrow::Cow;

/// Most values of one form.
pub(super) const VALUES_MAX: usize = 1000;

/// More than [`VALUES_MAX`] values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooManyValues;

/// Parses the names and values of a form, in order. Takes time in proportion to the form's length, whatever its
/// content.
pub(super) fn pairs(form: &[u8]) -> Result<Vec<(String, String)>, TooManyValues> {
    let mut pairs = Vec::new();
    for part in form.split(|byte| *byte == b'&').filter(|part| !part.is_empty()) {
        if pairs.len() == VALUES_MAX {
            return Err(TooManyValues);
        }
        let (name, value) = match part.iter().position(|byte| *byte == b'=') {
            Some(equals) => (&part[..equals], &part[equals + 1..]),
            None => (part, &part[part.len()..]),
        };
        pairs.push((text(decode(name, true)), text(decode(value, true))));
    }
    Ok(pairs)
}

/// Converts bytes to text; bytes that are not UTF-8 become U+FFFD.
pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Decodes a path segment; `None` if it is not well formed. `+` stands for itself there.
pub(super) fn segment(segment: &str) -> Option<Cow<'_, str>> {
    if !segment.contains('%') {
        return Some(Cow::Borrowed(segment));
    }
    let bytes = segment.as_bytes();
    let is_strict = bytes.iter().enumerate().all(|(at, byte)| *byte != b'%' || escaped(bytes, at).is_some());
    if !is_strict {
        return None;
    }
    String::from_utf8(decode(bytes, false)).ok().map(Cow::Owned)
}

fn decode(bytes: &[u8], plus_is_blank: bool) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, escaped(bytes, at)) {
            (_, Some(octet)) => {
                decoded.push(octet);
                at += 3;
                continue;
            }
            (b'+', None) if plus_is_blank => decoded.push(b' '),
            (other, None) => decoded.push(*other),
        }
        at += 1;
    }
    decoded
}

/// The byte that is escaped at this position; `None` if no complete escape begins here.
fn escaped(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    match bytes.get(at..at + 3) {
        Some([b'%', high, low]) => Some(digit(high)? * 16 + digit(low)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(form: &[u8], expected: &[(&str, &str)]) {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        assert_eq!(pairs(form), Ok(expected.iter().map(owned).collect()));
    }

    #[test]
    fn names_and_values_come_out_decoded_and_in_order() {
        check(
            b"a=1&b=x+y%20z&a=%C3%A9&c&&d=e=f",
            &[("a", "1"), ("b", "x y z"), ("a", "é"), ("c", ""), ("d", "e=f")],
        );
        check(b"", &[]);
        check("ä=ö".as_bytes(), &[("ä", "ö")]);
    }

    #[test]
    fn a_percent_sign_without_two_digits_stands_for_itself() {
        check(b"a=100%&b=%zz", &[("a", "100%"), ("b", "%zz")]);
        check(b"%", &[("%", "")]);
        check(b"a=%4", &[("a", "%4")]);
        check(b"a=%+1", &[("a", "% 1")]);
        check(b"a=%%41", &[("a", "%A")]);
    }

    #[test]
    fn bytes_that_are_not_utf_8_become_replacement_characters() {
        check(b"a=%ff", &[("a", "\u{fffd}")]);
        check(b"a=1&\xff=2", &[("a", "1"), ("\u{fffd}", "2")]);
        check(b"name=Jos%C3&a=1", &[("name", "Jos\u{fffd}"), ("a", "1")]);
    }

    #[test]
    fn a_form_has_at_most_a_thousand_values() {
        let form = |values: usize| "a=1&&".repeat(values);
        assert_eq!(pairs(form(VALUES_MAX).as_bytes()).map(|pairs| pairs.len()), Ok(VALUES_MAX));
        assert_eq!(pairs(form(VALUES_MAX + 1).as_bytes()), Err(TooManyValues));
    }

    #[test]
    fn a_path_is_decoded_strictly_and_a_plus_in_it_is_a_plus() {
        assert_eq!(segment("ada+x%40y").as_deref(), Some("ada+x@y"));
        for wrong in ["%", "a%4", "%zz", "%ff", "%+1"] {
            assert_eq!(segment(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_to_at_most_a_replacement_character_for_each(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let pairs = pairs(&bytes).unwrap_or_default();
            let length: usize = pairs.iter().map(|(name, value)| name.len() + value.len()).sum();
            let replaced = bytes.len() * char::REPLACEMENT_CHARACTER.len_utf8();
            prop_assert!(length <= replaced);
        }
    }
}
