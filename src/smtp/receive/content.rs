//! Reads the content of a message as it comes in: where it ends, and whether it may be kept.
//!
//! The two tasks are separate. [`DataReader`] alone knows where `DATA` ends: at CR LF `.` CR LF and nothing else, so
//! that a bare CR or LF around a dot never ends it (SMTP smuggling). [`Content`] stores the bytes and notes the first
//! [`Fault`]; from then on nothing is stored, but the bytes are still read to their end, so that they are never taken
//! for commands.
//!
//! Both work byte by byte: any split of the same bytes gives the same result.

use memchr::{memchr, memchr3};

use super::budget::Share;

/// Longest line of text in octets, without its CR LF (RFC 5322 2.1.1).
pub const LINE_BYTES_MAX: usize = 998;

/// The reason why a message cannot be accepted for any recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// More octets than the server, or every one of its recipients, accepts.
    TooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// All sessions together hold as much content as they may.
    NoRoom,
    /// A CR without LF or an LF without CR. At a less strict server it could end the data.
    BareLineEnd,
    /// A NUL octet (RFC 5322 4 forbids them).
    Nul,
    /// A line longer than [`LINE_BYTES_MAX`].
    LineTooLong,
}

/// The content read so far.
#[derive(Debug)]
pub struct Content {
    raw: Vec<u8>,
    share: Share,
    limit_bytes: usize,
    is_only_read: bool,
    line_bytes: usize,
    after_cr: bool,
    fault: Option<Fault>,
}

impl Content {
    /// Empty content. At most `limit_bytes` are accepted; stored bytes are counted in `share`.
    #[must_use]
    pub fn new(limit_bytes: usize, share: Share) -> Content {
        let raw = Vec::new();
        Content { raw, share, limit_bytes, is_only_read: false, line_bytes: 0, after_cr: false, fault: None }
    }

    /// The same for a message that is only read, and never sent on: lines may be of any length, and have NUL octets.
    #[must_use]
    pub fn only_read(self) -> Content {
        Content { is_only_read: true, ..self }
    }

    /// The reason why it cannot be accepted, as far as it was read.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// Bytes in memory now.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        self.raw.len()
    }

    /// Adds the next octets of the message.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.fault.is_some() {
            return;
        }
        // Bytes within the limit are checked before the limit: the first fault in the order of the bytes counts,
        // however they are split.
        let room = self.limit_bytes - self.raw.len();
        let (fitting, over) = bytes.split_at(bytes.len().min(room));
        self.fault = self.judge(fitting);
        if self.fault.is_none() && !over.is_empty() {
            self.fault = Some(Fault::TooLarge { limit_bytes: self.limit_bytes });
        }
        if self.fault.is_none() && !self.share.grow(fitting.len()) {
            self.fault = Some(Fault::NoRoom);
        }
        if self.fault.is_some() {
            self.raw = Vec::new();
            self.share.clear();
            return;
        }
        self.raw.extend_from_slice(fitting);
    }

    /// Whether the last octet is a CR, whose LF is still to come.
    #[must_use]
    pub fn ends_within_line_end(&self) -> bool {
        self.fault.is_none() && self.after_cr
    }

    /// The message with its share of the budget, or the reason why it cannot be accepted.
    pub fn finish(self) -> Result<(Vec<u8>, Share), Fault> {
        match self.fault {
            Some(fault) => Err(fault),
            None if self.after_cr => Err(Fault::BareLineEnd),
            None => Ok((self.raw, self.share)),
        }
    }

    fn judge(&mut self, bytes: &[u8]) -> Option<Fault> {
        let mut rest = bytes;
        loop {
            if self.after_cr {
                let (&first, tail) = rest.split_first()?;
                if first != b'\n' {
                    return Some(Fault::BareLineEnd);
                }
                (self.after_cr, self.line_bytes, rest) = (false, 0, tail);
            }
            let special = memchr3(b'\r', b'\n', 0, rest);
            self.line_bytes += special.unwrap_or(rest.len());
            if self.line_bytes > LINE_BYTES_MAX && !self.is_only_read {
                return Some(Fault::LineTooLong);
            }
            let position = special?;
            match rest[position] {
                b'\r' => self.after_cr = true,
                b'\n' => return Some(Fault::BareLineEnd),
                _ if self.is_only_read => {}
                _ => return Some(Fault::Nul),
            }
            rest = &rest[position + 1..];
        }
    }
}

/// Finds the end of the content after `DATA` and removes the dots that the sender stuffed in.
#[derive(Debug)]
pub struct DataReader(Place);

#[derive(Debug, Clone, Copy)]
enum Place {
    LineStart,
    /// After a dot that begins a line.
    Dot,
    /// After that dot and a CR.
    DotCr,
    Line {
        after_cr: bool,
    },
}

impl DataReader {
    /// Begins: the CR LF of the `DATA` command counts as the one before the first line.
    #[must_use]
    pub fn new() -> DataReader {
        DataReader(Place::LineStart)
    }

