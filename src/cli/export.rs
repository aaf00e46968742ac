//! `crier export`: writes an account, or one list, into a folder in open formats.
//!
//! Files have temporary names until all of them are whole, so an export that was cut short never looks like one, and is
//! begun anew by running it again.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::import::progress::Progress;
use super::manage::{AccountArgs, say_json};
use super::show::counted;
use super::terminal::say;
use super::{Absent, DataArgs, Failure, open_file, told, unexpected, unreachable};
use crate::control::export::reader::{Next, Reader};
use crate::control::export::{ACCOUNT_FILE, ARCHIVES_FOLDER, ExportCounts, ExportRequest};
use crate::service::exports::Piece;

const AFTER_HELP: &str = "\
DIRECTORY is empty, or does not exist yet. It gets contacts.csv with the people and everything that is known of them: \
lists, digests, pauses, consents, bounces, who opted out, your own fields; lists.json, aliases.json, \
administrators.json and account.json, as the API shows them; an mbox of the archive of each list; and a README. Keys, \
passwords and other secrets are left out.

The server may go on meanwhile. crier import crier DIRECTORY brings everything into an account again.";

/// The ending of files that are being written.
const PART_ENDING: &str = ".part";
/// Modes of what is written: it names people.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// `crier export`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// Folder to write into
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
    /// Only this list with its members and its archive
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: Option<String>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// The results of an export.
#[derive(Debug, Serialize)]
struct Summary<'a> {
    directory: &'a Path,
    lists: u64,
    contacts: u64,
    messages: u64,
}

/// Runs the command.
pub(super) fn run(args: ExportArgs) -> Result<ExitCode, Failure> {
    let ExportArgs { data, account, directory, list, json } = args;
    let mut folder = Folder::open(&directory)?;
    let request = ExportRequest { account: account.name(), list };
    let mut reader = begin(&data.data, &request)?;
    let mut progress = Progress::start("people and messages", None);
    let done = take_all(&mut reader, &mut folder, &mut progress);
    progress.finish();
    reader.finish();
    let ExportCounts { lists, contacts, messages } = done?;
    folder.finish()?;
    let summary = Summary { directory: &directory, lists, contacts, messages };
    if json {
        return say_json(&summary);
    }
    let people = if contacts == 1 { "1 person".to_owned() } else { format!("{contacts} people") };
    say(format_args!(
        "{people}, {} and {} are in {}",
        counted(lists, "list"),
        counted(messages, "message"),
        directory.display()
    ));
    Ok(ExitCode::SUCCESS)
}

fn begin(data_dir: &Path, request: &ExportRequest) -> Result<Reader, Failure> {
    if let Some(reader) =
        Reader::of_server(data_dir, request).map_err(|error| unreachable(data_dir, &error))?
    {
        return Ok(reader);
    }
    let super::File { host, runtime } = open_file(data_dir, Absent::Refuse)?;
    Reader::of_file(&host, request, runtime).map_err(|refusal| {
        host.core.store.close_blocking();
        told(*refusal).map_or_else(|failure| failure, |reply| unexpected(&reply))
    })
}

fn take_all(
    reader: &mut Reader,
    folder: &mut Folder,
    progress: &mut Progress,
) -> Result<ExportCounts, Failure> {
    let cut_short =
        |error| Failure::Failed(format!("the export was cut short: {error}; run it again to begin anew"));
    let mut written = 0_u64;
    loop {
        match reader.receive().map_err(cut_short)? {
            Next::Piece(piece, so_far) => {
                written += u64::try_from(piece.bytes.len()).unwrap_or(u64::MAX);
                folder.write(piece)?;
                progress.at(written, so_far.contacts + so_far.messages);
            }
            Next::End(counts) => return Ok(counts),
            Next::Refused(reply) => return Err(told(*reply).map_or_else(|it| it, |it| unexpected(&it))),
        }
    }
}

/// The folder that is being written.
struct Folder {
    path: PathBuf,
    is_made: bool,
    /// The file that is being written, and its name.
    current: Option<(String, File)>,
    /// Files that are whole, by their names.
    whole: Vec<String>,
}

impl Folder {
    /// The folder, which is made with the first file; what an export left in it that was cut short is deleted.
    fn open(path: &Path) -> Result<Folder, Failure> {
        // Nothing is made before there is something to write: a list that is not there leaves no folder behind.
        let left = if path.exists() { leftovers(path)? } else { Vec::new() };
        for file in &left {
            fs::remove_file(file).map_err(|error| unwritable(file, &error))?;
        }
        Ok(Folder { path: path.to_owned(), is_made: false, current: None, whole: Vec::new() })
    }

    fn make(&mut self) -> Result<(), Failure> {
        let folders = [self.path.clone(), self.path.join(ARCHIVES_FOLDER)];
        for folder in folders {
            let made = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&folder);
            made.map_err(|error| unwritable(&folder, &error))?;
        }
        self.is_made = true;
        Ok(())
    }

    fn part_of(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{PART_ENDING}"))
    }

    fn write(&mut self, piece: Piece) -> Result<(), Failure> {
        let Piece { file: name, bytes, is_last } = piece;
        let is_below = Path::new(&name).components().all(|part| matches!(part, Component::Normal(_)));
        if !is_below {
            return Err(Failure::Failed(format!("the export names a file outside of its folder: {name}")));
        }
        if !self.is_made {
            self.make()?;
        }
        let path = self.part_of(&name);
        let mut file = match self.current.take() {
            Some((current, file)) if current == name => file,
            _ => {
                let made = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(&path);
                made.map_err(|error| unwritable(&path, &error))?
            }
        };
        file.write_all(&bytes).map_err(|error| unwritable(&path, &error))?;
        if is_last {
            file.sync_all().map_err(|error| unwritable(&path, &error))?;
            self.whole.push(name);
        } else {
            self.current = Some((name, file));
        }
        Ok(())
    }

    /// Gives all files their names, the one last that says that this is an export.
    fn finish(mut self) -> Result<(), Failure> {
        self.whole.sort_by_key(|name| name == ACCOUNT_FILE);
        for name in &self.whole {
            let named = fs::rename(self.part_of(name), self.path.join(name));
            named.map_err(|error| unwritable(&self.path.join(name), &error))?;
        }
        let synced = File::open(&self.path).and_then(|folder| folder.sync_all());
        synced.map_err(|error| unwritable(&self.path, &error))
    }
}

/// The files that an export left which was cut short.
///
/// # Errors
/// If there is anything else in the folder.
fn leftovers(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut left = Vec::new();
    for folder in [path.to_owned(), path.join(ARCHIVES_FOLDER)] {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(_) if folder != path => continue,
            Err(error) => return Err(unwritable(&folder, &error)),
        };
        for entry in entries {
            let found = entry.map_err(|error| unwritable(&folder, &error))?.path();
            let is_archives = folder == path && found.ends_with(ARCHIVES_FOLDER) && found.is_dir();
            let name = found.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.ends_with(PART_ENDING) && found.is_file() {
                left.push(found);
            } else if !is_archives {
                return Err(Failure::Failed(format!(
                    "{} is not empty: {name} is in it; name an empty folder, or one that does not exist yet",
                    folder.display()
                )));
            }
        }
    }
    Ok(left)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{} cannot be written: {error}", path.display()))
}
