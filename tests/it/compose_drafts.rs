//! The draft of an administrator's message: its files and its text through previews, problems, the end of a session and a
//! restart; and what HTML and how much text the page takes.

use std::time::Duration;

use crate::desk_approvals::{admin, page};
use crate::desk_messages::{LETTER, NEW, at};
use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

const HOUR: Duration = Duration::from_hours(1);
const PLAN: (&str, &str, &str, &[u8]) = ("file", "plan.pdf", "application/pdf", b"%PDF-1.4 plan");
const MAP: (&str, &str, &str, &[u8]) = ("file", "map.png", "image/png", b"a map");
/// As they stand in a mail.
const PLAN_SENT: &str = "JVBERi0xLjQgcGxhbg==";
const MAP_SENT: &str = "YSBtYXA=";

async fn start() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").member("ada@example.org").create().await;
    app.settle().await;
    app.sink.clear();
    app
}

async fn writer(app: &TestApp) -> Visitor {
    admin(app, "writer@example.org", &["send_messages"]).await
}

/// Sends the form on `shown` with more fields, and with files if there are any.
async fn send(
    visitor: &mut Visitor,
    shown: &Response,
    fields: &[(&str, &str)],
    files: &[(&str, &str, &str, &[u8])],
) -> Response {
    let form = Visitor::form(shown, NEW, &["name=\"content_plain\""]);
    let all: Vec<(&str, &str)> = form.fields.iter().chain(fields).copied().collect();
    visitor.post_files(form.action, &all, files).await
}

/// The letter with the button that is pressed.
fn letter<'l>(action: &'l str, more: &[(&'l str, &'l str)]) -> Vec<(&'l str, &'l str)> {
    [&LETTER[..], &[("action", action)], more].concat()
}

fn drafts(app: &TestApp) -> usize {
    app.dump("compose_draft").matches("ComposeDraft {").count()
}

#[tokio::test]
async fn files_stay_through_a_preview_and_a_second_one_is_added() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[PLAN]).await;
    page(&shown, 200, "Remove plan.pdf");
    assert!(!shown.body.contains("choose your files again"), "{}", shown.body);
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[MAP]).await;
    page(&shown, 200, "Remove plan.pdf");
    page(&shown, 200, "Remove map.png");
    // The same file, chosen once more, and the same page, sent once more, change nothing.
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[MAP]).await;
    assert_eq!(shown.body.matches("Remove map.png").count(), 1);
    assert_eq!(send(&mut writer, &shown, &letter("send", &[]), &[]).await.status, 303);
    assert_eq!(send(&mut writer, &shown, &letter("send", &[]), &[]).await.status, 303, "it is the same form");
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let copy = app.sink.mail_to("ada@example.org").to_string();
    assert!(copy.contains(PLAN_SENT) && copy.matches(MAP_SENT).count() == 1, "{copy}");
    assert_eq!(drafts(&app), 0, "what was sent is no draft");
}

#[tokio::test]
async fn a_file_can_be_removed_and_the_others_go() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[PLAN, MAP]).await;
    let (_, rest) = shown.body.split_once("name=\"remove\" value=\"").unwrap();
    let plan = rest.split('"').next().unwrap();
    let fields = [&LETTER[..], &[("remove", plan)]].concat();
    let shown = send(&mut writer, &shown, &fields, &[]).await;
    page(&shown, 200, "Remove map.png");
    assert!(!shown.body.contains("plan.pdf"), "{}", shown.body);
    page(&shown, 200, "value=\"Trip\"");
    assert_eq!(send(&mut writer, &shown, &letter("send", &[]), &[]).await.status, 303);
    app.settle().await;
    let copy = app.sink.mail_to("ada@example.org").to_string();
    assert!(copy.contains(MAP_SENT) && !copy.contains(PLAN_SENT), "{copy}");
}

#[tokio::test]
async fn files_stay_through_problems_and_a_restart_and_go_with_what_is_sent_later() {
    let mut app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let wrong = letter("send", &[("from_address", "nobody")]);
    let shown = send(&mut writer, &shown, &wrong, &[PLAN]).await;
    page(&shown, 400, "Remove plan.pdf");
    app.restart().await;
    let mut writer = writer.again(&app);
    let due = at(&app, 5);
    let later = letter("send", &[("send_at", &*due)]);
    assert_eq!(send(&mut writer, &shown, &later, &[]).await.status, 303);
    app.advance(6 * HOUR).await;
    app.settle().await;
    assert!(app.sink.mail_to("ada@example.org").to_string().contains(PLAN_SENT));
}

