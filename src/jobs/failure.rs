//! The reasons why no copy of a batch could be sent, and what each means for the recipients.
//!
//! The delivery worker creates them; they decide whether a copy is tried again, given up, or counts against an address.

use super::unsendable::Unsendable;
use crate::mail::bounce::{diagnose, is_final_reply};
use crate::model::{Diagnosis, FailureKind, RecipientState, Weight};
use crate::net::dns::MxError;
use crate::store::StoreError;

/// The reason why no copy of a batch could be sent.
pub(super) enum Failure {
    /// The fault is on this server, or in a demand of the message: it says nothing about the destination. Another
    /// attempt may succeed.
    Ours(String),
    /// The disk is full or fails; another attempt will succeed when that is over.
    Outage(String),
    /// No server of the destination could be reached; another attempt may succeed.
    Unreachable(String),
    /// No attempt can succeed.
    Permanent(String),
    /// This server itself failed: after some attempts, the message is quarantined.
    Broken(String),
}

impl Failure {
    /// The failure for an error of the store.
    pub(super) fn of_store(error: &StoreError) -> Failure {
        if error.is_outage() { Failure::Outage(error.to_string()) } else { Failure::Ours(error.to_string()) }
    }

    /// Keeps the failure that decides: as long as one server may accept the message later, it is worth another attempt.
    pub(super) fn add(known: &mut Option<Failure>, new: Failure) {
        let is_final = matches!(new, Failure::Permanent(_));
        if !is_final || known.as_ref().is_none_or(|known| matches!(known, Failure::Permanent(_))) {
            *known = Some(new);
        }
    }

    /// The state and text for every waiting recipient, and what the failure says about their addresses. An unreachable
    /// domain says something only while others can be reached: else the fault may be in this server's own network.
    pub(super) fn outcome(&self, is_network_sound: bool) -> (RecipientState, &str, Option<Diagnosis>) {
        match self {
            Failure::Ours(text) | Failure::Outage(text) | Failure::Broken(text) => {
                (RecipientState::Deferred, text, None)
            }
            Failure::Unreachable(text) => {
                (RecipientState::Deferred, text, is_network_sound.then(|| unreachable(text)).flatten())
            }
            Failure::Permanent(text) => {
                let diagnosis = diagnose(None, text);
                (RecipientState::Failed, text, diagnosis.status.map(|_| diagnosis))
            }
        }
    }
}

/// The classification of a failure to reach a server: temporary, since only the DNS can make it permanent; `None` if the
/// server answered, and refused for another reason than one that passes. Then it refused this server, not an address.
fn unreachable(text: &str) -> Option<Diagnosis> {
    let found = diagnose(None, text);
    let is_soft = match found.kind {
        FailureKind::Temporary => true,
        FailureKind::Unclassified => !is_final_reply(text),
        FailureKind::Dead | FailureKind::Policy => false,
    };
    let weight = if found.kind == FailureKind::Unclassified { Weight::Counts } else { found.weight };
    is_soft.then_some(Diagnosis { kind: FailureKind::Temporary, weight, ..found })
}

impl From<MxError> for Failure {
    fn from(error: MxError) -> Failure {
        match error {
            MxError::Permanent(reason) => Failure::Permanent(reason),
            MxError::Temporary(reason) => Failure::Unreachable(reason),
        }
    }
}

impl From<Unsendable> for Failure {
    fn from(error: Unsendable) -> Failure {
        match error {
            Unsendable::ListGone | Unsendable::DigestGone => Failure::Permanent(error.to_string()),
            // Faults on this side, which may be repaired: nobody loses mail by them. Some come from the message.
            Unsendable::Unreadable(_)
            | Unsendable::Panicked(_)
            | Unsendable::Store(StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Broken(error.to_string())
            }
            // The store has logged it.
            Unsendable::Store(outage) if outage.is_outage() => Failure::of_store(&outage),
            Unsendable::Store(_) | Unsendable::Keys(_) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Ours(error.to_string())
            }
        }
    }
}
