//! A message whose sender did not get the final reply is sent again, and accepted only once.

use std::path::Path;
use std::time::Duration;

use crier::model::list::MessageRejections;
use redb::ReadableTable as _;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::smtp::Reply;
use crate::sender_auth::{signed, zone};

const MAIL: &str = "From: Eve <eve@example.net>\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy this.\n";
const DAY: Duration = Duration::from_hours(24);
/// The table of the rows that find what was held before.
const INDEX: &str = "held.by_message_id";

/// A server whose list `news` has two members, tells senders what becomes of their messages and asks Ada to decide.
async fn start() -> TestApp {
    // Senders who prove themselves are told of each message.
    let app = TestApp::builder().dns("example.net TXT v=spf1 ip4:127.0.0.1 -all").start().await;
    app.list("news")
        .with("send_hold_message", "1")
        .with("send_reject_message", "1")
        .members(2)
        .create()
        .await;
    let fields = [
        ("username", "ada@example.org"),
        ("permissions", "approve_messages"),
        ("notifications", "held_message"),
        ("welcome_email", "0"),
    ];
    app.admin.post("/api/2/admins/", &fields).await.good();
    app
}

/// Sends a message to one list or several.
async fn send(app: &TestApp, to: &[&str], message: &str) {
    let to: Vec<String> = to.iter().map(|name| format!("{name}@lists.example.org")).collect();
    let to: Vec<&str> = to.iter().map(String::as_str).collect();
    let Reply { code, text } = app.send_mail_to("eve@example.net", &to, message).await;
    assert_eq!((code, text.as_str()), (250, "2.0.0 Message accepted"));
    app.settle().await;
}

/// How many messages stand in each state, and are published.
async fn counts(app: &TestApp) -> String {
    let mut counts = Vec::new();
    for state in ["held", "approved", "rejected", "discarded"] {
        let count = app.admin.get(&format!("/api/2/held/?state={state}")).await.good()["count"].clone();
        if count != 0 {
            counts.push(format!("{count} {state}"));
        }
    }
    counts.push(format!("{} published", app.admin.get("/api/2/messages/").await.good()["count"]));
    counts.join(", ")
}

async fn decide(app: &TestApp, action: &str) {
    let held = app.admin.get("/api/2/held/").await.good();
    let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
    app.admin.put(&path, &[("action", action)]).await.good();
    app.settle().await;
}

#[tokio::test]
async fn a_message_that_waits_is_held_once_and_everybody_is_told_once() {
    let app = start().await;
    for wait in [Duration::ZERO, DAY, 20 * DAY] {
        app.advance(wait).await;
        send(&app, &["news"], MAIL).await;
        assert_eq!(counts(&app).await, "1 held, 0 published");
        assert_eq!(app.sink.to_members(), ["ada@example.org", "eve@example.net"]);
    }
    decide(&app, "approve").await;
    send(&app, &["news"], MAIL).await;
    assert_eq!(counts(&app).await, "1 approved, 1 published");
}

#[tokio::test]
async fn a_published_message_is_remembered_for_a_week() {
    let app = start().await;
    send(&app, &["news"], MAIL).await;
    app.sink.clear();
    decide(&app, "approve").await;
    send(&app, &["news"], MAIL).await;
    app.advance(Duration::from_mins(7 * 24 * 60 - 1)).await;
    send(&app, &["news"], MAIL).await;
    assert_eq!((counts(&app).await.as_str(), app.sink.copies()), ("1 approved, 1 published", 2));
    app.advance(Duration::from_mins(1)).await;
    send(&app, &["news"], MAIL).await;
    assert_eq!(counts(&app).await, "1 held, 1 approved, 1 published");
}

#[tokio::test]
async fn what_was_rejected_or_discarded_may_be_sent_again() {
    for action in ["reject", "discard"] {
        let app = start().await;
        send(&app, &["news"], MAIL).await;
        decide(&app, action).await;
        // Its author has mended it, or not.
        for mail in [MAIL, &MAIL.replace("Buy this.", "Buy that.")] {
            send(&app, &["news"], mail).await;
            let counted = counts(&app).await;
            assert!(counted.starts_with("1 held, "), "{action}: {counted}");
            send(&app, &["news"], mail).await;
            assert_eq!(counts(&app).await, counted, "{action}: while it waits, it is known");
            decide(&app, action).await;
        }
    }
}

