//! Limits on the mail that strangers can make the server store, send and forward.

use std::net::SocketAddr;
use std::time::Duration;

use crier::config::ListenAddr;
use crier::model::{Authentication, CheckResult, DmarcPolicy};
use crier::ops::moderation::HeldLimit;
use crier::ops::posting::inbound::Refusal;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::TestApp;
use crate::harness::smtp::{Dialogue, wire_form};

const NEWS: &str = "news@lists.example.org";
const EVE: &str = "eve@example.net";
const CLIENT: &str = "192.0.2.1";
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
const AUTHOR_FULL: &str = "452 4.2.2 Too many messages of this author wait for approval, try again later";

/// A message of its own.
fn message(author: &str, number: usize) -> String {
    format!("From: {author}\nSubject: Offer {number}\nMessage-ID: <{number}.{author}>\n\nBuy this.\n")
}

/// What the checks of a sender said, where its domain has no DMARC policy.
fn spf(result: CheckResult) -> Authentication {
    Authentication {
        spf: result,
        policy: DmarcPolicy::Absent,
        results: format!("spf={}", result.word()),
        ..Authentication::unchecked()
    }
}

/// Sends messages of an author to a list from the network; every one of them must be taken.
async fn fill(app: &TestApp, author: &str, list: &str, numbers: std::ops::Range<usize>) {
    for number in numbers {
        let taken =
            app.receive_from(CLIENT, [author, list], &message(author, number), spf(CheckResult::None)).await;
        assert_eq!(taken, Ok(()), "{number}");
    }
}

async fn moderator(app: &TestApp, address: &str) {
    let fields = [
        ("username", address),
        ("permissions", "approve_messages"),
        ("notifications", "held_message"),
        ("welcome_email", "0"),
    ];
    app.admin.post("/api/2/admins/", &fields).await.good();
}

async fn held_count(app: &TestApp) -> u64 {
    app.admin.get("/api/2/held/").await.good()["count"].as_u64().unwrap()
}

/// Discards the oldest message that waits.
async fn discard_one(app: &TestApp) {
    let held = app.admin.get("/api/2/held/").await.good();
    let path = format!("/api/2/held/{}/", held["data"][0]["id"]);
    app.admin.put(&path, &[("action", "discard")]).await.good();
}

#[tokio::test]
async fn an_author_has_at_most_100_messages_of_a_day_waiting() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    fill(&app, EVE, NEWS, 0..100).await;
    let reply = app.send_mail("other@example.net", NEWS, &message(EVE, 100)).await;
    assert_eq!(reply.to_string(), AUTHOR_FULL);
    assert_eq!(app.send_mail(EVE, NEWS, &message("bob@example.net", 100)).await.code, 250);
    // What proves its author takes no room from what does not, and finds none taken.
    let proven = Authentication { dmarc: CheckResult::Pass, ..spf(CheckResult::Pass) };
    assert_eq!(app.receive_from(CLIENT, [EVE, NEWS], &message(EVE, 101), proven).await, Ok(()));
    assert_eq!(held_count(&app).await, 102);

    discard_one(&app).await;
    assert_eq!(app.send_mail(EVE, NEWS, &message(EVE, 102)).await.code, 250);
    assert_eq!(app.send_mail(EVE, NEWS, &message(EVE, 103)).await.to_string(), AUTHOR_FULL);
    app.advance(DAY + Duration::from_secs(1)).await;
    assert_eq!(app.send_mail(EVE, NEWS, &message(EVE, 104)).await.code, 250);
}

#[tokio::test]
async fn an_author_has_at_most_50_mb_of_a_day_waiting() {
    let app = TestApp::start().await;
    app.list("news").with("maxlength", "51200").create().await;
    let large = |number| format!("{}{}", message(EVE, number), "Buy this, and that.\n".repeat(1_400_000));
    let send =
        async |number| app.receive_from(CLIENT, [EVE, NEWS], &large(number), spf(CheckResult::None)).await;
    assert_eq!(send(1).await, Ok(()));
    assert_eq!(send(2).await, Err(Refusal::TooManyHeld(HeldLimit::Author)));
    fill(&app, EVE, NEWS, 3..4).await;
}

