//! What people allowed applications: listed, withdrawn, and ended with the person, the application and the account.

use std::sync::Arc;

use crier::model::{AccountId, Admin, AdminId, OauthScope, Person, Via};
use crier::ops::accounts::suspension::{self, Order};
use crier::ops::oauth::{clients, grants};
use crier::ops::{Caller, OpError};
use crier::store::Read as _;
use serde_json::json;

use super::{Tokens, administrator, application, check_error, diary};
use crate::harness::TestApp;
use crate::harness::visitor::Visitor;

const CLIENTS: &str = "/admin/server/oauth-clients/";

/// An administrator as the actor of its own page.
fn caller(app: &TestApp, id: u64) -> Arc<Caller> {
    let admin: Admin = app.core().store.read().unwrap().get(id).unwrap().unwrap();
    Arc::new(Caller::admin(&admin, AccountId(app.account_id()), Via::Page, None))
}

#[tokio::test]
async fn people_see_and_withdraw_what_they_allowed() {
    let app = TestApp::start().await;
    let (core, diary) = (app.core(), diary(&app).await);
    let (ruth, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let (eve, _) = administrator(&app, "eve@example.org", "manage_members").await;
    let (head, _) = administrator(&app, "head@example.org", "account_admin").await;
    let account = AccountId(app.account_id());
    let theirs =
        || grants::of_admin(&core.store.read().unwrap(), account, AdminId(ruth), core.now()).unwrap();
    diary.code(&mut visitor, "read").await;
    assert!(theirs().is_empty(), "no application has used the code");
    let mut tokens = Vec::new();
    for _ in 0..2 {
        tokens.push(diary.tokens(&app, &mut visitor, "manage_members").await);
    }
    let listed = theirs();
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0].application, "School diary");
    assert_eq!(listed[0].scopes, [OauthScope::ManageMembers].into());
    let all = grants::of_account(&core.store.read().unwrap(), account, core.now()).unwrap();
    assert_eq!(all.iter().map(|(admin, _)| admin.id.0).collect::<Vec<_>>(), [ruth, ruth]);

    let revoke = |by: u64, id| {
        let (core, caller) = (core.clone(), caller(&app, by));
        async move { core.perform(&caller, move |tx, by| grants::revoke(tx, &by.caller, id, by.now)).await }
    };
    let missing = Err(OpError::NotFound { what: "grant" });
    assert_eq!(revoke(eve, listed[1].id).await, missing, "another's grant is none");
    assert_eq!(revoke(ruth, listed[1].id).await, Ok(()));
    assert_eq!((tokens[0].status(&app).await, tokens[1].status(&app).await), (401, 200));
    check_error(&diary.refresh(&app, &tokens[0].refresh).await, 400, "invalid_grant");
    assert_eq!(revoke(head, listed[0].id).await, Ok(()));
    assert_eq!(tokens[1].status(&app).await, 401);
    assert_eq!(revoke(ruth, listed[0].id).await, missing);
}

#[tokio::test]
async fn a_persons_own_page_lists_what_it_allowed_and_takes_it_back() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut ruth) = administrator(&app, "ruth@example.org", "manage_members").await;
    let (_, mut eve) = administrator(&app, "eve@example.org", "account_admin").await;
    let tokens = diary.tokens(&app, &mut ruth, "manage_members").await;
    let shown = ruth.get("/admin/me/").await;
    assert!(shown.body.contains("School diary"), "{}", shown.body);
    let form = Visitor::form(&shown, "/admin/me/", &["value=\"revoke-grant\""]);
    let id = form.fields.iter().find(|(name, _)| *name == "id").unwrap().1;
    let of_eve = eve.get("/admin/me/").await;
    assert!(!of_eve.body.contains("School diary"));
    let foreign = Visitor::form(&of_eve, "/admin/me/", &["value=\"otp\""]);
    let refused = eve.submit(&foreign, &[("action", "revoke-grant"), ("id", id)]).await;
    assert_eq!(
        (refused.status, tokens.status(&app).await),
        (404, 200),
        "each page has its own person's alone"
    );
    let done = ruth.submit(&form, &[("action", "revoke-grant")]).await;
    assert_eq!(done.header("location"), Some("/admin/me/?done=grant"), "{}", done.body);
    assert_eq!(tokens.status(&app).await, 401);
    let shown = ruth.get("/admin/me/?done=grant").await;
    assert!(shown.body.contains("role=\"status\"") && !shown.body.contains("School diary"), "{}", shown.body);
}

