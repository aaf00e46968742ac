//! Mail to the addresses of a list that take requests: what each command does, and what strangers cannot make it do.

use std::sync::Arc;
use std::time::Duration;

use crier::mail;
use crier::model::contact::JoinWay;
use crier::model::{
    AccountId, Authentication, CheckResult, DmarcPolicy, EmailAddress, ListId, RequestedChange, Via,
};
use crier::ops::Caller;
use crier::ops::people::requests::{self, NewRequest};
use crier::ops::posting::inbound::Refusal;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::sink::Mail;
use crate::harness::smtp::{Dialogue, Reply};
use crate::sender_auth::{signed, zone};

const ADA: &str = "ada@example.org";
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// A mail of `from` with commands.
fn mail_of(from: &str, subject: &str, text: &str) -> String {
    format!("From: {from}\nTo: somebody\nSubject: {subject}\n\n{text}\n")
}

async fn send(app: &TestApp, from: &str, local: &str, message: &str) -> Reply {
    let reply = app.send_mail(from, &format!("{local}@lists.example.org"), message).await;
    app.settle().await;
    reply
}

/// Sends commands to `news-request`; the answers to them.
async fn command(app: &TestApp, from: &str, text: &str) -> Vec<Mail> {
    app.sink.clear();
    assert_eq!(send(app, from, "news-request", &mail_of(from, "hello", text)).await.code, 250);
    app.sink.mails()
}

/// The answer to commands, which must be one mail to their sender alone.
async fn answer(app: &TestApp, from: &str, text: &str) -> Mail {
    let mut mails = command(app, from, text).await;
    assert_eq!(mails.len(), 1, "{text}");
    let mail = mails.remove(0);
    assert_eq!(mail.to, [from]);
    mail
}

fn text_of(mail: &Mail) -> String {
    mail::parse(mail.data.clone()).unwrap().content().plain.unwrap()
}

/// The path of the link that confirms; `None` if a mail has none.
fn link_in(mail: &Mail) -> Option<String> {
    let text = text_of(mail);
    let start = text.find("https://lists.example.org/confirm/")?;
    let path = text[start..].split_whitespace().next()?;
    path.strip_prefix("https://lists.example.org").map(str::to_owned)
}

async fn press(app: &TestApp, mail: &Mail) {
    let path = link_in(mail).unwrap_or_else(|| panic!("no link: {}", text_of(mail)));
    let page = app.anon.post(&path, &[("action", "confirm")]).await;
    assert_eq!(page.status, 200, "{}", page.body);
    app.settle().await;
}

/// The address to which a reply confirms.
fn confirm_address(mail: &Mail) -> String {
    let field = mail.header("Reply-To").expect("a mail that asks has this field");
    let address = field.rsplit(['<', ' ']).next().unwrap().trim_end_matches('>').to_owned();
    assert!(address.starts_with("confirm+"), "{address}");
    address
}

#[track_caller]
fn says(mail: &Mail, words: &str) {
    let text = text_of(mail).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{words:?} is not in {text}");
}

#[tokio::test]
async fn each_command_is_answered_and_changes_something_once_it_is_confirmed() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let asked = answer(&app, ADA, "subscribe").await;
    says(&asked, "subscribe Please confirm this with the link below.");
    assert_eq!(app.members("news").await, [""; 0]);
    press(&app, &asked).await;
    assert_eq!(app.members("news").await, [ADA]);
    assert!(app.dump("membership").contains("way: Mail"), "{}", app.dump("membership"));

    says(&answer(&app, ADA, "Subscribe!").await, "You are a member of news already.");
    let asked = answer(&app, ADA, "digest on").await;
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["data"][0]["digest"], json!(null));
    press(&app, &asked).await;
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["data"][0]["digest"], 1);
    says(&answer(&app, ADA, "digest on").await, "comes to you as one mail a day already");

    press(&app, &answer(&app, ADA, "pause").await).await;
    assert_eq!(app.email(ADA).await["paused"], true);
    says(&answer(&app, ADA, "which").await, "news (news): one mail a day Mail to ada@example.org is paused");
    press(&app, &answer(&app, ADA, "RESUME").await).await;
    assert_eq!(app.email(ADA).await["paused"], false);

    let id = app.admin.get("/api/2/membership/").await.good()["data"][0]["id"].to_string();
    app.admin.put(&format!("/api/2/membership/{id}/"), &[("paused", "1")]).await.good();
    says(&answer(&app, ADA, "which").await, "which news (news): nothing by mail, to be read on the web");

    press(&app, &answer(&app, ADA, "unsubscribe").await).await;
    assert_eq!(app.members("news").await, [""; 0]);
}