#[tokio::test]
async fn a_draft_ends_after_a_day_and_its_message_is_not_sent_without_the_file() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[PLAN]).await;
    app.advance(25 * HOUR).await;
    assert_eq!(drafts(&app), 0);
    let mut writer = writer_again(&app).await;
    let again = writer.get(NEW).await;
    let csrf = Visitor::form(&again, NEW, &["name=\"content_plain\""]).fields[0];
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let fields: Vec<(&str, &str)> =
        [csrf].into_iter().chain(form.fields.iter().skip(1).copied()).chain(letter("send", &[])).collect();
    page(&writer.post(form.action, &fields).await, 400, "no longer kept");
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}

/// The same administrator, signed in anew.
async fn writer_again(app: &TestApp) -> Visitor {
    let admins = app.admin.get("/api/2/admins/writer@example.org/").await.good();
    let id = admins["id"].as_u64().unwrap_or_else(|| admins["id"].as_str().unwrap().parse().unwrap());
    Visitor::signed_in(app, crier::model::Person::Admin(crier::model::AdminId(id))).await
}

#[tokio::test]
async fn a_message_that_was_sent_when_the_session_had_ended_comes_back_with_its_files() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let large = vec![b'x'; 2 << 20];
    writer.set_cookie("__Host-admin", "ended");
    let file = ("file", "large.bin", "application/octet-stream", &large[..]);
    let answer = send(&mut writer, &shown, &letter("send", &[]), &[file]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(answer.header("location").unwrap().starts_with("/login/?next="));
    assert_eq!(drafts(&app), 1);
    let mut other = admin(&app, "other@example.org", &["send_messages"]).await;
    assert!(!other.get(NEW).await.body.contains("Trip"), "nobody else sees it");
    let mut writer = writer_again(&app).await;
    let shown = writer.get(NEW).await;
    for words in ["Here is what you wrote", "value=\"Trip\"", "the *bus* leaves", "Remove large.bin"] {
        page(&shown, 200, words);
    }
    assert_eq!(send(&mut writer, &shown, &letter("send", &[]), &[]).await.status, 303);
    app.settle().await;
    assert!(app.sink.mail_to("ada@example.org").to_string().contains("large.bin"));
    assert_eq!(drafts(&app), 0);
}

#[tokio::test]
async fn strangers_can_keep_nothing_and_an_administrator_not_much() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let key = form.fields.iter().find(|(name, _)| *name == "key").unwrap().1;
    let mut stranger = Visitor::new(&app);
    let forged = format!("b{}", &key[1..]);
    for key in ["", "x", &*forged] {
        let fields = letter("send", &[("key", key)]);
        assert_eq!(stranger.post(&format!("{NEW}?key={key}"), &fields).await.status, 303);
    }
    let large = vec![b'x'; 700 << 10];
    let file = ("file", "large.bin", "application/octet-stream", &large[..]);
    assert_eq!(stranger.post_files(NEW, &LETTER, &[file]).await.status, 413);
    assert_eq!(drafts(&app), 0);
    for _ in 0..12 {
        let shown = writer.get(&format!("{NEW}?parent=")).await;
        page(&send(&mut writer, &shown, &letter("preview", &[]), &[PLAN]).await, 200, "Remove plan.pdf");
    }
    assert_eq!(drafts(&app), 8);
    let shown = writer.get(&format!("{NEW}?parent=")).await;
    assert_eq!(shown.body.matches("?key=").count(), 8 + 2, "the others are listed: {}", shown.body);
    // A form of the day before yesterday keeps nothing for somebody who is not signed in.
    app.advance(49 * HOUR).await;
    assert_eq!(stranger.post(form.action, &letter("send", &[("key", key)])).await.status, 303);
    assert_eq!(drafts(&app), 0);
}

