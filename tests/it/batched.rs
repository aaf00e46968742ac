//! Copies that members of one domain share: one transaction, an outcome for each, and what is personal never shared.

use std::time::Duration;

use crier::config::{Config, Delivery};

use crate::bounces::gone;
use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::sink::{Act, Mail};

const POST: &str = "Subject: hello\n\nhi";
const MINUTE: Duration = Duration::from_mins(1);
const SECOND: &str = "member2@example.org";

async fn app() -> TestApp {
    TestApp::builder().config(|config: &mut Config| config.delivery = Delivery::Batched).start().await
}

/// Posts to a list; the transactions, those for more recipients first.
async fn post(app: &TestApp, list: &TestList) -> Vec<Mail> {
    app.sink.clear();
    app.send_mail("member1@example.org", &list.address, POST).await;
    app.settle().await;
    transactions(app)
}

fn transactions(app: &TestApp) -> Vec<Mail> {
    let mut mails = app.sink.mails();
    mails.sort_by_key(|mail| std::cmp::Reverse(mail.to.len()));
    mails
}

fn recipients(mails: &[Mail]) -> Vec<usize> {
    mails.iter().map(|mail| mail.to.len()).collect()
}

#[tokio::test]
async fn members_of_a_domain_share_one_transaction() {
    let app = app().await;
    let list = app.list("news").members(5).member("a@x.org").member("b@x.org").create().await;
    let mails = post(&app, &list).await;
    assert_eq!(recipients(&mails), [5, 2]);
    assert_eq!(mails[1].to, ["a@x.org", "b@x.org"]);
    let leave = "<https://lists.example.org/lists/news/join/?action=unsubscribe>, \
                 <mailto:news-unsubscribe@lists.example.org>";
    for mail in &mails {
        assert_eq!(mail.header("List-Unsubscribe").as_deref(), Some(leave));
        assert_eq!(mail.header("List-Unsubscribe-Post"), None);
        assert_eq!(mail.header("CFBL-Address"), Some(format!("{}; report=arf", mail.from)));
        assert!(mail.from.starts_with("bounces+") && mail.text().contains("DKIM-Signature"), "{mail}");
    }
    assert_eq!(app.trace(SECOND).await["state"], "delivered");
}

#[tokio::test]
async fn a_transaction_has_room_for_50() {
    let app = app().await;
    let list = app.list("news").members(60).create().await;
    assert_eq!(recipients(&post(&app, &list).await), [50, 10]);
    assert_eq!(app.sink.to_members().len(), 60);
}

#[tokio::test]
async fn a_server_that_says_how_much_it_takes_gets_no_more() {
    for has_pipelining in [true, false] {
        let app = app().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        app.sink.announce_limits(11, 2);
        app.sink.refuse(SECOND);
        let list = app.list("news").members(60).create().await;
        // Who is refused has been named all the same.
        assert_eq!(recipients(&post(&app, &list).await), [11, 11, 11, 11, 10, 5]);
        assert_eq!(app.sink.connections(), 3);
        post(&app, &list).await;
        assert_eq!((app.sink.copies(), app.sink.connections()), (59, 6), "what is used up is not used again");
    }
}

#[tokio::test]
async fn individual_copies_respect_a_servers_limit_per_connection() {
    let app = TestApp::start().await;
    app.sink.announce_limits(1, 2);
    let list = app.list("news").members(5).create().await;
    post(&app, &list).await;
    assert_eq!((app.sink.to_members().len(), app.sink.connections()), (5, 3));
}

