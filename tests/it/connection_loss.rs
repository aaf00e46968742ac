//! A server repeatedly closes the connection at one recipient: the others still get their copies.

use std::time::Duration;

use crier::config::{Config, Delivery};

use crate::harness::TestApp;
use crate::harness::sink::Act;

const MEMBERS: usize = 10;

fn member(number: usize) -> String {
    format!("member{number}@example.org")
}

/// Posts to a list, at some of whose members the relay closes the connection; goes on for some hours.
async fn post(delivery: Delivery, has_pipelining: bool, bad: &[usize]) -> TestApp {
    let app = TestApp::builder().config(move |config: &mut Config| config.delivery = delivery).start().await;
    let list = app.list("news").members(MEMBERS).create().await;
    if !has_pipelining {
        app.sink.without_pipelining();
    }
    for bad in bad {
        app.sink.script(&member(*bad), Act::DropAtRcpt, u32::MAX);
    }
    app.send_mail(&member(1), &list.address, "Subject: hello\n\nhi").await;
    app.settle().await;
    app
}

/// Everybody but those has one copy.
#[track_caller]
fn check(app: &TestApp, bad: &[usize]) {
    let mut good: Vec<String> = (1..=MEMBERS).filter(|number| !bad.contains(number)).map(member).collect();
    good.sort();
    assert_eq!(app.sink.to_members(), good);
}

#[tokio::test]
async fn other_recipients_get_their_copies_in_the_same_attempt() {
    for has_pipelining in [true, false] {
        let app = post(Delivery::Individual, has_pipelining, &[4, 7]).await;
        check(&app, &[4, 7]);
        assert_eq!(app.trace(&member(4)).await["state"], "deferred");
    }
}

#[tokio::test]
async fn failing_first_recipients_do_not_block_the_others_for_ever() {
    for has_pipelining in [true, false] {
        let app = post(Delivery::Individual, has_pipelining, &[1, 2, 3]).await;
        for _ in 0..5 {
            app.advance(Duration::from_hours(4)).await;
        }
        check(&app, &[1, 2, 3]);
    }
}

#[tokio::test]
async fn recipients_who_shared_a_copy_with_the_failing_one_get_another() {
    let app = post(Delivery::Batched, true, &[4]).await;
    check(&app, &(1..=MEMBERS).collect::<Vec<_>>());
    for _ in 0..8 {
        app.advance(Duration::from_hours(4)).await;
    }
    check(&app, &[4]);
}
