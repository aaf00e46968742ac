//! Checks, rebuilds and prints whole tables without knowing the entities in them.
//!
//! [`EntityInfo`] carries what is particular to an entity as plain functions, so that `schema` can list all entities,
//! and `crier verify`, migrations and the closing check of every test can walk the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::ops::ControlFlow;

use super::entity::{Reread, blob_rows, decode, encode, reread, sample};
use super::sample::Draw;
use super::tx::{
    LOG_TABLE, META_TABLE, NUMBER_TABLE, ROWS_TABLE, RowRange, Rows, SEQUENCE, Table, parse_number, row_id,
    row_prefix,
};
use super::{BlobId, Count, Entity, Index, Key, Read, ReadTx, Store, StoreError, WriteTx, blob};

/// Tables of the engine underneath: those of this engine itself, and the one that all entities share.
pub const ENGINE_TABLES: &[&str] = &[blob::TABLE, LOG_TABLE, META_TABLE, ROWS_TABLE];

/// Problems reported per entity: more than this many tell nothing new.
const PROBLEMS_MAX: usize = 1000;

/// Rows after which a step of a rebuild ends.
const REBUILD_STEP_ROWS: usize = 10_000;

/// Records that a step of a rebuild reads at a time.
const REBUILD_PAGE: usize = 100;

/// Something wrong in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The table it is in.
    pub table: String,
    /// A description of the problem.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.table, self.what)
    }
}

/// The operations on an entity's records that need no knowledge of the entity.
#[derive(Clone, Copy)]
pub struct EntityInfo {
    /// The entity's name, which is also its table's.
    pub name: &'static str,
    /// Finds index rows and counts that disagree with the records.
    pub check: fn(&ReadTx) -> Result<Vec<Problem>, StoreError>,
    /// Rebuilds all index rows and counts; returns the number of records.
    pub rebuild: fn(&Store) -> Result<u64, StoreError>,
    /// Prints records, index rows and counts.
    pub dump: fn(&ReadTx) -> Result<String, StoreError>,
    /// The version of the entity's records.
    pub version: u8,
    /// Makes up a sample record.
    pub sample: fn(Draw) -> Result<SampleRecord, StoreError>,
    /// Stores a made-up record.
    pub put_sample: fn(&mut WriteTx<'_>, Draw) -> Result<(), StoreError>,
    /// Reads the stored form of a record, of any version, by the struct of that version; where there is none, because the
    /// versions after it only appended fields, by that of the first one after it.
    pub reread: fn(&[u8]) -> Result<Reread, StoreError>,
    /// Reads the stored form of a record, of any version, as the newest.
    pub read_as_newest: fn(&[u8]) -> Result<Reread, StoreError>,
    older_samples: fn(Draw) -> Result<Vec<SampleRecord>, StoreError>,
    indexes: fn() -> Vec<(&'static str, bool)>,
    counts: fn() -> Vec<&'static str>,
    references: fn(&ReadTx, &mut References) -> Result<(), StoreError>,
}

/// How many records refer to each blob.
type References = BTreeMap<Vec<u8>, u64>;

impl EntityInfo {
    /// The functions for one entity.
    #[must_use]
    pub const fn of<E: Entity>() -> EntityInfo {
        const {
            assert!(E::OLDER.len() + 1 == E::VERSION as usize, "`OLDER` has a row for each version before");
        }
        EntityInfo {
            name: E::TABLE,
            check: check::<E>,
            rebuild: rebuild::<E>,
            dump: dump::<E>,
            version: E::VERSION,
            sample: SampleRecord::of::<E>,
            put_sample: |tx, draw| tx.put(&sample::<E>(draw)?),
            reread: reread::<E>,
            read_as_newest: |bytes| {
                let (record, mut again) = (decode::<E>(bytes)?, Vec::new());
                encode(&record, &mut again)?;
                Ok((again, format!("{record:?}")))
            },
            older_samples: |draw| {
                let samples = E::OLDER.iter().filter_map(|older| older.sample(draw));
                samples.map(|record| SampleRecord::new::<E>(&record?)).collect()
            },
            indexes: || E::INDEXES.iter().map(|index| (index.name(), index.is_unique())).collect(),
            counts: || E::COUNTS.iter().map(|count| count.name()).collect(),
            references: collect_references::<E>,
        }
    }

    /// Every table of the entity: its own, then those of its indexes.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static str> {
        let indexes = (self.indexes)().into_iter().map(|(name, _)| name);
        std::iter::once(self.name).chain(indexes).collect()
    }

    /// The names of the entity's counts.
    #[must_use]
    pub fn count_names(&self) -> Vec<&'static str> {
        (self.counts)()
    }
}

