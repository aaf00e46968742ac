//! Backups of the data file: points in time, kept in a target outside of the data folder.
//!
//! A [`Target`] is one file with one point, or a place of named objects (a folder, a bucket) with many, which share the
//! chunks that are the same in them. [`Backup::make`] adds a point while the server goes on writing ([`Store::copy_file`]);
//! [`restore()`] makes a data file of one. Whatever is killed, a point that exists is whole: see [`mod@format`].
//!
//! Everything here blocks. It knows neither accounts nor mail, and opens no copy: the commands verify what was restored.

mod error;
mod format;
mod key;
mod lock;
mod make;
mod objects;
mod report;
mod repository;
mod restore;
mod seal;
mod sealed_file;
mod single;
mod stop;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;

pub use error::BackupError;
pub use format::Point;
pub use key::KeyFile;
pub use objects::{FolderObjects, Listed, Objects, ObjectsError};
pub use report::{Progress, Report};
pub use repository::Deleted;
pub use sealed_file::{FileKey, SealedReader, SealedWriter};

use crate::clock::{Clock, Timestamp};
use crate::schema::{META_BACKUP, META_RESTORED};
use crate::secret::Secrets;
use crate::store::{FileCopy, Read as _, Store, StoreError};
use lock::{Lock, Turn};
use make::Maker;
use repository::{Identity, Repository};
use stop::{ReadUntilStop, Stop, UntilStop};

/// The file with the name of this machine.
const HOSTNAME: &str = "/proc/sys/kernel/hostname";

/// Where backups are kept, and the key for those that are encrypted.
#[derive(Debug, Clone)]
pub struct Target {
    kind: Kind,
    key: Option<KeyFile>,
    stop: Option<Stop>,
}

#[derive(Debug, Clone)]
enum Kind {
    File(PathBuf),
    Objects(Arc<dyn Objects>),
}

impl Target {
    /// A path of this machine: a folder if it is one or ends with `/`, otherwise a file.
    #[must_use]
    pub fn of_path(path: &Path) -> Target {
        let is_folder = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if is_folder {
            return Target::of_objects(Arc::new(FolderObjects::new(path)));
        }
        Target { kind: Kind::File(path.to_owned()), key: None, stop: None }
    }

    /// A place of objects.
    #[must_use]
    pub fn of_objects(objects: Arc<dyn Objects>) -> Target {
        Target { kind: Kind::Objects(objects), key: None, stop: None }
    }

    /// The same place, encrypted: with a recipient to back up, with an identity to restore.
    #[must_use]
    pub fn with_key(self, key: Option<KeyFile>) -> Target {
        Target { key, ..self }
    }

    /// The same place, for the backups of a server: when `stop` becomes true, a backup under way fails.
    #[must_use]
    pub fn until(self, stop: watch::Receiver<bool>) -> Target {
        let kind = match self.kind {
            Kind::Objects(objects) => Kind::Objects(Arc::new(UntilStop { objects, stop: stop.clone() })),
            file @ Kind::File(_) => file,
        };
        Target { kind, stop: Some(stop), ..self }
    }

    /// The place in words.
    #[must_use]
    pub fn place(&self) -> String {
        match &self.kind {
            Kind::File(path) => path.display().to_string(),
            Kind::Objects(objects) => objects.place(),
        }
    }
}

/// A data file that is open in this process, and the target of its backups.
#[derive(Debug)]
pub struct Backup<'a> {
    /// The data file.
    pub store: &'a Store,
    /// Its folder.
    pub data_dir: &'a Path,
    /// The target.
    pub target: &'a Target,
    /// Gives points their times.
    pub clock: &'a Clock,
    /// Draws the number of the server, and keys.
    pub secrets: &'a Secrets,
}

