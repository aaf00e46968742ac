//! The lists of a member: joined, left, and how their messages come.

use super::*;

#[tokio::test]
async fn a_member_chooses_once_for_each_list_how_its_mail_comes() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    let membership = async || app.admin.get("/api/2/membership/").await.good()["data"][0].clone();
    for (choice, told, digest, paused) in [
        ("1", "as one mail a day", serde_json::json!(1), false),
        ("none", "sends you no more mail", serde_json::json!(1), true),
        ("0", "each message of choir", serde_json::json!(0), false),
    ] {
        let shown = visitor.get(MEMBERS).await;
        assert!(!shown.body.contains("type=\"checkbox\""), "there is one choice: {}", shown.body);
        let form = Visitor::form(&shown, MEMBERS, &["name=\"list\"", "name=\"digest\""]);
        page(&visitor.submit(&form, &[("digest", choice)]).await, 200, told);
        let found = membership().await;
        assert_eq!((&found["digest"], &found["paused"]), (&digest, &paused.into()), "{found}");
        assert_eq!(noted(&app).await.0, "membership.updated");
        page(&visitor.get(MEMBERS).await, 200, &format!("<option value=\"{choice}\" selected>"));
    }
    let shown = visitor.get(MEMBERS).await;
    let form = Visitor::form(&shown, MEMBERS, &["name=\"list\"", "name=\"digest\""]);
    page(&visitor.submit(&form, &[("digest", "2")]).await, 400, "role=\"alert\"");
}

#[tokio::test]
async fn programs_set_what_the_api_has_and_the_page_shows_what_follows() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    let shown = visitor.get(MEMBERS).await;
    let form = Visitor::form(&shown, MEMBERS, &["name=\"list\"", "name=\"digest\""]);
    let (csrf, list) = (form.fields[0], form.fields[1]);
    let membership = async || app.admin.get("/api/2/membership/").await.good()["data"][0].clone();
    for (fields, digest, paused, shown) in [
        (vec![("digest", "1"), ("paused", "1")], serde_json::json!(1), true, "none"),
        (vec![("digest", "0")], serde_json::json!(0), false, "0"),
        (vec![("digest", "")], serde_json::Value::Null, false, "0"),
    ] {
        let answer = visitor.post(MEMBERS, &[&[csrf, list], &fields[..]].concat()).await;
        page(&answer, 200, &format!("<option value=\"{shown}\" selected>"));
        let found = membership().await;
        assert_eq!((&found["digest"], &found["paused"]), (&digest, &paused.into()), "{found}");
    }
    // An address says how mail comes where its list says nothing.
    for (fields, digest, shown) in [(vec![("digest", "1")], true, "1"), (vec![], false, "0")] {
        let answer = visitor.post(MEMBERS, &[&[csrf, ("address", id.as_str())], &fields[..]].concat()).await;
        page(&answer, 200, &format!("<option value=\"{shown}\" selected>"));
        assert_eq!(app.email(ADA).await["digest"], digest);
    }
}

#[tokio::test]
async fn the_lists_of_a_member_lead_to_what_was_written_and_say_what_is_new() {
    let app = TestApp::start().await;
    let choir = app.list("choir").open().with("description", "Harbour Choir").member(ADA).create().await;
    let news = app.list("news").with("moderate", "10").with("message_rejections", "reject");
    news.with("archive_enabled", "false")
        .with("restrict_post_allowed_emails", BOB)
        .member(ADA)
        .create()
        .await;
    let write = async |subject: &str| {
        let mail = format!("From: {BOB}\nSubject: {subject}\n\nhi");
        assert_eq!(app.send_mail(BOB, &choir.address, &mail).await.code, 250);
        app.settle().await;
    };
    write("before").await;
    let mut visitor = signed_in(&app, ADA).await;
    let shown = visitor.get(MEMBERS).await;
    assert!(
        !shown.body.contains("</strong> · last message"),
        "nothing is new at the first visit: {}",
        shown.body
    );
    page(&shown, 200, "today, 12:00");
    for link in ["<a href=\"/lists/choir/\">Harbour Choir</a>", "href=\"/lists/choir/write/\""] {
        page(&shown, 200, link);
    }
    assert!(!shown.body.contains("/lists/news/"), "it can be neither read nor written to: {}", shown.body);
    app.advance(2 * HOUR).await;
    for subject in ["one", "two", "three"] {
        write(subject).await;
        app.advance(MINUTE).await;
    }
    for _ in 0..2 {
        page(&visitor.get(MEMBERS).await, 200, "<strong>3 new</strong>");
        app.advance(20 * MINUTE).await;
    }
    app.advance(2 * HOUR).await;
    let shown = visitor.get(MEMBERS).await;
    assert!(!shown.body.contains("3 new"), "{}", shown.body);
    write("four").await;
    page(&visitor.get(MEMBERS).await, 200, "<strong>1 new</strong>");
    let kept = visitor.get("/members/download/").await;
    page(&kept, 200, "\"visit\"");
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
async fn a_member_who_is_signed_in_joins_by_one_click_on_the_form_of_a_list() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.list("open").with("subscriptions", "open").create().await;
    let path = "/lists/open/join/";
    assert!(!Visitor::new(&app).get(path).await.body.contains("value=\"join\""), "strangers confirm by mail");
    let mut visitor = signed_in(&app, ADA).await;
    let shown = visitor.get(path).await;
    page(&shown, 200, "You are signed in as ada@example.org");
    let form = Visitor::form(&shown, path, &["value=\"join\""]);
    page(&visitor.submit(&form, &[("action", "join")]).await, 200, "You are on open now");
    assert_eq!(app.members("open").await, [ADA]);
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
