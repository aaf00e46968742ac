//! The audit log on a page, and the pages of the server: accounts, their suspension and deletion, keys, the queue.

use std::time::Duration;

use crier::config::Config;
use crier::model::{AccountId, Admin, Permission, Person};
use crier::ops::sessions::Stay;
use crier::store::{Read as _, StoreError};
use crier::web::csrf_token;
use serde_json::{Value, json};

use crate::desk_approvals::{admin, page};
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::harness::{DOMAIN, TestApp};

const ACCOUNTS: &str = "/admin/server/accounts/";
const DAY: Duration = Duration::from_hours(24);

/// An administrator of the server, in front of a browser.
pub(crate) async fn root(app: &TestApp) -> Visitor {
    let person = app.new_server_admin("root@example.org").await;
    Visitor::signed_in_to(app, AccountId::SERVER, person).await
}

/// An administrator of the server who may approve messages and nothing else, and the token of the session.
async fn approver(app: &TestApp) -> (Visitor, String) {
    let person = app.new_server_admin("approver@example.org").await;
    let Person::Admin(id) = person else { panic!("{person:?}") };
    let core = app.core();
    let limiting = core.store.write(move |tx| -> Result<(), StoreError> {
        let admin: Admin = tx.get(id.0)?.unwrap();
        tx.put(&Admin { permissions: [Permission::ApproveMessages].into(), ..admin })
    });
    limiting.await.unwrap();
    let token = app.sign_in_to(AccountId::SERVER, person, Stay::Usual).await;
    let mut visitor = Visitor::new(app);
    visitor.set_cookie("__Host-admin", &token);
    (visitor, token)
}

#[tokio::test]
async fn the_server_is_changed_by_those_of_its_administrators_who_may_everything() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").member("ada@example.org").create().await;
    app.sink.defer("ada@example.org", 50);
    assert_eq!(
        app.send_mail("ada@example.org", &format!("news@{DOMAIN}"), "Subject: x\n\nx").await.code,
        250
    );
    app.settle().await;
    let (mut visitor, token) = approver(&app).await;
    let (csrf, before) = (csrf_token(&token), app.dump("batch"));
    let batch = before.split("BatchId(").nth(1).unwrap().split(')').next().unwrap();
    assert_eq!(visitor.get("/admin/server/queue/").await.status, 200);
    let dropping = [("csrf", &*csrf), ("action", "delete"), ("id", batch)];
    assert_eq!(visitor.post("/admin/server/queue/", &dropping).await.status, 403);
    assert_eq!(app.dump("batch"), before);
    let client =
        [("csrf", &*csrf), ("action", "create"), ("name", "x"), ("redirect_uri", "https://x.example/")];
    assert_eq!(visitor.post("/admin/server/oauth-clients/", &client).await.status, 403);
    assert!(!app.dump("oauth_client").contains("x.example"));
}

/// Presses a button of a page, with more fields.
async fn press(visitor: &mut Visitor, path: &str, verb: &str, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(path).await;
    let mark = format!("value=\"{verb}\"");
    let form = Visitor::form(&shown, path, &[mark.as_str()]);
    visitor.submit(&form, &[fields, &[("action", verb)]].concat()).await
}

