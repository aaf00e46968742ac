//! Backups by hand: makes one, shows those there are, restores one, and tries one out.
//!
//! A running server backs itself up, and shows its progress through its socket; the file of a stopped one is copied as
//! it is, also if it is older than this program. What was restored is brought up to date and verified before it is used.

pub(super) mod drill;
mod point;
mod progress;
pub(super) mod restore;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use tokio::runtime::Handle;

use super::manage::say_json;
use super::s3::S3Args;
use super::serve::runtime;
use super::terminal::{say, tell};
use super::values::Problems;
use super::{DataArgs, Failure, folder, told, unexpected, unreachable};
use crate::backup::{Backup, KeyFile, Target};
use crate::clock::Clock;
use crate::config::Config;
use crate::config::backup::BackupPlace;
use crate::control::backup::{BackupReply, BackupRequest, make};
use crate::control::client::{Asked, ask};
use crate::control::{Reply, Request};
use crate::migrate;
use crate::s3::objects::target_of;
use crate::secret::Secrets;

/// Shown at the end of `crier backup --help`.
const AFTER_HELP: &str = "\
The server goes on meanwhile; the backup has everything that it had confirmed before the command. A \
folder keeps as many backups as you like: each is whole, and only what has changed is written. A file \
is replaced, once the new backup is complete.

crier restore makes a data file of a backup, and crier drill tries that out.";

/// Where backups are.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// Key of encrypted backups (age): the recipient age1… to back up, the identity AGE-SECRET-KEY-1… to restore
    #[arg(long, env = "CRIER_BACKUP_KEY_FILE", value_name = "FILE")]
    backup_key_file: Option<PathBuf>,
    #[command(flatten)]
    s3: S3Args,
}

impl TargetArgs {
    /// The keys of the key file.
    fn key(&self) -> Result<Option<KeyFile>, Failure> {
        self.backup_key_file.as_deref().map(KeyFile::read).transpose().map_err(Failure::failed)
    }

    /// The place of a target.
    fn place(&self, target: &str) -> Result<BackupPlace, Failure> {
        let mut problems = Problems::default();
        let place = self.s3.place("TARGET", target, &mut problems);
        if problems.is_empty() { place.ok_or_else(|| problems.into()) } else { Err(problems.into()) }
    }

    /// A target that this process reads.
    fn open(&self, target: &str, runtime: &Handle) -> Result<Target, Failure> {
        let place = self.place(target)?;
        let config = Config::on_loopback(PathBuf::new());
        Ok(target_of(&place, &config, runtime, None).with_key(self.key()?))
    }
}

/// `crier backup`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct BackupArgs {
    #[command(flatten)]
    data: DataArgs,
    /// A folder (it exists, or the name ends with /), which keeps many backups; a file for one; or `s3://BUCKET/PREFIX`
    #[arg(value_name = "TARGET")]
    target: String,
    #[command(flatten)]
    place: TargetArgs,
    /// Print `{"target", "point", "file_bytes", "sent_bytes"}` instead of a line
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// A runtime for requests to a storage service. It lasts as long as the process, which ends with the command.
fn runtime_of_command() -> Result<Handle, Failure> {
    let runtime = runtime()?;
    let handle = runtime.handle().clone();
    std::mem::forget(runtime);
    Ok(handle)
}

/// Runs `crier backup`.
pub(super) fn run(args: &BackupArgs) -> Result<ExitCode, Failure> {
    let data_dir = &args.data.data;
    let place = match args.place.place(&args.target)? {
        // The server has another working folder.
        BackupPlace::Local(path) => {
            let slash = if path.ends_with('/') { "/" } else { "" };
            let path = std::path::absolute(&path).map_err(Failure::failed)?;
            check_folder(&path)?;
            BackupPlace::Local(format!("{}{slash}", path.display().to_string().trim_end_matches('/')))
        }
        bucket @ BackupPlace::S3(_) => bucket,
    };
    let recipients = args.place.key()?.map(|key| key.recipients().join("\n"));
    let request = BackupRequest { place, recipients };
    let asked = ask(data_dir, &Request::Backup(request.clone()), &mut |text| tell(&text));
    let made = match asked.map_err(|error| unreachable(data_dir, &error))? {
        Asked::Server(reply) => match told(reply)? {
            Reply::BackedUp(made) => made,
            other => return Err(unexpected(&other)),
        },
        Asked::Nobody => back_up_stopped(data_dir, &request)?,
    };
    if args.json {
        return say_json(&made);
    }
    let BackupReply { target, point, file_bytes, sent_bytes } = made;
    say(format_args!(
        "Backed up to {target}, as of {point}: {}, of which {} were written",
        progress::size(file_bytes),
        progress::size(sent_bytes)
    ));
    Ok(ExitCode::SUCCESS)
}

/// Fails if the folder that the target would be in is not there: a disk that is not mounted, or a mistyped name.
fn check_folder(path: &Path) -> Result<(), Failure> {
    let is_missing = |path: &Path| matches!(path.try_exists(), Ok(false));
    let Some(folder) = path.parent().filter(|folder| is_missing(path) && is_missing(folder)) else {
        return Ok(());
    };
    Err(Failure::Failed(format!(
        "there is no folder {0}, in which the backups would be: is its disk mounted? If the name is right, make it: \
         mkdir -p {0}",
        folder.display()
    )))
}

/// Backs up the file of a stopped server, as it is.
fn back_up_stopped(data_dir: &Path, request: &BackupRequest) -> Result<BackupReply, Failure> {
    folder::check(data_dir).map_err(|problem| Failure::Failed(problem.text))?;
    let target = request
        .target(&Config::on_loopback(data_dir.to_owned()), &runtime_of_command()?, None)
        .map_err(Failure::failed)?;
    let store = migrate::open_as_it_is(data_dir).map_err(Failure::failed)?;
    let (clock, secrets) = (Clock::system(), Secrets::system());
    let backup = Backup { store: &store, data_dir, target: &target, clock: &clock, secrets: &secrets };
    let made = make(&backup, &mut |text| tell(&text));
    store.close_blocking();
    made.map_err(Failure::failed)
}
