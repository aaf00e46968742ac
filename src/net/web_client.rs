//! HTTP requests to servers that the operator names: providers of identities, and the service that sends SMS.
//!
//! Whoever makes such a request does not know the network: [`https`](super::https) sends it, and `app` connects the two. Nothing here is
//! for addresses that a tenant names, which must not reach this machine's own network.

use std::fmt::Debug;
use std::pin::Pin;

/// A request under way.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<WebAnswer, WebError>> + Send + 'a>>;

/// A request.
#[derive(Clone, PartialEq, Eq)]
pub struct WebRequest {
    /// The URL, of HTTP or HTTPS.
    pub url: String,
    /// The body and its type; a request without one is a GET.
    pub body: Option<(&'static str, String)>,
    /// The value of `Authorization`, which is never logged.
    pub authorization: Option<String>,
}

impl WebRequest {
    /// GET.
    #[must_use]
    pub fn get(url: &str) -> WebRequest {
        WebRequest { url: url.to_owned(), body: None, authorization: None }
    }

    /// POST of a body of this type.
    #[must_use]
    pub fn post(url: &str, media_type: &'static str, body: String) -> WebRequest {
        WebRequest { url: url.to_owned(), body: Some((media_type, body)), authorization: None }
    }

    /// The same request with proof of its sender.
    #[must_use]
    pub fn authorized(self, authorization: String) -> WebRequest {
        WebRequest { authorization: Some(authorization), ..self }
    }
}

impl Debug for WebRequest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The URL may contain a secret of the operator.
        let host = self.url.split(['?', '#']).next().unwrap_or_default().split('/').nth(2);
        write!(out, "WebRequest({})", host.unwrap_or_default().rsplit('@').next().unwrap_or_default())
    }
}

/// A server's answer, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebAnswer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl WebAnswer {
    /// Whether the server did what it was asked for.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// The reason why there is no answer: no connection, no answer in time, no HTTP, or too much of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WebError(pub String);

/// Sends requests. It follows no redirect.
pub trait WebClient: Debug + Send + Sync {
    /// Sends a request and reads the answer.
    fn send(&self, request: WebRequest) -> Sending<'_>;
}

/// A client without a network, for commands without a running server.
#[derive(Debug, Clone, Copy)]
pub struct OfflineClient;

impl WebClient for OfflineClient {
    fn send(&self, _: WebRequest) -> Sending<'_> {
        Box::pin(std::future::ready(Err(WebError("the server does not run".to_owned()))))
    }
}
