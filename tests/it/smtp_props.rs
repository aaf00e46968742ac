//! Properties of the SMTP session over arbitrary and mutated input, and of the client over arbitrary replies.

use std::time::Duration;

use crier::model::EmailAddress;
use crier::smtp::receive::budget::ContentBudget;
use crier::smtp::receive::reply::Reply;
use crier::smtp::receive::session::{Protocol, Recipient, Session, SessionLimits, Step, Transaction};
use crier::smtp::send::client::{ClientConfig, Security, Target, connect};
use crier::smtp::send::outgoing::{CopyBuffer, Outgoing, ReplyOutcome};
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
    b"AUTH PLAIN AGEAc2VjcmV0\r\n",
    b"AUTH PLAIN\r\n",
    b"AUTH LOGIN\r\n",
    b"AUTH LOGIN YQ==\r\n",
    b"AUTH CRAM-MD5\r\n",
    b"c2VjcmV0\r\n",
    b"*\r\n",
    b"STARTTLS\r\n",
    b"ETRN x\r\n",
    b"ATRN a,b\r\n",
    b"BURL imap://x LAST\r\n",
    b"QUIT\r\n",
    b"RCPT TO:<m@lists.test> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;a+2Bb+0A@c\r\n",
    b"RCPT TO:<m@lists.test> NOTIFY=NEVER ORCPT=rfc822;a+2Bb@c\r\n",
    b"MAIL FROM:<a@b.org> RET=HDRS ENVID=x+2B\r\n",
    b"RCPT TO:<\"q \\\"u>o@ted\"@Lists.Test>\r\n",
    b"\r\n",
    b"\n",
];

const PROTOCOLS: [Protocol; 3] = [Protocol::Smtp, Protocol::Lmtp, Protocol::Submission];

/// What the sessions of submission take for a proof.
const PROOF: &[u8] = b"AUTH PLAIN AGEAc2VjcmV0\r\n";

fn protocol() -> impl Strategy<Value = Protocol> {
    prop::sample::select(&PROTOCOLS[..])
}

/// A recipient without a limit of its own.
#[derive(Debug)]
struct Anybody;

impl Recipient for Anybody {}

fn session(protocol: Protocol, offers_tls: bool) -> Session<Anybody> {
    let limits = SessionLimits {
        protocol,
        hostname: "lists.test".to_owned(),
        size_max_bytes: SIZE_MAX_BYTES,
        recipients_max: 2,
        // What went wrong in clear still counts behind STARTTLS, which is no business of its property.
        errors_max: if offers_tls { usize::MAX } else { 30 },
        content_budget: ContentBudget::default(),
    };
    Session::new(limits, offers_tls)
}

/// Everything a session says and hands over for `pieces`. It must never hold more than a message may have.
fn steps(protocol: Protocol, pieces: &[&[u8]]) -> Vec<String> {
    // Without STARTTLS: what follows it is thrown away together with the piece it came in.
    steps_of(&mut session(protocol, false), protocol, pieces)
}

fn steps_of(session: &mut Session<Anybody>, protocol: Protocol, pieces: &[&[u8]]) -> Vec<String> {
    let mut log = Vec::new();
    let mut is_known = false;
    for piece in pieces {
        let mut input = *piece;
        while let Some(step) = step(session, protocol, &mut input, &mut is_known) {
            log.push(step);
        }
        assert!(input.is_empty(), "more is wanted while something is left");
    }
    log
}

/// What a session does next; none when it wants more. `is_known` says whether its client has proved who it is.
fn step(
    session: &mut Session<Anybody>,
    protocol: Protocol,
    input: &mut &[u8],
    is_known: &mut bool,
) -> Option<String> {
    let step = session.step(input);
    assert!(session.stored_bytes() <= SIZE_MAX_BYTES, "stores more than a message may have");
    Some(match step {
        Step::NeedMore => return None,
        Step::CheckRecipient { address, .. } => {
            let is_ours = address.domain() == "lists.test";
            let refusal = Reply::new(550, "5.7.1", "Not ours");
            format!("{:?}", session.recipient(if is_ours { Ok(Anybody) } else { Err(refusal) }))
        }
        Step::Authenticate(credentials) => {
            *is_known = credentials.password == "secret";
            let refusal = Reply::new(535, "5.7.8", "Wrong");
            format!("{:?}", session.authenticated(if *is_known { Ok(()) } else { Err(refusal) }))
        }
        Step::Receive(transaction) => {
            assert!(*is_known || protocol != Protocol::Submission, "a stranger submits mail");
            check_message(&transaction);
            let answers = if protocol == Protocol::Lmtp { transaction.recipients.len() } else { 1 };
            let replies: Vec<_> = (0..answers).map(|_| session.received(Ok(()))).collect();
            format!("{transaction:?} {replies:?}")
        }
        step => format!("{step:?}"),
    })
}

