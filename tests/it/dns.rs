//! Where mail goes, asked of a real DNS server.

use std::collections::BTreeSet;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

use crier::net::dns::{DnsOptions, LocalIdentity, MxError, Resolver};

use crate::harness::dns::start;

/// `name type data`, one record a line; the zone is `test.`.
const ZONE: &str = "
    two.test MX 20 b.mx.test
    two.test MX 10 a.mx.test
    a.mx.test A 192.0.2.1
    a.mx.test AAAA 2001:db8::1
    b.mx.test A 192.0.2.2
    bare.test A 192.0.2.3
    null.test MX 0 .
    empty.test CNAME nothing.test
    dangling.test MX 10 nowhere.test
    half.test MX 10 nowhere.test
    half.test MX 20 b.mx.test
    private.test MX 10 inside.test
    inside.test A 10.0.0.1
    tunnels.test MX 10 inner.test
    inner.test AAAA 64:ff9b::a00:1
    inner.test AAAA 64:ff9b:1::1
    inner.test AAAA 2002:7f00:1::1
    inner.test AAAA ::127.0.0.1
    inner.test AAAA fec0::1
    inner.test A 198.18.0.1
    inner.test A 240.0.0.1
    nat64.test AAAA 64:ff9b::93.184.216.34
    mixed.test MX 10 both.test
    both.test A 127.0.0.1
    both.test A 192.0.2.4
    alias.test CNAME two.test
    many.test MX 1 a.mx.test
    many.test MX 1 b.mx.test
    many.test MX 2 c1.test
    many.test MX 3 c2.test
    many.test MX 4 c3.test
    many.test MX 5 c4.test
    c1.test A 192.0.2.11
    c2.test A 192.0.2.12
    c3.test A 192.0.2.13
    c4.test A 192.0.2.14
    xn--exmple-cua.test A 192.0.2.5
    elsewhere.test MX 10 mx.unknown
";

fn resolver(server: SocketAddr, allow_private: bool) -> Resolver {
    let question_timeout = Duration::from_millis(500);
    Resolver::new(&DnsOptions {
        server: Some(server),
        mx_port: 2525,
        allow_private,
        question_timeout,
        root_key: None,
    })
    .unwrap()
}

/// `name=address,address name=…`, or the error.
async fn hosts(resolver: &Resolver, domain: &str) -> String {
    hosts_beside(resolver, domain, None).await
}

/// The same as a server asks who may be among them.
async fn hosts_beside(resolver: &Resolver, domain: &str, local_identity: Option<&LocalIdentity>) -> String {
    match resolver.mx_hosts(domain, local_identity).await {
        Ok(hosts) => {
            let host = |host: crier::net::dns::MxHost| {
                let addresses: Vec<String> = host.addresses.iter().map(ToString::to_string).collect();
                format!("{}={}", host.name, addresses.join(","))
            };
            hosts.into_iter().map(host).collect::<Vec<_>>().join(" ")
        }
        Err(MxError::Permanent(reason)) => format!("permanent: {reason}"),
        Err(MxError::Temporary(_)) => "temporary".to_owned(),
    }
}

async fn check(domain: &str, expected: &str) {
    let (_server, address) = start(ZONE).await;
    assert_eq!(hosts(&resolver(address, false), domain).await, expected, "{domain}");
}

#[tokio::test]
async fn the_preferred_server_comes_first_with_ipv4_first() {
    let expected = "a.mx.test=192.0.2.1:2525,[2001:db8::1]:2525 b.mx.test=192.0.2.2:2525";
    check("two.test", expected).await;
    check("alias.test", expected).await;
}

#[tokio::test]
async fn a_domain_without_mx_is_its_own_server() {
    check("bare.test", "bare.test=192.0.2.3:2525").await;
    check("exämple.test", "xn--exmple-cua.test=192.0.2.5:2525").await;
}

#[tokio::test]
async fn a_domain_that_takes_no_mail_fails_for_good() {
    check("null.test", "permanent: 5.1.10 The domain null.test takes no mail (Null MX)").await;
    check("missing.test", "permanent: 5.1.2 The domain missing.test does not exist").await;
    check("dangling.test", "permanent: nowhere.test has no address").await;
    check("a..test", "permanent: a..test is no domain name").await;
}

