//! A backup as one file: compressed, in frames that are checked one by one, written beside and renamed.
//!
//! The file begins with [`MAGIC`], then the length and the bytes of its header, then frames: each a length and, sealed
//! under its number, up to [`FRAME_BYTES`] of the data file. A last frame says how much there is.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::BackupError;
use super::format::{FORMAT, LockedKey, Point, ServerId, decode, encode};
use super::key::KeyFile;
use super::make::read_chunk;
use super::objects::{make_file, open_file};
use super::repository::{Identity, lock_key, unlock_key};
use super::seal::Seal;
use super::{Progress, Report};
use crate::clock::Timestamp;
use crate::secret::Secrets;
use crate::store::{give_to_owner_of_folder, sync_folder_of};

/// The first bytes of a backup.
const MAGIC: &[u8; 12] = b"crier backup";
/// Bytes of the data file in a frame.
const FRAME_BYTES: usize = 1024 * 1024;
/// Most bytes of a frame or of the header.
const PART_BYTES_MAX: u32 = 2 * 1024 * 1024;
/// How well frames are compressed.
const LEVEL: i32 = 3;
/// The ending of a file that is being written.
const DRAFT: &str = ".part";
/// The names under which the parts are sealed.
const HEADER: &str = "header";

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    format: u32,
    server: ServerId,
    time_ms: i64,
    file_bytes: u64,
    key: Option<LockedKey>,
}

/// The inputs of a new backup.
pub(super) struct Making<'a> {
    pub(super) identity: &'a Identity,
    pub(super) key: Option<&'a KeyFile>,
    pub(super) secrets: &'a Secrets,
    pub(super) time: Timestamp,
}

/// The file that is being written, which is removed unless it gets its name.
pub(super) struct Draft(PathBuf);

impl Draft {
    /// Makes the draft of a backup at `path`.
    pub(super) fn make(path: &Path) -> Result<(Draft, File), BackupError> {
        let mut name = path.as_os_str().to_owned();
        name.push(DRAFT);
        let draft = PathBuf::from(name);
        let file = make_file(&draft).map_err(|error| match error.kind() {
            ErrorKind::NotFound => BackupError::File {
                path: path.display().to_string(),
                reason:
                    "its folder does not exist: make it first, or end the name with / for a folder of backups"
                        .to_owned(),
            },
            _ => BackupError::file(&draft)(error),
        })?;
        let draft = Draft(draft);
        // A backup that root makes is replaced by the next one of the server.
        give_to_owner_of_folder(&file, &draft.0).map_err(BackupError::file(&draft.0))?;
        Ok((draft, file))
    }

