//! `crier import mailman2`: whole lists move in, and nothing that somebody decided is lost.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told};
use super::{Server, folder, good, json, run, set_up, text};

const VAR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mailman2/var");

/// Runs an import whose exit code says that something was refused; returns what it says.
fn import(data: &str, flags: &[&str]) -> Value {
    let output = run(&[&["import", "mailman2", "--data", data, VAR, "--json"], flags].concat());
    assert!(!output.stdout.is_empty(), "{}", text(&output.stderr));
    json(&text(&output.stdout))
}

/// The row of somebody in an export.
fn row(data: &str, name: &str, address: &str) -> String {
    let out = Path::new(data).join(name);
    if !out.exists() {
        told(data, &format!("export {}", out.display()));
    }
    let people = fs::read_to_string(out.join("contacts.csv")).unwrap();
    let found = people.lines().find(|line| line.contains(&format!("{address}\"\""))).unwrap_or_default();
    found.replace("\"\"", "'")
}

#[test]
fn lists_move_in_with_settings_members_and_archive_and_nobody_is_mailed() {
    for runs in [true, false] {
        let (_folder, data) = folder();
        set_up(&data);
        told(&data, "account set example --send-welcome-message-contacts true");
        let server = runs.then(|| Server::start(&data));
        let dry = import(&data, &["--dry-run", "--administrators"]);
        assert_eq!(shown(&data, "list list")["count"], 0, "a dry run keeps nothing");
        assert_eq!(shown(&data, "contact list")["count"], 0, "a dry run keeps nothing");
        let done = import(&data, &["--administrators"]);
        for kind in
            ["lists", "contacts", "memberships", "kept_out", "administrators", "messages", "left_behind"]
        {
            assert_eq!(dry[kind], done[kind], "{kind}");
        }
        assert_eq!(done["lists"], json!({"created": 2, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["contacts"], json!({"created": 7, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["memberships"], json!({"created": 9, "skipped": 0, "rejected": 1}), "{done}");
        assert_eq!(done["kept_out"], json!({"created": 1, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["administrators"], json!({"created": 3, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["messages"], json!({"created": 2, "skipped": 1, "rejected": 0}), "{done}");
        let choir = shown(&data, "list show choir");
        for (field, value) in [
            ("description", json!("Der Chor von Köln")),
            ("reply_to", json!("Choir@lists.example.org")),
            ("moderate", json!(30)),
            ("restrict_post_lists", json!(["Choir", "news"])),
            ("archive_protected", json!(true)),
        ] {
            assert_eq!(choir[field], value, "{field}: {choir}");
        }
        assert_eq!(shown(&data, "list show news")["moderate"], 10);
        let dora = row(&data, "out", "dora@example.org");
        assert!(dora.contains("'paused':true") && dora.contains("Müller"), "{dora}");
        let emil = row(&data, "out", "emil@example.org");
        assert!(
            emil.contains("mail to it failed in Mailman 2") && emil.contains("2014-05-13T16:53:20"),
            "{emil}"
        );
        let ada = row(&data, "out", "ada@example.org");
        assert!(ada.contains("'list':'Choir'") && ada.contains("'list':'news'"), "{ada}");
        assert!(
            ada.contains("Imported from Mailman 2, where this address was a member of Choir@old.example")
        );
        assert!(row(&data, "out", "carl@example.org").contains("'digest':true"));
        assert_eq!(shown(&data, "queue list")["data"], json!([]), "nobody is mailed");

        let again = import(&data, &["--administrators"]);
        for kind in ["lists", "contacts", "memberships", "kept_out", "administrators", "messages"] {
            assert_eq!(again[kind]["created"], 0, "{kind} again: {again}");
        }
        // What an administrator changed here stays.
        told(&data, "list set choir --moderate 1 --description Singers");
        import(&data, &[]);
        let choir = shown(&data, "list show choir");
        assert_eq!((&choir["moderate"], &choir["description"]), (&json!(1), &json!("Singers")));
        if let Some(server) = server {
            assert_eq!(server.stop().code(), Some(0));
        }
        assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
    }
}

#[test]
fn whoever_is_there_keeps_everything_and_gets_what_is_missing() {
    on_both(|data| {
        told(data, "list create choir --description Ours");
        told(data, "contact create ada@example.org ada@home.example --firstname Augusta");
        told(data, "contact create bob@example.org --list choir");
        told(data, "email set bob@example.org --paused true");
        // Carl left the choir here.
        let gone = Path::new(data).join("gone.csv");
        fs::write(&gone, "email,status,lists\ncarl@example.org,unsubscribed,choir\n").unwrap();
        let _ = run(&["import", "contacts", "--data", data, gone.to_str().unwrap()]);
        let dry = import(data, &["--dry-run"]);
        let done = import(data, &[]);
        for kind in ["lists", "contacts", "memberships", "kept_out", "messages"] {
            assert_eq!(dry[kind], done[kind], "{kind}");
        }
        assert_eq!(done["lists"], json!({"created": 1, "skipped": 1, "rejected": 0}), "{done}");
        assert_eq!(done["memberships"], json!({"created": 7, "skipped": 1, "rejected": 2}), "{done}");
        assert_eq!(shown(data, "list show choir")["description"], "Ours");
        let ada = row(data, "out", "ada@example.org");
        assert!(ada.contains("Augusta") && ada.contains("'list':'choir'"), "{ada}");
        refused(data, "member show choir carl@example.org", (1, "no member"));
        shown(data, "member show news carl@example.org");
        import(data, &["--override-opt-out"]);
        shown(data, "member show choir carl@example.org");
        // The address in ban_list is not added by a later import.
        let banned = Path::new(data).join("banned.csv");
        fs::write(&banned, "email,lists\nbanned@bad.example,choir\n").unwrap();
        let output = run(&["import", "contacts", "--data", data, banned.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    });
}

#[test]
fn one_list_is_taken_alone_and_under_another_name() {
    on_both(|data| {
        let done = import(data, &["--list", "news=bulletin"]);
        assert_eq!(done["lists"]["created"], 1, "{done}");
        assert_eq!(shown(data, "list list")["count"], 1);
        let list = shown(data, "list show bulletin");
        assert_eq!((&list["moderate"], &list["description"]), (&json!(10), &json!("It's new")));
        let admins = shown(data, "admin list").to_string();
        assert!(!admins.contains("ada@example.org"), "nobody becomes an administrator unasked: {admins}");
        let left = done["left_behind"].as_array().unwrap();
        assert!(left.iter().any(|it| it["what"] == "owners and moderators" && it["people"] == 1), "{done}");
        refused(
            data,
            &format!("import mailman2 {VAR} --list none"),
            (1, "there are Choir@old.example, news@old.example"),
        );
    });
}

#[test]
fn settings_are_shown_before_anything_is_imported() {
    on_both(|data| {
        let told = told(data, &format!("import mailman2 {VAR}/lists/choir/config.pck --settings"));
        for line in [
            "Choir@old.example becomes the list Choir",
            "subscribe_policy = 3  ->  subscriptions: \"open+confirm\"",
            "accept_these_nonmembers = [guest@friends.example, ^.*@trusted",
        ] {
            assert!(told.contains(line), "{line} in {told}");
        }
        assert!(!told.contains("secret"), "{told}");
        assert_eq!(shown(data, "list list")["count"], 0);
    });
}

#[test]
fn a_folder_of_lists_is_known_by_itself() {
    on_both(|data| {
        let told = told(data, &format!("import auto {VAR}/lists/news --dry-run"));
        assert!(told.contains("lists: 1 created") && told.contains("memberships: 3 created"), "{told}");
    });
}

#[test]
fn a_hostile_file_runs_nothing_and_is_refused() {
    let (_folder, data) = folder();
    set_up(&data);
    let touched = Path::new(&data).join("touched");
    let hostile = Path::new(&data).join("config.pck");
    fs::write(&hostile, format!("cos\nsystem\n(S'touch {}'\ntR.", touched.display())).unwrap();
    refused(&data, &format!("import mailman2 {}", hostile.display()), (1, "os.system"));
    assert!(!touched.exists());
    refused(&data, &format!("import auto {}", hostile.display()), (1, "os.system"));
    assert_eq!(shown(&data, "list list")["count"], 0);
}

#[test]
fn the_report_names_everything_that_was_refused_or_left_behind() {
    let (_folder, data) = folder();
    set_up(&data);
    let report = Path::new(&data).join("report.csv");
    let done = import(&data, &["--report", report.to_str().unwrap()]);
    let report = fs::read_to_string(report).unwrap();
    for part in [
        "not an address,refused",
        "banned@bad.example,kept off the list",
        "members who do not get their own posts,left behind",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(!report.contains("secret"), "{report}");
    assert!(done["left_behind"].as_array().unwrap().len() > 5, "{done}");
}
