//! New keys for a domain: they wait for their records, then they sign, and the old ones are not forgotten too early.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::data::dkim_zone;
use crate::harness::program;
use crate::harness::{DOMAIN, TestApp};

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// What a command shows of its first domain.
#[track_caller]
fn told(data: &Path, line: &str) -> Value {
    let told: Value = serde_json::from_str(&program::run(&words(&format!("{line} --json")), data)).unwrap();
    told["domains"][0].clone()
}

/// `name type data` of the records whose names have `selector`, as a DNS server of the tests takes them.
fn zone_of(domain: &Value, selector: &str) -> String {
    let mut zone = String::new();
    for record in domain["records"].as_array().unwrap() {
        let [name, value] = ["name", "value"].map(|field| record[field].as_str().unwrap());
        if name.starts_with(&format!("{selector}.")) || name.starts_with(&format!("{selector}-ed.")) {
            writeln!(zone, "{name} TXT {value}").unwrap();
        }
    }
    zone
}

/// The states of the records whose names have `selector`.
fn states<'d>(domain: &'d Value, selector: &str) -> Vec<&'d str> {
    let records = domain["records"].as_array().unwrap().iter();
    let named = records.filter(|record| {
        let name = record["name"].as_str().unwrap();
        name.starts_with(&format!("{selector}.")) || name.starts_with(&format!("{selector}-ed."))
    });
    named.map(|record| record["state"].as_str().unwrap()).collect()
}

/// The selectors that sign a new post.
async fn signing(app: &TestApp) -> Vec<String> {
    app.sink.clear();
    app.send_mail("member1@example.org", "news@lists.example.org", "Subject: hello\n\nhi").await;
    app.settle().await;
    let copy = app.sink.mail_to("member1@example.org").text();
    let signatures = copy.split("DKIM-Signature:").skip(1);
    let selector =
        |text: &str| text.split_once(" s=")?.1.split_once(';').map(|(selector, _)| selector.to_owned());
    signatures.filter_map(selector).collect()
}

async fn start() -> TestApp {
    let app = TestApp::builder().dns(&dkim_zone()).start().await;
    app.list("news").members(1).create().await;
    app
}

#[tokio::test]
async fn new_keys_sign_once_all_their_records_are_seen() {
    let app = start().await;
    let rotated = told(app.folder(), &format!("keys rotate --domain {DOMAIN}"));
    assert_eq!([&rotated["selector"], &rotated["next_selector"]], ["test", "test2"]);
    assert_eq!(states(&rotated, "test2"), ["missing", "missing"], "nothing is published yet");
    let zone = zone_of(&rotated, "test2");
    let (rsa, _ed25519) = zone.split_once('\n').unwrap();

    app.advance(10 * MINUTE).await;
    assert_eq!(signing(&app).await, ["test", "test-ed"]);
    app.dns.set(rsa).await;
    app.advance(10 * MINUTE).await;
    assert_eq!(signing(&app).await, ["test", "test-ed"], "one record is missing");
    app.dns.set(&zone).await;
    app.advance(9 * MINUTE).await;
    assert_eq!(signing(&app).await, ["test", "test-ed"], "it is not looked for all the time");
    app.advance(MINUTE).await;
    assert_eq!(signing(&app).await, ["test2", "test2-ed"]);

    let shown = told_of_dns(&app);
    assert_eq!([&shown["selector"], &shown["next_selector"]], [&json!("test2"), &Value::Null]);
    assert_eq!(states(&shown, "test2"), ["right", "right"]);
}

/// What `crier dns` shows, which fails while something is wrong.
fn told_of_dns(app: &TestApp) -> Value {
    let (code, told) = program::fail(&words(&format!("dns --domain {DOMAIN} --json")), app.folder());
    assert_eq!(code, 1, "there is no MX in these tests");
    serde_json::from_str::<Value>(&told).unwrap()["domains"][0].clone()
}

#[tokio::test]
async fn old_keys_are_shown_for_a_week_and_forgotten_then() {
    let app = start().await;
    told(app.folder(), &format!("keys rotate --domain {DOMAIN}"));
    let activated = told(app.folder(), &format!("keys rotate --domain {DOMAIN} --activate"));
    assert_eq!([&activated["selector"], &activated["next_selector"]], [&json!("test2"), &Value::Null]);
    assert_eq!(signing(&app).await, ["test2", "test2-ed"], "the operator says so, seen or not");
    assert_eq!(states(&activated, "test"), ["old", "old"]);
    let records = activated["records"].as_array().unwrap();
    assert_eq!(records.last().unwrap()["until"], "2026-11-27T12:00:00Z");

    app.advance(6 * DAY).await;
    assert_eq!(states(&told_of_dns(&app), "test").len(), 2);
    app.advance(DAY).await;
    assert_eq!(states(&told_of_dns(&app), "test"), [""; 0]);
    assert_eq!(signing(&app).await, ["test2", "test2-ed"]);
}

