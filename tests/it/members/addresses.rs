//! The addresses of a member: added, put first, paused, resumed and removed.

use super::*;

#[tokio::test]
async fn the_address_that_a_member_puts_first_is_the_first_of_the_api_and_gets_the_welcome() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.list("guests").with("welcome_message", "Hi").create().await;
    add_address(&app, ADA, "ada@example.net").await;
    assert_eq!(addresses(&app, ADA).await, [ADA, "ada@example.net"]);
    let mut visitor = signed_in(&app, ADA).await;
    let id = id_of(&app, "ada@example.net").await;
    page(&press_own(&mut visitor, ("address", &id), "first", &[]).await, 200, "your main address now");
    assert_eq!(noted(&app).await.2, "first");
    assert_eq!(addresses(&app, ADA).await, ["ada@example.net", ADA]);
    app.sink.clear();
    app.join(ADA, "guests").await;
    app.advance(MINUTE).await;
    assert_eq!(app.sink.to_members(), ["ada@example.net"]);
    // The other one comes first again once that is gone.
    app.admin.delete("/api/2/emails/ada%40example.net/").await.good();
    assert_eq!(addresses(&app, ADA).await, [ADA]);
    assert!(!app.dump("first_email").contains("FirstEmail {"));
}

#[tokio::test]
async fn a_member_removes_an_address_but_not_the_last_one() {
    let app = TestApp::start().await;
    let list = app.list("choir").open().member(ADA).create().await;
    add_address(&app, ADA, "ada@example.net").await;
    let (first, second) = (id_of(&app, ADA).await, id_of(&app, "ada@example.net").await);
    let mut visitor = signed_in(&app, ADA).await;
    page(&press_own(&mut visitor, ("address", &first), "remove", &[]).await, 200, "is removed");
    assert_eq!(noted(&app).await.0, "email.deleted");
    assert_eq!(addresses(&app, "ada@example.net").await, ["ada@example.net"]);
    app.sink.clear();
    app.send_mail(BOB, &list.address, "From: bob@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["ada@example.net"]);
    let shown = visitor.get(MEMBERS).await;
    assert!(!shown.body.contains("value=\"remove\""), "{}", shown.body);
    let form = Visitor::form(&shown, MEMBERS, &["name=\"address\""]);
    let answer = visitor.submit(&form, &[("action", "remove")]).await;
    page(&answer, 400, &format!("href=\"#address-{second}\""));
    page(&answer, 400, "your only address");
    assert_eq!(addresses(&app, "ada@example.net").await, ["ada@example.net"]);
}

#[tokio::test]
async fn a_pause_ends_with_the_day_in_the_accounts_time_zone_or_by_a_button() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    app.change_account(|account| account.settings.timezone = "Europe/Berlin".to_owned()).await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    let paused = async || app.email(ADA).await["paused"].as_bool().unwrap();
    let answer = press_own(&mut visitor, ("address", &id), "pause", &[("until", "2026-11-21")]).await;
    page(&answer, 200, "until 21 November 2026");
    assert_eq!(noted(&app).await.2, "paused");
    // It is noon in London, and the day begins at eleven in the evening there.
    app.advance(10 * HOUR + 59 * MINUTE).await;
    assert!(paused().await);
    app.advance(MINUTE).await;
    assert!(!paused().await);
    assert!(!app.dump("email_pause").contains("EmailPause {"));

    page(
        &press_own(&mut visitor, ("address", &id), "pause", &[("until", "")]).await,
        200,
        "until you switch it on again",
    );
    app.advance(3 * HOUR).await;
    assert!(paused().await);
    page(
        &press_own(&mut visitor, ("address", &id), "resume", &[]).await,
        200,
        "goes to ada@example.org again",
    );
    assert!(!paused().await);
    assert_eq!(noted(&app).await.0, "email.resumed");

    // What an administrator decides meanwhile stays.
    press_own(&mut visitor, ("address", &id), "pause", &[("until", "2026-11-23")]).await;
    let path = format!("/api/2/emails/{id}/");
    for pause in [false, true] {
        app.admin.put_json(&path, &serde_json::json!({"paused": pause})).await.good();
    }
    app.advance(5 * 24 * HOUR).await;
    assert!(paused().await);
}

