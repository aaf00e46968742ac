//! Counts the copies of a message in each state, and lists those in one state.
//!
//! Every batch of the message is read; those of the listed copies once more. It changes nothing.

use crate::clock::Timestamp;
use crate::model::{Batch, Digest, DigestPost, DigestSchedule, Message, MessageId, RecipientState};
use crate::ops::archive::messages;
use crate::ops::delivery::deliveries::{Delivery, of_batch};
use crate::ops::moderation;
use crate::ops::people::contacts::account_of;
use crate::ops::queue::pauses::Pauses;
use crate::ops::{Caller, OpError};
use crate::schema::{BATCH_BY_MESSAGE, DIGEST_BY_MESSAGE};
use crate::store::{IndexRange, Key, Read, StoreError};

/// The number of copies in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Copies that were not attempted yet.
    pub queued: u64,
    /// Copies that are tried again.
    pub deferred: u64,
    /// Copies that were taken.
    pub delivered: u64,
    /// Copies that were refused for good, or given up.
    pub failed: u64,
    /// Copies of members who left or paused before.
    pub skipped: u64,
}

impl Figures {
    /// All copies.
    #[must_use]
    pub fn total(&self) -> u64 {
        let Figures { queued, deferred, delivered, failed, skipped } = self;
        queued + deferred + delivered + failed + skipped
    }

    /// The copies in one state.
    #[must_use]
    pub fn of(&self, state: RecipientState) -> u64 {
        match state {
            RecipientState::Queued => self.queued,
            RecipientState::Deferred => self.deferred,
            RecipientState::Delivered => self.delivered,
            RecipientState::Failed => self.failed,
            RecipientState::Skipped => self.skipped,
            RecipientState::Moved { .. } => 0,
        }
    }

    fn add(&mut self, state: RecipientState) {
        match state {
            RecipientState::Queued => self.queued += 1,
            RecipientState::Deferred => self.deferred += 1,
            RecipientState::Delivered => self.delivered += 1,
            RecipientState::Failed => self.failed += 1,
            RecipientState::Skipped => self.skipped += 1,
            RecipientState::Moved { .. } => {}
        }
    }
}

/// The figures of a message, and some of its copies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// The figures.
    pub figures: Figures,
    /// The copies that were asked for.
    pub rows: Vec<Delivery>,
    /// When the digest goes out in which members who take one get the message; `None` if it waits for none.
    pub digest: Option<Timestamp>,
}

/// When the digest goes out for which a message waits.
fn next_digest(tx: &impl Read, message: &Message) -> Result<Option<Timestamp>, StoreError> {
    let waits = tx.get::<DigestPost>(message.id.0)?.is_some_and(|post| post.is_taken);
    if !waits {
        return Ok(None);
    }
    Ok(tx.get::<DigestSchedule>(message.list.0)?.and_then(|schedule| schedule.due))
}

/// The figures of a message, and `limit` of its copies in one state, or in any, after the first `skipped`.
///
/// # Errors
/// If the message does not exist for the caller.
pub fn overview(
    tx: &impl Read,
    caller: &Caller,
    id: MessageId,
    state: Option<RecipientState>,
    (skipped, limit): (u64, usize),
    (pauses, now): (&Pauses, Timestamp),
) -> Result<Overview, OpError> {
    let message = messages::get(tx, caller, id)?;
    let account = account_of(tx, caller)?;
    let published = moderation::published(tx, &message)?;
    let of_account = || Key::new().u64(account.id.0);
    let digests = IndexRange::prefix(of_account().u64(message.id.0));
    let digests: Vec<Digest> = tx.page(&DIGEST_BY_MESSAGE, &digests, usize::MAX)?;
    let mut sent = vec![(message.id, None)];
    sent.extend(digests.iter().map(|digest| (digest.id, Some(digest.day))));
    let is_wanted = |of: RecipientState| state.is_none_or(|state| state == of);
    let digest = next_digest(tx, &message)?;
    let (mut overview, mut seen) = (Overview { digest, ..Overview::default() }, 0);
    for (sent, digest) in sent {
        let of_sent = IndexRange::prefix(of_account().u64(sent.0));
        for id in tx.ids(&BATCH_BY_MESSAGE, &of_sent, usize::MAX)? {
            let Some(batch) = tx.get::<Batch>(id)? else { continue };
            let states = batch.own_recipients().map(|(_, recipient)| recipient.state);
            let mut wanted = 0;
            for state in states {
                overview.figures.add(state);
                wanted += u64::from(is_wanted(state));
            }
            let before = seen;
            seen += wanted;
            if seen <= skipped || limit <= overview.rows.len() {
                continue;
            }
            let rows = of_batch(tx, &account, (&published, digest), id, (pauses, now))?;
            let first = usize::try_from(skipped.saturating_sub(before)).unwrap_or(usize::MAX);
            let room = limit - overview.rows.len();
            let rows = rows.into_iter().filter(|row| is_wanted(row.state));
            overview.rows.extend(rows.skip(first).take(room));
        }
    }
    Ok(overview)
}
