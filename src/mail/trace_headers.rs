//! Adds this server's trace fields to an incoming message, and removes forged ones.
//!
//! The fields go in front. `Authentication-Results` with this server's name that it did not write are removed (RFC 8601
//! 5): later readers, here or at a member, could not tell them from real ones.

use mail_parser::HeaderValue;

use super::header::{self, Field, Form};
use crate::model::Authentication;

/// Domains of From that are checked. Membership is decided for the first one.
const AUTHOR_DOMAINS_MAX: usize = 5;

/// Puts the fields `ours` in front of `raw` and removes results that pretend to be those of `hostname`. In place: a
/// large message is not copied.
pub fn receive_with(raw: &mut Vec<u8>, ours: &str, hostname: &str) {
    let header_end = header::block_end(raw, 0);
    let mut head = ours.as_bytes().to_vec();
    let mut kept_to = 0;
    for field in header::fields(&raw[..header_end]).filter(|field| claims(field, hostname)) {
        head.extend_from_slice(&raw[kept_to..field.start]);
        kept_to = field.start + field.raw.len();
    }
    let has_fields = header::fields(&raw[..header_end]).next().is_some();
    if !has_fields && header_end < raw.len() {
        // Without a header of its own, its first lines must not become part of ours.
        head.extend_from_slice(b"\r\n");
        kept_to = header_end;
    }
    raw.splice(..kept_to, head);
}

/// The domains of everybody in From, in A-label form, each once and in order.
#[must_use]
pub fn author_domains(message: &[u8]) -> Vec<String> {
    let (head, _) = super::split(message);
    let mut domains = Vec::new();
    for field in header::fields(head).filter(|field| field.is("From")) {
        let HeaderValue::Address(addresses) = field.parsed(Form::Addresses, None) else { continue };
        for address in addresses.iter().filter_map(|address| address.address.as_deref()) {
            let Some((_, domain)) = address.trim().rsplit_once('@') else { continue };
            let Ok(domain) = idna::domain_to_ascii(domain.trim_end_matches('.')) else { continue };
            if !domain.is_empty() && !domains.contains(&domain) && domains.len() < AUTHOR_DOMAINS_MAX {
                domains.push(domain);
            }
        }
    }
    domains
}

/// Whether a message has a signature that can be verified: DKIM, or ARC of servers that forwarded it.
#[must_use]
pub fn has_signature(message: &[u8]) -> bool {
    let (head, _) = super::split(message);
    header::fields(head).any(|field| field.is("DKIM-Signature") || field.is("ARC-Seal"))
}

/// Whether a message says that its delivery matters more than TLS: `TLS-Required: No` (RFC 8689 3).
#[must_use]
pub fn waives_tls(message: &[u8]) -> bool {
    let (head, _) = super::split(message);
    let mut fields = header::fields(head).filter(|field| field.is("TLS-Required"));
    fields.next().is_some_and(|field| field.text().trim().eq_ignore_ascii_case("no"))
}

/// The field with the results of the checks of the sender (RFC 8601).
#[must_use]
pub fn results_header(authentication: &Authentication, hostname: &str) -> String {
    format!("Authentication-Results: {hostname};\r\n\t{}\r\n", results_in_lines(authentication))
}

/// The results, one on each line.
pub(super) fn results_in_lines(authentication: &Authentication) -> String {
    authentication.results.replace("; ", ";\r\n\t")
}

/// Whether a field claims to contain the results of `hostname`.
fn claims(field: &Field<'_>, hostname: &str) -> bool {
    let is_ours = |id: &str| id.trim_end_matches('.').eq_ignore_ascii_case(hostname);
    field.is("Authentication-Results") && is_ours(&service_id(&field.text()))
}

/// The `authserv-id`: a word or a quoted string, after comments.
fn service_id(text: &str) -> String {
    let mut rest = text.trim_start();
    while rest.starts_with('(') {
        rest = behind_comment(rest).trim_start();
    }
    let Some(quoted) = rest.strip_prefix('"') else {
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '(');
        return rest.split(ends).next().unwrap_or_default().to_owned();
    };
    let mut id = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next().filter(|c| *c != '"') {
        id.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    id
}

/// The text after the comment that `text` begins with; comments may contain comments (RFC 5322 3.2.2).
fn behind_comment(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' if depth == 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &str) {
        let mut raw = message.replace('\n', "\r\n").into_bytes();
        receive_with(&mut raw, "Received: here\r\n", "mx.lists.test");
        assert_eq!(
            String::from_utf8(raw).unwrap().replace("\r\n", "\n"),
            format!("Received: here\n{expected}")
        );
    }

    #[test]
    fn results_that_carry_our_name_are_taken_out() {
        for forged in [
            "Authentication-Results: mx.lists.test; spf=pass",
            "authentication-results:\n\tMX.Lists.Test.;\n dkim=pass",
            "Authentication-Results : (a (b\\)) c) (d) mx.lists.test 1; dmarc=pass",
            "Authentication-Results: \"mx\\.lists.test\"; dmarc=pass",
            "Authentication-Results: mx.lists.test(x); none",
        ] {
            check(&format!("A: b\n{forged}\nFrom: a@x.org\n{forged}\n\nhi\n"), "A: b\nFrom: a@x.org\n\nhi\n");
        }
    }

    #[test]
    fn text_without_a_header_continues_no_field_of_ours() {
        check(" ; dmarc=pass\n\nhi\n", "\n ; dmarc=pass\n\nhi\n");
        check("Dear all\nnote: b\n", "\nDear all\nnote: b\n");
        check("\nhi\n", "\nhi\n");
    }

    #[test]
    fn everything_else_stays() {
        for message in [
            "Authentication-Results: mx.else.test; spf=pass\nFrom: a@x.org\n\nhi\n",
            "Authentication-Results: (mx.lists.test) a.mx.lists.test; spf=pass\n\nhi\n",
            "A: b\n\nAuthentication-Results: mx.lists.test; spf=pass\n",
            "Authentication-Results: (mx.lists.test",
            "",
        ] {
            check(message, message);
        }
    }
}
