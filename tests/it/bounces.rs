//! Addresses that refuse mail, return it or complain are paused, and no others with them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use crier::config::Config;
use serde_json::{Value, json};

use crate::harness::sink::{Act, Mail};
use crate::harness::{TestApp, dns};

const POST: &str = "Subject: hello\n\nhi";
const DAY: Duration = Duration::from_hours(24);
const SECOND: &str = "member2@example.org";

/// A report of RFC 3464 on one recipient.
pub(crate) fn dsn(recipient: &str, action: &str, status: &str, words: &str) -> String {
    format!(
        "From: MAILER-DAEMON@mx.example.net\nSubject: Undelivered Mail Returned to Sender\n\
         Auto-Submitted: auto-replied\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
         --b\n\nYour message could not be delivered.\n\
         --b\nContent-Type: message/delivery-status\n\n\
         Reporting-MTA: dns; mx.example.net\n\n\
         Final-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {status}\n\
         Remote-MTA: dns; mail.example.net\nDiagnostic-Code: smtp; {words}\n\
         --b--\n"
    )
}

pub(crate) fn gone(recipient: &str) -> String {
    dsn(recipient, "failed", "5.1.1", "550 5.1.1 User unknown")
}

#[tokio::test]
async fn a_bounce_that_arrives_before_the_smtp_reply_is_deferred() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script(SECOND, Act::LateAtData, 1);
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.sink.wait_for_stalled(1).await;
    let sender = app.sink.sender_to(SECOND);
    let reply = app.send_mail("", &sender, &gone(SECOND)).await;
    assert_eq!(
        reply.to_string(),
        "451 4.3.0 The message that this reports on is still being sent, try again later"
    );
    app.sink.release();
    app.settle().await;
    assert_eq!(app.send_mail("", &sender, &gone(SECOND)).await.code, 250);
    app.settle().await;
    assert_eq!(app.trace(SECOND).await["state"], "failed");
}

impl TestApp {
    /// Posts to a list and lets everything be delivered.
    pub(crate) async fn post_and_settle(&self, list: &str) {
        self.send_mail("member1@example.org", list, POST).await;
        self.settle().await;
    }

    pub(crate) async fn is_paused(&self, address: &str) -> bool {
        self.email(address).await["paused"] == true
    }

    /// The newest copy that went to an address.
    pub(crate) fn last_copy(&self, address: &str) -> Mail {
        let mails = self.sink.mails();
        let mut copies = mails.into_iter().rev().filter(|mail| mail.to.iter().any(|to| to == address));
        copies.next().unwrap_or_else(|| panic!("nothing was sent to {address}"))
    }

    /// Sends a report to the envelope sender of the newest copy that went to an address.
    pub(crate) async fn bounce(&self, address: &str, report: &str) {
        let reply = self.send_mail("", &self.last_copy(address).from, report).await;
        assert_eq!(reply.code, 250, "{reply}");
        self.settle().await;
    }

    /// What the API says became of the newest message's copy for an address.
    pub(crate) async fn trace(&self, address: &str) -> Value {
        let messages = self.admin.get("/api/2/messages/").await.good();
        let path = format!("/api/2/messages/{}/deliveries/", messages["data"][0]["id"]);
        let deliveries = self.admin.get(&path).await.good();
        let mut rows = deliveries["data"].as_array().cloned().unwrap_or_default().into_iter();
        rows.find(|row| row["email"] == address).unwrap_or_else(|| panic!("no delivery to {address}"))
    }

    /// Makes an administrator, who has read the letter that says so.
    async fn hire(&self, fields: &[(&str, &str)]) {
        self.admin.post("/api/2/admins/", fields).await.good();
        self.settle().await;
        self.sink.clear();
    }

    async fn set_paused(&self, address: &str, paused: bool) {
        let id = self.email(address).await["id"].to_string();
        self.admin.put_json(&format!("/api/2/emails/{id}/"), &json!({"paused": paused})).await.good();
    }
}

async fn start() -> (TestApp, String) {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    (app, list.address)
}

