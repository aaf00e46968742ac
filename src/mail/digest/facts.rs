//! What a digest is made of.

use crate::clock::Timestamp;
use crate::locale::Locale;
use crate::model::EmailAddress;

/// The facts and messages that a digest is made of.
#[derive(Debug, Clone)]
pub struct NewDigest<'a> {
    /// Its Message-ID, without angle brackets.
    pub message_id: &'a str,
    /// Its Date.
    pub made: Timestamp,
    /// The day that it is the digest of, as [`day_in_words`](super::day_in_words) says it.
    pub day: &'a str,
    /// The title of the list.
    pub list_title: &'a str,
    /// The list's address.
    pub list_address: &'a EmailAddress,
    /// Its language, and the time zone of its times.
    pub locale: &'a Locale,
    /// Its subject, without the list's prefix.
    pub subject: &'a str,
    /// Its messages, in order.
    pub entries: &'a [DigestEntry],
}

/// A message of a digest.
#[derive(Debug, Clone, Default)]
pub struct DigestEntry {
    /// Its subject.
    pub subject: String,
    /// The name of its author, as members see it.
    pub sender: String,
    /// When it was accepted.
    pub time: Timestamp,
    /// The beginning of its text.
    pub first_words: String,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// The number of files in it.
    pub attachments: usize,
    /// The page on which it can be read, if there is one.
    pub permalink: Option<String>,
    /// The message as [`kept_part`](super::kept_part) made it; `None` if it is too large for any mail.
    pub mail: Option<Vec<u8>>,
}

/// An address in ASCII, as header fields have it.
pub(super) fn ascii(address: &EmailAddress) -> String {
    let domain = address.domain();
    let domain = idna::domain_to_ascii(domain).unwrap_or_else(|_| domain.to_owned());
    format!("{}@{domain}", address.local())
}
