//! DANE (RFC 7672): what a signed zone says of its mail servers' certificates, asked of a DNS server that signs.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, SHA512, digest};
use data_encoding::HEXLOWER;
use rcgen::{KeyPair, PublicKeyData as _};

use super::{MINUTE, POST, Scene, ZONE, policy};
use crate::harness::dns::{Line, Trouble, failing_at};
use crate::harness::tls::{Authority, answer};

/// A domain in a signed zone, without an MTA-STS policy.
const SIGNED: &str = "
    one.test MX 10 mx.one.test
    mx.one.test A 127.0.0.1
";

async fn scene() -> Scene {
    Scene::signed(answer("404 Not Found", "text/plain", ""), SIGNED).await
}

/// Publishes `usage selector matching data` for the domain's server.
async fn publish(scene: &Scene, record: &str) {
    scene.app.dns.set(&tlsa(scene, record)).await;
}

fn tlsa(scene: &Scene, record: &str) -> String {
    format!("_{}._tcp.mx.one.test TLSA {record}", scene.app.sink.addr().port())
}

fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(digest(&SHA256, bytes).as_ref())
}

/// The record that names the key.
fn names(key: &KeyPair) -> String {
    format!("3 1 1 {}", sha256(&key.subject_public_key_info()))
}

#[tokio::test]
async fn every_form_of_tlsa_record_authenticates_a_key_or_certificate() {
    let (authority, key) = (Authority::new(), KeyPair::generate().unwrap());
    let certificate = authority.certificate("elsewhere.test", &key);
    let spki = key.subject_public_key_info();
    let sha512 = |bytes: &[u8]| HEXLOWER.encode(digest(&SHA512, bytes).as_ref());
    for record in [
        names(&key),
        format!("3 1 2 {}", sha512(&spki)),
        format!("3 1 0 {}", HEXLOWER.encode(&spki)),
        format!("3 0 1 {}", sha256(&certificate)),
        format!("3 0 0 {}", HEXLOWER.encode(&certificate)),
    ] {
        let scene = scene().await;
        publish(&scene, &record).await;
        scene.app.sink.offer_tls(authority.server_of(&certificate, &key));
        scene.post().await;
        assert_eq!(scene.arrived(), [true], "{record}: {}", scene.trace().await);
    }
}

#[tokio::test]
async fn a_server_without_the_key_that_the_dns_names_gets_no_mail() {
    let scene = scene().await;
    let key = KeyPair::generate().unwrap();
    publish(&scene, &names(&key)).await;
    scene.post().await;
    assert_eq!(
        scene.trace().await,
        "deferred null mx.one.test: the server offers no STARTTLS, which is needed here, and its DNS records say \
         which certificate it has (DANE)"
    );
    // The public authorities have no say in it.
    scene.offer_tls("mx.one.test");
    scene.app.advance(5 * MINUTE).await;
    let trace = scene.trace().await;
    assert!(trace.starts_with("deferred null mx.one.test: TLS failed: "), "{trace}");
    scene.app.sink.offer_tls(scene.authority.server_with("mx.one.test", &key));
    scene.app.advance(15 * MINUTE).await;
    assert_eq!(scene.arrived(), [true]);
}

#[tokio::test]
async fn dane_with_a_trust_anchor_requires_a_matching_name() {
    let own = Authority::new();
    for record in [
        format!("2 0 1 {}", sha256(&own.der())),
        format!("2 0 0 {}", HEXLOWER.encode(&own.der())),
        format!("2 1 1 {}", sha256(&own.spki())),
    ] {
        let scene = scene().await;
        publish(&scene, &record).await;
        scene.app.sink.offer_tls(own.server("elsewhere.test"));
        scene.post().await;
        assert_eq!(scene.arrived(), [false; 0], "{record}");
        scene.app.sink.offer_tls(Authority::new().server("mx.one.test"));
        scene.app.advance(5 * MINUTE).await;
        assert_eq!(scene.arrived(), [false; 0], "{record}");
        for (name, minutes) in [("mx.one.test", 15), ("one.test", 60)] {
            scene.app.sink.offer_tls(own.server(name));
            scene.app.advance(minutes * MINUTE).await;
            scene.post().await;
        }
        assert_eq!(scene.arrived(), [true; 3], "{record}: {}", scene.trace().await);
    }
}

#[tokio::test]
async fn unusable_tlsa_records_require_tls_with_any_certificate() {
    let scene = scene().await;
    publish(&scene, &format!("1 1 1 {}", sha256(b"x"))).await;
    scene.post().await;
    assert_eq!(
        scene.trace().await,
        "deferred null mx.one.test: the server offers no STARTTLS, which is needed here, and its DNS records ask \
         for TLS (DANE)"
    );
    scene.app.sink.offer_tls(Authority::new().server("elsewhere.test"));
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(scene.arrived(), [true]);
}

#[tokio::test]
async fn dane_comes_before_a_policy() {
    let scene = Scene::signed(policy("enforce"), ZONE).await;
    let key = KeyPair::generate().unwrap();
    publish(&scene, &names(&key)).await;
    scene.offer_tls("mx.one.test");
    scene.post().await;
    assert_eq!(scene.arrived(), [false; 0], "what the policy asks for is not enough");
    scene.app.sink.offer_tls(Authority::new().server_with("elsewhere.test", &key));
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(scene.arrived(), [true], "and not needed");
}

