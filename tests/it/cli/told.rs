//! What commands say beside their results: the next step, records for a provider, and errors in plain words.

use std::process::Output;

use super::{bad, folder, good, json, run, set_up, text};

#[test]
fn setup_says_to_publish_the_records_before_the_server_starts() {
    let (_folder, data) = folder();
    let flags = ["--domain", "lists.example.org", "--admin", "you@example.org", "--list", "news"];
    let told = good(&[&["setup", "--data", &data], flags.as_slice()].concat());
    let place = |words: &str| told.rfind(words).unwrap_or_else(|| panic!("{words} is not in {told}"));
    let next = place("What to do next:");
    assert!(next < place("Publish the DNS records"), "{told}");
    assert!(place("crier dns --zone --data") < place("crier serve --data"), "{told}");
    // The first list is a discussion, whose mail says how to leave.
    let list = json(&good(&["list", "show", "news", "--data", &data, "--json"]));
    assert!(list["message_footer"].as_str().unwrap().contains("$UNSUBSCRIBE"), "{list}");
    assert_eq!((&list["subscriptions"], &list["archive_protected"]), (&"open+confirm".into(), &true.into()));
    assert_eq!(list["reply_to"], "news@lists.example.org");
}

#[test]
fn the_records_are_told_as_a_zone_file() {
    let (_folder, data) = folder();
    let done = set_up(&data);
    let zone = good(&["dns", "--zone", "--data", &data]);
    assert!(zone.starts_with("; The DNS records of lists.example.org"), "{zone}");
    for line in [
        "lists.example.org. 3600 IN MX 10 lists.example.org.",
        "lists.example.org. 3600 IN TXT \"v=spf1 mx ~all\"",
        "_dmarc.lists.example.org. 3600 IN TXT \"v=DMARC1; p=none\"",
    ] {
        assert!(zone.lines().any(|known| known == line), "{line} is not in {zone}");
    }
    let key = zone.lines().find(|line| line.starts_with("crier1._domainkey.")).unwrap();
    let (_, strings) = key.split_once(" IN TXT ").unwrap();
    let strings: Vec<&str> = strings.split("\" \"").map(|string| string.trim_matches('"')).collect();
    assert!(2 <= strings.len() && strings.iter().all(|string| string.len() <= 255), "{key}");
    let records = done["dns"].as_array().unwrap();
    let value = |name: &str| records.iter().find(|record| record["name"] == name).unwrap()["value"].clone();
    assert_eq!(value("crier1._domainkey.lists.example.org"), strings.concat());
}

#[test]
fn a_backup_goes_nowhere_where_no_folder_is() {
    let (folder, data) = folder();
    set_up(&data);
    let nowhere = folder.path().join("nope");
    let target = format!("{}/backups/", nowhere.display());
    let (code, told) = bad(&["backup", "--data", &data, &target]);
    assert_eq!(code, 1);
    let expected = format!("there is no folder {}, in which the backups would be", nowhere.display());
    assert!(told.contains(&expected) && told.contains("mkdir -p"), "{told}");
    assert!(!nowhere.exists(), "nothing was made");
    std::fs::create_dir(&nowhere).unwrap();
    assert!(good(&["backup", "--data", &data, &target]).contains("Backed up to"));
}

#[test]
fn errors_of_the_system_are_told_without_their_numbers() {
    let (_folder, data) = folder();
    set_up(&data);
    let (_, told) = bad(&["list", "create", "news", "--archive-password-file", "/nowhere", "--data", &data]);
    assert!(told.contains("No such file or directory") && !told.contains("os error"), "{told}");
}

#[test]
fn a_command_with_two_names_is_told_by_the_one_that_was_typed() {
    for word in ["create", "add"] {
        let (code, told) = bad(&["field", word]);
        assert_eq!(code, 2);
        assert!(told.contains(&format!("Usage: crier field {word} ")), "{told}");
    }
}

#[test]
fn a_new_key_says_beside_itself_what_it_may_do() {
    let (_folder, data) = folder();
    set_up(&data);
    let Output { stdout, stderr, .. } = run(&["key", "create", "--data", &data]);
    assert_eq!(text(&stdout).trim().len(), 32, "the key alone, for scripts");
    let told = text(&stderr);
    assert!(told.contains("This key may do everything, from anywhere, for ever."), "{told}");
    let narrow = ["--permission", "send_messages", "--cidr", "192.0.2.0/24", "--expiry-months", "1"];
    let Output { stderr, .. } = run(&[&["key", "create", "--data", &data], narrow.as_slice()].concat());
    let told = text(&stderr);
    assert!(told.contains("This key may send messages, from 192.0.2.0/24, until 2"), "{told}");
}
