//! Finds where the mail of a domain goes: MX hosts and their addresses, with hickory-resolver.
//!
//! A definite answer of the DNS (no such domain, Null MX) is permanent; a missing answer is temporary.

use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::dnssec::TrustAnchors;
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use hickory_resolver::{ResolverBuilder, TokioResolver};

use super::dane::Dane;
use super::dns_checker::RecordKind;
use super::dnssec::{Proven, Validator, mx_records};
use super::tls;
use crate::config::{Config, Trust};
use crate::model::ranges::is_public;

/// Hosts that are tried for one domain.
const HOSTS_MAX: usize = 5;

/// One mail server of a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MxHost {
    /// Its name, without a final dot, in A-label form.
    pub name: String,
    /// Its addresses: at least one.
    pub addresses: Vec<SocketAddr>,
    /// Whether DNSSEC proves that it is the domain's.
    pub is_proven: bool,
    /// The DANE records of its certificate.
    pub dane: Dane,
}

/// The reason why a domain has no mail server to connect to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MxError {
    /// The domain accepts no mail.
    #[error("{0}")]
    Permanent(String),
    /// The DNS gave no answer.
    #[error("{0}")]
    Temporary(String),
}

/// Options for resolving names.
#[derive(Debug, Clone)]
pub struct DnsOptions {
    /// The DNS server; the system's if `None`.
    pub server: Option<SocketAddr>,
    /// The port of other mail servers.
    pub mx_port: u16,
    /// Whether loopback and private addresses may be mail servers.
    pub allow_private: bool,
    /// How long one query to one server may take; it is sent three times.
    pub question_timeout: Duration,
    /// The key of the DNS root, a DNSKEY record; the public one if unset.
    pub root_key: Option<String>,
}

impl DnsOptions {
    /// The options that `config` sets.
    #[must_use]
    pub fn new(config: &Config) -> DnsOptions {
        DnsOptions {
            server: config.dns_server,
            mx_port: config.mx_port,
            allow_private: config.allow_private_mx,
            question_timeout: config.patience.question,
            root_key: config.trust.root_key.clone(),
        }
    }
}

/// The name and addresses of this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalIdentity {
    /// Its name, in lower case.
    pub hostname: String,
    /// Its public addresses, as far as they are known.
    pub addresses: Vec<IpAddr>,
}

impl LocalIdentity {
    fn have_any(&self, addresses: &[SocketAddr]) -> bool {
        addresses.iter().any(|address| self.addresses.contains(&address.ip()))
    }
}

/// Finds mail servers. Cloning is cheap, and clones share their cache.
#[derive(Clone)]
pub struct Resolver {
    inner: TokioResolver,
    /// The DNSSEC validator; `None` unless a caller needs proofs.
    validator: Option<Arc<Validator>>,
    mx_port: u16,
    allow_private: bool,
}

impl std::fmt::Debug for Resolver {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Resolver(port {})", self.mx_port)
    }
}

impl Resolver {
    /// A resolver that queries the given server, or the system's.
    pub fn new(options: &DnsOptions) -> Result<Resolver, MxError> {
        Resolver::with_cache(options, None)
    }

    /// A resolver without a cache.
    pub fn without_cache(options: &DnsOptions) -> Result<Resolver, MxError> {
        Resolver::with_cache(options, Some(0))
    }

    /// Adds validation by DNSSEC to the look-up of mail servers.
    pub fn with_dnssec(self, options: &DnsOptions) -> Result<Resolver, MxError> {
        let anchors = match &options.root_key {
            Some(key) => key.parse().map_err(|error| MxError::Temporary(format!("The root key: {error}")))?,
            None => TrustAnchors::default(),
        };
        let validating = builder(options)?.with_trust_anchor(Arc::new(anchors)).build();
        let validating = validating.map_err(|error| unavailable(&error))?;
        let validator = Validator::new(validating, self.inner.clone());
        Ok(Resolver { validator: Some(validator), ..self })
    }

    /// The resolver for `mail-auth`.
    pub(super) fn into_inner(self) -> TokioResolver {
        self.inner
    }

