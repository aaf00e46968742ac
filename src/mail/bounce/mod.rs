//! Delivery report, complaint → who and what.
//!
//! [`read`] takes a message that came to `bounces+TOKEN`, or to `abuse@`, and says of which recipients it
//! reports what. The token that it came by says more than its text, which anybody could have written: what
//! follows is for `ops::delivery::bounces` to decide. Nothing here fails, whatever the bytes; what is no report is
//! [`Report::Nothing`].

mod classify;
mod complaint;
mod dsn;
mod freeform;

pub use classify::diagnose;

use super::header::{self, Field};
use super::parse::Inbound;
use super::text;
use crate::model::{Diagnosis, EmailAddress};

/// Recipients of one report that are looked at.
const BOUNCED_MAX: usize = 100;
/// Addresses that are taken from one place.
const ADDRESSES_MAX: usize = 10;
/// Words of a remote server that are kept, in characters.
const WORDS_CHARS_MAX: usize = 200;

/// What a message reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Mail that did not arrive, or has not yet.
    Deliveries(Vec<Bounced>),
    /// A reader who does not want it.
    Complaint(Complaint),
    /// Neither: somebody is on vacation, has read the mail, or writes to us.
    Nothing,
}

/// What became of the mail for one recipient, as another server tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounced {
    /// Whom it may mean: the address that we wrote to, and the one it went on to. Blank where it was not said.
    pub recipients: Vec<EmailAddress>,
    /// Whether it is over.
    pub fate: Fate,
    /// Why.
    pub diagnosis: Diagnosis,
    /// The server that refused, or the one that reports.
    pub remote: Option<String>,
    /// What it said, on one line.
    pub words: String,
}

/// Whether a copy that did not arrive still may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It will not.
    Failed,
    /// It is tried further; nothing follows.
    Delayed,
}

/// That a reader called a message unwanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaint {
    /// `abuse`, `fraud`, `opt-out` and so on.
    pub kind: String,
    /// Whom the message was for, where it was said: many providers hide it.
    pub recipients: Vec<EmailAddress>,
    /// Envelope senders and `CFBL-Address` of the message that came back: our tokens are among them.
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

/// Whether a report has said something of a recipient, even if it is that the mail arrived.
fn has_group(inbound: &Inbound, part: &super::mime::Part) -> bool {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    header::fields(&body).any(|field| field.is("Action") || field.is("Status"))
}

/// The part of a report that is for people.
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

/// The beginning of a text that others chose, without line breaks and control characters.
fn one_line(text: &str) -> String {
    header::one_line(text).chars().take(WORDS_CHARS_MAX).collect()
}