#[tokio::test]
async fn the_audit_log_is_filtered_by_the_way_and_taken_away_as_a_file() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").create().await;
    let mut boss = admin(&app, "=boss@example.org", &["account_admin"]).await;
    let made =
        press(&mut boss, "/admin/messages/new/", "send", &[("list", "news"), ("content_plain", "hi")]).await;
    assert_eq!(made.status, 303, "{}", made.body);
    let all = boss.get("/admin/audit/").await;
    for words in [
        "<span title=\"list.created\">Made a list</span>",
        "<span title=\"message.published\">Sent a message</span>",
        "<option value=\"list.created\">Made a list</option>",
        "<option value=\"held\">Message that waits for approval</option>",
        "=boss@example.org",
    ] {
        page(&all, 200, words);
    }
    page(&boss.get("/admin/audit/?lang=de").await, 200, "<span title=\"list.created\">Liste angelegt</span>");
    boss.get("/admin/audit/?lang=en").await;
    // A form whose filters are all left as they are asks for everything.
    let rows_of =
        |shown: &Response| shown.body.split("<tbody>").nth(1).map(|rows| rows.matches("<tr>").count());
    let unfiltered = boss.get("/admin/audit/?via=&action=&object=&admin=&since=&until=").await;
    assert_eq!(rows_of(&unfiltered), rows_of(&boss.get("/admin/audit/").await));
    assert!(rows_of(&unfiltered).is_some_and(|rows| 2 <= rows), "{}", unfiltered.body);
    let pages = boss.get("/admin/audit/?via=page").await;
    let rows = pages.body.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    assert!(rows.contains("message.published") && !rows.contains("list.created"), "{rows}");
    let lists = boss.get("/admin/audit/?object=list&via=api").await;
    let rows = lists.body.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    assert!(rows.contains("list.created") && !rows.contains("message.published"), "{rows}");
    let later = boss.get("/admin/audit/?since=2099-01-01").await;
    page(&later, 200, "Nothing was noted that fits");
    page(&later, 200, "name=\"since\" type=\"date\" value=\"2099-01-01\"");
    assert_eq!(boss.get("/admin/audit/?via=pigeon").await.status, 400);
    let file = boss.get("/admin/audit/?via=page&format=csv").await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(file.header("content-disposition").unwrap().starts_with("attachment"));
    let lines: Vec<&str> = file.body.lines().collect();
    assert_eq!(lines[0], "\u{feff}time,actor,via,client,action,object,detail");
    assert!(lines[1].contains(",'=boss@example.org,page,127.0.0.1,export,audit,"), "{}", lines[1]);
    assert!(lines[2].contains(",message.published,"), "{}", lines[2]);
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    assert_eq!(writer.get("/admin/audit/").await.status, 403);
}

#[tokio::test]
async fn pages_of_the_server_are_for_its_administrators_alone() {
    let app = TestApp::start().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let mut root = root(&app).await;
    for path in ["/admin/server/", ACCOUNTS, "/admin/server/keys/", "/admin/server/queue/"] {
        assert_eq!(boss.get(path).await.status, 403, "{path}");
        assert_eq!(root.get(path).await.status, 200, "{path}");
    }
    let own = format!("{ACCOUNTS}{}/", app.account_id());
    assert_eq!((boss.get(&own).await.status, root.get(&own).await.status), (403, 200));
    assert_eq!(root.get(&format!("{ACCOUNTS}999/")).await.status, 404);
}

#[tokio::test]
async fn accounts_are_made_and_renamed_on_a_page() {
    let app = TestApp::builder().without_dkim().start().await;
    let mut root = root(&app).await;
    let wrong = press(&mut root, ACCOUNTS, "create", &[("name", "club"), ("domain", "no domain")]).await;
    page(&wrong, 400, "value=\"club\"");
    page(&wrong, 400, "href=\"#administrator\"");
    let fields = [("name", "club"), ("domain", "club.example.org"), ("administrator", "cy@example.org")];
    assert_eq!(press(&mut root, ACCOUNTS, "create", &fields).await.status, 303);
    app.settle().await;
    assert!(app.sink.mail_to("cy@example.org").to_string().contains("/password/"));
    let taken = press(&mut root, ACCOUNTS, "create", &fields).await;
    page(&taken, 409, "role=\"alert\"");
    let accounts = app.global().await.get("/api/2/accounts/").await.good();
    let id =
        accounts["data"].as_array().unwrap().iter().find(|account| account["name"] == "club").unwrap()["id"]
            .as_u64()
            .unwrap();
    let path = format!("{ACCOUNTS}{id}/");
    let saved = press(&mut root, &path, "save", &[("name", "choir"), ("description", "We sing")]).await;
    assert_eq!(saved.status, 303, "{}", saved.body);
    page(&root.get(&path).await, 200, "choir");
    page(&root.get("/~choir/admin/messages/").await, 200, "Messages");
    let taken = press(&mut root, &path, "save", &[("name", "test"), ("description", "")]).await;
    page(&taken, 409, "role=\"alert\"");
}

