//! The applications that may ask people for permission. The operator makes them, by a command or on a page of global
//! administrators; the secret of an application is shown once.

use std::net::Ipv6Addr;

use crate::clock::Timestamp;
use crate::model::{AuditAction, OauthClient, OauthClientId, Permission};
use crate::ops::audit::{self, Note};
use crate::ops::oauth::grants;
use crate::ops::{Caller, OpError, Problems, Wrong};
use crate::schema::OAUTH_CLIENT_BY_CLIENT_ID;
use crate::secret::{Secrets, sha256};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Most characters of an application's name.
const NAME_CHARS_MAX: usize = 100;
/// Most addresses that an application may be sent back to.
const REDIRECT_URIS_MAX: usize = 20;
/// Most bytes of each.
const REDIRECT_URI_BYTES_MAX: usize = 1000;
/// Applications of a server.
const CLIENTS_MAX: usize = 1000;
/// Characters of an identifier, which is no secret.
const CLIENT_ID_LEN: usize = 24;
/// Characters of a secret: 256 bits.
const SECRET_LEN: usize = 43;
/// Schemes of addresses that run code, or lead into the browser itself.
const SCHEMES_REFUSED: [&str; 10] = [
    "javascript",
    "data",
    "vbscript",
    "file",
    "filesystem",
    "about",
    "blob",
    "view-source",
    "intent",
    "android-app",
];

/// The values of a new application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClientInput {
    /// Its name, as people see it.
    pub name: String,
    /// The addresses to which browsers may be sent back.
    pub redirect_uris: Vec<String>,
    /// Whether it cannot keep a secret: it runs in browsers or on telephones.
    pub is_public: bool,
}

/// The identifier and the secret of a new application.
#[derive(Clone, PartialEq, Eq)]
pub struct NewCredentials {
    /// By which the application names itself.
    pub client_id: String,
    /// By which it proves itself.
    pub secret: String,
}

impl NewCredentials {
    /// Draws both.
    #[must_use]
    pub fn draw(secrets: &Secrets) -> NewCredentials {
        NewCredentials { client_id: secrets.token(CLIENT_ID_LEN), secret: secrets.token(SECRET_LEN) }
    }
}

/// Makes an application known. A public one gets no secret.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: ClientInput,
    credentials: &NewCredentials,
    now: Timestamp,
) -> Result<OauthClient, OpError> {
    require_server_admin(caller)?;
    let ClientInput { name, redirect_uris, is_public } = checked(input)?;
    if CLIENTS_MAX <= tx.all::<OauthClient>(0, CLIENTS_MAX)?.len() {
        return Err(OpError::invalid("name", Wrong::TooManyApps { max: CLIENTS_MAX }));
    }
    let client = OauthClient {
        id: OauthClientId(tx.next_id::<OauthClient>()?),
        client_id: credentials.client_id.clone(),
        name,
        redirect_uris,
        secret_hash: (!is_public).then(|| sha256(credentials.secret.as_bytes())),
        created: now,
    };
    tx.put(&client)?;
    note(tx, caller, &client, "application made", now)?;
    Ok(client)
}

/// The applications, oldest first.
pub fn list(tx: &impl Read, caller: &Caller) -> Result<Vec<OauthClient>, OpError> {
    require_server(caller)?;
    Ok(tx.all(0, usize::MAX)?)
}

/// The application of an identifier.
pub fn find(tx: &impl Read, client_id: &str) -> Result<Option<OauthClient>, StoreError> {
    // What is longer than a key of an index is nobody's identifier.
    if CLIENT_ID_LEN < client_id.len() {
        return Ok(None);
    }
    tx.find(&OAUTH_CLIENT_BY_CLIENT_ID, &Key::new().text(client_id))
}

/// Deletes an application: whatever people allowed it ends.
pub fn delete(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    client_id: &str,
    now: Timestamp,
) -> Result<OauthClient, OpError> {
    require_server_admin(caller)?;
    let client = find(tx, client_id)?.ok_or(OpError::NotFound { what: "application" })?;
    grants::end_of_client(tx, client.id)?;
    tx.delete::<OauthClient>(client.id.0)?;
    note(tx, caller, &client, "application deleted", now)?;
    Ok(client)
}

/// Passes for those who decide about the whole server.
fn require_server_admin(caller: &Caller) -> Result<(), OpError> {
    require_server(caller)?;
    caller.require(Permission::AccountAdmin)
}

