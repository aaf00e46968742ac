//! Digests: one mail in the morning with all messages of a list, instead of each message.

use std::process::{Command, Stdio};
use std::time::Duration;

use crier::clock::Timestamp;
use crier::config::{Config, Delivery};
use crier::model::Message;
use crier::store::{BlockTable, Key, Read as _};
use serde_json::{Value, json};

use crate::bounces::gone;
use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::http::encode;
use crate::harness::sink::Mail;

const FIRST: &str = "member1@example.org";
const SECOND: &str = "member2@example.org";
const THIRD: &str = "member3@example.org";
const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

impl TestApp {
    /// Sets fields of an address's membership in a list.
    pub(crate) async fn set_membership(&self, address: &str, list: &str, fields: Value) {
        let contact = self.email(address).await["contact"].clone();
        let path = format!("/api/2/membership/?contact={contact}&list={}", encode(list));
        let found = self.admin.get(&path).await.good();
        let path = format!("/api/2/membership/{}/", found["data"][0]["id"]);
        self.admin.put_json(&path, &fields).await.good();
    }

    /// Sets fields of an address.
    pub(crate) async fn set_email(&self, address: &str, fields: Value) {
        let id = self.email(address).await["id"].to_string();
        self.admin.put_json(&format!("/api/2/emails/{id}/"), &fields).await.good();
    }

    /// Moves time to the next 06:00 UTC, and lets everything happen that is due then.
    pub(crate) async fn advance_to_morning(&self) {
        let day = 24 * 3600 * 1000;
        let now = self.clock.now().ms();
        let morning = now.div_euclid(day) * day + 6 * 3600 * 1000;
        let morning = if now < morning { morning } else { morning + day };
        self.advance(Timestamp::from_ms(morning).since(self.clock.now())).await;
    }

    async fn post_subject(&self, list: &TestList, subject: &str) {
        let post = format!(
            "From: Ada <{FIRST}>\nSubject: {subject}\nMessage-ID: <{subject}@example.org>\n\nText of {subject}.\n"
        );
        assert_eq!(self.send_mail(FIRST, &list.address, &post).await.code, 250);
    }
}

/// The mails that came to an address: the subject of each mail, and those of the messages in it.
pub(crate) fn mail_of(app: &TestApp, address: &str) -> Vec<(String, Vec<String>)> {
    let mails = app.sink.mails();
    let of_address = mails.iter().filter(|mail| mail.to.iter().any(|to| to == address));
    of_address.map(|mail| (mail.header("Subject").unwrap_or_default(), messages_in(mail))).collect()
}

/// The subjects of the messages in a digest.
pub(crate) fn messages_in(mail: &Mail) -> Vec<String> {
    let text = mail.text();
    let Some((_, digest)) = text.split_once("Content-Type: multipart/digest") else { return Vec::new() };
    digest.lines().filter_map(|line| line.strip_prefix("Subject: ")).map(str::to_owned).collect()
}

/// A mail as text, with what quoted-printable writes otherwise in ASCII as it was.
fn decoded(mail: &Mail) -> String {
    mail.text().replace("=\n", "").replace("=20", " ").replace("=3D", "=")
}

fn subjects(app: &TestApp, address: &str) -> Vec<String> {
    mail_of(app, address).into_iter().map(|(subject, _)| subject).collect()
}

/// A list of three members, of whom the second takes digests of this list and the third of all lists.
async fn start() -> (TestApp, TestList) {
    let app = TestApp::start().await;
    let list = app.list("news").with("subject_prefix", "[news]").members(3).create().await;
    app.set_membership(SECOND, "news", json!({"digest": 1})).await;
    app.set_email(THIRD, json!({"digest": true})).await;
    (app, list)
}

