//! What SMTP learns of a message before its text: where it came from, and what each recipient stands for.

use std::net::IpAddr;

use crate::model::{AccountId, AliasId, Authentication, BatchId, ContactId, EmailAddress, ListId};
use crate::ops::moderation::moderators::ModerationToken;
use crate::ops::posting::reports::DsnOptions;

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
