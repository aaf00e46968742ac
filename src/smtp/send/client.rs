//! Sends copies over one connection to another server.
//!
//! mail-send greets, negotiates TLS and authenticates ([`connect`]). Sending over its stream is implemented here,
//! because mail-send's `send` gives up at the first refused recipient. Here each copy, whether for one recipient or for
//! several who share it, is a transaction with its own [`ReplyOutcome`]. With PIPELINING (RFC 2920), the text of one copy
//! and the envelope of the next are sent in one write:
//!
//! ```text
//! MAIL RCPT DATA  →  250 250 354  →  text . MAIL RCPT DATA  →  250 250 250 354  →  …
//! ```
//!
//! `DATA` is the last command of a group, and no text is sent before its 354 has been read. While the other server
//! works on one group, the next copy is rendered.
//!
//! A connection retries nothing, and uses a clock only for its time limits.

use std::io;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::client::TlsStream;

pub use super::connect::connect;
pub use super::errors::{ConnectError, ConnectionLost};
use super::hello::Hello;
pub use super::outgoing::Protection;
use super::outgoing::{CopyBuffer, Outgoing, Peer, RemoteReply, ReplyOutcome};
use super::replies::ReplyReader;
pub use super::target::{ClientConfig, Security, Target};

/// Octets that one read of replies takes at most.
const READ_BYTES: usize = 4096;
/// Bytes of the output buffer that are kept from one batch to the next.
const OUT_BYTES_KEPT: usize = 256 * 1024;
/// How long QUIT may take.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(stream) => stream.read(buffer).await,
            Stream::Tls(stream) => stream.read(buffer).await,
        }
    }

    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Stream::Plain(stream) => stream.write_all(bytes).await,
            Stream::Tls(stream) => {
                stream.write_all(bytes).await?;
                stream.flush().await
            }
        }
    }

    fn tcp(&self) -> &TcpStream {
        match self {
            Stream::Plain(stream) => stream,
            Stream::Tls(stream) => stream.get_ref().0,
        }
    }
}

/// A session with another server that is ready to send.
pub struct Connection {
    stream: Stream,
    protection: Protection,
    peer: Peer,
    /// Transactions that the other server still accepts on this connection.
    room: usize,
    command_timeout: Duration,
    data_timeout: Duration,
    out: Vec<u8>,
    input: Box<[u8]>,
    /// The part of `input` that was read and not parsed yet.
    unparsed: std::ops::Range<usize>,
    replies: ReplyReader,
    sent: usize,
    /// Whether it is between transactions and nothing is unanswered.
    is_clean: bool,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Connection({:?}, {} sent)", self.peer, self.sent)
    }
}

/// Hands out and numbers the copies of a batch.
struct Feed<'a> {
    copies: &'a mut dyn Outgoing,
    handed_out: usize,
    room: usize,
}

impl Feed<'_> {
    /// An error if the other server takes too long.
    fn go_on(&self) -> Result<(), ConnectionLost> {
        if self.copies.is_stalled() { Err(ConnectionLost::Stalled) } else { Ok(()) }
    }

    /// The next copy that the peer can accept; others are settled at once.
    fn fetch(&mut self, copy: &mut CopyBuffer, peer: Peer) -> Option<usize> {
        loop {
            copy.clear();
            copy.set_peer(peer);
            if self.room == 0 || !self.copies.next(copy) {
                return None;
            }
            let index = self.handed_out;
            self.handed_out += 1;
            match copy.refusal(peer) {
                None => {
                    self.room -= 1;
                    return Some(index);
                }
                Some(reply) => self.copies.answered(index, ReplyOutcome::of_refusal(reply)),
            }
        }
    }
}

/// The other server's replies to an envelope that was sent in one group.
struct EnvelopeAnswer {
    /// Recipients that were refused individually, if others were accepted.
    refused: Vec<(usize, RemoteReply)>,
    /// The reply that holds for all others.
    others: OthersAnswer,
}

enum OthersAnswer {
    /// The server waits for the text.
    GoAhead,
    Refused {
        reply: RemoteReply,
        /// Whether it waits for text all the same, which must be ended (RFC 2920 3.1).
        awaits_text: bool,
    },
}

