//! `search` on messages.

use serde_json::{Value, json};

use super::{column, key_holder, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::{Client, encode};

const MESSAGES: &str = "/api/2/messages/";

/// Posts through the API; answers the id.
async fn post(app: &TestApp, list: &str, subject: &str, text: &str) -> u64 {
    let body = json!({"list": list, "subject": subject, "content_plain": text});
    app.admin.post_json(MESSAGES, &body).await.good()["id"].as_u64().expect("an id")
}

/// The ids that a query finds, and how many it says there are.
async fn query(client: &Client, query: &str) -> (Vec<u64>, u64) {
    let listing = client.get(&format!("{MESSAGES}?fields=id&{query}")).await.good();
    let ids = column(&listing, "id").iter().filter_map(Value::as_u64).collect();
    (ids, listing["count"].as_u64().expect("a count"))
}

/// The ids that a search finds; the count must agree.
async fn found(app: &TestApp, question: &str) -> Vec<u64> {
    let (ids, count) = query(&app.admin, &format!("search={}", encode(question))).await;
    assert_eq!(count, ids.len() as u64, "{question}");
    ids
}

async fn start() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    app.list("team").open().create().await;
    app
}

#[tokio::test]
async fn a_message_is_found_by_the_words_of_its_subject_sender_and_decoded_text() {
    let app = start().await;
    let mail = "From: =?utf-8?q?Zo=C3=AB?= Smith <zoe.s@x-y.org>\n\
        Subject: =?utf-8?q?Caf=C3=A9?= at 5\nMessage-ID: <1@x.org>\nMIME-Version: 1.0\n\
        Content-Type: multipart/alternative; boundary=b\n\n\
        --b\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n\
        Liebe Gr=FC=DFe, O'Neill: un=\nbroken\n\
        --b\nContent-Type: text/html\n\n<p>elsewhere</p>\n--b--\n";
    app.send_mail("zoe.s@x-y.org", "news@lists.example.org", mail).await;
    let html = "From: bob@x.org\nSubject: two\nMessage-ID: <2@x.org>\nContent-Type: text/html; charset=utf-8\n\
        Content-Transfer-Encoding: base64\n\nPHA+SW4gPGI+PCEtLSBuZXZlciAtLT5saW5lPC9iPjwvcD48c3R5bGU+aGlkZGVuPC9zdHlsZT4=\n";
    app.send_mail("bob@x.org", "news@lists.example.org", html).await;
    app.settle().await;
    let all = found(&app, "").await;
    let [second, first] = all[..] else { panic!("two messages were posted: {all:?}") };
    for question in [
        "cafe",
        "CAFÉ 5",
        "zoe",
        "smith zoë",
        "y.org",
        "zoe.s@x-y.org",
        "grusse",
        "GRÜSSE li",
        "neill",
        "unbroken",
    ] {
        assert_eq!(found(&app, question).await, [first], "{question}");
    }
    for question in ["in line", "bob two"] {
        assert_eq!(found(&app, question).await, [second], "{question}");
    }
    assert_eq!(found(&app, "- org").await, [second, first]);
    for question in ["elsewhere", "never", "hidden", "afe", "zoe bob", "multipart", "cafes"] {
        assert_eq!(found(&app, question).await, [0u64; 0], "{question}");
    }
}

#[tokio::test]
async fn a_search_combines_with_the_other_filters() {
    let app = start().await;
    let tea = post(&app, "news", "Tea", "one cup").await;
    let body = json!({"list": "news", "subject": "Re: Tea", "content_plain": "two cups", "parent": tea});
    let reply = app.admin.post_json(MESSAGES, &body).await.good()["id"].as_u64().expect("an id");
    app.advance(std::time::Duration::from_hours(1)).await;
    let team = post(&app, "team", "Cups", "tea for two").await;
    let other = post(&app, "news", "Coffee", "no tea").await;
    app.settle().await;
    for (asked, expected) in [
        ("search=tea".to_owned(), vec![other, team, reply, tea]),
        ("search=tea+cup".to_owned(), vec![team, reply, tea]),
        ("search=tea+cup&list=news".to_owned(), vec![reply, tea]),
        ("search=two&list=team".to_owned(), vec![team]),
        (format!("search=cup&thread={tea}"), vec![reply, tea]),
        (format!("search=two&thread={tea}"), vec![reply]),
        (format!("search=two&thread={tea}&list=team"), vec![]),
        ("search=tea&subject=re".to_owned(), vec![reply]),
        ("search=tea&from=team".to_owned(), vec![team]),
        ("search=tea&until=2026-11-20T12:30:00Z".to_owned(), vec![reply, tea]),
        ("search=tea&since=2026-11-20T12:30:00Z".to_owned(), vec![other, team]),
        ("search=tea+two&since=2026-11-20T12:30:00Z&list=team&from=team".to_owned(), vec![team]),
        ("search=-&list=team".to_owned(), vec![team]),
        ("search=coffee&list=team".to_owned(), vec![]),
    ] {
        let count = expected.len() as u64;
        assert_eq!(query(&app.admin, &asked).await, (expected, count), "{asked}");
    }
    app.admin.get(&format!("{MESSAGES}?search=tea&list=nothing")).await.error(404, "no such list");
    app.admin.get(&format!("{MESSAGES}?search=tea&thread={team}9")).await.error(404, "no such thread");
    let response = app.admin.get(&format!("{MESSAGES}?search={}", "a".repeat(201))).await;
    assert_eq!(wrong_fields(&response), ["search"]);
}

