//! A place that keeps named objects: a folder, or a bucket of a storage service.
//!
//! Names are of letters, digits, `-`, `.` and `/`; a name is written whole or not at all. Nothing here knows what the
//! objects hold.

use std::fmt::Debug;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::OFlags;

use crate::store::give_to_owner_of_folder;

/// The ending of a file that is being written.
const DRAFT: &str = ".part";
/// Mode of the files: they hold everything that the data file holds.
const FILE_MODE: u32 = 0o600;
/// Mode of the folders.
const FOLDER_MODE: u32 = 0o700;

/// How deep folders of objects are below one another.
const FOLDERS_DEEP_MAX: usize = 3;

/// Distinguishes the drafts that one process writes at a time.
static DRAFTS: AtomicU64 = AtomicU64::new(0);

/// An object in a listing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The object's whole name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
}

/// The reason why a place did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectsError {
    /// There is no such object.
    #[error("{place} has no {name}")]
    NotFound {
        /// The place.
        place: String,
        /// The object.
        name: String,
    },
    /// Anything else; `reason` is words for the operator.
    #[error("{place}: {name}: {reason}")]
    Failed {
        /// The place.
        place: String,
        /// The object, or the beginning of the names that were to be listed.
        name: String,
        /// The failure.
        reason: String,
    },
}

/// A place that keeps objects. Its functions block, so they are called on threads that may.
///
/// A later call sees the bytes that an earlier one has written, from any process.
pub trait Objects: Debug + Send + Sync {
    /// The place in words, for messages: a path, or `s3://bucket/prefix`. It holds no secret.
    fn place(&self) -> String;

    /// Writes an object, and replaces one of the same name. When this returns, the object is durable; if it fails or
    /// the process is killed, the object is as it was before.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectsError>;

    /// Reads a whole object.
    fn get(&self, name: &str) -> Result<Vec<u8>, ObjectsError>;

    /// Reads a whole object of about a mebibyte at most. A place that is slow is given up sooner than by [`Objects::get`].
    fn get_small(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        self.get(name)
    }

    /// The objects whose names begin with `prefix`, which ends with `/` or is a whole name, in the order of their
    /// names. None is no error.
    fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsError>;

    /// Deletes an object. One that does not exist is no error.
    fn delete(&self, name: &str) -> Result<(), ObjectsError>;

    /// Removes what killed processes left of objects that they were writing, if the place keeps such. To be called while
    /// nobody else writes.
    fn remove_drafts(&self) -> Result<(), ObjectsError> {
        Ok(())
    }
}

/// A folder whose files are the objects.
#[derive(Debug, Clone)]
pub struct FolderObjects {
    root: PathBuf,
}

impl FolderObjects {
    /// The objects below `root`, which is made, readable by its owner only, when the first is written.
    #[must_use]
    pub fn new(root: &Path) -> FolderObjects {
        FolderObjects { root: root.to_owned() }
    }

    fn failed(&self, name: &str) -> impl FnOnce(io::Error) -> ObjectsError {
        let (place, name) = (self.place(), name.to_owned());
        move |error| match error.kind() {
            ErrorKind::NotFound => ObjectsError::NotFound { place, name },
            _ => ObjectsError::Failed { place, name, reason: error.to_string() },
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.root.join(name);
        let folder = path.parent().unwrap_or(&self.root);
        make_folder(folder)?;
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let mut draft = path.clone().into_os_string();
        draft.push(format!(".{}-{number}{DRAFT}", std::process::id()));
        let draft = PathBuf::from(draft);
        let written = write_file(&draft, bytes).and_then(|()| fs::rename(&draft, &path));
        if written.is_err() {
            // The failure to write is what matters.
            let _ = fs::remove_file(&draft);
        }
        written?;
        sync_folder(folder)
    }

    /// Adds what is below `folder`; folders inside one another are followed `deep` times, since links may lead round.
    fn collect(&self, folder: &Path, prefix: &str, deep: usize, found: &mut Vec<Listed>) -> io::Result<()> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let Some(name) = path.strip_prefix(&self.root).ok().and_then(Path::to_str) else { continue };
            if path.is_dir() {
                if let Some(deep) = deep.checked_sub(1) {
                    self.collect(&path, prefix, deep, found)?;
                }
            } else if name.starts_with(prefix) && !name.ends_with(DRAFT) {
                // A file may be deleted while the folder is read.
                let Ok(metadata) = fs::metadata(&path) else { continue };
                found.push(Listed { name: name.to_owned(), bytes: metadata.len() });
            }
        }
        Ok(())
    }
}

fn remove_drafts(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            remove_drafts(&path)?;
        } else if path.to_str().is_some_and(|path| path.ends_with(DRAFT)) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Makes a folder and those above it that are missing, readable by their owner only, with durable names. Those that root
/// makes belong to the owner of the folder above, whose server is to write to them.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        make_folder(above)?;
    }
    match DirBuilder::new().mode(FOLDER_MODE).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => return Ok(()),
        made => made.map_err(|error| {
            let place = folder.display();
            io::Error::new(error.kind(), format!("the folder {place} cannot be made: {error}"))
        })?,
    }
    give_to_owner_of_folder(&File::open(folder)?, folder)?;
    sync_folder(above.unwrap_or(Path::new(".")))
}

/// Makes a new file, readable by its owner only, in the place of a file or a link that is there.
pub(super) fn make_file(path: &Path) -> io::Result<File> {
    remove_file(path)?;
    OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path)
}

/// Opens a file to read it. A pipe or a device, which may never end, is refused: whoever can write to the folder of a
/// backup must not be able to hang who reads it.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    // Without the flag, the opening of a pipe waits until somebody writes to it.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "is no regular file"))
    }
}

