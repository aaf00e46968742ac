//! Moderators on the pages of an archive: messages that are taken out, words that are taken out of them, what is sealed,
//! who may restore it and for how long.

use std::time::Duration;

use crier::model::{AccountId, BlobId, ContactId, Person, SealedOriginal};
use crier::ops::archive::threads;
use crier::store::{Read as _, StoreError};
use serde_json::{Value, json};

use crate::digests::messages_in;
use crate::harness::data::TestList;
use crate::harness::http::Response;
use crate::harness::sink::Act;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};
use crate::members::signed_in;

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const EVE: &str = "eve@example.org";
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
const MAIL: &str = "From: Ada Lovelace <ada@example.org>\nSubject: The xylotomy plan\nMessage-ID: <1@example.org>\n\
    MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\n\
    Call Quentin at quentin@zebra.example about the Xylotomy.\nSecond line stays.\n--b\nContent-Type: text/html; charset=utf-8\n\n\
    <p>Call <b>Quentin</b> at <a href=\"mailto:quentin@zebra.example\">his</a> about the x&#121;lotomy.</p><p>Second line stays.</p>\n--b--\n";
const REPLY: &str = "From: bob@example.org\nSubject: Re: The plan\nMessage-ID: <2@example.org>\n\
    In-Reply-To: <1@example.org>\n\nFine with me.\n";
/// Words that are in the message and nowhere else in these tests.
const SECRETS: [&str; 3] = ["xylotomy", "quentin", "zebra.example"];

/// A list with a public archive, three members and a message with a reply.
async fn begin(app: &TestApp) -> (TestList, u64) {
    let list = app.list("news").open().with("archive_enabled", "true").with("archive_protected", "false");
    let list = list.member(ADA).member(BOB).member(EVE).create().await;
    for mail in [MAIL, REPLY] {
        assert_eq!(app.send_mail(ADA, &list.address, mail).await.code, 250);
        app.settle().await;
    }
    let first = messages(app).await.last().unwrap()["id"].as_u64().unwrap();
    (list, first)
}

async fn messages(app: &TestApp) -> Vec<Value> {
    app.admin.get("/api/2/messages/").await.good()["data"].as_array().unwrap().clone()
}

/// Signs an administrator with these permissions in.
async fn admin(app: &TestApp, address: &str, permissions: &[&str]) -> Visitor {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    let path = format!("/api/2/admins/{address}/");
    app.admin.put_json(&path, &json!({"permissions": permissions})).await.good();
    Visitor::signed_in(app, person).await
}

fn path_of(message: u64) -> String {
    format!("/lists/news/messages/{message}/")
}

