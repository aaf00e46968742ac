//! What somebody typed into a form of any page comes back after signing in, if the session had ended when it was sent.

use std::time::Duration;

use crate::desk_approvals::{admin, page};
use crate::harness::TestApp;
use crate::harness::http::Response;
use crate::harness::visitor::Visitor;
use crate::members::signed_in;

const ALIASES: &str = "/admin/aliases/";
const HOUR: Duration = Duration::from_hours(1);
const BOARD: [(&str, &str); 2] = [("source", "board"), ("destination", "ada@example.org\r\nbob@example.org")];

async fn start() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    app.list("news").open().member("ada@example.org").create().await;
    app.settle().await;
    app
}

fn kept(app: &TestApp) -> usize {
    app.dump("typed_form").matches("TypedForm {").count()
}

/// The path to which an answer leads after signing in.
#[track_caller]
fn next(answer: &Response) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.header("location").unwrap();
    let (_, next) = location.split_once("?next=").unwrap_or_else(|| panic!("{location}"));
    next.replace("%2F", "/").replace("%3F", "?")
}

/// Sends the form to make an alias, with a cookie of a session that has ended.
async fn send_too_late(visitor: &mut Visitor, shown: &Response) -> Response {
    let form = Visitor::form(shown, ALIASES, &["name=\"destination\""]);
    visitor.set_cookie("__Host-admin", "ended");
    visitor.submit(&form, &BOARD).await
}

/// The administrator with this address, signed in anew.
async fn again(app: &TestApp, address: &str) -> Visitor {
    let found = app.admin.get(&format!("/api/2/admins/{address}/")).await.good();
    let id = found["id"].as_u64().unwrap_or_else(|| found["id"].as_str().unwrap().parse().unwrap());
    Visitor::signed_in(app, crier::model::Person::Admin(crier::model::AdminId(id))).await
}

#[tokio::test]
async fn a_form_of_an_administrator_comes_back_and_is_sent_with_one_button() {
    let mut app = start().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let shown = boss.get(ALIASES).await;
    let path = next(&send_too_late(&mut boss, &shown).await);
    assert_eq!((path.as_str(), kept(&app)), ("/admin/typed/1/", 1));
    assert!(!app.dump("typed_form").contains("board"), "it is encrypted");
    app.restart().await;
    let mut other = admin(&app, "other@example.org", &["account_admin"]).await;
    assert_eq!(other.get(&path).await.status, 404, "nobody else sees it");
    let mut boss = again(&app, "boss@example.org").await;
    let shown = boss.get(&path).await;
    for words in ["nothing was saved", ">board</pre>", "ada@example.org\r\nbob@example.org</pre>"] {
        page(&shown, 200, words);
    }
    let form = Visitor::form(&shown, ALIASES, &["value=\"board\""]);
    let answer = boss.submit(&form, &[]).await;
    assert!(answer.status < 400, "{}", answer.body);
    let alias = app.admin.get("/api/2/aliases/board/").await.good();
    assert_eq!(alias["destination"].as_array().map(Vec::len), Some(2), "{alias}");
    assert!(!shown.body.contains("<code>"), "fields are named in words: {}", shown.body);
    assert_eq!((kept(&app), boss.get(&path).await.status), (0, 404), "what was sent is forgotten");
}

#[tokio::test]
async fn a_form_of_an_earlier_session_comes_back_at_once_to_the_same_person_alone() {
    let app = start().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let old = boss.get(ALIASES).await;
    let form = Visitor::form(&old, ALIASES, &["name=\"destination\""]);
    let mut boss = again(&app, "boss@example.org").await;
    let answer = boss.submit(&form, &BOARD).await;
    assert_eq!(answer.header("location"), Some("/admin/typed/1/"));
    page(&boss.get("/admin/typed/1/").await, 200, ">board</pre>");
    let mut other = admin(&app, "other@example.org", &["account_admin"]).await;
    assert_eq!(other.submit(&form, &BOARD).await.status, 403);
    assert_eq!(kept(&app), 1);
}

#[tokio::test]
async fn a_form_of_a_member_comes_back_through_the_mailed_link() {
    let app = start().await;
    let mut ada = signed_in(&app, "ada@example.org").await;
    let shown = ada.get("/members/").await;
    let form = Visitor::form(&shown, "/members/", &["name=\"firstname\""]);
    ada.set_cookie("__Host-member", "ended");
    let answer = ada.submit(&form, &[("firstname", "Augusta Ada"), ("surname", "Lovelace")]).await;
    let path = "/members/typed/1/";
    assert_eq!(answer.header("location"), Some(path));
    assert_eq!(next(&ada.get(path).await), path, "she has to sign in");
    // An address gets one link a minute.
    app.advance(Duration::from_mins(2)).await;
    let mut ada = signed_in(&app, "ada@example.org").await;
    let shown = ada.get(path).await;
    page(&shown, 200, ">Augusta Ada</pre>");
    let form = Visitor::form(&shown, "/members/", &["value=\"Augusta Ada\""]);
    let answer = ada.submit(&form, &[]).await;
    assert!(answer.status < 400, "{}", answer.body);
    let contact = app.email("ada@example.org").await["contact"].to_string();
    let contact = app.admin.get(&format!("/api/2/contacts/{contact}/")).await.good();
    assert_eq!(contact["firstname"], "Augusta Ada");
}

#[tokio::test]
async fn strangers_keep_nothing_and_no_password_is_kept_and_all_ends_after_a_day() {
    let app = start().await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let mut stranger = Visitor::new(&app);
    let shown = boss.get(ALIASES).await;
    let form = Visitor::form(&shown, ALIASES, &["name=\"destination\""]);
    let csrf = form.fields.iter().find(|(name, _)| *name == "csrf").unwrap().1;
    let (hash, proof) = csrf.split_once('-').unwrap();
    let forged = format!("{hash}-b{}", &proof[1..]);
    for csrf in ["", "x", hash, &*forged] {
        let answer = stranger.post(ALIASES, &[&BOARD[..], &[("csrf", csrf)]].concat()).await;
        assert_eq!(next(&answer), ALIASES);
    }
    let secret = [("csrf", csrf), ("old_password", "x"), ("password", "y")];
    assert_eq!(next(&stranger.post("/admin/me/", &secret).await), "/admin/me/");
    assert_eq!(kept(&app), 0);
    for _ in 0..10 {
        send_too_late(&mut boss, &shown).await;
    }
    assert_eq!(kept(&app), 8, "a person has a few");
    app.advance(25 * HOUR).await;
    assert_eq!(kept(&app), 0);
    app.advance(25 * HOUR).await;
    let mut boss = Visitor::new(&app);
    assert_eq!(next(&send_too_late(&mut boss, &shown).await), ALIASES, "a form of two days ago is too old");
    assert_eq!(kept(&app), 0);
}

#[tokio::test]
async fn what_an_administrator_typed_goes_with_the_administrator() {
    let app = start().await;
    admin(&app, "other@example.org", &["account_admin"]).await;
    let mut boss = admin(&app, "boss@example.org", &["account_admin"]).await;
    let shown = boss.get(ALIASES).await;
    send_too_late(&mut boss, &shown).await;
    assert_eq!(kept(&app), 1);
    app.admin.delete("/api/2/admins/boss@example.org/").await.good();
    assert_eq!(kept(&app), 0);
}
