//! How the memory for reading stored mail, and the places of searches and downloads, are shared out: nobody keeps others
//! from small messages, nobody waits long, and files of large messages are sent without reading the message.

use std::net::Ipv4Addr;
use std::time::Duration;

use crier::model::{AccountId, ContactId, Message, PartNotes, Person};
use crier::service::memory::Owners;
use crier::store::{Read as _, StoreError};

use crate::harness::http::{Client, Response, encode};
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
const MIB: usize = 1 << 20;
/// More than the server may take of memory for large messages.
const HUGE: u64 = 200 << 20;
/// Somebody else's account and address.
const OTHER: (u8, u64) = (77, 999);

/// A server on which nobody waits long.
async fn impatient() -> TestApp {
    let wait = Duration::from_millis(50);
    TestApp::builder().config(move |config| config.http.reading_wait_max = wait).start().await
}

fn anon(app: &TestApp) -> Client {
    app.anon.at_host(DOMAIN)
}

fn owners((client, account): (u8, u64)) -> Owners {
    Owners::of(Ipv4Addr::new(127, 0, 0, client).into(), AccountId(account))
}

/// Those whom the tests' requests are charged to.
fn own(app: &TestApp) -> Owners {
    owners((1, app.account_id()))
}

async fn get(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Response {
    anon(app).request("GET", path, fields, b"").await
}

#[track_caller]
fn put_off(response: &Response, what: &str) {
    assert_eq!(response.status, 503, "{what}");
    assert!(response.header("retry-after").is_some(), "{what}");
}

/// A mail with a text, and with a file of this type and content.
fn mail(subject: &str, text: &str, kind: &str, content: &[u8]) -> String {
    let encoded = data_encoding::BASE64.encode(content);
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!(
        "From: Ada Lind <{ADA}>\nTo: tea@{DOMAIN}\nSubject: {subject}\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n{text}\n\
         --b\nContent-Type: {kind}; name=a.bin\nContent-Disposition: attachment\n\
         Content-Transfer-Encoding: base64\n\n{}\n--b--\n",
        lines.join("\n")
    )
}

async fn post(app: &TestApp, mail: &str) {
    let reply = app.send_mail(ADA, &format!("tea@{DOMAIN}"), mail).await;
    assert_eq!(reply.code, 250, "{reply:?}");
    app.settle().await;
}

fn zip(subject: &str, bytes: usize) -> String {
    let content: Vec<u8> = (0..bytes).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect();
    mail(subject, "See the file.", "application/zip", &content)
}

/// The number of parts that are noted of a message.
fn noted(app: &TestApp, id: u64) -> Option<usize> {
    let notes = app.core().store.read().unwrap().get::<PartNotes>(id).unwrap();
    notes.map(|notes| notes.parts.len())
}

#[tokio::test]
async fn a_small_message_is_read_while_somebody_holds_all_memory_for_large_ones() {
    let app = impatient().await;
    app.list("tea").member(ADA).create().await;
    post(&app, &format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: Small\n\nHi")).await;
    post(&app, &zip("Large", MIB)).await;
    let stuck = app.core().reading_memory.take(owners(OTHER), HUGE).await.unwrap();
    put_off(&get(&app, "/lists/tea/messages/2/", &[]).await, "a large message");
    assert_eq!(get(&app, "/lists/tea/messages/1/", &[]).await.status, 200);
    let feed = get(&app, "/lists/tea/feed.atom", &[]).await;
    assert_eq!(feed.status, 200);
    assert!(feed.body.contains("See the file."), "a feed reads the beginning alone: {}", feed.body);
    assert_eq!(get(&app, "/lists/tea/threads/1/", &[]).await.status, 200);
    put_off(&get(&app, "/lists/tea/threads/2/", &[]).await, "the thread of a large message");
    app.admin.get("/api/2/messages/1/").await.good();
    put_off(&app.admin.get("/api/2/messages/2/").await, "the content by the API");
    drop(stuck);
    for path in ["/lists/tea/messages/2/", "/lists/tea/threads/2/"] {
        assert_eq!(get(&app, path, &[]).await.status, 200, "{path}");
    }
    app.admin.get("/api/2/messages/2/").await.good();
}

#[tokio::test]
async fn a_client_has_four_searches_at_a_time() {
    let app = impatient().await;
    app.list("tea").member(ADA).create().await;
    post(&app, &format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: Pot\n\nTea is ready")).await;
    let memory = app.core().reading_memory.clone();
    let mut places = Vec::new();
    for _ in 0..4 {
        places.push(memory.search(own(&app)).await.unwrap());
    }
    let path = "/lists/tea/search/?q=%22is+ready%22";
    put_off(&get(&app, path, &[]).await, "a page");
    put_off(&app.admin.get("/api/2/messages/?search=ready").await, "the API");
    places.pop();
    assert!(get(&app, path, &[]).await.body.contains("<mark>ready</mark>"));
    app.admin.get("/api/2/messages/?search=ready").await.good();
}

#[tokio::test]
async fn a_client_has_two_downloads_at_a_time() {
    let app = impatient().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    post(&app, &format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: Pot\n\nTea is ready")).await;
    let memory = app.core().reading_memory.clone();
    let _first = memory.download(own(&app)).await.unwrap();
    let second = memory.download(own(&app)).await.unwrap();
    put_off(&get(&app, "/lists/tea/2026-11.mbox.gz", &[]).await, "a third one");
    drop(second);
    assert_eq!(get(&app, "/lists/tea/2026-11.mbox.gz", &[]).await.status, 200);
    assert_eq!(get(&app, "/lists/tea/2026-11.mbox.gz", &[]).await.status, 200, "the place is given back");
}

#[tokio::test]
async fn a_phrase_is_looked_for_in_as_much_of_a_text_as_is_indexed() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    let filling = "lorem ipsum dolor sit amet\n".repeat(2 * MIB / 27);
    let post_text =
        |subject: &str, text: String| format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: {subject}\n\n{text}");
    for number in 0..3 {
        post(&app, &post_text(&format!("Long {number}"), format!("first things\n{filling}last things")))
            .await;
    }
    let search = |q: &'static str| {
        let app = &app;
        async move { get(app, &format!("/lists/tea/search/?q={}", encode(q)), &[]).await.body }
    };
    let found = search("\"first things\"").await;
    assert!(found.contains("3 messages"), "a page reads the beginning of each: {found}");
    assert!(!search("\"last things\"").await.contains("<mark>"));
    assert!(!search("last").await.contains("<mark>"), "nor is it indexed");
}

#[tokio::test]
async fn parts_of_a_large_message_are_sent_without_reading_it() {
    let app = impatient().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    post(&app, &zip("Large", 2 * MIB)).await;
    assert_eq!(noted(&app, 1), Some(2), "it is noted in the background");
    let path = "/lists/tea/messages/1/parts/2/a.bin";
    let _stuck = app.core().reading_memory.take(owners(OTHER), HUGE).await.unwrap();
    put_off(&get(&app, "/lists/tea/messages/1/", &[]).await, "the message itself is read");
    let whole = get(&app, path, &[]).await;
    assert_eq!((whole.status, whole.bytes.len()), (200, 2 * MIB));
    let etag = whole.header("etag").unwrap();
    assert_eq!(get(&app, path, &[("If-None-Match", etag)]).await.status, 304);
    let head = anon(&app).request("HEAD", path, &[], b"").await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("2097152")));
    let range = get(&app, path, &[("Range", "bytes=1500000-1500009")]).await;
    assert!(range.status == 206 && range.bytes == whole.bytes[1_500_000..1_500_010]);
    assert_eq!(get(&app, "/lists/tea/messages/1/parts/7/x", &[]).await.status, 404);
}

