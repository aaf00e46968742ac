//! What happens to mail that comes in is what the simulator says, by the API and on the command line: the same reply,
//! the same reason, in every situation that there is a rule for.

use crier::config::Config;
use crier::model::{Cidr, Permission};
use crier::store::fault::DiskControl;
use serde_json::{Value, json};
use tokio::net::UdpSocket;

use crate::harness::{TestApp, program};
use crate::sender_auth::zone;

const MEMBER: &str = "member1@example.org";
const STRANGER: &str = "eve@x.org";
const CAREFUL: &str = "ada@careful.test";
const STRICT: &str = "bob@strict.test";
/// Less than the reserve for what ends work.
const NEARLY_FULL: u64 = 100 << 20;
const ACCEPTED: &str = "250 2.0.0 Message accepted";
const NOT_ALLOWED: &str = "550 5.7.1 The sender may not post to this list";

/// A list and its settings.
type ListFields = (&'static str, &'static [(&'static str, &'static str)]);

const LISTS: [ListFields; 12] = [
    ("anyone", &[("moderate", "0")]),
    ("members", &[]),
    ("rejecting", &[("message_rejections", "reject")]),
    ("returning", &[("message_rejections", "reject"), ("send_reject_message", "true")]),
    ("discarding", &[("message_rejections", "discard")]),
    ("approving", &[("moderate", "1")]),
    ("topics", &[("moderate", "0"), ("hold_replies", "true")]),
    ("people", &[("moderate", "0"), ("hold_automated", "true")]),
    ("allowing", &[("moderate", "10"), ("restrict_post_allowed_emails", STRANGER)]),
    ("banning", &[("moderate", "16"), ("restrict_post_banned_emails", STRANGER)]),
    ("clean", &[("moderate", "0"), ("taboo_headers", "^subject:.*casino"), ("taboo_body", "w[i1]n")]),
    ("small", &[("moderate", "0"), ("maxlength", "1")]),
];

/// One message to one list, and what happens.
struct Situation {
    list: &'static str,
    /// Its envelope sender and, where that is not empty, its author.
    from: &'static str,
    /// What follows From and Message-ID.
    rest: String,
    /// What happens, in one word.
    word: &'static str,
    reply: &'static str,
}

fn at(list: &'static str, from: &'static str, rest: &str, word: &'static str) -> Situation {
    Situation { list, from, rest: rest.to_owned(), word, reply: ACCEPTED }
}

fn refused(list: &'static str, from: &'static str, rest: &str, reply: &'static str) -> Situation {
    let word = if reply.starts_with('4') { "defer" } else { "reject" };
    Situation { word, reply, ..at(list, from, rest, "") }
}

const HELLO: &str = "Subject: hello\n\nhi\n";

