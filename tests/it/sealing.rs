//! ARC seals of copies: which messages get one, what it says, and that it holds. They are verified by `mail-auth`, as
//! other servers' are when they come in.

use crier::model::CheckResult;
use mail_auth::arc::ArcSealer;
use mail_auth::common::crypto::Ed25519Key;
use mail_auth::common::headers::HeaderWriter as _;
use mail_auth::{ArcOutput, AuthenticatedMessage, AuthenticationResults};
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::sender_auth::{from, signed, verify, zone};

const ADA: &str = "ada@lenient.test";

async fn app() -> TestApp {
    TestApp::builder().dns(&zone()).start().await
}

/// What another server passes on: sealed by it under a domain of the zone.
fn sealed(message: &str) -> String {
    let message = message.replace("\r\n", "\n").replace('\n', "\r\n");
    let parsed = AuthenticatedMessage::parse(message.as_bytes()).unwrap();
    let key = include_bytes!("../fixtures/dkim/ed25519.pk8");
    let results = AuthenticationResults::new("relay.parent.test");
    let set = ArcSealer::from_key(Ed25519Key::from_pkcs8_maybe_unchecked_der(key).unwrap())
        .domain("parent.test")
        .selector("ed")
        .headers(["From", "To", "Subject", "DKIM-Signature"])
        .seal(&parsed, &results, &ArcOutput::default())
        .unwrap();
    format!("{}{message}", set.to_header())
}

/// The copies of a post, in the order of the members.
async fn copies(app: &TestApp, list: &TestList, message: &str) -> Vec<String> {
    app.sink.clear();
    let reply = app.send_mail(ADA, &list.address, message).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
    let mut mails = app.sink.mails();
    mails.sort_by(|one, other| one.to.cmp(&other.to));
    mails.iter().map(crate::harness::sink::Mail::text).collect()
}

/// The seals of a copy, unfolded, the newest first.
fn seals(copy: &str) -> Vec<String> {
    let unfolded = copy.replace("\n\t", " ");
    let seals = unfolded.lines().filter_map(|line| line.strip_prefix("ARC-Seal: "));
    seals.map(str::to_owned).collect()
}

/// What a receiver's server says of the chain of a copy.
async fn chain_of(copy: &str) -> CheckResult {
    verify("192.0.2.9", "bounces@lists.example.org", copy, None).await.arc
}

#[tokio::test]
async fn a_post_whose_sender_was_proven_is_sealed_with_what_was_found_out() {
    let app = app().await;
    let list = app.list("news").open().with("subject_prefix", "[News]").members(2).create().await;
    let copies = copies(&app, &list, &signed("lenient.test", &from(ADA))).await;
    assert_eq!(copies.len(), 2);
    for copy in &copies {
        assert!(
            copy.starts_with("ARC-Seal: i=1; a=rsa-sha256; cv=none;\n\td=lists.example.org; s="),
            "{copy}"
        );
        let results = "ARC-Authentication-Results: i=1; mx.example.org;\n\tdkim=pass header.d=lenient.test header.s=ed;\n\t\
                       dmarc=pass (p=none) header.from=lenient.test\n";
        assert!(copy.contains(results), "{copy}");
        assert_eq!(chain_of(copy).await, CheckResult::Pass, "{copy}");
        assert_eq!(chain_of(&copy.replace("[News]", "[Mews]")).await, CheckResult::Fail);
    }
    assert_eq!(seals(&copies[0]), seals(&copies[1]), "one seal serves all copies");
}

#[tokio::test]
async fn a_seal_covers_the_authors_signature_that_was_kept() {
    let app = app().await;
    let list = app.list("news").open().members(1).create().await;
    let complete = "Message-ID: <1@lenient.test>\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n";
    let message = signed("lenient.test", &format!("{complete}{}", from(ADA)));
    let copy = &copies(&app, &list, &message).await[0];
    assert_eq!(chain_of(copy).await, CheckResult::Pass, "{copy}");
    let without = copy.replace("d=lenient.test", "d=other.test");
    assert_ne!(chain_of(&without).await, CheckResult::Pass);
}

