//! Sends events to programs at addresses that a tenant names (webhooks), over connections that are kept for the next event.
//! Only addresses that the operator allows are connected to, whatever a name leads to, and no redirect is followed.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::SendRequest;
use hyper::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::dns::{DnsOptions, MxError, Resolver};
use super::sts::connect;
use crate::config::Config;
use crate::model::ranges::is_public;

/// How long an attempt may take, with the answer.
const ATTEMPT_MAX: Duration = Duration::from_secs(15);
/// Bytes that are read of an answer; the connection of a longer one is not used again.
const ANSWER_BYTES_MAX: usize = 16 << 10;

/// A connection that may be used for the next event.
pub struct KeptConnection {
    sender: SendRequest<Full<Bytes>>,
    origin: String,
    task: JoinHandle<()>,
}

impl std::fmt::Debug for KeptConnection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "KeptConnection")
    }
}

impl Drop for KeptConnection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The answer of a receiver, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookAnswer {
    /// Its status.
    pub status: u16,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
    /// The beginning of its body, as text.
    pub text: String,
}

/// Sends events.
#[derive(Clone)]
pub struct HookClient {
    resolver: Resolver,
    allow_plain: bool,
    allow_private: bool,
    tls: Arc<rustls::ClientConfig>,
}

impl std::fmt::Debug for HookClient {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "HookClient")
    }
}

fn failed(error: impl Display) -> String {
    error.to_string()
}

impl HookClient {
    /// A client that finds servers as the rest of the server does, and trusts the public authorities.
    ///
    /// # Errors
    /// If there is no resolver.
    pub fn new(config: &Config) -> Result<HookClient, MxError> {
        let options = DnsOptions { allow_private: config.allow_private_webhooks, ..DnsOptions::new(config) };
        Ok(HookClient {
            resolver: Resolver::new(&options)?,
            allow_plain: config.allow_plain_webhooks,
            allow_private: config.allow_private_webhooks,
            tls: super::tls::verifying_client(&config.trust),
        })
    }

    /// Sends a body of JSON with these fields of the header, and reads the answer.
    ///
    /// # Errors
    /// The reason why there is no answer.
    pub async fn post(
        &self,
        kept: &mut Option<KeptConnection>,
        url: &str,
        header: &[(&'static str, String)],
        body: &str,
    ) -> Result<HookAnswer, String> {
        let attempt = timeout(ATTEMPT_MAX, self.attempt(kept, url, header, body)).await;
        if !matches!(attempt, Ok(Ok(_))) {
            *kept = None;
        }
        attempt.unwrap_or_else(|_| Err(format!("no answer within {} s", ATTEMPT_MAX.as_secs())))
    }

    async fn attempt(
        &self,
        kept: &mut Option<KeptConnection>,
        url: &str,
        header: &[(&'static str, String)],
        body: &str,
    ) -> Result<HookAnswer, String> {
        let url: Uri = url.parse().map_err(failed)?;
        let origin = format!("{}://{}", url.scheme_str().unwrap_or_default(), host_of(&url));
        let usable = kept.take().filter(|kept| kept.origin == origin && !kept.sender.is_closed());
        if let Some(mut connection) = usable
            && connection.sender.ready().await.is_ok()
        {
            // The receiver may have closed it just now; then the event is sent once more over another.
            if let Ok(response) = connection.sender.send_request(request(&url, header, body)?).await {
                return read(response, connection, kept).await;
            }
        }
        let mut connection = self.open(&url, origin).await?;
        let response = connection.sender.send_request(request(&url, header, body)?).await.map_err(failed)?;
        read(response, connection, kept).await
    }

    async fn open(&self, url: &Uri, origin: String) -> Result<KeptConnection, String> {
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let is_secure = match url.scheme_str() {
            Some("https") => true,
            Some("http") if self.allow_plain => false,
            _ => return Err("it is no address of HTTPS".to_owned()),
        };
        let port = url.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let stream = connect(&self.addresses(&host, port).await?).await.map_err(failed)?;
        // Bodies are short, and each waits for its answer.
        stream.set_nodelay(true).map_err(failed)?;
        if !is_secure {
            return handshake(stream, origin).await;
        }
        let name = ServerName::try_from(host).map_err(failed)?;
        let stream = TlsConnector::from(self.tls.clone()).connect(name, stream).await.map_err(failed)?;
        handshake(stream, origin).await
    }

    /// The addresses of a host that this server may connect to.
    async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
        match host.parse::<IpAddr>() {
            Ok(address) if self.allow_private || is_public(address) => {
                Ok(vec![SocketAddr::new(address, port)])
            }
            Ok(_) => Err("it is a private address".to_owned()),
            Err(_) => self.resolver.permitted_addresses(host, port).await.map_err(failed),
        }
    }
}

async fn handshake<S>(stream: S, origin: String) -> Result<KeptConnection, String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
    let task = tokio::spawn(async move {
        // Whoever waits for an answer hears of a failure.
        let _ = connection.await;
    });
    Ok(KeptConnection { sender, origin, task })
}

fn host_of(url: &Uri) -> &str {
    let authority = url.authority().map_or("", |authority| authority.as_str());
    authority.rsplit('@').next().unwrap_or(authority)
}

fn request(url: &Uri, header: &[(&'static str, String)], body: &str) -> Result<Request<Full<Bytes>>, String> {
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::post(path).header(HOST, host_of(url)).header(USER_AGENT, "crier");
    let request = request.header(CONTENT_TYPE, "application/json");
    let request = header.iter().fold(request, |request, (name, value)| request.header(*name, value));
    request.body(Full::new(Bytes::copy_from_slice(body.as_bytes()))).map_err(failed)
}

/// Reads an answer, and keeps the connection if it was read to its end.
async fn read(
    response: Response<hyper::body::Incoming>,
    connection: KeptConnection,
    kept: &mut Option<KeptConnection>,
) -> Result<HookAnswer, String> {
    let status = response.status().as_u16();
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after = retry_after.map(str::to_owned);
    let text = match Limited::new(response.into_body(), ANSWER_BYTES_MAX).collect().await {
        Ok(body) => {
            *kept = Some(connection);
            String::from_utf8_lossy(&body.to_bytes()).into_owned()
        }
        Err(_) => String::new(),
    };
    Ok(HookAnswer { status, retry_after, text })
}
