//! Every page of the table: who may open it, what it needs, what it never does.

use std::collections::BTreeSet;

use axum::http::Method;
use axum::response::IntoResponse as _;
use crier::http::bodies::Bodies;
use crier::model::{AccountId, Language, Person};
use crier::ops::sessions::Stay;
use crier::web::page::{Authority, Page, Verb};
use crier::web::table::{Route, pages};
use crier::web::{PageError, csrf_token, keys_path, router_of, style_path};
use serde_json::json;
use tower::ServiceExt as _;

use crate::harness::http::{Client, Response};
use crate::harness::{DOMAIN, TestApp};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// A visitor of the server's own host.
fn anon(app: &TestApp) -> Client {
    app.anon.at_host(DOMAIN)
}

/// The people of a server with two accounts, each with the token of a session.
struct People {
    member: String,
    admin: String,
    other_member: String,
    other_admin: String,
    /// An administrator of the server.
    server: String,
}

impl People {
    async fn sign_in(app: &TestApp) -> People {
        let here = AccountId(app.account_id());
        let global = app.global().await;
        let account =
            json!({"name": "other", "domain": "other.example.org", "administrator": "eve@example.org"});
        let other = global.post_json("/api/2/accounts/", &account).await.good()["id"].as_u64().unwrap();
        let people = [(here, "ada@example.org"), (AccountId(other), "cy@example.org")];
        let mut tokens = Vec::new();
        for (account, address) in people {
            let member = app.new_member(account, address).await;
            tokens.push(app.sign_in_to(account, member, Stay::Usual).await);
            let admin = app.new_admin(account, &format!("admin-{address}")).await;
            let Person::Admin(id) = admin else { panic!("an administrator") };
            let path = format!("/api/2/admins/{id}/?account_id={account}");
            global.put_json(&path, &json!({"permissions": ["account_admin"]})).await.good();
            tokens.push(app.sign_in_to(account, admin, Stay::Usual).await);
        }
        let [member, admin, other_member, other_admin] = tokens.try_into().unwrap();
        let server = app.new_server_admin("root@example.org").await;
        let server = app.sign_in_to(AccountId::SERVER, server, Stay::Usual).await;
        People { member, admin, other_member, other_admin, server }
    }

    /// The token of whoever may open a page.
    fn right(&self, page: &Page) -> &str {
        match page.authority {
            Authority::Link => "",
            Authority::Anyone | Authority::Member => &self.member,
            Authority::ServerAdministrator => &self.server,
            _ => &self.admin,
        }
    }
}

/// The cookies that show a token as a member's and as an administrator's.
fn as_member(token: &str) -> String {
    format!("__Host-member={token}")
}

fn as_admin(token: &str) -> String {
    format!("__Host-admin={token}")
}

fn cookie_of(page: &Page, token: &str) -> String {
    if page.authority.is_administrators() { as_admin(token) } else { as_member(token) }
}

/// A path of the page; its variable parts are made up. Below the account's root, since several live here.
fn path_of(page: &Page) -> String {
    let parts = page.path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
    let path = parts.collect::<Vec<_>>().join("/");
    if path.starts_with("/assets/") { path } else { format!("/~test{path}") }
}

async fn ask(app: &TestApp, page: &Page, cookies: &str, body: &str) -> Response {
    let mut headers = vec![("Cookie", cookies)];
    if page.verb != Verb::Show {
        headers.push(FORM);
    }
    anon(app).request(page.verb.method().as_str(), &path_of(page), &headers, body.as_bytes()).await
}

