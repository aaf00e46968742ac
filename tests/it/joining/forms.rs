//! The form by which people join and leave, and forms of other sites.

use std::time::Duration;

use serde_json::json;

use super::{ADA, hidden, newest_link, page, press};
use crate::harness::http::Response;
use crate::harness::sink::Mail;
use crate::harness::{DOMAIN, TestApp};

/// Opens the form at a path, reads it for three seconds, and sends it.
async fn send_form(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Response {
    let visitor = app.anon.at_host(DOMAIN);
    let shown = visitor.get(path).await;
    app.clock.advance(Duration::from_secs(3));
    let mut fields = fields.to_vec();
    fields.push(("token", hidden(&shown, "token")));
    fields.push(("shown", hidden(&shown, "shown")));
    let answer = visitor.post(path, &fields).await;
    app.settle().await;
    answer
}

#[tokio::test]
async fn the_form_asks_for_one_list_or_several_and_whoever_confirms_is_in_them() {
    let app = TestApp::start().await;
    app.list("News").with("description", "Harbour News").create().await;
    app.list("talk").with("subscriptions", "open+confirm").create().await;
    app.list("secret").with("subscriptions", "closed").create().await;
    let form = app.anon.get("/join/?list=talk").await;
    page(&form, 200, "Harbour News");
    page(&form, 200, "The people who look after the list decide about each request");
    page(&form, 200, "value=\"talk\" checked");
    assert!(!form.body.contains("secret"), "a closed list cannot be chosen");
    let fields = [
        ("name", "Ada Lovelace"),
        ("email", ADA),
        ("list", "news"),
        ("list", "TALK@lists.example.org"),
        ("digest", "1"),
    ];
    page(&send_form(&app, "/join/", &fields).await, 200, "We have sent you a mail");
    assert_eq!(app.sink.copies(), 1, "one request is one mail");
    let letter = app.sink.mail_to(ADA).to_string();
    assert!(letter.contains(&format!("your address\n{ADA}, asked us")), "{letter}");
    press(&app, &newest_link(&app, ADA)).await;
    assert_eq!(app.members("News").await, [ADA]);
    assert!(app.members("talk").await.is_empty());
    let membership = app.admin.get("/api/2/membership/").await.good()["data"][0].clone();
    assert_eq!(membership["digest"], json!(1));
    let evidence = app.dump("consent");
    let agreed = "We keep your name, your address, the day on which you joined and where you asked from, \
                  and use them only for these lists.";
    assert_eq!(evidence.matches(agreed).count(), 2, "{evidence}");
    assert!(
        app.anon.get("/lists/News/join/").await.body.contains(agreed),
        "the words stand beside the button"
    );
}

#[tokio::test]
async fn a_list_has_a_form_at_its_name_and_any_other_case_leads_there() {
    let app = TestApp::start().await;
    app.list("News").create().await;
    app.list("secret").with("subscriptions", "closed").create().await;
    for root in ["", "/~test"] {
        let visitor = app.anon.at_host(DOMAIN);
        let redirect = visitor.get(&format!("{root}/lists/nEWS/join/?lang=de")).await;
        assert_eq!(redirect.status, 301);
        assert_eq!(redirect.header("location"), Some(format!("{root}/lists/News/join/?lang=de").as_str()));
        page(&visitor.get(&format!("{root}/lists/News/join/")).await, 200, "Join News");
        for path in ["lists/secret/join/", "lists/none/join/"] {
            assert_eq!(visitor.get(&format!("{root}/{path}")).await.status, 404, "{path}");
            assert_eq!(
                visitor.post(&format!("{root}/{path}"), &[("email", ADA)]).await.status,
                404,
                "{path}"
            );
        }
    }
    page(
        &send_form(&app, "/~test/lists/News/join/", &[("email", ADA)]).await,
        200,
        "We have sent you a mail",
    );
    page(&press(&app, &newest_link(&app, ADA)).await, 200, "You are a member of News");
}

#[tokio::test]
async fn the_form_asks_to_leave_too_where_the_list_lets_people_leave() {
    let app = TestApp::start().await;
    app.list("news").with("subscriptions", "closed").create().await;
    app.list("trap").with("unsubscriptions", "closed").create().await;
    app.join(ADA, "news").await;
    assert_eq!(app.anon.get("/lists/news/join/").await.status, 404);
    assert_eq!(app.anon.get("/lists/trap/join/?action=unsubscribe").await.status, 404);
    page(&app.anon.get("/lists/news/join/?action=unsubscribe").await, 200, "Leave news");
    let fields = [("email", ADA), ("list", "news"), ("action", "unsubscribe")];
    page(&send_form(&app, "/join/?action=unsubscribe", &fields).await, 200, "We have sent you a mail");
    page(&press(&app, &newest_link(&app, ADA)).await, 200, "You have left news");
    assert!(app.members("news").await.is_empty());
}

#[tokio::test]
async fn the_form_to_leave_names_no_list_that_the_directory_hides() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let closed = app.list("board").with("subscriptions", "closed");
    closed.with("archive_protected", "1").create().await;
    assert!(!app.anon.get("/").await.body.contains("board"));
    let form = app.anon.get("/join/?action=unsubscribe").await;
    page(&form, 200, "value=\"news\"");
    assert!(!form.body.contains("board"), "{}", form.body);
    page(&app.anon.get("/lists/board/join/?action=unsubscribe").await, 200, "Leave board");
}

