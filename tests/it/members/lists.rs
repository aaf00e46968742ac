//! The lists of a member: joined, left, and how their messages come.

use super::*;

#[tokio::test]
async fn a_member_chooses_digests_for_an_address_and_for_a_list() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    let address = format!("name=\"address\" value=\"{id}\"");
    for (fields, digest) in [(vec![("digest", "1")], true), (vec![], false)] {
        let shown = visitor.get(MEMBERS).await;
        let form = Visitor::form(&shown, MEMBERS, &[&address, "name=\"digest\""]);
        page(&visitor.submit(&form, &fields).await, 200, "role=\"status\"");
        assert_eq!(app.email(ADA).await["digest"], digest);
    }
    let membership = async || app.admin.get("/api/2/membership/").await.good()["data"][0].clone();
    for (digest, paused, expected) in [
        ("1", true, serde_json::json!(1)),
        ("0", false, serde_json::json!(0)),
        ("", false, serde_json::Value::Null),
    ] {
        let shown = visitor.get(MEMBERS).await;
        let form = Visitor::form(&shown, MEMBERS, &["name=\"list\"", "name=\"paused\""]);
        let mut fields = vec![("digest", digest)];
        fields.extend(paused.then_some(("paused", "1")));
        page(&visitor.submit(&form, &fields).await, 200, "Saved for choir");
        let found = membership().await;
        assert_eq!((&found["digest"], &found["paused"]), (&expected, &paused.into()), "{found}");
        assert_eq!(noted(&app).await.0, "membership.updated");
    }
    let shown = visitor.get(MEMBERS).await;
    let form = Visitor::form(&shown, MEMBERS, &["name=\"list\"", "name=\"paused\""]);
    page(&visitor.submit(&form, &[("digest", "2")]).await, 400, "role=\"alert\"");
}

#[tokio::test]
async fn a_member_leaves_and_comes_back() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    let list = app.admin.get("/api/2/lists/choir/").await.good()["id"].to_string();
    let left = press_own(&mut visitor, ("list", &list), "leave", &[]).await;
    page(&left, 200, "You have left choir");
    assert_eq!(app.members("choir").await, Vec::<String>::new());
    assert_eq!(noted(&app).await, ("membership.deleted".to_owned(), ADA.to_owned(), "choir".to_owned()));
    let undo = Visitor::form(&left, MEMBERS, &["value=\"rejoin\""]);
    page(&visitor.submit(&undo, &[("action", "rejoin")]).await, 200, "role=\"status\"");
    assert_eq!(app.members("choir").await, [ADA]);
    press_own(&mut visitor, ("list", &list), "leave", &[]).await;
    page(&press_own(&mut visitor, ("list", &list), "rejoin", &[]).await, 200, "role=\"status\"");
    assert_eq!(app.members("choir").await, [ADA]);

    app.admin.put("/api/2/lists/choir/", &[("unsubscriptions", "open+confirm")]).await.good();
    page(&press_own(&mut visitor, ("list", &list), "leave", &[]).await, 200, "asked to leave");
    assert_eq!(app.members("choir").await, [ADA]);
    let pending = app.admin.get("/api/2/pending/").await.good();
    assert_eq!(pending["data"][0]["kind"], "unsubscription", "{pending}");
    let shown = visitor.get(MEMBERS).await;
    assert!(!shown.body.contains("value=\"leave\""), "{}", shown.body);

    app.admin.put("/api/2/lists/choir/", &[("unsubscriptions", "closed")]).await.good();
    app.admin.put(&format!("/api/2/pending/{}/", pending["data"][0]["id"]), &[("action", "discard")]).await;
    let shown = visitor.get(MEMBERS).await;
    assert!(!shown.body.contains("value=\"leave\""), "{}", shown.body);
    let form = Visitor::form(&shown, MEMBERS, &["name=\"list\""]);
    page(&visitor.submit(&form, &[("action", "leave")]).await, 400, &format!("href=\"#list-{list}\""));
    assert_eq!(app.members("choir").await, [ADA]);
}

