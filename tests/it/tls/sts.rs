//! MTA-STS (RFC 8461): what a domain asks of those who send to it, with real HTTPS and a real certificate authority.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crier::config::Trust;
use crier::net::dns::{DnsOptions, Resolver};
use crier::net::sts::PolicyClient;
use rustls::ServerConfig;

use super::{MINUTE, POST, Scene, ZONE, policy};
use crate::harness::dns::{self, failing_at};
use crate::harness::tls::{Authority, PolicyServer, answer, policy_answer};

#[tokio::test]
async fn an_enforced_policy_is_kept_to_with_a_good_certificate() {
    let scene = Scene::new(policy("enforce")).await;
    scene.offer_tls("mx.one.test");
    scene.post().await;
    assert_eq!(scene.arrived(), [true]);
    let request = scene.policies.requests().join("|");
    assert!(
        request.starts_with("GET /.well-known/mta-sts.txt HTTP/1.1\r\nhost: mta-sts.one.test\r\n"),
        "{request}"
    );

    scene.post().await;
    assert_eq!(scene.arrived(), [true, true]);
    assert_eq!(scene.policies.requests().len(), 1, "it is known now");
}

#[tokio::test]
async fn an_enforced_policy_keeps_mail_from_a_server_that_proves_nothing() {
    let scene = Scene::new(policy("enforce")).await;
    scene.post().await;
    assert_eq!(
        scene.trace().await,
        "deferred null mx.one.test: the server offers no STARTTLS, which is needed here, and the MTA-STS policy of \
         one.test asks for TLS that can be verified"
    );
    scene.app.sink.offer_tls(Authority::new().server("mx.one.test"));
    scene.app.advance(5 * MINUTE).await;
    let trace = scene.trace().await;
    assert!(trace.contains("mx.one.test: TLS failed: TLS error: invalid peer certificate"), "{trace}");
    scene.offer_tls("mx.two.test");
    scene.app.advance(15 * MINUTE).await;
    let trace = scene.trace().await;
    assert!(trace.contains("not valid for name \\mx.one.test"), "{trace}");
    assert_eq!(scene.arrived(), [false; 0]);

    scene.offer_tls("mx.one.test");
    scene.app.advance(30 * MINUTE).await;
    assert_eq!(scene.arrived(), [true]);
}

#[tokio::test]
async fn only_servers_that_an_enforced_policy_names_get_mail() {
    let zone = ZONE.replace("10 mx.one.test", "10 other.test") + "other.test A 127.0.0.1\n";
    let scene = Scene::with(policy("enforce"), &zone, "mta-sts.one.test").await;
    scene.offer_tls("other.test");
    scene.post().await;
    assert_eq!(
        scene.trace().await,
        "deferred null other.test is not among the servers that the MTA-STS policy of one.test names"
    );

    let zone = format!("{zone}one.test MX 20 mx.one.test\n");
    let scene = Scene::with(policy("enforce"), &zone, "mta-sts.one.test").await;
    scene.offer_tls("mx.one.test");
    scene.post().await;
    assert_eq!(scene.trace().await, "delivered mx.one.test 250 2.0.0 Taken");
}

#[tokio::test]
async fn a_policy_that_is_tested_keeps_no_mail_back() {
    let scene = Scene::new(policy("testing")).await;
    scene.app.sink.offer_tls(Authority::new().server("mx.one.test"));
    scene.post().await;
    assert_eq!(scene.arrived(), [true], "a wrong certificate still encrypts");

    let zone = ZONE.replace("10 mx.one.test", "10 other.test") + "other.test A 127.0.0.1\n";
    let scene = Scene::with(policy("testing"), &zone, "mta-sts.one.test").await;
    scene.post().await;
    assert_eq!(scene.arrived(), [false]);
}

#[tokio::test]
async fn a_connection_made_without_proof_does_not_serve_where_proof_is_asked_for() {
    let zone = format!("{ZONE}free.test MX 10 mx.one.test\n");
    let scene = Scene::with(policy("enforce"), &zone, "mta-sts.one.test").await;
    let free = scene.app.list("free").member("a@free.test").create().await;
    scene.app.sink.offer_tls(Authority::new().server("mx.one.test"));
    scene.app.send_mail("a@free.test", &free.address, POST).await;
    scene.app.settle().await;
    assert_eq!(scene.arrived(), [true], "anybody's certificate will do");
    scene.post().await;
    assert_eq!(scene.arrived(), [true], "the idle connection is not taken");
    assert!(scene.trace().await.starts_with("deferred"));
}

#[tokio::test]
async fn a_new_id_brings_the_new_policy() {
    let scene = Scene::new(policy("enforce")).await;
    scene.post().await;
    assert_eq!(scene.arrived(), [false; 0]);

    scene.policies.set(policy("none"));
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(scene.arrived(), [false; 0], "the same id, the same policy");

    scene.app.dns.set("_mta-sts.one.test 0 TXT v=STSv1; id=2;").await;
    scene.app.advance(15 * MINUTE).await;
    assert_eq!(scene.arrived(), [false]);
    assert_eq!(scene.policies.requests().len(), 2);
}

