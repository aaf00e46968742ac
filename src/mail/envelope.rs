//! The envelope of a message, which SMTP learns before its text: its source, its sender, and the meaning of each
//! recipient's address.

use std::net::IpAddr;

use crate::model::{
    AccountId, AliasId, Authentication, BatchId, ConfirmationId, ContactId, EmailAddress, HeldId, ListId,
    PendingId,
};

/// The meaning of one of this server's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// A post to a list.
    List {
        /// The list.
        list: ListId,
        /// Its `maxlength` at the time of RCPT: octets beyond it need not be stored.
        limit_bytes: u64,
    },
    /// A report on one of this server's deliveries.
    Bounce {
        /// The batch.
        batch: BatchId,
        /// The recipient's place in it.
        place: usize,
    },
    /// An alias.
    Alias(AliasId),
    /// The moderators of a list.
    Owner {
        /// The list.
        list: ListId,
    },
    /// The administrators of an account.
    Postmaster {
        /// The account.
        account: AccountId,
    },
    /// Requests and commands to a list.
    Command {
        /// The list.
        list: ListId,
        /// The request that its address stands for.
        request: CommandAddress,
    },
    /// A reply that confirms a request.
    Confirmation(ConfirmationId),
    /// A moderator's answer to a request to decide.
    ModerationReply(ModerationToken),
    /// The mail form of the one-click unsubscribe link.
    Unsubscribe {
        /// The contact that leaves.
        contact: ContactId,
        /// The list.
        list: ListId,
    },
}

/// The addresses of a list that take requests and commands (`spec/mail.md` 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandAddress {
    /// `L-subscribe`, `L-join`.
    Subscribe,
    /// `L-unsubscribe`, `L-leave`.
    Unsubscribe,
    /// `L-request`, which reads commands.
    Request,
    /// `L-help`.
    Help,
}

/// The envelope sender, where reports on a message go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReversePath {
    /// Empty: the message is a report itself.
    Empty,
    /// An address that mail can be sent to.
    Address(EmailAddress),
    /// A path that RFC 5321 permits and [`EmailAddress`] cannot hold: a local part that needs quotes, or an address
    /// literal. It has no control characters, and nothing is ever sent to it.
    Other(String),
}

impl ReversePath {
    /// The address that notices can be sent to, if there is one.
    #[must_use]
    pub fn address(&self) -> Option<&EmailAddress> {
        match self {
            ReversePath::Address(address) => Some(address),
            ReversePath::Empty | ReversePath::Other(_) => None,
        }
    }

    /// The path without its angle brackets; blank if it is empty.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            ReversePath::Empty => "",
            ReversePath::Address(address) => address.as_str(),
            ReversePath::Other(path) => path,
        }
    }
}

/// The source of a message, which decides whether its client's address means anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A client in the network, identified by its address.
    Client,
    /// A front server, or a program of this machine that may be one: it hides the client that the mail came from.
    Relay,
    /// A holder of a key, or the operator's own program: its From is believed.
    Trusted,
}

/// The envelope of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The address of the client.
    pub client: IpAddr,
    /// The name in HELO or EHLO.
    pub helo: String,
    /// Whether the connection is encrypted.
    pub tls: bool,
    /// The envelope sender.
    pub reverse_path: ReversePath,
    /// Every accepted recipient with the meaning of its address.
    pub recipients: Vec<(EmailAddress, Route)>,
    /// Whether the transaction asked for SMTPUTF8.
    pub smtputf8: bool,
    /// Whether it asked for REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
    /// The results of checking the sender.
    pub authentication: Authentication,
    /// The reports that the sender asked for.
    pub dsn_options: DsnOptions,
    /// The source.
    pub origin: Origin,
    /// The domains that SPF and DKIM prove to have sent it, in A-label form.
    pub proven_domains: Vec<String>,
    /// Size of the message as it was received, without the header fields that this server adds: the size that
    /// `maxlength` limits.
    pub size_bytes: u64,
}

impl Envelope {
    /// The meanings of its recipients.
    pub fn routes(&self) -> impl Iterator<Item = Route> + '_ {
        self.recipients.iter().map(|(_, route)| *route)
    }
}

/// The object of a moderator's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseId {
    /// A held message.
    Held(HeldId),
    /// A request that waits for approval.
    Pending(PendingId),
}

impl std::fmt::Display for CaseId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CaseId::Held(id) => write!(out, "held message {id}"),
            CaseId::Pending(id) => write!(out, "request {id}"),
        }
    }
}

/// The content of a moderation token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModerationToken {
    /// The held message or the request.
    pub case: CaseId,
    /// The moderator: an administrator's id, or a number made from the address of the list's own moderator.
    pub moderator: u64,
}

/// The events that a sender wants to be told of; with all of them `false` (`NEVER`), none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notify {
    /// The message was delivered.
    pub success: bool,
    /// The message cannot be delivered.
    pub failure: bool,
    /// The message is delayed.
    pub delay: bool,
}

impl Notify {
    /// The events if RCPT names none (RFC 3461 4.1).
    pub const DEFAULT: Notify = Notify { success: false, failure: true, delay: true };

    /// Whether the sender wants no report at all.
    #[must_use]
    pub fn is_never(self) -> bool {
        !(self.success || self.failure || self.delay)
    }
}

/// The request for reports in a RCPT command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DsnRequest {
    /// The events to report.
    pub notify: Notify,
    /// The address that the sender used originally, with its type, in printable ASCII.
    pub original: Option<String>,
}

/// The requests for reports in an envelope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DsnOptions {
    /// The sender's own name for the transaction, printable ASCII.
    pub envelope_id: Option<String>,
    /// The recipients that have a request of their own.
    pub recipients: Vec<(EmailAddress, DsnRequest)>,
}

impl DsnOptions {
    /// The events to report for a recipient.
    #[must_use]
    pub fn of(&self, recipient: &EmailAddress) -> Notify {
        self.request(recipient).map_or(Notify::DEFAULT, |request| request.notify)
    }

    /// The request for reports on a recipient; `None` if its RCPT had none.
    #[must_use]
    pub fn request(&self, recipient: &EmailAddress) -> Option<&DsnRequest> {
        self.recipients.iter().find(|(address, _)| address == recipient).map(|(_, request)| request)
    }
}
