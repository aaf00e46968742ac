//! OAuth 2.0: applications, what people allow them, and their tokens (`spec/signin.md`, "OAuth").

mod consent;
mod endpoints;
mod grants;
mod providers;
mod tokens;

use std::sync::Arc;

use crier::model::{AccountId, Person};
use crier::ops::Caller;
use crier::ops::oauth::clients::{self, ClientInput, NewCredentials};
use crier::secret::sha256;
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::{Client, Response, encode};
use crate::harness::visitor::Visitor;

const AUTHORIZE: &str = "/api/2/oauth/authorize/";
const TOKEN: &str = "/api/2/oauth/token/";
const REFRESH: &str = "/api/2/oauth/refresh/";
const REVOKE: &str = "/api/2/oauth/revoke/";
const CALLBACK: &str = "https://diary.example.org/back";
const VERIFIER: &str = "a-verifier-of-at-least-43-characters-is-long-enough";

/// The challenge of [`VERIFIER`].
fn challenge() -> String {
    BASE64URL_NOPAD.encode(&sha256(VERIFIER.as_bytes()))
}

/// An application that the operator made known.
#[derive(Clone)]
struct Application {
    client_id: String,
    secret: Option<String>,
    /// Where it has people come back.
    redirect_uri: String,
}

/// Makes an application with a secret known.
async fn diary(app: &TestApp) -> Application {
    application(app, CALLBACK, false).await
}

async fn application(app: &TestApp, redirect_uri: &str, is_public: bool) -> Application {
    let core = app.core();
    let new = NewCredentials::draw(&core.secrets);
    let (drawn, redirect_uris) = (new.clone(), vec![redirect_uri.to_owned()]);
    let input = ClientInput { name: "School diary".to_owned(), redirect_uris, is_public };
    let operator = Arc::new(Caller::operator(AccountId::SERVER));
    let made = core.perform(&operator, move |tx, by| clients::create(tx, &by.caller, input, &drawn, by.now));
    let client_id = made.await.unwrap().client_id;
    Application {
        client_id,
        secret: (!is_public).then_some(new.secret),
        redirect_uri: redirect_uri.to_owned(),
    }
}

/// Sends the form of the page on which a person decides.
async fn decide(visitor: &mut Visitor, page: &Response, fields: &[(&str, &str)]) -> Response {
    let form = Visitor::form(page, "", &["value=\"allow\""]);
    let fields: Vec<(&str, &str)> = form.fields.iter().chain(fields).copied().collect();
    // The application's request stands in the address, whose `&` are written as HTML writes them.
    visitor.post(&form.action.replace("&#38;", "&"), &fields).await
}

/// What the browser brought back to an application.
#[derive(Debug)]
struct Back(Vec<(String, String)>);

