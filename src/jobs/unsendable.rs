//! Why a message cannot be sent at all.

use crate::mail;
use crate::ops::digests::outgoing::DigestError;
use crate::store::StoreError;

/// The reason why a message cannot be sent at all.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Unsendable {
    /// Its list was deleted or, for a system mail, its account.
    #[error("the list was deleted before this copy was sent")]
    ListGone,
    /// The digest was deleted, with its list or its account.
    #[error("the digest was deleted before this copy was sent")]
    DigestGone,
    /// The data file failed; the copies wait for their next attempt.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// This server panicked on it.
    #[error("the server failed: {0}")]
    Panicked(String),
    /// Its bytes cannot be parsed any more.
    #[error("the message cannot be read: {0}")]
    Unreadable(#[from] mail::ParseError),
    /// The keys of the domain cannot be used.
    #[error("the DKIM keys of the domain cannot be used: {0}")]
    Keys(#[from] mail::DkimSignerError),
}

impl From<DigestError> for Unsendable {
    fn from(error: DigestError) -> Unsendable {
        match error {
            DigestError::Gone => Unsendable::DigestGone,
            DigestError::Store(error) => Unsendable::Store(error),
            DigestError::Unreadable(error) => Unsendable::Unreadable(error),
        }
    }
}
