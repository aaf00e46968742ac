//! Moves an account out into a file, and in from one: in the running server, or in the process of the command.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account};
use crate::backup::{FileKey, KeyFile, SealedReader, SealedWriter};
use crate::ops::accounts::moving::Item;
use crate::ops::accounts::moving::arriving::NotTaken;
use crate::secret::Secrets;
use crate::service::moving::{self, Arrived, Items, Source};

/// Fewest characters of a passphrase: the file has everything of an account, and whoever has it can guess for long.
const PASSPHRASE_CHARS_MIN: usize = 12;

/// What the file is encrypted with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileLock {
    /// These words.
    Passphrase(String),
    /// The text of a key file, with recipients to write and identities to read.
    Keys(String),
}

impl fmt::Debug for FileLock {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("FileLock")
    }
}

impl FileLock {
    fn key(&self) -> Result<FileKey, CommandError> {
        match self {
            FileLock::Passphrase(words) if words.chars().count() < PASSPHRASE_CHARS_MIN => {
                let text = format!("the passphrase is shorter than {PASSPHRASE_CHARS_MIN} characters");
                Err(CommandError::Told(text))
            }
            FileLock::Passphrase(words) => Ok(FileKey::Passphrase(words.clone())),
            FileLock::Keys(text) => KeyFile::parse(text).map(FileKey::Keys).map_err(CommandError::Told),
        }
    }
}

/// A move into a file, or from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "move", rename_all = "snake_case")]
pub enum MoveRequest {
    /// Writes everything of an account into a new file.
    Out {
        /// Its name; the server's only one, if there is none.
        account: Option<String>,
        /// The file, by an absolute path.
        file: PathBuf,
        /// What it is encrypted with.
        lock: FileLock,
    },
    /// Takes in the account of a file.
    In {
        /// The file, by an absolute path.
        file: PathBuf,
        /// What it is encrypted with.
        lock: FileLock,
    },
}

/// An account that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedReply {
    /// Its name.
    pub account: String,
    /// Its number.
    pub id: u64,
    /// How many records it has.
    pub records: u64,
    /// Bytes of the file, if one was written.
    pub file_bytes: Option<u64>,
}

impl From<NotTaken> for CommandError {
    fn from(error: NotTaken) -> CommandError {
        match error {
            NotTaken::Store(error) => error.into(),
            other => CommandError::Told(other.to_string()),
        }
    }
}

pub(super) fn run(
    host: &Host,
    request: MoveRequest,
    progress: &mut dyn FnMut(String),
) -> Result<MovedReply, CommandError> {
    match request {
        MoveRequest::Out { account, file, lock } => {
            write_out(host, account.as_deref(), &file, &lock.key()?, progress)
        }
        MoveRequest::In { file, lock } => take_in(host, &file, lock.key()?, progress),
    }
}

/// Records between two lines of progress.
const RECORDS_PER_LINE: u64 = 20_000;

fn write_out(
    host: &Host,
    account: Option<&str>,
    file: &Path,
    key: &FileKey,
    progress: &mut dyn FnMut(String),
) -> Result<MovedReply, CommandError> {
    let core = &host.core;
    let account = find_account(&core.store.read()?, account)?;
    let mut writer = SealedWriter::create(file, key, &core.secrets)?;
    let (mut written, mut told) = (0, 0);
    let records = moving::leave::<CommandError>(core, host.started.is_some(), &account, &mut |item| {
        if matches!(item, Item::Record { .. }) {
            written += 1;
            if RECORDS_PER_LINE <= written - told {
                told = written;
                progress(format!("{written} records are written"));
            }
        }
        Ok(writer.put(&item)?)
    })?;
    let file_bytes = writer.finish()?;
    tracing::info!(account.id = account.id.0, "The account {} was written into a file", account.id);
    Ok(MovedReply { account: account.name, id: account.id.0, records, file_bytes: Some(file_bytes) })
}

/// A file of which an account is taken in.
struct FileSource<'a> {
    file: &'a Path,
    key: FileKey,
    secrets: &'a Secrets,
}

impl Source for FileSource<'_> {
    fn open(&self) -> Result<Items<'_>, String> {
        let reader = SealedReader::open(self.file, &self.key, self.secrets);
        let mut reader = reader.map_err(|error| error.to_string())?;
        Ok(Box::new(move || reader.read().map_err(|error| error.to_string())))
    }
}

fn take_in(
    host: &Host,
    file: &Path,
    key: FileKey,
    progress: &mut dyn FnMut(String),
) -> Result<MovedReply, CommandError> {
    let core = &host.core;
    let source = FileSource { file, key, secrets: &core.secrets };
    let Arrived { account, name, records } = moving::arrive(core, host.started.is_some(), &source, progress)?;
    tracing::info!(account.id = account.0, "The account {account} was taken in");
    Ok(MovedReply { account: name, id: account.0, records, file_bytes: None })
}
