//! The page on which a person allows an application something, and what goes back to the application.

use crier::model::AccountId;
use serde_json::json;

use super::{
    AUTHORIZE, Application, Back, CALLBACK, Tokens, administrator, application, challenge, decide, diary,
};
use crate::harness::TestApp;
use crate::harness::visitor::Visitor;

/// The words of the items of a page's list of this class.
fn items(body: &str, class: &str) -> Vec<String> {
    let list = body.split(&format!("<ul class=\"{class}\">")).nth(1).expect("the list is there");
    let list = list.split("</ul>").next().unwrap();
    list.split("<li>").skip(1).map(|item| item.split("</li>").next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_page_names_the_application_the_person_and_the_scopes() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members send_messages").await;
    let page = visitor.get(&diary.path(&[("scope", "manage_members")])).await;
    assert_eq!(page.status, 200, "{}", page.body);
    for words in ["School diary", "diary.example.org", "ruth@example.org", ">Allow<", ">Deny<"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let could = items(&page.body, "may");
    assert_eq!(could.len(), 2, "it reads, and manages members: {could:?}");
    assert!(could[0].contains("read") && could[1].contains("people"), "{could:?}");
    assert_eq!(items(&page.body, "maynot").len(), 5, "the others, and the password");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action https://diary.example.org 'self';"), "{policy}");
}

#[tokio::test]
async fn a_person_who_is_confined_to_lists_sees_which_ones() {
    let app = TestApp::start().await;
    for name in ["news", "choir"] {
        app.list(name).create().await;
    }
    let diary = diary(&app).await;
    let (id, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let fields = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["choir"]});
    app.admin.put_json(&format!("/api/2/admins/{id}/"), &fields).await.good();
    // Other limits end the sessions.
    visitor.set_cookie(
        "__Host-admin",
        &app.sign_in(crier::model::Person::Admin(crier::model::AdminId(id))).await,
    );
    let page = visitor.get(&diary.path(&[])).await;
    assert!(page.body.contains(">choir<") && !page.body.contains(">news<"), "{}", page.body);
    let tokens = diary.tokens(&app, &mut visitor, "read").await;
    assert_eq!(tokens.client(&app).get("/api/2/lists/").await.good()["count"], 1);
}

#[tokio::test]
async fn whoever_allows_it_goes_back_with_a_code_and_whoever_denies_it_with_an_error() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    for (action, error) in [("allow", None), ("deny", Some("access_denied"))] {
        let back = diary.decided(&mut visitor, &[], action).await;
        assert_eq!(back.get("state"), Some("a state & more"), "{back:?}");
        assert_eq!(back.get("iss"), Some("https://lists.example.org"), "{back:?}");
        assert_eq!((back.get("code").is_some(), back.get("error")), (error.is_none(), error), "{back:?}");
    }
    let path = diary.path(&[]);
    let page = visitor.get(&path).await;
    assert_eq!(decide(&mut visitor, &page, &[]).await.status, 400, "no button");
    let forged = visitor.post(&path, &[("action", "allow"), ("csrf", "x")]).await;
    assert_eq!((forged.status, forged.header("location")), (403, None));
}