#[tokio::test]
async fn a_form_that_is_sent_at_once_or_is_wrong_comes_back_filled_in() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let shown = app.anon.get("/join/").await;
    let token = hidden(&shown, "token");
    let fields = [("name", "Ada <b>"), ("email", ADA), ("list", "news"), ("digest", "1"), ("token", token)];
    let early = app.anon.post("/join/", &fields).await;
    page(&early, 400, "That was very quick");
    for filled in
        ["value=\"Ada ", &format!("value=\"{ADA}\""), "value=\"news\" checked", "value=\"1\" checked"]
    {
        page(&early, 400, filled);
    }
    assert_eq!(hidden(&early, "token"), token, "it need not wait again");
    app.clock.advance(Duration::from_secs(2));
    page(&app.anon.post("/join/", &fields).await, 200, "We have sent you a mail");
    app.settle().await;
    app.sink.clear();
    let long = "x".repeat(201);
    for (field, value, problem) in [
        ("email", "", "Please enter your address"),
        ("email", "ines.example.org", "The address has no @ in it"),
        ("email", "ines@", "This is not the address of a mailbox"),
        ("email", "news@lists.example.org", "Nobody reads mail at this address"),
        ("email", "mailer-daemon@example.org", "Nobody reads mail at this address"),
        ("name", "look at https://evil.example/", "Please write it without links"),
        ("name", &long, "The name is longer than 200 characters"),
        ("list", "", "Choose at least one list"),
        ("list", "nothing", "nothing is not a list that you can choose here"),
        ("action", "dance", "Please press one of the buttons"),
        ("token", "", "Please press the button once more"),
        ("token", "aaaa", "Please press the button once more"),
    ] {
        let mut fields =
            vec![("name", "Ada"), ("email", "bob@example.org"), ("list", "news"), ("token", token)];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let answer = app.anon.post("/join/", &fields).await;
        page(&answer, 400, problem);
        page(&answer, 400, "role=\"alert\"");
        page(&answer, 400, "<title>Error: ");
        if field == "email" {
            page(&answer, 400, "<a href=\"#email\">");
            page(&answer, 400, "aria-invalid=\"true\" aria-describedby=\"email-error\"");
        }
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    let wrong = app.anon.request("POST", "/join/", &[("Content-Type", "application/json")], b"{}").await;
    assert_eq!(wrong.status, 415);
}

#[tokio::test]
async fn forms_of_other_sites_ask_without_a_token() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("secret").with("subscriptions", "closed").create().await;
    app.join("old@example.org", "news").await;
    for (number, root) in ["", "/~test"].into_iter().enumerate() {
        for path in ["/subscribe/", "/subscribe.php"] {
            let path = format!("{root}{path}");
            let address = format!("ada{number}{}@example.org", path.len());
            let fields = [("email", address.as_str()), ("list", "NEWS"), ("name", "Ada")];
            page(&app.anon.at_host(DOMAIN).post(&path, &fields).await, 200, "We have sent you a mail");
            app.settle().await;
            press(&app, &newest_link(&app, &address)).await;
            assert!(app.members("news").await.contains(&address));
            for list in ["secret", "nothing", "news@elsewhere.example"] {
                let fields = [("email", ADA), ("list", list)];
                assert_eq!(app.anon.at_host(DOMAIN).post(&path, &fields).await.status, 404, "{list}");
            }
            let wrong = app.anon.at_host(DOMAIN).post(&path, &[("email", "nobody"), ("list", "news")]).await;
            page(&wrong, 400, "The address has no @ in it");
            page(&wrong, 400, "value=\"news\" checked");
        }
    }
    app.sink.clear();
    let form = app.anon.get(&format!("/subscribe.php?list=news&email={ADA}&name=Ada")).await;
    page(&form, 200, "value=\"ada@example.org\"");
    page(&form, 200, "value=\"news\" checked");
    assert_eq!(app.anon.get("/subscribe.php?list=secret").await.status, 404);
    page(&app.anon.get("/subscribe/").await, 200, "Join a list");
    let multipart = [("email", "old@example.org"), ("list", "news"), ("action", "unsubscribe")];
    page(&app.anon.post_multipart("/subscribe.php", &multipart).await, 200, "We have sent you a mail");
    app.settle().await;
    assert_eq!(app.sink.copies(), 1, "looking asks nothing");
    press(&app, &newest_link(&app, "old@example.org")).await;
    assert!(!app.members("news").await.contains(&"old@example.org".to_owned()));
}