#[tokio::test]
async fn members_who_take_digests_get_one_mail_in_the_morning() {
    let (app, list) = start().await;
    for subject in ["tea", "cake"] {
        app.post_subject(&list, subject).await;
        app.settle().await;
    }
    assert_eq!(subjects(&app, FIRST), ["[news] tea", "[news] cake"]);
    app.advance(Duration::from_mins(18 * 60 - 1)).await;
    assert_eq!(app.sink.copies(), 2, "nothing before 06:00");
    app.sink.clear();
    app.advance(MINUTE).await;
    let digest = "[news] Digest, 21 November 2026 (2 messages)".to_owned();
    let both = vec!["tea".to_owned(), "cake".to_owned()];
    for address in [SECOND, THIRD] {
        assert_eq!(mail_of(&app, address), [(digest.clone(), both.clone())]);
    }
    assert_eq!(app.sink.copies(), 2, "{}", app.sink.to_members().join(" "));
    let (second, third) = (app.sink.mail_to(SECOND), app.sink.mail_to(THIRD));
    assert!(second.from.starts_with("bounces+") && second.from != third.from);
    for mail in [&second, &third] {
        let leave = mail.header("List-Unsubscribe").unwrap();
        let link = leave.split(['<', '>']).nth(1).unwrap();
        assert!(link.starts_with("https://lists.example.org/unsubscribe/"), "{leave}");
        assert_eq!(mail.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
        let unfolded = decoded(mail);
        assert!(unfolded.contains(&format!("Leave the list: {link}")), "{mail}");
        assert!(unfolded.contains("Send me each message instead: https://lists.example.org/members/"));
        assert!(mail.header("DKIM-Signature").unwrap().contains("d=lists.example.org"));
        assert_eq!(mail.header("Auto-Submitted").as_deref(), Some("auto-generated"));
        assert_eq!(mail.header("List-Id").as_deref(), Some("<news.lists.example.org>"));
    }
    assert_ne!(second.header("List-Unsubscribe"), third.header("List-Unsubscribe"));
    app.sink.clear();
    app.advance(2 * DAY).await;
    assert_eq!(app.sink.copies(), 0, "nothing came since");
}

#[tokio::test]
async fn the_digest_comes_at_six_in_the_accounts_time_zone_and_language() {
    let (app, list) = start().await;
    app.change_account(|account| {
        account.settings.timezone = "Asia/Tokyo".to_owned();
        account.settings.language = crier::model::Language::German;
    })
    .await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    app.advance(Duration::from_mins(9 * 60 - 1)).await;
    assert_eq!(app.sink.copies(), 0);
    app.advance(MINUTE).await;
    assert_eq!(subjects(&app, SECOND), ["[news] Sammelmail, 21. November 2026 (1 Nachricht)"]);
}

#[tokio::test]
async fn a_new_time_zone_moves_the_digest_that_waits() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("timezone", "Asia/Tokyo")]).await.good();
    app.advance(Duration::from_hours(9)).await;
    assert_eq!(subjects(&app, SECOND), ["[news] Digest, 21 November 2026 (1 message)"]);
}

#[tokio::test]
async fn members_who_switch_get_each_message_as_they_took_it_when_it_came() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.set_membership(SECOND, "news", json!({"digest": 0})).await;
    app.set_membership(FIRST, "news", json!({"digest": 1})).await;
    app.post_subject(&list, "cake").await;
    app.set_email(THIRD, json!({"digest": false})).await;
    app.post_subject(&list, "jam").await;
    app.set_email(THIRD, json!({"digest": true})).await;
    app.post_subject(&list, "milk").await;
    app.settle().await;
    app.advance_to_morning().await;
    let got = |address| {
        let mails = mail_of(&app, address).into_iter();
        let got: Vec<String> =
            mails.map(|(subject, inner)| if inner.is_empty() { subject } else { inner.join("+") }).collect();
        got.join(", ").replace("[news] ", "")
    };
    assert_eq!(got(FIRST), "tea, cake+jam+milk");
    assert_eq!(got(SECOND), "cake, jam, milk, tea");
    assert_eq!(got(THIRD), "jam, tea+cake+milk");
}

