//! Undo for what administrators set: members who were typed, settings of a list and of the account, senders who were
//! banned or allowed; and the values before and afterwards in the audit log.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::people_pages::admin;
use crate::settings::controls::Fields;
use crate::undo::{ADA, MEMBERS, contact, has, manager, start, undo};

const BASICS: &str = "/admin/lists/news/";
const ACCOUNT: &str = "/admin/settings/";

/// Sends the form of a page with these fields changed, and goes where it leads.
async fn save(visitor: &mut Visitor, path: &str, mark: &str, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(path).await;
    let mut all = Fields::of(&shown, &[mark]);
    for (name, value) in fields {
        all.set(name, &[*value]);
    }
    let answer = visitor.post(path, &all.pairs()).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    visitor.get(answer.header("location").unwrap()).await
}

async fn list(app: &TestApp, name: &str) -> Value {
    app.admin.get(&format!("/api/2/lists/{name}/")).await.good()
}

async fn newest(app: &TestApp) -> Value {
    app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone()
}

#[tokio::test]
async fn members_who_were_typed_are_taken_off_again_and_new_people_are_deleted() {
    let app = start().await;
    app.admin.post_json("/api/2/contacts/", &json!({"emails": ["old@example.org"]})).await.good();
    let mut eve = manager(&app).await;
    let typed = "New Person <new@example.org>\nold@example.org\nkept@example.org\nbob@example.org";
    let told = save(&mut eve, MEMBERS, "name=\"emails\"", &[("emails", typed), ("action", "add")]).await;
    has(&told, 200, "3 added, 1 were members already.");
    has(&told, 200, "Added to news: New Person, old@example.org, kept@example.org.");
    assert_eq!(app.members("news").await.len(), 5);
    // Somebody writes something about one of them, who stays in the address book.
    let kept = contact(&app, "kept@example.org").await["id"].to_string();
    app.admin.put(&format!("/api/2/contacts/{kept}/"), &[("notes", "Alto")]).await.good();
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "As before: New Person, old@example.org, kept@example.org.");
    assert_eq!(app.members("news").await, [ADA, "bob@example.org"]);
    assert_eq!(contact(&app, "new@example.org").await, Value::Null);
    assert_eq!(contact(&app, "old@example.org").await["emails"][0]["email"], json!("old@example.org"));
    assert_eq!(contact(&app, "kept@example.org").await["notes"], json!("Alto"));
    has(&undo(&mut eve, &told).await, 410, "This was undone already");
}

#[tokio::test]
async fn settings_of_a_list_are_put_back_unless_somebody_changed_them_since() {
    let app = start().await;
    let mut eve = manager(&app).await;
    let before = list(&app, "news").await;
    let fields = [("description", "The choir"), ("name", "chor")];
    let told = save(&mut eve, BASICS, "name=\"description\"", &fields).await;
    has(&told, 200, "Settings of chor are changed.");
    // What another page set since stays.
    app.admin.put("/api/2/lists/chor/", &[("maxlength", "77")]).await.good();
    has(&undo(&mut eve, &told).await, 200, "As before: chor.");
    let after = list(&app, "news").await;
    assert_eq!(after["description"], before["description"]);
    assert_eq!(after["maxlength"], json!(77));
    let log = newest(&app).await;
    assert_eq!((&log["action"], &log["actor"]["name"]), (&json!("list.updated"), &json!("eve@example.org")));
    assert_eq!(log["detail"], json!("name, description, undone"));
    // Of a setting that somebody changed since, nothing is overwritten.
    let told = save(&mut eve, BASICS, "name=\"description\"", &[("description", "One")]).await;
    app.admin.put("/api/2/lists/news/", &[("description", "Two")]).await.good();
    let done = undo(&mut eve, &told).await;
    has(&done, 200, "Nothing could be undone");
    has(&done, 200, "news: somebody has made a change since.");
    assert_eq!(list(&app, "news").await["description"], json!("Two"));
    // A name that another list has by now.
    let told = save(&mut eve, BASICS, "name=\"description\"", &[("name", "chor")]).await;
    app.list("news").create().await;
    has(&undo(&mut eve, &told).await, 200, "chor: the address or the name belongs to somebody else now.");
    // Whoever sets nothing undoes nothing.
    let mut other = admin(&app, "other@example.org", json!({"permissions": ["manage_members"]})).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    has(&other.get(form.action).await, 410, "This was undone already");
}

