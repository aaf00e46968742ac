//! Begins digests that are due, and lets go what digests no longer need. The upkeep calls it.

use crate::clock::Timestamp;
use crate::model::{
    Account, Batch, Digest, DigestFanOut, DigestPost, DigestSchedule, DigestSwitch, FanOut, FanOutId, List,
    MessageId,
};
use crate::ops::locales;
use crate::ops::overdue::overdue_rows;
use crate::ops::queue::digest_posts::{day_of_digest, next_morning};
use crate::ops::queue::restored;
use crate::schema::{
    BATCH_BY_MESSAGE, DIGEST_BY_CHECK, DIGEST_FAN_OUT_BY_DAY, DIGEST_POST_BY_LIST, DIGEST_SCHEDULE_BY_DUE,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Posts in one digest, at most; the others are in the next one.
const POSTS_MAX: usize = 5_000;

/// Begins the digests that are due, at most `limit`.
pub fn begin_due(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &DIGEST_SCHEDULE_BY_DUE, now, limit)? {
        if let Some(schedule) = tx.get::<DigestSchedule>(id)? {
            begin(tx, &schedule, now)?;
        }
    }
    Ok(())
}

/// Makes the posts of a list that wait the digest of the day.
fn begin(tx: &mut WriteTx<'_>, schedule: &DigestSchedule, now: Timestamp) -> Result<(), StoreError> {
    let (account, list) = (schedule.account, schedule.list);
    let of_list = IndexRange::prefix(Key::new().u64(account.0).u64(list.0));
    let is_open =
        tx.get::<List>(list.0)?.is_some_and(|list| !list.pending) && tx.get::<Account>(account.0)?.is_some();
    // Posts that are held since a restore wait on, and go into the first digest behind their release.
    let held = if is_open { restored::bounds(tx)?.digest_post } else { 0 };
    let mut posts: Vec<DigestPost> =
        tx.page(&DIGEST_POST_BY_LIST, &of_list.clone().after_id(held), POSTS_MAX)?;
    // A post that is still being expanded is in the next digest.
    posts.retain(|post| post.is_ready);
    if !is_open {
        for post in posts {
            tx.delete::<DigestPost>(post.post.message.0)?;
        }
        return tx.delete::<DigestSchedule>(list.0).map(drop);
    }
    let zone = locales::locale(tx, account)?.zone;
    let day = day_of_digest(now, &zone);
    let id = FanOutId(tx.next_id::<DigestFanOut>()?);
    let fan_out = DigestFanOut {
        id,
        account,
        list,
        day,
        made: now,
        posts: posts.iter().map(|post| post.post).collect(),
        editions: Vec::new(),
        cursor: 0,
    };
    let row = DIGEST_FAN_OUT_BY_DAY.rows(&fan_out);
    let is_under_way = match row.first() {
        Some(key) => tx.find_id(&DIGEST_FAN_OUT_BY_DAY, key)?.is_some(),
        None => false,
    };
    if is_under_way {
        return tx.put(&DigestSchedule { due: Some(next_morning(now, &zone)), ..*schedule });
    }
    for post in &posts {
        tx.delete::<DigestPost>(post.post.message.0)?;
    }
    // More posts than one digest takes, or those that are still being expanded, or held.
    let is_more = tx.first_row(&DIGEST_POST_BY_LIST, &of_list)?.is_some();
    let due = is_more.then(|| next_morning(now, &zone));
    if posts.is_empty() {
        return tx.put(&DigestSchedule { due, ..*schedule });
    }
    tracing::info!(
        list.id = list.0,
        digest.posts = posts.len(),
        "A digest of {} messages begins for list {list}",
        posts.len()
    );
    tx.put(&fan_out)?;
    tx.put(&DigestSchedule { due, last: Some(day), ..*schedule })
}

/// The oldest post that is not yet with everybody: what somebody took before it is of no use any more.
fn first_needed(tx: &impl Read) -> Result<MessageId, StoreError> {
    let waiting = tx.all::<DigestPost>(0, 1)?.into_iter().map(|post| post.post.message);
    let digests = tx.all::<DigestFanOut>(0, usize::MAX)?;
    let posts = tx.all::<FanOut>(0, usize::MAX)?;
    let first = waiting
        .chain(digests.iter().map(DigestFanOut::first_post))
        .chain(posts.iter().map(|fan_out| fan_out.message))
        .min();
    Ok(first.unwrap_or(MessageId(u64::MAX)))
}

/// Whether earlier settings of members are kept that no post needs any more.
pub fn is_any_switch_over(tx: &impl Read) -> Result<bool, StoreError> {
    let Some(first) = tx.all::<DigestSwitch>(0, 1)?.pop() else { return Ok(false) };
    Ok(first.at < first_needed(tx)?)
}

/// Forgets earlier settings of members that no post needs any more, at most `limit`.
pub fn forget_switches(tx: &mut WriteTx<'_>, limit: usize) -> Result<(), StoreError> {
    let needed = first_needed(tx)?;
    for switch in tx.all::<DigestSwitch>(0, limit)? {
        if needed <= switch.at {
            break;
        }
        tx.delete::<DigestSwitch>(switch.at.0)?;
    }
    Ok(())
}

/// Looks at digests again that are kept: lets their bytes go once no copy waits, and the digest with the last trace.
pub fn check_old(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &DIGEST_BY_CHECK, now, limit)? {
        let Some(digest) = tx.get::<Digest>(id)? else { continue };
        let copies = copies_of(tx, &digest)?;
        if copies == Copies::Forgotten && digest.is_old(now) {
            tx.delete::<Digest>(id)?;
            continue;
        }
        let is_needed = copies == Copies::Waiting || is_growing(tx, &digest)?;
        let blob = digest.blob.filter(|_| is_needed);
        tx.put(&Digest { blob, check: Digest::next_check(now, is_needed), ..digest })?;
    }
    Ok(())
}

/// The remains of the copies of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Copies {
    Waiting,
    Settled,
    Forgotten,
}

fn copies_of(tx: &impl Read, digest: &Digest) -> Result<Copies, StoreError> {
    let batches = IndexRange::prefix(Key::new().u64(digest.account.0).u64(digest.id.0));
    let mut found = Copies::Forgotten;
    for id in tx.ids(&BATCH_BY_MESSAGE, &batches, usize::MAX)? {
        match tx.get::<Batch>(id)? {
            Some(batch) if batch.is_waiting() => return Ok(Copies::Waiting),
            Some(_) => found = Copies::Settled,
            None => {}
        }
    }
    Ok(found)
}

/// Whether more copies of a digest are to come.
fn is_growing(tx: &impl Read, digest: &Digest) -> Result<bool, StoreError> {
    let of_list = IndexRange::prefix(Key::new().u64(digest.account.0).u64(digest.list.0));
    let under_way = tx.page(&DIGEST_FAN_OUT_BY_DAY, &of_list, usize::MAX)?;
    let is_of =
        |fan_out: &DigestFanOut| fan_out.editions.iter().any(|edition| edition.digest == Some(digest.id));
    Ok(under_way.iter().any(is_of))
}