#[tokio::test]
async fn members_who_left_or_paused_get_no_digest_and_new_members_no_earlier_message() {
    let (app, list) = start().await;
    app.join("late@example.org", "news").await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    app.set_membership(SECOND, "news", json!({"paused": true})).await;
    let contact = app.email(THIRD).await["contact"].to_string();
    app.admin.delete(&format!("/api/2/contacts/{contact}/")).await.good();
    app.join("later@example.org", "news").await;
    app.set_email("later@example.org", json!({"digest": true})).await;
    app.advance_to_morning().await;
    assert_eq!(app.sink.to_members(), Vec::<String>::new());
    app.set_membership(SECOND, "news", json!({"paused": false})).await;
    app.post_subject(&list, "cake").await;
    app.settle().await;
    app.sink.clear();
    app.advance_to_morning().await;
    let digest = ("[news] Digest, 22 November 2026 (1 message)".to_owned(), vec!["cake".to_owned()]);
    assert_eq!(mail_of(&app, SECOND), std::slice::from_ref(&digest));
    assert_eq!(mail_of(&app, "later@example.org"), [digest]);
}

#[tokio::test]
async fn messages_that_were_taken_out_of_the_archive_are_in_no_digest() {
    let (app, list) = start().await;
    for subject in ["tea", "cake"] {
        app.post_subject(&list, subject).await;
    }
    app.settle().await;
    let messages = app.admin.get("/api/2/messages/").await.good();
    app.admin.delete(&format!("/api/2/messages/{}/", messages["data"][1]["id"])).await.good();
    app.sink.clear();
    app.advance_to_morning().await;
    let expected = ("[news] Digest, 21 November 2026 (1 message)".to_owned(), vec!["cake".to_owned()]);
    assert_eq!(mail_of(&app, SECOND), [expected]);
    app.post_subject(&list, "jam").await;
    app.settle().await;
    let messages = app.admin.get("/api/2/messages/").await.good();
    app.admin.delete(&format!("/api/2/messages/{}/", messages["data"][0]["id"])).await.good();
    app.sink.clear();
    app.advance_to_morning().await;
    assert_eq!(app.sink.copies(), 0);
}