#[tokio::test]
async fn several_commands_in_one_mail_get_one_answer_with_one_link() {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    let text = "Hello,\n\nwhich\nDigest: on\npause\n> unsubscribe\n\n-- \nhelp\n";
    let mail = answer(&app, ADA, text).await;
    let answered = text_of(&mail);
    assert_eq!(answered.matches("/confirm/").count(), 1, "{answered}");
    assert_eq!(answered.matches("Please confirm this with the link below.").count(), 2, "{answered}");
    says(&mail, "which news (news): each message as it comes");
    says(&mail, "lines of your mail are no commands");
    assert!(!answered.contains("unsubscribe") && !answered.contains("Hello"), "{answered}");
    assert_eq!(app.dump("confirmation").matches("Confirmation {").count(), 1);
    press(&app, &mail).await;
    assert_eq!(app.email(ADA).await["paused"], true);
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["data"][0]["digest"], 1);
}

#[tokio::test]
async fn whoever_joins_by_commands_joins_as_the_other_commands_say() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    press(&app, &answer(&app, "Ada@example.org", "digest on\nsubscribe").await).await;
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["data"][0]["digest"], 1);
    press(&app, &answer(&app, "bob@example.org", "subscribe digest").await).await;
    assert_eq!(app.admin.get("/api/2/membership/").await.good()["data"][1]["digest"], 1);
}

#[tokio::test]
async fn an_answer_is_recognisable_as_one_and_leads_to_no_other() {
    let app = TestApp::start().await;
    app.list("news").open().with("description", "Harbour Choir").create().await;
    let message =
        format!("Message-ID: <q1@example.org>\n{}", mail_of("Ada Lee <ada@example.org>", "help", ""));
    assert_eq!(send(&app, "bounce-17@mailer.example.net", "news-request", &message).await.code, 250);
    let mail = app.sink.mail_to(ADA);
    assert_eq!(mail.from, "", "reports on it go nowhere");
    assert_eq!(mail.to, [ADA]);
    assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(mail.header("In-Reply-To").as_deref(), Some("<q1@example.org>"));
    assert_eq!(mail.header("Subject").as_deref(), Some("Your request to Harbour Choir"));
    assert_eq!(mail.header("From").as_deref(), Some("\"Harbour Choir\" <news-request@lists.example.org>"));
    assert_eq!(mail.header("List-Id"), None);
    assert!(mail.header("DKIM-Signature").is_some());
    insta::assert_snapshot!(text_of(&mail));
    // The sender never got the reply, and sends it again.
    assert_eq!(send(&app, "bounce-17@mailer.example.net", "news-request", &message).await.code, 250);
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn a_mail_without_commands_gets_the_help_and_repeats_nothing() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let mail = answer(&app, ADA, "Buy pills at https://pills.example/ now").await;
    says(&mail, "Your mail had no command that we understand. news takes these commands.");
    assert!(!mail.text().contains("pills"), "{}", mail.text());
    assert_eq!(link_in(&mail), None);
    app.sink.clear();
    send(&app, ADA, "news-help", &mail_of(ADA, "subscribe", "subscribe")).await;
    says(&app.sink.mail_to(ADA), "news takes these commands.");
    assert_eq!(link_in(&app.sink.mail_to(ADA)), None);
}

