//! Declares what an entity is: its table, its version, its indexes and its counts.
//!
//! Declarations only: `tx` derives rows from them, and is the only module that writes rows.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::sample::{Draw, sample_of};
use super::{BlobId, Key, StoreError, WriteTx};

/// Largest stored record. A record is a unit of work, not a container: data that grows without bound is many records.
pub const RECORD_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A record kept under an id, together with all rows derived from it.
///
/// The stored form is one version byte and bincode of the plain derived fields. bincode has no names and no
/// defaults: a changed field is a new [`VERSION`](Entity::VERSION). Records of [`OLDER`](Entity::OLDER) versions are read
/// as the newest, and are written as the newest when they are next changed.
pub trait Entity: Serialize + DeserializeOwned + Debug + Sized + Send + 'static {
    /// The table of the records, the entity's name.
    const TABLE: &'static str;

    /// The version, stored before each record.
    const VERSION: u8 = 1;

    /// How records of each earlier version are read, from version 1 on.
    const OLDER: &'static [Older<Self>] = &[];

    /// Every index of the entity.
    const INDEXES: &'static [&'static Index<Self>];

    /// Every count of the entity.
    const COUNTS: &'static [&'static Count<Self>] = &[];

    /// The number under which the record is kept, drawn from `next_id`.
    fn id(&self) -> u64;

    /// The account the record belongs to, 0 for none. [`Store::generation`](super::Store::generation) counts changes by
    /// it.
    fn scope(&self) -> u64;

    /// The raw messages to which the record holds a reference.
    fn blobs(&self) -> Vec<BlobId> {
        Vec::new()
    }

    /// Replaces the number of each of these messages by the one that `renumber` gives for it: another data file has
    /// numbers of its own.
    fn renumber_blobs(&mut self, _renumber: &mut dyn FnMut(u64) -> u64) {}

    /// Writes in the same job what has to be kept of a record that was changed, or deleted if there is no `new`. A
    /// record of this kind cannot change without it.
    fn keep_of_change(_tx: &mut WriteTx<'_>, _old: &Self, _new: Option<&Self>) -> Result<(), StoreError> {
        Ok(())
    }

    /// Notes, for the function that runs at the end of the job ([`WriteTx::note`]), that a record was made (there is no
    /// `old`), changed or deleted (there is no `new`).
    fn tell_of_change(_tx: &mut WriteTx<'_>, _old: Option<&Self>, _new: Option<&Self>) {}
}

/// A way to find records other than by id. The index's name is that of its table, `entity.by_field`.
pub struct Index<E> {
    name: &'static str,
    unique: bool,
    keys: fn(&E) -> Vec<Key>,
}

impl<E> Index<E> {
    /// An index in which a key belongs to at most one record.
    #[must_use]
    pub const fn unique(name: &'static str, keys: fn(&E) -> Vec<Key>) -> Index<E> {
        Index { name, unique: true, keys }
    }

    /// An index in which records may share a key; within a key they are in the order of their ids.
    #[must_use]
    pub const fn multi(name: &'static str, keys: fn(&E) -> Vec<Key>) -> Index<E> {
        Index { name, unique: false, keys }
    }

    /// The index's name, which is also the table's.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a key belongs to at most one record.
    #[must_use]
    pub const fn is_unique(&self) -> bool {
        self.unique
    }
}

impl<E: Entity> Index<E> {
    /// The keys of the rows that the record has in this index, in order and each once. To resume a scan after the
    /// record, pass one to [`IndexRange::after`](super::IndexRange::after).
    #[must_use]
    pub fn rows(&self, record: &E) -> Vec<Key> {
        let mut rows = (self.keys)(record);
        if !self.unique {
            rows = rows.into_iter().map(|key| key.u64(record.id())).collect();
        }
        in_order_once(rows)
    }
}

/// A number kept per key: how many records give that key, or the sum of the values they give for it. All numbers share
/// one table, where the rows of this count begin with its name, `entity.per_field`.
pub struct Count<E> {
    name: &'static str,
    parts: Parts<E>,
}

