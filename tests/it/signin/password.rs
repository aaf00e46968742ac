//! Address and password: what signs in, what is answered otherwise, and how many hashes that costs.

use std::time::Duration;

use crier::secret::is_outdated;
use crier::store::StoreError;

use super::*;

#[tokio::test]
async fn an_administrator_signs_in_and_comes_to_the_page_that_was_wanted() {
    let app = TestApp::start().await;
    boss(&app).await;
    let mut visitor = Visitor::new(&app);
    let sent = visitor.get("/admin/me/?a=b%26c").await;
    assert_eq!(sent.status, 303);
    let login = sent.header("location").unwrap().to_owned();
    assert_eq!(login, "/login/?next=%2Fadmin%2Fme%2F%3Fa%3Db%2526c");
    let shown = visitor.get(&login).await;
    for part in ["autocomplete=\"username\"", "autocomplete=\"current-password\"", "forgotten"] {
        page(&shown, 200, part);
    }
    let form = Visitor::form(&shown, "/login/", &["name=\"password\""]);
    let answer = visitor.submit(&form, &[("username", "  BOSS@example.org "), ("password", PASSWORD)]).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/admin/me/?a=b%26c")));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.starts_with("__Host-admin=") && !cookie.contains("Max-Age"), "{cookie}");
    page(&visitor.get("/admin/me/").await, 200, "value=\"signout-all\"");
    let noted = log(&app, &["sign_in", "sign_in.failed"]).await;
    assert_eq!(noted.len(), 1);
    assert!(noted[0].1.contains("\"via\":\"page\"") && noted[0].1.contains(BOSS), "{noted:?}");
}

#[tokio::test]
async fn signing_in_leads_to_no_other_host() {
    let app = TestApp::start().await;
    boss(&app).await;
    for next in ["//eve.example/", "https://eve.example/", "/%5Ceve.example/"] {
        let mut visitor = Visitor::new(&app);
        let path = format!("/login/?next={next}");
        let shown = visitor.get(&path).await;
        let form = Visitor::form(&shown, &path, &["name=\"password\""]);
        let answer = visitor.submit(&form, &[("username", BOSS), ("password", PASSWORD)]).await;
        let leads_to = answer.header("location").unwrap();
        assert!(leads_to.starts_with("/admin/"), "{leads_to}");
    }
}

#[tokio::test]
async fn whatever_is_wrong_the_answer_and_its_cost_are_the_same() {
    let app = TestApp::start().await;
    boss(&app).await;
    app.new_admin(AccountId(app.account_id()), "new@example.org").await;
    // Two kinds of administrators sign in here from now on, for every address.
    app.global().await.post("/api/2/admins/", &[("username", "root@example.org")]).await.good();
    let mut answers = Vec::new();
    for username in [BOSS, "new@example.org", "root@example.org", "nobody@example.org"] {
        let before = app.core().passwords.compared();
        let answer = log_in(&mut Visitor::new(&app), username, "something else").await;
        let compared = app.core().passwords.compared() - before;
        page(&answer, 400, "role=\"alert\"");
        answers.push((compared, main_of(&answer).replace(username, "ADDRESS")));
    }
    assert_eq!(answers[0].0, 2);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    let noted = log(&app, &["sign_in", "sign_in.failed"]).await;
    assert_eq!(noted.iter().filter(|(action, _)| action == "sign_in.failed").count(), 3);
    let of_server = app.global().await.get("/api/2/audit/?action=sign_in.failed").await.good();
    assert_eq!(of_server["count"], 1, "{of_server:#}");
}

#[tokio::test]
async fn a_form_without_address_or_password_says_what_is_missing_and_counts_for_nothing() {
    let app = TestApp::start().await;
    let mut visitor = Visitor::new(&app);
    let before = app.core().passwords.compared();
    for (username, password, wrong) in
        [("", "", "username"), ("ada", "x", "username"), (BOSS, "", "password")]
    {
        let answer = log_in(&mut visitor, username, password).await;
        page(&answer, 400, &format!("href=\"#{wrong}\""));
        page(&answer, 400, "aria-invalid=\"true\"");
        assert!(!answer.body.contains("value=\"x\""), "{}", answer.body);
    }
    assert_eq!(app.core().passwords.compared(), before);
    assert_eq!(log(&app, &["sign_in.failed"]).await, []);
}

