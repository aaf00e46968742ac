//! `crier import mbox` into a running server: what its archive has then, and that nobody is mailed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crier::mail::parse_leniently;
use crier::model::{List, ListName, Message};
use crier::schema::{LIST_BY_NAME, MESSAGE_COUNT_BY_MONTH, archive_of};
use crier::store::{Key, Read as _};
use serde_json::Value;

use crate::harness::TestApp;
use crate::harness::program;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/mailboxes").join(name)
}

/// Runs `crier import mbox` on the server; answers its exit code, its numbers, and what it told beside them.
pub(crate) async fn run(
    app: &TestApp,
    list: &str,
    flags: &[&str],
    sources: &[PathBuf],
) -> (Option<i32>, Value, String) {
    let mut command = program::crier();
    command.args(["import", "mbox", "--json", "--list", list, "--data"]).arg(app.folder());
    command.args(flags).args(sources);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let numbers = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), numbers, told)
}

/// Imports sources that must be taken whole; answers how many were created and skipped, and how many joined later.
#[track_caller]
pub(crate) fn whole((code, numbers, told): (Option<i32>, Value, String)) -> [u64; 3] {
    assert_eq!(code, Some(0), "{told}{numbers}");
    ["created", "skipped", "joined"].map(|name| numbers[name].as_u64().unwrap())
}

