//! Members leave by the link of a copy, and undo it.

use std::time::Duration;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::sink::Mail;

const ADA: &str = "ada@example.org";

/// Makes the list `news` with ada, who asks for digests after a first post; the path of the link for leaving in the copy
/// of it.
async fn ada_in_news(app: &TestApp) -> String {
    let list = app.list("news").open().create().await;
    let fields = json!({"emails": [ADA], "lists": [{"list": "news"}]});
    app.admin.post_json("/api/2/contacts/", &fields).await.good();
    assert_eq!(app.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let id = membership(app).await["id"].to_string();
    app.admin.put_json(&format!("/api/2/membership/{id}/"), &json!({"digest": 1})).await.good();
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
    let id = &membership(&app).await["id"];
    app.admin.put_json(&format!("/api/2/membership/{id}/"), &json!({"paused": true})).await.good();
    page(&leave(&app, &path).await, 200, "You can undo it for seven days");
    assert_eq!(membership(&app).await, json!(null));
    app.advance(6 * DAY).await;
    page(&app.anon.get(&path).await, 200, "Undo");
    assert_eq!(membership(&app).await, json!(null), "looking changes nothing");
    page(&undo(&app, &path).await, 200, "You are a member of news");
    assert_eq!(membership(&app).await["digest"], 1);
    assert_eq!(membership(&app).await["paused"], true);
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
    // An administrator puts her back, though she left.
    let contact = app.admin.get("/api/2/contacts/").await.good()["data"][0]["id"].clone();
    let fields = json!({"contact": contact, "list": "news", "override_opt_out": true});
    app.admin.post_json("/api/2/membership/", &fields).await.good();
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

/// Leaves by the button of the page.
async fn press(app: &TestApp, path: &str) -> Response {
    app.anon.post(path, &[("action", "leave")]).await
}

/// Leaves by a mail to the address of the link.
async fn leave_by_mail(app: &TestApp, path: &str) -> u16 {
    let token = path.trim_matches('/').rsplit('/').next().expect("a path has a last part");
    let reply = app.send_mail(ADA, &format!("confirm+{token}@lists.example.org"), "\n").await;
    app.settle().await;
    reply.code
}

async fn is_member(app: &TestApp) -> bool {
    membership(app).await != json!(null)
}

/// The requests that wait: each with its kind, its address and its list.
async fn requests(app: &TestApp) -> Vec<String> {
    let listing = app.admin.get("/api/2/pending/").await.good();
    let requests = listing["data"].as_array().expect("a listing has data").iter();
    requests.map(|request| format!("{} {} {}", request["kind"], request["email"], request["list"])).collect()
}

/// Requests the page in every way in which programs that follow links do.
async fn scan(app: &TestApp, path: &str) {
    for method in ["HEAD", "OPTIONS", "GET", "OPTIONS", "HEAD", "GET"] {
        app.anon.request(method, path, &[], b"").await;
    }
}

#[tokio::test]
async fn a_program_that_follows_the_link_changes_nothing() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let before = app.dump("audit");
    scan(&app, &path).await;
    assert!(is_member(&app).await);
    for body in ["", "a=b", "action=", "action=nonsense", "List-Unsubscribe=no", "reason=spam", "confirm=1"] {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let refused = app.anon.request("POST", &path, &[kind], body.as_bytes()).await;
        assert_eq!(refused.status, 400, "{body}: {}", refused.body);
    }
    assert!(is_member(&app).await);
    leave(&app, &path).await;
    scan(&app, &path).await;
    page(&app.anon.post(&path, &[]).await, 400, "Nothing has changed");
    assert!(!is_member(&app).await);
    undo(&app, &path).await;
    scan(&app, &path).await;
    assert!(is_member(&app).await);
    let entries = |dump: &str| dump.matches("AuditEntry {").count();
    assert_eq!(entries(&app.dump("audit")), entries(&before) + 2, "the leave and its undo alone are noted");
}

#[tokio::test]
async fn the_one_click_form_leaves_whatever_the_list_says() {
    for unsubscriptions in ["open", "open+confirm", "closed"] {
        let app = TestApp::start().await;
        app.change_account(|account| account.settings.unsubscribe_confirm = true).await;
        let path = ada_in_news(&app).await;
        app.admin.put("/api/2/lists/news/", &[("unsubscriptions", unsubscriptions)]).await.good();
        page(&leave(&app, &path).await, 200, "You have left news");
        assert!(!is_member(&app).await, "{unsubscriptions}");
        page(&undo(&app, &path).await, 200, "You are a member of news");
        let multipart = app.anon.post_multipart(&path, &[("List-Unsubscribe", "One-Click")]).await;
        page(&multipart, 200, "You have left news");
        assert!(!is_member(&app).await, "{unsubscriptions}");
    }
}

#[tokio::test]
async fn the_button_leaves_at_once_unless_the_account_asks_twice() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    page(&press(&app, &path).await, 200, "You have left news");
    assert!(!is_member(&app).await);
    undo(&app, &path).await;
    app.change_account(|account| account.settings.unsubscribe_confirm = true).await;
    let second = press(&app, &path).await;
    page(&second, 200, "Do you really want to leave news?");
    assert!(second.body.contains("name=\"confirm\" value=\"1\""), "{}", second.body);
    assert!(is_member(&app).await);
    let confirmed = app.anon.post(&path, &[("confirm", "1"), ("action", "leave")]).await;
    page(&confirmed, 200, "You have left news");
    assert!(!is_member(&app).await);
    undo(&app, &path).await;
    assert_eq!(leave_by_mail(&app, &path).await, 250);
    assert!(!is_member(&app).await, "a mail is not asked twice");
}

