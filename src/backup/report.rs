//! How far a backup is, and what came of it.

use crate::clock::Timestamp;

/// How far a backup or its restoration has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the data file that are done.
    pub done_bytes: u64,
    /// The size of the data file.
    pub file_bytes: u64,
    /// Bytes that were written to the target.
    pub sent_bytes: u64,
}

/// The result of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The time of the new point.
    pub point: Timestamp,
    /// The size of the data file.
    pub file_bytes: u64,
    /// Bytes that were written to the target.
    pub sent_bytes: u64,
    /// Chunks of the data file.
    pub chunks: u64,
    /// Chunks that the target did not have.
    pub chunks_sent: u64,
}