#[tokio::test]
async fn the_costs_of_a_hash_are_brought_up_to_date_when_its_person_signs_in() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let mut admin = record(&app, person);
    let hash = weak_hash(PASSWORD);
    assert!(is_outdated(&hash), "{hash}");
    admin.password_hash = Some(hash);
    let stored = admin.clone();
    app.core().store.write(move |tx| -> Result<(), StoreError> { tx.put(&stored) }).await.unwrap();
    assert_eq!(log_in(&mut Visitor::new(&app), BOSS, "wrong").await.status, 400);
    assert_eq!(record(&app, person).password_hash, admin.password_hash);
    assert_eq!(log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.status, 303);
    let renewed = record(&app, person).password_hash.unwrap();
    assert!(!is_outdated(&renewed), "{renewed}");
    assert_eq!(log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.status, 303);
}

#[tokio::test]
async fn a_hundred_who_sign_in_at_once_take_the_memory_of_as_many_hashes_as_there_are_cores() {
    let app = TestApp::builder().config(|config| config.http.connections_per_client_max = 200).start().await;
    boss(&app).await;
    let tries = (0..100).map(|number| {
        let mut visitor = Visitor::new(&app);
        async move {
            let username = if number % 2 == 0 { BOSS.to_owned() } else { format!("n{number}@example.org") };
            log_in(&mut visitor, &username, PASSWORD).await.status
        }
    });
    let tasks: Vec<_> = tries.map(tokio::spawn).collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    // Some of the others were held off, as they are one client.
    let signed_in = answers.iter().filter(|status| **status == 303).count();
    assert!(answers.iter().all(|status| [303, 400, 429].contains(status)), "{answers:?}");
    assert!(0 < signed_in, "{answers:?}");
    let (most, may) = app.core().passwords.most_at_a_time();
    assert!(0 < most && most <= may, "{most} of {may}");
}

#[tokio::test]
async fn a_forgotten_password_is_chosen_anew_by_a_link_that_works_once_for_an_hour() {
    let app = TestApp::builder().without_dkim().start().await;
    let person = boss(&app).await;
    let mut visitor = Visitor::new(&app);
    let mut signed_in = Visitor::signed_in(&app, person).await;
    let known = forget(&mut visitor, BOSS).await;
    let unknown = forget(&mut visitor, "nobody@example.org").await;
    assert_eq!(main_of(&known).replace(BOSS, "X"), main_of(&unknown).replace("nobody@example.org", "X"));
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let first = link_in(&app.sink.mail_to(BOSS).text(), "/password/");
    forget(&mut visitor, BOSS).await;
    app.settle().await;
    let second = link_in(&app.sink.mails().pop().unwrap().text(), "/password/");
    app.advance(Duration::from_mins(59)).await;
    page(&visitor.get(&first).await, 200, BOSS);
    page(&visitor.post(&second, &[("password", "another horse")]).await, 200, "/login/");
    for path in [&first, &second] {
        page(&visitor.get(path).await, 410, "class=\"meta\">Error");
        page(&visitor.post(path, &[("password", "a third horse")]).await, 410, "class=\"meta\">Error");
    }
    assert_eq!(signed_in.get("/admin/me/").await.status, 303, "the sessions have ended");
    page(&log_in(&mut visitor, BOSS, PASSWORD).await, 400, "role=\"alert\"");
    assert_eq!(log_in(&mut visitor, BOSS, "another horse").await.status, 303);
    let third = link_of(&app, person, app.clock.now() + invite::FORGOTTEN_LINK_WORKS_FOR);
    app.advance(Duration::from_hours(1)).await;
    page(&visitor.get(&third).await, 410, "class=\"meta\">Error");
}

