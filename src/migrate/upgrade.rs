//! Brings an older data file up to date on a copy beside it, which takes its place when it is whole and verified.
//!
//! The old file never changes: nobody else can open it meanwhile, and it is kept as [`PREVIOUS_NAME`], by a second name
//! that it gets before it loses the first. Wherever the program is stopped, the folder has one whole data file under the
//! usual name. A copy that is left behind is never used: an older program may have gone on with the file since.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::{Path, PathBuf};

use super::{FILE_NAME, META_INDEXES, OpenError, SCHEMA, migrate, rebuild_changed_indexes};
use crate::clock::Timestamp;
use crate::store::{self, Read, ReadTx, Store, StoreError, StoreOptions};

/// The name in the data folder of the file as it was before the last upgrade.
pub const PREVIOUS_NAME: &str = "crier.redb.previous";
/// The name of the copy that is being brought up to date.
pub(super) const COPY_NAME: &str = "crier.redb.upgrade";
/// The name of the newer file while [`previous`](super::previous) goes back.
pub(super) const NEWER_NAME: &str = "crier.redb.newer";

/// When the file was brought up to date: milliseconds. Absent in files that never were.
const META_UPGRADED: &str = "upgraded";
/// Bytes that are copied between two looks at the progress.
const PIECE_BYTES: u64 = 16 << 20;
/// A migration may make a file larger by one part in this many: the rows of a table move before it is removed.
const GROWTH_PART: u64 = 4;

/// Returns everything that is wrong with a file, and tells of its progress.
pub(super) type Verify = fn(&ReadTx, &mut dyn FnMut(String)) -> Result<Vec<String>, StoreError>;

/// The circumstances of an upgrade, if one is due.
pub struct Upgrade<'a> {
    /// The present time.
    pub now: Timestamp,
    /// Returns everything that is wrong with a file; gets the progress, too.
    pub verify: Verify,
    /// Is told of the progress.
    pub progress: &'a mut dyn FnMut(String),
}

/// When the file was brought up to date; `None` if it has the schema with which it was made.
pub fn upgraded(tx: &impl Read) -> Result<Option<Timestamp>, StoreError> {
    let bytes = tx.meta(META_UPGRADED)?;
    let ms = bytes.and_then(|bytes| bytes.as_slice().try_into().ok()).map(i64::from_be_bytes);
    Ok(ms.map(Timestamp::from_ms))
}

/// The files of a folder during an upgrade.
struct Files {
    data: PathBuf,
    copy: PathBuf,
    previous: PathBuf,
}

/// Brings the file of a folder up to date. The caller keeps others from opening it.
pub(super) fn run(
    data_dir: &Path,
    options: &StoreOptions,
    found: u32,
    upgrade: &mut Upgrade<'_>,
) -> Result<(), OpenError> {
    remove_leftovers(data_dir);
    let files = Files {
        data: data_dir.join(FILE_NAME),
        copy: data_dir.join(COPY_NAME),
        previous: data_dir.join(PREVIOUS_NAME),
    };
    (upgrade.progress)(format!(
        "The data file has schema {found}: a copy of it is brought to schema {SCHEMA}"
    ));
    let done = copy(&files, options, found, upgrade.progress)
        .and_then(|()| bring_up_to_date(&files, options, found, upgrade))
        .and_then(|()| swap(&files));
    if done.is_err() {
        // It would take room that the older program needs.
        let _ = fs::remove_file(&files.copy);
    } else {
        (upgrade.progress)(format!(
            "The data file has schema {SCHEMA} now. The file before is kept for a day as {PREVIOUS_NAME}: \
             crier restore --previous goes back to it"
        ));
    }
    done
}

/// Removes what an upgrade, or the way back, left in a folder when it was stopped. The caller has the data file open.
pub(super) fn remove_leftovers(data_dir: &Path) {
    let previous = data_dir.join(PREVIOUS_NAME);
    for name in [COPY_NAME, NEWER_NAME] {
        // There is nothing to remove in most cases, and what cannot be removed does no harm.
        let _ = fs::remove_file(data_dir.join(name));
    }
    if is_same(&previous, &data_dir.join(FILE_NAME)) {
        let _ = fs::remove_file(previous);
    }
}

/// Whether two names are those of one file.
pub(super) fn is_same(first: &Path, second: &Path) -> bool {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(first).is_some_and(|first| identity(second) == Some(first))
}

