//! Role addresses, which reach the people who look after a list or an account, and aliases.

use crate::harness::TestApp;
use crate::harness::smtp::Reply;

const MAIL: &str =
    "From: Eve <eve@example.net>\nSubject: A question\nMessage-ID: <q@example.net>\n\nWho are you?\n";

/// Another message of Eve's, as its Message-ID says.
fn another(name: &str) -> String {
    MAIL.replace("<q@", &format!("<{name}@"))
}

/// Sends a message of Eve's to an address of the account, another one to each.
async fn write_to(app: &TestApp, local: &str) -> Reply {
    write_from(app, "eve@example.net", local, &another(local)).await
}

async fn write_from(app: &TestApp, from: &str, local: &str, message: &str) -> Reply {
    let reply = app.send_mail(from, &format!("{local}@lists.example.org"), message).await;
    app.settle().await;
    reply
}

async fn admin(app: &TestApp, address: &str, permissions: &str) {
    let fields = [("username", address), ("permissions", permissions), ("welcome_email", "0")];
    app.admin.post("/api/2/admins/", &fields).await.good();
}

async fn alias(app: &TestApp, source: &str, destinations: &[&str]) {
    let mut fields = vec![("source", source)];
    fields.extend(destinations.iter().map(|destination| ("destination", *destination)));
    app.admin.post("/api/2/aliases/", &fields).await.good();
}

#[tokio::test]
async fn mail_to_a_lists_owner_reaches_whoever_approves_for_it_as_it_came() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    admin(&app, "ada@example.org", "approve_messages").await;
    admin(&app, "bob@example.org", "send_messages").await;
    for local in ["news-owner", "NEWS-Manager"] {
        app.sink.clear();
        assert_eq!(write_to(&app, local).await.code, 250);
        let mail = app.sink.mail_to("ada@example.org");
        assert_eq!(app.sink.copies(), 1);
        assert!(mail.from.starts_with("bounces+") && mail.from.ends_with("@lists.example.org"), "{mail}");
        assert!(mail.text().ends_with(&another(local)), "{mail}");
        assert_eq!(mail.header("DKIM-Signature"), None);
    }
    app.sink.clear();
    app.admin.put("/api/2/lists/news/", &[("moderator", "desk@example.org")]).await.good();
    write_to(&app, "news-manager").await;
    assert_eq!(app.sink.to_members(), ["desk@example.org"]);
    app.admin.put("/api/2/lists/news/", &[("name", "bulletin")]).await.good();
    assert_eq!(write_to(&app, "news-owner").await.code, 550);
    assert_eq!(write_to(&app, "bulletin-owner").await.code, 250);
}

#[tokio::test]
async fn an_address_that_nobody_looks_after_is_refused_and_a_list_may_be_called_like_an_owner() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    assert_eq!(write_to(&app, "news-owner").await.code, 550);
    assert_eq!(write_to(&app, "other-owner").await.code, 550);
    let own = app.list("news-owner").open().members(1).create().await;
    assert_eq!(own.address, "news-owner@lists.example.org");
    write_to(&app, "news-owner").await;
    assert_eq!(app.sink.to_members(), ["member1@example.org"]);
}

#[tokio::test]
async fn the_servers_own_postmaster_is_whoever_has_the_domain_of_its_name_else_the_first_account() {
    // mx.example.org is in no domain of the server at first.
    let app = TestApp::start().await;
    admin(&app, "ada@example.org", "account_admin").await;
    let other = app.other_account().await;
    let fields = [("username", "bob@example.net"), ("permissions", "account_admin"), ("welcome_email", "0")];
    other.post("/api/2/admins/", &fields).await.good();
    let addresses = ["postmaster", "Postmaster@MX.example.org", "abuse@mx.example.org"];
    for (name, address) in ["1", "2", "3"].into_iter().zip(addresses) {
        app.sink.clear();
        assert_eq!(app.send_mail("eve@example.net", address, &another(name)).await.code, 250, "{address}");
        app.settle().await;
        assert_eq!(app.sink.to_members(), ["ada@example.org"], "{address}");
    }
    for address in ["root@mx.example.org", "postmaster@elsewhere.example", "postmaster@example.org"] {
        assert_eq!(app.send_mail("eve@example.net", address, MAIL).await.code, 550, "{address}");
    }
}

