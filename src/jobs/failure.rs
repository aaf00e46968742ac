//! Why no copy of a batch could be sent, and what that means for its recipients.

use super::copies::Unsendable;
use crate::mail::bounce::diagnose;
use crate::model::{Diagnosis, FailureKind, RecipientState};
use crate::smtp::dns::MxError;
use crate::store::StoreError;

/// Why no copy of a batch could be sent.
pub(super) enum Failure {
    /// The fault is ours, or lies in what the message asks: it says nothing of the destination. Another attempt may
    /// succeed.
    Ours(String),
    /// The disk is full or fails, and another attempt will succeed when that is over.
    Outage(String),
    /// No server of the destination could be reached; another attempt may succeed.
    Unreachable(String),
    /// No attempt ever will.
    Permanent(String),
    /// The server failed by itself: after some attempts, the message is put aside.
    Broken(String),
}

impl Failure {
    /// What could not be read or written.
    pub(super) fn of_store(error: &StoreError) -> Failure {
        if error.is_outage() { Failure::Outage(error.to_string()) } else { Failure::Ours(error.to_string()) }
    }

    /// Keeps what decides: as long as one server may take the message later, it is worth another attempt.
    pub(super) fn add(known: &mut Option<Failure>, new: Failure) {
        let is_final = matches!(new, Failure::Permanent(_));
        if !is_final || known.as_ref().is_none_or(|known| matches!(known, Failure::Permanent(_))) {
            *known = Some(new);
        }
    }

    /// What every recipient that waits is told, and what it says of their addresses. That a domain's servers
    /// cannot be reached says something only while others can be: the fault may be in our own network.
    pub(super) fn outcome(&self, is_network_sound: bool) -> (RecipientState, &str, Option<Diagnosis>) {
        match self {
            Failure::Ours(text) | Failure::Outage(text) | Failure::Broken(text) => {
                (RecipientState::Deferred, text, None)
            }
            Failure::Unreachable(text) => {
                let diagnosis = is_network_sound.then(|| diagnose(None, text));
                // The DNS decides what is for good; whatever a dead connection said is not.
                let is_soft = |diagnosis: &Diagnosis| diagnosis.kind == FailureKind::Temporary;
                (RecipientState::Deferred, text, diagnosis.filter(is_soft))
            }
            Failure::Permanent(text) => {
                let diagnosis = diagnose(None, text);
                (RecipientState::Failed, text, diagnosis.status.map(|_| diagnosis))
            }
        }
    }
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
            Unsendable::ListGone => Failure::Permanent(error.to_string()),
            // Faults on our side, which may be put right: nobody loses mail by them. Some are the message's.
            Unsendable::Unreadable(_)
            | Unsendable::Panicked(_)
            | Unsendable::Store(StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Broken(error.to_string())
            }
            // The store has said so.
            Unsendable::Store(outage) if outage.is_outage() => Failure::of_store(&outage),
            Unsendable::Store(_) | Unsendable::Keys(_) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Ours(error.to_string())
            }
        }
    }
}
