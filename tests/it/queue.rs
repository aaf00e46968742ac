//! The operator's view of the queue, and the changes that the operator can make to it.

use std::path::Path;
use std::time::Duration;

use crier::config::Relay;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::program::{self, Program};
use crate::harness::sink::Act;

const POST: &str = "Subject: hello\n\nhi";

/// A command's JSON.
#[track_caller]
fn queue(data: &Path, line: &str) -> Value {
    let words: Vec<&str> = ["queue"].into_iter().chain(line.split_whitespace()).chain(["--json"]).collect();
    serde_json::from_str(&program::run(&words, data)).expect("--json prints JSON")
}

impl TestApp {
    #[track_caller]
    fn queue(&self, line: &str) -> Value {
        queue(self.folder(), line)
    }

    /// The batches that a listing shows.
    #[track_caller]
    fn queued(&self, filter: &str) -> Vec<Value> {
        self.queue(&format!("list {filter}"))["data"].as_array().expect("a listing has data").clone()
    }

    /// What a command must be refused with, and its exit code.
    #[track_caller]
    fn refused(&self, line: &str, expected: (i32, &str)) {
        let words: Vec<&str> = ["queue"].into_iter().chain(line.split_whitespace()).collect();
        let (code, told) = program::fail(&words, self.folder());
        assert!(code == expected.0 && told.contains(expected.1), "{line}: {code} {told}");
    }

    /// What the API says of the copies of a message.
    async fn deliveries(&self, message: &Value) -> Vec<Value> {
        let path = format!("/api/2/messages/{message}/deliveries/");
        self.admin.get(&path).await.good()["data"].as_array().expect("a listing has data").clone()
    }
}

/// A server whose list `news` has three members, of whom the second is asked to wait.
async fn start_with_one_that_waits(times: u32) -> (TestApp, TestList) {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", times);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    (app, list)
}

/// A server whose relay listens and says nothing: the batch of a post to two members is in flight.
async fn start_with_one_in_flight() -> (TestApp, TcpStream) {
    let relay = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = relay.local_addr().expect("a bound listener has an address").port();
    let set = move |config: &mut crier::config::Config| {
        let host = "127.0.0.1".to_owned();
        config.relays = vec![Relay { host, port, implicit_tls: false, credentials: None }];
    };
    let app = TestApp::builder().config(set).start().await;
    let list = app.list("news").members(2).create().await;
    app.send_mail("member1@example.org", &list.address, POST).await;
    let (connection, _) = relay.accept().await.expect("the server connects");
    (app, connection)
}

/// Ends the attempt that is under way without having taken anything.
async fn turn_away(app: &TestApp, mut connection: TcpStream) {
    connection.write_all(b"421 4.3.2 Not now\r\n").await.expect("the server listens");
    drop(connection);
    app.settle().await;
}

#[tokio::test]
async fn waiting_batches_are_listed_with_the_servers_last_reply() {
    let (app, _) = start_with_one_that_waits(1).await;
    let batches = app.queued("");
    assert_eq!(batches.len(), 1, "{batches:?}");
    let batch = &batches[0];
    assert_eq!((&batch["account"], &batch["list"]), (&json!("test"), &json!("news")));
    assert_eq!((&batch["destination"], &batch["state"]), (&json!("relay"), &json!("waiting")));
    assert_eq!((&batch["waiting"], &batch["attempts"]), (&json!(1), &json!(1)));
    assert_eq!(
        (&batch["accepted"], &batch["due"]),
        (&json!("2026-11-20T12:00:00Z"), &json!("2026-11-20T12:05:00Z"))
    );
    assert_eq!(batch["remote"], app.sink.addr().to_string());
    assert!(batch["reply"].as_str().unwrap().contains("Try again later"), "{batch}");

    app.advance(Duration::from_mins(5)).await;
    assert_eq!(app.queued(""), [] as [Value; 0]);
}

#[tokio::test]
async fn waiting_batches_are_found_by_account_list_destination_and_message() {
    let (app, _) = start_with_one_that_waits(9).await;
    let message = app.queued("")[0]["message"].to_string();
    for filter in ["--account test", "--list news", "--list news@lists.example.org", "--destination relay"] {
        assert_eq!(app.queued(filter).len(), 1, "{filter}");
    }
    assert_eq!(app.queued(&format!("--message {message} --account test")).len(), 1);
    assert_eq!(app.queued("--destination example.org"), [] as [Value; 0], "it goes to the relay");
    let other = app.list("other").members(1).create().await;
    assert_eq!(app.queued("--list other"), [] as [Value; 0]);
    app.sink.defer("member1@example.org", 9);
    app.send_mail("member1@example.org", &other.address, POST).await;
    app.settle().await;
    assert_eq!((app.queued("--list other").len(), app.queued("--account test").len()), (1, 2));
    app.refused("list --account nobody", (1, "there is no account \"nobody\""));
    app.refused("list --message 99", (1, "names no message"));
    app.refused("list --message x", (2, "must be a number"));
    app.refused("list --limit 0", (2, "from 1 to 1000"));
}