enum Parts<E> {
    /// Counts one for each key.
    Records(fn(&E) -> Vec<Key>),
    /// Adds this value to each key.
    Sums(fn(&E) -> Vec<(Key, u64)>),
}

impl<E> Count<E> {
    /// Counts the records that give a key; a record counts once however often it gives the same key.
    #[must_use]
    pub const fn new(name: &'static str, keys: fn(&E) -> Vec<Key>) -> Count<E> {
        Count { name, parts: Parts::Records(keys) }
    }

    /// Sums up what records give for a key; a record gives each key once.
    #[must_use]
    pub const fn sum(name: &'static str, parts: fn(&E) -> Vec<(Key, u64)>) -> Count<E> {
        Count { name, parts: Parts::Sums(parts) }
    }

    /// The count's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The keys under which the record counts, with the value it adds to each, in order and each once.
    pub(super) fn rows(&self, record: &E) -> Vec<(Key, u64)> {
        match self.parts {
            Parts::Records(keys) => in_order_once(keys(record)).into_iter().map(|key| (key, 1)).collect(),
            Parts::Sums(parts) => {
                // Nothing added is no row.
                let mut rows: Vec<(Key, u64)> =
                    parts(record).into_iter().filter(|(_, number)| *number != 0).collect();
                rows.sort_unstable();
                debug_assert!(rows.is_sorted_by(|row, next| row.0 < next.0), "{} has a key twice", self.name);
                rows
            }
        }
    }
}

/// A table of bytes under keys, whose form its owner alone knows: for what is derived from many records together, such as
/// the index of a search. It has no ids, indexes or counts; its owner checks it.
#[derive(Debug)]
pub struct BlockTable(&'static str);

impl BlockTable {
    /// A table of this name.
    #[must_use]
    pub const fn new(name: &'static str) -> BlockTable {
        BlockTable(name)
    }

    /// The table's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.0
    }
}

/// The blobs the record refers to as rows of the reference counts, in order and each once.
pub(super) fn blob_rows<E: Entity>(record: &E) -> Vec<Key> {
    in_order_once(record.blobs().into_iter().map(BlobId::key).collect())
}

fn in_order_once(mut rows: Vec<Key>) -> Vec<Key> {
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Whether two records are stored as the same bytes. Values that are equal can be written differently, as
/// mail addresses can be; a change of the writing alone must be stored, too.
pub fn is_stored_alike<E: Entity>(one: &E, other: &E) -> Result<bool, StoreError> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    encode(one, &mut first)?;
    encode(other, &mut second)?;
    Ok(first == second)
}

/// A record as it is stored, to be kept inside of another record: it is read again whatever versions come after it.
pub fn record_to_bytes<E: Entity>(record: &E) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    encode(record, &mut bytes)?;
    Ok(bytes)
}

/// The record that [`record_to_bytes`] kept, in the form of the newest version.
pub fn record_from_bytes<E: Entity>(bytes: &[u8]) -> Result<E, StoreError> {
    decode(bytes)
}

/// Appends the stored form of a record to `out`.
pub(super) fn encode<E: Entity>(record: &E, out: &mut Vec<u8>) -> Result<(), StoreError> {
    encode_as(E::TABLE, E::VERSION, record, out)
}

fn encode_as(
    table: &'static str,
    version: u8,
    record: &impl Serialize,
    out: &mut Vec<u8>,
) -> Result<(), StoreError> {
    let start = out.len();
    out.push(version);
    append(table, record, out)?;
    if RECORD_BYTES_MAX < out.len() - start {
        return Err(StoreError::RecordTooLarge { table });
    }
    Ok(())
}

fn append(table: &'static str, values: &impl Serialize, out: &mut Vec<u8>) -> Result<(), StoreError> {
    bincode::serde::encode_into_std_write(values, out, bincode::config::standard())
        .map(drop)
        .map_err(|error| StoreError::corrupt(table, format_args!("cannot be stored: {error}")))
}

