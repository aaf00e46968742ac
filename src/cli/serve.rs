//! `crier serve`: makes a [`Config`] of its flags and runs the server until a signal.
//!
//! All flags are checked before anything is started, and all problems reported together. The server itself is in
//! `app`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::logging::{LevelFilter, LogArgs, Logging};
use super::terminal::say;
use super::values::{
    Problems, parse_base_url, parse_cache_size, parse_clock_offset, parse_connections, parse_days,
    parse_delivery, parse_dns_server, parse_file, parse_hostname, parse_ip, parse_listen, parse_lmtp_listen,
    parse_network, parse_port, parse_rate, parse_relay, parse_relay_file, parse_size,
};
use super::{DataArgs, Failure};
use crate::app;
use crate::clock::Clock;
use crate::config::{
    CONNECTIONS_PER_DOMAIN, CONNECTIONS_TO_RELAY, Config, DRAIN, HttpLimits, LmtpListen, Patience, Rate,
    Relay, Trust,
};
use crate::ops::accounts;
use crate::secret::Secrets;

/// The file in which Linux shows this machine's name.
const KERNEL_HOSTNAME: &str = "/proc/sys/kernel/hostname";

const BASE_URL_HELP: &str = "What links in mails begin with, such as https://lists.example.org; without it they begin with the HTTP listener's \
     address, which is of use on this machine alone";

/// The flags of `serve` as they are typed.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    listen: ListenArgs,
    #[command(flatten)]
    send: SendArgs,
    #[command(flatten)]
    log: LogArgs,
    /// Memory for pages of the data file, in bytes or with K, M, G
    #[arg(
        long,
        env = "CRIER_CACHE_SIZE",
        value_name = "SIZE",
        default_value = "64M",
        help_heading = "Resources"
    )]
    cache_size: String,
    /// Room on the disk of the data file below which new mail and changes are refused until there is more, in bytes or
    /// with K, M, G. A quarter of it is never used; the rest is for what ends work: deliveries, removals, expiries
    #[arg(
        long,
        env = "CRIER_DISK_RESERVE",
        value_name = "SIZE",
        default_value = "128M",
        help_heading = "Resources"
    )]
    disk_reserve: String,
    /// Days for which the audit log keeps its entries; 0 for ever
    #[arg(
        long,
        env = "CRIER_AUDIT_DAYS",
        value_name = "DAYS",
        default_value = "365",
        help_heading = "Resources"
    )]
    audit_days: String,
    /// Take it to be that much later than it is, such as 25h: for rehearsals of expiries and retries
    #[arg(long, env = "CRIER_CLOCK_OFFSET", value_name = "TIME", help_heading = "Resources")]
    clock_offset: Option<String>,
}

