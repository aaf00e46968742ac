//! What `/metrics` says of what happens: each family moves with what it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crier::config::Config;

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::http::Client;
use crate::harness::smtp::Dialogue;
use crate::{bounces, sender_auth};

const POST: &str = "Subject: hello\n\nhi";

pub(crate) fn watched(config: &mut Config) {
    config.metrics_listen = Some(([127, 0, 0, 1], 0).into());
}

/// A watched server whose list `news` has three members.
async fn start() -> (TestApp, TestList) {
    let app = TestApp::builder().config(watched).start().await;
    let list = app.list("news").members(3).create().await;
    (app, list)
}

/// Samples by their names with labels, as they are written.
pub(crate) struct Samples(BTreeMap<String, f64>);

impl Samples {
    /// Reads the text form of `OpenMetrics` 1.0, strictly: families are declared, with help, before their samples;
    /// each stands together; no sample is there twice; the end is marked.
    #[track_caller]
    fn parse(text: &str) -> Samples {
        let (mut samples, mut families, mut family) = (BTreeMap::new(), BTreeSet::new(), String::new());
        let body = text.strip_suffix("# EOF\n").expect("the end is marked");
        for line in body.lines() {
            if let Some(declared) = line.strip_prefix("# ") {
                let mut words = declared.splitn(3, ' ');
                let (what, name, said) =
                    (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
                if what == "HELP" {
                    assert!(families.insert(name.to_owned()), "{name} is declared twice");
                    assert!(said.ends_with('.') && 10 < said.len(), "{line}");
                    name.clone_into(&mut family);
                }
                assert_eq!(name, family, "{line}");
                continue;
            }
            let (name, value) = line.rsplit_once(' ').unwrap();
            let bare = name.split('{').next().unwrap();
            let suffix = bare.strip_prefix(&family).unwrap_or_else(|| panic!("{line} is not of {family}"));
            assert!(["", "_total", "_sum", "_count", "_bucket"].contains(&suffix), "{line}");
            assert!(samples.insert(name.to_owned(), value.parse().unwrap()).is_none(), "{line} stands twice");
        }
        Samples(samples)
    }

    #[track_caller]
    fn of(&self, name: &str) -> f64 {
        *self.0.get(name).unwrap_or_else(|| panic!("there is no {name} in {:#?}", self.0.keys()))
    }

    /// A sample must have this value.
    #[track_caller]
    pub(crate) fn is(&self, name: &str, expected: f64) {
        let found = self.of(name);
        assert!((found - expected).abs() < f64::EPSILON, "{name} is {found} instead of {expected}");
    }
}

impl TestApp {
    fn watcher(&self) -> Client {
        Client::new(self.metrics_addr())
    }