    /// Gives the finished file its name.
    pub(super) fn put_in_place(self, path: &Path) -> Result<(), BackupError> {
        fs::rename(&self.0, path).map_err(BackupError::file(&self.0))?;
        std::mem::forget(self);
        Ok(sync_folder_of(path)?)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // The failure that led here is what matters.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a backup to `path`, and replaces an older one of the same server.
pub(super) fn make(
    path: &Path,
    making: &Making<'_>,
    file: &mut impl Read,
    file_bytes: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report, BackupError> {
    let Making { identity, key, secrets, time } = *making;
    refuse_other(path, identity)?;
    let key_of_file = key.map(|key| lock_key(key, identity, secrets)).transpose()?;
    let (draft, out) = Draft::make(path)?;
    let failed = || BackupError::file(&draft.0);
    let seal = if key.is_some() { Seal::keyed(&identity.key, secrets) } else { Seal::Checksum };
    let header =
        Header { format: FORMAT, server: identity.server, time_ms: time.ms(), file_bytes, key: key_of_file };
    let mut out = BufWriter::new(out);
    let header = Seal::Checksum.close(HEADER, encode(&header));
    out.write_all(MAGIC).and_then(|()| write_part(&mut out, &header)).map_err(failed())?;
    let mut buffer = vec![0; FRAME_BYTES];
    let mut packing = zstd::bulk::Compressor::new(LEVEL).map_err(failed())?;
    let (mut done_bytes, mut sent_bytes, mut frames) = (0, 0, 0_u64);
    loop {
        let count = read_chunk(file, &mut buffer)?;
        if count == 0 {
            break;
        }
        let packed = packing.compress(&buffer[..count]).map_err(failed())?;
        let frame = seal.close(&frame_name(frames), packed);
        write_part(&mut out, &frame).map_err(failed())?;
        frames += 1;
        done_bytes += count as u64;
        sent_bytes += frame.len() as u64;
        progress(Progress { done_bytes, file_bytes, sent_bytes });
    }
    let end = seal.close(&end_name(frames), done_bytes.to_le_bytes().to_vec());
    write_part(&mut out, &end).and_then(|()| out.flush()).map_err(failed())?;
    let out = out.into_inner().map_err(|error| failed()(error.into_error()))?;
    out.sync_all().map_err(failed())?;
    draft.put_in_place(path)?;
    Ok(Report { point: time, file_bytes: done_bytes, sent_bytes, chunks: frames, chunks_sent: frames })
}

/// Fails if `path` is a file that is no backup of this server.
fn refuse_other(path: &Path, identity: &Identity) -> Result<(), BackupError> {
    match Reader::open(path) {
        Ok(reader) if reader.header.server == identity.server => Ok(()),
        Ok(_) => Err(BackupError::OtherServer { place: path.display().to_string() }),
        Err(BackupError::NoPoint { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

pub(super) fn frame_name(number: u64) -> String {
    format!("frame {number}")
}

pub(super) fn end_name(frames: u64) -> String {
    format!("end after {frames}")
}

pub(super) fn write_part(out: &mut impl Write, part: &[u8]) -> std::io::Result<()> {
    let length = u32::try_from(part.len()).map_err(std::io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(part)
}

/// A backup that is being read.
struct Reader {
    place: String,
    header: Header,
    file: BufReader<File>,
    bytes: u64,
}

impl Reader {
    fn open(path: &Path) -> Result<Reader, BackupError> {
        let place = path.display().to_string();
        let file = match open_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(BackupError::NoPoint { place, when: String::new() });
            }
            file => file.map_err(BackupError::file(path))?,
        };
        let bytes = file.metadata().map_err(BackupError::file(path))?.size();
        let mut file = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(BackupError::Foreign { place });
        }
        let part = read_part(&mut file, &place, HEADER, PART_BYTES_MAX)?;
        let header = Seal::Checksum.open(HEADER, part).and_then(|header| decode::<Header>(&header));
        let header = header.ok_or_else(|| BackupError::damaged(&place, HEADER, "its checksum is wrong"))?;
        if FORMAT < header.format {
            return Err(BackupError::Newer { place });
        }
        Ok(Reader { place, header, file, bytes })
    }
}

/// Reads a part, of at most so many bytes.
pub(super) fn read_part(
    file: &mut impl Read,
    place: &str,
    name: &str,
    bytes_max: u32,
) -> Result<Vec<u8>, BackupError> {
    let cut = |_| BackupError::damaged(place, name, "the file is cut short");
    let mut length = [0; 4];
    file.read_exact(&mut length).map_err(cut)?;
    let length = u32::from_le_bytes(length);
    if bytes_max < length {
        return Err(BackupError::damaged(place, name, "its length is wrong"));
    }
    let mut part = vec![0; length as usize];
    file.read_exact(&mut part).map_err(cut)?;
    Ok(part)
}

/// The point that a backup of one file is.
pub(super) fn point(path: &Path) -> Result<Point, BackupError> {
    let Reader { header, bytes, .. } = Reader::open(path)?;
    let time = Timestamp::from_ms(header.time_ms);
    let name = path.display().to_string();
    Ok(Point { name, time, file_bytes: header.file_bytes, sent_bytes: bytes })
}

/// Writes the data file of a backup to `out`, which is new.
pub(super) fn restore(
    path: &Path,
    key: Option<&KeyFile>,
    secrets: &Secrets,
    (out_path, out): (&Path, &File),
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BackupError> {
    let Reader { place, header, mut file, .. } = Reader::open(path)?;
    let seal = match &header.key {
        None => Seal::Checksum,
        Some(locked) => Seal::keyed(&unlock_key(&place, locked, key)?, secrets),
    };
    let file_bytes = header.file_bytes;
    out.set_len(file_bytes).map_err(BackupError::file(out_path))?;
    let mut unpacking = zstd::bulk::Decompressor::new().map_err(BackupError::file(path))?;
    let mut done_bytes = 0;
    for number in 0..file_bytes.div_ceil(FRAME_BYTES as u64) {
        let name = frame_name(number);
        let damaged = |reason| BackupError::damaged(&place, &name, reason);
        let part = read_part(&mut file, &place, &name, PART_BYTES_MAX)?;
        let packed = seal.open(&name, part).ok_or_else(|| damaged("its checksum is wrong"))?;
        let frame = unpacking.decompress(&packed, FRAME_BYTES);
        let frame = frame.map_err(|_| damaged("it cannot be unpacked"))?;
        if frame.iter().any(|byte| *byte != 0) {
            out.write_all_at(&frame, done_bytes).map_err(BackupError::file(out_path))?;
        }
        done_bytes += frame.len() as u64;
        progress(Progress { done_bytes, file_bytes, sent_bytes: 0 });
    }
    let name = end_name(file_bytes.div_ceil(FRAME_BYTES as u64));
    let end = seal.open(&name, read_part(&mut file, &place, &name, PART_BYTES_MAX)?);
    let is_whole = end.is_some_and(|end| end == done_bytes.to_le_bytes()) && done_bytes == file_bytes;
    if is_whole && matches!(file.read(&mut [0]), Ok(0)) {
        return Ok(());
    }
    Err(BackupError::damaged(&place, &name, "the file does not end where it should"))
}
