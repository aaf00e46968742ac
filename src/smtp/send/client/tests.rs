//! Sends to a server that keeps to a script.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;

use super::*;
use crate::config::Relay;
use crate::model::EmailAddress;

/// Plays `script` to one client: lines that begin with a digit are sent, others must come. `*` stands for any
/// text up to the final dot. Gives what came.
async fn play(listener: TcpListener, script: String) {
    let (stream, _) = listener.accept().await.unwrap();
    let mut stream = BufReader::new(stream);
    for line in script.lines().map(str::trim) {
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            stream.write_all(format!("{line}\r\n").as_bytes()).await.unwrap();
            continue;
        }
        let mut heard = String::new();
        while !heard.ends_with("\r\n") || line == "*" && !(heard.ends_with("\r\n.\r\n") || heard == ".\r\n") {
            let length = stream.read_line(&mut heard).await.unwrap();
            assert!(0 < length, "the client left where {line:?} was expected; {heard:?}");
        }
        assert!(line == "*" || heard.trim_end() == line, "expected {line:?}, came {heard:?}");
    }
}

fn config() -> ClientConfig {
    ClientConfig { command_timeout: Duration::from_millis(500), ..ClientConfig::new("mx.test") }
}

fn target(address: SocketAddr) -> Target {
    Target {
        host: "peer.test".to_owned(),
        addresses: vec![address],
        security: Security::Opportunistic,
        credentials: None,
    }
}

/// Connects to a server that plays the script after the greeting, sends a copy to each of `recipients`, and
/// writes down the outcomes.
async fn send(script: &str, recipients: &[&str]) -> (String, Connection) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = target(listener.local_addr().unwrap());
    let server = tokio::spawn(play(listener, format!("220 peer ESMTP\nEHLO mx.test\n{script}")));
    let mut connection = connect(&target, &config()).await.unwrap();
    let log = send_on(&mut connection, recipients).await;
    server.await.unwrap();
    (log, connection)
}

/// Sends one copy to each recipient and writes down what was heard, texts that began to leave with a `>`.
///
/// A recipient may be several with a comma between them, who share their copy.
struct Log<'a> {
    recipients: std::slice::Iter<'a, &'a str>,
    lines: Vec<String>,
}

impl Outgoing for Log<'_> {
    fn asked(&mut self, _: usize) {}

    fn next(&mut self, copy: &mut CopyBuffer) -> bool {
        let Some(recipient) = self.recipients.next() else { return false };
        let from = EmailAddress::parse("b@lists.test").unwrap();
        let mut recipients = recipient.split(',').map(|address| EmailAddress::parse(address).unwrap());
        copy.set_envelope(Some(&from), &recipients.next().unwrap());
        recipients.for_each(|recipient| copy.add_recipient(&recipient));
        copy.data_mut().extend_from_slice(b"A: b\r\n");
        true
    }

    fn is_stalled(&self) -> bool {
        false
    }

    fn begun(&mut self, index: usize) {
        self.lines.push(format!(">{index}"));
    }

    fn refused(&mut self, index: usize, recipient: usize, outcome: ReplyOutcome) {
        self.lines.push(match outcome {
            ReplyOutcome::Delivered(reply) => format!("{index}/{recipient} delivered {reply}"),
            ReplyOutcome::Deferred(reply) => format!("{index}/{recipient} deferred {reply}"),
            ReplyOutcome::Failed(reply) => format!("{index}/{recipient} failed {reply}"),
        });
    }

    fn answered(&mut self, index: usize, outcome: ReplyOutcome) {
        // A copy that was answered shows that it began.
        self.lines.retain(|line| *line != format!(">{index}"));
        self.lines.push(match outcome {
            ReplyOutcome::Delivered(reply) => format!("{index} delivered {reply}"),
            ReplyOutcome::Deferred(reply) => format!("{index} deferred {reply}"),
            ReplyOutcome::Failed(reply) => format!("{index} failed {reply}"),
        });
    }
}

async fn send_on(connection: &mut Connection, recipients: &[&str]) -> String {
    let mut log = Log { recipients: recipients.iter(), lines: Vec::new() };
    if let Err(error) = connection.send_all(&mut log).await {
        log.lines.push(format!("lost: {error}"));
    }
    log.lines.join("|")
}

const ABLE: &str = "250-peer\n250-PIPELINING\n250 8BITMIME\n";

