//! Decodes the two character sets of mail that write Chinese or Korean in seven bits and that the web has dropped:
//! ISO-2022-KR (RFC 1557) and HZ (RFC 1843). Characters of two bytes stand between a sign to begin and one to end; the
//! same bytes with their highest bits set are a set that every library knows.

use encoding_rs::{EUC_KR, Encoding, GBK};

const SHIFT_OUT: u8 = 0x0e;
const SHIFT_IN: u8 = 0x0f;
/// Says that Korean follows; stands once in a text, in front of it.
const KOREAN_HEADER: &[u8] = b"\x1b$)C";

/// The decoder for a name in lower case.
pub(super) fn decoder(name: &str) -> Option<fn(&[u8]) -> String> {
    match name {
        "iso-2022-kr" => Some(korean),
        "hz-gb-2312" | "hz" => Some(hz),
        _ => None,
    }
}

fn korean(bytes: &[u8]) -> String {
    let mut text = Text::new(EUC_KR);
    let mut rest = bytes;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        match first {
            0x1b if behind.starts_with(&KOREAN_HEADER[1..]) => rest = &behind[KOREAN_HEADER.len() - 1..],
            SHIFT_OUT => text.is_wide = true,
            SHIFT_IN => text.is_wide = false,
            byte => text.push(byte),
        }
    }
    text.finish()
}

fn hz(bytes: &[u8]) -> String {
    let mut text = Text::new(GBK);
    let mut rest = bytes;
    while let Some((&first, behind)) = rest.split_first() {
        let sign = behind.first().filter(|_| first == b'~');
        match sign {
            Some(b'{') => text.is_wide = true,
            Some(b'}') => text.is_wide = false,
            Some(b'~') => text.push(b'~'),
            // The line goes on.
            Some(b'\n') => {}
            _ => text.push(first),
        }
        let is_pair = matches!(sign, Some(b'{' | b'}' | b'~' | b'\n'));
        rest = &behind[usize::from(is_pair)..];
    }
    text.finish()
}

/// A text of which some characters have two bytes.
struct Text {
    out: Vec<u8>,
    encoding: &'static Encoding,
    /// Whether two bytes are a character now.
    is_wide: bool,
}

impl Text {
    fn new(encoding: &'static Encoding) -> Text {
        Text { out: Vec::new(), encoding, is_wide: false }
    }

    fn push(&mut self, byte: u8) {
        // Each line begins with characters of one byte.
        self.is_wide &= byte != b'\n';
        let is_half = self.is_wide && (0x21..=0x7e).contains(&byte);
        self.out.push(if is_half { byte | 0x80 } else { byte });
    }

    fn finish(self) -> String {
        self.encoding.decode_without_bom_handling(&self.out).0.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn korean_and_chinese_in_seven_bits_are_read() {
        assert_eq!(korean(b"\x1b$)C\x0eGQ19\x0f ok\n\x0eGQ19\nab"), "한국 ok\n한국\nab");
        assert_eq!(hz(b"~{::WV~} ~~ a~\nb\n~{::WV\nab~"), "汉字 ~ ab\n汉字\nab~");
    }

    #[test]
    fn bytes_that_are_wrong_become_replacement_characters_and_lose_no_others() {
        assert_eq!(hz(b"~{:~} and \xff"), "\u{fffd} and \u{fffd}");
        assert_eq!(korean(b"\x0eG\x0f and"), "\u{fffd} and");
    }
}