#[tokio::test]
async fn the_addresses_for_joining_and_leaving_ask_as_the_form_does() {
    let app = TestApp::start().await;
    app.list("news").open().with("confirmation_subject", "Well, $EMAIL?").create().await;
    for (joining, leaving) in [("news-subscribe", "NEWS-Unsubscribe"), ("News-JOIN", "news-leave")] {
        app.sink.clear();
        assert_eq!(send(&app, ADA, joining, &mail_of(ADA, "x", "no, thank you")).await.code, 250);
        let asked = app.sink.mail_to(ADA);
        assert_eq!(asked.header("Subject").as_deref(), Some("Well, ada@example.org?"));
        assert_eq!(app.members("news").await, [""; 0]);
        press(&app, &asked).await;
        assert_eq!(app.members("news").await, [ADA]);
        app.sink.clear();
        assert_eq!(send(&app, ADA, leaving, &mail_of(ADA, "", "")).await.code, 250);
        press(&app, &app.sink.mail_to(ADA)).await;
        assert_eq!(app.members("news").await, [""; 0]);
        app.advance(DAY).await;
    }
}

#[tokio::test]
async fn strangers_get_an_answer_without_a_link() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    app.list("other").member("bob@example.org").create().await;
    let mail = answer(&app, ADA, "which\nunsubscribe\ndigest off\npause").await;
    assert_eq!(link_in(&mail), None);
    assert_eq!(mail.header("Reply-To"), None);
    says(&mail, "which ada@example.org is not on any of our lists.");
    says(&mail, "unsubscribe ada@example.org is not a member of news.");
    says(&mail, "pause ada@example.org is not on any of our lists.");
    // A member of another list is a stranger to this one.
    let mail = answer(&app, "bob@example.org", "unsubscribe\nwhich").await;
    assert_eq!(link_in(&mail), None);
    says(&mail, "which other (other): each message as it comes");
    assert_eq!(app.dump("confirmation").matches("Confirmation {").count(), 0);
    app.sink.clear();
    send(&app, ADA, "news-unsubscribe", &mail_of(ADA, "x", "")).await;
    says(&app.sink.mail_to(ADA), "ada@example.org is not a member of news.");
}

#[tokio::test]
async fn a_closed_list_refuses_its_addresses_and_says_so_to_commands() {
    let app = TestApp::start().await;
    app.list("news")
        .with("subscriptions", "closed")
        .with("unsubscriptions", "closed")
        .with("archive_protected", "1")
        .member(ADA)
        .create()
        .await;
    app.list("open").with("subscriptions", "open").with("unsubscriptions", "open+confirm").create().await;
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("subscriptions", "closed"), ("unsubscriptions", "closed")]).await.good();
    app.list("as-account").create().await;
    let message = mail_of(ADA, "x", "");
    for local in ["news-subscribe", "news-join", "as-account-subscribe"] {
        let reply = send(&app, ADA, local, &message).await;
        let expected = "550 5.7.1 Nobody joins this list by mail; please write to those who look after it";
        assert_eq!(reply.to_string(), expected, "{local}");
    }
    for local in ["news-unsubscribe", "News-Leave", "as-account-leave"] {
        assert_eq!(send(&app, ADA, local, &message).await.code, 550, "{local}");
    }
    for local in ["open-subscribe", "open-leave", "news-request", "news-help"] {
        assert_eq!(send(&app, ADA, local, &message).await.code, 250, "{local}");
    }
    let mail = answer(&app, ADA, "unsubscribe\nhelp").await;
    says(&mail, "unsubscribe You cannot leave news on your own.");
    assert!(!text_of(&mail).contains("to join the list"), "{}", text_of(&mail));
    assert!(!text_of(&mail).contains("/lists/news/"), "strangers find no page: {}", text_of(&mail));
    says(&answer(&app, "bob@example.org", "subscribe").await, "subscribe You cannot join news on your own.");
}

