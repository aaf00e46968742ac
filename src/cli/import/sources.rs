//! Finds and reads what `crier import mbox` is given: mailbox files, compressed or not, Maildirs, single messages, and
//! folders of them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::zips::{self, Entry};
use crate::cli::Failure;
use crate::clock::Timestamp;
use crate::control::import::mails::MESSAGE_BYTES_MAX;
use crate::mail::mbox::{self, BEGINNING_BYTES, Beginning, Piece, Quoting, Separator, Splitter};
use crate::model::EmailAddress;
use crate::model::old_place::MONTHS;

/// Bytes that are read at a time.
const BUFFER_BYTES: usize = 256 << 10;
/// How deep folders of mailboxes may lie in one another.
const DEPTH_MAX: usize = 4;
/// Most mailboxes in folders.
const SOURCES_MAX: usize = 100_000;
/// Most mailboxes in a zip.
const IN_ZIP_MAX: usize = 1000;
/// Endings of the names of mailboxes in a zip.
const MAILBOX_ENDINGS: [&str; 5] = [".mbox", ".mbx", ".mbox.gz", ".txt.gz", ".eml"];
/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// The form of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Mailbox,
    Message,
    Maildir,
    /// Standard input, or a pipe: it can be read only once.
    Stream,
}

/// Something to read messages from.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    /// The file in the zip of this path.
    entry: Option<Entry>,
    form: Form,
    size_bytes: u64,
}

/// The sources that were found, and what was passed over or cannot be read.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) all: Vec<Source>,
    /// Files in folders that are no mailboxes.
    pub(super) passed_over: Vec<(PathBuf, String)>,
    /// The named paths that are no sources, each with the reason.
    pub(super) problems: Vec<String>,
}

/// A part of a source.
#[derive(Debug)]
pub(super) enum Found {
    /// A message, and where it stands.
    Mail { place: String, separator: Separator, bytes: Vec<u8> },
    /// Something that is no message, and why.
    Bad { place: String, reason: String },
    /// A line that may begin a message, but was taken for text.
    Doubtful { place: String },
}

impl Sources {
    /// Looks at everything that was named, without reading more than the beginnings.
    pub(super) fn find(paths: &[PathBuf]) -> Sources {
        Sources::find_up_to(SOURCES_MAX, paths)
    }

    fn find_up_to(most: usize, paths: &[PathBuf]) -> Sources {
        let mut found = Sources::default();
        for path in paths {
            if path.as_os_str() == "-" {
                found.all.push(Source { path: path.clone(), entry: None, form: Form::Stream, size_bytes: 0 });
                continue;
            }
            let (before, passed_over) = (found.all.len(), found.passed_over.len());
            match look_at(path) {
                Ok(Look::Folder) => {
                    found.enter(path, 0, most);
                    if found.all.len() == before {
                        let mut problem = format!("{}: there is no mailbox in this folder", path.display());
                        if let Some((file, reason)) = found.passed_over.get(passed_over) {
                            problem = format!("{problem}; {} is passed over: {reason}", file.display());
                        }
                        found.problems.push(problem);
                    }
                }
                Ok(Look::Source(source)) => found.all.push(source),
                Ok(Look::Zip(sources)) => found.all.extend(sources),
                Err(reason) => found.problems.push(format!("{}: {reason}", path.display())),
            }
        }
        found
    }

