//! Decides which addresses belong to the public internet.
//!
//! Mail servers and policy servers of other domains are named by strangers, so this server connects only to addresses
//! that [`is_public`] accepts: a name must not lead into the networks that this machine can reach and strangers cannot.
//! Addresses for documentation count as public; no route leads to them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns whether an address is one that the public internet routes to a host.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // This network (RFC 791), a provider's own network (RFC 6598), protocol assignments (RFC 6890), benchmarks within a
    // network (RFC 2544), and the reserved range with the broadcast address (RFC 1112).
    let is_special = matches!(
        address.octets(),
        [0 | 240.., ..] | [100, 64..128, ..] | [192, 0, 0, _] | [198, 18 | 19, ..]
    );
    !(is_special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // NAT64 (RFC 6052), by which a network without IPv4 reaches every IPv4 host, and 6to4 (RFC 3056).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => is_public_v4(embedded(high, low)),
        // The deprecated IPv4-compatible addresses (RFC 4291 2.5.5.1), among them `::` and `::1`; NAT64 of one network,
        // which alone knows where it embeds the IPv4 address (RFC 8215); the discard prefix (RFC 6666); Teredo, for
        // hosts behind an address translation, which are no servers (RFC 4380).
        [0, 0, 0, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] | [0x100, 0, 0, 0, ..] | [0x2001, 0, ..] => false,
        // Unique local (RFC 4193), link-local (RFC 4291) and site-local addresses (RFC 3879), and multicast.
        [first, ..] => !matches!(first, 0xfc00..=0xfdff | 0xfe80..=0xfeff | 0xff00..),
    }
}

/// The IPv4 address embedded in two segments of an IPv6 address.
fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(addresses: &[&str], expected: bool) {
        for address in addresses {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn mail_goes_to_public_addresses() {
        check(
            &["93.184.216.34", "100.63.0.1", "100.128.0.1", "172.32.0.1", "198.17.0.1", "198.20.0.1"],
            true,
        );
        check(&["192.0.1.1", "223.255.255.1", "2606:2800:220:1::1", "2001:db8::1"], true);
    }

    #[test]
    fn mail_does_not_go_into_private_networks() {
        check(&["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.1.1", "100.64.0.1"], false);
        check(&["0.0.0.0", "0.1.2.3", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.0.8"], false);
        check(&["198.18.0.1", "198.19.255.255"], false);
        check(&["::1", "::", "fe80::1", "fec0::1", "feff::1", "fc00::1", "fd00::1", "ff02::1"], false);
        check(&["100::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"], false);
    }

    #[test]
    fn an_ipv4_address_within_an_ipv6_address_is_judged_as_ipv4() {
        check(
            &["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::10.0.0.1", "::93.184.216.34"],
            false,
        );
        check(
            &["64:ff9b::127.0.0.1", "64:ff9b::10.1.2.3", "64:ff9b::192.168.0.1", "64:ff9b::198.18.0.1"],
            false,
        );
        check(&["64:ff9b:1::10.0.0.1", "64:ff9b:1:abcd::1", "64:ff9b:1::93.184.216.34"], false);
        check(&["2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::5", "2002:6440::1", "2002:c612::1"], false);
        check(&["::ffff:93.184.216.34", "64:ff9b::93.184.216.34", "2002:5db8:d822::1"], true);
    }
}
