//! What the DNS says of our domains, as far as the rest of the server has to know it.
//!
//! Operations await nothing, so they only name what can be asked; `smtp` asks, and `app` brings the two together.
//! Nobody asks inside a write job or while a snapshot is held.

use std::collections::HashMap;
use std::fmt::Debug;
use std::net::IpAddr;
use std::pin::Pin;

use crate::model::{AccountDomain, Authentication, DkimKeys, DmarcPolicy, Domain};

/// Which settings of a domain are right in the DNS (`dns_status`, `spec/api.md` 7).
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
    /// A text, joined of its strings.
    Txt,
    /// The name of an address, which is asked for as text.
    Ptr,
}

/// The standing of every domain that was asked for.
pub type DnsStatuses = HashMap<Domain, DnsStatus>;

/// A look-up under way.
pub type Lookup<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Asks nobody, for a server that does not run: nothing is known of any domain.
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
    /// How these domains stand. What could not be found out in time counts as not right.
    fn statuses<'a>(&'a self, domains: &'a [AccountDomain]) -> Lookup<'a, DnsStatuses>;

    /// Whether every record of these keys is published for a domain, asked anew; false where nothing is known.
    fn publishes<'a>(&'a self, domain: &'a Domain, keys: &'a DkimKeys) -> Lookup<'a, bool>;

    /// What a domain, or the one above it, asks receivers to do with mail that fails DMARC.
    fn policy<'a>(&'a self, domain: &'a str) -> Lookup<'a, DmarcPolicy>;

    /// The records of a name, at most a minute old; names are in lower case and without a final dot. `None` if the DNS did
    /// not answer in time, an empty list if it has none.
    fn find<'a>(&'a self, kind: RecordKind, name: &'a str) -> Lookup<'a, Option<Vec<String>>>;

    /// Whether a domain's SPF policy passes for every one of these senders; `None` if the DNS did not answer in time.
    fn passes_spf<'a>(&'a self, domain: &'a str, senders: &'a [IpAddr]) -> Lookup<'a, Option<bool>>;

    /// Whether it has ever answered anything since the start: a machine without any DNS is another matter than one whose
    /// DNS fails.
    fn has_answered(&self) -> bool;

    /// What the signatures of a message prove by themselves: nobody brings it, so there is no SPF.
    fn authenticate<'a>(&'a self, raw: &'a [u8]) -> Lookup<'a, Authentication>;
}
