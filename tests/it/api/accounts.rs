//! `/accounts/`

use std::time::Duration;

use crier::model::Permission;
use crier::schema::ENTITIES;
use serde_json::{Value, json};
use tokio::net::UdpSocket;

use super::{column, each, key_holder, wrong_fields};
use crate::harness::data::dkim_zone;
use crate::harness::dns::serve_at;
use crate::harness::http::Client;
use crate::harness::{DOMAIN, TestApp};

pub(super) const ACCOUNTS: &str = "/api/2/accounts/";
/// What a new account needs.
pub(super) const NEW: [(&str, &str); 3] =
    [("name", "group-1"), ("domain", "one.example.org"), ("administrator", "ada@one.example.org")];

pub(super) fn path_of(account: &Value) -> String {
    format!("{ACCOUNTS}{}/", account["id"])
}

/// The path of the account `test`.
pub(super) fn own(app: &TestApp) -> String {
    format!("{ACCOUNTS}{}/", app.account_id())
}

/// The holder of a key of an account that a global key made.
pub(super) async fn inside(app: &TestApp, global: &Client, account: &Value) -> Client {
    let fields = json!({"api": 2, "permissions": ["account_admin"]});
    let id = &account["id"];
    let admin = global.post_json(&format!("/api/2/admins/?account_id={id}"), &fields).await.good();
    let path = format!("/api/2/admins/{}/?account_id={id}", admin["id"]);
    let key = global.put(&path, &[("get_key", "")]).await.good()["key"].clone();
    app.anon.with_authorization(&format!("Bearer {}", key.as_str().unwrap()))
}

#[tokio::test]
async fn a_new_account_has_the_defaults_of_the_document() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let account = global.post(ACCOUNTS, &NEW).await.good();
    let expected = json!({
        "id": account["id"],
        "name": "group-1",
        "description": "",
        "administrator": "ada@one.example.org",
        "lists": [],
        "admins": [{"id": account["admins"][0]["id"], "username": "ada@one.example.org"}],
        "confirmation_message": null,
        "confirmation_subject": null,
        "welcome_message": null,
        "send_welcome_message_confirmation": false,
        "send_welcome_message_contacts": false,
        "language": "en",
        "timezone": "UTC",
        "notify_approval": "each",
        "subscriptions": "open",
        "unsubscriptions": "open",
        "unsubscribe_confirm": false,
        "list_delegation": false,
        "restrict_contact": [],
        "restrict_contact_subscription": [],
        "require_list_approval": false,
        "domains": [{
            "name": "one.example.org", "is_main": true, "is_web": true, "verified": true, "verification": null,
            "dns_status": {"mx": false, "a": false, "spf": false, "dkim": false},
        }],
    });
    assert_eq!(account, expected);
    assert_eq!(global.get(&path_of(&account)).await.good(), expected);
    assert_eq!(global.put_json(&path_of(&account), &account).await.good(), expected, "what was read");
    let admins = global.get(&format!("/api/2/admins/?account_id={}", account["id"])).await.good();
    assert!(admins["data"][0]["permissions"].as_array().unwrap().contains(&json!("account_admin")));
}

#[tokio::test]
async fn a_wrong_name_is_named_beside_other_wrong_fields() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let response = global.post(ACCOUNTS, &[("name", "a b")]).await;
    assert_eq!(wrong_fields(&response), ["administrator", "domain", "name"]);
    let fields = [("name", "a b"), ("domain", "a.example.org"), ("administrator", "x")];
    assert_eq!(wrong_fields(&global.post(ACCOUNTS, &fields).await), ["administrator", "name"]);
}

