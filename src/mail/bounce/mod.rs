//! Reads delivery reports and complaints: which recipients they are about, and what they say.
//!
//! [`read`] takes a message that came to `bounces+TOKEN`, or to `abuse@`. The token in the address is better evidence
//! than the text, which anybody could have written; `ops::delivery::bounces` weighs both and decides. Nothing here
//! fails, whatever the bytes; a message that is no report is [`Report::Nothing`].

mod address_phrases;
mod classify;
mod complaint;
mod dsn;
mod freeform;
mod report;
mod sender_phrases;

pub use classify::{diagnose, diagnose_sender, is_final_reply};
pub use report::{Bounced, Complaint, Fate, Report};

use super::header;
use super::parse::Inbound;
use super::text;
use report::field_text;

/// Reads a report. `is_at_token` says that it came to the envelope sender of a copy, where a mail that says why
/// something failed is a report whatever its sender and subject are.
#[must_use]
pub fn read(inbound: &Inbound, is_at_token: bool) -> Report {
    let outside = || inbound.parts.iter().filter(|part| !inbound.is_inside_message(part));
    if let Some(part) = outside().find(|part| complaint::is_feedback(part)) {
        return complaint::read(inbound, part).map_or(Report::Nothing, Report::Complaint);
    }
    let human = human_text(inbound);
    let status = outside().find(|part| dsn::is_status(part));
    let wrapped = || inbound.parts.iter().find(|part| dsn::is_status(part)).filter(|_| is_rewrapped(inbound));
    if let Some(part) = status.or_else(wrapped) {
        let bounced = dsn::read(inbound, part, &human);
        if !bounced.is_empty() {
            return Report::Deliveries(bounced);
        }
        if has_group(inbound, part) {
            return Report::Nothing;
        }
    }
    let notification = outside().find(|part| part.media_type == "message/disposition-notification");
    if notification.is_some_and(|part| !is_rejection(inbound, part)) {
        return Report::Nothing;
    }
    if let Some(complaint) = complaint::read_bare(inbound) {
        return Report::Complaint(complaint);
    }
    let bounced = freeform::read(inbound, &human, is_at_token);
    if bounced.is_empty() { Report::Nothing } else { Report::Deliveries(bounced) }
}

/// Whether a gateway put a whole report into a mail of its own: it says what is within and is no report itself.
fn is_rewrapped(inbound: &Inbound) -> bool {
    let mut fields = inbound.fields().filter(|field| field.is("Content-Type"));
    fields.next().is_some_and(|field| {
        let text = field_text(&field).to_ascii_lowercase();
        text.starts_with("multipart/mixed") && text.contains("report-type=delivery-status")
    })
}

/// Whether a disposition notification says that the mail system threw the message away: it is a bounce, in the form that
/// Sieve's `reject` and Dovecot use. One of a person who deleted it unread is none.
fn is_rejection(inbound: &Inbound, part: &super::mime::Part) -> bool {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    let mut fields = header::fields(&body);
    let disposition = fields.find(|field| field.is("Disposition"));
    let is_automatic = disposition.is_some_and(|field| {
        let text = field_text(&field).to_lowercase();
        text.starts_with("automatic-action") && text.contains("deleted")
    });
    is_automatic
        && inbound.fields().any(|field| field.is("Auto-Submitted") && field_text(&field).contains("rejected"))
}

/// Whether a report says something about a recipient, be it that the mail arrived.
fn has_group(inbound: &Inbound, part: &super::mime::Part) -> bool {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    header::fields(&body).any(|field| field.is("Action") || field.is("Status"))
}

/// The part of a report that is written for people. A report whose boundaries do not match has none: there, the whole
/// body is read.
fn human_text(inbound: &Inbound) -> String {
    let content = inbound.content();
    let plain = content.plain.filter(|plain| !plain.trim().is_empty());
    let shown = plain.or_else(|| content.html.map(|html| text::text_from_html(&html)));
    let shown = shown.filter(|shown| !shown.trim().is_empty());
    shown.unwrap_or_else(|| {
        let body = inbound.parts[0].body.clone();
        String::from_utf8_lossy(&inbound.raw[body]).replace("\r\n", "\n")
    })
}