#[tokio::test]
async fn a_digest_that_was_missed_goes_out_at_the_start() {
    let (mut app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    let clock = app.clock.clone();
    app.restart_after(|_| clock.advance(3 * DAY)).await;
    app.settle().await;
    assert_eq!(subjects(&app, SECOND), ["[news] Digest, 23 November 2026 (1 message)"]);
    app.restart().await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn a_clock_that_is_set_back_brings_no_second_digest_of_a_day() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.advance_to_morning().await;
    app.sink.clear();
    let morning = app.clock.now();
    app.clock.set(morning.before(Duration::from_hours(1)));
    app.post_subject(&list, "cake").await;
    app.advance(Duration::from_hours(2)).await;
    assert_eq!(subjects(&app, SECOND), Vec::<String>::new());
    app.advance_to_morning().await;
    assert_eq!(subjects(&app, SECOND), ["[news] Digest, 22 November 2026 (1 message)"]);
    // A clock that is a year ahead holds nothing up when it is set right.
    app.clock.set(app.clock.now() + 365 * DAY);
    app.post_subject(&list, "jam").await;
    app.settle().await;
    app.clock.set(app.clock.now().before(365 * DAY));
    app.sink.clear();
    app.advance(DAY + MINUTE).await;
    app.advance(DAY).await;
    assert_eq!(messages_in(&app.sink.mail_to(SECOND)), ["jam"]);
    assert_eq!(app.sink.copies(), 2);
}

#[tokio::test]
async fn fronters_and_what_a_list_does_to_messages_hold_in_a_digest() {
    let (app, list) = start().await;
    app.change_list("news", |list| {
        list.message_footer = "Bye $FIRSTNAME, news of $LIST".to_owned();
        list.merge_tags_enabled = true;
        list.merge_tags_default_name = "friend".to_owned();
        list.truncate = Some(40);
        list.strip_attachments = true;
    })
    .await;
    let contact = app.email(SECOND).await["contact"].to_string();
    app.admin.put(&format!("/api/2/contacts/{contact}/"), &[("firstname", "Bea")]).await.good();
    let post = format!(
        "From: Ada <{FIRST}>\nSubject: tea\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n\
         Dear $FIRSTNAME, there will be much more tea than you think.\n--b\nContent-Type: image/png; name=tea.png\n\
         Content-Disposition: attachment\n\nxxx\n--b--\n"
    );
    assert_eq!(app.send_mail(FIRST, &list.address, &post).await.code, 250);
    app.advance_to_morning().await;
    let mail = decoded(&app.sink.mail_to(SECOND));
    assert_eq!(mail.matches("news of news").count(), 2, "once in the text and once in the HTML: {mail}");
    assert!(mail.contains("Bye Bea, news of news"), "{mail}");
    assert!(mail.contains("Dear friend, there"), "{mail}");
    assert!(!mail.contains("than you think") && mail.contains("[Attachment removed: tea.png"), "{mail}");
}

#[tokio::test]
async fn a_bounce_of_a_digest_counts_against_its_member() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    app.sink.refuse(SECOND);
    app.advance_to_morning().await;
    assert_eq!(app.email(SECOND).await["paused"], true);
    assert_eq!(app.email(THIRD).await["paused"], false);
    // Two reports on different copies, a day apart.
    let first = app.sink.sender_to(THIRD);
    assert_eq!(app.send_mail("", &first, &gone(THIRD)).await.code, 250);
    app.post_subject(&list, "cake").await;
    app.settle().await;
    app.sink.clear();
    app.advance_to_morning().await;
    app.advance(Duration::from_hours(1)).await;
    let second = app.sink.sender_to(THIRD);
    assert_eq!(app.send_mail("", &second, &gone(THIRD)).await.code, 250);
    assert_eq!(app.email(THIRD).await["paused"], true);
}

#[tokio::test]
async fn members_share_a_digest_where_copies_are_shared() {
    let app =
        TestApp::builder().config(|config: &mut Config| config.delivery = Delivery::Batched).start().await;
    let list = app.list("news").members(5).create().await;
    for address in [SECOND, THIRD] {
        app.set_membership(address, "news", json!({"digest": 1})).await;
    }
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    app.advance_to_morning().await;
    let mails = app.sink.mails();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to, [SECOND, THIRD]);
    assert_eq!(mails[0].header("List-Unsubscribe-Post"), None);
    let text = mails[0].text().replace("=\n", "");
    assert!(
        text.contains("Leave the list: https://lists.example.org/lists/news/join/?action=3Dunsubscribe"),
        "{text}"
    );
}

#[tokio::test]
async fn a_digest_of_a_list_that_was_deleted_is_not_sent() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    app.settle().await;
    app.sink.clear();
    app.admin.delete("/api/2/lists/news/").await.good();
    app.advance_to_morning().await;
    assert_eq!(app.sink.copies(), 0);
    for table in ["digest", "digest_post", "digest_schedule", "digest_fan_out", "digest_switch"] {
        assert!(!app.dump(table).contains("ListId("), "{}", app.dump(table));
    }
}

