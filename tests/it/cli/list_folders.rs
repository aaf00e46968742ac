//! `crier import mlmmj` and `crier import sympa`: folders of lists, taken in by a running server and by a stopped one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told};
use super::run;

/// The numbers of an import.
const KINDS: [&str; 6] = ["lists", "contacts", "memberships", "kept_out", "administrators", "messages"];

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn mail(number: u32) -> String {
    format!(
        "From: Ada <ada@example.org>\nTo: choir@old.example\nSubject: tea {number}\nMessage-ID: <{number}@old.example>\n\
         Date: Fri, 24 Apr 2015 10:00:{number:02} +0000\n\nFrom here on, tea {number}\n"
    )
}

/// The row of each person of an export, who is named by the address.
fn row(data: &str, folder: &str, address: &str) -> String {
    let path = Path::new(data).join(folder);
    if !path.exists() {
        told(data, &format!("export {}", path.display()));
    }
    let people = fs::read_to_string(path.join("contacts.csv")).unwrap();
    let row = people.lines().find(|line| line.contains(address));
    row.unwrap_or_else(|| panic!("{address}: {people}")).to_owned()
}

/// Imports: first a dry run, then the same, then again. Returns what the import said.
fn moved(data: &str, line: &str) -> Value {
    // These would mail everybody who is added.
    told(data, "account set example --send-welcome-message-contacts true");
    let dry = shown(data, &format!("{line} --dry-run"));
    assert_eq!(shown(data, "contact list")["count"], 0, "a dry run keeps nothing");
    let done = shown(data, line);
    for kind in KINDS {
        assert_eq!(dry[kind], done[kind], "{kind}: {dry} {done}");
    }
    let again = shown(data, line);
    for kind in KINDS {
        assert_eq!(again[kind]["created"], 0, "{kind} again: {again}");
        assert_eq!(again[kind]["rejected"], 0, "{kind} again: {again}");
    }
    assert_eq!(shown(data, "queue list")["data"], json!([]), "nobody is mailed");
    done
}

fn created(done: &Value) -> Vec<u64> {
    KINDS.iter().map(|kind| done[*kind]["created"].as_u64().unwrap()).collect()
}

fn left(done: &Value) -> Vec<(&str, u64)> {
    let left = done["left_behind"].as_array().unwrap().iter();
    left.map(|left| (left["what"].as_str().unwrap(), left["people"].as_u64().unwrap())).collect()
}

fn mlmmj(data: &str) -> PathBuf {
    let spool = Path::new(data).join("mlmmj");
    write(
        &spool.join("choir"),
        &[
            ("control/listaddress", "choir@old.example\n"),
            ("control/owner", "boss@example.org\n"),
            ("control/subonlypost", ""),
            ("control/prefix", "[choir]\n"),
            ("control/footer", "Sung for $0\n"),
            ("control/notmetoo", ""),
            ("subscribers.d/a", "ada@example.org\nbounced@example.org\n"),
            ("digesters.d/b", "bob@example.org\n"),
            ("nomailsubs.d/e", "eve@example.org\n"),
            ("bounce/bounced=example.org", "1:1700000000 # x\n"),
            ("subconf/abc-new=example.org", "new@example.org"),
            ("archive/9", &mail(9)),
            ("archive/10", &mail(10)),
            ("archive/11", "no mail"),
        ],
    );
    write(
        &spool.join("news"),
        &[("control/listaddress", "news@old.example\n"), ("subscribers.d/a", "ADA@example.org\n")],
    );
    spool
}

#[test]
fn lists_of_mlmmj_move_in_with_settings_members_and_archives() {
    on_both(|data| {
        let spool = mlmmj(data);
        let done = moved(data, &format!("import mlmmj {} --administrators", spool.display()));
        assert_eq!(created(&done), [2, 4, 5, 0, 1, 2], "{done}");
        let left = left(&done);
        assert!(left.contains(&("notmetoo", 0)), "{left:?}");
        assert!(left.contains(&("subconf: requests to join that are not confirmed", 1)), "{left:?}");
        let list = shown(data, "list show choir");
        for (field, value) in [
            ("moderate", json!(6)),
            ("subject_prefix", json!("[choir]")),
            ("message_footer", json!("Sung for $$0")),
            ("subscriptions", json!("open")),
            ("archive_protected", json!(true)),
        ] {
            assert_eq!(list[field], value, "{field}");
        }
        let paused = |address: &str| shown(data, &format!("member show choir {address}"))["paused"].clone();
        assert_eq!((paused("eve@example.org"), paused("ada@example.org")), (json!(true), json!(false)));
        assert_eq!(shown(data, "member show choir bob@example.org")["digest"], 1);
        let bounced = row(data, "out", "bounced@example.org");
        assert!(bounced.contains("2023-11-14T22:13:20"), "{bounced}");
        let mails = fs::read_to_string(Path::new(data).join("out/archives/choir.mbox")).unwrap();
        let order: Vec<usize> = ["tea 9", "tea 10"].map(|tea| mails.find(tea).unwrap()).to_vec();
        assert!(order.is_sorted(), "{mails}");
    });
}