#[tokio::test]
async fn a_factor_that_is_asked_for_is_set_up_before_anything_is_allowed() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (id, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    app.admin.put_json(&format!("/api/2/admins/{id}/"), &json!({"mfa_type": "otp"})).await.good();
    // Another factor ends the sessions; a new one began with the password alone.
    visitor.set_cookie(
        "__Host-admin",
        &app.sign_in(crier::model::Person::Admin(crier::model::AdminId(id))).await,
    );
    let answer = visitor.get(&diary.path(&[])).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let own = answer.header("location").unwrap().to_owned();
    let next = own.strip_prefix("/admin/me/?next=").unwrap_or_else(|| panic!("{own}"));
    let next = percent_encoding::percent_decode_str(next).decode_utf8().unwrap().into_owned();
    let shown = visitor.get(&own).await;
    assert!(!shown.body.contains("Go on with what"), "not before the factor is there: {}", shown.body);
    // The password is asked for again, and each form comes back to the page that keeps the request.
    app.advance(std::time::Duration::from_mins(20)).await;
    let form = Visitor::form(&shown, &own, &["value=\"otp\""]);
    let asked = visitor.submit(&form, &[("action", "otp")]).await;
    let again = asked.header("location").unwrap().to_owned();
    let back = again.strip_prefix("/login/again/?next=").unwrap_or_else(|| panic!("{again}"));
    assert_eq!(percent_encoding::percent_decode_str(back).decode_utf8().unwrap(), own);
    visitor.set_cookie(
        "__Host-admin",
        &app.sign_in(crier::model::Person::Admin(crier::model::AdminId(id))).await,
    );
    let shown = visitor.get(&own).await;
    let form = Visitor::form(&shown, &own, &["value=\"otp\""]);
    let begun = visitor.submit(&form, &[("action", "otp")]).await;
    assert_eq!(begun.header("location"), Some(format!("{own}#setup").as_str()));
    let shown = visitor.get(&own).await;
    let form = Visitor::form(&shown, &own, &["value=\"confirm\""]);
    let typed = crate::signin::factors::code(&app, crier::model::Person::Admin(crier::model::AdminId(id)));
    let done = visitor.submit(&form, &[("action", "confirm"), ("code", &typed)]).await;
    assert_eq!(done.status, 200, "{}", done.body);
    let link = done.body.split(">Continue with what you were doing<").next().unwrap();
    let link = link.rsplit("href=\"").next().unwrap().split('"').next().unwrap();
    assert_eq!(link.replace("&#38;", "&").replace("&amp;", "&"), next);
    // The request is taken up again, and the application gets its code.
    let page = visitor.get(&next).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let back = Back::of(&decide(&mut visitor, &page, &[("action", "allow")]).await, CALLBACK);
    assert!(back.get("code").is_some() && back.get("error").is_none());
}

#[tokio::test]
async fn consent_is_asked_each_time() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    for _ in 0..2 {
        diary.tokens(&app, &mut visitor, "read").await;
    }
    let back = Back::of(&visitor.get(&diary.path(&[("prompt", "none")])).await, CALLBACK);
    assert_eq!(back.get("error"), Some("interaction_required"));
}

#[tokio::test]
async fn people_sign_in_first_and_come_back_to_the_request() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let mut visitor = Visitor::new(&app);
    let path = diary.path(&[("scope", "read")]);
    let answer = visitor.get(&path).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.header("location").unwrap();
    let next = location.strip_prefix("/login/?next=").unwrap_or_else(|| panic!("{location}"));
    let next = percent_encoding::percent_decode_str(next).decode_utf8().unwrap();
    assert!(next.starts_with(AUTHORIZE), "{next}");
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let page = visitor.get(&next).await;
    assert_eq!(page.status, 200, "{}", page.body);
}