#[tokio::test]
async fn a_page_of_the_queue_begins_behind_the_last_batch_of_the_one_before() {
    let zone = "a.example MX 10 mx.example\nb.example MX 10 mx.example\nmx.example A 127.0.0.1\n";
    let to_nobody = |config: &mut crier::config::Config| {
        config.relays = Vec::new();
        config.mx_port = 9;
    };
    let app = TestApp::builder().dns(zone).config(to_nobody).start().await;
    let list = app.list("news").open().member("x@a.example").member("x@b.example").create().await;
    for number in 0..3 {
        let message = format!("Message-ID: <{number}@x.org>\n{POST}");
        app.send_mail("x@a.example", &list.address, &message).await;
    }
    app.settle().await;
    let ids = |batches: &[Value]| -> Vec<Value> { batches.iter().map(|batch| batch["id"].clone()).collect() };
    let all = app.queued("");
    let destinations: Vec<&Value> = all.iter().map(|batch| &batch["destination"]).collect();
    assert_eq!(destinations, ["a.example", "a.example", "a.example", "b.example", "b.example", "b.example"]);

    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.queue(&format!("list --limit 2 {after}"));
        seen.extend(ids(page["data"].as_array().unwrap()));
        let next = &page["next"];
        if next.is_null() {
            break;
        }
        assert_eq!(seen.last(), Some(next));
        after = format!("--after {next}");
    }
    assert_eq!(seen, ids(&all));
    assert_eq!(ids(&app.queued(&format!("--list news --after {}", seen[3]))), seen[4..]);

    let sum = app.queue("list --summary");
    // Only the first was tried: the domain is left alone since.
    let due = all[..3].iter().filter_map(|batch| batch["due"].as_str()).min();
    let unreachable = &all[0]["unreachable"];
    assert!(unreachable.as_str().unwrap().starts_with("mx.example: "), "{unreachable}");
    let row = json!({
        "destination": "a.example", "batches": 3, "waiting": 3, "held": 0, "due": due, "unreachable": unreachable
    });
    assert_eq!((&sum["data"][0], sum["data"].as_array().unwrap().len()), (&row, 2));
    assert_eq!(sum["states"][0], json!({"state": "waiting", "batches": 6, "waiting": 6}));
    let first = app.queue("list --summary --limit 1");
    assert_eq!((first["data"].as_array().unwrap().len(), &first["destinations"]), (1, &json!(2)));
    let held = app.queue("hold --destination b.example");
    assert_eq!((&held["changed"], &held["unchanged"]), (&json!(3), &json!([])));
    let sum = app.queue("list --summary");
    assert_eq!((&sum["data"][1]["held"], &sum["data"][1]["due"]), (&json!(3), &json!(null)), "{sum}");
    assert_eq!(sum["states"][2], json!({"state": "held", "batches": 3, "waiting": 3}));
}

#[tokio::test]
async fn a_batch_is_shown_with_every_answer_on_every_copy() {
    let (app, _) = start_with_one_that_waits(2).await;
    app.advance(Duration::from_mins(5)).await;
    app.sink.script("member2@example.org", Act::AtData("452 4.2.2 Full"), 1);
    app.advance(Duration::from_mins(15)).await;
    let id = app.queued("")[0]["id"].clone();
    let shown = app.queue(&format!("show {id}"));
    assert_eq!((&shown["subject"], &shown["from"]), (&json!("hello"), &json!("member1@example.org")));
    let recipients = shown["recipients"].as_array().unwrap();
    let states: Vec<&Value> = recipients.iter().map(|recipient| &recipient["state"]).collect();
    assert_eq!(states, ["delivered", "deferred", "delivered"]);
    let trace = recipients[1]["trace"].as_array().unwrap();
    let times: Vec<(&Value, &Value)> = trace.iter().map(|step| (&step["time"], &step["times"])).collect();
    assert_eq!(
        times,
        [(&json!("2026-11-20T12:05:00Z"), &json!(2)), (&json!("2026-11-20T12:20:00Z"), &json!(1))]
    );
    assert!(trace[1]["reply"].as_str().unwrap().contains("452 4.2.2"), "{shown}");
    let told = program::run(&["queue", "show", &id.to_string()], app.folder());
    assert!(told.contains("deferred (2 times) by 127.0.0.1"), "{told}");

    app.advance(Duration::from_mins(30)).await;
    let delivery = app.deliveries(&shown["message"]).await[1].clone();
    assert_eq!(delivery["state"], "delivered");
    let states: Vec<&Value> =
        delivery["trace"].as_array().unwrap().iter().map(|step| &step["state"]).collect();
    assert_eq!(states, ["deferred", "deferred", "delivered"]);
    assert_eq!((&delivery["accepted"], &delivery["queued"]), (&shown["accepted"], &shown["queued"]));
    assert_eq!(app.queue(&format!("show {id}"))["state"], json!(null), "what is settled is still shown");
    app.refused("show 99", (1, "there is no batch 99"));
}

