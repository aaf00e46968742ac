//! The address of the client behind trusted proxies.
//!
//! A request that comes straight from a client has the address of its peer. One from a trusted proxy has the address
//! that the proxy names. What anybody else says of itself is never believed.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::{HeaderMap, header};

use crate::config::HttpLimits;

/// Most hops that are looked at. A proxy adds one, so more than these are made up.
const HOPS_MAX: usize = 50;

/// The address of the client of a request, in the extensions of the request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Client(pub(super) IpAddr);

/// Who opened a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer {
    /// Its address; loopback if it came over a Unix socket.
    pub(super) address: IpAddr,
    /// Whether what it says of the clients behind it is believed.
    pub(super) is_proxy: bool,
}

impl Peer {
    /// Whoever connects from this address.
    pub(super) fn at(address: IpAddr, limits: &HttpLimits) -> Peer {
        let address = address.to_canonical();
        Peer { address, is_proxy: is_proxy(address, limits) }
    }

    /// A program of this machine that connects over a Unix socket.
    pub(super) fn on_unix_socket(limits: &HttpLimits) -> Peer {
        Peer { address: Ipv4Addr::LOCALHOST.into(), is_proxy: limits.trusts_unix_socket }
    }

    /// The address under which its connection counts; `None` if it may pass on the requests of others.
    pub(super) fn limited(self, limits: &HttpLimits) -> Option<IpAddr> {
        if self.is_proxy { None } else { limited_client(self.address, limits) }
    }

    /// Whether a request that it passes on came to it by HTTPS.
    pub(super) fn says_secure(self, headers: &HeaderMap) -> bool {
        self.is_proxy && scheme(headers).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
    }
}

/// The scheme by which the last proxy was asked. It writes the last line, and behind what others wrote in it.
fn scheme(headers: &HeaderMap) -> Option<&str> {
    // Whoever writes these fields may pass on the other one as its client sent it.
    if headers.contains_key("x-forwarded-proto") || headers.contains_key("x-forwarded-for") {
        let line = headers.get_all("x-forwarded-proto").iter().next_back()?.to_str().ok()?;
        return line.rsplit(',').next().map(str::trim);
    }
    let line = headers.get_all(header::FORWARDED).iter().next_back()?.to_str().ok()?;
    let element = unquoted(line, ',').map_or_else(|| last_element(line), |parts| parts[parts.len() - 1]);
    let scheme = value_of(element, "proto")?.trim();
    Some(scheme.strip_prefix('"').and_then(|scheme| scheme.strip_suffix('"')).unwrap_or(scheme))
}

/// The address under which a client counts; `None` if it may pass on the requests of others.
pub(super) fn limited_client(client: IpAddr, limits: &HttpLimits) -> Option<IpAddr> {
    let client = client.to_canonical();
    let is_exempt = (client.is_loopback() && !limits.limits_loopback) || is_proxy(client, limits);
    (!is_exempt).then_some(client)
}

/// The address of the client that sends a request over a connection with `peer`.
pub(super) fn client_of(peer: Peer, headers: &HeaderMap, limits: &HttpLimits) -> IpAddr {
    let Peer { address: peer, is_proxy: is_believed } = peer;
    if !is_believed {
        return peer;
    }
    // A proxy that writes one of these fields may pass on the other as its client sent it. Nearly all of them write
    // this one.
    let hops =
        if headers.contains_key("x-forwarded-for") { forwarded_for(headers) } else { forwarded(headers) };
    let mut client = peer;
    for hop in hops.into_iter().rev().take(HOPS_MAX) {
        // Beyond a hop that is not an address there is nobody who could be believed.
        let Some(address) = hop else { break };
        client = address;
        if !is_proxy(address, limits) {
            break;
        }
    }
    client
}

/// Whether what this address says of the clients behind it is believed.
fn is_proxy(address: IpAddr, limits: &HttpLimits) -> bool {
    limits.trusted_proxies.iter().any(|network| network.contains(address))
}

/// The hops of `X-Forwarded-For`, the client first.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let mut hops = Vec::new();
    for line in headers.get_all("x-forwarded-for") {
        match line.to_str() {
            Ok(line) => hops.extend(line.split(',').map(address_of)),
            Err(_) => hops.push(None),
        }
    }
    hops
}

