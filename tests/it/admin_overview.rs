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
    assert!(page.body.contains("domain has DNS records that are wrong"), "{}", page.body);
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
        "address no longer takes mail",
        "/admin/people/?state=bouncing",
        "<svg class=\"chart\"",
        "Posts a month over the last twelve months, between 0 and 1",
        "<th scope=\"row\">November 2026</th><td class=\"num\">1</td>",
        "list news – changed",
    ] {
        assert!(page.body.contains(part), "{part} is not in {}", page.body);
    }
    assert_eq!(
        page.body.matches("<svg").count(),
        page.body.matches("<table").count(),
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
