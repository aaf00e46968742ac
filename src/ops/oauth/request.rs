//! Reads requests for permission (RFC 6749 4.1.1, RFC 7636). It decides nothing about the person: that comes after.
//!
//! Mistakes in what says where the person came from are told to the person. All others go back to the application, by
//! the browser.

use std::collections::BTreeSet;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::clients::{self, is_port};
use crate::model::{OauthClient, OauthScope};
use crate::store::{Read, StoreError};

/// Characters of a challenge: SHA-256 in Base64, without padding.
const CHALLENGE_CHARS: usize = 43;
/// Most bytes of a state.
const STATE_BYTES_MAX: usize = 2000;
/// The parameters that may stand in a request once.
const PARAMETERS: [&str; 11] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
    "request",
    "request_uri",
    "prompt",
];

/// An application's request for permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The application.
    pub client: OauthClient,
    /// The scopes that it asks for: at least one.
    pub scopes: BTreeSet<OauthScope>,
    /// The challenge of PKCE, by the method `S256`.
    pub challenge: Option<String>,
    /// Where the browser goes back to.
    pub back: WayBack,
}

/// Where a browser goes back to the application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WayBack {
    /// One of the application's addresses.
    pub redirect_uri: String,
    /// The application's own words, which it gets back.
    pub state: Option<String>,
    /// The name of this server (RFC 9207).
    pub issuer: String,
}

/// An error that the application is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientError {
    /// Its code in RFC 6749.
    pub code: &'static str,
    /// The problem in words, for the people who made the application.
    pub about: &'static str,
}

impl ClientError {
    /// An error.
    #[must_use]
    pub const fn new(code: &'static str, about: &'static str) -> ClientError {
        ClientError { code, about }
    }
}

/// The reason why a request is not put to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such application.
    UnknownClient,
    /// The application has no such address.
    WrongRedirect,
    /// The application is told.
    Back(WayBack, ClientError),
}

/// Reads a request. `issuer` is this server's name.
pub fn read(
    tx: &impl Read,
    pairs: &[(String, String)],
    issuer: &str,
) -> Result<Result<AuthorizationRequest, Refusal>, StoreError> {
    let is_once = |name: &str| pairs.iter().filter(|(other, _)| other == name).count() < 2;
    let found = if is_once("client_id") { clients::find(tx, value(pairs, "client_id"))? } else { None };
    let Some(client) = found else { return Ok(Err(Refusal::UnknownClient)) };
    let redirect_uri = value(pairs, "redirect_uri");
    if !is_once("redirect_uri") || !client.redirect_uris.iter().any(|known| fits(known, redirect_uri)) {
        return Ok(Err(Refusal::WrongRedirect));
    }
    let is_repeated = PARAMETERS.iter().any(|name| !is_once(name));
    let state = Some(value(pairs, "state").to_owned()).filter(|state| !state.is_empty() && is_once("state"));
    let (redirect_uri, issuer) = (redirect_uri.to_owned(), issuer.to_owned());
    let back = WayBack { redirect_uri, state, issuer };
    if is_repeated {
        return Ok(Err(Refusal::Back(back, invalid("a parameter stands there twice"))));
    }
    Ok(match terms(pairs, &client) {
        Ok((scopes, challenge)) => Ok(AuthorizationRequest { client, scopes, challenge, back }),
        Err(error) => Err(Refusal::Back(back, error)),
    })
}

/// The value of a parameter; one that is missing is blank, as RFC 6749 3.1 wants it.
fn value<'p>(pairs: &'p [(String, String)], name: &str) -> &'p str {
    pairs.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
}

const fn invalid(about: &'static str) -> ClientError {
    ClientError::new("invalid_request", about)
}

/// The scopes and the challenge of a request.
fn terms(
    pairs: &[(String, String)],
    client: &OauthClient,
) -> Result<(BTreeSet<OauthScope>, Option<String>), ClientError> {
    let of = |name| value(pairs, name);
    if !of("request").is_empty() {
        return Err(ClientError::new("request_not_supported", "request objects are not supported"));
    }
    if !of("request_uri").is_empty() {
        return Err(ClientError::new("request_uri_not_supported", "request objects are not supported"));
    }
    match of("response_type") {
        "code" => {}
        "" => return Err(invalid("response_type is missing: it is code")),
        _ => return Err(ClientError::new("unsupported_response_type", "response_type must be code")),
    }
    if !matches!(of("response_mode"), "" | "query") {
        return Err(invalid("response_mode must be query"));
    }
    if STATE_BYTES_MAX < of("state").len() {
        return Err(invalid("state may have 2000 bytes"));
    }
    if of("prompt").split(' ').any(|word| word == "none") {
        return Err(ClientError::new("interaction_required", "people are asked each time"));
    }
    let challenge = challenge(of("code_challenge"), of("code_challenge_method"))?;
    if client.secret_hash.is_none() && challenge.is_none() {
        return Err(invalid("a public application needs code_challenge (RFC 7636)"));
    }
    let scopes = scopes(of("scope")).ok_or(ClientError::new("invalid_scope", "there is no such scope"))?;
    Ok((scopes, challenge))
}

