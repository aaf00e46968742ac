//! Reads a text in pieces and hides the addresses in it, so that a large one is never in memory as a whole.

use std::borrow::Cow;

use crate::mail::charset;
use crate::mail::mime::Part;
use crate::mail::reading::{AddressHider, BEHIND_BYTES};
use crate::model::TextCharset;

/// Bytes of a line that has not ended after which it is read.
const LINE_BYTES_MAX: usize = 1 << 20;
/// Bytes at the end of such a line that wait for what follows: they tell whether an address ends there.
const KEPT_BYTES: usize = 4 * BEHIND_BYTES;

/// The character set in which the decoded bytes of a part are probably read. Whoever notes it compares what comes of the
/// pieces with the whole.
pub(super) fn charset_of(bytes: &[u8], part: &Part) -> TextCharset {
    let named = part.charset.as_deref().filter(|_| !bytes.is_ascii());
    match named {
        Some(name) if !crate::mail::text::is_utf8(name) => TextCharset::Named(name.to_owned()),
        _ if std::str::from_utf8(bytes).is_ok() => TextCharset::Utf8,
        _ => TextCharset::Western,
    }
}

/// A text that is being read.
#[derive(Debug)]
pub(super) struct HiddenReader {
    charset: TextCharset,
    hider: AddressHider,
    /// The beginning of a line that has not ended.
    line: Vec<u8>,
}

impl HiddenReader {
    /// Begins a text in this character set.
    pub(super) fn new(charset: TextCharset) -> HiddenReader {
        HiddenReader { charset, hider: AddressHider::default(), line: Vec::new() }
    }

    /// The next bytes of the text, up to the end of a line.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.line.extend_from_slice(bytes);
        let end = memchr::memrchr(b'\n', &self.line).map(|at| at + 1);
        let end = end.or_else(|| {
            let end = self.line.len().checked_sub(KEPT_BYTES).filter(|end| LINE_BYTES_MAX < *end)?;
            // No character of UTF-8 is taken apart.
            (0..=end).rev().find(|at| self.line[*at] & 0xc0 != 0x80)
        });
        let Some(end) = end else { return Vec::new() };
        let rest = self.line.split_off(end);
        let line = std::mem::replace(&mut self.line, rest);
        let behind = if line.ends_with(b"\n") { Vec::new() } else { self.line.clone() };
        self.shown(&line, &behind)
    }

    /// The rest of the text.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let line = std::mem::take(&mut self.line);
        self.shown(&line, &[])
    }

    fn shown(&mut self, bytes: &[u8], behind: &[u8]) -> Vec<u8> {
        let (text, behind) = (self.text(bytes).into_owned(), self.text(behind).into_owned());
        self.hider.hide(&text, &behind).into_bytes()
    }

    fn text<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        match &self.charset {
            TextCharset::Named(name) => charset::read_labelled(bytes, name),
            TextCharset::Western => charset::read_western(bytes),
            TextCharset::Utf8 => String::from_utf8_lossy(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::reading::hide_addresses;
    use proptest::prelude::*;

    fn hidden(text: &str, charset: TextCharset, piece_bytes: usize) -> String {
        let mut reader = HiddenReader::new(charset);
        let mut shown: Vec<u8> =
            text.as_bytes().chunks(piece_bytes).flat_map(|piece| reader.push(piece)).collect();
        shown.extend(reader.finish());
        String::from_utf8(shown).unwrap()
    }

    proptest! {
        #[test]
        fn a_text_in_pieces_hides_what_the_whole_hides(
            text in "([a-zé@. %4-]{0,12}(ada@example\\.org|%40|\n)){0,12}", piece_bytes in 1_usize..40,
        ) {
            prop_assert_eq!(hidden(&text, TextCharset::Utf8, piece_bytes), hide_addresses(&text));
        }
    }

    #[test]
    fn an_endless_line_is_read_before_its_end() {
        let text = "é".repeat(2 << 20);
        let mut reader = HiddenReader::new(TextCharset::Utf8);
        let mut shown: Vec<u8> =
            text.as_bytes().chunks(64 << 10).flat_map(|piece| reader.push(piece)).collect();
        assert!(reader.line.len() <= LINE_BYTES_MAX + (64 << 10) + KEPT_BYTES);
        shown.extend(reader.finish());
        assert!(shown == text.as_bytes());
    }
}
