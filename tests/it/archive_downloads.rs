//! Months of an archive as mailbox files, and the bytes of messages that were taken out.

use std::io::Read as _;
use std::time::Duration;

use crier::mail::mbox::{Piece, Quoting, Splitter};
use crier::model::{ContactId, Message, Person, TakenOut};
use crier::store::{BlobId, Read as _, StoreError};

use crate::harness::http::{Client, Response};
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
const DAY: Duration = Duration::from_hours(24);

fn anon(app: &TestApp) -> Client {
    app.anon.at_host(DOMAIN)
}

async fn get(app: &TestApp, path: &str, cookie: &str) -> Response {
    anon(app).request("GET", path, &[("Cookie", cookie)], b"").await
}

async fn cookie_of(app: &TestApp, address: &str) -> String {
    let contact = app.email(address).await["contact"].as_u64().unwrap();
    format!("__Host-member={}", app.sign_in(Person::Member(ContactId(contact))).await)
}

async fn post(app: &TestApp, list: &str, subject: &str, text: &str) {
    let mail = format!("From: Ada <{ADA}>\nTo: {list}@{DOMAIN}\nSubject: {subject}\n\n{text}");
    let reply = app.send_mail(ADA, &format!("{list}@{DOMAIN}"), &mail).await;
    assert_eq!(reply.code, 250, "{reply:?}");
    app.settle().await;
}

/// The messages of a compressed mailbox file, each with the line in front of it.
#[track_caller]
fn mails(file: &Response) -> Vec<String> {
    assert_eq!((file.status, file.header("content-type")), (200, Some("application/gzip")), "{}", file.body);
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(file.bytes.as_slice()).read_to_end(&mut text).unwrap();
    let mut mails = Vec::new();
    let mut splitter = Splitter::new(Quoting::Mboxrd, 50 << 20);
    let mut each = |piece| match piece {
        Piece::Mail { bytes, .. } => mails.push(String::from_utf8(bytes).unwrap()),
        other => panic!("{other:?}"),
    };
    splitter.push(&text, &mut each);
    splitter.finish(&mut each);
    mails
}

#[tokio::test]
async fn a_month_is_downloaded_as_a_mailbox_file() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    let large = "From here to there\n>From quoted\n".repeat(20_000);
    post(&app, "tea", "One", "From me to you").await;
    post(&app, "tea", "Two", &large).await;
    app.advance(15 * DAY).await;
    post(&app, "tea", "Three", "In December").await;
    let file = get(&app, "/lists/tea/2026-11.mbox.gz", "").await;
    let disposition = file.header("content-disposition").unwrap();
    assert_eq!(disposition, "attachment; filename=\"tea-2026-11.mbox.gz\"");
    let november = mails(&file);
    assert_eq!(november.len(), 2);
    assert!(
        november[0].contains("Subject: One\n") && november[0].ends_with("\n\nFrom me to you\n"),
        "{}",
        november[0]
    );
    assert!(november[1].contains("Subject: Two\n") && november[1].contains(&large), "the text is restored");
    let december = mails(&get(&app, "/lists/tea/2026-12.mbox.gz", "").await);
    assert_eq!(december.len(), 1);
    assert!(december[0].contains("In December"));
    for file in
        ["2026-10.mbox.gz", "2027-01.mbox.gz", "2026-13.mbox.gz", "2026-11.mbox", "x.mbox.gz", "2026-11.gz"]
    {
        assert_eq!(get(&app, &format!("/lists/tea/{file}"), "").await.status, 404, "{file}");
    }
    let head = anon(&app).request("HEAD", "/lists/tea/2026-11.mbox.gz", &[], b"").await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

#[tokio::test]
async fn what_is_downloaded_is_what_members_got_less_what_is_personal() {
    let app = TestApp::start().await;
    app.list("tea")
        .member(ADA)
        .with("archive_spammode", "0")
        .with("original_sender_mode", "hide")
        .with("rewrite_sender", "1")
        .create()
        .await;
    post(&app, "tea", "Pot", "Tea is ready").await;
    let mails = mails(&get(&app, "/lists/tea/2026-11.mbox.gz", "").await);
    let raw = get(&app, "/lists/tea/messages/1/raw", "").await;
    assert_eq!((raw.status, raw.header("content-length")), (200, Some(raw.bytes.len().to_string().as_str())));
    for text in [mails[0].as_str(), raw.body.as_str()] {
        assert!(text.contains("Tea is ready"), "{text}");
        assert!(!text.contains(ADA), "the author is hidden: {text}");
        assert!(!text.contains("List-Unsubscribe"), "{text}");
    }
}

#[tokio::test]
async fn where_addresses_are_hidden_downloads_are_for_members_and_administrators() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    app.list("other").member("bob@example.org").create().await;
    post(&app, "tea", "Pot", "Tea is ready").await;
    let (ada, bob) = (cookie_of(&app, ADA).await, cookie_of(&app, "bob@example.org").await);
    for path in ["/lists/tea/2026-11.mbox.gz", "/lists/tea/messages/1/raw"] {
        assert_eq!(get(&app, path, "").await.status, 404, "{path}");
        assert_eq!(get(&app, path, &bob).await.status, 404, "a member of another list: {path}");
        let file = get(&app, path, &ada).await;
        assert_eq!(file.status, 200, "{path}");
        assert!(file.header("cache-control").unwrap().starts_with("private"), "{path}");
    }
    assert!(mails(&get(&app, "/lists/tea/2026-11.mbox.gz", &ada).await)[0].contains(ADA));
}