#[tokio::test]
async fn the_servers_name_belongs_to_the_account_of_the_domain_above_it() {
    let app =
        TestApp::builder().config(|config| config.hostname = "mx.OTHER.example.org".into()).start().await;
    admin(&app, "ada@example.org", "account_admin").await;
    let other = app.other_account().await;
    let fields = [("username", "bob@example.net"), ("permissions", "account_admin"), ("welcome_email", "0")];
    other.post("/api/2/admins/", &fields).await.good();
    app.send_mail("eve@example.net", "postmaster@mx.other.example.org", MAIL).await;
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["bob@example.net"]);
}

#[tokio::test]
async fn postmaster_and_abuse_are_the_administrators_of_the_account() {
    let app = TestApp::start().await;
    assert_eq!(write_to(&app, "postmaster").await.code, 250, "it is always there (RFC 5321 4.5.1)");
    assert_eq!(app.sink.copies(), 0);
    admin(&app, "ada@example.org", "account_admin").await;
    admin(&app, "bob@example.org", "manage_members").await;
    for local in ["Postmaster", "abuse"] {
        app.sink.clear();
        write_to(&app, local).await;
        assert_eq!(app.sink.to_members(), ["ada@example.org"]);
    }
    assert_eq!(write_to(&app, "postmaster+x").await.code, 550);
}

#[tokio::test]
async fn a_report_that_is_passed_on_is_never_answered_and_mail_that_returns_is_dropped() {
    let app = TestApp::start().await;
    app.list("news").with("moderator", "desk@example.org").create().await;
    write_from(&app, "", "news-owner", "From: mailer-daemon@example.net\nSubject: Failure\n\nno such user\n")
        .await;
    let mail = app.sink.mail_to("desk@example.org");
    assert_eq!(mail.from, "");
    let returned = mail.text();
    app.sink.clear();
    assert_eq!(write_from(&app, "desk@example.org", "news-owner", &returned).await.code, 250);
    assert_eq!(app.sink.copies(), 0);
    let far = format!("{}{MAIL}", "Received: x\n".repeat(51));
    write_from(&app, "eve@example.net", "news-owner", &far).await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn an_alias_passes_mail_on_and_posts_to_lists() {
    let app = TestApp::start().await;
    app.list("news").open().members(2).create().await;
    alias(&app, "press", &["desk@example.org", "editor@example.net", "news@lists.example.org"]).await;
    alias(&app, "Media", &["press@lists.example.org", "desk@example.org", "boss@example.org"]).await;
    for (local, expected) in [
        ("press", &["desk@example.org", "editor@example.net"][..]),
        ("media", &["boss@example.org", "desk@example.org", "editor@example.net"][..]),
    ] {
        app.sink.clear();
        let message = MAIL.replace("q@example.net", local);
        assert_eq!(write_from(&app, "eve@example.net", local, &message).await.code, 250);
        let mut members = vec!["member1@example.org", "member2@example.org"];
        members.extend(expected);
        members.sort_unstable();
        assert_eq!(app.sink.to_members(), members);
        let mail = app.sink.mail_to("desk@example.org");
        assert!(mail.from.starts_with("bounces+") && mail.text().ends_with(&message), "{mail}");
    }
}

#[tokio::test]
async fn what_an_alias_passes_on_does_not_run_in_circles_and_its_reports_end_here() {
    let app = TestApp::start().await;
    alias(&app, "press", &["desk@example.org"]).await;
    app.sink.refuse("desk@example.org");
    write_to(&app, "press").await;
    assert_eq!(app.sink.copies(), 0);
    app.sink.script("desk@example.org", crate::harness::sink::Act::DropAfterData, 0);
    write_from(&app, "eve@example.net", "press", MAIL).await;
    let mail = app.sink.mail_to("desk@example.org");
    app.sink.clear();
    write_from(&app, "desk@example.org", "press", &mail.text()).await;
    let report = "From: mailer-daemon@example.org\nSubject: Failure\n\nno such user\n";
    assert_eq!(app.send_mail("", &mail.from, report).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn mail_to_a_list_and_to_its_alias_is_one_post() {
    let app = TestApp::start().await;
    app.list("news").open().members(1).create().await;
    alias(&app, "press", &["news@lists.example.org"]).await;
    let both = ["news@lists.example.org", "press@lists.example.org"];
    assert_eq!(app.send_mail_to("eve@example.net", &both, MAIL).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}