#[tokio::test]
async fn a_large_text_is_sent_with_addresses_hidden_without_reading_it_whole() {
    let app = impatient().await;
    app.list("tea").member(ADA).with("archive_spammode", "1").create().await;
    let line = "Grüße from bob@secret.example, and more\n";
    let count = 2 * MIB / line.len();
    post(&app, &mail("Large", "Hi", "text/plain; charset=utf-8", line.repeat(count).as_bytes())).await;
    let _stuck = app.core().reading_memory.take(owners(OTHER), HUGE).await.unwrap();
    let path = "/lists/tea/messages/1/parts/2/a.bin";
    let hidden = "Grüße from bob@…, and more\n";
    let whole = get(&app, path, &[]).await;
    assert!(whole.status == 200 && whole.bytes == hidden.repeat(count).as_bytes());
    let length = (hidden.len() * count).to_string();
    assert_eq!(whole.header("content-length"), Some(length.as_str()));
    let range = get(&app, path, &[("Range", "bytes=0-6")]).await;
    assert_eq!((range.status, range.body.as_str()), (206, "Grüße"));
    let end = get(&app, path, &[("Range", "bytes=-9")]).await;
    assert_eq!((end.status, end.body.as_str()), (206, "and more\n"));
    let contact = app.email(ADA).await["contact"].as_u64().unwrap();
    let ada = format!("__Host-member={}", app.sign_in(Person::Member(ContactId(contact))).await);
    let seen = get(&app, path, &[("Cookie", &ada)]).await;
    assert!(seen.status == 200 && seen.bytes == line.repeat(count).as_bytes());
}