#[tokio::test]
async fn an_address_that_the_patterns_do_not_permit_cannot_ask_to_join() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("restrict_contact_subscription", "@example\\.com$")]).await.good();
    let mail = answer(&app, ADA, "subscribe").await;
    says(&mail, "Addresses like ada@example.org cannot be members of news.");
    assert_eq!(link_in(&mail), None);
    press(&app, &answer(&app, "bob@example.com", "subscribe").await).await;
    assert_eq!(app.members("news").await, ["bob@example.com"]);
}

#[tokio::test]
async fn the_longest_name_of_a_list_wins() {
    let app = TestApp::start().await;
    app.list("news").open().member("bob@example.org").create().await;
    app.list("news-help").open().member("eve@example.org").create().await;
    send(&app, ADA, "news-help", &mail_of(ADA, "a post", "hi")).await;
    assert_eq!(app.sink.to_members(), ["eve@example.org"]);
    app.sink.clear();
    send(&app, ADA, "news-help-help", &mail_of(ADA, "x", "hi")).await;
    says(&app.sink.mail_to(ADA), "mail them to news-help-request@lists.example.org");
    assert_eq!(send(&app, ADA, "nothing-help", &mail_of(ADA, "x", "hi")).await.code, 550);
    assert_eq!(send(&app, ADA, "-help", &mail_of(ADA, "x", "hi")).await.code, 550);
}

#[tokio::test]
async fn a_list_whose_name_leaves_no_room_for_an_address_has_none_and_writes_all_the_same() {
    let app = TestApp::start().await;
    let long = "n".repeat(64 - "-subscribe".len());
    app.list(&long).open().create().await;
    assert_eq!(send(&app, ADA, &format!("{long}-subscribe"), &mail_of(ADA, "x", "")).await.code, 250);
    press(&app, &app.sink.mail_to(ADA)).await;
    assert_eq!(app.members(&long).await, [ADA]);
    // Its commands' address is one octet longer than the one for help can be.
    let longer = "n".repeat(64 - "-help".len());
    app.list(&longer).open().create().await;
    app.sink.clear();
    assert_eq!(send(&app, ADA, &format!("{longer}-help"), &mail_of(ADA, "x", "")).await.code, 250);
    assert!(app.sink.mail_to(ADA).header("From").unwrap().contains("postmaster@lists.example.org"));
    let longest = "n".repeat(64);
    app.list(&longest).with("send_hold_message", "1").create().await;
    assert_eq!(send(&app, ADA, &format!("{longest}-help"), &mail_of(ADA, "x", "")).await.code, 553);
    app.sink.clear();
    assert_eq!(
        send(&app, "bob@example.org", &longest, &mail_of("bob@example.org", "x", "hi")).await.code,
        250
    );
    let told = app.sink.mail_to("bob@example.org");
    assert!(told.header("From").unwrap().contains("postmaster@lists.example.org"), "{told}");
}

#[tokio::test]
async fn answers_are_in_the_language_of_the_account() {
    for (language, words) in [
        ("de", ["Ihre Anfrage an news", "Bitte bestätigen Sie das mit dem Link unten.", "27. November 2026"]),
        ("fr", ["Votre demande à news", "Veuillez confirmer par le lien ci-dessous.", "27 novembre 2026"]),
        ("es", ["Su solicitud a news", "Confírmelo, por favor", "27 de noviembre de 2026"]),
    ] {
        let app = TestApp::start().await;
        app.list("news").open().create().await;
        let account = format!("/api/2/accounts/{}/", app.account_id());
        app.admin.put(&account, &[("language", language)]).await.good();
        let mail = answer(&app, ADA, "subscribe\nhelp\nplease").await;
        let [subject, asked, day] = words;
        let read = mail::parse(mail.data.clone()).unwrap();
        assert_eq!(read.subject, subject);
        says(&mail, asked);
        says(&mail, day);
        // Commands are the same in every language.
        says(&mail, "digest off");
        app.sink.clear();
        let confirm = confirm_address(&mail);
        app.send_mail(ADA, &confirm, &mail_of(ADA, "Re: x", "ok")).await;
        app.settle().await;
        insta::assert_snapshot!(format!("confirmed_{language}"), text_of(&app.sink.mail_to(ADA)));
    }
}

