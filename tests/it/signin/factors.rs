//! Second factors: set up with a code, asked for when signing in, and recovered from.

use std::time::Duration;

use crier::model::{Factor, SecondFactor};
use crier::secret::totp_code;
use serde_json::json;

use super::*;

const ME: &str = "/admin/me/";

/// Presses a button on an administrator's own page.
pub(crate) async fn press(visitor: &mut Visitor, action: &str, fields: &[(&str, &str)]) -> Response {
    let shown = visitor.get(ME).await;
    let mark = format!("value=\"{action}\"");
    let form = Visitor::form(&shown, ME, &[mark.as_str()]);
    visitor.submit(&form, &[&[("action", action)], fields].concat()).await
}

/// The record of the second factor.
fn factor(app: &TestApp, person: Person) -> Option<SecondFactor> {
    app.core().store.read().unwrap().get(record(app, person).id.0).unwrap()
}

/// The present code of the app that is being set up, or is set up.
pub(crate) fn code(app: &TestApp, person: Person) -> String {
    let row = factor(app, person).unwrap();
    let Some(Factor::Totp(secret)) = row.setup.or(row.factor) else { panic!("no app") };
    totp_code(&secret.0, app.clock.now().key() / 30_000)
}

/// Sets an authenticator app up; answers the recovery codes.
async fn set_up(app: &TestApp, visitor: &mut Visitor, person: Person) -> Vec<String> {
    assert_eq!(press(visitor, "otp", &[]).await.status, 303);
    let typed = code(app, person);
    let done = press(visitor, "confirm", &[("code", &typed)]).await;
    page(&done, 200, "role=\"status\"");
    codes_on(&done)
}

fn codes_on(page: &Response) -> Vec<String> {
    let found = page.body.split("<li><code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned());
    found.collect()
}

/// Gives address and password, and then a code.
async fn log_in_with(visitor: &mut Visitor, typed: &str) -> Response {
    let asked = log_in(visitor, BOSS, PASSWORD).await;
    assert_eq!((asked.status, asked.header("location")), (303, Some("/login/code/")), "{}", asked.body);
    give(visitor, typed).await
}

async fn give(visitor: &mut Visitor, typed: &str) -> Response {
    let shown = visitor.get("/login/code/").await;
    page(&shown, 200, "autocomplete=\"one-time-code\"");
    let form = Visitor::form(&shown, "/login/code/", &["name=\"code\""]);
    visitor.submit(&form, &[("code", typed)]).await
}

#[tokio::test]
async fn an_app_is_asked_for_once_a_first_code_was_given() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let mut visitor = Visitor::signed_in(&app, person).await;
    let mut elsewhere = Visitor::signed_in(&app, person).await;
    press(&mut visitor, "otp", &[]).await;
    let shown = visitor.get(ME).await;
    page(&shown, 200, "<svg class=\"qr\"");
    let Some(Factor::Totp(secret)) = factor(&app, person).unwrap().setup else { panic!("no set-up") };
    let letters = data_encoding::BASE32_NOPAD.encode(&secret.0);
    let groups: Vec<&str> = (0..32).step_by(4).map(|start| &letters[start..start + 4]).collect();
    page(&shown, 200, &groups.join(" "));
    let wrong = if code(&app, person) == "000000" { "000001" } else { "000000" };
    page(&press(&mut visitor, "confirm", &[("code", wrong)]).await, 400, "href=\"#code\"");
    assert_ne!(
        log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.header("location"),
        Some("/login/code/")
    );
    assert_eq!(elsewhere.get(ME).await.status, 200);
    let typed = code(&app, person);
    let done = press(&mut visitor, "confirm", &[("code", &typed)]).await;
    let recovery = codes_on(&done);
    assert_eq!(recovery.len(), 10, "{}", done.body);
    assert!(recovery.iter().all(|code| 8 <= code.len()), "{recovery:?}");
    let shown = visitor.get(ME).await;
    assert!(!recovery.iter().any(|code| shown.body.contains(code.as_str())), "they are shown once");
    assert!(!shown.body.contains("<svg"), "{}", shown.body);
    assert_eq!(elsewhere.get(ME).await.status, 303, "other sessions have ended");
    assert_eq!(app.admin.get(&format!("/api/2/admins/{BOSS}/")).await.good()["mfa_type"], "otp");
    let dump = app.dump("second_factor");
    assert!(!recovery.iter().any(|code| dump.contains(code.as_str())), "{dump}");
    // The code of the set-up was taken: it signs nobody in.
    page(&log_in_with(&mut Visitor::new(&app), &typed).await, 400, "href=\"#code\"");
    app.advance(Duration::from_secs(30)).await;
    let mut visitor = Visitor::new(&app);
    let next = code(&app, person);
    let signed_in = log_in_with(&mut visitor, &next).await;
    assert_eq!(signed_in.status, 303, "{}", signed_in.body);
    assert!(visitor.cookie("__Host-step").is_none() && visitor.cookie("__Host-admin").is_some());
    page(&log_in_with(&mut Visitor::new(&app), &next).await, 400, "href=\"#code\"");
}