#[tokio::test]
async fn a_post_on_the_day_on_which_a_pause_ends_is_delivered_before_the_upkeep_has_looked() {
    let app = TestApp::start().await;
    let list = app.list("choir").open().member(ADA).create().await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    press_own(&mut visitor, ("address", &id), "pause", &[("until", "2026-11-21")]).await;
    // It is noon in London. The day begins, and the upkeep has not run since.
    app.advance(11 * HOUR + 59 * MINUTE + Duration::from_secs(30)).await;
    app.clock.advance(Duration::from_secs(31));
    assert!(app.email(ADA).await["paused"].as_bool().unwrap());
    app.sink.clear();
    app.send_mail("bob@example.org", &list.address, "Subject: first\n\nhi\n").await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA]);
}

#[tokio::test]
async fn a_pause_until_a_day_that_is_over_or_none_comes_back_filled_in() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    for day in ["2026-11-20", "2026-11-19", "2036-11-20", "2026-02-30", "tomorrow", "2026-11-21T10:00"] {
        let answer = press_own(&mut visitor, ("address", &id), "pause", &[("until", day)]).await;
        page(&answer, 400, "role=\"alert\"");
        for part in ["href=\"#until\"".to_owned(), format!("value=\"{day}\""), "aria-invalid".to_owned()] {
            assert!(answer.body.contains(&part), "{part} is not in {}", answer.body);
        }
    }
    assert_eq!(app.email(ADA).await["paused"], false);
}

#[tokio::test]
async fn a_member_sees_why_an_address_is_paused_and_resumes_it() {
    let app = TestApp::start().await;
    let list = app.list("choir").open().member(ADA).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    app.sink.refuse(ADA);
    app.send_mail(BOB, &list.address, "From: bob@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    let shown = visitor.get(MEMBERS).await;
    page(
        &shown,
        200,
        "Paused since 20 November 2026, because its server said that there is no such mailbox.",
    );
    page(&shown, 200, "We try again on 23 November 2026.");
    assert!(!shown.body.contains("value=\"pause\""));
    let id = id_of(&app, ADA).await;
    let form = Visitor::form(&shown, MEMBERS, &["name=\"address\""]);
    let answer = visitor.submit(&form, &[("action", "pause")]).await;
    page(&answer, 400, &format!("href=\"#address-{id}\""));
    page(&press_own(&mut visitor, ("address", &id), "resume", &[]).await, 200, "role=\"status\"");
    assert_eq!(app.email(ADA).await["paused"], false);
}

#[tokio::test]
async fn a_complaint_during_a_pause_outlasts_its_day() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    press_own(&mut visitor, ("address", &id), "pause", &[("until", "2026-11-22")]).await;
    app.change_email(ADA, |email, now| {
        email.note(crier::model::BounceSignal::Complaint, "unwanted", now);
    })
    .await;
    app.advance(5 * 24 * HOUR).await;
    assert_eq!(app.email(ADA).await["paused"], true);
    let mut visitor = signed_in(&app, ADA).await;
    page(&visitor.get(MEMBERS).await, 200, "reported as unwanted");
}

/// The path of the link that confirms a request, in the last mail to an address.
fn confirmation_to(app: &TestApp, address: &str) -> String {
    let text = app.sink.mail_to(address).text().replace("=\n", "");
    let base = format!("https://{DOMAIN}");
    let link = text.split_whitespace().find(|word| word.contains("/confirm/"));
    link.and_then(|link| link.strip_prefix(&base)).unwrap_or_else(|| panic!("no link in {text}")).to_owned()
}

/// Asks to add an address; answers the page that follows.
async fn add(visitor: &mut Visitor, address: &str) -> Response {
    let shown = visitor.get(MEMBERS).await;
    let form = Visitor::form(&shown, MEMBERS, &["value=\"add\""]);
    visitor.submit(&form, &[("action", "add"), ("email", address)]).await
}

#[tokio::test]
async fn an_address_that_a_member_adds_appears_once_it_is_confirmed() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    app.sink.clear();
    page(&add(&mut visitor, "ada@example.net").await, 200, "role=\"status\"");
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["ada@example.net"]);
    assert_eq!(addresses(&app, ADA).await, [ADA]);
    let link = confirmation_to(&app, "ada@example.net");
    let mut stranger = Visitor::new(&app);
    let shown = stranger.get(&link).await;
    let form = Visitor::form(&shown, &link, &["<button"]);
    assert_eq!(stranger.submit(&form, &[("action", "confirm")]).await.status, 200);
    assert_eq!(addresses(&app, ADA).await, [ADA, "ada@example.net"]);
    assert_eq!(app.email("ada@example.net").await["confirmed"], true);
    page(&visitor.get(MEMBERS).await, 200, "ada@example.net");
    for (typed, words) in [("ADA@example.net", "already"), ("ada", "no @"), ("", "type your address")] {
        let answer = add(&mut visitor, typed).await;
        page(&answer, 400, words);
        for part in ["role=\"alert\"", "href=\"#email\"", &format!("value=\"{typed}\"")] {
            assert!(answer.body.contains(part), "{part} is not in {}", answer.body);
        }
    }
}

