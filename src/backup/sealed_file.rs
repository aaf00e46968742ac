//! A file of values that only a passphrase or a key of age opens: compressed and encrypted in frames, written beside and
//! renamed.
//!
//! The file begins with [`MAGIC`], then the length and the bytes of its header, then frames: each a length and, sealed
//! under its number, values one after the other, each behind its length. A last frame says how many values there are, so
//! that a file that was cut short is not taken for a whole one. Moves of accounts are such files.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::BackupError;
use super::format::{LockedKey, decode, encode};
use super::key::KeyFile;
use super::objects::open_file;
use super::seal::{Hash, KEY_BYTES, Seal, fingerprint};
use super::single::{Draft, end_name, frame_name, read_part, write_part};
use crate::secret::{PASSPHRASE_SALT_BYTES, Secrets, passphrase_key};

/// The first bytes of such a file.
const MAGIC: &[u8; 13] = b"crier account";
/// The form of the file.
const FORMAT: u32 = 1;
/// Bytes of values after which a frame is written.
const FRAME_BYTES: usize = 1024 * 1024;
/// Most bytes of a value, and of a frame: a frame ends behind the value that fills it.
const VALUE_BYTES_MAX: usize = 20 * 1024 * 1024;
/// Most bytes of a frame, in the file and unpacked.
const PART_BYTES_MAX: u32 = 24 * 1024 * 1024;
/// How well frames are compressed.
const LEVEL: i32 = 3;
const HEADER: &str = "header";
/// Bytes of a sealed end: a number, with what the seal adds.
const END_BYTES_MAX: usize = 64;

/// What opens a file.
#[derive(Clone)]
pub enum FileKey {
    /// These words.
    Passphrase(String),
    /// An identity for one of these recipients.
    Keys(KeyFile),
}

impl std::fmt::Debug for FileKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FileKey")
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    lock: Lock,
}

/// The way to the key of the file.
#[derive(Serialize, Deserialize)]
enum Lock {
    Passphrase { salt: [u8; PASSPHRASE_SALT_BYTES], fingerprint: Hash },
    Age(LockedKey),
}

/// A file that is being written; it gets its name by [`finish`](SealedWriter::finish), and is removed without.
pub struct SealedWriter {
    path: PathBuf,
    draft: Draft,
    out: BufWriter<File>,
    seal: Seal,
    packing: zstd::bulk::Compressor<'static>,
    frame: Vec<u8>,
    frames: u64,
    values: u64,
    bytes: u64,
}

impl std::fmt::Debug for SealedWriter {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SealedWriter")
    }
}

impl SealedWriter {
    /// Begins a file at `path`, where none may be.
    ///
    /// # Errors
    /// If something is there, or the file cannot be made.
    pub fn create(path: &Path, key: &FileKey, secrets: &Secrets) -> Result<SealedWriter, BackupError> {
        if std::fs::symlink_metadata(path).is_ok() {
            return Err(told(path, "it exists already: name a new file"));
        }
        let mut file_key = [0; KEY_BYTES];
        secrets.fill(&mut file_key);
        let lock = match key {
            FileKey::Passphrase(words) => {
                let mut salt = [0; PASSPHRASE_SALT_BYTES];
                secrets.fill(&mut salt);
                file_key = passphrase_key(words, &salt);
                Lock::Passphrase { salt, fingerprint: fingerprint(&file_key) }
            }
            FileKey::Keys(keys) => Lock::Age(LockedKey {
                fingerprint: fingerprint(&file_key),
                age: keys.encrypt(&file_key, secrets)?,
                recipients: keys.recipients(),
            }),
        };
        let (draft, out) = Draft::make(path)?;
        let mut out = BufWriter::new(out);
        let header = Seal::Checksum.close(HEADER, encode(&Header { format: FORMAT, lock }));
        out.write_all(MAGIC).and_then(|()| write_part(&mut out, &header)).map_err(BackupError::file(path))?;
        let packing = zstd::bulk::Compressor::new(LEVEL).map_err(BackupError::file(path))?;
        let seal = Seal::keyed(&file_key, secrets);
        let path = path.to_owned();
        Ok(SealedWriter {
            path,
            draft,
            out,
            seal,
            packing,
            frame: Vec::new(),
            frames: 0,
            values: 0,
            bytes: 0,
        })
    }

    /// Appends a value.
    ///
    /// # Errors
    /// If the value is too large, or the file cannot be written.
    pub fn put(&mut self, value: &impl Serialize) -> Result<(), BackupError> {
        let bytes = encode(value);
        let length = u32::try_from(bytes.len()).ok().filter(|_| bytes.len() <= VALUE_BYTES_MAX);
        let length = length.ok_or_else(|| told(&self.path, "a record is too large for it"))?;
        self.frame.extend_from_slice(&length.to_le_bytes());
        self.frame.extend_from_slice(&bytes);
        self.values += 1;
        if FRAME_BYTES <= self.frame.len() { self.write_frame() } else { Ok(()) }
    }

    fn write_frame(&mut self) -> Result<(), BackupError> {
        let packed = self.packing.compress(&self.frame).map_err(BackupError::file(&self.path))?;
        self.frame.clear();
        let part = self.seal.close(&frame_name(self.frames), packed);
        self.frames += 1;
        self.write(&part)
    }

    fn write(&mut self, part: &[u8]) -> Result<(), BackupError> {
        self.bytes += part.len() as u64;
        write_part(&mut self.out, part).map_err(BackupError::file(&self.path))
    }

