//! Disks that are full or fail: the server says so, refuses new work for now, loses nothing, and goes on by itself.

use std::io::ErrorKind;
use std::time::Duration;

use crier::store::fault::{DiskControl, Fault};

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::program::{Program, setup, verify};
use crate::harness::sink::Sink;
use crate::harness::smtp::{Reply, send_mail};

const MIB: u64 = 1 << 20;
/// Less than the reserve of 128 MiB, and more than the quarter of it that nothing may use.
const NEARLY_FULL: u64 = 100 * MIB;
/// Less than that quarter.
const FULL: u64 = 20 * MIB;

async fn app_on(disk: &DiskControl) -> (TestApp, TestList) {
    let app = TestApp::builder().disk(disk).start().await;
    let list = app.list("news").members(3).create().await;
    (app, list)
}

async fn post(app: &TestApp, subject: &str) -> Reply {
    let id = subject.replace(' ', "-");
    let message = format!("Subject: {subject}\nMessage-ID: <{id}@example.org>\n\nhi");
    app.send_mail("member1@example.org", "news@lists.example.org", &message).await
}

/// How often each member got what has this subject.
fn times(sink: &Sink, subject: &str) -> Vec<usize> {
    let mails = sink.mails();
    let of_post: Vec<_> =
        mails.iter().filter(|mail| mail.header("Subject").as_deref() == Some(subject)).collect();
    let of_member = |number: usize| {
        let member = format!("member{number}@example.org");
        of_post.iter().filter(|mail| mail.to.contains(&member)).count()
    };
    (1..=3).map(of_member).collect()
}

#[tokio::test]
async fn a_disk_that_is_nearly_full_refuses_new_mail_and_changes_and_delivers_what_it_has() {
    let disk = DiskControl::new();
    let (app, _) = app_on(&disk).await;
    app.sink.defer("member2@example.org", 1);
    assert_eq!(post(&app, "first").await.code, 250);
    app.settle().await;
    assert_eq!(times(&app.sink, "first"), [1, 0, 1]);

    disk.leave_free(NEARLY_FULL);
    assert_eq!(
        post(&app, "second").await.to_string(),
        "452 4.3.1 The disk of this server is full, try again later"
    );
    let refused = app.admin.post("/api/2/contacts/", &[("emails", "new@example.org")]).await;
    refused.error(503, "Nothing can be stored at the moment, try again later");
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert_eq!(app.anon.get("/readyz").await.status, 503);
    assert_eq!(app.anon.get("/healthz").await.status, 200);
    app.admin.get("/api/2/contacts/").await.good();
    app.advance(Duration::from_mins(6)).await;
    assert_eq!(times(&app.sink, "first"), [1, 1, 1], "the retry is made all the same");

    disk.leave_free(1024 * MIB);
    assert_eq!(app.anon.get("/readyz").await.status, 200);
    assert_eq!(post(&app, "second").await.code, 250);
    app.settle().await;
    assert_eq!(times(&app.sink, "second"), [1, 1, 1]);
}

#[tokio::test]
async fn what_makes_room_is_done_on_a_disk_that_is_nearly_full() {
    let disk = DiskControl::new();
    let (app, list) = app_on(&disk).await;
    assert_eq!(post(&app, "first").await.code, 250);
    app.settle().await;
    disk.leave_free(NEARLY_FULL);
    let copy = app.sink.mail_to("member3@example.org");
    let link = copy.header("List-Unsubscribe").unwrap();
    let link =
        link.split(['<', '>']).find_map(|part| part.strip_prefix("https://lists.example.org")).unwrap();
    assert_eq!(app.anon.post(link, &[("List-Unsubscribe", "One-Click")]).await.status, 200);
    assert_eq!(app.members(&list.name).await, ["member1@example.org", "member2@example.org"]);
    app.admin.delete("/api/2/lists/news/").await.good();
}

#[tokio::test]
async fn nothing_is_begun_on_a_disk_without_the_least_room_and_nothing_is_lost() {
    let disk = DiskControl::new();
    let (app, _) = app_on(&disk).await;
    app.sink.defer("member2@example.org", 1);
    assert_eq!(post(&app, "first").await.code, 250);
    app.settle().await;
    disk.leave_free(FULL);
    app.advance(Duration::from_mins(6)).await;
    assert_eq!(post(&app, "second").await.code, 452);
    assert_eq!(times(&app.sink, "first"), [1, 0, 1], "what could not be written down is not sent");
    disk.leave_free(1024 * MIB);
    app.settle().await;
    assert_eq!(times(&app.sink, "first"), [1, 1, 1]);
}

#[tokio::test]
async fn a_server_starts_on_a_full_disk_and_goes_on_when_there_is_room() {
    let disk = DiskControl::new();
    let (mut app, _) = app_on(&disk).await;
    app.sink.defer("member2@example.org", 1);
    assert_eq!(post(&app, "first").await.code, 250);
    app.settle().await;
    for free in [NEARLY_FULL, FULL] {
        disk.leave_free(free);
        app.restart().await;
        assert_eq!(app.anon.get("/readyz").await.status, 503);
        assert_eq!(post(&app, "second").await.code, 452);
    }
    disk.leave_free(1024 * MIB);
    app.advance(Duration::from_mins(6)).await;
    assert_eq!(times(&app.sink, "first"), [1, 1, 1]);
    assert_eq!(post(&app, "second").await.code, 250);
}

