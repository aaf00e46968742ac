//! Runs the receiving [`Session`](super::session::Session)s: sockets, time limits, TLS and an orderly end.
//!
//! Every connection is a task. Replies to pipelined commands are sent in one write. The 250 after the data is sent only
//! when [`MailBackend::receive`] has resolved, which is when the message is durable. All decisions about mail are the
//! [`MailBackend`]'s.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::auth::Credentials;
use super::budget::ContentBudget;
use super::connection::Connection;
use super::gate::{Gate, GateLimits};
use super::pace::MinimumRate;
use super::reply::Reply;
use super::session::{Protocol, SessionLimits, too_large_reply};
use super::socket::Accept;
use super::verify::Verifier;
use crate::clock::Timestamp;
use crate::config::{Config, DRAIN, MESSAGE_BYTES_MAX};
use crate::mail::policy::RejectReason;
use crate::metrics::Metrics;
use crate::model::EmailAddress;
use crate::ops::envelope::{Envelope, Route};
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::submitters::AuthError;
use crate::ops::{Core, metric_labels};

/// Recipients of one message (RFC 5321 4.5.3.1.8 asks for 100 at least).
const RECIPIENTS_MAX: usize = 100;
/// Refused commands in one session.
const ERRORS_MAX: usize = 20;
/// How long a client may take for one command (RFC 5321 4.5.3.2.7).
const COMMAND_TIMEOUT: Duration = Duration::from_mins(5);
/// How long a client may take for the data of one message: 50 MiB at 30 KiB/s.
const DATA_TIMEOUT: Duration = Duration::from_mins(30);
/// How long to wait after no connection could be accepted, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The rest of the server as the listener needs it.
pub trait MailBackend: Clone + Send + Sync + 'static {
    /// The route of mail to `address`, or the reason to refuse it.
    fn route(&self, address: &EmailAddress, declared_size_bytes: Option<usize>) -> Result<Route, Refusal>;

    /// Whether a client with these credentials may send mail.
    fn authenticate(&self, credentials: &Credentials, client: IpAddr) -> Result<(), AuthError>;

    /// Whether a client that was authenticated with these credentials may still send mail.
    fn is_still_proven(&self, credentials: &Credentials, client: IpAddr) -> bool;

    /// The route of mail to `address` from a client with these credentials.
    fn route_of(
        &self,
        credentials: &Credentials,
        client: IpAddr,
        address: &EmailAddress,
        declared_size_bytes: Option<usize>,
    ) -> Result<Route, Refusal>;

    /// Accepts a message from an authenticated client that may write to each recipient; resolves when it is durable.
    fn receive_submitted(
        &self,
        envelope: Envelope,
        raw: Vec<u8>,
    ) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// Accepts a message; resolves when it is durable.
    fn receive(&self, envelope: Envelope, raw: Vec<u8>) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// The current time.
    fn now(&self) -> Timestamp;
}

impl MailBackend for Core {
    fn route(&self, address: &EmailAddress, declared_size_bytes: Option<usize>) -> Result<Route, Refusal> {
        Core::route(self, address, declared_size_bytes)
    }

    fn authenticate(&self, credentials: &Credentials, client: IpAddr) -> Result<(), AuthError> {
        self.submitter(&credentials.password, client).map(drop)
    }

    fn is_still_proven(&self, credentials: &Credentials, client: IpAddr) -> bool {
        // If the store fails, the key cannot be checked: the command itself fails then.
        matches!(self.known_submitter(&credentials.password, client), Ok(_) | Err(AuthError::Internal))
    }

    fn route_of(
        &self,
        credentials: &Credentials,
        client: IpAddr,
        address: &EmailAddress,
        declared_size_bytes: Option<usize>,
    ) -> Result<Route, Refusal> {
        self.route_for(&credentials.password, client, address, declared_size_bytes)
    }

    async fn receive(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        Core::receive(self, envelope, raw).await
    }

