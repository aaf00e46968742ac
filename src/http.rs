//! The common parts of the server's HTTP edges: connections and bodies with their limits, whose request it is, and
//! what the API is.
//!
//! It knows no path and no format of a body: those belong to `api` and `web`.

pub mod bodies;
pub mod budget;
pub mod chunks;
mod client;
mod connections;
pub mod costly;
mod listener;
pub mod reference;
mod refusals;
pub mod sms;
mod stream;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::header::STRICT_TRANSPORT_SECURITY;
use axum::http::{Extensions, HeaderName, HeaderValue, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;
use tracing::Instrument as _;

use crate::config::{DRAIN, HttpLimits};
use crate::log_id;
use crate::metrics::Metrics;
use client::{Client, Peer, client_of, limited_client};
use connections::{Connections, Slot};
use listener::Accepted;
pub use listener::Listener;
pub use refusals::RefusalPage;
use refusals::{Refusing, Unread};
use stream::Watched;

/// Bytes that a connection may keep in memory while it reads: the largest header of a request.
const BUFFER_BYTES_MAX: usize = 32 << 10;
/// How long a client may take for the header of a request, and how long a connection may idle between two.
const HEADER_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a client may take for a TLS handshake.
const HANDSHAKE_MAX: Duration = Duration::from_secs(15);
/// The protocol in which an authority proves by TLS whose name it is (RFC 8737).
const ACME_TLS: &[u8] = b"acme-tls/1";
/// Browsers that were here by HTTPS come by nothing else for a year (RFC 6797).
const ONLY_HTTPS: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// Names a request in its answer, as the log does.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long to wait when no connection can be accepted, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The kind of a path, under which requests are counted.
fn route_of(path: &str) -> &'static str {
    match path.split('/').nth(1).unwrap_or_default() {
        "api" => "api",
        "assets" => "asset",
        "healthz" | "readyz" => "health",
        "metrics" => "metrics",
        _ => "page",
    }
}

/// A listener, and what answers there.
pub struct Endpoint {
    /// Where connections come in.
    pub listener: Listener,
    /// The service that answers their requests.
    pub router: Router,
    /// Makes the page for requests that cannot be read.
    pub refusal: RefusalPage,
}

/// Answers HTTP/1.1 until `stop` turns true and what is under way has been answered, or [`DRAIN`] has passed.
///
/// The limits hold for both endpoints together. At a limit of connections, the one that has been idle for longest is
/// closed for the next.
pub async fn serve(
    endpoint: Endpoint,
    second: Option<Endpoint>,
    metrics: Arc<Metrics>,
    limits: HttpLimits,
    mut stop: watch::Receiver<bool>,
) {
    let connections = Connections::new(limits.connections_max, limits.connections_per_client_max);
    let (limits, graceful) = (Arc::new(limits), GracefulShutdown::new());
    let shared = |endpoint: &Endpoint| Shared {
        router: endpoint.router.clone(),
        refusal: endpoint.refusal,
        metrics: Arc::clone(&metrics),
        limits: Arc::clone(&limits),
        is_tls: matches!(endpoint.listener, Listener::Tls(..)),
        stop: stop.clone(),
    };
    let (one, two) = (shared(&endpoint), second.as_ref().map(shared));
    let accept = async {
        let second = async {
            if let (Some(Endpoint { listener, .. }), Some(shared)) = (&second, &two) {
                accept_all(listener, shared, &connections, &graceful).await;
            }
        };
        tokio::join!(accept_all(&endpoint.listener, &one, &connections, &graceful), second);
    };
    tokio::select! {
        // An error means that whoever could ask for a stop is gone, which is the same.
        _ = stop.wait_for(|stop| *stop) => {}
        () = accept => {}
    }
    drop((endpoint, second));
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("HTTP connections were cut off at the stop");
    }
}

/// Accepts the connections of one listener for ever.
async fn accept_all(
    listener: &Listener,
    shared: &Shared,
    connections: &Arc<Connections>,
    graceful: &GracefulShutdown,
) {
    loop {
        let (stream, peer) = match listener.accept(&shared.limits).await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(error = %error, "No HTTP connection could be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(slot) = connections.admit(peer.limited(&shared.limits)).await else {
            let client = peer.address;
            tracing::debug!(client = %client, "An HTTP connection from {client} was one too many");
            continue;
        };
        let opened = Opened { peer, slot, watcher: graceful.watcher(), shared: shared.clone() };
        match stream {
            Accepted::Tcp(stream) => {
                let stream = opened.watched(stream);
                tokio::spawn(handle_connection(stream, opened));
            }
            Accepted::Unix(stream) => {
                let stream = opened.watched(stream);
                tokio::spawn(handle_connection(stream, opened));
            }
            Accepted::Tls(stream, acceptor) => {
                let stream = opened.watched(stream);
                tokio::spawn(handle_tls(stream, acceptor, opened));
            }
        }
    }
}

/// The state that all connections of a listener share.
#[derive(Clone)]
struct Shared {
    router: Router,
    refusal: RefusalPage,
    metrics: Arc<Metrics>,
    limits: Arc<HttpLimits>,
    is_tls: bool,
    stop: watch::Receiver<bool>,
}

/// An admitted connection, without its socket.
struct Opened {
    peer: Peer,
    slot: Slot,
    watcher: Watcher,
    shared: Shared,
}