/// The hops of `Forwarded` (RFC 7239), the client first.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let mut hops = Vec::new();
    for line in headers.get_all(header::FORWARDED) {
        match line.to_str() {
            Ok(line) => match unquoted(line, ',') {
                Some(elements) => hops.extend(elements.into_iter().map(hop_of)),
                // A client's quote that does not end must not swallow what its proxy writes behind it.
                None => hops.extend([None, hop_of(last_element(line))]),
            },
            Err(_) => hops.push(None),
        }
    }
    hops
}

/// The last element of `Forwarded`, read from its end: a quote in front of it that does not end leaves it whole.
fn last_element(line: &str) -> &str {
    let mut is_quoted = false;
    let start = line.char_indices().rev().find(|(_, c)| {
        is_quoted ^= *c == '"';
        *c == ',' && !is_quoted
    });
    start.map_or(line, |(comma, _)| &line[comma + 1..])
}

/// The node that an element of `Forwarded` is for.
fn hop_of(element: &str) -> Option<IpAddr> {
    address_of(value_of(element, "for")?)
}

/// The value of one parameter in an element of `Forwarded`, quoted or not.
fn value_of<'a>(element: &'a str, wanted: &str) -> Option<&'a str> {
    unquoted(element, ';')?.into_iter().find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case(wanted).then_some(value)
    })
}

