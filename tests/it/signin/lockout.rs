//! Who is held off after errors: the address, whoever tries it, and the client, whatever it tries.

use std::time::Duration;

use crier::model::Cidr;
use serde_json::json;

use super::*;

/// Wrong passwords that lock an address: never 4, always 12.
const LOCKS: usize = 8;

/// A server behind a proxy, so that visitors come from addresses of their own.
async fn behind_a_proxy() -> TestApp {
    let start = TestApp::builder().without_dkim().config(|config| {
        config.http.trusted_proxies = vec![Cidr::parse("127.0.0.0/8").unwrap()];
    });
    start.start().await
}

/// A visitor from an address of its own.
fn from(app: &TestApp, number: usize) -> Visitor {
    Visitor::new(app).behind(&format!("198.51.100.{number}"))
}

/// Tries a wrong password this often, each time from another client.
async fn be_wrong(app: &TestApp, username: &str, times: usize) {
    for number in 0..times {
        page(&log_in(&mut from(app, number), username, "wrong").await, 400, "role=\"alert\"");
    }
}

#[tokio::test]
async fn an_address_is_locked_after_eight_errors_in_a_row_by_whomever() {
    let mut app = behind_a_proxy().await;
    boss(&app).await;
    for _ in 0..3 {
        be_wrong(&app, BOSS, LOCKS - 1).await;
        assert_eq!(log_in(&mut from(&app, 99), BOSS, PASSWORD).await.status, 303, "a sign-in ends the count");
    }
    be_wrong(&app, BOSS, LOCKS - 1).await;
    let wrong = main_of(&log_in(&mut from(&app, 90), BOSS, "wrong").await);
    let before = app.core().passwords.compared();
    let locked = log_in(&mut from(&app, 91), BOSS, PASSWORD).await;
    assert_eq!((locked.status, main_of(&locked)), (400, wrong), "as a wrong password is answered");
    assert_eq!(app.core().passwords.compared() - before, 1, "and as costly");
    app.restart().await;
    assert_eq!(log_in(&mut from(&app, 92), BOSS, PASSWORD).await.status, 400, "a restart ends nothing");
    assert_eq!(log_in(&mut from(&app, 92), "BOSS@Example.org", PASSWORD).await.status, 400);
    app.advance(Duration::from_mins(61)).await;
    assert_eq!(log_in(&mut from(&app, 93), BOSS, PASSWORD).await.status, 303, "an hour ends the first lock");
}

#[tokio::test]
async fn somebody_with_the_same_address_in_another_account_ends_no_count() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let account = json!({"name": "other", "domain": "other.example", "administrator": "eve@other.example"});
    let other =
        app.global().await.post_json("/api/2/accounts/", &account).await.good()["id"].as_u64().unwrap();
    let namesake = app.new_admin(AccountId(other), BOSS).await;
    choose(&app, namesake, "another password").await;
    for number in 0..LOCKS {
        let wrong = log_in_at(&mut from(&app, number), "/~test/login/", BOSS, "wrong").await;
        page(&wrong, 400, "role=\"alert\"");
        let right = log_in_at(&mut from(&app, 98), "/~other/login/", BOSS, "another password").await;
        assert_eq!(right.status, 303, "{}", right.body);
    }
    let locked = log_in_at(&mut from(&app, 99), "/~test/login/", BOSS, PASSWORD).await;
    assert_eq!(locked.status, 400, "the namesake has not ended the count");
}

#[tokio::test]
async fn errors_among_the_servers_administrators_lock_nobody_of_an_account_out() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let root = app.new_server_admin("root@example.org").await;
    choose(&app, root, "the password of root").await;
    // At this page a password may be of either kind, so each error counts for both.
    for number in 0..LOCKS {
        let wrong = log_in_at(&mut from(&app, number), "/~test/login/", BOSS, "wrong").await;
        page(&wrong, 400, "role=\"alert\"");
        let right = log_in_at(&mut from(&app, 98), "/~test/login/", BOSS, PASSWORD).await;
        assert_eq!(right.status, 303, "after {number} errors, each behind a sign-in: {}", right.body);
    }
}

#[tokio::test]
async fn locks_grow_longer_and_never_last_beyond_a_day() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    for hours in [1, 2, 4, 8, 16, 24, 24] {
        be_wrong(&app, BOSS, LOCKS).await;
        app.advance(Duration::from_mins(hours * 60 - 1)).await;
        assert_eq!(log_in(&mut from(&app, 99), BOSS, PASSWORD).await.status, 400, "{hours}");
        app.advance(Duration::from_mins(2)).await;
        let dump = app.dump("lockout");
        assert!(dump.contains("errors: 0"), "while it is locked, nothing is counted: {dump}");
    }
    assert_eq!(log_in(&mut from(&app, 99), BOSS, PASSWORD).await.status, 303);
    assert!(!app.dump("lockout").contains("Lockout {"));
}

#[tokio::test]
async fn a_lock_is_told_by_a_mail_whose_link_ends_it() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    be_wrong(&app, BOSS, LOCKS).await;
    app.settle().await;
    let mail = app.sink.mail_to(BOSS);
    assert_eq!(app.sink.copies(), 1);
    let link = link_in(&mail.text(), "/login/unlock/");
    let mut visitor = from(&app, 99);
    page(&visitor.get(&link).await, 200, BOSS);
    assert_eq!(log_in(&mut visitor, BOSS, PASSWORD).await.status, 400, "opening the page unlocks nothing");
    page(&visitor.post(&link, &[]).await, 200, "role=\"status\"");
    assert_eq!(log_in(&mut visitor, BOSS, PASSWORD).await.status, 303);
    for again in [visitor.get(&link).await, visitor.post(&link, &[]).await] {
        page(&again, 410, "role=\"alert\"");
    }
    app.advance(Duration::from_secs(1)).await;
    be_wrong(&app, BOSS, LOCKS).await;
    page(&visitor.post(&link, &[]).await, 410, "role=\"alert\"");
    page(&visitor.get("/login/unlock/aaaa/").await, 404, "class=\"meta\">Error");
}

#[tokio::test]
async fn an_unknown_address_is_locked_without_a_trace_of_it() {
    let app = behind_a_proxy().await;
    be_wrong(&app, "nobody@example.org", 12).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    let dump = app.dump("lockout");
    assert!(dump.contains("Lockout {") && !dump.contains("nobody"), "{dump}");
    app.advance(Duration::from_hours(49)).await;
    assert!(!app.dump("lockout").contains("Lockout {"), "it is forgotten");
}

#[tokio::test]
async fn a_client_makes_twenty_errors_a_minute_and_others_are_not_held_off() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let mut guesses = 0;
    let refused = loop {
        let answer = log_in(&mut from(&app, 1), &format!("n{guesses}@example.org"), "wrong").await;
        if answer.status == 429 {
            break answer;
        }
        page(&answer, 400, "role=\"alert\"");
        guesses += 1;
    };
    assert_eq!(guesses, 20);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let before = app.core().passwords.compared();
    assert_eq!(log_in(&mut from(&app, 1), BOSS, PASSWORD).await.status, 429, "right ones wait as well");
    assert_eq!(app.core().passwords.compared(), before);
    assert_eq!(log_in(&mut from(&app, 2), BOSS, PASSWORD).await.status, 303);
    app.advance(Duration::from_secs(wait)).await;
    assert_eq!(log_in(&mut from(&app, 1), BOSS, PASSWORD).await.status, 303);
    for _ in 0..30 {
        assert_eq!(
            log_in(&mut from(&app, 1), BOSS, PASSWORD).await.status,
            303,
            "what is right counts for nothing"
        );
    }
}
