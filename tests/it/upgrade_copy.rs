//! An older data file is brought up to date on a copy: whatever goes wrong, the file is as it was, and `crier restore
//! --previous` goes back.
//!
//! `cargo test` kills some upgrades; `CRIER_FAULTS=all cargo test --test it upgrade_copy` kills 200.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crier::app;
use crier::clock::Clock;
use crier::migrate::{FILE_NAME, PREVIOUS_NAME, SCHEMA};
use crier::secret::Secrets;
use crier::store::fault::DiskControl;
use crier::store::{Disk, StoreOptions};
use redb::{Database, TableDefinition};
use tempfile::TempDir;

use crate::conversion::file_of_schema_3;
use crate::fixtures::unpack;
use crate::harness::program::{self, Program, crier};
use crate::harness::{data, sink::Sink};

/// Upgrades that are killed: a few in every run, and all of them when asked.
const KILLS: u32 = 10;
const KILLS_OF_ALL: u32 = 200;

/// A folder with a file of an older schema, and its bytes.
fn older(schema: u32) -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE_NAME);
    unpack(schema, &file);
    let bytes = std::fs::read(&file).unwrap();
    (folder, file, bytes)
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Opens a folder's file on a disk; answers what is complained of.
fn refusal(folder: &Path, disk: Disk) -> String {
    let options = StoreOptions { disk, ..StoreOptions::default() };
    app::open_file(folder, options, &Clock::system(), &Secrets::system(), &mut |_| ())
        .unwrap_err()
        .to_string()
}

#[test]
fn a_disk_without_room_for_the_copy_is_told_of_and_nothing_changes() {
    let (folder, file, before) = older(SCHEMA - 1);
    let control = DiskControl::new();
    control.leave_free(1 << 20);
    let told = refusal(folder.path(), Disk::rehearsed(&control));
    assert!(told.contains("and the disk has 1 MiB free. Make room"), "{told}");
    assert!(std::fs::read(&file).unwrap() == before);
    assert_eq!(names(folder.path()), [FILE_NAME]);
    data::open(folder.path()).store.close_blocking();
}

#[test]
fn a_file_that_does_not_verify_after_the_upgrade_stays_as_it_was() {
    let (folder, file, _) = older(SCHEMA - 1);
    let db = Database::open(&file).unwrap();
    let tx = db.begin_write().unwrap();
    tx.open_table(TableDefinition::<&[u8], &[u8]>::new("stray")).unwrap();
    tx.commit().unwrap();
    drop(db);
    let before = std::fs::read(&file).unwrap();
    let told = refusal(folder.path(), Disk::SYSTEM);
    assert!(told.contains("stray: no entity has this table"), "{told}");
    assert!(told.contains("The file is as it was; go on with the version before"), "{told}");
    assert!(std::fs::read(&file).unwrap() == before);
    assert_eq!(names(folder.path()), [FILE_NAME]);
}

#[test]
fn a_command_tells_of_the_upgrade_and_the_way_back_restores_every_byte() {
    let (folder, file, before) = older(SCHEMA - 1);
    let (code, told) = program::fail(&["restore", "--previous"], folder.path());
    assert_eq!(code, 1);
    assert!(told.contains("there is no crier.redb.previous"), "{told}");

    let mut command = crier();
    command.args(["account", "create", "late", "--domain=late.example.org", "--admin=late@example.org"]);
    let made = command.arg("--data").arg(folder.path()).output().unwrap();
    let told = String::from_utf8(made.stderr).unwrap();
    assert!(made.status.success(), "{told}");
    for words in [
        format!("The data file has schema {}: a copy of it is brought to schema {SCHEMA}", SCHEMA - 1),
        format!("Bringing the data file to schema {SCHEMA}"),
        "Checking the bytes of messages".to_owned(),
        "crier restore --previous goes back to it".to_owned(),
    ] {
        assert!(told.contains(&words), "{words}: {told}");
    }
    assert!(std::fs::read(&file).unwrap() != before);
    assert!(std::fs::read(folder.path().join(PREVIOUS_NAME)).unwrap() == before);

    let told = program::run(&["restore", "--previous"], folder.path());
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(&format!("has schema {}. Going back", SCHEMA - 1)), "{told}");
    assert!(told.contains("Z: 1 account, and changes of what was there before"), "{told}");
    assert!(std::fs::read(&file).unwrap() == before);
    assert_eq!(names(folder.path()), [FILE_NAME]);
    program::verify(folder.path());
}

#[tokio::test]
async fn nothing_goes_back_under_a_running_server() {
    let (folder, file, _) = older(SCHEMA - 1);
    let sink = Sink::start().await;
    let program = Program::start(folder.path(), sink.addr(), &[]);
    assert!(program.log().contains("The file before is kept for a day"), "{}", program.log());
    let during = std::fs::metadata(&file).unwrap().len();
    let (code, told) = program::fail(&["restore", "--previous"], folder.path());
    assert_eq!(code, 1);
    assert!(told.contains("stop it first"), "{told}");
    assert_eq!(std::fs::metadata(&file).unwrap().len(), during);
    program.stop();
    assert!(folder.path().join(PREVIOUS_NAME).exists());
}

