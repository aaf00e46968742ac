//! Runs the receiving [`Session`](super::session::Session)s: sockets, time limits, TLS and an orderly end.
//!
//! Every connection is a task. Replies to pipelined commands are sent in one write. The 250 after the data is sent only
//! when [`MailBackend::receive`] has resolved, which is when the message is durable. All decisions about mail are the
//! [`MailBackend`]'s.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::Instrument as _;

pub use super::backend::{MailBackend, received_header};
use super::connection::Connection;
use super::gate::Gate;
pub use super::options::ListenerOptions;
use super::options::{Shared, stopped};
use super::reply::Reply;
use super::session::Protocol;
use crate::log_id;
use crate::net::socket::Accept;

/// How long to wait after no connection could be accepted, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections on `listener` until `stop` turns true; then sessions in their data finish, all others get 421,
/// and the call returns.
pub async fn serve<L: Accept, M: MailBackend>(
    listener: L,
    backend: M,
    options: ListenerOptions,
    mut stop: watch::Receiver<bool>,
) {
    let gate = Arc::new(Gate::new(options.gate.clone()));
    let shared = Arc::new(Shared { backend, options, received: AtomicU64::new(0) });
    let mut connections = JoinSet::new();
    let stop_of_connections = stop.clone();
    loop {
        tokio::select! {
            biased;
            () = stopped(&mut stop) => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, client)) => {
                    let stop = stop_of_connections.clone();
                    let serving = handle_connection(stream, client, gate.clone(), shared.clone(), stop);
                    // Of the level that is always logged: a line of any level is to have it.
                    let span = tracing::error_span!("smtp", session.id = log_id::new());
                    connections.spawn(Box::pin(serving.instrument(span)));
                }
                Err(error) => {
                    tracing::warn!(error = %error, "No SMTP connection could be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(ended) = connections.join_next() => report_panic(ended),
        }
    }
    drop(listener);
    let drained = async {
        while let Some(ended) = connections.join_next().await {
            report_panic(ended);
        }
    };
    if tokio::time::timeout(shared.options.drain, drained).await.is_err() {
        tracing::warn!(smtp.connections = connections.len(), "SMTP connections were cut off at the stop");
    }
}

fn report_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(error = %error, "The task of an SMTP connection panicked");
    }
}

async fn handle_connection<S, M: MailBackend>(
    mut stream: S,
    client: IpAddr,
    gate: Arc<Gate>,
    shared: Arc<Shared<M>>,
    stop: watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Some(pass) = gate.admit(client) else {
        tracing::info!(client.address = %client, "An SMTP connection was refused: too many from {client}");
        shared.options.metrics.receiving.sessions.count([shared.options.session.protocol.word(), "refused"]);
        if shared.options.session.protocol == Protocol::Submission {
            // The client waits for TLS, which a refusal is not worth.
            return;
        }
        refuse(&mut stream, shared.options.command_timeout).await;
        return;
    };
    if let Err(error) = Connection::new(shared, pass, client, stop).run(stream).await {
        tracing::debug!(client.address = %client, error = %error, "An SMTP connection from {client} broke");
    }
}

async fn refuse<S: AsyncWrite + Unpin>(stream: &mut S, timeout: Duration) {
    let mut out = Vec::new();
    Reply::new(421, "4.7.0", "Too many connections, try again later").render(&mut out);
    // A reply that does not reach the client changes nothing here.
    let _ = tokio::time::timeout(timeout, stream.write_all(&out)).await;
}

#[cfg(test)]
mod tests;