async fn key_works(app: &TestApp) -> u16 {
    app.admin.get("/api/2/lists/").await.status
}

#[tokio::test]
async fn a_suspended_account_takes_no_mail_and_opens_nothing_until_it_is_resumed() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().members(1).create().await;
    let mut root = root(&app).await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let path = format!("{ACCOUNTS}{}/", app.account_id());
    let post = "From: member1@example.org\nSubject: hello\n\nhi\n";
    assert_eq!(key_works(&app).await, 200);
    assert_eq!(press(&mut root, &path, "suspend", &[]).await.status, 303);
    let reply = app.send_mail("member1@example.org", &list.address, post).await;
    assert!((400..600).contains(&reply.code), "{reply:?}");
    assert_eq!(key_works(&app).await, 401);
    assert_eq!(app.anon.at_host(DOMAIN).get("/").await.status, 503);
    assert_eq!(boss.get("/admin/messages/").await.status, 503);
    page(&root.get(&path).await, 200, "Suspended since");
    page(&press(&mut root, &path, "resume", &[]).await, 303, "");
    assert_eq!(app.send_mail("member1@example.org", &list.address, post).await.code, 250);
    assert_eq!((key_works(&app).await, boss.get("/admin/messages/").await.status), (200, 200));
    let log = root.get("/admin/server/").await;
    for action in ["account.suspended", "account.restored"] {
        page(&log, 200, action);
    }
}

#[tokio::test]
async fn no_link_of_a_suspended_account_opens_at_the_servers_own_host() {
    let own = |config: &mut Config| config.base_url = Some("https://pages.example.net".to_owned());
    let app = TestApp::builder().without_dkim().config(own).start().await;
    let list = app.list("news").open().members(1).create().await;
    // With a second account the host belongs to neither.
    let other = json!({"name": "other", "domain": "other.example", "administrator": "eve@other.example"});
    app.global().await.post_json("/api/2/accounts/", &other).await.good();
    let mut root = root(&app).await.at_host("pages.example.net");
    let post = "From: member1@example.org\nSubject: hello\n\nhi\n";
    assert_eq!(app.send_mail("member1@example.org", &list.address, post).await.code, 250);
    app.settle().await;
    let copy = app.sink.mail_to("member1@example.org");
    let fields = copy.header("List-Unsubscribe").unwrap();
    let link =
        format!("/unsubscribe/{}", fields.split("/unsubscribe/").nth(1).unwrap().split('>').next().unwrap());
    let anon = app.anon.at_host("pages.example.net");
    page(&anon.get(&link).await, 200, "news");
    let path = format!("{ACCOUNTS}{}/", app.account_id());
    assert_eq!(press(&mut root, &path, "suspend", &[]).await.status, 303);
    assert_eq!(anon.get(&link).await.status, 503);
    assert_eq!(press(&mut root, &path, "resume", &[]).await.status, 303);
    assert_eq!(anon.get(&link).await.status, 200);
}

