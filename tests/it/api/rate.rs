//! The limits on how much an account may read and change in an hour, and on how often keys may be guessed.

use std::time::Duration;

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::{Client, Response};

const CONTACTS: &str = "/api/2/contacts/";

/// What the headers say: the limit, what is left of it, and the seconds until it begins anew.
#[track_caller]
fn standing(response: &Response) -> [u64; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"].map(|name| {
        let value = response.header(name).unwrap_or_else(|| panic!("no {name}: {response:?}"));
        value.parse().expect("a number")
    })
}

async fn remaining(client: &Client) -> u64 {
    // An error costs nothing.
    standing(&client.get("/api/2/contacts/0/").await)[1]
}

/// A server whose account may have `contacts_max` contacts.
async fn app_of(contacts_max: u64) -> TestApp {
    let app = TestApp::start().await;
    app.change_account(move |account| account.contacts_max = contacts_max).await;
    app
}

#[tokio::test]
async fn an_account_has_three_times_its_address_book_an_hour() {
    let app = app_of(10).await;
    app.clock.advance(Duration::from_mins(10));
    let response = app.admin.post(CONTACTS, &[("emails", "a@x.org")]).await;
    response.good();
    assert_eq!(standing(&response), [30, 29, 3000]);
}

#[tokio::test]
async fn objects_that_are_read_or_changed_are_counted() {
    let app = app_of(100).await;
    for number in 0..5 {
        app.admin.post(CONTACTS, &[("emails", &format!("a{number}@x.org"))]).await.good();
    }
    assert_eq!(remaining(&app.admin).await, 295);
    for (path, cost) in [
        (CONTACTS, 5),
        ("/api/2/contacts/?limit=2", 2),
        ("/api/2/contacts/?limit=2&page=3", 1),
        ("/api/2/contacts/?page=2", 0),
        ("/api/2/contacts/1/", 1),
        ("/api/2/lists/", 0),
    ] {
        // The second answer is one that was kept.
        for method in ["GET", "GET", "HEAD"] {
            let before = remaining(&app.admin).await;
            let response = app.admin.request(method, path, &[], b"").await;
            assert_eq!(response.status, 200);
            assert_eq!(standing(&response)[1], before - cost, "{method} {path}");
        }
    }
    let before = remaining(&app.admin).await;
    let response = app.admin.put("/api/2/contacts/1/", &[("notes", "x")]).await;
    assert_eq!(standing(&response)[1], before - 1);
    let response = app.admin.delete("/api/2/contacts/1/").await;
    assert_eq!(standing(&response)[1], before - 2);
}

#[tokio::test]
async fn errors_cost_nothing() {
    let app = app_of(10).await;
    app.list("news").create().await;
    let none = app.key_with([]).await;
    let before = remaining(&app.admin).await;
    for response in [
        app.admin.get("/api/2/contacts/99/").await,
        app.admin.get("/api/2/contacts/?limit=0").await,
        app.admin.post(CONTACTS, &[("emails", "x")]).await,
        app.admin.post("/api/2/lists/", &[("name", "news")]).await,
        app.admin.delete("/api/2/lists/nothing/").await,
        none.get(CONTACTS).await,
        none.post(CONTACTS, &[("emails", "a@x.org")]).await,
    ] {
        assert!(400 <= response.status && response.status < 500, "{response:?}");
        assert_eq!(standing(&response)[1], before, "{response:?}");
    }
    let anon = app.anon.get(CONTACTS).await;
    assert_eq!(anon.header("ratelimit-limit"), None, "nobody is told of an account");
}

#[tokio::test]
async fn over_the_limit_nothing_is_done_until_the_hour_ends() {
    let app = app_of(1).await;
    let contact = app.admin.post(CONTACTS, &[("emails", "a@x.org")]).await.good();
    let path = format!("{CONTACTS}{}/", contact["id"]);
    app.admin.get(&path).await.good();
    app.admin.get(&path).await.good();
    let none = app.key_with([]).await;
    app.clock.advance(Duration::from_mins(15));
    for response in [
        app.admin.get(&path).await,
        app.admin.get("/api/2/lists/").await,
        app.admin.put(&path, &[("notes", "changed")]).await,
        app.admin.delete(&path).await,
        app.admin.get("/api/2/contacts/99/").await,
        app.admin.post(CONTACTS, &[]).await,
        none.get(&path).await,
    ] {
        response.error(429, "3 objects an hour");
        assert_eq!(response.header("retry-after"), Some("2700"));
        assert_eq!(standing(&response), [3, 0, 2700]);
    }
    // What comes before the rate is told as ever.
    app.anon.get(&path).await.error(401, "");
    app.admin.get("/api/2/nothing/").await.error(404, "");
    app.admin.post(&path, &[]).await.error(405, "");
    app.admin.request("PUT", &path, &[("Content-Type", "text/plain")], b"x").await.error(415, "");
    app.clock.advance(Duration::from_mins(45));
    let response = app.admin.get(&path).await;
    assert_eq!(response.good()["notes"], "");
    assert_eq!(standing(&response), [3, 2, 3600]);
}