#[tokio::test]
async fn a_search_is_paged_by_number_and_by_position() {
    let app = start().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        ids.insert(0, post(&app, if number % 2 == 0 { "news" } else { "team" }, "Tea", "five").await);
        post(&app, "news", "Coffee", "five").await;
    }
    app.settle().await;
    for (part, expected) in [
        ("limit=3".to_owned(), &ids[..3]),
        ("limit=3&page=3".to_owned(), &ids[6..]),
        ("limit=3&page=4".to_owned(), &[]),
        (format!("limit=3&after={}", ids[2]), &ids[3..6]),
        (format!("limit=3&after={}&subject=tea", ids[2]), &ids[3..6]),
        (format!("limit=3&after={}", ids[2] - 1), &ids[3..6]),
    ] {
        let asked = format!("search=tea&{part}");
        assert_eq!(query(&app.admin, &asked).await, (expected.to_vec(), 7), "{asked}");
    }
}

#[tokio::test]
async fn what_is_taken_out_of_the_archive_is_not_found() {
    let app = start().await;
    let one = post(&app, "news", "Tea", "one").await;
    let two = post(&app, "news", "Tea", "two").await;
    // Before its words are read, and after.
    app.admin.delete(&format!("{MESSAGES}{one}/")).await.good();
    app.settle().await;
    assert_eq!(found(&app, "tea").await, [two]);
    app.admin.delete(&format!("{MESSAGES}{two}/")).await.good();
    assert_eq!(found(&app, "tea").await, [0u64; 0]);
    assert_eq!(
        [app.dump("search_recent"), app.dump("search_segment")],
        ["search_recent\n", "search_segment\n"]
    );
    let in_team = post(&app, "team", "Tea", "three").await;
    app.settle().await;
    app.admin.put("/api/2/lists/team/", &[("name", "crew")]).await.good();
    assert_eq!(query(&app.admin, "search=tea&list=crew").await, (vec![in_team], 1));
    app.admin.delete("/api/2/lists/crew/").await.good();
    assert_eq!(
        [app.dump("search_recent"), app.dump("search_segment")],
        ["search_recent\n", "search_segment\n"]
    );
}

/// A text with so many different words.
fn many_words(number: usize) -> String {
    (0..number).map(|number| format!("w{number}")).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn messages_of_many_words_are_found_by_the_first_and_deleted_all_the_same() {
    let app = start().await;
    let text = many_words(5000);
    let mut ids = Vec::new();
    // More words than one job may write or take away.
    for _ in 0..55 {
        ids.insert(0, post(&app, "news", "All", &text).await);
    }
    let in_team = post(&app, "team", "All", &text).await;
    app.settle().await;
    assert_eq!(query(&app.admin, "search=w0+w1900&limit=1000&list=news").await, (ids, 55));
    assert_eq!(found(&app, "w4999").await, [0u64; 0]);
    app.admin.delete("/api/2/lists/news/").await.good();
    assert_eq!(found(&app, "w1900").await, [in_team]);
}

#[tokio::test]
async fn a_deleted_account_leaves_no_words() {
    let app = start().await;
    post(&app, "news", "Tea", &many_words(100)).await;
    app.settle().await;
    post(&app, "team", "Not read yet", "five").await;
    app.global().await.delete(&format!("/api/2/accounts/{}/", app.account_id())).await.good();
    app.removed().await;
    app.settle().await;
    assert_eq!(
        [app.dump("search_recent"), app.dump("search_segment")],
        ["search_recent\n", "search_segment\n"]
    );
    assert_eq!(app.dump("message").lines().count(), 1);
}

#[tokio::test]
async fn indexing_continues_after_a_restart() {
    let mut app = start().await;
    let id = post(&app, "news", "Tea", "five").await;
    app.restart().await;
    let later = post(&app, "news", "Tea", "five").await;
    app.settle().await;
    assert_eq!(found(&app, "tea").await, [later, id]);
}

#[tokio::test]
async fn a_search_finds_nothing_outside_the_limits_of_the_caller() {
    let app = start().await;
    let seen = post(&app, "news", "Tea", "open").await;
    let hidden = post(&app, "team", "Tea", "secret").await;
    app.settle().await;
    let fields = json!({"permissions": ["send_messages", "limit_lists"], "limit_lists": ["news"]});
    let limited = key_holder(&app, fields).await;
    assert_eq!(query(&limited, "search=tea").await, (vec![seen], 1));
    assert_eq!(query(&limited, "search=secret").await, (vec![], 0));
    assert_eq!(query(&limited, "search=tea&since=0").await, (vec![seen], 1));
    limited.get(&format!("{MESSAGES}?search=tea&list=team")).await.error(404, "no such list");
    limited.get(&format!("{MESSAGES}?search=tea&thread={hidden}")).await.error(404, "no such thread");
    let other = app.other_account().await;
    assert_eq!(query(&other, "search=tea").await, (vec![], 0));
    app.key_with([]).await.get(&format!("{MESSAGES}?search=tea")).await.error(403, "permission");
    assert_eq!(found(&app, "tea").await, [hidden, seen]);
}

#[tokio::test]
async fn cached_answers_include_messages_indexed_since() {
    let app = start().await;
    assert_eq!(found(&app, "tea").await, [0u64; 0]);
    let id = post(&app, "news", "Tea", "five").await;
    // Whether it is found by now is open; once its words are written, it is.
    query(&app.admin, "search=tea").await;
    app.settle().await;
    assert_eq!(found(&app, "tea").await, [id]);
}
