//! `/messages/`

use std::time::Duration;

use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;

const MESSAGES: &str = "/api/2/messages/";
const MAIL: &str = "From: Ada <member1@example.org>\nSubject: =?UTF-8?Q?Caf=C3=A9?= one\n\
    Message-ID: <1@example.org>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n\nhi\n";

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
    assert_eq!(message["changes"], json!(null), "no copy was made before the answer");
    let mut sent = message.clone();
    sent["changes"] = json!([]);
    assert_eq!(app.admin.get(&format!("{MESSAGES}{}/", message["id"])).await.good(), sent);
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
async fn an_unknown_parent_is_named_beside_missing_content() {
    let app = start_with_news().await;
    let response = app.admin.post(MESSAGES, &[("list", "news"), ("parent", "9")]).await;
    assert_eq!(wrong_fields(&response), ["content_plain", "parent"]);
    let fields = [("list", "news"), ("parent", "9"), ("from_address", "x")];
    let response = app.admin.post(MESSAGES, &fields).await;
    assert_eq!(wrong_fields(&response), ["content_plain", "from_address", "parent"]);
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

/// The ids that a query finds, and how many it says there are.
async fn found(app: &TestApp, query: &str) -> (Vec<Value>, Value) {
    let listing = app.admin.get(&format!("{MESSAGES}?{query}")).await.good();
    (column(&listing, "id"), listing["count"].clone())
}

#[tokio::test]
async fn a_reply_by_mail_joins_the_thread_and_so_does_its_reply() {
    let app = start_with_news().await;
    let first = send(&app, json!({"list": "news", "content_plain": "one"})).await;
    let reply = format!(
        "From: member1@example.org\nSubject: Re: one\nMessage-ID: <r@example.org>\nIn-Reply-To: <{}>\n\nyes\n",
        first["message_id"].as_str().unwrap()
    );
    app.send_mail("member1@example.org", "news@lists.example.org", &reply).await;
    let later = "From: member2@example.org\nSubject: Re: one\nMessage-ID: <s@example.org>\n\
        References: <unknown@example.org> <r@example.org>\n\nno\n";
    app.send_mail("member2@example.org", "news@lists.example.org", later).await;
    app.settle().await;
    let (ids, count) = found(&app, &format!("thread={}", first["id"])).await;
    assert_eq!((ids.len(), &count, &ids[2]), (3, &json!(3), &first["id"]));
    let message = app.admin.get(&format!("{MESSAGES}{}/", ids[0])).await.good();
    assert_eq!((&message["parent"], &message["thread_id"]), (&ids[1], &first["id"]));
    app.admin.delete(&format!("{MESSAGES}{}/", first["id"])).await.good();
    assert_eq!(found(&app, &format!("thread={}", first["id"])).await, (ids[..2].to_vec(), json!(2)));
    let parent = first["id"].to_string();
    let fields = [("list", "news"), ("content_plain", "x"), ("parent", parent.as_str())];
    assert_eq!(wrong_fields(&app.admin.post(MESSAGES, &fields).await), ["parent"]);
    app.admin.get(&format!("{MESSAGES}?thread=999")).await.error(404, "thread");
}

#[tokio::test]
async fn messages_are_found_by_sender_and_subject_in_any_case() {
    let app = start_with_news().await;
    app.send_mail("member1@example.org", "news@lists.example.org", MAIL).await;
    let other = send(&app, json!({"list": "news", "subject": "two", "content_plain": "x"})).await;
    let only = |found: (Vec<Value>, Value)| (found.0.len(), found.1, found.0[0] == other["id"]);
    for query in ["from=MEMBER1@example.org", "from=ada", "from=@example.org", "subject=CAF%C3%89"] {
        assert_eq!(only(found(&app, query).await), (1, json!(1), false), "{query}");
    }
    assert_eq!(only(found(&app, "from=the+news&subject=TWO&list=news").await), (1, json!(1), true));
    for query in ["from=ember1@example.org", "from=ada&subject=two", "subject=three"] {
        assert_eq!(found(&app, query).await, (vec![], json!(0)), "{query}");
    }
}

#[tokio::test]
async fn messages_are_found_by_time_with_both_ends_included() {
    let app = start_with_news().await;
    app.list("other").create().await;
    let mut ids = Vec::new();
    for number in 0..12 {
        let list = if number % 2 == 0 { "news" } else { "other" };
        ids.push(send(&app, json!({"list": list, "content_plain": "x"})).await["id"].clone());
        app.advance(Duration::from_mins(30)).await;
    }
    let span = |from: usize, to: usize| -> (Vec<Value>, Value) {
        let found: Vec<Value> = ids[from..=to].iter().rev().cloned().collect();
        let count = json!(found.len());
        (found, count)
    };
    let half_past_one = 1_795_176_000 + 90 * 60;
    assert_eq!(found(&app, &format!("since={half_past_one}")).await, span(3, 11));
    assert_eq!(found(&app, "since=2026-11-20T13:30:01Z").await, span(4, 11));
    assert_eq!(found(&app, "until=2026-11-20T14:30:00%2B01:00").await, span(0, 3));
    assert_eq!(found(&app, "since=2026-11-20T13:00:00Z&until=2026-11-20T15:29:59Z").await, span(2, 6));
    assert_eq!(found(&app, "since=2027-01-01T00:00:00Z").await, (vec![], json!(0)));
    assert_eq!(found(&app, "until=0").await, (vec![], json!(0)));
    let news: Vec<Value> = [4, 2].iter().map(|place: &usize| ids[*place].clone()).collect();
    let query = "since=2026-11-20T13:00:00Z&until=2026-11-20T14:00:00Z&list=news";
    assert_eq!(found(&app, query).await, (news.clone(), json!(2)));
    assert_eq!(found(&app, &format!("{query}&limit=1&page=2")).await, (news[1..].to_vec(), json!(2)));
    assert_eq!(found(&app, &format!("{query}&after={}", news[0])).await, (news[1..].to_vec(), json!(2)));
    let response = app.admin.get(&format!("{MESSAGES}?since=today&until=x&thread=x")).await;
    assert_eq!(wrong_fields(&response), ["since", "thread", "until"]);
}

#[tokio::test]
async fn the_raw_message_is_what_came_in() {
    let app = start_with_news().await;
    app.send_mail("member1@example.org", "news@lists.example.org", MAIL).await;
    app.settle().await;
    let id = found(&app, "list=news").await.0[0].clone();
    let path = format!("{MESSAGES}{id}/raw/");
    let raw = app.admin.get(&path).await;
    assert_eq!((raw.status, raw.header("content-type")), (200, Some("message/rfc822")));
    assert_eq!(raw.header("x-content-type-options"), Some("nosniff"));
    assert!(raw.body.ends_with(&MAIL.replace('\n', "\r\n")), "{}", raw.body);
    let again = app.admin.get(&path).await;
    assert_eq!((again.header("content-type"), &again.body), (Some("message/rfc822"), &raw.body));
    app.anon.get(&path).await.error(401, "Authentication failed");
    app.key_with([]).await.get(&path).await.error(403, "permission");
    app.other_account().await.get(&path).await.error(404, "message");
    app.admin.get(&format!("{MESSAGES}x/raw/")).await.error(404, "message");
    assert_eq!(app.admin.get(path.trim_end_matches('/')).await.status, 308);
    app.admin.delete(&path).await.error(405, "GET");
    app.admin.delete(&format!("{MESSAGES}{id}/")).await.good();
    app.admin.get(&path).await.error(404, "message");
}

#[tokio::test]
async fn deliveries_tell_what_became_of_each_copy() {
    let app = start_with_news().await;
    app.sink.refuse("member1@example.org");
    let message = send(&app, json!({"list": "news", "content_plain": "x"})).await;
    let path = format!("{MESSAGES}{}/deliveries/", message["id"]);
    let listing = app.admin.get(&path).await.good();
    assert_eq!(column(&listing, "email"), ["member1@example.org", "member2@example.org"]);
    assert_eq!(column(&listing, "state"), ["failed", "delivered"]);
    assert_eq!(column(&listing, "attempts"), [1, 1]);
    assert_eq!(column(&listing, "next_attempt"), [json!(null), json!(null)]);
    assert_eq!(listing["data"][1]["time"], "2026-11-20T12:00:00Z");
    assert_eq!(listing["data"][1]["contact"], app.email("member2@example.org").await["contact"]);
    assert!(listing["data"][0]["reply"].as_str().unwrap().starts_with('5'), "{listing}");
    assert_eq!(listing["data"][0]["remote"], app.sink.addr().to_string());
    app.admin.delete(&format!("{MESSAGES}{}/", message["id"])).await.good();
    app.admin.get(&path).await.error(404, "message");
}

#[tokio::test]
async fn a_deferred_copy_tells_when_it_is_tried_again() {
    let app = start_with_news().await;
    app.sink.defer("member2@example.org", 1);
    let message = send(&app, json!({"list": "news", "content_plain": "x"})).await;
    let path = format!("{MESSAGES}{}/deliveries/", message["id"]);
    let row = app.admin.get(&path).await.good()["data"][1].clone();
    assert_eq!((&row["state"], &row["attempts"]), (&json!("deferred"), &json!(1)));
    assert_eq!(row["next_attempt"], "2026-11-20T12:05:00Z");
    app.advance(Duration::from_mins(5)).await;
    let rows = app.admin.get(&path).await.good();
    assert_eq!(column(&rows, "attempts"), [1, 2]);
}

#[tokio::test]
async fn deliveries_are_forgotten_30_days_after_their_end() {
    let app = start_with_news().await;
    app.sink.defer("member2@example.org", 1);
    let message = send(&app, json!({"list": "news", "content_plain": "x"})).await;
    let path = format!("{MESSAGES}{}/deliveries/", message["id"]);
    app.advance(Duration::from_mins(5)).await;

    app.advance(Duration::from_mins(30 * 24 * 60 - 1)).await;
    let listing = app.admin.get(&path).await.good();
    assert_eq!(column(&listing, "state"), ["delivered", "delivered"]);
    app.advance(Duration::from_mins(1)).await;
    assert_eq!(app.admin.get(&path).await.good()["data"], json!([]));
    app.admin.get(&format!("{MESSAGES}{}/", message["id"])).await.good();
}

#[tokio::test]
async fn deliveries_are_paged_over_all_batches() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.fill("news", 300).await;
    let message = send(&app, json!({"list": "news", "content_plain": "x"})).await;
    let path = format!("{MESSAGES}{}/deliveries/", message["id"]);
    let all = app.admin.get(&format!("{path}?limit=1000")).await.good();
    let addresses = column(&all, "email");
    assert_eq!(
        (addresses.len() as u64, all["count"].as_u64()),
        (app.sink.copies() as u64, Some(addresses.len() as u64))
    );
    for (query, from) in [("page=1&limit=70", 0), ("page=3&limit=70", 140), ("after=130&limit=70", 130)] {
        let page = app.admin.get(&format!("{path}?{query}")).await.good();
        assert_eq!(column(&page, "email"), addresses[from..from + 70], "{query}");
        assert_eq!(page["count"], all["count"]);
    }
    assert_eq!(app.admin.get(&format!("{path}?page=9")).await.good()["data"], json!([]));
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
    let response = app.admin.post(MESSAGES, &[("list", "news"), ("content_plain", &large[..200_000])]).await;
    response.error(413, "larger");
    let response = app.admin.post(MESSAGES, &[("list", "news"), ("content_plain", &large)]).await;
    response.error(413, "at most");
}
