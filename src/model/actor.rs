//! Who acts, and by which way: what an operation is told of its caller, and what the audit log keeps of it.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{AdminId, ContactId, EmailAddress, words};

/// Somebody who acts. Every power is a value of its own: that something is unset never means more rights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActorKind {
    /// The operator at the command line of the server's machine.
    Operator,
    /// An administrator: a person, or the holder of a key.
    Admin(AdminId),
    /// A contact, who acts on what is its own.
    Member(ContactId),
    /// Somebody whom a list has as its moderator by this address, and no administrator.
    Moderator(EmailAddress),
    /// Somebody unknown.
    Anonymous,
    /// The server itself, for what time alone brings about.
    Server,
}

words! {
    /// The kinds of those who act, as the API calls them.
    ActorRole {
        /// A person who administers, or the holder of a key.
        Administrator = "administrator",
        /// A member, or somebody in the address book.
        Contact = "contact",
        /// A list's own moderator.
        Moderator = "moderator",
        /// Somebody unknown.
        Anonymous = "anonymous",
        /// The operator.
        Operator = "operator",
        /// The server.
        System = "system",
    }
}

words! {
    /// The way by which somebody acts.
    Via {
        /// A page, by somebody who signed in.
        Page = "page",
        /// The HTTP API.
        Api = "api",
        /// A mail.
        Mail = "mail",
        /// A signed link in a mail, whose token is the proof.
        Link = "link",
        /// The command line of the server's machine.
        Command = "command",
        /// None: the server acts.
        Server = "system",
    }
}

/// Who acts, by which way, and from where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// Who.
    pub kind: ActorKind,
    /// By which way.
    pub via: Via,
    /// The network address from which the call came, where it came over a network.
    pub client: Option<IpAddr>,
}

impl ActorKind {
    /// The API's word for this kind.
    #[must_use]
    pub fn role(&self) -> ActorRole {
        match self {
            ActorKind::Operator => ActorRole::Operator,
            ActorKind::Admin(_) => ActorRole::Administrator,
            ActorKind::Member(_) => ActorRole::Contact,
            ActorKind::Moderator(_) => ActorRole::Moderator,
            ActorKind::Anonymous => ActorRole::Anonymous,
            ActorKind::Server => ActorRole::System,
        }
    }

    /// The administrator, if it is one.
    #[must_use]
    pub fn admin(&self) -> Option<AdminId> {
        match self {
            ActorKind::Admin(id) => Some(*id),
            ActorKind::Operator
            | ActorKind::Member(_)
            | ActorKind::Moderator(_)
            | ActorKind::Anonymous
            | ActorKind::Server => None,
        }
    }
}
