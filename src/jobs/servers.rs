//! The servers of a destination: which, in what order, and how safely they are to be reached.
//!
//! A relay is the operator's own choice. The servers of a domain are what the DNS says, held against what the domain
//! asks of those who send to it.

use std::net::IpAddr;
use std::sync::Arc;

use super::deliver::Failure;
use super::sts::Policies;
use crate::config::{Relay, Routing};
use crate::model::Destination;
use crate::model::sts::{StsMode, StsRules};
use crate::ops::Core;
use crate::smtp::client::{Security, Target};
use crate::smtp::dns::{DnsOptions, MxError, MxHost, Resolver};
use crate::smtp::sts::PolicyClient;

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
}

/// Finds servers.
pub(super) struct Servers {
    core: Core,
    /// Or why there is none, which only matters where a name has to be resolved.
    resolver: Result<Resolver, MxError>,
    /// None without a resolver.
    policies: Option<Policies>,
}

impl Servers {
    pub(super) fn new(core: Core) -> Servers {
        let resolver = Resolver::new(&DnsOptions::new(&core.config));
        let policies = resolver.as_ref().ok().map(|resolver| {
            Policies::new(core.clone(), PolicyClient::new(resolver.clone(), &core.config.trust))
        });
        Servers { core, resolver, policies }
    }

    /// The servers of a destination in the order in which they are tried.
    pub(super) async fn of(&self, destination: &Destination) -> Result<Vec<Server>, Failure> {
        match (self.core.config.routing(), destination) {
            // What was queued for a domain before there were relays goes to them too.
            (Routing::Relay, _) | (Routing::Mx, Destination::Relay) => self.relays().await,
            (Routing::Mx, Destination::Domain(domain)) => self.exchangers(domain).await,
        }
    }

    /// The relays whose names can be resolved; one that cannot leaves the work to the others.
    async fn relays(&self) -> Result<Vec<Server>, Failure> {
        let mut servers = Vec::with_capacity(self.core.config.relays.len());
        let mut trouble = None;
        for relay in &self.core.config.relays {
            match self.relay(relay).await {
                Ok(server) => servers.push(server),
                Err(failure) => trouble = Some(failure),
            }
        }
        match trouble {
            Some(failure) if servers.is_empty() => Err(failure),
            _ => Ok(servers),
        }
    }

    async fn relay(&self, relay: &Relay) -> Result<Server, Failure> {
        let addresses = match relay.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver()?.relay_addresses(&relay.host).await?,
        };
        Ok(Server::new(&format!("{}:{}", relay.host, relay.port), Target::relay(relay, &addresses)))
    }

    async fn exchangers(&self, domain: &str) -> Result<Vec<Server>, Failure> {
        let hosts = self.resolver()?.mx_hosts(domain).await?;
        let Some(rules) = self.rules(domain).await? else {
            return Ok(hosts.iter().map(|host| Server::new(&host.name, host.target())).collect());
        };
        let outside: Vec<&str> =
            hosts.iter().map(|host| host.name.as_str()).filter(|host| !rules.allows(host)).collect();
        if !outside.is_empty() {
            let outside = outside.join(", ");
            tracing::warn!("{outside} is not among the servers that the MTA-STS policy of {domain} names");
        }
        let servers: Vec<Server> =
            hosts.iter().filter_map(|host| under_policy(host, domain, &rules)).collect();
        if servers.is_empty() {
            return Err(Failure::Unreachable(format!(
                "the MTA-STS policy of {domain} names none of its mail servers: {}",
                outside.join(", ")
            )));
        }
        Ok(servers)
    }

    /// What a domain asks of those who send to it.
    async fn rules(&self, domain: &str) -> Result<Option<StsRules>, Failure> {
        let Some(policies) = &self.policies else { return Ok(None) };
        let Ok(domain) = idna::domain_to_ascii(domain) else { return Ok(None) };
        policies.of(&domain).await.map_err(|error| {
            tracing::error!(error = %error, "The policies of other domains cannot be read");
            Failure::Ours(error.to_string())
        })
    }

    fn resolver(&self) -> Result<&Resolver, Failure> {
        self.resolver.as_ref().map_err(|error| Failure::Ours(error.to_string()))
    }
}

/// A host as a policy wants it reached; none where mail must not go to it (RFC 8461 5).
fn under_policy(host: &MxHost, domain: &str, rules: &StsRules) -> Option<Server> {
    let security = match (rules.mode, rules.allows(&host.name)) {
        (StsMode::Enforce, true) => Security::Verified,
        (StsMode::Enforce, false) => return None,
        (StsMode::Testing, true) => Security::Tested,
        (StsMode::Testing, false) | (StsMode::None, _) => Security::Opportunistic,
    };
    let mut server = Server::new(&host.name, Target { security, ..host.target() });
    if rules.mode == StsMode::Enforce {
        server.demand = format!(", and the MTA-STS policy of {domain} asks for TLS that can be verified");
    }
    Some(server)
}