fn situations() -> Vec<Situation> {
    let large = format!("Subject: large\n\n{}", "A line of a message.\n".repeat(100));
    let far = format!("{}{HELLO}", "Received: from a.example by b.example\n".repeat(60));
    let long = format!("Subject: long\n\n{}\n", "x".repeat(999));
    let large_reply = "552 5.3.4 The message is larger than the 1024 octets taken here";
    let forged =
        "550 5.7.1 The author's domain asks to refuse this message: neither SPF nor DKIM proves it (DMARC)";
    let unproven =
        "550 5.7.1 The sender could not be verified: neither DMARC nor an aligned SPF or DKIM result passed";
    vec![
        at("anyone", MEMBER, HELLO, "post"),
        at("anyone", STRANGER, HELLO, "post"),
        at("members", MEMBER, HELLO, "post"),
        at("members", STRANGER, HELLO, "hold"),
        refused("rejecting", STRANGER, HELLO, NOT_ALLOWED),
        at("discarding", STRANGER, HELLO, "discard"),
        at("approving", MEMBER, HELLO, "hold"),
        at("topics", MEMBER, "Subject: Re: hello\nIn-Reply-To: <0@x.org>\n\nyes\n", "hold"),
        at("topics", MEMBER, HELLO, "post"),
        at("people", MEMBER, "Subject: a job\nAuto-Submitted: auto-generated\n\ndone\n", "hold"),
        at("anyone", MEMBER, "Subject: a job\nAuto-Submitted: auto-generated\n\ndone\n", "post"),
        at("anyone", MEMBER, "Subject: away\nAuto-Submitted: auto-replied\n\naway\n", "discard"),
        at("anyone", "mailer-daemon@x.org", "Subject: a report\n\nhi\n", "discard"),
        at("anyone", "postmaster@x.org", "Subject: Delivery failure\n\nhi\n", "discard"),
        at("anyone", "postmaster@x.org", HELLO, "post"),
        at(
            "anyone",
            MEMBER,
            "Subject: Automatic reply: hello\nX-Auto-Response-Suppress: All\n\nhi\n",
            "discard",
        ),
        at("anyone", MEMBER, "Subject: Automatic reply: hello\n\nhi\n", "hold"),
        at("anyone", MEMBER, "Subject: Out of office hours\n\nhi\n", "post"),
        at("anyone", "", "Subject: a report\n\nhi\n", "discard"),
        at("people", "", "Subject: a report\n\nhi\n", "hold"),
        at("allowing", STRANGER, HELLO, "post"),
        at("allowing", MEMBER, HELLO, "hold"),
        refused("banning", STRANGER, HELLO, "550 5.7.1 The sender is banned from this list"),
        at("banning", MEMBER, HELLO, "post"),
        at("clean", MEMBER, "Subject: =?utf-8?q?Cas=69no?=\n\nhi\n", "hold"),
        at("clean", MEMBER, "Subject: hi\nContent-Transfer-Encoding: base64\n\nV0lOIGJpZw==\n", "hold"),
        at("clean", MEMBER, HELLO, "post"),
        refused("small", MEMBER, &large, large_reply),
        at("anyone", MEMBER, &format!("List-Id: <anyone.lists.example.org>\n{HELLO}"), "discard"),
        at("anyone", MEMBER, &far, "discard"),
        refused("anyone", MEMBER, &long, "554 5.6.0 The message has a line of more than 998 octets"),
        refused(
            "anyone",
            MEMBER,
            &format!("From: {STRANGER}\n{HELLO}"),
            "554 5.6.0 The message has more than one From header",
        ),
        // The domain of the author asks for proof, and there is none.
        refused("anyone", STRICT, HELLO, forged),
        at("members", CAREFUL, HELLO, "hold"),
        refused("rejecting", CAREFUL, HELLO, unproven),
        at("anyone", CAREFUL, HELLO, "post"),
        // A notice goes to a sender of whom nothing is known, and no second one on the same day.
        Situation { reply: ACCEPTED, ..at("returning", STRANGER, HELLO, "reject") },
        refused("returning", STRANGER, HELLO, NOT_ALLOWED),
    ]
}

/// A server with [`LISTS`], each with two members.
async fn start(disk: &DiskControl) -> TestApp {
    let app = TestApp::builder().dns(&zone()).disk(disk).start().await;
    for (name, fields) in LISTS {
        let list = fields.iter().fold(app.list(name), |list, (field, value)| list.with(field, value));
        list.member(MEMBER).member(CAREFUL).create().await;
    }
    app
}

/// What the API says would happen; the command must say the same.
async fn simulate(app: &TestApp, list: &str, from: &str, message: &str) -> Value {
    let path = format!("/api/2/lists/{list}/simulate/");
    let said = app.admin.post_json(&path, &json!({"message": message, "from": from})).await.good();
    let sender = if from.is_empty() { "<>" } else { from };
    let address = format!("{list}@lists.example.org");
    let command = ["simulate", "--list", &address, "--from", sender, "--json"];
    let told = program::run_with(&command, app.folder(), message.as_bytes());
    let told: Value = serde_json::from_str(&told).expect("--json prints JSON");
    assert_eq!(told, said, "the command and the API");
    said
}

async fn counts(app: &TestApp) -> [u64; 2] {
    let count = async |listing: &str| {
        let listing = app.admin.get(&format!("/api/2/{listing}/")).await.good();
        listing["count"].as_u64().expect("a count")
    };
    [count("messages").await, count("held").await]
}

/// Sends a message; answers the reply, and what happened in the simulator's words.
async fn send(app: &TestApp, list: &str, from: &str, message: &str) -> (String, &'static str) {
    let (before, mails) = (counts(app).await, app.sink.mails().len());
    let reply = app.send_mail(from, &format!("{list}@lists.example.org"), message).await;
    app.settle().await;
    let after = counts(app).await;
    let is_told = !from.is_empty() && app.sink.mails()[mails..].iter().any(|mail| mail.to == [from]);
    let word = match (reply.code, after[0] - before[0], after[1] - before[1]) {
        (250, 1, 0) => "post",
        (250, 0, 1) => "hold",
        (250, 0, 0) if is_told => "reject",
        (250, 0, 0) => "discard",
        (550..=554, 0, 0) => "reject",
        (450..=452, 0, 0) => "defer",
        other => panic!("{list}: {other:?} {reply} after {message}"),
    };
    (reply.to_string(), word)
}

