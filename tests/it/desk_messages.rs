//! Writing to a list on a page, sending at a time, and the page of a message with why somebody did not get it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::desk_approvals::{admin, page};
use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

pub(crate) const NEW: &str = "/admin/messages/new/";
const ALL: &str = "/admin/messages/";
const HOUR: Duration = Duration::from_hours(1);

async fn start() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").with("merge_tags_enabled", "1").member("ada@example.org");
    list.member("bob@example.org").create().await;
    app.settle().await;
    app.sink.clear();
    app
}

async fn messages(app: &TestApp) -> Vec<Value> {
    app.admin.get("/api/2/messages/").await.good()["data"].as_array().unwrap().clone()
}

/// Sends the form to write with more fields.
pub(crate) async fn compose(visitor: &mut Visitor, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    visitor.submit(&form, fields).await
}

pub(crate) const LETTER: [(&str, &str); 3] = [
    ("list", "news"),
    ("subject", "Trip"),
    ("content_plain", "Dear $FIRSTNAME,\r\nthe *bus* leaves at **eight**."),
];

#[tokio::test]
async fn a_message_is_written_in_simple_formatting_and_reaches_everybody_once() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let shown = writer.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let fields = [&LETTER[..], &[("format", "simple"), ("action", "send")]].concat();
    let answer = writer.submit(&form, &fields).await;
    let path = answer.header("location").expect("it leads to the message").to_owned();
    assert_eq!(answer.status, 303);
    let again = writer.submit(&form, &fields).await;
    assert_eq!(again.header("location"), Some(&*path), "the same form leads to the same message");
    page(&writer.get(&path).await, 200, "role=\"status\"");
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["ada@example.org", "bob@example.org"]);
    let copy = app.sink.mail_to("ada@example.org").to_string();
    assert!(copy.contains("the <em>bus</em> leaves at <strong>eight</strong>.</p>"), "{copy}");
    assert!(copy.contains("the *bus* leaves at **eight**."), "the text is as it was typed: {copy}");
    assert_eq!(messages(&app).await.len(), 1);
    let changed = [&fields[..], &[("subject", "Another")]].concat();
    page(&writer.submit(&form, &changed[1..]).await, 409, "was sent already");
    let log = app.admin.get("/api/2/audit/?action=message.published").await.good();
    assert_eq!(log["data"][0]["actor"]["name"], json!("writer@example.org"));
    assert_eq!(log["data"][0]["via"], json!("page"));
}

#[tokio::test]
async fn a_wrong_form_comes_back_filled_in() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let fields = [("list", "news"), ("subject", "Trip <1>"), ("from_address", "nobody"), ("action", "send")];
    let answer = compose(&mut writer, &fields).await;
    page(&answer, 400, "Trip &#60;1&#62;");
    for words in
        ["role=\"alert\"", "href=\"#content_plain\"", "href=\"#from_address\"", "aria-invalid=\"true\""]
    {
        page(&answer, 400, words);
    }
    page(
        &compose(&mut writer, &[&LETTER[1..], &[("list", "none"), ("action", "send")]].concat()).await,
        400,
        "#list",
    );
    page(&compose(&mut writer, &LETTER).await, 400, "#buttons");
    assert!(messages(&app).await.is_empty() && app.sink.mails().is_empty());
    let mut reader = admin(&app, "reader@example.org", &["manage_members"]).await;
    assert_eq!(reader.get(NEW).await.status, 403);
    let listing = reader.get(ALL).await;
    assert!(!listing.body.contains(NEW), "what one may not do is not offered");
}

#[tokio::test]
async fn a_preview_and_a_test_are_what_the_chosen_member_would_get() {
    let app = start().await;
    let ada = app.email("ada@example.org").await["contact"].as_u64().unwrap();
    app.admin.put(&format!("/api/2/contacts/{ada}/"), &[("firstname", "Ada")]).await.good();
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let fields =
        [&LETTER[..], &[("format", "simple"), ("contact", "ada@example.org"), ("action", "preview")]]
            .concat();
    let shown = compose(&mut writer, &fields).await;
    page(&shown, 200, "As ada@example.org would get it");
    page(&shown, 200, "Dear Ada,");
    page(&shown, 200, "<b>eight</b>");
    let unknown = [&LETTER[..], &[("contact", "zoe@example.org"), ("action", "preview")]].concat();
    page(&compose(&mut writer, &unknown).await, 400, "href=\"#contact\"");
    let fields = [&LETTER[..], &[("contact", "ada@example.org"), ("action", "test")]].concat();
    page(&compose(&mut writer, &fields).await, 200, "on its way to writer@example.org");
    app.settle().await;
    let test = app.sink.mail_to("writer@example.org");
    assert_eq!(test.header("List-Unsubscribe"), None, "no link in a test leads to nowhere");
    let test = test.to_string().replace("=20=\n", " ").replace("=\n", "");
    assert!(test.contains("Dear Ada,") && app.sink.mails().len() == 1, "{test}");
    assert!(messages(&app).await.is_empty(), "nothing is published");
}

