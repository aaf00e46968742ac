//! `crier import mbox` with the archives that hosted services give out, and `crier import auto`.

use std::io::Write as _;
use std::path::PathBuf;

use crier::model::Thread;
use crier::store::Read as _;
use serde_json::{Value, json};

use crate::archive_import::{entry, messages, run, tree, whole};
use crate::harness::TestApp;
use crate::harness::program;

/// Makes a zip with these files in the data folder.
fn zipped(app: &TestApp, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = app.folder().join(name);
    let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, text) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path
}

fn write(app: &TestApp, name: &str, content: &str) -> PathBuf {
    let path = app.folder().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

/// The archive of a group as Takeout has it: two threads, of which the references of one message are crossed, and one
/// that was locked.
fn topics() -> String {
    let id = |name: &str| format!("Message-ID: <{name}@mailboxes.example>");
    let mark = |thread: u64, labels: &str| format!("X-GM-THRID: {thread}\nX-Gmail-Labels: {labels}\n");
    [
        // A reply that names nothing and comes before its thread's first message.
        entry(3, &format!("{}{}\nSubject: Re: tea", mark(7, "Inbox"), id("late")), "late"),
        entry(1, &format!("{}{}\nSubject: tea", mark(7, "Inbox,Locked"), id("first")), "first"),
        entry(
            2,
            &format!(
                "{}{}\nSubject: Re: tea\nIn-Reply-To: <first@mailboxes.example>",
                mark(7, "Inbox"),
                id("reply")
            ),
            "reply",
        ),
        // Google began another thread, though it names a message of the first.
        entry(
            4,
            &format!(
                "{}{}\nSubject: cake\nIn-Reply-To: <first@mailboxes.example>",
                mark(8, "Inbox"),
                id("cake")
            ),
            "cake",
        ),
    ]
    .concat()
}

#[tokio::test]
async fn a_takeout_is_taken_as_zip_and_as_folder_with_the_threads_of_google() {
    let app = TestApp::start().await;
    let topics = topics();
    let other = entry(9, "Message-ID: <other@mailboxes.example>\nSubject: other", "other");
    let path = "Takeout/Groups/club@googlegroups.com/temas.mbox";
    let zip = zipped(
        &app,
        "takeout.zip",
        &[
            (path, topics.as_str()),
            ("Takeout/Groups/club@googlegroups.com/info.csv", "a,b\n1,2\n"),
            ("Takeout/index.html", "x"),
        ],
    );
    write(&app, &format!("unpacked/{path}"), &topics);
    for (list, source) in [("zip", zip), ("folder", app.folder().join("unpacked"))] {
        app.list(list).create().await;
        let dry = run(&app, list, &["--dry-run"], std::slice::from_ref(&source)).await;
        assert_eq!(whole(dry), [4, 0, 0], "{list}");
        let done = whole(run(&app, list, &[], std::slice::from_ref(&source)).await);
        assert_eq!(done[..2], [4, 0], "{list}");
        let expected =
            ["first: - in first", "reply: first in first", "late: first in first", "cake: - in cake"];
        assert_eq!(tree(&app, list), expected, "{list}");
        let closed: Vec<bool> = messages(&app, list)
            .iter()
            .filter(|message| message.parent.is_none())
            .map(|message| {
                let thread: Option<Thread> = app.core().store.read().unwrap().get(message.id.0).unwrap();
                thread.unwrap().closed
            })
            .collect();
        assert_eq!(closed, [true, false], "{list}: the locked thread is closed");
        assert_eq!(whole(run(&app, list, &[], &[source]).await)[..2], [0, 4], "{list} again");
        assert_eq!(tree(&app, list), expected, "{list} again");
    }

    // Of several groups somebody says which.
    let both = zipped(
        &app,
        "both.zip",
        &[(path, &topics), ("Takeout/Groups/tea@googlegroups.com/topics.mbox", &other)],
    );
    app.list("tea").create().await;
    let (code, _, told) = run(&app, "tea", &[], std::slice::from_ref(&both)).await;
    assert!(
        code == Some(1) && told.contains("club@googlegroups.com, tea@googlegroups.com; say which"),
        "{told}"
    );
    let (code, _, told) = run(&app, "tea", &["--group", "no@x.org"], std::slice::from_ref(&both)).await;
    assert!(code == Some(1) && told.contains("no archive of the group no@x.org"), "{told}");
    assert_eq!(whole(run(&app, "tea", &["--group", "Tea@googlegroups.com"], &[both]).await), [1, 0, 0]);
    assert_eq!(tree(&app, "tea"), ["other: - in other"]);
    // Groups.io packs its archive without folders.
    app.list("io").create().await;
    let io = zipped(&app, "messages.zip", &[("club.mbox", &other)]);
    assert_eq!(whole(run(&app, "io", &[], &[io]).await), [1, 0, 0]);
    assert_eq!(app.sink.copies(), 0, "nobody is mailed");
}

#[tokio::test]
async fn zips_that_no_service_writes_are_refused_and_nothing_of_them_is_kept() {
    let app = TestApp::start().await;
    app.list("club").create().await;
    let bomb = zipped(&app, "bomb.zip", &[("a.mbox", &entry(1, "Message-ID: <a@x>", &"a".repeat(40 << 20)))]);
    let (code, numbers, told) = run(&app, "club", &[], &[bomb]).await;
    assert!(code == Some(1) && told.contains("200 times its size"), "{told}{numbers}");
    for (name, files, words) in [
        ("out.zip", [("../../a.mbox", "x")], "leads out of it"),
        ("none.zip", [("a.csv", "email\n")], "there is no mailbox in this zip"),
    ] {
        let (code, _, told) = run(&app, "club", &[], &[zipped(&app, name, &files)]).await;
        assert!(code == Some(1) && told.contains(words), "{told}");
    }
    assert_eq!(messages(&app, "club").len(), 0);
}

#[tokio::test]
async fn a_mailbox_of_hyperkitty_is_known_and_its_addresses_are_put_back() {
    let app = TestApp::start().await;
    let rebuilt = "From ada at example.org Mon Jan  7 18:30:00 2019\nFrom: Ada <ada at example.org>\n\
        To: choir at lists.example.org\nSubject: tea\nDate: Mon, 07 Jan 2019 18:30:00 +0000\nMessage-ID: <1@x>\n\
        MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n--b\nContent-Type: text/plain\n\n\
        Write to bob(a)example.org.\n--b--\n\n";
    let file = write(&app, "hyperkitty.mbox", rebuilt);
    for (list, flags, without_at, text) in
        [("as-is", &[][..], 1, "bob(a)example.org"), ("undone", &["--undo-at"][..], 0, "bob@example.org")]
    {
        app.list(list).create().await;
        let (code, numbers, told) =
            run(&app, list, &[flags, &["--dry-run"]].concat(), std::slice::from_ref(&file)).await;
        assert_eq!(
            (code, &numbers["rebuilt"], &numbers["without_at"]),
            (Some(0), &json!(1), &json!(without_at)),
            "{told}"
        );
        assert_eq!(whole(run(&app, list, flags, std::slice::from_ref(&file)).await), [1, 0, 0]);
        let message = &messages(&app, list)[0];
        assert_eq!(message.from_address, "ada@example.org");
        let shown = app.admin.get(&format!("/api/2/messages/{}/", message.id)).await.good();
        assert!(shown["content_plain"].as_str().unwrap().contains(text), "{shown}");
    }
}

/// Runs `crier import auto`; answers its exit code, its numbers, and what it told.
async fn auto(app: &TestApp, flags: &[&str], path: &PathBuf) -> (Option<i32>, Value, String) {
    let mut command = program::crier();
    command.args(["import", "auto", "--json", "--data"]).arg(app.folder()).args(flags).arg(path);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), told)
}

