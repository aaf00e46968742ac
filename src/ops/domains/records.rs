//! Lists the DNS records that a domain needs, each with its purpose and value. The API and the command line show them;
//! nothing here asks the DNS.

use std::net::IpAddr;

use super::claims::{host_of, proof_name};
use crate::config::Config;
use crate::mail::sign;
use crate::model::{AccountDomain, DkimKeys, Domain, DomainClaim};
use crate::store::{Read, StoreError, WriteTx};

/// The name in the data file under which the server's last known names are kept.
const META_NAMES: &str = "server_names";

/// The names and addresses of this server that a domain's records refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerNames {
    /// The mail server's name; `None` if it is not known.
    pub hostname: Option<String>,
    /// The host of the links in mail, if it has a name.
    pub web_host: Option<String>,
    /// The server's public addresses, as far as the operator configured them.
    pub public_ips: Vec<IpAddr>,
    /// Hosts of the relays outside this network that send all of the server's mail.
    pub relays: Vec<String>,
}

impl ServerNames {
    /// The names of a server that runs with `config` and whose links begin with `base_url`.
    #[must_use]
    pub fn of(config: &Config, base_url: &str) -> ServerNames {
        ServerNames {
            hostname: Some(config.hostname.clone()),
            web_host: host_of(base_url).map(str::to_owned),
            public_ips: config.public_ips.clone(),
            relays: config
                .relays
                .iter()
                .map(|relay| relay.host.clone())
                .filter(|host| is_elsewhere(host))
                .collect(),
        }
    }

    /// The names of the server that ran last, from the data file.
    pub fn last_known(tx: &impl Read) -> Result<ServerNames, StoreError> {
        let text = tx.meta(META_NAMES)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut lines = text.lines().map(|line| Some(line.to_owned()).filter(|line| !line.is_empty()));
        let mut next = || lines.next().flatten();
        let (hostname, web_host) = (next(), next());
        let words = |line: Option<String>| -> Vec<String> {
            line.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let public_ips = words(next()).iter().filter_map(|word| word.parse().ok()).collect();
        Ok(ServerNames { hostname, web_host, public_ips, relays: words(next()) })
    }

    /// Stores the names for commands that run while no server does.
    pub fn remember(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        let ServerNames { hostname, web_host, public_ips, relays } = self;
        let ips: Vec<String> = public_ips.iter().map(ToString::to_string).collect();
        let [hostname, web_host] = [hostname, web_host].map(|name| name.as_deref().unwrap_or_default());
        let text = format!("{hostname}\n{web_host}\n{}\n{}\n", ips.join(" "), relays.join(" "));
        tx.set_meta(META_NAMES, Some(text.as_bytes()))
    }
}

/// The purpose of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Mail for the domain comes to this server.
    Mail,
    /// The mail server's name resolves to its address.
    HostAddress,
    /// The name in links resolves to this server, or to the web server in front of it.
    WebAddress,
    /// This server, or its relay, may send the domain's mail.
    Sending,
    /// The domain's signatures can be verified.
    Signature,
    /// The same for the keys that will sign next.
    NextSignature,
    /// Tells receivers how to treat mail that forges the domain.
    Policy,
    /// The address of this server resolves back to its name.
    Reverse,
    /// Proves that the domain is the account's.
    Proof,
}

/// A record to be published in the DNS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsRecord {
    /// Its purpose.
    pub purpose: Purpose,
    /// `MX`, `TXT`, `A`, `AAAA` or `PTR`.
    pub kind: &'static str,
    /// The record's name, without a final dot; the address for a PTR record.
    pub name: String,
    /// Its value in the form that zone files and providers use; blank for an address that this server does not know.
    pub value: String,
}

impl DnsRecord {
    fn new(purpose: Purpose, kind: &'static str, name: &str, value: String) -> DnsRecord {
        DnsRecord { purpose, kind, name: name.to_owned(), value }
    }
}

/// The records that make a domain's mail and links reach this server, and let its mail pass recipients' checks.
#[must_use]
pub fn dns_records(domain: &AccountDomain, server: &ServerNames) -> Vec<DnsRecord> {
    let name = domain.name.as_str();
    let mut records = vec![mail_record(name, server)];
    let host = server.hostname.as_deref();
    if let Some(host) = host {
        records.extend(addresses(Purpose::HostAddress, host, server));
    }
    let is_web = |host: &&str| Some(*host) == server.web_host.as_deref() || (domain.is_web && *host == name);
    let web_hosts = [Some(name), server.web_host.as_deref().filter(|web| *web != name)];
    for web in web_hosts.into_iter().flatten().filter(is_web).filter(|web| Some(*web) != host) {
        records.extend(addresses(Purpose::WebAddress, web, server));
    }
    records.push(DnsRecord::new(Purpose::Sending, "TXT", name, sender_policy(server)));
    records.extend(key_records(&domain.name, &domain.dkim));
    if let Some(next) = &domain.next_keys {
        let next = key_records(&domain.name, &next.keys).into_iter();
        records.extend(next.map(|record| DnsRecord { purpose: Purpose::NextSignature, ..record }));
    }
    let policy = "v=DMARC1; p=none".to_owned();
    records.push(DnsRecord::new(Purpose::Policy, "TXT", &format!("_dmarc.{name}"), policy));
    // If a relay sends, receivers check the relay's address.
    if let Some(host) = host.filter(|_| server.relays.is_empty()) {
        let reverse =
            |ip: &IpAddr| DnsRecord::new(Purpose::Reverse, "PTR", &ip.to_string(), format!("{host}."));
        records.extend(server.public_ips.iter().map(reverse));
    }
    records
}

