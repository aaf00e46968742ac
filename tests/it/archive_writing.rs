//! Members write to their lists on the pages: decided as mail is, with quotes, previews, and drafts that survive a
//! session.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::data::TestList;
use crate::harness::http::Response;
use crate::harness::sink::Mail;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};
use crate::members::signed_in;

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const WRITE: &str = "/lists/choir/write/";
const HOUR: Duration = Duration::from_hours(1);
const LONG: &str =
    "The organ tuner can only come on Wednesday, so this week we sing on Thursday at half past seven.";

/// A list with ada and bob, whose archive its members may read.
async fn choir(app: &TestApp) -> TestList {
    let list = app.list("choir").with("archive_enabled", "true").with("archive_protected", "true");
    list.with("archive_memberview", "true").member(ADA).member(BOB).create().await
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// Fills in the form of a page and presses a button.
async fn send(visitor: &mut Visitor, shown: &Response, fields: &[(&str, &str)]) -> Response {
    let form = Visitor::form(shown, WRITE, &["name=\"content_plain\""]);
    visitor.submit(&form, fields).await
}

/// Writes a message.
async fn write(visitor: &mut Visitor, subject: &str, text: &str) -> Response {
    let shown = visitor.get(WRITE).await;
    send(visitor, &shown, &[("subject", subject), ("content_plain", text), ("action", "send")]).await
}

async fn messages(app: &TestApp) -> Vec<Value> {
    app.settle().await;
    app.admin.get("/api/2/messages/").await.good()["data"].as_array().unwrap().clone()
}

async fn held(app: &TestApp) -> Vec<Value> {
    app.admin.get("/api/2/held/").await.good()["data"].as_array().unwrap().clone()
}

/// The text that a form has in its field for the message.
fn content(page: &Response) -> String {
    let (_, rest) = page.body.split_once("<textarea id=\"content_plain\"").unwrap();
    let (_, text) = rest.split_once(">\n").unwrap();
    text.split("</textarea>").next().unwrap().replace("&#62;", ">").replace("&#60;", "<")
}

fn copy_to(app: &TestApp, address: &str, subject: &str) -> Mail {
    let mails = app.sink.mails();
    let found = mails.into_iter().find(|mail| {
        mail.to == [address] && mail.header("Subject").is_some_and(|found| found.contains(subject))
    });
    found.unwrap_or_else(|| panic!("{address} has no {subject}"))
}

#[tokio::test]
async fn a_member_writes_to_the_list_and_everybody_gets_it_as_mail_that_flows() {
    let app = TestApp::builder().without_dkim().start().await;
    choir(&app).await;
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get("/lists/choir/").await;
    page(&shown, 200, &format!("href=\"{WRITE}\""));
    assert_eq!(shown.body.matches(WRITE).count(), 1, "one button: {}", shown.body);
    app.sink.clear();
    let answer =
        write(&mut ada, "Rehearsal on Thursday ü", &format!("Dear all,\r\n\r\n{LONG}\r\nFrom Ada")).await;
    page(&answer, 200, "role=\"status\"");
    let stored = messages(&app).await;
    assert_eq!(stored.len(), 1);
    assert_eq!(
        (&stored[0]["subject"], &stored[0]["from_address"]),
        (&json!("Rehearsal on Thursday ü"), &json!(ADA))
    );
    let mail = copy_to(&app, BOB, "Rehearsal");
    assert!(mail.header("Content-Type").unwrap().contains("format=\"flowed\""), "{mail}");
    assert!(mail.header("Message-ID").unwrap().ends_with(&format!("@{DOMAIN}>")), "{mail}");
    assert_eq!(mail.header("List-Post").as_deref(), Some("<mailto:choir@lists.example.org>"));
    assert!(mail.text().contains("so this week we sing on=20"), "{mail}");
    assert_eq!(app.sink.to_members().iter().filter(|to| *to == BOB).count(), 1);
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((&log["action"], &log["via"]), (&json!("message.written"), &json!("page")), "{log}");
    assert_eq!(log["object"]["id"], stored[0]["id"], "{log}");
}

#[tokio::test]
async fn a_reply_quotes_and_stands_in_its_thread() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = choir(&app).await;
    let first = "From: Bob Farrow <bob@example.org>\nSubject: Cake\nMessage-ID: <cake@example.org>\n\
        References: <0@example.org>\n\nThere is cake.\n> Was there none?\n\nBob\n-- \nBob Farrow, bass\n";
    assert_eq!(app.send_mail(BOB, &list.address, first).await.code, 250);
    let id = messages(&app).await[0]["id"].to_string();
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(&format!("{WRITE}?reply={id}")).await;
    page(&shown, 200, "value=\"Re: Cake\"");
    assert_eq!(content(&shown), "");
    // The link without a script, and the button, which leaves what was typed where it is.
    let quoted = content(&ada.get(&format!("{WRITE}?reply={id}&quote=1")).await);
    assert!(
        quoted.contains("Bob Farrow wrote:\n> There is cake.\n>> Was there none?\n>\n> Bob\n"),
        "{quoted}"
    );
    assert!(!quoted.contains("bass"), "no signature: {quoted}");
    let fields = [("subject", "Re: Cake"), ("content_plain", "How kind!"), ("action", "quote")];
    let shown = send(&mut ada, &shown, &fields).await;
    page(&shown, 200, "value=\"Re: Cake\"");
    let both = content(&shown);
    assert!(both.starts_with("How kind!\n\nOn ") && both.contains("> There is cake."), "{both}");
    let preview = [("subject", "Re: Cake"), ("content_plain", both.as_str()), ("action", "preview")];
    let shown = send(&mut ada, &shown, &preview).await;
    page(&shown, 200, "class=\"preview mail\"");
    assert_eq!(messages(&app).await.len(), 1, "a preview sends nothing");
    let sent = [("subject", "Re: Cake"), ("content_plain", both.as_str()), ("action", "send")];
    page(&send(&mut ada, &shown, &sent).await, 200, "role=\"status\"");
    let stored = messages(&app).await;
    assert_eq!((stored.len(), &stored[0]["thread_id"]), (2, &stored[1]["id"]), "{stored:#?}");
    let mail = copy_to(&app, BOB, "Re: Cake");
    assert_eq!(mail.header("In-Reply-To").as_deref(), Some("<cake@example.org>"));
    let references = mail.header("References").unwrap();
    assert_eq!(references.split_whitespace().collect::<Vec<_>>(), ["<0@example.org>", "<cake@example.org>"]);
}