    /// Moves octets from `input` into `content`; true once the end was read. Octets after the end stay in `input`.
    pub fn read(&mut self, input: &mut &[u8], content: &mut Content) -> bool {
        while let Some((&first, tail)) = input.split_first() {
            match (self.0, first) {
                (Place::LineStart, b'.') => (self.0, *input) = (Place::Dot, tail),
                (Place::Dot, b'\r') => (self.0, *input) = (Place::DotCr, tail),
                (Place::LineStart | Place::Dot, _) => self.0 = Place::Line { after_cr: false },
                (Place::DotCr, b'\n') => {
                    *input = tail;
                    return true;
                }
                (Place::DotCr, _) => {
                    content.push(b"\r");
                    self.0 = Place::Line { after_cr: true };
                }
                (Place::Line { after_cr }, _) => self.read_line(after_cr, input, content),
            }
        }
        false
    }

    fn read_line(&mut self, after_cr: bool, input: &mut &[u8], content: &mut Content) {
        let length = memchr(b'\n', input).map_or(input.len(), |position| position + 1);
        let (line, rest) = input.split_at(length);
        content.push(line);
        *input = rest;
        self.0 = match line {
            [b'\n'] if after_cr => Place::LineStart,
            [.., b'\r', b'\n'] => Place::LineStart,
            line => Place::Line { after_cr: line.ends_with(b"\r") },
        };
    }
}

impl Default for DataReader {
    fn default() -> DataReader {
        DataReader::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtp::receive::budget::ContentBudget;

    fn content(limit_bytes: usize) -> Content {
        Content::new(limit_bytes, ContentBudget::default().share())
    }

    /// The message, and what follows its end.
    type Outcome<'a> = (Result<&'a [u8], Fault>, &'a [u8]);

    /// Reads `wire` whole and octet by octet; both must agree.
    #[track_caller]
    fn check(wire: &[u8], expected: Option<Outcome<'_>>) {
        for step in [wire.len(), 1] {
            let (mut reader, mut content) = (DataReader::new(), content(2000));
            let mut taken = 0;
            let ended = wire.chunks(step).any(|chunk| {
                let mut input = chunk;
                let ended = reader.read(&mut input, &mut content);
                taken += chunk.len() - input.len();
                ended
            });
            let found = ended.then(|| (content.finish().map(|(raw, _)| raw), &wire[taken..]));
            let expected = expected.map(|(content, rest)| (content.map(<[u8]>::to_vec), rest));
            assert_eq!(found, expected, "in steps of {step}: {:?}", String::from_utf8_lossy(wire));
        }
    }

    #[test]
    fn the_data_ends_at_a_dot_between_line_ends() {
        check(b"A: b\r\n\r\nc\r\n.\r\nQUIT", Some((Ok(b"A: b\r\n\r\nc\r\n"), b"QUIT")));
        check(b".\r\n", Some((Ok(b""), b"")));
        check(b"a\r\n.\r", None);
    }

    #[test]
    fn stuffed_dots_are_taken_off() {
        check(b"..\r\n...a\r\n.b.\r\n.\r\n", Some((Ok(b".\r\n..a\r\nb.\r\n"), b"")));
    }

    #[test]
    fn no_bare_line_end_around_a_dot_ends_the_data() {
        for smuggled in [
            "\n.\n",
            "\n.\r\n",
            "\r\n.\n",
            "\r.\r",
            "\r\n.\r",
            "\r.\r\n",
            "\n.\r",
            "\r\n.\r\r\n",
            "\r\n\r.\r\n",
        ] {
            let begin = format!("a{smuggled}MAIL FROM:<x@y>");
            check(begin.as_bytes(), None);
            let whole = format!("{begin}\r\n.\r\nNOOP");
            check(whole.as_bytes(), Some((Err(Fault::BareLineEnd), b"NOOP")));
        }
    }

    #[test]
    fn a_line_may_have_998_octets() {
        let line = |length| format!("{}\r\n.\r\n", "x".repeat(length)).into_bytes();
        check(&line(998), Some((Ok(&line(998)[..1000]), b"")));
        check(&line(999), Some((Err(Fault::LineTooLong), b"")));
    }

    #[test]
    fn a_message_that_is_only_read_may_have_long_lines_and_nul_octets() {
        let raw = [vec![b'x'; 1500], b"\0y\r\n".to_vec()].concat();
        let mut content = content(2000).only_read();
        content.push(&raw);
        assert_eq!(content.finish().map(|(raw, _)| raw), Ok(raw));
    }

    #[test]
    fn the_first_fault_counts() {
        check(b"a\0b\n\r\n.\r\n", Some((Err(Fault::Nul), b"")));
        let large = "x".repeat(98) + "\r\n";
        let exact = large.repeat(20) + ".\r\n";
        check(exact.as_bytes(), Some((Ok(large.repeat(20).as_bytes()), b"")));
        let over = large.repeat(20) + "\0\r\n.\r\n";
        check(over.as_bytes(), Some((Err(Fault::TooLarge { limit_bytes: 2000 }), b"")));
    }

    #[test]
    fn nothing_is_stored_after_a_fault() {
        let mut content = content(100);
        content.push(b"abc");
        assert_eq!(content.stored_bytes(), 3);
        content.push(&[b'x'; 98]);
        content.push(b"more");
        assert_eq!(content.stored_bytes(), 0);
        assert_eq!(content.finish(), Err(Fault::TooLarge { limit_bytes: 100 }));
    }
}
