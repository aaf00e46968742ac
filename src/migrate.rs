//! Brings a data file to the schema that this version of the program expects, at every start.
//!
//! The file's schema number is raised by ordered migrations, on a copy of the file that takes its place when it is whole
//! and verified (`upgrade`); [`previous`] goes back. What takes a moment is one commit; what is made of many records is
//! made in bounded steps, a commit each, and the file says how far that has come. The number is raised with the first
//! step, so that an older program never reads records of two versions; a file of a newer program is refused, without a
//! byte of it changing.
//!
//! A new version of a record raises the number and does nothing else: older records are read as the newest
//! ([`Entity::OLDER`](crate::store::Entity::OLDER)). Indexes need no migration: those of an entity whose fingerprint has
//! changed are rebuilt from the records.

pub mod previous;
mod sharing;
mod steps;
mod upgrade;

use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use crate::migrate::steps::{Derivation, MIGRATIONS, Migration, Work};
use crate::schema::{ENTITIES, META_OLD_SECRETS, META_SCHEMA, META_SECRET};
use crate::secret::{LINK_SECRET_BYTES, LinkSecrets, Secrets, Signer};
use crate::store::{self, EntityInfo, Read as _, ReadTx, Refused, Store, StoreError, StoreOptions, WriteTx};

pub use steps::SCHEMA;
pub use upgrade::{PREVIOUS_NAME, Upgrade, upgraded};

/// The data file's name in its folder.
pub const FILE_NAME: &str = "crier.redb";

const META_INDEXES: &str = "indexes";
/// How far the migration in steps has come that leads to the schema of the file; absent where none is under way.
const META_CONVERSION: &str = "conversion";

/// A migration in steps that is under way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Position {
    /// Records that were read.
    done: u64,
    /// The key of the last of them.
    last: Vec<u8>,
}

impl Position {
    fn to_bytes(&self) -> Vec<u8> {
        [self.done.to_be_bytes().as_slice(), &self.last].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Position> {
        let (done, last) = bytes.split_first_chunk()?;
        Some(Position { done: u64::from_be_bytes(*done), last: last.to_vec() })
    }
}

/// The reason why a data file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be created or entered.
    #[error("the data folder {} cannot be used: {error}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A newer program wrote the file.
    #[error(
        "{} has schema {found}, made by a newer crier; this is crier {version} and knows schemas up to {known}: \
         install the newer version",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that this program knows.
        known: u32,
        /// This program's version.
        version: &'static str,
    },
    /// An older program wrote the file, which was only to be looked at.
    #[error("{} has schema {found}, of an older version: the next start brings it up to date", path.display())]
    Older {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
    },
    /// The store failed.
    #[error("{}: {error}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// Its error.
        error: StoreError,
    },
    /// The disk has no room for the copy on which an older file is brought up to date.
    #[error(
        "{} has schema {found} and must be brought to schema {SCHEMA}, on a copy beside it: that takes {} MiB, and the \
         disk has {} MiB free. Make room and start again, or go on with the version before; nothing was changed",
        path.display(), in_mib(*needed_bytes), in_mib(*free_bytes)
    )]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The room that the copy takes.
        needed_bytes: u64,
        /// The room that there is.
        free_bytes: u64,
    },
    /// A file could not be brought up to date.
    #[error("{} could not be brought to schema {SCHEMA}, and is as it was: {error}", path.display())]
    Upgrade {
        /// The file.
        path: PathBuf,
        /// The error of its copy.
        error: StoreError,
    },
    /// The copy on which a file is brought up to date could not be made or put in its place.
    #[error("{} could not be brought to schema {SCHEMA}, and is as it was: {} failed: {error}", path.display(), work)]
    Files {
        /// The file.
        path: PathBuf,
        /// The step that failed.
        work: &'static str,
        /// The error of the system.
        error: io::Error,
    },
    /// The copy does not agree with itself after it was brought up to date.
    #[error(
        "{} is not used by this version: brought to schema {SCHEMA}, a copy of it has {} differences, the first of which \
         is: {}. The file is as it was; go on with the version before, and report this",
        path.display(), differences.len(), differences.first().map_or("", String::as_str)
    )]
    Unsound {
        /// The file.
        path: PathBuf,
        /// In words; at least one.
        differences: Vec<String>,
    },
}