fn check_message(transaction: &Transaction<Anybody>) {
    let Transaction { recipients, dsn_options, raw, .. } = transaction;
    let said = dsn_options
        .envelope_id
        .iter()
        .chain(dsn_options.recipients.iter().filter_map(|(_, request)| request.original.as_ref()));
    assert!(said.clone().all(|text| text.bytes().all(|octet| (32..127).contains(&octet))), "{dsn_options:?}");
    assert!(dsn_options.recipients.len() <= recipients.len());
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
        let head: &[&[u8]] = if begun { &[PARTS[0], PARTS[2], PROOF, PARTS[3], PARTS[6]] } else { &[] };
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
    answered: Vec<(usize, ReplyOutcome)>,
}

impl Outgoing for Batch {
    fn asked(&mut self, _: usize) {}

    fn next(&mut self, copy: &mut CopyBuffer) -> bool {
        copy.set_envelope(None, &EmailAddress::parse("a@x.org").unwrap());
        copy.data_mut().extend_from_slice(b"A: b\r\n");
        self.handed_out += 1;
        self.handed_out <= COPIES
    }

    fn is_stalled(&self) -> bool {
        false
    }

    fn begun(&mut self, index: usize) {
        self.begun.push(index);
    }

    fn refused(&mut self, _: usize, _: usize, _: ReplyOutcome) {
        panic!("no copy is shared");
    }

