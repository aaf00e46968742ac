//! A target that keeps many points, of chunks that they share.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::sync::Arc;

use super::error::BackupError;
use super::format::{
    CHUNK_BYTES, FORMAT, HEADER, Header, INDEXES, IndexEntry, LockedKey, PACKS, POINTS, PackId, Point,
    PointRecord, ServerId, decode, decode_index, encode, encode_index, index_name, pack_name, pack_of,
};
use super::key::KeyFile;
use super::lock::Lock;
use super::objects::{Objects, ObjectsError};
use super::seal::{KEY_BYTES, Seal, fingerprint};
use crate::secret::Secrets;

/// Most bytes that the record of a point has when it is unpacked: enough for a data file of some TiB.
const POINT_BYTES_MAX: u64 = 1 << 30;
/// How well points are compressed.
const LEVEL: i32 = 3;

/// The identity that the data file keeps for its backups.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) server: ServerId,
    /// The key with which targets are encrypted, if they are.
    pub(super) key: [u8; KEY_BYTES],
}

/// The result of a deletion of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deleted {
    /// Points that were deleted.
    pub points: usize,
    /// Packs that no point needed any more.
    pub packs: usize,
    /// The size of those packs.
    pub freed_bytes: u64,
}

/// A target that was opened.
#[derive(Debug)]
pub(super) struct Repository {
    pub(super) objects: Arc<dyn Objects>,
    pub(super) seal: Seal,
}

/// The points of a target, oldest first.
pub(super) fn points(objects: &dyn Objects) -> Result<Vec<Point>, BackupError> {
    let listed = objects.list(POINTS)?;
    Ok(listed.iter().filter_map(|object| Point::of_name(&object.name)).collect())
}

fn read_header(objects: &dyn Objects) -> Result<Option<Header>, BackupError> {
    let place = objects.place();
    let bytes = match objects.get_small(HEADER) {
        Err(ObjectsError::NotFound { .. }) => return Ok(None),
        bytes => bytes?,
    };
    let content = Seal::Checksum.open(HEADER, bytes);
    let header: Option<Header> = content.and_then(|content| decode(&content));
    let header = header.ok_or_else(|| BackupError::damaged(&place, HEADER, "its checksum is wrong"))?;
    if FORMAT < header.format {
        return Err(BackupError::Newer { place });
    }
    Ok(Some(header))
}

fn write_header(objects: &dyn Objects, header: &Header) -> Result<(), BackupError> {
    Ok(objects.put(HEADER, &Seal::Checksum.close(HEADER, encode(header)))?)
}

impl Repository {
    /// Fails if the server of `identity` may not write to a target. Changes nothing; returns the header that is still to
    /// be written, if there is one.
    pub(super) fn check_to_write(
        objects: &Arc<dyn Objects>,
        identity: &Identity,
        key: Option<&KeyFile>,
        secrets: &Secrets,
    ) -> Result<Option<Header>, BackupError> {
        let place = objects.place();
        let found = read_header(&**objects)?;
        let locked = key.map(|key| lock_key(key, identity, secrets)).transpose()?;
        match found {
            None if !points(&**objects)?.is_empty() => {
                Err(BackupError::damaged(&place, HEADER, "it is missing"))
            }
            None => Ok(Some(Header { format: FORMAT, server: identity.server, key: locked })),
            Some(header) if header.server != identity.server => Err(BackupError::OtherServer { place }),
            Some(header) => match (header.key, locked) {
                (None, Some(_)) => {
                    let text = format!("{place} holds backups that are not encrypted: name a new target");
                    Err(BackupError::Key(text))
                }
                (Some(_), None) => {
                    let text =
                        format!("{place} is encrypted: name the recipient's file with --backup-key-file");
                    Err(BackupError::Key(text))
                }
                (Some(old), Some(new)) if old.fingerprint != new.fingerprint => {
                    let text = format!("{place} is encrypted with another key: name a new target");
                    Err(BackupError::Key(text))
                }
                (Some(old), Some(new)) if old.recipients != new.recipients => {
                    Ok(Some(Header { key: Some(new), ..header }))
                }
                (None, None) | (Some(_), Some(_)) => Ok(None),
            },
        }
    }

    /// Opens a target that this process has locked for the server of `identity` to write to, and begins it if it is new.
    pub(super) fn open_to_write(
        objects: &Arc<dyn Objects>,
        identity: &Identity,
        key: Option<&KeyFile>,
        secrets: &Secrets,
    ) -> Result<Repository, BackupError> {
        if let Some(header) = Repository::check_to_write(objects, identity, key, secrets)? {
            write_header(&**objects, &header)?;
        }
        let seal = if key.is_some() { Seal::keyed(&identity.key, secrets) } else { Seal::Checksum };
        Ok(Repository { objects: Arc::clone(objects), seal })
    }

    /// Opens a target to restore from it.
    pub(super) fn open_to_read(
        objects: &Arc<dyn Objects>,
        key: Option<&KeyFile>,
        secrets: &Secrets,
    ) -> Result<Repository, BackupError> {
        let place = objects.place();
        let header = read_header(&**objects)?.ok_or(BackupError::Foreign { place: place.clone() })?;
        let seal = match header.key {
            None => Seal::Checksum,
            Some(locked) => Seal::keyed(&unlock_key(&place, &locked, key)?, secrets),
        };
        Ok(Repository { objects: Arc::clone(objects), seal })
    }

