//! `crier import contacts`, into a running server and into the file of a stopped one.

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::objects::{on_both, refused, shown, told, words};
use super::{Server, crier, folder, good, run, set_up, text};

/// Writes a file into the data folder; answers its path.
fn write(data: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = Path::new(data).join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What an import with refused rows printed, and what it told of them.
#[track_caller]
fn partly(data: &str, line: &str) -> (Value, String) {
    let Output { status, stdout, stderr } = run(&words(&format!("{line} --json"), data));
    assert_eq!(status.code(), Some(1), "{}", text(&stderr));
    (super::json(&text(&stdout)), text(&stderr))
}

fn numbers(summary: &Value) -> [u64; 4] {
    ["created", "updated", "skipped", "rejected"].map(|name| summary[name].as_u64().unwrap())
}

/// The contacts of the account, as a server that is started for it shows them.
fn contacts(data: &str) -> Vec<Value> {
    let key = told(data, "key create --account example");
    let look = |server: &Server| {
        let answer = server.get("/api/2/contacts/?limit=1000", Some(key.trim()));
        let listing = super::json(answer.split("\r\n\r\n").nth(1).unwrap());
        listing["data"].as_array().unwrap().clone()
    };
    let key_works_without_a_start = Path::new(data).join("crier.sock").exists();
    assert!(!key_works_without_a_start, "the server has been stopped");
    look(&Server::start(data))
}

/// Has `check` import while a server runs and while none does, and `then` look at what came of it.
fn imported(check: impl Fn(&str), then: impl Fn(&[Value])) {
    for runs in [true, false] {
        let (_folder, data) = folder();
        let key = set_up(&data)["api_key"].as_str().unwrap().to_owned();
        let server = Server::start(&data);
        for list in ["news", "staff"] {
            server.post("/api/2/lists/", &key, &format!("name={list}"));
        }
        told(&data, "field add --account example 'Shoe size' --id shoe");
        let server = if runs { Some(server) } else { server.stop().success().then_some(()).and(None) };
        check(&data);
        if let Some(server) = server {
            assert_eq!(server.stop().code(), Some(0));
        }
        assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
        then(&contacts(&data));
    }
}

fn names<'a>(values: &'a Value, name: &str) -> Vec<&'a str> {
    values.as_array().unwrap().iter().map(|value| value[name].as_str().unwrap()).collect()
}

#[test]
fn a_file_of_contacts_is_imported_with_everything_it_says() {
    imported(
        |data| {
            let file = write(
                data,
                "a.csv",
                "\u{feff}Email;First name;surname;lists;ccid;notes;SHOE SIZE\r\n\
                 ada@example.org,a@example.org;Ada;Lovelace;news,staff;c1;\"two\r\nlines\";38\r\n\
                 bob@example.org;Bob;;;;;\r\n",
            );
            let done = shown(data, &format!("import contacts --account example {file} --list news"));
            assert_eq!(numbers(&done), [2, 0, 0, 0]);
            assert!(0.0 < done["contacts_per_second"].as_f64().unwrap());
        },
        |contacts| {
            let [ada, bob] = contacts else { panic!("{contacts:?}") };
            assert_eq!(
                (&ada["firstname"], &ada["surname"], &ada["ccid"]),
                (&json!("Ada"), &json!("Lovelace"), &json!("c1"))
            );
            assert_eq!((&ada["notes"], &ada["shoe"]), (&json!("two\r\nlines"), &json!("38")));
            assert_eq!(names(&ada["emails"], "email"), ["ada@example.org", "a@example.org"]);
            assert_eq!(names(&ada["lists"], "list"), ["news", "staff"]);
            assert_eq!(names(&bob["lists"], "list"), ["news"]);
            assert_eq!((&bob["firstname"], &bob["shoe"]), (&json!("Bob"), &json!("")));
        },
    );
}

