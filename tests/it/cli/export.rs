//! `crier export` and `crier import crier`: out of an account and into another one, with a running server and without.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crier::clock::Timestamp;
use crier::migrate::FILE_NAME;
use crier::model::contact::JoinWay;
use crier::model::{Consent, ConsentId, Email, EmailPause, Joined, List, OptOut, OptOutId, OptOutWay};
use crier::store::{Read as _, Store, StoreError, StoreOptions, WriteTx};
use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told};
use super::{Server, folder, good, set_up};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mailboxes");

/// Every file of an export with its content.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        for entry in fs::read_dir(folder.join(&below)).unwrap() {
            let name = below.join(entry.unwrap().file_name());
            if folder.join(&name).is_dir() {
                folders.push(name);
            } else {
                let bytes = fs::read(folder.join(&name)).unwrap();
                found.push((name.to_str().unwrap().to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
    }
    found.sort();
    found
}

/// The same without the numbers by which this server knows things.
fn without_numbers(files: Vec<(String, String)>) -> Vec<(String, String)> {
    let plain = |text: String| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("\"id\": "));
        lines.collect::<Vec<_>>().join("\n")
    };
    files.into_iter().map(|(name, text)| (name, plain(text))).collect()
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse_rfc3339(text).unwrap()
}

fn joined(time: &str, from: Option<&str>, way: JoinWay) -> Joined {
    Joined { when: at(time), from: from.map(|from| from.parse().unwrap()), way }
}