#[tokio::test]
async fn where_several_accounts_live_the_person_names_one_and_any_session_counts() {
    let builder =
        TestApp::builder().config(|config| config.base_url = Some("https://server.example.net".to_owned()));
    let app = builder.start().await;
    let diary = diary(&app).await;
    let person = app.new_admin(AccountId(app.account_id()), "ruth@example.org").await;
    let token = app.sign_in(person).await;
    app.other_account().await;
    let server = app.anon.at_host("server.example.net");
    let page = server.get(&diary.path(&[])).await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains("name=\"account\"") && page.body.contains("School diary"), "{}", page.body);
    let unknown = server.get(&format!("{}&account=nobody", diary.path(&[]))).await;
    assert_eq!(unknown.status, 400, "{}", unknown.body);
    assert!(unknown.body.contains("role=\"alert\""));
    let answer = server.get(&format!("{}&account=Other", diary.path(&[]))).await;
    let location = answer.header("location").unwrap();
    assert!(location.starts_with("/~other/login/?next=%2Fapi%2F2%2Foauth%2Fauthorize"), "{location}");
    assert!(!location.contains("account%3D"), "{location}");
    let cookie = format!("__Host-admin={token}");
    let page = server.request("GET", &diary.path(&[]), &[("Cookie", &cookie)], b"").await;
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.body.contains("ruth@example.org"), "{}", page.body);
    let form = Visitor::form(&page, "", &["value=\"allow\""]);
    let visit = page.header("set-cookie").unwrap().split(';').next().unwrap();
    let cookies = format!("{cookie}; {visit}");
    let headers = [("Cookie", cookies.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let body = format!("csrf={}&action=allow", form.fields[0].1);
    let action = form.action.replace("&#38;", "&");
    let answer = server.request("POST", &action, &headers, body.as_bytes()).await;
    let code = Back::of(&answer, CALLBACK).get("code").unwrap().to_owned();
    assert_eq!(Tokens::of(&diary.exchange(&app, &code).await).status(&app).await, 200);
    // Elsewhere the session is not that account's.
    let path = format!("/~other{}", diary.path(&[]));
    let answer = server.request("GET", &path, &[("Cookie", &cookie)], b"").await;
    assert_eq!(answer.status, 303, "{}", answer.body);
}

#[tokio::test]
async fn unknown_applications_and_foreign_addresses_lead_nowhere() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let mut visitor = Visitor::new(&app);
    for wrong in [
        ("client_id", "nobody"),
        ("redirect_uri", "https://diary.example.org/back/"),
        ("redirect_uri", "https://diary.example.org.evil.example/back"),
        ("redirect_uri", ""),
        ("client_id", ""),
    ] {
        let answer = visitor.get(&diary.path(&[wrong])).await;
        assert_eq!((answer.status, answer.header("location")), (400, None), "{wrong:?}");
        assert!(answer.body.contains("role=\"alert\""), "{}", answer.body);
    }
    let twice = visitor.get(&format!("{}&redirect_uri=x", diary.path(&[]))).await;
    assert_eq!((twice.status, twice.header("location")), (400, None));
}

/// A wrong request of an application: whose, which parameters, and the error that it is told.
type Mistake<'a> = (&'a Application, &'a [(&'a str, &'a str)], &'a str);

#[tokio::test]
async fn other_mistakes_go_back_to_the_application_before_anybody_signs_in() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let public = application(&app, "org.example.diary:/back", true).await;
    let challenge = challenge();
    let mistakes: [Mistake<'_>; 12] = [
        (&diary, &[("scope", "everything")], "invalid_scope"),
        (&diary, &[("scope", "read limit_lists")], "invalid_scope"),
        (&diary, &[("response_type", "token")], "unsupported_response_type"),
        (&diary, &[("response_type", "")], "invalid_request"),
        (&diary, &[("response_mode", "fragment")], "invalid_request"),
        (&diary, &[("code_challenge", &challenge)], "invalid_request"),
        (&diary, &[("code_challenge", &challenge), ("code_challenge_method", "plain")], "invalid_request"),
        (&diary, &[("code_challenge", "short"), ("code_challenge_method", "S256")], "invalid_request"),
        (&diary, &[("request", "x.y.z")], "request_not_supported"),
        (&diary, &[("scope", "read"), ("scope", "send_messages")], "invalid_request"),
        (&diary, &[("code_challenge_method", "S256")], "invalid_request"),
        (&public, &[], "invalid_request"),
    ];
    for (application, more, error) in mistakes {
        let answer = Visitor::new(&app).get(&application.path(more)).await;
        let back = Back::of(&answer, &application.redirect_uri);
        assert_eq!(back.get("error"), Some(error), "{more:?}");
        assert_eq!(back.get("state"), Some("a state & more"));
        assert_eq!(back.get("iss"), Some("https://lists.example.org"));
    }
}

#[tokio::test]
async fn what_a_person_does_not_hold_is_left_out_and_with_nothing_left_it_is_denied() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = diary.tokens(&app, &mut visitor, "send_messages manage_members").await;
    assert_eq!(tokens.scope, "manage_members");
    let tokens = diary.tokens(&app, &mut visitor, "").await;
    assert_eq!(tokens.scope, "read", "no scope means read");
    let answer = visitor.get(&diary.path(&[("scope", "send_messages account_admin")])).await;
    assert_eq!(Back::of(&answer, CALLBACK).get("error"), Some("access_denied"));
    let (_, mut nobody) = administrator(&app, "eve@example.org", "").await;
    let answer = nobody.get(&diary.path(&[])).await;
    assert_eq!(Back::of(&answer, CALLBACK).get("error"), Some("access_denied"));
}