/// Writes a mailbox into a folder of its own.
fn mailbox(text: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("archive.mbox");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

/// A message of a mailbox, of this minute of the first day of 2019.
pub(crate) fn entry(minute: u32, fields: &str, text: &str) -> String {
    let (hour, minute) = (minute / 60, minute % 60);
    format!(
        "From ada@example.org Tue Jan  1 {hour:02}:{minute:02}:00 2019\nFrom: Ada <ada@example.org>\n\
         Date: Tue, 1 Jan 2019 {hour:02}:{minute:02}:00 +0000\n{fields}\n\n{text}\n\n"
    )
}

fn list_of(app: &TestApp, name: &str) -> List {
    let (core, name) = (app.core(), ListName::parse(name).unwrap());
    let tx = core.store.read().unwrap();
    let key = Key::new().u64(1).text(name.as_str());
    tx.get(tx.find_id(&LIST_BY_NAME, &key).unwrap().unwrap()).unwrap().unwrap()
}

/// The messages of a list, the oldest first.
pub(crate) fn messages(app: &TestApp, list: &str) -> Vec<Message> {
    let list = list_of(app, list).id;
    let mut messages: Vec<Message> = app.core().store.read().unwrap().all(0, usize::MAX).unwrap();
    messages.retain(|message| message.list == list && !message.deleted);
    messages.sort_by_key(|message| (message.time, message.id));
    messages
}

/// Each message of a list as `Message-ID: parent in thread`, the oldest first.
pub(crate) fn tree(app: &TestApp, list: &str) -> Vec<String> {
    let messages = messages(app, list);
    let name = |id| {
        let message = messages.iter().find(|message| message.id == id);
        message
            .map_or_else(|| format!("{id}"), |message| message.message_id.replace("@mailboxes.example", ""))
    };
    let line = |message: &Message| {
        let parent = message.parent.map_or_else(|| "-".to_owned(), name);
        format!("{}: {parent} in {}", name(message.id), name(message.thread))
    };
    messages.iter().map(line).collect()
}

#[tokio::test]
async fn mailboxes_of_other_programs_come_with_dates_threads_and_bytes() {
    let app = TestApp::start().await;
    for (list, source) in [
        ("plain", "python.mbox"),
        ("packed", "python.mbox.gz"),
        ("backwards", "backwards.mbox"),
        ("maildir", "maildir"),
    ] {
        app.list(list).members(2).create().await;
        let done = run(&app, list, &[], &[fixture(source)]).await;
        assert_eq!(
            (&done.1["first"], &done.1["last"]),
            (&"2019-01-07T18:30:00Z".into(), &"2019-01-07T23:30:00Z".into())
        );
        let joined = if source == "backwards.mbox" { 3 } else { 0 };
        assert_eq!(whole(done), [6, 0, joined], "{source}");
        assert_eq!(whole(run(&app, list, &[], &[fixture(source)]).await), [0, 6, 0], "{source} again");
        let tree = tree(&app, list);
        assert_eq!(tree[..5], ["0: - in 0", "1: 0 in 0", "2: 1 in 0", "3: 0 in 0", "4: - in 4"], "{source}");
        assert!(tree[5].contains("@imported.invalid: - in "), "{tree:?}");

        let all = messages(&app, list);
        let (juergen, jun) = (&all[1], &all[2]);
        assert_eq!(
            (juergen.from_phrase.as_str(), juergen.from_address.as_str()),
            ("Jürgen Groß", "juergen@example.org")
        );
        assert_eq!(
            (jun.from_phrase.as_str(), jun.time.rfc3339().as_str()),
            ("小林 順", "2019-01-07T20:30:00Z")
        );
        let core = app.core();
        let raw = core.store.read().unwrap().blob(crier::store::BlobId(all[0].blob.0)).unwrap();
        let raw = String::from_utf8(raw).unwrap();
        assert!(
            raw.ends_with("\r\n\r\nWe begin at seven.\r\n\r\nFrom now on the side door is open.\r\n")
                || raw.contains("From now on the side door is open.\r\n"),
            "{raw}"
        );
        assert!(!raw.contains("\r\n>From now"), "{raw}");

        app.settle().await;
        let found = app.admin.get(&format!("/api/2/messages/?list={list}&search=sp%C3%A4ter")).await.good();
        assert_eq!(
            (&found["count"], &found["data"][0]["datetime"]),
            (&1.into(), &"2019-01-07T19:30:00Z".into())
        );
        let list = list_of(&app, list);
        let january = archive_of(list.account, list.id).u64(all[0].time.month());
        assert_eq!(core.store.read().unwrap().count(&MESSAGE_COUNT_BY_MONTH, &january).unwrap(), 6);
    }
    assert_eq!(app.sink.copies(), 0, "nobody is mailed");
}

#[tokio::test]
async fn pipermail_and_takeout_are_read() {
    let app = TestApp::start().await;
    app.list("choir").with("subject_prefix", "[choir]").create().await;
    assert_eq!(whole(run(&app, "choir", &[], &[fixture("pipermail.txt")]).await), [2, 0, 0]);
    let all = messages(&app, "choir");
    assert_eq!((all[0].from_phrase.as_str(), all[0].from_address.as_str()), ("Ada Abara", "ada@example.org"));
    assert_eq!(
        (all[1].from_phrase.as_str(), all[1].from_address.as_str()),
        ("Jürgen Groß", "juergen@example.org")
    );
    assert_eq!(all[1].subject, "Rehearsal on Monday", "the list's prefix is no part of it");
    assert_eq!(tree(&app, "choir"), ["0: - in 0", "1: 0 in 0"]);
    let shown = app.admin.get(&format!("/api/2/messages/{}/", all[1].id)).await.good();
    assert!(shown["content_plain"].as_str().unwrap().contains("Ich komme später."), "{shown}");

    app.list("takeout").create().await;
    let (code, numbers, _) = run(&app, "takeout", &[], &[fixture("takeout.mbox")]).await;
    assert_eq!((code, &numbers["mended"]), (Some(0), &2.into()));
    let times: Vec<String> = messages(&app, "takeout").iter().map(|message| message.time.rfc3339()).collect();
    assert_eq!(times, ["2019-01-07T18:30:00Z", "2019-01-07T19:30:00Z"], "of the lines before the messages");
    assert_eq!(tree(&app, "takeout"), ["10: - in 10", "11: 10 in 10"]);
}

#[tokio::test]
async fn replies_find_their_threads_in_any_order() {
    let app = TestApp::start().await;
    app.list("news").open().members(1).create().await;
    let id = |name: &str| format!("Message-ID: <{name}@mailboxes.example>");
    let reply = |name: &str, parents: &[&str]| {
        let parents = parents.iter().fold(String::new(), |mut all, parent| {
            let _ = write!(all, " <{parent}@mailboxes.example>");
            all
        });
        format!("{}\nReferences:{parents}", id(name))
    };
    // A live reply to what is imported later.
    let live = format!("From: Ada <ada@example.org>\nSubject: Re: one\n{}\n\nlive\n", reply("live", &["b"]));
    app.send_mail("ada@example.org", "news@lists.example.org", &live).await;
    app.settle().await;
    let copies = app.sink.copies();
    let (_folder, path) = mailbox(
        [
            entry(5, &reply("d", &["a", "b", "c"]), "d"),
            entry(4, &reply("c", &["a", "b"]), "c"),
            entry(3, &reply("b", &["a"]), "b"),
            entry(2, &id("a"), "a"),
            // Each names the other: a circle of which one link must go.
            entry(6, &reply("x", &["y"]), "x"),
            entry(7, &reply("y", &["x"]), "y"),
            // One that names itself, and one whose parent is nowhere.
            entry(8, &reply("z", &["z"]), "z"),
            entry(9, &reply("w", &["nowhere"]), "w"),
            // Subjects alone.
            entry(20, &format!("Subject: AW: Tea at five\n{}", reply("t2", &["lost"])), "t2"),
            entry(30, &format!("Subject: Re: [old] tea at FIVE\n{}", id("t3")), "t3"),
            entry(10, &format!("Subject: Tea at five\n{}", id("t1")), "t1"),
            entry(40, &format!("Subject: Tea at five\n{}", id("t4")), "t4"),
        ]
        .concat()
        .as_bytes(),
    );
    assert_eq!(whole(run(&app, "news", &[], std::slice::from_ref(&path)).await)[..2], [12, 0]);
    let expected = [
        "a: - in a",
        "b: a in a",
        "c: b in a",
        "d: c in a",
        "x: - in x",
        "y: x in x",
        "z: - in z",
        "w: - in w",
        "t1: - in t1",
        "t2: t1 in t1",
        "t3: t2 in t1",
        "t4: - in t4",
        "live: b in a",
    ];
    assert_eq!(tree(&app, "news"), expected);
    assert_eq!(whole(run(&app, "news", &[], &[path]).await), [0, 12, 0], "again, nothing changes");
    assert_eq!(tree(&app, "news"), expected);

    // A live reply to what was imported, and a message of two lists.
    let live = "From: Ada <ada@example.org>\nSubject: Re: d\nMessage-ID: <live2@mailboxes.example>\n\
                In-Reply-To: <d@mailboxes.example>\n\nlive\n";
    app.send_mail("ada@example.org", "news@lists.example.org", live).await;
    app.settle().await;
    assert_eq!(tree(&app, "news")[13], "live2: d in a");
    app.list("other").create().await;
    let (_folder, path) = mailbox(entry(2, &id("a"), "a").as_bytes());
    assert_eq!(whole(run(&app, "other", &[], &[path]).await), [1, 0, 0]);
    assert_eq!(tree(&app, "other"), ["a: - in a"]);
    assert_eq!(app.sink.copies(), copies + 1, "of the live message alone");
}

#[tokio::test]
async fn a_parent_in_a_later_mailbox_takes_a_whole_thread() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let of = |name: &str, parent: &str| {
        format!("Message-ID: <{name}@mailboxes.example>\nReferences: <{parent}@mailboxes.example>")
    };
    let replies: String = (1..1000).map(|n| entry(n % 1440, &of(&format!("{n}"), "0"), "hi")).collect();
    let (_folder, january) = mailbox(replies.as_bytes());
    assert_eq!(whole(run(&app, "news", &[], &[january]).await), [999, 0, 0]);
    let (_folder, december) = mailbox(entry(0, "Message-ID: <0@mailboxes.example>", "hi").as_bytes());
    assert_eq!(whole(run(&app, "news", &[], &[december]).await), [1, 0, 999]);
    let (_folder, first) = mailbox(entry(0, "Message-ID: <first@mailboxes.example>", "hi").as_bytes());
    assert_eq!(whole(run(&app, "news", &[], &[first]).await), [1, 0, 0]);
    let tree = tree(&app, "news");
    assert_eq!(tree.iter().filter(|line| line.ends_with(": 0 in 0")).count(), 999);

    // A chain that is written backwards, longer than a step.
    app.list("chain").create().await;
    let link = |n: u32| entry(n % 1440, &of(&format!("{n}"), &format!("{}", n - 1)), "hi");
    let chain: String = (1..1200).rev().map(link).collect();
    let (_folder, path) = mailbox((chain + &entry(0, "Message-ID: <0@mailboxes.example>", "hi")).as_bytes());
    assert_eq!(whole(run(&app, "chain", &[], &[path]).await), [1200, 0, 1199]);
    let all = messages(&app, "chain");
    let first = all.iter().find(|message| message.parent.is_none()).unwrap();
    assert!(all.iter().all(|message| message.thread == first.id));
    assert_eq!(all.iter().filter(|message| message.parent.is_none()).count(), 1);
}

