//! Sessions of people who are signed in: how long they last, and what ends them.

use std::time::Duration;

use crier::model::{AccountId, AdminId, Person};
use crier::ops::sessions::Stay;
use serde_json::json;

use crate::harness::TestApp;

const ADA: &str = "ada@example.org";
const HOUR: Duration = Duration::from_hours(1);

/// Makes a contact; answers who it is.
async fn member(app: &TestApp, address: &str) -> Person {
    app.new_member(AccountId(app.account_id()), address).await
}

/// Makes an administrator who is not written to; answers who it is.
async fn admin(app: &TestApp, address: &str) -> Person {
    app.new_admin(AccountId(app.account_id()), address).await
}

/// How many sessions are kept.
fn kept(app: &TestApp) -> usize {
    app.dump("session").matches("Session {").count()
}

#[tokio::test]
async fn a_members_session_that_is_not_used_ends_after_a_day_or_ninety() {
    let app = TestApp::start().await;
    let ada = member(&app, ADA).await;
    let usual = app.sign_in(ada).await;
    let account = AccountId(app.account_id());
    let long = app.sign_in_to(account, ada, Stay::Long).await;
    app.advance(23 * HOUR).await;
    assert!(app.session(&usual).is_some() && app.session(&long).is_some());
    app.advance(HOUR).await;
    assert!(app.session(&usual).is_none() && app.session(&long).is_some());
    assert_eq!(kept(&app), 1, "what has ended is forgotten");
    app.advance((89 * 24 - 1) * HOUR).await;
    assert!(app.session(&long).is_some());
    app.advance(HOUR).await;
    assert!(app.session(&long).is_none());
    assert_eq!(kept(&app), 0);
}

#[tokio::test]
async fn the_file_has_the_hash_of_a_token_alone() {
    let app = TestApp::start().await;
    let token = app.sign_in(member(&app, ADA).await).await;
    assert!(!app.dump("session").contains(&token));
    for other in ["", "x", &token[1..], &token.to_lowercase(), &format!("{token}x")] {
        assert!(app.session(other).is_none(), "{other}");
    }
}

#[tokio::test]
async fn sessions_go_with_the_person() {
    let app = TestApp::start().await;
    let (ada, bob) = (member(&app, ADA).await, admin(&app, "bob@example.org").await);
    let (of_ada, of_bob) = (app.sign_in(ada).await, app.sign_in(bob).await);
    let contact = app.email(ADA).await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    assert!(app.session(&of_ada).is_none() && app.session(&of_bob).is_some());
    app.admin.delete("/api/2/admins/bob@example.org/").await.good();
    assert!(app.session(&of_bob).is_none());
    assert_eq!(kept(&app), 0);
}

#[tokio::test]
async fn an_administrators_sessions_end_with_its_permissions_limits_and_address() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let bob = admin(&app, "bob@example.org").await;
    let changes = [
        json!({"permissions": ["manage_members"]}),
        json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]}),
        json!({"username": "eve@example.org", "welcome_email": 0}),
    ];
    let mut name = "bob@example.org";
    for change in changes {
        let token = app.sign_in(bob).await;
        let path = format!("/api/2/admins/{name}/");
        app.admin.put_json(&path, &json!({"surname": "Farrow"})).await.good();
        assert!(app.session(&token).is_some(), "another name is no other person");
        app.admin.put_json(&path, &change).await.good();
        assert!(app.session(&token).is_none(), "{change}");
        name = change["username"].as_str().map_or(name, |_| "eve@example.org");
    }
}

#[tokio::test]
async fn sessions_go_with_the_account() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let account = json!({"name": "one", "domain": "one.example.org", "administrator": ADA});
    let made = global.post_json("/api/2/accounts/", &account).await.good();
    let id = made["id"].as_u64().expect("a number");
    let path = format!("/api/2/accounts/{id}/");
    let admins = global.get(&format!("/api/2/admins/?account_id={id}")).await.good();
    let person = Person::Admin(AdminId(admins["data"][0]["id"].as_u64().expect("a number")));
    let token = app.sign_in_to(AccountId(id), person, Stay::Usual).await;
    assert!(app.session(&token).is_some());
    global.delete(&path).await.good();
    app.settle().await;
    assert!(app.session(&token).is_none());
}

#[tokio::test]
async fn a_person_is_signed_in_on_fifty_devices_at_most() {
    let app = TestApp::start().await;
    let ada = member(&app, ADA).await;
    let first = app.sign_in(ada).await;
    let second = app.sign_in(ada).await;
    for _ in 0..49 {
        app.sign_in(ada).await;
    }
    assert!(app.session(&first).is_none() && app.session(&second).is_some());
    assert_eq!(kept(&app), 50);
}