fn envelope(recipient: &str) -> String {
    format!("MAIL FROM:<b@lists.test>\nRCPT TO:<{recipient}>\nDATA\n")
}

#[tokio::test]
async fn text_and_next_envelope_leave_together() {
    // The second envelope comes before the first text is answered.
    let (a, b) = (envelope("a@x.org"), envelope("b@x.org"));
    let script = format!(
        "{ABLE}{a}250 1\n250 2\n354 go\n*\n{b}250 2.0.0 first\n250 1\n250 2\n354 go\n*\n250-two\n250 lines"
    );
    let (log, connection) = send(&script, &["a@x.org", "b@x.org"]).await;
    assert_eq!(log, "0 delivered 250 2.0.0 first|1 delivered 250 two lines");
    assert_eq!(connection.sent(), 2);
}

const SHARED: &str =
    "MAIL FROM:<b@lists.test>\nRCPT TO:<a@x.org>\nRCPT TO:<b@x.org>\nRCPT TO:<c@x.org>\nDATA\n";

/// Sends one copy to three who share it, with and without PIPELINING, to a server that answers `mail`, the three
/// `rcpt`, and what follows.
async fn check_shared(mail: &str, rcpt: [&str; 3], pipelined: &str, in_turns: &str, expected: &str) {
    let [a, b, c] = rcpt;
    let script = format!("{ABLE}{SHARED}{mail}\n{a}\n{b}\n{c}\n{pipelined}");
    assert_eq!(send(&script, &["a@x.org,b@x.org,c@x.org"]).await.0, expected);
    let mut script = format!("250 peer\nMAIL FROM:<b@lists.test>\n{mail}\n");
    if mail.starts_with('2') {
        script += &[("a", a), ("b", b), ("c", c)]
            .map(|(name, reply)| format!("RCPT TO:<{name}@x.org>\n{reply}\n"))
            .concat();
    }
    script += in_turns;
    assert_eq!(send(&script, &["a@x.org,b@x.org,c@x.org"]).await.0, expected);
}

#[tokio::test]
async fn of_those_who_share_a_copy_each_is_refused_alone() {
    let (yes, no) = ("250 2.1.5 yes", "550 5.1.1 no");
    let (pipelined, in_turns) = ("354 go\n*\n250 done", "DATA\n354 go\n*\n250 done");
    check_shared("250 1", [yes, yes, yes], pipelined, in_turns, "0 delivered 250 done").await;
    check_shared(
        "250 1",
        [yes, no, yes],
        pipelined,
        in_turns,
        "0/1 failed 550 5.1.1 no|0 delivered 250 done",
    )
    .await;
    let in_turns = "DATA\n354 go\n*\n452 4.2.2 full";
    let expected = "0/0 deferred 450 later|0 deferred 452 4.2.2 full";
    check_shared("250 1", ["450 later", yes, yes], "354 go\n*\n452 4.2.2 full", in_turns, expected).await;
}

#[tokio::test]
async fn a_shared_copy_that_nobody_may_have_is_not_sent() {
    let (yes, no) = ("250 2.1.5 yes", "550 5.1.1 no");
    let rset = "RSET\n250 ok";
    let expected = "0/0 failed 550 5.1.1 no|0/1 deferred 450 later|0 failed 550 5.1.1 no";
    let awaits = "354 go\n.\nRSET\n554 nobody\n250 ok";
    check_shared("250 1", [no, "450 later", no], awaits, rset, expected).await;
    let refused = format!("554 nobody\n{rset}");
    check_shared("250 1", [no, "450 later", no], &refused, rset, expected).await;
    let in_turns = format!("DATA\n451 not now\n{rset}");
    check_shared(
        "250 1",
        [yes, yes, yes],
        &format!("451 not now\n{rset}"),
        &in_turns,
        "0 deferred 451 not now",
    )
    .await;
    let refused = format!("503 DATA\n{rset}");
    check_shared("451 who", ["503 RCPT"; 3], &refused, rset, "0 deferred 451 who").await;
}

#[tokio::test]
async fn a_server_that_ends_the_session_within_an_envelope_has_refused_nobody_else() {
    let script = format!("{ABLE}{SHARED}250 1\n550 5.1.1 no\n421 bye");
    let (log, _) = send(&script, &["a@x.org,b@x.org,c@x.org"]).await;
    assert_eq!(log, "0/0 failed 550 5.1.1 no|0 deferred 421 bye|lost: 421 bye");
    let script = format!("{ABLE}{SHARED}451 who\n503 no\n421 bye");
    let (log, _) = send(&script, &["a@x.org,b@x.org,c@x.org"]).await;
    assert_eq!(log, "0 deferred 421 bye|lost: 421 bye");
}