impl EnvelopeAnswer {
    fn refused(refused: Vec<(usize, RemoteReply)>, reply: RemoteReply, awaits_text: bool) -> EnvelopeAnswer {
        EnvelopeAnswer { refused, others: OthersAnswer::Refused { reply, awaits_text } }
    }
}

/// The last refusal, if every recipient was refused: it stands for the whole copy.
fn last_of_all(refused: &mut Vec<(usize, RemoteReply)>, recipients: usize) -> Option<RemoteReply> {
    if refused.len() < recipients { None } else { refused.pop().map(|(_, reply)| reply) }
}

impl Connection {
    pub(super) fn new(
        stream: Stream,
        protection: Protection,
        hello: &Hello,
        config: &ClientConfig,
    ) -> Connection {
        let peer = Peer::new(hello, protection);
        Connection {
            stream,
            protection,
            peer,
            room: peer.limits.mails_max.unwrap_or(usize::MAX),
            command_timeout: config.command_timeout,
            data_timeout: config.data_timeout,
            out: Vec::new(),
            input: vec![0; READ_BYTES].into_boxed_slice(),
            unparsed: 0..0,
            replies: ReplyReader::default(),
            sent: 0,
            is_clean: true,
        }
    }

    /// The capabilities of the other server.
    #[must_use]
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Whether the connection is encrypted.
    #[must_use]
    pub fn is_tls(&self) -> bool {
        matches!(self.stream, Stream::Tls(_))
    }

    /// The protection of the connection.
    #[must_use]
    pub fn protection(&self) -> Protection {
        self.protection
    }

    /// The protection in words, with the version of TLS, for the log.
    #[must_use]
    pub fn tls(&self) -> String {
        let version = match &self.stream {
            Stream::Plain(_) => None,
            Stream::Tls(stream) => stream.get_ref().1.protocol_version(),
        };
        version.map_or("no TLS".to_owned(), |version| format!("{version:?}, {:?}", self.protection))
    }

