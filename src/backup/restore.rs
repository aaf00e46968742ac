//! Makes a data file of a point.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use super::Progress;
use super::error::BackupError;
use super::format::{CHUNK_BYTES, IndexEntry, PackId, PointRecord, pack_name};
use super::repository::Repository;

/// A chunk of the file, by the number of its pack and its number there.
type Wanted = (u32, u32, usize);

/// Writes the data file of a point to `file`, which is new. Every byte of it is compared with the hashes of the point.
pub(super) fn restore(
    repository: &Repository,
    name: &str,
    (path, file): (&Path, &File),
    progress: &mut dyn FnMut(Progress),
) -> Result<(), BackupError> {
    let record = repository.read_point(name)?;
    file.set_len(record.file_bytes).map_err(BackupError::file(path))?;
    let wrong = |reason| repository.damaged(name, reason);
    let wanted = wanted(&record).ok_or_else(|| wrong("its chunks are not those of its file"))?;
    let chunk_count = wanted.len();
    let mut hashes = vec![[0; 32]; chunk_count];
    let mut done_bytes = 0;
    let mut chunks = wanted.as_slice();
    let unpacking = zstd::bulk::Decompressor::new();
    let unpacking = unpacking.map_err(|error| repository.damaged("zstd", &error.to_string()))?;
    let mut restoring = Restoring { repository, record: &record, path, file, hashes: &mut hashes, unpacking };
    while let Some((pack, _, _)) = chunks.first() {
        let end = chunks.partition_point(|(other, _, _)| other <= pack);
        let (these, rest) = chunks.split_at(end);
        let id = record.packs.get(*pack as usize).ok_or_else(|| wrong("it names no such pack"))?;
        restoring.write_chunks_of(id, these)?;
        done_bytes += (these.len() * CHUNK_BYTES) as u64;
        let done_bytes = done_bytes.min(record.file_bytes);
        progress(Progress { done_bytes, file_bytes: record.file_bytes, sent_bytes: 0 });
        chunks = rest;
    }
    if repository.seal.hash(hashes.as_flattened()) != record.chunks_hash {
        return Err(wrong("the packs do not hold its chunks"));
    }
    Ok(())
}

/// The chunks of a point in the order in which packs hold them; `None` if they are not as many as the file has.
fn wanted(record: &PointRecord) -> Option<Vec<Wanted>> {
    let expected = usize::try_from(record.file_bytes.div_ceil(CHUNK_BYTES as u64)).ok()?;
    let counted: u64 = record.runs.iter().map(|run| u64::from(run.count)).sum();
    if usize::try_from(counted).ok()? != expected {
        return None;
    }
    let mut wanted = Vec::with_capacity(expected);
    for run in &record.runs {
        for at in run.first..run.first.checked_add(run.count)? {
            wanted.push((run.pack, at, wanted.len()));
        }
    }
    wanted.sort_unstable();
    Some(wanted)
}

struct Restoring<'a> {
    repository: &'a Repository,
    record: &'a PointRecord,
    path: &'a Path,
    file: &'a File,
    /// The hash of every chunk that was written.
    hashes: &'a mut [[u8; 32]],
    unpacking: zstd::bulk::Decompressor<'static>,
}

impl Restoring<'_> {
    fn write_chunks_of(&mut self, pack: &PackId, wanted: &[Wanted]) -> Result<(), BackupError> {
        let entries = self.repository.read_index(pack)?;
        let chunks = self.repository.read_pack(pack)?;
        let name = pack_name(pack);
        let damaged = |reason| self.repository.damaged(&name, reason);
        let mut starts = vec![0];
        for IndexEntry { stored_bytes, .. } in &entries {
            starts.push(starts[starts.len() - 1] + *stored_bytes as usize);
        }
        for (_, at, number) in wanted {
            let at = *at as usize;
            let entry = entries.get(at).ok_or_else(|| damaged("a chunk is missing"))?;
            let stored = chunks.get(starts[at]..starts[at + 1]).ok_or_else(|| damaged("it is cut short"))?;
            let chunk = self.unpacking.decompress(stored, CHUNK_BYTES);
            let chunk = chunk.map_err(|_| damaged("a chunk cannot be unpacked"))?;
            let offset = *number as u64 * CHUNK_BYTES as u64;
            let length = (self.record.file_bytes - offset).min(CHUNK_BYTES as u64);
            if self.repository.seal.hash(&chunk) != entry.hash || chunk.len() as u64 != length {
                return Err(damaged("a chunk is another one"));
            }
            self.hashes[*number] = entry.hash;
            // What is not written reads as zeros, and takes no place on the disk.
            if chunk.iter().any(|byte| *byte != 0) {
                self.file.write_all_at(&chunk, offset).map_err(BackupError::file(self.path))?;
            }
        }
        Ok(())
    }
}
