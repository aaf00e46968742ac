//! Prints the progress of each post's delivery on the terminal.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cli::terminal::say;
use crate::model::{Batch, FanOut, List, Message, RecipientState};
use crate::schema::BATCH_BY_MESSAGE;
use crate::service::Core;
use crate::store::{Key, Read, StoreError};

/// Interval of reading the data.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Most posts that are followed at a time; others are reported when these are done.
const FOLLOWED_MAX: usize = 100;

/// The progress of a post's copies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    delivered: usize,
    waiting: usize,
    failed: usize,
    /// Whether some members have not been put into the queue yet.
    is_expanding: bool,
}

/// The posts whose delivery is followed.
pub(super) struct Report {
    core: Core,
    /// The newest post that was seen.
    seen: u64,
    open: BTreeMap<u64, (String, Option<Tally>)>,
    /// Number of posts whose every copy has been settled.
    finished: usize,
}

impl Report {
    /// Follows posts that are published from now on.
    pub(super) fn new(core: Core) -> Result<Report, StoreError> {
        let tx = core.store.read()?;
        let mut seen = 0;
        while let Some(last) = tx.all::<Message>(seen, FOLLOWED_MAX)?.last() {
            seen = last.id.0;
        }
        drop(tx);
        Ok(Report { core, seen, open: BTreeMap::new(), finished: 0 })
    }

    /// Prints every change until the end of the program.
    pub(super) async fn follow(mut self) -> Result<(), StoreError> {
        self.follow_posts(usize::MAX).await
    }

    /// Prints every change until this many posts have reached their members.
    pub(super) async fn follow_posts(&mut self, posts: usize) -> Result<(), StoreError> {
        while self.finished < posts {
            self.look()?;
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), StoreError> {
        let tx = self.core.store.read()?;
        for message in tx.all::<Message>(self.seen, FOLLOWED_MAX - self.open.len().min(FOLLOWED_MAX))? {
            self.seen = message.id.0;
            let list = tx.get::<List>(message.list.0)?;
            let name = list.map_or_else(|| "a deleted list".to_owned(), |list| list.name.to_string());
            self.open.insert(message.id.0, (format!("{name}: {:?}", message.subject), None));
        }
        let mut done = Vec::new();
        for (id, (title, told)) in &mut self.open {
            let now = tally(&tx, *id)?;
            let is_done = now.waiting == 0 && !now.is_expanding;
            // A post whose first members are still being looked up has no progress to print.
            let is_news = *told != Some(now) && (is_done || 0 < now.delivered + now.waiting + now.failed);
            if is_news {
                say(line(title, now));
                *told = Some(now);
            }
            if is_done {
                done.push(*id);
            }
        }
        self.finished += done.len();
        self.open.retain(|id, _| !done.contains(id));
        Ok(())
    }
}

fn line(title: &str, tally: Tally) -> String {
    let Tally { delivered, waiting, failed, is_expanding } = tally;
    let failed = if failed == 0 { String::new() } else { format!(", {failed} failed") };
    let more = if is_expanding { ", more to come" } else { "" };
    format!("{title}: {delivered} copies delivered, {waiting} waiting{failed}{more}")
}

fn tally(tx: &impl Read, message: u64) -> Result<Tally, StoreError> {
    let Some(record) = tx.get::<Message>(message)? else { return Ok(Tally::default()) };
    let is_expanding = tx.all::<FanOut>(0, usize::MAX)?.iter().any(|fan_out| fan_out.message == record.id);
    let mut tally = Tally { is_expanding, ..Tally::default() };
    let prefix = Key::new().u64(record.account.0).u64(message);
    for batch in tx.page::<Batch>(&BATCH_BY_MESSAGE, &prefix.into(), usize::MAX)? {
        for recipient in &batch.recipients {
            match recipient.state {
                RecipientState::Delivered => tally.delivered += 1,
                RecipientState::Queued | RecipientState::Deferred => tally.waiting += 1,
                RecipientState::Failed => tally.failed += 1,
                RecipientState::Skipped | RecipientState::Moved { .. } => {}
            }
        }
    }
    Ok(tally)
}
