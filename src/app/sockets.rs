//! Binds the sockets of all listeners, before anything else is started.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use tokio::net::{TcpListener, UnixListener};

use super::error::StartError;
use super::passed::{PassedSockets, Taken};
use crate::config::{Config, ListenAddr};
use crate::control::settings::Listening;
use crate::http::Listener;
use crate::net::socket::bind_unix;

/// All listeners of a server.
pub(super) struct Listeners {
    pub(super) http: Bound,
    pub(super) https: Option<TcpListener>,
    pub(super) smtp: TcpListener,
    pub(super) lmtp: Option<Bound>,
    pub(super) submission: Option<TcpListener>,
    pub(super) metrics: Option<TcpListener>,
}

impl Listeners {
    /// Number of listeners for mail.
    pub(super) fn of_mail(&self) -> usize {
        1 + usize::from(self.lmtp.is_some()) + usize::from(self.submission.is_some())
    }

    /// Where each of them was bound.
    pub(super) fn addresses(&self) -> Result<Addresses, StartError> {
        let of = |listener: &Option<TcpListener>| listener.as_ref().map(local_addr).transpose();
        Ok(Addresses {
            http: self.http.address()?,
            https: of(&self.https)?,
            smtp: local_addr(&self.smtp)?,
            lmtp: self.lmtp.as_ref().map(Bound::address).transpose()?,
            submission: of(&self.submission)?,
            metrics: of(&self.metrics)?,
        })
    }
}

/// Where the listeners of a server were bound, whether it bound them or they were passed to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Addresses {
    /// HTTP.
    pub(super) http: ListenAddr,
    /// HTTPS, if enabled.
    pub(super) https: Option<SocketAddr>,
    /// SMTP.
    pub(super) smtp: SocketAddr,
    /// LMTP, if enabled.
    pub(super) lmtp: Option<ListenAddr>,
    /// Submission, if enabled.
    pub(super) submission: Option<SocketAddr>,
    /// `/metrics`, if enabled.
    pub(super) metrics: Option<SocketAddr>,
}

impl Addresses {
    /// All of them, as they are shown.
    #[must_use]
    pub(super) fn listening(&self) -> Vec<Listening> {
        // No `..`: a listener that is forgotten here would be in no list.
        let Addresses { http, https, smtp, lmtp, submission, metrics } = self.clone();
        let all = [
            ("http", Some(http)),
            ("https", https.map(ListenAddr::Tcp)),
            ("smtp", Some(ListenAddr::Tcp(smtp))),
            ("lmtp", lmtp),
            ("submission", submission.map(ListenAddr::Tcp)),
            ("metrics", metrics.map(ListenAddr::Tcp)),
        ];
        all.into_iter().filter_map(|(name, address)| Some(Listening::at(name, &address?))).collect()
    }

    /// The beginning of links if the operator does not say; fails if a link can lead to none of these.
    pub(super) fn base_url(&self) -> Result<String, StartError> {
        match (self.https, &self.http) {
            (Some(address), _) => Ok(format!("https://{address}")),
            (None, ListenAddr::Tcp(address)) => Ok(format!("http://{address}")),
            (None, ListenAddr::Unix(path)) => Err(StartError::Bind {
                problems: vec![format!(
                    "HTTP on unix:{} needs --base-url, such as https://lists.example.org: links cannot lead to a socket",
                    path.display()
                )],
            }),
        }
    }
}

/// A listener that may be a Unix socket.
pub(super) enum Bound {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Bound {
    /// Where it was bound.
    fn address(&self) -> Result<ListenAddr, StartError> {
        match self {
            Bound::Tcp(listener) => local_addr(listener).map(ListenAddr::Tcp),
            Bound::Unix(listener) => {
                let address = listener.local_addr().map_err(unknown_address)?;
                let path = address.as_pathname().map(Path::to_owned);
                // One that was passed may have a name that is no path.
                let name = || address.as_abstract_name().map(|name| format!("@{}", name.escape_ascii()));
                Ok(ListenAddr::Unix(path.or_else(|| name().map(PathBuf::from)).unwrap_or_default()))
            }
        }
    }

