//! The operator's settings, validated, with units in names and a default beside each limit.
//!
//! `cli` makes a [`Config`] from flags and environment variables; no other module reads those.

pub mod backup;
mod tls;

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::Cidr;

pub use tls::{ACME_DIRECTORY, AcmeConfig, TlsConfig};

/// Default of `--cache-size`, in bytes: memory for pages of the data file.
pub const CACHE_BYTES_DEFAULT: usize = 64 << 20;
/// Default of `--disk-reserve`, in bytes: free space on the disk below which new work is refused. More than one commit
/// takes, with the largest message in it.
pub const DISK_RESERVE_BYTES_DEFAULT: u64 = 128 << 20;
/// Default of `--audit-days`: days for which the audit log keeps its entries; 0 for ever.
pub const AUDIT_DAYS_DEFAULT: u32 = 365;
/// Largest message accepted by SMTP, in bytes; EHLO announces it (`spec/mail.md` 11).
pub const MESSAGE_BYTES_MAX: usize = 52_428_800;
/// Default of `--connections-per-domain`: connections to one domain, or to the provider of several, at a time.
pub const CONNECTIONS_PER_DOMAIN: usize = 4;
/// Default of `--connections-to-relay`: connections to the operator's relays at a time.
pub const CONNECTIONS_TO_RELAY: usize = 8;
/// Batches in flight at a time to destinations that accept mail.
pub const BATCHES_IN_FLIGHT_MAX: usize = 64;
/// Batches in flight at a time to all other destinations, and those that take long.
pub const BATCHES_ON_TRIAL_MAX: usize = 256;
/// How long a stop waits for deliveries in flight (`spec/mail.md` 6).
pub const DRAIN: Duration = Duration::from_secs(30);
/// How long a stop takes at most, including the work after the drain: a service manager must grant this time
/// (`TimeoutStopSec`).
pub const STOP_MAX: Duration = Duration::from_secs(40);

/// All settings of a running server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of `crier.redb`.
    pub data_dir: PathBuf,
    /// The name of this server in SMTP and in `Received`.
    pub hostname: String,
    /// The HTTP listener.
    pub http_listen: ListenAddr,
    /// The address of the SMTP listener; port 0 means any free port.
    pub smtp_listen: SocketAddr,
    /// The LMTP listener, for a mail server in front of this one.
    pub lmtp_listen: Option<ListenAddr>,
    /// The address of the submission listener, for clients with a key, over TLS.
    pub submission_listen: Option<SocketAddr>,
    /// The address on which `/metrics` is served; not served if unset.
    pub metrics_listen: Option<SocketAddr>,
    /// The base of links, without a final slash; the HTTP listener's address if unset.
    pub base_url: Option<String>,
    /// Whether a proxy has certificates for the web domains of all accounts.
    pub web_domain_tls: bool,
    /// The relays for all mail, tried in order; if empty, mail goes straight to the MX of each domain.
    pub relays: Vec<Relay>,
    /// The DNS server; the system's if unset.
    pub dns_server: Option<SocketAddr>,
    /// The port of other mail servers.
    pub mx_port: u16,
    /// This server's public addresses.
    pub public_ips: Vec<IpAddr>,
    /// Memory for pages of the data file, in bytes.
    pub cache_bytes: usize,
    /// Free space on the disk of the data file, in bytes, below which new mail and changes are refused.
    pub disk_reserve_bytes: u64,
    /// Days for which the audit log keeps its entries; 0 for ever.
    pub audit_days: u32,
    /// Whether mail may go to loopback and private addresses found by MX.
    pub allow_private_mx: bool,
    /// Whether webhooks may be at addresses of plain HTTP.
    pub allow_plain_webhooks: bool,
    /// Whether webhooks may be at loopback and private addresses.
    pub allow_private_webhooks: bool,
    /// The certificates of mail and HTTPS.
    pub tls: TlsConfig,
    /// Networks of front servers that mail comes through: neither rate-limited nor checked by SPF.
    pub trusted_relays: Vec<Cidr>,
    /// Whether senders are verified, which needs the DNS.
    pub verify_senders: bool,
    /// Whether copies are DKIM-signed.
    pub dkim_sign: bool,
    /// Whether members of one domain share transactions; a shared copy counts as one copy where copies are counted.
    pub delivery: Delivery,
    /// Connections to the relays at a time, at most.
    pub connections_to_relay: usize,
    /// Connections to one domain, or to the provider of several, at a time, at most.
    pub connections_per_domain: usize,
    /// The authorities for other servers' certificates and names.
    pub trust: Trust,
    /// The rate of copies to the relays; unlimited if unset.
    pub rate_to_relay: Option<Rate>,
    /// The rate of copies to one domain, or to the provider of several; unlimited if unset.
    pub rate_per_domain: Option<Rate>,
    /// How long other mail servers may take.
    pub patience: Patience,
    /// How long a stop waits for deliveries under way.
    pub drain: Duration,
    /// The providers by which administrators may sign in (`OpenID` Connect).
    pub oidc: Vec<OidcProvider>,
    /// The limits of HTTP clients.
    pub http: HttpLimits,
    /// The service that sends text messages; none are sent if unset.
    pub sms_webhook: Option<WebhookUrl>,
    /// The backups that the server makes by itself.
    pub backup: Option<backup::BackupConfig>,
}

