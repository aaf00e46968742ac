//! Signing in at a provider of identities (`OpenID` Connect), with a provider of the tests' own on the other side.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use crier::config::OidcProvider;
use crier::model::{AccountId, Person};
use crier::secret::sha256;
use data_encoding::{BASE64, BASE64URL_NOPAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::http::{Response, encode};
use crate::harness::visitor::Visitor;
use crate::harness::{TestApp, dead_addr};

const RUTH: &str = "ruth@example.org";

/// A key pair of a provider.
struct Pair {
    private: EncodingKey,
    public: Value,
}

impl Pair {
    fn new(kid: &str) -> Pair {
        let pair = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
        let private = EncodingKey::from_ec_der(&pair.serialize_der());
        let mut public =
            serde_json::to_value(Jwk::from_encoding_key(&private, Algorithm::ES256).unwrap()).unwrap();
        public["kid"] = json!(kid);
        Pair { private, public }
    }
}

/// What a provider answers.
struct Answers {
    /// The keys that it publishes.
    keys: Vec<Value>,
    /// By which it signs, under this name.
    signs: (EncodingKey, String),
    /// The claims of the next token.
    claims: Value,
    /// What it says of the person beside the token.
    userinfo: Value,
    /// The challenge whose verifier it wants.
    challenge: String,
    /// What it calls itself.
    issuer: String,
    /// The paths that were asked for.
    asked: Vec<String>,
}

/// A provider on a port of this machine.
struct Provider {
    issuer: String,
    answers: Arc<Mutex<Answers>>,
}

impl Provider {
    async fn start() -> Provider {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let Pair { private, public } = Pair::new("one");
        let answers = Arc::new(Mutex::new(Answers {
            keys: vec![public],
            signs: (private, "one".to_owned()),
            claims: Value::Null,
            userinfo: Value::Null,
            challenge: String::new(),
            issuer: issuer.clone(),
            asked: Vec::new(),
        }));
        let shared = Arc::clone(&answers);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Provider { issuer, answers }
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap()
    }

    /// A server at which people sign in by this provider.
    async fn app(&self) -> TestApp {
        let oidc = vec![OidcProvider {
            name: "work".to_owned(),
            issuer: self.issuer.clone(),
            client_id: "lists".to_owned(),
            client_secret: Some("hunter2".to_owned()),
        }];
        TestApp::builder().config(move |config| config.oidc = oidc).start().await
    }
}

/// Reads one request and answers it.
async fn serve(mut stream: TcpStream, answers: Arc<Mutex<Answers>>) {
    let mut request = Vec::new();
    let text = loop {
        let mut part = [0; 4096];
        let count = stream.read(&mut part).await.unwrap_or(0);
        request.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let length = text
            .to_ascii_lowercase()
            .split("content-length: ")
            .nth(1)
            .map_or(0, |rest| rest.split("\r\n").next().unwrap().parse::<usize>().unwrap());
        match text.split_once("\r\n\r\n") {
            Some((_, body)) if length <= body.len() => break text,
            _ if count == 0 => return,
            _ => {}
        }
    };
    let (status, body) = answer(&text, &mut answers.lock().unwrap());
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
}

fn answer(request: &str, answers: &mut Answers) -> (u16, String) {
    let path = request.split(' ').nth(1).unwrap().to_owned();
    answers.asked.push(path.clone());
    let at = |path: &str| format!("{}{path}", answers.issuer);
    let body = match path.as_str() {
        "/.well-known/openid-configuration" => json!({
            "issuer": answers.issuer,
            "authorization_endpoint": at("/authorize"),
            "token_endpoint": at("/token"),
            "jwks_uri": at("/keys"),
            "userinfo_endpoint": at("/userinfo"),
        }),
        "/keys" => json!({"keys": answers.keys}),
        "/token" => {
            let proof = format!("Basic {}", BASE64.encode(b"lists:hunter2"));
            let fields = fields(request.split_once("\r\n\r\n").unwrap().1);
            let challenge = BASE64URL_NOPAD.encode(&sha256(fields["code_verifier"].as_bytes()));
            let is_right =
                request.contains(&proof) && fields["code"] == "right" && challenge == answers.challenge;
            if !is_right {
                return (400, json!({"error": "invalid_grant"}).to_string());
            }
            let header = Header { kid: Some(answers.signs.1.clone()), ..Header::new(Algorithm::ES256) };
            let token = jsonwebtoken::encode(&header, &answers.claims, &answers.signs.0).unwrap();
            json!({"id_token": token, "access_token": "an-access-token", "token_type": "Bearer"})
        }
        "/userinfo" if request.contains("Bearer an-access-token") => answers.userinfo.clone(),
        _ => return (404, "{}".to_owned()),
    };
    (200, body.to_string())
}

/// The fields of a form or a query.
fn fields(text: &str) -> BTreeMap<String, String> {
    let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decode(name), decode(value))).collect()
}

