//! Takes in an account that comes from another server.
//!
//! Everything is looked at before anything is written ([`check`], [`check_client`]). Then the numbers are reserved and
//! the arrival is noted ([`begin`]); the bulk is written in jobs of bounded size ([`put`]), which nothing reads while the
//! account is missing; and one job writes what time or strangers set off, the account with it, and ends the note
//! ([`finish`]). An arrival that breaks off is taken back as a deleted account is ([`take_back`]).

use std::any::Any;
use std::collections::{BTreeMap, HashMap};

use super::Head;
use crate::clock::Timestamp;
use crate::model::{
    Account, AccountDeletion, AccountDomain, AccountId, AuditEntry, AuditId, Batch, MessageId, OauthClient,
    OldName, Order, Segment,
};
use crate::ops::accounts::account_deletion;
use crate::ops::archive::indexing;
use crate::ops::notices::link_secrets;
use crate::ops::people::opt_outs;
use crate::schema::{
    ACCOUNT_BY_NAME, EntityVisitor, HasLife, META_ARRIVING, OAUTH_CLIENT_BY_CLIENT_ID, SEARCH_BLOCKS,
    WithMove, visit_entities,
};
use crate::secret::LinkSecrets;
use crate::store::{Entity, Key, KeyReader, Read, ReadTx, StoreError, WriteTx, record_from_bytes};

/// Numbers of this server and of others are kept apart by blocks of so many: from the first account on that comes from
/// elsewhere, this server draws from a block that the other has not begun.
const BLOCK: u64 = 1 << 32;

/// The reason why an account is not taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The source of the items failed.
    #[error("{0}")]
    Source(String),
    /// The items are not those of a move.
    #[error("the file does not hold what it should: {0}")]
    Damaged(String),
    /// The other server is newer.
    #[error(
        "it comes from a newer crier (schema {theirs}, and this one knows {own}): install the newer version here first"
    )]
    Newer {
        /// The schema of the other server.
        theirs: u32,
        /// The newest that this program knows.
        own: u32,
    },
    /// A name is taken.
    #[error("{what} is taken on this server: rename or delete the one that is here, and import again")]
    NameTaken {
        /// The thing with its name.
        what: String,
    },
    /// A number is taken.
    #[error(
        "number {id} of {table} is taken on this server, and links and tokens of the account name it: take the account \
         into a server with a data file of its own, or into one that had taken in an account before it made its own"
    )]
    NumberTaken {
        /// The table.
        table: &'static str,
        /// The number.
        id: u64,
    },
    /// Another arrival is under way, or ended with the process that it was in.
    #[error(
        "another account is being taken in; if that was broken off, restart the server, which takes it back"
    )]
    Busy,
    /// The account is being deleted here.
    #[error("an account of the same number is still being removed here: try again when that has ended")]
    BeingRemoved,
    /// Too many secrets.
    #[error("this server accepts too many earlier secrets of links already: try again when some have ended")]
    Secrets,
}

/// What is known of a record before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Whether it is written by [`finish`].
    pub is_last: bool,
    /// The messages to which it refers, by the numbers of the other server.
    pub blobs: Vec<u64>,
    /// Its number, if it is a segment of the search index.
    pub segment: Option<u64>,
}

/// Writes a record, with the numbers that its messages have here.
type Put = fn(&mut WriteTx<'_>, &[u8], &BTreeMap<u64, u64>) -> Result<(), NotTaken>;

/// The operations on the records of one table.
#[derive(Clone, Copy)]
pub struct Taker {
    plan: fn(&[u8]) -> Result<Checked, NotTaken>,
    check: fn(&ReadTx, &[u8], AccountId) -> Result<Checked, NotTaken>,
    put: Put,
}

impl std::fmt::Debug for Taker {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Taker")
    }
}

/// The tables whose records an account brings along.
#[must_use]
pub fn takers() -> HashMap<&'static str, Taker> {
    struct Takers(HashMap<&'static str, Taker>);
    impl EntityVisitor for Takers {
        type Error = std::convert::Infallible;

        fn visit<T: HasLife>(&mut self) -> Result<(), Self::Error> {
            if !matches!(T::LIFE.with_move, WithMove::Stays(_)) {
                self.0.insert(T::TABLE, Taker { plan: plan::<T>, check: check::<T>, put: put::<T> });
            }
            Ok(())
        }
    }
    let mut takers = Takers(HashMap::new());
    let Ok(()) = visit_entities(&mut takers);
    takers.0
}

impl Taker {
    /// Says how a record is to be written.
    ///
    /// # Errors
    /// If it is none.
    pub fn plan(self, bytes: &[u8]) -> Result<Checked, NotTaken> {
        (self.plan)(bytes)
    }

    /// Looks whether a record can be taken in.
    ///
    /// # Errors
    /// If its number or a name is taken, or it is none.
    pub fn check(self, tx: &ReadTx, bytes: &[u8], account: AccountId) -> Result<Checked, NotTaken> {
        (self.check)(tx, bytes, account)
    }

