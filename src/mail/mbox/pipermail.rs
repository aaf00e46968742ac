//! Restores the senders in pipermail's text archives, which write `From: ada at x.org (Ada)`.

use std::borrow::Cow;

use crate::mail::header;
use crate::model::EmailAddress;

/// The words that stand for `@`: pipermail translates them.
const AT: [&str; 7] = [" at ", " en ", " an ", " em ", " bei ", " \u{e0} ", " a "];

/// Restores the address in the From field of a message, if it has one that was obscured. The name, which stands in
/// parentheses behind it, comes to the front.
#[must_use]
pub fn restore(message: &[u8]) -> Cow<'_, [u8]> {
    let header = &message[..header::block_end(message, 0)];
    let Some(field) = header::fields(header).find(|field| field.is("From")) else {
        return Cow::Borrowed(message);
    };
    let Some(value) = restored(field.value().trim_ascii()) else { return Cow::Borrowed(message) };
    let mut mended = Vec::with_capacity(message.len() + value.len());
    let end = field.start + field.raw.len();
    mended.extend_from_slice(&message[..field.start]);
    mended.extend_from_slice(b"From: ");
    mended.extend_from_slice(&value);
    let line_end: &[u8] = if field.raw.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
    mended.extend_from_slice(line_end);
    mended.extend_from_slice(&message[end..]);
    Cow::Owned(mended)
}

/// The address that stands there obscured.
#[must_use]
pub fn address(text: &str) -> Option<EmailAddress> {
    let parts = AT.iter().find_map(|at| text.trim().split_once(at))?;
    let (local, domain) = (parts.0.trim(), parts.1.trim());
    let is_plain = !local.contains(char::is_whitespace) && !domain.contains(char::is_whitespace);
    EmailAddress::parse(&format!("{local}@{domain}")).ok().filter(|_| is_plain && domain.contains('.'))
}

/// The value of a From field that was obscured.
fn restored(value: &[u8]) -> Option<Vec<u8>> {
    if value.contains(&b'@') {
        return None;
    }
    let open = memchr::memchr(b'(', value);
    let (before, name) = match open {
        Some(open) => (&value[..open], value[open + 1..].strip_suffix(b")").unwrap_or(&value[open + 1..])),
        None => (value, b"".as_slice()),
    };
    let address = address(&String::from_utf8_lossy(before))?;
    let name: Vec<u8> =
        name.iter().map(|byte| if byte.is_ascii_control() { b' ' } else { *byte }).collect::<Vec<u8>>();
    let name = name.trim_ascii();
    let mut restored = Vec::new();
    if !name.is_empty() {
        // Encoded words must not stand in quotes (RFC 2047 5).
        let is_encoded = name.windows(2).any(|pair| pair == b"=?");
        if is_encoded {
            restored
                .extend(name.iter().filter(|byte| !matches!(byte, b'<' | b'>' | b'"' | b',' | b';' | b':')));
        } else {
            restored.push(b'"');
            restored.extend(name.iter().filter(|byte| !matches!(byte, b'"' | b'\\')));
            restored.push(b'"');
        }
        restored.push(b' ');
    }
    restored.extend_from_slice(format!("<{address}>").as_bytes());
    Some(restored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, expected: &str) {
        let message = |from: &str| format!("Date: x\nFrom: {from}\nSubject: a\n\nFrom: b at x.org\n");
        let restored = restore(message(from).as_bytes()).into_owned();
        assert_eq!(String::from_utf8(restored).unwrap(), message(expected));
    }

    #[test]
    fn obscured_senders_are_restored() {
        check("ada at x.org (Ada Lovelace)", "\"Ada Lovelace\" <ada@x.org>");
        check("ada at x.org", "<ada@x.org>");
        check("ada \u{e0} x.org (Ad\u{e9})", "\"Ad\u{e9}\" <ada@x.org>");
        check("ada at x.org (=?utf-8?q?Ad=C3=A1?= L)", "=?utf-8?q?Ad=C3=A1?= L <ada@x.org>");
        check("ada at x.org (Ada\n \"L\" (home))", "\"Ada  L (home)\" <ada@x.org>");
    }

    #[test]
    fn other_senders_stay_as_they_are() {
        for from in ["ada@x.org (Ada at work)", "Ada at home", "nobody", "", "ada at x", "me at a b.org (x)"]
        {
            check(from, from);
        }
    }
}
