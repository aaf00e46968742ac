//! Signing in by a mailed link: once, within its time, as often as an address may be written to.

use crier::model::{AccountId, Language};
use serde_json::json;

use super::*;

#[tokio::test]
async fn an_address_gets_a_link_that_signs_in_once_after_a_button() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = Visitor::new(&app);
    page(&ask_for_link(&mut visitor, "  Ada@Example.org", &[]).await, 200, "role=\"status\"");
    app.settle().await;
    let mail = app.sink.mail_to(ADA);
    assert_eq!(app.sink.copies(), 1);
    assert_eq!(mail.header("Subject").as_deref(), Some("Your link to sign in to test"));
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    for absent in ["List-Id", "List-Unsubscribe", "Precedence"] {
        assert_eq!(mail.header(absent), None, "{absent}");
    }
    assert!(!mail.text().contains("choir"), "the mail names no list: {mail}");
    let link = link_to(&app, ADA);
    // A scanner that follows the link signs nobody in.
    for _ in 0..2 {
        let shown = Visitor::new(&app).get(&link).await;
        page(&shown, 200, ADA);
        assert_eq!(shown.body.split("<main").nth(1).unwrap_or_default().matches("<form").count(), 1);
    }
    assert!(!app.dump("session").contains("Session {"));
    let answer = press(&mut visitor, &link).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some(MEMBERS)));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-member=") && !cookie.contains("Max-Age"), "{cookie}");
    page(&visitor.get("/members/devices/").await, 200, "value=\"signout-all\"");
    let token = visitor.cookie("__Host-member").unwrap().to_owned();
    for again in [visitor.get(&link).await, visitor.post(&link, &[("action", "signin")]).await] {
        page(&again, 410, "already");
    }
    assert!(!app.dump("sign_in_link").contains(link.split('/').nth(3).unwrap()), "only a hash is kept");
    let log = app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0].clone();
    assert_eq!(
        (log["action"].as_str(), log["via"].as_str()),
        (Some("session.started"), Some("link")),
        "{log}"
    );
    app.advance(23 * HOUR).await;
    assert!(app.session(&token).is_some());
    app.advance(HOUR).await;
    assert!(app.session(&token).is_none());
}

#[tokio::test]
async fn who_stays_signed_in_does_so_for_ninety_days_on_one_device() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = Visitor::new(&app);
    ask_for_link(&mut visitor, ADA, &[("stay", "1")]).await;
    app.settle().await;
    let answer = press(&mut visitor, &link_to(&app, ADA)).await;
    assert!(answer.header("set-cookie").unwrap().contains("; Max-Age=7776000"), "{answer:?}");
    let token = visitor.cookie("__Host-member").unwrap();
    app.advance((90 * 24 - 1) * HOUR).await;
    assert!(app.session(token).is_some());
    app.advance(HOUR).await;
    assert!(app.session(token).is_none());
}

#[tokio::test]
async fn a_link_works_for_an_hour_and_an_unknown_one_never() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = Visitor::new(&app);
    ask_for_link(&mut visitor, ADA, &[]).await;
    app.settle().await;
    let link = link_to(&app, ADA);
    app.advance(59 * MINUTE).await;
    page(&visitor.get(&link).await, 200, "value=\"signin\"");
    app.advance(MINUTE).await;
    for late in [visitor.get(&link).await, visitor.post(&link, &[("action", "signin")]).await] {
        page(&late, 410, "no longer works");
        assert!(late.body.contains("href=\"/members/\""), "{}", late.body);
    }
    page(&visitor.get("/members/in/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/").await, 404, "Error 404");
    assert_eq!(visitor.cookie("__Host-member"), None);
    app.advance(30 * 24 * HOUR).await;
    page(&visitor.get(&link).await, 404, "Error 404");
    assert!(!app.dump("sign_in_link").contains("SignInLink {"));
}

#[tokio::test]
async fn an_unknown_address_gets_the_same_answer_and_no_mail() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut bodies = Vec::new();
    for address in [ADA, "eve@example.org"] {
        let answer = ask_for_link(&mut Visitor::new(&app), address, &[]).await;
        assert_eq!(answer.status, 200);
        bodies.push(answer.body.replace(address, "somebody"));
    }
    assert_eq!(bodies[0], bodies[1]);
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA]);
    assert_eq!(
        app.dump("allowance").matches("SignInMailOfDay").count(),
        1,
        "what sends nothing counts for nothing"
    );
}

