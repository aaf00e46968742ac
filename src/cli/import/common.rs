//! The flags that every kind of import has, for commands that go on as another.

use std::path::PathBuf;

use crate::cli::DataArgs;
use crate::cli::manage::AccountArgs;

/// What every kind is told.
#[derive(Debug)]
pub(super) struct CommonArgs {
    /// The data folder.
    pub(super) data: DataArgs,
    /// The account.
    pub(super) account: AccountArgs,
    /// Whether nothing is kept.
    pub(super) dry_run: bool,
    /// The file of the report.
    pub(super) report: Option<PathBuf>,
    /// Whether the numbers are printed as JSON.
    pub(super) json: bool,
}
