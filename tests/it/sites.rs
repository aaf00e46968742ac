//! The account whose pages a request is for: found by its host, or by `/~ACCOUNT/` at the server's own host.

use crier::web::style_path;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::Client;

const OWN: &str = "crier.example.net";
const TEST: &str = "lists.example.org";
const OTHER: &str = "other.example.org";
const ADA: &str = "ada@example.com";

/// A server whose own host is no domain of an account.
async fn server() -> TestApp {
    let server = TestApp::builder().without_dkim();
    server.config(|config| config.base_url = Some(format!("https://{OWN}:8443"))).start().await
}

/// Makes ada a member of a list of the account; the token by which she leaves.
async fn token(app: &TestApp, admin: &Client, domain: &str) -> String {
    admin.post("/api/2/lists/", &[("name", "news"), ("moderate", "0")]).await.good();
    admin.post_json("/api/2/contacts/", &json!({"emails": [ADA], "lists": ["news"]})).await.good();
    let to = format!("news@{domain}");
    let mail = format!("From: {ADA}\nTo: {to}\nSubject: hello\n\nhi");
    assert_eq!(app.send_mail(ADA, &to, &mail).await.code, 250);
    app.settle().await;
    let copy = app.sink.mail_to(ADA);
    app.sink.clear();
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    let (_, link) = field.split_once("/unsubscribe/").expect("it names the page");
    link.split('/').next().expect("a token").to_owned()
}

/// The status of a page at a host.
async fn status(app: &TestApp, host: &str, path: &str) -> u16 {
    app.anon.at_host(host).get(path).await.status
}

#[tokio::test]
async fn an_only_account_is_found_at_every_host() {
    let app = server().await;
    let path = format!("/unsubscribe/{}/", token(&app, &app.admin, TEST).await);
    for host in [OWN, TEST, "unknown.example", "127.0.0.1", "[::1]:80", "a b", ""] {
        assert_eq!(status(&app, host, &path).await, 200, "{host}");
        assert_eq!(status(&app, host, "/").await, 200, "{host}");
    }
    assert_eq!(status(&app, OWN, &format!("/~test{path}")).await, 200);
    assert_eq!(status(&app, TEST, &format!("/~test{path}")).await, 404);
    assert_eq!(status(&app, "unknown.example", &format!("/~test{path}")).await, 404);
}

#[tokio::test]
async fn one_of_several_accounts_is_found_by_its_host_or_its_name() {
    let app = server().await;
    let other = app.other_account().await;
    let of_test = format!("/unsubscribe/{}/", token(&app, &app.admin, TEST).await);
    let of_other = format!("/unsubscribe/{}/", token(&app, &other, OTHER).await);
    let check = async |host: &str, path: &str, [to_test, to_other]: [u16; 2]| {
        let statuses = [
            status(&app, host, &format!("{path}{of_test}")).await,
            status(&app, host, &format!("{path}{of_other}")).await,
        ];
        assert_eq!(statuses, [to_test, to_other], "{path} at {host}");
    };
    for host in [TEST, "LISTS.Example.ORG:8080", "lists.example.org."] {
        check(host, "", [200, 404]).await;
    }
    check(OTHER, "", [404, 200]).await;
    for host in [OWN, "CRIER.example.net:8443", "crier.example.net:1"] {
        check(host, "/~test", [200, 404]).await;
        check(host, "/%7Eother", [404, 200]).await;
        check(host, "/~OTHER", [404, 200]).await;
        // Mail from before an account had a root of its own.
        check(host, "", [200, 200]).await;
        check(host, "/~nobody", [404, 404]).await;
    }
    for host in ["unknown.example", "127.0.0.1:8080", "crier.example.net.evil.example", "a b", ""] {
        check(host, "", [404, 404]).await;
    }
    for host in [TEST, OTHER, "unknown.example"] {
        check(host, "/~test", [404, 404]).await;
        check(host, "/~other", [404, 404]).await;
    }
}