#[test]
fn bad_rows_are_told_with_their_lines_and_the_others_imported() {
    imported(
        |data| {
            let file = write(
                data,
                "a.csv",
                b"email,lists,notes\nada@example.org,news,x\nno address,,\nbob@example.org\n\
                  eve@example.org,nothing,\n\xff@example.org,,\nzoe@example.org,,\"1\n2\"\n,,\ntom@example.org,,\n",
            );
            let rejects = format!("{data}/bad.csv");
            let line = format!("import contacts --account example {file} --rejects {rejects}");
            let (done, told) = partly(data, &line);
            assert_eq!(numbers(&done), [3, 0, 0, 5]);
            for part in [
                "line 3: emails: no address:",
                "line 4: has 1 cells where the first line has 3",
                "line 5: lists: there is no list nothing",
                "line 6: is not UTF-8",
                "line 9: emails: at least one address is needed",
            ] {
                assert!(told.contains(part), "{part} in {told}");
            }
            let written = std::fs::read_to_string(&rejects).unwrap();
            assert!(written.starts_with("email,lists,notes,reject_reason\n"), "{written}");
            assert_eq!(written.lines().count(), 6, "{written}");

            // Mended, it is imported as it is, with its reasons.
            let mended = "email,lists,notes,reject_reason\neve@example.org,staff,,there is no list nothing\n";
            let mended = write(data, "mended.csv", mended);
            assert_eq!(
                numbers(&shown(data, &format!("import contacts --account example {mended}"))),
                [1, 0, 0, 0]
            );
        },
        |contacts| assert_eq!(contacts.len(), 4),
    );
}

#[test]
fn existing_contacts_are_skipped_updated_or_refused() {
    imported(
        |data| {
            let file = write(data, "a.csv", "email,firstname,lists,notes\nada@example.org,Ada,news,first\n");
            let import = format!("import contacts --account example {file}");
            assert_eq!(numbers(&shown(data, &import)), [1, 0, 0, 0]);
            assert_eq!(numbers(&shown(data, &import)), [0, 0, 1, 0], "run again it changes nothing");

            let file = write(
                data,
                "b.csv",
                "email,firstname,lists,notes\nADA@example.org;ada@x.org,Augusta,staff,\n",
            );
            let import = format!("import contacts --account example {file}");
            assert_eq!(numbers(&shown(data, &import)), [0, 0, 1, 0]);
            let (done, told) = partly(data, &format!("{import} --existing fail"));
            assert_eq!(numbers(&done), [0, 0, 0, 1]);
            assert!(told.contains("line 2: emails: contact 1 is there already"), "{told}");
            assert_eq!(numbers(&shown(data, &format!("{import} --existing update"))), [0, 1, 0, 0]);
            assert_eq!(numbers(&shown(data, &format!("{import} --existing update"))), [0, 0, 1, 0]);
        },
        |contacts| {
            let [ada] = contacts else { panic!("{contacts:?}") };
            assert_eq!(ada["firstname"], "Augusta");
            assert_eq!(ada["notes"], "first", "a blank cell says nothing");
            assert_eq!(names(&ada["emails"], "email"), ["ada@example.org", "ada@x.org"]);
            assert_eq!(names(&ada["lists"], "list"), ["news", "staff"]);
        },
    );
}

#[test]
fn a_dry_run_keeps_nothing() {
    imported(
        |data| {
            let file = write(data, "a.csv", "email\nada@example.org\nada@example.org\nnothing\n");
            let (done, told) = partly(data, &format!("import contacts --account example {file} --dry-run"));
            assert_eq!((numbers(&done), &done["dry_run"]), ([1, 0, 1, 1], &json!(true)));
            assert!(told.contains("line 4:"), "{told}");
        },
        |contacts| assert!(contacts.is_empty(), "{contacts:?}"),
    );
}

