//! `crier restore`: puts a data file in the place of the present one, from a backup or from before an upgrade.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::point::{self, Durations};
use super::progress::size;
use super::{TargetArgs, runtime_of_command};
use crate::backup::{self, Point, Target};
use crate::cli::manage::say_json;
use crate::cli::terminal::say;
use crate::cli::{DataArgs, Failure, previous};
use crate::control::client;
use crate::migrate::FILE_NAME;
use crate::store::{give_to_owner_of_folder, sync_folder_of};

/// The folder in the data folder in which a file is restored.
const WORK_FOLDER: &str = "crier.restoring";

/// Shown at the end of `crier restore --help`.
const AFTER_HELP: &str = "\
The server must be stopped. The restored file is verified before it gets its name; until then the file \
that was there stays. Mail that was waiting when the backup was made may have gone out since: it is \
held until crier queue release --all.

When a new version upgrades the data file, it works on a copy and keeps the file as it was, under the \
name crier.redb.previous, for a day. Stop the server, go back with --previous, install the version \
before and start it. What changed since the upgrade is lost; the command says how much that is.";

/// `crier restore`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct RestoreArgs {
    #[command(flatten)]
    data: DataArgs,
    /// The folder or file of the backups, or `s3://BUCKET/PREFIX`
    #[arg(value_name = "TARGET", required_unless_present = "previous")]
    target: Option<String>,
    #[command(flatten)]
    place: TargetArgs,
    /// The newest backup that is not later than this time, such as 2026-11-20T15:04:05Z, yesterday or, for two days
    /// ago, 2d; without it the newest of all
    #[arg(long, env = "CRIER_AT", value_name = "TIME")]
    at: Option<String>,
    /// Show the backups of the target, and restore nothing
    #[arg(long, env = "CRIER_LIST_BACKUPS", value_parser = BoolishValueParser::new(), conflicts_with = "at")]
    list: bool,
    /// Go back to the data file as it was before the last upgrade
    #[arg(
        long,
        env = "CRIER_PREVIOUS",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = ["target", "at", "list"]
    )]
    previous: bool,
    /// Replace the data file that is there, once the new one is verified; with --previous, do not ask
    #[arg(long, env = "CRIER_FORCE", value_parser = BoolishValueParser::new())]
    force: bool,
    /// Print JSON: `{"point", "file_bytes", "seconds"}`, with --list `{"points": [{"time", "file_bytes", "sent_bytes"}]}`
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