#[tokio::test]
async fn the_trace_says_when_a_message_arrived_and_who_approved_it() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).create().await;
    app.send_mail("stranger@example.net", &list.address, POST).await;
    app.advance(Duration::from_hours(1)).await;
    let held = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].clone();
    app.sink.defer("member1@example.org", 1);
    app.admin.put(&format!("/api/2/held/{held}/"), &[("action", "approve")]).await.good();
    app.settle().await;
    let batch = app.queued("")[0].clone();
    let shown = app.queue(&format!("show {}", batch["id"]));
    let delivery = app.deliveries(&batch["message"]).await[0].clone();
    let decided = json!({"time": "2026-11-20T13:00:00Z", "by": "test", "reason": "the sender may not post to this list"});
    for trace in [&shown, &delivery] {
        assert_eq!(
            (&trace["accepted"], &trace["decided"]),
            (&json!("2026-11-20T12:00:00Z"), &decided),
            "{trace}"
        );
        assert_eq!(trace["queued"], "2026-11-20T13:00:00Z");
    }
    assert_eq!(batch["accepted"], "2026-11-20T12:00:00Z");
    let told = program::run(&["queue", "show", &batch["id"].to_string()], app.folder());
    let line = "\ndecided      2026-11-20T13:00:00Z  approved by test, held because the sender may not post to this list\n";
    assert!(told.contains(line), "{told}");

    // The held message is forgotten before the last of its copies.
    app.advance(Duration::from_mins(5)).await;
    app.advance(Duration::from_mins(30 * 24 * 60 - 4)).await;
    let decided = app.deliveries(&batch["message"]).await[0]["decided"].clone();
    assert_eq!(decided, json!({"time": "2026-11-20T13:00:00Z", "by": null, "reason": null}));
}

#[tokio::test]
async fn the_trace_says_that_the_rules_of_a_list_accepted_a_message() {
    let (app, list) = start_with_one_that_waits(1).await;
    let message = app.queued("")[0]["message"].clone();
    let decided = json!({"time": "2026-11-20T12:00:00Z", "by": null, "reason": null});
    assert_eq!(app.deliveries(&message).await[0]["decided"], decided);
    let told = program::run(&["queue", "show", &app.queued("")[0]["id"].to_string()], app.folder());
    assert!(told.contains("\ndecided      2026-11-20T12:00:00Z  published\n"), "{told}");
    // The same bytes, held by another list and approved there later, say nothing of this one.
    let other = app.list("other").create().await;
    app.sink.defer("member2@example.org", 1);
    app.send_mail_to("member1@example.org", &[&list.address, &other.address], POST).await;
    app.advance(Duration::from_mins(1)).await;
    let held = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].clone();
    app.admin.put(&format!("/api/2/held/{held}/"), &[("action", "approve")]).await.good();
    app.settle().await;
    let second = app.queued("--list news")[1]["message"].clone();
    assert_eq!(app.deliveries(&second).await[0]["decided"], decided);
}

#[tokio::test]
async fn system_mails_are_in_the_queue_too() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).with("send_hold_message", "1").create().await;
    app.sink.defer("stranger@example.net", 1);
    app.send_mail("stranger@example.net", &list.address, POST).await;
    app.settle().await;
    let batch = app.queued("")[0].clone();
    assert_eq!((&batch["system_mail"], &batch["message"]), (&json!("hold"), &json!(null)), "{batch}");
    let shown = app.queue(&format!("show {}", batch["id"]));
    assert_eq!(shown["decided"], json!(null), "nobody decides about a system mail");
    assert_eq!(shown["recipients"][0]["email"], "stranger@example.net");
    assert!(program::run(&["queue", "list"], app.folder()).contains("hold mail"));
}