    /// Writes a record; `blobs` has the numbers that its messages have here.
    ///
    /// # Errors
    /// If its number or a name is taken meanwhile.
    pub fn put(self, tx: &mut WriteTx<'_>, bytes: &[u8], blobs: &BTreeMap<u64, u64>) -> Result<(), NotTaken> {
        (self.put)(tx, bytes, blobs)
    }
}

fn read<T: Entity>(bytes: &[u8]) -> Result<T, NotTaken> {
    record_from_bytes(bytes).map_err(|error| NotTaken::Damaged(error.to_string()))
}

fn plan<T: HasLife>(bytes: &[u8]) -> Result<Checked, NotTaken> {
    let record: T = read(bytes)?;
    let is_last = match T::LIFE.with_move {
        WithMove::GoesLast(is_last) => is_last(&record),
        WithMove::Goes | WithMove::Stays(_) => false,
    };
    let blobs = record.blobs().into_iter().map(|blob| blob.0).collect();
    let segment = (T::TABLE == Segment::TABLE).then(|| record.id());
    Ok(Checked { is_last, blobs, segment })
}

fn check<T: HasLife>(tx: &ReadTx, bytes: &[u8], account: AccountId) -> Result<Checked, NotTaken> {
    let record: T = read(bytes)?;
    if record.scope() != 0 && record.scope() != account.0 {
        return Err(NotTaken::Damaged(format!("a record of {} is another account's", T::TABLE)));
    }
    for index in T::INDEXES.iter().filter(|index| index.is_unique()) {
        for key in index.rows(&record) {
            if tx.find_id(index, &key)?.is_some() {
                return Err(NotTaken::NameTaken { what: label(&record) });
            }
        }
    }
    if T::TABLE != AuditEntry::TABLE && tx.get::<T>(record.id())?.is_some() {
        return Err(NotTaken::NumberTaken { table: T::TABLE, id: record.id() });
    }
    plan::<T>(bytes)
}

/// What a record is called in an error.
fn label<T: Entity>(record: &T) -> String {
    let record: &dyn Any = record;
    if let Some(account) = record.downcast_ref::<Account>() {
        format!("the account name {}", account.name)
    } else if let Some(domain) = record.downcast_ref::<AccountDomain>() {
        format!("the domain {}", domain.name)
    } else if let Some(name) = record.downcast_ref::<OldName>() {
        format!("the host {}", name.host)
    } else {
        format!("what names a record of {}", T::TABLE)
    }
}

fn put<T: HasLife>(tx: &mut WriteTx<'_>, bytes: &[u8], blobs: &BTreeMap<u64, u64>) -> Result<(), NotTaken> {
    let mut record: T = record_from_bytes(bytes)?;
    record.renumber_blobs(&mut |id| blobs.get(&id).copied().unwrap_or(0));
    if let Some(entry) = (&mut record as &mut dyn Any).downcast_mut::<AuditEntry>() {
        // Its number is its time, in which another account may have an entry as well.
        while tx.get::<AuditEntry>(entry.id.0)?.is_some() {
            entry.id = AuditId(entry.id.0 + 1);
        }
    }
    if let Some(batch) = (&mut record as &mut dyn Any).downcast_mut::<Batch>()
        && batch.order != Some(Order::Drop)
    {
        // The attempt was the other server's: the next is made at its time.
        batch.claimed = false;
    }
    if tx.get::<T>(record.id())?.is_some() {
        return Err(NotTaken::NumberTaken { table: T::TABLE, id: record.id() });
    }
    tx.put(&record).map_err(|error| match error {
        StoreError::Duplicate { .. } => NotTaken::NameTaken { what: label(&record) },
        other => other.into(),
    })
}

/// Looks whether an application of the other server is known here, or can be.
///
/// # Errors
/// If its number or identifier is another one's.
pub fn check_client(tx: &impl Read, bytes: &[u8]) -> Result<(), NotTaken> {
    let client: OauthClient = read(bytes)?;
    let same = tx.find(&OAUTH_CLIENT_BY_CLIENT_ID, &Key::new().text(&client.client_id))?;
    if same.is_some_and(|same| same.id != client.id) {
        return Err(NotTaken::NameTaken { what: format!("the application {}", client.client_id) });
    }
    match tx.get::<OauthClient>(client.id.0)? {
        Some(other) if other.client_id != client.client_id => {
            Err(NotTaken::NumberTaken { table: OauthClient::TABLE, id: client.id.0 })
        }
        _ => Ok(()),
    }
}

/// Keeps an application that is not known here.
///
/// # Errors
/// As [`check_client`].
pub fn put_client(tx: &mut WriteTx<'_>, bytes: &[u8]) -> Result<(), NotTaken> {
    check_client(tx, bytes)?;
    let client: OauthClient = record_from_bytes(bytes)?;
    if tx.get::<OauthClient>(client.id.0)?.is_none() {
        tx.put(&client)?;
    }
    Ok(())
}

