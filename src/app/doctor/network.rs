//! Examines what the network sees: listeners, DNS records, the certificate, relays, the reverse name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::{Check, Subject};
use crate::clock::Clock;
use crate::config::ListenAddr;
use crate::control::publish::PublishedReply;
use crate::net::certificate::{Term, name_fault};
use crate::net::dns_checker::{DnsChecker, RecordKind};
use crate::net::tls::{self, PemPair};
use crate::smtp::send::probe;

/// How long a listener of this machine may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether every listener answers, or could be bound.
pub(super) async fn ports(subject: &Subject) -> Check {
    let mut faults = Vec::new();
    let Some(listeners) = &subject.listeners else {
        for (flag, address) in addresses(subject) {
            if let Err(error) = TcpListener::bind(address).await {
                faults.push(format!("{flag} {address} cannot be used: {error}{}", hint(&error, address)));
            }
        }
        return Check::of("ports", &faults, "every port is free; the server is stopped");
    };
    for listener in listeners {
        let Ok(address) = listener.address.parse::<SocketAddr>() else { continue };
        let address = reachable(address);
        let connected = timeout(PATIENCE, TcpStream::connect(address)).await;
        let reason = match connected {
            Ok(Ok(_)) => continue,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer".to_owned(),
        };
        let name = &listener.name;
        faults.push(format!(
            "the listener {name} at {address} takes no connection ({reason}): look at the server's log, and whether it has \
             too many open files"
        ));
    }
    Check::of("ports", &faults, "every listener answers")
}

/// The addresses that a stopped server would listen on, with their flags.
fn addresses(subject: &Subject) -> Vec<(&'static str, SocketAddr)> {
    let config = &subject.config;
    let all = [
        ("--http-listen", config.http_listen.tcp()),
        ("--https-listen", config.tls.https_listen),
        ("--smtp-listen", Some(config.smtp_listen)),
        ("--lmtp-listen", config.lmtp_listen.as_ref().and_then(ListenAddr::tcp)),
        ("--submission-listen", config.submission_listen),
        ("--metrics-listen", config.metrics_listen),
    ];
    all.into_iter().filter_map(|(flag, address)| Some((flag, address?))).collect()
}

/// Says how to mend a listener that cannot be bound.
fn hint(error: &std::io::Error, address: SocketAddr) -> String {
    let port = address.port();
    match error.kind() {
        std::io::ErrorKind::AddrInUse => format!(
            "; another program listens there: ss -ltnp 'sport = :{port}' names it. Stop it, or choose another port (a \
             socket unit of crier's own is right)"
        ),
        std::io::ErrorKind::AddrNotAvailable => "; this machine does not have that address".to_owned(),
        std::io::ErrorKind::PermissionDenied => {
            "; ports below 1024 need a privilege: start it as a service, or run this command as root"
                .to_owned()
        }
        _ => String::new(),
    }
}

/// The address by which this machine reaches a listener.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Whether the DNS has every record of the domains.
pub(super) fn dns(domains: Result<Vec<PublishedReply>, String>) -> Check {
    let domains = match domains {
        Ok(domains) => domains,
        Err(reason) => return Check::of("dns", &[reason], ""),
    };
    let mut faults = Vec::new();
    let verified: Vec<&PublishedReply> = domains.iter().filter(|domain| domain.verified).collect();
    for domain in &verified {
        // The reverse name has a check of its own.
        let records: Vec<_> = domain.records.iter().filter(|record| record.kind != "PTR").collect();
        for record in records.iter().filter(|record| matches!(&*record.state, "missing" | "wrong")) {
            let (kind, name) = (&record.kind, &record.name);
            let value = if record.value.is_empty() { "this server's public address" } else { &record.value };
            let found = record.found.as_ref().map(|found| format!(", found {found}")).unwrap_or_default();
            let of = if *name == domain.name { String::new() } else { format!(" (for {})", domain.name) };
            faults.push(format!("{kind} {name}{of} is {}{found}: publish {value}", record.state));
        }
        let is_silent =
            |kind: &str| records.iter().any(|record| record.kind == kind && record.state == "unknown");
        if is_silent("MX") && is_silent("TXT") {
            faults.push(format!(
                "the DNS did not answer for {}: name a server that does with --dns-server",
                domain.name
            ));
        }
    }
    let note = match verified.len() {
        0 => "there is no domain yet: crier setup makes the first".to_owned(),
        number => format!("every record is right ({number} domains)"),
    };
    Check::of("dns", &faults, note)
}

