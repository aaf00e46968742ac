//! The sockets on which HTTP comes in: a TCP port, a TCP port with TLS, or a Unix socket.

use std::io;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio_rustls::TlsAcceptor;

use super::client::Peer;
use crate::config::HttpLimits;

/// A bound socket.
pub enum Listener {
    /// A port of plain HTTP.
    Tcp(TcpListener),
    /// A Unix socket, for programs of this machine.
    Unix(UnixListener),
    /// A port of HTTPS.
    Tls(TcpListener, Arc<ServerConfig>),
}

/// The socket of a connection.
pub(super) enum Accepted {
    Tcp(TcpStream),
    Unix(UnixStream),
    /// Its handshake is still to be taken.
    Tls(TcpStream, TlsAcceptor),
}

impl Listener {
    /// The next connection.
    pub(super) async fn accept(&self, limits: &HttpLimits) -> io::Result<(Accepted, Peer)> {
        let tcp = |(stream, peer): (TcpStream, std::net::SocketAddr)| {
            // Responses are complete when they are written: waiting for more bytes only delays them. If the option
            // cannot be set, only speed is lost.
            let _ = stream.set_nodelay(true);
            (stream, Peer::at(peer.ip(), limits))
        };
        Ok(match self {
            Listener::Tcp(listener) => {
                let (stream, peer) = tcp(listener.accept().await?);
                (Accepted::Tcp(stream), peer)
            }
            Listener::Unix(listener) => {
                let (stream, _) = listener.accept().await?;
                (Accepted::Unix(stream), Peer::on_unix_socket(limits))
            }
            Listener::Tls(listener, config) => {
                let (stream, peer) = tcp(listener.accept().await?);
                (Accepted::Tls(stream, TlsAcceptor::from(Arc::clone(config))), peer)
            }
        })
    }
}