#[tokio::test]
async fn settings_of_the_account_are_put_back_with_what_follows_from_them() {
    let app = start().await;
    let mut eve = manager(&app).await;
    let fields = [("timezone", "Europe/Berlin"), ("description", "A choir")];
    let told = save(&mut eve, ACCOUNT, "name=\"timezone\"", &fields).await;
    has(&told, 200, "Settings of the account are changed.");
    let path = format!("/api/2/accounts/{}/", app.account_id());
    assert_eq!(app.admin.get(&path).await.good()["timezone"], json!("Europe/Berlin"));
    has(&undo(&mut eve, &told).await, 200, "As before: ");
    let account = app.admin.get(&path).await.good();
    assert_eq!((&account["timezone"], &account["description"]), (&json!("UTC"), &json!("")));
    let mut other = admin(&app, "other@example.org", json!({"permissions": ["manage_settings"]})).await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    assert_eq!(other.get(form.action).await.status, 410);
}

/// Sends a message to `news`, which holds it; its number. Each action on a sender needs another message.
async fn hold(app: &TestApp, sender: &str, action: &str) -> u64 {
    let bans = list(app, "news").await["restrict_post_banned_emails"].as_array().unwrap().len();
    let mail = format!("From: {sender}\nSubject: hats\nMessage-ID: <{action}.{bans}.{sender}>\n\nBuy.\n");
    assert_eq!(app.send_mail(sender, "news@lists.example.org", &mail).await.code, 250);
    app.settle().await;
    let held = app.admin.get("/api/2/held/?limit=1").await.good();
    held["data"][0]["id"].as_u64().unwrap()
}

#[tokio::test]
async fn a_ban_is_undone_and_that_of_others_stays() {
    let app = TestApp::start().await;
    app.list("news").members(1).create().await;
    let mut eve = manager(&app).await;
    let path = "/admin/approvals/";
    let decide = async |eve: &mut Visitor, sender: &str, action: &str| {
        let one = format!("{action}-{}", hold(&app, sender, action).await);
        let told = save(eve, path, "data-keys", &[("one", one.as_str())]).await;
        has(&told, 200, "value=\"undo\"");
        told
    };
    let told = decide(&mut eve, "mallory@example.net", "ban").await;
    has(&told, 200, "Banned from news: mallory@example.net.");
    decide(&mut eve, "trudy@example.net", "ban").await;
    has(&undo(&mut eve, &told).await, 200, "As before: mallory@example.net.");
    let after = list(&app, "news").await;
    assert_eq!(after["restrict_post_banned_emails"], json!(["trudy@example.net"]));
    let bits = after["moderate"].as_u64().unwrap();
    let told = decide(&mut eve, "mallory@example.net", "allow").await;
    has(&told, 200, "May write to news from now on: mallory@example.net.");
    has(&undo(&mut eve, &told).await, 200, "As before: mallory@example.net.");
    let after = list(&app, "news").await;
    assert_eq!((&after["restrict_post_allowed_emails"], &after["moderate"]), (&json!([]), &json!(bits)));
    // The overview offers it for a day.
    let told = decide(&mut eve, "mallory@example.net", "ban").await;
    let form = Visitor::form(&told, "", &["value=\"undo\""]);
    let overview = eve.get("/admin/").await;
    has(&overview, 200, &format!("href=\"{}\"", form.action));
}

#[tokio::test]
async fn the_audit_log_has_values_before_and_afterwards_and_no_secret() {
    let app = start().await;
    let mut eve = manager(&app).await;
    let long = "x".repeat(300);
    let put = [
        ("description", "The choir"),
        ("hold_replies", "1"),
        ("maxlength", "100"),
        ("restrict_post_banned_emails", "mallory@example.net"),
        ("archive_password", "open sesame"),
    ];
    app.admin.put("/api/2/lists/news/", &put).await.good();
    let entry = newest(&app).await;
    let change = |name: &str| {
        let changes = entry["changes"].as_array().unwrap();
        changes.iter().find(|change| change["field"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(change("description")["after"], json!("The choir"));
    assert_eq!(
        (&change("hold_replies")["before"], &change("hold_replies")["after"]),
        (&json!("false"), &json!("true"))
    );
    assert_eq!(change("maxlength")["after"], json!("100"));
    // Of addresses of people their number is kept.
    assert_eq!(change("restrict_post_banned_emails")["after"], json!("1"));
    let kept = app.dump("audit_values");
    for secret in ["sesame", "argon2", "mallory"] {
        assert!(!kept.contains(secret), "{secret}: {kept}");
    }
    for path in ["/admin/", "/admin/audit/"] {
        let shown = eve.get(path).await;
        has(&shown, 200, "– → The choir");
    }
    has(&eve.get("/admin/audit/").await, 200, "No → Yes");
    has(&eve.get("/admin/").await, 200, "more setting");
    // A long text is cut.
    app.admin.put("/api/2/lists/news/", &[("notes", &long)]).await.good();
    let entry = newest(&app).await;
    assert_eq!(entry["changes"][0]["after"].as_str().unwrap().chars().count(), 120);
    // They go with their entries.
    app.advance(Duration::from_hours(24 * 400)).await;
    app.settle().await;
    assert!(!app.dump("audit_values").contains("AuditValues {"), "{}", app.dump("audit_values"));
}