#[tokio::test]
async fn a_valid_chain_is_continued() {
    let app = app().await;
    let list = app.list("news").open().with("subject_prefix", "[News]").members(1).create().await;
    for message in [from("ada@unknown.test"), signed("strict.test", &from("ada@strict.test"))] {
        let copy = &copies(&app, &list, &sealed(&message)).await[0];
        let seals = seals(copy);
        assert_eq!(seals.len(), 2, "{copy}");
        assert!(seals[0].starts_with("i=2; a=rsa-sha256; cv=pass;"), "{copy}");
        assert!(copy.contains("ARC-Authentication-Results: i=2; mx.example.org;\n"), "{copy}");
        assert_eq!(chain_of(copy).await, CheckResult::Pass, "{copy}");
    }
}

#[tokio::test]
async fn a_broken_chain_is_closed_once_where_the_sender_is_proven_otherwise() {
    let app = app().await;
    let list = app.list("news").open().members(1).create().await;
    let broken = |message: &str| sealed(message).replace("relay.parent.test", "other.parent.test");
    let message = broken(&signed("lenient.test", &from(ADA)));
    let copy = &copies(&app, &list, &message).await[0];
    assert!(seals(copy)[0].starts_with("i=2; a=rsa-sha256; cv=fail;"), "{copy}");
    assert_eq!(chain_of(copy).await, CheckResult::Fail);

    let closed = message.replacen("cv=none", "cv=fail", 1);
    let copy = &copies(&app, &list, &closed).await[0];
    assert_eq!(seals(copy).len(), 1, "it was closed before: {copy}");
    let copy = &copies(&app, &list, &broken(&from("ada@unknown.test"))).await[0];
    assert_eq!(seals(copy).len(), 1, "nothing was proven: {copy}");
}

#[tokio::test]
async fn unauthenticated_messages_get_no_arc_seal() {
    let app = app().await;
    let list = app.list("news").open().members(1).create().await;
    let copy = &copies(&app, &list, &from("ada@unknown.test")).await[0];
    assert!(!copy.contains("ARC-") && copy.contains("DKIM-Signature"), "{copy}");
    app.sink.clear();
    let fields = [("list", "news"), ("content_plain", "hi"), ("from_address", "ada@lists.example.org")];
    app.admin.post("/api/2/messages/", &fields).await.good();
    app.settle().await;
    let copy = app.sink.mail_to("member1@example.org").text();
    assert!(!copy.contains("ARC-") && copy.contains("DKIM-Signature"), "a post by the API: {copy}");
}

#[tokio::test]
async fn a_personal_copy_under_its_authors_own_address_has_a_seal_of_its_own() {
    let app = app().await;
    let list = app.list("news").open().with("message_footer", "For $EMAIL").members(2).create().await;
    let sent = copies(&app, &list, &signed("lenient.test", &from(ADA))).await;
    assert_ne!(seals(&sent[0]), seals(&sent[1]));
    for copy in &sent {
        assert_eq!(chain_of(copy).await, CheckResult::Pass, "{copy}");
    }
    let rewritten = copies(&app, &list, &signed("strict.test", &from("ada@strict.test"))).await;
    assert_eq!(seals(&rewritten[0]), [""; 0], "our own signature proves our own address: {}", rewritten[0]);
}

#[tokio::test]
async fn authentication_results_of_hidden_authors_are_not_passed_on() {
    let app = app().await;
    let hiding = [("rewrite_sender", "true"), ("original_sender_mode", "hide")];
    let list = hiding.iter().fold(app.list("news").open(), |list, (name, value)| list.with(name, value));
    let list = list.members(1).create().await;
    let copy = &copies(&app, &list, &sealed(&signed("lenient.test", &from(ADA)))).await[0];
    assert!(!copy.contains("ARC-") && !copy.contains("lenient.test"), "{copy}");
}

#[tokio::test]
async fn a_copy_whose_arc_seal_cannot_be_made_is_sent_without_one() {
    let app = app().await;
    let domains = json!([{"name": "lists.example.org", "is_main": true}, {"name": "b.example.org"}]);
    let path = format!("/api/2/accounts/{}/", app.account_id());
    app.global().await.put_json(&path, &json!({"domains": domains})).await.good();
    app.change_domains(|domain| {
        if domain.is_main {
            domain.dkim.rsa_pkcs8 = b"no key".to_vec();
        }
    })
    .await;
    let list = app.list("news").open().members(1).create().await;
    // The domain of From signs, the list's domain would seal.
    let message = signed("lenient.test", &from("bob@b.example.org"));
    let copy = &copies(&app, &list, &message).await[0];
    assert!(!copy.contains("ARC-") && copy.contains("d=b.example.org;"), "{copy}");
}