    async fn receive_submitted(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        Core::receive_submitted(self, envelope, raw).await
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

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
    pub(super) mailroom: M,
    pub(super) options: ListenerOptions,
    received: AtomicU64,
}

impl<M: MailBackend> Shared<M> {
    /// An id for the next received message: it connects the `Received` field with the log.
    pub(super) fn next_id(&self, now: Timestamp) -> String {
        format!("{:x}-{:x}", now.ms(), self.received.fetch_add(1, Ordering::Relaxed))
    }
}

/// Accepts connections on `listener` until `stop` turns true; then sessions in their data finish, all others get 421,
/// and the call returns.
pub async fn serve<L: Accept, M: MailBackend>(
    listener: L,
    mailroom: M,
    options: ListenerOptions,
    mut stop: watch::Receiver<bool>,
) {
    let gate = Arc::new(Gate::new(options.gate.clone()));
    let shared = Arc::new(Shared { mailroom, options, received: AtomicU64::new(0) });
    let mut connections = JoinSet::new();
    let stop_of_connections = stop.clone();
    loop {
        tokio::select! {
            biased;
            () = stopped(&mut stop) => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, client)) => {
                    let stop = stop_of_connections.clone();
                    connections.spawn(Box::pin(handle_connection(stream, client, gate.clone(), shared.clone(), stop)));
                }
                Err(error) => {
                    tracing::warn!(error = %error, "No SMTP connection could be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(ended) = connections.join_next() => report_panic(ended),
        }
    }
    drop(listener);
    let drained = async {
        while let Some(ended) = connections.join_next().await {
            report_panic(ended);
        }
    };
    if tokio::time::timeout(shared.options.drain, drained).await.is_err() {
        tracing::warn!(smtp.connections = connections.len(), "SMTP connections were cut off at the stop");
    }
}

/// Resolves once a stop is requested.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody can request it any more, which has the same effect.
    let _ = stop.wait_for(|stop| *stop).await;
}

fn report_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(error = %error, "The task of an SMTP connection panicked");
    }
}

async fn handle_connection<S, M: MailBackend>(
    mut stream: S,
    client: IpAddr,
    gate: Arc<Gate>,
    shared: Arc<Shared<M>>,
    stop: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Some(pass) = gate.admit(client) else {
        tracing::info!(client.address = %client, "An SMTP connection was refused: too many from {client}");
        shared.options.metrics.receiving.sessions.count([shared.options.session.protocol.word(), "refused"]);
        if shared.options.session.protocol == Protocol::Submission {
            // The client waits for TLS, which a refusal is not worth.
            return;
        }
        refuse(&mut stream, shared.options.command_timeout).await;
        return;
    };
    if let Err(error) = Connection::new(shared, pass, client, stop).run(stream).await {
        tracing::debug!(client.address = %client, error = %error, "An SMTP connection from {client} broke");
    }
}

async fn refuse<S: AsyncWrite + Unpin>(stream: &mut S, timeout: Duration) {
    let mut out = Vec::new();
    Reply::new(421, "4.7.0", "Too many connections, try again later").render(&mut out);
    // A reply that does not reach the client changes nothing here.
    let _ = tokio::time::timeout(timeout, stream.write_all(&out)).await;
}

