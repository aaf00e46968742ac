//! Runs one connection of the listener: moves bytes between a socket and its session, and carries out the session's
//! steps.
//!
//! The listener starts one for each client. It enforces the time limits; all replies come from the session and the
//! `MailBackend`.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::auth::Credentials;
use super::backend::{MailBackend, received_header, refusal_reply, unproven_reply};
use super::gate::ConnectionPermit;
use super::options::{Shared, stopped};
use super::pace::PaceDeadline;
use super::reply::Reply;
use super::session::{Protocol, Recipient, Session, SessionLimits, Step, Transaction};
use crate::mail::envelope::{Envelope, Origin, Route};
use crate::mail::trace_headers::{receive_with, results_header};
use crate::model::{Authentication, EmailAddress};
use crate::ops::posting::inbound;
use crate::ops::posting::inbound::Refusal;

/// Octets that one read takes at most; the buffer lives as long as its connection.
const READ_BYTES: usize = 32 * 1024;

impl Recipient for Route {
    fn limit_bytes(&self) -> Option<usize> {
        Route::limit_bytes(*self).and_then(|limit_bytes| usize::try_from(limit_bytes).ok())
    }

    fn is_only_read(&self) -> bool {
        Route::is_only_read(*self)
    }
}

pub(super) struct Connection<M> {
    shared: Arc<Shared<M>>,
    permit: ConnectionPermit,
    client: IpAddr,
    stop: watch::Receiver<bool>,
    session: Session<Route>,
    /// The credentials of an authenticated client: checked again at each command, so that a revoked key sends nothing
    /// more.
    shown: Option<Credentials>,
    /// Replies that are not sent yet.
    out: Vec<u8>,
}

/// The reason why a connection ended.
enum End {
    Closed,
    StartTls,
}

enum ReadEvent {
    Octets(usize),
    Silence,
    /// Data comes more slowly than allowed.
    TooSlow,
    Stop,
}

impl<M: MailBackend> Connection<M> {
    pub(super) fn new(
        shared: Arc<Shared<M>>,
        permit: ConnectionPermit,
        client: IpAddr,
        stop: watch::Receiver<bool>,
    ) -> Connection<M> {
        let limits = shared.options.session.clone();
        let content_budget = limits.content_budget.of_client(permit.client_key());
        let limits = SessionLimits { content_budget, ..limits };
        let session = Session::new(limits, shared.options.tls.is_some());
        Connection { shared, permit, client, stop, session, shown: None, out: Vec::new() }
    }