#[tokio::test]
async fn permissions_given_and_taken_back_stand_in_the_audit_log() {
    let app = TestApp::start().await;
    let (core, diary) = (app.core(), diary(&app).await);
    let (ruth, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = diary.tokens(&app, &mut visitor, "manage_members").await;
    tokens.client(&app).post("/api/2/contacts/", &[("emails", "ada@example.org")]).await.good();
    let account = AccountId(app.account_id());
    let listed = grants::of_admin(&core.store.read().unwrap(), account, AdminId(ruth), core.now()).unwrap();
    let (id, ruth) = (listed[0].id, caller(&app, ruth));
    core.perform(&ruth, move |tx, by| grants::revoke(tx, &by.caller, id, by.now)).await.unwrap();
    let log = app.admin.get("/api/2/audit/?limit=3").await.good();
    let rows = log["data"].as_array().unwrap();
    let shown = |row: &serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        [&row["action"], &row["via"], &row["actor"]["name"], &row["detail"]].map(text)
    };
    assert_eq!(shown(&rows[0]), ["grant", "page", "ruth@example.org", "revoked"]);
    assert_eq!(shown(&rows[1]), ["contact.created", "api", "ruth@example.org", ""]);
    assert_eq!(shown(&rows[2]), ["grant", "page", "ruth@example.org", "manage_members"]);
    assert_eq!(rows[2]["object"]["name"], "School diary");
}

