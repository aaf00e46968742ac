//! `Idempotency-Key`

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::{Client, Response};

const MESSAGES: &str = "/api/2/messages/";

async fn post(client: &Client, path: &str, key: &str, body: &Value) -> Response {
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
    client.request("POST", path, &headers, body.to_string().as_bytes()).await
}

async fn start_with_news() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    app
}

#[tokio::test]
async fn a_repeated_post_is_answered_again_and_does_nothing_again() {
    let app = start_with_news().await;
    let message = json!({"list": "news", "subject": "Hi", "content_plain": "x"});
    let first = post(&app.admin, MESSAGES, "k1", &message).await.good();
    // Copies may be on their way by now, and tell what the list changed.
    let kept = app.admin.get(&format!("{MESSAGES}{}/", first["id"])).await.good();
    assert_eq!(kept["message_id"], first["message_id"]);
    assert_eq!(post(&app.admin, MESSAGES, "k1", &message).await.good(), first);
    let form = [("Idempotency-Key", "k2")];
    let body = b"list=news&content_plain=y";
    let second = app.admin.request("POST", MESSAGES, &form, body).await.good();
    assert_eq!(app.admin.request("POST", MESSAGES, &form, body).await.good(), second);
    assert_ne!(first["id"], second["id"]);
    app.settle().await;
    assert_eq!(app.sink.copies(), 4);
}

#[tokio::test]
async fn every_kind_of_object_is_made_once() {
    let app = start_with_news().await;
    let contact = app.email("member1@example.org").await["contact"].clone();
    app.list("other").create().await;
    for (path, body) in [
        ("/api/2/contacts/", json!({"emails": ["a@x.org"]})),
        ("/api/2/emails/", json!({"email": "b@x.org", "contact": contact})),
        ("/api/2/membership/", json!({"contact": contact, "list": "other"})),
        ("/api/2/lists/", json!({"name": "third"})),
        ("/api/2/aliases/", json!({"source": "sales", "destination": ["a@x.org"]})),
        ("/api/2/admins/", json!({"api": 2, "description": "program"})),
    ] {
        let first = post(&app.admin, path, &format!("key of {path}"), &body).await.good();
        assert_eq!(post(&app.admin, path, &format!("key of {path}"), &body).await.good(), first, "{path}");
    }
}

#[tokio::test]
async fn the_same_key_for_another_request_is_a_conflict() {
    let app = start_with_news().await;
    let contact = json!({"emails": ["a@x.org"]});
    post(&app.admin, "/api/2/contacts/", "k", &contact).await.good();
    let other = json!({"emails": ["b@x.org"]});
    post(&app.admin, "/api/2/contacts/", "k", &other).await.error(409, "another request");
    post(&app.admin, "/api/2/lists/", "k", &contact).await.error(409, "another request");
    let colleague = app.key_with(crier::ops::accounts::admins::all_grants()).await;
    post(&colleague, "/api/2/contacts/", "k", &other).await.good();
}

#[tokio::test]
async fn only_successes_are_remembered() {
    let app = TestApp::start().await;
    let message = json!({"list": "news", "content_plain": "x"});
    post(&app.admin, MESSAGES, "k", &message).await.error(404, "list");
    app.list("news").create().await;
    let sent = post(&app.admin, MESSAGES, "k", &message).await.good();
    app.admin.delete("/api/2/lists/news/").await.good();
    assert_eq!(post(&app.admin, MESSAGES, "k", &message).await.good(), sent);
}

#[tokio::test]
async fn concurrent_calls_with_one_idempotency_key_make_one_object() {
    let app = TestApp::start().await;
    let list = json!({"name": "news"});
    let path = "/api/2/lists/";
    let (first, second) =
        tokio::join!(post(&app.admin, path, "k", &list), post(&app.admin, path, "k", &list));
    assert_eq!(first.good(), second.good());
    assert_eq!(app.admin.get(path).await.good()["count"], 1);
}

#[tokio::test]
async fn a_key_is_remembered_for_a_day_and_over_a_restart() {
    let mut app = TestApp::start().await;
    let alias = json!({"source": "sales", "destination": ["a@x.org"]});
    let path = "/api/2/aliases/";
    let first = post(&app.admin, path, "k", &alias).await.good();
    app.restart().await;
    app.advance(Duration::from_secs(24 * 3600 - 1)).await;
    assert_eq!(post(&app.admin, path, "k", &alias).await.good(), first);
    app.advance(Duration::from_mins(1)).await;
    post(&app.admin, path, "k", &alias).await.error(409, "taken");
    assert!(!app.dump("saved_answer").contains("sales"), "{}", app.dump("saved_answer"));
    app.admin.delete("/api/2/aliases/sales/").await.good();
    post(&app.admin, path, "k", &alias).await.good();
}

#[tokio::test]
async fn a_malformed_idempotency_key_is_refused() {
    let app = TestApp::start().await;
    let list = json!({"name": "news"});
    for key in ["", "é", &"x".repeat(256)] {
        let response = post(&app.admin, "/api/2/lists/", key, &list).await;
        assert_eq!(super::wrong_fields(&response), ["Idempotency-Key"], "{key}");
    }
    post(&app.admin, "/api/2/lists/", &"x".repeat(255), &list).await.good();
}