#[tokio::test]
async fn a_list_that_is_closed_for_leaving_offers_no_form_and_refuses_mail() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let close = [("unsubscriptions", "closed")];
    app.admin.put("/api/2/lists/news/", &close).await.good();
    let shown = app.anon.get(&path).await;
    page(&shown, 404, "You cannot leave news here");
    assert!(!shown.body.contains("value=\"leave\""), "{}", shown.body);
    page(&press(&app, &path).await, 404, "You cannot leave news here");
    assert_eq!(leave_by_mail(&app, &path).await, 550);
    assert!(is_member(&app).await);
    // The list's own setting comes before the account's.
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "")]).await.good();
    app.admin.put(&account, &close).await.good();
    page(&press(&app, &path).await, 404, "You cannot leave news here");
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open")]).await.good();
    page(&press(&app, &path).await, 200, "You have left news");
    assert!(!is_member(&app).await);
}

#[tokio::test]
async fn leaving_waits_for_approval_where_the_list_asks_for_it() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open+confirm")]).await.good();
    page(&app.anon.get(&path).await, 200, "Ask to leave the list");
    page(&press(&app, &path).await, 200, "Your request to leave news is waiting");
    assert!(is_member(&app).await);
    let expected = [format!("\"unsubscription\" \"{ADA}\" \"news\"")];
    assert_eq!(requests(&app).await, expected);
    page(&app.anon.get(&path).await, 200, "Your request to leave news is waiting");
    press(&app, &path).await;
    assert_eq!(leave_by_mail(&app, &path).await, 250);
    assert_eq!(requests(&app).await, expected, "asking again changes nothing");

    let request = app.admin.get("/api/2/pending/").await.good()["data"][0]["id"].to_string();
    let decide = format!("/api/2/pending/{request}/");
    assert_eq!(app.admin.put(&decide, &[("action", "approve")]).await.good()["state"], "approved");
    assert!(!is_member(&app).await);
    page(&undo(&app, &path).await, 200, "You are a member of news");
    assert_eq!(membership(&app).await["digest"], 1);
}

#[tokio::test]
async fn a_request_to_leave_comes_by_mail_too_and_ends_when_the_person_leaves_or_goes() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open+confirm")]).await.good();
    assert_eq!(leave_by_mail(&app, &path).await, 250);
    assert_eq!(requests(&app).await.len(), 1);
    assert!(is_member(&app).await);
    leave(&app, &path).await;
    assert_eq!(requests(&app).await.len(), 0, "one click leaves, so there is nothing to decide");
    undo(&app, &path).await;
    press(&app, &path).await;
    assert_eq!(requests(&app).await.len(), 1);
    let contact = app.email(ADA).await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    assert!(!app.dump("pending").contains("ada@"), "{}", app.dump("pending"));
}