/// Whether the certificate of mail's TLS is good.
pub(super) async fn tls(subject: &Subject, clock: &Clock) -> Check {
    let hostname = &subject.config.hostname;
    let certificate = match &subject.listeners {
        Some(listeners) => {
            let smtp = listeners.iter().find(|listener| listener.name == "smtp");
            let Some(address) = smtp.and_then(|listener| listener.address.parse().ok()) else {
                return Check::of("tls", &[], "no port for mail");
            };
            probe::presented(reachable(address), hostname).await
        }
        None => match subject.config.tls.files.first() {
            Some((chain, key)) => read(chain, key),
            None if subject.config.tls.acme.is_some() => {
                return Check::of("tls", &[], "certificates are ordered while the server runs");
            }
            None => return own(subject),
        },
    };
    let certificate = match certificate {
        Ok(certificate) => certificate,
        Err(reason) => {
            let fault = format!(
                "the certificate of mail's TLS cannot be used: {reason}: look at --tls-cert and --tls-key, or at the log if \
                 certificates are ordered (--acme)"
            );
            return Check::of("tls", &[fault], "");
        }
    };
    if !subject.has_certificate {
        return own(subject);
    }
    let now = clock.now();
    let term = Term::of(&certificate);
    let until = term.as_ref().map_or_else(|_| String::new(), |term| format!(" until {}", term.until));
    let fault = match term {
        Ok(term) => term.fault(now),
        Err(fault) => Some(fault),
    };
    let faults: Vec<String> = [fault, name_fault(&certificate, hostname)]
        .into_iter()
        .flatten()
        .map(|fault| {
            format!(
                "{fault}: put a new one in the place of --tls-cert and --tls-key; it is read within a minute (with --acme the log \
                 says what the next one waits for)"
            )
        })
        .collect();
    Check::of("tls", &faults, format!("the certificate for {hostname} is good{until}"))
}

/// The check of a server that has no certificate but one that it made.
fn own(subject: &Subject) -> Check {
    let fault = subject.has_submission.then(|| {
        "mail programs submit mail here, and refuse the self-signed certificate: give one with --tls-cert and --tls-key"
            .to_owned()
    });
    Check::of(
        "tls",
        fault.as_slice(),
        "mail is encrypted with a self-signed certificate, which mail servers accept",
    )
}

fn read(chain: &std::path::Path, key: &std::path::Path) -> Result<CertificateDer<'static>, String> {
    let read = |path: &std::path::Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let pair = PemPair { chain: read(chain)?, key: read(key)? };
    tls::check(&pair).map_err(|error| error.to_string())
}

/// Whether every relay takes this server's mail.
pub(super) async fn relay(subject: &Subject) -> Check {
    let mut faults = Vec::new();
    for relay in &subject.config.relays {
        if let Err(reason) = Box::pin(probe::try_relay(relay, &subject.config)).await {
            let password = if relay.credentials.is_some() { ", user name and password" } else { "" };
            faults.push(format!(
                "the relay {}:{} takes no mail from here: {reason}. Look at its address{password} in --relay or \
                 --relay-file",
                relay.host, relay.port
            ));
        }
    }
    let note = match subject.config.relays.len() {
        0 => "none: mail goes to the mail servers of each domain".to_owned(),
        number => format!("{number} tried: each takes mail"),
    };
    Check::of("relay", &faults, note)
}

/// Whether the public addresses lead back to the server's name.
pub(super) async fn reverse_name(subject: &Subject, dns: &dyn DnsChecker) -> Check {
    const CHECK: &str = "reverse_name";
    let config = &subject.config;
    let hostname = config.hostname.to_ascii_lowercase();
    if !config.relays.is_empty() {
        return Check::of(CHECK, &[], "mail goes out through a relay, whose own addresses count");
    }
    let mut addresses = config.public_ips.clone();
    if addresses.is_empty() {
        let (v4, v6) =
            tokio::join!(dns.find(RecordKind::A, &hostname), dns.find(RecordKind::Aaaa, &hostname));
        let (Some(v4), Some(v6)) = (v4, v6) else {
            let fault =
                format!("the DNS did not answer for {hostname}: name a server that does with --dns-server");
            return Check::of(CHECK, &[fault], "");
        };
        addresses = [v4, v6].concat().iter().filter_map(|text| text.parse().ok()).collect();
    }
    if addresses.is_empty() {
        let fault = format!(
            "{hostname} has no address in the DNS, and --public-ip names none: many mail servers refuse mail from \
             addresses without a name"
        );
        return Check::of(CHECK, &[fault], "");
    }
    let mut faults = Vec::new();
    for address in addresses {
        let mend = format!("whoever rents out the address sets its reverse name (PTR), to {hostname}");
        match dns.find(RecordKind::Ptr, &address.to_string()).await {
            None => faults.push(format!("the DNS did not answer for the reverse name of {address}")),
            Some(names) if names.is_empty() => faults.push(format!("{address} has no reverse name: {mend}")),
            Some(names) if names.iter().any(|name| is_name(name, &hostname)) => {}
            Some(names) => {
                faults.push(format!("{address} has the reverse name {}: {mend}", names.join(", ")));
            }
        }
    }
    Check::of(CHECK, &faults, format!("every address has the name {hostname}"))
}

fn is_name(found: &str, hostname: &str) -> bool {
    found.trim_end_matches('.').eq_ignore_ascii_case(hostname)
}
