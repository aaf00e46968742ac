//! This server's own personal links in texts of UTF-16, whose ASCII characters are two bytes each.

use std::borrow::Cow;

use super::links::OwnLinks;

/// How a byte order is read and written.
type Order = (fn([u8; 2]) -> u16, fn(u16) -> [u8; 2]);

/// Both byte orders. In the wrong one a text has no ASCII, and so no links.
const ORDERS: [Order; 2] = [(u16::from_le_bytes, u16::to_le_bytes), (u16::from_be_bytes, u16::to_be_bytes)];

/// Whether a character set, in lower case, is UTF-16 by its name.
pub(super) fn is_named(charset: &str) -> bool {
    let names = ["utf-16", "utf16", "ucs-2", "iso-10646-ucs-2"];
    charset == "unicode" || names.iter().any(|name| charset.starts_with(name))
}

/// Whether a text begins with the mark by which programs know UTF-16.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// A text in its own byte order without the tokens of its links; `None` if there are none, or it is not sound.
pub(super) fn scrubbed(links: &OwnLinks<'_>, bytes: &[u8], is_html: bool) -> Option<Vec<u8>> {
    let (units, rest) = bytes.as_chunks::<2>();
    ORDERS.iter().find_map(|(read, write)| {
        let text: String =
            char::decode_utf16(units.iter().map(|unit| read(*unit))).collect::<Result<_, _>>().ok()?;
        let Cow::Owned(scrubbed) = links.scrubbed(&text, is_html) else { return None };
        let mut bytes: Vec<u8> = scrubbed.encode_utf16().flat_map(write).collect();
        bytes.extend_from_slice(rest);
        Some(bytes)
    })
}