    /// A resolver that caches up to `answers_max` answers while they are valid; the library's default number if unset.
    fn with_cache(options: &DnsOptions, answers_max: Option<u64>) -> Result<Resolver, MxError> {
        let mut builder = builder(options)?;
        if let Some(answers_max) = answers_max {
            builder.options_mut().cache_size = answers_max;
        }
        let inner = builder.build().map_err(|error| unavailable(&error))?;
        let DnsOptions { mx_port, allow_private, .. } = options;
        Ok(Resolver { inner, validator: None, mx_port: *mx_port, allow_private: *allow_private })
    }

    /// The mail servers of a domain, the preferred ones first (RFC 5321 5.1). If this server (`local_identity`) is
    /// among them, those that are not preferred to it are left out: they would only send the mail back.
    pub async fn mx_hosts(
        &self,
        domain: &str,
        local_identity: Option<&LocalIdentity>,
    ) -> Result<Vec<MxHost>, MxError> {
        let (mut names, is_proven) = self.exchangers(domain).await?;
        let own = local_identity
            .and_then(|local_identity| names.iter().find(|(_, name)| *name == local_identity.hostname));
        let mut own_preference = own.map(|(preference, _)| *preference);
        names.retain(|(preference, _)| own_preference.is_none_or(|own| *preference < own));
        let mut hosts = Vec::new();
        let mut problem = None;
        for (preference, name) in names.into_iter().take(HOSTS_MAX) {
            match self.permitted_addresses(&name, self.mx_port).await {
                Ok(addresses)
                    if local_identity.is_some_and(|local_identity| local_identity.have_any(&addresses)) =>
                {
                    own_preference = Some(preference);
                    break;
                }
                Ok(addresses) => {
                    let dane = if is_proven { self.certificates(&name).await } else { Dane::Absent };
                    hosts.push((preference, MxHost { name, addresses, is_proven, dane }));
                }
                Err(error) => problem = Some(worse(problem, error)),
            }
        }
        hosts.retain(|(preference, _)| own_preference.is_none_or(|own| *preference < own));
        match (problem, own_preference) {
            (Some(error), _) if hosts.is_empty() => Err(error),
            (None, Some(_)) if hosts.is_empty() => Err(MxError::Permanent(format!(
                "5.4.6 Mail for {domain} would come back to this server, which takes none for it"
            ))),
            _ => Ok(hosts.into_iter().map(|(_, host)| host).collect()),
        }
    }

    /// The addresses of a relay, which may be an address itself. Its name is the operator's own: it may be in the hosts
    /// file, and be completed by the system's search domains.
    pub async fn relay_addresses(&self, host: &str) -> Result<Vec<IpAddr>, MxError> {
        if let Ok(address) = host.parse() {
            return Ok(vec![address]);
        }
        let name =
            Name::from_utf8(host).map_err(|_| MxError::Permanent(format!("{host} is no host name")))?;
        self.lookup_addresses(host, name).await
    }

    /// The addresses of a name, IPv4 first, as more servers have it.
    async fn lookup_addresses(&self, host: &str, name: Name) -> Result<Vec<IpAddr>, MxError> {
        let found = self.inner.lookup_ip(name).await.map_err(|error| match absence(&error) {
            Absence::Certain => MxError::Permanent(format!("{host} has no address")),
            Absence::Unknown => unavailable(&error),
        })?;
        let mut addresses: Vec<IpAddr> = found.iter().collect();
        addresses.sort_by_key(IpAddr::is_ipv6);
        Ok(addresses)
    }

    /// The preferences and names of a domain's mail servers in the order in which they are tried, and whether DNSSEC
    /// proves them.
    async fn exchangers(&self, domain: &str) -> Result<(Vec<(u16, String)>, bool), MxError> {
        let name = absolute(domain)?;
        let proven = match &self.validator {
            Some(validator) => validator.exchangers(&name).await,
            None => Proven::Insecure,
        };
        match proven {
            Proven::Broken => Err(MxError::Temporary(format!(
                "4.7.0 The domain {domain} is signed, and its MX records do not fit the signature (DNSSEC)"
            ))),
            Proven::Secure(records) if !records.is_empty() => {
                Ok((mx_names_of(domain, &name, records)?, true))
            }
            Proven::Secure(_) => {
                let names = self.mx_names(domain).await?;
                let is_itself = names == [itself(&name)];
                Ok((names, is_itself))
            }
            Proven::Insecure => Ok((self.mx_names(domain).await?, false)),
        }
    }

