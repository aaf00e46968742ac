//! The limits of HTTP clients on memory, time, descriptors and cores: no client's requests stop those of others.

use std::fmt::Write as _;
use std::time::Duration;

use crier::model::Permission;

use crate::harness::TestApp;
use crate::harness::http::{Client, Connection};
use crate::harness::program::{self, Program};
use crate::harness::sink::Sink;
use crate::harness::smtp;

const CONTACTS: &str = "/api/2/contacts/";
const MESSAGES: &str = "/api/2/messages/";
const MIB: usize = 1 << 20;
/// Time that passes soon enough for a test.
const SOON: Duration = Duration::from_millis(300);

/// Sends only the head of a request with a body of this length, and reads the answer.
async fn head_alone(client: &Client, path: &str, length: usize) -> (u16, String) {
    let response = client.open(client.head("POST", path, length).as_bytes()).await.response().await;
    (response.status, response.body)
}

#[tokio::test]
async fn without_a_key_at_most_16_kib_of_a_body_are_read() {
    let app = TestApp::builder().config(|config| config.http.body_silence_max = SOON).start().await;
    for path in [CONTACTS, MESSAGES, "/api/2/lists/"] {
        assert_eq!(head_alone(&app.anon, path, 16 * 1024 + 1).await.0, 401, "{path}");
        assert_eq!(head_alone(&app.anon, path, MIB + 1).await.0, 413, "{path}");
        assert_eq!(head_alone(&app.anon, path, 16 * 1024).await.0, 408, "{path}: it is waited for");
        let unknown = app.anon.with_authorization(&format!("Bearer {}", "x".repeat(32)));
        assert_eq!(head_alone(&unknown, path, 16 * 1024 + 1).await.0, 401, "{path}");
    }
    let body = format!("notes={}", "x".repeat(16 * 1024 - 6));
    app.anon.request("POST", CONTACTS, &[], body.as_bytes()).await.error(401, "Authentication failed");
    app.anon.request("POST", CONTACTS, &[], format!("{body}x").as_bytes()).await.error(401, "");
    // Without a length it is measured.
    let chunked = "POST /api/2/contacts/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    let body = format!("{chunked}4001\r\n{}\r\n0\r\n\r\n", "x".repeat(0x4001));
    app.anon.raw(body.as_bytes()).await.error(401, "Authentication failed");
}

#[tokio::test]
async fn a_message_is_read_from_those_who_may_send_it_and_as_large_as_a_list_takes() {
    let app = TestApp::builder().config(|config| config.http.body_silence_max = SOON).start().await;
    let sender = app.key_with([Permission::SendMessages]).await;
    let other = app.key_with([Permission::ManageMembers]).await;
    assert_eq!(head_alone(&sender, MESSAGES, MIB + 1).await.0, 413, "there is no list");
    app.list("small").with("maxlength", "1024").create().await;
    assert_eq!(head_alone(&sender, MESSAGES, 4 * MIB).await.0, 408, "it is waited for");
    let (status, told) = head_alone(&sender, MESSAGES, 4 * MIB + 1).await;
    assert!(status == 413 && told.contains("4194304 bytes"), "{told}");
    app.list("large").with("maxlength", "51200").create().await;
    assert_eq!(head_alone(&sender, MESSAGES, 50 * MIB).await.0, 408);
    assert_eq!(head_alone(&sender, MESSAGES, 51 * MIB + 1).await.0, 413);
    for (client, path) in [(&other, MESSAGES), (&sender, CONTACTS), (&app.admin, CONTACTS)] {
        let (status, told) = head_alone(client, path, 50 * MIB).await;
        assert!(status == 413 && told.contains("1048576 bytes"), "{told}");
    }
    let text = "x".repeat(2 * MIB);
    let sent = sender.post(MESSAGES, &[("list", "large"), ("content_plain", &text)]).await.good();
    assert_eq!(sent["content_plain"].as_str().map(|text| text.trim_end().len()), Some(text.len()));
    other.post(MESSAGES, &[("list", "large"), ("content_plain", "x")]).await.error(403, "permission");
}

#[tokio::test]
async fn a_key_that_sees_some_lists_sends_as_much_as_those_take() {
    let app = TestApp::builder().config(|config| config.http.body_silence_max = SOON).start().await;
    app.list("small").with("maxlength", "100").create().await;
    app.list("large").with("maxlength", "51200").create().await;
    let made = app.admin.post(
        "/api/2/admins/",
        &[("api", "2"), ("permissions", "send_messages,limit_lists"), ("limit_lists", "small")],
    );
    let id = made.await.good()["id"].to_string();
    let key = app.admin.put(&format!("/api/2/admins/{id}/"), &[("get_key", "1")]).await.good();
    let limited = app.anon.with_authorization(&format!("Bearer {}", key["key"].as_str().unwrap()));
    assert_eq!(head_alone(&limited, MESSAGES, MIB + 300 * 1024).await.0, 408, "it is waited for");
    assert_eq!(head_alone(&limited, MESSAGES, MIB + 300 * 1024 + 1).await.0, 413);
}

