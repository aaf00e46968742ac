//! `crier serve`: makes a [`Config`] of its flags and runs the server until a signal.
//!
//! All flags are checked before anything is started, and all problems reported together. The server itself is in
//! `app`.

mod backup;
mod listen;
mod reload;
mod systemd;
mod tls;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::logging::{LevelFilter, LogArgs, LogLevel, Logging};
use super::oidc::OidcArgs;
use super::terminal::{complain, say};
use super::values::{
    Problems, parse_cache_size, parse_clock_offset, parse_connections, parse_days, parse_delivery,
    parse_dns_server, parse_port, parse_rate, parse_relay, parse_relay_file, parse_size,
};
use super::{DataArgs, Failure};
use crate::app;
use crate::app::passed::PassedSockets;
use crate::clock::Clock;
use crate::config::{
    CONNECTIONS_PER_DOMAIN, CONNECTIONS_TO_RELAY, Config, DRAIN, HttpLimits, Patience, Rate, Relay, STOP_MAX,
    Trust,
};
use crate::ops::accounts;
use crate::secret::Secrets;
use backup::BackupArgs;
use listen::{Listen, ListenArgs};
use reload::ReloadArgs;
use tls::TlsArgs;

/// The exit code if the data file cannot be brought up to date (`EX_CONFIG` of `sysexits.h`): a service manager need not
/// try again.
const UPGRADE_REFUSED: u8 = 78;

/// The flags of `serve` as they are typed.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    listen: ListenArgs,
    #[command(flatten)]
    tls: TlsArgs,
    #[command(flatten)]
    send: SendArgs,
    #[command(flatten)]
    oidc: OidcArgs,
    #[command(flatten)]
    backup: BackupArgs,
    #[command(flatten)]
    log: LogArgs,
    #[command(flatten)]
    reload: ReloadArgs,
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
    /// Send webhooks to addresses of plain HTTP too
    #[arg(long, env = "CRIER_ALLOW_PLAIN_WEBHOOKS", value_parser = BoolishValueParser::new())]
    allow_plain_webhooks: bool,
    /// Send webhooks to loopback and private addresses too
    #[arg(long, env = "CRIER_ALLOW_PRIVATE_WEBHOOKS", value_parser = BoolishValueParser::new())]
    allow_private_webhooks: bool,
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
    /// The configuration with which a server would start.
    pub(super) fn config(&self) -> Result<Config, Problems> {
        self.parse().map(|(config, _, _)| config)
    }

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
        let ServeArgs { data, listen, tls, send, oidc, backup, .. } = self;
        let listen = listen.parse(tls.https_listen(), problems);
        let tls = tls.parse(problems);
        let relays = read_relays(send, problems);
        let dns_server = problems.read_option("--dns-server", send.dns_server.as_deref(), parse_dns_server);
        let delivery = problems.read("--delivery", &send.delivery, parse_delivery);
        let mx_port = problems.read("--mx-port", &send.mx_port, parse_port);
        let pace = send.pace.parse(problems);
        let oidc = oidc.parse(problems);
        let backup = backup.parse(problems);
        let Pace { connections_to_relay, connections_per_domain, rate_to_relay, rate_per_domain } = pace?;
        // No `..`: a setting that is read and not used would be forgotten.
        let Listen {
            hostname,
            http_listen,
            smtp_listen,
            lmtp_listen,
            submission_listen,
            metrics_listen,
            base_url,
            web_domain_tls,
            public_ips,
            trusted_relays,
            trusted_proxies,
            trusts_unix_socket,
            sms_webhook,
        } = listen?;
        Some(Config {
            public_ips,
            tls,
            connections_to_relay,
            connections_per_domain,
            rate_to_relay,
            rate_per_domain,
            data_dir: data.data.clone(),
            hostname,
            http_listen,
            smtp_listen,
            lmtp_listen,
            submission_listen,
            metrics_listen,
            base_url,
            web_domain_tls,
            relays,
            dns_server,
            mx_port: mx_port?,
            cache_bytes: crate::config::CACHE_BYTES_DEFAULT,
            disk_reserve_bytes: crate::config::DISK_RESERVE_BYTES_DEFAULT,
            audit_days: crate::config::AUDIT_DAYS_DEFAULT,
            allow_private_mx: send.allow_private_mx,
            allow_plain_webhooks: send.allow_plain_webhooks,
            allow_private_webhooks: send.allow_private_webhooks,
            trusted_relays,
            verify_senders: true,
            dkim_sign: true,
            delivery: delivery?,
            trust: Trust::default(),
            patience: Patience::default(),
            drain: DRAIN,
            oidc,
            http: HttpLimits { trusted_proxies, trusts_unix_socket, ..HttpLimits::default() },
            sms_webhook,
            backup,
        })
    }
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

/// Logs in one line that all listeners answer, with their addresses.
fn tell_ready(running: &app::Running) {
    let words: Vec<String> = running.listening.iter().map(ToString::to_string).collect();
    tracing::info!("Crier is ready: {}", words.join(", "));
}