/// Presses a button on the page of a message.
async fn press(visitor: &mut Visitor, path: &str, verb: &str, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(path).await;
    let mark = format!("value=\"{verb}\"");
    let form = Visitor::form(&shown, path, &[mark.as_str()]);
    visitor.submit(&form, &[&[("action", verb)], fields].concat()).await
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// The secrets that stand anywhere in the data file: in a record, in an index, in a mail or in its text.
fn leaks(app: &TestApp) -> Vec<String> {
    let tx = app.core().store.read().unwrap();
    let mut found = Vec::new();
    let mut look = |place: String, text: &str| {
        let text = text.to_lowercase();
        let secrets = SECRETS.iter().filter(|secret| text.contains(**secret));
        found.extend(secrets.map(|secret| format!("{place}: {secret}")));
    };
    // The log keeps the names that messages had, and what was sent is noted as it was sent.
    for entity in crier::schema::ENTITIES.iter().filter(|entity| entity.name != "audit") {
        look(entity.name.to_owned(), &crate::harness::data::dump(&tx, entity.name));
    }
    for number in 1..200 {
        let Ok(bytes) = tx.blob(crier::store::BlobId(number)) else { continue };
        look(format!("blob {number}"), &String::from_utf8_lossy(&bytes));
        let content = crier::mail::parse(bytes).map(|inbound| inbound.content()).unwrap_or_default();
        look(format!("text of blob {number}"), &format!("{content:?}"));
    }
    found
}

/// How many messages a search finds.
async fn search(app: &TestApp, word: &str) -> u64 {
    app.settle().await;
    app.admin.get(&format!("/api/2/messages/?search={word}")).await.good()["count"].as_u64().unwrap()
}

const WORDS: &str = "Quentin\r\n quentin@zebra.example \r\nXYLOTOMY";

#[tokio::test]
async fn words_are_taken_out_of_a_message_everywhere_and_its_original_is_sealed() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, id) = begin(&app).await;
    assert!(!leaks(&app).is_empty() && search(&app, "quentin").await == 1);
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let path = path_of(id);
    page(&boss.get(&path).await, 200, "value=\"redact\"");
    page(&press(&mut boss, &path, "redact", &[("words", WORDS)]).await, 200, "role=\"status\"");
    assert_eq!(leaks(&app), [""; 0]);
    assert_eq!((search(&app, "quentin").await, search(&app, "second").await), (0, 1));
    let shown = Visitor::new(&app).get(&path).await;
    page(&shown, 200, "Second line stays.");
    page(&shown, 200, "[removed]");
    let message = app.admin.get(&format!("/api/2/messages/{id}/")).await.good();
    assert_eq!(message["subject"], "The [removed] plan", "{message:#}");
    assert_eq!(message["from_address"], ADA, "{message:#}");
    let raw = app.admin.get(&format!("/api/2/messages/{id}/raw/")).await;
    if raw.status == 200 {
        assert!(!raw.body.to_lowercase().contains("zebra"), "{}", raw.body);
    }
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((&log["action"], &log["via"]), (&json!("message.redacted"), &json!("page")), "{log}");
    assert!(log["actor"]["name"].as_str().unwrap().contains("boss@"), "{log}");
    // Words that are not there, and none.
    for words in ["Quentin", "", "Second line\r\nsta"] {
        let answer = press(&mut boss, &path, "redact", &[("words", words)]).await;
        if words.contains("Second") {
            page(&answer, 200, "role=\"status\"");
        } else {
            page(&answer, 400, "role=\"alert\"");
        }
    }
    // An administrator who only approves messages does not get the original back.
    assert!(!boss.get(&path).await.body.contains("value=\"restore\""));
    let csrf = csrf_of(&boss.get(&path).await);
    let forged = boss.post(&path, &[("csrf", &csrf), ("action", "restore")]).await;
    assert_eq!(forged.status, 403, "{}", forged.body);
    let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
    page(&press(&mut head, &path, "restore", &[]).await, 200, "what it was");
    let message = app.admin.get(&format!("/api/2/messages/{id}/")).await.good();
    assert_eq!(message["subject"], "The xylotomy plan", "{message:#}");
    assert!(
        message["content_plain"].as_str().unwrap().contains("quentin@zebra.example\u{20}about"),
        "{message:#}"
    );
    assert_eq!(
        (search(&app, "quentin").await, app.dump("sealed_original").matches("Sealed").count()),
        (1, 0)
    );
    let log = app.admin.get("/api/2/audit/?limit=1").await.good();
    assert_eq!(log["data"][0]["action"], "message.restored");
}

#[tokio::test]
async fn words_beyond_the_limits_are_refused_and_none_is_taken_out() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, id) = begin(&app).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let path = path_of(id);
    let many = format!("Quentin\r\n{}xylotomy", "other\r\n".repeat(99));
    let long = format!("Quentin\r\n{}", "x".repeat(201));
    for (words, problem) in [
        (many.as_str(), "Up to 100 words or addresses can be removed at once, of up to 200 characters"),
        (&long, "Up to 100 words or addresses can be removed at once, of up to 200 characters"),
        (" \r\n", "Please write what is to be removed"),
        ("milk", "None of these words is in the message."),
    ] {
        page(&press(&mut boss, &path, "redact", &[("words", words)]).await, 400, problem);
    }
    assert_eq!(search(&app, "quentin").await, 1);
}

#[tokio::test]
async fn an_original_that_cannot_be_opened_is_not_restored_and_the_page_says_so() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, id) = begin(&app).await;
    let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
    let path = path_of(id);
    page(&press(&mut head, &path, "redact", &[("words", "xylotomy")]).await, 200, "role=\"status\"");
    // As if it were sealed with a secret that is gone.
    let core = app.core();
    let changed = core.store.write(move |tx| -> Result<(), StoreError> {
        let mut sealed: SealedOriginal = tx.get(id)?.expect("the original is sealed");
        sealed.blob = BlobId(tx.put_blob(b"sealed with another secret")?.0);
        tx.put(&sealed)
    });
    changed.await.unwrap();
    let answer = press(&mut head, &path, "restore", &[]).await;
    page(&answer, 409, "The original cannot be opened any more");
    assert_eq!(search(&app, "xylotomy").await, 0);
}

