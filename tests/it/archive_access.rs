//! Who may read the archive of a list: every setting, every visitor and every path in one table; and the password of an
//! archive.

use std::time::Duration;

use crier::model::{AccountId, AdminId, List, Person};
use crier::web::page::Verb;
use crier::web::table::pages;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;

const AUTHOR: &str = "ada@example.org";
const PASSWORD: &str = "a tide of one's own";
/// A word of the message, which nobody reads who may not read the archive.
const SECRET: &str = "barnacles";
const MAIL: &str = "Subject: The barnacles are back\nMIME-Version: 1.0\nMessage-ID: <first@example.org>\n\
    Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nMind the barnacles.\n\
    --b\nContent-Type: text/csv; name=\"barnacles.csv\"\n\
    Content-Disposition: attachment; filename=\"barnacles.csv\"\n\na;b\n--b--\n";

/// The settings of a list on which access depends.
#[derive(Debug, Clone, Copy)]
struct Settings {
    enabled: bool,
    protected: bool,
    has_password: bool,
    memberview: bool,
}

impl Settings {
    fn all() -> impl Iterator<Item = Settings> {
        (0..16_u8).map(|bits| Settings {
            enabled: bits & 1 == 0,
            protected: bits & 2 != 0,
            has_password: bits & 4 != 0,
            memberview: bits & 8 != 0,
        })
    }

    fn set(self, hash: Option<String>) -> impl FnOnce(&mut List) + Send + 'static {
        move |list| {
            list.archive_enabled = self.enabled;
            list.archive_protected = self.protected;
            list.archive_memberview = self.memberview;
            list.archive_password_hash = hash.filter(|_| self.has_password);
        }
    }

    /// Whether somebody may read the archive: what web.md says, in one expression.
    fn opens_for(self, who: &Who) -> bool {
        self.enabled
            && (!self.protected
                || who.administers
                || (self.has_password && who.gave_password)
                || (self.memberview && who.is_member))
    }
}

/// A visitor, and what counts about them.
struct Who {
    name: &'static str,
    visitor: Visitor,
    is_member: bool,
    administers: bool,
    gave_password: bool,
}

impl Who {
    fn new(name: &'static str, visitor: Visitor) -> Who {
        Who { name, visitor, is_member: false, administers: false, gave_password: false }
    }
}

/// The paths of all pages of an archive, with the message and the thread that they are tried with; a page that does not
/// stand here fails the test.
fn paths(list: &str, id: u64, month: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for page in pages().filter(|page| page.verb == Verb::Show) {
        let Some(rest) = page.path.strip_prefix("/lists/{name}/") else { continue };
        let path = match page.name {
            // The page of the list is there without an archive too; the others act, or ask for the password.
            "list" | "join-list" | "archive-password" | "write" => continue,
            "month" => rest.replace("{month}", month),
            "find-message" => format!("{rest}?id=first@example.org"),
            "search" => format!("{rest}?q=barnacles"),
            "mbox" => rest.replace("{file}", &format!("{month}.mbox.gz")),
            "part" => rest.replace("{part}", "2").replace("{file}", "barnacles.csv"),
            "thread" | "message" | "raw" | "feed" | "thread-feed" | "sitemap" => rest.to_owned(),
            other => panic!("say here at which path the page {other} is tried"),
        };
        paths.push(format!("/lists/{list}/{}", path.replace("{id}", &id.to_string())));
    }
    paths
}

/// A page without what differs from request to request.
fn steady(page: &Response) -> String {
    let id = page.header("x-request-id").unwrap_or("none");
    // The links to other languages repeat the query.
    let lines = page.body.lines().filter(|line| !line.contains("csrf") && !line.contains("hreflang"));
    let page = lines.collect::<Vec<_>>().join("\n").replace(id, "ID");
    // The way back from the password, or from signing in, is what was asked for.
    let page = page.replace("name=\"next\" value=\"", "?next=");
    let parts = page.split("?next=").enumerate();
    let without = parts.map(|(at, part)| if at == 0 { part } else { &part[part.find('"').unwrap_or(0)..] });
    without.collect()
}