/// The message, and whether the bytes that it had at first are still there.
fn kept(app: &TestApp, id: u64, blob: BlobId) -> (Message, bool) {
    let tx = app.core().store.read().unwrap();
    let message = tx.get::<Message>(id).unwrap().unwrap();
    let is_kept = match tx.blob(blob) {
        Ok(_) => true,
        Err(StoreError::UnknownBlob { .. }) => false,
        Err(error) => panic!("{error}"),
    };
    (message, is_kept)
}

fn blob_of(app: &TestApp, id: u64) -> BlobId {
    BlobId(app.core().store.read().unwrap().get::<Message>(id).unwrap().unwrap().blob.0)
}

#[tokio::test]
async fn a_message_that_was_taken_out_loses_its_bytes_once_it_is_sent() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).member("bob@example.org").create().await;
    app.sink.defer("bob@example.org", 3);
    post(&app, "tea", "Pot", "Tea is ready").await;
    let blob = blob_of(&app, 1);
    app.admin.delete("/api/2/messages/1/").await.good();
    app.settle().await;
    let (message, is_kept) = kept(&app, 1, blob);
    assert!(message.deleted && is_kept, "a copy is still to be sent");
    for _ in 0..12 {
        app.advance(Duration::from_hours(1)).await;
    }
    assert!(
        app.sink.mail_to("bob@example.org").text().contains("Tea is ready"),
        "the copy was sent as it was"
    );
    let (message, is_kept) = kept(&app, 1, blob);
    assert!(!is_kept, "its bytes are gone");
    assert!((message.subject + &message.from_phrase + &message.from_address).is_empty());
    assert!(message.deleted && !message.message_id.is_empty(), "its record keeps the shape of the thread");
    let tx = app.core().store.read().unwrap();
    assert_eq!(tx.all::<TakenOut>(0, 10).unwrap(), [], "nothing is left to do");
}

#[tokio::test]
async fn the_messages_of_a_deleted_list_lose_their_bytes_and_those_of_others_stay() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    app.list("cake").member(ADA).create().await;
    for n in 0..40 {
        post(&app, "tea", &format!("Pot {n}"), "Tea is ready").await;
    }
    let mail = format!("From: {ADA}\nTo: tea@{DOMAIN}, cake@{DOMAIN}\nSubject: Both\n\nTea and cake");
    let both = [format!("tea@{DOMAIN}"), format!("cake@{DOMAIN}")];
    let reply = app.send_mail_to(ADA, &[&both[0], &both[1]], &mail).await;
    assert_eq!(reply.code, 250);
    app.settle().await;
    let blobs: Vec<(u64, BlobId)> = (1..=42).map(|id| (id, blob_of(&app, id))).collect();
    app.admin.delete("/api/2/lists/tea/").await.good();
    for _ in 0..5 {
        app.advance(Duration::from_hours(1)).await;
    }
    for (id, blob) in &blobs[..40] {
        assert!(!kept(&app, *id, *blob).1, "{id}");
    }
    let both: Vec<(Message, bool)> = blobs[40..].iter().map(|(id, blob)| kept(&app, *id, *blob)).collect();
    assert_eq!(both.iter().filter(|(message, _)| message.deleted).count(), 1);
    assert!(both.iter().all(|(_, is_kept)| *is_kept), "the other list has the same bytes");
    let left = anon(&app).request("GET", "/lists/cake/feed.atom", &[], b"").await;
    assert!(left.body.contains("Tea and cake"), "{}", left.body);
}

/// The tag of a file that is kept.
fn kept_tag(file: &Response) -> Option<&str> {
    file.header("etag")
}

#[tokio::test]
async fn the_file_of_a_month_that_is_over_is_kept_until_something_of_it_changes() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    post(&app, "tea", "One", "First").await;
    post(&app, "tea", "Two", "Second").await;
    let path = "/lists/tea/2026-11.mbox.gz";
    for _ in 0..2 {
        assert_eq!(kept_tag(&get(&app, path, "").await), None, "a month that goes on is not kept");
    }
    app.advance(15 * DAY).await;
    let made = get(&app, path, "").await;
    let kept = get(&app, path, "").await;
    assert!(kept_tag(&made).is_none() && made.bytes == kept.bytes);
    let tag = kept_tag(&kept).unwrap();
    let same = anon(&app).request("GET", path, &[("If-None-Match", tag)], b"").await;
    assert_eq!((same.status, same.bytes.len()), (304, 0));
    let range = anon(&app).request("GET", path, &[("Range", "bytes=2-9")], b"").await;
    assert!(range.status == 206 && range.bytes == kept.bytes[2..10]);

    app.admin
        .put("/api/2/lists/tea/", &[("original_sender_mode", "hide"), ("rewrite_sender", "1")])
        .await
        .good();
    let hidden = mails(&get(&app, path, "").await);
    assert!(!hidden[0].contains(ADA), "settings changed: {}", hidden[0]);
    assert!(kept_tag(&get(&app, path, "").await).is_some());

    app.admin.delete("/api/2/messages/1/").await.good();
    let rest = mails(&get(&app, path, "").await);
    assert!(rest.len() == 1 && rest[0].contains("Second"), "one was taken out");
    assert!(kept_tag(&get(&app, path, "").await).is_some());
}