#[tokio::test]
async fn mail_is_answered_as_the_simulator_says() {
    let disk = DiskControl::new();
    let app = start(&disk).await;
    let all = situations();
    assert!(20 <= all.len());
    for (number, Situation { list, from, rest, word, reply }) in all.into_iter().enumerate() {
        let author = if from.is_empty() { MEMBER } else { from };
        let message = format!("From: {author}\nMessage-ID: <{number}@x.org>\n{rest}");
        let said = simulate(&app, list, from, &message).await;
        let happened = send(&app, list, from, &message).await;
        let case = format!("{number}: {from} to {list}\n{rest}\n{said:#}");
        assert_eq!((happened.0.as_str(), happened.1), (reply, word), "what happened: {case}");
        assert_eq!(
            (&said["answer"], &said["verdict"]),
            (&json!(reply), &json!(word)),
            "what was said: {case}"
        );
        assert_eq!(said["reason"].is_null(), word == "post", "{case}");
        if word == "post" {
            let said = simulate(&app, list, from, &message).await;
            assert_eq!(send(&app, list, from, &message).await, (ACCEPTED.to_owned(), "discard"), "{case}");
            assert_eq!((&said["answer"], &said["verdict"]), (&json!(ACCEPTED), &json!("discard")), "{case}");
        }
    }
    // While the disk is nearly full, nothing is taken.
    disk.leave_free(NEARLY_FULL);
    let message = format!("From: {MEMBER}\nMessage-ID: <full@x.org>\n{HELLO}");
    let said = simulate(&app, "anyone", MEMBER, &message).await;
    let happened = send(&app, "anyone", MEMBER, &message).await;
    let full = "452 4.3.1 The disk of this server is full, try again later";
    assert_eq!((happened.0.as_str(), happened.1), (full, "defer"));
    assert_eq!((&said["answer"], &said["verdict"]), (&json!(full), &json!("defer")));
}

#[tokio::test]
async fn a_list_that_waits_for_approval_takes_no_mail_in_the_simulator_either() {
    let app = TestApp::start().await;
    app.change_account(|account| account.settings.require_list_approval = true).await;
    let maker = app.key_with([Permission::ManageSettings]).await;
    assert_eq!(
        maker.post("/api/2/lists/", &[("name", "later"), ("moderate", "0")]).await.good()["pending"],
        true
    );
    let message = format!("From: {MEMBER}\nMessage-ID: <1@x.org>\n{HELLO}");
    let said = simulate(&app, "later", MEMBER, &message).await;
    let happened = send(&app, "later", MEMBER, &message).await;
    assert_eq!((&json!(happened.0), &json!(happened.1)), (&said["answer"], &said["verdict"]));
    assert_eq!(said["answer"], "550 5.1.1 No such recipient here");
}

#[tokio::test]
async fn what_waits_for_an_answer_of_the_dns_is_put_off_in_the_simulator_too() {
    let silent = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let settings = move |config: &mut Config| {
        config.dns_server = Some(address);
        config.trusted_relays = vec![Cidr::parse("127.0.0.0/8").unwrap()];
    };
    let app = TestApp::builder().config(settings).start().await;
    app.list("members").member(MEMBER).create().await;
    app.list("anyone").open().create().await;
    let message = format!("From: {MEMBER}\nMessage-ID: <1@x.org>\n{HELLO}");
    for (list, expected) in [("members", "defer"), ("anyone", "post")] {
        let said = simulate(&app, list, MEMBER, &message).await;
        let (reply, word) = send(&app, list, MEMBER, &message).await;
        assert_eq!((&json!(reply), &json!(word)), (&said["answer"], &said["verdict"]), "{list}");
        assert_eq!(word, expected, "{reply}");
    }
}

#[tokio::test]
async fn the_101st_message_of_an_author_that_would_wait_is_put_off_in_the_simulator_too() {
    let app = TestApp::start().await;
    app.list("approving").with("moderate", "1").create().await;
    for number in 0..100 {
        let message = format!("From: {STRANGER}\nMessage-ID: <{number}@x.org>\n{HELLO}");
        let reply = app.send_mail(STRANGER, "approving@lists.example.org", &message).await;
        assert_eq!(reply.to_string(), ACCEPTED, "{number}");
    }
    let message = format!("From: {STRANGER}\nMessage-ID: <100@x.org>\n{HELLO}");
    let said = simulate(&app, "approving", STRANGER, &message).await;
    let (reply, word) = send(&app, "approving", STRANGER, &message).await;
    assert_eq!((&json!(reply), &json!(word)), (&said["answer"], &said["verdict"]));
    assert_eq!(reply, "452 4.2.2 Too many messages of this author wait for approval, try again later");
}
