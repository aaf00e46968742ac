//! `crier oauth-client`: makes applications known, on a running server and on the file of a stopped one.

use serde_json::Value;

use crate::harness::program::{fail, run, setup};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn applications_are_made_known_listed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    setup(data, "news");
    let create = ["oauth-client", "create", "--name", "School diary", "--json"];
    let uri = ["--redirect-uri", "https://diary.example.org/back"];
    let made = json(&run(&[&create[..], &uri[..]].concat(), data));
    let id = made["client_id"].as_str().unwrap();
    assert!(made["client_secret"].as_str().is_some_and(|secret| 40 <= secret.len()), "{made}");
    assert_eq!(made.as_object().unwrap().len(), 2, "{made}");
    let two =
        ["--redirect-uri", "http://127.0.0.1/cb", "--redirect-uri", "org.example.diary:/cb", "--public"];
    let public = json(&run(&[&create[..], &two[..]].concat(), data));
    assert_eq!(public["client_secret"], Value::Null, "{public}");

    let all = json(&run(&["oauth-client", "list", "--json"], data));
    assert_eq!(all["count"], 2, "{all}");
    assert_eq!(all["data"][0]["client_id"], id);
    assert_eq!(all["data"][0]["name"], "School diary");
    assert_eq!(all["data"][1]["public"], true);
    assert_eq!(all["data"][1]["redirect_uris"][1], "org.example.diary:/cb");
    assert!(!all.to_string().contains("secret"), "{all}");

    let (_, told) = fail(&["oauth-client", "delete", "nobody", "--yes"], data);
    assert!(told.contains("no such application"), "{told}");
    run(&["oauth-client", "delete", id, "--yes"], data);
    assert_eq!(json(&run(&["oauth-client", "list", "--json"], data))["count"], 1);
}

#[test]
fn addresses_that_run_code_or_lead_nowhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    setup(folder.path(), "news");
    for uri in ["javascript:alert(1)", "data:text/html,x", "/back", "https://diary.example.org/back#x", ""] {
        let command = ["oauth-client", "create", "--name", "Diary", "--redirect-uri", uri];
        let (code, told) = fail(&command, folder.path());
        assert!(code != 0 && told.contains("redirect"), "{uri}: {told}");
    }
    let (_, told) =
        fail(&["oauth-client", "create", "--name", " ", "--redirect-uri", "https://a.org/"], folder.path());
    assert!(told.contains("name"), "{told}");
}