#[tokio::test]
async fn nobody_learns_from_the_answer_whether_an_address_is_known() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.join("known@example.org", "news").await;
    for action in ["subscribe", "unsubscribe"] {
        let mut answers = Vec::new();
        for address in ["known@example.org", "never@example.org", "known@example.org"] {
            let fields = [("email", address), ("list", "news"), ("action", action)];
            let answer = app.anon.post("/subscribe/", &fields).await;
            answers.push((answer.status, answer.body.replace(address, "ADDRESS")));
        }
        app.settle().await;
        assert_eq!(answers[0], answers[1], "known and unknown");
        assert_eq!(answers[0], answers[2], "asked before");
    }
    let told = |address: &str| {
        let mails = app.sink.mails();
        let to: Vec<&Mail> = mails.iter().filter(|mail| mail.to[0] == address).collect();
        to.iter().map(|mail| mail.header("Subject").unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(told("known@example.org").len(), 2);
    // A stranger cannot have mail about leaving sent to anybody.
    assert_eq!(told("known@example.org")[..1], told("never@example.org"));
}

#[tokio::test]
async fn an_account_says_which_addresses_may_ask_to_join() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.join("old@example.net", "news").await;
    app.change_account(|account| {
        account.settings.restrict_contact_subscription = vec![r"@example\.org$".to_owned()];
    })
    .await;
    for (address, status) in [("bob@example.net", 400), ("old@example.net", 400), (ADA, 200)] {
        let answer = app.anon.post("/subscribe/", &[("email", address), ("list", "news")]).await;
        assert_eq!(answer.status, status, "{address}: {}", answer.body);
    }
    let leave = [("email", "old@example.net"), ("list", "news"), ("action", "unsubscribe")];
    assert_eq!(app.anon.post("/subscribe/", &leave).await.status, 200);
}

#[tokio::test]
async fn the_form_of_an_account_with_many_lists_names_some_and_leads_to_all() {
    let app = TestApp::start().await;
    for number in 0..200 {
        app.list(&format!("l{number:03}")).create().await;
    }
    let form = app.anon.get("/join/").await;
    page(&form, 200, "see them all");
    assert_eq!(form.body.matches("type=\"checkbox\" name=\"list\"").count(), 200);
    app.list("youngest").create().await;
    assert!(!app.anon.get("/join/").await.body.contains("youngest"));
    page(&app.anon.get("/join/?list=youngest").await, 200, "value=\"youngest\" checked");
}

#[tokio::test]
async fn a_form_that_is_left_as_it_is_follows_the_address_and_other_sites_name_digests_as_they_like() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let form = app.anon.get("/lists/news/join/").await;
    assert!(form.body.contains("name=\"digest\" value=\"\" checked"), "{}", form.body);
    for (number, (sent, digest)) in
        [("", json!(null)), ("digest", json!(1)), ("on", json!(1)), ("0", json!(0)), ("no", json!(0))]
            .into_iter()
            .enumerate()
    {
        let address = format!("m{number}@example.org");
        let fields = [("email", address.as_str()), ("list", "news"), ("digest", sent)];
        page(&app.anon.post("/subscribe.php", &fields).await, 200, "We have sent you a mail");
        app.settle().await;
        press(&app, &newest_link(&app, &address)).await;
        let memberships = app.admin.get("/api/2/membership/?limit=100").await.good();
        let newest = memberships["data"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(newest["digest"], digest, "{sent}: {newest}");
    }
}

#[tokio::test]
async fn an_address_that_the_account_does_not_take_is_refused_before_any_mail() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.join("old@example.net", "news").await;
    app.change_account(|account| account.settings.restrict_contact = vec![r"@example\.org$".to_owned()])
        .await;
    app.sink.clear();
    // Of an address that is known, nothing else is said.
    for address in ["bob@example.net", "old@example.net"] {
        let answer = app.anon.post("/subscribe/", &[("email", address), ("list", "news")]).await;
        page(&answer, 400, "Addresses like this one cannot join here");
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn nobody_who_belongs_to_nothing_is_mailed_a_link_to_leave() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("talk").create().await;
    app.join("ada@example.org", "news").await;
    app.sink.clear();
    let leave = |address| [("email", address), ("list", "news"), ("list", "talk"), ("action", "unsubscribe")];
    for address in ["never@example.org", "ada@example.org"] {
        page(&app.anon.post("/subscribe/", &leave(address)).await, 200, "We have sent you a mail");
    }
    app.settle().await;
    let mails = app.sink.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0].to, ["ada@example.org"]);
}