/// What every page is, errors too.
#[track_caller]
fn check_page(page: &Response, status: u16) {
    assert_eq!(page.status, status, "{}", page.body);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("strict-transport-security"), Some("max-age=31536000"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
    // Some pages of administrators have the one script; every other page has none.
    let script = format!("<script src=\"{}\" defer></script>", keys_path());
    let has_script = page.body.contains(&script);
    assert_eq!(has_script, policy.contains("script-src 'self'"), "{policy}");
    let body = page.body.replace(&script, "");
    for word in ["<script", "style=", "src=", "=\"http", "url("] {
        assert!(!body.contains(word), "{word} in {body}");
    }
    assert_eq!(page.body.matches("<h1>").count(), 1, "{}", page.body);
    for part in ["<main id=\"main\"", "<footer", "<html lang=\"", style_path()] {
        assert!(page.body.contains(part), "{part} is not in {}", page.body);
    }
    let id = page.header("x-request-id").expect("every page has a request id");
    let is_error = page.body.contains("class=\"meta\">Error");
    assert_eq!(is_error, page.body.contains(id), "an error names its request: {}", page.body);
    assert_eq!(is_error || page.body.contains("role=\"alert\""), 400 <= status, "{}", page.body);
}

fn sessions_kept(app: &TestApp) -> usize {
    app.dump("session").matches("Session {").count()
}

#[tokio::test]
async fn no_page_opens_for_the_wrong_person() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    let before = sessions_kept(&app);
    for page in pages() {
        let wrong = match page.authority {
            // Assets of another name, and forged links.
            Authority::Anyone if page.path.contains('{') => vec![String::new()],
            Authority::Anyone => continue,
            Authority::Link => vec![String::new(), as_member(&people.member), as_admin(&people.admin)],
            Authority::Member => vec![
                String::new(),
                as_member("x"),
                as_member(&people.admin),
                as_admin(&people.admin),
                as_member(&people.other_member),
            ],
            _ => vec![
                String::new(),
                as_admin("x"),
                as_admin(&people.member),
                as_member(&people.member),
                as_admin(&people.other_admin),
            ],
        };
        let status = match page.authority {
            // Whoever sends a form, its token is looked at first.
            Authority::Anyone if page.verb == Verb::Act => 403,
            Authority::Anyone | Authority::Link => 404,
            // They sign in first, and come back.
            _ => 303,
        };
        for cookies in wrong {
            for body in
                ["", "action=signout-all", &format!("action=signout&csrf={}", csrf_token(&people.member))]
            {
                let answer = ask(&app, page, &cookies, body).await;
                if status == 303 {
                    let leads_to = answer.header("location").unwrap_or_default();
                    let sign_in = page.authority.sign_in_path().unwrap();
                    assert!(leads_to.starts_with(&format!("/~test{sign_in}?next=")), "{answer:?}");
                    assert_eq!(answer.status, status);
                } else {
                    check_page(&answer, status);
                }
            }
        }
    }
    assert_eq!(sessions_kept(&app), before, "nothing happened");
}

#[tokio::test]
async fn no_form_acts_without_the_token_of_its_browser() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    let before = sessions_kept(&app);
    for page in pages().filter(|page| page.verb == Verb::Act) {
        let cookies = cookie_of(page, people.right(page));
        for foreign in ["", "csrf=", "csrf=x", &format!("csrf={}", csrf_token(&people.other_member))] {
            for action in ["signout-all", "signout", ""] {
                let answer = ask(&app, page, &cookies, &format!("{foreign}&action={action}")).await;
                check_page(&answer, 403);
            }
        }
        let right = format!("csrf={}", csrf_token(people.right(page)));
        let answer = ask(&app, page, &cookies, &right).await;
        if page.path.contains('{') {
            // The list of the path is made up.
            check_page(&answer, 404);
            continue;
        }
        check_page(&answer, 400);
        assert!(answer.body.contains("role=\"alert\""), "a form without a button says so: {}", answer.body);
    }
    assert_eq!(sessions_kept(&app), before, "nothing happened");
}

