//! The log of the real program: each line has the id of what it is about, and a person finds their way by it.

use serde_json::{Value, json};

use crate::harness::program::{self, Program};
use crate::harness::sink::Sink;
use crate::harness::smtp::send_mail;

/// The lines of a log in JSON.
fn lines(server: &Program) -> Vec<Value> {
    server.log().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// A fact of a line: its own, or of what it is part of.
fn fact<'l>(line: &'l Value, name: &str) -> Option<&'l Value> {
    let spans = line["spans"].as_array().map_or(&[][..], Vec::as_slice);
    line.get(name).or_else(|| spans.iter().find_map(|span| span.get(name)))
}

fn says(line: &Value, words: &str) -> bool {
    line["message"].as_str().is_some_and(|message| message.contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_found_in_the_log_by_the_id_in_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let key = program::setup(folder.path(), "news");
    let server = Program::start(folder.path(), "127.0.0.1:9".parse().unwrap(), &["--log-level", "debug"]);
    let client = server.client(&key);
    let mut ids = Vec::new();
    for (path, status, words) in [
        ("/no-such-page/", 404, "A page answered 404"),
        ("/api/2/lists/none/", 404, "A request (api) was answered 404"),
        ("/api/2/lists/", 200, "A request (api) was answered 200"),
        ("/healthz", 200, "A request (health) was answered 200"),
    ] {
        // What a client calls its request is its own business.
        let headers = [("X-Request-Id", "mine"), ("Authorization", &format!("Bearer {key}"))];
        let answer = client.request("GET", path, &headers, b"").await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        let id = answer.header("x-request-id").expect("every answer has one").to_owned();
        let found = lines(&server);
        let of_request: Vec<&Value> =
            found.iter().filter(|line| fact(line, "request.id") == Some(&json!(id))).collect();
        assert!(of_request.iter().any(|line| says(line, words)), "{path} {id}: {found:?}");
        if path == "/no-such-page/" {
            assert!(answer.body.contains(&id), "the page names it: {}", answer.body);
        }
        ids.push(id);
    }
    // What is done for a request in the one place that writes belongs to it, too.
    let fields = [("name", "second")];
    let id = client.post("/api/2/lists/", &fields).await.header("x-request-id").unwrap().to_owned();
    assert!(!ids.contains(&id), "each request has its own");
    assert!(!server.log().contains("mine"), "{}", server.log());
    server.stop();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_followed_by_its_id_from_its_receipt_to_its_delivery() {
    let folder = tempfile::tempdir().unwrap();
    let key = program::setup(folder.path(), "news");
    let sink = Sink::start().await;
    let server = Program::start(folder.path(), sink.addr(), &["--log-level", "debug"]);
    let client = server.client(&key);
    for member in ["ada@example.org", "bob@example.org"] {
        client.post("/api/2/contacts/", &[("emails", member), ("lists", "news")]).await.good();
    }
    let post = "From: ada@example.org\nTo: news@lists.example.org\nSubject: Hello\nMessage-ID: <a@example.org>\n\nHello";
    let reply = send_mail(server.smtp_addr, "ada@example.org", &["news@lists.example.org"], post).await;
    assert_eq!(reply.code, 250, "{}", reply.text);
    sink.wait_for(2).await;
    let found = loop {
        let found = lines(&server);
        if found.iter().any(|line| says(line, "copies delivered")) {
            break found;
        }
        tokio::task::yield_now().await;
    };
    let received = found.iter().find(|line| says(line, "A message from ada@example.org to news was decided"));
    let received = received.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(fact(received, "message.message_id"), Some(&json!("a@example.org")), "{received}");
    assert!(fact(received, "session.id").is_some(), "the connection by which it came: {received}");
    let id = fact(received, "message.id").and_then(Value::as_u64).expect("it has an id from now on");
    let delivered = found.iter().find(|line| says(line, "copies delivered")).unwrap();
    assert_eq!(fact(delivered, "batch.payload"), Some(&json!(format!("message {id}"))), "{delivered}");
    assert!(fact(delivered, "batch.id").is_some(), "{delivered}");
    server.stop();
}
