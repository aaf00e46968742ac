//! What setup and `crier dns` say of the records that a server needs: which, and what is wrong with them.

use serde_json::Value;

use crate::harness::data::dkim_zone;
use crate::harness::program;
use crate::harness::{Builder, DOMAIN, TestApp};

const ADDRESS: &str = "192.0.2.1";
const ARPA: &str = "1.2.0.192.in-addr.arpa";

/// A server that knows its address, and a domain of which nothing is published.
fn server() -> Builder {
    TestApp::builder().config(|config| config.public_ips = vec![ADDRESS.parse().unwrap()])
}

/// What `crier dns` prints, which fails.
fn told(app: &TestApp) -> String {
    let (code, told) = program::fail(&["dns"], app.folder());
    assert_eq!(code, 1, "{told}");
    told
}

/// The states of the records, as `kind name state`, of those that this server can judge.
fn states(app: &TestApp) -> Vec<String> {
    let output = program::crier().args(["dns", "--json", "--data"]).arg(app.folder()).output().unwrap();
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let records = told["domains"][0]["records"].as_array().unwrap();
    let text = |record: &Value, field: &str| record[field].as_str().unwrap().to_owned();
    let line = |record: &Value| ["type", "name", "state"].map(|field| text(record, field)).join(" ");
    records.iter().map(line).filter(|line| !line.contains("_domainkey")).collect()
}

/// Whether one line of a text has all of these parts.
#[track_caller]
fn has_line(text: &str, parts: &[&str]) {
    assert!(text.lines().any(|line| parts.iter().all(|part| line.contains(part))), "{parts:?} in\n{text}");
}

#[test]
fn setup_names_the_address_of_the_web_name_beside_that_of_the_mail_host() {
    let folder = tempfile::tempdir().unwrap();
    let flags =
        ["--domain", "lists.example.org", "--admin", "you@example.org", "--hostname", "mx.example.org"];
    let shown = program::run(&[["setup"].as_slice(), &flags].concat(), folder.path());
    has_line(&shown, &["  A ", " mx.example.org ", "this server's public address"]);
    has_line(&shown, &["  A ", " lists.example.org ", "this server's public address"]);
    assert!(
        shown.replace('\n', " ").contains("(PTR) of this server's public address must say mx.example.org"),
        "{shown}"
    );

    let folder = tempfile::tempdir().unwrap();
    let flags = [flags.as_slice(), &["--public-ip", "192.0.2.1,2001:db8::1"]].concat();
    let shown = program::run(&[["setup"].as_slice(), &flags].concat(), folder.path());
    for host in ["mx.example.org", "lists.example.org"] {
        has_line(&shown, &["  A ", host, "192.0.2.1"]);
        has_line(&shown, &["  AAAA", host, "2001:db8::1"]);
    }
    has_line(&shown, &["  PTR ", "192.0.2.1", "mx.example.org."]);
}

#[test]
fn scripts_get_no_record_without_a_value() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--domain", "lists.example.org", "--admin", "you@example.org", "--json"];
    let shown = program::run(&[["setup"].as_slice(), &flags].concat(), folder.path());
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert!(shown["dns"].as_array().unwrap().iter().all(|record| record["value"] != ""), "{shown}");
}

#[test]
fn the_dns_of_a_stopped_server_names_the_mail_host_that_it_was_set_up_with() {
    let folder = tempfile::tempdir().unwrap();
    let flags =
        ["--domain", "lists.example.org", "--admin", "you@example.org", "--hostname", "mx.example.org"];
    program::run(&[["setup"].as_slice(), &flags].concat(), folder.path());
    let shown = program::run(&["dns"], folder.path());
    has_line(&shown, &["Nothing was checked: no server runs"]);
    has_line(&shown, &["MX", "lists.example.org", "10 mx.example.org."]);
    assert!(!shown.contains("unknown"), "{shown}");
    has_line(&shown, &["A ", "lists.example.org", "this server's public address"]);
    let shown = program::run(&["domain", "show", "lists.example.org"], folder.path());
    has_line(&shown, &["MX", "10 mx.example.org."]);
}

#[tokio::test]
async fn the_dns_of_a_stopped_server_names_the_mail_host_that_ran_last() {
    let mut app = server().config(|config| config.hostname = "mail.example.net".to_owned()).start().await;
    let folder = app.folder().to_owned();
    app.halt().await;
    let shown = program::run(&["dns"], &folder);
    has_line(&shown, &["MX", DOMAIN, "10 mail.example.net."]);
    has_line(&shown, &["A ", "mail.example.net", ADDRESS]);
    has_line(&shown, &["PTR", ADDRESS, "mail.example.net."]);
}

