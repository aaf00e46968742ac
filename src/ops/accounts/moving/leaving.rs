//! Reads everything that belongs to an account, in one snapshot.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use super::{Head, Item};
use crate::clock::Timestamp;
use crate::model::{
    Account, AccountDomain, AccountId, DomainProof, FanOut, Message, MessageWords, OauthClient, OauthGrant,
    PartNotes, Segment,
};
use crate::ops::notices::link_secrets;
use crate::ops::people::opt_outs;
use crate::schema::{
    DOMAIN_BY_ACCOUNT, EntityVisitor, HasLife, MESSAGE_BY_MESSAGE_ID, SEARCH_BLOCKS, SEGMENT_BY_LIST,
    WithAccount, WithMove, visit_entities,
};
use crate::store::{BlobId, Entity, Index, IndexRange, Key, Read, StoreError, record_to_bytes};

/// Records that are read at a time.
const RECORDS_PER_PAGE: usize = 256;
/// Bytes of a message that are handed on at a time.
const PART_BYTES: u64 = 1024 * 1024;

/// Takes the items of a move, one after the other.
pub type Sink<'a, E> = &'a mut dyn FnMut(Item) -> Result<(), E>;

/// Hands everything that belongs to an account to `sink`; returns how many records there are.
///
/// # Errors
/// Those of the store, and the first of `sink`.
pub fn read<E: From<StoreError>>(
    tx: &impl Read,
    account: &Account,
    schema: u32,
    now: Timestamp,
    sink: Sink<'_, E>,
) -> Result<u64, E> {
    let mut last_ids = LastIds { tx, found: Vec::new() };
    visit_entities(&mut last_ids)?;
    let (secret, old_secrets) = link_secrets::stored(tx)?;
    sink(Item::Head(Head {
        schema,
        account: account.id,
        name: account.name.clone(),
        time: now,
        last_ids: last_ids.found,
        secret,
        old_secrets,
        opt_out_salt: opt_outs::salt(tx, account.id)?,
    }))?;
    let mut leaving = Leaving { tx, account: account.id, blobs: HashSet::new(), records: 0, sink };
    leaving.clients()?;
    visit_entities(&mut leaving)?;
    let records = leaving.records;
    (leaving.sink)(Item::End { records })?;
    Ok(records)
}

/// The last numbers that were drawn.
struct LastIds<'a, R> {
    tx: &'a R,
    found: Vec<(String, u64)>,
}

impl<R: Read> EntityVisitor for LastIds<'_, R> {
    type Error = StoreError;

    fn visit<T: HasLife>(&mut self) -> Result<(), StoreError> {
        self.found.push((T::TABLE.to_owned(), self.tx.last_drawn_id::<T>()?));
        Ok(())
    }
}

struct Leaving<'a, R, E> {
    tx: &'a R,
    account: AccountId,
    /// Messages that were handed on.
    blobs: HashSet<BlobId>,
    records: u64,
    sink: Sink<'a, E>,
}

impl<R: Read, E: From<StoreError>> EntityVisitor for Leaving<'_, R, E> {
    type Error = E;

    fn visit<T: HasLife>(&mut self) -> Result<(), E> {
        if matches!(T::LIFE.with_move, WithMove::Stays(_)) {
            return Ok(());
        }
        for page in ids_of::<T>(self.tx, self.account)?.chunks(RECORDS_PER_PAGE) {
            for record in self.tx.records::<T>(page)?.into_iter().flatten() {
                self.record(&record)?;
            }
        }
        Ok(())
    }
}

impl<R: Read, E: From<StoreError>> Leaving<'_, R, E> {
    fn record<T: HasLife>(&mut self, record: &T) -> Result<(), E> {
        for blob in record.blobs() {
            if self.blobs.insert(blob) {
                self.blob(blob)?;
            }
        }
        (self.sink)(Item::Record { table: T::TABLE.to_owned(), bytes: record_to_bytes(record)? })?;
        self.records += 1;
        if T::TABLE == Segment::TABLE { self.blocks(record.id()) } else { Ok(()) }
    }

    fn blob(&mut self, blob: BlobId) -> Result<(), E> {
        let length = self.tx.blob_length(blob)?;
        let mut at = 0;
        loop {
            let end = length.min(at + PART_BYTES);
            let bytes = self.tx.blob_range(blob, at..end)?;
            (self.sink)(Item::Blob { id: blob.0, bytes, is_last: end == length })?;
            if end == length {
                return Ok(());
            }
            at = end;
        }
    }

    fn blocks(&mut self, segment: u64) -> Result<(), E> {
        let of_segment = IndexRange::prefix(Key::new().u64(segment));
        let sink = &mut *self.sink;
        let failed = self.tx.blocks(&SEARCH_BLOCKS, &of_segment, |key, bytes| {
            match sink(Item::Block { key: key.to_vec(), bytes: bytes.to_vec() }) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Hands on the applications that people of the account allowed something.
    fn clients(&mut self) -> Result<(), E> {
        let mut clients = BTreeSet::new();
        for page in ids_of::<OauthGrant>(self.tx, self.account)?.chunks(RECORDS_PER_PAGE) {
            let grants = self.tx.records::<OauthGrant>(page)?;
            clients.extend(grants.into_iter().flatten().map(|grant| grant.client.0));
        }
        for client in clients {
            if let Some(client) = self.tx.get::<OauthClient>(client)? {
                (self.sink)(Item::Client { bytes: record_to_bytes(&client)? })?;
            }
        }
        Ok(())
    }
}

/// The numbers of an account's records of one table, in order and each once. They are found as the deletion of the
/// account finds them.
///
/// # Errors
/// If the store fails.
pub fn ids_of<T: HasLife>(tx: &impl Read, account: AccountId) -> Result<Vec<u64>, StoreError> {
    let mut ids = match T::LIFE.with_account {
        WithAccount::AtOnce(index) => ids_in(tx, account, &[index])?,
        WithAccount::AtOnceByNumber => vec![account.0],
        WithAccount::InSteps(indexes) => ids_in(tx, account, indexes)?,
        WithAccount::ByOperation(_) => ids_by_operation(tx, account, T::TABLE)?,
        WithAccount::Stays(_) => Vec::new(),
    };
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

fn ids_by_operation(tx: &impl Read, account: AccountId, table: &str) -> Result<Vec<u64>, StoreError> {
    match table {
        // This index also has the messages that were taken out of the archive.
        Message::TABLE | MessageWords::TABLE | PartNotes::TABLE => {
            ids_in(tx, account, &[&MESSAGE_BY_MESSAGE_ID])
        }
        AccountDomain::TABLE | DomainProof::TABLE => ids_in(tx, account, &[&DOMAIN_BY_ACCOUNT]),
        Segment::TABLE => ids_in(tx, account, &[&SEGMENT_BY_LIST]),
        FanOut::TABLE => {
            let all = tx.all::<FanOut>(0, usize::MAX)?.into_iter();
            Ok(all.filter(|fan_out| fan_out.account == account).map(|fan_out| fan_out.id.0).collect())
        }
        _ => Ok(Vec::new()),
    }
}

fn ids_in<T: Entity>(
    tx: &impl Read,
    account: AccountId,
    indexes: &[&Index<T>],
) -> Result<Vec<u64>, StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(account.0));
    let mut ids = Vec::new();
    for index in indexes {
        tx.scan(index, &of_account, |_, id| {
            ids.push(id);
            ControlFlow::<()>::Continue(())
        })?;
    }
    Ok(ids)
}