impl Back {
    /// Reads a redirect to an application.
    #[track_caller]
    fn of(answer: &Response, redirect_uri: &str) -> Back {
        assert_eq!(answer.status, 303, "{}", answer.body);
        let location = answer.header("location").unwrap();
        let query = location.strip_prefix(redirect_uri).unwrap_or_else(|| panic!("elsewhere: {location}"));
        let pairs = query[1..].split('&').map(|pair| {
            let (name, value) = pair.split_once('=').unwrap();
            let value = percent_encoding::percent_decode_str(value).decode_utf8().unwrap();
            (name.to_owned(), value.into_owned())
        });
        Back(pairs.collect())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

impl Application {
    /// The path of a request for permission with these parameters beside the usual ones, which blank ones replace.
    fn path(&self, more: &[(&str, &str)]) -> String {
        let usual = [
            ("response_type", "code"),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("state", "a state & more"),
        ];
        let is_replaced = |name: &str| more.iter().any(|(other, _)| *other == name);
        let usual = usual.into_iter().filter(|(name, _)| !is_replaced(name));
        let pairs = usual.chain(more.iter().copied()).filter(|(_, value)| !value.is_empty());
        let query = pairs.map(|(name, value)| format!("{name}={}", encode(value)));
        format!("{AUTHORIZE}?{}", query.collect::<Vec<_>>().join("&"))
    }

    /// Has a person decide about a request; answers what the browser brought back.
    async fn decided(&self, visitor: &mut Visitor, more: &[(&str, &str)], action: &str) -> Back {
        let path = self.path(more);
        let page = visitor.get(&path).await;
        assert_eq!(page.status, 200, "{}", page.body);
        let answer = decide(visitor, &page, &[("action", action)]).await;
        Back::of(&answer, &self.redirect_uri)
    }

    /// A code of a person for these scopes.
    async fn code(&self, visitor: &mut Visitor, scope: &str) -> String {
        let back = self.decided(visitor, &[("scope", scope)], "allow").await;
        back.get("code").unwrap_or_else(|| panic!("{back:?}")).to_owned()
    }

    /// A request of the application, which proves itself in the body.
    async fn post(&self, client: &Client, path: &str, fields: &[(&str, &str)]) -> Response {
        let mut all = vec![("client_id", self.client_id.as_str())];
        all.extend(self.secret.as_deref().map(|secret| ("client_secret", secret)));
        all.extend(fields);
        client.post(path, &all).await
    }

    /// Exchanges a code.
    async fn exchange(&self, app: &TestApp, code: &str) -> Response {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", self.redirect_uri.as_str()),
        ];
        self.post(&app.anon, TOKEN, &fields).await
    }

    /// Uses a refresh token.
    async fn refresh(&self, app: &TestApp, token: &str) -> Response {
        self.post(&app.anon, TOKEN, &[("grant_type", "refresh_token"), ("refresh_token", token)]).await
    }

    /// The tokens that a person allows for these scopes.
    async fn tokens(&self, app: &TestApp, visitor: &mut Visitor, scope: &str) -> Tokens {
        let code = self.code(visitor, scope).await;
        Tokens::of(&self.exchange(app, &code).await)
    }
}

/// What an application got.
#[derive(Debug)]
struct Tokens {
    access: String,
    refresh: String,
    scope: String,
}

impl Tokens {
    #[track_caller]
    fn of(answer: &Response) -> Tokens {
        let value = answer.good();
        assert_eq!((&value["token_type"], &value["expires_in"]), (&json!("Bearer"), &json!(3600)), "{value}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        let text = |name: &str| value[name].as_str().unwrap_or_else(|| panic!("{value}")).to_owned();
        Tokens { access: text("access_token"), refresh: text("refresh_token"), scope: text("scope") }
    }

    /// The API with the access token.
    fn client(&self, app: &TestApp) -> Client {
        app.anon.with_authorization(&format!("Bearer {}", self.access))
    }

    /// The status of a read with the access token.
    async fn status(&self, app: &TestApp) -> u16 {
        self.client(app).get("/api/2/lists/").await.status
    }
}

/// An administrator of the account `test` with these permissions, and a browser in which it is signed in.
async fn administrator(app: &TestApp, address: &str, permissions: &str) -> (u64, Visitor) {
    let person = app.new_admin(AccountId(app.account_id()), address).await;
    let Person::Admin(id) = person else { unreachable!("it is an administrator") };
    set_permissions(app, id.0, permissions).await;
    (id.0, Visitor::signed_in(app, person).await)
}

async fn set_permissions(app: &TestApp, id: u64, permissions: &str) -> Value {
    let words: Vec<&str> = permissions.split_whitespace().collect();
    app.admin.put_json(&format!("/api/2/admins/{id}/"), &json!({ "permissions": words })).await.good()
}

/// Fails unless an answer is the error of RFC 6749 with this code, and the API's at once.
#[track_caller]
fn check_error(answer: &Response, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{}", answer.body);
    let value = answer.value();
    assert_eq!((&value["error"], &value["is_error"]), (&json!(code), &json!(true)), "{value}");
    assert!(value["message"].as_str().is_some_and(|text| !text.is_empty()), "{value}");
    assert_eq!(value["message"], value["error_description"]);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}
