//! The first page of administrators: what needs them, the charts with their tables, and what happened lately.

use std::time::Duration;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::visitor::Visitor;
use crate::people_pages::admin;

const OVERVIEW: &str = "/admin/";
const HELLO: &str = "From: member1@example.org\nSubject: Hello all\n\nhi\n";

async fn manager(app: &TestApp) -> Visitor {
    admin(app, "eve@example.org", json!({"permissions": ["account_admin"]})).await
}

#[tokio::test]
async fn the_overview_says_what_needs_somebody_and_links_to_it() {
    let app = TestApp::start().await;
    let list = app.list("news").open().with("moderate", "16").members(2).create().await;
    let mut eve = manager(&app).await;
    let page = eve.get(OVERVIEW).await;
    assert_eq!(page.status, 200, "{}", page.body);
    // Of the domain of these tests the DNS knows nothing.
    assert!(page.body.contains("domain needs other DNS records"), "{}", page.body);
    assert!(!page.body.contains("waits for a decision"), "{}", page.body);
    app.sink.script("member2@example.org", crate::harness::sink::Act::AtRcpt("550 5.1.1 No such user"), 1);
    assert_eq!(app.send_mail("member1@example.org", &list.address, HELLO).await.code, 250);
    app.settle().await;
    app.admin.put_json("/api/2/lists/news/", &json!({"moderate": "1"})).await.good();
    let second = "From: member1@example.org\nSubject: Wait\n\nhi\n";
    assert_eq!(app.send_mail("member1@example.org", &list.address, second).await.code, 250);
    app.settle().await;
    let page = eve.get(OVERVIEW).await;
    for part in [
        "message waits for a decision",
        "address no longer accepts mail",
        "/admin/people/?state=bouncing",
        "<svg class=\"chart\"",
        "Messages a month over the last twelve months, between 0 and 1",
        "<th scope=\"row\">November 2026</th><td class=\"num\">1</td>",
        "changed the settings of news",
    ] {
        assert!(page.body.contains(part), "{part} is not in {}", page.body);
    }
    assert_eq!(
        page.body.matches("<svg").count(),
        page.body.matches("<table>").count(),
        "each chart has a table"
    );
}

#[tokio::test]
async fn people_over_time_are_noted_once_a_day_and_go_with_the_account() {
    let app = TestApp::start().await;
    app.list("news").members(3).create().await;
    for members in [5, 9] {
        for number in 0..members {
            app.new_member(crier::model::AccountId(app.account_id()), &format!("m{members}-{number}@x.org"))
                .await;
        }
        app.advance(Duration::from_hours(25)).await;
    }
    let page = manager(&app).await.get(OVERVIEW).await;
    assert!(page.body.contains("<td class=\"num\">17</td><td class=\"num\">3</td>"), "{}", page.body);
    assert!(page.body.contains("<td class=\"num\">8</td><td class=\"num\">3</td>"), "{}", page.body);
    assert_eq!(app.dump("account_figures").matches("DayFigures {").count(), 3);
}

#[tokio::test]
async fn the_overview_has_no_link_to_what_the_person_may_not_open() {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    app.list("talk").members(1).create().await;
    let limits = json!({"permissions": ["send_messages", "limit_lists"], "limit_lists": ["news"]});
    let mut lea = admin(&app, "lea@example.org", limits).await;
    let page = lea.get(OVERVIEW).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let links: Vec<&str> =
        page.body.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    for link in links.iter().filter(|link| link.starts_with("/admin/")) {
        let path = link.split('?').next().unwrap();
        assert_eq!(lea.get(path).await.status, 200, "{link}");
    }
    assert!(
        !page.body.contains("id=\"people-title\""),
        "how many people there are is not for who sees one list"
    );
    // An administrator finds the way from the pages for everybody, and nobody else does.
    let home = lea.get("/").await;
    assert!(home.body.contains("<a href=\"/admin/\">Administration</a>"), "{}", home.body);
    assert!(!Visitor::new(&app).get("/").await.body.contains("/admin/"));
}

