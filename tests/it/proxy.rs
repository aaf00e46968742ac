//! Clients behind a proxy have their own address wherever it counts, and nobody else gives himself another one.

use std::time::Duration;

use crier::model::Cidr;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::{Client, Response};

const ADA: &str = "198.51.100.7";
const BOB: &str = "2001:db8::7";
const WRONG_KEY: &str = "Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// A server that believes the proxies at 127.0.0.2 and in 10.0.0.0/8.
async fn behind_a_proxy() -> TestApp {
    TestApp::builder()
        .config(|config| {
            let networks = ["127.0.0.2", "10.0.0.0/8"];
            config.http.trusted_proxies =
                networks.iter().map(|network| Cidr::parse(network).unwrap()).collect();
            config.http.connections_per_client_max = 3;
        })
        .start()
        .await
}

/// A GET that this connection's peer passes on for somebody.
async fn get_for(client: &Client, field: &str, value: &str) -> Response {
    client.request("GET", "/api/2/lists/", &[(field, value)], b"").await
}

/// The holder of a key that works from `cidr` alone.
async fn key_in(app: &TestApp, cidr: &str) -> Client {
    let fields = json!({"api": 2, "description": "shop", "permissions": ["manage_members"], "cidr": cidr});
    let admin = app.admin.post_json("/api/2/admins/", &fields).await.good();
    let path = format!("/api/2/admins/{}/", admin["id"]);
    let made = app.admin.put(&path, &[("get_key", "1")]).await.good();
    let key = made["key"].as_str().expect("the key is shown once").to_owned();
    app.anon.with_authorization(&format!("Bearer {key}"))
}

#[tokio::test]
async fn a_key_works_from_its_networks_however_its_request_came() {
    let app = behind_a_proxy().await;
    let key = key_in(&app, "198.51.100.0/24, 2001:db8::/64").await;
    let (proxy, stranger) = (key.at_source("127.0.0.2"), key.at_source("127.0.0.3"));
    get_for(&proxy, "X-Forwarded-For", ADA).await.good();
    get_for(&proxy, "X-Forwarded-For", "192.0.2.1, 198.51.100.7, 10.1.1.1").await.good();
    get_for(&proxy, "Forwarded", "for=\"[2001:db8::7]:4711\";proto=https, for=10.1.1.1").await.good();
    for value in ["192.0.2.1", "198.51.100.7, 192.0.2.1", "198.51.100.7, unknown", ""] {
        get_for(&proxy, "X-Forwarded-For", value).await.error(401, "Authentication failed");
    }
    get_for(&proxy, "Forwarded", "for=198.51.100.7, for=192.0.2.1").await.error(401, "");
    // Nobody but the proxy is believed.
    get_for(&stranger, "X-Forwarded-For", ADA).await.error(401, "");
    get_for(&stranger, "Forwarded", "for=198.51.100.7").await.error(401, "");
}

#[tokio::test]
async fn wrong_keys_count_for_the_client_and_not_for_its_proxy() {
    let app = behind_a_proxy().await;
    let proxy = app.anon.at_source("127.0.0.2").with_authorization(WRONG_KEY);
    for _ in 0..20 {
        get_for(&proxy, "X-Forwarded-For", ADA).await.error(401, "");
    }
    assert_eq!(get_for(&proxy, "X-Forwarded-For", ADA).await.status, 429);
    // A client that names others in front of itself stays who it is.
    assert_eq!(get_for(&proxy, "X-Forwarded-For", &format!("{BOB}, {ADA}")).await.status, 429);
    assert_eq!(get_for(&proxy, "X-Forwarded-For", BOB).await.status, 401);
    let stranger = app.anon.at_source("127.0.0.3").with_authorization(WRONG_KEY);
    assert_eq!(get_for(&stranger, "X-Forwarded-For", ADA).await.status, 401);
    app.advance(Duration::from_mins(2)).await;
    assert_eq!(get_for(&proxy, "X-Forwarded-For", ADA).await.status, 401);
}

#[tokio::test]
async fn requests_under_way_count_for_the_client_and_not_for_its_proxy() {
    let app = behind_a_proxy().await;
    let proxy = app.anon.at_source("127.0.0.2");
    let head_for = |client: &str, length: usize| {
        let head = proxy.head("POST", "/unsubscribe/x/", length);
        head.replacen("\r\n", &format!("\r\nX-Forwarded-For: {client}\r\nExpect: 100-continue\r\n"), 1)
    };
    let mut under_way = Vec::new();
    for _ in 0..3 {
        let mut connection = proxy.open(head_for(ADA, 10).as_bytes()).await;
        // The server waits for the body.
        assert_eq!(connection.response().await.status, 100);
        under_way.push(connection);
    }
    let refused = get_for(&proxy, "X-Forwarded-For", ADA).await;
    refused.error(429, "Too many requests from your address are under way");
    assert!(refused.header("retry-after").is_some());
    let page = proxy.request("GET", "/", &[("X-Forwarded-For", ADA)], b"").await;
    assert_eq!((page.status, page.header("retry-after").is_some()), (429, true), "{}", page.body);
    assert_eq!(get_for(&proxy, "X-Forwarded-For", BOB).await.status, 401);
    assert_eq!(get_for(&proxy, "X-Other", "").await.status, 401, "the proxy itself is not limited");
    let mut first = under_way.remove(0);
    first.send(b"0123456789").await;
    assert_eq!(first.response().await.status, 404);
    assert_eq!(get_for(&proxy, "X-Forwarded-For", ADA).await.status, 401);
}

#[tokio::test]
async fn memory_for_bodies_counts_for_the_client_and_not_for_its_proxy() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.trusted_proxies = vec![Cidr::parse("127.0.0.2").unwrap()];
            // 18 KiB for small bodies: half of it for one client.
            config.http.bodies_bytes_max = 96 << 10;
            config.http.bodies_wait_max = Duration::from_millis(200);
        })
        .start()
        .await;
    let proxy = app.anon.at_source("127.0.0.2");
    let head_for = |client: &str| {
        let head = proxy.head("POST", "/unsubscribe/x/", 8 << 10);
        head.replacen("\r\n", &format!("\r\nX-Forwarded-For: {client}\r\nExpect: 100-continue\r\n"), 1)
    };
    let mut first = proxy.open(head_for(ADA).as_bytes()).await;
    assert_eq!(first.response().await.status, 100);
    assert_eq!(proxy.open(head_for(ADA).as_bytes()).await.response().await.status, 503);
    let mut of_other = proxy.open(head_for(BOB).as_bytes()).await;
    assert_eq!(of_other.response().await.status, 100);
}
