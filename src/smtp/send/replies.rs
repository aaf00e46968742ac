//! Reads the replies of other servers, however many lines they have.
//!
//! smtp-proto reads a reply of up to 4096 octets, while RFC 5321 4.2.1 limits the lines and not their number. The
//! decision of the server is in the code, which all lines share: lines beyond the limit are dropped.

use memchr::memchr;
use smtp_proto::response::parser::ResponseReceiver;

use super::errors::ConnectionLost;
use super::remote_reply::RemoteReply;

/// Octets of one reply beyond which the other side is not speaking SMTP.
const REPLY_BYTES_MAX: usize = 64 * 1024;
/// Octets of one reply that are kept: with a last line, less than smtp-proto reads.
const KEPT_BYTES_MAX: usize = 3 * 1024;

/// Reads one reply after the other as bytes come in, in pieces of any size.
#[derive(Default)]
pub(super) struct ReplyReader {
    /// Whole lines, and the part of the current line that has come.
    kept: Vec<u8>,
    /// Start of the current line.
    line_start: usize,
    /// Octets of the reply so far.
    length: usize,
}

impl ReplyReader {
    /// Takes the reply's bytes from `input`; returns their number, and the reply once it is whole. Fails if the input
    /// is no reply.
    pub(super) fn take(&mut self, input: &[u8]) -> Result<(usize, Option<RemoteReply>), ConnectionLost> {
        let mut used = 0;
        while let Some(length) = memchr(b'\n', &input[used..]) {
            self.push(&input[used..=used + length])?;
            used += length + 1;
            if let Some(reply) = self.end_line()? {
                return Ok((used, Some(reply)));
            }
        }
        self.push(&input[used..])?;
        Ok((input.len(), None))
    }

    fn push(&mut self, octets: &[u8]) -> Result<(), ConnectionLost> {
        self.length += octets.len();
        self.kept.extend_from_slice(octets);
        if REPLY_BYTES_MAX < self.length { Err(ConnectionLost::NotSmtp) } else { Ok(()) }
    }

    /// Ends a line; returns the reply if this line was the last one.
    fn end_line(&mut self) -> Result<Option<RemoteReply>, ConnectionLost> {
        let line = self.kept[self.line_start..].trim_ascii_end();
        let Some((code, rest)) = line.split_first_chunk::<3>() else { return Err(ConnectionLost::NotSmtp) };
        if !code.iter().all(u8::is_ascii_digit) {
            return Err(ConnectionLost::NotSmtp);
        }
        let (code, is_last) = (*code, rest.first() != Some(&b'-'));
        if KEPT_BYTES_MAX < self.kept.len() {
            self.kept.truncate(self.line_start);
            if is_last {
                self.kept.extend_from_slice(&code);
                self.kept.extend_from_slice(b" \r\n");
            }
        }
        self.line_start = self.kept.len();
        if !is_last {
            return Ok(None);
        }
        let reply = ResponseReceiver::default().parse(&mut self.kept.iter());
        self.kept.clear();
        (self.line_start, self.length) = (0, 0);
        reply.map(|reply| Some(reply.into())).map_err(|_| ConnectionLost::NotSmtp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `input` whole and octet by octet; both must agree on the reply and on what is left.
    #[track_caller]
    fn read(input: &str) -> Option<(RemoteReply, &str)> {
        let (used, whole) = ReplyReader::default().take(input.as_bytes()).ok()?;
        let mut reader = ReplyReader::default();
        let single = input.as_bytes().chunks(1).enumerate().find_map(|(at, octet)| {
            let (_, reply) = reader.take(octet).expect("it was read at once");
            reply.map(|reply| (reply, &input[at + 1..]))
        });
        assert_eq!(single, whole.map(|reply| (reply, &input[used..])));
        single
    }

    #[test]
    fn a_reply_ends_with_the_line_that_has_no_hyphen() {
        let (reply, rest) = read("250-2.1.0 one\r\n250 2.1.0 two\r\n354 go\r\n").unwrap();
        assert_eq!((reply.code, reply.enhanced, rest), (250, [2, 1, 0], "354 go\r\n"));
        assert!(reply.text.contains("one") && reply.text.contains("two"), "{reply:?}");
        assert_eq!(read("421\r\n").unwrap().0.code, 421);
        assert_eq!(read("250-one\r\n250"), None);
    }

    #[test]
    fn what_is_no_reply_is_told_from_one_that_is_not_whole() {
        for octets in ["hello\r\n", "\r\n", "25\r\n", "250-a\r\nx50 b\r\n"] {
            assert!(ReplyReader::default().take(octets.as_bytes()).is_err(), "{octets:?}");
        }
        let endless = "250-x\r\n".repeat(REPLY_BYTES_MAX / 7 + 1);
        assert!(ReplyReader::default().take(endless.as_bytes()).is_err());
    }

    #[test]
    fn a_reply_of_many_lines_is_read_by_its_code_and_its_beginning() {
        let line = format!("550-{}\r\n", "x".repeat(70));
        for lines in [1, 40, 60, 500] {
            let input = format!("{}550 5.7.1 no\r\nnext", line.repeat(lines));
            let (reply, rest) = read(&input).unwrap();
            assert_eq!((reply.code, rest), (550, "next"), "{lines} lines");
            assert!(reply.text.starts_with("xxx"), "{reply:?}");
        }
        let (reply, _) = read(&format!("250 {}\r\n", "y".repeat(5000))).unwrap();
        assert_eq!(reply.code, 250);
    }
}
