//! Properties of the SMTP session over arbitrary and mutated input, and of the client over arbitrary replies.

use std::time::Duration;

use crier::model::EmailAddress;
use crier::smtp::budget::ContentBudget;
use crier::smtp::client::{ClientConfig, Security, Target, connect};
use crier::smtp::outgoing::{CopyBuffer, Outcome, Outgoing};
use crier::smtp::session::{Protocol, Recipient, Session, SessionLimits, Step, Transaction};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

const SIZE_MAX_BYTES: usize = 300;

/// Every command and turn of the protocol, from which inputs are mixed.
const PARTS: &[&[u8]] = &[
    b"EHLO c\r\n",
    b"HELO c\r\n",
    b"LHLO c\r\n",
    b"MAIL FROM:<a@b.org>\r\n",
    b"MAIL FROM:<> SIZE=10 BODY=8BITMIME SMTPUTF8\r\n",
    b"MAIL FROM:<@x.org:\"q\\\"uo ted\"@b.org> RET=HDRS ENVID=x+2B BY=5;R AUTH=<> MT-PRIORITY=3\r\n",
    b"RCPT TO:<l@lists.test>\r\n",
    b"RCPT TO:<m@lists.test> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;a+2Bb@c RRVS=2014-04-03T23:01:00Z\r\n",
    b"RCPT TO:<\xc3\xa9@lists.test>\r\n",
    b"RCPT TO:<Postmaster>\r\n",
    b"DATA\r\n",
    b"BDAT 10\r\n0123456\r\n.",
    b"BDAT 0 LAST\r\n",
    b"BDAT 5 LAST\r\nabcde",
    b"BDAT 99999999999999999999\r\n",
    b"Subject: x\r\n\r\ntext\r\n",
    b"..stuffed\r\n",
    b".\r\n",
    b"\r\n.\r\n",
    b"\n.\n",
    b"\r.\r\n",
    b"\r\n.\r\r\n",
    b"\0",
    b"\xff\xfe\r\n",
    b"0123456789012345678901234567890123456789012345678901234567890123456789\r\n",
    b"RSET\r\n",
    b"NOOP x\r\n",
    b"VRFY l\r\n",
    b"EXPN l\r\n",
    b"HELP\r\n",
    b"AUTH PLAIN AGEAYg==\r\n",
    b"ETRN x\r\n",
    b"ATRN a,b\r\n",
    b"BURL imap://x LAST\r\n",
    b"QUIT\r\n",
    b"\r\n",
    b"\n",
];

fn protocol() -> impl Strategy<Value = Protocol> {
    prop::sample::select(&[Protocol::Smtp, Protocol::Lmtp][..])
}

/// A recipient without a limit of its own.
#[derive(Debug)]
struct Anybody;

impl Recipient for Anybody {}

fn session(protocol: Protocol) -> Session<Anybody> {
    let limits = SessionLimits {
        protocol,
        hostname: "lists.test".to_owned(),
        size_max_bytes: SIZE_MAX_BYTES,
        recipients_max: 2,
        errors_max: 30,
        content_budget: ContentBudget::default(),
    };
    // Without STARTTLS: what follows it is thrown away together with the piece it came in.
    Session::new(limits, false)
}

/// Everything a session says and hands over for `pieces`. It must never hold more than a message may have.
fn steps(protocol: Protocol, pieces: &[&[u8]]) -> Vec<String> {
    let mut session = session(protocol);
    let mut log = Vec::new();
    for piece in pieces {
        let mut input = *piece;
        loop {
            let step = session.step(&mut input);
            assert!(session.stored_bytes() <= SIZE_MAX_BYTES, "stores more than a message may have");
            log.push(match step {
                Step::NeedMore => break,
                Step::CheckRecipient { address, .. } => {
                    let is_ours = address.domain() == "lists.test";
                    let refusal = crier::smtp::reply::Reply::new(550, "5.7.1", "Not ours");
                    format!("{:?}", session.recipient(if is_ours { Ok(Anybody) } else { Err(refusal) }))
                }
                Step::Receive(transaction) => {
                    check_message(&transaction);
                    let answers = if protocol == Protocol::Lmtp { transaction.recipients.len() } else { 1 };
                    let replies: Vec<_> = (0..answers).map(|_| session.received(Ok(()))).collect();
                    format!("{transaction:?} {replies:?}")
                }
                step => format!("{step:?}"),
            });
        }
        assert!(input.is_empty(), "more is wanted while something is left");
    }
    log
}

fn check_message(transaction: &Transaction<Anybody>) {
    let Transaction { reverse_path: _, recipients, smtputf8: _, raw, share: _ } = transaction;
    assert!((1..=2).contains(&recipients.len()));
    assert!(raw.len() <= SIZE_MAX_BYTES);
    assert!(!raw.contains(&0));
    let bare_lf = (0..raw.len()).any(|at| raw[at] == b'\n' && (at == 0 || raw[at - 1] != b'\r'));
    let bare_cr = (0..raw.len()).any(|at| raw[at] == b'\r' && raw.get(at + 1) != Some(&b'\n'));
    assert!(!bare_lf && !bare_cr, "a message with a bare line end was taken");
}

/// Cuts `input` at the given places, taken modulo its length.
fn cut<'a>(input: &'a [u8], places: &[usize]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place % (input.len() + 1)).collect();
    places.sort_unstable();
    let mut pieces = Vec::new();
    let mut from = 0;
    for place in places {
        pieces.push(&input[from..place]);
        from = place;
    }
    pieces.push(&input[from..]);
    pieces
}