/// What machines write, as header fields and as an envelope sender.
const MACHINES: [(&str, &str); 12] = [
    ("", ADA),
    ("Auto-Submitted: auto-replied\n", ADA),
    ("Auto-Submitted: auto-generated\n", ADA),
    ("Precedence: bulk\n", ADA),
    ("Precedence: list\n", ADA),
    ("Precedence: junk\n", ADA),
    ("List-Id: <other.example.net>\n", ADA),
    ("Content-Type: multipart/report; boundary=b; report-type=delivery-status\n", ADA),
    ("X-Autoreply: yes\n", ADA),
    ("Subject: Automatic reply: x\n", ADA),
    ("X-No: ", "MAILER-DAEMON@example.net"),
    ("X-No: ", "news-owner@lists.example.org"),
];

/// Whether this is mail of a machine by its envelope alone, else by its header.
fn machine_mail((fields, author): (&str, &str)) -> (String, String) {
    let sender = if fields.is_empty() { "" } else { author };
    let fields = fields.strip_suffix("X-No: ").unwrap_or(fields);
    let subject = if fields.starts_with("Subject") { "" } else { "Subject: subscribe\n" };
    (sender.to_owned(), format!("{fields}From: {author}\n{subject}\nsubscribe\nhelp\n"))
}

#[tokio::test]
async fn machines_are_not_answered_and_confirm_nothing() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let asked = answer(&app, ADA, "subscribe").await;
    app.sink.clear();
    for machine in MACHINES {
        let (sender, message) = machine_mail(machine);
        for local in ["news-request", "news-subscribe", "news-help"] {
            assert_eq!(send(&app, &sender, local, &message).await.code, 250, "{message}");
        }
        assert_eq!(app.send_mail(&sender, &confirm_address(&asked), &message).await.code, 250);
        app.settle().await;
        assert_eq!(app.sink.copies(), 0, "{message}");
    }
    assert_eq!(app.members("news").await, [""; 0]);
}

