//! Events: everything that happens in an account is told once, in order, to whoever may see it.

use std::time::Duration;

use crier::model::Permission;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::harness::TestApp;
use crate::harness::http::Client;

const EVENTS: &str = "/api/2/events/";

/// The events behind one, oldest first.
async fn events(of: &Client, query: &str) -> Vec<Value> {
    let listing = of.get(&format!("{EVENTS}?{query}")).await.good();
    listing["data"].as_array().expect("a listing has rows").clone()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().expect("a type")).collect()
}

async fn newest(app: &TestApp) -> u64 {
    let listing = app.admin.get(&format!("{EVENTS}?limit=1000")).await.good();
    listing["data"].as_array().and_then(|rows| rows.last()?["id"].as_u64()).unwrap_or(0)
}

/// Does something, and compares the types of the events that it causes.
macro_rules! check {
    ($app:expr, $work:expr, [$($kind:literal),*]) => {{
        let before = newest(&$app).await;
        $work;
        let told = events(&$app.admin, &format!("after={before}&limit=1000")).await;
        assert_eq!(types(&told), [$($kind),*] as [&str; _], "{told:#?}");
        told
    }};
}

#[tokio::test]
async fn each_change_of_a_person_is_one_event_with_its_object_and_its_actor() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let fields = json!({"emails": ["ada@x.org"], "lists": ["news"]});
    let ada;
    let told = check!(
        app,
        ada = app.admin.post_json("/api/2/contacts/", &fields).await.good(),
        ["contact.created", "membership.created"]
    );
    assert_eq!(told[0]["data"]["emails"][0]["email"], "ada@x.org");
    assert_eq!(told[0]["actor"]["kind"], "administrator");
    assert_eq!(told[0]["actor"]["via"], "api");
    assert_eq!(told[1]["data"]["list"], "news");
    let path = format!("/api/2/contacts/{}/", ada["id"]);
    check!(app, app.admin.put(&path, &[("firstname", "Ada")]).await.good(), ["contact.updated"]);
    check!(app, app.admin.put(&path, &[("firstname", "Ada")]).await.good(), []);
    let email = format!("/api/2/emails/{}/", ada["emails"][0]["id"]);
    check!(app, app.admin.put(&email, &[("paused", "1")]).await.good(), ["email.paused"]);
    check!(app, app.admin.put(&email, &[("paused", "0")]).await.good(), ["email.resumed"]);
    check!(app, app.admin.put(&email, &[("email", "ada@y.org")]).await.good(), ["contact.updated"]);
    let membership = format!("/api/2/membership/{}/", ada["lists"][0]["id"]);
    check!(app, app.admin.put(&membership, &[("digest", "1")]).await.good(), ["membership.updated"]);
    let told = check!(app, app.admin.delete(&path).await.good(), ["contact.deleted", "membership.deleted"]);
    assert_eq!(told[0]["data"]["emails"], json!([{"email": "ada@y.org"}]));
    assert_eq!(told[1]["data"]["list"], "news");
    assert_eq!(told[1]["data"]["contact"], ada["id"]);
}

#[tokio::test]
async fn each_row_of_a_batch_is_told_under_the_name_of_who_called() {
    let app = TestApp::start().await;
    let rows = json!([{"emails": ["a@x.org"]}, {"emails": ["nothing"]}, {"emails": ["b@x.org"]}]);
    let told = check!(
        app,
        app.admin.post_json("/api/2/contacts/batch/", &rows).await.good(),
        ["contact.created", "contact.created"]
    );
    assert!(told.iter().all(|event| event["actor"]["kind"] == "administrator"), "{told:#?}");
}