#[tokio::test]
async fn an_address_gets_five_mails_a_day_to_choose_a_password() {
    let app = TestApp::builder().without_dkim().start().await;
    boss(&app).await;
    for _ in 0..7 {
        page(&forget(&mut Visitor::new(&app), BOSS).await, 200, "role=\"status\"");
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 5);
}

#[tokio::test]
async fn passwords_of_any_letters_are_taken_as_they_are() {
    let app = TestApp::start().await;
    let person = app.new_admin(AccountId(app.account_id()), BOSS).await;
    for password in [" öäü 日本 ßéñ ", "ostrich violin", &"long ".repeat(60)] {
        choose(&app, person, password).await;
        assert_eq!(log_in(&mut Visitor::new(&app), BOSS, password).await.status, 303, "{password:?}");
        if password != password.trim() {
            assert_eq!(log_in(&mut Visitor::new(&app), BOSS, password.trim()).await.status, 400);
        }
    }
    let path = link_of(&app, person, app.clock.now() + invite::LINK_WORKS_FOR);
    for wrong in ["eleven char", "BOSS@example.org", ""] {
        page(&Visitor::new(&app).post(&path, &[("password", wrong)]).await, 400, "role=\"alert\"");
    }
}

#[tokio::test]
async fn passwords_that_many_people_choose_are_refused() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let path = link_of(&app, person, app.clock.now() + invite::LINK_WORKS_FOR);
    for common in ["password1234", "qwertyuiop12", "123456789012", "bossboss1234", "iloveyouiloveyou"] {
        let answer = Visitor::new(&app).post(&path, &[("password", common)]).await;
        page(&answer, 400, "too easy to guess");
    }
    let mut visitor = Visitor::new(&app);
    log_in(&mut visitor, BOSS, PASSWORD).await;
    let fields = [("password", PASSWORD), ("new_password", "Password1234!")];
    page(&super::factors::press(&mut visitor, "password", &fields).await, 400, "href=\"#new_password\"");
}

#[tokio::test]
async fn a_global_administrator_signs_in_at_the_servers_own_host_alone() {
    let app = TestApp::start().await;
    app.other_account().await;
    app.change_domains(|domain| domain.is_web = false).await;
    boss(&app).await;
    let fields = [("username", "root@example.org"), ("permissions", "account_admin"), ("welcome_email", "0")];
    let made = app.global().await.post("/api/2/admins/", &fields).await.good();
    choose(&app, Person::Admin(AdminId(made["id"].as_u64().unwrap())), PASSWORD).await;
    for path in ["/login/", "/~test/login/"] {
        let mut visitor = Visitor::new(&app);
        assert_eq!(log_in_at(&mut visitor, path, "root@example.org", PASSWORD).await.status, 303, "{path}");
        assert_eq!(visitor.get("/~test/admin/me/").await.status, 200);
        assert_eq!(visitor.get("/~other/admin/me/").await.status, 200);
    }
    let mut visitor = Visitor::new(&app);
    assert_eq!(
        log_in(&mut visitor, BOSS, PASSWORD).await.status,
        400,
        "an account's, at the server's own page"
    );
    assert_eq!(log_in_at(&mut visitor, "/~other/login/", BOSS, PASSWORD).await.status, 400);
    assert_eq!(log_in_at(&mut visitor, "/~test/login/", BOSS, PASSWORD).await.status, 303);
    let mut elsewhere = Visitor::new(&app).at_host("other.example.org");
    assert_eq!(log_in(&mut elsewhere, "root@example.org", PASSWORD).await.status, 400);
}

async fn forget(visitor: &mut Visitor, username: &str) -> Response {
    let shown = visitor.get("/login/forgotten/").await;
    let form = Visitor::form(&shown, "/login/forgotten/", &["name=\"username\""]);
    visitor.submit(&form, &[("username", username)]).await
}

/// The hash of a password with the least costs.
fn weak_hash(password: &str) -> String {
    use argon2::password_hash::{PasswordHasher as _, SaltString};
    let params = argon2::Params::new(64, 1, 1, None).unwrap();
    let argon2 = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
    let salt = SaltString::encode_b64(&[7; 16]).unwrap();
    argon2.hash_password(password.as_bytes(), &salt).unwrap().to_string()
}
