//! The objects of a target and their bytes.
//!
//! | name | content |
//! |---|---|
//! | `crier-backup` | whose backups these are, and the encrypted key |
//! | `packs/HASH` | chunks of the data file, compressed, each once |
//! | `index/HASH` | the hashes of the chunks in that pack |
//! | `points/TIME-BYTES-SENT` | the chunks of the data file at one time, in order |
//! | `locks/…` | who writes to the target now |
//!
//! A pack and its index are written before the first point that names them and never change, and a point is written
//! last: so a point that exists is whole, however its backup ended. A pack is deleted when no point names it.

use data_encoding::HEXLOWER;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::seal::Hash;
use crate::clock::Timestamp;

/// The name of the object that says whose backups these are.
pub(super) const HEADER: &str = "crier-backup";
/// The beginning of the names of points.
pub(super) const POINTS: &str = "points/";
/// The beginning of the names of packs.
pub(super) const PACKS: &str = "packs/";
/// The beginning of the names of indexes.
pub(super) const INDEXES: &str = "index/";
/// The beginning of the names of locks.
pub(super) const LOCKS: &str = "locks/";
/// The version of everything in this module.
pub(super) const FORMAT: u32 = 1;
/// Bytes of the data file in a chunk: four pages of the engine. Smaller ones would send less of scattered changes, and
/// cost more memory and bytes for their hashes.
pub(super) const CHUNK_BYTES: usize = 16 * 1024;
/// A pack is written when its chunks have this size.
pub(super) const PACK_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of an entry of an index.
const ENTRY_BYTES: usize = 36;
/// Most bytes of a chunk that grew by compression.
const CHUNK_STORED_MAX: usize = CHUNK_BYTES + 1024;

/// The number of a server, drawn when it is first backed up.
pub(super) type ServerId = [u8; 16];
/// The name of a pack: the beginning of the hash of its chunks.
pub(super) type PackId = [u8; 16];

/// The content of [`HEADER`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) server: ServerId,
    /// The key of the target, if its objects are encrypted.
    pub(super) key: Option<LockedKey>,
}

/// A key that opens with an identity of the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LockedKey {
    pub(super) fingerprint: Hash,
    /// The key as an encrypted file of age.
    pub(super) age: Vec<u8>,
    /// The recipients for which it was encrypted.
    pub(super) recipients: Vec<String>,
}

/// The content of a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PointRecord {
    pub(super) time_ms: i64,
    pub(super) file_bytes: u64,
    pub(super) chunk_bytes: u32,
    /// The version of the program that wrote it.
    pub(super) version: String,
    /// The hash of the hashes of all chunks, in order.
    pub(super) chunks_hash: Hash,
    /// The packs that hold its chunks.
    pub(super) packs: Vec<PackId>,
    pub(super) runs: Vec<Run>,
}

/// Chunks that follow each other in the file and in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The number of the pack in the point's list.
    pub(super) pack: u32,
    /// The number of the first chunk in the pack.
    pub(super) first: u32,
    pub(super) count: u32,
}

/// A chunk in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub(super) hash: Hash,
    /// Its size in the pack.
    pub(super) stored_bytes: u32,
}

/// A point in the list of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The name of its object.
    pub name: String,
    /// The time of the data.
    pub time: Timestamp,
    /// The size of the data file.
    pub file_bytes: u64,
    /// The bytes of packs that were written for it.
    pub sent_bytes: u64,
}

impl Point {
    /// The name of a point.
    pub(super) fn name_of(time: Timestamp, file_bytes: u64, sent_bytes: u64) -> String {
        let seconds = time.rfc3339().replace(':', "-");
        let millis = time.ms().rem_euclid(1000);
        format!("{POINTS}{}.{millis:03}Z-{file_bytes}-{sent_bytes}", seconds.trim_end_matches('Z'))
    }

