//! What the operator decided, validated: units in names, a default beside each limit.
//!
//! `cli` makes a [`Config`] of flags and environment; nothing else reads those.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::Cidr;

/// Default of `--cache-size`, in bytes: pages of the data file that are kept in memory.
pub const CACHE_BYTES_DEFAULT: usize = 64 << 20;
/// Default of `--disk-reserve`, in bytes: room on the disk below which new work is refused. More than what one commit
/// takes, with the largest message in it.
pub const DISK_RESERVE_BYTES_DEFAULT: u64 = 128 << 20;
/// Largest message that SMTP takes, in bytes; EHLO announces it (`spec/mail.md` 11).
pub const MESSAGE_BYTES_MAX: usize = 52_428_800;
/// Default of `--connections-per-domain`: connections to one domain, or to the provider of several, at a time.
pub const CONNECTIONS_PER_DOMAIN: usize = 4;
/// Default of `--connections-to-relay`: connections to the operator's relays at a time.
pub const CONNECTIONS_TO_RELAY: usize = 8;
/// Deliveries under way at a time to destinations that take mail, in batches.
pub const BATCHES_IN_FLIGHT_MAX: usize = 64;
/// The same to all others, and of those that take long.
pub const BATCHES_ON_TRIAL_MAX: usize = 256;
/// How long a stop waits for what is in flight (`spec/mail.md` 6).
pub const DRAIN: Duration = Duration::from_secs(30);
/// How long a stop takes at most, with what comes behind the drain: what a service manager must grant
/// (`TimeoutStopSec`).
pub const STOP_MAX: Duration = Duration::from_secs(40);

/// Everything that can be decided about a running server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of `crier.redb`.
    pub data_dir: PathBuf,
    /// The name the server says in SMTP and puts into `Received`.
    pub hostname: String,
    /// Where HTTP is answered; port 0 takes any that is free.
    pub http_listen: SocketAddr,
    /// Where SMTP is answered; port 0 takes any that is free.
    pub smtp_listen: SocketAddr,
    /// Where LMTP is answered, for a mail server in front of this one.
    pub lmtp_listen: Option<LmtpListen>,
    /// Where mail is submitted over TLS by those who have a key.
    pub submission_listen: Option<SocketAddr>,
    /// Where `/metrics` is answered; nowhere where unset.
    pub metrics_listen: Option<SocketAddr>,
    /// What links begin with, without a final slash; the HTTP listener's address where unset.
    pub base_url: Option<String>,
    /// Where all mail goes, tried in order; straight to the domains' MX where empty.
    pub relays: Vec<Relay>,
    /// The resolver that is asked; the system's where unset.
    pub dns_server: Option<SocketAddr>,
    /// The port of other mail servers.
    pub mx_port: u16,
    /// This server's public addresses.
    pub public_ips: Vec<IpAddr>,
    /// Pages of the data file that are kept in memory, in bytes.
    pub cache_bytes: usize,
    /// Room on the disk of the data file, in bytes, below which new mail and changes are refused.
    pub disk_reserve_bytes: u64,
    /// Whether mail may go to loopback and private addresses found by MX.
    pub allow_private_mx: bool,
    /// Certificate chain and private key, PEM; a self-signed pair is made where unset.
    pub tls_files: Option<(PathBuf, PathBuf)>,
    /// Networks of front servers that mail comes through: neither limited nor asked for SPF.
    pub trusted_relays: Vec<Cidr>,
    /// Whether senders are verified, which asks the DNS.
    pub verify_senders: bool,
    /// Whether copies are DKIM-signed.
    pub dkim_sign: bool,
    /// Whether members of one domain share transactions, each of which counts as one copy where copies are counted.
    pub delivery: Delivery,
    /// Connections to the relays at a time, at most.
    pub connections_to_relay: usize,
    /// Connections to one domain, or to the provider of several, at a time, at most.
    pub connections_per_domain: usize,
    /// Whom other servers' certificates and names are believed from.
    pub trust: Trust,
    /// How fast copies may leave for the relays; as they are taken where unset.
    pub rate_to_relay: Option<Rate>,
    /// How fast copies may leave for one domain, or for the provider of several.
    pub rate_per_domain: Option<Rate>,
    /// How long other mail servers may take.
    pub patience: Patience,
    /// How long a stop waits for deliveries under way.
    pub drain: Duration,
    /// What HTTP clients may take of the server.
    pub http: HttpLimits,
}

impl Config {
    /// Where mail goes.
    #[must_use]
    pub fn routing(&self) -> Routing {
        if self.relays.is_empty() { Routing::Mx } else { Routing::Relay }
    }

    /// What tests and benches change from: on loopback, with links that do not depend on the port, and with a
    /// DNS server that refuses every question, so that nothing depends on what the network around says.
    #[must_use]
    pub fn for_tests(data_dir: PathBuf) -> Config {
        let base_url = Some("https://lists.example.org".to_owned());
        let dns_server = Some(SocketAddr::from(([127, 0, 0, 1], 9)));
        Config { base_url, dns_server, ..Config::on_loopback(data_dir) }
    }