#[tokio::test]
async fn html_that_would_take_long_is_refused_and_sloppy_html_is_mended() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    for html in ["<div>".repeat(80_000), "<b><i>x</i></b>".repeat(60_000)] {
        let answer = send(&mut writer, &shown, &letter("preview", &[("content_html", &html)]), &[]).await;
        page(&answer, 400, "too many elements");
    }
    let html = "<b><i>x</i></b>".repeat(1_000_000);
    let answer = send(&mut writer, &shown, &letter("preview", &[("content_html", &html)]), &[]).await;
    page(&answer, 400, "is longer than");
    assert!(answer.body.len() < 6 << 20, "{}", answer.body.len());
    let links = "[a](b".repeat(1_000_000);
    let fields = [&LETTER[..2], &[("content_plain", &links), ("format", "simple"), ("action", "preview")]];
    page(&send(&mut writer, &shown, &fields.concat(), &[]).await, 400, "is longer than");
    app.admin.put("/api/2/lists/news/", &[("maxlength", "1")]).await.good();
    let long = "x".repeat(2000);
    let fields = letter("preview", &[("content_html", &long)]);
    page(&send(&mut writer, &shown, &fields, &[]).await, 400, "is longer than");
    app.admin.put("/api/2/lists/news/", &[("maxlength", "4096")]).await.good();
    let sloppy =
        "<p>One<p>Two <a href=\"https://example.org/\">here</a><script>alert(1)</script><table><td>cell";
    let answer = send(&mut writer, &shown, &letter("send", &[("content_html", sloppy)]), &[]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    app.settle().await;
    let copy = app.sink.mail_to("ada@example.org").to_string().replace("=\n", "").replace("=3D", "=");
    assert!(copy.contains("<p>One</p><p>Two <a href=\"https://example.org/\""), "{copy}");
    assert!(copy.contains("<td>cell</td>") && !copy.contains("alert"), "{copy}");
}

const ALL: &str = "/admin/messages/";

/// The path of the link by which a page leads on to what is changed there.
#[track_caller]
fn path_of(shown: &Response, begins: &str) -> String {
    let (_, rest) =
        shown.body.split_once(&format!("href=\"{begins}")).unwrap_or_else(|| panic!("{}", shown.body));
    format!("{begins}{}", rest.split('"').next().unwrap())
}

/// Schedules the letter with a file; returns the page on which it is changed.
async fn scheduled(app: &TestApp, writer: &mut Visitor, hours: u32) -> Response {
    let shown = writer.get(NEW).await;
    let due = at(app, hours);
    let later = letter("send", &[("send_at", &*due)]);
    assert_eq!(send(writer, &shown, &later, &[PLAN]).await.status, 303);
    let listed = writer.get(ALL).await;
    page(&listed, 200, "1 file");
    let path = path_of(&listed, "/admin/messages/new/?scheduled=");
    let shown = writer.get(&path).await;
    page(&shown, 200, "value=\"Trip\"");
    page(&shown, 200, &format!("value=\"{due}\""));
    page(&shown, 200, "Remove plan.pdf");
    shown
}

#[tokio::test]
async fn drafts_are_listed_opened_again_and_thrown_away() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = writer.get(NEW).await;
    let answer = send(&mut writer, &shown, &letter("keep", &[]), &[PLAN]).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=draft"));
    let listed = writer.get("/admin/messages/?done=draft").await;
    for words in ["Your draft is kept for a day", "Drafts", ">Trip</a>", "news · 1 file"] {
        page(&listed, 200, words);
    }
    let mut other = admin(&app, "other@example.org", &["send_messages"]).await;
    assert!(!other.get(ALL).await.body.contains("Trip"), "a draft is its writer's");
    // It is the person's, whatever address that person signs in with.
    let path = "/api/2/admins/writer@example.org/";
    app.admin.put(path, &[("username", "renamed@example.org")]).await.good();
    let admins = app.admin.get("/api/2/admins/renamed@example.org/").await.good();
    let id = admins["id"].as_u64().unwrap_or_else(|| admins["id"].as_str().unwrap().parse().unwrap());
    let person = crier::model::Person::Admin(crier::model::AdminId(id));
    let mut writer = Visitor::signed_in(&app, person).await;
    let listed = writer.get(ALL).await;
    let shown = writer.get(&path_of(&listed, "/admin/messages/new/?key=")).await;
    page(&shown, 200, "value=\"Trip\"");
    page(&shown, 200, "Remove plan.pdf");
    let form = Visitor::form(&listed, ALL, &["value=\"discard\""]);
    let answer = writer.submit(&form, &[("action", "discard")]).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=discard"));
    assert_eq!(drafts(&app), 0);
    assert!(!writer.get(ALL).await.body.contains("Trip"));
}