    /// Ends the file and gives it its name; returns its bytes.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<u64, BackupError> {
        if !self.frame.is_empty() {
            self.write_frame()?;
        }
        let end = self.seal.close(&end_name(self.frames), self.values.to_le_bytes().to_vec());
        self.write(&end)?;
        let SealedWriter { path, draft, out, bytes, .. } = self;
        let out = out.into_inner().map_err(|error| BackupError::file(&path)(error.into_error()))?;
        out.sync_all().map_err(BackupError::file(&path))?;
        draft.put_in_place(&path)?;
        Ok(bytes)
    }
}

/// A file that is being read. Values come only out of frames that are as they were written; whether the file is whole is
/// known once [`read`](SealedReader::read) has returned `None`.
pub struct SealedReader {
    path: PathBuf,
    file: BufReader<File>,
    seal: Seal,
    frame: Vec<u8>,
    at: usize,
    frames: u64,
    values: u64,
    is_over: bool,
}

impl std::fmt::Debug for SealedReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SealedReader")
    }
}

impl SealedReader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is none of this kind, is of a newer form, or does not open with this key.
    pub fn open(path: &Path, key: &FileKey, secrets: &Secrets) -> Result<SealedReader, BackupError> {
        let mut file = BufReader::new(open_file(path).map_err(BackupError::file(path))?);
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(told(path, "it is no file of crier account export"));
        }
        let place = path.display().to_string();
        let part = read_part(&mut file, &place, HEADER, PART_BYTES_MAX).map_err(|_| damaged(path))?;
        let header = Seal::Checksum.open(HEADER, part).and_then(|header| decode::<Header>(&header));
        let Header { format, lock } = header.ok_or_else(|| damaged(path))?;
        if FORMAT < format {
            return Err(told(path, "a newer crier wrote it: install the newer version here first"));
        }
        let seal = Seal::keyed(&unlocked(path, &lock, key)?, secrets);
        let path = path.to_owned();
        Ok(SealedReader { path, file, seal, frame: Vec::new(), at: 0, frames: 0, values: 0, is_over: false })
    }

    /// The next value; `None` behind the last of a whole file.
    ///
    /// # Errors
    /// If the file is damaged or cut short.
    pub fn read<T: DeserializeOwned>(&mut self) -> Result<Option<T>, BackupError> {
        while self.at == self.frame.len() {
            if self.is_over || !self.read_frame()? {
                return Ok(None);
            }
        }
        let value = self.value().ok_or_else(|| damaged(&self.path))?;
        let read = decode(&self.frame[value.clone()]).ok_or_else(|| damaged(&self.path))?;
        self.at = value.end;
        self.values += 1;
        Ok(Some(read))
    }

    /// The place of the next value in its frame.
    fn value(&self) -> Option<std::ops::Range<usize>> {
        let (length, rest) = self.frame.get(self.at..)?.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let start = self.at + 4;
        (length <= rest.len()).then(|| start..start + length)
    }

    /// Reads the next frame; returns whether there was one, and not the end.
    fn read_frame(&mut self) -> Result<bool, BackupError> {
        let (name, place) = (frame_name(self.frames), self.path.display().to_string());
        let part =
            read_part(&mut self.file, &place, &name, PART_BYTES_MAX).map_err(|_| damaged(&self.path))?;
        if part.len() <= END_BYTES_MAX
            && let Some(end) = self.seal.open(&end_name(self.frames), part.clone())
        {
            let is_whole = end == self.values.to_le_bytes() && matches!(self.file.read(&mut [0]), Ok(0));
            self.is_over = true;
            return if is_whole { Ok(false) } else { Err(damaged(&self.path)) };
        }
        let packed = self.seal.open(&name, part).ok_or_else(|| damaged(&self.path))?;
        let frame = zstd::bulk::decompress(&packed, PART_BYTES_MAX as usize);
        self.frame = frame.map_err(|_| damaged(&self.path))?;
        (self.at, self.frames) = (0, self.frames + 1);
        Ok(true)
    }
}

/// The key of a file.
fn unlocked(path: &Path, lock: &Lock, key: &FileKey) -> Result<[u8; KEY_BYTES], BackupError> {
    let (found, expected) = match (lock, key) {
        (Lock::Passphrase { salt, fingerprint }, FileKey::Passphrase(words)) => {
            (Some(passphrase_key(words, salt)), fingerprint)
        }
        (Lock::Age(locked), FileKey::Keys(keys)) => {
            (keys.decrypt(&locked.age).and_then(|key| key.try_into().ok()), &locked.fingerprint)
        }
        (Lock::Passphrase { .. }, FileKey::Keys(_)) => {
            return Err(told(path, "it opens with a passphrase: --passphrase-file"));
        }
        (Lock::Age(locked), FileKey::Passphrase(_)) => {
            let whom = locked.recipients.join(", ");
            return Err(told(path, &format!("it is encrypted for {whom}: --key-file")));
        }
    };
    let opened = found.filter(|key| fingerprint(key) == *expected);
    opened.ok_or_else(|| told(path, "the passphrase or the key is not the one that it was encrypted with"))
}

fn told(path: &Path, reason: &str) -> BackupError {
    BackupError::File { path: path.display().to_string(), reason: reason.to_owned() }
}

fn damaged(path: &Path) -> BackupError {
    told(path, "it is damaged or cut short: export the account again, or copy the file again")
}