#[tokio::test]
async fn who_goes_away_until_a_day_sees_that_on_each_list_and_comes_back_then_or_before() {
    let app = TestApp::start().await;
    let list = app.list("choir").open().member(ADA).create().await;
    app.list("board").member(ADA).create().await;
    add_address(&app, ADA, "ada@example.net").await;
    add_address(&app, ADA, "old@example.net").await;
    let old = id_of(&app, "old@example.net").await;
    let mut visitor = signed_in(&app, ADA).await;
    press_own(&mut visitor, ("address", &old), "pause", &[]).await;
    let go_away = async |visitor: &mut Visitor, day: &str| {
        let shown = visitor.get(MEMBERS).await;
        let form = Visitor::form(&shown, MEMBERS, &["name=\"until\"", "value=\"pause\""]);
        visitor.submit(&form, &[("action", "pause"), ("until", day)]).await
    };
    let paused = async || {
        let mut paused = Vec::new();
        for address in [ADA, "ada@example.net", "old@example.net"] {
            paused.push(app.email(address).await["paused"].as_bool().unwrap());
        }
        paused
    };
    let wrong = go_away(&mut visitor, "2026-11-20").await;
    page(&wrong, 400, "href=\"#until\"");
    page(&wrong, 400, "value=\"2026-11-20\"");
    let answer = go_away(&mut visitor, "2026-11-23").await;
    page(&answer, 200, "comes to you until 23 November 2026.");
    assert_eq!(
        answer
            .body
            .matches("Paused</span> <span class=\"meta\">until 23 November 2026, as you asked")
            .count(),
        2
    );
    assert_eq!(paused().await, [true, true, true]);
    app.sink.clear();
    app.send_mail(BOB, &list.address, "From: bob@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [""; 0]);
    app.advance(3 * 24 * HOUR).await;
    assert_eq!(paused().await, [false, false, true], "what was stopped before stays so");

    let mut visitor = signed_in(&app, ADA).await;
    page(&go_away(&mut visitor, "").await, 200, "until you switch it on again");
    assert_eq!(paused().await, [true, true, true]);
    let shown = visitor.get(MEMBERS).await;
    let forms = shown.body.split("<section aria-labelledby=\"away\">").nth(1).unwrap();
    assert!(forms.contains("value=\"resume\""), "{forms}");
    let csrf = Visitor::form(&shown, MEMBERS, &["value=\"resume\""]).fields[0];
    page(&visitor.post(MEMBERS, &[csrf, ("action", "resume")]).await, 200, "comes to you again");
    assert_eq!(paused().await[..2], [false, false]);
}

/// Asks to have the mail of an address moved to another one; answers the page that follows.
async fn move_to(visitor: &mut Visitor, old: &str, address: &str) -> Response {
    let shown = visitor.get(MEMBERS).await;
    let form = Visitor::form(&shown, MEMBERS, &["value=\"move\""]);
    let csrf = form.fields[0];
    visitor.post(MEMBERS, &[csrf, ("action", "move"), ("address", old), ("email", address)]).await
}

#[tokio::test]
async fn a_member_moves_its_mail_to_another_address_in_one_step() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("choir").open().member(ADA).create().await;
    add_address(&app, ADA, "other@example.net").await;
    let id = id_of(&app, ADA).await;
    let mut visitor = signed_in(&app, ADA).await;
    let csrf = {
        let shown = visitor.get(MEMBERS).await;
        Visitor::form(&shown, MEMBERS, &["name=\"address\""]).fields[0].1.to_owned()
    };
    let fields = [("csrf", csrf.as_str()), ("address", id.as_str()), ("digest", "1")];
    visitor.post(MEMBERS, &fields).await;
    app.sink.clear();
    page(&move_to(&mut visitor, &id, "new@example.org").await, 200, "Your mail moves there once");
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["new@example.org"]);
    assert_eq!(addresses(&app, ADA).await, [ADA, "other@example.net"], "nothing changes before");
    let link = confirmation_to(&app, "new@example.org");
    let shown = visitor.get(&link).await;
    page(&shown, 200, "Move your mail to this address?");
    assert!(!shown.body.contains(ADA), "a stranger may have got the link: {}", shown.body);
    let form = Visitor::form(&shown, &link, &["value=\"confirm\""]);
    let done = visitor.submit(&form, &[("action", "confirm")]).await;
    page(&done, 200, "Mail of your lists goes to new@example.org now");
    app.settle().await;
    let told = app.sink.mail_to(ADA);
    assert_eq!(told.header("Subject").as_deref(), Some("Your mail of test goes to another address"));
    assert!(told.text().contains("It goes to n=E2=80=A6@example.org now"), "{told}");
    assert_eq!(addresses(&app, "new@example.org").await, ["new@example.org", "other@example.net"]);
    let email = app.email("new@example.org").await;
    assert_eq!((&email["confirmed"], &email["digest"]), (&true.into(), &true.into()));
    assert_eq!(app.members("choir").await, ["new@example.org", "other@example.net"]);
    let page_of_old = app.admin.get("/api/2/emails/ada%40example.org/").await;
    assert_eq!(page_of_old.status, 404);
    let entry = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!((&entry["action"], &entry["detail"]), (&"email.updated".into(), &"email".into()), "{entry}");
    app.advance(24 * HOUR).await;
    app.sink.clear();
    app.admin.put_json(&format!("/api/2/emails/{id}/"), &serde_json::json!({"digest": false})).await.good();
    app.send_mail(BOB, &list.address, "From: bob@example.org\nSubject: x\n\nhi").await;
    app.settle().await;
    let mut reached = app.sink.to_members();
    reached.sort_unstable();
    assert_eq!(reached, ["new@example.org", "other@example.net"]);
    // Asked a second time, the link changes nothing more.
    page(&visitor.get(&link).await, 200, "You have confirmed this already");
}