#[tokio::test]
async fn two_servers_that_answer_each_other_stop_at_once() {
    let (app, other) = (TestApp::start().await, TestApp::start().await);
    app.list("news").open().create().await;
    other.list("club").open().create().await;
    // Somebody writes to one list in the name of the other's address, as if it had asked.
    for from in ["club-request@lists.example.org", "club-request@other.example.net", "club@lists.example.org"]
    {
        assert_eq!(send(&app, from, "news-request", &mail_of(from, "help", "help")).await.code, 250);
        assert_eq!(app.sink.copies(), 0, "{from}");
    }
    // An answer of this server that another one gets as if it were a request.
    let answered = answer(&app, ADA, "help").await;
    assert_eq!(send(&other, &answered.from, "club-request", &answered.text()).await.code, 250);
    assert_eq!(other.sink.copies(), 0);
    // One that goes round through a forwarder, which hides what it is.
    let far = format!("{}{}", "Received: x\n".repeat(51), mail_of(ADA, "help", "help"));
    app.sink.clear();
    send(&app, ADA, "news-request", &far).await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn an_author_whose_domain_asks_for_proof_is_answered_with_proof_alone() {
    let app = TestApp::builder().dns(&zone()).start().await;
    app.list("news").open().create().await;
    let message = |author: &str| mail_of(author, "subscribe", "");
    let careful = "ada@careful.test";
    assert_eq!(send(&app, careful, "news-request", &message(careful)).await.code, 250);
    assert_eq!(send(&app, careful, "news-subscribe", &message(careful)).await.code, 250);
    let strict = "ada@strict.test";
    assert_eq!(send(&app, strict, "news-request", &message(strict)).await.code, 550);
    assert_eq!(app.sink.copies(), 0);
    assert_eq!(app.dump("confirmation").matches("Confirmation {").count(), 0);
    for (domain, author) in [("careful.test", careful), ("strict.test", strict)] {
        let signed = signed(domain, &message(author));
        assert_eq!(send(&app, "other@elsewhere.example", "news-request", &signed).await.code, 250);
        assert!(link_in(&app.sink.mail_to(author)).is_some());
    }
    let undecided = Authentication {
        dmarc: CheckResult::TempError,
        policy: DmarcPolicy::Quarantine,
        results: "dmarc=temperror".to_owned(),
        ..Authentication::unchecked()
    };
    let to = [careful, "news-request@lists.example.org"];
    let taken = app.receive_from("192.0.2.1", to, &message(careful), undecided).await;
    assert_eq!(taken, Err(Refusal::Unverified), "the DNS may answer later");
}

#[tokio::test]
async fn an_address_gets_ten_answers_a_day_also_after_a_restart() {
    let mut app = TestApp::start().await;
    app.list("news").open().create().await;
    for _ in 0..6 {
        assert_eq!(command(&app, ADA, "help").await.len(), 1);
    }
    app.restart().await;
    for _ in 6..10 {
        assert_eq!(command(&app, "ADA@example.org", "which").await.len(), 1);
    }
    assert_eq!(command(&app, ADA, "help").await.len(), 0);
    assert_eq!(command(&app, ADA, "subscribe").await.len(), 0);
    assert_eq!(command(&app, "bob@example.org", "help").await.len(), 1);
    app.advance(DAY).await;
    let asked = command(&app, ADA, "subscribe").await;
    assert!(link_in(&asked[0]).is_some(), "what was not answered did not count as asked");
}

#[tokio::test]
async fn who_was_asked_today_gets_no_second_link() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    assert!(link_in(&answer(&app, ADA, "subscribe").await).is_some());
    assert_eq!(command(&app, ADA, "subscribe").await.len(), 0);
    let mail = answer(&app, ADA, "subscribe\nwhich").await;
    assert_eq!(link_in(&mail), None);
    says(&mail, "subscribe A link to confirm this was mailed to you within the last day");
    app.sink.clear();
    send(&app, ADA, "news-join", &mail_of(ADA, "x", "")).await;
    assert_eq!(app.sink.copies(), 0);
    app.advance(DAY).await;
    send(&app, ADA, "news-join", &mail_of(ADA, "x", "")).await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn a_proven_author_is_told_that_the_link_was_mailed_before() {
    let app = TestApp::builder().dns(&zone()).start().await;
    app.list("news").open().create().await;
    let author = "ada@lenient.test";
    let message = signed("lenient.test", &mail_of(author, "subscribe", ""));
    assert_eq!(send(&app, author, "news-request", &message).await.code, 250);
    assert!(link_in(&app.sink.mail_to(author)).is_some());
    app.sink.clear();
    assert_eq!(send(&app, author, "news-request", &message).await.code, 250);
    says(&app.sink.mail_to(author), "was mailed to you within the last day");
}

#[tokio::test]
async fn a_reply_confirms_a_request_and_is_answered_once() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    send(&app, ADA, "news-subscribe", &mail_of(ADA, "x", "")).await;
    let asked = app.sink.mail_to(ADA);
    let confirm = confirm_address(&asked);
    app.sink.clear();
    let reply = format!("Message-ID: <r1@example.com>\n{}", mail_of("Ada <ada@example.com>", "Re: x", "yes"));
    // Any case, from wherever its reader writes.
    assert_eq!(app.send_mail("ada@example.com", &confirm.to_uppercase(), &reply).await.code, 250);
    app.settle().await;
    assert_eq!(app.members("news").await, [ADA]);
    assert!(app.dump("consent").contains("way: Mail"), "{}", app.dump("consent"));
    let told = app.sink.mail_to(ADA);
    says(&told, "You are a member of news.");
    assert_eq!(told.header("Auto-Submitted").as_deref(), Some("auto-replied"));
    assert_eq!(told.header("In-Reply-To").as_deref(), Some("<r1@example.com>"));
    assert_eq!(told.from, "");
    app.sink.clear();
    assert_eq!(app.send_mail(ADA, &confirm, &reply).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    // Its page knows that it was used.
    assert_eq!(app.anon.get(&link_in(&asked).unwrap()).await.status, 200);
}

#[tokio::test]
async fn a_reply_to_an_answer_confirms_all_its_changes() {
    let app = TestApp::start().await;
    app.list("news").open().member(ADA).create().await;
    let asked = answer(&app, ADA, "pause\nunsubscribe").await;
    app.sink.clear();
    assert_eq!(app.send_mail(ADA, &confirm_address(&asked), &mail_of(ADA, "Re:", "")).await.code, 250);
    app.settle().await;
    assert_eq!(app.members("news").await, [""; 0]);
    assert_eq!(app.email(ADA).await["paused"], true);
    says(&app.sink.mail_to(ADA), "You have left news.");
}

#[tokio::test]
async fn a_reply_comes_too_late_after_a_week() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let confirm = confirm_address(&answer(&app, ADA, "subscribe").await);
    app.advance(7 * DAY).await;
    app.sink.clear();
    assert_eq!(app.send_mail(ADA, &confirm, &mail_of(ADA, "Re:", "")).await.code, 250);
    app.settle().await;
    says(&app.sink.mail_to(ADA), "Your request of 20 November 2026 could not be confirmed");
    assert_eq!(app.members("news").await, [""; 0]);
    app.advance(31 * DAY).await;
    let reply = app.send_mail(ADA, &confirm, &mail_of(ADA, "Re:", "")).await;
    assert_eq!(reply.code, 550, "it is forgotten");
    let forged = confirm.replace(&confirm[10..14], "aaaa");
    assert_eq!(app.send_mail(ADA, &forged, &mail_of(ADA, "Re:", "")).await.code, 550);
}