/// A made-up record and everything that is derived from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRecord {
    /// The id under which it is stored.
    pub id: u64,
    /// Its stored form.
    pub bytes: Vec<u8>,
    /// The record as `{:?}` shows it.
    pub text: String,
    /// The keys of its rows, index by index and count by count.
    pub rows: Vec<(&'static str, Vec<u8>)>,
}

impl SampleRecord {
    fn of<E: Entity>(draw: Draw) -> Result<SampleRecord, StoreError> {
        SampleRecord::new::<E>(&sample(draw)?)
    }

    fn new<E: Entity>(record: &E) -> Result<SampleRecord, StoreError> {
        let mut bytes = Vec::new();
        encode(record, &mut bytes)?;
        let mut rows = Vec::new();
        for index in E::INDEXES {
            let keys = index.rows(record).into_iter();
            rows.extend(keys.map(|key| (index.name(), key.as_bytes().to_vec())));
        }
        for count in E::COUNTS {
            for (key, number) in count.rows(record) {
                rows.push((count.name(), [key.as_bytes(), &number.to_be_bytes()].concat()));
            }
        }
        Ok(SampleRecord { id: record.id(), bytes, text: format!("{record:?}"), rows })
    }
}

/// Describes the indexes and counts of an entity: their names, their kinds, and a hash of the rows that made-up records
/// give, among them records of older versions that were not only appended to.
///
/// The text changes when an index or a count is added, removed, or changes its meaning, or when older records are read
/// otherwise: its rows must then be rebuilt. It stays when a version only appends fields that no row is made of. An error
/// means that the entity has no samples.
pub fn fingerprint(entity: &EntityInfo) -> Result<String, StoreError> {
    let mut hash = Fnv::default();
    for draw in (0..Draw::ROUNDS).map(Draw::of_round) {
        let older = (entity.older_samples)(draw)?;
        for (name, key) in older.into_iter().chain([(entity.sample)(draw)?]).flat_map(|sample| sample.rows) {
            hash.add(name.as_bytes());
            hash.add(&key);
        }
    }
    let mut text = format!("rows {} {:016x}\n", entity.name, hash.0);
    for (name, is_unique) in (entity.indexes)() {
        text += if is_unique { "unique " } else { "multi " };
        text += name;
        text.push('\n');
    }
    for name in (entity.counts)() {
        text += "count ";
        text += name;
        text.push('\n');
    }
    Ok(text)
}

/// The hash FNV-1a. It protects against no attacker; it is used because it is the same in every build.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text and a terminator.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Finds every index row and count of an entity that disagrees with its records, and every unreadable record.
pub fn check<E: Entity>(tx: &ReadTx) -> Result<Vec<Problem>, StoreError> {
    let mut problems = Problems::default();
    let mut counted = vec![References::new(); E::COUNTS.len()];
    let mut expected = vec![0; E::INDEXES.len()];
    walk(tx, Table::shared(E::TABLE), &mut problems, |key, bytes, problems| {
        let record: E = match decode(bytes) {
            Ok(record) => record,
            Err(error) => {
                problems.add(E::TABLE, format_args!("record {}: {error}", key.escape_ascii()));
                return Ok(());
            }
        };
        if key != record.id().to_be_bytes() {
            problems
                .add(E::TABLE, format_args!("record {} is kept under {}", record.id(), key.escape_ascii()));
        }
        for (index, expected) in E::INDEXES.iter().zip(&mut expected) {
            *expected += check_rows(tx, index, &record, problems)?;
        }
        for (count, counted) in E::COUNTS.iter().zip(&mut counted) {
            for (row, number) in count.rows(&record) {
                *counted.entry(row.as_bytes().to_vec()).or_default() += number;
            }
        }
        Ok(())
    })?;
    for (index, expected) in E::INDEXES.iter().zip(expected) {
        // Where every row that there should be is there, and there are no more, none is astray.
        if !problems.0.is_empty() || count_rows(tx, Table::shared(index.name()))? != expected {
            check_strays(tx, index, &mut problems)?;
        }
    }
    for (count, counted) in E::COUNTS.iter().zip(counted) {
        check_numbers(tx, count.name(), counted, &mut problems)?;
    }
    Ok(problems.0)
}

/// Checks that each row that the record gives exists and leads to it; returns their number.
fn check_rows<E: Entity>(
    tx: &ReadTx,
    index: &Index<E>,
    record: &E,
    problems: &mut Problems,
) -> Result<usize, StoreError> {
    let rows = index.rows(record);
    for row in &rows {
        let id = tx.view(Table::shared(index.name()), row.as_bytes(), |value| {
            row_id(index, row.as_bytes(), value)
        })?;
        match id {
            None => problems.add(index.name(), format_args!("{row:?} of record {} is missing", record.id())),
            Some(Err(error)) => problems.add(index.name(), format_args!("{row:?}: {error}")),
            Some(Ok(id)) if id != record.id() => problems
                .add(index.name(), format_args!("{row:?} leads to {id} instead of record {}", record.id())),
            Some(Ok(_)) => {}
        }
    }
    Ok(rows.len())
}

