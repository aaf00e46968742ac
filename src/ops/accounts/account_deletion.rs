//! Removes the records of deleted accounts in steps of bounded size, which continue after a restart.
//!
//! Deleting an account removes at once its name, its domains, its administrators and their keys, and the posts that are
//! being expanded. From then on it takes no mail and answers no call, and its name and domains are free. An
//! [`AccountDeletion`] exists until the last of its other records is gone. Which records go, and how, each entity declares
//! ([`WithAccount`]); here are the operations for those that need more.

use crate::clock::Timestamp;
use crate::model::{AccountDeletion, AccountId, DomainId, FanOut, Message, MessageId, Segment, SegmentId};
use crate::ops::archive::{indexing, messages};
use crate::ops::domains::claims;
use crate::ops::people::opt_outs;
use crate::schema::{
    DOMAIN_BY_ACCOUNT, EntityVisitor, HasLife, MESSAGE_BY_MESSAGE_ID, SEGMENT_BY_LIST, WithAccount,
    visit_entities,
};
use crate::store::{Entity, IndexRange, Key, Read, StoreError, WriteTx};

/// Records that one step removes, so that it never holds up the writer for long.
const RECORDS_PER_STEP: usize = 1000;

/// Deletes an account, and notes that the rest of its records has to be removed.
pub fn begin(tx: &mut WriteTx<'_>, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
    for id in tx.ids(&DOMAIN_BY_ACCOUNT, &of(account), usize::MAX)? {
        claims::delete_domain(tx, DomainId(id))?;
    }
    visit_entities(&mut AtOnce { tx, account })?;
    opt_outs::set_salt(tx, account, None)?;
    tx.put(&AccountDeletion { account, since: now })
}

/// Deletes the records that go at once with their account.
struct AtOnce<'a, 'txn> {
    tx: &'a mut WriteTx<'txn>,
    account: AccountId,
}

impl EntityVisitor for AtOnce<'_, '_> {
    type Error = StoreError;

    fn visit<E: HasLife>(&mut self) -> Result<(), StoreError> {
        let AtOnce { tx, account } = self;
        match E::LIFE.with_account {
            WithAccount::AtOnce(index) => tx.delete_range(index, &of(*account), usize::MAX).map(drop),
            WithAccount::AtOnceByNumber => tx.delete::<E>(account.0).map(drop),
            WithAccount::InSteps(_) | WithAccount::ByOperation(_) | WithAccount::Stays(_) => Ok(()),
        }
    }
}

/// Whether records of a deleted account are left.
///
/// # Errors
/// If the store fails.
pub fn is_any_under_way(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(!tx.all::<AccountDeletion>(0, 1)?.is_empty())
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There was nothing to remove.
    Done,
    /// Something was removed, and another step is needed.
    Unfinished,
}

/// Removes some records of a deleted account, and the note of the deletion after the last ones.
pub fn step(tx: &mut WriteTx<'_>) -> Result<Progress, StoreError> {
    let Some(AccountDeletion { account, since }) = tx.all::<AccountDeletion>(0, 1)?.pop() else {
        return Ok(Progress::Done);
    };
    remove_fan_outs(tx, account)?;
    let mut remainder = Remainder { tx, account, room: RECORDS_PER_STEP };
    visit_entities(&mut remainder)?;
    if 0 < remainder.room {
        tx.delete::<AccountDeletion>(account.0)?;
        tracing::info!(account.id = account.0, "The account {account}, deleted at {since}, is gone");
    }
    Ok(Progress::Unfinished)
}

/// Removes records that go in steps, as many as there is room for.
struct Remainder<'a, 'txn> {
    tx: &'a mut WriteTx<'txn>,
    account: AccountId,
    room: usize,
}

impl EntityVisitor for Remainder<'_, '_> {
    type Error = StoreError;

    fn visit<E: HasLife>(&mut self) -> Result<(), StoreError> {
        let Remainder { tx, account, room } = self;
        match E::LIFE.with_account {
            WithAccount::InSteps(indexes) => {
                for index in indexes {
                    *room -= tx.delete_range(index, &of(*account), *room)?;
                }
                Ok(())
            }
            WithAccount::ByOperation(_) => match E::TABLE {
                Segment::TABLE => remove_segments(tx, *account, room),
                Message::TABLE => remove_messages(tx, *account, room),
                // These go with others, at the beginning of each step, or at the end.
                _ => Ok(()),
            },
            WithAccount::AtOnce(_) | WithAccount::AtOnceByNumber | WithAccount::Stays(_) => Ok(()),
        }
    }
}

fn of(account: AccountId) -> IndexRange {
    IndexRange::prefix(Key::new().u64(account.0))
}

/// Removes messages with their words: as many as `room` allows, and fewer if they have many words.
fn remove_messages(tx: &mut WriteTx<'_>, account: AccountId, room: &mut usize) -> Result<(), StoreError> {
    let mut words = 0;
    // This index also has the messages that were taken out of the archive.
    for id in tx.ids(&MESSAGE_BY_MESSAGE_ID, &of(account), *room)? {
        if messages::WORDS_PER_STEP <= words {
            // The next step continues here, before it goes on to later tables.
            *room = 0;
            return Ok(());
        }
        words += indexing::forget(tx, MessageId(id))?;
        tx.delete::<Message>(id)?;
        *room -= 1;
    }
    Ok(())
}

/// Removes the segments of the search index: as many rows as `room` allows.
fn remove_segments(tx: &mut WriteTx<'_>, account: AccountId, room: &mut usize) -> Result<(), StoreError> {
    for id in tx.ids(&SEGMENT_BY_LIST, &of(account), *room)? {
        if *room == 0 {
            return Ok(());
        }
        let rows = indexing::delete_segment(tx, SegmentId(id), *room)?;
        *room = room.saturating_sub(rows);
    }
    Ok(())
}

/// Removes the fan-outs of an account: as many as posts are being expanded, which is a handful.
fn remove_fan_outs(tx: &mut WriteTx<'_>, account: AccountId) -> Result<(), StoreError> {
    for fan_out in tx.all::<FanOut>(0, usize::MAX)? {
        if fan_out.account == account {
            tx.delete::<FanOut>(fan_out.id.0)?;
        }
    }
    Ok(())
}
