//! Checks whether the DNS server answers at all.
//!
//! A sender can make any look-up of its own names slow. So a look-up without an answer only raises a doubt; a query
//! that every server can answer at once, and that no sender chose, settles it: the name servers of the root. While that
//! is not answered either, nobody waits for look-ups, and the query is repeated.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hickory_resolver::TokioResolver;
use hickory_resolver::net::NetError;
use hickory_resolver::proto::rr::{Name, RecordType};
use tokio::sync::watch;
use tokio::time::timeout;

/// How long the server may take.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// How long the result of one query counts.
const ASK_EVERY: Duration = Duration::from_secs(5);

/// The state of the DNS server. Clones share it.
#[derive(Clone)]
pub(super) struct Health {
    resolver: TokioResolver,
    is_down: Arc<watch::Sender<bool>>,
    has_answered: Arc<AtomicBool>,
    asking: Arc<Mutex<Asking>>,
}

#[derive(Default)]
struct Asking {
    is_under_way: bool,
    last: Option<Instant>,
}

impl Health {
    /// The state before any query.
    pub(super) fn new(resolver: TokioResolver) -> Health {
        let is_down = Arc::new(watch::Sender::new(false));
        Health { resolver, is_down, has_answered: Arc::default(), asking: Arc::default() }
    }

    /// Whether it has ever answered.
    pub(super) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// Notes that it has just answered a query.
    pub(super) fn note_answer(&self) {
        self.has_answered.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_down(&self) -> bool {
        *self.is_down.borrow()
    }

    /// Resolves once the server is known not to answer.
    pub(super) async fn down(&self) {
        // The channel cannot be closed: its sender lives here.
        let _ = self.is_down.subscribe().wait_for(|is_down| *is_down).await;
    }

    /// Queries the server in the background, unless it was queried just now.
    pub(super) fn doubt(&self) {
        {
            let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            if asking.is_under_way || asking.last.is_some_and(|last| last.elapsed() < ASK_EVERY) {
                return;
            }
            asking.is_under_way = true;
        }
        let health = self.clone();
        tokio::spawn(async move {
            let is_down = !health.answers().await;
            if !is_down {
                health.note_answer();
            }
            *health.asking.lock().unwrap_or_else(PoisonError::into_inner) =
                Asking { is_under_way: false, last: Some(Instant::now()) };
            if health.is_down.send_replace(is_down) != is_down {
                if is_down {
                    tracing::warn!("The DNS does not answer: senders cannot be verified for now");
                } else {
                    tracing::info!("The DNS answers again");
                }
            }
        });
    }

    async fn answers(&self) -> bool {
        match timeout(ANSWER_MAX, self.resolver.lookup(Name::root(), RecordType::NS)).await {
            // A refusal is an answer.
            Ok(Ok(_) | Err(NetError::Dns(_))) => true,
            Ok(Err(_)) | Err(_) => false,
        }
    }
}