/// Who the server is and where it listens.
#[derive(Debug, Args)]
#[command(next_help_heading = "Name and listeners")]
struct ListenArgs {
    /// Name of this mail server, to which the MX record points [default: this machine's name]; without it and without
    /// --base-url, only loopback addresses are listened on
    #[arg(long, env = "CRIER_HOSTNAME", value_name = "HOST")]
    hostname: Option<String>,
    /// Address and port of the HTTP API and pages; port 0 takes any that is free
    #[arg(long, env = "CRIER_HTTP_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8080")]
    http_listen: String,
    /// Address and port for mail that comes in; `[::]:25` takes IPv6 and IPv4
    #[arg(long, env = "CRIER_SMTP_LISTEN", value_name = "ADDR", default_value = "0.0.0.0:25")]
    smtp_listen: String,
    /// Address and port, or `unix:` and a path, for LMTP from a mail server in front of this one [default: none]
    #[arg(long, env = "CRIER_LMTP_LISTEN", value_name = "ADDR|unix:PATH")]
    lmtp_listen: Option<String>,
    /// Address and port where mail programs submit posts, such as `[::]:465`: TLS from the first octet, any user
    /// name, and as the password an API key that may send messages [default: none]
    #[arg(long, env = "CRIER_SUBMISSION_LISTEN", value_name = "ADDR")]
    submission_listen: Option<String>,
    /// Address and port of `/metrics` for Prometheus, which asks for no key: one that only it reaches [default: none]
    #[arg(long, env = "CRIER_METRICS_LISTEN", value_name = "ADDR")]
    metrics_listen: Option<String>,
    #[arg(long, env = "CRIER_BASE_URL", value_name = "URL", help = BASE_URL_HELP)]
    base_url: Option<String>,
    /// The web server in front of this one has a certificate for the web domain of every account: links lead there once
    /// the address of the domain is right
    #[arg(long, env = "CRIER_WEB_DOMAIN_TLS", value_parser = BoolishValueParser::new())]
    web_domain_tls: bool,
    /// Public address of this server; may be repeated
    #[arg(long = "public-ip", env = "CRIER_PUBLIC_IP", value_name = "IP", value_delimiter = ',')]
    public_ips: Vec<String>,
    /// Network of a server in front of this one, such as 192.0.2.0/28, that all mail of its addresses comes through;
    /// may be repeated. Its address is not the sender's: it is not limited, and SPF is not asked for
    #[arg(long = "trusted-relay", env = "CRIER_TRUSTED_RELAY", value_name = "CIDR", value_delimiter = ',')]
    trusted_relays: Vec<String>,
    /// Network of a web server in front of this one, such as 192.0.2.0/28, that passes on the requests of others;
    /// may be repeated. The client's address is then read from X-Forwarded-For, or from Forwarded if there is no such
    /// field. From any other address these fields are ignored
    #[arg(long = "trusted-proxy", env = "CRIER_TRUSTED_PROXY", value_name = "CIDR", value_delimiter = ',')]
    trusted_proxies: Vec<String>,
    /// Certificate chain for mail's TLS, PEM [default: a self-signed one, made at the first start]
    #[arg(long, env = "CRIER_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<String>,
    /// Private key of the certificate, PEM
    #[arg(long, env = "CRIER_TLS_KEY", value_name = "FILE")]
    tls_key: Option<String>,
}

/// How mail goes out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sending")]
struct SendArgs {
    /// `individual`: a copy for each member, with an unsubscribe link and an envelope sender of its own. `batched`: one
    /// copy for up to 50 members of a domain where nothing in it is personal. It costs less to send; its links are the
    /// list's own, nobody leaves with one click, and of a bounce only what it says itself is known
    #[arg(long, env = "CRIER_DELIVERY", value_name = "individual|batched", default_value = "individual")]
    delivery: String,
    /// Server that takes all outgoing mail, `smtp[s]://user:password@host:port`; may be repeated, tried in order
    /// [default: the mail servers of each recipient's domain]
    #[arg(
        long = "relay",
        env = "CRIER_RELAY",
        value_name = "URL",
        value_delimiter = ',',
        hide_env_values = true
    )]
    relays: Vec<String>,
    /// File with the URL of the relay, or several, one a line, so that its password stands neither in the list of
    /// processes nor in the environment; `%d/NAME` is the credential NAME of a systemd service
    #[arg(long, env = "CRIER_RELAY_FILE", value_name = "FILE")]
    relay_file: Option<String>,
    /// DNS server to ask, at best one that passes DNSSEC signatures on, for DANE [default: those of the system]
    #[arg(long, env = "CRIER_DNS_SERVER", value_name = "ADDR")]
    dns_server: Option<String>,
    /// Port of other mail servers
    #[arg(long, env = "CRIER_MX_PORT", value_name = "PORT", default_value = "25")]
    mx_port: String,
    /// Send to mail servers at loopback and private addresses too
    #[arg(long, env = "CRIER_ALLOW_PRIVATE_MX", value_parser = BoolishValueParser::new())]
    allow_private_mx: bool,
    #[command(flatten)]
    pace: PaceArgs,
}

