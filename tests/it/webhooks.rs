//! Webhooks: every event reaches each hook at least once and in order, signed, whatever the receiver does.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::hmac;
use crier::clock::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::harness::TestApp;
use crate::harness::dead_addr;
use crate::harness::program::{Program, setup, verify};

const WEBHOOKS: &str = "/api/2/webhooks/";
const MINUTE: Duration = Duration::from_mins(1);

/// What a receiver got.
#[derive(Debug, Clone)]
struct Got {
    id: String,
    timestamp: String,
    signatures: String,
    body: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    fn is_signed_by(&self, secret: &str) -> bool {
        let key = data_encoding::BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes()).unwrap();
        let signed = format!("{}.{}.{}", self.id, self.timestamp, self.body);
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), signed.as_bytes());
        let expected = format!("v1,{}", data_encoding::BASE64.encode(tag.as_ref()));
        self.signatures.split(' ').any(|signature| signature == expected)
    }
}

/// What a receiver does with a request.
#[derive(Debug, Clone)]
enum Act {
    /// Answers with this status and these fields of the header.
    Answer(u16, &'static str),
    /// Closes the connection without a word.
    Close,
    /// Answers nothing until it is told to go on.
    Stall,
}

/// The program at the other end of a webhook.
#[derive(Clone)]
struct Receiver {
    base: String,
    acts: Arc<Mutex<VecDeque<Act>>>,
    got: Arc<Mutex<Vec<Got>>>,
    news: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Receiver {
    async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/hook", listener.local_addr().unwrap());
        let receiver = Receiver {
            base,
            acts: Arc::default(),
            got: Arc::default(),
            news: Arc::default(),
            go_on: Arc::default(),
        };
        let accepting = receiver.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let receiver = accepting.clone();
                tokio::spawn(async move { receiver.serve(stream).await });
            }
        });
        receiver
    }

    async fn serve(&self, mut stream: TcpStream) {
        loop {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                match stream.read_u8().await {
                    Ok(byte) => head.push(byte),
                    Err(_) => return,
                }
            }
            let head = String::from_utf8(head).unwrap();
            let field = |name: &str| {
                let line =
                    head.lines().find_map(|line| line.split_once(": ").filter(|(key, _)| *key == name));
                line.map(|(_, value)| value.to_owned()).unwrap_or_default()
            };
            let mut body = vec![0; field("content-length").parse().unwrap()];
            if stream.read_exact(&mut body).await.is_err() {
                return;
            }
            self.got.lock().unwrap().push(Got {
                id: field("webhook-id"),
                timestamp: field("webhook-timestamp"),
                signatures: field("webhook-signature"),
                body: String::from_utf8(body).unwrap(),
            });
            self.news.notify_waiters();
            let act = self.acts.lock().unwrap().pop_front().unwrap_or(Act::Answer(204, ""));
            let (status, fields) = match act {
                Act::Answer(status, fields) => (status, fields),
                Act::Close => return,
                Act::Stall => {
                    self.go_on.notified().await;
                    (204, "")
                }
            };
            let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n{fields}\r\n");
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }

    fn will(&self, acts: impl IntoIterator<Item = Act>) {
        self.acts.lock().unwrap().extend(acts);
    }

    fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// Waits for so many requests.
    async fn wait_for(&self, count: usize) -> Vec<Got> {
        let waiting = async {
            loop {
                let news = self.news.notified();
                let got = self.got();
                if count <= got.len() {
                    return got;
                }
                news.await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("they come")
    }
}

async fn hook(app: &TestApp, receiver: &Receiver, types: &str) -> (String, String) {
    let made = app.admin.post(WEBHOOKS, &[("url", &receiver.base), ("types", types)]).await.good();
    (format!("{WEBHOOKS}{}/", made["id"]), made["secret"].as_str().unwrap().to_owned())
}

async fn make_list(app: &TestApp, name: &str) {
    app.admin.post("/api/2/lists/", &[("name", name)]).await.good();
}

/// Waits until the newest delivery of a hook is as a test wants it.
async fn delivery(app: &TestApp, path: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let waiting = async {
        loop {
            let rows = app.admin.get(&format!("{path}deliveries/")).await.good();
            if is_wanted(&rows["data"][0]) {
                return rows["data"][0].clone();
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), waiting).await.expect("it comes")
}

#[tokio::test]
async fn events_come_signed_in_order_and_of_the_wanted_types_alone() {
    let app = TestApp::start().await;
    let receiver = Receiver::start().await;
    let (path, secret) = hook(&app, &receiver, "list.created").await;
    assert!(app.admin.get(&path).await.good().get("secret").is_none(), "it is shown once");
    for number in 0..5 {
        make_list(&app, &format!("l{number}")).await;
        app.admin.post("/api/2/contacts/", &[("emails", &format!("p{number}@x.org"))]).await.good();
    }
    let got = receiver.wait_for(5).await;
    let names: Vec<_> = got.iter().map(|got| got.json()["data"]["name"].clone()).collect();
    assert_eq!(names, ["l0", "l1", "l2", "l3", "l4"]);
    for got in &got {
        assert!(got.is_signed_by(&secret), "{got:?}");
        assert_eq!(got.json()["type"], "list.created");
        assert_eq!(got.id, format!("msg_{}", got.json()["id"]));
        assert!(!got.id.contains('.') && got.body.len() < 20_000);
        assert_eq!(got.timestamp, (app.core().now().ms() / 1000).to_string());
    }
    let last =
        delivery(&app, &path, |row| row["state"] == "delivered" && row["event"] == got[4].json()["id"]).await;
    assert_eq!((&last["status"], &last["attempts"]), (&json!(204), &json!(1)));
}

#[tokio::test]
async fn a_receiver_that_fails_is_tried_again_and_nothing_overtakes() {
    let app = TestApp::start().await;
    let receiver = Receiver::start().await;
    receiver.will([
        Act::Close,
        Act::Answer(500, ""),
        Act::Answer(302, "location: http://127.0.0.1:1/\r\n"),
        Act::Answer(429, "retry-after: 7200\r\n"),
    ]);
    let (path, _) = hook(&app, &receiver, "list.created").await;
    make_list(&app, "first").await;
    make_list(&app, "second").await;
    receiver.wait_for(1).await;
    for (attempts, status, wait) in
        [(1, Value::Null, Duration::from_secs(6)), (2, json!(500), 6 * MINUTE), (3, json!(302), 34 * MINUTE)]
    {
        let row = delivery(&app, &path, |row| row["attempts"] == attempts).await;
        assert_eq!((&row["state"], &row["status"]), (&json!("retrying"), &status), "{row}");
        app.advance(wait).await;
        receiver.wait_for(attempts + 1).await;
    }
    let row = delivery(&app, &path, |row| row["attempts"] == 4).await;
    let next = Timestamp::parse_rfc3339(row["next_attempt"].as_str().unwrap()).unwrap();
    assert!(Duration::from_secs(7195) <= next.since(app.core().now()), "Retry-After is heeded: {row}");
    app.advance(3 * 60 * MINUTE).await;
    let got = receiver.wait_for(6).await;
    let names: Vec<_> = got.iter().map(|got| got.json()["data"]["name"].clone()).collect();
    assert_eq!(names, ["first", "first", "first", "first", "first", "second"]);
    assert!(got[..5].iter().all(|one| one.id == got[0].id), "each attempt has the same id");
}

#[tokio::test]
async fn a_hook_that_is_gone_or_never_answers_is_paused_and_administrators_are_told() {
    let app = TestApp::start().await;
    let eve = json!({
        "username": "eve@example.org", "permissions": ["account_admin"], "notifications": ["delivery_problem"],
    });
    app.admin.post_json("/api/2/admins/", &eve).await.good();
    let receiver = Receiver::start().await;
    receiver.will([Act::Answer(410, "")]);
    let (path, _) = hook(&app, &receiver, "list.created").await;
    make_list(&app, "first").await;
    let row = delivery(&app, &path, |row| row["state"] == "failed").await;
    assert_eq!((&row["status"], &row["attempts"]), (&json!(410), &json!(1)));
    assert_eq!(app.admin.get(&path).await.good()["active"], false);
    make_list(&app, "unheard").await;
    app.admin.put(&path, &[("active", "1")]).await.good();
    receiver.will(std::iter::repeat_n(Act::Answer(503, ""), 10));
    make_list(&app, "second").await;
    for attempts in 1..10 {
        delivery(&app, &path, |row| row["attempts"] == attempts && row["state"] == "retrying").await;
        app.advance(27 * 60 * MINUTE).await;
    }
    let row = delivery(&app, &path, |row| row["state"] == "failed" && row["status"] == 503).await;
    assert_eq!(row["attempts"], 10);
    assert_eq!(app.admin.get(&path).await.good()["active"], false);
    app.settle().await;
    let told: String = app.sink.mails().iter().map(crate::harness::sink::Mail::text).collect();
    assert!(told.contains("127.0.0.1") && told.contains("410"), "{told}");
    let got = receiver.got();
    assert_eq!((got.len(), got[1].json()["data"]["name"].clone()), (11, json!("second")));
    let fields = [("active", "1")];
    app.admin.put(&path, &fields).await.good();
    let after = got[0].json()["id"].as_u64().unwrap() - 1;
    let fields = json!({"after": after.to_string()});
    app.admin.post_json(&format!("{path}replay/"), &fields).await.good();
    let got = receiver.wait_for(14).await;
    let names: Vec<_> = got[11..].iter().map(|got| got.json()["data"]["name"].clone()).collect();
    assert_eq!(names, ["first", "unheard", "second"], "what it did not hear is brought by a replay");
    assert_eq!(got[11].id, got[0].id, "under the same id");
}

#[tokio::test]
async fn a_slow_hook_slows_no_other() {
    let app = TestApp::start().await;
    let (slow, fast) = (Receiver::start().await, Receiver::start().await);
    slow.will([Act::Stall]);
    hook(&app, &slow, "list.created").await;
    hook(&app, &fast, "list.created").await;
    for number in 0..10 {
        make_list(&app, &format!("l{number}")).await;
    }
    fast.wait_for(10).await;
    assert_eq!(slow.got().len(), 1);
    slow.go_on.notify_waiters();
    slow.wait_for(10).await;
}

#[tokio::test]
async fn both_secrets_sign_for_a_day_after_a_rotation() {
    let app = TestApp::start().await;
    let receiver = Receiver::start().await;
    let (path, old) = hook(&app, &receiver, "list.created").await;
    let new =
        app.admin.post(&format!("{path}rotate/"), &[]).await.good()["secret"].as_str().unwrap().to_owned();
    make_list(&app, "first").await;
    let got = receiver.wait_for(1).await;
    assert!(got[0].is_signed_by(&old) && got[0].is_signed_by(&new), "{got:?}");
    app.advance(Duration::from_hours(25)).await;
    make_list(&app, "second").await;
    let got = receiver.wait_for(2).await;
    assert!(!got[1].is_signed_by(&old) && got[1].is_signed_by(&new), "{got:?}");
}

#[tokio::test]
async fn a_hook_is_tried_out_and_only_account_admins_see_hooks() {
    let app = TestApp::start().await;
    let receiver = Receiver::start().await;
    let (path, secret) = hook(&app, &receiver, "").await;
    let tried = app.admin.post(&format!("{path}test/"), &[]).await.good();
    assert_eq!(tried, json!({"state": "delivered", "status": 204, "reply": ""}));
    let got = receiver.wait_for(1).await;
    assert!(got[0].is_signed_by(&secret) && got[0].json()["type"] == "webhook.test", "{got:?}");
    receiver.will([Act::Answer(404, "")]);
    let tried = app.admin.post(&format!("{path}test/"), &[]).await.good();
    assert_eq!((&tried["state"], &tried["status"]), (&json!("failed"), &json!(404)));
    let other = app.key_with([crier::model::Permission::ManageSettings]).await;
    other.get(WEBHOOKS).await.error(403, "account_admin");
    app.other_account().await.get(&path).await.error(404, "webhook");
    app.admin.delete(&path).await.good();
    app.admin.get(&path).await.error(404, "webhook");
}

#[tokio::test]
async fn addresses_that_the_operator_does_not_allow_are_refused_and_not_connected_to() {
    let app = TestApp::builder()
        .config(|config| {
            config.allow_plain_webhooks = false;
            config.allow_private_webhooks = false;
        })
        .start()
        .await;
    for url in [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://0x7f.1/",
        "https://localhost/",
    ] {
        app.admin.post(WEBHOOKS, &[("url", url)]).await.error(400, "url");
    }
    app.admin.post(WEBHOOKS, &[("url", "https://example.org/")]).await.good();
}

/// Adds contacts until the process dies; returns the addresses whose calls were answered.
async fn add_until_it_dies(program: &Program, key: &str, round: usize) -> Vec<String> {
    let mut added = Vec::new();
    for number in 0.. {
        let email = format!("p{round}-{number}@x.org");
        if add(program, key, &email).await.is_err() {
            break;
        }
        added.push(email);
    }
    added
}

/// Adds a contact; fails if no answer comes.
async fn add(program: &Program, key: &str, email: &str) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(program.http_addr).await?;
    let body = format!("emails={email}");
    let head = format!(
        "POST /api/2/contacts/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(std::io::ErrorKind::ConnectionReset.into()) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_under_load_loses_no_event_and_keeps_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let data: &Path = folder.path();
    let key = setup(data, "news");
    let flags = ["--allow-plain-webhooks", "--allow-private-webhooks"];
    let receiver = Receiver::start().await;
    let mut added = Vec::new();
    for round in 0..3 {
        let program = Program::start(data, dead_addr(), &flags);
        if round == 0 {
            let fields = [("url", receiver.base.as_str()), ("types", "contact.created")];
            program.client(&key).post(WEBHOOKS, &fields).await.good();
        }
        let wanted = receiver.got().len() + 40;
        let (some, ()) = tokio::join!(add_until_it_dies(&program, &key, round), async {
            receiver.wait_for(wanted).await;
            program.signal("-KILL");
        });
        added.extend(some);
        drop(program);
    }
    let program = Program::start(data, dead_addr(), &flags);
    let client = program.client(&key);
    client.post("/api/2/contacts/", &[("emails", "last@x.org")]).await.good();
    let mut log: Vec<(u64, String)> = Vec::new();
    loop {
        let after = log.last().map_or(0, |(id, _)| *id);
        let path = format!("/api/2/events/?type=contact.created&limit=1000&after={after}");
        let rows = client.get(&path).await.good()["data"].as_array().unwrap().clone();
        if rows.is_empty() {
            break;
        }
        let email = |row: &Value| row["data"]["emails"][0]["email"].as_str().unwrap().to_owned();
        log.extend(rows.iter().map(|row| (row["id"].as_u64().unwrap(), email(row))));
    }
    let mut emails: Vec<&String> = log.iter().map(|(_, email)| email).collect();
    emails.sort();
    let all = emails.len();
    emails.dedup();
    assert_eq!(emails.len(), all, "each is in the log once");
    assert!(added.iter().all(|email| emails.contains(&email)), "what was answered is in the log");
    let waiting = async {
        loop {
            let ids: Vec<u64> = receiver.got().iter().map(|got| got.json()["id"].as_u64().unwrap()).collect();
            let mut first_times = Vec::new();
            for id in ids {
                if first_times.last().is_none_or(|last| *last < id) {
                    first_times.push(id);
                }
            }
            if first_times.len() == log.len() {
                assert!(first_times.iter().eq(log.iter().map(|(id, _)| id)), "each came, in order");
                return;
            }
            receiver.news.notified().await;
        }
    };
    tokio::time::timeout(MINUTE, waiting).await.expect("every event comes");
    program.stop();
    verify(data);
}