#[tokio::test]
async fn batches_for_an_unreachable_destination_are_due_at_its_next_attempt() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).create().await;
    app.sink.refuse_connections(u32::MAX);
    for _ in 0..3 {
        app.send_mail("member1@example.org", &list.address, POST).await;
        app.settle().await;
    }
    let due = |batches: &[Value]| batches.iter().map(|batch| batch["due"].clone()).collect::<Vec<_>>();
    let batches = app.queued("");
    // The first was tried and has its own time, the others had no turn.
    assert_eq!(due(&batches), ["2026-11-20T12:05:00Z", "2026-11-20T12:01:00Z", "2026-11-20T12:01:00Z"]);
    let reason = batches[1]["unreachable"].as_str().expect("it is said why").to_owned();
    assert!(reason.contains(&app.sink.addr().to_string()), "{reason}");
    let shown = app.queue(&format!("show {}", batches[1]["id"]));
    assert_eq!((&shown["due"], &shown["unreachable"]), (&batches[1]["due"], &json!(reason)));
    let sum = || app.queue("list --summary")["data"][0].clone();
    assert_eq!((&sum()["due"], &sum()["unreachable"]), (&batches[1]["due"], &json!(reason)));
    assert!(program::run(&["queue", "list", "--summary"], app.folder()).contains(&reason));
    for batch in &batches {
        assert_eq!(app.deliveries(&batch["message"]).await[0]["next_attempt"], batch["due"]);
    }

    app.advance(Duration::from_mins(1)).await;
    assert_eq!(sum()["due"], "2026-11-20T12:03:00Z", "it was tried in vain once more");

    // Whoever orders a retry need not wait; what a server answers is no reason to leave it alone.
    app.sink.refuse_connections(0);
    app.sink.defer("member1@example.org", u32::MAX);
    app.queue("retry --all");
    app.settle().await;
    for batch in app.queued("") {
        assert_eq!(batch["unreachable"], json!(null));
        assert!(Some(1) <= batch["attempts"].as_u64(), "{batch}");
        assert!(batch["reply"].as_str().unwrap().contains("Try again later"), "{batch}");
    }
}

#[tokio::test]
async fn a_retry_wakes_the_running_server() {
    for which in ["--all", "--destination relay", "--list news", "ID"] {
        let (app, _) = start_with_one_that_waits(1).await;
        let id = app.queued("")[0]["id"].to_string();
        let changed = app.queue(&format!("retry {}", which.replace("ID", &id)));
        assert_eq!(changed["changed"], 1, "{which}");
        app.sink.wait_for(3).await;
    }
}

#[tokio::test]
async fn a_held_batch_is_not_attempted_and_not_given_up_until_it_is_released() {
    let (mut app, _) = start_with_one_that_waits(2).await;
    let id = app.queued("")[0]["id"].clone();
    assert_eq!(app.queue(&format!("hold {id}"))["changed"], 1);
    app.refused(&format!("retry {id}"), (1, "is held: crier queue release"));
    assert_eq!(app.queue("retry --all")["unchanged"][0]["batches"], 1);
    app.restart().await;
    app.advance(Duration::from_hours(6 * 24)).await;
    assert_eq!(app.sink.copies(), 2);
    let batch = app.queued("")[0].clone();
    assert_eq!((&batch["state"], &batch["due"]), (&json!("held"), &json!(null)));
    let delivery = app.deliveries(&batch["message"]).await[1].clone();
    assert_eq!((&delivery["state"], &delivery["next_attempt"]), (&json!("deferred"), &json!(null)));

    // After five days it has one more attempt, which the sink turns down once more.
    assert_eq!(app.queue(&format!("release {id}"))["changed"], 1);
    app.settle().await;
    assert_eq!(app.deliveries(&batch["message"]).await[1]["state"], "failed");
    app.refused(&format!("release {id}"), (1, "has left the queue"));
}

#[tokio::test]
async fn a_held_system_mail_is_not_deleted() {
    let app = TestApp::start().await;
    let list = app.list("news").members(1).with("send_hold_message", "1").create().await;
    app.sink.defer("stranger@example.net", 1);
    app.send_mail("stranger@example.net", &list.address, POST).await;
    app.settle().await;
    app.queue("hold --all");
    app.advance(Duration::from_hours(31 * 24)).await;
    assert_eq!(app.queue("release --all")["changed"], 1);
    app.settle().await;
    app.sink.mail_to("stranger@example.net");
}

