//! Who is held off after errors: the address, whoever tries it, and the client, whatever it tries.

use std::time::Duration;

use crier::model::Cidr;
use crier::ops::Caller;
use crier::ops::accounts::sign_in::lockout;
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

/// Presses the button of a page by which a visitor signs out.
async fn sign_out(visitor: &mut Visitor) {
    let shown = visitor.get("/admin/me/").await;
    let form = Visitor::form(&shown, "/admin/me/", &["value=\"signout\""]);
    assert_eq!(visitor.submit(&form, &[("action", "signout")]).await.status, 303);
    assert_eq!(visitor.cookie("__Host-admin"), None);
}

#[tokio::test]
async fn strangers_do_not_lock_out_a_browser_in_which_the_person_signed_in_before() {
    let mut app = behind_a_proxy().await;
    boss(&app).await;
    person_with(&app, "eve@example.org", "the password of eve").await;
    let mut known = from(&app, 99);
    let first = log_in(&mut known, BOSS, PASSWORD).await;
    let set = first.headers.iter().find(|(_, value)| value.starts_with("__Host-known-")).unwrap().1.clone();
    assert!(set.contains("; Max-Age=31536000") && set.contains("HttpOnly") && !set.contains("boss"), "{set}");
    sign_out(&mut known).await;
    be_wrong(&app, BOSS, LOCKS).await;
    app.restart().await;
    let mut known = known.again(&app).behind("198.51.100.99");
    assert_eq!(log_in(&mut from(&app, 98), BOSS, PASSWORD).await.status, 400);
    assert_eq!(log_in(&mut known, BOSS, PASSWORD).await.status, 303);
    assert_eq!(log_in(&mut from(&app, 98), BOSS, PASSWORD).await.status, 400, "the lock holds for others");
    // Others' browsers are known as theirs alone, and a cookie that was changed as nobody's.
    let mut eve = from(&app, 97);
    assert_eq!(log_in(&mut eve, "eve@example.org", "the password of eve").await.status, 303);
    assert_eq!(log_in(&mut eve, BOSS, PASSWORD).await.status, 400);
    let mut forged = from(&app, 96);
    let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
    forged.set_cookie(name, &value.chars().rev().collect::<String>());
    assert_eq!(log_in(&mut forged, BOSS, PASSWORD).await.status, 400);
    app.advance(Duration::from_hours(24 * 366)).await;
    be_wrong(&app, BOSS, LOCKS).await;
    assert_eq!(log_in(&mut known, BOSS, PASSWORD).await.status, 400, "a year is over");
}

#[tokio::test]
async fn a_known_browser_has_a_count_of_its_own_that_counts_for_others_as_well() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let (mut here, mut there) = (from(&app, 98), from(&app, 99));
    log_in(&mut here, BOSS, PASSWORD).await;
    log_in(&mut there, BOSS, PASSWORD).await;
    sign_out(&mut here).await;
    sign_out(&mut there).await;
    for _ in 0..LOCKS {
        page(&log_in(&mut here, BOSS, "wrong").await, 400, "role=\"alert\"");
    }
    assert_eq!(log_in(&mut here, BOSS, PASSWORD).await.status, 400, "its own errors lock it");
    assert_eq!(log_in(&mut from(&app, 97), BOSS, PASSWORD).await.status, 400, "and strangers");
    assert_eq!(log_in(&mut there, BOSS, PASSWORD).await.status, 303, "and no other browser of the person");
    app.settle().await;
    assert_eq!(app.sink.copies(), 1, "one mail tells of it");
    let link = link_in(&app.sink.mail_to(BOSS).text(), "/login/unlock/");
    page(&from(&app, 96).post(&link, &[]).await, 200, "role=\"status\"");
    assert_eq!(log_in(&mut here, BOSS, PASSWORD).await.status, 303, "the link ends every lock");
    assert_eq!(log_in(&mut from(&app, 97), BOSS, PASSWORD).await.status, 303);
}

#[tokio::test]
async fn a_password_that_is_chosen_by_a_link_ends_the_lock_and_its_count() {
    let app = behind_a_proxy().await;
    let person = boss(&app).await;
    be_wrong(&app, BOSS, LOCKS).await;
    choose(&app, person, "another horse").await;
    assert_eq!(log_in(&mut from(&app, 99), BOSS, "another horse").await.status, 303);
    be_wrong(&app, BOSS, LOCKS - 1).await;
    choose(&app, person, "a third horse").await;
    be_wrong(&app, BOSS, LOCKS - 1).await;
    assert_eq!(log_in(&mut from(&app, 98), BOSS, "a third horse").await.status, 303);
    // Whoever has chosen it is not locked out again, however fast strangers are.
    let mut visitor = from(&app, 97);
    let path = link_of(&app, person, app.clock.now() + invite::LINK_WORKS_FOR);
    visitor.post(&path, &[("password", "a fourth horse")]).await;
    be_wrong(&app, BOSS, LOCKS).await;
    assert_eq!(log_in(&mut visitor, BOSS, "a fourth horse").await.status, 303);
}