#[tokio::test]
async fn the_password_alone_opens_nothing_and_the_code_waits_ten_minutes() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    set_up(&app, &mut Visitor::signed_in(&app, person).await, person).await;
    app.advance(Duration::from_mins(1)).await;
    let mut visitor = Visitor::new(&app);
    page(&visitor.get("/login/code/").await, 200, "name=\"password\"");
    log_in(&mut visitor, BOSS, PASSWORD).await;
    assert_eq!(visitor.get(ME).await.status, 303);
    let shown = visitor.get("/login/code/?next=%2Fadmin%2Fme%2F").await;
    app.advance(Duration::from_mins(10)).await;
    let form = Visitor::form(&shown, "/login/code/", &["name=\"code\""]);
    page(&visitor.submit(&form, &[("code", &code(&app, person))]).await, 400, "name=\"password\"");
    log_in(&mut visitor, BOSS, PASSWORD).await;
    choose(&app, person, "another horse").await;
    // The first step was that of the former password.
    page(&visitor.get("/login/code/").await, 200, "name=\"password\"");
    // A password that was chosen by a mailed link does not pass by the factor.
    let asked = log_in(&mut visitor, BOSS, "another horse").await;
    assert_eq!(asked.header("location"), Some("/login/code/"));
}

#[tokio::test]
async fn wrong_codes_lock_the_address_and_the_right_password_between_them_does_not_help() {
    let app = TestApp::builder().without_dkim().start().await;
    let person = boss(&app).await;
    set_up(&app, &mut Visitor::signed_in(&app, person).await, person).await;
    app.advance(Duration::from_mins(1)).await;
    for _ in 0..8 {
        page(&log_in_with(&mut Visitor::new(&app), "000000000").await, 400, "role=\"alert\"");
    }
    assert_eq!(log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.status, 400, "it is locked");
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
    let noted = log(&app, &["sign_in", "sign_in.failed"]).await;
    assert_eq!(noted.iter().filter(|(action, _)| action == "sign_in.failed").count(), 9);
}

#[tokio::test]
async fn a_recovery_code_works_once_in_any_spelling() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let mut visitor = Visitor::signed_in(&app, person).await;
    let codes = set_up(&app, &mut visitor, person).await;
    let typed = format!(" {} ", codes[3].to_uppercase().replace('-', " "));
    assert_eq!(log_in_with(&mut Visitor::new(&app), &typed).await.status, 303);
    page(&log_in_with(&mut Visitor::new(&app), &codes[3]).await, 400, "role=\"alert\"");
    assert_eq!(log_in_with(&mut Visitor::new(&app), &codes[4].replace('-', "")).await.status, 303);
    page(&visitor.get(ME).await, 200, "8 recovery codes");
    let renewed = codes_on(&press(&mut visitor, "recovery", &[]).await);
    assert_eq!(renewed.len(), 10);
    page(&log_in_with(&mut Visitor::new(&app), &codes[5]).await, 400, "role=\"alert\"");
    assert_eq!(log_in_with(&mut Visitor::new(&app), &renewed[5]).await.status, 303);
}

