//! Patterns of tenants: their limits, and that nobody waits for them but their own mail and calls.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::harness::TestApp;
use crate::harness::http::Client;
use crate::harness::smtp::{Reply, send_mail};

/// The pattern of the attack that this file is about: it compiles to 10,000 states.
const ATTACK: &str = r"a(?-u:[\x00-\x7f]){10000}c";
/// A pattern within the limits that is about as slow as one can be: each byte leads to a new set of thousands of states.
const SLOW: &str = r"a(?-u:[\x00-\x7f]){2500}c";
/// Longer than the patterns of a message or of a whole call may take.
const MORE_THAN_A_CALL_HAS: Duration = Duration::from_millis(2500);
const NEWS: &str = "/api/2/lists/news/";

/// Lines of `a` and `b` without a pattern, about this many bytes.
fn noise(bytes: usize) -> String {
    let mut seed = 1_u64;
    let mut text = String::new();
    while text.len() < bytes {
        for _ in 0..70 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push(if seed >> 63 == 0 { 'a' } else { 'b' });
        }
        text.push('\n');
    }
    text
}

/// The reasons for which messages are held, the oldest first.
async fn reasons(app: &TestApp) -> Vec<String> {
    let held = app.admin.get("/api/2/held/").await.good();
    let rows = held["data"].as_array().expect("a listing has data").iter();
    rows.map(|held| held["reason"].as_str().expect("a reason").to_owned()).collect()
}

/// Posts to the list `news`; answers why the message is held.
async fn held(app: &TestApp, message: &str) -> Option<String> {
    let before = reasons(app).await.len();
    let reply = app.send_mail("ada@x.org", "news@lists.example.org", message).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
    let reasons = reasons(app).await;
    assert!(reasons.len() <= before + 1);
    reasons.get(before).cloned()
}

/// Begins to post to the list `news`.
fn begin_post(app: &TestApp, message: String) -> JoinHandle<Reply> {
    let addr = app.smtp_addr();
    tokio::spawn(async move { send_mail(addr, "ada@x.org", &["news@lists.example.org"], &message).await })
}

/// Waits until patterns are being matched: from then on, the time that passes is theirs.
async fn matching(app: &TestApp) {
    while app.core().patterns.running() == 0 {
        tokio::task::yield_now().await;
    }
}

/// Lets time pass until `task`, which matches patterns, ends; between its steps `other` is answered.
async fn let_time_pass<T>(app: &TestApp, other: &Client, task: JoinHandle<T>) -> T {
    matching(app).await;
    while !task.is_finished() {
        app.clock.advance(MORE_THAN_A_CALL_HAS);
        other.get("/api/2/lists/").await.good();
    }
    task.await.expect("the task does not panic")
}

#[tokio::test]
async fn a_pattern_that_compiles_to_more_than_256_kib_is_refused_where_it_is_set() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    for field in ["taboo_headers", "taboo_body"] {
        let body = json!({"name": "other", field: ["fine", ATTACK]});
        for response in
            [app.admin.post_json("/api/2/lists/", &body).await, app.admin.put_json(NEWS, &body).await]
        {
            let errors = response.error(400, "256 KiB")["errors"].clone();
            assert!(errors[field].to_string().contains("10000"), "{errors}");
        }
    }
    let account = format!("/api/2/accounts/{}/", app.account_id());
    for field in ["restrict_contact", "restrict_contact_subscription"] {
        let errors = app.admin.put_json(&account, &json!({field: [ATTACK]})).await.error(400, "256 KiB");
        assert!(errors["errors"][field].is_string() || errors["errors"][field].is_array(), "{errors}");
    }
}

