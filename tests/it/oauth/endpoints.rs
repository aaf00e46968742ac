//! The endpoints for applications: how they prove themselves, and how they are refused.

use serde_json::{Value, json};

use super::{AUTHORIZE, REFRESH, REVOKE, TOKEN, check_error};
use crate::harness::TestApp;
use crate::harness::http::Client;

#[tokio::test]
async fn the_metadata_name_every_endpoint() {
    let app = TestApp::start().await;
    let metadata = app.anon.get("/.well-known/oauth-authorization-server").await.good();
    let at = |path: &str| Value::from(format!("https://lists.example.org{path}"));
    assert_eq!(metadata["issuer"], at(""));
    assert_eq!(metadata["authorization_endpoint"], at("/api/2/oauth/authorize/"));
    assert_eq!(metadata["token_endpoint"], at(TOKEN));
    assert_eq!(metadata["revocation_endpoint"], at(REVOKE));
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(metadata["authorization_response_iss_parameter_supported"], true);
    let scopes = metadata["scopes_supported"].as_array().unwrap();
    assert!(scopes.contains(&json!("read")) && scopes.contains(&json!("account_admin")), "{scopes:?}");
}

#[tokio::test]
async fn applications_without_a_name_or_with_a_wrong_one_are_refused() {
    let app = TestApp::start().await;
    for path in [TOKEN, REFRESH, REVOKE] {
        let nobody = app.anon.post(path, &[("grant_type", "authorization_code")]).await;
        check_error(&nobody, 401, "invalid_client");
        assert!(nobody.header("www-authenticate").is_some_and(|field| field.starts_with("Basic")));
        let unknown = app.anon.post(path, &[("client_id", "nobody"), ("client_secret", "x")]).await;
        check_error(&unknown, 401, "invalid_client");
        check_error(&app.anon.get(path).await, 405, "invalid_request");
        let twice = app.anon.post(path, &[("client_id", "a"), ("client_id", "b")]).await;
        check_error(&twice, 400, "invalid_request");
        let text = app.anon.request("POST", path, &[("Content-Type", "text/plain")], b"x").await;
        check_error(&text, 415, "invalid_request");
        let without_slash = app.anon.post(path.trim_end_matches('/'), &[]).await;
        assert_eq!((without_slash.status, without_slash.header("location")), (308, Some(path)));
    }
}

#[tokio::test]
async fn wrong_secrets_are_guesses_and_limited_by_the_client() {
    let app = TestApp::start().await;
    let guess = |client: Client| async move {
        let fields = [("client_id", "nobody"), ("client_secret", "x"), ("grant_type", "refresh_token")];
        client.post(TOKEN, &fields).await
    };
    let mut statuses = Vec::new();
    for _ in 0..120 {
        statuses.push(guess(app.anon.clone()).await.status);
    }
    assert_eq!((statuses[0], statuses[119]), (401, 429), "{statuses:?}");
    assert!(guess(app.anon.clone()).await.header("retry-after").is_some());
    assert_eq!(guess(app.anon.at_source("127.0.0.9")).await.status, 401, "others are not concerned");
}

#[test]
fn the_description_of_the_api_has_the_endpoints_of_applications() {
    let document = crate::harness::contract::document();
    let operation = |path: &str, method: &str| &document["paths"][path][method];
    let names = |path: &str| {
        let parameters = operation(path, "get")["parameters"].as_array().unwrap().iter();
        parameters.map(|parameter| parameter["name"].as_str().unwrap()).collect::<Vec<_>>()
    };
    for name in ["response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "prompt"] {
        assert!(names(AUTHORIZE).contains(&name), "{name}");
    }
    assert!(operation(AUTHORIZE, "post")["responses"]["303"].is_object());
    for (path, fields) in [
        (TOKEN, "grant_type code redirect_uri code_verifier refresh_token scope client_id client_secret"),
        (REFRESH, "grant_type refresh_token scope client_id client_secret"),
        (REVOKE, "token token_type_hint client_id client_secret"),
    ] {
        let content = operation(path, "post")["requestBody"]["content"].as_object().unwrap();
        for body in content.values() {
            let described = body["schema"]["properties"].as_object().unwrap();
            assert_eq!(described.len(), fields.split(' ').count(), "{path}");
            assert!(fields.split(' ').all(|name| described.contains_key(name)), "{path}");
        }
        for status in ["200", "400", "401", "429"] {
            assert!(operation(path, "post")["responses"][status].is_object(), "{path} {status}");
        }
    }
}