#[tokio::test]
async fn the_operator_ends_a_lock() {
    let app = behind_a_proxy().await;
    let person = boss(&app).await;
    be_wrong(&app, BOSS, LOCKS).await;
    let admin = record(&app, person);
    let operator = std::sync::Arc::new(Caller::operator(AccountId(app.account_id())));
    let core = app.core();
    let unlocking =
        core.perform(&operator, move |tx, by| lockout::unlock_for(tx, &by.caller, &admin, by.now));
    unlocking.await.unwrap();
    assert_eq!(log_in(&mut from(&app, 99), BOSS, PASSWORD).await.status, 303);
    let noted = log(&app, &["admin.updated"]).await;
    assert!(
        noted.iter().any(|(_, entry)| entry.contains("unlocked") && entry.contains("command")),
        "{noted:?}"
    );
}

#[tokio::test]
async fn an_open_session_proves_its_person_again_while_strangers_lock_the_address() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let mut visitor = from(&app, 99);
    log_in(&mut visitor, BOSS, PASSWORD).await;
    app.advance(Duration::from_mins(16)).await;
    be_wrong(&app, BOSS, LOCKS).await;
    let again = "/login/again/?next=%2Fadmin%2Fme%2F";
    let shown = visitor.get(again).await;
    let form = Visitor::form(&shown, again, &["name=\"password\""]);
    assert_eq!(visitor.submit(&form, &[("password", PASSWORD)]).await.status, 303);
    assert_eq!(log_in(&mut from(&app, 98), BOSS, PASSWORD).await.status, 400);
    // Its own errors lock the session alike.
    for _ in 0..LOCKS {
        assert_eq!(visitor.submit(&form, &[("password", "wrong")]).await.status, 400);
    }
    assert_eq!(visitor.submit(&form, &[("password", PASSWORD)]).await.status, 400);
}

#[tokio::test]
async fn nobody_uses_up_the_mails_about_locks() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    let mut links = Vec::new();
    for round in 0..7 {
        be_wrong(&app, BOSS, LOCKS).await;
        app.settle().await;
        if round < 5 {
            links.push(link_in(&app.sink.mails().pop().unwrap().text(), "/login/unlock/"));
        }
        let link = links.last().unwrap();
        page(&from(&app, 99).post(link, &[]).await, 200, "role=\"status\"");
        assert_eq!(log_in(&mut from(&app, 98), BOSS, PASSWORD).await.status, 303, "{round}");
        app.advance(Duration::from_mins(5)).await;
    }
    assert_eq!(app.sink.copies(), 5);
    let last = links.last().unwrap();
    app.advance(Duration::from_hours(22)).await;
    // The browser in which the link was opened is known from then on.
    let mut visitor = from(&app, 97);
    page(&visitor.post(last, &[]).await, 200, "role=\"status\"");
    be_wrong(&app, BOSS, LOCKS).await;
    assert_eq!(log_in(&mut visitor, BOSS, PASSWORD).await.status, 303);
    app.advance(Duration::from_hours(2)).await;
    page(&visitor.get(last).await, 410, "role=\"alert\"");
}

#[tokio::test]
async fn nobody_uses_up_the_mails_for_a_forgotten_password() {
    let app = behind_a_proxy().await;
    boss(&app).await;
    be_wrong(&app, BOSS, LOCKS).await;
    for number in 0..9 {
        for username in [BOSS, "nobody@example.org"] {
            let mut stranger = from(&app, number);
            let shown = stranger.get("/login/forgotten/").await;
            let form = Visitor::form(&shown, "/login/forgotten/", &["name=\"username\""]);
            assert_eq!(stranger.submit(&form, &[("username", username)]).await.status, 200);
            app.settle().await;
        }
    }
    let mails = app.sink.mails();
    assert_eq!(mails.len(), 1 + 5, "the lock's, and five");
    let last = mails.last().unwrap().text();
    app.advance(Duration::from_mins(61)).await;
    be_wrong(&app, BOSS, LOCKS).await;
    let (choose, unlock) = (link_in(&last, "/password/"), link_in(&last, "/login/unlock/"));
    page(&from(&app, 98).post(&unlock, &[]).await, 200, "role=\"status\"");
    assert_eq!(log_in(&mut from(&app, 97), BOSS, PASSWORD).await.status, 303, "the same password");
    app.advance(Duration::from_hours(22)).await;
    be_wrong(&app, BOSS, LOCKS).await;
    page(&from(&app, 96).post(&choose, &[("password", "another horse")]).await, 200, "/login/");
    assert_eq!(log_in(&mut from(&app, 95), BOSS, "another horse").await.status, 303);
}
