//! The secret that signs links is rotated, and old links work for 30 days.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::program;
use crate::harness::sink::Mail;

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const DAY: Duration = Duration::from_hours(24);

/// Rotates the secret; answers what the command prints as JSON.
fn rotate(app: &TestApp) -> Value {
    let printed = program::run(&["links", "rotate", "--json"], app.folder());
    serde_json::from_str(&printed).expect("it prints JSON")
}

/// Posts to `news`; answers ada's copy.
async fn copy(app: &TestApp) -> Mail {
    app.sink.clear();
    let mail = format!("From: {BOB}\nSubject: hello\n\nhi");
    assert_eq!(app.send_mail(BOB, "news@lists.example.org", &mail).await.code, 250);
    app.settle().await;
    app.sink.mail_to(ADA)
}

/// The path of the link for leaving in a copy.
fn link_of(copy: &Mail) -> String {
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    let start = field.find("<https://lists.example.org/").expect("one of the ways is a link");
    let link = field[start + 1..].split('>').next().expect("a link has an end");
    link.strip_prefix("https://lists.example.org").expect("it was found by this").to_owned()
}

/// The answer to a page of a link.
async fn status(app: &TestApp, path: &str) -> u16 {
    app.anon.get(path).await.status
}

/// The answer to a bounce of a copy.
async fn bounce(app: &TestApp, copy: &Mail) -> u16 {
    app.send_mail("", &copy.from, "From: mailer@example.org\nSubject: failed\n\nno such user").await.code
}

async fn start() -> TestApp {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    app
}

#[tokio::test]
async fn links_and_bounces_of_an_old_secret_work_for_30_days_and_across_restarts() {
    let mut app = start().await;
    let before = copy(&app).await;
    let told = rotate(&app);
    assert_eq!((&told["old_links_until"], &told["old_secrets"]), (&"2026-12-20T12:00:00Z".into(), &1.into()));
    let after = copy(&app).await;
    assert_ne!(link_of(&before), link_of(&after), "the running server signs with the new secret at once");
    for days in [0, 29] {
        app.advance(days * DAY).await;
        app.restart().await;
        assert_eq!([status(&app, &link_of(&before)).await, status(&app, &link_of(&after)).await], [200, 200]);
    }
    app.advance(DAY).await;
    assert_eq!([status(&app, &link_of(&before)).await, status(&app, &link_of(&after)).await], [404, 200]);
    assert_eq!(bounce(&app, &before).await, 550);
    app.restart().await;
    assert_eq!([status(&app, &link_of(&before)).await, status(&app, &link_of(&after)).await], [404, 200]);
}

#[tokio::test]
async fn bounces_to_old_envelope_senders_are_taken_while_the_old_secret_is() {
    let app = start().await;
    let before = copy(&app).await;
    rotate(&app);
    app.advance(5 * DAY).await;
    assert_eq!(bounce(&app, &before).await, 250);
}

#[tokio::test]
async fn a_second_rotation_keeps_the_secret_of_the_first() {
    let app = start().await;
    let first = copy(&app).await;
    rotate(&app);
    let second = copy(&app).await;
    app.advance(20 * DAY).await;
    assert_eq!(rotate(&app)["old_secrets"], 2);
    let third = copy(&app).await;
    let links = [&first, &second, &third].map(link_of);
    let statuses = async || {
        [status(&app, &links[0]).await, status(&app, &links[1]).await, status(&app, &links[2]).await]
    };
    assert_eq!(statuses().await, [200, 200, 200]);
    app.advance(10 * DAY).await;
    assert_eq!(statuses().await, [404, 200, 200]);
    app.advance(20 * DAY).await;
    assert_eq!(statuses().await, [404, 404, 200]);
}

#[tokio::test]
async fn the_secret_is_rotated_in_the_file_of_a_stopped_server_too() {
    let mut app = start().await;
    let before = copy(&app).await;
    let mut printed = String::new();
    let rotate = |file: &Path| {
        printed = program::run(&["links", "rotate"], file.parent().expect("it is in a folder"));
    };
    app.restart_after(rotate).await;
    assert!(printed.contains("Links in new mail are signed with a new secret."), "{printed}");
    let after = copy(&app).await;
    assert_ne!(link_of(&before), link_of(&after));
    assert_eq!([status(&app, &link_of(&before)).await, status(&app, &link_of(&after)).await], [200, 200]);
}

#[tokio::test]
async fn a_secret_is_rotated_sixteen_times_a_month_at_most() {
    let app = start().await;
    for _ in 0..16 {
        rotate(&app);
    }
    let (code, told) = program::fail(&["links", "rotate"], app.folder());
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("rotated 16 times within 30 days"), "{told}");
    app.advance(30 * DAY).await;
    assert_eq!(rotate(&app)["old_secrets"], 1);
}