#[tokio::test]
async fn notes_of_parts_go_with_the_message_and_with_the_settings_they_were_made_of() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    post(&app, &zip("Large", MIB)).await;
    post(&app, &zip("Other", MIB)).await;
    let path = |id: u64| format!("/lists/tea/messages/{id}/parts/2/a.bin");
    let file = get(&app, &path(1), &[]).await.bytes;
    assert_eq!(file.len(), MIB);
    app.admin.put("/api/2/lists/tea/", &[("strip_attachments", "1")]).await.good();
    assert!(get(&app, &path(1), &[]).await.bytes != file, "members get no attachments now");
    app.admin.put("/api/2/lists/tea/", &[("strip_attachments", "0")]).await.good();
    assert!(get(&app, &path(1), &[]).await.bytes == file);
    app.admin.delete("/api/2/messages/1/").await.good();
    assert_eq!((noted(&app, 1), noted(&app, 2)), (None, Some(2)));
    assert_eq!(get(&app, &path(1), &[]).await.status, 404);
    assert_eq!(get(&app, &path(2), &[]).await.status, 200);
}

#[tokio::test]
async fn a_message_without_notes_gets_them_when_a_part_of_it_is_read() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).with("archive_spammode", "0").create().await;
    post(&app, &zip("Large", MIB)).await;
    let forgotten = app.core().store.write(|tx| tx.delete::<PartNotes>(1)).await;
    assert!(forgotten.unwrap().is_some());
    let path = "/lists/tea/messages/1/parts/2/a.bin";
    let first = get(&app, path, &[]).await;
    // The notes are written behind the answer.
    for _ in 0..1000 {
        if noted(&app, 1).is_some() {
            break;
        }
        tokio::task::yield_now().await;
        get(&app, "/lists/tea/", &[]).await;
    }
    assert_eq!(noted(&app, 1), Some(2));
    let again = get(&app, path, &[]).await;
    assert!(first.bytes == again.bytes && first.header("etag") == again.header("etag"));
}

#[tokio::test]
async fn a_raw_message_of_the_api_is_read_while_it_is_sent() {
    let app = impatient().await;
    app.list("tea").member(ADA).create().await;
    post(&app, &zip("Large", MIB)).await;
    let _stuck = app.core().reading_memory.take(owners(OTHER), HUGE).await.unwrap();
    let raw = app.admin.get("/api/2/messages/1/raw/").await;
    assert_eq!((raw.status, raw.header("content-type")), (200, Some("message/rfc822")));
    let length = raw.bytes.len().to_string();
    assert_eq!(raw.header("content-length"), Some(length.as_str()));
    assert!(raw.body.contains("Subject: Large\r\n") && raw.body.ends_with("--b--\r\n"));
}

#[tokio::test]
async fn a_listing_of_the_api_shows_no_more_contents_than_one_answer_can_hold() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    for subject in ["One", "Two"] {
        post(&app, &format!("From: {ADA}\nTo: tea@{DOMAIN}\nSubject: {subject}\n\nHi")).await;
    }
    // As if they were large.
    let store = app.core().store.clone();
    let grow = store.write(|tx| -> Result<(), StoreError> {
        for id in [1, 2] {
            let message = tx.get::<Message>(id)?.unwrap();
            tx.put(&Message { size_bytes: 40 << 20, ..message })?;
        }
        Ok(())
    });
    grow.await.unwrap();
    app.admin.get("/api/2/messages/").await.error(400, "limit");
    app.admin.get("/api/2/messages/?fields=id,subject").await.good();
    app.admin.get("/api/2/messages/?limit=1").await.good();
}

#[tokio::test]
async fn somebody_who_hangs_up_waits_no_more() {
    let app = TestApp::start().await;
    app.list("tea").member(ADA).create().await;
    post(&app, &zip("Large", MIB)).await;
    let memory = app.core().reading_memory.clone();
    let stuck = memory.take(own(&app), HUGE).await.unwrap();
    let client = anon(&app);
    let head = client.head("GET", "/lists/tea/messages/1/", 0);
    for _ in 0..20 {
        drop(client.open(head.as_bytes()).await);
    }
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.request("GET", "/lists/tea/messages/1/", &[], b"").await }
    });
    drop(stuck);
    assert_eq!(waiting.await.unwrap().status, 200);
}
