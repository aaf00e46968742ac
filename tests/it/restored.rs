//! A data file that was restored from a backup: what waited then is held, and new mail flows.

use std::path::Path;
use std::time::Duration;

use crier::clock::Timestamp;
use crier::schema::META_RESTORED as MARK;
use crier::store::{Read as _, Store, StoreOptions};
use serde_json::{Value, json};

use crate::desk_approvals::{admin, page};
use crate::desk_messages::{LETTER, at, compose};
use crate::digests::mail_of;
use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::program;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const OLD: &str = "From: member1@example.org\nSubject: old\nMessage-ID: <old@example.org>\n\nhi";
const NEW: &str = "From: member1@example.org\nSubject: new\nMessage-ID: <new@example.org>\n\nhi";

/// Does something with the file on a thread that may block.
fn with_store<T: Send>(file: &Path, change: impl FnOnce(&Store) -> T + Send) -> T {
    std::thread::scope(|scope| {
        let changing = scope.spawn(|| {
            let store = Store::open(file, StoreOptions::default()).expect("the file can be opened");
            let value = change(&store);
            store.close_blocking();
            value
        });
        changing.join().expect("it does not panic")
    })
}

/// Marks the file as a restore from a backup of that time does.
fn mark(file: &Path, point: Timestamp) {
    let mark = [point.ms().to_be_bytes(), point.ms().to_be_bytes()].concat();
    with_store(file, |store| {
        store.write_blocking(move |tx| tx.set_meta(MARK, Some(&mark))).expect("the file can be written");
    });
}

impl TestApp {
    /// Restores the file as it is now: what happens is what a backup of this moment would bring back.
    async fn restore(&mut self, meanwhile: impl FnOnce(&Path)) {
        let now = self.clock.now();
        self.restart_after(|file| {
            meanwhile(file);
            mark(file, now);
        })
        .await;
    }

    fn queue_json(&self, words: &[&str]) -> Value {
        let words = [&["queue"], words, &["--json"]].concat();
        serde_json::from_str(&program::run(&words, self.folder())).expect("--json prints JSON")
    }

    async fn release_all(&self) {
        program::run(&["queue", "release", "--all"], self.folder());
        self.settle().await;
    }

    /// Those who got the post of a subject, in order.
    fn readers(&self, subject: &str) -> Vec<String> {
        let mails = self.sink.mails().into_iter();
        let of_subject = mails.filter(|mail| mail.header("Subject").as_deref() == Some(subject));
        let mut readers: Vec<String> = of_subject.flat_map(|mail| mail.to).collect();
        readers.sort();
        readers
    }

    async fn post(&self, list: &TestList, post: &str) {
        assert_eq!(self.send_mail("member1@example.org", &list.address, post).await.code, 250);
        self.settle().await;
    }
}

fn members(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    let mut members: Vec<String> =
        numbers.into_iter().map(|number| format!("member{number}@example.org")).collect();
    members.sort();
    members
}

#[tokio::test]
async fn what_a_backup_saw_as_waiting_is_held_until_it_is_released_and_nothing_comes_twice() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.defer("member2@example.org", 1);
    app.post(&list, OLD).await;
    assert_eq!(app.readers("old"), members([1, 3]));
    app.restore(|_| ()).await;
    app.advance(6 * HOUR).await;
    assert_eq!(app.readers("old"), members([1, 3]), "it may have been sent after the backup");
    let listed = app.queue_json(&["list"]);
    assert_eq!(listed["data"][0]["state"], "held");
    assert_eq!(listed["restored"], json!({"point": "2026-11-20T12:00:00Z", "age_seconds": 6 * 3600}));
    assert_eq!(app.queue_json(&["list", "--summary"])["restored"], listed["restored"]);
    let told = program::run(&["queue", "list"], app.folder());
    assert!(told.contains("from a backup of 2026-11-20T12:00:00Z, 6 hours ago"), "{told}");

    app.post(&list, NEW).await;
    assert_eq!(app.readers("new"), members(1..=3), "new mail flows at once");
    app.restart().await;
    app.advance(HOUR).await;
    assert_eq!(app.readers("old"), members([1, 3]), "it is held at later starts, too");

    app.release_all().await;
    assert_eq!((app.readers("old"), app.readers("new")), (members(1..=3), members(1..=3)));
    assert_eq!(app.queue_json(&["list"])["restored"], Value::Null);
    app.restart().await;
    app.advance(24 * HOUR).await;
    assert_eq!(app.sink.copies(), 6);
}

