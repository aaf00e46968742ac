//! Reads delivery reports and complaints: which recipients they are about, and what they say.
//!
//! [`read`] takes a message that came to `bounces+TOKEN`, or to `abuse@`. The token in the address is better evidence
//! than the text, which anybody could have written; `ops::delivery::bounces` weighs both and decides. Nothing here
//! fails, whatever the bytes; a message that is no report is [`Report::Nothing`].

mod classify;
mod complaint;
mod dsn;
mod freeform;

pub use classify::diagnose;

use super::header::{self, Field};
use super::parse::Inbound;
use super::text;
use crate::model::{Diagnosis, EmailAddress};

/// Recipients of one report that are read.
const BOUNCED_MAX: usize = 100;
/// Addresses that are taken from one place.
const ADDRESSES_MAX: usize = 10;
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

/// Reads a report.
#[must_use]
pub fn read(inbound: &Inbound) -> Report {
    let outside = || inbound.parts.iter().filter(|part| !inbound.is_inside_message(part));
    if let Some(part) = outside().find(|part| complaint::is_feedback(part)) {
        return complaint::read(inbound, part).map_or(Report::Nothing, Report::Complaint);
    }
    let human = human_text(inbound);
    if let Some(part) = outside().find(|part| dsn::is_status(part)) {
        let bounced = dsn::read(inbound, part, &human);
        if !bounced.is_empty() {
            return Report::Deliveries(bounced);
        }
        if has_group(inbound, part) {
            return Report::Nothing;
        }
    }
    if outside().any(|part| part.media_type == "message/disposition-notification") {
        return Report::Nothing;
    }
    if let Some(complaint) = complaint::read_bare(inbound) {
        return Report::Complaint(complaint);
    }
    freeform::read(inbound, &human).map_or(Report::Nothing, |bounced| Report::Deliveries(vec![bounced]))
}

/// Whether a report says something about a recipient, be it that the mail arrived.
fn has_group(inbound: &Inbound, part: &super::mime::Part) -> bool {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    header::fields(&body).any(|field| field.is("Action") || field.is("Status"))
}

/// The part of a report that is written for people.
fn human_text(inbound: &Inbound) -> String {
    let content = inbound.content();
    content.plain.or_else(|| content.html.map(|html| text::text_from_html(&html))).unwrap_or_default()
}

/// The value of a field with its lines joined.
fn field_text(field: &Field<'_>) -> String {
    header::one_line(&field.text())
}

/// An address, in angle brackets or not.
fn named_address(text: &str) -> Option<EmailAddress> {
    EmailAddress::parse(text.trim().trim_start_matches('<').trim_end_matches('>')).ok()
}

/// The beginning of a remote text, without line breaks and control characters.
fn one_line(text: &str) -> String {
    header::one_line(text).chars().take(WORDS_CHARS_MAX).collect()
}
