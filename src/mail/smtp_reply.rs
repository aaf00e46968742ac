//! The reply of SMTP to a recipient or a message, as a value: whoever decides about mail says it, and the connection
//! sends it.

use std::borrow::Cow;
use std::fmt::Display;

/// An SMTP reply to a recipient or a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtpReply {
    /// The three-digit code (RFC 5321 4.2).
    pub code: u16,
    /// The enhanced code (RFC 3463).
    pub enhanced: &'static str,
    /// The text.
    pub text: Cow<'static, str>,
}

impl SmtpReply {
    /// The reply to a message that is taken.
    pub const ACCEPTED: SmtpReply =
        SmtpReply { code: 250, enhanced: "2.0.0", text: Cow::Borrowed("Message accepted") };

    /// A reply with this text.
    #[must_use]
    pub fn new(code: u16, enhanced: &'static str, text: impl Into<Cow<'static, str>>) -> SmtpReply {
        SmtpReply { code, enhanced, text: text.into() }
    }

    /// Whether the sender should try again.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        (400..500).contains(&self.code)
    }
}

impl Display for SmtpReply {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SmtpReply { code, enhanced, text } = self;
        write!(out, "{code} {enhanced} {text}")
    }
}
