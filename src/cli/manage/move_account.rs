//! `crier account export` and `crier account import`: an account as one encrypted file, to move it to another server.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _};

use super::say_json;
use crate::cli::reach::DataArgs;
use crate::cli::terminal::say;
use crate::cli::{Absent, Failure, perform, unexpected};
use crate::control::moving::{FileLock, MoveRequest, MovedReply};
use crate::control::{Reply, Request};

/// Shown at the end of `crier account export --help`.
const EXPORT_AFTER_HELP: &str = "\
The file has everything: people, lists, archives, held messages, the queue, keys, sessions, the keys of domains, and the \
secret with which this server signs links, also those of its other accounts: give it to nobody who must not have them. \
The account goes on here, and both servers would send what waits in the queue: stop this server before the export, and \
delete the account here once it is at the other one, before this server sends again.";

/// Shown at the end of `crier account import --help`.
const IMPORT_AFTER_HELP: &str = "\
Links, one-click tokens, sessions and keys that were made before go on working. Names, domains and numbers that are \
taken here are refused before anything is written, and an import that is broken off leaves nothing.";

/// What the file is encrypted with.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct LockArgs {
    /// File whose first line is the passphrase
    #[arg(long, env = "CRIER_PASSPHRASE_FILE", value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// File with a key of age: a recipient age1… to export, the identity AGE-SECRET-KEY-1… to import
    #[arg(long, env = "CRIER_KEY_FILE", value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl LockArgs {
    fn lock(&self) -> Result<FileLock, Failure> {
        let read = |path: &Path| {
            let text = std::fs::read_to_string(path);
            text.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
        };
        match (&self.passphrase_file, &self.key_file) {
            (Some(path), _) => {
                let text = read(path)?;
                Ok(FileLock::Passphrase(text.lines().next().unwrap_or_default().to_owned()))
            }
            (None, Some(path)) => read(path).map(FileLock::Keys),
            (None, None) => Err(Failure::Usage("name --passphrase-file or --key-file".to_owned())),
        }
    }
}

/// Write everything of an account into an encrypted file, to move it to another server
#[derive(Debug, Args)]
#[command(after_help = EXPORT_AFTER_HELP)]
pub(in crate::cli) struct ExportAccountArgs {
    /// Name of the account
    #[arg(value_name = "NAME")]
    name: String,
    /// The new file; a running server writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    data: DataArgs,
    /// Print `{"account", "id", "records", "file_bytes"}` instead of a line
    #[arg(long)]
    json: bool,
}

/// Take in an account that another server exported
#[derive(Debug, Args)]
#[command(after_help = IMPORT_AFTER_HELP)]
pub(in crate::cli) struct ImportAccountArgs {
    /// The file that crier account export wrote; a running server reads it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    data: DataArgs,
    /// Print `{"account", "id", "records"}` instead of a line
    #[arg(long)]
    json: bool,
}

/// Runs `crier account export`.
pub(in crate::cli) fn export(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args =
        ExportAccountArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let ExportAccountArgs { name, file, lock, data, json } = args;
    // The server has another working folder.
    let path = std::path::absolute(&file).map_err(Failure::failed)?;
    let request = MoveRequest::Out { account: Some(name), file: path, lock: lock.lock()? };
    let moved = moved(&data.data, request, Absent::Refuse)?;
    if json {
        return say_json(&moved);
    }
    let MovedReply { account, records, file_bytes, .. } = moved;
    say(format_args!(
        "Exported {account}: {records} records, {} bytes in {}. On the other server: crier account import {}",
        file_bytes.unwrap_or_default(),
        file.display(),
        file.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// Runs `crier account import`.
pub(in crate::cli) fn import(matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args =
        ImportAccountArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    let ImportAccountArgs { file, lock, data, json } = args;
    let file = std::path::absolute(&file).map_err(Failure::failed)?;
    let moved = moved(&data.data, MoveRequest::In { file, lock: lock.lock()? }, Absent::Create)?;
    if json {
        return say_json(&moved);
    }
    let MovedReply { account, records, .. } = moved;
    say(format_args!(
        "Imported {account}: {records} records. crier dns shows the records that lead its domains here"
    ));
    Ok(ExitCode::SUCCESS)
}

fn moved(data_dir: &Path, request: MoveRequest, absent: Absent) -> Result<MovedReply, Failure> {
    match perform(data_dir, &Request::MoveAccount(request), absent)? {
        Reply::AccountMoved(moved) => Ok(moved),
        other => Err(unexpected(&other)),
    }
}