impl Config {
    /// The routing of mail.
    #[must_use]
    pub fn routing(&self) -> Routing {
        if self.relays.is_empty() { Routing::Mx } else { Routing::Relay }
    }

    /// A configuration for tests and benches: on loopback, with links that do not depend on the port, and with a DNS
    /// server that refuses every query, so that nothing depends on the surrounding network.
    #[must_use]
    pub fn for_tests(data_dir: PathBuf) -> Config {
        let base_url = Some("https://lists.example.org".to_owned());
        let dns_server = Some(SocketAddr::from(([127, 0, 0, 1], 9)));
        Config { base_url, dns_server, ..Config::on_loopback(data_dir) }
    }

    /// A server for this machine only, on any free ports.
    #[must_use]
    pub fn on_loopback(data_dir: PathBuf) -> Config {
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        Config {
            data_dir,
            hostname: "mx.example.org".to_owned(),
            http_listen: ListenAddr::Tcp(loopback),
            smtp_listen: loopback,
            lmtp_listen: None,
            submission_listen: None,
            metrics_listen: None,
            base_url: None,
            web_domain_tls: false,
            relays: Vec::new(),
            dns_server: None,
            mx_port: 25,
            public_ips: Vec::new(),
            cache_bytes: CACHE_BYTES_DEFAULT,
            disk_reserve_bytes: DISK_RESERVE_BYTES_DEFAULT,
            audit_days: AUDIT_DAYS_DEFAULT,
            allow_private_mx: true,
            allow_plain_webhooks: true,
            allow_private_webhooks: true,
            tls: TlsConfig::default(),
            trusted_relays: Vec::new(),
            verify_senders: true,
            dkim_sign: true,
            delivery: Delivery::Individual,
            connections_to_relay: CONNECTIONS_TO_RELAY,
            connections_per_domain: CONNECTIONS_PER_DOMAIN,
            trust: Trust::default(),
            rate_to_relay: None,
            rate_per_domain: None,
            patience: Patience::default(),
            drain: DRAIN,
            oidc: Vec::new(),
            http: HttpLimits::default(),
            sms_webhook: None,
            backup: None,
        }
    }
}

/// The URL of a service, which may contain a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookUrl(pub String);

impl std::fmt::Debug for WebhookUrl {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // It is never logged.
        out.write_str("WebhookUrl")
    }
}

/// The limits of HTTP clients (`spec/api.md` 7). No flag but `--trusted-proxy` changes them; tests do.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Connections at a time. Fewer if the process may not open as many files.
    pub connections_max: usize,
    /// Connections at a time from one address, of IPv6 from one /64.
    pub connections_per_client_max: usize,
    /// Whether connections from this machine are limited by address, too. A front server on this machine forwards the
    /// requests of all clients.
    pub limits_loopback: bool,
    /// Networks of proxies in front of this server: they are not limited by address, and are believed when they name the
    /// client of a request (`--trusted-proxy`).
    pub trusted_proxies: Vec<Cidr>,
    /// Whether whoever connects to the Unix socket is such a proxy, too (`--trusted-proxy unix`).
    pub trusts_unix_socket: bool,
    /// How long a client may be silent in the middle of a body.
    pub body_silence_max: Duration,
    /// How long a body may take in all.
    pub body_time_max: Duration,
    /// How long a client may read nothing of a response.
    pub answer_silence_max: Duration,
    /// Memory for all bodies in progress, in bytes.
    pub bodies_bytes_max: usize,
    /// How long a body waits for its share of that memory.
    pub bodies_wait_max: Duration,
    /// Memory in which stored mail is read, in bytes.
    pub reading_bytes_max: usize,
    /// How long a request waits for its share of that memory, or for the place of a search.
    pub reading_wait_max: Duration,
    /// Passwords that may wait to be hashed: a few seconds of work.
    pub passwords_waiting_max: usize,
}

impl Default for HttpLimits {
    fn default() -> HttpLimits {
        HttpLimits {
            connections_max: 4096,
            connections_per_client_max: 100,
            limits_loopback: false,
            trusted_proxies: Vec::new(),
            trusts_unix_socket: false,
            body_silence_max: Duration::from_secs(30),
            body_time_max: Duration::from_mins(2),
            answer_silence_max: Duration::from_mins(2),
            bodies_bytes_max: 64 << 20,
            bodies_wait_max: Duration::from_mins(1),
            reading_bytes_max: 128 << 20,
            reading_wait_max: Duration::from_secs(5),
            passwords_waiting_max: 256,
        }
    }
}

