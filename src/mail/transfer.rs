//! Removes the transfer encoding of a part piece by piece, with memory for one line and the piece.
//!
//! Attachments are sent with it while they are read. It gives what the decoders of [`text`](super::text) give for the
//! whole, and accepts any bytes as they do. Blanks at the ends of lines of quoted-printable go, also in a part without
//! any escape, which [`decode_transfer`](super::text::decode_transfer) leaves as it is.

use super::mime::Encoding;
use super::text::{base64_value, decode_qp};

/// Bytes of a line after which it is decoded though it has not ended. No mail has such lines that came over SMTP.
const LINE_BYTES_MAX: usize = 64 << 10;

/// A decoder between two pieces of a part.
#[derive(Debug)]
pub(crate) struct TransferDecoder(State);

#[derive(Debug)]
enum State {
    /// The bytes stand as they are.
    Plain,
    /// The line that has not ended yet.
    QuotedPrintable(Vec<u8>),
    Base64(Base64),
}

#[derive(Debug, Default)]
struct Base64 {
    bits: u32,
    count: u32,
    /// The line that has not ended yet, once padding was read: only whole lines of base64 count there.
    behind: Option<Vec<u8>>,
}

impl TransferDecoder {
    /// A decoder for the beginning of a part.
    pub(crate) fn new(encoding: Encoding) -> TransferDecoder {
        TransferDecoder(match encoding {
            Encoding::QuotedPrintable => State::QuotedPrintable(Vec::new()),
            Encoding::Base64 => State::Base64(Base64::default()),
            Encoding::SevenBit | Encoding::EightBit | Encoding::Other => State::Plain,
        })
    }

    /// Whether decoding changes nothing, so that it can begin anywhere.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.0, State::Plain)
    }

    /// Decodes the next piece, as far as it can be told before the next one.
    pub(crate) fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        match &mut self.0 {
            State::Plain => out.extend_from_slice(piece),
            State::QuotedPrintable(line) => push_qp(line, piece, out),
            State::Base64(base64) => base64.push(piece, out),
        }
    }

    /// Decodes what is left behind the last piece.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        match &mut self.0 {
            State::Plain => {}
            State::QuotedPrintable(line) => out.extend(decode_qp(&std::mem::take(line))),
            State::Base64(base64) => base64.end_line(out),
        }
    }
}

fn push_qp(line: &mut Vec<u8>, piece: &[u8], out: &mut Vec<u8>) {
    line.extend_from_slice(piece);
    let ended = memchr::memrchr(b'\n', line).map_or(0, |at| at + 1);
    let ended = if ended == 0 && LINE_BYTES_MAX < line.len() { safe_cut(line) } else { ended };
    if ended != 0 {
        out.extend(decode_qp(&line[..ended]));
        line.drain(..ended);
    }
}

/// The last place of an endless line that is inside no escape and behind no blank.
fn safe_cut(line: &[u8]) -> usize {
    let is_safe =
        |end: &usize| line[end - 3..*end].iter().all(|byte| *byte != b'=' && !byte.is_ascii_whitespace());
    (3..=line.len()).rev().take(LINE_BYTES_MAX / 2).find(is_safe).unwrap_or(line.len())
}