#[tokio::test]
async fn programs_on_the_own_machine_choose_their_port() {
    let app = TestApp::start().await;
    let program = application(&app, "http://127.0.0.1/back", true).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let at_port = Application { redirect_uri: "http://127.0.0.1:49152/back".to_owned(), ..program };
    let (challenge, method) = (challenge(), "S256");
    let pkce = [("code_challenge", challenge.as_str()), ("code_challenge_method", method)];
    let page = visitor.get(&at_port.path(&pkce)).await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action http://127.0.0.1:49152 'self';"), "{policy}");
    let back = at_port.decided(&mut visitor, &pkce, "allow").await;
    assert!(back.get("code").is_some(), "{back:?}");
}

#[tokio::test]
async fn to_allow_more_than_reading_the_password_is_asked_for_again_after_a_quarter_of_an_hour() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let boss = crate::signin::boss(&app).await;
    let crier::model::Person::Admin(id) = boss else { unreachable!("it is an administrator") };
    super::set_permissions(&app, id.0, "account_admin").await;
    let mut visitor = Visitor::new(&app);
    crate::signin::log_in(&mut visitor, crate::signin::BOSS, crate::signin::PASSWORD).await;
    let path = diary.path(&[("scope", "account_admin")]);
    let shown = visitor.get(&path).await;
    assert_eq!(shown.status, 200, "{}", shown.body);
    app.advance(std::time::Duration::from_mins(17)).await;
    // The page that was open, and one that is opened now, lead to the password and then back.
    let allowed = decide(&mut visitor, &shown, &[("action", "allow")]).await;
    let opened = visitor.get(&path).await;
    for answer in [&allowed, &opened] {
        assert_eq!(answer.status, 303, "{}", answer.body);
        let location = answer.header("location").unwrap();
        assert!(location.starts_with("/login/again/?next=%2Fapi%2F2%2Foauth%2Fauthorize%2F"), "{location}");
    }
    // To read alone takes no proof.
    let back = diary.decided(&mut visitor, &[("scope", "read")], "allow").await;
    assert!(back.get("code").is_some(), "{back:?}");
    let again = opened.header("location").unwrap();
    let form_page = visitor.get(again).await;
    let form = Visitor::form(&form_page, again, &["name=\"password\""]);
    let fields: Vec<(&str, String)> =
        form.fields.iter().map(|(name, value)| (*name, value.replace("&#38;", "&"))).collect();
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.push(("password", crate::signin::PASSWORD));
    let proven = visitor.post(&form.action.replace("&#38;", "&"), &fields).await;
    let next = proven.header("location").unwrap().to_owned();
    let shown = visitor.get(&next).await;
    let back = Back::of(&decide(&mut visitor, &shown, &[("action", "allow")]).await, CALLBACK);
    let tokens = Tokens::of(&diary.exchange(&app, back.get("code").unwrap()).await);
    let made = tokens.client(&app).post("/api/2/admins/", &[("api", "2"), ("description", "x")]).await;
    assert_eq!(made.status, 200, "it was proven: {}", made.body);
}

#[tokio::test]
async fn where_several_accounts_live_the_password_is_asked_for_at_the_accounts_own_page() {
    let builder =
        TestApp::builder().config(|config| config.base_url = Some("https://server.example.net".to_owned()));
    let app = builder.start().await;
    let diary = diary(&app).await;
    let (_, visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    app.other_account().await;
    let mut visitor = visitor.at_host("server.example.net");
    app.advance(std::time::Duration::from_mins(17)).await;
    let asked = visitor.get(&diary.path(&[("scope", "manage_members")])).await;
    let location = asked.header("location").unwrap().to_owned();
    assert!(location.starts_with("/~test/login/again/?next=%2Fapi"), "{location}");
    assert_eq!(visitor.get(&location).await.status, 200);
}
