//! Backups of a running server and of a stopped one: what was confirmed is in them, and nothing that is killed harms
//! the file or an earlier backup.
//!
//! `cargo test` kills some backups and restorations; `CRIER_FAULTS=all cargo test --test it backup` kills 210.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crier::migrate::{FILE_NAME, SCHEMA};
use crier::secret::Secrets;
use serde_json::Value;
use tempfile::TempDir;

use crate::fixtures::unpack;
use crate::harness::data;
use crate::harness::program::{self, Program, crier, run, setup};
use crate::harness::sink::Sink;
use crate::harness::smtp::send_mail;

/// Rounds, each of which kills two backups and a restoration: a few in every run, and all of them when asked.
const ROUNDS: u32 = 12;
const ROUNDS_OF_ALL: u32 = 70;
/// Backups that are made while posts come in.
const BACKUPS: usize = 5;

/// A folder for backups, as commands take it.
struct Targets {
    folder: TempDir,
}

impl Targets {
    fn new() -> Targets {
        Targets { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder that does not exist yet.
    fn folder(&self) -> String {
        format!("{}/backups/", self.folder.path().display())
    }

    fn file(&self) -> String {
        format!("{}/backup.crier", self.folder.path().display())
    }

    /// Where a backup is restored.
    fn restored(&self) -> PathBuf {
        self.folder.path().join("restored")
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Runs a command without a data folder; answers its JSON.
#[track_caller]
fn drill(target: &str) -> Value {
    let output = crier().args(["drill", target, "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json(&String::from_utf8(output.stdout).unwrap())
}

/// The points of a target, oldest first.
#[track_caller]
fn points(target: &str) -> Vec<Value> {
    let output = crier().args(["restore", target, "--list", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json(&String::from_utf8(output.stdout).unwrap())["points"].as_array().unwrap().clone()
}

fn messages(folder: &Path) -> String {
    let opened = data::open(folder);
    let messages = data::dump(&opened.store.read().unwrap(), "message");
    std::thread::scope(|scope| scope.spawn(|| opened.store.close_blocking()).join()).unwrap();
    messages
}

fn message(subject: &str) -> String {
    format!(
        "From: member@example.org\r\nSubject: {subject}\r\nMessage-ID: <{subject}@example.org>\r\n\r\nhi\r\n"
    )
}

async fn start(folder: &Path, sink: &Sink) -> Program {
    let key = setup(folder, "news");
    let program = Program::start(folder, sink.addr(), &[]);
    let fields = [("emails", "member@example.org"), ("lists", "news")];
    program.client(&key).post("/api/2/contacts/", &fields).await.good();
    program
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_backup_under_a_storm_of_posts_has_what_was_answered_before_it_and_verifies() {
    let (folder, sink, targets) = (tempfile::tempdir().unwrap(), Sink::start().await, Targets::new());
    let program = start(folder.path(), &sink).await;
    let (addr, is_over) = (program.smtp_addr, AtomicBool::new(false));
    let answered = std::sync::Mutex::new(Vec::new());
    let post = async {
        for number in 0.. {
            let subject = format!("post-{number:05}");
            let text = message(&subject);
            send_mail(addr, "member@example.org", &["news@lists.example.org"], &text).await;
            answered.lock().unwrap().push(subject);
            if is_over.load(Ordering::SeqCst) {
                break;
            }
        }
    };
    let back_up = async {
        let mut before = Vec::new();
        // Every backup has something to hold.
        while answered.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
        for round in 0..BACKUPS {
            let known = answered.lock().unwrap().clone();
            let (data_dir, target) = (folder.path().to_owned(), targets.folder());
            let made = tokio::task::spawn_blocking(move || run(&["backup", &target, "--json"], &data_dir));
            let made = json(&made.await.unwrap());
            before.push((made["point"].as_str().unwrap().to_owned(), known));
            assert!(0 < made["sent_bytes"].as_u64().unwrap(), "backup {round}: {made}");
        }
        is_over.store(true, Ordering::SeqCst);
        before
    };
    let ((), before) = tokio::join!(post, back_up);
    assert_eq!(points(&targets.folder()).len(), BACKUPS);
    for (round, (point, known)) in before.iter().enumerate() {
        let restored = targets.folder.path().join(format!("restored-{round}"));
        // Several points may be of the same second; the newest of them has what the others have.
        run(&["restore", &targets.folder(), "--at", point], &restored);
        program::verify(&restored);
        let found = messages(&restored);
        let lost: Vec<&String> = known.iter().filter(|subject| !found.contains(subject.as_str())).collect();
        assert!(lost.is_empty(), "{point} lacks {lost:?}");
    }
    assert!(before.last().is_some_and(|(_, known)| !known.is_empty()), "posts came in meanwhile");
    program.stop();
    program::verify(folder.path());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_listed_drilled_and_restored_where_nothing_is_lost_by_it() {
    let (folder, sink, targets) = (tempfile::tempdir().unwrap(), Sink::start().await, Targets::new());
    let program = start(folder.path(), &sink).await;
    let text = message("kept");
    send_mail(program.smtp_addr, "member@example.org", &["news@lists.example.org"], &text).await;
    let told = run(&["backup", &targets.folder()], folder.path());
    assert!(told.contains("Backed up to") && told.contains("were written"), "{told}");
    run(&["backup", &targets.file()], folder.path());
    for target in [targets.folder(), targets.file()] {
        let points = points(&target);
        assert_eq!(points.len(), 1);
        assert!(0 < points[0]["file_bytes"].as_u64().unwrap(), "{points:?}");
        let drilled = drill(&target);
        assert_eq!(
            (&drilled["point"], drilled["seconds"].is_number()),
            (&points[0]["time"], true),
            "{drilled}"
        );
    }
    let file = folder.path().join(FILE_NAME);
    let (code, told) = program::fail(&["restore", &targets.folder(), "--force"], folder.path());
    assert!(code == 1 && told.contains("a server runs on") && told.contains("stop it first"), "{told}");
    program.stop();

    // What is there is not replaced by mistake, nor by a backup that does not verify.
    let present = std::fs::read(&file).unwrap();
    let (_, told) = program::fail(&["restore", &targets.folder()], folder.path());
    assert!(told.contains("with --force it is replaced"), "{told}");
    let (_, told) = program::fail(&["restore", &targets.folder(), "--at", "soon"], folder.path());
    assert!(told.contains("--list shows the times of the backups"), "{told}");
    let (_, told) =
        program::fail(&["restore", &targets.folder(), "--at", "2020-01-01T00:00:00Z"], folder.path());
    assert!(told.contains("its oldest is of"), "{told}");
    let mut torn = std::fs::read(targets.file()).unwrap();
    let middle = torn.len() / 2;
    torn[middle] ^= 1;
    let torn_file = format!("{}.torn", targets.file());
    std::fs::write(&torn_file, torn).unwrap();
    let (_, told) = program::fail(&["restore", &torn_file, "--force"], folder.path());
    assert!(told.contains("is damaged"), "{told}");
    assert!(std::fs::read(&file).unwrap() == present);
    let (_, told) = program::fail(&["drill", &torn_file], folder.path());
    assert!(!told.is_empty());

    run(&["restore", &targets.folder(), "--force"], folder.path());
    program::verify(folder.path());
    assert!(messages(folder.path()).contains("kept"));
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.iter().filter(|name| *name != FILE_NAME && *name != "serve.log").count(), 0, "{left:?}");
}

#[test]
fn an_older_file_is_backed_up_as_it_is_and_restored_up_to_date() {
    let (folder, targets) = (tempfile::tempdir().unwrap(), Targets::new());
    let file = folder.path().join(FILE_NAME);
    unpack(SCHEMA - 1, &file);
    run(&["backup", &targets.folder()], folder.path());
    // Going on with the version before is possible: the file still has its schema.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was upgraded");
    assert!(!folder.path().join("crier.redb.previous").exists());
    run(&["restore", &targets.folder()], &targets.restored());
    program::verify(&targets.restored());
    let mut newer = crier();
    newer.args(["verify", "--data"]).arg(folder.path());
    let told = String::from_utf8(newer.output().unwrap().stderr).unwrap();
    assert!(told.contains(&format!("has schema {}", SCHEMA - 1)), "{told}");
}

/// Starts a command.
fn begin(command: &[&str], folder: &Path) -> Child {
    let mut process = crier();
    process.args(command).arg("--data").arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    process.spawn().unwrap()
}

/// Lets a command run for some time, then kills it.
fn kill_after(mut child: Child, time: Duration) {
    let (_never, nothing) = mpsc::channel::<()>();
    // Nothing comes: it is the time that passes.
    let _ = nothing.recv_timeout(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A data folder with some thousand contacts.
fn filled(targets: &Targets) -> PathBuf {
    let folder = targets.folder.path().join("data");
    std::fs::create_dir(&folder).unwrap();
    setup(&folder, "news");
    let sheet = targets.folder.path().join("contacts.csv");
    let rows: String = (0..3000)
        .map(|number| format!("person{number}@example.org,Name {number}\n"))
        .collect::<Vec<_>>()
        .concat();
    std::fs::write(&sheet, format!("email,name\n{rows}")).unwrap();
    run(&["import", "contacts", &sheet.display().to_string()], &folder);
    folder
}

#[test]
fn backups_and_restorations_that_are_killed_at_any_instant_harm_nothing() {
    let targets = Targets::new();
    let folder = filled(&targets);
    let target = targets.folder();
    let began = Instant::now();
    run(&["backup", &target], &folder);
    let backup_time = began.elapsed();
    let restored = targets.restored();
    let began = Instant::now();
    run(&["restore", &target], &restored);
    let restore_time = began.elapsed();

    let is_all = std::env::var("CRIER_FAULTS").is_ok_and(|wanted| wanted == "all");
    let chance = Secrets::system();
    let part_of = |whole: Duration| {
        let mut draw = [0; 2];
        chance.fill(&mut draw);
        whole * u32::from(u16::from_be_bytes(draw)) / u32::from(u16::MAX)
    };
    let first = points(&target)[0].clone();
    let mut known = 1;
    for round in 0..if is_all { ROUNDS_OF_ALL } else { ROUNDS } {
        run(&["member", "add", "news", &format!("new{round}@example.org")], &folder);
        // To a target that grows, and to one that is new.
        let fresh = format!("{}/fresh-{round}/", targets.folder.path().display());
        kill_after(begin(&["backup", &target], &folder), part_of(backup_time));
        kill_after(begin(&["backup", &fresh], &folder), part_of(backup_time));
        let found = points(&target);
        assert!(known <= found.len() && found[0] == first, "kill {round}: {found:?} after {known}");
        known = found.len();
        let before = std::fs::read(restored.join(FILE_NAME)).unwrap();
        kill_after(begin(&["restore", &target, "--force"], &restored), part_of(restore_time));
        let after = std::fs::read(restored.join(FILE_NAME)).unwrap();
        assert!(after == before || !after.is_empty());
        program::verify(&restored);
        run(&["backup", &fresh], &folder);
        drill(&fresh);
        std::fs::remove_dir_all(fresh).unwrap();
    }
    run(&["backup", &target], &folder);
    for point in points(&target) {
        run(&["restore", &target, "--force", "--at", point["time"].as_str().unwrap()], &restored);
    }
    program::verify(&folder);
    program::verify(&restored);
    // No killed restoration leaves anything behind the next.
    let left: Vec<_> =
        std::fs::read_dir(&restored).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [FILE_NAME]);
}

#[test]
fn an_encrypted_backup_is_made_for_a_recipient_and_restored_by_the_identity() {
    let targets = Targets::new();
    let folder = tempfile::tempdir().unwrap();
    setup(folder.path(), "news");
    // A pair that age-keygen made.
    let key = |name: &str, text: &str| {
        let path = targets.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let public = key("public", "age10jpd9eryphpfwf4z67wugdl4ntp3vxpc8uc96new83qupmqmfezsef69np\n");
    let secret =
        key("secret", "AGE-SECRET-KEY-1ZEJTEQC8NYCZHDEVKZ6ZS2ZXLR4F9M7LTZQ8UQQH5GVD69FL0DASW6U7TC\n");
    for (round, target) in [targets.folder(), targets.file()].into_iter().enumerate() {
        run(&["backup", &target, "--backup-key-file", &public], folder.path());
        let restored = targets.folder.path().join(format!("restored-{round}"));
        let (_, told) = program::fail(&["restore", &target], &restored);
        assert!(told.contains("is encrypted for age10jpd9"), "{told}");
        let (_, told) = program::fail(&["restore", &target, "--backup-key-file", &public], &restored);
        assert!(told.contains("the key file has no identity of theirs"), "{told}");
        run(&["restore", &target, "--force", "--backup-key-file", &secret], &restored);
        program::verify(&restored);
    }
}
