//! Parses the parameters of MAIL, RCPT and BDAT that `smtp-proto` parses loosely, or not at all.
//!
//! The session calls it for each of these commands.

use std::ops::Range;

use memchr::memmem;
use smtp_proto::{
    MAIL_BODY_BINARYMIME, MAIL_BY_NOTIFY, MAIL_BY_RETURN, MAIL_CONPERM, MailFrom, RCPT_NOTIFY_DELAY,
    RCPT_NOTIFY_FAILURE, RCPT_NOTIFY_NEVER, RCPT_NOTIFY_SUCCESS, RcptTo,
};

use super::reply::Reply;
use crate::mail::envelope::{DsnRequest, Notify};

/// The parameter with the recipient's original address (RFC 3461 4.2).
const ORCPT: &[u8] = b"ORCPT=";
/// Octets of its value.
const ORIGINAL_BYTES_MAX: usize = 500;

/// Whether anything follows the path of MAIL.
pub(super) fn has_parameters(line: &[u8]) -> bool {
    let behind_path = line.iter().rposition(|byte| *byte == b'>').map_or(line, |end| &line[end + 1..]);
    !behind_path.trim_ascii().is_empty()
}

/// The size that MAIL declares. smtp-proto starts again at zero if a number is too large for it.
pub(super) fn declared_size(line: &[u8]) -> Option<usize> {
    let behind_path = line.iter().rposition(|byte| *byte == b'>').map_or(line, |end| &line[end + 1..]);
    let mut parameters = behind_path.split(u8::is_ascii_whitespace);
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_at_checked("SIZE=".len())?;
        if name.eq_ignore_ascii_case(b"SIZE=") { number(value) } else { None }
    })
}

/// The number in `BDAT 1000 LAST`, if it can be represented.
pub(super) fn chunk_size_in(command: &[u8]) -> Option<usize> {
    let mut words = command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.nth(1).and_then(number).filter(|size| *size != usize::MAX)
}

/// A decimal number; a larger one than the type holds becomes the largest.
fn number(digits: &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for digit in digits {
        let digit = digit.is_ascii_digit().then(|| usize::from(digit - b'0'))?;
        value = value.saturating_mul(10).saturating_add(digit);
    }
    (!digits.is_empty()).then_some(value)
}

/// Whether MAIL uses an extension that EHLO does not announce. AUTH is ignored, as RFC 4954 5 has servers do that trust
/// nobody.
pub(super) fn asks_for_what_is_not_announced<T>(from: &MailFrom<T>) -> bool {
    const REFUSED_FLAGS: u64 = MAIL_BODY_BINARYMIME | MAIL_CONPERM | MAIL_BY_NOTIFY | MAIL_BY_RETURN;
    let MailFrom {
        address: _,
        flags,
        size: _,
        trans_id,
        by: _,
        env_id: _,
        solicit,
        mtrk,
        auth: _,
        hold_for,
        hold_until,
        mt_priority,
    } = from;
    flags & REFUSED_FLAGS != 0
        || trans_id.is_some()
        || solicit.is_some()
        || mtrk.is_some()
        || *hold_for != 0
        || *hold_until != 0
        || *mt_priority != 0
}

/// The envelope id of MAIL (RFC 3461 4.4). RET needs no attention: reports of success return headers alone.
pub(super) fn envelope_id<T: AsRef<str>>(from: &MailFrom<T>) -> Result<Option<String>, Reply> {
    from.env_id.as_ref().map(|id| printable(id.as_ref(), "ENVID")).transpose()
}

/// The reports that RCPT requests; `None` if it requests nothing (RFC 3461 4.1 and 4.2).
pub(super) fn dsn_request<T>(to: &RcptTo<T>, line: &[u8]) -> Result<Option<DsnRequest>, Reply> {
    const SOME: u64 = RCPT_NOTIFY_SUCCESS | RCPT_NOTIFY_FAILURE | RCPT_NOTIFY_DELAY;
    // smtp-proto parses ORCPT of one type only.
    let RcptTo { address: _, orcpt: _, rrvs, flags } = to;
    if *rrvs != 0 || flags & !(SOME | RCPT_NOTIFY_NEVER) != 0 {
        return Err(Reply::new(555, "5.5.4", "RCPT has a parameter that was not announced"));
    }
    if flags & RCPT_NOTIFY_NEVER != 0 && flags & SOME != 0 {
        return Err(Reply::new(501, "5.5.4", "NEVER stands alone in NOTIFY"));
    }
    let read = |value| {
        original(value).ok_or_else(|| Reply::new(501, "5.5.4", "ORCPT must be a type, `;` and an address"))
    };
    let original = place_of_original(line).map(|place| read(&line[place.start + ORCPT.len()..place.end]));
    let original = original.transpose()?;
    if *flags == 0 && original.is_none() {
        return Ok(None);
    }
    let has = |flag: u64| flags & flag != 0;
    let (success, failure, delay) =
        (has(RCPT_NOTIFY_SUCCESS), has(RCPT_NOTIFY_FAILURE), has(RCPT_NOTIFY_DELAY));
    let notify = if *flags == 0 { Notify::DEFAULT } else { Notify { success, failure, delay } };
    Ok(Some(DsnRequest { notify, original }))
}

/// RCPT without its ORCPT, if it has one.
pub(super) fn without_original(line: &[u8]) -> Option<Vec<u8>> {
    let place = place_of_original(line)?;
    Some([&line[..place.start], &line[place.end..]].concat())
}

/// The position of the first ORCPT.
fn place_of_original(line: &[u8]) -> Option<Range<usize>> {
    let mut start = memmem::find(line, b"> ")?;
    loop {
        start += line[start..].iter().position(u8::is_ascii_whitespace)?;
        start += line[start..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let end = line[start..].iter().position(u8::is_ascii_whitespace).map_or(line.len(), |at| start + at);
        if line[start..end].get(..ORCPT.len()).is_some_and(|name| name.eq_ignore_ascii_case(ORCPT)) {
            return Some(start..end);
        }
    }
}

/// The value of ORCPT as a report repeats it: `type; address`, decoded, with characters beyond ASCII as in RFC 6533 3.
fn original(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.len() <= ORIGINAL_BYTES_MAX)?;
    let (kind, address) = text.split_once(';')?;
    let is_kind = !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let address = if kind.eq_ignore_ascii_case("utf-8") { spell_out(address) } else { decode(address)? };
    let is_address = !address.is_empty() && address.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    (is_kind && is_address).then(|| format!("{kind}; {address}"))
}

/// Decodes xtext (RFC 3461 4): `+` and two digits stand for an octet.
fn decode(text: &str) -> Option<String> {
    let mut parts = text.split('+');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        decoded.push(char::from(u8::from_str_radix(digits, 16).ok()?));
        decoded.push_str(rest);
    }
    Some(decoded)
}

fn spell_out(address: &str) -> String {
    let spell = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\x{{{:X}}}", u32::from(c)) };
    address.chars().map(spell).collect()
}

/// Checks that a decoded text may be put into a report: it could contain anything.
fn printable(text: &str, name: &str) -> Result<String, Reply> {
    if !text.is_empty() && text.bytes().all(|octet| octet == b' ' || octet.is_ascii_graphic()) {
        return Ok(text.to_owned());
    }
    Err(Reply::new(501, "5.5.4", format!("{name} must stand for printable text")))
}