    /// Adds the mailboxes of a folder, up to `most` in all.
    fn enter(&mut self, folder: &Path, depth: usize, most: usize) {
        let mut paths: Vec<PathBuf> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) => {
                return self.passed_over.push((folder.to_owned(), format!("it cannot be read: {error}")));
            }
        };
        paths.sort_by_cached_key(|path| month_of(path));
        for path in paths {
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
                continue;
            }
            if most <= self.all.len() {
                let reason = format!(
                    "one import takes {most} files at most: import {} and what comes behind it by another command",
                    path.display()
                );
                return self.passed_over.push((folder.to_owned(), reason));
            }
            match look_at(&path) {
                Ok(Look::Source(source)) => self.all.push(source),
                Ok(Look::Zip(sources)) => self.all.extend(sources),
                Ok(Look::Folder) if depth < DEPTH_MAX => self.enter(&path, depth + 1, most),
                Ok(Look::Folder) => self.passed_over.push((
                    path,
                    format!("it lies more than {DEPTH_MAX} folders deep: name it to import it"),
                )),
                Err(reason) => self.passed_over.push((path, reason)),
            }
        }
    }

    /// Passes over what is no source, where others are.
    pub(super) fn pass_over_problems(&mut self) {
        for problem in self.problems.drain(..) {
            let (path, reason) = problem.split_once(": ").unwrap_or((&problem, "it cannot be read"));
            self.passed_over.push((PathBuf::from(path), reason.to_owned()));
        }
    }

    /// The groups of Google whose archives are among the sources.
    pub(super) fn groups(&self) -> Vec<String> {
        let groups: BTreeSet<String> = self.all.iter().filter_map(Source::group).collect();
        groups.into_iter().collect()
    }

    /// Keeps the archive of one group of Google: that of this address, or the only one. Sources that belong to none stay
    /// if there is no group at all.
    pub(super) fn keep_group(&mut self, wanted: Option<&str>) {
        let groups = self.groups();
        let names = || groups.join(", ");
        let wanted = match wanted.map(str::to_lowercase) {
            None if groups.len() < 2 => return,
            None => {
                return self.problems.push(format!(
                    "these are the archives of several groups: {}; say which with --group ADDRESS",
                    names()
                ));
            }
            Some(wanted) if groups.contains(&wanted) => wanted,
            Some(wanted) => {
                let there = if groups.is_empty() {
                    "there is none".to_owned()
                } else {
                    format!("there are {}", names())
                };
                return self.problems.push(format!("there is no archive of the group {wanted}: {there}"));
            }
        };
        self.all.retain(|source| source.group().as_ref() == Some(&wanted));
    }

    /// Bytes of all sources, as they lie on the disk; `None` if one has no size.
    pub(super) fn size_bytes(&self) -> Option<u64> {
        let is_known = self.all.iter().all(|source| source.form != Form::Stream);
        is_known.then(|| self.all.iter().map(|source| source.size_bytes).sum())
    }
}

enum Look {
    Folder,
    Source(Source),
    Zip(Vec<Source>),
}

