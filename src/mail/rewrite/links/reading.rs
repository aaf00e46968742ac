//! A text as a reader's program decodes it: without the escapes of its encodings, and of HTML perhaps without its tags.

use std::ops::Range;

/// The shortest word that is taken for a token. This server's tokens are longer.
const TOKEN_CHARS_MIN: usize = 16;
/// Characters of this server's tokens: one that is broken across lines is whole once it has so many.
const TOKEN_CHARS: usize = 42;
/// What may stand in front of the `/` or `+` of a link: the last letters of pages and mailboxes, and what ends escapes, line
/// breaks, quotes and tags.
const MAY_PRECEDE: [bool; 256] = {
    let mut may = [false; 256];
    let bytes = b"esmdnESMDN;\r\n \t>|0123456789abcdefABCDEF";
    let mut at = 0;
    while at < bytes.len() {
        may[bytes[at] as usize] = true;
        at += 1;
    }
    may
};
/// Characters of the longest HTML reference that is looked at, such as `#x0000002f`.
const REFERENCE_CHARS_MAX: usize = 10;
/// How often percent-encoding is encoded again: gateways put links into the parameters of their own.
const PERCENT_LAYERS_MAX: usize = 4;
/// Blanks that a mail program leaves in front of a line end.
const BLANKS_MAX: usize = 8;
/// Bytes in which an escape of a character stands, such as `&#x0000002f`.
const ESCAPE_BYTES_MAX: usize = 12;
/// Characters in front of a quoted line at most.
const QUOTE_CHARS_MAX: usize = 64;

/// How bytes are encoded for transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mail::rewrite) enum Transfer {
    /// They are not, or no longer.
    Decoded,
    /// As quoted-printable.
    QuotedPrintable,
}

/// A text as a reader's program decodes it, one byte after another, each with the place where the next begins.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) transfer: Transfer,
    /// Whether tags of HTML are passed over, as in the text that a reader sees.
    pub(super) skips_tags: bool,
}

