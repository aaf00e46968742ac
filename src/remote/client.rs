//! A client for one server that the operator names, with the operator's credentials.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, LOCATION, RETRY_AFTER, USER_AGENT};
use hyper::{Request, Response, StatusCode, Uri};
use serde_json::Value;

use crate::config::Config;
use crate::net::dns::MxError;
use crate::net::https::{FetchError, OperatorClient};

/// Largest answer that is parsed as JSON, in bytes. Values that are parsed take up to thirty times as much memory.
pub const JSON_BYTES_MAX: usize = 8 << 20;
/// How long a request and its answer may take.
const PATIENCE: Duration = Duration::from_mins(2);
/// Tries of a request that brings no answer, or one that the server has failed.
const TRIES_MAX: u32 = 5;
/// The longest pause that a server may ask for: its limits count by the hour.
const WAIT_MAX: Duration = Duration::from_mins(65);
/// The pause if a server says that there were too many requests, and not how long to wait.
const WAIT_DEFAULT: Duration = Duration::from_mins(1);
/// Pauses that a server may ask for before it answers a request.
const WAITS_MAX: u32 = 48;
/// Characters of a server's own words that are shown.
const WORDS_MAX: usize = 300;

/// The reason why a request brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// The server answered with this status, and maybe with words of its own.
    #[error("the server answered {status} to {path}{}", if words.is_empty() { String::new() } else { format!(": {words}") })]
    Status {
        /// The path.
        path: String,
        /// The status.
        status: u16,
        /// The server's words.
        words: String,
    },
    /// It leads elsewhere, where the credentials do not go.
    #[error("{path} leads to {location}: name the address that answers without a redirect")]
    Elsewhere {
        /// The path.
        path: String,
        /// Where it leads.
        location: String,
    },
    /// The answer is too large.
    #[error("the answer to {path} is larger than {bytes_max} bytes")]
    TooLarge {
        /// The path.
        path: String,
        /// The limit.
        bytes_max: usize,
    },
    /// No server was reached, or it spoke no HTTP.
    #[error("{path} cannot be read: {reason}")]
    Unreachable {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The answer is not what such a server answers.
    #[error("{path} answered with something else than expected: {reason}")]
    Unreadable {
        /// The path.
        path: String,
        /// The reason.
        reason: String,
    },
}

impl RemoteError {
    /// The status of the answer, if there was one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        if let RemoteError::Status { status, .. } = self { Some(*status) } else { None }
    }
}

/// Gets told what the client waits for.
pub type Tell = fn(&str);

/// The client.
pub struct Remote {
    client: OperatorClient,
    /// The server's address without a slash at its end.
    base: String,
    authorization: String,
    /// What is added to the query of every request.
    parameter: Option<String>,
    tell: Tell,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The authorization is a secret.
        write!(out, "Remote({})", self.base)
    }
}

impl Remote {
    /// A client for the server at `base`, of which [`base_of`] says what it may be.
    ///
    /// # Errors
    /// If this machine's resolver cannot be set up.
    pub fn new(base: String, authorization: String, tell: Tell) -> Result<Remote, MxError> {
        let config = Config::on_loopback(PathBuf::new());
        Ok(Remote { client: OperatorClient::new(&config)?, base, authorization, parameter: None, tell })
    }

    /// The same client, which adds a parameter to the query of every request.
    #[must_use]
    pub fn with_parameter(self, name: &str, value: u64) -> Remote {
        Remote { parameter: Some(format!("{name}={value}")), ..self }
    }

    /// The server's address.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Gets a path with its query, an answer of at most `bytes_max` bytes. It waits as long as the server asks, and
    /// tries again if there is no answer.
    ///
    /// # Errors
    /// If there is no answer, or another than a success.
    pub async fn get(&self, path: &str, bytes_max: usize) -> Result<Bytes, RemoteError> {
        let (mut tries, mut waits) = (0, 0);
        loop {
            let failed = match self.once(path, bytes_max).await {
                Ok(response) if response.status().is_success() => return Ok(response.into_body()),
                Ok(response) => {
                    let asked = pause_of(&response).filter(|_| waits < WAITS_MAX);
                    if let Some(pause) = asked {
                        waits += 1;
                        self.wait(pause).await;
                        continue;
                    }
                    let failed = refusal(path, &response);
                    if !response.status().is_server_error() {
                        return Err(failed);
                    }
                    failed
                }
                Err(FetchError::TooLarge) => {
                    return Err(RemoteError::TooLarge { path: path.to_owned(), bytes_max });
                }
                Err(FetchError::Failed(error)) => {
                    RemoteError::Unreachable { path: path.to_owned(), reason: error.to_string() }
                }
            };
            tries += 1;
            if tries == TRIES_MAX {
                return Err(failed);
            }
            tokio::time::sleep(Duration::from_secs(1 << tries)).await;
        }
    }

