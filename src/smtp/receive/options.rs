//! How a listener behaves, and what all of its connections share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::sync::watch;

use super::backend::MailBackend;
use super::budget::ContentBudget;
use super::gate::GateLimits;
use super::pace::MinimumRate;
use super::session::{Protocol, SessionLimits};
use crate::clock::Timestamp;
use crate::config::{Config, DRAIN, MESSAGE_BYTES_MAX};
use crate::metrics::Metrics;
use crate::net::verify::Verifier;
use crate::ops::metric_labels;

/// Recipients of one message (RFC 5321 4.5.3.1.8 asks for 100 at least).
const RECIPIENTS_MAX: usize = 100;
/// Refused commands in one session.
const ERRORS_MAX: usize = 20;
/// How long a client may take for one command (RFC 5321 4.5.3.2.7).
const COMMAND_TIMEOUT: Duration = Duration::from_mins(5);
/// How long a client may take for the data of one message: 50 MiB at 30 KiB/s.
const DATA_TIMEOUT: Duration = Duration::from_mins(30);
/// The settings of the listener.
#[derive(Debug, Clone)]
pub struct ListenerOptions {
    /// The limits that sessions announce and enforce.
    pub session: SessionLimits,
    /// The limits on connections and their rates.
    pub gate: GateLimits,
    /// Verifies senders; `None` if none are verified.
    pub verifier: Option<Verifier>,
    /// The settings for TLS. STARTTLS is not offered if `None`; submission requires them.
    pub tls: Option<Arc<ServerConfig>>,
    /// How long a client may take for one command, and for reading replies.
    pub command_timeout: Duration,
    /// How long a client may take for the data of one message.
    pub data_timeout: Duration,
    /// The lowest rate at which the data of a message must come.
    pub minimum_rate: MinimumRate,
    /// How long a stop waits for sessions that are in their data.
    pub drain: Duration,
    /// Counts events for monitoring.
    pub metrics: Arc<Metrics>,
}

impl ListenerOptions {
    /// The limits of `spec/mail.md` for the server that `config` describes.
    #[must_use]
    pub fn new(
        config: &Config,
        tls: Option<Arc<ServerConfig>>,
        verifier: Option<Verifier>,
    ) -> ListenerOptions {
        let session = SessionLimits {
            protocol: Protocol::Smtp,
            hostname: config.hostname.clone(),
            size_max_bytes: MESSAGE_BYTES_MAX,
            recipients_max: RECIPIENTS_MAX,
            errors_max: ERRORS_MAX,
            content_budget: ContentBudget::default(),
        };
        ListenerOptions {
            session,
            gate: GateLimits { exempt: config.trusted_relays.clone(), ..GateLimits::default() },
            verifier,
            tls,
            command_timeout: COMMAND_TIMEOUT,
            data_timeout: DATA_TIMEOUT,
            minimum_rate: MinimumRate::default(),
            drain: DRAIN,
            metrics: Arc::new(metric_labels::metrics()),
        }
    }

    /// These options for LMTP; the memory budget for messages is shared.
    #[must_use]
    pub fn lmtp(&self) -> ListenerOptions {
        let session = SessionLimits { protocol: Protocol::Lmtp, ..self.session.clone() };
        ListenerOptions { session, ..self.clone() }
    }

    /// These options for submission, whose clients authenticate and need no DNS checks.
    #[must_use]
    pub fn submission(&self) -> ListenerOptions {
        let session = SessionLimits { protocol: Protocol::Submission, ..self.session.clone() };
        ListenerOptions { session, verifier: None, ..self.clone() }
    }
}

/// The state that all connections of a listener share.
#[derive(Debug)]
pub(super) struct Shared<M> {
    pub(super) backend: M,
    pub(super) options: ListenerOptions,
    pub(super) received: AtomicU64,
}

impl<M: MailBackend> Shared<M> {
    /// An id for the next received message: it connects the `Received` field with the log.
    pub(super) fn next_id(&self, now: Timestamp) -> String {
        format!("{:x}-{:x}", now.ms(), self.received.fetch_add(1, Ordering::Relaxed))
    }
}

/// Resolves once a stop is requested.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody can request it any more, which has the same effect.
    let _ = stop.wait_for(|stop| *stop).await;
}
