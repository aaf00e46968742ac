//! Makes connections for sending: tries addresses in turn, uses TLS as demanded, says EHLO, authenticates.
//!
//! mail-send does the protocol work; this module decides in which order it is tried, and what happens when a step
//! fails. The scheduler's delivery worker calls it.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use mail_send::{Credentials, SmtpClient};
use rustls::CertificateError;
use rustls::pki_types::ServerName;
use smtp_proto::EXT_START_TLS;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::certificate::timestamp;
use super::client::{Connection, Stream};
use super::dane::{self, Association};
use super::hello::hello;
use super::outgoing::RemoteReply;
use super::tls::{opportunistic_client, verifying_client};
use crate::clock::Timestamp;
use crate::config::{Config, Patience, Relay, Trust};

/// A server to connect to, and the security that is demanded.
#[derive(Clone)]
pub struct Target {
    /// The name that a certificate is checked against.
    pub host: String,
    /// Its addresses, tried in order until one answers.
    pub addresses: Vec<SocketAddr>,
    /// The demanded security.
    pub security: Security,
    /// User name and password; sent over verified TLS only.
    pub credentials: Option<(String, String)>,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The password is never logged.
        write!(out, "Target({} at {:?}, {:?})", self.host, self.addresses, self.security)
    }
}

impl Target {
    /// The operator's relay, whose name was resolved to `addresses`.
    #[must_use]
    pub fn relay(relay: &Relay, addresses: &[IpAddr]) -> Target {
        let Relay { host, port, implicit_tls, credentials } = relay;
        let security = match (implicit_tls, credentials) {
            (true, _) => Security::Implicit,
            (false, Some(_)) => Security::Verified,
            (false, None) => Security::Opportunistic,
        };
        Target {
            host: host.clone(),
            addresses: addresses.iter().map(|address| SocketAddr::new(*address, *port)).collect(),
            security,
            credentials: credentials.clone(),
        }
    }
}

/// The TLS that is demanded of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Security {
    /// STARTTLS if it is offered and works, with any certificate; else without encryption (RFC 7435).
    Opportunistic,
    /// STARTTLS with any certificate, or no connection.
    Encrypted,
    /// Like `Verified` as long as that works, then opportunistic; failures are logged (RFC 8461 5).
    Tested,
    /// STARTTLS with a certificate from a public authority, or no connection.
    Verified,
    /// STARTTLS with a certificate that the DNS names, or no connection (RFC 7672).
    Dane {
        /// The DANE records: at least one.
        records: Arc<[Association]>,
        /// The domain whose mail is sent to the server.
        domain: String,
    },
    /// TLS from the first octet (RFC 8314), verified like `Verified`.
    Implicit,
}

/// The protection of an open connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// No encryption.
    Clear,
    /// TLS with a server whose identity is unknown.
    Encrypted,
    /// TLS with the intended server, verified by public authorities.
    Verified,
    /// TLS with the intended server, verified by the DNS.
    Dane,
}

impl Protection {
    /// Whether the server's identity is proven.
    #[must_use]
    pub fn is_authenticated(self) -> bool {
        match self {
            Protection::Clear | Protection::Encrypted => false,
            Protection::Verified | Protection::Dane => true,
        }
    }
}

/// Settings for making connections.
#[derive(Debug, Clone)]
pub struct ClientConfig {
    /// The name of this server in EHLO.
    pub hostname: String,
    /// Time limit for one address to accept a connection.
    pub connect_timeout: Duration,
    /// Time limit for the reply to one command (RFC 5321 4.5.3.2).
    pub command_timeout: Duration,
    /// Time limit for writing a message, and for the reply to it.
    pub data_timeout: Duration,
    /// The TLS settings that verify certificates.
    pub verifying: Arc<rustls::ClientConfig>,
}

impl ClientConfig {
    /// The settings that the configuration gives the server.
    #[must_use]
    pub fn of(config: &Config) -> ClientConfig {
        let Patience { connect, command, data, question: _, visit: _ } = config.patience;
        ClientConfig {
            connect_timeout: connect,
            command_timeout: command,
            data_timeout: data,
            ..ClientConfig::with_trust(config.hostname.clone(), &config.trust)
        }
    }

    /// The time limits of RFC 5321 under the given name; the public authorities are trusted.
    #[must_use]
    pub fn new(hostname: impl Into<String>) -> ClientConfig {
        ClientConfig::with_trust(hostname, &Trust::default())
    }