#[tokio::test]
async fn damaged_messages_are_taken_whole_and_nonsense_is_told() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let long = "x".repeat(3000);
    let mut file = Vec::new();
    file.extend_from_slice(
        entry(1, "Message-ID: <nul@x>\nFrom: second@x.org\nSubject: odd", &format!("a \0 b\n{long}"))
            .as_bytes(),
    );
    file.extend_from_slice(b"From x@y.org Tue Jan  1 00:02:00 2019\nSubject: no date, no id\n\nhello\n\n");
    file.extend_from_slice(b"From x at y.org  Thu Jan  1 00:00:00 1970\nDate: Thu, 1 Jan 1970 00:00:00 +0000\nSubject: 1970\n\nhi\n\n");
    file.extend_from_slice(b"From x@y.org Tue Jan  1 00:04:00 2019\nDate: Tue, 1 Jan 2199 00:00:00 +0000\nSubject: 2199\n\nhi\n\n");
    file.extend_from_slice(b"From x@y.org Tue Jan  1 00:05:00 2019\n\nno header at all\n\n");
    file.extend_from_slice(
        b"From x@y.org\nReceived: by a;\n Tue, 1 Jan 2019 00:06:00 +0000\nSubject: received\n\nhi\n",
    );
    let (folder, path) = mailbox(&file);
    let report = folder.path().join("report.csv");
    let (code, numbers, told) =
        run(&app, "news", &["--report", report.to_str().unwrap()], std::slice::from_ref(&path)).await;
    assert_eq!((code, &numbers["created"], &numbers["rejected"]), (Some(1), &5.into(), &1.into()), "{told}");
    assert!(told.contains("it is no message: it has no header"), "{told}");
    let all = messages(&app, "news");
    let shown: Vec<String> = all
        .iter()
        .map(|message| format!("{} {} {}", message.time.rfc3339(), message.subject, message.from_address))
        .collect();
    assert_eq!(
        shown,
        [
            "2019-01-01T00:01:00Z odd ada@example.org",
            "2019-01-01T00:02:00Z no date, no id x@y.org",
            "2019-01-01T00:02:00Z 1970 x@y.org",
            "2019-01-01T00:04:00Z 2199 x@y.org",
            "2019-01-01T00:06:00Z received x@y.org",
        ]
    );
    let raw = app.core().store.read().unwrap().blob(crier::store::BlobId(all[0].blob.0)).unwrap();
    assert!(raw.ends_with(format!("\r\n\r\na \0 b\r\n{long}\r\n").as_bytes()));
    assert_eq!(parse_leniently(raw).content().plain.as_deref(), Some(format!("a \0 b\n{long}\n").as_str()));
    for message in &all {
        app.admin.get(&format!("/api/2/messages/{}/", message.id)).await.good();
        let page = app.anon.get(&format!("/lists/news/messages/{}/", message.id)).await;
        assert_eq!((page.status, page.body.contains(&message.subject)), (200, true), "{}", page.body);
    }
    let page = app.anon.get(&format!("/lists/news/messages/{}/", all[0].id)).await;
    assert!(page.body.contains(&long), "the text is shown: {}", page.body);
    let report = std::fs::read_to_string(report).unwrap();
    assert_eq!(report.lines().filter(|line| line.contains(",mended,")).count(), 4, "{report}");
    assert!(report.contains(",refused,it is no message: it has no header"), "{report}");
    app.settle().await;
    let found = app.admin.get("/api/2/messages/?search=received").await.good();
    assert_eq!(found["count"], 1, "odd messages do not keep others from being found");
}