fn csrf_of(page: &Response) -> String {
    let (_, rest) = page.body.split_once("name=\"csrf\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_message_that_is_taken_out_is_gone_everywhere_and_can_be_restored_for_thirty_days() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, id) = begin(&app).await;
    let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
    let path = path_of(id);
    for days in [29, 31] {
        page(&press(&mut head, &path, "delete", &[]).await, 200, "role=\"status\"");
        // The upkeep empties what is sent to its end.
        app.advance(Duration::from_mins(1)).await;
        assert_eq!(leaks(&app), [""; 0]);
        let mut anybody = Visitor::new(&app);
        assert_eq!(anybody.get(&path).await.status, 404);
        assert_eq!(app.admin.get(&format!("/api/2/messages/{id}/")).await.status, 404);
        assert_eq!((search(&app, "xylotomy").await, messages(&app).await.len()), (0, 1));
        let thread = anybody.get(&format!("/lists/news/threads/{id}/")).await;
        page(&thread, 200, "Fine with me.");
        let gone = head.get(&path).await;
        page(&gone, 404, "value=\"restore\"");
        app.advance(days * DAY).await;
        if days == 29 {
            head = admin(&app, "chief@example.org", &["account_admin"]).await;
            page(&press(&mut head, &path, "restore", &[]).await, 200, "what it was");
            page(&anybody.get(&path).await, 200, "Second line stays.");
            assert_eq!((search(&app, "xylotomy").await, messages(&app).await.len()), (1, 2));
            let message = app.admin.get(&format!("/api/2/messages/{id}/")).await.good();
            assert_eq!(
                (&message["subject"], &message["thread_id"]),
                (&json!("The xylotomy plan"), &json!(id))
            );
        }
    }
    assert_eq!(app.dump("sealed_original").matches("SealedOriginal {").count(), 0);
    let mut head = admin(&app, "third@example.org", &["account_admin"]).await;
    assert!(!head.get(&path).await.body.contains("restore"));
    assert_eq!(leaks(&app), [""; 0]);
}

#[tokio::test]
async fn only_moderators_of_the_list_see_the_buttons_and_press_them() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, id) = begin(&app).await;
    let path = path_of(id);
    app.list("tea").create().await;
    app.admin.put("/api/2/lists/news/", &[("moderator", BOB)]).await.good();
    let mut bob = signed_in(&app, BOB).await;
    let mut eve = signed_in(&app, EVE).await;
    let mut sender = admin(&app, "sender@example.org", &["send_messages"]).await;
    let mut other = admin(&app, "other@example.org", &["approve_messages", "limit_lists"]).await;
    for visitor in [&mut eve, &mut sender, &mut other] {
        let shown = visitor.get(&path).await;
        assert!(!shown.body.contains("value=\"redact\"") && !shown.body.contains("value=\"delete\""));
        let csrf = csrf_of(&shown);
        for action in ["delete", "redact", "restore", "close", "open"] {
            let answer =
                visitor.post(&path, &[("csrf", &csrf), ("action", action), ("words", "Quentin")]).await;
            assert_eq!(answer.status, 403, "{action}: {}", answer.body);
        }
        let thread = format!("/lists/news/threads/{id}/");
        let answer = visitor.post(&thread, &[("csrf", &csrf), ("action", "close")]).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
    }
    let nobody = Visitor::new(&app).post(&path, &[("action", "delete")]).await;
    assert_eq!(nobody.status, 403);
    assert_eq!(messages(&app).await.len(), 2);
    // The list's own moderator is a member whose address is confirmed.
    page(&press(&mut bob, &path, "redact", &[("words", "Quentin")]).await, 200, "role=\"status\"");
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!(
        (&log["action"], &log["actor"]["kind"]),
        (&json!("message.redacted"), &json!("moderator")),
        "{log}"
    );
    let csrf = csrf_of(&bob.get(&path).await);
    assert_eq!(bob.post(&path, &[("csrf", &csrf), ("action", "restore")]).await.status, 403);
    assert_eq!(bob.post(&path, &[("csrf", &csrf)]).await.status, 400);
    assert_eq!(
        bob.post(&path, &[("action", "delete")]).await.status,
        403,
        "without the token of the browser"
    );
    app.change_email(BOB, |email, _| email.confirmed = false).await;
    assert_eq!(bob.post(&path, &[("csrf", &csrf), ("action", "delete")]).await.status, 403);
    // A message of another list is not found by way of this one.
    let csrf = csrf_of(&bob.get(&path).await);
    app.change_email(BOB, |email, _| email.confirmed = true).await;
    assert_eq!(
        bob.post("/lists/news/messages/999/", &[("csrf", &csrf), ("action", "delete")]).await.status,
        404
    );
    let elsewhere = bob.post("/lists/tea/threads/1/", &[("csrf", &csrf), ("action", "close")]).await;
    assert!([403, 404].contains(&elsewhere.status), "{}", elsewhere.body);
}

