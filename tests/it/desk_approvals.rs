//! The page of approvals: several decisions at once, senders who are banned or allowed, and what the second of two
//! administrators is told.

use std::time::Duration;

use crier::model::AccountId;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

const PAGE: &str = "/admin/approvals/";
const EVE: &str = "eve@example.net";

/// An administrator with these permissions, in front of a browser.
pub(crate) async fn admin(app: &TestApp, address: &str, permissions: &[&str]) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    let path = format!("/api/2/admins/{address}/");
    app.admin.put_json(&path, &json!({"permissions": permissions})).await.good();
    Visitor::signed_in(app, person).await
}

#[track_caller]
pub(crate) fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// Sends messages of Eve to `news`, which holds them; their numbers.
async fn hold(app: &TestApp, subjects: &[&str]) -> Vec<u64> {
    let all: Vec<(&str, &str)> = subjects.iter().map(|subject| (EVE, *subject)).collect();
    hold_from(app, &all).await
}

/// Sends messages to `news`, each with its sender and subject.
async fn hold_from(app: &TestApp, mails: &[(&str, &str)]) -> Vec<u64> {
    for (sender, subject) in mails {
        let mail = format!(
            "From: Eve Evans <{sender}>\nSubject: {subject}\nMessage-ID: <{subject}@example.net>\n\nBuy {subject}.\n"
        );
        assert_eq!(app.send_mail(sender, "news@lists.example.org", &mail).await.code, 250);
        app.settle().await;
    }
    let held = app.admin.get("/api/2/held/").await.good();
    held["data"].as_array().unwrap().iter().map(|held| held["id"].as_u64().unwrap()).collect()
}

async fn state(app: &TestApp, id: u64) -> String {
    app.admin.get(&format!("/api/2/held/{id}/")).await.good()["state"].as_str().unwrap().to_owned()
}

/// Sends the form of held messages with more fields.
async fn decide(visitor: &mut Visitor, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(PAGE).await;
    let form = Visitor::form(&shown, PAGE, &["data-keys"]);
    visitor.submit(&form, fields).await
}

async fn list(app: &TestApp) -> Value {
    app.admin.get("/api/2/lists/news/").await.good()
}

#[tokio::test]
async fn held_messages_are_listed_oldest_first_with_why_and_their_text() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    page(&boss.get(PAGE).await, 200, "No messages are waiting");
    hold(&app, &["robes", "hats"]).await;
    let shown = boss.get(PAGE).await;
    for words in ["Eve Evans", "This address is not on news.", "Buy robes.", "Buy hats."] {
        page(&shown, 200, words);
    }
    assert!(shown.body.find(">robes<") < shown.body.find(">hats<"), "oldest first: {}", shown.body);
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    let other = boss.get("/admin/me/").await;
    assert!(!other.header("content-security-policy").unwrap().contains("script-src"), "on this page alone");
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    page(&writer.get(PAGE).await, 403, "Your rights do not cover this page");
}

#[tokio::test]
async fn why_a_message_waits_is_told_in_the_language_of_the_page() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let id = hold(&app, &["robes"]).await[0];
    for (language, words) in [
        ("en", "This address is not on news."),
        ("de", "Diese Adresse steht nicht auf news."),
        ("fr", "Cette adresse n’est pas membre de news."),
        ("es", "Esta dirección no está en news."),
    ] {
        boss.set_cookie("lang", language);
        for path in [PAGE.to_owned(), format!("{PAGE}{id}/")] {
            page(&boss.get(&format!("{path}?lang={language}")).await, 200, words);
        }
    }
    let shown = boss.get(&format!("{PAGE}{id}/?lang=en")).await;
    let field = shown.body.split("<label for=\"reason\">").nth(1).unwrap();
    assert!(field.contains("Only administrators see these words. The sender is not told."), "{field}");
}