#[tokio::test]
async fn a_batch_in_flight_is_held_when_its_attempt_ends() {
    let (app, connection) = start_with_one_in_flight().await;
    let batch = app.queued("")[0].clone();
    assert_eq!((&batch["state"], &batch["waiting"]), (&json!("in_flight"), &json!(2)));
    let retried = app.queue(&format!("retry {}", batch["id"]));
    assert!(retried["unchanged"][0]["reason"].as_str().unwrap().starts_with("is in flight"), "{retried}");
    assert_eq!(app.queue(&format!("hold {}", batch["id"]))["later"], 1);
    turn_away(&app, connection).await;
    assert_eq!(app.queued("")[0]["state"], "held");
}

#[tokio::test]
async fn a_batch_in_flight_is_dropped_when_its_attempt_ends() {
    let (app, connection) = start_with_one_in_flight().await;
    let batch = app.queued("")[0].clone();
    assert_eq!(app.queue(&format!("drop {} --yes", batch["id"]))["later"], 1);
    assert_eq!(app.queued("").len(), 1);
    turn_away(&app, connection).await;
    assert_eq!(app.queued(""), [] as [Value; 0]);
    let deliveries = app.deliveries(&batch["message"]).await;
    assert!(deliveries.iter().all(|row| row["reply"] == "dropped by the operator"), "{deliveries:?}");
}

#[tokio::test]
async fn dropped_mail_is_never_sent_and_counts_against_no_member() {
    let (app, _) = start_with_one_that_waits(1).await;
    let batch = app.queued("")[0].clone();
    app.refused("drop --all", (2, "give --yes"));
    assert_eq!(app.queue(&format!("drop {} --yes", batch["id"]))["changed"], 1);
    app.advance(Duration::from_hours(24)).await;
    assert_eq!(app.sink.copies(), 2);
    let delivery = app.deliveries(&batch["message"]).await[1].clone();
    assert_eq!((&delivery["state"], &delivery["attempts"]), (&json!("failed"), &json!(1)));
    assert_eq!(delivery["reply"], "dropped by the operator");
    let trace = delivery["trace"].as_array().unwrap();
    assert!(trace.len() == 2 && trace[0]["reply"].as_str().unwrap().contains("Try again"), "{trace:?}");
    assert_eq!(app.email("member2@example.org").await["paused"], json!(false));
    app.refused(&format!("drop {} --yes", batch["id"]), (1, "has left the queue"));
}

#[tokio::test]
async fn held_mail_stays_held_when_the_relays_are_removed() {
    let (mut app, _) = start_with_one_that_waits(1).await;
    app.queue("hold --all");
    app.restart_with(|config| config.relays = Vec::new()).await;
    app.advance(Duration::from_hours(1)).await;
    let batch = app.queued("")[0].clone();
    assert_eq!((&batch["state"], &batch["destination"]), (&json!("held"), &json!("example.org")));
}

#[tokio::test]
async fn the_queue_of_a_stopped_server_is_changed_on_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let key = program::setup(data, "news");
    // Nobody listens there.
    let nowhere = ([127, 0, 0, 1], 9).into();
    let server = Program::start(data, nowhere, &[]);
    let client = server.client(&key);
    client.post("/api/2/contacts/", &[("emails", "ada@example.org"), ("lists", "news")]).await.good();
    let post = [("list", "news"), ("subject", "hello"), ("content_plain", "hi")];
    let message = client.post("/api/2/messages/", &post).await.good()["id"].clone();
    server.stop();

    let batch = queue(data, &format!("list --message {message}"))["data"][0].clone();
    assert_eq!((&batch["state"], &batch["waiting"]), (&json!("waiting"), &json!(1)));
    for (change, state) in [("hold", "held"), ("release", "waiting"), ("retry", "waiting")] {
        assert_eq!(queue(data, &format!("{change} {}", batch["id"]))["changed"], 1, "{change}");
        assert_eq!(queue(data, "list")["data"][0]["state"], state, "{change}");
    }
    queue(data, "drop --all --yes");
    assert_eq!(queue(data, "list")["data"], json!([]));
    program::verify(data);
}

#[tokio::test]
async fn a_change_says_which_batches_it_means() {
    let app = TestApp::start().await;
    app.refused("retry", (2, "required"));
    app.refused("retry 1 --all", (2, "cannot be used"));
    app.refused("hold 7", (1, "batch 7 is not there"));
}
