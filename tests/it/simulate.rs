//! The simulator says what then happens, and makes nothing happen.

use crier::model::AccountId;
use crier::ops::posting::simulate;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::http::{Client, Response};

const MEMBER: &str = "member1@example.org";

fn path(list: &str) -> String {
    format!("/api/2/lists/{list}/simulate/")
}

async fn simulate(app: &TestApp, list: &str, from: &str, message: &str) -> Value {
    app.admin.post_json(&path(list), &json!({"message": message, "from": from})).await.good()
}

async fn count(app: &TestApp, listing: &str) -> u64 {
    app.admin.get(&format!("/api/2/{listing}/")).await.good()["count"].as_u64().expect("a count")
}

/// What becomes of a message that is really sent, in the simulator's words.
async fn outcome(app: &TestApp, list: &TestList, from: &str, message: &str) -> &'static str {
    let before = (count(app, "messages").await, count(app, "held").await);
    let reply = app.send_mail(from, &list.address, message).await;
    app.settle().await;
    let (messages, held) = (count(app, "messages").await - before.0, count(app, "held").await - before.1);
    match (reply.code, messages, held) {
        (250, 1, 0) => "post",
        (250, 0, 1) => "hold",
        (250, 0, 0) => "discard",
        (550..=554, 0, 0) => "reject",
        other => panic!("{} from {from}: {other:?} after {message}", list.name),
    }
}

/// Lists of every kind of rule, each with one member.
async fn lists(app: &TestApp) -> Vec<TestList> {
    let with: [(&str, &[(&str, &str)]); 11] = [
        ("anyone", &[("moderate", "0")]),
        ("members", &[]),
        ("rejecting", &[("message_rejections", "reject")]),
        ("discarding", &[("message_rejections", "discard")]),
        ("approving", &[("moderate", "1")]),
        ("topics", &[("moderate", "0"), ("hold_replies", "true")]),
        ("people", &[("moderate", "0"), ("hold_automated", "true")]),
        ("allowing", &[("moderate", "10"), ("restrict_post_allowed_emails", "eve@x.org")]),
        ("banning", &[("moderate", "16"), ("restrict_post_banned_emails", "eve@x.org")]),
        ("clean", &[("moderate", "0"), ("taboo_headers", "^subject:.*casino"), ("taboo_body", "w[i1]n")]),
        ("small", &[("moderate", "0"), ("maxlength", "1")]),
    ];
    let mut lists = Vec::new();
    for (name, fields) in with {
        let list = fields.iter().fold(app.list(name), |list, (field, value)| list.with(field, value));
        lists.push(list.member(MEMBER).create().await);
    }
    lists
}

