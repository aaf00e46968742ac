//! `/admins/`

use crier::model::Permission;
use serde_json::{Value, json};

use super::{column, holder, key_holder, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::Client;

const ADMINS: &str = "/api/2/admins/";

fn path_of(admin: &Value) -> String {
    format!("{ADMINS}{}/", admin["id"])
}

/// A new administrator of these fields.
async fn make(client: &Client, fields: &Value) -> Value {
    client.post_json(ADMINS, fields).await.good()
}

#[tokio::test]
async fn a_person_has_every_field_of_the_document() {
    let app = TestApp::start().await;
    app.list("News").create().await;
    app.add_field("Shoe size", Some("shoe")).await;
    app.add_field("Team", None).await;
    let fields = json!({
        "username": "Ada@x.org",
        "firstname": "Ada",
        "surname": "Lovelace",
        "custom_image": 1,
        "mfa_type": "otp",
        "notifications": ["security", "bounce", "bounce"],
        "permissions": ["limit_lists", "manage_members"],
        "limit_metadata": ["Team", "Shoe size", "shoe"],
        "limit_lists": "news",
        "welcome_email": false,
        "id": 999,
    });
    let admin = make(&app.admin, &fields).await;
    let expected = json!({
        "id": admin["id"],
        "username": "Ada@x.org",
        "description": "",
        "surname": "Lovelace",
        "firstname": "Ada",
        "cidr": null,
        "custom_image": true,
        "mfa_type": "otp",
        "api": 0,
        "authn_provider": null,
        "notifications": ["bounce", "security"],
        "permissions": ["manage_members", "limit_lists"],
        "limit_metadata": ["Team", "shoe"],
        "limit_lists": ["News"],
    });
    assert_eq!(admin, expected);
    assert_eq!(app.admin.get(&path_of(&admin)).await.good(), expected);
    assert_eq!(app.admin.get(&format!("{ADMINS}ada%40X.org/")).await.good(), expected);
    assert_eq!(app.admin.put_json(&path_of(&admin), &admin).await.good(), expected, "what was read");
}

#[tokio::test]
async fn a_key_holder_has_a_description_and_networks() {
    let app = TestApp::start().await;
    let fields = [("api", "2"), ("description", "Shop"), ("cidr", "192.0.2.0/24, 2001:db8::/32")];
    let admin = app.admin.post(ADMINS, &fields).await.good();
    assert_eq!(admin["cidr"], "192.0.2.0/24,2001:db8::/32");
    let shown = json!([admin["api"], admin["description"], admin["username"], admin["permissions"]]);
    assert_eq!(shown, json!([2, "Shop", null, []]));
    let shown = app.admin.put(&path_of(&admin), &[("cidr", "")]).await.good();
    assert_eq!((&shown["cidr"], &shown["description"]), (&json!(null), &json!("Shop")));
}

#[tokio::test]
async fn fields_of_version_one_are_ignored_and_named() {
    let app = TestApp::start().await;
    let fields = [("username", "a@x.org"), ("password", "secret"), ("can_write", "1")];
    let response = app.admin.post(ADMINS, &fields).await;
    assert_eq!(response.header("x-ignored-parameters"), Some("can_write,password"));
    let admin = response.good();
    assert_eq!((admin.get("password"), admin.get("can_write")), (None, None));
}

#[tokio::test]
async fn every_wrong_field_of_an_administrator_is_named() {
    let app = TestApp::start().await;
    assert_eq!(wrong_fields(&app.admin.post(ADMINS, &[]).await), ["username"]);
    assert_eq!(wrong_fields(&app.admin.post(ADMINS, &[("api", "0")]).await), ["username"]);
    let fields = json!({
        "username": "x",
        "api": 1,
        "cidr": "192.0.2.0/40",
        "mfa_type": "fax",
        "authn_provider": "nobody",
        "notifications": ["bounce", "purple"],
        "permissions": "everything",
        "limit_lists": ["nothing"],
        "limit_metadata": ["nothing"],
        "firstname": {},
    });
    let expected = [
        "api",
        "authn_provider",
        "cidr",
        "firstname",
        "limit_lists",
        "limit_metadata",
        "mfa_type",
        "notifications",
        "permissions",
        "username",
    ];
    assert_eq!(wrong_fields(&app.admin.post_json(ADMINS, &fields).await), expected);
    let person = make(&app.admin, &json!({"username": "a@x.org"})).await;
    let fields = [("api", "2"), ("username", ""), ("description", "x"), ("cidr", "192.0.2.1")];
    let response = app.admin.put(&path_of(&person), &fields).await;
    assert_eq!(wrong_fields(&response), ["api", "cidr", "description", "username"]);
    let key = make(&app.admin, &json!({"api": 2})).await;
    let response = app.admin.put(&path_of(&key), &[("username", "b@x.org")]).await;
    assert_eq!(wrong_fields(&response), ["username"]);
}

#[tokio::test]
async fn arrays_are_replaced_and_a_blank_one_is_emptied() {
    let app = TestApp::start().await;
    let fields =
        [("username", "a@x.org"), ("permissions", "manage_members"), ("permissions", "send_messages")];
    let admin = app.admin.post(ADMINS, &fields).await.good();
    assert_eq!(admin["permissions"], json!(["manage_members", "send_messages"]));
    let path = path_of(&admin);
    let changed = app.admin.put(&path, &[("permissions", "approve_messages")]).await.good();
    assert_eq!(changed["permissions"], json!(["approve_messages"]));
    assert_eq!(
        app.admin.put(&path, &[("firstname", "A")]).await.good()["permissions"],
        changed["permissions"]
    );
    assert_eq!(app.admin.put(&path, &[("permissions", "")]).await.good()["permissions"], json!([]));
}

#[tokio::test]
async fn a_username_is_one_administrators() {
    let app = TestApp::start().await;
    let first = make(&app.admin, &json!({"username": "a@x.org"})).await;
    let second = make(&app.admin, &json!({"username": "b@x.org"})).await;
    app.admin.post(ADMINS, &[("username", "A@x.org")]).await.error(409, "username");
    app.admin.put(&path_of(&second), &[("username", "a@x.org")]).await.error(409, "username");
    app.admin.put(&path_of(&first), &[("username", "A@x.org")]).await.good();
    app.admin.delete(&path_of(&first)).await.good();
    app.admin.put(&path_of(&second), &[("username", "a@x.org")]).await.good();
}

#[tokio::test]
async fn all_administrators_are_listed_unless_a_page_is_named() {
    let app = TestApp::start().await;
    for number in 0..120 {
        make(&app.admin, &json!({"username": format!("a{number}@x.org")})).await;
    }
    let all = app.admin.get(ADMINS).await.good();
    assert_eq!((column(&all, "id").len(), &all["count"]), (121, &json!(121)));
    let page = app.admin.get(&format!("{ADMINS}?limit=50&page=3")).await.good();
    assert_eq!((column(&page, "id"), &page["count"]), (column(&all, "id")[100..].to_vec(), &json!(121)));
}

#[tokio::test]
async fn a_key_is_shown_once_and_revokes_the_earlier_one_at_once() {
    let app = TestApp::start().await;
    let admin = make(&app.admin, &json!({"api": 2, "permissions": ["manage_members"]})).await;
    let path = path_of(&admin);
    let made = app.admin.put(&path, &[("get_key", "")]).await.good();
    let key = made["key"].as_str().unwrap();
    assert_eq!((key.len(), &made), (32, &json!({"id": admin["id"], "key": key, "expiry": null})));
    let first = app.anon.with_authorization(&format!("Bearer {key}"));
    first.get("/api/2/lists/").await.good();
    let second = holder(&app, &admin).await;
    first.get("/api/2/lists/").await.error(401, "Authentication failed");
    second.get("/api/2/lists/").await.good();
    assert_eq!(app.admin.get(&path).await.good(), admin, "a key is never shown again");
    app.admin.delete(&path).await.good();
    second.get("/api/2/lists/").await.error(401, "Authentication failed");
}

#[tokio::test]
async fn a_key_may_end_after_some_months() {
    let app = TestApp::start().await;
    let admin = make(&app.admin, &json!({"api": 2})).await;
    let path = path_of(&admin);
    for (months, expected) in [(1, "2026-12"), (3, "2027-02"), (6, "2027-05"), (12, "2027-11")] {
        let made = app.admin.put_json(&path, &json!({"get_key": null, "expiry_months": months})).await.good();
        let start = app.clock.now().rfc3339();
        let expiry = made["expiry"].as_str().unwrap();
        assert!(start.starts_with("2026-11") && expiry.starts_with(expected), "{months}: {expiry}");
        assert_eq!(expiry[7..], start[7..], "the same day and time");
    }
    for months in ["0", "2", "13", "x", "-1"] {
        let response = app.admin.put(&path, &[("get_key", ""), ("expiry_months", months)]).await;
        assert_eq!(wrong_fields(&response), ["expiry_months"], "{months}");
    }
}

#[tokio::test]
async fn persons_have_no_key() {
    let app = TestApp::start().await;
    let person = make(&app.admin, &json!({"username": "a@x.org"})).await;
    let response = app.admin.put(&path_of(&person), &[("get_key", "")]).await;
    assert_eq!(wrong_fields(&response), ["get_key"]);
    app.admin.put(&format!("{ADMINS}999/"), &[("get_key", "")]).await.error(404, "administrator");
}

#[tokio::test]
async fn a_change_of_permissions_or_networks_counts_from_the_next_call() {
    let app = TestApp::start().await;
    let admin = make(&app.admin, &json!({"api": 2, "permissions": ["manage_members"]})).await;
    let client = holder(&app, &admin).await;
    client.post("/api/2/contacts/", &[("emails", "a@x.org")]).await.good();
    app.admin.put(&path_of(&admin), &[("permissions", "send_messages")]).await.good();
    client.post("/api/2/contacts/", &[("emails", "b@x.org")]).await.error(403, "manage_members");
    app.admin.put(&path_of(&admin), &[("cidr", "192.0.2.0/24")]).await.good();
    client.get("/api/2/contacts/").await.error(401, "Authentication failed");
}

#[tokio::test]
async fn the_last_account_admin_stays() {
    let app = TestApp::start().await;
    let own = app.admin.get(ADMINS).await.good()["data"][0].clone();
    let path = path_of(&own);
    app.admin.put(&path, &[("permissions", "manage_members")]).await.error(400, "last administrator");
    app.admin.delete(&path).await.error(400, "last administrator");
    let other = make(&app.admin, &json!({"username": "a@x.org", "permissions": ["account_admin"]})).await;
    app.admin.put(&path, &[("firstname", "Ada")]).await.good();
    app.admin.delete(&path_of(&other)).await.good();
    make(&app.admin, &json!({"username": "a@x.org", "permissions": ["account_admin"]})).await;
    app.admin.delete(&path).await.good();
    app.admin.get(ADMINS).await.error(401, "Authentication failed");
}

#[tokio::test]
async fn without_account_admin_one_sees_oneself_alone() {
    let app = TestApp::start().await;
    let own = make(&app.admin, &json!({"api": 2, "permissions": ["manage_members"]})).await;
    let client = holder(&app, &own).await;
    let listing = client.get(ADMINS).await.good();
    assert_eq!((&listing["data"], &listing["count"]), (&json!([own]), &json!(1)));
    assert_eq!(client.get(&path_of(&own)).await.good(), own);
    let other = app.admin.get(ADMINS).await.good()["data"][0].clone();
    for path in [path_of(&other), format!("{ADMINS}999/"), format!("{ADMINS}a%40x.org/")] {
        client.get(&path).await.error(403, "account_admin");
        client.put(&path, &[]).await.error(403, "account_admin");
        client.delete(&path).await.error(403, "account_admin");
    }
    client.put(&path_of(&own), &[("get_key", "")]).await.error(403, "account_admin");
    let none = app.key_with([]).await;
    assert_eq!(none.get(ADMINS).await.good()["count"], 1, "oneself needs no permission");
}

#[tokio::test]
async fn a_limited_account_admin_manages_those_within_its_limits() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let limits =
        |lists: &[&str]| json!({"permissions": ["account_admin", "limit_lists"], "limit_lists": lists});
    let client = key_holder(&app, limits(&["news"])).await;
    let outside = key_holder(&app, limits(&["news", "other"])).await;
    let inside = json!({"username": "in@x.org", "permissions": ["limit_lists"], "limit_lists": ["news"]});
    let inside = make(&client, &inside).await;
    assert_eq!(client.get(ADMINS).await.good()["count"], 2, "itself and the one within");
    assert_eq!(outside.get(ADMINS).await.good()["count"], 3);
    client.get(&path_of(&inside)).await.good();
    for admin in app.admin.get(ADMINS).await.good()["data"].as_array().unwrap() {
        if admin["limit_lists"] != json!(["news"]) {
            let absent = client.get(&format!("{ADMINS}999/")).await.error(404, "administrator");
            assert_eq!(client.get(&path_of(admin)).await.error(404, ""), absent);
            assert_eq!(client.put(&path_of(admin), &[]).await.error(404, ""), absent);
            assert_eq!(client.put(&path_of(admin), &[("get_key", "")]).await.error(404, ""), absent);
            assert_eq!(client.delete(&path_of(admin)).await.error(404, ""), absent);
        }
    }
    for wider in [
        json!({"username": "w@x.org"}),
        json!({"username": "w@x.org", "permissions": ["manage_members"], "limit_lists": ["news"]}),
    ] {
        client.post_json(ADMINS, &wider).await.error(403, "limits");
    }
    client.put(&path_of(&inside), &[("permissions", "manage_members")]).await.error(403, "limits");
    let hidden = client.post(ADMINS, &[("username", "w@x.org"), ("limit_lists", "other")]).await;
    let absent = client.post(ADMINS, &[("username", "w@x.org"), ("limit_lists", "xxxxx")]).await;
    assert_eq!(hidden.body.replace("other", "xxxxx"), absent.body);
    assert_eq!(wrong_fields(&hidden), ["limit_lists"]);
}