#[tokio::test]
async fn a_recipient_who_is_refused_fails_alone() {
    for has_pipelining in [true, false] {
        let app = app().await;
        if !has_pipelining {
            app.sink.without_pipelining();
        }
        let list = app.list("news").members(5).create().await;
        app.sink.script(SECOND, Act::AtRcpt("550 5.7.1 Not you"), u32::MAX);
        app.sink.script("member4@example.org", Act::AtRcpt("451 4.3.0 Later"), 1);
        assert_eq!(recipients(&post(&app, &list).await), [3]);
        let trace = app.trace(SECOND).await;
        assert_eq!([&trace["state"], &trace["reply"]], ["failed", "550 5.7.1 Not you"]);
        assert_eq!(app.trace("member4@example.org").await["state"], "deferred");
        app.advance(5 * MINUTE).await;
        assert_eq!(app.sink.to_members().len(), 4);
    }
}

#[tokio::test]
async fn the_reply_after_data_applies_to_every_accepted_recipient() {
    let app = app().await;
    let list = app.list("news").members(3).create().await;
    app.sink.refuse("member1@example.org");
    app.sink.script(SECOND, Act::AtData("452 4.3.1 Full"), 1);
    assert_eq!(recipients(&post(&app, &list).await), [0; 0]);
    for (member, state, reply) in [
        ("member1@example.org", "failed", "550 5.1.1 No such mailbox"),
        (SECOND, "deferred", "452 4.3.1 Full"),
        ("member3@example.org", "deferred", "452 4.3.1 Full"),
    ] {
        let trace = app.trace(member).await;
        assert_eq!([&trace["state"], &trace["reply"]], [state, reply], "{member}");
    }
    app.advance(5 * MINUTE).await;
    assert_eq!(recipients(&transactions(&app)), [2]);
}

#[tokio::test]
async fn a_broken_connection_leaves_no_member_without_a_copy() {
    for act in [Act::DropAfterData, Act::DropInData] {
        let app = app().await;
        let list = app.list("news").members(60).create().await;
        app.sink.script("member7@example.org", act, 1);
        post(&app, &list).await;
        app.advance(5 * MINUTE).await;
        let mut members = app.sink.to_members();
        members.dedup();
        // Those who shared the broken one do so in two halves.
        assert_eq!((members.len(), app.sink.mails().len()), (60, 3), "{act:?}");
    }
}

#[tokio::test]
async fn recipients_beyond_a_servers_limit_get_the_next_transaction_at_once() {
    let app = app().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member3@example.org", Act::AtRcpt("452 4.5.3 Too many recipients"), 1);
    assert_eq!(recipients(&post(&app, &list).await), [2, 1]);
    app.sink.script("member1@example.org", Act::AtRcpt("452 4.5.3 Too many recipients"), 1);
    assert_eq!(recipients(&post(&app, &list).await), [2], "where not even the first has room, it waits");
    app.advance(5 * MINUTE).await;
    assert_eq!(recipients(&transactions(&app)), [2, 1]);
}

/// A server that shares copies and can tell where reports come from: mail of this machine comes from the provider
/// of the members, as its name shows.
async fn app_with_spf() -> TestApp {
    let zone = "client.example.org TXT v=spf1 ip4:127.0.0.1 -all\nexample.org TXT v=spf1 ip4:127.0.0.1 -all";
    let app = TestApp::builder().dns(zone).config(|config: &mut Config| config.delivery = Delivery::Batched);
    app.start().await
}

/// Whether delivery to an address is paused.
async fn is_paused(app: &TestApp, address: &str) -> bool {
    app.email(address).await["paused"] == true
}

fn complaint(recipient: &str) -> String {
    format!(
        "From: fbl@example.org\nSubject: complaint\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n\
         --b\nContent-Type: text/plain\n\nUnwanted.\n\
         --b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\
         User-Agent: x\nOriginal-Rcpt-To: {recipient}\n\
         --b\nContent-Type: message/rfc822\n\nSubject: hello\n\nhi\n\
         --b--\n"
    )
}

async fn report_to(app: &TestApp, from: &str, batch: &str, report: &str) {
    assert_eq!(app.send_mail(from, batch, report).await.code, 250);
    app.settle().await;
}

