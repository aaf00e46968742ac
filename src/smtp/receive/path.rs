//! Parses the paths of MAIL and RCPT: checks that smtp-proto leaves to its caller, and forms that it does not know.
//!
//! The session calls it. Section numbers are those of RFC 5321.

use std::net::{Ipv4Addr, Ipv6Addr};

use memchr::{memchr, memmem};
use smtp_proto::{MailFrom, Request};

use crate::mail::envelope::ReversePath;
use crate::model::{Domain, EmailAddress};

/// Octets of a local part (4.5.3.1.1).
const LOCAL_BYTES_MAX: usize = 64;
/// Octets of a path without its angle brackets (4.5.3.1.3).
const PATH_BYTES_MAX: usize = 254;

/// The reason why a path is refused.
pub(super) enum PathError {
    /// It is no address that [`EmailAddress`] can hold.
    Form,
    /// It is not ASCII, and MAIL did not ask for SMTPUTF8.
    International,
}

/// Reads the text that smtp-proto found between the angle brackets; `None` for `<>`.
pub(super) fn read_path(
    text: &str,
    line: &[u8],
    hostname: &str,
    smtputf8: bool,
) -> Result<Option<EmailAddress>, PathError> {
    if text.is_empty() {
        // `<postmaster>` needs no domain (4.5.1); smtp-proto returns it as the empty path.
        let path = &line[..memchr(b'>', line).map_or(line.len(), |end| end + 1)];
        return if memchr(b'@', path).is_none() && contains_postmaster(path) {
            EmailAddress::parse(&format!("postmaster@{hostname}")).map(Some).map_err(|_| PathError::Form)
        } else {
            Ok(None)
        };
    }
    if !text.is_ascii() && !smtputf8 {
        return Err(PathError::International);
    }
    // smtp-proto removed the quotes; without any, a local part that needs quoting is no address.
    let address = match text.rsplit_once('@') {
        Some((local, domain)) if memchr(b'"', line).is_some() => EmailAddress::from_parts(local, domain),
        _ => EmailAddress::parse(text),
    };
    address.map(Some).map_err(|_| PathError::Form)
}

/// A sender that is no [`EmailAddress`], in the form in which it could be used in a command again.
pub(super) fn other_path(text: &str) -> Option<ReversePath> {
    let (local, domain) = text.rsplit_once('@')?;
    let is_domain = Domain::parse(domain).is_ok() || is_address_literal(domain);
    let length_is_valid = (1..=LOCAL_BYTES_MAX).contains(&local.len()) && text.len() <= PATH_BYTES_MAX;
    if !is_domain || !length_is_valid || text.contains(char::is_control) {
        return None;
    }
    let is_plain = |c: char| !c.is_whitespace() && !"\"\\(),:;<>@[]".contains(c);
    let is_dot_atom = local.chars().all(is_plain) && !local.split('.').any(str::is_empty);
    Some(ReversePath::Other(if is_dot_atom {
        text.to_owned()
    } else {
        format!("\"{}\"@{domain}", local.replace('\\', "\\\\").replace('"', "\\\""))
    }))
}

/// `[192.0.2.1]` or `[IPv6:2001:db8::1]` (4.1.3).
fn is_address_literal(domain: &str) -> bool {
    let Some(literal) = domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return false;
    };
    match literal.split_at_checked("IPv6:".len()) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
        _ => literal.parse::<Ipv4Addr>().is_ok(),
    }
}

/// Reads a MAIL command whose sender has an address literal. smtp-proto does not know literals and is given a domain in
/// its place.
pub(super) fn mail_with_literal(line: &[u8]) -> Option<MailFrom<String>> {
    const STAND_IN: &str = "literal.invalid";
    let end = memmem::find(line, b"]>")? + 1;
    let start = memmem::rfind(&line[..end], b"@[")? + 1;
    let literal = std::str::from_utf8(&line[start..end]).ok()?;
    let shown = [&line[..start], STAND_IN.as_bytes(), &line[end..]].concat();
    match Request::parse(&mut shown.iter()) {
        Ok(Request::Mail { from }) => {
            let mut from = from.into_owned();
            let local = from.address.strip_suffix(STAND_IN)?;
            from.address = format!("{local}{literal}");
            Some(from)
        }
        _ => None,
    }
}

/// A MAIL or RCPT command with the quotes that its address lacks: providers gave out addresses with dots in a row or at
/// the end, which only a quoted string may have. `None` if its address is of another kind.
pub(super) fn with_quoted_dots(line: &[u8]) -> Option<Vec<u8>> {
    let start = memchr(b'<', line)? + 1;
    let end = start + memchr(b'>', &line[start..])?;
    let local = start + memchr(b'@', &line[start..end])?;
    let name = &line[start..local];
    let is_dotted = name.ends_with(b".") || name.windows(2).any(|pair| pair == b"..");
    let is_plain = !name.starts_with(b".") && !name.iter().any(|byte| b"\"\\(),:;<[] ".contains(byte));
    (is_dotted && is_plain).then(|| [&line[..start], b"\"", name, b"\"", &line[local..]].concat())
}

fn contains_postmaster(line: &[u8]) -> bool {
    line.windows(b"postmaster>".len()).any(|window| window.eq_ignore_ascii_case(b"postmaster>"))
}
