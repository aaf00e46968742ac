//! Fetches the MTA-STS policies of other domains (RFC 8461): the announcement from the DNS, the policy file by HTTPS.
//!
//! `model::sts` parses policies and decides how long they are valid; nothing is kept here.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::dns::{MxError, Resolver};
use crate::config::Trust;
use crate::model::sts::{StsRules, announced_version};

/// How long a whole fetch may take. RFC 8461 3.3 suggests a minute, for which no mail should wait.
const FETCH_MAX: Duration = Duration::from_secs(20);
/// How long one address may take to accept a connection.
const CONNECT_MAX: Duration = Duration::from_secs(5);
/// Longest policy (RFC 8461 3.3).
const POLICY_BYTES_MAX: usize = 64 * 1024;
/// The path of a policy file (RFC 8461 3.3).
const POLICY_PATH: &str = "/.well-known/mta-sts.txt";

/// The reason why a domain's policy could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The policy server cannot be found.
    #[error("{0}")]
    Dns(#[from] MxError),
    /// The network or TLS failed: no connection, or a certificate for another name.
    #[error("{0}")]
    Network(#[from] std::io::Error),
    /// The response is not HTTP.
    #[error("{0}")]
    Http(#[from] hyper::Error),
    /// It took too long.
    #[error("no answer in time")]
    TimedOut,
    /// The status is not 200; redirects are not followed (RFC 8461 3.3).
    #[error("the server answered {0}")]
    Status(StatusCode),
    /// The response is no text, too long or no policy.
    #[error("the answer is no policy")]
    NoPolicy,
}

/// Fetches policies.
#[derive(Clone)]
pub struct PolicyClient {
    resolver: Resolver,
    tls: Arc<rustls::ClientConfig>,
    https_port: u16,
}

impl PolicyClient {
    /// A client that finds servers by `resolver` and trusts the public authorities.
    #[must_use]
    pub fn new(resolver: Resolver, trust: &Trust) -> PolicyClient {
        PolicyClient { resolver, tls: super::tls::verifying_client(trust), https_port: trust.https_port }
    }

    /// The `id` of the policy that `domain` announces; `None` if it announces none.
    pub async fn announced(&self, domain: &str) -> Result<Option<String>, MxError> {
        Ok(announced_version(&self.resolver.texts(&format!("_mta-sts.{domain}")).await?))
    }

    /// Fetches the policy of `domain`, a name in A-label form.
    pub async fn fetch(&self, domain: &str) -> Result<StsRules, FetchError> {
        let fetching = async {
            let host = format!("mta-sts.{domain}");
            let addresses = self.resolver.permitted_addresses(&host, self.https_port).await?;
            let stream = connect(&addresses).await?;
            let name = ServerName::try_from(host.clone()).map_err(|_| FetchError::NoPolicy)?;
            let stream = TlsConnector::from(self.tls.clone()).connect(name, stream).await?;
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
            let getting = async {
                let response = sender.send_request(request(&host)).await?;
                read_policy(response).await
            };
            // The connection's task ends with the request.
            tokio::select! {
                policy = getting => policy,
                Err(error) = connection => Err(error.into()),
            }
        };
        timeout(FETCH_MAX, fetching).await.map_err(|_| FetchError::TimedOut)?
    }
}

/// The first of `addresses` that accepts a connection.
pub(super) async fn connect(addresses: &[SocketAddr]) -> Result<TcpStream, FetchError> {
    let mut last = FetchError::TimedOut;
    for address in addresses {
        match timeout(CONNECT_MAX, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error.into(),
            Err(_) => last = FetchError::TimedOut,
        }
    }
    Err(last)
}

fn request(host: &str) -> Request<Empty<Bytes>> {
    Request::get(POLICY_PATH)
        .header(HOST, host)
        .header(USER_AGENT, "crier")
        .header(ACCEPT, "text/plain")
        .body(Empty::new())
        .expect("a host name is a header's value")
}

async fn read_policy(response: Response<hyper::body::Incoming>) -> Result<StsRules, FetchError> {
    if response.status() != StatusCode::OK {
        return Err(FetchError::Status(response.status()));
    }
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case("text/plain") {
        return Err(FetchError::NoPolicy);
    }
    let body = Limited::new(response.into_body(), POLICY_BYTES_MAX).collect().await;
    let body = body.map_err(|_| FetchError::NoPolicy)?.to_bytes();
    std::str::from_utf8(&body).ok().and_then(StsRules::parse).ok_or(FetchError::NoPolicy)
}
