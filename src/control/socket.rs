//! The local socket: a line of JSON in, lines of JSON out.
//!
//! It lies in the data folder while a server runs, for the file's owner alone. Whoever may write to it could
//! as well write to the data file, so it asks for no key.

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::execute::{Host, execute};
use super::{Reply, Request};

/// The socket's name in the data folder.
pub const SOCKET_NAME: &str = "crier.sock";
/// Longest line that either side takes, in bytes: room for the largest message in base64.
const LINE_BYTES_MAX: u64 = 80 << 20;
/// Commands that are carried out at a time; more wait.
const COMMANDS_MAX: usize = 4;
/// How long a peer may take to say what it wants: its command is typed before it connects.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest path that a socket's address holds, with its final zero (`sockaddr_un`).
const PATH_BYTES_MAX: usize = 108;

/// A folder's socket under a path that is short enough for a socket's address, however deep the folder is.
struct SocketPath {
    path: PathBuf,
    /// Keeps the short path of a deep folder valid.
    _folder: Option<std::fs::File>,
}

impl SocketPath {
    fn of(data_dir: &Path) -> io::Result<SocketPath> {
        let path = data_dir.join(SOCKET_NAME);
        if path.as_os_str().len() < PATH_BYTES_MAX {
            return Ok(SocketPath { path, _folder: None });
        }
        let folder = std::fs::File::open(data_dir)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET_NAME}", folder.as_raw_fd()));
        Ok(SocketPath { path, _folder: Some(folder) })
    }
}

/// A socket that is bound and not served yet.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Socket {
    /// Binds the socket of a data folder whose file this process has open: a socket that is there already was
    /// left by a server that was killed, and is replaced.
    pub fn bind(data_dir: &Path) -> io::Result<Socket> {
        let short = SocketPath::of(data_dir)?;
        match std::fs::symlink_metadata(&short.path) {
            Ok(metadata) if metadata.file_type().is_socket() => std::fs::remove_file(&short.path)?,
            _ => {}
        }
        let listener = UnixListener::bind(&short.path)?;
        // The folder is its owner's alone where this program made it; the mode is for the others.
        std::fs::set_permissions(&short.path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Socket { listener, path: data_dir.join(SOCKET_NAME) })
    }

    /// Answers until `stop` turns true; then what is under way ends, and the socket is removed.
    pub async fn serve(self, host: Host, mut stop: watch::Receiver<bool>) {
        let mut commands = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                // A closed channel means that nobody can ask for anything but the end.
                _ = stop.wait_for(|stop| *stop) => break,
                Some(_) = commands.join_next() => {}
                accepted = self.listener.accept(), if commands.len() < COMMANDS_MAX => match accepted {
                    Ok((stream, _)) => drop(commands.spawn(answer(stream, host.clone()))),
                    Err(error) => tracing::warn!(error = %error, "No command could be accepted"),
                },
            }
        }
        // The file goes first: a command that comes now waits for the data file instead.
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::warn!(error = %error, "The control socket could not be removed");
        }
        while commands.join_next().await.is_some() {}
    }
}

/// Carries out the one command of a connection.
async fn answer(stream: tokio::net::UnixStream, host: Host) {
    let (read, mut write) = stream.into_split();
    let mut line = String::new();
    let mut read = tokio::io::BufReader::new(read.take(LINE_BYTES_MAX));
    let read = tokio::time::timeout(COMMAND_TIMEOUT, read.read_line(&mut line)).await;
    if !matches!(read, Ok(Ok(bytes)) if 0 < bytes) {
        return;
    }
    let (replies, mut lines) = mpsc::unbounded_channel();
    let work = tokio::task::spawn_blocking(move || {
        // The receiver is gone only when this task ends.
        let send = |reply: Reply| drop(replies.send(reply));
        let reply = match serde_json::from_str::<Request>(&line) {
            Ok(request) => match request.parse() {
                Ok(command) => execute(&host, command, &mut |text| send(Reply::Progress { text })),
                Err(problems) => Reply::invalid(problems),
            },
            Err(error) => Reply::Failed {
                text: format!("the running server does not know this command ({error}): its version differs"),
            },
        };
        send(reply);
    });
    while let Some(reply) = lines.recv().await {
        let Ok(mut line) = serde_json::to_vec(&reply) else { return };
        line.push(b'\n');
        if write.write_all(&line).await.is_err() {
            break;
        }
    }
    // A panic is in the log already; the peer sees the connection end without an answer.
    let _ = work.await;
}

/// Who carried out a command.
#[derive(Debug)]
pub enum Asked {
    /// The server that runs on this data folder, with its answer.
    Server(Reply),
    /// Nobody: no server runs.
    Nobody,
}

/// Asks the server that runs on `data_dir`, if one does. Blocks; `progress` hears what long work is at.
pub fn ask(data_dir: &Path, request: &Request, progress: &mut dyn FnMut(String)) -> io::Result<Asked> {
    let stream = match SocketPath::of(data_dir).and_then(|short| UnixStream::connect(&short.path)) {
        Ok(stream) => stream,
        // Refused: the socket was left by a server that was killed.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(Asked::Nobody);
        }
        Err(error) => return Err(error),
    };
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    (&stream).write_all(&line)?;
    let mut replies = io::BufReader::new(&stream);
    loop {
        let mut line = String::new();
        if (&mut replies).take(LINE_BYTES_MAX).read_line(&mut line)? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server ended before it answered"));
        }
        match serde_json::from_str(&line)? {
            Reply::Progress { text } => progress(text),
            reply => return Ok(Asked::Server(reply)),
        }
    }
}