#[tokio::test]
async fn every_page_takes_its_own_methods_alone() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    for page in pages() {
        let rows: Vec<&Page> = pages().filter(|other| other.path == page.path).collect();
        let mut taken: BTreeSet<&str> = BTreeSet::new();
        for row in rows {
            taken.extend(if row.verb == Verb::Show { vec!["GET", "HEAD"] } else { vec!["POST"] });
        }
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            let cookies = format!("{}; {}", as_member(&people.member), as_admin(&people.admin));
            let headers = [("Cookie", cookies.as_str()), FORM];
            let answer = anon(&app).request(method, &path_of(page), &headers, b"").await;
            assert_eq!(answer.status == 405, !taken.contains(method), "{method} {}", page.path);
            if answer.status == 405 {
                check_page(&answer, 405);
                let allowed: BTreeSet<&str> = answer.header("allow").unwrap().split(", ").collect();
                assert_eq!(allowed, taken, "{}", page.path);
            }
            if method == "HEAD" {
                assert_eq!(answer.body, "");
            }
        }
    }
}

#[tokio::test]
async fn every_form_is_read_in_the_types_that_browsers_send_alone() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    for page in pages().filter(|page| page.verb != Verb::Show) {
        let cookies = cookie_of(page, people.right(page));
        for kind in ["application/json", "text/plain", "message/rfc822"] {
            let headers = [("Cookie", cookies.as_str()), ("Content-Type", kind)];
            check_page(&anon(&app).request("POST", &path_of(page), &headers, b"{}").await, 415);
        }
        let large = "x".repeat(page.form_bytes_max + 4000);
        check_page(&ask(&app, page, &cookies, &large).await, 413);
        let many = "a=1&".repeat(1001);
        check_page(&ask(&app, page, &cookies, &many).await, 400);
    }
}

#[tokio::test]
async fn who_asks_for_no_language_gets_that_of_the_account() {
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.language = Language::German).await;
    let shown = anon(&app).get("/").await;
    assert!(shown.body.contains("<html lang=\"de\">"), "{}", shown.body);
    let french = anon(&app).request("GET", "/", &[("Accept-Language", "fr")], b"").await;
    assert!(french.body.contains("<html lang=\"fr\">"), "{}", french.body);
}

#[tokio::test]
async fn every_page_and_error_comes_in_every_language() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    // Files are in no language.
    let is_file = |page: &Page| {
        ["assets", "download", "robots", "admin-person-export", "admin-import-refused"].contains(&page.name)
    };
    for page in pages().filter(|page| page.verb == Verb::Show && !is_file(page)) {
        let cookies = cookie_of(page, people.right(page));
        let mut bodies = BTreeSet::new();
        for language in Language::ALL {
            let tag = language.word();
            let path = format!("{}?lang={tag}", path_of(page));
            let shown = anon(&app).request("GET", &path, &[("Cookie", cookies.as_str())], b"").await;
            assert!(shown.body.contains(&format!("<html lang=\"{tag}\">")), "{}", shown.body);
            let kept = shown.headers.iter().find(|(_, value)| value.starts_with("__Host-lang="));
            let (_, kept) = kept.expect("the choice is kept");
            assert!(kept.contains("; HttpOnly; SameSite=Lax; Secure; Max-Age="), "{kept}");
            let choice = kept.split(';').next().unwrap();
            let later = format!("{cookies}; {choice}");
            let headers = [("Cookie", later.as_str()), ("Accept-Language", "en")];
            let again = anon(&app).request("GET", &path_of(page), &headers, b"").await;
            assert!(again.body.contains(&format!("<html lang=\"{tag}\">")), "{}", again.body);
            let headers = [("Cookie", cookies.as_str()), ("Accept-Language", tag)];
            let accepted = anon(&app).request("GET", &path_of(page), &headers, b"").await;
            assert!(accepted.body.contains(&format!("<html lang=\"{tag}\">")), "{}", accepted.body);
            assert!(!accepted.headers.iter().any(|(name, _)| name == "set-cookie"), "nothing was chosen");
            let main = shown.body.split("<main").nth(1).unwrap().split("</main>").next().unwrap().to_owned();
            bodies.insert(main);
        }
        assert_eq!(bodies.len(), Language::ALL.len(), "{} is not translated", page.path);
    }
}

