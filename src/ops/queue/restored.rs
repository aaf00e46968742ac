//! Holds what a backup saw as waiting, once the data file was restored from it.
//!
//! The server that was backed up may have sent that mail after the backup, so sending it again is for the operator to
//! decide. A restore marks the file ([`META_RESTORED`]); before the scheduler claims anything, [`hold`] keeps every batch that
//! waits, in bounded steps. What is not yet in batches (posts and digests that are being expanded, posts that wait for a digest,
//! messages that are sent at a time, welcome messages) is held by its number: whoever looks for the next of these begins
//! behind the [`Bounds`]. New mail has higher numbers and flows at once. [`release`] lets go what has no batches.

use crate::clock::Timestamp;
use crate::model::{
    Batch, BatchId, DigestFanOut, DigestPost, FanOut, Order, QueueState, ScheduledMessage, Welcome,
};
use crate::ops::queue::{Filter, list};
use crate::schema::META_RESTORED;
use crate::store::{Read, Store, StoreError, WriteTx};

/// The name in the data file under which it is kept what is held since a restore.
const META_HELD: &str = "restored_queue";
/// Batches that one write job holds.
const BATCHES_PER_JOB: usize = 256;

/// The last number of each kind that waited when the file was restored; all are 0 if nothing is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Of the posts that were being expanded.
    pub fan_out: u64,
    /// Of the digests that were being expanded.
    pub digest_fan_out: u64,
    /// Of the posts that waited for a digest.
    pub digest_post: u64,
    /// Of the messages that are sent at a time.
    pub scheduled: u64,
    /// Of the welcome messages that were to be written.
    pub welcome: u64,
}

/// A data file that was restored, and whose mail of then was not released yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestoredQueue {
    /// The time of the backup: so old is the queue.
    pub point: Timestamp,
    /// What is held beside batches.
    bounds: Bounds,
    /// Whether every batch that waited is held.
    is_complete: bool,
}

impl RestoredQueue {
    fn render(&self) -> String {
        let RestoredQueue { point, bounds, is_complete } = self;
        let Bounds { fan_out, digest_fan_out, digest_post, scheduled, welcome } = bounds;
        let end = if *is_complete { " all" } else { "" };
        format!("{} {fan_out} {digest_fan_out} {digest_post} {scheduled} {welcome}{end}\n", point.ms())
    }

    fn parse(text: &str) -> Option<RestoredQueue> {
        let mut words = text.split_whitespace();
        let point = Timestamp::from_ms(words.next()?.parse().ok()?);
        let mut next = || words.next()?.parse::<u64>().ok();
        let bounds = Bounds {
            fan_out: next()?,
            digest_fan_out: next()?,
            digest_post: next()?,
            scheduled: next()?,
            welcome: next()?,
        };
        Some(RestoredQueue { point, bounds, is_complete: words.next() == Some("all") })
    }

    fn write(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        tx.set_meta(META_HELD, Some(self.render().as_bytes()))
    }
}

/// Begins to hold what waits in a file that a restore has marked: notes the last numbers that are in use.
fn begin(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    let Some(mark) = tx.meta(META_RESTORED)? else { return Ok(()) };
    let point = mark.first_chunk().map(|ms| Timestamp::from_ms(i64::from_be_bytes(*ms)));
    let point =
        point.ok_or_else(|| StoreError::corrupt("meta", format_args!("{META_RESTORED} cannot be read")))?;
    RestoredQueue { point, bounds: bounds_now(tx)?, is_complete: false }.write(tx)?;
    tx.set_meta(META_RESTORED, None)
}

/// The restore whose mail is still held; `None` if the file was not restored, or all was released.
pub fn find(tx: &impl Read) -> Result<Option<RestoredQueue>, StoreError> {
    let Some(bytes) = tx.meta(META_HELD)? else { return Ok(None) };
    let unreadable = || StoreError::corrupt("meta", format_args!("{META_HELD} cannot be read"));
    let queue = std::str::from_utf8(&bytes).ok().and_then(RestoredQueue::parse);
    queue.map(Some).ok_or_else(unreadable)
}

/// What is held beside batches: whoever looks for the next of a kind begins behind these numbers.
pub fn bounds(tx: &impl Read) -> Result<Bounds, StoreError> {
    Ok(find(tx)?.map(|queue| queue.bounds).unwrap_or_default())
}

/// Holds what waits in a file that was restored, if that is not done yet; returns the restore whose mail is held. It
/// must run before the scheduler, and before any command, puts new mail into the queue. Blocks. A crash in between
/// leaves the rest to the next start.
pub fn hold(store: &Store) -> Result<Option<RestoredQueue>, StoreError> {
    if store.read()?.meta(META_RESTORED)?.is_some() {
        store.write_reserved_blocking(begin)?;
    }
    let found = find(&store.read()?)?;
    if found.is_none_or(|queue| queue.is_complete) {
        return Ok(found);
    }
    let mut after = None;
    loop {
        let page = list(&store.read()?, &Filter::default(), after, BATCHES_PER_JOB)?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        let ids: Vec<BatchId> = page.iter().filter(|batch| is_to_hold(batch)).map(|batch| batch.id).collect();
        if !ids.is_empty() {
            store.write_reserved_blocking(move |tx| hold_batches(tx, &ids))?;
        }
    }
    store.write_reserved_blocking(|tx| match find(tx)? {
        Some(queue) => RestoredQueue { is_complete: true, ..queue }.write(tx),
        None => Ok(()),
    })?;
    find(&store.read()?)
}

