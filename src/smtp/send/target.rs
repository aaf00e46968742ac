//! Where to connect for sending, how safely, and how patiently.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use crate::config::{Config, Patience, Relay, Trust};
use crate::net::dane::Association;
use crate::net::dns::MxHost;
use crate::net::tls::verifying_client;

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
    /// One of the mail servers of a domain.
    #[must_use]
    pub fn mx(host: &MxHost) -> Target {
        Target {
            host: host.name.clone(),
            addresses: host.addresses.clone(),
            security: Security::Opportunistic,
            credentials: None,
        }
    }

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
        let Patience { connect, command, data, question: _, server_time: _ } = config.patience;
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
        let Patience { connect, command, data, question: _, server_time: _ } = Patience::default();
        ClientConfig {
            hostname: hostname.into(),
            verifying: verifying_client(trust),
            connect_timeout: connect,
            command_timeout: command,
            data_timeout: data,
        }
    }
}