#[tokio::test]
async fn what_mail_brings_about_is_told_as_what_calls_do() {
    let app = TestApp::start().await;
    app.list("news").member("ada@x.org").create().await;
    let mail = "From: ada@x.org\nSubject: Hello\nMessage-ID: <1@x.org>\n\nhi\n";
    let to = "news@lists.example.org";
    let told = check!(app, app.send_mail("ada@x.org", to, mail).await, ["message.published"]);
    assert_eq!(told[0]["data"]["subject"], "Hello");
    assert_eq!(told[0]["data"]["truncated"], json!(["content_plain", "content_html"]));
    app.settle().await;
    let mail = "From: eve@x.org\nSubject: Offer\nMessage-ID: <2@x.org>\n\nbuy\n";
    let told = check!(app, app.send_mail("eve@x.org", to, mail).await, ["message.held"]);
    assert_eq!(told[0]["data"]["subject"], "Offer");
    let path = format!("/api/2/held/{}/", told[0]["data"]["id"]);
    let before = newest(&app).await;
    app.admin.put(&path, &[("action", "approve")]).await.good();
    let told = events(&app.admin, &format!("after={before}")).await;
    let mut kinds = types(&told);
    kinds.sort_unstable();
    assert_eq!(kinds, ["message.approved", "message.published"]);
    app.settle().await;
    let id = app.admin.get("/api/2/messages/?limit=1").await.good()["data"][0]["id"].clone();
    let told =
        check!(app, app.admin.delete(&format!("/api/2/messages/{id}/")).await.good(), ["message.deleted"]);
    assert_eq!(told[0]["data"]["id"], id);
}