#[tokio::test]
async fn a_new_account_reads_its_first_steps_until_they_are_done() {
    let app = TestApp::start().await;
    let mut eve = manager(&app).await;
    let steps = |page: &crate::harness::http::Response| {
        let part = page.body.split("id=\"steps\"").nth(1).unwrap_or_default().to_owned();
        part.split("</section>").next().unwrap_or_default().to_owned()
    };
    let page = eve.get(OVERVIEW).await;
    for words in ["Make your first list", "Add people", "Write a first message", "two-factor sign-in"] {
        assert!(steps(&page).contains(words), "{words} is not in {}", page.body);
    }
    assert!(!page.body.contains("<svg"), "there is nothing to draw yet: {}", page.body);
    let list = app.list("news").open().members(1).create().await;
    assert_eq!(app.send_mail("member1@example.org", &list.address, HELLO).await.code, 250);
    app.settle().await;
    admin(&app, "lea@example.org", json!({"permissions": ["send_messages"]})).await;
    let page = eve.get(OVERVIEW).await;
    for words in ["Make your first list", "Add people", "Write a first message", "Let somebody help"] {
        assert!(!steps(&page).contains(words), "{words} is in {}", page.body);
    }
    assert!(steps(&page).contains("Turn on two-factor sign-in"), "{}", page.body);
}

#[tokio::test]
async fn the_lists_stand_in_a_table_with_the_newest_post_first() {
    let app = TestApp::start().await;
    app.list("quiet").members(1).create().await;
    let list = app.list("news").open().members(3).create().await;
    assert_eq!(app.send_mail("member1@example.org", &list.address, HELLO).await.code, 250);
    app.settle().await;
    app.admin.put_json("/api/2/lists/news/", &json!({"moderate": "1"})).await.good();
    let second = "From: member1@example.org\nSubject: Wait\n\nhi\n";
    assert_eq!(app.send_mail("member1@example.org", &list.address, second).await.code, 250);
    app.settle().await;
    let mut eve = manager(&app).await;
    let table = |page: &crate::harness::http::Response| {
        let part = page.body.split("id=\"lists-table\"").nth(1).unwrap_or_default().to_owned();
        part.split("</table>").next().unwrap_or_default().to_owned()
    };
    let shown = table(&eve.get(OVERVIEW).await);
    assert!(shown.find("/admin/lists/news/") < shown.find("/admin/lists/quiet/"), "{shown}");
    for part in [">3</a>", ">today, ", "/admin/approvals/?list=news", "none yet"] {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    app.advance(Duration::from_hours(24)).await;
    // The session of eve is over by then.
    let mut later = admin(&app, "later@example.org", json!({"permissions": ["account_admin"]})).await;
    assert!(table(&later.get(OVERVIEW).await).contains(">yesterday<"));
    let limits = json!({"permissions": ["send_messages", "limit_lists"], "limit_lists": ["quiet"]});
    let mut lea = admin(&app, "lea@example.org", limits).await;
    let shown = table(&lea.get(OVERVIEW).await);
    assert!(shown.contains("quiet") && !shown.contains("news"), "{shown}");
}

#[tokio::test]
async fn what_happened_lately_is_told_as_people_would_and_undone_there() {
    let app = TestApp::start().await;
    app.list("news").members(3).create().await;
    let ada =
        json!({"emails": ["ada@example.org"], "firstname": "Ada", "surname": "Byron", "lists": ["news"]});
    app.admin.post_json("/api/2/contacts/", &ada).await.good();
    let mut eve = manager(&app).await;
    let path = "/admin/lists/news/members/";
    let shown = eve.get(&format!("{path}?search=ada")).await;
    let form = Visitor::form(&shown, path, &["name=\"id\""]);
    let id = shown.body.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(eve.submit(&form, &[("id", id), ("action", "remove")]).await.status, 303);
    let page = eve.get(OVERVIEW).await;
    let line = "eve@example.org removed Ada Byron from news";
    assert!(page.body.contains(&format!("<bdi>{line}</bdi>")), "{}", page.body);
    let href = page.body.split(&format!("aria-label=\"Undo: {line}\"")).next().unwrap();
    let href = href.rsplit("href=\"").next().unwrap().split('"').next().unwrap().to_owned();
    let shown = eve.get(&href).await;
    let form = Visitor::form(&shown, &href, &["value=\"undo\""]);
    assert_eq!(eve.submit(&form, &[("action", "undo")]).await.status, 200);
    assert!(app.members("news").await.contains(&"ada@example.org".to_owned()));
    let page = eve.get(OVERVIEW).await;
    assert!(page.body.contains("eve@example.org added Ada Byron to news"), "{}", page.body);
    assert!(!page.body.contains("aria-label=\"Undo: "), "it is undone once: {}", page.body);
    // What was done to several at once is one line; in other languages too.
    let shown = eve.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"id\""]);
    assert_eq!(eve.submit(&form, &[("all", "1"), ("action", "remove")]).await.status, 303);
    assert!(app.members("news").await.is_empty());
    let page = eve.get(&format!("{OVERVIEW}?lang=de")).await;
    assert_eq!(page.body.matches("von news entfernt</bdi>").count(), 2, "{}", page.body);
    assert!(page.body.contains("und 1 weitere von news entfernt"), "{}", page.body);
}