#[tokio::test]
async fn one_certain_refusal_at_rcpt_pauses_the_address() {
    for words in
        ["550 5.1.1 No such user", "550 5.1.2 No such host", "556 5.1.10 Null MX", "550 5.2.1 Disabled"]
    {
        let (app, list) = start().await;
        app.sink.script(SECOND, Act::AtRcpt(words), u32::MAX);
        app.post_and_settle(&list).await;
        assert!(app.is_paused(SECOND).await, "{words}");
        assert!(!app.is_paused("member3@example.org").await, "{words}");
        let trace = app.trace(SECOND).await;
        assert_eq!((&trace["state"], &trace["reply"]), (&json!("failed"), &json!(words)));

        app.sink.script(SECOND, Act::AtRcpt(words), 0);
        app.sink.clear();
        app.post_and_settle(&list).await;
        assert_eq!(app.sink.to_members(), ["member1@example.org", "member3@example.org"], "{words}");
    }
}

#[tokio::test]
async fn refusals_that_are_not_about_the_address_pause_nobody() {
    for words in [
        "550 5.7.1 Blocked",
        "552 5.2.2 Mailbox full",
        "552 5.3.4 Too large",
        "554 5.7.1 Message looks like spam",
        "550 5.1.1 Your IP is on our blocklist",
        "550 Mailbox unavailable",
        "550 5.1.1 Who is that?",
    ] {
        let (app, list) = start().await;
        app.sink.script(SECOND, Act::AtRcpt(words), u32::MAX);
        for _ in 0..3 {
            app.post_and_settle(&list).await;
        }
        assert!(!app.is_paused(SECOND).await, "{words}");
    }
}

#[tokio::test]
async fn two_reports_a_day_apart_pause_the_address() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert!(!app.is_paused(SECOND).await);

    app.advance(Duration::from_hours(23)).await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert!(!app.is_paused(SECOND).await, "less than a day has passed");

    app.advance(Duration::from_hours(1)).await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert!(app.is_paused(SECOND).await);
    assert!(!app.is_paused("member3@example.org").await);
}

#[tokio::test]
async fn a_report_on_one_copy_counts_once_however_often_it_is_sent() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    for _ in 0..3 {
        app.bounce(SECOND, &gone(SECOND)).await;
        app.advance(2 * DAY).await;
    }
    assert!(!app.is_paused(SECOND).await);
}

#[tokio::test]
async fn the_trace_of_a_copy_that_came_back_says_so() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    assert_eq!(app.trace(SECOND).await["state"], "delivered");
    app.advance(Duration::from_hours(1)).await;
    app.bounce(SECOND, &gone(SECOND)).await;

    let trace = app.trace(SECOND).await;
    assert_eq!(trace["state"], "failed");
    assert_eq!(trace["reply"], "550 5.1.1 User unknown");
    assert_eq!(trace["remote"], "mail.example.net");
    assert_eq!((&trace["attempts"], &trace["time"]), (&json!(1), &json!("2026-11-20T13:00:00Z")));
    assert_eq!(app.trace("member3@example.org").await["state"], "delivered");
}

#[tokio::test]
async fn delay_reports_vacation_replies_and_ordinary_mail_pause_nobody() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    let delay = dsn(SECOND, "delayed", "4.4.1", "451 4.4.1 Still trying");
    let vacation =
        format!("From: {SECOND}\nSubject: Out of office\nAuto-Submitted: auto-replied\n\nNo such user.");
    let system_mail = format!("From: {SECOND}\nSubject: hello\n\nPlease stop.");
    for mail in [delay, vacation, system_mail] {
        app.bounce(SECOND, &mail).await;
        assert_eq!(app.trace(SECOND).await["state"], "delivered", "{mail}");
        assert!(!app.is_paused(SECOND).await, "{mail}");
    }
}

#[tokio::test]
async fn bounces_are_never_answered() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    app.bounce(SECOND, &format!("From: {SECOND}\nSubject: hello\n\nWho are you?")).await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_forged_bounce_token_is_an_unknown_recipient() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    let sender = app.last_copy(SECOND).from;
    let (name, domain) = sender.split_once('@').unwrap();
    for position in [name.len() - 1, "bounces+".len() + 12] {
        let mut forged = name.as_bytes().to_vec();
        forged[position] = if forged[position] == b'a' { b'b' } else { b'a' };
        let forged = format!("{}@{domain}", String::from_utf8(forged).unwrap());
        let reply = app.send_mail("", &forged, &gone(SECOND)).await;
        assert_eq!(reply.code, 550, "{reply}");
    }
    assert_eq!(app.trace(SECOND).await["state"], "delivered");
}

