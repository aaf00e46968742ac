//! The sockets on which mail comes in: a TCP port or a Unix socket.
//!
//! The listener accepts connections through one trait for both. A Unix socket is replaced only if no server answers on
//! it.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use super::unix_socket;

/// The mode of the Unix socket: every program of this machine may open it, as with the loopback port. The permissions
/// of its folder can narrow that.
const SOCKET_MODE: u32 = 0o666;

/// Accepts connections.
pub trait Accept: Send + 'static {
    /// One connection.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// The next connection and its client's address; loopback if it comes from this machine without a network.
    fn accept(&self) -> impl Future<Output = io::Result<(Self::Stream, IpAddr)>> + Send;
}

impl Accept for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<(TcpStream, IpAddr)> {
        let (stream, peer) = TcpListener::accept(self).await?;
        // Without it the kernel would delay small replies; failing to set it only costs speed.
        let _ = stream.set_nodelay(true);
        Ok((stream, peer.ip().to_canonical()))
    }
}

impl Accept for UnixListener {
    type Stream = UnixStream;

    async fn accept(&self) -> io::Result<(UnixStream, IpAddr)> {
        let (stream, _) = UnixListener::accept(self).await?;
        Ok((stream, IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }
}

/// Creates a socket at `path`, and replaces one that a killed server left there.
pub fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    let is_socket = path.symlink_metadata().is_ok_and(|found| found.file_type().is_socket());
    if is_socket && std::os::unix::net::UnixStream::connect(path).is_err() {
        std::fs::remove_file(path)?;
    }
    unix_socket::bind(path, SOCKET_MODE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_socket_left_behind_is_replaced_and_one_in_use_or_another_file_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lmtp");
        drop(bind_unix(&path).unwrap());
        assert!(path.exists(), "a closed socket leaves its name");
        let _listener = bind_unix(&path).unwrap();
        assert_eq!(bind_unix(&path).unwrap_err().kind(), io::ErrorKind::AddrInUse);
        let file = folder.path().join("file");
        std::fs::write(&file, "kept").unwrap();
        assert!(bind_unix(&file).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "kept");
    }
}
