//! Members leave by the link of a copy, and undo it.

use std::time::Duration;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::sink::Mail;

const ADA: &str = "ada@example.org";

/// Makes the list `news` with ada, who gets digests; the path of the link for leaving in a copy of a post.
async fn ada_in_news(app: &TestApp) -> String {
    let list = app.list("news").open().create().await;
    let fields = json!({"emails": [ADA], "lists": [{"list": "news", "digest": 1}]});
    app.admin.post_json("/api/2/contacts/", &fields).await.good();
    assert_eq!(app.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    link_of(&app.sink.mail_to(ADA))
}

fn link_of(copy: &Mail) -> String {
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    let start = field.find("<https://lists.example.org/").expect("one of the ways is a link");
    let link = field[start + 1..].split('>').next().expect("a link has an end");
    link.strip_prefix("https://lists.example.org").expect("it was found by this").to_owned()
}

async fn leave(app: &TestApp, path: &str) -> Response {
    app.anon.post(path, &[("List-Unsubscribe", "One-Click")]).await
}

async fn undo(app: &TestApp, path: &str) -> Response {
    app.anon.post(path, &[("action", "rejoin")]).await
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The only membership there is; `null` if there is none.
async fn membership(app: &TestApp) -> serde_json::Value {
    app.admin.get("/api/2/membership/").await.good()["data"][0].clone()
}

/// The evidence of the join of the only membership there is.
fn joined(app: &TestApp) -> String {
    let dump = app.dump("membership");
    let start = dump.find("joined:").expect("there is a membership");
    dump[start..].lines().next().unwrap_or_default().to_owned()
}

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn a_leave_is_undone_by_the_link_that_left_and_restores_the_membership() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let before = joined(&app);
    page(&leave(&app, &path).await, 200, "You can undo it for seven days");
    assert_eq!(membership(&app).await, json!(null));
    app.advance(6 * DAY).await;
    page(&app.anon.get(&path).await, 200, "Undo");
    assert_eq!(membership(&app).await, json!(null), "looking changes nothing");
    page(&undo(&app, &path).await, 200, "You are a member of news");
    assert_eq!(membership(&app).await["digest"], 1);
    assert_eq!(joined(&app), before, "the evidence of the join is kept");
    page(&undo(&app, &path).await, 200, "You are a member of news");
    assert_eq!(app.dump("departure").matches("Departure {").count(), 0);
}

#[tokio::test]
async fn a_leave_by_mail_is_undone_by_the_link_of_the_same_copy() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let token = path.trim_matches('/').rsplit('/').next().unwrap();
    let reply = app.send_mail(ADA, &format!("confirm+{token}@lists.example.org"), "\n").await;
    assert_eq!(reply.code, 250, "{reply}");
    assert_eq!(membership(&app).await, json!(null));
    page(&app.anon.get(&path).await, 200, "Undo");
    page(&undo(&app, &path).await, 200, "You are a member of news");
}

#[tokio::test]
async fn a_leave_is_final_after_seven_days() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    leave(&app, &path).await;
    app.advance(7 * DAY).await;
    page(&app.anon.get(&path).await, 200, "You are not a member of news");
    page(&undo(&app, &path).await, 410, "You are not a member of news");
    assert_eq!(membership(&app).await, json!(null));
    assert_eq!(app.dump("departure").matches("Departure {").count(), 0, "it is forgotten");
}

#[tokio::test]
async fn a_member_whom_an_administrator_removed_does_not_come_back_by_the_link() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let remove = async || {
        let id = membership(&app).await["id"].to_string();
        app.admin.delete(&format!("/api/2/membership/{id}/")).await.good();
        page(&app.anon.get(&path).await, 200, "You are not a member of news");
        page(&undo(&app, &path).await, 410, "You are not a member of news");
        assert_eq!(membership(&app).await, json!(null));
    };
    remove().await;
    app.join(ADA, "news").await;
    leave(&app, &path).await;
    app.join(ADA, "news").await;
    // The leave was another membership's.
    remove().await;
    page(&leave(&app, &path).await, 200, "You have left news");
    page(&undo(&app, &path).await, 410, "You are not a member of news");
}

#[tokio::test]
async fn a_leave_from_a_closed_list_is_final() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    app.admin.put("/api/2/lists/news/", &[("subscriptions", "closed")]).await.good();
    let goodbye = leave(&app, &path).await;
    page(&goodbye, 200, "You have left news");
    assert!(!goodbye.body.contains("Undo"), "{}", goodbye.body);
    page(&undo(&app, &path).await, 410, "You are not a member of news");
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put("/api/2/lists/news/", &[("subscriptions", "")]).await.good();
    app.admin.put(&account, &[("subscriptions", "closed")]).await.good();
    page(&undo(&app, &path).await, 410, "You are not a member of news");
    app.admin.put("/api/2/lists/news/", &[("subscriptions", "open")]).await.good();
    page(&undo(&app, &path).await, 200, "You are a member of news");
}

#[tokio::test]
async fn the_record_of_a_leave_is_deleted_with_the_contact() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    leave(&app, &path).await;
    assert_eq!(app.dump("departure").matches("Departure {").count(), 1);
    let contact = app.email(ADA).await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    assert_eq!(app.dump("departure").matches("Departure {").count(), 0);
    assert_eq!(undo(&app, &path).await.status, 404);
}
