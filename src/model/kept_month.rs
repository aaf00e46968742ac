//! The compressed mailbox file of a month that is over, which is kept once it was made.
//!
//! `ops::archive::kept_months` writes these records. One without a file is being made: it is deleted when something of
//! the month changes, and then what is being made is not kept.

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, ListId};

/// The file of a month of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptMonth {
    /// Its number.
    pub id: u64,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// The month, counted from the year 0.
    pub month: u64,
    /// A hash of the settings on which the file depends, and of the number of its messages.
    pub facts: [u8; 16],
    /// The file, when it is whole.
    pub file: Option<KeptFile>,
}

/// The bytes of a kept file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// The bytes.
    pub blob: BlobId,
    /// How many there are.
    pub length: u64,
    /// Identifies them.
    pub tag: String,
}
