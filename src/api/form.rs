//! Strict decoding of forms and queries (`application/x-www-form-urlencoded`), and of path segments.
//!
//! A percent sign without two hexadecimal digits behind it, or bytes that are not UTF-8, are an error that says
//! where: guessing would store what nobody meant.

use std::borrow::Cow;

/// Where a text is not well formed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FormError {
    /// `%` without two hexadecimal digits.
    #[error("at byte {at}: % stands before two hexadecimal digits; by itself it is written %25")]
    Escape {
        /// Offset in the whole text.
        at: usize,
    },
    /// Bytes that are no text.
    #[error("in the part that begins at byte {at}: it is not UTF-8")]
    Utf8 {
        /// Offset of the name or value in the whole text.
        at: usize,
    },
}

/// The names and values of a form, in order.
pub(super) fn pairs(form: &[u8]) -> Result<Vec<(String, String)>, FormError> {
    let mut pairs = Vec::new();
    let mut at = 0;
    for part in form.split(|byte| *byte == b'&') {
        if !part.is_empty() {
            let (name, value) = match part.iter().position(|byte| *byte == b'=') {
                Some(equals) => (&part[..equals], &part[equals + 1..]),
                None => (part, &part[part.len()..]),
            };
            let value_at = at + part.len() - value.len();
            pairs.push((decode(name, at, true)?.into_owned(), decode(value, value_at, true)?.into_owned()));
        }
        at += part.len() + 1;
    }
    Ok(pairs)
}

/// A segment of a path as text; `+` stands for itself there.
pub(super) fn segment(text: &str) -> Result<Cow<'_, str>, FormError> {
    decode(text.as_bytes(), 0, false)
}

fn decode(bytes: &[u8], at: usize, plus_is_blank: bool) -> Result<Cow<'_, str>, FormError> {
    let is_plain = !bytes.iter().any(|byte| *byte == b'%' || (plus_is_blank && *byte == b'+'));
    if is_plain {
        return std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| FormError::Utf8 { at });
    }
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        match byte {
            b'%' => {
                let digits = bytes.get(place + 1..place + 3).unwrap_or_default();
                let digits = std::str::from_utf8(digits).ok().filter(|digits| is_hexadecimal(digits));
                let octet = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                decoded.push(octet.ok_or(FormError::Escape { at: at + place })?);
                place += 2;
            }
            b'+' if plus_is_blank => decoded.push(b' '),
            other => decoded.push(*other),
        }
        place += 1;
    }
    String::from_utf8(decoded).map(Cow::Owned).map_err(|_| FormError::Utf8 { at })
}

/// `from_str_radix` would also take a sign.
fn is_hexadecimal(digits: &str) -> bool {
    digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(form: &[u8], expected: Result<&[(&str, &str)], FormError>) {
        let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        assert_eq!(pairs(form), expected.map(owned));
    }

    #[test]
    fn names_and_values_come_out_decoded_and_in_order() {
        check(
            b"a=1&b=x+y%20z&a=%C3%A9&c&&d=e=f",
            Ok(&[("a", "1"), ("b", "x y z"), ("a", "é"), ("c", ""), ("d", "e=f")]),
        );
        check(b"", Ok(&[]));
        check("ä=ö".as_bytes(), Ok(&[("ä", "ö")]));
    }

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_place() {
        check(b"a=1&b=%zz", Err(FormError::Escape { at: 6 }));
        check(b"%", Err(FormError::Escape { at: 0 }));
        check(b"a=%4", Err(FormError::Escape { at: 2 }));
        check(b"a=%+1", Err(FormError::Escape { at: 2 }));
        check(b"a=%ff", Err(FormError::Utf8 { at: 2 }));
        check(b"a=1&\xff=2", Err(FormError::Utf8 { at: 4 }));
    }

    #[test]
    fn a_plus_in_a_path_is_a_plus() {
        assert_eq!(segment("ada+x%40y").unwrap(), "ada+x@y");
    }

    proptest! {
        #[test]
        fn any_bytes_decode_or_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(pairs) = pairs(&bytes) {
                let length: usize = pairs.iter().map(|(name, value)| name.len() + value.len()).sum();
                prop_assert!(length <= bytes.len());
            }
        }
    }
}