#[tokio::test]
async fn another_text_with_the_same_message_id_is_held_and_not_dropped() {
    let app = TestApp::start().await;
    let list = app.list("news").open().member("eve@example.net").create().await;
    send(&app, &["news"], MAIL).await;
    assert_eq!(counts(&app).await, "1 published");
    // Servers on the way fold lines and add fields.
    send(&app, &["news"], &format!("Received: x\n{}", MAIL.replace("Buy this.", "Buy\nthis. "))).await;
    assert_eq!(counts(&app).await, "1 published");
    let other = MAIL.replace("Buy this.", "A scan of page 2.");
    let message = json!({"message": other, "from": "eve@example.net"});
    let simulation = app.admin.post_json("/api/2/lists/news/simulate/", &message).await.good();
    assert_eq!(simulation["verdict"], "hold", "{simulation}");
    assert_eq!(simulation["reason"], "another message with the same Message-ID came before it");
    for _ in 0..2 {
        send(&app, &["news"], &other).await;
        assert_eq!(counts(&app).await, "1 held, 1 published");
    }
    decide(&app, "approve").await;
    for mail in [MAIL, &other] {
        send(&app, &["news"], mail).await;
    }
    assert_eq!(counts(&app).await, "1 approved, 2 published", "{}", list.address);
}

#[tokio::test]
async fn administrators_see_what_a_list_discarded() {
    let app = start().await;
    app.change_list("news", |list| list.message_rejections = MessageRejections::Discard).await;
    for number in 0..60 {
        send(&app, &["news"], &MAIL.replace("<1@", &format!("<{number}@"))).await;
    }
    assert_eq!(counts(&app).await, "0 published");
    let log = app.admin.get("/api/2/audit/?limit=100").await.good();
    let entries = log["data"].as_array().unwrap().iter();
    let entries: Vec<_> = entries.filter(|entry| entry["action"] == "message.discarded").collect();
    assert_eq!(entries.len(), 50, "the first of a day: {log:#}");
    assert_eq!(entries[0]["object"]["name"], "Offer", "{:#}", entries[0]);
    assert_eq!(entries[0]["detail"], "news: the sender may not post to this list", "{:#}", entries[0]);
}

#[tokio::test]
async fn every_list_holds_a_message_for_itself() {
    let app = start().await;
    for name in ["other", "third"] {
        app.list(name).create().await;
    }
    send(&app, &["news", "other"], MAIL).await;
    assert_eq!(counts(&app).await, "2 held, 0 published");
    send(&app, &["news", "other"], MAIL).await;
    assert_eq!(counts(&app).await, "2 held, 0 published");
    send(&app, &["other", "third"], MAIL).await;
    assert_eq!(counts(&app).await, "3 held, 0 published");
}

#[tokio::test]
async fn a_forged_message_with_the_same_message_id_does_not_block_the_real_one() {
    let app = TestApp::builder().dns(&zone()).start().await;
    app.list("news").member("ada@careful.test").create().await;
    let post = "From: ada@careful.test\nTo: news@lists.example.org\nSubject: tea\nMessage-ID: <1@careful.test>\n\nhi\n";
    send(&app, &["news"], &post.replace("ada@careful.test\n", "eve@example.net\n")).await;
    send(&app, &["news"], post).await;
    assert_eq!(counts(&app).await, "2 held, 0 published");
    send(&app, &["news"], post).await;
    assert_eq!(counts(&app).await, "2 held, 0 published");
    send(&app, &["news"], &signed("careful.test", post)).await;
    assert_eq!(counts(&app).await, "2 held, 1 published");
}

/// A server with an alias `press`, a list whose moderators are Ada and the boss, and the boss as its administrator.
async fn start_with_addresses() -> TestApp {
    let app = start().await;
    for alias in ["press", "media"] {
        let fields = [("source", alias), ("destination", "desk@example.org")];
        app.admin.post("/api/2/aliases/", &fields).await.good();
    }
    let boss = [("username", "boss@example.org"), ("permissions", "account_admin"), ("welcome_email", "0")];
    app.admin.post("/api/2/admins/", &boss).await.good();
    app
}

#[tokio::test]
async fn forwarded_mail_is_forwarded_once() {
    let app = start_with_addresses().await;
    for (address, other_name, to) in [
        ("press", "PRESS", &["desk@example.org"][..]),
        ("news-owner", "news-manager", &["ada@example.org", "boss@example.org"]),
        ("postmaster", "abuse", &["boss@example.org"]),
    ] {
        app.sink.clear();
        for again in [address, address, other_name] {
            send(&app, &[again], MAIL).await;
            assert_eq!(app.sink.to_members(), to, "{again}");
        }
        app.sink.clear();
        app.advance(Duration::from_mins(7 * 24 * 60 - 1)).await;
        send(&app, &[address], MAIL).await;
        assert_eq!(app.sink.copies(), 0, "{address}");
        app.advance(Duration::from_mins(1)).await;
        send(&app, &[address], MAIL).await;
        assert_eq!(app.sink.to_members(), to, "{address}");
    }
    app.advance(7 * DAY).await;
    assert!(!app.dump("seen_mail").contains("Known"), "{}", app.dump("seen_mail"));
}

