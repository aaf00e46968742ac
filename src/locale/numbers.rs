//! Numbers as catalogues write them in texts.

use fluent_bundle::FluentValue;

/// Numbers with `SEPARATOR` between their thousands, from `DIGITS_MIN` digits on; other values as they are.
pub(super) fn written<const SEPARATOR: char, const DIGITS_MIN: usize>(
    value: &FluentValue<'_>,
    _memo: &impl Sized,
) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let text = number.as_string();
    let digits = text.trim_start_matches('-');
    if digits.len() < DIGITS_MIN || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut written = text[..text.len() - digits.len()].to_owned();
    for (at, digit) in digits.char_indices() {
        if at != 0 && (digits.len() - at).is_multiple_of(3) {
            written.push(SEPARATOR);
        }
        written.push(digit);
    }
    Some(written)
}