#[tokio::test]
async fn a_post_that_is_not_yet_in_batches_is_held_and_then_reaches_each_member_once() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(40).create().await;
    app.set_membership("member7@example.org", "news", json!({"digest": 1})).await;
    app.restore(|file| {
        // The server is stopped: nobody puts the post into batches.
        let data = file.parent().unwrap();
        let (code, told) = program::inject(
            data,
            &["--from", "member1@example.org", &list.address],
            OLD.replace('\n', "\r\n").as_bytes(),
        );
        assert_eq!((code, &*told), (0, ""));
    })
    .await;
    assert!(app.dump("fan_out").contains("cursor"), "{}", app.dump("fan_out"));
    app.advance(MINUTE).await;
    assert_eq!(app.sink.copies(), 0);
    app.post(&list, NEW).await;
    let single = || members((1..=40).filter(|number| *number != 7));
    assert_eq!((app.readers("old"), app.readers("new")), (Vec::new(), single()));
    app.advance_to_morning().await;
    let digests = |app: &TestApp| -> Vec<Vec<String>> {
        mail_of(app, "member7@example.org").into_iter().map(|(_, messages)| messages).collect()
    };
    assert_eq!(digests(&app), [["new"]]);
    app.release_all().await;
    assert_eq!((app.readers("old"), app.readers("new")), (single(), single()));
    app.advance_to_morning().await;
    assert_eq!(digests(&app), [["new"], ["old"]]);
    assert_eq!(app.sink.copies(), 2 * 39 + 2);
}

#[tokio::test]
async fn posts_that_waited_for_a_digest_go_into_the_first_one_behind_the_release() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.set_membership("member2@example.org", "news", json!({"digest": 1})).await;
    app.post(&list, OLD).await;
    app.restore(|_| ()).await;
    app.advance_to_morning().await;
    assert_eq!(mail_of(&app, "member2@example.org"), [], "the digest may have been sent that morning");
    app.advance_to_morning().await;
    app.post(&list, NEW).await;
    app.advance_to_morning().await;
    let digests = |app: &TestApp| -> Vec<Vec<String>> {
        mail_of(app, "member2@example.org").into_iter().map(|(_, messages)| messages).collect()
    };
    assert_eq!(digests(&app), [["new"]]);
    app.release_all().await;
    app.advance_to_morning().await;
    app.advance_to_morning().await;
    assert_eq!(digests(&app), [["new"], ["old"]]);
}

#[tokio::test]
async fn messages_for_a_time_and_welcomes_that_waited_are_held_and_later_ones_are_not() {
    let mut app = TestApp::builder().without_dkim().start().await;
    app.list("news").with("welcome_message", "Hi").member("ada@example.org").create().await;
    app.advance(MINUTE).await;
    app.sink.clear();
    let mut writer = admin(&app, "writer@example.org", &["send_messages"]).await;
    let first = at(&app, 5);
    compose(&mut writer, &[&LETTER[..], &[("send_at", &*first), ("action", "send")]].concat()).await;
    app.join("bob@example.org", "news").await;
    app.restore(|_| ()).await;
    app.advance(6 * HOUR).await;
    assert_eq!(app.sink.to_members(), [] as [String; 0]);

    let mut writer = writer.again(&app);
    let second = at(&app, 1);
    let letter = [("list", "news"), ("subject", "Second"), ("content_plain", "hi")];
    let fields = [&letter[..], &[("send_at", &*second), ("action", "send")]].concat();
    compose(&mut writer, &fields).await;
    app.join("cy@example.org", "news").await;
    app.advance(2 * HOUR).await;
    app.advance(MINUTE).await;
    let subjects = |app: &TestApp| -> Vec<Option<String>> {
        app.sink.mails().iter().map(|mail| mail.header("Subject")).collect()
    };
    let count =
        |app: &TestApp, subject: &str| subjects(app).iter().flatten().filter(|one| *one == subject).count();
    assert_eq!((count(&app, "Second"), count(&app, "Trip")), (3, 0), "{:?}", subjects(&app));
    assert_eq!(app.sink.copies(), 4, "and one welcome: {:?}", subjects(&app));
    app.release_all().await;
    app.advance(MINUTE).await;
    assert_eq!((count(&app, "Second"), count(&app, "Trip")), (3, 3), "{:?}", subjects(&app));
    assert_eq!(app.sink.copies(), 8, "each welcome once: {:?}", subjects(&app));
}

#[tokio::test]
async fn the_page_of_the_queue_says_how_old_it_is() {
    let mut app = TestApp::start().await;
    let mut boss = crate::desk_server::root(&app).await;
    assert!(!boss.get("/admin/server/queue/").await.body.contains("id=\"restored\""));
    app.restore(|_| ()).await;
    let shown = boss.again(&app).get("/admin/server/queue/").await;
    page(&shown, 200, "crier queue release --all");
    page(&shown, 200, "id=\"restored\"");
    app.release_all().await;
    assert!(!boss.again(&app).get("/admin/server/queue/").await.body.contains("id=\"restored\""));
}

#[tokio::test]
async fn commands_on_a_stopped_server_hold_the_queue_as_its_start_does() {
    let mut app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.sink.defer("member2@example.org", 1);
    app.post(&list, OLD).await;
    let data = app.folder().to_owned();
    app.restore(|file| {
        mark(file, Timestamp::from_ms(0));
        let listed: Value =
            serde_json::from_str(&program::run(&["queue", "list", "--json"], &data)).expect("JSON");
        assert_eq!(listed["data"][0]["state"], "held");
        assert_eq!(listed["restored"]["point"], "1970-01-01T00:00:00Z");
        program::run(&["queue", "release", "--all"], &data);
        assert_eq!(with_store(file, |store| store.read().unwrap().meta(MARK).unwrap()), None);
    })
    .await;
    assert_eq!(app.queue_json(&["list"])["data"][0]["state"], "held", "restored once more");
}