/// The parts of a text between separators that do not stand in a quoted string; `None` if such a string does not end.
fn unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            c if c == separator && !is_quoted => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    (!is_quoted).then_some(parts)
}

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `"[2001:db8::1]:4711"`.
fn address_of(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let address = text.parse::<IpAddr>().ok().or_else(bracketed).or_else(with_port)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Cidr;
    use axum::http::{HeaderName, HeaderValue};

    /// The client of a request from `peer` with these header fields, behind the proxies `10.0.0.0/8` and
    /// `2001:db8:1::/48`.
    #[track_caller]
    fn check(peer: &str, fields: &[(&'static str, &'static str)], expected: &str) {
        let networks = ["10.0.0.0/8", "2001:db8:1::/48"];
        let trusted_proxies = networks.iter().map(|network| Cidr::parse(network).unwrap()).collect();
        let limits = HttpLimits { trusted_proxies, ..HttpLimits::default() };
        let fields = fields
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, value);
        }
        let client = client_of(Peer::at(peer.parse().unwrap(), &limits), &headers, &limits);
        assert_eq!(client, expected.parse::<IpAddr>().unwrap(), "{headers:?}");
    }

    const PROXY: &str = "10.1.2.3";

    #[track_caller]
    fn check_secure(fields: &[(&'static str, &'static str)], expected: bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let peer = Peer { address: Ipv4Addr::LOCALHOST.into(), is_proxy: true };
        assert_eq!(peer.says_secure(&headers), expected, "{headers:?}");
        assert!(!Peer { is_proxy: false, ..peer }.says_secure(&headers), "nobody else is believed");
    }

    #[test]
    fn the_last_proxy_says_whether_it_was_asked_by_https() {
        const PROTO: &str = "x-forwarded-proto";
        check_secure(&[], false);
        check_secure(&[(PROTO, "HTTPS")], true);
        check_secure(&[(PROTO, "https, http")], false);
        check_secure(&[(PROTO, "https"), (PROTO, "http")], false);
        check_secure(&[(PROTO, "http"), (PROTO, "http, https")], true);
        check_secure(&[("forwarded", "for=192.0.2.1;proto=https")], true);
        check_secure(&[("forwarded", "for=192.0.2.1; Proto=\"https\"")], true);
        check_secure(&[("forwarded", "proto=https, for=192.0.2.1;proto=http")], false);
        check_secure(&[("forwarded", "proto=http"), ("forwarded", "proto=https;for=\"[::1]:80\"")], true);
        check_secure(&[("forwarded", "for=\"x, for=192.0.2.1;proto=https")], true);
        check_secure(&[("forwarded", "for=\"x;proto=https\"")], false);
        // A proxy that writes the other fields has passed this one on.
        check_secure(&[("forwarded", "proto=https"), (PROTO, "http")], false);
        check_secure(&[("forwarded", "proto=https"), ("x-forwarded-for", "192.0.2.1")], false);
    }

    #[test]
    fn nobody_but_a_trusted_proxy_names_the_client() {
        check("192.0.2.9", &[("x-forwarded-for", "198.51.100.1")], "192.0.2.9");
        check("192.0.2.9", &[("forwarded", "for=198.51.100.1")], "192.0.2.9");
        check(PROXY, &[("x-forwarded-for", "198.51.100.1")], "198.51.100.1");
        check("::ffff:10.1.2.3", &[("x-forwarded-for", "198.51.100.1")], "198.51.100.1");
        check("2001:db8:1::5", &[("forwarded", "for=198.51.100.1")], "198.51.100.1");
        check(PROXY, &[], PROXY);
    }

    #[test]
    fn the_client_is_the_last_hop_that_is_no_trusted_proxy() {
        check(PROXY, &[("x-forwarded-for", "203.0.113.7, 198.51.100.1")], "198.51.100.1");
        check(PROXY, &[("x-forwarded-for", "203.0.113.7,198.51.100.1,10.9.9.9")], "198.51.100.1");
        check(PROXY, &[("x-forwarded-for", "203.0.113.7"), ("x-forwarded-for", "10.9.9.9")], "203.0.113.7");
        check(PROXY, &[("x-forwarded-for", "10.9.9.8, 10.9.9.9")], "10.9.9.8");
        let two = "for=203.0.113.7;proto=https, for=198.51.100.1;by=10.0.0.1, for=\"[2001:db8:1::9]:443\"";
        check(PROXY, &[("forwarded", two)], "198.51.100.1");
        check(PROXY, &[("forwarded", "for=203.0.113.7"), ("forwarded", "for=198.51.100.1")], "198.51.100.1");
    }

    #[test]
    fn addresses_are_read_in_every_form_that_proxies_write() {
        for (text, expected) in [
            ("198.51.100.1:4711", "198.51.100.1"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("[2001:db8::7]:4711", "2001:db8::7"),
            ("::ffff:198.51.100.1", "198.51.100.1"),
            ("  \"198.51.100.1\" ", "198.51.100.1"),
        ] {
            check(PROXY, &[("x-forwarded-for", text)], expected);
        }
        for (text, expected) in [
            ("FOR=198.51.100.1", "198.51.100.1"),
            ("proto=http; For=\"[2001:db8::7]:4711\";host=\"a,b;for=1.2.3.4\"", "2001:db8::7"),
            ("host=\"a\\\",for=1.2.3.4\";for=198.51.100.1", "198.51.100.1"),
        ] {
            check(PROXY, &[("forwarded", text)], expected);
        }
    }

    #[test]
    fn nothing_is_believed_beyond_what_is_not_an_address() {
        for text in ["unknown", "_hidden", "", "198.51.100", "198.51.100.1:", "[2001:db8::7", "for=1.2.3.4"] {
            check(PROXY, &[("x-forwarded-for", text)], PROXY);
        }
        check(PROXY, &[("x-forwarded-for", "198.51.100.1, unknown, 10.9.9.9")], "10.9.9.9");
        check(PROXY, &[("forwarded", "for=198.51.100.1, for=unknown")], PROXY);
        check(PROXY, &[("forwarded", "for=198.51.100.1, proto=https")], PROXY);
    }

    #[test]
    fn a_quote_of_the_client_does_not_hide_what_its_proxy_writes_behind_it() {
        for made_up in ["for=\"198.51.100.1", "\"", "a=\"\\", "a=\"\\\"", "for=10.9.9.9, a=\"b\";c=\""] {
            for written in
                ["for=203.0.113.7", "for=203.0.113.7;host=\"a,b\"", "by=\"_x\";for=\"203.0.113.7:80\""]
            {
                let line = format!("{made_up}, {written}").leak();
                check(PROXY, &[("forwarded", line)], "203.0.113.7");
                check(PROXY, &[("forwarded", line), ("forwarded", "for=10.9.9.9")], "203.0.113.7");
            }
        }
        check(PROXY, &[("forwarded", "for=\"198.51.100.1, for=10.9.9.9")], "10.9.9.9");
        check(PROXY, &[("forwarded", "for=\"198.51.100.1")], PROXY);
    }

    #[test]
    fn of_two_fields_the_one_counts_that_most_proxies_write() {
        let fields = [("forwarded", "for=203.0.113.7"), ("x-forwarded-for", "198.51.100.1")];
        check(PROXY, &fields, "198.51.100.1");
    }
}