#[tokio::test]
async fn files_go_with_the_message() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let shown = writer.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let fields: Vec<(&str, &str)> =
        form.fields.iter().copied().chain(LETTER).chain([("action", "send")]).collect();
    let answer =
        writer.post_files(NEW, &fields, &[("file", "plan.pdf", "application/pdf", b"%PDF-1.4 plan")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    app.settle().await;
    let copy = app.sink.mail_to("bob@example.org").to_string();
    assert!(copy.contains("filename=\"plan.pdf\"") && copy.contains("JVBERi0xLjQgcGxhbg=="), "{copy}");
    let large = vec![b'x'; 5 << 20];
    let shown = writer.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let fields: Vec<(&str, &str)> =
        form.fields.iter().copied().chain(LETTER).chain([("action", "send")]).collect();
    let answer = writer.post_files(NEW, &fields, &[("file", "big.bin", "application/x-any", &large)]).await;
    page(&answer, 400, "href=\"#file\"");
    page(&answer, 400, "choose your files again");
}

/// The local time in the account's zone, UTC, some hours from now.
pub(crate) fn at(app: &TestApp, hours: u32) -> String {
    (app.core().now() + hours * HOUR).rfc3339()[..16].to_owned()
}

#[tokio::test]
async fn a_scheduled_message_is_sent_once_at_its_time_whatever_stops_the_server() {
    let mut app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let due = at(&app, 5);
    let shown = writer.get(NEW).await;
    let form = Visitor::form(&shown, NEW, &["name=\"content_plain\""]);
    let fields = [&LETTER[..], &[("send_at", &*due), ("action", "send")]].concat();
    for _ in 0..2 {
        let answer = writer.submit(&form, &fields).await;
        assert_eq!(answer.header("location"), Some("/admin/messages/?done=scheduled"));
    }
    let listing = writer.get(ALL).await;
    page(&listing, 200, "To be sent later");
    assert_eq!(listing.body.matches("value=\"cancel\"").count(), 1, "{}", listing.body);
    app.advance(4 * HOUR).await;
    assert!(app.sink.mails().is_empty() && messages(&app).await.is_empty());
    app.restart().await;
    app.advance(HOUR + Duration::from_mins(1)).await;
    assert_eq!(app.sink.to_members(), ["ada@example.org", "bob@example.org"]);
    app.restart().await;
    app.advance(5 * HOUR).await;
    assert_eq!(app.sink.copies(), 2, "nothing comes twice");
    assert_eq!(messages(&app).await.len(), 1);
    assert!(!writer.again(&app).get(ALL).await.body.contains("To be sent later"));
    let log = app.admin.get("/api/2/audit/?action=message.published").await.good();
    assert_eq!(log["data"][0]["actor"]["name"], json!("writer@example.org"));
    // The same form after all that still says what it did.
    let answer = writer.again(&app).submit(&form, &fields).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=scheduled"));
    assert_eq!(messages(&app).await.len(), 1);
}

#[tokio::test]
async fn a_scheduled_message_can_be_taken_back() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let due = at(&app, 5);
    compose(&mut writer, &[&LETTER[..], &[("send_at", &*due), ("action", "send")]].concat()).await;
    let mut reader = admin(&app, "reader@example.org", &["manage_members"]).await;
    let shown = reader.get(ALL).await;
    assert!(shown.body.contains("To be sent later") && !shown.body.contains("value=\"cancel\""));
    let shown = writer.get(ALL).await;
    let form = Visitor::form(&shown, ALL, &["value=\"cancel\""]);
    let answer = writer.submit(&form, &[("action", "cancel")]).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=cancel"));
    let answer = writer.submit(&form, &[("action", "cancel")]).await;
    assert_eq!(answer.header("location"), Some("/admin/messages/?done=gone"));
    app.advance(10 * HOUR).await;
    assert!(app.sink.mails().is_empty() && messages(&app).await.is_empty());
}

#[tokio::test]
async fn a_scheduled_message_is_not_sent_for_somebody_who_may_not_send_any_more() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let due = at(&app, 5);
    compose(&mut writer, &[&LETTER[..], &[("send_at", &*due), ("action", "send")]].concat()).await;
    let path = "/api/2/admins/writer@example.org/";
    app.admin.put_json(path, &json!({"permissions": ["manage_members"]})).await.good();
    app.advance(6 * HOUR).await;
    assert!(app.sink.copies() == 0 && messages(&app).await.is_empty());
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    page(&boss.get(ALL).await, 200, "Its author could no longer send it");
    app.admin.delete(path).await.good();
    assert!(!boss.get(ALL).await.body.contains("To be sent later"), "it goes with its author");
}

