//! Compares the records that a domain needs with those in the DNS, and says in words which are missing or wrong.
//!
//! The page of an account's domains, `crier dns` and `crier dkim rotate` show it. Queries go through the resolver of the
//! running server; without a server, the state of every record is unknown.

use std::net::IpAddr;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::mail::sign::public_key_of;
use crate::model::DmarcPolicy;
use crate::net::dns_checker::{DnsChecker, RecordKind};
use crate::ops::domains::records::{DnsRecord, Purpose, ServerNames};

/// Most characters of a found value that are shown.
const FOUND_CHARS_MAX: usize = 64;

/// The state of a record in the DNS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is published as it must be.
    Right,
    /// It is not published.
    Missing,
    /// Another value is published, which is given.
    Wrong(String),
    /// The DNS was not queried or did not answer, or this server cannot judge the given value.
    Unknown(Option<String>),
}

impl State {
    /// The state in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            State::Right => "right",
            State::Missing => "missing",
            State::Wrong(_) => "wrong",
            State::Unknown(_) => "unknown",
        }
    }

    /// Returns the value that the DNS has instead.
    #[must_use]
    pub fn found(self) -> Option<String> {
        match self {
            State::Right | State::Missing => None,
            State::Wrong(found) => Some(found),
            State::Unknown(found) => found,
        }
    }
}

/// Queries the DNS about the records of one domain.
#[derive(Debug)]
struct Inspector {
    desk: Arc<dyn DnsChecker>,
    server: ServerNames,
    /// This server's addresses: those that the operator named, else those of its host name.
    own: Vec<IpAddr>,
}

/// Returns the states of `records` in their order; the queries run concurrently.
pub async fn states(desk: Arc<dyn DnsChecker>, server: ServerNames, records: &[DnsRecord]) -> Vec<State> {
    let mut inspector = Inspector { desk, server, own: Vec::new() };
    inspector.own = inspector.own_addresses().await;
    let inspector = Arc::new(inspector);
    let mut looks = JoinSet::new();
    for (place, record) in records.iter().cloned().enumerate() {
        let inspector = Arc::clone(&inspector);
        looks.spawn(async move { (place, inspector.state(&record).await) });
    }
    let mut states = looks.join_all().await;
    states.sort_by_key(|(place, _)| *place);
    states.into_iter().map(|(_, state)| state).collect()
}

impl Inspector {
    async fn own_addresses(&self) -> Vec<IpAddr> {
        match &self.server.hostname {
            Some(hostname) if self.server.public_ips.is_empty() => {
                self.addresses(hostname).await.unwrap_or_default()
            }
            Some(_) | None => self.server.public_ips.clone(),
        }
    }

    /// Looks up all addresses of a name.
    async fn addresses(&self, name: &str) -> Option<Vec<IpAddr>> {
        let name = name.to_ascii_lowercase();
        let (v4, v6) =
            tokio::join!(self.desk.find(RecordKind::A, &name), self.desk.find(RecordKind::Aaaa, &name));
        Some([v4?, v6?].concat().iter().filter_map(|text| text.parse().ok()).collect())
    }

    async fn state(&self, record: &DnsRecord) -> State {
        let found = match record.purpose {
            Purpose::Mail => self.mail(record).await,
            Purpose::HostAddress | Purpose::WebAddress => self.address(record).await,
            Purpose::Sending => self.sending(record).await,
            Purpose::Signature | Purpose::NextSignature => self.signature(record).await,
            Purpose::Policy => self.policy(record).await,
            Purpose::Reverse => self.reverse(record).await,
            Purpose::Proof => self.proof(record).await,
        };
        found.unwrap_or(State::Unknown(None))
    }

    /// Checks an MX record, which must name this server, or another name of its address.
    async fn mail(&self, record: &DnsRecord) -> Option<State> {
        let found = self.desk.find(RecordKind::Mx, &record.name).await?;
        let hosts: Vec<&str> = found.iter().filter_map(|mx| mx.rsplit(' ').next()).collect();
        let hostname = self.server.hostname.as_deref().unwrap_or_default();
        if hosts.iter().any(|host| host.eq_ignore_ascii_case(hostname)) {
            return Some(State::Right);
        }
        for host in hosts {
            if self.addresses(host).await?.iter().any(|address| self.own.contains(address)) {
                return Some(State::Right);
            }
        }
        Some(otherwise(&found))
    }