#[tokio::test]
async fn a_message_that_waits_is_opened_and_its_text_files_and_time_are_changed() {
    let mut app = start().await;
    let mut writer = writer(&app).await;
    let shown = scheduled(&app, &mut writer, 5).await;
    // Another file is added through a preview and a restart, and the first one taken out.
    let shown = send(&mut writer, &shown, &letter("preview", &[]), &[MAP]).await;
    page(&shown, 200, "Remove map.png");
    let (_, rest) = shown.body.split_once("name=\"remove\" value=\"").unwrap();
    let plan = rest.split('"').next().unwrap();
    let shown = send(&mut writer, &shown, &[&LETTER[..], &[("remove", plan)]].concat(), &[]).await;
    assert!(!shown.body.contains("plan.pdf") && shown.body.contains("map.png"), "{}", shown.body);
    app.restart().await;
    let mut writer = writer.again(&app);
    let due = at(&app, 8);
    let fields =
        [("list", "news"), ("subject", "Later trip"), ("content_plain", "At ten."), ("send_at", &*due)];
    let answer = send(&mut writer, &shown, &[&fields[..], &[("action", "send")]].concat(), &[]).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=scheduled"));
    assert_eq!(app.dump("scheduled_message").matches("ScheduledMessage {").count(), 1);
    app.advance(6 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "the first time is over");
    app.advance(3 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let copy = app.sink.mail_to("ada@example.org").to_string();
    assert!(copy.contains("Subject: Later trip") && copy.contains("At ten."), "{copy}");
    assert!(copy.contains(MAP_SENT) && !copy.contains(PLAN_SENT), "{copy}");
    assert_eq!(drafts(&app), 0);
}

#[tokio::test]
async fn a_message_that_waits_is_sent_now_once_however_often_it_is_pressed() {
    let app = start().await;
    let mut writer = writer(&app).await;
    scheduled(&app, &mut writer, 5).await;
    let listed = writer.get(ALL).await;
    let form = Visitor::form(&listed, ALL, &["value=\"cancel\""]);
    let answer = writer.submit(&form, &[("action", "send")]).await;
    assert!(answer.header("location").unwrap().ends_with("/?done=send"), "{:?}", answer.header("location"));
    for action in ["send", "cancel"] {
        let answer = writer.submit(&form, &[("action", action)]).await;
        assert_eq!(answer.header("location"), Some("/admin/messages/?done=gone"));
    }
    page(&writer.get("/admin/messages/?done=gone").await, 200, "no longer waits");
    app.advance(6 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    assert!(app.sink.mail_to("ada@example.org").to_string().contains(PLAN_SENT));
}

#[tokio::test]
async fn what_was_sent_while_somebody_changed_it_is_not_sent_again() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = scheduled(&app, &mut writer, 5).await;
    app.advance(6 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let mut writer = writer_again(&app).await;
    let fresh = writer.get(NEW).await;
    let csrf = Visitor::form(&fresh, NEW, &["name=\"content_plain\""]).fields[0];
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    for send_at in [String::new(), at(&app, 5)] {
        let fields: Vec<(&str, &str)> = [csrf]
            .into_iter()
            .chain(form.fields.iter().skip(1).copied())
            .chain(letter("send", &[("send_at", &send_at)]))
            .collect();
        let answer = writer.post_files(form.action, &fields, &[MAP]).await;
        page(&answer, 409, "was sent or taken back while you were changing it");
        page(&answer, 409, "the *bus* leaves");
    }
    let gone = writer.get("/admin/messages/new/?scheduled=1").await;
    assert_eq!(gone.header("location"), Some("/admin/messages/?done=gone"));
    app.advance(6 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1, "nothing is doubled");
}

#[tokio::test]
async fn of_two_who_change_a_message_the_second_is_told_and_without_a_time_it_goes_at_once() {
    let app = start().await;
    let mut writer = writer(&app).await;
    let shown = scheduled(&app, &mut writer, 5).await;
    let mut other = admin(&app, "other@example.org", &["send_messages"]).await;
    let listed = other.get(ALL).await;
    let theirs = other.get(&path_of(&listed, "/admin/messages/new/?scheduled=")).await;
    let now = [
        ("list", "news"),
        ("subject", "Theirs"),
        ("content_plain", "At once."),
        ("send_at", ""),
        ("action", "send"),
    ];
    let due = at(&app, 7);
    let changed = letter("send", &[("send_at", &*due)]);
    assert_eq!(send(&mut writer, &shown, &changed, &[]).await.status, 303);
    page(&send(&mut other, &theirs, &now, &[]).await, 409, "Somebody else has changed this message");
    let listed = other.get(ALL).await;
    let theirs = other.get(&path_of(&listed, "/admin/messages/new/?scheduled=")).await;
    page(&theirs, 200, &format!("value=\"{due}\""));
    assert_eq!(send(&mut other, &theirs, &now, &[]).await.status, 303);
    app.advance(8 * HOUR).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let copy = app.sink.mail_to("ada@example.org").to_string();
    assert!(copy.contains("Subject: Theirs") && copy.contains(PLAN_SENT), "{copy}");
}