#[tokio::test]
async fn each_address_handles_a_message_separately() {
    let app = start_with_addresses().await;
    for _ in 0..2 {
        send(&app, &["news", "news-owner", "press", "media", "postmaster"], MAIL).await;
        assert_eq!(counts(&app).await, "1 held, 0 published");
        // What Eve is told, what Ada is asked, and what was passed on to each.
        let ada = ["ada@example.org"; 2];
        let mut expected =
            [&ada[..], &["boss@example.org"; 2], &["desk@example.org"; 2], &["eve@example.net"]].concat();
        expected.sort_unstable();
        assert_eq!(app.sink.to_members(), expected);
    }
}

#[tokio::test]
async fn mail_of_programs_that_give_all_of_it_one_message_id_is_passed_on() {
    let app = start_with_addresses().await;
    let monday = format!("Date: Mon, 16 Nov 2026 06:00:00 +0000\n{MAIL}");
    let others = [
        monday.replace("16 Nov", "17 Nov").replace("Mon", "Tue"),
        monday.replace("Offer", "Demand"),
        monday.replace("eve@", "bo@"),
    ];
    for (number, mail) in std::iter::once(&monday).chain(&others).enumerate() {
        for _ in 0..2 {
            send(&app, &["press"], mail).await;
        }
        assert_eq!(app.sink.copies(), number + 1);
    }
    let nameless = MAIL.replace("Message-ID: <1@example.net>\n", "");
    for _ in 0..2 {
        send(&app, &["press"], &nameless).await;
    }
    assert_eq!(app.sink.copies(), 6, "nothing says that these are one");
}

#[tokio::test]
async fn a_sender_is_told_once_that_a_message_is_rejected_and_may_send_it_when_it_is_not() {
    let app = start().await;
    app.admin.put("/api/2/lists/news/", &[("message_rejections", "reject")]).await.good();
    for _ in 0..2 {
        send(&app, &["news"], MAIL).await;
    }
    assert_eq!(app.sink.to_members(), ["eve@example.net"]);
    app.sink.clear();
    app.join("eve@example.net", "news").await;
    send(&app, &["news"], MAIL).await;
    assert_eq!(app.sink.copies(), 3);
    assert_eq!(counts(&app).await, "1 published");
}

#[tokio::test]
async fn a_message_that_came_again_is_told_from_a_new_one_by_the_simulator_too() {
    let app = start().await;
    send(&app, &["news"], MAIL).await;
    let message = json!({"message": MAIL, "from": "eve@example.net"});
    let simulation = app.admin.post_json("/api/2/lists/news/simulate/", &message).await.good();
    assert_eq!(simulation["verdict"], "discard", "{simulation}");
    assert_eq!(simulation["reason"], "this list has had this message already");
}

#[tokio::test]
async fn a_file_of_a_version_without_the_index_gets_it_at_the_next_start() {
    let mut app = start().await;
    send(&app, &["news"], MAIL).await;
    app.restart_after(forget_the_index).await;
    assert!(app.dump("held").contains(INDEX), "{}", app.dump("held"));
    send(&app, &["news"], MAIL).await;
    assert_eq!(counts(&app).await, "1 held, 0 published");
}

/// Leaves a file as a version wrote it that did not have the index.
fn forget_the_index(file: &Path) {
    const META: redb::TableDefinition<'_, &[u8], &[u8]> = redb::TableDefinition::new("meta");
    let db = redb::Database::open(file).unwrap();
    let tx = db.begin_write().unwrap();
    {
        let prefix = crier::store::row_prefix(INDEX);
        let rows: redb::TableDefinition<'_, &[u8], &[u8]> = redb::TableDefinition::new("rows");
        let (mut rows, mut forgotten) = (tx.open_table(rows).unwrap(), 0);
        rows.retain(|key, _| {
            forgotten += usize::from(key.starts_with(&prefix));
            !key.starts_with(&prefix)
        })
        .unwrap();
        assert_ne!(forgotten, 0, "there is an index to be forgotten");
        let mut meta = tx.open_table(META).unwrap();
        let of_rows = meta.get(b"indexes".as_slice()).unwrap().unwrap().value().to_vec();
        let before = String::from_utf8(of_rows).unwrap();
        let older: Vec<&str> = before.split('\n').filter(|line| !line.contains(INDEX)).collect();
        assert_ne!(before, older.join("\n"), "the file says which indexes it has");
        meta.insert(b"indexes".as_slice(), older.join("\n").as_bytes()).unwrap();
    }
    tx.commit().unwrap();
}
