//! The replies of the receiving side as values: a code, an enhanced code and a text.
//!
//! Sessions and the listener create them; a reply always renders as valid lines, whatever its text contains.

use std::borrow::Cow;

use crate::mail::smtp_reply::SmtpReply;

/// Longest text of one reply line: RFC 5321 4.5.3.1.5 allows 512 octets with code and CRLF.
const TEXT_BYTES_MAX: usize = 480;

/// One reply to an SMTP command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The three-digit code (RFC 5321 4.2).
    pub code: u16,
    /// The enhanced code (RFC 3463), such as `5.1.1`; empty where RFC 2034 allows none (greeting, EHLO, 354).
    pub enhanced: &'static str,
    /// The text. A line feed begins another line of the same reply.
    pub text: Cow<'static, str>,
}

impl From<SmtpReply> for Reply {
    fn from(reply: SmtpReply) -> Reply {
        let SmtpReply { code, enhanced, text } = reply;
        Reply::new(code, enhanced, text)
    }
}

impl Reply {
    /// A reply with an enhanced code.
    ///
    /// # Panics
    /// If `code` is no reply code.
    #[must_use]
    pub fn new(code: u16, enhanced: &'static str, text: impl Into<Cow<'static, str>>) -> Reply {
        assert!((200..600).contains(&code), "a reply code has three digits and a meaning");
        Reply { code, enhanced, text: text.into() }
    }

    /// Whether the client did something wrong. A 4xx is a problem of this server, or comes from a limit that honest
    /// clients reach.
    #[must_use]
    pub fn blames_client(&self) -> bool {
        self.code >= 500
    }

    /// Appends the reply as it is sent. Every character that is not printable ASCII becomes a question mark, so that no
    /// text, wherever it came from, can add a line of its own.
    pub fn render(&self, out: &mut Vec<u8>) {
        let mut lines = self.text.split('\n').peekable();
        while let Some(line) = lines.next() {
            out.extend_from_slice(self.code.to_string().as_bytes());
            out.push(if lines.peek().is_some() { b'-' } else { b' ' });
            if !self.enhanced.is_empty() {
                out.extend_from_slice(self.enhanced.as_bytes());
                out.push(b' ');
            }
            let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c as u8 } else { b'?' };
            out.extend(line.chars().map(printable).take(TEXT_BYTES_MAX));
            out.extend_from_slice(b"\r\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reply: &Reply, expected: &str) {
        let mut out = Vec::new();
        reply.render(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn every_line_of_a_reply_carries_the_code() {
        check(&Reply::new(550, "5.1.1", "No such list"), "550 5.1.1 No such list\r\n");
        check(&Reply::new(250, "", "mx\nSIZE 5\nHELP"), "250-mx\r\n250-SIZE 5\r\n250 HELP\r\n");
    }

    #[test]
    fn a_text_cannot_add_a_line_or_leave_ascii() {
        check(&Reply::new(554, "5.6.0", "a\r250 é"), "554 5.6.0 a?250 ?\r\n");
    }
}
