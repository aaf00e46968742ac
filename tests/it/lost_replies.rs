//! A relay takes the text of a copy, and its answer never comes: nobody can know whether it was taken, so that copy comes
//! again, and no other does.

use std::time::Duration;

use crier::config::Patience;

use crate::harness::TestApp;
use crate::harness::sink::Act;

const MEMBERS: usize = 20;
const DOUBTFUL: &str = "member7@example.org";
const RETRY: Duration = Duration::from_mins(5);

/// Sends a post of which the relay does as `act` says with one copy.
async fn post(app: &TestApp, act: Act) {
    let list = app.list("news").members(MEMBERS).create().await;
    app.sink.script(DOUBTFUL, act, 1);
    app.send_mail("member1@example.org", &list.address, "Subject: hello\n\nhi").await;
}

/// The relay has taken the one copy twice, and every other once.
#[track_caller]
fn check(app: &TestApp) {
    let mut expected: Vec<String> =
        (1..=MEMBERS).map(|number| format!("member{number}@example.org")).collect();
    expected.push(DOUBTFUL.to_owned());
    expected.sort();
    assert_eq!(app.sink.to_members(), expected);
}

#[tokio::test]
async fn a_connection_lost_after_the_data_repeats_only_that_copy() {
    for has_pipelining in [true, false] {
        let app = TestApp::start().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        post(&app, Act::TakeAndDrop).await;
        app.settle().await;
        app.advance(RETRY).await;
        check(&app);
    }
}

#[tokio::test]
async fn a_reply_that_times_out_repeats_only_that_copy() {
    for has_pipelining in [true, false] {
        let patience = Patience { data: Duration::from_millis(300), ..Patience::default() };
        let app = TestApp::builder().config(move |config| config.patience = patience).start().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        post(&app, Act::LateAtData).await;
        app.settle().await;
        app.sink.release();
        app.advance(RETRY).await;
        app.sink.wait_for(MEMBERS + 1).await;
        check(&app);
    }
}

#[tokio::test]
async fn a_shutdown_before_the_reply_repeats_only_that_copy() {
    let mut app = TestApp::builder().config(|config| config.drain = Duration::from_millis(200)).start().await;
    post(&app, Act::LateAtData).await;
    app.sink.wait_for_stalled(1).await;
    app.restart().await;
    app.sink.release();
    app.settle().await;
    app.sink.wait_for(MEMBERS + 1).await;
    check(&app);
}