    fn with_trust(hostname: impl Into<String>, trust: &Trust) -> ClientConfig {
        let Patience { connect, command, data, question: _, visit: _ } = Patience::default();
        ClientConfig {
            hostname: hostname.into(),
            verifying: verifying_client(trust),
            connect_timeout: connect,
            command_timeout: command,
            data_timeout: data,
        }
    }
}

/// The reason why there is no connection. Each may be repaired, so that a later attempt is worthwhile.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// There was no address to try.
    #[error("there is no address to connect to")]
    NoAddress,
    /// The network refused or failed.
    #[error("{0}")]
    Network(#[from] io::Error),
    /// There was no reply in time.
    #[error("no answer in time")]
    TimedOut,
    /// The server refuses this one: its reply to the connection or to EHLO.
    #[error("{0}")]
    Refused(RemoteReply),
    /// The server's certificate has expired, surely by mistake: it will be renewed.
    #[error("TLS failed: the server's certificate expired at {0}")]
    Expired(Timestamp),
    /// TLS was refused or failed.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The network broke while TLS was being negotiated.
    #[error("TLS could not be negotiated: {0}")]
    TlsBroken(String),
    /// TLS is demanded, and not offered.
    #[error("the server offers no STARTTLS, which is needed here")]
    TlsNotOffered,
    /// The server did not accept user name and password.
    #[error("the server did not accept user name and password: {0}")]
    Credentials(String),
    /// The other side does not speak SMTP.
    #[error("the server does not speak SMTP")]
    NotSmtp,
}

impl ConnectError {
    /// Whether the connection might have worked without TLS, or without verification.
    fn is_about_tls(&self) -> bool {
        match self {
            ConnectError::Expired(_)
            | ConnectError::Tls(_)
            | ConnectError::TlsBroken(_)
            | ConnectError::TlsNotOffered => true,
            ConnectError::NoAddress
            | ConnectError::Network(_)
            | ConnectError::TimedOut
            | ConnectError::Refused(_)
            | ConnectError::Credentials(_)
            | ConnectError::NotSmtp => false,
        }
    }
}

impl From<mail_send::Error> for ConnectError {
    fn from(error: mail_send::Error) -> ConnectError {
        match error {
            mail_send::Error::Io(error) => ConnectError::Network(error),
            mail_send::Error::Tls(error) => match *error {
                rustls::Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. }) => {
                    ConnectError::Expired(timestamp(not_after))
                }
                error => ConnectError::Tls(format!("TLS error: {error}")),
            },
            mail_send::Error::InvalidTLSName => {
                ConnectError::Tls("the host's name cannot be verified".to_owned())
            }
            mail_send::Error::UnexpectedReply(reply) => ConnectError::Refused(reply.into()),
            mail_send::Error::AuthenticationFailed(reply) => {
                ConnectError::Credentials(RemoteReply::from(reply).to_string())
            }
            mail_send::Error::Auth(_)
            | mail_send::Error::Base64(_)
            | mail_send::Error::MissingCredentials
            | mail_send::Error::UnsupportedAuthMechanism => ConnectError::Credentials(error.to_string()),
            mail_send::Error::Timeout => ConnectError::TimedOut,
            mail_send::Error::MissingStartTls => ConnectError::TlsNotOffered,
            mail_send::Error::UnparseableReply
            | mail_send::Error::MissingMailFrom
            | mail_send::Error::MissingRcptTo => ConnectError::NotSmtp,
        }
    }
}

/// Connects to the first address that answers, and says EHLO.
///
/// # Panics
/// If the target has a password and would send it without encryption.
pub async fn connect(target: &Target, config: &ClientConfig) -> Result<Connection, ConnectError> {
    assert!(
        target.credentials.is_none() || target.security != Security::Opportunistic,
        "a password must not leave in clear"
    );
    let mut last = ConnectError::NoAddress;
    for address in &target.addresses {
        match Box::pin(connect_to(*address, target, config)).await {
            Ok(connection) => {
                tracing::debug!(smtp.host = target.host, smtp.address = %address,
                    "Connected to {address}: {}", connection.tls());
                return Ok(connection);
            }
            Err(error) => {
                tracing::debug!(smtp.host = target.host, smtp.address = %address, error = %error,
                    "No connection to {address}");
                last = error;
            }
        }
    }
    Err(last)
}

