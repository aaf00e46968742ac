//! `crier status` says how the server is, at a glance.

use std::time::Duration;

use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::program;

fn status(app: &TestApp) -> Value {
    serde_json::from_str(&program::run(&["status", "--json"], app.folder())).unwrap()
}

#[tokio::test]
async fn the_status_says_what_is_there_what_waits_and_what_was_sent() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member3@example.org", 50);
    let first = status(&app);
    assert_eq!((&first["sent_last_day"], &first["waiting"]), (&0.into(), &0.into()), "{first}");
    app.send_mail("member1@example.org", &list.address, "From: member1@example.org\nSubject: hi\n\nhi").await;
    app.send_mail("eve@example.net", &list.address, "From: eve@example.net\nSubject: held\n\nhi").await;
    app.settle().await;
    let status_now = status(&app);
    let counts = ["accounts", "lists", "contacts", "memberships", "held_messages", "waiting"];
    assert_eq!(counts.map(|field| status_now[field].as_u64().unwrap()), [1, 1, 3, 3, 1, 1], "{status_now}");
    assert!(2 <= status_now["sent_last_day"].as_u64().unwrap(), "{status_now}");
    assert!(status_now["waiting_since"].is_string(), "{status_now}");
    let told = program::run(&["status"], app.folder());
    for words in [
        "mx.example.org runs since 20",
        "Listens:  http on 127.0.0.1:",
        "Holds:    1 account, 1 list, 3 people, 3 memberships",
        "Waits:    1 copy, the oldest since 20",
        "1 for relay",
        "Approval: 1 message waits, 0 requests wait",
        "Faults:   none that it sees itself",
        "Next:     crier held list shows the messages that wait for approval",
    ] {
        assert!(told.contains(words), "{words:?} in {told}");
    }

    app.advance(Duration::from_hours(26)).await;
    let sent = status(&app)["sent_last_day"].as_u64().unwrap();
    assert!(sent < status_now["sent_last_day"].as_u64().unwrap(), "what was sent two days ago is forgotten");

    let folder = app.folder().to_owned();
    app.halt().await;
    let told = program::run(&["status"], &folder);
    assert!(told.starts_with("The server is stopped"), "{told}");
    assert!(told.contains("Holds:    1 account, 1 list") && told.contains("starts the server"), "{told}");
    assert!(!told.contains("Sent:"), "{told}");
}
