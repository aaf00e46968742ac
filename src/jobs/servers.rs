//! The servers of a destination: which, in what order, and how safely they are to be reached.
//!
//! A relay is the operator's own choice. The servers of a domain are what the DNS says, held against what the domain
//! asks of those who send to it.

use std::net::IpAddr;
use std::sync::Arc;

use super::failure::Failure;
use super::sts::Policies;
use crate::config::{Relay, Routing};
use crate::mail;
use crate::model::sts::{StsMode, StsRules};
use crate::model::{Destination, Domain};
use crate::ops::{Core, domains};
use crate::smtp::client::{ConnectError, Security, Target};
use crate::smtp::dane::Dane;
use crate::smtp::dns::{DnsOptions, LocalIdentity, MxError, MxHost, Resolver};
use crate::smtp::outgoing::Peer;
use crate::smtp::sts::PolicyClient;

/// What a message asks of TLS on its way (RFC 8689).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TlsRequirement {
    /// Nothing: what the recipients' domain asks is done.
    Usual,
    /// To servers that are proven and promise the same, or not at all.
    Required,
    /// To get there, whatever the recipients' domain asks.
    Waived,
}

impl TlsRequirement {
    /// The wish of a message; one that came under REQUIRETLS cannot take that back by its header (RFC 8689 4.1).
    pub(super) fn of(requires_tls: bool, message: &[u8]) -> TlsRequirement {
        match (requires_tls, mail::waives_tls(message)) {
            (true, _) => TlsRequirement::Required,
            (false, true) => TlsRequirement::Waived,
            (false, false) => TlsRequirement::Usual,
        }
    }
}

/// A server that a batch may go to.
pub(super) struct Server {
    /// What it is called in the trace.
    pub(super) name: Arc<str>,
    /// How to connect to it.
    pub(super) target: Target,
    /// Under which its connections are pooled: one that was made without proof never serves where proof is asked
    /// for.
    pub(super) pooled_as: Arc<str>,
    /// What is added where no connection comes about: who asked for it to be so.
    pub(super) demand: String,
}

impl Server {
    fn new(name: &str, target: Target) -> Server {
        let pooled_as = format!("{name} {:?}", target.security);
        Server { name: name.into(), target, pooled_as: pooled_as.into(), demand: String::new() }
    }

    /// Why there is no connection to it.
    pub(super) fn failure(&self, error: &ConnectError, wish: TlsRequirement) -> Failure {
        let Server { name, demand, .. } = self;
        match (wish, error) {
            (TlsRequirement::Required, ConnectError::Tls(_) | ConnectError::TlsNotOffered) => {
                Failure::Permanent(format!("5.7.10 {name}: {error}{REQUIRED}"))
            }
            // Who let a certificate expire renews it, as soon as it is noticed. Other mail may go there meanwhile.
            (TlsRequirement::Required, ConnectError::Expired(_)) => {
                Failure::Ours(format!("{name}: {error}{demand}"))
            }
            _ => Failure::Unreachable(format!("{name}: {error}{demand}")),
        }
    }

    /// Why it cannot have a message that came under REQUIRETLS, if so.
    pub(super) fn refusal(&self, peer: Peer, wish: TlsRequirement) -> Option<Failure> {
        let lacks = wish == TlsRequirement::Required && !peer.requiretls;
        lacks.then(|| {
            Failure::Permanent(format!(
                "5.7.30 {}: the server does not offer REQUIRETLS{REQUIRED}",
                self.name
            ))
        })
    }
}

/// What is said of a server that cannot be reached as a message asks.
const REQUIRED: &str = ", and the message is for proven servers alone (REQUIRETLS)";

/// The servers of a destination.
#[derive(Default)]
pub(super) struct Found {
    /// In the order in which they are tried.
    pub(super) servers: Vec<Server>,
    /// Why others are not among them.
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
    /// Or why there is none, which only matters where a name has to be resolved.
    resolver: Result<Resolver, MxError>,
    /// None without a resolver.
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