    /// The number of copies whose text was sent.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.sent
    }

    /// Whether the other server has had as many transactions as it accepts on one connection.
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.room == 0
    }

    /// Whether another batch could be sent: the connection is not used up, nothing is unanswered, and the other side
    /// has neither closed it nor sent an unexpected reply (which would be 421).
    #[must_use]
    pub fn is_usable(&self) -> bool {
        let mut octet = [0];
        let mut context = Context::from_waker(Waker::noop());
        let waiting = self.stream.tcp().poll_peek(&mut context, &mut ReadBuf::new(&mut octet));
        self.is_clean && !self.is_used_up() && self.unparsed.is_empty() && matches!(waiting, Poll::Pending)
    }

    /// Sends copies one after another, each in its own transaction, until there is none left or the connection
    /// [is used up](Connection::is_used_up). An error ends the batch.
    pub async fn send_all(&mut self, copies: &mut dyn Outgoing) -> Result<(), ConnectionLost> {
        // It stays false if an error, or dropping the caller's future, leaves something unanswered.
        self.is_clean = false;
        let mut feed = Feed { copies, handed_out: 0, room: self.room };
        if self.peer.pipelining {
            self.send_pipelined(&mut feed).await?;
        } else {
            self.send_in_turns(&mut feed).await?;
        }
        self.room = feed.room;
        self.out.clear();
        self.out.shrink_to(OUT_BYTES_KEPT);
        self.is_clean = true;
        Ok(())
    }

    /// Sends QUIT; the reply, or its absence, changes nothing.
    pub async fn quit(mut self) {
        let farewell = async {
            self.stream.write(b"QUIT\r\n").await?;
            self.read_reply(QUIT_TIMEOUT).await
        };
        if let Ok(Err(error)) = timeout(QUIT_TIMEOUT, farewell).await {
            tracing::debug!(error = %error, "An SMTP connection ended before QUIT was answered");
        }
    }

    async fn send_pipelined(&mut self, feed: &mut Feed<'_>) -> Result<(), ConnectionLost> {
        let (mut copy, mut copy_ahead) = (CopyBuffer::default(), CopyBuffer::default());
        let mut current = feed.fetch(&mut copy, self.peer);
        // State for the next write beside the envelope: the copy whose text it ends, and replies to skip.
        let (mut text_of, mut passed_over) = (None, 0);
        self.out.clear();
        loop {
            if current.is_some() {
                self.render_envelope(&copy);
            }
            if self.out.is_empty() {
                return Ok(());
            }
            self.write_out(self.data_timeout).await?;
            let ahead = current.and_then(|_| feed.fetch(&mut copy_ahead, self.peer));
            if let Some(index) = text_of.take() {
                let reply = self.read_reply(self.data_timeout).await?;
                feed.copies.answered(index, ReplyOutcome::of_message(reply.clone()));
                end_at_421(reply)?;
            }
            for _ in 0..std::mem::take(&mut passed_over) {
                end_at_421(self.read_reply(self.data_timeout).await?)?;
            }
            let Some(index) = current else { return Ok(()) };
            feed.copies.asked(index);
            let EnvelopeAnswer { refused, others } =
                self.read_envelope_answer(copy.recipients(), feed).await?;
            for (recipient, reply) in refused {
                feed.copies.refused(index, recipient, ReplyOutcome::of_refusal(reply));
            }
            match others {
                OthersAnswer::GoAhead => {
                    feed.copies.begun(index);
                    copy.render_data(&mut self.out);
                    self.sent += 1;
                    text_of = Some(index);
                }
                OthersAnswer::Refused { reply, awaits_text } => {
                    feed.copies.answered(index, ReplyOutcome::of_refusal(reply.clone()));
                    end_at_421(reply)?;
                    let commands: &[u8] = if awaits_text { b".\r\nRSET\r\n" } else { b"RSET\r\n" };
                    self.out.extend_from_slice(commands);
                    passed_over = if awaits_text { 2 } else { 1 };
                }
            }
            std::mem::swap(&mut copy, &mut copy_ahead);
            current = ahead;
        }
    }

    fn render_envelope(&mut self, copy: &CopyBuffer) {
        copy.render_mail(self.peer, &mut self.out);
        copy.render_rcpt(&mut self.out);
        self.out.extend_from_slice(b"DATA\r\n");
    }

    /// Reads the replies to MAIL, to RCPT for each recipient, and to DATA.
    async fn read_envelope_answer(
        &mut self,
        recipients: usize,
        feed: &mut Feed<'_>,
    ) -> Result<EnvelopeAnswer, ConnectionLost> {
        let mut refused = Vec::new();
        let mail = self.read_reply(self.command_timeout).await?.about_sender();
        if mail.code == 421 {
            return Ok(EnvelopeAnswer::refused(refused, mail, false));
        }
        for recipient in 0..recipients {
            let reply = self.read_reply(self.command_timeout).await?;
            if reply.code == 421 {
                return Ok(EnvelopeAnswer::refused(refused, reply, false));
            }
            // If the sender was refused, the replies to recipients say nothing about them.
            if mail.is_positive() && !reply.is_positive() {
                refused.push((recipient, reply));
            }
            feed.go_on()?;
        }
        let data = self.read_reply(self.command_timeout).await?;
        feed.go_on()?;
        let awaits_text = data.code == 354;
        if !mail.is_positive() {
            return Ok(EnvelopeAnswer::refused(refused, mail, awaits_text));
        }
        if let Some(last) = last_of_all(&mut refused, recipients) {
            return Ok(EnvelopeAnswer::refused(refused, last, awaits_text));
        }
        if !awaits_text {
            return Ok(EnvelopeAnswer::refused(refused, data, false));
        }
        Ok(EnvelopeAnswer { refused, others: OthersAnswer::GoAhead })
    }

    /// Sends to a peer without PIPELINING: every command waits for its reply.
    async fn send_in_turns(&mut self, feed: &mut Feed<'_>) -> Result<(), ConnectionLost> {
        let mut copy = CopyBuffer::default();
        while let Some(index) = feed.fetch(&mut copy, self.peer) {
            let result = self.send_one(&copy, index, feed).await?;
            let (ReplyOutcome::Delivered(reply)
            | ReplyOutcome::Deferred(reply)
            | ReplyOutcome::Failed(reply)) = &result;
            let reply = reply.clone();
            feed.copies.answered(index, result);
            end_at_421(reply)?;
        }
        Ok(())
    }

    async fn send_one(
        &mut self,
        copy: &CopyBuffer,
        index: usize,
        feed: &mut Feed<'_>,
    ) -> Result<ReplyOutcome, ConnectionLost> {
        feed.copies.asked(index);
        self.out.clear();
        copy.render_mail(self.peer, &mut self.out);
        let mut reply = self.command().await?.about_sender();
        if reply.is_positive() {
            reply = self.name_recipients(copy, index, feed).await?;
        }
        if reply.is_positive() {
            self.out.extend_from_slice(b"DATA\r\n");
            reply = self.data_command().await?;
            feed.go_on()?;
            if reply.code == 354 {
                feed.copies.begun(index);
                copy.render_data(&mut self.out);
                self.write_out(self.data_timeout).await?;
                self.sent += 1;
                return Ok(ReplyOutcome::of_message(self.read_reply(self.data_timeout).await?));
            }
        }
        if reply.code != 421 {
            self.out.extend_from_slice(b"RSET\r\n");
            end_at_421(self.command().await?)?;
        }
        Ok(ReplyOutcome::of_refusal(reply))
    }

    /// Names the recipients one after another; returns the reply that holds for all that were not refused individually.
    async fn name_recipients(
        &mut self,
        copy: &CopyBuffer,
        index: usize,
        feed: &mut Feed<'_>,
    ) -> Result<RemoteReply, ConnectionLost> {
        let mut refused = Vec::new();
        let mut others = None;
        for recipient in 0..copy.recipients() {
            copy.render_one_rcpt(recipient, &mut self.out);
            let reply = self.command().await?;
            if reply.code == 421 {
                others = Some(reply);
                break;
            }
            if reply.is_positive() {
                others = Some(reply);
            } else {
                refused.push((recipient, reply));
            }
            feed.go_on()?;
        }
        let last = last_of_all(&mut refused, copy.recipients());
        for (recipient, reply) in refused {
            feed.copies.refused(index, recipient, ReplyOutcome::of_refusal(reply));
        }
        Ok(others.or(last).expect("a copy has a recipient"))
    }

    /// Sends a command other than `DATA`. A server that waits for text after it is out of step, and would take later
    /// text for a message.
    async fn command(&mut self) -> Result<RemoteReply, ConnectionLost> {
        let reply = self.data_command().await?;
        if reply.code == 354 { Err(ConnectionLost::NotSmtp) } else { Ok(reply) }
    }

    async fn data_command(&mut self) -> Result<RemoteReply, ConnectionLost> {
        self.write_out(self.command_timeout).await?;
        self.read_reply(self.command_timeout).await
    }

    async fn write_out(&mut self, limit: Duration) -> Result<(), ConnectionLost> {
        match timeout(limit, self.stream.write(&self.out)).await {
            Ok(written) => written?,
            Err(_) => return Err(ConnectionLost::TimedOut),
        }
        self.out.clear();
        Ok(())
    }

    async fn read_reply(&mut self, limit: Duration) -> Result<RemoteReply, ConnectionLost> {
        let mut deadline = None;
        loop {
            let (used, reply) = self.replies.take(&self.input[self.unparsed.clone()])?;
            self.unparsed.start += used;
            if let Some(reply) = reply {
                return Ok(reply);
            }
            // Most replies came with the one before.
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + limit);
            self.unparsed = match timeout_at(deadline, self.stream.read(&mut self.input)).await {
                Ok(Ok(0)) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(length) => 0..length?,
                Err(_) => return Err(ConnectionLost::TimedOut),
            };
        }
    }
}

fn end_at_421(reply: RemoteReply) -> Result<(), ConnectionLost> {
    if reply.code == 421 { Err(ConnectionLost::Refused(reply)) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
