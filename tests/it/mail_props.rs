//! Facts about mail that hold for any bytes.

use std::borrow::Cow;
use std::sync::LazyLock;

use crier::clock::Timestamp;
use crier::control::Request;
use crier::mail::bounce::{self, Report};
use crier::mail::pattern::{Budget, PatternPair};
use crier::mail::submission::{author, message_of_text};
use crier::mail::taboo::TabooText;
use crier::mail::template::Place;
use crier::mail::trace_headers::receive_with;
use crier::mail::{
    Button, ContentAuthor, Notice, Personal, RewriteContext, Template, Wording, author_domains,
    compose_notice, has_signature, header_fields, parse, rewrite,
};
use crier::model::account::Subscriptions;
use crier::model::{
    AccountId, EmailAddress, FailureKind, Language, Links, List, ListId, ListName, MessageId,
};
use proptest::prelude::*;
use serde_json::{Map, Value};

const PREFIX: &str = "[news]";
const FOOTER: &str = "-- footer ü of the list --";

fn list() -> List {
    let name = ListName::parse("news").unwrap();
    let mut list = List::new(ListId(1), AccountId(1), name, Timestamp::from_ms(0));
    list.subject_prefix = PREFIX.into();
    list.message_footer = FOOTER.into();
    list
}

/// A list that does everything a list can do to a post.
fn busy_list() -> impl Strategy<Value = List> {
    let footers = prop_oneof![
        Just(""),
        Just("Bye ü"),
        Just("Leave: $UNSUBSCRIBE"),
        Just("Dear $NAME,\n\nthis is the end of $LIST")
    ];
    let limits = prop_oneof![Just(None), (1..200_u64).prop_map(Some)];
    (any::<[bool; 3]>(), footers.clone(), footers, limits).prop_map(
        |(switches, fronter, footer, truncate)| {
            let mut list = list();
            [list.strip_attachments, list.merge_tags_enabled, list.rewrite_sender] = switches;
            fronter.clone_into(&mut list.message_fronter);
            footer.clone_into(&mut list.message_footer);
            list.truncate = truncate;
            list
        },
    )
}

/// The links of the account.
static LINKS: LazyLock<Links> = LazyLock::new(|| Links::new("https://lists.example.org".to_owned(), []));

fn copy(list: &List, raw: &[u8]) -> Option<Vec<u8>> {
    let address = EmailAddress::parse("news@example.org").unwrap();
    let context = RewriteContext {
        list,
        list_address: &address,
        account: "acme",
        links: &LINKS,
        message: MessageId(17),
        rewrite_from: true,
        from_is_ours: false,
        batched: false,
        custom_fields: &[],
        author: ContentAuthor::Sender,
        subscriptions: Subscriptions::Open,
        unsubscriptions: Subscriptions::Open,
        language: Language::English,
        accepted: Timestamp::from_ms(0),
    };
    let personal = Personal {
        email: "a@x.org",
        first_name: "\"<Zoë>\"\r\n",
        unsubscribe_url: "https://lists.example.org/unsubscribe/abcdefghijklmnopqrst/",
        ..Personal::default()
    };
    let inbound = parse(raw).ok()?;
    let mut out = Vec::new();
    rewrite(&inbound, &context).render(&personal, &mut out);
    Some(out)
}

