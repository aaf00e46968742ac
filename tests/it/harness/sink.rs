//! A mail server that takes what Crier sends: real sockets, written apart from the product, strict.
//!
//! It keeps every message that it answered with 250, in order, does as its script says, and notes whatever the
//! client does against RFC 5321, 2920 and 6152. A note fails the test when the application is closed.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Waker};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// How long a test waits for mail before it fails: far beyond what any test needs.
const WAIT_MAX: Duration = Duration::from_mins(5);
/// Longest line of text or command with its CRLF (RFC 5321 4.5.3.1.6).
const LINE_BYTES_MAX: usize = 1000;
/// The size that EHLO announces.
const MESSAGE_BYTES_MAX: usize = 64 << 20;

/// One message that the sink took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mail {
    /// Envelope sender, without angle brackets.
    pub(crate) from: String,
    /// Envelope recipients that were accepted.
    pub(crate) to: Vec<String>,
    /// The message, dots undone.
    pub(crate) data: Vec<u8>,
    /// Whether it came over TLS.
    pub(crate) tls: bool,
    /// Whether it came with REQUIRETLS.
    pub(crate) requires_tls: bool,
}

impl Mail {
    /// The message as text with LF line ends.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.data).replace("\r\n", "\n")
    }

    /// The mail as somebody sees it who reads plain text: the envelope, the header, and the first of the parts that say
    /// the same, with the line breaks of its encoding undone.
    pub(crate) fn plain(&self) -> String {
        let whole = self.to_string();
        let boundary = whole.split_once("multipart/alternative").and_then(|(_, rest)| {
            let (_, rest) = rest.split_once("boundary=\"")?;
            rest.split('"').next()
        });
        let first = boundary.and_then(|boundary| {
            let line = format!("--{boundary}");
            let (head, rest) = whole.split_once(&format!("\n\n{line}\n"))?;
            let (first, _) = rest.split_once(&format!("\n{line}"))?;
            let (_, text) = first.split_once("\n\n")?;
            Some(format!("{head}\n\n{}\n", text.trim_end()))
        });
        first.unwrap_or(whole).replace("=\n", "").replace("=3D", "=")
    }

    /// The value of a header field, unfolded.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let text = self.text();
        let (head, _) = text.split_once("\n\n").unwrap_or((&text, ""));
        let head = head.replace("\n ", " ").replace("\n\t", " ");
        let values = head.lines().filter_map(|line| line.split_once(':'));
        let mut values = values.filter(|(field, _)| field.eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value.trim().to_owned())
    }
}

impl fmt::Display for Mail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "MAIL FROM:<{}>\nRCPT TO:<{}>\n\n{}", self.from, self.to.join(">, <"), self.text())
    }
}

/// What the sink does instead of taking a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Answers RCPT with this reply.
    AtRcpt(&'static str),
    /// Closes the connection at RCPT.
    DropAtRcpt,
    /// Answers the end of the data with this reply.
    AtData(&'static str),
    /// Reads the whole message and closes the connection without an answer.
    DropAfterData,
    /// Keeps the message, and closes the connection without an answer.
    TakeAndDrop,
    /// Closes the connection after the first line of the message.
    DropInData,
    /// Reads no message and says nothing more, until [`Sink::release`].
    Stall,
    /// Answers RCPT only at [`Sink::release`], and takes the message.
    LateAtRcpt,
    /// The same with the end of the data.
    LateAtData,
}

/// A mail server on a free port of the loopback interface; it ends when it is dropped.
pub(crate) struct Sink {
    addr: SocketAddr,
    shared: Arc<Shared>,
    /// Ends the listener and all its connections with the sink.
    _tasks: JoinSet<()>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Told of every message.
    taken: watch::Sender<()>,
    /// How many connections stall.
    stalled: watch::Sender<usize>,
    /// Told when those that stall are to be closed.
    released: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// The sender and a recipient of every envelope, whatever became of it.
    envelopes: Vec<(String, String)>,
    violations: Vec<String>,
    connections: usize,
    /// For a recipient: what happens, and how often yet.
    scripts: HashMap<String, (Act, u32)>,
    /// Connections that are still to be turned away.
    greetings_refused: u32,
    without_pipelining: bool,
    without_8bitmime: bool,
    /// What STARTTLS is offered with.
    tls: Option<Arc<ServerConfig>>,
    with_requiretls: bool,
    /// Recipients of a transaction and transactions of a connection, where it says how many it takes.
    limits: Option<(usize, usize)>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }

    fn violation(&self, text: String) {
        self.state().violations.push(text);
    }

    /// Waits for [`Sink::release`], or the end of the sink.
    async fn stall(&self) {
        let mut released = self.released.subscribe();
        self.stalled.send_modify(|stalled| *stalled += 1);
        let _ = released.changed().await;
        self.stalled.send_modify(|stalled| *stalled -= 1);
    }
}

