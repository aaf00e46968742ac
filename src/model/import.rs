//! Imports of people that administrators begin on a page, and the rows that were refused.
//!
//! `ops::people::import_tasks` writes these records.

use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::kept_problem::KeptProblem;
use super::undo::UNDO_ROWS_MAX;
use super::{AccountId, AdminId, AuditId, BlobId, ImportId, OptOutWay, Permission, RefusedRowId, words};
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
    /// Whether people who are there already take over what the rows say; else they get what they lack alone.
    pub updates: bool,
    /// How far it has come.
    pub state: ImportState,
    /// Why it stopped by itself; `None` if it did not.
    pub trouble: Option<ImportTrouble>,
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
    /// Whether it can be undone for a day: a larger one cannot.
    #[must_use]
    pub fn is_undoable(&self) -> bool {
        usize::try_from(self.sheet.rows).is_ok_and(|rows| rows <= UNDO_ROWS_MAX)
    }

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

/// Why an import stopped by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportTrouble {
    /// As an earlier version wrote it: a sentence in English.
    Written(String),
    /// The person who began it is no administrator any more.
    NoAdmin,
    /// The disk took nothing.
    NotSaved,
}

/// Why a row was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowRefusal {
    /// As an earlier version wrote it: a sentence in English.
    Written(String),
    /// It cannot be read.
    Unreadable(KeptProblem),
    /// Its person opted out where it comes from.
    OptedOutThere(KeptProblem),
    /// Values that are not valid: each wrong field, by its name in the API, with its problem.
    Invalid(Vec<(String, KeptProblem)>),
    /// What is there already is in the way.
    Conflict(KeptProblem),
    /// The administrator lacks a permission.
    Forbidden(Permission),
    /// The administrator's limits do not allow it.
    NotAllowed,
    /// What the row is about was deleted meanwhile.
    Gone,
    /// The address book is full.
    AddressBookFull {
        /// Its size.
        contacts_max: u64,
    },
    /// The person opted out of a list.
    OptedOut {
        /// The list.
        list: String,
        /// The way in which the person opted out.
        way: OptOutWay,
        /// When.
        time: Timestamp,
    },
    /// The server could not do it.
    Failed,
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
    /// Why.
    pub reason: RowRefusal,
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