/// Keeps a block of the search index of a segment.
///
/// # Errors
/// If the store fails.
pub fn put_block(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    key: &[u8],
    bytes: &[u8],
) -> Result<(), StoreError> {
    tx.set_block(&SEARCH_BLOCKS, &Key::from_row(key), Some(bytes), account.0)
}

/// The segment to which a block belongs.
#[must_use]
pub fn segment_of(key: &[u8]) -> Option<u64> {
    KeyReader::new(key).u64()
}

/// Looks whether the account itself can be taken in.
///
/// # Errors
/// If it is of a newer schema, or its name or number is taken.
pub fn check_head(tx: &impl Read, head: &Head, schema: u32) -> Result<(), NotTaken> {
    if schema < head.schema {
        return Err(NotTaken::Newer { theirs: head.schema, own: schema });
    }
    if tx.exists(&ACCOUNT_BY_NAME, &Key::new().text(&head.name.to_ascii_lowercase()))? {
        return Err(NotTaken::NameTaken { what: format!("the account name {}", head.name) });
    }
    if tx.get::<AccountDeletion>(head.account.0)?.is_some() {
        return Err(NotTaken::BeingRemoved);
    }
    if tx.get::<Account>(head.account.0)?.is_some() {
        return Err(NotTaken::NumberTaken { table: Account::TABLE, id: head.account.0 });
    }
    if LinkSecrets::from_bytes(&head.secret, &head.old_secrets).is_none() {
        return Err(NotTaken::Damaged("it has no secret".to_owned()));
    }
    Ok(())
}

/// Notes that an account is being taken in, and draws no number any more that it may bring along. `false` if messages of
/// this server have yet to be indexed, whose numbers would be taken for indexed ones.
///
/// # Errors
/// As [`check_head`], and if another account is being taken in.
pub fn begin(tx: &mut WriteTx<'_>, head: &Head, schema: u32) -> Result<bool, NotTaken> {
    if tx.meta(META_ARRIVING)?.is_some() {
        return Err(NotTaken::Busy);
    }
    check_head(tx, head, schema)?;
    if !indexing::is_settled(tx)? {
        return Ok(false);
    }
    let last_ids = head.last_ids.iter().map(|(table, last)| (table.as_str(), *last)).collect();
    let mut numbers = Numbers { tx, last_ids };
    visit_entities(&mut numbers)?;
    let messages = numbers.last_ids.get("message").copied().unwrap_or(0);
    indexing::skip_to(tx, MessageId(messages))?;
    tx.set_meta(META_ARRIVING, Some(&head.account.0.to_be_bytes()))?;
    Ok(true)
}

/// Moves the numbers of this server on, behind those of another.
struct Numbers<'a, 'txn> {
    tx: &'a mut WriteTx<'txn>,
    last_ids: HashMap<&'a str, u64>,
}

impl EntityVisitor for Numbers<'_, '_> {
    type Error = StoreError;

    fn visit<T: HasLife>(&mut self) -> Result<(), StoreError> {
        let theirs = self.last_ids.get(T::TABLE).copied().unwrap_or(0);
        let own = self.tx.last_drawn_id::<T>()?;
        // Behind the other server's by a block, so that a further account of it finds its numbers free.
        let next = (theirs / BLOCK + 1).checked_mul(BLOCK);
        match next {
            Some(next) if own <= theirs && 0 < theirs => self.tx.raise_last_id::<T>(next),
            _ => Ok(()),
        }
    }
}

/// Ends the arrival: the account's links are accepted from now on. Returns the secrets that the server then has.
///
/// # Errors
/// If this server accepts too many secrets.
pub fn finish(tx: &mut WriteTx<'_>, head: &Head, now: Timestamp) -> Result<LinkSecrets, NotTaken> {
    let secrets = link_secrets::accept(tx, &head.secret, &head.old_secrets, now)?;
    let own = opt_outs::salt(tx, head.account)?;
    if head.opt_out_salt.is_some() && own != head.opt_out_salt {
        opt_outs::set_salt(tx, head.account, head.opt_out_salt.as_deref())?;
    }
    tx.set_meta(META_ARRIVING, None)?;
    secrets.ok_or(NotTaken::Secrets)
}

/// The account whose arrival is noted.
///
/// # Errors
/// If the store fails.
pub fn under_way(tx: &impl Read) -> Result<Option<AccountId>, StoreError> {
    let noted = tx.meta(META_ARRIVING)?;
    Ok(noted.and_then(|id| id.try_into().ok()).map(|id| AccountId(u64::from_be_bytes(id))))
}

/// Takes back an arrival that broke off: what was written is removed as that of a deleted account.
///
/// # Errors
/// If the store fails.
pub fn take_back(tx: &mut WriteTx<'_>, now: Timestamp) -> Result<Option<AccountId>, StoreError> {
    let Some(account) = under_way(tx)? else { return Ok(None) };
    tx.set_meta(META_ARRIVING, None)?;
    account_deletion::begin(tx, account, now)?;
    Ok(Some(account))
}