#[tokio::test]
async fn a_report_to_the_address_of_a_batch_counts_if_the_members_provider_sent_it() {
    let app = app_with_spf().await;
    let list = app.list("news").members(2).member("a@x.org").member("b@x.org").create().await;
    let fields =
        [("username", "ada@example.net"), ("notifications", "bounce,complaint"), ("welcome_email", "0")];
    app.admin.post("/api/2/admins/", &fields).await.good();
    let batch = |mails: &[Mail], member: &str| {
        let mail = mails.iter().find(|mail| mail.to.iter().any(|to| to == member)).unwrap();
        assert_eq!(mail.to.len(), 2);
        mail.from.clone()
    };
    let mails = post(&app, &list).await;
    let (theirs, others) = (batch(&mails, SECOND), batch(&mails, "a@x.org"));
    app.sink.clear();

    // The server of example.org has nothing to say of x.org.
    report_to(&app, "", &others, &gone("a@x.org")).await;
    assert_eq!(app.trace("a@x.org").await["state"], "delivered");
    let told = app.sink.mail_to("ada@example.net");
    assert_eq!(told.header("Subject").as_deref(), Some("A report on mail to a member was not believed"));
    assert!(told.text().contains("a@x.org: "), "{told}");
    report_to(&app, "", &others, &complaint("b@x.org")).await;
    report_to(
        &app,
        "",
        "abuse@lists.example.org",
        &complaint("b@x.org").replace("Version: 1", &format!("Original-Mail-From: <{others}>")),
    )
    .await;
    assert!(!is_paused(&app, "b@x.org").await);

    // A member of the same provider is not the provider.
    report_to(&app, "member1@example.org", &theirs, &gone(SECOND)).await;
    assert_eq!(app.trace(SECOND).await["state"], "delivered");

    report_to(&app, "", &theirs, &gone(SECOND)).await;
    assert_eq!(app.trace(SECOND).await["state"], "failed");
    report_to(&app, "fbl@example.org", &theirs, &complaint("member1@example.org")).await;
    assert!(is_paused(&app, "member1@example.org").await);
}

#[tokio::test]
async fn without_proof_of_its_sender_a_report_to_the_address_of_a_batch_counts_for_nobody() {
    let app = app().await;
    let list = app.list("news").members(2).create().await;
    let mails = post(&app, &list).await;
    report_to(&app, "", &mails[0].from, &complaint(SECOND)).await;
    report_to(&app, "", &mails[0].from, &gone(SECOND)).await;
    assert!(!is_paused(&app, SECOND).await);
    assert_eq!(app.trace(SECOND).await["state"], "delivered");
}

#[tokio::test]
async fn a_report_in_words_on_a_shared_copy_counts_for_each_member_that_it_names_as_failed() {
    let app = app_with_spf().await;
    let list = app.list("news").members(4).member("postmaster@example.org").create().await;
    let mails = post(&app, &list).await;
    let report = "From: MAILER-DAEMON@example.org (Mail System)\nSubject: Undelivered Mail\n\n\
                  I could not deliver your message to some of its recipients. For further assistance, please\n\
                  contact <postmaster@example.org>, or write to member4@example.org.\n\n\
                  <member1@example.org>: the mailbox is full\n\n\
                  <member3@example.org>: user unknown\n\n\
                  ----- Original message -----\nFrom: member2@example.org\n";
    report_to(&app, "", &mails[0].from, report).await;
    for (member, state) in [("member1", "failed"), ("member3", "failed"), ("member2", "delivered")] {
        assert_eq!(app.trace(&format!("{member}@example.org")).await["state"], state, "{member}");
    }
    for named_for_contact in ["postmaster@example.org", "member4@example.org"] {
        assert_eq!(app.trace(named_for_contact).await["state"], "delivered", "{named_for_contact}");
    }
    let trace = app.trace("member3@example.org").await;
    assert_eq!(trace["reply"], "<member3@example.org>: user unknown");
}