#[tokio::test]
async fn moderators_close_a_thread_on_its_page_and_open_it_again() {
    let app = TestApp::builder().without_dkim().start().await;
    let (list, id) = begin(&app).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let thread = format!("/lists/news/threads/{id}/");
    page(&press(&mut boss, &thread, "close", &[]).await, 200, "role=\"status\"");
    let reply = |number: u8| REPLY.replace("<2@", &format!("<{number}@"));
    assert_eq!(app.send_mail(BOB, &list.address, &reply(3)).await.code, 250);
    app.settle().await;
    assert_eq!(messages(&app).await.len(), 2);
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!(held["data"][0]["reason"], "the conversation that it replies to is closed", "{held}");
    // A member who writes on the web is told why.
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(&format!("/lists/news/write/?reply={id}")).await;
    let form = Visitor::form(&shown, "", &["name=\"content_plain\""]);
    let answer = ada.submit(&form, &[("subject", "Re: The plan"), ("content_plain", "But...")]).await;
    page(&answer, 200, "the conversation that it replies to is closed");
    page(&press(&mut boss, &path_of(id), "open", &[]).await, 200, "role=\"status\"");
    assert_eq!(app.send_mail(BOB, &list.address, &reply(4)).await.code, 250);
    app.settle().await;
    assert_eq!(messages(&app).await.len(), 3);
}

#[tokio::test]
async fn copies_that_wait_go_out_redacted_and_those_of_a_message_taken_out_to_their_end() {
    let app = TestApp::builder().without_dkim().start().await;
    let (list, _) = begin(&app).await;
    let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
    for (number, verb) in [(7, "redact"), (8, "delete")] {
        app.sink.script(EVE, Act::AtData("451 4.3.0 Later"), 1);
        let mail = MAIL.replace("<1@", &format!("<{number}@"));
        assert_eq!(app.send_mail(ADA, &list.address, &mail).await.code, 250);
        app.settle().await;
        let id = messages(&app).await[0]["id"].as_u64().unwrap();
        app.sink.clear();
        let fields: &[(&str, &str)] = if verb == "redact" { &[("words", WORDS)] } else { &[] };
        page(&press(&mut head, &path_of(id), verb, fields).await, 200, "role=\"status\"");
        app.advance(HOUR).await;
        app.settle().await;
        let copy = app.sink.mail_to(EVE).to_string();
        assert!(copy.contains("Second line stays."), "{verb}: {copy}");
        assert_eq!(copy.contains("zebra.example"), verb == "delete", "{copy}");
        for _ in 0..3 {
            app.advance(HOUR).await;
        }
        let blobs = app.admin.get(&format!("/api/2/messages/{id}/")).await;
        assert_eq!(blobs.status, if verb == "delete" { 404 } else { 200 });
    }
    // The first one of the test is still there with its words; the one that was taken out is emptied now.
    let first = messages(&app).await.last().unwrap()["id"].as_u64().unwrap();
    page(&press(&mut head, &path_of(first), "redact", &[("words", WORDS)]).await, 200, "role=\"status\"");
    assert_eq!(leaks(&app), [""; 0]);
}

