//! The networks under which clients are counted.

use std::net::{IpAddr, Ipv6Addr};

/// The network that a client counts under: its address, of IPv6 the /64, which is what one host is given. An IPv4
/// address in the form of IPv6 is the IPv4 address.
#[must_use]
pub fn host_network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (!0 << 64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(client: &str, expected: &str) {
        assert_eq!(host_network(client.parse().unwrap()), expected.parse::<IpAddr>().unwrap());
    }

    #[test]
    fn a_host_of_ipv6_is_its_64_and_one_of_ipv4_its_address() {
        check("2001:db8:1:2:ffff::9", "2001:db8:1:2::");
        check("192.0.2.1", "192.0.2.1");
        check("::ffff:192.0.2.1", "192.0.2.1");
    }
}