#[tokio::test]
async fn several_messages_are_decided_at_once_and_the_rest_waits() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("send_reject_message", "1").members(1).create().await;
    let ids = hold_from(&app, &[(EVE, "one"), ("mallory@example.net", "two"), (EVE, "three")]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    app.sink.clear();
    let [one, two] = [ids[0].to_string(), ids[1].to_string()];
    page(&decide(&mut boss, &[("action", "approve")]).await, 400, "Please select something first");
    page(&decide(&mut boss, &[("id", &one)]).await, 400, "Please press one of the buttons");
    let fields = [("id", &*one), ("id", &two), ("action", "reject"), ("reason", "No  robes, please.")];
    let answer = decide(&mut boss, &fields).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/admin/approvals/?done=reject&count=2"))
    );
    page(&boss.get("/admin/approvals/?done=reject&count=2").await, 200, "2 rejected.");
    app.settle().await;
    assert_eq!(
        app.sink.mails().iter().filter(|mail| mail.to_string().contains("No robes, please.")).count(),
        2
    );
    for (id, expected) in ids.iter().zip(["rejected", "rejected", "held"]) {
        assert_eq!(state(&app, *id).await, expected);
    }
    // The buttons of one message need no selection.
    let three = format!("approve-{}", ids[2]);
    assert_eq!(decide(&mut boss, &[("one", &three)]).await.status, 303);
    assert_eq!(state(&app, ids[2]).await, "approved");
}

#[tokio::test]
async fn the_second_of_two_administrators_is_told_who_decided() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let ids = hold(&app, &["one", "two"]).await;
    let mut first = admin(&app, "first@example.org", &["approve_messages"]).await;
    let mut second = admin(&app, "second@example.org", &["approve_messages"]).await;
    let shown = second.get(PAGE).await;
    let form = Visitor::form(&shown, PAGE, &["data-keys"]);
    let [one, two] = [ids[0].to_string(), ids[1].to_string()];
    assert_eq!(decide(&mut first, &[("id", &one), ("action", "discard")]).await.status, 303);
    let answer = second.submit(&form, &[("id", &one), ("id", &two), ("action", "approve")]).await;
    page(&answer, 409, "It was discarded already, by first@example.org");
    page(&answer, 409, "“two” from Eve Evans &#60;eve@example.net&#62; is approved.");
    assert_eq!(
        (state(&app, ids[0]).await, state(&app, ids[1]).await),
        ("discarded".into(), "approved".into())
    );
    let path = format!("{PAGE}{one}/");
    page(&second.get(&path).await, 200, "by first@example.org");
    let answer = second.submit(&form, &[("id", &one), ("action", "ban")]).await;
    page(&answer, 409, "first@example.org");
    assert_eq!(
        list(&app).await["restrict_post_banned_emails"],
        json!([]),
        "a second decision changes nothing"
    );
}

#[tokio::test]
async fn a_sender_is_banned_or_allowed_with_the_decision() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let ids = hold(&app, &["one", "two"]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let [one, two] = [ids[0].to_string(), ids[1].to_string()];
    assert_eq!(decide(&mut boss, &[("id", &one), ("action", "allow")]).await.status, 303);
    assert_eq!(state(&app, ids[0]).await, "approved");
    let shown = list(&app).await;
    assert_eq!((&shown["restrict_post_allowed_emails"], &shown["moderate"]), (&json!([EVE]), &json!(14)));
    let path = format!("{PAGE}{two}/");
    let shown = boss.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"ban\""]);
    assert_eq!(boss.submit(&form, &[("action", "ban")]).await.status, 303);
    assert_eq!(state(&app, ids[1]).await, "discarded");
    let shown = list(&app).await;
    assert_eq!(shown["restrict_post_banned_emails"], json!([EVE]));
    assert_eq!(shown["restrict_post_allowed_emails"], json!([]));
    assert_eq!(shown["moderate"], json!(30));
    let log = app.admin.get("/api/2/audit/?action=list.updated").await.good();
    assert_eq!(log["data"][0]["detail"], json!("restrict_post_banned_emails, moderate"));
    assert_eq!(log["data"][0]["actor"]["name"], json!("boss@example.org"));
}

