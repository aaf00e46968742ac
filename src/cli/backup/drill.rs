//! `crier drill`: restores a backup into a temporary folder, verifies it and says how long that took.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::point::{self, Durations};
use super::progress::size;
use super::{TargetArgs, runtime_of_command};
use crate::cli::Failure;
use crate::cli::manage::say_json;
use crate::cli::temporary::TemporaryFolder;
use crate::cli::terminal::say;
use crate::secret::Secrets;

/// `crier drill`
#[derive(Debug, Args)]
pub(in crate::cli) struct DrillArgs {
    /// The folder or file of the backups, or `s3://BUCKET/PREFIX`
    #[arg(value_name = "TARGET")]
    target: String,
    #[command(flatten)]
    place: TargetArgs,
    /// The newest backup that is not later than this time, such as 2026-11-20T15:04:05Z, yesterday or, for two days
    /// ago, 2d; without it the newest of all
    #[arg(long, env = "CRIER_AT", value_name = "TIME")]
    at: Option<String>,
    /// Folder in which the data file is restored for a while; it needs room for the whole file
    #[arg(long, env = "CRIER_TEMP_DIR", value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Print `{"point", "file_bytes", "restore_seconds", "verify_seconds", "seconds"}` instead of a line
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

#[derive(Serialize)]
struct Drilled {
    point: String,
    file_bytes: u64,
    restore_seconds: f64,
    verify_seconds: f64,
    seconds: f64,
}

/// Runs `crier drill`.
pub(in crate::cli) fn run(args: &DrillArgs) -> Result<ExitCode, Failure> {
    let runtime = runtime_of_command()?;
    let target = args.place.open(&args.target, &runtime)?;
    let point = point::find(&target, args.at.as_deref())?;
    let above = args.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    super::restore::make_private_folder(&above)?;
    let folder = TemporaryFolder::make(&above, "crier-drill-", &Secrets::system())?;
    folder.remove_at_signal(&runtime)?;
    let Durations { restoring, verifying } = point::restore_into(&target, &point, folder.path())?;
    let seconds = |duration: Duration| (duration.as_secs_f64() * 1000.0).round() / 1000.0;
    let drilled = Drilled {
        point: point.time.rfc3339(),
        file_bytes: point.file_bytes,
        restore_seconds: seconds(restoring),
        verify_seconds: seconds(verifying),
        seconds: seconds(restoring + verifying),
    };
    if args.json {
        return say_json(&drilled);
    }
    let Drilled { point, file_bytes, restore_seconds, verify_seconds, seconds } = drilled;
    say(format_args!(
        "The backup of {point} is good: {} were restored in {restore_seconds} s and verified in {verify_seconds} s, \
         {seconds} s together",
        size(file_bytes)
    ));
    Ok(ExitCode::SUCCESS)
}
