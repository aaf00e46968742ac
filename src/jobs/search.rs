//! When the words of new messages are read: in the pauses of the mail.
//!
//! Search comes after everything else. While posts come in one after the other, a step waits for a pause between
//! them, or for the time in which it cannot be noticed among them; then it does what it can at once. Neither a
//! crash nor a stop has anything to save: what was not written is read again.

use std::time::Duration;

use tokio::time::Instant;

use crate::ops::Core;
use crate::ops::archive::indexing;
use crate::store::StoreError;

/// How long no post must have come in for a step to begin at once.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest that a step waits for a pause. A step takes a few hundredths of this.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is known of the messages whose words are to be read.
#[derive(Debug)]
pub(super) struct Search {
    /// Whether a step is under way.
    running: bool,
    /// Since when messages may be waiting.
    waiting: Option<Instant>,
    /// When the scheduler was last told of new work.
    last_told: Instant,
    /// Whether somebody waits for the end.
    urgent: bool,
}

impl Search {
    /// Messages may have been left by the process before this one.
    pub(super) fn new() -> Search {
        let now = Instant::now();
        Search { running: false, waiting: Some(now), last_told: now, urgent: false }
    }

    /// There may be new messages.
    pub(super) fn look_again(&mut self) {
        let now = Instant::now();
        self.last_told = now;
        self.waiting.get_or_insert(now);
    }

    /// Does not wait for a pause any more, until everything is read.
    pub(super) fn hurry(&mut self) {
        self.look_again();
        self.urgent = true;
    }

    /// Whether a step is under way.
    pub(super) fn is_running(&self) -> bool {
        self.running
    }

    /// Whether everything is read.
    pub(super) fn is_done(&self) -> bool {
        !self.running && self.waiting.is_none()
    }

    /// How long until the next step may begin; none while there is nothing to wait for.
    pub(super) fn wait(&self) -> Option<Duration> {
        let waiting = self.waiting.filter(|_| !self.running)?;
        if self.urgent {
            return Some(Duration::ZERO);
        }
        let begin = (self.last_told + PAUSE).min(waiting + PATIENCE);
        Some(begin.saturating_duration_since(Instant::now()))
    }

    /// A step begins.
    pub(super) fn begin(&mut self) {
        self.running = true;
        self.waiting = None;
    }

    /// A step is over; whether there may be more to do.
    pub(super) fn end(&mut self, is_more: bool) {
        self.running = false;
        if is_more {
            self.waiting = Some(Instant::now());
        } else if self.waiting.is_none() {
            self.urgent = false;
        }
    }
}

/// Reads the words of the next messages and writes them; says whether there may be more.
pub(super) async fn step(core: &Core) -> Result<bool, StoreError> {
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || indexing::read(&store.read()?));
    let Some(step) = reading.await.map_err(|_| StoreError::Panicked)?? else { return Ok(false) };
    core.store.write(move |tx| indexing::write(tx, step)).await?;
    Ok(true)
}