async fn people(app: &TestApp) -> Vec<Who> {
    let account = AccountId(app.account_id());
    let other = json!({"name": "other", "domain": "other.example.org", "administrator": "dan@example.org"});
    let other = app.global().await.post_json("/api/2/accounts/", &other).await.good();
    let other = AccountId(other["id"].as_u64().unwrap());
    let mut people = vec![Who::new("a stranger", Visitor::new(app))];
    let member = app.email(AUTHOR).await["contact"].as_u64().unwrap();
    let member = Visitor::signed_in(app, Person::Member(crier::model::ContactId(member))).await;
    people.push(Who { is_member: true, ..Who::new("a member of the list", member) });
    let somebody = app.new_member(account, "bob@example.org").await;
    people.push(Who::new("a member of nothing", Visitor::signed_in(app, somebody).await));
    let admin = app.new_admin(account, "eve@example.org").await;
    people.push(Who {
        administers: true,
        ..Who::new("an administrator", Visitor::signed_in(app, admin).await)
    });
    for (name, list, administers) in [("of this list", "tides", true), ("of another list", "choir", false)] {
        let admin = json!({
            "username": format!("{list}@example.net"), "welcome_email": false,
            "permissions": ["approve_messages", "limit_lists"], "limit_lists": [list],
        });
        let admin = app.admin.post_json("/api/2/admins/", &admin).await.good()["id"].as_u64().unwrap();
        let visitor = Visitor::signed_in(app, Person::Admin(AdminId(admin))).await;
        people.push(Who { administers, ..Who::new(name, visitor) });
    }
    // Sessions of another account count nothing here.
    let (member, admin) =
        (app.new_member(other, "cy@example.org").await, app.new_admin(other, "dora@example.org").await);
    for (cookie, person) in [("__Host-member", member), ("__Host-admin", admin)] {
        let mut visitor = Visitor::new(app);
        let token = app.sign_in_to(other, person, crier::ops::sessions::Stay::Usual).await;
        visitor.set_cookie(cookie, &token);
        people.push(Who::new("somebody of another account", visitor));
    }
    people
}

async fn give_password(visitor: &mut Visitor, list: &str, password: &str) -> Response {
    let path = format!("/lists/{list}/password/");
    let page = visitor.get(&path).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let form = Visitor::form(&page, &path, &["name=\"password\""]);
    visitor.submit(&form, &[("password", password)]).await
}

/// A list with one message; the number of the message, and the month.
async fn archive(app: &TestApp, list: &str) -> (u64, String) {
    let list = app.list(list).open().member(AUTHOR).with("archive_spammode", "0").create().await;
    let reply =
        app.send_mail(AUTHOR, &list.address, &format!("From: {AUTHOR}\nTo: x@example.org\n{MAIL}")).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
    let path = format!("/api/2/messages/?list={}", list.name);
    let message = app.admin.get(&path).await.good()["data"][0].clone();
    (message["id"].as_u64().unwrap(), app.core().now().rfc3339()[..7].to_owned())
}

async fn set_password(app: &TestApp, list: &str, password: &str) {
    let path = format!("/api/2/lists/{list}/");
    app.admin.put_json(&path, &json!({"archive_protected": true, "archive_password": password})).await.good();
}

#[tokio::test]
async fn visitors_without_access_find_nothing_on_any_path() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let (id, month) = archive(&app, "tides").await;
    let mut people = people(&app).await;
    set_password(&app, "tides", PASSWORD).await;
    let mut knows = Visitor::new(&app);
    assert_eq!(give_password(&mut knows, "tides", PASSWORD).await.status, 303);
    people.push(Who { gave_password: true, ..Who::new("who gave the password", knows) });
    let hash = app.list_record("tides").archive_password_hash;
    assert!(hash.is_some(), "the password is kept as a hash");
    for settings in Settings::all() {
        app.change_list("tides", settings.set(hash.clone())).await;
        for who in &mut people {
            let opens = settings.opens_for(who);
            let case = format!("{settings:?}, {}", who.name);
            let page = who.visitor.get("/lists/tides/").await;
            assert_eq!(page.status, 200, "{case}");
            assert_eq!(page.body.contains(SECRET), opens, "{case}: {}", page.body);
            for path in paths("tides", id, &month) {
                let page = who.visitor.get(&path).await;
                let expected = if path.contains("?id=") { 303 } else { 200 };
                assert_eq!(page.status, if opens { expected } else { 404 }, "{case}: {path}: {}", page.body);
                assert!(opens || !steady(&page).contains(SECRET), "{case}: {path}: {}", page.body);
            }
            for path in paths("tides", id, &month).iter().filter(|_| !opens) {
                // There is no telling what exists.
                let none = path.replace(&format!("/{id}/"), "/999/");
                let (page, none) = (who.visitor.get(path).await, who.visitor.get(&none).await);
                assert_eq!(steady(&page), steady(&none), "{case}: {path}");
            }
            let asks = settings.enabled && settings.protected && settings.has_password;
            let status = who.visitor.get("/lists/tides/password/").await.status;
            assert_eq!(status, if asks { 200 } else { 404 }, "{case}");
        }
    }
}