    /// The point of an object's name; `None` if it is no point's.
    pub(super) fn of_name(name: &str) -> Option<Point> {
        let mut parts = name.strip_prefix(POINTS)?.rsplitn(3, '-');
        let (sent_bytes, file_bytes, time) = (parts.next()?, parts.next()?, parts.next()?);
        let (day, hours) = time.split_once('T')?;
        let time = Timestamp::parse_rfc3339(&format!("{day}T{}", hours.replace('-', ":")))?;
        let (file_bytes, sent_bytes) = (file_bytes.parse().ok()?, sent_bytes.parse().ok()?);
        Some(Point { name: name.to_owned(), time, file_bytes, sent_bytes })
    }
}

/// The name of the object of a pack.
pub(super) fn pack_name(pack: &PackId) -> String {
    format!("{PACKS}{}", HEXLOWER.encode(pack))
}

/// The name of the object of a pack's index.
pub(super) fn index_name(pack: &PackId) -> String {
    format!("{INDEXES}{}", HEXLOWER.encode(pack))
}

/// The pack whose object, or whose index, has this name.
pub(super) fn pack_of(name: &str) -> Option<PackId> {
    let hex = name.strip_prefix(PACKS).or_else(|| name.strip_prefix(INDEXES))?;
    HEXLOWER.decode(hex.as_bytes()).ok()?.try_into().ok()
}

/// The bytes of a value.
pub(super) fn encode(value: &impl Serialize) -> Vec<u8> {
    let bytes = bincode::serde::encode_to_vec(value, bincode::config::standard());
    bytes.expect("values of this module can be written")
}

/// The value of bytes that [`encode`] made; `None` if they are no such bytes.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (value, read) = bincode::serde::decode_from_slice(bytes, bincode::config::standard()).ok()?;
    (read == bytes.len()).then_some(value)
}

/// The bytes of an index.
pub(super) fn encode_index(entries: &[IndexEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * ENTRY_BYTES);
    for IndexEntry { hash, stored_bytes } in entries {
        bytes.extend_from_slice(hash);
        bytes.extend_from_slice(&stored_bytes.to_le_bytes());
    }
    bytes
}

/// The entries of an index; `None` if these bytes are none.
pub(super) fn decode_index(bytes: &[u8]) -> Option<Vec<IndexEntry>> {
    let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
    let entry = |bytes: &[u8; ENTRY_BYTES]| {
        let (hash, stored) = bytes.split_first_chunk()?;
        let stored_bytes = u32::from_le_bytes(stored.try_into().ok()?);
        (usize::try_from(stored_bytes).ok()? <= CHUNK_STORED_MAX)
            .then_some(IndexEntry { hash: *hash, stored_bytes })
    };
    let entries: Option<Vec<IndexEntry>> = entries.iter().map(entry).collect();
    entries.filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_point_says_its_time_and_sizes_and_sorts_by_time() {
        let early = Point::name_of(Timestamp::from_ms(1_795_000_000_007), 1 << 30, 500);
        assert_eq!(early, "points/2026-11-18T11-06-40.007Z-1073741824-500");
        let point = Point::of_name(&early).unwrap();
        assert_eq!((point.time.ms(), point.file_bytes, point.sent_bytes), (1_795_000_000_007, 1 << 30, 500));
        assert!(early < Point::name_of(Timestamp::from_ms(1_795_000_000_107), 1, 1));
        for other in
            ["points/", "points/x-1-2", "packs/2026-11-18T11-06-40.007Z-1-2", "points/2026-11-18-1-2"]
        {
            assert_eq!(Point::of_name(other), None, "{other}");
        }
    }

    #[test]
    fn an_index_reads_as_it_was_written() {
        let entries: Vec<IndexEntry> =
            (0..5).map(|n| IndexEntry { hash: [n; 32], stored_bytes: u32::from(n) * 1000 }).collect();
        let bytes = encode_index(&entries);
        assert_eq!(decode_index(&bytes), Some(entries));
        assert_eq!(decode_index(&bytes[1..]), None);
    }
}