/// The SMTP reply to each refusal.
pub(super) fn refusal_reply(refusal: Refusal) -> Reply {
    match refusal {
        Refusal::NoSuchRecipient => Reply::new(550, "5.1.1", "No such recipient here"),
        Refusal::NotOurs => Reply::new(550, "5.7.1", "Not a domain of this server, which does not relay"),
        Refusal::NotSetUp => Reply::new(451, "4.3.0", "This server is not set up yet, try again later"),
        Refusal::NotYours => Reply::new(550, "5.7.1", "You may write to addresses of your own account alone"),
        Refusal::AuthError => Reply::new(
            421,
            "4.7.0",
            "Your key does not work any more: it was revoked, has expired or lost its permission",
        ),
        Refusal::Exhausted { limit } => {
            let text =
                format!("Your account may read and change {limit} objects an hour, try again in the next");
            Reply::new(451, "4.7.1", text)
        }
        Refusal::TooLarge { limit_bytes } => too_large_reply(limit_bytes),
        Refusal::TooManyHeld(limit) => {
            Reply::new(452, "4.2.2", format!("{}, try again later", sentence(&limit)))
        }
        Refusal::TooMuchRoleMail => Reply::new(
            452,
            "4.7.1",
            "Too much mail of yours to those who look after lists, try again tomorrow",
        ),
        Refusal::AliasTooLarge(reason) => Reply::new(550, "5.2.4", sentence(&reason)),
        Refusal::Malformed(reason) => Reply::new(554, "5.6.0", sentence(&reason)),
        Refusal::Rejected(reason @ RejectReason::TooLarge { .. }) => {
            Reply::new(552, "5.3.4", sentence(&reason))
        }
        Refusal::Rejected(reason) => Reply::new(550, "5.7.1", sentence(&reason)),
        Refusal::Forged => Reply::new(
            550,
            "5.7.1",
            "The author's domain asks to refuse this message: neither SPF nor DKIM proves it (DMARC)",
        ),
        Refusal::Unverified => Reply::new(
            451,
            "4.7.0",
            "The author cannot be verified now, as the DNS gives no answer; try again later",
        ),
        Refusal::TooEarly => {
            Reply::new(451, "4.3.0", "The message that this reports on is still being sent, try again later")
        }
        Refusal::DiskFull => Reply::new(452, "4.3.1", "The disk of this server is full, try again later"),
        Refusal::DiskFails => {
            Reply::new(451, "4.3.0", "Nothing can be stored at the moment, try again later")
        }
        Refusal::Internal | Refusal::Broken { .. } => {
            Reply::new(451, "4.3.0", "Internal error, try again later")
        }
    }
}

/// The reply to a client that failed to authenticate.
pub(super) fn unproven_reply(unproven: AuthError) -> Reply {
    match unproven {
        AuthError::Unknown => {
            Reply::new(535, "5.7.8", "No such API key, or not from here; it is the password")
        }
        AuthError::MayNotSend => Reply::new(535, "5.7.8", "Your key lacks the permission send_messages"),
        AuthError::TooMany => Reply::new(421, "4.7.0", "Too many failing authentications from your address"),
        AuthError::Internal => Reply::new(454, "4.7.0", "Nobody can be authenticated now, try again later"),
    }
}

/// A reason as a sentence, with a capital letter, like all replies.
fn sentence(reason: &impl std::fmt::Display) -> String {
    let mut text = reason.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The trace field of a message that has just been received (RFC 5321 4.4; the protocols' names are those of RFC 3848
/// and RFC 6531 4.3).
#[must_use]
pub fn received_header(
    envelope: &Envelope,
    protocol: Protocol,
    hostname: &str,
    now: Timestamp,
    id: &str,
) -> String {
    let Envelope { client, helo, tls, recipients, smtputf8, .. } = envelope;
    // A client can call itself anything; only text that cannot break the field is repeated.
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-._:[]".contains(c) { c } else { '?' };
    let helo: String = helo.chars().map(safe).collect();
    let address = match client {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("IPv6:{address}"),
    };
    let is_submitted = protocol == Protocol::Submission;
    let protocol = match (protocol, smtputf8) {
        (Protocol::Smtp | Protocol::Submission, false) => "ESMTP",
        (Protocol::Smtp | Protocol::Submission, true) => "UTF8SMTP",
        (Protocol::Lmtp, false) => "LMTP",
        (Protocol::Lmtp, true) => "UTF8LMTP",
    };
    let authenticated = if is_submitted { "A" } else { "" };
    let encrypted = if *tls { "S" } else { "" };
    // With several recipients, naming them would tell each about the others (RFC 5321 7.2).
    let recipient = match recipients.as_slice() {
        [(address, _)] if address.as_str().is_ascii() => format!("\r\n\tfor <{address}>"),
        _ => String::new(),
    };
    let date = now.rfc2822();
    format!(
        "Received: from {helo} ([{address}])\r\n\tby {hostname} with {protocol}{encrypted}{authenticated} id {id}{recipient};\r\n\t{date}\r\n"
    )
}

#[cfg(test)]
mod tests;