#[tokio::test]
async fn what_a_file_or_folder_is_gets_found_out_or_asked() {
    let app = TestApp::start().await;
    app.list("club").create().await;
    let plain = write(&app, "a.csv", "email,firstname\na@x.org,Ann\n");
    let keila =
        write(&app, "k.csv", "Email,First name,Last name,Data,Status,External ID\nb@x.org,B,C,,active,\n");
    let json = write(&app, "m.json", "[{\"email\": \"c@x.org\"}]");
    for (file, how) in [
        (&plain, "a table of people: it has a column of addresses"),
        (&keila, "a table of people: its columns are those of Keila"),
        (&json, "a table of people: it has a column of addresses"),
    ] {
        let (code, numbers, told) = auto(&app, &["--list", "club"], file).await;
        assert_eq!((code, &numbers["created"]), (Some(0), &json!(1)), "{told}");
        assert!(told.contains(how), "{told}");
    }
    let mail = entry(1, "Message-ID: <1@mailboxes.example>", "hi");
    let mbox = write(&app, "a.mbox", &mail);
    let (code, _, told) = auto(&app, &[], &mbox).await;
    assert!(code == Some(1) && told.contains("add --list LIST"), "{told}");
    let (code, numbers, told) = auto(&app, &["--list", "club"], &mbox).await;
    assert_eq!((code, &numbers["created"]), (Some(0), &json!(1)), "{told}");
    let takeout = zipped(&app, "t.zip", &[("Takeout/Groups/club@googlegroups.com/topics.mbox", &mail)]);
    let (_, numbers, told) = auto(&app, &["--list", "club"], &takeout).await;
    assert!(told.contains("the folder of a group of Google (club@googlegroups.com)"), "{told}");
    assert_eq!(numbers["skipped"], 1);

    let mailman = write(&app, "lists/club/config.pck", "}q\u{1}.");
    let (code, _, told) = auto(&app, &[], &mailman).await;
    assert!(code == Some(1) && told.contains("a list of Mailman 2: config.pck"), "{told}");
    assert!(told.contains("it has no settings of a list of Mailman 2"), "{told}");
    write(&app, "spool/club/control/owner", "");
    write(&app, "spool/club/subscribers.d/a", "");
    let (code, numbers, told) = auto(&app, &[], &app.folder().join("spool")).await;
    assert!(told.contains("a list of mlmmj: it has the folders subscribers.d and control"), "{told}");
    assert_eq!((code, &numbers["lists"]["skipped"]), (Some(0), &json!(1)), "{told}");
    write(&app, "expl/club/config", "");
    write(&app, "expl/club/member.dump", "");
    let (code, numbers, told) = auto(&app, &[], &app.folder().join("expl/club")).await;
    assert!(told.contains("a list of Sympa: it has the settings and the dump"), "{told}");
    assert_eq!((code, &numbers["lists"]["skipped"]), (Some(0), &json!(1)), "{told}");

    let both = zipped(&app, "both.zip", &[("a.mbox", &mail), ("a.csv", "email\na@x.org\n")]);
    let (code, _, told) = auto(&app, &["--list", "club"], &both).await;
    assert!(
        code == Some(1) && told.contains("say which by crier import mbox or crier import contacts"),
        "{told}"
    );
    let (code, _, told) = auto(&app, &["--list", "club"], &write(&app, "a.pdf", "%PDF-1.4")).await;
    assert!(code == Some(1) && told.contains("it is not known what this is; choose one of"), "{told}");
    assert_eq!(app.members("club").await, ["a@x.org", "b@x.org", "c@x.org"]);
}