/// Changes the data file of a stopped server.
fn change(data: &str, job: impl FnOnce(&mut WriteTx<'_>) -> Result<(), StoreError> + Send + 'static) {
    let store = Store::open(&Path::new(data).join(FILE_NAME), StoreOptions::default()).unwrap();
    store.write_blocking::<_, StoreError, _>(job).unwrap();
    store.close_blocking();
}

/// What no command brings about: a consent, a pause until a day, and a list that was made long ago.
fn add_evidence(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    let emails: Vec<Email> = tx.all(0, 100)?;
    let ada = emails.iter().find(|email| email.address.as_str() == "ada@example.org").unwrap();
    let list = tx.all::<List>(0, 100)?.into_iter().find(|list| list.name.as_str() == "choir").unwrap();
    let id = ConsentId(tx.next_id::<Consent>()?);
    tx.put(&Consent {
        id,
        account: ada.account,
        address: ada.address.clone(),
        list: list.id,
        name: "Ada, \"Countess\"".to_owned(),
        digest: Some(true),
        requested: joined("2020-02-29T10:00:00Z", Some("192.0.2.7"), JoinWay::Web),
        confirmed: joined("2020-03-01T11:00:01Z", Some("2001:db8::7"), JoinWay::Mail),
        agreed: "I want news\nof the choir".to_owned(),
    })?;
    tx.put(&Email { paused: true, confirmed: true, ..ada.clone() })?;
    tx.put(&EmailPause { email: ada.id, account: ada.account, until: at("2099-01-02T00:00:00Z") })?;
    let (contact, account) = (Some(ada.contact), ada.account);
    let id = OptOutId(tx.next_id::<OptOut>()?);
    let (way, time) = (OptOutWay::Link, at("2021-05-05T05:05:05Z"));
    let news = tx.all::<List>(0, 100)?.into_iter().find(|list| list.name.as_str() == "news").unwrap();
    tx.put(&OptOut { id, account, list: Some(news.id), contact, addresses: Vec::new(), way, time })?;
    tx.put(&List { created: at("2001-01-01T00:00:00Z"), ..list })
}

/// An account with something of everything.
fn fill(data: &str) {
    for line in [
        "list create news --description 'What is new; 100 %'",
        "list create choir --archive-protected true --subject-prefix [choir]",
        "list set choir --restrict-post-lists news --restrict-post-lists choir --moderate 6",
        "field add 'Shoe size' --id shoe",
        "field add Voice",
        "field set Voice --members-edit true",
        "account set example --language de --ccid true",
        "contact create ada@example.org ada@home.example --firstname Ada --surname Lovelace --list choir --ccid c-1 \
         --notes '=1+1 is \"two\"' --custom-field 'Shoe size=39' --custom-field Voice=-alto",
        "contact create bob@example.org --list choir --list news",
        "contact create eve@example.org --firstname Eve",
        "member set choir bob@example.org --paused true",
        "member set news bob@example.org --digest 1",
        "email set ada@home.example --digest true --ceid second",
        "alias create board --destination bob@example.org",
        "alias create all --destination board@lists.example.org",
        "admin create chair@example.org --firstname Chair --limit-list choir --permission approve_messages \
         --notification held_message --welcome-email false",
    ] {
        told(data, line);
    }
    let sheet = Path::new(data).join("others.csv");
    fs::write(&sheet, "email,Email status,status,lists\nbounced@example.org,Bouncing,,news\neve@example.org,,unsubscribed,choir\n")
        .unwrap();
    // Whoever opted out is refused, which the exit code says.
    let _ = super::run(&["import", "contacts", "--data", data, sheet.to_str().unwrap(), "--existing", "add"]);
    told(data, &format!("import mbox --list choir {FIXTURES}/python.mbox {FIXTURES}/takeout.mbox"));
    change(data, add_evidence);
}

fn export(data: &str, name: &str, flags: &str) -> PathBuf {
    let path = Path::new(data).join(name);
    told(data, &format!("export {} {flags}", path.display()));
    path
}

#[test]
fn an_account_comes_back_as_it_was_and_nobody_is_mailed() {
    let (_source, data) = folder();
    set_up(&data);
    fill(&data);
    let first = export(&data, "out", "");
    let exported = files(&first);
    let names: Vec<&str> = exported.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "README.txt",
            "account.json",
            "administrators.json",
            "aliases.json",
            "archives/choir.mbox",
            "archives/news.mbox",
            "contacts.csv",
            "lists.json"
        ]
    );
    let all: String = exported.iter().map(|(_, text)| text.as_str()).collect();
    for part in [
        "\"created\": \"2001-01-01T00:00:00Z\"",
        "2099-01-02T00:00:00Z",
        "192.0.2.7",
        "'=1+1 is \"\"two\"\"",
        "'-alto",
        "2021-05-05T05:05:05Z",
        "Bouncing",
        "\"\"way\"\":\"\"import\"\"",
        "chair@example.org",
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
    assert!(!all.contains("password_hash") && !all.contains("mfa_type"), "{all}");

    for runs in [true, false] {
        let (_target, other) = folder();
        set_up(&other);
        // These would mail everybody who is added.
        told(&other, "account set example --send-welcome-message-contacts true");
        let server = runs.then(|| Server::start(&other));
        let line = format!("import crier {}", first.display());
        let dry = shown(&other, &format!("{line} --dry-run"));
        assert_eq!(shown(&other, "contact list")["count"], 0, "a dry run keeps nothing");
        let done = shown(&other, &line);
        for kind in ["fields", "lists", "contacts", "aliases", "administrators", "messages"] {
            assert_eq!(dry[kind], done[kind], "{kind}");
        }
        assert_eq!(done["contacts"], json!({"created": 4, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["messages"], json!({"created": 8, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["administrators"], json!({"created": 1, "skipped": 1, "rejected": 0}), "{done}");
        let again = shown(&other, &line);
        for kind in ["fields", "lists", "contacts", "aliases", "administrators", "messages"] {
            assert_eq!(again[kind]["created"], 0, "{kind} again: {again}");
            assert_eq!(again[kind]["rejected"], 0, "{kind} again: {again}");
        }
        assert_eq!(shown(&other, "queue list")["data"], json!([]), "nobody is mailed");
        let second = export(&other, "out", "");
        let (before, after) = (without_numbers(exported.clone()), without_numbers(files(&second)));
        for ((name, before), (_, after)) in before.iter().zip(&after) {
            assert_eq!(before, after, "{name}");
        }
        assert_eq!(before.len(), after.len());
        if let Some(server) = server {
            assert_eq!(server.stop().code(), Some(0));
        }
        assert!(good(&["verify", "--data", &other]).starts_with("All is well"));
    }
}

#[test]
fn a_list_is_exported_alone() {
    on_both(|data| {
        told(data, "list create news");
        told(data, "list create choir");
        told(data, "contact create ada@example.org --list choir --list news");
        told(data, "contact create bob@example.org --list news");
        let out = export(data, "choir", "--list choir");
        let names: Vec<String> = files(&out).into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            ["README.txt", "account.json", "archives/choir.mbox", "contacts.csv", "lists.json"]
        );
        let people = fs::read_to_string(out.join("contacts.csv")).unwrap();
        assert!(people.contains("ada@example.org") && !people.contains("bob@example.org"), "{people}");
        assert!(!people.contains("news"), "{people}");
        let readme = fs::read_to_string(out.join("README.txt")).unwrap();
        assert!(readme.contains("1 person, 1 list and\n0 messages."), "{readme}");
        let entry = &shown(data, "audit --limit 1")["data"][0];
        assert_eq!((&entry["action"], &entry["detail"]), (&json!("export"), &json!("list")));
        refused(data, &format!("export {data}/none --list none"), (1, "there is no list none"));
        assert!(!Path::new(data).join("none").exists(), "nothing is left behind");
    });
}

#[test]
fn what_was_cut_short_never_looks_whole() {
    let (_folder, data) = folder();
    set_up(&data);
    let out = Path::new(&data).join("out");
    fs::create_dir(&out).unwrap();
    fs::create_dir(out.join("archives")).unwrap();
    fs::write(out.join("contacts.csv.part"), "half").unwrap();
    fs::write(out.join("archives/choir.mbox.part"), "half").unwrap();
    refused(&data, &format!("import crier {}", out.display()), (1, "the folder is no export of crier"));
    told(&data, &format!("export {}", out.display()));
    assert!(files(&out).iter().all(|(name, _)| !name.contains(".part")));
    let mode = fs::metadata(out.join("contacts.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it names people");
    refused(&data, &format!("export {}", out.display()), (1, "is not empty"));
}

#[test]
fn whoever_left_here_is_not_put_back_by_an_import() {
    let (_folder, data) = folder();
    set_up(&data);
    told(&data, "list create choir");
    told(&data, "contact create ada@example.org --list choir");
    told(&data, "contact create bob@example.org --list choir");
    let out = export(&data, "out", "");
    // As the link of a copy does it: the hash of the address stays when the contact is deleted.
    let sheet = Path::new(&data).join("left.csv");
    fs::write(&sheet, "email,status,lists\nada@example.org,unsubscribed,choir\n").unwrap();
    told(&data, "member delete choir ada@example.org --yes");
    let _ = super::run(&["import", "contacts", "--data", &data, sheet.to_str().unwrap()]);
    told(&data, "contact delete ada@example.org --yes");
    told(&data, "contact delete bob@example.org --yes");
    let output = super::run(&["import", "crier", "--data", &data, out.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let done: Value = super::json(&super::text(&output.stdout));
    assert_eq!(done["contacts"], json!({"created": 1, "skipped": 0, "rejected": 1}), "{done}");
    assert!(super::text(&output.stderr).contains("contacts.csv, row 2: "), "{}", super::text(&output.stderr));
    assert_eq!(shown(&data, "member list choir")["count"], 1);
}

#[test]
fn cells_that_disagree_are_refused() {
    on_both(|data| {
        told(data, "list create choir");
        told(data, "contact create ada@example.org --list choir");
        let out = export(data, "out", "");
        told(data, "contact delete ada@example.org --yes");
        let path = out.join("contacts.csv");
        let people = fs::read_to_string(&path).unwrap();
        fs::write(&path, people.replacen("ada@example.org", "eve@example.org", 1)).unwrap();
        refused(
            data,
            &format!("import crier {}", out.display()),
            (1, "its column emails says \"eve@example.org\""),
        );
        assert_eq!(shown(data, "contact list")["count"], 0);
        fs::write(&path, "email\nada@example.org\n").unwrap();
        refused(data, &format!("import crier {}", out.display()), (1, "its first line is none of an export"));
    });
}

#[test]
fn an_import_that_was_cut_short_is_finished_without_doubles() {
    let (_source, data) = folder();
    set_up(&data);
    fill(&data);
    let whole = export(&data, "out", "");
    let half = Path::new(&data).join("half");
    fs::create_dir_all(half.join("archives")).unwrap();
    for (name, text) in files(&whole) {
        let bytes = fs::read(whole.join(&name)).unwrap();
        let begun = match name.as_str() {
            "contacts.csv" => text.split_inclusive('\n').take(2).collect::<String>().into_bytes(),
            "archives/choir.mbox" => {
                let third = text.match_indices("\n\nFrom ").nth(2).unwrap().0;
                bytes[..third + 2].to_vec()
            }
            _ => bytes,
        };
        fs::write(half.join(&name), begun).unwrap();
    }
    let (_target, other) = folder();
    set_up(&other);
    let begun = shown(&other, &format!("import crier {}", half.display()));
    assert_eq!((&begun["contacts"]["created"], &begun["messages"]["created"]), (&json!(1), &json!(3)));
    let done = shown(&other, &format!("import crier {}", whole.display()));
    assert_eq!(done["contacts"], json!({"created": 3, "skipped": 1, "rejected": 0}), "{done}");
    assert_eq!(done["messages"], json!({"created": 5, "skipped": 3, "rejected": 0}), "{done}");
    let (before, after) = (files(&whole), files(&export(&other, "out", "")));
    for ((name, before), (_, after)) in without_numbers(before).iter().zip(&without_numbers(after)) {
        assert_eq!(before, after, "{name}");
    }
}
