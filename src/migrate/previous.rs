//! Goes back to the data file as it was before the last upgrade, which is kept beside the newer one for a day.
//!
//! The newer file stays whole until the older one is in its place. Whatever stops the program, the folder has one whole
//! data file under the usual name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::upgrade::{NEWER_NAME, is_same, remove_leftovers, upgraded};
use super::{FILE_NAME, META_SCHEMA, PREVIOUS_NAME, read_number};
use crate::clock::Timestamp;
use crate::store::{self, HeldFile, ReadTx, Refused, Store, StoreError, StoreOptions};

/// Tables whose records are counted to say what is lost, with the word for one record and for several.
const COUNTED: [(&str, [&str; 2]); 6] = [
    ("message", ["message", "messages"]),
    ("held", ["held message", "held messages"]),
    ("contact", ["contact", "contacts"]),
    ("membership", ["membership", "memberships"]),
    ("list", ["list", "lists"]),
    ("account", ["account", "accounts"]),
];

/// The reason why there is no way back.
#[derive(Debug, thiserror::Error)]
pub enum PreviousError {
    /// Nothing is kept.
    #[error(
        "there is no {PREVIOUS_NAME} in {}: the file before an upgrade is kept for a day, and a restored one no longer",
        folder.display()
    )]
    Absent {
        /// The folder.
        folder: PathBuf,
    },
    /// A server runs on the newer file.
    #[error("a server or a command works on {}: stop it first", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The older file cannot be used.
    #[error("{} cannot be used, so nothing was changed: {error}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Its error.
        error: StoreError,
    },
    /// The file could not be put in its place.
    #[error("{} could not be put in its place: {error}", path.display())]
    Names {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

/// The file before the last upgrade, and what going back to it loses. Nobody else opens either file as long as it lives.
#[derive(Debug)]
pub struct Previous {
    /// The older file's schema.
    pub schema: Option<u32>,
    /// When the newer one was brought up to date; `None` if it does not say so, or cannot be read.
    pub upgraded: Option<Timestamp>,
    /// How many records more the newer file has, each with a word; `None` if it cannot be read.
    pub lost: Option<Vec<(u64, &'static str)>>,
    data_dir: PathBuf,
    _held: (HeldFile, Option<HeldFile>),
}

/// The facts that a file states about itself.
struct Facts {
    schema: Option<u32>,
    upgraded: Option<Timestamp>,
    counts: Vec<u64>,
}

impl Facts {
    fn read(tx: &ReadTx) -> Result<Facts, StoreError> {
        let counts = COUNTED.iter().map(|(table, _)| tx.record_count(table)).collect::<Result<_, _>>()?;
        Ok(Facts { schema: read_number(tx, META_SCHEMA)?, upgraded: upgraded(tx)?, counts })
    }
}

/// Reads the facts of a file, of which no byte changes.
fn look(path: &Path) -> Result<(Facts, HeldFile), StoreError> {
    let options = StoreOptions { reserve_bytes: 0, ..StoreOptions::default() };
    match Store::open_checked(path, options, |tx| Facts::read(tx).map(Some))? {
        Err(Refused { reason, held }) => Ok((reason, held)),
        Ok(_) => Err(StoreError::Closed),
    }
}

/// Finds the file before the last upgrade. Blocks.
pub fn find(data_dir: &Path) -> Result<Previous, PreviousError> {
    let (data, previous) = (data_dir.join(FILE_NAME), data_dir.join(PREVIOUS_NAME));
    if !previous.exists() || is_same(&data, &previous) {
        return Err(PreviousError::Absent { folder: data_dir.to_owned() });
    }
    // To look at a file that is not there would make it.
    let newer = match data.exists().then(|| look(&data)) {
        Some(Err(StoreError::Locked)) => return Err(PreviousError::InUse { path: data }),
        // That it cannot be read may be the reason to go back.
        None | Some(Err(_)) => None,
        Some(Ok(newer)) => Some(newer),
    };
    let (older, held) = look(&previous).map_err(|error| match error {
        StoreError::Locked => PreviousError::InUse { path: previous.clone() },
        error => PreviousError::Unusable { path: previous.clone(), error },
    })?;
    let (newer, newer_held) = newer.unzip();
    let lost = newer.as_ref().map(|newer| {
        let counts = COUNTED.iter().zip(newer.counts.iter().zip(&older.counts));
        let more = counts.map(|((_, words), (newer, older))| (newer.saturating_sub(*older), words));
        more.filter(|(more, _)| *more != 0)
            .map(|(more, words)| (more, words[usize::from(more != 1)]))
            .collect()
    });
    Ok(Previous {
        schema: older.schema,
        upgraded: newer.and_then(|newer| newer.upgraded),
        lost,
        data_dir: data_dir.to_owned(),
        _held: (held, newer_held),
    })
}

impl Previous {
    /// Puts the older file in the place of the newer one, and removes that.
    pub fn take_back(self) -> Result<(), PreviousError> {
        let [data, previous, newer] =
            [FILE_NAME, PREVIOUS_NAME, NEWER_NAME].map(|name| self.data_dir.join(name));
        let failed = |error| PreviousError::Names { path: previous.clone(), error };
        let unusable = |error| PreviousError::Unusable { path: previous.clone(), error };
        remove_leftovers(&self.data_dir);
        if data.exists() {
            fs::hard_link(&data, &newer).map_err(failed)?;
        }
        store::sync_folder_of(&data).map_err(unusable)?;
        fs::rename(&previous, &data).map_err(failed)?;
        store::sync_folder_of(&data).map_err(unusable)?;
        remove_leftovers(&self.data_dir);
        Ok(())
    }
}
