//! The general rules, over all routes: one table of paths and methods, one test a rule.

use crier::model::Permission;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::contract::document;
use crate::harness::http::{Client, Response};

/// Every path that needs a key, as the description has it, and the methods that it takes.
pub(super) fn routes() -> Vec<(String, Vec<String>)> {
    let public = ["/api/2/", "/api/2/openapi.json", "/api/2/docs/"];
    let paths = document()["paths"].as_object().expect("paths are an object");
    // What applications ask speaks another language (`tests/it/oauth`).
    let is_of_keys = |path: &str| !public.contains(&path) && !path.starts_with("/api/2/oauth/");
    let paths = paths.iter().filter(|(path, _)| is_of_keys(path));
    let methods_of = |methods: &Value| {
        let methods = methods.as_object().expect("methods are an object").keys();
        methods.map(|method| method.to_ascii_uppercase()).collect()
    };
    paths.map(|(path, methods)| (path.clone(), methods_of(methods))).collect()
}

/// A path of the description, with the object of its kind in the place of its parameter.
fn fill(path: &str, objects: &[(&str, String)]) -> String {
    let mut filled: Vec<&str> = Vec::new();
    for part in path.split('/') {
        let Some(kind) = part.starts_with('{').then(|| filled.last().copied().unwrap_or_default()) else {
            filled.push(part);
            continue;
        };
        let object = objects.iter().find(|(name, _)| *name == kind);
        filled.push(&object.unwrap_or_else(|| panic!("this test makes no object of {kind}")).1);
    }
    filled.join("/")
}

/// Who has administrators of its own: everybody who asks.
const AUDIT: &str = "/api/2/audit/";
/// Each account has those of its own administrators.
const EVENTS: &str = "/api/2/events/";
const WEBHOOKS: &str = "/api/2/webhooks/";
const ADMINS: &str = "/api/2/admins/";
/// What global keys alone list, make and delete.
const ACCOUNTS: &str = "/api/2/accounts/";
/// What takes an array of objects, and nothing else.
const BATCH: &str = "/api/2/contacts/batch/";
/// What is no object: everything of one kind.
fn is_collection(path: &str) -> bool {
    path == BATCH || path.matches('/').count() == 4
}

/// Whether a method is among those that a path takes.
fn takes(methods: &[String], method: &str) -> bool {
    methods.iter().any(|taken| taken == method)
}

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];

/// A server with an object of each kind, and every route as the path of such an object.
struct Full {
    app: TestApp,
    global: Client,
    routes: Vec<(String, Vec<String>)>,
}

impl Full {
    async fn start() -> Full {
        let app = TestApp::start().await;
        app.list("news").member("a@x.org").create().await;
        let message = [("list", "news"), ("content_plain", "x")];
        let message = app.admin.post("/api/2/messages/", &message).await.good()["id"].to_string();
        let contact = app.admin.get("/api/2/contacts/").await.good()["data"][0].clone();
        let own = app.admin.get("/api/2/admins/").await.good()["data"][0]["id"].to_string();
        app.admin.post("/api/2/aliases/", &[("source", "sales"), ("destination", "a@x.org")]).await.good();
        app.send_mail("eve@x.org", "news@lists.example.org", "From: eve@x.org\n\nhi\n").await;
        let held = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].to_string();
        app.change_account(|account| account.settings.require_list_approval = true).await;
        let maker = app.key_with([Permission::ManageSettings]).await;
        maker.post("/api/2/lists/", &[("name", "wanted")]).await.good();
        let pending = app.admin.get("/api/2/pending/").await.good()["data"][0]["id"].to_string();
        let hook = [("url", "https://example.org/"), ("active", "0")];
        let hook = app.admin.post("/api/2/webhooks/", &hook).await.good()["id"].to_string();
        let objects = [
            ("webhooks", hook),
            ("admins", own),
            ("accounts", app.account_id().to_string()),
            ("contacts", contact["id"].to_string()),
            ("emails", contact["emails"][0]["id"].to_string()),
            ("membership", contact["lists"][0]["id"].to_string()),
            ("lists", "news".to_owned()),
            ("messages", message),
            ("aliases", "sales".to_owned()),
            ("held", held),
            ("pending", pending),
        ];
        let routes = routes().into_iter().map(|(path, methods)| (fill(&path, &objects), methods)).collect();
        app.settle().await;
        let global = app.global().await;
        Full { app, global, routes }
    }

    /// Somebody who may read this path.
    fn reader(&self, path: &str) -> &Client {
        if path == ACCOUNTS { &self.global } else { &self.app.admin }
    }

    /// Every route with every method it takes; the ones that change nothing come first.
    fn calls(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let of = |method| self.routes.iter().filter(move |(_, methods)| takes(methods, method));
        ["GET", "POST", "PUT", "DELETE"]
            .into_iter()
            .flat_map(move |method| of(method).map(move |(path, _)| (method, path.as_str())))
    }
}

