//! Reads mailbox files: the mbox formats (RFC 4155) and the text archives of pipermail.
//!
//! The import of archives uses it. [`Splitter`] takes a file piece by piece, so that its size does
//! not matter, and never fails: what cannot be a message is said to be none, and the rest is read on. Nothing here reads
//! files; `cli::import` does that.
//!
//! Files in the wild are mixed: lines of prose that begin with `From ` stand there unquoted, and blank lines are
//! missing. So a line separates messages if it looks like the line that mail programs write ([`separator`]), not just
//! because of its first word. `Content-Length` is not believed: in files that were ever edited or converted it is
//! wrong, and it would let one message swallow the next.

pub mod hyperkitty;
pub mod pipermail;
mod separator;
mod splitter;

pub use separator::Separator;
pub use splitter::{Piece, Splitter};

/// How lines of text that begin with `From ` are written in a file, apart from the lines that separate messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quoting {
    /// mboxrd: one more `>` stands before every line that begins with any number of them and `From `.
    #[default]
    Mboxrd,
    /// mboxo: a `>` stands before lines that begin with `From ` alone.
    Mboxo,
    /// They stand as they are (mboxcl2).
    None,
}

impl Quoting {
    /// The quoting of this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Quoting> {
        match word {
            "mboxrd" => Some(Quoting::Mboxrd),
            "mboxo" => Some(Quoting::Mboxo),
            "none" => Some(Quoting::None),
            _ => None,
        }
    }

    /// The message whose lines a file has in this form.
    fn unquoted(self, text: &[u8]) -> Vec<u8> {
        let mut plain = Vec::with_capacity(text.len());
        let mut copied = 0;
        if self != Quoting::None {
            for found in memchr::memmem::find_iter(text, b">From ") {
                let marks = text[..found].iter().rev().take_while(|byte| **byte == b'>').count();
                let line_start = found - marks;
                let begins_line = line_start == 0 || text[line_start - 1] == b'\n';
                if begins_line && (marks == 0 || self == Quoting::Mboxrd) {
                    plain.extend_from_slice(&text[copied..found]);
                    copied = found + 1;
                }
            }
        }
        plain.extend_from_slice(&text[copied..]);
        plain
    }
}

/// The kind of a file, as far as its beginning says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// The first line of a mailbox.
    Mailbox,
    /// The header of a single message.
    Message,
    /// Nothing but blank lines.
    Blank,
    /// Something else.
    Other,
}

/// Bytes of a file that tell what it is.
pub const BEGINNING_BYTES: usize = 16 * 1024;

/// The mark that programs write before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Tells what a file is by its first [`BEGINNING_BYTES`].
#[must_use]
pub fn beginning(head: &[u8]) -> Beginning {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let mut lines = text.split(|byte| *byte == b'\n');
    let (first, second) = (lines.next().unwrap_or_default(), lines.next());
    if text.is_empty() {
        Beginning::Blank
    } else if separator::is_separator(true, first, second) {
        Beginning::Mailbox
    } else if separator::is_header_field(first) && looks_like_a_message(text) {
        Beginning::Message
    } else {
        Beginning::Other
    }
}

/// Whether a text that begins with a header field has one that mail has.
fn looks_like_a_message(text: &[u8]) -> bool {
    let names: [&[u8]; 6] = [b"from", b"date", b"message-id", b"received", b"subject", b"return-path"];
    let names_one = |line: &[u8]| {
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        names.iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    let header = text.split(|byte| *byte == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    header.into_iter().filter(|line| line.contains(&b':')).any(names_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_unquoted_as_their_format_says() {
        let text = b">From a\n>>From b\nx >From c\n>Fromage\n> From d\n>From e";
        assert_eq!(Quoting::Mboxrd.unquoted(text), b"From a\n>From b\nx >From c\n>Fromage\n> From d\nFrom e");
        assert_eq!(Quoting::Mboxo.unquoted(text), b"From a\n>>From b\nx >From c\n>Fromage\n> From d\nFrom e");
        assert_eq!(Quoting::None.unquoted(text), text);
    }

    #[test]
    fn the_beginning_of_a_file_tells_what_it_is() {
        let check = |head: &str, expected| assert_eq!(beginning(head.as_bytes()), expected, "{head:?}");
        check("From a@x.org Mon Jan  1 00:00:00 2001\nSubject: a\n", Beginning::Mailbox);
        check("\u{feff}\r\n\nFrom a at x.org  Mon Jan  1 00:00:00 2001\r\n", Beginning::Mailbox);
        check("Return-Path: <a@x.org>\nSubject: a\n\nhi", Beginning::Message);
        check("X-First: 1\n folded\nDATE: now\n\nhi", Beginning::Message);
        check("\n \n", Beginning::Blank);
        check("", Beginning::Blank);
        for other in
            ["From here on\nit is prose\n", "name: crier\nversion: 1\n\nFrom: a\n", "PK\u{3}\u{4}", "hello"]
        {
            check(other, Beginning::Other);
        }
    }
}
