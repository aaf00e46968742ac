//! The first page of a member: what is its own, its name, and what belongs to others.

use super::*;

#[tokio::test]
async fn the_first_page_shows_what_is_the_members_own() {
    let app = TestApp::start().await;
    app.list("choir").with("description", "Harbour Choir").member(ADA).member(BOB).create().await;
    app.list("secret").with("subscriptions", "closed").member(BOB).create().await;
    add_address(&app, ADA, "ada@example.net").await;
    let mut visitor = signed_in(&app, ADA).await;
    let shown = visitor.get(MEMBERS).await;
    page(&shown, 200, "You are on one list.");
    for part in ["Harbour Choir", "choir", "ada@example.net", "added by an administrator", "20 November 2026"]
    {
        assert!(shown.body.contains(part), "{part} is not in {}", shown.body);
    }
    for others in ["bob@", "secret"] {
        assert!(!shown.body.contains(others), "{others} is in {}", shown.body);
    }
    page(&Visitor::new(&app).get(MEMBERS).await, 200, "name=\"email\"");
}

#[tokio::test]
async fn a_member_names_itself_and_fills_in_the_fields_that_the_account_leaves_to_it() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.add_field("Shoe size", Some("shoe")).await;
    app.add_field("Salary", None).await;
    app.let_members_edit("shoe").await;
    let mut visitor = signed_in(&app, ADA).await;
    let shown = visitor.get(MEMBERS).await;
    assert!(shown.body.contains("Shoe size") && !shown.body.contains("Salary"), "{}", shown.body);
    let form = Visitor::form(&shown, MEMBERS, &["name=\"firstname\""]);
    let fields = [("firstname", " Ada "), ("surname", "Love  lace"), ("shoe", "38"), ("Salary", "9")];
    page(&visitor.submit(&form, &fields).await, 200, "role=\"status\"");
    let contact = app.email(ADA).await["contact"].to_string();
    let contact = app.admin.get(&format!("/api/2/contacts/{contact}/")).await.good();
    assert_eq!((&contact["firstname"], &contact["surname"]), (&"Ada".into(), &"Love lace".into()));
    assert_eq!((&contact["shoe"], &contact["Salary"]), (&"38".into(), &"".into()));
    let expected = ("contact.updated", ADA, "firstname, surname, shoe");
    let expected = (expected.0.to_owned(), expected.1.to_owned(), expected.2.to_owned());
    assert_eq!(noted(&app).await, expected);
    page(&visitor.get(MEMBERS).await, 200, "Hello, Ada");

    let (long, longer) = ("x".repeat(256), "y".repeat(1001));
    let fields = [("firstname", long.as_str()), ("surname", "Byron"), ("shoe", longer.as_str())];
    let answer = visitor.submit(&form, &fields).await;
    page(&answer, 400, "role=\"alert\"");
    for part in
        ["href=\"#firstname\"", "href=\"#field-1\"", "at most 255", "1,000", "value=\"Byron\"", &longer]
    {
        assert!(answer.body.contains(part), "{part} is not in {}", answer.body);
    }
    assert_eq!(answer.body.matches("aria-invalid=\"true\"").count(), 2);
    page(&visitor.get(MEMBERS).await, 200, "Love lace");
}

#[tokio::test]
async fn a_member_reaches_nothing_of_others_by_their_numbers() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.list("board").member(BOB).create().await;
    let other = app.other_account().await;
    other.post("/api/2/lists/", &[("name", "theirs")]).await.good();
    let theirs = other.get("/api/2/lists/theirs/").await.good()["id"].to_string();
    let eve =
        other.post("/api/2/contacts/", &[("emails", "eve@example.org"), ("lists", "theirs")]).await.good();
    let (bob, board) =
        (id_of(&app, BOB).await, app.admin.get("/api/2/lists/board/").await.good()["id"].to_string());
    let eve = eve["emails"][0]["id"].to_string();
    let (account, ada) =
        (crier::model::AccountId(app.account_id()), app.email(ADA).await["contact"].as_u64());
    let ada = crier::model::Person::Member(crier::model::ContactId(ada.unwrap()));
    let mut visitor = Visitor::new(&app);
    visitor
        .set_cookie("__Host-member", &app.sign_in_to(account, ada, crier::ops::sessions::Stay::Usual).await);
    let root = "/~test/members/";
    let shown = visitor.get(root).await;
    let csrf = Visitor::form(&shown, root, &["name=\"address\""]).fields[0];
    let before = [app.dump("email"), app.dump("membership"), app.dump("departure")];
    for email in [&bob, &eve, "0", "x", ""] {
        for verb in ["first", "remove", "pause", "resume", ""] {
            let answer =
                visitor.post(root, &[csrf, ("address", email), ("action", verb), ("digest", "1")]).await;
            assert_eq!(answer.status, 404, "{verb} {email}");
        }
    }
    for list in [&board, &theirs, "0", "x", ""] {
        for verb in ["leave", "rejoin", ""] {
            let answer = visitor.post(root, &[csrf, ("list", list), ("action", verb), ("digest", "1")]).await;
            assert_eq!(answer.status, 404, "{verb} {list}");
        }
    }
    assert_eq!([app.dump("email"), app.dump("membership"), app.dump("departure")], before);
    // The session belongs to one account.
    page(&visitor.get("/~other/members/").await, 200, "name=\"stay\"");
    let answer = visitor.post("/~other/members/", &[csrf, ("address", &bob), ("action", "remove")]).await;
    assert_eq!(answer.status, 403);
}

#[tokio::test]
async fn forms_of_members_need_a_session_its_token_and_a_button() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    let id = id_of(&app, ADA).await;
    let shown = visitor.get(MEMBERS).await;
    let csrf = Visitor::form(&shown, MEMBERS, &["name=\"address\""]).fields[0];
    let pause = [("address", id.as_str()), ("action", "pause")];
    assert_eq!(visitor.post(MEMBERS, &pause).await.status, 403);
    assert_eq!(visitor.post(MEMBERS, &[("csrf", "x"), pause[0], pause[1]]).await.status, 403);
    page(&visitor.post(MEMBERS, &[csrf, ("action", "erase-everything")]).await, 400, "role=\"alert\"");
    page(&visitor.post(MEMBERS, &[csrf]).await, 400, "role=\"alert\"");
    app.advance(24 * HOUR).await;
    let late = visitor.post(MEMBERS, &[csrf, pause[0], pause[1]]).await;
    // The form is kept until the person has signed in again.
    assert_eq!(late.status, 303, "{}", late.body);
    let shown = visitor.get(MEMBERS).await;
    let csrf = Visitor::form(&shown, MEMBERS, &["name=\"stay\""]).fields[0];
    page(&visitor.post(MEMBERS, &[csrf, pause[0], pause[1]]).await, 403, "sign in first");
    assert_eq!(app.email(ADA).await["paused"], false);
}