/// How much goes out at a time.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sending")]
struct PaceArgs {
    /// Connections to the relays at a time, at most: it begins with 2, grows as copies are taken, and halves when they
    /// are put off
    #[arg(long, env = "CRIER_CONNECTIONS_TO_RELAY", value_name = "N", default_value_t = CONNECTIONS_TO_RELAY.to_string())]
    connections_to_relay: String,
    /// Connections to one domain at a time, at most; domains with mail servers of one provider are counted together
    #[arg(long, env = "CRIER_CONNECTIONS_PER_DOMAIN", value_name = "N", default_value_t = CONNECTIONS_PER_DOMAIN.to_string())]
    connections_per_domain: String,
    /// Copies that may leave for the relays, such as 14/s, 300/m or 500/h; none for as many as they take
    #[arg(long, env = "CRIER_RATE_TO_RELAY", value_name = "RATE", default_value = "none")]
    rate_to_relay: String,
    /// Copies that may leave for one domain, counted like its connections
    #[arg(long, env = "CRIER_RATE_PER_DOMAIN", value_name = "RATE", default_value = "100/s")]
    rate_per_domain: String,
}

/// [`PaceArgs`] that have been checked.
struct Pace {
    connections_to_relay: usize,
    connections_per_domain: usize,
    rate_to_relay: Option<Rate>,
    rate_per_domain: Option<Rate>,
}

impl PaceArgs {
    fn parse(&self, problems: &mut Problems) -> Option<Pace> {
        let PaceArgs { connections_to_relay, connections_per_domain, rate_to_relay, rate_per_domain } = self;
        let connections_to_relay =
            problems.read("--connections-to-relay", connections_to_relay, parse_connections);
        let connections_per_domain =
            problems.read("--connections-per-domain", connections_per_domain, parse_connections);
        let rate_to_relay = problems.read("--rate-to-relay", rate_to_relay, parse_rate);
        let rate_per_domain = problems.read("--rate-per-domain", rate_per_domain, parse_rate);
        Some(Pace {
            connections_to_relay: connections_to_relay?,
            connections_per_domain: connections_per_domain?,
            rate_to_relay: rate_to_relay?,
            rate_per_domain: rate_per_domain?,
        })
    }
}

impl ServeArgs {
    /// Checks every flag, and returns all problems together.
    fn parse(&self) -> Result<(Config, Clock, Logging), Problems> {
        let mut problems = Problems::default();
        let config = self.parse_config(&mut problems);
        let cache = problems.read("--cache-size", &self.cache_size, parse_cache_size);
        let audit_days = problems.read("--audit-days", &self.audit_days, parse_days);
        let reserve = problems.read("--disk-reserve", &self.disk_reserve, parse_size);
        let offset = problems.read_option("--clock-offset", self.clock_offset.as_deref(), parse_clock_offset);
        let logging = self.log.parse(LevelFilter::INFO, &mut problems);
        match (config, cache, reserve, audit_days, logging) {
            (Some(mut config), Some(cache_bytes), Some(reserve_bytes), Some(audit_days), Some(logging))
                if problems.is_empty() =>
            {
                config.cache_bytes = cache_bytes;
                config.disk_reserve_bytes = reserve_bytes;
                config.audit_days = audit_days;
                Ok((config, Clock::system_ahead(offset.unwrap_or_default()), logging))
            }
            _ => Err(problems),
        }
    }