/// The last numbers that are in use now.
fn bounds_now(tx: &impl Read) -> Result<Bounds, StoreError> {
    Ok(Bounds {
        fan_out: tx.last_id::<FanOut>(u64::MAX)?.unwrap_or(0),
        digest_fan_out: tx.last_id::<DigestFanOut>(u64::MAX)?.unwrap_or(0),
        digest_post: tx.last_id::<DigestPost>(u64::MAX)?.unwrap_or(0),
        scheduled: tx.last_id::<ScheduledMessage>(u64::MAX)?.unwrap_or(0),
        welcome: tx.last_id::<Welcome>(u64::MAX)?.unwrap_or(0),
    })
}

/// What a moderator decides about stays with the moderator, and what the operator has given up is not sent anyway.
fn is_to_hold(batch: &Batch) -> bool {
    batch.order.is_none() && matches!(batch.queue_state(), Some(QueueState::Waiting | QueueState::InFlight))
}

fn hold_batches(tx: &mut WriteTx<'_>, ids: &[BatchId]) -> Result<(), StoreError> {
    for id in ids {
        let Some(mut batch) = tx.get::<Batch>(id.0)?.filter(is_to_hold) else { continue };
        batch.order = Some(Order::Hold);
        // The attempt under way was the other server's: it ended with the copy of the file, and was no crash.
        batch.claimed = false;
        tx.put(&batch)?;
    }
    Ok(())
}

/// Lets go what is held beside batches; returns whether anything was to be let go. The caller releases the batches.
pub fn release(tx: &mut WriteTx<'_>) -> Result<bool, StoreError> {
    let is_held = find(tx)?.is_some();
    if is_held {
        tx.set_meta(META_HELD, None)?;
    }
    Ok(is_held)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AccountId, Destination, EmailAddress, Payload, Recipient, SystemMailId};
    use crate::store::StoreOptions;

    #[test]
    fn what_is_kept_of_a_restore_is_read_again() {
        let point = Timestamp::from_ms(1_795_176_000_000);
        let bounds = Bounds { fan_out: 1, digest_fan_out: 2, digest_post: 3, scheduled: 4, welcome: 5 };
        for is_complete in [false, true] {
            let queue = RestoredQueue { point, bounds, is_complete };
            assert_eq!(RestoredQueue::parse(&queue.render()), Some(queue));
        }
        assert_eq!(RestoredQueue::parse("yesterday"), None);
        assert_eq!(RestoredQueue::parse("1 2 3"), None);
    }

    #[test]
    fn every_batch_that_waits_is_held_once_for_each_restore_but_what_a_moderator_decides_about() {
        let store =
            Store::open_with_backend(redb::backends::InMemoryBackend::new(), &StoreOptions::default())
                .unwrap();
        let now = Timestamp::from_ms(1000);
        let batch = move |number: u64, due: Option<Timestamp>, claimed: bool| Batch {
            id: BatchId(number),
            account: AccountId(1),
            payload: Payload::SystemMail(SystemMailId(1)),
            destination: Destination::Relay,
            due,
            attempts: 1,
            claimed,
            unreached: false,
            crashes: 0,
            failures: 0,
            accepted: now,
            queued: now,
            order: None,
            recipients: vec![Recipient::of_system_mail(EmailAddress::parse("a@x.org").unwrap(), now)],
            replies: Vec::new(),
        };
        let restore = || {
            store.write_blocking(move |tx| {
                tx.set_meta(META_RESTORED, Some(&[1000_i64.to_be_bytes(); 2].concat()))
            })
        };
        let waiting = batch(1, Some(now), false);
        let in_flight = batch(2, Some(now), true);
        let quarantined = batch(3, None, false);
        let put = [waiting.clone(), in_flight, quarantined.clone()];
        store.write_blocking(move |tx| put.iter().try_for_each(|batch| tx.put(batch))).unwrap();
        assert_eq!(hold(&store).unwrap(), None, "nothing was restored");
        restore().unwrap();
        let held = hold(&store).unwrap().unwrap();
        assert_eq!((held.point, held.is_complete), (now, true));
        let states = || -> Vec<QueueState> {
            let batches = store.read().unwrap().all::<Batch>(0, 9).unwrap();
            batches.iter().filter_map(Batch::queue_state).collect()
        };
        assert_eq!(states(), [QueueState::Held, QueueState::Held, QueueState::Quarantined]);
        store.write_blocking(move |tx| tx.put(&waiting)).unwrap();
        assert_eq!(hold(&store).unwrap(), Some(held));
        assert_eq!(states()[0], QueueState::Waiting, "what comes after the restore is not held");
        assert!(store.write_blocking(release).unwrap());
        assert_eq!(hold(&store).unwrap(), None);
        restore().unwrap();
        hold(&store).unwrap();
        assert_eq!(states()[0], QueueState::Held, "restored once more");
    }
}