    async fn address(&self, record: &DnsRecord) -> Option<State> {
        if !record.value.is_empty() {
            let kind = if record.kind == "A" { RecordKind::A } else { RecordKind::Aaaa };
            let found = self.desk.find(kind, &record.name).await?;
            return Some(if found.contains(&record.value) { State::Right } else { otherwise(&found) });
        }
        let found = self.addresses(&record.name).await?;
        if record.purpose == Purpose::WebAddress && found.iter().any(|address| self.own.contains(address)) {
            return Some(State::Right);
        }
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        Some(match otherwise(&texts) {
            // This server was not told its own address.
            State::Wrong(found) if record.purpose == Purpose::HostAddress || self.own.is_empty() => {
                State::Unknown(Some(found))
            }
            state => state,
        })
    }

    /// Checks the SPF policy, which must pass for this server's addresses, or for those of its relays.
    async fn sending(&self, record: &DnsRecord) -> Option<State> {
        let mut found = self.desk.find(RecordKind::Txt, &record.name).await?;
        found.retain(|text| is_tagged(text, "v=spf1"));
        if found.len() != 1 {
            // Receivers reject all of several policies (RFC 7208 4.5).
            return Some(otherwise(&found));
        }
        let mut senders = Vec::new();
        for relay in &self.server.relays {
            match relay.parse() {
                Ok(address) => senders.push(address),
                Err(_) => senders.extend(self.addresses(relay).await?),
            }
        }
        let has_relays = !self.server.relays.is_empty();
        let senders = if has_relays { &senders } else { &self.own };
        match self.desk.passes_spf(&record.name, senders).await {
            Some(true) => Some(State::Right),
            // A relay may send from other addresses than those at which it accepts mail.
            Some(false) if !has_relays && !senders.is_empty() => Some(otherwise(&found)),
            Some(false) | None => Some(State::Unknown(Some(joined(&found)))),
        }
    }

    async fn signature(&self, record: &DnsRecord) -> Option<State> {
        let found = self.desk.find(RecordKind::Txt, &record.name).await?;
        let ours = public_key_of(record.value.as_bytes());
        let is_right = matches!(found.as_slice(), [only] if public_key_of(only.as_bytes()) == ours);
        Some(if is_right { State::Right } else { otherwise(&found) })
    }

    async fn policy(&self, record: &DnsRecord) -> Option<State> {
        let mut found = self.desk.find(RecordKind::Txt, &record.name).await?;
        found.retain(|text| is_tagged(text, "v=DMARC1"));
        match found.len() {
            0 => {
                let domain = record.name.trim_start_matches("_dmarc.");
                Some(match self.desk.policy(domain).await {
                    DmarcPolicy::Unknown | DmarcPolicy::Absent => State::Missing,
                    // The parent domain has a policy, which applies to this domain.
                    DmarcPolicy::None | DmarcPolicy::Quarantine | DmarcPolicy::Reject => State::Right,
                })
            }
            1 => Some(State::Right),
            _ => Some(otherwise(&found)),
        }
    }

    async fn reverse(&self, record: &DnsRecord) -> Option<State> {
        let found = self.desk.find(RecordKind::Ptr, &record.name).await?;
        let right = record.value.trim_end_matches('.');
        let is_right = found.iter().any(|name| name.eq_ignore_ascii_case(right));
        Some(if is_right { State::Right } else { otherwise(&found) })
    }

    async fn proof(&self, record: &DnsRecord) -> Option<State> {
        let found = self.desk.find(RecordKind::Txt, &record.name).await?;
        let is_right = found.iter().any(|text| text.trim() == record.value);
        Some(if is_right { State::Right } else { otherwise(&found) })
    }
}

fn otherwise(found: &[String]) -> State {
    if found.is_empty() { State::Missing } else { State::Wrong(joined(found)) }
}

/// Joins found values on one line of limited length, since they come from a stranger's DNS.
fn joined(found: &[String]) -> String {
    let text: String = found.join(" and ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() <= FOUND_CHARS_MAX {
        return text;
    }
    let start: String = text.chars().take(FOUND_CHARS_MAX).collect();
    format!("{start}…")
}

/// Whether a text begins with exactly this version tag.
fn is_tagged(text: &str, tag: &str) -> bool {
    let start = text.trim_start().get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    start && !text.trim_start()[tag.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_tag_stands_alone() {
        assert!(is_tagged("v=spf1 -all", "v=spf1") && is_tagged("V=SPF1", "v=spf1"));
        assert!(!is_tagged("v=spf10 -all", "v=spf1") && !is_tagged("x v=spf1", "v=spf1"));
        assert!(is_tagged("v=DMARC1;p=none", "v=DMARC1"));
    }

    #[test]
    fn what_others_publish_is_shown_on_one_short_line() {
        assert_eq!(joined(&["a\nb".to_owned(), "c".to_owned()]), "a b and c");
        assert_eq!(joined(&["x".repeat(500)]).chars().count(), FOUND_CHARS_MAX + 1);
        assert_eq!(otherwise(&[]), State::Missing);
    }
}