    async fn certificates(&self, host: &str) -> Dane {
        match (&self.validator, absolute(host)) {
            (Some(validator), Ok(name)) => validator.certificates(&name, self.mx_port).await,
            (None, _) | (_, Err(_)) => Dane::Absent,
        }
    }

    /// The preferences and names without a DNSSEC proof; the domain itself if it has no MX.
    async fn mx_names(&self, domain: &str) -> Result<Vec<(u16, String)>, MxError> {
        let name = absolute(domain)?;
        let lookup = match self.inner.lookup(name.clone(), RecordType::MX).await {
            Ok(lookup) => lookup,
            Err(error) if error.is_nx_domain() => {
                return Err(MxError::Permanent(format!("5.1.2 The domain {domain} does not exist")));
            }
            Err(error) => {
                return match absence(&error) {
                    Absence::Certain => Ok(vec![itself(&name)]),
                    Absence::Unknown => Err(unavailable(&error)),
                };
            }
        };
        mx_names_of(domain, &name, mx_records(&lookup))
    }

    /// The texts of the TXT records of `name`, each joined from its strings; empty if it has none.
    pub async fn texts(&self, name: &str) -> Result<Vec<String>, MxError> {
        let lookup = match self.inner.lookup(absolute(name)?, RecordType::TXT).await {
            Ok(lookup) => lookup,
            Err(error) => {
                return match absence(&error) {
                    Absence::Certain => Ok(Vec::new()),
                    Absence::Unknown => Err(unavailable(&error)),
                };
            }
        };
        let texts = lookup.answers().iter().filter_map(|record| match &record.data {
            RData::TXT(txt) => Some(String::from_utf8_lossy(&txt.txt_data.concat()).into_owned()),
            _ => None,
        });
        Ok(texts.collect())
    }

    /// The addresses of `name` that this server may connect to, with `port`.
    pub async fn permitted_addresses(&self, name: &str, port: u16) -> Result<Vec<SocketAddr>, MxError> {
        let permitted: Vec<SocketAddr> = self
            .lookup_addresses(name, absolute(name)?)
            .await?
            .into_iter()
            .filter(|address| self.allow_private || is_public(*address))
            .map(|address| SocketAddr::new(address, port))
            .collect();
        if permitted.is_empty() {
            return Err(MxError::Permanent(format!(
                "{name} has a private address, which mail is not sent to"
            )));
        }
        Ok(permitted)
    }
}

/// The records of a name as text; empty if it has none. PTR records are queried by their address.
pub(super) async fn records(
    resolver: &TokioResolver,
    kind: RecordKind,
    name: &str,
) -> Result<Vec<String>, MxError> {
    let (name, record_type) = match kind {
        RecordKind::A => (absolute(name)?, RecordType::A),
        RecordKind::Aaaa => (absolute(name)?, RecordType::AAAA),
        RecordKind::Mx => (absolute(name)?, RecordType::MX),
        RecordKind::Txt => (absolute(name)?, RecordType::TXT),
        RecordKind::Ptr => {
            let address: IpAddr =
                name.parse().map_err(|_| MxError::Permanent(format!("{name} is no address")))?;
            (Name::from(address), RecordType::PTR)
        }
    };
    let lookup = match resolver.lookup(name, record_type).await {
        Ok(lookup) => lookup,
        Err(error) => {
            return match absence(&error) {
                Absence::Certain => Ok(Vec::new()),
                Absence::Unknown => Err(unavailable(&error)),
            };
        }
    };
    let host = |name: &Name| name.to_ascii().trim_end_matches('.').to_lowercase();
    // The answer also holds the aliases on the way to the records.
    let texts = lookup.answers().iter().filter_map(|record| match (&record.data, kind) {
        (RData::A(a), RecordKind::A) => Some(a.0.to_string()),
        (RData::AAAA(aaaa), RecordKind::Aaaa) => Some(aaaa.0.to_string()),
        (RData::MX(mx), RecordKind::Mx) => Some(format!("{} {}", mx.preference, host(&mx.exchange))),
        (RData::TXT(txt), RecordKind::Txt) => {
            Some(String::from_utf8_lossy(&txt.txt_data.concat()).into_owned())
        }
        (RData::PTR(ptr), RecordKind::Ptr) => Some(host(&ptr.0)),
        _ => None,
    });
    Ok(texts.collect())
}