#[tokio::test]
async fn unknown_paths_and_hosts_have_pages_too() {
    let app = TestApp::start().await;
    let people = People::sign_in(&app).await;
    for path in ["/nothing/", "/unsubscribe/", "/%ff/", "/~test/nothing/", "/~nobody/", "/assets/x/y"] {
        check_page(&anon(&app).get(path).await, 404);
        check_page(&anon(&app).post(path, &[("a", "1")]).await, 404);
    }
    check_page(&anon(&app).get("/unsubscribe/%ff/").await, 404);
    let request = b"GET / HTTP/1.1\r\nHost: nobody.example.net\r\nConnection: close\r\n\r\n";
    check_page(&anon(&app).raw(request).await, 404);
    let cookies = as_member(&people.member);
    let shown = anon(&app).request("GET", "/~test/nothing/", &[("Cookie", &cookies)], b"").await;
    assert!(shown.body.contains("value=\"signout\""), "an error knows who is signed in: {}", shown.body);
}

#[tokio::test]
async fn the_stylesheet_is_kept_for_good_under_a_name_of_its_content() {
    let app = TestApp::start().await;
    let style = anon(&app).get(style_path()).await;
    assert_eq!(style.status, 200);
    assert_eq!(style.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(style.header("content-type"), Some("text/css; charset=utf-8"));
    for part in ["prefers-color-scheme: dark", "@media print", ":focus-visible"] {
        assert!(style.body.contains(part), "{part}");
    }
    assert!(!style.body.contains("url(") && !style.body.contains("@import"));
    check_page(&anon(&app).get("/assets/style-0.css").await, 404);
}

fn explode() -> PageError {
    panic!("as the test wants")
}

/// Pages that no server has: what the table may hold later.
static EXTRA: &[Route] = &[
    Route::show("panic", "/panic/", Authority::Anyone, |_| Box::pin(async { Err(explode()) })),
    Route::show("form", "/form/", Authority::Anyone, |_| Box::pin(async { Ok("a form".into_response()) })),
    Route::act("form", "/form/", Authority::Anyone, |_| Box::pin(async { Ok("sent".into_response()) })),
    Route::show("members", "/members/", Authority::Anyone, |_| {
        Box::pin(async { Ok("come in".into_response()) })
    }),
    Route::show("inside", "/members/inside/", Authority::Member, |_| {
        Box::pin(async { Ok("inside".into_response()) })
    }),
];

/// Asks a server that has the extra pages alone.
async fn ask_extra(
    app: &TestApp,
    method: Method,
    path: &str,
    cookies: &str,
    body: &str,
) -> (u16, Vec<String>, String) {
    let core = app.core();
    let router = router_of(core.clone(), Bodies::new(&core.config.http), EXTRA);
    let request = axum::http::Request::builder().method(method).uri(path).header("Host", DOMAIN);
    let request = request.header("Cookie", cookies).body(axum::body::Body::from(body.to_owned())).unwrap();
    let answer = router.oneshot(request).await.unwrap();
    let fields =
        ["set-cookie", "location"].map(|name| answer.headers().get_all(name).into_iter().collect::<Vec<_>>());
    let fields = fields.concat().into_iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, fields, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_panic_of_a_handler_is_a_page() {
    let app = TestApp::start().await;
    let (status, _, body) = ask_extra(&app, Method::GET, "/panic/", "", "").await;
    assert_eq!(status, 500);
    assert!(body.contains("Something went wrong here") && !body.contains("as the test wants"), "{body}");
    assert_eq!(ask_extra(&app, Method::GET, "/form/", "", "").await.0, 200, "the next one is answered");
}

#[tokio::test]
async fn forms_of_visitors_carry_a_token_that_belongs_to_a_cookie() {
    let app = TestApp::start().await;
    let shown = anon(&app).get("/members/").await;
    let cookies: Vec<_> = shown.headers.iter().filter(|(name, _)| name == "set-cookie").collect();
    let [(_, cookie)] = cookies.as_slice() else { panic!("one cookie is set: {cookies:?}") };
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    let token = csrf_token(cookie.strip_prefix("__Host-visit=").unwrap());
    let sent =
        async |cookies: &str, body: String| ask_extra(&app, Method::POST, "/form/", cookies, &body).await.0;
    assert_eq!(sent(cookie, format!("csrf={token}")).await, 200);
    assert_eq!(sent(cookie, String::new()).await, 403);
    assert_eq!(sent("", format!("csrf={token}")).await, 403);
    assert_eq!(sent("__Host-visit=x", format!("csrf={}", csrf_token("x"))).await, 403);
    assert_eq!(anon(&app).get("/").await.header("set-cookie"), None, "a page without a form sets none");
    assert!(shown.body.contains(&token), "the form has the token");
}

#[tokio::test]
async fn signing_in_leads_back_to_the_page_that_required_it() {
    let app = TestApp::start().await;
    let (status, fields, _) = ask_extra(&app, Method::GET, "/members/inside/?a=b&c", "", "").await;
    assert_eq!((status, fields), (303, vec!["/members/?next=%2Fmembers%2Finside%2F%3Fa%3Db%26c".to_owned()]));
    let ada = app.new_member(AccountId(app.account_id()), "ada@example.org").await;
    let cookies = as_member(&app.sign_in(ada).await);
    let (status, _, body) = ask_extra(&app, Method::GET, "/members/inside/", &cookies, "").await;
    assert_eq!((status, body.as_str()), (200, "inside"));
}

/// The sessions of Ada, as her page shows them.
async fn devices(app: &TestApp, token: &str) -> Response {
    let browser = "Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0";
    let headers = [("Cookie", as_member(token)), ("User-Agent", browser.to_owned())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    anon(app).request("GET", "/members/devices/", &headers, b"").await
}

async fn press(app: &TestApp, token: &str, fields: &str) -> Response {
    let body = format!("csrf={}&{fields}", csrf_token(token));
    let cookies = as_member(token);
    anon(app).request("POST", "/members/devices/", &[("Cookie", &cookies), FORM], body.as_bytes()).await
}

#[tokio::test]
async fn a_person_sees_its_devices_and_ends_them_one_by_one_or_all() {
    let app = TestApp::start().await;
    let here = AccountId(app.account_id());
    let (ada, bob) =
        (app.new_member(here, "ada@example.org").await, app.new_member(here, "bob@example.org").await);
    let (phone, laptop, of_bob) = (app.sign_in(ada).await, app.sign_in(ada).await, app.sign_in(bob).await);
    let shown = devices(&app, &phone).await;
    check_page(&shown, 200);
    // What the browser says of itself, and from where it comes, is noted.
    for part in ["Firefox, Android", "Firefox, Linux", "127.0.0.1"] {
        assert!(shown.body.contains(part), "{part} is not in {}", shown.body);
    }
    assert_eq!(shown.body.matches("value=\"revoke\"").count(), 1, "this one, and one other");

    let id = |token: &str| app.session(token).unwrap().id.to_string();
    let answer = press(&app, &phone, &format!("action=revoke&id={}", id(&of_bob))).await;
    check_page(&answer, 404);
    check_page(&press(&app, &phone, "action=revoke&id=x").await, 400);
    assert!(app.session(&of_bob).is_some());
    let answer = press(&app, &phone, &format!("action=revoke&id={}", id(&laptop))).await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/members/devices/?done=revoke")));
    assert!(app.session(&laptop).is_none() && app.session(&phone).is_some());

    let laptop = app.sign_in(ada).await;
    let answer = press(&app, &phone, "action=signout").await;
    assert_eq!((answer.status, answer.header("location")), (303, Some("/?done=signout")));
    assert!(answer.header("set-cookie").unwrap().starts_with("__Host-member=; Path=/;"), "{answer:?}");
    assert!(anon(&app).get("/?done=signout").await.body.contains("role=\"status\""));
    assert!(app.session(&phone).is_none() && app.session(&laptop).is_some());
    assert_eq!(devices(&app, &phone).await.status, 303, "it signs in again");

    let tablet = app.sign_in(ada).await;
    assert_eq!(press(&app, &tablet, "action=signout-all").await.status, 303);
    assert!(
        app.session(&laptop).is_none() && app.session(&tablet).is_none() && app.session(&of_bob).is_some()
    );
}

#[tokio::test]
async fn the_token_of_one_persons_form_is_no_good_for_another() {
    let app = TestApp::start().await;
    let ada = app.new_member(AccountId(app.account_id()), "ada@example.org").await;
    let (first, second) = (app.sign_in(ada).await, app.sign_in(ada).await);
    let body = format!("csrf={}&action=signout-all", csrf_token(&first));
    let cookies = as_member(&second);
    let answer =
        anon(&app).request("POST", "/members/devices/", &[("Cookie", &cookies), FORM], body.as_bytes()).await;
    check_page(&answer, 403);
    assert!(app.session(&first).is_some() && app.session(&second).is_some());
}

#[tokio::test]
async fn plain_http_on_loopback_has_cookies_without_the_prefix() {
    let app = TestApp::builder().config(|config| config.base_url = None).start().await;
    let ada = app.new_member(AccountId(app.account_id()), "ada@example.org").await;
    let token = app.sign_in(ada).await;
    for (cookies, status) in [(format!("member={token}"), 200), (as_member(&token), 303)] {
        let shown =
            anon(&app).request("GET", "/members/devices/?lang=de", &[("Cookie", &cookies)], b"").await;
        assert_eq!(shown.status, status);
        assert!(
            shown
                .header("set-cookie")
                .unwrap()
                .starts_with("lang=de; Path=/; HttpOnly; SameSite=Lax; Max-Age=")
        );
        assert_eq!(shown.header("strict-transport-security"), None);
    }
}

#[tokio::test]
async fn a_path_without_its_slash_leads_to_the_page_by_every_method() {
    let app = TestApp::start().await;
    app.other_account().await;
    for page in pages().filter(|page| page.path.ends_with('/') && page.path != "/") {
        let path = path_of(page);
        let bare = path.trim_end_matches('/');
        let method = page.verb.method();
        let moved = anon(&app).request(method.as_str(), &format!("{bare}?lang=de"), &[FORM], b"a=b").await;
        let location = format!("{path}?lang=de");
        assert_eq!((moved.status, moved.header("location")), (308, Some(location.as_str())), "{bare}");
        assert!(moved.header("x-request-id").is_some() && moved.header("content-security-policy").is_some());
    }
}

#[tokio::test]
async fn the_icon_is_at_every_host() {
    let app = TestApp::start().await;
    for host in [DOMAIN, "unknown.example"] {
        let icon = app.anon.at_host(host).get("/favicon.ico").await;
        assert_eq!((icon.status, icon.header("content-type")), (200, Some("image/x-icon")), "{host}");
    }
}

#[tokio::test]
async fn an_address_with_bytes_that_none_may_have_is_answered_with_a_page() {
    let app = TestApp::start().await;
    for path in [&b"/lists/\xff/"[..], b"/lists/<a>/", b"/lists/a b/", b"/lists/\x01/"] {
        let mut request = b"GET ".to_vec();
        request.extend(path);
        request.extend(b" HTTP/1.1\r\nHost: lists.example.org\r\nConnection: close\r\n\r\n");
        let answer = app.anon.raw(&request).await;
        assert_eq!((answer.status, answer.header("content-type")), (400, Some("text/html; charset=utf-8")));
        let id = answer.header("x-request-id").unwrap();
        assert!(answer.body.contains("<h1>This address cannot be read</h1>"), "{}", answer.body);
        assert!(answer.body.contains(id) && answer.header("content-security-policy").is_some());
    }
}
