//! Codes, access tokens and refresh tokens: how long they live, what they do, and how they end.

use std::time::Duration;

use crier::model::OauthProof;
use crier::store::{Read as _, StoreError};
use data_encoding::BASE64;
use serde_json::json;

use super::{
    CALLBACK, REFRESH, REVOKE, TOKEN, Tokens, VERIFIER, administrator, application, challenge, check_error,
    diary, set_permissions,
};
use crate::harness::TestApp;

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn a_code_works_once_and_its_second_use_ends_what_the_first_gave() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let code = diary.code(&mut visitor, "read").await;
    let tokens = Tokens::of(&diary.exchange(&app, &code).await);
    assert_eq!(tokens.status(&app).await, 200);
    check_error(&diary.exchange(&app, &code).await, 400, "invalid_grant");
    assert_eq!(tokens.status(&app).await, 401);
    check_error(&diary.refresh(&app, &tokens.refresh).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_code_lives_sixty_seconds() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let (early, late) = (diary.code(&mut visitor, "read").await, diary.code(&mut visitor, "read").await);
    app.clock.advance(Duration::from_millis(59_999));
    Tokens::of(&diary.exchange(&app, &early).await);
    app.clock.advance(Duration::from_millis(1));
    check_error(&diary.exchange(&app, &late).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_code_belongs_to_its_application_and_its_address() {
    let app = TestApp::start().await;
    let (ours, theirs) = (diary(&app).await, diary(&app).await);
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let code = ours.code(&mut visitor, "read").await;
    check_error(&theirs.exchange(&app, &code).await, 400, "invalid_grant");
    let fields = [("grant_type", "authorization_code"), ("code", code.as_str())];
    check_error(&ours.post(&app.anon, TOKEN, &fields).await, 400, "invalid_request");
    let elsewhere = [fields[0], fields[1], ("redirect_uri", "https://diary.example.org/")];
    check_error(&ours.post(&app.anon, TOKEN, &elsewhere).await, 400, "invalid_grant");
    Tokens::of(&ours.exchange(&app, &code).await);
}

#[tokio::test]
async fn a_challenge_asks_for_its_verifier_and_a_verifier_for_a_challenge() {
    let app = TestApp::start().await;
    let public = application(&app, CALLBACK, true).await;
    let confidential = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let challenge = challenge();
    let pkce = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    for application in [&public, &confidential] {
        let back = application.decided(&mut visitor, &pkce, "allow").await;
        let code = back.get("code").unwrap();
        let fields = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", CALLBACK)];
        check_error(&application.post(&app.anon, TOKEN, &fields).await, 400, "invalid_grant");
        let upper = VERIFIER.to_uppercase();
        let with = |verifier| [fields[0], fields[1], fields[2], ("code_verifier", verifier)];
        let wrong = application.post(&app.anon, TOKEN, &with(&upper)).await;
        check_error(&wrong, 400, "invalid_grant");
        let tokens = Tokens::of(&application.post(&app.anon, TOKEN, &with(VERIFIER)).await);
        assert_eq!(tokens.status(&app).await, 200);
    }
    let code = confidential.code(&mut visitor, "read").await;
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
    ];
    check_error(&confidential.post(&app.anon, TOKEN, &fields).await, 400, "invalid_grant");
}

#[tokio::test]
async fn an_access_token_lives_an_hour_and_a_refresh_token_ninety_days() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let first = diary.tokens(&app, &mut visitor, "read").await;
    app.clock.advance(Duration::from_secs(3599));
    assert_eq!(first.status(&app).await, 200);
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(first.status(&app).await, 401);
    let second = Tokens::of(&diary.refresh(&app, &first.refresh).await);
    assert_eq!(second.status(&app).await, 200);
    app.clock.advance(90 * DAY);
    check_error(&diary.refresh(&app, &second.refresh).await, 400, "invalid_grant");
}

#[tokio::test]
async fn a_refresh_token_changes_with_each_use_and_an_old_one_ends_the_family() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let other = diary.tokens(&app, &mut visitor, "read").await;
    let first = diary.tokens(&app, &mut visitor, "manage_members read").await;
    let second = Tokens::of(&diary.refresh(&app, &first.refresh).await);
    assert_ne!((&second.refresh, &second.access), (&first.refresh, &first.access));
    let third = Tokens::of(&diary.post(&app.anon, REFRESH, &[("refresh_token", &second.refresh)]).await);
    assert_eq!((third.status(&app).await, third.scope.as_str()), (200, "read manage_members"));
    check_error(&diary.refresh(&app, &first.refresh).await, 400, "invalid_grant");
    for tokens in [&first, &second, &third] {
        assert_eq!(tokens.status(&app).await, 401);
        check_error(&diary.refresh(&app, &tokens.refresh).await, 400, "invalid_grant");
    }
    assert_eq!(other.status(&app).await, 200, "another consent is another family");
}

