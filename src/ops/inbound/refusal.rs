//! Why mail is not taken, for whoever answers its sender.

use crate::mail::{ParseError, RejectReason};
use crate::store::StoreError;

/// Why a recipient or a message is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The domain is ours, the address is nobody's.
    NoSuchRecipient,
    /// The domain is not ours: mail is never relayed.
    NotOurs,
    /// There is no account, so that nothing can be ours: a folder that is not the right one, or not set up yet. The sender
    /// should try again.
    NotSetUp,
    /// It is of another account than the key that was shown.
    NotYours,
    /// The key that was shown works no more.
    Unproven,
    /// Its account has read and changed as much as it may in this hour; the sender should try again.
    Exhausted {
        /// Objects that it may read and change in an hour.
        limit: u64,
    },
    /// Larger than the list takes.
    TooLarge {
        /// What it takes.
        limit_bytes: u64,
    },
    /// No message that can be read safely.
    Malformed(ParseError),
    /// The list's rules refuse it, and nobody else was to get it.
    Rejected(RejectReason),
    /// DMARC failed, and the author's domain asks to refuse what fails.
    Forged,
    /// Whether the author is a member's depends on what the DNS did not say; the sender should try again.
    Unverified,
    /// It reports on a copy that is still under way; the sender should try again.
    TooEarly,
    /// The disk is full; the sender should try again.
    DiskFull,
    /// The disk fails; the sender should try again.
    DiskFails,
    /// The store failed; the sender should try again.
    Internal,
    /// The server fails on this message, which could not be put aside; the sender should try again.
    Broken {
        /// What went wrong.
        trace: String,
    },
}

impl From<StoreError> for Refusal {
    /// The client only learns that it should try again; what failed stands in the log.
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Full => return Refusal::DiskFull,
            StoreError::Unavailable { .. } => return Refusal::DiskFails,
            _ => tracing::error!(error = %error, "A message could not be kept: storage failed"),
        }
        match error {
            StoreError::Panicked | StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. } => {
                Refusal::Broken { trace: error.to_string() }
            }
            _ => Refusal::Internal,
        }
    }
}