#[tokio::test]
async fn without_pipelining_each_command_waits() {
    let script = "250 peer\nMAIL FROM:<b@lists.test>\n250 1\nRCPT TO:<a@x.org>\n550 5.1.1 no\nRSET\n250 ok\n\
                  MAIL FROM:<b@lists.test>\n250 1\nRCPT TO:<b@x.org>\n250 2\nDATA\n354 go\n*\n250 done";
    let (log, _) = send(script, &["a@x.org", "b@x.org"]).await;
    assert_eq!(log, "0 failed 550 5.1.1 no|1 delivered 250 done");
}

#[tokio::test]
async fn a_refused_recipient_fails_its_copy_alone() {
    let (a, b) = (envelope("a@x.org"), envelope("b@x.org"));
    let script = format!(
        "{ABLE}{a}250 1\n550 5.1.1 unknown\n503 no recipients\nRSET\n{b}250 reset\n250 1\n250 2\n354 go\n*\n250 done"
    );
    let (log, _) = send(&script, &["a@x.org", "b@x.org"]).await;
    assert_eq!(log, "0 failed 550 5.1.1 unknown|1 delivered 250 done");
}

#[tokio::test]
async fn text_that_is_wanted_for_a_refused_recipient_is_ended_at_once() {
    let a = envelope("a@x.org");
    let script = format!("{ABLE}{a}250 1\n450 4.2.1 busy\n354 go\n*\nRSET\n554 no recipients\n250 reset");
    let (log, mut connection) = send(&script, &["a@x.org"]).await;
    assert_eq!(log, "0 deferred 450 4.2.1 busy");
    assert!(connection.is_clean);
    // The script has ended and with it the server.
    assert_eq!(connection.input.len(), READ_BYTES);
    assert!(send_on(&mut connection, &["a@x.org"]).await.starts_with("lost: the connection broke"));
}

#[tokio::test]
async fn outcomes_follow_the_first_refusal_and_the_last_reply() {
    let a = envelope("a@x.org");
    let refused = |replies: &str| format!("{ABLE}{a}{replies}\nRSET\n250 ok");
    let cases = [
        (refused("452 4.3.1 full\n503 x\n503 x"), "0 deferred 452 4.3.1 full"),
        (refused("250 ok\n250 ok\n451 later"), "0 deferred 451 later"),
        (refused("250 ok\n250 ok\n250 strange"), "0 deferred 250 strange"),
        (format!("{ABLE}{a}250 ok\n250 ok\n354 go\n*\n554 5.7.1 spam"), "0 failed 554 5.7.1 spam"),
        (format!("{ABLE}{a}250 ok\n250 ok\n354 go\n*\n451 4.7.0 grey"), "0 deferred 451 4.7.0 grey"),
    ];
    for (script, expected) in cases {
        assert_eq!(send(&script, &["a@x.org"]).await.0, expected);
    }
}

#[tokio::test]
async fn what_was_not_answered_has_no_outcome() {
    let (a, b) = (envelope("a@x.org"), envelope("b@x.org"));
    let closing = format!("{ABLE}{a}250 1\n250 2\n354 go\n*\n{b}250 done\n250 1\n250 2");
    let (log, connection) = send(&closing, &["a@x.org", "b@x.org"]).await;
    assert!(log.starts_with("0 delivered 250 done|lost: the connection broke"), "{log}");
    assert!(!connection.is_usable());
    let told = format!("{ABLE}{a}250 1\n250 2\n354 go\n*\n{b}421 4.3.2 stopping");
    let (log, _) = send(&told, &["a@x.org", "b@x.org"]).await;
    assert_eq!(log, "0 deferred 421 4.3.2 stopping|lost: 421 4.3.2 stopping");
    let nonsense = format!("{ABLE}{a}250 1\n250 2\n354 go\n*\n{b}2x0 what");
    let (log, _) = send(&nonsense, &["a@x.org", "b@x.org"]).await;
    assert_eq!(log, ">0|lost: the server does not speak SMTP");
}