/// Parts of the protocol in any order, mostly behind a transaction that was begun.
fn conversation() -> impl Strategy<Value = Vec<u8>> {
    let begun = prop::bool::weighted(0.7);
    let parts = prop::collection::vec(prop::sample::select(PARTS), 0..25);
    (begun, parts).prop_map(|(begun, parts)| {
        let head: &[&[u8]] = if begun { &[PARTS[0], PARTS[2], PARTS[3], PARTS[6]] } else { &[] };
        [head, &parts].concat().concat()
    })
}

/// A conversation with single octets changed, dropped or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<usize>(), any::<u8>(), 0..3u8), 0..8);
    (conversation(), changes).prop_map(|(mut input, changes)| {
        for (place, octet, kind) in changes {
            if input.is_empty() {
                break;
            }
            let place = place % input.len();
            match kind {
                0 => input[place] = octet,
                1 => drop(input.remove(place)),
                _ => input.insert(place, input[place]),
            }
        }
        input
    })
}

/// Replies from which a server's half of a conversation is mixed.
const REPLIES: &[&str] = &[
    "250 ok\r\n",
    "250 ok\r\n250 ok\r\n354 go\r\n",
    "250 2.0.0 done\r\n",
    "354 go\r\n",
    "550 5.1.1 no\r\n",
    "450 later\r\n",
    "250-two\r\n",
    "421 4.3.2 bye\r\n",
    "250 bare\n",
    "\r\n",
    "25",
    "999 odd\r\n",
    "-\u{0}\r\n",
];

const COPIES: usize = 3;

/// Three copies, and what became of them.
#[derive(Default)]
struct Batch {
    handed_out: usize,
    begun: Vec<usize>,
    answered: Vec<(usize, Outcome)>,
}

impl Outgoing for Batch {
    fn next(&mut self, copy: &mut CopyBuffer) -> bool {
        copy.set_envelope(None, &EmailAddress::parse("a@x.org").unwrap());
        copy.data_mut().extend_from_slice(b"A: b\r\n");
        self.handed_out += 1;
        self.handed_out <= COPIES
    }

    fn begun(&mut self, index: usize) {
        self.begun.push(index);
    }

    fn answered(&mut self, index: usize, outcome: Outcome) {
        self.answered.push((index, outcome));
    }
}

/// Sends copies to a server that says all of `replies` to the first command, and gives what became of them.
async fn send(pipelining: bool, replies: String) -> Batch {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = Target {
        host: "peer.test".to_owned(),
        addresses: vec![listener.local_addr().unwrap()],
        security: Security::Opportunistic,
        credentials: None,
    };
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"220 peer\r\n").await.unwrap();
        assert!(0 < stream.read(&mut [0; 100]).await.unwrap());
        let extension = if pipelining { "PIPELINING" } else { "HELP" };
        stream.write_all(format!("250-peer\r\n250 {extension}\r\n").as_bytes()).await.unwrap();
        assert!(0 < stream.read(&mut [0; 1000]).await.unwrap());
        stream.write_all(replies.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        // The client may leave in the middle of a word.
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let mut connection = connect(&target, &ClientConfig::new("mx.test")).await.unwrap();
    let mut batch = Batch::default();
    let sending = connection.send_all(&mut batch);
    let ended = tokio::time::timeout(Duration::from_secs(5), sending).await.expect("the client hangs");
    assert!(ended.is_err() || batch.answered.len() == COPIES, "a batch ended well without all its outcomes");
    drop(connection);
    server.await.unwrap();
    batch
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_server_says_each_copy_has_one_outcome_at_most(
        pipelining in any::<bool>(),
        replies in prop::collection::vec(prop::sample::select(REPLIES), 0..16),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let Batch { handed_out: _, begun, answered } = runtime.block_on(send(pipelining, replies.concat()));
        let indexes: Vec<usize> = answered.iter().map(|(index, _)| *index).collect();
        prop_assert_eq!(indexes, (0..answered.len()).collect::<Vec<_>>());
        for (index, outcome) in answered {
            let is_delivered = matches!(outcome, Outcome::Delivered(_));
            prop_assert!(!is_delivered || begun.contains(&index), "delivered without having sent the text");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_split_of_the_same_octets_gives_the_same_steps(
        protocol in protocol(),
        input in mutated(),
        places in prop::collection::vec(any::<usize>(), 0..12),
    ) {
        let whole = steps(protocol, &[&input]);
        prop_assert_eq!(&steps(protocol, &cut(&input, &places)), &whole);
        let single: Vec<&[u8]> = input.chunks(1).collect();
        prop_assert_eq!(&steps(protocol, &single), &whole);
    }

    #[test]
    fn arbitrary_octets_get_replies_and_no_panic(
        protocol in protocol(),
        input in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        steps(protocol, &[&input]);
    }

    #[test]
    fn stuffed_text_comes_out_as_it_was(lines in prop::collection::vec("[.a-z ]{0,20}", 0..12)) {
        let text = lines.iter().map(|line| format!("{line}\r\n")).collect::<Vec<_>>().concat();
        let dot = |line: &str| if line.starts_with('.') { "." } else { "" };
        let stuffed = lines.iter().map(|line| format!("{}{line}\r\n", dot(line))).collect::<Vec<_>>().concat();
        let input = [PARTS[0], PARTS[3], PARTS[6], PARTS[10], stuffed.as_bytes(), b".\r\n"].concat();
        let log = steps(Protocol::Smtp, &[&input]);
        let expected = format!("{:?}", text.as_bytes());
        prop_assert!(log.last().is_some_and(|step| step.contains(&expected)), "{:?}", log);
    }
}