/// Removes a file if it is there.
fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = make_file(path)?;
    give_to_owner_of_folder(&file, path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

impl Objects for FolderObjects {
    fn place(&self) -> String {
        self.root.display().to_string()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectsError> {
        self.write(name, bytes).map_err(|error| {
            let (place, name) = (self.place(), name.to_owned());
            // Nothing is looked for, so that nothing is missing but the folder that it was to be made in.
            ObjectsError::Failed { place, name, reason: error.to_string() }
        })
    }

    fn get(&self, name: &str) -> Result<Vec<u8>, ObjectsError> {
        let read = || {
            let mut bytes = Vec::new();
            open_file(&self.root.join(name))?.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(self.failed(name))
    }

    fn list(&self, prefix: &str) -> Result<Vec<Listed>, ObjectsError> {
        let folder = prefix.rsplit_once('/').map_or(self.root.clone(), |(folder, _)| self.root.join(folder));
        let mut found = Vec::new();
        self.collect(&folder, prefix, FOLDERS_DEEP_MAX, &mut found).map_err(self.failed(prefix))?;
        found.sort();
        Ok(found)
    }

    fn delete(&self, name: &str) -> Result<(), ObjectsError> {
        remove_file(&self.root.join(name)).map_err(self.failed(name))
    }

    fn remove_drafts(&self) -> Result<(), ObjectsError> {
        remove_drafts(&self.root).map_err(self.failed(DRAFT))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};

    use super::*;

    #[test]
    fn a_folder_keeps_what_was_put_lists_it_in_order_and_forgets_what_was_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let objects = FolderObjects::new(&folder.path().join("new"));
        assert_eq!(objects.list("points/"), Ok(Vec::new()));
        assert!(matches!(objects.get("points/b"), Err(ObjectsError::NotFound { .. })));
        for name in ["points/b", "points/a", "packs/c", "crier-backup"] {
            objects.put(name, name.as_bytes()).unwrap();
        }
        objects.put("points/b", b"again").unwrap();
        let names = |prefix| -> Vec<(String, u64)> {
            objects.list(prefix).unwrap().into_iter().map(|listed| (listed.name, listed.bytes)).collect()
        };
        assert_eq!(names("points/"), [("points/a".to_owned(), 8), ("points/b".to_owned(), 5)]);
        assert_eq!(names("crier-backup").len(), 1);
        assert_eq!(objects.get("points/b").unwrap(), b"again");
        objects.delete("points/b").unwrap();
        objects.delete("points/b").unwrap();
        assert_eq!(names("points/").len(), 1);
    }

    #[test]
    fn files_and_folders_are_their_owners_alone_and_drafts_are_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new");
        let objects = FolderObjects::new(&root);
        objects.put("points/a", b"x").unwrap();
        let mode = |path: &str| fs::metadata(root.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("points/a"), mode("points"), mode("")), (0o600, 0o700, 0o700));
        fs::write(root.join("points/b.17-0.part"), "half").unwrap();
        assert_eq!(objects.list("points/").unwrap().len(), 1);
        objects.remove_drafts().unwrap();
        assert!(!root.join("points/b.17-0.part").exists());
        assert!(root.join("points/a").exists());
    }

    #[test]
    fn a_pipe_in_the_place_of_an_object_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let objects = FolderObjects::new(folder.path());
        objects.put("packs/a", b"x").unwrap();
        let pipe = folder.path().join("packs/pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
            .unwrap();
        assert!(objects.get("packs/pipe").unwrap_err().to_string().contains("no regular file"));
        std::os::unix::fs::symlink("pipe", folder.path().join("packs/link")).unwrap();
        assert!(objects.get("packs/link").is_err() && objects.get("packs").is_err());
        std::os::unix::fs::symlink("..", folder.path().join("packs/up")).unwrap();
        std::os::unix::fs::symlink("..", folder.path().join("packs/above")).unwrap();
        assert!(
            objects.list("packs/").unwrap().len() < 100,
            "links that lead round are not followed for ever"
        );
        assert_eq!(objects.get("packs/a").unwrap(), b"x");
    }

    #[test]
    fn no_link_is_followed_where_a_file_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let [elsewhere, path] = ["elsewhere", "new"].map(|name| folder.path().join(name));
        fs::write(&elsewhere, "of somebody else").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        make_file(&path).unwrap().write_all(b"mine").unwrap();
        assert_eq!(fs::read(&elsewhere).unwrap(), b"of somebody else");
        assert_eq!(fs::read(&path).unwrap(), b"mine");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_no_missing_object() {
        // Nobody makes folders there.
        let objects = FolderObjects::new(Path::new("/proc/backups"));
        let failed = objects.put("locks/a", b"x").unwrap_err();
        assert!(matches!(failed, ObjectsError::Failed { .. }), "{failed}");
        assert!(failed.to_string().contains("the folder /proc/backups cannot be made: "), "{failed}");
    }

    #[test]
    fn what_root_writes_belongs_to_the_owner_of_the_folder_above() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new/backups");
        let owner = |path: &Path| fs::metadata(path).map(|found| (found.uid(), found.gid())).unwrap();
        // Only root may give folders away; anybody else's files stay as they are.
        let expected = match chown(folder.path(), Some(4711), Some(4712)) {
            Ok(()) => (4711, 4712),
            Err(_) => owner(folder.path()),
        };
        FolderObjects::new(&root).put("points/a", b"x").unwrap();
        for path in [&root, &root.join("points"), &root.join("points/a"), &folder.path().join("new")] {
            assert_eq!(owner(path), expected, "{}", path.display());
        }
    }
}
