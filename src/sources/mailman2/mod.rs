//! Lists of Mailman 2: the `config.pck` of each, and the archive that stands beside it.
//!
//! [`find`] says which lists there are below what was named, [`read`] reads one. The file is a pickle of Python, of which
//! nothing is executed ([`pickle`]); its settings become ours by a table ([`settings`]). Passwords are dropped.

mod config;
mod pickle;
mod posting;
mod settings;
mod texts;

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::SourceList;
use crate::mail::charset::Charset;
use config::Config;
pub use pickle::PickleError;

/// The name of the file that has the settings of a list.
pub const CONFIG_FILE: &str = "config.pck";
/// The list that Mailman needs for itself.
const OWN_LIST: &str = "mailman";
/// Most lists of a folder.
const LISTS_MAX: usize = 10_000;

/// A list that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundList {
    /// Its settings.
    pub config: PathBuf,
    /// The list that Mailman needs for itself, which nobody else does.
    pub is_own: bool,
}

/// Why a list cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Mailman2Error {
    /// There is no list.
    #[error(
        "{0}: there is no list of Mailman 2 here; name a config.pck, the folder of a list, or the folder that has lists \
         and archives"
    )]
    NoList(String),
    /// A list of a version before 2.1.
    #[error(
        "{0}: this is a list of a version before 2.1, whose file is config.db: have Mailman 2.1 convert it first"
    )]
    TooOld(String),
    /// A file cannot be read.
    #[error("{path}: it cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is none of Mailman.
    #[error("{path}: {error}")]
    Pickle {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: PickleError,
    },
    /// The file has no list.
    #[error("{0}: it has no settings of a list of Mailman 2")]
    NotAList(String),
    /// There is no such character set.
    #[error("--charset: there is no character set {0}")]
    Charset(String),
}

fn unreadable(path: &Path, error: std::io::Error) -> Mailman2Error {
    Mailman2Error::Unreadable { path: path.display().to_string(), error }
}

/// Whether a path has lists of Mailman 2, by the names of what is there.
#[must_use]
pub fn is_here(path: &Path) -> bool {
    if path.is_dir() {
        path.join(CONFIG_FILE).is_file() || find(path).is_ok()
    } else {
        path.file_name().is_some_and(|name| name == CONFIG_FILE)
    }
}

/// The lists of a `config.pck`, of the folder of a list, of a folder with such folders, or of the folder that has these
/// as `lists`.
///
/// # Errors
/// If there is none.
pub fn find(path: &Path) -> Result<Vec<FoundList>, Mailman2Error> {
    let found = |config: PathBuf| {
        let name = config.parent().and_then(Path::file_name);
        let is_own = name.is_some_and(|name| name == OWN_LIST);
        FoundList { config, is_own }
    };
    let metadata = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    if !metadata.is_dir() {
        return Ok(vec![found(path.to_owned())]);
    }
    if path.join(CONFIG_FILE).is_file() {
        return Ok(vec![found(path.join(CONFIG_FILE))]);
    }
    if path.join("config.db").is_file() {
        return Err(Mailman2Error::TooOld(path.display().to_string()));
    }
    let lists = path.join("lists");
    let folder = if lists.is_dir() { lists } else { path.to_owned() };
    let mut configs = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
        let config = entry.map_err(|error| unreadable(&folder, error))?.path().join(CONFIG_FILE);
        if config.is_file() && configs.len() < LISTS_MAX {
            configs.push(config);
        }
    }
    if configs.is_empty() {
        return Err(Mailman2Error::NoList(path.display().to_string()));
    }
    configs.sort();
    Ok(configs.into_iter().map(found).collect())
}

/// Reads a list, and looks for its archive. Texts are in `charset`, or in that of the list's language.
///
/// # Errors
/// If the file cannot be read, or is none of Mailman 2.
pub fn read(found: &FoundList, charset: Option<&str>) -> Result<SourceList, Mailman2Error> {
    if let Some(name) = charset.filter(|name| Charset::named(name).is_none()) {
        return Err(Mailman2Error::Charset(name.to_owned()));
    }
    let path = &found.config;
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let (mut bytes, limit) = (Vec::new(), pickle::BYTES_MAX as u64 + 1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| unreadable(path, error))?;
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default();
    let mut list = list_of(&bytes, folder, charset).map_err(|error| match error {
        ConfigError::Pickle(error) => Mailman2Error::Pickle { path: path.display().to_string(), error },
        ConfigError::NotAList => Mailman2Error::NotAList(path.display().to_string()),
    })?;
    beside(&mut list, path, folder);
    Ok(list)
}

/// Why bytes are no list.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ConfigError {
    Pickle(PickleError),
    NotAList,
}

/// The list in the bytes of a `config.pck` whose folder has this name.
pub(super) fn list_of(bytes: &[u8], folder: &str, charset: Option<&str>) -> Result<SourceList, ConfigError> {
    let pickles = pickle::read(bytes).map_err(ConfigError::Pickle)?;
    let config = Config::new(&pickles, charset).ok_or(ConfigError::NotAList)?;
    Ok(settings::list(&config, folder))
}

/// Finds the archive of a list, whose folder is `lists/NAME`: the mailbox in `archives/private/NAME.mbox`, and the pages
/// in `archives/private/NAME`.
fn beside(list: &mut SourceList, config: &Path, folder: &str) {
    let Some(root) = config.parent().and_then(Path::parent).and_then(Path::parent) else { return };
    let private = root.join("archives").join("private");
    let mailbox = private.join(format!("{folder}.mbox")).join(format!("{folder}.mbox"));
    if mailbox.is_file() {
        list.archives
            .push(super::SourceArchive { path: mailbox, quoting: crate::mail::mbox::Quoting::Mboxo });
    }
    let pages = private.join(folder);
    if has_pages(&pages) {
        list.old_pages.push(pages);
    }
}

/// Whether a folder has pages of pipermail: in a folder for each volume, with numbers as names.
fn has_pages(folder: &Path) -> bool {
    let Ok(volumes) = fs::read_dir(folder) else { return false };
    let is_page = |name: &str| name.strip_suffix(".html").is_some_and(|number| number.parse::<u32>().is_ok());
    volumes.flatten().any(|volume| {
        fs::read_dir(volume.path()).is_ok_and(|mut pages| {
            pages.any(|page| page.is_ok_and(|page| page.file_name().to_str().is_some_and(is_page)))
        })
    })
}

#[cfg(test)]
mod tests;
