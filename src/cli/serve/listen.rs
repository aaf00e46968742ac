//! Who the server is and where it listens: the flags of `serve` for its name, its listeners and who stands in front
//! of it.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use clap::builder::BoolishValueParser;

use crate::cli::values::{
    Problems, parse_base_url, parse_hostname, parse_http_listen, parse_ip, parse_listen, parse_lmtp_listen,
    parse_network, parse_secret_file, parse_webhook,
};
use crate::config::{ListenAddr, WebhookUrl};
use crate::model::Cidr;

/// How `--trusted-proxy` names whoever connects to the Unix socket.
const UNIX: &str = "unix";
/// The file in which Linux shows this machine's name.
const KERNEL_HOSTNAME: &str = "/proc/sys/kernel/hostname";

const BASE_URL_HELP: &str = "What links in mails begin with, such as https://lists.example.org; without it they begin with the HTTP listener's \
     address, which is of use on this machine alone";

/// Who the server is and where it listens.
#[derive(Debug, Args)]
#[command(next_help_heading = "Name and listeners")]
pub(super) struct ListenArgs {
    /// Name of this mail server, to which the MX record points [default: this machine's name]; without it and without
    /// --base-url, only loopback addresses are listened on
    #[arg(long, env = "CRIER_HOSTNAME", value_name = "HOST")]
    hostname: Option<String>,
    /// Address and port of the HTTP API and pages, or `unix:` and a path, for a web server in front of this one; port 0
    /// takes any that is free
    #[arg(long, env = "CRIER_HTTP_LISTEN", value_name = "ADDR|unix:PATH", default_value = "127.0.0.1:8080")]
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
    /// Network of a web server in front of this one, such as 192.0.2.0/28, or `unix` for one that comes by the Unix
    /// socket, that passes on the requests of others; may be repeated. The client's address is then read from X-Forwarded-For, or from Forwarded if there is no such
    /// field. From any other address these fields are ignored
    #[arg(
        long = "trusted-proxy",
        env = "CRIER_TRUSTED_PROXY",
        value_name = "CIDR|unix",
        value_delimiter = ','
    )]
    trusted_proxies: Vec<String>,
    /// URL of a service that sends text messages: codes for administrators' sign-in are posted there as JSON, with `to`
    /// and `text` [default: none]
    #[arg(long, env = "CRIER_SMS_WEBHOOK", value_name = "URL", hide_env_values = true)]
    sms_webhook: Option<String>,
    /// File with that URL, so that a password in it stands neither in the list of processes nor in the environment;
    /// `%d/NAME` is the credential NAME of a systemd service
    #[arg(long, env = "CRIER_SMS_WEBHOOK_FILE", value_name = "FILE")]
    sms_webhook_file: Option<String>,
}

/// [`ListenArgs`] that have been checked.
#[expect(clippy::struct_field_names, reason = "the fields have the names of their flags")]
pub(super) struct Listen {
    pub(super) hostname: String,
    pub(super) http_listen: ListenAddr,
    pub(super) smtp_listen: SocketAddr,
    pub(super) lmtp_listen: Option<ListenAddr>,
    pub(super) submission_listen: Option<SocketAddr>,
    pub(super) metrics_listen: Option<SocketAddr>,
    pub(super) base_url: Option<String>,
    pub(super) web_domain_tls: bool,
    pub(super) public_ips: Vec<IpAddr>,
    pub(super) trusted_relays: Vec<Cidr>,
    pub(super) trusted_proxies: Vec<Cidr>,
    pub(super) trusts_unix_socket: bool,
    pub(super) sms_webhook: Option<WebhookUrl>,
}

impl ListenArgs {
    /// Checks every flag; `None` if one without a default is wrong.
    #[expect(clippy::similar_names, reason = "the names are those of the flags")]
    pub(super) fn parse(&self, https_listen: Option<SocketAddr>, problems: &mut Problems) -> Option<Listen> {
        let listen = self;
        let hostname = parse_own_name(listen.hostname.as_deref(), problems);
        let http_listen = problems.read("--http-listen", &listen.http_listen, parse_http_listen);
        let smtp_listen = problems.read("--smtp-listen", &listen.smtp_listen, parse_listen);
        let lmtp_listen =
            problems.read_option("--lmtp-listen", listen.lmtp_listen.as_deref(), parse_lmtp_listen);
        let lmtp_port = lmtp_listen.as_ref().and_then(ListenAddr::tcp);
        let submission_listen =
            problems.read_option("--submission-listen", listen.submission_listen.as_deref(), parse_listen);
        let metrics_listen =
            problems.read_option("--metrics-listen", listen.metrics_listen.as_deref(), parse_listen);
        let addresses = [
            ("--http-listen", http_listen.as_ref().and_then(ListenAddr::tcp)),
            ("--https-listen", https_listen),
            ("--smtp-listen", smtp_listen),
            ("--lmtp-listen", lmtp_port),
            ("--submission-listen", submission_listen),
            ("--metrics-listen", metrics_listen),
        ];
        refuse_same(&addresses, problems);
        let base_url = problems.read_option("--base-url", listen.base_url.as_deref(), parse_base_url);
        refuse_links_to_nowhere(listen, &addresses, problems);
        if http_listen.as_ref().is_some_and(|http| http.tcp().is_none())
            && https_listen.is_none()
            && !is_given(listen.base_url.as_deref())
        {
            problems.note(
                "--http-listen unix: needs --base-url, such as https://lists.example.org: links cannot lead to a socket"
                    .to_owned(),
            );
        }
        let trusted_relays = problems.read_all("--trusted-relay", &listen.trusted_relays, parse_network);
        let is_unix = |text: &&String| text.trim() == UNIX;
        let trusts_unix_socket = listen.trusted_proxies.iter().any(|text| is_unix(&text));
        let networks: Vec<String> =
            listen.trusted_proxies.iter().filter(|text| !is_unix(text)).cloned().collect();
        let trusted_proxies = problems.read_all("--trusted-proxy", &networks, parse_network);
        let public_ips = problems.read_all("--public-ip", &listen.public_ips, parse_ip);
        let sms_webhook = read_webhook(listen, problems);
        Some(Listen {
            hostname: hostname?,
            http_listen: http_listen?,
            smtp_listen: smtp_listen?,
            lmtp_listen,
            submission_listen,
            metrics_listen,
            base_url,
            web_domain_tls: listen.web_domain_tls,
            public_ips,
            trusted_relays,
            trusted_proxies,
            trusts_unix_socket,
            sms_webhook,
        })
    }
}

/// Reads the URL of the service for text messages, from its flag or from a file.
fn read_webhook(listen: &ListenArgs, problems: &mut Problems) -> Option<WebhookUrl> {
    let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
    let in_file = problems.read_option("--sms-webhook-file", listen.sms_webhook_file.as_deref(), |file| {
        let url = parse_secret_file(file, credentials.as_deref())?;
        parse_webhook(&url).map_err(|right| format!("holds a text that {right}"))
    });
    let given = problems.read_all_secret("--sms-webhook", listen.sms_webhook.as_slice(), parse_webhook).pop();
    if given.is_some() && in_file.is_some() {
        problems
            .note("--sms-webhook and --sms-webhook-file are both given: one of them is enough".to_owned());
    }
    given.or(in_file)
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
