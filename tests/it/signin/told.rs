//! What the real program says of people who sign in: nothing that is secret, in its log, its pages and its headers.

use serde_json::Value;

use crate::harness::http::{Client, Response};
use crate::harness::program::{self, Program};

const SECRETS: [&str; 4] = ["horse-battery", "wrong-guess", "another-secret", "123123"];

/// The value of the first attribute `value` behind a mark.
fn value_behind<'p>(page: &'p Response, mark: &str) -> &'p str {
    let rest = page.body.split(mark).nth(1).unwrap_or_else(|| panic!("no {mark}: {}", page.body));
    rest.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
}

/// A browser with one cookie of each name.
struct Browser {
    client: Client,
    cookies: Vec<(String, String)>,
    seen: Vec<String>,
}

impl Browser {
    async fn send(&mut self, method: &str, path: &str, body: &str) -> Response {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = pairs.join("; ");
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let headers = [("Cookie", cookies.as_str()), kind];
        let answer = self.client.request(method, path, &headers, body.as_bytes()).await;
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        for (_, field) in answer.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (name, value) = field.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        self.seen.push(answer.header("location").unwrap_or_default().to_owned());
        self.seen.push(answer.body.clone());
        answer
    }

    /// Sends a form of a page with its CSRF token.
    async fn fill(&mut self, path: &str, fields: &str) -> Response {
        let shown = self.send("GET", path, "").await;
        let csrf = value_behind(&shown, "name=\"csrf\"").to_owned();
        self.send("POST", path, &format!("csrf={csrf}&{fields}")).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let setup = ["setup", "--domain", "lists.example.org", "--admin", "you@example.org", "--json"];
    let printed: Value = serde_json::from_str(&program::run(&setup, &data)).unwrap();
    let link = printed["admin_link"].as_str().expect("setup prints the link").to_owned();
    let webhook = "http://127.0.0.1:9/send?key=webhook-secret";
    let flags = ["--log-level", "debug", "--sms-webhook", webhook];
    let server = Program::start(&data, "127.0.0.1:9".parse().unwrap(), &flags);
    let client = Client::new(server.http_addr).at_host("lists.example.org");
    let mut browser = Browser { client, cookies: Vec::new(), seen: Vec::new() };
    // The first administrator comes in before any mail works.
    let path = link.split_once("://").unwrap().1;
    let path = &path[path.find('/').unwrap()..];
    let token = path.split('/').nth(2).unwrap().to_owned();
    assert_eq!(browser.send("GET", path, "").await.status, 200);
    assert_eq!(browser.send("POST", path, "password=horse-battery").await.status, 200);
    assert_eq!(browser.send("POST", path, "password=another-secret").await.status, 410);
    let wrong = browser.fill("/login/", "username=you%40example.org&password=wrong-guess").await;
    assert_eq!(wrong.status, 400);
    let right = browser.fill("/login/", "username=you%40example.org&password=horse-battery").await;
    assert_eq!(right.status, 303, "{}", right.body);
    let cookie = browser.cookies.iter().find(|(name, _)| name.ends_with("admin")).unwrap().1.clone();
    let own = "/admin/me/";
    assert_eq!(browser.fill(own, "action=otp").await.status, 303);
    let shown = browser.send("GET", own, "").await;
    let letters = shown.body.split("class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(browser.fill(own, "action=confirm&code=123123").await.status, 400);
    assert_eq!(browser.fill(own, "action=cancel").await.status, 303);
    assert_eq!(browser.fill(own, "action=sms&phone=%2B4915112345678").await.status, 400);
    browser.fill(own, "action=password&password=wrong-guess&new_password=another-secret").await;
    browser.fill("/login/forgotten/", "username=you%40example.org").await;
    // A new link is printed although there is a password, for whoever has lost it.
    let again = program::run(&["admin", "link", "you@example.org"], &data);
    assert!(again.contains("/password/"), "{again}");
    let log = server.log();
    assert!(log.contains("signed in"), "{log}");
    let secret = letters.replace(' ', "");
    let of_log = [token.as_str(), &cookie, &letters, &secret, "webhook-secret", "+4915112345678"];
    for word in SECRETS.iter().chain(&of_log) {
        assert!(!log.contains(word), "{word} is in the log: {log}");
    }
    for word in SECRETS.iter().chain(&[token.as_str(), &cookie, "webhook-secret"]) {
        assert!(!browser.seen.iter().any(|shown| shown.contains(word)), "{word} is on a page");
    }
    let audit = program::run(&["audit"], &data);
    assert!(audit.contains("sign_in.failed"), "{audit}");
    for word in SECRETS.iter().chain(&of_log) {
        assert!(!audit.contains(word), "{word} is in the audit log: {audit}");
    }
    server.stop();
}
