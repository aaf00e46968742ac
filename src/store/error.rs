//! The errors of the store.
//!
//! Errors of the engine and of the file system become one type here, which says whether the caller may try again.
//! Wording for clients is up to the layers above.

use std::fmt::Display;
use std::io;

use super::BlobId;

/// Why a file that does not begin as data files do is refused.
const FOREIGN: &str = "it is no data file, or its beginning is damaged: look which folder --data names, or restore the \
                       data file from a backup";

/// Why the store did not do what was asked. Cheap to clone: every job of a failed commit gets the same error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// A record has a key that belongs to another record.
    #[error("another record has this key in {index}")]
    Duplicate {
        /// The unique index.
        index: &'static str,
    },
    /// Stored bytes are not those that the engine or an entity wrote.
    #[error("corrupt data in {table}: {reason}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// A description of the damage.
        reason: String,
    },
    /// A record refers to a blob that is not there.
    #[error("no blob {id}")]
    UnknownBlob {
        /// The missing blob.
        id: BlobId,
    },
    /// A record is larger than [`RECORD_BYTES_MAX`](super::RECORD_BYTES_MAX).
    #[error("a record of {table} is too large to be stored")]
    RecordTooLarge {
        /// The entity.
        table: &'static str,
    },
    /// A job made more than [`JOB_CHANGES_MAX`](super::JOB_CHANGES_MAX) changes and was undone.
    #[error("a write job made too many changes at once")]
    JobTooLarge,
    /// The job panicked and was undone.
    #[error("a write job panicked")]
    Panicked,
    /// The file is open in another process.
    #[error("the data file is in use by another process")]
    Locked,
    /// The file cannot be opened or read.
    #[error("the data file cannot be used: {reason}")]
    Unusable {
        /// The message of the system or of the file format.
        reason: String,
    },
    /// The disk is nearly full, and the request would take room. It can be repeated when there is room again.
    #[error("the disk is full")]
    Full,
    /// The file cannot be written, perhaps not even read, while the disk fails. Whether a job that was running at the
    /// time has taken effect is known only when the disk works again.
    #[error("the data file cannot be written now: {reason}")]
    Unavailable {
        /// The message of the system or of the file format.
        reason: String,
    },
    /// A transaction could not be made durable, and this process cannot open the file again: the process must stop.
    #[error("the data file cannot be written: {reason}")]
    Fatal {
        /// The message of the system or of the file format.
        reason: String,
    },
    /// The file is being copied already.
    #[error("another backup is under way: try again when it has ended")]
    CopyUnderWay,
    /// The store was closed.
    #[error("the data file is closed")]
    Closed,
}

impl StoreError {
    /// An error for damaged data that a reader of records found.
    pub fn corrupt(table: &'static str, reason: impl Display) -> StoreError {
        StoreError::Corrupt { table, reason: reason.to_string() }
    }

    /// Whether the error passes without a change to the request: the disk is full, or fails. The store has logged it,
    /// and logs when it is over.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        matches!(self, StoreError::Full | StoreError::Unavailable { .. })
    }

    pub(super) fn unavailable(reason: impl Display) -> StoreError {
        StoreError::Unavailable { reason: reason.to_string() }
    }

    pub(super) fn fatal(reason: impl Display) -> StoreError {
        StoreError::Fatal { reason: reason.to_string() }
    }

    pub(super) fn unusable(reason: impl Display) -> StoreError {
        StoreError::Unusable { reason: reason.to_string() }
    }
}

impl From<redb::DatabaseError> for StoreError {
    fn from(error: redb::DatabaseError) -> StoreError {
        match error {
            redb::DatabaseError::DatabaseAlreadyOpen => StoreError::Locked,
            // The engine says so of a file that does not begin as its files do, and the system never does.
            redb::DatabaseError::Storage(redb::StorageError::Io(error))
                if error.kind() == io::ErrorKind::InvalidData =>
            {
                StoreError::unusable(FOREIGN)
            }
            other => StoreError::unusable(other),
        }
    }
}

impl From<redb::StorageError> for StoreError {
    fn from(error: redb::StorageError) -> StoreError {
        match error {
            redb::StorageError::DatabaseClosed => StoreError::Closed,
            // The engine reads nothing more after one error, until the file is opened again.
            error @ (redb::StorageError::Io(_) | redb::StorageError::PreviousIo) => {
                StoreError::unavailable(error)
            }
            other => StoreError::unusable(other),
        }
    }
}

impl From<redb::TransactionError> for StoreError {
    fn from(error: redb::TransactionError) -> StoreError {
        match error {
            redb::TransactionError::Storage(storage) => storage.into(),
            other => StoreError::unusable(other),
        }
    }
}

impl From<redb::TableError> for StoreError {
    fn from(error: redb::TableError) -> StoreError {
        match error {
            redb::TableError::Storage(storage) => storage.into(),
            other => StoreError::unusable(other),
        }
    }
}