#[test]
fn a_file_that_cannot_be_understood_is_refused_before_its_first_row() {
    on_both(|data| {
        let refuse = |content: &str, flags: &str, expected: (i32, &str)| {
            let file = write(data, "a.csv", content);
            refused(data, &format!("import contacts --account example {file} {flags}"), expected);
        };
        refuse(
            "email,phone\n",
            "",
            (1, "these columns are not understood: \"phone\"; known are email, name, firstname"),
        );
        refuse("name@example.org,Name\n", "", (1, "put a line such as email,firstname,surname above it"));
        refuse("firstname\n", "", (1, "one of them must be email"));
        refuse("", "", (1, "one of them must be email"));
        refuse("email,Emails\n", "", (1, "the column \"Emails\" holds what an earlier column holds"));
        refuse("email\n", "--list nothing", (1, "--list names no list of the account (\"nothing\")"));
        refuse("email\n", "--existing merge", (2, "--existing \"merge\" must be skip, add, update or fail"));
        refused(data, "import contacts --account example /nowhere.csv", (1, "/nowhere.csv cannot be read"));
        let file = write(data, "a.csv", "email,phone\nada@example.org,1\n");
        let line = format!("import contacts --account example {file} --ignore-unknown");
        let Output { stdout, .. } = run(&words(&line, data));
        assert!(text(&stdout).contains("\n  phone: 1 person\n"), "{}", text(&stdout));
    });
}

#[test]
fn a_file_of_bare_addresses_is_imported() {
    imported(
        |data| {
            let file = write(data, "a.txt", "ada@example.org\n\nBob van Dyke <bob@example.org>\nnobody\n");
            let (done, told) = partly(data, &format!("import contacts {file} --list news"));
            assert_eq!(numbers(&done), [2, 0, 0, 1]);
            assert!(told.contains("line 4:"), "{told}");
        },
        |contacts| {
            let [ada, bob] = contacts else { panic!("{contacts:?}") };
            assert_eq!(names(&ada["emails"], "email"), ["ada@example.org"]);
            assert_eq!((&bob["firstname"], &bob["surname"]), (&json!("Bob"), &json!("van Dyke")));
            assert_eq!(names(&bob["lists"], "list"), ["news"]);
        },
    );
}

#[test]
fn columns_of_other_programs_are_understood() {
    imported(
        |data| {
            let google = "Name,Given Name,Family Name,E-mail 1 - Value,E-mail 2 - Value\n\
                          Ada Lovelace,Ada,Lovelace,ada@example.org,ada@x.org\n\
                          Bob Dyke,,,bob@example.org,\n";
            let google = write(data, "google.csv", google);
            assert_eq!(numbers(&shown(data, &format!("import contacts {google}"))), [2, 0, 0, 0]);
            let german = write(data, "german.csv", "Vorname;Nachname;E-Mail\nEva;Groß;eva@example.org\n");
            assert_eq!(numbers(&shown(data, &format!("import contacts {german}"))), [1, 0, 0, 0]);
            let french = "Prénom,Nom,Adresse de messagerie\nJean,Dupont,jean@example.org\n";
            let french = write(data, "french.csv", french);
            assert_eq!(numbers(&shown(data, &format!("import contacts {french}"))), [1, 0, 0, 0]);
            let plain = "Email Address,Name\nanna@example.org,\"Schmidt, Anna\"\n";
            let plain = write(data, "plain.csv", plain);
            assert_eq!(numbers(&shown(data, &format!("import contacts {plain}"))), [1, 0, 0, 0]);
        },
        |contacts| {
            let shown: Vec<_> = contacts
                .iter()
                .map(|contact| {
                    let name = |field: &str| contact[field].as_str().unwrap().to_owned();
                    (name("firstname"), name("surname"), names(&contact["emails"], "email").len())
                })
                .collect();
            let expected = [
                ("Ada", "Lovelace", 2),
                ("Bob", "Dyke", 1),
                ("Eva", "Groß", 1),
                ("Jean", "Dupont", 1),
                ("Anna", "Schmidt", 1),
            ];
            let expected =
                expected.map(|(first, surname, count)| (first.to_owned(), surname.to_owned(), count));
            assert_eq!(shown, expected);
        },
    );
}

#[test]
fn a_full_address_book_says_how_to_make_it_larger() {
    on_both(|data| {
        told(data, "account set example --contacts-max 2");
        let file = write(data, "a.csv", "email\na@example.org\nb@example.org\nc@example.org\n");
        let (done, told) = partly(data, &format!("import contacts --account example {file}"));
        assert_eq!(numbers(&done), [2, 0, 0, 1]);
        assert!(told.contains("crier account set NAME --contacts-max N"), "{told}");
    });
}

