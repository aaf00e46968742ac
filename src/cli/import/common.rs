//! The flags that kinds of import have in common.

use std::path::PathBuf;

use clap::Args;
use clap::builder::BoolishValueParser;

use crate::cli::DataArgs;
use crate::cli::manage::AccountArgs;

/// The flags as they are typed.
#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,
    #[command(flatten)]
    pub(super) account: AccountArgs,
    /// Check everything and keep nothing
    #[arg(long, env = "CRIER_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub(super) dry_run: bool,
    /// Write what was refused, skipped or not taken over to this CSV file, which only you can read
    #[arg(long, env = "CRIER_REPORT", value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    pub(super) json: bool,
}