    /// Reads an object that has to be there, and checks that it is whole.
    fn read(&self, name: &str) -> Result<Vec<u8>, BackupError> {
        self.opened(name, self.objects.get(name))
    }

    fn opened(&self, name: &str, found: Result<Vec<u8>, ObjectsError>) -> Result<Vec<u8>, BackupError> {
        let bytes = match found {
            Err(ObjectsError::NotFound { .. }) => return Err(self.damaged(name, "it is missing")),
            bytes => bytes?,
        };
        self.seal.open(name, bytes).ok_or_else(|| self.damaged(name, "its checksum is wrong"))
    }

    fn write(&self, name: &str, content: Vec<u8>) -> Result<u64, BackupError> {
        let bytes = self.seal.close(name, content);
        self.objects.put(name, &bytes)?;
        Ok(bytes.len() as u64)
    }

    pub(super) fn damaged(&self, name: &str, reason: &str) -> BackupError {
        BackupError::damaged(&self.objects.place(), name, reason)
    }

    /// Reads the record of a point.
    pub(super) fn read_point(&self, name: &str) -> Result<PointRecord, BackupError> {
        let packed = self.read(name)?;
        let record: Option<PointRecord> = unpacked(&packed).and_then(|bytes| decode(&bytes));
        let record = record.filter(|record| usize::try_from(record.chunk_bytes) == Ok(CHUNK_BYTES));
        record.ok_or_else(|| self.damaged(name, "it is no point"))
    }

    /// Writes a point; returns its size.
    pub(super) fn write_point(&self, name: &str, record: &PointRecord) -> Result<u64, BackupError> {
        let packed = zstd::bulk::compress(&encode(record), LEVEL);
        self.write(name, packed.map_err(|error| self.damaged(name, &error.to_string()))?)
    }

    /// Reads the index of a pack.
    pub(super) fn read_index(&self, pack: &PackId) -> Result<Vec<IndexEntry>, BackupError> {
        let name = index_name(pack);
        let index = self.opened(&name, self.objects.get_small(&name))?;
        decode_index(&index).ok_or_else(|| self.damaged(&name, "it is no index"))
    }

    /// Reads the chunks of a pack, as they are stored.
    pub(super) fn read_pack(&self, pack: &PackId) -> Result<Vec<u8>, BackupError> {
        self.read(&pack_name(pack))
    }

    /// Writes a pack and its index; returns its name and the size of both.
    pub(super) fn write_pack(
        &self,
        chunks: Vec<u8>,
        entries: &[IndexEntry],
    ) -> Result<(PackId, u64), BackupError> {
        let mut pack = PackId::default();
        pack.copy_from_slice(&self.seal.hash(&chunks)[..16]);
        let bytes = self.write(&pack_name(&pack), chunks)?;
        Ok((pack, bytes + self.write(&index_name(&pack), encode_index(entries))?))
    }

    /// Deletes points, and then the packs that no other point names.
    pub(super) fn delete(&self, names: &[String], lock: &mut Lock) -> Result<Deleted, BackupError> {
        let doomed: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let mut deleted = Deleted::default();
        let mut needed: BTreeSet<PackId> = BTreeSet::new();
        let points = points(&*self.objects)?;
        // Every point that stays is read before anything is deleted: if one is damaged, nothing is.
        for point in points.iter().filter(|point| !doomed.contains(point.name.as_str())) {
            lock.renew()?;
            needed.extend(self.read_point(&point.name)?.packs);
        }
        lock.check()?;
        for point in points.iter().filter(|point| doomed.contains(point.name.as_str())) {
            lock.renew()?;
            self.objects.delete(&point.name)?;
            deleted.points += 1;
        }
        for prefix in [PACKS, INDEXES] {
            for object in self.objects.list(prefix)? {
                if pack_of(&object.name).is_some_and(|pack| !needed.contains(&pack)) {
                    lock.renew()?;
                    self.objects.delete(&object.name)?;
                    deleted.packs += usize::from(prefix == PACKS);
                    deleted.freed_bytes += object.bytes;
                }
            }
        }
        Ok(deleted)
    }
}

/// Unpacks the record of a point, in as much memory as it has; `None` if it is none.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let unpacking = zstd::stream::read::Decoder::with_buffer(packed).ok()?;
    let count = unpacking.take(POINT_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
    (count as u64 <= POINT_BYTES_MAX).then_some(bytes)
}

/// The key of a target, encrypted for the recipients of a key file.
pub(super) fn lock_key(
    key: &KeyFile,
    identity: &Identity,
    secrets: &Secrets,
) -> Result<LockedKey, BackupError> {
    let age = key.encrypt(&identity.key, secrets)?;
    Ok(LockedKey { fingerprint: fingerprint(&identity.key), age, recipients: key.recipients() })
}

/// The key of a target, decrypted with an identity of a key file.
pub(super) fn unlock_key(
    place: &str,
    locked: &LockedKey,
    key: Option<&KeyFile>,
) -> Result<[u8; KEY_BYTES], BackupError> {
    let for_whom = locked.recipients.join(", ");
    let Some(key) = key else {
        let text =
            format!("{place} is encrypted for {for_whom}: name the identity's file with --backup-key-file");
        return Err(BackupError::Key(text));
    };
    let opened = key.decrypt(&locked.age).and_then(|key| key.try_into().ok());
    let opened = opened.filter(|key| fingerprint(key) == locked.fingerprint);
    opened.ok_or_else(|| {
        let text = format!("{place} is encrypted for {for_whom}, and the key file has no identity of theirs");
        BackupError::Key(text)
    })
}