/// A number of copies per period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// The number of copies.
    pub copies: NonZeroU32,
    /// The period.
    pub per: Duration,
}

/// How long other servers may take before an attempt is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Time limit for one address to accept a connection.
    pub connect: Duration,
    /// Time limit for the reply to one command.
    pub command: Duration,
    /// Time limit for sending the text of a message, and for the reply to it.
    pub data: Duration,
    /// Time limit for a DNS server to answer one query about a destination, which is sent three times.
    pub question: Duration,
    /// Time limit for one copy, and for all copies that an attempt sends to one server, counted from the connection on:
    /// even if each command keeps to its own limit, a slow server must not delay other destinations.
    pub server_time: Duration,
}

impl Default for Patience {
    /// The limits of RFC 5321 4.5.3.2, and for a copy more than they add up to at any server of good faith; DNS
    /// resolvers themselves ask others for about five seconds.
    fn default() -> Patience {
        Patience {
            connect: Duration::from_secs(30),
            command: Duration::from_mins(5),
            data: Duration::from_mins(10),
            question: Duration::from_secs(5),
            server_time: Duration::from_mins(30),
        }
    }
}

/// The authorities for other servers' certificates: the public ones. No flag changes them; tests add their own, so that
/// no check has to be left out.
#[derive(Debug, Clone)]
pub struct Trust {
    /// Certificates of further authorities, DER.
    pub authorities: Vec<Vec<u8>>,
    /// The key of the DNS root, a DNSKEY record; the public one if unset.
    pub root_key: Option<String>,
    /// The port of other servers' HTTPS.
    pub https_port: u16,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { authorities: Vec::new(), root_key: None, https_port: 443 }
    }
}

/// The address of a listener for this machine's programs or for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListenAddr {
    /// On a port; port 0 means any free port.
    Tcp(SocketAddr),
    /// On a Unix socket.
    Unix(PathBuf),
}

impl ListenAddr {
    /// The address and port, if it is one.
    #[must_use]
    pub fn tcp(&self) -> Option<SocketAddr> {
        match self {
            ListenAddr::Tcp(address) => Some(*address),
            ListenAddr::Unix(_) => None,
        }
    }
}

/// Which recipients get a copy of their own (`spec/mail.md` 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// All recipients.
    Individual,
    /// Recipients whose copy contains something personal; the others of one domain share a transaction.
    Batched,
}

/// How recipients are grouped into destinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// Everything goes to the operator's relays.
    Relay,
    /// Each domain is its own destination.
    Mx,
}

/// A mail server to which this one sends all mail.
#[derive(Clone, PartialEq, Eq)]
pub struct Relay {
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Whether TLS begins with the connection (`smtps`); otherwise STARTTLS is used if it is offered.
    pub implicit_tls: bool,
    /// User name and password.
    pub credentials: Option<(String, String)>,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The password is never logged.
        write!(out, "Relay({}:{})", self.host, self.port)
    }
}

/// A provider of identities (`OpenID` Connect), by which administrators may sign in.
#[derive(Clone, PartialEq, Eq)]
pub struct OidcProvider {
    /// Its name, which people see, and which an administrator's `authn_provider` names.
    pub name: String,
    /// Its URL, as it names itself.
    pub issuer: String,
    /// The name by which it knows this server.
    pub client_id: String,
    /// The secret by which this server proves itself there; none if the provider asks for none.
    pub client_secret: Option<String>,
}

impl std::fmt::Debug for OidcProvider {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The secret is never logged.
        write!(out, "OidcProvider({} at {})", self.name, self.issuer)
    }
}

/// Longest wait between attempts of one batch.
pub const RETRY_DELAY_MAX: Duration = Duration::from_hours(4);

/// Waits between attempts of one batch: 5 min, 15 min, 30 min, 1 h, 2 h, then every 4 h (`spec/mail.md` 6).
#[must_use]
pub fn retry_delay(attempts: u32) -> Duration {
    const MINUTES: [u64; 5] = [5, 15, 30, 60, 120];
    let step = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    MINUTES.get(step).map_or(RETRY_DELAY_MAX, |minutes| Duration::from_mins(*minutes))
}

/// Age at which a copy that only met temporary failures is given up (`spec/mail.md` 6).
pub const RETRIES_END: Duration = Duration::from_hours(5 * 24);

/// Whether a copy accepted at `accepted` has been tried for long enough.
#[must_use]
pub fn retries_ended(accepted: Timestamp, now: Timestamp) -> bool {
    RETRIES_END <= now.since(accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_follow_the_schedule_of_the_specification() {
        let minutes: Vec<u64> = (1..=7).map(|attempts| retry_delay(attempts).as_secs() / 60).collect();
        assert_eq!(minutes, [5, 15, 30, 60, 120, 240, 240]);
    }
}
