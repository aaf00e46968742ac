//! The interface for DNS lookups that the service depends on.
//!
//! Whoever asks does not know the network: [`desk`](super::desk) asks the DNS, and `app` connects the two. No
//! lookup ever happens inside a write job or while a snapshot is held.

use std::collections::HashMap;
use std::fmt::Debug;
use std::net::IpAddr;
use std::pin::Pin;

use crate::model::{AccountDomain, Authentication, DkimKeys, DmarcPolicy, Domain};

/// The settings of a domain that are right in the DNS (`dns_status`, `spec/api.md` 7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DnsStatus {
    /// An MX of the domain names this server.
    pub mx: bool,
    /// Its name resolves to this server.
    pub a: bool,
    /// Its SPF policy passes for this server's addresses.
    pub spf: bool,
    /// The selector has the key that signs the domain's mail.
    pub dkim: bool,
}

/// A kind of DNS record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// An IPv4 address.
    A,
    /// An IPv6 address.
    Aaaa,
    /// A mail server: `10 mx.example.org`.
    Mx,
    /// A text: the joined strings of a TXT record.
    Txt,
    /// The name of an address; the address is given as text.
    Ptr,
}

/// The status of every domain that was asked about.
pub type DnsStatuses = HashMap<Domain, DnsStatus>;

/// A look-up under way.
pub type Lookup<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A checker that asks nobody, for commands without a running server: every answer is unknown.
#[derive(Debug, Clone, Copy)]
pub struct OfflineDns;

impl DnsChecker for OfflineDns {
    fn statuses<'a>(&'a self, _: &'a [AccountDomain]) -> Lookup<'a, DnsStatuses> {
        Box::pin(std::future::ready(DnsStatuses::new()))
    }

    fn publishes<'a>(&'a self, _: &'a Domain, _: &'a DkimKeys) -> Lookup<'a, bool> {
        Box::pin(std::future::ready(false))
    }

    fn policy<'a>(&'a self, _: &'a str) -> Lookup<'a, DmarcPolicy> {
        Box::pin(std::future::ready(DmarcPolicy::Unknown))
    }

    fn find<'a>(&'a self, _: RecordKind, _: &'a str) -> Lookup<'a, Option<Vec<String>>> {
        Box::pin(std::future::ready(None))
    }

    fn forget(&self, _: RecordKind, _: &str) {}

    fn passes_spf<'a>(&'a self, _: &'a str, _: &'a [IpAddr]) -> Lookup<'a, Option<bool>> {
        Box::pin(std::future::ready(None))
    }

    fn has_answered(&self) -> bool {
        false
    }

    fn authenticate<'a>(&'a self, _: &'a [u8]) -> Lookup<'a, Authentication> {
        Box::pin(std::future::ready(Authentication::unchecked()))
    }
}

/// Asks the DNS.
pub trait DnsChecker: Debug + Send + Sync {
    /// The status of these domains. Settings that could not be looked up in time count as wrong.
    fn statuses<'a>(&'a self, domains: &'a [AccountDomain]) -> Lookup<'a, DnsStatuses>;

    /// Whether every record of these keys is published for a domain, without a cache; `false` if that is unknown.
    fn publishes<'a>(&'a self, domain: &'a Domain, keys: &'a DkimKeys) -> Lookup<'a, bool>;

    /// The DMARC policy of a domain, or of the one above it.
    fn policy<'a>(&'a self, domain: &'a str) -> Lookup<'a, DmarcPolicy>;

    /// The records of a name, at most a minute old. Names are in lower case and without a final dot. `None` if the DNS
    /// did not answer in time, an empty list if there are no records.
    fn find<'a>(&'a self, kind: RecordKind, name: &'a str) -> Lookup<'a, Option<Vec<String>>>;

    /// Forgets what is kept of these records, so that they are looked up anew.
    fn forget(&self, kind: RecordKind, name: &str);

    /// Whether a domain's SPF policy passes for every one of these senders; `None` if the DNS did not answer in time.
    fn passes_spf<'a>(&'a self, domain: &'a str, senders: &'a [IpAddr]) -> Lookup<'a, Option<bool>>;

    /// Whether the DNS has answered anything since the start, to tell a machine without a DNS from one whose DNS fails.
    fn has_answered(&self) -> bool;

    /// The proof that a message's signatures give. The message came from no client, so there is no SPF.
    fn authenticate<'a>(&'a self, raw: &'a [u8]) -> Lookup<'a, Authentication>;
}
