//! Finds the account whose pages a request asks for: by the host in the request, or by `/~ACCOUNT/` at the beginning of
//! its path. `web` calls it for every request of a page.
//!
//! An account's own host is its domain that is `is_web`. The server's own host is the one of `--base-url`. There, every
//! account has its pages under `/~ACCOUNT/`, and an only account has them without that prefix as well. `links` is the
//! reverse: it makes the URLs.

use std::net::IpAddr;

use crate::config::Config;
use crate::model::{Account, AccountId, Domain};
use crate::ops::domains;
use crate::schema::{ACCOUNT_ALL, ACCOUNT_BY_NAME};
use crate::store::{Key, Read, StoreError};

/// The account whose pages a request asks for, and the client that sends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The account; `None` at the server's own host if it has several accounts or none.
    pub account: Option<AccountId>,
    /// The prefix of the paths of its pages: blank, or `/~ACCOUNT`.
    pub root: String,
    /// The client's address: the peer's, or the one that a trusted proxy reports.
    pub client: IpAddr,
    /// Whether the links of every account, and of none, work here. It keeps links working that were mailed before an
    /// account's pages moved.
    pub is_shared: bool,
}

impl Site {
    /// Whether a link that belongs to this account works here; `None` for one that belongs to the whole server.
    #[must_use]
    pub fn answers_for(&self, account: Option<AccountId>) -> bool {
        self.is_shared || (account.is_some() && self.account == account)
    }

    /// Whether it is at the server's own host, where global administrators sign in.
    #[must_use]
    pub fn is_servers_own(&self) -> bool {
        self.is_shared || self.account.is_none() || !self.root.is_empty()
    }
}

/// The site and path of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target<'path> {
    /// The site that the page belongs to.
    pub site: Site,
    /// The path below the root of the site. Empty if even the slash after `/~ACCOUNT` is missing.
    pub path: &'path str,
}

/// The site and the path of a request; `None` if no account has pages at its host. `authority` is the host in the
/// request, with or without a port.
pub fn find<'path>(
    tx: &impl Read,
    own: &OwnHost<'_>,
    authority: Option<&str>,
    path: &'path str,
    client: IpAddr,
) -> Result<Option<Target<'path>>, StoreError> {
    let host = authority.and_then(host_in);
    let is_own = host.as_ref().is_some_and(|host| own.is(host));
    if let Some((name, path)) = split_account(path) {
        let account = if is_own {
            tx.find(&ACCOUNT_BY_NAME, &Key::new().text(&name.to_ascii_lowercase()))?
        } else {
            None
        };
        return Ok(account.map(|Account { id, name, .. }| {
            let site = Site { account: Some(id), root: root_of(&name), client, is_shared: false };
            Target { site, path }
        }));
    }
    let accounts = tx.ids(&ACCOUNT_ALL, &Key::new().into(), 2)?;
    let account = match (of_web_domain(tx, host.as_ref())?, accounts.as_slice()) {
        (Some(account), _) => Some(account),
        (None, [only]) => Some(AccountId(*only)),
        (None, []) => None,
        (None, _) if is_own => None,
        (None, _) => return Ok(None),
    };
    let is_shared = is_own || accounts.len() < 2;
    let site = Site { account, root: String::new(), client, is_shared };
    Ok(Some(Target { site, path }))
}

/// The prefix of the paths of an account's pages at the server's own host.
#[must_use]
pub fn root_of(account: &str) -> String {
    format!("/~{account}")
}

/// Splits `/~ACCOUNT/rest` into the account's name and the rest with its slash.
fn split_account(path: &str) -> Option<(&str, &str)> {
    let named = ["/~", "/%7E", "/%7e"].iter().find_map(|prefix| path.strip_prefix(prefix))?;
    let end = named.find('/').unwrap_or(named.len());
    Some(named.split_at(end))
}

fn of_web_domain(tx: &impl Read, host: Option<&Host>) -> Result<Option<AccountId>, StoreError> {
    let Some(Host::Name(name)) = host else { return Ok(None) };
    let domain = domains::find(tx, name)?;
    Ok(domain.filter(|domain| domain.is_web).map(|domain| domain.account))
}

/// The host in `authority` as a URL names it, if it is one of this server's: that of its links, its own name, or a web
/// domain of some account. Whatever else a client names is none.
pub fn known_host(tx: &impl Read, config: &Config, authority: &str) -> Result<Option<String>, StoreError> {
    let Some(host) = host_in(authority) else { return Ok(None) };
    let is_own_name = matches!(&host, Host::Name(name) if name.as_str() == config.hostname);
    let is_known = is_own_name || OwnHost::of(config).is(&host) || of_web_domain(tx, Some(&host))?.is_some();
    Ok(is_known.then(|| match host {
        Host::Name(name) => name.as_str().to_owned(),
        Host::Address(IpAddr::V4(address)) => address.to_string(),
        Host::Address(IpAddr::V6(address)) => format!("[{address}]"),
    }))
}