#[tokio::test]
async fn a_list_has_at_most_1000_messages_waiting() {
    let app = std::sync::Arc::new(TestApp::start().await);
    app.list("news").create().await;
    let mut senders = JoinSet::new();
    for author in 0..10 {
        let app = std::sync::Arc::clone(&app);
        let author = format!("eve{author}@example.net");
        senders.spawn(async move { fill(&app, &author, NEWS, 0..100).await });
    }
    senders.join_all().await;
    assert_eq!(held_count(&app).await, 1000);
    let reply = app.send_mail(EVE, NEWS, &message(EVE, 1)).await;
    assert_eq!(
        reply.to_string(),
        "452 4.2.2 Too many messages to this list wait for approval, try again later"
    );
    app.list("other").create().await;
    assert_eq!(app.send_mail(EVE, "other@lists.example.org", &message(EVE, 1)).await.code, 250);
    discard_one(&app).await;
    assert_eq!(app.send_mail(EVE, NEWS, &message(EVE, 1)).await.code, 250);
}

#[tokio::test]
async fn of_several_recipients_those_with_room_get_the_message_once() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let open = app.list("open").open().members(1).create().await;
    fill(&app, EVE, NEWS, 0..100).await;
    let both = [NEWS, open.address.as_str()];
    for _ in 0..2 {
        assert_eq!(app.send_mail_to(EVE, &both, &message(EVE, 100)).await.to_string(), AUTHOR_FULL);
        app.settle().await;
        assert_eq!(app.sink.to_members(), ["member1@example.org"]);
    }
    discard_one(&app).await;
    assert_eq!(app.send_mail_to(EVE, &both, &message(EVE, 100)).await.code, 250);
    app.settle().await;
    assert_eq!((app.sink.copies(), held_count(&app).await), (1, 100));

    // Without a Message-ID it would not be known again: nobody gets it.
    let nameless = message(EVE, 101).replace("Message-ID", "X-Message-ID");
    assert_eq!(app.send_mail_to(EVE, &both, &nameless).await.to_string(), AUTHOR_FULL);
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn by_lmtp_the_full_list_alone_answers_452() {
    let any = ListenAddr::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)));
    let app = TestApp::builder().config(|config| config.lmtp_listen = Some(any)).start().await;
    app.list("news").create().await;
    app.list("open").open().create().await;
    fill(&app, EVE, NEWS, 0..100).await;
    let mut dialogue = Dialogue::connect(app.lmtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("LHLO front.example.org", 250).await;
    dialogue.say(&format!("MAIL FROM:<{EVE}>"), 250).await;
    dialogue.say(&format!("RCPT TO:<{NEWS}>"), 250).await;
    dialogue.say("RCPT TO:<open@lists.example.org>", 250).await;
    dialogue.say("DATA", 354).await;
    dialogue.send(&wire_form(EVE, &message(EVE, 100))).await;
    assert_eq!(dialogue.expect(452).await.to_string(), AUTHOR_FULL);
    dialogue.expect(250).await;
}

#[tokio::test]
async fn behind_a_front_server_commands_are_answered_by_sender() {
    let any = ListenAddr::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)));
    let app = TestApp::builder().config(|config| config.lmtp_listen = Some(any)).start().await;
    app.list("news").create().await;
    let mut dialogue = Dialogue::connect(app.lmtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("LHLO front.example.org", 250).await;
    for author in 0..7 {
        let author = format!("author{author}@example.net");
        for command in ["help", "which"] {
            dialogue.say(&format!("MAIL FROM:<{author}>"), 250).await;
            dialogue.say("RCPT TO:<news-request@lists.example.org>", 250).await;
            dialogue.say("DATA", 354).await;
            let message = format!("From: {author}\nSubject: {command}\n\n");
            dialogue.send(&wire_form(&author, &message)).await;
            dialogue.expect(250).await;
        }
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 7, "whom nothing proves gets one answer a day");
}