/// Tells what a path is.
fn look_at(path: &Path) -> Result<Look, String> {
    let unreadable = |error: io::Error| format!("it cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    let source =
        |form, size_bytes| Look::Source(Source { path: path.to_owned(), entry: None, form, size_bytes });
    if metadata.is_dir() {
        let is_maildir = path.join("cur").is_dir() || path.join("new").is_dir();
        if !is_maildir {
            return Ok(Look::Folder);
        }
        let sizes = maildir_files(path).map_err(unreadable)?;
        let sizes = sizes.iter().filter_map(|file| fs::metadata(file).ok()).map(|metadata| metadata.len());
        return Ok(source(Form::Maildir, sizes.sum()));
    }
    if !metadata.is_file() {
        return Ok(source(Form::Stream, 0));
    }
    let mut head = Vec::new();
    let reader = open(path, &Rc::default()).map_err(unreadable)?;
    let read = reader.take(BEGINNING_BYTES as u64).read_to_end(&mut head);
    // A file that ends in the middle gives what it has.
    if head.is_empty() {
        read.map_err(unreadable)?;
    }
    if zips::is_zip(&head) {
        return mailboxes_in(path).map(Look::Zip);
    }
    match mbox::beginning(&head) {
        Beginning::Mailbox | Beginning::Blank => Ok(source(Form::Mailbox, metadata.len())),
        Beginning::Message => Ok(source(Form::Message, metadata.len())),
        Beginning::Other => Err(what_else(&head)),
    }
}

/// The mailboxes and messages in a zip. Their names have many languages (`topics.mbox`, `temas.mbox`), so that each file
/// is looked at whose name ends as theirs do.
fn mailboxes_in(path: &Path) -> Result<Vec<Source>, String> {
    let is_named_so = |entry: &Entry| {
        let name = entry.name.to_ascii_lowercase();
        MAILBOX_ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    let mut found = Vec::new();
    for entry in zips::entries(path)?.into_iter().filter(is_named_so) {
        if IN_ZIP_MAX <= found.len() {
            return Err(format!("it has more than {IN_ZIP_MAX} mailboxes: unpack it, and name its folder"));
        }
        let head = zips::read(path, &entry, |reader| {
            let mut head = Vec::new();
            let mut reader = unpacked(reader, &Rc::default())?;
            let read = (&mut reader).take(BEGINNING_BYTES as u64).read_to_end(&mut head);
            if head.is_empty() { read.map(|_| head) } else { Ok(head) }
        })?;
        let head = head.map_err(|error| format!("{} in it cannot be read: {error}", entry.name))?;
        let form = match mbox::beginning(&head) {
            Beginning::Mailbox | Beginning::Blank => Form::Mailbox,
            Beginning::Message => Form::Message,
            Beginning::Other => continue,
        };
        let size_bytes = entry.size_bytes;
        found.push(Source { path: path.to_owned(), entry: Some(entry), form, size_bytes });
    }
    if found.is_empty() {
        return Err("there is no mailbox in this zip".to_owned());
    }
    Ok(found)
}

/// Says what a file is that is no mailbox, and what to do with it.
fn what_else(head: &[u8]) -> String {
    let packed = |name: &str| format!("it is a {name} archive: unpack it, and name the mailboxes in it");
    let is_tar = head.get(257..262) == Some(b"ustar".as_slice());
    match head {
        _ if is_tar => packed("tar"),
        [b'B', b'Z', b'h', ..] => "it is compressed with bzip2: unpack it first".to_owned(),
        [0xfd, b'7', b'z', ..] => "it is compressed with xz: unpack it first".to_owned(),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "it is compressed with zstd: unpack it first".to_owned(),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is a text in UTF-16, and no mailbox".to_owned(),
        _ => "it is no mailbox: an mbox begins with a line such as From ada@example.org Mon Jan  1 15:04:05 2001, and a \
              Maildir has a folder cur or new"
            .to_owned(),
    }
}

/// The files of a Maildir, in the order in which they were delivered.
fn maildir_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for part in ["cur", "new"] {
        let part = folder.join(part);
        if part.is_dir() {
            for entry in fs::read_dir(part)? {
                files.push(entry?.path());
            }
        }
    }
    files.retain(|file| {
        file.is_file() && !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
    });
    files.sort_by_cached_key(|file| (delivered(file), file.file_name().map(ToOwned::to_owned)));
    Ok(files)
}

/// The time in the name of a file of a Maildir: `1204680122.27c448.host:2,S`.
fn delivered(file: &Path) -> Option<Timestamp> {
    let name = file.file_name()?.to_string_lossy();
    let seconds: i64 = name.split('.').next()?.parse().ok()?;
    seconds.checked_mul(1000).filter(|ms| 0 < *ms).map(Timestamp::from_ms)
}

/// Orders files by the month in their names, `2019-January.txt.gz`, and others by name.
fn month_of(path: &Path) -> (String, usize, PathBuf) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let of_month = name.split_once('-').and_then(|(year, rest)| {
        let month = MONTHS.iter().position(|month| rest.starts_with(month))?;
        Some((year.to_owned(), month + 1))
    });
    let (first, month) = of_month.unwrap_or((name, 0));
    (first, month, path.to_owned())
}

/// A reader that counts what is read.
struct Counted<R> {
    reader: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes.set(self.bytes.get() + count as u64);
        Ok(count)
    }
}