/// Passes for those who see the whole server.
fn require_server(caller: &Caller) -> Result<(), OpError> {
    if caller.is_global { Ok(()) } else { Err(OpError::NotGlobal) }
}

fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    client: &OauthClient,
    what: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let note = Note::new(AuditAction::ServerUpdated, 0).named(&client.name).detail(what);
    audit::note(tx, caller, note, now).map(drop)
}

fn checked(input: ClientInput) -> Result<ClientInput, OpError> {
    let ClientInput { name, redirect_uris, is_public } = input;
    let mut problems = Problems::default();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        problems.add("name", Wrong::AppNameNeeded);
    } else if NAME_CHARS_MAX < name.chars().count() || name.contains(char::is_control) {
        problems.add("name", Wrong::AppName { max: NAME_CHARS_MAX });
    }
    let redirect_uris: Vec<String> = redirect_uris.iter().map(|uri| uri.trim().to_owned()).collect();
    if redirect_uris.is_empty() {
        problems.add("redirect_uri", Wrong::AppBackNeeded);
    } else if REDIRECT_URIS_MAX < redirect_uris.len() {
        problems.add("redirect_uri", Wrong::TooManyBack { max: REDIRECT_URIS_MAX });
    }
    for uri in &redirect_uris {
        if let Err(problem) = check_redirect_uri(uri) {
            problems.add("redirect_uri", Wrong::about(uri, problem));
        }
    }
    problems.into_result()?;
    Ok(ClientInput { name, redirect_uris, is_public })
}

/// Whether browsers may be sent to an address with a code.
fn check_redirect_uri(uri: &str) -> Result<(), Wrong> {
    if REDIRECT_URI_BYTES_MAX < uri.len() || !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Wrong::BackAscii { max: REDIRECT_URI_BYTES_MAX });
    }
    if uri.contains('#') {
        return Err(Wrong::BackFragment);
    }
    if uri.contains(['"', '\'', ';', ',', '<', '>', '\\']) {
        return Err(Wrong::BackQuotes);
    }
    let (scheme, rest) = uri.split_once(':').ok_or(Wrong::BackScheme)?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    if !is_scheme || rest.is_empty() {
        return Err(Wrong::BackAbsolute);
    }
    let scheme = scheme.to_ascii_lowercase();
    if SCHEMES_REFUSED.contains(&scheme.as_str()) {
        return Err(Wrong::BackOtherScheme);
    }
    if matches!(scheme.as_str(), "http" | "https") {
        let host = rest.strip_prefix("//").and_then(|rest| rest.split(['/', '?']).next()).unwrap_or_default();
        if host.is_empty() || host.contains('@') || host.starts_with(':') {
            return Err(Wrong::BackHost);
        }
        // In the policy of the page of consent, a star would stand for every host.
        if !is_host(host) {
            return Err(Wrong::BackHostForm);
        }
    }
    Ok(())
}

/// Whether a text is the name or the address of a host, with or without a port.
fn is_host(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, rest)) if address.parse::<Ipv6Addr>().is_ok() => ("ip", rest),
        Some(_) => return false,
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_named = !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    is_named && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// Whether a text is the number of a port, in digits alone.
pub(super) fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_come_back_to_is_absolute_and_runs_no_code() {
        for uri in [
            "https://app.example.org/back",
            "https://app.example.org/back?x=1",
            "http://127.0.0.1/cb",
            "http://[::1]:8080/cb",
            "org.example.app:/back",
            "myapp://back",
        ] {
            assert_eq!(check_redirect_uri(uri), Ok(()), "{uri}");
        }
        for uri in [
            "",
            "/back",
            "app.example.org/back",
            "https://app.example.org/back#x",
            "https:///back",
            "https://user@app.example.org/",
            "https:",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "https://app.example.org/a b",
            "https://app.example.org/; form-action *",
            "https://app.\u{e4}.org/",
            "https://*.example.org/",
            "https://*/",
            "https://app.example.org:*/",
            "https://app.example.org:0/",
            "https://app.example.org:+80/",
            "https://app.example.org:70000/",
            "http://[::1/",
            "http://[*]/",
            "https://app%2e.example.org/",
            "intent://x",
            "Intent:x",
            "filesystem:x",
            "filesystem:https://app.example.org/",
            "android-app://org.example",
        ] {
            assert!(check_redirect_uri(uri).is_err(), "{uri}");
        }
    }
}