#[tokio::test]
async fn an_account_needs_a_name_a_domain_and_an_administrator() {
    let app = TestApp::start().await;
    let global = app.global().await;
    assert_eq!(wrong_fields(&global.post(ACCOUNTS, &[]).await), ["administrator", "domain", "name"]);
    let fields = [
        ("name", "a b"),
        ("domain", "a b"),
        ("administrator", "x"),
        ("timezone", "Mars/Base"),
        ("subscriptions", ""),
        ("unsubscriptions", "maybe"),
        ("notify_approval", ""),
        ("language", "tlh"),
        ("restrict_contact", "("),
        ("welcome_message", "${nothing}"),
    ];
    let wrong = wrong_fields(&global.post(ACCOUNTS, &fields).await);
    for field in [
        "administrator",
        "language",
        "notify_approval",
        "restrict_contact",
        "subscriptions",
        "timezone",
        "unsubscriptions",
        "welcome_message",
    ] {
        assert!(wrong.contains(&field.to_owned()), "{field}: {wrong:?}");
    }
    assert_eq!(global.get(ACCOUNTS).await.good()["count"], 1);
}

#[tokio::test]
async fn names_and_domains_of_accounts_are_unique_on_the_server() {
    let app = TestApp::start().await;
    let global = app.global().await;
    global.post(ACCOUNTS, &NEW).await.good();
    let [_, domain, administrator] = NEW;
    let other = ("domain", "two.example.org");
    global.post(ACCOUNTS, &[("name", "GROUP-1"), other, administrator]).await.error(409, "name");
    global.post(ACCOUNTS, &[("name", "group-2"), domain, administrator]).await.error(409, "domain");
    let second = global.post(ACCOUNTS, &[("name", "group-2"), other, administrator]).await.good();
    global.put(&path_of(&second), &[("name", "Group-1")]).await.error(409, "name");
    global.put(&path_of(&second), &[("domains", "one.example.org")]).await.error(409, "domains");
    assert_eq!(global.put(&path_of(&second), &[("name", "Group-2")]).await.good()["name"], "Group-2");
}

#[tokio::test]
async fn accounts_are_listed_with_their_lists_and_persons() {
    let app = TestApp::start().await;
    let global = app.global().await;
    app.list("news").create().await;
    let account = global.post(ACCOUNTS, &NEW).await.good();
    let listing = global.get(ACCOUNTS).await.good();
    assert_eq!((&listing["count"], &listing["limit"]), (&json!(2), &json!(100)));
    assert_eq!(column(&listing, "lists"), [json!(["news"]), json!([])]);
    assert_eq!(column(&listing, "name"), ["test", "group-1"]);
    assert_eq!(listing["data"][0].get("timezone"), None, "settings belong to single accounts");
    let page = global.get(&format!("{ACCOUNTS}?limit=1&page=2")).await.good();
    assert_eq!(column(&page, "id"), [account["id"].clone()]);
    // Answers follow changes in any account.
    app.list("more").create().await;
    assert_eq!(column(&global.get(ACCOUNTS).await.good(), "lists")[0], json!(["news", "more"]));
}

#[tokio::test]
async fn every_setting_of_an_account_is_changed() {
    let app = TestApp::start().await;
    let fields = json!({
        "name": "renamed",
        "description": "Ours",
        "confirmation_message": "Please",
        "confirmation_subject": "Confirm",
        "welcome_message": "Welcome",
        "send_welcome_message_confirmation": true,
        "send_welcome_message_contacts": true,
        "language": "fr",
        "timezone": "Europe/Berlin",
        "custom_image": "https://example.org/i.png",
        "notify_approval": "daily",
        "subscriptions": "open+confirm",
        "unsubscriptions": "closed",
        "unsubscribe_confirm": true,
        "list_delegation": true,
        "restrict_contact": ["@x\\.org$"],
        "restrict_contact_subscription": ["@y\\.org$"],
        "require_list_approval": true,
    });
    let changed = app.admin.put_json(&own(&app), &fields).await.good();
    for (field, value) in fields.as_object().unwrap() {
        assert_eq!(changed[field], *value, "{field}");
    }
    assert_eq!(app.admin.get(&own(&app)).await.good(), changed);
    app.admin.post("/api/2/contacts/", &[("emails", "a@z.org")]).await.error(400, "restrict_contact");
    let fields = [("custom_image", "no address"), ("timezone", ""), ("name", "a b")];
    assert_eq!(wrong_fields(&app.admin.put(&own(&app), &fields).await), ["custom_image", "name", "timezone"]);
}

