//! The original of a message that a moderator took out or redacted. Only people who may restore it can read it.
//!
//! `ops::archive::redaction` writes these records and encrypts what they refer to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, ListId, MessageId};
use crate::clock::Timestamp;

/// How long an original can be restored.
const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// The sealed original of a message; it has the number of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedOriginal {
    /// The message.
    pub id: MessageId,
    /// The account it belongs to.
    pub account: AccountId,
    /// The list it was sent to.
    pub list: ListId,
    /// A number made from the address of the author, by which the record is found when that person is forgotten.
    pub author: u64,
    /// The encrypted [`Original`].
    pub blob: BlobId,
    /// When the message was last taken out or redacted.
    pub sealed: Timestamp,
}

impl SealedOriginal {
    /// When it is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.sealed + KEPT_FOR
    }
}

/// A message as it was before a moderator changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Decoded subject.
    pub subject: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Address in the From header.
    pub from_address: String,
    /// Its bytes.
    pub raw: Vec<u8>,
}

impl Original {
    /// Its form before it is encrypted: each text with its length, then the bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Original { subject, from_phrase, from_address, raw } = self;
        let mut bytes = Vec::with_capacity(raw.len() + subject.len() + from_phrase.len() + 64);
        for text in [subject, from_phrase, from_address] {
            bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(raw);
        bytes
    }

    /// Reads [`to_bytes`](Original::to_bytes); `None` if the bytes are of another form.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Original> {
        let mut rest = bytes;
        let mut text = || {
            let (length, behind) = rest.split_first_chunk::<8>()?;
            let (text, behind) =
                behind.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
            rest = behind;
            String::from_utf8(text.to_vec()).ok()
        };
        let (subject, from_phrase, from_address) = (text()?, text()?, text()?);
        Some(Original { subject, from_phrase, from_address, raw: rest.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_original_is_read_as_it_was_written() {
        let original = Original {
            subject: "Käse".to_owned(),
            from_phrase: String::new(),
            from_address: "ada@x.org".to_owned(),
            raw: b"A: b\r\n\r\n\xff".to_vec(),
        };
        let bytes = original.to_bytes();
        assert_eq!(Original::from_bytes(&bytes), Some(original));
        for end in 0..33 {
            assert_eq!(Original::from_bytes(&bytes[..end]), None, "{end}");
        }
    }
}