/// Reads the stored form of a record, of the newest version or an older one. Whatever the bytes are, this neither panics
/// nor allocates past [`RECORD_BYTES_MAX`].
pub(super) fn decode<E: Entity>(bytes: &[u8]) -> Result<E, StoreError> {
    match bytes.split_first() {
        Some((version, body)) if *version == E::VERSION => decode_body(E::TABLE, body),
        Some((version, body)) => decode_older(*version, body),
        None => Err(StoreError::corrupt(E::TABLE, "empty record")),
    }
}

fn decode_body<R: DeserializeOwned>(table: &'static str, body: &[u8]) -> Result<R, StoreError> {
    let corrupt = |reason: std::fmt::Arguments<'_>| StoreError::corrupt(table, reason);
    let config = bincode::config::standard().with_limit::<RECORD_BYTES_MAX>();
    let (record, used) =
        bincode::serde::decode_from_slice(body, config).map_err(|error| corrupt(format_args!("{error}")))?;
    if used != body.len() {
        return Err(corrupt(format_args!("{} bytes after the record", body.len() - used)));
    }
    Ok(record)
}

#[cold]
fn decode_older<E: Entity>(version: u8, body: &[u8]) -> Result<E, StoreError> {
    let Grown { body, frozen, .. } = grown::<E>(version, body)?;
    frozen.map_or_else(|| decode_body(E::TABLE, &body), |frozen| (frozen.decode)(&body))
}

/// The stored form of a record, and the record as `{:?}` shows it.
pub type Reread = (Vec<u8>, String);

/// The stored form of a record, written again by the struct that reads it, and the record as `{:?}` shows it. That struct
/// is of the record's version, or, where the versions after it only appended fields, of the first after it that has one.
pub(super) fn reread<E: Entity>(bytes: &[u8]) -> Result<Reread, StoreError> {
    let (version, body) = bytes.split_first().ok_or_else(|| StoreError::corrupt(E::TABLE, "empty record"))?;
    if *version == E::VERSION {
        return reread_by::<E>(E::TABLE, E::VERSION, body);
    }
    let Grown { version, body, frozen } = grown::<E>(*version, body)?;
    match frozen {
        Some(frozen) => (frozen.reread)(version, &body),
        None => reread_by::<E>(E::TABLE, version, &body),
    }
}

fn reread_by<R>(table: &'static str, version: u8, body: &[u8]) -> Result<Reread, StoreError>
where
    R: Serialize + DeserializeOwned + Debug,
{
    let record: R = decode_body(table, body)?;
    let mut again = Vec::new();
    encode_as(table, version, &record, &mut again)?;
    Ok((again, format!("{record:?}")))
}

/// A made-up record.
pub fn sample<E: Entity>(draw: Draw) -> Result<E, StoreError> {
    sample_of(E::TABLE, draw)
}

/// How records of an older version are read. Its place in [`Entity::OLDER`] says which version it is.
#[derive(Debug)]
pub struct Older<E>(Way<E>);

#[derive(Debug)]
enum Way<E> {
    /// The next version has more fields, which begin with these values.
    Without(fn() -> Result<Vec<u8>, StoreError>),
    /// A struct of its own reads it.
    Frozen(Frozen<E>),
}

#[derive(Debug)]
struct Frozen<E> {
    decode: fn(&[u8]) -> Result<E, StoreError>,
    reread: fn(u8, &[u8]) -> Result<Reread, StoreError>,
    sample: fn(Draw) -> Result<E, StoreError>,
}

/// A version that records of an entity had, as a plain struct that never changes.
pub trait OldRecord: Serialize + DeserializeOwned + Debug {
    /// The entity.
    type Newest: Entity;

    /// The record in the newest form.
    fn newest(self) -> Self::Newest;
}

impl<E: Entity> Older<E> {
    /// A version whose records have the fields of the next one but for the last of them. `values` are those that the
    /// missing fields get, in [`stored`] form.
    #[must_use]
    pub const fn without(values: fn() -> Result<Vec<u8>, StoreError>) -> Older<E> {
        Older(Way::Without(values))
    }

    /// A version that differs in another way from the one that followed, such as within a field.
    #[must_use]
    pub const fn of<Old: OldRecord<Newest = E>>() -> Older<E> {
        Older(Way::Frozen(Frozen {
            decode: |body| decode_body::<Old>(E::TABLE, body).map(Old::newest),
            reread: |version, body| reread_by::<Old>(E::TABLE, version, body),
            sample: |draw| sample_of::<Old>(E::TABLE, draw).map(Old::newest),
        }))
    }

    /// A made-up record of this version in the newest form; `None` where the versions after it only appended fields,
    /// which changes no other field.
    pub(super) fn sample(&self, draw: Draw) -> Option<Result<E, StoreError>> {
        match &self.0 {
            Way::Without(_) => None,
            Way::Frozen(frozen) => Some((frozen.sample)(draw)),
        }
    }
}

/// The stored form of a value, or of several that are given as a tuple. Each must be of the very type of its field:
/// numbers of different types are stored differently.
pub fn stored(values: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let mut out = Vec::new();
    append("older record", values, &mut out)?;
    Ok(out)
}

/// The body of an older record, with the fields that were appended since.
struct Grown<E: 'static> {
    /// The version that it has with them.
    version: u8,
    body: Vec<u8>,
    /// The struct that reads it; `None` for the newest version.
    frozen: Option<&'static Frozen<E>>,
}

