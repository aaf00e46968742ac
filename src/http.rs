//! What every HTTP edge of the server shares: sockets with their limits, whose request it is, and what the API is.
//!
//! It knows no path and no body: those belong to `api` and `web`.

pub mod reference;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Extensions, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

use crate::config::DRAIN;
use crate::metrics::Metrics;

/// Connections at a time; more wait in the kernel until one ends.
const CONNECTIONS_MAX: usize = 4096;
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
pub async fn serve(
    listener: TcpListener,
    router: Router,
    metrics: Arc<Metrics>,
    mut stop: watch::Receiver<bool>,
) {
    let open = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let graceful = GracefulShutdown::new();
    let accept = async {
        loop {
            let permit = open.clone().acquire_owned().await;
            match (permit, listener.accept().await) {
                (Ok(permit), Ok((stream, peer))) => {
                    let (router, metrics) = (router.clone(), Arc::clone(&metrics));
                    tokio::spawn(converse(stream, peer, router, metrics, graceful.watcher(), permit));
                }
                (Ok(_), Err(error)) => {
                    tracing::warn!(error = %error, "No HTTP connection could be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                // The semaphore is never closed.
                (Err(_), _) => return,
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

/// Answers one connection's requests, one after another.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    metrics: Arc<Metrics>,
    watcher: Watcher,
    _permit: OwnedSemaphorePermit,
) {
    let _counted = metrics.http.connections.hold([]);
    // Answers are whole when they are written: waiting for more of them only delays them. Failing to say so
    // costs speed alone.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request: Request<Incoming>| {
        let (begun, route) = (Instant::now(), route_of(request.uri().path()));
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let (answering, metrics) = (router.clone().oneshot(request), Arc::clone(&metrics));
        async move {
            let answer = answering.await;
            if let Ok(answer) = &answer {
                metrics.http.note(route, answer.status().as_u16(), begun.elapsed().as_secs_f64());
            }
            answer
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let connection = builder.serve_connection(TokioIo::new(stream), answer);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(client = %peer, error = %error, "An HTTP connection from {peer} broke");
    }
}

/// The address from which a request came; the unspecified one where no network was involved.
#[must_use]
pub fn client_addr(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip().to_canonical())
}