#[tokio::test]
async fn the_patterns_of_a_list_or_an_account_compile_to_4_mib_at_most() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    // Each takes some 70 KiB.
    let large =
        |count: usize| -> Value { (0..count).map(|number| format!("{number}(?-u:[a-z]){{3000}}")).collect() };
    app.admin
        .put_json(NEWS, &json!({"taboo_headers": large(40), "taboo_body": large(40)}))
        .await
        .error(400, "4 MiB");
    app.admin.put_json(NEWS, &json!({"taboo_headers": large(30)})).await.good();
    let refused = app.admin.put_json(NEWS, &json!({"taboo_body": large(40)})).await.error(400, "4 MiB");
    assert_eq!(refused["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), ["taboo_body"]);
    app.admin.put_json(NEWS, &json!({"taboo_body": ["small"]})).await.good();
    app.admin.put_json(NEWS, &json!({"taboo_headers": [], "taboo_body": large(30)})).await.good();
    let account = format!("/api/2/accounts/{}/", app.account_id());
    let body = json!({"restrict_contact": large(30), "restrict_contact_subscription": large(40)});
    app.admin.put_json(&account, &body).await.error(400, "4 MiB");
}

#[tokio::test]
async fn other_accounts_are_answered_while_patterns_judge_a_message_that_is_then_held() {
    let app = TestApp::start().await;
    let other = app.other_account().await;
    app.list("news").open().with("taboo_body", SLOW).create().await;
    other.post("/api/2/lists/", &[("name", "theirs")]).await.good();

    let posting = begin_post(&app, format!("Subject: slow\n\n{}", noise(200_000)));
    for number in 0..10 {
        let description = number.to_string();
        other.put("/api/2/lists/theirs/", &[("description", &description)]).await.good();
    }
    assert!(!posting.is_finished(), "no time has passed");
    assert_eq!(let_time_pass(&app, &other, posting).await.code, 250);
    assert_eq!(reasons(&app).await, ["patterns took too long"]);
}

#[tokio::test]
async fn a_message_is_judged_by_the_patterns_that_the_list_has_when_it_is_taken() {
    let app = TestApp::start().await;
    let other = app.other_account().await;
    app.list("news").open().with("taboo_body", SLOW).create().await;

    let posting = begin_post(&app, format!("Subject: slow\n\n{}", noise(200_000)));
    matching(&app).await;
    other.get("/api/2/lists/").await.good();
    app.admin.put(NEWS, &[("taboo_body", "abba")]).await.good();
    // This ends the judgement by the first pattern; there is time for the one by the second.
    app.clock.advance(Duration::from_millis(250));
    assert_eq!(posting.await.unwrap().code, 250);
    assert_eq!(reasons(&app).await, ["the content matches the pattern abba"]);
}

#[tokio::test]
async fn patterns_from_before_the_limit_hold_what_no_other_pattern_holds() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    app.change_list("news", |list| {
        list.taboo_headers = vec!["(".to_owned(), "^subject: .*casino".to_owned()];
        list.taboo_body = vec![ATTACK.to_owned(), "w[i1]n".to_owned()];
    })
    .await;
    let reason = held(&app, "Subject: casino\n\nhi").await.unwrap();
    assert_eq!(reason, "a header matches the pattern ^subject: .*casino");
    assert_eq!(held(&app, "Subject: a\n\nw1n").await.unwrap(), "the content matches the pattern w[i1]n");
    let reason = held(&app, "Subject: a\n\nhi").await.unwrap();
    assert!(reason.starts_with("patterns took too long: a pattern is larger"), "{reason}");

    let message = json!({"message": "From: ada@x.org\n\nhi\n", "from": "ada@x.org"});
    let simulation = app.admin.post_json(&format!("{NEWS}simulate/"), &message).await.good();
    assert_eq!((&simulation["verdict"], &simulation["reason"]), (&json!("hold"), &json!(reason)));
}

#[tokio::test]
async fn text_beyond_the_first_mebibyte_is_held_unjudged() {
    let app = TestApp::start().await;
    app.list("news").open().with("taboo_body", "casino").with("maxlength", "51200").create().await;
    let long = noise(1_100_000);
    let reason = held(&app, &format!("Subject: a\n\n{long}casino\n")).await.unwrap();
    assert_eq!(reason, "patterns took too long: the text is longer than is judged");
    let reason = held(&app, &format!("Subject: a\n\ncasino\n{long}")).await.unwrap();
    assert_eq!(reason, "the content matches the pattern casino");
    assert_eq!(held(&app, &format!("Subject: a\n\n{}", noise(1_000_000))).await, None);
    // Nothing of the body is judged where no pattern asks for it.
    app.admin.put(NEWS, &[("taboo_body", ""), ("taboo_headers", "casino")]).await.good();
    assert_eq!(held(&app, &format!("Subject: a\n\n{long}")).await, None);
}