    pub(crate) async fn samples(&self) -> Samples {
        let answer =
            self.watcher().raw(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
        assert_eq!(answer.status, 200);
        Samples::parse(&answer.body)
    }

    /// Samples must have grown by so much while something happened.
    #[track_caller]
    fn grown(before: &Samples, after: &Samples, expected: &[(&str, f64)]) {
        for (name, by) in expected {
            let grown = after.of(name) - before.of(name);
            assert!((grown - by).abs() < f64::EPSILON, "{name} grew by {grown} instead of {by}");
        }
    }
}

#[tokio::test]
async fn a_post_is_counted_on_its_way_in_and_out() {
    let (app, list) = start().await;
    let before = app.samples().await;
    app.sink.defer("member2@example.org", 1);
    app.sink.refuse("member3@example.org");
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    let after = app.samples().await;
    TestApp::grown(
        &before,
        &after,
        &[
            (r#"crier_smtp_sessions_total{protocol="smtp",outcome="admitted"}"#, 1.0),
            (r#"crier_messages_received_total{protocol="smtp",outcome="accepted"}"#, 1.0),
            (r#"crier_messages_decided_total{verdict="post"}"#, 1.0),
            (r#"crier_delivery_copies_total{destination="relay",outcome="delivered"}"#, 1.0),
            (r#"crier_delivery_copies_total{destination="relay",outcome="deferred"}"#, 1.0),
            (r#"crier_delivery_copies_total{destination="relay",outcome="failed"}"#, 1.0),
            (r#"crier_bounces_total{source="delivery",kind="dead"}"#, 1.0),
            (r#"crier_delivery_attempts_total{destination="relay",result="done"}"#, 1.0),
            (r#"crier_delivery_attempt_duration_seconds_count{destination="relay"}"#, 1.0),
            (r#"crier_delivery_attempt_duration_seconds_bucket{le="+Inf",destination="relay"}"#, 1.0),
            (r#"crier_delivery_connection_attempts_total{destination="relay",outcome="made"}"#, 1.0),
            (r#"crier_delivery_copies_total{destination="mx",outcome="delivered"}"#, 0.0),
            (r#"crier_queue_batches{kind="post",state="waiting"}"#, 1.0),
            (r#"crier_queue_copies{kind="post",state="waiting"}"#, 1.0),
        ],
    );
    let bytes = r#"crier_messages_received_bytes_total{protocol="smtp"}"#;
    assert!(before.of(bytes) + 20.0 < after.of(bytes));
    after.is(r#"crier_smtp_connections{protocol="smtp"}"#, 0.0);
    after.is(r#"crier_delivery_connections{destination="relay"}"#, 0.0);
    app.advance(Duration::from_mins(5)).await;
    TestApp::grown(
        &before,
        &app.samples().await,
        &[
            (r#"crier_queue_batches{kind="post",state="waiting"}"#, 0.0),
            (r#"crier_queue_copies{kind="post",state="waiting"}"#, 0.0),
            (r#"crier_delivery_copies_total{destination="relay",outcome="delivered"}"#, 2.0),
        ],
    );
}

#[tokio::test]
async fn a_connection_is_counted_as_long_as_it_is_open() {
    let (app, _) = start().await;
    let mut client = Dialogue::connect(app.smtp_addr()).await;
    client.expect(220).await;
    app.samples().await.is(r#"crier_smtp_connections{protocol="smtp"}"#, 1.0);
    client.say("QUIT", 221).await;
    client.expect_close().await;
}

#[tokio::test]
async fn what_is_held_or_refused_is_counted_by_the_reason() {
    let app = TestApp::builder().config(watched).dns(&sender_auth::zone()).start().await;
    let held = app.list("held").with("send_hold_message", "1").create().await;
    let strict = app.list("strict").with("message_rejections", "reject").members(1).create().await;
    let open = app.list("open").open().member("m@x.org").create().await;
    let before = app.samples().await;
    app.send_mail("stranger@example.net", &held.address, POST).await;
    app.send_mail("stranger@example.net", "nobody@lists.example.org", POST).await;
    app.send_mail("m@x.org", &open.address, "From: ada@strict.test\nSubject: forged\n\nhi").await;
    app.send_mail("m@x.org", &open.address, "Subject: bad\n\nhi \0").await;
    app.send_mail("stranger@example.net", &strict.address, POST).await;
    app.settle().await;
    let after = app.samples().await;
    let expected = [
        (r#"crier_messages_decided_total{verdict="hold"}"#, 1.0),
        (r#"crier_messages_received_total{protocol="smtp",outcome="dmarc"}"#, 1.0),
        (r#"crier_messages_received_total{protocol="smtp",outcome="rejected"}"#, 1.0),
        (r#"crier_system_mails_total{kind="hold"}"#, 1.0),
        (r#"crier_queue_batches{kind="system_mail",state="waiting"}"#, 0.0),
    ];
    TestApp::grown(&before, &after, &expected);
    let refusals = r#"crier_smtp_replies_total{protocol="smtp",class="5xx"}"#;
    assert!(before.of(refusals) + 3.0 <= after.of(refusals));
}

#[tokio::test]
async fn reports_complaints_and_alerts_are_counted() {
    let (app, list) = start().await;
    let fields =
        [("username", "boss@example.org"), ("permissions", "manage_members"), ("notifications", "complaint")];
    app.admin.post("/api/2/admins/", &fields).await.good();
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    let before = app.samples().await;
    let sender = |address: &str| app.sink.mail_to(address).from;
    let complaint = include_str!("../fixtures/bounces/arf-abuse.eml");
    app.send_mail("", &sender("member2@example.org"), complaint).await;
    app.send_mail("", &sender("member3@example.org"), &bounces::gone("member3@example.org")).await;
    app.settle().await;
    let expected = [
        ("crier_complaints_total", 1.0),
        (r#"crier_alerts_total{kind="complaint"}"#, 1.0),
        (r#"crier_bounces_total{source="report",kind="dead"}"#, 1.0),
        (r#"crier_system_mails_total{kind="problem"}"#, 1.0),
    ];
    TestApp::grown(&before, &app.samples().await, &expected);
}

#[tokio::test]
async fn copies_whose_retries_ended_are_counted() {
    let (app, list) = start().await;
    app.sink.defer("member2@example.org", u32::MAX);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    let before = app.samples().await;
    app.advance(Duration::from_hours(5 * 24)).await;
    let expired = r#"crier_delivery_copies_total{destination="relay",outcome="expired"}"#;
    TestApp::grown(&before, &app.samples().await, &[(expired, 1.0)]);
}

#[tokio::test]
async fn requests_are_counted_by_kind_of_path_and_of_answer() {
    let (app, _) = start().await;
    let before = app.samples().await;
    app.admin.get("/api/2/lists/").await.good();
    app.admin.get("/api/2/lists/7/").await.error(404, "list");
    app.anon.get("/unsubscribe/aaaa/").await;
    app.anon.get("/healthz").await;
    let expected = [
        (r#"crier_http_requests_total{route="api",status="2xx"}"#, 1.0),
        (r#"crier_http_requests_total{route="api",status="4xx"}"#, 1.0),
        (r#"crier_http_requests_total{route="page",status="4xx"}"#, 1.0),
        (r#"crier_http_requests_total{route="health",status="2xx"}"#, 1.0),
        (r#"crier_http_request_duration_seconds_count{route="api"}"#, 2.0),
        (r#"crier_http_requests_total{route="metrics",status="2xx"}"#, 1.0),
    ];
    TestApp::grown(&before, &app.samples().await, &expected);
}

#[tokio::test]
async fn commits_the_file_and_the_process_are_measured() {
    let (app, list) = start().await;
    let before = app.samples().await;
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    let after = app.samples().await;
    for name in
        ["crier_store_jobs_total", "crier_store_commit_jobs_count", "crier_store_commit_duration_seconds_sum"]
    {
        assert!(before.of(name) < after.of(name), "{name}");
    }
    assert!(after.of("crier_store_commit_jobs_count") <= after.of("crier_store_jobs_total"));
    assert!(0.0 < after.of("crier_store_file_bytes") && 0.0 < after.of("crier_store_cache_limit_bytes"));
    assert!(1e6 < after.of("process_resident_memory_bytes"));
    after.is("process_start_time_seconds", 1_795_176_000.0);
    let build = format!("crier_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    after.is(&build, 1.0);
}

#[tokio::test]
async fn the_queue_tells_what_is_held_and_for_how_long_it_has_been_due() {
    let (app, list) = start().await;
    app.sink.defer("member2@example.org", u32::MAX);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    app.samples().await.is("crier_queue_oldest_due_age_seconds", 0.0);
    // The bell is not rung: nobody has looked yet.
    app.clock.advance(Duration::from_mins(6));
    app.samples().await.is("crier_queue_oldest_due_age_seconds", 60.0);
    crate::harness::program::run(&["queue", "hold", "--all"], app.folder());
    app.settle().await;
    let samples = app.samples().await;
    samples.is(r#"crier_queue_copies{kind="post",state="held"}"#, 1.0);
    samples.is("crier_queue_oldest_due_age_seconds", 0.0);
    samples.is("crier_queue_fanouts_pending", 0.0);
}

#[tokio::test]
async fn the_listener_answers_metrics_and_nothing_else() {
    let (app, _) = start().await;
    let ask = async |method: &str, path: &str| {
        let request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        app.watcher().raw(request.as_bytes()).await
    };
    let answer = ask("GET", "/metrics").await;
    let kind = answer.headers.iter().find(|(name, _)| name == "content-type").map(|(_, kind)| kind.as_str());
    assert_eq!(kind, Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let head = ask("HEAD", "/metrics").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert_eq!(ask("POST", "/metrics").await.status, 405);
    for path in ["/", "/healthz", "/api/2/lists/", "/metrics/"] {
        assert_eq!(ask("GET", path).await.status, 404, "{path}");
    }
    assert_eq!(app.anon.get("/metrics").await.status, 404, "not where everybody can ask");
}