/// What any message may be made of, so that random ones reach every corner of the format.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&'static [u8]> = vec![
        b"\r\n",
        b"\n",
        b"\r",
        b"\r\n\r\n",
        b" ",
        b"\t",
        b"=",
        b"=\r\n",
        b"=C3=BC",
        b"--b\r\n",
        b"--b--\r\n",
        b"--i\r\n",
        b"From: ",
        b"Ada <ada@x.org>",
        b"Subject: ",
        b"=?utf-8?q?=C3=BC?=",
        b"=?x?b?",
        b"[news]",
        b"Message-ID: <1@x>",
        b"References: <1@x> <2@x>",
        b"Content-Type: multipart/mixed; boundary=b\r\n",
        b"Content-Type: multipart/alternative; boundary=\"i\"\r\n",
        b"Content-Type: message/rfc822\r\n",
        b"Content-Type: text/html; charset=utf-16\r\n",
        b"Content-Type: text/plain; charset=iso-2022-jp; format=flowed\r\n",
        b"Content-Type: text/plain; charset=iso-8859-1\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"Content-Transfer-Encoding: quoted-printable\r\n",
        b"Content-Transfer-Encoding: 8bit\r\n",
        b"<body>",
        b"</body>",
        b"</html>",
        b"aGVsbG8K",
        b"DKIM-Signature: h=from:to\r\n",
        b"List-Id: <x>\r\n",
        b"Reply-To: ada@x.org\r\n",
        b"Content-Type: multipart/signed; boundary=b\r\n",
        b"Content-Type: multipart/related; boundary=\"i\"\r\n",
        b"Content-Type: image/png; name=a.png\r\n",
        b"Content-Disposition: attachment\r\n",
        b"-----BEGIN PGP SIGNED MESSAGE-----",
        b"https://lists.example.org/unsubscribe/aaaaabbbbbcccccddddd/",
        b"$NAME",
        b"<p><b>bold</b>",
        b"<!-- x",
        b"\x1b$B4A\x1b(B",
        b"hello",
        "ü".as_bytes(),
        b"\xff\xfe",
    ];
    prop_oneof![
        9 => proptest::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(1..=u8::MAX, 0..20),
    ]
}

fn message() -> impl Strategy<Value = Vec<u8>> {
    let fragments = || proptest::collection::vec(fragment(), 0..25);
    // Half of them have a body that begins where it should.
    (fragments(), any::<bool>(), fragments(), fragments()).prop_map(|(header, is_split, body, tail)| {
        let gap: &[u8] = if is_split { b"\r\n\r\n" } else { b"" };
        [&header.concat(), gap, &body.concat(), gap, &tail.concat()].concat()
    })
}

/// What reports are made of.
fn report_fragment() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&'static [u8]> = vec![
        b"Content-Type: multipart/report; boundary=b\r\n",
        b"Content-Type: message/delivery-status\r\n",
        b"Content-Type: message/feedback-report\r\n",
        b"Content-Type: text/rfc822-headers\r\n",
        b"Content-Transfer-Encoding: base64\r\n",
        b"X-Failed-Recipients: ",
        b"From: MAILER-DAEMON\r\n",
        b"Subject: failure notice\r\n",
        b"Reporting-MTA: dns; ",
        b"Final-Recipient: rfc822; ",
        b"Original-Recipient: ",
        b"Action: failed\r\n",
        b"Action: delayed\r\n",
        b"Status: 5.1.1\r\n",
        b"Diagnostic-Code: smtp; ",
        b"Feedback-Type: ",
        b"Original-Mail-From: <",
        b"ada@example.net",
        b"550 5.1.1 user unknown",
        b"552 Mailbox full",
        b"<ada@example.net>:",
        b"5.1.1.1",
        b"--- Below this line is a copy of the message.\r\n",
        b"; ; ;",
        "ü’漢".as_bytes(),
        b"--b\r\n",
        b"\r\n",
        b"\r\n\r\n",
    ];
    prop_oneof![
        6 => proptest::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(1..=u8::MAX, 0..20),
    ]
}

/// What programs write: lines with any ends, headers or none, separators of mailboxes.
fn text_of_a_program() -> impl Strategy<Value = Vec<u8>> {
    let separated = prop_oneof![Just(&b""[..]), Just(&b"From ada Fri Nov 20\n"[..]), Just(&b"From "[..])];
    let any_octets = proptest::collection::vec(any::<u8>(), 0..300);
    (separated, prop_oneof![message(), any_octets]).prop_map(|(head, text)| [head, &text].concat())
}