#[tokio::test]
async fn tokens_end_with_the_application_and_with_the_person() {
    let app = TestApp::start().await;
    let (core, ours, theirs) = (app.core(), diary(&app).await, diary(&app).await);
    let (ruth, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let (eve, mut other) = administrator(&app, "eve@example.org", "manage_members").await;
    let by_ours = ours.tokens(&app, &mut visitor, "read").await;
    let by_theirs = theirs.tokens(&app, &mut visitor, "read").await;
    let of_eve = theirs.tokens(&app, &mut other, "read").await;
    assert_eq!((by_ours.status(&app).await, by_theirs.status(&app).await), (200, 200));
    let operator = Arc::new(Caller::operator(AccountId::SERVER));
    let client_id = ours.client_id.clone();
    core.perform(&operator, move |tx, by| clients::delete(tx, &by.caller, &client_id, by.now)).await.unwrap();
    assert_eq!((by_ours.status(&app).await, by_theirs.status(&app).await), (401, 200));
    check_error(&ours.refresh(&app, &by_ours.refresh).await, 401, "invalid_client");

    app.admin.delete(&format!("/api/2/admins/{ruth}/")).await.good();
    assert_eq!((by_theirs.status(&app).await, of_eve.status(&app).await), (401, 200));
    check_error(&theirs.refresh(&app, &by_theirs.refresh).await, 400, "invalid_grant");
    // Another person reads mail at the new address.
    app.admin.put(&format!("/api/2/admins/{eve}/"), &[("username", "new@example.org")]).await.good();
    assert_eq!(of_eve.status(&app).await, 401);
}

#[tokio::test]
async fn an_account_takes_its_tokens_along_and_a_restart_keeps_them() {
    let mut app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = diary.tokens(&app, &mut visitor, "read").await;
    app.restart().await;
    assert_eq!(tokens.status(&app).await, 200);
    let tokens = Tokens::of(&diary.refresh(&app, &tokens.refresh).await);
    app.global().await.delete(&format!("/api/2/accounts/{}/", app.account_id())).await.good();
    assert_eq!(tokens.status(&app).await, 401);
    check_error(&diary.refresh(&app, &tokens.refresh).await, 400, "invalid_grant");
    app.removed().await;
    assert!(!app.dump("oauth_grant").contains("OauthGrant {"));
}

/// An administrator of the server with one permission, in front of a browser.
async fn global_administrator(app: &TestApp) -> Visitor {
    let fields =
        json!({"username": "root@example.org", "permissions": ["account_admin"], "welcome_email": false});
    let made = app.global().await.post_json("/api/2/admins/", &fields).await.good();
    let root = Person::Admin(AdminId(made["id"].as_u64().unwrap()));
    Visitor::signed_in_to(app, AccountId::SERVER, root).await
}

#[tokio::test]
async fn global_administrators_make_applications_known_on_a_page() {
    let app = TestApp::start().await;
    let mut visitor = global_administrator(&app).await;
    let page = visitor.get(CLIENTS).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let form = Visitor::form(&page, CLIENTS, &["redirect_uri"]);
    let wrong = [("action", "create"), ("name", ""), ("redirect_uri", "javascript:alert(1)")];
    let refused = visitor.submit(&form, &wrong).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    for part in ["href=\"#name\"", "href=\"#redirect_uri\"", ">javascript:alert(1)</textarea>"] {
        assert!(refused.body.contains(part), "{part}: {}", refused.body);
    }
    let fields = [
        ("action", "create"),
        ("name", "School diary"),
        ("redirect_uri", "https://diary.example.org/back\r\norg.example.diary:/back"),
    ];
    let made = visitor.submit(&form, &fields).await;
    assert_eq!(made.status, 200, "{}", made.body);
    assert!(made.body.contains("role=\"status\"") && made.body.contains("client_secret"), "{}", made.body);
    let code = |text: &str| text.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned();
    let id = code(made.body.split("client_id: <code").nth(1).unwrap());
    let secret = code(made.body.split("client_secret: <code").nth(1).unwrap());
    let fields = [("client_id", id.as_str()), ("client_secret", secret.as_str()), ("token", "x")];
    app.anon.post(super::REVOKE, &fields).await.good();
    let page = visitor.get(CLIENTS).await;
    assert!(page.body.contains(&id) && !page.body.contains(&secret), "the secret is shown once");
    let form = Visitor::form(&page, CLIENTS, &[&id]);
    let gone = visitor.submit(&form, &[("action", "delete")]).await;
    assert_eq!(gone.status, 303, "{}", gone.body);
    let page = visitor.get(gone.header("location").unwrap()).await;
    assert!(page.body.contains("role=\"status\"") && !page.body.contains(&id), "{}", page.body);

    let (_, mut other) = administrator(&app, "ruth@example.org", "account_admin").await;
    assert_eq!(other.get(CLIENTS).await.status, 403, "administrators of an account make none");
}

#[tokio::test]
async fn an_application_of_a_global_administrator_names_the_account() {
    let app = TestApp::start().await;
    let mut visitor = global_administrator(&app).await;
    let application = application(&app, super::CALLBACK, false).await;
    let read = application.tokens(&app, &mut visitor, "read").await.client(&app);
    read.get("/api/2/accounts/").await.good();
    assert_eq!(read.get("/api/2/lists/").await.status, 400);
    read.get(&format!("/api/2/lists/?account_id={}", app.account_id())).await.good();
    let account = [("name", "new"), ("domain", "new.example.org"), ("administrator", "a@example.org")];
    assert_eq!(read.post("/api/2/accounts/", &account).await.status, 403);
}

#[tokio::test]
async fn the_tokens_of_a_suspended_account_do_nothing_until_it_is_restored() {
    let app = TestApp::start().await;
    let (core, diary) = (app.core(), diary(&app).await);
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = diary.tokens(&app, &mut visitor, "read").await;
    assert_eq!(tokens.status(&app).await, 200);
    let operator = Arc::new(Caller::operator(AccountId::SERVER));
    let account = AccountId(app.account_id());
    for (order, status) in [(Order::Suspend, 401), (Order::Resume, 200)] {
        let ordering =
            core.perform(&operator, move |tx, by| suspension::order(tx, &by.caller, account, order, by.now));
        ordering.await.unwrap();
        assert_eq!(tokens.status(&app).await, status);
    }
}

#[tokio::test]
async fn heads_take_back_on_a_page_what_others_allowed() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut ruth) = administrator(&app, "ruth@example.org", "manage_members").await;
    let (_, mut head) = administrator(&app, "head@example.org", "account_admin").await;
    let tokens = diary.tokens(&app, &mut ruth, "manage_members").await;
    let path = "/admin/administrators/";
    let shown = head.get(path).await;
    for words in ["School diary", "ruth@example.org"] {
        assert!(shown.body.contains(words), "{words}: {}", shown.body);
    }
    let form = Visitor::form(&shown, path, &["value=\"revoke\""]);
    let answer = head.submit(&form, &[("action", "revoke")]).await;
    assert_eq!(answer.header("location"), Some("/admin/administrators/?done=revoked"));
    assert_eq!(tokens.status(&app).await, 401);
    let shown = head.get(answer.header("location").unwrap()).await;
    assert!(shown.body.contains("role=\"status\"") && !shown.body.contains("School diary"), "{}", shown.body);
    assert_eq!(head.submit(&form, &[("action", "revoke")]).await.status, 404);
}