#[tokio::test]
async fn a_dry_run_says_what_would_be_and_changes_nothing() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let before = ["message", "audit", "thread", "missing_parents"].map(|table| app.dump(table));
    let sources = [fixture("python.mbox"), fixture("maildir"), fixture("takeout.mbox")];
    let (code, numbers, told) = run(&app, "news", &["--dry-run"], &sources).await;
    assert_eq!(code, Some(0), "{told}");
    // The Maildir has the same messages; the one without a Message-ID is known by its bytes.
    assert_eq!(
        (&numbers["created"], &numbers["skipped"], &numbers["mended"]),
        (&8.into(), &6.into(), &3.into())
    );
    assert_eq!((&numbers["dry_run"], &numbers["first"]), (&true.into(), &"2019-01-07T18:30:00Z".into()));
    assert_eq!(["message", "audit", "thread", "missing_parents"].map(|table| app.dump(table)), before);
    let (_, numbers, _) = run(&app, "news", &[], &sources).await;
    assert_eq!((&numbers["created"], &numbers["skipped"]), (&8.into(), &6.into()), "and it comes so");
}

/// A mailbox of so many messages, in threads of three.
fn many(count: u32) -> Vec<u8> {
    let one = |n: u32| {
        let parent = format!("\nIn-Reply-To: <{}@mailboxes.example>", n - n % 3);
        let parent = if n.is_multiple_of(3) { "" } else { parent.as_str() };
        entry(n % 1440, &format!("Message-ID: <{n}@mailboxes.example>\nSubject: {n}{parent}"), "hello there")
    };
    (0..count).map(one).collect::<String>().into_bytes()
}