#[tokio::test]
async fn answers_that_do_not_fit_their_signature_keep_mail_back() {
    let scene = scene().await;
    scene.app.dns.forge("one.test MX 10 evil.test\nevil.test A 127.0.0.1").await;
    scene.post().await;
    let reason = "4.7.0 The domain one.test is signed, and its MX records do not fit the signature (DNSSEC)";
    assert_eq!(scene.trace().await, format!("deferred null {reason}"));
    scene.app.dns.set("one.test MX 10 mx.one.test").await;
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(scene.arrived(), [false]);

    let scene = self::scene().await;
    scene.app.dns.forge(&tlsa(&scene, &names(&KeyPair::generate().unwrap()))).await;
    scene.post().await;
    let reason = "mx.one.test: its DNS records are signed and do not fit the signature (DNSSEC)";
    assert_eq!(scene.trace().await, format!("deferred null {reason}"));
}

#[tokio::test]
async fn a_signed_zone_that_says_nothing_of_certificates_gets_mail_as_ever() {
    let scene = scene().await;
    scene.post().await;
    assert_eq!(scene.arrived(), [false]);
}

#[tokio::test]
async fn tlsa_records_of_unsigned_zones_are_ignored() {
    let zone = "
        free.test MX 10 mx.free.test
        mx.free.test A 127.0.0.1
    ";
    let scene = Scene::signed(answer("404 Not Found", "text/plain", ""), zone).await;
    let list = scene.app.list("free").member("a@free.test").create().await;
    let record = tlsa(&scene, &names(&KeyPair::generate().unwrap())).replace("one.test", "free.test");
    scene.app.dns.set(&record).await;
    scene.app.send_mail("a@free.test", &list.address, POST).await;
    scene.app.settle().await;
    assert_eq!(scene.arrived(), [false]);
}

#[tokio::test]
async fn a_resolver_that_strips_signatures_keeps_no_mail_back() {
    // The root is taken for signed, as it always is, and nothing comes signed.
    let scene = Scene::with(answer("404 Not Found", "text/plain", ""), SIGNED, "mta-sts.one.test").await;
    publish(&scene, &names(&KeyPair::generate().unwrap())).await;
    scene.post().await;
    assert_eq!(scene.arrived(), [false]);
}

#[tokio::test]
async fn a_name_server_that_fails_at_the_questions_of_dnssec_keeps_no_mail_back() {
    // NS and DS: whether the zone is signed cannot be found out.
    let zone = format!("{SIGNED}free.test MX 10 mx.free.test\nmx.free.test A 127.0.0.1\n");
    let scene = Scene::build(answer("404 Not Found", "text/plain", ""), "mta-sts.one.test", |builder| {
        builder.dns(&zone).signed().config(|config| {
            config.dns_server = config.dns_server.map(|server| failing_at(server, &[2, 43], Arc::default()));
        })
    });
    let scene = scene.await;
    let list = scene.app.list("free").member("a@free.test").create().await;
    scene.app.send_mail("a@free.test", &list.address, POST).await;
    scene.app.settle().await;
    assert_eq!(scene.arrived(), [false]);

    // What is signed by the root still counts.
    publish(&scene, &names(&KeyPair::generate().unwrap())).await;
    scene.post().await;
    assert_eq!(scene.arrived(), [false], "nothing more");
}

#[tokio::test]
async fn what_waited_for_the_dns_is_not_sent_without_what_the_dns_says_then() {
    let line = Arc::new(Line::new());
    let asked = Arc::clone(&line);
    let scene = Scene::build(answer("404 Not Found", "text/plain", ""), "mta-sts.one.test", |builder| {
        builder.dns(SIGNED).signed().config(move |config| {
            config.dns_server = config.dns_server.map(|server| asked.to(server));
            config.patience.question = Duration::from_millis(100);
        })
    });
    let scene = scene.await;
    let key = KeyPair::generate().unwrap();
    publish(&scene, &names(&key)).await;
    line.disturb(Trouble::Fails).await;
    scene.post().await;
    assert!(scene.trace().await.starts_with("deferred null The DNS gave no answer"));
    line.mend().await;
    scene.app.advance(5 * MINUTE).await;
    let trace = scene.trace().await;
    assert!(trace.ends_with("say which certificate it has (DANE)"), "{trace}");
    scene.app.sink.offer_tls(scene.authority.server_with("mx.one.test", &key));
    scene.app.advance(15 * MINUTE).await;
    assert_eq!(scene.arrived(), [true]);
}

#[tokio::test]
async fn a_message_that_asks_for_tls_may_go_where_the_dns_proves_the_server() {
    let scene = scene().await;
    scene.app.sink.with_requiretls();
    scene.offer_tls("mx.one.test");
    scene.post_requiring_tls(POST).await;
    assert_eq!(scene.arrived(), [true], "the name is proven by DNSSEC, the certificate by an authority");

    let scene = self::scene().await;
    let key = KeyPair::generate().unwrap();
    scene.app.sink.with_requiretls();
    publish(&scene, &names(&key)).await;
    scene.app.sink.offer_tls(Authority::new().server_with("elsewhere.test", &key));
    scene.post_requiring_tls(POST).await;
    assert_eq!(scene.arrived(), [true], "both by DNSSEC");
}

#[tokio::test]
async fn tls_required_no_overrides_dane() {
    let scene = scene().await;
    publish(&scene, &names(&KeyPair::generate().unwrap())).await;
    scene.app.send_mail("a@one.test", &scene.list, "TLS-Required: No\nSubject: hello\n\nhi").await;
    scene.app.settle().await;
    assert_eq!(scene.arrived(), [false]);
}