/// Opens a file, and unpacks it if it is compressed; `position` counts the bytes of the file itself.
fn open(path: &Path, position: &Rc<Cell<u64>>) -> io::Result<Box<dyn Read>> {
    unpacked(File::open(path)?, position)
}

fn unpacked<'a>(reader: impl Read + 'a, position: &Rc<Cell<u64>>) -> io::Result<Box<dyn Read + 'a>> {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, Counted { reader, bytes: Rc::clone(position) });
    let mut magic = Vec::new();
    (&mut reader).take(GZIP.len() as u64).read_to_end(&mut magic)?;
    let is_packed = magic == GZIP;
    let whole = io::Cursor::new(magic).chain(reader);
    Ok(if is_packed { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) })
}

impl Source {
    /// Its name for people.
    pub(super) fn name(&self) -> String {
        match &self.entry {
            Some(entry) => format!("{} in {}", entry.name, self.path.display()),
            None if self.path.as_os_str() == "-" => "standard input".to_owned(),
            None => self.path.display().to_string(),
        }
    }

    /// The group whose archive it is: the last of its folders that is an address, as Google's are.
    fn group(&self) -> Option<String> {
        let inside = self.entry.as_ref().map(|entry| PathBuf::from(&entry.name));
        let path = inside.as_deref().unwrap_or(&self.path).parent()?;
        let mut folders =
            path.components().rev().map(|part| part.as_os_str().to_string_lossy().to_lowercase());
        folders.find(|name| EmailAddress::parse(name).is_ok())
    }

    /// Its bytes on the disk.
    pub(super) fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Hands every message to `each`, with the bytes that were read so far. What cannot be read further is said to
    /// `each` too.
    pub(super) fn read(
        &self,
        quoting: Quoting,
        each: &mut dyn FnMut(Found, u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(entry) = &self.entry {
            let mut done = Ok(());
            let read = zips::read(&self.path, entry, |reader| {
                let position = Rc::default();
                done = match self.form {
                    Form::Message => each(message_of(reader, "the file".to_owned(), None), self.size_bytes),
                    _ => split(unpacked(reader, &position), quoting, &position, each),
                };
            });
            return match read {
                Ok(()) => done,
                Err(reason) => {
                    each(Found::Bad { place: "the beginning".to_owned(), reason }, self.size_bytes)
                }
            };
        }
        match self.form {
            Form::Maildir => self.read_maildir(each),
            Form::Message => {
                let found = whole(&self.path, "the file".to_owned(), None);
                each(found, self.size_bytes)
            }
            Form::Mailbox | Form::Stream => {
                let position = Rc::default();
                let opened = match self.form {
                    Form::Stream if self.path.as_os_str() == "-" => unpacked(io::stdin(), &position),
                    _ => open(&self.path, &position),
                };
                split(opened, quoting, &position, each)
            }
        }
    }

    fn read_maildir(&self, each: &mut dyn FnMut(Found, u64) -> Result<(), Failure>) -> Result<(), Failure> {
        let files = match maildir_files(&self.path) {
            Ok(files) => files,
            Err(error) => return each(unreadable("the folder", &error), 0),
        };
        let mut position = 0;
        for file in files {
            position += fs::metadata(&file).map_or(0, |metadata| metadata.len());
            let place = file.strip_prefix(&self.path).unwrap_or(&file).display().to_string();
            each(whole(&file, place, delivered(&file)), position)?;
        }
        Ok(())
    }
}

/// Hands every message of a mailbox to `each`.
fn split(
    opened: io::Result<Box<dyn Read + '_>>,
    quoting: Quoting,
    position: &Rc<Cell<u64>>,
    each: &mut dyn FnMut(Found, u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut reader = match opened {
        Ok(reader) => reader,
        Err(error) => return each(unreadable("the beginning", &error), 0),
    };
    let mut splitter = Splitter::new(quoting, MESSAGE_BYTES_MAX);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut pieces = Vec::new();
    let (mut problem, mut is_sound) = (None, true);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => splitter.push(&buffer[..count], &mut |piece| pieces.push(piece)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                // What a broken zip gives for a message is none; a file that ends in the middle gives what it has.
                is_sound = error.kind() != io::ErrorKind::InvalidData;
                problem = Some(unreadable("the rest of the file", &error));
                break;
            }
        }
        for piece in pieces.drain(..) {
            each(found_of(piece), position.get())?;
        }
    }
    if is_sound {
        splitter.finish(&mut |piece| pieces.push(piece));
    }
    for piece in pieces {
        each(found_of(piece), position.get())?;
    }
    problem.map_or(Ok(()), |problem| each(problem, position.get()))
}

