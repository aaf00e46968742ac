//! Reads delivery status notifications (RFC 3464, internationalized by RFC 6533).
//!
//! Reports about mail that arrived are skipped. The classification of each failure is in `classify`.

use super::classify::{diagnose, diagnose_final};
use super::freeform::{diagnose_more, diagnose_text, own_text};
use super::report::{BOUNCED_MAX, Bounced, Fate, field_text, named_address, one_line};
use crate::mail::header::{self, Field};
use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::mail::text;
use crate::model::Status;

/// The fields of a report about one recipient.
#[derive(Default)]
struct Group {
    original: Option<String>,
    last: Option<String>,
    action: Option<String>,
    status: Option<Status>,
    remote: Option<String>,
    diagnostic: Option<String>,
}

/// Whether a part is the machine-readable half of a report.
pub(super) fn is_status(part: &Part) -> bool {
    matches!(part.media_type.as_str(), "message/delivery-status" | "message/global-delivery-status")
}

/// The recipients of a report whose mail did not arrive, or has not yet. `human` is the half for people, used if the
/// other half says nothing but that delivery failed.
pub(super) fn read(inbound: &Inbound, part: &Part, human: &str) -> Vec<Bounced> {
    let body = text::decode_transfer(&inbound.raw[part.body.clone()], part.encoding);
    let mut reporting = None;
    let mut found = Vec::new();
    for block in blocks(&body) {
        let mut group = Group::default();
        for field in header::fields(block) {
            if field.is("Reporting-MTA") {
                reporting = host(&field);
            } else {
                group.take(&field);
            }
        }
        if found.len() < BOUNCED_MAX {
            found.extend(group.read(reporting.as_deref(), human));
        }
    }
    found
}

/// Splits the fields into groups at empty lines.
fn blocks(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = body;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (block, behind) = rest.split_at(header::group_end(rest, 0));
        rest = behind;
        Some(block)
    })
}

impl Group {
    fn take(&mut self, field: &Field<'_>) {
        let place = match field.folded_name().as_str() {
            "original-recipient" => &mut self.original,
            "final-recipient" => &mut self.last,
            "action" => &mut self.action,
            "diagnostic-code" => &mut self.diagnostic,
            "remote-mta" => {
                self.remote = host(field);
                return;
            }
            "status" => {
                let text = field.text();
                self.status = text.split_whitespace().next().and_then(Status::parse);
                return;
            }
            _ => return,
        };
        *place = Some(typed_value(&field_text(field)).to_owned());
    }

    /// Reads a group; `None` for one about the message as a whole, and for mail that arrived.
    fn read(self, reporting: Option<&str>, human: &str) -> Option<Bounced> {
        let Group { original, last, action, status, remote, diagnostic } = self;
        if last.is_none() && original.is_none() && action.is_none() && status.is_none() {
            return None;
        }
        let action = action.unwrap_or_default().to_ascii_lowercase();
        let fate = match (action.as_str(), status.map(|status| status.class)) {
            ("delivered" | "relayed" | "expanded", _) | (_, Some(2)) => return None,
            ("delayed", _) => Fate::Delayed,
            ("failed" | "failure", _) | (_, Some(5)) => Fate::Failed,
            (_, Some(_) | None) => Fate::Delayed,
        };
        let recipients =
            [original, last].into_iter().flatten().filter_map(|text| named_address(&xtext(&text)));
        let mut recipients: Vec<_> = recipients.collect();
        recipients.dedup();
        // The text for people may be about other recipients, too: it counts only if nothing else says anything.
        let diagnosis = match diagnostic.as_deref() {
            Some(text) => {
                let found =
                    if fate == Fate::Failed { diagnose_final(status, text) } else { diagnose(status, text) };
                diagnose_more(found, text, status, human, &recipients)
            }
            None => diagnose_text(status, &own_text(human)),
        };
        Some(Bounced {
            recipients,
            fate,
            diagnosis,
            remote: remote.or_else(|| reporting.map(str::to_owned)),
            words: one_line(&diagnostic.unwrap_or_else(|| status.map(|s| s.to_string()).unwrap_or_default())),
        })
    }
}

/// The value after the type, as in `rfc822; ada@example.org`.
fn typed_value(text: &str) -> &str {
    match text.split_once(';') {
        Some((kind, value)) if !kind.contains([' ', '@']) => value.trim(),
        _ => text.trim(),
    }
}

/// The name of a server, as in `dns; mx.example.org (192.0.2.1, the server for example.org)`.
fn host(field: &Field<'_>) -> Option<String> {
    let text = field_text(field);
    let name = typed_value(&text).split_whitespace().next()?;
    Some(one_line(name.trim_end_matches('.')))
}

/// Decodes an Original-Recipient in RFC 3461's xtext: `+` and two hexadecimal digits for some characters.
fn xtext(text: &str) -> String {
    text.replace("+2B", "+").replace("+3D", "=")
}
