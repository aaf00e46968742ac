//! Notes of where the files of a large message stand in its stored bytes, so that a file is sent without reading the
//! message.
//!
//! `ops::archive::part_notes` makes them in the background, and again where they are missing. They hold nothing that the
//! message does not have.

use serde::{Deserialize, Serialize};

use super::{AccountId, MessageId};

/// The notes of a message, under its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartNotes {
    /// The message.
    pub id: MessageId,
    /// Its account.
    pub account: AccountId,
    /// A hash of everything on which the notes depend. With another one they are out of date.
    pub facts: [u8; 16],
    /// Its parts that are files, in the order of their numbers.
    pub parts: Vec<PartNote>,
}

impl PartNotes {
    /// Messages of so many bytes, and larger ones, have notes; a smaller one is read as fast as its notes.
    pub const MESSAGE_BYTES_MIN: u64 = 64 << 10;
}

/// The note of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartNote {
    /// Its place among all parts of the message.
    pub number: u32,
    /// Its name in the mail; blank if it has none.
    pub name: String,
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// How its bytes are encoded.
    pub encoding: PartEncoding,
    /// Where its encoded bytes begin and end in the stored message; `None` if they do not stand there.
    pub stored: Option<(u64, u64)>,
    /// The number of its bytes without the encoding.
    pub length: u64,
    /// Identifies its bytes: other bytes have another tag.
    pub tag: String,
    /// The same of its text with the addresses in it hidden, if it is text.
    pub hidden: Option<HiddenText>,
}

/// The text of a part with the addresses in it hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenText {
    /// The number of its bytes.
    pub length: u64,
    /// Identifies its bytes.
    pub tag: String,
    /// The character set by which a stretch of it is read; `None` if it can be read as a whole alone.
    pub charset: Option<TextCharset>,
}

/// The character set of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextCharset {
    /// UTF-8.
    Utf8,
    /// Latin-1, for text that is no UTF-8 and names no other.
    Western,
    /// The one of this name.
    Named(String),
}

/// The transfer encoding of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartEncoding {
    /// None.
    Plain,
    /// Quoted-printable.
    QuotedPrintable,
    /// Base64.
    Base64,
}