impl Sink {
    /// Starts a sink that takes everything.
    pub(crate) async fn start() -> Sink {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let addr = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared::default());
        let mut tasks = JoinSet::new();
        tasks.spawn(listen(listener, Arc::clone(&shared)));
        Sink { addr, shared, _tasks: tasks }
    }

    /// Where it listens.
    pub(crate) fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// From now on, does `act` for mail to `recipient`, `times` times; then takes it.
    pub(crate) fn script(&self, recipient: &str, act: Act, times: u32) {
        self.shared.state().scripts.insert(recipient.to_owned(), (act, times));
    }

    /// Refuses `recipient` for good.
    pub(crate) fn refuse(&self, recipient: &str) {
        self.script(recipient, Act::AtRcpt("550 5.1.1 No such mailbox"), u32::MAX);
    }

    /// Asks to try `recipient` later, `times` times.
    pub(crate) fn defer(&self, recipient: &str, times: u32) {
        self.script(recipient, Act::AtRcpt("451 4.3.0 Try again later"), times);
    }

    /// Turns away the next `connections` with 421.
    pub(crate) fn refuse_connections(&self, connections: u32) {
        self.shared.state().greetings_refused = connections;
    }

    /// Does not announce PIPELINING any more, and notes commands that do not wait.
    pub(crate) fn without_pipelining(&self) {
        self.shared.state().without_pipelining = true;
    }

    /// Does not announce 8BITMIME any more.
    pub(crate) fn without_8bitmime(&self) {
        self.shared.state().without_8bitmime = true;
    }

    /// Offers STARTTLS from the next connection on.
    pub(crate) fn offer_tls(&self, config: Arc<ServerConfig>) {
        self.shared.state().tls = Some(config);
    }

    /// Announces REQUIRETLS over TLS from now on.
    pub(crate) fn with_requiretls(&self) {
        self.shared.state().with_requiretls = true;
    }

    /// Announces from the next connection on how many recipients a transaction and how many transactions a connection
    /// may have (RFC 9422), and notes what is beyond.
    pub(crate) fn announce_limits(&self, recipients: usize, transactions: usize) {
        self.shared.state().limits = Some((recipients, transactions));
    }

    /// Every message that was answered 250, in order.
    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.shared.state().mails.clone()
    }

    /// How many copies were taken: recipients, not messages.
    pub(crate) fn copies(&self) -> usize {
        self.shared.state().mails.iter().map(|mail| mail.to.len()).sum()
    }

    /// How many connections were made.
    pub(crate) fn connections(&self) -> usize {
        self.shared.state().connections
    }

    /// The recipients of all copies, sorted; whoever got two stands there twice.
    pub(crate) fn to_members(&self) -> Vec<String> {
        let mut members: Vec<String> =
            self.shared.state().mails.iter().flat_map(|mail| mail.to.clone()).collect();
        members.sort();
        members
    }

    /// The one message that `recipient` got.
    #[track_caller]
    pub(crate) fn mail_to(&self, recipient: &str) -> Mail {
        let mut mails = self.mails();
        mails.retain(|mail| mail.to.iter().any(|to| to == recipient));
        match <[Mail; 1]>::try_from(mails) {
            Ok([mail]) => mail,
            Err(mails) => panic!("{recipient} got {} messages, not one: {mails:#?}", mails.len()),
        }
    }

    /// The sender of the newest envelope that named `recipient`, though the message may not have been taken.
    #[track_caller]
    pub(crate) fn sender_to(&self, recipient: &str) -> String {
        let state = self.shared.state();
        let mut envelopes = state.envelopes.iter().rev();
        let found = envelopes.find(|(_, to)| to == recipient).map(|(from, _)| from.clone());
        found.unwrap_or_else(|| panic!("no envelope named {recipient}"))
    }

    /// Forgets what was taken.
    pub(crate) fn clear(&self) {
        self.shared.state().mails.clear();
    }

    /// Waits until at least `copies` were taken.
    pub(crate) async fn wait_for(&self, copies: usize) {
        self.wait_until(|mails| copies <= mails.iter().map(|mail| mail.to.len()).sum()).await;
    }

    /// Waits until what was taken is as `done` says.
    pub(crate) async fn wait_until(&self, mut done: impl FnMut(&[Mail]) -> bool) {
        let mut taken = self.shared.taken.subscribe();
        let arrived = taken.wait_for(|()| done(&self.shared.state().mails));
        let in_time = tokio::time::timeout(WAIT_MAX, arrived).await.is_ok();
        assert!(in_time, "after {WAIT_MAX:?} there are only {} copies", self.copies());
    }

    /// Waits until `connections` stall.
    pub(crate) async fn wait_for_stalled(&self, connections: usize) {
        let mut stalled = self.shared.stalled.subscribe();
        let arrived = stalled.wait_for(|stalled| connections <= *stalled);
        let in_time = tokio::time::timeout(WAIT_MAX, arrived).await.is_ok();
        assert!(in_time, "after {WAIT_MAX:?} only {} connections stall", *self.shared.stalled.borrow());
    }

    /// Closes every connection that stalls.
    pub(crate) fn release(&self) {
        self.shared.released.send_replace(());
    }

    /// What the client did wrong.
    pub(crate) fn violations(&self) -> Vec<String> {
        self.shared.state().violations.clone()
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        // A client that goes away mid-sentence has crashed or was told to stop: its tests look at the outcome.
        connections.spawn(async move { drop(Connection::new(stream, shared).run().await) });
    }
}