impl OpenError {
    /// Whether the file could not be brought up to date, which takes long to try, and every further try ends like this
    /// one until a person has done something.
    #[must_use]
    pub fn stays(&self) -> bool {
        match self {
            OpenError::Folder { .. }
            | OpenError::Newer { .. }
            | OpenError::Older { .. }
            | OpenError::Store { .. } => false,
            OpenError::NoRoom { .. }
            | OpenError::Upgrade { .. }
            | OpenError::Files { .. }
            | OpenError::Unsound { .. } => true,
        }
    }
}

/// A data file that is ready for use.
#[derive(Debug)]
pub struct Opened {
    /// All data.
    pub store: Store,
    /// Signs links with the secrets in the file.
    pub signer: Signer,
}

fn in_mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// The reason why a file is not opened as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unfit {
    /// It has this schema, which is newer.
    Newer(u32),
    /// It has this schema, which is older, or its migration was stopped.
    Older(u32),
}

/// Finds the reason why a file cannot be used as it is.
fn unfit(tx: &ReadTx) -> Result<Option<Unfit>, StoreError> {
    Ok(match read_number(tx, META_SCHEMA)? {
        Some(found) if SCHEMA < found => Some(Unfit::Newer(found)),
        Some(found) if found < SCHEMA || tx.meta(META_CONVERSION)?.is_some() => Some(Unfit::Older(found)),
        Some(_) | None => None,
    })
}

/// Opens the data file in `data_dir`, creating folder and file if there are none. An older file is brought up to date on
/// a copy first. Blocks.
pub fn open(
    data_dir: &Path,
    options: StoreOptions,
    secrets: &Secrets,
    upgrade: &mut Upgrade<'_>,
) -> Result<Opened, OpenError> {
    let folder = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir);
    folder.map_err(|error| OpenError::Folder { path: data_dir.to_owned(), error })?;
    let path = data_dir.join(FILE_NAME);
    let failed = |error| OpenError::Store { path: path.clone(), error };
    let mut opened = Store::open_checked(&path, options.clone(), unfit).map_err(failed)?;
    if let Err(Refused { reason: Unfit::Older(found), held }) = opened {
        upgrade::run(data_dir, &options, found, upgrade)?;
        drop(held);
        opened = Store::open_checked(&path, options, unfit).map_err(failed)?;
    }
    let store = opened.map_err(|Refused { reason, held: _ }| match reason {
        Unfit::Newer(found) => {
            let version = env!("CARGO_PKG_VERSION");
            OpenError::Newer { path: path.clone(), found, known: SCHEMA, version }
        }
        // Somebody has put an older file into the place of the new one at once.
        Unfit::Older(_) => failed(StoreError::Locked),
    })?;
    upgrade::remove_leftovers(data_dir);
    let found = store.read().and_then(|tx| read_number(&tx, META_SCHEMA));
    let found = if found.map_err(failed)?.is_none() {
        begin(&store, secrets).map_err(failed)?
    } else {
        let ready = rebuild_changed_indexes(&store, upgrade.progress);
        let found = ready.and_then(|()| read_secrets(&store));
        found.inspect_err(|_| store.close_blocking()).map_err(failed)?
    };
    Ok(Opened { store, signer: Signer::new(found) })
}

/// Passes if the data file in `data_dir`, which exists, is not of an older schema; no byte of it changes. Blocks.
pub fn check_schema(data_dir: &Path) -> Result<(), OpenError> {
    let path = data_dir.join(FILE_NAME);
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    // It is refused whatever it has, so that it is not opened.
    let looked = Store::open_checked(&path, options, |tx| Ok(Some(read_number(tx, META_SCHEMA)?)));
    match looked {
        Ok(Err(Refused { reason: Some(found), .. })) if found < SCHEMA => {
            Err(OpenError::Older { path, found })
        }
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::Store { path, error }),
    }
}

/// Opens the data file in `data_dir`, which exists, without bringing it up to date: for a backup. A file of a newer
/// program is refused. Blocks.
pub fn open_as_it_is(data_dir: &Path) -> Result<Store, OpenError> {
    let path = data_dir.join(FILE_NAME);
    let failed = |error| OpenError::Store { path: path.clone(), error };
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    let newer = |tx: &ReadTx| Ok(read_number(tx, META_SCHEMA)?.filter(|found| SCHEMA < *found));
    Store::open_checked(&path, options, newer).map_err(failed)?.map_err(
        |Refused { reason: found, .. }| {
            let version = env!("CARGO_PKG_VERSION");
            OpenError::Newer { path: path.clone(), found, known: SCHEMA, version }
        },
    )
}

