//! `/emails/`

use serde_json::{Value, json};

use super::{each, wrong_fields};
use crate::harness::TestApp;

const EMAILS: &str = "/api/2/emails/";

async fn contact(app: &TestApp, address: &str) -> Value {
    app.admin.post("/api/2/contacts/", &[("emails", address)]).await.good()
}

fn path_of(email: &Value) -> String {
    format!("{EMAILS}{}/", email["id"])
}

#[tokio::test]
async fn an_address_is_found_by_its_id_or_by_itself_in_any_case() {
    let app = TestApp::start().await;
    let email = contact(&app, "ada+x@x.org").await["emails"][0].clone();
    for path in [path_of(&email), format!("{EMAILS}ada+x@x.org/"), format!("{EMAILS}ADA%2Bx%40X.org/")] {
        assert_eq!(app.admin.get(&path).await.good(), email, "{path}");
    }
    app.admin.get("/api/2/emails/999/").await.error(404, "email");
    app.admin.get("/api/2/emails/nonsense/").await.error(404, "email");
    app.admin.get("/api/2/emails/b%40x.org/").await.error(404, "email");
}

#[tokio::test]
async fn an_address_is_added_to_a_contact() {
    let app = TestApp::start().await;
    let contact = contact(&app, "a@x.org").await;
    let body =
        json!({"contact": contact["id"], "email": "b@x.org", "digest": true, "paused": "no", "ceid": "9"});
    let email = app.admin.post_json(EMAILS, &body).await.good();
    let expected = json!({
        "id": email["id"], "contact": contact["id"], "email": "b@x.org", "digest": true, "paused": false,
        "confirmed": false, "ceid": "9",
    });
    assert_eq!(email, expected);
    let contact = app.admin.get(&format!("/api/2/contacts/{}/", contact["id"])).await.good();
    assert_eq!(each(&contact["emails"], "email"), ["a@x.org", "b@x.org"]);
}

#[tokio::test]
async fn an_address_needs_itself_and_a_contact() {
    let app = TestApp::start().await;
    assert_eq!(wrong_fields(&app.admin.post(EMAILS, &[]).await), ["contact", "email"]);
    let response = app.admin.post(EMAILS, &[("contact", "999"), ("email", "Ada <a@x.org>")]).await;
    assert_eq!(wrong_fields(&response), ["contact", "email"]);
}

#[tokio::test]
async fn an_address_that_is_taken_is_a_conflict() {
    let app = TestApp::start().await;
    let (first, second) = (contact(&app, "a@x.org").await, contact(&app, "b@x.org").await);
    let id = first["id"].to_string();
    app.admin.post(EMAILS, &[("contact", &id), ("email", "B@x.org")]).await.error(409, "email");
    app.admin.put(&path_of(&second["emails"][0]), &[("email", "a@x.org")]).await.error(409, "email");
}

#[tokio::test]
async fn an_address_is_renamed_and_keeps_its_flags() {
    let app = TestApp::start().await;
    let email = contact(&app, "a@x.org").await["emails"][0].clone();
    app.admin.put(&path_of(&email), &[("digest", "1")]).await.good();
    let renamed = app.admin.put(&path_of(&email), &[("email", "new@x.org")]).await.good();
    assert_eq!((&renamed["id"], &renamed["digest"]), (&email["id"], &json!(true)));
    assert_eq!(renamed["email"], "new@x.org");
    app.admin.get("/api/2/emails/a%40x.org/").await.error(404, "");
}

#[tokio::test]
async fn whether_an_address_is_confirmed_cannot_be_set() {
    let app = TestApp::start().await;
    let email = contact(&app, "a@x.org").await["emails"][0].clone();
    let response = app.admin.put(&path_of(&email), &[("confirmed", "1"), ("id", "7")]).await;
    assert_eq!(response.good(), email);
    assert_eq!(response.header("x-ignored-parameters"), None);
}

#[tokio::test]
async fn the_contact_of_an_address_cannot_be_changed() {
    let app = TestApp::start().await;
    let (first, second) = (contact(&app, "a@x.org").await, contact(&app, "b@x.org").await);
    let path = path_of(&first["emails"][0]);
    let response = app.admin.put(&path, &[("contact", &second["id"].to_string())]).await;
    assert_eq!(wrong_fields(&response), ["contact"]);
    app.admin.put(&path, &[("contact", &first["id"].to_string())]).await.good();
}

#[tokio::test]
async fn deleting_the_last_address_deletes_the_contact() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let body = json!({"emails": ["a@x.org", "b@x.org"], "lists": ["news"]});
    let contact = app.admin.post_json("/api/2/contacts/", &body).await.good();
    let path = format!("/api/2/contacts/{}/", contact["id"]);
    assert_eq!(app.admin.delete(&path_of(&contact["emails"][0])).await.good(), json!({"success": true}));
    assert_eq!(each(&app.admin.get(&path).await.good()["emails"], "email"), ["b@x.org"]);
    app.admin.delete(&path_of(&contact["emails"][1])).await.good();
    app.admin.get(&path).await.error(404, "contact");
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["count"], 0);
}