#[tokio::test]
async fn what_is_missing_is_told_from_what_is_wrong_and_what_was_found_is_shown() {
    let app = server().start().await;
    app.dns.set(&format!("{DOMAIN} MX 10 mail.example.net\n{DOMAIN} TXT v=spf1 -all")).await;
    let told = told(&app);
    has_line(&told, &["MX", DOMAIN, " wrong ", "10 mx.example.org."]);
    has_line(&told, &["found: 10 mail.example.net"]);
    has_line(&told, &["TXT", DOMAIN, " wrong ", "v=spf1 mx ~all"]);
    has_line(&told, &["found: v=spf1 -all"]);
    has_line(&told, &["A ", DOMAIN, " missing "]);
    has_line(&told, &["TXT", &format!("_dmarc.{DOMAIN}"), " missing "]);
    has_line(&told, &["TXT", "test._domainkey", " missing "]);
    let keys = told.lines().filter(|line| line.starts_with("v=DKIM1"));
    assert_eq!(keys.count(), 2, "a value that is longer than a line stands by itself, once: {told}");
    let long = told.lines().filter(|line| !line.starts_with("v=") && 80 < line.chars().count());
    assert_eq!(long.collect::<Vec<_>>(), [""; 0]);
}

#[tokio::test]
async fn the_address_of_the_host_and_its_reverse_record_are_checked() {
    let app = server().start().await;
    let mx = format!("{DOMAIN} MX 10 mx.example.org\n{DOMAIN} TXT v=spf1 ip4:{ADDRESS} -all");
    app.dns
        .set(&format!("{mx}\nmx.example.org A 192.0.2.9\n{DOMAIN} A {ADDRESS}\n{ARPA} PTR host9.isp.example"))
        .await;
    assert_eq!(
        states(&app),
        [
            "MX lists.example.org right",
            "A mx.example.org wrong",
            "A lists.example.org right",
            "TXT lists.example.org right",
            "TXT _dmarc.lists.example.org missing",
            "PTR 192.0.2.1 wrong",
        ]
    );
    let shown = told(&app);
    has_line(&shown, &[" wrong ", "A ", "mx.example.org", "192.0.2.1"]);
    has_line(&shown, &["found: 192.0.2.9"]);
    has_line(&shown, &[" wrong ", "PTR ", "192.0.2.1", "mx.example.org."]);
    has_line(&shown, &["found: host9.isp.example"]);
    app.dns.set(&format!("mx.example.org A {ADDRESS}\n{ARPA} PTR mx.example.org")).await;
    app.dns.set(&format!("_dmarc.{DOMAIN} TXT v=DMARC1; p=none\n{}", dkim_zone())).await;
    app.clock.advance(std::time::Duration::from_mins(1));
    assert!(states(&app).iter().all(|line| line.ends_with(" right")), "{:?}", states(&app));
}

#[tokio::test]
async fn without_known_addresses_those_of_the_name_are_shown_and_not_judged() {
    let app = TestApp::builder().dns("mx.example.org A 192.0.2.9").start().await;
    app.dns.set(&format!("{DOMAIN} A 192.0.2.9")).await;
    assert_eq!(states(&app)[1..3], ["A mx.example.org unknown", "A lists.example.org right"]);
    let told = told(&app);
    has_line(&told, &[" unknown ", "A ", "mx.example.org"]);
    has_line(&told, &["found: 192.0.2.9, which this server cannot judge"]);
    assert!(told.contains("reverse DNS (PTR)"), "{told}");
}

#[tokio::test]
async fn a_relay_stands_in_the_sender_policy() {
    let app = server()
        .config(|config| config.relays[0].host = "smtp.relay.example".to_owned())
        .dns("smtp.relay.example A 198.51.100.7")
        .start()
        .await;
    let shown = told(&app);
    has_line(&shown, &["TXT", DOMAIN, " missing ", "v=spf1 mx a:smtp.relay.example ~all"]);
    let prose = shown.replace('\n', " ");
    assert!(prose.contains("its provider may ask for an include: of its own"), "{shown}");
    assert!(!shown.contains("PTR  "), "the relay's addresses are not ours: {shown}");
    app.dns.set(&format!("{DOMAIN} TXT v=spf1 include:spf.relay.example -all")).await;
    app.clock.advance(std::time::Duration::from_mins(1));
    assert!(states(&app).contains(&format!("TXT {DOMAIN} unknown")), "it may send from elsewhere");
    app.dns.set(&format!("{DOMAIN} TXT v=spf1 mx a:smtp.relay.example -all")).await;
    app.clock.advance(std::time::Duration::from_mins(1));
    assert!(states(&app).contains(&format!("TXT {DOMAIN} right")), "{:?}", states(&app));
}
