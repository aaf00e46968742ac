//! Reads the fields of webhooks.

use std::net::{IpAddr, Ipv4Addr};

use super::Params;
use super::parse::{As, line, word};
use super::shape::Shaped as _;
use crate::model::{EventType, ranges::is_public};
use crate::ops::Wrong;
use crate::ops::webhooks::WebhookInput;

/// Longest address of a webhook, in characters.
const URL_CHARS_MAX: usize = 1000;
/// Longest description, in characters.
const DESCRIPTION_CHARS_MAX: usize = 200;

/// What the operator allows of addresses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// Plain HTTP.
    pub(crate) plain: bool,
    /// Addresses of private networks and of this machine.
    pub(crate) private: bool,
}

pub(crate) fn fields(params: &mut Params) {
    input(params, Allowed { plain: false, private: false });
}

pub(crate) fn input(params: &mut Params, allowed: Allowed) -> WebhookInput {
    params.read_only(&["id", "secret", "created"]);
    let url = params.parsed("url", As(String::shape, |text: &str| Ok::<_, Wrong>(text.trim().to_owned())));
    if let Some(Err(problem)) = url.as_deref().map(|url| check_url(url, allowed)) {
        params.problem("url", problem);
    }
    WebhookInput {
        url,
        types: params.parsed_names("types", word::<EventType>()),
        description: params.parsed("description", line(DESCRIPTION_CHARS_MAX)),
        active: params.boolean("active"),
        problems: params.take_problems(),
    }
}

/// Refuses addresses to which nothing is sent. What a name leads to is looked up for each attempt.
fn check_url(url: &str, allowed: Allowed) -> Result<(), Wrong> {
    let is_form = url.len() <= URL_CHARS_MAX && url.chars().all(|c| c.is_ascii_graphic());
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://").filter(|_| allowed.plain));
    let Some(rest) = rest.filter(|_| is_form) else { return Err(Wrong::WebhookUrl) };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host.is_empty() || authority.contains('@') {
        return Err(Wrong::WebhookUrl);
    }
    if !allowed.private && is_of_own_network(&host) {
        return Err(Wrong::WebhookPrivate);
    }
    Ok(())
}

/// Whether a host is named by an address that is not public, in whatever form programs read one, or is this machine.
fn is_of_own_network(host: &str) -> bool {
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    let address = host.parse::<IpAddr>().ok();
    address.or_else(|| odd_ipv4(host).map(IpAddr::V4)).is_some_and(|address| !is_public(address))
        // Numbers alone are no name: if they are no address either, nobody knows where they lead.
        || (address.is_none() && odd_ipv4(host).is_none() && is_numeric(host))
}

fn is_numeric(host: &str) -> bool {
    host.rsplit('.').next().is_some_and(|part| number(part).is_some())
}

fn number(part: &str) -> Option<u64> {
    if let Some(digits) = part.strip_prefix("0x") {
        return if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 16).ok() };
    }
    match part.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        _ => part.parse().ok(),
    }
}

/// An IPv4 address as old libraries read it: of one to four numbers, which may be octal or hexadecimal.
fn odd_ipv4(host: &str) -> Option<Ipv4Addr> {
    let parts = host.split('.').map(number).collect::<Option<Vec<u64>>>()?;
    let (last, first) = parts.split_last()?;
    if 3 < first.len() || first.iter().any(|part| 255 < *part) {
        return None;
    }
    let room = 32 - 8 * u32::try_from(first.len()).ok()?;
    if *last >> room != 0 {
        return None;
    }
    let high = first.iter().fold(0, |high, part| (high << 8) | part);
    u32::try_from((high << room) | last).ok().map(Ipv4Addr::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &Result<(), Wrong>) {
        assert_eq!(check_url(url, Allowed { plain: false, private: false }), *expected, "{url}");
    }

    #[test]
    fn webhooks_are_at_public_addresses_and_encrypted() {
        check("https://example.org/hook?x=1", &Ok(()));
        check("https://8.8.8.8/", &Ok(()));
        check("http://example.org/", &Err(Wrong::WebhookUrl));
        check("https://", &Err(Wrong::WebhookUrl));
        check("https://a@example.org/", &Err(Wrong::WebhookUrl));
        check("ftp://example.org/", &Err(Wrong::WebhookUrl));
        for host in [
            "localhost",
            "a.localhost.",
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "0.0.0.0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[fe80::1]",
            "[fd00::1]",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "0x7f000001",
            "99999999999",
        ] {
            check(&format!("https://{host}/"), &Err(Wrong::WebhookPrivate));
        }
    }
}