#[tokio::test]
async fn a_factor_is_taken_off_by_its_person_or_by_who_manages_administrators() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let path = format!("/api/2/admins/{BOSS}/");
    let mut visitor = Visitor::signed_in(&app, person).await;
    set_up(&app, &mut visitor, person).await;
    let refused = app.admin.put_json(&path, &json!({"mfa_type": "sms"})).await;
    refused.error(400, "mfa_type");
    app.admin.put_json(&path, &json!({"mfa_type": "otp"})).await.good();
    assert_eq!(visitor.get(ME).await.status, 200);
    assert_eq!(
        press(&mut visitor, "factor_off", &[]).await.header("location"),
        Some("/admin/me/?done=factor_off")
    );
    assert_eq!(app.admin.get(&path).await.good()["mfa_type"], json!(null));
    assert_ne!(log_in(&mut visitor, BOSS, PASSWORD).await.header("location"), Some("/login/code/"));
    app.advance(Duration::from_mins(1)).await;
    set_up(&app, &mut visitor, person).await;
    let shown = app.admin.put_json(&path, &json!({"mfa_type": null})).await.good();
    assert_eq!(shown["mfa_type"], json!(null));
    assert!(factor(&app, person).is_none());
    assert_eq!(visitor.get(ME).await.status, 303, "the sessions have ended");
}

#[tokio::test]
async fn who_shall_have_a_factor_sets_one_up_before_anything_else() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let path = format!("/api/2/admins/{BOSS}/");
    app.admin.put_json(&path, &json!({"mfa_type": "otp", "permissions": ["account_admin"]})).await.good();
    let mut visitor = Visitor::new(&app);
    assert_eq!(log_in(&mut visitor, BOSS, PASSWORD).await.status, 303);
    let settings = visitor.get("/admin/settings/").await;
    assert_eq!((settings.status, settings.header("location")), (303, Some(ME)));
    page(&visitor.get(ME).await, 200, "Before you go on");
    set_up(&app, &mut visitor, person).await;
    assert_eq!(visitor.get("/admin/settings/").await.status, 200);
}

#[tokio::test]
async fn factors_go_with_their_person() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    set_up(&app, &mut Visitor::signed_in(&app, person).await, person).await;
    let path = format!("/api/2/admins/{BOSS}/");
    app.admin.put_json(&path, &json!({"username": "eve@example.org", "welcome_email": 0})).await.good();
    assert!(factor(&app, person).is_none() && record(&app, person).password_hash.is_none());
    assert_eq!(record(&app, person).mfa_type, None);
    choose(&app, person, PASSWORD).await;
    set_up(&app, &mut Visitor::signed_in(&app, person).await, person).await;
    assert!(app.dump("second_factor").contains("SecondFactor {"));
    app.admin.delete("/api/2/admins/eve@example.org/").await.good();
    assert!(!app.dump("second_factor").contains("SecondFactor {"));
}

#[tokio::test]
async fn the_owner_is_told_by_mail_when_a_factor_is_made_changed_or_taken_off() {
    let app = TestApp::builder().without_dkim().start().await;
    let person = boss(&app).await;
    let notifications = json!({"notifications": ["security"]});
    app.admin.put_json(&format!("/api/2/admins/{BOSS}/"), &notifications).await.good();
    let mut visitor = Visitor::signed_in(&app, person).await;
    let told = async || {
        app.settle().await;
        let mail = app.sink.mails().pop().expect("there is a mail");
        app.sink.clear();
        assert!(mail.text().contains("/login/forgotten/") && mail.text().contains(BOSS), "{mail}");
        mail.text()
    };
    set_up(&app, &mut visitor, person).await;
    assert!(told().await.contains("was set up"));
    app.advance(Duration::from_mins(2)).await;
    set_up(&app, &mut visitor, person).await;
    assert!(told().await.contains("sign-in was changed"));
    press(&mut visitor, "recovery", &[]).await;
    assert!(told().await.contains("New recovery codes"));
    press(&mut visitor, "factor_off", &[]).await;
    assert!(told().await.contains("was turned off"));
    // By another administrator as well.
    let mut visitor = Visitor::signed_in(&app, person).await;
    app.advance(Duration::from_mins(2)).await;
    set_up(&app, &mut visitor, person).await;
    told().await;
    app.admin.put_json(&format!("/api/2/admins/{BOSS}/"), &json!({"mfa_type": null})).await.good();
    assert!(told().await.contains("was turned off"));
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "nothing else");
}