fn challenge(challenge: &str, method: &str) -> Result<Option<String>, ClientError> {
    match (challenge, method) {
        ("", "") => Ok(None),
        ("", _) => Err(invalid("code_challenge is missing")),
        (_, "S256") if is_challenge(challenge) => Ok(Some(challenge.to_owned())),
        (_, "S256") => Err(invalid("code_challenge must be the SHA-256 of the verifier in Base64url")),
        // Without a method it is `plain` (RFC 7636 4.3).
        _ => Err(invalid("code_challenge_method must be S256")),
    }
}

fn is_challenge(text: &str) -> bool {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    text.len() == CHALLENGE_CHARS && text.bytes().all(is_known)
}

/// The scopes that a text names; `read` if it names none. `None` if one of them does not exist.
#[must_use]
pub fn scopes(text: &str) -> Option<BTreeSet<OauthScope>> {
    let words = text.split(' ').filter(|word| !word.is_empty());
    let scopes: BTreeSet<OauthScope> = words.map(OauthScope::from_word).collect::<Option<_>>()?;
    Some(if scopes.is_empty() { [OauthScope::Read].into() } else { scopes })
}

/// The scopes as a text.
#[must_use]
pub fn scope_text(scopes: &BTreeSet<OauthScope>) -> String {
    scopes.iter().map(|scope| scope.word()).collect::<Vec<_>>().join(" ")
}

/// Whether an address is the one that was made known. Programs on the person's own machine choose a port when they
/// start (RFC 8252 7.3).
fn fits(known: &str, given: &str) -> bool {
    known == given
        || ["http://127.0.0.1", "http://[::1]"].iter().any(|host| {
            let rests = known.strip_prefix(host).zip(given.strip_prefix(host));
            rests.is_some_and(|(known, given)| {
                without_port(known).is_some_and(|rest| without_port(given) == Some(rest))
            })
        })
}

/// What follows a host and its port, if there is one.
fn without_port(rest: &str) -> Option<&str> {
    let Some(port) = rest.strip_prefix(':') else {
        return (rest.is_empty() || rest.starts_with(['/', '?'])).then_some(rest);
    };
    let end = port.find(['/', '?']).unwrap_or(port.len());
    let (port, rest) = port.split_at(end);
    is_port(port).then_some(rest)
}

impl WayBack {
    /// The address with a code.
    #[must_use]
    pub fn with_code(&self, code: &str) -> String {
        self.with(&[("code", code)])
    }

    /// The address with an error.
    #[must_use]
    pub fn with_error(&self, error: ClientError) -> String {
        self.with(&[("error", error.code), ("error_description", error.about)])
    }

    fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut uri = self.redirect_uri.clone();
        let own = [("state", self.state.as_deref()), ("iss", Some(&*self.issuer))];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, value?)));
        for (name, value) in parameters.iter().copied().chain(own) {
            uri.push(if uri.contains('?') { '&' } else { '?' });
            uri.push_str(name);
            uri.push('=');
            uri.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        uri
    }

    /// The scheme and host that a policy for browsers names for the way back; the scheme alone if it is an
    /// application's own.
    #[must_use]
    pub fn origin(&self) -> String {
        let (scheme, rest) = self.redirect_uri.split_once(':').unwrap_or_default();
        match rest
            .strip_prefix("//")
            .filter(|_| matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"))
        {
            Some(rest) => format!("{scheme}://{}", rest.split(['/', '?']).next().unwrap_or_default()),
            None => format!("{scheme}:"),
        }
    }

    /// The host of the application, or its own scheme, for people.
    #[must_use]
    pub fn host(&self) -> String {
        let origin = self.origin();
        origin.split_once("://").map_or(origin.clone(), |(_, host)| host.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(redirect_uri: &str) -> WayBack {
        let (redirect_uri, issuer) = (redirect_uri.to_owned(), "https://lists.example.org".to_owned());
        WayBack { redirect_uri, state: Some("a b&c".to_owned()), issuer }
    }

    #[test]
    fn addresses_are_compared_as_text_but_for_the_port_of_the_own_machine() {
        for (known, given, expected) in [
            ("https://a.example/cb", "https://a.example/cb", true),
            ("https://a.example/cb", "https://a.example/cb/", false),
            ("https://a.example/cb", "https://A.example/cb", false),
            ("https://a.example/cb", "https://a.example:443/cb", false),
            ("http://localhost/cb", "http://localhost:1234/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1234/cb", true),
            ("http://127.0.0.1:80/cb?a=b", "http://127.0.0.1:1234/cb?a=b", true),
            ("http://[::1]/cb", "http://[::1]:1234/cb", true),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1234/cc", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:99999/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:+80/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:0/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb", false),
            ("https://127.0.0.1/cb", "https://127.0.0.1:1234/cb", false),
        ] {
            assert_eq!(fits(known, given), expected, "{known} {given}");
        }
    }

    #[test]
    fn the_way_back_keeps_the_query_of_the_application() {
        let state = "state=a%20b%26c&iss=https%3A%2F%2Flists%2Eexample%2Eorg";
        assert_eq!(
            back("https://a.example/cb").with_code("x"),
            format!("https://a.example/cb?code=x&{state}")
        );
        assert_eq!(
            back("https://a.example/?p=1").with_code("x"),
            format!("https://a.example/?p=1&code=x&{state}")
        );
        assert_eq!(back("https://a.example:8/cb?x").origin(), "https://a.example:8");
        assert_eq!(back("org.example.app:/cb").origin(), "org.example.app:");
        assert_eq!(back("myapp://cb").origin(), "myapp:");
        assert_eq!(back("https://a.example/cb").host(), "a.example");
    }
}
