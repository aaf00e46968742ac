//! What another server said.

use std::fmt;

use smtp_proto::Response;

/// The other server's reply to one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteReply {
    /// The three-digit code.
    pub code: u16,
    /// The enhanced code (RFC 3463); zeros if there was none.
    pub enhanced: [u8; 3],
    /// The text, with lines joined by line feeds.
    pub text: String,
}

impl RemoteReply {
    /// Whether the command was carried out.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        (200..300).contains(&self.code)
    }
}

impl From<Response<String>> for RemoteReply {
    fn from(response: Response<String>) -> RemoteReply {
        let Response { code, esc, message } = response;
        RemoteReply { code, enhanced: esc, text: message }
    }
}

impl fmt::Display for RemoteReply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.code)?;
        if let [class @ 1..=9, subject, detail] = self.enhanced {
            write!(out, " {class}.{subject}.{detail}")?;
        }
        write!(out, " {}", self.text.replace('\n', " "))
    }
}
