//! Replies for refusals that are the same in every state of the session.

use smtp_proto::Error;

use crate::ops::posting::inbound::Refusal;
use crate::smtp::receive::content::Fault;
use crate::smtp::receive::reply::Reply;

pub(super) fn international_reply() -> Reply {
    Reply::new(553, "5.6.7", "An address beyond ASCII needs MAIL with SMTPUTF8")
}

/// The reply to a message over a size limit of the server or of a recipient.
pub(super) fn too_large_reply(limit_bytes: usize) -> Reply {
    Refusal::TooLarge { limit_bytes: limit_bytes as u64 }.reply().into()
}

pub(super) fn fault_reply(fault: Fault) -> Reply {
    match fault {
        Fault::TooLarge { limit_bytes } => too_large_reply(limit_bytes),
        Fault::NoRoom => Reply::new(452, "4.3.1", "Too many messages at a time, try again later"),
        Fault::BareLineEnd => {
            Reply::new(554, "5.6.0", "The message has a CR or LF alone; lines end with CR LF")
        }
        Fault::Nul => Reply::new(554, "5.6.0", "The message has a NUL octet"),
        Fault::LineTooLong => Reply::new(554, "5.6.0", "The message has a line of more than 998 octets"),
    }
}

pub(super) fn syntax_reply(error: &Error) -> Reply {
    match error {
        Error::UnknownCommand => Reply::new(500, "5.5.1", "Command not known"),
        Error::InvalidSenderAddress => {
            Reply::new(553, "5.1.7", "The sender must be of the form <name@domain>")
        }
        Error::InvalidRecipientAddress => {
            Reply::new(553, "5.1.3", "A recipient must be of the form <name@domain>")
        }
        Error::SyntaxError { syntax } => Reply::new(501, "5.5.4", format!("Syntax: {syntax}")),
        Error::InvalidParameter { param } => Reply::new(501, "5.5.4", format!("{param} has a wrong value")),
        Error::UnsupportedParameter { param } => Reply::new(555, "5.5.4", format!("{param} is not known")),
        Error::NeedsMoreData { .. } | Error::ResponseTooLong | Error::InvalidResponse { .. } => {
            Reply::new(501, "5.5.2", "The command cannot be read")
        }
    }
}