#[tokio::test]
async fn a_copy_that_the_peer_cannot_take_is_settled_here() {
    let b = envelope("b@x.org");
    let script = format!("{ABLE}{b}250 1\n250 2\n354 go\n*\n250 done");
    let (log, _) = send(&script, &["é@x.org", "b@x.org", "é@y.org"]).await;
    let refusal = "553 5.6.7 The server takes no addresses beyond ASCII (no SMTPUTF8)";
    assert_eq!(log, format!("0 failed {refusal}|2 failed {refusal}|1 delivered 250 done"));
}

#[tokio::test]
async fn a_server_without_ehlo_is_spoken_to_with_helo() {
    let script = "502 what\nHELO mx.test\n250 peer\nMAIL FROM:<b@lists.test>\n550 no\nRSET\n250 ok";
    assert_eq!(send(script, &["a@x.org"]).await.0, "0 failed 550 no");
}

#[track_caller]
fn check_refused(result: Result<Connection, ConnectError>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[tokio::test]
async fn a_server_that_does_not_want_us_is_quoted() {
    let refused = |script: &'static str| async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = target(listener.local_addr().unwrap());
        let server = tokio::spawn(play(listener, script.to_owned()));
        let result = connect(&target, &config()).await;
        server.await.unwrap();
        result
    };
    check_refused(refused("554 5.7.1 go away").await, "554 5.7.1 go away");
    check_refused(refused("220 hi\nEHLO mx.test\n421 4.7.0 full").await, "421 4.7.0 full");
}

#[tokio::test]
async fn the_next_address_is_tried_when_one_does_not_want_us() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refusing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut target = target(refusing.local_addr().unwrap());
    target.addresses.push(listener.local_addr().unwrap());
    let refusing = tokio::spawn(play(refusing, "554 5.7.1 go away".to_owned()));
    let taking = tokio::spawn(play(listener, "220 hi\nEHLO mx.test\n250 hi".to_owned()));
    assert!(connect(&target, &config()).await.is_ok());
    refusing.await.unwrap();
    taking.await.unwrap();
}

#[tokio::test]
async fn silence_has_an_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut target = target(listener.local_addr().unwrap());
    check_refused(connect(&target, &config()).await, "no answer in time");
    target.addresses.clear();
    check_refused(connect(&target, &config()).await, "there is no address to connect to");
}

#[tokio::test]
async fn a_password_waits_for_verified_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let relay = Relay {
        host: "localhost".to_owned(),
        port: address.port(),
        implicit_tls: false,
        credentials: Some(("ada".to_owned(), "secret".to_owned())),
    };
    let server = tokio::spawn(play(listener, "220 hi\nEHLO mx.test\n250-hi\n250 AUTH PLAIN".to_owned()));
    let result = connect(&Target::relay(&relay, &[address.ip()]), &config()).await;
    check_refused(result, "the server offers no STARTTLS, which is needed here");
    server.await.unwrap();
}

mod over_tls {
    use std::sync::Arc;

    use tokio_rustls::TlsAcceptor;

    use super::*;
    use crate::net::tls::{Certificates, self_signed, server_config};

    /// Serves each connection: greeting, STARTTLS, then one message over TLS (or in clear, if none comes).
    async fn serve(listener: TcpListener, tls_works: bool) {
        let certificate = Certificates::new(&self_signed("peer.test").unwrap()).unwrap();
        let acceptor = TlsAcceptor::from(server_config(Arc::new(certificate)).unwrap());
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.write_all(b"220 hi\r\n").await.unwrap();
            let mut buffer = [0; 1000];
            let _ehlo = stream.read(&mut buffer).await.unwrap();
            stream.write_all(b"250-hi\r\n250 STARTTLS\r\n").await.unwrap();
            let length = stream.read(&mut buffer).await.unwrap();
            if &buffer[..length] != b"STARTTLS\r\n" {
                stream.write_all(b"550 in clear\r\n").await.unwrap();
                let _rset = stream.read(&mut buffer).await.unwrap();
                stream.write_all(b"250 ok\r\n").await.unwrap();
            } else if tls_works {
                stream.write_all(b"220 go\r\n").await.unwrap();
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let _ehlo = stream.read(&mut buffer).await.unwrap();
                stream.write_all(b"250 hi\r\n").await.unwrap();
                let _mail = stream.read(&mut buffer).await.unwrap();
                stream.write_all(b"550 over TLS\r\n").await.unwrap();
                let _rset = stream.read(&mut buffer).await.unwrap();
                stream.write_all(b"250 ok\r\n").await.unwrap();
            } else {
                stream.write_all(b"454 no TLS today\r\n").await.unwrap();
            }
        }
    }

    async fn first_outcome(tls_works: bool, security: Security) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = Target { security, ..target(listener.local_addr().unwrap()) };
        let server = tokio::spawn(serve(listener, tls_works));
        let outcome = match connect(&target, &config()).await {
            Ok(mut connection) => send_on(&mut connection, &["a@x.org"]).await,
            Err(error) => error.to_string(),
        };
        server.abort();
        outcome
    }

    #[tokio::test]
    async fn a_self_signed_certificate_will_do_where_nothing_is_asked() {
        assert_eq!(first_outcome(true, Security::Opportunistic).await, "0 failed 550 over TLS");
    }

    #[tokio::test]
    async fn tls_that_does_not_work_is_left_out_where_nothing_is_asked() {
        assert_eq!(first_outcome(false, Security::Opportunistic).await, "0 failed 550 in clear");
        let outcome = first_outcome(false, Security::Verified).await;
        assert!(outcome.starts_with("TLS failed") && outcome.contains("454"), "{outcome}");
    }

    #[tokio::test]
    async fn a_self_signed_certificate_is_refused_where_it_must_be_verified() {
        let outcome = first_outcome(true, Security::Verified).await;
        assert!(outcome.starts_with("TLS failed: TLS error: invalid peer certificate"), "{outcome}");
    }
}

