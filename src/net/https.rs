//! Sends HTTP and HTTPS requests to servers that the operator names: see [`WebClient`]. Any address may be one of
//! these, this machine's own too.

use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::dns::{DnsOptions, MxError, Resolver};
use super::sts::connect;
use super::web_client::{Sending, WebAnswer, WebClient, WebError, WebRequest};
use crate::config::Config;

/// How long a request and its answer may take; a person waits for it.
const ANSWER_MAX: Duration = Duration::from_secs(10);
/// How long a fetch may take for which nobody waits.
const FETCH_MAX: Duration = Duration::from_mins(1);
/// Largest answer, in bytes.
const ANSWER_BYTES_MAX: usize = 1 << 20;

fn failed(error: impl Display) -> WebError {
    WebError(error.to_string())
}

/// The reason why there is no whole answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The answer is larger than whoever asked allows.
    #[error("the answer is larger than allowed")]
    TooLarge,
    /// No connection, no answer in time, or no HTTP.
    #[error(transparent)]
    Failed(#[from] WebError),
}

impl From<FetchError> for WebError {
    fn from(error: FetchError) -> WebError {
        match error {
            FetchError::TooLarge => failed(error),
            FetchError::Failed(error) => error,
        }
    }
}

/// A request of any method, with the header that its sender has made.
#[derive(Clone)]
pub struct Exchange {
    /// The method.
    pub method: &'static str,
    /// The URL, percent-encoded.
    pub url: String,
    /// The fields of the header; `Host` must be among them.
    pub header: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the request and its answer may take.
    pub patience: Duration,
    /// The largest answer, in bytes.
    pub answer_bytes_max: usize,
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The header may contain a proof of the sender.
        write!(out, "Exchange({})", self.method)
    }
}

/// The answer to an [`Exchange`], whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanged {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Sends requests.
#[derive(Clone)]
pub struct OperatorClient {
    resolver: Resolver,
    tls: Arc<rustls::ClientConfig>,
}

impl std::fmt::Debug for OperatorClient {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("OperatorClient")
    }
}

impl OperatorClient {
    /// A client that finds servers as the rest of the server does, and trusts the public authorities.
    pub fn new(config: &Config) -> Result<OperatorClient, MxError> {
        let resolver = Resolver::new(&DnsOptions::new(config))?;
        Ok(OperatorClient { resolver, tls: super::tls::verifying_client(&config.trust) })
    }

    async fn ask(&self, request: WebRequest) -> Result<WebAnswer, WebError> {
        let url: Uri = request.url.parse().map_err(failed)?;
        let request = head_and_body(&url, request)?;
        let answer = self.send_to(&url, request, ANSWER_BYTES_MAX).await?;
        Ok(WebAnswer { status: answer.status().as_u16(), body: answer.into_body().to_vec() })
    }

    /// Sends a request to its absolute URL, and reads the answer with its header.
    ///
    /// # Errors
    /// If there is no answer in time, or too much of it.
    pub async fn fetch(&self, request: Request<Full<Bytes>>) -> Result<Response<Bytes>, WebError> {
        Ok(self.fetch_within(request, FETCH_MAX, ANSWER_BYTES_MAX).await?)
    }

    /// Sends a request to its absolute URL, which has no user name in it, and reads an answer of at most `bytes_max`
    /// bytes with its header. It follows no redirect.
    ///
    /// # Errors
    /// If there is no answer within `patience`, or too much of it.
    pub async fn fetch_within(
        &self,
        mut request: Request<Full<Bytes>>,
        patience: Duration,
        bytes_max: usize,
    ) -> Result<Response<Bytes>, FetchError> {
        let url = request.uri().clone();
        let path = url.path_and_query().map_or("/", |path| path.as_str());
        let host = url.authority().map_or("", |authority| authority.as_str());
        *request.uri_mut() = path.parse().map_err(failed)?;
        request.headers_mut().insert(HOST, host.parse().map_err(failed)?);
        let fetched = timeout(patience, self.send_to(&url, request, bytes_max)).await;
        fetched.unwrap_or_else(|_| Err(failed("no answer in time").into()))
    }

