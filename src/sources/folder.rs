//! Reads the files of a list's folder within limits, and never one that lies outside of it.
//!
//! Whoever wrote the files of a list may have put links, pipes or endless files among them. A link is followed only to a
//! place in the same folder, only plain files are opened, and each has a largest size.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use super::SourceArchive;
use crate::clock::Timestamp;
use crate::mail::mbox::Quoting;

/// Largest file of one setting or text, in bytes.
pub(super) const TEXT_BYTES_MAX: u64 = 1 << 20;
/// Largest file of people, in bytes: some two million of them.
pub(super) const PEOPLE_BYTES_MAX: u64 = 256 << 20;
/// Most entries of a folder that are looked at.
const ENTRIES_MAX: usize = 2_000_000;

/// A folder whose files are read.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    path: PathBuf,
    /// Where it is, with all links followed.
    real: PathBuf,
    charset: Option<&'static Encoding>,
}

impl Folder {
    /// Opens a folder whose texts are in a charset: in UTF-8, else Latin-1, if none is named.
    ///
    /// # Errors
    /// In words, if it is no folder that can be read.
    pub(super) fn open(path: &Path, charset: Option<&'static Encoding>) -> Result<Folder, String> {
        let unreadable = |error| format!("{} cannot be read: {error}", path.display());
        let real = fs::canonicalize(path).map_err(unreadable)?;
        if !real.is_dir() {
            return Err(format!("{} is no folder", path.display()));
        }
        Ok(Folder { path: path.to_owned(), real, charset })
    }

    /// The path as it was given.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The last part of the real path.
    pub(super) fn name(&self) -> String {
        self.real.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The folder above.
    pub(super) fn parent(&self) -> Option<&Path> {
        self.real.parent()
    }

    /// Where an entry is, with all links followed; `None` if there is none in this folder.
    fn real_path(&self, name: &str) -> Option<PathBuf> {
        let real = fs::canonicalize(self.real.join(name)).ok()?;
        real.starts_with(&self.real).then_some(real)
    }

    /// Whether there is a plain file of a name.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.real_path(name).is_some_and(|path| path.is_file())
    }

    /// Whether there is a folder of a name.
    pub(super) fn has_folder(&self, name: &str) -> bool {
        self.real_path(name).is_some_and(|path| path.is_dir())
    }

    /// A folder in this one; `None` if there is none.
    pub(super) fn folder(&self, name: &str) -> Option<Folder> {
        let real = self.real_path(name).filter(|path| path.is_dir())?;
        Some(Folder { path: self.path.join(name), real, charset: self.charset })
    }

    /// The bytes of a file; `None` if there is none.
    ///
    /// # Errors
    /// In words, if it cannot be read or has more than `bytes_max` bytes.
    pub(super) fn bytes(&self, name: &str, bytes_max: u64) -> Result<Option<Vec<u8>>, String> {
        let Some(path) = self.real_path(name).filter(|path| path.is_file()) else { return Ok(None) };
        let shown = self.path.join(name);
        let unreadable = |error| format!("{} cannot be read: {error}", shown.display());
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes_max < bytes.len() as u64 {
            return Err(format!("{} has more than {bytes_max} bytes", shown.display()));
        }
        Ok(Some(bytes))
    }

