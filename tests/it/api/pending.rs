//! `/pending/`

use std::time::Duration;

use crier::model::Permission;
use serde_json::json;

use super::{column, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::Client;

const PENDING: &str = "/api/2/pending/";
const NEWS: [(&str, &str); 2] = [("name", "news"), ("description", "The news")];

/// A server where lists need approval, and the holder of a key that may make and approve but not administer.
async fn start() -> (TestApp, Client) {
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    let maker = app.key_with([Permission::ManageSettings, Permission::ApproveMessages]).await;
    (app, maker)
}

/// The path of the only request that waits.
async fn only_request(app: &TestApp) -> String {
    let listing = app.admin.get(PENDING).await.good();
    assert_eq!(listing["count"], 1, "{listing}");
    format!("{PENDING}{}/", listing["data"][0]["id"])
}

#[tokio::test]
async fn a_list_that_needs_approval_takes_mail_once_it_is_approved() {
    let (app, maker) = start().await;
    assert_eq!(maker.post("/api/2/lists/", &NEWS).await.good()["pending"], true);
    app.join("member1@example.org", "news").await;
    let path = only_request(&app).await;
    let request = app.admin.get(&path).await.good();
    let expected = json!({
        "id": request["id"], "kind": "list", "list": "news", "email": null, "name": "The news",
        "requested": "2026-11-20T12:00:00Z", "state": "pending",
    });
    assert_eq!(request, expected);
    let mail = "From: member1@example.org\n\nhi\n";
    let refused = app.send_mail("member1@example.org", "news@lists.example.org", mail).await;
    assert_eq!(refused.code, 550);

    assert_eq!(app.admin.put(&path, &[("action", "approve")]).await.good()["state"], "approved");
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["pending"], false);
    app.send_mail("member1@example.org", "news@lists.example.org", mail).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    app.admin.put(&path, &[("action", "reject")]).await.error(409, "approved already");
    assert_eq!(app.admin.get(PENDING).await.good()["count"], 0);
    let approved = app.admin.get(&format!("{PENDING}?state=approved")).await.good();
    assert_eq!(column(&approved, "list"), ["news"]);
}

#[tokio::test]
async fn a_list_that_is_refused_goes_with_all_it_has() {
    for (action, state) in [("reject", "rejected"), ("discard", "discarded")] {
        let (app, maker) = start().await;
        maker.post("/api/2/lists/", &NEWS).await.good();
        app.fill("news", 1500).await;
        let path = only_request(&app).await;
        app.admin.put("/api/2/lists/news/", &[("name", "tidings")]).await.good();
        let refused = app.admin.put(&path, &[("action", action), ("reason", "There is one")]).await.good();
        assert_eq!((&refused["state"], &refused["list"]), (&json!(state), &json!("tidings")));
        app.admin.get("/api/2/lists/tidings/").await.error(404, "list");
        assert_eq!(app.admin.get(&path).await.good(), refused);
        maker.post("/api/2/lists/", &NEWS).await.good();
    }
}

#[tokio::test]
async fn approving_a_list_needs_the_permission_account_admin() {
    let (app, maker) = start().await;
    maker.post("/api/2/lists/", &NEWS).await.good();
    let path = only_request(&app).await;
    maker.get(&path).await.good();
    maker.put(&path, &[("action", "approve")]).await.error(403, "account_admin");
    let other = app.key_with([Permission::ManageMembers]).await;
    other.get(PENDING).await.error(403, "approve_messages");
    other.get(&path).await.error(403, "approve_messages");
    other.put(&path, &[]).await.error(403, "approve_messages");
    assert_eq!(wrong_fields(&app.admin.put(&path, &[("action", "grant")]).await), ["action"]);
    assert_eq!(wrong_fields(&app.admin.put(&path, &[]).await), ["action"]);
    assert_eq!(wrong_fields(&app.admin.get(&format!("{PENDING}?state=held")).await), ["state"]);
    app.admin.put(&format!("{PENDING}999/"), &[]).await.error(404, "pending request");
    app.admin.get(&format!("{PENDING}x/")).await.error(404, "pending request");
}

#[tokio::test]
async fn lists_of_account_administrators_need_no_approval() {
    let (app, _) = start().await;
    assert_eq!(app.admin.post("/api/2/lists/", &NEWS).await.good()["pending"], false);
    assert_eq!(app.admin.get(PENDING).await.good()["count"], 0);
}

#[tokio::test]
async fn a_request_goes_with_a_list_that_is_deleted_and_a_decision_is_forgotten_in_time() {
    let (app, maker) = start().await;
    maker.post("/api/2/lists/", &NEWS).await.good();
    app.admin.delete("/api/2/lists/news/").await.good();
    assert_eq!(app.admin.get(PENDING).await.good()["count"], 0);
    maker.post("/api/2/lists/", &NEWS).await.good();
    let path = only_request(&app).await;
    app.advance(Duration::from_hours(24 * 40)).await;
    app.admin.put(&path, &[("action", "approve")]).await.good();
    app.advance(Duration::from_hours(24 * 29)).await;
    app.admin.get(&path).await.good();
    app.advance(Duration::from_hours(24)).await;
    app.admin.get(&path).await.error(404, "pending request");
    app.admin.get("/api/2/lists/news/").await.good();
}