#[tokio::test]
async fn a_refresh_may_ask_for_less_and_not_for_more() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members send_messages").await;
    let first = diary.tokens(&app, &mut visitor, "manage_members read").await;
    let ask = |token: String, scope: &'static str| {
        let (diary, client) = (diary.clone(), app.anon.clone());
        async move { diary.post(&client, REFRESH, &[("refresh_token", &token), ("scope", scope)]).await }
    };
    check_error(&ask(first.refresh.clone(), "send_messages").await, 400, "invalid_scope");
    check_error(&ask(first.refresh.clone(), "everything").await, 400, "invalid_scope");
    let less = Tokens::of(&ask(first.refresh, "read").await);
    assert_eq!(less.scope, "read");
    let contact = [("emails", "ada@example.org")];
    assert_eq!(less.client(&app).post("/api/2/contacts/", &contact).await.status, 403);
    let all = Tokens::of(&diary.refresh(&app, &less.refresh).await);
    assert_eq!(all.scope, "read manage_members");
    all.client(&app).post("/api/2/contacts/", &contact).await.good();
}

#[tokio::test]
async fn read_reads_and_does_nothing_else() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "account_admin").await;
    let read = diary.tokens(&app, &mut visitor, "read").await.client(&app);
    for path in ["lists/", "contacts/", "messages/", "aliases/", "admins/"] {
        read.get(&format!("/api/2/{path}")).await.good();
    }
    assert_eq!(read.get("/api/2/held/").await.status, 403, "held messages need their own permission");
    for (path, fields) in [
        ("contacts/", [("emails", "ada@example.org")]),
        ("lists/", [("name", "other")]),
        ("admins/", [("username", "eve@example.org")]),
        ("messages/", [("list", "news")]),
    ] {
        let answer = read.post(&format!("/api/2/{path}"), &fields).await;
        assert_eq!(answer.status, 403, "{path}: {}", answer.body);
    }
    assert_eq!(read.put("/api/2/lists/news/", &[("description", "x")]).await.status, 403);
    assert_eq!(read.delete("/api/2/lists/news/").await.status, 403);
}

#[tokio::test]
async fn a_token_does_what_its_scopes_and_the_persons_present_permissions_allow() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (id, mut visitor) = administrator(&app, "ruth@example.org", "account_admin").await;
    let tokens = diary.tokens(&app, &mut visitor, "manage_members manage_settings").await;
    let client = tokens.client(&app);
    let list = |name: &'static str| [("name", name)];
    client.post("/api/2/lists/", &list("one")).await.good();
    assert_eq!(client.post("/api/2/admins/", &[("username", "eve@example.org")]).await.status, 403);
    set_permissions(&app, id, "manage_members").await;
    assert_eq!(client.post("/api/2/lists/", &list("two")).await.status, 403, "the person may not any more");
    client.post("/api/2/contacts/", &[("emails", "ada@example.org")]).await.good();
    set_permissions(&app, id, "send_messages").await;
    client.get("/api/2/lists/").await.good();
    set_permissions(&app, id, "").await;
    assert_eq!(client.get("/api/2/lists/").await.status, 403);
    set_permissions(&app, id, "account_admin").await;
    client.post("/api/2/lists/", &list("two")).await.good();
}

#[tokio::test]
async fn applications_end_tokens_and_only_their_own() {
    let app = TestApp::start().await;
    let (ours, theirs) = (diary(&app).await, diary(&app).await);
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = ours.tokens(&app, &mut visitor, "read").await;
    for token in [&tokens.access, &tokens.refresh] {
        theirs.post(&app.anon, REVOKE, &[("token", token)]).await.good();
    }
    assert_eq!(tokens.status(&app).await, 200);
    let hinted = [("token", tokens.access.as_str()), ("token_type_hint", "refresh_token")];
    ours.post(&app.anon, REVOKE, &hinted).await.good();
    assert_eq!(tokens.status(&app).await, 401);
    let tokens = Tokens::of(&ours.refresh(&app, &tokens.refresh).await);
    ours.post(&app.anon, REVOKE, &[("token", &tokens.refresh)]).await.good();
    assert_eq!(tokens.status(&app).await, 401, "with the refresh token its access tokens end");
    ours.post(&app.anon, REVOKE, &[("token", "nothing")]).await.good();
    check_error(&ours.post(&app.anon, REVOKE, &[]).await, 400, "invalid_request");
}