#[tokio::test]
async fn commands_have_the_size_limit_of_role_addresses() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    let mut dialogue = Dialogue::connect(app.smtp_addr()).await;
    dialogue.expect(220).await;
    dialogue.say("EHLO client.example.net", 250).await;
    dialogue.say(&format!("MAIL FROM:<{ADA}> SIZE=1048577"), 250).await;
    for local in ["news-request", "news-subscribe", "news-help"] {
        dialogue.say(&format!("RCPT TO:<{local}@lists.example.org>"), 552).await;
    }
    dialogue.say("QUIT", 221).await;
    // Together with a post, it arrives; the commands are not read.
    let large = mail_of(ADA, "x", &"help\n".repeat(220_000));
    let both = [list.address.as_str(), "news-request@lists.example.org"];
    assert_eq!(app.send_mail_to(ADA, &both, &large).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
    let small = mail_of(ADA, "x", "help");
    assert_eq!(app.send_mail_to(ADA, &both, &small).await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), [ADA]);
    assert_eq!(app.admin.get("/api/2/messages/").await.good()["count"], 2, "both are posts too");
}

/// What is known of mail that a stranger brings in somebody's name.
fn unproven() -> Authentication {
    Authentication {
        policy: DmarcPolicy::Absent,
        results: "spf=none".to_owned(),
        ..Authentication::unchecked()
    }
}