/// An administrator who decides about messages of one list alone.
async fn limited_to(app: &TestApp, list: &str) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), "limited@example.org").await;
    let rights = json!({"permissions": ["approve_messages", "limit_lists"], "limit_lists": [list]});
    app.admin.put_json("/api/2/admins/limited@example.org/", &rights).await.good();
    Visitor::signed_in(app, person).await
}

/// The page that a decision leads to.
async fn followed(visitor: &mut Visitor, answer: &Response) -> Response {
    assert_eq!(answer.status, 303, "{}", answer.body);
    visitor.get(answer.header("location").unwrap()).await
}

#[tokio::test]
async fn the_answer_names_what_was_decided() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let ids = hold(&app, &["one", "two", "three", "four"]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    for (id, action, words) in [
        (ids[0], "approve", "“one” from Eve Evans &#60;eve@example.net&#62; is approved."),
        (ids[1], "reject", "“two” from Eve Evans &#60;eve@example.net&#62; is rejected."),
        (ids[2], "discard", "“three” from Eve Evans &#60;eve@example.net&#62; is discarded."),
        (ids[3], "allow", "is approved. eve@example.net may write to the list news from now on."),
    ] {
        let answer = decide(&mut boss, &[("id", &id.to_string()), ("action", action)]).await;
        page(&followed(&mut boss, &answer).await, 200, words);
    }
    // An address that was written by hand tells of no decision that was not made, nor to those who may not know it.
    let path = format!("{PAGE}?done=discard&count=1&id={}", ids[0]);
    let shown = boss.get(&path).await;
    assert!(!shown.body.contains("“one”"), "{}", shown.body);
    app.list("choir").members(1).create().await;
    let mut limited = limited_to(&app, "choir").await;
    let shown = limited.get(&format!("{PAGE}?done=approve&count=1&id={}", ids[0])).await;
    assert_eq!(shown.status, 200);
    assert!(!shown.body.contains("“one”"), "{}", shown.body);
}

#[tokio::test]
async fn after_a_ban_the_other_messages_of_the_sender_are_offered() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let mails = [(EVE, "one"), ("mallory@example.net", "other"), (EVE, "two"), (EVE, "three")];
    let ids = hold_from(&app, &mails).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let answer = decide(&mut boss, &[("id", &ids[0].to_string()), ("action", "ban")]).await;
    let told = followed(&mut boss, &answer).await;
    page(&told, 200, "“one” from Eve Evans &#60;eve@example.net&#62; is discarded.");
    page(&told, 200, "eve@example.net is banned from the list news");
    page(&told, 200, "2 more messages from eve@example.net are waiting");
    let path = format!("{PAGE}?from=eve%40example%2Enet");
    page(&told, 200, &format!("href=\"{path}\""));
    let shown = boss.get(&path).await;
    page(&shown, 200, "2 messages are found.");
    assert!(shown.body.contains(">two<") && !shown.body.contains(">other<"), "{}", shown.body);
    assert_eq!(shown.body.matches(" checked>").count(), 2, "all of them are selected: {}", shown.body);
    let form = Visitor::form(&shown, &path, &["data-keys"]);
    let [two, three] = [ids[2].to_string(), ids[3].to_string()];
    let answer = boss.submit(&form, &[("id", &two), ("id", &three), ("action", "discard")]).await;
    page(&followed(&mut boss, &answer).await, 200, "2 discarded.");
    for (id, expected) in ids.iter().zip(["discarded", "held", "discarded", "discarded"]) {
        assert_eq!(state(&app, *id).await, expected);
    }
    let answer = decide(&mut boss, &[("id", &ids[1].to_string()), ("action", "ban")]).await;
    let told = followed(&mut boss, &answer).await;
    page(&told, 200, "mallory@example.net is banned from the list news");
    assert!(!told.body.contains("more message"), "{}", told.body);
}

