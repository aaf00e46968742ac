//! Splits a mailbox into messages, piece by piece.

use super::separator::{self, FROM, LINE_BYTES_MAX, Separator};
use super::{BYTE_ORDER_MARK, Quoting};

/// A part of a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A message.
    Mail {
        /// The position of its separator in the file, in bytes.
        at: u64,
        /// The line before it.
        separator: Separator,
        /// Its bytes, unquoted, with the line ends of the file.
        bytes: Vec<u8>,
    },
    /// A message that is too large to be read.
    TooLarge {
        /// The position of its separator.
        at: u64,
        /// Its size.
        size_bytes: u64,
    },
    /// A line in a message that may separate messages, though it was not taken for that.
    Doubtful {
        /// The position of the line.
        at: u64,
    },
    /// Text before the first separator.
    Stray {
        /// Its size.
        size_bytes: u64,
    },
}

/// Splits a mailbox. Holds at most one message, and what was pushed last.
#[derive(Debug)]
pub struct Splitter {
    quoting: Quoting,
    bytes_max: usize,
    buffer: Vec<u8>,
    /// Where the present message begins in the buffer, with its separator.
    start: usize,
    /// No separator begins before this position of the buffer, behind `start`.
    searched: usize,
    /// The position of `start` in the file.
    at: u64,
    /// Bytes of the present message that were dropped because it is too large.
    dropped: u64,
    /// Whether the first separator has been looked for.
    has_begun: bool,
}

/// The answer to whether a line is a separator.
enum Judged {
    Is,
    IsNot,
    /// It is not taken for one, but may be one.
    Doubtful,
    /// More of the file must be seen.
    Unclear,
}

impl Splitter {
    /// Begins a file whose messages may have this many bytes.
    #[must_use]
    pub fn new(quoting: Quoting, bytes_max: usize) -> Splitter {
        Splitter {
            quoting,
            bytes_max,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            at: 0,
            dropped: 0,
            has_begun: false,
        }
    }

