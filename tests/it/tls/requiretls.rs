//! REQUIRETLS and `TLS-Required: No` (RFC 8689): what a sender asks of every server on the way.

use crier::config::Trust;

use super::{MINUTE, POST, Scene, ZONE, policy, send_requiring_tls};
use crate::harness::TestApp;
use crate::harness::tls::Authority;

/// A domain whose server is proven, unless a test takes that away.
async fn scene() -> Scene {
    let scene = Scene::new(policy("enforce")).await;
    scene.offer_tls("mx.one.test");
    scene
}

/// For each copy that arrived, whether it came with REQUIRETLS.
fn required(app: &TestApp) -> Vec<bool> {
    app.sink.mails().iter().map(|mail| mail.requires_tls).collect()
}

#[tokio::test]
async fn a_requiretls_post_is_sent_with_requiretls_to_every_member() {
    let scene = scene().await;
    scene.app.sink.with_requiretls();
    scene.post_requiring_tls(POST).await;
    assert_eq!(required(&scene.app), [true]);
    scene.post().await;
    assert_eq!(required(&scene.app), [true, false], "the next one does not ask");
}

#[tokio::test]
async fn a_server_without_requiretls_gets_only_other_mail() {
    let scene = scene().await;
    scene.post_requiring_tls(POST).await;
    assert_eq!(
        scene.trace().await,
        "failed null 5.7.30 mx.one.test: the server does not offer REQUIRETLS, and the message is for proven \
         servers alone (REQUIRETLS)"
    );
    scene.post().await;
    assert_eq!((scene.arrived(), scene.app.sink.connections()), (vec![true], 1));
}

#[tokio::test]
async fn a_server_that_is_not_proven_does_not_get_it() {
    let scene = Scene::new(policy("testing")).await;
    scene.app.sink.with_requiretls();
    scene.app.sink.offer_tls(Authority::new().server("mx.one.test"));
    scene.post_requiring_tls(POST).await;
    let trace = scene.trace().await;
    assert!(trace.starts_with("failed null 5.7.10 mx.one.test: TLS failed: "), "{trace}");

    let zone = ZONE.replace("v=STSv1", "nothing");
    let scene = Scene::with(policy("enforce"), &zone, "mta-sts.one.test").await;
    scene.offer_tls("mx.one.test");
    scene.app.sink.with_requiretls();
    scene.post_requiring_tls(POST).await;
    assert_eq!(scene.trace().await, "failed null 5.7.10 nothing proves that mx.one.test serves one.test");
    assert_eq!(scene.arrived(), [false; 0]);
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again() {
    let scene = scene().await;
    scene.app.sink.with_requiretls();
    scene.app.sink.refuse_connections(1);
    scene.post_requiring_tls(POST).await;
    assert!(scene.trace().await.starts_with("deferred null mx.one.test: 421"));
    scene.app.advance(5 * MINUTE).await;
    assert_eq!(required(&scene.app), [true]);
}

#[tokio::test]
async fn a_held_post_still_asks_for_tls_once_it_is_approved() {
    let scene = scene().await;
    scene.app.sink.with_requiretls();
    scene.app.list("held").member("b@one.test").create().await;
    send_requiring_tls(&scene.app, "held@lists.example.org", POST).await;
    scene.app.settle().await;
    let held = scene.app.admin.get("/api/2/held/").await.good()["data"][0]["id"].clone();
    scene.app.admin.put(&format!("/api/2/held/{held}/"), &[("action", "approve")]).await.good();
    scene.app.settle().await;
    assert_eq!(required(&scene.app), [true]);
}

#[tokio::test]
async fn what_an_alias_passes_on_still_asks_for_tls() {
    let scene = scene().await;
    scene.app.sink.with_requiretls();
    let alias = [("source", "info"), ("destination", "a@one.test")];
    scene.app.admin.post("/api/2/aliases/", &alias).await.good();
    send_requiring_tls(&scene.app, "info@lists.example.org", POST).await;
    scene.app.settle().await;
    assert_eq!(required(&scene.app), [true]);
}

#[tokio::test]
async fn tls_required_no_overrides_mta_sts() {
    let scene = Scene::new(policy("enforce")).await;
    let post = "TLS-Required: No\nSubject: hello\n\nhi";
    scene.app.send_mail("a@one.test", &scene.list, post).await;
    scene.app.settle().await;
    assert_eq!(scene.arrived(), [false]);
    assert_eq!(scene.policies.requests().len(), 0, "nobody asked for it");

    scene.post_requiring_tls(post).await;
    assert_eq!(scene.arrived(), [false], "REQUIRETLS counts, not the field");
}

#[tokio::test]
async fn a_relay_gets_it_where_it_is_proven_and_promises_the_same() {
    let authority = Authority::new();
    let trust = Trust { authorities: vec![authority.der()], ..Trust::default() };
    let app = TestApp::builder().config(|config| config.trust = trust).start().await;
    let list = app.list("news").member("a@one.test").create().await;
    app.sink.with_requiretls();
    app.sink.offer_tls(authority.server("127.0.0.1"));
    send_requiring_tls(&app, &list.address, POST).await;
    app.settle().await;
    assert_eq!(required(&app), [true]);

    app.sink.offer_tls(authority.server("127.0.0.2"));
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    assert_eq!(required(&app), [true, false], "a relay need not be proven else");
}