#[tokio::test]
async fn limits_follow_a_list_that_is_renamed_or_deleted() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let fields = json!({"username": "a@x.org", "limit_lists": ["news", "other"]});
    let path = path_of(&make(&app.admin, &fields).await);
    app.admin.put("/api/2/lists/news/", &[("name", "News2")]).await.good();
    app.admin.delete("/api/2/lists/other/").await.good();
    assert_eq!(app.admin.get(&path).await.good()["limit_lists"], json!(["News2"]));
}

#[tokio::test]
async fn who_is_limited_to_a_list_that_is_deleted_sees_no_list_from_then_on() {
    let app = TestApp::start().await;
    app.list("news").member("a@x.org").create().await;
    app.list("other").member("b@x.org").create().await;
    let number = app.admin.get("/api/2/lists/news/").await.good()["id"].clone();
    let fields = json!({"permissions": ["manage_members", "limit_lists"], "limit_lists": ["news"]});
    let client = key_holder(&app, fields).await;
    assert_eq!(client.get("/api/2/contacts/").await.good()["count"], 1);
    let limits = format!("limit_lists: [ListId({number})]");
    assert!(app.dump("admin").contains(&limits));
    app.admin.delete("/api/2/lists/news/").await.good();
    for path in ["/api/2/lists/", "/api/2/contacts/", "/api/2/membership/", "/api/2/messages/"] {
        assert_eq!(client.get(path).await.good()["count"], 0, "{path}");
    }
    client.get("/api/2/lists/other/").await.error(404, "list");
    let lonely = client.post("/api/2/contacts/", &[("emails", "n@x.org")]).await;
    assert_eq!(wrong_fields(&lonely), ["lists"]);
    assert!(!app.dump("admin").contains(&limits), "its number is in nobody's limits");
}

