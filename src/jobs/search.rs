//! Decides when the words of new messages are indexed: in the pauses between posts.
//!
//! Indexing comes after all other work. While posts come in one after the other, a step waits for a pause between them,
//! at most as long as its delay would not be noticed among them; otherwise it runs at once. The words of a few new posts
//! share the commit that claims their first copies ([`few_words`]), and leave a step nothing to do. A crash or a stop loses
//! nothing: messages that were not indexed are read again.

use std::time::Duration;

use tokio::time::Instant;

use crate::ops::archive::indexing::{self, FewTerms};
use crate::service::Core;
use crate::service::part_notes;
use crate::store::StoreError;

/// How long no post may have come in before a step begins at once.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest time that a step waits for a pause. A step takes a few hundredths of this.
const PATIENCE: Duration = Duration::from_secs(1);

/// The state of indexing.
#[derive(Debug)]
pub(super) struct Search {
    /// Whether a step is under way.
    running: bool,
    /// When messages began to wait for indexing, if any may be waiting.
    waiting: Option<Instant>,
    /// When the scheduler was last told of new work.
    last_told: Instant,
    /// Whether a caller waits until everything is indexed.
    urgent: bool,
}

impl Search {
    /// Begins with the assumption that the last process left messages unindexed.
    pub(super) fn new() -> Search {
        let now = Instant::now();
        Search { running: false, waiting: Some(now), last_told: now, urgent: false }
    }

    /// Notes that there may be new messages.
    pub(super) fn look_again(&mut self) {
        let now = Instant::now();
        self.last_told = now;
        self.waiting.get_or_insert(now);
    }

    /// Waits for no more pauses until everything is indexed.
    pub(super) fn hurry(&mut self) {
        self.look_again();
        self.urgent = true;
    }

    /// Whether a step is under way.
    pub(super) fn is_running(&self) -> bool {
        self.running
    }

    /// Whether everything is indexed.
    pub(super) fn is_done(&self) -> bool {
        !self.running && self.waiting.is_none()
    }

    /// How long until the next step may begin; `None` if there is nothing to index.
    pub(super) fn wait(&self) -> Option<Duration> {
        let waiting = self.waiting.filter(|_| !self.running)?;
        if self.urgent {
            return Some(Duration::ZERO);
        }
        let begin = (self.last_told + PAUSE).min(waiting + PATIENCE);
        Some(begin.saturating_duration_since(Instant::now()))
    }

    /// Notes that a step begins.
    pub(super) fn begin(&mut self) {
        self.running = true;
        self.waiting = None;
    }

    /// Notes the end of a step, and whether there may be more to index.
    pub(super) fn end(&mut self, is_more: bool) {
        self.running = false;
        if is_more {
            self.waiting = Some(Instant::now());
        } else if self.waiting.is_none() {
            self.urgent = false;
        }
    }
}

/// Indexes the words of the next messages, and notes the parts of large ones; returns whether there may be more.
pub(super) async fn step(core: &Core) -> Result<bool, StoreError> {
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || indexing::read(&store.read()?));
    let Some(step) = reading.await.map_err(|_| StoreError::Panicked)?? else { return Ok(false) };
    let messages = step.messages();
    core.store.write(move |tx| indexing::write(tx, step)).await?;
    for message in messages {
        if let Err(error) = part_notes::make(core, message).await {
            tracing::warn!(message.id = message.0, error = %error, "The parts of a message are not noted");
        }
    }
    Ok(true)
}

/// Reads the words of the new messages if they are so few that another commit takes them along. If they cannot be read,
/// a step tells why.
pub(super) async fn few_words(core: &Core) -> Option<FewTerms> {
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || indexing::read_few(&store.read()?));
    reading.await.ok()?.ok()?
}
