//! Removes the records of deleted accounts in steps of bounded size, which continue after a restart.
//!
//! Deleting an account removes at once its name, its domains, its administrators and their keys, and the posts that are
//! being expanded. From then on it takes no mail and answers no call, and its name and domains are free. An
//! [`AccountDeletion`] exists until the last of its other records is gone.

use crate::clock::Timestamp;
use crate::model::{
    Account, AccountDeletion, AccountFigures, AccountId, Banner, DomainId, FanOut, KeptReasons, MemberFields,
    Message, MessageId, SegmentId, Suspension,
};
use crate::ops::archive::{indexing, messages};
use crate::ops::domains::claims;
use crate::schema::{
    ADMIN_BY_ACCOUNT, ALERT_BY_ACCOUNT, ALIAS_BY_SOURCE, ANNOUNCEMENT_BY_LIST, API_CONTENT_BY_ACCOUNT,
    API_KEY_BY_ADMIN, AUDIT_BY_ACTION, BATCH_BY_MESSAGE, BATCH_BY_SYSTEM_MAIL, COMPOSE_DRAFT_BY_ACCOUNT,
    CONFIRMATION_BY_ADDRESS, CONSENT_BY_LIST, CONTACT_BY_ACCOUNT, DEPARTURE_BY_CONTACT, DIGEST_BY_LIST,
    DIGEST_FAN_OUT_BY_DAY, DIGEST_POST_BY_LIST, DIGEST_SCHEDULE_BY_ACCOUNT, DIGEST_SWITCH_BY_ACCOUNT,
    DOMAIN_BY_ACCOUNT, DOMAIN_CLAIM_BY_ACCOUNT, DRAFT_BY_CONTACT, EARLIER_NAME_BY_LIST, EMAIL_BY_CONTACT,
    EMAIL_PAUSE_BY_ACCOUNT, ERASURE_BY_ACCOUNT, FIRST_EMAIL_BY_ACCOUNT, GREETING_BY_ACCOUNT, HELD_BY_LIST,
    IMPORT_BY_ACCOUNT, IMPORT_OPT_OUTS_BY_ACCOUNT, KEPT_MONTH_BY_LIST, LIST_BY_ACCOUNT,
    MEMBERSHIP_BY_ACCOUNT, MESSAGE_BY_MESSAGE_ID, MISSING_PARENTS_BY_LIST, MODERATION_DIGEST_BY_ACCOUNT,
    OAUTH_GRANT_BY_ADMIN, OAUTH_PROOF_BY_ACCOUNT, OAUTH_TOKEN_BY_GRANT, OPT_OUT_BY_LIST, PENDING_BY_STATE,
    PROVIDER_BLOCK_BY_MESSAGE, PROVIDER_SUBJECT_BY_ADMIN, RECENT_TERMS_BY_LIST, REFUSED_ROW_BY_IMPORT,
    SAVED_ANSWER_BY_ADMIN, SCHEDULED_MESSAGE_BY_LIST, SEALED_ORIGINAL_BY_AUTHOR, SECOND_FACTOR_BY_ACCOUNT,
    SEEN_MAIL_BY_MAIL, SEGMENT_BY_LIST, SESSION_BY_PERSON, SIGN_IN_LINK_BY_CONTACT, SYSTEM_MAIL_BY_ACCOUNT,
    TAKEN_OUT_BY_ACCOUNT, THREAD_BY_ACTIVITY, THREAD_WITHOUT_MESSAGES, WELCOME_BY_ACCOUNT,
};
use crate::store::{Entity, Index, IndexRange, Key, Read, StoreError, WriteTx};

/// Records that one step removes, so that it never holds up the writer for long.
const RECORDS_PER_STEP: usize = 1000;