/// The records that prove a domain. Either one is enough while no other account claims it.
#[must_use]
pub fn claim_records(claim: &DomainClaim, server: &ServerNames) -> Vec<DnsRecord> {
    let proof = DnsRecord::new(Purpose::Proof, "TXT", &proof_name(&claim.name), claim.verification.clone());
    vec![proof, mail_record(claim.name.as_str(), server)]
}

/// The records that publish keys of a domain.
#[must_use]
pub fn key_records(domain: &Domain, keys: &DkimKeys) -> Vec<DnsRecord> {
    let records = sign::dns_records(keys).unwrap_or_default().into_iter();
    let record = |(selector, value): (String, String)| {
        DnsRecord::new(Purpose::Signature, "TXT", &format!("{selector}._domainkey.{domain}"), value)
    };
    records.map(record).collect()
}

fn mail_record(name: &str, server: &ServerNames) -> DnsRecord {
    let host = server
        .hostname
        .as_deref()
        .map_or("(the --hostname of crier serve)".to_owned(), |host| format!("{host}."));
    DnsRecord::new(Purpose::Mail, "MX", name, format!("10 {host}"))
}

/// The address records of a host; a blank one if the addresses are unknown.
fn addresses(purpose: Purpose, host: &str, server: &ServerNames) -> Vec<DnsRecord> {
    if server.public_ips.is_empty() {
        return vec![DnsRecord::new(purpose, "A", host, String::new())];
    }
    let record = |ip: &IpAddr| {
        let kind = if ip.is_ipv4() { "A" } else { "AAAA" };
        DnsRecord::new(purpose, kind, host, ip.to_string())
    };
    server.public_ips.iter().map(record).collect()
}

/// Whether a relay sends from its own addresses. A relay on this machine or in its network sends from this server's.
fn is_elsewhere(relay: &str) -> bool {
    match relay.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(ip)) => !(ip.is_loopback() || ip.is_private()),
        Ok(IpAddr::V6(ip)) => !(ip.is_loopback() || ip.is_unique_local()),
        Err(_) => relay != "localhost",
    }
}

/// The SPF policy: the domain's mail servers send its mail, and so do this server's relays.
fn sender_policy(server: &ServerNames) -> String {
    let relays = server.relays.iter().map(|relay| match relay.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => format!("ip4:{ip} "),
        Ok(IpAddr::V6(ip)) => format!("ip6:{ip} "),
        Err(_) => format!("a:{relay} "),
    });
    format!("v=spf1 mx {}~all", relays.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{AccountId, DomainId};

    fn domain(is_web: bool) -> AccountDomain {
        let keys = DkimKeys { selector: "s".to_owned(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() };
        let name = Domain::parse("lists.example.org").unwrap();
        let domain =
            AccountDomain::new(DomainId(1), AccountId(1), name, keys, Timestamp::from_ms(1_800_000_000_000));
        AccountDomain { is_web, ..domain }
    }

    fn server() -> ServerNames {
        ServerNames { hostname: Some("mx.example.org".to_owned()), ..ServerNames::default() }
    }

    #[track_caller]
    fn check(is_web: bool, server: &ServerNames, expected: &[&str]) {
        let records = dns_records(&domain(is_web), server).into_iter();
        let lines: Vec<String> =
            records.map(|DnsRecord { kind, name, value, .. }| format!("{kind} {name} {value}")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_web_name_has_an_address_of_its_own_unless_it_is_the_mail_servers() {
        let ips = vec!["192.0.2.1".parse().unwrap(), "2001:db8::1".parse().unwrap()];
        let server = ServerNames { public_ips: ips, ..server() };
        check(
            true,
            &server,
            &[
                "MX lists.example.org 10 mx.example.org.",
                "A mx.example.org 192.0.2.1",
                "AAAA mx.example.org 2001:db8::1",
                "A lists.example.org 192.0.2.1",
                "AAAA lists.example.org 2001:db8::1",
                "TXT lists.example.org v=spf1 mx ~all",
                "TXT _dmarc.lists.example.org v=DMARC1; p=none",
                "PTR 192.0.2.1 mx.example.org.",
                "PTR 2001:db8::1 mx.example.org.",
            ],
        );
        let same = ServerNames { hostname: Some("lists.example.org".to_owned()), ..ServerNames::default() };
        check(
            true,
            &same,
            &[
                "MX lists.example.org 10 lists.example.org.",
                "A lists.example.org ",
                "TXT lists.example.org v=spf1 mx ~all",
                "TXT _dmarc.lists.example.org v=DMARC1; p=none",
            ],
        );
    }

    #[test]
    fn a_relay_stands_in_the_sender_policy_and_needs_no_reverse_record_of_ours() {
        let server = ServerNames {
            web_host: Some("www.example.org".to_owned()),
            public_ips: vec!["192.0.2.1".parse().unwrap()],
            relays: vec!["smtp.example.net".to_owned(), "192.0.2.9".to_owned()],
            ..server()
        };
        check(
            false,
            &server,
            &[
                "MX lists.example.org 10 mx.example.org.",
                "A mx.example.org 192.0.2.1",
                "A www.example.org 192.0.2.1",
                "TXT lists.example.org v=spf1 mx a:smtp.example.net ip4:192.0.2.9 ~all",
                "TXT _dmarc.lists.example.org v=DMARC1; p=none",
            ],
        );
    }
}
