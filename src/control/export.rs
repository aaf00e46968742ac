//! Exports of an account, or of one list, in open formats: settings and aliases as JSON, people as CSV, archives as
//! mailbox files.
//!
//! An export is made of pieces, each read in a snapshot of its own, so that whoever writes them may be slow. Through the
//! socket each is a line of JSON, followed by its bytes. `socket` calls it in a server, `reader` on the store of a
//! stopped one.

mod exporter;
pub mod pages;
pub mod reader;
pub mod sheet;
mod stream;

use serde::{Deserialize, Serialize};

pub use exporter::Exporter;
pub(super) use stream::serve;

/// The file that says what an export is; it gets its name when all others are whole.
pub const ACCOUNT_FILE: &str = "account.json";
/// The people.
pub const CONTACTS_FILE: &str = "contacts.csv";
/// The lists with their settings.
pub const LISTS_FILE: &str = "lists.json";
/// The aliases.
pub const ALIASES_FILE: &str = "aliases.json";
/// The administrators.
pub const ADMINS_FILE: &str = "administrators.json";
/// The folder of archives, of which each is named after its list.
pub const ARCHIVES_FOLDER: &str = "archives";
/// The ending of their names.
pub const ARCHIVE_ENDING: &str = ".mbox";
/// Words for people.
pub const README_FILE: &str = "README.txt";
/// The form of exports, of which a later program may make another.
pub const FORMAT_VERSION: u32 = 1;
/// The name of that form in [`ACCOUNT_FILE`].
pub const FORMAT: &str = "crier export";

/// `crier export`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// Name of the only list that is exported; all of the account if unset.
    pub list: Option<String>,
}

/// The line in front of the bytes of a piece.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceHead {
    /// The path of the file below the folder of the export.
    pub file: String,
    /// The number of bytes that follow.
    pub size_bytes: usize,
    /// Whether the file is whole behind them.
    pub is_last: bool,
    /// How far the export has come.
    pub so_far: ExportCounts,
}

/// The numbers of exported things.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportCounts {
    /// Lists.
    pub lists: u64,
    /// People.
    pub contacts: u64,
    /// Messages of archives.
    pub messages: u64,
}

/// The first member of [`ACCOUNT_FILE`]: what the folder is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFile {
    /// [`FORMAT`].
    pub format: String,
    /// [`FORMAT_VERSION`].
    pub version: u32,
    /// The list, if it is the export of one.
    pub list: Option<String>,
    /// The settings of the account, by the names of the API; none in the export of a list.
    pub account: serde_json::Map<String, serde_json::Value>,
    /// The custom fields of its contacts.
    pub fields: Vec<ExportedField>,
}

/// A custom field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedField {
    /// Its full name.
    pub name: String,
    /// Its identifier in calls of the API; that name if it has none.
    pub key: String,
    /// Whether members edit it on their own pages.
    pub members_edit: bool,
}