#[tokio::test]
async fn a_reply_quotes_the_parts_of_a_message_that_are_chosen() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = choir(&app).await;
    let first = "From: Bob Farrow <bob@example.org>\nSubject: Cake\n\nThere is <cake>.\n> Was there none?\n\n\nAnd tea,\nif you like.\n\nBob\n-- \nbass\n";
    assert_eq!(app.send_mail(BOB, &list.address, first).await.code, 250);
    let id = messages(&app).await[0]["id"].to_string();
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(&format!("{WRITE}?reply={id}")).await;
    assert_eq!(shown.body.matches("name=\"part\"").count(), 3, "{}", shown.body);
    page(&shown, 200, "There is &#60;cake&#62;.\n&#62; Was there none?</span>");
    let mut quote = async |parts: &[&str]| {
        let parts = parts.iter().map(|part| ("part", *part));
        let fields = [("subject", "Re: Cake"), ("content_plain", "Yes."), ("action", "quote")];
        content(&send(&mut ada, &shown, &fields.into_iter().chain(parts).collect::<Vec<_>>()).await)
    };
    assert!(quote(&["1"]).await.ends_with("Bob Farrow wrote:\n> And tea,\n> if you like.\n\n"));
    let two = quote(&["2", "0", "0"]).await;
    assert!(two.starts_with("Yes.\n\nOn "), "{two}");
    assert!(two.ends_with("wrote:\n> There is <cake>.\n>> Was there none?\n>\n> Bob\n\n"), "{two}");
    // What is no part of it is not chosen.
    for parts in [&[][..], &["7"], &["-1", "x"]] {
        assert_eq!(quote(parts).await.matches("\n>").count(), 7, "all of it: {parts:?}");
    }
    // A message of one paragraph has nothing to choose from.
    let one = "From: bob@example.org\nSubject: Tea\n\nOnly this.\n";
    assert_eq!(app.send_mail(BOB, &list.address, one).await.code, 250);
    let id = messages(&app).await[0]["id"].to_string();
    assert!(!ada.get(&format!("{WRITE}?reply={id}")).await.body.contains("name=\"part\""));
}