#[tokio::test]
async fn a_domain_that_is_not_for_the_web_is_nobodys_host() {
    let app = server().await;
    app.other_account().await;
    assert_eq!(status(&app, TEST, "/").await, 200);
    app.change_domains(|domain| domain.is_web = false).await;
    assert_eq!(status(&app, TEST, "/").await, 404);
    let page = app.anon.at_host(TEST).get("/").await;
    assert!(page.body.contains("There is no page here"), "{}", page.body);
}

#[tokio::test]
async fn the_root_of_an_account_has_a_slash() {
    let app = server().await;
    let client = app.anon.at_host(OWN);
    let moved = client.get("/~test?lang=de").await;
    assert_eq!((moved.status, moved.header("location")), (308, Some("/~test/?lang=de")));
    let sent = client.post("/~test", &[]).await;
    assert_eq!((sent.status, sent.header("location")), (308, Some("/~test/")));
    assert_eq!(client.get("/~test/?lang=de").await.status, 200);
    assert_eq!(client.get(&format!("/~test{}", style_path())).await.status, 200);
}

#[tokio::test]
async fn the_host_of_a_whole_url_counts_and_two_hosts_are_none() {
    let app = server().await;
    app.other_account().await;
    let status =
        async |head: &str| app.anon.raw(format!("{head}Connection: close\r\n\r\n").as_bytes()).await.status;
    assert_eq!(status("GET http://lists.example.org/ HTTP/1.1\r\nHost: unknown.example\r\n").await, 200);
    assert_eq!(status("GET http://unknown.example/ HTTP/1.1\r\nHost: lists.example.org\r\n").await, 404);
    assert_eq!(status("GET http://crier.example.net:8443/~other/ HTTP/1.1\r\nHost: x\r\n").await, 200);
    assert_eq!(status("GET / HTTP/1.1\r\nHost: lists.example.org\r\nHost: other.example.org\r\n").await, 404);
    assert_eq!(status("GET / HTTP/1.0\r\n").await, 404);
}

#[tokio::test]
async fn the_api_and_the_stylesheet_are_at_every_host() {
    let app = server().await;
    let other = app.other_account().await;
    for host in [OWN, TEST, OTHER, "unknown.example", "127.0.0.1"] {
        let shown = other.at_host(host).get("/api/2/lists/").await.good();
        assert_eq!(shown["count"], 0, "{host}");
        assert_eq!(status(&app, host, style_path()).await, 200, "{host}");
        assert_eq!(status(&app, host, "/healthz").await, 200, "{host}");
    }
}

#[tokio::test]
async fn without_a_base_url_every_address_is_the_servers_own_host() {
    let app = TestApp::builder().config(|config| config.base_url = None).start().await;
    app.other_account().await;
    for host in ["127.0.0.1:8080", "localhost:8080", "[::1]", "192.0.2.1", "mx.example.org"] {
        assert_eq!(status(&app, host, "/~other/").await, 200, "{host}");
    }
    assert_eq!(status(&app, OTHER, "/~other/").await, 404);
    assert_eq!(status(&app, "unknown.example", "/").await, 404);
}

#[tokio::test]
async fn the_link_of_a_global_administrator_is_answered_at_the_servers_own_host() {
    let app = server().await;
    app.other_account().await;
    let global = app.global().await;
    global.post("/api/2/admins/", &[("username", "root@example.com")]).await.good();
    app.settle().await;
    let mail = app.sink.mail_to("root@example.com").text().replace("=\n", "");
    let (_, rest) = mail.split_once("/password/").expect("the mail has a link");
    let path = format!("/password/{}/", rest.split('/').next().unwrap());
    assert_eq!(status(&app, OWN, &path).await, 200);
    assert_eq!(status(&app, TEST, &path).await, 404);
    assert_eq!(status(&app, OWN, &format!("/~test{path}")).await, 404);
}