/// The number beside the menu's entry of approvals, and its words; blank if nothing waits.
fn badge(response: &Response) -> String {
    let entry = response.body.split("<nav id=\"menu\"").nth(1).unwrap().split("</nav>").next().unwrap();
    let entry = entry.split("href=\"/admin/approvals/\"").nth(1).expect("the entry of the menu");
    let entry = entry.split("</a>").next().unwrap();
    let words = entry.split("aria-hidden=\"true\">").nth(1).map(|rest| rest.replace("</span>", ""));
    words.map(|words| words.replace("<span class=\"unseen\">", "")).unwrap_or_default()
}

#[tokio::test]
async fn the_menu_shows_how_many_wait_for_the_administrator() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    app.list("choir").members(1).create().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let mut approver = admin(&app, "approver@example.org", &["approve_messages"]).await;
    let mut limited = limited_to(&app, "choir").await;
    assert_eq!(badge(&boss.get("/admin/me/").await), "");
    let ids = hold(&app, &["one", "two"]).await;
    let (news, choir) = (app.list_record("news"), app.list_record("choir"));
    let request = |id, list: &crier::model::List, kind| crier::model::Pending {
        id: crier::model::PendingId(id),
        account: list.account,
        kind,
        list: list.id,
        list_name: list.name.to_string(),
        email: Some(crier::model::EmailAddress::parse("ada@example.org").unwrap()),
        name: "ada".to_owned(),
        requested: crier::clock::Timestamp::from_ms(1_790_000_000_000),
        state: crier::model::pending::PendingState::Pending,
        decision: None,
    };
    let rows = [
        request(901, &news, crier::model::pending::PendingKind::Subscription),
        request(902, &choir, crier::model::pending::PendingKind::Unsubscription),
        request(903, &choir, crier::model::pending::PendingKind::List),
    ];
    app.core()
        .store
        .write(move |tx| {
            rows.iter().try_for_each(|row| tx.put(row))?;
            Ok::<_, crier::store::StoreError>(())
        })
        .await
        .unwrap();
    let waiting = |count: u64| format!("{count}, {count} are waiting");
    assert_eq!(
        badge(&boss.get("/admin/me/").await),
        waiting(5),
        "new lists are decided by whoever may do all"
    );
    assert_eq!(badge(&approver.get("/admin/me/").await), waiting(4));
    assert_eq!(badge(&limited.get("/admin/me/").await), "1, one is waiting");
    let id = ids[0].to_string();
    assert_eq!(decide(&mut boss, &[("id", &id), ("action", "discard")]).await.status, 303);
    assert_eq!(badge(&approver.get("/admin/me/").await), waiting(3));
    let lists = "/admin/approvals/?kind=lists";
    let shown = boss.get(lists).await;
    let form = Visitor::form(&shown, lists, &["value=\"lists\""]);
    let answer = boss.submit(&form, &[("one", "discard-903")]).await;
    page(&followed(&mut boss, &answer).await, 200, "The new list choir is discarded.");
}

#[tokio::test]
async fn a_list_that_anybody_may_post_to_stays_open_when_a_sender_is_allowed() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").open().with("hold_automated", "1").members(1).create().await;
    let mail =
        format!("From: {EVE}\nAuto-Submitted: auto-generated\nMessage-ID: <l@example.net>\n\nBackup done.\n");
    assert_eq!(app.send_mail(EVE, "news@lists.example.org", &mail).await.code, 250);
    app.settle().await;
    let held = app.admin.get("/api/2/held/").await.good();
    let id = held["data"][0]["id"].as_u64().expect("mail of a machine is held").to_string();
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    assert_eq!(decide(&mut boss, &[("id", &id), ("action", "allow")]).await.status, 303);
    let shown = list(&app).await;
    assert_eq!((&shown["restrict_post_allowed_emails"], &shown["moderate"]), (&json!([EVE]), &json!(0)));
}

