//! Mail as people's programs write it: labels that are wrong, headers in no encoding, header and text run into each other.
//!
//! Pages, the API, the search and the copies read it alike, and no copy loses what could not be read.

use std::time::Duration;

use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::smtp::Dialogue;
use crate::harness::visitor::Visitor;

/// Sends these bytes as a post of `ada@example.net`; lines end in LF.
async fn send(app: &TestApp, to: &str, message: &[u8]) {
    let mut wire = Vec::new();
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        wire.extend_from_slice(if line.starts_with(b".") { b"." } else { b"" });
        wire.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
        wire.extend_from_slice(b"\r\n");
    }
    wire.extend_from_slice(b".\r\n");
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.org", 250).await;
    dialogue.say("MAIL FROM:<ada@example.net> BODY=8BITMIME", 250).await;
    dialogue.say(&format!("RCPT TO:<{to}>"), 250).await;
    dialogue.say("DATA", 354).await;
    dialogue.send(&wire).await;
    dialogue.expect(250).await;
    app.settle().await;
}

/// A list with an open archive and one member, with these settings.
async fn list(app: &TestApp, settings: &[(&str, &str)]) -> String {
    let mut list = app.list("news").open().with("archive_spammode", "0");
    for (name, value) in settings {
        list = list.with(name, value);
    }
    let list = list.create().await;
    let contact = serde_json::json!({"emails": ["zoe@example.org"], "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &contact).await.good();
    list.address
}

/// The newest message as the API shows it.
async fn newest(app: &TestApp) -> Value {
    let found = app.admin.get("/api/2/messages/?list=news").await.good();
    let id = found["data"].as_array().unwrap().iter().map(|message| message["id"].as_u64().unwrap()).max();
    app.admin.get(&format!("/api/2/messages/{}/", id.unwrap())).await.good()
}

/// The body of the copy.
fn copy(app: &TestApp) -> Vec<u8> {
    let data = app.sink.mail_to("zoe@example.org").data;
    let at = data.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    data[at + 4..].to_vec()
}

fn contains(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn headers_read_alike_for_pages_the_api_and_copies() {
    let app = TestApp::start().await;
    let settings = [("subject_prefix", "[Ünïcode]"), ("rewrite_sender", "1")];
    let address = list(&app, &settings).await;
    for (number, from, subject, name, text) in [
        (
            1,
            &b"=?utf-8?Q?J=C3?= =?utf-8?Q?=B6rg?= <ada@example.net>"[..],
            &b"=?utf-8?Q?f=C3?= =?utf-8?Q?=BCr?="[..],
            "Jörg",
            "für",
        ),
        (2, b"J\xf6rg <ada@example.net>", b"Gr\xfc\xdfe", "Jörg", "Grüße"),
        (3, b"\x1b$BEl5~\x1b(B <ada@example.net>", b"\x1b$BEl5~$N7o\x1b(B", "東京", "東京の件"),
        (
            4,
            b"=?gb2312?B?u+HS6bzN?= =?GB2312?B?0qo=?= <ada@example.net>",
            b"=?iso-8859-1?Q?Die_Fr\xf6sche?=",
            "会议纪要",
            "Die Frösche",
        ),
        (
            5,
            b"\"=?utf-8?Q?M=C3=BCller=2C_Anna?=\" <ada@example.net>",
            b"=?utf-8?Q?M=C3=BCller?=, Anna",
            "Müller, Anna",
            "Müller, Anna",
        ),
    ] {
        app.sink.clear();
        let mail = [
            b"From: ",
            from,
            format!("\nMessage-ID: <{number}@x.org>\nSubject: ").as_bytes(),
            subject,
            b"\n\nhi\n",
        ]
        .concat();
        send(&app, &address, &mail).await;
        let message = newest(&app).await;
        assert_eq!(message["subject"], text);
        let page = Visitor::new(&app).get(&format!("/lists/news/messages/{}/", message["id"])).await;
        assert!(page.body.contains(text), "{text}");
        assert!(page.body.contains(name), "{name}");
        let copy = app.sink.mail_to("zoe@example.org");
        let inbound = crier::mail::parse(copy.data.clone()).unwrap();
        assert_eq!(inbound.subject, format!("[Ünïcode] {text}"));
        assert_eq!(inbound.from.unwrap().name, format!("{name} (via news list)"));
        assert!(!copy.header("From").unwrap().contains("=EF=BF=BD"));
    }
}

#[tokio::test]
async fn raw_octets_of_a_header_are_in_the_set_of_the_text() {
    let app = TestApp::start().await;
    let address = list(&app, &[("subject_prefix", "[f]")]).await;
    let mail = b"From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: \xf0\xd2\xc9\xd7\xc5\xd4\nMIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xf0\xd2\xc9\xd7\xc5\xd4\n";
    send(&app, &address, mail).await;
    let message = newest(&app).await;
    assert_eq!((&message["subject"], &message["content_plain"]), (&"Привет".into(), &"Привет\n".into()));
    let inbound = crier::mail::parse(app.sink.mail_to("zoe@example.org").data).unwrap();
    assert_eq!(inbound.subject, "[f] Привет");
}

#[tokio::test]
async fn a_prefix_in_an_encoded_word_that_touches_text_is_found() {
    let app = TestApp::start().await;
    let address = list(&app, &[("subject_prefix", "[Ünïcode]")]).await;
    let mail = b"From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: Re: [=?utf-8?Q?=C3=9Cn=C3=AFcode=5D_Hallo?=\n\nhi\n";
    send(&app, &address, mail).await;
    let subject = app.sink.mail_to("zoe@example.org").header("Subject");
    assert_eq!(subject.as_deref(), Some("Re: [=?utf-8?Q?=C3=9Cn=C3=AFcode=5D_Hallo?="));
}

#[tokio::test]
async fn a_subject_or_name_that_cannot_be_read_stays_as_it_is() {
    let app = TestApp::start().await;
    let address = list(&app, &[("subject_prefix", "[ü]"), ("rewrite_sender", "1")]).await;
    let mail =
        b"From: =?big5?B?/4GB?= <ada@example.net>\nMessage-ID: <1@x.org>\nSubject: =?gb2312?B?/4GB?=\n\nhi\n";
    send(&app, &address, mail).await;
    let copy = app.sink.mail_to("zoe@example.org");
    assert_eq!(copy.header("Subject").as_deref(), Some("=?utf-8?B?W8O8XSA=?= =?gb2312?B?/4GB?="));
    let from = copy.header("From").unwrap();
    assert!(from.starts_with("=?big5?B?/4GB?= \"(via news list)\" <news@"), "{from}");
}

#[tokio::test]
async fn utf_8_under_the_label_of_ascii_is_utf_8_everywhere() {
    let app = TestApp::start().await;
    let address = list(&app, &[("message_footer", "Fußzeile")]).await;
    let mail = "From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: a\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 8bit\n\nEnvoyé à Köln\n";
    send(&app, &address, mail.as_bytes()).await;
    let message = newest(&app).await;
    assert_eq!(message["content_plain"], "Envoyé à Köln\n");
    let page = Visitor::new(&app).get(&format!("/lists/news/messages/{}/", message["id"])).await;
    assert!(page.body.contains("Envoyé à Köln"));
    let found = Visitor::new(&app).get("/lists/news/search/?q=K%C3%B6ln").await;
    assert!(found.body.contains(&format!("/messages/{}/", message["id"])), "{}", found.body);
    let inbound = crier::mail::parse(app.sink.mail_to("zoe@example.org").data).unwrap();
    assert_eq!(inbound.content().plain.as_deref(), Some("Envoyé à Köln\n\nFußzeile\n"));
}

#[tokio::test]
async fn what_cannot_be_decoded_stays_byte_for_byte_beside_the_footer() {
    let app = TestApp::start().await;
    let address = list(&app, &[("message_footer", "Fußzeile"), ("truncate", "10")]).await;
    for (number, label, encoding, body) in [
        (1, "utf-8", "8bit", &b"Gr\xfc\xdfe aus K\xf6ln, wo ich bin\r\n"[..]),
        (2, "iso-2022-jp", "8bit", b"\xc6\xfc\xcb\xdc\xb8\xec\xa4\xc7\xa4\xb9\xa1\xa3\r\n"),
        (3, "us-ascii", "base64", b"This text is not base64. Meeting at ten.\r\n"),
        (4, "big5", "8bit", b"\xff\x81 is no Big5 at all, I think\r\n"),
        (5, "us-ascii", "8bit", b"Gr\xfc\xdfe aus K\xf6ln, wo ich bin\r\n"),
        (6, "utf-8", "base64", b"R3LDvMOfZSBhdXMgS8O2bG4gdW5kIHNvIHdlaXRlcg==\r\nA line of a gateway.\r\n"),
        (7, "x-unknown", "8bit", b"Gr\xfc\xdfe aus K\xf6ln, wo ich bin\r\n"),
    ] {
        app.sink.clear();
        let head = format!(
            "From: ada@example.net\nMessage-ID: <{number}@x.org>\nSubject: a\nMIME-Version: 1.0\nContent-Type: text/plain; charset={label}\nContent-Transfer-Encoding: {encoding}\n\n"
        );
        send(
            &app,
            &address,
            &[head.as_bytes(), &body.iter().copied().filter(|byte| *byte != b'\r').collect::<Vec<u8>>()]
                .concat(),
        )
        .await;
        let copy = copy(&app);
        assert!(contains(&copy, body), "{label} {encoding}: {}", String::from_utf8_lossy(&copy));
        assert!(contains(&copy, b"Fu=C3=9Fzeile"), "{label}");
        assert!(!contains(&copy, b"=EF=BF=BD"), "{label}");
    }
}

#[tokio::test]
async fn a_text_without_an_empty_line_before_it_keeps_its_first_lines() {
    let app = TestApp::start().await;
    let address = list(&app, &[]).await;
    let mail = "From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: Hi\nDear all\nthe meeting is at ten: bring cake.\n\nSecond paragraph.\n";
    let text = mail.split_once("Hi\n").unwrap().1;
    send(&app, &address, mail.as_bytes()).await;
    assert_eq!(newest(&app).await["content_plain"], text);
    assert_eq!(copy(&app), text.replace('\n', "\r\n").into_bytes());
}

#[tokio::test]
async fn a_line_of_blanks_in_a_header_ends_it_before_text_alone() {
    let app = TestApp::start().await;
    let address = list(&app, &[]).await;
    let mail = "From: ada@example.net\nSubject: Minutes\n \nMessage-ID: <1@x.org>\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\nSGVsbG8K\n";
    send(&app, &address, mail.as_bytes()).await;
    let message = newest(&app).await;
    assert_eq!((&message["subject"], &message["content_plain"]), (&"Minutes".into(), &"Hello\n".into()));
    let sent = app.sink.mail_to("zoe@example.org");
    assert_eq!(sent.header("Message-ID").as_deref(), Some("<1@x.org>"));
    assert_eq!(copy(&app), b"SGVsbG8K\r\n");

    app.sink.clear();
    let mail = "From: ada@example.net\nMessage-ID: <2@x.org>\nSubject: b\n \nHello there\n";
    send(&app, &address, mail.as_bytes()).await;
    assert_eq!(copy(&app), b"Hello there\r\n");
}

#[tokio::test]
async fn a_line_that_is_left_out_is_among_the_changes() {
    let app = TestApp::start().await;
    let address = list(&app, &[]).await;
    let mail = "From ada@example.net Mon Jan  1 00:00:00 2001\nFrom: ada@example.net\nMessage-ID: <1@x.org>\nSubject: a\n\nhi\n";
    send(&app, &address, mail.as_bytes()).await;
    app.advance(Duration::from_secs(1)).await;
    let message = newest(&app).await;
    assert!(message["changes"].to_string().contains("a line that is no field"), "{}", message["changes"]);
}

#[tokio::test]
async fn a_fronter_stands_in_the_text_of_a_part_without_any_header() {
    let app = TestApp::start().await;
    let address = list(&app, &[("message_fronter", "Front")]).await;
    let mail = "From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b1\n\n--b1\n--b1\n\nhi\n--b1--\n";
    send(&app, &address, mail.as_bytes()).await;
    let copy = String::from_utf8(copy(&app)).unwrap().replace("\r\n", "\n");
    assert!(copy.starts_with("--b1\n\nFront\n"), "{copy}");
    assert!(copy.contains("\n--b1\n\nhi\n--b1--\n"), "{copy}");
}

#[tokio::test]
async fn texts_with_a_misspelt_transfer_encoding_are_cut_too() {
    let app = TestApp::start().await;
    let address = list(&app, &[("truncate", "40")]).await;
    for (number, encoding) in ["7-bit", "8bits", "plain", "7bit;"].into_iter().enumerate() {
        app.sink.clear();
        let mail = format!(
            "From: ada@example.net\nMessage-ID: <{number}@x.org>\nSubject: a\nMIME-Version: 1.0\nContent-Transfer-Encoding: {encoding}\n\n{}",
            "word\n".repeat(100)
        );
        send(&app, &address, mail.as_bytes()).await;
        assert!(copy(&app).len() < 200, "{encoding}");
    }
}

#[tokio::test]
async fn an_empty_message_id_is_replaced_in_copies() {
    let app = TestApp::start().await;
    let address = list(&app, &[]).await;
    send(&app, &address, b"From: ada@example.net\nMessage-ID: <>\nSubject: a\n\nhi\n").await;
    let sent = app.sink.mail_to("zoe@example.org");
    let id = sent.header("Message-ID").unwrap();
    assert!(id.len() > 10 && sent.text().matches("\nMessage-ID:").count() == 1, "{id}");
}

#[tokio::test]
async fn an_author_without_an_address_keeps_the_name() {
    let app = TestApp::start().await;
    let address = list(&app, &[]).await;
    for (number, (from, name)) in
        [("John Doe", "John Doe (via news list)"), ("=?utf-8?Q?J=C3=B6rg?= <>", "Jörg (via news list)")]
            .into_iter()
            .enumerate()
    {
        app.sink.clear();
        let mail = format!("From: {from}\nMessage-ID: <{number}@x.org>\nSubject: a\n\nhi\n");
        send(&app, &address, mail.as_bytes()).await;
        let inbound = crier::mail::parse(app.sink.mail_to("zoe@example.org").data).unwrap();
        assert_eq!(inbound.from.unwrap().name, name);
    }
}

#[tokio::test]
async fn mobile_addresses_with_dots_in_a_row_are_taken() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    for address in ["a..b@docomo.example", "ab.@docomo.example"] {
        let contact = serde_json::json!({"emails": [address], "lists": ["news"]});
        app.admin.post_json("/api/2/contacts/", &contact).await.good();
        let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
        dialogue.expect(220).await;
        dialogue.say("EHLO client.example.org", 250).await;
        dialogue.say(&format!("MAIL FROM:<{address}>"), 250).await;
    }
    app.send_mail("ada@example.net", &list.address, "Subject: a\n\nhi\n").await;
    app.settle().await;
    let copies = app.sink.to_members();
    assert!(copies.contains(&"\"a..b\"@docomo.example".to_owned()), "{copies:?}");
}

#[tokio::test]
async fn a_relay_without_8bitmime_gets_ascii_that_is_signed() {
    let app = TestApp::builder().signed().start().await;
    app.sink.without_8bitmime();
    let address = list(&app, &[("message_footer", "Fußzeile")]).await;
    let mail = "From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: für\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nGrüße\n";
    send(&app, &address, mail.as_bytes()).await;
    let sent = app.sink.mail_to("zoe@example.org");
    assert!(sent.data.is_ascii());
    assert!(sent.header("DKIM-Signature").is_some());
    let inbound = crier::mail::parse(sent.data).unwrap();
    assert_eq!(inbound.content().plain.as_deref(), Some("Grüße\n\nFußzeile\n"));
    assert_eq!(inbound.subject, "für");
}

#[tokio::test]
async fn signed_mail_fails_at_a_relay_without_8bitmime_and_says_why() {
    let app = TestApp::start().await;
    app.sink.without_8bitmime();
    let address = list(&app, &[]).await;
    let mail = "From: ada@example.net\nMessage-ID: <1@x.org>\nSubject: a\nMIME-Version: 1.0\nContent-Type: multipart/signed; boundary=b\n\n--b\n\nGrüße\n--b\nContent-Type: application/pgp-signature\n\nx\n--b--\n";
    send(&app, &address, mail.as_bytes()).await;
    assert!(app.sink.mails().iter().all(|mail| !mail.to.contains(&"zoe@example.org".to_owned())));
    let path = format!("/api/2/messages/{}/deliveries/", newest(&app).await["id"]);
    let deliveries = app.admin.get(&path).await.good().to_string();
    assert!(deliveries.contains("8BITMIME"), "{deliveries}");
}