/// A call without parameters: of a batch, without rows.
async fn call(client: &Client, method: &str, path: &str) -> Response {
    if path == BATCH {
        return client.request(method, path, &[("Content-Type", "application/json")], b"[]").await;
    }
    client.request(method, path, &[], b"").await
}

/// Passes a success, which need not be JSON.
#[track_caller]
fn passes(response: &Response) {
    assert_eq!(response.status, 200, "{}", response.body);
}

#[tokio::test]
async fn without_a_key_nothing_is_answered() {
    let full = Full::start().await;
    let anon = &full.app.anon;
    let wrong = ["Bearer 00000000000000000000000000000000", "Basic eDo=", "Digest x", "Bearer", "Basic %%"];
    for (method, path) in full.calls() {
        let response = call(anon, method, path).await;
        let error = response.error(401, "Authentication failed");
        assert_eq!(error, json!({"is_error": true, "message": "Authentication failed"}));
        assert!(response.header("www-authenticate").is_some(), "{method} {path}");
        for authorization in wrong {
            let client = anon.with_authorization(authorization);
            call(&client, method, path).await.error(401, "Authentication failed");
        }
        // An address may only fail so often.
        full.app.clock.advance(std::time::Duration::from_mins(1));
    }
}

#[tokio::test]
async fn a_key_is_taken_as_bearer_and_as_the_user_of_basic() {
    let full = Full::start().await;
    let key = full.app.key_text().await;
    full.app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.good();
    for pair in [format!("{key}:"), format!("{key}:anything"), key] {
        let basic = format!("Basic {}", data_encoding::BASE64.encode(pair.as_bytes()));
        full.app.anon.with_authorization(&basic).get("/api/2/lists/").await.good();
    }
}

#[tokio::test]
async fn a_key_stops_working_when_it_expires() {
    let app = TestApp::start().await;
    let client = app.expiring_key().await;
    client.get("/api/2/lists/").await.good();
    app.advance(std::time::Duration::from_secs(3599)).await;
    client.get("/api/2/lists/").await.good();
    app.advance(std::time::Duration::from_secs(1)).await;
    client.get("/api/2/lists/").await.error(401, "Authentication failed");
}

