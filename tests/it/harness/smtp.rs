//! An SMTP client that says exactly what a test tells it to, right or wrong.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use crier::net::tls::opportunistic_client;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;

/// How long an answer may take before the test fails.
const ANSWER_MAX: Duration = Duration::from_mins(5);

/// An answer of a mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// Its three digits.
    pub(crate) code: u16,
    /// Its lines without the digits, separated by LF.
    pub(crate) text: String,
}

impl std::fmt::Display for Reply {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", self.code, self.text)
    }
}

/// What a conversation is held over.
trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Socket for S {}

/// A connection to a mail server.
pub(crate) struct Dialogue {
    stream: Box<dyn Socket>,
    buffer: Vec<u8>,
}

impl Dialogue {
    /// Connects, and reads nothing yet.
    pub(crate) async fn connect(addr: SocketAddr) -> Dialogue {
        let stream = TcpStream::connect(addr).await.expect("the server listens");
        stream.set_nodelay(true).expect("a TCP socket has this option");
        Dialogue { stream: Box::new(stream), buffer: Vec::new() }
    }

    /// Connects to a socket of this machine.
    pub(crate) async fn connect_unix(path: &Path) -> Dialogue {
        let stream = UnixStream::connect(path).await.expect("the server listens");
        Dialogue { stream: Box::new(stream), buffer: Vec::new() }
    }

    /// Negotiates TLS after STARTTLS was agreed to; answers the certificate that the server shows.
    pub(crate) async fn start_tls(self) -> Vec<u8> {
        self.encrypted().await.1
    }

    /// The same conversation over TLS, with the certificate that the server shows.
    pub(crate) async fn encrypted(self) -> (Dialogue, Vec<u8>) {
        let connector = TlsConnector::from(opportunistic_client());
        let name = ServerName::try_from("mx.example.org").expect("it is a name");
        let stream = connector.connect(name, self.stream).await.expect("TLS is negotiated");
        let chain = stream.get_ref().1.peer_certificates().expect("a server shows a certificate");
        let certificate = chain[0].to_vec();
        (Dialogue { stream: Box::new(stream), buffer: Vec::new() }, certificate)
    }

    /// Connects where TLS begins at once.
    pub(crate) async fn connect_tls(addr: SocketAddr) -> Dialogue {
        Dialogue::connect(addr).await.encrypted().await.0
    }

    /// Sends bytes as they are. Where the server has closed the connection, the missing answer tells.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// The next answer; none if the server closed the connection.
    pub(crate) async fn reply(&mut self) -> Option<Reply> {
        let reading = async {
            let mut lines = Vec::new();
            loop {
                let line = self.line().await?;
                let code = line.get(..3).and_then(|code| code.parse().ok());
                let code = code.unwrap_or_else(|| panic!("no answer of SMTP: {line:?}"));
                lines.push(line.get(4..).unwrap_or_default().to_owned());
                if line.as_bytes().get(3) != Some(&b'-') {
                    return Some(Reply { code, text: lines.join("\n") });
                }
            }
        };
        tokio::time::timeout(ANSWER_MAX, reading).await.expect("the server answers in time")
    }

    async fn line(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|bytes| bytes == b"\r\n") {
                let line: Vec<u8> = self.buffer.drain(..end + 2).collect();
                return Some(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.stream.read_buf(&mut self.buffer).await.unwrap_or(0) == 0 {
                return None;
            }
        }
    }

    /// The next answer, which must have this code.
    pub(crate) async fn expect(&mut self, code: u16) -> Reply {
        let reply = self.reply().await.unwrap_or_else(|| panic!("closed instead of an answer {code}"));
        assert_eq!(reply.code, code, "{reply}");
        reply
    }

    /// Sends one line and expects this code.
    pub(crate) async fn say(&mut self, line: &str, code: u16) -> Reply {
        self.send(format!("{line}\r\n").as_bytes()).await;
        self.expect(code).await
    }

    /// The server must close the connection and say nothing more.
    pub(crate) async fn expect_close(&mut self) {
        let reply = self.reply().await;
        assert_eq!(reply, None, "the connection should have been closed");
    }
}

/// Sends one message in one connection; answers the first refusal, else the answer to the message.
///
/// Lines may end in LF; a missing From is made of the envelope sender.
pub(crate) async fn send_mail(addr: SocketAddr, from: &str, to: &[&str], message: &str) -> Reply {
    let mut dialogue = Dialogue::connect(addr).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say(&format!("MAIL FROM:<{from}> BODY=8BITMIME"), 250).await;
    for to in to {
        dialogue.send(format!("RCPT TO:<{to}>\r\n").as_bytes()).await;
        let reply = dialogue.reply().await.expect("RCPT is answered");
        if reply.code != 250 {
            return reply;
        }
    }
    dialogue.say("DATA", 354).await;
    dialogue.send(&wire_form(from, message)).await;
    dialogue.reply().await.expect("the message is answered")
}

/// The message as it goes over the wire: CRLF, dots doubled, the end.
pub(crate) fn wire_form(from: &str, message: &str) -> Vec<u8> {
    let head = message.replace("\r\n", "\n");
    let head = head.split("\n\n").next().unwrap_or_default().to_ascii_lowercase();
    let mut wire = Vec::new();
    if !head.lines().any(|line| line.starts_with("from:")) {
        wire.extend_from_slice(format!("From: {from}\r\n").as_bytes());
    }
    for line in message.lines() {
        let dot = if line.starts_with('.') { "." } else { "" };
        wire.extend_from_slice(format!("{dot}{line}\r\n").as_bytes());
    }
    wire.extend_from_slice(b".\r\n");
    wire
}
