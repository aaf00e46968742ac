//! Fetches files by HTTP and HTTPS from servers that a tenant names. Only addresses to which mail may go are
//! connected to, so that nobody reads this machine's own network through this server.

use std::fmt::Display;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, HOST, LOCATION, USER_AGENT};
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::dns::{DnsOptions, MxError, Resolver};
use super::sts::connect;
use crate::config::Config;
use crate::model::ranges::is_public;

/// How long a whole fetch may take, with its redirects.
const FETCH_MAX: Duration = Duration::from_secs(10);
/// Redirects that are followed.
const REDIRECTS_MAX: usize = 5;

/// The reason why a file could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// No server was reached, or it did not answer as it should.
    #[error("{0}")]
    Unreachable(String),
    /// It did not come in time.
    #[error("no answer in time")]
    TimedOut,
    /// The server answered that there is no such file.
    #[error("the server answered {0}")]
    Status(StatusCode),
    /// The file is larger than allowed.
    #[error("the file is too large")]
    TooLarge,
}

fn unreachable(error: impl Display) -> FileError {
    FileError::Unreachable(error.to_string())
}

/// Fetches files.
#[derive(Clone)]
pub struct FileClient {
    resolver: Resolver,
    allow_private: bool,
    tls: Arc<rustls::ClientConfig>,
}

/// The answer to one request.
enum Reply {
    File(Bytes),
    Elsewhere(String),
}

impl FileClient {
    /// A client that finds servers as the rest of the server does, and trusts the public authorities.
    pub fn new(config: &Config) -> Result<FileClient, MxError> {
        Ok(FileClient {
            resolver: Resolver::new(&DnsOptions::new(config))?,
            allow_private: config.allow_private_mx,
            tls: super::tls::verifying_client(&config.trust),
        })
    }

    /// The file at a URL, of at most `bytes_max` bytes.
    pub async fn fetch(&self, url: &str, bytes_max: usize) -> Result<Bytes, FileError> {
        timeout(FETCH_MAX, self.follow(url, bytes_max)).await.unwrap_or(Err(FileError::TimedOut))
    }

    async fn follow(&self, url: &str, bytes_max: usize) -> Result<Bytes, FileError> {
        let mut url: Uri = url.parse().map_err(unreachable)?;
        for _ in 0..=REDIRECTS_MAX {
            match self.get(&url, bytes_max).await? {
                Reply::File(bytes) => return Ok(bytes),
                Reply::Elsewhere(location) => url = resolve(&url, &location)?,
            }
        }
        Err(unreachable("it leads on and on"))
    }

    async fn get(&self, url: &Uri, bytes_max: usize) -> Result<Reply, FileError> {
        let host = url.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let is_secure = match url.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(unreachable("it is no address of HTTP")),
        };
        let port = url.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let stream = connect(&self.addresses(&host, port).await?).await.map_err(unreachable)?;
        if !is_secure {
            return exchange(stream, url, bytes_max).await;
        }
        let name = ServerName::try_from(host).map_err(unreachable)?;
        let stream = TlsConnector::from(self.tls.clone()).connect(name, stream).await;
        exchange(stream.map_err(unreachable)?, url, bytes_max).await
    }

    /// The addresses of a host that this server may connect to.
    async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, FileError> {
        match host.parse::<IpAddr>() {
            Ok(address) if self.allow_private || is_public(address) => {
                Ok(vec![SocketAddr::new(address, port)])
            }
            Ok(_) => Err(unreachable("it is a private address")),
            Err(_) => self.resolver.permitted_addresses(host, port).await.map_err(unreachable),
        }
    }
}

/// Sends one request over a connection, and reads the answer.
async fn exchange<S>(stream: S, url: &Uri, bytes_max: usize) -> Result<Reply, FileError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(unreachable)?;
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let host = url.authority().map_or("", |authority| authority.as_str());
    // A password in the address is nobody's business but the tenant's.
    let host = host.rsplit('@').next().unwrap_or(host);
    let request = Request::get(path).header(HOST, host).header(USER_AGENT, "crier").header(ACCEPT, "image/*");
    let request = request.body(Empty::<Bytes>::new()).map_err(unreachable)?;
    let getting = async {
        let response = sender.send_request(request).await.map_err(unreachable)?;
        let status = response.status();
        if status.is_redirection()
            && let Some(location) = response.headers().get(LOCATION)
        {
            return location
                .to_str()
                .map(|location| Reply::Elsewhere(location.to_owned()))
                .map_err(unreachable);
        }
        if status != StatusCode::OK {
            return Err(FileError::Status(status));
        }
        match Limited::new(response.into_body(), bytes_max).collect().await {
            Ok(body) => Ok(Reply::File(body.to_bytes())),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(FileError::TooLarge),
            Err(error) => Err(unreachable(error)),
        }
    };
    // The connection's task ends with the request. It may end first, and leave the answer to be read.
    let mut getting = std::pin::pin!(getting);
    tokio::select! {
        reply = &mut getting => reply,
        ended = connection => match ended {
            Ok(()) => getting.await,
            Err(error) => Err(unreachable(error)),
        },
    }
}

/// The URL that a redirect leads to.
fn resolve(from: &Uri, location: &str) -> Result<Uri, FileError> {
    let (scheme, authority) = match (from.scheme_str(), from.authority()) {
        (Some(scheme), Some(authority)) => (scheme, authority.as_str()),
        _ => return Err(unreachable("it leads nowhere")),
    };
    let location = location.split('#').next().unwrap_or_default();
    let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = if location.contains("://") {
        location.to_owned()
    } else if location.starts_with("//") {
        format!("{scheme}:{location}")
    } else if location.starts_with('/') {
        format!("{scheme}://{authority}{location}")
    } else {
        format!("{scheme}://{authority}{folder}/{location}")
    };
    absolute.parse().map_err(unreachable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(location: &str, expected: &str) {
        let from: Uri = "https://a.example:8443/x/y.png?q".parse().unwrap();
        assert_eq!(resolve(&from, location).unwrap().to_string(), expected);
    }

    #[test]
    fn a_redirect_is_read_as_a_browser_reads_it() {
        check("http://b.example/z#part", "http://b.example/z");
        check("//b.example/z", "https://b.example/z");
        check("/z?a=b", "https://a.example:8443/z?a=b");
        check("z", "https://a.example:8443/x/z");
        assert!(resolve(&"/x".parse().unwrap(), "z").is_err());
    }
}