#[tokio::test]
async fn eight_days_of_soft_failures_pause_the_address() {
    let (app, list) = start().await;
    app.sink.defer(SECOND, u32::MAX);
    for _ in 0..2 {
        app.post_and_settle(&list).await;
        app.advance(Duration::from_hours(95)).await;
        assert!(!app.is_paused(SECOND).await);
    }
    app.advance(Duration::from_hours(4)).await;
    assert!(app.is_paused(SECOND).await);
    assert!(!app.is_paused("member3@example.org").await);
}

#[tokio::test]
async fn full_mailboxes_that_are_reported_for_eight_days_are_paused() {
    let (app, list) = start().await;
    for day in 0..=8 {
        assert!(!app.is_paused(SECOND).await, "day {day}");
        app.post_and_settle(&list).await;
        app.bounce(SECOND, &dsn(SECOND, "failed", "5.2.2", "552 5.2.2 Mailbox full")).await;
        app.advance(DAY).await;
    }
    assert!(app.is_paused(SECOND).await);
}

#[tokio::test]
async fn a_complaint_pauses_the_address_at_once() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    let complaint = "From: fbl@provider.example\nSubject: abuse\nMIME-Version: 1.0\n\
                     Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n\
                     --b\n\nThis is an abuse report.\n\
                     --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\
                     --b--\n";
    let copy = app.last_copy(SECOND);
    let cfbl = copy.header("CFBL-Address").unwrap();
    assert_eq!(cfbl, format!("{}; report=arf", copy.from));
    app.bounce(SECOND, complaint).await;
    assert!(app.is_paused(SECOND).await);
    assert!(!app.is_paused("member3@example.org").await);
}

#[tokio::test]
async fn unpausing_an_address_resets_its_bounce_state() {
    let (app, list) = start().await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    app.set_paused(SECOND, true).await;
    app.set_paused(SECOND, false).await;
    app.advance(2 * DAY).await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert!(!app.is_paused(SECOND).await, "the first report was forgotten");

    app.advance(2 * DAY).await;
    app.post_and_settle(&list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert!(app.is_paused(SECOND).await);
    app.sink.clear();
    app.set_paused(SECOND, false).await;
    app.post_and_settle(&list).await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_renamed_address_does_not_inherit_bounces() {
    let (app, list) = start().await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    let id = app.email(SECOND).await["id"].to_string();
    let renamed =
        app.admin.put(&format!("/api/2/emails/{id}/"), &[("email", "right@example.org")]).await.good();
    assert_eq!(renamed["paused"], false);
}

/// A domain that takes mail, one that takes none, and none of another name.
pub(crate) const ZONE: &str = "
    one.test MX 10 mx.one.test
    mx.one.test A 127.0.0.1
    null.test MX 0 .
    dead.test MX 10 mx.dead.test
    mx.dead.test A 127.0.0.9
";

pub(crate) fn without_relays(config: &mut Config, dns_server: SocketAddr) {
    config.mx_port = config.relays.pop().expect("the sink is the relay at first").port;
    config.dns_server = Some(dns_server);
}

#[tokio::test]
async fn domains_that_do_not_exist_or_take_no_mail_pause_their_addresses() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list = app.list("news").member("a@one.test").member("b@null.test").member("c@missing.test");
    let list = list.create().await;
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    assert!(!app.is_paused("a@one.test").await);
    assert!(app.is_paused("b@null.test").await);
    assert!(app.is_paused("c@missing.test").await);
    assert_eq!(
        app.trace("b@null.test").await["reply"],
        "5.1.10 The domain null.test takes no mail (Null MX)"
    );
}

#[tokio::test]
async fn a_delivered_copy_resets_the_soft_failures_of_an_address() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list = app.list("news").member("a@one.test").member("b@one.test").create().await;
    let post = async || {
        app.send_mail("a@one.test", &list.address, POST).await;
        app.settle().await;
    };
    app.sink.defer("b@one.test", 1);
    post().await;
    app.advance(7 * DAY).await;
    post().await;
    app.advance(7 * DAY).await;
    app.sink.defer("b@one.test", 1);
    post().await;
    assert!(!app.is_paused("b@one.test").await, "the second copy arrived");
}