#[tokio::test]
async fn a_message_that_was_redacted_is_in_no_digest_and_leaves_the_copies_that_wait() {
    let app = TestApp::builder().without_dkim().start().await;
    let (list, first) = begin(&app).await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    for address in [BOB, EVE] {
        app.set_membership(address, "news", json!({"digest": 1})).await;
    }
    let post = async |number: u32, text: &str| {
        let mail =
            format!("From: {ADA}\nSubject: No {number}\nMessage-ID: <{number}@example.org>\n\n{text}\n");
        assert_eq!(app.send_mail(ADA, &list.address, &mail).await.code, 250);
        app.settle().await;
        messages(&app).await[0]["id"].as_u64().unwrap()
    };
    // One is redacted before the digest is built.
    let early = post(11, "Ask Quentin.").await;
    let late = post(12, "Xylotomy for all.").await;
    post(13, "Tea.").await;
    page(&press(&mut boss, &path_of(early), "redact", &[("words", "Quentin")]).await, 200, "role=\"status\"");
    app.sink.clear();
    app.sink.script(EVE, Act::AtData("451 4.3.0 Later"), 1);
    app.advance_to_morning().await;
    assert_eq!(messages_in(&app.sink.mail_to(BOB)), ["No 12", "No 13"]);
    let built = app.sink.mail_to(BOB).header("Message-ID");
    // Another one while a copy waits. The session of yesterday is over.
    let mut boss = admin(&app, "head@example.org", &["approve_messages"]).await;
    page(&press(&mut boss, &path_of(late), "redact", &[("words", "Xylotomy")]).await, 200, "role=\"status\"");
    app.sink.clear();
    app.advance(HOUR).await;
    app.settle().await;
    let waited = app.sink.mail_to(EVE);
    assert_eq!(messages_in(&waited), ["No 13"], "{waited}");
    assert!(!waited.to_string().contains("ylotomy"), "{waited}");
    assert_eq!(waited.header("Message-ID"), built, "it is the same digest");
    assert!(waited.header("Subject").unwrap().ends_with("(1 message)"), "{waited}");
    assert_eq!(app.sink.copies(), 1, "nobody gets it twice");
    page(&press(&mut boss, &path_of(first), "redact", &[("words", WORDS)]).await, 200, "role=\"status\"");
    assert_eq!(leaks(&app), [""; 0]);
}

#[tokio::test]
async fn an_author_whose_address_is_taken_out_has_no_name_and_can_be_forgotten() {
    for verb in ["redact", "delete"] {
        let app = TestApp::builder().without_dkim().start().await;
        let (_, id) = begin(&app).await;
        let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
        let fields: &[(&str, &str)] = if verb == "redact" { &[("words", ADA)] } else { &[] };
        page(&press(&mut head, &path_of(id), verb, fields).await, 200, "role=\"status\"");
        if verb == "redact" {
            let message = app.admin.get(&format!("/api/2/messages/{id}/")).await.good();
            assert_eq!(
                (&message["from_address"], &message["from_phrase"]),
                (&json!(""), &json!("[removed]"))
            );
            assert!(!Visitor::new(&app).get(&path_of(id)).await.body.contains("Lovelace"));
        }
        assert_eq!(app.dump("sealed_original").matches("SealedOriginal {").count(), 1);
        let contact = app.email(ADA).await["contact"].as_u64().unwrap();
        let mut ada = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
        let shown = ada.get("/members/erase/").await;
        let form = Visitor::form(&shown, "/members/erase/", &["name=\"posts\""]);
        assert_eq!(ada.submit(&form, &[("action", "erase"), ("posts", "keep")]).await.status, 303);
        app.settle().await;
        for _ in 0..3 {
            app.advance(HOUR).await;
        }
        assert_eq!(app.dump("sealed_original").matches("SealedOriginal {").count(), 0, "{verb}");
        let tx = app.core().store.read().unwrap();
        for number in 1..200 {
            let Ok(bytes) = tx.blob(crier::store::BlobId(number)) else { continue };
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(!text.contains("lovelace"), "{verb}: blob {number}: {text}");
        }
        assert!(!app.dump("message").contains("Lovelace"), "{DOMAIN}");
    }
}

#[tokio::test]
async fn replies_stay_in_the_archive_if_the_author_of_a_message_that_was_taken_out_is_forgotten() {
    let app = TestApp::builder().without_dkim().start().await;
    // It is not emptied while a copy of it waits.
    app.sink.defer(EVE, 50);
    let (_, id) = begin(&app).await;
    let mut head = admin(&app, "head@example.org", &["account_admin"]).await;
    page(&press(&mut head, &path_of(id), "delete", &[]).await, 200, "role=\"status\"");
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let mut ada = Visitor::signed_in(&app, Person::Member(ContactId(contact))).await;
    let shown = ada.get("/members/erase/").await;
    let form = Visitor::form(&shown, "/members/erase/", &["name=\"posts\""]);
    assert_eq!(ada.submit(&form, &[("action", "erase"), ("posts", "keep")]).await.status, 303);
    // What waits for Eve is looked at again each hour, until it is given up.
    let hours = std::iter::repeat_n((), 200).take_while(|()| app.dump("erasure").contains("Erasure {"));
    for () in hours {
        app.advance(HOUR).await;
    }
    assert_eq!(app.dump("erasure").matches("Erasure {").count(), 0);
    page(&Visitor::new(&app).get(&format!("/lists/news/threads/{id}/")).await, 200, "Fine with me.");
    assert_eq!(threads::problems(&app.core().store.read().unwrap()).unwrap(), [""; 0]);
}