#[tokio::test]
async fn other_accounts_are_answered_while_restrict_contact_judges_a_batch() {
    let app = TestApp::start().await;
    let other = app.other_account().await;
    // Each address leads every pattern through new sets of states.
    let patterns: Value = (1..=100).map(|number| format!(r"a(?-u:[ -~]){{190}}c{{{number}}}$")).collect();
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put_json(&account, &json!({"restrict_contact": patterns})).await.good();
    let noise = noise(100_000).replace('\n', "");
    let address = |place: usize| {
        let part = |number: usize| &noise[place * 240 + number * 60..][..60];
        format!("{}@{}.{}.{}.org", part(0), part(1), part(2), part(3))
    };
    let rows: Value = (0..200).map(|place| json!({"emails": [address(place)]})).collect();

    let admin = app.admin.clone();
    let batch = tokio::spawn(async move { admin.post_json("/api/2/contacts/batch/", &rows).await.good() });
    other.post("/api/2/contacts/", &[("emails", "a@x.org")]).await.good();
    assert!(!batch.is_finished(), "no time has passed");
    let answer = let_time_pass(&app, &other, batch).await;
    let rows = answer["data"].as_array().unwrap();
    assert_eq!(rows.len(), 200);
    assert!(rows.iter().all(|row| row["status"] == 400), "{answer}");
    let last = rows[199].to_string();
    assert!(
        last.contains("could not be checked against restrict_contact (patterns took too long)"),
        "{last}"
    );
}

#[tokio::test]
async fn an_address_is_refused_where_a_pattern_from_before_the_limit_could_decide() {
    let app = TestApp::start().await;
    app.change_account(|account| {
        account.settings.restrict_contact = vec![ATTACK.to_owned(), "@x\\.org$".to_owned()];
    })
    .await;
    app.admin.post("/api/2/contacts/", &[("emails", "a@x.org")]).await.good();
    app.admin.post("/api/2/contacts/", &[("emails", "a@y.org")]).await.error(400, "could not be checked");
}

#[tokio::test]
async fn maxlength_counts_a_message_as_it_was_handed_over() {
    let app = TestApp::start().await;
    app.list("news").open().with("maxlength", "10").create().await;
    let post = |octets: usize, id: usize| {
        let head = format!("From: ada@x.org\r\nMessage-ID: <{id}@x.org>\r\n\r\n");
        let mut message = head;
        while message.len() < octets {
            let line = (octets - message.len()).min(78);
            let _ = write!(message, "{}\r\n", "x".repeat(line - 2));
        }
        assert_eq!(message.len(), octets);
        message
    };
    for (id, octets, code) in [(1, 9_950, 250), (2, 10_238, 250), (3, 10_243, 552)] {
        let reply = app.send_mail("ada@x.org", "news@lists.example.org", &post(octets, id)).await;
        assert_eq!(reply.code, code, "{octets}: {reply}");
    }
    app.settle().await;
    assert_eq!(app.admin.get("/api/2/messages/").await.good()["count"], 2);
}

#[tokio::test]
async fn taboo_body_finds_what_a_reader_of_html_sees() {
    let app = TestApp::start().await;
    app.list("news").open().with("taboo_body", "casino").with("taboo_body", "free money").create().await;
    let html = |body: &str| format!("Subject: a\nContent-Type: text/html; charset=utf-8\n\n<p>{body}</p>\n");
    for body in [
        "c&#97;sino",
        "free&nbsp;money",
        "free\u{a0}money",
        "ca<b>si</b>no",
        "ca<!-- x -->sino",
        "<td>free</td><td>money</td>",
        "<a href=\"https://casino.example\">here</a>",
        "<style>casino</style>",
    ] {
        assert!(held(&app, &html(body)).await.is_some(), "{body}");
    }
    for body in ["ca<p>sino", "free<b>money</b>", "ca&lt;!-- x --&gt;sino"] {
        assert_eq!(held(&app, &html(body)).await, None, "{body}");
    }
    let quoted = "Subject: a\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\nc=26#x61;s=\nino\n";
    assert!(held(&app, quoted).await.is_some());
    assert!(held(&app, "Subject: a\n\nplain c&#97;sino\n").await.is_none(), "plain text is no HTML");
}