#[tokio::test]
async fn a_deleted_account_is_restored_within_30_days_and_gone_after() {
    let mut app = TestApp::builder().without_dkim().start().await;
    app.list("news").members(2).create().await;
    let mut root = root(&app).await;
    let path = format!("{ACCOUNTS}{}/", app.account_id());
    let shown = root.get(&path).await;
    let form = Visitor::form(&shown, &path, &["value=\"delete\""]);
    assert_eq!(root.submit(&form, &[("action", "delete")]).await.status, 303);
    assert_eq!(root.submit(&form, &[("action", "delete")]).await.status, 409, "the second is told");
    assert_eq!(key_works(&app).await, 401);
    app.advance(29 * DAY).await;
    let mut root = again(&app).await;
    assert_eq!(press(&mut root, &path, "restore", &[]).await.status, 303);
    assert_eq!((key_works(&app).await, app.members("news").await.len()), (200, 2));
    assert_eq!(press(&mut root, &path, "delete", &[]).await.status, 303);
    app.advance(29 * DAY).await;
    app.restart().await;
    app.advance(DAY + Duration::from_mins(5)).await;
    app.removed().await;
    let mut root = again(&app).await;
    assert_eq!(root.get(&path).await.status, 404);
    assert!(!app.dump("contact").contains("Contact {") && !app.dump("suspension").contains("Suspension {"));
}

/// The administrator of the server, signed in anew: sessions end in the meantime.
async fn again(app: &TestApp) -> Visitor {
    let admins = crier::ops::accounts::admins::of_account(&app.core().store.read().unwrap(), None).unwrap();
    let admin = admins.into_iter().find(|admin| admin.api == 0).unwrap();
    let person = Person::Admin(admin.id);
    Visitor::signed_in_to(app, AccountId::SERVER, person).await
}

#[tokio::test]
async fn a_key_of_the_server_is_shown_once_and_deleted() {
    let app = TestApp::start().await;
    let mut root = root(&app).await;
    let path = "/admin/server/keys/";
    page(&press(&mut root, path, "create", &[]).await, 400, "#description");
    let made = press(&mut root, path, "create", &[("description", "Backup program")]).await;
    page(&made, 200, "It is shown this once");
    let key = made.body.split("</code>").next().unwrap().rsplit('>').next().unwrap().to_owned();
    let client = crate::harness::http::Client::with_key(app.running().http_addr, &key);
    let accounts: Value = client.get("/api/2/accounts/").await.good();
    assert_eq!(accounts["data"][0]["name"], json!("test"));
    let shown = root.get(path).await;
    assert!(shown.body.contains("Backup program") && !shown.body.contains(&key));
    let form = shown.body.split("Backup program").nth(1).unwrap();
    let id = form.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let form = Visitor::form(&shown, path, &["value=\"delete\""]);
    let fields = [("csrf", form.fields.iter().find(|(name, _)| *name == "csrf").unwrap().1), ("id", &*id)];
    let answer = root.post(path, &[&fields[..], &[("action", "delete")]].concat()).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert_eq!(client.get("/api/2/accounts/").await.status, 401);
}

#[tokio::test]
async fn what_waits_in_the_queue_is_held_released_and_given_up_on_a_page() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").member("busy@example.org").create().await;
    app.sink.defer("busy@example.org", 1);
    let post = [("list", "news"), ("subject", "hello"), ("content_plain", "hi")];
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let mut root = root(&app).await;
    let path = "/admin/server/queue/";
    let shown = root.get(path).await;
    let id = shown.body.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    page(&press(&mut root, path, "hold", &[]).await, 400, "Please select something first");
    assert_eq!(press(&mut root, path, "hold", &[("id", &id)]).await.status, 303);
    app.advance(DAY / 4).await;
    assert_eq!(app.sink.copies(), 0, "what is held is not sent");
    page(&root.get(path).await, 200, "held");
    assert_eq!(press(&mut root, path, "release", &[("id", &id)]).await.status, 303);
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    app.sink.defer("busy@example.org", 9);
    app.admin.post("/api/2/messages/", &post).await.good();
    app.settle().await;
    let shown = root.get(path).await;
    let id = shown.body.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(press(&mut root, path, "delete", &[("id", &id)]).await.status, 303);
    page(&root.get(path).await, 200, "Nothing waits");
}