#[tokio::test]
async fn a_server_without_address_leaves_the_others() {
    check("half.test", "b.mx.test=192.0.2.2:2525").await;
}

#[tokio::test]
async fn five_servers_are_enough() {
    let (_server, address) = start(ZONE).await;
    let found = hosts(&resolver(address, false), "many.test").await;
    let mut names: Vec<&str> = found.split(' ').map(|host| host.split_once('=').unwrap().0).collect();
    // The first two are equals.
    names[..2].sort_unstable();
    assert_eq!(names, ["a.mx.test", "b.mx.test", "c1.test", "c2.test", "c3.test"]);
}

#[tokio::test]
async fn servers_of_equal_preference_share_the_load() {
    let (_server, address) = start(ZONE).await;
    let resolver = resolver(address, false);
    let mut first = BTreeSet::new();
    for _ in 0..64 {
        first.extend(hosts(&resolver, "many.test").await.split('=').next().map(str::to_owned));
    }
    assert_eq!(first.into_iter().collect::<Vec<_>>(), ["a.mx.test", "b.mx.test"]);
}

#[tokio::test]
async fn servers_that_are_not_preferred_to_ourselves_are_left_out() {
    let (_server, address) = start(ZONE).await;
    let resolver = resolver(address, false);
    let check = async |domain, hostname: &str, own: &str, expected: &str| {
        let addresses = vec![own.parse().unwrap()];
        let local_identity = LocalIdentity { hostname: hostname.to_owned(), addresses };
        let found = hosts_beside(&resolver, domain, Some(&local_identity)).await;
        let names: Vec<&str> = found.split(' ').map(|host| host.split('=').next().unwrap()).collect();
        assert_eq!(names.join(" "), expected, "{domain} {hostname} {own}");
    };
    let loops = |domain| {
        format!("permanent: 5.4.6 Mail for {domain} would come back to this server, which takes none for it")
    };
    check("two.test", "b.mx.test", "192.0.2.99", "a.mx.test").await;
    check("two.test", "mx.test", "192.0.2.2", "a.mx.test").await;
    check("two.test", "mx.test", "2001:db8::1", &loops("two.test")).await;
    check("two.test", "a.mx.test", "192.0.2.99", &loops("two.test")).await;
    check("bare.test", "mx.test", "192.0.2.3", &loops("bare.test")).await;
    check("many.test", "mx.test", "192.0.2.1", &loops("many.test")).await;
    check("many.test", "mx.test", "192.0.2.2", &loops("many.test")).await;
}

#[tokio::test]
async fn private_addresses_are_no_targets_unless_allowed() {
    check("private.test", "permanent: inside.test has a private address, which mail is not sent to").await;
    check("mixed.test", "both.test=192.0.2.4:2525").await;
    let (_server, address) = start(ZONE).await;
    assert_eq!(hosts(&resolver(address, true), "private.test").await, "inside.test=10.0.0.1:2525");
}

#[tokio::test]
async fn private_addresses_within_tunnel_addresses_are_no_targets() {
    check("tunnels.test", "permanent: inner.test has a private address, which mail is not sent to").await;
    check("nat64.test", "nat64.test=[64:ff9b::5db8:d822]:2525").await;
}

#[tokio::test]
async fn what_the_dns_does_not_answer_is_temporary() {
    check("two.unknown", "temporary").await;
    check("elsewhere.test", "temporary").await;
    // A socket that is connected elsewhere refuses what others send.
    let unused = UdpSocket::bind("127.0.0.1:0").unwrap();
    unused.connect("127.0.0.1:9").unwrap();
    assert_eq!(hosts(&resolver(unused.local_addr().unwrap(), false), "two.test").await, "temporary");
}

#[tokio::test]
async fn a_relay_is_resolved_by_name_or_address() {
    let (_server, address) = start(ZONE).await;
    let resolver = resolver(address, false);
    let found = |host: &'static str| {
        let resolver = resolver.clone();
        async move {
            resolver.relay_addresses(host).await.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
        }
    };
    assert_eq!(found("127.0.0.1").await, ["127.0.0.1"]);
    assert_eq!(found("::1").await, ["::1"]);
    assert_eq!(found("localhost").await.first().map(String::as_str), Some("127.0.0.1"));
    assert_eq!(found("a.mx.test").await, ["192.0.2.1", "2001:db8::1"]);
}
