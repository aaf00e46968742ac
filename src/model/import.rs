//! Imports of people that administrators begin on a page, and the rows that were refused.
//!
//! `ops::people::import_tasks` writes these records.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, AuditId, BlobId, ImportId, RefusedRowId, words};
use crate::clock::Timestamp;

/// How long an import that was not begun is kept.
const DRAFT_KEPT_FOR: Duration = Duration::from_hours(24);
/// How long an import and its refused rows are kept after the last step.
const KEPT_FOR: Duration = Duration::from_hours(7 * 24);

words! {
    /// How far an import has come.
    ImportState {
        /// Nothing has changed yet: somebody looks at what would happen.
        Draft = "draft",
        /// Its rows are being taken in.
        Running = "running",
        /// Somebody stopped it, or it could not go on; it can be continued.
        Stopped = "stopped",
        /// Every row was looked at.
        Done = "done",
    }
}

/// How the text of an import is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSheet {
    /// The name of the file.
    pub name: String,
    /// Its text in UTF-8; gone once the import is done.
    pub text: Option<BlobId>,
    /// The character between two cells.
    pub separator: char,
    /// Whether its first row names the columns.
    pub has_head: bool,
    /// The encoding in which it came.
    pub charset: String,
    /// Rows below the head.
    pub rows: u64,
}

/// An import of people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Service identifier.
    pub id: ImportId,
    /// The account.
    pub account: AccountId,
    /// The administrator in whose name the rows are taken in, with what it may do at each step.
    pub admin: AdminId,
    /// The address of its browser.
    pub client: Option<IpAddr>,
    /// The text that was sent.
    pub sheet: ImportSheet,
    /// For each column, the field that it fills; blank for none.
    pub columns: Vec<String>,
    /// Lists that everybody joins.
    pub lists: Vec<String>,
    /// Whether people who are there already take over what the rows say.
    pub updates: bool,
    /// How far it has come.
    pub state: ImportState,
    /// Why it stopped by itself, as a sentence; blank if it did not.
    pub trouble: String,
    /// Grows whenever it is begun or continued: a run of an earlier number ends.
    pub run: u32,
    /// Rows that are done.
    pub done: u64,
    /// People who were added.
    pub created: u64,
    /// People who were changed.
    pub updated: u64,
    /// Rows that changed nothing.
    pub unchanged: u64,
    /// Rows that were refused.
    pub refused: u64,
    /// When it was sent.
    pub made: Timestamp,
    /// The last step.
    pub changed: Timestamp,
    /// Its entry in the audit log.
    pub noted: Option<AuditId>,
}

impl Import {
    /// When it is forgotten; never while it runs.
    #[must_use]
    pub fn due(&self) -> Option<Timestamp> {
        match self.state {
            ImportState::Draft => Some(self.changed + DRAFT_KEPT_FOR),
            ImportState::Running => None,
            ImportState::Stopped | ImportState::Done => Some(self.changed + KEPT_FOR),
        }
    }
}

/// A row of an import that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRow {
    /// Service identifier.
    pub id: RefusedRowId,
    /// The account.
    pub account: AccountId,
    /// The import.
    pub import: ImportId,
    /// Its place in the file, from 1, without the head.
    pub row: u64,
    /// Its cells.
    pub cells: Vec<String>,
    /// Why, as a sentence.
    pub reason: String,
}

/// The treatment of people who opted out in an import; it has a record once one was found, or if it overrides that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportOptOuts {
    /// The import.
    pub import: ImportId,
    /// Its account.
    pub account: AccountId,
    /// Whether such people are added all the same.
    pub is_overridden: bool,
    /// Rows that were refused because the person opted out.
    pub refused: u64,
}