    /// The same for HTTP.
    pub(super) fn of_http(self) -> Listener {
        match self {
            Bound::Tcp(listener) => Listener::Tcp(listener),
            Bound::Unix(listener) => Listener::Unix(listener),
        }
    }
}

/// Binds every listener or takes the socket that was passed for it, or returns the errors of all that cannot be bound.
pub(super) async fn bind(config: &Config, mut passed: PassedSockets) -> Result<Listeners, StartError> {
    let mut problems = Vec::new();
    let http = listen_any(&mut passed, "http", Some(&config.http_listen), &mut problems).await;
    let smtp = listen_on(&mut passed, "smtp", Some(config.smtp_listen), &mut problems).await;
    let lmtp = listen_any(&mut passed, "lmtp", config.lmtp_listen.as_ref(), &mut problems).await;
    let https = listen_on(&mut passed, "https", config.tls.https_listen, &mut problems).await;
    let submission = listen_on(&mut passed, "submission", config.submission_listen, &mut problems).await;
    let metrics = match config.metrics_listen {
        Some(address) => bind_one("--metrics-listen", address, &mut problems).await,
        None => None,
    };
    problems.extend(passed.into_problems());
    match (http, smtp) {
        (Some(http), Some(smtp)) if problems.is_empty() => {
            Ok(Listeners { http, https, smtp, lmtp, submission, metrics })
        }
        _ => Err(StartError::Bind { problems }),
    }
}

/// Takes the socket that was passed for a listener, else binds the address of its flag, if there is one.
async fn listen_on(
    passed: &mut PassedSockets,
    name: &str,
    address: Option<SocketAddr>,
    problems: &mut Vec<String>,
) -> Option<TcpListener> {
    match (passed.take_tcp(name), address) {
        (Some(listener), _) => Some(listener),
        (None, Some(address)) => bind_one(&format!("--{name}-listen"), address, problems).await,
        (None, None) => None,
    }
}

/// The same for a listener whose socket may have a path.
async fn listen_any(
    passed: &mut PassedSockets,
    name: &str,
    address: Option<&ListenAddr>,
    problems: &mut Vec<String>,
) -> Option<Bound> {
    let flag = format!("--{name}-listen");
    match (passed.take(name), address) {
        (Some(Taken::Tcp(listener)), _) => Some(Bound::Tcp(listener)),
        (Some(Taken::Unix(listener)), _) => Some(Bound::Unix(listener)),
        (None, None) => None,
        (None, Some(ListenAddr::Tcp(address))) => bind_one(&flag, *address, problems).await.map(Bound::Tcp),
        (None, Some(ListenAddr::Unix(path))) => bind_unix(path)
            .map_err(|error| problems.push(format!("{flag} unix:{} cannot be used: {error}", path.display())))
            .ok()
            .map(Bound::Unix),
    }
}

async fn bind_one(flag: &str, address: SocketAddr, problems: &mut Vec<String>) -> Option<TcpListener> {
    let hint = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::AddrInUse => "; another program listens there",
        std::io::ErrorKind::AddrNotAvailable => "; this machine does not have that address",
        std::io::ErrorKind::PermissionDenied => "; ports below 1024 need a privilege, 8080 or 2525 do not",
        _ => "",
    };
    TcpListener::bind(address)
        .await
        .map_err(|error| problems.push(format!("{flag} {address} cannot be used: {error}{}", hint(&error))))
        .ok()
}

/// The address that a listener got.
fn local_addr(listener: &TcpListener) -> Result<SocketAddr, StartError> {
    listener.local_addr().map_err(unknown_address)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unknown_address(error: std::io::Error) -> StartError {
    StartError::Bind { problems: vec![error.to_string()] }
}