#[tokio::test]
async fn calls_without_their_permission_are_forbidden() {
    let full = Full::start().await;
    let none = full.app.key_with([]).await;
    let reader = full.app.key_with([Permission::ApproveMessages]).await;
    for (method, path) in full.calls() {
        if (method, path) == ("GET", ADMINS) || method == "GET" && path.starts_with(ACCOUNTS) {
            // Oneself, and one's own account.
            let status = if path == ACCOUNTS { 403 } else { 200 };
            assert_eq!(call(&none, method, path).await.status, status);
            continue;
        }
        if path.starts_with(ACCOUNTS) && method != "PUT" {
            call(&none, method, path).await.error(403, "global key");
            continue;
        }
        call(&none, method, path).await.error(403, "permission");
        if path.starts_with(ADMINS) || path.starts_with(WEBHOOKS) || path == AUDIT {
            call(&reader, method, path).await.error(403, "account_admin");
        } else if method == "GET" {
            passes(&call(&reader, method, path).await);
        } else if !["messages/", "held/", "lists/news/simulate/"].iter().any(|kind| path.contains(kind)) {
            call(&reader, method, path).await.error(403, "permission");
        }
    }
    for (permission, path) in [
        (Permission::ManageMembers, "/api/2/contacts/"),
        (Permission::ManageMembers, "/api/2/emails/"),
        (Permission::ManageMembers, "/api/2/membership/"),
        (Permission::ManageSettings, "/api/2/lists/"),
        (Permission::SendMessages, "/api/2/messages/"),
        (Permission::AccountAdmin, ADMINS),
    ] {
        let client = full.app.key_with([permission]).await;
        assert_eq!(call(&client, "POST", path).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn an_account_sees_nothing_of_another() {
    let full = Full::start().await;
    let other = full.app.other_account().await;
    for (method, path) in full.calls() {
        let is_object = !is_collection(path);
        if path.starts_with(ACCOUNTS) && (path == ACCOUNTS || method == "DELETE") {
            call(&other, method, path).await.error(403, "global key");
        } else if is_object {
            call(&other, method, path).await.error(404, "no such");
        } else if (method, path) == ("GET", ADMINS) {
            assert_eq!(call(&other, method, path).await.good()["count"], 1, "its own");
        } else if method == "GET" && path != EVENTS {
            let listing = call(&other, method, path).await.good();
            assert_eq!((&listing["data"], &listing["count"]), (&json!([]), &json!(0)), "{path}");
        }
    }
    // The same names and addresses are free there.
    other.post("/api/2/lists/", &[("name", "news")]).await.good();
    other.post("/api/2/contacts/", &[("emails", "a@x.org"), ("lists", "news")]).await.good();
    let contact = full.app.admin.get("/api/2/contacts/").await.good()["data"][0]["id"].to_string();
    other.post("/api/2/membership/", &[("contact", &contact), ("list", "news")]).await.error(400, "contact");
}

#[tokio::test]
async fn a_global_key_names_the_account() {
    let full = Full::start().await;
    let global = full.app.global().await;
    let id = full.app.account_id();
    for (path, _) in full.routes.iter().filter(|(_, methods)| takes(methods, "GET")) {
        if path.starts_with(ADMINS) || path.starts_with(ACCOUNTS) {
            // The whole server has administrators too, and accounts.
            let status = if path.starts_with(ACCOUNTS) || path == ADMINS { 200 } else { 404 };
            assert_eq!(global.get(path).await.status, status);
        } else if path == AUDIT {
            // So does the whole server have a log.
            assert_eq!(global.get(path).await.status, 200);
        } else {
            global.get(path).await.error(400, "account_id");
        }
        global.get(&format!("{path}?account_id=x")).await.error(400, "account_id");
        global.get(&format!("{path}?account_id=999")).await.error(404, "account");
        let response = global.get(&format!("{path}?account_id={id}")).await;
        passes(&response);
        assert_eq!(response.header("x-ignored-parameters"), None);
        passes(&full.reader(path).get(&format!("{path}?account_id={id}")).await);
        full.app.admin.get(&format!("{path}?account_id=999")).await.error(403, "another account");
    }
}

#[tokio::test]
async fn a_path_without_its_slash_is_redirected_with_its_query() {
    let full = Full::start().await;
    for (path, _) in &full.routes {
        let response = full.app.anon.get(&format!("{}?a=b&c", path.trim_end_matches('/'))).await;
        assert_eq!(response.status, 308, "{path}");
        assert_eq!(response.header("location"), Some(format!("{path}?a=b&c").as_str()));
    }
}

#[tokio::test]
async fn a_path_that_is_not_there_is_json_too() {
    let app = TestApp::start().await;
    for path in ["/api", "/api/", "/api/2/nothing/", "/api/2/nothing", "/api/1/lists/", "/api/2/lists//"] {
        app.admin.get(path).await.error(404, "nothing");
        app.anon.post(path, &[("a", "b")]).await.error(404, "nothing");
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_take_is_refused_with_those_it_does() {
    let full = Full::start().await;
    for (path, methods) in &full.routes {
        for method in METHODS.iter().filter(|method| !takes(methods, method)) {
            let response = call(&full.app.anon, method, path).await;
            assert_eq!(response.status, 405, "{method} {path}");
            let mut allowed: Vec<&str> = response.header("allow").unwrap().split(", ").collect();
            let mut expected: Vec<&str> = methods.iter().map(String::as_str).collect();
            allowed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(allowed, expected, "{path}");
            if *method != "HEAD" {
                response.error(405, "takes");
            }
        }
    }
}

#[tokio::test]
async fn head_answers_as_get_without_the_body() {
    let full = Full::start().await;
    for (path, _) in full.routes.iter().filter(|(_, methods)| takes(methods, "HEAD")) {
        let (get, head) = (full.reader(path).get(path).await, call(full.reader(path), "HEAD", path).await);
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("content-length"), get.header("content-length"));
    }
}

/// POST and PUT to every path that takes them, of one object.
async fn with_body(full: &Full, client: &Client, kind: &str, body: &[u8], status: u16, text: &str) {
    for (path, methods) in full.routes.iter().filter(|(path, _)| path != BATCH) {
        for method in methods.iter().filter(|method| ["POST", "PUT"].contains(&method.as_str())) {
            client.request(method, path, &[("Content-Type", kind)], body).await.error(status, text);
        }
    }
}

#[tokio::test]
async fn a_broken_body_is_refused_before_anything_is_asked_of_the_caller() {
    let full = Full::start().await;
    let form = "application/x-www-form-urlencoded";
    for client in [&full.app.admin, &full.app.anon] {
        with_body(&full, client, "text/plain", b"a=b", 415, "application/json").await;
        with_body(&full, client, "application/json", b"{\"a\": }", 400, "line 1 column 7").await;
        with_body(&full, client, "application/json", b"[1]", 400, "object").await;
        with_body(&full, client, "application/json", b"{\"a\": \"\xff\"}", 400, "line 1 column 8").await;
        with_body(&full, client, form, "a=1&".repeat(1001).as_bytes(), 400, "1000 values").await;
        with_body(&full, client, "multipart/form-data; boundary=x", b"--x\r\n", 400, "form").await;
    }
}

#[tokio::test]
async fn a_broken_batch_is_refused_before_anything_is_asked_of_the_caller() {
    let app = TestApp::start().await;
    let json = "application/json";
    for client in [&app.admin, &app.anon] {
        for (kind, body, status, text) in [
            ("text/plain", "[]", 415, "application/json"),
            ("application/x-www-form-urlencoded", "emails=a%40x.org", 415, "application/json"),
            ("multipart/form-data; boundary=x", "--x--", 415, "application/json"),
            (json, "[{\"a\": }]", 400, "line 1 column 8"),
            (json, "{}", 400, "JSON array"),
            (json, "", 400, "JSON array"),
        ] {
            let headers = [("Content-Type", kind)];
            client.request("POST", BATCH, &headers, body.as_bytes()).await.error(status, text);
        }
    }
}

#[tokio::test]
async fn a_body_over_one_mebibyte_is_refused() {
    let full = Full::start().await;
    let body = [b"notes=".as_slice(), &vec![b'x'; 1 << 20]].concat();
    for (path, methods) in &full.routes {
        let kind = if path == BATCH { "application/json" } else { "application/x-www-form-urlencoded" };
        if !path.starts_with("/api/2/messages/") && !path.ends_with("/simulate/") {
            for method in methods.iter().filter(|method| ["POST", "PUT"].contains(&method.as_str())) {
                let headers = [("Content-Type", kind)];
                full.app.admin.request(method, path, &headers, &body).await.error(413, "1048576 bytes");
            }
        }
    }
    full.app.anon.request("POST", "/api/2/messages/", &[], &body).await.error(413, "1048576 bytes");
}

/// What stands for an object in a path, taken by no object.
fn absent(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts[4] = "99999";
    parts.join("/")
}

#[tokio::test]
async fn errors_are_reported_in_the_documented_order() {
    let full = Full::start().await;
    let app = &full.app;
    let (nobody, none) = (app.anon.with_authorization("Bearer x"), app.key_with([]).await);
    for (method, path) in full.calls().filter(|(_, path)| !is_collection(path)) {
        // Neither who asks, nor values, come before the path and the method.
        let below = format!("{path}nothing/");
        nobody.request(method, &below, &[("Content-Type", "text/plain")], b"%zz").await.error(404, "path");
        nobody.request("PATCH", path, &[("Content-Type", "text/plain")], b"%zz").await.error(405, "takes");
        // Being allowed comes before the object, which comes before values.
        let wrong = format!("{}?limit=x", absent(path));
        if path.starts_with(ACCOUNTS) {
            continue;
        }
        if path.starts_with(ADMINS) && method == "GET" {
            none.get(&wrong).await.error(403, "permission");
        } else {
            call(&none, method, &wrong).await.error(403, "permission");
        }
        let values = b"action=x&name=%21&source=%21&emails=x&digest=x&expiry_months=x&get_key=&moderate=x";
        let body: &[u8] = if ["POST", "PUT"].contains(&method) { values } else { b"" };
        app.admin.request(method, &absent(path), &[], body).await.error(404, "no such");
        app.clock.advance(std::time::Duration::from_mins(1));
    }
    // Values come before conflicts.
    for (path, wrong) in [
        ("/api/2/lists/", "name=news&maxlength=x"),
        ("/api/2/aliases/", "source=sales&destination=x"),
        ("/api/2/contacts/", "emails=a%40x.org&lists=nothing"),
    ] {
        app.admin.request("POST", path, &[], wrong.as_bytes()).await.error(400, "");
    }
    // Over the hourly limit only who asks has come before.
    app.change_account(|account| account.contacts_max = 0).await;
    for (method, path) in full.calls() {
        let response = call(&none, method, path).await;
        response.error(429, "an hour");
        assert!(response.header("retry-after").is_some(), "{method} {path}");
        call(&nobody, method, path).await.error(401, "Authentication failed");
        if ["POST", "PUT"].contains(&method) {
            let kind = [("Content-Type", "text/plain")];
            none.request(method, path, &kind, b"x").await.error(415, "application/json");
        }
        app.clock.advance(std::time::Duration::from_mins(1));
    }
}

#[tokio::test]
async fn the_three_kinds_of_body_mean_the_same() {
    let app = TestApp::start().await;
    let expected = ["a@x.org", "b@x.org"];
    let form = [("emails", "a@x.org"), ("emails[]", "b@x.org"), ("firstname", "Ada")];
    let json = json!({"emails": expected, "firstname": "Ada"});
    let raw = b"emails=a%40x.org&emails=b%40x.org&firstname=Ada";
    let path = "/api/2/contacts/";
    for kind in ["form", "multipart", "json", "none"] {
        let response = match kind {
            "form" => app.admin.post(path, &form).await,
            "multipart" => app.admin.post_multipart(path, &form).await,
            "json" => app.admin.post_json(path, &json).await,
            _ => app.admin.request("POST", path, &[], raw).await,
        };
        let contact = response.good();
        assert_eq!(super::each(&contact["emails"], "email"), expected, "{kind}");
        assert_eq!(contact["firstname"], "Ada", "{kind}");
        app.admin.delete(&format!("{path}{}/", contact["id"])).await.good();
    }
}

#[tokio::test]
async fn forms_and_queries_are_decoded_as_real_callers_send_them() {
    let app = TestApp::start().await;
    let form = "application/x-www-form-urlencoded";
    let part = |name: &str, value: &[u8]| {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        [head.as_bytes(), value, b"\r\n"].concat()
    };
    let parts = [part("emails", b"b@x.org"), part("notes", b"100% %zz"), part("firstname", b"Jos\xc3")];
    for (kind, body) in [
        (form, b"emails=a%40x.org&notes=100%+%zz&firstname=Jos%C3".to_vec()),
        ("multipart/form-data; boundary=x", [parts.concat(), b"--x--\r\n".to_vec()].concat()),
    ] {
        let made =
            app.admin.request("POST", "/api/2/contacts/", &[("Content-Type", kind)], &body).await.good();
        assert_eq!(
            (&made["notes"], &made["firstname"]),
            (&json!("100% %zz"), &json!("Jos\u{fffd}")),
            "{kind}"
        );
    }
    let found = app.admin.get("/api/2/contacts/?email=a%40x.org&search=100%").await.good();
    assert_eq!(found["count"], 1);
    // A path names what is changed or deleted, which is not guessed.
    app.admin.delete("/api/2/contacts/%zz/").await.error(404, "nothing");
    app.admin.delete("/api/2/contacts/%ff/").await.error(404, "nothing");
}

#[tokio::test]
async fn no_cache_keeps_an_answer_and_no_browser_guesses_its_type() {
    let full = Full::start().await;
    let check = |response: &Response, call: &str| {
        assert_eq!(response.header("cache-control"), Some("no-store"), "{call}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{call}");
    };
    for (method, path) in full.calls() {
        check(&call(&full.app.admin, method, path).await, path);
        check(&call(&full.app.anon, method, path).await, path);
        full.app.clock.advance(std::time::Duration::from_mins(1));
    }
    for path in ["/api/2/docs/", "/api/2/openapi.json", "/api/2/lists", "/api/2/nothing/", "/api"] {
        check(&full.app.anon.get(path).await, path);
        check(&full.app.anon.request("PATCH", path, &[], b"").await, path);
    }
}

#[tokio::test]
async fn parameters_that_nobody_knows_are_named() {
    let full = Full::start().await;
    for (path, methods) in &full.routes {
        if takes(methods, "GET") {
            let colours = format!("{path}?colour=red&%C3%A9%2C=1&colour=blue");
            let response = full.reader(path).get(&colours).await;
            passes(&response);
            assert_eq!(response.header("x-ignored-parameters"), Some("colour,%C3%A9%2C"), "{path}");
        }
        for method in methods.iter().filter(|method| ["POST", "PUT"].contains(&method.as_str())) {
            let response = if path == BATCH {
                full.app.admin.post_json(path, &json!([{"colour": "red"}])).await
            } else {
                full.app.admin.request(method, path, &[], b"colour=red").await
            };
            assert_eq!(response.header("x-ignored-parameters"), Some("colour"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn every_listing_has_the_same_envelope_and_limits() {
    let full = Full::start().await;
    for (path, _) in
        full.routes.iter().filter(|(path, methods)| path.matches('/').count() == 4 && takes(methods, "GET"))
    {
        let listing = full.reader(path).get(&format!("{path}?page=1&limit=1")).await.good();
        let members: Vec<&String> = listing.as_object().unwrap().keys().collect();
        assert_eq!(members, ["count", "data", "limit", "page"], "{path}");
        let count = if path.ends_with("/lists/") || path.ends_with("/admins/") { 2 } else { 1 };
        // The log has an entry for everything that was made before.
        let count = if path == AUDIT || path == EVENTS { listing["count"].clone() } else { json!(count) };
        assert_eq!((&listing["count"], &listing["page"], &listing["limit"]), (&count, &json!(1), &json!(1)));
        for (query, field) in [
            ("page=0", "page"),
            ("page=x", "page"),
            ("limit=0", "limit"),
            ("limit=1001", "limit"),
            ("limit=", "limit"),
            ("page=1&after=1", "after"),
            ("after=-1", "after"),
        ] {
            let response = full.reader(path).get(&format!("{path}?{query}")).await;
            assert_eq!(super::wrong_fields(&response), [field], "{path}?{query}");
        }
        let response = full.reader(path).get(&format!("{path}?page=%zz")).await;
        assert_eq!(super::wrong_fields(&response), ["page"], "{path}");
        let beyond =
            full.reader(path).get(&format!("{path}?page=18446744073709551615&limit=1000")).await.good();
        assert_eq!(beyond["data"], json!([]));
    }
}

#[tokio::test]
async fn numbers_that_no_object_has_are_not_found() {
    let full = Full::start().await;
    for kind in ["contacts", "emails", "membership", "messages", "admins"] {
        for id in ["0", "999", "01", "+1", "-1", "1.0", "x", "18446744073709551616", "%31%20"] {
            let path = format!("/api/2/{kind}/{id}/");
            full.app.admin.get(&path).await.error(404, "no such");
            full.app.admin.delete(&path).await.error(404, "no such");
        }
    }
}

#[tokio::test]
async fn fields_narrows_every_answer() {
    let full = Full::start().await;
    for (path, _) in full.routes.iter().filter(|(_, methods)| takes(methods, "GET")) {
        if path.ends_with("/raw/") {
            // It is a message, which has no members.
            let response = full.reader(path).get(&format!("{path}?fields=id")).await;
            assert_eq!(response.header("x-ignored-parameters"), Some("fields"));
            continue;
        }
        if path.starts_with(WEBHOOKS) && path.ends_with("/deliveries/") {
            // Nothing was sent.
            continue;
        }
        let name = match path.split('/').nth(3) {
            Some("aliases") => "source",
            _ if path.ends_with("/deliveries/") => "email",
            _ => "id",
        };
        let answer = full.reader(path).get(&format!("{path}?fields={name},nothing")).await.good();
        let object = answer.get("data").map_or(&answer, |rows| &rows[0]);
        let members: Vec<&String> = object
            .as_object()
            .map(|object: &serde_json::Map<String, Value>| object.keys().collect())
            .unwrap();
        assert_eq!(members, [name], "{path}");
    }
}