/// Begins an import whose source is written to it.
fn begin(app: &TestApp, list: &str) -> Child {
    let mut command = program::crier();
    command.args(["import", "mbox", "--json", "--list", list, "--data"]).arg(app.folder()).arg("-");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[tokio::test]
async fn an_import_that_was_killed_is_finished_by_running_it_again() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let file = many(1500);
    let half = file.len() / 2;
    let mut child = begin(&app, "news");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&file[..half]).unwrap();
    stdin.flush().unwrap();
    // Two frames are full by then; the rest waits in the program that is killed.
    while messages(&app, "news").len() < 512 {
        tokio::task::yield_now().await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(stdin);
    // The server notes what it has got.
    while !app.dump("audit").contains("512 made, 0 skipped, 0 refused") {
        tokio::task::yield_now().await;
    }
    let (_folder, path) = mailbox(&file);
    assert_eq!(whole(run(&app, "news", &[], &[path]).await), [1500 - 512, 512, 0]);
    let all = messages(&app, "news");
    let mut ids: Vec<&str> = all.iter().map(|message| message.message_id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((all.len(), ids.len()), (1500, 1500));
    assert_eq!(all.iter().filter(|message| message.thread == message.id).count(), 500);
    assert!(app.dump("audit").contains("988 made, 512 skipped, 0 refused"));
}

#[tokio::test]
async fn imported_messages_of_a_protected_list_are_read_by_nobody_else() {
    let app = TestApp::start().await;
    app.list("board").with("archive_protected", "true").create().await;
    app.list("open").create().await;
    for list in ["board", "open"] {
        whole(run(&app, list, &[], &[fixture("python.mbox")]).await);
    }
    app.advance(Duration::from_secs(1)).await;
    let first = messages(&app, "board")[0].id;
    for path in [
        "/lists/board/".to_owned(),
        format!("/lists/board/messages/{first}/"),
        format!("/lists/board/threads/{first}/"),
        "/lists/board/months/2019-01/".to_owned(),
        "/lists/board/search/?q=Rehearsal".to_owned(),
        "/lists/board/2019-01.mbox.gz".to_owned(),
    ] {
        let page = app.anon.get(&path).await;
        let is_shown =
            ["Rehearsal on Monday", "side door", "Ada Abara"].iter().any(|text| page.body.contains(text));
        assert!(!is_shown, "{path}: {}", page.body);
        assert_eq!(page.status, if path == "/lists/board/" { 200 } else { 404 }, "{path}");
    }
    let first = messages(&app, "open")[0].id;
    for path in ["", "months/2019-01/", &format!("threads/{first}/"), &format!("messages/{first}/")] {
        let page = app.anon.get(&format!("/lists/open/{path}")).await;
        assert!(page.body.contains("Rehearsal on Monday"), "{path}: {}", page.body);
    }
}
