//! Plays scripts of client commands to a session and checks its replies.

use super::*;

/// A recipient; if its local part is a number, that is its size limit in octets.
impl Recipient for EmailAddress {
    fn limit_bytes(&self) -> Option<usize> {
        self.local().parse().ok()
    }
}

fn limits() -> SessionLimits {
    SessionLimits {
        protocol: Protocol::Smtp,
        hostname: "lists.test".to_owned(),
        size_max_bytes: 500,
        recipients_max: 3,
        errors_max: 5,
        content_budget: ContentBudget::default(),
    }
}

/// Plays `script` to a session in pieces of `piece` octets and records its steps. Recipients at `lists.test` are
/// accepted.
fn play(script: &str, piece: usize) -> String {
    play_by(Protocol::Smtp, script, piece)
}

fn play_by(protocol: Protocol, script: &str, piece: usize) -> String {
    let mut session: Session<EmailAddress> = Session::new(SessionLimits { protocol, ..limits() }, true);
    let mut log = String::new();
    for bytes in script.as_bytes().chunks(piece) {
        let mut input = bytes;
        loop {
            match session.step(&mut input) {
                Step::NeedMore => break,
                step => note(&mut session, step, &mut log),
            }
        }
    }
    log
}

fn note(session: &mut Session<EmailAddress>, step: Step<EmailAddress>, log: &mut String) {
    use std::fmt::Write as _;
    match step {
        Step::NeedMore => {}
        Step::Reply(reply) | Step::Close(reply) => {
            let mut line = Vec::new();
            reply.render(&mut line);
            log.push_str(&String::from_utf8(line).unwrap().replace('\r', ""));
        }
        Step::CheckRecipient { address, .. } => {
            let known = if address.domain() == "lists.test" {
                Ok(address)
            } else {
                Err(Reply::new(550, "5.7.1", "Not ours"))
            };
            let reply = session.recipient(known);
            note(session, Step::Reply(reply), log);
        }
        Step::Receive(transaction) => {
            let Transaction { reverse_path, recipients, requires_tls, raw, .. } = transaction;
            let from = match reverse_path {
                ReversePath::Empty => String::new(),
                ReversePath::Address(address) => address.to_string(),
                ReversePath::Other(path) => format!("other {path}"),
            };
            let to: Vec<&str> = recipients.iter().map(|(address, _)| address.as_str()).collect();
            let how = if requires_tls { "by TLS " } else { "" };
            writeln!(log, "<{from}> {how}to {}: {:?}", to.join(","), String::from_utf8_lossy(&raw)).unwrap();
            let answers = if session.limits.protocol == Protocol::Lmtp { to.len() } else { 1 };
            for _ in 0..answers {
                let reply = session.received(Ok(()));
                note(session, Step::Reply(reply), log);
            }
        }
        Step::Replies(replies) => {
            for reply in replies {
                note(session, Step::Reply(reply), log);
            }
        }
        Step::Authenticate(credentials) => {
            let right = credentials.password == "secret";
            let refusal = Reply::new(535, "5.7.8", "Wrong");
            let reply = session.authenticated(if right { Ok(()) } else { Err(refusal) });
            note(session, Step::Reply(reply), log);
        }
        Step::StartTls(reply) => {
            note(session, Step::Reply(reply), log);
            session.tls_started();
        }
    }
}

/// Plays the lines of `script` after EHLO, whole and octet by octet.
#[track_caller]
fn check(script: &str, expected: &str) {
    let script = format!("EHLO c\r\n{}", script.replace('\n', "\r\n"));
    check_raw(&script, expected);
}

#[track_caller]
fn check_raw(script: &str, expected: &str) {
    for piece in [script.len(), 1, 7] {
        let log = play(script, piece);
        let replies = log.split_once("250 HELP\n").map_or(log.as_str(), |(_, replies)| replies);
        let short: Vec<String> = replies.lines().map(shorten).collect();
        let expected: Vec<&str> = expected.split('|').map(str::trim).collect();
        assert_eq!(short, expected, "in pieces of {piece}:\n{log}");
    }
}