#[tokio::test]
async fn a_simulation_predicts_the_real_outcome() {
    let app = TestApp::start().await;
    let lists = lists(&app).await;
    let large = format!("Subject: large\n\n{}", "A line of a message.\n".repeat(100));
    let messages: [(&str, &str); 11] = [
        (MEMBER, "Subject: hello\n\nhi\n"),
        ("eve@x.org", "Subject: hello\n\nhi\n"),
        ("", "Subject: a report\n\nhi\n"),
        (MEMBER, "Subject: Re: hello\nIn-Reply-To: <0@x.org>\n\nyes\n"),
        (MEMBER, "Subject: away\nAuto-Submitted: auto-replied\n\naway\n"),
        (MEMBER, "Subject: a cron job\nAuto-Submitted: auto-generated\n\ndone\n"),
        (MEMBER, "Subject: =?utf-8?q?Cas=69no?=\n\nhi\n"),
        (MEMBER, "Subject: hi\nContent-Transfer-Encoding: base64\n\nV0lOIGJpZw==\n"),
        (MEMBER, "Subject: again\nList-Id: <anyone.lists.example.org>\n\nhi\n"),
        (MEMBER, &large),
        ("eve@x.org", &large),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (number, (from, text)) in messages.iter().enumerate() {
        let author = if from.is_empty() { MEMBER } else { from };
        for list in &lists {
            let message = format!("From: {author}\nMessage-ID: <{number}.{}@x.org>\n{text}", list.name);
            let said = simulate(&app, &list.name, from, &message).await;
            let happened = outcome(&app, list, from, &message).await;
            assert_eq!(said["verdict"], happened, "{}: {message}\n{said:#}", list.name);
            assert_eq!(said["recipients"], 1);
            let decisive =
                said["rules"].as_array().expect("rules").iter().find(|rule| rule["verdict"] != json!(null));
            match decisive {
                Some(rule) => {
                    assert_eq!((&rule["verdict"], &rule["reason"]), (&said["verdict"], &said["reason"]));
                }
                None => assert_eq!((&said["verdict"], &said["reason"]), (&json!("post"), &json!(null))),
            }
            seen.insert(happened);
            if happened == "post" {
                // The same message a second time.
                let said = simulate(&app, &list.name, from, &message).await;
                assert_eq!(
                    (&said["verdict"], &said["rules"][1]["rule"]),
                    (&json!("discard"), &json!("duplicate"))
                );
            }
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["discard", "hold", "post", "reject"]);
}

#[tokio::test]
async fn what_cannot_be_read_is_refused() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    for message in ["Subject: nobody\n\nhi\n", "From: a@x.org\nFrom: b@x.org\n\nhi\n"] {
        let said = simulate(&app, "news", "a@x.org", message).await;
        assert_eq!((&said["verdict"], &said["rules"]), (&json!("reject"), &json!([])), "{message}");
        assert!(said["reason"].as_str().expect("a reason").contains("From"), "{said}");
        // A message without an author gets one from whoever sends it in these tests.
        if message.starts_with("From") {
            assert_eq!(outcome(&app, &list, "a@x.org", message).await, "reject");
        }
    }
}

#[tokio::test]
async fn a_simulation_shows_what_a_member_then_gets() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app
        .list("news")
        .open()
        .with("subject_prefix", "[News]")
        .with("message_footer", "Sent by $LIST")
        .with("reply_to", "team@x.org")
        .with("rewrite_sender", "true")
        .members(3)
        .create()
        .await;
    app.pause("member2@example.org").await;
    let message = "From: Eve <eve@x.org>\nTo: news@lists.example.org\nSubject: hello\nMessage-ID: <1@x.org>\n\
        Date: Fri, 20 Nov 2026 12:00:00 +0000\nBcc: hidden@x.org\n\nhi\n";
    let said = simulate(&app, "news", "eve@x.org", message).await;
    assert_eq!(said["recipients"], 2);
    let changes = said["changes"].as_array().expect("changes");
    for change in ["subject prefix", "From rewritten", "footer: text/plain", "header removed: Bcc"] {
        assert!(changes.contains(&json!(change)), "{change} in {changes:?}");
    }
    app.send_mail("eve@x.org", &list.address, message).await;
    app.settle().await;
    let copy = app.sink.mail_to(MEMBER);
    let real = header_of(&copy.text());
    let simulated: Vec<(String, String)> = said["headers"]
        .as_array()
        .expect("headers")
        .iter()
        .map(|field| (text(&field["name"]), text(&field["value"])))
        .collect();
    // What the way in adds, before a message is looked at.
    let on_the_way = |name: &str| matches!(name, "Received" | "Return-Path" | "Authentication-Results");
    let names = |fields: &[(String, String)]| -> Vec<String> {
        fields.iter().map(|(name, _)| name.clone()).filter(|name| !on_the_way(name)).collect()
    };
    assert_eq!(names(&simulated), names(&real));
    for (name, value) in simulated {
        // A real copy has a member's own token, and the number that its message got.
        if !value.contains("TOKEN") && !value.contains("/messages/0/") && !on_the_way(&name) {
            assert!(real.contains(&(name.clone(), value.clone())), "{name}: {value} not in {real:#?}");
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The header fields of a mail, unfolded.
fn header_of(mail: &str) -> Vec<(String, String)> {
    let header = mail.split("\n\n").next().unwrap_or_default().replace("\n ", " ").replace("\n\t", "\t");
    let field =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    header.lines().filter_map(field).collect()
}

#[tokio::test]
async fn a_simulation_leaves_nothing_behind() {
    let app = TestApp::start().await;
    app.list("news").open().members(1).create().await;
    let tables = ["message", "held", "fan_out", "batch", "system_mail", "message_words"];
    let before: Vec<String> = tables.iter().map(|table| app.dump(table)).collect();
    for _ in 0..3 {
        simulate(&app, "news", MEMBER, &format!("From: {MEMBER}\n\nhi\n")).await;
    }
    app.settle().await;
    assert_eq!(tables.iter().map(|table| app.dump(table)).collect::<Vec<_>>(), before);
    assert_eq!(app.sink.copies(), 0);
    let posted = app.admin.post("/api/2/messages/", &[("list", "news"), ("content_plain", "x")]).await.good();
    assert_eq!(posted["id"], 1, "no number was used");
}

/// Posts a message as it is.
async fn raw(client: &Client, path: &str, kind: &str, message: &str) -> Response {
    client.request("POST", path, &[("content-type", kind)], message.as_bytes()).await
}

#[tokio::test]
async fn a_message_comes_as_the_body_or_in_a_field() {
    let app = TestApp::start().await;
    app.list("news").with("moderate", "0").create().await;
    let message = "From: a@x.org\nSubject: hello\n\nhi\n";
    let expected = app.admin.post(&path("news"), &[("message", message)]).await.good();
    assert_eq!(expected["verdict"], "post");
    let body = raw(&app.admin, &path("news"), "message/rfc822", message).await;
    assert_eq!(body.good(), expected);
    let query = format!("{}?from=%3C%3E&extra=1", path("news"));
    let report = raw(&app.admin, &query, "message/rfc822; charset=x", message).await;
    assert_eq!(
        (report.header("x-ignored-parameters"), &report.good()["verdict"]),
        (Some("extra"), &json!("discard"))
    );
    raw(&app.admin, &path("news"), "text/plain", message).await.error(415, "application/json");
    app.admin.post(&path("news"), &[]).await.error(400, "message");
    raw(&app.admin, &path("news"), "message/rfc822", "").await.error(400, "message");
    app.admin.get(&path("news")).await.error(405, "POST");
}

#[tokio::test]
async fn whoever_sets_the_rules_or_decides_may_ask() {
    use crier::model::Permission::{ApproveMessages, ManageMembers, ManageSettings, SendMessages};
    let app = TestApp::start().await;
    app.list("news").create().await;
    let fields = [("message", "From: a@x.org\n\nhi\n")];
    for permission in [ManageSettings, ApproveMessages] {
        app.key_with([permission]).await.post(&path("news"), &fields).await.good();
    }
    let others = app.key_with([ManageMembers, SendMessages]).await;
    others.post(&path("news"), &fields).await.error(403, "approve_messages");
    others.post(&path("nothing"), &[]).await.error(403, "approve_messages");
    app.admin.post(&path("nothing"), &[]).await.error(404, "no such list");
    app.other_account().await.post(&path("news"), &fields).await.error(404, "no such list");
    app.anon.post(&path("news"), &fields).await.error(401, "Authentication failed");
}

#[tokio::test]
async fn an_address_that_takes_commands_is_no_list_and_the_simulator_says_what_it_does() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    app.list("closed").with("subscriptions", "closed").create().await;
    let ask = async |name: &str| {
        let message = json!({"message": "From: ada@example.org\nSubject: x\n\nhi"});
        let response = app.admin.post_json(&path(name), &message).await;
        format!("{} {}", response.status, response.body)
    };
    let told = ask("news-request").await;
    assert!(told.starts_with("400") && told.contains("takes commands for the list news"), "{told}");
    let told = ask("News-Join").await;
    assert!(told.contains("news-join takes requests to join the list news"), "{told}");
    let told = ask("closed-subscribe").await;
    assert!(told.contains("closed-subscribe refuses mail"), "{told}");
    assert!(ask("nothing-request").await.starts_with("404"));
    // The operator's command finds lists by their names and their addresses.
    let core = app.core();
    let tx = core.store.read().unwrap();
    for name in ["news-help", "news-help@lists.example.org", "NEWS-Help@LISTS.example.org"] {
        let told = simulate::find_list(&tx, name).unwrap_err().to_string();
        assert!(told.contains("news-help answers with the commands that the list news takes"), "{told}");
    }
    let account = AccountId(app.account_id());
    let told = simulate::find_list_of(&tx, account, "news-leave").unwrap_err().to_string();
    assert!(told.contains("news-leave takes requests to leave the list news"), "{told}");
    for name in ["nothing-help", "nothing-help@lists.example.org"] {
        assert!(
            simulate::find_list(&tx, name).unwrap_err().to_string().contains("there is no list"),
            "{name}"
        );
    }
}