    pub(super) async fn run<S>(mut self, mut stream: S) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let protocol = self.shared.options.session.protocol.word();
        let receiving = &self.shared.options.metrics.receiving;
        receiving.sessions.count([protocol, "admitted"]);
        let _counted = receiving.connections.hold([protocol]);
        let mut buffer = vec![0; READ_BYTES];
        if self.shared.options.session.protocol == Protocol::Submission {
            let mut stream = self.start_tls(stream).await?;
            self.session.greeting().render(&mut self.out);
            self.serve(&mut stream, &mut buffer).await?;
            return stream.shutdown().await;
        }
        self.session.greeting().render(&mut self.out);
        match self.serve(&mut stream, &mut buffer).await? {
            End::Closed => stream.shutdown().await,
            End::StartTls => {
                let mut stream = self.start_tls(stream).await?;
                self.serve(&mut stream, &mut buffer).await?;
                stream.shutdown().await
            }
        }
    }

    async fn start_tls<S>(&mut self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let config = self.shared.options.tls.clone().expect("TLS is begun where it is set up");
        let handshake = TlsAcceptor::from(config).accept(stream);
        let stream = timeout(self.shared.options.command_timeout, handshake).await??;
        self.session.tls_started();
        Ok(stream)
    }

    /// Serves the session until it ends or changes to TLS.
    async fn serve<S>(&mut self, stream: &mut S, buffer: &mut [u8]) -> io::Result<End>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let mut deadline = self.deadline();
        let mut pace: Option<PaceDeadline> = None;
        loop {
            self.flush(stream).await?;
            let mut input = match self.listen(stream, buffer, deadline, pace).await? {
                ReadEvent::Octets(0) => return Ok(End::Closed),
                ReadEvent::Octets(length) => &buffer[..length],
                ReadEvent::TooSlow => {
                    return self.say_last(stream, 421, "4.4.2", "The message comes too slowly").await;
                }
                ReadEvent::Silence => return self.say_last(stream, 421, "4.4.2", "Waited too long").await,
                ReadEvent::Stop => {
                    return self.say_last(stream, 421, "4.3.2", "This server is stopping").await;
                }
            };
            if let Some(pace) = &mut pace {
                pace.extend(input.len(), Instant::now());
            }
            loop {
                let step = self.session.step(&mut input);
                if matches!(step, Step::NeedMore) {
                    break;
                }
                let end = match self.revocation(&step) {
                    Some(reply) => self.reply(&reply),
                    None => self.act(step).await,
                };
                // The rate of one message says nothing about the next.
                pace = pace.filter(|_| self.session.is_in_data());
                // Complete commands and messages move the time limit, not bytes that trickle in.
                deadline = self.deadline();
                if let Some(end) = end {
                    self.flush(stream).await?;
                    return Ok(end);
                }
            }
            pace = self.next_pace(pace);
        }
    }

    /// The deadline for the data of the message that is coming in, chunks included; it begins with the message.
    fn next_pace(&self, pace: Option<PaceDeadline>) -> Option<PaceDeadline> {
        let begun = || PaceDeadline::new(self.shared.options.minimum_rate, Instant::now());
        self.session.is_in_data().then(|| pace.unwrap_or_else(begun))
    }

    fn deadline(&self) -> Instant {
        let options = &self.shared.options;
        let limit = if self.session.is_in_data() { options.data_timeout } else { options.command_timeout };
        Instant::now() + limit
    }

    async fn listen<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        buffer: &mut [u8],
        deadline: Instant,
        pace: Option<PaceDeadline>,
    ) -> io::Result<ReadEvent> {
        let in_data = self.session.is_in_data();
        let (deadline, silence) = match pace {
            Some(pace) if pace.at() < deadline => (pace.at(), ReadEvent::TooSlow),
            _ => (deadline, ReadEvent::Silence),
        };
        tokio::select! {
            biased;
            () = stopped(&mut self.stop), if !in_data => Ok(ReadEvent::Stop),
            read = timeout_at(deadline, stream.read(buffer)) => match read {
                Ok(length) => Ok(ReadEvent::Octets(length?)),
                Err(_) => Ok(silence),
            },
        }
    }

    async fn flush<S: AsyncWrite + Unpin>(&mut self, stream: &mut S) -> io::Result<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let write = async {
            stream.write_all(&self.out).await?;
            stream.flush().await
        };
        timeout(self.shared.options.command_timeout, write).await??;
        self.out.clear();
        Ok(())
    }

    async fn say_last<S: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        code: u16,
        enhanced: &'static str,
        text: &'static str,
    ) -> io::Result<End> {
        self.say(&Reply::new(code, enhanced, text));
        self.flush(stream).await?;
        Ok(End::Closed)
    }

    /// Carries out a step of the session.
    async fn act(&mut self, step: Step<Route>) -> Option<End> {
        match step {
            Step::NeedMore => None,
            Step::Reply(reply) => self.reply(&reply),
            Step::Replies(replies) => replies.iter().find_map(|reply| self.reply(reply)),
            Step::Close(reply) => {
                self.say(&reply);
                Some(End::Closed)
            }
            Step::StartTls(reply) => {
                self.say(&reply);
                Some(End::StartTls)
            }
            Step::CheckRecipient { address, declared_size_bytes } => {
                let answer = if self.permit.allows_recipient() {
                    self.route(&address, declared_size_bytes).map_err(|refusal| refusal_reply(&refusal))
                } else {
                    Err(Reply::new(451, "4.7.1", "Too many recipients a minute, try again later"))
                };
                let reply = self.session.recipient(answer);
                self.reply(&reply)
            }
            Step::Authenticate(credentials) => {
                let found = self.shared.backend.authenticate(&credentials, self.client);
                self.shown = found.is_ok().then_some(credentials);
                let reply = self.session.authenticated(found.map_err(unproven_reply));
                self.reply(&reply)
            }
            Step::Receive(transaction) => self.receive(transaction).await,
        }
    }

    fn route(&self, address: &EmailAddress, declared_size_bytes: Option<usize>) -> Result<Route, Refusal> {
        let backend = &self.shared.backend;
        match &self.shown {
            Some(shown) => backend.route_of(shown, self.client, address, declared_size_bytes),
            None => backend.route(address, declared_size_bytes),
        }
    }

    /// The last reply to a client whose key was revoked since it authenticated. A permanent refusal follows at AUTH on
    /// a new connection.
    fn revocation(&self, step: &Step<Route>) -> Option<Reply> {
        let shown = self.shown.as_ref()?;
        // The look-up of a recipient's route checks the key itself.
        let is_checked_elsewhere = matches!(step, Step::CheckRecipient { .. } | Step::Close(_));
        let is_proven = is_checked_elsewhere || self.shared.backend.is_still_proven(shown, self.client);
        (!is_proven).then(|| refusal_reply(&Refusal::AuthError))
    }

    fn say(&mut self, reply: &Reply) {
        let class = match reply.code {
            ..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            500.. => "5xx",
        };
        let options = &self.shared.options;
        options.metrics.receiving.replies.count([options.session.protocol.word(), class]);
        reply.render(&mut self.out);
    }

    fn reply(&mut self, reply: &Reply) -> Option<End> {
        self.say(reply);
        if reply.code == 421 {
            return Some(End::Closed);
        }
        if !reply.blames_client() || self.permit.allows_error() {
            return None;
        }
        tracing::info!(client.address = %self.client, "{} makes too many errors over SMTP", self.client);
        self.say(&Reply::new(421, "4.7.0", "Too many errors from your address"));
        Some(End::Closed)
    }

    /// The origin of messages on this connection.
    fn origin(&self) -> Origin {
        match self.shared.options.session.protocol {
            Protocol::Submission => Origin::Trusted,
            Protocol::Lmtp => Origin::Relay,
            // Clients on this machine and front servers are not counted: other clients may be behind them.
            Protocol::Smtp if self.permit.client_key().is_none() => Origin::Relay,
            Protocol::Smtp => Origin::Client,
        }
    }

    async fn receive(&mut self, transaction: Transaction<Route>) -> Option<End> {
        // The share is held until the message is durable: until then it is in memory.
        let Transaction {
            reverse_path,
            mut recipients,
            smtputf8,
            requires_tls,
            dsn_options,
            raw,
            share: _share,
        } = transaction;
        let mut message = Envelope {
            client: self.client,
            helo: self.session.helo().to_owned(),
            tls: self.session.is_tls(),
            reverse_path,
            recipients: Vec::new(),
            smtputf8,
            requires_tls,
            authentication: Authentication::unchecked(),
            dsn_options,
            origin: self.origin(),
            proven_domains: Vec::new(),
            size_bytes: raw.len() as u64,
        };
        let protocol = self.shared.options.session.protocol;
        if protocol == Protocol::Submission {
            message.authentication = Authentication::submitted();
        }
        if let Some(verifier) = &self.shared.options.verifier {
            let is_fronted = protocol == Protocol::Lmtp;
            (message.authentication, message.proven_domains) =
                Box::pin(verifier.verify(&message, &raw, is_fronted)).await;
        }
        match protocol {
            Protocol::Smtp | Protocol::Submission => {
                message.recipients = recipients;
                self.deliver(message, raw).await
            }
            Protocol::Lmtp => {
                // Each recipient is a delivery of its own, with its own reply; the last one needs no copy of the
                // message.
                let last = recipients.pop();
                for recipient in recipients {
                    let message = Envelope { recipients: vec![recipient], ..message.clone() };
                    if let Some(end) = self.deliver(message, raw.clone()).await {
                        return Some(end);
                    }
                }
                message.recipients.extend(last);
                self.deliver(message, raw).await
            }
        }
    }

    /// Hands a message over and replies with the result.
    async fn deliver(&mut self, envelope: Envelope, mut raw: Vec<u8>) -> Option<End> {
        let now = self.shared.backend.now();
        let id = self.shared.next_id(now);
        let SessionLimits { protocol, hostname, .. } = &self.shared.options.session;
        let mut ours = match envelope.authentication.results.as_str() {
            "" => String::new(),
            _ => results_header(&envelope.authentication, hostname),
        };
        ours.push_str(&received_header(&envelope, *protocol, hostname, now, &id));
        receive_with(&mut raw, &ours, hostname);
        let bytes = raw.len() as u64;
        let backend = &self.shared.backend;
        let received = match protocol {
            Protocol::Smtp | Protocol::Lmtp => backend.receive(envelope, raw).await,
            Protocol::Submission => backend.receive_submitted(envelope, raw).await,
        };
        let protocol = protocol.word();
        let receiving = &self.shared.options.metrics.receiving;
        receiving.messages.count([protocol, inbound::result_label(&received)]);
        if received.is_ok() {
            receiving.bytes.add([protocol], bytes);
        }
        let reply = self.session.received(received.map_err(|refusal| refusal_reply(&refusal)));
        self.reply(&reply)
    }
}