#[test]
fn a_person_who_left_here_is_not_added_by_a_list_that_moves_in() {
    on_both(|data| {
        let spool = mlmmj(data);
        told(data, "list create news");
        told(data, "contact create ada@example.org --list news");
        let sheet = Path::new(data).join("left.csv");
        fs::write(&sheet, "email\nada@example.org\n").unwrap();
        told(data, "member delete news ada@example.org --yes");
        let _ = run(&["import", "contacts", "--data", data, "--opted-out", sheet.to_str().unwrap()]);
        let output = run(&["import", "mlmmj", "--data", data, spool.to_str().unwrap(), "--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", super::text(&output.stderr));
        assert_eq!(shown(data, "member list news")["count"], 0);
        assert_eq!(shown(data, "member list choir")["count"], 3);
    });
}

#[test]
fn settings_are_shown_before_anything_is_imported() {
    on_both(|data| {
        let line = format!("import mlmmj {} --settings --list choir", mlmmj(data).display());
        let told = told(data, &line);
        assert!(told.contains("choir@old.example becomes the list choir"), "{told}");
        assert!(told.contains("prefix = [choir]  ->  subject_prefix: [choir]"), "{told}");
        refused(data, "list show choir", (1, "list"));
    });
}

fn sympa(data: &str) -> PathBuf {
    let root = Path::new(data).join("sympa");
    let host = root.join("list_data/old.example");
    write(
        &host.join("choir"),
        &[
            (
                "config",
                "subject The caf\u{e9} choir\n\nsend privateoreditorkey\n\nsubscribe owner\n\nreview private\n\n\
                 owner\nemail boss@example.org\n\ndigest 1,4 13:26\n\nprocess_archive on\n\narchive\nweb_access private\n",
            ),
            (
                "member.dump",
                "date 1300000000\nemail ada@example.org\ngecos Ada Lovelace\nreception mail\n\n\
                 email bob@example.org\nreception digest\n\n\
                 email eve@example.org\nreception nomail\n\n\
                 email away@example.org\nsuspend 1\nstartdate 1700000000\nenddate 4070908800\n\n\
                 email bounced@example.org\nbounce 1700000000 1700000001 3 5.1.1\n\n\
                 email txt@example.org\nreception txt\n\n\
                 email gone@example.org\n",
            ),
            ("exclude", "gone@example.org\nnever@example.org\n"),
        ],
    );
    write(
        &root.join("arc/choir@old.example/2015-04"),
        &[("arctxt/1", &mail(1)), ("arctxt/2", &mail(2)), ("msg00000.html", "<html>")],
    );
    host
}

#[test]
fn lists_of_sympa_move_in_with_settings_members_and_archives() {
    on_both(|data| {
        let robot = sympa(data);
        let done = moved(data, &format!("import sympa {}", robot.display()));
        assert_eq!(created(&done), [1, 6, 6, 2, 0, 2], "{done}");
        let left = left(&done);
        for expected in [("digest", 0), ("reception txt", 1)] {
            assert!(left.contains(&expected), "{left:?}");
        }
        let list = shown(data, "list show choir");
        for (field, value) in [
            ("description", json!("The caf\u{e9} choir")),
            ("moderate", json!(14)),
            ("message_rejections", json!("hold")),
            ("subscriptions", json!("open+confirm")),
            ("memberview", json!("withemail")),
            ("archive_memberview", json!(true)),
            ("archive_protected", json!(true)),
        ] {
            assert_eq!(list[field], value, "{field}");
        }
        assert_eq!(shown(data, "member show choir eve@example.org")["paused"], true);
        assert_eq!(shown(data, "member show choir bob@example.org")["digest"], 1);
        let ada = row(data, "out", "ada@example.org");
        assert!(ada.contains("2011-03-13T07:06:40") && ada.contains("Lovelace"), "{ada}");
        let away = row(data, "out", "away@example.org");
        assert!(away.contains("2099-01-01T00:00:00"), "{away}");
        let bounced = row(data, "out", "bounced@example.org");
        assert!(bounced.contains("2023-11-14T22:13:20"), "{bounced}");
        // Who was taken out for good is kept off the list, also by hand.
        let sheet = Path::new(data).join("never.csv");
        fs::write(&sheet, "email,lists\nnever@example.org,choir\n").unwrap();
        let _ = run(&["import", "contacts", "--data", data, sheet.to_str().unwrap()]);
        assert_eq!(shown(data, "member list choir")["count"], 6);
    });
}

#[test]
fn a_list_of_sympa_without_its_members_is_refused_before_anything_is_done() {
    on_both(|data| {
        let robot = sympa(data);
        write(&robot.join("other"), &[("config", "subject Other\n")]);
        let line = format!("import sympa {}", robot.display());
        refused(data, &line, (1, "sympa dump --roles=member,owner,editor other@old.example"));
        refused(data, "list show choir", (1, "list"));
        // The others can be taken by their names.
        assert_eq!(shown(data, &format!("{line} --list choir"))["lists"]["created"], 1);
    });
}