#[tokio::test]
async fn domains_are_replaced_with_one_main_domain() {
    let app = TestApp::start().await;
    let path = own(&app);
    let operator = app.global().await;
    let put = async |domains: Value| operator.put_json(&path, &json!({"domains": domains})).await;
    let more = json!([{"name": "b.example.org"}, {"name": "lists.example.org", "is_main": true}]);
    let domains = put(more).await.good()["domains"].clone();
    assert_eq!(each(&domains, "name"), ["lists.example.org", "b.example.org"]);
    assert_eq!(
        (each(&domains, "is_main"), each(&domains, "is_web")),
        (vec![json!(true), json!(false)], vec![json!(true), json!(false)])
    );
    let moved = json!([{"name": "B.example.org", "is_main": true, "is_web": 1}, "lists.example.org"]);
    let domains = put(moved).await.good()["domains"].clone();
    assert_eq!(
        (each(&domains, "is_main"), each(&domains, "is_web")),
        (vec![json!(false), json!(true)], vec![json!(false), json!(true)])
    );
    let domains = put(json!(["b.example.org"])).await.good()["domains"].clone();
    let status = right(&[]);
    let expected = json!([{
        "name": "b.example.org", "is_main": true, "is_web": true, "verified": true, "verification": null,
        "dns_status": status,
    }]);
    assert_eq!(domains, expected);
    for wrong in [
        json!([]),
        json!(["a b"]),
        json!([{"name": "b.example.org", "is_main": false}]),
        json!([{"name": "b.example.org", "is_main": true}, {"name": "c.example.org", "is_main": true}]),
        json!([{"name": "b.example.org", "is_web": true}, {"name": "c.example.org", "is_web": true}]),
        json!(["b.example.org", "b.example.org"]),
    ] {
        assert_eq!(wrong_fields(&put(wrong.clone()).await), ["domains"], "{wrong}");
    }
    assert_eq!(app.admin.get(&path).await.good()["domains"], domains, "nothing of what was wrong is done");
    let list = app.list("news").member("m@x.org").create().await;
    assert_eq!(app.send_mail("m@x.org", &list.address, "Subject: x\r\n\r\nx").await.code, 550);
    assert_eq!(app.send_mail("m@x.org", "news@b.example.org", "Subject: x\r\n\r\nx").await.code, 250);
    app.settle().await;
    assert_eq!(app.sink.copies(), 1);
}

#[tokio::test]
async fn an_accounts_own_key_reads_and_changes_its_own_account_alone() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let other = path_of(&global.post(ACCOUNTS, &NEW).await.good());
    let member = app.key_with([Permission::ManageMembers]).await;
    let seen = member.get(&own(&app)).await.good();
    assert_eq!((&seen["name"], &seen["admins"]), (&json!("test"), &json!([])));
    member.put(&own(&app), &[("description", "x")]).await.error(403, "account_admin");
    app.admin.put(&own(&app), &[("description", "x")]).await.good();
    for client in [&member, &app.admin] {
        let absent = client.get(&format!("{ACCOUNTS}999/")).await.error(404, "account");
        assert_eq!(client.get(&other).await.error(404, "account"), absent);
        client.get(ACCOUNTS).await.error(403, "global key");
        client.post(ACCOUNTS, &NEW).await.error(403, "global key");
        client.delete(&own(&app)).await.error(403, "global key");
    }
    app.admin.put(&other, &[("description", "x")]).await.error(404, "account");
    let limits = json!({"permissions": ["account_admin", "limit_lists"]});
    app.list("news").create().await;
    let limited = key_holder(&app, limits).await;
    assert_eq!(limited.get(&own(&app)).await.good()["lists"], json!([]));
    limited.put(&own(&app), &[("description", "x")]).await.error(403, "limits");
}