#[tokio::test]
async fn a_list_whose_every_message_waits_shuts_nobody_out_when_a_sender_is_allowed() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news")
        .open()
        .with("moderate", "1")
        .with("message_rejections", "reject")
        .members(1)
        .create()
        .await;
    let ids = hold(&app, &["one"]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    assert_eq!(decide(&mut boss, &[("id", &ids[0].to_string()), ("action", "allow")]).await.status, 303);
    let shown = list(&app).await;
    assert_eq!((&shown["restrict_post_allowed_emails"], &shown["moderate"]), (&json!([EVE]), &json!(1)));
    // Others still wait, and are not sent back.
    let mail = "From: zoe@example.net\nMessage-ID: <z@example.net>\n\nHello.\n";
    assert_eq!(app.send_mail("zoe@example.net", "news@lists.example.org", mail).await.code, 250);
}

#[tokio::test]
async fn a_held_message_is_shown_whole_and_harmless_with_its_files() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let mail = format!(
        "From: {EVE}\nSubject: pictures\nMessage-ID: <p@example.net>\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n\
         <p onclick=\"x()\">Buy<script>alert(1)</script></p><img src=\"https://tracker.example/x.png\">\n--b\n\
         Content-Type: application/pdf; name=\"plan.pdf\"\nContent-Disposition: attachment; filename=\"plan.pdf\"\n\n\
         %PDF-1.4\n--b--\n"
    );
    assert_eq!(app.send_mail(EVE, "news@lists.example.org", &mail).await.code, 250);
    app.settle().await;
    let id = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].as_u64().unwrap();
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let shown = boss.get(&format!("{PAGE}{id}/")).await;
    page(&shown, 200, "Buy");
    page(&shown, 200, "plan.pdf");
    for word in ["onclick", "alert(1)", "tracker.example", "<script"] {
        assert!(!shown.body.contains(word), "{word} in {}", shown.body);
    }
    let file = shown
        .body
        .split("href=\"")
        .find(|href| href.starts_with("/admin/approvals/") && href.contains("parts"));
    let file = file.unwrap().split('"').next().unwrap().to_owned();
    let file = boss.get(&file).await;
    assert_eq!((file.status, file.header("content-type")), (200, Some("application/pdf")));
    assert!(file.header("content-security-policy").unwrap().contains("sandbox"));
    let mut other = admin(&app, "other@example.org", &["manage_members"]).await;
    assert_eq!(other.get(&format!("{PAGE}{id}/")).await.status, 403);
    assert_eq!(boss.get(&format!("{PAGE}{}/", id + 1)).await.status, 404);
}

#[tokio::test]
async fn reasons_are_kept_for_the_next_time_and_forgotten() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("send_reject_message", "1").members(1).create().await;
    let mails = [("mallory@example.net", "one"), (EVE, "two"), ("mallory@example.net", "four")];
    let ids = hold_from(&app, &mails).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let [one, two] = [ids[0].to_string(), ids[1].to_string()];
    let fields = [("id", &*one), ("action", "reject"), ("reason", "No robes here."), ("keep", "1")];
    assert_eq!(decide(&mut boss, &fields).await.status, 303);
    page(&boss.get(PAGE).await, 200, "<option value=\"No robes here.\">");
    app.settle().await;
    app.sink.clear();
    let fields = [("id", &*two), ("action", "reject"), ("reason", ""), ("answer", "No robes here.")];
    assert_eq!(decide(&mut boss, &fields).await.status, 303);
    app.settle().await;
    assert!(app.sink.mail_to(EVE).to_string().contains("No robes here."));
    // A page of one message has no words for several; the page of the message has them.
    assert!(!boss.get(PAGE).await.body.contains("id=\"reason\""));
    let last = format!("{PAGE}{}/", ids[2]);
    page(&boss.get(&last).await, 200, "<option value=\"No robes here.\">");
    hold(&app, &["three"]).await;
    let fields = [("action", "forget"), ("answer", "No robes here.")];
    assert_eq!(decide(&mut boss, &fields).await.status, 303);
    assert!(!boss.get(PAGE).await.body.contains("No robes here."));
}