#[tokio::test]
async fn a_server_goes_on_after_its_disk_refused_writes() {
    for kind in [ErrorKind::StorageFull, ErrorKind::ReadOnlyFilesystem, ErrorKind::Other] {
        let disk = DiskControl::new();
        let (app, _) = app_on(&disk).await;
        disk.plan(Fault::FailAll(kind));
        // The first finds it out.
        assert_eq!(post(&app, "post").await.code, 451);
        let told = "451 4.3.0 Nothing can be stored at the moment, try again later";
        assert_eq!(post(&app, "post").await.to_string(), told);
        app.admin.post("/api/2/contacts/", &[("emails", "new@example.org")]).await.error(503, "");
        assert_eq!(app.anon.get("/readyz").await.status, 503);

        disk.plan(Fault::None);
        app.wait_until_writable().await;
        assert_eq!(app.anon.get("/readyz").await.status, 200);
        assert_eq!(post(&app, "post").await.code, 250);
        app.settle().await;
        assert_eq!(times(&app.sink, "post"), [1, 1, 1], "{kind}");
    }
}

/// Sends until it is accepted, as any mail server does; answers how often that was.
async fn post_until_accepted(app: &TestApp, subject: &str) -> usize {
    for times in 1..100 {
        let reply = post(app, subject).await;
        if reply.code == 250 {
            return times;
        }
        assert_eq!(reply.code, 451, "{reply}");
        app.wait_until_writable().await;
    }
    panic!("the disk never recovers");
}

#[tokio::test]
async fn a_write_or_flush_that_fails_anywhere_in_a_delivery_neither_loses_nor_repeats_a_copy() {
    let disk = DiskControl::new();
    let (app, _) = app_on(&disk).await;
    let mut sent = 0;
    for step in 1..=8 {
        for fault in [Fault::FailSync(disk.syncs() + step), Fault::FailWrite(disk.writes() + 3 * step)] {
            disk.plan(fault);
            let subject = format!("post {step} {fault:?}");
            sent += post_until_accepted(&app, &subject).await;
            app.settle().await;
            app.wait_until_writable().await;
            // A claim of which nobody knows whether it was written waits its retry time.
            app.advance(Duration::from_mins(6)).await;
            disk.plan(Fault::None);
            app.settle().await;
            assert_eq!(times(&app.sink, &subject), [1, 1, 1], "{fault:?}");
        }
    }
    assert!(16 < sent, "no post met a failure: {sent}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_file_cannot_grow_goes_on_when_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let sink = Sink::start().await;
    let key = setup(folder.path(), "news");
    let size = folder.path().join("crier.redb").metadata().unwrap().len();
    let program = Program::start_limited(folder.path(), sink.addr(), size / 512 + 4096);
    let client = program.client(&key);
    for number in 1..=3 {
        let member = format!("member{number}@example.org");
        client.post("/api/2/contacts/", &[("emails", &member), ("lists", "news")]).await.good();
    }
    let body = "0123456789abcdef\n".repeat(20_000);
    let post = async |number: usize| {
        let message = format!("Subject: {number}\nMessage-ID: <{number}@example.org>\n\n{body}");
        send_mail(program.smtp_addr, "member1@example.org", &["news@lists.example.org"], &message).await
    };
    let mut accepted = 0;
    let refusal = loop {
        let reply = post(accepted).await;
        if reply.code != 250 {
            break reply;
        }
        accepted += 1;
        assert!(accepted < 200, "the limit is never met");
    };
    assert_eq!(refusal.code, 451, "{refusal}");
    program.lift_limit();
    let mut reply = post(accepted).await;
    while reply.code != 250 {
        reply = post(accepted).await;
    }
    sink.wait_until(|mails| {
        (0..=accepted).all(|number| {
            let of_post =
                |mail: &&crate::harness::sink::Mail| mail.header("Subject") == Some(number.to_string());
            3 <= mails.iter().filter(of_post).count()
        })
    })
    .await;
    let log = program.log();
    assert_eq!(log.matches("The data file failed").count(), 1, "{log}");
    assert_eq!(log.matches("The data file can be written again").count(), 1, "{log}");
    program.stop();
    verify(folder.path());
    assert_eq!(sink.copies(), 3 * (accepted + 1), "nobody gets anything twice");
    assert_eq!(sink.violations(), [""; 0]);
}

#[tokio::test]
async fn mail_waits_while_the_folder_is_not_the_right_one() {
    let mut app = TestApp::start().await;
    let list = app.list("news").member("a@one.test").create().await;
    let empty = tempfile::tempdir().unwrap();
    let mut right = empty.path().to_owned();
    app.restart_with(|config| std::mem::swap(&mut config.data_dir, &mut right)).await;
    assert_eq!(app.anon.get("/readyz").await.status, 503);
    let reply = app.send_mail("a@one.test", &list.address, "Subject: hello\n\nhi").await;
    assert_eq!(reply.to_string(), "451 4.3.0 This server is not set up yet, try again later");

    app.restart_with(|config| config.data_dir = right).await;
    assert_eq!(app.anon.get("/readyz").await.status, 200);
    assert_eq!(app.send_mail("a@one.test", &list.address, "Subject: hello\n\nhi").await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.to_members(), ["a@one.test"]);
}
