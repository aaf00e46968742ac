//! Brings mail from a program of this machine into the form of mail from the network.
//!
//! Programs write text in Unix form: lines end in LF, the separator of a mailbox file may come first, and the header
//! may be missing as a whole.

use super::envelope::ReversePath;
use super::header;
use super::mime::HEADER_BYTES_MAX;
use super::parse::{first_mailbox, mend_line_ends};
use crate::clock::Timestamp;
use crate::model::EmailAddress;

/// The beginning of the line before each message of a mailbox file (RFC 4155).
const MBOX_SEPARATOR: &[u8] = b"From ";
/// Octets of a path (RFC 5321 4.5.3.1.3).
const PATH_BYTES_MAX: usize = 254;
/// The name that mail servers give the empty sender when they run programs, since an empty argument would be lost.
const EMPTY_SENDER_NAME: &str = "MAILER-DAEMON";

/// Converts a program's text to a message: line ends become CRLF (as does a CR alone, which progress bars print), the
/// separator of a mailbox file is removed, and text that does not begin with a header field is all body.
#[must_use]
pub fn message_of_text(text: &[u8]) -> Vec<u8> {
    let text = if text.starts_with(MBOX_SEPARATOR) { &text[header::line_end(text, 0)..] } else { text };
    let message = mend_line_ends(text);
    let first = &message[..header::line_end(&message, 0)];
    if first.trim_ascii_end().is_empty() || header::fields(first).next().is_some() {
        return message;
    }
    [b"\r\n", message.as_slice()].concat()
}

/// The author of a message: `None` without a From field, and `Some(None)` if its first address is invalid. Headers
/// beyond the limit are not read: they are refused later.
#[must_use]
pub fn author(message: &[u8]) -> Option<Option<EmailAddress>> {
    let (head, _) = super::split(message);
    if HEADER_BYTES_MAX < head.len() {
        return Some(None);
    }
    let from = header::fields(head).find(|field| field.is("From"))?;
    Some(first_mailbox(&from, None).map(|mailbox| mailbox.address))
}

/// The header fields for a message of this machine: the server that accepted it, the system's user it came from, and
/// its author if it names none (RFC 6409 8.1 lets submission add missing fields).
#[must_use]
pub fn local_fields(
    hostname: &str,
    user: Option<u32>,
    id: &str,
    author: Option<&EmailAddress>,
    now: Timestamp,
) -> String {
    let user = user.map_or_else(String::new, |user| format!(", from userid {user}"));
    let from = author.map_or_else(String::new, |author| format!("From: <{author}>\r\n"));
    format!("Received: by {hostname} (crier{user}) id {id};\r\n\t{}\r\n{from}", now.rfc2822())
}

/// The envelope sender in a text. A valid path that no mail can be sent to is kept as it is, as over SMTP.
#[must_use]
pub fn read_sender(text: &str) -> Option<ReversePath> {
    let text = text.trim();
    let text = text.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(text);
    if text.is_empty() || text.eq_ignore_ascii_case(EMPTY_SENDER_NAME) {
        return Some(ReversePath::Empty);
    }
    if let Ok(address) = EmailAddress::parse(text) {
        return Some(ReversePath::Address(address));
    }
    let (local, domain) = text.rsplit_once('@')?;
    let is_path = !local.is_empty() && !domain.is_empty() && text.len() <= PATH_BYTES_MAX;
    (is_path && !text.contains(char::is_control)).then(|| ReversePath::Other(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_is_an_address_or_nobody() {
        let address = EmailAddress::parse("a@x.org").unwrap();
        for (text, expected) in [
            ("", Some(ReversePath::Empty)),
            ("<>", Some(ReversePath::Empty)),
            ("MAILER-DAEMON", Some(ReversePath::Empty)),
            ("a@x.org", Some(ReversePath::Address(address.clone()))),
            (" <a@x.org> ", Some(ReversePath::Address(address))),
            ("a@[192.0.2.1]", Some(ReversePath::Other("a@[192.0.2.1]".to_owned()))),
            ("root", None),
            ("a@", None),
            ("a\r\nb@x.org", None),
        ] {
            assert_eq!(read_sender(text), expected, "{text:?}");
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let message = message_of_text(text.as_bytes());
        assert_eq!(String::from_utf8(message).unwrap(), expected);
    }

    #[test]
    fn line_ends_become_those_of_mail() {
        check("A: b\n\nc\nd", "A: b\r\n\r\nc\r\nd");
        check("A: b\r\n\r\nc\n.\n..\n", "A: b\r\n\r\nc\r\n.\r\n..\r\n");
        check("A: b\n\n10 %\r20 %\r\n", "A: b\r\n\r\n10 %\r\n20 %\r\n");
    }

    #[test]
    fn the_separator_of_a_mailbox_is_taken_off_once() {
        check("From ada Fri Nov 20 12:00:00 2026\nA: b\n\nFrom here\n", "A: b\r\n\r\nFrom here\r\n");
        check("From: ada@x.org\n\n", "From: ada@x.org\r\n\r\n");
        check("From ", "");
    }

    #[test]
    fn text_without_a_header_is_all_body() {
        check("It is done.\nA: b\n", "\r\nIt is done.\r\nA: b\r\n");
        check("\nhi\n", "\r\nhi\r\n");
        check(" A: b\n", "\r\n A: b\r\n");
        check("", "");
    }

    #[test]
    fn the_author_is_the_first_address_of_from() {
        let address = |text: &str| author(text.as_bytes()).map(|found| found.map(|it| it.to_string()));
        assert_eq!(address("A: b\r\nfrom: Ada <ada@x.org>, b@x.org\r\n\r\n"), Some(Some("ada@x.org".into())));
        assert_eq!(address("From: root (Cron Daemon)\r\n\r\n"), Some(None));
        assert_eq!(address("A: b\r\n\r\nFrom: ada@x.org\r\n"), None);
    }

    #[test]
    fn the_trace_names_the_user_and_an_author_where_there_is_none() {
        let ada = EmailAddress::parse("ada@x.org").unwrap();
        assert_eq!(
            local_fields("mx.x.org", Some(1000), "7-0", Some(&ada), Timestamp::from_ms(0)),
            "Received: by mx.x.org (crier, from userid 1000) id 7-0;\r\n\tThu, 01 Jan 1970 00:00:00 +0000\r\n\
             From: <ada@x.org>\r\n"
        );
        assert!(
            local_fields("mx.x.org", None, "7", None, Timestamp::from_ms(0))
                .starts_with("Received: by mx.x.org (crier) id 7;")
        );
    }
}
