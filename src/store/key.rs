//! Encodes keys as bytes that sort as the values do.
//!
//! A key is a tuple: parts are appended one after another, and comparing two keys byte by byte compares the
//! tuples part by part. Numbers are big-endian; texts end with a terminator that no text can contain, so that
//! `("a", "b")` never equals `("ab", "")`. [`KeyReader`] takes a row's key apart again.

use std::fmt;
use std::ops::Bound;

/// Ends a text. A zero byte inside a text is written as [`ESCAPED_ZERO`], which sorts after every end.
const TEXT_END: [u8; 2] = [0x00, 0x00];

/// A zero byte inside a text.
const ESCAPED_ZERO: [u8; 2] = [0x00, 0xFF];

/// Bytes that order as the tuple they were built from, part by part.
///
/// The empty key is a prefix of every key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Key(Vec<u8>);

impl Key {
    /// The empty tuple.
    #[must_use]
    pub const fn new() -> Key {
        Key(Vec::new())
    }

    /// Appends a number.
    #[must_use]
    pub fn u64(mut self, number: u64) -> Key {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// Appends a small number: a kind, a state, a flag.
    #[must_use]
    pub fn u8(mut self, number: u8) -> Key {
        self.0.push(number);
        self
    }

    /// Appends a number in descending order: larger numbers sort first.
    #[must_use]
    pub fn descending(self, number: u64) -> Key {
        self.u64(!number)
    }

    /// Appends a whole text, with its terminator.
    #[must_use]
    pub fn text(self, text: &str) -> Key {
        self.bytes(text.as_bytes())
    }

    /// Appends whole bytes, with their terminator.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Key {
        self.escape(bytes);
        self.0.extend_from_slice(&TEXT_END);
        self
    }

    /// Appends the beginning of a text: the result is a prefix of every key whose text begins so. Nothing may
    /// be appended after it.
    #[must_use]
    pub fn text_prefix(mut self, beginning: &str) -> Key {
        self.escape(beginning.as_bytes());
        self
    }

    /// Appends the beginning of bytes, in the same way.
    #[must_use]
    pub fn bytes_prefix(mut self, beginning: &[u8]) -> Key {
        self.escape(beginning);
        self
    }

    /// The bytes as they are stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A key that continues from the bytes of a row.
    #[must_use]
    pub fn from_row(row: &[u8]) -> Key {
        Key(row.to_vec())
    }

    /// The least key after every key that begins with this one, as the end of a range.
    pub(super) fn prefix_end(&self) -> Bound<Vec<u8>> {
        let mut end = self.0.clone();
        while let Some(last) = end.pop() {
            if last < u8::MAX {
                end.push(last + 1);
                return Bound::Excluded(end);
            }
        }
        Bound::Unbounded
    }

    fn escape(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(zero) = rest.iter().position(|byte| *byte == 0) {
            self.0.extend_from_slice(&rest[..zero]);
            self.0.extend_from_slice(&ESCAPED_ZERO);
            rest = &rest[zero + 1..];
        }
        self.0.extend_from_slice(rest);
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Key({})", self.0.escape_ascii())
    }
}

/// Takes the parts of a row's key out again, in the order in which they were appended.
///
/// Every method returns `None` if the bytes do not hold such a part.
#[derive(Debug, Clone)]
pub struct KeyReader<'row>(&'row [u8]);

impl<'row> KeyReader<'row> {
    /// Begins at the first part.
    #[must_use]
    pub fn new(row: &'row [u8]) -> KeyReader<'row> {
        KeyReader(row)
    }

    /// The next part, a number.
    pub fn u64(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_be_bytes(*number))
    }

    /// The next part, a number appended by [`Key::descending`].
    pub fn descending(&mut self) -> Option<u64> {
        self.u64().map(|number| !number)
    }

    /// The next part, a small number.
    pub fn u8(&mut self) -> Option<u8> {
        let (number, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*number)
    }

    /// The next part, a text.
    pub fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    /// The next part, bytes.
    pub fn bytes(&mut self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut rest = self.0;
        loop {
            let zero = rest.iter().position(|byte| *byte == 0)?;
            bytes.extend_from_slice(&rest[..zero]);
            let (mark, after) = rest[zero..].split_first_chunk::<2>()?;
            rest = after;
            match *mark {
                TEXT_END => {
                    self.0 = rest;
                    return Some(bytes);
                }
                ESCAPED_ZERO => bytes.push(0),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_before_the_next_part_begins() {
        assert!(Key::new().text("a").text("z") < Key::new().text("ab").text(""));
        assert!(Key::new().text("a").u64(u64::MAX) < Key::new().text("a\0").u64(0));
        assert_ne!(Key::new().text("a").text("b"), Key::new().text("ab").text(""));
    }

    #[test]
    fn a_prefix_ends_after_everything_that_begins_with_it() {
        let end_of = |key: Key| key.prefix_end();
        assert_eq!(end_of(Key::new()), Bound::Unbounded);
        assert_eq!(end_of(Key::new().u64(u64::MAX)), Bound::Unbounded);
        assert_eq!(end_of(Key::new().u8(1).u8(255)), Bound::Excluded(vec![2]));
        assert_eq!(end_of(Key::new().text_prefix("ab")), Bound::Excluded(b"ac".to_vec()));
    }

    #[test]
    fn a_reader_gives_back_what_was_appended() {
        let key = Key::new().u64(7).text("a\0b").u8(3).descending(9).bytes(&[0, 0]);
        let mut reader = KeyReader::new(key.as_bytes());
        assert_eq!(reader.u64(), Some(7));
        assert_eq!(reader.text().as_deref(), Some("a\0b"));
        assert_eq!(reader.u8(), Some(3));
        assert_eq!(reader.descending(), Some(9));
        assert_eq!(reader.bytes(), Some(vec![0, 0]));
        assert_eq!(reader.u8(), None);
    }

    #[test]
    fn a_cut_row_gives_no_part() {
        assert_eq!(KeyReader::new(&[1, 2]).u64(), None);
        assert_eq!(KeyReader::new(b"ab").text(), None);
        assert_eq!(KeyReader::new(&[b'a', 0, 7]).text(), None);
    }
}
