//! Answers all DNS queries of the rest of the server in one place: see [`DnsChecker`].
//!
//! Write jobs never call it, as it awaits the network.

use std::net::IpAddr;

use super::dns_checker::{DnsChecker, DnsStatuses, Lookup, RecordKind};
use super::domain_status::DomainStatus;
use super::verify::Verifier;
use crate::clock::Clock;
use crate::config::Config;
use crate::model::{AccountDomain, Authentication, DkimKeys, DmarcPolicy, Domain};

/// Queries the server's resolver.
#[derive(Debug)]
pub struct Desk {
    status: DomainStatus,
    /// The verifier of senders; `None` if they are not verified.
    verifier: Option<Verifier>,
}

impl Desk {
    /// Queries as `config` sets it; DMARC policies come from `verifier`.
    #[must_use]
    pub fn new(config: &Config, clock: Clock, verifier: Option<Verifier>) -> Desk {
        Desk { status: DomainStatus::new(config, clock), verifier }
    }
}

impl DnsChecker for Desk {
    fn statuses<'a>(&'a self, domains: &'a [AccountDomain]) -> Lookup<'a, DnsStatuses> {
        Box::pin(self.status.statuses(domains))
    }

    fn publishes<'a>(&'a self, domain: &'a Domain, keys: &'a DkimKeys) -> Lookup<'a, bool> {
        Box::pin(self.status.publishes(domain, keys))
    }

    fn policy<'a>(&'a self, domain: &'a str) -> Lookup<'a, DmarcPolicy> {
        Box::pin(async move {
            match &self.verifier {
                Some(verifier) => verifier.policy(domain).await,
                None => DmarcPolicy::Unknown,
            }
        })
    }

    fn find<'a>(&'a self, kind: RecordKind, name: &'a str) -> Lookup<'a, Option<Vec<String>>> {
        Box::pin(self.status.find(kind, name))
    }

    fn forget(&self, kind: RecordKind, name: &str) {
        self.status.forget(kind, name);
    }

    fn passes_spf<'a>(&'a self, domain: &'a str, senders: &'a [IpAddr]) -> Lookup<'a, Option<bool>> {
        Box::pin(self.status.passes_spf(domain, senders))
    }

    fn has_answered(&self) -> bool {
        self.verifier.as_ref().is_some_and(Verifier::has_answered)
    }

    fn authenticate<'a>(&'a self, raw: &'a [u8]) -> Lookup<'a, Authentication> {
        Box::pin(async move {
            match &self.verifier {
                Some(verifier) => verifier.verify_offline(raw).await,
                None => Authentication::unchecked(),
            }
        })
    }
}
