//! Finds records: the [`Read`] methods, and the snapshot they read from.
//!
//! Operations and the API read through it, in a snapshot or inside a write job. Nothing here changes a row or waits.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;
use std::sync::Arc;

use redb::ReadableTable;

use super::place::Place;
use super::recent::Changes;
use super::{IndexRange, META, RowRange, Rows, SEQUENCE, Table, as_slices, parse_number, visit_table};
use crate::store::entity::decode;
use crate::store::snapshot::{Snapshot, SnapshotTable};
use crate::store::{BlobId, BlockTable, Count, Entity, Index, Key, StoreError, blob};

/// A row of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The whole key; [`KeyReader`](crate::store::KeyReader) takes it apart.
    pub key: Key,
    /// The id of the record it leads to.
    pub id: u64,
}

/// Every way to find records. No method walks more rows than the caller's limit or callback
/// asks for, and those that were deleted since the log was last merged, some thousand at most.
pub trait Read: Rows + Sized {
    /// The record with this id, if there is one.
    fn get<E: Entity>(&self, id: u64) -> Result<Option<E>, StoreError> {
        self.view(Table::shared(E::TABLE), &id.to_be_bytes(), decode)?.transpose()
    }

    /// The record with this key in a unique index.
    fn find<E: Entity>(&self, index: &Index<E>, key: &Key) -> Result<Option<E>, StoreError> {
        let Some(id) = self.find_id(index, key)? else { return Ok(None) };
        Ok(self.indexed(index, &[id])?.pop())
    }

    /// The id of the record with this key in a unique index.
    fn find_id<E: Entity>(&self, index: &Index<E>, key: &Key) -> Result<Option<u64>, StoreError> {
        debug_assert!(index.is_unique(), "{} may hold several records under one key", index.name());
        self.view(Table::shared(index.name()), key.as_bytes(), |bytes| parse_number(index.name(), bytes))?
            .transpose()
    }

    /// Whether any record has this key, in an index of either kind.
    fn exists<E: Entity>(&self, index: &Index<E>, key: &Key) -> Result<bool, StoreError> {
        if index.is_unique() {
            return Ok(self.view(Table::shared(index.name()), key.as_bytes(), |_| ())?.is_some());
        }
        Ok(self.first_row(index, &IndexRange::prefix(key.clone()))?.is_some())
    }