#[tokio::test]
async fn lists_administrators_and_accounts_are_told_and_what_goes_with_a_list_is_not() {
    let app = TestApp::start().await;
    check!(app, app.admin.post("/api/2/lists/", &[("name", "news")]).await.good(), ["list.created"]);
    let fields = json!({"emails": ["ada@x.org"], "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &fields).await.good();
    let path = "/api/2/lists/news/";
    let told = check!(app, app.admin.put(path, &[("description", "All")]).await.good(), ["list.updated"]);
    assert_eq!(told[0]["data"]["truncated"], json!(["contacts"]));
    let told = check!(app, app.admin.delete(path).await.good(), ["list.deleted"]);
    assert_eq!(told[0]["data"]["name"], "news");
    let fields = json!({"api": 2, "description": "Site", "permissions": ["send_messages"]});
    let made;
    check!(app, made = app.admin.post_json("/api/2/admins/", &fields).await.good(), ["admin.created"]);
    let path = format!("/api/2/admins/{}/", made["id"]);
    check!(app, app.admin.put(&path, &[("get_key", "1")]).await.good(), ["admin.updated"]);
    check!(app, app.admin.delete(&path).await.good(), ["admin.deleted"]);
    let account = format!("/api/2/accounts/{}/", app.account_id());
    check!(app, app.admin.put(&account, &[("timezone", "Europe/Berlin")]).await.good(), ["account.updated"]);
}

#[tokio::test]
async fn a_listing_is_read_from_any_position_and_by_types() {
    let app = TestApp::start().await;
    for number in 0..7 {
        app.admin.post("/api/2/contacts/", &[("emails", &format!("p{number}@x.org"))]).await.good();
        app.admin.post("/api/2/lists/", &[("name", &format!("l{number}"))]).await.good();
    }
    let all = events(&app.admin, "limit=1000").await;
    let mut walked = Vec::new();
    let mut after = 0;
    loop {
        let some = events(&app.admin, &format!("after={after}&limit=3")).await;
        let Some(last) = some.last() else { break };
        after = last["id"].as_u64().unwrap();
        walked.extend(some);
    }
    assert_eq!(walked, all);
    assert!(all.is_sorted_by_key(|event| event["id"].as_u64()));
    let lists =
        app.admin.get(&format!("{EVENTS}?type=list.created,list.updated&type=list.deleted")).await.good();
    assert_eq!(lists["count"], 7);
    assert!(lists["data"].as_array().unwrap().iter().all(|event| event["type"] == "list.created"));
    app.admin.get(&format!("{EVENTS}?type=list.burnt")).await.error(400, "type");
    app.admin.get(&format!("{EVENTS}?page=1&after=1")).await.error(400, "after");
}

#[tokio::test]
async fn whoever_may_not_see_an_object_hears_nothing_of_it() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("secret").create().await;
    let limits = json!({"api": 2, "permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let made = app.admin.post_json("/api/2/admins/", &limits).await.good()["id"].clone();
    let key = app.admin.put(&format!("/api/2/admins/{made}/"), &[("get_key", "1")]).await.good();
    let limited = Client::with_key(app.running().http_addr, key["key"].as_str().unwrap());
    let approver = app.key_with([Permission::ApproveMessages]).await;
    let before = newest(&app).await;
    for (email, list) in [("a@x.org", "news"), ("b@x.org", "secret")] {
        app.admin.post_json("/api/2/contacts/", &json!({"emails": [email], "lists": [list]})).await.good();
    }
    let mail = "From: eve@x.org\nSubject: Offer\nMessage-ID: <2@x.org>\n\nbuy\n";
    app.send_mail("eve@x.org", "news@lists.example.org", mail).await;
    let told = events(&limited, &format!("after={before}")).await;
    assert_eq!(types(&told), ["contact.created", "membership.created"]);
    assert!(told.iter().all(|event| !event.to_string().contains("b@x.org")));
    let told = events(&approver, &format!("after={before}")).await;
    assert_eq!(types(&told).iter().filter(|kind| **kind == "message.held").count(), 1);
    assert!(types(&told).iter().all(|kind| !kind.starts_with("admin.")));
}

#[tokio::test]
async fn events_are_kept_for_thirty_days() {
    let app = TestApp::start().await;
    app.admin.post("/api/2/lists/", &[("name", "news")]).await.good();
    app.advance(Duration::from_hours(29 * 24)).await;
    app.settle().await;
    assert!(types(&events(&app.admin, "").await).contains(&"list.created"));
    app.advance(Duration::from_hours(2 * 24)).await;
    app.settle().await;
    assert!(!types(&events(&app.admin, "").await).contains(&"list.created"));
}

/// A stream that a client follows.
struct Stream {
    socket: TcpStream,
    read: String,
}

impl Stream {
    async fn begin(of: &TestApp, key: &str, query: &str, last: Option<u64>) -> Stream {
        let mut socket = TcpStream::connect(of.running().http_addr).await.unwrap();
        let last = last.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let head = format!(
            "GET {EVENTS}{query} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\
             Authorization: Bearer {key}\r\n{last}\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut stream = Stream { socket, read: String::new() };
        stream.until("retry: 5000\n\n").await;
        assert!(stream.read.contains("text/event-stream"), "{}", stream.read);
        stream
    }

    /// Reads until a text comes.
    async fn until(&mut self, text: &str) {
        let reading = async {
            while !self.read.contains(text) {
                let mut bytes = [0; 4096];
                let count = self.socket.read(&mut bytes).await.unwrap();
                assert_ne!(count, 0, "the stream ended: {}", self.read);
                self.read.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        };
        tokio::time::timeout(Duration::from_mins(1), reading).await.expect("it comes");
    }
}

#[tokio::test]
async fn a_stream_tells_what_happens_and_goes_on_where_it_was() {
    let app = TestApp::start().await;
    app.admin.post("/api/2/lists/", &[("name", "before")]).await.good();
    let key = app.admin.key().to_owned();
    let mut stream = Stream::begin(&app, &key, "", None).await;
    app.admin.post("/api/2/lists/", &[("name", "news")]).await.good();
    stream.until("\"name\":\"news\"").await;
    assert!(!stream.read.contains("before"), "{}", stream.read);
    assert!(stream.read.contains("event: list.created\ndata: {"), "{}", stream.read);
    let last = stream.read.split("\nid: ").nth(1).unwrap().split('\n').next().unwrap().parse().unwrap();
    drop(stream);
    app.admin.post("/api/2/lists/", &[("name", "meanwhile")]).await.good();
    let mut stream = Stream::begin(&app, &key, "?after=0", Some(last)).await;
    stream.until("\"name\":\"meanwhile\"").await;
    assert!(!stream.read.contains("\"name\":\"news\""), "{}", stream.read);
}

#[tokio::test]
async fn a_copy_that_is_refused_and_the_report_on_one_are_told() {
    let app = TestApp::start().await;
    app.list("news").member("ada@x.org").create().await;
    app.sink.refuse("ada@x.org");
    let before = newest(&app).await;
    let mail = "From: ada@x.org\nSubject: Hello\nMessage-ID: <1@x.org>\n\nhi\n";
    app.send_mail("ada@x.org", "news@lists.example.org", mail).await;
    app.settle().await;
    let told = events(&app.admin, &format!("after={before}&type=delivery.failed")).await;
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(
        (&told[0]["data"]["email"], &told[0]["data"]["state"]),
        (&json!("ada@x.org"), &json!("failed"))
    );
    assert_eq!(told[0]["actor"]["kind"], "system");
}