#[tokio::test]
async fn an_unreachable_domain_counts_only_while_others_are_reachable() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    for is_any_in_reach in [true, false] {
        let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
        let list = app.list("news").open().member("b@dead.test").create().await;
        if is_any_in_reach {
            app.join("a@one.test", "news").await;
        }
        for _ in 0..3 {
            app.send_mail("x@x.org", &list.address, POST).await;
            app.settle().await;
            app.advance(Duration::from_mins(30)).await;
            app.advance(5 * DAY).await;
        }
        assert_eq!(app.is_paused("b@dead.test").await, is_any_in_reach);
        // The last one waits for the domain to be tried again.
        app.advance(Duration::from_hours(1)).await;
    }
}

#[tokio::test]
async fn a_complaint_to_abuse_counts_if_it_returns_a_message_of_this_server() {
    let (app, list) = start_with_boss().await;
    app.post_and_settle(&list).await;
    let form = include_str!("../fixtures/bounces/arf-abuse.eml");
    let abuse = "abuse@lists.example.org";
    app.send_mail("fbl@provider.example", abuse, form).await;
    app.settle().await;
    assert!(!app.is_paused(SECOND).await, "anybody can write a report");

    let form = form.replace("bounces+token@lists.example.org", &app.last_copy(SECOND).from);
    assert_eq!(app.send_mail("fbl@provider.example", abuse, &form).await.code, 250);
    app.settle().await;
    assert!(app.is_paused(SECOND).await);
    assert!(!app.is_paused("member3@example.org").await);
}

#[tokio::test]
async fn a_paused_address_is_probed_every_three_days_and_given_up_after_four() {
    let (app, list) = start().await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    assert!(app.is_paused(SECOND).await);

    app.sink.defer(SECOND, 0);
    app.sink.clear();
    for probes in 1..=4 {
        app.advance(Duration::from_hours(71)).await;
        assert_eq!(app.sink.copies(), probes - 1);
        app.advance(Duration::from_hours(1)).await;
        assert_eq!(app.sink.copies(), probes);
        let probe = app.last_copy(SECOND);
        assert!(probe.from.starts_with("bounces+"), "{probe}");
        assert_eq!(probe.header("Auto-Submitted").as_deref(), Some("auto-generated"));
        app.bounce(SECOND, &gone(SECOND)).await;
        assert!(app.is_paused(SECOND).await);
    }
    app.advance(30 * DAY).await;
    assert_eq!(app.sink.copies(), 4);
    assert!(app.is_paused(SECOND).await);
}

#[tokio::test]
async fn a_probe_that_does_not_come_back_restores_the_address() {
    let (app, list) = start().await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    app.advance(3 * DAY).await;
    assert_eq!(app.sink.mails().iter().filter(|mail| mail.to == [SECOND]).count(), 0, "refused again");

    app.sink.defer(SECOND, 0);
    app.advance(3 * DAY).await;
    assert!(app.is_paused(SECOND).await, "a relay takes everything: it may still come back");
    app.advance(3 * DAY).await;
    assert!(!app.is_paused(SECOND).await);
    app.sink.clear();
    app.post_and_settle(&list).await;
    assert_eq!(app.sink.copies(), 3);
}

#[tokio::test]
async fn a_probe_accepted_by_the_members_own_server_restores_the_address_at_once() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list = app.list("news").member("a@one.test").member("b@one.test").create().await;
    app.sink.refuse("b@one.test");
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    assert!(app.is_paused("b@one.test").await);
    app.sink.defer("b@one.test", 0);
    app.advance(3 * DAY).await;
    assert!(!app.is_paused("b@one.test").await);
    app.advance(2 * DAY).await;
    app.bounce("b@one.test", &gone("b@one.test")).await;
    assert!(!app.is_paused("b@one.test").await, "a report days later is one of two");
}

#[tokio::test]
async fn a_report_within_a_day_after_a_delivered_probe_takes_its_restoring_back() {
    let (_dns, dns_server) = dns::start(ZONE).await;
    let app = TestApp::builder().config(move |config| without_relays(config, dns_server)).start().await;
    let list = app.list("news").member("a@one.test").member("b@one.test").create().await;
    app.sink.refuse("b@one.test");
    app.send_mail("a@one.test", &list.address, POST).await;
    app.settle().await;
    app.sink.defer("b@one.test", 0);
    for probes in 1..=4 {
        app.advance(3 * DAY).await;
        assert!(!app.is_paused("b@one.test").await, "its server took probe {probes}");
        app.bounce("b@one.test", &gone("b@one.test")).await;
        assert!(app.is_paused("b@one.test").await, "and sent it back");
    }
    app.sink.clear();
    app.advance(30 * DAY).await;
    assert_eq!(app.sink.copies(), 0, "it is given up after four probes");
}

