//! What every HTTP edge of the server shares: connections and bodies with their limits, whose request it is, and
//! what the API is.
//!
//! It knows no path and no format of a body: those belong to `api` and `web`.

pub mod bodies;
pub mod budget;
pub mod chunks;
mod client;
mod connections;
pub mod reference;
mod stream;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Extensions, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::config::{DRAIN, HttpLimits};
use crate::metrics::Metrics;
use client::{Client, client_of, is_proxy};
use connections::{Connections, Slot};
use stream::Watched;

/// What a connection may keep in memory of what it reads, in bytes: the largest header of a request.
const BUFFER_BYTES_MAX: usize = 32 << 10;
/// How long a client may take for the header of a request, and how long a connection may idle between two.
const HEADER_TIMEOUT: Duration = Duration::from_mins(1);
/// How long to wait when no connection can be accepted, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What kind of path it is, for who counts requests.
fn route_of(path: &str) -> &'static str {
    match path.split('/').nth(1).unwrap_or_default() {
        "api" => "api",
        "assets" => "asset",
        "healthz" | "readyz" => "health",
        "metrics" => "metrics",
        _ => "page",
    }
}

/// Answers HTTP/1.1 until `stop` turns true and what is under way has been answered, or [`DRAIN`] has passed.
///
/// At a limit of connections, the one that has been idle for longest is closed for the next.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    metrics: Arc<Metrics>,
    limits: HttpLimits,
    mut stop: watch::Receiver<bool>,
) {
    let connections = Connections::new(limits.connections_max, limits.connections_per_client_max);
    let limits = Arc::new(limits);
    let graceful = GracefulShutdown::new();
    let accept = async {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    let Some(slot) = connections.admit(limited_client(peer.ip(), &limits)).await else {
                        tracing::debug!(client = %peer, "An HTTP connection from {peer} was one too many");
                        continue;
                    };
                    let stream = Watched::new(stream, slot.activity(), limits.answer_silence_max);
                    let shared = Shared {
                        router: router.clone(),
                        metrics: Arc::clone(&metrics),
                        limits: Arc::clone(&limits),
                    };
                    tokio::spawn(handle_connection(stream, peer, shared, graceful.watcher(), slot));
                }
                Err(error) => {
                    tracing::warn!(error = %error, "No HTTP connection could be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        // An error means that whoever could ask for a stop is gone, which is the same.
        _ = stop.wait_for(|stop| *stop) => {}
        () = accept => {}
    }
    drop(listener);
    if tokio::time::timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!("HTTP connections were cut off at the stop");
    }
}

/// The address under which a client counts; `None` if it may pass on the requests of others.
fn limited_client(client: IpAddr, limits: &HttpLimits) -> Option<IpAddr> {
    let client = client.to_canonical();
    let is_exempt = (client.is_loopback() && !limits.limits_loopback) || is_proxy(client, limits);
    (!is_exempt).then_some(client)
}

/// What all connections of a listener share.
struct Shared {
    router: Router,
    metrics: Arc<Metrics>,
    limits: Arc<HttpLimits>,
}

/// Answers one connection's requests, one after another.
async fn handle_connection(stream: Watched, peer: SocketAddr, shared: Shared, watcher: Watcher, slot: Slot) {
    let _counted = shared.metrics.http.connections.hold([]);
    let (activity, connections) = (slot.activity(), slot.connections());
    let answer = service_fn(move |request: Request<Incoming>| {
        let (begun, route) = (Instant::now(), route_of(request.uri().path()));
        let Shared { router, metrics, limits } = &shared;
        let client = client_of(peer, request.headers(), limits);
        // Those of one client that come through a proxy count like connections of the client.
        let passed_on = Some(client).filter(|client| *client != peer.ip().to_canonical());
        let passed_on = passed_on.and_then(|client| limited_client(client, limits));
        let place = passed_on.map(|client| connections.begin_request(client));
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Client(client));
        if let Some(None) = place {
            request.extensions_mut().insert(TooManyRequests);
        }
        request.extensions_mut().insert(Arc::clone(&activity));
        let (answering, metrics, activity) =
            (router.clone().oneshot(request), Arc::clone(metrics), Arc::clone(&activity));
        async move {
            activity.set_answering(true);
            let answer = answering.await;
            activity.set_answering(false);
            drop(place);
            if let Ok(answer) = &answer {
                metrics.http.note(route, answer.status().as_u16(), begun.elapsed().as_secs_f64());
            }
            answer
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(BUFFER_BYTES_MAX);
    let connection = builder.serve_connection(TokioIo::new(stream), answer);
    let closing = slot.activity();
    tokio::select! {
        ended = watcher.watch(connection) => if let Err(error) = ended {
            tracing::debug!(client = %peer, error = %error, "An HTTP connection from {peer} broke");
        },
        () = closing.closed() => {
            tracing::debug!(client = %peer, "An idle HTTP connection from {peer} made room for another");
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