#[tokio::test]
async fn a_member_joins_open_lists_at_once_and_others_after_approval() {
    let app = TestApp::start().await;
    let choir = app.list("choir").member(ADA).create().await;
    let open = app.list("open").with("subscriptions", "open").open().create().await;
    app.list("board").with("subscriptions", "open+confirm").create().await;
    app.list("closed").with("subscriptions", "closed").create().await;
    app.admin.put(&format!("/api/2/lists/{}/", choir.name), &[("description", "Harbour Choir")]).await.good();
    let mut visitor = signed_in(&app, ADA).await;
    let list =
        async |name: &str| app.admin.get(&format!("/api/2/lists/{name}/")).await.good()["id"].to_string();
    let shown = visitor.get(MEMBERS).await;
    assert_eq!(shown.body.matches("value=\"join\"").count(), 2, "{}", shown.body);
    let id = list("open").await;
    page(&press_own(&mut visitor, ("list", &id), "join", &[]).await, 200, "You are on open now");
    assert_eq!(app.members("open").await, [ADA]);
    assert_eq!(noted(&app).await, ("membership.created".to_owned(), ADA.to_owned(), "open".to_owned()));
    page(&visitor.get(MEMBERS).await, 200, "on a page, from 127.0.0.1");
    let evidence = app.dump("consent");
    assert!(evidence.contains("way: Web") && evidence.contains("127.0.0.1"), "{evidence}");
    app.sink.clear();
    app.send_mail(BOB, &open.address, "From: bob@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA]);

    let id = list("board").await;
    page(&press_own(&mut visitor, ("list", &id), "join", &[]).await, 200, "You have asked to join board");
    assert_eq!(app.members("board").await, Vec::<String>::new());
    let pending = app.admin.get("/api/2/pending/").await.good();
    assert_eq!((&pending["count"], &pending["data"][0]["kind"]), (&1.into(), &"subscription".into()));
    let shown = visitor.get(MEMBERS).await;
    assert!(!shown.body.contains("value=\"join\""), "{}", shown.body);
    page(&shown, 200, "You have asked to join.");

    // What no button offers is refused.
    let csrf = Visitor::form(&shown, MEMBERS, &["name=\"address\""]).fields[0];
    let id = list("closed").await;
    assert_eq!(visitor.post(MEMBERS, &[csrf, ("list", &id), ("action", "join")]).await.status, 404);
    assert_eq!(app.members("closed").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_member_whose_address_may_not_subscribe_joins_nothing() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.list("open").with("subscriptions", "open").create().await;
    app.change_account(|account| {
        account.settings.restrict_contact_subscription = vec!["@example\\.com$".to_owned()];
    })
    .await;
    let mut visitor = signed_in(&app, ADA).await;
    let id = app.admin.get("/api/2/lists/open/").await.good()["id"].to_string();
    let answer = press_own(&mut visitor, ("list", &id), "join", &[]).await;
    page(&answer, 400, "do not take addresses like ada@example.org");
    assert_eq!(app.members("open").await, Vec::<String>::new());
}

#[tokio::test]
async fn many_lists_that_can_be_joined_come_in_pages() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    for number in 0..60 {
        app.list(&format!("open{number}")).with("subscriptions", "open").create().await;
    }
    let mut visitor = signed_in(&app, ADA).await;
    let first = visitor.get(MEMBERS).await;
    assert_eq!(first.body.matches("value=\"join\"").count(), 50);
    let next = first.body.split("rel=\"next\"").next().unwrap().rsplit("href=\"").next().unwrap();
    let next = next.split('"').next().unwrap().split('#').next().unwrap().to_owned();
    let second = visitor.get(&next).await;
    assert_eq!(second.body.matches("value=\"join\"").count(), 10);
    assert!(second.body.contains(">open59<") && !second.body.contains("rel=\"next\""), "{}", second.body);
}
