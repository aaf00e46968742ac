//! New administrators choose a password by a link that is mailed to them.

use std::time::Duration;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Response;

const ADMINS: &str = "/api/2/admins/";
const ADA: &str = "ada@example.org";
const PASSWORD: &str = "a horse, of course";

/// Makes an administrator; answers its id and the path of the link that it is mailed.
async fn invite(app: &TestApp, address: &str) -> (String, String) {
    let made =
        app.admin.post(ADMINS, &[("username", address), ("permissions", "send_messages")]).await.good();
    app.settle().await;
    (made["id"].to_string(), link(&app.sink.mail_to(address).text()))
}

/// The path of the link in a mail.
fn link(mail: &str) -> String {
    // Soft line breaks of quoted-printable.
    let mail = mail.replace("=\n", "");
    let mut links = mail.lines().filter_map(|line| line.trim().strip_prefix("https://lists.example.org"));
    let link = links.find(|path| path.contains("/password/"));
    link.unwrap_or_else(|| panic!("no link: {mail}")).to_owned()
}

async fn choose(app: &TestApp, path: &str, password: &str) -> Response {
    app.anon.post(path, &[("password", password)]).await
}

#[track_caller]
fn page(response: &Response, status: u16, words: &str) {
    assert_eq!(response.status, status, "{}", response.body);
    assert!(response.body.contains(words), "{words:?} is not in {}", response.body);
}

/// Whether a password is kept for somebody.
fn has_password(app: &TestApp) -> bool {
    app.dump("admin").contains("$argon2id$")
}

#[tokio::test]
async fn a_new_administrator_chooses_a_password_once() {
    let app = TestApp::builder().without_dkim().start().await;
    let (_, path) = invite(&app, ADA).await;
    let mail = app.sink.mail_to(ADA).plain();
    let (_, mail) = mail.split_once("\n\n").unwrap();
    insta::assert_snapshot!(mail);
    page(&app.anon.get(&path).await, 200, ADA);
    page(&app.anon.get(&path).await, 200, "Choose a password");
    page(&choose(&app, &path, "short").await, 400, "at least 12 characters");
    page(&choose(&app, &path, &"x".repeat(1001)).await, 400, "at most 1,000 bytes");
    page(&app.anon.post(&path, &[]).await, 400, "at least 12 characters");
    assert!(!has_password(&app));
    page(&choose(&app, &path, PASSWORD).await, 200, "Your password is set");
    assert!(has_password(&app));
    assert!(!app.dump("admin").contains(PASSWORD));
    let before = app.dump("admin");
    page(&choose(&app, &path, "somebody else's idea").await, 410, "used already");
    page(&app.anon.get(&path).await, 410, "used already");
    assert_eq!(app.dump("admin"), before);
}

#[tokio::test]
async fn a_link_works_for_seven_days() {
    let app = TestApp::start().await;
    let (_, path) = invite(&app, ADA).await;
    app.advance(Duration::from_mins(7 * 24 * 60 - 1)).await;
    page(&app.anon.get(&path).await, 200, "Choose a password");
    app.advance(Duration::from_mins(1)).await;
    page(&app.anon.get(&path).await, 410, "too old");
    page(&choose(&app, &path, PASSWORD).await, 410, "too old");
    assert!(!has_password(&app));
}

#[tokio::test]
async fn a_link_is_dead_once_its_administrator_is_gone_or_has_another_address() {
    let app = TestApp::start().await;
    let (ada, path) = invite(&app, ADA).await;
    let (bob, gone) = invite(&app, "bob@example.org").await;
    app.admin.put(&format!("{ADMINS}{ada}/"), &[("username", "eve@example.org")]).await.good();
    app.admin.delete(&format!("{ADMINS}{bob}/")).await.good();
    for path in [&path, &gone, &path.replace("/password/", "/password/a"), "/password/x/"] {
        page(&app.anon.get(path).await, 404, "does not work");
        page(&choose(&app, path, PASSWORD).await, 404, "does not work");
    }
    assert!(!has_password(&app));
}

#[tokio::test]
async fn only_persons_who_shall_be_welcomed_are() {
    let app = TestApp::start().await;
    app.admin.post(ADMINS, &[("username", ADA), ("welcome_email", "0")]).await.good();
    app.admin.post(ADMINS, &[("api", "2"), ("welcome_email", "1")]).await.good();
    let made = app.admin.post(ADMINS, &[("username", "bob@example.org"), ("permissions", "x")]).await;
    made.error(400, "permissions");
    app.admin.post(ADMINS, &[("username", ADA)]).await.error(409, "username");
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn administrators_of_new_accounts_and_of_the_server_are_welcomed_too() {
    let mut app = TestApp::start().await;
    app.anon = app.anon.at_host("lists.example.org");
    let global = app.global().await;
    let account = json!({"name": "one", "domain": "one.example.org", "administrator": ADA});
    global.post_json("/api/2/accounts/", &account).await.good();
    global.post(ADMINS, &[("username", "root@example.org")]).await.good();
    app.settle().await;
    for (address, domain) in [(ADA, "one.example.org"), ("root@example.org", "lists.example.org")] {
        let mail = app.sink.mail_to(address);
        let subject = format!("Subject: Choose your password for the mailing lists of {domain}\n");
        assert!(mail.text().contains(&subject), "{}", mail.text());
        page(&choose(&app, &link(&mail.text()), PASSWORD).await, 200, address);
    }
}

#[tokio::test]
async fn an_administrator_whose_address_is_changed_chooses_a_password_anew() {
    let app = TestApp::start().await;
    let (ada, first) = invite(&app, ADA).await;
    page(&choose(&app, &first, PASSWORD).await, 200, "Your password is set");
    let admin = format!("{ADMINS}{ada}/");
    app.admin.put(&admin, &[("username", "ADA@example.org"), ("surname", "Lovelace")]).await.good();
    assert!(has_password(&app), "the same address with other letters is no other address");
    app.admin.put(&admin, &[("username", "eve@example.org")]).await.good();
    assert!(!has_password(&app));
    page(&app.anon.get(&first).await, 404, "does not work");
    app.settle().await;
    let second = link(&app.sink.mail_to("eve@example.org").text());
    page(&choose(&app, &second, PASSWORD).await, 200, "eve@example.org");
    assert!(has_password(&app));
    app.admin.put(&admin, &[("username", "kim@example.org"), ("welcome_email", "0")]).await.good();
    app.settle().await;
    assert!(!has_password(&app));
    assert_eq!(app.sink.copies(), 2, "without a welcome nobody is written to");
}