/// An administrator of the account `test`, who signs in at the provider.
async fn ruth(app: &TestApp) -> String {
    let Person::Admin(id) = app.new_admin(AccountId(app.account_id()), RUTH).await else { unreachable!() };
    let path = format!("/api/2/admins/{id}/");
    app.admin.put(&path, &[("authn_provider", "work")]).await.good();
    path
}

/// Begins to sign in; answers what the provider is asked.
async fn begin(visitor: &mut Visitor, provider: &Provider, query: &str) -> BTreeMap<String, String> {
    let answer = visitor.get(&format!("/login/provider/work/{query}")).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let location = answer.header("location").unwrap();
    let asked = location.strip_prefix(&format!("{}/authorize?", provider.issuer));
    let asked = fields(asked.unwrap_or_else(|| panic!("elsewhere: {location}")));
    provider.answers().challenge.clone_from(&asked["code_challenge"]);
    asked
}

/// Comes back with an answer of the provider.
async fn back(visitor: &mut Visitor, asked: &BTreeMap<String, String>, code: &str) -> Response {
    visitor.get(&format!("/login/provider/work/back/?code={code}&state={}", encode(&asked["state"]))).await
}

/// The claims of a token for a person in this moment.
fn claims(app: &TestApp, provider: &Provider, asked: &BTreeMap<String, String>, subject: &str) -> Value {
    let now = app.clock.now().secs();
    json!({
        "iss": provider.issuer, "aud": "lists", "sub": subject, "nonce": asked["nonce"],
        "iat": now, "exp": now + 300, "auth_time": now, "email": RUTH, "email_verified": true,
    })
}

/// Signs somebody in at the provider, who says this of the person beside the usual.
async fn sign_in(app: &TestApp, provider: &Provider, subject: &str, more: Value) -> (Visitor, Response) {
    let mut visitor = Visitor::new(app);
    let asked = begin(&mut visitor, provider, "").await;
    let mut said = claims(app, provider, &asked, subject);
    for (name, value) in more.as_object().into_iter().flatten() {
        said[name] = value.clone();
    }
    provider.answers().claims = said;
    let answer = back(&mut visitor, &asked, "right").await;
    (visitor, answer)
}

/// Fails unless nobody was signed in, and a page says so.
#[track_caller]
fn check_refused((visitor, answer): &(Visitor, Response), status: u16) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert!(answer.body.contains("role=\"alert\"") && answer.body.contains("work"), "{}", answer.body);
    assert_eq!(visitor.cookie("__Host-admin"), None);
}

#[track_caller]
fn check_in((visitor, answer): &(Visitor, Response)) {
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(visitor.cookie("__Host-admin").is_some(), "{answer:?}");
}

#[tokio::test]
async fn the_login_page_leads_to_each_provider_and_signing_in_there_to_the_wanted_page() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    ruth(&app).await;
    let mut visitor = Visitor::new(&app);
    let page = visitor.get("/login/?next=%2Fadmin%2Fme%2F%3Fa%3Db").await;
    assert!(page.body.contains("/login/provider/work/?next=%2Fadmin%2Fme%2F%3Fa%3Db"), "{}", page.body);
    assert_eq!(provider.answers().asked, [""; 0], "nobody is asked before somebody wants to sign in there");
    let asked = begin(&mut visitor, &provider, "?next=%2Fadmin%2Fme%2F%3Fa%3Db").await;
    let expected = [
        ("client_id", "lists"),
        ("response_type", "code"),
        ("scope", "openid email"),
        ("code_challenge_method", "S256"),
        ("redirect_uri", "https://lists.example.org/login/provider/work/back/"),
    ];
    for (name, value) in expected {
        assert_eq!(asked[name], value);
    }
    provider.answers().claims = claims(&app, &provider, &asked, "42");
    let answer = back(&mut visitor, &asked, "right").await;
    assert_eq!(answer.header("location"), Some("/admin/me/?a=b"), "{}", answer.body);
    assert_eq!(visitor.get("/admin/me/").await.status, 200);
    let entry = &app.admin.get("/api/2/audit/?limit=1").await.good()["data"][0];
    assert_eq!((&entry["action"], &entry["actor"]["name"]), (&json!("sign_in"), &json!(RUTH)), "{entry}");
    assert_eq!(visitor.get("/login/provider/nobody/").await.status, 404);
}