#[tokio::test]
async fn a_global_key_without_an_account_manages_the_global_administrators() {
    let app = TestApp::start().await;
    let global = app.global().await;
    let listing = global.get(ADMINS).await.good();
    assert_eq!(listing["count"], 1);
    let made = make(&global, &json!({"username": "root@x.org", "permissions": ["account_admin"]})).await;
    assert_eq!(global.get(ADMINS).await.good()["count"], 2);
    app.admin.get(&path_of(&made)).await.error(404, "administrator");
    let response = global.post(ADMINS, &[("username", "b@x.org"), ("limit_lists", "news")]).await;
    assert_eq!(wrong_fields(&response), ["limit_lists"]);
    let of_account = format!("{ADMINS}?account_id={}", app.account_id());
    assert_eq!(global.get(&of_account).await.good()["count"], 1);
    let own = global.post(&of_account, &[("username", "root@x.org")]).await.good();
    app.admin.get(&path_of(&own)).await.good();
    global.get(&path_of(&own)).await.error(404, "administrator");
}

#[tokio::test]
async fn only_what_one_holds_is_granted() {
    let app = TestApp::start().await;
    let client = app.key_with([Permission::ManageMembers, Permission::ManageSettings]).await;
    let fields = [("api", "2"), ("permissions", "manage_members")];
    client.post(ADMINS, &fields).await.error(403, "account_admin");
    let admin = app.key_with([Permission::AccountAdmin]).await;
    for permission in Permission::ALL {
        admin.post(ADMINS, &[("api", "2"), ("permissions", permission.word())]).await.good();
    }
}