#[tokio::test]
async fn a_form_has_at_most_a_thousand_values_and_json_two_hundred_thousand() {
    let app = TestApp::start().await;
    app.list("news").with("maxlength", "51200").create().await;
    let many = "a=1&".repeat(1001);
    app.admin.request("POST", CONTACTS, &[], many.as_bytes()).await.error(400, "1000 values");
    // Megabytes of names are refused as soon as there are too many.
    let mut names = String::new();
    for n in 0..400_000 {
        let _ = write!(names, "{n}&");
    }
    assert!(2 * MIB < names.len());
    app.admin.request("POST", MESSAGES, &[], names.as_bytes()).await.error(400, "1000 values");
    let json = format!("{{\"x\": [{}1]}}", "1,".repeat(300_000));
    let kind = [("Content-Type", "application/json")];
    app.admin.request("POST", CONTACTS, &kind, json.as_bytes()).await.error(400, "200000 values");
}

#[tokio::test]
async fn a_body_that_stalls_is_given_up_on_every_route() {
    let app = TestApp::builder().config(|config| config.http.body_silence_max = SOON).start().await;
    for path in [CONTACTS, "/unsubscribe/x/", "/moderate/x/", "/password/x/", "/resume/x/", "/healthz"] {
        let mut request = app.anon.head("POST", path, 1000);
        request.push_str("half=");
        let response = app.anon.open(request.as_bytes()).await.response().await;
        assert_eq!(response.status, 408, "{path}: {}", response.body);
    }
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_given_up_though_it_moves() {
    let app = TestApp::builder().config(|config| config.http.body_time_max = SOON).start().await;
    for (client, path) in [(&app.admin, CONTACTS), (&app.anon, "/unsubscribe/x/")] {
        let mut connection = client.open(client.head("POST", path, 10_000).as_bytes()).await;
        connection.send(b"some").await;
        connection.send(b"more").await;
        assert_eq!(connection.response().await.status, 408, "{path}");
    }
}

#[tokio::test]
async fn pages_read_no_more_than_16_kib() {
    let app = TestApp::start().await;
    for path in ["/unsubscribe/x/", "/password/x/", "/healthz"] {
        assert_eq!(head_alone(&app.anon, path, 16 * 1024 + 1).await.0, 413, "{path}");
    }
    let body = "x".repeat(16 * 1024);
    assert_eq!(app.anon.request("POST", "/unsubscribe/x/", &[], body.as_bytes()).await.status, 404);
}

/// A server whose bodies share a mebibyte: 192 KiB for small ones, 832 KiB for large ones.
async fn with_little_memory(wait_max: Duration) -> TestApp {
    TestApp::builder()
        .config(move |config| {
            config.http.bodies_bytes_max = MIB;
            config.http.bodies_wait_max = wait_max;
        })
        .start()
        .await
}

/// A request with a form of this length, without its last byte. The server has begun to read it.
async fn begin(client: &Client, length: usize) -> Connection {
    let head = client.head("POST", CONTACTS, length).replacen("\r\n", "\r\nExpect: 100-continue\r\n", 1);
    let mut connection = client.open(head.as_bytes()).await;
    assert_eq!(connection.response().await.status, 100);
    connection.send(format!("notes={}", "x".repeat(length - 7)).as_bytes()).await;
    connection
}

#[tokio::test]
async fn large_bodies_wait_for_memory_and_small_ones_do_not_wait_behind_them() {
    let app = with_little_memory(Duration::from_mins(1)).await;
    let mut first = begin(&app.admin, 700 * 1024).await;
    let waiting = tokio::spawn({
        let (client, body) = (app.admin.clone(), format!("notes={}", "y".repeat(300 * 1024)));
        async move { client.request("POST", CONTACTS, &[], body.as_bytes()).await }
    });
    for _ in 0..20 {
        app.admin.post(CONTACTS, &[("notes", "x")]).await.error(400, "");
    }
    assert!(!waiting.is_finished());
    first.send(b"x").await;
    assert_eq!(first.response().await.status, 400);
    waiting.await.unwrap().error(400, "");
}

#[tokio::test]
async fn a_body_that_finds_no_memory_for_too_long_is_put_off() {
    let app = with_little_memory(SOON).await;
    let first = begin(&app.admin, 700 * 1024).await;
    let body = format!("notes={}", "y".repeat(300 * 1024));
    let response = app.admin.request("POST", CONTACTS, &[], body.as_bytes()).await;
    response.error(503, "try again later");
    assert!(response.header("retry-after").is_some());
    drop(first);
}

/// Waits until the server has closed all of these: it does so soon after it has told a connection to make room.
async fn all_close(connections: &[Connection]) {
    for connection in connections {
        while !connection.is_closed() {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn at_the_limit_the_idlest_connection_is_closed_and_new_ones_are_answered() {
    let app = TestApp::builder().config(|config| config.http.connections_max = 8).start().await;
    let request = app.anon.head("POST", "/unsubscribe/x/", 1000);
    let mut idle = Vec::new();
    for _ in 0..30 {
        idle.push(app.anon.open(request.as_bytes()).await);
        assert_eq!(app.anon.get("/healthz").await.status, 200);
    }
    all_close(&idle[..22]).await;
    app.admin.get(CONTACTS).await.good();
}

#[tokio::test]
async fn one_client_has_so_many_connections_and_others_keep_theirs() {
    let app = TestApp::builder()
        .config(|config| {
            config.http.limits_loopback = true;
            config.http.connections_per_client_max = 3;
        })
        .start()
        .await;
    let (one, other) = (app.anon.at_source("127.0.0.2"), app.anon.at_source("127.0.0.3"));
    let request = app.anon.head("POST", "/unsubscribe/x/", 10);
    let of_other = other.open(request.as_bytes()).await;
    let mut of_one = Vec::new();
    for _ in 0..10 {
        of_one.push(one.open(request.as_bytes()).await);
        assert_eq!(one.get("/healthz").await.status, 200);
    }
    all_close(&of_one[..7]).await;
    assert!(!of_other.is_closed());
    let mut of_other = of_other;
    of_other.send(b"0123456789").await;
    assert_eq!(of_other.response().await.status, 404);
}

#[tokio::test]
async fn more_passwords_at_once_than_may_wait_are_put_off() {
    let app = TestApp::builder().config(|config| config.http.passwords_waiting_max = 0).start().await;
    app.admin.post("/api/2/admins/", &[("username", "ada@example.org")]).await.good();
    app.settle().await;
    let mail = app.sink.mail_to("ada@example.org").text().replace("=\n", "");
    let link = mail.lines().find_map(|line| line.trim().strip_prefix("https://lists.example.org"));
    let link = link.unwrap().to_owned();
    let tries: Vec<_> = (0..40)
        .map(|_| {
            let (client, link) = (app.anon.clone(), link.clone());
            tokio::spawn(async move { client.post(&link, &[("password", "a horse, of course")]).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for answer in tries {
        let answer = answer.await.unwrap();
        assert_eq!(answer.status == 503, answer.header("retry-after").is_some());
        statuses.push(answer.status);
    }
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    assert_eq!(count(200), 1, "{statuses:?}");
    assert!(0 < count(503) && count(200) + count(410) + count(503) == 40, "{statuses:?}");
}

#[tokio::test]
async fn idle_clients_take_no_descriptor_from_mail_and_commands() {
    let folder = tempfile::tempdir().unwrap();
    let key = program::setup(folder.path(), "news");
    let sink = Sink::start().await;
    let server = Program::start_with_files(folder.path(), sink.addr(), "-n 160");
    assert_eq!(server.files_max(), [160, 160]);
    let client = server.client(&key);
    let request = client.head("POST", "/unsubscribe/x/", 1000);
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(client.open(request.as_bytes()).await);
    }
    let reply = smtp::send_mail(
        server.smtp_addr,
        "ann@x.org",
        &["postmaster@lists.example.org"],
        "From: ann@x.org\nSubject: x\n\nhi\n",
    );
    assert_eq!(reply.await.code, 250);
    client.get("/api/2/lists/").await.good();
    program::run(&["queue", "list"], folder.path());
}

#[tokio::test]
async fn the_soft_limit_of_open_files_is_raised_to_the_hard_one() {
    let folder = tempfile::tempdir().unwrap();
    program::setup(folder.path(), "news");
    let sink = Sink::start().await;
    let server = Program::start_with_files(folder.path(), sink.addr(), "-S -n 100");
    let [soft, hard] = server.files_max();
    assert!(100 < hard && soft == hard, "{soft} of {hard}");
}