#[tokio::test]
async fn people_and_lists_that_wait_are_decided_on_the_same_page() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("subscriptions", "open+confirm").create().await;
    let list = app.list_record("news");
    app.core()
        .store
        .write(move |tx| {
            for (id, name) in [(901, "ada"), (902, "bob")] {
                tx.put(&crier::model::Pending {
                    id: crier::model::PendingId(id),
                    account: list.account,
                    kind: crier::model::pending::PendingKind::Subscription,
                    list: list.id,
                    list_name: "news".to_owned(),
                    email: Some(crier::model::EmailAddress::parse(&format!("{name}@example.org")).unwrap()),
                    name: name.to_owned(),
                    requested: crier::clock::Timestamp::from_ms(1_790_000_000_000),
                    state: crier::model::pending::PendingState::Pending,
                    decision: None,
                })?;
            }
            Ok::<_, crier::store::StoreError>(())
        })
        .await
        .unwrap();
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let people = "/admin/approvals/?kind=people";
    let shown = boss.get(people).await;
    page(&shown, 200, "ada@example.org");
    assert!(!shown.body.contains("kind=lists"), "whoever may not decide about lists is not shown them");
    page(&boss.get("/admin/approvals/?kind=lists").await, 403, "<h1");
    let form = Visitor::form(&shown, people, &["value=\"people\""]);
    let answer = boss.submit(&form, &[("id", "901"), ("id", "902"), ("action", "approve")]).await;
    assert_eq!(answer.header("location"), Some("/admin/approvals/?done=approve&count=2&kind=people"));
    assert_eq!(app.members("news").await, ["ada@example.org", "bob@example.org"]);
    let again = boss.submit(&form, &[("one", "approve-901")]).await;
    page(&again, 409, "by boss@example.org");
    assert_eq!(boss.submit(&form, &[("one", "ban-901")]).await.status, 400, "people are not banned here");
}

/// Lets `count` strangers write to `news`, which holds what they write.
async fn hold_many(app: &TestApp, count: usize) {
    for number in 0..count {
        let sender = format!("s{number}@{}.example", if number % 2 == 0 { "even" } else { "odd" });
        let mail = format!("From: {sender}\nSubject: offer {number}\nMessage-ID: <{number}@x>\n\nBuy.\n");
        assert_eq!(app.send_mail(&sender, "news@lists.example.org", &mail).await.code, 250);
    }
    app.settle().await;
}

async fn waiting(app: &TestApp) -> u64 {
    app.admin.get("/api/2/held/").await.good()["count"].as_u64().unwrap()
}

#[tokio::test]
async fn a_full_queue_is_searched_filtered_and_decided_whole() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    app.list("talk").members(1).create().await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    hold_many(&app, 60).await;
    page(&boss.get("/admin/approvals/?search=offer+17").await, 200, "1 message is found.");
    page(&boss.get("/admin/approvals/?from=s4@even.example").await, 200, "1 message is found.");
    page(&boss.get("/admin/approvals/?list=talk").await, 200, "0 messages are found.");
    page(&boss.get("/admin/approvals/?list=nothing").await, 200, "0 messages are found.");
    let narrowed = "/admin/approvals/?from=%40odd.example";
    let shown = boss.get(narrowed).await;
    page(&shown, 200, "All 30 messages, not only those of this page");
    let form = Visitor::form(&shown, narrowed, &["data-keys"]);
    let decided = boss.submit(&form, &[("all", "1"), ("action", "discard")]).await;
    let told = followed(&mut boss, &decided).await;
    page(&told, 200, "30 discarded.");
    page(&told, 200, "value=\"@odd.example\"");
    assert_eq!(waiting(&app).await, 30);
    let shown = boss.get(PAGE).await;
    page(&shown, 200, "All 30 messages");
    let form = Visitor::form(&shown, PAGE, &["data-keys"]);
    // A message that came later was not seen.
    hold_from(&app, &[("late@late.example", "late")]).await;
    boss.submit(&form, &[("all", "1"), ("action", "approve")]).await;
    assert_eq!(waiting(&app).await, 1);
    app.settle().await;
    assert_eq!(app.sink.to_members().len(), 30, "each is sent once");
}

