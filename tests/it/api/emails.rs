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
async fn an_address_reads_back_as_it_was_written_and_compares_with_case_folded() {
    let app = TestApp::start().await;
    let list = app.list("news").create().await;
    let fields = [("emails", "Ada@Example.ORG"), ("lists", "news")];
    let email = app.admin.post("/api/2/contacts/", &fields).await.good()["emails"][0].clone();
    assert_eq!(email["email"], "Ada@Example.ORG");
    contact_refused(&app, "ada@example.org").await;
    let found = app.admin.get("/api/2/contacts/?email=ADA%40example.org").await.good();
    assert_eq!(found["count"], 1);

    let path = path_of(&email);
    let confirmed = app.admin.put(&path, &[("email", "Ada@Example.Org")]).await.good();
    assert_eq!((&confirmed["id"], &confirmed["email"]), (&email["id"], &json!("Ada@Example.Org")));
    assert_eq!(
        app.admin.get(&path).await.good()["email"],
        "Ada@Example.Org",
        "the writing alone is a change"
    );
    let contact = format!("/api/2/contacts/{}/", email["contact"]);
    app.admin.put(&contact, &[("emails", "ada@EXAMPLE.org")]).await.good();
    let written = app.admin.get(&path).await.good();
    assert_eq!((&written["id"], &written["email"]), (&email["id"], &json!("ada@EXAMPLE.org")));

    let post = "From: ADA@example.ORG\nSubject: hello\n\nhi";
    assert_eq!(app.send_mail("ada@Example.org", &list.address.to_uppercase(), post).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["ada@EXAMPLE.org"], "its member may post, and gets a copy");
    let message = app.admin.get("/api/2/messages/?list=news").await.good()["data"][0].clone();
    assert_eq!(message["from_address"], "ADA@example.ORG");
}

#[tokio::test]
async fn every_address_of_a_list_an_alias_and_an_administrator_reads_back_as_it_was_written() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let list = "/api/2/lists/news/";
    for address in ["Ada@Example.ORG", "Ada@Example.Org"] {
        let fields = ["moderator", "reply_to", "restrict_post_allowed_emails", "restrict_post_banned_emails"];
        app.admin.put(list, &fields.map(|field| (field, address))).await.good();
        let shown = app.admin.get(list).await.good();
        assert_eq!((&shown["moderator"], &shown["reply_to"]), (&json!(address), &json!(address)));
        assert_eq!(shown["restrict_post_allowed_emails"], json!([address]));
        assert_eq!(shown["restrict_post_banned_emails"], json!([address]));
    }
    let alias = [("source", "sales"), ("destination", "Ada@Example.ORG")];
    let alias = app.admin.post("/api/2/aliases/", &alias).await.good();
    assert_eq!(alias["destination"], json!(["Ada@Example.ORG"]));
    let admin = [("username", "Bob@Example.ORG"), ("welcome_email", "false")];
    let admin = app.admin.post("/api/2/admins/", &admin).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    app.admin.put(&path, &[("username", "Bob@Example.Org"), ("welcome_email", "false")]).await.good();
    assert_eq!(app.admin.get(&path).await.good()["username"], "Bob@Example.Org");
}

/// An address that is taken whatever its case.
async fn contact_refused(app: &TestApp, address: &str) {
    app.admin.post("/api/2/contacts/", &[("emails", address)]).await.error(409, "emails");
}

#[tokio::test]
async fn a_local_part_in_quotes_is_an_address_and_needless_quotes_make_no_other() {
    let app = TestApp::start().await;
    let list = app.list("news").member("\"ann lee\"@example.org").create().await;
    let found = app.admin.get(&format!("{EMAILS}%22Ann%20Lee%22%40Example.org/")).await.good();
    assert_eq!(found["email"], "\"ann lee\"@example.org");
    contact_refused(&app, "\"ANN lee\"@example.org").await;
    let plain = contact(&app, "\"ann\"@example.org").await;
    assert_eq!(plain["emails"][0]["email"], "ann@example.org");
    contact_refused(&app, "ann@example.org").await;
    contact_refused(&app, "\"a\\nn\"@example.org").await;
    for wrong in [
        "\"ann\tlee\"@example.org",
        "\"ann@example.org",
        "ann lee@example.org",
        "\"\"@example.org",
        "\"a\"b\"@x.org",
    ] {
        let response = app.admin.post("/api/2/contacts/", &[("emails", wrong)]).await;
        assert_eq!(wrong_fields(&response), ["emails"], "{wrong}");
    }

    for (author, subject) in [("\"ann lee\"@example.org", "one"), ("Ann <\"Ann Lee\"@example.org>", "two")] {
        let post = format!("From: {author}\nSubject: {subject}\n\nhi");
        let to = list.address.replace("news", "\"news\"");
        assert_eq!(app.send_mail("\"ann lee\"@example.org", &to, &post).await.code, 250);
        app.settle().await;
    }
    assert_eq!(app.sink.to_members(), ["\"ann lee\"@example.org"; 2]);
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!(held["count"], 0, "a member may post: {held}");
}

#[tokio::test]
async fn a_quoted_recipient_that_is_nobodys_is_unknown_and_not_malformed() {
    let app = TestApp::start().await;
    for (to, code, text) in [
        ("\"no body\"@lists.example.org", 550, "5.1.1"),
        ("\"a@b>c\"@lists.example.org", 550, "5.1.1"),
        ("\"no body\"@elsewhere.example", 550, "5.7.1"),
        ("nobody@[127.0.0.1]", 553, "5.1.3"),
    ] {
        let reply = app.send_mail("a@example.org", to, "Subject: x\n\nhi").await;
        assert_eq!(reply.code, code, "{to}: {reply}");
        assert!(reply.text.starts_with(text), "{to}: {reply}");
    }
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
async fn creating_an_address_needs_the_address_and_a_contact() {
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