fn count_rows(tx: &ReadTx, table: Table) -> Result<usize, StoreError> {
    let mut rows = 0;
    tx.visit(table, &RowRange::all(), |_, _| {
        rows += 1;
        ControlFlow::<()>::Continue(())
    })?;
    Ok(rows)
}

/// Checks that each row of the index comes from the record to which it leads.
fn check_strays<E: Entity>(tx: &ReadTx, index: &Index<E>, problems: &mut Problems) -> Result<(), StoreError> {
    walk(tx, Table::shared(index.name()), problems, |key, value, problems| {
        let row = Key::from_row(key);
        let id = match row_id(index, key, value) {
            Ok(id) => id,
            Err(error) => {
                problems.add(index.name(), format_args!("{row:?}: {error}"));
                return Ok(());
            }
        };
        match tx.get::<E>(id) {
            Ok(Some(record)) if index.rows(&record).contains(&row) => {}
            Ok(Some(_)) => problems.add(index.name(), format_args!("{row:?} is not of record {id}")),
            Ok(None) => problems.add(index.name(), format_args!("{row:?} leads to {id}, which is not there")),
            // Reported with the records.
            Err(StoreError::Corrupt { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    })
}

/// Compares the stored numbers of a name with the counted ones.
fn check_numbers(
    tx: &ReadTx,
    name: &'static str,
    mut counted: References,
    problems: &mut Problems,
) -> Result<(), StoreError> {
    walk_numbers(tx, name, problems, |key, value, problems| {
        let expected = counted.remove(key).unwrap_or(0);
        match parse_number(name, value) {
            Ok(number) if number == expected => {}
            Ok(number) => {
                problems.add(name, format_args!("{} is {number} instead of {expected}", key.escape_ascii()));
            }
            Err(error) => problems.add(name, format_args!("{}: {error}", key.escape_ascii())),
        }
        Ok(())
    })?;
    for (key, expected) in counted {
        problems.add(name, format_args!("{} is missing instead of {expected}", key.escape_ascii()));
    }
    Ok(())
}

/// Finds blobs that are damaged, that no record refers to, or that are missing, and numbers that belong to no known
/// name. Records of every kind share blobs and numbers, so this needs all entities together.
pub fn check_shared(tx: &ReadTx, entities: &[EntityInfo]) -> Result<Vec<Problem>, StoreError> {
    let mut references = References::new();
    for entity in entities {
        (entity.references)(tx, &mut references)?;
    }
    let mut problems = Problems::default();
    for key in references.keys() {
        let id = BlobId(parse_number(blob::REFERENCES, key)?);
        match tx.blob(id) {
            Ok(_) => {}
            Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. })) => {
                problems.add(blob::TABLE, error);
            }
            Err(error) => return Err(error),
        }
    }
    walk(tx, blob::CHUNKS, &mut problems, |key, _, problems| {
        let is_named = key.first_chunk::<8>().is_some_and(|id| references.contains_key(id.as_slice()));
        if !is_named {
            problems.add(
                blob::TABLE,
                format_args!("chunk {} belongs to nothing that is named", key.escape_ascii()),
            );
        }
        Ok(())
    })?;
    references.retain(|_, number| blob::REFERENCES_WITHOUT_ROW < *number);
    check_numbers(tx, blob::REFERENCES, references, &mut problems)?;
    check_number_names(tx, entities, &mut problems)?;
    check_prefixes(tx, entities, &mut problems)?;
    Ok(problems.0)
}

fn check_number_names(
    tx: &ReadTx,
    entities: &[EntityInfo],
    problems: &mut Problems,
) -> Result<(), StoreError> {
    let mut known = vec![blob::REFERENCES, SEQUENCE];
    known.extend(entities.iter().flat_map(|entity| (entity.counts)()));
    walk(tx, Table::shared(NUMBER_TABLE), problems, |row, _, problems| {
        let name = row.split(|octet| *octet == 0).next().unwrap_or_default();
        if !known.iter().any(|known| known.as_bytes() == name) {
            problems.add(NUMBER_TABLE, format_args!("nothing counts {}", row.escape_ascii()));
        }
        Ok(())
    })
}