#[tokio::test]
async fn an_application_proves_itself_in_one_way() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let public = application(&app, CALLBACK, true).await;
    let secret = diary.secret.clone().unwrap();
    let basic =
        |id: &str, secret: &str| format!("Basic {}", BASE64.encode(format!("{id}:{secret}").as_bytes()));
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let mut tokens = diary.tokens(&app, &mut visitor, "read").await;
    let right = app.anon.with_authorization(&basic(&diary.client_id, &secret));
    let id = ("client_id", diary.client_id.as_str());
    for more in [vec![], vec![id]] {
        let fields = [&[("refresh_token", tokens.refresh.as_str())][..], &more].concat();
        tokens = Tokens::of(&right.post(REFRESH, &fields).await);
    }
    let twice = [("refresh_token", tokens.refresh.as_str()), id, ("client_secret", secret.as_str())];
    check_error(&right.post(REFRESH, &twice).await, 400, "invalid_request");
    let token = [("refresh_token", tokens.refresh.as_str())];
    let wrong = app.anon.with_authorization(&basic(&diary.client_id, "x"));
    check_error(&wrong.post(REFRESH, &token).await, 401, "invalid_client");
    let without = [id, token[0]];
    check_error(&app.anon.post(REFRESH, &without).await, 401, "invalid_client");
    let with_one = [("client_id", public.client_id.as_str()), ("client_secret", "x"), token[0]];
    check_error(&app.anon.post(REFRESH, &with_one).await, 401, "invalid_client");
    let fields =
        json!({"client_id": diary.client_id, "client_secret": secret, "refresh_token": tokens.refresh});
    Tokens::of(&app.anon.post_json(REFRESH, &fields).await);
    let unknown = diary.post(&app.anon, TOKEN, &[("grant_type", "password")]).await;
    check_error(&unknown, 400, "unsupported_grant_type");
}

#[tokio::test]
async fn wrong_codes_are_guesses_and_right_applications_elsewhere_are_not_slowed() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let tokens = diary.tokens(&app, &mut visitor, "read").await;
    let mut last = 400;
    for _ in 0..120 {
        last = diary.exchange(&app, "nothing").await.status;
    }
    assert_eq!(last, 429);
    let elsewhere = app.anon.at_source("127.0.0.9");
    let fields = [("refresh_token", tokens.refresh.as_str())];
    let tokens = Tokens::of(&diary.post(&elsewhere, REFRESH, &fields).await);
    assert_eq!(tokens.status(&app).await, 200, "a right token passes from everywhere");
    Tokens::of(&diary.refresh(&app, &tokens.refresh).await);
}

#[tokio::test]
async fn what_has_ended_is_removed() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (_, mut visitor) = administrator(&app, "ruth@example.org", "manage_members").await;
    let kept = |table: &str| app.dump(table).matches("id: ").count();
    diary.code(&mut visitor, "read").await;
    let tokens = diary.tokens(&app, &mut visitor, "read").await;
    let text = app.dump("oauth_grant") + &app.dump("oauth_token") + &app.dump("oauth_client");
    let secret = diary.secret.as_deref().unwrap();
    assert!(![&tokens.access, &tokens.refresh, secret].iter().any(|token| text.contains(*token)), "{text}");
    assert_eq!(app.dump("oauth_grant").matches("OauthGrant {").count(), 2, "{text}");
    app.advance(Duration::from_mins(5)).await;
    assert_eq!(app.dump("oauth_grant").matches("OauthGrant {").count(), 1, "the code was not used");
    app.advance(Duration::from_hours(2)).await;
    assert_eq!(kept("oauth_token"), 0);
    app.advance(91 * DAY).await;
    assert_eq!(kept("oauth_grant"), 0);
}

#[tokio::test]
async fn the_token_of_a_grant_without_a_proof_makes_nobody_powerful() {
    let app = TestApp::start().await;
    let diary = diary(&app).await;
    let (head, mut visitor) = administrator(&app, "head@example.org", "account_admin").await;
    let key = app.admin.post("/api/2/admins/", &[("api", "2"), ("description", "web")]).await.good();
    let key = format!("/api/2/admins/{}/", key["id"]);
    let tokens = diary.tokens(&app, &mut visitor, "account_admin").await;
    // A grant that was given before grants had proofs.
    let unproven = diary.tokens(&app, &mut visitor, "account_admin").await;
    let newest = app.dump("oauth_proof").matches("OauthProof {").count();
    assert_eq!(newest, 2);
    let core = app.core();
    let dropping = core.store.write(|tx| -> Result<(), StoreError> {
        let newest: OauthProof = tx.all(0, 9)?.pop().expect("there are two");
        tx.delete::<OauthProof>(newest.grant.0).map(drop)
    });
    dropping.await.unwrap();
    let client = unproven.client(&app);
    let (own, person) = (format!("/api/2/admins/{head}/"), [("username", "eve@example.org")]);
    let refused = [
        client.post("/api/2/admins/", &[("api", "2"), ("permissions", "account_admin")]).await,
        client.post("/api/2/admins/", &person).await,
        client.put(&key, &[("get_key", "1")]).await,
        client.put(&key, &[("permissions", "account_admin")]).await,
        client.put(&own, &person).await,
        client.put(&own, &[("mfa_type", "")]).await,
    ];
    for answer in refused {
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert!(answer.body.contains("account_admin"), "{}", answer.body);
    }
    assert_eq!(client.post("/api/2/lists/", &[("name", "news")]).await.status, 200, "the rest it may do");
    assert_eq!(tokens.client(&app).put(&key, &[("get_key", "1")]).await.status, 200);
    // New tokens of the grant are no better.
    let again = Tokens::of(&diary.refresh(&app, &unproven.refresh).await);
    assert_eq!(again.client(&app).put(&key, &[("get_key", "1")]).await.status, 403);
    app.advance(100 * DAY).await;
    assert!(!app.dump("oauth_proof").contains("OauthProof {"), "a proof ends with its grant");
}
