//! The audit log: every change that somebody makes is in it, with who made it, by which way, and to what.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::http::Client;

const AUDIT: &str = "/api/2/audit/";
const ADA: &str = "ada@example.org";
const DAY: Duration = Duration::from_hours(24);

/// How many entries somebody sees.
async fn count(of: &Client) -> u64 {
    of.get(AUDIT).await.good()["count"].as_u64().expect("a listing has a count")
}

/// The newest entry that somebody sees.
async fn newest(of: &Client) -> Value {
    of.get(&format!("{AUDIT}?limit=1")).await.good()["data"][0].clone()
}

/// The actions of a listing, newest first.
fn actions(listing: &Value) -> Vec<&str> {
    let rows = listing["data"].as_array().expect("a listing has rows");
    rows.iter().map(|row| row["action"].as_str().expect("an entry has an action")).collect()
}

/// One call that writes: what the API's description calls it, and what is asked and noted.
struct Call<'a> {
    operation: (&'static str, &'static str),
    path: String,
    body: Value,
    by: &'a Client,
    /// Whose log has it.
    log: &'a Client,
    /// The action, the name of the object and the detail; none where the call changes nothing.
    noted: Option<(&'static str, &'a str, &'a str)>,
}

/// Makes a call, and holds what the log has of it against what it should.
async fn make(call: Call<'_>, walked: &mut BTreeSet<(String, String)>) -> Value {
    let Call { operation: (method, operation), path, body, by, log, noted } = call;
    let before = count(log).await;
    let answer = match method {
        "POST" => by.post_json(&path, &body).await.good(),
        "PUT" => by.put_json(&path, &body).await.good(),
        _ => by.delete(&path).await.good(),
    };
    let new = count(log).await - before;
    walked.insert((method.to_owned(), operation.to_owned()));
    let Some((action, name, detail)) = noted else {
        assert_eq!(new, 0, "{method} {operation} changes nothing");
        return answer;
    };
    assert_eq!(new, 1, "{method} {operation} is one entry");
    let entry = newest(log).await;
    assert_eq!(entry["action"], action, "{method} {operation}: {entry}");
    assert_eq!(entry["object"]["name"], name, "{method} {operation}: {entry}");
    assert_eq!(entry["detail"], detail, "{method} {operation}: {entry}");
    assert_eq!((&entry["via"], &entry["client"]), (&json!("api"), &json!("127.0.0.1")), "{entry}");
    assert_eq!(entry["actor"]["kind"], "administrator", "{entry}");
    assert_ne!(entry["actor"]["id"], Value::Null, "{entry}");
    answer
}

/// A walk over the calls of the API that change something.
struct Walk<'a> {
    app: &'a TestApp,
    global: &'a Client,
    walked: BTreeSet<(String, String)>,
}

impl<'a> Walk<'a> {
    fn call(
        &self,
        operation: (&'static str, &'static str),
        path: &str,
        body: Value,
        noted: Option<(&'static str, &'static str, &'static str)>,
    ) -> Call<'a> {
        let (by, log) = (&self.app.admin, &self.app.admin);
        Call { operation, path: format!("/api/2/{path}"), body, by, log, noted }
    }