/// Finds rows of the shared table that belong to no known table.
fn check_prefixes(tx: &ReadTx, entities: &[EntityInfo], problems: &mut Problems) -> Result<(), StoreError> {
    let names = entities.iter().flat_map(EntityInfo::tables).chain([NUMBER_TABLE]);
    let known: BTreeSet<[u8; 4]> = names.map(row_prefix).collect();
    walk(tx, Table::apart(ROWS_TABLE), problems, |row, _, problems| {
        if !row.first_chunk::<4>().is_some_and(|prefix| known.contains(prefix)) {
            problems.add(ROWS_TABLE, format_args!("no table has the row {}", row.escape_ascii()));
        }
        Ok(())
    })
}

fn collect_references<E: Entity>(tx: &ReadTx, references: &mut References) -> Result<(), StoreError> {
    walk(tx, Table::shared(E::TABLE), &mut Problems::default(), |_, bytes, _| {
        // Unreadable records are reported by the check of their entity.
        for row in decode::<E>(bytes).iter().flat_map(blob_rows) {
            *references.entry(row.as_bytes().to_vec()).or_default() += 1;
        }
        Ok(())
    })
}

/// Rebuilds all index rows and counts of an entity from its records, in bounded jobs. If it is interrupted, it must be
/// run again before the entity is used.
///
/// # Panics
/// In asynchronous code, which must not block.
pub fn rebuild<E: Entity>(store: &Store) -> Result<u64, StoreError> {
    for index in E::INDEXES {
        while store.write_blocking(|tx| tx.clear_rows(Table::shared(index.name()), REBUILD_STEP_ROWS))? != 0 {
        }
    }
    for count in E::COUNTS {
        while store.write_blocking(|tx| tx.clear_numbers(count.name(), REBUILD_STEP_ROWS))? != 0 {}
    }
    let (mut after_id, mut records) = (0, 0);
    loop {
        let step = store.write_blocking(move |tx| {
            let mut last = None;
            let mut done = 0;
            for record in tx.all::<E>(after_id, REBUILD_PAGE)? {
                tx.move_derived(None, Some(&record))?;
                (last, done) = (Some(record.id()), done + 1);
                if REBUILD_STEP_ROWS < tx.job_changes() {
                    break;
                }
            }
            Ok::<_, StoreError>((last, done))
        })?;
        let (Some(last), done) = step else { return Ok(records) };
        (after_id, records) = (last, records + done);
    }
}

/// Prints the records, index rows and counts of an entity, a line each, for state snapshots in tests.
pub fn dump<E: Entity>(tx: &ReadTx) -> Result<String, StoreError> {
    let mut text = format!("{}\n", E::TABLE);
    let mut print = |line: fmt::Arguments<'_>| {
        writeln!(text, "  {line}").expect("a string takes any text");
    };
    let mut none = Problems::default();
    walk(tx, Table::shared(E::TABLE), &mut none, |_, bytes, _| {
        print(format_args!("{:?}", decode::<E>(bytes)?));
        Ok(())
    })?;
    for name in E::INDEXES.iter().map(|index: &&Index<E>| index.name()) {
        walk(tx, Table::shared(name), &mut none, |key, value, _| {
            print(format_args!("{name} {} {}", key.escape_ascii(), value.escape_ascii()));
            Ok(())
        })?;
    }
    for name in E::COUNTS.iter().map(|count: &&Count<E>| count.name()) {
        walk_numbers(tx, name, &mut none, |key, value, _| {
            print(format_args!("{name} {} {}", key.escape_ascii(), parse_number(name, value)?));
            Ok(())
        })?;
    }
    Ok(text)
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, table: &str, what: impl fmt::Display) {
        self.0.push(Problem { table: table.to_owned(), what: what.to_string() });
    }
}

/// Passes every row of a table to `each`, until there are too many problems.
fn walk(
    tx: &ReadTx,
    table: Table,
    problems: &mut Problems,
    mut each: impl FnMut(&[u8], &[u8], &mut Problems) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let ended = tx.visit(table, &RowRange::all(), |key, value| {
        let done = each(key, value, problems);
        unless_too_many(done, problems)
    })?;
    ended.unwrap_or(Ok(()))
}

/// Passes the numbers of a name to `each`, until there are too many problems.
fn walk_numbers(
    tx: &ReadTx,
    name: &'static str,
    problems: &mut Problems,
    mut each: impl FnMut(&[u8], &[u8], &mut Problems) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let ended = tx.visit_numbers(name, |key, value| {
        let done = each(key, value, problems);
        unless_too_many(done, problems)
    })?;
    ended.unwrap_or(Ok(()))
}

/// Ends a walk after an error, or when there are too many problems.
fn unless_too_many(done: Result<(), StoreError>, problems: &Problems) -> ControlFlow<Result<(), StoreError>> {
    match done {
        Err(error) => ControlFlow::Break(Err(error)),
        Ok(()) if PROBLEMS_MAX <= problems.0.len() => ControlFlow::Break(Ok(())),
        Ok(()) => ControlFlow::Continue(()),
    }
}