/// Lines of the control socket: commands with fields of any kind, whole or cut short, and any text.
fn control_line() -> impl Strategy<Value = String> {
    let commands =
        ["setup", "key_create", "simulate", "inject", "import", "verify", "keys", "domains", "call"];
    let fields = [
        "domain",
        "admin",
        "list",
        "from",
        "message",
        "recipients",
        "size_bytes",
        "account",
        "cidr",
        "action",
    ];
    let text = prop_oneof![Just("AAAA".to_owned()), Just("a@x.org".to_owned()), "\\PC{0,12}"];
    let value = prop_oneof![
        3 => text.clone().prop_map(Value::from),
        1 => proptest::collection::vec(text, 0..3).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let object = proptest::collection::btree_map(select(&fields), value, 0..8);
    let command = (select(&commands), object, 0..600_usize).prop_map(|(command, fields, length)| {
        let fields = fields.into_iter().chain([("command", command.into())]);
        let object: Map<String, Value> = fields.map(|(name, value)| (name.to_owned(), value)).collect();
        Value::Object(object).to_string().chars().take(length).collect()
    });
    prop_oneof![4 => command, 1 => "\\PC{0,60}"]
}

fn select(words: &[&'static str]) -> impl Strategy<Value = &'static str> + use<> {
    proptest::sample::select(words.to_vec())
}

/// 500 cases of each property, or as many as `PROPTEST_CASES` asks for.
fn cases() -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    if asked { ProptestConfig::default() } else { ProptestConfig::with_cases(500) }
}

fn check_lines(copy: &[u8]) {
    assert!(copy.ends_with(b"\r\n"));
    for line in copy.split_inclusive(|byte| *byte == b'\n') {
        let text = line.strip_suffix(b"\r\n").expect("every line ends in CRLF");
        assert!(!text.contains(&b'\r') && !text.contains(&b'\n'), "{}", String::from_utf8_lossy(line));
        assert!(text.len() <= 998, "{}", text.len());
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_bytes_parse_or_are_refused(raw in proptest::collection::vec(any::<u8>(), 0..2000)) {
        if let Ok(inbound) = parse(raw) {
            assert!(inbound.content().attachments.len() <= 1000);
        }
    }

    #[test]
    fn any_bytes_are_judged_by_patterns(raw in message(), html in any::<bool>()) {
        let head: &[u8] = if html { b"Content-Type: text/html\r\n" } else { b"" };
        let Ok(inbound) = parse([head, &raw].concat()) else { return Ok(()) };
        let patterns = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let pair = PatternPair::compile(&patterns(&["^$", r"\bada\b"]), &patterns(&[r"ü\b", "hello$"]));
        let _ = TabooText::new(&inbound).find(&pair, Budget::new(&|| false));
    }

    #[test]
    fn any_bytes_are_a_report_within_limits_or_none(parts in proptest::collection::vec(report_fragment(), 0..60)) {
        let Ok(inbound) = parse(parts.concat()) else { return Ok(()) };
        if let Report::Deliveries(bounced) = bounce::read(&inbound, true) {
            prop_assert!((1..=100).contains(&bounced.len()));
            for one in bounced {
                prop_assert!(one.recipients.len() <= 10);
                prop_assert!(one.words.chars().count() <= 200 && !one.words.contains(char::is_control));
            }
        }
    }

    #[test]
    fn any_octets_of_a_program_become_lines_of_mail(text in text_of_a_program()) {
        let message = message_of_text(&text);
        prop_assert!(message.len() <= 2 * text.len() + 2, "{} of {}", message.len(), text.len());
        for (at, octet) in message.iter().enumerate() {
            match octet {
                b'\n' => prop_assert!(0 < at && message[at - 1] == b'\r'),
                b'\r' => prop_assert_eq!(message.get(at + 1), Some(&b'\n')),
                _ => {}
            }
        }
        if !message.starts_with(b"From ") {
            prop_assert_eq!(&message_of_text(&message), &message, "a message is its own text");
        }
        let _ = author(&message);
    }

    #[test]
    fn whatever_comes_in_keeps_its_body_and_all_fields_but_forged_results(raw in message(), forged in 0..3_usize) {
        let claim = b"Authentication-Results: mx.lists.test; dmarc=pass\r\n";
        let raw = [claim.repeat(forged).as_slice(), &raw].concat();
        let mut received = raw.clone();
        receive_with(&mut received, "Received: here\r\n", "mx.lists.test");
        let (head, body) = crier::mail::split(&raw);
        let (new_head, new_body) = crier::mail::split(&received);
        prop_assert_eq!(new_body, body);
        prop_assert!(new_head.len() <= head.len() + "Received: here\r\n\r\n".len());
        let fields = header_fields(new_head);
        let is_result = |(name, value): &&(String, String)| {
            name.eq_ignore_ascii_case("authentication-results") && value.starts_with("mx.lists.test")
        };
        prop_assert_eq!(fields.iter().filter(is_result).count(), 0);
        prop_assert!(author_domains(&raw).len() <= 5);
        let _ = has_signature(&raw);
    }

    #[test]
    fn any_line_of_the_control_socket_is_a_command_or_is_refused(line in control_line()) {
        if let Ok(request) = serde_json::from_str::<Request>(&line) {
            // What is wrong with it has names.
            if let Err(problems) = request.parse() {
                prop_assert!(!problems.is_empty());
            }
        }
    }

    #[test]
    fn any_text_is_diagnosed(text in "\\PC{0,80}|(5|4|\\.|1|#| |user unknown|full|spam|ü){0,40}") {
        // A dead address is never concluded from nothing.
        let diagnosis = bounce::diagnose(None, &text);
        let has_reason = diagnosis.status.is_some() || text.chars().any(char::is_alphabetic);
        prop_assert!(diagnosis.kind != FailureKind::Dead || has_reason);
    }

    #[test]
    fn what_is_rewritten_is_a_message_with_sound_lines(raw in message()) {
        if let Some(copy) = copy(&list(), &raw) {
            check_lines(&copy);
            let again = parse(copy.clone());
            prop_assert!(again.is_ok(), "{:?} {}", again.err(), String::from_utf8_lossy(&copy));
            prop_assert!(copy.len() < 4000 + raw.len() * 5);
        }
    }

    #[test]
    fn a_text_that_cannot_be_read_loses_no_octet(
        text in proptest::collection::vec(prop_oneof![b'a'..=b'z', 128..=u8::MAX, Just(b' '), Just(0x1b), Just(b'$')], 1..60),
        charset in proptest::sample::select(vec!["utf-8", "us-ascii", "big5", "iso-2022-jp", "gb18030", "x-no", "utf-7"]),
        is_base64 in any::<bool>(),
    ) {
        let encoding = if is_base64 { "base64" } else { "8bit" };
        let head = format!("From: a@x.org\r\nContent-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n");
        let text = [text.trim_ascii(), b".\r\n"].concat();
        let raw = [head.as_bytes(), &text].concat();
        let copied = copy(&list(), &raw).unwrap();
        let whole = parse(copied.clone()).unwrap();
        let read = whole.content().plain.unwrap_or_default();
        let own = parse(raw).unwrap().content().plain.unwrap();
        let is_kept = copied.windows(text.len()).any(|window| window == text);
        prop_assert!(is_kept || (read.starts_with(own.trim_end()) && !own.contains('\u{fffd}')), "{}", String::from_utf8_lossy(&copied));
    }

    #[test]
    fn a_second_pass_adds_no_second_prefix_and_no_second_footer(raw in message()) {
        let Some(once) = copy(&list(), &raw) else { return Ok(()) };
        let twice = copy(&list(), &once).unwrap();
        let (first, second) = (parse(once.clone()).unwrap(), parse(twice.clone()).unwrap());
        prop_assert_eq!(&first.subject, &second.subject);
        let count = |text: Option<String>| text.map(|text| text.matches(FOOTER).count());
        prop_assert_eq!(count(first.content().plain), count(second.content().plain), "{}", String::from_utf8_lossy(&twice));
    }

    #[test]
    fn any_personal_footer_keeps_lines_sound(raw in message(), footer in "(\\$NAME|\\$EMAIL|[ -~]|ü|\n| x*){0,40}", html in any::<bool>()) {
        let mut list = list();
        if html { list.message_footer_html.clone_from(&footer); } else { list.message_footer = footer; }
        if let Some(copy) = copy(&list, &raw) {
            check_lines(&copy);
        }
    }

    #[test]
    fn whatever_a_list_does_leaves_a_message_of_bounded_size(raw in message(), list in busy_list()) {
        if let Some(copy) = copy(&list, &raw) {
            check_lines(&copy);
            prop_assert!(copy.len() < 8000 + raw.len() * 8, "{} of {}", copy.len(), raw.len());
            let again = parse(copy.clone());
            prop_assert!(again.is_ok(), "{:?} {}", again.err(), String::from_utf8_lossy(&copy));
            let shown = String::from_utf8_lossy(&raw);
            let is_untouched = ["PGP", "multipart/", "message/", "attachment", "name="];
            if !is_untouched.iter().any(|sign| shown.contains(sign)) {
                let content = again.unwrap().content();
                for text in [content.plain, content.html].into_iter().flatten() {
                    prop_assert!(!text.contains("aaaaabbbbbcccccddddd"), "{}", String::from_utf8_lossy(&copy));
                }
            }
        }
    }

    #[test]
    fn a_second_pass_puts_a_personal_footer_on_once(raw in message()) {
        let mut list = list();
        list.message_footer = "Leave: $UNSUBSCRIBE".into();
        list.message_fronter = "For $EMAIL, of the list".into();
        let Some(once) = copy(&list, &raw) else { return Ok(()) };
        let twice = copy(&list, &once).unwrap();
        let count = |copy: &[u8]| {
            let content = parse(copy).unwrap().content();
            let text = content.plain.unwrap_or_default();
            (text.matches("abcdefghijklmnopqrst").count(), text.matches("For a@x.org, of the list").count())
        };
        prop_assert_eq!(count(&once), count(&twice), "{}", String::from_utf8_lossy(&twice));
    }

    #[test]
    fn any_text_is_a_template_or_is_refused(text in "\\PC{0,60}|(\\$|\\{|\\}|NAME|x| ){0,30}") {
        if let Ok(template) = Template::parse(&text, &["x"]) {
            template.expand(Place::Html, |_| Cow::Borrowed("<v>"));
            let header = template.expand(Place::Header, |_| Cow::Borrowed("a\r\nb"));
            prop_assert!(!header.contains(['\r', '\n']));
        }
        Template::parse_leniently(&text, &["x"]).expand(Place::Text, |_| Cow::Borrowed("v"));
    }
}

#[test]
fn a_second_pass_sees_the_footer_behind_a_nested_message_that_claims_the_same_boundary() {
    let raw = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n\
        Content-Type: multipart/mixed; boundary=b\r\n";
    let once = copy(&list(), raw).unwrap();
    let twice = copy(&list(), &once).unwrap();
    assert_eq!(String::from_utf8_lossy(&twice).matches("of the list --").count(), 1);
}

/// A text in a multipart with the boundary `b`, and a file behind it.
fn in_multipart(header: &str, text: &[u8]) -> Vec<u8> {
    let head = format!("Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{header}\r\n\r\n");
    [head.as_bytes(), text, b"\r\n--b\r\nContent-Type: image/png\r\n\r\nfile\r\n--b--\r\n"].concat()
}

#[test]
fn no_line_of_a_text_becomes_a_boundary_by_what_is_put_before_it_or_by_another_encoding() {
    let personal = || {
        let footer = "Leave: $UNSUBSCRIBE".to_owned();
        List { message_fronter: "For $EMAIL".to_owned(), message_footer: footer, ..list() }
    };
    let long = format!("{}--b\r\nend", "x".repeat(75)).into_bytes();
    let base64 = data_encoding::BASE64.encode(&long).into_bytes();
    // In UTF-8 and quoted-printable, a line ends before the hyphens.
    let latin = [&[0xfc; 12], &b"xxx--b\r\nend"[..]].concat();
    let cases: [(&str, &[u8]); 9] = [
        ("Content-Type: text/plain; charset=iso-8859-1", &latin),
        ("Content-Type: text/plain; charset=utf-8", "\u{feff}--b\r\nend".as_bytes()),
        ("Content-Type: text/plain; charset=iso-2022-jp", b"\x1b(B--b\r\nend"),
        ("Content-Type: text/html; charset=utf-8", b"<body>--b\r\nend</body>"),
        ("Content-Type: text/html; charset=utf-8", b"<body>\r\nend\r\n--b</body>"),
        (
            "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable",
            b"<body>--b\r\nend</body>",
        ),
        ("Content-Transfer-Encoding: quoted-printable", b"=2D-b\r\nend"),
        ("Content-Transfer-Encoding: base64", b"LS1iDQplbmQ="),
        ("Content-Transfer-Encoding: base64", &base64),
    ];
    for (header, text) in cases {
        for list in [list(), personal()] {
            let once = copy(&list, &in_multipart(header, text)).unwrap();
            let twice = copy(&list, &once).unwrap();
            for copy in [once, twice] {
                let shown = String::from_utf8_lossy(&copy).into_owned();
                let content = parse(copy).unwrap().content();
                assert_eq!(content.attachments.len(), 1, "{shown}");
                let text = content.plain.or(content.html).unwrap();
                assert!(text.contains("--b") && text.contains("end"), "{text} of {shown}");
            }
        }
    }
}

const LINK: &str = "https://lists.example.org/moderate/TOKEN/";
/// The elements of the HTML of notices.
const ELEMENTS: [&str; 13] =
    ["html", "head", "body", "div", "table", "tr", "td", "p", "h1", "a", "br", "span", "blockquote"];

/// What strangers write who would like it to be more than words.
fn tricks() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<a href=\"https://evil.example/\">".to_owned()),
        Just("</p></td><script>evil()</script>".to_owned()),
        Just("https://evil.example/".to_owned()),
        Just("\" onclick='evil()' &lt; &#60;".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n    ".to_owned()),
        Just("\n> ".to_owned()),
        Just(format!("\n{LINK}evil/\n")),
        Just("<!-- ".to_owned()),
        ".{0,12}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_words_of_strangers_in_a_notice_become_markup_or_a_link(
        [name, subject, words] in [tricks(), tricks(), tricks()],
        is_own in any::<bool>(),
    ) {
        let address = EmailAddress::parse("news-owner@example.org").unwrap();
        let text = format!("A message from {name}:\n\n    From:    {name}\n    Subject: {subject}\n    {LINK}\n\n> {words}\n\n{words}\n");
        let buttons = [Button::new(LINK, "Read and decide".to_owned())];
        let raw = compose_notice(&Notice {
            message_id: "n@example.org",
            now: Timestamp::from_ms(0),
            from_phrase: &name,
            from_address: &address,
            to: &address,
            reply_to: None,
            subject: &subject,
            text: &text,
            buttons: &buttons,
            wording: if is_own { Wording::Own } else { Wording::BuiltIn },
            in_reply_to: None,
            language: Language::French,
            is_answer: false,
        });
        let content = parse(raw).unwrap().content();
        let html = content.html.unwrap();
        let (styles, shown) = html.split_once("</style>").unwrap();
        prop_assert_eq!(styles.matches("<style>").count(), 1);
        let mut links = 0;
        for part in shown.split('<').skip(1) {
            let (tag, words) = part.split_once('>').unwrap();
            let element = tag.trim_start_matches('/').split(' ').next().unwrap();
            prop_assert!(ELEMENTS.contains(&element), "{}", tag);
            prop_assert!(!tag.contains("evil") && !words.contains(['>', '"', '\'']), "{}", part);
            if let Some((_, link)) = tag.split_once("href=\"") {
                prop_assert_eq!(link.split('"').next(), Some(LINK));
                links += 1;
            }
        }
        prop_assert!(0 < links && html.ends_with("</html>\n"));
        prop_assert!(content.plain.is_some());
    }
}
