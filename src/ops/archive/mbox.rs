//! Writes messages as mailbox files (RFC 4155): each between a line that says whence it came and an empty one, with
//! lines quoted so that every reader of the form "mboxrd" restores them.

use std::io::Write as _;
use std::ops::Range;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::{AccountId, Links, List, ListId, Message, MessageId};
use crate::ops::archive::months::Month;
use crate::ops::archive::parts::{self, PartReader};
use crate::schema::{MESSAGE_BY_TIME, archive_of};
use crate::store::{self, IndexRange, Read, StoreError};

/// Bytes of a line that has not ended after which it is written: nothing in it has to be quoted any more.
const LINE_BYTES_MAX: usize = 64 << 10;
/// Bytes of a stored message that are read at a time.
const PIECE_BYTES: u64 = 128 << 10;
/// Bytes of mail that one step puts into the file of a month.
const STEP_BYTES_MAX: usize = 4 << 20;
/// Compressed bytes after which a step ends, so that a chunk is sent for many small messages.
const STEP_OUT_BYTES: usize = 64 << 10;
/// The address of a message that names no author.
const NOBODY: &str = "MAILER-DAEMON";

/// The line in front of a message.
fn from_line(address: &str, time: Timestamp) -> Vec<u8> {
    let is_sound = !address.is_empty() && !address.contains(|c: char| c.is_whitespace() || c.is_control());
    let address = if is_sound { address } else { NOBODY };
    format!("From {address} {}\n", time.asctime()).into_bytes()
}

/// A stored message as it stands in a mailbox file, which is read a piece at a time.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    blob: store::BlobId,
    /// The bytes that are still to be read.
    left: Range<u64>,
    /// The line in front of the message, if it is still to come.
    head: Vec<u8>,
    lines: Lines,
}

impl Entry {
    /// The entry of a message.
    pub(super) fn new(tx: &impl Read, message: &Message) -> Result<Entry, StoreError> {
        let blob = store::BlobId(message.blob.0);
        let head = from_line(&message.from_address, message.time);
        Ok(Entry { blob, left: 0..tx.blob_length(blob)?, head, lines: Lines::default() })
    }

    /// The next bytes, and whether they are the last.
    pub(super) fn next(&mut self, tx: &impl Read) -> Result<(Vec<u8>, bool), StoreError> {
        let mut out = std::mem::take(&mut self.head);
        let end = self.left.end.min(self.left.start + PIECE_BYTES);
        self.lines.push(&tx.blob_range(self.blob, self.left.start..end)?, &mut out);
        self.left.start = end;
        let is_last = self.left.is_empty();
        if is_last {
            self.lines.finish(&mut out);
        }
        Ok((out, is_last))
    }
}

/// Puts the lines of a message into the form of a mailbox file, piece by piece.
#[derive(Debug, Clone, Default)]
struct Lines {
    /// The beginning of a line that has not ended.
    line: Vec<u8>,
    /// Whether the beginning of that line was written already.
    is_begun: bool,
}

impl Lines {
    /// Writes the next piece, but for its last line.
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        for line in piece.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(line);
            if line.ends_with(b"\n") {
                self.end_line(out);
            } else if LINE_BYTES_MAX < self.line.len() {
                // A carriage return may belong to the end of the line.
                let kept = usize::from(self.line.ends_with(b"\r"));
                let rest = self.line.split_off(self.line.len() - kept);
                self.quote(out);
                out.append(&mut self.line);
                (self.line, self.is_begun) = (rest, true);
            }
        }
    }

    /// Writes the last line and the empty one behind the message.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.line.is_empty() || self.is_begun {
            self.end_line(out);
        }
        out.push(b'\n');
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        self.quote(out);
        let text = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        out.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
        out.push(b'\n');
        self.line.clear();
        self.is_begun = false;
    }

    fn quote(&self, out: &mut Vec<u8>) {
        let quotes = self.line.iter().take_while(|byte| **byte == b'>').count();
        if !self.is_begun && self.line[quotes..].starts_with(b"From ") {
            out.push(b'>');
        }
    }
}

