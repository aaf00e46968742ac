//! Gives the receiving [`Session`](super::session::Session) its sockets, time limits, TLS and an orderly end.
//!
//! Every connection is a task. Replies to pipelined commands leave in one write. 250 after the data is said
//! only when [`MailBackend::receive`] has resolved, which is when the message is durable.

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
/// Refused commands of one session.
const ERRORS_MAX: usize = 20;
/// How long a client may take for one command (RFC 5321 4.5.3.2.7).
const COMMAND_TIMEOUT: Duration = Duration::from_mins(5);
/// How long a client may take for the data of one message: 50 MiB at 30 KiB/s.
const DATA_TIMEOUT: Duration = Duration::from_mins(30);
/// How long to wait when no connection can be accepted, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What the listener asks the rest of the server.
pub trait MailBackend: Clone + Send + Sync + 'static {
    /// What mail to `address` would be.
    fn route(&self, address: &EmailAddress, declared_size_bytes: Option<usize>) -> Result<Route, Refusal>;

    /// Whether a client that shows this may send mail.
    fn authenticate(&self, credentials: &Credentials, client: IpAddr) -> Result<(), AuthError>;

    /// Whether a client that was authenticated with this may go on sending mail.
    fn is_still_proven(&self, credentials: &Credentials, client: IpAddr) -> bool;

    /// What mail to `address` would be from a client that shows this.
    fn route_of(
        &self,
        credentials: &Credentials,
        client: IpAddr,
        address: &EmailAddress,
        declared_size_bytes: Option<usize>,
    ) -> Result<Route, Refusal>;

    /// The same from a client that has shown who it is, and that it may write to each recipient.
    fn receive_submitted(
        &self,
        envelope: Envelope,
        raw: Vec<u8>,
    ) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// Takes a message; resolves when it is durable.
    fn receive(&self, envelope: Envelope, raw: Vec<u8>) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// The present.
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
        // Where the store fails, nobody knows: the command itself fails then.
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

/// How the listener behaves.
#[derive(Debug, Clone)]
pub struct ListenerOptions {
    /// What sessions announce and allow.
    pub session: SessionLimits,
    /// Who may connect and how often.
    pub gate: GateLimits,
    /// Verifies senders; nobody is where none.
    pub verifier: Option<Verifier>,
    /// What TLS is served with: STARTTLS, which is not offered where none; submission, which begins with it.
    pub tls: Option<Arc<ServerConfig>>,
    /// How long a client may take for one command, and for reading our replies.
    pub command_timeout: Duration,
    /// How long a client may take for the data of one message.
    pub data_timeout: Duration,
    /// How fast the data of a message must come.
    pub minimum_rate: MinimumRate,
    /// How long a stop waits for sessions that are in their data.
    pub drain: Duration,
    /// Counts what happens.
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

    /// The same for LMTP; what messages may take of memory is shared.
    #[must_use]
    pub fn lmtp(&self) -> ListenerOptions {
        let session = SessionLimits { protocol: Protocol::Lmtp, ..self.session.clone() };
        ListenerOptions { session, ..self.clone() }
    }

    /// The same for submission, where clients prove who they are and the DNS is asked nothing.
    #[must_use]
    pub fn submission(&self) -> ListenerOptions {
        let session = SessionLimits { protocol: Protocol::Submission, ..self.session.clone() };
        ListenerOptions { session, verifier: None, ..self.clone() }
    }
}

/// What all connections of a listener share.
#[derive(Debug)]
pub(super) struct Shared<M> {
    pub(super) mailroom: M,
    pub(super) options: ListenerOptions,
    received: AtomicU64,
}

impl<M: MailBackend> Shared<M> {
    /// An id for the next message that is received: it ties the `Received` field to the log.
    pub(super) fn next_id(&self, now: Timestamp) -> String {
        format!("{:x}-{:x}", now.ms(), self.received.fetch_add(1, Ordering::Relaxed))
    }
}

/// Answers on `listener` until `stop` turns true; then sessions in their data finish, all others are told 421, and
/// the call returns.
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

/// Resolves once a stop is asked for.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that whoever could ask for it is gone, which is the same.
    let _ = stop.wait_for(|stop| *stop).await;
}

fn report_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(error = %error, "An SMTP connection ended in a defect of this program");
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
            // Its client waits for TLS, which it is not worth.
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
    // Whether the client hears it changes nothing for us.
    let _ = tokio::time::timeout(timeout, stream.write_all(&out)).await;
}

/// The reply to a refusal, in one place.
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

/// The reply to a client that is not who it should be.
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

/// A reason as the beginning of a sentence, as all replies are.
fn sentence(reason: &impl std::fmt::Display) -> String {
    let mut text = reason.to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The trace field of a message that was received just now (RFC 5321 4.4; the protocols' names are those of
/// RFC 3848 and RFC 6531 4.3).
#[must_use]
pub fn received_header(
    envelope: &Envelope,
    protocol: Protocol,
    hostname: &str,
    now: Timestamp,
    id: &str,
) -> String {
    let Envelope { client, helo, tls, recipients, smtputf8, .. } = envelope;
    // A client can call itself anything; only what cannot break the field is repeated.
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
    // With several recipients, naming them would tell each of the others (RFC 5321 7.2).
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