    /// Gets a path that answers with JSON.
    ///
    /// # Errors
    /// As [`get`](Remote::get), and if the answer is no JSON.
    pub async fn json(&self, path: &str) -> Result<Value, RemoteError> {
        let bytes = self.get(path, JSON_BYTES_MAX).await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| RemoteError::Unreadable { path: path.to_owned(), reason: error.to_string() })
    }

    async fn once(&self, path: &str, bytes_max: usize) -> Result<Response<Bytes>, FetchError> {
        let mark = if path.contains('?') { '&' } else { '?' };
        let parameter = self.parameter.as_ref().map(|parameter| format!("{mark}{parameter}"));
        let request = Request::get(format!("{}{path}{}", self.base, parameter.unwrap_or_default()))
            .header(AUTHORIZATION, &self.authorization)
            .header(ACCEPT, "application/json, message/rfc822;q=0.9, */*;q=0.1")
            .header(USER_AGENT, "crier")
            .body(Full::new(Bytes::new()));
        let failed = |error: hyper::http::Error| crate::net::web_client::WebError(error.to_string());
        self.client.fetch_within(request.map_err(failed)?, PATIENCE, bytes_max).await
    }

    async fn wait(&self, pause: Duration) {
        if !pause.is_zero() {
            (self.tell)(&format!("the server asks to wait for {} s", pause.as_secs()));
            tokio::time::sleep(pause).await;
        }
    }
}

/// How long the server asks to wait before the same request is sent again.
fn pause_of(response: &Response<Bytes>) -> Option<Duration> {
    let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let asked = asked.and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
    match response.status() {
        StatusCode::TOO_MANY_REQUESTS => Some(asked.unwrap_or(WAIT_DEFAULT).min(WAIT_MAX)),
        StatusCode::SERVICE_UNAVAILABLE => asked.map(|pause| pause.min(WAIT_MAX)),
        _ => None,
    }
}

fn refusal(path: &str, response: &Response<Bytes>) -> RemoteError {
    let (path, status) = (path.to_owned(), response.status());
    if status.is_redirection() {
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        return RemoteError::Elsewhere { path, location: harmless(location.unwrap_or("nowhere")) };
    }
    let answer: Option<Value> = serde_json::from_slice(response.body()).ok();
    let told = |name: &str| answer.as_ref()?.get(name)?.as_str().map(harmless);
    // The API's errors have a message; those of Mailman have a title, and a description where there is more to say.
    let words = told("message").or_else(|| told("description")).or_else(|| told("title"));
    RemoteError::Status { path, status: status.as_u16(), words: words.unwrap_or_default() }
}

/// Words of another server, short and without anything that a terminal would obey.
#[must_use]
pub fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(WORDS_MAX).collect()
}

/// The address of a server as its operator typed it, without a slash or the path of the API at its end.
///
/// # Errors
/// The words that say what an address must be.
pub fn base_of(text: &str) -> Result<String, String> {
    let url: Uri = text.trim().parse().map_err(|_| MUST_BE.to_owned())?;
    let authority = url.authority().ok_or(MUST_BE)?;
    let host = authority.host().trim_matches(['[', ']']);
    let is_own = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let is_safe = match url.scheme_str() {
        Some("https") => true,
        Some("http") => is_own,
        _ => return Err(MUST_BE.to_owned()),
    };
    if !is_safe {
        return Err("must begin with https://, since the credentials could be read on the way".to_owned());
    }
    if authority.as_str().contains('@') || url.query().is_some() {
        return Err(MUST_BE.to_owned());
    }
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/api/2").unwrap_or(path);
    Ok(format!("{}://{authority}{path}", url.scheme_str().unwrap_or_default()))
}

const MUST_BE: &str =
    "must be an address such as https://lists.example.org, without a user name or a query in it";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let base = base_of(text);
        assert_eq!(base.as_deref().map_err(|error| &error[..error.len().min(9)]), expected);
    }

    #[test]
    fn an_address_loses_the_path_of_the_api() {
        check("https://lists.example.org", Ok("https://lists.example.org"));
        check("https://lists.example.org/api/2/", Ok("https://lists.example.org"));
        check("https://lists.example.org:8443/~club/", Ok("https://lists.example.org:8443/~club"));
    }

    #[test]
    fn plain_http_reaches_this_machine_alone() {
        check("http://127.0.0.1:8001/3.1", Ok("http://127.0.0.1:8001/3.1"));
        check("http://[::1]:8001", Ok("http://[::1]:8001"));
        check("http://lists.example.org", Err("must begi"));
    }

    #[test]
    fn credentials_are_no_part_of_an_address() {
        check("https://me:secret@lists.example.org", Err("must be a"));
        check("https://lists.example.org/?key=1", Err("must be a"));
        check("ftp://lists.example.org", Err("must be a"));
    }
}
