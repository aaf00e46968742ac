//! Wakes those who follow events, once a commit that wrote some is durable.
//!
//! The last part of every job writes the events of its notes ([`events::finish`]); the store tells of each commit, and the bell
//! passes on the number of the newest event. Followers then read the store themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use crate::clock::{Clock, Timestamp};
use crate::model::{Event, WebhookId};
use crate::ops::events;
use crate::store::{ReadTx, Store, StoreError};

/// Makes the JSON of events, which the layers below the API do not know.
pub trait EventBodies: std::fmt::Debug + Send + Sync {
    /// The body in which a webhook gets an event; `None` if its account is gone.
    ///
    /// # Errors
    /// If the store fails.
    fn body(&self, tx: &ReadTx, event: Event) -> Result<Option<String>, StoreError>;

    /// The body by which a webhook is tried.
    fn test(&self, hook: WebhookId, now: Timestamp) -> String;
}

/// The number of the newest event, for followers to wait for.
#[derive(Debug)]
pub struct EventBell {
    /// The newest of the jobs that ran; their commit may be under way.
    written: AtomicU64,
    newest: watch::Sender<u64>,
}

impl EventBell {
    /// The bell of a store, of whose jobs it has events written from now on.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn of(store: &Store, clock: Clock) -> Result<Arc<EventBell>, StoreError> {
        let newest = events::newest(&store.read()?)?.0;
        let bell =
            Arc::new(EventBell { written: AtomicU64::new(newest), newest: watch::Sender::new(newest) });
        let told = Arc::clone(&bell);
        store.on_job_end(Arc::new(move |tx| {
            if let Some(newest) = events::finish(tx, clock.now())? {
                told.written.fetch_max(newest.0, Ordering::Relaxed);
            }
            Ok(())
        }));
        Ok(bell)
    }

    /// Rings for the events of the commit that has become durable.
    pub fn ring(&self) {
        let written = self.written.load(Ordering::Relaxed);
        self.newest.send_if_modified(|newest| {
            let is_news = *newest < written;
            *newest = written.max(*newest);
            is_news
        });
    }

    /// Something that changes when there are further events.
    #[must_use]
    pub fn follow(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }
}