    /// Takes the next bytes of the file; hands each message that ends in them to `each`.
    pub fn push(&mut self, bytes: &[u8], each: &mut impl FnMut(Piece)) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
        self.split(false, each);
    }

    /// Ends the file.
    pub fn finish(mut self, each: &mut impl FnMut(Piece)) {
        self.split(true, each);
        self.cut(self.buffer.len(), each);
    }

    fn split(&mut self, is_end: bool, each: &mut impl FnMut(Piece)) {
        if !self.has_begun && !self.begin(is_end) {
            return;
        }
        while let Some(next) = self.next_separator(is_end, each) {
            self.cut(next, each);
        }
        self.drop_excess();
    }

    /// Passes over a byte order mark and blank lines; returns whether the first line can be looked at.
    fn begin(&mut self, is_end: bool) -> bool {
        if self.buffer.len() < BYTE_ORDER_MARK.len() && !is_end {
            return false;
        }
        if self.at == 0 && self.buffer.starts_with(BYTE_ORDER_MARK) {
            self.skip(BYTE_ORDER_MARK.len());
        }
        let blank = self.buffer[self.start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.skip(blank);
        let judged = match self.buffer[self.start..].starts_with(FROM) {
            true => self.judge(self.start, true, is_end),
            false if self.buffer.len() - self.start < FROM.len() && !is_end => Judged::Unclear,
            false => Judged::IsNot,
        };
        self.has_begun = !matches!(judged, Judged::Unclear);
        self.searched = self.start;
        self.has_begun
    }

    fn skip(&mut self, bytes: usize) {
        self.start += bytes;
        self.searched = self.start;
        self.at += bytes as u64;
    }

    /// The position of the next separator behind the present one.
    fn next_separator(&mut self, is_end: bool, each: &mut impl FnMut(Piece)) -> Option<usize> {
        loop {
            let rest = &self.buffer[self.searched..];
            let Some(found) = memchr::memmem::find(rest, b"\nFrom ") else {
                // The pattern may begin in what was seen, and end in what comes.
                let overlap = FROM.len().min(rest.len());
                self.searched = self.buffer.len() - overlap;
                return None;
            };
            let line = self.searched + found + 1;
            let before = &self.buffer[..line];
            let after_blank = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
            match self.judge(line, after_blank, is_end) {
                Judged::Is => return Some(line),
                Judged::IsNot => self.searched = line,
                Judged::Doubtful => {
                    self.searched = line;
                    each(Piece::Doubtful { at: self.at + self.dropped + (line - self.start) as u64 });
                }
                Judged::Unclear => {
                    self.searched = line - 1;
                    return None;
                }
            }
        }
    }

    /// Judges the line that begins at `start`.
    fn judge(&self, start: usize, after_blank: bool, is_end: bool) -> Judged {
        let rest = &self.buffer[start..];
        let Some(end) = memchr::memchr(b'\n', &rest[..rest.len().min(LINE_BYTES_MAX)]) else {
            let is_short = rest.len() < LINE_BYTES_MAX;
            return match is_short {
                true if !is_end => Judged::Unclear,
                true => judged(after_blank, rest, None),
                false => Judged::IsNot,
            };
        };
        let (line, rest) = (&rest[..end], &rest[end + 1..]);
        // The name of a header field is what counts of the next line.
        let next = &rest[..rest.len().min(LINE_BYTES_MAX)];
        let next = match memchr::memchr(b'\n', next) {
            Some(end) => &next[..end],
            None if next.len() < LINE_BYTES_MAX && !is_end => return Judged::Unclear,
            None => next,
        };
        judged(after_blank, line.strip_suffix(b"\r").unwrap_or(line), Some(next))
    }

    /// Hands over the present message, which ends at `end`, and begins the next one there.
    fn cut(&mut self, end: usize, each: &mut impl FnMut(Piece)) {
        let text = &self.buffer[self.start..end];
        let size_bytes = self.dropped + text.len() as u64;
        let begins_with_separator =
            self.dropped == 0 && text.starts_with(FROM) && self.is_first_line_separator(end);
        if begins_with_separator {
            let line_end = memchr::memchr(b'\n', text).map_or(text.len(), |line_end| line_end + 1);
            let (line, message) = text.split_at(line_end);
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            if self.bytes_max < message.len() {
                each(Piece::TooLarge { at: self.at, size_bytes });
            } else {
                let bytes = self.quoting.unquoted(without_blank_line(message));
                each(Piece::Mail { at: self.at, separator: Separator::parse(line), bytes });
            }
        } else if 0 < self.dropped {
            each(Piece::TooLarge { at: self.at, size_bytes });
        } else if !text.trim_ascii().is_empty() {
            each(Piece::Stray { size_bytes });
        }
        self.at += size_bytes;
        self.dropped = 0;
        self.start = end;
        self.searched = end;
    }

    /// Whether the present message begins with a separator: every one but the first does, because it was found by it.
    fn is_first_line_separator(&self, end: usize) -> bool {
        let text = &self.buffer[self.start..end];
        let mut lines = text.splitn(3, |byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let first = first.strip_suffix(b"\r").unwrap_or(first);
        separator::is_separator(true, first, lines.next())
    }

    /// Forgets what was searched of a message that is too large.
    fn drop_excess(&mut self) {
        let excess = self.buffer.len() - self.start;
        if excess <= self.bytes_max + LINE_BYTES_MAX {
            return;
        }
        // The end of the line before is looked at again.
        let kept_from = self.searched.saturating_sub(4).max(self.start);
        self.dropped += (kept_from - self.start) as u64;
        self.start = kept_from;
    }
}

fn judged(after_blank: bool, line: &[u8], next: Option<&[u8]>) -> Judged {
    match separator::is_separator(after_blank, line, next) {
        true => Judged::Is,
        false if separator::is_doubtful(line, next) => Judged::Doubtful,
        false => Judged::IsNot,
    }
}

/// A message without the blank line that ends it in the file.
fn without_blank_line(message: &[u8]) -> &[u8] {
    match message {
        [text @ .., b'\r', b'\n'] | [text @ .., b'\n'] if text.is_empty() || text.ends_with(b"\n") => text,
        message => message,
    }
}
