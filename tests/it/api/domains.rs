//! Domains that accounts add for themselves: what proves them, who gets them, and what they cannot be before.

use std::time::Duration;

use crier::schema::ENTITIES;
use serde_json::{Value, json};

use super::accounts::{ACCOUNTS, NEW, inside, own, path_of};
use super::{each, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::{Client, Response};
use crate::harness::program;

const MINUTE: Duration = Duration::from_mins(1);
const MAIN: &str = "lists.example.org";
/// What accounts claim.
const CLAIMED: &str = "club.example.net";

/// An account and the holder of its key.
struct Tenant {
    client: Client,
    path: String,
    main: &'static str,
}

impl Tenant {
    /// The account `test`.
    fn first(app: &TestApp) -> Tenant {
        Tenant { client: app.admin.clone(), path: own(app), main: MAIN }
    }

    /// Another one, made by a global key.
    async fn second(app: &TestApp) -> Tenant {
        let global = app.global().await;
        let account = global.post(ACCOUNTS, &NEW).await.good();
        Tenant {
            client: inside(app, &global, &account).await,
            path: path_of(&account),
            main: "one.example.org",
        }
    }

    /// Has its main domain and these.
    async fn put(&self, names: &[&str]) -> Response {
        let mut domains = vec![json!({"name": self.main, "is_main": true})];
        domains.extend(names.iter().map(|name| json!(name)));
        self.client.put_json(&self.path, &json!({"domains": domains})).await
    }

    /// Adds a domain; answers the text that proves it.
    async fn claim(&self, name: &str) -> String {
        self.put(&[name]).await.good();
        self.domain(name).await["verification"].as_str().unwrap().to_owned()
    }

    async fn domain(&self, name: &str) -> Value {
        let domains = self.client.get(&self.path).await.good()["domains"].clone();
        let found = domains.as_array().unwrap().iter().find(|domain| domain["name"] == name).cloned();
        found.unwrap_or(Value::Null)
    }

    async fn has(&self, name: &str) -> bool {
        self.domain(name).await["verified"] == true
    }
}

/// The TXT record that proves [`CLAIMED`].
fn proof(text: &str) -> String {
    format!("_crier.{CLAIMED} TXT {text}")
}

const MX: &str = "club.example.net MX 10 mx.example.org";

/// The reply to a post to `news` at [`CLAIMED`].
async fn post(app: &TestApp) -> u16 {
    app.send_mail("m@x.org", &format!("news@{CLAIMED}"), "Subject: x\r\n\r\nx").await.code
}

#[tokio::test]
async fn a_domain_that_an_account_adds_takes_no_mail_until_a_txt_record_proves_it() {
    let app = TestApp::start().await;
    app.list("news").member("m@x.org").create().await;
    let tenant = Tenant::first(&app);
    let text = tenant.claim(CLAIMED).await;
    let claim = tenant.domain(CLAIMED).await;
    assert_eq!((&claim["verified"], &claim["is_main"]), (&json!(false), &json!(false)));
    assert_eq!(post(&app).await, 550);

    app.dns.set(&proof("crier-another")).await;
    app.advance(MINUTE).await;
    assert_eq!(post(&app).await, 550, "another text proves nothing");
    app.dns.set(&proof(&text)).await;
    app.advance(2 * MINUTE).await;
    assert_eq!(post(&app).await, 250, "it was found in the background");
    let proven = tenant.domain(CLAIMED).await;
    assert_eq!((&proven["verified"], &proven["verification"]), (&json!(true), &json!(text)));
    app.settle().await;
    // What was read can be written back, and a proven domain can be the main one.
    let mut domains = tenant.client.get(&tenant.path).await.good()["domains"].clone();
    tenant.client.put_json(&tenant.path, &json!({"domains": domains})).await.good();
    domains[0]["is_main"] = json!(false);
    domains[1]["is_main"] = json!(true);
    let changed = tenant.client.put_json(&tenant.path, &json!({"domains": domains})).await.good();
    assert_eq!(each(&changed["domains"], "is_main"), [json!(false), json!(true)]);
}

#[tokio::test]
async fn reading_an_account_checks_its_domain_claims() {
    let app = TestApp::start().await;
    let tenant = Tenant::first(&app);
    let text = tenant.claim(CLAIMED).await;
    app.dns.set(&proof(&text)).await;
    assert!(!tenant.has(CLAIMED).await, "the DNS is asked once a minute");
    app.clock.advance(MINUTE);
    assert!(tenant.has(CLAIMED).await);
}

#[tokio::test]
async fn whoever_writes_the_domains_again_has_the_records_looked_up_anew() {
    let app = TestApp::start().await;
    let tenant = Tenant::first(&app);
    let text = tenant.claim(CLAIMED).await;
    app.dns.set(&proof(&text)).await;
    let domains = tenant.put(&[CLAIMED]).await.good()["domains"].clone();
    assert_eq!(each(&domains, "verified"), [json!(true), json!(true)]);
}

#[tokio::test]
async fn an_mx_record_proves_a_domain_that_one_account_claims() {
    let app = TestApp::builder().dns(MX).start().await;
    let tenant = Tenant::first(&app);
    let domains = tenant.put(&[CLAIMED]).await.good()["domains"].clone();
    assert_eq!(each(&domains, "verified"), [json!(true), json!(true)], "it was there already");
    app.dns.set("club.example.net MX 10 mx.other.example").await;
    app.advance(Duration::from_hours(48)).await;
    assert!(tenant.has(CLAIMED).await, "a proof is not asked for again");
}

#[tokio::test]
async fn of_two_accounts_that_claim_a_domain_the_txt_record_decides() {
    let app = TestApp::start().await;
    let (first, second) = (Tenant::first(&app), Tenant::second(&app).await);
    let texts = [first.claim(CLAIMED).await, second.claim(CLAIMED).await];
    assert_ne!(texts[0], texts[1]);
    app.dns.set(MX).await;
    app.advance(10 * MINUTE).await;
    assert!(!first.has(CLAIMED).await && !second.has(CLAIMED).await, "the MX is for both of them");
    app.dns.set(&proof(&texts[1])).await;
    app.advance(10 * MINUTE).await;
    assert!(!first.has(CLAIMED).await && second.has(CLAIMED).await);
    // The other one goes on waiting, or gives up.
    assert!(!first.put(&[]).await.good()["domains"].to_string().contains(CLAIMED));
}

#[tokio::test]
async fn the_owner_takes_a_domain_back_from_an_account_that_was_there_before() {
    let app = TestApp::builder().dns(MX).start().await;
    let (thief, owner) = (Tenant::first(&app), Tenant::second(&app).await);
    let stolen = thief.claim(CLAIMED).await;
    let domains = json!([MAIN, {"name": CLAIMED, "is_main": true, "is_web": true}]);
    thief.client.put_json(&thief.path, &json!({"domains": domains})).await.good();
    // Names above and below do not keep the owner away either.
    let below = format!("lists.{CLAIMED}");
    app.dns.set(&format!("{below} MX 10 mx.example.org")).await;
    let domains = json!([MAIN, {"name": CLAIMED, "is_main": true, "is_web": true}, below]);
    thief.client.put_json(&thief.path, &json!({"domains": domains})).await.good();
    assert!(thief.has(&below).await);

    let text = owner.claim(CLAIMED).await;
    app.advance(10 * MINUTE).await;
    assert!(thief.has(CLAIMED).await, "an MX record takes nothing away");
    app.dns.set(&format!("{}\n{}", proof(&text), proof(&stolen))).await;
    app.advance(10 * MINUTE).await;
    assert!(thief.has(CLAIMED).await && !owner.has(CLAIMED).await, "the holder's own record stands");
    app.dns.set(&proof(&text)).await;
    app.advance(Duration::from_hours(1)).await;
    assert!(owner.has(CLAIMED).await && !thief.has(CLAIMED).await);
    let left = thief.domain(MAIN).await;
    assert_eq!(
        (&left["is_main"], &left["is_web"]),
        (&json!(true), &json!(true)),
        "what the operator made stays"
    );
    assert_eq!(thief.domain(CLAIMED).await["verification"], stolen, "it is a claim again");
    owner.put(&[CLAIMED, &below]).await.good();
    let text = owner.domain(&below).await["verification"].as_str().unwrap().to_owned();
    app.dns.set(&format!("_crier.{below} TXT {text}")).await;
    app.advance(10 * MINUTE).await;
    assert!(owner.has(&below).await);
}

#[tokio::test]
async fn the_servers_names_and_what_others_have_cannot_be_claimed() {
    let app = TestApp::start().await;
    let second = Tenant::second(&app).await;
    for name in [
        "mx.example.org",
        "MX.Example.Org",
        "lists.example.org",
        "a.lists.example.org",
        "b.a.lists.example.org",
        "example.org",
        "org.example.org.lists.example.org",
    ] {
        second.put(&[name]).await.error(409, "domains");
    }
    for name in ["xlists.example.org", "example.org.net", "a.one.example.org"] {
        second.put(&[name]).await.good();
    }
    // The operator decides otherwise.
    let domains = json!([{"name": second.main, "is_main": true}, "a.lists.example.org"]);
    let changed = app.global().await.put_json(&second.path, &json!({"domains": domains})).await.good();
    assert_eq!(each(&changed["domains"], "verified"), [json!(true), json!(true)]);
}

#[tokio::test]
async fn domains_added_by_a_global_key_need_no_proof() {
    let app = TestApp::start().await;
    let (tenant, global) = (Tenant::first(&app), app.global().await);
    tenant.claim(CLAIMED).await;
    let read = global.get(&tenant.path).await.good();
    let written = global.put_json(&tenant.path, &read).await.good();
    assert_eq!(written, read, "what is written back as it was read stays a claim");
    let domains = json!([{"name": MAIN, "is_main": true}, CLAIMED, "new.example.net"]);
    let made = global.put_json(&tenant.path, &json!({"domains": domains})).await.good()["domains"].clone();
    assert_eq!(each(&made, "verified"), vec![json!(true); 3]);
    assert_eq!(each(&made, "verification"), vec![Value::Null; 3]);
    // And it is not taken over.
    let second = Tenant::second(&app).await;
    second.put(&[CLAIMED]).await.error(409, "is taken");
}

#[tokio::test]
async fn a_domain_that_is_not_verified_is_neither_main_nor_web() {
    let app = TestApp::start().await;
    let tenant = Tenant::first(&app);
    for wrong in [
        json!([CLAIMED]),
        json!([MAIN, {"name": CLAIMED, "is_main": true}]),
        json!([{"name": MAIN, "is_main": true}, {"name": CLAIMED, "is_web": true}]),
    ] {
        let refused = tenant.client.put_json(&tenant.path, &json!({"domains": wrong})).await;
        assert_eq!(wrong_fields(&refused), ["domains"], "{wrong}");
    }
    assert_eq!(tenant.domain(CLAIMED).await, Value::Null);
}

#[tokio::test]
async fn an_account_keeps_a_domain_that_its_operator_made() {
    let app = TestApp::builder().dns(MX).start().await;
    let tenant = Tenant::first(&app);
    tenant.claim(CLAIMED).await;
    let alone = json!({"domains": [CLAIMED]});
    tenant.client.put_json(&tenant.path, &alone).await.error(400, "only the operator can remove it");
    app.global().await.put_json(&tenant.path, &alone).await.good();
    let kept = tenant.domain(CLAIMED).await;
    assert_eq!(kept["verification"], Value::Null, "the operator stands for the last one");
}

#[tokio::test]
async fn an_account_waits_for_the_proof_of_twenty_domains_at_most() {
    let app = TestApp::start().await;
    let tenant = Tenant::first(&app);
    let names: Vec<String> = (0..21).map(|number| format!("d{number}.example.net")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    tenant.put(&names).await.error(400, "at most 20");
    tenant.put(&names[..20]).await.good();
    tenant.put(&names).await.error(400, "at most 20");
    app.advance(MINUTE).await;
    assert_eq!(tenant.client.get(&tenant.path).await.good()["domains"].as_array().unwrap().len(), 21);
}

#[tokio::test]
async fn a_dns_that_is_silent_proves_nothing() {
    let app = TestApp::builder()
        .config(|config| config.dns_server = Some("127.0.0.1:9".parse().unwrap()))
        .start()
        .await;
    let tenant = Tenant::first(&app);
    tenant.claim(CLAIMED).await;
    app.advance(10 * MINUTE).await;
    assert!(!tenant.has(CLAIMED).await);
}

#[tokio::test]
async fn claims_go_with_their_account() {
    let app = TestApp::builder().dns(MX).start().await;
    let dump =
        |app: &TestApp| -> Vec<String> { ENTITIES.iter().map(|entity| app.dump(entity.name)).collect() };
    let before = dump(&app);
    let second = Tenant::second(&app).await;
    second.put(&[CLAIMED, "waiting.example.net"]).await.good();
    assert!(second.has(CLAIMED).await && !second.has("waiting.example.net").await);
    app.global().await.delete(&second.path).await.good();
    app.settle().await;
    app.removed().await;
    let after = dump(&app);
    let differing: Vec<&str> = ENTITIES
        .iter()
        .zip(before.iter().zip(&after))
        .filter(|(entity, (before, after))| {
            before != after && !matches!(entity.name, "admin" | "api_key" | "audit")
        })
        .map(|(entity, _)| entity.name)
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[tokio::test]
async fn the_operators_commands_show_claims_and_decide_them() {
    let app = TestApp::start().await;
    let tenant = Tenant::first(&app);
    let text = tenant.claim(CLAIMED).await;
    let words = |line: &'static str| line.split(' ').collect::<Vec<_>>();
    let run = |line: &'static str| program::run(&words(line), app.folder());
    let list = run("domain list --account test");
    assert!(list.lines().any(|line| line.starts_with(CLAIMED) && line.ends_with("no")), "{list}");
    for shown in [run("domain show club.example.net"), run("dns --domain club.example.net")] {
        assert!(shown.contains("_crier.club.example.net") && shown.contains(&text), "{shown}");
    }
    let (code, told) = program::fail(&words("domain set club.example.net --main"), app.folder());
    assert!(code == 1 && told.contains("is not verified yet"), "{told}");
    // Other changes leave claims alone.
    run("domain add --account test made.example.net");
    assert!(!tenant.has(CLAIMED).await && tenant.has("made.example.net").await);
    run("domain delete made.example.net --yes");
    assert_eq!(tenant.domain(CLAIMED).await["verification"], text);
    let made = run("domain add --account test club.example.net");
    assert!(made.contains("it takes mail for the lists"), "{made}");
    assert!(tenant.has(CLAIMED).await);
    run("domain delete club.example.net --yes");
    tenant.claim(CLAIMED).await;
    run("domain delete club.example.net --yes");
    assert_eq!(tenant.domain(CLAIMED).await, Value::Null);
}

#[tokio::test]
async fn one_word_is_no_domain_of_an_account() {
    let app = TestApp::start().await;
    let (tenant, global) = (Tenant::first(&app), app.global().await);
    tenant.put(&["lists"]).await.error(400, "lists is one word");
    let new = [("name", "group-1"), ("domain", "lists"), ("administrator", "ada@one.example.org")];
    global.post(ACCOUNTS, &new).await.error(400, "domain");
    let domains = json!({"domains": [{"name": MAIN, "is_main": true}, "lists"]});
    global.put_json(&tenant.path, &domains).await.error(400, "one word");
    let (code, told) = program::fail(&["domain", "add", "--account", "test", "lists"], app.folder());
    assert!(code == 1 && told.contains("give the whole domain, such as lists.example.org"), "{told}");
}