    fn parse_config(&self, problems: &mut Problems) -> Option<Config> {
        let ServeArgs { data, listen, send, .. } = self;
        let hostname = parse_own_name(listen.hostname.as_deref(), problems);
        let http_listen = problems.read("--http-listen", &listen.http_listen, parse_listen);
        let smtp_listen = problems.read("--smtp-listen", &listen.smtp_listen, parse_listen);
        let lmtp_listen =
            problems.read_option("--lmtp-listen", listen.lmtp_listen.as_deref(), parse_lmtp_listen);
        let lmtp_port = match &lmtp_listen {
            Some(LmtpListen::Tcp(address)) => Some(*address),
            Some(LmtpListen::Unix(_)) | None => None,
        };
        let submission_listen =
            problems.read_option("--submission-listen", listen.submission_listen.as_deref(), parse_listen);
        let metrics_listen =
            problems.read_option("--metrics-listen", listen.metrics_listen.as_deref(), parse_listen);
        let addresses = [
            ("--http-listen", http_listen),
            ("--smtp-listen", smtp_listen),
            ("--lmtp-listen", lmtp_port),
            ("--submission-listen", submission_listen),
            ("--metrics-listen", metrics_listen),
        ];
        refuse_same(&addresses, problems);
        let base_url = problems.read_option("--base-url", listen.base_url.as_deref(), parse_base_url);
        refuse_links_to_nowhere(listen, &addresses, problems);
        let trusted_relays = problems.read_all("--trusted-relay", &listen.trusted_relays, parse_network);
        let trusted_proxies = problems.read_all("--trusted-proxy", &listen.trusted_proxies, parse_network);
        let relays = read_relays(send, problems);
        let dns_server = problems.read_option("--dns-server", send.dns_server.as_deref(), parse_dns_server);
        let delivery = problems.read("--delivery", &send.delivery, parse_delivery);
        let mx_port = problems.read("--mx-port", &send.mx_port, parse_port);
        let pace = send.pace.parse(problems);
        let public_ips = problems.read_all("--public-ip", &listen.public_ips, parse_ip);
        let tls_files = parse_tls(listen, problems);
        let Pace { connections_to_relay, connections_per_domain, rate_to_relay, rate_per_domain } = pace?;
        Some(Config {
            public_ips,
            tls_files,
            connections_to_relay,
            connections_per_domain,
            rate_to_relay,
            rate_per_domain,
            data_dir: data.data.clone(),
            hostname: hostname?,
            http_listen: http_listen?,
            smtp_listen: smtp_listen?,
            lmtp_listen,
            submission_listen,
            metrics_listen,
            base_url,
            web_domain_tls: listen.web_domain_tls,
            relays,
            dns_server,
            mx_port: mx_port?,
            cache_bytes: crate::config::CACHE_BYTES_DEFAULT,
            disk_reserve_bytes: crate::config::DISK_RESERVE_BYTES_DEFAULT,
            audit_days: crate::config::AUDIT_DAYS_DEFAULT,
            allow_private_mx: send.allow_private_mx,
            trusted_relays,
            verify_senders: true,
            dkim_sign: true,
            delivery: delivery?,
            trust: Trust::default(),
            patience: Patience::default(),
            drain: DRAIN,
            http: HttpLimits { trusted_proxies, ..HttpLimits::default() },
        })
    }
}

/// Returns the given name, else this machine's.
fn parse_own_name(given: Option<&str>, problems: &mut Problems) -> Option<String> {
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        return problems.read("--hostname", given, parse_hostname);
    }
    let own = std::fs::read_to_string(KERNEL_HOSTNAME).ok().and_then(|name| parse_hostname(name.trim()).ok());
    if own.is_none() {
        problems.note("--hostname is missing: it must be a host name such as mx.example.org".to_owned());
    }
    own
}

/// Reads the relays of the flags, then those of the file.
fn read_relays(send: &SendArgs, problems: &mut Problems) -> Vec<Relay> {
    let mut relays = problems.read_all_secret("--relay", &send.relays, parse_relay);
    let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    let in_file = problems.read_option("--relay-file", send.relay_file.as_deref(), |file| {
        parse_relay_file(file, credentials.as_deref())
    });
    relays.extend(in_file.into_iter().flatten());
    relays
}