#[tokio::test]
async fn the_rules_of_the_list_decide_as_for_mail() {
    let app = TestApp::builder().without_dkim().start().await;
    choir(&app).await;
    let mut ada = signed_in(&app, ADA).await;
    let set = async |fields: &[(&str, &str)]| {
        app.admin.put("/api/2/lists/choir/", fields).await.good();
    };
    set(&[("moderate", "1")]).await;
    page(&write(&mut ada, "One", "waits").await, 200, "every message to this list needs approval");
    assert_eq!((messages(&app).await.len(), held(&app).await.len()), (0, 1));
    // What a moderator rejects is told by mail.
    app.sink.clear();
    let path = format!("/api/2/held/{}/", held(&app).await[0]["id"]);
    set(&[("send_reject_message", "true")]).await;
    app.admin.put_json(&path, &json!({"action": "reject", "reason": "No cake, please."})).await.good();
    app.settle().await;
    assert!(app.sink.mail_to(ADA).text().contains("No cake"));

    set(&[("moderate", "0"), ("taboo_body", "casino")]).await;
    page(&write(&mut ada, "Two", "the casino is open").await, 200, "waits for approval");
    // What the list refuses is told on the page alone, and the text is still there.
    app.sink.clear();
    for rejections in ["reject", "discard"] {
        let rules =
            [("moderate", "16"), ("restrict_post_banned_emails", ADA), ("message_rejections", rejections)];
        set(&rules).await;
        let answer = write(&mut ada, "Three", "let me <in>").await;
        page(&answer, 403, "the sender is banned from this list");
        page(&answer, 403, "role=\"alert\"");
        assert_eq!(content(&answer), "let me <in>");
    }
    set(&[("moderate", "0"), ("maxlength", "1"), ("taboo_body", "")]).await;
    page(&write(&mut ada, "Four", &"cake ".repeat(300)).await, 413, "too large");
    app.settle().await;
    assert_eq!((messages(&app).await.len(), held(&app).await.len(), app.sink.copies()), (0, 1, 0));
    // A stranger to the list is held, as by mail.
    set(&[("moderate", "10"), ("maxlength", "100"), ("message_rejections", "hold")]).await;
    app.list("tea").member("cy@example.org").create().await;
    let mut cy = signed_in(&app, "cy@example.org").await;
    page(&write(&mut cy, "Five", "may I?").await, 200, "the sender may not post to this list");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_posts_once_and_a_changed_one_again() {
    let app = TestApp::start().await;
    choir(&app).await;
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(WRITE).await;
    let fields = [("subject", "Cake"), ("content_plain", "Thanks!")];
    for _ in 0..3 {
        page(&send(&mut ada, &shown, &fields).await, 200, "on its way");
    }
    assert_eq!(messages(&app).await.len(), 1);
    let changed = [("subject", "Cake"), ("content_plain", "Thanks again!")];
    page(&send(&mut ada, &shown, &changed).await, 200, "on its way");
    assert_eq!(messages(&app).await.len(), 2);
    // The same words another time, from a new form.
    app.advance(HOUR).await;
    page(&write(&mut ada, "Cake", "Thanks!").await, 200, "on its way");
    assert_eq!(messages(&app).await.len(), 3);
    // One that waits waits once.
    app.admin.put("/api/2/lists/choir/", &[("moderate", "1")]).await.good();
    let shown = ada.get(WRITE).await;
    for _ in 0..2 {
        page(&send(&mut ada, &shown, &fields).await, 200, "waits for approval");
    }
    assert_eq!(held(&app).await.len(), 1);
}

#[tokio::test]
async fn a_wrong_form_comes_back_filled_in_with_its_problems() {
    let app = TestApp::start().await;
    choir(&app).await;
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(WRITE).await;
    let answer = send(&mut ada, &shown, &[("subject", " "), ("content_plain", "Some <text>")]).await;
    page(&answer, 400, "href=\"#subject\"");
    page(&answer, 400, "aria-describedby=\"subject-error\"");
    assert_eq!(content(&answer), "Some <text>");
    let answer = send(&mut ada, &shown, &[("subject", "A"), ("content_plain", " \r\n")]).await;
    page(&answer, 400, "href=\"#content_plain\"");
    let foreign = [("subject", "A"), ("content_plain", "b"), ("from_address", BOB)];
    page(&send(&mut ada, &shown, &foreign).await, 400, "href=\"#from_address\"");
    let long = "x".repeat(501);
    page(&send(&mut ada, &shown, &[("subject", &long), ("content_plain", "b")]).await, 400, "500");
    assert_eq!(messages(&app).await.len(), 0);
    let other_list = [("list", "tea"), ("subject", "A"), ("content_plain", "b")];
    let form = Visitor::form(&shown, WRITE, &["name=\"content_plain\""]);
    let csrf: Vec<(&str, &str)> = form.fields.iter().filter(|field| field.0 == "csrf").copied().collect();
    assert_eq!(ada.post(WRITE, &[&csrf[..], &other_list].concat()).await.status, 400);
}

#[tokio::test]
async fn members_write_under_their_first_address_or_another_that_is_confirmed() {
    let app = TestApp::start().await;
    choir(&app).await;
    let contact = app.email(ADA).await["contact"].to_string();
    let path = format!("/api/2/contacts/{contact}/");
    app.admin.put(&path, &[("firstname", "Ada"), ("surname", "Lovelace")]).await.good();
    for (address, confirmed) in [("ada@work.example", true), ("ada@old.example", false)] {
        app.admin.post("/api/2/emails/", &[("contact", contact.as_str()), ("email", address)]).await.good();
        app.change_email(address, move |email, _| email.confirmed = confirmed).await;
    }
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(WRITE).await;
    page(&shown, 200, "<option value=\"ada@example.org\" selected>Ada Lovelace &#60;ada@example.org&#62;<");
    page(&shown, 200, "<option value=\"ada@work.example\">Ada Lovelace &#60;ada@work.example&#62;<");
    assert!(!shown.body.contains("ada@old.example"), "{}", shown.body);
    let from = |address| [("from_address", address), ("subject", "A"), ("content_plain", "b")];
    page(&send(&mut ada, &shown, &from("ada@old.example")).await, 400, "href=\"#from_address\"");
    page(&send(&mut ada, &shown, &from("Ada@Work.example")).await, 200, "on its way");
    assert_eq!(messages(&app).await[0]["from_address"], "ada@work.example");
}

#[tokio::test]
async fn a_list_and_a_message_that_a_member_may_not_know_of_are_not_found() {
    let app = TestApp::start().await;
    let list = app.list("board").with("subscriptions", "closed").with("archive_enabled", "true");
    let board = list.with("archive_protected", "true").with("moderate", "0").member(BOB).create().await;
    choir(&app).await;
    assert_eq!(app.send_mail(BOB, &board.address, "Subject: secret\n\nx\n").await.code, 250);
    let id = messages(&app).await[0]["id"].to_string();
    let mut ada = signed_in(&app, ADA).await;
    for path in [
        "/lists/board/write/".to_owned(),
        "/lists/nothing/write/".to_owned(),
        format!("/lists/board/write/?reply={id}&quote=1"),
        format!("{WRITE}?reply={id}"),
        format!("{WRITE}?reply=x"),
    ] {
        let answer = ada.get(&path).await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.body.contains("secret"), "{}", answer.body);
    }
    // A member of a list whose archive nobody reads writes, and does not get at messages by replying to them.
    let mut bob = signed_in(&app, BOB).await;
    assert_eq!(bob.get("/lists/board/write/").await.status, 200);
    assert_eq!(bob.get(&format!("/lists/board/write/?reply={id}")).await.status, 404);
    let mut anybody = Visitor::new(&app);
    let answer = anybody.get(WRITE).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, Some("/members/?next=%2Flists%2Fchoir%2Fwrite%2F"))
    );
    let shown = ada.get(WRITE).await;
    let form = Visitor::form(&shown, WRITE, &["name=\"content_plain\""]);
    let forged: Vec<(&str, &str)> = form.fields.iter().filter(|field| field.0 != "csrf").copied().collect();
    let fields = [&forged[..], &[("subject", "A"), ("content_plain", "b")]].concat();
    assert_eq!(ada.post(WRITE, &fields).await.status, 403);
    assert_eq!(messages(&app).await.len(), 1);
}

