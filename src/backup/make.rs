//! Makes a point: reads the data file chunk by chunk and writes those that the target does not have.

use std::collections::HashMap;
use std::io::Read;

use super::error::BackupError;
use super::format::{
    CHUNK_BYTES, IndexEntry, PACK_BYTES, PackId, Point, PointRecord, Run, index_name, pack_name,
};
use super::lock::Lock;
use super::repository::Repository;
use super::seal::Hash;
use super::{Progress, Report};
use crate::clock::Timestamp;

/// How well chunks are compressed: as fast as a disk reads.
const LEVEL: i32 = 1;
/// A pack of which less than this part is still used is replaced.
const USED_PERCENT_MIN: u64 = 50;
/// A pack smaller than this is replaced, so that many small backups do not leave many small packs.
const SMALL_PACK_BYTES: u64 = PACK_BYTES as u64 / 8;
/// The part of the data file that one backup may send again to replace packs, in percent.
const REPLACED_PERCENT_MAX: u64 = 1;

/// The place of a chunk: the number of its pack, and its number there.
type Place = (u32, u32);

/// A backup that is being made.
pub(super) struct Maker<'a> {
    repository: &'a Repository,
    lock: &'a mut Lock,
    /// The packs of the point.
    packs: Vec<PackId>,
    known: HashMap<Hash, Place>,
    /// The chunks of the pack that is being filled.
    chunks: Vec<u8>,
    entries: Vec<IndexEntry>,
    compressor: zstd::bulk::Compressor<'static>,
    sent_bytes: u64,
    chunks_sent: u64,
}

