//! The server's side of the local socket: a line of JSON in, lines of JSON out.
//!
//! `app` binds and serves it. It lies in the data folder while a server runs, for the file's owner only. Anybody who
//! may write to it could as well write to the data file, so it requires no key.

use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixListener;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::client::{LINE_BYTES_MAX, SOCKET_NAME};
use super::execute::execute;
use super::export;
use super::host::Host;
use super::import::{FRAMES_MAX, Frame, Import, ImportRequest, serve_mails};
use super::inject;
use super::protocol::{Reply, Request};
use crate::net::unix_socket;

/// Most commands that are carried out at a time; more wait.
const COMMANDS_MAX: usize = 4;
/// Longest wait for a peer's request: the command is typed before it connects.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest wait for further rows of an import: their reader may be held up.
const ROWS_TIMEOUT: Duration = Duration::from_mins(5);
/// Mode of the socket: only its owner may open it.
const SOCKET_MODE: u32 = 0o600;

/// A socket that is bound and not served yet.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

impl Socket {
    /// Binds the socket of a data folder whose file this process has open. A socket that exists already was left by a
    /// server that was killed, and is replaced.
    pub fn bind(data_dir: &Path) -> io::Result<Socket> {
        let path = data_dir.join(SOCKET_NAME);
        match std::fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.file_type().is_socket() => std::fs::remove_file(&path)?,
            _ => {}
        }
        // A folder that this program made is open only to its owner; the mode protects the socket in other folders.
        let listener = unix_socket::bind(&path, SOCKET_MODE)?;
        Ok(Socket { listener, path })
    }

    /// Answers until `stop` turns true; then commands in progress end, and the socket is removed.
    pub async fn serve(self, host: Host, mut stop: watch::Receiver<bool>) {
        let mut commands = JoinSet::new();
        let stopping = stop.clone();
        loop {
            tokio::select! {
                biased;
                // A closed channel means stop, too.
                _ = stop.wait_for(|stop| *stop) => break,
                Some(_) = commands.join_next() => {}
                accepted = self.listener.accept(), if commands.len() < COMMANDS_MAX => match accepted {
                    Ok((stream, _)) => drop(commands.spawn(answer(stream, host.clone(), stopping.clone()))),
                    Err(error) => tracing::warn!(error = %error, "No command could be accepted"),
                },
            }
        }
        // The socket is removed first: a command that comes now waits for the data file instead.
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::warn!(error = %error, "The control socket could not be removed");
        }
        while commands.join_next().await.is_some() {}
    }
}

/// Carries out the one command of a connection.
async fn answer(stream: tokio::net::UnixStream, host: Host, stop: watch::Receiver<bool>) {
    let user = stream.peer_cred().ok().map(|peer| peer.uid());
    let (read, mut write) = stream.into_split();
    let mut read = tokio::io::BufReader::new(read);
    let Some(line) = read_line(&mut read, COMMAND_TIMEOUT).await else { return };
    match serde_json::from_str(&line) {
        Ok(Request::Import(request)) => {
            // The frames that are in progress make it large.
            return Box::pin(import(read, write, &host, &request, stop)).await;
        }
        Ok(Request::ImportMails(request)) => return serve_mails(read, write, &host, &request, stop).await,
        Ok(Request::Export(request)) => return export::serve(write, &host, request, stop).await,
        Ok(Request::Inject(request)) => {
            if let Some(text) = inject::read_message(&mut read, &request).await {
                let reply = Reply::injected(inject::inject(&host, request, text, user).await);
                // A command that has disconnected gets no reply; the message is kept all the same.
                let _ = send(&mut write, &reply).await;
            }
            return;
        }
        _ => {}
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
        if send(&mut write, &reply).await.is_err() {
            break;
        }
    }
    // A panic is in the log already; the peer sees the connection end without an answer.
    let _ = work.await;
}

/// Reads the next line; `None` if none comes in time.
pub(super) async fn read_line(
    read: &mut tokio::io::BufReader<OwnedReadHalf>,
    timeout: Duration,
) -> Option<String> {
    let mut line = String::new();
    let mut read = read.take(LINE_BYTES_MAX);
    let bytes = tokio::time::timeout(timeout, read.read_line(&mut line)).await.ok()?.ok()?;
    (0 < bytes).then_some(line)
}

pub(super) async fn send(write: &mut OwnedWriteHalf, reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    write.write_all(&line).await
}

/// Takes the rows of an import, ahead of their answers by as many frames as may be in progress.
async fn import(
    mut read: tokio::io::BufReader<OwnedReadHalf>,
    mut write: OwnedWriteHalf,
    host: &Host,
    request: &ImportRequest,
    mut stop: watch::Receiver<bool>,
) {
    let begun = Import::begin(host, request).map_err(Reply::from);
    let greeting = match &begun {
        Ok(import) => Reply::Ready { origin: import.origin() },
        Err(refusal) => refusal.clone(),
    };
    if send(&mut write, &greeting).await.is_err() {
        return;
    }
    let Ok(mut import) = begun else { return };
    let (frames, mut under_way) = mpsc::channel(FRAMES_MAX);
    let reading = async move {
        loop {
            let line = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => Some(Err("the server stops")),
                line = read_line(&mut read, ROWS_TIMEOUT) => line.map(Ok),
            };
            let frame = match line {
                None => break,
                Some(Ok(line)) => serde_json::from_str::<Frame>(&line).map_err(|_| "these are no rows"),
                Some(Err(reason)) => Err(reason),
            };
            let is_last = frame.is_err();
            let done = match frame {
                Ok(frame) => Ok(import.submit(frame).await),
                Err(reason) => Err(reason.to_owned()),
            };
            if frames.send(done).await.is_err() || is_last {
                break;
            }
        }
    };
    let answering = async move {
        while let Some(frame) = under_way.recv().await {
            let reply = match frame {
                Ok(done) => Reply::of_rows(done.await),
                Err(text) => Reply::Failed { text },
            };
            if send(&mut write, &reply).await.is_err() {
                break;
            }
        }
    };
    tokio::join!(reading, answering);
}
