//! The listener over real sockets, with a backend that keeps what it gets.

use std::sync::Mutex;

use std::net::SocketAddr;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use super::*;
use crate::clock::Timestamp;
use crate::config::Config;
use crate::mail::envelope::{DsnOptions, Envelope, Origin, ReversePath, Route};
use crate::mail::parse::ParseError;
use crate::mail::policy::RejectReason;
use crate::model::{Authentication, EmailAddress, ListId};
use crate::net::tls::{Certificates, opportunistic_client, self_signed, server_config};
use crate::ops::posting::inbound::Refusal;
use crate::service::submitters::AuthError;
use crate::smtp::receive::auth::Credentials;
use crate::smtp::receive::backend::refusal_reply;
use crate::smtp::receive::budget::ContentBudget;
use crate::smtp::receive::gate::GateLimits;
use crate::smtp::receive::pace::MinimumRate;

/// Takes mail for `lists.test`.
#[derive(Debug, Clone, Default)]
struct Shelf(Arc<Mutex<Vec<(Envelope, String)>>>);

impl MailBackend for Shelf {
    fn route(&self, address: &EmailAddress, _declared_size_bytes: Option<usize>) -> Result<Route, Refusal> {
        let known = Route::List { list: ListId(1), limit_bytes: 1_000_000 };
        if address.domain() == "lists.test" { Ok(known) } else { Err(Refusal::NotOurs) }
    }

    fn authenticate(&self, credentials: &Credentials, _client: IpAddr) -> Result<(), AuthError> {
        if credentials.password == "secret" { Ok(()) } else { Err(AuthError::Unknown) }
    }

    fn is_still_proven(&self, credentials: &Credentials, client: IpAddr) -> bool {
        self.authenticate(credentials, client).is_ok()
    }

    fn route_of(
        &self,
        credentials: &Credentials,
        client: IpAddr,
        address: &EmailAddress,
        declared_size_bytes: Option<usize>,
    ) -> Result<Route, Refusal> {
        self.authenticate(credentials, client).map_err(|_| Refusal::AuthError)?;
        self.route(address, declared_size_bytes)
    }

    async fn receive(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        self.0.lock().unwrap().push((envelope, String::from_utf8(raw).unwrap()));
        Ok(())
    }

    async fn receive_submitted(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        self.receive(envelope, raw).await
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_ms(1_795_187_045_678)
    }
}

struct Server {
    address: SocketAddr,
    shelf: Shelf,
    stop: watch::Sender<bool>,
    task: tokio::task::JoinHandle<()>,
}

fn options() -> ListenerOptions {
    let pair = self_signed("mx.lists.test").unwrap();
    let config =
        Config { hostname: "mx.lists.test".to_owned(), ..Config::for_tests(std::path::PathBuf::new()) };
    let certificate = Arc::new(Certificates::new(&pair).unwrap());
    ListenerOptions::new(&config, Some(server_config(certificate).unwrap()), None)
}

async fn start(options: ListenerOptions) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (shelf, (stop, stopped)) = (Shelf::default(), watch::channel(false));
    let task = tokio::spawn(serve(listener, shelf.clone(), options, stopped));
    Server { address, shelf, stop, task }
}

/// Sends `script` and reads until `end` was read.
async fn talk<S>(stream: &mut S, script: &str, end: &str) -> String
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    stream.write_all(script.replace('\n', "\r\n").as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    let mut heard = String::new();
    while !heard.contains(end) {
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).await.unwrap();
        assert!(0 < length, "closed before {end:?}: {heard}");
        heard.push_str(std::str::from_utf8(&buffer[..length]).unwrap());
    }
    heard
}

const MESSAGE: &str = "MAIL FROM:<a@b.org>\nRCPT TO:<l@lists.test>\nDATA\n";