/// Writes the facts about a new file, in one commit; returns the secret that was drawn for it.
fn begin(store: &Store, secrets: &Secrets) -> Result<LinkSecrets, StoreError> {
    let mut secret = [0; LINK_SECRET_BYTES];
    secrets.fill(&mut secret);
    store.write_blocking(move |tx| {
        tx.set_meta(META_SCHEMA, Some(&SCHEMA.to_be_bytes()))?;
        tx.set_meta(META_INDEXES, Some(indexes()?.as_bytes()))?;
        tx.set_meta(META_SECRET, Some(&secret))?;
        Ok::<LinkSecrets, StoreError>(LinkSecrets::new(secret))
    })
}

fn read_number(tx: &ReadTx, name: &'static str) -> Result<Option<u32>, StoreError> {
    let Some(bytes) = tx.meta(name)? else { return Ok(None) };
    let number = bytes.as_slice().try_into().map(u32::from_be_bytes);
    let corrupt = |_| StoreError::Corrupt { table: "meta", reason: format!("{name} is not 4 bytes long") };
    number.map(Some).map_err(corrupt)
}

/// Runs every migration that the file has not had, beginning with one that was stopped.
fn migrate(store: &Store, found: u32, progress: &mut dyn FnMut(String)) -> Result<(), StoreError> {
    let stopped = store.read()?.meta(META_CONVERSION)?;
    for Migration { to, name, work } in MIGRATIONS {
        let is_stopped = *to == found && stopped.is_some();
        if *to <= found && !is_stopped {
            continue;
        }
        progress(format!("Bringing the data file to schema {to}: {name}"));
        match work {
            Work::AtOnce(run) => store.write_blocking(move |tx| {
                run(tx)?;
                // Earlier programs did this one in steps, and may have been stopped between two.
                tx.set_meta(META_CONVERSION, None)?;
                tx.set_meta(META_SCHEMA, Some(&to.to_be_bytes()))
            })?,
            Work::SharedRows => sharing::share_rows(store, *to)?,
            Work::Steps(derivation) => {
                let position = position(stopped.as_deref().filter(|_| is_stopped))?;
                let Derivation { table, step } = **derivation;
                in_steps(store, *to, table, position, progress, move |tx, before| {
                    let after = before.last.as_slice().try_into().map_or(0, u64::from_be_bytes);
                    let next = step(tx, after)?;
                    Ok(next.map(|(records, last)| Position {
                        done: before.done + records,
                        last: last.to_be_bytes().to_vec(),
                    }))
                })?;
            }
        }
    }
    Ok(())
}

/// The place at which a migration goes on: the beginning, unless it was stopped.
fn position(stopped: Option<&[u8]>) -> Result<Position, StoreError> {
    let Some(bytes) = stopped else { return Ok(Position::default()) };
    let reason = || format!("{META_CONVERSION} is too short");
    Position::from_bytes(bytes).ok_or_else(|| StoreError::Corrupt { table: "meta", reason: reason() })
}

/// Walks the records of a table behind a position in steps, each of which notes how far it came.
fn in_steps(
    store: &Store,
    to: u32,
    table: &'static str,
    mut position: Position,
    progress: &mut dyn FnMut(String),
    step: impl Fn(&mut WriteTx<'_>, &Position) -> Result<Option<Position>, StoreError> + Copy + Send + 'static,
) -> Result<(), StoreError> {
    let total = store.read()?.record_count(table)?;
    let mut told = position.done * 10 / total.max(1);
    loop {
        let before = position.clone();
        let next = store.write_blocking(move |tx| {
            let next = step(tx, &before)?;
            tx.set_meta(META_CONVERSION, next.as_ref().map(Position::to_bytes).as_deref())?;
            tx.set_meta(META_SCHEMA, Some(&to.to_be_bytes()))?;
            Ok::<_, StoreError>(next)
        })?;
        let Some(next) = next else { return Ok(()) };
        position = next;
        let tenths = position.done * 10 / total.max(1);
        if told < tenths {
            told = tenths;
            progress(format!("{} of {total} records of {table} are done", position.done));
        }
    }
}

/// The fingerprint of all indexes.
fn indexes() -> Result<String, StoreError> {
    ENTITIES.iter().map(store::fingerprint).collect()
}

/// The fingerprint of an entity's indexes in that of all.
fn fingerprint_in<'text>(all: &'text str, entity: &EntityInfo) -> Option<&'text str> {
    let first = format!("rows {} ", entity.name);
    let start = if all.starts_with(&first) { 0 } else { all.find(&format!("\n{first}"))? + 1 };
    let length = all[start..].find("\nrows ").map_or(all.len() - start, |end| end + 1);
    Some(&all[start..start + length])
}