#[tokio::test]
async fn moderators_get_20_requests_an_hour_and_a_summary_of_the_rest() {
    let mut app = TestApp::builder().without_dkim().start().await;
    app.list("news").create().await;
    moderator(&app, "ada@example.org").await;
    fill(&app, EVE, NEWS, 0..19).await;
    app.restart().await;
    fill(&app, EVE, NEWS, 19..25).await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 20);
    app.sink.clear();
    app.advance(59 * MINUTE).await;
    assert_eq!(app.sink.copies(), 0);
    app.restart().await;
    app.advance(MINUTE).await;
    let summary = app.sink.mail_to("ada@example.org");
    assert_eq!(summary.header("Subject").as_deref(), Some("news: 25 messages wait for approval"));
    app.sink.clear();
    fill(&app, EVE, NEWS, 25..26).await;
    app.settle().await;
    let request = app.sink.mail_to("ada@example.org");
    assert_eq!(request.header("Subject").as_deref(), Some("Held for news: Offer 25"));
    app.advance(DAY).await;
    assert_eq!(app.sink.copies(), 1, "each hour has one summary, and a quiet one has none");
    assert!(!app.dump("allowance").contains("RequestToModerators"), "{}", app.dump("allowance"));
}

#[tokio::test]
async fn what_is_larger_than_1_mb_does_not_reach_people_who_look_after_lists() {
    let app = TestApp::start().await;
    let list = app.list("news").open().members(1).with("moderator", "desk@example.org");
    list.with("maxlength", "4096").create().await;
    let large = format!("{}{}", message(EVE, 1), "Buy this.\n".repeat(110_000));
    for local in ["news-owner", "postmaster", "abuse", "news-manager"] {
        let to = format!("{local}@lists.example.org");
        let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
        dialogue.expect(220).await;
        dialogue.say("EHLO client.example.org", 250).await;
        dialogue.say(&format!("MAIL FROM:<{EVE}> SIZE=1048577"), 250).await;
        let reply = dialogue.say(&format!("RCPT TO:<{to}>"), 552).await;
        assert_eq!(reply.to_string(), "552 5.3.4 The message is larger than the 1048576 octets taken here");
        assert_eq!(app.send_mail(EVE, &to, &large).await, reply, "{local}");
    }
    assert_eq!(app.send_mail_to(EVE, &[NEWS, "news-owner@lists.example.org"], &large).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["member1@example.org"]);
    app.sink.clear();
    assert_eq!(app.send_mail(EVE, "news-owner@lists.example.org", &message(EVE, 2)).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["desk@example.org"]);
}

#[tokio::test]
async fn a_client_reaches_people_who_look_after_lists_100_times_a_day() {
    let mut app = TestApp::start().await;
    app.list("news").with("moderator", "desk@example.org").create().await;
    app.sink.refuse("desk@example.org");
    let send = async |app: &TestApp, client: &str, from: &str, local: &str, number| {
        let to = format!("{local}@lists.example.org");
        app.receive_from(client, [from, &to], &message(from, number), spf(CheckResult::None)).await
    };
    for number in 0..100 {
        let client = format!("2001:db8:0:1::{number:x}");
        let local = ["news-owner", "postmaster", "abuse"][number % 3];
        assert_eq!(send(&app, &client, &format!("eve{number}@example.net"), local, number).await, Ok(()));
    }
    app.restart().await;
    for local in ["news-manager", "postmaster"] {
        let refused = send(&app, "2001:db8:0:1:ffff::", EVE, local, 100).await;
        assert_eq!(refused, Err(Refusal::TooMuchRoleMail));
    }
    assert_eq!(send(&app, "2001:db8:0:2::1", EVE, "postmaster", 100).await, Ok(()));
    app.advance(DAY).await;
    assert_eq!(send(&app, "2001:db8:0:1::1", EVE, "postmaster", 101).await, Ok(()));
}

#[tokio::test]
async fn behind_a_relay_each_envelope_sender_reaches_people_100_times_a_day() {
    let app = TestApp::start().await;
    for number in 0..100 {
        assert_eq!(app.send_mail(EVE, "postmaster@lists.example.org", &message(EVE, number)).await.code, 250);
    }
    let reply = app.send_mail(EVE, "postmaster@lists.example.org", &message(EVE, 100)).await;
    assert_eq!(
        reply.to_string(),
        "452 4.7.1 Too much mail of yours to those who look after lists, try again tomorrow"
    );
    let other = app.send_mail("bob@example.net", "postmaster@lists.example.org", &message(EVE, 100)).await;
    assert_eq!(other.code, 250);
}