/// A whole archive as one mailbox file, while it is made: the messages with the bytes that are stored, the oldest first.
///
/// Each part is read in a snapshot of its own, so that a slow writer holds neither a snapshot nor a message.
#[derive(Debug)]
pub struct ArchiveFile {
    account: AccountId,
    list: ListId,
    /// The last message that was begun.
    after: Option<(u64, MessageId)>,
    /// The message that is being written.
    current: Option<Entry>,
    messages: u64,
}

impl ArchiveFile {
    /// The archive of a list.
    #[must_use]
    pub fn new(account: AccountId, list: ListId) -> ArchiveFile {
        ArchiveFile { account, list, after: None, current: None, messages: 0 }
    }

    /// Messages that were begun.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// The next bytes, about `size_bytes` of them; `None` behind the last.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn next(&mut self, tx: &impl Read, size_bytes: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let mut out = Vec::new();
        while out.len() < size_bytes {
            if self.current.is_none() {
                let Some(message) = self.next_message(tx)? else { break };
                self.after = Some((message.time.key(), message.id));
                self.messages += 1;
                self.current = Some(Entry::new(tx, &message)?);
            }
            let Some(entry) = &mut self.current else { continue };
            let (bytes, is_last) = entry.next(tx)?;
            out.extend_from_slice(&bytes);
            if is_last {
                self.current = None;
            }
        }
        Ok(Some(out).filter(|out| !out.is_empty()))
    }

    fn next_message(&self, tx: &impl Read) -> Result<Option<Message>, StoreError> {
        let key = archive_of(self.account, self.list);
        let range = IndexRange::prefix(key.clone());
        let range = match self.after {
            Some((time, id)) => range.after(key.u64(time).u64(id.0)),
            None => range,
        };
        Ok(tx.page::<Message>(&MESSAGE_BY_TIME, &range, 1)?.pop())
    }
}

/// The compressed mailbox file of a month of an archive, while it is made.
pub struct MonthFile {
    list: List,
    links: Links,
    month: Month,
    /// The zone of the month.
    zone: TimeZone,
    /// The last message that was begun.
    after: Option<(u64, MessageId)>,
    /// The message that is being written.
    current: Option<(PartReader, Lines)>,
    encoder: Option<GzEncoder<Vec<u8>>>,
}

/// A step of the file of a month.
#[derive(Debug)]
pub struct MonthStep {
    /// Compressed bytes, perhaps none yet.
    pub bytes: Vec<u8>,
    /// What comes behind them.
    pub then: Then,
}

/// What follows a step of the file of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Another step.
    More,
    /// A message of this size, for which the step had not enough memory.
    Message(u64),
    /// Nothing: the file is whole.
    End,
}

impl MonthFile {
    /// The file of a month of a zone.
    #[must_use]
    pub fn new(list: List, links: Links, month: Month, zone: TimeZone) -> MonthFile {
        let encoder = GzEncoder::new(Vec::new(), Compression::default());
        MonthFile { list, links, month, zone, after: None, current: None, encoder: Some(encoder) }
    }