/// Whether a flag was given; an empty variable in the environment counts as absent.
fn is_given(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

/// Refuses a server that others can reach but that has no name: it would mail links to the loopback address.
fn refuse_links_to_nowhere(
    listen: &ListenArgs,
    listeners: &[(&str, Option<SocketAddr>)],
    problems: &mut Problems,
) {
    if is_given(listen.base_url.as_deref()) || is_given(listen.hostname.as_deref()) {
        return;
    }
    let is_public = |address: &SocketAddr| !address.ip().to_canonical().is_loopback();
    let public = listeners.iter().find_map(|(flag, address)| Some((flag, address.filter(is_public)?)));
    if let Some((flag, address)) = public {
        problems.note(format!(
            "--base-url and --hostname are missing, and {flag} {address} takes more than this machine: links in mails \
             would lead nowhere. Add --base-url https://lists.example.org and --hostname mx.example.org, with names of \
             your own; or, to try things out, let every listener have a loopback address such as 127.0.0.1:2525"
        ));
    }
}

/// Refuses two listeners on the same port of one address.
fn refuse_same(listeners: &[(&str, Option<SocketAddr>)], problems: &mut Problems) {
    for (at, (flag, address)) in listeners.iter().enumerate() {
        let Some(address) = address.filter(|address| address.port() != 0) else { continue };
        for (earlier, _) in listeners[..at].iter().filter(|(_, other)| *other == Some(address)) {
            problems.note(format!("{earlier} and {flag} are both {address}: they need different ports"));
        }
    }
}

fn parse_tls(listen: &ListenArgs, problems: &mut Problems) -> Option<(PathBuf, PathBuf)> {
    let cert = problems.read_option("--tls-cert", listen.tls_cert.as_deref(), parse_file);
    let key = problems.read_option("--tls-key", listen.tls_key.as_deref(), parse_file);
    let missing = match (&listen.tls_cert, &listen.tls_key) {
        (Some(_), None) => "--tls-cert needs --tls-key, the file of its private key",
        (None, Some(_)) => "--tls-key needs --tls-cert, the file of its certificate chain",
        _ => return cert.zip(key),
    };
    problems.note(missing.to_owned());
    None
}

/// Logs in one line that all listeners answer, with their addresses.
fn tell_ready(running: &app::Running) {
    let others = [
        ("LMTP", running.lmtp_addr),
        ("submission", running.submission_addr),
        ("metrics", running.metrics_addr),
    ];
    let others = others.iter().filter_map(|(name, address)| Some(format!(", {name} on {}", (*address)?)));
    let (http, smtp, others) = (running.http_addr, running.smtp_addr, others.collect::<String>());
    tracing::info!("Crier is ready: HTTP on {http}, SMTP on {smtp}{others}");
}

/// Runs a server until SIGTERM or SIGINT, or until its data file fails.
pub(super) fn run(args: &ServeArgs) -> Result<ExitCode, Failure> {
    let (config, clock, logging) = args.parse()?;
    logging.start();
    let runtime = runtime()?;
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        let mut hangup = listen(SignalKind::hangup())?;
        let running = app::start(config, clock, Secrets::system()).await.map_err(Failure::failed)?;
        say(format_args!("http: {}", running.http_addr));
        say(format_args!("smtp: {}", running.smtp_addr));
        if let Some(address) = running.lmtp_addr {
            say(format_args!("lmtp: {address}"));
        }
        if let Some(address) = running.submission_addr {
            say(format_args!("submission: {address}"));
        }
        if let Some(address) = running.metrics_addr {
            say(format_args!("metrics: {address}"));
        }
        tell_ready(&running);
        warn_of_links(&running);
        warn_if_empty(&running);
        let failure = loop {
            tokio::select! {
                () = signals.stop() => break None,
                error = running.failed() => break Some(error),
                _ = hangup.recv() => running.reload(),
            }
        };
        tracing::info!("Stopping");
        // A second signal ends the process at once.
        tokio::select! {
            () = running.stop() => {}
            () = signals.stop() => return Err(Failure::Failed("stopped before everything was finished".to_owned())),
        }
        match failure {
            None => Ok(ExitCode::SUCCESS),
            Some(error) => Err(Failure::failed(error)),
        }
    })
}

