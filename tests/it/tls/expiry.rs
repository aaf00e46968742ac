//! Servers whose certificate is over.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;
use rcgen::KeyPair;
use rustls::ServerConfig;

use super::{MINUTE, POST, Scene, policy};
use crate::harness::tls::{Authority, answer};

const EXPIRED: &str = "mx.one.test: TLS failed: the server's certificate expired at 2020-03-01T00:00:00Z";

/// A domain in a signed zone, without an MTA-STS policy.
async fn signed() -> Scene {
    let zone = "one.test MX 10 mx.one.test\nmx.one.test A 127.0.0.1";
    Scene::signed(answer("404 Not Found", "text/plain", ""), zone).await
}

fn expire(scene: &Scene) {
    scene.app.sink.offer_tls(scene.authority.expired_server("mx.one.test"));
}

#[tokio::test]
async fn where_any_certificate_will_do_an_expired_one_does() {
    for scene in
        [Scene::new(answer("404 Not Found", "text/plain", "")).await, Scene::new(policy("testing")).await]
    {
        expire(&scene);
        scene.post().await;
        assert_eq!(scene.arrived(), [true], "{}", scene.trace().await);
    }
}

#[tokio::test]
async fn under_an_enforced_policy_mail_waits_until_the_certificate_is_renewed() {
    let scene = Scene::new(policy("enforce")).await;
    expire(&scene);
    scene.post().await;
    let demand = "and the MTA-STS policy of one.test asks for TLS that can be verified";
    assert_eq!(scene.trace().await, format!("deferred null {EXPIRED}, {demand}"));
    scene.offer_tls("mx.one.test");
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(scene.arrived(), [true]);
}

#[tokio::test]
async fn a_message_that_asks_for_tls_waits_until_the_certificate_is_renewed_and_other_mail_does_not() {
    let scene = signed().await;
    scene.app.sink.with_requiretls();
    expire(&scene);
    scene.post_requiring_tls(POST).await;
    let demand = "and the message is for proven servers alone (REQUIRETLS)";
    assert_eq!(scene.trace().await, format!("deferred null {EXPIRED}, {demand}"));
    scene.post().await;
    assert_eq!(scene.arrived(), [true], "nobody asked for proof");
    scene.offer_tls("mx.one.test");
    scene.app.advance(5 * MINUTE).await;
    let asked: Vec<bool> = scene.app.sink.mails().iter().map(|mail| mail.requires_tls).collect();
    assert_eq!(asked, [false, true]);
}

/// What becomes of a post to a server that has this certificate and this record.
async fn under_dane(record: &str, tls: Arc<ServerConfig>) -> String {
    let scene = signed().await;
    let name = format!("_{}._tcp.mx.one.test", scene.app.sink.addr().port());
    scene.app.dns.set(&format!("{name} TLSA {record}")).await;
    scene.app.sink.offer_tls(tls);
    scene.post().await;
    scene.trace().await
}

#[tokio::test]
async fn dane_minds_the_dates_under_an_authority_and_not_those_beside_a_key() {
    let sha256 = |bytes: &[u8]| HEXLOWER.encode(digest(&SHA256, bytes).as_ref());
    let (authority, key) = (Authority::new(), KeyPair::generate().unwrap());
    let anchor = format!("2 0 1 {}", sha256(&authority.der()));
    let demand = "and its DNS records say which certificate it has (DANE)";
    let trace = under_dane(&anchor, authority.expired_server("mx.one.test")).await;
    assert_eq!(trace, format!("deferred null {EXPIRED}, {demand}"));
    // That somebody else's certificate is over is not what is wrong with it.
    let trace = under_dane(&anchor, Authority::new().expired_server("mx.one.test")).await;
    assert!(trace.starts_with("deferred null mx.one.test: TLS failed: TLS error: "), "{trace}");
    // RFC 7672 3.1.1: the expiration date of a certificate that the DNS itself names must be ignored.
    let certificate = authority.expired_certificate("mx.one.test", &key);
    let own = format!("3 0 1 {}", sha256(&certificate));
    let trace = under_dane(&own, authority.server_of(&certificate, &key)).await;
    assert_eq!(trace, "delivered mx.one.test 250 2.0.0 Taken");
}