    /// The ids of the first `limit` rows of a range.
    fn ids<E: Entity>(
        &self,
        index: &Index<E>,
        range: &IndexRange,
        limit: usize,
    ) -> Result<Vec<u64>, StoreError> {
        let mut ids = Vec::new();
        if 0 < limit {
            self.scan(index, range, |_, id| {
                ids.push(id);
                if ids.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
        }
        Ok(ids)
    }

    /// The records of the first `limit` rows of a range.
    fn page<E: Entity>(
        &self,
        index: &Index<E>,
        range: &IndexRange,
        limit: usize,
    ) -> Result<Vec<E>, StoreError> {
        let ids = self.ids(index, range, limit)?;
        self.indexed(index, &ids)
    }

    /// The records of these ids, in the same order. Neighbours are read in one walk, so ascending ids that lie
    /// close together cost much less than as many look-ups.
    fn records<E: Entity>(&self, ids: &[u64]) -> Result<Vec<Option<E>>, StoreError> {
        let mut records = Vec::with_capacity(ids.len());
        for run in runs(ids) {
            match run {
                [id] => records.push(self.get(*id)?),
                run => walk(self, run, &mut records)?,
            }
        }
        Ok(records)
    }

    /// Passes the rows of a range to `each`, the whole key and the record's id, until it breaks off; returns the value
    /// it broke off with. `each` may read from this transaction.
    fn scan<E: Entity, B>(
        &self,
        index: &Index<E>,
        range: &IndexRange,
        mut each: impl FnMut(&[u8], u64) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        let found = self.visit(Table::shared(index.name()), &range.rows(), |key, value| {
            match row_id(index, key, value) {
                Ok(id) => each(key, id).map_break(Ok),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        })?;
        found.transpose()
    }

    /// The first row of a range: one seek, however many rows lie before or behind it, but for those that were
    /// deleted lately.
    fn first_row<E: Entity>(&self, index: &Index<E>, range: &IndexRange) -> Result<Option<Row>, StoreError> {
        self.scan(index, range, |key, id| ControlFlow::Break(Row { key: Key::from_row(key), id }))
    }

    /// The number of records that give `key`, or the sum of their values. One point read.
    fn count<E: Entity>(&self, count: &Count<E>, key: &Key) -> Result<u64, StoreError> {
        self.number(count.name(), key.as_bytes())
    }

    /// The first `limit` records with an id above `after_id`, in the order of ids.
    fn all<E: Entity>(&self, after_id: u64, limit: usize) -> Result<Vec<E>, StoreError> {
        let mut records = Vec::new();
        if limit == 0 {
            return Ok(records);
        }
        let range = RowRange::after(&after_id.to_be_bytes());
        let failed = self.visit(Table::shared(E::TABLE), &range, |_, bytes| match decode(bytes) {
            Ok(record) => {
                records.push(record);
                if records.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(Ok(())) }
            }
            Err(error) => ControlFlow::Break(Err(error)),
        })?;
        failed.transpose().map(|_| records)
    }

    /// The highest id of a record of this entity that is not above `max`.
    fn last_id<E: Entity>(&self, max: u64) -> Result<Option<u64>, StoreError> {
        let range = RowRange::up_to(&max.to_be_bytes());
        let found = self.visit(Table::shared(E::TABLE), &range, |key, _| {
            ControlFlow::Break(parse_number(E::TABLE, key))
        })?;
        found.transpose()
    }

    /// The last number that was drawn for this entity; 0 if none was.
    fn last_drawn_id<E: Entity>(&self) -> Result<u64, StoreError> {
        self.number(SEQUENCE, E::TABLE.as_bytes())
    }

    /// The block under a key.
    fn block(&self, table: &BlockTable, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        self.view(Table::apart(table.name()), key.as_bytes(), <[u8]>::to_vec)
    }

    /// Passes the blocks of a range to `each`, key and bytes, until it breaks off; returns the value it broke off with.
    fn blocks<B>(
        &self,
        table: &BlockTable,
        range: &IndexRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        self.visit(Table::apart(table.name()), &range.rows(), each)
    }

    /// The bytes of a blob.
    fn blob(&self, id: BlobId) -> Result<Vec<u8>, StoreError> {
        blob::read(self, id)
    }

    /// The length of a blob.
    fn blob_length(&self, id: BlobId) -> Result<u64, StoreError> {
        blob::length(self, id)
    }

    /// The bytes of a blob in a range, as far as it has them. Only the chunks that hold them are read, so a reader that
    /// asks for one range after another, each in a snapshot of its own, needs the memory of one range.
    fn blob_range(&self, id: BlobId, range: Range<u64>) -> Result<Vec<u8>, StoreError> {
        blob::read_range(self, id, range)
    }

    /// A fact about the file itself, such as its version.
    fn meta(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.view(META, name.as_bytes(), <[u8]>::to_vec)
    }

    /// The records to which rows of an index lead.
    fn indexed<E: Entity>(&self, index: &Index<E>, ids: &[u64]) -> Result<Vec<E>, StoreError> {
        let missing =
            |id| StoreError::corrupt(index.name(), format_args!("leads to {id}, which is not there"));
        let records = self.records(ids)?;
        records.into_iter().zip(ids).map(|(record, id)| record.ok_or_else(|| missing(id))).collect()
    }
}

impl<R: Rows> Read for R {}

/// Ids that one walk may step over on its way to the next wanted one: a step costs a small part of a look-up.
const IDS_BETWEEN_MAX: u64 = 8;

/// Splits ids into runs that ascend in small steps: runs that one walk reads faster than look-ups do.
pub fn runs(ids: &[u64]) -> impl Iterator<Item = &[u64]> {
    ids.chunk_by(|id, next| next.checked_sub(*id).is_some_and(|step| (1..=IDS_BETWEEN_MAX).contains(&step)))
}

/// Appends the records of a run, read in one walk.
fn walk<E: Entity>(tx: &impl Rows, run: &[u64], records: &mut Vec<Option<E>>) -> Result<(), StoreError> {
    let [first, .., last] = run else { return Ok(()) };
    let range = RowRange::between(&first.to_be_bytes(), &last.to_be_bytes());
    let mut wanted = run.iter().copied().peekable();
    let failed = tx.visit(Table::shared(E::TABLE), &range, |key, bytes| {
        let record = parse_number(E::TABLE, key).and_then(|id| {
            // Ids that were passed have no record.
            records.extend(std::iter::from_fn(|| wanted.next_if(|wanted| *wanted < id)).map(|_| None));
            wanted.next_if_eq(&id).map(|_| decode(bytes)).transpose()
        });
        match record {
            Ok(record) => {
                records.extend(record.map(Some));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        }
    })?;
    records.extend(wanted.map(|_| None));
    failed.map_or(Ok(()), Err)
}

/// The id in a row: in the value of a unique key, at the end of a shared one.
pub(in crate::store) fn row_id<E>(index: &Index<E>, key: &[u8], value: &[u8]) -> Result<u64, StoreError> {
    let id = if index.is_unique() { value } else { key.last_chunk::<8>().map_or(&[][..], |id| &id[..]) };
    parse_number(index.name(), id)
}

/// The data as it was when the transaction began, whatever is written meanwhile.
///
/// Readers never wait and never hold up the writer; but the pages a snapshot needs are not reused while it
/// lives, so drop it before waiting for anything.
pub struct ReadTx {
    snapshot: Arc<Snapshot>,
    /// The tables read so far: a handful, for which a list is faster than a map.
    tables: RefCell<Vec<(&'static str, SnapshotTable)>>,
    /// Keeps it on its thread, and so out of every await of a task that may change threads: nothing waits for a network
    /// or a client while a snapshot keeps its pages.
    not_send: PhantomData<Rc<()>>,
}

impl ReadTx {
    pub(in crate::store) fn new(snapshot: Arc<Snapshot>) -> ReadTx {
        ReadTx { snapshot, tables: RefCell::default(), not_send: PhantomData }
    }

    /// The names of all tables in the file, in order.
    pub fn table_names(&self) -> Result<Vec<String>, StoreError> {
        self.snapshot.table_names()
    }

    /// How many records an entity has; walks all of them.
    pub fn record_count(&self, entity: &'static str) -> Result<u64, StoreError> {
        let mut count = 0;
        self.visit(Table::shared(entity), &RowRange::all(), |_, _| {
            count += 1;
            ControlFlow::<()>::Continue(())
        })?;
        Ok(count)
    }

    fn place(&self, table: Table) -> Result<Place, StoreError> {
        let has_separate_tables =
            !table.is_apart() && self.snapshot.checked(self.snapshot.has_separate_tables())?;
        Ok(table.place(has_separate_tables))
    }

    fn table(&self, name: &'static str) -> Result<SnapshotTable, StoreError> {
        if let Some((_, table)) = self.tables.borrow().iter().find(|(known, _)| *known == name) {
            return Ok(table.clone());
        }
        let table = self.snapshot.checked(self.snapshot.table(name))?;
        self.tables.borrow_mut().push((name, table.clone()));
        Ok(table)
    }
}

impl Rows for ReadTx {
    fn view<T>(
        &self,
        table: Table,
        key: &[u8],
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, StoreError> {
        let place = self.place(table)?;
        let key = place.key(key);
        if place.is_shared()
            && let Some((_, value)) = self.snapshot.recent()?.get(&key)
        {
            return Ok(value.map(look));
        }
        let Some(table) = self.table(place.table)? else { return Ok(None) };
        let value = self.snapshot.checked(ReadableTable::get(&*table, &*key).map_err(StoreError::from))?;
        Ok(value.map(|value| look(value.value())))
    }

    fn visit<B>(
        &self,
        table: Table,
        range: &RowRange,
        each: impl FnMut(&[u8], &[u8]) -> ControlFlow<B>,
    ) -> Result<Option<B>, StoreError> {
        if range.is_empty() {
            return Ok(None);
        }
        let place = self.place(table)?;
        let bounds = place.bounds(range);
        let mut changes = Changes::new(range.is_backward());
        if place.is_shared() {
            let (from, to) = as_slices(&bounds);
            changes.add_recent(self.snapshot.recent()?, from, to);
        }
        let table = self.table(place.table)?;
        self.snapshot.checked(visit_table(table.as_deref(), place, &bounds, changes, each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, StoreOptions};

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Note(u64);

    impl Entity for Note {
        const TABLE: &'static str = "note";
        const INDEXES: &'static [&'static Index<Note>] = &[];

        fn id(&self) -> u64 {
            self.0
        }

        fn scope(&self) -> u64 {
            0
        }
    }

    #[test]
    fn a_snapshot_stays_on_its_thread_and_so_out_of_every_await() {
        trait Fits<A> {
            fn fits() {}
        }
        struct Sent;
        impl<T> Fits<()> for T {}
        impl<T: Send> Fits<Sent> for T {}
        // If it could be sent, both would fit, and this would not compile.
        <ReadTx as Fits<_>>::fits();
    }

    #[test]
    fn records_come_in_the_order_of_their_ids_with_gaps_where_there_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), StoreOptions::default()).unwrap();
        let ids = [1, 2, 4, 5, 6, 9, 30, 31];
        let put = move |tx: &mut crate::store::WriteTx<'_>| ids.iter().try_for_each(|id| tx.put(&Note(*id)));
        store.write_blocking::<_, StoreError, _>(put).unwrap();
        let tx = store.read().unwrap();
        let check = |wanted: &[u64]| {
            let expected: Vec<_> = wanted.iter().map(|id| ids.contains(id).then_some(Note(*id))).collect();
            assert_eq!(tx.records(wanted).unwrap(), expected, "{wanted:?}");
        };
        check(&[]);
        check(&[4]);
        check(&[3]);
        check(&ids);
        check(&[1, 3, 5, 7, 8, 9, 10, 11]);
        check(&[7, 8]);
        check(&[31, 30, 9, 9, 1, 2, 3]);
        check(&[0, 1, 29, 30, 31, 32, u64::MAX - 1, u64::MAX]);
        for (max, expected) in [(0, None), (1, Some(1)), (3, Some(2)), (8, Some(6)), (u64::MAX, Some(31))] {
            assert_eq!(tx.last_id::<Note>(max).unwrap(), expected, "{max}");
        }
    }

    #[test]
    fn readers_share_a_snapshot_until_something_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("data"), StoreOptions::default()).unwrap();
        let (before, beside) = (store.read().unwrap(), store.read().unwrap());
        assert!(Arc::ptr_eq(&before.snapshot, &beside.snapshot));
        assert_eq!(before.get::<Note>(1).unwrap(), None);
        store.write_blocking::<_, StoreError, _>(|tx| tx.put(&Note(1))).unwrap();
        assert_eq!(store.read().unwrap().get(1).unwrap(), Some(Note(1)));
        assert_eq!(before.get::<Note>(1).unwrap(), None);
    }

    #[test]
    fn ids_that_lie_close_together_are_one_run() {
        let found: Vec<&[u64]> = runs(&[1, 2, 10, 19, 18, 18, 20]).collect();
        assert_eq!(found, [&[1, 2, 10][..], &[19], &[18], &[18, 20]]);
    }
}