#[tokio::test]
async fn a_selector_is_never_used_twice() {
    let app = start().await;
    for number in 2..5 {
        let rotated = told(app.folder(), "keys rotate --all");
        assert_eq!(rotated["next_selector"], format!("test{number}"));
        let again = told(app.folder(), "keys rotate --all");
        assert_eq!(again, rotated, "keys that wait are not made anew");
        told(app.folder(), "keys rotate --all --activate");
    }
    assert_eq!(states(&told_of_dns(&app), "test3"), ["old", "old"]);
}

#[tokio::test]
async fn what_is_right_in_the_dns_is_told_from_what_is_not() {
    let app = TestApp::builder().dns("mx.example.org A 192.0.2.1").start().await;
    app.dns
        .set(&format!("{DOMAIN} MX 10 mx.example.org\n{DOMAIN} TXT v=spf1 mx -all\n{}", dkim_zone()))
        .await;
    let (code, shown) = program::fail(&words("dns"), app.folder());
    assert_eq!(code, 1);
    let line =
        |text: &str| shown.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown}"));
    for right in ["MX ", &format!("TXT   {DOMAIN}"), "test._domainkey", "test-ed._domainkey"] {
        assert!(line(right).contains(" right "), "{shown}");
    }
    assert!(!shown.contains("k=rsa"), "what is right need not be published again: {shown}");
    assert!(line("v=DMARC1").contains(" missing "), "{shown}");
}

#[tokio::test]
async fn a_domain_of_which_everything_is_right_is_no_failure() {
    let zone = format!(
        "{DOMAIN} MX 10 mx.example.org\n{DOMAIN} TXT v=spf1 mx -all\n_dmarc.{DOMAIN} TXT v=DMARC1; p=none\n"
    );
    let addresses = format!(
        "mx.example.org A 192.0.2.1\n{DOMAIN} A 192.0.2.1\n1.2.0.192.in-addr.arpa PTR mx.example.org\n"
    );
    let app = TestApp::builder()
        .dns(&format!("{addresses}{zone}{}", dkim_zone()))
        .config(|config| config.public_ips = vec!["192.0.2.1".parse().unwrap()])
        .start()
        .await;
    let shown = told(app.folder(), "dns");
    let records = shown["records"].as_array().unwrap();
    assert!(records.iter().all(|record| record["state"] == "right"), "{shown}");
}

#[test]
fn keys_of_a_stopped_server_are_rotated_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    program::setup(data, "news");
    let rotated = told(data, "keys rotate --domain lists.example.org");
    assert_eq!([&rotated["selector"], &rotated["next_selector"]], ["crier1", "crier2"]);
    assert_eq!(states(&rotated, "crier2"), ["unknown", "unknown"], "nobody looks");
    let shown = program::run(&words("domain show lists.example.org"), data);
    assert!(shown.contains("crier1._domainkey") && shown.contains("crier2._domainkey"), "{shown}");
    let again = program::run(&words("keys rotate --domain lists.example.org"), data);
    assert!(
        again.contains("crier2 signs once its records are seen") && !again.contains("crier1._domainkey"),
        "{again}"
    );
    assert_eq!(told(data, "keys rotate --all --activate")["selector"], "crier2");
    assert_eq!(told(data, "dns")["records"].as_array().unwrap().len(), 8);
    program::verify(data);

    for (line, code, problem) in [
        ("keys rotate", 2, "--domain"),
        ("keys rotate --all --domain x.org", 2, "cannot be used with"),
        ("keys rotate --domain x.org", 1, "no such domain x.org"),
        ("keys rotate --domain x..y", 2, "must be a domain"),
        ("keys rotate --domain lists.example.org --activate", 1, "make some first"),
        ("dns --domain x.org", 1, "no such domain x.org"),
    ] {
        let (found, told) = program::fail(&words(line), data);
        assert!(found == code && told.contains(problem), "{line}: {found} {told}");
    }
    assert!(program::run(&words("keys rotate --all --activate"), data).contains("No new keys wait"));
}