#[tokio::test]
async fn the_first_sign_in_by_a_verified_address_binds_the_subject_and_later_ones_need_it() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    let path = ruth(&app).await;
    check_refused(&sign_in(&app, &provider, "42", json!({"email_verified": false})).await, 403);
    check_refused(&sign_in(&app, &provider, "42", json!({"email": "eve@example.org"})).await, 403);
    check_in(&sign_in(&app, &provider, "42", json!({"email": "Ruth@Example.org"})).await);
    // The address may change there, and be somebody else's later.
    check_in(
        &sign_in(&app, &provider, "42", json!({"email": "new@example.org", "email_verified": false})).await,
    );
    check_refused(&sign_in(&app, &provider, "43", json!({})).await, 403);
    // Another provider from now on, or none: then this one is to prove the address again.
    app.admin.put(&path, &[("authn_provider", "")]).await.good();
    check_refused(&sign_in(&app, &provider, "42", json!({})).await, 403);
    app.admin.put(&path, &[("authn_provider", "work")]).await.good();
    check_in(&sign_in(&app, &provider, "43", json!({})).await);
    check_refused(&sign_in(&app, &provider, "42", json!({})).await, 403);
}

#[tokio::test]
async fn an_address_that_the_token_does_not_have_is_asked_for() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    ruth(&app).await;
    let without = json!({"email": null, "email_verified": null});
    provider.answers().userinfo = json!({"sub": "another", "email": RUTH, "email_verified": true});
    check_refused(&sign_in(&app, &provider, "42", without.clone()).await, 400);
    provider.answers().userinfo = json!({"sub": "42", "email": RUTH});
    check_refused(&sign_in(&app, &provider, "42", without.clone()).await, 403);
    provider.answers().userinfo = json!({"sub": "42", "email": RUTH, "email_verified": "true"});
    check_in(&sign_in(&app, &provider, "42", without).await);
}

#[tokio::test]
async fn who_has_no_provider_does_not_come_in_by_one_and_who_has_one_in_no_other_way() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    let path = ruth(&app).await;
    let mut visitor = Visitor::new(&app);
    let page = visitor.get("/login/").await;
    let form = Visitor::form(&page, "/login/", &["password"]);
    let answer = visitor.submit(&form, &[("username", RUTH), ("password", "a horse, of course")]).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let other = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    check_refused(&sign_in(&app, &provider, "43", json!({"email": "eve@example.org"})).await, 403);
    let Person::Admin(other) = other else { unreachable!() };
    let unknown = app.admin.put(&format!("/api/2/admins/{other}/"), &[("authn_provider", "elsewhere")]).await;
    assert_eq!(unknown.status, 400, "{}", unknown.body);
    assert!(unknown.value()["errors"]["authn_provider"].is_string(), "{}", unknown.body);
    assert_eq!(app.admin.get(&path).await.good()["authn_provider"], "work");
    let program = [("api", "2"), ("authn_provider", "work")];
    assert_eq!(app.admin.post("/api/2/admins/", &program).await.status, 400);
    let before = app.sink.mails().len();
    app.admin
        .post("/api/2/admins/", &[("username", "new@example.org"), ("authn_provider", "work")])
        .await
        .good();
    app.settle().await;
    assert_eq!(app.sink.mails().len(), before, "nobody is asked to choose a password that would not count");
}