    /// Sends a request of any method, and reads the answer.
    ///
    /// # Errors
    /// If there is no answer in time, or too much of it.
    pub async fn exchange(&self, exchange: Exchange) -> Result<Exchanged, WebError> {
        let Exchange { method, url, header, body, patience, answer_bytes_max } = exchange;
        let url: Uri = url.parse().map_err(failed)?;
        let path = url.path_and_query().map_or("/", |path| path.as_str());
        let mut head = Request::builder().method(method).uri(path).header(USER_AGENT, "crier");
        for (name, value) in header {
            head = head.header(name, value);
        }
        let request = head.body(Full::new(Bytes::from(body))).map_err(failed)?;
        let answered = timeout(patience, self.send_to(&url, request, answer_bytes_max)).await;
        let answer = answered.unwrap_or_else(|_| Err(failed("no answer in time").into()))?;
        Ok(Exchanged { status: answer.status().as_u16(), body: answer.into_body().to_vec() })
    }

    /// Connects to the server of a URL, sends a request and reads the answer.
    async fn send_to(
        &self,
        url: &Uri,
        request: Request<Full<Bytes>>,
        answer_bytes_max: usize,
    ) -> Result<Response<Bytes>, FetchError> {
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let is_secure = match url.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(failed("it is no address of HTTP").into()),
        };
        let port = url.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        // Whether or not a resolver answers, this name means this machine (RFC 6761 6.3).
        let found = match host.as_str() {
            "localhost" => vec![[127, 0, 0, 1].into(), std::net::Ipv6Addr::LOCALHOST.into()],
            host => self.resolver.relay_addresses(host).await.map_err(failed)?,
        };
        let addresses: Vec<SocketAddr> =
            found.into_iter().map(|address| SocketAddr::new(address, port)).collect();
        let stream = connect(&addresses).await.map_err(failed)?;
        if !is_secure {
            return converse(stream, request, answer_bytes_max).await;
        }
        let name = ServerName::try_from(host).map_err(failed)?;
        let stream = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream).await;
        converse(stream.map_err(failed)?, request, answer_bytes_max).await
    }
}

impl WebClient for OperatorClient {
    fn send(&self, request: WebRequest) -> Sending<'_> {
        let answered = async move {
            timeout(ANSWER_MAX, self.ask(request)).await.unwrap_or_else(|_| Err(failed("no answer in time")))
        };
        Box::pin(answered)
    }
}

/// Sends a request over a connection, and reads the answer.
async fn converse<S>(
    stream: S,
    request: Request<Full<Bytes>>,
    answer_bytes_max: usize,
) -> Result<Response<Bytes>, FetchError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    let answering = async {
        let response = sender.send_request(request).await.map_err(failed)?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, answer_bytes_max).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() { FetchError::TooLarge } else { failed(error).into() }
        })?;
        Ok(Response::from_parts(head, body.to_bytes()))
    };
    // The connection's task ends with the request. It may end first, and leave the answer to be read.
    let mut answering = std::pin::pin!(answering);
    tokio::select! {
        answer = &mut answering => answer,
        ended = connection => match ended {
            Ok(()) => answering.await,
            Err(error) => Err(failed(error).into()),
        },
    }
}

fn head_and_body(url: &Uri, request: WebRequest) -> Result<Request<Full<Bytes>>, WebError> {
    let WebRequest { url: _, body, authorization } = request;
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let host = url.authority().map_or("", |authority| authority.as_str());
    let method = if body.is_some() { Method::POST } else { Method::GET };
    let mut head = Request::builder()
        .method(method)
        .uri(path)
        .header(HOST, host.rsplit('@').next().unwrap_or(host))
        .header(USER_AGENT, "crier")
        .header(ACCEPT, "application/json");
    if let Some(authorization) = authorization {
        head = head.header(AUTHORIZATION, authorization);
    }
    let bytes = match body {
        Some((media_type, body)) => {
            head = head.header(CONTENT_TYPE, media_type);
            Bytes::from(body)
        }
        None => Bytes::new(),
    };
    head.body(Full::new(bytes)).map_err(failed)
}