#[tokio::test]
async fn an_accounts_own_key_adds_a_domain_that_no_other_account_was_given() {
    let app = TestApp::start().await;
    let global = app.global().await;
    global.post(ACCOUNTS, &NEW).await.good();
    let put = async |name: &str| {
        let domains = json!([{"name": "lists.example.org", "is_main": true}, name]);
        app.admin.put_json(&own(&app), &json!({"domains": domains})).await
    };
    put("one.example.org").await.error(409, "domains");
    put("ONE.example.org").await.error(409, "domains");
    assert_eq!(each(&put("free.example.org").await.good()["domains"], "name")[1], "free.example.org");
    // It is not proven, so it is nobody's yet, and the operator can give it away.
    let second = [("name", "second"), ("domain", "free.example.org"), ("administrator", "a@x.org")];
    global.post(ACCOUNTS, &second).await.good();
    put("free.example.org").await.good();
    put("free.example.net").await.good();
    put("free.example.org").await.error(409, "domains");
}

#[tokio::test]
async fn a_global_key_without_account_admin_only_reads() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let fields = json!({"api": 2, "permissions": ["manage_members"]});
    let admin = global.post_json("/api/2/admins/", &fields).await.good();
    let made = global.put(&format!("/api/2/admins/{}/", admin["id"]), &[("get_key", "")]).await.good();
    let reader = app.anon.with_authorization(&format!("Bearer {}", made["key"].as_str().unwrap()));
    assert_eq!(reader.get(ACCOUNTS).await.good()["count"], 1);
    reader.post(ACCOUNTS, &NEW).await.error(403, "account_admin");
    reader.put(&own(&app), &[]).await.error(403, "account_admin");
    reader.delete(&own(&app)).await.error(403, "account_admin");
    // The image of a group is not its accounts' to choose.
    let changed = global.put(&own(&app), &[("custom_image", "https://example.org/i.png")]).await;
    assert_eq!(changed.header("x-ignored-parameters"), Some("custom_image"));
    assert_eq!(changed.good().get("custom_image"), None);
}

#[tokio::test]
async fn a_deleted_account_is_gone_at_once_and_to_the_last_row_soon() {
    let mut app = TestApp::start().await;
    let global = app.global().await;
    // What strangers have used of a limit belongs to no account, and is forgotten within a day.
    // That there was an account stays in the log of the server.
    let of_accounts = || ENTITIES.iter().filter(|entity| !["allowance", "audit"].contains(&entity.name));
    let dump = |app: &TestApp| -> Vec<String> { of_accounts().map(|entity| app.dump(entity.name)).collect() };
    let before = dump(&app);
    let account = global.post(ACCOUNTS, &NEW).await.good();
    let client = inside(&app, &global, &account).await;
    client.post("/api/2/lists/", &[("name", "news")]).await.good();
    for number in 0..1200 {
        let address = format!("m{number}@x.org");
        client.post("/api/2/contacts/", &[("emails", &address), ("lists", "news")]).await.good();
    }
    let mail = [("list", "news"), ("content_plain", "x")];
    let message = client.post("/api/2/messages/", &mail).await.good();
    client.post("/api/2/messages/", &mail).await.good();
    client.delete(&format!("/api/2/messages/{}/", message["id"])).await.good();
    client.post("/api/2/aliases/", &[("source", "sales"), ("destination", "a@x.org")]).await.good();
    for address in ["news@one.example.org", "sales@one.example.org"] {
        app.send_mail("eve@x.org", address, "From: eve@x.org\nMessage-ID: <1@x.org>\n\nhi\n").await;
    }
    assert!(app.dump("seen_mail").contains("Alias"), "{}", app.dump("seen_mail"));
    assert_eq!(client.get("/api/2/held/").await.good()["count"], 1);
    assert_eq!(global.delete(&path_of(&account)).await.good(), json!({"success": true}));
    client.get("/api/2/lists/").await.error(401, "Authentication failed");
    global.get(&path_of(&account)).await.error(404, "account");
    global.get(&format!("/api/2/lists/?account_id={}", account["id"])).await.error(404, "account");
    global.delete(&path_of(&account)).await.error(404, "account");
    assert_eq!(app.send_mail("m1@x.org", "news@one.example.org", "Subject: x\r\n\r\nx").await.code, 550);
    let again = global.post(ACCOUNTS, &NEW).await.good();
    assert_ne!(again["id"], account["id"], "name and domain are free at once");
    global.delete(&path_of(&again)).await.good();
    app.restart().await;
    app.settle().await;
    app.removed().await;
    assert_eq!(dump(&app), before);
}