/// The codes of a reply such as `550 5.1.1 text`, without its text.
fn shorten(line: &str) -> String {
    let codes: Vec<&str> = line.split(' ').take(2).collect();
    let is_reply = line.len() > 3 && line[..3].bytes().all(|byte| byte.is_ascii_digit());
    if is_reply { codes.join(" ") } else { line.to_owned() }
}

const BEGUN: &str = "MAIL FROM:<a@b.org>\nRCPT TO:<l@lists.test>\n";

#[test]
fn ehlo_announces_what_is_carried_out() {
    let log = play("EHLO client.test\r\n", 100);
    insta::assert_snapshot!(log, @r"
    250-lists.test
    250-PIPELINING
    250-SIZE 500
    250-STARTTLS
    250-8BITMIME
    250-SMTPUTF8
    250-CHUNKING
    250-ENHANCEDSTATUSCODES
    250-DSN
    250-LIMITS RCPTMAX=3
    250 HELP
    ");
}

#[test]
fn a_pipelined_message_is_received() {
    let script = format!("{BEGUN}RCPT TO:<M@lists.test>\nDATA\nA: b\n\n..c\n.\nQUIT\nNOOP\n");
    check(
        &script,
        "250 2.1.0|250 2.1.5|250 2.1.5|354 End|<a@b.org> to l@lists.test,M@lists.test: \"A: b\\r\\n\\r\\n.c\\r\\n\"\
         |250 2.0.0|221 2.0.0",
    );
}

#[test]
fn the_next_message_needs_its_own_envelope() {
    let script = format!("{BEGUN}DATA\n.\nDATA\nMAIL FROM:<>\nRCPT TO:<l@lists.test>\nDATA\n.\n");
    check(
        &script,
        "250 2.1.0|250 2.1.5|354 End|<a@b.org> to l@lists.test: \"\"|250 2.0.0|503 5.5.1|250 2.1.0|250 2.1.5\
         |354 End|<> to l@lists.test: \"\"|250 2.0.0",
    );
}

#[test]
fn commands_have_an_order() {
    check_raw("MAIL FROM:<a@b.org>\r\n", "503 5.5.1");
    check("RCPT TO:<l@lists.test>\nDATA\n", "503 5.5.1|503 5.5.1");
    check("MAIL FROM:<a@b.org>\nDATA\nMAIL FROM:<c@b.org>\n", "250 2.1.0|554 5.5.1|503 5.5.1");
    check(&format!("{BEGUN}RSET\nDATA\n"), "250 2.1.0|250 2.1.5|250 2.0.0|503 5.5.1");
    check(&format!("{BEGUN}HELO c\nDATA\n"), "250 2.1.0|250 2.1.5|250 lists.test|503 5.5.1");
}

#[test]
fn a_refused_recipient_leaves_the_others() {
    let script = "MAIL FROM:<a@b.org>\nRCPT TO:<x@else.org>\nRCPT TO:<l@lists.test>\nDATA\n.\n";
    check(script, "250 2.1.0|550 5.7.1|250 2.1.5|354 End|<a@b.org> to l@lists.test: \"\"|250 2.0.0");
    check("MAIL FROM:<a@b.org>\nRCPT TO:<x@else.org>\nDATA\n", "250 2.1.0|550 5.7.1|554 5.5.1");
}

#[test]
fn a_recipient_counts_once_and_too_many_are_put_off() {
    let rcpt = |local: &str| format!("RCPT TO:<{local}@lists.test>\n");
    let script = format!("{BEGUN}{}{}{}{}{}", rcpt("l"), rcpt("m"), rcpt("n"), rcpt("o"), rcpt("m"));
    check(&script, "250 2.1.0|250 2.1.5|250 2.1.5|250 2.1.5|250 2.1.5|452 4.5.3|250 2.1.5");
}

#[test]
fn paths_that_are_no_address_are_refused_and_the_session_goes_on() {
    check("MAIL FROM:<a@b_.-.org>\nMAIL FROM:<a@[127.0.0]>\nNOOP\n", "553 5.1.7|553 5.1.7|250 2.0.0");
    check(&format!("MAIL FROM:<\"{} \"@b.org>\n", "x".repeat(64)), "553 5.1.7");
    check(
        "MAIL FROM:<>\nRCPT TO:<\"a b\"@lists.test>\nRCPT TO:<l@[127.0.0.1]>\n",
        "250 2.1.0|250 2.1.5|553 5.1.3",
    );
    check("MAIL FROM:<\"a\"@b.org>\n", "250 2.1.0");
    check("MAIL FROM:<>\nRCPT TO:<>\nRCPT TO:<l>\n", "250 2.1.0|553 5.1.3|553 5.1.3");
    check("MAIL FROM:a@b.org\nMAIL TO:<a@b.org>\n", "501 5.5.4|501 5.5.4");
    check("MAIL FROM:<@x.org:a@b.org>\nRCPT TO:<Postmaster>\n", "250 2.1.0|250 2.1.5");
}

#[test]
fn a_sender_may_have_any_path_that_is_legal() {
    for (path, kept) in [
        ("\"a b\"@x.example", "\"a b\"@x.example"),
        ("\"a\\\"b\"@x.example", "\"a\\\"b\"@x.example"),
        ("\"a@b\"@x.example", "\"a@b\"@x.example"),
        ("\"a\"@X.Example", "a@X.Example"),
        ("a@[192.0.2.1]", "other a@[192.0.2.1]"),
        ("a@[IPv6:2001:db8::1]", "other a@[IPv6:2001:db8::1]"),
        ("\"a b\"@[192.0.2.1]", "other \"a b\"@[192.0.2.1]"),
    ] {
        let script = format!("MAIL FROM:<{path}>\nRCPT TO:<l@lists.test>\nDATA\n.\n");
        check(&script, &format!("250 2.1.0|250 2.1.5|354 End|<{kept}> to l@lists.test: \"\"|250 2.0.0"));
    }
}

#[test]
fn a_recipient_may_have_quotes_and_is_the_same_without_them() {
    let script = "MAIL FROM:<>\nRCPT TO:<\"l\"@lists.test>\nRCPT TO:<l@Lists.Test>\nRCPT TO:<\"\\\"l\\\"\"@lists.test>\n\
                  RCPT TO:<\"a b>\"@else.org>\nDATA\n.\n";
    check(
        script,
        "250 2.1.0|250 2.1.5|250 2.1.5|250 2.1.5|550 5.7.1|354 End\
         |<> to l@lists.test,\"\\\"l\\\"\"@lists.test: \"\"|250 2.0.0",
    );
    check("MAIL FROM:<>\nRCPT TO:<.a@lists.test>\n", "250 2.1.0|553 5.1.3");
    check("MAIL FROM:<a..b@docomo.example>\n", "250 2.1.0");
    check("MAIL FROM:<ab.@docomo.example>\n", "250 2.1.0");
}

#[test]
fn addresses_beyond_ascii_need_smtputf8() {
    check("MAIL FROM:<é@b.org>\nMAIL FROM:<é@b.org> SMTPUTF8\n", "553 5.6.7|250 2.1.0");
    check("MAIL FROM:<a@b.org>\nRCPT TO:<é@lists.test>\n", "250 2.1.0|553 5.6.7");
    check("MAIL FROM:<> SMTPUTF8\nRCPT TO:<é@lists.test>\n", "250 2.1.0|250 2.1.5");
}

#[test]
fn parameters_are_those_that_were_announced() {
    check("MAIL FROM:<a@b.org> SIZE=500 BODY=8BITMIME AUTH=<>\n", "250 2.1.0");
    check("MAIL FROM:<a@b.org> SIZE=501\n", "552 5.3.4");
    for size in ["99999999999999999999999", "18446744073709551615", "18446744073709551616"] {
        check(&format!("MAIL FROM:<a@b.org> size={size}\n"), "552 5.3.4");
    }
    check("MAIL FROM:<a@b.org> BODY=BINARYMIME\nMAIL FROM:<a@b.org> CONPERM\n", "555 5.5.4|555 5.5.4");
    check("MAIL FROM:<a@b.org> X=Y\nMAIL FROM:<a@b.org> SIZE=x\n", "555 5.5.4|501 5.5.4");
    check_raw("HELO c\r\nMAIL FROM:<a@b.org> SIZE=1\r\n", "250 lists.test|555 5.5.4");
}

#[test]
fn wishes_for_reports_are_those_of_rfc_3461() {
    check(
        "MAIL FROM:<a@b.org> RET=HDRS ENVID=QQ+2B314\nRCPT TO:<l@lists.test> NOTIFY=SUCCESS,delay ORCPT=rfc822;L+2BX@y.org\n\
         RCPT TO:<m@lists.test> NOTIFY=NEVER\nRCPT TO:<postmaster> ORCPT=rfc822;postmaster@y.org\n",
        "250 2.1.0|250 2.1.5|250 2.1.5|250 2.1.5",
    );
    for wrong in ["RET=NONE", "ENVID=", "ENVID=a+0Ab", "ENVID=+C3+A9"] {
        check(&format!("MAIL FROM:<a@b.org> {wrong}\n"), "501 5.5.4");
    }
    for wrong in [
        "NOTIFY=ALWAYS",
        "NOTIFY=NEVER,SUCCESS",
        "NOTIFY=SUCCESS,NEVER",
        "ORCPT=a@b.org",
        "ORCPT=rfc822;+0D+0A",
        "ORCPT=rfc822;",
        "ORCPT=;a@b.org",
        "ORCPT=rfc822;a+4",
    ] {
        check(&format!("MAIL FROM:<>\nRCPT TO:<l@lists.test> {wrong}\n"), "250 2.1.0|501 5.5.4");
    }
    for right in
        ["ORCPT=utf-8;gr\\x{FC}n@y.org", "ORCPT=x400;/c=us/+20/", "orcpt=utf-8;grün@y.org NOTIFY=NEVER"]
    {
        let script = format!("MAIL FROM:<> SMTPUTF8\nRCPT TO:<l@lists.test> {right}\nDATA\n.\n");
        check(&script, "250 2.1.0|250 2.1.5|354 End|<> to l@lists.test: \"\"|250 2.0.0");
    }
    check("MAIL FROM:<>\nRCPT TO:<l@lists.test> RRVS=2014-04-03T23:01:00Z\n", "250 2.1.0|555 5.5.4");
    let early = "HELO c\r\nMAIL FROM:<>\r\nRCPT TO:<l@lists.test> NOTIFY=NEVER\r\n";
    check_raw(early, "250 lists.test|250 2.1.0|555 5.5.4");
}

#[test]
fn a_message_over_the_size_is_read_to_its_end_and_refused() {
    let script = format!("{BEGUN}DATA\n{}.\nNOOP\n", "0123456789\n".repeat(50));
    check(&script, "250 2.1.0|250 2.1.5|354 End|552 5.3.4|250 2.0.0");
}

#[test]
fn nothing_is_kept_beyond_what_one_of_the_recipients_takes() {
    let text = "0123456\n".repeat(5);
    let script = |to: &str| format!("MAIL FROM:<>\n{to}DATA\n{text}.\nNOOP\n");
    check(&script("RCPT TO:<40@lists.test>\n"), "250 2.1.0|250 2.1.5|354 End|552 5.3.4|250 2.0.0");
    let two = "RCPT TO:<40@lists.test>\nRCPT TO:<45@lists.test>\n";
    let taken = format!("<> to 40@lists.test,45@lists.test: {:?}", text.replace('\n', "\r\n"));
    check(&script(two), &format!("250 2.1.0|250 2.1.5|250 2.1.5|354 End|{taken}|250 2.0.0|250 2.0.0"));

    let mut session: Session<EmailAddress> = Session::new(limits(), true);
    let begun = b"EHLO c\r\nMAIL FROM:<>\r\nRCPT TO:<40@lists.test>\r\nDATA\r\n";
    let mut input = begun.as_slice();
    loop {
        match session.step(&mut input) {
            Step::NeedMore => break,
            step => note(&mut session, step, &mut String::new()),
        }
    }
    assert_eq!(session.step(&mut b"0123456\r\n".repeat(4).as_slice()), Step::NeedMore);
    assert_eq!(session.stored_bytes(), 36);
    assert_eq!(session.step(&mut b"0123456\r\n".as_slice()), Step::NeedMore);
    assert_eq!(session.stored_bytes(), 0);
}

#[test]
fn all_sessions_share_one_budget_and_are_put_off_beyond_it() {
    let mut session: Session<EmailAddress> =
        Session::new(SessionLimits { content_budget: ContentBudget::new(20 * 1024), ..limits() }, true);
    let other = session.limits.content_budget.clone();
    let mut holder = other.share();
    assert!(holder.grow(20 * 1024 - 10 * 1024));
    let script = format!("EHLO c\n{BEGUN}DATA\nA: b\n.\n").replace('\n', "\r\n");
    let mut log = String::new();
    for held in [Some(holder), None] {
        let mut input = script.as_bytes();
        loop {
            match session.step(&mut input) {
                Step::NeedMore => break,
                step => note(&mut session, step, &mut log),
            }
        }
        drop(held);
    }
    let answers: Vec<&str> =
        log.lines().filter(|line| line.contains("4.3.1") || line.starts_with('<')).collect();
    let put_off = "452 4.3.1 Too many messages at a time, try again later";
    assert_eq!(answers, [put_off, "<a@b.org> to l@lists.test: \"A: b\\r\\n\""]);
}

#[test]
fn bare_line_ends_are_refused_in_text_and_commands() {
    let begun = format!("EHLO c\r\n{}", BEGUN.replace('\n', "\r\n"));
    let smuggled = format!("{begun}DATA\r\na\n.\nMAIL FROM:<x@b.org>\r\n.\r\nNOOP\r\n");
    check_raw(&smuggled, "250 2.1.0|250 2.1.5|354 End|554 5.6.0|250 2.0.0");
    check_raw("EHLO c\r\nNOOP\nNOOP\r\nNO\rOP\r\nNOOP \0\r\n", "500 5.5.2|250 2.0.0|500 5.5.2|500 5.5.2");
}

#[test]
fn a_chunk_with_a_bare_line_end_ends_the_connection() {
    let begun = format!("EHLO c\r\n{}", BEGUN.replace('\n', "\r\n"));
    let smuggled = "a\n.\nMAIL FROM:<x@b.org>";
    let chunk = |last| format!("{begun}BDAT {}{last}\r\n{smuggled}NOOP\r\n", smuggled.len());
    check_raw(&chunk(""), "250 2.1.0|250 2.1.5|554 5.6.0");
    check_raw(&chunk(" LAST"), "250 2.1.0|250 2.1.5|554 5.6.0");
    check_raw(&format!("{begun}BDAT 2 LAST\r\na\rNOOP\r\n"), "250 2.1.0|250 2.1.5|554 5.6.0");
    check_raw(
        &format!("{begun}BDAT 2\r\na\rBDAT 1 LAST\r\n\nNOOP\r\n"),
        "250 2.1.0|250 2.1.5|250 2.0.0|<a@b.org> to l@lists.test: \"a\\r\\n\"|250 2.0.0|250 2.0.0",
    );
    let lmtp = chunk(" LAST").replace("EHLO", "LHLO").replace("BDAT", "RCPT TO:<m@lists.test>\r\nBDAT");
    let log = play_by(Protocol::Lmtp, &lmtp, lmtp.len());
    let ends: Vec<&str> =
        log.lines().filter(|line| line.starts_with(['4', '5'])).map(|line| &line[..3]).collect();
    assert_eq!(ends, ["554", "554", "421"], "each recipient has its answer first: {log}");
    assert!(log.lines().last().unwrap().starts_with("421"), "{log}");
}

#[test]
fn a_chunk_command_that_is_not_a_line_of_text_ends_the_connection() {
    let begun = format!("EHLO c\r\n{}", BEGUN.replace('\n', "\r\n"));
    let chunk = "MAIL FROM:<x@b.org>\r\n";
    for command in
        ["BDAT 21 LAST\n", " bdat 21 LAST\n", "BDAT 21\0LAST\r\n", "BDAT 21 \rLAST\r\n", " BDAT x\r\n"]
    {
        let log = play(&format!("{begun}{command}{chunk}NOOP\r\n"), 7);
        let last = log.lines().last().unwrap();
        assert!(last.starts_with("50"), "{command:?}: {log}");
    }
    let long = format!("BDAT 21{}LAST\r\n", " ".repeat(COMMAND_BYTES_MAX));
    check_raw(&format!("{begun}{long}{chunk}NOOP\r\n"), "250 2.1.0|250 2.1.5|500 5.5.2");
}

#[test]
fn nul_and_long_lines_are_refused() {
    check(&format!("{BEGUN}DATA\na\0\n.\n"), "250 2.1.0|250 2.1.5|354 End|554 5.6.0");
    let long = "x".repeat(COMMAND_BYTES_MAX);
    check(&format!("NOOP {long}\nNOOP\n"), "500 5.5.2|250 2.0.0");
    let noop = |length| format!("NOOP {}\n", "x".repeat(length));
    check(&format!("{}{}", noop(512 - 7), noop(513 - 7)), "250 2.0.0|500 5.5.2");
}

#[test]
fn chunks_make_a_message_and_their_octets_are_no_commands() {
    let script = format!("{BEGUN}BDAT 6\nA: b\nBDAT 0\nBDAT 8 LAST\nQUIT\n.\nNOOP\n");
    // Line ends count two octets: "A: b\r\n" and "QUIT\r\n." with its CR; the script sends "QUIT\r\n.\r\n".
    let script = script.replace("BDAT 8 LAST\nQUIT\n.\n", "BDAT 9 LAST\nQUIT\n.\n");
    check(
        &script,
        "250 2.1.0|250 2.1.5|250 2.0.0|250 2.0.0|<a@b.org> to l@lists.test: \"A: b\\r\\nQUIT\\r\\n.\\r\\n\"|250 2.0.0\
         |250 2.0.0",
    );
}

#[test]
fn a_refused_chunk_is_read_before_it_is_answered() {
    check("BDAT 6 LAST\nQUIT\nNOOP\n", "503 5.5.1|250 2.0.0");
    check("MAIL FROM:<a@b.org>\nBDAT 6\nQUIT\nMAIL FROM:<a@b.org>\n", "250 2.1.0|554 5.5.1|250 2.1.0");
    check("BDAT x\nQUIT\n", "501 5.5.4");
    check(&format!("{BEGUN}BDAT 18446744073709551618 LAST\nNOOP\n"), "250 2.1.0|250 2.1.5|501 5.5.4");
    let mixed = format!("{BEGUN}BDAT 3\na\nDATA\nRCPT TO:<m@lists.test>\nRSET\nDATA\n");
    check(&mixed, "250 2.1.0|250 2.1.5|250 2.0.0|503 5.5.1|503 5.5.1|250 2.0.0|503 5.5.1");
}

#[test]
fn the_chunk_that_passes_the_size_is_refused_and_ends_the_transaction() {
    let chunk = |size: usize| format!("BDAT {size}\n{}\n", "x".repeat(size - 2));
    check(
        &format!("{BEGUN}{}{}{}BDAT 0 LAST\nNOOP\n", chunk(400), chunk(200), chunk(10)),
        "250 2.1.0|250 2.1.5|250 2.0.0|552 5.3.4|503 5.5.1|503 5.5.1|250 2.0.0",
    );
}

#[test]
fn starttls_takes_no_parameter() {
    check("STARTTLS foo\nNOOP\n", "501 5.5.4|250 2.0.0");
}

#[test]
fn starttls_forgets_what_was_said_and_what_was_pipelined() {
    let log = play("EHLO c\r\nMAIL FROM:<a@b.org>\r\nSTARTTLS\r\nRCPT TO:<l@lists.test>\r\n", 1000);
    assert!(log.ends_with("220 2.0.0 Go ahead\n"), "{log}");
    let mut session: Session<EmailAddress> = Session::new(limits(), true);
    session.tls_started();
    let step = session.step(&mut b"MAIL FROM:<a@b.org>\r\n".as_slice());
    assert_eq!(step, Step::Reply(Reply::new(503, "5.5.1", "EHLO first")));
    let step = session.step(&mut b"STARTTLS\r\n".as_slice());
    assert!(matches!(step, Step::Reply(Reply { code: 503, .. })), "{step:?}");
}

#[test]
fn requiretls_is_offered_and_taken_over_tls_alone() {
    // Octet by octet, nothing is pipelined behind STARTTLS.
    let message = "MAIL FROM:<a@b.org> REQUIRETLS\r\nRCPT TO:<l@lists.test>\r\nDATA\r\nA: b\r\n.\r\n";
    let log = play(&format!("EHLO c\r\nMAIL FROM:<> REQUIRETLS\r\nSTARTTLS\r\nEHLO c\r\n{message}"), 1);
    let (clear, over_tls) = log.split_once("220 2.0.0 Go ahead\n").unwrap();
    assert!(
        !clear.contains("250-REQUIRETLS") && clear.ends_with("530 5.7.10 REQUIRETLS needs TLS\n"),
        "{clear}"
    );
    assert!(over_tls.contains("250-REQUIRETLS"), "{over_tls}");
    assert!(over_tls.contains("<a@b.org> by TLS to l@lists.test:"), "{over_tls}");
}

#[test]
fn too_many_errors_end_the_session() {
    check(
        "WHAT\nEXPN l\nAUTH PLAIN\nETRN x\nVRFY l\nHELP\nLHLO c\nWHAT\nNOOP\n",
        "500 5.5.1|502 5.5.1|502 5.5.1|502 5.5.1|252 2.5.0|214 2.0.0|502 5.5.1|421 4.7.0",
    );
}

/// Plays the lines of `script` after LHLO, whole and octet by octet.
#[track_caller]
fn check_lmtp(script: &str, expected: &str) {
    let script = format!("LHLO c\r\n{}", script.replace('\n', "\r\n"));
    for piece in [script.len(), 1] {
        let log = play_by(Protocol::Lmtp, &script, piece);
        let replies = log.split_once("250 HELP\n").map_or(log.as_str(), |(_, replies)| replies);
        let short: Vec<String> = replies.lines().map(shorten).collect();
        assert_eq!(short, expected.split('|').collect::<Vec<_>>(), "in pieces of {piece}:\n{log}");
    }
}

#[test]
fn lmtp_answers_the_data_once_for_each_recipient_that_was_taken() {
    let script = format!("{BEGUN}RCPT TO:<x@else.test>\nRCPT TO:<m@lists.test>\nDATA\nA: b\n\nc\n.\nQUIT\n");
    check_lmtp(
        &script,
        "250 2.1.0|250 2.1.5|550 5.7.1|250 2.1.5|354 End\
         |<a@b.org> to l@lists.test,m@lists.test: \"A: b\\r\\n\\r\\nc\\r\\n\"|250 2.0.0|250 2.0.0|221 2.0.0",
    );
}

#[test]
fn lmtp_refuses_data_and_a_last_chunk_once_for_each_recipient_and_an_earlier_chunk_once() {
    let two = format!("{BEGUN}RCPT TO:<m@lists.test>\n");
    let begun = "250 2.1.0|250 2.1.5|250 2.1.5";
    check_lmtp(
        &format!("{two}DATA\na\0\n.\nNOOP\n"),
        &format!("{begun}|354 End|554 5.6.0|554 5.6.0|250 2.0.0"),
    );
    check_lmtp(&format!("{two}BDAT 2 LAST\na\0NOOP\n"), &format!("{begun}|554 5.6.0|554 5.6.0|250 2.0.0"));
    check_lmtp(&format!("{two}BDAT 2\na\0NOOP\n"), &format!("{begun}|554 5.6.0|250 2.0.0"));
    check_lmtp("MAIL FROM:<a@b.org>\nDATA\n", "250 2.1.0|554 5.5.1");
}

#[test]
fn lmtp_begins_with_lhlo_and_smtp_does_not() {
    let script = "HELO c\r\nEHLO c\r\nMAIL FROM:<>\r\nLHLO c\r\nMAIL FROM:<>\r\n";
    let codes = |protocol| {
        let log = play_by(protocol, script, 100);
        log.lines().filter(|line| line.get(3..4) == Some(" ")).map(shorten).collect::<Vec<_>>().join("|")
    };
    assert_eq!(codes(Protocol::Lmtp), "500 5.5.1|500 5.5.1|503 5.5.1|250 HELP|250 2.1.0");
    assert_eq!(codes(Protocol::Smtp), "250 lists.test|250 HELP|250 2.1.0|502 5.5.1|503 5.5.1");
    let session = |protocol| Session::<EmailAddress>::new(SessionLimits { protocol, ..limits() }, true);
    assert_eq!(session(Protocol::Lmtp).greeting().text, "lists.test LMTP crier");
    assert_eq!(session(Protocol::Smtp).greeting().text, "lists.test ESMTP crier");
}

/// Plays the lines of `script` to submission after EHLO, whole and octet by octet.
#[track_caller]
fn check_submission(script: &str, expected: &str) {
    check_raw_submission(&format!("EHLO c\r\n{}", script.replace('\n', "\r\n")), expected);
}

#[track_caller]
fn check_raw_submission(script: &str, expected: &str) {
    for piece in [script.len(), 1, 7] {
        let log = play_by(Protocol::Submission, script, piece);
        let replies = log.split_once("250 HELP\n").map_or(log.as_str(), |(_, replies)| replies);
        let short: Vec<String> = replies.lines().map(|line| shorten(line).trim().to_owned()).collect();
        let expected: Vec<&str> = expected.split('|').map(str::trim).collect();
        assert_eq!(short, expected, "in pieces of {piece}:\n{log}");
    }
}

/// The initial response of PLAIN for `ada` and `secret`.
const PROOF: &str = "AGFkYQBzZWNyZXQ=";

#[test]
fn submission_needs_auth_before_mail() {
    check_submission(
        &format!("MAIL FROM:<a@b.org>\nAUTH PLAIN {PROOF}\n{BEGUN}DATA\n.\n"),
        "530 5.7.0|235 2.7.0|250 2.1.0|250 2.1.5|354 End|<a@b.org> to l@lists.test: \"\"|250 2.0.0",
    );
    check_submission("AUTH PLAIN\nAGFkYQBzZWNyZXQ=\nMAIL FROM:<>\n", "334 |235 2.7.0|250 2.1.0");
    check_submission("AUTH LOGIN\nYWRh\nc2VjcmV0\n", "334 VXNlcm5hbWU6|334 UGFzc3dvcmQ6|235 2.7.0");
    check_submission("auth login YWRh\nc2VjcmV0\n", "334 UGFzc3dvcmQ6|235 2.7.0");
}

#[test]
fn a_failed_auth_leaves_the_session_as_it_was() {
    check_submission("AUTH PLAIN AGFkYQB3cm9uZw==\nMAIL FROM:<>\n", "535 5.7.8|530 5.7.0");
    check_submission(
        &format!("AUTH PLAIN\n*\nNOOP\nAUTH PLAIN {PROOF}\n"),
        "334 |501 5.7.0|250 2.0.0|235 2.7.0",
    );
    check_submission("AUTH LOGIN\nMAIL FROM:<>\nNOOP\n", "334 VXNlcm5hbWU6|501 5.5.2|250 2.0.0");
    let long = format!("AUTH PLAIN\n{}\nNOOP\n", "A".repeat(5000));
    check_submission(&long, "334 |500 5.5.6|250 2.0.0");
    check_raw_submission("EHLO c\r\nAUTH PLAIN\r\nAGFkYQBzZWNyZXQ=\nNOOP\r\n", "334 |500 5.5.2|250 2.0.0");
}

#[test]
fn auth_comes_once_and_in_its_place() {
    check_raw_submission(&format!("AUTH PLAIN {PROOF}\r\n"), "503 5.5.1");
    let early = format!("HELO c\r\nAUTH PLAIN {PROOF}\r\nMAIL FROM:<>\r\n");
    check_raw_submission(&early, "250 lists.test|503 5.5.1|530 5.7.0");
    let again = format!("AUTH PLAIN {PROOF}\nAUTH PLAIN {PROOF}\nRSET\nMAIL FROM:<>\nAUTH LOGIN\n");
    check_submission(&again, "235 2.7.0|503 5.5.1|250 2.0.0|250 2.1.0|503 5.5.1");
    check_submission("AUTH CRAM-MD5\nAUTH NONSENSE\n", "504 5.5.4|504 5.5.4");
}

#[test]
fn auth_is_known_to_submission_alone() {
    for protocol in [Protocol::Smtp, Protocol::Lmtp] {
        let hello = if protocol == Protocol::Lmtp { "LHLO" } else { "EHLO" };
        let log = play_by(protocol, &format!("{hello} c\r\nAUTH PLAIN {PROOF}\r\n"), 100);
        assert!(log.ends_with("502 5.5.1 Command not implemented\n") && !log.contains("AUTH"), "{log}");
    }
    let log = play_by(Protocol::Submission, "EHLO c\r\n", 100);
    assert!(log.contains("250-AUTH PLAIN LOGIN\n"), "{log}");
}
