//! Who left, complained or came as opted out is not put back: by imports, pages, batches or single calls.

use crier::model::{ContactId, Person};
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::people_pages::admin;

const ADA: &str = "ada@example.org";
const CONTACTS: &str = "/api/2/contacts/";
const MEMBERSHIP: &str = "/api/2/membership/";
const IMPORT: &str = "/admin/people/import/";

#[track_caller]
fn has(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

async fn manager(app: &TestApp) -> Visitor {
    admin(app, "eve@example.org", json!({"permissions": ["account_admin"]})).await
}

async fn id_of(app: &TestApp, address: &str) -> Value {
    let path = format!("{CONTACTS}?email={}", address.replace('@', "%40"));
    app.admin.get(&path).await.good()["data"][0]["id"].clone()
}

/// The path of the link for leaving in the copy that an address got.
fn link_of(app: &TestApp, address: &str) -> String {
    let copy = app.sink.mail_to(address);
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    let start = field.find("<https://lists.example.org/").expect("one of the ways is a link");
    let link = field[start + 1..].split('>').next().expect("a link has an end");
    link.strip_prefix("https://lists.example.org").expect("it was found by this").to_owned()
}

/// Makes the lists `news` and `staff`, and has ada join `news` and leave it by the button of a mail program; answers
/// the path of the link.
async fn ada_has_left(app: &TestApp) -> String {
    let list = app.list("news").open().create().await;
    app.list("staff").create().await;
    app.admin.post_json(CONTACTS, &json!({"emails": [ADA], "lists": ["news"]})).await.good();
    assert_eq!(app.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let link = link_of(app, ADA);
    let left = app.anon.post(&link, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(left.status, 200, "{}", left.body);
    assert_eq!(app.members("news").await, [""; 0]);
    link
}

#[tokio::test]
async fn no_call_of_the_api_puts_back_who_left_unless_it_says_so() {
    let app = TestApp::start().await;
    ada_has_left(&app).await;
    let id = id_of(&app, ADA).await;
    let told = "left news on 2026-11-20 by the link; not added";
    let one = json!({"contact": id, "list": "news"});
    app.admin.post_json(MEMBERSHIP, &one).await.error(409, told);
    let path = format!("{CONTACTS}{id}/");
    app.admin.put_json(&path, &json!({"lists": ["news"]})).await.error(409, told);
    app.admin.put_json(&path, &json!({"lists": ["staff"], "firstname": "Ada"})).await.good();
    let rows =
        json!([{"emails": [ADA], "lists": ["news"]}, {"emails": ["bob@example.org"], "lists": ["news"]}]);
    app.admin.post_json("/api/2/contacts/batch/", &rows).await.good();
    assert_eq!(app.members("news").await, ["bob@example.org"]);

    let forced = json!({"contact": id, "list": "news", "override_opt_out": true});
    app.admin.post_json(MEMBERSHIP, &forced).await.good();
    assert_eq!(app.members("news").await.len(), 2);
    app.admin.put_json(&path, &json!({"lists": []})).await.good();
    // An administrator who takes somebody off says nothing for that person.
    app.admin.put_json(&path, &json!({"lists": ["news"]})).await.good();
    assert_eq!(app.members("news").await.len(), 2);
}

#[tokio::test]
async fn who_left_is_known_again_after_the_contact_is_gone_and_keeps_no_readable_address() {
    let app = TestApp::start().await;
    ada_has_left(&app).await;
    let id = id_of(&app, ADA).await;
    app.admin.delete(&format!("{CONTACTS}{id}/")).await.good();
    assert!(!app.dump("opt_out").contains("ada"), "{}", app.dump("opt_out"));
    let again = json!({"emails": ["ADA@example.org"], "lists": ["news"]});
    app.admin.post_json(CONTACTS, &again).await.error(409, "left news on 2026-11-20 by the link");
    let rows = app.admin.post_json("/api/2/contacts/batch/", &json!([again])).await.good();
    assert_eq!(rows["data"][0]["status"], 409, "{rows}");
    app.admin.post_json(CONTACTS, &json!({"emails": [ADA], "lists": ["staff"]})).await.good();
    app.admin.delete("/api/2/lists/news/").await.good();
    assert_eq!(app.dump("opt_out").matches("OptOut {").count(), 0, "it goes with its list");
}

#[tokio::test]
async fn joining_again_ends_it_and_so_does_an_undo() {
    let app = TestApp::start().await;
    let link = ada_has_left(&app).await;
    let id = id_of(&app, ADA).await;
    let undone = app.anon.post(&link, &[("action", "rejoin")]).await;
    has(&undone, 200, "You are a member of news");
    let membership = app.admin.get(MEMBERSHIP).await.good()["data"][0]["id"].clone();
    app.admin.delete(&format!("{MEMBERSHIP}{membership}/")).await.good();
    app.admin.post_json(MEMBERSHIP, &json!({"contact": id, "list": "news"})).await.good();
}

#[tokio::test]
async fn a_complaint_keeps_an_address_off_every_list() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    app.list("staff").create().await;
    app.admin.post_json(CONTACTS, &json!({"emails": [ADA], "lists": ["news"]})).await.good();
    assert_eq!(app.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    let copy = app.sink.mail_to(ADA);
    let complaint = format!(
        "From: fbl@provider.example\nSubject: abuse\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nabuse\n\
         --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\nUser-Agent: x\n\
         Original-Rcpt-To: {ADA}\n\n--b--\n"
    );
    assert_eq!(app.send_mail("", &copy.from, &complaint).await.code, 250);
    app.settle().await;
    let id = id_of(&app, ADA).await;
    let refused = app.admin.post_json(MEMBERSHIP, &json!({"contact": id, "list": "staff"})).await;
    refused.error(409, "by a complaint");
}

#[tokio::test]
async fn an_import_on_the_page_names_who_left_and_a_box_overrides() {
    let app = TestApp::start().await;
    ada_has_left(&app).await;
    let mut eve = manager(&app).await;
    let page = eve.get(IMPORT).await;
    let form = Visitor::form(&page, IMPORT, &["name=\"csv\""]);
    let rows = "email,name\nada@example.org,Ada\nbob@example.org,Bob\n";
    let preview = eve.submit(&form, &[("csv", rows), ("action", "preview")]).await;
    let form = Visitor::form(&preview, IMPORT, &["value=\"import\""]);
    let preview = eve.submit(&form, &[("list", "news"), ("action", "preview")]).await;
    has(&preview, 200, "left news on 20 November 2026 by the link: not added");
    has(&preview, 200, "One person of the refused rows left");
    let form = Visitor::form(&preview, IMPORT, &["value=\"import\""]);
    let begun = eve.submit(&form, &[("list", "news"), ("action", "import")]).await;
    let task = begun.header("location").expect("it leads to the task").to_owned();
    let mut done = eve.get(&task).await;
    while !done.body.contains("The import is done.") {
        done = eve.get(&task).await;
    }
    has(&done, 200, "One person of the refused rows left");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
    let refused = eve.get(&format!("{task}refused/")).await;
    has(&refused, 200, "left news on 20 November 2026 by the link: not added");

    let page = eve.get(IMPORT).await;
    let form = Visitor::form(&page, IMPORT, &["name=\"csv\""]);
    let preview = eve.submit(&form, &[("csv", rows), ("action", "preview")]).await;
    let form = Visitor::form(&preview, IMPORT, &["value=\"import\""]);
    let fields = [("list", "news"), ("override_opt_out", "1"), ("action", "import")];
    let begun = eve.submit(&form, &fields).await;
    let task = begun.header("location").expect("it leads to the task").to_owned();
    while !eve.get(&task).await.body.contains("The import is done.") {}
    assert_eq!(app.members("news").await.len(), 2);
}

/// Imports ada and bob into `news` on the page; answers the finished task, and the refused rows.
async fn import(app: &TestApp) -> (Response, Response) {
    let mut eve = manager(app).await;
    let page = eve.get(IMPORT).await;
    let form = Visitor::form(&page, IMPORT, &["name=\"csv\""]);
    let rows = "email,name\nada@example.org,Ada\nbob@example.org,Bob\n";
    let preview = eve.submit(&form, &[("csv", rows), ("action", "preview")]).await;
    let form = Visitor::form(&preview, IMPORT, &["value=\"import\""]);
    let begun = eve.submit(&form, &[("list", "news"), ("action", "import")]).await;
    let task = begun.header("location").expect("it leads to the task").to_owned();
    let mut done = eve.get(&task).await;
    while !done.body.contains("The import is done.") {
        done = eve.get(&task).await;
    }
    let refused = eve.get(&format!("{task}refused/")).await;
    (done, refused)
}

/// Makes the list `news` with ada in it.
async fn ada_is_in(app: &TestApp) {
    app.list("news").open().create().await;
    app.admin.post_json(CONTACTS, &json!({"emails": [ADA], "lists": ["news"]})).await.good();
}

#[tokio::test]
async fn an_import_puts_nobody_back_who_left_by_a_command_in_a_mail() {
    let app = TestApp::start().await;
    ada_is_in(&app).await;
    let command = format!("From: {ADA}\nSubject: x\nMessage-ID: <1@example.org>\n\n");
    let asked = app.send_mail(ADA, "news-unsubscribe@lists.example.org", &command).await;
    assert_eq!(asked.code, 250, "{asked}");
    app.settle().await;
    // Anybody can write in her name: so she confirms it by a reply.
    let reply_to = app.sink.mail_to(ADA).header("Reply-To").expect("it can be replied to");
    let start = reply_to.find("confirm+").unwrap_or_else(|| panic!("{reply_to}"));
    let confirming = reply_to[start..].trim_end_matches('>').to_owned();
    let yes = format!("From: {ADA}\nSubject: Re: x\nMessage-ID: <2@example.org>\n\nyes\n");
    let confirmed = app.send_mail(ADA, &confirming, &yes).await;
    assert_eq!(confirmed.code, 250, "{confirmed}");
    app.settle().await;
    assert_eq!(app.members("news").await, [""; 0]);

    let (done, refused) = import(&app).await;
    has(&done, 200, "One person of the refused rows left");
    has(&refused, 200, "left news on 20 November 2026 by mail: not added");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
}

#[tokio::test]
async fn an_import_puts_nobody_back_who_left_on_the_own_page() {
    let app = TestApp::start().await;
    ada_is_in(&app).await;
    let contact = ContactId(id_of(&app, ADA).await.as_u64().expect("a number"));
    let mut ada = Visitor::signed_in(&app, Person::Member(contact)).await;
    let page = ada.get("/members/").await;
    let list = app.admin.get("/api/2/lists/news/").await.good()["id"].to_string();
    let of_list = format!("name=\"list\" value=\"{list}\"");
    let form = Visitor::form(&page, "/members/", &[&of_list, "value=\"leave\""]);
    has(&ada.submit(&form, &[("action", "leave")]).await, 200, "You have left news");
    assert_eq!(app.members("news").await, [""; 0]);

    let (done, refused) = import(&app).await;
    has(&done, 200, "One person of the refused rows left");
    has(&refused, 200, "left news on 20 November 2026 on the members");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
}

#[tokio::test]
async fn an_import_puts_nobody_back_who_asked_to_be_forgotten() {
    let app = TestApp::start().await;
    ada_is_in(&app).await;
    let contact = ContactId(id_of(&app, ADA).await.as_u64().expect("a number"));
    let mut ada = Visitor::signed_in(&app, Person::Member(contact)).await;
    let page = ada.get("/members/erase/").await;
    let form = Visitor::form(&page, "/members/erase/", &["name=\"posts\""]);
    let erased = ada.submit(&form, &[("action", "erase"), ("posts", "keep")]).await;
    assert_eq!(erased.status, 303, "{}", erased.body);
    app.settle().await;
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 0, "she is gone");

    let (done, refused) = import(&app).await;
    has(&done, 200, "One person of the refused rows left");
    has(&refused, 200, "asked on 20 November 2026 to have all data erased: not added");
    assert_eq!(app.members("news").await, ["bob@example.org"]);
}

#[tokio::test]
async fn adding_several_people_to_a_list_says_how_many_had_left() {
    let app = TestApp::start().await;
    ada_has_left(&app).await;
    app.admin.post_json(CONTACTS, &json!({"emails": ["bob@example.org"]})).await.good();
    let ids = [id_of(&app, ADA).await.to_string(), id_of(&app, "bob@example.org").await.to_string()];
    let mut eve = manager(&app).await;
    let path = "/admin/people/";
    let page = eve.get(path).await;
    let form = Visitor::form(&page, path, &["name=\"id\""]);
    let fields = [("id", ids[0].as_str()), ("id", &ids[1]), ("list", "news"), ("action", "add")];
    let done = eve.submit(&form, &fields).await;
    let target = done.header("location").expect("it leads to the listing").to_owned();
    assert_eq!(app.members("news").await, ["bob@example.org"]);
    let told = eve.get(&target).await;
    has(&told, 200, "1 person left, complained or opted out elsewhere, and was not");
    for (language, words) in [
        ("de", "1 Person hat die Liste verlassen, sich beschwert oder anderswo widersprochen"),
        ("fr", "1 personne avait quitté la liste, signalé un spam ou refusé"),
        ("es", "1 persona salió, se quejó o pidió en otro sitio no recibir correo"),
    ] {
        has(&eve.get(&format!("{target}&lang={language}")).await, 200, words);
    }
}

#[tokio::test]
async fn the_pages_of_a_list_and_of_a_person_say_who_left() {
    let app = TestApp::start().await;
    ada_has_left(&app).await;
    let mut eve = manager(&app).await;
    let path = "/admin/lists/news/members/";
    let page = eve.get(path).await;
    let form = Visitor::form(&page, path, &["name=\"emails\""]);
    let typed = "Ada <ada@example.org>, bob@example.org";
    let refused = eve.submit(&form, &[("emails", typed), ("action", "add")]).await;
    has(&refused, 400, "left news on 20 November 2026 by the link: not added");
    assert_eq!(app.members("news").await, ["bob@example.org"]);

    let path = format!("/admin/people/{}/", id_of(&app, ADA).await);
    let person = eve.get(&path).await;
    has(&person, 200, "left news on 20 November 2026 by the link");
    let form = Visitor::form(&person, &path, &["name=\"list\""]);
    has(&eve.submit(&form, &[("list", "news"), ("action", "join")]).await, 409, "not added");
    let fields = [("list", "news"), ("override_opt_out", "1"), ("action", "join")];
    assert_eq!(eve.submit(&form, &fields).await.status, 303);
    assert_eq!(app.members("news").await.len(), 2);
    assert!(!eve.get(&path).await.body.contains("left news"));
}

#[tokio::test]
async fn pasted_lists_of_people_are_as_many_contacts() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut eve = manager(&app).await;
    let path = "/admin/lists/news/members/";
    let page = eve.get(path).await;
    let form = Visitor::form(&page, path, &["name=\"emails\""]);
    let typed = "\"Dr. Anna Wei\u{df}\" <a1@people.example>, Karl Gro\u{df} <a2@people.example>; Wei\u{df}, Eva \
                 <a3@people.example>;\n\u{200b}a4@people.example a5@people.example\nmailto:a6@people.example\n\
                 a7@people.example (Ada Lovelace)";
    let added = eve.submit(&form, &[("emails", typed), ("action", "add")]).await;
    assert_eq!(added.status, 303, "{}", added.body);
    assert_eq!(app.members("news").await.len(), 7);
    let people = app.admin.get(CONTACTS).await.good();
    let names: Vec<String> = people["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contact| {
            format!("{}|{}", contact["firstname"].as_str().unwrap(), contact["surname"].as_str().unwrap())
        })
        .collect();
    assert_eq!(&names[..3], ["Dr. Anna|Wei\u{df}", "Karl|Gro\u{df}", "Eva|Wei\u{df}"]);
    assert_eq!(&names[3..], ["|", "|", "|", "Ada|Lovelace"]);

    let page = eve.get(IMPORT).await;
    let form = Visitor::form(&page, IMPORT, &["name=\"csv\""]);
    let pasted = "i1@people.example, i2@people.example, Iris Three <i3@people.example>, Nobody";
    let preview = eve.submit(&form, &[("csv", pasted), ("action", "preview")]).await;
    has(&preview, 200, "Iris Three");
    let counts: Vec<&str> =
        preview.body.split("<dd>").skip(1).take(4).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(counts, ["3", "0", "0", "1"], "{}", preview.body);
}

#[tokio::test]
async fn a_preview_repeats_no_more_of_a_cell_than_can_be_read() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    for row in [
        format!("email,name\na@x.org,{}\n", "<".repeat(4 << 20)),
        format!("email,name\na@x.org{}\n", ",b".repeat(1 << 20)),
    ] {
        let page = eve.get(IMPORT).await;
        let form = Visitor::form(&page, IMPORT, &["name=\"csv\""]);
        let preview = eve.submit(&form, &[("csv", row.as_str()), ("action", "preview")]).await;
        assert_eq!(preview.status, 200);
        assert!(preview.body.len() < 100_000, "{} bytes", preview.body.len());
    }
}