/// How a connection ends before its client says QUIT.
#[derive(Debug)]
struct Closed;

impl From<std::io::Error> for Closed {
    fn from(_: std::io::Error) -> Closed {
        Closed
    }
}

/// What a connection is over.
trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Socket for S {}

struct Connection {
    stream: Box<dyn Socket>,
    shared: Arc<Shared>,
    buffer: Vec<u8>,
    greeted: bool,
    pipelining: bool,
    /// What STARTTLS is offered with; none once it was done.
    offered: Option<Arc<ServerConfig>>,
    tls: bool,
    limits: Option<(usize, usize)>,
    transactions: usize,
    envelope: Option<Envelope>,
}

#[derive(Default)]
struct Envelope {
    from: String,
    to: Vec<String>,
    /// Recipients that were named, whether they were accepted or not.
    named: usize,
    eight_bit: bool,
    utf8: bool,
    requires_tls: bool,
    act: Option<Act>,
}

impl Connection {
    fn new(stream: TcpStream, shared: Arc<Shared>) -> Connection {
        // Replies to pipelined commands are small writes in a row.
        stream.set_nodelay(true).expect("a TCP socket has this option");
        Connection {
            stream: Box::new(stream),
            shared,
            buffer: Vec::new(),
            greeted: false,
            pipelining: true,
            offered: None,
            tls: false,
            limits: None,
            transactions: 0,
            envelope: None,
        }
    }

    async fn run(mut self) -> Result<(), Closed> {
        let refused = {
            let mut state = self.shared.state();
            state.connections += 1;
            self.pipelining = !state.without_pipelining;
            self.offered.clone_from(&state.tls);
            self.limits = state.limits;
            let refused = state.greetings_refused != 0;
            state.greetings_refused = state.greetings_refused.saturating_sub(1);
            refused
        };
        if refused {
            return self.reply("421 4.3.2 Not now").await;
        }
        self.reply("220 sink.example.net ESMTP").await?;
        loop {
            let line = self.line().await?;
            let line = String::from_utf8_lossy(&line).into_owned();
            if !self.pipelining {
                self.must_wait(&line);
            }
            let verb = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            match verb.as_str() {
                "EHLO" => self.ehlo(&line).await?,
                "MAIL" => self.mail(&line).await?,
                "RCPT" => self.rcpt(&line).await?,
                "DATA" => self.data(&line).await?,
                "RSET" => {
                    self.envelope = None;
                    self.reply("250 2.0.0 Forgotten").await?;
                }
                "STARTTLS" => self = self.start_tls(&line).await?,
                "NOOP" => self.reply("250 2.0.0 Here").await?,
                "QUIT" => return self.reply("221 2.0.0 Bye").await,
                _ => self.wrong("500 5.5.1 Unknown command", &line).await?,
            }
        }
    }

