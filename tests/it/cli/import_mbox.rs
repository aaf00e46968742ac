//! `crier import mbox`, into a running server and into the file of a stopped one.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::json;

use super::objects::{on_both, refused, shown, told, words};
use super::{Server, crier, folder, good, run, set_up, text};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mailboxes");

/// Writes a file into the data folder; answers its path.
fn write(data: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(data).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn message(number: u32) -> String {
    let (minute, second) = (number / 60 % 60, number % 60);
    format!(
        "From a@x.org Tue Jan  1 10:{minute:02}:{second:02} 2019\nFrom: a@x.org\nMessage-ID: <{number}@x>\n\
         Subject: {number}\nDate: Tue, 1 Jan 2019 10:{minute:02}:{second:02} +0000\n\nhello\n\n"
    )
}

#[test]
fn archives_are_imported_with_a_running_server_and_without() {
    on_both(|data| {
        told(data, "list create choir");
        let import = format!(
            "import mbox --account example --list choir {FIXTURES}/python.mbox {FIXTURES}/takeout.mbox"
        );
        let dry = shown(data, &format!("{import} --dry-run"));
        assert_eq!((&dry["created"], &dry["dry_run"]), (&json!(8), &json!(true)));
        let done = shown(data, &import);
        assert_eq!(
            (&done["created"], &done["skipped"], &done["rejected"]),
            (&json!(8), &json!(0), &json!(0))
        );
        let entry = &shown(data, "audit --limit 1")["data"][0];
        assert_eq!(
            (&entry["action"], &entry["detail"]),
            (&json!("message.imported"), &json!("8 made, 0 skipped, 0 refused"))
        );
        let again = told(data, &import);
        assert!(again.starts_with("0 created, 8 skipped, 0 refused\n"), "{again}");

        let words = told(data, &format!("import mbox --list choir {FIXTURES}/backwards.mbox"));
        assert!(words.starts_with("0 created, 6 skipped, 0 refused\n"), "{words}");
        told(data, "list create other");
        let words = told(data, &format!("import mbox --list other {FIXTURES}"));
        for part in
            ["8 created, 20 skipped, 0 refused", "They are of 2019-01-07T18:30:00Z to 2019-01-07T23:30:00Z"]
        {
            assert!(words.contains(part), "{part} in {words}");
        }
    });
}

#[test]
fn files_that_are_no_mailboxes_are_told_before_anything_is_stored() {
    on_both(|data| {
        told(data, "list create news");
        let good = write(data, "good.mbox", message(1));
        let refuse = |name: &str, content: &[u8], expected: &str| {
            let file = write(data, name, content);
            refused(data, &format!("import mbox --list news {good} {file}"), (1, expected));
        };
        refuse("a.zip", b"PK\x03\x04aaaa", "a.zip: it is no zip that can be read");
        refuse(
            "a.pdf",
            b"%PDF-1.4\n%\xff\xfe\n",
            "a.pdf: it is no mailbox: an mbox begins with a line such as From ",
        );
        refuse("a.txt", b"hello\nworld\n", "it is no mailbox");
        refuse("a.xz", b"\xfd7zXZ\0", "it is compressed with xz: unpack it first");
        refuse("a.gz", b"\x1f\x8b\x08\x00nonsense", "a.gz: it ");
        let nowhere = format!("import mbox --list news {good} {data}/nowhere.mbox");
        refused(data, &nowhere, (1, "nowhere.mbox: it cannot be read: No such file"));
        fs::create_dir(format!("{data}/folder")).unwrap();
        let folder = format!("import mbox --list news {data}/folder");
        refused(data, &folder, (1, "folder: there is no mailbox in this folder"));
        refused(
            data,
            &format!("import mbox --list nothing {good}"),
            (1, "names no list of the account (\"nothing\")"),
        );
        refused(
            data,
            &format!("import mbox --list news {good} --quoting x"),
            (2, "--quoting \"x\" must be mboxrd"),
        );
        let done = shown(data, &format!("import mbox --list news {good}"));
        assert_eq!(done["created"], 1, "nothing of it was stored before");
    });
}

#[test]
fn a_file_that_ends_in_the_middle_gives_what_it_has() {
    on_both(|data| {
        told(data, "list create news");
        let packed = fs::read(format!("{FIXTURES}/python.mbox.gz")).unwrap();
        let cut = write(data, "cut.mbox.gz", &packed[..packed.len() - 100]);
        let report = format!("{data}/report.csv");
        fs::write(&report, "old").unwrap();
        fs::set_permissions(&report, fs::Permissions::from_mode(0o644)).unwrap();
        let empty = write(data, "empty.mbox", "\n");
        let line =
            format!("import mbox --list news {cut} {empty} {FIXTURES}/takeout.mbox --report {report} --json");
        let Output { status, stdout, stderr } = run(&words(&line, data));
        let numbers = super::json(&text(&stdout));
        assert_eq!((status.code(), &numbers["rejected"]), (Some(1), &json!(1)), "{}", text(&stderr));
        assert!(4 <= numbers["created"].as_u64().unwrap(), "the next source is read too: {numbers}");
        assert!(
            text(&stderr).contains("cut.mbox.gz, the rest of the file: it cannot be read"),
            "{}",
            text(&stderr)
        );
        let written = fs::read_to_string(&report).unwrap();
        assert!(written.starts_with("source,place,outcome,reason\n"), "{written}");
        for part in
            [",refused,it cannot be read", ",mended,\"its Date is missing", ",empty,it has no messages"]
        {
            assert!(written.contains(part), "{part} in {written}");
        }
        assert_eq!(fs::metadata(&report).unwrap().permissions().mode() & 0o777, 0o600);
    });
}

#[test]
fn a_message_that_is_too_large_does_not_stop_the_others() {
    on_both(|data| {
        told(data, "list create news");
        let mut file = message(1).into_bytes();
        file.extend_from_slice(b"From a@x.org Tue Jan  1 10:00:00 2019\nSubject: large\n\n");
        file.resize(file.len() + 50_100_000, b'x');
        file.extend_from_slice(b"\n\n");
        // It is just small enough.
        file.extend_from_slice(
            b"From a@x.org Tue Jan  1 10:00:00 2019\nSubject: less\nMessage-ID: <2@x>\n\n",
        );
        file.resize(file.len() + 49_900_000, b'y');
        file.extend_from_slice(b"\n\n");
        file.extend_from_slice(message(3).as_bytes());
        let file = write(data, "large.mbox", file);
        let Output { status, stdout, stderr } =
            run(&words(&format!("import mbox --list news {file} --json"), data));
        let numbers = super::json(&text(&stdout));
        assert_eq!(
            (status.code(), &numbers["created"], &numbers["rejected"]),
            (Some(1), &json!(3), &json!(1))
        );
        assert!(text(&stderr).contains("larger than the 50 MB that a message may have"), "{}", text(&stderr));
    });
}

#[test]
fn a_server_that_is_killed_during_an_import_goes_on_where_it_was() {
    let (_folder, data) = folder();
    let key = set_up(&data)["api_key"].as_str().unwrap().to_owned();
    let server = Server::start(&data);
    server.post("/api/2/lists/", &key, "name=news");
    let file: String = (0..2000).map(message).collect();
    let mut child = crier(&words("import mbox --list news -", &data))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&file.as_bytes()[..file.len() / 2]).unwrap();
    stdin.flush().unwrap();
    let count = |server: &Server| {
        let answer = server.get("/api/2/messages/?limit=1", Some(&key));
        super::json(answer.split("\r\n\r\n").nth(1).unwrap())["count"].as_u64().unwrap()
    };
    while count(&server) < 256 {}
    server.signal("-KILL");
    drop(stdin);
    let told = child.wait_with_output().unwrap();
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stderr).contains("run it again to go on"), "{}", text(&told.stderr));
    drop(server);

    let server = Server::start(&data);
    let kept = count(&server);
    assert!((256..1000).contains(&kept), "{kept}");
    let file = write(&data, "all.mbox", file);
    let done = shown(&data, &format!("import mbox --list news {file}"));
    assert_eq!((&done["created"], &done["skipped"]), (&json!(2000 - kept), &json!(kept)));
    assert_eq!(count(&server), 2000);
    assert_eq!(server.stop().code(), Some(0));
    assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
}
