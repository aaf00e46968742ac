//! What SMTP learns of a message before its text: where it came from, and what each recipient stands for.

use std::net::IpAddr;

use crate::model::{AccountId, AliasId, Authentication, BatchId, ContactId, EmailAddress, HeldId, ListId};

/// What an address of ours stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// A post to a list.
    List {
        /// Which one.
        list: ListId,
        /// Its `maxlength` at the time of RCPT: more octets need not be kept.
        limit_bytes: u64,
    },
    /// A report on one of our deliveries.
    Bounce {
        /// The batch.
        batch: BatchId,
        /// The recipient's place in it.
        place: usize,
    },
    /// An alias.
    Alias(AliasId),
    /// Whoever looks after a list.
    Owner {
        /// Which.
        list: ListId,
    },
    /// The administrators of an account.
    Postmaster {
        /// Which.
        account: AccountId,
    },
    /// A moderator's answer to a request to decide.
    ModerationReply(ModerationToken),
    /// The mail form of the one-click unsubscribe link.
    Unsubscribe {
        /// Who leaves.
        contact: ContactId,
        /// Which list.
        list: ListId,
    },
}

/// Where a message says that reports on it go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReversePath {
    /// Nowhere: it is a report itself.
    Empty,
    /// An address that we can write to.
    Address(EmailAddress),
    /// A path that RFC 5321 allows and [`EmailAddress`] does not hold: a local part that needs its quotes, or an
    /// address literal. Without control characters; nothing is ever sent there.
    Other(String),
}

impl ReversePath {
    /// Where notices can be sent.
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

/// Where a message came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A client of the network, which its address names.
    Client,
    /// A front server, or a program of this machine that may be one: whose mail it is, it alone knows.
    Relay,
    /// A holder of a key, or the operator's own program: both are believed.
    Trusted,
}

/// What SMTP learned before the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The address of the client.
    pub client: IpAddr,
    /// What it called itself.
    pub helo: String,
    /// Whether the connection is encrypted.
    pub tls: bool,
    /// The envelope sender.
    pub reverse_path: ReversePath,
    /// Every accepted recipient and what it stands for.
    pub recipients: Vec<(EmailAddress, Route)>,
    /// Whether the transaction asked for SMTPUTF8.
    pub smtputf8: bool,
    /// Whether it asked for REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
    /// What was found out about the sender.
    pub authentication: Authentication,
    /// What the sender wants to be told.
    pub wishes: DsnOptions,
    /// Where it came from.
    pub origin: Origin,
    /// The domains that SPF and DKIM prove to have sent it, in A-label form.
    pub proven_domains: Vec<String>,
    /// Size of the message as it was handed over, without the fields that this server puts in front: what `maxlength`
    /// counts.
    pub size_bytes: u64,
}

impl Envelope {
    /// What its recipients stand for.
    pub fn routes(&self) -> impl Iterator<Item = Route> + '_ {
        self.recipients.iter().map(|(_, route)| *route)
    }
}

/// What a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModerationToken {
    /// The held message.
    pub held: HeldId,
    /// The moderator: an administrator's id, or a number made of the address of the list's own.
    pub(in crate::ops) moderator: u64,
}

/// Of what a sender wants to be told; of nothing, where all are false (`NEVER`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notify {
    /// That it arrived.
    pub success: bool,
    /// That it does not arrive.
    pub failure: bool,
    /// That it arrives later.
    pub delay: bool,
}

impl Notify {
    /// Where nothing is said (RFC 3461 4.1).
    pub const DEFAULT: Notify = Notify { success: false, failure: true, delay: true };

    /// Whether it wants to hear nothing at all.
    #[must_use]
    pub fn is_never(self) -> bool {
        !(self.success || self.failure || self.delay)
    }
}

/// What RCPT said of reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DsnRequest {
    /// Of what to tell.
    pub notify: Notify,
    /// The address that the sender began with and its type, printable ASCII.
    pub original: Option<String>,
}

/// What an envelope says of reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DsnOptions {
    /// The sender's own name for the transaction, printable ASCII.
    pub envelope_id: Option<String>,
    /// Of the recipients with whom something was said.
    pub recipients: Vec<(EmailAddress, DsnRequest)>,
}

impl DsnOptions {
    /// What to tell of a recipient.
    #[must_use]
    pub fn of(&self, recipient: &EmailAddress) -> Notify {
        self.wish(recipient).map_or(Notify::DEFAULT, |wish| wish.notify)
    }

    pub(in crate::ops) fn wish(&self, recipient: &EmailAddress) -> Option<&DsnRequest> {
        self.recipients.iter().find(|(address, _)| address == recipient).map(|(_, wish)| wish)
    }
}