#[tokio::test]
async fn a_listing_of_more_objects_than_are_left_is_refused_and_costs_nothing() {
    let app = app_of(2).await;
    for address in ["a@x.org", "b@x.org"] {
        app.admin.post(CONTACTS, &[("emails", address)]).await.good();
    }
    for left in [4, 2] {
        assert_eq!(remaining(&app.admin).await, left);
        app.admin.get(CONTACTS).await.good();
    }
    app.clock.advance(Duration::from_hours(1));
    app.admin.get(CONTACTS).await.good();
    app.admin.get(CONTACTS).await.good();
    app.admin.get("/api/2/contacts/1/").await.good();
    for _ in 0..2 {
        let response = app.admin.get(CONTACTS).await;
        response.error(429, "");
        assert_eq!(standing(&response)[1], 1);
    }
    app.admin.get("/api/2/contacts/1/").await.good();
    assert_eq!(app.admin.get("/api/2/contacts/1/").await.status, 429);
}

#[tokio::test]
async fn accounts_are_counted_apart() {
    let app = app_of(1).await;
    let other = app.other_account().await;
    for number in 0..3 {
        app.admin.post("/api/2/lists/", &[("name", &format!("l{number}"))]).await.good();
    }
    app.admin.get("/api/2/lists/").await.error(429, "");
    let response = other.get("/api/2/lists/").await;
    response.good();
    assert_eq!(standing(&response)[..2], [30_000, 30_000]);
}

#[tokio::test]
async fn a_restart_forgets_nothing() {
    let mut app = app_of(10).await;
    app.admin.post(CONTACTS, &[("emails", "a@x.org")]).await.good();
    for _ in 0..6 {
        app.admin.get(CONTACTS).await.good();
    }
    app.restart().await;
    assert_eq!(remaining(&app.admin).await, 23);
    app.restart().await;
    assert_eq!(remaining(&app.admin).await, 23);
    app.clock.advance(Duration::from_hours(1));
    app.restart().await;
    assert_eq!(remaining(&app.admin).await, 30);
}

#[tokio::test]
async fn another_address_book_is_another_limit_at_once() {
    let app = app_of(10).await;
    app.admin.post(CONTACTS, &[("emails", "a@x.org")]).await.good();
    app.change_account(|account| account.contacts_max = 20).await;
    assert_eq!(standing(&app.admin.get(CONTACTS).await)[..2], [60, 58]);
}

#[tokio::test]
async fn keys_cannot_be_guessed_at_speed() {
    let app = TestApp::start().await;
    let (thief, other) = (app.anon.at_source("127.0.0.2"), app.anon.at_source("127.0.0.3"));
    for number in 0..20 {
        let guess = thief.with_authorization(&format!("Bearer {number:032}"));
        guess.get(CONTACTS).await.error(401, "Authentication failed");
    }
    let response = thief.with_authorization("Bearer x").get(CONTACTS).await;
    assert_eq!(
        response.error(429, "Too many failing"),
        json!({"is_error": true, "message": "Too many failing authentications from your address"})
    );
    assert_eq!(response.header("retry-after"), Some("3"));
    // In the order of checks: what is not there or broken is told first.
    thief.get("/api/2/nothing/").await.error(404, "");
    thief.request("POST", CONTACTS, &[("Content-Type", "text/plain")], b"x").await.error(415, "");
    app.admin.at_source("127.0.0.2").get(CONTACTS).await.good();
    other.get(CONTACTS).await.error(401, "");
    app.clock.advance(Duration::from_mins(1));
    thief.get(CONTACTS).await.error(401, "");
}
