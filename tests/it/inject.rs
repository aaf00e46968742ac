//! `crier inject`: messages that programs of the machine hand over, to a running server and to a stopped one.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use crier::migrate::FILE_NAME;

use crate::harness::TestApp;
use crate::harness::program::{Program, crier, feed, inject, setup, verify};
use crate::harness::sink::Sink;

const NEWS: &str = "news@lists.example.org";
const MEMBER: &str = "member1@example.org";

/// What must come of a message: no complaint, and 0.
#[track_caller]
fn taken(data: &Path, arguments: &[&str], message: impl AsRef<[u8]>) {
    assert_eq!(inject(data, arguments, message.as_ref()), (0, String::new()));
}

/// What must come of it otherwise.
#[track_caller]
fn refused(data: &Path, arguments: &[&str], message: impl AsRef<[u8]>, code: i32, complaint: &str) {
    let (found, complaints) = inject(data, arguments, message.as_ref());
    assert_eq!(found, code, "{complaints}");
    assert!(complaints.contains(complaint), "{complaints}");
}

#[tokio::test]
async fn an_injected_message_is_posted_like_a_mail() {
    let app = TestApp::start().await;
    app.list("news").members(2).create().await;
    let text = format!("From ada Fri Nov 20 12:00:00 2026\nFrom: {MEMBER}\nSubject: hello\n\n.\nhi\n..\n");
    taken(app.folder(), &[NEWS], text);
    app.settle().await;

    assert_eq!(app.sink.to_members(), [MEMBER, "member2@example.org"]);
    let copy = app.sink.mail_to(MEMBER).text();
    assert!(copy.contains("\n\n.\nhi\n..\n"), "{copy}");
    let user = std::fs::metadata("/proc/self").unwrap().uid();
    assert!(copy.contains(&format!("Received: by mx.example.org (crier, from userid {user}) id ")), "{copy}");
    assert!(copy.contains("Message-ID: <") && copy.contains("Date: "), "{copy}");
    assert!(!copy.contains("From ada"), "{copy}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_delivers_after_its_start_what_its_file_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let sink = Sink::start().await;
    let key = setup(folder.path(), "news");
    let program = Program::start(folder.path(), sink.addr(), &[]);
    let fields = [("emails", MEMBER), ("lists", "news")];
    program.client(&key).post("/api/2/contacts/", &fields).await.good();
    program.stop();

    taken(folder.path(), &[NEWS], format!("From: {MEMBER}\nSubject: while it was stopped\n\nhi\n"));
    refused(folder.path(), &["nobody@lists.example.org"], "A: b\n", 64, "needs a sender");
    refused(
        folder.path(),
        &["--from", MEMBER, "nobody@lists.example.org"],
        "A: b\n",
        67,
        "no such recipient",
    );
    verify(folder.path());
    assert_eq!(sink.copies(), 0);
    let program = Program::start(folder.path(), sink.addr(), &[]);
    sink.wait_for(1).await;
    let copy = sink.mail_to(MEMBER);
    assert_eq!(copy.header("Subject").as_deref(), Some("while it was stopped"));
    assert!(copy.text().contains("Received: by lists.example.org (crier"), "{copy}");
    program.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_goes_to_the_relay_that_a_credential_names() {
    let (folder, credentials) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let sink = Sink::start().await;
    std::fs::write(credentials.path().join("relay"), format!("# ours\nsmtp://{}\n", sink.addr())).unwrap();
    let key = setup(folder.path(), "news");
    let program = Program::start_with_credentials(folder.path(), credentials.path());
    let fields = [("emails", MEMBER), ("lists", "news")];
    program.client(&key).post("/api/2/contacts/", &fields).await.good();
    taken(folder.path(), &[NEWS], format!("From: {MEMBER}\nSubject: hello\n\nhi\n"));
    sink.wait_for(1).await;
    assert_eq!(sink.to_members(), [MEMBER]);
    program.stop();
}

#[tokio::test]
async fn local_mail_is_not_checked_by_spf_or_dmarc() {
    let zone = "_dmarc.bank.example TXT v=DMARC1; p=reject\nbank.example TXT v=spf1 -all\n";
    let app = TestApp::builder().dns(zone).start().await;
    app.list("news").open().member(MEMBER).create().await;
    let text = "From: ceo@bank.example\nSubject: from inside\n\nhi\n";
    assert_eq!(app.send_mail("ceo@bank.example", NEWS, text).await.code, 550);
    taken(app.folder(), &[NEWS], text);
    app.settle().await;
    assert_eq!(app.sink.to_members(), [MEMBER]);
}

#[tokio::test]
async fn the_sender_is_the_author_unless_another_is_given() {
    let app = TestApp::start().await;
    app.list("news").with("moderate", "1").with("send_hold_message", "true").create().await;
    let told = |app: &TestApp| app.sink.to_members();
    taken(app.folder(), &[NEWS], "From: Ada <ada@example.net>\nSubject: a\n\nhi\n");
    app.settle().await;
    assert_eq!(told(&app), ["ada@example.net"], "its author is told that it waits");

    app.sink.clear();
    let text = "From: Ada <ada@example.net>\nSubject: b\n\nhi\n";
    taken(app.folder(), &["--from", "<bob@example.net>", NEWS], text);
    app.settle().await;
    assert_eq!(told(&app), ["bob@example.net"]);

    app.sink.clear();
    for empty in ["", "<>", "MAILER-DAEMON"] {
        taken(app.folder(), &["--from", empty, NEWS], text);
    }
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "nobody is told, as a report is nothing that lists take");
    let held = app.admin.get("/api/2/held/").await.good();
    assert_eq!(held["count"], 2);
}

#[tokio::test]
async fn text_without_a_header_is_a_message_of_its_sender() {
    let app = TestApp::start().await;
    app.list("news").member(MEMBER).create().await;
    taken(app.folder(), &["--from", MEMBER, NEWS], "The backup is done.\nAll is well.\n");
    app.settle().await;
    let copy = app.sink.mail_to(MEMBER);
    assert!(copy.header("From").unwrap().contains(MEMBER), "{copy}");
    assert!(copy.text().contains("The backup is done."), "{copy}");
}

#[tokio::test]
async fn a_large_message_of_any_octets_comes_through_whole() {
    let app = TestApp::start().await;
    app.list("news").open().with("maxlength", "40000").member(MEMBER).create().await;
    let line: Vec<u8> = (1..=u8::MAX).filter(|octet| !b"\r\n".contains(octet)).chain([b'\n']).collect();
    let text = [b"From: a@example.net\nSubject: large\n\n".as_slice(), &line.repeat(40_000)].concat();
    taken(app.folder(), &[NEWS], &text);
    app.settle().await;
    let copy = app.sink.mail_to(MEMBER).data;
    let expected = [&line[..line.len() - 1], b"\r\n"].concat().repeat(40_000);
    assert!(copy.windows(expected.len()).any(|part| part == expected), "{} octets", copy.len());
}

#[tokio::test]
async fn every_obstacle_has_its_code() {
    let app = TestApp::start().await;
    let data = app.folder();
    app.list("news").open().member(MEMBER).create().await;
    let closed = app.list("closed").with("message_rejections", "reject").create().await;
    let small = app.list("small").open().with("maxlength", "1").create().await;
    let text = "From: a@example.net\nSubject: x\n\nhi\n";

    refused(data, &[], text, 64, "there is no recipient");
    refused(data, &["--form", "a@x.org", NEWS], text, 64, "--form");
    refused(data, &["news"], text, 64, "\"news\" is no address");
    refused(data, &["--from", "root", NEWS], text, 64, "\"root\" must be an address");
    refused(data, &[NEWS], "Subject: x\n\nhi\n", 64, "needs a sender");
    refused(data, &["--from", "<>", NEWS], "Subject: x\n\nhi\n", 65, "no From field");
    refused(data, &[NEWS], "", 65, "there is no message");
    refused(data, &[NEWS], format!("{text}\0"), 65, "NUL");
    refused(data, &[NEWS], format!("{text}{}\n", "x".repeat(999)), 65, "998 octets");
    refused(data, &[NEWS], format!("From: b@example.net\n{text}"), 65, "more than one From");
    refused(data, &[NEWS], vec![b'\n'; 52_428_801], 65, "at most 52428800 bytes");
    refused(data, &[&small.address], format!("{text}{}", "A line.\n".repeat(200)), 65, "larger than");
    let unknown = ["nobody@lists.example.org", NEWS, "ada@elsewhere.example"];
    refused(data, &unknown, text, 67, "nobody@lists.example.org: there is no such recipient");
    refused(data, &unknown, text, 67, "ada@elsewhere.example: that is no domain of this server");
    refused(data, &[&closed.address], text, 77, "not taken: ");
    refused(&data.join("elsewhere"), &[NEWS], text, 75, "there is no data file (crier.redb)");
    app.settle().await;
    assert_eq!(app.sink.copies(), 0, "what is refused for one recipient is taken for none");
    taken(data, &[NEWS, NEWS], text);
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[test]
fn a_file_that_fails_or_that_another_holds_is_tried_again_later() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(FILE_NAME), "no data file").unwrap();
    refused(folder.path(), &[NEWS], "From: a@example.net\n\nhi\n", 75, FILE_NAME);
}

#[test]
fn without_a_permission_to_reach_the_server_nothing_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    setup(folder.path(), "news");
    // Where the tests run as root, somebody else must ask.
    let is_root = folder.path().metadata().unwrap().uid() == 0;
    let mode = if is_root { 0o700 } else { 0o000 };
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    let mut command = crier();
    command.args(["inject", "--from", MEMBER, NEWS, "--data"]).arg(folder.path());
    if is_root {
        command.uid(65534).gid(65534);
    }
    let (code, complaint) = feed(command, b"Subject: x\n\nhi\n");
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(code, 77, "{complaint}");
    assert!(complaint.contains("you may not open"), "{complaint}");
}