#[tokio::test]
async fn a_click_in_a_probe_restores_the_address_at_once() {
    let (app, list) = start().await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    app.sink.defer(SECOND, 0);
    app.advance(3 * DAY).await;
    let probe = app.last_copy(SECOND).text().replace("=\n", "");
    let path = probe.lines().find_map(|line| line.strip_prefix("https://lists.example.org")).unwrap();

    let page = app.anon.get(path).await;
    assert!(page.body.contains("Send me mail again"), "{}", page.body);
    assert!(app.is_paused(SECOND).await, "a link checker changes nothing");
    let page = app.anon.post(path, &[]).await;
    assert!(page.body.contains("Mail goes to"), "{}", page.body);
    assert!(!app.is_paused(SECOND).await);

    app.set_paused(SECOND, true).await;
    app.anon.post(path, &[]).await;
    assert!(app.is_paused(SECOND).await, "what an administrator paused is not the link's to lift");
    assert_eq!(app.anon.get("/resume/aaaa/").await.status, 404);
}

/// An administrator who is told of everything that happens to deliveries.
async fn start_with_boss() -> (TestApp, String) {
    let (app, list) = start().await;
    let fields = [
        ("username", "boss@example.org"),
        ("permissions", "manage_members"),
        ("notifications", "bounce"),
        ("notifications", "complaint"),
        ("notifications", "delivery_problem"),
    ];
    app.hire(&fields).await;
    (app, list)
}

fn mails_to_boss(app: &TestApp) -> Vec<String> {
    let mails = app.sink.mails().into_iter().filter(|mail| mail.to == ["boss@example.org"]);
    mails.map(|mail| mail.text().replace("=\n", "")).collect()
}

#[tokio::test]
async fn administrators_are_told_of_pauses_at_once_and_then_once_an_hour() {
    let (app, list) = start_with_boss().await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    let told = mails_to_boss(&app);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("member2@example.org: the address does not exist (550 5.1.1"), "{}", told[0]);

    for number in [1, 3] {
        app.sink.refuse(&format!("member{number}@example.org"));
        app.post_and_settle(&list).await;
        app.advance(Duration::from_mins(10)).await;
    }
    assert_eq!(mails_to_boss(&app).len(), 1);
    app.advance(Duration::from_hours(1)).await;
    let told = mails_to_boss(&app);
    assert_eq!(told.len(), 2);
    assert!(
        told[1].contains("member1@example.org") && told[1].contains("member3@example.org"),
        "{}",
        told[1]
    );
}

#[tokio::test]
async fn administrators_are_told_of_complaints() {
    let (app, list) = start_with_boss().await;
    app.post_and_settle(&list).await;
    let form = include_str!("../fixtures/bounces/arf-abuse.eml");
    app.bounce(SECOND, form).await;
    let told = mails_to_boss(&app);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("Subject: A reader complained"), "{}", told[0]);
    assert!(told[0].contains("member2@example.org: the reader complained"), "{}", told[0]);
}

#[tokio::test]
async fn an_administrator_of_other_lists_is_not_told_whose_address_was_paused() {
    let (app, list) = start().await;
    app.list("other").create().await;
    let fields = [
        ("username", "boss@example.org"),
        ("permissions", "manage_members"),
        ("permissions", "limit_lists"),
        ("limit_lists", "other"),
        ("notifications", "bounce"),
    ];
    app.hire(&fields).await;
    app.sink.refuse(SECOND);
    app.post_and_settle(&list).await;
    assert!(app.is_paused(SECOND).await);
    assert_eq!(mails_to_boss(&app), [""; 0]);
}