    /// Whether there is no message left that was not begun.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn is_empty(&self, tx: &impl Read) -> Result<bool, StoreError> {
        Ok(self.next_message(tx)?.is_none())
    }

    /// Makes the next bytes, of many messages if they are small. None is read that is larger than `size_bytes_max`.
    ///
    /// # Errors
    /// If a message cannot be read.
    pub fn step(&mut self, tx: &impl Read, size_bytes_max: u64) -> Result<MonthStep, StoreError> {
        let mut written = 0;
        while self.made_bytes() < STEP_OUT_BYTES && written < STEP_BYTES_MAX {
            if self.current.is_some() {
                written += self.write_piece(tx)?;
                continue;
            }
            match self.next_message(tx)? {
                Some(message) if size_bytes_max < message.size_bytes => {
                    return Ok(self.made(Then::Message(message.size_bytes)));
                }
                Some(message) => written += self.begin(tx, &message)?,
                None => return self.finish(),
            }
        }
        Ok(self.made(Then::More))
    }

    /// Writes the next piece of the message that was begun; returns the number of its bytes.
    fn write_piece(&mut self, tx: &impl Read) -> Result<usize, StoreError> {
        let Some((reader, lines)) = &mut self.current else { return Ok(0) };
        let mut out = Vec::new();
        if let Some(piece) = reader.next(tx)? {
            lines.push(&piece, &mut out);
        } else {
            lines.finish(&mut out);
            self.current = None;
        }
        self.compress(&out)?;
        Ok(out.len())
    }

    /// Begins a message; returns the number of bytes that were written.
    fn begin(&mut self, tx: &impl Read, message: &Message) -> Result<usize, StoreError> {
        self.after = Some((message.time.key(), message.id));
        // Nothing is left of an account that is deleted meanwhile.
        let Some(whole) = parts::whole(tx, &self.links, &self.list, message)? else { return Ok(0) };
        let from = from_line(whole.from.as_deref().unwrap_or_default(), message.time);
        let length = whole.file.length;
        self.current = Some((whole.file.read(0..length), Lines::default()));
        self.compress(&from)?;
        Ok(from.len())
    }

    fn finish(&mut self) -> Result<MonthStep, StoreError> {
        let Some(encoder) = self.encoder.take() else {
            return Ok(MonthStep { bytes: Vec::new(), then: Then::End });
        };
        let bytes = encoder.finish().map_err(|error| StoreError::corrupt("mbox", error))?;
        Ok(MonthStep { bytes, then: Then::End })
    }

    fn compress(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(encoder) = &mut self.encoder else { return Ok(()) };
        encoder.write_all(bytes).map_err(|error| StoreError::corrupt("mbox", error))
    }

    fn made_bytes(&self) -> usize {
        self.encoder.as_ref().map_or(0, |encoder| encoder.get_ref().len())
    }

    fn made(&mut self, then: Then) -> MonthStep {
        let bytes = self.encoder.as_mut().map(|encoder| std::mem::take(encoder.get_mut()));
        MonthStep { bytes: bytes.unwrap_or_default(), then }
    }

    fn next_message(&self, tx: &impl Read) -> Result<Option<Message>, StoreError> {
        let key = archive_of(self.list.account, self.list.id);
        let range = IndexRange::prefix(key.clone());
        let range = match self.after {
            Some((time, id)) => range.after(key.u64(time).u64(id.0)),
            None => range.from(key.u64(self.month.start(&self.zone).key())),
        };
        let next = tx.page::<Message>(&MESSAGE_BY_TIME, &range, 1)?.pop();
        Ok(next.filter(|message| Month::of(message.time, &self.zone) == self.month))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: &str) {
        for piece_bytes in [1, 2, 3, 7, 1000] {
            let (mut lines, mut out) = (Lines::default(), Vec::new());
            for piece in raw.as_bytes().chunks(piece_bytes) {
                lines.push(piece, &mut out);
            }
            lines.finish(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "in pieces of {piece_bytes}");
        }
    }

    #[test]
    fn lines_that_could_begin_a_message_are_quoted() {
        check("a: b\r\n\r\nFrom me\r\n>From you\r\n", "a: b\n\n>From me\n>>From you\n\n");
        check("a: b\r\n\r\nFrom", "a: b\n\nFrom\n\n");
        check("a: b\r\n\r\nx From y\r\n>> From z", "a: b\n\nx From y\n>> From z\n\n");
        check("", "\n");
    }

    #[test]
    fn an_endless_line_is_written_before_its_end() {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        for _ in 0..100 {
            lines.push(&[b'x'; 4096], &mut out);
        }
        assert!(lines.line.len() <= LINE_BYTES_MAX + 4096);
        lines.push(b"\r\nFrom x\r\n", &mut out);
        lines.finish(&mut out);
        assert_eq!(out, [vec![b'x'; 409_600].as_slice(), b"\n>From x\n\n"].concat());
    }

    #[test]
    fn an_author_without_an_address_has_a_name_that_readers_know() {
        let time = Timestamp::from_ms(0);
        assert_eq!(from_line("", time), b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n");
        assert!(from_line("a b@x.org", time).starts_with(b"From MAILER-DAEMON "));
        assert!(from_line("a@x.org", time).starts_with(b"From a@x.org "));
    }
}