#[tokio::test]
async fn a_password_opens_one_archive_until_it_changes() {
    let app = TestApp::start().await;
    let (tides, _) = archive(&app, "tides").await;
    let (buoys, _) = archive(&app, "buoys").await;
    set_password(&app, "tides", PASSWORD).await;
    set_password(&app, "buoys", PASSWORD).await;
    let thread = |list: &str, id: u64| format!("/lists/{list}/threads/{id}/");
    let mut visitor = Visitor::new(&app);
    let refused = visitor.get(&thread("tides", tides)).await;
    assert_eq!(refused.status, 404);
    let form = Visitor::form(&refused, "/lists/tides/password/", &["name=\"password\""]);
    let led = Visitor::new(&app).submit(&form, &[("password", PASSWORD)]).await;
    assert_eq!(led.status, 403, "the form belongs to the browser that was shown it");
    let led = visitor.submit(&form, &[("password", "x")]).await;
    assert!(led.body.contains(&thread("tides", tides)), "the way back stays: {}", led.body);
    assert!(visitor.get("/lists/tides/").await.body.contains("href=\"/lists/tides/password/"));
    for wrong in ["", "a tide of ones own", "A TIDE OF ONE'S OWN", &"x".repeat(5000)] {
        let page = give_password(&mut visitor, "tides", wrong).await;
        assert_eq!(page.status, 400, "{wrong}");
        assert!(page.body.contains("aria-invalid=\"true\""), "{}", page.body);
        assert!(page.header("set-cookie").is_none_or(|cookie| !cookie.contains("archive-")), "{wrong}");
    }
    let opened = give_password(&mut visitor, "tides", PASSWORD).await;
    assert_eq!((opened.status, opened.header("location")), (303, Some("/lists/tides/")));
    let cookie = opened.header("set-cookie").unwrap();
    for part in ["__Host-archive-", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age="] {
        assert!(cookie.contains(part), "{part} is not in {cookie}");
    }
    let page = visitor.get(&thread("tides", tides)).await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(page.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{}", page.body);
    assert_eq!(
        visitor.get(&thread("buoys", buoys)).await.status,
        404,
        "the other archive has its own cookie"
    );
    let mut other = Visitor::new(&app);
    assert_eq!(give_password(&mut other, "buoys", PASSWORD).await.status, 303);
    assert_eq!(other.get(&thread("buoys", buoys)).await.status, 200);
    // A cookie under the name of another archive opens that of its token alone.
    let list = app.list_record("buoys").id;
    let stolen =
        visitor.cookie(&format!("__Host-archive-{}", app.list_record("tides").id)).unwrap().to_owned();
    let mut forger = Visitor::new(&app);
    forger.set_cookie(&format!("__Host-archive-{list}"), &stolen);
    assert_eq!(forger.get(&thread("buoys", buoys)).await.status, 404);
    set_password(&app, "tides", "another").await;
    assert_eq!(visitor.get(&thread("tides", tides)).await.status, 404, "the password was changed");
    assert_eq!(other.get(&thread("buoys", buoys)).await.status, 200);
    app.advance(Duration::from_hours(31 * 24)).await;
    assert_eq!(other.get(&thread("buoys", buoys)).await.status, 404, "a month is over");
}

#[tokio::test]
async fn a_client_tries_ten_passwords_an_hour_on_an_archive() {
    let app = TestApp::start().await;
    let (id, _) = archive(&app, "tides").await;
    archive(&app, "buoys").await;
    set_password(&app, "tides", PASSWORD).await;
    set_password(&app, "buoys", PASSWORD).await;
    let mut visitor = Visitor::new(&app);
    // Right ones do not count: a school has one address.
    for _ in 0..12 {
        assert_eq!(give_password(&mut Visitor::new(&app), "tides", PASSWORD).await.status, 303);
    }
    for _ in 0..10 {
        assert_eq!(give_password(&mut visitor, "tides", "guess").await.status, 400);
    }
    let stopped = give_password(&mut visitor, "tides", PASSWORD).await;
    assert_eq!(stopped.status, 429, "{}", stopped.body);
    assert!(stopped.header("retry-after").is_some());
    assert_eq!(give_password(&mut visitor, "buoys", PASSWORD).await.status, 303, "another list");
    assert_eq!(visitor.get(&format!("/lists/tides/threads/{id}/")).await.status, 404);
    app.advance(Duration::from_mins(61)).await;
    assert_eq!(give_password(&mut visitor, "tides", PASSWORD).await.status, 303);
}

#[tokio::test]
async fn the_password_leads_on_to_pages_of_the_archive_alone() {
    let app = TestApp::start().await;
    let (id, _) = archive(&app, "tides").await;
    set_password(&app, "tides", PASSWORD).await;
    let thread = format!("/lists/tides/threads/{id}/");
    for (next, expected) in [
        (thread.as_str(), thread.as_str()),
        ("https://elsewhere.example/", "/lists/tides/"),
        ("//elsewhere.example/", "/lists/tides/"),
        ("/lists/tides/../../members/", "/lists/tides/"),
    ] {
        let mut visitor = Visitor::new(&app);
        let page = visitor.get(&format!("/lists/tides/password/?next={next}")).await;
        let form = Visitor::form(&page, "/lists/tides/password/", &["name=\"password\""]);
        let opened = visitor.submit(&form, &[("password", PASSWORD)]).await;
        assert_eq!(opened.header("location"), Some(expected), "{next}");
    }
}

#[tokio::test]
async fn a_members_archive_says_so_and_signing_in_leads_to_the_message() {
    let app = TestApp::start().await;
    let (id, month) = archive(&app, "tides").await;
    app.change_list("tides", |list| {
        list.archive_protected = true;
        list.archive_memberview = true;
    })
    .await;
    let mut visitor = Visitor::new(&app);
    assert!(visitor.get("/lists/tides/").await.body.contains("/members/?next=%2Flists%2Ftides%2F"));
    // Also what no archive ever had.
    let mut all = paths("tides", id, &month);
    all.extend(
        ["messages/999/", "months/1999-01/", "search/", "threads/x/", "nothing.mbox.gz"]
            .map(|path| format!("/lists/tides/{path}")),
    );
    let mut first: Option<String> = None;
    for path in all {
        let page = visitor.get(&path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.body.contains("This archive is for members"), "{path}: {}", page.body);
        let steady = steady(&page);
        assert_eq!(*first.get_or_insert_with(|| steady.clone()), steady, "{path}");
    }
    let message = format!("/lists/tides/messages/{id}/");
    let page = visitor.get(&message).await;
    let form = Visitor::form(&page, &message, &["name=\"email\""]);
    app.sink.clear();
    assert_eq!(visitor.submit(&form, &[("email", AUTHOR)]).await.status, 200);
    app.settle().await;
    let link = crate::members::link_to(&app, AUTHOR);
    let led = crate::members::press(&mut visitor, &link).await;
    assert_eq!((led.status, led.header("location")), (303, Some(message.as_str())));
    assert!(visitor.get(&message).await.body.contains(SECRET));
    // Somebody else who is signed in.
    let other = app.new_member(AccountId(app.account_id()), "bob@example.org").await;
    let page = Visitor::signed_in(&app, other).await.get(&message).await;
    assert_eq!(page.status, 404);
    assert!(page.body.contains("you are not a member of the list"), "{}", page.body);
    // A list that is nobody's to know says nothing.
    app.change_list("tides", |list| list.subscriptions = Some(crier::model::account::Subscriptions::Closed))
        .await;
    let page = Visitor::new(&app).get(&message).await;
    assert_eq!(page.status, 404);
    assert!(page.body.contains("There is nothing at this address"), "{}", page.body);
}
