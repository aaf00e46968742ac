//! `/messages/`

use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;

const MESSAGES: &str = "/api/2/messages/";

async fn start_with_news() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").with("description", "The news").members(2).create().await;
    app
}

async fn send(app: &TestApp, body: Value) -> Value {
    let message = app.admin.post_json(MESSAGES, &body).await.good();
    app.settle().await;
    message
}

#[tokio::test]
async fn a_message_is_stored_and_sent_to_every_member() {
    let app = start_with_news().await;
    let message = send(&app, json!({"list": "News", "subject": "Hello", "content_plain": "Hi.\n"})).await;
    assert_eq!(message["subject"], "Hello");
    assert_eq!(message["list"], "news");
    assert_eq!(message["from_address"], "news@lists.example.org");
    assert_eq!(message["from_phrase"], "The news");
    assert_eq!(
        (&message["time"], &message["datetime"]),
        (&json!(1_795_176_000), &json!("2026-11-20T12:00:00Z"))
    );
    assert_eq!((&message["thread_id"], &message["parent"]), (&message["id"], &json!(null)));
    assert!(message["content_plain"].as_str().unwrap().contains("Hi."));
    assert!(message["content_html"].as_str().unwrap().contains("Hi."), "HTML is made from the text");
    assert_eq!(app.admin.get(&format!("{MESSAGES}{}/", message["id"])).await.good(), message);
    assert_eq!(app.sink.to_members().len(), 2);
}

#[tokio::test]
async fn a_message_needs_a_list_that_is_there_and_a_content() {
    let app = start_with_news().await;
    assert_eq!(wrong_fields(&app.admin.post(MESSAGES, &[]).await), ["content_plain", "list"]);
    let response = app.admin.post(MESSAGES, &[("list", "news"), ("from_address", "x")]).await;
    assert_eq!(wrong_fields(&response), ["content_plain", "from_address"]);
    app.admin.post(MESSAGES, &[("list", "nothing"), ("content_plain", "x")]).await.error(404, "list");
    let response =
        app.admin.post(MESSAGES, &[("list", "news"), ("content_plain", "x"), ("parent", "9")]).await;
    assert_eq!(wrong_fields(&response), ["parent"]);
    assert_eq!(app.admin.get(MESSAGES).await.good()["count"], 0);
}

#[tokio::test]
async fn a_reply_joins_the_thread_of_its_parent() {
    let app = start_with_news().await;
    let first = send(&app, json!({"list": "news", "content_plain": "one"})).await;
    let reply =
        send(&app, json!({"list": "news", "content_html": "<p>two</p>", "parent": first["id"]})).await;
    assert_eq!((&reply["parent"], &reply["thread_id"]), (&first["id"], &first["id"]));
    assert_eq!(reply["subject"], "");
    assert!(reply["content_plain"].as_str().unwrap().contains("two"), "text is made from the HTML");
}

#[tokio::test]
async fn messages_are_listed_newest_first() {
    let app = start_with_news().await;
    app.list("other").create().await;
    let mut ids = Vec::new();
    for list in ["news", "other", "news"] {
        ids.insert(0, send(&app, json!({"list": list, "content_plain": "x"})).await["id"].clone());
    }
    let listing = app.admin.get(MESSAGES).await.good();
    assert_eq!(column(&listing, "id"), ids);
    assert_eq!((&listing["count"], &listing["page"], &listing["limit"]), (&json!(3), &json!(1), &json!(100)));
    let of_list = app.admin.get(&format!("{MESSAGES}?list=news&limit=1")).await.good();
    assert_eq!((column(&of_list, "id"), &of_list["count"]), (vec![ids[0].clone()], &json!(2)));
    let older = app.admin.get(&format!("{MESSAGES}?after={}&fields=id", ids[0])).await.good();
    assert_eq!(older["data"], json!([{"id": ids[1]}, {"id": ids[2]}]));
    app.admin.get(&format!("{MESSAGES}?list=nothing")).await.error(404, "list");
}

#[tokio::test]
async fn a_message_is_taken_out_of_the_archive() {
    let app = start_with_news().await;
    let message = send(&app, json!({"list": "news", "content_plain": "x"})).await;
    let path = format!("{MESSAGES}{}/", message["id"]);
    assert_eq!(app.admin.delete(&path).await.good(), json!({"success": true}));
    app.admin.get(&path).await.error(404, "message");
    app.admin.delete(&path).await.error(404, "message");
    assert_eq!(app.admin.get(MESSAGES).await.good()["count"], 0);
}

#[tokio::test]
async fn a_message_may_be_as_large_as_its_list_takes() {
    let app = start_with_news().await;
    let large = "A line of some length for a large message.\n".repeat(30_000);
    send(&app, json!({"list": "news", "content_plain": large})).await;
    app.admin.put("/api/2/lists/news/", &[("maxlength", "100")]).await.good();
    let response = app.admin.post(MESSAGES, &[("list", "news"), ("content_plain", &large)]).await;
    response.error(413, "larger");
}