/// Warns of links that lead to the loopback address, because they work on this machine only.
fn warn_of_links(running: &app::Running) {
    if running.core.config.base_url.is_none() {
        let base_url = running.core.links.base_url();
        tracing::warn!(
            "There is no --base-url: links in mails begin with {base_url}, which nobody else reaches"
        );
        say(format_args!(
            "warning: links in mails begin with {base_url}, which nobody else reaches: add --base-url with the address of \
             your pages, such as https://lists.example.org"
        ));
    }
}

/// Warns of a server without an account: it refuses all mail and every key, which would puzzle a newcomer.
fn warn_if_empty(running: &app::Running) {
    if let Ok(false) = running.core.store.read().and_then(|tx| accounts::any(&tx)) {
        tracing::warn!("There is no account yet: `crier setup` makes the first, also while the server runs");
    }
}

/// Builds the runtime of the server's tasks.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| Failure::Failed(format!("no threads can be started: {error}")))
}

fn listen(kind: SignalKind) -> Result<Signal, Failure> {
    signal(kind).map_err(|error| Failure::Failed(format!("signals cannot be taken: {error}")))
}

/// The signals that stop a server.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub(super) fn new() -> Result<Signals, Failure> {
        Ok(Signals {
            terminate: listen(SignalKind::terminate())?,
            interrupt: listen(SignalKind::interrupt())?,
        })
    }

    /// Resolves at the next one.
    pub(super) async fn stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Delivery;
    use clap::Parser;
    use std::num::NonZeroU32;
    use std::time::Duration;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        args: ServeArgs,
    }

    fn parse(flags: &[&str]) -> Result<Config, String> {
        let flags = ["serve", "--hostname", "mx.example.org"].iter().chain(flags);
        let only = Only::try_parse_from(flags).map_err(|error| error.to_string())?;
        only.args.parse().map(|(config, _, _)| config).map_err(|problems| problems.to_string())
    }

    #[test]
    fn flags_become_a_configuration() {
        let config = parse(&[
            "--data",
            "/srv/crier",
            "--smtp-listen",
            "[::]:25",
            "--base-url",
            "https://l.example.org/",
            "--relay",
            "smtp://a.example.org,smtps://u:p@b.example.org",
            "--public-ip",
            "192.0.2.1",
            "--public-ip",
            "2001:db8::1",
            "--trusted-relay",
            "192.0.2.0/28,2001:db8::/64",
            "--trusted-proxy",
            "127.0.0.1,::1",
            "--trusted-proxy",
            "198.51.100.0/24",
            "--web-domain-tls",
            "--cache-size",
            "128M",
            "--allow-private-mx",
            "--lmtp-listen",
            "unix:/run/crier/lmtp",
            "--delivery",
            "batched",
            "--connections-per-domain",
            "2",
            "--rate-to-relay",
            "500/h",
        ])
        .unwrap();
        assert_eq!(config.delivery, Delivery::Batched);
        assert_eq!((config.connections_to_relay, config.connections_per_domain), (8, 2));
        let rate = |copies, per| Some(Rate { copies: NonZeroU32::new(copies).unwrap(), per });
        assert_eq!(config.rate_to_relay, rate(500, Duration::from_hours(1)));
        assert_eq!(config.rate_per_domain, rate(100, Duration::from_secs(1)));
        assert_eq!(config.lmtp_listen, Some(LmtpListen::Unix(PathBuf::from("/run/crier/lmtp"))));
        assert_eq!(config.data_dir, PathBuf::from("/srv/crier"));
        assert_eq!(config.base_url.as_deref(), Some("https://l.example.org"));
        assert_eq!(config.relays.len(), 2);
        assert_eq!(config.public_ips.len(), 2);
        assert_eq!(config.trusted_relays.len(), 2);
        assert_eq!(config.http.trusted_proxies.len(), 3);
        assert!(config.web_domain_tls);
        assert_eq!(config.cache_bytes, 128 << 20);
        assert!(config.allow_private_mx && config.tls_files.is_none());
        assert_eq!(config.http_listen, "127.0.0.1:8080".parse().unwrap());
    }

    #[test]
    fn every_wrong_flag_is_told_at_once() {
        let wrong = [
            ("--http-listen", "8080"),
            ("--smtp-listen", "x"),
            ("--lmtp-listen", "unix:"),
            ("--submission-listen", "465"),
            ("--cache-size", "much"),
            ("--mx-port", "0"),
            ("--relay", "x"),
            ("--dns-server", "x"),
            ("--public-ip", "x"),
            ("--trusted-relay", "192.0.2.0/33"),
            ("--trusted-proxy", "proxy.example.org"),
            ("--base-url", "x"),
            ("--tls-cert", "/nowhere"),
            ("--log-format", "xml"),
            ("--log-level", "loud"),
            ("--clock-offset", "x"),
            ("--delivery", "x"),
            ("--connections-to-relay", "0"),
            ("--connections-per-domain", "many"),
            ("--rate-to-relay", "14"),
            ("--rate-per-domain", "0/s"),
        ];
        let args: Vec<&str> = wrong.iter().flat_map(|(flag, value)| [*flag, *value]).collect();
        let told = parse(&args).unwrap_err();
        assert!(told.starts_with("22 settings are wrong"), "{told}");
        for flag in wrong.map(|(flag, _)| flag).into_iter().chain(["--tls-key"]) {
            assert!(told.contains(flag), "{flag} in {told}");
        }
    }

    #[test]
    fn the_room_that_is_kept_on_the_disk_is_a_size() {
        assert_eq!(parse(&[]).unwrap().disk_reserve_bytes, 128 << 20);
        assert_eq!(parse(&[]).unwrap().audit_days, 365);
        assert_eq!(parse(&["--audit-days", "0"]).unwrap().audit_days, 0);
        assert!(parse(&["--audit-days", "ever"]).unwrap_err().contains("must be a number of days"));
        assert_eq!(parse(&["--disk-reserve", "1G"]).unwrap().disk_reserve_bytes, 1 << 30);
        let told = parse(&["--disk-reserve", "little"]).unwrap_err();
        assert!(told.contains("--disk-reserve \"little\" must be a size"), "{told}");
    }

    #[test]
    fn a_relays_password_is_never_shown() {
        let told = parse(&["--relay", "smtp://user:hunter2@"]).unwrap_err();
        assert!(told.contains("--relay must be") && !told.contains("hunter2"), "{told}");
    }

    #[test]
    fn a_server_without_a_name_listens_on_loopback_addresses_alone() {
        let parse = |flags: &[&str]| {
            let only = Only::try_parse_from(["serve"].iter().chain(flags)).unwrap();
            only.args.parse().map(drop).map_err(|problems| problems.to_string())
        };
        let told = parse(&[]).unwrap_err();
        assert!(told.contains("--smtp-listen 0.0.0.0:25") && told.contains("Add --base-url"), "{told}");
        let loopback = ["--smtp-listen", "127.0.0.1:2525"];
        parse(&loopback).unwrap();
        let submission = ["--submission-listen", "[::]:465"];
        assert!(parse(&[loopback, submission].concat()).unwrap_err().contains("--submission-listen"));
        parse(&["--base-url", "https://lists.example.org"]).unwrap();
        parse(&["--hostname", "mx.example.org"]).unwrap();
        assert!(parse(&["--base-url", "", "--hostname", " "]).is_err(), "blank is not given");
    }

    #[test]
    fn one_port_is_not_for_two_listeners() {
        let told = parse(&["--http-listen", "127.0.0.1:25", "--smtp-listen", "127.0.0.1:25"]).unwrap_err();
        assert!(told.contains("different ports"), "{told}");
        parse(&["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"]).unwrap();
    }
}
