//! Finds the servers of a destination: which, in what order, and how securely each must be reached.
//!
//! Relays come from the configuration. The servers of a domain come from the DNS and are checked against the domain's
//! DANE records and MTA-STS policy. Nothing here connects to a server.

use std::net::IpAddr;
use std::sync::Arc;

use super::failure::Failure;
use super::sts::Policies;
use super::tls_requirement::TlsRequirement;
use crate::config::{Relay, Routing};
use crate::model::sts::{StsMode, StsRules};
use crate::model::{Destination, Domain};
use crate::net::dane::Dane;
use crate::net::dns::{DnsOptions, LocalIdentity, MxError, MxHost, Resolver};
use crate::net::sts::PolicyClient;
use crate::ops::domains;
use crate::service::Core;
use crate::smtp::send::client::{ConnectError, Security, Target};
use crate::smtp::send::outgoing::Peer;

/// A server to which a batch may be sent.
pub(super) struct Server {
    /// Its name in the trace.
    pub(super) name: Arc<str>,
    /// How to connect to it.
    pub(super) target: Target,
    /// The key of its pooled connections: a connection without authentication is never used where authentication is
    /// demanded.
    pub(super) pooled_as: Arc<str>,
    /// Appended to the error of a failed connection: it says who demanded TLS.
    pub(super) demand: String,
}

impl Server {
    fn new(name: &str, target: Target) -> Server {
        let pooled_as = format!("{name} {:?}", target.security);
        Server { name: name.into(), target, pooled_as: pooled_as.into(), demand: String::new() }
    }

    /// The failure of a connection to it.
    pub(super) fn failure(&self, error: &ConnectError, tls: TlsRequirement) -> Failure {
        let Server { name, demand, .. } = self;
        match (tls, error) {
            (TlsRequirement::Required, ConnectError::Tls(_) | ConnectError::TlsNotOffered) => {
                Failure::Permanent(format!("5.7.10 {name}: {error}{REQUIRED}"))
            }
            // An expired certificate is renewed as soon as somebody notices. Other mail may go there meanwhile.
            (TlsRequirement::Required, ConnectError::Expired(_)) => {
                Failure::Ours(format!("{name}: {error}{demand}"))
            }
            _ => Failure::Unreachable(format!("{name}: {error}{demand}")),
        }
    }

    /// Why it cannot get a message that came under REQUIRETLS, if it cannot.
    pub(super) fn refusal(&self, peer: Peer, tls: TlsRequirement) -> Option<Failure> {
        let lacks = tls == TlsRequirement::Required && !peer.requiretls;
        lacks.then(|| {
            Failure::Permanent(format!(
                "5.7.30 {}: the server does not offer REQUIRETLS{REQUIRED}",
                self.name
            ))
        })
    }
}

/// Appended to the error of a server that cannot be reached as a message demands.
const REQUIRED: &str = ", and the message is for proven servers alone (REQUIRETLS)";

/// The servers of a destination.
#[derive(Default)]
pub(super) struct Found {
    /// The servers in the order in which they are tried.
    pub(super) servers: Vec<Server>,
    /// The reason why other servers were left out.
    pub(super) trouble: Option<Failure>,
}

impl Found {
    fn add(&mut self, server: Result<Server, Failure>) {
        match server {
            Ok(server) => self.servers.push(server),
            Err(failure) => Failure::add(&mut self.trouble, failure),
        }
    }
}

/// Finds servers.
pub(super) struct Servers {
    core: Core,
    /// The resolver, or why there is none, which matters only if a name has to be resolved.
    resolver: Result<Resolver, MxError>,
    /// The MTA-STS policies; `None` without a resolver.
    policies: Option<Policies>,
    local_identity: LocalIdentity,
}

impl Servers {
    pub(super) fn new(core: Core) -> Servers {
        let options = DnsOptions::new(&core.config);
        let resolver = Resolver::new(&options).and_then(|resolver| resolver.with_dnssec(&options));
        let policies = resolver.as_ref().ok().map(|resolver| {
            Policies::new(core.clone(), PolicyClient::new(resolver.clone(), &core.config.trust))
        });
        let local_identity = LocalIdentity {
            hostname: core.config.hostname.to_lowercase(),
            addresses: core.config.public_ips.clone(),
        };
        Servers { core, resolver, policies, local_identity }
    }

    /// The servers of a destination for a message with this TLS demand.
    pub(super) async fn of(&self, destination: &Destination, tls: TlsRequirement) -> Result<Found, Failure> {
        let found = match (self.core.config.routing(), destination) {
            // Batches queued for a domain before relays were configured go to the relays, too.
            (Routing::Relay, _) | (Routing::Mx, Destination::Relay) => self.relays(tls).await,
            (Routing::Mx, Destination::Domain(domain)) => self.exchangers(domain, tls).await?,
        };
        match found {
            Found { servers, trouble: Some(trouble) } if servers.is_empty() => Err(trouble),
            found => Ok(found),
        }
    }

    /// The relays whose names can be resolved; the others are left out.
    async fn relays(&self, tls: TlsRequirement) -> Found {
        let mut found = Found::default();
        for relay in &self.core.config.relays {
            found.add(self.relay(relay, tls).await);
        }
        found
    }

