//! Administrators, keys, and the people who look after a list, on the pages of administrators.

use std::time::Duration;

use crier::model::{AccountId, Person};
use serde_json::json;

use super::controls::Fields;
use super::{admin, done, head, page, send};
use crate::harness::TestApp;
use crate::harness::visitor::Visitor;

const PATH: &str = "/admin/administrators/";

#[tokio::test]
async fn a_person_is_invited_changed_and_deleted() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let marks = ["name=\"username\""];
    let changes: [(&str, &[&str]); 5] = [
        ("username", &["ada@example.org"]),
        ("firstname", &["Ada"]),
        ("permissions", &["manage_members", "approve_messages", "limit_lists"]),
        ("limit_lists", &["news"]),
        ("notifications", &["held_message"]),
    ];
    let answer = send(&mut visitor, PATH, &marks, &changes).await;
    let shown = done(&mut visitor, &answer).await;
    let made = app.admin.get("/api/2/admins/ada@example.org/").await.good();
    assert_eq!(made["permissions"], json!(["manage_members", "approve_messages", "limit_lists"]));
    assert_eq!((&made["limit_lists"], &made["notifications"]), (&json!(["news"]), &json!(["held_message"])));
    app.settle().await;
    assert!(app.sink.mail_to("ada@example.org").text().contains("/password/"), "the invitation");
    let path = format!("{PATH}{}/", made["id"]);
    let fields = Fields::of(&shown, &["id=\"fields\"", "name=\"username\""]);
    assert_eq!(fields.all("permissions"), ["manage_members", "approve_messages", "limit_lists"]);
    let answer = send(&mut visitor, PATH, &marks, &changes).await;
    page(&answer, 409, "<a href=\"#username\">");
    let answer = send(&mut visitor, PATH, &marks, &[("username", &["no address"])]).await;
    page(&answer, 400, "<a href=\"#username\">");

    // Sessions end when rights change.
    let id = made["id"].as_u64().unwrap();
    let mut ada = Visitor::signed_in(&app, Person::Admin(crier::model::AdminId(id))).await;
    assert_eq!(ada.get("/admin/lists/").await.status, 200);
    let changes: [(&str, &[&str]); 2] = [("surname", &["Lovelace"]), ("permissions", &["manage_settings"])];
    let answer = send(&mut visitor, &path, &marks, &changes).await;
    done(&mut visitor, &answer).await;
    let made = app.admin.get(&format!("/api/2/admins/{id}/")).await.good();
    assert_eq!((&made["surname"], &made["permissions"]), (&json!("Lovelace"), &json!(["manage_settings"])));
    assert_eq!(ada.get("/admin/lists/").await.status, 303, "signed out");

    app.sink.clear();
    let answer = send(&mut visitor, &path, &["value=\"invite\""], &[("action", &["invite"])]).await;
    done(&mut visitor, &answer).await;
    app.settle().await;
    assert!(app.sink.mail_to("ada@example.org").text().contains("/password/"));
    let answer = send(&mut visitor, &path, &["value=\"delete\""], &[("action", &["delete"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(visitor.get(&path).await.status, 404);
}

#[tokio::test]
async fn a_list_that_is_ticked_is_a_limit_and_a_limit_names_a_list() {
    let app = TestApp::start().await;
    app.list("choir").create().await;
    app.list("news").create().await;
    let mut visitor = head(&app).await;
    let marks = ["name=\"username\""];
    // The button for all lists is chosen at first, and a list is ticked without a look at it.
    let changes: [(&str, &[&str]); 3] = [
        ("username", &["ada@example.org"]),
        ("permissions", &["approve_messages", ""]),
        ("limit_lists", &["choir"]),
    ];
    let answer = send(&mut visitor, PATH, &marks, &changes).await;
    let shown = done(&mut visitor, &answer).await;
    page(
        &shown,
        200,
        "ada@example.org may approve messages and requests, for choir only. A mail with a link",
    );
    let made = app.admin.get("/api/2/admins/ada@example.org/").await.good();
    assert_eq!(made["permissions"], json!(["approve_messages", "limit_lists"]));
    assert_eq!(made["limit_lists"], json!(["choir"]));
    page(&visitor.get(PATH).await, 200, "approve messages and requests, for choir only");
    let path = format!("{PATH}{}/", made["id"]);
    // A limit to nothing is refused, for people, for keys, and where it is taken away later.
    let none: [(&str, &[&str]); 3] = [
        ("username", &["bob@example.org"]),
        ("permissions", &["approve_messages", "limit_lists"]),
        ("limit_lists", &[]),
    ];
    let answer = send(&mut visitor, PATH, &marks, &none).await;
    page(&answer, 400, "<a href=\"#limit_lists\">On which lists?: Choose at least one list.");
    assert_eq!(app.admin.get("/api/2/admins/bob@example.org/").await.status, 404);
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &none[1..]).await;
    page(&answer, 400, "<a href=\"#key-limit_lists\">");
    page(&send(&mut visitor, &path, &marks, &[("limit_lists", &[])]).await, 400, "Choose at least one list.");
    // Whoever switches the limit off need not untick the lists, and what is saved again stays as it is.
    let all: [(&str, &[&str]); 1] = [("permissions", &["approve_messages", ""])];
    for changes in [&all[..], &[]] {
        let answer = send(&mut visitor, &path, &marks, changes).await;
        page(&done(&mut visitor, &answer).await, 200, "requests, for all lists.");
        let made =
            app.admin.get(&format!("/api/2{}", path.replace("/admin/administrators", "/admins"))).await;
        assert_eq!(made.good()["permissions"], json!(["approve_messages"]));
    }
    let key: [(&str, &[&str]); 4] = [
        ("description", &["The website"]),
        ("permissions", &["send_messages"]),
        ("limit_lists", &["news"]),
        ("get_key", &["1"]),
    ];
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &key).await;
    page(&answer, 200, "The website may send messages, for news only.");
}

#[tokio::test]
async fn a_key_is_shown_once_and_works_as_its_fields_say() {
    let app = TestApp::start().await;
    let mut visitor = head(&app).await;
    let changes: [(&str, &[&str]); 3] = [
        ("description", &["The website"]),
        ("permissions", &["manage_members"]),
        ("cidr", &["127.0.0.0/8\r\n2001:db8::/32"]),
    ];
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &changes).await;
    let path = answer.header("location").unwrap().split('?').next().unwrap().to_owned();
    done(&mut visitor, &answer).await;
    let marks = ["name=\"get_key\""];
    let answer = send(&mut visitor, &path, &marks, &[("get_key", &["1"]), ("expiry_months", &["3"])]).await;
    page(&answer, 200, "role=\"status\"");
    let key = answer.body.split("id=\"new-key\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(key.len(), 32);
    assert_eq!(app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.status, 200);
    assert!(!visitor.get(&path).await.body.contains(&key), "shown once");
    let id = path.trim_end_matches('/').rsplit('/').next().unwrap();
    let made = app.admin.get(&format!("/api/2/admins/{id}/")).await.good();
    assert_eq!((&made["api"], &made["description"]), (&json!(2), &json!("The website")));
    assert_eq!(made["cidr"], "127.0.0.0/8,2001:db8::/32");
    // A second key would end the first, so the page asks.
    let again: [(&str, &[&str]); 2] = [("get_key", &["1"]), ("expiry_months", &["5"])];
    page(&send(&mut visitor, &path, &marks, &again).await, 200, "Replace the key?");
    assert_eq!(app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.status, 200);
    let again = [&again[..], &[("ends", &["1"])]].concat();
    let answer = send(&mut visitor, &path, &marks, &again).await;
    page(&answer, 400, "<a href=\"#expiry_months\">");
    assert_eq!(app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.status, 200);
    let answer = send(&mut visitor, &path, &["name=\"cidr\""], &[("cidr", &["192.0.2.0/24"])]).await;
    done(&mut visitor, &answer).await;
    assert_eq!(app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.status, 401);
    let answer = send(&mut visitor, &path, &["name=\"cidr\""], &[("cidr", &["here"])]).await;
    page(&answer, 400, "<a href=\"#cidr\">");
    // A key that may do nothing is no use to anybody.
    let nothing: [(&str, &[&str]); 2] = [("description", &["Another"]), ("get_key", &["1"])];
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &nothing).await;
    page(&answer, 400, "What is allowed?: tick what the key may do");
    assert!(!answer.body.contains("id=\"new-key\">"), "{}", answer.body);
    // The button of the new key's form shows it at once.
    let changes: [(&str, &[&str]); 3] =
        [("description", &["Another"]), ("permissions", &["send_messages"]), ("get_key", &["1"])];
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &changes).await;
    page(&answer, 200, "id=\"new-key\">");
    let key = answer.body.split("id=\"new-key\">").nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(app.anon.with_authorization(&format!("Bearer {key}")).get("/api/2/lists/").await.status, 200);
}

