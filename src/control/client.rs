//! The command's side of the local socket: connects to the running server, sends a request and reads the answers.
//!
//! `cli` calls it and works on the store directly if no server runs.

use std::io::{self, BufRead, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde::Serialize;

use super::inject::InjectRequest;
use super::protocol::{Reply, Request};
use crate::net::unix_socket::SocketPath;

/// The socket's name in the data folder.
pub const SOCKET_NAME: &str = "crier.sock";
/// Longest line that either side accepts, in bytes: room for the largest message in base64.
pub(super) const LINE_BYTES_MAX: u64 = 80 << 20;

/// The outcome of asking for a running server.
#[derive(Debug)]
pub enum Asked {
    /// The server that runs on this data folder, with its answer.
    Server(Reply),
    /// No server runs.
    Nobody,
}

/// Connects to the server that runs on `data_dir`, if one does.
pub(super) fn connect(data_dir: &Path) -> io::Result<Option<UnixStream>> {
    let connect = |path: SocketPath| UnixStream::connect(path.as_path());
    match SocketPath::new(data_dir, SOCKET_NAME).and_then(connect) {
        Ok(stream) => Ok(Some(stream)),
        // Refused: the socket was left by a server that was killed.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Whether a server runs on `data_dir` that this process may speak to.
#[must_use]
pub fn is_running(data_dir: &Path) -> bool {
    matches!(connect(data_dir), Ok(Some(_)))
}

/// Sends a request to the server that runs on `data_dir`, if one does. Blocks; `progress` gets the progress of long
/// work.
pub fn ask(data_dir: &Path, request: &Request, progress: &mut dyn FnMut(String)) -> io::Result<Asked> {
    let Some(stream) = connect(data_dir)? else { return Ok(Asked::Nobody) };
    write_line(&stream, request)?;
    let mut replies = io::BufReader::new(&stream);
    loop {
        match read_reply(&mut replies)? {
            Reply::Progress { text } => progress(text),
            reply => return Ok(Asked::Server(reply)),
        }
    }
}

/// Hands a message to the server that runs on `data_dir`; returns `None` if no server does. Blocks.
pub fn inject(data_dir: &Path, request: &InjectRequest, text: &[u8]) -> io::Result<Option<Reply>> {
    let Some(stream) = connect(data_dir)? else { return Ok(None) };
    let sent = write_line(&stream, &Request::Inject(request.clone()));
    let sent = sent.and_then(|()| (&stream).write_all(text));
    match (sent, read_reply(&mut io::BufReader::new(&stream))) {
        // A server that refuses before it has read everything has still sent the reason.
        (_, Ok(reply)) => Ok(Some(reply)),
        (Err(error), _) | (Ok(()), Err(error)) => Err(error),
    }
}

/// Writes a value as one line of JSON.
pub(super) fn write_line(mut stream: impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// Reads the server's next reply.
pub(super) fn read_reply<R: BufRead>(replies: &mut R) -> io::Result<Reply> {
    let mut line = String::new();
    if replies.take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server ended before it answered"));
    }
    Ok(serde_json::from_str(&line)?)
}