#[tokio::test]
async fn a_victim_of_many_clients_gets_one_mail_a_day_and_list_and_five_in_all() {
    let mut app = TestApp::start().await;
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        app.list(name).open().create().await;
    }
    let joins = async |app: &TestApp, name: &str| {
        let list = app.admin.get(&format!("/api/2/lists/{name}/")).await.good();
        RequestedChange::Join { list: ListId(list["id"].as_u64().unwrap()), digest: None }
    };
    let attack = async |app: &TestApp, round: usize| {
        for (number, list) in ["a", "a", "b", "c", "d", "e", "f", "g", "a", "b"].into_iter().enumerate() {
            let client = format!("192.0.{round}.{}", number + 1);
            for suffix in ["request", "subscribe", "join"] {
                let to = format!("{list}-{suffix}@lists.example.org");
                let message = mail_of(ADA, "x", "subscribe");
                let taken = app.receive_from(&client, [ADA, &to], &message, unproven()).await;
                assert_eq!(taken, Ok(()), "the answer is the same");
            }
            // The form ends here too.
            let account = AccountId(app.account_id());
            let client = Some(client.parse().unwrap());
            let request = NewRequest {
                account,
                address: EmailAddress::parse(ADA).unwrap(),
                name: String::new(),
                changes: vec![joins(app, list).await],
                agreed: String::new(),
                way: JoinWay::Web,
                client,
            };
            let caller = Arc::new(Caller::anonymous(account, Via::Page, client));
            app.core().perform(&caller, move |tx, by| requests::ask(tx, by, request)).await.unwrap();
        }
        app.settle().await;
    };
    attack(&app, 2).await;
    assert_eq!(app.sink.copies(), 5);
    app.restart().await;
    app.advance(23 * HOUR).await;
    attack(&app, 3).await;
    assert_eq!(app.sink.copies(), 5);
    let links: Vec<String> = app.sink.mails().iter().filter_map(link_in).collect();
    assert_eq!(links.len(), 5);
    app.advance(HOUR).await;
    attack(&app, 4).await;
    assert_eq!(app.sink.copies(), 10);
    // Commands that change nothing get one answer a day.
    app.sink.clear();
    for number in 1..20 {
        let client = format!("192.0.5.{number}");
        let to = [ADA, "a-request@lists.example.org"];
        let message = mail_of(ADA, "x", "help\nwhich\nunsubscribe");
        assert_eq!(app.receive_from(&client, to, &message, unproven()).await, Ok(()));
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn addresses_that_differ_in_their_tag_alone_are_one_mailbox_for_the_limits() {
    let app = TestApp::start().await;
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
        app.list(name).open().create().await;
    }
    for (number, list) in ["a", "a", "b", "b", "c", "d", "e", "f", "g", "a"].into_iter().enumerate() {
        let victim = format!("Victim+{number}@example.org");
        let to = format!("{list}-subscribe@lists.example.org");
        let message = mail_of(&victim, "x", "subscribe");
        let client = format!("192.0.2.{}", number + 1);
        assert_eq!(app.receive_from(&client, [&*victim, &to], &message, unproven()).await, Ok(()));
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 5);
    let other = mail_of("victim2@example.org", "x", "subscribe");
    let to = ["victim2@example.org", "a-subscribe@lists.example.org"];
    assert_eq!(app.receive_from("192.0.2.99", to, &other, unproven()).await, Ok(()));
    app.settle().await;
    assert_eq!(app.sink.copies(), 6, "another mailbox has its own");
}

#[tokio::test]
async fn a_client_is_stopped_and_a_sender_that_is_disproven_gets_nothing() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    let to = "news-subscribe@lists.example.org";
    let mut taken = 0;
    for number in 0..150 {
        let author = format!("victim{number}@example.org");
        let message = mail_of(&author, "x", "");
        match app.receive_from("192.0.2.1", [&author, to], &message, unproven()).await {
            Ok(()) => taken += 1,
            Err(refusal) => {
                assert_eq!(refusal, Refusal::TooManyRequests);
                break;
            }
        }
    }
    assert!((50..150).contains(&taken), "{taken}");
    app.settle().await;
    app.sink.clear();
    let message = mail_of(ADA, "x", "help");
    let disproven = Authentication { spf: CheckResult::Fail, ..unproven() };
    let to = [ADA, "news-request@lists.example.org"];
    assert_eq!(app.receive_from("192.0.2.2", to, &message, disproven).await, Ok(()));
    app.settle().await;
    assert_eq!(app.sink.copies(), 0);
}