impl<'a> Maker<'a> {
    /// Begins a backup whose data file has `file_bytes`, on the chunks of the newest point that can be read.
    pub(super) fn begin(
        repository: &'a Repository,
        lock: &'a mut Lock,
        points: &[Point],
        file_bytes: u64,
    ) -> Result<Maker<'a>, BackupError> {
        let compressor = zstd::bulk::Compressor::new(LEVEL);
        let compressor = compressor.map_err(|error| repository.damaged("zstd", &error.to_string()))?;
        let mut maker = Maker {
            repository,
            lock,
            packs: Vec::new(),
            known: HashMap::new(),
            chunks: Vec::new(),
            entries: Vec::new(),
            compressor,
            sent_bytes: 0,
            chunks_sent: 0,
        };
        for point in points.iter().rev() {
            match repository.read_point(&point.name) {
                Ok(record) => {
                    maker.load(&record, file_bytes)?;
                    break;
                }
                Err(error) if error.is_loss() => {
                    tracing::warn!("{error}. This backup is made on the one before it");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(maker)
    }

    /// Learns the chunks of a point, without those that are to be sent again.
    fn load(&mut self, record: &PointRecord, file_bytes: u64) -> Result<(), BackupError> {
        let listed = self.repository.objects.list(super::format::PACKS)?;
        let mut packs = Vec::with_capacity(record.packs.len());
        for pack in &record.packs {
            self.lock.renew()?;
            // A pack that somebody took away is replaced; what still names it is lost.
            let name = pack_name(pack);
            if listed.binary_search_by(|object| object.name.cmp(&name)).is_err() {
                tracing::warn!(
                    "{} has no {name} any more; its chunks are sent again",
                    self.repository.objects.place()
                );
                packs.push(Vec::new());
                continue;
            }
            packs.push(match self.repository.read_index(pack) {
                Err(error) if error.is_loss() => {
                    tracing::warn!("{error}. The chunks of its pack are sent again now");
                    Vec::new()
                }
                entries => entries?,
            });
        }
        let replaced = replaced(record, &packs, file_bytes);
        for (number, entries) in packs.iter().enumerate() {
            if entries.is_empty() || replaced[number] {
                continue;
            }
            let place = number_of(self.packs.len());
            self.packs.push(record.packs[number]);
            for (at, entry) in entries.iter().enumerate() {
                self.known.insert(entry.hash, (place, number_of(at)));
            }
        }
        Ok(())
    }

    /// Reads the whole data file and writes what the target does not have, and then the point.
    pub(super) fn run(
        mut self,
        file: &mut impl Read,
        file_bytes: u64,
        time: Timestamp,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Report, BackupError> {
        let mut places: Vec<Place> = Vec::new();
        let mut hashes: Vec<u8> = Vec::new();
        let mut done_bytes = 0;
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let count = read_chunk(file, &mut buffer)?;
            if count == 0 {
                break;
            }
            self.lock.renew()?;
            let hash = self.repository.seal.hash(&buffer[..count]);
            hashes.extend_from_slice(&hash);
            places.push(self.place(hash, &buffer[..count])?);
            done_bytes += count as u64;
            progress(Progress { done_bytes, file_bytes, sent_bytes: self.sent_bytes });
        }
        self.finish_pack()?;
        let (packs, runs) = runs(&places, &self.packs);
        let record = PointRecord {
            time_ms: time.ms(),
            file_bytes: done_bytes,
            chunk_bytes: number_of(CHUNK_BYTES),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            chunks_hash: self.repository.seal.hash(&hashes),
            packs,
            runs,
        };
        let name = Point::name_of(time, done_bytes, self.sent_bytes);
        // Whoever took this lock for one that was left behind may have deleted the packs.
        self.lock.check()?;
        self.sent_bytes += self.repository.write_point(&name, &record)?;
        Ok(Report {
            point: time,
            file_bytes: done_bytes,
            sent_bytes: self.sent_bytes,
            chunks: places.len() as u64,
            chunks_sent: self.chunks_sent,
        })
    }

    /// The place of a chunk, which is put into the pack that is being filled if the target does not have it.
    fn place(&mut self, hash: Hash, chunk: &[u8]) -> Result<Place, BackupError> {
        if let Some(place) = self.known.get(&hash) {
            return Ok(*place);
        }
        if PACK_BYTES <= self.chunks.len() {
            self.finish_pack()?;
        }
        let stored = self.compressor.compress(chunk);
        let stored = stored.map_err(|error| self.repository.damaged("zstd", &error.to_string()))?;
        // The pack gets its number when it is begun, and its name when it is full.
        let place = (number_of(self.packs.len()), number_of(self.entries.len()));
        self.entries.push(IndexEntry { hash, stored_bytes: number_of(stored.len()) });
        self.chunks.extend_from_slice(&stored);
        self.known.insert(hash, place);
        self.chunks_sent += 1;
        Ok(place)
    }

    fn finish_pack(&mut self) -> Result<(), BackupError> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let (chunks, entries) = (std::mem::take(&mut self.chunks), std::mem::take(&mut self.entries));
        let (pack, sent_bytes) = self.repository.write_pack(chunks, &entries)?;
        tracing::debug!("{} and {} are written", pack_name(&pack), index_name(&pack));
        self.packs.push(pack);
        self.sent_bytes += sent_bytes;
        Ok(())
    }
}

/// Whether each pack of a point is replaced: of those of which little is used or that are small, as many as one backup
/// may send again, beginning with those that cost least.
fn replaced(record: &PointRecord, packs: &[Vec<IndexEntry>], file_bytes: u64) -> Vec<bool> {
    let mut used: Vec<Vec<bool>> = packs.iter().map(|entries| vec![false; entries.len()]).collect();
    for Run { pack, first, count } in &record.runs {
        for at in *first..first.saturating_add(*count) {
            if let Some(chunk) = used.get_mut(*pack as usize).and_then(|pack| pack.get_mut(at as usize)) {
                *chunk = true;
            }
        }
    }
    let mut costs: Vec<(u64, usize)> = Vec::new();
    for (number, (entries, used)) in packs.iter().zip(&used).enumerate() {
        let all_bytes: u64 = entries.iter().map(|entry| u64::from(entry.stored_bytes)).sum();
        let used = entries.iter().zip(used).filter(|(_, is_used)| **is_used);
        let used_bytes: u64 = used.map(|(entry, _)| u64::from(entry.stored_bytes)).sum();
        if used_bytes * 100 < all_bytes * USED_PERCENT_MIN || all_bytes < SMALL_PACK_BYTES {
            costs.push((used_bytes, number));
        }
    }
    costs.sort_unstable();
    let mut replaced = vec![false; packs.len()];
    let mut left = file_bytes / 100 * REPLACED_PERCENT_MAX;
    for (used_bytes, number) in costs {
        if left < used_bytes {
            break;
        }
        left -= used_bytes;
        replaced[number] = true;
    }
    replaced
}

/// The packs that a list of places uses, and the places as runs of chunks in them.
fn runs(places: &[Place], packs: &[PackId]) -> (Vec<PackId>, Vec<Run>) {
    let mut numbers: Vec<Option<u32>> = vec![None; packs.len()];
    let mut used = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    for (pack, at) in places {
        let number = *numbers[*pack as usize].get_or_insert_with(|| {
            used.push(packs[*pack as usize]);
            number_of(used.len() - 1)
        });
        match runs.last_mut() {
            Some(run) if run.pack == number && run.first + run.count == *at => run.count += 1,
            _ => runs.push(Run { pack: number, first: *at, count: 1 }),
        }
    }
    (used, runs)
}

/// Reads a whole chunk of the data file, or what is left.
pub(super) fn read_chunk(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize, BackupError> {
    let failed = |error: std::io::Error| BackupError::File {
        path: "the data file".to_owned(),
        reason: error.to_string(),
    };
    let mut count = 0;
    while count < buffer.len() {
        match file.read(&mut buffer[count..]).map_err(failed)? {
            0 => break,
            read => count += read,
        }
    }
    Ok(count)
}

/// A number of chunks, packs or bytes of a chunk. A data file has at most 4 TiB, which the engine ensures.
fn number_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_as_runs_over_the_packs_that_are_used() {
        let packs = [[1; 16], [2; 16], [3; 16]];
        let (used, runs) = runs(&[(2, 5), (2, 6), (0, 0), (2, 7), (2, 7)], &packs);
        assert_eq!(used, [[3; 16], [1; 16]]);
        let run = |pack, first, count| Run { pack, first, count };
        assert_eq!(runs, [run(0, 5, 2), run(1, 0, 1), run(0, 7, 1), run(0, 7, 1)]);
    }
}