#[derive(Serialize)]
struct Restored {
    point: String,
    file_bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct ListedPoint {
    time: String,
    file_bytes: u64,
    sent_bytes: u64,
}

#[derive(Serialize)]
struct ListedPoints {
    points: Vec<ListedPoint>,
}

/// Runs `crier restore`.
pub(in crate::cli) fn run(args: &RestoreArgs) -> Result<ExitCode, Failure> {
    let data_dir = &args.data.data;
    let target = match &args.target {
        Some(target) if !args.previous => args.place.open(target, &runtime_of_command()?)?,
        _ => return previous::run(data_dir, args.force),
    };
    if args.list {
        return list(&target, args.json);
    }
    let point = point::find(&target, args.at.as_deref())?;
    let Durations { restoring, verifying } = replace(data_dir, &target, &point, args.force)?;
    let seconds = ((restoring + verifying).as_secs_f64() * 1000.0).round() / 1000.0;
    let restored = Restored { point: point.time.rfc3339(), file_bytes: point.file_bytes, seconds };
    if args.json {
        return say_json(&restored);
    }
    let Restored { point, file_bytes, seconds } = restored;
    say(format_args!(
        "{} is the data file of {point} now: {}, verified, in {seconds} s",
        data_dir.join(FILE_NAME).display(),
        size(file_bytes)
    ));
    say("Mail that was waiting then is held: when the server runs, let it go with crier queue release --all");
    Ok(ExitCode::SUCCESS)
}

fn list(target: &Target, json: bool) -> Result<ExitCode, Failure> {
    let points = backup::points(target).map_err(Failure::failed)?;
    let listed = |point: &Point| ListedPoint {
        time: point.time.rfc3339(),
        file_bytes: point.file_bytes,
        sent_bytes: point.sent_bytes,
    };
    let points: Vec<ListedPoint> = points.iter().map(listed).collect();
    if json {
        return say_json(&ListedPoints { points });
    }
    if points.is_empty() {
        say(format_args!("{} has no backup", target.place()));
    } else {
        say(format_args!("{:<22}{:>12}{:>14}", "TIME", "DATA FILE", "WRITTEN"));
    }
    for ListedPoint { time, file_bytes, sent_bytes } in points {
        say(format_args!("{time:<22}{:>12}{:>14}", size(file_bytes), size(sent_bytes)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Puts the data file of a point into a folder.
fn replace(data_dir: &Path, target: &Target, point: &Point, force: bool) -> Result<Durations, Failure> {
    let path = data_dir.join(FILE_NAME);
    if client::is_running(data_dir) {
        return Err(runs(data_dir));
    }
    // Held until the file is replaced: no server starts on the old one meanwhile.
    let old = lock_old(data_dir, &path, force)?;
    make_private_folder(data_dir)?;
    let work = data_dir.join(WORK_FOLDER);
    make_work_folder(&work)?;
    let work_lock = File::open(&work).map_err(Failure::failed)?;
    if matches!(work_lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(Failure::Failed(format!("another crier restore works in {}", data_dir.display())));
    }
    // What a killed restoration left.
    for entry in fs::read_dir(&work).map_err(Failure::failed)? {
        let left = entry.map_err(Failure::failed)?.path();
        fs::remove_file(&left).map_err(Failure::failed)?;
    }
    let done = point::restore_into(target, point, &work)
        .and_then(|durations| put_in_place(&work.join(FILE_NAME), &path, old.as_ref()).map(|()| durations));
    // Whatever happened, nothing of it is needed any more.
    let _ = fs::remove_dir_all(&work);
    done
}

fn runs(data_dir: &Path) -> Failure {
    Failure::Failed(format!("a server runs on {}: stop it first", data_dir.display()))
}

/// The data file that is to be replaced, locked.
fn lock_old(data_dir: &Path, path: &Path, force: bool) -> Result<Option<File>, Failure> {
    let old = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        old => old.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?,
    };
    match old.try_lock() {
        Err(TryLockError::WouldBlock) => return Err(runs(data_dir)),
        // A file system without locks has no lock of a server either.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    if force {
        return Ok(Some(old));
    }
    Err(Failure::Failed(format!(
        "{} exists: with --force it is replaced, once the restored file is verified",
        path.display()
    )))
}

/// Makes the folder in which a file is restored. A link in its place would lead root to a folder of somebody else.
fn make_work_folder(work: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(work) {
        Ok(found) if !found.is_dir() => {
            Err(Failure::Failed(format!("{} is no folder: take it away, and try again", work.display())))
        }
        Ok(_) | Err(_) => make_private_folder(work),
    }
}

/// Makes a folder that only its owner may read, if it does not exist; root gives it to the owner of the folder above.
pub(super) fn make_private_folder(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::Failed(format!("{} cannot be made: {error}", folder.display()));
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let made = File::open(folder).map_err(failed)?;
    give_to_owner_of_folder(&made, folder).map_err(failed)
}

/// Gives a verified file its name, in the place of `old`, if there was one and it is locked.
fn put_in_place(new: &Path, path: &Path, old: Option<&File>) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    // A server may open it as soon as it has its name.
    File::open(new).and_then(|file| give_to_owner_of_folder(&file, path)).map_err(failed)?;
    let named = match old {
        Some(_) => fs::rename(new, path),
        // A rename would replace the file of a server that was started meanwhile.
        None => fs::hard_link(new, path),
    };
    named.map_err(failed)?;
    sync_folder_of(path).map_err(Failure::failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_open_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let store = crate::store::Store::open(&path, crate::store::StoreOptions::default()).unwrap();
        let told = |force| match lock_old(folder.path(), &path, force) {
            Err(Failure::Failed(text) | Failure::Usage(text)) => text,
            Ok(_) => "nothing".to_owned(),
        };
        assert!(told(true).contains("a server runs"), "{}", told(true));
        store.close_blocking();
        assert!(told(false).contains("with --force"), "{}", told(false));
        assert_eq!(told(true), "nothing");
    }

    #[test]
    fn a_file_that_came_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [new, path] = ["new", FILE_NAME].map(|name| folder.path().join(name));
        fs::write(&new, "restored").unwrap();
        fs::write(&path, "of a server that was started").unwrap();
        assert!(put_in_place(&new, &path, None).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"of a server that was started");
        let old = File::open(&path).unwrap();
        put_in_place(&new, &path, Some(&old)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"restored");
    }

    #[test]
    fn no_link_is_followed_where_a_file_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let work = folder.path().join(WORK_FOLDER);
        std::os::unix::fs::symlink(&elsewhere, &work).unwrap();
        assert!(make_work_folder(&work).is_err());
        fs::remove_file(&work).unwrap();
        make_work_folder(&work).unwrap();
        make_work_folder(&work).unwrap();
    }
}