#[tokio::test]
async fn a_policy_that_cannot_be_fetched_again_still_holds() {
    let mut scene = Scene::new(policy("enforce")).await;
    scene.post().await;
    scene.app.dns.set("_mta-sts.one.test 0 TXT v=STSv1; id=2;").await;
    scene.policies.set(answer("500 Broken", "text/plain", ""));
    scene.app.advance(5 * MINUTE).await;
    assert_eq!((scene.arrived(), scene.policies.requests().len()), (vec![], 2));
    scene.app.advance(15 * MINUTE).await;
    assert_eq!((scene.arrived(), scene.policies.requests().len()), (vec![], 3));

    // Nor does it matter that it is not announced any more, nor a restart.
    scene.app.dns.set("_mta-sts.one.test 0 TXT nothing").await;
    scene.app.restart().await;
    scene.app.advance(30 * MINUTE).await;
    assert_eq!((scene.arrived(), scene.policies.requests().len()), (vec![], 3));
}

#[tokio::test]
async fn a_policy_ends_with_its_age() {
    let scene = Scene::new(policy("enforce").replace("604800", "003600")).await;
    scene.post().await;
    scene.app.dns.set("_mta-sts.one.test 0 TXT nothing").await;
    for minutes in [5, 15, 30] {
        scene.app.advance(minutes * MINUTE).await;
        assert_eq!(scene.arrived(), [false; 0]);
    }
    scene.app.advance(60 * MINUTE).await;
    assert_eq!(scene.arrived(), [false]);
    assert!(!scene.app.dump("sts_policy").contains("one.test"), "it is forgotten");
}

#[tokio::test]
async fn a_policy_in_use_is_fetched_again_every_day() {
    let scene = Scene::new(policy("enforce")).await;
    scene.offer_tls("mx.one.test");
    for (hours, fetched) in [(0, 1), (23, 1), (1, 2), (1, 2)] {
        scene.app.advance(Duration::from_hours(hours)).await;
        scene.post().await;
        assert_eq!(scene.policies.requests().len(), fetched);
    }
}

#[tokio::test]
async fn a_policy_that_cannot_be_fetched_is_none_and_is_not_asked_for_at_every_copy() {
    let scene = Scene::new(answer("404 Not Found", "text/plain", "")).await;
    for _ in 0..3 {
        scene.post().await;
    }
    assert_eq!((scene.arrived(), scene.policies.requests().len()), (vec![false; 3], 1));
    scene.app.advance(5 * MINUTE).await;
    scene.post().await;
    assert_eq!(scene.policies.requests().len(), 2);
}

#[tokio::test]
async fn a_domain_whose_dns_does_not_say_whether_it_has_a_policy_is_not_asked_at_every_copy() {
    let failed = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&failed);
    // TXT, which some name servers fail at.
    let scene = Scene::build(policy("enforce"), "mta-sts.one.test", |builder| {
        builder.dns(ZONE).config(|config| {
            config.dns_server = config.dns_server.map(|server| failing_at(server, &[16], counted));
            config.verify_senders = false;
        })
    });
    let scene = scene.await;
    scene.post().await;
    let once = failed.load(Ordering::SeqCst);
    scene.post().await;
    assert_eq!((scene.arrived(), failed.load(Ordering::SeqCst)), (vec![false, false], once));
    scene.app.advance(5 * MINUTE).await;
    scene.post().await;
    assert!(once < failed.load(Ordering::SeqCst), "{once}");
}

/// What a fetch says whose server answers so.
async fn fetch(tls: Arc<ServerConfig>, authority: &Authority, answer: &str, allow_private: bool) -> String {
    let policies = PolicyServer::start(tls, answer.to_owned()).await;
    let (_dns, server) = dns::start(ZONE).await;
    let trust = Trust { authorities: vec![authority.der()], https_port: policies.port(), ..Trust::default() };
    match PolicyClient::new(resolver(server, allow_private), &trust).fetch("one.test").await {
        Ok(rules) => rules.mode.word().to_owned(),
        Err(error) => error.to_string(),
    }
}

fn resolver(server: SocketAddr, allow_private: bool) -> Resolver {
    let question_timeout = Duration::from_millis(500);
    Resolver::new(&DnsOptions {
        server: Some(server),
        mx_port: 25,
        allow_private,
        question_timeout,
        root_key: None,
    })
    .unwrap()
}

#[tokio::test]
async fn only_a_plain_text_from_the_right_server_is_a_policy() {
    let authority = Authority::new();
    let right = authority.server("mta-sts.one.test");
    let text = "version: STSv1\nmode: enforce\nmx: mx.one.test\nmax_age: 86400\n";
    let long = format!("{text}{}", "x: y\n".repeat(14_000));
    for (answer, expected) in [
        (policy_answer(text), "enforce"),
        (answer("200 OK", "TEXT/plain", text), "enforce"),
        (answer("200 OK", "text/html", text), "the answer is no policy"),
        (answer("301 Moved", "text/plain", text), "the server answered 301 Moved Permanently"),
        (answer("206 Partial", "text/plain", text), "the server answered 206 Partial Content"),
        (policy_answer("hello"), "the answer is no policy"),
        (policy_answer(&long), "the answer is no policy"),
    ] {
        assert_eq!(fetch(right.clone(), &authority, &answer, true).await, expected, "{answer}");
    }
    let answer = policy_answer(text);
    let wrong = fetch(authority.server("one.test"), &authority, &answer, true).await;
    assert!(wrong.contains("not valid for name"), "{wrong}");
    let unknown = fetch(Authority::new().server("mta-sts.one.test"), &authority, &answer, true).await;
    assert!(unknown.contains("invalid peer certificate"), "{unknown}");
    let private = fetch(right, &authority, &answer, false).await;
    assert_eq!(private, "mta-sts.one.test has a private address, which mail is not sent to");
}
