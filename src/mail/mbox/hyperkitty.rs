//! Mailboxes that `HyperKitty`, the archive of Mailman 3, writes: messages that it rebuilt from its database.
//!
//! They have lost References, Cc, HTML and signatures, and up to version 1.3.9 `@` in their texts is written `(a)` and
//! in their fields ` at `. The mailbox that Mailman itself keeps has the messages as they came.

/// Bytes at the beginning of a message among which its header is looked for.
const HEADER_BYTES_MAX: usize = 16 << 10;
/// The sign for `@`.
const SIGN: &[u8] = b"(a)";
/// Fields of messages that came by mail, of which a rebuilt one has none.
const BY_MAIL: [&[u8]; 4] = [b"\nReceived:", b"\nReferences:", b"\nReturn-Path:", b"\nDelivered-To:"];

/// Whether `HyperKitty` rebuilt a message.
#[must_use]
pub fn is_rebuilt(message: &[u8]) -> bool {
    let header = header(message);
    // Most messages came by mail, which is told soonest.
    let has = |wanted: &[u8]| memchr::memmem::find(header, wanted).is_some();
    if header.starts_with(b"Received:") || BY_MAIL.iter().any(|field| has(field)) {
        return false;
    }
    let says = |name: &[u8], word: &[u8]| {
        let mut lines = header.split(|byte| *byte == b'\n').map(<[u8]>::to_ascii_lowercase);
        lines.any(|line| line.starts_with(name) && memchr::memmem::find(&line, word).is_some())
    };
    says(b"content-type:", b"multipart/mixed") && says(b"to:", b" at ") && says(b"from:", b" at ")
}

/// Whether a text of the message has an address whose sign was replaced.
#[must_use]
pub fn has_replaced_signs(message: &[u8]) -> bool {
    let body = message.get(header(message).len()..).unwrap_or_default();
    memchr::memmem::find_iter(body, SIGN).any(|at| is_in_address(body, at))
}

/// The message with the signs of its addresses put back, in texts that are not packed.
#[must_use]
pub fn with_signs(message: &[u8]) -> Vec<u8> {
    let (head, body) = message.split_at(header(message).len());
    let mut whole = Vec::with_capacity(message.len());
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let is_field =
            [b"from:".as_slice(), b"to:"].iter().any(|name| line.to_ascii_lowercase().starts_with(name));
        match memchr::memmem::rfind(line, b" at ").filter(|_| is_field) {
            Some(at) => {
                whole.extend_from_slice(&line[..at]);
                whole.push(b'@');
                whole.extend_from_slice(&line[at + 4..]);
            }
            None => whole.extend_from_slice(line),
        }
    }
    let mut copied = 0;
    for at in memchr::memmem::find_iter(body, SIGN) {
        if is_in_address(body, at) {
            whole.extend_from_slice(&body[copied..at]);
            whole.push(b'@');
            copied = at + SIGN.len();
        }
    }
    whole.extend_from_slice(&body[copied..]);
    whole
}

/// The header of a message, with the blank line behind it.
fn header(message: &[u8]) -> &[u8] {
    let beginning = message.get(..HEADER_BYTES_MAX.min(message.len())).unwrap_or_default();
    let ends = [(b"\n\n".as_slice(), 2), (b"\r\n\r\n", 4)];
    let end =
        ends.iter().filter_map(|(end, length)| memchr::memmem::find(beginning, end).map(|at| at + length));
    beginning.get(..end.min().unwrap_or(beginning.len())).unwrap_or_default()
}

/// Whether the sign stands between the parts of an address.
fn is_in_address(text: &[u8], at: usize) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._+-=".contains(byte);
    let before = at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(is_part);
    let behind = text.get(at + SIGN.len()..).unwrap_or_default();
    let domain: Vec<u8> = behind.iter().copied().take_while(|byte| is_part(byte)).take(255).collect();
    let is_domain =
        domain.iter().position(|byte| *byte == b'.').is_some_and(|dot| 0 < dot && dot + 1 < domain.len());
    before && is_domain
}

#[cfg(test)]
mod tests {
    use super::*;

    const REBUILT: &str = "From: Ada <ada at example.org>\nTo: choir at lists.example.org\nSubject: a (a) b\n\
        Date: Mon, 07 Jan 2019 18:30:00 +0000\nMessage-ID: <1@x>\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=\"b\"\n\n--b\n\nWrite to bob(a)example.org, item (a) or f(a)b.\n--b--\n";

    #[test]
    fn a_rebuilt_message_is_known_and_its_addresses_are_put_back() {
        assert!(is_rebuilt(REBUILT.as_bytes()) && has_replaced_signs(REBUILT.as_bytes()));
        let whole = String::from_utf8(with_signs(REBUILT.as_bytes())).unwrap();
        assert!(
            whole.contains("From: Ada <ada@example.org>\nTo: choir@lists.example.org\nSubject: a (a) b\n"),
            "{whole}"
        );
        assert!(whole.contains("Write to bob@example.org, item (a) or f(a)b.\n"), "{whole}");
        assert!(!has_replaced_signs(whole.as_bytes()));
    }

    #[test]
    fn a_message_that_came_by_mail_is_none() {
        assert!(!is_rebuilt(format!("Received: by x\n{REBUILT}").as_bytes()));
        assert!(!is_rebuilt(REBUILT.replace("Subject", "References: <0@x>\nSubject").as_bytes()));
        assert!(!is_rebuilt(REBUILT.replace("ada at", "ada@").as_bytes()));
        assert!(!is_rebuilt(b"") && !is_rebuilt(b"\n\n"));
    }
}
