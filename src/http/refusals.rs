//! Answers requests that HTTP itself cannot read with a page and the number of the request.
//!
//! The library that reads requests answers those whose path or header has bytes that none may have by itself: with a
//! status and nothing else. This wrapper of the socket sees that answer go by and sends a page in its place. The page is
//! made by `web`, which the server hands along as a [`RefusalPage`].

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::log_id;

/// Makes the page for a request that could not be read, of its status and its number.
pub type RefusalPage = fn(u16, &str) -> String;

/// Whether what was read last is no request yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread(Arc<AtomicBool>);

impl Unread {
    /// Notes that a request was read: from here on the application answers.
    pub(super) fn end(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A socket on which bare refusals become pages.
pub(super) struct Refusing<S> {
    stream: S,
    page: RefusalPage,
    unread: Unread,
    /// A page under way.
    sending: Option<Sending>,
}

/// A page that is sent in place of a bare refusal.
struct Sending {
    answer: Vec<u8>,
    sent: usize,
    /// The length of the refusal.
    replaced: usize,
}

impl<S> Refusing<S> {
    pub(super) fn new(stream: S, page: RefusalPage, unread: Unread) -> Refusing<S> {
        Refusing { stream, page, unread, sending: None }
    }
}

impl<S: AsyncWrite + Unpin> Refusing<S> {
    /// Sends the page in place of `bytes`, if they are a bare refusal; `None` if they are anything else.
    fn poll_page(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Option<Poll<io::Result<usize>>> {
        if self.sending.is_none() {
            let status = bare_refusal(bytes).filter(|_| self.unread.0.load(Ordering::Relaxed))?;
            let answer = answer(status, self.page);
            self.sending = Some(Sending { answer, sent: 0, replaced: bytes.len() });
        }
        Some(self.poll_send(context))
    }

    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let Some(sending) = &mut self.sending else { return Poll::Ready(Ok(0)) };
        while sending.sent < sending.answer.len() {
            let rest = &sending.answer[sending.sent..];
            match ready!(Pin::new(&mut self.stream).poll_write(context, rest)) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(sent) => sending.sent += sent,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        let replaced = sending.replaced;
        self.sending = None;
        Poll::Ready(Ok(replaced))
    }
}

/// The status of a refusal that has a head alone, and no number as every answer of the application has.
fn bare_refusal(bytes: &[u8]) -> Option<u16> {
    /// Longest of them.
    const BYTES_MAX: usize = 256;
    let is_short =
        bytes.len() <= BYTES_MAX && bytes.starts_with(b"HTTP/1.1 4") && bytes.ends_with(b"\r\n\r\n");
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_short)?;
    let is_bare = text.contains("content-length: 0\r\n") && !text.contains("x-request-id");
    text.get(9..12).filter(|_| is_bare)?.parse().ok()
}

/// The whole answer with the page.
fn answer(status: u16, page: RefusalPage) -> Vec<u8> {
    let id = log_id::new();
    let reason = match status {
        414 => "URI Too Long",
        431 => "Request Header Fields Too Large",
        _ => "Bad Request",
    };
    tracing::info!(http.status = status, request.id = id, "A request could not be read");
    let page = page(status, &id);
    format!(
        "HTTP/1.1 {status} {reason}\r\nconnection: close\r\ncontent-type: text/html; charset=utf-8\r\n\
         content-length: {}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\
         referrer-policy: no-referrer\r\n\
         content-security-policy: default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'\r\n\
         x-request-id: {id}\r\n\r\n{page}",
        page.len()
    )
    .into_bytes()
}

impl<S: AsyncRead + Unpin> AsyncRead for Refusing<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if before < buffer.filled().len() {
            self.unread.0.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Refusing<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.poll_page(context, bytes) {
            Some(written) => written,
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = bytes.first().map_or(&[][..], |first| first);
        match self.poll_page(context, first) {
            Some(written) => written,
            None => Pin::new(&mut self.stream).poll_write_vectored(context, bytes),
        }
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
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    const BARE: &[u8] =
        b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\ndate: Fri, 27 Nov 2026 01:47:34 GMT\r\n\r\n";

    fn page(status: u16, id: &str) -> String {
        format!("<p>{status} {id}</p>")
    }

    /// The response that a client reads if `bytes` are written after a request, whether that was read or not.
    async fn sent(bytes: &[u8], is_read: bool) -> String {
        let (mut client, server) = tokio::io::duplex(4096);
        let unread = Unread::default();
        let mut server = Refusing::new(server, page, unread.clone());
        client.write_all(b"GET /").await.unwrap();
        server.read_exact(&mut [0; 5]).await.unwrap();
        if is_read {
            unread.end();
        }
        server.write_all(bytes).await.unwrap();
        drop(server);
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        text
    }

    #[tokio::test]
    async fn a_bare_refusal_becomes_a_page_and_nothing_else_does() {
        let told = sent(BARE, false).await;
        assert!(told.starts_with("HTTP/1.1 400 Bad Request\r\n") && told.ends_with("</p>"), "{told}");
        assert!(told.contains("\r\nx-request-id: "), "{told}");
        assert_eq!(sent(BARE, true).await.as_bytes(), BARE, "an answer of the application is left");
        let own = b"HTTP/1.1 404 Not Found\r\nx-request-id: a\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(sent(own, false).await.as_bytes(), own);
        assert_eq!(sent(b"text", false).await, "text");
    }
}