    async fn relay(&self, relay: &Relay, tls: TlsRequirement) -> Result<Server, Failure> {
        let addresses = match relay.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver()?.relay_addresses(&relay.host).await?,
        };
        let mut target = Target::relay(relay, &addresses);
        if tls == TlsRequirement::Required && target.security == Security::Opportunistic {
            target.security = Security::Verified;
        }
        Ok(Server::new(&format!("{}:{}", relay.host, relay.port), target))
    }

    async fn exchangers(&self, domain: &str, tls: TlsRequirement) -> Result<Found, Failure> {
        // Mail for this server's own lists may come back from a relay.
        let local_identity = if self.is_ours(domain)? { None } else { Some(&self.local_identity) };
        let hosts = self.resolver()?.mx_hosts(domain, local_identity).await?;
        let rules = match tls {
            TlsRequirement::Waived => None,
            TlsRequirement::Usual | TlsRequirement::Required => self.rules(domain).await?,
        };
        let mut found = Found::default();
        for host in &hosts {
            found.add(approach(host, domain, rules.as_ref(), tls));
        }
        Ok(found)
    }

    /// Whether this server itself receives the mail of a domain.
    fn is_ours(&self, domain: &str) -> Result<bool, Failure> {
        let known = Domain::parse(domain)
            .map_or(Ok(None), |domain| self.core.store.read().and_then(|tx| domains::find(&tx, &domain)));
        let known = known.map_err(|error| Failure::of_store(&error))?;
        Ok(known.is_some() || domain == self.local_identity.hostname)
    }

    /// The MTA-STS rules of a domain.
    async fn rules(&self, domain: &str) -> Result<Option<StsRules>, Failure> {
        let Some(policies) = &self.policies else { return Ok(None) };
        let Ok(domain) = idna::domain_to_ascii(domain) else { return Ok(None) };
        policies.of(&domain).await.map_err(|error| {
            if !error.is_outage() {
                tracing::error!(error = %error, "The stored MTA-STS policies cannot be read");
            }
            Failure::of_store(&error)
        })
    }

    fn resolver(&self) -> Result<&Resolver, Failure> {
        self.resolver.as_ref().map_err(|error| Failure::Ours(error.to_string()))
    }
}

/// How a host of a domain may be reached, if at all.
fn approach(
    host: &MxHost,
    domain: &str,
    rules: Option<&StsRules>,
    tls: TlsRequirement,
) -> Result<Server, Failure> {
    let (security, demand) = match &host.dane {
        _ if tls == TlsRequirement::Waived => (Security::Opportunistic, String::new()),
        Dane::Broken => {
            let text =
                format!("{}: its DNS records are signed and do not fit the signature (DNSSEC)", host.name);
            return Err(Failure::Unreachable(text));
        }
        Dane::Records(records) => {
            let (records, domain) = (records.clone(), domain.to_owned());
            let demand = ", and its DNS records say which certificate it has (DANE)".to_owned();
            (Security::Dane { records, domain }, demand)
        }
        // The records are unusable for mail: encrypt, without authentication (RFC 7672 2.2), unless more is demanded.
        Dane::Unusable
            if tls == TlsRequirement::Usual && rules.is_none_or(|rules| rules.mode != StsMode::Enforce) =>
        {
            (Security::Encrypted, ", and its DNS records ask for TLS (DANE)".to_owned())
        }
        Dane::Absent | Dane::Unusable => under_policy(host, domain, rules, tls)?,
    };
    Ok(Server { demand, ..Server::new(&host.name, Target { security, ..Target::mx(host) }) })
}

/// How a host without DANE records may be reached under the MTA-STS policy of its domain, if there is one.
fn under_policy(
    host: &MxHost,
    domain: &str,
    rules: Option<&StsRules>,
    tls: TlsRequirement,
) -> Result<(Security, String), Failure> {
    let is_named = rules.is_some_and(|rules| rules.allows(&host.name));
    let mode = rules.map_or(StsMode::None, |rules| rules.mode);
    Ok(match (mode, is_named) {
        (StsMode::Enforce, false) => {
            let text =
                format!("{} is not among the servers that the MTA-STS policy of {domain} names", host.name);
            tracing::warn!("{text}");
            return Err(Failure::Unreachable(text));
        }
        // REQUIRETLS also demands proof that the host name is the domain's own (RFC 8689 4.2.1).
        (_, false) if tls == TlsRequirement::Required && !host.is_proven => {
            let text = format!("5.7.10 nothing proves that {} serves {domain}", host.name);
            return Err(Failure::Permanent(text));
        }
        _ if tls == TlsRequirement::Required => (Security::Verified, REQUIRED.to_owned()),
        (StsMode::Enforce, true) => {
            let demand = format!(", and the MTA-STS policy of {domain} asks for TLS that can be verified");
            (Security::Verified, demand)
        }
        (StsMode::Testing, true) => (Security::Tested, String::new()),
        (StsMode::Testing, false) => {
            tracing::warn!(
                "{} would get no mail if the MTA-STS policy of {domain}, which does not name it, were enforced",
                host.name
            );
            (Security::Opportunistic, String::new())
        }
        (StsMode::None, _) => (Security::Opportunistic, String::new()),
    })
}