#[tokio::test]
async fn tries_that_send_no_mail_count_for_nothing_and_the_page_names_the_earlier_mail() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    let mut visitor = Visitor::new(&app);
    for _ in 0..7 {
        let answer = ask_for_link(&mut visitor, ADA, &[]).await;
        page(&answer, 200, "look for the earlier mail: its link still works");
    }
    // The person joins within the same minute.
    app.admin.post("/api/2/contacts/", &[("emails", ADA), ("lists", "choir")]).await.good();
    ask_for_link(&mut visitor, ADA, &[]).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA]);
    let link = link_to(&app, ADA);
    ask_for_link(&mut visitor, ADA, &[]).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA], "one a minute");
    assert_eq!(press(&mut visitor, &link).await.status, 303, "the earlier link still works");
}

#[tokio::test]
async fn strangers_who_use_up_the_mails_of_a_day_leave_a_link_that_works_for_the_rest_of_it() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("choir").member(ADA).create().await;
    for _ in 0..8 {
        ask_for_link(&mut Visitor::new(&app), ADA, &[]).await;
        app.advance(MINUTE).await;
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 5);
    let last = app.sink.mails().pop().unwrap().text().replace("=\n", "");
    let link = last.split_whitespace().find(|word| word.contains("/members/in/")).unwrap();
    let link = link.strip_prefix(&format!("https://{DOMAIN}")).unwrap().to_owned();
    app.advance(23 * HOUR).await;
    assert_eq!(press(&mut Visitor::new(&app), &link).await.status, 303);
    app.advance(HOUR).await;
    ask_for_link(&mut Visitor::new(&app), ADA, &[]).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 6, "the next day begins when the last link ends");
}

#[tokio::test]
async fn mails_that_another_account_sends_to_an_address_use_up_none_of_this_ones() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let account = json!({"name": "other", "domain": "other.example", "administrator": "eve@other.example"});
    let other =
        app.global().await.post_json("/api/2/accounts/", &account).await.good()["id"].as_u64().unwrap();
    app.new_member(AccountId(other), ADA).await;
    app.settle().await;
    app.sink.clear();
    let path = "/~other/members/";
    let mut visitor = Visitor::new(&app);
    let shown = visitor.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"email\""]);
    assert_eq!(visitor.submit(&form, &[("email", ADA)]).await.status, 200);
    let path = "/~test/members/";
    let shown = visitor.get(path).await;
    let form = Visitor::form(&shown, path, &["name=\"email\""]);
    assert_eq!(visitor.submit(&form, &[("email", ADA)]).await.status, 200);
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA, ADA]);
}

#[tokio::test]
async fn a_members_session_lasts_on_while_it_is_used_and_few_uses_are_written() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut usual = signed_in(&app, ADA).await;
    app.advance(MINUTE).await;
    app.sink.clear();
    let mut long = Visitor::new(&app);
    ask_for_link(&mut long, ADA, &[("stay", "1")]).await;
    app.settle().await;
    press(&mut long, &link_to(&app, ADA)).await;
    let before = app.dump("session");
    app.advance(50 * MINUTE).await;
    usual.get(MEMBERS).await;
    long.get(MEMBERS).await;
    assert_eq!(app.dump("session"), before, "nothing is written within an hour");
    for _ in 0..5 {
        app.advance(20 * HOUR).await;
        assert!(usual.get(MEMBERS).await.header("set-cookie").is_none_or(|set| !set.contains("member=")));
        assert!(usual.cookie("__Host-member").is_some_and(|token| app.session(token).is_some()));
    }
    for _ in 0..3 {
        app.advance(80 * 24 * HOUR).await;
        let answer = long.get(MEMBERS).await;
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.starts_with("__Host-member=") && cookie.contains("; Max-Age=7776000"), "{cookie}");
    }
    // Signing out ends it, however it lasted.
    app.advance(2 * HOUR).await;
    let shown = long.get("/nothing/").await;
    let form = Visitor::form(&shown, "/nothing/", &["value=\"signout\""]);
    assert_eq!(long.submit(&form, &[("action", "signout")]).await.status, 303);
    assert_eq!(long.cookie("__Host-member"), None);
    assert!(!app.dump("session").contains("Session {"));
}