/// What the object of the account `test` says of its first domain.
async fn dns_status(app: &TestApp) -> Value {
    app.admin.get(&own(app)).await.good()["domains"][0]["dns_status"].clone()
}

const ALL: [&str; 4] = ["mx", "a", "spf", "dkim"];

/// `dns_status` with the named ones true.
fn right(names: &[&str]) -> Value {
    let is = |name| names.contains(&name);
    json!({"mx": is("mx"), "a": is("a"), "spf": is("spf"), "dkim": is("dkim")})
}

/// Everything that the domain of the lists needs.
fn records() -> String {
    let keys = dkim_zone();
    format!("{DOMAIN} MX 10 mx.example.org\n{DOMAIN} A 192.0.2.1\n{DOMAIN} TXT v=spf1 mx -all\n{keys}")
}

#[tokio::test]
async fn dns_status_says_which_records_of_a_domain_are_right() {
    let app = TestApp::builder().dns("mx.example.org A 192.0.2.1").start().await;
    app.dns.set(&records()).await;
    assert_eq!(dns_status(&app).await, right(&ALL));
}

#[tokio::test]
async fn dns_status_is_asked_anew_after_ten_minutes() {
    let app = TestApp::builder().dns("mx.example.org A 192.0.2.1").start().await;
    assert_eq!(dns_status(&app).await, right(&[]));
    app.dns.set(&records()).await;
    app.advance(Duration::from_secs(10 * 60 - 1)).await;
    assert_eq!(dns_status(&app).await, right(&[]), "as it is remembered");
    app.advance(Duration::from_secs(1)).await;
    assert_eq!(dns_status(&app).await, right(&ALL));
}

#[tokio::test]
async fn records_that_lead_elsewhere_are_not_right() {
    let zone = "mx.example.org A 192.0.2.1\nother.example.net A 192.0.2.9";
    let app = TestApp::builder().dns(zone).start().await;
    app.dns.set(&records()).await;
    let wrong = format!(
        "{DOMAIN} MX 10 other.example.net\n{DOMAIN} A 192.0.2.9\n{DOMAIN} TXT v=spf1 ip4:192.0.2.9 -all\n\
         test._domainkey.{DOMAIN} TXT v=DKIM1; k=rsa; p=AAAA"
    );
    app.dns.set(&wrong).await;
    assert_eq!(dns_status(&app).await, right(&[]));
}

#[tokio::test]
async fn the_public_addresses_count_where_the_operator_names_them() {
    let zone =
        format!("{DOMAIN} MX 10 alias.example.net\nalias.example.net A 192.0.2.7\n{DOMAIN} AAAA 2001:db8::7");
    let ips = ["192.0.2.7", "2001:db8::7"].map(|ip| ip.parse().unwrap());
    let app =
        TestApp::builder().dns(&zone).config(move |config| config.public_ips = ips.to_vec()).start().await;
    app.dns.set(&format!("{DOMAIN} TXT v=spf1 ip4:192.0.2.7 -all")).await;
    let half = "an MX may have another name for our address; SPF must pass for every one of them";
    assert_eq!(dns_status(&app).await, right(&["mx", "a"]), "{half}");
    app.dns.set(&format!("{DOMAIN} TXT v=spf1 ip4:192.0.2.7 ip6:2001:db8::7 -all")).await;
    app.advance(Duration::from_mins(10)).await;
    assert_eq!(dns_status(&app).await, right(&["mx", "a", "spf"]));
}

#[tokio::test]
async fn failed_dns_lookups_are_repeated_soon() {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let silent = socket.local_addr().unwrap();
    let app = TestApp::builder().config(move |config| config.dns_server = Some(silent)).start().await;
    assert_eq!(dns_status(&app).await, right(&[]));
    let _server = serve_at(socket, ".", &format!("mx.example.org A 192.0.2.1\n{}", records()));
    assert_eq!(dns_status(&app).await, right(&[]), "as it is remembered");
    app.advance(Duration::from_secs(30)).await;
    assert_eq!(dns_status(&app).await, right(&ALL));
}