#[tokio::test]
async fn one_call_decides_on_many_held_messages() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    hold_many(&app, 12).await;
    let ids: Vec<u64> = {
        let held = app.admin.get("/api/2/held/?fields=id").await.good();
        held["data"].as_array().unwrap().iter().map(|held| held["id"].as_u64().unwrap()).collect()
    };
    let some = json!({"action": "approve", "ids": [ids[0], ids[1], 999_999]});
    let decided = app.admin.put_json("/api/2/held/", &some).await.good();
    assert_eq!(decided["count"], 3, "{decided}");
    let statuses: Vec<u64> =
        decided["data"].as_array().unwrap().iter().map(|row| row["status"].as_u64().unwrap()).collect();
    assert_eq!(statuses, [200, 200, 404]);
    let again = app.admin.put_json("/api/2/held/", &some).await.good();
    assert_eq!((&again["data"][0]["status"], &again["data"][0]["id"]), (&json!(409), &json!(ids[0])));
    let odd = app.admin.put("/api/2/held/", &[("action", "discard"), ("from", "@odd.example")]).await.good();
    assert_eq!(odd["count"], 5, "{odd}");
    let rest = [("action", "reject"), ("list", "news"), ("search", "offer"), ("reason", "Not here")];
    assert_eq!(app.admin.put("/api/2/held/", &rest).await.good()["count"], 5);
    assert_eq!(waiting(&app).await, 0);
    app.admin.put("/api/2/held/", &[("action", "discard")]).await.error(400, "ids");
    app.admin.put("/api/2/held/", &[("action", "discard"), ("list", "nothing")]).await.error(404, "list");
    app.admin
        .put("/api/2/held/", &[("ids", "1"), ("list", "news"), ("action", "approve")])
        .await
        .error(400, "ids");
    app.admin.put("/api/2/held/", &[("ids", "1,x"), ("action", "approve")]).await.error(400, "ids");
    app.admin.put("/api/2/held/", &[("ids", "1"), ("action", "keep")]).await.error(400, "action");
}

#[tokio::test]
async fn messages_are_narrowed_by_why_and_how_long_they_wait() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    hold(&app, &["robes"]).await;
    app.admin.put("/api/2/lists/news/", &[("moderate", "0"), ("taboo_body", "hats")]).await.good();
    app.advance(Duration::from_hours(2 * 24)).await;
    hold(&app, &["hats"]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    for (query, has_robes, has_hats) in [
        ("", true, true),
        ("?reason=pattern", false, true),
        ("?reason=not-allowed", true, false),
        ("?reason=reply", false, false),
        ("?age=day", true, false),
        ("?age=week", false, false),
        ("?age=day&reason=pattern", false, false),
        // Words that the page does not know find nothing, and not everything.
        ("?reason=no-such-reason", false, false),
        ("?age=year", false, false),
    ] {
        let shown = boss.get(&format!("{PAGE}{query}")).await;
        page(&shown, 200, "a pattern of the list matches");
        let has = |subject: &str| shown.body.contains(&format!(">{subject}<"));
        assert_eq!((has("robes"), has("hats")), (has_robes, has_hats), "{query}: {}", shown.body);
    }
    page(&boss.get(&format!("{PAGE}?age=day&lang=de")).await, 200, "Mehr als einem Tag");
    let narrowed = format!("{PAGE}?age=day");
    let shown = boss.get(&narrowed).await;
    let form = Visitor::form(&shown, &narrowed, &["data-keys"]);
    let fields = [("kind", "messages"), ("all", "1"), ("action", "discard")];
    let done = boss.submit(&form, &fields).await;
    let location = done.header("location").expect("it leads to the page");
    assert!(location.contains("count=1") && location.contains("age=day"), "{location}");
}