/// Time after a signal to stop at which the process ends in any case: a little before a service manager kills it.
const STOP_DEADLINE: Duration = STOP_MAX.saturating_sub(Duration::from_secs(3));
/// How long the end of the process waits for threads that have nothing to write any more.
const LEFT_BEHIND_MAX: Duration = Duration::from_millis(500);

/// Runs a server until SIGTERM or SIGINT, or until its data file fails.
pub(super) fn run(args: &ServeArgs) -> Result<ExitCode, Failure> {
    let (config, clock, logging) = args.parse()?;
    let log = logging.start();
    // Before there are other threads.
    let passed = PassedSockets::from_environment();
    let runtime = runtime()?;
    let ended: Result<ExitCode, Failure> = runtime.block_on(async {
        let mut signals = Signals::new()?;
        let mut hangup = listen(SignalKind::hangup())?;
        systemd::starting();
        let started = app::start_passed(passed, config, clock, Secrets::system());
        let running = match started.await {
            Ok(running) => running,
            Err(app::StartError::Open(error)) if error.stays() => {
                complain(format_args!("error: {error}"));
                return Ok(ExitCode::from(UPGRADE_REFUSED));
            }
            Err(error) => return Err(Failure::failed(error)),
        };
        for listener in &running.listening {
            say(format_args!("{}: {}", listener.name, listener.address));
        }
        tell_ready(&running);
        warn_of_links(&running);
        warn_if_empty(&running);
        systemd::ready(&running);
        let failure = loop {
            tokio::select! {
                () = signals.stop() => break None,
                error = running.failed() => break Some(error),
                // A file that cannot be read to its end must not keep the server from stopping.
                _ = hangup.recv() => tokio::select! {
                    () = reload(&running, &args.reload, &log) => {}
                    () = signals.stop() => break None,
                },
            }
        };
        tracing::info!("Stopping");
        systemd::stopping();
        exit_at_deadline();
        // A second signal ends the process at once.
        tokio::select! {
            () = running.stop() => {}
            () = signals.stop() => return Err(Failure::Failed("stopped before everything was finished".to_owned())),
        }
        match failure {
            None => Ok(ExitCode::SUCCESS),
            Some(error) => Err(Failure::failed(error)),
        }
    });
    // Everything is written and closed; whatever a thread still calculates or waits for is wanted by nobody.
    runtime.shutdown_timeout(LEFT_BEHIND_MAX);
    ended
}

/// Ends the process once its stop has taken as long as it may, whatever its threads do. What was committed is safe then
/// as it is in a crash.
fn exit_at_deadline() {
    let watch = std::thread::Builder::new().name("stop".to_owned()).spawn(|| {
        std::thread::sleep(STOP_DEADLINE);
        tracing::error!("The stop took more than {} s and is cut off", STOP_DEADLINE.as_secs());
        std::process::exit(1);
    });
    if let Err(error) = watch {
        tracing::warn!(error = %error, "Nothing watches how long the stop takes");
    }
}

/// Reads again what SIGHUP asks for.
async fn reload(running: &app::Running, args: &ReloadArgs, log: &LogLevel) {
    systemd::reloading();
    running.reload_aside().await;
    args.set_level(log);
    systemd::reloaded();
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
    use crate::config::{Delivery, ListenAddr};
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
        assert_eq!(config.lmtp_listen, Some(ListenAddr::Unix(PathBuf::from("/run/crier/lmtp"))));
        assert_eq!(config.data_dir, PathBuf::from("/srv/crier"));
        assert_eq!(config.base_url.as_deref(), Some("https://l.example.org"));
        assert_eq!(config.relays.len(), 2);
        assert_eq!(config.public_ips.len(), 2);
        assert_eq!(config.trusted_relays.len(), 2);
        assert_eq!(config.http.trusted_proxies.len(), 3);
        assert!(config.web_domain_tls);
        assert_eq!(config.cache_bytes, 128 << 20);
        assert!(config.allow_private_mx && config.tls.files.is_empty());
        assert_eq!(config.http_listen, ListenAddr::Tcp("127.0.0.1:8080".parse().unwrap()));
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
            ("--sms-webhook", "sms.example.org/send?key=hidden"),
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
        assert!(told.starts_with("23 settings are wrong"), "{told}");
        assert!(!told.contains("hidden"), "{told}");
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
    fn the_service_for_text_messages_may_stand_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sms");
        let flag = format!("--sms-webhook-file={}", file.display());
        std::fs::write(&file, "https://sms.example.org/send?key=hunter2\n").unwrap();
        let url = parse(&[&flag]).unwrap().sms_webhook.unwrap().0;
        assert_eq!(url, "https://sms.example.org/send?key=hunter2");
        let told = parse(&[&flag, "--sms-webhook=https://sms.example.org/"]).unwrap_err();
        assert!(told.contains("one of them is enough"), "{told}");
        std::fs::write(&file, "hunter2\n").unwrap();
        let told = parse(&[&flag]).unwrap_err();
        assert!(told.contains("--sms-webhook-file") && told.contains("must be a URL"), "{told}");
        assert!(!told.contains("hunter2"), "{told}");
        assert!(parse(&["--sms-webhook-file=%d/sms"]).unwrap_err().contains("LoadCredential="));
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
