//! Parses `--relay smtp[s]://user:pass@host:port`.
//!
//! The command line calls it; the host is resolved only when mail is sent.

use std::net::{Ipv4Addr, Ipv6Addr};

use percent_encoding::percent_decode_str;

use crate::config::Relay;
use crate::model::Domain;

/// The error for a text that is no relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be smtp://host:port or smtps://user:password@host:port, with special characters of user and password \
     percent-encoded (@ is %40)"
)]
pub struct RelayError;

/// Parses the URL of a relay. User name and password are percent-decoded; the default port is 25, or 465 with `smtps`.
pub fn parse_relay(url: &str) -> Result<Relay, RelayError> {
    let (scheme, rest) = url.trim().split_once("://").ok_or(RelayError)?;
    let implicit_tls = match scheme.to_ascii_lowercase().as_str() {
        "smtp" => false,
        "smtps" => true,
        _ => return Err(RelayError),
    };
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let (credentials, place) = match authority.rsplit_once('@') {
        Some((credentials, place)) => (Some(parse_credentials(credentials)?), place),
        None => (None, authority),
    };
    let (host, port) = match place.rsplit_once(':') {
        // Colons within brackets belong to an IPv6 address.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (place, None),
    };
    let port = match port {
        Some(port) => port.parse().ok().filter(|port| *port != 0).ok_or(RelayError)?,
        None if implicit_tls => 465,
        None => 25,
    };
    Ok(Relay { host: parse_host(host)?, port, implicit_tls, credentials })
}

fn parse_host(text: &str) -> Result<String, RelayError> {
    if let Some(literal) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return literal.parse().map(|address: Ipv6Addr| address.to_string()).map_err(|_| RelayError);
    }
    if text.parse::<Ipv4Addr>().is_ok() {
        return Ok(text.to_owned());
    }
    Domain::parse(text).map(|domain| domain.as_str().to_owned()).map_err(|_| RelayError)
}

fn parse_credentials(text: &str) -> Result<(String, String), RelayError> {
    let (user, password) = text.split_once(':').ok_or(RelayError)?;
    let (user, password) = (decode(user)?, decode(password)?);
    if user.is_empty() { Err(RelayError) } else { Ok((user, password)) }
}

/// Decodes a text; control characters, which would end an SMTP command, are refused.
fn decode(text: &str) -> Result<String, RelayError> {
    let decoded = percent_decode_str(text).decode_utf8().map_err(|_| RelayError)?;
    if decoded.chars().any(char::is_control) { Err(RelayError) } else { Ok(decoded.into_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, host: &str, port: u16, implicit_tls: bool, credentials: Option<(&str, &str)>) {
        let credentials = credentials.map(|(user, password)| (user.to_owned(), password.to_owned()));
        let expected = Relay { host: host.to_owned(), port, implicit_tls, credentials };
        assert_eq!(parse_relay(url), Ok(expected), "{url}");
    }

    #[test]
    fn a_relay_has_a_scheme_and_a_host() {
        check("smtp://Relay.example.org", "relay.example.org", 25, false, None);
        check("SMTPS://relay.example.org/", "relay.example.org", 465, true, None);
        check("smtp://127.0.0.1:2525", "127.0.0.1", 2525, false, None);
        check("smtp://[::1]:2525", "::1", 2525, false, None);
        check("smtp://[::1]", "::1", 25, false, None);
    }

    #[test]
    fn credentials_are_percent_decoded() {
        check("smtp://ada:p%40ss%3Aword@x.org:587", "x.org", 587, false, Some(("ada", "p@ss:word")));
        check("smtps://ada%40x.org:@x.org", "x.org", 465, true, Some(("ada@x.org", "")));
    }

    #[test]
    fn anything_else_is_refused() {
        for url in [
            "",
            "relay.example.org",
            "http://x.org",
            "smtp://",
            "smtp://x.org:0",
            "smtp://x.org:99999",
            "smtp://x.org:",
            "smtp://user@x.org",
            "smtp://:pass@x.org",
            "smtp://[x]",
            "smtp://a b",
            "smtp://x\r\n.org",
            "smtp://u:%0D%0A@x.org",
            "smtp://a:%ff@x.org",
        ] {
            assert_eq!(parse_relay(url), Err(RelayError), "{url:?}");
        }
    }
}
