//! Calls that are repeated: the first success of an `Idempotency-Key` is remembered, and answered again.
//!
//! An answer is kept in the job that it tells of, so that neither a crash nor a second call at the same moment
//! can do the work twice. It stands in the data file: a restart forgets nothing.

use crate::clock::Timestamp;
use crate::model::{AccountId, AdminId, BlobId, SavedAnswer, SavedAnswerId};
use crate::ops::OpError;
use crate::schema::{SAVED_ANSWER_BY_ADMIN, SAVED_ANSWER_BY_KEY, SAVED_ANSWER_COUNT};
use crate::store::{self, Key, Read, StoreError, WriteTx};

/// Answers that are kept for one administrator in one account; beyond them the oldest is forgotten early.
const KEPT_MAX: u64 = 100_000;

/// A call that may be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeatable {
    /// The account it is about.
    pub account: AccountId,
    /// Who calls.
    pub admin: AdminId,
    /// Its `Idempotency-Key`.
    pub key: String,
    /// SHA-256 of what is asked.
    pub request: [u8; 32],
}

impl Repeatable {
    fn of_admin(&self) -> Key {
        Key::new().u64(self.account.0).u64(self.admin.0)
    }
}

fn find(tx: &impl Read, call: &Repeatable) -> Result<Option<SavedAnswer>, StoreError> {
    tx.find(&SAVED_ANSWER_BY_KEY, &call.of_admin().text(&call.key))
}

/// What the same call was answered before; a conflict where its key belongs to another one. An answer counts until the
/// upkeep takes it away, which minds a clock that was set forward: the work must not be done twice for that.
pub fn answer(tx: &impl Read, call: &Repeatable) -> Result<Option<Vec<u8>>, OpError> {
    let Some(replay) = find(tx, call)? else { return Ok(None) };
    if replay.request != call.request {
        let problem = "was used for another request in the last 24 hours".to_owned();
        return Err(OpError::Conflict { field: "Idempotency-Key", problem });
    }
    Ok(Some(tx.blob(store::BlobId(replay.answer.0))?))
}

/// Remembers what a call was answered.
pub fn keep(
    tx: &mut WriteTx<'_>,
    call: &Repeatable,
    answer: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    // One that has expired and was not swept yet.
    if let Some(old) = find(tx, call)? {
        tx.delete::<SavedAnswer>(old.id.0)?;
    }
    if KEPT_MAX <= tx.count(&SAVED_ANSWER_COUNT, &call.of_admin())? {
        for id in tx.ids(&SAVED_ANSWER_BY_ADMIN, &call.of_admin().into(), 1)? {
            tx.delete::<SavedAnswer>(id)?;
        }
    }
    let id = SavedAnswerId(tx.next_id::<SavedAnswer>()?);
    let answer = BlobId(tx.put_blob(answer)?.0);
    let Repeatable { account, admin, key, request } = call.clone();
    tx.put(&SavedAnswer { id, account, admin, key, request, time: now, answer })
}
