//! What a listener asks the rest of the server, and how it tells clients what it refuses.

use std::net::IpAddr;

use super::auth::Credentials;
use super::reply::Reply;
use super::session::Protocol;
use crate::clock::Timestamp;
use crate::mail::envelope::{Envelope, Route};
use crate::model::EmailAddress;
use crate::ops::posting::inbound::Refusal;
use crate::service::Core;
use crate::service::submitters::AuthError;

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

/// The SMTP reply to each refusal.
pub(super) fn refusal_reply(refusal: &Refusal) -> Reply {
    refusal.reply().into()
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