#[tokio::test]
async fn a_rejected_request_to_leave_changes_nothing() {
    for action in ["reject", "discard"] {
        let app = TestApp::start().await;
        let path = ada_in_news(&app).await;
        app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open+confirm")]).await.good();
        press(&app, &path).await;
        let request = app.admin.get("/api/2/pending/").await.good()["data"][0]["id"].to_string();
        app.admin.put(&format!("/api/2/pending/{request}/"), &[("action", action)]).await.good();
        assert!(is_member(&app).await);
        page(&app.anon.get(&path).await, 200, "Ask to leave the list");
        press(&app, &path).await;
        assert_eq!(requests(&app).await.len(), 1, "who was refused may ask again");
    }
}

#[tokio::test]
async fn who_left_may_say_why_until_the_leave_is_undone() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let say = async |words: &str| app.anon.post(&path, &[("reason", words)]).await;
    page(&say("too much mail").await, 400, "Please");
    let goodbye = leave(&app, &path).await;
    assert!(goodbye.body.contains("name=\"reason\""), "{}", goodbye.body);
    page(&say("Too much <b>mail</b>").await, 200, "Thank you");
    assert!(app.dump("departure").contains("Too much <b>mail</b>"), "{}", app.dump("departure"));
    let long = "é".repeat(1001);
    let refused = say(&long).await;
    page(&refused, 400, "1,000 characters");
    assert!(refused.body.contains(&long) && refused.body.contains("role=\"alert\""), "{}", refused.body);
    page(&say(&"é".repeat(1000)).await, 200, "Thank you");
    page(&say(&"é\r\n".repeat(500)).await, 200, "Thank you");
    page(&say(" ").await, 200, "You have left news");
    assert!(app.dump("departure").contains("é\\né"), "a blank reason changes nothing");
    undo(&app, &path).await;
    assert!(!app.dump("departure").contains("é"));
    page(&say("again").await, 400, "Please");
}

#[tokio::test]
async fn copies_name_the_address_for_leaving_only_where_mail_to_it_is_taken() {
    let app = TestApp::start().await;
    ada_in_news(&app).await;
    let id = membership(&app).await["id"].to_string();
    app.admin.put_json(&format!("/api/2/membership/{id}/"), &json!({"digest": 0})).await.good();
    let post = async || {
        app.sink.clear();
        let fields = [("list", "news"), ("subject", "hello"), ("content_plain", "hi")];
        app.admin.post("/api/2/messages/", &fields).await.good();
        app.settle().await;
        let copy = app.sink.mail_to(ADA);
        assert_eq!(copy.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
        copy.header("List-Unsubscribe").expect("a copy has this field")
    };
    assert!(post().await.contains("mailto:confirm+"));
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "closed")]).await.good();
    let field = post().await;
    assert!(field.contains("/unsubscribe/") && !field.contains("mailto:"), "{field}");
}

#[tokio::test]
async fn who_waits_for_approval_may_leave_once_the_list_asks_for_none() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open+confirm")]).await.good();
    press(&app, &path).await;
    app.admin.put("/api/2/lists/news/", &[("unsubscriptions", "open")]).await.good();
    page(&app.anon.get(&path).await, 200, "value=\"leave\"");
    page(&press(&app, &path).await, 200, "You have left news");
    assert_eq!((is_member(&app).await, requests(&app).await.len()), (false, 0));
}

#[tokio::test]
async fn the_page_to_leave_says_for_whom_without_the_whole_address() {
    let app = TestApp::start().await;
    let path = ada_in_news(&app).await;
    let form = app.anon.get(&path).await;
    page(&form, 200, "This is about the mail to a…@example.org.");
    assert!(!form.body.contains(ADA), "{}", form.body);
}