/// The host of `--base-url`, if that is a name.
#[must_use]
pub fn base_domain(config: &Config) -> Option<String> {
    match OwnHost::of(config).0 {
        Named::BaseUrl(Some(Host::Name(name))) => Some(name.as_str().to_owned()),
        _ => None,
    }
}

/// Whether some account has its pages at this domain.
pub fn is_web_domain(tx: &impl Read, name: &Domain) -> Result<bool, StoreError> {
    Ok(domains::find(tx, name)?.is_some_and(|domain| domain.is_web))
}

/// The host in an HTTP request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Host {
    /// A name, in A-label form.
    Name(Domain),
    Address(IpAddr),
}

/// The host of `host`, `host:port`, `192.0.2.1:port` or `[::1]:port`.
pub(super) fn host_in(authority: &str) -> Option<Host> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if !(port.is_empty() || port.strip_prefix(':').is_some_and(is_port)) {
        return None;
    }
    match host.parse::<IpAddr>() {
        Ok(address) => Some(Host::Address(address.to_canonical())),
        Err(_) => Domain::parse(host).ok().map(|name| Host::Name(domains::kept_name(&name))),
    }
}

/// The server's own host.
#[derive(Debug, Clone)]
pub struct OwnHost<'config>(Named<'config>);

#[derive(Debug, Clone)]
enum Named<'config> {
    /// The host of `--base-url`.
    BaseUrl(Option<Host>),
    /// Without a `--base-url`: every address, `localhost` and the `--hostname`.
    Any { hostname: &'config str },
}

impl OwnHost<'_> {
    /// The host of a server that runs with `config`.
    #[must_use]
    pub fn of(config: &Config) -> OwnHost<'_> {
        match &config.base_url {
            Some(url) => OwnHost::of_url(url),
            None => OwnHost(Named::Any { hostname: &config.hostname }),
        }
    }

    /// The host of a URL.
    #[must_use]
    pub fn of_url(url: &str) -> OwnHost<'static> {
        let rest = url.split_once("://").map_or("", |(_, rest)| rest);
        OwnHost(Named::BaseUrl(host_in(rest.split('/').next().unwrap_or_default())))
    }

    /// Whether this domain is the host.
    #[must_use]
    pub fn is_domain(&self, domain: &Domain) -> bool {
        self.is(&Host::Name(domains::kept_name(domain)))
    }

    pub(super) fn is(&self, host: &Host) -> bool {
        match (&self.0, host) {
            (Named::BaseUrl(own), host) => own.as_ref() == Some(host),
            (Named::Any { .. }, Host::Address(_)) => true,
            (Named::Any { hostname }, Host::Name(name)) => {
                name.as_str() == "localhost" || name.as_str().eq_ignore_ascii_case(hostname)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(authority: &str, expected: Option<&str>) {
        let found = host_in(authority).map(|host| match host {
            Host::Name(name) => name.as_str().to_owned(),
            Host::Address(address) => address.to_string(),
        });
        assert_eq!(found.as_deref(), expected, "{authority}");
    }

    #[test]
    fn a_host_is_read_without_its_port_and_its_case() {
        check("Lists.Example.ORG", Some("lists.example.org"));
        check("lists.example.org:8080", Some("lists.example.org"));
        check("lists.example.org.:443", Some("lists.example.org"));
        check("ex\u{e4}mple.org", Some("xn--exmple-cua.org"));
        check("127.0.0.1:80", Some("127.0.0.1"));
        check("[::1]:80", Some("::1"));
        check("[::1]", Some("::1"));
        check("[::ffff:192.0.2.1]", Some("192.0.2.1"));
        for text in ["", ":80", "a b", "lists.example.org:x", "[::1", "[::1]80", "user@lists.example.org"] {
            check(text, None);
        }
    }

    #[test]
    fn an_account_stands_behind_a_tilde() {
        assert_eq!(split_account("/~one/lists/a/"), Some(("one", "/lists/a/")));
        assert_eq!(split_account("/%7Eone/"), Some(("one", "/")));
        assert_eq!(split_account("/~one"), Some(("one", "")));
        assert_eq!(split_account("/lists/~one/"), None);
    }
}
