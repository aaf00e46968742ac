//! Limits connections and their rates: for all clients together and for each address.
//!
//! IPv6 addresses count by their /64, which is what one host is given. Loopback and the operator's front servers are
//! exempt from every limit by address (`spec/mail.md` 11). The listener calls it for each connection, recipient and
//! error.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::model::Cidr;
use crate::model::network::host_network;

/// New connections after which the counters of quiet addresses are deleted.
const SWEEP_EVERY: u64 = 1024;

/// The limits of the SMTP listener's clients.
#[derive(Debug, Clone)]
pub struct GateLimits {
    /// Connections at a time, over all addresses.
    pub connections_max: usize,
    /// Connections at a time from one address.
    pub connections_per_address_max: usize,
    /// New connections a minute from one address.
    pub connections_per_minute: NonZeroU32,
    /// Recipients a minute from one address.
    pub recipients_per_minute: NonZeroU32,
    /// Refused commands a minute from one address.
    pub errors_per_minute: NonZeroU32,
    /// Networks of front servers, which are not limited by address.
    pub exempt: Vec<Cidr>,
}

impl Default for GateLimits {
    fn default() -> GateLimits {
        let per_minute = |count| NonZeroU32::new(count).expect("the numbers below are not zero");
        GateLimits {
            connections_max: 1000,
            connections_per_address_max: 50,
            connections_per_minute: per_minute(300),
            recipients_per_minute: per_minute(3000),
            errors_per_minute: per_minute(60),
            exempt: Vec::new(),
        }
    }
}

/// Counts connections and rates.
#[derive(Debug)]
pub(super) struct Gate {
    limits: GateLimits,
    open: Mutex<Open>,
    admitted: AtomicU64,
    connections: DefaultKeyedRateLimiter<IpAddr>,
    recipients: DefaultKeyedRateLimiter<IpAddr>,
    errors: DefaultKeyedRateLimiter<IpAddr>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// One admitted connection; dropping it makes room for another.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    gate: Arc<Gate>,
    key: Option<IpAddr>,
}

impl Gate {
    pub(super) fn new(limits: GateLimits) -> Gate {
        let rate = |per_minute| RateLimiter::keyed(Quota::per_minute(per_minute));
        Gate {
            open: Mutex::default(),
            admitted: AtomicU64::new(0),
            connections: rate(limits.connections_per_minute),
            recipients: rate(limits.recipients_per_minute),
            errors: rate(limits.errors_per_minute),
            limits,
        }
    }

    /// Admits a client, unless there are too many.
    pub(super) fn admit(self: &Arc<Gate>, client: IpAddr) -> Option<ConnectionPermit> {
        if self.admitted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            for limiter in [&self.connections, &self.recipients, &self.errors] {
                limiter.retain_recent();
            }
        }
        let key = limited_key(client, &self.limits.exempt);
        if key.is_some_and(|key| self.connections.check_key(&key).is_err()) {
            return None;
        }
        let mut open = self.open.lock().expect("no holder of this lock panics");
        let from_address = key.and_then(|key| open.by_address.get(&key).copied()).unwrap_or(0);
        if open.total >= self.limits.connections_max
            || from_address >= self.limits.connections_per_address_max
        {
            return None;
        }
        open.total += 1;
        if let Some(key) = key {
            open.by_address.insert(key, from_address + 1);
        }
        Some(ConnectionPermit { gate: self.clone(), key })
    }
}

impl ConnectionPermit {
    /// The key under which the client is counted; `None` if it is exempt.
    pub(super) fn client_key(&self) -> Option<IpAddr> {
        self.key
    }

    /// Whether the client may name one more recipient now.
    pub(super) fn allows_recipient(&self) -> bool {
        self.key.is_none_or(|key| self.gate.recipients.check_key(&key).is_ok())
    }

    /// Whether the client may go on after one more refused command.
    pub(super) fn allows_error(&self) -> bool {
        self.key.is_none_or(|key| self.gate.errors.check_key(&key).is_ok())
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.gate.open.lock().expect("no holder of this lock panics");
        open.total -= 1;
        let Some(key) = self.key else { return };
        match open.by_address.get_mut(&key) {
            Some(count) if 1 < *count => *count -= 1,
            _ => {
                open.by_address.remove(&key);
            }
        }
    }
}

/// The key under which a client is counted; `None` if it is exempt.
fn limited_key(client: IpAddr, exempt: &[Cidr]) -> Option<IpAddr> {
    match client {
        client if client.is_loopback() || exempt.iter().any(|network| network.contains(client)) => None,
        client => Some(host_network(client)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(limits: GateLimits) -> Arc<Gate> {
        Arc::new(Gate::new(limits))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_are_limited_for_each_address_and_in_all() {
        let gate =
            gate(GateLimits { connections_max: 3, connections_per_address_max: 2, ..GateLimits::default() });
        let first = gate.admit(address("192.0.2.1"));
        let second = gate.admit(address("192.0.2.1"));
        assert!(first.is_some() && second.is_some());
        assert!(gate.admit(address("192.0.2.1")).is_none());
        let other = gate.admit(address("2001:db8::1"));
        assert!(other.is_some());
        assert!(gate.admit(address("2001:db8:0:1::1")).is_none());
        drop(first);
        assert!(gate.admit(address("192.0.2.1")).is_some());
    }

    #[test]
    fn the_hosts_of_one_ipv6_network_count_together_and_loopback_not_at_all() {
        let gate = gate(GateLimits { connections_per_address_max: 1, ..GateLimits::default() });
        let _first = gate.admit(address("2001:db8::1")).unwrap();
        assert!(gate.admit(address("2001:db8::ffff:2")).is_none());
        let local: Vec<_> = (0..400).map(|_| gate.admit(address("::1"))).collect();
        assert!(local.iter().all(Option::is_some));
    }

    #[test]
    fn front_servers_are_not_limited() {
        let exempt = vec![Cidr::parse("192.0.2.0/28").unwrap()];
        let gate = gate(GateLimits { connections_per_address_max: 1, exempt, ..GateLimits::default() });
        let relay: Vec<_> = (0..9).map(|_| gate.admit(address("192.0.2.7"))).collect();
        assert!(relay.iter().all(Option::is_some));
        let _first = gate.admit(address("192.0.2.16")).unwrap();
        assert!(gate.admit(address("192.0.2.16")).is_none());
    }

    #[test]
    fn rates_are_limited_for_each_address() {
        let two = NonZeroU32::new(2).unwrap();
        let gate =
            gate(GateLimits { recipients_per_minute: two, errors_per_minute: two, ..GateLimits::default() });
        let permit = gate.admit(address("192.0.2.1")).unwrap();
        assert_eq!([(); 3].map(|()| permit.allows_recipient()), [true, true, false]);
        assert_eq!([(); 3].map(|()| permit.allows_error()), [true, true, false]);
        assert!(gate.admit(address("192.0.2.2")).unwrap().allows_recipient());
    }
}
