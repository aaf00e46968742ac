//! Messages that the server fails to process are quarantined, and all others are delivered.

use std::time::Duration;

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::program;

const POST: &str = "Subject: poison\nMessage-ID: <1@example.org>\n\nhi\n";
/// No message: the parser refuses NUL octets.
const DAMAGED: &[u8] = b"Subject: poison\r\n\r\nhi \0\r\n";
const HEALED: &[u8] = b"From: member1@example.org\r\nSubject: poison\r\n\r\nhealed\r\n";

/// A server whose list `news` has two members; the bytes of a post were damaged before any copy was made of it.
async fn start_with_poison() -> (TestApp, TestList, u64) {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    let fields = [
        ("username", "ada@example.org"),
        ("permissions", "approve_messages"),
        ("notifications", "delivery_problem"),
        ("welcome_email", "0"),
    ];
    app.admin.post("/api/2/admins/", &fields).await.good();
    app.sink.refuse_connections(1);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    let messages = app.admin.get("/api/2/messages/").await.good();
    let message = messages["data"][0]["id"].as_u64().expect("it was published");
    app.replace_bytes(message, DAMAGED).await;
    // What was prepared of it is forgotten.
    app.restart().await;
    (app, list, message)
}

/// Three attempts of the retry schedule.
async fn let_it_fail(app: &TestApp) {
    for minutes in [5, 15, 30] {
        app.advance(Duration::from_mins(minutes)).await;
    }
}

/// The states of a message's deliveries.
async fn states(app: &TestApp, message: u64) -> Vec<String> {
    let deliveries = app.admin.get(&format!("/api/2/messages/{message}/deliveries/")).await.good();
    let rows = deliveries["data"].as_array().expect("a listing has data").iter();
    rows.map(|row| row["state"].as_str().expect("a delivery has a state").to_owned()).collect()
}

#[tokio::test]
async fn a_message_whose_copies_cannot_be_made_is_quarantined_and_others_are_delivered() {
    let (app, list, message) = start_with_poison().await;
    app.advance(Duration::from_mins(5)).await;
    app.advance(Duration::from_mins(15)).await;
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 0, "two tries are not three");
    app.advance(Duration::from_mins(30)).await;

    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!((&held["count"], &held["data"][0]["subject"]), (&1.into(), &"poison".into()));
    let reason = held["data"][0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("failed 3 times to send it") && reason.contains("NUL"), "{reason}");
    let told = app.sink.mail_to("ada@example.org");
    assert!(told.text().contains("was put aside") && told.text().contains("/moderate/"), "{told}");
    assert_eq!(states(&app, message).await, ["deferred", "deferred"]);

    app.sink.clear();
    let other = "Subject: sound\nMessage-ID: <2@example.org>\n\nhi\n";
    app.send_mail("member1@example.org", &list.address, other).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
    app.sink.clear();
    app.advance(Duration::from_hours(48)).await;
    assert_eq!(app.sink.copies(), 0, "what was put aside is not tried again by itself");
}

#[tokio::test]
async fn quarantined_mail_stays_in_the_queue_for_its_moderators() {
    let (app, ..) = start_with_poison().await;
    let_it_fail(&app).await;
    let listed = program::run(&["queue", "list"], app.folder());
    assert!(listed.contains("quarantined"), "{listed}");
    for change in ["retry", "hold"] {
        let told = program::run(&["queue", change, "--all"], app.folder());
        assert!(told.contains("its held message is to be decided"), "{told}");
    }
}

#[tokio::test]
async fn quarantined_mail_continues_where_it_stopped_once_it_is_approved() {
    let (app, _, message) = start_with_poison().await;
    let_it_fail(&app).await;
    let held = app.admin.get("/api/2/held/").await.good();
    let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
    app.sink.clear();
    app.replace_bytes(message, HEALED).await;
    app.admin.put(&path, &[("action", "approve")]).await.good();
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
    assert!(app.sink.mail_to("member2@example.org").text().contains("healed"));
    assert_eq!(states(&app, message).await, ["delivered", "delivered"]);
    assert_eq!(app.admin.get("/api/2/messages/").await.good()["count"], 1, "it is published once");
}

#[tokio::test]
async fn quarantined_mail_ends_when_it_is_discarded_or_expires() {
    for action in [Some("discard"), Some("reject"), None] {
        let (app, _, message) = start_with_poison().await;
        let_it_fail(&app).await;
        app.sink.clear();
        match action {
            Some(action) => {
                let held = app.admin.get("/api/2/held/").await.good();
                let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
                app.admin.put(&path, &[("action", action)]).await.good();
            }
            None => app.advance(Duration::from_hours(30 * 24)).await,
        }
        assert_eq!(states(&app, message).await, ["failed", "failed"]);
        assert_eq!(
            (app.sink.copies(), app.admin.get("/api/2/held/").await.good()["count"].clone()),
            (0, 0.into())
        );
    }
}

#[tokio::test]
async fn a_message_whose_decision_fails_is_accepted_and_held_once() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.mark_main_domain(false).await;
    // Twice: its sender need not have heard that it was taken.
    for _ in 0..2 {
        let reply = app.send_mail("member1@example.org", &list.address, POST).await;
        assert_eq!(reply.code, 250, "{reply}");
    }
    app.mark_main_domain(true).await;
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!(held["count"], 1);
    let reason = held["data"][0]["reason"].as_str().expect("it is held").to_owned();
    assert!(
        reason.contains("failed 3 times to decide about it") && reason.contains("no main domain"),
        "{reason}"
    );
    let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
    app.admin.put(&path, &[("action", "approve")]).await.good();
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
}

#[tokio::test]
async fn upkeep_that_fails_for_one_kind_of_work_holds_up_no_other() {
    let app = TestApp::start().await;
    app.list("news").with("send_reject_message", "1").with("send_hold_message", "1").create().await;
    app.send_mail("eve@example.net", "news@lists.example.org", POST).await;
    app.settle().await;
    assert!(app.dump("system_mail").contains("Hold"), "{}", app.dump("system_mail"));
    app.mark_main_domain(false).await;
    app.advance(Duration::from_hours(30 * 24)).await;
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 1, "its sender cannot be told yet");
    assert!(!app.dump("system_mail").contains("Hold"), "{}", app.dump("system_mail"));
    app.mark_main_domain(true).await;
    app.advance(Duration::from_mins(1)).await;
    assert_eq!(app.admin.get("/api/2/held/?state=discarded").await.good()["count"], 1);
}