/// The mail servers of `domain` in the order in which they are tried.
fn mx_names_of(
    domain: &str,
    name: &Name,
    mut records: Vec<(u16, String)>,
) -> Result<Vec<(u16, String)>, MxError> {
    // Equal preferences get a random order each time, so that they share the load (RFC 5321 5.1): no two hashers are
    // alike.
    let order = RandomState::new();
    records.sort_by_cached_key(|(preference, name)| (*preference, order.hash_one(name)));
    if let [(_, root)] = records.as_slice()
        && root == "."
    {
        return Err(MxError::Permanent(format!("5.1.10 The domain {domain} takes no mail (Null MX)")));
    }
    let names = records.into_iter();
    let names = names.map(|(preference, name)| (preference, name.trim_end_matches('.').to_lowercase()));
    let mut names: Vec<(u16, String)> = names.filter(|(_, name)| !name.is_empty()).collect();
    names.dedup();
    if names.is_empty() { Ok(vec![itself(name)]) } else { Ok(names) }
}

/// A domain as its own mail server, for a domain without MX.
fn itself(name: &Name) -> (u16, String) {
    (0, name.to_ascii().trim_end_matches('.').to_lowercase())
}

fn builder(options: &DnsOptions) -> Result<ResolverBuilder<TokioRuntimeProvider>, MxError> {
    let builder = match options.server {
        Some(server) => {
            let config = ResolverConfig::from_name_servers(vec![name_server(server)]);
            Ok(TokioResolver::builder_with_config(config, TokioRuntimeProvider::default()))
        }
        None => TokioResolver::builder_tokio(),
    };
    // No name server is asked over TLS. Without a configuration of its own, the library wants the authorities of the
    // system, and a machine that has none would have no DNS.
    let tls = tls::verifying_client(&Trust::default());
    let mut builder = builder.map_err(|error| unavailable(&error))?.with_tls_config(tls.as_ref().clone());
    builder.options_mut().timeout = options.question_timeout;
    Ok(builder)
}

/// The problem that decides if no host is left: as long as one is temporary, another attempt is worthwhile.
fn worse(known: Option<MxError>, new: MxError) -> MxError {
    match known {
        Some(MxError::Temporary(reason)) => MxError::Temporary(reason),
        Some(MxError::Permanent(reason)) if matches!(new, MxError::Permanent(_)) => {
            MxError::Permanent(reason)
        }
        Some(MxError::Permanent(_)) | None => new,
    }
}

enum Absence {
    /// The DNS says that there is no such record.
    Certain,
    Unknown,
}

fn absence(error: &NetError) -> Absence {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(none))
            if matches!(none.response_code, ResponseCode::NoError | ResponseCode::NXDomain) =>
        {
            Absence::Certain
        }
        _ => Absence::Unknown,
    }
}

fn unavailable(error: &NetError) -> MxError {
    MxError::Temporary(format!("The DNS gave no answer: {error}"))
}

/// A name with its final dot, so that no search domain is tried; in A-label form.
fn absolute(name: &str) -> Result<Name, MxError> {
    let invalid = || MxError::Permanent(format!("{name} is no domain name"));
    let ascii =
        if name.is_ascii() { name.to_owned() } else { idna::domain_to_ascii(name).map_err(|_| invalid())? };
    let mut name = Name::from_ascii(ascii).map_err(|_| invalid())?;
    name.set_fqdn(true);
    Ok(name)
}

fn name_server(address: SocketAddr) -> NameServerConfig {
    let mut connections = vec![ConnectionConfig::udp(), ConnectionConfig::tcp()];
    for connection in &mut connections {
        connection.port = address.port();
    }
    NameServerConfig::new(address.ip(), true, connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_temporary_problem_makes_the_whole_temporary() {
        let permanent = || MxError::Permanent("p".to_owned());
        let temporary = || MxError::Temporary("t".to_owned());
        assert_eq!(worse(None, permanent()), permanent());
        assert_eq!(worse(Some(permanent()), temporary()), temporary());
        assert_eq!(worse(Some(temporary()), permanent()), temporary());
    }
}
