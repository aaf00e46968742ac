//! Mail that is submitted over TLS by the holders of keys (RFC 6409, RFC 8314).

use std::net::SocketAddr;
use std::time::Duration;

use crier::model::Permission;
use data_encoding::BASE64;
use serde_json::json;

use crate::harness::http::Client;
use crate::harness::smtp::Dialogue;
use crate::harness::{Builder, TestApp};

const MEMBER: &str = "member1@example.org";
const NEWS: &str = "news@lists.example.org";

fn builder() -> Builder {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    TestApp::builder().config(move |config| config.submission_listen = Some(any))
}

async fn connect(app: &TestApp) -> Dialogue {
    let mut dialogue = Dialogue::connect_tls(app.submission_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO laptop.example.org", 250).await;
    dialogue
}

fn plain(key: &str) -> String {
    format!("AUTH PLAIN {}", BASE64.encode(format!("\0anybody\0{key}").as_bytes()))
}

/// A conversation of whoever has this key.
async fn log_in(app: &TestApp, client: &Client) -> Dialogue {
    let mut dialogue = connect(app).await;
    dialogue.say(&plain(client.key()), 235).await;
    dialogue
}

/// Submits a message; answers the code of the answer to RCPT, or to the message where that was taken.
async fn submit(dialogue: &mut Dialogue, to: &str, message: &str) -> u16 {
    dialogue.say(&format!("MAIL FROM:<{MEMBER}>"), 250).await;
    dialogue.send(format!("RCPT TO:<{to}>\r\n").as_bytes()).await;
    let reply = dialogue.reply().await.unwrap();
    if reply.code != 250 {
        dialogue.say("RSET", 250).await;
        return reply.code;
    }
    dialogue.say("DATA", 354).await;
    dialogue.send(format!("{}\r\n.\r\n", message.replace('\n', "\r\n")).as_bytes()).await;
    dialogue.reply().await.unwrap().code
}

#[tokio::test]
async fn the_holder_of_a_key_posts_and_nobody_asks_the_dns_who_it_is() {
    let app = builder().dns("_dmarc.bank.example TXT v=DMARC1; p=reject").start().await;
    app.list("news").open().member(MEMBER).create().await;
    let mut dialogue = log_in(&app, &app.key_with([Permission::SendMessages]).await).await;
    let message = "From: ceo@bank.example\nSubject: hello\n\nhi";
    assert_eq!(submit(&mut dialogue, NEWS, message).await, 250);
    app.settle().await;
    let copy = app.sink.mail_to(MEMBER).text();
    assert!(copy.contains("with ESMTPSA id ") && copy.contains("\tauth=pass\n"), "{copy}");
}

#[tokio::test]
async fn the_rules_of_the_list_decide() {
    let app = builder().start().await;
    app.list("news").member(MEMBER).create().await;
    let mut dialogue = log_in(&app, &app.admin).await;
    assert_eq!(submit(&mut dialogue, NEWS, "From: stranger@example.net\nSubject: a\n\nhi").await, 250);
    assert_eq!(submit(&mut dialogue, NEWS, &format!("From: {MEMBER}\nSubject: b\n\nhi")).await, 250);
    app.settle().await;
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!((&held["count"], &held["data"][0]["subject"]), (&json!(1), &json!("a")));
    assert_eq!(app.sink.mail_to(MEMBER).header("Subject").as_deref(), Some("b"));
}

#[tokio::test]
async fn login_works_too_and_nothing_is_sent_before() {
    let app = builder().start().await;
    let mut dialogue = connect(&app).await;
    dialogue.say("MAIL FROM:<a@example.org>", 530).await;
    dialogue.say("AUTH LOGIN", 334).await;
    dialogue.say(&BASE64.encode(b"ada@example.org"), 334).await;
    dialogue.say(&BASE64.encode(app.admin.key().as_bytes()), 235).await;
    dialogue.say("MAIL FROM:<a@example.org>", 250).await;
}

#[tokio::test]
async fn a_key_works_as_it_does_over_http() {
    let app = builder().start().await;
    let reader = app.key_with([Permission::ManageMembers]).await;
    let mut dialogue = connect(&app).await;
    let reply = dialogue.say(&plain(reader.key()), 535).await;
    assert!(reply.text.contains("send_messages"), "{reply}");
    dialogue.say(&plain("x"), 535).await;

    let program = json!({"api": 2, "description": "printer", "permissions": ["send_messages"]});
    let admin = app.admin.post_json("/api/2/admins/", &program).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let new_key = async |months: &str| {
        let fields = [("get_key", ""), ("expiry_months", months)];
        app.admin.put(&path, &fields).await.good()["key"].as_str().unwrap().to_owned()
    };
    let key = new_key("1").await;
    dialogue.say(&plain(&key), 235).await;

    app.admin.put(&path, &[("cidr", "192.0.2.0/24")]).await.good();
    connect(&app).await.say(&plain(&key), 535).await;
    app.admin.put(&path, &[("cidr", "127.0.0.0/8")]).await.good();
    connect(&app).await.say(&plain(&key), 235).await;
    app.clock.advance(Duration::from_hours(24 * 32));
    connect(&app).await.say(&plain(&key), 535).await;
}

/// The path of the only key that has no permission but to send messages.
async fn printer_path(app: &TestApp) -> String {
    let all = app.admin.get("/api/2/admins/").await.good();
    let admins = all["data"].as_array().unwrap();
    let id = admins.iter().find(|admin| admin["permissions"] == json!(["send_messages"])).unwrap();
    format!("/api/2/admins/{}/", id["id"])
}

/// Says a command, which must be answered with the end of the connection.
async fn expect_the_end(dialogue: &mut Dialogue, command: &str) {
    let reply = dialogue.say(command, 421).await;
    assert!(reply.text.contains("key does not work any more"), "{reply}");
    assert_eq!(dialogue.reply().await, None, "the connection is closed");
}

#[tokio::test]
async fn a_key_that_is_revoked_ends_its_submission_at_the_next_command() {
    let app = builder().start().await;
    app.list("news").open().member(MEMBER).create().await;
    let printer = app.key_with([Permission::SendMessages]).await;
    let begun = [&format!("MAIL FROM:<{MEMBER}>"), &format!("RCPT TO:<{NEWS}>")];
    let mut dialogues = Vec::new();
    for commands in 0..=2 {
        let mut dialogue = log_in(&app, &printer).await;
        for command in &begun[..commands] {
            dialogue.say(command, 250).await;
        }
        dialogues.push(dialogue);
    }
    let mut sending = log_in(&app, &printer).await;
    for command in begun {
        sending.say(command, 250).await;
    }
    sending.say("DATA", 354).await;
    app.admin.delete(&printer_path(&app).await).await.good();
    for (dialogue, command) in dialogues.iter_mut().zip([begun[0].as_str(), begun[1], "DATA"]) {
        expect_the_end(dialogue, command).await;
    }
    expect_the_end(&mut sending, "From: a@example.org\r\n\r\nhi\r\n.").await;
    app.settle().await;
    assert!(app.sink.to_members().is_empty(), "what was under way is not taken");
    connect(&app).await.say(&plain(printer.key()), 535).await;
}

#[tokio::test]
async fn a_key_that_loses_its_permission_or_expires_ends_its_submission() {
    let app = builder().start().await;
    app.list("news").open().create().await;
    let printer = app.key_with([Permission::SendMessages]).await;
    let path = printer_path(&app).await;
    let mut dialogue = log_in(&app, &printer).await;
    app.admin.put_json(&path, &json!({"permissions": ["manage_members"]})).await.good();
    expect_the_end(&mut dialogue, "NOOP").await;

    app.admin.put_json(&path, &json!({"permissions": ["send_messages"]})).await.good();
    let mut dialogue = log_in(&app, &printer).await;
    app.admin.put(&path, &[("cidr", "192.0.2.0/24")]).await.good();
    expect_the_end(&mut dialogue, "MAIL FROM:<a@example.org>").await;

    app.admin.put(&path, &[("cidr", "127.0.0.0/8")]).await.good();
    let fields = [("get_key", ""), ("expiry_months", "1")];
    let key = app.admin.put(&path, &fields).await.good()["key"].as_str().unwrap().to_owned();
    let mut dialogue = connect(&app).await;
    dialogue.say(&plain(&key), 235).await;
    dialogue.say("MAIL FROM:<a@example.org>", 250).await;
    app.clock.advance(Duration::from_hours(24 * 32));
    expect_the_end(&mut dialogue, &format!("RCPT TO:<{NEWS}>")).await;
}

#[tokio::test]
async fn only_addresses_of_the_account_are_written_to() {
    let app = builder().start().await;
    app.list("news").open().member(MEMBER).create().await;
    app.list("staff").open().create().await;
    let other = app.other_account().await;
    other.post("/api/2/lists/", &[("name", "theirs"), ("moderate", "0")]).await.good();
    let mail = "From: a@example.org\nSubject: x\n\nhi";

    let mut dialogue = log_in(&app, &app.admin).await;
    for (to, code) in [
        ("ada@elsewhere.example", 550),
        ("theirs@other.example.org", 550),
        ("nobody@lists.example.org", 550),
        ("postmaster@lists.example.org", 250),
        ("postmaster@mx.example.org", 250),
        (NEWS, 250),
    ] {
        assert_eq!(submit(&mut dialogue, to, mail).await, code, "{to}");
    }
    let mut dialogue = log_in(&app, &app.global().await).await;
    assert_eq!(submit(&mut dialogue, "theirs@other.example.org", mail).await, 250);

    let confined = json!({"api": 2, "description": "x", "limit_lists": ["news"], "get_key": true,
        "permissions": ["send_messages", "limit_lists"]});
    let admin = app.admin.post_json("/api/2/admins/", &confined).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let key = app.admin.put(&path, &[("get_key", "")]).await.good()["key"].as_str().unwrap().to_owned();
    let mut dialogue = connect(&app).await;
    dialogue.say(&plain(&key), 235).await;
    assert_eq!(
        submit(&mut dialogue, "staff@lists.example.org", mail).await,
        550,
        "it is hidden from the key"
    );
    assert_eq!(submit(&mut dialogue, NEWS, &mail.replace('x', "again")).await, 250);
}

#[tokio::test]
async fn a_key_that_is_limited_to_some_lists_reaches_no_other_by_an_alias_or_an_owner() {
    let app = builder().start().await;
    app.list("news").open().member(MEMBER).create().await;
    app.list("staff").open().with("maxlength", "1").with("moderator", "boss@x.org").create().await;
    app.list("board").with("subscriptions", "closed").create().await;
    for (source, destination) in [
        ("open", vec![NEWS]),
        ("hidden", vec!["staff@lists.example.org"]),
        ("both", vec![NEWS, "staff@lists.example.org"]),
        ("around", vec!["hidden@lists.example.org"]),
    ] {
        let alias = json!({"source": source, "destination": destination});
        app.admin.post_json("/api/2/aliases/", &alias).await.good();
    }
    let confined = json!({"api": 2, "description": "x", "limit_lists": ["news"],
        "permissions": ["send_messages", "limit_lists"]});
    let admin = app.admin.post_json("/api/2/admins/", &confined).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let key = app.admin.put(&path, &[("get_key", "")]).await.good()["key"].as_str().unwrap().to_owned();
    let mut dialogue = connect(&app).await;
    dialogue.say(&plain(&key), 235).await;
    let mail = "From: a@example.org\nSubject: x\n\nhi";
    for to in ["hidden", "both", "around", "staff-owner", "staff-request", "staff-join", "board-subscribe"] {
        let to = format!("{to}@lists.example.org");
        assert_eq!(submit(&mut dialogue, &to, mail).await, 550, "{to}");
    }
    assert_eq!(submit(&mut dialogue, "open@lists.example.org", mail).await, 250);
    assert_eq!(submit(&mut dialogue, "news-help@lists.example.org", mail).await, 250);
    // A size that is refused would tell that there is such a list.
    dialogue.say(&format!("MAIL FROM:<{MEMBER}> SIZE=10000"), 250).await;
    dialogue.say("RCPT TO:<staff@lists.example.org>", 550).await;
    app.settle().await;
    let messages = app.admin.get("/api/2/messages/").await.good();
    assert_eq!((&messages["count"], &messages["data"][0]["list"]), (&json!(1), &json!("news")));
}

#[tokio::test]
async fn a_size_that_is_too_large_for_whoever_looks_after_a_list_is_refused_at_once() {
    let app = builder().start().await;
    app.list("news").member(MEMBER).with("moderator", "boss@x.org").create().await;
    let mut dialogue = log_in(&app, &app.admin).await;
    dialogue.say(&format!("MAIL FROM:<{MEMBER}> SIZE=1048577"), 250).await;
    dialogue.say("RCPT TO:<news-owner@lists.example.org>", 552).await;
    dialogue.say(&format!("RCPT TO:<{NEWS}>"), 250).await;
}

/// The objects that are left of the account's hour.
async fn remaining(app: &TestApp) -> u64 {
    // An error costs nothing.
    let answer = app.admin.get("/api/2/contacts/0/").await;
    answer.header("ratelimit-remaining").unwrap().parse().unwrap()
}

/// Submits a message to several; answers the code of the answer to it.
async fn submit_to(dialogue: &mut Dialogue, to: &[&str], message: &str) -> u16 {
    dialogue.say(&format!("MAIL FROM:<{MEMBER}>"), 250).await;
    for to in to {
        dialogue.say(&format!("RCPT TO:<{to}>"), 250).await;
    }
    dialogue.say("DATA", 354).await;
    dialogue.send(format!("{}\r\n.\r\n", message.replace('\n', "\r\n")).as_bytes()).await;
    dialogue.reply().await.unwrap().code
}

#[tokio::test]
async fn every_recipient_is_an_object_of_the_accounts_hour() {
    let app = builder().start().await;
    app.list("news").open().member(MEMBER).create().await;
    app.list("staff").create().await;
    let both = [NEWS, "staff@lists.example.org"];
    let message = format!("From: {MEMBER}\nSubject: a\n\nhi");
    let mut dialogue = log_in(&app, &app.admin).await;
    let mut left = remaining(&app).await;
    for (to, message, code, cost) in [
        (&both[..1], message.as_str(), 250, 1),
        (&both, &message, 250, 2),
        (&both, "Subject: a\nFrom: a@x.org\nFrom: b@x.org\n\nhi", 554, 0),
    ] {
        assert_eq!(submit_to(&mut dialogue, to, message).await, code);
        left -= cost;
        assert_eq!(remaining(&app).await, left, "{to:?}");
    }
    // Two are left, then one, then none.
    let account = app.admin.get("/api/2/contacts/").await;
    let limit: u64 = account.header("ratelimit-limit").unwrap().parse().unwrap();
    let used = limit - left + 1;
    let contacts_max = used.div_ceil(3) + 1;
    app.change_account(move |account| account.contacts_max = contacts_max).await;
    for _ in 0..contacts_max * 3 - used - 1 {
        app.admin.get("/api/2/lists/news/").await.good();
    }
    assert_eq!(remaining(&app).await, 1);
    assert_eq!(submit_to(&mut dialogue, &both, &message).await, 451, "there is room for one alone");
    assert_eq!(remaining(&app).await, 1, "what is refused costs nothing");
    assert_eq!(submit_to(&mut dialogue, &both[..1], &message).await, 250);
    dialogue.say(&format!("MAIL FROM:<{MEMBER}>"), 250).await;
    let refused = dialogue.say(&format!("RCPT TO:<{NEWS}>"), 451).await;
    let expected = format!(
        "4.7.1 Your account may read and change {} objects an hour, try again in the next",
        contacts_max * 3
    );
    assert_eq!(refused.text, expected);
    assert_eq!(
        app.send_mail(MEMBER, NEWS, "Subject: b\n\nhi").await.code,
        250,
        "who writes to a list pays nothing"
    );
    app.advance(Duration::from_hours(1)).await;
    assert_eq!(submit_to(&mut log_in(&app, &app.admin).await, &both[..1], &message).await, 250);
    assert_eq!(app.admin.get("/api/2/messages/").await.good()["count"], 5);
}

#[tokio::test]
async fn keys_are_guessed_over_http_and_smtp_together() {
    let app = builder().start().await;
    for number in 0..19 {
        let guess = app.anon.with_authorization(&format!("Bearer {number:032}"));
        guess.get("/api/2/lists/").await.error(401, "");
    }
    let mut dialogue = connect(&app).await;
    dialogue.say(&plain(&"x".repeat(32)), 535).await;
    dialogue.say(&plain(&"y".repeat(32)), 421).await;
    dialogue.expect_close().await;
    app.anon.get("/api/2/lists/").await.error(429, "");
    log_in(&app, &app.admin).await.say("NOOP", 250).await;
}

#[tokio::test]
async fn no_other_listener_knows_auth() {
    let app = builder().start().await;
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    let clear = dialogue.say("EHLO a", 250).await;
    dialogue.say(&plain(app.admin.key()), 502).await;
    dialogue.say("STARTTLS", 220).await;
    let (mut dialogue, _) = dialogue.encrypted().await;
    let encrypted = dialogue.say("EHLO a", 250).await;
    dialogue.say(&plain(app.admin.key()), 502).await;
    assert!(!clear.text.contains("AUTH") && !encrypted.text.contains("AUTH"), "{clear} {encrypted}");
}

#[tokio::test]
async fn the_certificate_is_that_of_starttls() {
    let app = builder().start().await;
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO a", 250).await;
    dialogue.say("STARTTLS", 220).await;
    let shown = Dialogue::connect(app.submission_addr()).await.start_tls().await;
    assert_eq!(dialogue.start_tls().await, shown);
}