#[tokio::test]
async fn times_that_cannot_be_are_refused() {
    let app = start().await;
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    for wrong in ["2020-01-01T10:00", "tomorrow", "2099-01-01T10:00"] {
        let fields = [&LETTER[..], &[("send_at", wrong), ("action", "send")]].concat();
        page(&compose(&mut writer, &fields).await, 400, "href=\"#send_at\"");
    }
    assert!(messages(&app).await.is_empty());
}

#[tokio::test]
async fn a_message_for_readers_of_digests_alone_says_that_it_waits_and_not_that_nobody_gets_it() {
    let app = start().await;
    for address in ["ada@example.org", "bob@example.org"] {
        app.admin.put(&format!("/api/2/emails/{address}/"), &[("digest", "1")]).await.good();
    }
    let post = [("list", "news"), ("subject", "hello"), ("content_plain", "hi there")];
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let path = format!("{ALL}{}/", only(&app).await);
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let shown = boss.get(&path).await;
    page(&shown, 200, "Members who take digests get it with the next one: tomorrow, ");
    assert!(!shown.body.contains("0 copies"), "{}", shown.body);
    app.advance(24 * HOUR).await;
    let mut later = admin(&app, "later@example.org", &["account_admin"]).await;
    let shown = later.get(&path).await;
    page(&shown, 200, "Delivered <span class=\"badge good\">2</span>");
    assert!(!shown.body.contains("with the next one"), "{}", shown.body);
}

#[tokio::test]
async fn without_a_list_the_page_leads_to_making_one() {
    let app = TestApp::builder().without_dkim().start().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let shown = boss.get(NEW).await;
    page(&shown, 200, "First make a list");
    page(&shown, 200, "<a class=\"button\" href=\"/admin/lists/new/\">New list</a>");
    assert!(!shown.body.contains("name=\"content_plain\""), "{}", shown.body);
    app.list("news").create().await;
    let shown = boss.get(NEW).await;
    page(&shown, 200, "name=\"content_plain\"");
    assert!(!shown.body.contains("value=\"discard\""), "no draft is kept yet: {}", shown.body);
}

/// The id of the only message.
async fn only(app: &TestApp) -> u64 {
    messages(app).await[0]["id"].as_u64().unwrap()
}

#[tokio::test]
async fn the_page_of_a_message_says_who_got_it_and_why_others_did_not() {
    let app = start().await;
    let add = |address: &'static str| app.join(address, "news");
    for address in ["gone@example.org", "busy@example.org", "off@example.org", "daily@example.org"] {
        add(address).await;
    }
    app.pause("off@example.org").await;
    app.admin.put("/api/2/emails/daily@example.org/", &[("digest", "1")]).await.good();
    app.settle().await;
    app.sink.clear();
    app.sink.refuse("gone@example.org");
    app.sink.defer("busy@example.org", 9);
    let post = [("list", "news"), ("subject", "hello"), ("content_plain", "hi there")];
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    add("late@example.org").await;
    app.admin.post("/api/2/contacts/", &[("emails", "other@example.org"), ("lists", "")]).await.good();
    app.settle().await;
    let path = format!("{ALL}{}/", only(&app).await);
    let mut boss = admin(&app, "boss@example.org", &["manage_members"]).await;
    let shown = boss.get(&path).await;
    for words in [
        "hi there",
        "Delivered <span class=\"badge good\">2</span>",
        "Not delivered <span class=\"badge bad\">1</span>",
        "<p>Members who take digests get it with the next one: tomorrow, ",
    ] {
        page(&shown, 200, words);
    }
    assert!(!shown.body.contains("value=\"delete\""), "who may not delete is not offered it");
    for (who, words) in [
        ("ada@example.org", "Delivered on"),
        ("gone@example.org", "given up on"),
        ("busy@example.org", "We try again on"),
        ("off@example.org", "mail to this address is paused"),
        ("daily@example.org", "Waiting for the next digest, on"),
        ("late@example.org", "after the message"),
        ("other@example.org", "Not a member of the list"),
        ("zoe@example.net", "Nobody here has this address"),
        ("ada", "ada@example.org"),
        ("nobody", "Nobody here has this name"),
    ] {
        let encoded = crate::harness::http::encode(who);
        let answer = boss.get(&format!("{path}?who={encoded}")).await;
        let why = answer.body.split("id=\"copies\"").next().unwrap().to_owned();
        assert!(why.contains(words), "{who}: {words:?} is not in {why}");
    }
    let failed = boss.get(&format!("{path}?state=failed")).await;
    assert!(failed.body.contains("gone@example.org") && !failed.body.contains("ada@example.org"));
    // Paused by the server since the refusal, which the next message tells.
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let next = format!("{ALL}{}/?who=gone@example.org", only(&app).await);
    page(&boss.get(&next).await, 200, "there is no such mailbox");
}