#[tokio::test]
async fn what_was_written_when_the_session_had_ended_comes_back_after_signing_in() {
    let app = TestApp::start().await;
    let list = choir(&app).await;
    assert_eq!(app.send_mail(BOB, &list.address, "Subject: Cake\n\nThere is cake.\n").await.code, 250);
    let id = messages(&app).await[0]["id"].to_string();
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(&format!("{WRITE}?reply={id}")).await;
    app.advance(25 * HOUR).await;
    let text = format!("A long answer.\n{}", "It took an afternoon to write. ".repeat(1000));
    let fields = [("subject", "Re: Cake & plums"), ("content_plain", text.as_str()), ("action", "send")];
    let answer = send(&mut ada, &shown, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let next = answer.header("location").unwrap().to_owned();
    assert_eq!(next, "/members/?next=%2Flists%2Fchoir%2Fwrite%2F");
    assert_eq!(messages(&app).await.len(), 1, "nothing is sent");
    // Somebody else does not get it, and neither does a form without its key.
    let mut bob = signed_in(&app, BOB).await;
    assert_eq!(content(&bob.get(WRITE).await), "");
    let stray = Visitor::new(&app).post(WRITE, &fields).await;
    assert_eq!(stray.status, 303);
    assert_eq!(app.dump("draft").matches("Draft {").count(), 1);

    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(WRITE).await;
    page(&shown, 200, "Here is what you wrote");
    page(&shown, 200, "value=\"Re: Cake &#38; plums\"");
    page(&shown, 200, &format!("name=\"reply\" value=\"{id}\""));
    assert_eq!(content(&shown), text);
    let download = ada.get("/members/download/?format=json").await;
    assert!(download.body.contains("It took an afternoon"), "it is among what is kept");
    page(&send(&mut ada, &shown, &fields).await, 200, "on its way");
    let stored = messages(&app).await;
    assert_eq!((stored.len(), &stored[0]["thread_id"]), (2, &stored[1]["id"]));
    assert_eq!(content(&ada.get(WRITE).await), "", "what was sent is no draft any more");
    assert_eq!(app.dump("draft").matches("Draft {").count(), 0);
}

#[tokio::test]
async fn a_draft_ends_after_a_day_and_with_its_member() {
    let app = TestApp::start().await;
    choir(&app).await;
    let keep = async || {
        let mut ada = signed_in(&app, ADA).await;
        let shown = ada.get(WRITE).await;
        ada.set_cookie("__Host-member", "expired");
        let answer = send(&mut ada, &shown, &[("subject", "A"), ("content_plain", "b")]).await;
        assert_eq!(answer.status, 303);
        assert_eq!(app.dump("draft").matches("Draft {").count(), 1);
    };
    keep().await;
    app.advance(23 * HOUR).await;
    assert_eq!(app.dump("draft").matches("Draft {").count(), 1);
    app.advance(HOUR).await;
    assert_eq!(app.dump("draft").matches("Draft {").count(), 0);
    keep().await;
    let contact = app.email(ADA).await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    assert_eq!(app.dump("draft").matches("Draft {").count(), 0);
}

#[tokio::test]
async fn a_reply_does_not_tell_the_author_whom_the_list_hides() {
    let app = TestApp::start().await;
    let list = app.list("choir").with("rewrite_sender", "true").with("original_sender_mode", "hide");
    list.member(ADA).member(BOB).create().await;
    let mail = format!("From: Bob Secret <{BOB}>\nTo: choir@{DOMAIN}\nSubject: Notes\n\nSing louder");
    assert_eq!(app.send_mail(BOB, &format!("choir@{DOMAIN}"), &mail).await.code, 250);
    let id = messages(&app).await[0]["id"].as_u64().unwrap();
    let mut ada = signed_in(&app, ADA).await;
    let shown = ada.get(&format!("{WRITE}?reply={id}&quote=1")).await;
    page(&shown, 200, "Sing louder");
    assert!(!shown.body.contains("Secret") && !shown.body.contains(BOB), "{}", shown.body);
}
