//! `/held/`

use std::time::Duration;

use crier::model::Permission;
use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;

const HELD: &str = "/api/2/held/";
const MAIL: &str = "From: Eve <eve@example.net>\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy this.\n";

/// A server whose list `news` has two members and holds a message of a stranger; the path of that message.
async fn start_with_held() -> (TestApp, String) {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    let path = hold(&app, MAIL).await;
    (app, path)
}

/// Sends a message that is held; its path.
async fn hold(app: &TestApp, message: &str) -> String {
    let reply = app.send_mail("eve@example.net", "news@lists.example.org", message).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
    let waiting = app.admin.get(HELD).await.good();
    format!("{HELD}{}/", column(&waiting, "id").pop().expect("it is held"))
}

/// The subjects of what stands in a state.
async fn subjects(app: &TestApp, state: &str) -> Vec<Value> {
    column(&app.admin.get(&format!("{HELD}?state={state}")).await.good(), "subject")
}

#[tokio::test]
async fn a_held_message_shows_what_a_moderator_needs() {
    let (app, path) = start_with_held().await;
    let held = app.admin.get(&path).await.good();
    let expected = json!({
        "id": held["id"], "list": "news", "from": "eve@example.net", "subject": "Offer",
        "received": "2026-11-20T12:00:00Z", "size": held["size"],
        "reason": "the sender may not post to this list", "content_plain": "Buy this.\n", "state": "held",
    });
    assert_eq!(held, expected);
    assert!(held["size"].as_u64().is_some_and(|size| MAIL.len() as u64 <= size), "{held}");
    let listing = app.admin.get(HELD).await.good();
    assert_eq!((&listing["data"], &listing["count"]), (&json!([held]), &json!(1)));
}

#[tokio::test]
async fn a_long_text_shows_its_beginning_and_html_its_text() {
    let (app, _) = start_with_held().await;
    let long = format!("From: eve@example.net\nSubject: long\n\n{}\n", "word word\n".repeat(1000));
    let path = hold(&app, &long).await;
    let held = app.admin.get(&path).await.good();
    assert_eq!(held["content_plain"].as_str().map(|text| text.chars().count()), Some(2000));
    let html = "From: eve@example.net\nSubject: html\nContent-Type: text/html\n\n<p>Buy <b>this</b></p>\n";
    let path = hold(&app, html).await;
    let held = app.admin.get(&path).await.good();
    assert!(held["content_plain"].as_str().unwrap().contains("Buy this"), "{held}");
}

#[tokio::test]
async fn an_approved_message_reaches_every_member() {
    let (app, path) = start_with_held().await;
    assert_eq!(app.sink.to_members(), [""; 0]);
    let held = app.admin.put(&path, &[("action", "approve")]).await.good();
    assert_eq!(held["state"], "approved");
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
    assert!(app.sink.mail_to("member1@example.org").text().contains("Buy this."));
    let messages = app.admin.get("/api/2/messages/").await.good();
    assert_eq!(column(&messages, "from_address"), ["eve@example.net"]);
    assert_eq!(column(&messages, "message_id"), ["1@example.net"]);
    assert_eq!(subjects(&app, "held").await, [json!(null); 0]);
    assert_eq!(subjects(&app, "approved").await, ["Offer"]);
}

#[tokio::test]
async fn an_approved_reply_joins_its_thread() {
    let (app, _) = start_with_held().await;
    let fields = [("list", "news"), ("content_plain", "first")];
    let first = app.admin.post("/api/2/messages/", &fields).await.good();
    let parent = first["message_id"].as_str().unwrap();
    let reply = format!("From: eve@example.net\nSubject: Re\nIn-Reply-To: <{parent}>\n\nme too\n");
    let path = hold(&app, &reply).await;
    app.admin.put(&path, &[("action", "approve")]).await.good();
    app.settle().await;
    let thread = app.admin.get(&format!("/api/2/messages/?thread={}", first["id"])).await.good();
    assert_eq!(column(&thread, "parent"), [first["id"].clone(), json!(null)]);
}

#[tokio::test]
async fn what_is_rejected_or_discarded_reaches_nobody() {
    let (app, rejected) = start_with_held().await;
    let fields = [("action", "reject"), ("reason", "No advertisements, please")];
    assert_eq!(app.admin.put(&rejected, &fields).await.good()["state"], "rejected");
    let discarded = hold(&app, "From: eve@example.net\nSubject: Again\n\nBuy!\n").await;
    assert_eq!(app.admin.put(&discarded, &[("action", "discard")]).await.good()["state"], "discarded");
    app.settle().await;
    assert_eq!(app.sink.to_members(), [""; 0]);
    assert_eq!(subjects(&app, "rejected").await, ["Offer"]);
    assert_eq!(subjects(&app, "discarded").await, ["Again"]);
    assert_eq!(app.admin.get(HELD).await.good()["count"], 0);
}

#[tokio::test]
async fn of_two_moderators_the_first_wins_and_the_message_is_sent_once() {
    let (app, path) = start_with_held().await;
    let (approve, other) = ([("action", "approve")], [("action", "approve")]);
    let (first, second) = tokio::join!(app.admin.put(&path, &approve), app.admin.put(&path, &other));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    app.admin.put(&path, &[("action", "discard")]).await.error(409, "approved already");
    app.settle().await;
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn a_decision_needs_the_permission_the_message_and_an_action() {
    let (app, path) = start_with_held().await;
    let moderator = app.key_with([Permission::ApproveMessages]).await;
    let other = app.key_with([Permission::ManageSettings, Permission::SendMessages]).await;
    for client in [&moderator, &app.admin] {
        client.get(&path).await.good();
    }
    other.get(HELD).await.error(403, "approve_messages");
    other.get(&path).await.error(403, "approve_messages");
    other.put(&path, &[("action", "approve")]).await.error(403, "approve_messages");
    assert_eq!(wrong_fields(&moderator.put(&path, &[]).await), ["action"]);
    let long = "x".repeat(1001);
    let response = moderator.put(&path, &[("action", "publish"), ("reason", &long)]).await;
    assert_eq!(wrong_fields(&response), ["action", "reason"]);
    for id in ["999", "0", "x"] {
        moderator.put(&format!("{HELD}{id}/"), &[]).await.error(404, "held message");
    }
    assert_eq!(wrong_fields(&moderator.get(&format!("{HELD}?state=lost")).await), ["state"]);
    moderator.put(&path, &[("action", "reject")]).await.good();
}

#[tokio::test]
async fn what_nobody_decides_is_discarded_and_what_was_decided_is_forgotten_in_time() {
    let (app, path) = start_with_held().await;
    let days = |days: u64| Duration::from_hours(24 * days);
    app.advance(days(29)).await;
    let later = hold(&app, "From: eve@example.net\nSubject: Later\n\nBuy!\n").await;
    assert_eq!(subjects(&app, "held").await, ["Offer", "Later"]);
    app.advance(days(1)).await;
    assert_eq!(app.admin.get(&path).await.good()["state"], "discarded");
    app.admin.put(&path, &[("action", "approve")]).await.error(409, "discarded already");
    app.admin.put(&later, &[("action", "reject")]).await.good();
    app.advance(days(30)).await;
    app.admin.get(&path).await.error(404, "held message");
    app.admin.get(&later).await.error(404, "held message");
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn held_messages_go_with_their_list() {
    let (app, path) = start_with_held().await;
    app.admin.delete("/api/2/lists/news/").await.good();
    app.admin.get(&path).await.error(404, "held message");
}