#[test]
fn what_a_stopped_swap_left_is_not_taken_for_an_older_file() {
    let (folder, file, before) = older(SCHEMA - 1);
    // The second name was given, and then the power failed.
    std::fs::hard_link(&file, folder.path().join(PREVIOUS_NAME)).unwrap();
    std::fs::write(folder.path().join("crier.redb.upgrade"), "torn").unwrap();
    let (_, told) = program::fail(&["restore", "--previous"], folder.path());
    assert!(told.contains("there is no crier.redb.previous"), "{told}");
    program::verify(folder.path());
    assert_eq!(names(folder.path()), [FILE_NAME, PREVIOUS_NAME]);
    assert!(std::fs::read(folder.path().join(PREVIOUS_NAME)).unwrap() == before);
}

/// Starts a command that opens the file.
fn start(command: &[&str], folder: &Path) -> Child {
    let mut process = crier();
    process.args(command).arg("--data").arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    process.spawn().unwrap()
}

/// Lets a command run for some time, then kills it; says whether it had ended before.
fn kill_after(mut child: Child, time: Duration) -> bool {
    let (_never, nothing) = mpsc::channel::<()>();
    // Nothing comes: it is the time that passes.
    let _ = nothing.recv_timeout(time);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    ended.is_some_and(|status| status.success())
}

#[test]
fn an_upgrade_that_is_killed_at_any_instant_leaves_one_whole_file() {
    let before = file_of_schema_3();
    let folder = tempfile::tempdir().unwrap();
    let [file, previous] = [FILE_NAME, PREVIOUS_NAME].map(|name| folder.path().join(name));
    std::fs::write(&file, &before).unwrap();
    let started = Instant::now();
    assert!(start(&["account", "list"], folder.path()).wait().unwrap().success());
    let whole = started.elapsed();

    let is_all = std::env::var("CRIER_FAULTS").is_ok_and(|wanted| wanted == "all");
    let kills = if is_all { KILLS_OF_ALL } else { KILLS };
    let chance = Secrets::system();
    let (mut older_files, mut newer_files) = (0, 0);
    for round in 0..kills {
        let folder = tempfile::tempdir().unwrap();
        let [file, previous] = [FILE_NAME, PREVIOUS_NAME].map(|name| folder.path().join(name));
        std::fs::write(&file, &before).unwrap();
        let mut draw = [0; 2];
        chance.fill(&mut draw);
        let time = whole * u32::from(u16::from_be_bytes(draw)) / u32::from(u16::MAX);
        let when = format!("kill {round} after {time:?} of {whole:?}");
        kill_after(start(&["account", "list"], folder.path()), time);
        // Either file is whole before anybody mends anything.
        if std::fs::read(&file).unwrap() == before {
            older_files += 1;
        } else {
            newer_files += 1;
            assert!(std::fs::read(&previous).unwrap() == before, "{when}");
        }
        program::verify(folder.path());
        assert_eq!(names(folder.path()), [FILE_NAME, PREVIOUS_NAME], "{when}");
        assert!(std::fs::read(&previous).unwrap() == before, "{when}: the older file is kept");

        // The way back is killed, too.
        let newer = std::fs::read(&file).unwrap();
        kill_after(start(&["restore", "--previous"], folder.path()), time / 8);
        let found = std::fs::read(&file).unwrap();
        assert!(found == before || found == newer, "{when}: a file that is neither");
        program::verify(folder.path());
        assert!(!folder.path().join("crier.redb.newer").exists(), "{when}");
    }
    assert!(older_files != 0 || newer_files != 0);
    assert!(std::fs::read(&previous).unwrap() == before);
    assert!(file.exists());
    #[expect(clippy::print_stdout, reason = "where the kills fell is what this test measures")]
    {
        println!(
            "{kills} upgrades were killed: {older_files} left the older file, {newer_files} the newer one"
        );
    }
}

#[test]
fn the_way_back_is_looked_at_without_making_a_data_file() {
    let (folder, file, bytes) = older(SCHEMA - 1);
    let previous = folder.path().join(PREVIOUS_NAME);
    std::fs::rename(&file, &previous).unwrap();
    drop(crier::migrate::previous::find(folder.path()).unwrap());
    assert_eq!(names(folder.path()), [PREVIOUS_NAME]);
    assert!(std::fs::read(&previous).unwrap() == bytes);
}

#[test]
fn whoever_examines_a_stopped_server_brings_no_file_up_to_date() {
    let (folder, file, bytes) = older(SCHEMA - 1);
    let mut command = crier();
    command.args(["doctor", "--json", "--data"]).arg(folder.path()).env("CRIER_HOSTNAME", "mx.example.org");
    let output = command.output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("of an older version: the next start brings it up to date"), "{told}");
    assert!(std::fs::read(&file).unwrap() == bytes && names(folder.path()) == [FILE_NAME]);
}