#[tokio::test]
async fn the_address_of_a_list_gets_no_link_which_its_members_would_read() {
    let app = TestApp::start().await;
    app.list("choir").member(BOB).create().await;
    app.list("all").member("choir@lists.example.org").member(ADA).create().await;
    for address in ["choir@lists.example.org", ADA] {
        let answer = ask_for_link(&mut Visitor::new(&app), address, &[]).await;
        page(&answer, 200, "role=\"status\"");
    }
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA], "nobody signs in as a list that is a member of another");
    assert_eq!(app.dump("allowance").matches("SignInMailOfDay").count(), 1);
}

#[tokio::test]
async fn an_address_gets_one_link_a_minute_and_five_a_day() {
    let mut app = TestApp::start().await;
    app.list("choir").member(ADA).member(BOB).create().await;
    let mut visitor = Visitor::new(&app);
    for _ in 0..3 {
        assert_eq!(ask_for_link(&mut visitor, ADA, &[]).await.status, 200);
        assert_eq!(ask_for_link(&mut visitor, "ADA@example.org", &[]).await.status, 200);
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    assert_eq!(ask_for_link(&mut visitor, BOB, &[]).await.status, 200);
    app.settle().await;
    assert_eq!(app.sink.copies(), 2, "another address counts for itself");
    for sent in [2, 3, 4, 5, 5, 5] {
        app.advance(MINUTE).await;
        app.restart().await;
        assert_eq!(ask_for_link(&mut visitor.again(&app), ADA, &[]).await.status, 200);
        app.settle().await;
        assert_eq!(app.sink.to_members().iter().filter(|to| *to == ADA).count(), sent);
    }
    app.advance(24 * HOUR).await;
    ask_for_link(&mut visitor.again(&app), ADA, &[]).await;
    app.settle().await;
    assert_eq!(app.sink.to_members().iter().filter(|to| *to == ADA).count(), 6);
}

#[tokio::test]
async fn a_wrong_address_comes_back_filled_in_with_its_problem() {
    let app = TestApp::start().await;
    let mut visitor = Visitor::new(&app);
    for (typed, words) in [("", "type your address"), ("ada", "has no @"), ("a b@x", "not an address")] {
        let answer = ask_for_link(&mut visitor, typed, &[("stay", "1")]).await;
        page(&answer, 400, words);
        for part in ["role=\"alert\"", "href=\"#email\"", "aria-invalid=\"true\"", "email-error", " checked"]
        {
            assert!(answer.body.contains(part), "{part} is not in {}", answer.body);
        }
        assert!(answer.body.contains(&format!("value=\"{typed}\"")), "{}", answer.body);
    }
}

#[tokio::test]
async fn nobody_signs_a_visitor_in_from_elsewhere() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let mut visitor = Visitor::new(&app);
    assert_eq!(visitor.post(MEMBERS, &[("email", ADA)]).await.status, 403);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    ask_for_link(&mut visitor, ADA, &[]).await;
    app.settle().await;
    let link = link_to(&app, ADA);
    assert_eq!(Visitor::new(&app).post(&link, &[("action", "signin")]).await.status, 403);
    assert!(!app.dump("session").contains("Session {"));
    assert_eq!(press(&mut visitor, &link).await.status, 303);
}

#[tokio::test]
async fn signing_in_leads_back_to_where_it_was_asked_for_and_to_no_other_host() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).member(BOB).create().await;
    for (address, next, leads_to) in
        [(ADA, "/members/devices/?lang=de", "/members/devices/?lang=de"), (BOB, "//eve.example/", MEMBERS)]
    {
        let mut visitor = Visitor::new(&app);
        let path = format!("{MEMBERS}?next={}", crate::harness::http::encode(next));
        let shown = visitor.get(&path).await;
        let form = Visitor::form(&shown, &path, &["name=\"email\""]);
        visitor.submit(&form, &[("email", address)]).await;
        app.settle().await;
        let answer = press(&mut visitor, &link_to(&app, address)).await;
        assert_eq!(answer.header("location"), Some(leads_to));
    }
    let asked = Visitor::new(&app).get("/members/devices/").await;
    assert_eq!(asked.header("location"), Some("/members/?next=%2Fmembers%2Fdevices%2F"));
}