impl Text<'_> {
    /// The next place of a byte that may be or begin a `/` or `+`, behind one that may end what is in front of it. `rare` is
    /// the place of the next that is rare, remembered from call to call: a `+`, or an escape of quoted-printable.
    pub(super) fn next_sign(&self, from: usize, rare: &mut Option<usize>) -> Option<usize> {
        let bytes = self.bytes;
        let follows = |at: usize| at != 0 && MAY_PRECEDE[usize::from(bytes[at - 1])];
        let mut at = from;
        while at < bytes.len() {
            let rare = match *rare {
                Some(rare) if at <= rare => rare,
                Some(_) | None => {
                    let found = match self.transfer {
                        Transfer::Decoded => memchr::memchr(b'+', &bytes[at..]),
                        Transfer::QuotedPrintable => memchr::memchr2(b'+', b'=', &bytes[at..]),
                    };
                    *rare.insert(found.map_or(bytes.len(), |found| at + found))
                }
            };
            let frequent = memchr::memchr3_iter(b'/', b'%', b'&', &bytes[at..rare]);
            if let Some(found) = frequent.map(|found| at + found).find(|found| follows(*found)) {
                return Some(found);
            }
            if rare < bytes.len() && follows(rare) {
                return Some(rare);
            }
            at = rare + 1;
        }
        None
    }

    /// Whether the byte at a place is or begins a `/` or `+`.
    pub(super) fn is_sign(&self, at: usize) -> bool {
        matches!(self.unit(at), Some((b'/' | b'+', _)))
    }

    /// Whether `beginning` may end in front of a place: it stands there, or its end does and an escape before that.
    pub(super) fn may_stand_before(&self, at: usize, beginning: &[u8]) -> bool {
        for (letter, place) in beginning.iter().rev().zip((0..at).rev()) {
            let byte = self.bytes[place].to_ascii_lowercase();
            // A digit may be the last of its own escape.
            if (byte != *letter || byte.is_ascii_digit()) && self.may_end_encoded(place) {
                return true;
            }
            if byte != *letter {
                return false;
            }
        }
        beginning.len() <= at
    }

    /// Whether the byte at a place may be the last of an encoded character, of a line break, or of a tag that is passed over.
    fn may_end_encoded(&self, at: usize) -> bool {
        let before = &self.bytes[..at];
        match self.bytes[at] {
            b';' | b'\r' | b'\n' => true,
            b'>' if self.skips_tags => true,
            b' ' | b'\t' | b'>' | b'|' => {
                let quote = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'>' | b'|');
                let mut line = before.iter().rev().take(QUOTE_CHARS_MAX).skip_while(quote);
                line.next().is_none_or(|byte| is_line_end(*byte) || *byte == b';')
            }
            byte if byte.is_ascii_hexdigit() => {
                let near = &before[at.saturating_sub(ESCAPE_BYTES_MAX)..];
                near.iter().any(|byte| matches!(byte, b'%' | b'=' | b'#'))
            }
            _ => false,
        }
    }

    /// The byte at a place without percent-encoding, however often it is encoded.
    pub(super) fn unit(&self, at: usize) -> Option<(u8, usize)> {
        let (byte, next) = self.referenced(at)?;
        let layers = if byte == b'%' { PERCENT_LAYERS_MAX } else { 0 };
        let mut digits = next;
        for _ in 0..layers {
            let Some((value, after)) = self.hex_pair(digits) else { break };
            if value != b'%' {
                return Some((value, after));
            }
            digits = after;
        }
        Some((byte, next))
    }

    fn hex_pair(&self, at: usize) -> Option<(u8, usize)> {
        let (high, at) = self.referenced(at)?;
        let (low, at) = self.referenced(at)?;
        Some((hex(high)? * 16 + hex(low)?, at))
    }

    /// The byte at a place without HTML references.
    fn referenced(&self, at: usize) -> Option<(u8, usize)> {
        let (byte, next) = self.untagged(at)?;
        if byte != b'&' {
            return Some((byte, next));
        }
        Some(self.reference(next).unwrap_or((byte, next)))
    }

    /// The ASCII character that the reference behind a `&` stands for; a number needs no semicolon.
    fn reference(&self, mut at: usize) -> Option<(u8, usize)> {
        let mut name = [0; REFERENCE_CHARS_MAX];
        let mut length = 0;
        while let Some((byte, next)) = self.untagged(at) {
            if byte == b';' {
                return Some((meaning(&name[..length])?, next));
            }
            let is_number = name[0] == b'#';
            let belongs = byte.is_ascii_alphanumeric() || (byte == b'#' && length == 0);
            let is_digit =
                if matches!(name[1], b'x' | b'X') { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
            let ends = is_number && 1 < length && !is_digit;
            if !belongs || ends || length == REFERENCE_CHARS_MAX {
                break;
            }
            name[length] = byte;
            length += 1;
            at = next;
        }
        let number = name[..length].starts_with(b"#").then(|| meaning(&name[..length]));
        Some((number??, at))
    }

    /// The byte at a place without tags of HTML, where they are passed over.
    fn untagged(&self, mut at: usize) -> Option<(u8, usize)> {
        loop {
            let (byte, next) = self.transferred(at)?;
            if byte != b'<' || !self.skips_tags {
                return Some((byte, next));
            }
            match self.tag_end(next) {
                Some(end) => at = end,
                None => return Some((byte, next)),
            }
        }
    }

    /// The place behind a tag or comment whose `<` stands in front of `at`. What another `<` breaks off counts as none, so
    /// that a text full of them is read once.
    fn tag_end(&self, mut at: usize) -> Option<usize> {
        let (first, _) = self.transferred(at)?;
        if !first.is_ascii_alphabetic() && !matches!(first, b'/' | b'!' | b'?') {
            return None;
        }
        let (mut quote, mut last) = (None, first);
        while let Some((byte, next)) = self.transferred(at) {
            at = next;
            match (quote, byte) {
                (None, b'>') => return Some(at),
                (None, b'<') => return None,
                (None, b'"' | b'\'') if last == b'=' => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
        }
        None
    }

    /// `range` in pieces, without the tags that are passed over.
    pub(super) fn without_tags(&self, range: Range<usize>) -> Vec<Range<usize>> {
        if !self.skips_tags {
            return vec![range];
        }
        let mut pieces = Vec::new();
        let (mut start, mut at) = (range.start, range.start);
        while at < range.end
            && let Some((byte, next)) = self.transferred(at)
        {
            let tag_end = if byte == b'<' { self.tag_end(next) } else { None };
            if let Some(end) = tag_end {
                pieces.push(start..at);
                start = end;
            }
            at = tag_end.unwrap_or(next);
        }
        pieces.push(start..range.end);
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// The byte at a place without quoted-printable.
    fn transferred(&self, mut at: usize) -> Option<(u8, usize)> {
        loop {
            let byte = *self.bytes.get(at)?;
            if byte != b'=' || self.transfer == Transfer::Decoded {
                return Some((byte, at + 1));
            }
            let digit = |at: usize| self.bytes.get(at).and_then(|byte| hex(*byte));
            if let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) {
                return Some((high * 16 + low, at + 3));
            }
            match self.past_soft_break(at + 1) {
                Some(next) => at = next,
                None => return Some((byte, at + 1)),
            }
        }
    }

    fn past_soft_break(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let blanks = rest.iter().take(BLANKS_MAX).take_while(is_blank).count();
        let rest = &rest[blanks..];
        let length = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        (length != 0).then_some(at + blanks + length)
    }

    /// The place behind a line break and what stands in front of a quoted line.
    pub(super) fn past_break(&self, mut at: usize) -> usize {
        while let Some((byte, next)) = self.unit(at) {
            if !matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | b'>' | b'|') {
                break;
            }
            at = next;
        }
        at
    }

    /// The place behind a line break, if one is here, perhaps with blanks in front of it.
    fn past_wrap(&self, start: usize) -> usize {
        let mut at = start;
        for _ in 0..=BLANKS_MAX {
            match self.unit(at) {
                Some((b' ' | b'\t', next)) => at = next,
                Some((b'\r' | b'\n', next)) => return self.past_break(next),
                _ => return start,
            }
        }
        start
    }

    /// The token that begins here, if there is one. A program may have broken the line in front of it or within it.
    pub(super) fn token(&self, at: usize) -> Option<Range<usize>> {
        let start = self.past_wrap(at);
        if self.skips_tags {
            return self.whole_token(start);
        }
        let (mut at, mut end, mut count) = (start, start, 0);
        let mut first_line = None;
        while let Some((byte, next)) = self.unit(at) {
            if is_line_end(byte) && count < TOKEN_CHARS {
                first_line.get_or_insert((end, count));
                at = self.past_break(next);
                continue;
            }
            let is_whole = first_line.is_some() && count == TOKEN_CHARS;
            if is_whole || !is_of_token(byte) {
                break;
            }
            count += 1;
            (at, end) = (next, next);
        }
        if let Some(first_line) = first_line.filter(|_| count != TOKEN_CHARS) {
            // The next line is other text.
            (end, count) = first_line;
        }
        (TOKEN_CHARS_MIN <= count).then_some(start..end)
    }

    /// The token that begins here, if it is as long as those of this server: behind a tag, a word may be other text.
    fn whole_token(&self, start: usize) -> Option<Range<usize>> {
        let (mut at, mut end, mut count) = (start, start, 0);
        while count < TOKEN_CHARS {
            let (byte, next) = self.unit(at)?;
            if is_line_end(byte) {
                at = self.past_break(next);
                continue;
            }
            if !is_of_token(byte) {
                return None;
            }
            count += 1;
            (at, end) = (next, next);
        }
        Some(start..end)
    }
}

fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

pub(super) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The ASCII character that a reference stands for, of those that links and quotes have.
fn meaning(name: &[u8]) -> Option<u8> {
    let name = std::str::from_utf8(name).ok()?;
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return code.ok().and_then(|code| u8::try_from(code).ok()).filter(u8::is_ascii);
    }
    Some(match name {
        "sol" => b'/',
        "colon" => b':',
        "period" => b'.',
        "plus" => b'+',
        "commat" => b'@',
        "percnt" => b'%',
        "equals" => b'=',
        "num" => b'#',
        "lowbar" => b'_',
        "gt" => b'>',
        "lt" => b'<',
        "amp" => b'&',
        "NewLine" => b'\n',
        "Tab" => b'\t',
        _ => return None,
    })
}