/// Sets an alias; whether it was taken, or what is wrong with its destination.
async fn set_alias(app: &TestApp, source: &str, destination: &[String]) -> Result<(), String> {
    let body = json!({"source": source, "destination": destination});
    let path = format!("/api/2/aliases/{source}/");
    let response = match app.admin.get(&path).await.status {
        404 => app.admin.post_json("/api/2/aliases/", &body).await,
        _ => app.admin.put_json(&path, &json!({"destination": destination})).await,
    };
    if response.status == 200 {
        return Ok(());
    }
    Err(response.error(400, "")["errors"]["destination"].to_string())
}

fn outside(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("a{number}@example.com")).collect()
}

fn ours(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{name}@lists.example.org")).collect()
}

#[tokio::test]
async fn aliases_lead_to_at_most_20_addresses_outside_however_deep() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    set_alias(&app, "low", &outside(0..11)).await.unwrap();
    set_alias(&app, "mid", &ours(&["low", "news"])).await.unwrap();
    let mut top = outside(20..29);
    top.extend(ours(&["mid"]));
    set_alias(&app, "top", &top).await.unwrap();
    // The same address by two ways is one.
    set_alias(&app, "low", &[outside(0..11), outside(20..22)].concat()[2..]).await.unwrap();

    let error = set_alias(&app, "low", &outside(0..12)).await.unwrap_err();
    assert!(error.contains("top") && error.contains("20 addresses outside"), "{error}");
    top.push("b@example.com".to_owned());
    top.push("c@example.com".to_owned());
    top.push("d@example.com".to_owned());
    let error = set_alias(&app, "top", &top).await.unwrap_err();
    assert!(error.contains("20 addresses outside"), "{error}");
    set_alias(&app, "low", &outside(0..5)).await.unwrap();
    assert_eq!(app.send_mail(EVE, "top@lists.example.org", &message(EVE, 1)).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 14);
}

#[tokio::test]
async fn an_alias_that_became_too_large_takes_no_mail() {
    let app = TestApp::start().await;
    let lists: Vec<String> = (0..3).map(|number| format!("list{number}")).collect();
    for list in &lists {
        app.list(list).open().create().await;
    }
    let mut all = outside(0..18);
    all.extend(ours(&["list0", "list1"]));
    set_alias(&app, "top", &all).await.unwrap();
    set_alias(&app, "all", &[ours(&["top", "list2"]), vec!["x@example.com".to_owned()]].concat())
        .await
        .unwrap();
    // A name that stands for nothing any more counts as any address.
    for list in &lists {
        app.admin.delete(&format!("/api/2/lists/{list}/")).await.good();
    }
    let reply = app.send_mail(EVE, "all@lists.example.org", &message(EVE, 1)).await;
    assert_eq!(reply.to_string(), "550 5.2.4 The alias leads to more than 20 addresses outside of the lists");
    assert_eq!(app.send_mail(EVE, "top@lists.example.org", &message(EVE, 1)).await.code, 250);
    // What makes a too large alias no larger may be changed.
    set_alias(&app, "top", &all[..19]).await.unwrap();
}

#[tokio::test]
async fn following_an_alias_ends_after_100_addresses() {
    let app = TestApp::start().await;
    let lists: Vec<String> = (0..120).map(|number| format!("list{number}")).collect();
    for list in &lists {
        app.list(list).create().await;
    }
    let names: Vec<&str> = lists.iter().map(String::as_str).collect();
    let mut groups = Vec::new();
    for (number, names) in names.chunks(20).enumerate() {
        let group = format!("group{number}");
        set_alias(&app, &group, &ours(names)).await.unwrap();
        groups.push(group);
    }
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    set_alias(&app, "some", &ours(&groups[..4])).await.unwrap();
    let error = set_alias(&app, "all", &ours(&groups)).await.unwrap_err();
    assert!(error.contains("through more than 100 addresses"), "{error}");
}

/// A server whose list `news` tells senders that their messages wait, and `closed` that they go back.
async fn telling() -> TestApp {
    let dns = "example.net TXT v=spf1 ip4:127.0.0.1 -all\n";
    let app = TestApp::builder().dns(dns).without_dkim().start().await;
    app.list("news").with("send_hold_message", "1").with("send_reject_message", "1").create().await;
    let closed = app.list("closed").with("message_rejections", "reject").with("send_reject_message", "1");
    closed.create().await;
    app
}