#[tokio::test]
async fn a_message_arrives_with_its_envelope_and_trace() {
    let server = start(options()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    talk(&mut stream, &format!("EHLO client.test\n{MESSAGE}"), "354 ").await;
    talk(&mut stream, "Subject: x\n\n..\n.\nQUIT\n", "221 ").await;
    let (envelope, raw) = server.shelf.0.lock().unwrap().pop().unwrap();
    assert_eq!(envelope.helo, "client.test");
    assert_eq!(envelope.reverse_path.address().unwrap().as_str(), "a@b.org");
    insta::assert_snapshot!(raw.replace('\r', ""), @r"
    Received: from client.test ([127.0.0.1])
    	by mx.lists.test with ESMTP id 1a1f97c752e-0
    	for <l@lists.test>;
    	Fri, 20 Nov 2026 15:04:05 +0000
    Subject: x

    .
    ");
}

#[tokio::test]
async fn starttls_makes_a_new_session() {
    let server = start(options()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let greeting = talk(&mut stream, "EHLO a\nSTARTTLS\n", "220 2.0.0").await;
    assert!(greeting.contains("250-STARTTLS\r\n"), "{greeting}");
    let connector = TlsConnector::from(opportunistic_client());
    let mut stream = connector.connect("mx.lists.test".try_into().unwrap(), stream).await.unwrap();
    let heard = talk(&mut stream, &format!("{MESSAGE}EHLO b\n{MESSAGE}"), "354 ").await;
    assert!(heard.starts_with("503 5.5.1") && !heard.contains("STARTTLS"), "{heard}");
    talk(&mut stream, ".\nQUIT\n", "221 ").await;
    assert!(server.shelf.0.lock().unwrap()[0].1.contains("with ESMTPS"));
}

#[tokio::test]
async fn submission_begins_with_tls_and_its_trace_says_that_the_client_is_known() {
    let server = start(options().submission()).await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let connector = TlsConnector::from(opportunistic_client());
    let mut stream = connector.connect("mx.lists.test".try_into().unwrap(), stream).await.unwrap();
    let heard = talk(&mut stream, "EHLO a\nAUTH PLAIN AGFkYQBzZWNyZXQ=\n", "235 2.7.0").await;
    assert!(heard.contains("250-AUTH PLAIN LOGIN\r\n") && !heard.contains("STARTTLS"), "{heard}");
    talk(&mut stream, MESSAGE, "354 ").await;
    talk(&mut stream, ".\nQUIT\n", "221 ").await;
    let (_, raw) = server.shelf.0.lock().unwrap().pop().unwrap();
    assert!(
        raw.contains("with ESMTPSA id")
            && raw.contains("Authentication-Results: mx.lists.test;\r\n\tauth=pass"),
        "{raw}"
    );
}

#[tokio::test]
async fn nothing_is_said_in_clear_where_mail_is_submitted() {
    let server =
        start(ListenerOptions { command_timeout: Duration::from_secs(5), ..options().submission() }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"EHLO a\r\nAUTH PLAIN AGFkYQBzZWNyZXQ=\r\n").await.unwrap();
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.unwrap();
    // An alert of TLS at most.
    assert!(!heard.windows(3).any(|octets| octets == b"220" || octets == b"235"), "{heard:?}");
}

#[tokio::test]
async fn what_was_pipelined_in_clear_behind_starttls_is_thrown_away() {
    let server = start(options()).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    talk(&mut stream, "EHLO a\nSTARTTLS\nEHLO evil\n", "220 2.0.0").await;
    let connector = TlsConnector::from(opportunistic_client());
    let mut stream = connector.connect("mx.lists.test".try_into().unwrap(), stream).await.unwrap();
    let heard = talk(&mut stream, "NOOP\n", "\n").await;
    assert_eq!(heard, "250 2.0.0 OK\r\n");
}

#[tokio::test]
async fn a_silent_client_is_told_and_left() {
    let server = start(ListenerOptions { command_timeout: Duration::from_millis(50), ..options() }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let heard = talk(&mut stream, "NO", "421 4.4.2").await;
    assert!(heard.starts_with("220 "), "{heard}");
    assert_eq!(stream.read(&mut [0; 10]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_client_that_never_ends_its_data_is_told_and_left() {
    let server = start(ListenerOptions { data_timeout: Duration::from_millis(50), ..options() }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    talk(&mut stream, &format!("EHLO a\n{MESSAGE}"), "354 ").await;
    assert_eq!(talk(&mut stream, "Subject: x\n\nhi\n.", "\n").await, "421 4.4.2 Waited too long\r\n");
    assert_eq!(stream.read(&mut [0; 10]).await.unwrap(), 0);
    assert!(server.shelf.0.lock().unwrap().is_empty(), "half a message is none");
}

fn with_grace(grace: Duration) -> ListenerOptions {
    ListenerOptions { minimum_rate: MinimumRate { grace, ..MinimumRate::default() }, ..options() }
}

#[tokio::test]
async fn a_client_that_stalls_in_its_data_is_told_and_left() {
    let server = start(with_grace(Duration::from_millis(50))).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    talk(&mut stream, &format!("EHLO a\n{MESSAGE}"), "354 ").await;
    let heard = talk(&mut stream, "Subject: x\n\nhi\n", "\n").await;
    assert_eq!(heard, "421 4.4.2 The message comes too slowly\r\n");
    assert_eq!(stream.read(&mut [0; 10]).await.unwrap(), 0);
    assert!(server.shelf.0.lock().unwrap().is_empty(), "half a message is none");
}

#[tokio::test]
async fn a_client_that_stalls_between_chunks_is_told_and_left() {
    let server = start(with_grace(Duration::from_millis(50))).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let begun = MESSAGE.replace("DATA\n", "BDAT 6\nA: b\n");
    talk(&mut stream, &format!("EHLO a\n{begun}"), "Chunk taken").await;
    assert_eq!(talk(&mut stream, "", "\n").await, "421 4.4.2 The message comes too slowly\r\n");
}

#[tokio::test]
async fn between_messages_a_client_may_rest() {
    let server = start(with_grace(Duration::from_millis(50))).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    talk(&mut stream, &format!("EHLO a\n{MESSAGE}"), "354 ").await;
    talk(&mut stream, "A: b\n.\n", "250 2.0.0").await;
    let rest = tokio::time::timeout(Duration::from_millis(200), stream.read_u8()).await;
    assert!(rest.is_err(), "nothing is said and nothing is closed");
    talk(&mut stream, MESSAGE, "354 ").await;
}

/// Takes connections from memory, each with the address that a test gives it.
struct Inlet(tokio::sync::Mutex<tokio::sync::mpsc::Receiver<(tokio::io::DuplexStream, IpAddr)>>);

impl Accept for Inlet {
    type Stream = tokio::io::DuplexStream;

    async fn accept(&self) -> std::io::Result<(Self::Stream, IpAddr)> {
        match self.0.lock().await.recv().await {
            Some(accepted) => Ok(accepted),
            None => std::future::pending().await,
        }
    }
}

#[tokio::test]
async fn a_client_that_fills_its_share_of_memory_leaves_the_others_theirs() {
    let (connections, accepted) = tokio::sync::mpsc::channel(1);
    let (shelf, (_stop, stopped)) = (Shelf::default(), watch::channel(false));
    let mut options = options();
    options.session.content_budget = ContentBudget::new(256 * 1024);
    tokio::spawn(serve(Inlet(tokio::sync::Mutex::new(accepted)), shelf.clone(), options, stopped));
    let connect = async |address: &str| {
        let (mut ours, theirs) = tokio::io::duplex(256 * 1024);
        connections.send((theirs, address.parse().unwrap())).await.unwrap();
        talk(&mut ours, &format!("EHLO a\n{MESSAGE}"), "354 ").await;
        ours
    };
    let text = "0123456789\n".repeat(4000);
    let mut stalled = Vec::new();
    // One host has a /64 of IPv6 addresses.
    for address in ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5", "2001:db8::6"]
    {
        let mut stream = connect(address).await;
        stream.write_all(text.replace('\n', "\r\n").as_bytes()).await.unwrap();
        stalled.push(stream);
    }
    let mut same = connect("2001:db8::7").await;
    talk(&mut same, &format!("{text}.\n"), "452 4.3.1").await;
    let mut other = connect("192.0.2.1").await;
    talk(&mut other, &format!("{text}.\n"), "250 2.0.0").await;
    drop(stalled);
    assert_eq!(shelf.0.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn too_many_connections_are_refused() {
    let gate = GateLimits { connections_max: 1, ..GateLimits::default() };
    let server = start(ListenerOptions { gate, ..options() }).await;
    let mut first = TcpStream::connect(server.address).await.unwrap();
    talk(&mut first, "", "220 ").await;
    let mut second = TcpStream::connect(server.address).await.unwrap();
    talk(&mut second, "", "421 4.7.0").await;
    talk(&mut first, "QUIT\n", "221 ").await;
    assert_eq!(first.read(&mut [0; 10]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_stop_lets_data_finish_and_ends_the_rest() {
    let server = start(options()).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut sending = TcpStream::connect(server.address).await.unwrap();
    talk(&mut idle, "EHLO a\n", "250 HELP").await;
    talk(&mut sending, &format!("EHLO a\n{MESSAGE}"), "354 ").await;
    server.stop.send(true).unwrap();
    talk(&mut idle, "", "421 4.3.2").await;
    let heard = talk(&mut sending, "Subject: late\n\n.\n", "421 4.3.2").await;
    assert!(heard.starts_with("250 2.0.0"), "{heard}");
    server.task.await.unwrap();
    assert_eq!(server.shelf.0.lock().unwrap().len(), 1);
    assert!(TcpStream::connect(server.address).await.is_err());
}

#[test]
fn a_refusal_has_its_reply() {
    let replies = [
        Refusal::NoSuchRecipient,
        Refusal::NotOurs,
        Refusal::NotSetUp,
        Refusal::NotYours,
        Refusal::AuthError,
        Refusal::Exhausted { limit: 30 },
        Refusal::TooLarge { limit_bytes: 5 },
        Refusal::Malformed(ParseError::Nul),
        Refusal::Rejected(RejectReason::Banned),
        Refusal::Rejected(RejectReason::TooLarge { limit_kb: 5 }),
        Refusal::Internal,
        Refusal::Broken { trace: String::new() },
    ]
    .map(|refusal| refusal_reply(&refusal));
    for reply in &replies {
        assert!(reply.text.starts_with(|c: char| c.is_ascii_uppercase()), "{}", reply.text);
    }
    let codes: Vec<(u16, &str)> = replies.iter().map(|reply| (reply.code, reply.enhanced)).collect();
    let expected = [
        (550, "5.1.1"),
        (550, "5.7.1"),
        (451, "4.3.0"),
        (550, "5.7.1"),
        (421, "4.7.0"),
        (451, "4.7.1"),
        (552, "5.3.4"),
        (554, "5.6.0"),
        (550, "5.7.1"),
        (552, "5.3.4"),
        (451, "4.3.0"),
        (451, "4.3.0"),
    ];
    assert_eq!(codes, expected);
}

#[test]
fn the_trace_repeats_nothing_that_could_break_it() {
    let address = |text| EmailAddress::parse(text).unwrap();
    let route = Route::List { list: ListId(1), limit_bytes: 1_000_000 };
    let envelope = Envelope {
        client: "2001:db8::1".parse().unwrap(),
        helo: "a(b)\r\n\"é".to_owned(),
        tls: true,
        reverse_path: ReversePath::Empty,
        recipients: vec![(address("l@x.org"), route), (address("m@x.org"), route)],
        smtputf8: true,
        requires_tls: false,
        authentication: Authentication::unchecked(),
        dsn_options: DsnOptions::default(),
        origin: Origin::Client,
        proven_domains: Vec::new(),
        size_bytes: 0,
    };
    let header = received_header(&envelope, Protocol::Smtp, "mx.x.org", Timestamp::from_ms(0), "7");
    assert_eq!(
        header,
        "Received: from a?b????? ([IPv6:2001:db8::1])\r\n\tby mx.x.org with UTF8SMTPS id 7;\r\n\
         \tThu, 01 Jan 1970 00:00:00 +0000\r\n"
    );
}