/// The facts on the page of a key: what stands behind "Last used".
async fn last_use(visitor: &mut Visitor, path: &str) -> String {
    let shown = visitor.get(path).await;
    let value = shown.body.split("Last used</dt>").nth(1).unwrap_or_else(|| panic!("{}", shown.body));
    value.split("<dd>").nth(1).unwrap().split("</dd>").next().unwrap().to_owned()
}

#[tokio::test]
async fn a_key_says_when_it_was_last_used_and_remembers_it_over_a_restart() {
    let mut app = TestApp::start().await;
    let mut visitor = head(&app).await;
    let changes: [(&str, &[&str]); 3] =
        [("description", &["The website"]), ("permissions", &["manage_members"]), ("get_key", &["1"])];
    let answer = send(&mut visitor, PATH, &["name=\"description\""], &changes).await;
    let key = answer.body.split("id=\"new-key\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let listed = visitor.get(PATH).await;
    let row = listed.body.split(">The website</a>").next().unwrap();
    let path = row.rsplit("href=\"").next().unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(last_use(&mut visitor, &path).await, "not used yet");
    page(&listed, 200, "data-label=\"Last used\">not used yet</td>");
    let writes = || app.core().store.generation(app.account_id());
    let before = writes();
    let authorization = format!("Bearer {key}");
    assert_eq!(app.anon.with_authorization(&authorization).get("/api/2/lists/").await.status, 200);
    assert_eq!(writes(), before, "a call that reads writes nothing");
    let first = last_use(&mut visitor, &path).await;
    assert_ne!(first, "not used yet");
    page(&visitor.get(PATH).await, 200, &format!("data-label=\"Last used\">{first}</td>"));
    app.advance(Duration::from_hours(2)).await;
    assert_eq!(last_use(&mut visitor, &path).await, first, "looking at it is no use of it");
    assert_eq!(app.anon.with_authorization(&authorization).get("/api/2/lists/").await.status, 200);
    let second = last_use(&mut visitor, &path).await;
    assert_ne!(second, first);
    // A key that is refused was not used.
    app.advance(Duration::from_hours(2)).await;
    let wrong = format!("Bearer {}", "x".repeat(32));
    assert_eq!(app.anon.with_authorization(&wrong).get("/api/2/lists/").await.status, 401);
    assert_eq!(last_use(&mut visitor, &path).await, second);
    app.restart().await;
    let mut other = admin(&app, "other@example.org", &json!({"permissions": ["account_admin"]})).await;
    assert_eq!(last_use(&mut other, &path).await, second);
}

#[tokio::test]
async fn administrators_are_changed_by_somebody_who_proved_to_be_there_lately() {
    let app = TestApp::start().await;
    let mut visitor = head(&app).await;
    let shown = visitor.get(PATH).await;
    app.advance(std::time::Duration::from_mins(20)).await;
    let fields = Fields::of(&shown, &["name=\"username\""]).with("username", &["ada@example.org"]);
    let answer = visitor.post(PATH, &fields.pairs()).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert!(answer.header("location").unwrap().contains("/login/again/"), "{answer:?}");
    assert_eq!(app.admin.get("/api/2/admins/ada@example.org/").await.status, 404);
}

#[tokio::test]
async fn who_looks_after_a_list_shares_it_with_no_more_rights_than_its_own() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let limited = json!({"permissions": ["manage_members", "approve_messages", "limit_lists"], "limit_lists": ["news"]});
    let mut ruth = admin(&app, "ruth@example.org", &limited).await;
    let path = "/admin/lists/news/helpers/";
    assert_eq!(ruth.get(path).await.status, 403, "not allowed");
    let members = "/admin/lists/news/members/";
    assert!(!ruth.get(members).await.body.contains(path), "and not offered");
    app.change_account(|account| account.settings.list_delegation = true).await;
    page(&ruth.get(members).await, 200, path);
    let shown = ruth.get(path).await;
    page(&shown, 200, "<li><a href=\"/admin/lists/news/helpers/\" aria-current=\"page\">Helpers</a></li>");
    page(&shown, 200, "ruth@example.org");
    assert!(!shown.body.contains("value=\"manage_settings\""), "what Ruth lacks is not offered");
    let offered = Fields::of(&shown, &["name=\"username\""]);
    assert_eq!(offered.all("permissions"), ["approve_messages"], "more is given on purpose");

    let marks = ["name=\"username\""];
    let changes: [(&str, &[&str]); 3] =
        [("username", &["ada@example.org"]), ("permissions", &["manage_members"]), ("action", &["invite"])];
    let answer = send(&mut ruth, path, &marks, &changes).await;
    done(&mut ruth, &answer).await;
    let ada = app.admin.get("/api/2/admins/ada@example.org/").await.good();
    assert_eq!(ada["permissions"], json!(["manage_members", "limit_lists"]));
    assert_eq!(ada["limit_lists"], json!(["news"]));
    app.settle().await;
    assert!(app.sink.mail_to("ada@example.org").text().contains("/password/"));
    let more: [(&str, &[&str]); 3] =
        [("username", &["eve@example.org"]), ("permissions", &["manage_settings"]), ("action", &["invite"])];
    page(&send(&mut ruth, path, &marks, &more).await, 400, "<a href=\"#permissions\">");
    assert_eq!(app.admin.get("/api/2/admins/eve@example.org/").await.status, 404);

    // Somebody who looks after another list joins, unless with rights that Ruth lacks.
    let known = json!({"permissions": ["approve_messages", "limit_lists"], "limit_lists": ["other"]});
    admin(&app, "cy@example.org", &known).await;
    let known = json!({"permissions": ["manage_settings", "limit_lists"], "limit_lists": ["other"]});
    admin(&app, "dee@example.org", &known).await;
    let invite = |address: &'static str| -> [(&'static str, &'static [&'static str]); 2] {
        match address {
            "cy" => [("username", &["cy@example.org"]), ("action", &["invite"])],
            _ => [("username", &["dee@example.org"]), ("action", &["invite"])],
        }
    };
    let answer = send(&mut ruth, path, &marks, &invite("cy")).await;
    done(&mut ruth, &answer).await;
    let cy = app.admin.get("/api/2/admins/cy@example.org/").await.good();
    assert_eq!(
        (&cy["limit_lists"], &cy["permissions"]),
        (&json!(["other", "news"]), &json!(["approve_messages", "limit_lists"]))
    );
    page(&send(&mut ruth, path, &marks, &invite("cy")).await, 409, "<a href=\"#username\">");
    page(&send(&mut ruth, path, &marks, &invite("dee")).await, 409, "<a href=\"#username\">");

    // Ruth cannot act on a list that is not hers, and takes out whom she may.
    let id = cy["id"].to_string();
    let csrf = Fields::of(&ruth.get(path).await, &marks);
    let elsewhere = csrf.with("id", &[&id]).with("action", &["take-out"]);
    assert_eq!(ruth.post("/admin/lists/other/helpers/", &elsewhere.pairs()).await.status, 404);
    let answer = ruth.post(path, &elsewhere.pairs()).await;
    done(&mut ruth, &answer).await;
    let cy = app.admin.get("/api/2/admins/cy@example.org/").await.good();
    assert_eq!(cy["limit_lists"], json!(["other"]));
    let (log, _) = (app.dump("audit"), AccountId(1));
    assert!(log.contains("limit_lists"), "{log}");
}