    async fn ehlo(&mut self, line: &str) -> Result<(), Closed> {
        self.must_wait(line);
        self.greeted = true;
        self.envelope = None;
        let pipelining = if self.pipelining { "250-PIPELINING\r\n" } else { "" };
        let tls = match (&self.offered, self.takes_requiretls()) {
            (Some(_), _) => "250-STARTTLS\r\n",
            (None, true) => "250-REQUIRETLS\r\n",
            (None, false) => "",
        };
        let limits = self.limits.map(|(recipients, transactions)| {
            format!("250-LIMITS MAILMAX={transactions} RCPTMAX={recipients}\r\n")
        });
        let eight_bit = if self.shared.state().without_8bitmime { "" } else { "250-8BITMIME\r\n" };
        let (limits, size) = (limits.unwrap_or_default(), MESSAGE_BYTES_MAX);
        self.reply(&format!(
            "250-sink.example.net\r\n{pipelining}{tls}{limits}{eight_bit}250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE {size}"
        ))
        .await
    }

    fn takes_requiretls(&self) -> bool {
        self.tls && self.shared.state().with_requiretls
    }

    /// Everything begins again (RFC 3207 4.2).
    async fn start_tls(mut self, line: &str) -> Result<Connection, Closed> {
        self.must_wait(line);
        let Some(config) = self.offered.take() else {
            self.wrong("503 5.5.1 STARTTLS was not announced", line).await?;
            return Ok(self);
        };
        self.reply("220 2.0.0 Go ahead").await?;
        let stream = TlsAcceptor::from(config).accept(self.stream).await?;
        Ok(Connection { stream: Box::new(stream), greeted: false, tls: true, envelope: None, ..self })
    }

    async fn mail(&mut self, line: &str) -> Result<(), Closed> {
        let Some((from, parameters)) = path(line, "MAIL FROM:<") else {
            return self.wrong("501 5.5.4 Syntax", line).await;
        };
        if !self.greeted || self.envelope.is_some() {
            return self.wrong("503 5.5.1 Not now", line).await;
        }
        self.transactions += 1;
        if self.limits.is_some_and(|(_, transactions)| transactions < self.transactions) {
            return self.wrong("451 4.7.0 Too many transactions", line).await;
        }
        let mut envelope = Envelope { from: from.to_owned(), ..Envelope::default() };
        for parameter in parameters.split_ascii_whitespace() {
            match parameter.to_ascii_uppercase().as_str() {
                "BODY=8BITMIME" => envelope.eight_bit = true,
                "BODY=7BIT" => envelope.eight_bit = false,
                "SMTPUTF8" => envelope.utf8 = true,
                "REQUIRETLS" if self.takes_requiretls() => envelope.requires_tls = true,
                size if size.strip_prefix("SIZE=").is_some_and(|size| size.parse::<u64>().is_ok()) => {}
                _ => return self.wrong("555 5.5.4 Parameter not announced", line).await,
            }
        }
        let utf8 = envelope.utf8;
        self.envelope = Some(envelope);
        self.check_address(line, utf8);
        self.reply("250 2.1.0 Sender taken").await
    }

    async fn rcpt(&mut self, line: &str) -> Result<(), Closed> {
        let Some((to, "")) = path(line, "RCPT TO:<") else {
            return self.wrong("501 5.5.4 Syntax", line).await;
        };
        let Some(envelope) = &mut self.envelope else {
            return self.wrong("503 5.5.1 MAIL first", line).await;
        };
        envelope.named += 1;
        let (from, named, utf8) = (envelope.from.clone(), envelope.named, envelope.utf8);
        if self.limits.is_some_and(|(recipients, _)| recipients < named) {
            return self.wrong("452 4.5.3 Too many recipients", line).await;
        }
        self.shared.state().envelopes.push((from, to.to_owned()));
        self.check_address(line, utf8);
        let act = self.act(to);
        if let Some(Act::AtRcpt(reply)) = act {
            return self.reply(reply).await;
        }
        if act == Some(Act::DropAtRcpt) {
            return Err(Closed);
        }
        if act == Some(Act::LateAtRcpt) {
            self.shared.stall().await;
        }
        let envelope = self.envelope.as_mut().expect("it was there just now");
        envelope.to.push(to.to_owned());
        envelope.act = envelope.act.or(act);
        self.reply("250 2.1.5 Recipient taken").await
    }

    /// What the script says for `recipient`; each time counts.
    fn act(&self, recipient: &str) -> Option<Act> {
        let mut state = self.shared.state();
        let (act, times) = state.scripts.get_mut(recipient)?;
        if *times == 0 {
            return None;
        }
        *times = if *times == u32::MAX { u32::MAX } else { *times - 1 };
        Some(*act)
    }