impl Base64 {
    fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let mut rest = piece;
        if self.behind.is_none() {
            let end = memchr::memchr(b'=', rest).unwrap_or(rest.len());
            self.decode(&rest[..end], out);
            rest = &rest[end..];
            if rest.is_empty() {
                return;
            }
            self.end_stretch();
            self.behind = Some(Vec::new());
        }
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.take_line(&rest[..end]);
            self.end_line(out);
            rest = &rest[end + 1..];
        }
        self.take_line(rest);
    }

    fn take_line(&mut self, more: &[u8]) {
        let Some(line) = &mut self.behind else { return };
        // A line without an end that is no base64 within its limit is none at all.
        if line.len() + more.len() <= LINE_BYTES_MAX {
            line.extend_from_slice(more);
        } else {
            line.clear();
            line.push(b'?');
        }
    }

    /// Decodes the line behind the padding, if it is one of base64.
    fn end_line(&mut self, out: &mut Vec<u8>) {
        let Some(line) = self.behind.take() else { return };
        let is_known = |byte: &u8| base64_value(*byte).is_some() || matches!(byte, b'=' | b'\r');
        if line.iter().all(is_known) {
            for stretch in line.split(|byte| *byte == b'=') {
                self.end_stretch();
                self.decode(stretch, out);
            }
            self.end_stretch();
        }
        self.behind = Some(Vec::new());
    }

    fn end_stretch(&mut self) {
        (self.bits, self.count) = (0, 0);
    }

    fn decode(&mut self, stretch: &[u8], out: &mut Vec<u8>) {
        out.reserve(stretch.len() / 4 * 3 + 3);
        for value in stretch.iter().filter_map(|byte| base64_value(*byte)) {
            self.bits = (self.bits << 6) | u32::from(value);
            self.count += 6;
            if 8 <= self.count {
                self.count -= 8;
                out.push(u8::try_from((self.bits >> self.count) & 0xff).expect("masked to eight bits"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::text::decode_transfer;

    fn in_pieces(body: &[u8], encoding: Encoding, piece_bytes: usize) -> Vec<u8> {
        let mut decoder = TransferDecoder::new(encoding);
        let mut out = Vec::new();
        for piece in body.chunks(piece_bytes) {
            decoder.push(piece, &mut out);
        }
        decoder.finish(&mut out);
        out
    }

    #[track_caller]
    fn check(body: &[u8], encoding: Encoding) {
        let whole = match encoding {
            Encoding::QuotedPrintable => decode_qp(body),
            _ => decode_transfer(body, encoding).into_owned(),
        };
        for piece_bytes in [1, 2, 3, 5, 7, 64, 4096] {
            let pieces = in_pieces(body, encoding, piece_bytes);
            let words = String::from_utf8_lossy(body);
            assert_eq!(pieces, whole, "{words:?} in pieces of {piece_bytes} as {encoding:?}");
        }
    }

    #[test]
    fn pieces_decode_to_what_the_whole_decodes_to() {
        for body in [
            "aGVs\r\nbG8=\r\n",
            "aGVs-bG8=\r\n",
            "aGVsbG8=\r\nd29ybGQ=",
            "aGVsbG8=\r\n\r\nScanned by us.\r\n",
            "aGVsbG8=\r\nScanned\r\nby us\r\nd29y",
            "",
            "=",
        ] {
            check(body.as_bytes(), Encoding::Base64);
        }
        for body in
            ["a=3Db=zz =\r\nc  \r\nd= \t\r\ne=", "=c3=BC=3", "=", "a  ", "a  \r\n", "=\r\n=\r\n", "x=\r"]
        {
            check(body.as_bytes(), Encoding::QuotedPrintable);
        }
    }

    #[test]
    fn any_bytes_in_any_pieces_decode_to_what_the_whole_decodes_to() {
        let mut seed = 7_u64;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let alphabet = b"aZ09+/==\r\n\n =x-3D\t";
        for _ in 0..2000 {
            let length = random(60);
            let body: Vec<u8> = (0..length)
                .map(|_| alphabet[usize::try_from(random(alphabet.len() as u64)).unwrap()])
                .collect();
            for encoding in [Encoding::QuotedPrintable, Encoding::SevenBit] {
                check(&body, encoding);
            }
        }
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(random(256)).unwrap()).collect();
            let text = data_encoding::BASE64.encode(&bytes);
            let lines: Vec<&str> =
                text.as_bytes().chunks(76).map(|l| std::str::from_utf8(l).unwrap()).collect();
            let body = lines.join("\r\n");
            check(body.as_bytes(), Encoding::Base64);
            assert_eq!(in_pieces(body.as_bytes(), Encoding::Base64, 10), bytes);
        }
    }

    #[test]
    fn an_endless_line_takes_bounded_memory() {
        let mut decoder = TransferDecoder::new(Encoding::QuotedPrintable);
        let mut out = Vec::new();
        for _ in 0..64 {
            decoder.push(&b"=41bcd".repeat(1000), &mut out);
        }
        let State::QuotedPrintable(line) = &decoder.0 else { panic!("{decoder:?}") };
        assert!(line.len() < 2 * LINE_BYTES_MAX, "{}", line.len());
        decoder.finish(&mut out);
        assert_eq!(out, b"Abcd".repeat(64_000));
    }
}