impl Opened {
    fn watched<S>(&self, stream: S) -> Watched<S> {
        Watched::new(stream, self.slot.activity(), self.shared.limits.answer_silence_max)
    }
}

/// Takes the TLS handshake of a connection, for which the client has a limited time, and then answers its requests.
async fn handle_tls(stream: Watched<TcpStream>, acceptor: TlsAcceptor, mut opened: Opened) {
    let (client, closing) = (opened.peer.address, opened.slot.activity());
    let handshake = tokio::select! {
        done = tokio::time::timeout(HANDSHAKE_MAX, acceptor.accept(stream)) => done,
        () = closing.closed() => return,
        _ = opened.shared.stop.wait_for(|stop| *stop) => return,
    };
    match handshake {
        // The handshake itself is what this client came for (RFC 8737 3).
        Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(ACME_TLS) => {}
        Ok(Ok(stream)) => handle_connection(stream, opened).await,
        Ok(Err(error)) => {
            tracing::debug!(client = %client, error = %error, "The TLS handshake with {client} failed");
        }
        Err(_) => tracing::debug!(client = %client, "The TLS handshake with {client} took too long"),
    }
}

/// Answers one connection's requests, one after another.
async fn handle_connection<S>(stream: S, opened: Opened)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let Opened { peer, slot, watcher, shared } = opened;
    let client = peer.address;
    let _counted = shared.metrics.http.connections.hold([]);
    let (activity, connections) = (slot.activity(), slot.connections());
    let unread = Unread::default();
    let stream = Refusing::new(stream, shared.refusal, unread.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        unread.end();
        let (begun, route) = (Instant::now(), route_of(request.uri().path()));
        let Shared { router, metrics, limits, is_tls, .. } = &shared;
        let client = client_of(peer, request.headers(), limits);
        // Those of one client that come through a proxy count like connections of the client.
        let passed_on = Some(client).filter(|client| *client != peer.address);
        let passed_on = passed_on.and_then(|client| limited_client(client, limits));
        let place = passed_on.map(|client| connections.begin_request(client));
        let (is_tls, is_secure) = (*is_tls, *is_tls || peer.says_secure(request.headers()));
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Client(client));
        request.extensions_mut().insert(Secure(is_secure));
        // What a client calls its request would let it write into the log what it likes.
        let id = log_id::new();
        request.extensions_mut().insert(RequestId(id.clone()));
        if let Some(None) = place {
            request.extensions_mut().insert(TooManyRequests);
        }
        request.extensions_mut().insert(Arc::clone(&activity));
        let (answering, metrics, activity) =
            (router.clone().oneshot(request), Arc::clone(metrics), Arc::clone(&activity));
        // Of the level that is always logged: a line of any level is to have it.
        let span = tracing::error_span!("request", request.id = id);
        let answering = async move {
            activity.set_answering(true);
            let mut answer = answering.await;
            activity.set_answering(false);
            drop(place);
            if let Ok(answer) = &mut answer {
                let status = answer.status().as_u16();
                metrics.http.note(route, status, begun.elapsed().as_secs_f64());
                tracing::debug!(http.status = status, client = %client, "A request ({route}) was answered {status}");
                if is_tls {
                    answer.headers_mut().insert(STRICT_TRANSPORT_SECURITY, ONLY_HTTPS);
                }
                answer.headers_mut().extend(HeaderValue::try_from(id).ok().map(|id| (REQUEST_ID, id)));
            }
            answer
        };
        answering.instrument(span)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(BUFFER_BYTES_MAX);
    let connection = builder.serve_connection(TokioIo::new(stream), answer);
    let closing = slot.activity();
    tokio::select! {
        ended = watcher.watch(connection) => if let Err(error) = ended {
            tracing::debug!(client = %client, error = %error, "An HTTP connection from {client} broke");
        },
        () = closing.closed() => {
            tracing::debug!(client = %client, "An idle HTTP connection from {client} made room for another");
        }
    }
}

/// The client of a request that a proxy passed on has as many under way as it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too many requests from your address are under way")]
pub struct TooManyRequests;

impl TooManyRequests {
    /// When it is worth another try, in seconds.
    pub const RETRY_SECS: u64 = 5;
}

/// Passes if the client of a request may have one more under way. Whoever answers requests asks this first.
pub fn check_client(extensions: &Extensions) -> Result<(), TooManyRequests> {
    extensions.get::<TooManyRequests>().map_or(Ok(()), |refusal| Err(*refusal))
}

/// The address of the client of a request: its peer, or the one that a trusted proxy names. The unspecified one if no
/// network was involved.
#[must_use]
pub fn client_addr(extensions: &Extensions) -> IpAddr {
    extensions.get::<Client>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Client(client)| *client)
}

/// The id of a request.
#[derive(Debug, Clone)]
struct RequestId(String);

/// The id of a request in its answer and in the log; a new one if no network was involved.
#[must_use]
pub fn request_id(extensions: &Extensions) -> String {
    extensions.get::<RequestId>().map_or_else(log_id::new, |RequestId(id)| id.clone())
}

/// Whether a request came by HTTPS.
#[derive(Debug, Clone, Copy)]
struct Secure(bool);

/// Whether a request came by HTTPS: to this server, or to a trusted proxy that says so.
#[must_use]
pub fn is_secure(extensions: &Extensions) -> bool {
    extensions.get::<Secure>().is_some_and(|Secure(is_secure)| *is_secure)
}
