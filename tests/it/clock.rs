//! The time of day is set, forwards and backwards: nothing ends before its time, and nothing waits for ever.

use std::time::Duration;

use crate::harness::TestApp;

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);
const POST: &str = "Subject: hello\n\nhi";
const HELD: &str = "From: eve@example.net\nSubject: held\n\nhi";

impl TestApp {
    /// Sets the time of day forward; time goes by until it is noticed.
    async fn set_forward(&self, by: Duration) {
        self.clock.set(self.clock.now() + by);
        self.advance(MINUTE).await;
    }

    async fn set_back(&self, by: Duration) {
        self.clock.set(self.clock.now().before(by));
        self.advance(MINUTE).await;
    }
}

/// A server on whose list a message waits.
async fn with_held() -> TestApp {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.send_mail("eve@example.net", &list.address, HELD).await;
    app.settle().await;
    app
}

async fn held_state(app: &TestApp) -> String {
    app.admin.get("/api/2/held/1/").await.good()["state"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_clock_that_is_wrong_for_less_than_a_day_discards_nothing_that_is_held() {
    let app = with_held().await;
    app.set_forward(400 * DAY).await;
    app.advance(23 * DAY / 24).await;
    assert_eq!(held_state(&app).await, "held");
    app.set_back(400 * DAY).await;
    assert_eq!(held_state(&app).await, "held");
    app.advance(29 * DAY).await;
    assert_eq!(held_state(&app).await, "held");
    app.advance(DAY / 24).await;
    assert_eq!(held_state(&app).await, "discarded", "its own time is over all the same");
}

#[tokio::test]
async fn a_clock_set_forward_is_trusted_after_a_day() {
    let app = with_held().await;
    app.set_forward(31 * DAY).await;
    assert_eq!(held_state(&app).await, "held");
    app.advance(DAY).await;
    assert_eq!(held_state(&app).await, "discarded");
}

#[tokio::test]
async fn a_repeated_call_is_recognised_while_the_clock_is_wrong() {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "k")];
    let body = br#"{"list": "news", "subject": "Hi", "content_plain": "x"}"#;
    let call = async || app.admin.request("POST", "/api/2/messages/", &headers, body).await.good();
    let first = call().await;
    app.set_forward(2 * DAY).await;
    assert_eq!(call().await["id"], first["id"]);
    app.set_back(2 * DAY).await;
    assert_eq!(call().await["id"], first["id"]);
    app.settle().await;
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn a_redelivered_post_is_recognised_while_the_clock_is_wrong() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    let post = "Subject: hello\nMessage-ID: <1@example.org>\n\nhi";
    app.send_mail("member1@example.org", &list.address, post).await;
    app.set_forward(10 * DAY).await;
    app.set_back(10 * DAY).await;
    app.send_mail("member1@example.org", &list.address, post).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_day_forward_and_back_loses_no_copy_and_sends_none_twice() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", 2);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    app.set_forward(DAY).await;
    assert_eq!(app.sink.copies(), 2, "it is tried, and put off again");
    app.set_back(DAY).await;
    app.advance(15 * MINUTE).await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org", "member3@example.org"]);
}

#[tokio::test]
async fn an_address_is_probed_again_after_a_clock_that_was_years_ahead() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.sink.refuse("member2@example.org");
    app.set_forward(800 * DAY).await;
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    assert_eq!(app.email("member2@example.org").await["paused"], true);
    app.sink.script("member2@example.org", crate::harness::sink::Act::AtRcpt(""), 0);
    app.set_back(800 * DAY).await;
    app.advance(Duration::from_mins(3 * 24 * 60 - 1)).await;
    assert_eq!(app.sink.copies(), 1);
    app.advance(MINUTE).await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member2@example.org"]);
}

#[tokio::test]
async fn a_summary_comes_the_next_morning_after_a_clock_that_was_years_ahead() {
    let app = TestApp::start().await;
    let list = app.list("news").with("notify_approval", "daily").members(1).create().await;
    let moderator = [
        ("username", "ada@example.org"),
        ("permissions", "approve_messages"),
        ("notifications", "held_message"),
        ("welcome_email", "0"),
    ];
    app.admin.post("/api/2/admins/", &moderator).await.good();
    app.set_forward(800 * DAY).await;
    app.send_mail("eve@example.net", &list.address, HELD).await;
    app.set_back(800 * DAY).await;
    app.advance(DAY).await;
    assert_eq!(app.sink.to_members(), ["ada@example.org"]);
}