    /// A call of the account's administrator.
    async fn by_admin(
        &mut self,
        method: &'static str,
        operation: &'static str,
        path: &str,
        body: Value,
        noted: Option<(&'static str, &'static str, &'static str)>,
    ) -> Value {
        make(self.call((method, operation), path, body, noted), &mut self.walked).await
    }

    /// A call of a global administrator.
    async fn by_global(
        &mut self,
        method: &'static str,
        operation: &'static str,
        path: &str,
        body: Value,
        noted: Option<(&'static str, &'static str, &'static str)>,
    ) -> Value {
        let call = self.call((method, operation), path, body, noted);
        make(Call { by: self.global, log: self.global, ..call }, &mut self.walked).await
    }
}

async fn walk_people(walk: &mut Walk<'_>) {
    let fields = json!({"emails": [ADA], "lists": ["news"]});
    let noted = Some(("contact.created", ADA, ""));
    let ada = walk.by_admin("POST", "/api/2/contacts/", "contacts/", fields, noted).await["id"].to_string();
    let path = format!("contacts/{ada}/");
    let fields = json!({"firstname": "Ada", "notes": "A secret", "lists": []});
    let noted = Some(("contact.updated", ADA, "firstname, notes, lists"));
    walk.by_admin("PUT", "/api/2/contacts/{id}/", &path, fields, noted).await;
    let rows = json!([{"emails": ["bob@example.org"]}, {"emails": ["not an address"]}]);
    let noted = Some(("contact.imported", "", "1 made, 1 refused"));
    walk.by_admin("POST", "/api/2/contacts/batch/", "contacts/batch/", rows, noted).await;

    let fields = json!({"contact": ada, "email": "ada@example.com"});
    let noted = Some(("email.created", "ada@example.com", ""));
    let email = walk.by_admin("POST", "/api/2/emails/", "emails/", fields, noted).await["id"].to_string();
    let path = format!("emails/{email}/");
    let noted = Some(("email.updated", "ada@example.com", "paused"));
    walk.by_admin("PUT", "/api/2/emails/{id}/", &path, json!({"paused": true}), noted).await;
    let noted = Some(("email.deleted", ADA, ""));
    walk.by_admin("DELETE", "/api/2/emails/{id}/", &path, Value::Null, noted).await;

    let fields = json!({"contact": ada, "list": "other"});
    let noted = Some(("membership.created", ADA, "other"));
    let made = walk.by_admin("POST", "/api/2/membership/", "membership/", fields, noted).await;
    let path = format!("membership/{}/", made["id"]);
    let noted = Some(("membership.updated", ADA, "other: digest"));
    walk.by_admin("PUT", "/api/2/membership/{id}/", &path, json!({"digest": true}), noted).await;
    let noted = Some(("membership.deleted", ADA, "other"));
    walk.by_admin("DELETE", "/api/2/membership/{id}/", &path, Value::Null, noted).await;
    let noted = Some(("contact.deleted", "", ""));
    let path = format!("contacts/{ada}/");
    walk.by_admin("DELETE", "/api/2/contacts/{id}/", &path, Value::Null, noted).await;
}

async fn walk_lists_and_mail(walk: &mut Walk<'_>, mail: &str, held: &str) {
    let noted = Some(("list.created", "tidings", ""));
    walk.by_admin("POST", "/api/2/lists/", "lists/", json!({"name": "tidings"}), noted).await;
    let fields = json!({"description": "All of it", "archive_password": "let me in"});
    let noted = Some(("list.updated", "tidings", "description, archive_password_hash"));
    walk.by_admin("PUT", "/api/2/lists/{name}/", "lists/tidings/", fields, noted).await;
    let fields = json!({"message": mail});
    let path = "lists/tidings/simulate/";
    walk.by_admin("POST", "/api/2/lists/{name}/simulate/", path, fields, None).await;
    let noted = Some(("list.deleted", "tidings", ""));
    walk.by_admin("DELETE", "/api/2/lists/{name}/", "lists/tidings/", Value::Null, noted).await;

    let fields = json!({"source": "office", "destination": [ADA]});
    let noted = Some(("alias.created", "office", ""));
    walk.by_admin("POST", "/api/2/aliases/", "aliases/", fields, noted).await;
    let noted = Some(("alias.updated", "bureau", "source"));
    let path = "aliases/office/";
    walk.by_admin("PUT", "/api/2/aliases/{source}/", path, json!({"source": "bureau"}), noted).await;
    let noted = Some(("alias.deleted", "bureau", ""));
    walk.by_admin("DELETE", "/api/2/aliases/{source}/", "aliases/bureau/", Value::Null, noted).await;

    let fields = json!({"list": "news", "subject": "Hello", "content_plain": "See you"});
    let noted = Some(("message.published", "Hello", "news"));
    let sent = walk.by_admin("POST", "/api/2/messages/", "messages/", fields, noted).await;
    let noted = Some(("message.deleted", "Hello", ""));
    let path = format!("messages/{}/", sent["id"]);
    walk.by_admin("DELETE", "/api/2/messages/{id}/", &path, Value::Null, noted).await;
    let noted = Some(("message.approved", "Offer", ""));
    let path = format!("held/{held}/");
    walk.by_admin("PUT", "/api/2/held/{id}/", &path, json!({"action": "approve"}), noted).await;
    let second = "From: eve@example.net\nSubject: Second\nMessage-ID: <2@example.net>\n\nBuy.\n";
    walk.app.send_mail("eve@example.net", "news@lists.example.org", second).await;
    walk.app.settle().await;
    let noted = Some(("message.discarded", "Second", ""));
    let fields = json!({"action": "discard", "list": "news"});
    walk.by_admin("PUT", "/api/2/held/", "held/", fields, noted).await;

    walk.app.change_account(|account| account.settings.require_list_approval = true).await;
    let maker = walk.app.key_with([crier::model::Permission::ManageSettings]).await;
    maker.post("/api/2/lists/", &[("name", "waiting")]).await.good();
    let request = walk.app.admin.get("/api/2/pending/").await.good()["data"][0]["id"].to_string();
    let noted = Some(("pending.rejected", "waiting", ""));
    let path = format!("pending/{request}/");
    walk.by_admin("PUT", "/api/2/pending/{id}/", &path, json!({"action": "reject"}), noted).await;
}

async fn walk_webhooks(walk: &mut Walk<'_>) {
    let noted = Some(("webhook.created", "example.org", ""));
    let fields = json!({"url": "https://example.org/hook", "active": false});
    let made = walk.by_admin("POST", "/api/2/webhooks/", "webhooks/", fields, noted).await;
    let path = format!("webhooks/{}/", made["id"]);
    let noted = Some(("webhook.updated", "example.org", "description"));
    walk.by_admin("PUT", "/api/2/webhooks/{id}/", &path, json!({"description": "Site"}), noted).await;
    let noted = Some(("webhook.updated", "example.org", "secret"));
    let rotate = format!("{path}rotate/");
    walk.by_admin("POST", "/api/2/webhooks/{id}/rotate/", &rotate, json!({}), noted).await;
    let noted = Some(("webhook.updated", "example.org", "replay"));
    let replay = format!("{path}replay/");
    walk.by_admin("POST", "/api/2/webhooks/{id}/replay/", &replay, json!({"after": "0"}), noted).await;
    let test = format!("{path}test/");
    walk.by_admin("POST", "/api/2/webhooks/{id}/test/", &test, json!({}), None).await;
    let noted = Some(("webhook.deleted", "example.org", ""));
    walk.by_admin("DELETE", "/api/2/webhooks/{id}/", &path, Value::Null, noted).await;
}

async fn walk_admins_and_accounts(walk: &mut Walk<'_>) {
    let fields = json!({"username": "new@example.org", "permissions": ["send_messages"]});
    let noted = Some(("admin.created", "new@example.org", ""));
    let made = walk.by_admin("POST", "/api/2/admins/", "admins/", fields, noted).await;
    let path = format!("admins/{}/", made["id"]);
    let noted = Some(("admin.updated", "new@example.org", "surname"));
    walk.by_admin("PUT", "/api/2/admins/{id}/", &path, json!({"surname": "New"}), noted).await;
    let noted = Some(("admin.deleted", "new@example.org", ""));
    walk.by_admin("DELETE", "/api/2/admins/{id}/", &path, Value::Null, noted).await;

    let fields = json!({"name": "club", "domain": "club.example.org", "administrator": "head@example.org"});
    let noted = Some(("account.created", "club", ""));
    let made = walk.by_global("POST", "/api/2/accounts/", "accounts/", fields, noted).await;
    let noted = Some(("account.updated", "test", "description"));
    let path = format!("accounts/{}/", walk.app.account_id());
    let fields = json!({"description": "Ours"});
    let changed =
        Call { by: walk.global, ..walk.call(("PUT", "/api/2/accounts/{id}/"), &path, fields, noted) };
    make(changed, &mut walk.walked).await;
    let path = format!("accounts/{}/", made["id"]);
    let noted = Some(("account.deleted", "club", ""));
    walk.by_global("DELETE", "/api/2/accounts/{id}/", &path, Value::Null, noted).await;
    walk.app.removed().await;
}

#[tokio::test]
async fn every_call_of_the_api_that_changes_something_is_one_entry() {
    let app = TestApp::start().await;
    let global = app.global().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let mail = "From: eve@example.net\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy.\n";
    app.send_mail("eve@example.net", "news@lists.example.org", mail).await;
    app.settle().await;
    let held = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].to_string();
    let mut walk = Walk { app: &app, global: &global, walked: BTreeSet::new() };
    walk_people(&mut walk).await;
    walk_lists_and_mail(&mut walk, mail, &held).await;
    walk_webhooks(&mut walk).await;
    walk_admins_and_accounts(&mut walk).await;

    let reference = crier::api::reference();
    let writes = reference.operations.iter().filter(|operation| !["GET", "HEAD"].contains(&operation.method));
    let writes: BTreeSet<_> = writes.map(|of| (of.method.to_owned(), of.path.clone())).collect();
    assert_eq!(walk.walked, writes, "every call that writes is made here");
    let log = app.dump("audit");
    for secret in ["A secret", "let me in", "Buy.", "See you"] {
        assert!(!log.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_changes_nothing_or_is_refused_is_not_in_the_log() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let ada = app.join(ADA, "news").await["id"].to_string();
    let before = count(&app.admin).await;
    let path = format!("/api/2/contacts/{ada}/");
    app.admin.put(&path, &[("firstname", "")]).await.good();
    app.admin.put("/api/2/lists/news/", &[("name", "news")]).await.good();
    let alias = [("source", "office"), ("destination", ADA)];
    app.admin.post("/api/2/aliases/", &alias).await.good();
    let before = before + 1;
    app.admin.put("/api/2/aliases/office/", &alias).await.good();
    let account = format!("/api/2/accounts/{}/", app.account_id());
    app.admin.put(&account, &[("timezone", "UTC")]).await.good();
    app.admin.put(&path, &[("ccid", "a/b")]).await.error(400, "ccid");
    app.admin.post("/api/2/lists/", &[("name", "news")]).await.error(409, "news");
    assert_eq!(count(&app.admin).await, before);
}

#[tokio::test]
async fn entries_are_found_by_who_did_what_to_what_and_when() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let other = app.key_with(crier::ops::accounts::admins::all_grants()).await;
    app.advance(DAY).await;
    let since = app.clock.now().rfc3339();
    let ada = app.join(ADA, "news").await["id"].to_string();
    other.put("/api/2/lists/news/", &[("description", "News")]).await.good();
    app.advance(DAY).await;
    let before = app.clock.now().rfc3339();
    app.admin.put("/api/2/lists/news/", &[("description", "")]).await.good();
    let all = app.admin.get(AUDIT).await.good();
    assert_eq!(actions(&all), ["list.updated", "list.updated", "contact.created", "list.created"]);
    let who = all["data"][1]["actor"]["id"].to_string();
    let find = async |query: String| {
        let found = app.admin.get(&format!("{AUDIT}?{query}")).await.good();
        assert_eq!(found["count"], actions(&found).len(), "{query}");
        actions(&found).join(" ")
    };
    assert_eq!(find(format!("admin={who}")).await, "list.updated");
    assert_eq!(find("action=list.updated".to_owned()).await, "list.updated list.updated");
    assert_eq!(find("object=list".to_owned()).await, "list.updated list.updated list.created");
    assert_eq!(find(format!("object=contact&object_id={ada}")).await, "contact.created");
    assert_eq!(find(format!("since={since}&before={before}")).await, "list.updated contact.created");
    assert_eq!(find(format!("before={since}")).await, "list.created");
    assert_eq!(find(format!("admin={who}&action=list.updated&since={since}")).await, "list.updated");
    assert_eq!(find(format!("admin={who}&object=contact")).await, "");
    assert_eq!(find("admin=999".to_owned()).await, "");

    let page = app.admin.get(&format!("{AUDIT}?limit=2&page=2")).await.good();
    assert_eq!((actions(&page), &page["count"]), (vec!["contact.created", "list.created"], &json!(4)));
    let last = &all["data"][1]["id"];
    let behind = app.admin.get(&format!("{AUDIT}?after={last}&limit=1")).await.good();
    assert_eq!(actions(&behind), ["contact.created"]);
    for wrong in ["action=list", "object=lists", "object_id=3", "since=yesterday", "admin=x"] {
        app.admin.get(&format!("{AUDIT}?{wrong}")).await.error(400, "");
    }
}

#[tokio::test]
async fn only_an_unlimited_account_admin_reads_the_log_of_its_own_account() {
    use crier::model::Permission;
    let app = TestApp::start().await;
    app.list("news").create().await;
    let other = app.other_account().await;
    assert_eq!(count(&other).await, 0);
    other.get(&format!("{AUDIT}?account_id={}", app.account_id())).await.error(403, "another account");
    let all: Vec<Permission> = Permission::ALL.to_vec();
    let grants = |without: Permission| all.iter().copied().filter(move |one| *one != without);
    let limits = [Permission::LimitLists, Permission::LimitMetadata];
    let weak = app.key_with(grants(Permission::AccountAdmin).filter(|one| !limits.contains(one))).await;
    weak.get(AUDIT).await.error(403, "account_admin");
    app.key_with([Permission::AccountAdmin, Permission::LimitLists])
        .await
        .get(AUDIT)
        .await
        .error(403, "limits");
    app.key_with([Permission::AccountAdmin, Permission::LimitMetadata])
        .await
        .get(AUDIT)
        .await
        .error(403, "limits");
    let global = app.global().await;
    assert_eq!(count(&global).await, 0);
    let listing = global.get(&format!("{AUDIT}?account_id={}", app.account_id())).await.good();
    assert_eq!(actions(&listing), ["list.created"]);
}

#[tokio::test]
async fn members_act_by_their_links_and_mails_under_their_own_names() {
    let app = TestApp::start().await;
    let list = app.list("news").open().create().await;
    let fields = json!({"emails": [ADA], "lists": ["news"]});
    let ada = app.admin.post_json("/api/2/contacts/", &fields).await.good()["id"].clone();
    app.send_mail(ADA, &list.address, "Subject: hello\n\nhi").await;
    app.settle().await;
    let copy = app.sink.mail_to(ADA);
    let field = copy.header("List-Unsubscribe").expect("a copy has this field");
    let start = field.find("/unsubscribe/").expect("one of the ways is a link");
    let path = field[start..].split('>').next().expect("a link has an end").to_owned();
    let token = path.trim_matches('/').rsplit('/').next().expect("a path has a last part").to_owned();

    let check = async |via: &str, action: &str| {
        let entry = newest(&app.admin).await;
        assert_eq!((&entry["action"], &entry["via"]), (&json!(action), &json!(via)), "{entry}");
        assert_eq!(entry["actor"], json!({"kind": "contact", "id": ada, "name": ADA}), "{entry}");
        assert_eq!((&entry["object"]["name"], &entry["detail"]), (&json!(ADA), &json!("news")), "{entry}");
        assert_eq!(entry["client"], "127.0.0.1", "{entry}");
    };
    let before = count(&app.admin).await;
    app.anon.post(&path, &[("List-Unsubscribe", "One-Click")]).await;
    check("link", "membership.deleted").await;
    app.anon.post(&path, &[("List-Unsubscribe", "One-Click")]).await;
    assert_eq!(count(&app.admin).await, before + 1, "the second press changes nothing");
    app.anon.post(&path, &[("action", "rejoin")]).await;
    check("link", "membership.created").await;
    app.send_mail(ADA, &format!("confirm+{token}@lists.example.org"), "\n").await;
    check("mail", "membership.deleted").await;

    app.admin.delete(&format!("/api/2/contacts/{ada}/")).await.good();
    let log = app.admin.get(&format!("{AUDIT}?object=contact&object_id={ada}")).await.good();
    assert_eq!(log["count"], 5, "{log}");
    assert!(!log.to_string().contains("ada@"), "whoever is deleted is not named any more: {log}");
    assert!(!app.dump("audit").contains("ada@"));
}

/// The path of the page, and the address for answers, in the last request to decide that somebody got.
fn ways(app: &TestApp, moderator: &str) -> (String, String) {
    let request = app.sink.mail_to(moderator);
    let text = request.to_string().replace("=\n", "").replace("=3D", "=");
    let start = text.find("/moderate/").expect("a request has a link");
    let path = text[start..].split_whitespace().next().expect("a link has an end").to_owned();
    let reply_to = request.header("Reply-To").expect("a request says where answers go");
    (path, reply_to.trim_matches(['<', '>']).to_owned())
}

#[tokio::test]
async fn moderators_act_by_link_and_by_mail_as_who_they_are() {
    for (is_admin, by_mail) in [(true, true), (true, false), (false, true), (false, false)] {
        let app = TestApp::start().await;
        let moderator = if is_admin {
            let fields = [
                ("username", "head@example.org"),
                ("permissions", "approve_messages"),
                ("notifications", "held_message"),
            ];
            app.admin.post("/api/2/admins/", &fields).await.good();
            app.list("news").with("notify_approval", "each").create().await;
            "head@example.org"
        } else {
            app.list("news")
                .with("notify_approval", "each")
                .with("moderator", "mod@example.org")
                .create()
                .await;
            "mod@example.org"
        };
        app.settle().await;
        app.sink.clear();
        let mail = "From: eve@example.net\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy.\n";
        app.send_mail("eve@example.net", "news@lists.example.org", mail).await;
        app.settle().await;
        let (path, reply_to) = ways(&app, moderator);
        if by_mail {
            let answer = format!("From: {moderator}\nSubject: Re\n\nreject\n");
            assert_eq!(app.send_mail(moderator, &reply_to, &answer).await.code, 250);
        } else {
            app.anon.post(&path, &[("action", "reject")]).await;
        }
        let entry = newest(&app.admin).await;
        assert_eq!(
            (&entry["action"], &entry["object"]["name"]),
            (&json!("message.rejected"), &json!("Offer"))
        );
        assert_eq!(entry["via"], if by_mail { "mail" } else { "link" }, "{entry}");
        let kind = if is_admin { "administrator" } else { "moderator" };
        assert_eq!((&entry["actor"]["kind"], &entry["actor"]["name"]), (&json!(kind), &json!(moderator)));
        assert_eq!(entry["client"], "127.0.0.1", "{entry}");
    }
}

#[tokio::test]
async fn what_time_decides_is_done_by_the_server() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mail = "From: eve@example.net\nSubject: Offer\nMessage-ID: <1@example.net>\n\nBuy.\n";
    app.send_mail("eve@example.net", "news@lists.example.org", mail).await;
    app.advance(31 * DAY).await;
    let entry = newest(&app.admin).await;
    assert_eq!((&entry["action"], &entry["via"]), (&json!("message.discarded"), &json!("system")));
    assert_eq!(entry["actor"], json!({"kind": "system", "id": null, "name": ""}));
}

#[tokio::test]
async fn who_chooses_a_password_is_noted_without_it() {
    let app = TestApp::start().await;
    let fields = [("username", "head@example.org"), ("permissions", "approve_messages")];
    app.admin.post("/api/2/admins/", &fields).await.good();
    app.settle().await;
    let text = app.sink.mail_to("head@example.org").text().replace("=\n", "");
    let start = text.find("/password/").expect("the mail has a link");
    let path = text[start..].split_whitespace().next().expect("a link has an end").to_owned();
    let password = "a horse, of course";
    assert_eq!(app.anon.post(&path, &[("password", password)]).await.status, 200);
    let entry = newest(&app.admin).await;
    assert_eq!((&entry["action"], &entry["detail"]), (&json!("admin.updated"), &json!("password")));
    assert_eq!((&entry["via"], &entry["actor"]["name"]), (&json!("link"), &json!("head@example.org")));
    assert!(!app.dump("audit").contains("argon2"));
}

#[tokio::test]
async fn entries_go_after_a_year_unless_they_are_kept_for_ever() {
    for (days, left) in [(365, 1), (0, 2)] {
        let app = TestApp::builder().config(move |config| config.audit_days = days).start().await;
        app.list("news").create().await;
        app.advance(364 * DAY).await;
        app.admin.put("/api/2/lists/news/", &[("description", "News")]).await.good();
        assert_eq!(count(&app.admin).await, 2);
        app.advance(2 * DAY).await;
        assert_eq!(count(&app.admin).await, left, "{days} days");
    }
}

#[tokio::test]
async fn the_log_of_an_account_goes_with_it() {
    let app = TestApp::start().await;
    let global = app.global().await;
    app.list("news").create().await;
    global.delete(&format!("/api/2/accounts/{}/", app.account_id())).await.good();
    app.removed().await;
    let log = app.dump("audit");
    assert_eq!(log.matches("AuditEntry {").count(), 1, "{log}");
    assert!(log.contains("AccountDeleted") && !log.contains("news"), "{log}");
}

#[tokio::test]
async fn a_change_that_notes_nothing_is_not_made() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    assert!(!app.change_silently().await, "the job is taken back");
    assert_eq!(app.admin.get("/api/2/lists/").await.good()["count"], 1);
}
