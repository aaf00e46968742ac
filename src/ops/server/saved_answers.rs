//! Remembers the first successful answer to each `Idempotency-Key`, so that a repeated call gets it again and does
//! nothing twice. The API asks before it carries a call out.
//!
//! An answer is saved in the job of the call, so neither a crash nor a second call at the same moment can do the work
//! twice. Answers are in the data file, so a restart forgets none.

use crate::clock::Timestamp;
use crate::model::{AccountId, AdminId, BlobId, SavedAnswer, SavedAnswerId};
use crate::ops::{OpError, Wrong};
use crate::schema::{SAVED_ANSWER_BY_ADMIN, SAVED_ANSWER_BY_KEY, SAVED_ANSWER_COUNT};
use crate::store::{self, Key, Read, StoreError, WriteTx};

/// Answers kept for one administrator in one account; beyond them the oldest is forgotten early.
const KEPT_MAX: u64 = 100_000;

/// A call that may be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeatable {
    /// The account of the call.
    pub account: AccountId,
    /// The administrator who calls.
    pub admin: AdminId,
    /// Its `Idempotency-Key`.
    pub key: String,
    /// The SHA-256 of the request, to tell calls apart that use the same key.
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

/// The answer that the same call was given before; a conflict if its key was used for another call. An answer counts
/// until the upkeep deletes it, which pauses while the clock may be wrong: a clock set forward must not make the work
/// happen twice.
pub fn answer(tx: &impl Read, call: &Repeatable) -> Result<Option<Vec<u8>>, OpError> {
    let Some(replay) = find(tx, call)? else { return Ok(None) };
    if replay.request != call.request {
        return Err(OpError::conflict("Idempotency-Key", Wrong::RepeatKeyUsed));
    }
    Ok(Some(tx.blob(store::BlobId(replay.answer.0))?))
}

/// Saves the answer to a call.
pub fn keep(
    tx: &mut WriteTx<'_>,
    call: &Repeatable,
    answer: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    // An expired answer that the upkeep has not deleted yet.
    if let Some(old) = find(tx, call)? {
        tx.delete::<SavedAnswer>(old.id.0)?;
    }
    if KEPT_MAX <= tx.count(&SAVED_ANSWER_COUNT, &call.of_admin())? {
        tx.delete_range(&SAVED_ANSWER_BY_ADMIN, &call.of_admin().into(), 1)?;
    }
    let id = SavedAnswerId(tx.next_id::<SavedAnswer>()?);
    let answer = BlobId(tx.put_blob(answer)?.0);
    let Repeatable { account, admin, key, request } = call.clone();
    tx.put(&SavedAnswer { id, account, admin, key, request, time: now, answer })
}