    /// The servers of a destination for a message with this wish.
    pub(super) async fn of(&self, destination: &Destination, wish: TlsRequirement) -> Result<Found, Failure> {
        let found = match (self.core.config.routing(), destination) {
            // What was queued for a domain before there were relays goes to them too.
            (Routing::Relay, _) | (Routing::Mx, Destination::Relay) => self.relays(wish).await,
            (Routing::Mx, Destination::Domain(domain)) => self.exchangers(domain, wish).await?,
        };
        match found {
            Found { servers, trouble: Some(trouble) } if servers.is_empty() => Err(trouble),
            found => Ok(found),
        }
    }

    /// The relays whose names can be resolved; one that cannot leaves the work to the others.
    async fn relays(&self, wish: TlsRequirement) -> Found {
        let mut found = Found::default();
        for relay in &self.core.config.relays {
            found.add(self.relay(relay, wish).await);
        }
        found
    }

    async fn relay(&self, relay: &Relay, wish: TlsRequirement) -> Result<Server, Failure> {
        let addresses = match relay.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver()?.relay_addresses(&relay.host).await?,
        };
        let mut target = Target::relay(relay, &addresses);
        if wish == TlsRequirement::Required && target.security == Security::Opportunistic {
            target.security = Security::Verified;
        }
        Ok(Server::new(&format!("{}:{}", relay.host, relay.port), target))
    }

    async fn exchangers(&self, domain: &str, wish: TlsRequirement) -> Result<Found, Failure> {
        // What is for our own lists comes back rightly.
        let local_identity = if self.is_ours(domain)? { None } else { Some(&self.local_identity) };
        let hosts = self.resolver()?.mx_hosts(domain, local_identity).await?;
        let rules = match wish {
            TlsRequirement::Waived => None,
            TlsRequirement::Usual | TlsRequirement::Required => self.rules(domain).await?,
        };
        let mut found = Found::default();
        for host in &hosts {
            found.add(approach(host, domain, rules.as_ref(), wish));
        }
        Ok(found)
    }

    /// Whether this server takes mail for a domain.
    fn is_ours(&self, domain: &str) -> Result<bool, Failure> {
        let known = Domain::parse(domain)
            .map_or(Ok(None), |domain| self.core.store.read().and_then(|tx| domains::find(&tx, &domain)));
        let known = known.map_err(|error| Failure::of_store(&error))?;
        Ok(known.is_some() || domain == self.local_identity.hostname)
    }

    /// What a domain asks of those who send to it.
    async fn rules(&self, domain: &str) -> Result<Option<StsRules>, Failure> {
        let Some(policies) = &self.policies else { return Ok(None) };
        let Ok(domain) = idna::domain_to_ascii(domain) else { return Ok(None) };
        policies.of(&domain).await.map_err(|error| {
            if !error.is_outage() {
                tracing::error!(error = %error, "The policies of other domains cannot be read");
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
    wish: TlsRequirement,
) -> Result<Server, Failure> {
    let (security, demand) = match &host.dane {
        _ if wish == TlsRequirement::Waived => (Security::Opportunistic, String::new()),
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
        // No record is one that mail can use: encrypted, with whomever (RFC 7672 2.2), where nothing asks for more.
        Dane::Unusable
            if wish == TlsRequirement::Usual && rules.is_none_or(|rules| rules.mode != StsMode::Enforce) =>
        {
            (Security::Encrypted, ", and its DNS records ask for TLS (DANE)".to_owned())
        }
        Dane::Absent | Dane::Unusable => under_policy(host, domain, rules, wish)?,
    };
    Ok(Server { demand, ..Server::new(&host.name, Target { security, ..host.target() }) })
}

/// What the policy of a domain, if it has one, makes of a host that DANE says nothing of.
fn under_policy(
    host: &MxHost,
    domain: &str,
    rules: Option<&StsRules>,
    wish: TlsRequirement,
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
        // That a name is the domain's own has to be proven too (RFC 8689 4.2.1).
        (_, false) if wish == TlsRequirement::Required && !host.is_proven => {
            let text = format!("5.7.10 nothing proves that {} serves {domain}", host.name);
            return Err(Failure::Permanent(text));
        }
        _ if wish == TlsRequirement::Required => (Security::Verified, REQUIRED.to_owned()),
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