#[tokio::test]
async fn wrong_answers_sign_nobody_in() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    ruth(&app).await;
    let now = app.clock.now().secs();
    for wrong in [
        json!({"nonce": "another"}),
        json!({"nonce": null}),
        json!({"aud": "another"}),
        json!({"aud": ["lists", "another"]}),
        json!({"azp": "another"}),
        json!({"iss": "https://another.example"}),
        json!({"exp": now - 61}),
        json!({"iat": now - 601}),
        json!({"iat": now + 61}),
        json!({"sub": ""}),
    ] {
        check_refused(&sign_in(&app, &provider, "42", wrong).await, 400);
    }
    // A key that the provider does not have.
    let honest =
        std::mem::replace(&mut provider.answers().signs, (Pair::new("one").private, "one".to_owned()));
    check_refused(&sign_in(&app, &provider, "42", json!({})).await, 400);
    provider.answers().signs = honest;
    let mut visitor = Visitor::new(&app);
    let asked = begin(&mut visitor, &provider, "").await;
    provider.answers().claims = claims(&app, &provider, &asked, "42");
    let refused = back(&mut visitor, &asked, "wrong").await;
    check_refused(&(visitor.clone(), refused), 400);
    let foreign = back(&mut Visitor::new(&app), &asked, "right").await;
    check_refused(&(Visitor::new(&app), foreign), 400);
    let state = encode(&asked["state"]);
    for query in [
        format!("code=right&state={state}&iss=https%3A%2F%2Fanother.example"),
        "code=right&state=x".to_owned(),
        "code=right".to_owned(),
        String::new(),
    ] {
        let answer = visitor.get(&format!("/login/provider/work/back/?{query}")).await;
        check_refused(&(visitor.clone(), answer), 400);
    }
    let denied = visitor.get(&format!("/login/provider/work/back/?error=access_denied&state={state}")).await;
    check_refused(&(visitor.clone(), denied), 403);
    app.clock.advance(Duration::from_mins(30));
    let late = back(&mut visitor, &asked, "right").await;
    check_refused(&(visitor.clone(), late), 400);
    assert!(!app.dump("provider_subject").contains("ProviderSubject {"));
    check_in(&sign_in(&app, &provider, "42", json!({})).await);
}

#[tokio::test]
async fn a_provider_that_changes_its_keys_is_followed() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    ruth(&app).await;
    check_in(&sign_in(&app, &provider, "42", json!({})).await);
    let Pair { private, public } = Pair::new("two");
    {
        let mut answers = provider.answers();
        answers.keys = vec![public];
        answers.signs = (private, "two".to_owned());
    }
    app.clock.advance(Duration::from_mins(1));
    check_in(&sign_in(&app, &provider, "42", json!({})).await);
    let fetched = provider.answers().asked.iter().filter(|path| *path == "/keys").count();
    assert_eq!(fetched, 2, "they are kept in between");
}

#[tokio::test]
async fn a_provider_that_is_down_or_another_is_told_on_a_page() {
    let issuer = format!("http://{}", dead_addr());
    let oidc =
        OidcProvider { name: "work".to_owned(), issuer, client_id: "lists".to_owned(), client_secret: None };
    let app = TestApp::builder().config(move |config| config.oidc = vec![oidc]).start().await;
    let mut visitor = Visitor::new(&app);
    let answer = visitor.get("/login/provider/work/").await;
    check_refused(&(visitor.clone(), answer), 502);
    assert_eq!(visitor.get("/login/").await.status, 200);
    let provider = Provider::start().await;
    let app = provider.app().await;
    provider.answers().issuer = "https://another.example".to_owned();
    let answer = visitor.again(&app).get("/login/provider/work/").await;
    check_refused(&(Visitor::new(&app), answer), 400);
}

#[tokio::test]
async fn who_signs_in_at_a_provider_proves_the_identity_again_there() {
    let provider = Provider::start().await;
    let app = provider.app().await;
    ruth(&app).await;
    let (mut visitor, _) = sign_in(&app, &provider, "42", json!({})).await;
    let first = visitor.cookie("__Host-admin").unwrap().to_owned();
    app.clock.advance(Duration::from_mins(20));
    let answer = visitor.get("/login/again/?next=%2Fadmin%2Fme%2F").await;
    let location = answer.header("location").unwrap();
    let query = location.strip_prefix("/login/provider/work/").unwrap();
    let asked = begin(&mut visitor, &provider, query).await;
    assert_eq!((asked["prompt"].as_str(), asked["max_age"].as_str()), ("login", "0"));
    let mut said = claims(&app, &provider, &asked, "42");
    said["auth_time"] = json!(app.clock.now().secs() - 1200);
    provider.answers().claims = said.clone();
    assert_eq!(back(&mut visitor, &asked, "right").await.status, 400, "an old proof is none");
    said["auth_time"] = json!(app.clock.now().secs());
    provider.answers().claims = said;
    let answer = back(&mut visitor, &asked, "right").await;
    assert_eq!(answer.header("location"), Some("/admin/me/"), "{}", answer.body);
    let second = visitor.cookie("__Host-admin").unwrap();
    assert_eq!(app.session(second).unwrap().proven, app.clock.now());
    assert!(app.session(&first).is_none(), "a browser has one session");
}
