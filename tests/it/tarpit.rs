//! Servers that answer each command in its time, and take their time all together: they keep no place for long.

use std::time::Duration;

use crier::config::{Config, Patience, Relay};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::harness::TestApp;
use crate::harness::sink::{Act, Sink};
use crate::metrics::watched;

const POST: &str = "Subject: hello\n\nhi";
const FIRST: &str = "member1@example.org";
const RETRY: Duration = Duration::from_mins(5);
const HALF_AN_HOUR: Duration = Duration::from_mins(30);

/// A server whose relay does as `act` says for the first of five members, once it does.
async fn stalled(app: &TestApp, act: Act) {
    let list = app.list("news").members(5).create().await;
    app.sink.script(FIRST, act, 1);
    app.send_mail(FIRST, &list.address, POST).await;
    app.sink.wait_for_stalled(1).await;
}

/// What was answered on the first member's copy, in order.
async fn answers(app: &TestApp) -> Vec<String> {
    let trace = app.trace(FIRST).await;
    let answered = trace["trace"].as_array().expect("a delivery has a trace").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    answered.map(|answered| text(&answered["reply"])).collect()
}

/// Everybody, each once.
fn everybody() -> Vec<String> {
    (1..=5).map(|number| format!("member{number}@example.org")).collect()
}

#[tokio::test]
async fn a_slow_server_is_abandoned_and_every_member_still_gets_a_copy() {
    for has_pipelining in [true, false] {
        let app = TestApp::start().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        stalled(&app, Act::LateAtRcpt).await;
        app.clock.advance(HALF_AN_HOUR);
        app.sink.release();
        app.settle().await;
        assert_eq!(app.sink.copies(), 0, "it is left alone for a while");
        app.advance(RETRY).await;
        let answers = answers(&app).await;
        assert!(answers.len() == 2 && answers[0].ends_with("the server takes too long"), "{answers:?}");
        assert_eq!(answers[1], "250 2.0.0 Taken");
        assert_eq!(app.sink.to_members(), everybody());
    }
}

#[tokio::test]
async fn a_server_slow_within_limits_is_not_abandoned() {
    let app = TestApp::start().await;
    stalled(&app, Act::LateAtRcpt).await;
    app.clock.advance(Duration::from_mins(29));
    app.sink.release();
    app.settle().await;
    assert_eq!(answers(&app).await, ["250 2.0.0 Taken"]);
    assert_eq!((app.sink.copies(), app.sink.connections()), (5, 1));
}

#[tokio::test]
async fn a_message_sent_in_full_waits_for_its_reply_and_is_not_sent_again() {
    for has_pipelining in [true, false] {
        let app = TestApp::builder().config(watched).start().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        stalled(&app, Act::LateAtData).await;
        app.clock.advance(4 * HALF_AN_HOUR);
        app.sink.release();
        app.settle().await;
        assert_eq!(answers(&app).await, ["250 2.0.0 Taken"]);
        assert_eq!(app.sink.to_members(), everybody());
        // It had its time, and the rest took its turn with all others.
        let interrupted = r#"crier_delivery_attempts_total{destination="relay",result="interrupted"}"#;
        app.samples().await.is(interrupted, 1.0);
    }
}

fn relay(sink: &Sink) -> Relay {
    let (host, port) = (sink.addr().ip().to_string(), sink.addr().port());
    Relay { host, port, implicit_tls: false, credentials: None }
}

#[tokio::test]
async fn the_second_server_is_tried_after_a_slow_first_and_the_third_is_not() {
    let (second, third) = (Sink::start().await, Sink::start().await);
    let others = [relay(&second), relay(&third)];
    let app = TestApp::builder().config(move |config| config.relays.extend(others)).start().await;
    second.script(FIRST, Act::LateAtRcpt, 1);
    stalled(&app, Act::LateAtRcpt).await;
    app.clock.advance(HALF_AN_HOUR);
    app.sink.release();
    second.wait_for_stalled(1).await;
    app.clock.advance(HALF_AN_HOUR);
    second.release();
    app.settle().await;
    app.advance(RETRY).await;
    assert_eq!((app.sink.copies(), second.copies(), third.copies()), (5, 0, 0));
    let answers = answers(&app).await;
    assert!(answers.len() == 2 && answers[0].ends_with("the server takes too long"), "{answers:?}");
}

#[tokio::test]
async fn a_server_that_completes_no_connection_leaves_its_copies_to_the_next() {
    let silent = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let change = move |config: &mut Config| {
        config.patience = Patience { server_time: Duration::from_millis(300), ..Patience::default() };
        config.relays.insert(0, Relay { port, ..config.relays[0].clone() });
    };
    let app = TestApp::builder().config(change).start().await;
    let list = app.list("news").member("a@x.org").create().await;
    app.send_mail("a@x.org", &list.address, POST).await;
    app.sink.wait_for(1).await;
}