#[tokio::test]
async fn a_line_about_many_counts_all_of_them_and_keys_are_no_people() {
    let app = TestApp::start().await;
    app.list("news").members(150).create().await;
    let mut eve = manager(&app).await;
    let path = "/admin/lists/news/members/";
    let shown = eve.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"id\""]);
    assert_eq!(eve.submit(&form, &[("all", "1"), ("action", "remove")]).await.status, 303);
    let page = eve.get(OVERVIEW).await;
    assert!(page.body.contains("and 147 more from news"), "{}", page.body);
    app.advance(Duration::from_hours(25)).await;
    // Without its day, nobody knows how many there were.
    let mut later = admin(&app, "later@example.org", json!({"permissions": ["account_admin"]})).await;
    let page = later.get(OVERVIEW).await;
    assert!(page.body.contains("and others from news"), "{}", page.body);
    let key = json!({"api": 2, "description": "Website", "permissions": ["manage_members"]});
    app.admin.post_json("/api/2/admins/", &key).await.good();
    let page = later.get(OVERVIEW).await;
    assert!(page.body.contains("made the key “Website”</bdi>"), "{}", page.body);
}

#[tokio::test]
async fn the_name_of_a_list_leads_a_moderator_to_its_members() {
    let app = TestApp::start().await;
    app.list("news").members(1).create().await;
    let mut boss = manager(&app).await;
    let page = boss.get(OVERVIEW).await;
    assert!(page.body.contains("<a href=\"/admin/lists/news/\" dir=\"auto\">"), "{}", page.body);
    let rights = json!({"permissions": ["manage_members", "approve_messages"]});
    let page = admin(&app, "mo@example.org", rights).await.get(OVERVIEW).await;
    assert!(page.body.contains("<a href=\"/admin/lists/news/members/\" dir=\"auto\">"), "{}", page.body);
}

#[tokio::test]
async fn the_state_of_the_server_is_for_its_administrators_and_those_of_its_only_account() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut eve = manager(&app).await;
    let page = eve.get(OVERVIEW).await;
    assert!(page.body.contains("the queue is empty, the disk has room"), "{}", page.body);
    let limits = json!({"permissions": ["send_messages", "limit_lists"], "limit_lists": ["news"]});
    let mut lea = admin(&app, "lea@example.org", limits).await;
    assert!(!lea.get(OVERVIEW).await.body.contains("the disk has room"));
    app.other_account().await;
    let page = eve.get(OVERVIEW).await;
    assert!(
        !page.body.contains("the disk has room"),
        "the server is not this account's alone: {}",
        page.body
    );
    let page = crate::desk_server::root(&app).await.get(OVERVIEW).await;
    assert!(page.body.contains("the queue is empty"), "{}", page.body);
    assert!(page.body.contains("the disk has room"), "{}", page.body);
}

#[tokio::test]
async fn all_times_on_pages_of_administrators_are_in_the_time_zone_of_the_account() {
    let app = TestApp::start().await;
    let list = app.list("news").open().members(1).create().await;
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("timezone", "Europe/Berlin")]).await.good();
    assert_eq!(app.send_mail("member1@example.org", &list.address, HELLO).await.code, 250);
    app.settle().await;
    let id = app.admin.get("/api/2/messages/").await.good()["data"][0]["id"].to_string();
    let mut eve = manager(&app).await;
    for path in [OVERVIEW, "/admin/messages/", &format!("/admin/messages/{id}/"), "/admin/audit/"] {
        let page = eve.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        assert!(page.body.contains(" CET"), "{path}: {}", page.body);
        // What was done is told with the value before.
        let told = page.body.replace("UTC → Europe/Berlin", "");
        assert!(!told.contains(" UTC"), "{path}: {}", page.body);
    }
}