    /// The text of a small file; `None` if there is none.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, String> {
        Ok(self.bytes(name, TEXT_BYTES_MAX)?.map(|bytes| self.decode(&bytes)))
    }

    /// The text of a file of people; `None` if there is none.
    pub(super) fn people(&self, name: &str) -> Result<Option<String>, String> {
        Ok(self.bytes(name, PEOPLE_BYTES_MAX)?.map(|bytes| self.decode(&bytes)))
    }

    /// The names of the files in this folder in their order, without hidden ones; files in folders are not among them.
    pub(super) fn files(&self) -> Result<Vec<String>, String> {
        self.entries(Path::is_file)
    }

    /// The names of the folders in this folder in their order, without hidden ones.
    pub(super) fn folders(&self) -> Result<Vec<String>, String> {
        self.entries(Path::is_dir)
    }

    fn entries(&self, is_wanted: impl Fn(&Path) -> bool) -> Result<Vec<String>, String> {
        let unreadable = |error| format!("{} cannot be read: {error}", self.path.display());
        let mut names = Vec::new();
        for (number, entry) in fs::read_dir(&self.real).map_err(unreadable)?.enumerate() {
            if ENTRIES_MAX <= number {
                return Err(format!("{} has more than {ENTRIES_MAX} entries", self.path.display()));
            }
            let entry = entry.map_err(unreadable)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_link = entry.file_type().map_err(unreadable)?.is_symlink();
            let path = if is_link { self.real_path(&name) } else { Some(entry.path()) };
            if !name.starts_with('.') && path.is_some_and(|path| is_wanted(&path)) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// The files whose names are numbers, in the order of these.
    pub(super) fn numbered(&self) -> Result<Vec<PathBuf>, String> {
        let number = |name: &String| name.strip_suffix(".eml").unwrap_or(name).parse::<u64>().ok();
        let mut found: Vec<(u64, String)> =
            self.files()?.into_iter().filter_map(|name| Some((number(&name)?, name))).collect();
        found.sort();
        Ok(found.into_iter().map(|(_, name)| self.real.join(name)).collect())
    }

    /// The same as an archive with a message a file.
    pub(super) fn messages(&self) -> Result<Vec<SourceArchive>, String> {
        let archive = |path| SourceArchive { path, quoting: Quoting::None };
        Ok(self.numbered()?.into_iter().map(archive).collect())
    }

    /// The text of bytes.
    pub(super) fn decode(&self, bytes: &[u8]) -> String {
        if let Some(charset) = self.charset {
            return charset.decode(bytes).0.into_owned();
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => bytes.split_inclusive(|byte| *byte == b'\n').map(line).collect(),
        }
    }
}

/// The time that a number of seconds since 1970 says.
pub(super) fn seconds(digits: &str) -> Option<Timestamp> {
    let seconds: i64 = digits.parse().ok().filter(|seconds| (1..=253_402_300_799).contains(seconds))?;
    Some(Timestamp::from_ms(seconds * 1000))
}

/// A line in UTF-8, else Latin-1: files to which programs have added for years have lines of both.
fn line(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("list");
        fs::create_dir_all(inside.join("control")).unwrap();
        fs::write(dir.path().join("secret"), "x").unwrap();
        fs::write(inside.join("control/prefix"), "[a]").unwrap();
        symlink(dir.path().join("secret"), inside.join("stolen")).unwrap();
        symlink(dir.path(), inside.join("above")).unwrap();
        symlink("control/prefix", inside.join("near")).unwrap();
        let folder = Folder::open(&inside, None).unwrap();
        assert_eq!(folder.text("stolen"), Ok(None));
        assert_eq!(folder.text("../secret"), Ok(None));
        assert!(folder.folder("above").is_none());
        assert_eq!(folder.text("near"), Ok(Some("[a]".to_owned())));
        assert_eq!(folder.files(), Ok(vec!["near".to_owned()]));
        assert_eq!(folder.folders(), Ok(vec!["control".to_owned()]));
    }

    #[test]
    fn a_file_that_is_too_large_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "12345").unwrap();
        let folder = Folder::open(dir.path(), None).unwrap();
        assert!(folder.bytes("a", 4).unwrap_err().contains("more than 4 bytes"));
        assert_eq!(folder.bytes("a", 5), Ok(Some(b"12345".to_vec())));
    }

    #[test]
    fn texts_are_utf_8_line_by_line_or_latin_1_or_what_was_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path(), None).unwrap();
        assert_eq!(folder.decode(b"\xef\xbb\xbfa"), "a");
        assert_eq!(folder.decode(b"\xc3\xa9\n\xe9\n"), "\u{e9}\n\u{e9}\n");
        let named = Folder::open(dir.path(), Some(encoding_rs::KOI8_R)).unwrap();
        assert_eq!(named.decode(b"\xc1"), "\u{430}");
    }

    #[test]
    fn numbered_files_are_in_the_order_of_their_numbers() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["10", "9", "2.eml", "index", "x3"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let found = Folder::open(dir.path(), None).unwrap().numbered().unwrap();
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["2.eml", "9", "10"]);
    }
}