    /// A server for this machine alone, on any free ports.
    #[must_use]
    pub fn on_loopback(data_dir: PathBuf) -> Config {
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        Config {
            data_dir,
            hostname: "mx.example.org".to_owned(),
            http_listen: loopback,
            smtp_listen: loopback,
            lmtp_listen: None,
            submission_listen: None,
            metrics_listen: None,
            base_url: None,
            relays: Vec::new(),
            dns_server: None,
            mx_port: 25,
            public_ips: Vec::new(),
            cache_bytes: CACHE_BYTES_DEFAULT,
            disk_reserve_bytes: DISK_RESERVE_BYTES_DEFAULT,
            allow_private_mx: true,
            tls_files: None,
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
            http: HttpLimits::default(),
        }
    }
}

/// What HTTP clients may take of the server (`spec/api.md` 7). No flag changes it; tests do.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Connections at a time. Fewer where the process may not open as many files.
    pub connections_max: usize,
    /// Connections at a time from one address, of IPv6 from one /64.
    pub connections_per_client_max: usize,
    /// Whether connections from this machine are limited by address too. A front server on this machine passes
    /// on the requests of everybody.
    pub limits_loopback: bool,
    /// Networks of further front servers, which are not limited by address either.
    pub front_servers: Vec<Cidr>,
    /// How long a client may be silent in the middle of a body.
    pub body_silence_max: Duration,
    /// How long a body may take in all.
    pub body_time_max: Duration,
    /// How long a client may take nothing of an answer.
    pub answer_silence_max: Duration,
    /// Memory that all bodies under way share, in bytes.
    pub bodies_bytes_max: usize,
    /// How long a body waits for its share of that memory.
    pub bodies_wait_max: Duration,
    /// Passwords that may wait to be hashed: a few seconds of work.
    pub passwords_waiting_max: usize,
}

impl Default for HttpLimits {
    fn default() -> HttpLimits {
        HttpLimits {
            connections_max: 4096,
            connections_per_client_max: 100,
            limits_loopback: false,
            front_servers: Vec::new(),
            body_silence_max: Duration::from_secs(30),
            body_time_max: Duration::from_mins(2),
            answer_silence_max: Duration::from_mins(2),
            bodies_bytes_max: 64 << 20,
            bodies_wait_max: Duration::from_mins(1),
            passwords_waiting_max: 256,
        }
    }
}

/// So many copies in such a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub copies: NonZeroU32,
    /// In which time.
    pub per: Duration,
}

/// How long other mail servers may take, before an attempt is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For one address to accept a connection.
    pub connect: Duration,
    /// For the reply to one command.
    pub command: Duration,
    /// For taking the text of a message, and for the reply to it.
    pub data: Duration,
    /// For the answer of a DNS server to one question about a destination, which is asked three times.
    pub question: Duration,
    /// For taking one copy, and as many as an attempt may send to one server, from the connection on: however well each
    /// command keeps to its limit, who takes longer keeps others waiting.
    pub visit: Duration,
}

impl Default for Patience {
    /// The limits of RFC 5321 4.5.3.2, and more for a copy than they come to in any server of good faith; resolvers
    /// themselves ask others for about five seconds.
    fn default() -> Patience {
        Patience {
            connect: Duration::from_secs(30),
            command: Duration::from_mins(5),
            data: Duration::from_mins(10),
            question: Duration::from_secs(5),
            visit: Duration::from_mins(30),
        }
    }
}

/// Whom other servers' certificates are believed from: the public authorities. No flag changes it; tests add their
/// own, so that nothing of what is checked has to be left out.
#[derive(Debug, Clone)]
pub struct Trust {
    /// Certificates of further authorities, DER.
    pub authorities: Vec<Vec<u8>>,
    /// The key of the DNS root, a DNSKEY record; the public one where unset.
    pub root_key: Option<String>,
    /// The port of other servers' HTTPS.
    pub https_port: u16,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust { authorities: Vec::new(), root_key: None, https_port: 443 }
    }
}

/// Where LMTP is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LmtpListen {
    /// On a port; port 0 takes any that is free.
    Tcp(SocketAddr),
    /// On a socket of this machine.
    Unix(PathBuf),
}

/// Who gets a copy of its own (`spec/mail.md` 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// Everybody.
    Individual,
    /// Whoever gets something personal; others of one domain share a transaction.
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

/// A mail server that takes everything this one sends.
#[derive(Clone, PartialEq, Eq)]
pub struct Relay {
    /// Host name or address.
    pub host: String,
    /// TCP port.
    pub port: u16,
    /// Whether TLS begins with the connection (`smtps`); otherwise STARTTLS is used where offered.
    pub implicit_tls: bool,
    /// User name and password.
    pub credentials: Option<(String, String)>,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The password never reaches a log.
        write!(out, "Relay({}:{})", self.host, self.port)
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