#[test]
fn many_rows_come_through_standard_input() {
    const ROWS: usize = 5000;
    on_both(|data| {
        let row = |number| format!("m{number}@example.org,Member{number}\n");
        let rows = format!("email,surname\n{}", (0..ROWS).map(row).collect::<String>());
        let mut child = crier(&words("import contacts --account example - --json", data))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(rows.as_bytes()).unwrap();
        let done = child.wait_with_output().unwrap();
        assert_eq!(numbers(&super::json(&text(&done.stdout))), [ROWS as u64, 0, 0, 0]);
        assert_eq!(shown(data, "account show example")["contacts"], ROWS);
    });
}

#[test]
fn what_somebody_decided_elsewhere_makes_no_member() {
    imported(
        |data| {
            let mailchimp = "Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,\
                             LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,UNSUB_TIME,LAST_CHANGED,LEID,EUID,\
                             NOTES,TAGS\n\
                             a1@x.org,Ann,2,2020-01-01 10:00:00,,2020-01-01 10:00:00,192.0.2.1,,,,,,,,,2020,1,2,,\n\
                             a2@x.org,Bob,2,2020-01-01 10:00:00,,,,,,,,,,,2021-02-03 10:00:00,2020,1,2,,\n";
            let file = write(data, "mailchimp.csv", mailchimp);
            let (done, told) = partly(data, &format!("import contacts {file} --list news"));
            assert_eq!((numbers(&done), &done["opted_out"]), ([1, 0, 0, 1], &json!(1)), "{told}");
            assert!(told.contains("line 3: opted out where it comes from (UNSUB_TIME: 2021-02-03"), "{told}");

            let again = write(data, "again.csv", "email\na2@x.org\n");
            let (done, told) = partly(data, &format!("import contacts {again} --list news"));
            assert_eq!(numbers(&done), [0, 0, 0, 1], "{told}");
            assert!(told.contains("left news in another system"), "{told}");

            let listmonk = "uuid,email,name,attributes,status,created_at,updated_at\n\
                            u,b1@x.org,Bea,\"{\"\"shoe\"\": 38}\",enabled,2020,2020\n\
                            u,b2@x.org,Ben,{},blocklisted,2020,2020\n\
                            u,b3@x.org,Bob,{},disabled,2020,2020\n";
            let file = write(data, "listmonk.csv", listmonk);
            let (done, told) = partly(data, &format!("import contacts {file} --list news --ignore-unknown"));
            assert_eq!(numbers(&done), [1, 0, 0, 2], "{told}");

            let google = "Members for group club\n\
                          Email address,Nickname,Group status,Email status,Email preference,Posting permissions,\
                          Join year,Join month,Join day,Join hour,Join minute,Join second,Time zone\n\
                          c1@x.org,Cy,member,,email,allowed,2020,1,2,3,4,5,\n\
                          c2@x.org,Di,invited,,email,allowed,2020,1,2,3,4,5,\n\
                          c3@x.org,Ed,member,bouncing,email,allowed,2020,1,2,3,4,5,\n\
                          c4@x.org,Flo,member,,no email,allowed,2020,1,2,3,4,5,\n\
                          c5@x.org,Gus,perhaps,,email,allowed,2020,1,2,3,4,5,\n";
            let file = write(data, "google.csv", google);
            let (done, told) = partly(data, &format!("import contacts {file} --list news --ignore-unknown"));
            assert_eq!(numbers(&done), [3, 0, 0, 2], "{told}");
            assert!(
                told.contains(
                    "line 4: emails: is not subscribed where it comes from (Group status: invited)"
                )
            );
            assert!(told.contains("line 7: emails: has a state that is not known"), "{told}");
        },
        |contacts| {
            let found = |address: &str| {
                contacts.iter().find(|contact| contact["emails"][0]["email"] == address).expect("it is there")
            };
            assert_eq!(contacts.len(), 5, "{contacts:?}");
            assert_eq!(found("b1@x.org")["shoe"], "38");
            assert_eq!(found("c3@x.org")["emails"][0]["paused"], true);
            assert_eq!(found("c4@x.org")["lists"][0]["paused"], true);
            assert_eq!(found("c1@x.org")["lists"][0]["paused"], false);
        },
    );
}