#[tokio::test]
async fn a_link_goes_with_its_address_and_its_contact() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    let contact = app.email(ADA).await["contact"].to_string();
    let more = [("contact", contact.as_str()), ("email", "ada@example.net")];
    app.admin.post("/api/2/emails/", &more).await.good();
    let mut visitor = Visitor::new(&app);
    ask_for_link(&mut visitor, "ada@example.net", &[]).await;
    app.settle().await;
    let link = link_to(&app, "ada@example.net");
    app.admin.delete("/api/2/emails/ada%40example.net/").await.good();
    page(&visitor.get(&link).await, 404, "Error 404");
    ask_for_link(&mut visitor, ADA, &[]).await;
    app.settle().await;
    let link = link_to(&app, ADA);
    page(&visitor.get(&link).await, 200, ADA);
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    page(&visitor.get(&link).await, 404, "Error 404");
    assert!(!app.dump("sign_in_link").contains("SignInLink {"));
}

#[tokio::test]
async fn the_mail_is_in_the_language_of_the_account() {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("choir").member(ADA).create().await;
    app.change_account(|account| {
        account.settings.language = Language::French;
        account.description = "La chorale".to_owned();
    })
    .await;
    ask_for_link(&mut Visitor::new(&app), ADA, &[]).await;
    app.settle().await;
    let text = app.sink.mail_to(ADA).text();
    assert!(text.contains("Le lien fonctionne une fois, jusqu"), "{text}");
}

#[tokio::test]
async fn members_sign_out_on_every_page() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    for path in ["/", MEMBERS, "/members/devices/", "/nothing/"] {
        let mut visitor = signed_in(&app, ADA).await;
        let shown = visitor.get(path).await;
        let form = Visitor::form(&shown, path, &["value=\"signout\""]);
        let answer = visitor.submit(&form, &[("action", "signout")]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/?done=signout")), "{path}");
        assert_eq!(visitor.cookie("__Host-member"), None);
        app.advance(MINUTE).await;
    }
    assert!(!app.dump("session").contains("Session {"));
}

#[tokio::test]
async fn a_client_that_causes_too_much_mail_is_stopped_and_others_go_on() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.trusted_proxies = vec![crier::model::Cidr::parse("127.0.0.1/32").unwrap()];
        })
        .start()
        .await;
    app.list("choir").member(ADA).create().await;
    let visitor = Visitor::new(&app);
    let mut eve = visitor.clone().behind("192.0.2.7");
    let shown = eve.get(MEMBERS).await;
    let csrf = Visitor::form(&shown, MEMBERS, &["name=\"stay\""]).fields[0];
    let mut sent = 0;
    loop {
        let address = format!("a{sent}@example.org");
        let answer = eve.post(MEMBERS, &[csrf, ("email", &address)]).await;
        if answer.status == 429 {
            let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=3600).contains(&wait), "{wait}");
            break;
        }
        assert_eq!(answer.status, 200);
        sent += 1;
        assert!(sent < 150);
    }
    assert_eq!(eve.get(MEMBERS).await.status, 200, "reading goes on");
    let mut other = visitor.behind("192.0.2.8");
    page(&ask_for_link(&mut other, ADA, &[]).await, 200, "role=\"status\"");
    app.advance(HOUR).await;
    assert_eq!(eve.post(MEMBERS, &[csrf, ("email", BOB)]).await.status, 200);
}

#[tokio::test]
async fn signing_in_confirms_the_address() {
    let app = TestApp::start().await;
    app.list("choir").member(ADA).create().await;
    assert_eq!(app.email(ADA).await["confirmed"], false);
    signed_in(&app, ADA).await;
    assert_eq!(app.email(ADA).await["confirmed"], true);
}