/// The only message of a file.
fn whole(path: &Path, place: String, delivered: Option<Timestamp>) -> Found {
    match File::open(path) {
        Ok(file) => message_of(file, place, delivered),
        Err(error) => unreadable(&place, &error),
    }
}

fn message_of(reader: impl Read, place: String, delivered: Option<Timestamp>) -> Found {
    let limit = MESSAGE_BYTES_MAX as u64 + 1;
    let mut bytes = Vec::new();
    let read = unpacked(reader, &Rc::default()).and_then(|reader| reader.take(limit).read_to_end(&mut bytes));
    match read {
        Err(error) => unreadable(&place, &error),
        Ok(_) if MESSAGE_BYTES_MAX < bytes.len() => Found::Bad { place, reason: too_large() },
        Ok(_) => {
            let separator = Separator { sender: String::new(), time: delivered };
            Found::Mail { place, separator, bytes }
        }
    }
}

fn found_of(piece: Piece) -> Found {
    let place = |at: u64| format!("byte {at}");
    match piece {
        Piece::Mail { at, separator, bytes } => Found::Mail { place: place(at), separator, bytes },
        Piece::TooLarge { at, size_bytes: _ } => Found::Bad { place: place(at), reason: too_large() },
        Piece::Doubtful { at } => Found::Doubtful { place: place(at) },
        Piece::Stray { size_bytes } => Found::Bad {
            place: "the beginning".to_owned(),
            reason: format!("{size_bytes} bytes stand before the first message, and belong to none"),
        },
    }
}

fn too_large() -> String {
    format!("it is larger than the {} MB that a message may have", MESSAGE_BYTES_MAX / 1_000_000)
}

fn unreadable(place: &str, error: &io::Error) -> Found {
    Found::Bad { place: place.to_owned(), reason: format!("it cannot be read: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_months_come_in_the_order_of_the_calendar() {
        let mut names =
            ["2019-April.txt.gz", "2019-January.txt", "index.html", "2018-December.txt", "2019-march.txt"];
        names.sort_by_key(|name| month_of(Path::new(name)));
        assert_eq!(
            names,
            ["2018-December.txt", "2019-January.txt", "2019-march.txt", "2019-April.txt.gz", "index.html"]
        );
    }

    #[test]
    fn files_beyond_the_most_that_an_import_takes_are_told() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1", "2", "3"] {
            std::fs::write(folder.path().join(name), "From: a@x.org\nSubject: tea\n\nhi\n").unwrap();
        }
        let paths = [folder.path().to_owned()];
        assert_eq!(Sources::find_up_to(3, &paths).passed_over, []);
        let found = Sources::find_up_to(2, &paths);
        let [(left, reason)] = found.passed_over.as_slice() else { panic!("{found:?}") };
        assert_eq!((found.all.len(), left), (2, &paths[0]));
        assert!(reason.starts_with("one import takes 2 files at most") && reason.contains("/3 "), "{reason}");
    }

    #[test]
    fn a_file_of_a_maildir_tells_when_it_was_delivered() {
        let seconds = |name: &str| delivered(Path::new(name)).map(Timestamp::secs);
        assert_eq!(seconds("cur/1204680122.27c448.host:2,S"), Some(1_204_680_122));
        assert_eq!(seconds("new/a.b"), None);
    }
}