mod pooled {
    use super::*;
    use crate::smtp::send::pool::{Pool, PoolLimits};

    const QUIET: &str = "250 peer";

    async fn idle(script: &str) -> (Connection, tokio::task::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = target(listener.local_addr().unwrap());
        let server = tokio::spawn(play(listener, format!("220 peer\nEHLO mx.test\n{script}")));
        (connect(&target, &config()).await.unwrap(), server)
    }

    #[tokio::test]
    async fn an_idle_connection_serves_its_destination_again() {
        let pool = Pool::new(PoolLimits::default());
        let (connection, server) = idle(&format!("{QUIET}\nQUIT\n221 bye")).await;
        pool.put("x.org", connection);
        assert!(pool.get("y.org").is_none());
        let connection = pool.get("x.org").unwrap();
        assert!(pool.get("x.org").is_none());
        pool.put("x.org", connection);
        pool.close().await;
        assert!(pool.get("x.org").is_none());
        server.await.unwrap();
    }

    #[tokio::test]
    async fn a_connection_that_the_other_side_left_is_not_kept() {
        let pool = Pool::new(PoolLimits::default());
        let (connection, server) = idle(QUIET).await;
        pool.put("x.org", connection);
        server.await.unwrap();
        tokio::task::yield_now().await;
        // The close is noticed as soon as the runtime has heard of it.
        let found = timeout(Duration::from_secs(5), async {
            while let Some(connection) = pool.get("x.org") {
                pool.put("x.org", connection);
                tokio::task::yield_now().await;
            }
        });
        found.await.unwrap();
    }

    #[tokio::test]
    async fn what_is_spent_or_old_is_left() {
        let goodbye = format!("{QUIET}\nQUIT\n221 bye");
        let spent = Pool::new(PoolLimits { copies_max: 0, ..PoolLimits::default() });
        let (connection, server) = idle(&goodbye).await;
        spent.put("x.org", connection);
        server.await.unwrap();
        let old = Pool::new(PoolLimits { idle_max: Duration::ZERO, ..PoolLimits::default() });
        let (connection, server) = idle(&goodbye).await;
        old.put("x.org", connection);
        server.await.unwrap();
    }
}

#[tokio::test]
async fn no_text_leaves_for_who_was_not_asked_to_wait_for_it() {
    for script in
        ["MAIL FROM:<b@lists.test>\n354 odd", "MAIL FROM:<b@lists.test>\n250 1\nRCPT TO:<a@x.org>\n354 odd"]
    {
        let (log, connection) = send(&format!("250 peer\n{script}"), &["a@x.org"]).await;
        assert_eq!(log, "lost: the server does not speak SMTP");
        assert!(!connection.is_usable());
    }
}

#[tokio::test]
async fn an_answer_of_many_lines_is_an_answer() {
    let lines = format!("250-{}\n", "x".repeat(70)).repeat(100);
    let script = format!("{ABLE}{}250 1\n250 2\n354 go\n*\n{lines}250 2.0.0 taken", envelope("a@x.org"));
    let (log, _) = send(&script, &["a@x.org"]).await;
    assert!(log.starts_with("0 delivered 250 "), "{log}");
}
