//! The socket of one HTTP connection: notes when bytes move, and gives up on a client that does not read its response.
//!
//! HTTP itself, or TLS and then HTTP, runs on top of it. Idle connections are closed by `connections`.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::connections::Activity;

/// A socket with its [`Activity`].
pub(super) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
    silence_max: Duration,
    /// The time limit that runs while the client reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Watched<S> {
    /// Wraps a socket; writes fail once the client has read nothing for `silence_max`.
    pub(super) fn new(stream: S, activity: Arc<Activity>, silence_max: Duration) -> Watched<S> {
        Watched { stream, activity, silence_max, stalled: None }
    }

    fn written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            self.activity.touch();
            return written;
        }
        let silence_max = self.silence_max;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(silence_max)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if before < buffer.filled().len() {
            self.activity.touch();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt as _;
    use tokio::net::{TcpListener, TcpStream};

    #[tokio::test]
    async fn a_client_that_takes_nothing_of_its_answer_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut stream = Watched::new(stream, Arc::new(Activity::new()), Duration::from_millis(50));
        let error = loop {
            // The kernel takes some megabytes first.
            if let Err(error) = stream.write_all(&[b'x'; 1 << 14]).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(client);
    }
}