    fn answered(&mut self, index: usize, outcome: ReplyOutcome) {
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
    let ended = tokio::time::timeout(Duration::from_mins(1), sending).await.expect("the client hangs");
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
            let is_delivered = matches!(outcome, ReplyOutcome::Delivered(_));
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
    fn nothing_that_was_said_in_clear_is_left_behind_starttls(
        clear in conversation(),
        injected in mutated(),
        encrypted in mutated(),
        places in prop::collection::vec(any::<usize>(), 0..12),
    ) {
        let mut used = session(Protocol::Smtp, true);
        let mut log = Vec::new();
        let has_begun = [&clear[..], b"\r\n.\r\nRSET\r\nEHLO c\r\nSTARTTLS\r\n", &injected].concat();
        let mut input = &has_begun[..];
        while !log.last().is_some_and(|step: &String| step.starts_with("StartTls")) {
            match step(&mut used, Protocol::Smtp, &mut input, &mut false) {
                Some(step) => log.push(step),
                // QUIT, a chunk or an endless line came first.
                None => return Ok(()),
            }
        }
        prop_assert!(input.is_empty(), "what came in clear behind STARTTLS is thrown away");
        used.tls_started();
        let mut fresh = session(Protocol::Smtp, true);
        fresh.tls_started();
        let pieces = cut(&encrypted, &places);
        prop_assert_eq!(steps_of(&mut used, Protocol::Smtp, &pieces), steps_of(&mut fresh, Protocol::Smtp, &[&encrypted]));
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

/// Keeps the recipients that a session asks about.
fn recipients_of(input: &[u8]) -> Vec<EmailAddress> {
    let mut session = session(Protocol::Smtp, false);
    let mut input = input;
    let mut asked = Vec::new();
    loop {
        match session.step(&mut input) {
            Step::NeedMore => return asked,
            Step::CheckRecipient { address, .. } => {
                asked.push(address);
                session.recipient(Ok(Anybody));
            }
            Step::Reply(reply) => assert!(reply.code < 300, "{reply:?}"),
            step => panic!("{step:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn every_address_that_is_read_comes_through_commands_and_text_as_it_is(
        local in "[ -~éß]{1,40}|\\PC{1,12}",
        domain in "[a-zA-Z]{1,8}\\.[A-Z]{2,3}",
    ) {
        let Ok(address) = EmailAddress::from_parts(&local, &domain) else {
            prop_assert!(!local.chars().all(|c| matches!(c, ' '..='~')), "{local:?} is printable");
            return Ok(());
        };
        let text = address.as_str();
        prop_assert!(!text.contains(|c: char| c.is_control()), "{text:?}");
        prop_assert_eq!(address.domain(), domain.to_lowercase());
        let read = EmailAddress::parse(text).unwrap();
        prop_assert_eq!(read.as_str(), text);
        prop_assert!(text.len() <= 254 && address.local().len() <= 64);
        prop_assert_eq!(EmailAddress::parse(&read.folded()).unwrap().folded(), read.folded());
        let input = format!("EHLO c\r\nMAIL FROM:<{text}> SMTPUTF8\r\nRCPT TO:<{text}>\r\n");
        let asked = recipients_of(input.as_bytes());
        prop_assert_eq!(asked.iter().map(EmailAddress::as_str).collect::<Vec<_>>(), [text]);
    }

    #[test]
    fn no_text_makes_an_address_that_is_not_read_back(text in "[ -~]{0,30}@[a-z.\"]{1,8}\\.org|\\PC{0,20}@\\PC{0,10}") {
        if let Ok(address) = EmailAddress::parse(&text) {
            let read = EmailAddress::parse(address.as_str()).unwrap();
            prop_assert_eq!(read.as_str(), address.as_str());
            prop_assert!(!address.as_str().contains(|c: char| c.is_control()));
        }
    }
}

/// A conversation up to the reply to DATA.
fn begun(protocol: Protocol) -> Vec<u8> {
    let hello: &[u8] = if protocol == Protocol::Lmtp { b"LHLO c\r\n" } else { b"EHLO c\r\n" };
    let proof = if protocol == Protocol::Submission { PROOF } else { b"" };
    [hello, proof, b"MAIL FROM:<a@b.org>\r\nRCPT TO:<l@lists.test>\r\nDATA\r\n"].concat()
}

/// What may stand before and behind the dot that a smuggler hopes somebody takes for the end of the data.
const EDGES: &[&str] = &[
    "\r\n", "\n", "\r", "\r\r\n", "\n\r", "\r\n\n", "\n\n", "\r\r", "\n\r\n", "\r\n\r", "\0\r\n", "\r\n\0",
    "\r\0\n", " \r\n", "\r\n ", "\u{85}", "\u{2028}", "\u{b}", "\u{c}", "\r \n", "",
];

#[test]
fn only_a_dot_between_cr_lf_ends_the_data_whatever_stands_around_it() {
    const SMUGGLED: &str = "MAIL FROM:<evil@b.org>\r\nRCPT TO:<l@lists.test>\r\nDATA\r\nevil\r\n.\r\n";
    for protocol in PROTOCOLS {
        for (before, behind) in
            EDGES.iter().flat_map(|before| EDGES.iter().map(move |behind| (before, behind)))
        {
            let text = format!("A: b\r\n\r\nhi{before}.{behind}");
            let input = [&begun(protocol)[..], text.as_bytes(), SMUGGLED.as_bytes(), b"NOOP\r\n"].concat();
            let log = steps(protocol, &[&input]);
            assert_eq!(log, steps(protocol, &input.chunks(1).collect::<Vec<_>>()), "{text:?}");
            let messages = log.iter().filter(|step| step.starts_with("Transaction")).count();
            let is_smuggled = log.iter().any(|step| step.contains("evil@b.org"));
            if text.contains("\r\n.\r\n") {
                assert!(messages <= 2, "{protocol:?} {text:?}: {log:#?}");
                assert!(is_smuggled || (*before, *behind) != ("\r\n", "\r\n"), "{text:?}: {log:#?}");
            } else {
                assert!(messages <= 1 && !is_smuggled, "{protocol:?} {text:?}: {log:#?}");
            }
            assert!(log.last().is_some_and(|step| step.contains("250")), "NOOP is answered: {log:#?}");
        }
    }
}

#[test]
fn what_a_chunk_holds_is_never_a_command() {
    for edge in EDGES {
        let text = format!("A: b{edge}.{edge}MAIL FROM:<evil@b.org>{edge}RSET\r\nQUIT\r\n");
        let chunk = format!("BDAT {} LAST\r\n{text}NOOP\r\n", text.len());
        let begun = b"EHLO c\r\nMAIL FROM:<a@b.org>\r\nRCPT TO:<l@lists.test>\r\n";
        let log = steps(Protocol::Smtp, &[&[begun, chunk.as_bytes()].concat()]);
        if edge.replace("\r\n", "").contains(['\r', '\n']) {
            assert_eq!(log.len(), 4, "nothing is read behind a bare line end: {log:#?}");
            assert!(log[3].starts_with("Close") && log[3].contains("554"), "{log:#?}");
        } else {
            assert_eq!(log.len(), 5, "a reply to each of five commands: {log:#?}");
            assert!(log[4].contains("250"), "{log:#?}");
        }
    }
}