/// How many of a message's copies for a domain are in each state.
async fn states(app: &TestApp, domain: &str) -> BTreeMap<String, usize> {
    let messages = app.admin.get("/api/2/messages/").await.good();
    let path = format!("/api/2/messages/{}/deliveries/?limit=1000", messages["data"][0]["id"]);
    let deliveries = app.admin.get(&path).await.good();
    let mut states = BTreeMap::new();
    for row in deliveries["data"].as_array().unwrap() {
        if row["email"].as_str().unwrap().ends_with(domain) {
            *states.entry(row["state"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    states
}

/// A list of three members and of `members` readers at `refusing.example`, which refuses the mail for some of
/// them as unwanted; and an administrator who wants to know.
async fn start_with_provider(members: usize, refusing: usize) -> (TestApp, String) {
    let app = TestApp::builder().config(|config| config.connections_to_relay = 1).start().await;
    let mut list = app.list("news").members(3);
    for number in 0..members {
        let address = format!("reader{number}@refusing.example");
        if number < refusing {
            app.sink.script(&address, Act::AtData("550 5.7.1 Not from you"), u32::MAX);
        }
        list = list.member(&address);
    }
    let fields = [
        ("username", "boss@example.org"),
        ("permissions", "manage_settings"),
        ("notifications", "delivery_problem"),
    ];
    app.hire(&fields).await;
    let list = list.create().await;
    (app, list.address)
}

#[tokio::test]
async fn the_rest_of_a_message_is_held_back_from_a_provider_that_refuses_it() {
    let (mut app, list) = start_with_provider(60, 60).await;
    app.post_and_settle(&list).await;

    let at_provider = states(&app, "@refusing.example").await;
    let refused = at_provider["failed"];
    assert!((10..60).contains(&refused), "{at_provider:?}");
    assert_eq!(at_provider["deferred"], 60 - refused);
    assert_eq!(states(&app, "@example.org").await["delivered"], 3, "other providers get theirs");
    let trace = app.trace("reader59@refusing.example").await;
    let reply = trace["reply"].as_str().unwrap();
    assert!(reply.starts_with("held back: refusing.example refuses this message (550 5.7.1"), "{reply}");
    for number in [0, 59] {
        assert!(!app.is_paused(&format!("reader{number}@refusing.example")).await);
    }
    let told = mails_to_boss(&app);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("refusing.example refused ") && told[0].contains("of 60 copies"), "{}", told[0]);

    app.restart().await;
    app.advance(Duration::from_hours(1)).await;
    assert_eq!(states(&app, "@refusing.example").await, at_provider, "it stays so, also after a restart");
    app.advance(5 * DAY).await;
    assert_eq!(states(&app, "@refusing.example").await["failed"], 60, "until the retries end");
    assert_eq!(mails_to_boss(&app).len(), 1);
}

#[tokio::test]
async fn the_next_message_is_tried_anew_at_a_provider_that_refused_the_last() {
    let (app, list) = start_with_provider(30, 30).await;
    app.post_and_settle(&list).await;
    for number in 0..30 {
        app.sink.defer(&format!("reader{number}@refusing.example"), 0);
    }
    app.post_and_settle(&list).await;
    assert_eq!(states(&app, "@refusing.example").await["delivered"], 30);
}

#[tokio::test]
async fn a_few_refusals_hold_nothing_back() {
    for (members, refusing) in [(30, 9), (240, 12)] {
        let (app, list) = start_with_provider(members, refusing).await;
        app.post_and_settle(&list).await;
        let expected =
            BTreeMap::from([("delivered".to_owned(), members - refusing), ("failed".to_owned(), refusing)]);
        assert_eq!(states(&app, "@refusing.example").await, expected);
        assert_eq!(mails_to_boss(&app), [""; 0]);
    }
}

#[tokio::test]
async fn domains_that_share_their_servers_are_one_provider() {
    let zone = "
        a.test MX 10 mx1.provider.test
        b.test MX 10 mx2.provider.test
        c.test MX 10 mx.other.test
        mx1.provider.test A 127.0.0.1
        mx2.provider.test A 127.0.0.1
        mx.other.test A 127.0.0.1
    ";
    let (_dns, dns_server) = dns::start(zone).await;
    let settings = move |config: &mut Config| {
        without_relays(config, dns_server);
        config.connections_per_domain = 1;
    };
    let app = TestApp::builder().config(settings).start().await;
    let mut list = app.list("news").open().member("c@c.test");
    for number in 0..200 {
        let domain = if number % 2 == 0 { "a.test" } else { "b.test" };
        let address = format!("reader{number}@{domain}");
        app.sink.script(&address, Act::AtRcpt("550 5.7.1 Not from you"), u32::MAX);
        list = list.member(&address);
    }
    let list = list.create().await;
    app.send_mail("x@x.org", &list.address, POST).await;
    app.settle().await;

    let (at_a, at_b) = (states(&app, "@a.test").await, states(&app, "@b.test").await);
    assert!(at_a.contains_key("deferred") && at_b.contains_key("deferred"), "{at_a:?} {at_b:?}");
    assert_eq!(states(&app, "@c.test").await["delivered"], 1);
}