async fn connect_to(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    match &target.security {
        Security::Implicit => {
            let client = open(address, config).await?;
            let connector = TlsConnector::from(config.verifying.clone());
            let mut client = client.into_tls(&connector, &target.host).await?;
            greeting(&mut client).await?;
            greeted_over_tls(client, target, config, Protection::Verified).await
        }
        Security::Encrypted | Security::Verified | Security::Dane { .. } => {
            connect_with_starttls(address, target, config).await
        }
        Security::Tested => match connect_with_starttls(address, target, config).await {
            Err(error) if error.is_about_tls() => {
                tracing::warn!(smtp.host = target.host, error = %error,
                    "{} would get no mail if its policy were enforced: {error}", target.host);
                connect_opportunistically(address, target, config).await
            }
            result => result,
        },
        Security::Opportunistic => connect_opportunistically(address, target, config).await,
    }
}

async fn connect_opportunistically(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    let target = Target { security: Security::Opportunistic, ..target.clone() };
    match connect_with_starttls(address, &target, config).await {
        // STARTTLS was offered and does not work: the connection goes on without encryption.
        Err(error) if error.is_about_tls() => connect_in_clear(address, config).await,
        result => result,
    }
}

/// Opens the network connection, without SMTP.
async fn open(address: SocketAddr, config: &ClientConfig) -> Result<SmtpClient<TcpStream>, ConnectError> {
    let mut client = SmtpClient::connect(address, config.connect_timeout).await?;
    client.timeout = config.command_timeout;
    client.stream.set_nodelay(true)?;
    Ok(client)
}

async fn connect_in_clear(address: SocketAddr, config: &ClientConfig) -> Result<Connection, ConnectError> {
    let mut client = open(address, config).await?;
    greeting(&mut client).await?;
    let response = hello(&mut client, &config.hostname).await?;
    Ok(Connection::new(Stream::Plain(client.stream), Protection::Clear, &response, config))
}

async fn connect_with_starttls(
    address: SocketAddr,
    target: &Target,
    config: &ClientConfig,
) -> Result<Connection, ConnectError> {
    let mut client = open(address, config).await?;
    greeting(&mut client).await?;
    let response = hello(&mut client, &config.hostname).await?;
    let is_opportunistic = target.security == Security::Opportunistic;
    if !response.extensions.has_capability(EXT_START_TLS) {
        if is_opportunistic {
            return Ok(Connection::new(Stream::Plain(client.stream), Protection::Clear, &response, config));
        }
        return Err(ConnectError::TlsNotOffered);
    }
    // An unverified server may be addressed by IP address if its name is not valid for TLS.
    let by_address = address.ip().to_string();
    let is_name = ServerName::try_from(target.host.as_str()).is_ok();
    let (tls, protection) = match &target.security {
        Security::Opportunistic | Security::Encrypted => (opportunistic_client(), Protection::Encrypted),
        Security::Tested | Security::Verified | Security::Implicit => {
            (config.verifying.clone(), Protection::Verified)
        }
        Security::Dane { records, domain } => {
            (dane::client(records.clone(), &[&target.host, domain]), Protection::Dane)
        }
    };
    let name = if is_name || protection.is_authenticated() { &target.host } else { &by_address };
    let client = client.start_tls(&TlsConnector::from(tls), name).await.map_err(|error| match error {
        mail_send::Error::Io(_) | mail_send::Error::Timeout => ConnectError::TlsBroken(error.to_string()),
        error @ mail_send::Error::Tls(_) => error.into(),
        error => ConnectError::Tls(error.to_string()),
    })?;
    greeted_over_tls(client, target, config, protection).await
}

/// Says EHLO and authenticates, once TLS is established and the greeting was read.
async fn greeted_over_tls(
    mut client: SmtpClient<TlsStream<TcpStream>>,
    target: &Target,
    config: &ClientConfig,
    protection: Protection,
) -> Result<Connection, ConnectError> {
    let response = hello(&mut client, &config.hostname).await?;
    if let Some((user, password)) = &target.credentials {
        let credentials = Credentials::new(user.as_str(), password.as_str());
        client.authenticate(&credentials, &response.extensions).await?;
    }
    Ok(Connection::new(Stream::Tls(Box::new(client.stream)), protection, &response, config))
}

async fn greeting<S: AsyncRead + AsyncWrite + Unpin>(client: &mut SmtpClient<S>) -> Result<(), ConnectError> {
    let reply = timeout(client.timeout, client.read()).await.map_err(|_| ConnectError::TimedOut)??;
    if reply.code == 220 { Ok(()) } else { Err(ConnectError::Refused(reply.into())) }
}