#[tokio::test]
async fn a_bounce_of_a_shared_copy_is_assigned_by_its_report() {
    let app = app_with_spf().await;
    let list = app.list("news").members(3).create().await;
    post(&app, &list).await;
    app.bounce(SECOND, &gone(SECOND)).await;
    assert_eq!(app.trace(SECOND).await["state"], "failed");
    for other in ["member1@example.org", "member3@example.org"] {
        assert_eq!(app.trace(other).await["state"], "delivered");
    }
    app.bounce(SECOND, &gone("stranger@example.org")).await;
    assert_eq!(app.trace("member3@example.org").await["state"], "delivered");
    // The first copy's report is forged for the second's sender.
    let forged = app.sink.mails()[0].from.replacen('+', "+aa", 1);
    app.send_mail("", &forged, &gone("member3@example.org")).await;
    app.settle().await;
    assert_eq!(app.trace("member3@example.org").await["state"], "delivered");
}

#[tokio::test]
async fn a_report_that_spells_an_address_in_other_letters_counts_for_its_member() {
    let app = app_with_spf().await;
    let list = app.list("news").members(3).create().await;
    post(&app, &list).await;
    app.bounce(SECOND, &gone(&SECOND.to_uppercase())).await;
    assert_eq!(app.trace(SECOND).await["state"], "failed");
    app.bounce("member3@example.org", &complaint("Member3@Example.org")).await;
    assert!(is_paused(&app, "member3@example.org").await);
    assert_eq!(app.trace("member1@example.org").await["state"], "delivered");
}

#[tokio::test]
async fn personalised_messages_are_sent_as_individual_copies() {
    let app = app().await;
    for (name, setting, value) in
        [("a", "message_footer", "For $NAME: $UNSUBSCRIBE"), ("b", "message_fronter", "To $EMAIL")]
    {
        let list = app.list(name).open().with(setting, value).members(3).create().await;
        let mails = post(&app, &list).await;
        assert_eq!(recipients(&mails), [1, 1, 1]);
        assert!(mails[0].header("List-Unsubscribe-Post").is_some());
        assert!(mails[0].text().contains("/unsubscribe/"), "{}", mails[0]);
    }
    let list = app.list("c").open().with("merge_tags_enabled", "true").members(2).create().await;
    assert_eq!(recipients(&post(&app, &list).await), [2], "no tag, nothing personal");
    app.sink.clear();
    app.send_mail("member1@example.org", &list.address, "Subject: Dear $FIRSTNAME\n\nhi").await;
    app.settle().await;
    assert_eq!(recipients(&transactions(&app)), [1, 1]);
}

#[tokio::test]
async fn an_unsubscribe_link_does_not_require_an_individual_copy() {
    let app = app().await;
    let list = app.list("news").with("message_footer", "Leave: $UNSUBSCRIBE").members(3).create().await;
    let mails = post(&app, &list).await;
    assert_eq!(recipients(&mails), [3]);
    assert!(
        mails[0].text().contains("Leave: https://lists.example.org/lists/news/join/?action="),
        "{}",
        mails[0]
    );
}

#[tokio::test]
async fn an_address_beyond_ascii_has_a_transaction_of_its_own() {
    let app = app().await;
    let list =
        app.list("news").member("é@x.org").members(2).member("b@x.org").member("c@x.org").create().await;
    assert_eq!(recipients(&post(&app, &list).await), [2, 2, 1]);
}

#[tokio::test]
async fn members_paused_before_the_transaction_are_not_recipients() {
    let app = app().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member1@example.org", Act::AtData("451 4.3.0 Later"), 1);
    assert_eq!(recipients(&post(&app, &list).await), [0; 0]);
    app.pause(SECOND).await;
    app.advance(5 * MINUTE).await;
    assert_eq!(app.sink.to_members(), ["member1@example.org", "member3@example.org"]);
    assert_eq!(recipients(&transactions(&app)), [2]);
    assert_eq!(app.trace(SECOND).await["state"], "skipped");
}
