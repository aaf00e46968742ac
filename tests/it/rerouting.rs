//! Copies that waited for relays and went to their domains once there were none, or the other way round: who they were
//! for stays known.

use std::time::Duration;

use crier::config::{Config, Delivery, Relay};
use serde_json::{Value, json};

use crate::bounces::gone;
use crate::harness::TestApp;
use crate::harness::sink::Act;

const POST: &str = "Subject: hello\n\nhi";
const MEMBERS: [&str; 4] = ["a@one.test", "b@one.test", "c@two.example.org", "d@two.example.org"];
const LATER: &str = "451 4.3.0 Try again later";
const COMPLAINT: &str = "From: fbl@provider.example\nSubject: abuse\nMIME-Version: 1.0\n\
     Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n\
     --b\n\nThis is an abuse report.\n\
     --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\
     --b--\n";

/// The first member and the last get their copies from their domains, the others from a relay.
async fn regrouped(delivery: Delivery, deferred: Act) -> (TestApp, [String; 4]) {
    let app = TestApp::builder()
        .dns("one.test A 127.0.0.1\ntwo.example.org A 127.0.0.1")
        // Reports come from the provider of two.example.org.
        .dns("client.example.org TXT v=spf1 ip4:127.0.0.1 -all")
        .config(move |config: &mut Config| config.delivery = delivery);
    let mut app = app.start().await;
    let mut list = app.list("news");
    for member in MEMBERS {
        list = list.member(member);
    }
    let list = list.create().await;
    for member in [MEMBERS[0], MEMBERS[3]] {
        app.sink.script(member, deferred, 1);
    }
    app.send_mail(MEMBERS[0], &list.address, POST).await;
    app.settle().await;
    let senders = MEMBERS.map(|member| app.sink.sender_to(member));
    without_relays(&mut app).await;
    (app, senders)
}

async fn without_relays(app: &mut TestApp) {
    app.restart_with(|config| {
        config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
        config.allow_private_mx = true;
    })
    .await;
    app.settle().await;
}

/// What the API says of every copy, by address.
async fn states(app: &TestApp) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut rows = Vec::new();
    // Pages of three, so that one begins within a batch.
    for page in 1..=2 {
        let path = format!("/api/2/messages/1/deliveries/?limit=3&page={page}");
        let listing = app.admin.get(&path).await.good();
        assert_eq!(listing["count"], 4, "{listing}");
        rows.extend(listing["data"].as_array().expect("a listing has data").clone());
    }
    let mut states: Vec<_> = rows.iter().map(|row| (text(&row["email"]), text(&row["state"]))).collect();
    states.sort();
    states
}

#[track_caller]
fn check(states: &[(String, String)], expected: [&str; 4]) {
    let found: Vec<(&str, &str)> =
        states.iter().map(|(email, state)| (email.as_str(), state.as_str())).collect();
    let expected: Vec<(&str, &str)> = MEMBERS.into_iter().zip(expected).collect();
    assert_eq!(found, expected);
}

async fn report(app: &TestApp, sender: &str, report: &str) {
    let reply = app.send_mail("", sender, report).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
}

#[tokio::test]
async fn each_copy_is_shown_once_with_every_answer() {
    let (app, _) = regrouped(Delivery::Individual, Act::AtData(LATER)).await;
    assert_eq!(app.sink.to_members(), MEMBERS);
    check(&states(&app).await, ["delivered"; 4]);
    let trace = app.trace(MEMBERS[0]).await;
    let words: Vec<&Value> =
        trace["trace"].as_array().unwrap().iter().map(|answered| &answered["reply"]).collect();
    assert_eq!(words, [&json!(LATER), &json!("250 2.0.0 Taken")]);
    assert_eq!(trace["attempts"], 2);
}

#[tokio::test]
async fn a_late_report_names_its_own_member_whether_moved_or_not() {
    let (app, senders) = regrouped(Delivery::Individual, Act::AtData(LATER)).await;
    // The relay had taken the second copy; it may have sent the last on as well, though it said otherwise.
    report(&app, &senders[1], &gone(MEMBERS[1])).await;
    check(&states(&app).await, ["delivered", "failed", "delivered", "delivered"]);
    report(&app, &senders[3], &gone(MEMBERS[3])).await;
    check(&states(&app).await, ["delivered", "failed", "delivered", "failed"]);
    report(&app, &senders[0], COMPLAINT).await;
    for (member, is_paused) in MEMBERS.into_iter().zip([true, false, false, false]) {
        assert_eq!(app.email(member).await["paused"], is_paused, "{member}");
    }
}

#[tokio::test]
async fn a_report_on_a_moved_copy_counts_once_whichever_envelope_it_comes_to() {
    let (app, senders) = regrouped(Delivery::Individual, Act::AtData(LATER)).await;
    let newer = app.sink.sender_to(MEMBERS[0]);
    assert_ne!(newer, senders[0]);
    for sender in [&senders[0], &newer] {
        report(&app, sender, &gone(MEMBERS[0])).await;
        app.advance(Duration::from_hours(48)).await;
    }
    assert_eq!(app.email(MEMBERS[0]).await["paused"], false);
}

#[tokio::test]
async fn a_late_report_on_a_shared_copy_is_placed_by_its_words() {
    let (app, senders) = regrouped(Delivery::Batched, Act::AtRcpt(LATER)).await;
    assert_eq!(senders[0], senders[3], "the envelope sender is the batch's");
    check(&states(&app).await, ["delivered"; 4]);
    for member in [MEMBERS[2], MEMBERS[3]] {
        report(&app, &senders[0], &gone(member)).await;
    }
    check(&states(&app).await, ["delivered", "delivered", "failed", "failed"]);
}

#[tokio::test]
async fn a_bounce_finds_its_recipient_by_the_old_envelope_of_a_rerouted_batch() {
    let mut app = TestApp::builder().dns("one.test A 127.0.0.1").start().await;
    let list = app.list("news").member("a@one.test").create().await;
    app.sink.script("a@one.test", Act::DropAfterData, 1);
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    let sender = app.sink.sender_to("a@one.test");
    without_relays(&mut app).await;
    assert_eq!(app.trace("a@one.test").await["state"], "delivered");
    report(&app, &sender, &gone("a@one.test")).await;
    assert_eq!(app.trace("a@one.test").await["state"], "failed");

    assert!(app.dump("batch").contains("Moved"));
    app.advance(Duration::from_hours(31 * 24)).await;
    assert!(!app.dump("batch").contains("Batch"), "{}", app.dump("batch"));
}

#[tokio::test]
async fn what_waits_for_a_domain_goes_by_the_relay_once_there_is_one() {
    let mut app = TestApp::builder().dns("one.test A 127.0.0.1").start().await;
    without_relays(&mut app).await;
    let list = app.list("news").member("a@one.test").create().await;
    app.sink.script("a@one.test", Act::AtData(LATER), 1);
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    assert!(app.dump("batch").contains("Domain(\"one.test\")"), "{}", app.dump("batch"));

    app.restart_with(|config| {
        let host = "127.0.0.1".to_owned();
        config.relays = vec![Relay { host, port: config.mx_port, implicit_tls: false, credentials: None }];
    })
    .await;
    app.settle().await;
    let trace = app.trace("a@one.test").await;
    assert_eq!((&trace["state"], &trace["attempts"]), (&json!("delivered"), &json!(2)));
    let sent = app.dump("batch").lines().filter(|line| line.contains("state: Delivered")).collect::<String>();
    assert!(sent.contains("destination: Relay"), "{sent}");
}