#[tokio::test]
async fn a_sender_that_spf_proves_is_told_of_every_message() {
    let app = telling().await;
    for number in 0..8 {
        assert_eq!(app.send_mail(EVE, NEWS, &message(EVE, number)).await.code, 250);
        let closed = app.send_mail(EVE, "closed@lists.example.org", &message(EVE, number)).await;
        assert_eq!(closed.code, 250);
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 16);
}

#[tokio::test]
async fn a_sender_that_spf_disproves_is_told_nothing() {
    let app = telling().await;
    for result in [CheckResult::Fail, CheckResult::SoftFail] {
        let victim = format!("{}@example.com", result.word());
        let send =
            async |list| app.receive_from(CLIENT, [&victim, list], &message(&victim, 1), spf(result)).await;
        assert_eq!(send(NEWS).await, Ok(()));
        assert!(matches!(send("closed@lists.example.org").await, Err(Refusal::Rejected(_))));
    }
    app.settle().await;
    app.advance(30 * DAY).await;
    assert_eq!(app.sink.copies(), 0, "nor when nobody has decided in time");
}

#[tokio::test]
async fn an_unproven_sender_is_told_once_a_day_and_refused_otherwise() {
    let mut app = telling().await;
    let bob = "bob@example.com";
    assert_eq!(app.send_mail(bob, NEWS, &message(bob, 1)).await.code, 250);
    assert_eq!(app.send_mail("Bob@Example.com", NEWS, &message(bob, 2)).await.code, 250);
    app.restart().await;
    let refused = app.send_mail(bob, "closed@lists.example.org", &message(bob, 3)).await;
    assert_eq!(refused.to_string(), "550 5.7.1 The sender may not post to this list");
    app.settle().await;
    assert_eq!(app.sink.to_members(), [bob]);
    app.advance(DAY).await;
    assert_eq!(app.send_mail(bob, "closed@lists.example.org", &message(bob, 3)).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), [bob, bob]);
}

#[tokio::test]
async fn a_client_brings_about_five_notices_an_hour_to_unproven_senders() {
    let app = telling().await;
    let send = async |client, number| {
        let victim = format!("victim{number}@example.com");
        let message = message(&victim, number);
        app.receive_from(client, [&victim, NEWS], &message, spf(CheckResult::None)).await
    };
    for number in 0..8 {
        assert_eq!(send(CLIENT, number).await, Ok(()));
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 5);
    send("192.0.2.2", 8).await.unwrap();
    app.advance(HOUR).await;
    assert_eq!(app.sink.copies(), 6);
    send(CLIENT, 9).await.unwrap();
    app.settle().await;
    assert_eq!(app.sink.copies(), 7);
    // Nobody decides: of those who may be told again, five an hour are.
    app.sink.clear();
    app.advance(30 * DAY).await;
    assert_eq!(app.sink.copies(), 5);
}

#[tokio::test]
async fn a_delivery_report_goes_where_a_notice_may_go() {
    let app = telling().await;
    app.list("open").open().create().await;
    for (sender, expected) in [(EVE, 3), ("bob@example.com", 1)] {
        app.sink.clear();
        for number in 0..3 {
            let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
            dialogue.expect(220).await;
            dialogue.say("EHLO client.example.com", 250).await;
            dialogue.say(&format!("MAIL FROM:<{sender}>"), 250).await;
            dialogue.say("RCPT TO:<open@lists.example.org> NOTIFY=SUCCESS", 250).await;
            dialogue.say("DATA", 354).await;
            dialogue.send(&wire_form(sender, &message(sender, number))).await;
            dialogue.expect(250).await;
        }
        app.settle().await;
        assert_eq!(app.sink.copies(), expected, "{sender}");
        for report in app.sink.mails() {
            assert_eq!(report.header("Subject").as_deref(), Some("Your message was delivered"));
        }
    }
}

#[tokio::test]
async fn the_subject_of_a_notice_does_not_carry_the_messages() {
    let app = telling().await;
    let fields = [("hold_subject", "$LIST holds: $SUBJECT"), ("hold_message", "About $SUBJECT")];
    app.admin.put("/api/2/lists/news/", &fields).await.good();
    app.send_mail(EVE, NEWS, &message(EVE, 1)).await;
    app.settle().await;
    let notice = app.sink.mail_to(EVE);
    assert_eq!(notice.header("Subject").as_deref(), Some("news holds:"));
    assert!(notice.text().contains("About Offer 1"), "{notice}");
}
