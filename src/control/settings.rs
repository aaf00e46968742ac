//! The settings of the running server that `crier doctor` needs to examine it from outside.
//!
//! They hold the passwords of relays: the socket is open to the owner of the data file alone, and nothing prints them.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::{Config, ListenAddr, Relay};
use crate::control::standing::StandingReply;
use crate::service::Core;
use crate::store::StoreError;

/// A listener that answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listening {
    /// `http`, `smtp`, `submission` and so on.
    pub name: String,
    /// Its address and port, or `unix:` and a path.
    pub address: String,
}

impl Display for Listening {
    /// As a sentence names it: `HTTP on 127.0.0.1:8080`.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self.name.as_str() {
            "http" => "HTTP",
            "https" => "HTTPS",
            "smtp" => "SMTP",
            "lmtp" => "LMTP",
            other => other,
        };
        write!(out, "{name} on {}", self.address)
    }
}

impl Listening {
    /// A listener of this name that was bound there.
    #[must_use]
    pub fn at(name: &str, address: &ListenAddr) -> Listening {
        let address = match address {
            ListenAddr::Tcp(address) => address.to_string(),
            ListenAddr::Unix(path) => format!("unix:{}", path.display()),
        };
        Listening { name: name.to_owned(), address }
    }
}

/// A relay with its password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayReply {
    host: String,
    port: u16,
    implicit_tls: bool,
    credentials: Option<(String, String)>,
}

impl std::fmt::Debug for RelayReply {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The password is never shown.
        write!(out, "RelayReply({}:{})", self.host, self.port)
    }
}

/// The settings of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsReply {
    /// Its listeners.
    pub listeners: Vec<Listening>,
    /// The user that runs it.
    pub user: Option<u32>,
    hostname: String,
    base_url: Option<String>,
    relays: Vec<RelayReply>,
    dns_server: Option<SocketAddr>,
    mx_port: u16,
    public_ips: Vec<IpAddr>,
    has_submission: bool,
    has_certificate: bool,
    disk_reserve_bytes: u64,
    standing: StandingReply,
}

impl SettingsReply {
    /// The settings of a running server, which listens there.
    pub(super) fn read(core: &Core, listeners: &[Listening]) -> Result<SettingsReply, StoreError> {
        let Config { hostname, base_url, relays, dns_server, mx_port, public_ips, .. } = &*core.config;
        let relay = |relay: &Relay| RelayReply {
            host: relay.host.clone(),
            port: relay.port,
            implicit_tls: relay.implicit_tls,
            credentials: relay.credentials.clone(),
        };
        let standing = StandingReply::read(&core.store.read()?, core)?;
        Ok(SettingsReply {
            standing,
            listeners: listeners.to_vec(),
            user: Some(rustix::process::geteuid().as_raw()),
            hostname: hostname.clone(),
            base_url: base_url.clone(),
            relays: relays.iter().map(relay).collect(),
            dns_server: *dns_server,
            mx_port: *mx_port,
            public_ips: public_ips.clone(),
            has_submission: core.config.submission_listen.is_some(),
            has_certificate: core.config.tls.has_certificate(),
            disk_reserve_bytes: core.config.disk_reserve_bytes,
        })
    }

    /// How things stand with what it does by itself.
    #[must_use]
    pub fn standing(&self) -> &StandingReply {
        &self.standing
    }

    /// Whether the operator gave it a certificate.
    #[must_use]
    pub fn has_certificate(&self) -> bool {
        self.has_certificate
    }

    /// Whether mail programs submit mail to it.
    #[must_use]
    pub fn has_submission(&self) -> bool {
        self.has_submission
    }

    /// A configuration with these settings; what they do not name is as on a machine of its own.
    #[must_use]
    pub fn config(&self, data_dir: &Path) -> Config {
        let relay = |relay: &RelayReply| Relay {
            host: relay.host.clone(),
            port: relay.port,
            implicit_tls: relay.implicit_tls,
            credentials: relay.credentials.clone(),
        };
        Config {
            hostname: self.hostname.clone(),
            base_url: self.base_url.clone(),
            relays: self.relays.iter().map(relay).collect(),
            dns_server: self.dns_server,
            mx_port: self.mx_port,
            public_ips: self.public_ips.clone(),
            disk_reserve_bytes: self.disk_reserve_bytes,
            ..Config::on_loopback(data_dir.to_owned())
        }
    }
}
