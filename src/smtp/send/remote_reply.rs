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
    /// Whether it refuses the sender or the connection, before any recipient was named: then it says nothing about one.
    pub is_about_sender: bool,
}

impl RemoteReply {
    /// Whether the command was carried out.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// The same reply, as one to a command that names no recipient.
    #[must_use]
    pub(super) fn about_sender(self) -> RemoteReply {
        RemoteReply { is_about_sender: true, ..self }
    }
}

impl From<Response<String>> for RemoteReply {
    fn from(response: Response<String>) -> RemoteReply {
        let Response { code, esc, message } = response;
        RemoteReply { code, enhanced: esc, text: message, is_about_sender: false }
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
