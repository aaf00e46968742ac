//! What is kept of mail to an address that did not arrive, and how one failure is classified. The steps that it leads to
//! are in [`bounce`](super::bounce).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::words;
use crate::clock::Timestamp;

/// An enhanced status code (RFC 3463), such as `5.1.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Status {
    /// 2 for a success, 4 for a temporary failure, 5 for a permanent one.
    pub class: u8,
    /// The subject: 1 addresses, 2 mailboxes, 3 systems, 4 the network, 5 the protocol, 6 content, 7 policy.
    pub subject: u16,
    /// The detail within the subject.
    pub detail: u16,
}

impl Status {
    /// The code of these three numbers.
    #[must_use]
    pub const fn new(class: u8, subject: u16, detail: u16) -> Status {
        Status { class, subject, detail }
    }

    /// Parses a code such as `5.1.1`; `None` if the text is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Status> {
        let mut parts = text.split('.');
        let class = parts.next().filter(|class| matches!(*class, "2" | "4" | "5"))?.parse().ok()?;
        let mut number = || {
            let part = parts.next()?;
            let is_number = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse().ok() } else { None }
        };
        let (subject, detail) = (number()?, number()?);
        if parts.next().is_none() { Some(Status { class, subject, detail }) } else { None }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}

words! {
    /// The meaning of a failure for the address (`spec/mail.md` 9).
    FailureKind {
        /// The address does not exist, or nobody reads mail there.
        Dead = "dead address",
        /// The mailbox is full, or the way to it is broken for now.
        Temporary = "full or temporary",
        /// The message or its sender is not wanted, or the message is too large: this says nothing about the address.
        Policy = "policy or reputation",
        /// A final failure that says nothing known: it counts neither as dead nor as temporary.
        Unclassified = "unclassified",
    }
}

/// How much one failure counts against the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Nothing: it is about the sender, about how much the sender sends, or about something unknown.
    Nothing,
    /// It is one of several that are needed.
    Counts,
    /// It is enough in this server's own delivery: its code is 5.1.1, 5.1.2, 5.1.10 or 5.2.1, and its words agree
    /// (`spec/mail.md` 9).
    Certain,
}

/// The classification of one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    /// Its meaning for the address.
    pub kind: FailureKind,
    /// The status code that decided; `None` if there was none and the reply's words decided.
    pub status: Option<Status>,
    /// How much it counts.
    pub weight: Weight,
}

words! {
    /// The reason why an address was paused.
    PauseCause {
        /// The address does not exist.
        Dead = "the address does not exist",
        /// Mail has failed for days.
        Soft = "mail to the address has failed for 8 days",
        /// The reader complained.
        Complaint = "the reader complained",
    }
}

/// A pause that this server made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    /// When it began.
    pub since: Timestamp,
    /// Its reason.
    pub cause: PauseCause,
    /// The number of probes sent.
    pub probes: u8,
    /// Whether the last probe was taken, and no report has come back. If the address's own server took it, the address
    /// takes mail again already.
    pub is_probe_out: bool,
    /// When the next step is due; `None` once the address is given up, or if the reader complained.
    pub next_probe: Option<Timestamp>,
}

/// A series of temporary failures without a delivery between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftSpan {
    /// The time of the first failure.
    pub since: Timestamp,
    /// The approximate time of the last failure.
    pub last: Timestamp,
}

/// The evidence against an address, as far as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BounceState {
    /// When it was first reported that the address does not exist.
    pub reported: Option<Timestamp>,
    /// The present series of temporary failures.
    pub soft: Option<SoftSpan>,
    /// The reply or report behind the last signal, or behind the pause.
    pub reason: String,
    /// The pause, if the address is paused.
    pub pause: Option<Pause>,
}