#[tokio::test]
async fn attachments_that_are_too_much_for_one_mail_become_links() {
    let (app, list) = start().await;
    app.change_list("news", |list| list.maxlength = 51_200).await;
    let line = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5\n";
    for (subject, lines) in [("large", 110_000), ("small", 10), ("medium", 60_000)] {
        let post = format!(
            "From: {FIRST}\nSubject: {subject}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\n\nSee the file.\n--b\nContent-Type: application/pdf; name={subject}.pdf\n\
             Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n{}--b--\n",
            line.repeat(lines)
        );
        assert_eq!(app.send_mail(FIRST, &list.address, &post).await.code, 250);
    }
    app.settle().await;
    app.sink.clear();
    app.advance_to_morning().await;
    let mail = app.sink.mail_to(SECOND);
    assert!(mail.data.len() < 10 << 20, "{}", mail.data.len());
    assert_eq!(messages_in(&mail), ["large", "small", "medium"]);
    let text = decoded(&mail);
    assert!(text.contains("[Attachment: large.pdf (application/pdf, "), "the largest goes");
    assert!(text.contains("name=small.pdf") && text.contains("name=medium.pdf"), "the others stay");
}

#[tokio::test]
async fn pythons_email_package_reads_a_digest() {
    let (app, list) = start().await;
    app.post_subject(&list, "tea").await;
    let posts = [
        "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
         Content-Transfer-Encoding: 8bit\n\nSchöne Grüße\n",
        "Subject: pages\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nplain\n--x\n\
         Content-Type: text/html\n\n<p>html</p>\n--x--\n",
        "Subject: file\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nsee\n--x\n\
         Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n\n%PDF\n--x--\n",
        "Subject: forwarded\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nsee\n--x\n\
         Content-Type: message/rfc822\n\nSubject: inner\n\ninner text\n--x--\n",
        "Subject: no end\n\nno line end",
    ];
    for post in posts {
        let post = format!("From: Ada <{FIRST}>\n{post}");
        assert_eq!(app.send_mail(FIRST, &list.address, &post).await.code, 250);
    }
    app.settle().await;
    app.sink.clear();
    app.advance_to_morning().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/digest.py");
    let started = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = started else { return };
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, &app.sink.mail_to(SECOND).data).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let expected = "defects: []\n\
        subject: [news] Digest, 21 November 2026 (6 messages)\n\
        parts: multipart/mixed multipart/alternative multipart/digest\n\
        alternatives: text/plain text/html\n\
        message: message/rfc822 1.eml | tea | Ada <member1@example.org> | Text of tea. | []\n\
        message: message/rfc822 2.eml | Grüße | Ada <member1@example.org> | Schöne Grüße | []\n\
        message: message/rfc822 3.eml | pages | Ada <member1@example.org> | plain | []\n\
        message: message/rfc822 4.eml | file | Ada <member1@example.org> | see | ['a.pdf']\n\
        message: message/rfc822 5.eml | forwarded | Ada <member1@example.org> | see | [None]\n\
        message: message/rfc822 6.eml | no end | Ada <member1@example.org> | no line end | []\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", app.sink.mail_to(SECOND));
}

#[tokio::test]
async fn a_message_whose_bytes_are_damaged_keeps_no_other_from_the_digest() {
    let (app, list) = start().await;
    for subject in ["tea", "cake"] {
        app.post_subject(&list, subject).await;
        app.settle().await;
    }
    let store = app.core().store.clone();
    let write_first_chunk = async |bytes: Option<Vec<u8>>| {
        let written = store.write(move |tx| {
            let tea = tx.all::<Message>(0, 1)?.remove(0);
            let (blobs, first_chunk) = (BlockTable::new("blob"), Key::new().u64(tea.blob.0).u64(0));
            let before = tx.block(&blobs, &first_chunk)?;
            let bytes = bytes.unwrap_or_else(|| 9999_u64.to_be_bytes().to_vec());
            tx.set_block(&blobs, &first_chunk, Some(&bytes), 0).map(|()| before)
        });
        written.await.unwrap()
    };
    let undamaged = write_first_chunk(None).await;
    app.advance_to_morning().await;
    write_first_chunk(undamaged).await;
    let digest = "[news] Digest, 21 November 2026 (2 messages)".to_owned();
    for address in [SECOND, THIRD] {
        assert_eq!(mail_of(&app, address), [(digest.clone(), vec!["cake".to_owned()])]);
    }
}
