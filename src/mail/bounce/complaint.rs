//! Reads complaints of readers: feedback reports (ARF, RFC 5965), which are also sent to a `CFBL-Address` (RFC 9477),
//! and Microsoft's older form.
//!
//! It never decides whether a complaint is genuine: see `bounce`.

use super::report::{ADDRESSES_MAX, Complaint, field_text, named_address, one_line};
use crate::mail::header;
use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::mail::text;
use crate::model::EmailAddress;

/// Feedback types that are no complaint: the opposite of one, and reports on authentication.
const NO_COMPLAINT: [&str; 4] = ["not-spam", "auth-failure", "auth-failures", "dmarc"];

/// Whether a part is the machine-readable half of a feedback report.
pub(super) fn is_feedback(part: &Part) -> bool {
    part.media_type == "message/feedback-report"
}

/// The complaint in a feedback report; `None` if its type is no complaint.
pub(super) fn read(inbound: &Inbound, part: &Part) -> Option<Complaint> {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    let mut complaint = Complaint { kind: "abuse".to_owned(), ..Complaint::default() };
    for field in header::fields(&body) {
        match field.folded_name().as_str() {
            "feedback-type" => complaint.kind = one_line(&field_text(&field).to_ascii_lowercase()),
            "original-rcpt-to" | "removal-recipient" => add(&mut complaint.recipients, &field_text(&field)),
            "original-mail-from" => add(&mut complaint.senders, &field_text(&field)),
            _ => {}
        }
    }
    if NO_COMPLAINT.contains(&complaint.kind.as_str()) {
        return None;
    }
    read_originals(inbound, &mut complaint);
    Some(complaint)
}

/// A complaint of Outlook.com's junk mail reporting in the form that has no feedback report: the message itself,
/// with a field that names the reader.
pub(super) fn read_bare(inbound: &Inbound) -> Option<Complaint> {
    let mut complaint = Complaint { kind: "abuse".to_owned(), ..Complaint::default() };
    let is_marked = read_originals(inbound, &mut complaint);
    is_marked.then_some(complaint)
}

/// Reads recipients and senders from the messages in a report; returns whether one has Microsoft's field.
fn read_originals(inbound: &Inbound, complaint: &mut Complaint) -> bool {
    let mut is_marked = false;
    for part in inbound.parts.iter().filter(|part| is_original(part) && !inbound.is_inside_message(part)) {
        let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
        for field in header::fields(&body[..header::block_end(&body, 0)]) {
            match field.folded_name().as_str() {
                "return-path" => add(&mut complaint.senders, &field_text(&field)),
                "cfbl-address" => {
                    let text = field_text(&field);
                    add(&mut complaint.senders, text.split(';').next().unwrap_or_default());
                }
                "x-hmxmroriginalrecipient" => {
                    is_marked = true;
                    add(&mut complaint.recipients, &field_text(&field));
                }
                _ => {}
            }
        }
    }
    is_marked
}

/// Whether a part is a returned message, or its header.
pub(super) fn is_original(part: &Part) -> bool {
    matches!(
        part.media_type.as_str(),
        "message/rfc822" | "message/global" | "text/rfc822-headers" | "message/global-headers"
    )
}

fn add(addresses: &mut Vec<EmailAddress>, text: &str) {
    if let Some(address) = named_address(text)
        && addresses.len() < ADDRESSES_MAX
        && !addresses.contains(&address)
    {
        addresses.push(address);
    }
}