#[tokio::test]
async fn each_row_has_all_five_decisions_and_words_of_its_own() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("send_reject_message", "1").members(1).create().await;
    let ids = hold(&app, &["one", "two", "three", "four", "five"]).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    app.sink.clear();
    let beside = format!("reason-{}", ids[0]);
    let reject = format!("reject-{}", ids[0]);
    let answer = decide(
        &mut boss,
        &[("one", &reject), (&beside, "Robes are sold elsewhere."), ("reason", "To everybody.")],
    )
    .await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    app.settle().await;
    let told = app.sink.mail_to(EVE).to_string();
    assert!(told.contains("Robes are sold elsewhere.") && !told.contains("To everybody."), "{told}");
    for (id, action, expected) in [
        (ids[1], "approve", "approved"),
        (ids[2], "allow", "approved"),
        (ids[3], "discard", "discarded"),
        (ids[4], "ban", "discarded"),
    ] {
        let one = format!("{action}-{id}");
        let shown = boss.get(PAGE).await;
        page(&shown, 200, &format!("value=\"{one}\""));
        let form = Visitor::form(&shown, PAGE, &["data-keys"]);
        assert_eq!(boss.submit(&form, &[("one", &one)]).await.status, 303);
        assert_eq!(state(&app, id).await, expected);
    }
    assert_eq!(list(&app).await["restrict_post_banned_emails"], json!([EVE]));
    page(&boss.get(PAGE).await, 200, "No messages are waiting for a decision.");
}

#[tokio::test]
async fn a_moderator_reads_who_the_sender_is_and_what_came_from_there_before() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(1).create().await;
    let ada = [("emails", "ada@home.example"), ("firstname", "Ada"), ("surname", "Byron"), ("lists", "news")];
    app.admin.post("/api/2/contacts/", &ada).await.good();
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let mail =
        "From: Ada Byron <ada@work.example>\nSubject: money\nMessage-ID: <m@work.example>\n\nPlease.\n";
    assert_eq!(app.send_mail("ada@work.example", "news@lists.example.org", mail).await.code, 250);
    app.settle().await;
    let shown = boss.get(PAGE).await;
    page(&shown, 200, "A member of this name is on news as ada@home.example");
    page(&shown, 200, "The first message from this address.");
    assert_eq!(decide(&mut boss, &[("all", "1"), ("action", "approve")]).await.status, 303);
    for subject in ["two", "three"] {
        let ids = hold_from(&app, &[("ada@work.example", subject)]).await;
        let one = format!("discard-{}", ids[0]);
        if subject == "two" {
            page(&boss.get(PAGE).await, 200, "1 post, none refused in the last 30 days.");
            assert_eq!(decide(&mut boss, &[("one", &one)]).await.status, 303);
        } else {
            page(&boss.get(PAGE).await, 200, "1 post, 1 refused in the last 30 days.");
            page(
                &boss.get(&format!("{PAGE}{}/", ids[0])).await,
                200,
                "1 post, 1 refused in the last 30 days.",
            );
        }
    }
    // Whoever sees other lists alone learns nothing of this one.
    app.list("choir").members(1).create().await;
    let mut limited = limited_to(&app, "choir").await;
    assert!(!limited.get(PAGE).await.body.contains("ada@work.example"));
}