    async fn data(&mut self, line: &str) -> Result<(), Closed> {
        self.must_wait(line);
        let Some(envelope) = self.envelope.take() else {
            return self.wrong("503 5.5.1 MAIL first", line).await;
        };
        if envelope.to.is_empty() {
            // Pipelined with RCPTs that were refused: right of the client (RFC 2920 3.1).
            return self.reply("554 5.5.1 No valid recipients").await;
        }
        self.reply("354 Go on").await?;
        if envelope.act == Some(Act::DropInData) {
            self.line().await?;
            return Err(Closed);
        }
        if envelope.act == Some(Act::Stall) {
            self.shared.stall().await;
            return Err(Closed);
        }
        let data = self.message(&envelope).await?;
        match envelope.act {
            None | Some(Act::LateAtRcpt | Act::TakeAndDrop) => {}
            Some(Act::LateAtData) => self.shared.stall().await,
            Some(Act::AtData(reply)) => return self.reply(reply).await,
            Some(Act::DropAfterData) => return Err(Closed),
            Some(Act::AtRcpt(_) | Act::DropAtRcpt | Act::DropInData | Act::Stall) => {
                unreachable!("done before the data")
            }
        }
        // Kept before it is answered: a client that has its answer finds it here.
        self.shared.state().mails.push(Mail {
            from: envelope.from,
            to: envelope.to,
            data,
            tls: self.tls,
            requires_tls: envelope.requires_tls,
        });
        self.shared.taken.send_replace(());
        if envelope.act == Some(Act::TakeAndDrop) {
            return Err(Closed);
        }
        self.reply("250 2.0.0 Taken").await
    }

    async fn message(&mut self, envelope: &Envelope) -> Result<Vec<u8>, Closed> {
        let mut data = Vec::new();
        loop {
            let line = self.line().await?;
            if line == b"." {
                break;
            }
            let stuffed = line.starts_with(b".");
            if stuffed && !line.starts_with(b"..") {
                self.violation("a dot at the beginning of a line was not doubled", &line);
            }
            data.extend_from_slice(&line[usize::from(stuffed)..]);
            data.extend_from_slice(b"\r\n");
        }
        if !data.is_ascii() && !envelope.eight_bit {
            self.violation("8-bit data without BODY=8BITMIME", &data);
        }
        Ok(data)
    }

    /// The next line without its end.
    async fn line(&mut self) -> Result<Vec<u8>, Closed> {
        let end = loop {
            match self.buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => break end,
                None if self.stream.read_buf(&mut self.buffer).await? == 0 => return Err(Closed),
                None => {}
            }
        };
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        if LINE_BYTES_MAX < line.len() {
            self.violation("a line is longer than 1000 octets", &line);
        }
        line.pop();
        if line.pop_if(|byte| *byte == b'\r').is_none() {
            self.violation("a line ends in LF without CR", &line);
        }
        if line.contains(&b'\r') {
            self.violation("a line has a CR that is not its end", &line);
        }
        Ok(line)
    }

    /// Nothing may follow this command before it is answered (RFC 2920 3.1).
    fn must_wait(&mut self, line: &str) {
        let mut ahead = [0; 64];
        let mut ahead = ReadBuf::new(&mut ahead);
        let mut context = Context::from_waker(Waker::noop());
        if Pin::new(&mut self.stream).poll_read(&mut context, &mut ahead).is_ready() {
            self.buffer.extend_from_slice(ahead.filled());
        }
        if !self.buffer.is_empty() {
            let buffer = self.buffer.clone();
            self.violation(&format!("the client did not wait for the answer to {line:?}"), &buffer);
        }
    }

    fn check_address(&self, line: &str, utf8: bool) {
        if !line.is_ascii() && !utf8 {
            self.violation("an international address without SMTPUTF8", line.as_bytes());
        }
    }

    fn violation(&self, problem: &str, bytes: &[u8]) {
        let seen = String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).into_owned();
        self.shared.violation(format!("{problem}: {seen:?}"));
    }

    async fn wrong(&mut self, reply: &str, line: &str) -> Result<(), Closed> {
        self.violation(reply, line.as_bytes());
        self.reply(reply).await
    }

    async fn reply(&mut self, text: &str) -> Result<(), Closed> {
        self.stream.write_all(format!("{text}\r\n").as_bytes()).await?;
        Ok(())
    }
}

/// The path, in which a quoted local part may have a bracket, and the parameters of a MAIL or RCPT command.
fn path<'line>(line: &'line str, command: &str) -> Option<(&'line str, &'line str)> {
    let start = line.get(..command.len())?;
    let (path, parameters) = line[command.len()..].rsplit_once('>')?;
    start.eq_ignore_ascii_case(command).then_some((path, parameters))
}

mod tests;