#[tokio::test]
async fn messages_are_searched_filtered_and_taken_out() {
    let app = start().await;
    app.list("club").member("cy@example.org").create().await;
    for (list, subject) in [("news", "robes"), ("club", "hats")] {
        let post = [("list", list), ("subject", subject), ("content_plain", "about it")];
        app.admin.post("/api/2/messages/", &post).await.good();
    }
    app.settle().await;
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let has = |shown: &Response| (shown.body.contains(">robes<"), shown.body.contains(">hats<"));
    assert_eq!(has(&boss.get(ALL).await), (true, true));
    assert_eq!(has(&boss.get(&format!("{ALL}?list=club")).await), (false, true));
    assert_eq!(has(&boss.get(&format!("{ALL}?search=robes")).await), (true, false));
    let file = boss.get(&format!("{ALL}?format=csv&list=club")).await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(file.body.contains("hats") && !file.body.contains("robes"), "{}", file.body);
    let log = app.admin.get("/api/2/audit/?action=export").await.good();
    assert_eq!(log["data"][0]["object"]["name"], json!("messages"));
    let path = format!("{ALL}{}/", only(&app).await);
    let shown = boss.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"delete\""]);
    assert_eq!(boss.submit(&form, &[("action", "delete")]).await.status, 303);
    assert_eq!(has(&boss.get(ALL).await), (true, false));
    assert_eq!(boss.get(&path).await.status, 404);
    // A limited administrator sees its lists alone.
    let person = app.new_admin(crier::model::AccountId(app.account_id()), "limited@example.org").await;
    let limits = json!({"permissions": ["approve_messages", "limit_lists"], "limit_lists": ["club"]});
    app.admin.put_json("/api/2/admins/limited@example.org/", &limits).await.good();
    let mut limited = Visitor::signed_in(&app, person).await;
    assert_eq!(has(&limited.get(ALL).await), (false, false));
    let other = format!("{ALL}{}/", only(&app).await);
    assert_eq!(limited.get(&other).await.status, 404);
}

#[tokio::test]
async fn the_sender_of_a_message_that_went_out_is_stopped_beside_it() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").open().members(1).create().await;
    app.list("club").open().members(1).create().await;
    let send = async |list: &str, subject: &str| {
        let mail = format!("From: eve@example.net\nSubject: {subject}\nMessage-ID: <{subject}@x>\n\nBuy.\n");
        app.send_mail("eve@example.net", &format!("{list}@lists.example.org"), &mail).await
    };
    assert_eq!(send("news", "robes").await.code, 250);
    app.settle().await;
    let id = only(&app).await;
    let path = format!("{ALL}{id}/");
    let mut boss = admin(&app, "boss@example.org", &["approve_messages"]).await;
    let shown = boss.get(&path).await;
    page(&shown, 200, "The list news refuses what eve@example.net sends from now on.");
    let form = Visitor::form(&shown, &path, &["value=\"stop\""]);
    let answer = boss.submit(&form, &[("action", "stop")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let told = boss.get(answer.header("location").unwrap()).await;
    page(&told, 200, "eve@example.net is banned from the list news");
    assert!(!told.body.contains("value=\"stop\""), "{}", told.body);
    assert_eq!(send("news", "hats").await.code, 550);
    assert_eq!(send("club", "hats").await.code, 250, "of another list it is not banned");
    app.settle().await;
    // Again, nothing changes, and nothing is noted.
    assert_eq!(boss.submit(&form, &[("action", "stop")]).await.status, 303);
    let log = app.admin.get("/api/2/audit/?action=list.updated").await.good();
    assert_eq!((&log["count"], &log["data"][0]["actor"]["name"]), (&json!(1), &json!("boss@example.org")));
    // In the archive, moderators have the same button.
    let club = app.admin.get("/api/2/messages/?list=club").await.good()["data"][0]["id"].as_u64().unwrap();
    let path = format!("/lists/club/messages/{club}/");
    let shown = boss.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"stop\""]);
    page(&boss.submit(&form, &[("action", "stop")]).await, 200, "The sender is stopped");
    assert_eq!(send("club", "coats").await.code, 550);
    // What administrators write in the name of the list has no sender to stop.
    let post = [("list", "club"), ("subject", "ours"), ("content_plain", "about it")];
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let ours = boss.get(&format!("{ALL}{}/", only(&app).await)).await;
    assert!(!ours.body.contains("value=\"stop\""), "{}", ours.body);
    let mut reader = admin(&app, "reader@example.org", &["manage_members"]).await;
    assert!(!reader.get(&format!("{ALL}{id}/")).await.body.contains("value=\"stop\""));
}