/// Appends fields to the body of an older record until there is a struct that reads it.
fn grown<E: Entity>(version: u8, body: &[u8]) -> Result<Grown<E>, StoreError> {
    let newest = E::VERSION;
    if version == 0 || newest < version {
        let reason = format_args!("version {version} where {newest} was expected");
        return Err(StoreError::corrupt(E::TABLE, reason));
    }
    let mut body = body.to_vec();
    for (version, older) in (1..newest).zip(E::OLDER).skip(usize::from(version) - 1) {
        match &older.0 {
            Way::Without(values) => body.append(&mut values()?),
            Way::Frozen(frozen) => return Ok(Grown { version, body, frozen: Some(frozen) }),
        }
    }
    Ok(Grown { version: newest, body, frozen: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        id: u64,
        words: Vec<String>,
    }

    static BY_WORD: Index<Note> =
        Index::multi("note.by_word", |note| note.words.iter().map(|word| Key::new().text(word)).collect());

    impl Entity for Note {
        const TABLE: &'static str = "note";
        const INDEXES: &'static [&'static Index<Note>] = &[&BY_WORD];

        fn id(&self) -> u64 {
            self.id
        }

        fn scope(&self) -> u64 {
            0
        }
    }

    fn note() -> Note {
        Note { id: 3, words: vec!["b".into(), "a".into(), "b".into()] }
    }

    #[test]
    fn a_record_has_each_row_once_and_in_order() {
        let expected = [Key::new().text("a").u64(3), Key::new().text("b").u64(3)];
        assert_eq!(BY_WORD.rows(&note()), expected);
    }

    #[test]
    fn damaged_records_are_reported_and_never_panic() {
        let mut bytes = Vec::new();
        encode(&note(), &mut bytes).unwrap();
        assert_eq!(decode::<Note>(&bytes).unwrap(), note());
        for cut in 0..bytes.len() {
            assert!(matches!(decode::<Note>(&bytes[..cut]), Err(StoreError::Corrupt { .. })));
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(decode::<Note>(&longer).is_err());
        for version in [0, 2] {
            bytes[0] = version;
            let refused = decode::<Note>(&bytes).unwrap_err().to_string();
            assert!(refused.contains(&format!("version {version} where 1 was expected")), "{refused}");
        }
    }

    #[test]
    fn a_record_that_claims_to_be_huge_is_refused_before_memory_is_taken() {
        // Version, id, then a vector that claims 2^60 words.
        let bytes = [1, 3, 253, 0, 0, 0, 0, 0, 0, 0, 16];
        assert!(matches!(decode::<Note>(&bytes), Err(StoreError::Corrupt { .. })));
    }
}
