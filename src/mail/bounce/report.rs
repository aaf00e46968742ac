//! What a report says, and the texts of others that it is made of.

use crate::mail::header::{self, Field};
use crate::model::{Diagnosis, EmailAddress};

/// Recipients of one report that are read.
pub(super) const BOUNCED_MAX: usize = 100;
/// Addresses that are taken from one place.
pub(super) const ADDRESSES_MAX: usize = 10;
/// Characters of a remote server's text that are kept.
const WORDS_CHARS_MAX: usize = 200;

/// The content of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Mail that did not arrive, or has not yet.
    Deliveries(Vec<Bounced>),
    /// A reader does not want the mail.
    Complaint(Complaint),
    /// Neither: an absence note, a read receipt, or a person's mail to the server.
    Nothing,
}

/// The fate of the mail for one recipient, as another server reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounced {
    /// Addresses that it may mean: the one that this server wrote to, and the one it was forwarded to. Empty if not
    /// stated.
    pub recipients: Vec<EmailAddress>,
    /// Whether the failure is final.
    pub fate: Fate,
    /// The classification of the failure.
    pub diagnosis: Diagnosis,
    /// The server that refused or, if that is unknown, the one that reports.
    pub remote: Option<String>,
    /// The server's reply, on one line.
    pub words: String,
}

/// Whether a copy that did not arrive may still do so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It will not.
    Failed,
    /// Delivery is still being tried; nothing follows from that.
    Delayed,
}

/// A report that a reader does not want a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaint {
    /// `abuse`, `fraud`, `opt-out` and so on.
    pub kind: String,
    /// The recipients of the message, if they are stated: many providers hide them.
    pub recipients: Vec<EmailAddress>,
    /// Envelope senders and `CFBL-Address` of the returned message: this server's tokens are among them.
    pub senders: Vec<EmailAddress>,
}

/// The value of a field with its lines joined.
pub(super) fn field_text(field: &Field<'_>) -> String {
    header::one_line(&field.text())
}

/// An address, in angle brackets or not.
pub(super) fn named_address(text: &str) -> Option<EmailAddress> {
    EmailAddress::parse(text.trim().trim_start_matches('<').trim_end_matches('>')).ok()
}

/// The beginning of a remote text, without line breaks and control characters.
pub(super) fn one_line(text: &str) -> String {
    header::one_line(text).chars().take(WORDS_CHARS_MAX).collect()
}