/// Makes the copy: the same blocks, where the file system can share them, else the same bytes.
fn copy(
    files: &Files,
    options: &StoreOptions,
    found: u32,
    progress: &mut dyn FnMut(String),
) -> Result<(), OpenError> {
    let failed = |error| OpenError::Files { path: files.data.clone(), work: "the copy", error };
    let source = File::open(&files.data).map_err(failed)?;
    let facts = source.metadata().map_err(failed)?;
    let copy =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&files.copy).map_err(failed)?;
    copy.set_permissions(facts.permissions()).map_err(failed)?;
    let owner = |facts: &fs::Metadata| (facts.uid(), facts.gid());
    if owner(&copy.metadata().map_err(failed)?) != owner(&facts) {
        // A command of the superuser must leave a file that the server can open.
        fchown(&copy, Some(facts.uid()), Some(facts.gid())).map_err(failed)?;
    }
    if rustix::fs::ioctl_ficlone(&copy, &source).is_err() {
        let needed_bytes = facts.len() + facts.len() / GROWTH_PART + options.reserve_bytes;
        let free_bytes = options.disk.free_bytes(&files.copy).unwrap_or(u64::MAX);
        if free_bytes < needed_bytes {
            return Err(OpenError::NoRoom { path: files.data.clone(), found, needed_bytes, free_bytes });
        }
        copy_bytes(&source, &copy, facts.len(), progress).map_err(failed)?;
    }
    copy.sync_all().map_err(failed)
}

/// Copies all bytes, and tells of each tenth of a file that takes a while.
fn copy_bytes(
    source: &File,
    mut copy: &File,
    length: u64,
    progress: &mut dyn FnMut(String),
) -> io::Result<()> {
    let (mut done, mut told) = (0, 0);
    loop {
        let piece = io::copy(&mut source.take(PIECE_BYTES), &mut copy)?;
        if piece == 0 {
            return if done == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) };
        }
        done += piece;
        let tenths = done * 10 / length.max(1);
        if PIECE_BYTES < length && told < tenths {
            told = tenths;
            progress(format!("{} of {} MiB are copied", done >> 20, length >> 20));
        }
    }
}

/// Migrates the copy, and verifies it.
fn bring_up_to_date(
    files: &Files,
    options: &StoreOptions,
    found: u32,
    upgrade: &mut Upgrade<'_>,
) -> Result<(), OpenError> {
    let failed = |error| OpenError::Upgrade { path: files.data.clone(), error };
    let options = StoreOptions { reserve_bytes: 0, ..options.clone() };
    let store = Store::open(&files.copy, options).map_err(failed)?;
    let differences = converted(&store, found, upgrade);
    store.close_blocking();
    let differences = differences.map_err(failed)?;
    if differences.is_empty() {
        return Ok(());
    }
    Err(OpenError::Unsound { path: files.data.clone(), differences })
}

/// Migrates an open file; returns everything that is wrong with it then.
fn converted(store: &Store, found: u32, upgrade: &mut Upgrade<'_>) -> Result<Vec<String>, StoreError> {
    migrate(store, found, upgrade.progress)?;
    rebuild_changed_indexes(store, upgrade.progress)?;
    let now = upgrade.now.ms().to_be_bytes();
    store.write_blocking(move |tx| tx.set_meta(META_UPGRADED, Some(&now)))?;
    let differences = (upgrade.verify)(&store.read()?, upgrade.progress)?;
    if differences.is_empty() {
        return Ok(differences);
    }
    // Derived rows may be all that is wrong: of entities whose indexes did not change they were taken over as they were.
    store.write_blocking(|tx| tx.set_meta(META_INDEXES, None))?;
    rebuild_changed_indexes(store, upgrade.progress)?;
    (upgrade.verify)(&store.read()?, upgrade.progress)
}

/// Puts the copy in the place of the file, which gets another name first.
fn swap(files: &Files) -> Result<(), OpenError> {
    let failed = |error| OpenError::Files { path: files.data.clone(), work: "the change of names", error };
    match fs::remove_file(&files.previous) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
        Ok(()) | Err(_) => {}
    }
    fs::hard_link(&files.data, &files.previous).map_err(failed)?;
    let unsynced = |error| OpenError::Upgrade { path: files.data.clone(), error };
    // The new name of the old file must be there before the old name is the new file's.
    store::sync_folder_of(&files.data).map_err(unsynced)?;
    fs::rename(&files.copy, &files.data).map_err(failed)?;
    store::sync_folder_of(&files.data).map_err(unsynced)
}