/// Deletes an account, and notes that the rest of its records has to be removed.
pub fn begin(tx: &mut WriteTx<'_>, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
    tx.delete::<Account>(account.0)?;
    for id in tx.ids(&DOMAIN_BY_ACCOUNT, &of(account), usize::MAX)? {
        claims::delete_domain(tx, DomainId(id))?;
    }
    tx.delete_range(&DOMAIN_CLAIM_BY_ACCOUNT, &of(account), usize::MAX)?;
    tx.delete_range(&API_KEY_BY_ADMIN, &of(account), usize::MAX)?;
    tx.delete_range(&ADMIN_BY_ACCOUNT, &of(account), usize::MAX)?;
    tx.delete_range(&SECOND_FACTOR_BY_ACCOUNT, &of(account), usize::MAX)?;
    tx.delete::<MemberFields>(account.0)?;
    tx.delete::<Banner>(account.0)?;
    tx.delete::<AccountFigures>(account.0)?;
    tx.delete::<KeptReasons>(account.0)?;
    tx.delete::<Suspension>(account.0)?;
    tx.put(&AccountDeletion { account, since: now })?;
    Ok(())
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
    // Lists are removed first: mail that is just arriving finds none, so nothing is added meanwhile.
    let mut room = RECORDS_PER_STEP;
    remove(tx, &LIST_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &EARLIER_NAME_BY_LIST, account, &mut room)?;
    remove(tx, &ALIAS_BY_SOURCE, account, &mut room)?;
    remove(tx, &ALERT_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &AUDIT_BY_ACTION, account, &mut room)?;
    remove(tx, &PROVIDER_BLOCK_BY_MESSAGE, account, &mut room)?;
    remove(tx, &SEEN_MAIL_BY_MAIL, account, &mut room)?;
    remove(tx, &PENDING_BY_STATE, account, &mut room)?;
    remove(tx, &CONFIRMATION_BY_ADDRESS, account, &mut room)?;
    remove(tx, &CONSENT_BY_LIST, account, &mut room)?;
    remove(tx, &SAVED_ANSWER_BY_ADMIN, account, &mut room)?;
    remove(tx, &SESSION_BY_PERSON, account, &mut room)?;
    remove(tx, &SIGN_IN_LINK_BY_CONTACT, account, &mut room)?;
    remove(tx, &OAUTH_TOKEN_BY_GRANT, account, &mut room)?;
    remove(tx, &OAUTH_PROOF_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &OAUTH_GRANT_BY_ADMIN, account, &mut room)?;
    remove(tx, &PROVIDER_SUBJECT_BY_ADMIN, account, &mut room)?;
    remove(tx, &DRAFT_BY_CONTACT, account, &mut room)?;
    remove(tx, &COMPOSE_DRAFT_BY_ACCOUNT, account, &mut room)?;
    remove_fan_outs(tx, account)?;
    remove(tx, &BATCH_BY_MESSAGE, account, &mut room)?;
    remove(tx, &BATCH_BY_SYSTEM_MAIL, account, &mut room)?;
    remove(tx, &SYSTEM_MAIL_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &ERASURE_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &WELCOME_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &GREETING_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &ANNOUNCEMENT_BY_LIST, account, &mut room)?;
    remove(tx, &MODERATION_DIGEST_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &DIGEST_POST_BY_LIST, account, &mut room)?;
    remove(tx, &DIGEST_SCHEDULE_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &DIGEST_SWITCH_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &DIGEST_FAN_OUT_BY_DAY, account, &mut room)?;
    remove(tx, &DIGEST_BY_LIST, account, &mut room)?;
    remove(tx, &HELD_BY_LIST, account, &mut room)?;
    remove(tx, &SCHEDULED_MESSAGE_BY_LIST, account, &mut room)?;
    remove_segments(tx, account, &mut room)?;
    remove(tx, &SEALED_ORIGINAL_BY_AUTHOR, account, &mut room)?;
    remove_messages(tx, account, &mut room)?;
    remove(tx, &RECENT_TERMS_BY_LIST, account, &mut room)?;
    remove(tx, &THREAD_BY_ACTIVITY, account, &mut room)?;
    remove(tx, &THREAD_WITHOUT_MESSAGES, account, &mut room)?;
    remove(tx, &MISSING_PARENTS_BY_LIST, account, &mut room)?;
    remove(tx, &KEPT_MONTH_BY_LIST, account, &mut room)?;
    remove(tx, &TAKEN_OUT_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &API_CONTENT_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &MEMBERSHIP_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &DEPARTURE_BY_CONTACT, account, &mut room)?;
    remove(tx, &OPT_OUT_BY_LIST, account, &mut room)?;
    remove(tx, &FIRST_EMAIL_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &EMAIL_PAUSE_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &EMAIL_BY_CONTACT, account, &mut room)?;
    remove(tx, &CONTACT_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &REFUSED_ROW_BY_IMPORT, account, &mut room)?;
    remove(tx, &IMPORT_OPT_OUTS_BY_ACCOUNT, account, &mut room)?;
    remove(tx, &IMPORT_BY_ACCOUNT, account, &mut room)?;
    if 0 < room {
        tx.delete::<AccountDeletion>(account.0)?;
        tracing::info!(account.id = account.0, "The account {account}, deleted at {since}, is gone");
    }
    Ok(Progress::Unfinished)
}

fn of(account: AccountId) -> IndexRange {
    IndexRange::prefix(Key::new().u64(account.0))
}

/// Removes as many records of an account as `room` allows.
fn remove<E: Entity>(
    tx: &mut WriteTx<'_>,
    index: &Index<E>,
    account: AccountId,
    room: &mut usize,
) -> Result<(), StoreError> {
    *room -= tx.delete_range(index, &of(account), *room)?;
    Ok(())
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