/// Rebuilds the derived rows of each entity the fingerprint of whose indexes has changed since they were written.
fn rebuild_changed_indexes(store: &Store, progress: &mut dyn FnMut(String)) -> Result<(), StoreError> {
    let (wanted, found) = (indexes()?, store.read()?.meta(META_INDEXES)?.unwrap_or_default());
    if found == wanted.as_bytes() {
        return Ok(());
    }
    let found = String::from_utf8_lossy(&found);
    let is_changed = |entity: &&EntityInfo| fingerprint_in(&found, entity) != fingerprint_in(&wanted, entity);
    progress("Rebuilding the indexes of the data file".to_owned());
    // A program to which these indexes belonged must not take them for whole, if it is started after an interruption.
    store.write_blocking(|tx| tx.set_meta(META_INDEXES, None))?;
    ENTITIES.iter().filter(is_changed).try_for_each(|entity| (entity.rebuild)(store).map(drop))?;
    store.write_blocking(move |tx| tx.set_meta(META_INDEXES, Some(wanted.as_bytes())))
}

fn read_secrets(store: &Store) -> Result<LinkSecrets, StoreError> {
    let tx = store.read()?;
    let current = tx.meta(META_SECRET)?.unwrap_or_default();
    let old = tx.meta(META_OLD_SECRETS)?.unwrap_or_default();
    let reason = "the secrets of links have a wrong length".to_owned();
    LinkSecrets::from_bytes(&current, &old).ok_or(StoreError::Corrupt { table: "meta", reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{Account, AccountId, Banner};
    use crate::schema::BANNER_BY_DUE;
    use crate::secret::Purpose;
    use crate::store::Key;

    fn open_in(folder: &Path) -> Result<Opened, OpenError> {
        let mut upgrade =
            Upgrade { now: Timestamp::from_ms(5), verify: |_, _| Ok(Vec::new()), progress: &mut |_| () };
        open(folder, StoreOptions::default(), &Secrets::system(), &mut upgrade)
    }

    #[test]
    fn a_new_file_is_made_for_its_owner_alone_and_keeps_its_secret() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("a/b");
        let first = open_in(&data).unwrap();
        let token = first.signer.token(Purpose::Bounce, [1, 2]);
        first.store.close_blocking();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&data), mode(&data.join(FILE_NAME))), (0o700, 0o600));

        let second = open_in(&data).unwrap();
        assert_eq!(second.signer.open(Purpose::Bounce, &token), Some([1, 2]));
    }

    #[test]
    fn a_file_of_a_newer_program_is_refused_with_a_clear_word() {
        let folder = tempfile::tempdir().unwrap();
        let opened = open_in(folder.path()).unwrap();
        let newer = (SCHEMA + 1).to_be_bytes();
        opened.store.write_blocking(move |tx| tx.set_meta(META_SCHEMA, Some(&newer))).unwrap();
        opened.store.close_blocking();
        let refusal = open_in(folder.path()).unwrap_err().to_string();
        for words in [
            format!("has schema {}, made by a newer crier", SCHEMA + 1),
            format!("knows schemas up to {SCHEMA}"),
        ] {
            assert!(refusal.contains(&words), "{refusal}");
        }
    }

    #[test]
    fn the_images_that_accounts_named_before_schema_5_are_to_be_fetched() {
        let folder = tempfile::tempdir().unwrap();
        let opened = open_in(folder.path()).unwrap();
        let named = |number, image: Option<&str>| {
            let mut account = Account::new(AccountId(number), format!("a{number}"), Timestamp::from_ms(1));
            account.settings.custom_image = image.map(str::to_owned);
            account
        };
        let accounts = [named(1, None), named(2, Some("https://example.org/a.png"))];
        let made = opened.store.write_blocking(move |tx| {
            accounts.iter().try_for_each(|account| tx.put(account))?;
            tx.set_meta(META_SCHEMA, Some(&4_u32.to_be_bytes()))
        });
        made.unwrap();
        opened.store.close_blocking();
        let opened = open_in(folder.path()).unwrap();
        let due = opened.store.read().unwrap().page(&BANNER_BY_DUE, &Key::new().into(), 10).unwrap();
        let expected =
            Banner::new(AccountId(2), "https://example.org/a.png".to_owned(), Timestamp::from_ms(0));
        assert_eq!(due, [expected]);
    }

    #[test]
    fn a_number_that_is_damaged_stops_the_step_to_schema_2_before_anything_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        open_in(folder.path()).unwrap().store.close_blocking();
        let table = |name| redb::TableDefinition::<&[u8], &[u8]>::new(name);
        let file = redb::Database::open(folder.path().join(FILE_NAME)).unwrap();
        let tx = file.begin_write().unwrap();
        let put = |name, key: &str, value: &[u8]| {
            tx.open_table(table(name)).unwrap().insert(key.as_bytes(), value).map(drop).unwrap();
        };
        put("meta", META_SCHEMA, &1_u32.to_be_bytes());
        put("sequence", "list", &7_u64.to_be_bytes());
        put("message.count", "x", b"torn");
        tx.commit().unwrap();
        drop(file);
        for _ in 0..2 {
            let refusal = open_in(folder.path()).unwrap_err().to_string();
            assert!(refusal.contains("message.count") && refusal.contains("8 bytes"), "{refusal}");
        }
        let file = redb::Database::open(folder.path().join(FILE_NAME)).unwrap();
        let tx = redb::ReadableDatabase::begin_read(&file).unwrap();
        let kept = tx.open_table(table("sequence")).unwrap().get(b"list".as_slice()).unwrap();
        assert_eq!(kept.unwrap().value(), 7_u64.to_be_bytes());
    }

    #[test]
    fn an_empty_file_is_not_taken_for_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), b"").unwrap();
        let refusal = open_in(folder.path()).unwrap_err().to_string();
        assert!(refusal.contains("crier.redb") && refusal.contains("it is empty"), "{refusal}");
        assert_eq!(std::fs::metadata(folder.path().join(FILE_NAME)).unwrap().len(), 0);
    }

    #[test]
    fn a_file_in_use_is_named_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let _first = open_in(folder.path()).unwrap();
        let refusal = open_in(folder.path()).unwrap_err().to_string();
        assert!(refusal.contains("crier.redb") && refusal.contains("in use by another process"), "{refusal}");
    }

    /// The rows of an index in a file.
    fn row_count(store: &Store, index: &'static str) -> u64 {
        store.read().unwrap().record_count(index).unwrap()
    }

    #[test]
    fn indexes_of_another_version_are_rebuilt_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let opened = open_in(folder.path()).unwrap();
        let banner = Banner::new(AccountId(2), "https://example.org/a.png".to_owned(), Timestamp::from_ms(0));
        let account = Account::new(AccountId(2), "a".to_owned(), Timestamp::from_ms(0));
        let older = indexes().unwrap().replace("rows banner ", "rows banner older ");
        let made = opened.store.write_blocking(move |tx| {
            tx.overwrite(&banner)?;
            tx.overwrite(&account)?;
            tx.set_meta(META_INDEXES, Some(older.as_bytes()))
        });
        made.unwrap();
        opened.store.close_blocking();
        let opened = open_in(folder.path()).unwrap();
        let rows = ["banner.by_due", "account.by_name"].map(|index| row_count(&opened.store, index));
        assert_eq!(rows, [1, 0]);
        let found = opened.store.read().unwrap().meta(META_INDEXES).unwrap();
        assert_eq!(found, Some(indexes().unwrap().into_bytes()));

        opened.store.write_blocking(|tx| tx.set_meta(META_INDEXES, None)).unwrap();
        opened.store.close_blocking();
        let opened = open_in(folder.path()).unwrap();
        assert_eq!(row_count(&opened.store, "account.by_name"), 1);
    }
}