impl Backup<'_> {
    /// Adds a point with everything that was confirmed before the call. Jobs of the writer wait for it no longer than
    /// for a commit.
    pub fn make(&self, progress: &mut dyn FnMut(Progress)) -> Result<Report, BackupError> {
        let identity = self.identity()?;
        let Backup { store, clock, secrets, target, .. } = *self;
        match &target.kind {
            Kind::File(path) => {
                let _turn = Turn::take(target.place())?;
                let time = clock.now();
                let copy = store.copy_file()?;
                let length = copy.length();
                let mut copy = ReadUntilStop { file: copy, stop: target.stop.clone() };
                let key = target.key.as_ref();
                let making = single::Making { identity: &identity, key, secrets, time };
                single::make(path, &making, &mut copy, length, progress)
            }
            Kind::Objects(objects) => {
                let (repository, mut lock) = self.open(objects, &identity)?;
                if lock.was_left_behind {
                    // What a killed backup wrote, no point names.
                    objects.remove_drafts()?;
                    repository.delete(&[], &mut lock)?;
                }
                let points = repository::points(&**objects)?;
                // Two points never have the same time.
                let after = points.last().map_or(i64::MIN, |newest| newest.time.ms() + 1);
                let time = Timestamp::from_ms(clock.now().ms().max(after));
                let mut copy: FileCopy = store.copy_file()?;
                let length = copy.length();
                let maker = Maker::begin(&repository, &mut lock, &points, length)?;
                maker.run(&mut copy, length, time, progress)
            }
        }
    }

    /// Deletes points by their names, and what they alone needed. A target of one file has none that can be deleted.
    pub fn delete(&self, points: &[String]) -> Result<Deleted, BackupError> {
        let Kind::Objects(objects) = &self.target.kind else { return Ok(Deleted::default()) };
        let (repository, mut lock) = self.open(objects, &self.identity()?)?;
        repository.delete(points, &mut lock)
    }

    fn open(
        &self,
        objects: &Arc<dyn Objects>,
        identity: &Identity,
    ) -> Result<(Repository, Lock), BackupError> {
        let key = self.target.key.as_ref();
        // Not even a lock is written to a target of another server.
        Repository::check_to_write(objects, identity, key, self.secrets)?;
        let lock = Lock::take(objects, &host(self.data_dir), self.clock, self.secrets)?;
        // Of two servers that begin at a new target, one has the lock.
        let repository = Repository::open_to_write(objects, identity, key, self.secrets)?;
        Ok((repository, lock))
    }

    /// The identity of the data file in targets, drawn at the first backup.
    fn identity(&self) -> Result<Identity, StoreError> {
        let parse = |bytes: &[u8]| {
            let (server, key) = bytes.split_first_chunk()?;
            Some(Identity { server: *server, key: key.try_into().ok()? })
        };
        let wrong = || StoreError::corrupt("meta", "the identity for backups has another length");
        if let Some(bytes) = self.store.read()?.meta(META_BACKUP)? {
            return parse(&bytes).ok_or_else(wrong);
        }
        let mut drawn = [0; 48];
        self.secrets.fill(&mut drawn);
        // Of two that come at once, the first counts.
        let bytes = self.store.write_reserved_blocking(move |tx| {
            if let Some(bytes) = tx.meta(META_BACKUP)? {
                return Ok::<_, StoreError>(bytes);
            }
            tx.set_meta(META_BACKUP, Some(&drawn))?;
            Ok(drawn.to_vec())
        })?;
        parse(&bytes).ok_or_else(wrong)
    }
}

/// This machine and a data folder, in words.
fn host(data_dir: &Path) -> String {
    let machine = fs::read_to_string(HOSTNAME).unwrap_or_default();
    let folder = fs::canonicalize(data_dir).unwrap_or_else(|_| data_dir.to_owned());
    format!("{} ({})", machine.trim(), folder.display())
}

/// The points of a target, oldest first.
pub fn points(target: &Target) -> Result<Vec<Point>, BackupError> {
    match &target.kind {
        Kind::File(path) => Ok(vec![single::point(path)?]),
        Kind::Objects(objects) => repository::points(&**objects),
    }
}

/// The newest point that is not later than `at`.
pub fn find_point(target: &Target, at: Option<Timestamp>) -> Result<Point, BackupError> {
    let points = points(target)?;
    let found = points.iter().rev().find(|point| at.is_none_or(|at| point.time <= at));
    found.cloned().ok_or_else(|| BackupError::NoPoint {
        place: target.place(),
        when: match (at, points.first()) {
            (Some(at), Some(oldest)) => {
                format!(" of {} or before: its oldest is of {}", at.rfc3339(), oldest.time.rfc3339())
            }
            (Some(_), None) | (None, _) => String::new(),
        },
    })
}

/// Makes the data file of a point at `path`, readable by its owner only, and durable; a file or a link that is there is
/// replaced. Every byte has been checked when this returns.
pub fn restore(
    target: &Target,
    point: &Point,
    path: &Path,
    secrets: &Secrets,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BackupError> {
    let file = objects::make_file(path).map_err(BackupError::file(path))?;
    match &target.kind {
        Kind::File(from) => single::restore(from, target.key.as_ref(), secrets, (path, &file), progress)?,
        Kind::Objects(objects) => {
            let repository = Repository::open_to_read(objects, target.key.as_ref(), secrets)?;
            restore::restore(&repository, &point.name, (path, &file), progress)?;
        }
    }
    file.sync_all().map_err(BackupError::file(path))
}

/// Notes in a restored data file of which time it is: the next start holds what was waiting to be sent.
pub fn mark_restored(store: &Store, point: Timestamp, now: Timestamp) -> Result<(), StoreError> {
    let times = [point.ms().to_be_bytes(), now.ms().to_be_bytes()].concat();
    store.write_blocking(move |tx| tx.set_meta(META_RESTORED, Some(&times)))
}