#[tokio::test]
async fn a_move_to_an_address_of_somebody_else_or_from_one_that_is_gone_loses_nothing() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("choir").member(ADA).member(BOB).create().await;
    let (id, bobs) = (id_of(&app, ADA).await, id_of(&app, BOB).await);
    let mut visitor = signed_in(&app, ADA).await;
    assert_eq!(move_to(&mut visitor, &bobs, "new@example.org").await.status, 404, "it is not hers");
    page(&move_to(&mut visitor, &id, ADA).await, 400, "You have this address already");
    app.sink.clear();
    page(&move_to(&mut visitor, &id, BOB).await, 200, "role=\"status\"");
    app.settle().await;
    let link = confirmation_to(&app, BOB);
    let mut bob = Visitor::new(&app);
    let shown = bob.get(&link).await;
    let form = Visitor::form(&shown, &link, &["<button"]);
    page(&bob.submit(&form, &[("action", "confirm")]).await, 200, "This could not be done");
    assert_eq!(bob.cookie("__Host-member"), None, "nothing was done, so nobody is signed in");
    assert_eq!(
        (addresses(&app, ADA).await, addresses(&app, BOB).await),
        (vec![ADA.to_owned()], vec![BOB.to_owned()])
    );

    page(&move_to(&mut visitor, &id, "new@example.org").await, 200, "role=\"status\"");
    app.settle().await;
    let link = confirmation_to(&app, "new@example.org");
    add_address(&app, ADA, "other@example.net").await;
    press_own(&mut visitor, ("address", &id), "remove", &[]).await;
    let mut stranger = Visitor::new(&app);
    let shown = stranger.get(&link).await;
    let form = Visitor::form(&shown, &link, &["<button"]);
    page(&stranger.submit(&form, &[("action", "confirm")]).await, 200, "goes to new@example.org now");
    assert_eq!(addresses(&app, "new@example.org").await, ["other@example.net", "new@example.org"]);
}

#[tokio::test]
async fn an_address_that_somebody_has_is_told_nothing_and_does_not_move() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).member(BOB).create().await;
    let mut visitor = signed_in(&app, ADA).await;
    let mut bodies = Vec::new();
    for address in [BOB, "new@example.org"] {
        let answer = add(&mut visitor, address).await;
        assert_eq!(answer.status, 200);
        bodies.push(answer.body.replace(address, "somebody"));
    }
    assert_eq!(bodies[0], bodies[1]);
    app.settle().await;
    let link = confirmation_to(&app, BOB);
    let mut bob = Visitor::new(&app);
    let shown = bob.get(&link).await;
    let form = Visitor::form(&shown, &link, &["<button"]);
    bob.submit(&form, &[("action", "confirm")]).await;
    assert_eq!(addresses(&app, ADA).await, [ADA]);
    assert_eq!(addresses(&app, BOB).await, [BOB]);
}
